//! Kernel file text to a resolved [`crate::stmt::Kernel`].
