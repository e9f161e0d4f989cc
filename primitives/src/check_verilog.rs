//! Checks of a module's text with external tools: lint, combinational paths, size. Only for
//! tests; skips as [`bench_rtl`](crate::bench_rtl) does.

use crate::bench_rtl::{cache, files, literals, tool};
use crate::contract::{Param, Primitive};
use samhw_rtlsim as rtl;

fn design(module: &str, params: &[(&str, Param)]) -> rtl::Design {
    let mut d = rtl::Design::new(module, files(module));
    d.params = literals(params);
    d
}

/// Verilator (`-Wall`) and Icarus (`-g2005 -Wall`) must print nothing, with and without
/// assertions.
#[track_caller]
pub fn lint(module: &str, params: &[(&str, Param)]) {
    let mut d = design(module, params);
    for defines in [vec![], vec!["SAMHW_ASSERT".to_string()]] {
        d.defines = defines;
        tool(module, rtl::lint_verilator(&d, &cache()));
        tool(module, rtl::lint_iverilog(&d, &cache()));
    }
}

/// No output port may depend on an input port within a cycle; no latches, no loops.
#[track_caller]
pub fn no_comb_path(module: &str, params: &[(&str, Param)]) {
    if let Some(paths) = tool(module, rtl::comb_paths(&design(module, params), &cache())) {
        let text: Vec<String> = paths.iter().map(ToString::to_string).collect();
        assert!(paths.is_empty(), "{module}: {}", text.join("; "));
    }
}

/// Cells after `synth_ecp5`; `None` where yosys is missing.
pub fn yosys_cells(module: &str, params: &[(&str, Param)]) -> Option<rtl::Cells> {
    tool(module, rtl::ecp5_cells(&design(module, params), &cache()))
}

/// [`lint`] and [`no_comb_path`] on the module of `p` with its parameters.
#[track_caller]
pub fn check_verilog(p: &dyn Primitive) {
    let i = p.instance();
    lint(i.module, &i.params);
    no_comb_path(i.module, &i.params);
}
