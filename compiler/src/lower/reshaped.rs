//! Shape operators as streams on the chip: levels are scanned one below the other, their coordinates are combined into
//! one number, and that is divided again into the coordinates of the loops. Entries keep their order.

use super::scanned::Scanned;
use super::tree::{LeafId, Level, Reading, Tree};
use super::turn::Turned;
use super::{Lowering, Stop};
use crate::facts::coordinate_bits;
use crate::graph::{Leaves, Op, Over, Payload, StreamId, UseId};
use crate::levels::LevelKind;
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
}

/// A stream of numbers, and the positions next to them.
type Numbers = (StreamId, StreamId);

/// Whether a tensor stored in this way can be scanned level by level, in the order of its modes.
fn in_rows(kinds: &[LevelKind], mode_order: &[usize]) -> bool {
    mode_order.is_sorted() && kinds.iter().all(|kind| !kind.repeats() && !kind.is_singleton())
}

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
        let Some(steps) = view.steps(&base.shape).filter(|steps| steps.streams()) else { return Ok(None) };
        let Some(turned) = Turned::seen(t, &steps, indices) else { return Ok(None) };
        if !in_rows(&base.levels, &base.mode_order) {
            let rows: Vec<usize> = (0..base.shape.len()).collect();
            return match base.mode_order.is_sorted() {
                true => Err(Stop::Turn(Turned::in_rows(t, indices, rows.len()))),
                false => {
                    Turned::in_lists(t, indices, rows, &base.shape).map_or(Ok(None), |lists| Err(Stop::Turn(lists)))
                }
            };
        }
        let chain = steps.chain().filter(|chain| self.follows(chain, indices) && !self.is_cut(indices));
        let Some(chain) = chain else { return Err(Stop::Turn(turned)) };
        let (levels, mode_order) = (base.levels.clone(), base.mode_order.clone());
        let used = self.add_use(view.base, levels, mode_order, false);
        let dims: Vec<Option<VarId>> = view.modes.iter().map(|mode| mode.dim).collect();
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
            self.chains.push(Chain { used, dims, digits, loops, turned, made: Vec::new() });
        }
        Ok(Some(Reading { used, levels: read, stream: root }))
    }

    /// Whether the loops go over the modes of a chain in the order of its streams.
    fn follows(&self, chain: &ShapeChain, indices: &[VarId]) -> bool {
        let place = |k: usize| chain.order.iter().position(|&mode| mode == k).map(|m| self.position[&indices[m]]);
        (0..indices.len()).map(place).is_sorted_by(|a, b| a < b)
    }

    /// Whether lanes or copies cut any of these indices.
    fn is_cut(&self, indices: &[VarId]) -> bool {
        let schedule = self.kernel.schedule_of(self.statement);
        let lanes = schedule.lanes.iter().map(|(name, _)| name);
        let copies = schedule.parallel.iter().map(|(name, _)| name);
        let mut cut = lanes.chain(copies);
        cut.any(|name| indices.iter().any(|&v| self.kernel.var(v).name == *name.get_ref()))
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

    /// The streams of a number below the positions `parent`, which range over `above`, and how many numbers there are;
    /// `only`: the loop whose coordinates they are.
    fn numbers(
        &mut self,
        chain: usize,
        number: &Number,
        only: Option<VarId>,
        (above, parent): (&Over, StreamId),
    ) -> (Numbers, u64) {
        let used = self.chains[chain].used;
        match number {
            Number::Level(level, window) => {
                let dim = self.chains[chain].dims[*level];
                let Some(dim) = dim.or(only) else { unreachable!("what is reshaped or cut has a variable") };
                let over: Over = above.iter().copied().chain([dim]).collect();
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
        numbers: &[(Number, u64)],
        only: Option<VarId>,
        (above, parent): (&Over, StreamId),
    ) -> (Numbers, u64) {
        let Some(((first, _), rest)) = numbers.split_first() else { unreachable!("numbers are of levels") };
        let ((mut outer, mut positions), mut all) = self.numbers(chain, first, None, (above, parent));
        for (k, (next, _)) in rest.iter().enumerate() {
            let over = self.graph.stream(outer).over.clone();
            let ((inner, below), size) = self.numbers(chain, next, None, (&over, positions));
            all *= size;
            let (key, over) = match only.filter(|_| k + 1 == rest.len()) {
                Some(v) => (Payload::Crd(v), above.iter().copied().chain([v]).collect()),
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
    fn cut_number(&mut self, chain: usize, (crd, positions): Numbers, window: &Window, only: Option<VarId>) -> Numbers {
        let Leaves { over, .. } = self.graph.stream(crd).leaves();
        let payload = self.graph.stream(positions).payload;
        let (key, over): (Payload, Over) = match (only, over.split_last()) {
            (Some(v), Some((_, above))) => (Payload::Crd(v), above.iter().copied().chain([v]).collect()),
            _ => (Payload::Key(coordinate_bits(window.size)), over),
        };
        let outputs = vec![Leaves::absent(key, over.clone()), Leaves::sure(payload, over)];
        let name = format!("slice_{}", self.chain_name(chain));
        let out = self.node(name, Op::Slice(window.clone()), vec![crd, positions], outputs);
        (out[0], out[1])
    }

    /// The coordinates of each loop, of which `numbers` are made, and the positions below all of them.
    fn divided(&mut self, chain: usize, digits: &Digits, (mut number, mut positions): Numbers) -> Vec<StreamId> {
        let loops = self.chains[chain].loops.clone();
        let mut over = self.over.clone();
        let payload = self.graph.stream(positions).payload;
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
                Leaves::sure(payload, below),
            ];
            let op = Op::Divide(u32::try_from(inner).unwrap_or(u32::MAX));
            let name = format!("divide_{}_{}", self.chain_name(chain), self.var_name(v));
            let out = self.node(name, op, vec![number, positions], outputs);
            crds.push(out[0]);
            (number, positions) = (out[1], out[2]);
        }
        if let (Some((window, _)), Some(&v)) = (&digits.cut, loops.last()) {
            (number, positions) = self.cut_number(chain, (number, positions), window, Some(v));
        }
        crds.extend([number, positions]);
        crds
    }
}
