//! `NAME_data.txt`: what a host writes for one run and what it reads after it, for generated programs.
//!
//! Words between blanks, numbers in hexadecimal: `register NAME VALUE`, then `operand ARRAY N` and `result ARRAY N`,
//! each followed by the N words of the array.

use crate::run::Problem;
use samhw_compiler::diag::Diagnostic;
use samhw_compiler::emit::axi::{Axi, Holds, behind};
use samhw_compiler::netlist::Netlist;

impl Problem {
    /// The file for hardware made of `net`: registers and operands, and the results as the native engine leaves them.
    pub fn axi_data(&self, net: &Netlist, axi: &Axi, limit: u64) -> Result<String, Diagnostic> {
        let net = &behind(&self.lowered, net);
        let config = self.config(net);
        let results = self.written(net, limit)?;
        let operands = self.layout(net, axi, super::Placing::Aligned);
        let (mut out, mut arrays) = (String::new(), String::new());
        for r in &axi.registers {
            match r.holds {
                Holds::Config(k) => out += &format!("register {} {:x}\n", r.name, config[k]),
                Holds::Base(array) => {
                    let (kind, words) = match results.get(&array) {
                        Some(words) => ("result", words.clone()),
                        None => {
                            let at = operands.buffers.iter().position(|b| b.array == array);
                            ("operand", at.map(|b| operands.buffers[b].words(operands.sizes[b])).unwrap_or_default())
                        }
                    };
                    arrays += &format!("{kind} {} {:x}\n", net.arrays[array].name, words.len());
                    words.chunks(16).for_each(|line| {
                        let line: Vec<String> = line.iter().map(|w| format!("{w:x}")).collect();
                        arrays += &(line.join(" ") + "\n");
                    });
                }
                Holds::Words(_) | Holds::Status(_) | Holds::Stuck | Holds::Count(..) => {}
            }
        }
        Ok(out + &arrays)
    }
}
