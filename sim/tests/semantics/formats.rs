//! Traps 12 to 14: shape operators, level formats, positions that are not there or meet.

use super::{Case, case};

#[test]
fn trap_12_what_is_no_shape_operator_here() {
    let b = ("b", "", "1 2");
    case("i32", "y(i) = split(stack(0, b), 0, 2)(i, i)", &[b]).refused("1 2", "E028", "mode 0 has size 1 here");
    case("i32", "y(i) = stack(0, b)(1, i)", &[b]).refused("1 2", "E028", "`stack` has 1 tensors");
    let stacked = case("i32", "Y(s,i) = stack(0, b, d)(s, i)", &[b, ("d", "7", "5 .")]);
    stacked.gives("1 2 / 5 7", "0");
    case("i32", "y(i) = concat(0, b(i), b)(i)", &[b]).refused("1 2 1 2", "E028", "takes names of tensors");
    case("i32", "y(i) = flip(flip(b, 0), 0)(i)", &[b]).gives("1 2", "0");
    case("i32", "y(i) = collapse(b, 0)(i)", &[b]).refused("1 2", "E010", "here it has 1 index");
    case("i32", "y(i) = reshape(b, 3)(i)", &[b]).refused(". . .", "E028", "size 2, which is not 3");
    // Fills that differ leave the whole without one.
    case("i32", "y(i) = concat(0, b, c)(i)", &[b, ("c", "7", "1 .")]).refused("1 2 1 .", "E028", "different fills");
    // A result lies on the chip, where a level cannot be walked by two loops; it can be put next to others.
    let two = |expr| case("i32", expr, &[b]).with("[tensors.t]\ntype = \"i32\"\nlevels = [\"compressed\"]\n");
    two("t(i) = b(i) * 2; y(i) = concat(0, t, b)(i)").gives("2 4 1 2", "0");
}

#[test]
fn trap_12_a_concatenation_by_slices() {
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
    split("Y(i,j) = split(b,0,4)(i,j)").refused(". . / . .", "E028", "not a multiple of 4");
    split("Y(i,j) = split(b,0,0)(i,j)").refused(". . / . .", "E028", "inner size of `split` is 0");
    split("Y(i,j) = split(b,1,2)(i,j)").refused(". . / . .", "E028", "`split` is of mode 1");
    split("Y(i,j) = split(b(k),0,2)(i,j)").refused(". . / . .", "E028", "takes names of tensors");
    split("Y(i,j) = split(b,0,3)(i,j)").refused(". . / . . / . .", "E013", "sizes 2 and 3 meet");
    split("Y(i,j) = split(b,0,2)(i,j,k)").refused(". . / . . / . .", "E010", "3 indices");
    split("Y(i,j) = split(split(b,0,6),0,2)(k,i,j)").refused(". . / . .", "E028", "not a multiple of 2");
}

/// Shape operators of vectors stored as `b`, and of matrices stored as `a`.
fn shapes(b: &'static str, a: &'static str) {
    let all = |text: &str| if b == DENSE { text.replace('.', "0") } else { text.to_owned() };
    let of_b = |expr: &str| {
        let ends = |name: &str| [",", ")"].map(|end| format!("{name}{end}"));
        let used = |t: &(&str, &str, &str)| {
            ends(t.0).iter().any(|n| expr.contains(&format!(",{n}")) || expr.contains(&format!("({n}")))
        };
        let tensors: Vec<_> = [("b", "", "1 . 3"), ("c", "", ". 5")].into_iter().filter(used).collect();
        tensors.iter().fold(case("i32", expr, &tensors), |case, t| case.stored(t.0, b))
    };
    of_b("y(i) = concat(0,b,c)(i)").gives(&all("1 . 3 . 5"), "0");
    of_b("y(i) = concat(0,c,b,c)(i) * 2").gives(&all(". 10 2 . 6 . 10"), "0");
    of_b("y(i) = concat(0,b,b)(i)").gives(&all("1 . 3 1 . 3"), "0");
    of_b("y(i) = pres(concat(0,c,c)(i))").gives(if b == DENSE { "1 1 1 1" } else { ". 1 . 1" }, "0");
    of_b("y(i) = concat(0,c,b)(i) * concat(0,b,c)(i)").gives(&all(". . 3 . 15"), "0");
    // Nothing is next to the tensor: not even where it is dense.
    of_b("y(i) = pad(c,0,2,1)(i)").gives(if b == DENSE { ". . 0 5 ." } else { ". . . 5 ." }, "0");
    of_b("y(i) = roll(b,0,1)(i)").gives(&all("3 1 ."), "0");
    of_b("y(i) = roll(b,0,-1)(i)").gives(&all(". 3 1"), "0");
    of_b("y(i) = roll(b,0,0)(i) + flip(b,0)(i)").gives(&all("4 . 4"), "0");
    of_b("y(i) = slice(b,0,0,3,2)(i)").gives("1 3", "0");
    of_b("y(i) = concat(0,slice(b,0,0,3,2),flip(c,0),slice(b,0,1,3))(i)").gives(&all("1 3 5 . . 3"), "0");
    of_b("y(i) = pad(flip(b,0),0,1,0)(i)").gives(if b == DENSE { ". 3 0 1" } else { ". 3 . 1" }, "0");
    of_b("Y(s,i) = stack(0,b,flip(b,0),b)(s,i)").gives(&all("1 . 3 / 3 . 1 / 1 . 3"), "0");
    of_b("Y(i,s) = stack(1,b,slice(b,0,0,3))(i,s) * 2").gives(&all("2 2 / . . / 6 6"), "0");
    of_b("y(i) = sum[s](stack(0,roll(b,0,1),b)(s,i)) - stack(0,flip(b,0),b)(1,i)").gives("3 1 0", "0");
    of_b("Y(s,i) = pres(stack(0,c,c)(s,i))").gives(if b == DENSE { "1 1 / 1 1" } else { ". 1 / . 1" }, "0");
    // The first part begins the second also if it has nothing.
    let none = case("i32", "y(i) = concat(0,e,c)(i)", &[("e", "", ". ."), ("c", "", "4 5")]);
    none.stored("e", b).gives(&all(". . 4 5"), "0");
    let filled = case("i32", "y(i) = concat(0,b,c)(i)", &[("b", "7", "1 ."), ("c", "7", ". 8")]);
    filled.stored("b", b).stored("c", b).gives(if b == DENSE { "1 7 7 8" } else { "1 . . 8" }, "7");
    let all = |text: &str| if a == DENSE2 { text.replace('.', "0") } else { text.to_owned() };
    let of_a = |expr| case("i32", expr, &[("A", "", "1 2 . / . 6 8")]).stored("A", a);
    of_a("y(k) = collapse(A,0)(k)").gives(&all("1 2 . . 6 8"), "0");
    of_a("Y(i,j) = reshape(A,3,2)(i,j)").gives(&all("1 2 / . . / 6 8"), "0");
    of_a("Y(j,i) = reshape(A,3,2)(i,j)").gives_in(&[1, 0], &all("1 . 6 / 2 . 8"), "0");
    of_a("Y(i,j) = split(collapse(A,0),0,3)(i,j)").gives(&all("1 2 . / . 6 8"), "0");
    of_a("Y(i,j) = transpose(A,1,0)(i,j)").gives(&all("1 . / 2 6 / . 8"), "0");
    of_a("Y(i,j) = concat(1,A,A)(i,j)").gives(&all("1 2 . 1 2 . / . 6 8 . 6 8"), "0");
    of_a("Y(i,j) = concat(0,transpose(A,1,0),transpose(A,1,0))(i,j)")
        .gives(&all("1 . / 2 6 / . 8 / 1 . / 2 6 / . 8"), "0");
    of_a("y(i) = sum[j](concat(0,A,A)(i,j) * flip(concat(0,A,A),1)(i,j))").gives("4 36 4 36", "0");
    of_a("y(i) = diag(slice(A,1,1,3))(i)").gives("2 8", "0");
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
    // Next to a slice, a single coordinate and the whole of the tensor.
    let columns = of_a("Y(i,l) = sum[k](split(A,0,2)(i,k,l[3:0:-2]))");
    columns.gives(if a == DENSE2 { "12 8 / 0 0" } else { "12 8 / . ." }, "0");
    of_a("y(l) = sum[k](split(A,1,2)(0,k,l)) + A(l[0:2],3)").gives("5 14", "0");
}

const DENSE: &str = "[\"dense\"]";
const DENSE2: &str = "[\"dense\", \"dense\"]";

#[test]
fn trap_12_a_shape_changes_no_value() {
    shapes(DENSE, DENSE2);
    shapes("[\"compressed\"]", "[\"dense\", \"compressed\"]");
    shapes("[\"hash\"]", "[\"compressed_nu\", \"singleton\"]");
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
    // What is read outside is the fill, or what is written down: a stencil whose border is 1.
    case("i32", "y(i) = b(i+1)", &[b]).gives("2 . 4 .", "0");
    case("i32", "y(i) = b(2 * i - 1)", &[("b", "7", "1 2 . 4")]).gives("7 2 4 7", "0");
    // The first of several that is inside, each read and what is computed of it.
    let moved = ("b", "", "1 2 3");
    case("i32", "y(i) = coalesce(b(i-3), b(i+1), 9)", &[moved]).gives("2 3 9", "0");
    case("i32", "y(i) = coalesce(coalesce(b(i-1), b(i+2)), 9) + coalesce(b(i-1), coalesce(b(i+2), 9))", &[moved])
        .gives("6 2 4", "9");
    case("f32", "y(i) = coalesce(10 / b(i-2) + 1, i * b(i))", &[("b", "", "0 2 5")]).gives("0 2 inf", "0");
    case("i32", "y(i) = coalesce(where(b(i) > 1, b(i+1), 5), -4)", &[moved]).gives("5 3 -4", "5");
    let corner = "y(i) = sum[j](coalesce(A(i-1,j+1), A(i+1,j-1), 0 - i))";
    case("i32", corner, &[("A", "", "1 2 / 3 4")]).with("[dims]\ni = 2\nj = 2\n").gives("3 1", "0");
    case("i32", "y(i) = inside(b(2 * i - 1)) * b(i)", &[moved]).gives("0 2 0", "0");
    // Small negative numbers stay negative in streams that carry more bits than they have.
    let far = "y(i) = max[j](max[k](max[l](coalesce(b(0 - 1), 5) + i * j * k * l)))";
    case("i32", far, &[b]).with("[dims]\nj = 2\nk = 2\nl = 2\n").gives("5 6 7 8", "0");
    let eroded = "y(i) = coalesce(b(i-1), 1) and b(i) and coalesce(b(i+1), 1)";
    case("bool", eroded, &[("b", "", "1 1 . 1")]).gives("1 0 . 0", "0");
    // In slices nothing is outside; what lies around a slice on the left is written down as the fill.
    case("i32", "y(i) = b(i[1:5])", &[b]).refused(". . . .", "E017", "outside");
    let eroded = "t(i[1:3]) = b(i[0:2]) and b(i[1:3]) and b(i[2:4]); y(i) = t(i) or e(i)";
    case("bool", eroded, &[("b", "", "1 1 . 1"), ("e", "", "1 . . 1")])
        .with("[tensors.t]\ntype = \"bool\"\nshape = [4]\nlevels = [\"compressed\"]\n")
        .gives("1 . . 1", "0");
    case("i32", "y(i[{1,2,1}]) = b(i)", &[("b", "", "1 2 3")]).refused(". . . .", "E017", "written twice");
    // Any one of many: the largest, of those that are absent, too.
    case("i32", "y(i) = red(any, j, A(i,j))", &[("A", "", "3 9 / . . / 4 .")]).gives("9 0 4", "0");
}
