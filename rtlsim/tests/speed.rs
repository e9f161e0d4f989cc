//! A chain of 40 two-entry buffers, every channel and node watched, runs fast enough.

mod common;

use common::{cache, tool};
use samhw_rtlsim::{Channel, Design, Dir, Node, Toolchain, build};
use std::fmt::Write as _;
use std::time::Instant;

const STAGES: usize = 40;

const SKID: &str = "
module t_skid (input wire clk, input wire rst, input wire in_valid, output wire in_ready, input wire [36:0] in_beat,
               output wire out_valid, input wire out_ready, output wire [36:0] out_beat);
    reg head_full, tail_full;
    reg [36:0] head, tail;
    assign in_ready = !tail_full;
    assign out_valid = head_full;
    assign out_beat = head;
    wire load = !head_full || out_ready;
    always @(posedge clk) begin
        if (load) head <= tail_full ? tail : in_beat;
        if (!tail_full) tail <= in_beat;
        if (rst) begin
            head_full <= 1'b0;
            tail_full <= 1'b0;
        end else begin
            if (load) head_full <= tail_full || in_valid;
            tail_full <= !load && (tail_full || in_valid);
        end
    end
endmodule
";

fn chain() -> Design {
    let mut text = String::from(
        "module t_chain (input wire clk, input wire rst, input wire take);\n\
         reg [36:0] beat0; wire valid0 = !beat0[3] || beat0[5]; wire ready0;\n\
         always @(posedge clk) if (rst) beat0 <= 37'd0; else beat0 <= beat0 + 37'd1;\n",
    );
    for k in 0..STAGES {
        let n = k + 1;
        let _ = writeln!(text, "wire valid{n}; wire ready{n}; wire [36:0] beat{n};");
        let _ = writeln!(
            text,
            "t_skid u{k} (.clk(clk), .rst(rst), .in_valid(valid{k}), .in_ready(ready{k}), .in_beat(beat{k}), \
             .out_valid(valid{n}), .out_ready(ready{n}), .out_beat(beat{n}));"
        );
    }
    let _ = writeln!(text, "assign ready{STAGES} = take;\nendmodule");
    Design::new("t_chain", vec![("t_chain.v".into(), text), ("t_skid.v".into(), SKID.into())])
}

#[test]
fn a_chain_of_forty_channels() {
    let Some(tools) = tool(Toolchain::find()) else { return };
    let mut d = chain();
    let take = d.port("take", 1, Dir::In);
    let mut net = |name: &str, k: usize, width| d.net(format!("{name}{k}"), "t_chain", width);
    let channels: Vec<Channel> = (0..=STAGES)
        .map(|k| Channel {
            valid: net("valid", k, 1),
            ready: net("ready", k, 1),
            beat: net("beat", k, 37),
            record: false,
        })
        .collect();
    let began = Instant::now();
    let library = build(&tools.unwrap(), &d, &cache()).unwrap();
    let built = began.elapsed();
    let mut m = library.instance(1);
    m.set(take, 1);
    m.reset();
    channels.iter().for_each(|c| {
        m.watch(c);
    });
    for k in 0..STAGES {
        m.watch_node(&Node { inputs: vec![k], outputs: vec![k + 1] });
    }
    let cycles = 300_000;
    let began = Instant::now();
    assert_eq!(m.run(cycles, None).unwrap(), cycles);
    let rate = cycles as f64 / began.elapsed().as_secs_f64();
    println!("ready after {built:.1?}, {:.2} million cycles a second", rate / 1e6);
    // Nothing stalls, so each stage passes what the one before passed, a cycle later.
    let passed = |k: usize| m.channel(k).transfers;
    assert!(passed(0) > cycles / 2 && passed(0) - passed(STAGES) <= STAGES as u64);
    assert_eq!(m.node(3).stalled, 0);
    assert_eq!(m.node(3).busy + m.node(3).starved, cycles);
    // A loaded machine is slow; a tenth of the usual rate means something is wrong.
    assert!(rate > 1e5, "{rate} cycles a second");
}
