//! A generated kernel: its manifest, its Verilog, and what makes its primitives large. All that this crate knows of it.

use samhw_compiler::diag::Diagnostic;
use samhw_compiler::emit::{Design, Manifest};
use samhw_streams::Bulk;
use std::collections::BTreeMap;

/// Bits of a word on the serial line, at most.
const WIDEST: u32 = 64;

/// A generated kernel.
#[derive(Debug, Clone)]
pub struct Kernel {
    /// Prefix of the names of the modules and files.
    pub name: String,
    /// Contents of `NAME.json`.
    pub manifest: Manifest,
    /// Verilog files, by name without folder.
    pub verilog: Vec<(String, String)>,
    /// The cause of each primitive's size, by its instance.
    pub bulk: BTreeMap<String, Bulk>,
    /// Identifier of the design on the serial line, a hash of the manifest.
    pub id: u32,
}

impl Kernel {
    /// Creates a kernel from generated files; returns an error if boards cannot support it at any size.
    pub fn new(design: &Design) -> Result<Self, Diagnostic> {
        let manifest = &design.manifest;
        let config = manifest.config.iter().map(|c| (&c.name, c.width));
        let status = manifest.status.iter().map(|s| (&s.name, s.width));
        let arrays = manifest.arrays.iter().filter(|a| a.base.is_some()).map(|a| (&a.name, a.width));
        if let Some((name, width)) = config.chain(status).chain(arrays).find(|(_, w)| *w > WIDEST) {
            return Err(Diagnostic::new(
                "F016",
                format!("{name} has {width} bits, but a word of the serial line has at most {WIDEST}"),
            )
            .help("choose a narrower type"));
        }
        let id = manifest.to_json().bytes().fold(0x811c_9dc5_u32, |h, b| (h ^ u32::from(b)).wrapping_mul(0x0100_0193));
        Ok(Self {
            name: design.name.clone(),
            manifest: manifest.clone(),
            verilog: design.verilog().cloned().collect(),
            bulk: design.bulk.clone(),
            id,
        })
    }

    /// Returns the width of a word on the serial line in bits, enough for every port.
    pub fn word(&self) -> u32 {
        let m = &self.manifest;
        let ports = m.config.iter().map(|c| c.width).chain(m.status.iter().map(|s| s.width));
        if ports.chain([m.host.data_width]).all(|w| w <= 32) { 32 } else { 64 }
    }
}
