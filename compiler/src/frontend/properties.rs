//! Checks of declared properties of functions on many arguments; a counterexample refuses the property.

use super::cases;
use super::reader::Reader;
use super::samples::Values;
use super::together::Together;
use super::user_function::UserFunction;
use crate::facts::constant_fill;
use crate::stmt::{Algebra, Expr, ExprId, Function, Kernel};
use std::collections::BTreeMap;
use std::ops::Range;

/// How many random tuples of arguments are tried after the small ones.
const TRIES: usize = 2000;

/// The first declared property that does not hold, by name, with an example.
pub(super) fn refuted(declared: &UserFunction, f: &Function, algebra: Algebra) -> Option<(String, String)> {
    let mut values = Values::new(f.ty, algebra, 1);
    let show = |args: &[u64]| {
        let args: Vec<String> = args.iter().map(|&a| f.ty.show(a)).collect();
        format!("{}({})", f.name, args.join(", "))
    };
    let says = |args: &[u64]| format!("{} is {}", show(args), f.ty.show(f.apply(args)));
    let has = |name: &str| declared.properties.contains_key(name);
    if let Some(name) = ["commutative", "associative"].into_iter().find(|name| has(name) && f.arity != 2) {
        return Some((name.into(), format!("{} takes {} arguments, not 2", f.name, f.arity)));
    }
    for _ in 0..TRIES {
        let args = values.arguments(f.arity);
        let value = f.apply(&args);
        if has("commutative") {
            let swapped = [args[1], args[0]];
            if !f.ty.same(value, f.apply(&swapped)) {
                return Some(("commutative".into(), format!("{}, but {}", says(&args), says(&swapped))));
            }
        }
        if has("idempotent") {
            let same = vec![args[0]; f.arity];
            if !f.ty.same(f.apply(&same), args[0]) {
                return Some(("idempotent".into(), says(&same)));
            }
        }
        // Rounding makes sums of floats depend on their order.
        if has("associative") && !f.ty.is_float() {
            let c = values.value();
            let (left, right) = ([value, c], [args[0], f.apply(&[args[1], c])]);
            if f.apply(&left) != f.apply(&right) {
                return Some(("associative".into(), format!("{}, but {}", says(&left), says(&right))));
            }
        }
        for (k, alone) in f.annihilators.iter().enumerate() {
            let Some(alone) = *alone else { continue };
            let (mut others, mut zeros) = (args.clone(), vec![0; f.arity]);
            (others[k], zeros[k]) = (alone, alone);
            if !f.ty.same(f.apply(&others), f.apply(&zeros)) {
                return Some(("annihilator".into(), format!("{}, but {}", says(&zeros), says(&others))));
            }
        }
        if let Some((text, _)) = &declared.identity
            && let Ok(identity) = f.ty.parse(text)
        {
            let with = [[identity, args[0]], [args[0], identity]];
            if f.arity != 2 {
                return Some(("identity".into(), format!("{} takes {} arguments, not 2", f.name, f.arity)));
            }
            if let Some(wrong) = with.iter().find(|with| !f.ty.same(f.apply(*with), args[0])) {
                return Some(("identity".into(), says(wrong)));
            }
        }
    }
    None
}

/// Returns the property that a function lacks to be a reduction, if it lacks one.
pub(super) fn reduces(declared: &UserFunction, f: &Function, algebra: Algebra) -> Option<String> {
    if f.arity != 2 {
        return Some(format!("it takes {} arguments, not 2", f.arity));
    }
    let lacks = |name: &&str| !declared.properties.contains_key(*name);
    if let Some(name) = ["associative", "commutative"].into_iter().find(lacks) {
        return Some(format!("it is not declared {name}"));
    }
    if f.identity.is_none() {
        return Some("it has no `identity`".into());
    }
    if !f.cases.is_empty() {
        return Some("it has `cases`, and the reduced values are always stored".into());
    }
    // Rounding: what is associative on paper gives other bits in another order.
    let mut values = Values::new(f.ty, algebra, 3);
    (0..TRIES).find_map(|_| {
        let args = values.arguments(3);
        let left = f.apply(&[f.apply(&args[..2]), args[2]]);
        let right = f.apply(&[args[0], f.apply(&args[1..])]);
        let shown: Vec<String> = args.iter().map(|&a| f.ty.show(a)).collect();
        (!f.ty.same(left, right)).then(|| {
            let (name, ty, left, right) = (&f.name, f.ty, f.ty.show(left), f.ty.show(right));
            let [a, b, c] = [0, 1, 2].map(|k: usize| &shown[k]);
            format!(
                "of type {ty}, {name}({name}({a}, {b}), {c}) is {left}, and {name}({a}, {name}({b}, {c})) is {right}"
            )
        })
    })
}

/// Reports calls whose function leaves out what is not the fill.
pub(super) fn check_calls(
    reader: &mut Reader,
    kernel: &Kernel,
    functions: &BTreeMap<String, UserFunction>,
    calls: &[(usize, ExprId, Range<usize>)],
) {
    for (n, call, span) in calls {
        let Expr::Call(f, args) = kernel.expr(*call) else { continue };
        let fills: Vec<_> = args.iter().map(|&a| constant_fill(kernel, *n, a)).collect();
        let (f, together) = (kernel.function(*f), Together::new(kernel, *n, args));
        if let Some(declared) = functions.get(&f.name) {
            cases::check(reader, kernel, declared, (f, args, &fills), &together, span);
        }
        if let Some(example) = outside(f, &fills, &together, kernel.algebra) {
            let message =
                format!("`iterate` of `{}` leaves out coordinates at which the result is not its fill", f.name);
            let problem = reader.at("K022", span.clone(), message).help(format!("for example: {example}"));
            reader.report(problem.help("change `iterate`, or the fills of the arguments"));
        }
    }
}

/// An example of arguments for which the explicit iteration algebra says that the result is that of the `fills`,
/// and it is not. Where an argument has no constant fill the algebra is not used.
fn outside(f: &Function, fills: &[Option<u64>], together: &Together<'_>, algebra: Algebra) -> Option<String> {
    let table = f.iterate?;
    let nothing = fills.iter().copied().collect::<Option<Vec<u64>>>()?;
    let want = f.apply_where(&nothing, 0);
    let mut values = Values::new(f.ty, algebra, 2);
    for (q, p) in together.sets().filter(|(_, p)| table >> p & 1 == 0) {
        for _ in 0..TRIES / 8 {
            let Some(args) = together.draw(q, || values.value()) else { continue };
            // What is stored and has the fill all the same is there: the algebra is one of structure.
            let like_absent = (0..f.arity).any(|k| p >> k & 1 == 1 && f.ty.same(args[k], nothing[k]));
            if !like_absent && !f.ty.same(f.apply_where(&args, p), want) {
                let shown: Vec<String> = args.iter().map(|&a| f.ty.show(a)).collect();
                let value = f.ty.show(f.apply_where(&args, p));
                return Some(format!(
                    "{}({}) is {value}, on fills it is {}",
                    f.name,
                    shown.join(", "),
                    f.ty.show(want)
                ));
            }
        }
    }
    None
}
