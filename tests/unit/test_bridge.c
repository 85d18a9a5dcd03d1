// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * "tagrig bridge" as a program: frames through it for every tag and far end,
 * what it counts, what it captures, how it holds back and how it ends; and what
 * it says to options and files that are not what they should be.  Taps and
 * interfaces are in test_bridge_if.c.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "bridge_run.h"
#include "net/capture.h"
#include "net/judge.h"

static uint8_t storage[FRAME_STORAGE];

/* --- every tag, every far end ---------------------------------------------- */

/* What goes to a port's far end comes back from that port, for every format. */
static void every_tag(void **state)
{
	struct frame f;
	size_t i;

	(void)state;
	for (i = 0; i < tag_count(); i++) {
		const char *tag = tag_name(tag_at(i));
		uint32_t ports = tag_ports(tag_at(i), TAG_FROM_CPU) & 0xf;
		unsigned int port = ports ? 31 - __builtin_clz(ports) : 0;
		/* nxp_netc numbers switches from 1 */
		bool netc = !strcmp(tag, "nxp_netc");

		if (strcmp(tag, "none") != 0 && !ports)
			continue;	/* its tag names no port: test_fabric.c */
		start_with(tag, "-q -j --pcap tag.pcapng lan%u=echo:raw", port);
		for (unsigned int n = 0; n < 3; n++) {
			struct tag_meta meta = { .ports = 1u << port, .device = netc };

			marked(&f, storage, sizeof(storage), n, 200);
			assert_int_equal(tag_push(bridge.tag, TAG_FROM_CPU, &meta, &f), 0);
			assert_int_equal(stream_send(bridge.qemu, &f), 0);
			assert_int_equal(stream_flush(bridge.qemu), 0);
			if (qemu_receive(&f) != (ports ? 1u << port : 0))
				fail_msg("%s: another port", tag);
			assert_int_equal(mark_of(&f), n);
			assert_int_equal(f.len, 200);
			assert_memory_equal(f.data, "\2\0\0\0\0\1\2\0\0\0\0\2", 12);
		}
		if (interrupt())
			fail_msg("%s: %s", tag, bridge.said);
		assert_int_equal(number("conduit", "in", "frames"), 3);
		assert_int_equal(number("conduit", "out", "frames"), 3);
		/* what it has captured is read as what it was */
		assert_int_equal(shell("%s check tag.pcapng", tagrig()), 0);
		must_say(" 0 wrong, 0 unjudged, 0 bad tags");
	}
}

/* The frame of a description, without tag. */
static void describe(struct frame *f, const char *text)
{
	FILE *p;
	char command[600];
	struct capture *c;
	struct capture_packet packet;

	snprintf(command, sizeof(command), "%s gen -q -o one.pcapng '%s'", tagrig(), text);
	p = popen(command, "r");
	assert_int_equal(pclose(p), 0);
	assert_int_equal(capture_open(&c, "one.pcapng"), 0);
	assert_int_equal(capture_next(c, &packet), 1);
	frame_init(f, storage, sizeof(storage));
	assert_int_equal(frame_set(f, packet.data, packet.len), 0);
	capture_close(c);
}

/* An ARP request for @last of 10.0.@net.0/24. */
static void arp_request(struct frame *f, uint8_t net, uint8_t last)
{
	static const uint8_t arp[] = {
		0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 2, 0, 0, 0, 0, 9, 8, 6,
		0, 1, 8, 0, 6, 4, 0, 1, 2, 0, 0, 0, 0, 9, 10, 0, 0, 15,
		0, 0, 0, 0, 0, 0, 10, 0, 0, 0,
	};

	frame_init(f, storage, sizeof(storage));
	frame_set(f, arp, sizeof(arp));
	f->data[30] = f->data[40] = net;
	f->data[41] = last;
}

static void check_arp_reply(const struct frame *f, uint8_t net, uint8_t last)
{
	uint8_t addr[4] = { 10, 0, net, last };

	assert_true(f->len >= 60);
	assert_memory_equal(f->data, "\2\0\0\0\0\x9", 6);
	assert_memory_equal(f->data + 12, "\x8\x6", 2);
	assert_int_equal(f->data[21], 2);
	assert_memory_equal(f->data + 28, addr, 4);
}

/* Every port without a far end has a user network of its own. */
static void user_networks(void **state)
{
	struct frame f;

	(void)state;
	start_with("edsa", "-q slirp:net=10.0.9.0/24");
	arp_request(&f, 9, 2);
	qemu_send(&f, 1);
	assert_int_equal(qemu_receive(&f), 1);
	check_arp_reply(&f, 9, 2);
	for (unsigned int port = 1; port < 4; port++) {
		arp_request(&f, 2 + port, 3);
		qemu_send(&f, 1u << port);
		assert_int_equal(qemu_receive(&f), 1u << port);
		check_arp_reply(&f, 2 + port, 3);
	}
	assert_int_equal(interrupt(), 0);
}

static void echo_peer(void **state)
{
	struct verdict v;
	struct frame f;

	(void)state;
	start_with("ksz9477", "-q echo echo:192.0.2.7,2001:db8::7");
	describe(&f, "udp 192.0.2.1:9 > 192.0.2.99:7 len 40 mac 02:00:00:00:00:01 > 02:00:00:00:00:05");
	qemu_send(&f, 1);
	assert_int_equal(qemu_receive(&f), 1);
	assert_int_equal(judge_frame(f.data, f.len, &v), 0);
	assert_int_equal(v.sport, 7);
	assert_int_equal(v.dport, 9);
	assert_int_equal(v.src[3], 99);
	/* a probe for an address is not answered, or the guest would not have it */
	arp_request(&f, 2, 15);
	qemu_send(&f, 1);
	/* the second port has one address of each version */
	describe(&f, "icmp 192.0.2.1 > 192.0.2.8 type 8");
	qemu_send(&f, 2);
	describe(&f, "icmp6 2001:db8::1 > 2001:db8::7 type 128 len 30");
	qemu_send(&f, 2);
	assert_int_equal(qemu_receive(&f), 2);
	assert_int_equal(judge_frame(f.data, f.len, &v), 0);
	assert_int_equal(v.icmp_type, 129);
	assert_int_equal(interrupt(), 0);
}

static void cables(void **state)
{
	struct frame f;

	(void)state;
	start_with("dsa", "-q -j lan2=cable:0 lan1=none");
	for (unsigned int n = 0; n < 100; n++) {
		marked(&f, storage, sizeof(storage), n, 60 + n);
		qemu_send(&f, n & 1 ? 4 : 1);
		assert_int_equal(qemu_receive(&f), n & 1 ? 1 : 4);
		assert_int_equal(mark_of(&f), n);
		assert_int_equal(f.len, 60 + n);
	}
	marked(&f, storage, sizeof(storage), 0, 60);
	qemu_send(&f, 2);
	marked(&f, storage, sizeof(storage), 1, 60);
	qemu_send(&f, 1);
	assert_int_equal(qemu_receive(&f), 4);
	assert_int_equal(interrupt(), 0);
	assert_int_equal(number("lan0", "in", "frames"), 50);
	assert_int_equal(number("lan1", "out", "frames"), 1);
	assert_int_equal(number("lan2", "in", "frames"), 51);
}

/* Ports of a group learn and forward, without the CPU; the others do not. */
static void groups(void **state)
{
	struct frame f;

	(void)state;
	shell("%s gen -q -o g.pcap 'eth 0x88b5 len 50 mac 02:00:00:00:00:0a > 02:00:00:00:00:0b'", tagrig());
	shell("%s gen -q -o h.pcap 'eth 0x88b5 len 50 mac 02:00:00:00:00:0b > 02:00:00:00:00:0a'", tagrig());
	start_with("edsa", "-q -j --group lan0,1 lan0=pcap:g.pcap,record=g.pcapng lan1=pcap:h.pcap,wait lan2=none lan3=none");
	/* flooded: lan1 answers it, and lan0 gets the answer because it was learnt */
	assert_int_equal(qemu_receive(&f), 1);
	kill(bridge.pid, SIGUSR1);
	wait_printed("\n");
	assert_int_equal(interrupt(), 0);
	assert_int_equal(number("lan1", "out", "frames"), 1);
	assert_int_equal(number("lan0", "out", "frames"), 1);
	assert_int_equal(number("lan2", "out", "frames"), 0);
	assert_int_equal(number("conduit", "out", "frames"), 1);
	assert_int_equal(shell("%s check -q g.pcapng", tagrig()), 0);
	must_say("1 frames");
}

/* Two peers that answer each other for ever: it still counts, and still ends. */
static void storm(void **state)
{
	static const char *const flow[] = { "on", "off" };
	struct frame f;

	(void)state;
	for (int i = 0; i < 2; i++) {
		start_with("edsa", "-q -j --group lan0,lan1,lan2 --flow-control %s echo:raw echo:raw echo:raw none",
			   flow[i]);
		marked(&f, storage, sizeof(storage), 1, 60);
		memset(f.data, 0xff, 6);
		qemu_send(&f, 1);
		qemu_receive(&f);
		assert_true(ask("lan0", "in", "frames") > 0);
		assert_int_equal(interrupt(), 0);
	}
}

/* --- captures as far ends ------------------------------------------------- */

static void play(void **state)
{
	struct frame f;

	(void)state;
	shell("%s gen -q -o p.pcap 'udp len 8 count 100 csum bad'", tagrig());
	start_with("brcm", "-q -j --until-done lan3=pcap:p.pcap,loop=3 none none none");
	for (unsigned int n = 0; n < 300; n++) {
		assert_int_equal(qemu_receive(&f), 8);
		/* its stamp */
		assert_memory_equal(f.data + 42, "TRIG", 4);
		assert_int_equal(f.data[49], n % 100);
	}
	assert_int_equal(ended(), 0);
	assert_int_equal(number("lan3", "far_end_counts", "played"), 300);
	assert_int_equal(number("conduit", "out", "frames"), 300);
	assert_int_equal(access("wire", F_OK), -1);
}

/* 50 frames at 1000 a second take 49 ms at least; and as captured. */
static void play_at_a_rate(void **state)
{
	static const char *const pace[] = { "rate=1k", "rate=captured" };
	struct frame f;
	int64_t began;

	(void)state;
	shell("%s gen -q --interval 1000000 -o p.pcap 'udp len 8 count 50'", tagrig());
	for (int i = 0; i < 2; i++) {
		start_with("brcm", "-q --until-done pcap:p.pcap,%s none none none", pace[i]);
		began = clock_ms();
		for (unsigned int n = 0; n < 50; n++)
			qemu_receive(&f);
		assert_true(clock_ms() - began >= 38);	/* a burst of 10 may come at once */
		assert_int_equal(ended(), 0);
	}
}

/* With "wait" the first frame that leaves by the port begins it. */
static void play_on_the_first_frame(void **state)
{
	struct frame f;

	(void)state;
	shell("%s gen -q -o p.pcap 'udp len 8 count 3'", tagrig());
	start_with("edsa", "-j --until-done pcap:p.pcap,wait lan1=echo:raw none none");
	wait_said("connected");
	marked(&f, storage, sizeof(storage), 1, 60);
	qemu_send(&f, 2);
	assert_int_equal(qemu_receive(&f), 2);		/* and nothing from lan0 */
	marked(&f, storage, sizeof(storage), 1, 60);
	qemu_send(&f, 1);
	for (int n = 0; n < 3; n++)
		assert_int_equal(qemu_receive(&f), 1);
	assert_int_equal(ended(), 0);
}

/* A capture of the rig: one interface, and only what came in by it. */
static void play_our_own_capture(void **state)
{
	struct frame f;

	(void)state;
	start_with("edsa", "-q --pcap own.pcapng echo:raw none none none");
	marked(&f, storage, sizeof(storage), 7, 100);
	qemu_send(&f, 1);
	qemu_receive(&f);
	assert_int_equal(interrupt(), 0);
	start_with("edsa", "-q -j --until-done pcap:own.pcapng,if=lan0 none none none");
	qemu_receive(&f);
	assert_int_equal(mark_of(&f), 7);
	assert_int_equal(ended(), 0);
	assert_int_equal(number("lan0", "far_end_counts", "played"), 1);
	assert_int_equal(number("lan0", "far_end_counts", "not-played-left-by"), 1);
	assert_int_equal(number("lan0", "far_end_counts", "not-played-other-if"), 2);
	start_with("edsa", "pcap:own.pcapng none none none");
	assert_int_equal(ended(), 1);
	must_say("tagrig bridge: lan0: own.pcapng: expected untagged frames, found edsa tags on interface 'conduit' (if=NAME plays another one)\n");
}

static void record(void **state)
{
	struct frame f;

	(void)state;
	shell("%s gen -q -o empty.pcap 'arp'", tagrig());
	start_with("trailer", "-q -j pcap:empty.pcap,record=r.pcap none none none");
	qemu_receive(&f);
	for (unsigned int n = 0; n < 50; n++) {
		marked(&f, storage, sizeof(storage), n, 60 + n);
		qemu_send(&f, 1);
	}
	wait_number("lan0", "out", "frames", 50);
	kill(bridge.pid, SIGTERM);
	assert_int_equal(ended(), 0);
	assert_int_equal(shell("%s check r.pcap", tagrig()), 0);
	must_say("50 frames:");
}

/* --- scripts -------------------------------------------------------------- */

static void write_file(const char *name, const char *text)
{
	FILE *f = fopen(name, "w");

	assert_non_null(f);
	fputs(text, f);
	assert_int_equal(fclose(f), 0);
}

static void script(void **state)
{
	struct verdict v;
	struct frame f;

	(void)state;
	write_file("s.txt", "# a script\n"
		   "udp 192.0.2.2:7 > 192.0.2.1:9 len 100 count 5\n"
		   "expect udp dport 7 csum good count 2 within 60s\n"
		   "expect arp within 60s\n"
		   "tcp 192.0.2.2:80 > 192.0.2.1:99\n");
	start_with("edsa", "-q -j --until-done script:s.txt none none none");
	for (int n = 0; n < 5; n++) {
		assert_int_equal(qemu_receive(&f), 1);
		judge_frame(f.data, f.len, &v);
		assert_int_equal(v.dport, 9);
		/* nothing is known of the guest yet */
		assert_int_equal(f.data[0], 0xff);
	}
	arp_request(&f, 2, 2);	/* before its turn */
	qemu_send(&f, 1);
	for (int n = 0; n < 2; n++) {
		describe(&f, "udp 192.0.2.1:9 > 192.0.2.2:7 len 40");
		qemu_send(&f, 1);
	}
	qemu_receive(&f);
	judge_frame(f.data, f.len, &v);
	assert_int_equal(v.proto, 6);
	assert_memory_equal(f.data, "\2\0\0\0\0\2", 6);	/* who sent last */
	assert_int_equal(ended(), 0);
	assert_int_equal(number("lan0", "far_end_counts", "expectations-held"), 2);
	assert_int_equal(number("lan0", "far_end_counts", "judged"), 3);
}

/* A frame is for the first line that still waits for one like it. */
static void script_in_turn(void **state)
{
	struct frame f;

	(void)state;
	write_file("s.txt", "expect udp dport 7 within 60s\nexpect udp dport 7 csum pseudo within 60s\n");
	start_with("edsa", "-q -j --until-done script:s.txt none none none");
	describe(&f, "udp 192.0.2.1:9 > 192.0.2.2:7 len 40");
	qemu_queue(&f, 1);
	describe(&f, "udp 192.0.2.1:9 > 192.0.2.2:7 len 40 csum pseudo");
	qemu_send(&f, 1);
	assert_int_equal(ended(), 0);
	assert_int_equal(number("lan0", "far_end_counts", "expectations-held"), 2);
}

static void script_that_sees_wrong_frames(void **state)
{
	struct frame f;

	(void)state;
	write_file("s.txt", "expect udp dport 7 csum good count 2 within 60s\n"
			    "expect tcp csum pseudo within 60s\n"
			    "expect arp within 50ms\n");
	start_with("edsa", "-q --until-done script:s.txt none none none");
	describe(&f, "udp 192.0.2.1:9 > 192.0.2.2:7 len 40 csum pseudo");
	qemu_send(&f, 1);
	describe(&f, "tcp 192.0.2.1:9 > 192.0.2.2:7 csum pseudo");	/* is asked for */
	qemu_send(&f, 1);
	describe(&f, "udp 192.0.2.1:9 > 192.0.2.2:8 ipcsum bad");	/* nobody asked */
	qemu_send(&f, 1);
	describe(&f, "udp 192.0.2.1:9 > 192.0.2.2:7 len 40");
	qemu_send(&f, 1);
	assert_int_equal(ended(), 1);
	must_say("lan0: s.txt:1: 1 of 2 frames are not as expected, the first: checksum pseudo-header sum only\n");
	must_say("lan0: s.txt:3: expected 1 frame within 50 ms, found 0\n");
	must_say("lan0: frame 3: udp 192.0.2.1:9 > 192.0.2.2:8 len 32: wrong IPv4 header checksum (off)\n");
	assert_null(strstr(bridge.said, "s.txt:2"));
}

static void script_with_mistakes(void **state)
{
	static const struct {
		const char *text, *said;
	} bad[] = {
		{ "udp len x\n", "lan0: s.txt:1:9: expected" },
		{ "\n\nexpect udp dport x\n", "lan0: s.txt:3:18: expected dport, N or N..M up to 65535, found 'x'" },
		{ "expect udp nonsense\n", "lan0: s.txt:1:12: expected a field of the frame, csum, count or within, found 'nonsense'" },
		{ "udp tag edsa port 1\n", "expected frames without a tag (the switch adds it), found edsa" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		write_file("s.txt", bad[i].text);
		start("--listen wire --tag edsa script:s.txt");
		assert_int_equal(ended(), 2);
		must_say(bad[i].said);
		assert_ptr_equal(strchr(bridge.said, '\n'), strrchr(bridge.said, '\n'));
	}
	start("--listen wire --tag edsa script:absent.txt");
	assert_int_equal(ended(), 1);
	must_say("tagrig bridge: lan0: absent.txt: No such file or directory\n");
}

/* --- back-pressure -------------------------------------------------------- */

#define MANY 100000

/* A guest that does not read stops the source; later it gets every frame. */
static void nothing_is_lost(void **state)
{
	struct frame f;
	long long played;

	(void)state;
	shell("%s gen -q -o many.pcap 'udp len 40 count %d'", tagrig(), MANY);
	start_with("edsa", "-q -j --until-done pcap:many.pcap none none none");
	wait_wire(POLLIN);
	played = wait_still("lan0", "far_end_counts", "played");
	assert_true(played < MANY / 2);
	for (unsigned int n = 0; n < MANY; n++) {
		assert_int_equal(qemu_receive(&f), 1);
		if ((f.data[46] << 24 | f.data[47] << 16 | f.data[48] << 8 | f.data[49]) != (int)n)
			fail_msg("frame %u has another number", n);
	}
	assert_int_equal(ended(), 0);
	assert_int_equal(number("conduit", "out", "frames"), MANY);
	assert_int_equal(number("conduit", "drops", "full"), 0);
}

/* The guest floods a peer and reads nothing until it cannot send any more. */
static void echoes_hold_the_sender_back(void **state)
{
	static uint8_t mine[2048];
	unsigned int sent = 0, got = 0;
	struct tag_meta meta = { .ports = 1 };
	struct frame f;

	(void)state;
	start_with("edsa", "-q -j echo:raw none none none");
	for (;;) {
		struct pollfd pfd = { .fd = stream_fd(bridge.qemu), .events = POLLOUT };

		marked(&f, mine, sizeof(mine), sent, 1000);
		tag_push(bridge.tag, TAG_FROM_CPU, &meta, &f);
		if (!stream_send(bridge.qemu, &f))
			sent++;
		else if (poll(&pfd, 1, 300) != 1)
			break;
		assert_true(sent < 4000);	/* of 1000 bytes: all queues together hold less */
	}
	while (got < sent) {
		stream_flush(bridge.qemu);
		qemu_receive(&f);
		assert_int_equal(mark_of(&f), got);
		got++;
	}
	assert_int_equal(interrupt(), 0);
	assert_int_equal(number("conduit", "in", "frames"), sent);
	assert_int_equal(number("conduit", "out", "frames"), sent);
}

/* Without flow control what cannot be taken is dropped, and counted. */
static void without_flow_control(void **state)
{
	struct frame f;
	long long out, full;
	unsigned int got = 0;

	(void)state;
	shell("%s gen -q -o many.pcap 'udp len 40 count %d'", tagrig(), MANY);
	start_with("edsa", "-q -j --flow-control off pcap:many.pcap none none none");
	wait_number("lan0", "far_end_counts", "played", MANY);
	out = number("conduit", "out", "frames");
	full = number("conduit", "drops", "full");
	assert_true(full > 0);
	assert_int_equal(out + full, MANY);
	while (got < out) {
		qemu_receive(&f);
		got++;
	}
	assert_int_equal(interrupt(), 0);
}

/* --- QEMU that comes and goes ---------------------------------------------- */

static void reconnect(void **state)
{
	struct frame f;

	(void)state;
	start_with("edsa", "-j echo:raw none none none");
	for (unsigned int n = 0; n < 5; n++) {
		marked(&f, storage, sizeof(storage), n, 60);
		qemu_send(&f, 1);
		assert_int_equal(qemu_receive(&f), 1);
		assert_int_equal(mark_of(&f), n);
		stream_free(bridge.qemu);
		wait_said("conduit: the peer closed the connection");
		bridge.said[0] = 0;
		connect_qemu();
		wait_said("QEMU is connected");
	}
	assert_int_equal(interrupt(), 0);
	assert_int_equal(number("conduit", "in", "frames"), 5);
	assert_non_null(strstr(bridge.printed, "\"connections\":6"));
}

/* Frames that QEMU leaves behind are counted; nothing is counted twice. */
static void leaves_with_frames_on_the_way(void **state)
{
	long long played, out, lost, down;

	(void)state;
	shell("%s gen -q -o many.pcap 'udp len 40 count %d'", tagrig(), MANY);
	start_with("edsa", "-j --once pcap:many.pcap none none none");
	wait_wire(POLLIN);
	stream_free(bridge.qemu);
	bridge.qemu = NULL;
	assert_int_equal(ended(), 0);
	played = number("lan0", "in", "frames");
	out = number("conduit", "out", "frames");
	lost = number("conduit", "drops", "disconnected");
	down = number("lan0", "drops", "link-down");
	assert_true(lost > 0);
	assert_int_equal(played, out + lost + down);
}

static void connects_to_qemu(void **state)
{
	struct pollfd pfd = { .events = POLLIN };
	char why[WHY_SIZE];
	struct frame f;

	(void)state;
	pfd.fd = stream_listen("qemu.sock", why);
	assert_true(pfd.fd >= 0);
	start("--connect qemu.sock --tag edsa echo:raw none none none");
	bridge.tag = tag_by_name("edsa");
	assert_int_equal(poll(&pfd, 1, WAIT_MS), 1);
	assert_int_equal(stream_accept(pfd.fd, &bridge.qemu, why), 0);
	marked(&f, storage, sizeof(storage), 3, 60);
	qemu_send(&f, 1);
	assert_int_equal(qemu_receive(&f), 1);
	stream_free(bridge.qemu);
	bridge.qemu = NULL;
	assert_int_equal(ended(), 0);
	stream_unlisten(pfd.fd, "qemu.sock");
	start("--connect qemu.sock --tag edsa");
	assert_int_equal(ended(), 1);
	assert_string_equal(bridge.said, "tagrig bridge: socket qemu.sock: No such file or directory\n");
}

static void out_of_step(void **state)
{
	(void)state;
	start_with("edsa", "none none none none");
	assert_int_equal(write(stream_fd(bridge.qemu), "\0\0\0\0", 4), 4);
	wait_said("conduit: frame 1: expected a length of 1 to 65536 bytes, found 0\n");
	stream_free(bridge.qemu);
	connect_qemu();
	wait_said("connected\n");
	assert_int_equal(interrupt(), 1);
}

/* The sum of one number over all drops of a port. */
static long long all_drops(const char *port)
{
	static const char *const reasons[] = {
		"runt", "link-down", "blocked", "bad-tag", "other-device", "no-port",
		"same-port", "no-one", "tag-range", "no-room", "full", "disconnected",
		"far-end-down", "no-memory",
	};
	long long sum = 0;

	for (size_t i = 0; i < sizeof(reasons) / sizeof(reasons[0]); i++)
		sum += number(port, "drops", reasons[i]);
	return sum;
}

/* Frames that left the switch by a user port, and that the far end did not take. */
static long long port_full_drops(void)
{
	long long sum = 0;
	char name[16];

	for (int p = 0; p < 4; p++) {
		snprintf(name, sizeof(name), "lan%d", p);
		sum += number(name, "drops", "full");
	}
	return sum;
}

/* Frames to a peer until nobody takes any more, and none of its answers read. */
static void fill_everything(void)
{
	struct pollfd pfd = { .fd = stream_fd(bridge.qemu), .events = POLLOUT };
	static uint8_t mine[2048];
	struct tag_meta meta = { .ports = 1 };
	struct frame f;

	for (int i = 0; i < 5000; i++) {
		marked(&f, mine, sizeof(mine), i, 1400);
		tag_push(bridge.tag, TAG_FROM_CPU, &meta, &f);
		if (stream_send(bridge.qemu, &f) && poll(&pfd, 1, 300) != 1)
			return;
	}
	wait_still("conduit", "in", "frames");
}

/*
 * Random traffic to all ports, bad tags among it, with a guest that stalls, goes
 * and comes back: whatever came in somewhere is out, waiting, or a counted drop.
 */
static void everything_is_accounted_for(void **state)
{
	static const char *const flow[] = { "on", "off" };
	static uint8_t mine[2048];
	long long ports_in, ports_out, waiting, full = 0, lost = 0;
	unsigned int seed = 7;
	char name[16];
	struct frame f;

	(void)state;
	shell("%s gen -q -o many.pcap 'udp len 0..1400/random count 3000'", tagrig());
	for (int run = 0; run < 4; run++) {
		start_with("edsa", "-q -j --flow-control %s echo:raw lan1=cable:2 lan3=pcap:many.pcap,rate=20k,loop",
			   flow[run & 1]);
		for (int i = 0; i < 6000; i++) {
			struct tag_meta meta = { .ports = 1u << rand_r(&seed) % 5 };

			marked(&f, mine, sizeof(mine), i, 60 + rand_r(&seed) % 1400);
			if (rand_r(&seed) % 50)
				tag_push(bridge.tag, TAG_FROM_CPU, &meta, &f);
			if (stream_send(bridge.qemu, &f) || rand_r(&seed) % 40 == 0)
				stream_flush(bridge.qemu);
			if (rand_r(&seed) % 60 == 0)
				stream_fill(bridge.qemu);
			while (stream_next(bridge.qemu, &f) == 1)
				;
			if (rand_r(&seed) % 2000 == 0) {
				stream_free(bridge.qemu);
				connect_qemu();
			}
		}
		fill_everything();
		stream_free(bridge.qemu);
		connect_qemu();
		assert_int_equal(interrupt(), 0);
		ports_in = ports_out = waiting = 0;
		for (int p = 0; p < 4; p++) {
			snprintf(name, sizeof(name), "lan%d", p);
			ports_in += number(name, "in", "frames") - all_drops(name);
			ports_out += number(name, "out", "frames") + number(name, NULL, "waiting");
		}
		waiting = number("conduit", NULL, "waiting");
		assert_true(number("conduit", "in", "frames") > 100);
		/* drops of the conduit's are of both ways: what it sent and what it was to get */
		assert_int_equal(number("conduit", "in", "frames") -
				 number("conduit", "drops", "bad-tag") -
				 number("conduit", "drops", "no-port"),
				 ports_out + port_full_drops());
		assert_int_equal(ports_in + port_full_drops(),
				 number("conduit", "out", "frames") + waiting +
				 number("conduit", "drops", "disconnected") +
				 number("conduit", "drops", "full"));
		full += number("conduit", "drops", "full");
		lost += number("conduit", "drops", "disconnected");
	}
	assert_true(full > 0 && lost > 0);	/* or this has tested little */
}

/* --- captures ------------------------------------------------------------- */

static void check_interface(const struct capture *c, unsigned int i, const char *name,
			    const char *description)
{
	const struct capture_if *f = capture_interface(c, i);

	assert_non_null(f);
	assert_string_equal(f->name, name);
	assert_string_equal(f->description, description);
	assert_int_equal(f->linktype, 1);
}

static void capture_of_all_ports(void **state)
{
	static const struct {
		unsigned int iface;
		enum pcapng_dir dir;
		unsigned int len;
	} want[] = { { 0, PCAPNG_IN, 108 }, { 2, PCAPNG_OUT, 100 }, { 2, PCAPNG_IN, 100 },
		     { 0, PCAPNG_OUT, 108 } };
	struct capture_packet p;
	struct capture *c;
	struct frame f;

	(void)state;
	start_with("edsa", "-q --pcap c.pcapng --pcap-dlt c.pcap none echo:raw none none");
	marked(&f, storage, sizeof(storage), 7, 100);
	qemu_send(&f, 2);
	qemu_receive(&f);
	assert_int_equal(interrupt(), 0);
	assert_int_equal(capture_open(&c, "c.pcapng"), 0);
	for (int i = 0; i < 4; i++) {
		assert_int_equal(capture_next(c, &p), 1);
		assert_int_equal(p.iface, want[i].iface);
		assert_int_equal(p.dir, want[i].dir);
		assert_int_equal(p.len, want[i].len);
	}
	assert_int_equal(capture_next(c, &p), 0);
	check_interface(c, 0, "conduit", "dsa:edsa");
	check_interface(c, 1, "lan0", "none");
	check_interface(c, 2, "lan1", "echo:raw");
	check_interface(c, 4, "lan3", "none");
	capture_close(c);
	assert_int_equal(capture_open(&c, "c.pcap"), 0);
	assert_int_equal(capture_next(c, &p), 1);
	assert_int_equal(capture_next(c, &p), 1);
	assert_int_equal(capture_next(c, &p), 0);
	assert_int_equal(capture_interface(c, 0)->linktype, 285);
	capture_close(c);
	/* tcpdump reads it as what it is */
	if (system("command -v tcpdump >/dev/null") == 0) {
		assert_int_equal(shell("tcpdump -ner c.pcap 2>&1"), 0);
		must_say("link-type DSA_TAG_EDSA");
		must_say("Marvell EDSA ethertype 0xdada (Unknown), rsvd 0 0, mode From CPU, target dev 0, port 1,");
	}
}

/* A frame is seen by the reader of a pipe while the bridge runs. */
static void live_capture(void **state)
{
	struct frame f;
	char buf[4096];
	size_t got = 0;

	(void)state;
	start_with("edsa", "-q --pcap - echo:raw none none none");
	marked(&f, storage, sizeof(storage), 7, 100);
	qemu_send(&f, 1);
	qemu_receive(&f);
	while (!memmem(buf, got, "\x88\xb5\0\0\0\7", 6)) {
		struct pollfd pfd = { .fd = bridge.out, .events = POLLIN };
		ssize_t n;

		assert_int_equal(poll(&pfd, 1, WAIT_MS), 1);
		n = read(bridge.out, buf + got, sizeof(buf) - got);
		assert_true(n > 0);
		got += n;
	}
	assert_int_equal(interrupt(), 0);
}

static void capture_reader_that_leaves(void **state)
{
	(void)state;
	start_with("edsa", "--pcap - none none none none");
	close(bridge.out);
	bridge.out = open("/dev/null", O_RDONLY);
	assert_int_equal(ended(), 1);
	must_say("tagrig bridge: capture: the reader has gone\n");
	assert_int_equal(access("wire", F_OK), -1);
}

static void disk_that_is_full(void **state)
{
	struct frame f;

	(void)state;
	start("-q --listen wire --tag edsa --pcap /dev/full none none none none");
	assert_int_equal(ended(), 1);
	assert_string_equal(bridge.said, "tagrig bridge: listening at wire, seed 1\n"
			    "tagrig bridge: capture: No space left on device\n");
	shell("%s gen -q -o p.pcap udp", tagrig());
	start_with("edsa", "pcap:p.pcap,record=/dev/full none none none");
	qemu_receive(&f);
	qemu_send(&f, 1);
	assert_int_equal(ended(), 1);
	must_say("tagrig bridge: lan0: /dev/full: No space left on device\n");
}

/* What epoll cannot watch is always ready. */
static void capture_into_a_device(void **state)
{
	struct frame f;

	(void)state;
	start_with("edsa", "--pcap /dev/null --pcap-dlt /dev/zero echo:raw none none none");
	for (int n = 0; n < 1000; n++) {
		marked(&f, storage, sizeof(storage), n, 1400);
		qemu_send(&f, 1);
		qemu_receive(&f);
	}
	assert_int_equal(interrupt(), 0);
}

/* A reader that stops stops the traffic; Ctrl-C still ends it. */
static void capture_reader_that_does_not_read(void **state)
{
	long long played;

	(void)state;
	shell("%s gen -q -o many.pcap 'udp len 1400 count 20000'", tagrig());
	assert_int_equal(mkfifo("fifo", 0600), 0);
	start("-j --listen wire --tag edsa --pcap fifo pcap:many.pcap none none none");
	int reader = open("fifo", O_RDONLY);

	wait_said("listening at wire");
	connect_qemu();
	wait_wire(POLLIN);
	played = wait_still("lan0", "far_end_counts", "played");
	assert_true(played < 20000);
	assert_int_equal(interrupt(), 1);
	must_say("tagrig bridge: capture: its reader has not taken everything\n");
	close(reader);
}

/* --- statistics ----------------------------------------------------------- */

static void statistics(void **state)
{
	struct frame f;

	(void)state;
	start_with("edsa", "echo:raw none none none");
	marked(&f, storage, sizeof(storage), 1, 100);
	qemu_send(&f, 1);
	qemu_receive(&f);
	marked(&f, storage, sizeof(storage), 1, 100);
	stream_send(bridge.qemu, &f);		/* no tag */
	marked(&f, storage, sizeof(storage), 1, 100);
	qemu_send(&f, 1 << 9);			/* no such port */
	wait_said("conduit: frame 2 of 100 bytes: no edsa tag: ");
	do {
		bridge.said[0] = 0;
		kill(bridge.pid, SIGUSR1);
		wait_said("lan3     in");
	} while (!strstr(bridge.said, "no-port"));
	must_say("conduit  in 3 frames 316 bytes, out 1 frames 108 bytes; dropped: bad-tag 1, no-port 1 (edsa)\n"
		 "lan0     in 1 frames 100 bytes, out 1 frames 100 bytes (echo:raw)\n"
		 "lan1     in 0 frames 0 bytes, out 0 frames 0 bytes (none)\n");
	bridge.said[0] = 0;
	assert_int_equal(interrupt(), 0);
	must_say("conduit  in 3 frames");
}

static void judge_option(void **state)
{
	struct frame f;

	(void)state;
	start_with("trailer", "--judge -j -v none none none none");
	for (int n = 0; n < 20; n++) {
		describe(&f, "udp len 30 csum bad");
		qemu_send(&f, 2);
	}
	wait_said("lan1: frame 20: udp");
	describe(&f, "udp len 30 csum pseudo");
	qemu_send(&f, 1);
	describe(&f, "udp len 30");
	qemu_send(&f, 1);
	wait_said("lan0: frame 1: udp 192.0.2.2:7 > 192.0.2.1:9 len 30: wrong layer-4 checksum (pseudo-only)\n");
	wait_number("lan0", "checksums", "judged", 2);
	assert_int_equal(interrupt(), 1);
	assert_int_equal(number("lan0", "checksums", "wrong"), 1);
}

/* --- bad input ------------------------------------------------------------ */

static void wrong_usage(void **state)
{
	static const struct {
		const char *args, *said;
	} bad[] = {
		{ "--listen wire --tag esda", "there is no tag format 'esda'; 'tagrig tags' lists them" },
		{ "--listen wire", "expected --tag NAME, found none" },
		{ "--tag edsa", "expected --listen or --connect, found neither" },
		{ "--listen a --connect b --tag edsa", "expected --listen or --connect, found both" },
		{ "--listen wire --tag edsa ehco", "lan0: expected a far end (slirp, tap, if, pcap, script, echo, cable, none), found 'ehco'" },
		{ "--listen wire --tag edsa lan0=echo 0=none", "a port has one far end; there are echo and none" },
		{ "--listen wire --tag edsa tap:", "lan0: expected tap:NAME[,netns=NAME], found 'tap:'" },
		{ "--listen wire --tag edsa tap:a,mtu=3", "lan0: expected tap:NAME[,netns=NAME], found 'tap:a,mtu=3'" },
		{ "--listen wire --tag edsa echo:here", "lan0: expected echo, echo:raw or echo:ADDRESS,... (up to 4), found 'echo:here'" },
		{ "--listen wire --tag edsa slirp:net=x", "lan0: slirp: expected net=ADDR/LEN, LEN from 8 to 27, found 'net=x'" },
		{ "--listen wire --tag edsa cable:7", "lan0: expected cable:PORT with another port, up to 3, found 'cable:7'" },
		{ "--listen wire --tag edsa cable:0", "lan0: expected cable:PORT with another port" },
		{ "--listen wire --tag edsa cable:1 echo", "the other end of cable:1 is plugged into echo" },
		{ "--listen wire --tag edsa pcap:a,rate=x", "lan0: pcap: expected rate=FRAMES-A-SECOND (k, M) or rate=captured, loop[=N], if=NAME, wait or record=FILE, found 'rate=x'" },
		{ "--listen wire --tag edsa pcap:-,loop", "lan0: pcap: standard input cannot be played in a loop" },
		{ "--listen wire --tag trailer lan30=echo", "lan30: a tag of trailer cannot name that port: 'echo'" },
		{ "--listen wire --tag edsa --ports 2 none none none", "--ports: expected at least 3 for the far ends" },
		{ "--listen wire --tag edsa --ports 0", "--ports: expected a number, 1 to 31, found '0'" },
		{ "--listen wire --tag edsa --group 1,x", "--group: expected ports separated by commas (lan0,lan1), found '1,x'" },
		{ "--listen wire --tag edsa --group 1,9", "--group: expected ports that there are" },
		{ "--listen wire --tag edsa --group 1,2 --group lan2,3", "--group: expected each port in one group, found one in two" },
		{ "--listen wire --tag edsa --flow-control maybe", "--flow-control: expected on or off, found 'maybe'" },
		{ "--listen wire --tag qca --pcap-dlt x", "--pcap-dlt: expected a tag that has a link type (brcm, brcm-prepend, dsa, edsa), found qca" },
		{ "--listen wire --tag edsa -j --pcap -", "expected one thing on standard output, found a capture and JSON" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		char line[300];

		start("%s", bad[i].args);
		if (ended() != 2)
			fail_msg("'%s' is taken", bad[i].args);
		snprintf(line, sizeof(line), "tagrig bridge: %s", bad[i].said);
		must_say(line);
		assert_ptr_equal(strchr(bridge.said, '\n'), strrchr(bridge.said, '\n'));
	}
	assert_int_equal(access("wire", F_OK), -1);
}

static void help(void **state)
{
	(void)state;
	assert_int_equal(shell("%s bridge --help", tagrig()), 0);
	must_say("--pcap-dlt FILE");
	must_say("pcap:FILE[,rate=N|captured]");
}

static void bad_sockets(void **state)
{
	char path[200];

	(void)state;
	memset(path, 'x', sizeof(path) - 1);
	path[sizeof(path) - 1] = 0;
	start("--listen %s --tag edsa", path);
	assert_int_equal(ended(), 1);
	must_say("expected 1 to 107 bytes, found 199\n");
	start_with("edsa", "none none none none");
	assert_int_equal(shell("%s bridge --listen wire --tag edsa 2>&1", tagrig()), 1);
	assert_string_equal(bridge.said, "tagrig bridge: socket wire: in use by another process\n");
	bridge.said[0] = 0;
	assert_int_equal(interrupt(), 0);
}

/* Plays FILE and expects it to end with @status after @frames frames. */
static void play_file(const char *file, unsigned int frames, int status, const char *said)
{
	struct frame f;

	start_with("edsa", "-q --until-done pcap:%s none none none", file);
	for (unsigned int n = 0; n < frames; n++)
		qemu_receive(&f);
	assert_int_equal(ended(), status);
	if (said)
		must_say(said);
}

static void captures_of_all_kinds(void **state)
{
	static const char swapped[] =	/* big-endian, microseconds; one frame */
		"\xa1\xb2\xc3\xd4\0\2\0\4\0\0\0\0\0\0\0\0\0\0\xff\xff\0\0\0\1"
		"\x65\0\0\0\0\0\0\1\0\0\0\x3c\0\0\0\x3c";
	char bytes[200];
	FILE *f;

	(void)state;
	shell("%s gen -q -o ns.pcap 'udp len 18 count 10'", tagrig());	/* nanoseconds */
	play_file("ns.pcap", 10, 0, NULL);
	memcpy(bytes, swapped, sizeof(swapped) - 1);
	memset(bytes + sizeof(swapped) - 1, 2, 60);
	f = fopen("swapped.pcap", "w");
	fwrite(bytes, sizeof(swapped) - 1 + 60, 1, f);
	fclose(f);
	play_file("swapped.pcap", 1, 0, NULL);
	shell("head -c 400 ns.pcap > cut.pcap");
	play_file("cut.pcap", 4, 1, "seed 1\ntagrig bridge: lan0: cut.pcap: packet 5 at offset ");
}

static void captures_that_cannot_be_played(void **state)
{
	(void)state;
	start("--listen wire --tag edsa pcap:absent.pcap");
	assert_int_equal(ended(), 1);
	must_say("tagrig bridge: lan0: absent.pcap: No such file or directory\n");
	shell("%s gen -q --pcap --dlt -o dlt.pcap 'udp tag edsa'", tagrig());
	start("--listen wire --tag edsa pcap:dlt.pcap");
	assert_int_equal(ended(), 1);
	must_say("tagrig bridge: lan0: dlt.pcap: expected untagged frames, found edsa tags on interface ''");
	/* raw IP */
	shell("%s gen -q -o ns.pcap udp; printf '\\145' | dd of=ns.pcap bs=1 seek=20 conv=notrunc 2>/dev/null", tagrig());
	start("--listen wire --tag edsa pcap:ns.pcap");
	assert_int_equal(ended(), 1);
	must_say("tagrig bridge: lan0: ns.pcap: expected a link type of Ethernet (1) or of a DSA tag (281, 282, 284, 285), found 101\n");
	start("--listen wire --tag edsa pcap:/dev/null");
	assert_int_equal(ended(), 1);
	must_say("tagrig bridge: lan0: /dev/null: ");
	start("--listen wire --tag edsa --pcap absent/x.pcapng");
	assert_int_equal(ended(), 1);
	must_say("tagrig bridge: absent/x.pcapng: No such file or directory\n");
}

static void times_out(void **state)
{
	(void)state;
	start("--listen wire --tag edsa --timeout 1 --until-done none none none none");
	assert_int_equal(ended(), 1);
	must_say("tagrig bridge: not done after 1 s\n");
}

#define TEST(f)	cmocka_unit_test_teardown(f, kill_bridge)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(every_tag),
		TEST(user_networks),
		TEST(echo_peer),
		TEST(cables),
		TEST(groups),
		TEST(storm),
		TEST(play),
		TEST(play_at_a_rate),
		TEST(play_on_the_first_frame),
		TEST(play_our_own_capture),
		TEST(record),
		TEST(script),
		TEST(script_in_turn),
		TEST(script_that_sees_wrong_frames),
		TEST(script_with_mistakes),
		TEST(nothing_is_lost),
		TEST(echoes_hold_the_sender_back),
		TEST(without_flow_control),
		TEST(reconnect),
		TEST(leaves_with_frames_on_the_way),
		TEST(connects_to_qemu),
		TEST(out_of_step),
		TEST(everything_is_accounted_for),
		TEST(capture_of_all_ports),
		TEST(live_capture),
		TEST(capture_reader_that_leaves),
		TEST(capture_into_a_device),
		TEST(disk_that_is_full),
		TEST(capture_reader_that_does_not_read),
		TEST(statistics),
		TEST(judge_option),
		TEST(wrong_usage),
		TEST(help),
		TEST(bad_sockets),
		TEST(captures_of_all_kinds),
		TEST(captures_that_cannot_be_played),
		TEST(times_out),
	};

	signal(SIGPIPE, SIG_IGN);
	return cmocka_run_group_tests(tests, make_dir, remove_dir);
}
