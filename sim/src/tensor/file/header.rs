//! The sizes and the kind of values that a file declares.

use std::io::{BufRead, Read, Seek};
use std::path::Path;

use samhw_compiler::diag::Diagnostic;
use samhw_compiler::frontend::{DataHeader, GivenNumbers};

use super::lines::{Lines, unsigned};
use super::mtx_header::{Field, MtxHeader};
use super::npy::Array;
use super::npz::Archive;
use super::number::{Class, Number};
use super::{Form, Format, packed, scipy, there, tns};

/// Reads what `input` says of itself; of it at most `most` bytes are unpacked.
pub(super) fn read(form: Form, input: impl BufRead + Seek, path: &Path, most: u64) -> Result<DataHeader, Diagnostic> {
    let mut left = most;
    match form {
        Form::Plain(format) => plain(format, input, path),
        Form::Gzip(format) => plain(format, packed::gzip(there(input)?, &mut left, most)?, path),
        Form::Archive => archive(there(input)?, most),
    }
}

fn plain(format: Format, input: impl BufRead, path: &Path) -> Result<DataHeader, Diagnostic> {
    match format {
        Format::Mtx => {
            let header = MtxHeader::read(&mut Lines::new(there(input)?, path))?;
            let numbers = match (header.field, header.typed) {
                (_, Some((ty, _))) => Some(GivenNumbers::Typed(ty)),
                (Field::Pattern, None) => None,
                (Field::Number, None) => Some(if header.whole { GivenNumbers::Whole } else { GivenNumbers::Real }),
            };
            Ok(DataHeader { shape: Some(header.dims), guessed: false, numbers })
        }
        Format::Npy => of_array(&Array::begin(there(input)?)?),
        Format::Tns => text(input, path),
    }
}

fn of_array(array: &Array<impl BufRead>) -> Result<DataHeader, Diagnostic> {
    let numbers = Some(GivenNumbers::Typed(array.numeric()?.ty()));
    Ok(DataHeader { shape: Some(array.shape().to_vec()), guessed: false, numbers })
}

fn archive(input: impl Read + Seek, most: u64) -> Result<DataHeader, Diagnostic> {
    let mut archive = Archive::open(input, most)?;
    if !archive.has("format") {
        return match archive.names().as_slice() {
            [only] => archive.array(only, |array| of_array(&array)),
            // Reading the entries says what is wrong.
            _ => Ok(DataHeader { shape: None, guessed: false, numbers: None }),
        };
    }
    let shape = scipy::shape(&mut archive)?;
    let data = archive.array("data", |array| of_array(&array))?;
    Ok(DataHeader { shape: Some(shape), ..data })
}

/// Lines of coordinates and a value: the largest coordinates are the sizes, unless a header says them.
fn text(input: impl BufRead, path: &Path) -> Result<DataHeader, Diagnostic> {
    let mut lines = Lines::new(input, path);
    let (mut first, mut said, mut most) = (Vec::new(), Vec::new(), Vec::new());
    let (mut count, mut whole) = (0, true);
    while lines.next_data(tns::COMMENTS)? {
        let numbers: Vec<_> = lines.tokens().map(|token| unsigned(token).unwrap_or(0)).collect();
        count += 1;
        if count == 1 {
            first.clone_from(&numbers);
        } else if count == 2 {
            said.clone_from(&numbers);
        }
        let order = numbers.len().saturating_sub(1);
        // What is in the lines of a header is shorter than any entry, and comes before.
        if order >= most.len() {
            most.resize(order, 1);
            most.iter_mut().zip(&numbers).for_each(|(most, &n)| *most = n.max(*most));
        }
        let value = lines.tokens().last().and_then(Number::parse);
        whole &= value.is_some_and(|number| matches!(number.class, Class::Whole(_)));
    }
    let order = most.len() as u64;
    let header = order > 1 && first.len() <= 2 && first[0] == order && said.len() == most.len();
    let header = header || order == 1 && first.len() == 1 && first[0] == 1;
    let numbers = (count > 0).then_some(if whole { GivenNumbers::Whole } else { GivenNumbers::Real });
    Ok(DataHeader { shape: (count > 0).then_some(if header { said } else { most }), guessed: !header, numbers })
}
