//! Piecewise polynomials of degree two in fixed point, as `samhw_poly` computes them.

/// The pieces of a function and how their polynomials are evaluated: y = c0 ± (c1 ± c2 x) x, each product rounded down.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Table {
    /// Fraction bits of y and of all coefficients.
    pub frac: u32,
    /// Bits of x, the position in a piece, from 0 to below 1.
    pub x: u32,
    /// Whether the bracketed term is subtracted.
    pub falls: bool,
    /// Whether c2 x is subtracted.
    pub bends: bool,
    /// Coefficients c0, c1, c2 of each piece.
    pub pieces: Vec<[u64; 3]>,
}

/// Bits of x that multiply c2: one multiplier's.
const BEND_X: u32 = 18;

impl Table {
    /// Fits a table to functions on [0, 1], one per piece, that all rise or all fall and bend in the same direction.
    pub fn fit(frac: u32, x: u32, falls: bool, bends: bool, pieces: impl Iterator<Item = impl Fn(f64) -> f64>) -> Self {
        // Through the three points that make the largest error smallest.
        let d = 0.75f64.sqrt() / 2.0;
        let unit = f64::from(frac).exp2();
        let piece = |f: &dyn Fn(f64) -> f64| {
            let [low, mid, high] = [0.5 - d, 0.5, 0.5 + d].map(f);
            let (slope, bend) = ((high - low) / (2.0 * d), (low - 2.0 * mid + high) / (2.0 * d * d));
            let sized = |c: f64, minus: bool| (if minus { -c } else { c } * unit).round_ties_even().max(0.0) as u64;
            let c1 = sized(slope - bend, falls);
            let c2 = sized(bend, falls != bends);
            [sized(mid - slope / 2.0 + bend / 4.0, false), c1, if bends { c2.min(c1) } else { c2 }]
        };
        Self { frac, x, falls, bends, pieces: pieces.map(|f| piece(&f)).collect() }
    }
    /// Evaluates a piece at `x`.
    pub fn at(&self, piece: usize, x: u64) -> u64 {
        let [c0, c1, c2] = self.pieces[piece];
        let few = self.x.min(BEND_X);
        let bend = (c2 * (x >> (self.x - few))) >> few;
        let slope = if self.bends { c1 - bend } else { c1 + bend };
        let step = (slope * x) >> self.x;
        if self.falls { c0 - step } else { c0 + step }
    }
    /// Returns the widths of c0, c1 and c2 in bits.
    pub fn widths(&self) -> [u32; 3] {
        [0, 1, 2].map(|k| self.pieces.iter().map(|p| 64 - p[k].leading_zeros()).max().unwrap_or(1).max(1))
    }
}
