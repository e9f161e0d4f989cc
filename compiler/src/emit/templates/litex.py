# SPDX-License-Identifier: Apache-2.0
"""@FILE_axi as a module of LiteX. In a SoC:

    from @FILE_litex import add_kernel
    kernel = add_kernel(soc, "@FILE")

adds its managers to the SoC's bus, its registers as a region "@FILE", its interrupt where the SoC has any, and constants
for software: @FILE_KERNEL_HASH_LO, _HI and an offset per register. The driver is @FILE.c.
"""

import json
from pathlib import Path

from litex.gen import LiteXModule
from litex.soc.integration.soc import SoCRegion
from litex.soc.interconnect import axi
from litex.soc.interconnect.csr_eventmanager import EventManager, EventSourceLevel
from migen import ClockSignal, Instance, ResetSignal, Signal
from migen.genlib.fifo import SyncFIFO

HERE = Path(__file__).resolve().parent
MANIFEST = json.loads((HERE / "@FILE.json").read_text())
AXI = MANIFEST["axi"]
PORTS = {p["name"]: p for t in MANIFEST["tops"] if t["kind"] == "axi" for p in t["ports"]}
#: What the names of each manager's ports begin with.
MANAGERS = sorted(n[: -len("_arvalid")] for n in PORTS if n.endswith("_arvalid") and n.startswith("m"))
#: Byte offsets of the registers.
REGISTERS = {
    "ID": 0x00, "VERSION": 0x04, "HASH_LO": 0x08, "HASH_HI": 0x0C, "CONTROL": 0x10, "STATUS": 0x14,
    "IRQ_ENABLE": 0x18, "IRQ_PENDING": 0x1C, "ERROR": 0x20, "WAITING": 0x24, "CYCLES_LO": 0x28, "CYCLES_HI": 0x2C,
    "WATCHDOG": 0x30,
} | {r["name"]: r["offset"] for r in AXI["registers"]}
#: Bytes of the registers' region.
SIZE = 1 << PORTS["s_axi_awaddr"]["width"]


class Kernel(LiteXModule):
    """`buses`: AXI4 managers, `bus` the first one; `control`: AXI4-Lite registers; `irq`, also as event `ev.done`. The managers' addresses
    have `address_width` bits; higher ones of the kernel are 0 as long as its arrays lie there."""

    def __init__(self, platform, address_width=32):
        self.buses = [axi.AXIInterface(AXI["data_width"], address_width) for _ in MANAGERS]
        self.bus = self.buses[0]
        self.control = axi.AXILiteInterface(data_width=32, address_width=address_width)
        self.irq = Signal()
        self.ev = EventManager()
        self.ev.done = EventSourceLevel()
        self.ev.finalize()
        self.comb += self.ev.done.trigger.eq(self.irq)
        # The module's own wires: what LiteX has may be wider or narrower.
        wires = {name: Signal(port["width"], name=f"kernel_{name}") for name, port in PORTS.items()}
        self.held = set()
        for side, bus in zip(MANAGERS, self.buses):
            self.ordered(wires, side, bus, "ar", "r", wires[f"{side}_rlast"])
            self.ordered(wires, side, bus, "aw", "b", 1)
        for side, bus in [*zip(MANAGERS, self.buses), ("s_axi", self.control)]:
            for channel in ("aw", "w", "b", "ar", "r"):
                self.channel(wires, f"{side}_{channel}", getattr(bus, channel), side == "s_axi")
        self.comb += self.irq.eq(wires["irq"])
        wires["clk"], wires["rst"] = ClockSignal("sys"), ResetSignal("sys")
        pins = {("i_" if PORTS[n]["direction"] == "input" else "o_") + n: wire for n, wire in wires.items()}
        self.specials += Instance("@FILE_axi", name="@FILE_axi", **pins)
        for name in (HERE / "@FILE.f").read_text().split():
            add_source(platform, HERE / name)

    def channel(self, wires, prefix, stream, control):
        """Connects one channel of a bus, but for IDs."""
        for name, port in PORTS.items():
            wire = name[len(prefix) :]
            if not name.startswith(prefix) or wire == "id":
                continue
            here, there = wires[name], getattr(stream, wire)
            if control and wire == "ready" and port["direction"] == "output":
                # A converter of LiteX takes a ready before its valid for a transfer.
                self.comb += there.eq(here & stream.valid)
            elif name in self.held:
                continue
            else:
                self.comb += here.eq(there) if port["direction"] == "input" else there.eq(here)

    def ordered(self, wires, side, bus, ask, answer, last):
        """LiteX's interconnect keeps no IDs: all bursts of a direction have ID 0, so their answers come in order, and
        the kernel gets its IDs back from a queue."""
        asks = getattr(bus, ask)
        id_width = PORTS[f"{side}_{ask}id"]["width"]
        ids = SyncFIFO(id_width, 16)
        self.submodules += ids
        valid, ready = wires[f"{side}_{ask}valid"], wires[f"{side}_{ask}ready"]
        taken = wires[f"{side}_{answer}valid"] & wires[f"{side}_{answer}ready"] & last
        self.comb += [
            asks.valid.eq(valid & ids.writable),
            ready.eq(asks.ready & ids.writable),
            ids.din.eq(wires[f"{side}_{ask}id"]),
            ids.we.eq(valid & ready),
            wires[f"{side}_{answer}id"].eq(ids.dout),
            ids.re.eq(taken),
        ]
        self.held |= {f"{side}_{ask}valid", f"{side}_{ask}ready"}


def add_source(platform, path):
    """Adds a file, but for one of the library that another kernel has added from its own folder."""
    there = [Path(source[0]) for source in platform.sources if Path(source[0]).name == path.name]
    for other in there:
        if other.read_text() != path.read_text():
            raise ValueError(f"{path} is not {other}: generate both kernels with the same version of samhw")
    if not there:
        platform.add_source(str(path))


def room(soc, name):
    """An address that is free for the registers. LiteX places its own ones last, where `mem_map` says."""
    later = "csr" in soc.mem_map and "csr" not in soc.bus.regions
    if later:
        size = 4 << soc.csr.address_width
        soc.bus.regions["csr"] = SoCRegion(origin=soc.mem_map["csr"], size=size, cached=False)
    region = soc.bus.alloc_region(name, SIZE, cached=False)
    if later:
        del soc.bus.regions["csr"]
    return region.origin


def add_kernel(soc, name="@FILE", origin=None):
    """Adds the kernel to a SoC as `name`, its registers at `origin` (none: where there is room)."""
    kernel = Kernel(soc.platform, soc.bus.address_width)
    soc.add_module(name=name, module=kernel)
    if origin is None:
        origin = room(soc, name)
    soc.bus.add_slave(name, kernel.control, SoCRegion(origin=origin, size=SIZE, cached=False))
    dma = getattr(soc, "dma_bus", soc.bus)
    for k, bus in enumerate(kernel.buses):
        dma.add_master(name=name if len(kernel.buses) == 1 else f"{name}_{k}", master=bus)
    if soc.irq.enabled:
        soc.irq.add(name, use_loc_if_exists=True)
    value = int(AXI["hash"], 16)
    soc.add_constant(f"{name}_KERNEL_HASH_LO", value & 0xFFFFFFFF)
    soc.add_constant(f"{name}_KERNEL_HASH_HI", value >> 32)
    for register, offset in REGISTERS.items():
        soc.add_constant(f"{name}_{register}_OFFSET", offset)
    return kernel
