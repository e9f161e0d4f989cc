//! Units side by side in one module, fed with the same words: values stream through all of them at once.

use samhw_rtlsim as rtl;
use samhw_streams::Param;
use samhw_testing::rtl::{cache, files, tool};
use std::collections::BTreeMap;

/// One of the units.
pub struct Unit {
    pub module: &'static str,
    pub params: Vec<(&'static str, Param)>,
    /// Its parameter DEPTH: cycles from the arguments to the result.
    pub depth: u32,
    /// Its input ports, and what is at each: an expression of the inputs.
    pub args: Vec<(&'static str, String)>,
    /// Width of y.
    pub bits: u32,
}

/// All of them, compiled.
pub struct Bench {
    pub sim: rtl::Instance,
    pub en: usize,
    pub inputs: Vec<usize>,
    pub outputs: Vec<usize>,
}

impl Bench {
    /// `inputs`: names and widths. `None` where Verilator is missing.
    pub fn new(inputs: &[(String, u32)], units: &[Unit]) -> Option<Self> {
        let mut text = String::from(
            "`default_nettype none\nmodule units (\n    input wire clk,\n    input wire rst,\n    input wire en",
        );
        for (name, bits) in inputs {
            text += &format!(",\n    input wire [{}:0] {name}", bits - 1);
        }
        for (k, u) in units.iter().enumerate() {
            text += &format!(",\n    output wire [{}:0] y{k}", u.bits - 1);
        }
        text += "\n);\n";
        let mut modules = BTreeMap::new();
        for (k, u) in units.iter().enumerate() {
            let params = u.params.iter().map(|(n, p)| format!(".{n}({}), ", p.literal())).collect::<String>();
            let args = u.args.iter().map(|(port, from)| format!(".{port}({from}), ")).collect::<String>();
            text += &format!(
                "    {} #({params}.DEPTH({})) u{k} (.clk(clk), .en(en), {args}.y(y{k}));\n",
                u.module, u.depth
            );
            modules.extend(files(u.module));
        }
        text += "    wire _unused_ok = &{1'b0, rst, 1'b0};\nendmodule\n`default_nettype wire\n";
        let mut all = vec![("units.v".to_string(), text)];
        all.extend(modules);
        let mut design = rtl::Design::new("units", all);
        // They compile for longer than they run.
        design.quick = true;
        let en = design.port("en", 1, rtl::Dir::In);
        let inputs = inputs.iter().map(|(name, bits)| design.port(name, *bits, rtl::Dir::In)).collect();
        let port = |(k, u): (usize, &Unit)| (format!("y{k}"), u.bits);
        let outputs: Vec<_> = units.iter().enumerate().map(port).collect();
        let outputs = outputs.into_iter().map(|(name, bits)| design.port(name, bits, rtl::Dir::Out)).collect();
        let tools = tool("units", rtl::Toolchain::find())?;
        let library = tool("units", rtl::build(&tools, &design, &cache()))?;
        let mut sim = library.instance(1);
        sim.set(en, 1);
        sim.reset();
        Some(Self { sim, en, inputs, outputs })
    }
}
