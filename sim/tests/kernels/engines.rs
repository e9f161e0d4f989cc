//! How random kernels are run on both engines.

use samhw_compiler::netlist::Netlist;
use samhw_rtlsim::Error as ToolError;
use samhw_sim::run::Problem;
use samhw_sim::verilator::{Built, Error, Options};
use samhw_testing::verify::run_on_verilog;
use std::path::PathBuf;

/// A number from the environment.
pub fn number(name: &str, default: u64) -> u64 {
    std::env::var(name).ok().and_then(|v| v.parse().ok()).unwrap_or(default)
}

/// Folder of compiled designs: `SAMHW_CACHE`, else `.cache` of the workspace.
fn cache() -> PathBuf {
    let own = || PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../.cache"));
    std::env::var_os("SAMHW_CACHE").map_or_else(own, PathBuf::from)
}

/// Runs the first `wanted` problems that `next` makes of seeds, each with a data set of its own, on
/// both engines, which must agree. Skips, saying so, where tools are missing.
pub fn engines_agree_on(wanted: u64, next: impl Fn(u64) -> Option<(String, Problem, Netlist)>) {
    let base = number("SAMHW_SEED", 1);
    println!("SAMHW_SEED={base}");
    let found = (base * 1000..).filter_map(|seed| Some((seed, next(seed)?)));
    for (seed, (text, p, net)) in found.take(wanted as usize) {
        let options = Options { assertions: true, quick: true, ..Options::default() };
        let design = samhw_compiler::emit::emit(&p.lowered, &net);
        match Built::new(&net, &design, options, &cache()) {
            Err(Error::Tools(e @ ToolError::ToolMissing { .. }))
                if std::env::var_os("SAMHW_REQUIRE_TOOLS").is_none() =>
            {
                println!("skipped: {e}");
                return;
            }
            built => {
                let cycles = run_on_verilog(&[p], &net, &built.expect("Verilog that compiles"));
                println!("seed {seed}: {cycles:?} cycles");
                assert!(cycles.is_ok(), "seed {seed}:\n{text}\n{}", cycles.unwrap_err());
            }
        }
    }
}
