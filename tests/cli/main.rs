//! The command line as a user has it: the built program, files, exit status, what it prints.

mod bad;
mod environment;
mod explore;
mod good;
mod numbers;
mod schema;
mod support;
