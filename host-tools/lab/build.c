// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Kernels, programs and root file systems of a lab: see build.h.
 *
 * How a variant comes about without a change to the tree:
 *   declare, pad   a header, force-included for the one object
 *   cflags         flags for the one object
 *                  (both: scripts/build-variant on the plain kernel)
 *   commit         scripts/kernel-commit, and a kernel from that
 *   the others     options that scripts/build-kernel has anyway
 * The headers live in the cache under the name of their content and have an
 * old time stamp: make compiles the object again because its command changed,
 * and nothing else.
 */
#include "lab/build.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "lab/job.h"
#include "lab/timing.h"
#include "net/desc.h"
#include "net/pcapng.h"
#include "rig/kernel.h"
#include "rig/source.h"

#define BUILD_MS	(3 * 3600 * 1000)	/* a kernel, on a slow machine */
#define SCRIPT_MS	(30 * 60 * 1000)
#define GUEST		"tests/labs/guest"

int lab_mkdir(const char *path)
{
	char copy[4096], *p;

	if (snprintf(copy, sizeof(copy), "%s", path) >= (int)sizeof(copy))
		return -ENAMETOOLONG;
	for (p = copy + 1; *p; p++) {
		if (*p != '/')
			continue;
		*p = '\0';
		if (mkdir(copy, 0777) && errno != EEXIST)
			return -errno;
		*p = '/';
	}
	return mkdir(copy, 0777) && errno != EEXIST ? -errno : 0;
}

static int write_text(const char *path, const char *text, char *why)
{
	FILE *f = fopen(path, "we");
	int err = f ? 0 : -errno;

	if (f) {
		fputs(text, f);
		err = fclose(f) ? -errno : 0;
	}
	if (err)
		snprintf(why, LAB_WHY, "%s: %s", path, strerror(-err));
	return err;
}

/* --- kernels ------------------------------------------------------------------ */

static uint64_t fnv1a(const char *text)
{
	uint64_t h = 14695981039346656037ull;

	while (*text)
		h = (h ^ (unsigned char)*text++) * 1099511628211ull;
	return h;
}

/* The cache of scripts/lib.sh. */
static void cache_dir(char *to, size_t size)
{
	const char *own = getenv("TAGRIG_CACHE"), *xdg = getenv("XDG_CACHE_HOME");

	if (own)
		snprintf(to, size, "%s/lab", own);
	else if (xdg)
		snprintf(to, size, "%s/tagrig/lab", xdg);
	else
		snprintf(to, size, "%s/.cache/tagrig/lab", getenv("HOME") ?: "/tmp");
}

static int write_header(const struct lab_file *lab, const struct lab_variant *v, char *path,
			size_t size, char *why)
{
	const struct timespec old[2] = { { .tv_sec = 946684800 }, { .tv_sec = 946684800 } };
	char *text = labfile_header(lab, v), dir[2048];
	int err;

	if (!text)
		return -ENOMEM;
	cache_dir(dir, sizeof(dir));
	snprintf(path, size, "%s/%016llx.h", dir, (unsigned long long)fnv1a(text));
	err = lab_mkdir(dir) ?: access(path, R_OK) ? write_text(path, text, why) : 0;
	free(text);
	if (!err && utimensat(AT_FDCWD, path, old, 0))
		err = -errno;
	return err;
}

/* A file that the lab names is beside the lab. */
static void arg_file(struct job_args *a, const struct lab_file *lab, const char *option,
		     const char *file)
{
	job_arg(a, "%s", option);
	if (file[0] == '/')
		job_arg(a, "%s", file);
	else
		job_arg(a, "%s/%s", lab->dir, file);
}

/* "gcc-13": the system's, or one that scripts/fetch-compiler finds. */
static int compiler_args(struct job_args *a, const struct lab_file *lab, const char *name)
{
	struct job_args fetch = { 0 };
	char *path = NULL;
	int status = 0;

	if (!strncmp(name, "gcc-", 4)) {
		job_arg(&fetch, "%s/scripts/fetch-compiler", rig_top());
		job_arg(&fetch, "%s", name + 4);
		job_arg(&fetch, "%s", lab->arch);
		status = fetch.failed ? -ENOMEM : job_last_line(fetch.v, SCRIPT_MS, &path);
		job_args_free(&fetch);
	}
	job_arg(a, "--cc");
	job_arg(a, "%s", path ? path : name);
	free(path);
	return status ? -EIO : 0;
}

/* What scripts/build-kernel must be told. */
static int kernel_args(struct job_args *a, const struct lab_file *lab,
		       const struct lab_variant *v)
{
	switch (v->kind) {
	case LAB_KCFLAGS:
		job_arg(a, "--kcflags");
		job_arg(a, "%s", v->arg);
		break;
	case LAB_COCCI:
		arg_file(a, lab, "--cocci", v->arg);
		break;
	case LAB_PATCH:
		arg_file(a, lab, "--patch", v->arg);
		break;
	case LAB_COMPILER:
		return compiler_args(a, lab, v->arg);
	case LAB_DECLARE:
	case LAB_PAD:
	case LAB_CFLAGS:
	case LAB_OBJECT_CC:
	case LAB_ORDER:
	case LAB_COMMIT:
	case LAB_PLAIN:
	case LAB_KERNEL:
	case LAB_KIND_COUNT:
		break;
	}
	return 0;
}

static int add_include(const struct lab_file *lab, const struct lab_variant *v, char *flags,
		       size_t size, char *why)
{
	char header[4096];
	size_t n = strlen(flags);

	if (write_header(lab, v, header, sizeof(header), why))
		return -EIO;
	snprintf(flags + n, size - n, "%s-include %s", n ? " " : "", header);
	return 0;
}

bool lab_can_pad(const struct lab_file *lab, const struct lab_variant *v)
{
	return lab->object[0] && (v->kind == LAB_PLAIN || v->kind == LAB_DECLARE ||
				  v->kind == LAB_CFLAGS || v->kind == LAB_PAD ||
				  v->kind == LAB_OBJECT_CC);
}

/* The flags for the one object; empty: it is left as it is. */
static int object_flags(const struct lab_file *lab, const struct lab_variant *v,
			unsigned int pad, char *flags, size_t size, char *why)
{
	struct lab_variant padding = { .kind = LAB_PAD, .pad = pad };
	int err = 0;

	flags[0] = '\0';
	if (v->kind == LAB_CFLAGS)
		snprintf(flags, size, "%s", v->arg);
	if (v->kind == LAB_DECLARE || v->kind == LAB_PAD)
		err = add_include(lab, v, flags, size, why);
	if (!err && pad)
		err = add_include(lab, &padding, flags, size, why);
	return err;
}

/* The lab's lines of configuration, as a fragment. */
static int config_args(struct job_args *a, const struct lab_file *lab, char *why)
{
	char text[8192] = "", dir[2048], path[4096];
	size_t i, n = 0;

	for (i = 0; i < lab->n_config && n < sizeof(text); i++)
		n += (size_t)snprintf(text + n, sizeof(text) - n, "%s\n", lab->config[i]);
	if (!n)
		return 0;
	cache_dir(dir, sizeof(dir));
	snprintf(path, sizeof(path), "%s/%016llx.config", dir, (unsigned long long)fnv1a(text));
	if (lab_mkdir(dir) || write_text(path, text, why))
		return -EIO;
	job_arg(a, "--config");
	job_arg(a, "%s", path);
	return 0;
}

static struct elf_image *open_part(const char *dir, const char *what, char *why)
{
	char path[4096];

	snprintf(path, sizeof(path), "%s/%s", dir, what);
	return elf_open(path, why, LAB_WHY);
}

static int open_object(const struct lab_file *lab, struct lab_kernel *k, char *why)
{
	if (!lab->object[0])
		return 0;
	if (asprintf(&k->object_path, "%s/obj/%s", k->dir, lab->object) < 0)
		return -ENOMEM;
	k->object = elf_open(k->object_path, why, LAB_WHY);
	return k->object ? 0 : -ENOENT;
}

static int open_module(const struct lab_file *lab, struct lab_kernel *k, char *why)
{
	char what[512];

	if (!lab->module[0])
		return 0;
	snprintf(what, sizeof(what), "obj/%.*s/%s.ko",
		 (int)(strrchr(lab->object, '/') ? strrchr(lab->object, '/') - lab->object : 0),
		 lab->object, lab->module);
	k->module = open_part(k->dir, what, why);
	return k->module ? 0 : -ENOENT;
}

static int open_kernel(const struct lab_file *lab, struct lab_kernel *k, char *why)
{
	if (asprintf(&k->image, "%s/Image", k->dir) < 0)
		return -ENOMEM;
	k->vmlinux = open_part(k->dir, "vmlinux", why);
	if (!k->vmlinux)
		return -ENOENT;
	return open_object(lab, k, why) ?: open_module(lab, k, why);
}

/* The tree that a commit's variant is built from; else what was asked for. */
static int choose_source(const struct lab_file *lab, const struct lab_variant *v,
			 const char *tree, char **source, char *why)
{
	struct job_args a = { 0 };
	int status;

	if (v->kind != LAB_COMMIT) {
		*source = strdup(v->kind == LAB_KERNEL ? v->arg : tree ? tree : lab->kernel);
		return *source ? 0 : -ENOMEM;
	}
	if (!tree || !strchr(tree, '/')) {
		snprintf(why, LAB_WHY, "%s:%u: variant %s: a commit needs a git tree: KERNEL=/path/to/tree",
			 lab->path, v->line, v->name);
		return -EINVAL;
	}
	job_arg(&a, "%s/scripts/kernel-commit", rig_top());
	job_arg(&a, "%s", tree);
	job_arg(&a, "%s", v->arg);
	status = a.failed ? -ENOMEM : job_last_line(a.v, SCRIPT_MS, source);
	job_args_free(&a);
	return status || !*source ? -EIO : 0;
}

static int build_plain(const struct lab_file *lab, const struct lab_variant *v,
		       const char *source, char **dir, char *why)
{
	struct job_args a = { 0 };
	int status;

	job_arg(&a, "%s/scripts/build-kernel", rig_top());
	job_arg(&a, "%s", source);
	job_arg(&a, "%s", lab->arch);
	status = kernel_args(&a, lab, v) ?: config_args(&a, lab, why);
	if (!status)
		status = a.failed ? -ENOMEM : job_last_line(a.v, BUILD_MS, dir);
	job_args_free(&a);
	return status || !*dir ? -EIO : 0;
}

/* What scripts/build-variant is told beside the flags; 0: nothing. */
static int variant_args(struct job_args *a, const struct lab_file *lab,
			const struct lab_variant *v, unsigned int layout)
{
	size_t n = a->n;
	int err = 0;

	if (v->kind == LAB_ORDER || timing_order(layout))
		job_arg(a, "--order");
	if (v->kind == LAB_ORDER)
		job_arg(a, "%s", v->arg);
	else if (timing_order(layout))
		job_arg(a, "%u", timing_order(layout));
	if (v->kind == LAB_OBJECT_CC)
		err = compiler_args(a, lab, v->arg);
	return err ? err : (int)(a->n - n);
}

/* The plain kernel in *@dir, with one object changed: *@dir is another then. */
static int build_object(const struct lab_file *lab, const struct lab_variant *v,
			unsigned int layout, char **dir, char *why)
{
	struct job_args a = { 0 };
	char flags[8192], *changed = NULL;
	int n, status = object_flags(lab, v, timing_pad(layout), flags, sizeof(flags), why);

	if (status)
		return status;
	job_arg(&a, "%s/scripts/build-variant", rig_top());
	job_arg(&a, "%s", *dir);
	job_arg(&a, "%s", lab->object);
	job_arg(&a, "%s", flags);
	n = variant_args(&a, lab, v, layout);
	if (n < 0 || (!n && !flags[0])) {
		job_args_free(&a);
		return n;
	}
	status = a.failed ? -ENOMEM : job_last_line(a.v, BUILD_MS, &changed);
	job_args_free(&a);
	free(*dir);
	*dir = changed;
	return status || !changed ? -EIO : 0;
}

int lab_build_kernel(const struct lab_file *lab, const struct lab_variant *v, const char *tree,
		     unsigned int layout, struct lab_kernel *k, char *why)
{
	char *source = NULL;
	int err;

	memset(k, 0, sizeof(*k));
	snprintf(why, LAB_WHY, "%s:%u: variant %s cannot be built", lab->path, v->line, v->name);
	err = choose_source(lab, v, tree, &source, why) ?:
	      build_plain(lab, v, source, &k->dir, why) ?: build_object(lab, v, layout, &k->dir, why) ?:
	      open_kernel(lab, k, why);
	free(source);
	if (err)
		lab_kernel_free(k);
	return err;
}

void lab_kernel_free(struct lab_kernel *k)
{
	elf_close(k->vmlinux);
	elf_close(k->object);
	elf_close(k->module);
	free(k->dir);
	free(k->image);
	free(k->object_path);
	memset(k, 0, sizeof(*k));
}

/* --- the guest ------------------------------------------------------------------ */

static const char *const guest_tools[] = { "window", "null" };

static int compile(const char *cc, const char *source, const char *dir, const char *name,
		   char *why)
{
	struct job_args a = { 0 };
	struct job j;
	int status;

	job_arg(&a, "%s", cc);
	job_arg(&a, "-static");
	job_arg(&a, "-O2");
	job_arg(&a, "-Wall");
	job_arg(&a, "-I%s/" GUEST, rig_top());
	job_arg(&a, "-Wl,--build-id=none");
	job_arg(&a, "-o");
	job_arg(&a, "%s/%s", dir, name);
	job_arg(&a, "%s", source);
	status = job_start(&j, a.v, NULL, NULL, SCRIPT_MS) ?: job_wait(&j);
	job_args_free(&a);
	if (status)
		snprintf(why, LAB_WHY, "%s: %s does not compile it", source, cc);
	return status ? -EINVAL : 0;
}

int lab_build_programs(const struct lab_file *lab, const char *dir, char *why)
{
	const char *cc = strcmp(lab->arch, "arm64") ? "cc" : "aarch64-linux-gnu-gcc";
	char source[4096];
	size_t i;
	int err = lab_mkdir(dir);

	if (err) {
		snprintf(why, LAB_WHY, "%s: %s", dir, strerror(-err));
		return err;
	}
	for (i = 0; !err && i < sizeof(guest_tools) / sizeof(guest_tools[0]); i++) {
		snprintf(source, sizeof(source), "%s/" GUEST "/%s.c", rig_top(), guest_tools[i]);
		err = compile(cc, source, dir, guest_tools[i], why);
	}
	for (i = 0; !err && i < lab->n_programs; i++) {
		const char *file = lab->programs[i].source;

		snprintf(source, sizeof(source), "%s%s%s", file[0] == '/' ? "" : lab->dir,
			 file[0] == '/' ? "" : "/", file);
		err = compile(cc, source, dir, lab->programs[i].name, why);
	}
	return err;
}

/* 'text' for the shell, whatever is in it. */
static void quoted(FILE *out, const char *text)
{
	fputc('\'', out);
	for (; *text; text++)
		if (*text == '\'')
			fputs("'\\''", out);
		else
			fputc(*text, out);
	fputc('\'', out);
}

static char *script_of(const struct lab_workload *w)
{
	char *text = NULL;
	size_t size, i;
	FILE *out = open_memstream(&text, &size);

	if (!out)
		return NULL;
	for (i = 0; i < w->n_commands; i++) {
		fprintf(out, "%s %zu ", i + 1 < w->n_commands ? "step" : "last", i + 1);
		quoted(out, w->commands[i]);
		fputc('\n', out);
	}
	fclose(out);
	return text;
}

static void file_arg(struct job_args *a, const char *dir, const char *name)
{
	job_arg(a, "--file");
	job_arg(a, "%s/%s:/lab/%s", dir, name, name);
}

/* What the trace leg traces: the function and the watched ones, one a line. */
static char *watched_names(const struct lab_file *lab)
{
	char *text = NULL;
	size_t size, i;
	FILE *out = open_memstream(&text, &size);

	if (!out)
		return NULL;
	fprintf(out, "%s\n", lab->function);
	for (i = 0; i < lab->n_watch; i++)
		if (strcmp(lab->watch[i], lab->function))
			fprintf(out, "%s\n", lab->watch[i]);
	fclose(out);
	return text;
}

static int write_scripts(const struct lab_file *lab, const struct lab_workload *w,
			 const char *dir, char *why)
{
	char *text = script_of(w), path[4096];
	int err;

	snprintf(path, sizeof(path), "%s/run", dir);
	err = text ? write_text(path, text, why) : -ENOMEM;
	free(text);
	snprintf(path, sizeof(path), "%s/modules", dir);
	err = err ?: write_text(path, lab->module, why);
	text = watched_names(lab);
	snprintf(path, sizeof(path), "%s/watch", dir);
	err = err ?: (text ? write_text(path, text, why) : -ENOMEM);
	free(text);
	return err;
}

int lab_build_initrd(const struct lab_file *lab, const struct lab_workload *w,
		     const struct lab_kernel *k, const char *dir, char **initrd, char *why)
{
	struct job_args a = { 0 };
	char guest[2048];
	size_t i;
	int err = write_scripts(lab, w, dir, why);

	*initrd = NULL;
	if (err)
		return err;
	job_arg(&a, "%s/scripts/build-initramfs", rig_top());
	job_arg(&a, "%s", k->dir);
	snprintf(guest, sizeof(guest), "%s/" GUEST, rig_top());
	file_arg(&a, guest, "init");
	file_arg(&a, dir, "run");
	file_arg(&a, dir, "modules");
	file_arg(&a, dir, "watch");
	for (i = 0; i < sizeof(guest_tools) / sizeof(guest_tools[0]); i++)
		file_arg(&a, dir, guest_tools[i]);
	for (i = 0; i < lab->n_programs; i++)
		file_arg(&a, dir, lab->programs[i].name);
	err = a.failed ? -ENOMEM : job_last_line(a.v, SCRIPT_MS, initrd);
	job_args_free(&a);
	if (!err && *initrd)
		return 0;
	free(*initrd);
	*initrd = NULL;
	snprintf(why, LAB_WHY, "the guest's root file system cannot be made");
	return -EIO;
}

/* --- frames ----------------------------------------------------------------------- */

static int write_frames(struct desc *d, struct pcapng *p, unsigned long gap_us, uint64_t *n)
{
	static uint8_t storage[FRAME_STORAGE];
	struct frame f;
	int err;

	for (*n = 0;; ++*n) {
		frame_init(&f, storage, sizeof(storage));
		err = desc_next(d, &f);
		if (err <= 0)
			return err;
		err = pcapng_write(p, 0, *n * gap_us * 1000, PCAPNG_DIR_UNKNOWN, f.data, f.len,
				   NULL);
		if (err)
			return err;
	}
}

int lab_build_frames(const struct lab_file *lab, const struct lab_workload *w, const char *path,
		     uint64_t seed, uint64_t *n, char *why)
{
	struct desc_error error;
	struct pcapng *p = NULL;
	struct desc *d;
	int err;

	*n = 0;
	if (!w->frames)
		return 0;
	d = desc_parse(w->frames, lab->path, w->frames_line, w->frames_column, seed, &error);
	if (!d) {
		snprintf(why, LAB_WHY, "%s", error.text);
		return -EINVAL;
	}
	err = pcapng_create(&p, path, PCAP_CLASSIC);
	if (!err)
		err = pcapng_interface(p, NULL, NULL, LINKTYPE_ETHERNET);
	if (err >= 0)
		err = write_frames(d, p, w->gap_us, n);
	if (p)
		err = pcapng_close(p) ?: err;
	if (err)
		snprintf(why, LAB_WHY, "%s:%u: frames: %s", lab->path, w->frames_line,
			 desc_why(d) && *desc_why(d) ? desc_why(d) : strerror(-err));
	desc_free(d);
	return err;
}
