//! From the last loop to memory: droppers of empty coordinates, positions in dense levels, and writers for every array
//! of the result.

use super::region::Region;
use super::tree::Tree;
use super::{Lowering, Stop};
use crate::diag::Diagnostic;
use crate::facts::identity;
use crate::graph::{Leaves, Op, Payload, StreamId, UseId};
use crate::levels::{self, LevelKind};
use crate::operator::Operator;
use crate::stmt::{Expr, ExprId, Fun, Kernel, Statement, TensorId, VarId};
use crate::types::Type;
use std::collections::BTreeSet;

/// The result's streams without what is not stored.
struct Cleaned {
    /// Coordinates of each level without those below which nothing is left.
    own: Vec<StreamId>,
    /// `own`, also without the lists whose parent coordinate was dropped.
    full: Vec<StreamId>,
    /// Values aligned with the last level of `own`.
    val: StreamId,
}

impl Lowering<'_> {
    /// The loops of the statement. Where the result has another fill than the expression `t` they
    /// visit every coordinate, and what the expression leaves out is written, too.
    pub(super) fn everywhere_if_forced(&mut self, t: &Tree, free: &[VarId]) -> Result<Region, Stop> {
        let (statement, forced) = (self.statement, self.statement.settled.forced);
        match t {
            // A reduction over a loop around those of the result would have to visit every
            // coordinate in each round.
            Tree::Reduce(_, k, _, e) if forced && free.iter().any(|v| self.position[v] > self.position[k]) => {
                return Err(Stop::Materialize(*e));
            }
            _ => {}
        }
        let mut region = self.lower(t, free, forced)?;
        if forced {
            let fill = statement.settled.fill.unwrap_or_else(|| self.absent(t));
            region.val = self.filled(region.val, fill);
            let tensor = self.kernel.tensor(statement.result);
            let show = |raw: Option<u64>| raw.map_or_else(String::new, |raw| tensor.ty.show(raw));
            self.notes.push(format!(
                "every coordinate of {} is visited: its fill is {}, and the expression is {} where nothing is stored",
                tensor.name,
                show(tensor.fill),
                show(Some(fill))
            ));
        }
        Ok(region)
    }

    /// Writes the region that ranges over `free` to the statement's result. `everywhere`: it is
    /// there at every coordinate, and its value where it went over no coordinates.
    pub(super) fn write(&mut self, free: &[VarId], region: Region, everywhere: Option<u64>) -> Result<(), Stop> {
        let statement = self.statement;
        let tensor = self.kernel.tensor(statement.result);
        if let Some(scattered) = self.scattered.take() {
            let used = self.add_use(statement.result, tensor.levels.clone(), tensor.mode_order.clone(), false);
            self.scatter(scattered, used, region);
            return Ok(());
        }
        let order: Vec<VarId> = tensor.mode_order.iter().map(|&m| statement.indices[m]).collect();
        if !self.writable(&order, free) {
            let names = |v: &[VarId]| v.iter().map(|&x| self.kernel.var(x).name.clone()).collect::<Vec<_>>().join(", ");
            return Err(Stop::Refuse(
                Diagnostic::new(
                    "S002",
                    format!("the loop order {} contradicts the storage of result {}", names(free), tensor.name),
                )
                .help(format!("{} is stored {} outermost first", tensor.name, names(&order)))
                .help("choose another order, or another mode_order for the result"),
            ));
        }
        let kinds = tensor.levels.clone();
        if let Some(l) = levels::lone_singleton(&kinds) {
            return Err(Stop::Refuse(
                Diagnostic::new(
                    "S003",
                    format!("level {l} of result {} is a singleton below a level with unique coordinates", tensor.name),
                )
                .help("such a level holds exactly one entry per parent, which a result cannot promise")
                .help("use compressed, or coo (compressed_nu, then singleton)"),
            ));
        }
        let used = self.add_use(statement.result, kinds.clone(), tensor.mode_order.clone(), false);
        let fill = tensor.fill.or(statement.settled.fill);
        let pruned = if let (true, Some(fill)) = (tensor.prune, fill) { Some(self.pruned(fill)?) } else { None };
        let Region { crds: raw, mut val } = region;
        let drops = kinds.iter().any(|k| !k.is_dense()) && self.graph.stream(val).may_be_empty;
        if let (true, Some(value)) = (drops, everywhere) {
            val = self.filled(val, value);
        }
        let levels = self.drop_empty(&kinds, &raw, val, pruned);
        self.write_arrays((used, &order), &kinds, &raw, &levels);
        Ok(())
    }

    /// Whether loops over `free` write levels of these variables: in the order of storage, except those of a
    /// linked list and of what is above it, which may come in any order before the others.
    fn writable(&self, order: &[VarId], free: &[VarId]) -> bool {
        let levels = &self.kernel.tensor(self.statement.result).levels;
        let any = levels.iter().position(|kind| kind.is_linked()).map_or(0, |l| l + 1);
        order.len() == free.len() && order[any..] == free[any..] && order[..any].iter().all(|v| free[..any].contains(v))
    }

    fn add_node(&mut self, name: String, op: Op, inputs: Vec<StreamId>, outputs: Vec<Leaves>) -> Vec<StreamId> {
        self.graph.add(name, op, inputs, outputs, self.stage)
    }

    fn level_name(&self, s: StreamId) -> String {
        match self.graph.stream(s).over.last() {
            Some(&v) => self.kernel.var(v).name.clone(),
            None => String::new(),
        }
    }

    /// The value that the result leaves out, its fill.
    fn pruned(&self, fill: u64) -> Result<u64, Stop> {
        let name = &self.kernel.tensor(self.statement.result).name;
        if self.kernel.read_again(self.stage) && rounded(self.kernel).contains(&self.statement.result) {
            let message = format!(
                "result {name} cannot be pruned: it depends on sums that round, and their order decides which entries a later statement or round finds in {name}"
            );
            let help = "prune the last result only, or give the sums an integer type";
            return Err(Stop::Refuse(Diagnostic::new("S009", message).help(help)));
        }
        Ok(fill)
    }

    /// Droppers, innermost first, as far out as a level stores only what is there.
    fn drop_empty(&mut self, kinds: &[LevelKind], raw: &[StreamId], val: StreamId, pruned: Option<u64>) -> Cleaned {
        let mut levels = Cleaned { own: raw.to_vec(), full: raw.to_vec(), val };
        let Some(outermost) = kinds.iter().position(|k| !k.is_dense()) else { return levels };
        for l in (outermost..kinds.len()).rev() {
            let last = l + 1 == kinds.len();
            let inner = if last { levels.val } else { levels.own[l + 1] };
            let explicit = pruned.filter(|_| last);
            if explicit.is_none() && !self.graph.stream(inner).may_be_empty {
                continue;
            }
            let (o, i) = (self.graph.stream(raw[l]).clone(), self.graph.stream(inner).clone());
            let name = format!("drop_{}", self.level_name(raw[l]));
            let outputs = vec![Leaves::absent(o.payload, o.over), Leaves::sure(i.payload, i.over)];
            let out = self.add_node(name, Op::Drop { list: !last, explicit }, vec![raw[l], inner], outputs);
            levels.own[l] = out[0];
            levels.full[l] = out[0];
            if last {
                levels.val = out[1];
            } else {
                levels.full[l + 1] = out[1];
            }
        }
        levels
    }

    /// Coordinates of the `m`th loop, once for each of those of the `end`th loop inside, which are `last`.
    fn along(&mut self, raw: &[StreamId], (m, end): (usize, usize), last: StreamId) -> StreamId {
        let mut crd = if m == end { last } else { raw[m] };
        for inner in m + 1..=end {
            let over = if inner == end { last } else { raw[inner] };
            let s = self.graph.stream(over).clone();
            let payload = self.graph.stream(crd).payload;
            let name = format!("repeat_{}_{}", self.level_name(raw[m]), self.level_name(raw[inner]));
            crd = self.add_node(name, Op::Repeat, vec![crd, over], vec![Leaves::absent(payload, s.over)])[0];
        }
        crd
    }

    /// Writes level `l` of linked lists, whose loop and those of the dense levels above are the outermost ones, in any
    /// order; the innermost of them has the coordinates `last`. `order`: the variables of the levels.
    fn write_lists(&mut self, (used, order): (UseId, &[VarId]), l: usize, raw: &[StreamId], last: StreamId) {
        let over = self.graph.stream(last).over.clone();
        let crds: Vec<StreamId> = order[..=l]
            .iter()
            .map(|v| over.iter().rposition(|o| o == v).map_or(last, |m| self.along(raw, (m, l), last)))
            .collect();
        let mut pos = crds[0];
        for (m, &crd) in crds.iter().enumerate().take(l).skip(1) {
            let name = format!("place_{}", self.level_name(raw[m]));
            let sure = Leaves::sure(Payload::Pos(used, m), over.clone());
            pos = self.add_node(name, Op::Locate(used, m), vec![crd, pos], vec![sure])[0];
        }
        let op = Op::WriteLevel { level: (used, l), seg_height: 0, chain: l as u8, skip_empty: true };
        let name = format!("write_{}_{}", self.graph.uses[used.0].name, self.kernel.var(order[l]).name);
        self.add_node(name, op, vec![crds[l], pos], vec![]);
    }

    fn write_arrays(
        &mut self,
        (used, order): (UseId, &[VarId]),
        kinds: &[LevelKind],
        raw: &[StreamId],
        levels: &Cleaned,
    ) {
        let Cleaned { own, full, val } = levels;
        // Positions in the dense levels that end at the current level, aligned with its leaves.
        let mut pos: Option<StreamId> = None;
        let mut chain = 0u8;
        let tensor = self.graph.uses[used.0].name.clone();
        let mut l = 0;
        if let Some(list) = kinds.iter().position(|kind| kind.is_linked()) {
            self.write_lists((used, order), list, raw, own[list]);
            l = list + 1;
        }
        while l < kinds.len() {
            let stored_above = kinds[..l].iter().any(|k| !k.is_dense());
            if kinds[l].is_dense() {
                let crd = if l + 1 == kinds.len() { own[l] } else { raw[l] };
                pos = Some(match pos {
                    None => crd,
                    Some(p) => self.position_below(used, l, p, crd),
                });
                chain += 1;
                l += 1;
                continue;
            }
            let run = if kinds[l].repeats() { levels::chain_below(kinds, l) } else { 0 };
            // Runs take values together with their coordinates.
            let paired = chain > 0 || kinds[l].shares_positions();
            let last = if run == 0 && !paired { full[l] } else { own[l + run] };
            for m in l..=l + run {
                // Outer coordinates of a COO run stand once per innermost one.
                let crd = self.along(raw, (m, l + run), last);
                let head = m == l;
                let mut inputs = vec![crd];
                inputs.extend(pos.filter(|_| head));
                let op = Op::WriteLevel {
                    level: (used, m),
                    seg_height: if head { run as u8 + 1 } else { 0 },
                    chain: if head { chain } else { 0 },
                    skip_empty: head && stored_above,
                };
                self.add_node(format!("write_{tensor}_{}", self.level_name(raw[m])), op, inputs, vec![]);
            }
            (pos, chain) = (None, 0);
            l += run + 1;
        }
        let skip_empty = kinds.iter().any(|k| !k.is_dense());
        let inputs = std::iter::once(*val).chain(pos).collect();
        let op = Op::WriteValues { of: used, chain, skip_empty, scatter: None };
        self.add_node(format!("write_{tensor}_vals"), op, inputs, vec![]);
    }

    /// Position of each leaf of `crd` in dense level `l`, given its parents' positions `p`.
    fn position_below(&mut self, used: UseId, l: usize, p: StreamId, crd: StreamId) -> StreamId {
        let over = self.graph.stream(crd).over.clone();
        let payload = self.graph.stream(p).payload;
        let name = format!("repeat_pos_{}", self.level_name(crd));
        let parent = self.add_node(name, Op::Repeat, vec![p, crd], vec![Leaves::sure(payload, over.clone())])[0];
        let name = format!("place_{}", self.level_name(crd));
        self.add_node(name, Op::Locate(used, l), vec![crd, parent], vec![Leaves::sure(Payload::Pos(used, l), over)])[0]
    }
}

/// The results whose values depend on how sums or products round: their own, or those of a result that they
/// read, in an earlier statement, a temporary or the round before.
fn rounded(kernel: &Kernel) -> BTreeSet<TensorId> {
    let mut all = BTreeSet::new();
    loop {
        let known = all.len();
        for s in &kernel.statements {
            let from =
                |t: TensorId| all.contains(&kernel.base(t)) || kernel.carried(t).is_some_and(|c| all.contains(&c));
            if kernel.reads(s.value).iter().any(|(t, _)| from(*t)) || rounds(kernel, s, s.value) {
                all.insert(s.result);
            }
        }
        if all.len() == known {
            return all;
        }
    }
}

/// Do sums or products in `e` round or saturate, so that their order matters?
fn rounds(kernel: &Kernel, statement: &Statement, e: ExprId) -> bool {
    let own = match (kernel.expr(e), kernel.type_in(statement, e)) {
        (Expr::Reduce(op, k, body), ty) => {
            let rounds = matches!(ty, Type::Float { .. } | Type::Fixed { .. }) || ty.saturates();
            let sums = rounds && matches!(op.fun(), Some(Fun::Add | Fun::Mul));
            sums && !one_term(kernel, *body, *k, (*op, identity(*op, ty)))
        }
        _ => false,
    };
    own || kernel.expr(e).children().iter().any(|&a| rounds(kernel, statement, a))
}

/// Is `e` other than the identity of `op` at one coordinate of `k` only, that of an index around it?
fn one_term(kernel: &Kernel, e: ExprId, k: VarId, (op, identity): (Operator, u64)) -> bool {
    match kernel.expr(e) {
        Expr::Map(Fun::Where, args) => {
            let [condition, then, other] = args[..] else { return false };
            let at = |e: ExprId| matches!(kernel.expr(e), Expr::Index(v) if *v == k);
            let alone = matches!(kernel.expr(condition), Expr::At(_, e) if at(*e));
            let nothing = matches!(kernel.expr(other), Expr::Literal(raw) if *raw == identity);
            nothing && (alone || one_term(kernel, then, k, (op, identity)))
        }
        Expr::Reduce(inner, _, body) => *inner == op && one_term(kernel, *body, k, (op, identity)),
        _ => false,
    }
}
