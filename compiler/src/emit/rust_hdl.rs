//! `NAME_rust_hdl.rs`: the top module as a block of the crate rust-hdl.

use super::backend::{Artifact, Backend, Emitted};
use samhw_hdl::{Module, Port, PortDir};

/// The version of the crate that the file was tested with.
const VERSION: &str = "0.46";

/// The block of the module that stands for all.
pub(super) struct RustHdlBlock;

impl Backend for RustHdlBlock {
    fn artifacts(&self, of: &Emitted) -> Vec<Artifact> {
        vec![(format!("{}_rust_hdl.rs", of.cx.name), block(of.top, of.verilog))]
    }
}

/// The block of `top`, whose Verilog is in these files.
fn block(top: &Module, verilog: &[Artifact]) -> String {
    let block: String = top.name.split('_').map(capital).collect();
    let mut fields = String::new();
    let mut outputs = String::new();
    for group in &top.ports {
        if !group.comment.is_empty() {
            fields += &format!("    // {}\n", group.comment);
        }
        for port in &group.ports {
            let (field, out) = (&port.signal.name, port.dir == PortDir::Out);
            let dir = if out { "Out" } else { "In" };
            let ty = match (port.signal.name.as_str(), port.signal.width) {
                ("clk", _) => "Clock".to_string(),
                (_, 1) => "Bit".to_string(),
                (_, width) => format!("Bits<{width}>"),
            };
            fields += &format!("    pub {field}: Signal<{dir}, {ty}>,\n");
            if out {
                outputs += &format!("        self.{field}.connect();\n");
            }
        }
    }
    let pins: Vec<String> = top.ports.iter().flat_map(|g| &g.ports).map(pin).collect();
    let sources: String = verilog.iter().map(|(f, _)| format!("    include_str!(\"{f}\"),\n")).collect();
    format!(
        "// SPDX-License-Identifier: Apache-2.0\n\
         //! `{0}` as a block of the crate rust-hdl {VERSION}: add this file as a module of your crate, next to the Verilog.\n\
         //! What `generate_verilog` gives contains all of it; a design with several kernels must have each module of\n\
         //! the library once. rust-hdl's own simulator does not know what is inside.\n\
         use rust_hdl::prelude::*;\n\n\
         /// The Verilog of the kernel.\nconst SOURCES: &[&str] = &[\n{sources}];\n\n\
         /// `{0}`: its ports are its Verilog ports.\n#[derive(LogicBlock, Default)]\npub struct {block} {{\n{fields}}}\n\n\
         impl Logic for {block} {{\n    fn update(&mut self) {{}}\n\n    fn connect(&mut self) {{\n{outputs}    }}\n\n    \
         fn hdl(&self) -> Verilog {{\n        Verilog::Wrapper(Wrapper {{\n            code: \"    {0} u_kernel (\\n{1}\\n    );\\n\".into(),\n            \
         cores: SOURCES.join(\"\\n\"),\n        }})\n    }}\n}}\n",
        top.name,
        pins.join(",\\n"),
    )
}

fn capital(part: &str) -> String {
    let mut letters = part.chars();
    letters.next().map_or(String::new(), |c| c.to_uppercase().chain(letters).collect())
}

fn pin(port: &Port) -> String {
    format!("        .{0}({0})", port.signal.name)
}
