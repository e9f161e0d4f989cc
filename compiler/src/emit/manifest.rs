//! `NAME.json`: what simulators, FPGA flows and users' scripts need to know of an emitted
//! kernel. Described field by field in docs/hardware.md.

use super::address::{self, Region};
use super::{Context, instance, wire};
use crate::graph::UseId;
use crate::lower;
use crate::netlist::{CellId, End, Meaning, Part, Place, Select};
use crate::stmt::{Expr, ExprId, Fun, Kernel, LevelKind, ReduceOp, VarId};
use crate::types::Type;
use samhw_hdl::{Module, PortDir};
use samhw_primitives::{Dir, Param};
use serde::{Deserialize, Serialize};

/// Version of the format; grows when a field changes its meaning or goes.
pub const VERSION: u32 = 1;

/// The whole file.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Manifest {
    /// [`VERSION`].
    pub version: u32,
    /// Kernel name.
    pub kernel: String,
    /// The statements, every reduction explicit.
    pub statements: Vec<String>,
    /// Loop order per statement, outermost first.
    pub order: Vec<Vec<String>>,
    /// Modules that stand for the whole kernel.
    pub tops: Vec<Top>,
    /// Run-time inputs of every top.
    pub config: Vec<Config>,
    /// Status outputs of every top.
    pub status: Vec<Status>,
    /// Width of the host port of `NAME_ram`.
    pub host: Host,
    /// Packings of tensors, in the order of [`Array::packing`].
    pub packings: Vec<Packing>,
    /// Arrays.
    pub arrays: Vec<Array>,
    /// Streams, memory ports and tokens, in the netlist's order.
    pub streams: Vec<Stream>,
    /// Primitives, in the netlist's order.
    pub cells: Vec<Cell>,
}

/// A top module.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Top {
    /// `core` or `ram`.
    pub kind: String,
    /// Module name; the file is `MODULE.v`.
    pub module: String,
    /// Its ports.
    pub ports: Vec<Port>,
}

/// A port of a top module.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Port {
    /// Name.
    pub name: String,
    /// `input` or `output`.
    pub direction: String,
    /// Bits.
    pub width: u32,
}

/// A run-time input.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Config {
    /// Port name.
    pub name: String,
    /// Bits.
    pub width: u32,
    /// The same in words.
    pub meaning: String,
    /// Where its value comes from.
    pub value: Value,
}

/// Where a run-time value comes from.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "rule", rename_all = "snake_case")]
pub enum Value {
    /// Size of the dimension.
    Dim {
        /// Variable.
        variable: String,
        /// Largest size.
        max: u64,
        /// Smallest size.
        min: u64,
    },
    /// Product of the sizes of these dimensions.
    Product {
        /// Variables.
        variables: Vec<String>,
    },
    /// Words that may be written into the array: `words` with `NAME_ram`.
    Capacity {
        /// Array.
        array: String,
        /// Words of the on-chip memory.
        words: u64,
    },
    /// Value of a result where nothing is stored, as raw bits.
    Fill {
        /// Tensor.
        tensor: String,
        /// The value, where it does not depend on sizes.
        constant: Option<u64>,
    },
}

/// A status output.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Status {
    /// Port name.
    pub name: String,
    /// Bits.
    pub width: u32,
    /// Cell it comes from.
    pub cell: String,
    /// Nonzero means that the result is not to be trusted.
    pub error: bool,
}

/// The host port.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Host {
    /// Bits of `host_addr`.
    pub addr_width: u32,
    /// Bits of `host_wdata` and `host_rdata`.
    pub data_width: u32,
}

/// How a tensor is stored.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Packing {
    /// First part of the names of its arrays.
    pub name: String,
    /// Tensor.
    pub tensor: String,
    /// Element type.
    #[serde(rename = "type")]
    pub ty: String,
    /// Largest sizes, per mode (index order).
    pub shape: Vec<u64>,
    /// Level kinds, outermost first.
    pub levels: Vec<String>,
    /// Mode that each level holds.
    pub mode_order: Vec<usize>,
    /// Differs from the order declared for the tensor.
    pub repacked: bool,
    /// Declared raw value where nothing is stored.
    pub fill: Option<u64>,
}

/// An array in memory.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Array {
    /// Name.
    pub name: String,
    /// Number of its packing.
    pub packing: usize,
    /// Tensor.
    pub tensor: String,
    /// `seg`, `crd` or `vals`.
    pub part: String,
    /// Level, outermost 0; none for values.
    pub level: Option<usize>,
    /// Words of the on-chip memory.
    pub words: u64,
    /// Bits of a word.
    pub width: u32,
    /// `input` (the host writes it), `output` (the host reads it) or `internal`.
    pub direction: String,
    /// Host address of its first word; none if internal.
    pub base: Option<u64>,
    /// Ports of the core that read or write it, without `_valid`, `_ready`, `_beat`.
    pub ports: Vec<String>,
}

/// One end of a stream.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct StreamEnd {
    /// Cell.
    pub cell: String,
    /// Port.
    pub port: String,
}

/// A channel.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Stream {
    /// Name in the netlist.
    pub name: String,
    /// Its wires in `NAME_core` are these letters and `_valid`, `_ready`, `_beat`.
    pub wires: String,
    /// Producer; none: from outside.
    pub from: Option<StreamEnd>,
    /// Consumer; none: to the outside, or nobody.
    pub to: Option<StreamEnd>,
    /// Bits of the stop field; none if the beat has payloads only.
    pub stop_width: Option<u32>,
    /// Payloads of the beat, lowest bits first.
    pub fields: Vec<Payload>,
    /// Bits of the beat: kind (2), stop, last payload .. first payload from the top.
    pub width: u32,
    /// What the consumer gets: `all`, `first` or `second` payload.
    pub select: String,
    /// The variables its lists range over, outermost first.
    pub over: Vec<String>,
    /// Depth of the FIFO it comes out of.
    pub fifo_depth: Option<u32>,
    /// Why it is there, or why that FIFO is as deep as it is.
    pub note: String,
}

/// A payload of a beat.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Payload {
    /// `crd`, `ref`, `val`, `addr` ...
    pub name: String,
    /// Bits.
    pub width: u32,
}

/// A primitive.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Cell {
    /// Name in the netlist.
    pub name: String,
    /// Instance name.
    pub instance: String,
    /// What it is.
    pub kind: String,
    /// In a few words.
    pub description: String,
    /// Number of its statement.
    pub stage: usize,
    /// `core` or `memory`.
    pub place: String,
    /// Verilog module.
    pub module: String,
    /// Parameters: name and Verilog literal.
    pub parameters: Vec<(String, String)>,
}

impl Manifest {
    /// As text.
    pub fn to_json(&self) -> String {
        // Nothing in it can fail to be written: no maps with odd keys, no floats.
        serde_json::to_string_pretty(self).unwrap_or_default() + "\n"
    }
}

/// The manifest of a design.
pub(super) fn of(cx: &Context, core: &Module, ram: &Module, regions: &[Region]) -> Manifest {
    let (kernel, net) = (&cx.lowered.kernel, cx.net);
    let var = |v: &VarId| kernel.var(*v).name.clone();
    let word = regions.iter().map(|r| net.arrays[r.array].width).max().unwrap_or(1);
    Manifest {
        version: VERSION,
        kernel: kernel.name.clone(),
        statements: kernel.statements.iter().map(|s| kernel.statement_text(s)).collect(),
        order: cx.lowered.orders.iter().map(|o| o.iter().map(var).collect()).collect(),
        tops: vec![top("core", core), top("ram", ram)],
        config: config(cx),
        status: status(cx),
        host: Host { addr_width: address::width(regions), data_width: word },
        packings: packings(cx),
        arrays: arrays(cx, regions),
        streams: streams(cx),
        cells: cells(cx),
    }
}

fn top(kind: &str, module: &Module) -> Top {
    let ports = module.ports.iter().flat_map(|g| &g.ports).map(|p| Port {
        name: p.signal.name.clone(),
        direction: if p.dir == PortDir::In { "input" } else { "output" }.into(),
        width: p.signal.width,
    });
    Top { kind: kind.into(), module: module.name.clone(), ports: ports.collect() }
}

fn config(cx: &Context) -> Vec<Config> {
    let kernel = &cx.lowered.kernel;
    let value = |m: &Meaning| match m {
        Meaning::Dim(v) => Value::Dim {
            variable: kernel.var(*v).name.clone(),
            max: kernel.var(*v).max,
            min: u64::from(cx.lowered.counting.contains(v)),
        },
        Meaning::Chunk(vs) => Value::Product { variables: vs.iter().map(|&v| kernel.var(v).name.clone()).collect() },
        Meaning::Capacity(u, part, words) => {
            let of = cx.net.arrays.iter().find(|a| a.of == *u && a.part == *part);
            Value::Capacity { array: of.map(|a| a.name.clone()).unwrap_or_default(), words: *words }
        }
        Meaning::Fill(s) => {
            let statement = &kernel.statements[*s];
            Value::Fill {
                tensor: kernel.tensor(statement.result).name.clone(),
                constant: constant_fill(kernel, statement.value, statement.ty),
            }
        }
    };
    let all = cx.net.config.iter().zip(&cx.names.config);
    all.map(|(c, name)| Config {
        name: name.clone(),
        width: c.width,
        meaning: super::core::meaning(cx, &c.meaning),
        value: value(&c.meaning),
    })
    .collect()
}

/// Value of `e` where no operand is there, if it is the same at all sizes that the kernel takes.
fn constant_fill(kernel: &Kernel, e: ExprId, ty: Type) -> Option<u64> {
    match kernel.expr(e) {
        Expr::Literal(v) => Some(*v),
        Expr::Access(t, _) => Some(kernel.tensor(*t).fill.unwrap_or(0)),
        Expr::Map(f, args) => {
            let values: Vec<Option<u64>> = args.iter().map(|&a| constant_fill(kernel, a, ty)).collect();
            if *f == Fun::Mul && values.contains(&Some(0)) {
                return Some(0);
            }
            let values: Option<Vec<u64>> = values.into_iter().collect();
            Some(lower::apply(*f, &values?, ty))
        }
        // Sizes of 0 are refused where they would make a difference ([`lower::Lowered::counting`]).
        Expr::Reduce(op, _, body) => constant_fill(kernel, *body, ty).filter(|fill| *op != ReduceOp::Add || *fill == 0),
    }
}

fn status(cx: &Context) -> Vec<Status> {
    let all = cx.net.statuses.iter().zip(&cx.names.statuses);
    all.map(|(s, name)| Status {
        name: name.clone(),
        width: s.width,
        cell: cx.net.cell(s.from.0).name.clone(),
        error: s.error,
    })
    .collect()
}

fn packings(cx: &Context) -> Vec<Packing> {
    let kernel = &cx.lowered.kernel;
    let all = cx.lowered.graph.uses.iter().map(|u| {
        let tensor = kernel.tensor(u.tensor);
        Packing {
            name: u.name.clone(),
            tensor: tensor.name.clone(),
            ty: tensor.ty.to_string(),
            shape: tensor.shape.clone(),
            levels: u.levels.iter().copied().map(LevelKind::name).map(str::to_string).collect(),
            mode_order: u.mode_order.clone(),
            repacked: u.repacked,
            fill: tensor.fill,
        }
    });
    all.collect()
}

fn arrays(cx: &Context, regions: &[Region]) -> Vec<Array> {
    let net = cx.net;
    let all = net.arrays.iter().enumerate().map(|(k, a)| {
        let UseId(packing) = a.of;
        let tensor = cx.lowered.graph.uses[packing].tensor;
        let (part, level) = match a.part {
            Part::Seg(l) => ("seg", Some(l)),
            Part::Crd(l) => ("crd", Some(l)),
            Part::Values => ("vals", None),
        };
        let at = |end: Option<End>| end.is_some_and(|(c, _)| c == a.cell);
        let ports = net.channels.iter().zip(&cx.names.channels).filter(|(c, _)| at(c.from) || at(c.to));
        Array {
            name: a.name.clone(),
            packing,
            tensor: cx.lowered.kernel.tensor(tensor).name.clone(),
            part: part.into(),
            level,
            words: address::int(net, k, "WORDS"),
            width: a.width,
            direction: match (a.host_writes, a.host_reads) {
                (true, _) => "input",
                (_, true) => "output",
                _ => "internal",
            }
            .into(),
            base: regions.iter().find(|r| r.array == k).map(|r| r.base),
            ports: ports.map(|(_, name)| name.clone()).collect(),
        }
    });
    all.collect()
}

fn streams(cx: &Context) -> Vec<Stream> {
    let end = |end: Option<End>, dir| {
        end.map(|(c, k)| StreamEnd { cell: cx.net.cell(c).name.clone(), port: cx.port(c, dir, k).name })
    };
    let all = cx.net.channels.iter().enumerate().map(|(k, c)| {
        let shape = cx.shape(k);
        Stream {
            name: c.name.clone(),
            wires: cx.names.channels[k].clone(),
            from: end(c.from, Dir::Out),
            to: end(c.to, Dir::In),
            stop_width: wire::stop_w(&shape),
            fields: wire::fields(&shape).iter().map(|f| Payload { name: f.name.into(), width: f.width }).collect(),
            width: shape.width(),
            select: match c.select {
                Select::All => "all",
                Select::First => "first",
                Select::Second => "second",
            }
            .into(),
            over: c.over.iter().map(|&v| cx.lowered.kernel.var(v).name.clone()).collect(),
            fifo_depth: c.from.and_then(|(cell, _)| fifo_depth(cx, cell)),
            note: c.note.clone(),
        }
    });
    all.collect()
}

fn fifo_depth(cx: &Context, cell: CellId) -> Option<u32> {
    let primitive = &cx.net.cell(cell).primitive;
    let made = primitive.instance();
    let depth = made.params.into_iter().find(|(n, _)| primitive.kind() == "fifo" && *n == "DEPTH");
    depth.and_then(|(_, p)| if let Param::Int(n) = p { Some(n) } else { None })
}

fn cells(cx: &Context) -> Vec<Cell> {
    let all = cx.net.cells.iter().zip(&cx.names.cells).map(|(c, name)| {
        let made = c.primitive.instance();
        Cell {
            name: c.name.clone(),
            instance: name.clone(),
            kind: c.primitive.kind().into(),
            description: c.primitive.describe(),
            stage: c.stage,
            place: if c.place == Place::Core { "core" } else { "memory" }.into(),
            module: made.module.into(),
            parameters: made.params.iter().map(|(n, p)| (n.to_string(), instance::param(p).to_string())).collect(),
        }
    });
    all.collect()
}
