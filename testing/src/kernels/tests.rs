//! The generator gives what it promises, and shrinking keeps what fails.

use super::*;
use samhw_compiler::levels;
use samhw_compiler::stmt::{Expr, Fun, Operator};
use std::collections::BTreeSet;

#[test]
fn the_same_seed_gives_the_same_case() {
    assert_eq!(generate(7, &Limits::default()), generate(7, &Limits::default()));
    assert_ne!(generate(7, &Limits::default()).to_string(), generate(8, &Limits::default()).to_string());
}

#[test]
fn limits_hold() {
    let limits = Limits {
        accesses: 3,
        vars: 2,
        dim: 3,
        dense: false,
        coordinate_lists: false,
        bit_vectors: false,
        fills: false,
        ..Limits::default()
    };
    for seed in 0..500 {
        let case = generate(seed, &limits);
        let accesses = case.kernel.accesses(case.statement().value).len();
        assert!(accesses <= 3 && case.dims.len() <= 2 && case.dims.iter().all(|&d| d <= 3), "{case}");
        // Where the expression has none, a pruned result has 0.
        let own = |fill: Option<u64>, prune: bool| fill.is_some_and(|fill| !prune || fill != 0);
        assert!(case.kernel.tensors.iter().all(|t| !own(t.fill, t.prune)), "{case}");
        assert!(case.kernel.tensors.iter().flat_map(|t| &t.levels).all(|&l| l == levels::COMPRESSED), "{case}");
    }
}

#[test]
fn every_feature_occurs() {
    let mut seen = BTreeSet::new();
    for seed in 0..2000 {
        let case = generate(seed, &Limits::default());
        seen.insert(case.statement().ty.to_string());
        let accesses = case.kernel.accesses(case.statement().value);
        let mut tensors = BTreeSet::new();
        for (t, indices) in &accesses {
            let distinct: BTreeSet<_> = indices.iter().collect();
            seen.extend((distinct.len() < indices.len()).then(|| "diagonal".to_string()));
            seen.extend((!tensors.insert(t)).then(|| "repeated".to_string()));
            seen.extend(indices.is_empty().then(|| "scalar".to_string()));
        }
        let used: BTreeSet<_> = accesses.iter().flat_map(|a| a.1).collect();
        seen.extend(case.statement().indices.iter().any(|v| !used.contains(v)).then(|| "left only".to_string()));
        seen.extend(case.dims.contains(&0).then(|| "empty dimension".to_string()));
        seen.insert(format!("{} accesses", accesses.len()));
        seen.insert(format!("{} variables", case.dims.len()));
        for e in &case.kernel.exprs {
            seen.insert(match e {
                Expr::Map(f, _) => format!("{f:?}"),
                Expr::Reduce(op, _, _) => op.fun().map_or("reduce call".into(), |f| format!("reduce {f:?}")),
                Expr::Prefix(how, ..) => format!("scan {}", how.name()),
                Expr::Literal(_) => "literal".into(),
                Expr::Stored(..) => "stored".into(),
                Expr::Index(_) => "index".into(),
                Expr::Call(..) => "call".into(),
                Expr::Convert(_) => "convert".into(),
                Expr::Access(..) | Expr::Read { .. } | Expr::At(..) => continue,
            });
        }
        for t in &case.kernel.tensors {
            seen.extend(t.levels.iter().map(|l| format!("{l:?}")));
            seen.extend((!t.mode_order.is_sorted()).then(|| "mode order".to_string()));
            seen.extend(t.fill.map(|_| "fill".to_string()));
        }
    }
    let want = "i8 i16 i32 i64 u8 u16 u32 u64 bool i32s fx16.8 f64 f32 bf16 f16 index call convert Where Gcd BitXor Not Exp diagonal repeated scalar fill literal Add Sub Mul Neg Dense Compressed \
                CompressedNu Singleton SingletonNu";
    let phrases = [
        "left only",
        "empty dimension",
        "7 accesses",
        "5 variables",
        "reduce Add",
        "reduce Min",
        "reduce Max",
        "reduce Or",
        "reduce Mul",
        "mode order",
    ];
    for feature in want.split_whitespace().chain(phrases) {
        assert!(seen.contains(feature), "{feature} does not occur in {seen:?}");
    }
}

#[test]
fn shrinking_finds_the_one_node_that_fails() {
    let has_max_over_mul = |case: &Case| {
        case.kernel.exprs.iter().any(|e| match e {
            Expr::Reduce(Operator::Fun(Fun::Max), _, body) => matches!(case.kernel.expr(*body), Expr::Map(Fun::Mul, _)),
            _ => false,
        })
    };
    let mut tried = 0;
    for seed in (0..3000).filter(|&s| has_max_over_mul(&generate(s, &Limits::default()))).take(20) {
        let small = shrink(generate(seed, &Limits::default()), has_max_over_mul);
        assert!(has_max_over_mul(&small), "{small}");
        // The one access may be of another type.
        let converted = small.kernel.exprs.iter().filter(|e| matches!(e, Expr::Convert(_))).count();
        assert_eq!((small.kernel.exprs.len(), small.dims.len(), small.order.len()), (4 + converted, 1, 1), "{small}");
        assert!(converted <= 1, "{small}");
        assert!(small.data.values().all(Coo::is_empty) && small.dims == [0], "{small}");
        tried += 1;
    }
    assert_eq!(tried, 20);
}
