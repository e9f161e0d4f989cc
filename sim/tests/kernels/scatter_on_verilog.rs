//! Products with dense results into which values are scattered: both engines agree, and are right.

use crate::engines::engines_agree_on;
use crate::products::{Product, product};
use samhw_compiler::frontend::Spanned;
use samhw_compiler::graph::Op;
use samhw_compiler::levels;
use samhw_compiler::passes::fifo::Depths;
use samhw_testing::verify::{netlist, problem};
use samhw_values::Rng;

#[test]
fn engines_agree() {
    let wanted = if std::env::var_os("SAMHW_FULL").is_some() { 30 } else { 2 };
    engines_agree_on(wanted, |seed| {
        let Product { text, mut kernel, mut order, dims, data } = product(seed, 60)?;
        let result = kernel.statements[0].result;
        kernel.tensors[result.0].levels.fill(levels::DENSE);
        let name = kernel.tensor(result).name.clone();
        kernel.schedule.scatter = Some(vec![Spanned::new(0..0, name)]);
        Rng::new(seed).shuffle(&mut order);
        let p = problem(&kernel, &order, &dims, &data).ok()?;
        let net = netlist(&p, Depths::Auto).expect("a netlist").expect("a netlist that fits");
        let into = p.lowered.graph.nodes.iter().any(|n| matches!(n.op, Op::WriteValues { scatter: Some(_), .. }));
        assert!(into, "it is refused, or made");
        (net.cells.len() <= 70).then_some((text, p, net))
    });
}
