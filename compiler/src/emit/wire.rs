//! Beats on wires: the position of each field, and the part of a beat that a consumer receives.

use crate::netlist::Select;
use samhw_hdl::{Expr, Signal};
use samhw_streams::{Field, Shape};

/// The fields of a beat, lowest first.
pub(super) fn fields(shape: &Shape) -> &[Field] {
    match shape {
        Shape::Stream { fields, .. } | Shape::Plain { fields } => fields,
        Shape::Config { .. } | Shape::Status { .. } | Shape::Open { .. } => &[],
    }
}

/// Bits of the stop field, if there is one.
pub(super) fn stop_w(shape: &Shape) -> Option<u32> {
    match shape {
        Shape::Stream { stop_w, .. } => Some(*stop_w),
        _ => None,
    }
}

/// A beat of a shape on a signal.
struct On<'a> {
    beat: &'a Signal,
    shape: &'a Shape,
}

impl On<'_> {
    /// Lowest bit and width of payload `k`.
    fn field(&self, k: usize) -> Option<(u32, u32)> {
        let fields = fields(self.shape);
        let low = fields.iter().take(k).map(|f| f.width).sum();
        fields.get(k).map(|f| (low, f.width))
    }
    fn kind(&self) -> (Expr, Expr) {
        (self.beat.bits(self.beat.width - 1, 1), self.beat.bits(self.beat.width - 2, 1))
    }
    /// Payload `k` from its bit `from` on, in `width` bits: parts from the top.
    fn part(&self, k: usize, from: u32, width: u32) -> Vec<Option<Expr>> {
        let (low, have) = self.field(k).map_or((0, 0), |(low, w)| (low + from, w.saturating_sub(from)));
        vec![
            (width > have).then(|| Expr::zeros(width - have)),
            (have.min(width) > 0).then(|| self.beat.bits(low, have.min(width))),
        ]
    }
}

/// `value` in `width` bits: zeros on top, or the top cut off.
pub(super) fn resized(value: &Signal, width: u32) -> Expr {
    if value.width >= width {
        value.bits(0, width)
    } else {
        Expr::concat([Some(Expr::zeros(width - value.width)), Some(value.all())])
    }
}

/// Returns the part of `beat`, of shape `from`, that a consumer of shape `to` takes: the meaning of
/// [`Select::apply`], then every field in the width wanted. `None`: the beat itself.
pub(super) fn view(beat: &Signal, from: &Shape, select: Select, to: &Shape) -> Option<Expr> {
    let widths = |s: &Shape| fields(s).iter().map(|f| f.width).collect::<Vec<_>>();
    if select == Select::All && widths(from) == widths(to) {
        return None;
    }
    let on = On { beat, shape: from };
    let mut parts: Vec<Option<Expr>> = Vec::new();
    if let Some(stop) = stop_w(to) {
        let (high, low) = on.kind();
        match select {
            // EMPTY becomes DATA: the first is there.
            Select::First => {
                parts.extend([Some(high.clone()), Some(high.binary("&", low))]);
                parts.push(Some(beat.bits(beat.width - 2 - stop, stop)));
            }
            Select::All | Select::Second => parts.push(Some(beat.bits(beat.width - 2 - stop, 2 + stop))),
        }
    }
    for (k, width) in widths(to).into_iter().enumerate().rev() {
        match (select, stop_w(from)) {
            (Select::Second, Some(stop)) if k == 0 => {
                // Where a list is empty (NIL) the hole is in the low bits of the first.
                let hole = stop.min(width);
                if width > hole {
                    parts.extend(on.part(1, hole, width - hole));
                }
                let low = |k| on.field(k).map_or(Expr::zeros(hole), |(low, _)| beat.bits(low, hole));
                parts.push(Some(Expr::Choice(Box::new(on.kind().0), Box::new(low(0)), Box::new(low(1)))));
            }
            (Select::Second, None) if k == 0 => parts.extend(on.part(1, 0, width)),
            (Select::First | Select::Second, _) if k > 0 => parts.push(Some(Expr::zeros(width))),
            _ => parts.extend(on.part(k, 0, width)),
        }
    }
    Some(Expr::concat(parts))
}

#[cfg(test)]
mod tests;
