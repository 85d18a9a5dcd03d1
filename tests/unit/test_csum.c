// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Checksums: the example of RFC 1071, every length and alignment against a sum
 * taken two bytes at a time, pieces at odd offsets, sums that need more than
 * one carry, pseudo headers, and CRC32c against the vectors of RFC 3720 B.4.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "net/csum.h"

/* RFC 1071 as it stands: big-endian 16-bit words, carries folded at the end. */
static uint16_t reference(const uint8_t *p, size_t len)
{
	uint64_t sum = 0;

	for (size_t i = 0; i + 1 < len; i += 2)
		sum += p[i] << 8 | p[i + 1];
	if (len & 1)
		sum += p[len - 1] << 8;
	while (sum >> 16)
		sum = (sum & 0xffff) + (sum >> 16);
	return sum;
}

static void fill_random(uint8_t *p, size_t len, unsigned int seed)
{
	for (size_t i = 0; i < len; i++)
		p[i] = rand_r(&seed) >> 8;
}

static void rfc1071_example(void **state)
{
	static const uint8_t bytes[] = {
		0x00, 0x01, 0xf2, 0x03, 0xf4, 0xf5, 0xf6, 0xf7,
	};

	(void)state;
	assert_int_equal(csum_fold(csum_partial(bytes, 8, 0)), 0xddf2);
	assert_int_equal(csum_finish(csum_partial(bytes, 8, 0)), 0x220d);
}

static void ip_header_example(void **state)
{
	/* A header whose checksum is 0xb861. */
	static const uint8_t header[20] = {
		0x45, 0x00, 0x00, 0x73, 0x00, 0x00, 0x40, 0x00, 0x40, 0x11,
		0x00, 0x00, 0xc0, 0xa8, 0x00, 0x01, 0xc0, 0xa8, 0x00, 0xc7,
	};

	(void)state;
	assert_int_equal(csum_finish(csum_partial(header, 20, 0)), 0xb861);
}

static void every_length_and_alignment(void **state)
{
	uint8_t buf[700];

	(void)state;
	fill_random(buf, sizeof(buf), 1);
	for (size_t at = 0; at < 33; at++) {
		for (size_t len = 0; len < sizeof(buf) - at; len++) {
			uint16_t want = reference(buf + at, len);

			assert_true(csum_same(want,
				csum_fold(csum_partial(buf + at, len, 0))));
			assert_true(csum_same(want,
				csum_fold(csum_partial_portable(buf + at, len, 0))));
		}
	}
}

/* All ones makes every addition carry; long enough for several chunks. */
static void carries_are_kept(void **state)
{
	size_t len = (3u << 20) + 5;
	uint8_t *buf = malloc(len);

	(void)state;
	assert_non_null(buf);
	memset(buf, 0xff, len);
	assert_int_equal(csum_fold(csum_partial(buf, len, 0)), reference(buf, len));
	assert_int_equal(csum_fold(csum_partial(buf, len, UINT64_MAX)),
			 reference(buf, len));
	fill_random(buf, len, 2);
	assert_int_equal(csum_fold(csum_partial(buf, len, 0)), reference(buf, len));
	assert_int_equal(csum_fold(csum_partial_portable(buf, len, 0)),
			 reference(buf, len));
	free(buf);
}

static void pieces_add_up(void **state)
{
	uint8_t buf[300];

	(void)state;
	fill_random(buf, sizeof(buf), 3);
	for (size_t cut = 0; cut <= sizeof(buf); cut++) {
		uint64_t head = csum_partial(buf, cut, 0);
		uint64_t tail = csum_partial(buf + cut, sizeof(buf) - cut, 0);

		if (cut & 1)
			tail = csum_shift(tail);
		assert_int_equal(csum_fold(csum_add(head, tail)),
				 reference(buf, sizeof(buf)));
	}
}

static void zero_has_two_forms(void **state)
{
	(void)state;
	assert_true(csum_same(0, 0xffff));
	assert_true(csum_same(0xffff, 0));
	assert_true(csum_same(0x1234, 0x1234));
	assert_false(csum_same(0x1234, 0xedcb));
	assert_false(csum_same(0, 1));
}

static void pseudo_headers(void **state)
{
	static const uint8_t v4[12] = {
		192, 0, 2, 1, 192, 0, 2, 2, 0, 17, 0x05, 0xc8,
	};
	uint8_t v6[40] = { 0 };

	(void)state;
	assert_int_equal(csum_fold(csum_pseudo(v4, v4 + 4, 4, 17, 0x5c8)),
			 reference(v4, sizeof(v4)));

	fill_random(v6, 32, 4);
	v6[32] = 0x00;
	v6[33] = 0x01;		/* a length that needs more than 16 bits */
	v6[34] = 0x02;
	v6[35] = 0x03;
	v6[39] = 58;
	assert_int_equal(csum_fold(csum_pseudo(v6, v6 + 16, 16, 58, 0x10203)),
			 reference(v6, sizeof(v6)));
}

static uint32_t crc_of(const uint8_t *p, size_t len)
{
	uint32_t crc = ~crc32c(~0u, p, len);

	assert_int_equal(crc, (uint32_t)~crc32c_portable(~0u, p, len));
	return crc;
}

static void crc32c_vectors(void **state)
{
	uint8_t buf[32];

	(void)state;
	memset(buf, 0, 32);
	assert_int_equal(crc_of(buf, 32), 0x8a9136aa);
	memset(buf, 0xff, 32);
	assert_int_equal(crc_of(buf, 32), 0x62a8ab43);
	for (int i = 0; i < 32; i++)
		buf[i] = i;
	assert_int_equal(crc_of(buf, 32), 0x46dd794e);
	for (int i = 0; i < 32; i++)
		buf[i] = 31 - i;
	assert_int_equal(crc_of(buf, 32), 0x113fdb5c);
	assert_int_equal(crc_of((const uint8_t *)"123456789", 9), 0xe3069283);
}

static void crc32c_goes_on(void **state)
{
	uint8_t buf[101];

	(void)state;
	fill_random(buf, sizeof(buf), 5);
	for (size_t cut = 0; cut <= sizeof(buf); cut++)
		assert_int_equal(crc32c(crc32c(~0u, buf, cut), buf + cut,
					sizeof(buf) - cut),
				 crc32c_portable(~0u, buf, sizeof(buf)));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(rfc1071_example),
		cmocka_unit_test(ip_header_example),
		cmocka_unit_test(every_length_and_alignment),
		cmocka_unit_test(carries_are_kept),
		cmocka_unit_test(pieces_add_up),
		cmocka_unit_test(zero_has_two_forms),
		cmocka_unit_test(pseudo_headers),
		cmocka_unit_test(crc32c_vectors),
		cmocka_unit_test(crc32c_goes_on),
	};

	return cmocka_run_group_tests_name("csum", tests, NULL, NULL);
}
