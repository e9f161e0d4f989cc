//! Lanes over a sparse innermost index: `lanes = { j = W }` where one operand stores j compressed and the others are looked
//! up. The operand's entries are cut into W runs of equal length, whatever their rows; each lane multiplies and sums a run with memories
//! of its own, what is looked up being there once per lane. A row that goes over a border is made whole by the stitches
//! between the lanes; each lane stores the rows that begin in it.

use super::copies::{Rewrite, with_uses};
use crate::diag::Diagnostic;
use crate::graph::{Chunk, Graph, NodeId, Op, Payload, StreamId, UseId};
use crate::lower::Lowered;
use crate::stmt::{Fun, Kernel, LevelKind, TensorId, VarId};
use crate::types::Type;

/// The tensors that lanes cut into runs: of order 2, the inner index compressed and with lanes.
pub(super) fn cut(kernel: &Kernel) -> Vec<TensorId> {
    let laned = |v: VarId| {
        let name = &kernel.var(v).name;
        kernel.schedule.lanes.iter().any(|(of, n)| of.get_ref() == name && *n.get_ref() > 1)
    };
    let mut out = Vec::new();
    for s in &kernel.statements {
        for (t, indices) in kernel.accesses(s.value) {
            let tensor = kernel.tensor(t);
            let rows = [LevelKind::Dense, LevelKind::Compressed];
            if let ([outer, LevelKind::Compressed], [_, mode]) = (&tensor.levels[..], &tensor.mode_order[..])
                && rows.contains(outer)
                && laned(indices[*mode])
                && tensor.view.is_none()
                && kernel.statements.iter().all(|s| s.result != t)
            {
                out.push(t);
            }
        }
    }
    out
}

/// Gives `v`, which is summed, lanes over runs of entries where an operand stores it compressed; `false` where none does.
pub(super) fn apply(lowered: &mut Lowered, v: VarId, lanes: u64) -> Result<bool, Diagnostic> {
    let scans = |n: &&crate::graph::Node| {
        let dense = |u: UseId, l: usize| lowered.graph.uses[u.0].levels[l] == LevelKind::Dense;
        let at = |s: &StreamId| lowered.graph.stream(*s).over.last() == Some(&v);
        matches!(n.op, Op::Scan(u, l) | Op::ScanGroup(u, l) if !dense(u, l)) && n.outputs.iter().all(at)
    };
    let Some(stage) = lowered.graph.nodes.iter().find(scans).map(|n| n.stage) else { return Ok(false) };
    if lowered.kernel.statements[stage].indices.contains(&v) {
        return Ok(false);
    }
    let rows = Rows::new(lowered, v, stage)?;
    let graph = rows.rewrite(lanes);
    lowered.graph = graph;
    Ok(true)
}

/// A statement that sums rows.
struct Rows<'a> {
    graph: &'a Graph,
    stage: usize,
    /// The operand that is cut.
    operand: UseId,
    result: UseId,
    /// Coordinates of the rows.
    crd: StreamId,
    sum: NodeId,
}

impl<'a> Rows<'a> {
    fn new(lowered: &'a Lowered, v: VarId, stage: usize) -> Result<Self, Diagnostic> {
        let (graph, name) = (&lowered.graph, &lowered.kernel.var(v).name);
        let refuse = |why: String| {
            Err(Diagnostic::new("S020", format!("lanes over {name}, which is stored compressed: {why}"))
                .help("lanes cut a matrix whose rows are summed, y(i) = A(i,j) * x(j), i outside, x dense and located, y compressed")
                .help(format!("else make copies: parallel = {{ {name} = .. }}")))
        };
        let mine: Vec<NodeId> = (0..graph.nodes.len()).map(NodeId).filter(|n| graph.node(*n).stage == stage).collect();
        let statement = &lowered.kernel.statements[stage];
        let result = lowered.kernel.tensor(statement.result);
        if statement.indices.len() != 1 || statement.indices.contains(&v) {
            return refuse("the result needs exactly one index, another one".into());
        }
        if result.levels != [LevelKind::Compressed] {
            return refuse(format!("{} is not compressed, and every lane would store all of it", result.name));
        }
        if lowered
            .kernel
            .statements
            .iter()
            .any(|s| lowered.kernel.accesses(s.value).iter().any(|(t, _)| *t == statement.result))
        {
            return refuse(format!("{} is read on the chip, and lanes write it in parts", result.name));
        }
        let mut scanned: Vec<(UseId, usize, NodeId)> = Vec::new();
        let mut sums = Vec::new();
        let mut written = None;
        for &n in &mine {
            match &graph.node(n).op {
                Op::Scan(u, l) => scanned.push((*u, *l, n)),
                Op::Reduce { op: Fun::Add, kept: 0 } => sums.push(n),
                Op::WriteValues { of, .. } => written = Some(*of),
                Op::Root | Op::Repeat | Op::Locate(..) | Op::Array(_) | Op::Alu { .. } | Op::WriteLevel { .. } => {}
                other => return refuse(format!("it takes a {}", other.kind())),
            }
        }
        let ([(u, 0, row), (w, 1, _)], [sum], Some(of)) = (&scanned[..], &sums[..], written) else {
            return refuse("it takes one operand that is scanned, with rows outside, and one sum".into());
        };
        let wraps = |ty: Type| matches!(ty, Type::Int { saturating: false, .. });
        if u != w || !graph.value_type(*sum).is_some_and(wraps) || !wraps(statement.ty) {
            return refuse("parts of a sum are added in any order, and only whole numbers that wrap allow that".into());
        }
        let crd = graph.node(*row).outputs[0];
        let rows = Self { graph, stage, operand: *u, result: of, crd, sum: *sum };
        let val = graph.node(*sum).outputs[0];
        let behind = |n: &&NodeId| **n > *sum && graph.node(**n).stage == stage;
        let whole = |s: &StreamId| *s == crd || graph.stream(*s).from.0 >= *sum;
        if graph.stream(val).may_be_empty
            || !mine.iter().filter(behind).all(|n| graph.node(*n).inputs.iter().all(whole))
        {
            return refuse("its sums meet something else before they are stored".into());
        }
        Ok(rows)
    }

    fn rewrite(&self, lanes: u64) -> Graph {
        let graph = self.graph;
        let mut w = Rewrite::new(graph, lanes as usize);
        let uses: Vec<[UseId; 2]> = (0..lanes).map(|at| self.parts(&mut w, at, lanes)).collect();
        for n in (0..graph.nodes.len()).map(NodeId) {
            let node = graph.node(n);
            if node.stage != self.stage || node.op == Op::Root {
                w.keep(n);
                continue;
            }
            for (c, [operand, result]) in uses.iter().enumerate() {
                let of = |u: UseId| {
                    if u == self.operand {
                        *operand
                    } else if u == self.result {
                        *result
                    } else {
                        u
                    }
                };
                w.copy(n, c, with_uses(&node.op, of), |s| {
                    let mut s = s.clone();
                    if let Payload::Ref(u, _) = &mut s.payload {
                        *u = of(*u);
                    }
                    s
                });
            }
            if n == self.sum {
                self.stitch(&mut w);
            }
        }
        w.new
    }

    /// Lane `at`'s run of the operand and its part of the result.
    fn parts(&self, w: &mut Rewrite, at: u64, lanes: u64) -> [UseId; 2] {
        [self.operand, self.result].map(|u| {
            let mut used = self.graph.uses[u.0].clone();
            used.name = format!("{}_l{at}", used.name);
            used.chunk = (u == self.operand).then_some(Chunk { at, chunks: lanes });
            let id = if at == 0 { u } else { UseId(w.new.uses.len()) };
            if at == 0 {
                w.new.uses[u.0] = used;
            } else {
                w.new.uses.push(used);
            }
            id
        })
    }

    /// Between the lanes' sums and what stores them: from the last lane to the first.
    fn stitch(&self, w: &mut Rewrite) {
        let val = self.graph.node(self.sum).outputs[0];
        let (over, values) = (self.graph.stream(val).over.clone(), self.graph.stream(val).payload);
        let (crd_payload, last) = (self.graph.stream(self.crd).payload, w.copies.len() - 1);
        let pair = || [(crd_payload, over.clone(), true), (values, over.clone(), false)];
        let mut back: Vec<StreamId> = vec![];
        for c in (0..=last).rev() {
            let (crd, sum) = w.paired(w.copies[c][&self.crd], w.copies[c][&val], self.stage);
            let op = Op::Stitch { next: c < last, prev: c > 0 };
            let outputs = if c > 0 { pair().into_iter().chain(pair()).collect() } else { pair().to_vec() };
            let inputs = [crd, sum].into_iter().chain(back).collect();
            let out = w.new.add(format!("stitch_l{c}"), op, inputs, outputs, self.stage);
            w.copies[c].insert(self.crd, out[0]);
            w.copies[c].insert(val, out[1]);
            back = out[2..].to_vec();
        }
    }
}
