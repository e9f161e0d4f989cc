//! Groups of statements that run at the same time: a statement can start before an earlier result is complete
//! if its requests wait for the words.
//!
//! Writers append, so the memory of a result fills from its first word. A reader that follows asks
//! through a [`Follower`](samhw_primitives::memories::follower::Follower), which lets a request pass
//! when its words are there. Writers wait for nobody, so whoever follows ends, too.

use super::realize::NetlistBuilder;
use super::{Cell, CellId, CellPlace, End, Select, StatementTokens};
use crate::graph::{How, Node, NodeId, Op};
use crate::lower::Lowered;
use crate::stmt::TensorId;
use samhw_primitives::flow::barrier::Barrier;
use samhw_streams::{Dir, Role};
use std::ops::Range;
use std::sync::Arc;

/// A group of statements that start together; the next group starts when all of them are done.
pub type StatementGroup = Range<usize>;

/// The tensor that node `n` reads on the chip, with the statement that writes it.
pub(crate) fn source(lowered: &Lowered, node: &Node) -> Option<(TensorId, usize)> {
    let access = node.op.access().filter(|a| matches!(a.how, How::Scan | How::Locate | How::Read | How::Fetch))?;
    let t = lowered.kernel.base(lowered.graph.uses[access.of.0].tensor);
    Some((t, lowered.kernel.written_before(node.stage, t)?))
}

/// Whether readers of `t` follow its writer, as far as the schedule says.
pub(crate) fn fused(lowered: &Lowered, t: TensorId) -> bool {
    let name = &lowered.kernel.tensor(t).name;
    let temporary = lowered.temporaries.contains(&t);
    // What follows a place in a list is not known before the list is complete.
    if lowered.kernel.tensor(t).levels.iter().any(|l| l.is_linked()) {
        return false;
    }
    lowered
        .kernel
        .schedule
        .fuse
        .as_ref()
        .is_none_or(|all| all.iter().any(|(named, _)| named.get_ref() == name) || temporary && !all.is_empty())
}

/// Whether a node follows the writer of what it reads: its requests wait before they come to the memory, so others that
/// share it are not held back.
pub(super) fn follows(lowered: &Lowered, node: &Node) -> bool {
    source(lowered, node).is_some_and(|(t, _)| fused(lowered, t))
}

/// Divides all statements into groups.
pub fn groups(lowered: &Lowered) -> Vec<StatementGroup> {
    let mut groups: Vec<StatementGroup> = Vec::new();
    let nothing = lowered.kernel.schedule.fuse.as_ref().is_some_and(Vec::is_empty);
    for stage in 0..lowered.kernel.statements.len() {
        let mut nodes = lowered.graph.nodes.iter().filter(|n| n.stage == stage);
        let Some(last) = groups.last_mut().filter(|_| !nothing) else {
            groups.push(stage..stage + 1);
            continue;
        };
        let waits = |n: &Node| source(lowered, n).is_some_and(|(_, w)| last.contains(&w) && !follows(lowered, n));
        if nodes.any(waits) {
            groups.push(stage..stage + 1);
        } else {
            last.end = stage + 1;
        }
    }
    groups
}

/// Describes the groups for `samhw graph`.
pub fn said(lowered: &Lowered) -> Vec<String> {
    let (kernel, groups) = (&lowered.kernel, groups(lowered));
    let mut out = Vec::new();
    for group in groups.iter().filter(|g| g.len() > 1) {
        let names: Vec<&str> =
            group.clone().map(|s| kernel.tensor(kernel.statements[s].result).name.as_str()).collect();
        out.push(format!("statements of {} run at the same time", names.join(", ")));
        let mut pairs: Vec<(TensorId, usize)> = Vec::new();
        for node in lowered.graph.nodes.iter().filter(|n| group.contains(&n.stage) && follows(lowered, n)) {
            let pair = source(lowered, node).filter(|(_, w)| group.contains(w)).map(|(t, _)| (t, node.stage));
            pairs.extend(pair.filter(|p| !pairs.contains(p)));
        }
        for (t, stage) in pairs {
            let (read, by) = (&kernel.tensor(t).name, &kernel.tensor(kernel.statements[stage].result).name);
            out.push(format!("{by} reads {read} while it is written, each word as soon as it is there"));
        }
    }
    out
}

impl NetlistBuilder<'_> {
    /// Whether node `n` scans the outermost level of what is written meanwhile, coordinate by coordinate, or run by run:
    /// how long that list is is stored behind it.
    pub(super) fn grows(&self, n: NodeId) -> bool {
        let (graph, node) = (self.graph(), self.graph().node(n));
        let Op::Scan(u, 0) = node.op else { return false };
        let (used, joins) = (&graph.uses[u.0], &graph.joins);
        let plain = (used.levels[0].lists_coordinates() || used.levels[0].in_runs())
            && !used.is_backwards(0)
            && !joins.until.contains_key(&n)
            && !joins.skipping.scans.contains_key(&n)
            && [&joins.words, &joins.wide].iter().all(|grouped| !grouped.scans.contains_key(&n));
        let writer = source(self.lowered, node).filter(|_| plain && follows(self.lowered, node));
        writer.is_some_and(|(_, writer)| self.run_together(node.stage, writer))
    }

    /// Whether these statements run at the same time.
    pub(super) fn run_together(&self, stage: usize, other: usize) -> bool {
        self.groups.iter().any(|group| group.contains(&stage) && group.contains(&other))
    }

    /// Connects start and done tokens: each group begins when the one before it has finished, and is over
    /// when every writer has.
    pub(super) fn sequence(&mut self) {
        let groups = self.groups.clone();
        let mut token = self.begin_round();
        for (number, group) in groups.into_iter().enumerate() {
            let nodes = &self.graph().nodes;
            let inside = |n: &usize| group.contains(&nodes[*n].stage);
            // Statements that share what they scan have one root.
            let roots = (0..nodes.len()).filter(inside).filter(|&n| nodes[n].op == Op::Root);
            let roots: Vec<CellId> = roots.map(CellId).collect();
            let written = |s: &usize| nodes.iter().any(|n| n.stage == *s && n.op.written().is_some());
            let stages: Vec<usize> = group.clone().filter(written).collect();
            token = match (&roots[..], &stages[..]) {
                ([], _) => token,
                (&[root], &[stage]) => {
                    self.begin(stage, token, root);
                    let end = self.finish(stage);
                    self.net.statements.push(StatementTokens { stage, group: number, begin: root, end });
                    Some((end, 0))
                }
                _ => Some(self.together(number, &roots, &stages, token)),
            };
        }
        let done = self.end_round(token);
        self.net.done = Some(self.net.channels.len());
        self.token("done".into(), done, None);
    }

    fn begin(&mut self, stage: usize, token: Option<End>, root: CellId) {
        let name = if token.is_none() { "start".into() } else { format!("start_{stage}") };
        self.token(name, token, Some((root, 0)));
    }

    /// Begins several statements when every follower knows that nothing is written yet; the token when all
    /// are over.
    fn together(&mut self, group: usize, roots: &[CellId], stages: &[usize], token: Option<End>) -> End {
        let first = stages[0];
        let mine = |f: &(CellId, usize)| stages.contains(&f.1);
        let followers: Vec<(CellId, usize)> = self.followers.iter().copied().filter(mine).collect();
        let begin = self.barrier(format!("begin_{first}"), 1, first);
        let name = if token.is_none() { "start".into() } else { format!("start_{first}") };
        self.token(name, token, Some((begin, 0)));
        let mut ready = (begin, 0);
        if !followers.is_empty() {
            let port = |b: &Self, f: CellId, dir, name: &str| (f, b.net.cell(f).primitive.handshake(dir, name));
            let ends = followers.iter().map(|&(f, _)| (port(self, f, Dir::In, "begin"), Select::All)).collect();
            self.fan_out(ready, ends, Default::default(), first);
            let begun = self.barrier(format!("begun_{first}"), followers.len(), first);
            for (k, &(f, _)) in followers.iter().enumerate() {
                let name = format!("{}_begun", self.net.cell(f).name);
                self.token(name, Some(port(self, f, Dir::Out, "begun")), Some((begun, k)));
            }
            ready = (begun, 0);
        }
        let starts = roots.iter().map(|&root| ((root, 0), Select::All)).collect();
        self.fan_out(ready, starts, Default::default(), first);
        let mut over: Vec<End> = Vec::new();
        for &stage in stages {
            let finish = self.finish(stage);
            let own = roots.iter().find(|root| self.graph().nodes[root.0].stage == stage);
            if let Some(&begin) = own.or(roots.first()) {
                self.net.statements.push(StatementTokens { stage, group, begin, end: finish });
            }
            let behind: Vec<CellId> = followers.iter().filter(|f| f.1 == stage).map(|f| f.0).collect();
            if behind.is_empty() {
                over.push((finish, 0));
                continue;
            }
            let port = |b: &Self, f: CellId, dir, name: &str| (f, b.net.cell(f).primitive.handshake(dir, name));
            let ends = behind.iter().map(|&f| (port(self, f, Dir::In, "finished"), Select::All)).collect();
            self.fan_out((finish, 0), ends, Default::default(), stage);
            over.extend(behind.into_iter().map(|f| port(self, f, Dir::Out, "opened")));
        }
        let all = self.barrier(format!("over_{first}"), over.len(), first);
        for (k, from) in over.into_iter().enumerate() {
            let name = format!("{}_over", self.net.cell(from.0).name);
            self.token(name, Some(from), Some((all, k)));
        }
        (all, 0)
    }

    /// What tells that every writer of a statement has finished.
    fn finish(&mut self, stage: usize) -> CellId {
        let finished: Vec<End> = (0..self.graph().nodes.len())
            .filter(|&n| self.graph().nodes[n].stage == stage)
            .filter_map(|n| {
                let ports = self.net.handshakes(CellId(n), Dir::Out);
                ports.iter().position(|p| p.role == Role::Finished).map(|p| (CellId(n), p))
            })
            .collect();
        let barrier = self.barrier(format!("finish_{stage}"), finished.len(), stage);
        for (k, from) in finished.into_iter().enumerate() {
            let name = format!("{}_finished", self.net.cell(from.0).name);
            self.token(name, Some(from), Some((barrier, k)));
        }
        barrier
    }

    fn barrier(&mut self, name: String, inputs: usize, stage: usize) -> CellId {
        let cell = CellId(self.net.cells.len());
        let primitive = Arc::new(Barrier { inputs: inputs as u32 });
        self.net.cells.push(Cell { name, primitive, config: vec![], place: CellPlace::Core, stage });
        cell
    }
}
