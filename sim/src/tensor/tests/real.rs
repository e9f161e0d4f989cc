//! Data of real, fixed-point and bool tensors: read as the nearest value or refused, written so that they read back.

use samhw_compiler::data::ValuePolicy;
use samhw_compiler::types::Type;

use super::{parse, render, scratch, target};
use crate::tensor::{Coo, Keep, codes, read_file, write_file};

fn ty(name: &str) -> Type {
    Type::from_name(name).unwrap_or_else(|| panic!("{name}"))
}

/// What a .tns line with this value becomes, as text of the type; or the code of the refusal.
fn read(name: &str, value: &str, policy: ValuePolicy) -> Result<String, &'static str> {
    let content = format!("1 {value}\n");
    let loaded = parse("v.tns", content.as_bytes(), policy, &target(&[1], ty(name))).map_err(|e| e.code)?;
    Ok(ty(name).show(loaded.coo.values()[0]))
}

#[test]
fn text_becomes_the_nearest_value_or_is_refused() {
    let refused = Err(codes::VALUE);
    for (name, value, want) in [
        ("f64", "0.1", Ok("0.1")),
        ("f64", "-INF", Ok("-inf")),
        ("f64", "nan", Ok("nan")),
        ("f64", "3", Ok("3.0")),
        ("f64", "1e400", refused),
        ("f32", "0.1", Ok("0.1")),
        ("f32", "16777217", Ok("16777216.0")),
        ("f16", "70000", refused),
        ("bf16", "-1e-3", Ok("-0.001")),
        ("fx16.8", "-0.25", Ok("-0.25")),
        ("fx16.8", "0.1", refused),
        ("fx16.8", "200", refused),
        ("fx16.8", "inf", Ok("127.99609375")),
        ("fx16.8", "nan", refused),
        ("bool", "1.0", Ok("1")),
        ("bool", "2", refused),
        ("i16s", "-inf", Ok("-32768")),
        ("i16", "inf", refused),
        ("i16", "nan", refused),
    ] {
        assert_eq!(read(name, value, ValuePolicy::Exact), want.map(String::from), "{name} {value}");
    }
    assert_eq!(read("fx16.8", "0.1", ValuePolicy::Round).as_deref(), Ok("0.1015625"));
    assert_eq!(read("fx16.8", "1e9", ValuePolicy::Round), Err(codes::VALUE));
    assert_eq!(read("bf16", "1e400", ValuePolicy::Ones).as_deref(), Ok("1.0"));
}

#[test]
fn refusals_name_the_ways_out() {
    let said = |name: &str, value: &str| {
        let content = format!("1 {value}\n");
        parse("v.tns", content.as_bytes(), ValuePolicy::Exact, &target(&[1], ty(name))).map_err(|e| render(&e)).err()
    };
    let first = |name, value| said(name, value).and_then(|text| text.lines().next().map(String::from));
    assert_eq!(
        first("f16", "1e5").as_deref(),
        Some("T009 v.tns:1: value 1e5 is out of the range of f16: -65500.0 to 65500.0")
    );
    assert_eq!(
        first("ufx8.4", "0.3").as_deref(),
        Some("T009 v.tns:1: value 0.3 is not a multiple of 2^-4, the tensor's type is ufx8.4")
    );
    assert!(said("ufx8.4", "0.3").is_some_and(|text| text.contains("--convert round")));
}

#[test]
fn matrix_market_real_is_mirrored_and_written() {
    let file = "%%MatrixMarket matrix coordinate real skew-symmetric\n3 3 2\n2 1 0.5\n3 1 -inf\n";
    let coo = parse("m.mtx", file.as_bytes(), ValuePolicy::Exact, &target(&[3, 3], Type::F32));
    let coo = coo.unwrap_or_else(|e| panic!("{}", render(&e))).coo;
    let shown: Vec<String> = coo.values().iter().map(|raw| Type::F32.show(*raw)).collect();
    assert_eq!(shown, ["-0.5", "inf", "0.5", "-inf"]);
    let path = scratch("real").join("m.mtx");
    write_file(&path, &coo, Type::F32, 0).unwrap_or_else(|e| panic!("{}", render(&e)));
    let text = std::fs::read_to_string(&path).expect("what was written");
    assert!(text.starts_with("%%MatrixMarket matrix coordinate real general\n3 3 4\n1 2 -0.5\n"), "{text}");
}

#[test]
fn every_type_and_format_reads_back() {
    let dir = scratch("types");
    for name in ["f64", "f32", "f16", "bf16", "bool", "fx16.8", "ufx32.32", "i64", "u16s"] {
        let ty = ty(name);
        let mut values = vec![ty.one(), ty.least(), ty.greatest(), 0, 0x1234_5678_9abc_def0 & ty.mask()];
        if ty.is_float() {
            values.extend([ty.nan(), ty.sign_bit(), 1, ty.greatest() - 1]);
        }
        let shape = vec![values.len() as u64];
        let coo = Coo::new(shape.clone(), (0..shape[0]).collect(), values).expect("a vector");
        for file in ["x.tns", "x.mtx", "x.npy"] {
            for fill in [0, ty.greatest()] {
                let path = dir.join(file);
                write_file(&path, &coo, ty, fill).unwrap_or_else(|e| panic!("{name}: {}", render(&e)));
                let mut target = target(&shape, ty);
                target.keep = Keep::All;
                let back = read_file(&path, ValuePolicy::Exact, &target).unwrap_or_else(|e| panic!("{}", render(&e)));
                assert_eq!(back.coo, coo, "{name} {file}");
            }
        }
    }
    let wide = Coo::empty(vec![2]);
    let refused = write_file(&dir.join("y.npy"), &wide, ty("fx64.8"), 0).map_err(|e| e.code);
    assert_eq!(refused, Err(codes::INEXPRESSIBLE));
}
