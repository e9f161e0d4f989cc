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
    let size = format!("a size in {what}");
    let sizes: Vec<Option<u64>> = items.iter().map(|item| reader.unsigned(item, &size, 1..=MAX_SIZE)).collect();
    let sizes: Vec<u64> = sizes.into_iter().collect::<Option<_>>()?;
    if sizes.is_empty() || sizes.len() > MOST_SIZES {
        let found = format!("{what} must have 1 to {MOST_SIZES} sizes, this has {}", sizes.len());
        let way = match sizes.len() {
            0 => format!("write the size of a tile, as in `{index} = 64`, or leave {index} out of `split`"),
            _ => format!("write the largest first, as in `{index} = [1024, 128, 16]`"),
        };
        let problem = reader.at("K010", value.span(), found);
        reader.report(problem.help(way));
        return None;
    }
    let mut right = true;
    for (pair, item) in sizes.windows(2).zip(items.iter().skip(1)) {
        let [outer, inner] = [pair[0], pair[1]];
        if 1 < inner && inner < outer && outer % inner == 0 {
            continue;
        }
        right = false;
        let message = format!("{inner} in {what} must be a smaller size that divides the one before it, {outer}");
        let way = match inner {
            1 => format!("leave the 1 out: the loop inside of tiles of {outer} goes through single coordinates"),
            _ if inner == outer => format!("leave one of the two out, or write `{}, {inner}`", outer.saturating_mul(2)),
            _ => {
                let [less, more] = [inner.min(outer), inner.max(outer)];
                format!("write `{}, {less}`: tiles of {less} lie in larger ones", more.next_multiple_of(less))
            }
        };
        let problem = reader.at("K010", item.span(), message);
        reader.report(problem.help(way));
    }
    right.then_some(sizes)
}
