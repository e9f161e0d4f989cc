//! Trap 16, and what of 13 concerns files: odd files that tools read differently, each with what is done about it here
//! (docs/data-files.md). Messages are in `messages.txt`.

use samhw_compiler::data::ValuePolicy;
use samhw_compiler::diag::Place;
use samhw_compiler::types::Type;

use super::{I32, entries, good, parse, target};

/// Entries of a matrix file of i32 with this banner, size line and body, up to 4 x 4.
fn matrix(banner: &str, rest: &str) -> Result<Vec<(Vec<u64>, i128)>, &'static str> {
    let text = format!("%%MatrixMarket matrix {banner}\n{rest}");
    let read = parse("m.mtx", text.as_bytes(), ValuePolicy::Exact, &target(&[4, 4], I32));
    read.map(|loaded| entries(&loaded.coo, I32)).map_err(|d| d.code)
}

fn at(all: &[(u64, u64, i128)]) -> Vec<(Vec<u64>, i128)> {
    all.iter().map(|&(i, j, v)| (vec![i, j], v)).collect()
}

const GENERAL: &str = "coordinate integer general";

#[test]
fn trap_13_half_of_a_symmetric_file_is_the_whole_matrix() {
    let both = at(&[(0, 0, 5), (0, 2, 7), (2, 0, 7)]);
    assert_eq!(matrix("coordinate integer symmetric", "3 3 2\n1 1 5\n3 1 7\n"), Ok(both.clone()));
    // Either triangle, but not both.
    assert_eq!(matrix("coordinate integer symmetric", "3 3 2\n1 1 5\n1 3 7\n"), Ok(both));
    assert_eq!(matrix("coordinate integer symmetric", "3 3 3\n1 1 5\n1 3 7\n3 1 7\n"), Err("T010"));
    let skew = at(&[(0, 2, -7), (2, 0, 7)]);
    assert_eq!(matrix("coordinate integer skew-symmetric", "3 3 1\n3 1 7\n"), Ok(skew));
}

#[test]
fn trap_13_leaves_of_a_pattern_are_true() {
    let ones = at(&[(0, 1, 1), (2, 0, 1)]);
    assert_eq!(matrix("coordinate pattern general", "3 3 2\n3 1\n1 2\n"), Ok(ones));
    let bits =
        good("p.mtx", "%%MatrixMarket matrix coordinate pattern general\n2 2 1\n2 1\n", &target(&[2, 2], Type::Bool));
    assert_eq!(entries(&bits, Type::Bool), at(&[(1, 0, 1)]));
    assert_eq!(matrix("coordinate pattern general", "3 3 1\n3 1 9\n"), Err("T013"), "a weight would be lost");
}

#[test]
fn trap_16_hermitian_of_real_numbers_is_symmetric() {
    let both = at(&[(0, 1, 3), (1, 0, 3)]);
    assert_eq!(matrix("coordinate integer hermitian", "2 2 1\n2 1 3\n"), Ok(both));
    assert_eq!(matrix("coordinate complex hermitian", "2 2 1\n2 1 3 1\n"), Err("T006"));
}

#[test]
fn trap_16_an_entry_that_stands_twice_is_neither_added_nor_overwritten() {
    assert_eq!(matrix(GENERAL, "3 3 2\n1 1 5\n1 1 7\n"), Err("T010"));
    assert_eq!(matrix(GENERAL, "3 3 2\n1 1 5\n1 1 5\n"), Err("T010"), "also if they agree");
}

#[test]
fn trap_16_values_out_of_the_range_of_their_type_line() {
    assert_eq!(matrix(GENERAL, "%%GraphBLAS type uint8_t\n3 3 1\n1 1 255\n"), Ok(at(&[(0, 0, 255)])));
    assert_eq!(matrix(GENERAL, "%%GraphBLAS type uint8_t\n3 3 1\n1 1 256\n"), Err("T013"));
    assert_eq!(
        matrix(GENERAL, "%%GraphBLAS type int64_t\n3 3 1\n1 1 3000000000\n"),
        Err("T009"),
        "i32 is the tensor's"
    );
    assert_eq!(matrix(GENERAL, "%%GraphBLAS type FC64\n3 3 1\n1 1 3\n"), Err("T006"));
}

#[test]
fn trap_16_a_diagonal_in_a_skew_symmetric_file_contradicts_it() {
    assert_eq!(matrix("coordinate integer skew-symmetric", "3 3 1\n2 2 1\n"), Err("T013"));
    assert_eq!(matrix("coordinate integer skew-symmetric", "3 3 1\n2 2 0\n"), Err("T013"), "also a zero");
}

#[test]
fn trap_16_more_or_fewer_entries_than_announced() {
    assert_eq!(matrix(GENERAL, "3 3 1\n1 1 5\n2 2 7\n"), Err("T011"));
    assert_eq!(matrix(GENERAL, "3 3 3\n1 1 5\n2 2 7\n"), Err("T011"));
    assert_eq!(matrix("array integer general", "2 2\n1\n2\n3\n"), Err("T011"));
}

#[test]
fn trap_16_headers_in_disorder_or_missing() {
    assert_eq!(matrix("integer coordinate general", "3 3 1\n1 1 5\n"), Err("T005"));
    let none = parse("m.mtx", b"3 3 1\n1 1 5\n", ValuePolicy::Exact, &target(&[4, 4], I32));
    assert_eq!(none.unwrap_err().code, "T005");
    // Triplets without a header say neither sizes nor where counting starts.
    let triplets = parse("m.trip0", b"0 0 5\n", ValuePolicy::Exact, &target(&[4, 4], I32));
    assert_eq!(triplets.unwrap_err().code, "T002");
    let zero = parse("m.tns", b"0 0 5\n", ValuePolicy::Exact, &target(&[4, 4], I32));
    assert_eq!(zero.unwrap_err().code, "T008");
}

#[test]
fn trap_16_infinities_and_nan_in_text() {
    let text = b"%%MatrixMarket matrix coordinate real general\n2 2 3\n1 1 inf\n1 2 -Infinity\n2 1 NaN\n";
    let read = |ty| parse("m.mtx", text, ValuePolicy::Exact, &target(&[2, 2], ty));
    let values: Vec<String> = read(Type::F64).unwrap().coo.iter().map(|(_, v)| Type::F64.show(v)).collect();
    assert_eq!(values, ["inf", "-inf", "nan"]);
    assert_eq!(read(I32).unwrap_err().code, "T009");
}

#[test]
fn trap_16_untidy_lines_are_read() {
    let two = at(&[(0, 0, 5), (1, 2, 7)]);
    let untidy = "% a comment\n\n3 3 2\n% one after the sizes\n\n1 1 5\r\n\n   2\t3  7  \n% the end\n\n";
    assert_eq!(matrix(GENERAL, untidy), Ok(two.clone()));
    assert_eq!(matrix(GENERAL, "3 3 2\r\n2 3 7\r\n1 1 5\r\n"), Ok(two), "entries in any order");
}

#[test]
fn trap_16_a_matrix_without_columns() {
    let text = "%%MatrixMarket matrix coordinate integer general\n3 0 0\n";
    let coo = good("m.mtx", text, &target(&[4, 4], I32));
    assert_eq!((coo.shape(), coo.len()), (&[3, 0][..], 0));
}

#[test]
fn trap_16_frostt_files_with_two_lines_of_header() {
    let three = |text| entries(&good("t.tns", text, &target(&[4, 4, 4], I32)), I32);
    let want = vec![(vec![0, 1, 2], 5), (vec![3, 0, 0], 7)];
    assert_eq!(three("3\n4 4 4\n1 2 3 5\n4 1 1 7\n"), want, "ParTI's: order, sizes");
    assert_eq!(three("3 2\n4 4 4\n1 2 3 5\n4 1 1 7\n"), want, "MLIR's: order and entries, sizes");
    assert_eq!(three("# comment\n1 2 3 5\n4 1 1 7\n"), want, "none");
}

#[test]
fn lines_end_in_line_feeds_carriage_returns_or_both() {
    let text = "%%MatrixMarket matrix coordinate integer general\n% made on an old machine\n\n3 3 2\n1 1 5\n3 1 7\n";
    let want = at(&[(0, 0, 5), (2, 0, 7)]);
    let square = target(&[4, 4], I32);
    for end in ["\n", "\r\n", "\r"] {
        assert_eq!(entries(&good("m.mtx", &text.replace('\n', end), &square), I32), want, "{end:?}");
        let tns = format!("# made by hand{end}1 1 5{end}{end}3 1 7{end}");
        assert_eq!(entries(&good("m.tns", &tns, &square), I32), want, "{end:?}");
        assert_eq!(entries(&good("m.tns", tns.trim_end(), &square), I32), want, "{end:?} but for the last line");
        // Lines count as an editor counts them.
        let wrong = parse("m.tns", tns.replace('7', "x").as_bytes(), ValuePolicy::Exact, &square);
        assert_eq!(wrong.err().and_then(|e| e.place), Some(Place::File("m.tns".into(), Some(4))), "{end:?}");
    }
}

#[test]
fn numbers_of_fortran_are_read() {
    let real = good("v.tns", "1 1.5D+00\n2 -2.5d1\n3 1D-2\n", &target(&[3], Type::F64));
    assert_eq!(real.values().iter().map(|&v| f64::from_bits(v)).collect::<Vec<_>>(), [1.5, -25.0, 0.01]);
    assert_eq!(matrix("coordinate real general", "2 2 1\n1 1 2.0D+01\n"), Ok(at(&[(0, 0, 20)])));
    assert_eq!(matrix("coordinate real symmetric", "2 2 1\n2 1 0.5D0\n"), Err("T009"), "no whole number");
    assert_eq!(matrix("coordinate real general", "2 2 1\n1 1 2.0D\n"), Err("T007"));
}

#[test]
fn frostt_files_of_coordinates_alone_are_patterns_if_asked() {
    let ones = |text: &str, order: usize| {
        let read = parse("p.tns", text.as_bytes(), ValuePolicy::Ones, &target(&vec![9; order], I32));
        read.map(|l| (l.coo.iter().map(|(c, v)| (c.to_vec(), v)).collect::<Vec<_>>(), l.sized)).map_err(|d| d.code)
    };
    let all = |coords: &[&[u64]]| coords.iter().map(|c| (c.to_vec(), 1)).collect::<Vec<_>>();
    assert_eq!(ones("1 1\n2 3\n9 9\n", 2), Ok((all(&[&[0, 0], &[1, 2], &[8, 8]]), false)));
    assert_eq!(ones("# two\n1 2\n3 4\n", 2), Ok((all(&[&[0, 1], &[2, 3]]), false)));
    assert_eq!(ones("2 2\n2 3\n9 9\n", 2), Ok((all(&[&[1, 1], &[1, 2], &[8, 8]]), false)), "no header");
    assert_eq!(ones("3\n1\n2\n", 1), Ok((all(&[&[0], &[1], &[2]]), false)));
    assert_eq!(ones("1\n5\n2\n", 1), Ok((all(&[&[0], &[1], &[4]]), false)), "no header");
    assert_eq!(ones("1 2 3\n3 2 1\n", 3), Ok((all(&[&[0, 1, 2], &[2, 1, 0]]), false)));
    // Headers stay headers.
    assert_eq!(ones("2 1\n4 4\n1 2 7\n", 2), Ok((all(&[&[0, 1]]), true)));
    assert_eq!(ones("1\n5\n2 7\n", 1), Ok((all(&[&[1]]), true)));
    assert_eq!(ones("2 0\n4 4\n", 2), Ok((vec![], true)));
    // What may be either is refused, and what is one line so, another so.
    assert_eq!(ones("2 3\n4 4\n", 2), Err("T013"));
    assert_eq!(ones("1\n4\n", 1), Err("T013"));
    assert_eq!(ones("1 1\n2 3\n9 9\n1 2 7\n", 2), Err("T007"));
    assert_eq!(ones("1 1 7\n2 3\n", 2), Err("T007"));
}
