//! Netlist to Verilog: the core, the core with on-chip memories, the library modules they
//! use, a file list, a drawing of the graph and the manifest that describes it all. What a
//! user sees of it is in docs/hardware.md.

mod address;
pub mod axi;
mod core;
mod instance;
pub mod manifest;
mod names;
mod probes;
mod python;
mod ram;
mod rust_hdl;
mod wire;

pub use address::{AddressRegion, regions};
pub use manifest::Manifest;

use crate::draw;
use crate::lower::Lowered;
use crate::netlist::{CellId, Netlist};
use names::Names;
use samhw_hdl::Module;
use samhw_primitives::library;
use samhw_streams::{Dir, Instance, Port, Shape};
use std::collections::HashMap;

/// Everything that goes to a user, as names and texts.
#[derive(Debug, Clone, PartialEq)]
pub struct Design {
    /// First part of the names of all its modules and files; the kernel's name, unless that
    /// would be one of the library's modules.
    pub name: String,
    /// Files: name without folder, text.
    pub files: Vec<(String, String)>,
    /// Modules that stand for the whole kernel: core, then core with memories.
    pub tops: Vec<String>,
    /// What `NAME.json` says.
    pub manifest: Manifest,
    /// What stands around the core, if its arrays are behind AXI.
    pub axi: Option<axi::Axi>,
}

impl Design {
    /// Adds the block for rust-hdl of the module that stands for all.
    fn add_rust_hdl(&mut self, top: &Module) {
        let verilog: Vec<String> = self.verilog().map(|(n, _)| n.clone()).collect();
        self.files.push(rust_hdl::file(&self.name, top, &verilog));
    }
    /// The Verilog files.
    pub fn verilog(&self) -> impl Iterator<Item = &(String, String)> {
        self.files.iter().filter(|(name, _)| name.ends_with(".v"))
    }
}

/// A netlist with what emission looks up in it all the time.
struct Context<'a> {
    lowered: &'a Lowered,
    net: &'a Netlist,
    name: &'a str,
    names: Names,
    /// What is watched for counters, if anything is.
    probes: Option<probes::Probes>,
    /// Channel at each handshake input and output.
    ins: HashMap<(CellId, usize), usize>,
    outs: HashMap<(CellId, usize), usize>,
}

impl<'a> Context<'a> {
    fn new(lowered: &'a Lowered, net: &'a Netlist, name: &'a str, names: Names) -> Self {
        let mut ends = (HashMap::new(), HashMap::new());
        for (k, c) in net.channels.iter().enumerate() {
            ends.0.extend(c.to.map(|end| (end, k)));
            ends.1.extend(c.from.map(|end| (end, k)));
        }
        Self { lowered, net, name, names, probes: None, ins: ends.0, outs: ends.1 }
    }
    /// Module and parameters of a cell.
    fn instance(&self, cell: CellId) -> Instance {
        self.net.cell(cell).primitive.instance()
    }
    /// The shape of the beat on a channel's wires: as its producer gives it.
    fn shape(&self, channel: usize) -> Shape {
        let c = &self.net.channels[channel];
        let end =
            c.from.map(|(cell, k)| self.port(cell, Dir::Out, k)).or(c.to.map(|(cell, k)| self.port(cell, Dir::In, k)));
        end.map_or(Shape::Plain { fields: vec![] }, |p| p.wire_shape())
    }
    fn port(&self, cell: CellId, dir: Dir, number: usize) -> Port {
        self.net.handshakes(cell, dir).swap_remove(number)
    }
}

/// A number that tells texts apart: FNV-1a.
pub fn fingerprint(text: impl Iterator<Item = u8>) -> u64 {
    text.fold(0xcbf2_9ce4_8422_2325, |h, b| (h ^ u64::from(b)).wrapping_mul(0x0100_0000_01b3))
}

/// Emits a netlist that [`Netlist::check`] accepts, with its arrays in on-chip memories.
pub fn emit(lowered: &Lowered, net: &Netlist) -> Design {
    let name = top_name(&net.name);
    let cx = Context::new(lowered, net, &name, Names::new(net));
    let regions = regions(net);
    let core = core::module(&cx);
    let ram = ram::module(&cx, &core, &regions);
    let manifest = manifest::of(&cx, &core, ("ram", &ram), &regions);
    let used: Vec<&str> = net.cells.iter().map(|c| c.primitive.instance().module).collect();
    let mut design = with_files(&cx, vec![file(&core), file(&ram)], &used, manifest);
    design.files.push(python::bench_ram(cx.name));
    design.add_rust_hdl(&ram);
    design.tops = vec![core.name, ram.name];
    design
}

/// The design of these top modules, with the modules of the library that they use, a list of files, the
/// manifest and a drawing.
fn with_files(cx: &Context, mut files: Vec<(String, String)>, used: &[&'static str], manifest: Manifest) -> Design {
    let name = cx.name.to_string();
    files.extend(library::closure(used.iter().copied()).iter().map(|s| (format!("{}.v", s.name), s.text.to_string())));
    let list = files.iter().map(|(file, _)| format!("{file}\n")).collect();
    files.push((format!("{name}.f"), list));
    files.push((format!("{name}.json"), manifest.to_json()));
    files.push((format!("{name}.dot"), draw::dot(cx.lowered, cx.net)));
    Design { name, files, tops: Vec::new(), manifest, axi: None }
}

fn file(m: &Module) -> (String, String) {
    (format!("{}.v", m.name), m.to_string())
}

/// The kernel's name, unless a module of the library or its file would have the same name as
/// one of the kernel's.
fn top_name(kernel: &str) -> String {
    let clash = |top: String| library::MODULES.iter().any(|s| s.name.eq_ignore_ascii_case(&top));
    if clash(format!("{kernel}_core")) || clash(format!("{kernel}_ram")) {
        format!("kernel_{kernel}")
    } else {
        kernel.to_string()
    }
}
