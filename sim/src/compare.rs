//! Comparison of hardware results with the reference: equal coordinates, and equal bits unless the order of operations
//! matters; there, values within the bounds of every order.

use crate::reference::{Near, Output};
use crate::tensor::{Coo, pack, unpack};
use samhw_compiler::diag::Diagnostic;
use samhw_compiler::stmt::Tensor;

/// What the order of sums leaves open of a result: [`Near`] values at the coordinates that its format stores.
pub struct OpenValues<'a> {
    places: Coo,
    values: &'a [Near],
}

impl<'a> OpenValues<'a> {
    /// Finds what is open of a result, if the order of sums matters for it.
    ///
    /// # Errors
    ///
    /// Formats that cannot hold the reference's result.
    pub fn of(output: &'a Output, tensor: &Tensor) -> Result<Option<Self>, Diagnostic> {
        let Some(bounds) = &output.bounds else { return Ok(None) };
        let places = pack(&bounds.places, &tensor.levels, &tensor.mode_order, 0)?;
        Ok(Some(Self { places: unpack(&places, &tensor.mode_order)?, values: &bounds.values }))
    }

    /// The value at a coordinate: what the first one is where none is stored.
    pub fn at(&self, coord: &[u64]) -> Near {
        let place = self.places.get(coord).unwrap_or(0);
        self.values.get(place as usize).copied().unwrap_or_default()
    }
}

/// The result of a comparison.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Verdict {
    /// Description of the first difference.
    pub difference: Option<String>,
    /// Number of values compared with bounds, because their sums depend on the order.
    pub bounded: usize,
    /// Number of values without bounds: their sums overflow in some order, or have too many terms.
    pub unknown: usize,
}

/// Compares the hardware's entries of `tensor` with the reference.
///
/// # Errors
///
/// Formats that cannot hold the reference's result.
pub fn compare(output: &Output, tensor: &Tensor, found: &Coo) -> Result<Verdict, Diagnostic> {
    let full = |coo: &Coo, fill: u64| unpack(&pack(coo, &tensor.levels, &tensor.mode_order, fill)?, &tensor.mode_order);
    let expected = full(&output.stored, output.fill)?;
    if expected.shape() != found.shape() {
        let difference = format!("shape {:?}, the reference has {:?}", found.shape(), expected.shape());
        return Ok(Verdict { difference: Some(difference), ..Verdict::default() });
    }
    let places = match &output.bounds {
        Some(bounds) => Some((full(&bounds.places, 0)?, &bounds.values)),
        None => None,
    };
    let mut verdict = Verdict::default();
    // Entries of what was found so far.
    let mut m = 0;
    for n in 0..=expected.len() {
        if n == expected.len() && m >= found.len() {
            break;
        }
        let there = n < expected.len() && m < found.len() && expected.coord(n) == found.coord(m);
        let near = |raw: u64| match &places {
            Some((places, values)) => values.get(places.values()[n] as usize).copied().unwrap_or_default(),
            None => Near::exact(raw),
        };
        // What is the fill in some order is left out of a pruned result then.
        if !there && tensor.prune && places.is_some() && n < expected.len() {
            let allows = near(expected.values()[n]).allows(tensor.ty, tensor.fill.unwrap_or(output.fill));
            verdict.unknown += usize::from(allows.is_none());
            if allows != Some(false) {
                verdict.bounded += 1;
                continue;
            }
        }
        let same = there && {
            let near = near(expected.values()[n]);
            verdict.bounded += usize::from(!near.is_exact());
            match near.allows(tensor.ty, found.values()[m]) {
                Some(same) => same,
                None => {
                    verdict.unknown += 1;
                    true
                }
            }
        };
        if !same {
            let show = |c: &Coo, n: usize| match n < c.len() {
                true => format!("{:?} = {}", c.coord(n), tensor.ty.show(c.values()[n])),
                false => "nothing".into(),
            };
            let range = if there { near(expected.values()[n]).range_text(tensor.ty) } else { String::new() };
            let (found, expected) = (show(found, m), show(&expected, n));
            let difference = format!("entry {n} is {found}, the reference has {expected}{range}");
            return Ok(Verdict { difference: Some(difference), ..verdict });
        }
        m += 1;
    }
    Ok(verdict)
}
