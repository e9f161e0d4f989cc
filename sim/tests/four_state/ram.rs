//! The core with its memories on the chip: the host writes the operands, starts, waits, and reads
//! the results.

use super::{Bench, LIMIT, RIGHT};
use samhw_compiler::emit::emit;
use samhw_sim::run::Problem;
use std::fmt::Write;

pub fn run(name: &str, problem: &Problem) {
    let net = problem.declared_netlist().expect("a netlist");
    let emitted = emit(&problem.lowered, &net);
    let (host, arrays) = (&emitted.manifest.host, &emitted.manifest.arrays);
    let cycles = problem.run_native(&net, LIMIT).expect("it runs").counts.cycles;
    let written = problem.written(&net, LIMIT).expect("it runs");
    let at = |k: usize, word: usize| (arrays[k].base.expect("the host sees it") + word as u64, host.addr_width);
    let row = |k, (n, w): (usize, &u64)| vec![at(k, n), (*w, host.data_width)];
    let mut stores = Vec::new();
    for (k, words) in net.arrays.iter().enumerate().filter_map(|(k, a)| Some((k, problem.words(a)?))) {
        stores.extend(words.iter().enumerate().map(|nw| row(k, nw)));
    }
    let results: Vec<_> =
        written.iter().flat_map(|(&k, written)| written.words.iter().enumerate().map(move |nw| row(k, nw))).collect();
    let mut bench = Bench::new(&emitted, "ram", &net);
    bench.table("stores.txt", &stores);
    bench.table("results.txt", &results);
    let row = host.addr_width + host.data_width;
    let config: String =
        emitted.manifest.config.iter().zip(problem.config(&net)).fold(String::new(), |mut out, (c, value)| {
            let _ = writeln!(out, "        {} = {}'d{value};", c.name, c.width);
            out
        });
    let statuses: Vec<&str> = emitted.manifest.status.iter().map(|s| s.name.as_str()).collect();
    let statuses = if statuses.is_empty() { "1'b0".into() } else { statuses.join(", ") };
    let (stores, results) = (stores.len(), results.len());
    let _ = write!(
        bench.text,
        "    reg [{row}-1:0] stores [0:{stores}];\n    reg [{row}-1:0] results [0:{results}];\n    \
         reg [{data}-1:0] want;\n    integer k, cycles, wrong;\n    task tick;\n        begin #5 clk = 1'b1; #5 clk = 1'b0; end\n    endtask\n    \
         initial begin\n        $readmemb(\"stores.txt\", stores);\n        $readmemb(\"results.txt\", results);\n        \
         clk = 1'b0; rst = 1'b1; start_valid = 1'b0; done_ready = 1'b1; host_write = 1'b0; host_read = 1'b0;\n{config}        \
         tick; rst = 1'b0; wrong = 0;\n        \
         for (k = 0; k < {stores}; k = k + 1) begin host_write = 1'b1; {{host_addr, host_wdata}} = stores[k]; tick; end\n        \
         host_write = 1'b0; host_addr = {{{addr}{{1'bx}}}}; start_valid = 1'b1; cycles = 0;\n        \
         while (start_valid && cycles < {LIMIT}) begin\n            #4 k = start_ready === 1'b1; tick; cycles = cycles + 1;\n            \
         if (k) start_valid = 1'b0;\n        end\n        \
         while (done_valid !== 1'b1 && cycles < {cycles} + 100) begin tick; cycles = cycles + 1; end\n        \
         if (cycles != {cycles}) begin $display(\"%0d cycles, not {cycles}\", cycles); wrong = wrong + 1; end\n        \
         if (^{{{statuses}}} === 1'bx) begin $display(\"a status is X\"); wrong = wrong + 1; end\n        \
         for (k = 0; k < {results}; k = k + 1) begin\n            {{host_addr, want}} = results[k];\n            \
         host_read = 1'b1; tick; host_read = 1'b0; tick; tick;\n            \
         if (host_rdata !== want && wrong < 20) begin\n                \
         $display(\"word %h is %h, not %h\", host_addr, host_rdata, want); wrong = wrong + 1;\n            end\n        end\n        \
         if (wrong == 0 && unknown == 0) $display(\"{RIGHT}\");\n        $finish;\n    end\n",
        data = host.data_width,
        addr = host.addr_width,
    );
    bench.right(name);
}
