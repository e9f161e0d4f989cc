//! The passes between a resolved kernel and its netlist. [`PASSES`] says what they are, in which
//! order they run, and why; [`crate::pipeline`] runs them.

mod copies;
mod exits;
pub mod fifo;
mod hoist;
pub mod joins;
mod lanes;
mod merge;
mod narrow;
pub mod order;
mod parallel;
mod shifts;
pub mod split;
mod tiles;
mod together;
mod truths;
mod unstored;
mod words;

use crate::compiled::{Compiled, Options, Realizing};
use crate::diag::Diagnostic;
use crate::frontend::Memory;
use crate::{lower, netlist};

/// A pass: one step from statements to a netlist.
#[derive(Debug)]
pub struct Pass {
    /// Short, unique name.
    pub name: &'static str,
    /// The effect of the pass, and the reason for its position.
    pub why: &'static str,
    /// Whether results are the same without the pass.
    pub optional: bool,
    /// The function that performs the pass.
    pub run: PassRun,
}

/// The data that a pass transforms.
#[derive(Debug)]
pub enum PassRun {
    /// The statements, their order, and their graph.
    Graph(fn(&mut Compiled, &Options<'_>) -> Result<(), Diagnostic>),
    /// The netlist made of a graph.
    Netlist(fn(&mut Realizing<'_>) -> Result<(), Diagnostic>),
}

/// All passes, in the order in which they run.
pub const PASSES: &[Pass] = &[
    Pass {
        name: "split",
        why: "An index becomes two or more where the schedule asks for it. First: all later passes take tiles as any loops.",
        optional: false,
        run: PassRun::Graph(split::apply),
    },
    Pass {
        name: "order",
        why: "Chooses the loop order, or checks the one that the kernel file gives. Lowering follows it.",
        optional: false,
        run: PassRun::Graph(order::apply),
    },
    Pass {
        name: "merge",
        why: "Reductions whose workspace no chip has, and readers of what lies in another order, become two statements with \
              linked lists between. In the loop order; before lanes are given to statements.",
        optional: false,
        run: PassRun::Graph(merge::apply),
    },
    Pass {
        name: "banks",
        why: "Tensors of which each lane has a part are stored such that parts can be cut. Lowering reads the formats.",
        optional: false,
        run: PassRun::Graph(|c, options| {
            let density = c.split.density(&options.density);
            let said = lanes::redirect(&mut c.lowered.kernel, &c.choice.order, &density);
            c.choice.reasons.extend(said.iter().cloned());
            c.lowered.redirected = said;
            c.lowered.declared = lanes::prepare(&mut c.lowered.kernel);
            Ok(())
        }),
    },
    Pass {
        name: "lower",
        why: "Statements become a graph of primitives, in the loop order.",
        optional: false,
        run: PassRun::Graph(|c, _| {
            lower::lower(&mut c.lowered, &mut c.choice.order)?;
            lower::merge::check(&c.lowered)
        }),
    },
    Pass {
        name: "truths",
        why: "Comparisons give the needed type. Before `narrow`, which looks for conversions.",
        optional: true,
        run: PassRun::Graph(|c, _| {
            truths::apply(&mut c.lowered.graph);
            Ok(())
        }),
    },
    Pass {
        name: "narrow",
        why: "Products take numbers before they are widened. Before graphs are copied, so that it is done once.",
        optional: true,
        run: PassRun::Graph(|c, _| {
            narrow::apply(&mut c.lowered.graph);
            Ok(())
        }),
    },
    Pass {
        name: "shifts",
        why: "Divisions by powers of two become shifts. Before graphs are copied, so that it is done once.",
        optional: true,
        run: PassRun::Graph(|c, _| {
            shifts::apply(&mut c.lowered.graph);
            Ok(())
        }),
    },
    Pass {
        name: "prune",
        why: "Nodes that no writer depends on are removed. Later passes may rely on it that every output matters.",
        optional: false,
        run: PassRun::Graph(|c, _| {
            c.lowered.graph = std::mem::take(&mut c.lowered.graph).pruned();
            Ok(())
        }),
    },
    Pass {
        name: "hoist",
        why: "What does not depend on an inner index is read and computed outside of its loop. Without nodes that nobody \
              reads; before lanes and copies, so that they do not have it each.",
        optional: true,
        run: PassRun::Graph(|c, _| {
            hoist::apply(&mut c.lowered);
            Ok(())
        }),
    },
    Pass {
        name: "lanes",
        why: "Several coordinates of an index a cycle, where the schedule asks for it: the graph exists once per lane.",
        optional: false,
        run: PassRun::Graph(|c, options| lanes::apply(&mut c.lowered, !matches!(options.memory, Memory::Axi(_)))),
    },
    Pass {
        name: "parallel",
        why: "Copies of the graph below an index, where the schedule asks for it. After `lanes`: lanes may have copies.",
        optional: false,
        run: PassRun::Graph(|c, _| parallel::apply(&mut c.lowered)),
    },
    Pass {
        name: "intervals",
        why: "Loops over runs go from breakpoint to breakpoint. After copies, which are dealt coordinates; before all that \
              decides how coordinates are joined.",
        optional: true,
        run: PassRun::Graph(|c, _| {
            joins::intervals::apply(&mut c.lowered);
            Ok(())
        }),
    },
    Pass {
        name: "exits",
        why: "A value that decides a reduction ends the scan of its list. After copies: each scanner has its own watch; after `intervals`: \
              what is one interval is over anyway.",
        optional: true,
        run: PassRun::Graph(|c, _| {
            exits::apply(&mut c.lowered);
            Ok(())
        }),
    },
    Pass {
        name: "together",
        why: "Statements that scan the same packings share scanners. After all that decides how each of them goes through \
              its loops; before joins are looked at, which only their own scanners feed.",
        optional: true,
        run: PassRun::Graph(|c, _| {
            together::apply(&mut c.lowered);
            Ok(())
        }),
    },
    Pass {
        name: "unstored",
        why: "What one reader takes in the order in which it is written goes to it as streams. After `together`, which only \
              joins statements that do not wait for each other; before what notes numbers of nodes.",
        optional: true,
        run: PassRun::Graph(|c, _| {
            unstored::apply(&mut c.lowered);
            Ok(())
        }),
    },
    Pass {
        name: "until",
        why: "Scanners of lists of which only what lies up to a bound is needed take the bound themselves. After `together`, \
              which shares plain scanners; before what notes numbers of nodes.",
        optional: true,
        run: PassRun::Graph(|c, _| {
            joins::until::apply(&mut c.lowered);
            Ok(())
        }),
    },
    Pass {
        name: "bits",
        why: "Joins work on words of bits where all operands come in words, or the schedule asks for it. Before `words`, \
              which unpacks for all others.",
        optional: false,
        run: PassRun::Graph(|c, _| {
            joins::bits::apply(&mut c.lowered);
            Ok(())
        }),
    },
    Pass {
        name: "words",
        why: "Unpackers behind scanners of words whose readers take coordinates, and packers before writers of words. \
              Last of what inserts nodes, so that no other pass meets words.",
        optional: false,
        run: PassRun::Graph(|c, _| {
            words::apply(&mut c.lowered);
            Ok(())
        }),
    },
    Pass {
        name: "tiles",
        why: "Memory behind a bus learns which tiles are next. It adds to a graph that is otherwise done.",
        optional: true,
        run: PassRun::Graph(|c, options| {
            if let Memory::Axi(axi) = &options.memory
                && axi.tile > 0
            {
                let stored = c.split.density(&options.density).stored;
                tiles::apply(&mut c.lowered, &c.split.indices, &tiles::Room { axi, stored });
            }
            Ok(())
        }),
    },
    Pass {
        name: "skip",
        why: "Scanners get hints about coordinates that are not needed, from early exits and where the schedule asks for it. On the \
              done graph: all that reads a scanner's output counts.",
        optional: false,
        run: PassRun::Graph(|c, _| {
            joins::skip::apply(&mut c.lowered);
            Ok(())
        }),
    },
    Pass {
        name: "wide",
        why: "Joins compare groups of coordinates, by default wherever they can, memories on the chip. On the done \
              graph, as `skip`.",
        optional: true,
        run: PassRun::Graph(|c, options| {
            joins::wide::apply(&mut c.lowered, !matches!(options.memory, Memory::Axi(_)));
            Ok(())
        }),
    },
    Pass {
        name: "asked",
        why: "Refuses a schedule whose joins cannot skip, be wide or work on bit vectors. After all that joins depend on.",
        optional: true,
        run: PassRun::Graph(|c, options| joins::check(&c.lowered, !matches!(options.memory, Memory::Axi(_)))),
    },
    Pass {
        name: "realize",
        why: "Nodes become configured primitives, with memories, forks and tokens, if a chip has room for them.",
        optional: false,
        run: PassRun::Netlist(|r| {
            netlist::room::check(r.lowered, r.sizes)?;
            r.net = netlist::realize(r.lowered, r.sizes);
            netlist::room::check_words(&r.net, r.sizes)
        }),
    },
    Pass {
        name: "fifo",
        why: "FIFOs where paths of different length meet again. Last, because every cell counts.",
        optional: false,
        run: PassRun::Netlist(|r| fifo::apply(&mut r.net, &r.lowered.kernel, r.depths)),
    },
];
