// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Runs one scenario: see exec.h.
 *
 * A scenario is a list of steps; "test" begins a check that ends at the next
 * "test" or at the end of the file.  What stands above the first one is
 * set-up: when that fails, every test of the file fails for that reason.
 *
 * An expectation may have an "instead" below it, which says what a kernel
 * with the bug shows.  What a test then comes to:
 *
 *	kernel    expectation   instead     result
 *	fixed     holds                     pass
 *	broken    does not      holds       expected failure: reproduced
 *	broken    holds                     fail: reproduces nothing
 *	unknown   holds                     pass
 *	unknown   does not      holds       expected failure: has the bug
 *	any       else                      fail
 *
 * An expectation without "instead" is a control and must hold on every kernel.
 */
#include "exec.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "expect.h"
#include "net/capture.h"
#include "net/desc.h"
#include "shell.h"

#define AGENT_SLACK_MS 10000	/* host time on top of a guest command's limit */
#define DRAIN_MS       20000
#define CONNECT_MS     10000

/* A test under way. */
struct test {
	const char *name;		/* NULL: set-up */
	char failed[400];		/* first reason, or empty */
	char shown[400];		/* what was seen, pieced together */
	unsigned int pairs;		/* expectations with "instead" */
	unsigned int as_broken;		/* of those: showed the bug */
	unsigned int as_fixed;
};

struct run {
	struct exec *e;
	struct bridge bridge;
	struct expect_context x;
	struct test test;
	bool no_tagger;			/* the kernel does not have it: nothing can run */
};

static void fail(struct run *r, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));

static void fail(struct run *r, const char *fmt, ...)
{
	va_list ap;

	if (r->test.failed[0])
		return;
	va_start(ap, fmt);
	vsnprintf(r->test.failed, sizeof(r->test.failed), fmt, ap);
	va_end(ap);
}

static void show(struct run *r, const char *text)
{
	size_t n = strlen(r->test.shown);

	snprintf(r->test.shown + n, sizeof(r->test.shown) - n, "%s%s", n ? "; " : "", text);
}

/* --- what the wires see --------------------------------------------------- */

static void on_frame(struct bridge *b, const struct bridge_frame *f)
{
	struct run *r = b->ctx;

	if (!f->port) {
		bad_tags_add(&r->x.bad, f->why);
		return;
	}
	frame_log_add(&r->x.log, f);
}

/* --- commands in the guest ------------------------------------------------ */

static void one_line(char *s)
{
	size_t n = strlen(s);

	while (n && (s[n - 1] == '\n' || s[n - 1] == ' '))
		s[--n] = '\0';
	for (; *s; s++) {
		if (*s == '\n')
			*s = ' ';
	}
}

static void explain_command(struct run *r, const struct step *s, struct agent_job *job)
{
	if (job->error[0]) {
		fail(r, "line %u: the guest cannot run '%.80s': %s", s->line, s->text,
		     job->error);
	} else if (job->timed_out) {
		fail(r, "line %u: '%.80s' was not done within %d ms", s->line, s->text,
		     s->within_ms);
	} else {
		one_line(job->err);
		fail(r, "line %u: '%.80s' ended with status %d: %.160s", s->line, s->text,
		     job->exit, job->err);
	}
}

static int step_guest(struct run *r, const struct step *s)
{
	struct agent *a = &r->e->vm->agent;
	struct agent_job *job = agent_start(a, s->text, s->within_ms, NULL);
	int err;

	if (!job)
		return -EPIPE;
	err = agent_wait(a, job, s->within_ms + AGENT_SLACK_MS);
	if (!err && (job->error[0] || job->timed_out || job->exit != s->exit))
		explain_command(r, s, job);
	agent_forget(a, job);
	return err;
}

static int step_start(struct run *r, const struct step *s)
{
	struct agent *a = &r->e->vm->agent;
	struct agent_job *job;
	int err = 0;

	if (r->x.jobs == SCENARIO_JOBS) {
		fail(r, "line %u: more than %d commands are running", s->line, SCENARIO_JOBS);
		return 0;
	}
	job = agent_start(a, s->text, s->within_ms, s->ready[0] ? s->ready : "ready");
	if (!job)
		return -EPIPE;
	r->x.job[r->x.jobs++] = (struct scenario_job){ s->name, job };
	err = agent_wait_ready(a, job, s->within_ms + AGENT_SLACK_MS);
	if (!err && !job->ready[0])
		explain_command(r, s, job);
	return err;
}

/* Lets go of the started commands: they belong to one test. */
static void forget_jobs(struct run *r)
{
	while (r->x.jobs) {
		struct agent_job *job = r->x.job[--r->x.jobs].job;

		agent_cancel(&r->e->vm->agent, job);
		agent_forget(&r->e->vm->agent, job);
	}
}

/* --- the wires ------------------------------------------------------------ */

static int step_peer(struct run *r, const struct step *s)
{
	struct bridge_port *port = bridge_find(&r->bridge, s->name);
	unsigned int i;

	if (!port) {
		fail(r, "line %u: there is no port %s", s->line, s->name);
		return 0;
	}
	for (i = 0; i < s->addrs; i++) {
		if (peer_add(&port->peer, s->addr[i]))
			fail(r, "line %u: expected an IPv4 or IPv6 address, found '%s'",
			     s->line, s->addr[i]);
	}
	return 0;
}

/* Sends one frame to where @name says; waits while the guest takes no more. */
static int send_to(struct run *r, const char *name, struct frame *f)
{
	struct bridge_port *port = bridge_find(&r->bridge, name);
	int err;

	for (;;) {
		err = port ? bridge_send(port, f) : bridge_send_raw(&r->bridge, 0, f);
		if (err != -EAGAIN)
			return err;
		err = bridge_drain(&r->bridge, DRAIN_MS);
		if (err)
			return err;
	}
}

static int send_all(struct run *r, const struct step *s, struct desc *d)
{
	uint8_t *storage = malloc(FRAME_STORAGE);
	struct frame f;
	int err = storage ? 0 : -ENOMEM;

	while (!err) {
		frame_init(&f, storage, FRAME_STORAGE);
		err = desc_next(d, &f);
		if (err < 0)
			fail(r, "line %u: %s", s->line, desc_why(d));
		if (err <= 0)
			break;
		err = send_to(r, s->name, &f);
	}
	free(storage);
	if (r->test.failed[0])
		return 0;
	return err ?: bridge_drain(&r->bridge, DRAIN_MS);
}

/*
 * Frames that name no addresses go from the port's far end to the guest's
 * device of that name, as a learning switch would send them.
 */
static int give_macs(struct run *r, const struct bridge_port *port, struct desc *d)
{
	char command[96], *text;
	unsigned int b[6];
	uint8_t mac[6];
	int i, err = 0;

	snprintf(command, sizeof(command), "cat /sys/class/net/%s/address", port->name);
	text = guest_output(r->e->vm, command, &err);
	if (text && sscanf(text, "%x:%x:%x:%x:%x:%x", &b[0], &b[1], &b[2], &b[3], &b[4],
			   &b[5]) == 6) {
		for (i = 0; i < 6; i++)
			mac[i] = (uint8_t)b[i];
		desc_default_macs(d, mac, port->peer.mac);
	}
	free(text);
	return err;
}

static int step_send(struct run *r, const struct step *s)
{
	struct bridge_port *port = bridge_find(&r->bridge, s->name);
	struct desc_error error;
	struct desc *d;
	int err;

	if (strcmp(s->name, "conduit") && !port) {
		fail(r, "line %u: there is no port %s", s->line, s->name);
		return 0;
	}
	d = desc_parse(s->text, r->e->scenario->file, s->line, s->column, r->e->seed,
		       &error);
	if (!d) {
		fail(r, "%s", error.text);
		return 0;
	}
	err = port ? give_macs(r, port, d) : 0;
	if (!err)
		err = send_all(r, s, d);
	desc_free(d);
	return err;
}

struct open_wait {
	const struct bridge_port *port;
	uint64_t opened;
};

static bool is_open(void *ctx)
{
	const struct open_wait *w = ctx;

	return w->port->opened != w->opened;
}

/*
 * Opens a connection from the far end: sends the SYN and waits until the guest
 * has answered and the peer has sent its data.
 */
static int step_connect(struct run *r, const struct step *s)
{
	struct bridge_port *port = bridge_find(&r->bridge, s->name);
	struct open_wait w = { .port = port };
	struct step syn = *s;
	char text[512];
	int err;

	if (!port || !port->peer.addrs) {
		fail(r, "line %u: there is no %s %s", s->line, port ? "peer at" : "port",
		     s->name);
		return 0;
	}
	port->peer.data = s->data;
	port->peer.bad = s->bad;
	snprintf(text, sizeof(text), "tcp %s flags S len 0", s->text);
	syn.text = text;
	syn.column -= syn.column > strlen("tcp ") ? (unsigned int)strlen("tcp ") : 0;
	w.opened = port->opened;
	err = step_send(r, &syn);
	if (!err && !r->test.failed[0] && !is_open(&w))
		err = loop_wait(r->e->loop, is_open, &w, CONNECT_MS);
	if (err != -ETIMEDOUT)
		return err;
	fail(r, "line %u: nobody in the guest takes the connection", s->line);
	return 0;
}

/* A capture's place: beside the scenario, or in $TAGRIG_CAPTURES. */
static void capture_path(const struct run *r, const char *name, char *to, size_t size)
{
	const char *file = r->e->scenario->file, *slash = strrchr(file, '/');
	const char *captures = getenv("TAGRIG_CAPTURES");

	snprintf(to, size, "%.*s%s", slash && name[0] != '/' ? (int)(slash - file) + 1 : 0,
		 file, name);
	if (access(to, R_OK) && captures)
		snprintf(to, size, "%s/%s", captures, name);
}

/* Sends each packet of an Ethernet capture as it stands. */
static int replay_all(struct run *r, const struct step *s, struct capture *c)
{
	uint8_t *storage = malloc(FRAME_STORAGE);
	struct capture_packet p;
	struct frame f;
	int err = storage ? 0 : -ENOMEM;

	while (!err) {
		err = capture_next(c, &p);
		if (err < 0)
			fail(r, "line %u: %s", s->line, capture_error(c));
		if (err <= 0)
			break;
		frame_init(&f, storage, FRAME_STORAGE);
		err = frame_set(&f, p.data, p.len) ?: send_to(r, s->name, &f);
	}
	free(storage);
	if (r->test.failed[0])
		return 0;
	return err ?: bridge_drain(&r->bridge, DRAIN_MS);
}

static int step_replay(struct run *r, const struct step *s)
{
	struct capture *c = NULL;
	char path[1024];
	int err = 0;

	if (strcmp(s->name, "conduit") && !bridge_find(&r->bridge, s->name)) {
		fail(r, "line %u: there is no port %s", s->line, s->name);
		return 0;
	}
	capture_path(r, s->text, path, sizeof(path));
	if (capture_open(&c, path))
		fail(r, "line %u: %s", s->line, c ? capture_error(c) : strerror(ENOMEM));
	else
		err = replay_all(r, s, c);
	capture_close(c);
	return err;
}

/* --- the machine ---------------------------------------------------------- */

/* Sets a property of a device of the board; QEMU's own words when it minds. */
static int set_property(struct run *r, const struct step *s, const char *object,
			const char *property, json_t *value)
{
	char path[64];
	int err;

	snprintf(path, sizeof(path), "/machine/%s", object);
	err = qmp_set(&r->e->vm->qmp, path, property, value);
	if (err != -EREMOTEIO)
		return err;
	fail(r, "line %u: %s", s->line, r->e->vm->qmp.error);
	return 0;
}

/* "on", "off", a number, or a word. */
static json_t *property_value(const char *text)
{
	char *end;
	long long n = strtoll(text, &end, 0);

	if (!strcmp(text, "on") || !strcmp(text, "off"))
		return json_boolean(!strcmp(text, "on"));
	return *text && !*end ? json_integer(n) : json_string(text);
}

static int step_fault(struct run *r, const struct step *s)
{
	return set_property(r, s, strcmp(s->name, "eth0") ? "gmac1" : "gmac0", s->property,
			    property_value(s->text));
}

/* A cable is pulled at the PHY: of eth1, or of a port of the switch's chip. */
static int step_link(struct run *r, const struct step *s)
{
	char property[32];
	unsigned int port;

	if (!strcmp(s->name, "eth1"))
		return set_property(r, s, "phy1", "link", json_boolean(s->up));
	if (sscanf(s->name, "lan%u", &port) != 1 || port >= r->e->scenario->ports) {
		fail(r, "line %u: there is no port %s", s->line, s->name);
		return 0;
	}
	snprintf(property, sizeof(property), "port%u-link", port);
	return set_property(r, s, "switch0", property, json_boolean(s->up));
}

/* --- expectations --------------------------------------------------------- */

static void judge_single(struct run *r, const struct step *s, const struct outcome *o)
{
	show(r, o->text);
	if (!o->holds)
		fail(r, "line %u: %s: %s", s->line, s->text, o->text);
}

static void judge_pair(struct run *r, const struct step *s, const struct outcome *fixed,
		       const struct outcome *broken)
{
	r->test.pairs++;
	r->test.as_fixed += fixed->holds;
	r->test.as_broken += broken->holds && !fixed->holds;
	show(r, broken->holds && !fixed->holds ? broken->text : fixed->text);
	if (!fixed->holds && !broken->holds)
		fail(r, "line %u: neither right nor the known bug: %s", s->line,
		     fixed->text);
}

/* An expectation, and the "instead" below it if there is one. */
static int step_expect(struct run *r, const struct step *s, const struct step *instead)
{
	size_t mark = r->x.mark;
	struct expect first = s->expect;
	struct outcome fixed, broken;
	int err;

	/* A broken kernel never gets there: don't wait for it. */
	if (instead && r->e->state == KERNEL_BROKEN &&
	    (first.kind == EXPECT_COUNTER || first.kind == EXPECT_BADTAG))
		first.within_ms = 0;
	err = expect_evaluate(&r->x, &first, &fixed);
	if (err)
		return err;
	if (!instead) {
		judge_single(r, s, &fixed);
		return 0;
	}
	if (instead->expect.ordered)
		r->x.mark = mark;
	err = expect_evaluate(&r->x, &instead->expect, &broken);
	if (!err)
		judge_pair(r, s, &fixed, &broken);
	return err;
}

/* --- tests ---------------------------------------------------------------- */

static enum ktap_result result_of(struct run *r, const char **why)
{
	struct test *t = &r->test;
	enum kernel_state state = r->e->state;

	*why = t->shown[0] ? t->shown : NULL;
	if (r->x.bad.count && !r->x.bad.expected)
		fail(r, "%lu frames with a wrong tag; the first: %s", r->x.bad.count,
		     r->x.bad.why);
	if (!t->failed[0] && t->pairs && state == KERNEL_BROKEN && t->as_broken != t->pairs)
		fail(r, "labelled broken, but it does not show the bug: %s", t->shown);
	if (!t->failed[0] && t->pairs && state == KERNEL_FIXED && t->as_fixed != t->pairs)
		fail(r, "labelled fixed, but it has the bug: %s", t->shown);
	if (t->failed[0]) {
		*why = t->failed;
		return KTAP_FAIL;
	}
	return t->as_broken ? KTAP_XFAIL : KTAP_PASS;
}

static void end_test(struct run *r)
{
	struct exec *e = r->e;
	const char *why;
	enum ktap_result result;

	if (!r->test.name)
		return;
	result = result_of(r, &why);
	e->broken += r->test.as_broken > 0;
	e->fixed += r->test.pairs && r->test.as_fixed == r->test.pairs;
	e->untold += result == KTAP_FAIL && !r->test.as_broken;
	ktap_check(e->ktap, result, r->test.name, why, NULL);
	forget_jobs(r);
}

static bool wants_counters(const struct step *s, const struct step *end)
{
	for (s++; s < end && s->kind != STEP_TEST; s++) {
		if (s->kind == STEP_EXPECT && s->expect.kind == EXPECT_COUNTER)
			return true;
	}
	return false;
}

static int begin_test(struct run *r, const struct step *s, const struct step *end)
{
	int err = 0;

	end_test(r);
	memset(&r->test, 0, sizeof(r->test));
	r->test.name = s->text;
	r->x.log.count = 0;
	r->x.mark = 0;
	memset(&r->x.bad, 0, sizeof(r->x.bad));
	free(r->x.counters);
	r->x.counters = NULL;
	if (wants_counters(s, end))
		r->x.counters = expect_counters(&r->x, &err);
	return err;
}

/* One step; *@s moves past an "instead" that it has used. */
static int do_step(struct run *r, const struct step **s, const struct step *end)
{
	const struct step *this = *s;

	switch (this->kind) {
	case STEP_TEST:
		return begin_test(r, this, end);
	case STEP_GUEST:
		return step_guest(r, this);
	case STEP_START:
		return step_start(r, this);
	case STEP_PEER:
		return step_peer(r, this);
	case STEP_SEND:
		return step_send(r, this);
	case STEP_CONNECT:
		return step_connect(r, this);
	case STEP_REPLAY:
		return step_replay(r, this);
	case STEP_FAULT:
		return step_fault(r, this);
	case STEP_LINK:
		return step_link(r, this);
	case STEP_EXPECT:
		if (this + 1 < end && this[1].kind == STEP_INSTEAD)
			return step_expect(r, this, ++*s);
		return step_expect(r, this, NULL);
	case STEP_INSTEAD:
		break;
	}
	return -EINVAL;
}

static const char *why_it_ended(struct run *r, int err)
{
	struct loop *l = r->e->loop;

	if (l->failure[0])
		return l->failure;
	if (err == -ETIMEDOUT)
		return "the guest does not answer: it hangs";
	if (err == -EPIPE)
		return vm_why_gone(r->e->vm) ?: "the guest's agent has gone";
	return loop_why(l, err);
}

/* Reports the tests from @s on as failed: they cannot run any more. */
static void fail_rest(struct run *r, const struct step *s, const struct step *end,
		      const char *why)
{
	bool reported = r->test.name;

	fail(r, "%s", why);
	end_test(r);
	for (; s < end; s++) {
		if (s->kind != STEP_TEST)
			continue;
		ktap_check(r->e->ktap, KTAP_FAIL, s->text, why, NULL);
		reported = true;
	}
	if (!reported)
		ktap_check(r->e->ktap, KTAP_FAIL, r->e->scenario->title, why, NULL);
	r->test.name = NULL;
}

static const struct step *next_test(const struct step *s, const struct step *end)
{
	while (s < end && s->kind != STEP_TEST)
		s++;
	return s;
}

/* Of this test, the expectation that says what becomes of the guest, or NULL. */
static const struct step *expects_end(const struct step *s, const struct step *end)
{
	for (; s < end && s->kind != STEP_TEST; s++) {
		if (s->kind == STEP_EXPECT && (s->expect.kind == EXPECT_ALIVE ||
					       s->expect.kind == EXPECT_PANIC))
			return s;
	}
	return NULL;
}

/*
 * The guest has died in this test, which says that it may, and how: the test
 * has its verdict, and those behind it have no guest.
 */
static void skip_rest(struct run *r, const struct step *s, const struct step *end)
{
	char why[160];

	snprintf(why, sizeof(why), "the guest did not survive '%.100s'", r->test.name);
	end_test(r);
	for (s = next_test(s, end); s < end; s = next_test(s + 1, end))
		ktap_check(r->e->ktap, KTAP_SKIP, s->text, why, NULL);
	r->test.name = NULL;
}

/* After a failed step: where to go on; @end when set-up has failed. */
static const struct step *after_failure(struct run *r, const struct step *s,
					const struct step *end)
{
	char why[sizeof(r->test.failed)];

	if (r->test.name)
		return next_test(s, end);
	snprintf(why, sizeof(why), "%s", r->test.failed);
	fail_rest(r, s, end, why);
	return end;
}

/*
 * Does the steps up to @stop; a negative errno leaves *@s at the one at which
 * the guest was lost.  When set-up fails, *@s is at @end.
 */
static int walk(struct run *r, const struct step **s, const struct step *stop,
		const struct step *end)
{
	int err = 0;

	while (*s < stop && !err) {
		const struct step *verdict = r->test.name ? expects_end(*s, end) : NULL;

		err = do_step(r, s, end);
		if (err && verdict && err != -EINTR && *s < verdict) {
			vm_why_gone(r->e->vm);
			*s = verdict;
			err = 0;
			continue;
		}
		if (err)
			break;
		++*s;
		if (verdict && !r->e->vm->pid && !expects_end(*s, end)) {
			skip_rest(r, *s, end);
			*s = end;
		} else if (r->test.failed[0]) {
			*s = after_failure(r, *s, end);
		}
	}
	return err;
}

static int do_steps(struct run *r)
{
	const struct scenario *sc = r->e->scenario;
	const struct step *s = sc->steps, *end = s + sc->count;
	int err = 0;

	if (next_test(s, end) == end) {
		r->test.name = sc->title;	/* a file of one test, without the word */
		r->x.counters = expect_counters(&r->x, &err);
	}
	if (!err)
		err = walk(r, &s, next_test(s, end), end);
	if (!err && r->e->shell)
		err = shell_run(r->e->vm);
	if (!err)
		err = walk(r, &s, end, end);
	if (err)
		fail_rest(r, s + 1 < end ? s + 1 : end, end, why_it_ended(r, err));
	else
		end_test(r);
	return err;
}

/* --- set-up --------------------------------------------------------------- */

/*
 * A switch comes up with its own default tagger: change it as a user would.
 * ENOPROTOOPT is how the kernel says that it has no such tagger.
 */
static int select_tag(struct run *r)
{
	const struct scenario *s = r->e->scenario;
	struct agent *a = &r->e->vm->agent;
	struct step step = { .within_ms = 60000 };
	struct agent_job *job;
	char command[256];
	int err;

	if (s->sw == SWITCH_NONE || !s->tag[0])
		return 0;
	snprintf(command, sizeof(command),
		 "t=/sys/class/net/eth0/dsa/tagging; [ \"$(cat $t)\" = %s ] || "
		 "{ ip link set eth0 down; /bin/echo %s >$t; }", s->tag, s->tag);
	step.text = command;
	job = agent_start(a, command, step.within_ms, NULL);
	if (!job)
		return -EPIPE;
	err = agent_wait(a, job, step.within_ms + AGENT_SLACK_MS);
	r->no_tagger = !err && job->exit && strstr(job->err, "Protocol not available");
	if (!err && !r->no_tagger && (job->error[0] || job->timed_out || job->exit))
		explain_command(r, &step, job);
	agent_forget(a, job);
	return err;
}

static void skip_all(struct run *r)
{
	char why[96];

	snprintf(why, sizeof(why), "this kernel has no tagger %s", r->e->scenario->tag);
	ktap_check(r->e->ktap, KTAP_SKIP, r->e->scenario->title, why, NULL);
}

static int attach_wires(struct run *r)
{
	const struct scenario *s = r->e->scenario;
	struct vm *vm = r->e->vm;
	struct bridge_switch sw = { .ports = s->ports, .index = s->index };
	int err;

	if (s->sw != SWITCH_NONE) {
		sw.tag = tag_by_name(s->tag[0] ? s->tag : "edsa");
		if (!sw.tag) {
			fail(r, "%s: there is no tag format %s", s->file, s->tag);
			return 0;
		}
	}
	err = bridge_attach(&r->bridge, 0, vm->wire[0], sw.tag ? &sw : NULL,
			    sw.tag ? "conduit" : "eth0");
	vm->wire[0] = -1;
	if (!err) {
		err = bridge_attach(&r->bridge, 1, vm->wire[1], NULL, "eth1");
		vm->wire[1] = -1;
	}
	return err;
}

int exec_scenario(struct exec *e)
{
	struct run *r = calloc(1, sizeof(*r));
	const struct scenario *s = e->scenario;
	int err;

	if (!r)
		return -ENOMEM;
	r->e = e;
	r->x.loop = e->loop;
	r->x.vm = e->vm;
	r->x.bridge = &r->bridge;
	bridge_init(&r->bridge, e->loop, e->capture);
	r->bridge.seen = on_frame;
	r->bridge.ctx = r;
	err = attach_wires(r) ?: select_tag(r);
	if (!err && r->no_tagger)
		skip_all(r);
	else if (err || r->test.failed[0])
		fail_rest(r, s->steps, s->steps + s->count,
			  err ? why_it_ended(r, err) : strdupa(r->test.failed));
	else
		err = do_steps(r);
	e->frames += r->bridge.judged;
	forget_jobs(r);
	bridge_close(&r->bridge);
	free(r->x.counters);
	free(r->x.log.v);
	free(r);
	return err;
}
