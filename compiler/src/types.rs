//! Element types: [`samhw_primitives::value`] says what their values mean.

pub use samhw_primitives::value::Type;
