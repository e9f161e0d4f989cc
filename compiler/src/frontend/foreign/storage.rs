//! Foreign names of levels and tensor formats.

use super::plain;
use crate::frontend::usual::UsualFormat;
use crate::levels;

/// The level that `word` names elsewhere: Finch's, MLIR's, TACO's letters.
fn level_name(word: &str) -> Option<&'static str> {
    levels::ALL.into_iter().find(|kind| kind.elsewhere().contains(&word)).map(|kind| kind.name())
}

/// Returns the samhw word for `word`, a level of another tool.
pub(in super::super) fn level(word: &str) -> Option<String> {
    let word = plain(word);
    if let Some(ours) = level_name(&word) {
        return Some(format!("write `{ours}`"));
    }
    let named = UsualFormat::from_name(&word)?;
    Some(format!("it is the name of a format, which says all levels: `format = \"{}\"`", named.name()))
}

/// Returns the samhw word for `word`, a format of another tool.
pub(in super::super) fn format(word: &str) -> Option<String> {
    if let Some(levels) = letters(&word.to_ascii_lowercase()) {
        return Some(levels);
    }
    let word = plain(word);
    let stem = word.strip_suffix("_matrix").or_else(|| word.strip_suffix("_array"));
    let stem = stem.or_else(|| word.strip_prefix("sparse_")).unwrap_or(&word);
    if let Some(named) = UsualFormat::from_name(stem) {
        return Some(format!("write `{}`", named.name()));
    }
    let each = "say how each index is stored, as in `levels = [\"dense\", \"compressed\"]`, which is `csr`";
    Some(match stem {
        "sparse" | "compressed" => format!("{each}; all of them compressed is `csf`"),
        "sparsecoo" | "dok" | "lil" | "triplet" | "triplets" | "ijv" => "write `coo`".into(),
        "full" | "array" | "ndarray" | "strided" | "tensor" | "row_major" | "rowmajor" | "c_contiguous" => {
            "write `dense`".into()
        }
        "col_major" | "colmajor" | "column_major" | "f_contiguous" | "fortran" => {
            "write `dense`, with `mode_order = [1, 0]`".into()
        }
        "bsr" | "bcsr" => {
            "blocks of a fixed size are what `split` makes of a matrix's indices; docs/kernel-files.md".into()
        }
        "ell" | "ellpack" | "sell" => {
            "it is two dense tensors, of values and of columns, as in examples/ell.toml".into()
        }
        "dia" => "it is a dense tensor of diagonals, read at computed coordinates; docs/kernel-files.md".into(),
        _ if level_name(stem).is_some() || levels::named(stem).is_some() => {
            format!("it is the name of a level: {each}")
        }
        _ => return None,
    })
}

/// TACO's letters for levels, and the order of modes behind them: `ds`, `ds:1,0`.
fn letters(word: &str) -> Option<String> {
    let (levels, modes) = word.split_once(':').unwrap_or((word, ""));
    let known = |c: char| level_name(c.encode_utf8(&mut [0; 4]));
    let levels: Vec<&str> = levels.chars().map(known).collect::<Option<_>>()?;
    let modes: Vec<usize> =
        modes.split(',').filter(|m| !m.is_empty()).map(|m| m.parse().ok()).collect::<Option<_>>()?;
    if levels.is_empty() || !modes.is_empty() && modes.len() != levels.len() {
        return None;
    }
    let mut text = format!("write `levels = {levels:?}`");
    if !modes.is_sorted() {
        text += &format!(" and `mode_order = {modes:?}`");
    }
    let named = UsualFormat::ALL.into_iter().find(|named| {
        let order = if named.by_columns() { modes == [1, 0] } else { modes.is_sorted() };
        let modes = named.order().is_none_or(|modes| modes == levels.len());
        order && modes && named.levels(levels.len()).iter().map(|level| level.name()).eq(levels.iter().copied())
    });
    if let Some(named) = named {
        text += &format!(", or `format = \"{}\"`", named.name());
    }
    Some(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn letters_of_taco_are_levels() {
        assert_eq!(
            format("ds").as_deref(),
            Some("write `levels = [\"dense\", \"compressed\"]`, or `format = \"csr\"`")
        );
        let csc = "write `levels = [\"dense\", \"compressed\"]` and `mode_order = [1, 0]`, or `format = \"csc\"`";
        assert_eq!(format("ds:1,0").as_deref(), Some(csc));
        let csf = "write `levels = [\"compressed\", \"compressed\", \"compressed\"]`, or `format = \"csf\"`";
        assert_eq!(format("sss").as_deref(), Some(csf));
        assert_eq!(format("dds:2,0,1").map(|t| t.ends_with("`mode_order = [2, 0, 1]`")), Some(true));
        assert_eq!(letters("dx"), None);
    }
}
