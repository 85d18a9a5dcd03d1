/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What differs between the kernels that dsa_rig builds for (6.1 to 7.3), and
 * nothing else: dsa_rig.c itself has no version in it.
 */
#ifndef DSA_RIG_COMPAT_H
#define DSA_RIG_COMPAT_H

#include <linux/version.h>

/*
 * struct platform_driver: remove() returned int; a remove_new() without one
 * stood beside it until 6.11, when remove() itself became void.
 */
#if LINUX_VERSION_CODE < KERNEL_VERSION(6, 11, 0)
#define RIG_REMOVE remove_new
#else
#define RIG_REMOVE remove
#endif

/*
 * Protocols that came later than 6.1: the enum cannot be asked, but each value
 * has a macro.  One that a kernel lacks gets a number that no tagger has.
 */
#define RIG_NO_PROTO 0xffff

#ifndef DSA_TAG_PROTO_BRCM_LEGACY_FCS_VALUE
#define DSA_TAG_PROTO_BRCM_LEGACY_FCS	RIG_NO_PROTO
#endif
#ifndef DSA_TAG_PROTO_KSZ8463_VALUE
#define DSA_TAG_PROTO_KSZ8463		RIG_NO_PROTO
#endif
#ifndef DSA_TAG_PROTO_LAN937X_VALUE
#define DSA_TAG_PROTO_LAN937X		RIG_NO_PROTO
#endif
#ifndef DSA_TAG_PROTO_MT7628_VALUE
#define DSA_TAG_PROTO_MT7628		RIG_NO_PROTO
#endif
#ifndef DSA_TAG_PROTO_MXL862_VALUE
#define DSA_TAG_PROTO_MXL862		RIG_NO_PROTO
#endif
#ifndef DSA_TAG_PROTO_MXL_GSW1XX_VALUE
#define DSA_TAG_PROTO_MXL_GSW1XX	RIG_NO_PROTO
#endif
#ifndef DSA_TAG_PROTO_NETC_VALUE
#define DSA_TAG_PROTO_NETC		RIG_NO_PROTO
#endif
#ifndef DSA_TAG_PROTO_VSC73XX_8021Q_VALUE
#define DSA_TAG_PROTO_VSC73XX_8021Q	RIG_NO_PROTO
#endif
#ifndef DSA_TAG_PROTO_YT921X_VALUE
#define DSA_TAG_PROTO_YT921X		RIG_NO_PROTO
#endif

#endif
