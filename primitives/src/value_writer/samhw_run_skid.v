// SPDX-License-Identifier: Apache-2.0
//
// samhw_skid that also tells when a run begins.
//
//   Consumes and produces  stream beats (kind in the top two bits), in order.
//   start       1 in the cycle before the first beat of a run stands at the output; that is
//               at the earliest the cycle in which the DONE before it leaves. With PASS, in the cycle
//               in which that beat arrives.
//   Throughput  one beat per cycle.
//   Latency     one cycle; none with PASS.
//   Boundary    as samhw_skid; start depends on in_valid and out_ready of the same cycle.
//   Parameters  W: bits of a beat; PASS as in samhw_skid.
//   Reset       valid bits and state.
`default_nettype none

module samhw_run_skid #(
    parameter W    = 8,
    parameter PASS = 0
) (
    input  wire         clk,
    input  wire         rst,

    input  wire         in_valid,
    output wire         in_ready,
    input  wire [W-1:0] in_beat,

    output wire         out_valid,
    input  wire         out_ready,
    output wire [W-1:0] out_beat,

    output wire         start
);

    localparam [1:0] DONE = 2'd3;

    // Between runs: nothing of the next one has arrived, so the skid is empty (with PASS: was).
    reg  between;
    wire ends = out_valid && out_ready && out_beat[W-1 -: 2] == DONE;
    // A full second entry, or a beat that arrives, is the output of the next cycle.
    assign start = PASS != 0 ? between && out_valid : (between || ends) && (in_valid || !in_ready);

    samhw_skid #(.W(W), .PASS(PASS)) u_skid (
        .clk(clk), .rst(rst),
        .in_valid(in_valid), .in_ready(in_ready), .in_beat(in_beat),
        .out_valid(out_valid), .out_ready(out_ready), .out_beat(out_beat)
    );

    always @(posedge clk)
        between <= rst || ((between || ends) && !start);

endmodule

`default_nettype wire
