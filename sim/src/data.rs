//! `NAME_data.txt`: a host's writes before one run and its reads after it, for generated programs and benches.
//!
//! Words between blanks, numbers in hexadecimal: `register NAME VALUE`, then `operand ARRAY N` and
//! `result ARRAY N`, each followed by the N words of the array. Registers of `NAME_ram` are its
//! run-time inputs.
//!
//! Where the order of sums decides what words a result has, `between ARRAY 2N KIND BITS` follows:
//! the least and the greatest that each word may be, one after the other, and 1 and 0 for those
//! that may be anything. Words of `BITS` bits are numbers without a sign (kind 0), two's complement
//! (1), or floats (2): a sign and a magnitude.

use crate::axi::Placing;
use crate::run::{Problem, WrittenWords};
use samhw_compiler::diag::Diagnostic;
use samhw_compiler::emit::Manifest;
use samhw_compiler::emit::axi::{Axi, Holds, behind};
use samhw_compiler::netlist::Netlist;
use std::fmt::Write;

/// The file as it is made.
#[derive(Default)]
struct Text {
    registers: String,
    arrays: String,
}

impl Text {
    // Writing to a string cannot fail.
    fn register(&mut self, name: &str, value: u64) {
        let _ = writeln!(self.registers, "register {name} {value:x}");
    }

    fn array(&mut self, kind: &str, name: &str, words: &[u64]) {
        let _ = writeln!(self.arrays, "{kind} {name} {:x}", words.len());
        self.words(words);
    }

    fn words(&mut self, words: &[u64]) {
        for line in words.chunks(16) {
            let line: Vec<String> = line.iter().map(|w| format!("{w:x}")).collect();
            self.arrays += &(line.join(" ") + "\n");
        }
    }

    fn result(&mut self, name: &str, written: &WrittenWords) {
        self.array("result", name, &written.words);
        if let Some(ranges) = &written.ranges {
            let ty = ranges.ty;
            let kind = if ty.is_float() { 2 } else { u8::from(ty.is_signed()) };
            let _ = writeln!(self.arrays, "between {name} {:x} {kind} {:x}", ranges.words.len(), ty.bits());
            self.words(&ranges.words);
        }
    }

    fn finish(self) -> String {
        self.registers + &self.arrays
    }
}

impl Problem {
    /// Returns the file for hardware behind AXI: registers, operands, and the results of the native engine.
    pub fn axi_data(&self, net: &Netlist, axi: &Axi, limit: u64) -> Result<String, Diagnostic> {
        let net = &behind(&self.lowered, net);
        let config = self.config(net);
        let results = self.written(net, limit)?;
        let operands = self.layout(net, axi, Placing::Aligned);
        let mut out = Text::default();
        for r in &axi.registers {
            match r.holds {
                Holds::Config(k) => out.register(&r.name, config[k]),
                Holds::Base(array) => {
                    let name = &net.arrays[array].name;
                    let at = operands.buffers.iter().position(|b| b.array == array);
                    let words = || at.map(|b| operands.buffers[b].words(operands.sizes[b])).unwrap_or_default();
                    match results.get(&array) {
                        Some(written) => out.result(name, written),
                        None => out.array("operand", name, &words()),
                    }
                }
                Holds::Words(_) | Holds::Status(_) | Holds::Stuck | Holds::Count(..) => {}
            }
        }
        Ok(out.finish())
    }

    /// Returns the file for hardware with memory on the chip, described by this manifest.
    pub fn ram_data(&self, net: &Netlist, manifest: &Manifest, limit: u64) -> Result<String, Diagnostic> {
        let results = self.written(net, limit)?;
        let mut out = Text::default();
        for (port, value) in manifest.config.iter().zip(self.config(net)) {
            out.register(&port.name, value);
        }
        for (k, array) in net.arrays.iter().enumerate() {
            if let Some(words) = self.words(array) {
                out.array("operand", &array.name, &words);
            } else if let Some(written) = results.get(&k) {
                out.result(&array.name, written);
            }
        }
        Ok(out.finish())
    }
}
