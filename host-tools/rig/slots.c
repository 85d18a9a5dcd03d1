// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Slots that processes share: see slots.h.
 *
 * A slot is a byte in a pipe, as in make's job server; and as that byte is gone
 * with a process that is killed, there is a count for each holder in shared
 * memory.  A holder counts a slot before it reads the byte, and takes it off the
 * count after it has written it: killed in between, it leaves a slot too many and
 * never one too few, for which others would wait for ever.
 */
#include "slots.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

int slots_open(struct slots *s, unsigned int slots, unsigned int holders)
{
	int fds[2];
	void *held;

	if (pipe2(fds, O_CLOEXEC | O_NONBLOCK))
		return -errno;
	held = mmap(NULL, holders * sizeof(*s->held), PROT_READ | PROT_WRITE,
		    MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (held == MAP_FAILED) {
		close(fds[0]);
		close(fds[1]);
		return -ENOMEM;
	}
	*s = (struct slots){ fds[0], fds[1], held, holders };
	while (slots--) {
		if (write(s->back, "", 1) != 1)
			break;
	}
	return 0;
}

void slots_close(struct slots *s)
{
	close(s->fd);
	close(s->back);
	munmap(s->held, s->holders * sizeof(*s->held));
	memset(s, 0, sizeof(*s));
}

bool slots_take(struct slots *s, unsigned int holder)
{
	char byte;

	s->held[holder]++;
	if (read(s->fd, &byte, 1) == 1)
		return true;
	s->held[holder]--;
	return false;
}

void slots_give(struct slots *s, unsigned int holder)
{
	if (write(s->back, "", 1) == 1)
		s->held[holder]--;
}

void slots_reclaim(struct slots *s, unsigned int holder)
{
	while (s->held[holder])
		slots_give(s, holder);
}
