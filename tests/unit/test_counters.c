// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Counters of the guest: found by name in what the kernel prints.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "rig/counters.h"

static const char text[] =
	"Ip: Forwarding DefaultTTL InReceives\n"
	"Ip: 2 64 7\n"
	"Udp: InDatagrams NoPorts InErrors InCsumErrors IgnoredMulti\n"
	"Udp: 100 2 200 199 5\n"
	"UdpLite: InDatagrams InCsumErrors\n"
	"UdpLite: 1 3\n"
	"TcpExt: SyncookiesSent InCsumErrors\n"
	"TcpExt: 4 -6\n"
	"Udp6InDatagrams                 \t8\n"
	"Udp6InCsumErrors                \t9\n"
	"ethtool.eth0.rx_crc_errors 11\n"
	"dev.lan0.rx_packets 12\n";

static void found(void **state)
{
	static const struct {
		const char *name;
		long value;
	} all[] = {
		{ "Ip.InReceives", 7 },	       { "Udp.InDatagrams", 100 },
		{ "Udp.InCsumErrors", 199 },   { "Udp.IgnoredMulti", 5 },
		{ "UdpLite.InCsumErrors", 3 }, { "TcpExt.InCsumErrors", -6 },
		{ "Udp6.InCsumErrors", 9 },    { "Udp6InCsumErrors", 9 },
		{ "dev.lan0.rx_packets", 12 }, { "ethtool.eth0.rx_crc_errors", 11 },
	};
	long value = 0;
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(all) / sizeof(all[0]); i++) {
		assert_true(counter_value(text, all[i].name, &value));
		assert_int_equal(value, all[i].value);
	}
}

static void not_there(void **state)
{
	static const char *const none[] = {
		"Udp.InCsum", "Ud.InErrors", "Tcp.InErrs", "Udp6.InCsum", "Udp", "",
		"ethtool.eth1.rx_crc_errors", "InCsumErrors",
	};
	long value;
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(none) / sizeof(none[0]); i++)
		assert_false(counter_value(text, none[i], &value));
	assert_false(counter_value(NULL, "Udp.InErrors", &value));
	/* names without values, as a file that was cut leaves them */
	assert_false(counter_value("Udp: InErrors", "Udp.InErrors", &value));
	assert_false(counter_value("Udp: InErrors\nUdp:", "Udp.InErrors", &value));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(found),
		cmocka_unit_test(not_there),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
