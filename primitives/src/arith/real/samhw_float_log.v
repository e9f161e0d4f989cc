// SPDX-License-Identifier: Apache-2.0
//
// Logarithm of an IEEE float: of m 2^e it is e times that of 2, and that of m: m - 1 times what a table
// knows, m from 3/4 to 3/2.
//
//   Throughput  one per cycle with en = 1; with en = 0 nothing moves.
//   Latency     MUL + P_MUL + 13 cycles: count | normalise | samhw_poly | MUL, product | sum |
//               samhw_float_round, whose last step is combinational, for the user's register.
//   Parameters  EXP, at least 3, MAN, at least 4: exponent and fraction bits. FRAC: bits after the point of the
//               table's values; MUL: DEPTH of samhw_mul_full for FRAC + 2 bits. WORDS: multiples of the logarithm
//               of 2, from 0 on, of WORD_W bits, FRAC + 4 after the point. X to BENDS and P_MUL as in samhw_poly.
//   Reset       none.
`default_nettype none

module samhw_float_log #(
    parameter                         EXP     = 8,
    parameter                         MAN     = 23,
    parameter                         FRAC    = 28,
    parameter                         WORD_W  = 40,
    parameter [(1<<EXP)*WORD_W-1:0]   WORDS   = {((1<<EXP)*WORD_W){1'b0}},
    parameter                         MUL     = 2,
    parameter                         X       = 16,
    parameter                         PIECES  = 2,
    parameter                         PIECE_W = 1,
    parameter                         W0      = 8,
    parameter                         W1      = 8,
    parameter                         W2      = 8,
    parameter [PIECES*W0-1:0]         C0      = {(PIECES*W0){1'b0}},
    parameter [PIECES*W1-1:0]         C1      = {(PIECES*W1){1'b0}},
    parameter [PIECES*W2-1:0]         C2      = {(PIECES*W2){1'b0}},
    parameter                         FALLS   = 1,
    parameter                         BENDS   = 1,
    parameter                         P_MUL   = 0
) (
    input  wire             clk,
    input  wire             en,
    input  wire [EXP+MAN:0] a,
    output wire [EXP+MAN:0] y
);
    generate
        if (EXP < 3 || MAN < 4
            || FRAC < 1 || WORD_W < 1
            || MUL < 0 || MUL > 5
            || X < 1 || PIECES < 1 || PIECE_W < 1 || W0 < 1 || W1 < 1 || W2 < 1
            || PIECES > 1 << PIECE_W
            || FALLS < 0 || FALLS > 1 || BENDS < 0 || BENDS > 1
            || P_MUL < 0 || P_MUL > 5) begin : g_parameters
            samhw_parameter_out_of_range refused ();
        end
    endgenerate

    localparam Y_W   = FRAC + 2;
    localparam LZ_W  = $clog2(MAN+1);
    localparam X_E   = EXP + 2;              // bits of an exponent with sign
    localparam BELOW = MAN - 3;              // bits of the sum below those of WORDS
    localparam S_W   = WORD_W + BELOW;
    localparam E_W   = EXP + 2;
    localparam [X_E-1:0] BIAS = {3'b000, {(EXP-1){1'b1}}};
    localparam [31:0]    LAST = (1 << (EXP-1)) + EXP - 2;  // the exponent of the sum's highest bit

    wire            sign, nan, inf, zero;
    wire [EXP-1:0]  exp;
    wire [MAN:0]    man;
    samhw_float_parts #(.EXP(EXP), .MAN(MAN)) u_a (
        .x(a), .sign(sign), .exp(exp), .man(man), .nan(nan), .inf(inf), .zero(zero)
    );
    wire [LZ_W-1:0] zeros;
    samhw_leading_zeros #(.W(MAN+1), .N_W(LZ_W)) u_zeros (.x(man), .n(zeros));

    reg  [LZ_W-1:0] zeros_1;
    reg  [MAN:0]    man_1;
    reg  [EXP-1:0]  exp_1;
    reg  [2:0]      side_1;    // nan, infinite, zero
    reg  [MAN-1:0]  man_2;
    reg  [X_E-1:0]  exp_2;
    reg  [MAN-1:0]  x_3;
    reg  [X_E-1:0]  exp_3;
    reg             high_3;
    reg  [EXP-1:0]  size_4;
    reg  [2:0]      place_4;   // no multiple of the logarithm of 2, a negative one, m below 1

    wire [MAN:0]    raised = man_1 << zeros_1;
    wire            high   = man_2[MAN-1];
    wire [X_E-1:0]  minus  = -exp_3;
    wire [Y_W-1:0]  g;
    wire [MAN-1:0]  x_5;
    wire [EXP-1:0]  size_5;
    wire [2:0]      place_5;
    wire [2:0]      side_6;
    wire [2*Y_W-1:0] product;
    reg  [2*Y_W-1:0] product_6;
    wire [WORD_W-1:0] word_6;
    wire [2:0]      place_6;
    reg  [S_W-1:0]  sum_7;
    reg             sign_7;
    reg  [2:0]      side_7;

    samhw_poly #(
        .X(X), .PIECES(PIECES), .PIECE_W(PIECE_W), .W0(W0), .W1(W1), .W2(W2), .C0(C0), .C1(C1), .C2(C2),
        .FALLS(FALLS), .BENDS(BENDS), .Y_W(Y_W), .MUL(P_MUL)
    ) u_poly (.clk(clk), .en(en), .piece(man_2[MAN-1:X]), .x(man_2[X-1:0]), .y(g));
    samhw_delay #(.W(MAN), .N(P_MUL+5)) u_x (.clk(clk), .en(en), .x(x_3), .y(x_5));
    samhw_mul_full #(.W(Y_W), .DEPTH(MUL)) u_mul (
        .clk(clk), .en(en), .a(g), .b({{(Y_W-MAN){1'b0}}, x_5}), .p(product)
    );
    samhw_delay #(.W(EXP+3), .N(P_MUL+MUL+3)) u_place (
        .clk(clk), .en(en), .x({size_4, place_4}), .y({size_5, place_5})
    );
    samhw_delay #(.W(3), .N(2)) u_place_late (.clk(clk), .en(en), .x(place_5), .y(place_6));
    samhw_rom #(.W(WORD_W), .LINES(1<<EXP), .ADDR_W(EXP), .DATA(WORDS)) u_words (
        .clk(clk), .en(en), .addr(size_5), .q(word_6)
    );
    samhw_delay #(.W(3), .N(P_MUL+MUL+8)) u_side (.clk(clk), .en(en), .x(side_1), .y(side_6));

    // The product has MAN + 1 + FRAC bits after the point.
    wire [S_W-1:0] whole = {word_6, {BELOW{1'b0}}};
    wire [S_W+2*Y_W-1:0] part = {{S_W{1'b0}}, product_6};
    wire           more  = place_6[1] == place_6[0];

    always @(posedge clk)
        if (en) begin
            zeros_1   <= zeros;
            man_1     <= man;
            exp_1     <= exp;
            side_1    <= {nan || (sign && !zero), inf, zero};
            man_2     <= raised[MAN-1:0];
            exp_2     <= {2'b00, exp_1} - BIAS - {{(X_E-LZ_W){1'b0}}, zeros_1};
            x_3       <= high ? -man_2 : {man_2[MAN-2:0], 1'b0};
            exp_3     <= exp_2 + {{(X_E-1){1'b0}}, high};
            high_3    <= high;
            size_4    <= exp_3[X_E-1] ? minus[EXP-1:0] : exp_3[EXP-1:0];
            place_4   <= {exp_3 == {X_E{1'b0}}, exp_3[X_E-1], high_3};
            product_6 <= product;
            sum_7     <= place_6[2] ? part[S_W-1:0] : more ? whole + part[S_W-1:0] : whole - part[S_W-1:0];
            sign_7    <= side_6[0] || (!side_6[1] && (place_6[2] ? place_6[0] : place_6[1]));
            side_7    <= side_6;
        end

    samhw_float_round #(.EXP(EXP), .MAN(MAN), .W(S_W), .E_W(E_W), .RIGHT(0)) u_round (
        .clk(clk), .en(en), .nan(side_7[2]), .inf(side_7[1] || side_7[0]), .sign(sign_7),
        .exp(LAST[E_W-1:0]), .man(sum_7), .y(y)
    );

    wire _unused_ok = &{1'b0, raised[MAN], minus, part, LAST, 1'b0};

endmodule

`default_nettype wire
