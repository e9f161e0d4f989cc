//! Accesses of views in hardware: packings of the base, slices of its levels, and levels at one coordinate. Where that
//! cannot be done in the stored order, the view is packed on its own.

use super::scanned::Scanned;
use super::tree::{Level, Reading};
use super::turn::{MOST_POSITIONS, Turned, too_many};
use super::{Lowering, Stop};
use crate::diag::Diagnostic;
use crate::graph::{Leaves, Op, Payload, StreamId, UseId};
use crate::levels::{self, LevelKind};
use crate::stmt::{Expr, ExprId, TensorId, VarId};
use crate::view::{Points, Seen, View, Window};
use samhw_primitives::scan::scanner_span::SpanEnd;
use samhw_primitives::scan::slice::MAX_SET;

/// Largest dimension of which a window is leapt to, unless it is most of it: eight entries a cycle are left out. A
/// search in a longer list is sooner there.
const LEAPT: u64 = 4096;

/// A part of a level, and the variable of the level's own coordinates.
pub(super) type LevelPart = (VarId, Window);

impl Lowering<'_> {
    /// Returns the reading of the access `t(indices)` of a view; `root`: the position above everything.
    pub(super) fn view(&mut self, t: TensorId, indices: &[VarId], root: StreamId) -> Result<Reading, Stop> {
        let Some(view) = self.kernel.tensor(t).view.clone() else {
            let (used, levels) = self.use_of(t, indices)?;
            let levels = levels.into_iter().map(|(v, l)| (v, Level::Stored(l))).collect();
            return Ok(Reading { used, levels, stream: root });
        };
        if view.reshapes()
            && self.kernel.reshapes(self.stage, view.base)
            && let Some(reading) = self.shaped(t, &view, indices, root)?
        {
            return Ok(reading);
        }
        match self.in_place(&view, indices) {
            Some((kinds, mode_order, repacked)) => {
                Ok(self.read_base(&view, indices, (kinds, mode_order, repacked), root))
            }
            None => {
                if self.ends_backwards(&view, indices)
                    && let Some(reading) = self.shaped(t, &view, indices, root)?
                {
                    return Ok(reading);
                }
                if let Some(turned) = self.turned_view(t, &view, indices) {
                    return Err(Stop::Turn(turned));
                }
                let (used, levels) = self.packed_view(t, indices)?;
                Ok(Reading { used, levels, stream: root })
            }
        }
    }

    /// The packing of the base (levels, modes, whether it is another one than declared) that the view can be read
    /// from in this loop order, if there is one.
    fn in_place(&self, view: &View, indices: &[VarId]) -> Option<(Vec<LevelKind>, Vec<usize>, bool)> {
        // Levels of a diagonal are looked up by coordinates of the view, which those of its base are not.
        if (1..indices.len()).any(|m| indices[..m].contains(&indices[m])) {
            return None;
        }
        let base = self.kernel.tensor(view.base);
        let place = |m: &usize| view.shown(*m).map(|shown| self.position[&indices[shown]]);
        let declared = (base.levels.clone(), base.mode_order.clone());
        let sorted = declared.1.iter().filter_map(place).is_sorted();
        if sorted && readable(view, &declared.0, &declared.1) {
            return Some((declared.0, declared.1, false));
        }
        if self.kernel.on_chip(self.stage, view.base) {
            return None;
        }
        let kinds = vec![levels::reordered(&base.levels); declared.0.len()];
        // Single coordinates come first: they are looked up once.
        let mut mode_order = declared.1;
        if !sorted {
            mode_order.sort_by_key(place);
        }
        readable(view, &kinds, &mode_order).then_some((kinds, mode_order, true))
    }

    /// Whether a view of an earlier result goes backwards through its lists, in the order in which they lie.
    fn ends_backwards(&self, view: &View, indices: &[VarId]) -> bool {
        let base = self.kernel.tensor(view.base);
        let place = |m: &usize| view.shown(*m).map(|shown| self.position[&indices[shown]]);
        let falls = |m: &usize| matches!(&view.modes[*m].seen, Seen::Part(window) if !window.from.rise());
        let sorted = base.mode_order.is_sorted() && base.mode_order.iter().map(place).is_sorted_by(|a, b| a < b);
        self.kernel.on_chip(self.stage, view.base) && sorted && base.mode_order.last().is_some_and(falls)
    }

    /// How a view of an earlier result can be read once that is stored once more, if it can.
    fn turned_view(&self, t: TensorId, view: &View, indices: &[VarId]) -> Option<Turned> {
        let base = self.kernel.tensor(view.base);
        if !self.kernel.on_chip(self.stage, view.base) || (1..indices.len()).any(|m| indices[..m].contains(&indices[m]))
        {
            return None;
        }
        let place = |m: &usize| view.shown(*m).map(|shown| self.position[&indices[shown]]);
        let mut order = base.mode_order.clone();
        let sorted = order.iter().filter_map(place).is_sorted();
        if !sorted {
            order.sort_by_key(place);
        }
        let read = |turned: &Turned| readable(view, &turned.levels, &turned.mode_order);
        let lists = Turned::in_lists(t, indices, order.clone(), &base.shape);
        let dense = Turned::dense(t, indices, order, &base.shape).filter(read);
        let dense = dense.filter(|_| !self.presence_counts(t));
        match lists {
            Some(lists) if read(&lists) => Some(lists),
            // What lists do not show is read in what is stored of them.
            lists if !sorted => lists.filter(|_| dense.is_some()),
            _ => dense,
        }
    }

    /// Whether a value of the statement is made of whether `t` is stored.
    fn presence_counts(&self, t: TensorId) -> bool {
        let reads = |e: ExprId| self.kernel.accesses(e).iter().any(|(read, _)| *read == t);
        let mut open = vec![self.statement.value];
        while let Some(e) = open.pop() {
            let counts = match self.kernel.expr(e) {
                Expr::Stored(read, _) => *read == t && self.kernel.presence.contains(&e),
                Expr::Call(f, _) => !self.kernel.function(*f).cases.is_empty() && reads(e),
                _ => false,
            };
            if counts {
                return true;
            }
            open.extend(self.kernel.expr(e).children());
        }
        false
    }

    fn read_base(
        &mut self,
        view: &View,
        indices: &[VarId],
        (kinds, mode_order, repacked): (Vec<LevelKind>, Vec<usize>, bool),
        root: StreamId,
    ) -> Reading {
        let used = self.add_use(view.base, kinds, mode_order.clone(), repacked);
        let (mut levels, mut stream): (Vec<(VarId, Level)>, StreamId) = (Vec::new(), root);
        for (l, &m) in mode_order.iter().enumerate() {
            let mode = &view.modes[m];
            let index = view.shown(m).and_then(|shown| indices.get(shown)).copied();
            match (&mode.seen, mode.dim, index) {
                (Seen::At(c), Some(dim), _) => match levels.last() {
                    Some(&(v, _)) => levels.push((v, Level::Fixed(l, dim, *c))),
                    None => stream = self.fixed(used, l, (dim, *c), stream),
                },
                (Seen::Part(window), Some(dim), Some(v)) => {
                    self.parts.insert((used, l), (dim, rising(window)));
                    levels.push((v, Level::Stored(l)));
                }
                (_, _, Some(v)) => levels.push((v, Level::Stored(l))),
                _ => {}
            }
        }
        Reading { used, levels, stream }
    }

    /// The positions of one coordinate in level `l` of a use, below the positions `parent`.
    pub(super) fn fixed(&mut self, used: UseId, l: usize, (dim, at): (VarId, u64), parent: StreamId) -> StreamId {
        let over = self.graph.stream(parent).over.clone();
        let name = self.graph.uses[used.0].name.clone();
        let constant = Leaves::sure(Payload::Crd(dim), over.clone());
        let crd = self.node(format!("at_{at}_of_{name}"), Op::Constant(dim, at), vec![parent], vec![constant])[0];
        let missing = !self.graph.uses[used.0].levels[l].is_dense() || self.graph.stream(parent).may_be_empty;
        let found = Leaves::maybe(Payload::Ref(used, l), over, missing);
        self.node(format!("locate_{name}_{at}"), Op::Locate(used, l), vec![crd, parent], vec![found])[0]
    }

    /// The (crd, ref) streams of a part of level `l` of a use, over `over`; `crd`: what its coordinates are.
    pub(super) fn scan_part(
        &mut self,
        (used, l): (UseId, usize),
        (dim, window): LevelPart,
        parent: StreamId,
        scan: (String, Op, Payload),
        (over, crd): (&[VarId], Payload),
    ) -> (StreamId, StreamId) {
        let (name, op, payload) = scan;
        let outputs = |crd: Payload| vec![Leaves::absent(crd, over.to_vec()), Leaves::sure(payload, over.to_vec())];
        let out = if self.graph.uses[used.0].levels[l].is_dense() {
            self.node(name, Op::ScanPart(used, l, dim, window), vec![parent], outputs(crd))
        } else {
            let listed =
                !self.kernel.bus && self.graph.uses[used.0].levels[l].lists_coordinates() && matches!(op, Op::Scan(..));
            let mut all = self.node(name.clone(), op, vec![parent], outputs(Payload::Crd(dim)));
            let bound = window.from.bound();
            // A list whose coordinates fall is read from its end. In a long one a window is sought.
            let backwards = !window.from.rise();
            self.graph.uses[used.0].backwards |= backwards;
            let window = if backwards { window.turned() } else { window };
            let (first, size) = (window.from.at(0).unwrap_or(0), self.kernel.var(dim).max);
            let leaps = first == 0 || size <= LEAPT || (bound - first) >= size / 4 * 3;
            if listed && !backwards && leaps && (first > 0 || bound < size) {
                let low = (first > 0).then(|| self.number_below(first, parent));
                let high = (bound < size).then(|| self.number_below(bound, parent));
                let ends = [(low, SpanEnd::Closed), (high, SpanEnd::Open)];
                let ends = ends.map(|(bound, end)| if bound.is_some() { end } else { SpanEnd::Level });
                let bounds = if let (Some(low), Some(high)) = (low, high) {
                    let (low, high) = self.zip(low, high);
                    vec![low, high]
                } else {
                    low.or(high).into_iter().collect()
                };
                let list = Scanned { leaf: None, crd: all[0], stream: all[1], full: false };
                let kept = self.between((list, &name), dim, ends, &bounds);
                all = vec![kept.crd, kept.stream];
            }
            self.node(name.replacen("scan", "slice", 1), Op::Slice(window), all, outputs(crd))
        };
        (out[0], out[1])
    }

    /// A view packed as a tensor of its own, in loop order.
    fn packed_view(&mut self, t: TensorId, indices: &[VarId]) -> Result<(UseId, Vec<(VarId, Level)>), Stop> {
        let tensor = self.kernel.tensor(t);
        if self.kernel.on_chip(self.stage, t) {
            let reshaped =
                tensor.view.iter().flat_map(|v| &v.modes).any(|m| matches!(m.seen, Seen::Reshaped(_) | Seen::Steps(_)));
            let base = self.kernel.tensor(self.kernel.base(t));
            let large = base.shape.iter().copied().fold(1, u64::saturating_mul) > MOST_POSITIONS;
            let way = if reshaped {
                "reshape its operands instead, so that it has the same modes as they have"
            } else {
                "read it in rising steps and in the order it is stored in, or make all its levels dense"
            };
            return Err(Stop::Refuse(
                Diagnostic::new(
                    "S007",
                    format!("{} cannot be read from its arrays on the chip", self.kernel.access_told(t, indices)),
                )
                .help(format!("{} is stored on the chip as an earlier statement wrote it", tensor.name))
                .help(if large { too_many(&base.shape) } else { way.into() }),
            ));
        }
        let mut mode_order = tensor.mode_order.clone();
        mode_order.sort_by_key(|&m| self.position[&indices[m]]);
        let read = mode_order.iter().enumerate().map(|(l, &m)| (indices[m], Level::Stored(l))).collect();
        Ok((self.add_use(t, tensor.levels.clone(), mode_order, true), read))
    }
}

/// Can hardware read the view from levels of these kinds: dense ones at random, others as they are stored?
fn readable(view: &View, kinds: &[LevelKind], mode_order: &[usize]) -> bool {
    let plain = kinds.iter().all(|k| k.is_searchable());
    kinds.iter().zip(mode_order).all(|(kind, &m)| match &view.modes[m].seen {
        Seen::Whole => true,
        // One level holds what several loops go over.
        Seen::Reshaped(_) | Seen::Within | Seen::Steps(_) => false,
        // A lookup needs positions; ranges of repeated coordinates have none.
        Seen::At(_) => plain,
        Seen::Part(window) => {
            let Window { from, to, .. } = rising(window);
            let few = !matches!(&from, Points::Set(set) if set.len() > MAX_SET);
            matches!(to, Points::Steps { .. }) && to.rise() && (kind.is_dense() || from.rise() && few)
        }
    })
}

/// The window with its pairs in the order in which they go out, where they are steps.
fn rising(window: &Window) -> Window {
    let Points::Steps { first, step, count } = window.to else { return window.clone() };
    if step > 0 || count == 0 {
        return window.clone();
    }
    let from = match &window.from {
        Points::Set(set) => Points::Set(set.iter().rev().copied().collect()),
        Points::Steps { step, .. } => {
            Points::Steps { first: window.from.at(count - 1).unwrap_or(0), step: -step, count }
        }
    };
    let to = Points::Steps { first: window.to.at(count - 1).unwrap_or(first), step: -step, count };
    Window { from, to, size: window.size }
}
