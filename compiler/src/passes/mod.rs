//! The passes between a resolved kernel and its netlist, in the order they run:
//!
//! 1. [`split`] turns an index into two where the schedule asks for it: all later stages take tiles as they take
//!    any loops.
//! 2. [`order`] chooses the loop order, or checks the one the kernel file gives: everything after
//!    depends on it.
//! 3. lowering ([`crate::lower`]) makes the graph.
//! 4. [`truths`] lets comparisons give the type that is wanted of them, [`narrow`] products take
//!    numbers before they are widened, [`shifts`] divides by powers of two: before graphs are
//!    copied.
//! 5. [`exits`] watches for values that end a reduction early.
//! 6. [`words`] makes coordinates of words where no join takes the words, and words of coordinates that are written so: last of what
//!    changes the graph.
//! 7. [`tiles`] has the memory told which tiles are next, if it is behind a bus: it adds to a graph that is otherwise done.
//! 8. [`crate::netlist::realize`] configures primitives, adds memories and forks.
//! 9. [`fifo`] puts FIFOs where paths of different length meet again, last because every cell counts.

mod chunks;
mod copies;
pub mod exits;
pub mod fifo;
pub mod lanes;
pub mod narrow;
pub mod order;
pub mod parallel;
pub mod shifts;
pub mod split;
pub mod tiles;
pub mod truths;
pub mod words;
