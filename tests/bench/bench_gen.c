// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What a frame costs "tagrig gen" and "tagrig check", beside the tools that
 * write and read captures of their own (tcpdump, and trafgen and tcpreplay
 * where they are installed), in the same run.
 *
 * Prints CPU ns a frame; asserts nothing.  TAGRIG names the program; captures
 * are written to /dev/shm (or /tmp without it).
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#define FRAMES	1000000
#define ROUNDS	3

static double children_s(void)
{
	struct rusage u;

	getrusage(RUSAGE_CHILDREN, &u);
	return u.ru_utime.tv_sec + u.ru_stime.tv_sec +
	       (u.ru_utime.tv_usec + u.ru_stime.tv_usec) / 1e6;
}

/* Best of ROUNDS; a line with "-" where the tool is not there or fails. */
static void time_command(const char *what, const char *tool, const char *command)
{
	char probe[100];
	double best = 1e9;

	snprintf(probe, sizeof(probe), "command -v %s >/dev/null 2>&1", tool);
	for (int i = 0; i < ROUNDS; i++) {
		double start, took;

		if (system(probe)) {
			printf("%-44s %9s\n", what, "-");
			return;
		}
		start = children_s();
		if (system(command)) {
			printf("%-44s %9s\n", what, "failed");
			return;
		}
		took = (children_s() - start) * 1e9 / FRAMES;
		best = took < best ? took : best;
	}
	printf("%-44s %6.1f ns\n", what, best);
}

static void bench(const char *tagrig, const char *dir)
{
	char file[200], command[600];

	snprintf(file, sizeof(file), "%s/bench_gen.%d.pcap", dir, getpid());
	snprintf(command, sizeof(command), "%s gen -q -o %s udp len 18 count %d",
		 tagrig, file, FRAMES);
	time_command("gen, 60 bytes", tagrig, command);
	snprintf(command, sizeof(command), "%s check -q %s >/dev/null", tagrig, file);
	time_command("check, 60 bytes", tagrig, command);
	snprintf(command, sizeof(command), "tcpdump -r %s -w /dev/null 2>/dev/null", file);
	time_command("tcpdump -r FILE -w /dev/null", "tcpdump", command);
	snprintf(command, sizeof(command), "tcpreplay -q -t -i lo %s >/dev/null 2>&1", file);
	time_command("tcpreplay -t (to the loopback)", "tcpreplay", command);
	snprintf(command, sizeof(command),
		 "trafgen -q --cpus 1 -n %d -o %s '{ fill(0x11, 12), const16(0x88b5), fill(0x22, 46) }' >/dev/null 2>&1",
		 FRAMES, file);
	time_command("trafgen to a file, 60 bytes", "trafgen", command);
	snprintf(command, sizeof(command),
		 "%s gen -q -o %s udp len 18 tag edsa port 1..3 count %d", tagrig, file, FRAMES);
	time_command("gen, EDSA, ports swept", tagrig, command);
	snprintf(command, sizeof(command), "%s check -q --tag edsa %s >/dev/null", tagrig, file);
	time_command("check, EDSA", tagrig, command);
	unlink(file);
}

int main(void)
{
	const char *tagrig = getenv("TAGRIG");

	if (!tagrig || access(tagrig, X_OK)) {
		printf("TAGRIG does not name the program: nothing measured\n");
		return 0;
	}
	bench(tagrig, access("/dev/shm", W_OK) ? "/tmp" : "/dev/shm");
	return 0;
}
