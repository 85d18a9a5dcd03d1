/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Marvell 88E6352: registers and state, shared by the files of the model.
 *
 * Register and bit names are those of drivers/net/dsa/mv88e6xxx/{port,global1,
 * global2,smi,ptp}.h, less their prefix.  All registers are 16 bits wide.
 */
#ifndef HW_NET_DSA_MV88E6XXX_INTERNAL_H
#define HW_NET_DSA_MV88E6XXX_INTERNAL_H

#include "hw/net/mv88e6xxx.h"
#include "hw/net/mdio-phy.h"

OBJECT_DECLARE_SIMPLE_TYPE(Mv88e6xxx, MV88E6352)

#define MV_REGS             32
#define MV_SWITCH_ID        0x3521 /* product 0x352, revision 1 */
#define MV_ATU_ENTRIES      8192
#define MV_VIDS             4096
#define MV_SIDS             64
#define MV_BUSY             0x8000 /* the same bit in every command register */

/* SMI addresses of the units */
#define MV_ADDR_PORT0       0x10
#define MV_ADDR_GLOBAL1     0x1b
#define MV_ADDR_GLOBAL2     0x1c
/* address of the SERDES on the internal PHY bus */
#define MV_PHY_SERDES       0x0f

/* multi-chip addressing: the two registers */
#define SMI_CMD             0
#define SMI_CMD_MODE_22         0x1000
#define SMI_CMD_OP              0x0c00
#define SMI_CMD_OP_WRITE        0x0400
#define SMI_CMD_OP_READ         0x0800
#define SMI_DATA            1

/* port registers */
#define PORT_STS            0x00
#define PORT_STS_PHY_DETECT     0x1000
#define PORT_STS_LINK           0x0800
#define PORT_STS_DUPLEX         0x0400
#define PORT_STS_SPEED_100      0x0100
#define PORT_STS_SPEED_1000     0x0200
#define PORT_STS_CMODE_RGMII    0x0007
#define PORT_STS_CMODE_1000BASEX 0x0009
#define PORT_STS_CMODE_PHY      0x000f
#define PORT_MAC_CTL        0x01
#define PORT_MAC_CTL_LINK_UP    0x0020
#define PORT_MAC_CTL_FORCE_LINK 0x0010
#define PORT_MAC_CTL_DUPLEX_FULL 0x0008
#define PORT_MAC_CTL_FORCE_DUPLEX 0x0004
#define PORT_MAC_CTL_SPEED      0x0003 /* 3: not forced */
#define PORT_JAM_CTL        0x02
#define PORT_SWITCH_ID      0x03
#define PORT_CTL0           0x04
#define PORT_CTL1           0x05
#define PORT_BASE_VLAN      0x06
#define PORT_DEFAULT_VLAN   0x07
#define PORT_CTL2           0x08
#define PORT_EGRESS_RATE_CTL1 0x09
#define PORT_EGRESS_RATE_CTL2 0x0a
#define PORT_ASSOC_VECTOR   0x0b
#define PORT_ATU_CTL        0x0c
#define PORT_PRI_OVERRIDE   0x0d
#define PORT_POLICY_CTL     0x0e
#define PORT_ETH_TYPE       0x0f
#define PORT_LED_CONTROL    0x16
#define PORT_LED_POINTER        0x7000
#define PORT_LED_DATA           0x07ff
#define PORT_LEDS               8
#define PORT_PRIO_REMAP_0123 0x18
#define PORT_PRIO_REMAP_4567 0x19

/* global 1 registers */
#define G1_STS              0x00
#define G1_STS_PPU_STATE        0x8000
#define G1_STS_INIT_READY       0x0800
#define G1_STS_IRQ_DEVICE       0x0080
#define G1_STS_IRQ_STATS        0x0040
#define G1_STS_IRQ_VTU_DONE     0x0010
#define G1_STS_IRQ_ATU_PROB     0x0008
#define G1_STS_IRQ_ATU_DONE     0x0004
#define G1_STS_IRQ_EEPROM_DONE  0x0001
#define G1_STS_CLEAR_ON_READ    (G1_STS_IRQ_STATS | G1_STS_IRQ_VTU_DONE | \
                                 G1_STS_IRQ_ATU_DONE | G1_STS_IRQ_EEPROM_DONE)
#define G1_STS_IRQS             0x01ff
#define G1_ATU_FID          0x01
#define G1_VTU_FID          0x02
#define G1_VTU_SID          0x03
#define G1_CTL1             0x04
#define G1_CTL1_SW_RESET        0x8000
#define G1_CTL1_PPU_ENABLE      0x4000
#define G1_VTU_OP           0x05
#define G1_OP                   0x7000
#define VTU_OP_FLUSH_ALL        0x1000
#define VTU_OP_VTU_LOAD_PURGE   0x3000
#define VTU_OP_VTU_GET_NEXT     0x4000
#define VTU_OP_STU_LOAD_PURGE   0x5000
#define VTU_OP_STU_GET_NEXT     0x6000
#define VTU_OP_GET_CLR_VIOLATION 0x7000
#define VTU_OP_VIOLATION        0x0060
#define G1_VTU_VID          0x06
#define G1_VTU_VID_VALID        0x1000
#define G1_VTU_VID_MASK         0x0fff
#define G1_VTU_DATA1        0x07
#define G1_VTU_DATA2        0x08
#define VTU_DATA_MEMBER         0x3333 /* four ports a register */
#define VTU_DATA_STATE          0xcccc
#define G1_ATU_CTL          0x0a
#define G1_ATU_OP           0x0b
#define ATU_OP_FLUSH_MOVE_ALL           0x1000
#define ATU_OP_FLUSH_MOVE_NON_STATIC    0x2000
#define ATU_OP_LOAD_DB                  0x3000
#define ATU_OP_GET_NEXT_DB              0x4000
#define ATU_OP_FLUSH_MOVE_ALL_DB        0x5000
#define ATU_OP_FLUSH_MOVE_NON_STATIC_DB 0x6000
#define ATU_OP_GET_CLR_VIOLATION        0x7000
#define ATU_OP_MAC_PRI                  0x0700
#define ATU_OP_VIOLATION                0x00f0
#define ATU_OP_FULL_VIOLATION           0x0010
#define G1_ATU_DATA         0x0c
#define ATU_DATA_TRUNK          0x8000
#define ATU_DATA_PORTVEC        0x07f0
#define ATU_DATA_STATE          0x000f
#define ATU_DATA_STATE_MOVE     0x000f
#define G1_ATU_MAC01        0x0d
#define G1_IP_PRI_0         0x10
#define G1_IEEE_PRI         0x18
#define G1_MONITOR_CTL      0x1a
#define G1_CTL2             0x1c
#define G1_STATS_OP         0x1d
#define G1_STATS_COUNTER_32 0x1e
#define G1_STATS_COUNTER_01 0x1f

/* global 2 registers */
#define G2_INT_SRC          0x00
#define G2_INT_SRC_PHY          0x001f
#define G2_INT_MASK         0x01
#define G2_MGMT_EN_2X       0x02
#define G2_MGMT_EN_0X       0x03
#define G2_FLOW_CTL         0x04
#define G2_SWITCH_MGMT      0x05
#define G2_DEVICE_MAPPING   0x06
#define G2_TRUNK_MASK       0x07
#define G2_TRUNK_MAPPING    0x08
#define G2_IRL_CMD          0x09
#define IRL_CMD_OP              0x7000
#define IRL_CMD_OP_INIT_ALL     0x1000
#define IRL_CMD_OP_INIT_RES     0x2000
#define IRL_CMD_OP_WRITE_REG    0x3000
#define IRL_CMD_OP_READ_REG     0x4000
#define G2_IRL_DATA         0x0a
#define G2_PVT_ADDR         0x0b
#define PVT_ADDR_OP             0x7000
#define PVT_ADDR_OP_INIT_ONES   0x1000
#define PVT_ADDR_OP_WRITE       0x3000
#define PVT_ADDR_OP_READ        0x4000
#define PVT_ADDR_PTR            0x01ff
#define G2_PVT_DATA         0x0c
#define PVT_DATA                0x007f
#define G2_SWITCH_MAC       0x0d
#define G2_ATU_STATS        0x0e
#define ATU_STATS_BIN           0xc000
#define ATU_STATS_MODE          0x3000
#define ATU_STATS_MODE_DYNAMIC  0x1000
#define ATU_STATS_MODE_FID      0x2000
#define ATU_STATS_COUNT         0x0fff
#define G2_PRIO_OVERRIDE    0x0f
#define G2_EEPROM_CMD       0x14
#define EEPROM_CMD_OP           0x7000
#define EEPROM_CMD_OP_WRITE     0x3000
#define EEPROM_CMD_OP_READ      0x4000
#define EEPROM_CMD_WRITE_EN     0x0400
#define EEPROM_CMD_ADDR         0x00ff
#define G2_EEPROM_DATA      0x15
#define G2_AVB_CMD          0x16
#define AVB_CMD_OP              0x7000
#define AVB_CMD_OP_WRITE        0x3000
#define AVB_CMD_OP_READ         0x4000
#define AVB_CMD_OP_READ_INCR    0x6000
#define AVB_PORT_TAI            0x0e
#define TAI_CLOCK_PERIOD        0x01
#define TAI_TIME_LO             0x0e
#define TAI_TIME_HI             0x0f
#define G2_AVB_DATA         0x17
#define G2_SMI_PHY_CMD      0x18
#define SMI_PHY_CMD_MODE_22     0x1000
#define SMI_PHY_CMD_OP          0x0c00
#define SMI_PHY_CMD_OP_22_WRITE 0x0400
#define SMI_PHY_CMD_OP_22_READ  0x0800
#define SMI_PHY_CMD_OP_45_ADDR  0x0000
#define SMI_PHY_CMD_OP_45_WRITE 0x0400
#define SMI_PHY_CMD_OP_45_READ_INC 0x0800
#define SMI_PHY_CMD_OP_45_READ  0x0c00
#define G2_SMI_PHY_DATA     0x19
#define G2_SCRATCH_MISC     0x1a
#define SCRATCH_CONFIG_DATA0    0x70
#define SCRATCH_CONFIG_DATA3    0x73
#define G2_WDOG_CTL         0x1b
#define G2_QOS_WEIGHTS      0x1c
#define G2_MISC             0x1d
#define G2_UPDATE           0x8000

#define IRL_RESOURCES       8
#define IRL_REGS            16
#define AVB_PORTS           16
#define AVB_BLOCKS          4
#define AVB_SNAPSHOT        4

typedef struct MvAtuEntry {
    uint64_t mac;        /* 48 bits, first byte on the wire is the highest */
    uint16_t fid;
    uint16_t data;       /* as in G1_ATU_DATA; state never 0 */
    uint8_t pri;
} MvAtuEntry;

typedef struct MvVtuEntry {
    bool valid;
    uint8_t sid;
    uint16_t fid;        /* as in G1_VTU_FID, with the policy bit */
    uint16_t member[2];  /* as in G1_VTU_DATA1 and 2 */
} MvVtuEntry;

typedef struct MvStuEntry {
    bool valid;
    uint16_t state[2];
} MvStuEntry;

struct Mv88e6xxx {
    MdioDevice parent_obj;

    /* properties */
    uint8_t address;
    uint16_t busy_reads;

    qemu_irq irq;
    MdioBus *phy_bus;
    DeviceState *phy[MV88E6352_PHYS];
    DeviceState *serdes;

    uint16_t smi_cmd;
    uint16_t smi_data;
    /* the command register that still reads busy, and how often */
    uint16_t busy_where;
    uint16_t busy_left;

    uint16_t port[MV88E6352_PORTS][MV_REGS];
    uint16_t port_led[MV88E6352_PORTS][PORT_LEDS];

    uint16_t g1[MV_REGS];
    uint16_t g1_irqs;    /* latched bits of G1_STS */
    MvAtuEntry *atu;     /* sorted by fid, then mac */
    uint32_t atu_count;
    MvAtuEntry atu_full; /* the entry that did not fit, data 0: none */
    MvVtuEntry vtu[MV_VIDS];
    MvStuEntry stu[MV_SIDS];

    uint16_t g2[MV_REGS];
    uint16_t device_mapping[32];
    uint16_t trunk_mask[8];
    uint16_t trunk_mapping[16];
    uint16_t switch_mac[32];
    uint16_t prio_override[16];
    uint16_t scratch[128];
    uint16_t qos_weights[64];
    uint16_t irl[MV88E6352_PORTS][IRL_RESOURCES][IRL_REGS];
    uint16_t pvt[512];
    uint16_t eeprom[256];
    uint16_t avb[AVB_PORTS][AVB_BLOCKS][MV_REGS];
    uint16_t avb_snapshot[AVB_SNAPSHOT];
    uint8_t avb_next;    /* which word of the snapshot a read takes */
    uint16_t phy_addr45; /* latched by a clause 45 address operation */
};

/* One unit each; @reg in 0..31.  Busy bits are the caller's. */
uint16_t mv_port_read(Mv88e6xxx *s, unsigned port, unsigned reg);
void mv_port_write(Mv88e6xxx *s, unsigned port, unsigned reg, uint16_t val);
void mv_port_reset(Mv88e6xxx *s);

uint16_t mv_g1_read(Mv88e6xxx *s, unsigned reg);
void mv_g1_write(Mv88e6xxx *s, unsigned reg, uint16_t val);
void mv_g1_reset(Mv88e6xxx *s);
/* Latches @bits of G1_STS. */
void mv_g1_raise(Mv88e6xxx *s, uint16_t bits);
/* Drives the interrupt pin; call when a source or a mask has changed. */
void mv_update_irq(Mv88e6xxx *s);

uint16_t mv_g2_read(Mv88e6xxx *s, unsigned reg);
void mv_g2_write(Mv88e6xxx *s, unsigned reg, uint16_t val);
void mv_g2_reset(Mv88e6xxx *s);
/* The interrupt line of internal PHY @n; a GPIO handler. */
void mv_g2_phy_int(void *opaque, int n, int level);

/* Starts an operation: @reg of the unit at @addr reads busy for a while. */
void mv_set_busy(Mv88e6xxx *s, unsigned addr, unsigned reg);

/* Execute what @op, written to the operation register, asks for. */
void mv_atu_op(Mv88e6xxx *s, uint16_t op);
void mv_vtu_op(Mv88e6xxx *s, uint16_t op);
void mv_vtu_flush(Mv88e6xxx *s);
/* Entries that a mode of G2_ATU_STATS counts. */
unsigned mv_atu_occupancy(Mv88e6xxx *s, bool dynamic, int fid);

#endif
