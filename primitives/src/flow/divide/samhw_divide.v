// SPDX-License-Identifier: Apache-2.0
//
// Divide: one level of keys becomes two, crd1 = key / SIZE0 over crd0 = key % SIZE0.
//
//   Consumes    in: pairs (key, x), depth d >= 1. Neighbours with equal crd1 form a group.
//   Produces    outer: crd1, one leaf per group, depth d; inner: pairs (crd0, x), one list per
//               group, depth d+1.
//   Throughput  one beat of in per cycle.
//   Latency     3 cycles for the last beat of a list, and those of samhw_digits unless SIZE0 is 1 or a
//               power of two; others leave when their successor is there.
//   Parameters  KEY_W, X_W bits of key and x; SIZE0 of the inner level; STOP_W stop bits; CRD1_W, CRD0_W bits of
//               the coordinates, both at least STOP_W: keys are below SIZE0 * 2**CRD1_W, and crd0 holds
//               SIZE0 - 1. KEY_W is at most 32 where SIZE0 is no power of two.
//   Reset       valid bits; payloads are not reset.
//   Source      shared design, "Streams and primitives", shape operators.
`default_nettype none

module samhw_divide #(
    parameter KEY_W  = 16,
    parameter SIZE0  = 256,
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
        if (KEY_W < 1 || X_W < 1 || STOP_W < 1
            || KEY_W < STOP_W || CRD1_W < STOP_W || CRD0_W < STOP_W
            || SIZE0 < 1 || (CRD0_W < 31 && SIZE0 > 1 << CRD0_W)
            || (KEY_W > 32 && (SIZE0 & (SIZE0 - 1)) != 0)) begin : g_parameters
            samhw_parameter_out_of_range refused ();
        end
    endgenerate

    // Bits of crd0 below crd1 in the keys of the core; one for an inner level of size 1.
    localparam SHIFT  = SIZE0 <= 2 ? 1 : $clog2(SIZE0);
    localparam BOTH_W = CRD1_W + SHIFT;
    localparam REST_W = 2 + STOP_W + X_W;

    wire                          s_valid;
    wire                          s_ready;
    wire [2+STOP_W+X_W+KEY_W-1:0] s_beat;
    samhw_skid #(.W(2+STOP_W+X_W+KEY_W)) u_in (
        .clk(clk), .rst(rst),
        .in_valid(in_valid), .in_ready(in_ready), .in_beat(in_beat),
        .out_valid(s_valid), .out_ready(s_ready), .out_beat(s_beat)
    );

    // The key as its two coordinates.
    wire                     c_valid;
    wire                     c_ready;
    wire [REST_W+BOTH_W-1:0] c_beat;
    generate
        if ((SIZE0 & (SIZE0 - 1)) == 0) begin : g_bits
            wire [BOTH_W+KEY_W-1:0] wide = {{BOTH_W{1'b0}}, s_beat[KEY_W-1:0]};
            wire                    leaf = !s_beat[KEY_W+X_W+STOP_W+1];
            assign s_ready = c_ready;
            assign c_valid = s_valid;
            assign c_beat  = {s_beat[KEY_W +: REST_W],
                              SIZE0 == 1 && leaf ? {wide[BOTH_W-2:0], 1'b0} : wide[BOTH_W-1:0]};
            wire _unused_ok = &{1'b0, wide, 1'b0};
        end else begin : g_digits
            samhw_digits #(.KEY_W(KEY_W), .SIZE0(SIZE0), .CRD1_W(CRD1_W), .REST_W(REST_W), .STOP_W(STOP_W)) u_digits (
                .clk(clk), .rst(rst),
                .in_valid(s_valid), .in_ready(s_ready), .in_beat(s_beat),
                .out_valid(c_valid), .out_ready(c_ready), .out_beat(c_beat)
            );
        end
    endgenerate

    samhw_divide_core #(.KEY_W(BOTH_W), .SHIFT(SHIFT), .CRD1_W(CRD1_W), .CRD0_W(CRD0_W),
                        .X_W(X_W), .STOP_W(STOP_W)) u_core (
        .clk(clk), .rst(rst),
        .in_valid(c_valid), .in_ready(c_ready), .in_beat(c_beat),
        .outer_valid(outer_valid), .outer_ready(outer_ready), .outer_beat(outer_beat),
        .inner_valid(inner_valid), .inner_ready(inner_ready), .inner_beat(inner_beat)
    );

endmodule

`default_nettype wire
