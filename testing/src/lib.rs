//! Shared test utilities, which are not part of the product.
//!
//! Of streams and primitives: a bench for cycle models ([`mod@bench`]) and one that compares Verilog with
//! them ([`rtl`]), random nested lists, words of bit vectors, the shared vectors. Feature
//! `kernels` has what is above them: random kernels with data, the dense evaluator, and problems
//! through the engines.

pub mod bench;
#[cfg(feature = "kernels")]
pub mod dense;
pub mod drawn;
#[cfg(feature = "kernels")]
pub mod kernels;
pub mod nests;
pub mod rtl;
pub mod vectors;
#[cfg(feature = "kernels")]
pub mod verify;
pub mod words;
