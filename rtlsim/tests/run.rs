//! Designs compile, run, count and stop as documented.

mod common;

use common::{cache, tool};
use samhw_rtlsim::{Channel, ChannelHash, Design, Dir, Error, Instance, Node, Toolchain, build};

/// Offers 0, 1, 2 ... every second cycle to a register that waits for `take`; the offer is
/// made inside an instance, on nets that are no ports. Beats have 70 bits: n, then n again from bit 64.
const TEXT: &str = "
module t_source (input wire clk, input wire rst, input wire ready);
    reg valid;
    reg [5:0] n;
    wire [69:0] beat = {n, 58'd0, n};
    always @(posedge clk)
        if (rst) begin
            valid <= 1'b0;
            n <= 6'd0;
        end else if (valid && ready) begin
            valid <= 1'b0;
            n <= n + 6'd1;
        end else
            valid <= 1'b1;
    wire _unused_ok = &{1'b0, beat};
endmodule
module t_top (input wire clk, input wire rst, input wire take, input wire [69:0] x,
              output wire [69:0] y, output reg done);
    reg [3:0] left;
    t_source u_source (.clk(clk), .rst(rst), .ready(take));
    assign y = ~x;
    always @(posedge clk) begin
        done <= !rst && left == 4'd0;
        left <= rst ? 4'd9 : left - {3'd0, left != 4'd0};
`ifdef SAMHW_ASSERT
        if (!rst && x[69:66] == 4'hF) begin
            $display(\"x is %h\", x);
            $stop;
        end
`endif
    end
endmodule
";

struct Signals {
    take: usize,
    x: usize,
    y: usize,
    done: usize,
    valid: usize,
    ready: usize,
    beat: usize,
}

fn design() -> (Design, Signals) {
    let mut d = Design::new("t_top", vec![("t_top.v".into(), TEXT.into())]);
    d.defines = vec!["SAMHW_ASSERT".into()];
    let s = Signals {
        take: d.port("take", 1, Dir::In),
        x: d.port("x", 70, Dir::In),
        y: d.port("y", 70, Dir::Out),
        done: d.port("done", 1, Dir::Out),
        valid: d.net("u_source.valid", "t_source", 1),
        ready: d.net("u_source.ready", "t_source", 1),
        beat: d.net("u_source.beat", "t_source", 70),
    };
    (d, s)
}

fn start() -> Option<(Instance, Signals)> {
    let tools = tool(Toolchain::find())?.unwrap();
    let (d, s) = design();
    let mut m = build(&tools, &d, &cache()).unwrap().instance(3);
    m.poke(s.x, &[0, 0]);
    m.set(s.take, 1);
    m.reset();
    Some((m, s))
}

#[test]
fn wide_ports_are_read_and_written() {
    let Some((mut m, s)) = start() else { return };
    m.poke(s.x, &[0x0123_4567_89AB_CDEF, 0x15]);
    m.eval().unwrap();
    let mut y = [0; 2];
    m.peek(s.y, &mut y);
    assert_eq!(y, [!0x0123_4567_89AB_CDEF, 0x2A]);
}

#[test]
fn channels_and_nodes_are_counted() {
    let Some((mut m, s)) = start() else { return };
    let c = m.watch(&Channel { valid: s.valid, ready: s.ready, beat: s.beat, record: true });
    let from = m.watch_node(&Node { inputs: vec![], outputs: vec![c] });
    let to = m.watch_node(&Node { inputs: vec![c], outputs: vec![] });
    assert_eq!(m.run(6, None).unwrap(), 6);
    m.set(s.take, 0);
    assert_eq!(m.run(4, None).unwrap(), 4);
    // Valid in cycles 1, 3, 5, taken; then from 7 to 9, waiting.
    let n = m.channel(c);
    assert_eq!((n.transfers, n.waits), (3, 3));
    let (a, b) = (m.node(from), m.node(to));
    assert_eq!((a.busy, a.stalled, a.starved), (3, 3, 4));
    assert_eq!((b.busy, b.stalled, b.starved), (3, 0, 7));
    let mut hash = ChannelHash::default();
    for (k, t) in m.transfers(c).iter().enumerate() {
        assert_eq!((t.cycle, &t.beat[..]), (2 * k as u64 + 1, &[k as u64, k as u64][..]));
        hash.transfer(t.cycle, &t.beat);
    }
    assert_eq!(n.hash, hash.0);
    m.restart();
    assert_eq!((m.cycle(), m.channel(c).transfers, m.transfers(c).len()), (0, 0, 0));
}

#[test]
fn a_run_ends_with_the_stop_signal() {
    let Some((mut m, s)) = start() else { return };
    let n = m.run(1000, Some(s.done)).unwrap();
    assert_eq!((n, m.cycle()), (10, 10));
}

#[test]
fn a_failed_assertion_is_an_error_with_its_message() {
    let Some((mut m, s)) = start() else { return };
    m.poke(s.x, &[0, 0x3F]);
    let Err(Error::Stopped(text)) = m.run(5, None) else { panic!("the assertion did not fire") };
    assert!(text.contains("t_top.v:") && text.contains("x is 3f0000000000000000"), "{text}");
    assert_eq!(m.cycle(), 1);
    m.poke(s.x, &[0, 0]);
    m.reset();
    m.run(5, None).unwrap();
}

#[test]
fn instances_are_independent() {
    let Some((mut a, s)) = start() else { return };
    let Some((b, _)) = start() else { return };
    a.run(10, None).unwrap();
    assert_eq!((a.get(s.done), b.get(s.done)), (1, 0));
}

#[test]
fn signals_that_are_not_as_described_are_refused() {
    let Some(tools) = tool(Toolchain::find()) else { return };
    let tools = tools.unwrap();
    let refused = |d: &Design, text: &str| match build(&tools, d, &cache()) {
        Err(Error::Mismatch { what, .. }) => assert!(what.contains(text), "{what}"),
        other => panic!("expected a mismatch, got {:?}", other.err()),
    };
    let (mut d, s) = design();
    d.signals[s.x].width = 71;
    refused(&d, "x has 70 bits, not 71");
    let (mut d, s) = design();
    d.signals.remove(s.done);
    refused(&d, "port done");
    let (mut d, _) = design();
    d.net("u_source.gone", "t_source", 1);
    refused(&d, "no signal u_source.gone");
}

#[test]
fn verilog_that_does_not_parse_is_an_error() {
    let Some(tools) = tool(Toolchain::find()) else { return };
    let d = Design::new("t", vec![("t.v".into(), "module t (input wire a; endmodule\n".into())]);
    let Err(Error::Failed { tool, output, .. }) = build(&tools.unwrap(), &d, &cache()) else { panic!("accepted") };
    assert!(tool == "verilator" && output.contains("syntax error"), "{output}");
}

#[test]
fn waves_are_written() {
    let Some(tools) = tool(Toolchain::find()) else { return };
    let (mut d, _) = design();
    d.trace = true;
    let mut m = build(&tools.unwrap(), &d, &cache()).unwrap().instance(0);
    let path = cache().join("waves-are-written.vcd");
    m.wave(&path).unwrap();
    m.reset();
    drop(m);
    let text = std::fs::read_to_string(&path).unwrap();
    std::fs::remove_file(&path).unwrap();
    assert!(text.contains("$var") && text.contains("u_source"), "{text}");
}
