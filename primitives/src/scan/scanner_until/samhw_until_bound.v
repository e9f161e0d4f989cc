// SPDX-License-Identifier: Apache-2.0
//
// Bounds of the fibers of a scanner up to a bound, as the last coordinate that is needed of each.
//
//   Consumes    bound {hi}: a whole number for each fiber, EMPTY: nothing of it is needed.
//   Produces    to: the last coordinate up to hi (HI 1), or below it (HI 2); none: there is no such coordinate.
//   Throughput  one bound per cycle; 2**ITEMS_LOG2 wait.
//   Latency     1 cycle (a queue).
//   Boundary    bound_ready is a register; none and to are asynchronous reads.
//   Parameters  CRD_W bits of a coordinate, STOP_W; BOUND_W of a bound, two's complement if SIGNED; HI, ITEMS_LOG2.
//   Reset       valid bits, pointers; payloads are not reset.
`default_nettype none

module samhw_until_bound #(
    parameter CRD_W      = 16,
    parameter STOP_W     = 3,
    parameter HI         = 2,
    parameter BOUND_W    = 16,
    parameter SIGNED     = 0,
    parameter ITEMS_LOG2 = 3
) (
    input  wire                        clk,
    input  wire                        rst,

    input  wire                        bound_valid,
    output wire                        bound_ready,
    input  wire [2+STOP_W+BOUND_W-1:0] bound_beat,

    output wire                        out_valid,
    input  wire                        out_ready,
    output wire                        out_none,
    output wire [CRD_W-1:0]            out_to
);
    generate
        if (CRD_W < 1 || STOP_W < 1 || BOUND_W < 1 || ITEMS_LOG2 < 1
            || HI < 1 || HI > 2
            || SIGNED < 0 || SIGNED > 1) begin : g_parameters
            samhw_parameter_out_of_range refused ();
        end
    endgenerate

    localparam W = BOUND_W > CRD_W ? BOUND_W : CRD_W + 1;
    `include "samhw_kinds.vh"
    localparam [CRD_W-1:0] LAST  = {CRD_W{1'b1}};
    localparam [CRD_W-1:0] BELOW = 1;

    wire               b_valid;
    wire               b_ready;
    wire [1:0]         b_kind;
    wire [STOP_W-1:0]  b_stop;
    wire [BOUND_W-1:0] b_hi;
    samhw_skid #(.W(2+STOP_W+BOUND_W)) u_bound (
        .clk(clk), .rst(rst),
        .in_valid(bound_valid), .in_ready(bound_ready), .in_beat(bound_beat),
        .out_valid(b_valid), .out_ready(b_ready), .out_beat({b_kind, b_stop, b_hi})
    );
    wire [W-1:0]     wide  = {{(W-BOUND_W){1'b0}}, b_hi};
    wire             none  = b_kind != DATA || (SIGNED != 0 && b_hi[BOUND_W-1]) || (HI == 2 && b_hi == {BOUND_W{1'b0}});
    wire             above = wide[W-1:CRD_W] != {(W-CRD_W){1'b0}};
    wire [CRD_W-1:0] to    = above ? LAST : HI == 2 ? wide[CRD_W-1:0] - BELOW : wide[CRD_W-1:0];
    samhw_queue #(.W(1+CRD_W), .LOG2(ITEMS_LOG2)) u_ahead (
        .clk(clk), .rst(rst),
        .in_valid(b_valid), .in_ready(b_ready), .in_data({none, to}),
        .out_valid(out_valid), .out_ready(out_ready), .out_data({out_none, out_to})
    );

    wire _unused_ok = &{1'b0, b_stop, wide, 1'b0};

endmodule

`default_nettype wire
