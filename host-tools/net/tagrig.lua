-- SPDX-License-Identifier: GPL-2.0-or-later
--
-- Wireshark dissector for DSA tags, every format of Linux 7.3:
--
--	wireshark -X lua_script:tagrig.lua capture.pcapng
--
-- It reads which tag a frame has from its interface's description ("dsa:edsa",
-- as tagrig writes it), or from the preference dsatag.format for captures
-- without one, and the direction from the packet's flags (as seen from the
-- switch: what the CPU sends is inbound).  Where there are no flags it tries to
-- the CPU first.  The frame is then dissected as its port sees it, so filters
-- for IP and its checksums work.
--
-- Fields: dsatag.format, .dir, .port, .ports, .device, .vid, .prio, .trap,
-- .forward, .bridge, and dsatag.FORMAT.FIELD for each field of the table below.
--
-- The table is not written by hand: "make dissector" puts the one of tagrig
-- here, and the few formats where bits alone do not say it are below it.  Left out
-- is what tagrig refuses a tag for beyond its constants and codes (an inner FCS,
-- codes that only some commands may have): "tagrig check" does that.  libpcap's DSA link types are refused by Wireshark before a dissector is
-- asked.

-- table: begin
local formats = {}
formats["none"] = {
	from_cpu = {
		{ pos = "none", head = 0, tail = 0, fields = {
		} },
	},
	to_cpu = {
		{ pos = "none", head = 0, tail = 0, fields = {
		} },
	},
}
formats["brcm"] = {
	from_cpu = {
		{ pos = "ethertype", head = 4, tail = 0, fields = {
			{ name = "opcode", bit = 0, width = 3, from = 0, what = "const", value = 0x1 },
			{ name = "traffic-class", bit = 3, width = 3, from = 0, what = "prio" },
			{ name = "tag-enforcement", bit = 6, width = 2, from = 0, what = "const", value = 0x0 },
			{ name = "time-stamp", bit = 8, width = 8, from = 0, what = "const", value = 0x0 },
			{ name = "reserved", bit = 16, width = 7, from = 0, what = "const", value = 0x0 },
			{ name = "ports", bit = 23, width = 9, from = 0, what = "portmap" },
		} },
	},
	to_cpu = {
		{ pos = "ethertype", head = 4, tail = 0, fields = {
			{ name = "opcode", bit = 0, width = 3, from = 0, what = "const", value = 0x0 },
			{ name = "class-id", bit = 8, width = 8, from = 0, what = "fill" },
			{ name = "reason-reserved", bit = 16, width = 2, from = 0, what = "const", value = 0x0 },
			{ name = "exception", bit = 18, width = 1, from = 0, what = "fill" },
			{ name = "protocol-termination", bit = 20, width = 1, from = 0, what = "trap" },
			{ name = "traffic-class", bit = 24, width = 3, from = 0, what = "prio" },
			{ name = "port", bit = 27, width = 5, from = 0, what = "port" },
		} },
	},
}
formats["brcm-prepend"] = {
	from_cpu = {
		{ pos = "head", head = 4, tail = 0, fields = {
			{ name = "opcode", bit = 0, width = 3, from = 0, what = "const", value = 0x1 },
			{ name = "traffic-class", bit = 3, width = 3, from = 0, what = "prio" },
			{ name = "tag-enforcement", bit = 6, width = 2, from = 0, what = "const", value = 0x0 },
			{ name = "time-stamp", bit = 8, width = 8, from = 0, what = "const", value = 0x0 },
			{ name = "reserved", bit = 16, width = 7, from = 0, what = "const", value = 0x0 },
			{ name = "ports", bit = 23, width = 9, from = 0, what = "portmap" },
		} },
	},
	to_cpu = {
		{ pos = "head", head = 4, tail = 0, fields = {
			{ name = "opcode", bit = 0, width = 3, from = 0, what = "const", value = 0x0 },
			{ name = "class-id", bit = 8, width = 8, from = 0, what = "fill" },
			{ name = "reason-reserved", bit = 16, width = 2, from = 0, what = "const", value = 0x0 },
			{ name = "exception", bit = 18, width = 1, from = 0, what = "fill" },
			{ name = "protocol-termination", bit = 20, width = 1, from = 0, what = "trap" },
			{ name = "traffic-class", bit = 24, width = 3, from = 0, what = "prio" },
			{ name = "port", bit = 27, width = 5, from = 0, what = "port" },
		} },
	},
}
formats["dsa"] = {
	from_cpu = {
		{ pos = "ethertype", head = 4, tail = 0, fuse = { 0x8100 }, fields = {
			{ name = "command", bit = 0, width = 2, from = 0, what = "forward",
			  codes = { [1] = { name = "FROM_CPU", value = 0 }, [3] = { name = "FORWARD", value = 1 } } },
			{ name = "tagged", bit = 2, width = 1, from = 0, what = "vlan" },
			{ name = "device", bit = 3, width = 5, from = 0, what = "device" },
			{ name = "port", bit = 8, width = 5, from = 0, what = "port" },
			{ name = "cfi", bit = 15, width = 1, from = 0, what = "dei" },
			{ name = "priority", bit = 16, width = 3, from = 0, what = "prio" },
			{ name = "vid", bit = 20, width = 12, from = 0, what = "vid" },
			{ name = "code", bit = 13, width = 2, from = 0, what = "const", value = 0x0 },
			{ name = "code", bit = 19, width = 1, from = 0, what = "const", value = 0x0 },
		} },
	},
	to_cpu = {
		{ pos = "ethertype", head = 4, tail = 0, fuse = { 0x8100 }, fields = {
			{ name = "command", bit = 0, width = 2, from = 0, what = "trap",
			  codes = { [0] = { name = "TO_CPU", value = 1 }, [3] = { name = "FORWARD", value = 0 } } },
			{ name = "tagged", bit = 2, width = 1, from = 0, what = "vlan" },
			{ name = "device", bit = 3, width = 5, from = 0, what = "device" },
			{ name = "port", bit = 8, width = 5, from = 0, what = "port" },
			{ name = "cfi", bit = 15, width = 1, from = 0, what = "dei" },
			{ name = "priority", bit = 16, width = 3, from = 0, what = "prio" },
			{ name = "vid", bit = 20, width = 12, from = 0, what = "vid" },
			{ name = "code", bit = 13, width = 2, from = 1, what = "aux0" },
			{ name = "code", bit = 19, width = 1, from = 0, what = "aux0" },
		} },
	},
}
formats["edsa"] = {
	from_cpu = {
		{ pos = "ethertype", head = 8, tail = 0, etype = 0xdada, fuse = { 0x8100 }, fields = {
			{ name = "reserved", bit = 16, width = 16, from = 0, what = "const", value = 0x0 },
			{ name = "command", bit = 32, width = 2, from = 0, what = "forward",
			  codes = { [1] = { name = "FROM_CPU", value = 0 }, [3] = { name = "FORWARD", value = 1 } } },
			{ name = "tagged", bit = 34, width = 1, from = 0, what = "vlan" },
			{ name = "device", bit = 35, width = 5, from = 0, what = "device" },
			{ name = "port", bit = 40, width = 5, from = 0, what = "port" },
			{ name = "cfi", bit = 47, width = 1, from = 0, what = "dei" },
			{ name = "priority", bit = 48, width = 3, from = 0, what = "prio" },
			{ name = "vid", bit = 52, width = 12, from = 0, what = "vid" },
			{ name = "code", bit = 45, width = 2, from = 0, what = "const", value = 0x0 },
			{ name = "code", bit = 51, width = 1, from = 0, what = "const", value = 0x0 },
		} },
	},
	to_cpu = {
		{ pos = "ethertype", head = 8, tail = 0, etype = 0xdada, fuse = { 0x8100 }, fields = {
			{ name = "reserved", bit = 16, width = 16, from = 0, what = "fill" },
			{ name = "command", bit = 32, width = 2, from = 0, what = "trap",
			  codes = { [0] = { name = "TO_CPU", value = 1 }, [3] = { name = "FORWARD", value = 0 } } },
			{ name = "tagged", bit = 34, width = 1, from = 0, what = "vlan" },
			{ name = "device", bit = 35, width = 5, from = 0, what = "device" },
			{ name = "port", bit = 40, width = 5, from = 0, what = "port" },
			{ name = "cfi", bit = 47, width = 1, from = 0, what = "dei" },
			{ name = "priority", bit = 48, width = 3, from = 0, what = "prio" },
			{ name = "vid", bit = 52, width = 12, from = 0, what = "vid" },
			{ name = "code", bit = 45, width = 2, from = 1, what = "aux0" },
			{ name = "code", bit = 51, width = 1, from = 0, what = "aux0" },
		} },
	},
}
formats["gswip"] = {
	from_cpu = {
		{ pos = "head", head = 4, tail = 0, fields = {
			{ name = "source-port-id", bit = 0, width = 8, from = 0, what = "const", value = 0x2 },
			{ name = "destination-group", bit = 8, width = 8, from = 0, what = "const", value = 0x0 },
			{ name = "map-enable", bit = 16, width = 2, from = 0, what = "const", value = 0x3 },
			{ name = "learning-and-class", bit = 18, width = 6, from = 0, what = "const", value = 0x0 },
			{ name = "reserved", bit = 24, width = 1, from = 0, what = "const", value = 0x0 },
			{ name = "ports", bit = 25, width = 6, from = 0, what = "portmap" },
			{ name = "group-enable", bit = 31, width = 1, from = 0, what = "const", value = 0x1 },
		} },
	},
	to_cpu = {
		{ pos = "head", head = 8, tail = 0, fields = {
			{ name = "port", bit = 57, width = 3, from = 0, what = "port" },
		} },
	},
}
formats["ksz9477"] = {
	from_cpu = {
		{ pos = "tail", head = 0, tail = 2, fields = {
			{ name = "reserved", bit = 0, width = 5, from = 0, what = "const", value = 0x0 },
			{ name = "lookup", bit = 5, width = 1, from = 0, what = "forward" },
			{ name = "override", bit = 6, width = 1, from = 0, what = "trap" },
			{ name = "priority", bit = 7, width = 2, from = 0, what = "prio" },
			{ name = "ports", bit = 9, width = 7, from = 0, what = "portmap" },
		} },
	},
	to_cpu = {
		{ pos = "tail", head = 0, tail = 1, fields = {
			{ name = "time-stamp", bit = 0, width = 1, from = 0, what = "const", value = 0x0 },
			{ name = "port", bit = 5, width = 3, from = 0, what = "port" },
		} },
		{ pos = "tail", head = 0, tail = 5, fields = {
			{ name = "time", bit = 0, width = 32, from = 0, what = "fill" },
			{ name = "time-stamp", bit = 32, width = 1, from = 0, what = "const", value = 0x1 },
			{ name = "port", bit = 37, width = 3, from = 0, what = "port" },
		} },
	},
}
formats["ksz9893"] = {
	from_cpu = {
		{ pos = "tail", head = 0, tail = 1, fields = {
			{ name = "reserved", bit = 0, width = 1, from = 0, what = "const", value = 0x0 },
			{ name = "lookup", bit = 1, width = 1, from = 0, what = "forward" },
			{ name = "override", bit = 2, width = 1, from = 0, what = "trap" },
			{ name = "priority", bit = 3, width = 2, from = 0, what = "prio" },
			{ name = "ports", bit = 5, width = 3, from = 0, what = "portmap" },
		} },
	},
	to_cpu = {
		{ pos = "tail", head = 0, tail = 1, fields = {
			{ name = "time-stamp", bit = 0, width = 1, from = 0, what = "const", value = 0x0 },
			{ name = "port", bit = 5, width = 3, from = 0, what = "port" },
		} },
		{ pos = "tail", head = 0, tail = 5, fields = {
			{ name = "time", bit = 0, width = 32, from = 0, what = "fill" },
			{ name = "time-stamp", bit = 32, width = 1, from = 0, what = "const", value = 0x1 },
			{ name = "port", bit = 37, width = 3, from = 0, what = "port" },
		} },
	},
}
formats["lan9303"] = {
	from_cpu = {
		{ pos = "ethertype", head = 4, tail = 0, etype = 0x8100, fields = {
			{ name = "pcp-and-dei", bit = 16, width = 4, from = 0, what = "const", value = 0x0 },
			{ name = "zero", bit = 20, width = 7, from = 0, what = "const", value = 0x0 },
			{ name = "stp-override", bit = 27, width = 1, from = 0, what = "aux0" },
			{ name = "use-alr", bit = 28, width = 1, from = 0, what = "forward" },
			{ name = "zero", bit = 29, width = 1, from = 0, what = "const", value = 0x0 },
			{ name = "port", bit = 30, width = 2, from = 0, what = "port" },
		} },
	},
	to_cpu = {
		{ pos = "ethertype", head = 4, tail = 0, etype = 0x8100, fields = {
			{ name = "stp", bit = 27, width = 1, from = 0, what = "trap" },
			{ name = "igmp", bit = 28, width = 1, from = 0, what = "aux0" },
			{ name = "port", bit = 30, width = 2, from = 0, what = "port" },
		} },
	},
}
formats["mtk"] = {
	from_cpu = {
		{ pos = "ethertype", head = 4, tail = 0, fuse = { 0x8100, 0x88a8 }, fields = {
			{ name = "vlan", bit = 0, width = 8, from = 0, what = "vlan",
			  codes = { [0] = { name = "untagged", value = 0 }, [1] = { name = "8100", value = 1 }, [2] = { name = "88a8", value = 2 } } },
			{ name = "reserved", bit = 8, width = 1, from = 0, what = "const", value = 0x0 },
			{ name = "no-learning", bit = 9, width = 1, from = 0, what = "const", value = 0x0 },
			{ name = "ports", bit = 10, width = 6, from = 0, what = "portmap" },
			{ name = "pcp", bit = 16, width = 3, from = 0, what = "prio" },
			{ name = "dei", bit = 19, width = 1, from = 0, what = "dei" },
			{ name = "vid", bit = 20, width = 12, from = 0, what = "vid" },
		} },
	},
	to_cpu = {
		{ pos = "ethertype", head = 4, tail = 0, fields = {
			{ name = "port", bit = 13, width = 3, from = 0, what = "port" },
		} },
	},
}
formats["qca"] = {
	from_cpu = {
		{ pos = "ethertype", head = 2, tail = 0, fields = {
			{ name = "version", bit = 0, width = 2, from = 0, what = "const", value = 0x2 },
			{ name = "priority", bit = 2, width = 3, from = 0, what = "prio" },
			{ name = "control", bit = 5, width = 3, from = 0, what = "const", value = 0x0 },
			{ name = "from-cpu", bit = 8, width = 1, from = 0, what = "const", value = 0x1 },
			{ name = "ports", bit = 9, width = 7, from = 0, what = "portmap" },
		} },
	},
	to_cpu = {
		{ pos = "ethertype", head = 2, tail = 0, fields = {
			{ name = "version", bit = 0, width = 2, from = 0, what = "const", value = 0x2 },
			{ name = "priority", bit = 2, width = 3, from = 0, what = "prio" },
			{ name = "type", bit = 5, width = 5, from = 0, what = "const", value = 0x0 },
			{ name = "frame-is-tagged", bit = 12, width = 1, from = 0, what = "tagged" },
			{ name = "port", bit = 13, width = 3, from = 0, what = "port" },
		} },
	},
}
formats["trailer"] = {
	from_cpu = {
		{ pos = "tail", head = 0, tail = 4, fields = {
			{ name = "marker", bit = 0, width = 8, from = 0, what = "const", value = 0x80 },
			{ name = "ports", bit = 8, width = 8, from = 0, what = "portmap" },
			{ name = "override", bit = 16, width = 8, from = 0, what = "const", value = 0x10 },
			{ name = "zero", bit = 24, width = 8, from = 0, what = "const", value = 0x0 },
		} },
	},
	to_cpu = {
		{ pos = "tail", head = 0, tail = 4, fields = {
			{ name = "marker", bit = 0, width = 8, from = 0, what = "const", value = 0x80 },
			{ name = "zero", bit = 8, width = 5, from = 0, what = "const", value = 0x0 },
			{ name = "port", bit = 13, width = 3, from = 0, what = "port" },
			{ name = "zero", bit = 16, width = 3, from = 0, what = "const", value = 0x0 },
			{ name = "override", bit = 19, width = 1, from = 0, what = "fill" },
			{ name = "zero", bit = 20, width = 4, from = 0, what = "const", value = 0x0 },
			{ name = "zero", bit = 24, width = 8, from = 0, what = "const", value = 0x0 },
		} },
	},
}
formats["sja1105"] = {
	from_cpu = {
		{ pos = "ethertype", head = 4, tail = 0, etype = 0xdadb, etype_alt = 0x8100, fields = {
			{ name = "pcp", bit = 16, width = 3, from = 0, what = "prio" },
			{ name = "dei", bit = 19, width = 1, from = 0, what = "fill" },
			{ name = "vid[11:10]", bit = 20, width = 2, from = 0, what = "const", value = 0x3 },
			{ name = "vbid", bit = 22, width = 1, from = 2, what = "bridge" },
			{ name = "switch", bit = 23, width = 3, from = 0, what = "device" },
			{ name = "vbid", bit = 26, width = 2, from = 0, what = "bridge" },
			{ name = "port", bit = 28, width = 4, from = 0, what = "port" },
		} },
	},
	to_cpu = {
		{ pos = "ethertype", head = 4, tail = 0, etype = 0xdadb, etype_alt = 0x8100, fields = {
			{ name = "pcp", bit = 16, width = 3, from = 0, what = "prio" },
			{ name = "dei", bit = 19, width = 1, from = 0, what = "fill" },
			{ name = "vid[11:10]", bit = 20, width = 2, from = 0, what = "const", value = 0x3 },
			{ name = "vbid", bit = 22, width = 1, from = 2, what = "bridge" },
			{ name = "switch", bit = 23, width = 3, from = 0, what = "device" },
			{ name = "vbid", bit = 26, width = 2, from = 0, what = "bridge" },
			{ name = "port", bit = 28, width = 4, from = 0, what = "port" },
		} },
	},
}
formats["ksz8795"] = {
	from_cpu = {
		{ pos = "tail", head = 0, tail = 1, fields = {
			{ name = "lookup", bit = 0, width = 1, from = 0, what = "forward" },
			{ name = "override", bit = 1, width = 1, from = 0, what = "trap" },
			{ name = "reserved", bit = 2, width = 2, from = 0, what = "const", value = 0x0 },
			{ name = "ports", bit = 4, width = 4, from = 0, what = "portmap" },
		} },
	},
	to_cpu = {
		{ pos = "tail", head = 0, tail = 1, fields = {
			{ name = "port", bit = 6, width = 2, from = 0, what = "port" },
		} },
	},
}
formats["ocelot"] = {
	from_cpu = {
		{ pos = "head", head = 20, tail = 0, fields = {
			{ name = "prefix", bit = 0, width = 32, from = 0, what = "const", value = 0x8880000a },
			{ name = "bypass", bit = 32, width = 1, from = 0, what = "const", value = 0x1 },
			{ name = "ports", bit = 92, width = 12, from = 0, what = "portmap" },
			{ name = "source", bit = 113, width = 4, from = 0, what = "fill" },
			{ name = "qos-class", bit = 140, width = 3, from = 0, what = "prio" },
			{ name = "tag-type", bit = 143, width = 1, from = 0, what = "fill" },
			{ name = "tci-pcp", bit = 144, width = 3, from = 0, what = "aux0" },
			{ name = "tci-dei", bit = 147, width = 1, from = 0, what = "dei" },
			{ name = "tci-vid", bit = 148, width = 12, from = 0, what = "vid" },
		} },
	},
	to_cpu = {
		{ pos = "head", head = 20, tail = 0, fields = {
			{ name = "prefix", bit = 0, width = 32, from = 0, what = "fill" },
			{ name = "port", bit = 113, width = 4, from = 0, what = "port" },
			{ name = "qos-class", bit = 140, width = 3, from = 0, what = "prio" },
			{ name = "tag-type", bit = 143, width = 1, from = 0, what = "fill" },
			{ name = "tci-pcp", bit = 144, width = 3, from = 0, what = "aux0" },
			{ name = "tci-dei", bit = 147, width = 1, from = 0, what = "dei" },
			{ name = "tci-vid", bit = 148, width = 12, from = 0, what = "vid" },
		} },
	},
}
formats["ar9331"] = {
	from_cpu = {
		{ pos = "head", head = 2, tail = 0, fields = {
			{ name = "version", bit = 8, width = 2, from = 0, what = "const", value = 0x1 },
			{ name = "from-cpu", bit = 1, width = 1, from = 0, what = "const", value = 0x1 },
			{ name = "port", bit = 4, width = 4, from = 0, what = "port" },
			{ name = "reserved", bit = 2, width = 2, from = 0, what = "const", value = 0x3 },
		} },
	},
	to_cpu = {
		{ pos = "head", head = 2, tail = 0, fields = {
			{ name = "version", bit = 8, width = 2, from = 0, what = "const", value = 0x1 },
			{ name = "from-cpu", bit = 1, width = 1, from = 0, what = "const", value = 0x0 },
			{ name = "port", bit = 4, width = 4, from = 0, what = "port" },
			{ name = "reserved", bit = 2, width = 2, from = 0, what = "fill" },
		} },
	},
}
formats["rtl4a"] = {
	from_cpu = {
		{ pos = "ethertype", head = 4, tail = 0, etype = 0x8899, fields = {
			{ name = "protocol", bit = 16, width = 4, from = 0, what = "const", value = 0xa },
			{ name = "ports", bit = 20, width = 12, from = 0, what = "portmap" },
		} },
	},
	to_cpu = {
		{ pos = "ethertype", head = 4, tail = 0, etype = 0x8899, fields = {
			{ name = "protocol", bit = 16, width = 4, from = 0, what = "const", value = 0xa },
			{ name = "port", bit = 24, width = 8, from = 0, what = "port" },
		} },
	},
}
formats["hellcreek"] = {
	from_cpu = {
		{ pos = "tail", head = 0, tail = 1, fields = {
			{ name = "ports", bit = 0, width = 8, from = 0, what = "portmap" },
		} },
	},
	to_cpu = {
		{ pos = "tail", head = 0, tail = 1, fields = {
			{ name = "port", bit = 6, width = 2, from = 0, what = "port" },
		} },
	},
}
formats["xrs700x"] = {
	from_cpu = {
		{ pos = "tail", head = 0, tail = 1, fields = {
			{ name = "ports", bit = 0, width = 8, from = 0, what = "portmap" },
		} },
	},
	to_cpu = {
		{ pos = "tail", head = 0, tail = 1, fields = {
			{ name = "ports", bit = 0, width = 8, from = 0, what = "portmap" },
		} },
	},
}
formats["ocelot-8021q"] = {
	from_cpu = {
		{ pos = "ethertype", head = 4, tail = 0, etype = 0x8100, fields = {
			{ name = "pcp", bit = 16, width = 3, from = 0, what = "prio" },
			{ name = "dei", bit = 19, width = 1, from = 0, what = "fill" },
			{ name = "vid[11:10]", bit = 20, width = 2, from = 0, what = "const", value = 0x3 },
			{ name = "vbid", bit = 22, width = 1, from = 2, what = "bridge" },
			{ name = "switch", bit = 23, width = 3, from = 0, what = "device" },
			{ name = "vbid", bit = 26, width = 2, from = 0, what = "bridge" },
			{ name = "port", bit = 28, width = 4, from = 0, what = "port" },
		} },
	},
	to_cpu = {
		{ pos = "ethertype", head = 4, tail = 0, etype = 0x8100, fields = {
			{ name = "pcp", bit = 16, width = 3, from = 0, what = "prio" },
			{ name = "dei", bit = 19, width = 1, from = 0, what = "fill" },
			{ name = "vid[11:10]", bit = 20, width = 2, from = 0, what = "const", value = 0x3 },
			{ name = "vbid", bit = 22, width = 1, from = 2, what = "bridge" },
			{ name = "switch", bit = 23, width = 3, from = 0, what = "device" },
			{ name = "vbid", bit = 26, width = 2, from = 0, what = "bridge" },
			{ name = "port", bit = 28, width = 4, from = 0, what = "port" },
		} },
	},
}
formats["seville"] = {
	from_cpu = {
		{ pos = "head", head = 20, tail = 0, fields = {
			{ name = "prefix", bit = 0, width = 32, from = 0, what = "const", value = 0x88800005 },
			{ name = "bypass", bit = 32, width = 1, from = 0, what = "const", value = 0x1 },
			{ name = "ports", bit = 92, width = 11, from = 0, what = "portmap" },
			{ name = "source", bit = 113, width = 4, from = 0, what = "fill" },
			{ name = "qos-class", bit = 140, width = 3, from = 0, what = "prio" },
			{ name = "tag-type", bit = 143, width = 1, from = 0, what = "fill" },
			{ name = "tci-pcp", bit = 144, width = 3, from = 0, what = "aux0" },
			{ name = "tci-dei", bit = 147, width = 1, from = 0, what = "dei" },
			{ name = "tci-vid", bit = 148, width = 12, from = 0, what = "vid" },
		} },
	},
	to_cpu = {
		{ pos = "head", head = 20, tail = 0, fields = {
			{ name = "prefix", bit = 0, width = 32, from = 0, what = "fill" },
			{ name = "port", bit = 113, width = 4, from = 0, what = "port" },
			{ name = "qos-class", bit = 140, width = 3, from = 0, what = "prio" },
			{ name = "tag-type", bit = 143, width = 1, from = 0, what = "fill" },
			{ name = "tci-pcp", bit = 144, width = 3, from = 0, what = "aux0" },
			{ name = "tci-dei", bit = 147, width = 1, from = 0, what = "dei" },
			{ name = "tci-vid", bit = 148, width = 12, from = 0, what = "vid" },
		} },
	},
}
formats["brcm-legacy"] = {
	from_cpu = {
		{ pos = "ethertype", head = 6, tail = 0, etype = 0x8874, fields = {
			{ name = "type", bit = 16, width = 3, from = 0, what = "const", value = 0x2 },
			{ name = "reserved", bit = 19, width = 2, from = 0, what = "const", value = 0x0 },
			{ name = "length", bit = 21, width = 11, from = 0, what = "const", value = 0x0 },
			{ name = "reserved", bit = 32, width = 8, from = 0, what = "const", value = 0x0 },
			{ name = "reserved", bit = 40, width = 4, from = 0, what = "const", value = 0x0 },
			{ name = "port", bit = 44, width = 4, from = 0, what = "port" },
		} },
	},
	to_cpu = {
		{ pos = "ethertype", head = 6, tail = 0, etype = 0x8874, fields = {
			{ name = "type", bit = 16, width = 16, from = 0, what = "fill" },
			{ name = "port", bit = 44, width = 4, from = 0, what = "port" },
		} },
		{ pos = "ethertype", head = 10, tail = 0, etype = 0x8874, fields = {
			{ name = "type", bit = 16, width = 16, from = 0, what = "fill" },
			{ name = "port", bit = 44, width = 4, from = 0, what = "port" },
			{ name = "tpid", bit = 48, width = 16, from = 0, what = "const", value = 0x8100 },
			{ name = "tci", bit = 64, width = 16, from = 0, what = "const", value = 0x0 },
		} },
	},
}
formats["sja1110"] = {
	from_cpu = {
		{ pos = "ethertype", head = 4, tail = 0, etype = 0xdadb, etype_alt = 0x8100, fields = {
			{ name = "pcp", bit = 16, width = 3, from = 0, what = "prio" },
			{ name = "dei", bit = 19, width = 1, from = 0, what = "fill" },
			{ name = "vid[11:10]", bit = 20, width = 2, from = 0, what = "const", value = 0x3 },
			{ name = "vbid", bit = 22, width = 1, from = 2, what = "bridge" },
			{ name = "switch", bit = 23, width = 3, from = 0, what = "device" },
			{ name = "vbid", bit = 26, width = 2, from = 0, what = "bridge" },
			{ name = "port", bit = 28, width = 4, from = 0, what = "port" },
		} },
		{ pos = "both", head = 8, tail = 4, etype = 0xdadc, fields = {
			{ name = "host-to-switch", bit = 16, width = 1, from = 0, what = "const", value = 0x1 },
			{ name = "update-tc", bit = 17, width = 1, from = 0, what = "const", value = 0x0 },
			{ name = "has-trailer", bit = 20, width = 1, from = 0, what = "const", value = 0x1 },
			{ name = "trailer-pos", bit = 21, width = 11, from = 0, what = "aux0" },
			{ name = "pvid-tpid", bit = 32, width = 16, from = 0, what = "const", value = 0xdadb },
			{ name = "pvid-pcp", bit = 48, width = 3, from = 0, what = "aux1" },
			{ name = "pvid", bit = 52, width = 12, from = 0, what = "const", value = 0xfff },
			{ name = "time-stamp-id", bit = 64, width = 8, from = 0, what = "fill" },
			{ name = "priority", bit = 72, width = 3, from = 0, what = "prio" },
			{ name = "switch", bit = 80, width = 4, from = 0, what = "device" },
			{ name = "ports", bit = 84, width = 11, from = 0, what = "portmap" },
		} },
	},
	to_cpu = {
		{ pos = "ethertype", head = 4, tail = 0, etype = 0xdadb, etype_alt = 0x8100, fields = {
			{ name = "pcp", bit = 16, width = 3, from = 0, what = "prio" },
			{ name = "dei", bit = 19, width = 1, from = 0, what = "fill" },
			{ name = "vid[11:10]", bit = 20, width = 2, from = 0, what = "const", value = 0x3 },
			{ name = "vbid", bit = 22, width = 1, from = 2, what = "bridge" },
			{ name = "switch", bit = 23, width = 3, from = 0, what = "device" },
			{ name = "vbid", bit = 26, width = 2, from = 0, what = "bridge" },
			{ name = "port", bit = 28, width = 4, from = 0, what = "port" },
		} },
		{ pos = "ethertype", head = 4, tail = 0, etype = 0xdadc, fields = {
			{ name = "host-to-switch", bit = 16, width = 1, from = 0, what = "const", value = 0x0 },
			{ name = "metadata", bit = 17, width = 1, from = 0, what = "const", value = 0x0 },
			{ name = "host-only", bit = 18, width = 1, from = 0, what = "trap" },
			{ name = "has-trailer", bit = 19, width = 1, from = 0, what = "const", value = 0x0 },
			{ name = "port", bit = 24, width = 4, from = 0, what = "port" },
			{ name = "switch", bit = 28, width = 4, from = 0, what = "device" },
		} },
		{ pos = "ethertype", head = 8, tail = 0, etype = 0xdadc, fields = {
			{ name = "host-to-switch", bit = 16, width = 1, from = 0, what = "const", value = 0x0 },
			{ name = "metadata", bit = 17, width = 1, from = 0, what = "const", value = 0x0 },
			{ name = "host-only", bit = 18, width = 1, from = 0, what = "trap" },
			{ name = "has-trailer", bit = 19, width = 1, from = 0, what = "const", value = 0x0 },
			{ name = "port", bit = 24, width = 4, from = 0, what = "port" },
			{ name = "switch", bit = 28, width = 4, from = 0, what = "device" },
			{ name = "tpid", bit = 32, width = 16, from = 0, what = "const", value = 0xdadb },
			{ name = "pcp", bit = 48, width = 3, from = 0, what = "prio" },
			{ name = "vid[11:10]", bit = 52, width = 2, from = 0, what = "const", value = 0x3 },
			{ name = "vid-switch", bit = 55, width = 3, from = 0, what = "aux0" },
			{ name = "vid-port", bit = 60, width = 4, from = 0, what = "port_hint" },
		} },
	},
}
formats["rtl8_4"] = {
	from_cpu = {
		{ pos = "ethertype", head = 8, tail = 0, fields = {
			{ name = "ethertype", bit = 0, width = 16, from = 0, what = "const", value = 0x8899 },
			{ name = "protocol", bit = 16, width = 8, from = 0, what = "const", value = 0x4 },
			{ name = "reason", bit = 24, width = 8, from = 0, what = "const", value = 0x0 },
			{ name = "filter-and-priority", bit = 32, width = 8, from = 0, what = "const", value = 0x0 },
			{ name = "keep", bit = 40, width = 1, from = 0, what = "fill" },
			{ name = "vlan-select", bit = 41, width = 1, from = 0, what = "const", value = 0x0 },
			{ name = "no-learning", bit = 42, width = 1, from = 0, what = "const", value = 0x1 },
			{ name = "vlan-index", bit = 43, width = 5, from = 0, what = "const", value = 0x0 },
			{ name = "allow", bit = 48, width = 5, from = 0, what = "const", value = 0x0 },
			{ name = "ports", bit = 53, width = 11, from = 0, what = "portmap" },
		} },
	},
	to_cpu = {
		{ pos = "ethertype", head = 8, tail = 0, fields = {
			{ name = "ethertype", bit = 0, width = 16, from = 0, what = "const", value = 0x8899 },
			{ name = "protocol", bit = 16, width = 8, from = 0, what = "const", value = 0x4 },
			{ name = "reason", bit = 24, width = 8, from = 0, what = "trap" },
			{ name = "port", bit = 60, width = 4, from = 0, what = "port" },
		} },
	},
}
formats["rtl8_4t"] = {
	from_cpu = {
		{ pos = "tail", head = 0, tail = 8, fields = {
			{ name = "ethertype", bit = 0, width = 16, from = 0, what = "const", value = 0x8899 },
			{ name = "protocol", bit = 16, width = 8, from = 0, what = "const", value = 0x4 },
			{ name = "reason", bit = 24, width = 8, from = 0, what = "const", value = 0x0 },
			{ name = "filter-and-priority", bit = 32, width = 8, from = 0, what = "const", value = 0x0 },
			{ name = "keep", bit = 40, width = 1, from = 0, what = "fill" },
			{ name = "vlan-select", bit = 41, width = 1, from = 0, what = "const", value = 0x0 },
			{ name = "no-learning", bit = 42, width = 1, from = 0, what = "const", value = 0x1 },
			{ name = "vlan-index", bit = 43, width = 5, from = 0, what = "const", value = 0x0 },
			{ name = "allow", bit = 48, width = 5, from = 0, what = "const", value = 0x0 },
			{ name = "ports", bit = 53, width = 11, from = 0, what = "portmap" },
		} },
	},
	to_cpu = {
		{ pos = "tail", head = 0, tail = 8, fields = {
			{ name = "ethertype", bit = 0, width = 16, from = 0, what = "const", value = 0x8899 },
			{ name = "protocol", bit = 16, width = 8, from = 0, what = "const", value = 0x4 },
			{ name = "reason", bit = 24, width = 8, from = 0, what = "trap" },
			{ name = "port", bit = 60, width = 4, from = 0, what = "port" },
		} },
	},
}
formats["a5psw"] = {
	from_cpu = {
		{ pos = "ethertype", head = 8, tail = 0, etype = 0xe001, fields = {
			{ name = "control-data", bit = 16, width = 15, from = 0, what = "const", value = 0x0 },
			{ name = "force-forward", bit = 31, width = 1, from = 0, what = "const", value = 0x1 },
			{ name = "control-data2-hi", bit = 32, width = 16, from = 0, what = "const", value = 0x0 },
			{ name = "control-data2-lo", bit = 48, width = 12, from = 0, what = "const", value = 0x0 },
			{ name = "ports", bit = 60, width = 4, from = 0, what = "portmap" },
		} },
	},
	to_cpu = {
		{ pos = "ethertype", head = 8, tail = 0, etype = 0xe001, fields = {
			{ name = "control-data", bit = 16, width = 12, from = 0, what = "fill" },
			{ name = "port", bit = 28, width = 4, from = 0, what = "port" },
			{ name = "control-data2", bit = 32, width = 16, from = 0, what = "fill" },
			{ name = "control-data2", bit = 48, width = 16, from = 0, what = "fill" },
		} },
	},
}
formats["lan937x"] = {
	from_cpu = {
		{ pos = "tail", head = 0, tail = 2, fields = {
			{ name = "reserved", bit = 0, width = 2, from = 0, what = "const", value = 0x0 },
			{ name = "valid", bit = 2, width = 1, from = 0, what = "const", value = 0x1 },
			{ name = "lookup", bit = 3, width = 1, from = 0, what = "forward" },
			{ name = "override", bit = 4, width = 1, from = 0, what = "trap" },
			{ name = "priority", bit = 5, width = 3, from = 0, what = "prio" },
			{ name = "ports", bit = 8, width = 8, from = 0, what = "portmap" },
		} },
	},
	to_cpu = {
		{ pos = "tail", head = 0, tail = 1, fields = {
			{ name = "time-stamp", bit = 0, width = 1, from = 0, what = "const", value = 0x0 },
			{ name = "port", bit = 5, width = 3, from = 0, what = "port" },
		} },
		{ pos = "tail", head = 0, tail = 5, fields = {
			{ name = "time", bit = 0, width = 32, from = 0, what = "fill" },
			{ name = "time-stamp", bit = 32, width = 1, from = 0, what = "const", value = 0x1 },
			{ name = "port", bit = 37, width = 3, from = 0, what = "port" },
		} },
	},
}
formats["vsc73xx-8021q"] = {
	from_cpu = {
		{ pos = "ethertype", head = 4, tail = 0, etype = 0x8100, fields = {
			{ name = "pcp", bit = 16, width = 3, from = 0, what = "prio" },
			{ name = "dei", bit = 19, width = 1, from = 0, what = "fill" },
			{ name = "vid[11:10]", bit = 20, width = 2, from = 0, what = "const", value = 0x3 },
			{ name = "vbid", bit = 22, width = 1, from = 2, what = "bridge" },
			{ name = "switch", bit = 23, width = 3, from = 0, what = "device" },
			{ name = "vbid", bit = 26, width = 2, from = 0, what = "bridge" },
			{ name = "port", bit = 28, width = 4, from = 0, what = "port" },
		} },
	},
	to_cpu = {
		{ pos = "ethertype", head = 4, tail = 0, etype = 0x8100, fields = {
			{ name = "pcp", bit = 16, width = 3, from = 0, what = "prio" },
			{ name = "dei", bit = 19, width = 1, from = 0, what = "fill" },
			{ name = "vid[11:10]", bit = 20, width = 2, from = 0, what = "const", value = 0x3 },
			{ name = "vbid", bit = 22, width = 1, from = 2, what = "bridge" },
			{ name = "switch", bit = 23, width = 3, from = 0, what = "device" },
			{ name = "vbid", bit = 26, width = 2, from = 0, what = "bridge" },
			{ name = "port", bit = 28, width = 4, from = 0, what = "port" },
		} },
	},
}
formats["brcm-legacy-fcs"] = {
	from_cpu = {
		{ pos = "both", head = 6, tail = 4, etype = 0x8874, fields = {
			{ name = "type", bit = 16, width = 3, from = 0, what = "const", value = 0x2 },
			{ name = "reserved", bit = 19, width = 2, from = 0, what = "const", value = 0x0 },
			{ name = "length", bit = 21, width = 11, from = 0, what = "aux0" },
			{ name = "reserved", bit = 32, width = 8, from = 0, what = "const", value = 0x0 },
			{ name = "reserved", bit = 40, width = 4, from = 0, what = "const", value = 0x0 },
			{ name = "port", bit = 44, width = 4, from = 0, what = "port" },
			{ name = "fcs", bit = 48, width = 32, from = 0, what = "aux1" },
		} },
	},
	to_cpu = {
		{ pos = "ethertype", head = 6, tail = 0, etype = 0x8874, fields = {
			{ name = "type", bit = 16, width = 16, from = 0, what = "fill" },
			{ name = "port", bit = 44, width = 4, from = 0, what = "port" },
		} },
		{ pos = "ethertype", head = 10, tail = 0, etype = 0x8874, fields = {
			{ name = "type", bit = 16, width = 16, from = 0, what = "fill" },
			{ name = "port", bit = 44, width = 4, from = 0, what = "port" },
			{ name = "tpid", bit = 48, width = 16, from = 0, what = "const", value = 0x8100 },
			{ name = "tci", bit = 64, width = 16, from = 0, what = "const", value = 0x0 },
		} },
	},
}
formats["yt921x"] = {
	from_cpu = {
		{ pos = "ethertype", head = 8, tail = 0, etype = 0x9988, fields = {
			{ name = "vlan", bit = 16, width = 16, from = 0, what = "const", value = 0x0 },
			{ name = "rx-port", bit = 32, width = 5, from = 0, what = "const", value = 0x0 },
			{ name = "priority", bit = 37, width = 3, from = 0, what = "prio" },
			{ name = "code-valid", bit = 40, width = 1, from = 0, what = "const", value = 0x1 },
			{ name = "code", bit = 41, width = 6, from = 0, what = "const", value = 0x0 },
			{ name = "ports-valid", bit = 48, width = 1, from = 0, what = "const", value = 0x1 },
			{ name = "ports", bit = 53, width = 11, from = 0, what = "portmap" },
		} },
	},
	to_cpu = {
		{ pos = "ethertype", head = 8, tail = 0, etype = 0x9988, fields = {
			{ name = "port-valid", bit = 32, width = 1, from = 0, what = "const", value = 0x1 },
			{ name = "port", bit = 33, width = 4, from = 0, what = "port" },
			{ name = "priority", bit = 37, width = 3, from = 0, what = "prio" },
			{ name = "code-valid", bit = 40, width = 1, from = 0, what = "fill" },
			{ name = "code", bit = 41, width = 6, from = 0, what = "trap",
			  codes = { [0] = { name = "forward", value = 0 }, [23] = { name = "acl", value = 1 }, [25] = { name = "unknown-unicast", value = 1 }, [26] = { name = "unknown-multicast", value = 1 }, [27] = { name = "port-copy", value = 0 }, [28] = { name = "fdb-copy", value = 0 } } },
		} },
	},
}
formats["gsw1xx"] = {
	from_cpu = {
		{ pos = "ethertype", head = 8, tail = 0, etype = 0x88c3, fields = {
			{ name = "map-enable", bit = 16, width = 1, from = 0, what = "const", value = 0x1 },
			{ name = "class-enable", bit = 17, width = 1, from = 0, what = "const", value = 0x0 },
			{ name = "time-stamp", bit = 18, width = 1, from = 0, what = "const", value = 0x0 },
			{ name = "no-learning", bit = 19, width = 1, from = 0, what = "const", value = 0x1 },
			{ name = "class", bit = 20, width = 4, from = 0, what = "const", value = 0x0 },
			{ name = "ports", bit = 24, width = 8, from = 0, what = "portmap" },
			{ name = "zero", bit = 32, width = 16, from = 0, what = "const", value = 0x0 },
			{ name = "zero", bit = 48, width = 16, from = 0, what = "const", value = 0x0 },
		} },
	},
	to_cpu = {
		{ pos = "ethertype", head = 8, tail = 0, etype = 0x88c3, fields = {
			{ name = "port", bit = 16, width = 8, from = 0, what = "port" },
		} },
	},
}
formats["mxl862xx"] = {
	from_cpu = {
		{ pos = "ethertype", head = 8, tail = 0, etype = 0x88c3, fields = {
			{ name = "zero", bit = 16, width = 16, from = 0, what = "const", value = 0x0 },
			{ name = "zero", bit = 32, width = 11, from = 0, what = "const", value = 0x0 },
			{ name = "sub-interface", bit = 43, width = 5, from = 0, what = "port" },
			{ name = "zero", bit = 48, width = 12, from = 0, what = "const", value = 0x0 },
			{ name = "cpu-port", bit = 60, width = 4, from = 0, what = "aux0" },
		} },
	},
	to_cpu = {
		{ pos = "ethertype", head = 8, tail = 0, etype = 0x88c3, fields = {
			{ name = "port", bit = 60, width = 4, from = 0, what = "port" },
		} },
	},
}
formats["nxp_netc"] = {
	from_cpu = {
		{ pos = "ethertype", head = 6, tail = 0, etype = 0xfd3a, fields = {
			{ name = "type", bit = 16, width = 4, from = 0, what = "const", value = 0x1 },
			{ name = "subtype", bit = 20, width = 4, from = 0, what = "const", value = 0x0 },
			{ name = "qos-valid", bit = 31, width = 1, from = 0, what = "const", value = 0x1 },
			{ name = "priority", bit = 27, width = 3, from = 0, what = "prio" },
			{ name = "port", bit = 32, width = 5, from = 0, what = "port" },
			{ name = "switch", bit = 37, width = 3, from = 0, what = "device" },
			{ name = "zero", bit = 40, width = 8, from = 0, what = "const", value = 0x0 },
		} },
	},
	to_cpu = {
		{ pos = "ethertype", head = 6, tail = 0, etype = 0xfd3a, fields = {
			{ name = "type", bit = 16, width = 4, from = 0, what = "trap",
			  codes = { [0] = { name = "Forward", value = 0 }, [2] = { name = "To_Host", value = 1 } } },
			{ name = "subtype", bit = 20, width = 4, from = 0, what = "aux0" },
			{ name = "qos-valid", bit = 31, width = 1, from = 0, what = "fill" },
			{ name = "priority", bit = 27, width = 3, from = 0, what = "prio" },
			{ name = "port", bit = 32, width = 5, from = 0, what = "port" },
			{ name = "switch", bit = 37, width = 3, from = 0, what = "device" },
		} },
	},
}
formats["ksz8463"] = {
	from_cpu = {
		{ pos = "tail", head = 0, tail = 1, fields = {
			{ name = "reserved", bit = 0, width = 3, from = 0, what = "const", value = 0x0 },
			{ name = "priority", bit = 3, width = 2, from = 0, what = "prio" },
			{ name = "ports", bit = 5, width = 3, from = 0, what = "portmap" },
		} },
	},
	to_cpu = {
		{ pos = "tail", head = 0, tail = 1, fields = {
			{ name = "port", bit = 5, width = 3, from = 0, what = "port" },
		} },
	},
}
formats["mt7628"] = {
	from_cpu = {
		{ pos = "ethertype", head = 4, tail = 0, fields = {
			{ name = "tpid", bit = 0, width = 10, from = 0, what = "const", value = 0x204 },
			{ name = "ports", bit = 10, width = 6, from = 0, what = "portmap" },
			{ name = "vid[11:10]", bit = 20, width = 2, from = 0, what = "fill" },
			{ name = "vid-switch", bit = 23, width = 3, from = 0, what = "device" },
			{ name = "vid-port", bit = 28, width = 4, from = 0, what = "port_hint" },
		} },
	},
	to_cpu = {
		{ pos = "ethertype", head = 4, tail = 0, fields = {
			{ name = "tpid", bit = 0, width = 13, from = 0, what = "const", value = 0x1020 },
			{ name = "port", bit = 13, width = 3, from = 0, what = "port" },
			{ name = "vid[11:10]", bit = 20, width = 2, from = 0, what = "fill" },
			{ name = "vid-switch", bit = 23, width = 3, from = 0, what = "device" },
			{ name = "vid-port", bit = 28, width = 4, from = 0, what = "port_hint" },
		} },
	},
}
-- table: end

-- What bits alone do not say: the hooks of host-tools/tag/tag_FORMAT.c.
local function dsa_to_cpu(said)
	-- TO_CPU codes 4 and 5 are frames like others
	if said.trap == 1 and (said.aux0 == 4 or said.aux0 == 5) then
		said.trap = 0
	end
end

local function rtl8_4_to_cpu(said)
	said.trap = said.trap == 80 and 1 or 0
end

local function ocelot(said)
	if (said.vid or 0) > 0 then
		said.prio = said.aux0
	end
end

local hooks = {
	dsa = { to_cpu = dsa_to_cpu },
	edsa = { to_cpu = dsa_to_cpu },
	rtl8_4 = { to_cpu = rtl8_4_to_cpu },
	rtl8_4t = { to_cpu = rtl8_4_to_cpu },
	ocelot = { to_cpu = ocelot, from_cpu = ocelot },
	seville = { to_cpu = ocelot, from_cpu = ocelot },
	lan9303 = { to_cpu = function(said)
		said.trap = (said.trap == 1 or said.aux0 == 1) and 1 or 0
	end },
	-- a sub-interface counts from 16 less the CPU port's number
	mxl862xx = { from_cpu = function(said)
		said.port = math.max(said.port + said.aux0 - 16, 0)
	end },
}

local dsatag = Proto("dsatag", "DSA tag")
local ETH_ADDRS = 12

local f = {
	format = ProtoField.string("dsatag.format", "Format"),
	dir = ProtoField.string("dsatag.dir", "Direction"),
	port = ProtoField.uint32("dsatag.port", "Port"),
	portmap = ProtoField.uint32("dsatag.ports", "Ports", base.HEX),
	device = ProtoField.uint32("dsatag.device", "Switch"),
	vid = ProtoField.uint32("dsatag.vid", "VLAN id"),
	prio = ProtoField.uint32("dsatag.prio", "Priority"),
	dei = ProtoField.uint32("dsatag.dei", "DEI"),
	trap = ProtoField.uint32("dsatag.trap", "Trapped"),
	forward = ProtoField.uint32("dsatag.forward", "Forwarded by the switch"),
	bridge = ProtoField.uint32("dsatag.bridge", "Bridge"),
}
local order = { "port", "portmap", "device", "vid", "prio", "dei", "trap", "forward", "bridge" }
local not_a_tag = ProtoExpert.new("dsatag.bad", "Not a tag of this format",
				  expert.group.MALFORMED, expert.severity.ERROR)

-- One ProtoField for each name that a format has, by format and name.
local own = {}

local function own_name(format, field)
	return "dsatag." .. format .. "." .. field:gsub("[^%w]+", "_"):gsub("_$", "")
end

local function declare(format, layouts, all)
	for _, layout in ipairs(layouts) do
		for _, fd in ipairs(layout.fields) do
			local name = own_name(format, fd.name)

			if not own[name] then
				own[name] = ProtoField.uint32(name, fd.name, base.HEX)
				all[#all + 1] = own[name]
			end
		end
	end
end

local function declare_all()
	local all = {}

	for _, field in pairs(f) do
		all[#all + 1] = field
	end
	for name, format in pairs(formats) do
		declare(name, format.to_cpu, all)
		declare(name, format.from_cpu, all)
	end
	dsatag.fields = all
	dsatag.experts = { not_a_tag }
end

declare_all()
dsatag.prefs.format = Pref.string("Format", "",
	"Tag of frames whose interface has no description dsa:TAG")

local description = Field.new("frame.interface_description")
local direction = Field.new("frame.packet_flags_direction")
local ethernet = Dissector.get("eth_withoutfcs")

-- Bytes of the frame before the tag's part that a bit offset is in, and the rest.
local function place(layout, len, bit)
	if bit >= layout.head * 8 then
		return len - layout.tail, bit - layout.head * 8
	end
	return layout.pos == "head" and 0 or ETH_ADDRS, bit
end

-- The bytes that a field is in, and its value.
local function read(layout, tvb, fd)
	local start, bit = place(layout, tvb:len(), fd.bit)
	local first = math.floor(bit / 8)
	local bytes = math.floor((bit + fd.width - 1) / 8) - first + 1
	local range = tvb(start + first, bytes)

	return range, range:bitfield(bit - first * 8, fd.width)
end

local function etype_fits(layout, tvb)
	local etype

	if not layout.etype then
		return true
	end
	etype = tvb(layout.pos == "head" and 0 or ETH_ADDRS, 2):uint()
	return etype == layout.etype or etype == layout.etype_alt
end

local function fits(layout, tvb)
	if tvb:len() < ETH_ADDRS + 2 + layout.head + layout.tail or not etype_fits(layout, tvb) then
		return false
	end
	for _, fd in ipairs(layout.fields) do
		local _, value = read(layout, tvb, fd)

		if fd.what == "const" and value ~= fd.value then
			return false
		end
		if fd.codes and not fd.codes[value] then
			return false
		end
	end
	return true
end

-- The last layout that fits, as tagrig reads it.
local function find_layout(layouts, tvb)
	for i = #layouts, 1, -1 do
		if fits(layouts[i], tvb) then
			return layouts[i]
		end
	end
end

-- Adds each field to @tree; returns what they say together, by what they are about.
local function add_fields(tree, format, layout, tvb)
	local said = {}

	for _, fd in ipairs(layout.fields) do
		local range, value = read(layout, tvb, fd)
		local item = tree:add(own[own_name(format, fd.name)], range, value)

		if fd.codes then
			item:append_text(" (" .. fd.codes[value].name .. ")")
			value = fd.codes[value].value
		end
		if fd.what ~= "const" and fd.what ~= "fill" then
			said[fd.what] = (said[fd.what] or 0) + value * 2 ^ fd.from
		end
	end
	return said
end

local function lowest_bit(map)
	local n = 0

	while map % 2 == 0 do
		map = map / 2
		n = n + 1
	end
	return n
end

local function add_meaning(tree, said, name, dir)
	local to_cpu = dir == "to_cpu"
	local hook = hooks[name] and hooks[name][dir]

	if hook then
		hook(said)
	end
	if to_cpu and not said.port and said.portmap and said.portmap > 0 then
		said.port = lowest_bit(said.portmap)
	end
	for _, what in ipairs(order) do
		if said[what] then
			tree:add(f[what], math.floor(said[what])):set_generated()
		end
	end
end

-- The frame without its tag, with the VLAN header that the tag has taken in.
local function untagged(layout, said, tvb)
	local len = tvb:len() - layout.tail
	local at = layout.pos == "head" and 0 or ETH_ADDRS
	local bytes = ByteArray.new()

	if at > 0 then
		bytes = bytes .. tvb:bytes(0, at)
	end
	if layout.fuse and said.vlan and said.vlan > 0 then
		local tci = (said.prio or 0) * 8192 + (said.dei or 0) * 4096 + (said.vid or 0)

		bytes = bytes .. ByteArray.new(string.format("%04x%04x", layout.fuse[said.vlan], tci))
	end
	return bytes .. tvb:bytes(at + layout.head, len - at - layout.head)
end

-- Which formats to try: the direction's, or both.
local function directions()
	local flags = direction()

	if flags and flags.value == 1 then
		return { "from_cpu" }
	elseif flags and flags.value == 2 then
		return { "to_cpu" }
	end
	return { "to_cpu", "from_cpu" }
end

local function format_of_frame()
	local text = description()
	local name = text and tostring(text.value):match("^dsa:(.+)$") or dsatag.prefs.format

	return name ~= "none" and formats[name] and name
end

local function dissect_tag(tvb, pinfo, tree, name)
	local sub = tree:add(dsatag, tvb(), "DSA tag, " .. name)

	sub:add(f.format, name):set_generated()
	for _, dir in ipairs(directions()) do
		local layout = find_layout(formats[name][dir], tvb)

		if layout then
			local said

			sub:add(f.dir, dir == "to_cpu" and "to-cpu" or "from-cpu"):set_generated()
			said = add_fields(sub, name, layout, tvb)
			add_meaning(sub, said, name, dir)
			return untagged(layout, said, tvb)
		end
	end
	sub:add_proto_expert_info(not_a_tag)
	pinfo.cols.info:set("Not a tag of " .. name)
end

function dsatag.dissector(tvb, pinfo, tree)
	local name = format_of_frame()
	local inner

	if not name then
		return ethernet:call(tvb, pinfo, tree)
	end
	pinfo.cols.protocol:set("DSA")
	inner = dissect_tag(tvb, pinfo, tree, name)
	if inner then
		ethernet:call(inner:tvb("Frame without tag"), pinfo, tree)
	end
	return tvb:len()
end

DissectorTable.get("wtap_encap"):add(wtap.ETHERNET, dsatag)
