//! Four-state checks: inputs and expected outputs of a module are recorded by the cycle and replayed under Icarus.
//! Registers and memories are X before they are written, and so is what is driven where nothing says what it is.

use super::{cache, tool};
use samhw_rtlsim::{self as rtl, Dir, SignalKind};
use samhw_values::mask;
use std::fmt::Write;

/// The file with the rows, and what the bench prints after the last of them.
const ROWS: &str = "rows.txt";
const END: &str = "all rows played";

/// The bits of all signals: their values, and of which the value matters.
#[derive(Debug, Clone)]
struct Row {
    value: Vec<u64>,
    matters: Vec<u64>,
}

impl Row {
    /// `n` bits, at most 64, from bit `at` on.
    fn set(words: &mut [u64], at: usize, n: u32, value: u64) {
        let (word, shift, value) = (at / 64, at % 64, value & mask(n));
        words[word] = words[word] & !(mask(n) << shift) | value << shift;
        if shift + n as usize > 64 {
            words[word + 1] = words[word + 1] & !(mask(n) >> (64 - shift)) | value >> (64 - shift);
        }
    }
    /// The words that `width` bits take, each with the number of its bits.
    fn pieces(width: u32) -> impl Iterator<Item = (usize, u32)> {
        (0..width.div_ceil(64)).map(move |k| (k as usize, (width - 64 * k).min(64)))
    }
}

/// The inputs of a module before each clock edge, and the expected outputs after it.
pub struct Recording {
    design: rtl::Design,
    /// First bit of each signal in a row, as [`rtl::Design::signals`]. Bit 0 is the reset.
    at: Vec<usize>,
    rows: Vec<Row>,
    now: Row,
}

impl Recording {
    /// Creates an empty recording of `design`, whose signals are all ports except clock and reset.
    pub fn new(design: &rtl::Design) -> Self {
        let (mut at, mut bits) = (Vec::new(), 1);
        for s in &design.signals {
            at.push(bits);
            bits += s.width as usize;
        }
        let none = vec![0; bits.div_ceil(64)];
        let mut now = Row { value: none.clone(), matters: none };
        Row::set(&mut now.matters, 0, 1, 1);
        Self { design: design.clone(), at, rows: Vec::new(), now }
    }

    /// Records `width` bits of signal `signal` from bit `low` on: driven, or expected after the next edge.
    pub fn put(&mut self, signal: usize, low: usize, width: u32, words: &[u64]) {
        let at = self.at[signal] + low;
        for (k, n) in Row::pieces(width) {
            Row::set(&mut self.now.value, at + 64 * k, n, words.get(k).copied().unwrap_or(0));
            Row::set(&mut self.now.matters, at + 64 * k, n, u64::MAX);
        }
    }

    /// Drives X on `width` bits of an input.
    pub fn forget(&mut self, signal: usize, low: usize, width: u32) {
        let at = self.at[signal] + low;
        Row::pieces(width).for_each(|(k, n)| Row::set(&mut self.now.matters, at + 64 * k, n, 0));
    }

    /// Returns whether bit `bit` of a signal is known to be 1.
    pub fn drives(&self, signal: usize, bit: usize) -> bool {
        let at = self.at[signal] + bit;
        self.now.value[at / 64] & self.now.matters[at / 64] & 1 << (at % 64) != 0
    }

    /// Records a clock edge. Inputs stay as they are.
    pub fn clock(&mut self) {
        self.rows.push(self.now.clone());
        for s in 0..self.at.len() {
            if self.design.signals[s].kind == SignalKind::Port(Dir::Out) {
                self.forget(s, 0, self.design.signals[s].width);
            }
        }
        Row::set(&mut self.now.value, 0, 1, 0);
    }

    /// Makes the next edge a reset edge.
    pub fn reset(&mut self) {
        Row::set(&mut self.now.value, 0, 1, 1);
    }

    /// Returns the number of cycles so far.
    pub fn cycles(&self) -> usize {
        self.rows.len()
    }

    /// Removes all but the first `cycles` cycles.
    pub fn truncate(&mut self, cycles: usize) {
        self.rows.truncate(cycles);
    }

    /// Replays all cycles and describes the first difference. `None` where all is right, or Icarus is missing.
    #[track_caller]
    pub fn difference(&self) -> Option<String> {
        if self.rows.is_empty() {
            return None;
        }
        let mut text = String::new();
        for row in &self.rows {
            for words in [&row.matters, &row.value] {
                words.iter().rev().for_each(|w| {
                    let _ = write!(text, "{w:016x}");
                });
            }
            text.push('\n');
        }
        let said = tool(&self.design.top, rtl::run_iverilog(&self.bench(), &[(ROWS.into(), text)], &cache()))?;
        (!said.lines().any(|l| l == END)).then(|| format!("in four states, {said}"))
    }

    /// The design with a bench as its top.
    fn bench(&self) -> rtl::Design {
        let d = &self.design;
        let (bits, rows) = (64 * self.now.value.len(), self.rows.len());
        let (mut nets, mut checks) = (String::new(), String::new());
        let mut pins = vec![".clk(clk)".to_string(), ".rst(driven[0])".to_string()];
        for (s, at) in d.signals.iter().zip(&self.at) {
            let (name, width) = (&s.path, s.width);
            if s.kind == SignalKind::Port(Dir::In) {
                pins.push(format!(".{name}(driven[{at} +: {width}])"));
                continue;
            }
            pins.push(format!(".{name}(o_{name})"));
            let _ = writeln!(nets, "    wire [{width}-1:0] o_{name};");
            let _ = write!(
                checks,
                "            if (((o_{name} ^ value[{at} +: {width}]) & matters[{at} +: {width}]) !== {width}'d0) begin\n                \
                 $display(\"cycle %0d: {name} is %b, not %b\", k, o_{name}, value[{at} +: {width}]);\n                \
                 bad = 1'b1;\n            end\n",
            );
        }
        let params: Vec<String> = d.params.iter().map(|(n, v)| format!(".{n}({v})")).collect();
        let params = if params.is_empty() { String::new() } else { format!(" #({})", params.join(", ")) };
        let (top, pins, twice) = (&d.top, pins.join(", "), 2 * bits);
        let text = format!(
            "module bench;\n    reg clk;\n    reg bad;\n    reg [{twice}-1:0] row;\n    reg [{twice}-1:0] rows [0:{rows}-1];\n    \
             wire [{bits}-1:0] value = row[{bits}-1:0];\n    wire [{bits}-1:0] matters = row[{twice}-1:{bits}];\n    \
             wire [{bits}-1:0] driven = (value & matters) | (~matters & {{{bits}{{1'bx}}}});\n{nets}    \
             {top}{params} dut ({pins});\n    integer k;\n    initial begin\n        $readmemh(\"{ROWS}\", rows);\n        \
             clk = 1'b0;\n        bad = 1'b0;\n        for (k = 0; k < {rows} && !bad; k = k + 1) begin\n            \
             row = rows[k];\n            #1 clk = 1'b1;\n            #1 clk = 1'b0;\n{checks}        end\n        \
             if (!bad)\n            $display(\"{END}\");\n        $finish;\n    end\nendmodule\n"
        );
        let files = d.files.iter().cloned().chain([("bench.v".into(), text)]).collect();
        rtl::Design { defines: d.defines.clone(), ..rtl::Design::new("bench", files) }
    }
}
