//! The `samhw` command line.

fn main() {}
