//! The cycle at which each coordinate of a statement's outermost index passes.

use samhw_compiler::netlist::{CellPlace, Channel, Netlist};
use samhw_compiler::stmt::VarId;
use samhw_streams::{Beat, Class, Shape};

/// Most slices of all streams together.
const MOST: usize = 1 << 14;
/// Fewest that a stream has room for.
const LEAST: usize = 64;

/// Neighbouring rows that are displayed as one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Row {
    /// Cycle in which the first row passes.
    pub cycle: u64,
    /// Coordinate of the first row, or its number if the stream has no coordinates.
    pub first: u64,
    /// Coordinate of the last row.
    pub last: u64,
    /// Number of rows.
    pub count: u64,
}

/// The rows that pass on one stream.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rows {
    /// Number of the channel.
    pub channel: usize,
    /// The index.
    pub over: VarId,
    /// Whether the beats carry coordinates.
    pub coordinates: bool,
    /// Groups of rows, in chronological order.
    pub slices: Vec<Row>,
    /// Cycle in which the stream ends.
    pub end: Option<u64>,
    /// Number of rows so far.
    pub count: u64,
    /// Rows in a slice.
    group: u64,
    most: usize,
}

impl Rows {
    /// The streams whose rows are looked at: those of coordinates that range over one index, of
    /// statements without any those of references or values.
    pub(super) fn of(net: &Netlist) -> Vec<Self> {
        let single = |c: &Channel, with: &dyn Fn(&str) -> bool| {
            let (Some((from, _)), [_]) = (c.from, &c.over[..]) else { return false };
            let cell = net.cell(from);
            let passes = matches!(cell.primitive.class(), Class::Fork | Class::Fifo { .. } | Class::Relay);
            cell.place == CellPlace::Core && !passes && field(net, c).is_some_and(with)
        };
        let stage = |c: &Channel| c.from.map(|(from, _)| net.cell(from).stage);
        let mut rows: Vec<Self> = Vec::new();
        let row = |(k, c): (usize, &Channel), coordinates| {
            let (over, end, slices) = (c.over[0], None, Vec::new());
            Self { channel: k, over, coordinates, slices, end, count: 0, group: 1, most: 0 }
        };
        let stages = net.cells.iter().map(|c| c.stage + 1).max().unwrap_or(0);
        for n in 0..stages {
            let here = || net.channels.iter().enumerate().filter(|(_, c)| stage(c) == Some(n));
            let before = rows.len();
            rows.extend(here().filter(|(_, c)| single(c, &|f| f == "crd")).map(|x| row(x, true)));
            if rows.len() == before {
                rows.extend(here().filter(|(_, c)| single(c, &|f| f == "ref" || f == "val")).map(|x| row(x, false)));
            }
        }
        let most = (MOST / rows.len().max(1)).max(LEAST);
        rows.iter_mut().for_each(|r| r.most = most);
        rows
    }

    pub(super) fn transfer(&mut self, cycle: u64, beat: &Beat) {
        if !beat.is_leaf() {
            self.end = Some(cycle);
            return;
        }
        let name = if self.coordinates { beat.p[0] } else { self.count };
        self.count += 1;
        match self.slices.last_mut().filter(|s| s.count < self.group) {
            Some(slice) => (slice.last, slice.count) = (name, slice.count + 1),
            None => {
                if self.slices.len() == self.most {
                    self.merge();
                }
                self.slices.push(Row { cycle, first: name, last: name, count: 1 });
            }
        }
    }

    /// Makes one slice of two.
    fn merge(&mut self) {
        self.group *= 2;
        let pair = |pair: &[Row]| {
            let (first, last) = (pair[0], pair[pair.len() - 1]);
            Row { last: last.last, count: pair.iter().map(|r| r.count).sum(), ..first }
        };
        self.slices = self.slices.chunks(2).map(pair).collect();
    }
}

/// Name of the first field of a stream.
fn field(net: &Netlist, channel: &Channel) -> Option<&'static str> {
    match net.shape(channel) {
        Shape::Stream { fields, .. } => fields.first().map(|f| f.name),
        Shape::Plain { .. } | Shape::Config { .. } | Shape::Status { .. } | Shape::Open { .. } => None,
    }
}
