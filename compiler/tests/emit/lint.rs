//! Every kernel's core and core with memories is clean under Verilator, Icarus, slang and yosys.

use crate::kernels::{KERNELS, design, toml};
use crate::tools::{cache, tool, top, yosys};
use samhw_rtlsim as rtl;
use samhw_testing::drawn::drawn;
use std::collections::BTreeMap;

/// Kernels that take a tool a second each.
const SOME: usize = 8;

/// Cores with memories of this number of kernels; the core, which is in there, by itself only for some: it
/// can differ in its ports alone.
fn each(kernels: usize, lint: impl Fn(&rtl::Design) -> rtl::Result<()>) {
    for (n, k) in drawn(KERNELS.iter().enumerate(), kernels) {
        let d = design(&toml(k));
        for t in d.tops.iter().skip(usize::from(n % 4 > 0)) {
            tool(t, lint(&top(&d, t)));
        }
    }
}

#[test]
fn clean_under_verilator() {
    each(SOME, |d| rtl::lint_verilator(d, &cache()));
}

#[test]
fn clean_under_icarus() {
    each(SOME, |d| rtl::lint_iverilog(d, &cache()));
}

#[test]
fn clean_under_slang() {
    each(SOME, |d| rtl::lint_slang(d, &cache()));
}

/// The kernels in one process: yosys takes longer to start than to read one.
#[test]
fn clean_under_yosys() {
    let mut files = BTreeMap::new();
    let mut script = String::new();
    for (n, k) in drawn(KERNELS.iter().enumerate(), SOME) {
        let d = design(&toml(k));
        files.extend(d.verilog().cloned());
        let names: Vec<&str> = d.verilog().map(|(name, _)| name.as_str()).collect();
        for t in d.tops.iter().skip(usize::from(n % 4 > 0)) {
            script += &format!("log {t}\nread_verilog -defer {}\n", names.join(" "));
            script += &format!("hierarchy -check -top {t}\nproc\ncheck -assert\ndesign -reset\n");
        }
    }
    yosys("emit-lint", &files, &script);
}
