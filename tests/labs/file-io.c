// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * file-io FILE MEGABYTES: writes a file in pieces of 64 KiB, writes it again,
 * reads it, reads it again (what iozone does with -i 0 -i 1 -r 64k), in
 * windows 1, 2, 3 and 4.  Exit status 1 when something is not as it should be.
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "mark.h"

#define PIECE (64 * 1024)

static char buf[PIECE];

static void need(int ok, const char *what)
{
	if (ok)
		return;
	perror(what);
	exit(1);
}

static void write_all(int fd, long pieces)
{
	while (pieces--)
		need(write(fd, buf, PIECE) == PIECE, "write");
}

static void read_all(int fd, long pieces)
{
	while (pieces--)
		need(read(fd, buf, PIECE) == PIECE, "read");
}

static void rewind_file(int fd)
{
	need(lseek(fd, 0, SEEK_SET) == 0, "lseek");
}

int main(int argc, char **argv)
{
	long pieces;
	int fd;

	if (argc != 3) {
		fprintf(stderr, "usage: file-io FILE MEGABYTES\n");
		return 2;
	}
	pieces = strtol(argv[2], NULL, 10) * 1024 * 1024 / PIECE;
	memset(buf, 1, sizeof(buf));
	fd = open(argv[1], O_RDWR | O_CREAT | O_TRUNC, 0600);
	need(fd >= 0, argv[1]);
	LAB_MARK(1);
	write_all(fd, pieces);
	LAB_MARK(0);
	rewind_file(fd);
	LAB_MARK(2);
	write_all(fd, pieces);
	LAB_MARK(0);
	rewind_file(fd);
	LAB_MARK(3);
	read_all(fd, pieces);
	LAB_MARK(0);
	rewind_file(fd);
	LAB_MARK(4);
	read_all(fd, pieces);
	LAB_MARK(0);
	need(!unlink(argv[1]), "unlink");
	return 0;
}
