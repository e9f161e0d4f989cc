//! The streams between primitives and the interface of a primitive: beats and their nested lists, beats as bits on a
//! wire, ports ([`Primitive`]), and the kit for cycle models ([`Model`]).

mod beat;
mod contract;
mod marks;
mod model;
mod nest;
mod runs;
mod wire;
mod word;

pub use beat::{Beat, Kind, Select};
pub use contract::{Bulk, Class, Dir, Field, Instance, Lag, Lane, Param, Port, Primitive, Rate, Role, Shape, Tells};
pub use marks::{Eight, Marks};
pub use model::{Chan, ChanId, Fault, Hot, Io, Model};
pub use nest::{Leaf, Nest, decode, encode};
pub use runs::{Drain, Part, Passage, Relayed, Sink, Source};
pub use word::{WIDEST, Word};
