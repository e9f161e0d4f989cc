//! Generation of FuseSoC core files (CAPI2).

use crate::board::Board;
use crate::design::Kernel;
use samhw_compiler::emit::fingerprint;
use samhw_primitives::library::{self, Source};

/// What a core file says after its name: files, the cores that they need, targets.
struct Core<'a> {
    name: String,
    description: String,
    files: Vec<String>,
    depend: Vec<String>,
    /// Blocks of the list of filesets and of the list of targets, in addition to those of every core.
    filesets: String,
    targets: &'a str,
}

impl Core<'_> {
    fn text(&self, target: &str) -> String {
        let list = |key: &str, items: &[String]| match items {
            [] => String::new(),
            _ => format!("    {key}:\n{}", items.iter().map(|i| format!("      - {i}\n")).collect::<String>()),
        };
        format!(
            "CAPI=2:\nname: \"{}\"\ndescription: \"{}\"\n\nfilesets:\n  rtl:\n    file_type: verilogSource-2005\n{}{}{}\ntargets:\n  default:\n    \
             filesets: [rtl]\n{target}{}",
            self.name,
            self.description,
            list("files", &self.files),
            list("depend", &self.depend.iter().map(|d| format!("\"{d}\"")).collect::<Vec<_>>()),
            self.filesets,
            self.targets
        )
    }
}

/// A target of a tool that is done with when it has read the files.
fn target(name: &str, top: &str, tool: &str, options: &str) -> String {
    format!(
        "  {name}:\n    default_tool: {tool}\n    filesets: [rtl]\n    toplevel: {top}\n    tools:\n      {tool}:\n        {options}\n"
    )
}

/// Verilator's warnings.
fn lint(top: &str) -> String {
    target("lint", top, "verilator", "mode: lint-only\n        verilator_options: [-Wall]")
}

/// Returns the core file of a board design, with targets `lint` (Verilator) and `sim` (compilation by Icarus).
pub fn board_core(kernel: &Kernel, board: &Board, verilog: &[String]) -> String {
    let top = format!("{}_board", kernel.name);
    let core = Core {
        name: format!("::{top}:0"),
        description: format!("{} on {}", kernel.name, board.title),
        files: verilog.to_vec(),
        depend: vec![],
        filesets: String::new(),
        targets: &[lint(&top), target("sim", &top, "icarus", "iverilog_options: [-g2005, -Wall]")].concat(),
    };
    core.text(&format!("    toplevel: {top}\n"))
}

/// A cocotb program that simulates a kernel, and the files that it reads.
#[derive(Debug, Clone)]
pub struct Bench<'a> {
    /// File name of the program.
    pub program: &'a str,
    /// Files that the program reads.
    pub files: &'a [String],
}

/// Returns the core file of a kernel with top module `top`, and one for each library module, so that kernels in one
/// project share these. The kernel's depends on all: which modules one of them instantiates depends on the kernel's
/// parameters. `lint` (Verilator), `sim` (Icarus, with the bench).
pub fn kernel_cores(top: &str, kernel: &str, verilog: &[String], bench: &Bench) -> Vec<(String, String)> {
    let module = |file: &String| library::MODULES.iter().find(|s| file.strip_suffix(".v") == Some(s.name));
    let files = verilog.iter().filter(|f| module(f).is_none()).cloned().collect();
    let modules: Vec<&Source> = verilog.iter().filter_map(module).collect();
    let (filesets, sim) = simulated(top, bench);
    let core = Core {
        name: format!("::{top}:0"),
        description: format!("kernel {kernel}"),
        files,
        depend: modules.iter().map(|m| versioned(m)).collect(),
        filesets,
        targets: &[lint(top), sim].concat(),
    };
    let own = (format!("{kernel}.core"), core.text(&format!("    toplevel: {top}\n")));
    std::iter::once(own).chain(modules.into_iter().map(module_core)).collect()
}

/// The core of a module of the library.
fn module_core(module: &Source) -> (String, String) {
    let core = Core {
        name: versioned(module),
        description: "library of samhw".into(),
        files: vec![format!("{}.v", module.name)],
        depend: vec![],
        filesets: String::new(),
        targets: "",
    };
    (format!("{}.core", module.name), core.text(""))
}

/// Name and version of a module's core. Two texts have two versions: FuseSoC then finds that
/// kernels of two versions of samhw do not go together.
fn versioned(module: &Source) -> String {
    let text = fingerprint(library::closure([module.name]).iter().flat_map(|s| s.text.bytes()));
    format!("::{}:{}-r{}", module.name, env!("CARGO_PKG_VERSION"), text % 1_000_000_000)
}

/// The fileset of a bench, and the target that runs it: the program compiles and runs the kernel by
/// itself, with the list of files that FuseSoC has made for Icarus.
fn simulated(top: &str, bench: &Bench) -> (String, String) {
    let inputs: String = std::iter::once(bench.program)
        .chain(bench.files.iter().map(String::as_str))
        .map(|f| format!("      - {f}: {{copyto: {f}}}\n"))
        .collect();
    let fileset = format!("  bench:\n    file_type: user\n    files:\n{inputs}");
    let target = format!(
        "  sim:\n    flow: sim\n    flow_options:\n      tool: icarus\n      iverilog_options: [-g2005, -Wall]\n    filesets: [rtl, bench]\n    \
         toplevel: {top}\n    hooks:\n      pre_run: [bench]\n\nscripts:\n  bench:\n    filesets: [bench]\n    \
         cmd: [python3, {}, icarus, --files, {top}_0.scr]\n",
        bench.program
    );
    (fileset, target)
}
