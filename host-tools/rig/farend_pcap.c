// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A capture as a far end: its frames come in at the port, and what leaves the
 * port can be recorded in another.
 *
 *	pcap:FILE[,rate=N|captured][,loop[=N]][,if=NAME][,wait][,record=FILE]
 *
 * Without a rate frames come as fast as the guest takes them.  It begins when
 * QEMU is connected, with "wait" when the first frame leaves by the port.
 * Frames are those of one untagged Ethernet interface (of a pcapng with several
 * that are, of all, unless "if" names one).  Frames that the capture says have
 * left by the interface are not sent in again, and cut ones neither; both are
 * counted.  FILE is read as its frames are needed: a pipe that has nothing to give
 * holds everything up, so it is for files, and for programs that read them.
 */
#include "farend.h"

#include <stdlib.h>
#include <time.h>

#include "net/capture.h"
#include "net/linktype.h"

#define NS		1000000000ull
#define BURST_NS	10000000ull	/* what a source may make up for after a pause */

struct pcap_end {
	struct farend fe;
	char file[200], record_file[200], interface[64];
	struct capture *capture;
	struct pcapng *record;
	struct capture_packet packet;	/* the next one, if .held */
	bool held, wait, started, captured, sent_any;
	uint64_t loops;			/* that are left after this one */
	uint64_t interval_ns;		/* between frames; 0: none */
	uint64_t due_ns;		/* when the next one may go */
	uint64_t base_ns, first_ns;	/* with .captured: our clock, and the capture's */
	uint64_t sent, left_by, other_if, cut;
};

static struct pcap_end *pcap_of(struct farend *fe)
{
	return (struct pcap_end *)fe;
}

static uint64_t now_ns(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return ts.tv_sec * NS + ts.tv_nsec;
}

/* --- options -------------------------------------------------------------- */

static bool take_text(char *to, size_t size, const char *value)
{
	return value && *value && (size_t)snprintf(to, size, "%s", value) < size;
}

/* "1000", "50k", "2M": frames a second. */
static bool take_rate(struct pcap_end *p, const char *value)
{
	char *end = NULL;
	double rate;

	if (value && !strcmp(value, "captured")) {
		p->captured = true;
		return true;
	}
	rate = value && *value >= '0' && *value <= '9' ? strtod(value, &end) : 0;
	if (!end)
		return false;
	if (*end == 'k' || *end == 'M')
		rate *= *end++ == 'k' ? 1e3 : 1e6;
	if (!(rate >= 0.001 && rate <= 1e9) || *end)
		return false;
	p->interval_ns = NS / rate;
	return true;
}

static bool take_loop(struct pcap_end *p, const char *value)
{
	char *end;

	p->loops = UINT64_MAX;
	if (!value)
		return true;
	p->loops = strtoull(value, &end, 10) - 1;
	return *value >= '1' && *value <= '9' && !*end;
}

static bool take_option(struct pcap_end *p, const char *name, const char *value)
{
	if (!strcmp(name, "rate"))
		return take_rate(p, value);
	if (!strcmp(name, "loop"))
		return take_loop(p, value);
	if (!strcmp(name, "record"))
		return take_text(p->record_file, sizeof(p->record_file), value);
	if (!strcmp(name, "if"))
		return take_text(p->interface, sizeof(p->interface), value);
	p->wait = !strcmp(name, "wait") && !value;
	return p->wait;
}

static int parse(struct pcap_end *p, const struct farend_spec *spec, char *why)
{
	const char *at = spec->args, *begin;
	char option[300], *value;
	int got;

	got = farend_option(&at, option, sizeof(option), &value);
	/* the name of a file may have '=' in it */
	if (got == 1 && value)
		value[-1] = '=';
	if (got != 1 || !take_text(p->file, sizeof(p->file), option))
		return why_set(why, -EINVAL, "expected %s, found 'pcap:%.100s'",
			       farend_pcap.form, spec->args);
	for (begin = at; (got = farend_option(&at, option, sizeof(option), &value)); begin = at)
		if (got < 0 || !take_option(p, option, value))
			return why_set(why, -EINVAL,
				       "pcap: expected rate=FRAMES-A-SECOND (k, M) or rate=captured, loop[=N], if=NAME, wait or record=FILE, found '%.80s'",
				       begin);
	if (p->loops && !strcmp(p->file, "-"))
		return why_set(why, -EINVAL, "pcap: standard input cannot be played in a loop");
	return 0;
}

/* --- reading -------------------------------------------------------------- */

static int open_capture(struct pcap_end *p, char *why)
{
	int err;

	capture_close(p->capture);
	p->capture = NULL;
	err = capture_open(&p->capture, p->file);
	if (!err)
		return 0;
	why_set(why, err, "%s", p->capture ? capture_error(p->capture) : strerror(-err));
	return err == -EINVAL ? -EPROTO : err;
}

/* Is interface @i one whose frames a port can carry? */
static int check_interface(const struct pcap_end *p, const struct capture_if *i, char *why)
{
	const struct tag_format *tag;
	char reason[WHY_SIZE];

	if (linktype_tag(i, &tag, reason))
		return why_set(why, -EPROTO, "%.100s: %.150s", p->file, reason);
	if (tag && tag != tag_by_name("none"))
		return why_set(why, -EPROTO,
			       "%.100s: expected untagged frames, found %s tags on interface '%.40s' (if=NAME plays another one)",
			       p->file, tag_name(tag), i->name);
	return 0;
}

/* What to do after a packet, or the end of the file. */
enum { GO_ON, TAKE };

/* TAKE: the packet may be sent; GO_ON: it is passed over; -EPROTO. */
static int consider(struct pcap_end *p)
{
	const struct capture_if *i = capture_interface(p->capture, p->packet.iface);
	int err;

	if (*p->interface && (!i || strcmp(i->name, p->interface) != 0)) {
		p->other_if++;
		return GO_ON;
	}
	err = i ? check_interface(p, i, p->fe.why) : 0;
	if (err)
		return err;
	if (p->packet.dir == PCAPNG_OUT) {
		p->left_by++;
		return GO_ON;
	}
	if (p->packet.len < p->packet.wire_len || p->packet.len > FRAME_MAX) {
		p->cut++;
		return GO_ON;
	}
	return TAKE;
}

/* The end of the file: it begins again, or .done is set. */
static int begin_again(struct pcap_end *p)
{
	if (!p->loops || !p->sent_any) {
		p->fe.done = true;
		return GO_ON;
	}
	if (p->loops != UINT64_MAX)
		p->loops--;
	p->sent_any = false;
	p->base_ns = 0;
	return open_capture(p, p->fe.why);
}

/* Gets the next packet to send: 1, 0 at the end, -errno. */
static int fetch(struct pcap_end *p)
{
	int got;

	for (;;) {
		got = capture_next(p->capture, &p->packet);
		if (got < 0)
			return why_set(p->fe.why, got, "%s", capture_error(p->capture));
		got = got ? consider(p) : begin_again(p);
		if (got < 0 || p->fe.done || got == TAKE)
			return got == TAKE ? 1 : got;
	}
}

/* --- pace ----------------------------------------------------------------- */

static void set_due(struct pcap_end *p, uint64_t now)
{
	if (!p->captured)
		return;
	if (!p->base_ns) {
		p->base_ns = now;
		p->first_ns = p->packet.time_ns;
	}
	p->due_ns = p->base_ns;
	if (p->packet.time_ns > p->first_ns)
		p->due_ns += p->packet.time_ns - p->first_ns;
}

/* May the held packet go now?  If not the timer is armed. */
static bool is_due(struct pcap_end *p)
{
	uint64_t now;

	if (!p->captured && !p->interval_ns)
		return true;
	now = now_ns();
	set_due(p, now);
	if (now < p->due_ns) {
		farend_arm(&p->fe, (p->due_ns - now) / 1000000 + 1);
		return false;
	}
	/* late by more than a burst: the guest did not read meanwhile */
	if (!p->captured && now - p->due_ns > BURST_NS)
		p->due_ns = now - BURST_NS;
	p->due_ns += p->interval_ns;
	return true;
}

static int pcap_next(struct farend *fe, struct frame *f)
{
	struct pcap_end *p = pcap_of(fe);
	int got;

	if (fe->done)
		return 0;
	if (!p->held) {
		got = fetch(p);
		if (got != 1)
			return got;
		p->held = true;
	}
	if (!is_due(p))
		return 0;
	p->held = false;
	if (frame_set(f, p->packet.data, p->packet.len))
		return why_set(fe->why, -ENOBUFS, "no room for a frame");
	p->sent_any = true;
	p->sent++;
	return 1;
}

/* --- the far end ---------------------------------------------------------- */

static void begin(struct pcap_end *p)
{
	if (p->started)
		return;
	p->started = true;
	p->due_ns = now_ns();
	p->fe.readable = true;
}

static void pcap_start(struct farend *fe)
{
	if (!pcap_of(fe)->wait)
		begin(pcap_of(fe));
}

static void pcap_ready(struct farend *fe)
{
	fe->readable = true;
}

static int pcap_send(struct farend *fe, const struct frame *f)
{
	struct pcap_end *p = pcap_of(fe);
	struct timespec ts;
	int err;

	begin(p);
	if (!p->record)
		return 0;
	clock_gettime(CLOCK_REALTIME, &ts);
	err = pcapng_write(p->record, 0, ts.tv_sec * NS + ts.tv_nsec, PCAPNG_OUT, f->data,
			   f->len, NULL);
	return err ? why_set(fe->why, err, "%s: %s", p->record_file, strerror(-err)) : 0;
}

static int pcap_flush(struct farend *fe)
{
	struct pcap_end *p = pcap_of(fe);
	int err = p->record ? pcapng_flush(p->record) : 0;

	return err ? why_set(fe->why, err, "%s: %s", p->record_file, strerror(-err)) : 0;
}

static int open_record(struct pcap_end *p, const char *port, char *why)
{
	size_t n = strlen(p->record_file);
	bool classic = n > 5 && !strcmp(p->record_file + n - 5, ".pcap");
	int err;

	if (!*p->record_file)
		return 0;
	err = pcapng_create(&p->record, p->record_file, classic ? PCAP_CLASSIC : PCAPNG);
	if (!err)
		err = pcapng_interface(p->record, port, NULL, LINKTYPE_ETHERNET);
	if (err >= 0)
		return 0;
	return why_set(why, err == -EINVAL ? -EIO : err, "%s: %s", p->record_file,
		       strerror(-err));
}

/* A classic capture has one interface, which is known from the start. */
static int check_first(const struct pcap_end *p, char *why)
{
	const struct capture_if *i = capture_interface(p->capture, 0);

	return i && !*p->interface ? check_interface(p, i, why) : 0;
}

static void pcap_close(struct farend *fe)
{
	struct pcap_end *p = pcap_of(fe);

	capture_close(p->capture);
	if (p->record)
		pcapng_close(p->record);
	free(p);
}

static int pcap_open(const struct farend_spec *spec, struct farend **out, char *why)
{
	struct pcap_end *p = calloc(1, sizeof(*p));
	int err;

	if (!p)
		return why_set(why, -ENOMEM, "%s", strerror(ENOMEM));
	farend_init(&p->fe, &farend_pcap, spec, -1);
	*out = &p->fe;
	err = parse(p, spec, why) ?: open_capture(p, why) ?: check_first(p, why) ?:
	      open_record(p, spec->port, why);
	return err;
}

static unsigned int pcap_notes(struct farend *fe, struct farend_note *notes)
{
	const struct pcap_end *p = pcap_of(fe);

	notes[0] = (struct farend_note){ "played", p->sent, false };
	notes[1] = (struct farend_note){ "not-played-left-by", p->left_by, false };
	notes[2] = (struct farend_note){ "not-played-cut", p->cut, false };
	notes[3] = (struct farend_note){ "not-played-other-if", p->other_if, false };
	return 4;
}

const struct farend_ops farend_pcap = {
	.kind = "pcap",
	.form = "pcap:FILE[,rate=N|captured][,loop[=N]][,if=NAME][,wait][,record=FILE]",
	.help = "frames of a capture come in; what leaves is recorded",
	.needs_args = true,
	.waits = true,
	.open = pcap_open,
	.send = pcap_send,
	.next = pcap_next,
	.flush = pcap_flush,
	.ready = pcap_ready,
	.start = pcap_start,
	.notes = pcap_notes,
	.close = pcap_close,
};
