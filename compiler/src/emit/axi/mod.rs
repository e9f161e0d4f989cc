//! `NAME_axi`: the core with its arrays in memory behind AXI4, and registers behind AXI4-Lite.

mod adapters;
mod assign;
mod bus;
mod c_names;
mod channels;
mod counters;
mod driver;
mod joined;
mod layout;
mod linux;
mod managers;
mod map;
mod plan;
mod ports;
mod reads;
mod registers;
mod top;
mod vectors;
mod waste;
mod watches;

pub use bus::{Axi, PortMode, PortPlan, Watch};
pub(super) use c_names::CNames;
pub(super) use driver::CDriver;
pub(super) use linux::LinuxProgram;
pub(super) use map::RegisterPage;
pub use plan::{extra, plan};
pub use ports::prefix;
pub use registers::{CONTROL, Counted, Holds, HostAccess, Register};

use super::probes::Probes;
use super::{Context, Design, Names, core, design, fingerprint, manifest};
use crate::diag::Diagnostic;
use crate::frontend::AxiOptions;
use crate::lower::Lowered;
use crate::netlist::Netlist;
use samhw_hdl::Module;

/// log2 of the words in queues for what waits for memory: what a window does not have at once must not hold up others soon.
/// Memories made of lookup tables have 16 words anyway.
const QUEUE_LOG2: u32 = 4;

/// Returns the netlist in the form behind AXI, which engines run and the emitter prints. It has the channels and cells
/// of `net`, and run-time values more.
pub fn behind(lowered: &Lowered, net: &Netlist) -> Netlist {
    plan::behind(lowered, net, QUEUE_LOG2)
}

/// Emits a netlist that [`Netlist::check`] accepts, for memory behind AXI.
///
/// # Errors
///
/// What the bus cannot hold: words wider than it, arrays larger than its addresses.
pub fn emit_axi(lowered: &Lowered, net: &Netlist, options: &AxiOptions) -> Result<Design, Diagnostic> {
    let net = &behind(lowered, net);
    let name = super::top_name(&net.name);
    let cx = context(lowered, net, &name, options);
    let core = core::module(&cx);
    let axi = Axi { hash: hash(&core), ..planned(&cx, options)? };
    let top = top::module(&cx, &core, &axi);
    let mut manifest = manifest::of(&cx, &core, ("axi", &top), &[]);
    manifest.axi = Some(manifest::axi(&cx, &axi));
    Ok(design(&cx, [core, top], manifest, Some(axi)))
}

/// Plans the AXI interface around the core of a netlist, without the hash that identifies the design.
///
/// # Errors
///
/// As [`emit_axi`].
pub fn around(lowered: &Lowered, net: &Netlist, options: &AxiOptions) -> Result<Axi, Diagnostic> {
    planned(&context(lowered, net, &super::top_name(&net.name), options), options)
}

/// Warns about bandwidth of the bus that the schedule leaves unused.
///
/// # Errors
///
/// As [`emit_axi`].
pub fn wasted(lowered: &Lowered, net: &Netlist, options: &AxiOptions) -> Result<Vec<Diagnostic>, Diagnostic> {
    let net = &behind(lowered, net);
    Ok(waste::warnings(lowered, net, &plan(lowered, net, options)?))
}

fn context<'a>(lowered: &'a Lowered, net: &'a Netlist, name: &'a str, options: &AxiOptions) -> Context<'a> {
    let cx = Context::new(lowered, net, name, Names::new(net));
    let probes = options.counters.then(|| Probes::new(&cx));
    Context { probes, ..cx }
}

fn planned(cx: &Context, options: &AxiOptions) -> Result<Axi, Diagnostic> {
    let mut axi = plan(cx.lowered, cx.net, options)?;
    axi.probes.clone_from(&cx.probes);
    axi.registers = assign::registers(cx, &axi);
    Ok(axi)
}

/// A number that tells designs apart.
fn hash(core: &Module) -> u64 {
    fingerprint(core.to_string().bytes())
}
