//! What a run leaves in the arrays of its results, for generated programs and benches that compare it.

use crate::arrays;
use crate::compare::OpenValues;
use crate::memory;
use crate::native::Native;
use crate::problem::{measured, result_shape, value_coordinates, whole, written};
use crate::run::{Problem, stored_in};
use crate::words;
use samhw_compiler::diag::Diagnostic;
use samhw_compiler::levels::Part;
use samhw_compiler::netlist::{Array, InParts, Netlist};
use samhw_compiler::stmt::TensorId;
use samhw_values::Type;
use std::collections::BTreeMap;

/// What a run writes into an array of a result.
pub struct WrittenWords {
    /// The words.
    pub words: Vec<u64>,
    /// What they may be, if the order of sums decides.
    pub ranges: Option<WordRanges>,
}

/// Ranges of words.
pub struct WordRanges {
    /// The least and the greatest of each word, one after the other; 1 and 0 where nothing is known.
    pub words: Vec<u64>,
    /// The type of the words.
    pub ty: Type,
}

/// A result in parts as one.
pub struct JoinedWords {
    /// Name of the result.
    pub name: String,
    /// Size of each level, outermost first.
    pub sizes: Vec<u64>,
    /// The value of what no part has.
    pub fill: u64,
    /// Its arrays in the format that it has without copies and lanes, with their names.
    pub arrays: Vec<(String, WrittenWords)>,
}

/// What a run leaves, whoever of the copies wrote what.
pub struct Left {
    /// What it writes into each array of a result that is whole, by the array's number.
    pub arrays: BTreeMap<usize, WrittenWords>,
    /// The words that each array of a part may need, whichever items its copy gets, by the array's
    /// number.
    pub rooms: BTreeMap<usize, u64>,
    /// The results in parts.
    pub joined: Vec<JoinedWords>,
}

impl Problem {
    /// What a run on the native engine has in the arrays of results, by their names.
    fn held(&self, net: &Netlist, limit: u64) -> Result<BTreeMap<String, Vec<u64>>, Diagnostic> {
        let mut native = Native::new(memory::held(net, false)?, &self.config(net));
        self.simulate(net, &mut native, limit)?;
        let mut taken = stored_in(net, &mut native);
        Ok(net.arrays.iter().filter(|a| a.host_reads).map(|a| (a.name.clone(), taken(a))).collect())
    }

    /// Returns what a run writes into each array of a result, by the array's number.
    pub fn written(&self, net: &Netlist, limit: u64) -> Result<BTreeMap<usize, WrittenWords>, Diagnostic> {
        let held = self.held(net, limit)?;
        let all: Vec<usize> = (0..net.arrays.len()).collect();
        self.written_words(net, &all, |array| held.get(&array.name).cloned().unwrap_or_default())
    }

    /// Returns what a run leaves, with results in parts as one.
    pub fn left(&self, net: &Netlist, limit: u64) -> Result<Left, Diagnostic> {
        let held = self.held(net, limit)?;
        let stored = |array: &Array| held.get(&array.name).cloned().unwrap_or_default();
        let results = InParts::of(&self.lowered, net);
        let in_parts = |k: &usize| results.iter().any(|r| r.parts.contains(&net.arrays[*k].of));
        let (parts, whole): (Vec<usize>, Vec<usize>) = (0..net.arrays.len()).partition(in_parts);
        let joined = results.iter().map(|r| self.joined_words(net, r, stored)).collect::<Result<_, _>>()?;
        Ok(Left { arrays: self.written_words(net, &whole, stored)?, rooms: self.rooms(net, &parts)?, joined })
    }

    /// What is in these arrays of results, by their numbers; `stored` gives it.
    fn written_words(
        &self,
        net: &Netlist,
        arrays: &[usize],
        stored: impl Fn(&Array) -> Vec<u64>,
    ) -> Result<BTreeMap<usize, WrittenWords>, Diagnostic> {
        let mut out = BTreeMap::new();
        let words = written(&self.lowered, &self.dims, net, &stored)?;
        for (k, words) in words.into_iter().filter(|(k, _)| arrays.contains(k)) {
            let (of, part) = (net.arrays[k].of, net.arrays[k].part);
            let tensor = self.lowered.graph.uses[of.0].tensor;
            let at = || value_coordinates(&self.lowered, of, &self.dims, net, &stored);
            let ranges = if part == Part::Values { self.ranges(tensor, words.len(), at)? } else { None };
            out.insert(k, WrittenWords { words, ranges });
        }
        Ok(out)
    }

    /// The words that these arrays of results may need: all that the run stores of their part of
    /// the result, if it has room, since any copy may get all items.
    fn rooms(&self, net: &Netlist, arrays: &[usize]) -> Result<BTreeMap<usize, u64>, Diagnostic> {
        let stored = self.reference.iter().map(|(t, o)| (*t, o.stored.clone())).collect();
        let sizes = measured(&self.lowered, &self.packed, &stored)?.most(&self.most);
        let room = |&k: &usize| {
            let array = &net.arrays[k];
            let used = &self.lowered.graph.uses[array.of.0];
            let shape = result_shape(used, &self.lowered.kernel, &self.dims);
            let words = sizes.words(array.of, array.part, |l| shape[l]);
            let words = if let Part::Bits(_, width) = array.part { words * words::parts(width) } else { words };
            (k, words.min(array.words))
        };
        Ok(arrays.iter().map(room).collect())
    }

    fn joined_words(
        &self,
        net: &Netlist,
        result: &InParts,
        stored: impl FnMut(&Array) -> Vec<u64>,
    ) -> Result<JoinedWords, Diagnostic> {
        let fill = self.reference.get(&result.tensor).map_or(0, |output| output.fill);
        let whole = whole(&self.lowered, result, &self.dims, net, fill, stored)?;
        let mut arrays = Vec::new();
        for (name, part) in result.arrays(&self.lowered) {
            let words = arrays::of_part(part, &whole.storage).unwrap_or_default().into_owned();
            let at = || Ok(whole.coordinates.clone());
            let ranges = if part == Part::Values { self.ranges(result.tensor, words.len(), at)? } else { None };
            arrays.push((name, WrittenWords { words, ranges }));
        }
        Ok(JoinedWords { name: result.name.clone(), sizes: whole.storage.shape, fill, arrays })
    }

    /// The least and the greatest word that each of `count` values of a result may be, one after
    /// the other, where the order of sums decides; of words of which nothing is known 1 and 0. `at`
    /// gives coordinates and places.
    fn ranges(
        &self,
        t: TensorId,
        count: usize,
        at: impl FnOnce() -> Result<Vec<(Vec<u64>, usize)>, Diagnostic>,
    ) -> Result<Option<WordRanges>, Diagnostic> {
        let split = self.tiles.as_ref().and_then(|x| x.split.parts.get(&t));
        let kernel_file = split.map_or(t, |part| part.of);
        let Some(output) = self.wanted(kernel_file) else { return Ok(None) };
        let tensor = self.tensor(kernel_file);
        let Some(open) = OpenValues::of(output, &tensor)? else { return Ok(None) };
        let mut words = [1, 0].repeat(count);
        for (coord, place) in at()? {
            let coord = split.map_or_else(|| coord.clone(), |part| part.outside(&coord));
            if let Some(ends) = open.at(&coord).range(tensor.ty).filter(|_| place < count) {
                words[2 * place..2 * place + 2].copy_from_slice(&ends);
            }
        }
        Ok(Some(WordRanges { words, ty: tensor.ty }))
    }
}
