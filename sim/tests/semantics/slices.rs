//! Trap 11: what slices leave out, and what they read twice.

use super::case;

const B: (&str, &str, &str) = ("b", "", "1 . 3 4 . 6 . 8");

#[test]
fn trap_11_a_slice_on_the_left_leaves_the_fill_around() {
    case("i32", "y(i[2:6:2]) = b(i)", &[("b", "", "5 6")]).gives(". . 5 . 6 . .", "0");
    case("i32", "y(i[{4,0}]) = b(i)", &[("b", "7", "5 .")]).gives(". . . . 5 . .", "7");
    // Merged: what was there stays around.
    let old = ("o", "", "1 . 3 . 5");
    case("i32", "t(i[1:3]) = b(i); y(i) = where(pres(t(i)), t(i), o(i))", &[("b", "", "8 9"), old])
        .with("[tensors.t]\ntype = \"i32\"\nshape = [5]\nlevels = [\"compressed\"]\n")
        .gives("1 8 9 . 5", "0");
    // The fill is the right-hand side of what is not there.
    case("i32", "y(i[1:3]) = b(i) + 1", &[("b", "", "5 6")]).gives(". 6 7 .", "1");
}

#[test]
fn trap_11_strides_begin_where_they_are_told() {
    case("i32", "y(i) = b(i[1:5:2])", &[B]).gives(". 4", "0");
    case("i32", "y(i) = b(i[0:8:3])", &[B]).gives("1 4 .", "0");
    case("i32", "y(i) = b(i[2:])", &[B]).gives("3 4 . 6 . 8", "0");
    case("i32", "y(i) = b(i[-3:])", &[B]).gives("6 . 8", "0");
    // A stop beyond the end is told, not cut.
    case("i32", "y(i) = b(i[2:20])", &[B]).refused(". . . . . .", "E017", "outside of `b`");
}

#[test]
fn trap_11_backwards_and_in_the_order_of_a_set() {
    case("i32", "y(i) = b(i[::-1])", &[B]).gives("8 . 6 . 4 3 . 1", "0");
    case("i32", "y(i) = b(i[6:0:-2])", &[B]).gives(". . 3", "0");
    case("i32", "y(i) = b(i[{5,0,2}])", &[B]).gives("6 1 3", "0");
    case("i32", "y(i) = b(i[{3,3,1,3}])", &[B]).gives("4 4 . 4", "0");
}

#[test]
fn trap_11_one_tensor_in_three_slices() {
    case("i32", "y(i) = b(i[:-2]) - 2 * b(i[1:-1]) + b(i[2:])", &[B]).gives("4 -2 -5 10 -12 14", "0");
}

#[test]
fn trap_11_slices_without_entries() {
    let a = ("A", "", ". 2 . 4 / 5 . . . / . 1 . 3");
    // A stride that meets no entry leaves empty fibers, which stay apart from those that are not empty.
    case("i32", "Y(i,j) = A(i, j[::2])", &[a]).gives(". . / 5 . / . .", "0");
    case("i32", "y(i) = sum[j](A(i, j[2:3]))", &[a]).gives(". . .", "0");
    case("i32", "y(i) = sum[j](A(i, j[2:2]))", &[a]).gives(". . .", "0");
    case("i32", "y(i) = min[j](A(i, j[::2]))", &[("A", "9", ". 2 . 4 / 5 . . .")]).gives("9 5", "9");
}
