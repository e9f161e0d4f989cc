//! A bench for a primitive's Verilog: drives it exactly as [`bench`](mod@crate::bench) drives the model, and compares
//! the two cycle by cycle. Only for tests.
//!
//! Where a tool is missing the checks print a line and pass, unless `SAMHW_REQUIRE_TOOLS` is set. With `SAMHW_MAPPED`
//! (`ecp5`, `ice40`, `gowin`) the Verilog is first mapped to that family's cells, without its assertions.

mod four_state;
mod parameters;
mod played;
#[cfg(test)]
mod tests;

use crate::bench::{self, Memory, Outcome, Stall};
use crate::drawn::Forms;
pub use four_state::Recording;
pub use parameters::parameters_are_checked;
pub use played::Played;
use samhw_primitives::library;
use samhw_rtlsim as rtl;
use samhw_streams::{Beat, Chan, Dir, Fault, Io, Model, Param, Port, Primitive, Shape};
use samhw_values::{Rng, mask};
use std::path::PathBuf;
use std::sync::OnceLock;

/// The result of a check that needs tools: `None` means skipped.
pub fn tool<T>(what: &str, result: rtl::Result<T>) -> Option<T> {
    match result {
        Ok(x) => Some(x),
        Err(e @ rtl::Error::ToolMissing { .. }) if std::env::var_os("SAMHW_REQUIRE_TOOLS").is_none() => {
            eprintln!("skipped: {what}: {e}");
            None
        }
        Err(e) => panic!("{what}: {e}"),
    }
}

/// Returns the folder of compiled designs: `SAMHW_CACHE`, otherwise `.cache` of the workspace.
pub fn cache() -> PathBuf {
    let own = || PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../.cache"));
    std::env::var_os("SAMHW_CACHE").map_or_else(own, PathBuf::from)
}

/// Returns the files of `module` and of all modules that it instantiates.
pub fn files(module: &str) -> Vec<(String, String)> {
    let found = library::closure([module]);
    assert!(found.iter().any(|s| s.name == module), "{module} is not in library::MODULES");
    found.iter().map(|s| (format!("{}.v", s.name), s.text.to_string())).collect()
}

/// Returns the cells of `module` after `synth_ecp5`; `None` if yosys is missing.
pub fn yosys_cells(module: &str, params: &[(&str, Param)]) -> Option<rtl::Cells> {
    let mut design = rtl::Design::new(module, files(module));
    design.params = literals(params);
    tool(module, rtl::ecp5_cells(&design, &cache()))
}

/// Returns the names and literals of `params`.
pub fn literals(params: &[(&str, Param)]) -> Vec<(String, String)> {
    params.iter().map(|(n, p)| (n.to_string(), p.literal())).collect()
}

/// Signals of one port.
enum Wires {
    Handshake(Handshake),
    Plain(usize),
    Open { ready: usize, lane: u32 },
}

/// Signals of a handshake: valid and ready are bit `lane` of theirs, the beat starts at bit
/// `at` of its.
struct Handshake {
    valid: usize,
    ready: usize,
    beat: usize,
    lane: u32,
    at: usize,
    /// With its last field as wide as the lane has room for.
    shape: Shape,
}

impl Handshake {
    fn offer(&self, sim: &mut rtl::Instance, words: &[u64], whole: &mut [u64]) {
        sim.peek(self.beat, whole);
        for bit in 0..self.shape.width() as usize {
            let (w, b) = ((self.at + bit) / 64, (self.at + bit) % 64);
            whole[w] = whole[w] & !(1 << b) | (words[bit / 64] >> (bit % 64) & 1) << b;
        }
        sim.poke(self.beat, whole);
    }
    fn see(&self, sim: &rtl::Instance, whole: &mut [u64]) -> Beat {
        sim.peek(self.beat, whole);
        let mut words = vec![0; self.shape.words()];
        for bit in 0..self.shape.width() as usize {
            words[bit / 64] |= (whole[(self.at + bit) / 64] >> ((self.at + bit) % 64) & 1) << (bit % 64);
        }
        self.shape.unpack(&words)
    }
}

fn set_bit(sim: &mut rtl::Instance, signal: usize, lane: u32, value: bool) {
    let others = sim.get(signal) & !(1 << lane);
    sim.set(signal, others | u64::from(value) << lane);
}

fn bit(sim: &rtl::Instance, signal: usize, lane: u32) -> bool {
    sim.get(signal) >> lane & 1 == 1
}

/// The compiled Verilog of a primitive, which creates any number of models.
pub struct Rtl {
    library: rtl::Library,
    ports: Vec<Port>,
    wires: Vec<Wires>,
    silence: u64,
    asserts: bool,
}

/// Returns the family that `SAMHW_MAPPED` names.
pub fn family() -> Option<rtl::Family> {
    let name = std::env::var("SAMHW_MAPPED").ok()?;
    let found = rtl::Family::ALL.into_iter().find(|f| f.name() == name);
    assert!(found.is_some(), "SAMHW_MAPPED={name} is no family");
    found
}

impl Rtl {
    /// Compiles the Verilog of `p` with its assertions; `None` if Verilator is missing.
    pub fn build(p: &dyn Primitive) -> Option<Self> {
        static TOOLS: OnceLock<rtl::Result<rtl::Toolchain>> = OnceLock::new();
        let (mut design, wires) = wired(p);
        let tools = tool(&design.top, TOOLS.get_or_init(rtl::Toolchain::find).clone())?;
        let family = family();
        if let Some(f) = family {
            design = tool(&design.top, rtl::mapped(&design, f, &cache()))?;
        }
        let library = tool(&design.top, rtl::build(&tools, &design, &cache()))?;
        Some(Self { library, ports: p.ports(), wires, silence: p.silence(), asserts: family.is_none() })
    }
    /// Creates a model in reset state, with `config` on the config ports.
    pub fn model(&self, config: &[u64]) -> Result<RtlModel<'_>, Fault> {
        let mut m = RtlModel {
            sim: self.library.instance(1),
            rtl: self,
            words: vec![0; 8],
            whole: vec![0; 32],
            rng: Rng::new(7),
        };
        let config_wires = self.wires.iter().zip(&self.ports).filter(|(_, p)| matches!(p.shape, Shape::Config { .. }));
        let config_wires: Vec<&Wires> = config_wires.map(|(w, _)| w).collect();
        assert_eq!(config_wires.len(), config.len(), "number of config ports");
        for (w, &v) in config_wires.iter().zip(config) {
            if let Wires::Plain(s) = w {
                m.sim.set(*s, v);
            }
        }
        for (w, p) in self.wires.iter().zip(&self.ports) {
            match w {
                Wires::Handshake(h) => {
                    set_bit(&mut m.sim, if p.dir == Dir::In { h.valid } else { h.ready }, h.lane, false);
                }
                Wires::Open { ready, lane } => set_bit(&mut m.sim, *ready, *lane, true),
                Wires::Plain(_) => {}
            }
        }
        m.sim.reset();
        for (w, p) in self.wires.iter().zip(&self.ports) {
            if let Wires::Handshake(h) = w {
                let (s, want) = if p.dir == Dir::In { (h.ready, true) } else { (h.valid, false) };
                if bit(&m.sim, s, h.lane) != want {
                    let what = "after reset inputs must be ready and outputs not valid";
                    return Err(Fault { what, port: p.name.to_string(), beat: Beat::default() });
                }
            }
        }
        Ok(m)
    }
}

/// The forms whose Verilog is compiled.
static COMPILED: Forms = Forms::new();

/// The module of `p` with its assertions, and the signals of each port.
fn wired(p: &dyn Primitive) -> (rtl::Design, Vec<Wires>) {
    let instance = p.instance();
    let mut design = rtl::Design::new(instance.module, files(instance.module));
    design.params = literals(&instance.params);
    design.defines = vec!["SAMHW_ASSERT".into()];
    // The runs are short.
    design.quick = true;
    let wires = p.ports().iter().map(|q| wires(&mut design, q)).collect();
    (design, wires)
}

fn wires(design: &mut rtl::Design, p: &Port) -> Wires {
    let (go, back) = match p.dir {
        Dir::In => (rtl::Dir::In, rtl::Dir::Out),
        Dir::Out => (rtl::Dir::Out, rtl::Dir::In),
    };
    if matches!(p.shape, Shape::Config { .. } | Shape::Status { .. }) {
        return Wires::Plain(design.port(p.name.to_string(), p.shape.width(), go));
    }
    let (name, lane, lanes, width) = match &p.lane {
        Some(l) => (l.vector, l.index, l.count, l.width),
        None => (p.name.as_ref(), 0, 1, p.shape.width()),
    };
    // The lanes of a vector share its signals.
    let mut signal = |suffix: &str, width, dir| {
        let path = format!("{name}_{suffix}");
        design.find(&path).unwrap_or_else(|| design.port(path, width, dir))
    };
    let valid = signal("valid", lanes, go);
    let ready = signal("ready", lanes, back);
    let beat = signal("beat", lanes * width, go);
    let mut shape = p.shape.clone();
    let missing = width - shape.width();
    match &mut shape {
        Shape::Open { .. } => return Wires::Open { ready, lane },
        Shape::Stream { fields, .. } | Shape::Plain { fields } => {
            if let Some(last) = fields.last_mut() {
                last.width += missing;
            }
        }
        Shape::Config { .. } | Shape::Status { .. } => {}
    }
    Wires::Handshake(Handshake { valid, ready, beat, lane, at: (lane * width) as usize, shape })
}

/// An instance of compiled Verilog as a [`Model`].
pub struct RtlModel<'a> {
    sim: rtl::Instance,
    rtl: &'a Rtl,
    words: Vec<u64>,
    whole: Vec<u64>,
    rng: Rng,
}

impl Model for RtlModel<'_> {
    fn tick(&mut self, io: &mut Io) -> Result<bool, Fault> {
        let rtl = self.rtl;
        let (mut ins, mut outs) = (0, 0);
        for (w, p) in rtl.wires.iter().zip(&rtl.ports) {
            let Wires::Handshake(h) = w else { continue };
            if p.dir == Dir::Out {
                set_bit(&mut self.sim, h.ready, h.lane, io.output(outs).was_ready);
                outs += 1;
                continue;
            }
            let Chan { was_valid, got, .. } = *io.input(ins);
            ins += 1;
            let words = &mut self.words[..h.shape.words()];
            if was_valid {
                h.shape.pack(&got, words);
            } else {
                // Without valid the beat means nothing: the module must not look at it.
                words.fill_with(|| self.rng.bits());
            }
            set_bit(&mut self.sim, h.valid, h.lane, was_valid);
            h.offer(&mut self.sim, words, &mut self.whole);
        }
        if let Err(e) = self.sim.clock() {
            return Err(Fault { what: "assertion in Verilog", port: e.to_string(), beat: Beat::default() });
        }
        let (mut ins, mut outs) = (0, 0);
        for (w, p) in rtl.wires.iter().zip(&rtl.ports) {
            let Wires::Handshake(h) = w else { continue };
            if p.dir == Dir::In {
                io.set_ready(ins, bit(&self.sim, h.ready, h.lane));
                ins += 1;
                continue;
            }
            let c = io.output(outs);
            outs += 1;
            c.valid = bit(&self.sim, h.valid, h.lane);
            if c.valid {
                c.beat = h.see(&self.sim, &mut self.whole);
            }
        }
        Ok(true)
    }
    fn status(&self, k: usize) -> u64 {
        let mut of =
            self.rtl.wires.iter().zip(&self.rtl.ports).filter(|(_, p)| matches!(p.shape, Shape::Status { .. }));
        match of.nth(k) {
            Some((Wires::Plain(s), _)) => self.sim.get(*s),
            _ => 0,
        }
    }
}

/// Runs Verilog as [`bench::run_model`] runs the model.
pub fn run_rtl(
    rtl: &Rtl,
    config: &[u64],
    feeds: &[Vec<Beat>],
    memories: &mut [Memory],
    stall: Stall,
) -> Result<Outcome, Fault> {
    bench::run(&rtl.ports, &mut rtl.model(config)?, feeds, memories, stall, rtl.silence)
}

/// Drives model and Verilog of `p` with `feeds` under each of `stalls` and compares every transfer
/// of every port, with its cycle, and every status port; panics at the first difference; then plays
/// what went in to the Verilog in four states ([`Played`]). Of a module's forms some are compiled and
/// some played, drawn by `SAMHW_SEED`; all with `SAMHW_FULL`. `memories` makes the memories again for
/// each run. Malformed feeds must be refused by both. Where nothing can move, a model must say so.
/// Returns the model's outcomes, also where no Verilog was run.
#[track_caller]
pub fn check_rtl<'a>(
    p: &dyn Primitive,
    config: &[u64],
    feeds: &[Vec<Beat>],
    memories: &dyn Fn() -> Vec<Memory<'a>>,
    stalls: &[Stall],
) -> Vec<Result<Outcome, Fault>> {
    let rtl = if COMPILED.are_tried(p.instance().module, &format!("{p:?}")) { Rtl::build(p) } else { None };
    let mut played = Played::new(p, config);
    let run = |&stall: &Stall| {
        let model = played.run_model(feeds, &mut memories(), stall);
        if let Some(rtl) = rtl.as_ref().filter(|rtl| rtl.asserts || model.is_ok()) {
            let verilog = run_rtl(rtl, config, feeds, &mut memories(), stall);
            if let Some(text) = difference(&p.ports(), &model, &verilog) {
                panic!("{p:?}\nunder {stall:?}: {text}");
            }
        }
        if let Ok(outcome) = &model {
            let last = outcome.outputs.iter().flatten().map(|&(cycle, _)| cycle).max().unwrap_or(0);
            let pause = Some(Rng::new(stall.seed).below(last + 1));
            if let Err(fault) = bench::run_model(p, config, feeds, &mut memories(), Stall { pause, ..stall }) {
                panic!("{p:?}\npausing at {pause:?}: {fault}");
            }
        }
        model
    };
    let outcomes = stalls.iter().map(run).collect();
    if let Some(text) = played.difference() {
        panic!("{p:?}\n{text}");
    }
    outcomes
}

/// Describes the first difference of two runs; `None` if they agree.
pub fn difference(ports: &[Port], model: &Result<Outcome, Fault>, verilog: &Result<Outcome, Fault>) -> Option<String> {
    let (m, v) = match (model, verilog) {
        (Ok(m), Ok(v)) => (m, v),
        (Err(_), Err(_)) => return None,
        (Ok(_), Err(e)) => return Some(format!("the model accepts what Verilog refuses: {e}")),
        (Err(e), Ok(_)) => return Some(format!("Verilog accepts what the model refuses: {e}")),
    };
    let names = |d: Dir| ports.iter().filter(move |p| p.dir == d && p.shape.handshakes()).map(|p| &p.name);
    let mut found: Vec<(u64, String)> = Vec::new();
    for (name, (a, b)) in names(Dir::In).zip(m.inputs.iter().zip(&v.inputs)) {
        let shown = |c: Option<&u64>| c.map_or("no transfer".into(), |c| format!("cycle {c}"));
        if let Some(k) = first_difference(a, b) {
            let cycle = a.get(k).into_iter().chain(b.get(k)).min().copied().unwrap_or(0);
            let text = format!("input {name}, beat {k}: model {}, Verilog {}", shown(a.get(k)), shown(b.get(k)));
            found.push((cycle, text));
        }
    }
    for (name, (a, b)) in names(Dir::Out).zip(m.outputs.iter().zip(&v.outputs)) {
        let shown = |x: Option<&(u64, Beat)>| x.map_or("nothing".into(), |(c, b)| format!("{b:?} in cycle {c}"));
        if let Some(k) = first_difference(a, b) {
            let cycle = a.get(k).into_iter().chain(b.get(k)).map(|x| x.0).min().unwrap_or(0);
            let text = format!("output {name}, beat {k}: model {}, Verilog {}", shown(a.get(k)), shown(b.get(k)));
            found.push((cycle, text));
        }
    }
    if let Some((_, text)) = found.into_iter().min_by_key(|x| x.0) {
        return Some(text);
    }
    let k = first_difference(&m.status, &v.status)?;
    Some(format!("status port {k}: model {}, Verilog {}", m.status[k], v.status[k]))
}

fn first_difference<T: PartialEq>(a: &[T], b: &[T]) -> Option<usize> {
    (0..a.len().max(b.len())).find(|&k| a.get(k) != b.get(k))
}

/// Returns the stalls that tests use: none, then random gaps on either side, then both.
pub fn usual_stalls(seed: u64) -> Vec<Stall> {
    let stall = |source, sink| Stall::new(seed, source, sink);
    vec![Stall::NONE, stall(0.5, 0.0), stall(0.0, 0.5), stall(0.3, 0.3), stall(0.1, 0.8)]
}

/// Encodes `v` as a field of `width` bits (two's complement).
pub fn field(v: i64, width: u32) -> u64 {
    v as u64 & mask(width)
}
