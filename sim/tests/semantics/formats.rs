//! Traps 12 to 14: shape operators, level formats, positions that are not there or meet.

use super::{Case, case};

#[test]
fn trap_12_shape_operators_are_refused_with_a_way_out() {
    let a = ("A", "", "1 2 / 3 4");
    for expr in ["y(i) = collapse(A(i,j))", "y(i) = concat(b(i), b(i))", "y(i) = split(stack(0, b), 0, 2)(i, i)"] {
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

#[test]
fn trap_12_split_sizes_divide() {
    let b = ("b", "", "1 . 3 4 . 6");
    let split = |expr| case("i32", expr, &[b]);
    split("Y(i,j) = split(b,0,4)(i,j)").refused(". . / . .", "E028", "no multiple of 4");
    split("Y(i,j) = split(b,0,0)(i,j)").refused(". . / . .", "E028", "inner size of `split` is 0");
    split("Y(i,j) = split(b,1,2)(i,j)").refused(". . / . .", "E028", "`split` is of mode 1");
    split("Y(i,j) = split(b(k),0,2)(i,j)").refused(". . / . .", "E028", "of a tensor by its name");
    split("Y(i,j) = split(b,0,3)(i,j)").refused(". . / . . / . .", "E013", "sizes 2 and 3 meet");
    split("Y(i,j) = split(b,0,2)(i,j,k)").refused(". . / . . / . .", "E010", "3 indices");
    split("Y(i,j) = split(split(b,0,6),0,2)(k,i,j)").refused(". . / . .", "E028", "no multiple of 2 * 6");
}

/// `split` of vectors stored as `b`, and of matrices stored as `a`.
fn splits(b: &'static str, a: &'static str) {
    let of_b = |expr| case("i32", expr, &[("b", "", "1 0 . . 5 .")]).stored("b", b);
    // What is stored stays so, zeros and the fills of dense levels too.
    let all = |text: &'static str| if b == DENSE { text.replace('.', "0") } else { text.to_owned() };
    of_b("Y(i,j) = split(b,0,2)(i,j)").gives(&all("1 0 / . . / 5 ."), "0");
    of_b("Y(i,j) = split(b,0,3)(i,j)").gives(&all("1 0 . / . 5 ."), "0");
    of_b("Y(j,i) = split(b,0,3)(i,j)").gives_in(&[1, 0], &all("1 . / 0 5 / . ."), "0");
    of_b("Y(i,j) = split(b,0,1)(i,j)").gives(&all("1 / 0 / . / . / 5 / ."), "0");
    // The diagonal of one that is square, sums over the inner and the outer mode.
    let d = case("i32", "y(i) = split(d,0,2)(i,i)", &[("d", "", "1 2 3 .")]).stored("d", b);
    d.gives(if b == DENSE { "1 0" } else { "1 ." }, "0");
    of_b("y(i) = sum[j](split(b,0,3)(i,j))").gives("1 5", "0");
    of_b("y(j) = sum[i](split(b,0,3)(i,j))").gives(if b == DENSE { "1 5 0" } else { "1 5 ." }, "0");
    // A fill other than 0 is that of all modes.
    let filled = case("i32", "Y(i,j) = split(c,0,2)(i,j) + 1", &[("c", "7", "1 . . 8")]).stored("c", b);
    filled.gives(if b == DENSE { "2 8 / 8 9" } else { "2 . / . 9" }, "8");
    let of_a = |expr| case("i32", expr, &[("A", "", "1 2 . 4 / . 6 . 8 / . . . . / 5 . 7 .")]).stored("A", a);
    // Nested, of two modes and of one; the inner one comes first.
    let blocks = "Y(i,j) = sum[k,l](split(split(A,1,2),0,2)(i,k,j,l))";
    of_a(blocks).gives("9 12 / 5 7", "0");
    of_a("Y(i,j) = sum[k,l](split(split(A,0,2),2,2)(i,k,j,l))").gives("9 12 / 5 7", "0");
    let thrice = |expr| case("i32", expr, &[("e", "", "1 2 3 4 5 6 7 8")]).stored("e", b);
    thrice("Y(i,k) = sum[j](split(split(e,0,2),0,2)(i,j,k))").gives("4 6 / 12 14", "0");
    thrice("Y(i,k) = sum[j](split(split(e,0,4),1,2)(i,j,k))").gives("4 6 / 12 14", "0");
    // Beside a slice, a single coordinate and the whole of the tensor.
    let columns = of_a("Y(i,l) = sum[k](split(A,0,2)(i,k,l[3:0:-2]))");
    columns.gives(if a == DENSE2 { "12 8 / 0 0" } else { "12 8 / . ." }, "0");
    of_a("y(l) = sum[k](split(A,1,2)(0,k,l)) + A(l[0:2],3)").gives("5 14", "0");
}

const DENSE: &str = "[\"dense\"]";
const DENSE2: &str = "[\"dense\", \"dense\"]";

#[test]
fn trap_12_a_split_changes_no_value() {
    splits(DENSE, DENSE2);
    splits("[\"compressed\"]", "[\"dense\", \"compressed\"]");
    splits("[\"hash\"]", "[\"compressed_nu\", \"singleton\"]");
}

#[test]
fn trap_12_structure_of_a_split() {
    let b = ("b", "", "1 0 . . 5 .");
    case("i32", "Y(i,j) = pres(split(b,0,3)(i,j))", &[b]).gives("1 1 . / . 1 .", "0");
    case("i32", "Y(i,j) = split(b,0,3)(i,j) * split(c,0,3)(i,j)", &[b, ("c", "", ". 2 3 . 2 .")])
        .gives(". 0 . / . 10 .", "0");
    // What is written to a slice counts in all of the result, which has not the sizes of the split.
    let placed = "Y(i[0:2],j) = split(b,0,2)(i,j)";
    case("i32", placed, &[("b", "", "1 0 . 5")]).refused(". . / . . / . .", "E009", "a slice on the left");
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
