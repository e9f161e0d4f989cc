//! Foreign names of element and accumulator types.

use super::{counted, plain};

/// Returns the samhw word for `word`, an element type of another tool.
pub(in super::super) fn element_type(word: &str) -> Option<String> {
    let word = plain(word);
    let write = |name: &str| Some(format!("write `{name}`"));
    match word.as_str() {
        "float" => return Some("write `f32`, or `f64`, which is what Python and NumPy call `float`".into()),
        "int" | "integer" | "signed" => {
            return Some("write `i32`, or `i64`, which is what NumPy calls `int` on most machines".into());
        }
        "single" | "real" => return write("f32"),
        "double" => return write("f64"),
        "half" => return write("f16"),
        "bfloat" => return write("bf16"),
        "long" | "longlong" | "intp" | "ssize" => return write("i64"),
        "short" => return write("i16"),
        "char" | "byte" => return write("i8"),
        "uchar" | "ubyte" => return write("u8"),
        "ushort" => return write("u16"),
        "uint" | "unsigned" => return write("u32"),
        "ulong" | "ulonglong" | "size" | "uintp" | "usize" => return write("u64"),
        "boolean" | "logical" | "bool_" | "bit" | "truth" => return write("bool"),
        "string" | "str" | "object" => return Some("values are numbers".into()),
        _ => {}
    }
    let (letters, bits) = counted(&word);
    let sized = |kind: char, known: &[u32], what: &str| match bits {
        Some(bits) if known.contains(&bits) => Some(format!("write `{kind}{bits}`")),
        _ => bits.map(|_| what.to_owned()),
    };
    const WHOLE: &str = "integers have 8, 16, 32 or 64 bits, such as `i8` and `u16`; sums may have any number in between: `acc = \"i48\"`";
    match letters {
        "float" | "fp" | "real" | "f" | "binary" => {
            sized('f', &[16, 32, 64], "floats are `f16`, `bf16`, `f32` and `f64`")
        }
        "bfloat" | "bf" | "brain" => write("bf16"),
        "int" | "integer" | "i" | "s" | "si" | "sint" | "ap_int" => sized('i', &[8, 16, 32, 64], WHOLE),
        "uint" | "u" | "ui" | "unsigned" | "ap_uint" => sized('u', &[8, 16, 32, 64], WHOLE),
        "complex" | "c" | "cfloat" | "cdouble" => {
            Some("there are no complex numbers: have tensors of the real and the imaginary parts".into())
        }
        "fixed" | "ufixed" | "sfixed" | "fixed_point" | "ap_fixed" | "ap_ufixed" | "fx" | "ufx" | "q" | "uq" => {
            Some("fixed point is `fx16.8`, or `ufx16.8` without sign: 16 bits in all, 8 of them after the point".into())
        }
        _ => None,
    }
}

/// Returns the samhw word for `word`, a type of sums of another tool: integers may have any number of bits.
pub(in super::super) fn accumulator(word: &str) -> Option<String> {
    let plain = plain(word);
    let kind = match counted(&plain) {
        ("int" | "integer" | "si" | "sint" | "ap_int", Some(bits)) => Some(('i', bits)),
        ("uint" | "ui" | "unsigned" | "ap_uint", Some(bits)) => Some(('u', bits)),
        _ => None,
    };
    match kind {
        Some((kind, bits @ 1..=64)) => Some(format!("write `{kind}{bits}`")),
        _ => element_type(word),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::types::Type;

    #[test]
    fn types_of_other_tools_are_types_here() {
        for (word, ours) in [
            ("float32", "f32"),
            ("np.float64", "f64"),
            ("torch.bfloat16", "bf16"),
            ("int64_t", "i64"),
            ("Int8", "i8"),
            ("uint16", "u16"),
            ("size_t", "u64"),
            ("bool_", "bool"),
            ("half", "f16"),
            ("double", "f64"),
            ("int", "i32"),
            ("float", "f32"),
        ] {
            let help = element_type(word).unwrap_or_default();
            assert_eq!(help.split('`').nth(1), Some(ours), "{word}: {help}");
            assert!(Type::from_name(ours).is_some());
        }
        for odd in ["int128", "float8", "complex64", "ap_fixed<16,8>", "string"] {
            assert!(element_type(odd).is_some(), "{odd}");
        }
        assert_eq!(element_type("i3x"), None);
    }

    #[test]
    fn sums_have_any_number_of_bits() {
        assert_eq!(accumulator("int48").as_deref(), Some("write `i48`"));
        assert_eq!(accumulator("float64").as_deref(), Some("write `f64`"));
    }
}
