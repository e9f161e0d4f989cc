// SPDX-License-Identifier: Apache-2.0
//
// A function of real numbers of an IEEE float, by a table of polynomials.
//
//   Throughput  one value per cycle with en = 1; with en = 0 nothing moves.
//   Latency     DEPTH cycles; the last step is combinational, for the user's register.
//   Parameters  SHAPE: 0 samhw_float_exp, 1 samhw_float_log, 2 samhw_float_sine, 3 samhw_float_tanh, 4
//               samhw_float_pow of a and b; their own parameters. WORDS: LINES words of WORD_W bits. DEPTH:
//               P_MUL and 11 more, and for SHAPE 0 MUL + 3, 1 MUL + 2, 2 MUL + 8; 37 for SHAPE 4.
//   Reset       none.
`default_nettype none

module samhw_float_real #(
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
    parameter                     P_MUL   = 0,
    parameter                     DEPTH   = 17
) (
    input  wire             clk,
    input  wire             en,
    input  wire [EXP+MAN:0] a,
    input  wire [EXP+MAN:0] b,
    input  wire [EXP+MAN:0] c,
    output wire [EXP+MAN:0] y
);
    generate
        if (EXP < 3 || MAN < 1
            || SHAPE < 0 || SHAPE > 4
            || TURNED < 0 || TURNED > 1
            || LEAST < 0 || MOST < 0 || DEPTH < 0
            || FRAC < 1 || LINES < 1 || WORD_W < 1
            || MUL < 0 || MUL > 5
            || X < 1 || PIECES < 1 || PIECE_W < 1 || W0 < 1 || W1 < 1 || W2 < 1
            || PIECES > 1 << PIECE_W
            || FALLS < 0 || FALLS > 1 || BENDS < 0 || BENDS > 1
            || P_MUL < 0 || P_MUL > 5) begin : g_parameters
            samhw_parameter_out_of_range refused ();
        end
    endgenerate

    generate
        if (SHAPE == 0) begin : g_exp
            samhw_float_exp #(
                .EXP(EXP), .MAN(MAN), .FRAC(FRAC), .FACTOR(FACTOR),
                .MUL(MUL), .X(X), .PIECES(PIECES), .PIECE_W(PIECE_W), .W0(W0), .W1(W1), .W2(W2), .C0(C0), .C1(C1),
                .C2(C2), .FALLS(FALLS), .BENDS(BENDS), .P_MUL(P_MUL)
            ) u_exp (.clk(clk), .en(en), .a(a), .y(y));
        end else if (SHAPE == 1) begin : g_log
            samhw_float_log #(
                .EXP(EXP), .MAN(MAN), .FRAC(FRAC), .WORD_W(WORD_W), .WORDS(WORDS),
                .MUL(MUL), .X(X), .PIECES(PIECES), .PIECE_W(PIECE_W), .W0(W0), .W1(W1), .W2(W2), .C0(C0), .C1(C1),
                .C2(C2), .FALLS(FALLS), .BENDS(BENDS), .P_MUL(P_MUL)
            ) u_log (.clk(clk), .en(en), .a(a), .y(y));
        end else if (SHAPE == 2) begin : g_sine
            samhw_float_sine #(
                .EXP(EXP), .MAN(MAN), .TURNED(TURNED), .FRAC(FRAC), .LEAST(LEAST), .LIMBS(WORD_W / 18),
                .LINES(LINES), .WORDS(WORDS),
                .MUL(MUL), .X(X), .PIECES(PIECES), .PIECE_W(PIECE_W), .W0(W0), .W1(W1), .W2(W2), .C0(C0), .C1(C1),
                .C2(C2), .FALLS(FALLS), .BENDS(BENDS), .P_MUL(P_MUL)
            ) u_sine (.clk(clk), .en(en), .a(a), .y(y));
        end else if (SHAPE == 3) begin : g_tanh
            samhw_float_tanh #(
                .EXP(EXP), .MAN(MAN), .FRAC(FRAC), .LEAST(LEAST), .MOST(MOST),
                .X(X), .PIECES(PIECES), .PIECE_W(PIECE_W), .W0(W0), .W1(W1), .W2(W2), .C0(C0), .C1(C1), .C2(C2),
                .FALLS(FALLS), .BENDS(BENDS), .P_MUL(P_MUL)
            ) u_tanh (.clk(clk), .en(en), .a(a), .y(y));
        end else begin : g_pow
            samhw_float_pow #(.EXP(EXP), .MAN(MAN)) u_pow (.clk(clk), .en(en), .a(a), .b(b), .y(y));
        end
    endgenerate

    wire _unused_ok = &{1'b0, b, c, DEPTH == 0, LEAST == 0, MOST == 0, TURNED == 0, MUL == 0, FACTOR, WORDS[0], 1'b0};

    // Modules that are not there take these.
    wire _unused_parameters = &{
        1'b0, X == 0, PIECE_W == 0, C0[0], C1[0], C2[0], FALLS == 0, BENDS == 0, P_MUL == 0, MUL == 0, 1'b0
    };

endmodule

`default_nettype wire
