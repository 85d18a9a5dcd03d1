// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Interfaces of the host through libpcap.
 *
 * Left out: the offloads of the interface.  One that has generic receive
 * offload on hands up frames longer than its wire carries, and one that leaves
 * checksums to hardware shows its own frames unfinished: "ethtool -K" is for
 * whoever uses it.
 */
#include <errno.h>
#include <stdlib.h>

#include <pcap/pcap.h>

#include "net/ifcap.h"

#define KERNEL_BUFFER	(4 * 1024 * 1024)

struct ifcap {
	pcap_t *pcap;
	int fd;
	char error[WHY_SIZE];
};

/* libpcap's codes as errno; it has words for the rest. */
static int to_errno(int status)
{
	switch (status) {
	case PCAP_ERROR_PERM_DENIED:
	case PCAP_ERROR_PROMISC_PERM_DENIED:
		return -EPERM;
	case PCAP_ERROR_NO_SUCH_DEVICE:
	case PCAP_ERROR_IFACE_NOT_UP:
		return -ENODEV;
	}
	return -EIO;
}

static int activate(pcap_t *p, const char *name, char *why)
{
	int status;

	pcap_set_snaplen(p, FRAME_MAX);
	pcap_set_promisc(p, 1);
	pcap_set_immediate_mode(p, 1);
	pcap_set_buffer_size(p, KERNEL_BUFFER);
	status = pcap_activate(p);
	if (status < 0) {
		const char *more = pcap_geterr(p);

		return why_set(why, to_errno(status), "interface %s: %s%s%.150s",
			       name, pcap_statustostr(status), *more ? ": " : "", more);
	}
	if (pcap_datalink(p) != DLT_EN10MB)
		return why_set(why, -EPROTO, "interface %s: expected Ethernet, found %s",
			       name, pcap_datalink_val_to_name(pcap_datalink(p)) ?: "something else");
	return 0;
}

int ifcap_open(const char *name, struct ifcap **out, char *why)
{
	char error[PCAP_ERRBUF_SIZE] = "";
	struct ifcap *i = calloc(1, sizeof(*i));
	int err;

	if (!i)
		return why_set(why, -ENOMEM, "interface %s: %s", name, strerror(ENOMEM));
	i->pcap = pcap_create(name, error);
	err = i->pcap ? activate(i->pcap, name, why) :
	      why_set(why, -EIO, "interface %s: %.180s", name, error);
	if (!err && (pcap_setnonblock(i->pcap, 1, error) ||
		     pcap_setdirection(i->pcap, PCAP_D_IN)))
		err = why_set(why, -EIO, "interface %s: %.180s", name,
			      *error ? error : pcap_geterr(i->pcap));
	if (err) {
		ifcap_close(i);
		return err;
	}
	i->fd = pcap_get_selectable_fd(i->pcap);
	*out = i;
	return 0;
}

void ifcap_close(struct ifcap *i)
{
	if (!i)
		return;
	if (i->pcap)
		pcap_close(i->pcap);
	free(i);
}

int ifcap_fd(const struct ifcap *i)
{
	return i->fd;
}

int ifcap_read(struct ifcap *i, struct frame *f)
{
	struct pcap_pkthdr *h;
	const u_char *bytes;
	int got = pcap_next_ex(i->pcap, &h, &bytes);

	if (!got)
		return 0;
	if (got < 0)
		return why_set(i->error, -ENODEV, "%s", pcap_geterr(i->pcap));
	if (frame_set(f, bytes, h->caplen))
		return why_set(i->error, -ENOBUFS,
			       "expected a frame of at most %td bytes, found %u",
			       f->end - f->data, h->caplen);
	return 1;
}

int ifcap_write(struct ifcap *i, const struct frame *f)
{
	errno = 0;
	if (pcap_inject(i->pcap, f->data, f->len) >= 0)
		return 0;
	if (errno == EAGAIN || errno == ENOBUFS)
		return -EAGAIN;
	return why_set(i->error, errno == ENXIO || errno == ENETDOWN ? -ENODEV :
		       errno ? -errno : -EIO, "%s", pcap_geterr(i->pcap));
}

uint64_t ifcap_drops(struct ifcap *i)
{
	struct pcap_stat st = { 0 };

	return pcap_stats(i->pcap, &st) ? 0 : st.ps_drop;
}

const char *ifcap_error(const struct ifcap *i)
{
	return i->error;
}
