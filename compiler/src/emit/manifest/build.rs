//! The manifest of a netlist and its modules.

use super::{
    AxiPort, Held, Host, Manifest, ManifestArray, ManifestCell, ManifestConfig, ManifestPayload, ManifestRegister,
    ManifestStatus, ManifestStream, ManifestTop, ManifestValue, Packing, Port, StreamEnd, VERSION, results,
};
use crate::emit::address::{self, AddressRegion};
use crate::emit::axi::{self as plan, Holds};
use crate::emit::{Context, core, instance, wire};
use crate::facts;
use crate::graph::UseId;
use crate::netlist::{CellId, CellPlace, End, Meaning, Select};
use crate::stmt::{Expr, ExprId, Fun, Kernel, VarId};
use samhw_hdl::{Module, PortDir};
use samhw_primitives::memories::memory::HOST_READ_CYCLES;
use samhw_streams::{Class, Dir, Tells};
use samhw_values::convert;

/// The manifest of a design.
pub(in crate::emit) fn of(cx: &Context, core: &Module, around: (&str, &Module), regions: &[AddressRegion]) -> Manifest {
    let (kernel, net) = (&cx.lowered.kernel, cx.net);
    let var = |v: &VarId| kernel.var(*v).name.clone();
    let word = regions.iter().map(|r| net.arrays[r.array].width).max().unwrap_or(1);
    Manifest {
        version: VERSION,
        kernel: kernel.name.clone(),
        statements: kernel.statements.iter().map(|s| kernel.statement_text(s)).collect(),
        order: cx.lowered.orders.iter().map(|o| o.iter().map(var).collect()).collect(),
        tops: vec![top("core", core), top(around.0, around.1)],
        config: config(cx),
        status: status(cx),
        host: Host { addr_width: address::width(regions), data_width: word, read_cycles: HOST_READ_CYCLES },
        packings: packings(cx),
        arrays: arrays(cx, regions),
        results: results::results(cx),
        streams: streams(cx),
        cells: cells(cx),
        axi: None,
    }
}

/// Describes the shell around a core behind AXI.
pub(in crate::emit) fn axi(cx: &Context, axi: &plan::Axi) -> super::ManifestAxi {
    let array = |k: usize| cx.net.arrays[k].name.clone();
    let ports = axi.ports.iter().enumerate().map(|(number, p)| AxiPort {
        number,
        array: array(p.array),
        mode: p.mode.describe().into(),
        word_bytes: 1 << p.size_log2,
        master: p.master,
    });
    let registers = axi.registers.iter().map(|r| ManifestRegister {
        name: r.name.clone(),
        offset: r.offset,
        words: r.words,
        access: r.access().name().into(),
        holds: match r.holds {
            Holds::Base(a) => Held::Base { array: array(a) },
            Holds::Words(a) => Held::Words { array: array(a) },
            Holds::Config(k) => Held::Config { config: cx.names.config[k].clone() },
            Holds::Status(k) => Held::Status { status: cx.names.statuses[k].clone() },
            Holds::Stuck => {
                let streams = axi.probes.iter().flat_map(|p| &p.streams);
                Held::Stuck { streams: streams.map(|&k| cx.net.channels[k].name.clone()).collect() }
            }
            Holds::Count(n, counted) => Held::Count {
                cell: axi.probes.as_ref().map(|p| cx.net.cell(p.nodes[n]).name.clone()).unwrap_or_default(),
                what: counted.name().into(),
            },
        },
        meaning: r.meaning.clone(),
    });
    super::ManifestAxi {
        data_width: axi.options.data_width,
        address_width: axi.options.address_width,
        hash: format!("{:016x}", axi.hash),
        ports: ports.collect(),
        registers: registers.collect(),
    }
}

fn top(kind: &str, module: &Module) -> ManifestTop {
    let ports = module.ports.iter().flat_map(|g| &g.ports).map(|p| Port {
        name: p.signal.name.clone(),
        direction: if p.dir == PortDir::In { "input" } else { "output" }.into(),
        width: p.signal.width,
    });
    ManifestTop { kind: kind.into(), module: module.name.clone(), ports: ports.collect() }
}

fn config(cx: &Context) -> Vec<ManifestConfig> {
    let kernel = &cx.lowered.kernel;
    let value = |m: &Meaning| match m {
        Meaning::Dim(v) => ManifestValue::Dim {
            variable: kernel.var(*v).name.clone(),
            max: kernel.var(*v).max,
            min: u64::from(cx.lowered.counting.contains(v)),
        },
        Meaning::Chunk(vs) => {
            ManifestValue::Product { variables: vs.iter().map(|&v| kernel.var(v).name.clone()).collect() }
        }
        Meaning::Words(vs, v, width) => ManifestValue::Words {
            variables: vs.iter().map(|&v| kernel.var(v).name.clone()).collect(),
            variable: kernel.var(*v).name.clone(),
            bits: *width,
        },
        Meaning::Capacity(u, part, words) => {
            let of = cx.net.arrays.iter().find(|a| a.of == *u && a.part == *part);
            ManifestValue::Capacity { array: of.map(|a| a.name.clone()).unwrap_or_default(), words: *words }
        }
        Meaning::Setting(UseId(packing), level, setting) => {
            ManifestValue::Setting { packing: *packing, level: *level, what: setting.name().into() }
        }
        Meaning::Fill(s) => {
            let statement = &kernel.statements[*s];
            ManifestValue::Fill {
                tensor: kernel.tensor(statement.result).name.clone(),
                constant: facts::declared_fill(kernel, statement).or(constant_fill(kernel, *s, statement.value)),
            }
        }
    };
    let all = cx.net.config.iter().zip(&cx.names.config);
    all.map(|(c, name)| ManifestConfig {
        name: name.clone(),
        width: c.width,
        meaning: core::meaning(cx, &c.meaning),
        value: value(&c.meaning),
    })
    .collect()
}

/// Value of `e` of statement `n` where no operand is there, if it is the same at all sizes that the kernel takes.
fn constant_fill(kernel: &Kernel, n: usize, e: ExprId) -> Option<u64> {
    match kernel.expr(e) {
        // A fill that is named holds from size 1 on, which is the smallest size that the manifest
        // says of what is in [`lower::Lowered::counting`].
        Expr::Reduce(op, _, body) => {
            let repeats = op
                .fun()
                .is_some_and(|f| matches!(f, Fun::Min | Fun::Max | Fun::And | Fun::Or | Fun::BitAnd | Fun::BitOr));
            let ty = kernel.type_of(n, e);
            constant_fill(kernel, n, *body).filter(|&fill| repeats || op.identity(ty) == Some(fill))
        }
        Expr::Map(f, args) => {
            let values: Vec<Option<u64>> = args.iter().map(|&a| constant_fill(kernel, n, a)).collect();
            kernel.partial(*f, &values, kernel.type_of(n, e))
        }
        Expr::Convert(body) => {
            let (from, to) = (kernel.type_of(n, *body), kernel.type_of(n, e));
            constant_fill(kernel, n, *body).map(|fill| convert(fill, from, to))
        }
        _ => facts::constant_fill(kernel, n, e),
    }
}

fn status(cx: &Context) -> Vec<ManifestStatus> {
    let all = cx.net.statuses.iter().zip(&cx.names.statuses);
    all.map(|(s, name)| ManifestStatus {
        name: name.clone(),
        width: s.width,
        cell: cx.net.cell(s.from.0).name.clone(),
        error: s.tells == Tells::Overflow,
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
            levels: u.levels.iter().map(|level| level.name().to_string()).collect(),
            mode_order: u.mode_order.clone(),
            repacked: u.repacked,
            fill: tensor.fill,
        }
    });
    all.collect()
}

fn arrays(cx: &Context, regions: &[AddressRegion]) -> Vec<ManifestArray> {
    let net = cx.net;
    let all = net.arrays.iter().enumerate().map(|(k, a)| {
        let UseId(packing) = a.of;
        let tensor = cx.lowered.graph.uses[packing].tensor;
        let at = |end: Option<End>| end.is_some_and(|(c, _)| c == a.cell);
        let ports = net.channels.iter().zip(&cx.names.channels).filter(|(c, _)| at(c.from) || at(c.to));
        ManifestArray {
            name: a.name.clone(),
            packing,
            tensor: cx.lowered.kernel.tensor(tensor).name.clone(),
            part: a.part.kind().into(),
            level: a.part.level(),
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

fn streams(cx: &Context) -> Vec<ManifestStream> {
    let end = |end: Option<End>, dir| {
        end.map(|(c, k)| StreamEnd { cell: cx.net.cell(c).name.clone(), port: cx.port(c, dir, k).name.into_owned() })
    };
    let all = cx.net.channels.iter().enumerate().map(|(k, c)| {
        let shape = cx.shape(k);
        ManifestStream {
            name: c.name.clone(),
            wires: cx.names.channels[k].clone(),
            from: end(c.from, Dir::Out),
            to: end(c.to, Dir::In),
            stop_width: wire::stop_w(&shape),
            fields: wire::fields(&shape)
                .iter()
                .map(|f| ManifestPayload { name: f.name.into(), width: f.width })
                .collect(),
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
    match cx.net.cell(cell).primitive.class() {
        Class::Fifo { depth } => Some(depth),
        _ => None,
    }
}

fn cells(cx: &Context) -> Vec<ManifestCell> {
    let all = cx.net.cells.iter().zip(&cx.names.cells).enumerate().map(|(k, (c, name))| {
        let made = cx.instance(CellId(k));
        ManifestCell {
            name: c.name.clone(),
            instance: name.clone(),
            kind: c.primitive.kind().into(),
            description: c.primitive.describe(),
            stage: c.stage,
            place: if c.place == CellPlace::Core { "core" } else { "memory" }.into(),
            module: made.module.into(),
            parameters: made.params.iter().map(|(n, p)| (n.to_string(), instance::param(p).to_string())).collect(),
            config: c.config.iter().map(|&k| cx.names.config[k].clone()).collect(),
        }
    });
    all.collect()
}
