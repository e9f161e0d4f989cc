// SPDX-License-Identifier: Apache-2.0
//
// Stands for a function of real numbers in proofs of primitives that have one: a pipeline of DEPTH registers
// that moves with `en`, and gives the number behind its argument, as words. What the function is, and that it
// takes DEPTH cycles, is compared with models.
`default_nettype none

module samhw_float_real_stand_in #(
    parameter                     EXP     = 8,
    parameter                     MAN     = 23,
    parameter                     SHAPE   = 0,
    parameter                     TURNED  = 0,
    parameter                     FRAC    = 28,
    parameter                     LEAST   = 0,
    parameter                     MOST    = 0,
    parameter [EXP+FRAC-1:0]      FACTOR  = {(EXP+FRAC){1'b0}},
    parameter                     LINES   = 2,
    parameter                     WORD_W  = 18,
    parameter [LINES*WORD_W-1:0]  WORDS   = {(LINES*WORD_W){1'b0}},
    parameter                     MUL     = 2,
    parameter                     X       = 18,
    parameter                     PIECES  = 2,
    parameter                     PIECE_W = 1,
    parameter                     W0      = 8,
    parameter                     W1      = 8,
    parameter                     W2      = 8,
    parameter [PIECES*W0-1:0]     C0      = {(PIECES*W0){1'b0}},
    parameter [PIECES*W1-1:0]     C1      = {(PIECES*W1){1'b0}},
    parameter [PIECES*W2-1:0]     C2      = {(PIECES*W2){1'b0}},
    parameter                     FALLS   = 0,
    parameter                     BENDS   = 0,
    parameter                     P_MUL   = 2,
    parameter                     DEPTH   = 17
) (
    input  wire             clk,
    input  wire             en,
    input  wire [EXP+MAN:0] a,
    input  wire [EXP+MAN:0] b,
    input  wire [EXP+MAN:0] c,
    output wire [EXP+MAN:0] y
);

    localparam             W   = 1 + EXP + MAN;
    localparam [EXP+MAN:0] ONE = 1;

    // DEPTH is 1 at least.
    reg  [DEPTH*W-1:0] late;
    wire [W-1:0]       next = a + ONE;
    always @(posedge clk)
        if (en)
            late <= {late, next};
    assign y = late[(DEPTH-1)*W +: W];

    wire _unused_ok = &{1'b0, b, c, SHAPE, TURNED, LEAST, MOST, FACTOR, WORDS, X, PIECE_W, C0, C1, C2, FALLS, BENDS,
                        P_MUL, MUL, 1'b0};

endmodule

`default_nettype wire
