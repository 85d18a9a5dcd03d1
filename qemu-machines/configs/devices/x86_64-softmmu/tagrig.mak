# SPDX-License-Identifier: GPL-2.0-or-later
# What the rig's guests use on x86_64, and nothing else.

CONFIG_Q35=y
CONFIG_MICROVM=y

CONFIG_PCI_DEVICES=y
CONFIG_VIRTIO_PCI=y
CONFIG_VIRTIO_MMIO=y
CONFIG_VIRTIO_SERIAL=y
CONFIG_VIRTIO_NET=y
CONFIG_VIRTIO_BLK=y
CONFIG_VIRTIO_RNG=y
CONFIG_E1000E_PCI_EXPRESS=y
CONFIG_SERIAL_ISA=y

# the MACs as PCI devices: no board of ours selects them here
CONFIG_DWMAC=y
