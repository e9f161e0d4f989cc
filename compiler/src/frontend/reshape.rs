//! Sizes of reshaped modes: one mode split into several, several joined into one, or a whole tensor.

use super::declaration::MAX_SIZE;
use super::names::FileNames;
use super::reader::Reader;
use super::sizes::Dimension;
use super::syntax::{Ident, Index, Selects};

/// Some modes of a tensor, one after the other, that are counted row by row.
pub(super) struct ModeRun<'r> {
    /// Number of the statement.
    pub number: usize,
    /// Name and number of the tensor.
    pub tensor: (&'r str, usize),
    /// Modes of the tensor.
    pub modes: std::ops::Range<usize>,
    /// The index in place of these modes.
    pub index: &'r Index,
}

/// Returns the product as text, such as `3 * 2`.
pub(super) fn product(sizes: &[u64]) -> String {
    sizes.iter().map(u64::to_string).collect::<Vec<_>>().join(" * ")
}

/// The modes that item `mode` of an index list stands for.
pub(super) fn run(indices: &[Index], mode: usize) -> std::ops::Range<usize> {
    let within = |index: &&Index| matches!(index.selects, Selects::Within);
    mode..mode + 1 + indices.iter().skip(mode + 1).take_while(within).count()
}

/// All sizes into which `total` coordinates are seen, the first of which may follow from the others; `None` if they
/// do not hold just these.
pub(super) fn seen_sizes(total: u64, sizes: &[Option<u64>]) -> Option<Vec<u64>> {
    let known = sizes.iter().copied().flatten().try_fold(1_u64, u64::checked_mul)?;
    let open = sizes.iter().any(Option::is_none);
    let fits = if open { total.is_multiple_of(known) } else { total == known };
    fits.then(|| sizes.iter().map(|size| size.unwrap_or(total / known)).collect())
}

impl FileNames<'_> {
    /// The sizes that operators say of indices.
    pub(super) fn said_sizes(&mut self, reader: &mut Reader, number: usize, tensor: &str, index: &Index) {
        let Selects::Reshaped(idents, sizes) = &index.selects else { return };
        for (ident, size) in idents.iter().zip(sizes) {
            if let Some(size) = size {
                self.seen_size(reader, number, &format!("the view of `{tensor}`"), ident, *size);
            }
        }
    }

    /// The size of the one mode that has none, if those of all indices are known.
    pub(super) fn size_of_mode(&mut self, run: &ModeRun<'_>) {
        let Selects::Reshaped(idents, sizes) = &run.index.selects else { return };
        let mut total = Some(1_u64);
        for (ident, size) in idents.iter().zip(sizes) {
            let size = size.or_else(|| self.sizes.size(&Dimension::Index(run.number, ident.name.clone())));
            total = total.zip(size).and_then(|(total, size)| total.checked_mul(size));
        }
        let (mut open, mut known) = (Vec::new(), Some(1_u64));
        for mode in run.modes.clone().map(|mode| Dimension::Mode(run.tensor.1, mode)) {
            match self.sizes.size(&mode) {
                Some(size) => known = known.and_then(|known| known.checked_mul(size)),
                None => open.push(mode),
            }
        }
        if let ([mode], Some(total), Some(known @ 1..)) = (&open[..], total, known)
            && total.is_multiple_of(known)
        {
            self.sizes.say(mode, total / known, run.index.span.clone());
        }
    }

    /// Returns the number of coordinates of the modes, if all of their sizes are known.
    pub(super) fn total(&mut self, tensor: usize, modes: std::ops::Range<usize>) -> Option<u64> {
        let mut sizes = modes.map(|mode| self.sizes.size(&Dimension::Mode(tensor, mode)));
        sizes.try_fold(1_u64, |all, size| all.checked_mul(size?).filter(|all| *all <= MAX_SIZE))
    }

    /// The size of the index that has one of them only now, and whether all fit; false if sizes are missing.
    pub(super) fn seen(&mut self, reader: &mut Reader, run: &ModeRun<'_>) -> bool {
        let Selects::Reshaped(idents, sizes) = &run.index.selects else { return true };
        let (name, tensor) = run.tensor;
        let known: Option<Vec<u64>> =
            run.modes.clone().map(|mode| self.sizes.size(&Dimension::Mode(tensor, mode))).collect();
        let Some(known) = known else { return false };
        let of = match run.modes.len() {
            1 => format!("mode {} of `{name}` has size {}", run.modes.start, product(&known)),
            _ => {
                format!("modes {} to {} of `{name}` have size {}", run.modes.start, run.modes.end - 1, product(&known))
            }
        };
        let Some(total) = self.total(tensor, run.modes.clone()) else {
            let message = format!("{of}, more than {} together", MAX_SIZE);
            let problem = reader.at("E028", run.index.span.clone(), message);
            reader.report(problem.help("keep them as separate modes"));
            return true;
        };
        if let Some(all) = seen_sizes(total, sizes) {
            for (ident, (size, said)) in idents.iter().zip(all.iter().zip(sizes)) {
                if said.is_none() {
                    self.seen_size(reader, run.number, &format!("the view of `{name}`"), ident, *size);
                }
            }
            return true;
        }
        let said: Vec<u64> = sizes.iter().copied().flatten().collect();
        let multiple = said.iter().try_fold(1_u64, |all, m| all.checked_mul(*m));
        let open = sizes.iter().any(Option::is_none);
        let (message, help) = if open {
            let more = multiple.and_then(|all| total.checked_next_multiple_of(all));
            let help = match (more, run.modes.len()) {
                (Some(more), 1) => {
                    format!("split it into parts that divide it, or declare it and give data of size {more}")
                }
                _ => "split it into parts that divide it".to_owned(),
            };
            (format!("{of}, not a multiple of {}", product(&said)), help)
        } else {
            (format!("{of}, which is not {}", product(&said)), "give `reshape` sizes whose product is that".to_owned())
        };
        reader.report(reader.at("E028", run.index.span.clone(), message).help(help));
        // What it would be with padding, so that nothing else seems to be wrong.
        if let (true, Some(first)) = (open, idents.first()) {
            let outer = Dimension::Index(run.number, first.name.clone());
            if self.sizes.size(&outer).is_none() {
                self.sizes.say(&outer, multiple.map_or(1, |all| total.div_ceil(all)), first.span.clone());
            }
        }
        true
    }

    /// An index has this size; `what`: of what.
    pub(super) fn seen_size(&mut self, reader: &mut Reader, number: usize, what: &str, ident: &Ident, size: u64) {
        let selected = self.sizes.selected(size, ident.span.clone());
        let what = format!("index `{}` and {what}", ident.name);
        let index = Dimension::Index(number, ident.name.clone());
        self.sizes.unite(reader, &index, &selected, ident.span.clone(), &what);
    }
}
