//! Recurrences: the value before is that of the same run, in every format and type.

use super::case;

const A: (&str, &str, &str) = ("a", "", "1 . 3 4 .");
const C: (&str, &str, &str) = ("c", "", "2 1 . 3 -1");

#[test]
fn the_value_before_is_what_was_written() {
    case("i32", "y(i) = c(i) * y(i - 1) + a(i)", &[A, C]).gives("1 1 3 13 -13", "0");
    case("i32", "y(i) = a(i) + c(i) * coalesce(y(i - 1), 5)", &[A, C]).gives("11 11 3 13 -13", "5");
    case("i32", "y(i) = a(i) - y(i - 1)", &[A]).gives("1 -1 4 0 0", "0");
    case("i32", "y(i) = min(y(i - 1), a(i)) + c(i)", &[A, C]).gives("2 1 1 4 -1", "0");
    case("f32", "y(i) = 0.5 * y(i - 1) + a(i)", &[A]).gives("1 0.5 3.25 5.625 2.8125", "0");
    case("u8s", "y(i) = y(i - 1) * y(i - 1) + a(i) + 2", &[A]).gives("3 11 126 255 255", "0");
    case("bool", "y(i) = a(i) and not y(i - 1)", &[("a", "", "1 . 1 1 .")]).gives("1 0 1 0 0", "0");
}

#[test]
fn one_operator_is_a_scan_that_begins() {
    case("i32", "y(i) = y(i - 1) + a(i)", &[A]).gives("1 1 4 8 8", "0");
    case("i32", "y(i) = max(a(i), coalesce(y(i - 1), 2))", &[A]).gives("2 2 3 4 4", "2");
    case("i32", "y(i) = coalesce(y(i - 1), 7) + a(i)", &[A]).stored("y", "[\"run\"]").gives("8 8 11 15 15", "7");
}

#[test]
fn functions_and_loops_stand_in_recurrences() {
    let twice = "functions.f = { args = [\"u\", \"v\"], body = \"2 * u + v\" }\n";
    case("i32", "y(i) = f(y(i - 1), a(i))", &[A]).with(twice).gives("1 2 7 18 36", "0");
    case("i32", "y(i) = f(f(a(i), y(i - 1)), 1)", &[A]).with(twice).gives("5 11 35 87 175", "0");
    let text = "functions.f = { args = [\"u\", \"v\"], body = \"let r = v; for k in 0:20 { r = r + u; } r\" }\n";
    case("i64", "y(i) = f(a(i), y(i - 1))", &[A]).with(text).gives("20 20 80 160 160", "0");
    case("i32", "y(i) = gcd(a(i) + 3, y(i - 1))", &[A]).gives("4 1 1 1 1", "0");
}

#[test]
fn rows_begin_anew() {
    let a = ("A", "", "1 . 2 / . . . / 3 1 .");
    case("i32", "Y(i,j) = 2 * Y(i,j - 1) + A(i,j)", &[a]).gives("1 2 6 / 0 0 0 / 3 7 14", "0");
    let products = "y(i) = c(i) * y(i - 1) + A(i,j) * x(j)";
    case("i32", products, &[a, ("c", "", "1 2 -1"), ("x", "", "1 3 5")]).gives("11 22 -16", "0");
}
