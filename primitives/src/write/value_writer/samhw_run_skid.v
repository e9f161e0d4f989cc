// SPDX-License-Identifier: Apache-2.0
//
// samhw_skid that also tells when a run begins.
//
//   Consumes and produces  stream beats (kind in the top two bits), in order.
//   start       1 in the cycle before the first beat of a run stands at the output; that is
//               at the earliest the cycle after the DONE before it has left. With PASS, in the cycle
//               in which that beat arrives.
//   Throughput  one beat per cycle; after a DONE none for a cycle (not so with PASS).
//   Latency     one cycle; none with PASS.
//   Boundary    as samhw_skid; start depends on in_valid of the same cycle.
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
    generate
        if (W < 1 || PASS < 0 || PASS > 1) begin : g_parameters
            samhw_parameter_out_of_range refused ();
        end
    endgenerate

    `include "samhw_kinds.vh"

    // Between runs: what is here of the next one waits until its start is told. That a DONE leaves is known
    // late in a cycle.
    reg  between;
    wire held;
    wire ends = out_valid && out_ready && out_beat[W-1 -: 2] == DONE;
    assign out_valid = held && (PASS != 0 || !between);
    assign start     = between && (held || (PASS == 0 && in_valid));

    samhw_skid #(.W(W), .PASS(PASS)) u_skid (
        .clk(clk), .rst(rst),
        .in_valid(in_valid), .in_ready(in_ready), .in_beat(in_beat),
        .out_valid(held), .out_ready(out_ready && (PASS != 0 || !between)), .out_beat(out_beat)
    );

    always @(posedge clk)
        between <= rst || ends || (between && !start);

endmodule

`default_nettype wire
