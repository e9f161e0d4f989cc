//! What tests share; no part of the product.

pub mod drawn;
pub mod words;
