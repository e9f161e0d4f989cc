//! The entry `split` of a schedule: of an index the size of its tiles, or sizes of tiles in tiles.

use super::declaration::MAX_SIZE;
use super::reader::{Entry, Reader, Value, in_order};
use crate::schedule::TileSizes;
use toml::Spanned;

/// Most sizes of one index.
const MOST_SIZES: usize = 3;

/// Reads `split`.
pub(super) fn read_split(reader: &mut Reader, value: &Value<'_>) -> TileSizes {
    let Some(table) = reader.table(value, "`split`") else { return TileSizes::new() };
    let sizes = |entry: Entry<'_>| {
        let sizes = read_sizes(reader, entry.name(), entry.value)?;
        Some((Spanned::new(entry.key.span(), entry.name().to_owned()), sizes))
    };
    in_order(table).into_iter().filter_map(sizes).collect()
}

/// A size, or sizes of which each is a multiple of the next; all problems are reported.
fn read_sizes(reader: &mut Reader, index: &str, value: &Value<'_>) -> Option<Vec<u64>> {
    let what = format!("`split` of `{index}`");
    let Some(items) = value.get_ref().as_array() else {
        return reader.size_or_sizes(value, &what, 1..=MAX_SIZE).map(|size| vec![size]);
    };
    // A tile of one coordinate has none inside of it.
    let least = if items.len() > 1 { 2 } else { 1 };
    let sizes: Vec<Option<u64>> =
        items.iter().map(|item| reader.unsigned(item, &format!("a size in {what}"), least..=MAX_SIZE)).collect();
    let sizes: Vec<u64> = sizes.into_iter().collect::<Option<_>>()?;
    let mut refuse = |place: &Value<'_>, why: String, way: String| {
        let problem = reader.at("S042", place.span(), format!("{index} cannot be split: {why}"));
        reader.report(problem.help(way));
    };
    if sizes.is_empty() {
        let way = format!("write the size of a tile, as in `{index} = 64`, or leave {index} out of `split`");
        refuse(value, "it has no sizes of tiles".into(), way);
        return None;
    }
    if sizes.len() > MOST_SIZES {
        let way = format!("write at most {MOST_SIZES} sizes, largest first, as in `{index} = [1024, 128, 16]`");
        refuse(value, format!("it has {} sizes of tiles", sizes.len()), way);
        return None;
    }
    let mut right = true;
    for (pair, item) in sizes.windows(2).zip(items.iter().skip(1)) {
        let [outer, inner] = [pair[0], pair[1]];
        if inner < outer && outer % inner == 0 {
            continue;
        }
        right = false;
        let rule = "each size is a multiple of the next, which lies inside of it";
        let (why, way) = if inner == outer {
            (format!("it has tiles of {inner} twice, one in the other"), format!("leave one of them out; {rule}"))
        } else if inner > outer {
            let larger = inner.next_multiple_of(outer);
            (format!("tiles of {inner} are no part of tiles of {outer}"), format!("write `{larger}, {outer}`; {rule}"))
        } else {
            let larger = outer.next_multiple_of(inner);
            let why = format!("tiles of {outer} are no whole number of tiles of {inner}");
            (why, format!("write `{larger}, {inner}`; {rule}"))
        };
        refuse(item, why, way);
    }
    right.then_some(sizes)
}
