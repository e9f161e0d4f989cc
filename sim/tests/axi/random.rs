//! Random kernels in random orders behind AXI.

use super::{Bench, build, full, memories, seed};
use samhw_compiler::frontend::AxiOptions;
use samhw_sim::axi::Placing;
use samhw_testing::kernels::{Limits, generate};
use samhw_testing::verify::{legal_order, problem};
use samhw_values::Rng;

/// Kernels of a default run, and of a full one.
const KERNELS: usize = 3;
const KERNELS_FULL: usize = 60;
/// A default run builds no larger netlists.
const MOST_CELLS: usize = 60;

#[test]
fn random_kernels_behind_axi_give_the_reference() {
    let first = seed();
    let mut rng = Rng::new(first);
    let (want, mut ran) = (if full() { KERNELS_FULL } else { KERNELS }, 0);
    for n in 0.. {
        if ran == want {
            return;
        }
        assert!(n < 100 * want as u64, "too few kernels can be built");
        let mut case = generate(first.wrapping_mul(1000).wrapping_add(n), &Limits::default());
        // As in any kernel file behind AXI, where nothing is wide; `problem` is of memories on the chip.
        case.kernel.schedule.wide = Some(vec![]);
        let order = legal_order(&case.kernel, case.order.clone());
        let Ok(p) = problem(&case.kernel, &order, &case.dims, &case.data) else { continue };
        let Ok(net) = p.declared_netlist() else { continue };
        if !full() && net.cells.len() > MOST_CELLS {
            continue;
        }
        let options = AxiOptions {
            data_width: rng.pick(&[64, 128, 256]),
            address_width: rng.pick(&[32, 64]),
            on_chip: rng.pick(&[0, 1 << 16]),
            tile: rng.pick(&[0, 1 << 8]),
            masters: rng.pick(&[1, 2, 5]),
            managers: Vec::new(),
            counters: rng.chance(50),
        };
        let Some(built) = build(&p, &net, &options, true) else { return };
        for settings in memories(&mut rng) {
            let placing = Placing::Anywhere(rng.bits());
            let mut bench = Bench::new(&p, &net, &built, &settings, placing);
            bench.succeed(&format!("{}, {options:?}, {settings:?}", p.lowered.kernel));
        }
        ran += 1;
    }
}
