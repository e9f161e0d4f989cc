//! Element types: [`samhw_values`] says what their values mean.

pub use samhw_values::Type;
