// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Kernels for scenarios: see choose.h.
 *
 * scripts/fetch-kernel --labels is asked once for all labels and answers with
 * the kernels that have them.  Two labels may lead to one kernel: it is one
 * choice then, and boots once.
 */
#include "choose.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kernel.h"

#define LABEL_SIZE 96

/* The arguments of the script: --labels, then each label once, then NULL. */
struct labels {
	char **argv;
	unsigned int n;		/* without the NULL */
};

/* A commit, perhaps with a suffix ("c2945c435c99-tx"), and not a version. */
static bool is_commit(const char *what)
{
	return strspn(what, "0123456789abcdef") >= 7 && !strchr(what, '.');
}

/* "COMMIT:WORD" of the first commit that @s names, else WORD alone. */
static void label_for(const struct scenario *s, const char *word, char *to)
{
	unsigned int i;

	for (i = 0; i < s->labels; i++) {
		if (is_commit(s->label[i].what)) {
			snprintf(to, LABEL_SIZE, "%s:%s", s->label[i].what, word);
			return;
		}
	}
	snprintf(to, LABEL_SIZE, "%s", word);
}

static int add_label(struct labels *l, const char *label)
{
	char **v;
	unsigned int i;

	for (i = 0; i < l->n; i++) {
		if (!strcmp(l->argv[i], label))
			return 0;
	}
	v = realloc(l->argv, (l->n + 2) * sizeof(*v));
	if (!v)
		return -ENOMEM;
	l->argv = v;
	v[l->n + 1] = NULL;
	v[l->n] = strdup(label);
	return v[l->n++] ? 0 : -ENOMEM;
}

static const char *const words[] = { "broken", "fixed" };

static int collect_labels(const struct scenario_list *list, struct labels *l)
{
	int err = add_label(l, "--labels");
	char label[LABEL_SIZE];
	unsigned int w;
	size_t i;

	for (w = 0; w < 2; w++) {
		for (i = 0; i < list->count && !err; i++) {
			label_for(&list->v[i], words[w], label);
			err = add_label(l, label);
		}
	}
	return err;
}

static void labels_free(struct labels *l)
{
	while (l->argv && l->n)
		free(l->argv[--l->n]);
	free(l->argv);
}

static struct choice *choice_of(struct choices *c, const char *name, const char *dir,
				size_t scenarios)
{
	struct choice *v;
	unsigned int i;

	for (i = 0; i < c->n; i++) {
		if (!strcmp(c->v[i].dir, dir))
			return &c->v[i];
	}
	v = realloc(c->v, (c->n + 1) * sizeof(*v));
	if (!v)
		return NULL;
	c->v = v;
	v += c->n;
	v->wanted = calloc(scenarios, sizeof(*v->wanted));
	if (!v->wanted)
		return NULL;
	snprintf(v->name, sizeof(v->name), "%s", name);
	snprintf(v->dir, sizeof(v->dir), "%s", dir);
	c->n++;
	return v;
}

/* A line "LABEL NAME DIR": every scenario with that label wants that kernel. */
static int take_line(struct choices *c, const struct scenario_list *list, const char *line)
{
	char label[LABEL_SIZE], want[LABEL_SIZE], name[64], dir[512];
	struct choice *v;
	unsigned int w;
	size_t i;

	if (sscanf(line, "%95s %63s %511s", label, name, dir) != 3)
		return 0;
	v = choice_of(c, name, dir, list->count);
	if (!v)
		return -ENOMEM;
	for (i = 0; i < list->count; i++) {
		for (w = 0; w < 2; w++) {
			label_for(&list->v[i], words[w], want);
			if (!strcmp(want, label))
				v->wanted[i] = true;
		}
	}
	return 0;
}

static int check_all(const struct choices *c, const struct scenario_list *list, char *why)
{
	unsigned int k;
	size_t i;

	for (i = 0; i < list->count; i++) {
		for (k = 0; k < c->n && !c->v[k].wanted[i]; k++)
			;
		if (k == c->n) {
			snprintf(why, 256, "%.200s: no kernel is labelled for it (--kernel names one)",
				 list->v[i].file);
			return -ENOENT;
		}
	}
	return 0;
}

int choose_kernels(const struct scenario_list *list, struct choices *c, char *why)
{
	char *text = NULL, *line, *save = NULL;
	struct labels l = { 0 };
	int err;

	memset(c, 0, sizeof(*c));
	err = collect_labels(list, &l);
	if (!err) {
		text = script_output("fetch-kernel", (const char *const *)l.argv, why);
		err = text ? 0 : -ENOENT;
	}
	for (line = text ? strtok_r(text, "\n", &save) : NULL; line && !err;
	     line = strtok_r(NULL, "\n", &save))
		err = take_line(c, list, line);
	free(text);
	labels_free(&l);
	if (err == -ENOMEM)
		snprintf(why, 256, "%s", strerror(-err));
	return err ?: check_all(c, list, why);
}

void choices_free(struct choices *c)
{
	while (c->n)
		free(c->v[--c->n].wanted);
	free(c->v);
	c->v = NULL;
}
