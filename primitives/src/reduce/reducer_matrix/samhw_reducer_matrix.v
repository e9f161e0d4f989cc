// SPDX-License-Identifier: Apache-2.0
//
// Matrix reducer: folds every list of two-level fibers into one two-level fiber.
//
//   Consumes    crd1: depth d-1; crd0, val: depth d >= 3, aligned leaf by leaf, one innermost
//               list per leaf of crd1; an EMPTY val adds nothing. crd1 is below DIM1.
//   Produces    outer: crd1, depth d-2; inner: pairs (crd0, val), depth d-1: each list of
//               two-level fibers (height 3) as one, values of one position folded in order of
//               arrival.
//   How         collapse to keys {crd1, crd0}, a workspace over keys, divide.
//   Throughput  one beat of crd0 per cycle; a list leaves while the next one arrives.
//   Latency     10 cycles from the last beat of a list, and 3 per bitmap level in RAM.
//   Parameters  CRD1_W, CRD0_W, VAL_W >= STOP_W >= 2; DIM1 outer coordinates, at most 2^CRD1_W; BANK_W log2
//               of the lists in flight; FOLD, of FOLD_W bits: what folds (samhw_fold.vh).
//   Reset       valid bits and the bitmap's top; memories are not reset.
//   Source      "The Sparse Abstract Machine", section 3 (reducer).
`default_nettype none

module samhw_reducer_matrix #(
    parameter              CRD1_W = 4,
    parameter              CRD0_W = 4,
    parameter              VAL_W  = 16,
    parameter              STOP_W = 3,
    parameter              DIM1   = 16,
    parameter              BANK_W = 1,
    parameter              FOLD_W = 128,
    parameter [FOLD_W-1:0] FOLD   = 128'h0000_0000_0000_0000_0100_0000_0000_0000
) (
    input  wire                             clk,
    input  wire                             rst,

    input  wire                             crd1_valid,
    output wire                             crd1_ready,
    input  wire [2+STOP_W+CRD1_W-1:0]       crd1_beat,

    input  wire                             crd0_valid,
    output wire                             crd0_ready,
    input  wire [2+STOP_W+CRD0_W-1:0]       crd0_beat,

    input  wire                             val_valid,
    output wire                             val_ready,
    input  wire [2+STOP_W+VAL_W-1:0]        val_beat,

    output wire                             outer_valid,
    input  wire                             outer_ready,
    output wire [2+STOP_W+CRD1_W-1:0]       outer_beat,

    output wire                             inner_valid,
    input  wire                             inner_ready,
    output wire [2+STOP_W+VAL_W+CRD0_W-1:0] inner_beat
);
    generate
        if (CRD1_W < 1 || CRD0_W < 1 || VAL_W < 1 || STOP_W < 1 || BANK_W < 1
            || STOP_W > CRD1_W || STOP_W > CRD0_W || STOP_W > VAL_W
            || DIM1 < 1 || (CRD1_W < 31 && DIM1 > 1 << CRD1_W)
            || FOLD_W < 128) begin : g_parameters
            samhw_parameter_out_of_range refused ();
        end
    endgenerate

    localparam KEY_W = CRD1_W + CRD0_W;

    wire                             c_valid;
    wire                             c_ready;
    wire [2+STOP_W+CRD1_W-1:0]       c_beat;
    samhw_skid #(.W(2+STOP_W+CRD1_W)) u_crd1 (
        .clk(clk), .rst(rst),
        .in_valid(crd1_valid), .in_ready(crd1_ready), .in_beat(crd1_beat),
        .out_valid(c_valid), .out_ready(c_ready), .out_beat(c_beat)
    );

    wire                             p_valid;
    wire                             p_ready;
    wire [2+STOP_W+VAL_W+CRD0_W-1:0] p_beat;
    samhw_pair #(.CRD_W(CRD0_W), .VAL_W(VAL_W), .STOP_W(STOP_W)) u_pair (
        .clk(clk), .rst(rst),
        .crd_valid(crd0_valid), .crd_ready(crd0_ready), .crd_beat(crd0_beat),
        .val_valid(val_valid), .val_ready(val_ready), .val_beat(val_beat),
        .out_valid(p_valid), .out_ready(p_ready), .out_beat(p_beat)
    );

    wire                            k_valid;
    wire                            k_ready;
    wire [2+STOP_W+VAL_W+KEY_W-1:0] k_beat;
    samhw_collapse_core #(
        .CRD1_W(CRD1_W), .CRD0_W(CRD0_W), .X_W(VAL_W), .KEY_W(KEY_W), .SIZE0(1 << CRD0_W), .STOP_W(STOP_W)
    ) u_collapse (
        .clk(clk), .rst(rst),
        .outer_valid(c_valid), .outer_ready(c_ready), .outer_beat(c_beat),
        .inner_valid(p_valid), .inner_ready(p_ready), .inner_beat(p_beat),
        .out_valid(k_valid), .out_ready(k_ready), .out_beat(k_beat)
    );

    wire                            r_valid;
    wire                            r_ready;
    wire [2+STOP_W+VAL_W+KEY_W-1:0] r_beat;
    samhw_workspace #(
        .CRD_W(KEY_W), .VAL_W(VAL_W), .STOP_W(STOP_W), .WORDS(DIM1 << CRD0_W), .BANK_W(BANK_W), .FOLD_W(FOLD_W),
        .FOLD(FOLD)
    ) u_workspace (
        .clk(clk), .rst(rst),
        .in_valid(k_valid), .in_ready(k_ready), .in_beat(k_beat),
        .out_valid(r_valid), .out_ready(r_ready), .out_beat(r_beat)
    );

    samhw_divide_core #(.KEY_W(KEY_W), .SHIFT(CRD0_W), .CRD1_W(KEY_W-CRD0_W), .CRD0_W(CRD0_W),
                        .X_W(VAL_W), .STOP_W(STOP_W)) u_divide (
        .clk(clk), .rst(rst),
        .in_valid(r_valid), .in_ready(r_ready), .in_beat(r_beat),
        .outer_valid(outer_valid), .outer_ready(outer_ready), .outer_beat(outer_beat),
        .inner_valid(inner_valid), .inner_ready(inner_ready), .inner_beat(inner_beat)
    );

endmodule

`default_nettype wire
