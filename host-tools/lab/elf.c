// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Symbols, bytes and relocations of an ELF file, with libelf.
 *
 * Everything is read once, at opening: the symbols into one array sorted by
 * section and address, relocations per section, sorted by offset.  64-bit
 * little-endian arm64 and x86-64 only; others are refused by name.
 */
#include <errno.h>
#include <fcntl.h>
#include <gelf.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "lab/elf.h"

struct section {
	const char *name;
	uint64_t flags, addr, size;
	const uint8_t *bytes;		/* NULL for .bss and its kind */
	struct elf_reloc *relocs;
	size_t n_relocs;
};

struct elf_image {
	char *path;
	int fd;
	Elf *elf;
	GElf_Ehdr ehdr;
	struct section *sections;
	size_t n_sections;
	struct elf_sym *syms;
	size_t n_syms;
};

static const struct {
	unsigned int machine;
	const char *arch;
} machines[] = {
	{ EM_AARCH64, "arm64" },
	{ EM_X86_64, "x86_64" },
};

static void say_why(char *why, size_t size, const char *path, const char *fmt, ...)
{
	va_list ap;
	int n = snprintf(why, size, "%s: ", path);

	if (n < 0 || (size_t)n >= size)
		return;
	va_start(ap, fmt);
	vsnprintf(why + n, size - n, fmt, ap);
	va_end(ap);
}

static int read_header(struct elf_image *img, char *why, size_t size)
{
	if (elf_kind(img->elf) != ELF_K_ELF || !gelf_getehdr(img->elf, &img->ehdr)) {
		say_why(why, size, img->path, "expected an ELF file");
		return -EINVAL;
	}
	if (!elf_arch(img)) {
		say_why(why, size, img->path, "expected arm64 or x86_64, found ELF machine %u",
			img->ehdr.e_machine);
		return -EINVAL;
	}
	return 0;
}

static void read_section(struct elf_image *img, Elf_Scn *scn, size_t names)
{
	struct section *s = &img->sections[elf_ndxscn(scn)];
	Elf_Data *data;
	GElf_Shdr sh;

	if (!gelf_getshdr(scn, &sh))
		return;
	s->name = elf_strptr(img->elf, names, sh.sh_name);
	s->name = s->name ? s->name : "";
	s->flags = sh.sh_flags;
	s->addr = sh.sh_addr;
	s->size = sh.sh_size;
	data = sh.sh_type == SHT_NOBITS ? NULL : elf_rawdata(scn, NULL);
	if (data && data->d_size >= s->size)
		s->bytes = data->d_buf;
}

static int read_sections(struct elf_image *img)
{
	Elf_Scn *scn = NULL;
	size_t names;

	if (elf_getshdrnum(img->elf, &img->n_sections) ||
	    elf_getshdrstrndx(img->elf, &names))
		return -EINVAL;
	img->sections = calloc(img->n_sections + 1, sizeof(*img->sections));
	if (!img->sections)
		return -ENOMEM;
	while ((scn = elf_nextscn(img->elf, scn)))
		if (elf_ndxscn(scn) < img->n_sections)
			read_section(img, scn, names);
	return 0;
}

static Elf_Scn *find_section(struct elf_image *img, GElf_Word type, GElf_Shdr *sh)
{
	Elf_Scn *scn = NULL;

	while ((scn = elf_nextscn(img->elf, scn)))
		if (gelf_getshdr(scn, sh) && sh->sh_type == type)
			return scn;
	return NULL;
}

static int by_place(const void *a, const void *b)
{
	const struct elf_sym *x = a, *y = b;

	if (x->section != y->section)
		return x->section < y->section ? -1 : 1;
	if (x->addr != y->addr)
		return x->addr < y->addr ? -1 : 1;
	if (x->size != y->size)			/* the sized one covers */
		return x->size > y->size ? -1 : 1;
	return strcmp(x->name, y->name);
}

/* Mapping symbols ($x, $d), sections, files and the undefined are no symbols. */
static bool wanted(const struct elf_image *img, const GElf_Sym *sym, const char *name)
{
	unsigned int type = GELF_ST_TYPE(sym->st_info);

	return name && *name && name[0] != '$' && type != STT_SECTION && type != STT_FILE &&
	       sym->st_shndx != SHN_UNDEF && sym->st_shndx < img->n_sections;
}

static void add_symbol(struct elf_image *img, const GElf_Sym *sym, const char *name)
{
	img->syms[img->n_syms++] = (struct elf_sym){
		.name = name,
		.addr = sym->st_value,
		.size = sym->st_size,
		.section = sym->st_shndx,
		.code = img->sections[sym->st_shndx].flags & SHF_EXECINSTR,
		.global = GELF_ST_BIND(sym->st_info) != STB_LOCAL,
		.function = GELF_ST_TYPE(sym->st_info) == STT_FUNC,
	};
}

static int read_symbols(struct elf_image *img, char *why, size_t size)
{
	Elf_Data *data;
	GElf_Shdr sh;
	Elf_Scn *scn = find_section(img, SHT_SYMTAB, &sh);
	size_t i, n;

	data = scn ? elf_getdata(scn, NULL) : NULL;
	n = data && sh.sh_entsize ? data->d_size / sh.sh_entsize : 0;
	img->syms = calloc(n + 1, sizeof(*img->syms));
	if (!img->syms)
		return -ENOMEM;
	for (i = 0; i < n; i++) {
		GElf_Sym sym;
		const char *name;

		if (!gelf_getsym(data, i, &sym))
			continue;
		name = elf_strptr(img->elf, sh.sh_link, sym.st_name);
		if (wanted(img, &sym, name))
			add_symbol(img, &sym, name);
	}
	if (!img->n_syms) {
		say_why(why, size, img->path, "expected symbols, found none (stripped?)");
		return -ENODATA;
	}
	qsort(img->syms, img->n_syms, sizeof(*img->syms), by_place);
	return 0;
}

static int by_offset(const void *a, const void *b)
{
	const struct elf_reloc *x = a, *y = b;

	if (x->offset != y->offset)
		return x->offset < y->offset ? -1 : 1;
	return x->type < y->type ? -1 : x->type > y->type;
}

static void add_reloc(struct elf_image *img, struct section *s, const GElf_Rela *rela,
		      Elf_Data *symtab, size_t strings)
{
	struct elf_reloc *r = &s->relocs[s->n_relocs];
	const char *name = NULL;
	GElf_Sym sym;

	if (!symtab || !gelf_getsym(symtab, GELF_R_SYM(rela->r_info), &sym))
		return;
	if (GELF_ST_TYPE(sym.st_info) != STT_SECTION)
		name = elf_strptr(img->elf, strings, sym.st_name);
	*r = (struct elf_reloc){
		.offset = rela->r_offset,
		.type = GELF_R_TYPE(rela->r_info),
		.name = name ? name : "",
		.section = sym.st_shndx < img->n_sections ? sym.st_shndx : 0,
		.value = sym.st_value,
		.addend = rela->r_addend,
	};
	s->n_relocs++;
}

static int read_rela(struct elf_image *img, Elf_Scn *scn, const GElf_Shdr *sh)
{
	Elf_Data *data = elf_getdata(scn, NULL), *symtab;
	struct section *s;
	GElf_Shdr symsh;
	size_t i, n;

	if (!data || !sh->sh_entsize || sh->sh_info >= img->n_sections)
		return 0;
	scn = elf_getscn(img->elf, sh->sh_link);
	symtab = scn && gelf_getshdr(scn, &symsh) ? elf_getdata(scn, NULL) : NULL;
	s = &img->sections[sh->sh_info];
	n = data->d_size / sh->sh_entsize;
	if (s->relocs)
		return 0;
	s->relocs = calloc(n + 1, sizeof(*s->relocs));
	if (!s->relocs)
		return -ENOMEM;
	for (i = 0; i < n; i++) {
		GElf_Rela rela;

		if (gelf_getrela(data, i, &rela))
			add_reloc(img, s, &rela, symtab, symsh.sh_link);
	}
	qsort(s->relocs, s->n_relocs, sizeof(*s->relocs), by_offset);
	return 0;
}

static int read_relocs(struct elf_image *img)
{
	Elf_Scn *scn = NULL;
	GElf_Shdr sh;
	int err;

	if (img->ehdr.e_type != ET_REL)
		return 0;
	while ((scn = elf_nextscn(img->elf, scn))) {
		if (!gelf_getshdr(scn, &sh) || sh.sh_type != SHT_RELA)
			continue;
		err = read_rela(img, scn, &sh);
		if (err)
			return err;
	}
	return 0;
}

static int read_all(struct elf_image *img, char *why, size_t size)
{
	int err = read_header(img, why, size);

	if (err)
		return err;
	err = read_sections(img);
	if (!err)
		err = read_symbols(img, why, size);
	if (!err)
		err = read_relocs(img);
	if (err && err != -ENODATA)
		say_why(why, size, img->path, "a broken ELF file: %s", strerror(-err));
	return err;
}

struct elf_image *elf_open(const char *path, char *why, size_t why_size)
{
	struct elf_image *img = calloc(1, sizeof(*img));

	elf_version(EV_CURRENT);
	if (!img)
		return NULL;
	img->path = strdup(path);
	img->fd = open(path, O_RDONLY | O_CLOEXEC);
	if (img->fd < 0) {
		say_why(why, why_size, path, "%s", strerror(errno));
		elf_close(img);
		return NULL;
	}
	img->elf = elf_begin(img->fd, ELF_C_READ_MMAP, NULL);
	if (read_all(img, why, why_size)) {
		elf_close(img);
		return NULL;
	}
	return img;
}

void elf_close(struct elf_image *img)
{
	size_t i;

	if (!img)
		return;
	for (i = 0; img->sections && i < img->n_sections; i++)
		free(img->sections[i].relocs);
	free(img->sections);
	free(img->syms);
	elf_end(img->elf);
	if (img->fd >= 0)
		close(img->fd);
	free(img->path);
	free(img);
}

const char *elf_path(const struct elf_image *img)
{
	return img->path;
}

const char *elf_arch(const struct elf_image *img)
{
	size_t i;

	for (i = 0; i < sizeof(machines) / sizeof(machines[0]); i++)
		if (machines[i].machine == img->ehdr.e_machine)
			return machines[i].arch;
	return NULL;
}

bool elf_relocatable(const struct elf_image *img)
{
	return img->ehdr.e_type == ET_REL;
}

bool elf_has_dwarf(const struct elf_image *img)
{
	size_t i;

	for (i = 1; i < img->n_sections; i++)
		if (img->sections[i].name && !strcmp(img->sections[i].name, ".debug_info"))
			return true;
	return false;
}

size_t elf_count(const struct elf_image *img)
{
	return img->n_syms;
}

const struct elf_sym *elf_at(const struct elf_image *img, size_t i)
{
	return &img->syms[i];
}

/* One ".word" or ".word.number" of a compiler; NULL: it is none. */
static const char *skip_suffix(const char *s)
{
	static const char *const words[] = { "isra", "constprop", "part", "cold", "lto_priv" };
	size_t i, n;

	for (i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
		n = strlen(words[i]);
		if (s[0] != '.' || strncmp(s + 1, words[i], n))
			continue;
		s += 1 + n;
		if (s[0] == '.' && s[1] >= '0' && s[1] <= '9')
			s += 1 + strspn(s + 1, "0123456789");
		return *s == '.' || !*s ? s : NULL;
	}
	return NULL;
}

bool elf_is_clone(const char *sym, const char *name)
{
	size_t n = strlen(name);

	if (strncmp(sym, name, n))
		return false;
	for (sym += n; sym && *sym;)
		sym = skip_suffix(sym);
	return sym != NULL;
}

size_t elf_find(const struct elf_image *img, const char *name,
		const struct elf_sym **found, size_t max)
{
	size_t i, n = 0;

	for (i = 0; i < img->n_syms; i++) {
		if (!img->syms[i].code || !elf_is_clone(img->syms[i].name, name))
			continue;
		if (n < max)
			found[n] = &img->syms[i];
		n++;
	}
	return n;
}

/* The first symbol of @section at or behind @addr. */
static size_t lower_bound(const struct elf_image *img, unsigned int section, uint64_t addr)
{
	size_t lo = 0, hi = img->n_syms;

	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;
		const struct elf_sym *s = &img->syms[mid];

		if (s->section < section || (s->section == section && s->addr < addr))
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo;
}

const struct elf_sym *elf_covering(const struct elf_image *img, unsigned int section,
				   uint64_t addr)
{
	size_t i = lower_bound(img, section, addr + 1);

	while (i-- > 0 && img->syms[i].section == section) {
		const struct elf_sym *s = &img->syms[i];

		if (s->size && addr - s->addr < s->size) {
			while (i > 0 && by_place(&img->syms[i - 1], s) < 0 &&
			       img->syms[i - 1].section == section &&
			       img->syms[i - 1].addr == s->addr)
				s = &img->syms[--i];	/* the first of the aliases */
			return s;
		}
		if (s->size)
			return NULL;
	}
	return NULL;
}

bool elf_in_memory(const struct elf_image *img, const struct elf_sym *sym)
{
	return img->sections[sym->section].flags & SHF_ALLOC;
}

const uint8_t *elf_bytes(const struct elf_image *img, const struct elf_sym *sym)
{
	const struct section *s = &img->sections[sym->section];
	uint64_t offset = sym->addr - (elf_relocatable(img) ? 0 : s->addr);

	if (!s->bytes || offset > s->size || sym->size > s->size - offset)
		return NULL;
	return s->bytes + offset;
}

unsigned int elf_entry_alignment(const struct elf_sym *sym)
{
	uint64_t bit = sym->addr & -sym->addr;

	return bit && bit < 4096 ? bit : 4096;
}

uint64_t elf_padding(const struct elf_image *img, const struct elf_sym *sym)
{
	uint64_t end = sym->addr + sym->size;
	size_t i = lower_bound(img, sym->section, end);

	while (i < img->n_syms && img->syms[i].section == sym->section && !img->syms[i].function)
		i++;
	if (i == img->n_syms || img->syms[i].section != sym->section)
		return 0;
	return img->syms[i].addr - end;
}

const char *elf_section(const struct elf_image *img, unsigned int i, bool *code)
{
	if (i >= img->n_sections)
		return NULL;
	*code = img->sections[i].flags & SHF_EXECINSTR;
	return img->sections[i].name ? img->sections[i].name : "";
}

const struct elf_reloc *elf_relocs(const struct elf_image *img, unsigned int section, size_t *n)
{
	*n = section < img->n_sections ? img->sections[section].n_relocs : 0;
	return *n ? img->sections[section].relocs : NULL;
}

/* --- two objects: are they one? -------------------------------------------- */

static bool same_reloc(const struct elf_image *a, const struct elf_reloc *x,
		       const struct elf_image *b, const struct elf_reloc *y)
{
	bool same_section = !x->section == !y->section &&
		(!x->section || !strcmp(a->sections[x->section].name,
					b->sections[y->section].name));

	return x->offset == y->offset && x->type == y->type && x->addend == y->addend &&
	       same_section && !strcmp(x->name, y->name) &&
	       (*x->name || x->value == y->value);
}

static bool same_section(const struct elf_image *a, const struct section *x,
			 const struct elf_image *b, const struct section *y)
{
	size_t i;

	if (x->size != y->size || x->n_relocs != y->n_relocs)
		return false;
	if (x->size && x->bytes && y->bytes && memcmp(x->bytes, y->bytes, x->size))
		return false;
	for (i = 0; i < x->n_relocs; i++)
		if (!same_reloc(a, &x->relocs[i], b, &y->relocs[i]))
			return false;
	return true;
}

/* The n-th section of that name: -ffunction-sections may make several. */
static const struct section *counterpart(const struct elf_image *a, size_t i,
					 const struct elf_image *b)
{
	const char *name = a->sections[i].name;
	unsigned int nth = 0;
	size_t k;

	for (k = 1; k < i; k++)
		nth += a->sections[k].name && !strcmp(a->sections[k].name, name);
	for (k = 1; k < b->n_sections; k++)
		if (b->sections[k].name && !strcmp(b->sections[k].name, name) && nth-- == 0)
			return &b->sections[k];
	return NULL;
}

/* Is every section of @a with those flags the same in @b? */
static bool sections_match(const struct elf_image *a, const struct elf_image *b,
			   uint64_t flags, char *where, size_t size)
{
	const struct section *s, *other;
	size_t i;

	for (i = 1; i < a->n_sections; i++) {
		s = &a->sections[i];
		if (!s->name || (s->flags & (SHF_ALLOC | SHF_EXECINSTR)) != flags)
			continue;
		other = counterpart(a, i, b);
		if (!other && !s->size)
			continue;
		if (!other || !same_section(a, s, b, other)) {
			snprintf(where, size, "%s, %s", s->name,
				 !other ? "in one only" : s->size != other->size ?
				 "of another size" : "of other content");
			return false;
		}
	}
	return true;
}

enum elf_same elf_compare(const struct elf_image *a, const struct elf_image *b,
			  char *where, size_t where_size)
{
	uint64_t code = SHF_ALLOC | SHF_EXECINSTR;

	*where = '\0';
	if (!sections_match(a, b, code, where, where_size) ||
	    !sections_match(b, a, code, where, where_size))
		return ELF_DIFFERENT;
	if (!sections_match(a, b, SHF_ALLOC, where, where_size) ||
	    !sections_match(b, a, SHF_ALLOC, where, where_size))
		return ELF_SAME_CODE_OTHER_DATA;
	return ELF_SAME;
}
