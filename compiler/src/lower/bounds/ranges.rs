//! The numbers that expressions can be: least and largest values, and types that hold them.

use super::Sum;
use crate::lower::Lowering;
use crate::lower::scanned::LEAST_BITS;
use crate::lower::tree::Tree;
use crate::stmt::Fun;
use crate::types::Type;

impl Lowering<'_> {
    /// Does whole-number arithmetic give what `t` gives, with nothing cut off?
    pub(super) fn exact(&self, t: &Tree) -> bool {
        self.range_of_numbers(t).is_some_and(|range| self.within(&range, self.type_of_tree(t)))
    }

    pub(super) fn within(&self, range: &(i128, i128), ty: Type) -> bool {
        ty.is_int() && ty.range().0 <= range.0 && range.1 <= ty.range().1
    }

    /// The least and the largest value of `t`.
    pub(super) fn range(&self, t: &Tree) -> Option<(i128, i128)> {
        let ty = self.type_of_tree(t);
        let all = Some(ty.range()).filter(|_| ty.is_int());
        self.range_of_numbers(t).filter(|range| self.within(range, ty)).or(all)
    }

    /// The least and the largest value of `t` if its type held every number.
    pub(super) fn range_of_numbers(&self, t: &Tree) -> Option<(i128, i128)> {
        match t {
            Tree::Leaf(l) => self.leaves[*l].below.map(|n| (0, i128::from(n.saturating_sub(1)))),
            Tree::Literal(value, ty) if ty.is_int() => Some((ty.value(*value), ty.value(*value))),
            Tree::Map(Fun::Add, _, args) => {
                let (a, b) = (self.range(&args[0])?, self.range(&args[1])?);
                Some((a.0 + b.0, a.1 + b.1))
            }
            Tree::Map(Fun::Sub, _, args) => {
                let (a, b) = (self.range(&args[0])?, self.range(&args[1])?);
                Some((a.0 - b.1, a.1 - b.0))
            }
            Tree::Map(Fun::Mul, _, args) => {
                let (a, b) = (self.range(&args[0])?, self.range(&args[1])?);
                let ends = [(a.0, b.0), (a.0, b.1), (a.1, b.0), (a.1, b.1)].map(|(a, b)| a.checked_mul(b));
                let ends: Vec<i128> = ends.into_iter().collect::<Option<_>>()?;
                Some((*ends.iter().min()?, *ends.iter().max()?))
            }
            Tree::Map(Fun::Min | Fun::Max, _, args) => {
                let (a, b) = (self.range(&args[0])?, self.range(&args[1])?);
                Some((a.0.min(b.0), a.1.max(b.1)))
            }
            Tree::Convert(body, from, _) if from.is_int() => self.range(body),
            _ => None,
        }
    }

    /// The least and the largest value of a sum.
    pub(super) fn range_of_sum(&self, sum: &Sum) -> Option<(i128, i128)> {
        sum.terms.iter().try_fold((sum.constant, sum.constant), |(least, most), (adds, t)| {
            let (a, b) = self.range(t)?;
            Some(if *adds { (least + a, most + b) } else { (least - b, most - a) })
        })
    }
}

/// The narrowest type of bounds that holds these numbers.
pub(in crate::lower) fn holding((least, most): (i128, i128)) -> Option<Type> {
    let types = (LEAST_BITS..=64).flat_map(|bits| [false, true].map(|signed| Type::int(bits, signed)));
    types.into_iter().find(|ty| ty.range().0 <= least && most <= ty.range().1)
}
