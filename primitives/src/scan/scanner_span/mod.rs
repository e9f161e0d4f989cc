#![doc = include_str!("README.md")]

#[cfg(test)]
pub(crate) mod tests;

use crate::blocks::Skid;
use samhw_streams::{Beat, Dir, Fault, Field, Instance, Io, Kind, Model, Param, Port, Primitive, Rate};

/// One end of a span of coordinates.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum SpanEnd {
    /// The end of the level, without a bound.
    Level,
    /// The bound is part of the span.
    Closed,
    /// The bound is not part of the span.
    Open,
}

impl SpanEnd {
    /// The value of parameters `LO` and `HI`.
    pub(crate) fn code(self) -> u32 {
        match self {
            Self::Level => 0,
            Self::Closed => 1,
            Self::Open => 2,
        }
    }
    /// Returns whether the end has a bound.
    pub fn is_bound(self) -> bool {
        self != Self::Level
    }
}

/// A field for each end that is a bound.
pub(crate) fn bound_fields(lo: SpanEnd, hi: SpanEnd, bound_w: u32) -> Vec<Field> {
    let bounds = [("lo", lo), ("hi", hi)].into_iter().filter(|(_, end)| end.is_bound());
    bounds.map(|(name, _)| Field::new(name, bound_w)).collect()
}

/// A scanner of the coordinates between two bounds. Input: 0 `bounds` (lo, hi; of an end of the level no field).
/// Output: 0 `crd`. Config: 0 `dim`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ScannerSpan {
    /// Lower end of a span.
    pub lo: SpanEnd,
    /// Upper end of a span. At least one of them is a bound.
    pub hi: SpanEnd,
    /// Width of an integer bound in bits.
    pub bound_w: u32,
    /// Whether bounds are in two's complement.
    pub signed: bool,
    /// Width of a coordinate in bits; `dim` has one more.
    pub crd_w: u32,
    /// Width of the stop field of both streams in bits; at most `bound_w` and `crd_w`.
    pub stop_w: u32,
}

impl Primitive for ScannerSpan {
    fn kind(&self) -> &'static str {
        "scanner_span"
    }
    fn instance(&self) -> Instance {
        Instance {
            module: "samhw_scanner_span",
            params: vec![
                ("LO", Param::Int(self.lo.code())),
                ("HI", Param::Int(self.hi.code())),
                ("BOUND_W", Param::Int(self.bound_w)),
                ("SIGNED", Param::Int(u32::from(self.signed))),
                ("CRD_W", Param::Int(self.crd_w)),
                ("STOP_W", Param::Int(self.stop_w)),
            ],
        }
    }
    fn ports(&self) -> Vec<Port> {
        let fields = bound_fields(self.lo, self.hi, self.bound_w);
        vec![
            Port::config("dim", self.crd_w + 1),
            Port::stream("bounds", Dir::In, self.stop_w, &fields),
            Port::stream("crd", Dir::Out, self.stop_w, &[Field::new("crd", self.crd_w)]),
        ]
    }
    fn model(&self, config: &[u64]) -> Box<dyn Model> {
        let dim = config.first().copied().unwrap_or(0);
        let max_stop = ((1u64 << self.stop_w) - 1) as u8;
        Box::new(ScannerSpanModel {
            of: self.clone(),
            dim,
            max_stop,
            bounds: Skid::passing(),
            clamped: None,
            fiber: None,
        })
    }
    fn latency(&self) -> u32 {
        3
    }
    fn rate(&self) -> Rate {
        Rate::Expands
    }
    fn describe(&self) -> String {
        let below = if self.lo.is_bound() { "from a bound" } else { "from 0" };
        let above = if self.hi.is_bound() { "to a bound" } else { "to the last" };
        format!("{below} {above}")
    }
}

/// The coordinates `at ..= last`, and the beat that they are made of.
#[derive(Debug, Clone, Copy)]
struct Span {
    beat: Beat,
    at: u64,
    last: u64,
    list: bool,
}

#[derive(Debug)]
struct ScannerSpanModel {
    of: ScannerSpan,
    dim: u64,
    max_stop: u8,
    bounds: Skid,
    clamped: Option<Span>,
    fiber: Option<Span>,
}

impl ScannerSpanModel {
    fn negative(&self, bound: u64) -> bool {
        self.of.signed && bound >> (self.of.bound_w - 1) & 1 != 0
    }

    /// The span of a beat of bounds, cut to the level.
    fn span(&self, beat: Beat) -> Result<Span, Fault> {
        if beat.kind != Kind::Done && beat.stop == self.max_stop {
            return Err(Fault { what: "the stop does not fit", port: "bounds".into(), beat });
        }
        let (lo, hi) = (beat.p[0], if self.of.lo.is_bound() { beat.p[1] } else { beat.p[0] });
        let mut span =
            Span { beat, at: 0, last: self.dim.wrapping_sub(1), list: beat.kind == Kind::Data && self.dim > 0 };
        if self.of.lo.is_bound() && !self.negative(lo) {
            let open = u64::from(self.of.lo == SpanEnd::Open);
            span.list &= self.dim > open && lo < self.dim - open;
            span.at = lo.wrapping_add(open);
        }
        if self.of.hi.is_bound() {
            let open = u64::from(self.of.hi == SpanEnd::Open);
            span.list &= !self.negative(hi) && (open == 0 || hi != 0);
            if hi < self.dim.wrapping_sub(1 - open) {
                span.last = hi.wrapping_sub(open);
            }
        }
        span.list &= span.at <= span.last;
        Ok(span)
    }
}

impl Model for ScannerSpanModel {
    fn tick(&mut self, io: &mut Io) -> Result<bool, Fault> {
        self.bounds.open(io, 0);
        let mut moved = false;
        if let (true, Some(mut f)) = (io.free(0), self.fiber) {
            let last = !f.list || f.at == f.last;
            let beat = match f.beat.kind {
                Kind::Done => Beat::DONE,
                Kind::Nil => Beat::nil(f.beat.stop + 1, f.beat.hole() + 1),
                _ if !f.list => Beat::nil(f.beat.stop + 1, 1),
                _ => Beat::data(if last { f.beat.stop + 1 } else { 0 }, f.at),
            };
            io.put(0, beat);
            f.at = f.at.wrapping_add(1);
            self.fiber = (!last).then_some(f);
            moved = true;
        }
        if self.fiber.is_none() && self.clamped.is_some() {
            self.fiber = self.clamped.take();
            moved = true;
        }
        if let (None, Some(&beat)) = (self.clamped, self.bounds.head()) {
            self.clamped = Some(self.span(beat)?);
            self.bounds.pop();
            moved = true;
        }
        moved |= self.bounds.clock(io, 0);
        Ok(moved)
    }
}
