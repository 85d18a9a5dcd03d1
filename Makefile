# SPDX-License-Identifier: GPL-2.0-or-later
#
# tagrig: every target that a person calls is here; `make help` lists them.
#
# How it builds: each directory of host-tools/ becomes one archive, cmd_*.c and
# main.c become the program.  Archives are linked in the order of the
# architecture (lab rig net fabric tag), so an arrow that points up does not
# link.  What is not C (QEMU, kernels, the guest) is built by scripts/, which
# cache by content.

O	?= $(CURDIR)/build
V	?= 0
CC	?= cc
KERNEL	?=
SEED	?= 1
TARGETS	?=
SKIP_TARGETS ?=
RUNS	?= 20000
SAN	?=
BEGAN	:= $(shell date +%s)
export O V KERNEL SEED QEMU QEMU_SRC TARGETS SKIP_TARGETS RUNS SAN BEGAN BUILD

Q	= $(if $(filter 1,$(V)),,@)
say	= $(if $(filter 1,$(V)),,@printf '  %-7s %s\n' $(1) $(patsubst $(O)/%,%,$(2)) >&2;)

CFLAGS	?= -O2 -g
# Messages are cut to their buffers on purpose, as in the kernel: no -Wformat-truncation.
# -MMD: headers are found by the compiler.  SAN=address,undefined for sanitizers.
ALL_CFLAGS = -std=gnu11 -Wall -Wextra -Werror -Wmissing-prototypes -Wstrict-prototypes \
	-Wno-format-truncation \
	-D_GNU_SOURCE -DTAGRIG_TOP='"$(CURDIR)"' -DTAGRIG_O='"$(O)"' -Ihost-tools -MMD -MP $(PKG_CFLAGS) $(CFLAGS) \
	$(if $(SAN),-fsanitize=$(SAN) -fno-sanitize-recover=all -fno-omit-frame-pointer)
ALL_LDFLAGS = $(LDFLAGS) $(if $(SAN),-fsanitize=$(SAN))

LIBS	= jansson libpcap libnl-3.0 libnl-route-3.0 slirp libelf libdw gsl
PKG_CFLAGS = $(shell pkg-config --cflags $(LIBS) 2>/dev/null)
PKG_LIBS = $(shell pkg-config --libs $(LIBS) 2>/dev/null)

# Parts that do not wait for each other, on all cores.
SIDE_BY_SIDE = $(MAKE) --no-print-directory -j$(shell nproc)

H	= $(O)/host$(if $(SAN),-san)
DIRS	= lab rig net fabric tag
ARCHIVES = $(DIRS:%=$(H)/lib%.a)
TAGRIG	= $(H)/tagrig
TESTS	= $(patsubst tests/unit/%.c,$(H)/tests/%,$(wildcard tests/unit/test_*.c))
BENCHES	= $(patsubst tests/bench/%.c,$(H)/bench/%,$(wildcard tests/bench/bench_*.c))

.PHONY: help
help:
	@awk -f scripts/make-help.awk $(MAKEFILE_LIST)

##@ What people run

.PHONY: test-emulated
test-emulated: packages-emulated ## boot kernels on the emulated MAC and judge every checksum (KERNEL= for yours)
	$(Q)+$(SIDE_BY_SIDE) qemu-aarch64 test-emulated-kernels
	$(Q)scripts/test-emulated

.PHONY: packages-emulated
packages-emulated: # no analysers, sanitizers, peers of benchmarks
	$(Q)scripts/packages build qemu guest kernel

.PHONY: test-emulated-kernels
test-emulated-kernels: host # fetched, patched and packed while QEMU compiles
	$(Q)scripts/test-emulated --prepare

.PHONY: check-tags
check-tags: packages qemu-aarch64 host ## checksums behind every DSA tag on 6.12 and 7.x (KERNEL= for yours)
	$(Q)scripts/check-tags

.PHONY: check-selftests
check-selftests: packages qemu-aarch64 host ## the driver's own selftests (ethtool -t) on each MAC, on 6.12 and 7.x (KERNEL= for yours)
	$(Q)scripts/check-selftests

.PHONY: check-uboot
check-uboot: packages qemu-aarch64 ## U-Boot's drivers fetch a file over TFTP through our GMAC and QoS
	$(Q)tests/uboot/run

.PHONY: check-pci
check-pci: packages qemu host ## stmmac_pci on dwmac-*-pci, on arm64 and x86_64 (builds kernels; TARGETS=x86_64: that one)
	$(Q)tests/pci/run --build

.PHONY: check
check: packages ## every test: unit, guest tools, device models, runs, the emulated run
	$(Q)+$(SIDE_BY_SIDE) qemu test-emulated-kernels $(TESTS)
	$(Q)scripts/check

.PHONY: lab
lab: packages qemu host ## what functions cost per packet: the shipped labs (those for x86_64: TARGETS=x86_64)
	$(Q)$(TAGRIG) lab --results $(O)/results/lab --seed $(SEED) tests/labs/*.lab

.PHONY: bench
bench: packages qemu host $(BENCHES) $(H)/bench/exits.so ## every benchmark, as ratios in one run, and the labs
	$(Q)scripts/bench $(BENCHES)

.PHONY: bench-host
bench-host: packages host $(H)/bench/bench_host ## figures of the bridge, codec, checksums, gen and check beside other tools
	$(Q)TAGRIG=$(TAGRIG) $(H)/bench/bench_host

.PHONY: bench-nic
bench-nic: packages qemu-aarch64 host $(H)/bench/bench_nic $(H)/bench/exits.so ## frames a second and CPU a frame of each MAC beside e1000e and virtio-net (TARGETS=qos: that one)
	$(Q)QEMU="$(or $(QEMU),$(O)/qemu/bin)" EXITS="$(H)/bench/exits.so" TAGRIG_TOP="$(CURDIR)" $(H)/bench/bench_nic

##@ Parts

.PHONY: host
host: $(TAGRIG) ## the host program, host/tagrig in the build directory

.PHONY: qemu
qemu: ## QEMU with our device models
	$(Q)$(if $(QEMU),:,scripts/build-qemu)

.PHONY: qemu-aarch64
qemu-aarch64: # the half that arm64 guests need
	$(Q)$(if $(QEMU),:,scripts/build-qemu aarch64)

.PHONY: packages
packages: ## install what is missing (root or sudo; else lists it and stops with exit 2)
	$(Q)scripts/packages

.PHONY: unit
unit: $(TESTS) $(TAGRIG) ## unit tests (SAN=address,undefined for sanitizers)
	$(Q)scripts/run-unit $(TESTS)

.PHONY: qtest
qtest: qemu-aarch64 ## tests of the device models
	$(Q)scripts/qtest

.PHONY: lab-check
lab-check: qemu host ## tests of the lab: is what was planted told? (builds kernels)
	$(Q)tests/labs/run

.PHONY: fuzz
fuzz: ## fuzz every parser for RUNS= executions each (needs clang)
	$(Q)scripts/fuzz

.PHONY: fuzz-dwmac
fuzz-dwmac: ## fuzz each MAC model for RUNS= executions, with sanitizers (TARGETS=qos: that one)
	$(Q)scripts/fuzz-dwmac

.PHONY: dissector
dissector: host ## put the table of tag formats into the Wireshark dissector, host-tools/net/tagrig.lua
	$(Q)scripts/update-dissector host-tools/net/tagrig.lua

.PHONY: lint
lint: ## clang-tidy and cppcheck over the host tools
	$(Q)scripts/lint

.PHONY: valgrind
valgrind: $(TESTS) ## unit tests under valgrind
	$(Q)WRAP='valgrind -q --error-exitcode=9 --leak-check=full' scripts/run-unit $(TESTS)

.PHONY: clean
clean: ## remove what was built here; the cache stays
	$(Q)rm -rf $(O)

##@ Variables
#@ KERNEL=PATH	a kernel of yours: an Image, or a built tree
#@ BUILD=1	KERNEL= is a source tree: build it out of tree (BUILD=driver: only its stmmac)
#@ O=DIR	build directory (default build/)
#@ QEMU=DIR	a directory of qemu-system-* binaries, instead of building ours
#@ QEMU_SRC=DIR	another QEMU source tree to put the overlay on (10.0 or newer)
#@ SEED=N	seed of everything random (default 1)
#@ TARGETS=...	only these scenarios, labs, architectures, taggers, MACs or kernels
#@ SKIP_TARGETS=...	all but these
#@ RUNS=N	executions of each fuzz target (default 20000)
#@ SAN=LIST	build with these sanitizers
#@ V=1	print each command

# --- rules -------------------------------------------------------------------

$(H)/%.o: host-tools/%.c
	@mkdir -p $(@D)
	$(call say,CC,$@)
	$(Q)$(CC) $(ALL_CFLAGS) -c -o $@ $<

define archive
$(H)/lib$(1).a: $(patsubst host-tools/%.c,$(H)/%.o,$(wildcard host-tools/$(1)/*.c))
	@mkdir -p $$(@D)
	$$(call say,AR,$$@)
	$(Q)rm -f $$@; ar rcs $$@ $$^
endef
$(foreach d,$(DIRS),$(eval $(call archive,$(d))))

$(TAGRIG): $(patsubst host-tools/%.c,$(H)/%.o,$(wildcard host-tools/*.c)) $(ARCHIVES)
	$(call say,LD,$@)
	$(Q)$(CC) $(ALL_LDFLAGS) -o $@ $^ $(PKG_LIBS) -lm

$(H)/tests/%: tests/unit/%.c $(ARCHIVES)
	@mkdir -p $(@D)
	$(call say,CCLD,$@)
	$(Q)$(CC) $(ALL_CFLAGS) -Itests/unit $(ALL_LDFLAGS) -o $@ $< $(ARCHIVES) $(PKG_LIBS) -lcmocka -lm

# a plugin: it needs one header of QEMU, which comes with the source
$(H)/bench/exits.so: tests/bench/exits.c tests/bench/exits.h | qemu-aarch64
	@mkdir -p $(@D)
	$(call say,CC,$@)
	$(Q)$(CC) -std=gnu11 -Wall -Wextra -Wno-unused-parameter -Werror -D_GNU_SOURCE -fPIC -shared \
		-isystem $(firstword $(QEMU_SRC:%=%/include/qemu) $(O)/qemu/src/include/qemu) \
		$(shell pkg-config --cflags glib-2.0) $(CFLAGS) -o $@ $<

$(H)/bench/%: tests/bench/%.c $(ARCHIVES)
	@mkdir -p $(@D)
	$(call say,CCLD,$@)
	$(Q)$(CC) $(ALL_CFLAGS) $(ALL_LDFLAGS) -o $@ $< $(ARCHIVES) $(PKG_LIBS) -lm

-include $(shell find $(H) -name '*.d' 2>/dev/null)
