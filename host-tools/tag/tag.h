/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * DSA tags: what a switch and its CPU write into each frame between them.
 *
 * A format is data (see format.h); this is what the rest of the rig sees of
 * it.  tag_push() writes a tag into a frame, tag_pull() reads and removes it.
 * Both directions are here, because the rig plays the switch (to the CPU) and
 * judges the CPU (from it), and the tests turn the table round.
 *
 * Uses nothing but the C library, so that QEMU's switch models can link it.
 */
#ifndef TAGRIG_TAG_TAG_H
#define TAGRIG_TAG_TAG_H

#include "frame.h"

enum tag_dir {
	TAG_FROM_CPU,		/* the conduit sends */
	TAG_TO_CPU,		/* the conduit receives */
};

/* What a tag says, in words that all formats share. */
struct tag_meta {
	uint32_t ports;		/* from the CPU: destinations, a bit each; to it: 1 << source */
	uint16_t vid;		/* with .vlan: VLAN id, 0..4095 */
	uint8_t pcp;		/* with .vlan: 802.1p priority, 0..7; else the tag's priority */
	uint8_t device;		/* switch index in the tree, where a format has it */
	bool vlan;		/* the frame's 802.1Q header lives in the tag */
	bool dei;		/* with .vlan: CFI/DEI bit */
	bool forward;		/* bridged by the switch (DSA: FORWARD; offload_fwd_mark) */
	bool trap;		/* to the CPU because of what it is (mgmt), not where it goes */
	uint8_t bridge;		/* tag_8021q's virtual bridge (VBID), 0 for none */
};

struct tag_format;		/* opaque here: format.h */

/* By the kernel's name (sysfs dsa/tagging); NULL if there is none. */
const struct tag_format *tag_by_name(const char *name);

/* The table, for loops: 0 <= i < tag_count(), in the kernel's order. */
size_t tag_count(void);
const struct tag_format *tag_at(size_t i);

const char *tag_name(const struct tag_format *f);

/* The kernel's DSA_TAG_PROTO_*_VALUE. */
unsigned int tag_proto(const struct tag_format *f);

/* The ports that a tag can name in direction @dir, a bit each; 0 for none. */
uint32_t tag_ports(const struct tag_format *f, enum tag_dir dir);

/* Bytes that a tag adds in direction @dir, padding not counted. */
unsigned int tag_len(const struct tag_format *f, enum tag_dir dir);

/* Does the tag name a switch (meta.device) in direction @dir? */
bool tag_has_device(const struct tag_format *f, enum tag_dir dir);

/*
 * A format that fuses the tag with the frame's 802.1Q header takes the header
 * in when .vlan is set.  This sets .vlan, .vid, .pcp and .dei from the header
 * that @frame begins with, when @f fuses such a header in direction @dir, and
 * else clears .vlan and touches no more.  Returns .vlan.
 */
bool tag_meta_vlan(const struct tag_format *f, enum tag_dir dir,
		   struct tag_meta *meta, const struct frame *frame);

/*
 * Writes @meta into @frame as a tag of format @f.  Fields that the format does
 * not carry are dropped silently; a value that a field cannot hold is -ERANGE
 * with the frame untouched.  -EMSGSIZE: no Ethernet header; -ENOBUFS: no room;
 * -EPROTO: .vlan is set and the frame has no header that the tag could take in.
 *
 * .ports is one port where the tag holds a number.  It may be 0 from the CPU
 * with .forward, in formats that have it (the switch decides by its tables),
 * and with .bridge.  The frame is padded with zeros first where the kernel (or
 * the switch, for tags at the tail) pads it.
 */
int tag_push(const struct tag_format *f, enum tag_dir dir,
	     const struct tag_meta *meta, struct frame *frame);

/*
 * Reads the tag into @meta and removes it: what is left is the frame as the
 * port sees it (with its 802.1Q header back where a format fuses the two).
 * On error the frame is untouched and *@why (if not NULL) says in words what
 * is wrong with the tag: -EMSGSIZE too short, -EPROTO not this tag.  The words
 * stay valid until the thread's next call.  To the CPU, .forward is the
 * opposite of .trap where the tag says which.
 */
int tag_pull(const struct tag_format *f, enum tag_dir dir,
	     struct tag_meta *meta, struct frame *frame, const char **why);

#endif
