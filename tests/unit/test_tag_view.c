// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What a checksum engine sees of each format, against what was measured on a
 * kernel with the fix undone (TX, 6.12): which formats hide the EtherType.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "tag/view.h"

#define IPV4	0x0800
#define IPV6	0x86dd

static struct tag_view view(const char *name, enum tag_dir dir)
{
	assert_non_null(tag_by_name(name));
	return tag_view(tag_by_name(name), dir, IPV4, false);
}

static bool is_in(const char *name, const char *const *list)
{
	for (; *list; list++)
		if (!strcmp(*list, name))
			return true;
	return false;
}

/* Frames of all other formats of 6.12 came out right: the engine sees their IP. */
static void formats_that_hide_the_ethertype(void **state)
{
	static const char *const hide[] = {
		"edsa", "dsa", "brcm", "brcm-prepend", "gswip", "mtk", "ocelot", "seville",
		"qca", "rtl4a", "rtl8_4", "a5psw", "sja1105", "sja1110", "ar9331",
		/* not measured */
		"brcm-legacy", "brcm-legacy-fcs", "yt921x", "gsw1xx", "mxl862xx",
		"nxp_netc", "mt7628", NULL
	};
	struct tag_view v, v6;
	size_t i;

	(void)state;
	for (i = 0; i < tag_count(); i++) {
		v = tag_view(tag_at(i), TAG_FROM_CPU, IPV4, false);
		if (is_in(tag_name(tag_at(i)), hide)) {
			assert_int_not_equal(v.sees, TAG_SEES_ALWAYS);
			assert_false(v.real);
		} else {
			assert_int_equal(v.sees, TAG_SEES_ALWAYS);
			assert_true(v.real);
		}
		v6 = tag_view(tag_at(i), TAG_FROM_CPU, IPV6, false);
		assert_int_equal(v6.sees == TAG_SEES_ALWAYS, v.sees == TAG_SEES_ALWAYS);
		/* nothing but IP is IP; only ports and addresses may look like it */
		assert_int_not_equal(tag_view(tag_at(i), TAG_FROM_CPU, 0x0806, false).sees,
				     TAG_SEES_ALWAYS);
	}
}

static void what_stands_at_offset_12(void **state)
{
	static const struct {
		const char *name, *tx, *rx;
	} expect[] = {
		{ "none", "0800", "0800" }, { "edsa", "dada", "dada" },
		{ "a5psw", "e001", "e001" }, { "ksz9477", "0800", "0800" },
		{ "lan9303", "8100", "8100" }, { "sja1105", "dadb", "dadb" },
		{ "sja1110", "dadb", "dadx" }, { "brcm", "2000", "0000" },
		{ "dsa", "4xxx", "xxxx" }, { "qca", "80xx", "800x" },
		{ "mtk", "00xx", "000x" }, { "ocelot", "xx00", "0000" },
		{ "brcm-prepend", "xxxx", "xxxx" },
	};
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(expect) / sizeof(expect[0]); i++) {
		assert_string_equal(view(expect[i].name, TAG_FROM_CPU).at12, expect[i].tx);
		assert_string_equal(view(expect[i].name, TAG_TO_CPU).at12, expect[i].rx);
	}
}

/* Tags that read as an EtherType of IP, and who finds no IP header behind it. */
static void tags_that_look_like_ip(void **state)
{
	struct tag_view v = view("dsa", TAG_TO_CPU);

	(void)state;
	assert_int_equal(v.sees, TAG_SEES_BY_TAG);
	assert_int_equal(v.example.ports, 1);
	assert_int_equal(v.example.device, 8);
	assert_true(v.example.trap);
	assert_false(v.real);
	v = view("ocelot", TAG_FROM_CPU);
	assert_int_equal(v.sees, TAG_SEES_BY_TAG);
	assert_int_equal(v.example.ports, 1 << 3);
	assert_false(v.real);
	v = view("seville", TAG_FROM_CPU);
	assert_int_equal(v.sees, TAG_SEES_BY_TAG);
	assert_int_equal(v.example.ports, 1 << 2);
	/* TPID 8100 plus port 0 is 8100, and the header is there */
	v = view("mt7628", TAG_TO_CPU);
	assert_int_equal(v.sees, TAG_SEES_BY_TAG);
	assert_int_equal(v.example.ports, 1);
	assert_true(v.real);
	assert_int_equal(view("gswip", TAG_FROM_CPU).sees, TAG_SEES_BY_ADDRESS);
	assert_int_equal(view("ar9331", TAG_TO_CPU).sees, TAG_SEES_BY_ADDRESS);
}

/* A second 802.1Q header behind a tag that is one is too deep for the engine. */
static void behind_a_vlan_header(void **state)
{
	(void)state;
	assert_int_equal(tag_view(tag_by_name("lan9303"), TAG_FROM_CPU, IPV4, true).sees,
			 TAG_SEES_NEVER);
	assert_int_equal(tag_view(tag_by_name("ksz9477"), TAG_FROM_CPU, IPV4, true).sees,
			 TAG_SEES_ALWAYS);
	assert_int_equal(tag_view(tag_by_name("dsa"), TAG_FROM_CPU, IPV4, true).sees,
			 TAG_SEES_NEVER);
}

static void the_engine(void **state)
{
	static const struct {
		uint16_t words[3];	/* from offset 12 on */
		bool sees;
		size_t offset;
	} frames[] = {
		{ { 0x0800, 0, 0 }, true, 14 },
		{ { 0x86dd, 0, 0 }, true, 14 },
		{ { 0x8100, 5, 0x0800 }, true, 18 },
		{ { 0x8100, 5, 0x8100 }, false, 18 },
		{ { 0x88a8, 5, 0x0800 }, false, 14 },
		{ { 0x0806, 0, 0 }, false, 14 },
	};
	uint8_t bytes[18] = { 0 };
	struct frame f = { .data = bytes, .len = sizeof(bytes) };
	size_t i, k, offset;

	(void)state;
	for (i = 0; i < sizeof(frames) / sizeof(frames[0]); i++) {
		for (k = 0; k < 3; k++) {
			bytes[12 + 2 * k] = frames[i].words[k] >> 8;
			bytes[13 + 2 * k] = frames[i].words[k];
		}
		assert_int_equal(tag_engine_sees_ip(&f, &offset), frames[i].sees);
		assert_int_equal(offset, frames[i].offset);
	}
	f.len = 13;
	assert_false(tag_engine_sees_ip(&f, NULL));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(formats_that_hide_the_ethertype),
		cmocka_unit_test(what_stands_at_offset_12),
		cmocka_unit_test(tags_that_look_like_ip),
		cmocka_unit_test(behind_a_vlan_header),
		cmocka_unit_test(the_engine),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
