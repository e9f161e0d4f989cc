// SPDX-License-Identifier: Apache-2.0
//
// Vector reducer: folds every list of fibers into one fiber.
//
//   Consumes    crd, val: depth d >= 2, aligned leaf by leaf; an EMPTY val adds nothing.
//               Coordinates are below WORDS, fibers may overlap at will.
//   Produces    out: pairs (crd, val), depth d-1: each list of fibers (height 2) as one fiber,
//               coordinates increasing, values of one coordinate folded in order of arrival.
//   Throughput  one beat per cycle; a list of n beats leaves while the next one arrives.
//   Latency     6 cycles from the last beat of a list, and 3 per bitmap level in RAM
//               (WORDS up to 32: none, up to 1024: one, up to 32768: two, above: three).
//   Parameters  CRD_W, VAL_W >= STOP_W >= 2; WORDS coordinates, at most 2^CRD_W (CRD_W <= 32); BANK_W log2 of
//               the lists in flight; FOLD, of FOLD_W bits: what folds (samhw_fold.vh).
//   Reset       valid bits and the bitmap's top; memories are not reset.
//   Source      "The Sparse Abstract Machine", section 3 (reducer).
`default_nettype none

module samhw_reducer_vector #(
    parameter              CRD_W  = 8,
    parameter              VAL_W  = 16,
    parameter              STOP_W = 3,
    parameter              WORDS  = 256,
    parameter              BANK_W = 1,
    parameter              FOLD_W = 128,
    parameter [FOLD_W-1:0] FOLD   = 128'h0000_0000_0000_0000_0100_0000_0000_0000
) (
    input  wire                            clk,
    input  wire                            rst,

    input  wire                            crd_valid,
    output wire                            crd_ready,
    input  wire [2+STOP_W+CRD_W-1:0]       crd_beat,

    input  wire                            val_valid,
    output wire                            val_ready,
    input  wire [2+STOP_W+VAL_W-1:0]       val_beat,

    output wire                            out_valid,
    input  wire                            out_ready,
    output wire [2+STOP_W+VAL_W+CRD_W-1:0] out_beat
);
    generate
        if (VAL_W < 1 || STOP_W < 1 || WORDS < 1 || BANK_W < 1
            || CRD_W < 1 || CRD_W > 32
            || (CRD_W < 31 && WORDS > 1 << CRD_W)
            || FOLD_W < 128) begin : g_parameters
            samhw_parameter_out_of_range refused ();
        end
    endgenerate

    wire                            pair_valid;
    wire                            pair_ready;
    wire [2+STOP_W+VAL_W+CRD_W-1:0] pair_beat;
    samhw_pair #(.CRD_W(CRD_W), .VAL_W(VAL_W), .STOP_W(STOP_W)) u_pair (
        .clk(clk), .rst(rst),
        .crd_valid(crd_valid), .crd_ready(crd_ready), .crd_beat(crd_beat),
        .val_valid(val_valid), .val_ready(val_ready), .val_beat(val_beat),
        .out_valid(pair_valid), .out_ready(pair_ready), .out_beat(pair_beat)
    );

    samhw_workspace #(
        .CRD_W(CRD_W), .VAL_W(VAL_W), .STOP_W(STOP_W), .WORDS(WORDS), .BANK_W(BANK_W), .FOLD_W(FOLD_W), .FOLD(FOLD)
    ) u_workspace (
        .clk(clk), .rst(rst),
        .in_valid(pair_valid), .in_ready(pair_ready), .in_beat(pair_beat),
        .out_valid(out_valid), .out_ready(out_ready), .out_beat(out_beat)
    );

endmodule

`default_nettype wire
