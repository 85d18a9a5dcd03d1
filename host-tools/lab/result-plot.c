// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A lab's result as a plot: per workload one group of bars, one bar for each
 * variant, the difference in instructions of an operation.  gnuplot draws it;
 * its script and data stay beside the picture, so that others can be drawn.
 */
#include "lab/result.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "lab/job.h"

#define PLOT_MS 60000

static void write_data(const struct lab_result *r, FILE *out)
{
	size_t w, v;

	fprintf(out, "workload");
	for (v = 1; v < r->lab->n_variants; v++)
		fprintf(out, "\t%s", r->lab->variants[v].name);
	fputc('\n', out);
	for (w = 0; w < r->lab->n_workloads; w++) {
		fprintf(out, "%s", r->lab->workloads[w].name);
		for (v = 1; v < r->lab->n_variants; v++) {
			const struct evidence *e = &r->cells[w][v].evidence;

			fprintf(out, "\t%.4f", e->counted ?
				verdict_delta(e->a.insns, e->b.insns, e->a.ops) : 0);
		}
		fputc('\n', out);
	}
}

/* Titles are people's text: gnuplot's quotes and markup are taken out. */
static void plain(const char *text, char *to, size_t size)
{
	size_t n = 0;

	for (; *text && n + 1 < size; text++)
		if (!strchr("'\"\\{}@&~", *text))
			to[n++] = *text;
	to[n] = '\0';
}

static void write_script(const struct lab_result *r, const char *data, const char *svg, FILE *out)
{
	char title[256];

	plain(r->lab->title, title, sizeof(title));
	fprintf(out,
		"set terminal svg size 800,420 noenhanced font 'sans,12' background 'white'\n"
		"set output '%s'\n"
		"set title '%s (Linux %s, %s)' noenhanced\n"
		"set ylabel 'instructions per operation, against %s'\n"
		"set style data histogram\n"
		"set style histogram clustered gap 1\n"
		"set style fill solid 0.8 border -1\n"
		"set xzeroaxis linetype -1\n"
		"set grid ytics\n"
		"set key outside right top\n"
		"set offset 0,0,graph 0.1,graph 0.1\n"
		"plot for [i=2:%zu] '%s' using i:xtic(1) title columnhead(i)\n",
		svg, title, r->kernel, r->lab->arch, r->lab->variants[0].name,
		r->lab->n_variants, data);
}

int lab_plot(const struct lab_result *r, const char *svg)
{
	char script[4096], data[4096];
	char *argv[] = { "gnuplot", script, NULL };
	struct job j;
	FILE *f;
	int err;

	snprintf(script, sizeof(script), "%s.gnuplot", svg);
	snprintf(data, sizeof(data), "%s.tsv", svg);
	f = fopen(data, "we");
	if (!f)
		return -errno;
	write_data(r, f);
	fclose(f);
	f = fopen(script, "we");
	if (!f)
		return -errno;
	write_script(r, data, svg, f);
	fclose(f);
	err = job_start(&j, argv, "/dev/null", "/dev/null", PLOT_MS) ?: job_wait(&j);
	return err == 127 ? -ENOENT : err ? -EIO : 0;
}
