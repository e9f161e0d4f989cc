//! Keys: coordinates of several variables packed into one integer with the same order.

use samhw_compiler::diag::Diagnostic;
use samhw_compiler::stmt::VarId;

/// The variables that a packed key holds, outermost first.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct Key {
    fields: Vec<(VarId, u32)>,
}

impl Key {
    /// A key over `vars`, each as wide as its dimension needs. Error when they do not fit 128 bits.
    pub(super) fn new(vars: &[VarId], dims: &[u64]) -> Result<Self, Diagnostic> {
        let bits = |v: VarId| u64::BITS - dims[v.0].saturating_sub(1).leading_zeros();
        let fields: Vec<_> = vars.iter().map(|&v| (v, bits(v))).collect();
        let total: u32 = fields.iter().map(|f| f.1).sum();
        if total > u128::BITS {
            return Err(Diagnostic::new(
                super::TOO_LARGE,
                format!("the coordinates of an entry need {total} bits, but the reference has room for 128"),
            )
            .help("give the dimensions their real sizes"));
        }
        Ok(Self { fields })
    }
    /// Variables, outermost first.
    pub(super) fn vars(&self) -> impl ExactSizeIterator<Item = VarId> {
        self.fields.iter().map(|f| f.0)
    }
    /// Number of variables.
    pub(super) fn len(&self) -> usize {
        self.fields.len()
    }
    /// The key of the current coordinates, indexed by variable.
    pub(super) fn pack(&self, coords: &[u64]) -> u128 {
        self.fields.iter().fold(0, |key, &(v, bits)| shl(key, bits) | u128::from(coords[v.0]))
    }
    /// Writes a key's coordinates to `coords`, indexed by variable.
    pub(super) fn unpack(&self, mut key: u128, coords: &mut [u64]) {
        for &(v, bits) in self.fields.iter().rev() {
            coords[v.0] = key as u64 & low(bits);
            key = key.checked_shr(bits).unwrap_or(0);
        }
    }
    /// Width of each variable's field, outermost first.
    pub(super) fn widths(&self) -> impl DoubleEndedIterator<Item = u32> {
        self.fields.iter().map(|f| f.1)
    }
}

/// The low `bits` bits.
pub(super) fn low(bits: u32) -> u64 {
    u64::MAX.checked_shr(u64::BITS - bits).unwrap_or(0)
}

fn shl(key: u128, bits: u32) -> u128 {
    key.checked_shl(bits).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_sort_like_coordinates_and_come_back() {
        let dims = [5, 1, 1 << 33, 0];
        let key = Key::new(&[VarId(2), VarId(1), VarId(0)], &dims).unwrap();
        let coords = [4, 0, 1 << 32, 9];
        let mut back = [7, 7, 7, 9];
        key.unpack(key.pack(&coords), &mut back);
        assert_eq!(back, coords);
        assert!(key.pack(&[4, 0, 1, 0]) < key.pack(&[0, 0, 2, 0]));
        assert!(Key::new(&[VarId(0), VarId(1), VarId(2)], &[u64::MAX, u64::MAX, 2]).is_err());
    }
}
