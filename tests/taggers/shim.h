/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * As much of the kernel, in user space, as net/dsa/tag_*.c needs: a linear
 * sk_buff in a buffer of its own, one switch tree, and nothing behind the rest.
 *
 * It stands in for every header that those files include.  What the tests do
 * not reach (PTP, deferred transmission, VLAN-aware bridges, HSR) compiles and
 * answers "no".  Names and meanings are the kernel's; the code is not.
 */
#ifndef TAGRIG_TAGGERS_SHIM_H
#define TAGRIG_TAGGERS_SHIM_H

#define _GNU_SOURCE
#include <errno.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

typedef uint8_t u8;
typedef uint16_t u16, __be16, __le16;
typedef uint32_t u32, __be32, __le32, __wsum;
typedef uint64_t u64, __be64;
typedef int8_t s8;
typedef int64_t s64, ktime_t;
typedef struct { int counter; } refcount_t;
typedef struct { int lock; } spinlock_t;
struct mutex { int lock; };
struct module;
struct packet_type;
struct kthread_work { int unused; };
struct kthread_worker { int unused; };
struct device { int unused; };
struct list_head { struct list_head *next, *prev; };

#define ARRAY_SIZE(a)	(sizeof(a) / sizeof((a)[0]))
#define __packed	__attribute__((packed))
#define likely(x)	(x)
#define unlikely(x)	(x)
#define BIT(n)		(1UL << (n))
#define BIT_ULL(n)	(1ULL << (n))
#define GENMASK(h, l)	((~0UL << (l)) & (~0UL >> (63 - (h))))
#define FIELD_PREP(mask, v)	(((u64)(v) << __builtin_ctzl(mask)) & (mask))
#define FIELD_GET(mask, v)	(((v) & (mask)) >> __builtin_ctzl(mask))
#define container_of(p, type, member)	((type *)((char *)(p) - offsetof(type, member)))
#define list_for_each_entry(p, head, member)					\
	for (p = container_of((head)->next, typeof(*p), member);		\
	     &p->member != (head);						\
	     p = container_of(p->member.next, typeof(*p), member))

#define IS_ENABLED(option)	(option)
#define CONFIG_HSR		0
#define CONFIG_NET_DSA_TAG_BRCM		1
#define CONFIG_NET_DSA_TAG_BRCM_LEGACY	1
#define CONFIG_NET_DSA_TAG_BRCM_LEGACY_FCS	1
#define CONFIG_NET_DSA_TAG_BRCM_PREPEND	1
#define CONFIG_NET_DSA_TAG_DSA		1
#define CONFIG_NET_DSA_TAG_EDSA		1

#define BUILD_BUG_ON(x)
#define BUG_ON(x)
#define WARN_ON(x)	(x)
#define WARN_ONCE(x, ...)	(x)
#define EXPORT_SYMBOL_GPL(x)
#define MODULE_LICENSE(x)
#define MODULE_DESCRIPTION(x)
#define MODULE_ALIAS(x)
#define THIS_MODULE	NULL
#define __stringify(x)	#x
#define __init
#define __exit
#define module_init(fn)	static void __attribute__((constructor)) run_##fn(void) { fn(); }
#define module_exit(fn)	static void __attribute__((unused)) never_##fn(void) { fn(); }

/* -- byte order, little-endian hosts ---------------------------------------- */

#define htons(x)	((u16)__builtin_bswap16(x))
#define ntohs(x)	((u16)__builtin_bswap16(x))
#define cpu_to_be16(x)	((u16)__builtin_bswap16(x))
#define cpu_to_be32(x)	((u32)__builtin_bswap32(x))
#define be64_to_cpu(x)	((u64)__builtin_bswap64(x))
#define cpu_to_le16(x)	(x)
#define le16_to_cpu(x)	(x)
#define cpu_to_le32(x)	(x)

static inline u32 get_unaligned_be32(const void *p)
{
	u32 v;

	memcpy(&v, p, 4);
	return __builtin_bswap32(v);
}

static inline u64 get_unaligned_be64(const void *p)
{
	u64 v;

	memcpy(&v, p, 8);
	return __builtin_bswap64(v);
}

static inline void put_unaligned_be16(u16 v, void *p)
{
	v = __builtin_bswap16(v);
	memcpy(p, &v, 2);
}

static inline void put_unaligned_be32(u32 v, void *p)
{
	v = __builtin_bswap32(v);
	memcpy(p, &v, 4);
}

enum packing_op { PACK, UNPACK };

/* Bits @hi..@lo of the big-endian number of @n bytes at @buf, bit by bit. */
static inline int packing(void *buf, u64 *v, int hi, int lo, size_t n, enum packing_op op,
			  u8 quirks)
{
	int bit;
	u8 *byte, mask;

	if (op == UNPACK)
		*v = 0;
	for (bit = lo; bit <= hi; bit++) {
		byte = (u8 *)buf + n - 1 - bit / 8;
		mask = 1 << bit % 8;
		if (op == UNPACK)
			*v |= (u64)!!(*byte & mask) << (bit - lo);
		else
			*byte = (*byte & ~mask) | (*v >> (bit - lo) & 1 ? mask : 0);
	}
	return 0;
}

static inline u32 crc32_le(u32 crc, const u8 *p, size_t len)
{
	int i;

	while (len--)
		for (crc ^= *p++, i = 0; i < 8; i++)
			crc = crc >> 1 ^ (crc & 1 ? 0xedb88320 : 0);
	return crc;
}

/* -- Ethernet --------------------------------------------------------------- */

#define ETH_ALEN		6
#define ETH_HLEN		14
#define ETH_ZLEN		60
#define ETH_FCS_LEN		4
#define VLAN_HLEN		4
#define VLAN_N_VID		4096
#define VLAN_VID_MASK		0x0fff
#define VLAN_PRIO_MASK		0xe000
#define VLAN_PRIO_SHIFT		13
#define ETH_P_8021Q		0x8100
#define ETH_P_8021AD		0x88a8
#define ETH_P_REALTEK		0x8899
#define ETH_P_MXLGSW		0x88c3
#define ETH_P_YT921X		0x9988
#define ETH_P_EDSA		0xdada
#define ETH_P_DSA_8021Q		0xdadb
#define ETH_P_NXP_NETC		0xfd3a
#define NETIF_F_HW_HSR_DUP	1

struct ethhdr {
	u8 h_dest[ETH_ALEN], h_source[ETH_ALEN];
	__be16 h_proto;
} __packed;

struct vlan_ethhdr {
	u8 h_dest[ETH_ALEN], h_source[ETH_ALEN];
	__be16 h_vlan_proto, h_vlan_TCI, h_vlan_encapsulated_proto;
} __packed;

static inline bool is_link_local_ether_addr(const u8 *addr)
{
	static const u8 base[5] = { 0x01, 0x80, 0xc2, 0x00, 0x00 };

	return !memcmp(addr, base, sizeof(base)) && addr[5] < 0x10;
}

static inline bool is_multicast_ether_addr(const u8 *addr)
{
	return addr[0] & 1;
}

static inline u64 ether_addr_to_u64(const u8 *addr)
{
	u64 v = 0;
	int i;

	for (i = 0; i < ETH_ALEN; i++)
		v = v << 8 | addr[i];
	return v;
}

/* -- DSA's structures -------------------------------------------------------- */

struct sk_buff;
struct net_device;
struct dsa_switch;

/* Only those that the taggers name; compare.c checks the numbers. */
enum dsa_tag_protocol {
	DSA_TAG_PROTO_NONE = 0, DSA_TAG_PROTO_BRCM = 1, DSA_TAG_PROTO_BRCM_PREPEND = 2,
	DSA_TAG_PROTO_DSA = 3, DSA_TAG_PROTO_EDSA = 4, DSA_TAG_PROTO_GSWIP = 5,
	DSA_TAG_PROTO_KSZ9477 = 6, DSA_TAG_PROTO_KSZ9893 = 7, DSA_TAG_PROTO_LAN9303 = 8,
	DSA_TAG_PROTO_MTK = 9, DSA_TAG_PROTO_QCA = 10, DSA_TAG_PROTO_TRAILER = 11,
	DSA_TAG_PROTO_SJA1105 = 13, DSA_TAG_PROTO_KSZ8795 = 14, DSA_TAG_PROTO_OCELOT = 15,
	DSA_TAG_PROTO_AR9331 = 16, DSA_TAG_PROTO_RTL4_A = 17, DSA_TAG_PROTO_HELLCREEK = 18,
	DSA_TAG_PROTO_XRS700X = 19, DSA_TAG_PROTO_OCELOT_8021Q = 20,
	DSA_TAG_PROTO_SEVILLE = 21, DSA_TAG_PROTO_BRCM_LEGACY = 22,
	DSA_TAG_PROTO_SJA1110 = 23, DSA_TAG_PROTO_RTL8_4 = 24, DSA_TAG_PROTO_RTL8_4T = 25,
	DSA_TAG_PROTO_RZN1_A5PSW = 26, DSA_TAG_PROTO_LAN937X = 27,
	DSA_TAG_PROTO_VSC73XX_8021Q = 28, DSA_TAG_PROTO_BRCM_LEGACY_FCS = 29,
	DSA_TAG_PROTO_YT921X = 30, DSA_TAG_PROTO_MXL_GSW1XX = 31, DSA_TAG_PROTO_MXL862 = 32,
	DSA_TAG_PROTO_NETC = 33, DSA_TAG_PROTO_KSZ8463 = 34, DSA_TAG_PROTO_MT7628 = 35,
};

enum { DSA_PORT_TYPE_CPU = 1, DSA_PORT_TYPE_USER = 3 };
enum { BR_STATE_LEARNING = 2, BR_STATE_FORWARDING = 3 };

struct dsa_device_ops {
	const char *name;
	enum dsa_tag_protocol proto;
	unsigned int needed_headroom, needed_tailroom;
	bool promisc_on_conduit;
	struct sk_buff *(*xmit)(struct sk_buff *skb, struct net_device *dev);
	struct sk_buff *(*rcv)(struct sk_buff *skb, struct net_device *dev);
	void (*flow_dissect)(const struct sk_buff *skb, __be16 *proto, int *offset);
	int (*connect)(struct dsa_switch *ds);
	void (*disconnect)(struct dsa_switch *ds);
};

struct dsa_bridge {
	struct net_device *dev;
	unsigned int num;
};

struct dsa_lag {
	struct net_device *dev;
};

struct dsa_switch_tree {
	struct list_head ports;
	int index, last_switch;
	const struct dsa_device_ops *tag_ops;
};

struct dsa_switch {
	struct device *dev;
	int index;
	unsigned int num_ports;
	struct dsa_switch_tree *dst;
	void *priv, *tagger_data;
	bool untag_bridge_pvid, untag_vlan_aware_bridge_pvid;
};

struct dsa_port {
	struct list_head list;
	int index, type, stp_state;
	struct dsa_switch *ds;
	struct dsa_switch_tree *dst;
	struct net_device *user;
	struct dsa_port *cpu_dp;
	struct dsa_bridge *bridge;
	struct net_device *hsr_dev;
};

struct net_device {
	struct dsa_port *dsa_ptr;	/* of a conduit: the CPU port */
	struct dsa_port *dp;		/* of a user port */
	struct device dev;
	u64 features;
	int tc;
	const char *name;
};

struct bridge_vlan_info { int unused; };

#define dsa_tree_for_each_user_port(dp, dst)					\
	list_for_each_entry(dp, &(dst)->ports, list)				\
		if ((dp)->type == DSA_PORT_TYPE_USER)
#define dsa_switch_for_each_port(dp, ds)	list_for_each_entry(dp, &(ds)->dst->ports, list)
#define dsa_hsr_foreach_port(dp, ds, hsr)	dsa_switch_for_each_port(dp, ds)

static inline struct dsa_port *dsa_user_to_port(const struct net_device *dev)
{
	return dev->dp;
}

static inline struct net_device *dsa_port_bridge_dev_get(const struct dsa_port *dp)
{
	return dp->bridge ? dp->bridge->dev : NULL;
}

static inline unsigned int dsa_port_bridge_num_get(struct dsa_port *dp)
{
	return dp->bridge ? dp->bridge->num : 0;
}

static inline int br_vlan_get_proto(const struct net_device *br, u16 *proto)
{
	*proto = ETH_P_8021Q;
	return 0;
}

#define dsa_port_is_vlan_filtering(dp)		false
#define dsa_lag_by_id(dst, id)			((struct dsa_lag *)NULL)
#define dsa_switch_find(tree, sw)		((struct dsa_switch *)NULL)
#define br_vlan_enabled(br)			false
#define br_vlan_get_info_rcu(dev, vid, info)	(-ENOENT)
#define br_vlan_get_pvid_rcu(dev, pvid)		(*(pvid) = 1, 0)
#define __vlan_find_dev_deep_rcu(br, proto, vid) ((struct net_device *)NULL)
#define rcu_read_lock()
#define rcu_read_unlock()
#define netdev_txq_to_tc(dev, queue)		((dev)->tc)
#define netdev_get_num_tc(dev)			0
#define netdev_get_prio_tc_map(dev, prio)	0
#define dsa_tag_generic_flow_dissect(skb, proto, offset)

/* -- sk_buff ------------------------------------------------------------------ */

#define SHIM_HEADROOM	256
#define SHIM_STORAGE	4096

enum { CHECKSUM_NONE, CHECKSUM_UNNECESSARY, CHECKSUM_COMPLETE, CHECKSUM_PARTIAL };

struct sk_buff {
	u8 *data, *mac_header;
	unsigned int len;
	struct net_device *dev;
	__be16 protocol, vlan_proto;
	u16 vlan_tci, queue_mapping;
	u32 priority;
	__wsum csum;
	u8 ip_summed;
	bool offload_fwd_mark, vlan_present, freed;
	char cb[48] __attribute__((aligned(8)));
	u8 storage[SHIM_STORAGE];
};

static inline void *skb_push(struct sk_buff *skb, unsigned int len)
{
	skb->data -= len;
	skb->len += len;
	if (skb->data < skb->storage)
		abort();
	return skb->data;
}

static inline void *skb_pull(struct sk_buff *skb, unsigned int len)
{
	if (len > skb->len)
		abort();
	skb->data += len;
	skb->len -= len;
	return skb->data;
}

static inline void *skb_put(struct sk_buff *skb, unsigned int len)
{
	void *tail = skb->data + skb->len;

	skb->len += len;
	if (skb->data + skb->len > skb->storage + sizeof(skb->storage))
		abort();
	return tail;
}

static inline int skb_put_padto(struct sk_buff *skb, unsigned int len)
{
	unsigned int n = skb->len < len ? len - skb->len : 0;

	memset(skb_put(skb, n), 0, n);
	return 0;
}

static inline int pskb_trim_rcsum(struct sk_buff *skb, unsigned int len)
{
	if (len > skb->len)
		abort();
	skb->len = len;
	return 0;
}

static inline void kfree_skb(struct sk_buff *skb)
{
	skb->freed = true;
}

/* As __skb_vlan_pop(): the header behind the MAC addresses, which move up. */
static inline int __skb_vlan_pop(struct sk_buff *skb, u16 *tci)
{
	*tci = skb->data[14] << 8 | skb->data[15];
	memmove(skb->data + VLAN_HLEN, skb->data, 2 * ETH_ALEN);
	skb_pull(skb, VLAN_HLEN);
	skb->mac_header += VLAN_HLEN;
	return 0;
}

static inline struct sk_buff *vlan_insert_tag(struct sk_buff *skb, __be16 proto, u16 tci)
{
	skb_push(skb, VLAN_HLEN);
	memmove(skb->data, skb->data + VLAN_HLEN, 2 * ETH_ALEN);
	memcpy(skb->data + 12, &proto, 2);
	put_unaligned_be16(tci, skb->data + 14);
	return skb;
}

static inline void __vlan_hwaccel_put_tag(struct sk_buff *skb, __be16 proto, u16 tci)
{
	skb->vlan_present = true;
	skb->vlan_proto = proto;
	skb->vlan_tci = tci;
}

#define __skb_push			skb_push
#define __skb_pull			skb_pull
#define skb_push_rcsum			skb_push
#define skb_pull_rcsum			skb_pull
#define skb_postpull_rcsum(skb, start, len)
#define skb_put_data(skb, p, n)		memcpy(skb_put(skb, n), p, n)
#define __skb_put_padto(skb, len, free)	skb_put_padto(skb, len)
#define eth_skb_pad(skb)		skb_put_padto(skb, ETH_ZLEN)
#define skb_pad(skb, n)			0
#define skb_get(skb)			(skb)
#define skb_linearize(skb)		0
#define skb_checksum_help(skb)		0
#define pskb_may_pull(skb, n)		((skb)->len >= (n))
#define skb_tail_pointer(skb)		((skb)->data + (skb)->len)
#define skb_mac_header(skb)		((skb)->mac_header)
#define skb_reset_mac_header(skb)	((skb)->mac_header = (skb)->data)
#define skb_set_mac_header(skb, off)	((skb)->mac_header = (skb)->data + (off))
#define skb_reset_mac_len(skb)
#define eth_hdr(skb)			((struct ethhdr *)(skb)->mac_header)
#define vlan_eth_hdr(skb)		((struct vlan_ethhdr *)(skb)->mac_header)
#define skb_eth_hdr(skb)		((struct ethhdr *)(skb)->data)
#define skb_vlan_eth_hdr(skb)		((struct vlan_ethhdr *)(skb)->data)
#define skb_get_queue_mapping(skb)	((skb)->queue_mapping)
#define skb_set_queue_mapping(skb, q)	((void)(q))
#define skb_vlan_tag_present(skb)	((skb)->vlan_present)
#define skb_vlan_tag_get(skb)		((skb)->vlan_tci)
#define skb_vlan_tag_get_id(skb)	((skb)->vlan_tci & VLAN_VID_MASK)
#define skb_vlan_untag(skb)		(skb)
#define vlan_remove_tag(skb, tci)	(*(tci) = 0)
#define __vlan_hwaccel_clear_tag(skb)	((skb)->vlan_present = false)
#define __vlan_hwaccel_push_inside(skb)	(skb)
#define csum_partial(p, len, sum)	0
#define csum_add(a, b)			0
#define csum_sub(a, b)			0

/* -- what is called and has no effect here ------------------------------------ */

#define NSEC_PER_SEC		1000000000ull
#define GFP_ATOMIC		0
#define GFP_KERNEL		0
#define kzalloc(size, gfp)	calloc(1, size)
#define kzalloc_obj(x, ...)	calloc(1, sizeof(x))
#define kfree(p)		free(p)
#define IS_ERR(p)		0
#define PTR_ERR(p)		0
#define spin_lock(lock)
#define spin_unlock(lock)
#define spin_lock_init(lock)
#define kthread_run_worker(flags, ...)		((struct kthread_worker *)calloc(1, 4))
#define kthread_create_worker(flags, ...)	((struct kthread_worker *)calloc(1, 4))
#define kthread_destroy_worker(worker)
#define kthread_init_work(work, fn)
#define kthread_queue_work(worker, work)
#define netdev_dbg(...)
#define netdev_err(...)
#define netdev_warn(...)
#define netdev_warn_once(...)
#define dev_warn_ratelimited(...)
#define dev_err_ratelimited(...)
#define net_err_ratelimited(...)

#define test_bit(n, word)	(*(word) >> (n) & 1)
#define set_bit(n, word)	(*(word) |= 1UL << (n))
#define clear_bit(n, word)	(*(word) &= ~(1UL << (n)))

struct timespec64 {
	s64 tv_sec;
	long tv_nsec;
};

struct ptp_header {
	u64 correction;
	u32 reserved2;
};

#define PTP_CLASS_NONE			0
#define ns_to_ktime(ns)			(ns)
#define ns_to_timespec64(ns)		((struct timespec64) { 0 })
#define ptp_classify_raw(skb)		PTP_CLASS_NONE
#define ptp_parse_header(skb, type)	((struct ptp_header *)NULL)
#define ptp_header_update_correction(skb, type, hdr, correction)

#endif
