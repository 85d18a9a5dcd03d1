/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The receive-side scaling hash of a DesignWare XGMAC.
 *
 * Plain C without QEMU.
 */
#ifndef HW_NET_DWMAC_RSS_H
#define HW_NET_DWMAC_RSS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define DWMAC_RSS_KEY_LEN 40
#define DWMAC_RSS_TABLE   256

/* What is hashed: the bits of XGMAC_RSS_CTRL, one place lower. */
enum {
    DWMAC_RSS_IP  = 1 << 0,
    DWMAC_RSS_TCP = 1 << 1, /* with ports */
    DWMAC_RSS_UDP = 1 << 2,
};

/**
 * dwmac_rss_hash: the Toeplitz hash of a frame
 * @key: DWMAC_RSS_KEY_LEN bytes, the first byte shifts out first
 * @kinds: DWMAC_RSS_*, which frames have a hash
 * @f: the frame
 * @len: its length in bytes
 * @hash: the result
 *
 * Returns: false if the frame has none.
 */
bool dwmac_rss_hash(const uint8_t *key, unsigned kinds, const uint8_t *f,
                    size_t len, uint32_t *hash);

#endif
