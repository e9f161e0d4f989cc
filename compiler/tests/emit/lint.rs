//! Every kernel's core and core with memories is clean under Verilator, Icarus, slang and yosys.

use crate::kernels::{KERNELS, design, toml};
use crate::tools::{cache, tool, top, yosys};
use samhw_compiler::emit::Design;
use samhw_rtlsim as rtl;
use samhw_testing::drawn::drawn;
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

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

/// The examples' designs with memories, by file name.
fn examples(kernels: usize) -> Vec<(String, Design)> {
    let folder = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../examples"));
    let files = fs::read_dir(folder).expect("examples").map(|e| e.expect("an example").path());
    let mut files: Vec<_> = files.filter(|path| path.extension().is_some_and(|e| e == "toml")).collect();
    files.sort();
    let read = |path: &Path| design(&fs::read_to_string(path).expect("readable"));
    drawn(files, kernels).iter().map(|path| (path.display().to_string(), read(path))).collect()
}

/// Files name no module that is not among them, where yosys reads modules with their defaults too.
#[test]
fn examples_elaborate_from_their_own_files() {
    let (mut files, mut script) = (BTreeMap::new(), String::new());
    for (n, (path, d)) in examples(3).iter().enumerate() {
        let top_name = d.tops.last().expect("a top");
        tool(path, rtl::lint_verilator(&top(d, top_name), &cache()));
        for read in ["read_verilog", "read_verilog -defer"] {
            script += &format!("log {path}\n{read} ");
            d.verilog().for_each(|(name, _)| script += &format!("{n}_{name} "));
            script += &format!("\nhierarchy -check -top {top_name}\ndesign -reset\n");
        }
        files.extend(d.verilog().map(|(name, text)| (format!("{n}_{name}"), text.clone())));
    }
    yosys("emit-examples", &files, &script);
}

#[test]
fn a_product_of_integers_has_no_units_of_floats() {
    let text = include_str!("../../../examples/spmv.toml");
    let d = design(text);
    let unit = |name: &str| ["float", "pow", "real", "div", "word_root", "quotient"].iter().any(|u| name.contains(u));
    assert_eq!(d.verilog().map(|(name, _)| name).filter(|name| unit(name)).collect::<Vec<_>>(), [""; 0]);
    assert!(d.verilog().count() <= 47, "{} files", d.verilog().count());
}
