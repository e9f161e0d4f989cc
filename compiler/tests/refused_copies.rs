//! Copies, lanes and scattered results that cannot be had are refused with a code, the place in the schedule, the reason and a way out.

use samhw_compiler::diag::{Diagnostic, Place, Source};
use samhw_compiler::facts::Density;
use samhw_compiler::frontend::parse;
use samhw_compiler::pipeline::compile_file;
use std::sync::Arc;

/// Code, expression, order, tensors with their levels, schedule.
type Case = (&'static str, &'static str, &'static str, &'static str, &'static str);

const CASES: [Case; 17] = [
    ("S010", "y(i) = A(i,j) * x(j)", "ij", "y c A cc x d", "parallel = { i = 1000 }"),
    (
        "S021",
        "X(i,j) = B(i,k) * C(k,j)",
        "kij",
        "X cc B cc:1,0 C cc",
        "parallel = { j = { copies = 4, balance = \"fibers\" } }",
    ),
    (
        "S021",
        "X(i,j) = B(i,k) * C(k,j)",
        "kij",
        "X cc B cc:1,0 C cc",
        "parallel = { j = { copies = 4, balance = \"elements\" } }",
    ),
    ("S013", "y(i) = A(i,j) * x(j)", "ij", "y c A dd x d", "lanes = { j = 300 }"),
    ("S014", "y(i) = A(i,j) * x(j)", "ij", "y c A dc x d", "lanes = { j = 2 }\nparallel = { j = 2 }"),
    (
        "S015",
        "T(i,j,k) = B(i,j,k) + C(i,j,k); y(i) = T(i,j,k) * x(k)",
        "ijk",
        "T ccc y d B ddd C ddd x d",
        "lanes = { j = 2 }\nparallel = { i = 2 }",
    ),
    ("S017", "T(i) = b(i) + c(i); y(j) = T(j + 1) * c(j)", "ij", "T d y d b d c d", "lanes = { i = 2 }"),
    ("S018", "X(i,j) = B(k,i,j) * c(k)", "kij", "X dd B ddd c d", "lanes = { k = 2 }"),
    ("S019", "y(i) = cumsum[i](b(i))", "i", "y d b d", "lanes = { i = 2 }"),
    (
        "S020",
        "T(i,j) = B(i,j) + C(i,j); y(i) = T(i,j) * x(j)",
        "ij",
        "T cc y d B dd C dd x d",
        "lanes = { j = 2 }\nparallel = { i = 2 }",
    ),
    ("S018", "X(i,j) = B(k,i,j) * c(k)", "kij", "X dd B ddd c d", "lanes = { k = 2 }\nscatter = [\"X\"]"),
    ("S043", "X(i,j) = B(i,k) * C(k,j)", "ikj", "X dc B dc C dc", "scatter = [\"X\"]"),
    ("S043", "y(i) = A(i,j) * x(j)", "ij", "y d A dc x d", "scatter = [\"y\"]"),
    ("S043", "y(i) = A(i,j) * x(j)", "ij", "y d A dc x d", "scatter = [\"A\"]"),
    ("S043", "y(i) = b(i) - A(i,j) * x(j)", "ji", "y d b d A dd:1,0 x d", "scatter = [\"y\"]"),
    ("S043", "a = b(i) * c(i)", "i", "a  b d c d", "scatter = [\"a\"]"),
    ("S043", "T(i) = A(j,i) * c(j); y(i) = T(i) * b(i)", "ji", "T d A dc y d b d c d", "scatter = [\"T\"]"),
];

fn text((_, expr, order, tensors, schedule): &Case) -> String {
    let order: Vec<String> = order.chars().map(|v| format!("\"{v}\"")).collect();
    let mut out = format!("name = \"k\"\nexpr = \"{expr}\"\norder = [{}]\n[dims]\n", order.join(", "));
    for v in &order {
        out += &format!("{} = 9\n", v.trim_matches('"'));
    }
    let words: Vec<&str> = tensors.split(' ').collect();
    for pair in words.chunks(2) {
        let (levels, modes) = pair[1].split_once(':').unwrap_or((pair[1], ""));
        let kind = |c| if c == 'd' { "\"dense\"" } else { "\"compressed\"" };
        let levels: Vec<&str> = levels.chars().map(kind).collect();
        out += &format!("[tensors.{}]\ntype = \"i16\"\nlevels = [{}]\n", pair[0], levels.join(", "));
        if !modes.is_empty() {
            out += &format!("mode_order = [{modes}]\n");
        }
    }
    format!("{out}[schedule]\n{schedule}\n")
}

fn refused(case: &Case) -> Result<Diagnostic, String> {
    let text = text(case);
    let file = parse(Arc::new(Source { path: "k.toml".into(), text: text.clone() })).map_err(|d| format!("{d:?}"))?;
    let refusals = compile_file(&file, &Density::default()).err();
    refusals.and_then(|d| d.into_iter().next()).ok_or_else(|| "it is not refused".to_string())
}

#[test]
fn every_refusal_has_its_code_its_place_and_a_way_out() {
    for case in &CASES {
        let d = refused(case).unwrap_or_else(|e| panic!("{e}\n{}", text(case)));
        assert_eq!(d.code, case.0, "{d:?}\n{}", text(case));
        assert!(matches!(d.place, Some(Place::Span(..))) && !d.help.is_empty(), "{d:?}");
    }
}

#[test]
fn every_code_has_a_case() {
    let page = concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/diagnostics.md");
    let page = std::fs::read_to_string(page).expect("docs/diagnostics.md");
    let codes = page.lines().filter_map(|l| l.strip_prefix("| ")?.get(..4));
    // No kernel has been found that is refused with S012.
    for code in codes.filter(|c| ("S010"..="S021").contains(c) && *c != "S012" || *c == "S043") {
        assert!(CASES.iter().any(|c| c.0 == code), "{code} has no case");
    }
}
