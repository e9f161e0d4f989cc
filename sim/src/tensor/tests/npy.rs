//! NumPy files as NumPy writes them.

use samhw_compiler::data::ValuePolicy;
use samhw_compiler::diag::Diagnostic;
use samhw_compiler::types::Type;

use super::{I32, I64, entries, parse, render, target};
use crate::tensor::{Coo, Keep, Target, codes};

/// A file with this header text and these elements.
fn file(version: u8, descr: &str, fortran: &str, shape: &str, data: &[u8]) -> Vec<u8> {
    let header = format!("{{'descr': {descr}, 'fortran_order': {fortran}, 'shape': {shape}, }}\n");
    let mut content = b"\x93NUMPY".to_vec();
    content.extend([version, 0]);
    match version {
        1 => content.extend((header.len() as u16).to_le_bytes()),
        _ => content.extend((header.len() as u32).to_le_bytes()),
    }
    content.extend(header.bytes());
    content.extend(data);
    content
}

fn read(content: &[u8], target: &Target) -> Result<Coo, Diagnostic> {
    parse("x.npy", content, ValuePolicy::Exact, target).map(|loaded| loaded.coo)
}

#[test]
fn orders_versions_and_types() {
    let want = vec![(vec![0, 1], 2), (vec![1, 0], -3), (vec![1, 2], 4)];
    let numbers = [0i16, 2, 0, -3, 0, 4];
    let fortran = [0i16, -3, 2, 0, 0, 4];
    let target = target(&[9, 9], I32);
    let flat = |f: &dyn Fn(i16) -> Vec<u8>, all: &[i16]| all.iter().flat_map(|&v| f(v)).collect::<Vec<_>>();
    let files = [
        file(1, "'<i2'", "False", "(2, 3)", &flat(&|v| v.to_le_bytes().into(), &numbers)),
        file(2, "\">i2\"", "False", "(2, 3,)", &flat(&|v| v.to_be_bytes().into(), &numbers)),
        file(3, "'<i2'", "True", "(2L, 3L)", &flat(&|v| v.to_le_bytes().into(), &fortran)),
        file(1, "'|i1'", "False", "(2, 3)", &flat(&|v| vec![v as u8], &numbers)),
        file(1, "'>f4'", "False", "(2, 3)", &flat(&|v| f32::from(v).to_be_bytes().into(), &numbers)),
        file(1, "'<f8'", "True", "(2, 3)", &flat(&|v| f64::from(v).to_le_bytes().into(), &fortran)),
        file(1, "'<i8'", "False", "(2, 3)", &flat(&|v| i64::from(v).to_le_bytes().into(), &numbers)),
    ];
    for content in files {
        let coo = read(&content, &target).unwrap_or_else(|e| panic!("{}", render(&e)));
        assert_eq!(coo.shape(), [2, 3]);
        assert_eq!(entries(&coo, I32), want);
    }
}

#[test]
fn small_orders_and_empty_arrays() {
    let scalar = file(1, "'<u4'", "False", "()", &7u32.to_le_bytes());
    assert_eq!(entries(&read(&scalar, &target(&[], I32)).expect("a scalar"), I32), [(vec![], 7)]);
    let column = file(1, "'|b1'", "False", "(3, 1)", &[1, 0, 1]);
    assert_eq!(entries(&read(&column, &target(&[3], I32)).expect("a column"), I32), [(vec![0], 1), (vec![2], 1)]);
    let none = file(1, "'<i8'", "False", "(0, 4)", &[]);
    assert_eq!(read(&none, &target(&[4, 4], I32)).expect("no rows"), Coo::empty(vec![0, 4]));
}

#[test]
fn dense_files_store_what_is_not_the_fill() {
    let content = file(1, "'|i1'", "False", "(3,)", &[0, 5, 7]);
    let fill = |fill, keep| Target { fill, keep, ..target(&[3], I32) };
    let stored = |target: &Target| entries(&read(&content, target).expect("three numbers"), I32);
    assert_eq!(stored(&fill(5, Keep::Others)), [(vec![0], 0), (vec![2], 7)]);
    assert_eq!(stored(&fill(0, Keep::All)).len(), 3);
    let ones = parse("x.npy", &content, ValuePolicy::Ones, &fill(5, Keep::Others)).expect("a pattern").coo;
    assert_eq!(entries(&ones, I32), [(vec![1], 1), (vec![2], 1)]);
}

/// NumPy makes -0.0 of `False * -0.3`: it equals a fill of 0, as NaN does one of NaN.
#[test]
fn a_zero_of_either_sign_is_a_zero() {
    let values = [-0.0, 0.5, 0.0, f64::NAN];
    let content = file(1, "'<f8'", "False", "(4,)", &values.iter().flat_map(|v| v.to_le_bytes()).collect::<Vec<_>>());
    let stored = |fill: f64, keep| {
        let target = Target { fill: fill.to_bits(), keep, ..target(&[4], Type::F64) };
        read(&content, &target).expect("four numbers").iter().map(|(c, _)| c[0]).collect::<Vec<u64>>()
    };
    assert_eq!(stored(0.0, Keep::Others), [1, 3]);
    assert_eq!(stored(-0.0, Keep::Others), [1, 3]);
    assert_eq!(stored(f64::NAN, Keep::Others), [0, 1, 2]);
    assert_eq!(stored(0.0, Keep::Signs), [0, 1, 3]);
    assert_eq!(stored(-0.0, Keep::Signs), [1, 2, 3]);
    let array = b"%%MatrixMarket matrix array real general\n2 2\n-0.0\n0\n3\n-0\n";
    let read = parse("x.mtx", array, ValuePolicy::Exact, &target(&[2, 2], Type::F64)).expect("a matrix").coo;
    assert_eq!(read.len(), 1);
    let listed = b"%%MatrixMarket matrix coordinate real general\n2 2 2\n1 1 -0.0\n2 2 3\n";
    let read = parse("x.mtx", listed, ValuePolicy::Exact, &target(&[2, 2], Type::F64)).expect("a matrix").coo;
    assert_eq!(read.len(), 2, "what a sparse file lists is an entry");
}

#[test]
fn what_cannot_be_meant_is_refused() {
    let target = target(&[4], I64);
    let code = |content: &[u8]| read(content, &target).map_err(|e| e.code).err();
    let double = |v: f64| file(1, "'<f8'", "False", "(1,)", &v.to_le_bytes());
    for (content, want) in [
        (file(1, "'<c16'", "False", "(1,)", &[0; 16]), codes::UNSUPPORTED),
        (file(1, "'|O'", "False", "(1,)", &[0; 16]), codes::UNSUPPORTED),
        (file(1, "'<f16'", "False", "(1,)", &[0; 16]), codes::UNSUPPORTED),
        (file(1, "'<U4'", "False", "(1,)", &[0; 16]), codes::UNSUPPORTED),
        (file(1, "'i8'", "False", "(1,)", &[0; 8]), codes::UNSUPPORTED),
        (file(1, "[('a', '<i4')]", "False", "(1,)", &[0; 4]), codes::UNSUPPORTED),
        (file(9, "'<i4'", "False", "(1,)", &[0; 4]), codes::HEADER),
        (file(1, "'<i4'", "Maybe", "(1,)", &[0; 4]), codes::HEADER),
        (file(1, "'<i4'", "False", "(-1,)", &[0; 4]), codes::HEADER),
        (file(1, "'<i4'", "False", "(1", &[0; 4]), codes::HEADER),
        (file(1, "'<i4'", "False", "(2,)", &[0; 7]), codes::COUNT),
        (file(1, "'<i4'", "False", "(1,)", &[0; 5]), codes::COUNT),
        (file(1, "'<i4'", "False", "(2, 2)", &[0; 16]), codes::SHAPE),
        (file(1, "'<i4'", "False", "(5,)", &[0; 20]), codes::SHAPE),
        (double(0.5), codes::VALUE),
        (double(f64::NAN), codes::VALUE),
        (double(1e19), codes::VALUE),
        (file(1, "'<u8'", "False", "(1,)", &u64::MAX.to_le_bytes()), codes::VALUE),
    ] {
        assert_eq!(code(&content), Some(want), "{}", String::from_utf8_lossy(&content));
    }
    assert_eq!(code(&double(-9.0)), None);
    let small = read(&double(0.5), &target).err().map(|e| e.message);
    assert_eq!(small.as_deref(), Some("value 0.5 at [0] is not a whole number, the tensor's type is i64"));
    let wide = read(&double(1e19), &super::target(&[4], Type::int(64, false)));
    assert_eq!(wide.map(|coo| coo.get(&[0])), Ok(Some(10_000_000_000_000_000_000)));
}
