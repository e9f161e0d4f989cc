//! Foreign keys of kernel files.

/// Keys of kernel files by the words of other tools: the key here, and what is written.
const KEYS: &[(&str, &str, &str)] = &[
    ("expression", "expr", "`expr = \"y(i) = A(i,j) * x(j)\"`"),
    ("equation", "expr", "`expr = \"y(i) = A(i,j) * x(j)\"`"),
    ("einsum", "expr", "`expr = \"y(i) = A(i,j) * x(j)\"`"),
    ("kernel", "name", "`name = \"spmv\"`"),
    ("dimensions", "dims", "`[dims]`"),
    ("sizes", "dims", "`[dims]`"),
    ("ranges", "dims", "`[dims]`"),
    ("inputs", "tensors", "`[tensors.A]`"),
    ("operands", "tensors", "`[tensors.A]`"),
    ("outputs", "tensors", "`[tensors.y]`"),
    ("loop_order", "order", "`order = [\"i\", \"j\"]`"),
    ("loops", "order", "`order = [\"i\", \"j\"]`"),
    ("reorder", "order", "`order = [\"i\", \"j\"]`"),
    ("accumulator", "acc", "`acc = \"i48\"`"),
    ("dtype", "type", "`type = \"f32\"`"),
    ("precision", "type", "`type = \"f32\"`"),
    ("layout", "format", "`format = \"csr\"`"),
    ("storage", "format", "`format = \"csr\"`"),
    ("formats", "format", "`format = \"csr\"`"),
    ("mode_formats", "levels", "`levels = [\"dense\", \"compressed\"]`"),
    ("dim", "shape", "`shape = [1024, 1024]`"),
    ("size", "shape", "`shape = [1024, 1024]`"),
    ("dims", "shape", "`shape = [1024, 1024]`"),
    ("mode_ordering", "mode_order", "`mode_order = [1, 0]`"),
    ("permutation", "mode_order", "`mode_order = [1, 0]`"),
    ("dim_order", "mode_order", "`mode_order = [1, 0]`"),
    ("fill_value", "fill", "`fill = 0`"),
    ("default", "fill", "`fill = 0`"),
    ("background", "fill", "`fill = 0`"),
    ("capacity", "nnz", "`nnz = 65536`"),
    ("max_nnz", "nnz", "`nnz = 65536`"),
    ("tile", "split", "`split = { k = 64 }`, which makes tiles of 64 of `k`"),
    ("tiles", "split", "`split = { k = 64 }`, which makes tiles of 64 of `k`"),
    ("block", "split", "`split = { k = 64 }`, which makes blocks of 64 of `k`"),
    ("divide", "split", "`split = { k = 64 }`, which makes parts of 64 of `k`"),
    ("strip_mine", "split", "`split = { k = 64 }`, which makes strips of 64 of `k`"),
    ("unroll", "lanes", "`lanes = { j = 8 }`, which takes 8 coordinates of `j` a cycle"),
    ("vectorize", "lanes", "`lanes = { j = 8 }`, which takes 8 coordinates of `j` a cycle"),
    ("simd", "lanes", "`lanes = { j = 8 }`, which takes 8 coordinates of `j` a cycle"),
    ("parallelize", "parallel", "`parallel = { i = 4 }`, which makes 4 copies below `i`"),
    ("threads", "parallel", "`parallel = { i = 4 }`, which makes 4 copies below `i`"),
    ("copies", "parallel", "`parallel = { i = 4 }`, which makes 4 copies below `i`"),
    ("gallop", "skip", "`skip = [\"k\"]`, which skips in joins at `k`"),
    ("random_access", "locate", "`locate = [\"x\"]`, which looks up in `x`"),
    ("bus_width", "data_width", "`data_width = 64`"),
];

/// The keys of each table of a kernel file, and where that is.
const PLACES: &[(&[&str], &str)] = &[
    (&["name", "expr", "order", "reduce", "acc"], "at the top of the file"),
    (
        &["format", "levels", "mode_order", "type", "fill", "nnz", "runs", "shape", "prune", "symmetric"],
        "in [tensors.NAME]",
    ),
    (&["memory", "fifo", "division", "banks"], "in [hardware]"),
    (&["data_width", "address_width", "on_chip", "tile", "masters", "managers", "counters"], "in [hardware.axi]"),
    (&["locate", "scatter", "skip", "parallel", "bitvector", "wide", "split", "lanes"], "in [schedule]"),
    (&["args", "body", "properties", "annihilator", "identity", "iterate", "cases"], "in [functions.NAME]"),
];

/// Returns the samhw key for `word`, a key of another tool or of another table; `known` are those of the
/// table it is in.
pub(in super::super) fn key(word: &str, known: &[&str]) -> Option<String> {
    let lower = word.to_ascii_lowercase();
    let meant = KEYS.iter().filter(|(other, ..)| *other == lower);
    if let Some((_, _, text)) = meant.clone().find(|(_, ours, _)| known.contains(ours)) {
        return Some(format!("write {text}"));
    }
    let place_of = |key: &str| PLACES.iter().find(|(keys, _)| keys.contains(&key)).map(|(_, place)| *place);
    if let Some((_, ours, text)) = meant.clone().next()
        && let Some(place) = place_of(ours)
    {
        return Some(format!("write {text} {place}"));
    }
    place_of(&lower).map(|place| format!("`{lower}` stands {place}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_of_other_tools_are_keys_here() {
        for (word, ours, _) in KEYS {
            let table = matches!(*ours, "dims" | "tensors");
            assert!(table || PLACES.iter().any(|(keys, _)| keys.contains(ours)), "{word}");
        }
    }
}
