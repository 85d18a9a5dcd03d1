// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Taps.
 *
 * A tap belongs to the namespace that the thread is in when it is made, so the
 * thread goes there for a moment and comes back; the descriptor works from
 * anywhere.  The kernel removes the interface with its last descriptor.
 *
 * Without TUNSETOFFLOAD the kernel finishes every checksum before a frame is
 * read here.  Left out: several queues, offloads, addresses (that is for
 * whoever uses the interface).
 */
#include <fcntl.h>
#include <linux/if.h>
#include <linux/if_tun.h>
#include <sched.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <netlink/netlink.h>
#include <netlink/route/link.h>

#include "net/tap.h"

struct tap {
	int fd;
	struct nl_sock *sock;	/* in the interface's namespace */
	char name[IFNAMSIZ];
};

/* --- namespaces ---------------------------------------------------------- */

/* Goes to @netns; a descriptor of where we were, to come back by. */
static int enter(const char *netns, char *why)
{
	char path[256];
	int there, back, err;

	snprintf(path, sizeof(path), strchr(netns, '/') ? "%s" : "/run/netns/%s",
		 netns);
	there = open(path, O_RDONLY | O_CLOEXEC);
	if (there < 0)
		return why_set(why, -errno, "network namespace %s: %s", netns,
			       strerror(errno));
	back = open("/proc/self/ns/net", O_RDONLY | O_CLOEXEC);
	err = back < 0 || setns(there, CLONE_NEWNET) ? -errno : 0;
	close(there);
	if (!err)
		return back;
	if (back >= 0)
		close(back);
	return why_set(why, err, "network namespace %s: %s", netns,
		       err == -EINVAL ? "that is no network namespace" :
		       strerror(-err));
}

/* A thread that cannot go home would do all its work in the wrong place. */
static void leave(int back)
{
	if (setns(back, CLONE_NEWNET)) {
		perror("network namespace: cannot go back");
		abort();
	}
	close(back);
}

/* --- the interface ------------------------------------------------------- */

static int set_up(struct nl_sock *sock, const char *name, char *why)
{
	struct rtnl_link *link = NULL, *change = rtnl_link_alloc();
	int err = sock && change ? nl_connect(sock, NETLINK_ROUTE) : -NLE_NOMEM;

	if (!err)
		err = rtnl_link_get_kernel(sock, 0, name, &link);
	if (!err) {
		rtnl_link_set_flags(change, IFF_UP);
		err = rtnl_link_change(sock, link, change, 0);
	}
	if (link)
		rtnl_link_put(link);
	if (change)
		rtnl_link_put(change);
	if (!err)
		return 0;
	return why_set(why, err == -NLE_PERM ? -EPERM : -EIO, "tap %s: %s", name,
		       nl_geterror(err));
}

static const char *tun_reason(int err, bool opened)
{
	if (err == -EPERM || err == -EACCES)
		return "no permission (it takes CAP_NET_ADMIN)";
	if (err == -EBUSY)
		return "there is an interface of that name";
	if (!opened && err == -ENOENT)
		return "no /dev/net/tun (is the tun driver there?)";
	return strerror(-err);
}

/* IFF_TUN_EXCL: an interface of that name that exists is not taken over. */
static int make(struct nl_sock *sock, const char *name, char *why)
{
	int err, fd = open("/dev/net/tun", O_RDWR | O_NONBLOCK | O_CLOEXEC);
	struct ifreq ifr = { .ifr_flags = IFF_TAP | IFF_NO_PI | IFF_TUN_EXCL };

	strncpy(ifr.ifr_name, name, IFNAMSIZ - 1);
	err = fd < 0 || ioctl(fd, TUNSETIFF, &ifr) ? -errno : 0;
	if (err) {
		why_set(why, err, "tap %s: %s", name, tun_reason(err, fd >= 0));
		err = err == -EBUSY ? -EEXIST : err == -EACCES ? -EPERM : err;
	} else {
		err = set_up(sock, name, why);
	}
	if (!err)
		return fd;
	if (fd >= 0)
		close(fd);
	return err;
}

int tap_open(const char *name, const char *netns, struct tap **out, char *why)
{
	struct tap *t;
	int back = -1;

	if (!*name || strlen(name) >= IFNAMSIZ || strpbrk(name, "/% \t\n"))
		return why_set(why, -EINVAL,
			       "tap: expected a name of 1 to %d bytes without blanks, / and %%, found '%.40s'",
			       IFNAMSIZ - 1, name);
	t = calloc(1, sizeof(*t));
	if (!t)
		return why_set(why, -ENOMEM, "tap %s: %s", name, strerror(ENOMEM));
	strcpy(t->name, name);
	if (netns)
		back = enter(netns, why);
	if (netns && back < 0) {
		free(t);
		return back;
	}
	t->sock = nl_socket_alloc();
	t->fd = make(t->sock, name, why);
	if (back >= 0)
		leave(back);
	if (t->fd < 0) {
		int err = t->fd;

		tap_close(t);
		return err;
	}
	*out = t;
	return 0;
}

void tap_close(struct tap *t)
{
	if (!t)
		return;
	if (t->fd >= 0)
		close(t->fd);
	if (t->sock)
		nl_socket_free(t->sock);
	free(t);
}

uint64_t tap_drops(struct tap *t)
{
	struct rtnl_link *link;
	uint64_t drops;

	if (rtnl_link_get_kernel(t->sock, 0, t->name, &link))
		return 0;	/* it is gone, and its numbers with it */
	drops = rtnl_link_get_stat(link, RTNL_LINK_TX_DROPPED);
	rtnl_link_put(link);
	return drops;
}

int tap_fd(const struct tap *t)
{
	return t->fd;
}

/* EBADFD is how the tun driver says that its interface is gone. */
static int result(ssize_t n)
{
	if (n >= 0)
		return 0;
	return errno == EBADFD ? -ENODEV : -errno;
}

int tap_read(struct tap *t, struct frame *f)
{
	size_t room = f->end - f->data - f->len;
	uint8_t *to = f->data + f->len;
	ssize_t n;

	if (room <= FRAME_TAILROOM)
		return -ENOBUFS;
	do {
		n = read(t->fd, to, room - FRAME_TAILROOM);
	} while (n < 0 && errno == EINTR);
	if (n < 0 && errno == EAGAIN)
		return 0;
	if (n <= 0)
		return n ? result(n) : -ENODEV;
	f->len += n;
	return 1;
}

int tap_write(struct tap *t, const struct frame *f)
{
	ssize_t n;

	do {
		n = write(t->fd, f->data, f->len);
	} while (n < 0 && errno == EINTR);
	return result(n);
}
