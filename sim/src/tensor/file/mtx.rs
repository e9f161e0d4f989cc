//! Matrix Market: "The Matrix Market Exchange Formats" (Boisvert, Pozo, Remington, 1996), with the objects
//! `vector` and `tensor` that fast_matrix_market and TACO added.

use std::io::BufRead;
use std::path::Path;

use samhw_compiler::data::ValuePolicy;
use samhw_compiler::diag::Diagnostic;

use super::convert::Converter;
use super::dense::Dense;
use super::entries::{Entries, coordinate};
use super::lines::{Lines, show};
use super::mtx_header::{Field, MtxHeader, Symmetry};
use super::number::{Class, Number};
use crate::tensor::{Loaded, Target, codes};

/// Reads a file that is not empty.
pub(super) fn read(input: impl BufRead, path: &Path, values: Converter, target: &Target) -> Result<Loaded, Diagnostic> {
    let mut lines = Lines::new(input, path);
    let header = MtxHeader::read(&mut lines)?;
    let modes = target.modes(&header.dims).map_err(|said| said.at(lines.place()))?;
    let shape = modes.iter().map(|&m| header.dims[m]).collect();
    let mut entries = Entries::new(modes);
    match header.entries {
        Some(count) => coordinates(&mut lines, &header, count, values, &mut entries)?,
        None => array(&mut lines, &header, values, Dense::new(target), &mut entries)?,
    }
    if lines.next_data(b"%")? {
        return Err(lines
            .error(codes::COUNT, "the file has more entries than its size line says")
            .help("correct the size line, or remove what does not belong to the matrix"));
    }
    Ok(Loaded { coo: entries.finish(shape, path)?, sized: true })
}

/// Reads `count` lines of coordinates and value.
fn coordinates<R: BufRead>(
    lines: &mut Lines<R>,
    header: &MtxHeader,
    count: u64,
    values: Converter,
    entries: &mut Entries,
) -> Result<(), Diagnostic> {
    let order = header.dims.len();
    let wanted = order + usize::from(header.field == Field::Number);
    let mut coord = vec![0; order];
    for read in 0..count {
        if !lines.next_data(b"%")? {
            return Err(truncated(lines, count.into(), read.into()));
        }
        if header.symmetry == Symmetry::General
            && let Some(token) = plain(lines.text(), &header.dims, &mut coord)
            && token.is_empty() == (wanted == order)
        {
            let token = if token.is_empty() { b"1" } else { token };
            let number = number(lines, header, values, token)?;
            let raw = values.raw(number, || show(token)).map_err(|said| said.at(lines.place()))?;
            entries.push(&coord, raw, lines.number())?;
            continue;
        }
        let found = lines.tokens().count();
        let weighted_pattern = header.field == Field::Pattern && found == order + 1;
        if found != wanted && !(weighted_pattern && values.policy == ValuePolicy::Ones) {
            return Err(wrong_count(lines, header, found, weighted_pattern));
        }
        let mut tokens = lines.tokens();
        for (mode, (c, &size)) in coord.iter_mut().zip(&header.dims).enumerate() {
            *c = coordinate(lines, tokens.next().unwrap_or(b""), mode, size)?;
        }
        let token = tokens.next().unwrap_or(b"1");
        let number = number(lines, header, values, token)?;
        let raw = values.raw(number, || show(token)).map_err(|said| said.at(lines.place()))?;
        entries.push(&coord, raw, lines.number())?;
        let &[i, j] = coord.as_slice() else { continue };
        match header.symmetry {
            Symmetry::General => (),
            Symmetry::Skew if i == j => {
                return Err(lines
                    .error(
                        codes::CONTRADICTION,
                        format!("a diagonal entry ({0}, {0}) in a skew-symmetric matrix", i + 1),
                    )
                    .help(
                        "the diagonal of a skew-symmetric matrix is 0 and not written; correct the banner or the entry",
                    ));
            }
            Symmetry::Symmetric if i == j => (),
            Symmetry::Symmetric => entries.push(&[j, i], raw, lines.number())?,
            Symmetry::Skew => {
                let raw = mirrored(lines, values, number, token)?;
                entries.push(&[j, i], raw, lines.number())?;
            }
        }
    }
    Ok(())
}

/// The coordinates of a line in which nothing is wrong with them, and what follows, one token at most.
fn plain<'t>(text: &'t [u8], dims: &[u64], coord: &mut [u64]) -> Option<&'t [u8]> {
    let mut left = text;
    for (c, &size) in coord.iter_mut().zip(dims) {
        left = left.trim_ascii_start();
        let digits = left.iter().take(19).take_while(|b| b.is_ascii_digit()).count();
        let (number, rest) = left.split_at(digits);
        let value = number.iter().fold(0, |v, d| v * 10 + u64::from(d - b'0'));
        if !(1..=size).contains(&value) || rest.first().is_some_and(|b| !b.is_ascii_whitespace()) {
            return None;
        }
        (*c, left) = (value - 1, rest);
    }
    let token = left.trim_ascii();
    (!token.iter().any(u8::is_ascii_whitespace)).then_some(token)
}

/// A line with too few or too many numbers.
fn wrong_count<R: BufRead>(lines: &Lines<R>, header: &MtxHeader, found: usize, weighted_pattern: bool) -> Diagnostic {
    let order = header.dims.len();
    if weighted_pattern {
        return lines
            .error(codes::CONTRADICTION, "the line has a value, but the banner says that the file is a pattern")
            .help("to use the values, write `integer` or `real` for `pattern` in the banner")
            .help("to drop them: `--convert ones`, or `convert = \"ones\"` next to the file in `[data]`");
    }
    let (wanted, help) = match header.field {
        Field::Number => (order + 1, format!("a line holds {order} coordinates and a value")),
        Field::Pattern => (order, format!("a line of a pattern holds {order} coordinates and no value")),
    };
    lines.error(codes::LINE, format!("the line holds {found} numbers, not {wanted}")).help(help)
}

/// Reads one value per line, column by column.
fn array<R: BufRead>(
    lines: &mut Lines<R>,
    header: &MtxHeader,
    values: Converter,
    dense: Dense,
    entries: &mut Entries,
) -> Result<(), Diagnostic> {
    let vector = header.dims.len() == 1;
    let (rows, columns) = (header.dims[0], if vector { 1 } else { header.dims[1] });
    let (n, all) = (u128::from(rows), u128::from(rows) * u128::from(columns));
    let count = match header.symmetry {
        Symmetry::General => all,
        Symmetry::Symmetric => (all + n) / 2,
        Symmetry::Skew => (all - n) / 2,
    };
    let mut read = 0;
    for j in 0..if rows == 0 { 0 } else { columns } {
        let first = match header.symmetry {
            Symmetry::General => 0,
            Symmetry::Symmetric => j,
            Symmetry::Skew => {
                dense.push(entries, &[j, j], values.dense(Number::whole(0), String::new)?, lines.number())?;
                j + 1
            }
        };
        for i in first..rows {
            if !lines.next_data(b"%")? {
                return Err(truncated(lines, count, read));
            }
            read += 1;
            let mut tokens = lines.tokens();
            let token = tokens.next().unwrap_or(b"");
            if tokens.next().is_some() {
                return Err(lines
                    .error(codes::LINE, "the line holds several numbers, not 1")
                    .help("a line of an array holds one value; two would be a complex number"));
            }
            let number = number(lines, header, values, token)?;
            let raw = values.dense(number, || show(token)).map_err(|said| said.at(lines.place()))?;
            dense.push(entries, &[i, j][..header.dims.len()], raw, lines.number())?;
            match header.symmetry {
                Symmetry::Symmetric if i != j => dense.push(entries, &[j, i], raw, lines.number())?,
                Symmetry::Skew => {
                    let raw =
                        values.dense(number.negated(), || negative(token)).map_err(|said| said.at(lines.place()))?;
                    dense.push(entries, &[j, i], raw, lines.number())?;
                }
                _ => (),
            }
        }
    }
    Ok(())
}

/// The number that `token` writes, checked against the file's own type line.
fn number<'t, R: BufRead>(
    lines: &Lines<R>,
    header: &MtxHeader,
    values: Converter,
    token: &'t [u8],
) -> Result<Number<'t>, Diagnostic> {
    let number = Number::parse(token).ok_or_else(|| not_a_number(lines, token))?;
    let Some((ty, line)) = header.typed.filter(|_| values.policy != ValuePolicy::Ones) else { return Ok(number) };
    let fits = |n: Number<'_>| matches!(n.class, Class::Whole(v) if ty.raw(v).is_some());
    if fits(number) && (header.symmetry != Symmetry::Skew || fits(number.negated())) {
        return Ok(number);
    }
    Err(lines
        .error(
            codes::CONTRADICTION,
            format!("value {} is not of the type that line {line} of the file states", show(token)),
        )
        .help("correct the GraphBLAS line or the value"))
}

/// Raw bits of minus the number.
fn mirrored<R: BufRead>(
    lines: &Lines<R>,
    values: Converter,
    number: Number<'_>,
    token: &[u8],
) -> Result<u64, Diagnostic> {
    values.raw(number.negated(), || negative(token)).map_err(|said| {
        said.at(lines.place()).help("the matrix is skew-symmetric: each value occurs once more with the other sign")
    })
}

fn negative(token: &[u8]) -> String {
    match token {
        [b'-', rest @ ..] => show(rest),
        [b'+', rest @ ..] | rest => format!("-{}", show(rest)),
    }
}

/// A token that should be a number.
pub(super) fn not_a_number<R: BufRead>(lines: &Lines<R>, token: &[u8]) -> Diagnostic {
    lines
        .error(codes::LINE, format!("`{}` is not a number", show(token)))
        .help("a value is written like `3`, `-2.0`, `1.5e3` or, as Fortran does, `1.5D+03`")
}

fn truncated<R: BufRead>(lines: &Lines<R>, count: u128, read: u128) -> Diagnostic {
    lines
        .error(codes::COUNT, format!("the file ends after {read} of {count} entries"))
        .help("was it written or downloaded completely? If so, correct the size line")
}
