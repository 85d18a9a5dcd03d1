// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A script as a far end: "script:FILE".  Its lines are done one after another:
 *
 *	udp 192.0.2.2:7 > 192.0.2.1:9 len 18..1472/7	frames to send, as "tagrig
 *							gen" has them
 *	expect udp dport 9 csum good count 3 within 5s	waits for frames that
 *							leave the port, as in scenarios
 *
 * Every frame that leaves the port is judged.  It counts for the first "expect"
 * that has not ended yet and whose conditions select it, and must then be what
 * that line says; a frame that no line selects must have right checksums.
 * What is wrong is a line on stderr, and exit status 1 at the end.
 *
 * Frames without MAC addresses in the script go to the address that was last
 * seen to send by the port.
 */
#include "farend.h"

#include <stdlib.h>

#include "net/desc.h"
#include "net/judge.h"
#include "pattern.h"

#define WITHIN_MS	5000
#define SAID_MAX	10	/* lines about single frames */

struct line {
	unsigned int number;
	struct desc *desc;	/* to send; NULL: an expectation */
	struct pattern pattern;
	unsigned long count;
	int within_ms;
	uint64_t seen, unlike;	/* frames, and those that were not as wanted */
	char unlike_text[64];	/* what the first of them was */
};

struct script_end {
	struct farend fe;
	char port[16], file[200];
	struct line *lines;
	size_t count, at;	/* .at is the line that is being done */
	bool started, waiting;
	int64_t deadline;
	uint8_t mac[6], guest_mac[6];
	uint64_t sent, held, failed, judged, wrong;
};

static struct script_end *script_of(struct farend *fe)
{
	return (struct script_end *)fe;
}

/* --- reading -------------------------------------------------------------- */

static int parse_expect(struct line *l, struct cursor *c)
{
	int got;

	l->count = 1;
	l->within_ms = WITHIN_MS;
	while ((got = pattern_term(&l->pattern, c)) >= 0) {
		if (got)
			continue;
		if (!cursor_word(c))
			return 0;
		if (!strcmp(c->word, "count"))
			got = cursor_number(c, "a count", 1, 1000000000, &l->count);
		else if (!strcmp(c->word, "within"))
			got = cursor_time(c, &l->within_ms);
		else
			got = cursor_expected(c, "a field of the frame, csum, count or within");
		if (got < 0)
			break;
	}
	return got;
}

static int parse_frames(struct line *l, struct cursor *c, uint64_t seed)
{
	const char *text = cursor_rest(c);
	struct desc_error error;
	enum tag_dir dir;

	l->desc = desc_parse(text, c->file, c->line,
			     (unsigned int)(c->word_at - c->text) + 1, seed, &error);
	if (!l->desc) {
		snprintf(c->error, ERROR_SIZE, "%s", error.text);
		return -EINVAL;
	}
	if (desc_tag(l->desc, &dir))
		return cursor_error(c, "expected frames without a tag (the switch adds it), found %s",
				    tag_name(desc_tag(l->desc, &dir)));
	return 0;
}

static int parse_line(struct line *l, struct cursor *c, uint64_t seed)
{
	l->number = c->line;
	cursor_word(c);
	if (!strcmp(c->word, "expect"))
		return parse_expect(l, c);
	cursor_back(c);
	return parse_frames(l, c, seed);
}

static int parse_lines(struct script_end *s, const struct source *src, uint64_t seed,
		       char *error)
{
	struct cursor c;
	size_t i;
	int err = 0;

	s->lines = calloc(src->count + 1, sizeof(*s->lines));
	for (i = 0; s->lines && !err && i < src->count; i++) {
		cursor_init(&c, src, i, error);
		if (cursor_more(&c))
			err = parse_line(&s->lines[s->count++], &c, seed);
	}
	return s->lines ? err : -ENOMEM;
}

static int read_script(struct script_end *s, uint64_t seed, char *why)
{
	char error[ERROR_SIZE];
	struct source src;
	int err = source_read(&src, s->file, error);

	if (err)	/* not a mistake in the command line, unless it is no text */
		return why_set(why, err, "%s", error);
	err = parse_lines(s, &src, seed, error);
	source_free(&src);
	return err ? why_set(why, err, "%s", err == -ENOMEM ? strerror(ENOMEM) : error) : 0;
}

static void script_close(struct farend *fe)
{
	struct script_end *s = script_of(fe);
	size_t i;

	for (i = 0; i < s->count; i++)
		desc_free(s->lines[i].desc);
	free(s->lines);
	free(s);
}

static int script_open(const struct farend_spec *spec, struct farend **out, char *why)
{
	struct script_end *s = calloc(1, sizeof(*s));

	if (!s)
		return why_set(why, -ENOMEM, "%s", strerror(ENOMEM));
	farend_init(&s->fe, &farend_script, spec, -1);
	*out = &s->fe;
	snprintf(s->port, sizeof(s->port), "%s", spec->port);
	if ((size_t)snprintf(s->file, sizeof(s->file), "%s", spec->args) >= sizeof(s->file))
		return why_set(why, -EINVAL, "script: expected a name of at most %zu bytes",
			       sizeof(s->file) - 1);
	memcpy(s->mac, (uint8_t[]){ 0x02, 0, 0x5e, 0x10, 2, spec->index }, 6);
	memset(s->guest_mac, 0xff, 6);
	return read_script(s, spec->seed, why);
}

/* --- expectations --------------------------------------------------------- */

static bool is_met(const struct line *l)
{
	return l->seen >= l->count;
}

static void end_expectation(struct script_end *s, const struct line *l)
{
	if (is_met(l) && !l->unlike) {
		s->held++;
		return;
	}
	s->failed++;
	s->fe.wrong = true;
	if (l->unlike)
		fprintf(stderr, "%s: %s:%u: %llu of %llu frames are not as expected, the first: %s\n",
			s->port, s->file, l->number, (unsigned long long)l->unlike,
			(unsigned long long)l->seen, l->unlike_text);
	else
		fprintf(stderr, "%s: %s:%u: expected %lu frame%s within %d ms, found %llu\n",
			s->port, s->file, l->number, l->count, l->count == 1 ? "" : "s",
			l->within_ms, (unsigned long long)l->seen);
}

/* The line that waits is over, met or not; false: it goes on waiting. */
static bool wait_is_over(struct script_end *s)
{
	struct line *l = &s->lines[s->at];

	if (!s->waiting) {
		s->waiting = true;
		s->deadline = loop_now() + l->within_ms;
		farend_arm(&s->fe, l->within_ms);
	}
	if (!is_met(l) && loop_now() < s->deadline)
		return false;
	s->fe.timer.at_ms = 0;
	s->waiting = false;
	end_expectation(s, l);
	return true;
}

/* The first expectation, of those that have not ended, that selects the frame. */
static struct line *selecting(struct script_end *s, const struct verdict *v, size_t len)
{
	size_t i;

	for (i = s->at; i < s->count; i++)
		if (!s->lines[i].desc && !is_met(&s->lines[i]) &&
		    pattern_matches(&s->lines[i].pattern, v, len))
			return &s->lines[i];
	return NULL;
}

static void judge_expected(struct line *l, const struct verdict *v)
{
	const char *got = NULL;

	l->seen++;
	if (pattern_holds(&l->pattern, v, &got))
		return;
	if (!l->unlike++)
		snprintf(l->unlike_text, sizeof(l->unlike_text), "checksum %s", got);
}

static void judge_unexpected(struct script_end *s, const struct verdict *v)
{
	bool l4 = v->l4.state == CSUM_WRONG;
	char text[160];

	if (!l4 && v->ip.state != CSUM_WRONG)
		return;
	s->fe.wrong = true;
	if (s->wrong++ < SAID_MAX)
		fprintf(stderr, "%s: frame %llu: %s: wrong %s checksum (%s)\n", s->port,
			(unsigned long long)s->judged, judge_text(v, text, sizeof(text)),
			l4 ? "layer-4" : "IPv4 header",
			csum_kind_name(l4 ? v->l4.kind : v->ip.kind));
}

static int script_send(struct farend *fe, const struct frame *f)
{
	struct script_end *s = script_of(fe);
	struct verdict v;
	struct line *l;

	if (judge_frame(f->data, f->len, &v) < 0)
		return 0;
	s->judged++;
	if (!(f->data[6] & 1))
		memcpy(s->guest_mac, f->data + 6, 6);
	l = selecting(s, &v, f->len);
	if (l)
		judge_expected(l, &v);
	else
		judge_unexpected(s, &v);
	if (s->waiting && is_met(&s->lines[s->at]))
		fe->readable = true;
	return 0;
}

/* --- sending -------------------------------------------------------------- */

static int script_next(struct farend *fe, struct frame *f)
{
	struct script_end *s = script_of(fe);
	int got;

	for (; s->at < s->count; s->at++) {
		struct line *l = &s->lines[s->at];

		if (!l->desc) {
			if (!wait_is_over(s))
				return 0;
			continue;
		}
		desc_default_macs(l->desc, s->guest_mac, s->mac);
		got = desc_next(l->desc, f);
		if (got < 0)
			return why_set(fe->why, got, "%.100s:%u: %.120s", s->file, l->number,
				       desc_why(l->desc));
		s->sent += got;
		if (got)
			return 1;
	}
	fe->done = true;
	return 0;
}

static void script_start(struct farend *fe)
{
	fe->readable |= !script_of(fe)->started;
	script_of(fe)->started = true;
}

static void script_ready(struct farend *fe)
{
	fe->readable = true;
}

static unsigned int script_notes(struct farend *fe, struct farend_note *notes)
{
	const struct script_end *s = script_of(fe);

	notes[0] = (struct farend_note){ "sent", s->sent, false };
	notes[1] = (struct farend_note){ "judged", s->judged, false };
	notes[2] = (struct farend_note){ "wrong", s->wrong, false };
	notes[3] = (struct farend_note){ "expectations-held", s->held, false };
	notes[4] = (struct farend_note){ "expectations-failed", s->failed, false };
	notes[5] = (struct farend_note){ "lines-left", s->count - s->at, false };
	return 6;
}

const struct farend_ops farend_script = {
	.kind = "script",
	.form = "script:FILE",
	.help = "frames from descriptions; what leaves is judged, and may be expected",
	.needs_args = true,
	.waits = true,
	.open = script_open,
	.send = script_send,
	.next = script_next,
	.ready = script_ready,
	.start = script_start,
	.notes = script_notes,
	.close = script_close,
};
