//! Outputs in addition to the Verilog of a design; each backend returns a list of artifacts.

use super::axi::{Axi, CDriver, CNames, LinuxProgram, RegisterPage};
use super::python::{CocotbBench, LitexModule};
use super::rust_hdl::RustHdlBlock;
use super::{Context, Manifest};
use crate::draw;
use samhw_hdl::Module;

/// A generated file: its name without a folder, and its text.
pub type Artifact = (String, String);

/// The parts of a design from which backends make artifacts.
pub(super) struct Emitted<'a> {
    pub(super) cx: &'a Context<'a>,
    /// The module that stands for the whole kernel.
    pub(super) top: &'a Module,
    pub(super) manifest: &'a Manifest,
    /// The files of Verilog.
    pub(super) verilog: &'a [Artifact],
    /// The shell around the core, if its arrays are behind AXI, with its names in C.
    pub(super) axi: Option<(&'a Axi, &'a CNames)>,
}

/// An output that is made of a design, such as a driver.
pub(super) trait Backend: Sync {
    /// Its files; none where the design has nothing for it.
    fn artifacts(&self, of: &Emitted) -> Vec<Artifact>;
}

/// Every output, in the order in which a design lists its files.
const BACKENDS: [&dyn Backend; 9] = [
    &FileList,
    &ManifestFile,
    &Drawing,
    &RegisterPage,
    &CDriver,
    &CocotbBench,
    &LitexModule,
    &LinuxProgram,
    &RustHdlBlock,
];

/// The files of every output.
pub(super) fn artifacts(of: &Emitted) -> Vec<Artifact> {
    BACKENDS.iter().flat_map(|backend| backend.artifacts(of)).collect()
}

/// `NAME.f`: the files of Verilog, for tools that read such lists.
struct FileList;

impl Backend for FileList {
    fn artifacts(&self, of: &Emitted) -> Vec<Artifact> {
        let list = of.verilog.iter().map(|(file, _)| format!("{file}\n")).collect();
        vec![(format!("{}.f", of.cx.name), list)]
    }
}

/// `NAME.json`: the manifest.
struct ManifestFile;

impl Backend for ManifestFile {
    fn artifacts(&self, of: &Emitted) -> Vec<Artifact> {
        vec![(format!("{}.json", of.cx.name), of.manifest.to_json())]
    }
}

/// `NAME.dot`: the graph, for Graphviz.
struct Drawing;

impl Backend for Drawing {
    fn artifacts(&self, of: &Emitted) -> Vec<Artifact> {
        vec![(format!("{}.dot", of.cx.name), draw::dot(of.cx.lowered, of.cx.net))]
    }
}
