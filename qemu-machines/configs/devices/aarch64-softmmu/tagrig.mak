# SPDX-License-Identifier: GPL-2.0-or-later
# What the rig's guests use on arm64, and nothing else.

CONFIG_ARM_VIRT=y
# virt does not link without these, nor start without the parent of CXL's ports
CONFIG_PXB=y
CONFIG_PCIE_PORT=y
CONFIG_CXL=y
CONFIG_CXL_MEM_DEVICE=y

CONFIG_PCI_DEVICES=y
CONFIG_VIRTIO_PCI=y
CONFIG_VIRTIO_MMIO=y
CONFIG_VIRTIO_SERIAL=y
CONFIG_VIRTIO_NET=y
CONFIG_VIRTIO_BLK=y
CONFIG_VIRTIO_RNG=y
# peers of the NIC benchmark
CONFIG_E1000E_PCI_EXPRESS=y

CONFIG_STMMAC_VIRT=y
