//! A tensor as data: its stored coordinates in row-major order and their values.

use std::borrow::Cow;

use super::sort::sorting;

/// Stored entries of a tensor, in index order (not storage order). Coordinates are unique, inside the
/// shape, and sorted row-major. What is stored may equal the fill; what is not stored is the fill.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Coo {
    shape: Vec<u64>,
    coords: Vec<u64>,
    values: Vec<u64>,
}

/// The reason why a list of entries is not a tensor; entries are numbered in the order given.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Clash {
    /// Two entries have the same coordinate.
    Twice {
        /// The coordinate.
        coord: Vec<u64>,
        /// Number of the earlier entry.
        first: usize,
        /// Number of the later entry.
        second: usize,
    },
    /// The coordinate of an entry in `mode` is not below the size.
    Outside {
        /// Number of the entry.
        entry: usize,
        /// Number of the mode.
        mode: usize,
    },
    /// The number of coordinates is not the number of values times the order.
    Lengths,
}

impl Coo {
    /// Creates a tensor without entries, with one size per mode; an empty shape is a scalar.
    pub fn empty(shape: Vec<u64>) -> Self {
        Self { shape, coords: Vec::new(), values: Vec::new() }
    }

    /// Creates a tensor from entries in any order. `coords` holds one coordinate after the other (`shape.len()` numbers
    /// each), `values` the raw bits.
    pub fn new(shape: Vec<u64>, coords: Vec<u64>, values: Vec<u64>) -> Result<Self, Clash> {
        let order = shape.len();
        if values.len().checked_mul(order) != Some(coords.len()) {
            return Err(Clash::Lengths);
        }
        for (n, coord) in coords.chunks_exact(order.max(1)).enumerate() {
            if let Some(mode) = (0..order).find(|&m| coord[m] >= shape[m]) {
                return Err(Clash::Outside { entry: n, mode });
            }
        }
        let twice = |(first, second): (usize, usize)| {
            let coord = coords[first * order..][..order].to_vec();
            Clash::Twice { coord, first, second }
        };
        match sorting(&shape, &coords, values.len()).map_err(twice)? {
            None => Ok(Self { shape, coords, values }),
            Some(by) => {
                let values = by.iter().map(|&n| values[n]).collect();
                let mut sorted = Vec::with_capacity(coords.len());
                by.iter().for_each(|&n| sorted.extend_from_slice(&coords[n * order..][..order]));
                Ok(Self { shape, coords: sorted, values })
            }
        }
    }

    /// Returns the size of each mode.
    pub fn shape(&self) -> &[u64] {
        &self.shape
    }
    /// Returns the number of modes.
    pub fn order(&self) -> usize {
        self.shape.len()
    }
    /// Returns the number of stored entries, including explicit fills.
    pub fn len(&self) -> usize {
        self.values.len()
    }
    /// Returns whether nothing is stored.
    pub fn is_empty(&self) -> bool {
        self.values.is_empty()
    }
    /// Returns the coordinate of entry `n` in row-major order, one number per mode.
    pub fn coord(&self, n: usize) -> &[u64] {
        &self.coords[n * self.order()..][..self.order()]
    }
    /// Returns all coordinates, one after the other, in row-major order.
    pub fn coords(&self) -> &[u64] {
        &self.coords
    }
    /// Returns the raw bits of all entries, in row-major order of the coordinates.
    pub fn values(&self) -> &[u64] {
        &self.values
    }
    /// Iterates over all entries in row-major order.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = (&[u64], u64)> {
        (0..self.len()).map(|n| (self.coord(n), self.values[n]))
    }
    /// Returns the raw value stored at `coord`, or `None`.
    pub fn get(&self, coord: &[u64]) -> Option<u64> {
        let (mut lo, mut hi) = (0, self.len());
        while lo < hi {
            let mid = lo + (hi - lo) / 2;
            match self.coord(mid).cmp(coord) {
                std::cmp::Ordering::Less => lo = mid + 1,
                std::cmp::Ordering::Greater => hi = mid,
                std::cmp::Ordering::Equal => return Some(self.values[mid]),
            }
        }
        None
    }

    /// Permutes the modes: mode `l` of the result is mode `mode_order[l]` of this tensor; `None` if that is not a
    /// permutation.
    pub fn permuted(&self, mode_order: &[usize]) -> Option<Cow<'_, Self>> {
        let order = self.order();
        let mut seen = vec![false; order];
        for &m in mode_order {
            if std::mem::replace(seen.get_mut(m)?, true) {
                return None;
            }
        }
        if mode_order.len() != order {
            return None;
        }
        if mode_order.iter().copied().eq(0..order) {
            return Some(Cow::Borrowed(self));
        }
        let mut coords = Vec::with_capacity(self.coords.len());
        for coord in self.coords.chunks_exact(order.max(1)) {
            coords.extend(mode_order.iter().map(|&m| coord[m]));
        }
        let shape = mode_order.iter().map(|&m| self.shape[m]).collect();
        Self::new(shape, coords, self.values.clone()).ok().map(Cow::Owned)
    }

    /// Returns the tensor without entries equal to `fill`.
    pub fn without(&self, fill: u64) -> Self {
        let mut kept = Self::empty(self.shape.clone());
        for (coord, value) in self.iter().filter(|&(_, value)| value != fill) {
            kept.coords.extend_from_slice(coord);
            kept.values.push(value);
        }
        kept
    }

    /// Returns the same coordinates with mapped values.
    pub fn mapped(&self, value: impl Fn(u64) -> u64) -> Self {
        let values = self.values.iter().map(|&v| value(v)).collect();
        Self { shape: self.shape.clone(), coords: self.coords.clone(), values }
    }

    /// Changes the shape, with the same order; `None` if an entry does not fit.
    pub fn resized(self, shape: Vec<u64>) -> Option<Self> {
        if shape.len() != self.order() {
            return None;
        }
        let grows = self.shape.iter().zip(&shape).all(|(old, new)| old <= new);
        let inside = || self.iter().all(|(coord, _)| coord.iter().zip(&shape).all(|(c, size)| c < size));
        (grows || inside()).then_some(shape).map(|shape| Self { shape, ..self })
    }
}
