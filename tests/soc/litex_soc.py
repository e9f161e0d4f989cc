"""A SoC without a processor around generated LiteX modules: a host at an AXI4-Lite port puts the arrays into the SoC's
memory, runs one kernel after the other over the SoC's bus, waits for the interrupt and compares the results, under Icarus.

    python litex_soc.py STANDARD BUS_BITS KERNEL_FOLDER NAME [KERNEL_FOLDER NAME ..]
"""

import importlib
import json
import os
import sys
from pathlib import Path

RAM, RAM_SIZE, REGISTERS = 0x4000_0000, 0x1_0000, 0x9000_0000


def build(standard, width, names):
    """Writes soc.v and what the host must know: the kernels' regions and constants; which files the platform has."""
    from litex.build.generic_platform import GenericPlatform, Pins, Subsignal
    from litex.gen import LiteXModule
    from litex.soc.integration.soc import SoCRegion
    from litex.soc.integration.soc_core import SoCCore
    from litex.soc.interconnect import axi
    from migen import Cat, ClockDomain

    host = axi.AXILiteInterface(data_width=32, address_width=32)
    lite = []
    for channel in ("aw", "w", "b", "ar", "r"):
        stream = getattr(host, channel)
        wires = ["valid", "ready"] + {"aw": ["addr"], "ar": ["addr"], "w": ["data", "strb"]}.get(channel, ["resp"])
        wires += ["data"] if channel == "r" else []
        lite += [(channel + w, getattr(stream, w), channel in "aw w ar".split()) for w in wires]
    pins = [Subsignal(name, Pins(len(signal))) for name, signal, _ in lite]
    platform = GenericPlatform("", [("clk", 0, Pins(1)), ("rst", 0, Pins(1)), ("irq", 0, Pins(len(names))), ("host", 0, *pins)])

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
    origins = [None if standard == "wishbone" else REGISTERS + 0x1_0000 * k for k in range(len(names))]
    kernels = [importlib.import_module(f"{n}_litex").add_kernel(soc, n, o) for n, o in zip(names, origins)]
    soc.comb += platform.request("irq").eq(Cat(kernel.irq for kernel in kernels))
    soc.finalize()
    platform.get_verilog(soc, name="soc", regular_comb=False).write("soc.v")
    constants = {k.lower(): int(v) for k, v in soc.constants.items() if k.lower().startswith(tuple(f"{n}_" for n in names))}
    regions = {name: soc.bus.regions[name].origin for name in names}
    Path("soc.json").write_text(json.dumps({"regions": regions, "constants": constants}))
    return [Path(source[0]) for source in platform.sources]


if "COCOTB_TEST_MODULES" in os.environ:
    import cocotb
    from cocotb.clock import Clock
    from cocotb.triggers import RisingEdge

    @cocotb.test()
    async def run(dut):
        """Each kernel: arrays through the bus into memory, a run, results back."""
        soc = json.loads(Path(os.environ["SOC_JSON"]).read_text())
        cocotb.start_soon(Clock(dut.clk, 10, "ns").start())
        dut.rst.value = 1
        host = None
        for k, name in enumerate(soc["regions"]):
            bench = importlib.import_module(f"{name}_cocotb")
            if host is None:
                host = bench.Host(dut, "host")
                for _ in range(4):
                    await RisingEdge(dut.clk)
                dut.rst.value = 0
            await run_one(dut, bench, host, soc, name, k)

    async def run_one(dut, bench, host, soc, name, number):
        data = bench.Data(bench.HERE / f"{name}_data.txt")
        bases = bench.place(data, RAM)
        memory = bytearray(b"\xa5" * RAM_SIZE)
        for array, words in data.operands.items():
            contents = bench.packed(array, words)
            memory[bases[array] - RAM : bases[array] - RAM + len(contents)] = contents
        used = max(bases[a] + words * bench.WORD_BYTES[a] for a, words in bench.lengths(data).items()) - RAM
        for k in range(0, used, 4):
            await host.write(RAM + k, int.from_bytes(memory[k : k + 4], "little"))
        kernel = bench.Kernel(host, soc["regions"][name])
        await kernel.check()
        assert await kernel.read(soc["constants"][f"{name}_id_offset"]) == 0x53414D48
        await kernel.configure(data, bases)
        await kernel.write(bench.IRQ_ENABLE, 1)
        await kernel.write(bench.CONTROL, 1)
        for _ in range(100_000):
            if int(dut.irq.value) >> number & 1:
                break
            await RisingEdge(dut.clk)
        assert int(dut.irq.value) == 1 << number, "no interrupt, or another one"
        cycles = await kernel.finish()
        for k in range(0, used, 4):
            memory[k : k + 4] = (await host.read(RAM + k)).to_bytes(4, "little")

        async def read(array, words):
            at = bases[array] - RAM
            return bench.unpacked(array, memory[at : at + words * bench.WORD_BYTES[array]])

        await data.check(read)
        await kernel.write(bench.CONTROL, 4)
        dut._log.info("%s: %d cycles", name, cycles)


def main(standard, width, *kernels):
    from cocotb_tools.check_results import get_results
    from cocotb_tools.runner import get_runner

    folders, names = [str(Path(folder).resolve()) for folder in kernels[::2]], kernels[1::2]
    sys.path[:0] = folders
    here = Path.cwd()
    sources = [here / "soc.v"] + build(standard, int(width), names)
    runner = get_runner("icarus")
    options = {"build_args": ["-g2005"], "timescale": ("1ns", "1ps"), "always": True}
    runner.build(sources=sources, hdl_toplevel="soc", build_dir=here / "sim", **options)
    paths = os.pathsep.join([*folders, str(Path(__file__).resolve().parent)])
    env = {"PYTHONPATH": paths, "SOC_JSON": str(here / "soc.json")}
    results = runner.test(hdl_toplevel="soc", test_module="litex_soc", build_dir=here / "sim", extra_env=env)
    tests, failed = get_results(results)
    sys.exit(0 if tests == 1 and failed == 0 else 1)


if __name__ == "__main__":
    main(*sys.argv[1:])
