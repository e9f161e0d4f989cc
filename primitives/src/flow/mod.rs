//! What starts and ends runs, and passes, repeats, pairs or regroups what is on its way.

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
