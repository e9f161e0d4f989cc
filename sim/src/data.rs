//! `NAME_data.txt`: a host's writes before one run and its reads after it, for generated programs and benches.
//!
//! Words between blanks, numbers in hexadecimal, in this order:
//!
//! | record | then |
//! |---|---|
//! | `register NAME VALUE` | a register; those of `NAME_ram` are its run-time inputs |
//! | `join RESULT N` | N words: of a result in parts each level's size, and its fill |
//! | `operand ARRAY N` | the N words of the array |
//! | `room ARRAY N` | the words that an array of a part may need, whichever items its copy gets |
//! | `result ARRAY N` | the N words of the array; of a result in parts those of the whole |
//! | `between ARRAY 2N KIND BITS` | 2N words, after the array |
//!
//! Copies and lanes store a result in parts. The whole has the format that it has without them;
//! sizes are those of its levels, outermost first, and the fill is the value of what no part has.
//! `NAME.json` says how parts are joined (`results`).
//!
//! `between` is there where the order of sums decides what words a result has: the least and the
//! greatest that each word may be, one after the other, and 1 and 0 for those that may be anything.
//! Words of `BITS` bits are numbers without a sign (kind 0), two's complement (1), or floats (2): a
//! sign and a magnitude.

use crate::axi::Placing;
use crate::run::Problem;
use crate::written::{JoinedWords, Left, WrittenWords};
use samhw_compiler::diag::Diagnostic;
use samhw_compiler::emit::Manifest;
use samhw_compiler::emit::axi::{Axi, Holds, behind};
use samhw_compiler::netlist::Netlist;
use std::fmt::Write;

/// The file as it is made.
#[derive(Default)]
struct Text {
    registers: String,
    joins: String,
    arrays: String,
}

impl Text {
    // Writing to a string cannot fail.
    fn register(&mut self, name: &str, value: u64) {
        let _ = writeln!(self.registers, "register {name} {value:x}");
    }

    fn array(&mut self, kind: &str, name: &str, words: &[u64]) {
        self.arrays += &record(kind, name, words);
    }

    /// The array of this number, if a run writes it.
    fn left(&mut self, (k, name): (usize, &str), left: &Left) -> bool {
        if let Some(written) = left.arrays.get(&k) {
            self.result(name, written);
        } else if let Some(room) = left.rooms.get(&k) {
            let _ = writeln!(self.arrays, "room {name} {room:x}");
        } else {
            return false;
        }
        true
    }

    /// Results in parts, after all arrays.
    fn joined(&mut self, results: &[JoinedWords]) {
        for r in results {
            self.joins += &record("join", &r.name, &[&r.sizes[..], &[r.fill]].concat());
            r.arrays.iter().for_each(|(name, written)| self.result(name, written));
        }
    }

    fn result(&mut self, name: &str, written: &WrittenWords) {
        self.array("result", name, &written.words);
        if let Some(ranges) = &written.ranges {
            let ty = ranges.ty;
            let kind = if ty.is_float() { 2 } else { u8::from(ty.is_signed()) };
            let _ = writeln!(self.arrays, "between {name} {:x} {kind} {:x}", ranges.words.len(), ty.bits());
            self.arrays += &lines(&ranges.words);
        }
    }

    fn finish(self) -> String {
        self.registers + &self.joins + &self.arrays
    }
}

fn record(kind: &str, name: &str, words: &[u64]) -> String {
    format!("{kind} {name} {:x}\n{}", words.len(), lines(words))
}

fn lines(words: &[u64]) -> String {
    let line = |words: &[u64]| words.iter().map(|w| format!("{w:x}")).collect::<Vec<_>>().join(" ") + "\n";
    words.chunks(16).map(line).collect()
}

impl Problem {
    /// Returns the file for hardware behind AXI: registers, operands, and the results of the native engine.
    pub fn axi_data(&self, net: &Netlist, axi: &Axi, limit: u64) -> Result<String, Diagnostic> {
        let net = &behind(&self.lowered, net);
        let config = self.config(net);
        let left = self.left(net, limit)?;
        let operands = self.layout(net, axi, Placing::Aligned);
        let mut out = Text::default();
        for r in &axi.registers {
            match r.holds {
                Holds::Config(k) => out.register(&r.name, config[k]),
                Holds::Base(array) => {
                    let name = &net.arrays[array].name;
                    let at = operands.buffers.iter().position(|b| b.array == array);
                    let words = || at.map(|b| operands.buffers[b].words(operands.sizes[b])).unwrap_or_default();
                    if !out.left((array, name), &left) {
                        out.array("operand", name, &words());
                    }
                }
                Holds::Words(_) | Holds::Status(_) | Holds::Stuck | Holds::Count(..) => {}
            }
        }
        out.joined(&left.joined);
        Ok(out.finish())
    }

    /// Returns the file for hardware with memory on the chip, described by this manifest.
    pub fn ram_data(&self, net: &Netlist, manifest: &Manifest, limit: u64) -> Result<String, Diagnostic> {
        let left = self.left(net, limit)?;
        let mut out = Text::default();
        for (port, value) in manifest.config.iter().zip(self.config(net)) {
            out.register(&port.name, value);
        }
        for (k, array) in net.arrays.iter().enumerate() {
            if let Some(words) = self.words(array) {
                out.array("operand", &array.name, &words);
            } else {
                out.left((k, &array.name), &left);
            }
        }
        out.joined(&left.joined);
        Ok(out.finish())
    }
}
