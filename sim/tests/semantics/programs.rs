//! Trap 15: statements run in order, and each sees what earlier ones have made.

use super::case;

const A: (&str, &str, &str) = ("a", "", "1 . 3 . 5 .");
const B: (&str, &str, &str) = ("b", "", "1 2 . . 3 4");

#[test]
fn trap_15_a_result_is_updated_and_replaced() {
    case("i32", "y(i) = a(i); y(i) += b(i)", &[A, B]).gives("2 2 3 . 8 4", "0");
    case("i32", "y(i) = a(i); y(i) max= b(i); y(i) = y(i) * 2", &[A, B]).gives("2 4 6 . 10 8", "0");
    case("i32", "y(i) = a(i); t(i) = y(i) + 1; y(i) = b(i) * t(i)", &[A, B]).gives("2 2 . . 18 4", "0");
    case("i32", "y(i) = a(i); y(i) = b(i)", &[A, B]).gives("1 2 . . 3 4", "0");
    // The operand of its name is read before it is written.
    let y = ("y", "", "1 1 1 . . .");
    case("i32", "y(i) += a(i); y(i) mul= b(i)", &[A, B, y]).gives("2 2 . . 15 .", "0");
}

#[test]
fn trap_15_a_part_is_written_and_the_rest_stays() {
    let (p, q) = (("p", "", "7 . 9"), ("q", "", "5 6"));
    case("i32", "y(i[0:3]) = p(i); y(j[4:6]) = q(j)", &[p, q]).stored("y", "[\"dense\"]").gives("7 0 9 0 5 6", "0");
    // A compressed result stores no more than what was stored.
    case("i32", "y(i) = a(i); y(j[1:6:2]) += p(j)", &[A, p]).gives("1 7 3 . 5 9", "0");
    case("i32", "y(i) = a(i); y(j[{5,0}]) = q(j)", &[A, q]).gives("6 . 3 . 5 5", "0");
    case("i32", "y(i) = a(i); y(j[4:1:-1]) = p(j) + j", &[A, p]).gives("1 0 11 1 7 0", "0");
    case("fx8.8", "y(i) = h(i) + h(i); y(j[1:3]) = g(j)", &[("h", "", "0.125 0.25 . ."), ("g", "", "-0.5 .")])
        .gives("0.25 -0.5 . .", "0");
    case("bool", "y(i) = h(i); y(j[1:3]) = g(j)", &[("h", "", "1 1 . 1"), ("g", "", ". 1")]).gives("1 0 1 1", "0");
    // So it is with data.
    case("i32", "y(j[1:3]) += q(j)", &[q, ("y", "", "1 . 3 . 4")]).gives("1 5 9 . 4", "0");
}

#[test]
fn an_update_of_nothing_begins_at_what_the_operator_gives_for_nothing() {
    case("i32", "d(i) min= a(i) + 1; y(i) = d(i) - 1", &[A]).gives("1 0 3 0 5 0", "0");
    case("i32", "d(i) or= a(i); y(i) = d(i) * 3", &[A]).gives("3 0 3 0 3 0", "0");
    case("i32", "d(i) mul= C(i,j); y(i) = d(i)", &[("C", "", "1 . 2 / . . . / 4 . .")])
        .with("reduce = \"mul\"\n")
        .gives("0 0 0", "0");
    // Nobody reads it, and it is a result all the same.
    case("i32", "c(i) = a(i) - b(i); y(i) = a(i) * b(i)", &[A, B]).gives("1 . . . 15 .", "0");
}

/// Values are not folded in a memory that no later statement sees, also where that sees a part only.
#[test]
fn a_part_of_a_sum_is_read() {
    let c = ("C", "", "1 2 3 / 4 5 6");
    case("i32", "s(i) = C(j,i); y(i) = s(i[0:2]) + 1", &[c]).gives_in(&[1, 0, 2], "6 8", "1");
}
