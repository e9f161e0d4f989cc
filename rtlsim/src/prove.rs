//! Proofs of a design's assertions by induction, over given invariants or with invariants that the method finds.

use crate::design::Design;
use crate::error::Result;
use crate::yosys::{execute, nothing};
use std::path::Path;

/// The method of a proof.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Method {
    /// Induction of at most this many steps, which knows only the assertions about the state (yosys' `sat
    /// -tempinduct`).
    Induction {
        /// Largest number of steps.
        most: u32,
    },
    /// Property-directed reachability: one-step induction over a property that the method strengthens until it holds
    /// (`pdr` of ABC, part of yosys).
    Reachability {
        /// Time limit in seconds.
        seconds: u32,
    },
    /// Property-directed reachability for two designs that should behave identically: registers that always agree are
    /// found by induction and merged first (`scorr` of ABC). All registers begin at zero, a cycle before what is
    /// proved: the designs reset themselves in it, since zero need not be a state of theirs.
    Correspondence {
        /// Time limit in seconds.
        seconds: u32,
    },
}

/// The result of a proof attempt.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Proof {
    /// The assertions hold in every reachable state.
    Proven {
        /// Length of the induction, or number of frames of reachability; 0 if unknown.
        length: u32,
    },
    /// An assertion fails this many cycles after the start.
    Broken {
        /// The cycle, or 0 if unknown.
        cycle: u32,
    },
    /// Neither a proof nor a counterexample was found within the limits.
    Open,
}

/// Tries to prove the assertions of `design` under its assumptions, with `FORMAL` defined; registers start at their
/// initial values, or at any value if they have none. `probes` tie inputs of the top to signals inside the flat design.
pub fn prove(design: &Design, probes: &[(String, String)], method: Method, dir: &Path) -> Result<Proof> {
    let top = &design.top;
    let tie =
        |(input, signal): &(String, String)| format!("delete -input w:{input}\nconnect -set \\{input} \\{signal}\n");
    let ties: String = probes.iter().map(tie).collect();
    // A register that nothing reads any more, as a mutant may leave one, stays for its probe.
    let keep = |(_, signal): &(String, String)| format!("setattr -set keep 1 w:{signal}\n");
    let keeps: String = probes.iter().map(keep).collect();
    let zero = if matches!(method, Method::Correspondence { .. }) {
        "setattr -unset init w:*\nsetundef -init -zero\n"
    } else {
        ""
    };
    let flat = format!(
        "hierarchy -check -top {top}\nproc\nflatten\n{keeps}prep -top {top}\nmemory_map\n{ties}async2sync\n\
         {zero}setundef -anyseq\nchformal -lower\nopt_clean\n"
    );
    match method {
        Method::Induction { most } => induction(design, &flat, most, dir),
        Method::Reachability { seconds } => decided(design, &flat, "fold;strash;orpos;pdr", seconds, dir),
        Method::Correspondence { seconds } => decided(design, &flat, CORRESPONDENCE, seconds, dir),
    }
}

/// Of that cycle ABC draws the inputs. What is assumed becomes part of the assertions after it, or a cycle that breaks it
/// would end all proof.
const CORRESPONDENCE: &str = "cycle,-F,1;zero;strash;fold;strash;orpos;&get,-n;&scorr,-C,5000;&put;scorr;dprove";

fn induction(design: &Design, flat: &str, most: u32, dir: &Path) -> Result<Proof> {
    let top = &design.top;
    let steps = format!("{flat}sat -tempinduct -prove-asserts -set-assumes -maxsteps {most} {top}\n");
    let (_dir, text) = execute(design, dir, "read_verilog -formal -DFORMAL", &steps, &[])?;
    let number = |line: &str| line.split(|c: char| !c.is_ascii_digit()).find_map(|w| w.parse().ok());
    let last = text.lines().filter(|l| l.contains("Trying induction with length")).filter_map(number).next_back();
    let length = last.unwrap_or(0);
    Ok(if text.contains("Induction step proven: SUCCESS!") {
        Proof::Proven { length }
    } else if text.contains("SAT temporal induction proof finished - model found for base case: FAIL!") {
        Proof::Broken { cycle: length }
    } else if text.contains("Reached maximum number of time steps") {
        Proof::Open
    } else {
        return Err(nothing(design, text));
    })
}

/// What ABC's `command` says of the assertions.
fn decided(design: &Design, flat: &str, command: &str, seconds: u32, dir: &Path) -> Result<Proof> {
    // Only the assertions are outputs; registers without enables and resets, as AIGER has them. What is not defined may
    // be anything.
    let circuit = "delete -output w:*\nopt -keepdc -nodffe -nosdff\ntechmap\ndffunmap\nsetundef -anyseq\n\
                   opt -nodffe -nosdff\ndffunmap\nopt_clean\naigmap\nopt_clean\n";
    let steps = format!("{flat}{circuit}{}", decide(command, seconds));
    let (dir, text) = execute(design, dir, "read_verilog -formal -DFORMAL", &steps, &["-q"])?;
    let failed = |output: String| nothing(design, output);
    let status = std::fs::read_to_string(dir.path().join("status")).map_err(|e| failed(format!("{text}{e}")))?;
    verdict(&status).ok_or_else(|| failed(text + &status))
}

/// Writes the current circuit for ABC and lets it run `command` on it; the outcome is in file `status`. ABC expects a circuit
/// from yosys and one to give back: that is another one.
fn decide(command: &str, seconds: u32) -> String {
    format!(
        "write_aiger -zinit circuit.aig\ndesign -reset\nread_verilog <<EOF\nmodule none(input a, input b, output y);\n\
         assign y = a & b;\nendmodule\nEOF\nproc\ntechmap\nabc -script +write_blif,none.blif;\
         read_aiger,circuit.aig;{command},-T,{seconds};write_status,status;\
         read_blif,none.blif;strash;map;\n"
    )
}

/// What a file of ABC's `write_status` says.
fn verdict(status: &str) -> Option<Proof> {
    let mut words = status.split_ascii_whitespace();
    let (word, number) = (words.next()?, words.next()?.parse::<i64>().ok()?);
    let number = u32::try_from(number).unwrap_or(0);
    match word {
        "snl_UNSAT" => Some(Proof::Proven { length: number }),
        "snl_SAT" => Some(Proof::Broken { cycle: number }),
        "snl_UNK" => Some(Proof::Open),
        _ => None,
    }
}
