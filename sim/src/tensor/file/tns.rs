//! FROSTT (.tns): one entry per line, coordinates from 1, then the value; `#` and `%` start comments. A header
//! is understood where it cannot be mistaken for an entry: ParTI's (order; sizes) and MLIR's (order and
//! number of entries; sizes), each on two lines.

use std::io::BufRead;
use std::path::Path;

use samhw_compiler::data::ValuePolicy;
use samhw_compiler::diag::Diagnostic;

use super::convert::Converter;
use super::entries::{Entries, coordinate};
use super::lines::{Lines, show, unsigned};
use super::mtx::not_a_number;
use super::number::Number;
use crate::tensor::target::times;
use crate::tensor::{Loaded, Target, codes};

pub(super) const COMMENTS: &[u8] = b"#%";

/// What a header says.
struct TnsHeader {
    shape: Vec<u64>,
    /// Number of entries, where it is said.
    count: Option<u64>,
}

/// Reads a file; without a header its sizes are those of `target`.
pub(super) fn read(input: impl BufRead, path: &Path, values: Converter, target: &Target) -> Result<Loaded, Diagnostic> {
    let mut lines = Lines::new(input, path);
    let order = target.max.len();
    let mut more = lines.next_data(COMMENTS)?;
    let header = if more && order > 0 { header(&mut lines, target, values)? } else { None };
    let sized = header.is_some();
    let TnsHeader { shape, count } = header.unwrap_or_else(|| TnsHeader { shape: target.max.clone(), count: None });
    if sized {
        more = lines.next_data(COMMENTS)?;
    }
    let mut entries = Entries::new((0..order).collect());
    let mut coord = vec![0; order];
    let mut read = 0;
    // All lines have values or none.
    let valued = !(more && values.policy == ValuePolicy::Ones && lines.tokens().count() == order);
    while more {
        let raw = entry(&lines, (&shape, valued), values, target, &mut coord)?;
        entries.push(&coord, raw, lines.number())?;
        read += 1;
        more = lines.next_data(COMMENTS)?;
    }
    if count.is_some_and(|count| count != read) {
        return Err(lines
            .error(codes::COUNT, format!("the file has {read} entries, its header says {}", count.unwrap_or(0)))
            .help("was it written or downloaded completely? If so, correct the header"));
    }
    if order == 0 && read == 0 {
        return Err(lines.error(codes::EMPTY, "the file holds no value").help("a scalar's file holds its value alone"));
    }
    Ok(Loaded { coo: entries.finish(shape, path)?, sized })
}

/// Raw bits of the value in the current line, if lines are `valued`; its coordinate goes to `coord`.
fn entry<R: BufRead>(
    lines: &Lines<R>,
    (shape, valued): (&[u64], bool),
    values: Converter,
    target: &Target,
    coord: &mut [u64],
) -> Result<u64, Diagnostic> {
    let found = lines.tokens().count();
    if found != shape.len() + usize::from(valued) {
        return Err(wrong_count(lines, found, valued, target));
    }
    let mut tokens = lines.tokens();
    for (mode, (c, &size)) in coord.iter_mut().zip(shape).enumerate() {
        *c = coordinate(lines, tokens.next().unwrap_or(b""), mode, size)?;
    }
    let token = tokens.next().unwrap_or(b"1");
    let number = Number::parse(token).ok_or_else(|| not_a_number(lines, token))?;
    values.raw(number, || show(token)).map_err(|said| said.at(lines.place()))
}

/// The header, if the current line starts one; its second line is then the current line. An entry
/// has `order + 1` numbers, or `order` in a pattern, so a first line with fewer is no entry. Where
/// the first line can be one of a pattern the lines after it tell.
fn header<R: BufRead>(
    lines: &mut Lines<R>,
    target: &Target,
    values: Converter,
) -> Result<Option<TnsHeader>, Diagnostic> {
    let order = target.max.len();
    let first: Vec<Result<u64, _>> = lines.tokens().map(unsigned).collect();
    let count = match first.as_slice() {
        [Ok(_)] => None,
        [Ok(_), Ok(count)] if order > 1 => Some(*count),
        _ => return Ok(None),
    };
    if first.len() == order {
        match lines.following(2, COMMENTS)?.as_slice() {
            [second, third] if [*second, *third] == [order; 2] => return Ok(None),
            // With an entry after it, as it should be, or of a tensor in which nothing is stored.
            [_, _] => {}
            _ if first[0] != Ok(order as u64) => return Ok(None),
            [_] | [] if values.policy == ValuePolicy::Ones && count != Some(0) => {
                return Err(lines
                    .error(codes::CONTRADICTION, "these lines can be a header or the entries of a pattern")
                    .help("write values behind the coordinates, such as 1"));
            }
            _ => {}
        }
    }
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
    Ok(Some(TnsHeader { shape: dims, count }))
}

const SIZES: &str = "the second line of a header holds the sizes, one per mode";

fn wrong_count<R: BufRead>(lines: &Lines<R>, found: usize, valued: bool, target: &Target) -> Diagnostic {
    let order = target.max.len();
    let coordinates = if order == 1 { "1 coordinate".to_string() } else { format!("{order} coordinates") };
    let expected = match (order, valued) {
        (0, _) => "the line of a scalar holds its value alone".to_string(),
        (_, true) => format!("a line of `{}` holds {coordinates} and a value", target.name),
        (_, false) => format!("a line of `{}` holds {coordinates} alone, as the first one does", target.name),
    };
    let message = format!("the line holds {found} numbers, not {}", order + usize::from(valued));
    let said = lines.error(codes::LINE, message).help(expected);
    if valued && found == order && order > 0 {
        return said.help(
            "if the file is a pattern, without values: `--convert ones`, or `convert = \"ones\"` next to the file in `[data]`",
        );
    }
    said
}
