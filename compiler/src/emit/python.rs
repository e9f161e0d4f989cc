//! Generated Python: benches for cocotb and a module for LiteX. They take widths, registers and
//! places of arrays from `NAME.json`.

use super::backend::{Artifact, Backend, Emitted};

/// `NAME_cocotb.py`: drives the top with its memories on the chip or behind AXI.
pub(super) struct CocotbBench;

impl Backend for CocotbBench {
    fn artifacts(&self, of: &Emitted) -> Vec<Artifact> {
        let template = match of.axi {
            None => include_str!("templates/cocotb_ram.py").into(),
            Some(_) => {
                // For how long nothing may move although all is well: what primitives take, and a
                // memory's answer.
                let quiet = 20_000 + of.cx.net.cells.iter().map(|c| c.primitive.silence()).sum::<u64>();
                include_str!("templates/cocotb_axi.py").replace("@QUIET", &quiet.to_string())
            }
        };
        let parts = !of.manifest.results.is_empty();
        let whole =
            if parts { format!("\n{}", include_str!("templates/bench_whole.py").trim_end()) } else { String::new() };
        let text = template
            .replace("@DATA", include_str!("templates/bench_data.py").trim_end())
            .replace("\n@WHOLE", &whole)
            .replace("@MAIN", include_str!("templates/bench_main.py").trim_end())
            .replace("@TOP", &of.top.name)
            .replace("@FILE", of.cx.name);
        vec![(format!("{}_cocotb.py", of.cx.name), text)]
    }
}

/// `NAME_litex.py`.
pub(super) struct LitexModule;

impl Backend for LitexModule {
    fn artifacts(&self, of: &Emitted) -> Vec<Artifact> {
        let (Some(_), name) = (of.axi, of.cx.name) else { return vec![] };
        vec![(format!("{name}_litex.py"), include_str!("templates/litex.py").replace("@FILE", name))]
    }
}
