//! Emission of Verilog from a netlist: the core, the core with on-chip memories, the library modules, a file list, a
//! drawing of the graph and the manifest. What a user sees of it is in docs/hardware.md.

mod address;
pub mod axi;
mod backend;
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
pub use backend::Artifact;
pub use manifest::Manifest;

use crate::lower::Lowered;
use crate::netlist::{CellId, Netlist};
use backend::{Emitted, artifacts};
use names::Names;
use samhw_hdl::Module;
use samhw_primitives::library;
use samhw_streams::{Bulk, Dir, Instance, Port, Shape};
use std::collections::{BTreeMap, HashMap};

/// All generated files of a kernel.
#[derive(Debug, Clone, PartialEq)]
pub struct Design {
    /// Prefix of the names of all modules and files: the kernel's name, unless a library module has it.
    pub name: String,
    /// The generated files.
    pub files: Vec<Artifact>,
    /// Top modules: the core, then the core with memories.
    pub tops: Vec<String>,
    /// Contents of `NAME.json`.
    pub manifest: Manifest,
    /// The cause of each primitive's size, by its instance.
    pub bulk: BTreeMap<String, Bulk>,
    /// The AXI interface around the core, if the arrays are behind AXI.
    pub axi: Option<axi::Axi>,
}

impl Design {
    /// Lists the Verilog files.
    pub fn verilog(&self) -> impl Iterator<Item = &Artifact> {
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
        self.net.shape(&self.net.channels[channel])
    }
    fn port(&self, cell: CellId, dir: Dir, number: usize) -> Port {
        self.net.handshakes(cell, dir).swap_remove(number)
    }
}

/// Computes a fingerprint of a text (FNV-1a).
pub fn fingerprint(text: impl Iterator<Item = u8>) -> u64 {
    text.fold(0xcbf2_9ce4_8422_2325, |h, b| (h ^ u64::from(b)).wrapping_mul(0x0100_0000_01b3))
}

/// Emits the Verilog of a netlist that [`Netlist::check`] accepts, with arrays in on-chip memories.
pub fn emit(lowered: &Lowered, net: &Netlist) -> Design {
    let name = top_name(&net.name);
    let cx = Context::new(lowered, net, &name, Names::new(net));
    let regions = regions(net);
    let core = core::module(&cx);
    let ram = ram::module(&cx, &core, &regions);
    let manifest = manifest::of(&cx, &core, ("ram", &ram), &regions);
    design(&cx, [core, ram], manifest, None)
}

/// The design of a core and of what stands for the whole kernel, with the modules of the library
/// that they reach, and all outputs.
fn design(cx: &Context, [core, top]: [Module; 2], manifest: Manifest, axi: Option<axi::Axi>) -> Design {
    let own = [&core, &top].map(|m| (m.name.as_str(), m.to_string()));
    let shared = library::reached(own.iter().map(|(_, text)| text.as_str()));
    let shared = shared.iter().map(|s| (s.name, s.text.to_string()));
    let mut files: Vec<Artifact> = own.into_iter().chain(shared).map(|(m, text)| (format!("{m}.v"), text)).collect();
    let names = axi.as_ref().map(|axi| axi::CNames::new(cx, axi));
    let around = axi.as_ref().zip(names.as_ref());
    let more = artifacts(&Emitted { cx, top: &top, manifest: &manifest, verilog: &files, axi: around });
    files.extend(more);
    let cells = cx.names.cells.iter().zip(&cx.net.cells);
    let bulk = cells.map(|(name, cell)| (name.clone(), cell.primitive.bulk())).collect();
    Design { name: cx.name.to_string(), files, tops: vec![core.name, top.name], manifest, bulk, axi }
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
