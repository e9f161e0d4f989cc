// SPDX-License-Identifier: Apache-2.0
//
// Sine or cosine of an IEEE float of any size. The mantissa times those bits of 2 / pi that its exponent leaves
// something of, modulo whole turns, is the angle in quarters of a turn (Payne and Hanek); its fraction f,
// brought to the nearer quarter, is looked up: sin(f pi/2) / f, then times f, or cos(f pi/2).
//
//   Throughput  one per cycle with en = 1; with en = 0 nothing moves.
//   Latency     MUL + P_MUL + 19 cycles: address | 2 for bits of 2 / pi | 3 of samhw_mul_low | quarter |
//               count, samhw_poly | choice | MUL, product | samhw_float_round, whose last step is
//               combinational, for the user's register.
//   Parameters  EXP, at least 3, MAN, at most 35: exponent and fraction bits; TURNED: cosine. FRAC: bits after the
//               point of the table's values; MUL: DEPTH of samhw_mul_full for FRAC + 2 bits. WORDS: LINES words of
//               2 / pi, LIMBS limbs of 18 bits each, for exponents from LEAST on; before them the word for smaller
//               arguments, which are their sines. X to BENDS and P_MUL as in samhw_poly.
//   Reset       none.
`default_nettype none

module samhw_float_sine #(
    parameter                      EXP     = 8,
    parameter                      MAN     = 23,
    parameter                      TURNED  = 0,
    parameter                      FRAC    = 28,
    parameter                      LEAST   = 115,
    parameter                      LIMBS   = 5,
    parameter                      LINES   = 2,
    parameter [LINES*LIMBS*18-1:0] WORDS   = {(LINES*LIMBS*18){1'b0}},
    parameter                      MUL     = 2,
    parameter                      X       = 21,
    parameter                      PIECES  = 4,
    parameter                      PIECE_W = 2,
    parameter                      W0      = 8,
    parameter                      W1      = 8,
    parameter                      W2      = 8,
    parameter [PIECES*W0-1:0]      C0      = {(PIECES*W0){1'b0}},
    parameter [PIECES*W1-1:0]      C1      = {(PIECES*W1){1'b0}},
    parameter [PIECES*W2-1:0]      C2      = {(PIECES*W2){1'b0}},
    parameter                      FALLS   = 1,
    parameter                      BENDS   = 0,
    parameter                      P_MUL   = 0
) (
    input  wire             clk,
    input  wire             en,
    input  wire [EXP+MAN:0] a,
    output wire [EXP+MAN:0] y
);
    generate
        if (EXP < 3 || MAN < 1 || MAN > 35
            || TURNED < 0 || TURNED > 1
            || FRAC < 1 || LEAST < 1
            || LIMBS < 2 || 18 * LIMBS < MAN + 6
            || LINES < 2
            || MUL < 0 || MUL > 5
            || X < 1 || PIECES < 1 || PIECE_W < 1 || W0 < 1 || W1 < 1 || W2 < 1
            || PIECES > 1 << PIECE_W
            || FALLS < 0 || FALLS > 1 || BENDS < 0 || BENDS > 1
            || P_MUL < 0 || P_MUL > 5) begin : g_parameters
            samhw_parameter_out_of_range refused ();
        end
    endgenerate

    localparam M      = MAN + 1;
    localparam W      = 18 * LIMBS;
    localparam F_W    = W - 2 - M;           // bits of the fraction of a quarter
    localparam LZ_W   = $clog2(F_W-1);
    localparam ADDR_W = $clog2(LINES);
    localparam Y_W    = FRAC + 2;
    localparam E_W    = EXP + 3;
    localparam [31:0]    FIRST = LEAST - 1;
    localparam [EXP-1:0] BEFORE = FIRST[EXP-1:0];
    localparam [E_W-1:0] BIAS  = {4'b0000, {(EXP-1){1'b1}}};
    localparam [E_W-1:0] TWO   = {{(E_W-2){1'b0}}, 2'b10};

    wire           sign, nan, inf, zero;
    wire [EXP-1:0] exp;
    wire [MAN:0]   man;
    samhw_float_parts #(.EXP(EXP), .MAN(MAN)) u_a (
        .x(a), .sign(sign), .exp(exp), .man(man), .nan(nan), .inf(inf), .zero(zero)
    );
    wire           tiny = exp <= BEFORE;
    wire [EXP-1:0] place = exp - BEFORE;

    // Beside it all: not a number, tiny, and the exponent of a result with its highest bit on top.
    reg  [ADDR_W-1:0] place_1;
    reg  [MAN:0]      man_1;
    wire [MAN:0]      man_2;
    reg  [E_W+2:0]    side_1;
    wire [W-1:0]      word_2;
    wire [W-1:0]      t_5;
    wire [E_W+2:0]    side_5;
    samhw_rom #(.W(W), .LINES(LINES), .ADDR_W(ADDR_W), .DATA(WORDS)) u_words (
        .clk(clk), .en(en), .addr(place_1), .q(word_2)
    );
    samhw_delay #(.W(M), .N(2)) u_man (.clk(clk), .en(en), .x(man_1), .y(man_2));
    samhw_mul_low #(.A_W(M), .LIMBS(LIMBS)) u_turns (.clk(clk), .en(en), .a(man_2), .b(word_2), .p(t_5));
    samhw_delay #(.W(E_W+3), .N(5)) u_side (.clk(clk), .en(en), .x(side_1), .y(side_5));

    wire              back    = t_5[W-3];
    wire [F_W-2:0]    nearer  = t_5[W-4:M] ^ {(F_W-1){back}};
    wire [1:0]        quarter = t_5[W-1:W-2] + {1'b0, back} + {1'b0, TURNED != 0};
    reg  [F_W-2:0]    f_6;
    reg               upright_6;
    reg  [E_W+2:0]    side_6;
    wire [LZ_W-1:0]   zeros;
    samhw_leading_zeros #(.W(F_W-1), .N_W(LZ_W)) u_zeros (.x(f_6), .n(zeros));
    reg  [F_W-2:0]    f_7;
    reg  [LZ_W-1:0]   zeros_7;
    reg               upright_7;
    reg  [E_W+2:0]    side_7;
    wire [F_W-2:0]    raised = f_7 << zeros_7;
    reg  [FRAC-1:0]   factor_8;
    reg  [E_W+2:0]    side_8;
    wire [FRAC-1:0]   factor_9;
    wire [E_W+2:0]    side_9;
    wire [Y_W-1:0]    value;
    reg  [Y_W-1:0]    value_9;
    wire [2*Y_W-1:0]  product;
    reg  [2*Y_W-1:0]  product_10;
    wire [E_W+2:0]    side_10;

    samhw_poly #(
        .X(X), .PIECES(PIECES), .PIECE_W(PIECE_W), .W0(W0), .W1(W1), .W2(W2), .C0(C0), .C1(C1), .C2(C2),
        .FALLS(FALLS), .BENDS(BENDS), .Y_W(Y_W), .MUL(P_MUL)
    ) u_poly (
        .clk(clk), .en(en), .piece({upright_6, f_6[F_W-2 -: PIECE_W-1]}), .x(f_6[F_W-1-PIECE_W -: X]), .y(value)
    );
    samhw_delay #(.W(FRAC), .N(P_MUL+5)) u_factor (.clk(clk), .en(en), .x(factor_8), .y(factor_9));
    samhw_delay #(.W(E_W+3), .N(P_MUL+4)) u_side_late (.clk(clk), .en(en), .x(side_8), .y(side_9));
    samhw_mul_full #(.W(Y_W), .DEPTH(MUL)) u_mul (
        .clk(clk), .en(en), .a(value_9), .b({2'b00, factor_9}), .p(product)
    );
    samhw_delay #(.W(E_W+3), .N(MUL+2)) u_side_last (.clk(clk), .en(en), .x(side_9), .y(side_10));

    always @(posedge clk)
        if (en) begin
            place_1    <= tiny ? {ADDR_W{1'b0}} : place[ADDR_W-1:0];
            man_1      <= tiny && TURNED != 0 ? {M{1'b0}} : man;
            side_1     <= {
                nan || inf, sign && TURNED == 0, tiny && TURNED == 0,
                tiny && TURNED == 0 ? {3'b000, exp} + TWO : BIAS
            };

            f_6        <= nearer;
            upright_6  <= quarter[0];
            side_6     <= {side_5[E_W+2], side_5[E_W+1] ^ quarter[1] ^ (back && !quarter[0]), side_5[E_W:0]};

            f_7        <= f_6;
            zeros_7    <= zeros;
            upright_7  <= upright_6;
            side_7     <= side_6;

            // Where the table has all of it, the factor is 1.
            factor_8   <= upright_7 ? {1'b1, {(FRAC-1){1'b0}}} : raised[F_W-2 -: FRAC];
            side_8     <= {
                side_7[E_W+2:E_W],
                side_7[E_W-1:0] + (upright_7 ? TWO : -{{(E_W-LZ_W){1'b0}}, zeros_7})
            };

            value_9    <= side_9[E_W] ? {2'b01, {FRAC{1'b0}}} : value;
            product_10 <= product;
        end

    samhw_float_round #(.EXP(EXP), .MAN(MAN), .W(2*FRAC+2), .E_W(E_W), .RIGHT(1)) u_round (
        .clk(clk), .en(en), .nan(side_10[E_W+2]), .inf(1'b0), .sign(side_10[E_W+1]),
        .exp(side_10[E_W-1:0]), .man(product_10[2*FRAC+1:0]), .y(y)
    );

    wire _unused_ok = &{
        1'b0, zero, place, t_5[M-1:0], f_6, raised, product_10[2*Y_W-1:2*FRAC+2], side_10[E_W], FIRST, 1'b0
    };

endmodule

`default_nettype wire
