"""A SoC without a processor around a generated LiteX module: a host at an AXI4-Lite port puts the arrays into the SoC's
memory, runs the kernel over the SoC's bus, waits for the interrupt and compares the results, under Icarus.

    python litex_soc.py KERNEL_FOLDER NAME STANDARD BUS_BITS
"""

import importlib
import json
import os
import sys
from pathlib import Path

FOLDER, NAME = Path(os.environ.get("SOC_FOLDER", ".")), os.environ.get("SOC_NAME", "")
RAM, RAM_SIZE, REGISTERS = 0x4000_0000, 0x1_0000, 0x9000_0000


def build(standard, width):
    """Writes soc.v and what the host must know: the kernel's region and constants."""
    from litex.build.generic_platform import GenericPlatform, Pins, Subsignal
    from litex.gen import LiteXModule
    from litex.soc.integration.soc import SoCRegion
    from litex.soc.integration.soc_core import SoCCore
    from litex.soc.interconnect import axi
    from migen import ClockDomain, Signal

    host = axi.AXILiteInterface(data_width=32, address_width=32)
    lite = []
    for channel in ("aw", "w", "b", "ar", "r"):
        stream = getattr(host, channel)
        wires = ["valid", "ready"] + {"aw": ["addr"], "ar": ["addr"], "w": ["data", "strb"]}.get(channel, ["resp"])
        wires += ["data"] if channel == "r" else []
        lite += [(channel + w, getattr(stream, w), channel in "aw w ar".split()) for w in wires]
    pins = [Subsignal(name, Pins(len(signal))) for name, signal, _ in lite]
    platform = GenericPlatform("", [("clk", 0, Pins(1)), ("rst", 0, Pins(1)), ("irq", 0, Pins(1)), ("host", 0, *pins)])

    class Crg(LiteXModule):
        def __init__(self):
            self.cd_sys = ClockDomain()
            self.comb += self.cd_sys.clk.eq(platform.request("clk")), self.cd_sys.rst.eq(platform.request("rst"))

    options = {"bus_standard": standard, "bus_data_width": width, "with_uart": False, "with_timer": False}
    soc = SoCCore(platform, int(100e6), cpu_type=None, integrated_rom_size=0, integrated_sram_size=0, **options)
    soc.crg = Crg()
    soc.add_ram("arrays", RAM, RAM_SIZE)
    pads = platform.request("host")
    for name, signal, driven in lite:
        ready = name.endswith("ready")
        pad = getattr(pads, name)
        soc.comb += signal.eq(pad) if driven != ready else pad.eq(signal)
    soc.bus.add_master("host", host)
    # At an address of ours, or where there is room.
    origin = None if standard == "wishbone" else REGISTERS
    kernel = importlib.import_module(f"{NAME}_litex").add_kernel(soc, NAME, origin)
    soc.comb += platform.request("irq").eq(kernel.irq)
    soc.finalize()
    platform.get_verilog(soc, name="soc", regular_comb=False).write("soc.v")
    constants = {k.lower(): int(v) for k, v in soc.constants.items() if k.startswith(f"{NAME.upper()}_")}
    Path("soc.json").write_text(json.dumps({"region": soc.bus.regions[NAME].origin, "constants": constants}))


if "COCOTB_TEST_MODULES" in os.environ:
    import cocotb
    from cocotb.clock import Clock
    from cocotb.triggers import RisingEdge

    bench = importlib.import_module(f"{NAME}_cocotb")

    @cocotb.test()
    async def run(dut):
        """Arrays through the bus into memory, a run, results back."""
        soc = json.loads(Path(os.environ["SOC_JSON"]).read_text())
        data = bench.Data(FOLDER / f"{NAME}_data.txt")
        bases = bench.place(data, RAM)
        cocotb.start_soon(Clock(dut.clk, 10, "ns").start())
        host = bench.Host(dut, "host")
        dut.rst.value = 1
        for _ in range(4):
            await RisingEdge(dut.clk)
        dut.rst.value = 0
        memory = bytearray(b"\xa5" * RAM_SIZE)
        for array, words in data.operands.items():
            contents = bench.packed(array, words)
            memory[bases[array] - RAM : bases[array] - RAM + len(contents)] = contents
        used = max(bases[a] + len(w) * bench.WORD_BYTES[a] for a, w in (data.operands | data.results).items()) - RAM
        for k in range(0, used, 4):
            await host.write(RAM + k, int.from_bytes(memory[k : k + 4], "little"))
        kernel = bench.Kernel(host, soc["region"])
        await kernel.check()
        assert await kernel.read(soc["constants"][f"{NAME}_id_offset"]) == 0x53414D48
        await kernel.configure(data, bases)
        await kernel.write(bench.IRQ_ENABLE, 1)
        await kernel.write(bench.CONTROL, 1)
        for _ in range(100_000):
            if int(dut.irq.value):
                break
            await RisingEdge(dut.clk)
        assert int(dut.irq.value), "no interrupt"
        cycles = await kernel.finish()
        for k in range(0, used, 4):
            memory[k : k + 4] = (await host.read(RAM + k)).to_bytes(4, "little")
        for array, words in data.results.items():
            size, at = bench.WORD_BYTES[array], bases[array] - RAM
            found = [int.from_bytes(memory[at + k * size : at + (k + 1) * size], "little") for k in range(len(words))]
            bench.compare(array, found, words)
        dut._log.info("%d cycles", cycles)


def main(folder, name, standard, width):
    from cocotb_tools.check_results import get_results
    from cocotb_tools.runner import get_runner

    global NAME
    NAME, folder = name, Path(folder).resolve()
    sys.path.insert(0, str(folder))
    build(standard, int(width))
    here = Path.cwd()
    sources = [here / "soc.v"] + [folder / f for f in (folder / f"{name}.f").read_text().split()]
    runner = get_runner("icarus")
    options = {"build_args": ["-g2005"], "timescale": ("1ns", "1ps"), "always": True}
    runner.build(sources=sources, hdl_toplevel="soc", build_dir=here / "sim", **options)
    paths = os.pathsep.join([str(folder), str(Path(__file__).resolve().parent)])
    env = {"PYTHONPATH": paths, "SOC_FOLDER": str(folder), "SOC_NAME": name, "SOC_JSON": str(here / "soc.json")}
    results = runner.test(hdl_toplevel="soc", test_module="litex_soc", build_dir=here / "sim", extra_env=env)
    tests, failed = get_results(results)
    sys.exit(0 if tests == 1 and failed == 0 else 1)


if __name__ == "__main__":
    main(*sys.argv[1:])
