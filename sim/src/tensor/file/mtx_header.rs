//! Banner, type line and size line of a Matrix Market file.

use std::io::BufRead;

use samhw_compiler::diag::Diagnostic;
use samhw_compiler::types::Type;

use super::lines::{Lines, show, unsigned};
use crate::tensor::codes;

/// The kind of the entries.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Field {
    /// `real`, `integer` (and `double`, `unsigned-integer` as some tools write).
    Number,
    /// `pattern`: no values, each is 1.
    Pattern,
}

/// The entries that follow from others.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Symmetry {
    /// None.
    General,
    /// (j, i) holds the same as (i, j). Hermitian matrices of real numbers are of this kind.
    Symmetric,
    /// (j, i) holds minus what (i, j) holds; the diagonal is 0 and not in the file.
    Skew,
}

/// The part of the file before the entries.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct MtxHeader {
    pub(super) field: Field,
    pub(super) symmetry: Symmetry,
    /// The banner says that numbers are whole.
    pub(super) whole: bool,
    /// Sizes, one per mode.
    pub(super) dims: Vec<u64>,
    /// Number of entries of a coordinate file; `None`: an array, in which every entry stands.
    pub(super) entries: Option<u64>,
    /// The integer type of a `%%GraphBLAS type` line and that line's number.
    pub(super) typed: Option<(Type, u64)>,
}

const BANNER: &str = "the first line must be like `%%MatrixMarket matrix coordinate integer general`";

impl MtxHeader {
    /// Reads up to and including the size line.
    pub(super) fn read<R: BufRead>(lines: &mut Lines<R>) -> Result<Self, Diagnostic> {
        lines.next()?;
        lines.check_text()?;
        let words: Vec<String> = lines.tokens().map(|t| String::from_utf8_lossy(t).to_ascii_lowercase()).collect();
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        let wrong = |message: String| lines.error(codes::HEADER, message).help(BANNER);
        let &[banner, object, layout, field, symmetry] = words.as_slice() else {
            return Err(if words.first().is_some_and(|w| w.ends_with("%matrixmarket")) {
                wrong(format!("the banner has {} words, not 5", words.len()))
            } else {
                wrong("this is not the banner of a Matrix Market file".into())
                    .help("without it nothing says what the numbers mean: add the banner that describes the file")
            });
        };
        // SAM's own generator writes a single percent sign.
        if !matches!(banner, "%%matrixmarket" | "%matrixmarket") {
            return Err(wrong("this is not the banner of a Matrix Market file".into()));
        }
        if !matches!(object, "matrix" | "vector" | "tensor") {
            return Err(wrong(format!(
                "`{}` in the banner is not `matrix`, `vector` or `tensor`",
                show(object.as_bytes())
            )));
        }
        let array = match layout {
            "coordinate" => false,
            "array" => true,
            _ => {
                return Err(wrong(format!(
                    "`{}` in the banner is neither `coordinate` nor `array`",
                    show(layout.as_bytes())
                )));
            }
        };
        let whole = matches!(field, "integer" | "unsigned-integer");
        let field = match field {
            "real" | "double" | "integer" | "unsigned-integer" => Field::Number,
            "pattern" => Field::Pattern,
            "complex" => return Err(complex(lines)),
            _ => {
                return Err(wrong(format!(
                    "`{}` in the banner is not `real`, `integer` or `pattern`",
                    show(field.as_bytes())
                )));
            }
        };
        let symmetry = match symmetry {
            "general" => Symmetry::General,
            "symmetric" | "hermitian" => Symmetry::Symmetric,
            "skew-symmetric" => Symmetry::Skew,
            _ => {
                return Err(wrong(format!(
                    "`{}` in the banner is not `general`, `symmetric`, `skew-symmetric` or `hermitian`",
                    show(symmetry.as_bytes())
                )));
            }
        };
        let contradiction = |what: &str| lines.error(codes::CONTRADICTION, what).help("correct the banner");
        if field == Field::Pattern && array {
            return Err(contradiction("a pattern cannot be an array: it would say nothing"));
        }
        if field == Field::Pattern && symmetry == Symmetry::Skew {
            return Err(contradiction("a pattern has no signs, so it cannot be skew-symmetric"));
        }
        if object != "matrix" && symmetry != Symmetry::General {
            return Err(contradiction("only matrices can be symmetric"));
        }
        if object == "tensor" && array {
            return Err(lines
                .error(codes::UNSUPPORTED, "tensors as arrays are not supported: tools disagree on their order")
                .help("write it as coordinates, as .tns or as .npy"));
        }
        let typed = type_line(lines, symmetry)?;
        let (dims, entries) = size_line(lines, object, array)?;
        if symmetry != Symmetry::General && dims[0] != dims[1] {
            return Err(lines
                .error(codes::CONTRADICTION, format!("a {} x {} matrix cannot be symmetric", dims[0], dims[1]))
                .help("correct the banner or the sizes"));
        }
        Ok(Self { field, symmetry, whole, dims, entries, typed })
    }
}

fn complex<R: BufRead>(lines: &Lines<R>) -> Diagnostic {
    lines
        .error(codes::UNSUPPORTED, "complex numbers are not supported")
        .help("write the real part, the imaginary part or the magnitude to a file of its own")
}

/// Goes to the size line. On the way, GraphBLAS may say the type.
fn type_line<R: BufRead>(lines: &mut Lines<R>, symmetry: Symmetry) -> Result<Option<(Type, u64)>, Diagnostic> {
    let mut found = None;
    while lines.next()? {
        let text = lines.text();
        if text.starts_with(b"%%GraphBLAS") {
            let words: Vec<&[u8]> = lines.tokens().collect();
            let [_, b"type", name @ ..] = words.as_slice() else { continue };
            let name = name.iter().map(|word| String::from_utf8_lossy(word)).collect::<Vec<_>>().join(" ");
            let ty = match name.as_str() {
                "float" | "double" => continue,
                "bool" => Type::Bool,
                "float complex" | "double complex" => return Err(complex(lines)),
                _ => name
                    .strip_suffix("_t")
                    .and_then(|n| Type::from_name(&n.replacen("uint", "u", 1).replacen("int", "i", 1)))
                    .ok_or_else(|| {
                        lines
                            .error(
                                codes::UNSUPPORTED,
                                format!("unknown type `{}` in the GraphBLAS line", show(name.as_bytes())),
                            )
                            .help("known: bool, int8_t to int64_t, uint8_t to uint64_t, float, double")
                    })?,
            };
            if symmetry == Symmetry::Skew && !ty.is_signed() {
                return Err(lines
                    .error(
                        codes::CONTRADICTION,
                        format!("type `{name}` has no negative values, but the banner says skew-symmetric"),
                    )
                    .help("correct the GraphBLAS line or the banner"));
            }
            found = Some((ty, lines.number()));
        } else if !text.is_empty() && text[0] != b'%' {
            lines.check_text()?;
            return Ok(found);
        }
    }
    Err(lines.error(codes::HEADER, "the file ends before the line with the sizes").help("was it written completely?"))
}

/// Sizes and, in a coordinate file, the number of entries.
fn size_line<R: BufRead>(lines: &Lines<R>, object: &str, array: bool) -> Result<(Vec<u64>, Option<u64>), Diagnostic> {
    let wrong = |message: String| lines.error(codes::HEADER, message);
    let expected = match (object, array) {
        ("matrix", true) => "the size line of a matrix array holds 2 numbers: rows, columns",
        ("matrix", false) => "the size line of a matrix holds 3 numbers: rows, columns, entries",
        ("vector", true) => "the size line of a vector array holds 1 number: its length",
        ("vector", false) => "the size line of a vector holds 2 numbers: length, entries",
        _ => "the size line of a tensor holds its sizes, then the number of entries",
    };
    let mut numbers = Vec::new();
    for token in lines.tokens() {
        let number = unsigned(token).map_err(|why| wrong(format!("`{}` {why}", show(token))).help(expected))?;
        numbers.push(number);
    }
    let right = match object {
        "matrix" => numbers.len() == 3 - usize::from(array),
        "vector" => numbers.len() == 2 - usize::from(array),
        _ => !numbers.is_empty(),
    };
    if !right {
        return Err(wrong(format!("the size line holds {} numbers", numbers.len())).help(expected));
    }
    let entries = if array { None } else { numbers.pop() };
    Ok((numbers, entries))
}
