//! Shape operators as streams on the chip: levels are scanned one below the other, their coordinates are combined into
//! one number, and that is divided again into the coordinates of the loops. Entries keep their order.

use super::scanned::Scanned;
use super::tree::{LeafId, Level, Reading, Tree};
use super::triangle::Triangle;
use super::turn::Turned;
use super::{Lowering, Stop};
use crate::facts::coordinate_bits;
use crate::graph::{Leaves, Op, Over, Payload, StreamId, UseId};
use crate::netlist::room::MAX_WORKSPACE;
use crate::stmt::{TensorId, VarId};
use crate::view::{Digits, Number, ShapeChain, View, Window};

/// Modes that are made of one number.
pub(super) struct Chain {
    /// The use, whose levels are in the order of its modes.
    used: UseId,
    /// Variables of the coordinates of its levels, where one of them is reshaped or cut.
    dims: Vec<Option<VarId>>,
    digits: Digits,
    /// Variables of the loops.
    loops: Vec<VarId>,
    /// What is stored if other operands would disturb the lists of what is divided.
    turned: Turned,
    /// The coordinates of each loop, and the positions below all of them; empty before the first loop.
    made: Vec<StreamId>,
    /// Whether its numbers were joined with others before they were divided.
    joined: bool,
}

/// A stream of numbers, and the positions next to them.
type NumberStreams = (StreamId, StreamId);

/// What the last stream of numbers is: the variable of its lists, and its coordinates.
type Last = Option<(VarId, Payload)>;

impl Lowering<'_> {
    /// Reads the access `t(indices)` of a view that shape operators make, on the chip; `None` if streams cannot make it.
    pub(super) fn shaped(
        &mut self,
        t: TensorId,
        view: &View,
        indices: &[VarId],
        root: StreamId,
    ) -> Result<Option<Reading>, Stop> {
        let base = self.kernel.tensor(view.base);
        let Some(steps) = view.steps(&base.shape).filter(|steps| steps.streams(MAX_WORKSPACE)) else { return Ok(None) };
        let Some(turned) = Turned::seen(t, &steps, indices) else { return Ok(None) };
        let rows: Vec<usize> = (0..base.shape.len()).collect();
        let lists = |me: &Self| {
            let base = me.kernel.tensor(view.base);
            Turned::in_lists(t, indices, rows.clone(), &base.shape).map_or(Ok(None), |lists| Err(Stop::Turn(lists)))
        };
        if !base.mode_order.is_sorted() {
            return lists(self);
        }
        if base.levels.iter().any(|kind| kind.repeats() || kind.is_singleton()) {
            return Err(Stop::Turn(Turned::in_rows(t, indices, rows.len())));
        }
        // Lists begin at any position, so that those above can be read backwards. A list itself is read from its end,
        // where a word comes in a cycle.
        let falling = steps.cut().0.chain().map(|chain| chain.backwards()).unwrap_or_default();
        let falls = |level: usize| falling.contains(&level) && !base.levels[level].is_dense();
        let (last, near) = (base.shape.len() - 1, !self.kernel.bus || self.kernel.on_chip(self.stage, view.base));
        if (0..last).any(falls) {
            return lists(self);
        }
        if falls(last) && !(near && base.levels[last].lists_coordinates()) {
            return Err(Stop::Turn(Turned::in_rows(t, indices, rows.len())));
        }
        let chain = steps.chain().filter(|chain| self.follows(chain, indices) && !self.shares_reshaped(chain, indices));
        let Some(chain) = chain else { return Err(Stop::Turn(turned)) };
        let (levels, mode_order) = (base.levels.clone(), base.mode_order.clone());
        let used = self.add_use(view.base, levels, mode_order, false);
        let dims: Vec<Option<VarId>> = view.modes.iter().map(|mode| mode.dim).collect();
        if let [.., row, column] = *indices {
            let edges = chain.triangles.iter().map(|&(upper, offset)| Triangle { row, column, upper, offset });
            self.triangles.extend(edges.map(|triangle| (used, triangle)));
        }
        let mut read = Vec::new();
        let mut modes = 0;
        for digits in chain.digits {
            let own = modes..modes + digits.sizes.len();
            modes = own.end;
            let loops: Vec<VarId> =
                own.filter_map(|k| chain.order.iter().position(|&mode| mode == k)).map(|m| indices[m]).collect();
            if let (Some((mode, window)), [v]) = (digits.level(), &loops[..]) {
                if let (Some(window), Some(dim)) = (window, dims[mode]) {
                    self.parts.insert((used, mode), (dim, window.clone()));
                }
                read.push((*v, Level::Stored(mode)));
                continue;
            }
            let number = self.chains.len();
            read.extend(loops.iter().enumerate().map(|(k, &v)| (v, Level::Reshaped(number, k))));
            let (dims, turned) = (dims.clone(), turned.clone());
            self.chains.push(Chain { used, dims, digits, loops, turned, made: Vec::new(), joined: false });
        }
        Ok(Some(Reading { used, levels: read, stream: root }))
    }

    /// Whether the loops go over the modes of a chain in the order of its streams.
    fn follows(&self, chain: &ShapeChain, indices: &[VarId]) -> bool {
        let place = |k: usize| chain.order.iter().position(|&mode| mode == k).map(|m| self.position[&indices[m]]);
        (0..indices.len()).map(place).is_sorted_by(|a, b| a < b)
    }

    /// Whether lanes or copies share a loop over a mode that a chain reshapes.
    fn shares_reshaped(&self, chain: &ShapeChain, indices: &[VarId]) -> bool {
        let schedule = self.kernel.schedule_of(self.statement);
        let reshaped = chain.digits.iter().flat_map(|d| d.sizes.iter().map(|_| d.level().is_none()));
        let reshaped: Vec<bool> = reshaped.collect();
        let mut modes = chain.order.iter().zip(indices);
        modes.any(|(&mode, &v)| reshaped[mode] && schedule.shares(&self.kernel.var(v).name))
    }

    /// Whether the lists of what is divided stay as they are in the loop over `v`, in which all of `t` is; `alone`: one
    /// operand is scanned there, within no bounds.
    pub(super) fn undisturbed(&self, t: &Tree, v: VarId, alone: bool) -> Result<(), Stop> {
        let leaves = t.leaves();
        let mut scans = false;
        t.each_scan(&mut |_, _, _, _| scans = true);
        for &o in &leaves {
            let Some(&(w, Level::Reshaped(chain, mode))) = self.leaves[o].levels.first() else { continue };
            let chain = &self.chains[chain];
            let kept = if w == v { alone && leaves.len() == 1 && !scans } else { mode == 0 };
            if chain.loops.len() > 1 && !kept {
                return Err(Stop::Turn(chain.turned.clone()));
            }
        }
        Ok(())
    }

    /// The (crd, ref) streams of leaf `o` at mode `mode` of a chain.
    pub(super) fn reshaped(&mut self, o: LeafId, chain: usize, mode: usize) -> Scanned {
        if mode == 0 {
            let digits = self.chains[chain].digits.clone();
            let only = (digits.sizes.len() == 1).then(|| self.chains[chain].loops[0]);
            let only = only.map(|v| (v, Payload::Crd(v)));
            let (over, parent): (Over, StreamId) = (self.over.as_slice().into(), self.leaves[o].stream);
            let (number, _) = self.numbers(chain, &digits.number, only, (&over, parent));
            self.chains[chain].made = self.divided(chain, &digits, number);
        }
        let Chain { made, digits, .. } = &self.chains[chain];
        let stream = if mode + 2 == made.len() { made[mode + 1] } else { made[mode] };
        // A list that is divided off has an entry at least.
        let full = mode > 0 && (digits.cut.is_none() || mode + 1 < digits.sizes.len());
        Scanned { leaf: Some(o), crd: made[mode], stream, full }
    }

    fn chain_name(&self, chain: usize) -> String {
        self.graph.uses[self.chains[chain].used.0].name.clone()
    }

    /// The operands of `t` whose modes are divided alike from the loop over `v` on, if these are all that it has: their
    /// numbers can be joined in place of the modes.
    pub(super) fn divided_alike(&self, t: &Tree, v: VarId, operands: &[LeafId]) -> bool {
        let chain = |o: &LeafId| match self.leaves[*o].levels.first() {
            Some((w, Level::Reshaped(chain, 0))) if *w == v => Some(&self.chains[*chain]),
            _ => None,
        };
        let [first, rest @ ..] = operands else { return false };
        let Some(first) = chain(first) else { return false };
        let alike = |o: &LeafId| {
            chain(o).is_some_and(|c| {
                (&c.loops, &c.digits.sizes) == (&first.loops, &first.digits.sizes) && c.digits.cut.is_none()
            })
        };
        let cut = |o: &LeafId| chain(o).is_some_and(|c| self.triangles.iter().any(|(used, _)| *used == c.used));
        let mut body = t;
        while let Tree::Reduce(_, k, inner, _) = body {
            if !first.loops.contains(k) {
                return false;
            }
            body = inner;
        }
        let mut leaves = t.leaves();
        leaves.sort_unstable();
        let mut own = operands.to_vec();
        own.sort_unstable();
        !rest.is_empty()
            && first.loops.len() > 1
            && first.digits.cut.is_none()
            && rest.iter().all(alike)
            && !operands.iter().any(cut)
            && leaves == own
            && !body.has_reduction()
    }

    /// The numbers of an operand that are joined before they are divided.
    pub(super) fn numbers_of(&mut self, o: LeafId, v: VarId) -> Scanned {
        let Some(&(_, Level::Reshaped(chain, _))) = self.leaves[o].levels.first() else {
            unreachable!("the operand is divided")
        };
        let digits = self.chains[chain].digits.clone();
        let key = self.key_of(o);
        let (over, parent): (Over, StreamId) = (self.over.as_slice().into(), self.leaves[o].stream);
        let ((crd, stream), _) = self.numbers(chain, &digits.number, Some((v, key)), (&over, parent));
        Scanned { leaf: Some(o), crd, stream, full: false }
    }

    /// What the numbers of an operand are.
    pub(super) fn key_of(&self, o: LeafId) -> Payload {
        let all = match self.leaves[o].levels.first() {
            Some((_, Level::Reshaped(chain, _))) => self.chains[*chain].digits.sizes.iter().product(),
            _ => 1,
        };
        Payload::Key(coordinate_bits(all))
    }

    /// Divides joined numbers, next to which each operand has its positions. Returns the coordinates of the first loop.
    /// Those of all loops are from one divider: a coordinate comes when its list is over, which buffers must hold.
    pub(super) fn divide_joined(&mut self, crd: StreamId, operands: &[(LeafId, StreamId)]) -> StreamId {
        let mut coordinates = None;
        let mut operands = operands.to_vec();
        operands.sort_unstable();
        for (o, positions) in operands {
            let Some(&(_, Level::Reshaped(chain, _))) = self.leaves[o].levels.first() else { continue };
            let digits = self.chains[chain].digits.clone();
            let numbers = self.zip(crd, positions);
            let made = self.divided(chain, &digits, numbers);
            coordinates.get_or_insert(made[0]);
            self.leaves[o].stream = made[0];
            (self.chains[chain].made, self.chains[chain].joined) = (made, true);
        }
        coordinates.unwrap_or(crd)
    }

    /// The coordinates of a further loop of operands that are joined already, if `t` has such.
    pub(super) fn joined_before(&mut self, t: &Tree, v: VarId) -> Option<StreamId> {
        let mut coordinates = None;
        let mut leaves = t.leaves();
        leaves.sort_unstable();
        for o in leaves {
            let Some(&(w, Level::Reshaped(chain, mode @ 1..))) = self.leaves[o].levels.first() else { return None };
            if w != v || !self.chains[chain].joined {
                return None;
            }
            let scanned = self.reshaped(o, chain, mode);
            coordinates.get_or_insert(scanned.crd);
            self.leaves[o].stream = scanned.stream;
            self.leaves[o].levels.remove(0);
        }
        coordinates
    }

    /// The streams of a number below the positions `parent`, which range over `above`, and how many numbers there are;
    /// `only`: what these are, if they are no part of a number.
    fn numbers(
        &mut self,
        chain: usize,
        number: &Number,
        only: Last,
        (above, parent): (&Over, StreamId),
    ) -> (NumberStreams, u64) {
        let used = self.chains[chain].used;
        match number {
            Number::Level(level, window) => {
                let dim = self.chains[chain].dims[*level];
                let Some(dim) = dim else { unreachable!("what is reshaped or cut has a variable") };
                let over: Over = above.iter().copied().chain([only.map_or(dim, |(v, _)| v)]).collect();
                let name = format!("scan_{}_{}", self.chain_name(chain), self.var_name(dim));
                let (op, payload) = (Op::Scan(used, *level), Payload::Ref(used, *level));
                let size = self.kernel.tensor(self.graph.uses[used.0].tensor).shape[*level];
                match window {
                    Some(window) => {
                        let part = (dim, window.clone());
                        let crd = Payload::Key(coordinate_bits(window.size));
                        let scan = (name, op, payload);
                        (self.scan_part((used, *level), part, parent, scan, (&over, crd)), window.size)
                    }
                    None => {
                        let crd = Leaves::absent(Payload::Crd(dim), over.clone());
                        let out = self.node(name, op, vec![parent], vec![crd, Leaves::sure(payload, over)]);
                        ((out[0], out[1]), size)
                    }
                }
            }
            Number::Joined(numbers) => self.joined_numbers(chain, numbers, only, (above, parent)),
            Number::Cut(whole, window) => {
                let (numbers, _) = self.numbers(chain, whole, None, (above, parent));
                (self.cut_number(chain, numbers, window, only), window.size)
            }
        }
    }

    fn joined_numbers(
        &mut self,
        chain: usize,
        numbers: &[Number],
        only: Last,
        (above, parent): (&Over, StreamId),
    ) -> (NumberStreams, u64) {
        let Some((first, rest)) = numbers.split_first() else { unreachable!("numbers are of levels") };
        let ((mut outer, mut positions), mut all) = self.numbers(chain, first, None, (above, parent));
        for (k, next) in rest.iter().enumerate() {
            let over = self.graph.stream(outer).over.clone();
            let ((inner, below), size) = self.numbers(chain, next, None, (&over, positions));
            all *= size;
            let (key, over) = match only.filter(|_| k + 1 == rest.len()) {
                Some((v, key)) => (key, above.iter().copied().chain([v]).collect()),
                None => (Payload::Key(coordinate_bits(all)), over),
            };
            let payload = self.graph.stream(below).payload;
            let outputs = vec![Leaves::absent(key, over.clone()), Leaves::sure(payload, over)];
            let op = Op::Collapse(u32::try_from(size).unwrap_or(u32::MAX));
            let name = format!("collapse_{}", self.chain_name(chain));
            let out = self.node(name, op, vec![outer, inner, below], outputs);
            (outer, positions) = (out[0], out[1]);
        }
        ((outer, positions), all)
    }

    /// A part of numbers.
    fn cut_number(
        &mut self,
        chain: usize,
        (crd, positions): NumberStreams,
        window: &Window,
        only: Last,
    ) -> NumberStreams {
        let Leaves { over, .. } = self.graph.stream(crd).leaves();
        let payload = self.graph.stream(positions).payload;
        let (key, over): (Payload, Over) = match (only, over.split_last()) {
            (Some((v, key)), Some((_, above))) => (key, above.iter().copied().chain([v]).collect()),
            _ => (Payload::Key(coordinate_bits(window.size)), over),
        };
        let outputs = vec![Leaves::absent(key, over.clone()), Leaves::sure(payload, over)];
        let name = format!("slice_{}", self.chain_name(chain));
        let out = self.node(name, Op::Slice(window.clone()), vec![crd, positions], outputs);
        (out[0], out[1])
    }

    /// The coordinates of each loop, of which `numbers` are made, and the positions below all of them.
    fn divided(&mut self, chain: usize, digits: &Digits, (mut number, mut positions): NumberStreams) -> Vec<StreamId> {
        let loops = self.chains[chain].loops.clone();
        let mut over = self.over.clone();
        let (payload, missing) = (self.graph.stream(positions).payload, self.graph.stream(positions).may_be_empty);
        let mut crds = Vec::new();
        for (k, pair) in loops.windows(2).enumerate() {
            let (v, next) = (pair[0], pair[1]);
            over.push(v);
            // Before the last one is cut it has all its coordinates.
            let last = k + 2 == loops.len();
            let sizes = &digits.sizes[k + 1..];
            let inner: u64 = match (&digits.cut, sizes) {
                (Some((_, size)), [between @ .., _]) => between.iter().product::<u64>() * size,
                _ => sizes.iter().product(),
            };
            let below: Over = over.iter().copied().chain([next]).collect();
            let whole = last && digits.cut.is_none();
            let rest = if whole { Payload::Crd(next) } else { Payload::Key(coordinate_bits(inner)) };
            let outputs = vec![
                Leaves::maybe(Payload::Crd(v), over.clone(), k == 0),
                Leaves::sure(rest, below.clone()),
                Leaves::maybe(payload, below, missing),
            ];
            let op = Op::Divide(u32::try_from(inner).unwrap_or(u32::MAX));
            let name = format!("divide_{}_{}", self.chain_name(chain), self.var_name(v));
            let out = self.node(name, op, vec![number, positions], outputs);
            crds.push(out[0]);
            (number, positions) = (out[1], out[2]);
        }
        if let (Some((window, _)), Some(&v)) = (&digits.cut, loops.last()) {
            (number, positions) = self.cut_number(chain, (number, positions), window, Some((v, Payload::Crd(v))));
        }
        crds.extend([number, positions]);
        crds
    }
}
