//! Kernels of every kind through the compiler, both engines and the reference: by one program, so
//! that what they share is compiled and linked once.

mod array;
mod bitvectors;
mod composed;
mod copies;
mod copies_on_verilog;
mod deadlock;
mod drawn;
mod engines;
mod every_type;
mod exact;
mod landings;
mod lists;
mod netlists;
mod orders;
mod products;
mod random_kernels;
mod random_landings;
mod random_programs;
mod random_reads;
mod random_schedules;
mod random_slices;
mod random_types;
mod reads;
mod real_matrices;
mod rtl_sample;
mod runs;
mod scatter_on_verilog;
mod schedules;
mod seeds;
mod skipping;
mod sparse_lanes;
mod taco;
mod taco_corpus;
mod wide;
