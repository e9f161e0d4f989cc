// SPDX-License-Identifier: Apache-2.0
//
// Hyperbolic tangent of an IEEE float: a table for each exponent of the argument has tanh(m 2^e) / 2^e, and tanh itself
// from 1 on. Smaller arguments are their tangents; those of larger ones are 1.
//
//   Throughput  one per cycle with en = 1; with en = 0 nothing moves.
//   Latency     P_MUL + 11 cycles: address | samhw_poly | choice | samhw_float_round, whose last step is
//               combinational, for the user's register.
//   Parameters  EXP, at least 3, MAN: exponent and fraction bits. FRAC: bits after the point of the table's values;
//               LEAST, MOST: the first exponent that the table has, and the first one after it. X to BENDS
//               and P_MUL as in samhw_poly.
//   Reset       none.
`default_nettype none

module samhw_float_tanh #(
    parameter                 EXP     = 8,
    parameter                 MAN     = 23,
    parameter                 FRAC    = 28,
    parameter                 LEAST   = 115,
    parameter                 MOST    = 131,
    parameter                 X       = 17,
    parameter                 PIECES  = 2,
    parameter                 PIECE_W = 1,
    parameter                 W0      = 8,
    parameter                 W1      = 8,
    parameter                 W2      = 8,
    parameter [PIECES*W0-1:0] C0      = {(PIECES*W0){1'b0}},
    parameter [PIECES*W1-1:0] C1      = {(PIECES*W1){1'b0}},
    parameter [PIECES*W2-1:0] C2      = {(PIECES*W2){1'b0}},
    parameter                 FALLS   = 0,
    parameter                 BENDS   = 1,
    parameter                 P_MUL   = 0
) (
    input  wire             clk,
    input  wire             en,
    input  wire [EXP+MAN:0] a,
    output wire [EXP+MAN:0] y
);
    generate
        if (EXP < 3 || MAN < 1
            || FRAC < 1
            || LEAST < 0 || MOST <= LEAST
            || X < 1 || PIECES < 1 || PIECE_W < 1 || W0 < 1 || W1 < 1 || W2 < 1
            || PIECES > 1 << PIECE_W
            || FALLS < 0 || FALLS > 1 || BENDS < 0 || BENDS > 1
            || P_MUL < 0 || P_MUL > 5) begin : g_parameters
            samhw_parameter_out_of_range refused ();
        end
    endgenerate

    localparam Y_W = FRAC + 2;
    localparam S_W = 4 + EXP + MAN + 1;
    localparam [31:0]    FIRST = LEAST;
    localparam [31:0]    END   = MOST;
    localparam [EXP-1:0] LOW   = FIRST[EXP-1:0];
    localparam [EXP-1:0] HIGH  = END[EXP-1:0];
    localparam [EXP-1:0] BIAS  = {1'b0, {(EXP-1){1'b1}}};

    wire           sign, nan, inf, zero;
    wire [EXP-1:0] exp;
    wire [MAN:0]   man;
    samhw_float_parts #(.EXP(EXP), .MAN(MAN)) u_a (
        .x(a), .sign(sign), .exp(exp), .man(man), .nan(nan), .inf(inf), .zero(zero)
    );
    wire [EXP-1:0] place = exp - LOW;

    reg  [PIECE_W-1:0] piece_1;
    reg  [X-1:0]       x_1;
    reg  [S_W-1:0]     side_1;
    wire [S_W-1:0]     side_2;
    wire [Y_W-1:0]     value;
    reg                nan_3, sign_3;
    reg  [EXP-1:0]     exp_3;
    reg  [Y_W-1:0]     man_3;

    samhw_poly #(
        .X(X), .PIECES(PIECES), .PIECE_W(PIECE_W), .W0(W0), .W1(W1), .W2(W2), .C0(C0), .C1(C1), .C2(C2),
        .FALLS(FALLS), .BENDS(BENDS), .Y_W(Y_W), .MUL(P_MUL)
    ) u_poly (.clk(clk), .en(en), .piece(piece_1), .x(x_1), .y(value));
    samhw_delay #(.W(S_W), .N(P_MUL+6)) u_side (.clk(clk), .en(en), .x(side_1), .y(side_2));

    wire               nan_2, sign_2, small_2, one_2;
    wire [EXP-1:0]     exp_2;
    wire [MAN:0]       man_2;
    assign {nan_2, sign_2, small_2, one_2, exp_2, man_2} = side_2;

    wire [EXP+MAN-X-1:0] piece = {place, man[MAN-1:X]};

    always @(posedge clk)
        if (en) begin
            piece_1 <= piece[PIECE_W-1:0];
            x_1     <= man[X-1:0];
            side_1  <= {nan, sign, exp < LOW, exp >= HIGH, exp > BIAS ? BIAS : exp, man};

            nan_3   <= nan_2;
            sign_3  <= sign_2;
            exp_3   <= exp_2;
            man_3   <= small_2 ? {1'b0, man_2, {(FRAC-MAN){1'b0}}} : one_2 ? {2'b01, {FRAC{1'b0}}} : value;
        end

    samhw_float_round #(.EXP(EXP), .MAN(MAN), .W(Y_W), .E_W(EXP+2), .RIGHT(0)) u_round (
        .clk(clk), .en(en), .nan(nan_3), .inf(1'b0), .sign(sign_3),
        .exp({2'b00, exp_3} + {{(EXP+1){1'b0}}, 1'b1}), .man(man_3), .y(y)
    );

    wire _unused_ok = &{1'b0, inf, zero, piece, FIRST, END, 1'b0};

endmodule

`default_nettype wire
