//! Trap 15: statements run in order, and each sees what those before it made.

use super::case;

/// A graph of four nodes in a row, and one from the first to the last that costs more.
const W: (&str, &str, &str) = ("W", "inf", "0 2 . 9 / . 0 1 . / . . 0 3 / . . . 0");
const D: &str = "[tensors.d1]\ntype = \"u16s\"\nshape = [4]\nlevels = [\"compressed\"]\nfill = inf\n\
                 [tensors.d2]\ntype = \"u16s\"\nshape = [4]\nlevels = [\"compressed\"]\nfill = inf\n";

#[test]
fn trap_15_each_step_of_a_search_sees_the_one_before() {
    let step = "min[i](d(i) + W(i,j))";
    let next = |d: &str| step.replace("d(", &format!("{d}("));
    let d = ("d", "inf", "0 . . .");
    case("u16s", &format!("y(j) = {}", next("d")), &[W, d]).gives("0 2 . 9", "65535");
    let three = format!("d1(j) = {}; d2(j) = {}; y(j) = {}", next("d"), next("d1"), next("d2"));
    case("u16s", &three, &[W, d]).with(D).gives("0 2 3 6", "65535");
}

#[test]
fn trap_15_an_earlier_result_is_read_as_often_as_wanted() {
    let more = "[tensors.s]\ntype = \"i32\"\nshape = [3]\nlevels = [\"compressed\"]\n\
                [tensors.t]\ntype = \"i32\"\nshape = [3]\nlevels = [\"compressed\"]\n";
    let b = ("b", "", "1 . 3");
    case("i32", "s(i) = b(i) + 1; t(i) = s(i) * b(i); y(i) = s(i) - t(i)", &[b]).with(more).gives("0 . -8", "1");
    // In another order the same statements say something else: what is written later is read as it was.
    let more = "[tensors.t]\ntype = \"i32\"\nshape = [3]\nlevels = [\"compressed\"]\n";
    let old = ("s", "", "10 20 .");
    case("i32", "t(i) = s(i) * b(i); s(i) = 2 * b(i); y(i) = s(i) - t(i)", &[b, old]).with(more).gives("-8 . 6", "0");
}

#[test]
fn trap_15_an_update_reads_the_old_value() {
    case("i32", "y(i) += b(i)", &[("b", "", "1 . 3"), ("y", "", "10 20 .")]).gives("11 20 3", "0");
    case("i32", "y(i) max= b(i)", &[("b", "", "1 . 3"), ("y", "", "-5 -6 7")]).gives("1 0 7", "0");
}
