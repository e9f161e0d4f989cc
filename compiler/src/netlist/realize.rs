//! Translation of graphs to netlists: nodes become configured primitives, streams become fields of physical ports, and
//! memories, forks, start and done tokens are added.

use super::groups::{StatementGroup, groups};
use super::map::Mapped;
use super::memories;
use super::{Cell, CellId, CellPlace, Channel, Config, End, Meaning, Netlist, Select, Sizes, Status};
use crate::facts::coordinate_bits;
use crate::graph::{Graph, NodeId, Over, Payload, Readers, StreamId, UseId};
use crate::lower::Lowered;
use crate::stmt::{Kernel, VarId};
use crate::types::Type;
use samhw_primitives as prim;
use samhw_streams::{Class, Dir, Port};
use std::sync::Arc;

/// The netlist under construction.
pub(super) struct NetlistBuilder<'a> {
    pub lowered: &'a Lowered,
    pub readers: Readers,
    pub sizes: &'a Sizes,
    pub stop_w: u32,
    pub net: Netlist,
    /// The cell that counts rounds, and the banks of what they carry.
    pub rounds: Option<CellId>,
    pub banks: Vec<CellId>,
    /// The cells that let readers follow a writer, with its statement.
    pub followers: Vec<(CellId, usize)>,
    /// Statements that run at the same time.
    pub groups: Vec<StatementGroup>,
}

/// Translates a lowered kernel to a netlist with the given sizes.
pub fn realize(lowered: &Lowered, sizes: &Sizes) -> Netlist {
    let graph = &lowered.graph;
    let sizes = &sizes.carried(&lowered.kernel, graph);
    let net = Netlist { name: lowered.kernel.name.clone(), ..Netlist::default() };
    let mut b = NetlistBuilder {
        lowered,
        readers: graph.readers(),
        sizes,
        stop_w: stop_w(graph),
        net,
        rounds: None,
        banks: vec![],
        followers: vec![],
        groups: groups(lowered),
    };
    let mapped: Vec<Mapped> = graph.nodes.iter().enumerate().map(|(n, _)| b.map(NodeId(n))).collect();
    for (node, m) in graph.nodes.iter().zip(&mapped) {
        let config = m.config.iter().map(|c| b.config(c)).collect();
        b.net.cells.push(Cell {
            name: node.name.clone(),
            primitive: m.primitive.clone(),
            config,
            place: CellPlace::Core,
            stage: node.stage,
        });
    }
    b.connect(&mapped);
    memories::attach(&mut b);
    b.connect_hints();
    b.sequence();
    b.statuses();
    b.net
}

/// Bits of the stop field of all streams.
pub(super) fn stop_w(graph: &Graph) -> u32 {
    let depth = (0..graph.streams.len()).map(|s| graph.depth(StreamId(s))).max().unwrap_or(0) as u64;
    coordinate_bits(depth + 1).max(2)
}

impl NetlistBuilder<'_> {
    pub(super) fn graph(&self) -> &Graph {
        &self.lowered.graph
    }
    pub(super) fn kernel(&self) -> &Kernel {
        &self.lowered.kernel
    }
    /// Returns the width of a variable's coordinates in bits.
    pub fn crd_w(&self, v: VarId) -> u32 {
        coordinate_bits(self.kernel().var(v).max).max(self.stop_w)
    }
    /// Returns the width of a position in a level in bits, also sufficient for the length of the level's seg array and
    /// the size of a chunk of dense levels.
    pub fn pos_w(&self, u: UseId, level: usize) -> u32 {
        let used = &self.graph().uses[u.0];
        if used.levels[level].is_linked() {
            // Words of lists hold places, so those who read them and who writes them have one width.
            let kernel = self.kernel();
            let same = |v: &usize| kernel.base(self.graph().uses[*v].tensor) == kernel.base(used.tensor);
            let all = (0..self.graph().uses.len()).filter(same);
            let most = all.filter_map(|v| self.sizes.positions[v].get(level)).copied().max().unwrap_or(0);
            return coordinate_bits(most.saturating_add(2)).max(self.stop_w);
        }
        let dense = (0..=level).rev().take_while(|&l| used.levels[l].is_dense());
        let chunk = dense.map(|l| used.size(self.kernel(), l)).fold(1, u64::saturating_mul);
        coordinate_bits(self.sizes.positions[u.0][level].max(chunk).saturating_add(2)).max(self.stop_w)
    }
    /// Returns the width of the positions above a level, in bits.
    pub fn parent_w(&self, u: UseId, level: usize) -> u32 {
        if level == 0 { self.stop_w } else { self.pos_w(u, level - 1) }
    }
    /// Returns the number of positions above a level.
    pub fn parents(&self, u: UseId, level: usize) -> u64 {
        self.sizes.above(u, level)
    }
    /// Returns the width of a payload for values of `ty`, in bits.
    pub fn payload_w(&self, ty: Type) -> u32 {
        prim::arith::alu::Alu::width(ty, self.stop_w)
    }
    /// Returns the type of the values that a node outputs or takes.
    pub fn value_type(&self, n: NodeId) -> Type {
        let stage = self.graph().node(n).stage;
        self.graph().value_type(n).unwrap_or(self.kernel().statements[stage].ty)
    }
    pub fn val_w(&self, n: NodeId) -> u32 {
        self.payload_w(self.value_type(n))
    }
    pub(super) fn width(&self, s: StreamId) -> u32 {
        let stream = self.graph().stream(s);
        match stream.payload {
            Payload::Crd(v) => self.crd_w(v),
            Payload::Interval(v) => 2 * self.crd_w(v),
            Payload::Key(bits) => bits.max(self.stop_w),
            Payload::Root => self.stop_w,
            Payload::Ref(u, l) | Payload::Pos(u, l) => self.pos_w(u, l),
            Payload::Range(u, l) => 2 * self.pos_w(u, l),
            Payload::Val(ty) => self.payload_w(ty),
            Payload::Copy(copies) => prim::copies::parallelizer::turn_width(copies, self.stop_w),
        }
    }
    /// Number of the run-time value, added if it is new.
    fn config(&mut self, m: &Meaning) -> usize {
        let kernel = &self.lowered.kernel;
        let var = |v: &VarId| kernel.var(*v).name.clone();
        let bits = |v: &VarId| coordinate_bits(kernel.var(*v).max + 1);
        let (name, width) = match m {
            Meaning::Dim(v) => (format!("dim_{}", var(v)), bits(v)),
            Meaning::Chunk(vs) => {
                let all = vs.iter().fold(1u64, |n, v| n.saturating_mul(kernel.var(*v).max));
                (
                    format!("chunk_{}", vs.iter().map(var).collect::<Vec<_>>().join("_")),
                    coordinate_bits(all.saturating_add(1)),
                )
            }
            Meaning::Words(vs, v, width) => {
                let each = super::bits::words(kernel.var(*v).max, *width);
                let all = vs.iter().fold(each, |n, v| n.saturating_mul(kernel.var(*v).max));
                let names: String = vs.iter().map(|v| var(v) + "_").collect();
                (format!("words_{names}{}_{width}", var(v)), coordinate_bits(all.saturating_add(1)))
            }
            Meaning::Capacity(u, part, words) => {
                (format!("cap_{}", memories::array_of(self, *u, *part).0), coordinate_bits(words + 1))
            }
            Meaning::Setting(u, l, setting) => {
                let name = format!("{}_{}{l}", setting.name(), self.graph().uses[u.0].name);
                (name, setting.width(self.slot_number_w(*u, *l)))
            }
            Meaning::Fill(s) => (
                format!("fill_{}", kernel.tensor(kernel.statements[*s].result).name),
                self.payload_w(kernel.statements[*s].ty),
            ),
        };
        // Indices of one name in several statements have one size in a run, unless slices give them others.
        let largest = |m: &Meaning| -> Vec<u64> {
            let vars = match m {
                Meaning::Dim(v) => vec![*v],
                Meaning::Chunk(vs) => vs.clone(),
                Meaning::Words(vs, v, _) => [vs.as_slice(), &[*v]].concat(),
                Meaning::Capacity(..) | Meaning::Setting(..) | Meaning::Fill(_) => vec![],
            };
            vars.iter().map(|v| kernel.var(*v).max).collect()
        };
        let mut name = name;
        while let Some(k) = self.net.config.iter().position(|c| c.name == name) {
            if largest(&self.net.config[k].meaning) == largest(m) {
                self.net.config[k].width = self.net.config[k].width.max(width);
                return k;
            }
            name.push('_');
        }
        self.net.config.push(Config { name, meaning: m.clone(), width });
        self.net.config.len() - 1
    }

    /// Channels between nodes, forks where an output has several consumers.
    fn connect(&mut self, mapped: &[Mapped]) {
        let graph = &self.lowered.graph;
        let keyed = graph.keyed();
        // Physical output -> consumers (physical input, select), in a fixed order.
        for (n, m) in mapped.iter().enumerate() {
            let node = &graph.nodes[n];
            let ports = self.net.handshakes(CellId(n), Dir::Out).len();
            for port in 0..ports {
                let mut consumers: Vec<(End, Select)> = Vec::new();
                let mut ranges = (Over::default(), vec![]);
                for (k, &s) in node.outputs.iter().enumerate().filter(|(k, _)| m.outs[*k].0 == port) {
                    for &(c, input) in &self.readers[s.0] {
                        let (to_port, to_field) = mapped[c.0].ins[input];
                        let end = (CellId(c.0), to_port);
                        // Both fields of a pair arrive in one transfer.
                        if to_field == Select::Second && consumers.iter().any(|(e, ..)| *e == end) {
                            continue;
                        }
                        let select = if to_field == Select::First { Select::All } else { m.outs[k].1 };
                        consumers.push((end, select));
                        ranges = (graph.stream(s).over.clone(), keyed[s.0].clone());
                    }
                }
                // Memory ports come later; a stream port nobody reads stays open.
                let is_stream = !node.outputs.is_empty() && m.outs.iter().any(|(p, _)| *p == port);
                if is_stream {
                    self.fan_out((CellId(n), port), consumers, ranges, node.stage);
                }
            }
        }
    }

    /// Connects one output to its consumers, through a fork if there are several.
    pub fn fan_out(&mut self, from: End, consumers: Vec<(End, Select)>, ranges: (Over, Vec<VarId>), stage: usize) {
        self.forked(from, consumers, ranges, (stage, false));
    }

    /// Connects what writes words to their memories. Behind a bus the first one may have to wait; what is on
    /// the chip has each word when the writer has handed it over.
    pub fn written(&mut self, from: End, memories: Vec<(End, Select)>, stage: usize) {
        let ahead = self.kernel().bus && memories.len() > 1;
        self.forked(from, memories, Default::default(), (stage, ahead));
    }

    fn forked(
        &mut self,
        from: End,
        consumers: Vec<(End, Select)>,
        (over, keyed): (Over, Vec<VarId>),
        (stage, ahead): (usize, bool),
    ) {
        let outputs = self.net.handshakes(from.0, Dir::Out);
        let named = |port: &Port| [self.net.cell(from.0).name.as_str(), "_", &port.name].concat();
        let base = named(&outputs[from.1]);
        let channel = |name: String, from: End, to: Option<End>, select: Select| {
            let note = if over.is_empty() && to.is_none() { "not used".into() } else { String::new() };
            Channel { name, from: Some(from), to, select, over: over.clone(), keyed: keyed.clone(), note }
        };
        if consumers.len() <= 1 {
            let one = consumers.first();
            self.net.channels.push(channel(base, from, one.map(|c| c.0), one.map_or(Select::All, |c| c.1)));
            return;
        }
        if self.net.cell(from.0).primitive.class() == Class::Root {
            // It has an output for every reader.
            let each = consumers.into_iter().zip(&outputs).enumerate();
            let each = each.map(|(k, ((to, select), port))| channel(named(port), (from.0, k), Some(to), select));
            let each: Vec<Channel> = each.collect();
            self.net.channels.extend(each);
            return;
        }
        let shape = outputs[from.1].shape.clone();
        let fork = CellId(self.net.cells.len());
        let primitive = Arc::new(prim::flow::fork::Fork { shape, branches: consumers.len() as u32, ahead });
        let place = self.net.cell(from.0).place;
        self.net.cells.push(Cell { name: ["fork_", &base].concat(), primitive, config: vec![], place, stage });
        self.net.channels.push(channel(base.clone(), from, Some((fork, 0)), Select::All));
        for (k, (to, select)) in consumers.into_iter().enumerate() {
            self.net.channels.push(channel(format!("{base}_{k}"), (fork, k), Some(to), select));
        }
    }

    /// A channel of tokens.
    pub(super) fn token(&mut self, name: String, from: Option<End>, to: Option<End>) {
        let (over, keyed, note) = (Over::default(), vec![], "token".into());
        self.net.channels.push(Channel { name, from, to, select: Select::All, over, keyed, note });
    }

    fn statuses(&mut self) {
        for c in 0..self.net.cells.len() {
            let cell = &self.net.cells[c];
            let ports: Vec<_> = cell.primitive.ports();
            let list = ports.iter().filter_map(|p| match p.shape {
                samhw_streams::Shape::Status { width, tells } => Some((p.name.clone(), width, tells)),
                _ => None,
            });
            let name = cell.name.clone();
            let found: Vec<Status> = list
                .enumerate()
                .map(|(k, (port, width, tells))| Status {
                    tells,
                    name: format!("{name}_{port}"),
                    from: (CellId(c), k),
                    width,
                })
                .collect();
            self.net.statuses.extend(found);
        }
    }
}
