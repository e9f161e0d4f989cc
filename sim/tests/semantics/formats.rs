//! Traps 12 to 14: shape operators, level formats, positions that are not there or meet.

use super::{Case, case};

#[test]
fn trap_12_shape_operators_are_refused_with_a_way_out() {
    let a = ("A", "", "1 2 / 3 4");
    for expr in ["y(i) = collapse(A(i,j))", "y(i) = concat(b(i), b(i))", "y(i) = split(b(i), 2)"] {
        let operands = if expr.contains('A') { vec![a] } else { vec![("b", "", "1 2")] };
        case("i32", expr, &operands).refused("1 2", "E007", "shape operator");
    }
    // A concatenation by slices: the second part begins after the first one, also if that is empty.
    let parts = |b| vec![("b", "", b), ("c", "", "4 . 6")];
    let joined = |b| {
        case("i32", "s(i[0:2]) = b(i); t(i[2:5]) = c(i); y(i) = s(i) + t(i)", &parts(b)).with(
            "[tensors.s]\ntype = \"i32\"\nshape = [5]\nlevels = [\"compressed\"]\n\
         [tensors.t]\ntype = \"i32\"\nshape = [5]\nlevels = [\"compressed\"]\n",
        )
    };
    joined("1 2").gives("1 2 4 . 6", "0");
    joined(". .").gives(". . 4 . 6", "0");
}

/// `y(i) = A(i,j) * x(j)` with A in this format.
fn product(format: &'static str) -> Case {
    case(
        "i32",
        "y(i) = sum[j](A(i,j) * x(j))",
        &[("A", "", "1 . . 2 / . . . . / . 3 0 . / 4 . . ."), ("x", "", "1 2 . 3")],
    )
    .stored("A", format)
}

#[test]
fn trap_13_formats_change_no_value() {
    for format in [
        "[\"dense\", \"compressed\"]",
        "[\"compressed\", \"dense\"]",
        "[\"compressed_nu\", \"singleton\"]",
        "[\"dense\", \"bitvector8\"]",
        "[\"dense\", \"run\"]",
        "[\"dense\", \"band\"]",
        "[\"dense\", \"vbl\"]",
        "[\"dense\", \"hash\"]",
    ] {
        let found = product(format).values(". . . .");
        assert_eq!(found, [7, 0, 6, 4], "{format}");
    }
    // Repeated rows of the coordinate format are one row.
    product("[\"compressed_nu\", \"singleton\"]").gives("7 . 6 4", "0");
}

#[test]
fn trap_14_positions_outside_and_positions_that_meet() {
    let b = ("b", "", "1 2 . 4");
    // A stencil reads inside only; what lies outside is written down, here as the fill around a slice.
    case("i32", "y(i) = b(i+1)", &[b]).refused(". . . .", "E009", "arithmetic as an index");
    case("i32", "y(i) = b(i[1:5])", &[b]).refused(". . . .", "E017", "outside");
    let eroded = "t(i[1:3]) = b(i[0:2]) and b(i[1:3]) and b(i[2:4]); y(i) = t(i) or e(i)";
    case("bool", eroded, &[("b", "", "1 1 . 1"), ("e", "", "1 . . 1")])
        .with("[tensors.t]\ntype = \"bool\"\nshape = [4]\nlevels = [\"compressed\"]\n")
        .gives("1 . . 1", "0");
    case("i32", "y(i[{1,2,1}]) = b(i)", &[("b", "", "1 2 3")]).refused(". . . .", "E017", "written twice");
    // Any one of many: the largest, of those that are absent, too.
    case("i32", "y(i) = red(any, j, A(i,j))", &[("A", "", "3 9 / . . / 4 .")]).gives("9 0 4", "0");
}
