//! Skipping: dependencies between operands, and the hints about coordinates that a scanner may skip.

use super::{Joiner, bit};
use samhw_streams::{Beat, Dir, Field, Io, Param, Port, Role};

/// Width of a fiber's number in a hint in bits. Fibers are counted modulo `2**TAG_W` on both sides; what a
/// hint is about and where its reader is differ by less (docs/deadlock.md).
pub const TAG_W: u32 = 6;

/// Returns the payloads of a hint: {over, fiber}, coordinate. Over: nothing of this fiber is needed any more; otherwise
/// nothing below the coordinate is (where it is over the coordinate means nothing).
pub fn hint_fields(tag_w: u32, crd_w: u32) -> [Field; 2] {
    [Field::new("tag", tag_w + 1), Field::new("crd", crd_w)]
}

impl Joiner {
    /// Returns the operands that operand `k` needs: where one of them is absent, the outputs do not depend on `k`.
    pub fn required(&self, k: u32) -> u32 {
        let emit = self.emitting();
        let matters = |p: u32| {
            let without = p & !(1 << k);
            let passed = |j: u32, p: u32| self.uses(j + 1) && p >> j & 1 == 1 && bit(&self.keep[j as usize], p);
            let refs = (0..self.operands()).any(|j| passed(j, p) != passed(j, without));
            bit(&emit, p) != bit(&emit, without) || bit(&emit, p) && refs
        };
        let rows = (0..self.rows()).filter(|p| p >> k & 1 == 1);
        rows.filter(|&p| matters(p)).fold((self.rows() - 1) & !(1 << k), |r, p| r & p)
    }
    /// Operands whose coordinates a hint for `k` is the largest of: those required, and `k` itself
    /// where that lets the operands share one choice, and the choice is large enough for that to pay.
    fn leading(&self, k: u32) -> u32 {
        let required = self.required(k);
        if required.count_ones() > 2 { required | 1 << k } else { required }
    }
    pub(super) fn skip_params(&self) -> [(&'static str, Param); 4] {
        let n = self.operands();
        let rows = |f: &dyn Fn(u32) -> u32| {
            let mut words = vec![0u64; (n * n).div_ceil(64) as usize];
            for at in (0..n * n).filter(|at| f(at / n) >> (at % n) & 1 == 1) {
                words[at as usize / 64] |= 1 << (at % 64);
            }
            Param::Bits(n * n, words)
        };
        [
            ("TAG_W", Param::Int(TAG_W)),
            ("SKIPS", Param::Bits(n, vec![u64::from(self.skips)])),
            ("REQUIRED", rows(&|k| self.required(k))),
            ("LEADING", rows(&|k| self.leading(k))),
        ]
    }
}

/// The ports of the hints of `n` operands, of those that are not in `skips` too; no ports where none is.
pub(crate) fn hint_ports(n: u32, skips: u32, crd_w: u32) -> Vec<Port> {
    let width = TAG_W + 1 + crd_w;
    let port = |k| {
        let port = match skips >> k & 1 == 1 {
            true => Port::plain(format!("skip{k}"), Dir::Out, &hint_fields(TAG_W, crd_w)).with_role(Role::Hint),
            false => Port::open(format!("skip{k}"), width),
        };
        port.in_lane("skip", k, n, width)
    };
    if skips == 0 { Vec::new() } else { (0..n).map(port).collect() }
}

/// Hints about one fiber after the other.
#[derive(Debug)]
pub(crate) struct Hints {
    /// Number of the first hint output.
    port: usize,
    /// Number of the current fiber.
    fiber: u64,
}

impl Hints {
    /// Hints whose first output is number `port`.
    pub(crate) fn new(port: usize) -> Self {
        Self { port, fiber: 0 }
    }
    /// The current fiber is over.
    pub(crate) fn end(&mut self) {
        self.fiber = (self.fiber + 1) % (1 << TAG_W);
    }
    /// Sends a hint through the `n`th output, if there is room: one that finds the register full is lost, and does no harm.
    pub(crate) fn send(&self, io: &mut Io, n: usize, over: bool, crd: u64) -> bool {
        let free = io.free(self.port + n);
        if free {
            io.put(self.port + n, Beat::pair(0, u64::from(over) << TAG_W | self.fiber, crd));
        }
        free
    }
}

/// State of the hints.
#[derive(Debug)]
pub(super) struct Skips {
    /// Operand, those it requires, and those whose coordinates count, per hint output.
    told: Vec<(usize, u32, u32)>,
    hints: Hints,
}

impl Skips {
    pub(super) fn new(j: &Joiner) -> Option<Self> {
        let all = (0..j.operands()).filter(|&k| j.skips >> k & 1 == 1);
        let told = all.map(|k| (k as usize, j.required(k), j.leading(k))).collect();
        let port = (0..=j.operands()).filter(|&b| j.uses(b)).count();
        (j.skips != 0).then_some(Self { told, hints: Hints::new(port) })
    }
    /// A merge step that consumes the leaves in `take` and leaves those in `rest` with more.
    pub(super) fn step(&mut self, io: &mut Io, heads: &[Beat], take: u32, rest: u32, ends: bool) {
        if ends {
            self.hints.end();
            return;
        }
        for (n, &(k, required, leading)) in self.told.iter().enumerate() {
            let over = required & !rest != 0;
            let lags = take >> k & 1 == 1 && required & !take != 0;
            if rest >> k & 1 == 1 && (over || lags) {
                let those = heads.iter().enumerate().filter(|(j, _)| leading >> j & 1 == 1);
                let crd = those.map(|(_, h)| h.p[0]).max().unwrap_or(0);
                self.hints.send(io, n, over, crd);
            }
        }
    }
}
