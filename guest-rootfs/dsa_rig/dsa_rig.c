// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * dsa_rig: a DSA switch driver without a switch.
 *
 * The other end of the conduit's wire is not a chip but a program that knows
 * every tag, so any tagger of the kernel can run without its hardware.  The
 * driver registers a switch with the ports that the device tree describes,
 * with fixed links, and answers "which tag?" with the name that it was given:
 * by the module parameter `tag`, else by the node's property `tag`.  While the
 * interfaces are down, /sys/class/net/CONDUIT/dsa/tagging changes it.
 *
 *	dsa-rig {
 *		compatible = "tagrig,dsa";
 *		tag = "edsa";			// as in dsa/tagging
 *		ports = <4>;			// user ports 0..3; 4 is the CPU's
 *		ethernet-ports { ... };		// the binding of every DSA switch
 *	};
 *
 * Taggers reach for their switch driver's private data.  lan9303 reads
 * ds->priv as its own struct: it finds zeros, which say "no bridge".  Those
 * with a connect() keep state in ds->tagger_data, and hand work that only
 * hardware can do to hooks, which stay NULL here: what needs them (PTP,
 * link-local frames of sja1105 and ocelot-8021q) is dropped by the tagger.
 *
 * Two taggers that share one such state (ksz*, sja11*) must not follow each
 * other: the core connects the new one before it disconnects the old one, and
 * the old one's disconnect() takes the state away from both; the next frame
 * dereferences NULL.  change_tag_protocol() refuses that with -EBUSY; going
 * through a tagger of another family is the way (`none`, where there is one).
 *
 * Left out: bridge and VLAN offload (the core bridges in software), MDB and
 * FDB, statistics, PHYs.
 */
#include <linux/errno.h>
#include <linux/module.h>
#include <linux/of.h>
#include <linux/phy.h>
#include <linux/phylink.h>
#include <linux/platform_device.h>
#include <net/dsa.h>

#include "compat.h"

#define RIG_MAX_USER_PORTS	11
#define RIG_MAX_MTU		9000
/* Larger than any struct that a tagger of 6.1 to 7.3 takes ds->priv for. */
#define RIG_PRIV_SIZE		16384

static char *tag = "";
module_param(tag, charp, 0444);
MODULE_PARM_DESC(tag, "tag protocol, as in dsa/tagging (default: the device tree's)");

/* Who shares ds->tagger_data with whom: see the head of this file. */
enum rig_family { FAM_OWN, FAM_KSZ, FAM_SJA };

struct rig_tag {
	const char *name;
	unsigned int proto;
	enum rig_family family;
};

static const struct rig_tag rig_tags[] = {
	{ "none", DSA_TAG_PROTO_NONE },
	{ "a5psw", DSA_TAG_PROTO_RZN1_A5PSW },
	{ "ar9331", DSA_TAG_PROTO_AR9331 },
	{ "brcm", DSA_TAG_PROTO_BRCM },
	{ "brcm-legacy", DSA_TAG_PROTO_BRCM_LEGACY },
	{ "brcm-legacy-fcs", DSA_TAG_PROTO_BRCM_LEGACY_FCS },
	{ "brcm-prepend", DSA_TAG_PROTO_BRCM_PREPEND },
	{ "dsa", DSA_TAG_PROTO_DSA },
	{ "edsa", DSA_TAG_PROTO_EDSA },
	{ "gsw1xx", DSA_TAG_PROTO_MXL_GSW1XX },
	{ "gswip", DSA_TAG_PROTO_GSWIP },
	{ "hellcreek", DSA_TAG_PROTO_HELLCREEK },
	{ "ksz8463", DSA_TAG_PROTO_KSZ8463, FAM_KSZ },
	{ "ksz8795", DSA_TAG_PROTO_KSZ8795, FAM_KSZ },
	{ "ksz9477", DSA_TAG_PROTO_KSZ9477, FAM_KSZ },
	{ "ksz9893", DSA_TAG_PROTO_KSZ9893, FAM_KSZ },
	{ "lan9303", DSA_TAG_PROTO_LAN9303 },
	{ "lan937x", DSA_TAG_PROTO_LAN937X, FAM_KSZ },
	{ "mt7628", DSA_TAG_PROTO_MT7628 },
	{ "mtk", DSA_TAG_PROTO_MTK },
	{ "mxl862xx", DSA_TAG_PROTO_MXL862 },
	{ "nxp_netc", DSA_TAG_PROTO_NETC },
	{ "ocelot", DSA_TAG_PROTO_OCELOT },
	{ "ocelot-8021q", DSA_TAG_PROTO_OCELOT_8021Q },
	{ "qca", DSA_TAG_PROTO_QCA },
	{ "rtl4a", DSA_TAG_PROTO_RTL4_A },
	{ "rtl8_4", DSA_TAG_PROTO_RTL8_4 },
	{ "rtl8_4t", DSA_TAG_PROTO_RTL8_4T },
	{ "seville", DSA_TAG_PROTO_SEVILLE },
	{ "sja1105", DSA_TAG_PROTO_SJA1105, FAM_SJA },
	{ "sja1110", DSA_TAG_PROTO_SJA1110, FAM_SJA },
	{ "trailer", DSA_TAG_PROTO_TRAILER },
	{ "vsc73xx-8021q", DSA_TAG_PROTO_VSC73XX_8021Q },
	{ "xrs700x", DSA_TAG_PROTO_XRS700X },
	{ "yt921x", DSA_TAG_PROTO_YT921X },
};

struct rig {
	struct dsa_switch ds;
	unsigned int proto;
};

static struct rig *rig_of(struct dsa_switch *ds)
{
	return container_of(ds, struct rig, ds);
}

static const struct rig_tag *rig_tag_by_name(const char *name)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(rig_tags); i++)
		if (!strcmp(rig_tags[i].name, name))
			return &rig_tags[i];
	return NULL;
}

static const struct rig_tag *rig_tag_by_proto(unsigned int proto)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(rig_tags); i++)
		if (rig_tags[i].proto == proto)
			return &rig_tags[i];
	return NULL;
}

static enum dsa_tag_protocol rig_get_tag_protocol(struct dsa_switch *ds, int port,
						  enum dsa_tag_protocol mprot)
{
	return rig_of(ds)->proto;
}

/* The core asks before it touches either tagger, and once more to go back. */
static int rig_change_tag_protocol(struct dsa_switch *ds, enum dsa_tag_protocol proto)
{
	const struct rig_tag *from = rig_tag_by_proto(rig_of(ds)->proto);
	const struct rig_tag *to = rig_tag_by_proto(proto);

	if (!to)
		return -EPROTONOSUPPORT;
	if (from && from != to && from->family != FAM_OWN && from->family == to->family) {
		dev_err(ds->dev, "%s and %s share their state: go through a third one, such as `none'\n",
			from->name, to->name);
		return -EBUSY;
	}
	rig_of(ds)->proto = proto;
	return 0;
}

static int rig_connect_tag_protocol(struct dsa_switch *ds, enum dsa_tag_protocol proto)
{
	return 0;
}

static int rig_setup(struct dsa_switch *ds)
{
	return 0;
}

static int rig_port_change_mtu(struct dsa_switch *ds, int port, int mtu)
{
	return 0;
}

static int rig_port_max_mtu(struct dsa_switch *ds, int port)
{
	return RIG_MAX_MTU;
}

static void rig_phylink_get_caps(struct dsa_switch *ds, int port, struct phylink_config *config)
{
	config->mac_capabilities = MAC_SYM_PAUSE | MAC_ASYM_PAUSE | MAC_10 | MAC_100 | MAC_1000FD;
	__set_bit(PHY_INTERFACE_MODE_INTERNAL, config->supported_interfaces);
	__set_bit(PHY_INTERFACE_MODE_GMII, config->supported_interfaces);
	phy_interface_set_rgmii(config->supported_interfaces);
}

static const struct dsa_switch_ops rig_ops = {
	.get_tag_protocol	= rig_get_tag_protocol,
	.change_tag_protocol	= rig_change_tag_protocol,
	.connect_tag_protocol	= rig_connect_tag_protocol,
	.setup			= rig_setup,
	.port_change_mtu	= rig_port_change_mtu,
	.port_max_mtu		= rig_port_max_mtu,
	.phylink_get_caps	= rig_phylink_get_caps,
};

/* The parameter's word, else the device tree's. */
static const struct rig_tag *rig_choose_tag(struct device *dev)
{
	const struct rig_tag *chosen;
	const char *name = tag;

	if (!*name && of_property_read_string(dev->of_node, "tag", &name)) {
		dev_err(dev, "no tag: expected the parameter tag= or the property `tag'\n");
		return NULL;
	}
	chosen = rig_tag_by_name(name);
	if (!chosen || chosen->proto == RIG_NO_PROTO) {
		dev_err(dev, "tag `%s': %s\n", name,
			chosen ? "this kernel is too old for it" : "expected a name as in dsa/tagging");
		return NULL;
	}
	return chosen;
}

static int rig_probe(struct platform_device *pdev)
{
	struct device *dev = &pdev->dev;
	const struct rig_tag *chosen = rig_choose_tag(dev);
	struct rig *rig;
	u32 ports;
	int err;

	if (!chosen)
		return -EINVAL;
	if (of_property_read_u32(dev->of_node, "ports", &ports) ||
	    !ports || ports > RIG_MAX_USER_PORTS)
		return dev_err_probe(dev, -EINVAL, "ports: expected 1 to %d\n", RIG_MAX_USER_PORTS);
	rig = devm_kzalloc(dev, sizeof(*rig), GFP_KERNEL);
	if (!rig)
		return -ENOMEM;
	rig->ds.priv = devm_kzalloc(dev, RIG_PRIV_SIZE, GFP_KERNEL);
	if (!rig->ds.priv)
		return -ENOMEM;
	rig->proto = chosen->proto;
	rig->ds.dev = dev;
	rig->ds.ops = &rig_ops;
	rig->ds.num_ports = ports + 1;
	platform_set_drvdata(pdev, rig);
	err = dsa_register_switch(&rig->ds);
	if (err == -EPROBE_DEFER)
		dev_info(dev, "waiting for the conduit, or for a tagger `%s'\n", chosen->name);
	else if (!err)
		dev_info(dev, "%u ports, tag %s\n", ports, chosen->name);
	return err;
}

static void rig_remove(struct platform_device *pdev)
{
	struct rig *rig = platform_get_drvdata(pdev);

	if (rig)
		dsa_unregister_switch(&rig->ds);
}

/* After shutdown() there may be a remove(), which then has nothing to do. */
static void rig_shutdown(struct platform_device *pdev)
{
	struct rig *rig = platform_get_drvdata(pdev);

	if (rig)
		dsa_switch_shutdown(&rig->ds);
	platform_set_drvdata(pdev, NULL);
}

static const struct of_device_id rig_of_match[] = {
	{ .compatible = "tagrig,dsa" },
	{ }
};
MODULE_DEVICE_TABLE(of, rig_of_match);

static struct platform_driver rig_driver = {
	.probe = rig_probe,
	.RIG_REMOVE = rig_remove,
	.shutdown = rig_shutdown,
	.driver = {
		.name = "dsa_rig",
		.of_match_table = rig_of_match,
	},
};
module_platform_driver(rig_driver);

MODULE_DESCRIPTION("DSA switch without a switch, for any tagger");
MODULE_LICENSE("GPL");
