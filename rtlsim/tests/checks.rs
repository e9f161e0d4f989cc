//! Lint and path checks find what is wrong, and only that.

mod common;

use common::{cache, tool};
use samhw_rtlsim::{
    Design, Error, Result, comb_paths, ecp5_cells, lint_iverilog, lint_slang, lint_verilator, run_iverilog,
};

fn design(body: &str) -> Design {
    let text = format!("module t #(parameter W = 4) (input wire clk, input wire [W-1:0] a, {body}\nendmodule\n");
    Design::new("t", vec![("t.v".into(), text)])
}

fn fails(result: Result<()>, text: &str) {
    match tool(result) {
        None => {}
        Some(Err(Error::Failed { output, .. })) => assert!(output.contains(text), "{output}"),
        Some(other) => panic!("expected a warning with {text}, got {other:?}"),
    }
}

fn paths(d: &Design) -> Option<Vec<(String, String)>> {
    let found = tool(comb_paths(d, &cache()))?.unwrap();
    Some(found.into_iter().map(|p| (p.input, p.output)).collect())
}

const REGISTERED: &str = "output reg [W-1:0] q);\n always @(posedge clk) q <= a;";

#[test]
fn a_clean_module_passes() {
    let mut d = design(REGISTERED);
    d.params = vec![("W".into(), "7".into())];
    for r in [lint_verilator(&d, &cache()), lint_iverilog(&d, &cache()), lint_slang(&d, &cache())] {
        if let Some(r) = tool(r) {
            r.unwrap();
        }
    }
    assert!(paths(&d).is_none_or(|p| p.is_empty()));
}

#[test]
fn lint_reports_a_width_that_does_not_fit() {
    let d = design("output reg [W:0] q);\n always @(posedge clk) q <= a;");
    fails(lint_verilator(&d, &cache()), "WIDTHEXPAND");
}

#[test]
fn lint_sees_the_parameters() {
    let mut d = design("output reg [3:0] q);\n always @(posedge clk) q <= a;");
    if let Some(r) = tool(lint_verilator(&d, &cache())) {
        r.unwrap();
    }
    d.params = vec![("W".into(), "5".into())];
    fails(lint_verilator(&d, &cache()), "WIDTHTRUNC");
}

#[test]
fn slang_reports_a_name_that_is_used_before_it_is_declared() {
    let d = design("output wire [W-1:0] q);\n assign q = b;\n wire [W-1:0] b = a;");
    fails(lint_slang(&d, &cache()), "used before its declaration");
}

#[test]
fn slang_sees_the_parameters() {
    let mut d = design("output wire [7:0] q);\n assign q = {W{a[0]}};");
    d.params = vec![("W".into(), "8'h8".into())];
    if let Some(r) = tool(lint_slang(&d, &cache())) {
        r.unwrap();
    }
    d.params = vec![("W".into(), "8'h0".into())];
    fails(lint_slang(&d, &cache()), "replication");
}

/// What is not reset is X, and a bench reads its files.
#[test]
fn icarus_runs_a_bench_in_four_states() {
    let text = "module t;\nreg [3:0] a [0:1];\nreg [1:0] b;\ninitial begin\n $readmemh(\"a.txt\", a);\n \
                $display(\"%h %b\", a[1], b << 1);\n $finish;\nend\nendmodule\n";
    let bench = Design::new("t", vec![("t.v".into(), text.into())]);
    if let Some(said) = tool(run_iverilog(&bench, &[("a.txt".into(), "5 c\n".into())], &cache())) {
        assert_eq!(said.unwrap(), "c x0\n");
    }
}

#[test]
fn icarus_reports_a_missing_module() {
    let d = design("output wire [W-1:0] q);\n nothing u (.clk(clk), .a(a), .q(q));");
    fails(lint_iverilog(&d, &cache()), "nothing");
}

#[test]
fn a_gate_between_ports_is_a_path() {
    let d = design("output wire q, output reg r);\n assign q = a[0] & r;\n always @(posedge clk) r <= a[1];");
    assert!(paths(&d).is_none_or(|p| p == [("a".to_string(), "q".to_string())]));
}

#[test]
fn a_plain_wire_between_ports_is_a_path() {
    let d = design("output wire q);\n assign q = a[2];");
    assert!(paths(&d).is_none_or(|p| p.len() == 1));
}

#[test]
fn only_bits_that_are_connected_make_a_path() {
    // `both` carries a port bit and a register; the output takes the register.
    let d = design(
        "output wire q);\n reg r;\n wire [1:0] both = {a[0], r} & {2{r}};\n assign q = both[0];\n \
         always @(posedge clk) r <= both[1] ^ a[1];",
    );
    assert!(paths(&d).is_none_or(|p| p.is_empty()));
}

#[test]
fn words_are_told_apart_bit_by_bit() {
    // Each word has a port's bits above and a register's bit below; the output is the lowest bit.
    let below = |word: &str| {
        let body = format!(
            "output wire q);\n reg r;\n wire [3:0] w = {{a[3:1], r}};\n wire [3:0] x = {word};\n \
             assign q = x[0];\n always @(posedge clk) r <= ^x;"
        );
        paths(&design(&body))
    };
    for word in ["~w", "r ? w : 4'd9", "w ^ {3'd0, r}", "{3'd0, r} & $signed(w[1:0])"] {
        assert!(below(word).is_none_or(|p| p.is_empty()), "{word}");
    }
    for word in ["w >> 1", "w == 4'd3", "a[0] ? w : 4'd9", "w + 4'd1", "{4{&w}}", "$signed(w) >>> 2", "4'd1 << w"] {
        // An adder's lowest bit does not depend on the bits above it, but the walk takes a word for one.
        assert!(below(word).is_none_or(|p| p == [("a".to_string(), "q".to_string())]), "{word}");
    }
    let sign = design("output wire [7:0] q);\n wire signed [3:0] w = a;\n assign q = ~w;");
    assert!(paths(&sign).is_none_or(|p| p.len() == 1));
    let high =
        design("output wire q);\n wire signed [3:0] w = a;\n wire signed [7:0] x = w ^ 8'sd1;\n assign q = x[7];");
    assert!(paths(&high).is_none_or(|p| p.len() == 1));
}

#[test]
fn reading_a_memory_is_a_path_unless_clocked() {
    let memory = "output REG q);\n reg m [0:15];\n always @(posedge clk) m[a] <= a[0];\n";
    let asynchronous = memory.replace("REG", "wire") + " assign q = m[a];";
    assert!(paths(&design(&asynchronous)).is_none_or(|p| p.len() == 1));
    let clocked = memory.replace("REG", "reg") + " always @(posedge clk) q <= m[a];";
    assert!(paths(&design(&clocked)).is_none_or(|p| p.is_empty()));
}

#[test]
fn a_latch_is_refused() {
    let d = design("output reg q);\n always @* if (a[0]) q = a[1];");
    if let Some(r) = tool(comb_paths(&d, &cache())) {
        assert!(r.unwrap_err().to_string().contains("latch"));
    }
}

#[test]
fn counts_cells() {
    if let Some(cells) = tool(ecp5_cells(&design(REGISTERED), &cache())) {
        let cells = cells.unwrap();
        assert_eq!((cells.ff(), cells.lut4(), cells.dp16kd()), (4, 0, 0), "{cells:?}");
    }
}

#[rustfmt::skip]
mod page {
    //! The example of the crate's page, line by line.
    use samhw_rtlsim::{Design, Dir, Toolchain, build, default_cache};

    pub fn main() -> samhw_rtlsim::Result<()> {
        let text = "module inc (input wire clk, input wire [69:0] a, output reg [69:0] q);
            always @(posedge clk) q <= a + 70'd1; endmodule";
        let mut design = Design::new("inc", vec![("inc.v".into(), text.into())]);
        let a = design.port("a", 70, Dir::In);
        let q = design.port("q", 70, Dir::Out);
        let mut model = build(&Toolchain::find()?, &design, &default_cache()?)?.instance(1);
        model.reset();
        model.poke(a, &[41, 0]);
        model.clock()?;
        let mut words = [0; 2];
        model.peek(q, &mut words);
        assert_eq!(words, [42, 0]);
        Ok(())
    }
}

#[test]
fn the_example_of_the_page_runs() {
    let lines = |text: &str| -> Vec<String> {
        text.lines()
            .map(|line| line.trim_start_matches("# ").trim().to_owned())
            .filter(|line| !line.is_empty())
            .collect()
    };
    let page = lines(include_str!("../README.md").split("```").nth(1).unwrap().trim_start_matches("no_run"));
    let source = lines(&include_str!("checks.rs").replace("pub fn main", "fn main"));
    assert!(source.windows(page.len()).any(|part| part == page), "{page:#?}");
    if let Some(result) = tool(page::main()) {
        result.unwrap();
    }
}
