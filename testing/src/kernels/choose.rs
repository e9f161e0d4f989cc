//! Random choice of types, functions, operators and values.

use super::Functions;
use samhw_compiler::facts::{computes, reduces};
use samhw_compiler::stmt::{Case, Fun, Function, Loop, Operator, Shared, Term};
use samhw_compiler::types::Type;
use samhw_values::Rng;
use samhw_values::Routine;

/// Integers, the only types of [`Functions::Arithmetic`].
const INTEGERS: [&str; 8] = ["i8", "u8", "i16", "u16", "i32", "u32", "i64", "u64"];
const OTHERS: [&str; 18] = [
    "bool", "bool", "i8s", "u16s", "i32s", "u8s", "fx16.8", "ufx8.4", "fx32.16", "f64", "f32", "bf16", "f16", "fx8.8",
    "ufx16.15", "i64s", "fx64.32", "ufx64.64",
];

/// What is frequent in kernels.
const FREQUENT: [Fun; 10] =
    [Fun::Mul, Fun::Mul, Fun::Mul, Fun::Mul, Fun::Add, Fun::Add, Fun::Sub, Fun::Neg, Fun::Min, Fun::Max];

/// A type.
pub(super) fn ty(rng: &mut Rng, functions: Functions) -> Type {
    let integer = functions == Functions::Arithmetic || rng.chance(45);
    let name = if integer { rng.pick(&INTEGERS) } else { rng.pick(&OTHERS) };
    let ty = Type::from_name(name).unwrap_or(Type::int(32, true));
    // Nothing can be done with what cannot even be passed on.
    if functions == Functions::Hardware && !computes(Fun::Min, ty) { Type::int(32, true) } else { ty }
}

/// A type next to `ty` in one statement: one like it, an accumulator, or any.
pub(super) fn other_type(rng: &mut Rng, functions: Functions, ty: Type) -> Type {
    if ty.is_int() && rng.chance(30) { Type::int(48, true) } else { self::ty(rng, functions) }
}

/// A function that may be used with `ty`, if there is one.
pub(super) fn function(rng: &mut Rng, functions: Functions, ty: Type) -> Option<Fun> {
    let fits = |f: Fun| match functions {
        Functions::Arithmetic => true,
        Functions::Hardware => computes(f, ty),
        Functions::All => ty.is_float() || !f.needs_float(),
    };
    let frequent = functions == Functions::Arithmetic || rng.chance(50);
    let draw = |rng: &mut Rng| if frequent { rng.pick(&FREQUENT) } else { rng.pick(Fun::ALL) };
    (0..40).map(|_| draw(rng)).find(|f| fits(*f))
}

/// An operator that may reduce values of `ty`, if there is one.
pub(super) fn operator(rng: &mut Rng, functions: Functions, ty: Type) -> Option<Fun> {
    let fits = |f: Fun| match f {
        _ if functions == Functions::Hardware && !reduces(f.into(), ty) => false,
        _ if f.identity(ty).is_none() => false,
        _ => true,
    };
    let plain = [Fun::Add, Fun::Add, Fun::Min, Fun::Max];
    let all = [Fun::Mul, Fun::And, Fun::Or, Fun::Xor, Fun::BitAnd, Fun::BitOr, Fun::BitXor, Fun::Gcd, Fun::Lcm];
    let usual = functions == Functions::Arithmetic || rng.chance(60);
    let draw = |rng: &mut Rng| if usual { rng.pick(&plain) } else { rng.pick(&all) };
    (0..40).map(|_| draw(rng)).find(|f| fits(*f))
}

/// A user function: a few functions of its arguments, of literals and of one another.
pub(super) fn user_function(rng: &mut Rng, functions: Functions, ty: Type, number: usize) -> Option<Function> {
    // It is passed on by functions of its own.
    if functions == Functions::Hardware && !computes(Fun::First, ty) {
        return None;
    }
    let arity = 1 + rng.below(3) as usize;
    let body = user_body(rng, functions, ty, arity)?;
    // Every combination of arguments may make a difference: always true.
    let iterate = rng.chance(15).then_some((1 << (1 << arity)) - 2);
    Some(Function {
        name: format!("f{number}"),
        arity,
        ty,
        body,
        cases: vec![],
        annihilators: vec![None; arity],
        identity: None,
        iterate,
    })
}

fn user_body(rng: &mut Rng, functions: Functions, ty: Type, arity: usize) -> Option<Vec<Term>> {
    let mut body: Vec<Term> = (0..arity).map(Term::Arg).collect();
    for _ in 0..1 + rng.below(3) {
        if rng.chance(25) {
            body.push(Term::Literal(value(rng, ty)));
        }
        let f = function(rng, functions, ty)?;
        let of = (0..f.arity()).map(|_| rng.below(body.len() as u64) as usize).collect();
        body.push(Term::Apply(f, of));
    }
    Some(body)
}

/// Cases for some of the sets of its arguments.
pub(super) fn with_cases(rng: &mut Rng, functions: Functions, function: &mut Function) {
    let sets = 1u64 << function.arity;
    let mut free = (1u64 << sets) - 1;
    for _ in 0..1 + rng.below(2) {
        let holds = (0..sets).filter(|p| free >> p & 1 == 1 && rng.chance(40)).fold(0, |m, p| m | 1 << p);
        let body = match rng.below(4) {
            0 => Some(vec![Term::Literal(value(rng, function.ty))]),
            1 => Some(vec![Term::Arg(rng.below(function.arity as u64) as usize)]),
            _ => user_body(rng, functions, function.ty, function.arity),
        };
        if let Some(body) = body.filter(|_| holds != 0) {
            free &= !holds;
            function.cases.push(Case { holds, body });
        }
    }
    // Which of them is left out is then a question of its own.
    function.iterate = None;
}

/// A reduction with a function of the file: x + y + x y in numbers that wrap, or the larger one of two.
pub(super) fn user_operator(rng: &mut Rng, ty: Type) -> Option<Operator> {
    if !matches!(ty, Type::Int { saturating: false, .. }) {
        return None;
    }
    let mut body = vec![Term::Arg(0), Term::Arg(1)];
    let (name, identity) = if rng.chance(50) {
        body.extend(
            [(Fun::Mul, [0, 1]), (Fun::Add, [0, 1]), (Fun::Add, [3, 2])].map(|(f, of)| Term::Apply(f, of.into())),
        );
        ("joined", 0)
    } else {
        body.extend([(Fun::Lt, vec![0, 1]), (Fun::Where, vec![2, 1, 0])].map(|(f, of)| Term::Apply(f, of)));
        ("larger", ty.least())
    };
    let name = format!("{name}_{ty}");
    let function = Function {
        name,
        arity: 2,
        ty,
        body,
        cases: vec![],
        annihilators: vec![None; 2],
        identity: Some(identity),
        iterate: None,
    };
    Some(Operator::Call(Shared::new(&function)))
}

/// A loop at the end of one of the bodies of `function`, if a program computes it then.
pub(super) fn with_loop(rng: &mut Rng, function: &mut Function) {
    let which = rng.below(function.cases.len() as u64 + 1) as usize;
    match function.cases.get_mut(which) {
        Some(case) => {
            let mut alone = Function { body: case.body.clone(), cases: vec![], ..function.clone() };
            body_with_loop(rng, &mut alone);
            function.cases[which].body = alone.body;
        }
        None => body_with_loop(rng, function),
    }
}

fn body_with_loop(rng: &mut Rng, function: &mut Function) {
    let ty = function.ty;
    let one = |rng: &mut Rng, n: usize| rng.below(n as u64) as usize;
    let inputs: Vec<usize> = (0..1 + one(rng, 3)).map(|_| one(rng, function.body.len())).collect();
    let mut terms: Vec<Term> = (0..inputs.len()).map(Term::Arg).collect();
    terms.push(Term::Literal(ty.one()));
    for _ in 0..2 + one(rng, 3) {
        let fits = |f: &Fun| Routine::computes(*f, ty);
        let Some(f) = (0..10).map(|_| rng.pick(Fun::ALL)).find(fits) else { return };
        let of = (0..f.arity()).map(|_| one(rng, terms.len())).collect();
        terms.push(Term::Apply(f, of));
    }
    let next: Vec<usize> = (0..1 + one(rng, inputs.len())).map(|_| one(rng, terms.len())).collect();
    let (condition, limit) = (one(rng, terms.len()), 1 + rng.below(5));
    let (at, left) = (function.body.len(), one(rng, next.len()));
    let mut longer = function.clone();
    longer.body.push(Term::Loop(Box::new(Loop { inputs, terms, condition, next, limit })));
    longer.body.push(Term::Left(at, left));
    if longer.routine().is_some() {
        *function = longer;
    }
}

/// Chooses a value that only floats have.
pub(super) fn special(rng: &mut Rng, ty: Type) -> u64 {
    rng.pick(&[ty.nan(), ty.greatest(), ty.least(), ty.sign_bit()])
}

/// Returns a random value: mostly small numbers, zeros, and the limits of the type's range; floats are finite.
pub fn value(rng: &mut Rng, ty: Type) -> u64 {
    let small = |rng: &mut Rng| rng.below(9) as i128 - 4;
    match ty {
        Type::Bool => rng.below(2),
        Type::Int { .. } => {
            let (least, most) = ty.range();
            let value = match rng.below(20) {
                0 => least,
                1 => most,
                2..5 => 0,
                _ => small(rng),
            };
            ty.wrap(value)
        }
        Type::Fixed { frac, .. } => match rng.below(20) {
            0 => ty.least(),
            1 => ty.greatest(),
            2..5 => 0,
            5..12 => ty.fit(small(rng) << frac),
            _ => ty.wrap(small(rng) << frac.saturating_sub(2)),
        },
        // No infinities and no NaN: that floats are finite is taken for granted where 0 hides a factor.
        Type::Float { .. } => match rng.below(20) {
            0 => ty.sign_bit(),
            1 => 1,
            2..5 => 0,
            5..12 => ty.parse(&small(rng).to_string()).unwrap_or(0),
            _ => ty.parse(&format!("{}e-1", rng.below(100) as i64 - 50)).unwrap_or(0),
        },
    }
}
