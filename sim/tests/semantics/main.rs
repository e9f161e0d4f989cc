//! The traps of array programming with functions, fills, masks and semirings, by number in the list of them in the
//! project's design notes (`trap_N_..`): small kernels whose results are written by hand, structure included, through
//! dense evaluator, reference and native engine. Traps of files are in `sim/src/tensor/tests/traps.rs`.

mod executor;
mod formats;
mod masks;
mod orders;
mod programs;
mod recurrences;
mod rounds;
mod slices;

use samhw_compiler::diag::Source;
use samhw_compiler::frontend;
use samhw_compiler::passes::fifo::Depths;
use samhw_compiler::stmt::{Kernel, TensorId, VarId};
use samhw_compiler::types::Type;
use samhw_sim::reference::Output;
use samhw_sim::tensor::Coo;
use samhw_testing::dense::dense;
use samhw_testing::verify::{legal_order, netlist, problem, run_twice};
use std::collections::BTreeMap;
use std::sync::Arc;

/// Vectors are values with `.` for what is not stored; rows of matrices end with `/`, except the last.
fn array(text: &str, ty: Type) -> (Vec<u64>, Vec<(Vec<u64>, u64)>) {
    let rows: Vec<Vec<&str>> = text.split('/').map(|row| row.split_whitespace().collect()).collect();
    let cols = rows[0].len() as u64;
    let matrix = text.contains('/');
    let shape = if matrix { vec![rows.len() as u64, cols] } else { vec![cols] };
    let mut entries = Vec::new();
    for (i, row) in rows.iter().enumerate() {
        for (j, value) in row.iter().enumerate().filter(|(_, value)| **value != ".") {
            let coord = if matrix { vec![i as u64, j as u64] } else { vec![j as u64] };
            entries.push((coord, ty.parse(value).unwrap()));
        }
    }
    (shape, entries)
}

fn coo(text: &str, ty: Type) -> Coo {
    let (shape, entries) = array(text, ty);
    let coords = entries.iter().flat_map(|e| e.0.clone()).collect();
    Coo::new(shape, coords, entries.iter().map(|e| e.1).collect()).unwrap()
}

/// A kernel over tensors of one type, each with its fill and, if it is an operand, its entries.
struct Case {
    ty: &'static str,
    expr: String,
    more: String,
    /// The levels of those that are not all compressed.
    levels: BTreeMap<&'static str, &'static str>,
    tensors: Vec<(&'static str, &'static str, &'static str)>,
}

/// `tensors`: name, fill (empty: not declared), entries. All are compressed.
fn case(ty: &'static str, expr: &str, tensors: &[(&'static str, &'static str, &'static str)]) -> Case {
    Case { ty, expr: expr.into(), more: String::new(), levels: BTreeMap::new(), tensors: tensors.to_vec() }
}

impl Case {
    fn with(mut self, more: &str) -> Self {
        self.more = more.into();
        self
    }

    fn stored(mut self, tensor: &'static str, levels: &'static str) -> Self {
        self.levels.insert(tensor, levels);
        self
    }

    fn parse(&self, want: &str) -> Result<Kernel, String> {
        let ty = Type::from_name(self.ty).unwrap();
        let last = self.expr.rsplit(';').next().unwrap().trim_start();
        let result = last.split(['(', ' ']).next().unwrap();
        let mut text = format!("name = \"k\"\nexpr = \"{}\"\n{}", self.expr, self.more);
        let updates = self.tensors.iter().any(|t| t.0 == result);
        for (name, fill, entries) in self.tensors.iter().chain([&(result, "", want)].into_iter().filter(|_| !updates)) {
            let shape = array(entries, ty).0;
            let all = format!("{:?}", vec!["compressed"; shape.len()]);
            let levels = self.levels.get(name).map_or(all, ToString::to_string);
            text += &format!("\n[tensors.{name}]\ntype = \"{}\"\nshape = {shape:?}\nlevels = {levels}\n", self.ty);
            if !fill.is_empty() {
                text += &format!("fill = {fill}\n");
            }
        }
        let source = Arc::new(Source { path: "k.toml".into(), text: text.clone() });
        frontend::parse(source).map(|file| file.kernel).map_err(|problems| format!("{problems:?}\n{text}"))
    }

    /// The last statement's result by the reference, with which dense evaluator and native engine agree. `like` has its
    /// shape. `order`: a loop order by the variables' numbers; none: that of the numbers.
    fn result(&self, order: &[usize], like: &str) -> Output {
        let ty = Type::from_name(self.ty).unwrap();
        let kernel = self.parse(like).unwrap();
        let dims: Vec<u64> = kernel.vars.iter().map(|v| v.max).collect();
        let number = |name: &str| TensorId(kernel.tensors.iter().position(|t| t.name == name).unwrap());
        let mut data: BTreeMap<TensorId, Coo> =
            self.tensors.iter().map(|(name, _, entries)| (number(name), coo(entries, ty))).collect();
        let all: Vec<usize> = (0..kernel.vars.len()).collect();
        let order = if order.is_empty() { &all } else { order };
        let order = legal_order(&kernel, order.iter().copied().map(VarId).collect());
        let problem = problem(&kernel, &order, &dims, &data).unwrap();
        for statement in &kernel.statements {
            let output = &problem.reference[&statement.result];
            let points = dense(&kernel, statement, &dims, &data);
            let present: Vec<_> = points.iter().filter(|p| p.stored).map(|p| (p.coord.clone(), p.value)).collect();
            let same = present.len() == output.stored.len()
                && present.iter().all(|(c, v)| output.stored.get(c).is_some_and(|w| ty.same(w, *v)));
            assert!(same, "{}: dense evaluator {present:?}", self.expr);
            data.insert(statement.result, output.stored.clone());
        }
        let net = netlist(&problem, Depths::Auto).unwrap().unwrap();
        run_twice(&problem, &net).unwrap_or_else(|e| panic!("{}: {e}", self.expr));
        problem.reference[&kernel.statements.last().unwrap().result].clone()
    }

    /// The result stores exactly what `want` says, and has the fill `fill` elsewhere.
    fn gives(&self, want: &str, fill: &str) {
        self.gives_in(&[], want, fill);
    }

    /// In a loop order, by the variables' numbers; none: that of the numbers.
    fn gives_in(&self, order: &[usize], want: &str, fill: &str) {
        let ty = Type::from_name(self.ty).unwrap();
        let output = self.result(order, want);
        let show = |coo: &Coo| coo.iter().map(|(c, v)| format!("{c:?} {}", ty.show(v))).collect::<Vec<_>>();
        assert_eq!(show(&output.stored), show(&coo(want, ty)), "{}", self.expr);
        assert!(ty.same(output.fill, ty.parse(fill).unwrap()), "{}: fill {}", self.expr, ty.show(output.fill));
    }

    /// Values of a vector of integers, wherever they come from: stored or the fill.
    fn values(&self, like: &str) -> Vec<i128> {
        let (ty, output) = (Type::from_name(self.ty).unwrap(), self.result(&[], like));
        (0..output.stored.shape()[0]).map(|i| ty.value(output.stored.get(&[i]).unwrap_or(output.fill))).collect()
    }

    /// It is refused with this code, and these words.
    fn refused(&self, like: &str, code: &str, words: &str) {
        let said = self.parse(like).map(|k| format!("{k:?} is accepted")).unwrap_or_else(|e| e);
        assert!(said.contains(&format!("\"{code}\"")) && said.contains(words), "{}: {said}", self.expr);
    }
}

const B: (&str, &str, &str) = ("b", "", "3 0 . .");
const C: (&str, &str, &str) = ("c", "", "4 . 0 .");

#[test]
fn trap_1_explicit_zeros_count_in_structure_and_not_in_values() {
    case("i32", "y(i) = pres(b(i)) * pres(c(i))", &[B, C]).gives("1 . . .", "0");
    case("i32", "y(i) = pres(b(i)) + pres(c(i))", &[B, C]).gives("2 1 1 .", "0");
    case("i32", "y(i) = lnot(b(i))", &[B]).gives("0 1 . .", "1");
    case("i32", "y(i) = lxor(b(i), c(i))", &[B, C]).gives("0 0 0 .", "0");
    case("i32", "y(i) = b(i) != 0", &[B]).gives("1 0 . .", "0");
}

#[test]
fn trap_2_fills_of_results_are_the_expression_on_fills() {
    case("i32", "y(i) = b(i) >= 0", &[B]).gives("1 1 . .", "1");
    case("i32", "y(i) = b(i) == c(i)", &[B, C]).gives("0 1 1 .", "1");
    case("i32", "y(i) = b(i) + c(i)", &[("b", "10", "1 . . ."), ("c", "-3", ". 5 . .")]).gives("-2 15 . .", "7");
    case("f64", "y(i) = max(b(i), c(i))", &[("b", "inf", "1 2 . ."), ("c", "", "5 . 6 .")]).gives("5.0 2.0 . .", "inf");
    case("f64", "y(i) = heaviside(b(i), 0.5)", &[("b", "", "2 0 -1 .")]).gives("1.0 0.5 0.0 .", "0.5");
    case("f64", "y(i) = b(i) * c(i)", &[("b", "inf", "1 . . ."), ("c", "", "2 3 . .")]).gives("2.0 inf . .", "nan");
}

#[test]
fn trap_3_masks_are_no_products() {
    let x = ("x", "", "inf 2 5 .");
    case("f64", "y(i) = mask(lnot(m(i)), x(i))", &[x, ("m", "", "1 . 0 1")]).gives("0.0 2.0 5.0 .", "0.0");
    case("f64", "y(i) = x(i) * lnot(m(i))", &[x, ("m", "", "1 . 0 1")]).gives("nan 2.0 5.0 .", "0.0");
}

#[test]
fn trap_4_min_plus_needs_a_number_that_absorbs() {
    let d = ("d", "inf", ". 3 7 .");
    let a = ("A", "inf", "1 4294967290 . . / . . . . / . . . 2");
    case("u32s", "y(i) = min[j](A(i,j) + d(j))", &[a, d]).gives("4294967293 . .", "4294967295");
    let wraps = case("i32", "y(i) = min[j](A(i,j) + d(j))", &[("A", "inf", "1 . / . 2"), ("d", "inf", "1 2")]);
    assert!(wraps.parse(". .").unwrap_err().contains("K010"));
}

#[test]
fn trap_5_absent_entries_count_where_the_fill_is_no_identity() {
    let a = ("A", "3", "1 . / 5 6");
    case("i32", "y(i) = sum[j](A(i,j))", &[a]).gives("4 11", "6");
    case("i32", "y(i) = min[j](A(i,j))", &[a]).gives("1 5", "3");
    case("i32", "y(i) = prod[j](A(i,j))", &[("A", "1", "5 . / . .")]).gives("5 .", "1");
    case("i32", "y(j) = all[i](A(i,j))", &[("A", "", "5 . / 2 1")]).gives("1 0", "0");
    case("i32", "y(j) = any[i](A(i,j))", &[("A", "", "5 . 0 / . . 0")]).gives("1 . 0", "0");
}

#[test]
fn trap_8_annihilators_hold_at_their_position() {
    let (b, c) = (("b", "", "3 2 . ."), ("c", "", "1 . 2 ."));
    case("i32", "y(i) = b(i) << c(i)", &[b, c]).gives("6 2 . .", "0");
    case("i32", "y(i) = b(i) - c(i)", &[b, c]).gives("2 2 -2 .", "0");
    case("i32", "y(i) = min(b(i), c(i))", &[("b", "", "-3 2 . ."), c]).gives("-3 0 0 .", "0");
    case("i32", "y(i) = where(c(i), b(i), 0)", &[b, c]).gives("3 . . .", "0");
}

#[test]
fn omitters_leave_out_what_both_have() {
    let (b, c) = (("b", "", "3 2 . ."), ("c", "", "1 . 2 ."));
    case("i32", "y(i) = where(pres(b(i)) != pres(c(i)), b(i) + c(i), 0)", &[b, c]).gives(". 2 2 .", "0");
    let (x, y) = (("P", "", "1 . / . 2 / 3 ."), ("Q", "", "1 4 / . . / . 5"));
    // Rows that both have are visited: their entries may be in different columns.
    case("i32", "Y(i,j) = where(pres(P(i,j)) != pres(Q(i,j)), P(i,j) - Q(i,j), 0)", &[x, y])
        .gives(". -4 / . 2 / 3 -5", "0");
    let either = "\n[functions.either]\nargs = [\"x\", \"y\"]\nbody = \"if x == 0 then y else if y == 0 then x else 0\"\n\
                  iterate = \"x ^ y\"\n";
    case("i32", "Y(i,j) = either(P(i,j), Q(i,j))", &[x, y]).with(either).gives(". 4 / . 2 / 3 5", "0");
}

#[test]
fn trap_10_masks_replace_or_merge_valued_or_structural_complemented_or_not() {
    let (m, x, old) = (("m", "", "1 0 . ."), ("x", "", "7 8 9 ."), ("o", "", "1 2 . 4"));
    case("i32", "y(i) = mask(m(i), x(i))", &[m, x]).gives("7 0 . .", "0");
    case("i32", "y(i) = mask(pres(m(i)), x(i))", &[m, x]).gives("7 8 . .", "0");
    case("i32", "y(i) = nmask(m(i), x(i))", &[m, x]).gives("0 8 9 .", "0");
    case("i32", "y(i) = nmask(pres(m(i)), x(i))", &[m, x]).gives(". . 9 .", "0");
    case("i32", "y(i) = where(m(i), x(i), o(i))", &[m, x, old]).gives("7 2 . 4", "0");
    case("u8s", "y(i) = mask(m(i), x(i), inf)", &[m, x]).gives("7 255 . .", "255");
}

#[test]
fn coordinates_are_numbers_and_make_nothing_present() {
    case("i32", "y(i) = b(i) * (i * 3 + 1)", &[("b", "", "5 . 2 .")]).gives("5 . 14 .", "0");
    case("i32", "Y(i,j) = mask(i >= j, A(i,j))", &[("A", "", "1 2 / 3 4")]).gives("1 0 / 3 4", "0");
    case("i32", "y(i) = sum[j](A(i,j) * j)", &[("A", "", "1 2 / . . / . 4")]).gives("2 . 4", "0");
}

#[test]
fn functions_of_the_file_are_visited_as_they_declare() {
    let f = "\n[functions.f]\nargs = [\"x\", \"y\"]\nbody = \"let t = x * y; if t > 5 then t - 1 else t\"\n\
             annihilator = { x = 0 }\n";
    case("i32", "y(i) = f(b(i), c(i))", &[("b", "", "3 2 . ."), ("c", "", "4 . 2 .")]).with(f).gives("11 0 . .", "0");
    let g = "\n[functions.f]\nargs = [\"x\", \"y\"]\nbody = \"x * y\"\niterate = \"x & y\"\n";
    case("i32", "y(i) = f(sum[j](A(i,j)), c(i))", &[("A", "", "3 . / . . / 1 1"), ("c", "", "4 5 .")])
        .with(g)
        .gives("12 . .", "0");
}

#[test]
fn trap_9_equal_fills_stay_and_an_identity_leaves_the_other() {
    let (b, c) = (("b", "7", "3 7 . ."), ("c", "7", "9 . 8 ."));
    case("i32", "y(i) = min(b(i), c(i))", &[b, c]).gives("3 7 7 .", "7");
    // 1 leaves the other argument, whose fill is the result's.
    case("i32", "y(i) = b(i) * c(i)", &[("b", "1", "2 . 3 ."), ("c", "7", "5 6 . .")]).gives("10 6 21 .", "7");
    case("i32", "y(i) = b(i) * c(i)", &[("b", "2", "2 . 3 ."), ("c", "7", "5 6 . .")]).gives("10 12 21 .", "14");
}

#[test]
fn trap_6_and_7_reductions_stay_where_they_are() {
    let a = ("A", "", "3 -5 / . -2 / . .");
    case("i32", "y(i) = abs(sum[j](A(i,j)))", &[a]).gives("2 2 .", "0");
    case("i32", "y(i) = sum[j](abs(A(i,j)))", &[a]).gives("8 2 .", "0");
    // A factor stays inside of a maximum: it may be negative.
    case("i32", "y(i) = max[j](d(i) * A(i,j))", &[a, ("d", "", "-1 2 1")]).gives("5 0 0", "0");
    case("i32", "y(k) = min[i](max[j](A(i,j) + d(k)))", &[a, ("d", "", "-1 2")]).gives("-1 2", "0");
    // Each term sums its own indices, a reduction all of its body.
    case("i32", "y(i) = d(i) - A(i,j) * c(j)", &[a, ("d", "", "1 1 1"), ("c", "", "1 1")]).gives("3 3 1", "0");
    case("i32", "y(i) = red(add, j, d(i) - A(i,j) * c(j))", &[a, ("d", "", "1 1 1"), ("c", "", "1 1")])
        .gives("4 4 2", "0");
}

#[test]
fn trap_5_a_fill_counts_only_where_something_is_absent() {
    // NaN in the fill does not touch a full row.
    case("f64", "y(i) = sum[j](A(i,j))", &[("A", "nan", "1 2 / 3 .")]).gives("3 nan", "nan");
    case("i32", "y(i) = max[j](A(i,j))", &[("A", "9", "1 2 / 3 . / . .")]).gives("2 9 9", "9");
}

/// x + y + x y: 0 is its identity, -1 annihilates.
const JOINED: &str = "\n[functions.joined]\nargs = [\"x\", \"y\"]\nbody = \"x + y + x * y\"\n\
                      properties = [\"associative\", \"commutative\"]\nidentity = 0\n\
                      annihilator = { x = -1, y = -1 }\n";

#[test]
fn functions_of_the_file_reduce() {
    let a = "1 2 3 / . 5 . / . . . / 4 . -1";
    case("i32", "y(i) = joined[j](A(i,j))", &[("A", "", a)]).with(JOINED).gives("23 5 . -1", "0");
    // Absent entries are 2 each: they count.
    case("i32", "y(i) = joined[j](A(i,j))", &[("A", "2", a)]).with(JOINED).gives("23 53 26 -1", "26");
    let least = "\n[functions.least]\nargs = [\"x\", \"y\"]\nbody = \"if x < y then x else y\"\n\
                 properties = [\"associative\", \"commutative\"]\nidentity = 2147483647\n";
    case("i32", "y(i) = least[j](A(i,j))", &[("A", "2147483647", "4 2 / . . / 0 .")])
        .with(least)
        .gives("2 . 0", "2147483647");
    case("i32", "y(i) = gcd[j](A(i,j))", &[("A", "", "12 18 . / . -5 . / . . . / 7 . 3")]).gives("6 5 . 1", "0");
    case("u16", "y(i) = lcm[j](A(i,j))", &[("A", "1", "4 6 / . 5 / . .")]).gives("12 5 .", "1");
}

#[test]
fn what_takes_many_cycles_folds_in_every_order() {
    let least = "\n[functions.least]\nargs = [\"x\", \"y\"]\nbody = \"if x < y then x else y\"\n\
                 properties = [\"associative\", \"commutative\"]\nidentity = 2147483647\n";
    let (a, b) = ("12 18 . / 8 . . / . 27 .", "70000 2 . / 70000 . . / . -3 .");
    for order in [[0, 1], [1, 0]] {
        case("i32", "y(j) = gcd[i](A(i,j))", &[("A", "", a)]).gives_in(&order, "4 9 .", "0");
        let own = case("i32", "y(j) = least[i](A(i,j))", &[("A", "2147483647", a)]).with(least);
        own.gives_in(&order, "8 18 .", "2147483647");
        case("i32s", "y(j) = prod[i](A(i,j))", &[("A", "1", b)]).gives_in(&order, "2147483647 -6 .", "1");
    }
    let product = "X(i,j) = red(gcd, k, A(i,k) * B(k,j))";
    for order in [[0, 1, 2], [0, 2, 1], [2, 0, 1]] {
        let operands = [("A", "", "6 10 / . 4"), ("B", "", "2 . 5 / 3 . 4")];
        case("u16", product, &operands).gives_in(&order, "6 . 10 / 12 . 16", "0");
    }
}

#[test]
fn loops_run_while_they_may() {
    let f = "\n[functions.f]\nargs = [\"x\", \"y\"]\niterate = \"x | y\"\n\
             body = \"x = abs(x); y = abs(y); while y != 0 limit 50 { let rest = x % y; x = y; y = rest; } x\"\n";
    case("i32", "y(i) = f(b(i), c(i))", &[("b", "", "12 18 . 7 ."), ("c", "", "18 . -5 3 .")])
        .with(f)
        .gives("6 18 5 1 .", "0");
    // The limit ends it with what there is then.
    let g = "\n[functions.g]\nargs = [\"x\"]\nbody = \"let n = 0; while x > 1 limit 5 { \
             x = if x & 1 then 3 * x + 1 else x >> 1; n = n + 1; } n\"\nannihilator = { x = 0 }\n";
    case("i32", "y(i) = g(b(i))", &[("b", "", "1 8 5 27 .")]).with(g).gives("0 3 5 5 .", "0");
    // Counted: few rounds are written out, many or unknown ones are run.
    let h = "\n[functions.h]\nargs = [\"x\"]\nannihilator = { x = 0 }\n\
             body = \"let a = 0; for k in 0:3 { a = a + k * x; } for k in 0:x limit 100 { a = a + 1; } \
             for k in 0:20 { a = a + x; } a\"\n";
    case("i32", "y(i) = h(b(i))", &[("b", "", "1 200 -3 .")]).with(h).gives("24 4700 -69 .", "0");
    let newton = "\n[functions.root]\nargs = [\"x\"]\nannihilator = { x = 0 }\n\
                  body = \"let r = x; while r * r - x > 0.0001 limit 40 { r = (r + x / r) / 2; } r\"\n";
    case("f32", "y(i) = root(b(i))", &[("b", "", "4 1 .")]).with(newton).gives("2 1 .", "0");
}

const CAPPED: &str = "[functions.capped]\nargs = [\"x\", \"y\"]\nbody = \"max(x, y)\"\nidentity = 0\n\
                      properties = [\"associative\", \"commutative\"]\nannihilator = { x = 255, y = 255 }\n";

/// Cycles of `y(i) = op[j](...)` on rows of 300 entries that are all `value`.
fn cycles(expr: &str, fill: u64, value: u64) -> u64 {
    let x = if expr.contains('x') { "[tensors.x]\nformat = \"dense\"\ntype = \"u8\"\n" } else { "" };
    let text = format!(
        "name = \"k\"\nexpr = \"{expr}\"\n[dims]\ni = 8\nj = 300\n[tensors.A]\nformat = \"csr\"\ntype = \"u8\"\nfill = {fill}\n\
         {x}[tensors.y]\nformat = \"dense\"\ntype = \"u8\"\n{CAPPED}"
    );
    let kernel = frontend::parse(Arc::new(Source { path: "k.toml".into(), text })).unwrap().kernel;
    let full = |shape: &[u64], value: u64| {
        let coords: Vec<u64> = match *shape {
            [n] => (0..n).collect(),
            [m, n] => (0..m).flat_map(|i| (0..n).flat_map(move |j| [i, j])).collect(),
            _ => vec![],
        };
        let n = shape.iter().product::<u64>() as usize;
        Coo::new(shape.to_vec(), coords, vec![value; n]).unwrap()
    };
    let used = |t: &str| kernel.tensors.iter().position(|x| x.name == t).map(TensorId);
    let operands = [used("A").map(|t| (t, full(&[8, 300], value))), used("x").map(|t| (t, full(&[300], 1)))];
    let data = operands.into_iter().flatten().collect();
    let dims: Vec<u64> = kernel.vars.iter().map(|v| v.max).collect();
    let order = legal_order(&kernel, (0..kernel.vars.len()).map(VarId).collect());
    let problem = problem(&kernel, &order, &dims, &data).unwrap();
    let net = netlist(&problem, Depths::Auto).unwrap().unwrap();
    run_twice(&problem, &net).unwrap_or_else(|e| panic!("{expr}: {e}")).cycles
}

#[test]
fn a_value_that_decides_ends_the_fiber() {
    for (expr, fill, goes_on, ends) in [
        ("y(i) = any[j](A(i,j) and x(j))", 0, 0, 1),
        ("y(i) = all[j](A(i,j))", 1, 1, 0),
        ("y(i) = min[j](A(i,j))", 255, 3, 0),
        ("y(i) = prod[j](A(i,j))", 1, 1, 0),
        ("y(i) = capped[j](A(i,j))", 0, 0, 255),
    ] {
        let (long, short) = (cycles(expr, fill, goes_on), cycles(expr, fill, ends));
        println!("{expr}: {long} cycles, {short} where the first value decides");
        assert!(short * 5 < long, "{expr}: {long} and {short} cycles");
    }
}
