// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * tagrig tags: the tag formats, as a table for people or as JSON: where a tag
 * sits, how long it is from and to the CPU, what then stands at offset 12, and
 * whether a checksum engine takes the frame for IP.  With the names of formats
 * it prints their fields as well.
 */
#include <getopt.h>
#include <jansson.h>
#include <stdio.h>
#include <string.h>

#include "cmd.h"
#include "tag/format.h"
#include "tag/view.h"

#define IPV4	0x0800

static const char *const position[] = {
	[TAG_POS_NONE] = "none", [TAG_POS_HEAD] = "head", [TAG_POS_ETYPE] = "ethertype",
	[TAG_POS_TAIL] = "tail", [TAG_POS_BOTH] = "both",
};

/* What an engine makes of it, in a table and in JSON. */
static const struct {
	const char *table, *json;
} sees[] = {
	[TAG_SEES_NEVER] = { "no", "never" },
	[TAG_SEES_ALWAYS] = { "yes", "always" },
	[TAG_SEES_BY_TAG] = { "by tag", "by-tag" },
	[TAG_SEES_BY_ADDRESS] = { "by address", "by-address" },
};

static const char *const dir_name[] = {
	[TAG_FROM_CPU] = "from-cpu", [TAG_TO_CPU] = "to-cpu",
};

/* The widest position of all layouts: sja1110 has both ends in control frames. */
static enum tag_pos widest(const struct tag_spec *spec)
{
	enum tag_pos pos = spec->layout[0][0]->pos;
	unsigned int dir, i;

	for (dir = 0; dir < 2; dir++)
		for (i = 0; i < TAG_VARIANTS && spec->layout[dir][i]; i++)
			if (spec->layout[dir][i]->pos == TAG_POS_BOTH)
				pos = TAG_POS_BOTH;
	return pos;
}

/* -- for people ------------------------------------------------------------- */

static void print_header(void)
{
	printf("%-16s %5s %-9s %7s %-11s %-22s\n", "", "", "", "bytes", "offset 12",
	       "engine sees IP");
	printf("%-16s %5s %-9s %3s %3s %-5s %-5s %-10s %-10s\n", "format", "proto",
	       "position", "TX", "RX", "TX", "RX", "TX", "RX");
}

static void print_row(const struct tag_format *f)
{
	struct tag_view tx = tag_view(f, TAG_FROM_CPU, IPV4, false);
	struct tag_view rx = tag_view(f, TAG_TO_CPU, IPV4, false);

	printf("%-16s %5u %-9s %3u %3u %-5s %-5s %-10s %s\n", tag_name(f), tag_proto(f),
	       position[widest(f->spec)], tag_len(f, TAG_FROM_CPU), tag_len(f, TAG_TO_CPU),
	       tx.at12, rx.at12, sees[tx.sees].table, sees[rx.sees].table);
}

/* When the tag itself can look like IP: an example. */
static void print_example(const struct tag_format *f, enum tag_dir dir)
{
	struct tag_view v = tag_view(f, dir, IPV4, false);

	if (v.sees != TAG_SEES_BY_TAG)
		return;
	printf("%s %s: port %d%s", tag_name(f), dir == TAG_FROM_CPU ? "TX" : "RX",
	       __builtin_ctz(v.example.ports), v.example.trap ? ", trapped" : "");
	if (v.example.device)
		printf(", device %u", v.example.device);
	printf(" looks like IP%s\n", v.real ? "" : ", and no IP header is there");
}

static void print_table(const struct tag_format **list, size_t n)
{
	size_t i;

	print_header();
	for (i = 0; i < n; i++)
		print_row(list[i]);
	printf("\nTX: from the CPU; RX: to the CPU; x: a digit that varies; by address: parts of\n"
	       "the MAC addresses stand at offset 12, and 08 00 in them looks like IP.\n");
	for (i = 0; i < n; i++) {
		print_example(list[i], TAG_FROM_CPU);
		print_example(list[i], TAG_TO_CPU);
	}
}

static void print_layout(const struct tag_layout *l, const char *name, enum tag_dir dir,
			 unsigned int variant)
{
	const struct tag_field *fd;
	unsigned int i;

	printf("\n%s %s%s: %s, %u bytes", name, dir_name[dir], variant ? " (other)" : "",
	       position[l->pos], l->head + l->tail);
	if (l->pad)
		printf(", after padding to %u", l->pad);
	printf("\n");
	if (l->etype)
		printf("  byte %2u bit 7  16 bits  %-22s %04x\n", 0, "ethertype", l->etype);
	for (i = 0; i < l->nfields; i++) {
		fd = &l->fields[i];
		printf("  byte %2u bit %u  %2u bit%s  %-22s", fd->off / 8, 7 - fd->off % 8,
		       fd->width, fd->width > 1 ? "s" : " ", fd->name);
		if (tag_is_constant(fd))
			printf(" %x%s", fd->value, fd->what == TV_FILL ? " (not read)" : "");
		printf("\n");
	}
}

static void print_fields(const struct tag_format *f)
{
	unsigned int dir, i;

	for (dir = 0; dir < 2; dir++)
		for (i = 0; i < TAG_VARIANTS && f->spec->layout[dir][i]; i++)
			print_layout(f->spec->layout[dir][i], tag_name(f), dir, i);
}

/* -- JSON ------------------------------------------------------------------- */

static json_t *view_json(const struct tag_format *f, enum tag_dir dir)
{
	struct tag_view v = tag_view(f, dir, IPV4, false);
	struct tag_view vlan = tag_view(f, dir, IPV4, true);

	return json_pack("{s:i, s:I, s:s, s:s, s:s, s:b}",
			 "length", (int)tag_len(f, dir),
			 "ports", (json_int_t)tag_ports(f, dir),
			 "offset12", v.at12,
			 "engine_sees_ip", sees[v.sees].json,
			 "engine_sees_ip_vlan", sees[vlan.sees].json,
			 "ip_header_in_place", (int)v.real);
}

static int print_json(const struct tag_format **list, size_t n)
{
	json_t *all = json_array();
	int bad = 0;
	size_t i;

	for (i = 0; i < n; i++)
		bad |= json_array_append_new(all, json_pack("{s:s, s:i, s:s, s:o, s:o}",
				"name", tag_name(list[i]),
				"proto", (int)tag_proto(list[i]),
				"position", position[widest(list[i]->spec)],
				"from_cpu", view_json(list[i], TAG_FROM_CPU),
				"to_cpu", view_json(list[i], TAG_TO_CPU)));
	if (bad || json_dumpf(all, stdout, JSON_INDENT(2))) {
		fprintf(stderr, "tagrig tags: out of memory, or stdout is closed\n");
		bad = 1;
	}
	printf("\n");
	json_decref(all);
	return bad ? 1 : 0;
}

/* -- Lua -------------------------------------------------------------------- */

/* What a field is about, as struct tag_vals names it. */
static const char *const what_name[] = {
	[TV_CONST] = "const", [TV_FILL] = "fill",
#define WHAT_NAME(ID, id) [TV_##ID] = #id,
	TAG_VALUES(WHAT_NAME)
#undef WHAT_NAME
};

static void lua_field(const struct tag_field *fd)
{
	unsigned int i;

	printf("\t\t\t{ name = \"%s\", bit = %u, width = %u, from = %u, what = \"%s\"",
	       fd->name, fd->off, fd->width, fd->from, what_name[fd->what]);
	if (fd->what == TV_CONST)
		printf(", value = 0x%x", fd->value);
	for (i = 0; fd->codes && fd->codes[i].name; i++)
		printf("%s[%u] = { name = \"%s\", value = %u }", i ? ", " : ",\n\t\t\t  codes = { ",
		       fd->codes[i].code, fd->codes[i].name, fd->codes[i].val);
	printf("%s },\n", fd->codes ? " }" : "");
}

static void lua_layout(const struct tag_layout *l)
{
	unsigned int i;

	printf("\t\t{ pos = \"%s\", head = %u, tail = %u", position[l->pos], l->head, l->tail);
	if (l->etype)
		printf(", etype = 0x%04x", l->etype);
	if (l->etype_alt)
		printf(", etype_alt = 0x%04x", l->etype_alt);
	for (i = 0; l->fuse && l->fuse[i]; i++)
		printf("%s0x%04x", i ? ", " : ", fuse = { ", l->fuse[i]);
	printf("%s, fields = {\n", l->fuse ? " }" : "");
	for (i = 0; i < l->nfields; i++)
		lua_field(&l->fields[i]);
	printf("\t\t} },\n");
}

/* The table that the Wireshark dissector reads tags by. */
static int print_lua(const struct tag_format **list, size_t n)
{
	unsigned int dir, i;
	size_t k;

	printf("local formats = {}\n");
	for (k = 0; k < n; k++) {
		printf("formats[\"%s\"] = {\n", tag_name(list[k]));
		for (dir = 0; dir < 2; dir++) {
			printf("\t%s = {\n", dir == TAG_TO_CPU ? "to_cpu" : "from_cpu");
			for (i = 0; i < TAG_VARIANTS && list[k]->spec->layout[dir][i]; i++)
				lua_layout(list[k]->spec->layout[dir][i]);
			printf("\t},\n");
		}
		printf("}\n");
	}
	return 0;
}

/* -- the command ------------------------------------------------------------ */

static void usage(FILE *out)
{
	fprintf(out, "usage: tagrig tags [-j] [FORMAT...]\n\n"
		"  -j, --json   as JSON\n"
		"      --lua    every field, as the table of the Wireshark dissector\n"
		"  -h, --help   this\n\n"
		"Without FORMAT all are listed; with it, its fields are printed too.\n");
}

/* Fills @list from the names, or with all formats; 0 after an error. */
static size_t choose(const struct tag_format **list, int n, char **names)
{
	size_t i;

	if (!n) {
		for (i = 0; i < tag_count(); i++)
			list[i] = tag_at(i);
		return i;
	}
	if ((size_t)n > tag_count()) {
		fprintf(stderr, "tagrig tags: there are only %zu formats\n", tag_count());
		return 0;
	}
	for (i = 0; i < (size_t)n; i++) {
		list[i] = tag_by_name(names[i]);
		if (list[i])
			continue;
		fprintf(stderr, "tagrig tags: there is no tag format '%s'; "
			"'tagrig tags' lists them\n", names[i]);
		return 0;
	}
	return i;
}

int cmd_tags(int argc, char **argv)
{
	static const struct option options[] = {
		{ "json", no_argument, NULL, 'j' },
		{ "lua", no_argument, NULL, 'l' },
		{ "help", no_argument, NULL, 'h' },
		{ 0 }
	};
	const struct tag_format *list[64];
	bool json = false, lua = false;
	size_t i, n;
	int opt;

	_Static_assert(TAG_PROTO_MT7628 < 64, "list[] holds every format");
	optind = 1;
	while ((opt = getopt_long(argc, argv, "jh", options, NULL)) != -1) {
		switch (opt) {
		case 'j':
			json = true;
			break;
		case 'l':
			lua = true;
			break;
		case 'h':
			usage(stdout);
			return 0;
		default:
			usage(stderr);
			return 2;
		}
	}
	n = choose(list, argc - optind, argv + optind);
	if (!n)
		return 2;
	if (lua)
		return print_lua(list, n);
	if (json)
		return print_json(list, n);
	print_table(list, n);
	for (i = 0; optind < argc && i < n; i++)
		print_fields(list[i]);
	return 0;
}
