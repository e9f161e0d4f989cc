//! Descriptions of nodes, long for text and short for drawings.

use super::words::{SYMBOLS, WORDS, Wording, bit, condition};
use crate::facts::{fold_cycles, pace, recurrence_pace};
use crate::graph::{AluFun, Arg, Graph, Measured, Node, NodeId, Op, Payload, Readers, StreamId, UseId};
use crate::lower::Lowered;
use crate::stmt::{Fun, Operator, Prefix};
use crate::types::Type;
use samhw_primitives::flow::early_exit::Watched;
use samhw_primitives::scan::scanner_span::SpanEnd;

/// Names and descriptions of the parts of one lowered kernel.
#[derive(Clone, Copy)]
pub(super) struct Labels<'a> {
    pub lowered: &'a Lowered,
    pub readers: &'a Readers,
}

impl<'a> Labels<'a> {
    pub fn graph(&self) -> &'a Graph {
        &self.lowered.graph
    }

    pub(super) fn used(&self, u: UseId) -> &'a str {
        &self.graph().uses[u.0].name
    }

    /// Describes in words what the node does.
    pub fn detail(&self, n: NodeId) -> String {
        let node = self.graph().node(n);
        match &node.op {
            Op::Root => "one position, 0".into(),
            Op::Scan(u, l) => {
                let bound = if node.inputs.len() > 1 { ", to a bound" } else { "" };
                let back = if self.graph().uses[u.0].is_backwards(*l) { ", from the end" } else { "" };
                format!("{}, {}{bound}{back}", self.level(*u, *l, node.outputs[0]), self.level_kind(*u, *l))
            }
            Op::ScanGroup(u, l) => {
                format!("{}, {}, coordinates repeat", self.level(*u, *l, node.outputs[0]), self.level_kind(*u, *l))
            }
            Op::ScanPart(u, l, _, window) => {
                format!("{}, {window}", self.level(*u, *l, node.outputs[0]))
            }
            Op::Slice(window) => window.to_string(),
            Op::Constant(_, at) => format!("coordinate {at}"),
            Op::Broadcast(v) => format!("every {}", self.vars(&[*v])),
            Op::Repeat => format!("once per {}", self.innermost(node.inputs[1])),
            Op::Join { emit, keep } => self.join_words(node, emit, keep),
            Op::Locate(u, l) => format!("{}, {}", self.level(*u, *l, node.inputs[0]), self.level_kind(*u, *l)),
            Op::Place(u, l) => format!("{} level {l}, computed", self.used(*u)),
            Op::Within(v) => format!("below the size of {}", self.vars(&[*v])),
            Op::Span(v, ends) | Op::Between(v, ends) => format!("{} {}", self.vars(&[*v]), bounds(ends)),
            Op::Single => "each alone".into(),
            Op::Array(u) => format!("values of {}", self.used(*u)),
            Op::Tiles(u, _, l) => format!("{} level {l}, tiles to fetch", self.used(*u)),
            Op::Alu { fun, args, emit } => self.alu_words(n, *fun, args, *emit),
            Op::Reduce { op, kept } => {
                let cycles = fold_cycles(*op, self.ty(n));
                let cycles = cycles.map_or(String::new(), cycles_each);
                match self.reduced(node, *kept) {
                    (over, kept) if kept.is_empty() => format!("{} over {over}{cycles}", op.name()),
                    (over, kept) => format!("{} over {over}, for every {kept}{cycles}", op.name()),
                }
            }
            Op::Collapse(0) => format!("{} of lists", self.innermost(node.inputs[1])),
            Op::Collapse(size) => {
                let (outer, inner) = (self.innermost(node.inputs[0]), self.innermost(node.inputs[1]));
                format!("key = {outer} * {size} + {inner}")
            }
            Op::Divide(size) => format!("key / {size} and key % {size}"),
            Op::Unpack(kind) => format!("{} to {}", kind.scanned(), self.innermost(node.inputs[0])),
            Op::Origin => "blocks to intervals".into(),
            Op::Expand { .. } => format!("intervals to {}", self.innermost(node.inputs[0])),
            Op::Pack(u, l) => format!("{} to {}s", self.innermost(node.inputs[0]), self.level_kind(*u, *l)),
            Op::Prefix { how, .. } => {
                let along = self.innermost(node.inputs[0]);
                format!("{} of all up to each {along}{}", how.name(), self.prefix_cycles(n, how))
            }
            Op::Measure(what) => {
                let what = match what {
                    Measured::Length => "length of each",
                    Measured::Parity => "whether the length of each is odd",
                    Measured::First => "first of each",
                };
                format!("interval of {}: {what}", self.innermost(node.inputs[0]))
            }
            Op::Exit(watched, value) => {
                let what = match watched {
                    Watched::Alone => "that has a",
                    Watched::Or => "whose bits make",
                    Watched::And => "whose common bits are",
                    Watched::Sum => "whose sum reaches",
                };
                format!("ends the fiber of a list {what} {}", self.ty(n).show(*value))
            }
            Op::Zip => "two streams of one shape as one".into(),
            Op::Drop { list: true, .. } => {
                format!("{} without those whose list is empty", self.innermost(node.inputs[0]))
            }
            Op::Drop { explicit: Some(v), .. } => {
                let value = self.ty(n).show(*v);
                format!("{} without those that have no leaf, or {value}", self.innermost(node.inputs[0]))
            }
            Op::Drop { .. } => format!("{} without those that have no leaf", self.innermost(node.inputs[0])),
            Op::Deal { copies, .. } => format!("each {} to one of {copies} copies", self.innermost(node.inputs[0])),
            Op::Stitch { .. } => "sums at the borders of lanes, whole".into(),
            Op::Serialize { .. } => format!("per {} from its copy", self.innermost(node.inputs[0])),
            Op::WriteLevel { level: (u, l), seg_height, skip_empty, .. } => {
                let (what, _) = self.graph().uses[u.0].levels[*l].drawn(*seg_height > 0);
                let skip = if *skip_empty { ", empty lists left out" } else { "" };
                format!("{what} of {}{skip}", self.written(*u, *l, node.inputs[0]))
            }
            Op::WriteValues { of, scatter: Some(op), .. } => {
                format!("values of {}, scattered, by {}", self.used(*of), op.name())
            }
            Op::WriteValues { of, skip_empty, .. } => {
                format!("values of {}{}", self.used(*of), if *skip_empty { ", empty chunks left out" } else { "" })
            }
        }
    }

    /// Describes the node in a few words that fit into its box.
    pub fn caption(&self, n: NodeId) -> String {
        let node = self.graph().node(n);
        match &node.op {
            Op::Root => "0".into(),
            Op::Scan(u, l) | Op::ScanGroup(u, l) | Op::ScanPart(u, l, ..) | Op::Locate(u, l) => {
                format!("{} level {l}, {}", self.used(*u), self.level_kind(*u, *l))
            }
            Op::Join { emit, .. } => match self.set_operation(node, emit) {
                Some((_, symbol)) => self.operands(node).join(symbol),
                None => self.emit_condition(node, emit, SYMBOLS),
            },
            Op::Alu { fun: AluFun::Id, .. } => self.detail(n).trim_matches(['(', ')']).to_owned(),
            Op::Alu { fun, args, .. } => {
                self.formula(n, *fun, args, &|k, _, _| self.graph().value_name(node.inputs[k]))
            }
            Op::Reduce { op, kept } => match self.reduced(node, *kept) {
                (over, kept) if kept.is_empty() => format!("{} {over}", op.name()),
                (over, kept) => format!("{} {over} per {kept}", op.name()),
            },
            Op::Collapse(_) | Op::Divide(_) => "key".into(),
            Op::Unpack(_) => "unpack".into(),
            Op::Origin => "origin".into(),
            Op::Expand { .. } => "expand".into(),
            Op::Pack(..) => "pack".into(),
            Op::Prefix { how, .. } => format!("{} up to {}", how.name(), self.innermost(node.inputs[0])),
            Op::Measure(_) => node.op.kind().name().into(),
            Op::Exit(..) => "early exit".into(),
            Op::Zip => "pair".into(),
            Op::Drop { list, .. } => if *list { "empty lists" } else { "absent leaves" }.into(),
            Op::WriteLevel { level: (u, l), seg_height, .. } => {
                let (_, what) = self.graph().uses[u.0].levels[*l].drawn(*seg_height > 0);
                format!("{} level {l}, {what}", self.used(*u))
            }
            Op::WriteValues { of, .. } => format!("{} values", self.used(*of)),
            Op::Broadcast(_)
            | Op::Repeat
            | Op::Array(_)
            | Op::Tiles(..)
            | Op::Slice(_)
            | Op::Constant(..)
            | Op::Within(_)
            | Op::Span(..)
            | Op::Between(..)
            | Op::Single
            | Op::Place(..) => self.detail(n),
            Op::Stitch { .. } => "borders of lanes".into(),
            Op::Deal { .. } | Op::Serialize { .. } => self.detail(n),
        }
    }

    fn level_kind(&self, u: UseId, l: usize) -> &'static str {
        self.graph().uses[u.0].levels[l].name()
    }

    fn level(&self, u: UseId, l: usize, crd: StreamId) -> String {
        format!("{} level {l} ({})", self.used(u), self.innermost(crd))
    }

    /// The same of a level that is written: the loop over a list's index need not be the innermost one.
    fn written(&self, u: UseId, l: usize, crd: StreamId) -> String {
        match self.graph().stream(crd).payload {
            Payload::Crd(v) if self.graph().uses[u.0].levels[l].is_linked() => {
                format!("{} level {l} ({})", self.used(u), self.vars(&[v]))
            }
            _ => self.level(u, l, crd),
        }
    }

    /// The variable a reducer folds and those it keeps.
    fn reduced(&self, node: &Node, kept: usize) -> (String, String) {
        let over = &self.graph().stream(node.inputs[kept]).over;
        let at = over.len().saturating_sub(kept + 1);
        (self.vars(&over[at..=at]), self.vars(&over[at + 1..]))
    }

    /// Returns the names of a joiner's operands: their tensors, or nodes if the tensors are ambiguous.
    pub fn operands(&self, node: &Node) -> Vec<String> {
        let streams: Vec<StreamId> = node.inputs.iter().skip(1).step_by(2).copied().collect();
        let by_node = |s: StreamId| self.graph().node(self.graph().stream(s).from.0).name.clone();
        let mut names: Vec<String> = streams.iter().map(|&s| self.source(s)).collect();
        if (1..names.len()).any(|k| names[..k].contains(&names[k])) {
            names = streams.iter().map(|&s| by_node(s)).collect();
        }
        names
    }

    /// A joiner whose table is an intersection or union of all its operands.
    fn set_operation(&self, node: &Node, emit: &[u64]) -> Option<(&'static str, &'static str)> {
        let all = (1u64 << (node.inputs.len() / 2)) - 1;
        if (1..=all).all(|p| bit(emit, p) == (p == all)) {
            Some(("intersection", " ∩ "))
        } else {
            (1..=all).all(|p| bit(emit, p)).then_some(("union", " ∪ "))
        }
    }

    fn emit_condition(&self, node: &Node, emit: &[u64], style: Wording) -> String {
        condition(&self.operands(node), style, |_| true, |p| p != 0 && bit(emit, p))
    }

    fn join_words(&self, node: &Node, emit: &[u64], keep: &[Vec<u64>]) -> String {
        let names = self.operands(node);
        let mut text = match self.set_operation(node, emit) {
            Some((word, _)) => format!("{word} of {}", names.join(", ")),
            None => format!("where {}", self.emit_condition(node, emit, WORDS)),
        };
        for (k, table) in keep.iter().enumerate() {
            // A reference nobody reads is never kept; that says nothing.
            if self.readers[node.outputs[k + 1].0].is_empty() {
                continue;
            }
            let care = |p: u64| bit(emit, p) && p >> k & 1 == 1;
            match condition(&names, WORDS, care, |p| bit(table, p)) {
                always if always == "always" => {}
                when => text.push_str(&format!("; {} kept where {when}", names[k])),
            }
        }
        text
    }

    /// How many cycles each value of a scan takes, if more than one.
    fn prefix_cycles(&self, n: NodeId, how: &Prefix) -> String {
        let cycles = match how {
            Prefix::Fold(Operator::Call(f), Some(_)) => recurrence_pace(f.get()).map(|pace| pace.to_string()),
            Prefix::Fold(op, _) => fold_cycles(*op, self.ty(n)).map(cycles_each),
            Prefix::Least | Prefix::Greatest => None,
        };
        cycles.unwrap_or_default()
    }

    /// Type of the values that a node makes or takes.
    fn ty(&self, n: NodeId) -> Type {
        let own = self.graph().value_type(n);
        own.unwrap_or(self.lowered.kernel.statements[self.graph().node(n).stage].ty)
    }

    /// Type of operand `k` of an ALU.
    fn from(&self, n: NodeId, fun: AluFun, k: usize) -> Type {
        match fun {
            AluFun::Convert(from) | AluFun::Truth(_, from) => from,
            AluFun::Product(from) => from[k.min(1)],
            _ => self.ty(n),
        }
    }

    fn alu_words(&self, n: NodeId, fun: AluFun, args: &[Arg], emit: u64) -> String {
        let (node, ty) = (self.graph().node(n), self.ty(n));
        let names: Vec<String> = node.inputs.iter().map(|&s| self.graph().value_name(s)).collect();
        let mut text = self.formula(n, fun, args, &|k, from, fill| {
            let optional = self.graph().stream(node.inputs[k]).may_be_empty;
            if optional { format!("({} else {})", names[k], from.show(fill)) } else { names[k].clone() }
        });
        let sure =
            |p: u64| (0..names.len()).all(|k| p >> k & 1 == 1 || self.graph().stream(node.inputs[k]).may_be_empty);
        match condition(&names, WORDS, |p| sure(p) && p != 0, |p| emit >> p & 1 == 1) {
            always if always == "always" => {}
            when => text.push_str(&format!(" where {when}")),
        }
        let second = args.get(1).and_then(|a| if let Arg::Const(v) = a { Some(*v) } else { None });
        if let Some(pace) = pace(fun, ty, second, self.lowered.kernel.division) {
            text.push_str(&pace.to_string());
        }
        text
    }

    /// The function with its arguments in place; `stream` writes stream operand k and its fill.
    fn formula(&self, n: NodeId, fun: AluFun, args: &[Arg], stream: &dyn Fn(usize, Type, u64) -> String) -> String {
        let mut next = 0;
        let texts = args.iter().enumerate().map(|(k, a)| match a {
            Arg::Const(v) => self.from(n, fun, k).show(*v),
            Arg::Stream(fill) => {
                next += 1;
                stream(next - 1, self.from(n, fun, k), *fill)
            }
        });
        let texts: Vec<String> = texts.collect();
        match fun {
            AluFun::Fun(Fun::Add) => texts.join(" + "),
            AluFun::Fun(Fun::Sub) => texts.join(" - "),
            AluFun::Fun(Fun::Mul) => texts.join(" * "),
            AluFun::Fun(Fun::Neg) => format!("-{}", texts.join(", ")),
            AluFun::Fun(f) => format!("{}({})", f.name(), texts.join(", ")),
            AluFun::Id | AluFun::Const => texts.join(", "),
            AluFun::Product(_) => match &texts[..] {
                [x] => format!("{}({x} * {x})", self.ty(n)),
                _ => format!("{}({})", self.ty(n), texts.join(" * ")),
            },
            AluFun::Truth(f, _) => format!("{}({}({}))", self.ty(n), f.name(), texts.join(", ")),
            AluFun::Convert(_) => format!("{}({})", self.ty(n), texts.join(", ")),
            AluFun::Call(f) => format!("{}({})", f.get().name, texts.join(", ")),
        }
    }
}

/// How many cycles each value takes, after what takes them.
fn cycles_each((least, most): (u64, u64)) -> String {
    format!(", {least} to {most} cycles for each value")
}

/// Between which bounds coordinates are.
fn bounds([lo, hi]: &[SpanEnd; 2]) -> String {
    let side = |end: &SpanEnd, [closed, open]: [&'static str; 2]| match end {
        SpanEnd::Level => None,
        SpanEnd::Closed => Some(closed),
        SpanEnd::Open => Some(open),
    };
    let sides = [side(lo, ["from a bound", "above a bound"]), side(hi, ["to a bound", "below a bound"])];
    let words: Vec<&str> = sides.into_iter().flatten().collect();
    words.join(" and ")
}
