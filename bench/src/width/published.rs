//! What is published of machines for sparse tensors, for comparison.

use crate::table::Table;

/// Machine, what it multiplies, what is published, the same a cycle where it follows, source.
type Published = (&'static str, &'static str, &'static str, &'static str, &'static str);

const PUBLISHED: [Published; 10] = [
    ("Serpens a24", "SpMV, f32, 24 channels for A", "up to 60.55 GFLOP/s, 276 MHz", "up to 110", "DAC 2022"),
    ("HiSparse", "SpMV, fixed point, 16 channels", "16.65 GOPS (mean), 237 MHz", "35", "FPGA 2022"),
    ("HiSparse", "SpMV, f32, 16 channels", "25.0 GOPS (mouse-gene), 218 MHz", "57", "FPGA 2022"),
    ("HiSpMV-16", "SpMV, f32, 16 channels", "128 lanes, 221 MHz", "at most 128", "FPGA 2024"),
    ("Sextans", "SpMM, f32, 8 channels", "2.50 times a K80 (mean), 253 MHz", "-", "FPGA 2022"),
    ("OuterSPACE", "SpGEMM, HBM", "2.9 GFLOP/s (mean)", "-", "HPCA 2018"),
    ("ExTensor", "SpGEMM, SpMM, TTV, TTM, SDDMM", "3.4, 1.3, 2.8, 24.9, 2.7 times a CPU", "-", "MICRO 2019"),
    ("SpArch", "SpGEMM, HBM", "4 times the better of its peers", "-", "HPCA 2020"),
    ("Gamma", "SpGEMM, HBM", "2.1 times its peers (mean)", "-", "ASPLOS 2021"),
    ("Capstan", "many kernels, HBM2", "16 times a V100", "-", "MICRO 2021"),
];

/// Prints the table.
pub fn print() {
    let mut table = Table::new(&["published", "what", "how fast", "nonzeros a cycle", "where"]);
    for (name, what, fast, each, source) in PUBLISHED {
        table.row([name, what, fast, each, source].map(String::from).to_vec());
    }
    table.print();
    println!("of their authors' papers and abstracts; two operations a nonzero, at the clock that is named");
}
