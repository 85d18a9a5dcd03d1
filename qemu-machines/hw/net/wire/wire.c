// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * wire: the far end of a MAC's cable, without a host behind it.
 *
 * Plays the frames of a pcap file into the cable at times of the virtual
 * clock, and records what comes out of it with such times.  Nothing of the
 * host's timing enters, so with -icount a run with traffic is as repeatable as
 * one without.
 *
 *   -netdev hubport,hubid=0,id=mac -netdev hubport,hubid=0,id=far
 *   -machine stmmac-virt,wire0=mac
 *   -device wire,netdev=far,pcap=IN,record=OUT,trigger=TEXT
 *
 * Properties:
 *   pcap      file to play; classic pcap, Ethernet (link type 1), either byte
 *             order, micro- or nanoseconds; without: nothing is played
 *   record    file to write, a pcap with nanoseconds since the guest's start
 *   start     virtual time in ns at which the first frame is played
 *   trigger   the first frame out of the guest that has this text anywhere in
 *             it starts the playing: boot noise stays out, and a guest says
 *             when it listens by sending a datagram
 *   delay     ns from the trigger to the first frame
 *   gap       ns from one frame to the next, instead of the file's times
 *   repeat    how often the file is played (default 1)
 *   playing   (QOM, not at creation) true while frames are left; writing true
 *             starts, writing false stops
 *   played, recorded    (QOM, read-only) frames so far
 *
 * A frame that the MAC does not take at once waits in QEMU's queue, as it does
 * with every netdev.  Frames are as in the file: no padding, no FCS.
 *
 * Left out: pcapng, and a record that goes on where a snapshot left it (after
 * loading one it begins empty).
 */
#include "qemu/osdep.h"
#include "hw/qdev-properties.h"
#include "migration/vmstate.h"
#include "net/net.h"
#include "qapi/error.h"
#include "qemu/bswap.h"
#include "qemu/error-report.h"
#include "qemu/module.h"
#include "qemu/timer.h"
#include "trace.h"

#define TYPE_WIRE "wire"
OBJECT_DECLARE_SIMPLE_TYPE(Wire, WIRE)

#define PCAP_US         0xa1b2c3d4
#define PCAP_NS         0xa1b23c4d
#define PCAP_ETHERNET   1
#define PCAP_HEADER     24
#define PCAP_RECORD     16
#define FRAME_MAX       65536

typedef struct WireFrame {
    int64_t at;                 /* ns after the first frame of the file */
    uint32_t len;
    const uint8_t *bytes;       /* in Wire.file */
} WireFrame;

struct Wire {
    DeviceState parent_obj;

    NICState *nic;
    NICConf conf;
    QEMUTimer *timer;
    gchar *file;                /* the pcap, whole */
    GArray *frames;             /* WireFrame */
    FILE *out;

    /* properties */
    char *pcap;
    char *record;
    char *trigger;
    int64_t start;
    uint64_t delay;
    uint64_t gap;
    uint32_t repeat;

    /* state */
    bool playing;
    bool triggered;
    int64_t base;               /* virtual time of the first frame of all */
    uint64_t played;
    uint64_t recorded;
};

/* --- the file ------------------------------------------------------------- */

typedef struct PcapReader {
    const uint8_t *at;
    size_t left;
    bool swapped;
    int64_t fraction;           /* ns of a unit of the second timestamp word */
} PcapReader;

static uint32_t pcap_u32(const PcapReader *r, size_t offset)
{
    uint32_t v = ldl_he_p(r->at + offset);

    return r->swapped ? bswap32(v) : v;
}

static bool pcap_header(PcapReader *r, const char *path, Error **errp)
{
    uint32_t magic = r->left >= PCAP_HEADER ? ldl_he_p(r->at) : 0;
    uint32_t type;

    r->swapped = magic == bswap32(PCAP_US) || magic == bswap32(PCAP_NS);
    magic = r->swapped ? bswap32(magic) : magic;
    if (magic != PCAP_US && magic != PCAP_NS) {
        error_setg(errp, "wire: %s: expected a pcap file, found none of its "
                   "magic numbers", path);
        return false;
    }
    r->fraction = magic == PCAP_US ? 1000 : 1;
    type = pcap_u32(r, 20) & 0xffff;
    if (type != PCAP_ETHERNET) {
        error_setg(errp, "wire: %s: expected Ethernet (link type 1), found "
                   "link type %u", path, type);
        return false;
    }
    r->at += PCAP_HEADER;
    r->left -= PCAP_HEADER;
    return true;
}

static bool pcap_frame(PcapReader *r, const char *path, unsigned number,
                       WireFrame *f, Error **errp)
{
    uint32_t len;

    if (r->left < PCAP_RECORD) {
        error_setg(errp, "wire: %s: frame %u: the file ends in its header",
                   path, number);
        return false;
    }
    f->at = pcap_u32(r, 0) * NANOSECONDS_PER_SECOND +
            pcap_u32(r, 4) * r->fraction;
    len = pcap_u32(r, 8);
    if (len > FRAME_MAX || len > r->left - PCAP_RECORD) {
        error_setg(errp, "wire: %s: frame %u: expected %u bytes, found %zu",
                   path, number, len, r->left - PCAP_RECORD);
        return false;
    }
    f->len = len;
    f->bytes = r->at + PCAP_RECORD;
    r->at += PCAP_RECORD + len;
    r->left -= PCAP_RECORD + len;
    return true;
}

/* Times that go back would be played late: they are an error of the file. */
static bool wire_add_frame(Wire *s, WireFrame *f, int64_t first, Error **errp)
{
    const WireFrame *before = s->frames->len ?
        &g_array_index(s->frames, WireFrame, s->frames->len - 1) : NULL;

    f->at -= first;
    if (before && f->at < before->at && !s->gap) {
        error_setg(errp, "wire: %s: frame %u: its time is before that of the "
                   "last one", s->pcap, s->frames->len + 1);
        return false;
    }
    g_array_append_val(s->frames, *f);
    return true;
}

static bool wire_load(Wire *s, Error **errp)
{
    g_autoptr(GError) err = NULL;
    PcapReader r = { 0 };
    WireFrame f;
    int64_t first = 0;

    if (!g_file_get_contents(s->pcap, &s->file, &r.left, &err)) {
        error_setg(errp, "wire: %s", err->message);
        return false;
    }
    r.at = (const uint8_t *)s->file;
    if (!pcap_header(&r, s->pcap, errp)) {
        return false;
    }
    while (r.left) {
        if (!pcap_frame(&r, s->pcap, s->frames->len + 1, &f, errp)) {
            return false;
        }
        first = s->frames->len ? first : f.at;
        if (!wire_add_frame(s, &f, first, errp)) {
            return false;
        }
    }
    return true;
}

/* --- playing -------------------------------------------------------------- */

static uint64_t wire_total(const Wire *s)
{
    return (uint64_t)s->frames->len * s->repeat;
}

/* When is frame number @n of all repetitions due? */
static int64_t wire_due(const Wire *s, uint64_t n)
{
    const WireFrame *last = &g_array_index(s->frames, WireFrame,
                                           s->frames->len - 1);
    const WireFrame *f = &g_array_index(s->frames, WireFrame,
                                        n % s->frames->len);

    if (s->gap) {
        return s->base + n * s->gap;
    }
    return s->base + n / s->frames->len * last->at + f->at;
}

static void wire_arm(Wire *s)
{
    if (s->played < wire_total(s) && s->playing) {
        timer_mod_ns(s->timer, wire_due(s, s->played));
    } else {
        s->playing = false;
        timer_del(s->timer);
    }
}

static void wire_start(Wire *s, int64_t at)
{
    if (s->playing) {
        return;
    }
    trace_wire_start(at, wire_total(s));
    s->playing = true;
    s->base = at;
    s->played = 0;
    wire_arm(s);
}

static void wire_tick(void *opaque)
{
    Wire *s = opaque;
    int64_t now = qemu_clock_get_ns(QEMU_CLOCK_VIRTUAL);

    while (s->playing && s->played < wire_total(s) &&
           wire_due(s, s->played) <= now) {
        const WireFrame *f = &g_array_index(s->frames, WireFrame,
                                            s->played % s->frames->len);

        trace_wire_play(s->played, f->len, now);
        s->played++;
        qemu_send_packet(qemu_get_queue(s->nic), f->bytes, f->len);
    }
    wire_arm(s);
}

/* --- recording ------------------------------------------------------------ */

static void wire_write(Wire *s, const uint32_t *words, size_t n)
{
    size_t i;

    for (i = 0; i < n; i++) {
        uint32_t le = cpu_to_le32(words[i]);

        fwrite(&le, sizeof(le), 1, s->out);
    }
}

static bool wire_open_record(Wire *s, Error **errp)
{
    /* version 2.4; two zero words; longest frame; link type */
    const uint32_t header[] = { PCAP_NS, 4 << 16 | 2, 0, 0, FRAME_MAX,
                                PCAP_ETHERNET };

    s->out = fopen(s->record, "wb");
    if (!s->out) {
        error_setg_errno(errp, errno, "wire: %s", s->record);
        return false;
    }
    wire_write(s, header, ARRAY_SIZE(header));
    fflush(s->out);
    return true;
}

static void wire_record(Wire *s, const uint8_t *buf, size_t len, int64_t now)
{
    const uint32_t header[] = { now / NANOSECONDS_PER_SECOND,
                                now % NANOSECONDS_PER_SECOND, len, len };

    s->recorded++;
    trace_wire_record(s->recorded, len, now);
    if (!s->out) {
        return;
    }
    wire_write(s, header, ARRAY_SIZE(header));
    fwrite(buf, len, 1, s->out);
    fflush(s->out);
}

static bool wire_is_trigger(const Wire *s, const uint8_t *buf, size_t len)
{
    return s->trigger && *s->trigger && !s->triggered &&
           memmem(buf, len, s->trigger, strlen(s->trigger));
}

static ssize_t wire_receive(NetClientState *nc, const uint8_t *buf, size_t len)
{
    Wire *s = qemu_get_nic_opaque(nc);
    int64_t now = qemu_clock_get_ns(QEMU_CLOCK_VIRTUAL);

    wire_record(s, buf, len, now);
    if (wire_is_trigger(s, buf, len)) {
        s->triggered = true;
        wire_start(s, now + s->delay);
    }
    return len;
}

static NetClientInfo wire_net_info = {
    .type = NET_CLIENT_DRIVER_NIC,
    .size = sizeof(NICState),
    .receive = wire_receive,
};

/* --- the device ----------------------------------------------------------- */

static void wire_realize(DeviceState *dev, Error **errp)
{
    Wire *s = WIRE(dev);

    s->frames = g_array_new(FALSE, FALSE, sizeof(WireFrame));
    if (s->pcap && !wire_load(s, errp)) {
        return;
    }
    if (s->record && !wire_open_record(s, errp)) {
        return;
    }
    s->timer = timer_new_ns(QEMU_CLOCK_VIRTUAL, wire_tick, s);
    s->nic = qemu_new_nic(&wire_net_info, &s->conf, TYPE_WIRE, dev->id,
                          &dev->mem_reentrancy_guard, s);
    if (s->start >= 0) {
        wire_start(s, s->start);
    }
}

static void wire_unrealize(DeviceState *dev)
{
    Wire *s = WIRE(dev);

    qemu_del_nic(s->nic);
    timer_free(s->timer);
    if (s->out) {
        fclose(s->out);
    }
    g_array_free(s->frames, TRUE);
    g_free(s->file);
}

static bool wire_get_playing(Object *obj, Error **errp)
{
    return WIRE(obj)->playing;
}

static void wire_set_playing(Object *obj, bool value, Error **errp)
{
    Wire *s = WIRE(obj);

    if (!DEVICE(obj)->realized) {
        error_setg(errp, "wire: playing can be set when the device is there; "
                   "use start= or trigger=");
    } else if (value) {
        wire_start(s, qemu_clock_get_ns(QEMU_CLOCK_VIRTUAL));
    } else {
        s->playing = false;
        wire_arm(s);
    }
}

static int wire_post_load(void *opaque, int version_id)
{
    Wire *s = opaque;

    if (s->playing && s->played > wire_total(s)) {
        error_report("wire: the snapshot has played %" PRIu64 " frames, the "
                     "pcap has %" PRIu64, s->played, wire_total(s));
        return -EINVAL;
    }
    wire_arm(s);
    return 0;
}

static const VMStateDescription wire_vmstate = {
    .name = TYPE_WIRE,
    .version_id = 1,
    .minimum_version_id = 1,
    .post_load = wire_post_load,
    .fields = (const VMStateField[]) {
        VMSTATE_BOOL(playing, Wire),
        VMSTATE_BOOL(triggered, Wire),
        VMSTATE_INT64(base, Wire),
        VMSTATE_UINT64(played, Wire),
        VMSTATE_UINT64(recorded, Wire),
        VMSTATE_END_OF_LIST()
    },
};

static const Property wire_properties[] = {
    DEFINE_NIC_PROPERTIES(Wire, conf),
    DEFINE_PROP_STRING("pcap", Wire, pcap),
    DEFINE_PROP_STRING("record", Wire, record),
    DEFINE_PROP_STRING("trigger", Wire, trigger),
    DEFINE_PROP_INT64("start", Wire, start, -1),
    DEFINE_PROP_UINT64("delay", Wire, delay, 0),
    DEFINE_PROP_UINT64("gap", Wire, gap, 0),
    DEFINE_PROP_UINT32("repeat", Wire, repeat, 1),
};

static void wire_init(Object *obj)
{
    Wire *s = WIRE(obj);

    object_property_add_bool(obj, "playing", wire_get_playing,
                             wire_set_playing);
    object_property_add_uint64_ptr(obj, "played", &s->played,
                                   OBJ_PROP_FLAG_READ);
    object_property_add_uint64_ptr(obj, "recorded", &s->recorded,
                                   OBJ_PROP_FLAG_READ);
}

static void wire_class_init(ObjectClass *klass, void *data)
{
    DeviceClass *dc = DEVICE_CLASS(klass);

    dc->desc = "plays and records frames in virtual time";
    dc->realize = wire_realize;
    dc->unrealize = wire_unrealize;
    dc->vmsd = &wire_vmstate;
    dc->user_creatable = true;
    device_class_set_props(dc, wire_properties);
    set_bit(DEVICE_CATEGORY_NETWORK, dc->categories);
}

static const TypeInfo wire_info = {
    .name = TYPE_WIRE,
    .parent = TYPE_DEVICE,
    .instance_size = sizeof(Wire),
    .instance_init = wire_init,
    .class_init = wire_class_init,
};

static void wire_register(void)
{
    type_register_static(&wire_info);
}

type_init(wire_register)
