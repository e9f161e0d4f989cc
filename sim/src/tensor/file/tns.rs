//! FROSTT (.tns): one entry per line, coordinates from 1, then the value; `#` and `%` start comments. A header
//! is understood where it cannot be mistaken for an entry: ParTI's (order; sizes) and MLIR's (order and
//! number of entries; sizes), each on two lines.

use std::io::BufRead;
use std::path::Path;

use samhw_compiler::diag::Diagnostic;

use super::convert::Converter;
use super::entries::{Entries, coordinate};
use super::lines::{Lines, show, unsigned};
use super::mtx::not_a_number;
use super::number::Number;
use crate::tensor::target::times;
use crate::tensor::{Loaded, Target, codes};

const COMMENTS: &[u8] = b"#%";

/// What a header says.
struct Header {
    shape: Vec<u64>,
    /// Number of entries, where it is said.
    count: Option<u64>,
}

/// Reads a file; without a header its sizes are those of `target`.
pub(super) fn read(input: impl BufRead, path: &Path, values: Converter, target: &Target) -> Result<Loaded, Diagnostic> {
    let mut lines = Lines::new(input, path);
    let order = target.max.len();
    let mut more = lines.next_data(COMMENTS)?;
    let header = if more && order > 0 { header(&mut lines, target)? } else { None };
    let sized = header.is_some();
    let Header { shape, count } = header.unwrap_or_else(|| Header { shape: target.max.clone(), count: None });
    if sized {
        more = lines.next_data(COMMENTS)?;
    }
    let mut entries = Entries::new((0..order).collect());
    let mut coord = vec![0; order];
    let mut read = 0;
    while more {
        let raw = entry(&lines, &shape, values, target, &mut coord)?;
        entries.push(&coord, raw, lines.number());
        read += 1;
        more = lines.next_data(COMMENTS)?;
    }
    if count.is_some_and(|count| count != read) {
        return Err(lines
            .error(codes::COUNT, format!("the file has {read} entries, its header says {}", count.unwrap_or(0)))
            .help("was it written or downloaded completely? Else correct the header"));
    }
    if order == 0 && read == 0 {
        return Err(lines.error(codes::EMPTY, "the file holds no value").help("a scalar's file holds its value alone"));
    }
    Ok(Loaded { coo: entries.finish(shape, path)?, sized })
}

/// Raw bits of the value in the current line; its coordinate goes to `coord`.
fn entry<R: BufRead>(
    lines: &Lines<R>,
    shape: &[u64],
    values: Converter,
    target: &Target,
    coord: &mut [u64],
) -> Result<u64, Diagnostic> {
    let found = lines.tokens().count();
    if found != shape.len() + 1 {
        return Err(wrong_count(lines, found, target));
    }
    let mut tokens = lines.tokens();
    for (mode, (c, &size)) in coord.iter_mut().zip(shape).enumerate() {
        *c = coordinate(lines, tokens.next().unwrap_or(b""), mode, size)?;
    }
    let token = tokens.next().unwrap_or(b"");
    let number = Number::parse(token).ok_or_else(|| not_a_number(lines, token))?;
    values.raw(number, || show(token)).map_err(|said| said.at(lines.place()))
}

/// The header, if the current line starts one; its second line is then the current line. An entry has `order + 1` numbers, so a first line with fewer - or, at order 1, where
/// `1 n` could be an entry, only a line with the order alone - is no entry.
fn header<R: BufRead>(lines: &mut Lines<R>, target: &Target) -> Result<Option<Header>, Diagnostic> {
    let order = target.max.len();
    let first: Vec<Result<u64, _>> = lines.tokens().map(unsigned).collect();
    let count = match first.as_slice() {
        [Ok(_)] => None,
        [Ok(_), Ok(count)] if order > 1 => Some(*count),
        _ => return Ok(None),
    };
    let said = first[0].unwrap_or(0);
    if said != order as u64 {
        return Err(lines
            .error(codes::SHAPE, format!("the header says order {said}, tensor `{}` is of order {order}", target.name))
            .help(format!(
                "give data of order {order}; without a header each line holds {order} coordinates and a value"
            )));
    }
    if !lines.next_data(COMMENTS)? {
        return Err(lines.error(codes::HEADER, "the file ends after the first line of its header").help(SIZES));
    }
    let mut dims = Vec::new();
    for token in lines.tokens() {
        let wrong = |why| lines.error(codes::HEADER, format!("`{}` {why}", show(token))).help(SIZES);
        dims.push(unsigned(token).map_err(wrong)?);
    }
    if dims.len() != order {
        return Err(lines
            .error(
                codes::HEADER,
                format!("the header says order {order}, then sizes for order {}: {}", dims.len(), times(&dims)),
            )
            .help(SIZES));
    }
    target.modes(&dims).map_err(|said| said.at(lines.place()))?;
    Ok(Some(Header { shape: dims, count }))
}

const SIZES: &str = "the second line of a header holds the sizes, one per mode";

fn wrong_count<R: BufRead>(lines: &Lines<R>, found: usize, target: &Target) -> Diagnostic {
    let order = target.max.len();
    let expected = match order {
        0 => "the line of a scalar holds its value alone".to_string(),
        1 => format!("a line of `{}` holds 1 coordinate and a value", target.name),
        _ => format!("a line of `{}` holds {order} coordinates and a value", target.name),
    };
    lines.error(codes::LINE, format!("the line holds {found} numbers, not {}", order + 1)).help(expected)
}
