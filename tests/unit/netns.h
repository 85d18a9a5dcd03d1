/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * For tests of taps and interfaces: a network namespace of the test's own, in
 * which nothing of the host's is disturbed.  Included after cmocka.h.
 */
#ifndef TAGRIG_TESTS_NETNS_H
#define TAGRIG_TESTS_NETNS_H

#include <errno.h>
#include <sched.h>
#include <string.h>
#include <unistd.h>

#include <netlink/netlink.h>
#include <netlink/route/link.h>

#include "net/ifcap.h"

static const char *why_not;	/* the tests that need a namespace cannot run */

/* A group's setup. */
static int own_namespace(void **state)
{
	(void)state;
	if (unshare(CLONE_NEWNET))
		why_not = strerror(errno);
	else if (access("/dev/net/tun", R_OK | W_OK))
		why_not = "/dev/net/tun cannot be opened";
	if (why_not)
		print_message("# SKIP taps and interfaces: %s\n", why_not);
	return 0;
}

static void need_namespace(void)
{
	if (why_not)
		skip();
}

static struct ifcap *interface(const char *name)
{
	char why[WHY_SIZE];
	struct ifcap *i;

	if (ifcap_open(name, &i, why))
		fail_msg("%s", why);
	return i;
}

static void remove_link(const char *name)
{
	struct nl_sock *sock = nl_socket_alloc();
	struct rtnl_link *link;

	assert_int_equal(nl_connect(sock, NETLINK_ROUTE), 0);
	assert_int_equal(rtnl_link_get_kernel(sock, 0, name, &link), 0);
	assert_int_equal(rtnl_link_delete(sock, link), 0);
	rtnl_link_put(link);
	nl_socket_free(sock);
}

#endif
