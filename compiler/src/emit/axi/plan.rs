//! How each array reaches memory: through a window, copied to the chip before a run, or written.

use super::registers::Register;
use crate::diag::Diagnostic;
use crate::emit::address::int;
use crate::emit::probes::Probes;
use crate::frontend::AxiOptions;
use crate::graph::{Graph, Op, StreamId};
use crate::lower::Lowered;
use crate::netlist::{Netlist, Place};
use samhw_primitives::Dir;
use samhw_primitives::memory::Read;

/// Cycles between asking for a line and getting it that windows are made for.
const LATENCY: u64 = 160;

/// Longest bursts, in lines.
const BURST_LOG2: u32 = 4;

/// What goes between the core and an array.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mode {
    /// A window that runs ahead of the core's reads.
    Window(Read),
    /// A memory on the chip, loaded before each run.
    Load,
    /// Words combined to bursts.
    Write,
}

impl Mode {
    /// Its Verilog module.
    pub fn module(self) -> &'static str {
        match self {
            Self::Window(_) => "samhw_axi_reader",
            Self::Load => "samhw_axi_loader",
            Self::Write => "samhw_axi_writer",
        }
    }
    /// In words.
    pub fn describe(self) -> &'static str {
        match self {
            Self::Window(_) => "read through a window",
            Self::Load => "copied to the chip before each run",
            Self::Write => "written",
        }
    }
}

/// An array behind the bus.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PortPlan {
    /// Number of the array in [`Netlist::arrays`].
    pub array: usize,
    /// What goes between.
    pub mode: Mode,
    /// log2 of the bytes of a word in memory.
    pub size_log2: u32,
    /// log2 of the lines its adapter holds.
    pub lines_log2: u32,
}

/// What stands around a core.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Axi {
    /// Widths and limits asked for.
    pub options: AxiOptions,
    /// Arrays behind the bus, by the number that errors name: those read first, then those written.
    pub ports: Vec<PortPlan>,
    /// Registers of the kernel's own.
    pub registers: Vec<Register>,
    /// What the registers HASH hold.
    pub hash: u64,
    /// What is counted, if anything is.
    pub probes: Option<Probes>,
}

impl Axi {
    /// log2 of the bytes of a line.
    pub fn bus_log2(&self) -> u32 {
        (self.options.data_width / 8).trailing_zeros()
    }
    /// log2 of the longest burst, in lines.
    pub fn burst_log2(&self) -> u32 {
        BURST_LOG2.min(12 - self.bus_log2())
    }
    /// Number of arrays that are read.
    pub fn readers(&self) -> usize {
        self.ports.iter().filter(|p| p.mode != Mode::Write).count()
    }
    /// Whether array number `array` has words on the chip.
    pub fn on_chip(&self, array: usize) -> bool {
        self.ports.iter().find(|p| p.array == array).is_none_or(|p| p.mode == Mode::Load)
    }
}

/// Chooses for every array.
///
/// # Errors
///
/// Words wider than the bus, arrays larger than its addresses.
pub fn plan(lowered: &Lowered, net: &Netlist, options: &AxiOptions) -> Result<Axi, Diagnostic> {
    let mut axi = Axi { options: *options, ports: Vec::new(), registers: Vec::new(), hash: 0, probes: None };
    let (bus, burst) = (axi.bus_log2(), axi.burst_log2());
    for (k, array) in net.arrays.iter().enumerate().filter(|(_, a)| a.host_reads || a.host_writes) {
        let size_log2 = (array.width.div_ceil(8)).next_power_of_two().trailing_zeros();
        if size_log2 > bus {
            return Err(Diagnostic::new(
                "H020",
                format!("words of {} have {} bits, the bus {}", array.name, array.width, options.data_width),
            )
            .help(format!("set `data_width = {}` under [hardware.axi]", 8 << size_log2)));
        }
        let addr_w = int(net, k, "ADDR_W");
        if addr_w + 3 > u64::from(options.address_width) {
            return Err(Diagnostic::new(
                "H021",
                format!("{} may need more words than {} address bits reach", array.name, options.address_width),
            )
            .help("set `address_width = 64` under [hardware.axi], or declare a smaller nnz"));
        }
        let mode = if array.host_reads {
            Mode::Write
        } else {
            let bytes = array.words.saturating_mul(1 << size_log2);
            if !in_order(lowered, net, k) && bytes <= options.on_chip { Mode::Load } else { Mode::Window(read(net, k)) }
        };
        let ahead = ((LATENCY << size_log2) >> bus) + (1 << burst);
        let lines_log2 = match mode {
            Mode::Write => burst + 1,
            _ => ahead.next_power_of_two().trailing_zeros().max(burst + 1),
        };
        axi.ports.push(PortPlan { array: k, mode, size_log2, lines_log2 });
    }
    axi.ports.sort_by_key(|p| p.mode == Mode::Write);
    Ok(axi)
}

/// How the core reads an array.
fn read(net: &Netlist, array: usize) -> Read {
    let ports = net.handshakes(net.arrays[array].cell, Dir::Out);
    let asks = net.handshakes(net.arrays[array].cell, Dir::In);
    match (ports.first().map(|p| p.shape.width()), asks.first().map(|p| p.shape.width())) {
        (Some(answer), _) if answer > net.arrays[array].width => Read::Pair,
        (_, Some(ask)) if u64::from(ask) > int(net, array, "ADDR_W") => Read::Burst,
        _ => Read::Single,
    }
}

/// True if the array's reader asks for addresses that do not decrease within a run.
fn in_order(lowered: &Lowered, net: &Netlist, array: usize) -> bool {
    let cell = net.arrays[array].cell;
    let asks = net.channels.iter().find(|c| c.to.is_some_and(|(to, _)| to == cell)).and_then(|c| c.from);
    let Some((reader, _)) = asks.filter(|(r, _)| net.cell(*r).place == Place::Core) else { return false };
    let graph = &lowered.graph;
    graph.nodes.get(reader.0).is_some_and(|n| !matches!(n.op, Op::Locate(..)) && ascends(graph, n.inputs[0]))
}

/// True if the references of a stream do not decrease over a whole run.
fn ascends(graph: &Graph, stream: StreamId) -> bool {
    let (from, output) = graph.stream(stream).from;
    let node = graph.node(from);
    match node.op {
        Op::Root => true,
        // Coordinates: of the outermost level there is one list.
        Op::Scan(..) | Op::Join { .. } if output == 0 => graph.depth(stream) <= 1,
        Op::Scan(..) | Op::ScanGroup(..) | Op::ScanPart(..) => ascends(graph, node.inputs[0]),
        // crd, ref0, ref1 .. of crd0, ref0, crd1, ref1 ..
        Op::Join { .. } => ascends(graph, node.inputs[2 * output - 1]),
        Op::Deal { .. } => node.inputs.get(output % node.inputs.len()).is_some_and(|&s| ascends(graph, s)),
        _ => false,
    }
}
