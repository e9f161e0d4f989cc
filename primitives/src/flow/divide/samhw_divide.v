// SPDX-License-Identifier: Apache-2.0
//
// Divide: one level of keys becomes two, crd1 = key >> SHIFT over crd0 = the bits below.
//
//   Consumes    in: pairs (key, x), depth d >= 1. Neighbours with equal crd1 form a group.
//   Produces    outer: crd1, one leaf per group, depth d; inner: pairs (crd0, x), one list per
//               group, depth d+1.
//   Throughput  one beat of in per cycle.
//   Latency     3 cycles for the last beat of a list; others leave when their successor is there.
//   Parameters  KEY_W, X_W bits of key and x; SHIFT, from 1 to KEY_W - 1; STOP_W stop bits; CRD1_W,
//               CRD0_W bits of the coordinates: at least KEY_W - SHIFT, at least SHIFT, and both at least STOP_W.
//   Reset       valid bits; payloads are not reset.
//   Source      shared design, "Streams and primitives", shape operators.
`default_nettype none

module samhw_divide #(
    parameter KEY_W  = 16,
    parameter SHIFT  = 8,
    parameter CRD1_W = 8,
    parameter CRD0_W = 8,
    parameter X_W    = 16,
    parameter STOP_W = 3
) (
    input  wire                            clk,
    input  wire                            rst,

    input  wire                            in_valid,
    output wire                            in_ready,
    input  wire [2+STOP_W+X_W+KEY_W-1:0]   in_beat,

    output wire                            outer_valid,
    input  wire                            outer_ready,
    output wire [2+STOP_W+CRD1_W-1:0] outer_beat,

    output wire                            inner_valid,
    input  wire                            inner_ready,
    output wire [2+STOP_W+X_W+CRD0_W-1:0]   inner_beat
);
    generate
        if (X_W < 1 || STOP_W < 1
            || SHIFT < 1 || SHIFT >= KEY_W
            || CRD1_W < KEY_W - SHIFT || CRD1_W < STOP_W
            || CRD0_W < SHIFT || CRD0_W < STOP_W) begin : g_parameters
            samhw_parameter_out_of_range refused ();
        end
    endgenerate

    wire                          s_valid;
    wire                          s_ready;
    wire [2+STOP_W+X_W+KEY_W-1:0] s_beat;
    samhw_skid #(.W(2+STOP_W+X_W+KEY_W)) u_in (
        .clk(clk), .rst(rst),
        .in_valid(in_valid), .in_ready(in_ready), .in_beat(in_beat),
        .out_valid(s_valid), .out_ready(s_ready), .out_beat(s_beat)
    );

    samhw_divide_core #(.KEY_W(KEY_W), .SHIFT(SHIFT), .CRD1_W(CRD1_W), .CRD0_W(CRD0_W),
                        .X_W(X_W), .STOP_W(STOP_W)) u_core (
        .clk(clk), .rst(rst),
        .in_valid(s_valid), .in_ready(s_ready), .in_beat(s_beat),
        .outer_valid(outer_valid), .outer_ready(outer_ready), .outer_beat(outer_beat),
        .inner_valid(inner_valid), .inner_ready(inner_ready), .inner_beat(inner_beat)
    );

endmodule

`default_nettype wire
