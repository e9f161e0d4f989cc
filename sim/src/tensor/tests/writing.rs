//! What is written is read back, and files are replaced completely or not at all.

use proptest::prelude::*;
use samhw_compiler::data::ValuePolicy;
use samhw_compiler::types::Type;

use super::{I32, coos, entries, good, parse, render, scratch, target};
use crate::tensor::{Coo, Target, codes, read_file, write_file};

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn text_keeps_what_is_stored(coo in coos(1, 1..=4)) {
        let dir = scratch("text");
        for name in ["x.tns", "x.mtx", "x.tns.gz", "x.mtx.gz"] {
            if name.starts_with("x.mtx") && coo.order() > 2 {
                continue;
            }
            let path = dir.join(name);
            write_file(&path, &coo, I32, 0).map_err(|e| TestCaseError::fail(render(&e)))?;
            let back = read_file(&path, ValuePolicy::Exact, &target(coo.shape(), I32));
            prop_assert_eq!(back.map(|loaded| loaded.coo), Ok(coo.clone()));
        }
    }

    #[test]
    fn every_format_keeps_the_values_under_any_fill(coo in coos(0, 0..=3), fill in -2i128..3) {
        let dir = scratch("fill");
        let fill = I32.wrap(fill);
        for name in ["x.tns", "x.npy", "x.mtx", "x.npy.gz"] {
            if name == "x.mtx" && !matches!(coo.order(), 1 | 2) {
                continue;
            }
            let path = dir.join(name);
            write_file(&path, &coo, I32, fill).map_err(|e| TestCaseError::fail(render(&e)))?;
            let read = |fill| read_file(&path, ValuePolicy::Exact, &Target { fill, ..target(coo.shape(), I32) });
            let back = read(fill).map_err(|e| TestCaseError::fail(render(&e)))?.coo;
            prop_assert_eq!(back.without(fill), coo.without(fill), "{}", name);
            // Whoever takes the fill for 0 reads the same numbers: every coordinate is in the file.
            let back = read(0).map_err(|e| TestCaseError::fail(render(&e)))?.coo;
            let nonzeros = coo.shape().iter().product::<u64>() as usize - coo.values().iter().filter(|&&v| v == 0).count();
            if fill != 0 {
                prop_assert_eq!(back.without(0).len(), nonzeros, "{}", name);
            }
        }
    }
}

#[test]
fn scalars_vectors_and_wide_types() {
    let dir = scratch("small");
    let text = |name: &str, coo: &Coo, ty: Type, fill| {
        let path = dir.join(name);
        write_file(&path, coo, ty, fill).unwrap_or_else(|e| panic!("{}", render(&e)));
        std::fs::read_to_string(path).expect("what was written")
    };
    let scalar = good("s.tns", "-7\n", &target(&[], I32));
    assert_eq!(text("s.tns", &scalar, I32, 0), "-7\n");
    assert_eq!(text("s.tns", &Coo::empty(vec![]), I32, 3), "3\n");
    let banner = "%%MatrixMarket matrix coordinate integer general\n";
    let vector = good("v.tns", "2 0\n3 5\n", &target(&[3], I32));
    assert_eq!(text("v.mtx", &vector, I32, 0), format!("{banner}3 1 2\n2 1 0\n3 1 5\n"));
    assert_eq!(text("v.mtx", &vector, I32, 1), format!("{banner}3 1 3\n1 1 1\n2 1 0\n3 1 5\n"));
    assert_eq!(text("v.tns", &Coo::empty(vec![3]), I32, 0), "# 3, nothing stored\n");
    let u64s = Type::int(64, false);
    let wide = Coo::new(vec![1], vec![0], vec![u64::MAX]).expect("one entry");
    assert_eq!(text("w.tns", &wide, u64s, 0), "1 18446744073709551615\n");
}

#[test]
fn vectors_come_as_rows_columns_and_tns() {
    let want = vec![(vec![1], 4)];
    let banner = "%%MatrixMarket matrix coordinate integer general";
    for (name, text) in [
        ("v.mtx", format!("{banner}\n3 1 1\n2 1 4\n")),
        ("v.mtx", format!("{banner}\r\n\r\n1 3 1\r\n% CRLF\r\n1 2 4.0\r\n\r\n")),
        ("v.mtx", "%%MatrixMarket vector coordinate real general\n3 1\n2 4\n".into()),
        ("v.mtx", "\u{feff}%%MatrixMarket matrix array real general\n3 1\n0\n4\n0\n".into()),
        ("v.tns", "# comment\n\n  2\t0.4e1 \r\n% end".into()),
        ("v.tns", "1\n3\n2 4\n".into()),
    ] {
        assert_eq!(entries(&good(name, &text, &target(&[3], I32)), I32), want, "{text}");
    }
    let loaded = parse("v.tns", b"2 4\n", ValuePolicy::Exact, &target(&[3], I32)).expect("a vector");
    assert!(!loaded.sized && loaded.coo.clone().resized(vec![1]).is_none() && loaded.coo.resized(vec![2]).is_some());
    assert!(parse("v.tns", b"", ValuePolicy::Exact, &target(&[3], I32)).expect("nothing stored").coo.is_empty());
}

#[test]
fn symmetric_matrices_are_completed() {
    let read = |kind: &str, body: &str, fill| {
        let text = format!("%%MatrixMarket matrix {kind}\n{body}");
        entries(&good("m.mtx", &text, &Target { fill, ..target(&[3, 3], I32) }), I32)
    };
    let mirrored = |sign: i128| vec![(vec![0, 1], sign * 5), (vec![1, 0], 5)];
    assert_eq!(read("coordinate real hermitian", "2 2 1\n2 1 5\n", 0), mirrored(1));
    assert_eq!(read("coordinate integer symmetric", "2 2 1\n2 1 5\n", 0), mirrored(1));
    assert_eq!(read("coordinate integer skew-symmetric", "2 2 1\n2 1 5\n", 0), mirrored(-1));
    assert_eq!(read("array integer symmetric", "2 2\n0\n5\n0\n", 0), mirrored(1));
    assert_eq!(read("array integer skew-symmetric", "2 2\n5\n", 0), mirrored(-1));
    // With another fill the zero diagonal must be stored.
    assert_eq!(read("array integer skew-symmetric", "2 2\n5\n", 1).len(), 4);
    assert_eq!(read("coordinate pattern symmetric", "3 3 2\n1 1\n3 1\n", 0).len(), 3);
}

#[test]
fn failed_writes_leave_the_old_file_and_no_other() {
    let dir = scratch("atomic");
    let path = dir.join("x.mtx");
    std::fs::write(&path, "old").expect("a file");
    let cube = Coo::empty(vec![2, 2, 2]);
    let code = |path: &std::path::Path, coo: &Coo, fill| write_file(path, coo, I32, fill).err().map(|e| e.code);
    assert_eq!(code(&path, &cube, 0), Some(codes::INEXPRESSIBLE));
    assert_eq!(code(&path, &Coo::empty(vec![1 << 40, 2]), 1), Some(codes::TOO_LARGE));
    assert_eq!(code(&dir.join("x.npy"), &Coo::empty(vec![1 << 40, 2]), 0), Some(codes::TOO_LARGE));
    assert_eq!(code(&dir.join("nowhere/x.tns"), &cube, 0), Some(codes::WRITE));
    assert_eq!(code(&dir.join("x.rb"), &cube, 0), Some(codes::FORMAT));
    std::fs::create_dir(dir.join("d.tns")).expect("a folder");
    assert_eq!(code(&dir.join("d.tns"), &cube, 0), Some(codes::WRITE));
    assert_eq!(std::fs::read_to_string(&path).expect("the old file"), "old");
    assert_eq!(std::fs::read_dir(&dir).expect("the folder").count(), 2);
    assert_eq!(code(&path, &Coo::empty(vec![2, 2]), 0), None);
    assert_eq!(std::fs::read_dir(&dir).expect("the folder").count(), 2);
    let read = |name: &str| read_file(&dir.join(name), ValuePolicy::Exact, &target(&[2], I32)).err().map(|e| e.code);
    assert_eq!([read("d.tns"), read("missing.tns")], [Some(codes::OPEN); 2]);
}
