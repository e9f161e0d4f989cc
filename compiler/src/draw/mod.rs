//! Drawings of a lowered kernel: [`text`], [`dot`] for Graphviz, [`svg`] without it. All three show the SAM graph; FIFO
//! depths come from its netlist. The pages' legend is docs/graph.md.

mod dot;
mod fifos;
mod fold;
mod heat;
mod label;
mod lattice;
mod layout;
mod memories;
mod streams;
mod style;
mod svg;
#[cfg(test)]
mod tests;
mod text;
mod words;

pub use dot::dot;
pub use heat::Heat;
pub use lattice::{dot as lattice_dot, text as lattice_text};
pub use svg::{lattice_svg, svg};
pub use text::text;
