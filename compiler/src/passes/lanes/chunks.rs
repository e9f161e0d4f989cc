//! Lanes over a sparse index: `lanes = { j = W }` where one operand stores j compressed and innermost and alone
//! determines the coordinates; the others are located. The operand's entries are cut into W runs of equal length,
//! whatever their rows; each lane is the whole kernel on a run with memories of its own, what is looked up being there
//! once per lane.
//!
//! What nothing of the operand is summed for, each lane stores by itself. Of sums, a row that goes over a border is made whole by the
//! stitches between the lanes, and each lane stores the rows that begin in it. A sum over all entries is combined by a tree.

use crate::diag::Diagnostic;
use crate::facts::identity;
use crate::graph::{Chunk, Graph, Leaves, NodeId, Op, Payload, StreamId, UseId};
use crate::lower::Lowered;
use crate::passes::copies::Rewrite;
use crate::stmt::{Operator, Statement, VarId};
use std::collections::HashMap;

/// Gives `v` lanes over runs of entries where an operand stores it sparse; `false` where none does, or its coordinates
/// are dealt.
pub(super) fn apply(lowered: &mut Lowered, v: VarId, lanes: u64) -> Result<bool, Diagnostic> {
    if lowered.kernel.dealt.contains(&v) {
        return Ok(false);
    }
    let graph = &lowered.graph;
    let leads = |n: &&crate::graph::Node| {
        let (Op::Scan(u, l) | Op::ScanGroup(u, l)) = n.op else { return false };
        let levels = &graph.uses[u.0].levels;
        let inner = l + 1 == levels.len() && !levels[l].is_dense();
        inner && graph.stream(n.outputs[0]).payload == Payload::Crd(v)
    };
    let Some(stage) = graph.nodes.iter().find(leads).map(|n| n.stage) else { return Ok(false) };
    let rows = Runs::new(lowered, v, stage)?;
    let graph = rows.rewrite(lanes);
    lowered.graph = graph;
    Ok(true)
}

/// What becomes of the operand's indices.
enum IndexEnds {
    /// All are the result's.
    Stored,
    /// This reduction ends rows, which have coordinates of their own.
    Rows(NodeId, StreamId, Operator),
    /// This reduction ends all.
    All(NodeId, Operator),
}

/// A statement that runs over the entries of one operand.
struct Runs<'a> {
    lowered: &'a Lowered,
    stage: usize,
    /// The operand that is cut.
    operand: UseId,
    /// The result's parts: other lanes may have made several of it.
    results: Vec<UseId>,
    ends: IndexEnds,
}

impl<'a> Runs<'a> {
    fn new(lowered: &'a Lowered, v: VarId, stage: usize) -> Result<Self, Diagnostic> {
        let (graph, name) = (&lowered.graph, &lowered.kernel.var(v).name);
        let refuse = |why: String| {
            Err(Diagnostic::new("S020", format!("lanes over {name}, which is stored sparse: {why}"))
                .help("lanes cut an operand that alone decides which coordinates count, as A in y(i) = A(i,j) * x(j) with x dense and located")
                .help(format!("or make copies: parallel = {{ {name} = .. }}")))
        };
        let mine: Vec<NodeId> = (0..graph.nodes.len()).map(NodeId).filter(|n| graph.node(*n).stage == stage).collect();
        let statement = &lowered.kernel.statements[stage];
        let result = lowered.kernel.tensor(statement.result);
        let mut all = lowered.kernel.statements.iter();
        let read = |s: &Statement| lowered.kernel.reads(s.value).iter().any(|(t, _)| *t == statement.result);
        if all.any(read) || lowered.kernel.read_again(stage) {
            return refuse(format!("{} is read on the chip, and lanes write it in parts", result.name));
        }
        // The operand, and the coordinates of its levels.
        let coordinates = |n: NodeId| match graph.stream(*graph.node(n).outputs.first()?).payload {
            Payload::Crd(v) => Some(v),
            _ => None,
        };
        let scan = |n: &NodeId| {
            let Op::Scan(u, l) = graph.node(*n).op else { return None };
            (coordinates(*n) == Some(v) && graph.uses[u.0].levels[l].lists_coordinates()).then_some((u, l))
        };
        let Some((operand, last)) = mine.iter().find_map(scan) else {
            return refuse("its level repeats coordinates".into());
        };
        let tensor = graph.uses[operand.0].tensor;
        let cut = &graph.uses[operand.0].name;
        if let Some(from) = lowered.kernel.carried(tensor) {
            return refuse(format!("rounds carry {} to {cut}, which the host cuts", lowered.kernel.tensor(from).name));
        }
        if lowered.kernel.statements.iter().any(|s| s.result == lowered.kernel.base(tensor)) {
            return refuse(format!("{cut} is not an operand, which the host could cut"));
        }
        if last + 1 != graph.uses[operand.0].levels.len() || graph.uses[operand.0].chunk.is_some() {
            return refuse(format!("it is not the innermost level of {cut}"));
        }
        let of_level = |l| mine.iter().filter(move |n| graph.node(**n).op == Op::Scan(operand, l));
        let levels: Vec<Vec<NodeId>> = (0..=last).map(|l| of_level(l).copied().collect()).collect();
        let mut vars = Vec::new();
        for level in &levels {
            let [one] = level[..] else {
                return refuse("an outer level of it is located, cut or scanned more than once".into());
            };
            vars.extend(coordinates(one));
        }
        // Coordinates of the operand come from nowhere else.
        for &n in &mine {
            let node = graph.node(n);
            let own = coordinates(n).is_some_and(|v| vars.contains(&v));
            let other = !matches!(node.op, Op::Drop { .. } | Op::Repeat | Op::Root)
                && !matches!(node.op, Op::Scan(u, _) if u == operand);
            if own && other {
                return refuse(match node.op.access() {
                    Some(access) => format!("{} has coordinates of {cut}, too", graph.uses[access.of.0].name),
                    None => format!("conditions or other operands also decide which coordinates of {cut} count"),
                });
            }
            if matches!(node.op, Op::Exit(..)) {
                return refuse("a reduction ends as soon as its value is known".into());
            }
            if matches!(node.op, Op::Deal { .. } | Op::Serialize { .. } | Op::Stitch { .. }) {
                return refuse("another index has copies or lanes".into());
            }
        }
        let written = mine.iter().filter_map(|n| graph.node(*n).op.written());
        let results: Vec<UseId> = written.collect();
        if results.is_empty() {
            return refuse("it stores nothing".into());
        }
        if lowered.temporaries.contains(&statement.result) {
            return refuse("an intermediate result must be stored and read again".into());
        }
        let ends = match Self::ends(lowered, &mine, operand, &vars) {
            Ok(ends) => ends,
            Err(why) => return refuse(why),
        };
        let levels = &result.levels;
        if !matches!(ends, IndexEnds::All(..)) && (levels.is_empty() || levels.iter().any(|l| l.is_dense())) {
            return refuse(format!("{} has dense levels, and every lane would store all of it", result.name));
        }
        if matches!(ends, IndexEnds::Stored) && !vars.iter().all(|v| statement.indices.contains(v)) {
            return refuse("its entries are combined before they are stored".into());
        }
        Ok(Self { lowered, stage, operand, results, ends })
    }

    /// How the reductions over the operand's indices `vars` end, or why they cannot be done in parts.
    fn ends(lowered: &Lowered, mine: &[NodeId], operand: UseId, vars: &[VarId]) -> Result<IndexEnds, String> {
        let graph = &lowered.graph;
        let over = |s: StreamId| &graph.stream(s).over;
        let mut sums: Vec<(NodeId, Operator)> = Vec::new();
        for &n in mine {
            let node = graph.node(n);
            let Op::Reduce { op, kept } = node.op else { continue };
            let val = node.inputs[kept];
            if !over(val).iter().any(|v| vars.contains(v) && !over(node.outputs[kept]).contains(v)) {
                continue;
            }
            if kept > 0 {
                return Err("the rows that are summed have coordinates further inside".into());
            }
            match sums.last() {
                Some((below, other)) if graph.stream(val).from.0 != *below || *other != op => {
                    return Err("a sum of sums has another operation in between".into());
                }
                _ => sums.push((n, op)),
            }
        }
        let Some(&(sum, op)) = sums.last() else { return Ok(IndexEnds::Stored) };
        let val = graph.node(sum).outputs[0];
        match over(val).len() {
            0 if op.commutes() => Ok(IndexEnds::All(sum, op)),
            0 => Err(format!("{} does not commute", op.name())),
            1 if graph.stream(val).may_be_empty => Err("a row's sum can be empty".into()),
            1 => {
                let row = |n: &&NodeId| {
                    graph.node(**n).op == Op::Scan(operand, 0)
                        && **n < sum
                        && over(graph.node(**n).outputs[0]) == over(val)
                };
                let Some(row) = mine.iter().find(row) else { return Err("its rows have no coordinates".into()) };
                let crd = graph.node(*row).outputs[0];
                let behind = |n: &&NodeId| **n > sum;
                let whole = |s: &StreamId| *s == crd || graph.stream(*s).from.0 >= sum;
                match mine.iter().filter(behind).all(|n| graph.node(*n).inputs.iter().all(whole)) {
                    true => Ok(IndexEnds::Rows(sum, crd, op)),
                    false => Err("its sums are combined with other values before they are stored".into()),
                }
            }
            _ => Err("rows of more than one index are summed: only an index right below the first one can be".into()),
        }
    }

    fn rewrite(&self, lanes: u64) -> Graph {
        let graph = &self.lowered.graph;
        let mut w = Rewrite::new(graph, lanes as usize);
        let uses: Vec<HashMap<UseId, UseId>> = (0..lanes).map(|at| self.parts(&mut w, at, lanes)).collect();
        let lead = matches!(self.ends, IndexEnds::All(..)).then(|| self.leads());
        for n in (0..graph.nodes.len()).map(NodeId) {
            let node = graph.node(n);
            let beside = lead.as_ref().is_some_and(|lead| !lead[n.0]);
            if node.stage != self.stage || node.op == Op::Root || beside {
                w.keep(n);
                continue;
            }
            for (c, parts) in uses.iter().enumerate() {
                let of = |u: UseId| parts.get(&u).copied().unwrap_or(u);
                w.copy(n, c, node.op.with_use(of), |s| {
                    let mut s = s.clone();
                    if let Payload::Ref(u, _) = &mut s.payload {
                        *u = of(*u);
                    }
                    s
                });
            }
            match self.ends {
                IndexEnds::Rows(sum, crd, op) if n == sum => self.stitch(&mut w, sum, crd, op),
                IndexEnds::All(sum, op) if n == sum => {
                    let ty = graph.value_type(n).unwrap_or(self.lowered.kernel.statements[self.stage].ty);
                    w.combine(n, op, identity(op, ty));
                }
                _ => {}
            }
        }
        w.new
    }

    /// Per node whether it leads from the operand's entries to the sum of all of them: next to it there may be sums of others.
    fn leads(&self) -> Vec<bool> {
        let graph = &self.lowered.graph;
        let from = |s: &StreamId| graph.stream(*s).from.0;
        let mut behind = vec![false; graph.nodes.len()];
        for (n, node) in graph.nodes.iter().enumerate() {
            behind[n] = node.op == Op::Scan(self.operand, 0) || node.inputs.iter().any(|s| behind[from(s).0]);
        }
        let mut before = vec![false; graph.nodes.len()];
        if let IndexEnds::All(sum, _) = self.ends {
            before[sum.0] = true;
        }
        for n in (0..graph.nodes.len()).rev() {
            if before[n] {
                graph.nodes[n].inputs.iter().for_each(|s| before[from(s).0] = true);
            }
        }
        behind.into_iter().zip(before).map(|(a, b)| a && b).collect()
    }

    /// Lane `at`'s run of the operand and its parts of the result.
    fn parts(&self, w: &mut Rewrite, at: u64, lanes: u64) -> HashMap<UseId, UseId> {
        let results = self.results.iter().filter(|_| !matches!(self.ends, IndexEnds::All(..)));
        let each = |&u: &UseId| {
            let mut used = self.lowered.graph.uses[u.0].clone();
            used.name = format!("{}_l{at}", used.name);
            used.chunk = (u == self.operand).then_some(Chunk { at, chunks: lanes });
            let id = if at == 0 { u } else { UseId(w.new.uses.len()) };
            if at == 0 {
                w.new.uses[u.0] = used;
            } else {
                w.new.uses.push(used);
            }
            (u, id)
        };
        [&self.operand].into_iter().chain(results).map(each).collect()
    }

    /// Between the lanes' sums and what stores them: from the last lane to the first.
    fn stitch(&self, w: &mut Rewrite, sum: NodeId, crd: StreamId, op: Operator) {
        let graph = &self.lowered.graph;
        let val = graph.node(sum).outputs[0];
        let (over, values) = (graph.stream(val).over.clone(), graph.stream(val).payload);
        let (crd_payload, last) = (graph.stream(crd).payload, w.copies.len() - 1);
        let pair = || [Leaves::absent(crd_payload, over.clone()), Leaves::sure(values, over.clone())];
        let mut back: Vec<StreamId> = vec![];
        for c in (0..=last).rev() {
            let (own, sum) = w.paired(w.copies[c][&crd], w.copies[c][&val], self.stage);
            let op = Op::Stitch { op, next: c < last, prev: c > 0 };
            let outputs = if c > 0 { pair().into_iter().chain(pair()).collect() } else { pair().to_vec() };
            let inputs = [own, sum].into_iter().chain(back).collect();
            let out = w.new.add(format!("stitch_l{c}"), op, inputs, outputs, self.stage);
            w.copies[c].insert(crd, out[0]);
            w.copies[c].insert(val, out[1]);
            back = out[2..].to_vec();
        }
    }
}
