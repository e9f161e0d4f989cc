//! Compilation of a design to a shared library: one Verilator run and one compiler run, cached by content.

use crate::cache::{self, Key};
use crate::design::{Design, Dir, SignalKind};
use crate::error::{Error, Result};
use crate::header;
use crate::library::Library;
use crate::tools::{Toolchain, executable, write as written};
use samhw_system::stack;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::{Mutex, PoisonError};

const SHIM: &str = include_str!("shim/shim.cpp");
const DESIGN: &str = include_str!("shim/design.h");
const HOST: &str = include_str!("shim/samhw_host.h");
const INSTANCES: &str = include_str!("shim/instances.h");

/// Objects of the runtime that designs are linked with; the last only if they are traced.
const RUNTIME: &[&str] = &["verilated", "verilated_threads", "verilated_vcd_c"];

/// How the runtime, the shim and most designs are compiled, and designs that run for a short time.
const OPTIMISED: &str = "-O1";
const QUICK: &str = "-O0";

/// Options of every C++ compilation. Hidden symbols keep the libraries of one process apart.
const CXX: &[&str] = &[
    "-std=c++17",
    "-fPIC",
    "-w",
    "-fvisibility=hidden",
    "-fvisibility-inlines-hidden",
    "-DVL_USER_STOP",
    "-DVL_USER_FATAL",
    "-DVL_USER_FINISH",
    "-DVL_PRINTF=samhw_printf",
];

/// What every translation unit begins with.
const HEADER: &str = "samhw_host.h";

/// The header that Verilator writes with the design's signals.
const ROOT: &str = "Vtop___024root.h";

/// Options of every Verilator run. What is not reset starts random, so that nothing relies on it.
const VERILATOR: &[&str] = &[
    "--cc",
    "--no-timing",
    "--prefix",
    "Vtop",
    "--Mdir",
    ".",
    "-O3",
    "--x-assign",
    "unique",
    "--x-initial",
    "unique",
    "--default-language",
    "1364-2005",
    "-Wno-lint",
    "-Wno-style",
    "-Wno-fatal",
];

/// The compiled design in its entry of the cache.
const LIBRARY: &str = "library.so";

/// A linker that takes a quarter of what the usual one does; where it is there, many small designs
/// are linked with it.
const GOLD: &str = "ld.gold";

/// An object of the runtime in its entry.
const OBJECT: &str = "unit.o";

/// Compiles `design`, or loads it from the cache in folder `cache`.
pub fn build(tools: &Toolchain, design: &Design, cache: &Path) -> Result<Library> {
    let mut key = Key::default().with(&tools.identity).with(SHIM).with(DESIGN).with(HOST).with(INSTANCES);
    key = key.with(&format!("{CXX:?}{VERILATOR:?}"));
    key = key.with(&design.top).with(&format!("{:?}{:?}", design.signals, design.trace));
    for (a, b) in design.files.iter().chain(&design.params) {
        key = key.with(a).with(b);
    }
    let name = key.with(&format!("{:?}{}", design.defines, level(design))).name();
    let mut last = None;
    // Others may clear the cache at any time: what was there a moment ago is made again.
    for _ in 0..cache::TRIES {
        let used = Used::default();
        let made = cache::entry(cache, &name, &design.top, |dir, made| make(tools, design, cache, dir, made, &used));
        let opened = made.and_then(|entry| Library::open(&used.add(entry.join(LIBRARY)), design));
        match opened {
            Err(e) if used.is_gone() => last = Some(e),
            other => return other,
        }
    }
    Err(last.unwrap_or_else(|| Error::io(cache.display().to_string(), "what is in this cache does not stay")))
}

/// What is used of the cache.
#[derive(Default)]
struct Used(Mutex<Vec<PathBuf>>);

impl Used {
    fn add(&self, path: PathBuf) -> PathBuf {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).push(path.clone());
        path
    }
    /// Whether any of it has been removed.
    fn is_gone(&self) -> bool {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).iter().any(|p| !p.exists())
    }
}

/// Compiles `design` in folder `dir` into folder `made`.
fn make(tools: &Toolchain, design: &Design, cache: &Path, dir: &Path, made: &Path, used: &Used) -> Result<()> {
    // The runtime's objects, where they are missing, take as long as the design itself.
    let compiled = || verilate(tools, design, dir).and_then(|()| compile(tools, design, dir, cache, used));
    let (objects, compiled) = stack::both(|| runtime(tools, design, cache, used), compiled);
    let objects = objects?;
    compiled?;
    link(tools, design, dir, &objects, &made.join(LIBRARY))
}

fn write(dir: &Path, name: &str, text: &str) -> Result<()> {
    let p = dir.join(name);
    fs::write(&p, text).map_err(|e| Error::io(p.display().to_string(), e))
}

/// Optimisation of a design's C++.
fn level(design: &Design) -> &'static str {
    if design.quick { QUICK } else { OPTIMISED }
}

fn cxx(tools: &Toolchain, dir: &Path, level: &str) -> Command {
    let mut c = tools.compiler.command();
    let include = tools.root.join("include");
    c.current_dir(dir).arg(level).args(CXX).arg("-I.").arg("-I").arg(&include).arg("-I").arg(include.join("vltstd"));
    c
}

/// A C++ compilation for a design that is traced or not: the runtime's headers ask.
fn cxx_design(tools: &Toolchain, dir: &Path, level: &str, trace: bool) -> Command {
    let mut c = cxx(tools, dir, level);
    c.arg(format!("-DVM_TRACE={0}", u8::from(trace)));
    if trace {
        c.arg("-DVM_TRACE_VCD=1");
    }
    c
}

/// The runtime's header, compiled once for each toolchain: parsing it takes longer than a small design does. Compilers
/// that cannot use it read the header next to it.
fn precompiled(tools: &Toolchain, cache: &Path, level: &str, trace: bool, used: &Used) -> Result<PathBuf> {
    let all = format!("{HOST}#define SAMHW_INSTANCE extern template\n{INSTANCES}#include \"verilated.h\"\n");
    let key = Key::default().with(&tools.identity).with(&all).with(&format!("{CXX:?}{level}{trace}"));
    let folder = cache::entry(cache, &format!("header-{}", key.name()), "the runtime's header", |dir, made| {
        write(made, HEADER, &all)?;
        let mut c = cxx_design(tools, dir, level, trace);
        let (source, object) = (made.join(HEADER), made.join(format!("{HEADER}.gch")));
        c.args(["-x", "c++-header"]).arg(source).arg("-o").arg(&object);
        written("c++ compiler", HEADER, c, &object)
    })?;
    Ok(used.add(folder.join(HEADER)))
}

/// The objects that all designs have, compiled once for each toolchain: the runtime's and the shim; for designs that are
/// compiled quickly also the class templates that their header only declares.
fn runtime(tools: &Toolchain, design: &Design, cache: &Path, used: &Used) -> Result<Vec<PathBuf>> {
    let object = |name: &str, text: &str, level: &str, trace: bool| {
        let key = Key::default().with(name).with(text).with(&tools.identity).with(DESIGN).with(HOST);
        let key = key.with(&format!("{CXX:?}{level}{trace}"));
        let what = format!("the runtime's {name}");
        let folder = cache::entry(cache, &format!("rt-{}", key.name()), &what, |dir, made| {
            write(dir, HEADER, HOST)?;
            write(dir, "design.h", DESIGN)?;
            write(dir, "unit.cpp", text)?;
            let mut c = cxx_design(tools, dir, level, trace);
            let object = made.join(OBJECT);
            c.args(["-include", HEADER, "-c", "unit.cpp", "-o"]).arg(&object);
            written("c++ compiler", name, c, &object)
        })?;
        Ok(used.add(folder.join(OBJECT)))
    };
    let sources = if design.trace { RUNTIME } else { &RUNTIME[..RUNTIME.len() - 1] };
    let mut objects = Vec::new();
    for name in sources {
        objects.push(object(name, &format!("#include \"{name}.cpp\"\n"), OPTIMISED, false)?);
    }
    objects.push(object("shim", SHIM, OPTIMISED, design.trace)?);
    if design.quick {
        let text = format!("#define SAMHW_INSTANCE template\n{INSTANCES}");
        objects.push(object("templates", &text, QUICK, false)?);
    }
    Ok(objects)
}

fn verilate(tools: &Toolchain, design: &Design, dir: &Path) -> Result<()> {
    let mut vlt = String::from("`verilator_config\n");
    for s in &design.signals {
        if let SignalKind::Net(module) = &s.kind {
            let var = s.path.rsplit('.').next().unwrap_or(&s.path);
            let _ = writeln!(vlt, "public_flat_rd -module \"{module}\" -var \"{var}\"");
        }
    }
    let mut c = tools.command();
    c.current_dir(dir).args(VERILATOR).arg("--top-module").arg(&design.top);
    if design.trace {
        c.arg("--trace");
    }
    if design.signals.iter().any(|s| s.path.contains('.')) {
        c.arg("--flatten");
    }
    c.args(design.params.iter().map(|(n, v)| format!("-G{n}={v}")));
    c.args(design.defines.iter().map(|d| format!("-D{d}")));
    write(dir, "signals.vlt", &vlt)?;
    c.arg("signals.vlt");
    for (name, text) in &design.files {
        write(dir, name, text)?;
        c.arg(name);
    }
    written("verilator", &design.top, c, &dir.join(ROOT))
}

/// The functions of design.h; refuses signals that are not as described.
fn bind(design: &Design, dir: &Path) -> Result<String> {
    let p = dir.join(ROOT);
    let text = fs::read_to_string(&p).map_err(|e| Error::io(p.display().to_string(), e))?;
    let members = header::members(&text);
    let wrong = |what: String| Error::Mismatch { design: design.top.clone(), what };
    let mut out = format!("const uint32_t design_signals = {};\n", design.signals.len());
    out.push_str("void design_bind(Vtop* top, Signal* s) {\n");
    for (k, s) in design.signals.iter().enumerate() {
        let (name, dir) = match &s.kind {
            SignalKind::Port(dir) => (header::encode(&s.path), Some(*dir)),
            SignalKind::Net(_) => (header::net(&design.top, &s.path), None),
        };
        let Some(m) = members.iter().find(|m| m.name == name) else {
            return Err(wrong(format!("no signal {}", s.path)));
        };
        if m.width != s.width {
            return Err(wrong(format!("{} has {} bits, not {}", s.path, m.width, s.width)));
        }
        if dir.is_some() && dir != m.dir {
            return Err(wrong(format!("{} is not a port of direction {dir:?}", s.path)));
        }
        let _ = writeln!(out, "    s[{k}] = {{&top->rootp->{name}, {}}};", m.width);
    }
    out.push_str("}\n");
    for m in members.iter().filter(|m| m.dir.is_some() && m.name != "clk" && m.name != "rst") {
        if !design.signals.iter().any(|s| header::encode(&s.path) == m.name) {
            let (n, d, w) = (&m.name, m.dir, m.width);
            return Err(wrong(format!("port {n} ({d:?}, {w} bits) is not described")));
        }
    }
    for (function, port) in [("design_clock", "clk"), ("design_reset", "rst")] {
        let is_there = members.iter().any(|m| m.dir == Some(Dir::In) && m.name == port);
        let address = if is_there { format!("&top->rootp->{port}") } else { "nullptr".into() };
        let _ = writeln!(out, "uint8_t* {function}(Vtop* top) {{ (void)top; return {address}; }}");
    }
    out.push_str(
        "Vtop* design_new(VerilatedContext* context) { return new Vtop{context, \"\"}; }\n\
         void design_eval(Vtop* top) { top->eval(); }\n\
         void design_final(Vtop* top) { top->final(); }\n\
         void design_free(Vtop* top) { delete top; }\n",
    );
    if design.trace {
        out.push_str("void design_trace(Vtop* top, VerilatedVcdC* vcd) { top->trace(vcd, 99); }\n");
    }
    Ok(out)
}

/// One translation unit: what Verilator wrote, and the functions that the shim calls.
fn compile(tools: &Toolchain, design: &Design, dir: &Path, cache: &Path, used: &Used) -> Result<()> {
    let mut names: Vec<String> = fs::read_dir(dir)
        .map_err(|e| Error::io(dir.display().to_string(), e))?
        .flatten()
        .filter_map(|e| e.file_name().into_string().ok())
        .filter(|n| n.starts_with("Vtop") && n.ends_with(".cpp"))
        .collect();
    names.sort();
    let mut unit = String::from("#include \"Vtop.h\"\n#include \"Vtop___024root.h\"\n");
    if design.trace {
        unit.push_str("#include \"verilated_vcd_c.h\"\n");
    }
    for n in &names {
        let _ = writeln!(unit, "#include \"{n}\"");
    }
    let _ = write!(unit, "#include \"design.h\"\n{}", bind(design, dir)?);
    write(dir, "design.h", DESIGN)?;
    write(dir, "unit.cpp", &unit)?;
    let mut c = cxx_design(tools, dir, level(design), design.trace);
    c.arg("-include");
    if design.quick {
        // Many such designs are compiled.
        c.arg(precompiled(tools, cache, level(design), design.trace, used)?);
    } else {
        write(dir, HEADER, HOST)?;
        c.arg(HEADER);
    }
    c.args(["-c", "unit.cpp", "-o", OBJECT]);
    written("c++ compiler", &design.top, c, &dir.join(OBJECT))
}

fn link(tools: &Toolchain, design: &Design, dir: &Path, objects: &[PathBuf], made: &Path) -> Result<()> {
    let mut c = cxx(tools, dir, level(design));
    if design.quick && executable(GOLD).is_some() {
        c.arg("-fuse-ld=gold");
    }
    c.args(["-shared", OBJECT]).args(objects).arg("-lpthread").arg("-o").arg(made);
    written("c++ compiler", &design.top, c, made)
}
