/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Microchip's tail tags to the CPU, as ksz9477_rcv() of net/dsa/tag_ksz.c
 * reads them for ksz9477, ksz9893 and lan937x: one byte, the port number in its
 * low bits.  With bit 7 a receive time stamp of four bytes is before it: that
 * layout is read, and never written, since whether a port stamps is a state of
 * the switch.
 *
 * From the CPU, meta.trap is the "override" bit (send whatever the port's
 * state), which the kernel sets for link-local addresses.
 *
 * Not modelled: the four bytes of time that a CPU adds once time stamping is
 * on (nothing in the frame says so).
 */
#ifndef TAGRIG_TAG_FAMILY_KSZ_H
#define TAGRIG_TAG_FAMILY_KSZ_H

#include "format.h"

extern const struct tag_layout tag_ksz_to_cpu;
extern const struct tag_layout tag_ksz_to_cpu_stamped;

#endif
