//! What a kernel file means: printing it and reading it again changes nothing, each reduction has its own
//! variable, and the sections are kept.

use super::read;
use crate::data::{DataSource, Generator, Pattern, Range, ValuePolicy};
use crate::stmt::{Expr, Kernel};
use proptest::prelude::*;
use std::collections::HashSet;

fn statement(expr: &str, top: &str) -> Kernel {
    let text = format!(
        "name = 'k'\nexpr = '{expr}'\n{top}\n[dims]\ni = 3\nj = 4\nk = 5\n[tensors]\n\
         y = {{ format = 'dense', type = 'i16' }}\nb = {{ format = 'dense', type = 'i16', shape = [6] }}\n"
    );
    // Sizes 3 to 6 cannot agree; all indices are at mode 0 of `b`, so let [dims] give them one size.
    let text = text.replace("i = 3\nj = 4\nk = 5", "i = 6\nj = 6\nk = 6");
    match read("k.toml", &text) {
        Ok(file) => file.kernel,
        Err(problems) => panic!("{expr}: {}", crate::diag::render(&problems)),
    }
}

/// Expressions over `b(i)`, `b(j)`, `b(k)`, scalars and numbers.
fn expression() -> impl Strategy<Value = String> {
    let leaf = prop_oneof![
        prop::sample::select(vec!["b(i)", "b(j)", "b(k)", "s", "t"]).prop_map(str::to_owned),
        (0_u32..40_000).prop_filter("fits i16", |n| *n <= 32_767).prop_map(|n| n.to_string()),
    ];
    leaf.prop_recursive(5, 40, 2, |inner| {
        prop_oneof![
            (inner.clone(), inner.clone(), prop::sample::select(vec!["+", "-", "*"]))
                .prop_map(|(a, b, op)| format!("({a}) {op} ({b})")),
            inner.clone().prop_map(|a| format!("-({a})")),
            (inner, prop::sample::select(vec!["sum[j]", "max[i]", "min[k,j]"]))
                .prop_map(|(a, op)| format!("{op}({a})")),
        ]
    })
}

proptest! {
    #[test]
    fn printed_statements_read_back_as_they_were(expr in expression()) {
        let padding = "sum[i,j,k](b(i)*b(j)*b(k))";
        let first = statement(&format!("y(i) = {expr} + {padding}"), "");
        let text = first.statement_text(&first.statements[0]);
        let again = statement(&text, "");
        prop_assert_eq!(again.statement_text(&again.statements[0]), text);
    }

    #[test]
    fn every_reduction_binds_a_variable_of_its_own(expr in expression()) {
        let kernel = statement(&format!("y(i) = {expr} + sum[i,j,k](b(i)*b(j)*b(k))"), "");
        let mut bound: HashSet<_> = kernel.statements[0].indices.iter().copied().collect();
        for expr in &kernel.exprs {
            if let Expr::Reduce(_, var, _) = expr {
                prop_assert!(bound.insert(*var));
            }
        }
    }
}

#[test]
fn sections_are_kept_with_their_places() {
    let text = r#"expr = "y(i) = A(i,j) * x(j) + z(i) + w(i)"
order = ["i", "j"]
[dims]
i = 8
j = 9
[schedule]
locate = ["x"]
skip = []
[tensors]
A = { format = "csr", type = "i32" }
w = { format = "dense", type = "i32" }
x = { format = "dense", type = "i32" }
y = { format = "dense", type = "i32" }
z = { format = "dense", type = "i32" }
[data]
A = { rmat = { edges = 20, seed = 3, values = [-2, 5] } }
w = "identity"
x = { file = "x.mtx", convert = "ones" }
z = "z.mtx"
"#;
    let file = read("folder/spmv.toml", text).expect("valid");
    assert_eq!(file.kernel.name, "spmv");
    assert_eq!(file.kernel.order.as_deref(), Some(["i".to_owned(), "j".to_owned()].as_slice()));
    let order = file.order.expect("given");
    assert_eq!(&text[order[1].span()], "\"j\"");
    let locate = file.kernel.schedule.locate.expect("given");
    assert_eq!((locate[0].get_ref().as_str(), &text[locate[0].span()]), ("x", "\"x\""));
    assert_eq!(file.kernel.schedule.skip.as_deref(), Some([].as_slice()));
    assert_eq!(*file.dims["j"].get_ref(), 9);
    let a = &file.kernel.tensors[0];
    assert_eq!((a.name.as_str(), a.shape.as_slice()), ("A", [8, 9].as_slice()));
    assert_eq!(&text[file.kernel.statements[0].span.clone()], "y(i) = A(i,j) * x(j) + z(i) + w(i)");
    let generated = |pattern, seed, values| DataSource::Generated(Generator { pattern, seed, values });
    let rmat = Pattern::Rmat { edges: 20, quadrants: [0.57, 0.19, 0.19] };
    assert_eq!(file.data["A"], generated(rmat, 3, Some(Range::Whole([-2, 5]))));
    assert_eq!(file.data["w"], generated(Pattern::Identity, 0, None));
    assert_eq!(file.data["x"], DataSource::File { path: "x.mtx".into(), policy: ValuePolicy::Ones });
    assert_eq!(file.data["z"], DataSource::File { path: "z.mtx".into(), policy: ValuePolicy::Exact });
}
