//! Flow primitives: they start and end runs, and buffer, copy, repeat, pair or regroup streams.

pub mod barrier;
pub mod collapse;
pub mod divide;
pub mod early_exit;
pub mod fifo;
pub mod fork;
pub mod relay;
pub mod repeater;
pub mod root;
pub mod rounds;
pub mod zip;
