// SPDX-License-Identifier: Apache-2.0
//
// e^a and 2^a of an IEEE float: 2^(a FACTOR), whose whole part is the exponent, and whose fraction a table knows.
//
//   Throughput  one per cycle with en = 1; with en = 0 nothing moves.
//   Latency     MUL + P_MUL + 14 cycles: distance | fixed point | MUL, product | sign | samhw_poly |
//               samhw_float_round, whose last step is combinational, for the user's register.
//   Parameters  EXP, at least 3, MAN: exponent and fraction bits. FRAC: bits after the point; FACTOR: log2 e, or 1, of
//               EXP + FRAC bits, one before the point; MUL: DEPTH of samhw_mul_full for as many. X to BENDS
//               and P_MUL as in samhw_poly: 2^x, x from 0 to 1.
//   Reset       none.
`default_nettype none

module samhw_float_exp #(
    parameter                 EXP     = 8,
    parameter                 MAN     = 23,
    parameter                 FRAC    = 28,
    parameter [EXP+FRAC-1:0]  FACTOR  = {(EXP+FRAC){1'b0}},
    parameter                 MUL     = 2,
    parameter                 X       = 21,
    parameter                 PIECES  = 2,
    parameter                 PIECE_W = 1,
    parameter                 W0      = 8,
    parameter                 W1      = 8,
    parameter                 W2      = 8,
    parameter [PIECES*W0-1:0] C0      = {(PIECES*W0){1'b0}},
    parameter [PIECES*W1-1:0] C1      = {(PIECES*W1){1'b0}},
    parameter [PIECES*W2-1:0] C2      = {(PIECES*W2){1'b0}},
    parameter                 FALLS   = 0,
    parameter                 BENDS   = 0,
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
            || MUL < 0 || MUL > 5
            || X < 1 || PIECES < 1 || PIECE_W < 1 || W0 < 1 || W1 < 1 || W2 < 1
            || PIECES > 1 << PIECE_W
            || FALLS < 0 || FALLS > 1 || BENDS < 0 || BENDS > 1
            || P_MUL < 0 || P_MUL > 5) begin : g_parameters
            samhw_parameter_out_of_range refused ();
        end
    endgenerate

    localparam W   = EXP + FRAC;
    localparam D_W = $clog2(W+1);
    localparam E_W = EXP + 3;
    localparam [31:0]    ALL  = W;
    localparam [31:0]    MOST = (1 << (EXP-1)) + EXP - 2;   // the exponent of what has its highest bit on top
    localparam [EXP:0]   TOP  = MOST[EXP:0];
    localparam [EXP:0]   FAR  = ALL[EXP:0];
    localparam [E_W-1:0] BIAS = {4'b0000, {(EXP-1){1'b1}}};

    wire           sign, nan, inf, zero;
    wire [EXP-1:0] exp;
    wire [MAN:0]   man;
    samhw_float_parts #(.EXP(EXP), .MAN(MAN)) u_a (
        .x(a), .sign(sign), .exp(exp), .man(man), .nan(nan), .inf(inf), .zero(zero)
    );

    wire [EXP:0]   down = TOP - {1'b0, exp};
    reg  [EXP:0]   down_1;
    reg  [MAN:0]   man_1;
    reg  [2:0]     side_1;   // nan, beyond the range, sign
    reg  [W-1:0]   x_2;
    wire [2*W-1:0] product;
    reg  [W:0]     t_3;
    reg  [W+1:0]   t_4;
    wire [2:0]     side_3;
    wire [2:0]     side_5;
    wire [E_W-1:0] whole_5;
    wire [FRAC+1:0] man_5;

    samhw_mul_full #(.W(W), .DEPTH(MUL)) u_mul (.clk(clk), .en(en), .a(x_2), .b(FACTOR), .p(product));
    samhw_delay #(.W(3), .N(MUL+2)) u_side (.clk(clk), .en(en), .x(side_1), .y(side_3));

    always @(posedge clk)
        if (en) begin
            down_1 <= down;
            man_1  <= man;
            side_1 <= {nan, down[EXP], sign};
            x_2    <= down_1 > FAR ? {W{1'b0}} : {man_1, {(W-MAN-1){1'b0}}} >> down_1[D_W-1:0];
            t_3    <= product[2*W-1:W-1];
            t_4    <= side_3[0] ? -{1'b0, t_3} : {1'b0, t_3};
        end

    samhw_poly #(
        .X(X), .PIECES(PIECES), .PIECE_W(PIECE_W), .W0(W0), .W1(W1), .W2(W2), .C0(C0), .C1(C1), .C2(C2),
        .FALLS(FALLS), .BENDS(BENDS), .Y_W(FRAC+2), .MUL(P_MUL)
    ) u_poly (.clk(clk), .en(en), .piece(t_4[FRAC-1:X]), .x(t_4[X-1:0]), .y(man_5));
    samhw_delay #(.W(3), .N(P_MUL+7)) u_side_late (.clk(clk), .en(en), .x(side_3), .y(side_5));
    // The exponent of the highest bit of man_5.
    wire [E_W-1:0] whole = {t_4[W+1], t_4[W+1:FRAC]} + BIAS + {{(E_W-1){1'b0}}, 1'b1};
    samhw_delay #(.W(E_W), .N(P_MUL+6)) u_whole (.clk(clk), .en(en), .x(whole), .y(whole_5));

    wire over = side_5[1];
    samhw_float_round #(.EXP(EXP), .MAN(MAN), .W(FRAC+2), .E_W(E_W), .RIGHT(1)) u_round (
        .clk(clk), .en(en), .nan(side_5[2]), .inf(over && !side_5[0]), .sign(1'b0),
        .exp(whole_5), .man(over ? {(FRAC+2){1'b0}} : man_5), .y(y)
    );

    wire _unused_ok = &{1'b0, inf, zero, product[W-2:0], ALL, MOST, 1'b0};

endmodule

`default_nettype wire
