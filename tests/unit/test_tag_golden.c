// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What the bytes of each tag are: written down from net/dsa/tag_*.c of Linux
 * 7.3 by hand, with what they mean, and compared with what the codec writes
 * and reads.  Nothing here uses the codec's tables.
 *
 * And the test of this test: every row of every table, changed, makes it fail.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "tag/format.h"

/* The frame that is tagged: 100 bytes, or 104 with a VLAN header. */
enum sample {
	PLAIN,		/* IPv4 */
	VLAN,		/* 8100, PCP 5, VID 0x123 */
	VLAN_DEI,	/* the same with DEI */
	SVLAN,		/* 88A8, PCP 5, VID 0x123 */
	TCI0,		/* 8100, all zero */
	MGMT,		/* LLDP's address */
};

enum where {
	MID,		/* .head stands before the EtherType */
	FRONT,		/* .head stands in front of the frame */
	FUSED,		/* .head stands for the VLAN header */
};

enum ways {
	BOTH,		/* written and read */
	READ,		/* read only: other bytes are written */
	REFUSED,	/* not read */
};

struct golden {
	const char *format;
	enum tag_dir dir;
	const char *says;
	enum sample sample;
	struct tag_meta meta;	/* what is written, and what is read; 0 where refused */
	enum where where;
	const char *head;
	const char *tail;
	enum ways ways;
};

#define P(n)	(1u << (n))
#define OUT	TAG_FROM_CPU
#define IN	TAG_TO_CPU

static const struct golden goldens[] = {
{ "none", OUT, "nothing", PLAIN, { 0 }, MID, "", "", BOTH },
{ "none", IN, "nothing", VLAN, { 0 }, MID, "", "", BOTH },

{ "brcm", OUT, "opcode 1, class 5, map of ports 8 and 0",
  PLAIN, { .ports = P(8) | P(0), .pcp = 5 }, MID, "34 00 01 01", "", BOTH },
{ "brcm", IN, "opcode 0, exception, class 6, port 3",
  PLAIN, { .ports = P(3), .pcp = 6, .forward = true }, MID, "00 00 20 c3", "", BOTH },
{ "brcm", IN, "opcode 0, protocol termination, port 16",
  MGMT, { .ports = P(16), .trap = true }, MID, "00 00 28 10", "", BOTH },
{ "brcm", IN, "class id 0x42 and a switching reason, which nobody reads",
  PLAIN, { .ports = P(1), .forward = true }, MID, "00 42 04 01", "", READ },
{ "brcm-prepend", OUT, "opcode 1, class 5, map of ports 8 and 0",
  PLAIN, { .ports = P(8) | P(0), .pcp = 5 }, FRONT, "34 00 01 01", "", BOTH },
{ "brcm-prepend", IN, "opcode 0, exception, class 6, port 3",
  VLAN, { .ports = P(3), .pcp = 6, .forward = true }, FRONT, "00 00 20 c3", "", BOTH },
{ "brcm-prepend", IN, "opcode 0, protocol termination, port 16",
  MGMT, { .ports = P(16), .trap = true }, FRONT, "00 00 28 10", "", BOTH },

{ "dsa", OUT, "FROM_CPU untagged, device 2 port 5, VID 0 of a standalone port",
  PLAIN, { .ports = P(5), .device = 2 }, MID, "42 28 00 00", "", BOTH },
{ "dsa", OUT, "FROM_CPU untagged, device 0 port 1, VID 4095 of a bridged port",
  VLAN, { .ports = P(1), .vid = 4095 }, MID, "40 08 0f ff", "", BOTH },
{ "dsa", OUT, "FROM_CPU tagged, device 2 port 5, the header's TCI",
  VLAN, { .ports = P(5), .device = 2, .vlan = true, .pcp = 5, .vid = 0x123 },
  FUSED, "62 28 a1 23", "", BOTH },
{ "dsa", OUT, "the same, DEI where Marvell has CFI",
  VLAN_DEI, { .ports = P(5), .device = 2, .vlan = true, .pcp = 5, .vid = 0x123, .dei = true },
  FUSED, "62 29 a1 23", "", BOTH },
{ "dsa", OUT, "FORWARD on behalf of virtual device 9, VID of a bridged port",
  PLAIN, { .device = 9, .vid = 4095, .forward = true }, MID, "c9 00 0f ff", "", BOTH },
{ "dsa", IN, "FORWARD untagged, device 1 port 2, pvid 1337",
  PLAIN, { .ports = P(2), .device = 1, .vid = 1337, .forward = true },
  MID, "c1 10 05 39", "", BOTH },
{ "dsa", IN, "FORWARD tagged, device 1 port 2, the header's TCI, CFI",
  VLAN_DEI, { .ports = P(2), .device = 1, .vid = 0x123, .pcp = 5, .dei = true,
	      .vlan = true, .forward = true },
  FUSED, "e1 11 a1 23", "", BOTH },
{ "dsa", IN, "TO_CPU, code 0 (management), device 8 port 0: reads as IPv4's EtherType",
  MGMT, { .ports = P(0), .device = 8, .trap = true }, MID, "08 00 00 00", "", BOTH },
{ "dsa", IN, "TO_CPU, code 2 (IGMP and MLD trap), port 2",
  PLAIN, { .ports = P(2), .trap = true }, MID, "00 12 00 00", "", READ },
{ "dsa", IN, "TO_CPU, code 3 (policy trap), port 2",
  PLAIN, { .ports = P(2), .trap = true }, MID, "00 12 10 00", "", READ },
{ "dsa", IN, "TO_CPU, code 4 (ARP mirror), port 2: forwarded already",
  PLAIN, { .ports = P(2), .forward = true }, MID, "00 14 00 00", "", READ },
{ "dsa", IN, "TO_CPU, code 5 (policy mirror), port 2: forwarded already",
  PLAIN, { .ports = P(2), .forward = true }, MID, "00 14 10 00", "", READ },
{ "dsa", IN, "TO_CPU, code 1: an answer to remote management, not a frame",
  PLAIN, { 0 }, MID, "00 10 10 00", "", REFUSED },
{ "edsa", IN, "TO_CPU, code 1: an answer to remote management, not a frame",
  PLAIN, { 0 }, MID, "da da 00 00 00 10 10 00", "", REFUSED },
{ "edsa", OUT, "FROM_CPU untagged, device 2 port 5",
  PLAIN, { .ports = P(5), .device = 2 }, MID, "da da 00 00 42 28 00 00", "", BOTH },
{ "edsa", OUT, "FROM_CPU tagged, device 2 port 5, the header's TCI, CFI",
  VLAN_DEI, { .ports = P(5), .device = 2, .vlan = true, .pcp = 5, .vid = 0x123, .dei = true },
  FUSED, "da da 00 00 62 29 a1 23", "", BOTH },
{ "edsa", OUT, "FORWARD on behalf of virtual device 9",
  PLAIN, { .device = 9, .forward = true }, MID, "da da 00 00 c9 00 00 00", "", BOTH },
{ "edsa", IN, "FORWARD tagged, device 1 port 2, the header's TCI, CFI",
  VLAN_DEI, { .ports = P(2), .device = 1, .vid = 0x123, .pcp = 5, .dei = true,
	      .vlan = true, .forward = true },
  FUSED, "da da 00 00 e1 11 a1 23", "", BOTH },
{ "edsa", IN, "TO_CPU, code 0, device 1 port 31",
  MGMT, { .ports = P(31), .device = 1, .trap = true }, MID, "da da 00 00 01 f8 00 00", "", BOTH },
{ "edsa", IN, "reserved bytes that nobody reads; TO_CPU, code 3",
  PLAIN, { .ports = P(2), .trap = true }, MID, "da da 12 34 00 12 10 00", "", READ },
{ "edsa", IN, "TO_CPU, code 4 (ARP mirror), port 2",
  PLAIN, { .ports = P(2), .forward = true }, MID, "da da 00 00 00 14 00 00", "", READ },

{ "gswip", OUT, "from port id 2, map enabled twice, ports 5, 2, 0, group enabled",
  PLAIN, { .ports = P(5) | P(2) | P(0) }, FRONT, "02 00 c0 4b", "", BOTH },
{ "gswip", IN, "port 6",
  VLAN, { .ports = P(6) }, FRONT, "00 00 00 00 00 00 00 60", "", BOTH },

{ "ksz9477", OUT, "override, priority 2, ports 6 and 2",
  MGMT, { .ports = P(6) | P(2), .pcp = 2, .trap = true }, MID, "", "03 44", BOTH },
{ "ksz9477", OUT, "lookup",
  PLAIN, { .forward = true }, MID, "", "04 00", BOTH },
{ "ksz9477", IN, "port 5", PLAIN, { .ports = P(5) }, MID, "", "05", BOTH },
{ "ksz9477", IN, "a time stamp, port 5",
  PLAIN, { .ports = P(5) }, MID, "", "11 22 33 44 85", READ },
{ "ksz9893", OUT, "override, priority 2, ports 2 and 0",
  MGMT, { .ports = P(2) | P(0), .pcp = 2, .trap = true }, MID, "", "35", BOTH },
{ "ksz9893", OUT, "lookup", PLAIN, { .forward = true }, MID, "", "40", BOTH },
{ "ksz9893", IN, "port 2", PLAIN, { .ports = P(2) }, MID, "", "02", BOTH },
{ "ksz9893", IN, "a time stamp, port 2",
  PLAIN, { .ports = P(2) }, MID, "", "11 22 33 44 82", READ },
{ "ksz8795", OUT, "override, ports 3 and 0",
  MGMT, { .ports = P(3) | P(0), .trap = true }, MID, "", "49", BOTH },
{ "ksz8795", OUT, "lookup", PLAIN, { .forward = true }, MID, "", "80", BOTH },
{ "ksz8795", IN, "port 3", PLAIN, { .ports = P(3) }, MID, "", "03", BOTH },
{ "ksz8463", OUT, "priority 3, port 2",
  PLAIN, { .ports = P(2), .pcp = 3 }, MID, "", "1c", BOTH },
{ "ksz8463", IN, "port 2", PLAIN, { .ports = P(2) }, MID, "", "02", BOTH },
{ "lan937x", OUT, "valid, priority 6, ports 7 and 1",
  PLAIN, { .ports = P(7) | P(1), .pcp = 6 }, MID, "", "26 82", BOTH },
{ "lan937x", OUT, "valid, override, port 0",
  MGMT, { .ports = P(0), .trap = true }, MID, "", "28 01", BOTH },
{ "lan937x", OUT, "valid, lookup", PLAIN, { .forward = true }, MID, "", "30 00", BOTH },
{ "lan937x", IN, "port 7", PLAIN, { .ports = P(7) }, MID, "", "07", BOTH },
{ "lan937x", IN, "a time stamp, port 7",
  PLAIN, { .ports = P(7) }, MID, "", "11 22 33 44 87", READ },

{ "lan9303", OUT, "port 1, STP override",
  PLAIN, { .ports = P(1) }, MID, "81 00 00 11", "", BOTH },
{ "lan9303", OUT, "address lookup",
  PLAIN, { .forward = true }, MID, "81 00 00 08", "", BOTH },
{ "lan9303", IN, "port 2",
  VLAN, { .ports = P(2), .forward = true }, MID, "81 00 00 02", "", BOTH },
{ "lan9303", IN, "port 2, trapped STP",
  MGMT, { .ports = P(2), .trap = true }, MID, "81 00 00 12", "", BOTH },
{ "lan9303", IN, "port 2, trapped IGMP",
  PLAIN, { .ports = P(2), .trap = true }, MID, "81 00 00 0a", "", READ },

{ "mtk", OUT, "untagged, ports 4 and 0",
  PLAIN, { .ports = P(4) | P(0) }, MID, "00 11 00 00", "", BOTH },
{ "mtk", OUT, "stands for an 8100 header, ports 4 and 0, its TCI",
  VLAN_DEI, { .ports = P(4) | P(0), .vlan = true, .pcp = 5, .dei = true, .vid = 0x123 },
  FUSED, "01 11 b1 23", "", BOTH },
{ "mtk", OUT, "stands for an 88A8 header, port 5, its TCI",
  SVLAN, { .ports = P(5), .vlan = true, .pcp = 5, .vid = 0x123 },
  FUSED, "02 20 a1 23", "", BOTH },
{ "mtk", IN, "port 4; a VLAN header stays behind the tag",
  VLAN, { .ports = P(4) }, MID, "00 04 00 00", "", BOTH },
{ "mtk", IN, "port 4, and bits that nobody reads",
  PLAIN, { .ports = P(4) }, MID, "05 fc 12 34", "", READ },

{ "qca", OUT, "version 2, priority 3, from the CPU, ports 6 and 0",
  PLAIN, { .ports = P(6) | P(0), .pcp = 3 }, MID, "98 c1", "", BOTH },
{ "qca", IN, "version 2, priority 1, untagged, port 6",
  PLAIN, { .ports = P(6), .pcp = 1 }, MID, "88 06", "", BOTH },
{ "qca", IN, "version 2, priority 1, tagged, port 6",
  VLAN, { .ports = P(6), .pcp = 1 }, MID, "88 0e", "", BOTH },

{ "trailer", OUT, "80, ports 5, 2, 0, override",
  PLAIN, { .ports = P(5) | P(2) | P(0) }, MID, "", "80 25 10 00", BOTH },
{ "trailer", IN, "80, port 5", VLAN, { .ports = P(5) }, MID, "", "80 05 00 00", BOTH },
{ "trailer", IN, "80, port 5, override, which nobody reads",
  PLAIN, { .ports = P(5) }, MID, "", "80 05 10 00", READ },

{ "sja1105", OUT, "DADB, PCP 5, VID 3<<10 | switch 3 | port 9",
  PLAIN, { .ports = P(9), .device = 3, .pcp = 5 }, MID, "da db ac c9", "", BOTH },
{ "sja1105", OUT, "DADB, VID 3<<10 | VBID 5: high bit at 9, low bits at 5..4",
  PLAIN, { .bridge = 5 }, MID, "da db 0e 10", "", BOTH },
{ "sja1105", OUT, "the same behind TPID 8100, beside a VLAN-aware bridge",
  PLAIN, { .ports = P(9), .device = 3, .pcp = 5 }, MID, "81 00 ac c9", "", READ },
{ "sja1105", IN, "DADB, PCP 5, switch 3, port 9; the frame's own header stays",
  VLAN, { .ports = P(9), .device = 3, .pcp = 5 }, MID, "da db ac c9", "", BOTH },
{ "sja1105", IN, "DADB, VBID 7, from a VLAN-unaware bridge",
  PLAIN, { .bridge = 7 }, MID, "da db 0e 30", "", BOTH },

{ "ocelot", OUT, "prefix, bypass, ports 11, 3, 0 at bit 56, source 6, class 6",
  PLAIN, { .ports = P(11) | P(3) | P(0), .pcp = 6 }, FRONT,
  "88 80 00 0a 80 00 00 00 00 00 00 08 09 00 30 00 00 0c 00 00", "", BOTH },
{ "ocelot", OUT, "classified TCI from a VLAN-aware bridge",
  PLAIN, { .ports = P(1), .pcp = 5, .vid = 0x123, .dei = true }, FRONT,
  "88 80 00 0a 80 00 00 00 00 00 00 00 02 00 30 00 00 0a b1 23", "", BOTH },
{ "ocelot", IN, "port 12 at bit 43, class 5, VID 1",
  VLAN, { .ports = P(12), .pcp = 5, .vid = 1, .dei = true }, FRONT,
  "88 80 00 0a 00 00 00 00 00 00 00 00 00 00 60 00 00 0a b0 01", "", BOTH },
{ "ocelot", IN, "port 4, rewriter value, lengths, queues that nobody reads",
  PLAIN, { .ports = P(4), .pcp = 2 }, FRONT,
  "ff ff ff ff 7f ff ff ff ff ff ff ff ff ff a7 ff ff f4 00 00", "", READ },
{ "seville", OUT, "prefix 5, bypass, ports 10 and 2 at bit 57, source 6, class 6",
  PLAIN, { .ports = P(10) | P(2), .pcp = 6 }, FRONT,
  "88 80 00 05 80 00 00 00 00 00 00 08 08 00 30 00 00 0c 00 00", "", BOTH },
{ "seville", OUT, "classified TCI from a VLAN-aware bridge",
  PLAIN, { .ports = P(1), .pcp = 5, .vid = 0x123, .dei = true }, FRONT,
  "88 80 00 05 80 00 00 00 00 00 00 00 04 00 30 00 00 0a b1 23", "", BOTH },
{ "seville", IN, "port 12 at bit 43, class 5, VID 1",
  VLAN, { .ports = P(12), .pcp = 5, .vid = 1, .dei = true }, FRONT,
  "88 80 00 05 00 00 00 00 00 00 00 00 00 00 60 00 00 0a b0 01", "", BOTH },

{ "ar9331", OUT, "little-endian 4073: version 1, from the CPU, 3, port 3",
  PLAIN, { .ports = P(3) }, FRONT, "73 40", "", BOTH },
{ "ar9331", IN, "little-endian 403a: version 1, 3, port 10",
  PLAIN, { .ports = P(10) }, FRONT, "3a 40", "", BOTH },
{ "ar9331", IN, "broadcast, priority and type, which nobody reads",
  PLAIN, { .ports = P(4) }, FRONT, "a4 77", "", READ },

{ "rtl4a", OUT, "8899, protocol 10, ports 5 and 0",
  PLAIN, { .ports = P(5) | P(0) }, MID, "88 99 a0 21", "", BOTH },
{ "rtl4a", IN, "8899, protocol 10, port 5",
  VLAN, { .ports = P(5) }, MID, "88 99 a0 05", "", BOTH },

{ "hellcreek", OUT, "ports 3 and 2", PLAIN, { .ports = P(3) | P(2) }, MID, "", "0c", BOTH },
{ "hellcreek", IN, "port 3", PLAIN, { .ports = P(3) }, MID, "", "03", BOTH },
{ "hellcreek", IN, "port 2, and bits that nobody reads",
  PLAIN, { .ports = P(2) }, MID, "", "fe", READ },
{ "xrs700x", OUT, "ports 2 and 1", PLAIN, { .ports = P(2) | P(1) }, MID, "", "06", BOTH },
{ "xrs700x", IN, "port 2, as a map", PLAIN, { .ports = P(2) }, MID, "", "04", BOTH },
{ "xrs700x", IN, "ports 3 and 2: the lowest is the source",
  PLAIN, { .ports = P(2) }, MID, "", "0c", READ },

{ "ocelot-8021q", OUT, "8100, PCP 5, VID 3<<10 | switch 3 | port 9",
  PLAIN, { .ports = P(9), .device = 3, .pcp = 5 }, MID, "81 00 ac c9", "", BOTH },
{ "ocelot-8021q", IN, "8100, PCP 5, switch 3, port 9",
  VLAN, { .ports = P(9), .device = 3, .pcp = 5 }, MID, "81 00 ac c9", "", BOTH },
{ "ocelot-8021q", OUT, "8100, VBID 5", PLAIN, { .bridge = 5 }, MID, "81 00 0e 10", "", BOTH },
{ "ocelot-8021q", IN, "8100, VBID 5", PLAIN, { .bridge = 5 }, MID, "81 00 0e 10", "", BOTH },
{ "vsc73xx-8021q", IN, "8100, VBID 5", PLAIN, { .bridge = 5 }, MID, "81 00 0e 10", "", BOTH },
{ "vsc73xx-8021q", OUT, "8100, PCP 5, VID 3<<10 | switch 3 | port 9",
  PLAIN, { .ports = P(9), .device = 3, .pcp = 5 }, MID, "81 00 ac c9", "", BOTH },
{ "vsc73xx-8021q", OUT, "8100, VBID 5",
  PLAIN, { .bridge = 5 }, MID, "81 00 0e 10", "", BOTH },
{ "vsc73xx-8021q", IN, "8100, PCP 5, switch 3, port 9",
  VLAN, { .ports = P(9), .device = 3, .pcp = 5 }, MID, "81 00 ac c9", "", BOTH },

{ "brcm-legacy", OUT, "8874, egress, port 5",
  PLAIN, { .ports = P(5) }, MID, "88 74 40 00 00 05", "", BOTH },
{ "brcm-legacy", IN, "8874, port 5; the frame has a VLAN header",
  VLAN, { .ports = P(5) }, MID, "88 74 00 00 00 05", "", BOTH },
{ "brcm-legacy", IN, "8874, port 5, and a header of VID 0 for a frame without one",
  PLAIN, { .ports = P(5) }, MID, "88 74 00 00 00 05 81 00 00 00", "", BOTH },
{ "brcm-legacy", IN, "a priority tag of 0 gets another one",
  TCI0, { .ports = P(5) }, MID, "88 74 00 00 00 05 81 00 00 00", "", BOTH },
{ "brcm-legacy", IN, "8874, multicast, port 5 without a header",
  PLAIN, { .ports = P(5) }, MID, "88 74 20 55 aa 75", "", READ },
{ "brcm-legacy-fcs", OUT, "8874, egress, length 100, port 5; the frame's FCS",
  PLAIN, { .ports = P(5) }, MID, "88 74 40 64 00 05", "FCS", BOTH },
{ "brcm-legacy-fcs", IN, "8874, port 5",
  PLAIN, { .ports = P(5) }, MID, "88 74 00 00 00 05", "", BOTH },
{ "brcm-legacy-fcs", IN, "8874, port 5, and a header of VID 0",
  TCI0, { .ports = P(5) }, MID, "88 74 00 00 00 05 81 00 00 00", "", BOTH },

{ "sja1110", OUT, "data: DADB, PCP 5, switch 3, port 9",
  PLAIN, { .ports = P(9), .device = 3, .pcp = 5 }, MID, "da db ac c9", "", BOTH },
{ "sja1110", OUT, "control: DADC, host to switch, trailer at 108, DADB VID 4095 PCP 5; "
  "trailer of priority 5, switch 3, ports 10 and 0",
  MGMT, { .ports = P(10) | P(0), .device = 3, .pcp = 5 }, MID,
  "da dc 88 6c da db af ff", "00 a0 38 02", BOTH },
{ "sja1110", OUT, "data: DADB, VBID 5", PLAIN, { .bridge = 5 }, MID, "da db 0e 10", "", BOTH },
{ "sja1110", IN, "data: DADB, PCP 5, switch 3, port 9",
  VLAN, { .ports = P(9), .device = 3, .pcp = 5 }, MID, "da db ac c9", "", BOTH },
{ "sja1110", IN, "data: DADB, VBID 5", PLAIN, { .bridge = 5 }, MID, "da db 0e 10", "", BOTH },
{ "sja1110", IN, "control: DADC, host only, port 9, switch 3, then the 8021q header",
  MGMT, { .ports = P(9), .device = 3, .pcp = 5, .trap = true }, MID,
  "da dc 20 93 da db ac c9", "", BOTH },
{ "sja1110", IN, "control without the 8021q header",
  MGMT, { .ports = P(9), .device = 3, .trap = true }, MID, "da dc 20 93", "", READ },
{ "sja1110", IN, "control, not only for the host",
  MGMT, { .ports = P(9), .device = 3, .forward = true }, MID, "da dc 00 93", "", READ },

{ "rtl8_4", OUT, "8899, protocol 4, keep and no learning, ports 10 and 0",
  PLAIN, { .ports = P(10) | P(0) }, MID, "88 99 04 00 00 a0 04 01", "", BOTH },
{ "rtl8_4", OUT, "the same of 6.12: without keep",
  PLAIN, { .ports = P(10) | P(0) }, MID, "88 99 04 00 00 20 04 01", "", READ },
{ "rtl8_4", IN, "8899, protocol 4, forwarded, port 9",
  VLAN, { .ports = P(9), .forward = true }, MID, "88 99 04 00 00 00 00 09", "", BOTH },
{ "rtl8_4", IN, "8899, protocol 4, reason 80 (trapped), port 9",
  MGMT, { .ports = P(9), .trap = true }, MID, "88 99 04 50 00 00 00 09", "", BOTH },
{ "rtl8_4", IN, "another reason is a forwarded frame",
  PLAIN, { .ports = P(9), .forward = true }, MID, "88 99 04 07 00 00 00 09", "", READ },
{ "rtl8_4t", OUT, "8899, protocol 4, keep and no learning, ports 10 and 0",
  PLAIN, { .ports = P(10) | P(0) }, MID, "", "88 99 04 00 00 a0 04 01", BOTH },
{ "rtl8_4t", IN, "8899, protocol 4, reason 80 (trapped), port 9",
  MGMT, { .ports = P(9), .trap = true }, MID, "", "88 99 04 50 00 00 00 09", BOTH },

{ "a5psw", OUT, "E001, force forward, ports 3 and 0",
  PLAIN, { .ports = P(3) | P(0) }, MID, "e0 01 00 01 00 00 00 09", "", BOTH },
{ "a5psw", IN, "E001, port 3",
  VLAN, { .ports = P(3) }, MID, "e0 01 00 03 00 00 00 00", "", BOTH },
{ "a5psw", IN, "E001, port 3, and a time stamp that nobody reads",
  PLAIN, { .ports = P(3) }, MID, "e0 01 00 13 12 34 56 78", "", READ },

{ "yt921x", OUT, "9988, priority 5, code 0 valid, ports 10 and 0 valid",
  PLAIN, { .ports = P(10) | P(0), .pcp = 5 }, MID, "99 88 00 00 05 80 84 01", "", BOTH },
{ "yt921x", IN, "9988, port 9 valid, priority 5, code 0 (forward) valid",
  PLAIN, { .ports = P(9), .pcp = 5, .forward = true }, MID, "99 88 00 00 cd 80 00 00", "", BOTH },
{ "yt921x", IN, "9988, port 9, priority 5, code 17 (ACL)",
  MGMT, { .ports = P(9), .pcp = 5, .trap = true }, MID, "99 88 00 00 cd ae 00 00", "", BOTH },
{ "yt921x", IN, "code 19 (unknown unicast)",
  PLAIN, { .ports = P(9), .trap = true }, MID, "99 88 00 00 c8 b2 00 00", "", READ },
{ "yt921x", IN, "code 1a (unknown multicast)",
  PLAIN, { .ports = P(9), .trap = true }, MID, "99 88 00 00 c8 b4 00 00", "", READ },
{ "yt921x", IN, "code 1b (port copy)",
  PLAIN, { .ports = P(9), .forward = true }, MID, "99 88 00 00 c8 b6 00 00", "", READ },
{ "yt921x", IN, "code 1c (FDB copy)",
  PLAIN, { .ports = P(9), .forward = true }, MID, "99 88 00 00 c8 b8 00 00", "", READ },

{ "gsw1xx", OUT, "88C3, map enabled, no learning, ports 7 and 0",
  PLAIN, { .ports = P(7) | P(0) }, MID, "88 c3 90 81 00 00 00 00", "", BOTH },
{ "gsw1xx", IN, "88C3, port 6",
  VLAN, { .ports = P(6) }, MID, "88 c3 06 00 00 00 00 00", "", BOTH },
{ "mxl862xx", OUT, "88C3, sub-interface 3 + 16 - 9, CPU port 9",
  PLAIN, { .ports = P(3) }, MID, "88 c3 00 00 00 0a 00 09", "", BOTH },
{ "mxl862xx", OUT, "the same port beside CPU port 4",
  PLAIN, { .ports = P(3) }, MID, "88 c3 00 00 00 0f 00 04", "", READ },
{ "mxl862xx", IN, "88C3, port 3",
  PLAIN, { .ports = P(3) }, MID, "88 c3 00 00 00 00 00 03", "", BOTH },
{ "nxp_netc", OUT, "FD3A, To_Port, QoS valid, priority 6, port 9, switch 5",
  PLAIN, { .ports = P(9), .device = 5, .pcp = 6 }, MID, "fd 3a 10 19 4d 00", "", BOTH },
{ "nxp_netc", IN, "FD3A, Forward, QoS valid, priority 6, port 9, switch 5",
  VLAN, { .ports = P(9), .device = 5, .pcp = 6, .forward = true }, MID,
  "fd 3a 00 19 4d 00", "", BOTH },
{ "nxp_netc", IN, "FD3A, To_Host, port 9, switch 5",
  MGMT, { .ports = P(9), .device = 5, .trap = true }, MID, "fd 3a 20 01 4d 00", "", BOTH },
{ "nxp_netc", IN, "Forward of a subtype that nobody reads",
  PLAIN, { .ports = P(9), .device = 5, .forward = true }, MID, "fd 3a 03 00 4d 99", "", READ },
{ "nxp_netc", IN, "To_Host, subtype 1: a time stamp",
  PLAIN, { 0 }, MID, "fd 3a 21 01 4d 00 00 00 00 00 00 00 00 00", "", REFUSED },
{ "mt7628", OUT, "TPID 8100 | ports 5 and 2, standalone VID of switch 1, port 2",
  PLAIN, { .ports = P(5) | P(2), .device = 1 }, MID, "81 24 0c 42", "", BOTH },
{ "mt7628", IN, "TPID 8100 | port 3, standalone VID of switch 1",
  PLAIN, { .ports = P(3), .device = 1 }, MID, "81 03 0c 43", "", BOTH },
{ "mt7628", IN, "a VID that nobody reads",
  PLAIN, { .ports = P(3) }, MID, "81 03 00 07", "", READ },
};

#define N_GOLDENS	(sizeof(goldens) / sizeof(goldens[0]))

/* zlib's crc32() of the PLAIN sample, as it goes over the wire */
#define PLAIN_FCS	"54 18 ff bd"

/* -- putting a golden frame together ---------------------------------------- */

static size_t unhex(const char *s, uint8_t *out)
{
	size_t n = 0;
	unsigned int byte;

	for (; *s; s += *s == ' ' ? 1 : 2) {
		if (*s == ' ')
			continue;
		assert_int_equal(sscanf(s, "%2x", &byte), 1);
		out[n++] = byte;
	}
	return n;
}

static size_t make_sample(enum sample kind, uint8_t *out)
{
	static const uint8_t addrs[12] = {
		0x02, 0xa1, 0xa2, 0xa3, 0xa4, 0xa5, 0x02, 0xb1, 0xb2, 0xb3, 0xb4, 0xb5,
	};
	static const uint8_t lldp[6] = { 0x01, 0x80, 0xc2, 0x00, 0x00, 0x0e };
	static const char *const vlan[] = {
		[PLAIN] = "", [MGMT] = "", [VLAN] = "81 00 a1 23", [VLAN_DEI] = "81 00 b1 23",
		[SVLAN] = "88 a8 a1 23", [TCI0] = "81 00 00 00",
	};
	size_t n = 12;
	unsigned int i;

	memcpy(out, addrs, 12);
	if (kind == MGMT)
		memcpy(out, lldp, 6);
	n += unhex(vlan[kind], out + n);
	n += unhex("08 00", out + n);
	for (i = 0; i < 86; i++)
		out[n++] = i * 7 + 3;
	return n;
}

static size_t append(uint8_t *out, size_t n, const uint8_t *bytes, size_t len)
{
	if (len)
		memcpy(out + n, bytes, len);
	return n + len;
}

/* The tagged frame, by plain concatenation. */
static size_t make_tagged(const struct golden *g, uint8_t *out)
{
	uint8_t x[256], head[32], tail[16];
	size_t len = make_sample(g->sample, x), n = 0, from = 0;
	size_t hlen = unhex(g->head, head);
	size_t tlen = unhex(strcmp(g->tail, "FCS") ? g->tail : PLAIN_FCS, tail);

	if (g->where != FRONT) {
		n = append(out, n, x, 12);
		from = 12;
	}
	n = append(out, n, head, hlen);
	if (g->where == FUSED)
		from += 4;
	n = append(out, n, x + from, len - from);
	return append(out, n, tail, tlen);
}

static bool same_meta(const struct tag_meta *a, const struct tag_meta *b)
{
	return a->ports == b->ports && a->vid == b->vid && a->pcp == b->pcp &&
	       a->device == b->device && a->bridge == b->bridge && a->vlan == b->vlan &&
	       a->dei == b->dei && a->forward == b->forward && a->trap == b->trap;
}

static void load(struct frame *f, uint8_t *storage, size_t size, const uint8_t *bytes, size_t len)
{
	frame_init(f, storage, size);
	assert_int_equal(frame_set(f, bytes, len), 0);
}

static bool is_frame(const struct frame *f, const uint8_t *bytes, size_t len)
{
	return f->len == len && !memcmp(f->data, bytes, len);
}

/* NULL, or what about golden @g does not hold for format @f. */
static const char *disagrees(const struct tag_format *f, const struct golden *g)
{
	uint8_t storage[512], x[256], tagged[256];
	size_t len = make_sample(g->sample, x), tlen = make_tagged(g, tagged);
	struct tag_meta back;
	struct frame frame;

	if (g->ways == BOTH) {
		load(&frame, storage, sizeof(storage), x, len);
		if (tag_push(f, g->dir, &g->meta, &frame))
			return "push fails";
		if (!is_frame(&frame, tagged, tlen))
			return "push writes other bytes";
	}
	load(&frame, storage, sizeof(storage), tagged, tlen);
	if (g->ways == REFUSED)
		return tag_pull(f, g->dir, &back, &frame, NULL) ? NULL : "pull takes it";
	if (tag_pull(f, g->dir, &back, &frame, NULL))
		return "pull fails";
	if (!is_frame(&frame, x, len))
		return "pull leaves another frame";
	return same_meta(&back, &g->meta) ? NULL : "pull reads another meaning";
}

/* -- the tests -------------------------------------------------------------- */

/* Is @name there with bytes that are written, in direction @dir? */
static bool has_golden(const char *name, unsigned int dir)
{
	size_t i;

	for (i = 0; i < N_GOLDENS; i++)
		if (goldens[i].dir == (enum tag_dir)dir && goldens[i].ways == BOTH &&
		    !strcmp(goldens[i].format, name))
			return true;
	return false;
}

static void golden_bytes(void **state)
{
	unsigned int bad = 0;
	const char *why;
	size_t i;

	(void)state;
	for (i = 0; i < N_GOLDENS; i++) {
		assert_non_null(tag_by_name(goldens[i].format));
		why = disagrees(tag_by_name(goldens[i].format), &goldens[i]);
		if (!why)
			continue;
		bad++;
		print_error("%s: %s: %s\n", goldens[i].format, goldens[i].says, why);
	}
	assert_int_equal(bad, 0);
	for (i = 0; i < tag_count(); i++)
		assert_true(has_golden(tag_name(tag_at(i)), 0) && has_golden(tag_name(tag_at(i)), 1));
}

/* The mover that interprets tables, which the test of the test uses, agrees. */
static void golden_bytes_interpreted(void **state)
{
	struct tag_format f;
	size_t i;

	(void)state;
	for (i = 0; i < N_GOLDENS; i++) {
		f = tag_interpret(tag_by_name(goldens[i].format)->spec);
		assert_null(disagrees(&f, &goldens[i]));
	}
}

/* Length of a 20-byte frame, tagged: padded where the kernel or the switch pads. */
static const struct {
	const char *format;
	size_t len[2];
} padded[] = {
	{ "none", { 20, 20 } },
	/* needed_tailroom: dsa_user_xmit() pads to 60 before the tag */
	{ "trailer", { 64, 64 } }, { "ksz8795", { 61, 61 } }, { "ksz9477", { 62, 61 } },
	{ "ksz9893", { 61, 61 } }, { "ksz8463", { 61, 61 } }, { "lan937x", { 62, 61 } },
	{ "hellcreek", { 61, 61 } }, { "xrs700x", { 61, 61 } }, { "rtl8_4t", { 68, 68 } },
	{ "sja1110", { 64, 24 } },
	/* the tagger itself pads: to 60, and to 60 and the tag */
	{ "a5psw", { 68, 28 } }, { "rtl4a", { 64, 24 } },
	{ "brcm", { 68, 24 } }, { "brcm-prepend", { 68, 24 } },
	{ "brcm-legacy", { 72, 30 } }, { "brcm-legacy-fcs", { 76, 26 } },
	/* nobody pads */
	{ "dsa", { 24, 24 } }, { "edsa", { 28, 28 } }, { "gswip", { 24, 28 } },
	{ "lan9303", { 24, 24 } }, { "mtk", { 24, 24 } }, { "qca", { 22, 22 } },
	{ "sja1105", { 24, 24 } }, { "ocelot", { 40, 40 } }, { "ar9331", { 22, 22 } },
	{ "ocelot-8021q", { 24, 24 } }, { "seville", { 40, 40 } },
	{ "rtl8_4", { 28, 28 } }, { "vsc73xx-8021q", { 24, 24 } },
	{ "yt921x", { 28, 28 } }, { "gsw1xx", { 28, 28 } }, { "mxl862xx", { 28, 28 } },
	{ "nxp_netc", { 26, 26 } }, { "mt7628", { 24, 24 } },
};

static void padding(void **state)
{
	struct tag_meta meta = { .ports = 1, .device = 1 };
	uint8_t storage[512], x[256];
	struct frame frame;
	size_t i;
	int dir;

	(void)state;
	assert_int_equal(sizeof(padded) / sizeof(padded[0]), tag_count());
	make_sample(PLAIN, x);
	for (i = 0; i < tag_count(); i++)
		for (dir = 0; dir < 2; dir++) {
			memset(storage, 0xee, sizeof(storage));
			load(&frame, storage, sizeof(storage), x, 20);
			assert_int_equal(tag_push(tag_by_name(padded[i].format), dir, &meta,
						  &frame), 0);
			if (frame.len != padded[i].len[dir])
				fail_msg("%s: %zu bytes, expected %zu", padded[i].format, frame.len,
					 padded[i].len[dir]);
		}
}

/* -- the test of the test ---------------------------------------------------- */

/* Changes one row: what it says (constants), or where its value is (the rest). */
static void mutate(struct tag_field *fd)
{
	if (fd->what == TV_CONST || fd->what == TV_FILL)
		fd->value ^= 1;
	else if (fd->width > 1)
		fd->width--;		/* keeps its top bit, and drops the lowest */
	else
		fd->what = TV_FILL;	/* a flag that says nothing */
}

/* @spec with row @row of one layout changed; false when there is no such row. */
static bool mutant(const struct tag_spec *spec, int dir, unsigned int layout, unsigned int row,
		   struct tag_format *out)
{
	static struct tag_field rows[TAG_MAX_FIELDS];
	static struct tag_layout changed;
	static struct tag_spec copy;

	copy = *spec;
	changed = *spec->layout[dir][layout];
	if (row > changed.nfields || (row == changed.nfields && !changed.etype))
		return false;
	if (changed.nfields)
		memcpy(rows, changed.fields, changed.nfields * sizeof(rows[0]));
	if (row == changed.nfields)
		changed.etype ^= 1;
	else
		mutate(&rows[row]);
	changed.fields = rows;
	copy.layout[dir][layout] = &changed;
	assert_null(tag_check(&copy));
	*out = tag_interpret(&copy);
	return true;
}

static bool caught(const struct tag_format *f, int dir)
{
	size_t i;

	for (i = 0; i < N_GOLDENS; i++)
		if (goldens[i].dir == (enum tag_dir)dir &&
		    !strcmp(goldens[i].format, tag_name(f)) && disagrees(f, &goldens[i]))
			return true;
	return false;
}

static const char *row_name(const struct tag_layout *l, unsigned int row)
{
	return row < l->nfields ? l->fields[row].name : "ethertype";
}

/* Rows whose constant nobody reads and whose layout is never written. */
static bool reads_nothing(const struct tag_layout *l, unsigned int row)
{
	return !strcmp(row_name(l, row), "time");
}

/* Changes each row of one layout; counts them in *@rows, returns those that pass. */
static unsigned int missed_rows(const struct tag_spec *spec, int dir, unsigned int layout,
				unsigned int *rows)
{
	const struct tag_layout *l = spec->layout[dir][layout];
	static struct tag_format f;
	unsigned int row, missed = 0;

	for (row = 0; mutant(spec, dir, layout, row, &f); row++) {
		++*rows;
		if (caught(&f, dir) || reads_nothing(l, row))
			continue;
		missed++;
		print_error("%s, direction %d, layout %u: a wrong %s passes\n", spec->name, dir,
			    layout, row_name(l, row));
	}
	return missed;
}

static void every_changed_row_is_caught(void **state)
{
	unsigned int layout, dir, rows = 0, missed = 0;
	size_t i;

	(void)state;
	for (i = 0; i < tag_count(); i++)
		for (dir = 0; dir < 2; dir++)
			for (layout = 0; layout < TAG_VARIANTS &&
			     tag_at(i)->spec->layout[dir][layout]; layout++)
				missed += missed_rows(tag_at(i)->spec, dir, layout, &rows);
	print_message("# %u rows changed, %u missed\n", rows, missed);
	assert_true(rows > 300);
	assert_int_equal(missed, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(golden_bytes),
		cmocka_unit_test(golden_bytes_interpreted),
		cmocka_unit_test(padding),
		cmocka_unit_test(every_changed_row_is_caught),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
