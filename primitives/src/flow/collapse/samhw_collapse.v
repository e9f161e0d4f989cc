// SPDX-License-Identifier: Apache-2.0
//
// Collapse: two levels (crd1 over crd0) become one, with keys crd1 * SIZE0 + crd0.
//
//   Consumes    outer: crd1, depth d-1; inner: pairs (crd0, x), depth d >= 2, one innermost
//               list per leaf of outer.
//   Produces    out: pairs (key, x), depth d-1; innermost lists join, empty ones vanish.
//   Throughput  one beat of inner per cycle.
//   Latency     3 cycles for the last beat of a list; others leave with their successor.
//   Parameters  CRD1_W, CRD0_W, X_W, KEY_W bits of crd1, crd0, x and key (KEY_W no less than
//               either coordinate, at most 32), SIZE0 of the inner level, at most 2**CRD0_W,
//               or 0 for keys that are crd0 alone; STOP_W stop bits.
//   Reset       valid bits; payloads are not reset.
//   Source      shared design, "Streams and primitives", shape operators.
`default_nettype none

module samhw_collapse #(
    parameter CRD1_W = 8,
    parameter CRD0_W = 8,
    parameter X_W    = 16,
    parameter KEY_W  = 16,
    parameter SIZE0  = 256,
    parameter STOP_W = 3
) (
    input  wire                           clk,
    input  wire                           rst,

    input  wire                           outer_valid,
    output wire                           outer_ready,
    input  wire [2+STOP_W+CRD1_W-1:0]     outer_beat,

    input  wire                           inner_valid,
    output wire                           inner_ready,
    input  wire [2+STOP_W+X_W+CRD0_W-1:0] inner_beat,

    output wire                           out_valid,
    input  wire                           out_ready,
    output wire [2+STOP_W+X_W+KEY_W-1:0]  out_beat
);
    generate
        if (CRD1_W < 1 || CRD0_W < 1 || X_W < 1 || STOP_W < 1
            || KEY_W < CRD1_W || KEY_W < CRD0_W || KEY_W > 32
            || SIZE0 < 0 || (CRD0_W < 31 && SIZE0 > 1 << CRD0_W)) begin : g_parameters
            samhw_parameter_out_of_range refused ();
        end
    endgenerate

    wire                           o_valid;
    wire                           o_ready;
    wire [2+STOP_W+CRD1_W-1:0]     o_beat;
    samhw_skid #(.W(2+STOP_W+CRD1_W)) u_outer (
        .clk(clk), .rst(rst),
        .in_valid(outer_valid), .in_ready(outer_ready), .in_beat(outer_beat),
        .out_valid(o_valid), .out_ready(o_ready), .out_beat(o_beat)
    );

    wire                           i_valid;
    wire                           i_ready;
    wire [2+STOP_W+X_W+CRD0_W-1:0] i_beat;
    samhw_skid #(.W(2+STOP_W+X_W+CRD0_W)) u_inner (
        .clk(clk), .rst(rst),
        .in_valid(inner_valid), .in_ready(inner_ready), .in_beat(inner_beat),
        .out_valid(i_valid), .out_ready(i_ready), .out_beat(i_beat)
    );

    samhw_collapse_core #(
        .CRD1_W(CRD1_W), .CRD0_W(CRD0_W), .X_W(X_W), .KEY_W(KEY_W), .SIZE0(SIZE0), .STOP_W(STOP_W)
    ) u_core (
        .clk(clk), .rst(rst),
        .outer_valid(o_valid), .outer_ready(o_ready), .outer_beat(o_beat),
        .inner_valid(i_valid), .inner_ready(i_ready), .inner_beat(i_beat),
        .out_valid(out_valid), .out_ready(out_ready), .out_beat(out_beat)
    );

endmodule

`default_nettype wire
