// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Experiment files: what they say, and what is said of those that are wrong.
 */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "lab/labfile.h"
#include "rig/source.h"

static char path[] = "/tmp/test_lab_labfile.XXXXXX";

static int load(struct lab_file *lab, const char *text, char *error)
{
	FILE *f = fopen(path, "w");

	assert_non_null(f);
	fputs(text, f);
	fclose(f);
	return labfile_load(lab, path, error);
}

static const char whole[] =
	"# what a reader sees first\n"
	"title\t\tstmmac_has_ip_ethertype, inline or not\n"
	"arch\t\tarm64\n"
	"kernel\t\t6.12\n"
	"config\t\tCONFIG_STMMAC_ETH=m\n"
	"function\tstmmac_has_ip_ethertype\n"
	"object\t\tdrivers/net/ethernet/stmicro/stmmac/stmmac_main.o\n"
	"module\t\tstmmac\n"
	"prototype\tstatic _Bool stmmac_has_ip_ethertype(struct sk_buff *skb)\n"
	"core\t\tcortex-a53\n"
	"watch\t\tstmmac_xmit stmmac_rx\n"
	"watch\t\tnapi_gro_receive\n"
	"trace\n"
	"predictor\n"
	"time 3\n"
	"margin\t\t0.5%\n"
	"claim\t\t+268us per 64 at 500MHz cpi 100 miss 80\n"
	"program\t\tloop loop.c\n"
	"variant\t\tplain plain\n"
	"variant\t\tinline declare inline\n"
	"variant\t\tpadded pad 16\n"
	"variant\t\taligned cflags -falign-functions=32 -g\n"
	"workload\ttx\n"
	"mac\t\ttx-coe rx-coe=2\n"
	"wire\t\t1\n"
	"guest\t\tip link set lan0 up   # the shell's own comment\n"
	"guest\t\trigload udp-send 192.0.2.2 7 --count 200\n"
	"window\t\tfunction stmmac_xmit\n"
	"per\t\tcall stmmac_xmit\n"
	"within\t\t90s\n"
	"control\tother\n"
	"frames\t\tudp count 50\n"
	"gap\t\t50us\n"
	"guest\t\ttrue\n"
	"window\t\tmarker 3\n"
	"per\t\tframe\n";

static void check_head(const struct lab_file *lab)
{
	assert_string_equal(lab->title, "stmmac_has_ip_ethertype, inline or not");
	assert_string_equal(lab->arch, "arm64");
	assert_string_equal(lab->kernel, "6.12");
	assert_int_equal(lab->n_config, 1);
	assert_string_equal(lab->config[0], "CONFIG_STMMAC_ETH=m");
	assert_string_equal(lab->module, "stmmac");
	assert_int_equal(lab->n_watch, 3);
	assert_string_equal(lab->watch[2], "napi_gro_receive");
	assert_true(lab->trace && lab->predictor);
	assert_int_equal(lab->time_rounds, 3);
	assert_float_equal(lab->margin, 0.005, 1e-9);
	assert_true(lab->claimed);
	assert_false(lab->claims_stalls);
	assert_float_equal(lab->claim.ns, 268e3, 1e-6);
	assert_float_equal(lab->claim.ops, 64, 0);
	assert_float_equal(lab->claim.hz, 500e6, 1);
	assert_float_equal(lab->claim.worst_cpi, 100, 0);
	assert_float_equal(lab->claim.miss, 80, 0);
	assert_int_equal(lab->n_programs, 1);
	assert_string_equal(lab->programs[0].source, "loop.c");
	assert_string_equal(lab->dir, "/tmp");
}

static void check_variants(const struct lab_file *lab)
{
	assert_int_equal(lab->n_variants, 4);
	assert_int_equal(lab->variants[0].kind, LAB_PLAIN);
	assert_null(lab->variants[0].arg);
	assert_int_equal(lab->variants[1].kind, LAB_DECLARE);
	assert_string_equal(lab->variants[1].arg, "inline");
	assert_int_equal(lab->variants[2].pad, 16);
	assert_string_equal(lab->variants[3].arg, "-falign-functions=32 -g");
}

static void check_workloads(const struct lab_file *lab)
{
	const struct lab_workload *w = lab->workloads;

	assert_int_equal(lab->n_workloads, 2);
	assert_string_equal(w[0].globals, "tx-coe=on rx-coe=2");
	assert_int_equal(w[0].wire, 1);
	assert_int_equal(w[0].n_commands, 2);
	assert_string_equal(w[0].commands[0], "ip link set lan0 up   # the shell's own comment");
	assert_int_equal(w[0].window, LAB_WINDOW_FUNCTION);
	assert_string_equal(w[0].window_function, "stmmac_xmit");
	assert_int_equal(w[0].per, LAB_PER_CALLS);
	assert_int_equal(w[0].within_ms, 90000);
	assert_false(w[0].control);
	assert_true(w[1].control);
	assert_int_equal(w[1].window, LAB_WINDOW_MARKER);
	assert_int_equal(w[1].window_marker, 3);
	assert_int_equal(w[1].gap_us, 50);
	assert_string_equal(w[1].frames, "udp count 50");
	assert_int_equal(w[1].frames_column, 9);
}

static void everything(void **state)
{
	struct lab_file lab;
	char error[ERROR_SIZE];

	(void)state;
	if (load(&lab, whole, error))
		fail_msg("%s", error);
	check_head(&lab);
	check_variants(&lab);
	check_workloads(&lab);
	labfile_free(&lab);
}

static void headers(void **state)
{
	struct lab_file lab;
	char error[ERROR_SIZE], *text;

	(void)state;
	assert_int_equal(load(&lab, whole, error), 0);
	text = labfile_header(&lab, &lab.variants[1]);
	assert_string_equal(text, "struct sk_buff;\n"
			    "static inline _Bool stmmac_has_ip_ethertype(struct sk_buff *skb);\n");
	free(text);
	text = labfile_header(&lab, &lab.variants[2]);
	assert_non_null(strstr(text, ".skip 16"));
	free(text);
	assert_null(labfile_header(&lab, &lab.variants[0]));
	assert_null(labfile_header(&lab, &lab.variants[3]));
	free(lab.prototype);
	lab.prototype = strdup("int f(struct a *x, struct b *y, struct a *z)");
	text = labfile_header(&lab, &lab.variants[1]);
	assert_string_equal(text, "struct a;\nstruct b;\n"
			    "inline int f(struct a *x, struct b *y, struct a *z);\n");
	free(text);
	labfile_free(&lab);
}

/* The good file with @from replaced, and what must be said of it. */
struct fault {
	const char *from, *to, *says;
};

static const struct fault faults[] = {
	{ "title\t", "titel\t", ":2:1: expected a keyword of lab files, found 'titel'" },
	{ "arm64", "mips", ":3:7: expected arm64 or x86_64, found 'mips'" },
	{ "CONFIG_STMMAC_ETH=m", "STMMAC_ETH=m", "expected a line such as CONFIG_X=y" },
	{ "stmmac_main.o", "stmmac_main.c", ":7:9: expected an object" },
	{ "function\tstmmac_has_ip_ethertype", "function\tf;g", "expected a function's name" },
	{ "0.5%", "0.5", "expected a margin, such as 1%" },
	{ "0.5%", "150%", "between 0% and 100%" },
	{ "time 3", "time 0", "expected rounds, 1 to 100, found '0'" },
	{ "+268us", "268", "expected a time, such as +268us" },
	{ "+268us", "soon", "expected a time, such as +268us, found 'soon'" },
	{ "per 64 at", "per 64 on", "expected the word 'at', found 'on'" },
	{ "500MHz", "500", "expected a clock" },
	{ " cpi 100 miss 80", "", "expected the word 'cpi', found the end of the line" },
	{ "miss 80", "mist 80", "expected the word 'miss', found 'mist'" },
	{ "miss 80", "miss", "cycles of a miss to memory" },
	{ "cpi 100", "cpi 0", "above 0" },
	{ "declare inline", "declare", "expected words that the prototype is declared with" },
	{ "declare inline", "inlined", "expected one of plain, declare, cocci" },
	{ "pad 16", "pad 17", "a multiple of 4 up to 4096, found '17'" },
	{ "pad 16", "pad 0", "found '0'" },
	{ "pad 16", "order x", "expected a number, found 'x'" },
	{ "variant\t\tpadded", "variant\t\tinline", "expected another name: 'inline' is that of line 20" },
	{ "plain plain", "plain plain now", "expected the end of the line, found 'now'" },
	{ "workload\ttx\n", "", "expected 'mac' behind a workload's line" },
	{ "control\tother", "control\ttx", "expected another name: 'tx'" },
	{ "within\t\t90s", "within\t\t90", "expected a time such as" },
	{ "marker 3", "marker 17", "expected a marker, 1 to 16" },
	{ "function stmmac_xmit", "around stmmac_xmit", "expected 'function NAME' or 'marker N'" },
	{ "per\t\tframe", "per\t\tpoll", "expected 'call FUNCTION', 'frame' or 'number N'" },
	{ "50us", "50", "expected a time, such as 20us" },
	{ "wire\t\t1", "wire\t\t2", "expected a MAC, 0 to 1, found '2'" },
	{ "mac\t\ttx-coe rx-coe=2", "mac", "expected properties of the MAC" },
	/* what lines need of each other */
	{ "title\t\tstmmac_has_ip_ethertype, inline or not\n", "", "expected a title line, found none" },
	{ "prototype\tstatic _Bool stmmac_has_ip_ethertype(struct sk_buff *skb)\n", "",
	  "expected a prototype line" },
	{ "object\t\tdrivers/net/ethernet/stmicro/stmmac/stmmac_main.o\n", "",
	  "expected an object line" },
	{ "window\t\tfunction stmmac_xmit\n", "", ":23: expected a window line" },
	{ "per\t\tcall stmmac_xmit\n", "", ":23: expected a per line" },
	{ "frames\t\tudp count 50\n", "", "expected a frames line" },
	{ "guest\t\ttrue\n", "", "expected a guest line" },
	{ "workload\ttx", "control\ttx", "expected a workload that is no control" },
};

static char *replaced(const struct fault *f)
{
	const char *at = strstr(whole, f->from);
	char *text = NULL;

	assert_non_null(at);
	if (asprintf(&text, "%.*s%s%s", (int)(at - whole), whole, f->to,
		     at + strlen(f->from)) < 0)
		fail();
	return text;
}

static void bad_lines(void **state)
{
	struct lab_file lab;
	char error[ERROR_SIZE], *text;
	size_t i;
	int err;

	(void)state;
	for (i = 0; i < sizeof(faults) / sizeof(faults[0]); i++) {
		text = replaced(&faults[i]);
		err = load(&lab, text, error);
		if (err != -EINVAL || !strstr(error, faults[i].says) ||
		    strncmp(error, path, strlen(path)))
			fail_msg("row %zu: %d, \"%s\" does not say \"%s\"", i, err, error,
				 faults[i].says);
		free(text);
	}
}

static void too_many(void **state)
{
	static const char *const lines[] = {
		"watch f f f f f f f f f\n", "variant v%d plain\n", "workload w%d\n",
		"program p%d x.c\n", "config CONFIG_A%d=y\n",
	};
	struct lab_file lab;
	char error[ERROR_SIZE], text[4096];
	size_t i, k, n;

	(void)state;
	for (i = 0; i < sizeof(lines) / sizeof(lines[0]); i++) {
		for (k = n = 0; k < 40; k++)
			n += snprintf(text + n, sizeof(text) - n, lines[i], (int)k);
		assert_int_equal(load(&lab, text, error), -EINVAL);
		assert_non_null(strstr(error, "expected at most"));
	}
}

static void no_file(void **state)
{
	struct lab_file lab;
	char error[ERROR_SIZE];

	(void)state;
	assert_int_equal(labfile_load(&lab, "/nonexistent.lab", error), -ENOENT);
	assert_non_null(strstr(error, "/nonexistent.lab"));
	assert_int_equal(load(&lab, "", error), -EINVAL);
	assert_non_null(strstr(error, "expected a title line"));
}

static int setup(void **state)
{
	int fd = mkstemp(path);

	(void)state;
	return fd < 0 ? -1 : close(fd);
}

static int teardown(void **state)
{
	(void)state;
	return unlink(path);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(everything),
		cmocka_unit_test(headers),
		cmocka_unit_test(bad_lines),
		cmocka_unit_test(too_many),
		cmocka_unit_test(no_file),
	};

	return cmocka_run_group_tests(tests, setup, teardown);
}
