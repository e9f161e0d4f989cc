// SPDX-License-Identifier: Apache-2.0
//
// Quotient of two IEEE floats, rounded to nearest, ties to even; NaN is the quiet NaN without payload. A stage
// for each bit of the quotient.
//
//   Throughput  one per cycle with en = 1; with en = 0 nothing moves.
//   Latency     MAN + 10 cycles: count | normalise | MAN + 3 bits | rest | samhw_float_round, whose last step is
//               combinational, for the user's register.
//   Parameters  EXP, MAN: exponent and fraction bits, EXP at least 3.
//   Reset       none.
`default_nettype none

module samhw_float_div #(
    parameter EXP = 8,
    parameter MAN = 23
) (
    input  wire             clk,
    input  wire             en,
    input  wire [EXP+MAN:0] a,
    input  wire [EXP+MAN:0] b,
    output wire [EXP+MAN:0] y
);
    generate
        if (EXP < 3 || MAN < 1) begin : g_parameters
            samhw_parameter_out_of_range refused ();
        end
    endgenerate

    localparam M    = MAN + 1;
    localparam N    = MAN + 3;               // bits of the quotient, one before the point
    localparam LZ_W = $clog2(M);
    localparam E_W  = EXP + 3;
    localparam [E_W-1:0] BIAS = {4'b0000, {(EXP-1){1'b1}}};

    wire           a_sign, b_sign, a_nan, b_nan, a_inf, b_inf, a_zero, b_zero;
    wire [EXP-1:0] a_exp, b_exp;
    wire [MAN:0]   a_man, b_man;
    samhw_float_parts #(.EXP(EXP), .MAN(MAN)) u_a (
        .x(a), .sign(a_sign), .exp(a_exp), .man(a_man), .nan(a_nan), .inf(a_inf), .zero(a_zero)
    );
    samhw_float_parts #(.EXP(EXP), .MAN(MAN)) u_b (
        .x(b), .sign(b_sign), .exp(b_exp), .man(b_man), .nan(b_nan), .inf(b_inf), .zero(b_zero)
    );
    wire [LZ_W-1:0] a_zeros, b_zeros;
    samhw_leading_zeros #(.W(M), .N_W(LZ_W)) u_a_zeros (.x(a_man), .n(a_zeros));
    samhw_leading_zeros #(.W(M), .N_W(LZ_W)) u_b_zeros (.x(b_man), .n(b_zeros));

    // Beside it: nan, inf, sign, exponent.
    reg  [LZ_W-1:0] a_zeros_1, b_zeros_1;
    reg  [MAN:0]    a_man_1, b_man_1;
    reg  [E_W+2:0]  side_1;
    reg  [MAN:0]    a_man_2, b_man_2;
    reg  [E_W+2:0]  side_2;
    wire [E_W+2:0]  side_3;
    reg  [N:0]      man_3;
    samhw_delay #(.W(E_W+3), .N(N+1)) u_side (.clk(clk), .en(en), .x(side_2), .y(side_3));

    always @(posedge clk)
        if (en) begin
            a_zeros_1 <= a_zeros;
            b_zeros_1 <= b_zeros;
            a_man_1   <= b_inf ? {M{1'b0}} : a_man;
            b_man_1   <= b_man;
            side_1    <= {
                a_nan || b_nan || (a_inf && b_inf) || (a_zero && b_zero), a_inf || b_zero, a_sign != b_sign,
                BIAS + {3'b000, a_exp} - {3'b000, b_exp}
            };
            a_man_2   <= a_man_1 << a_zeros_1;
            b_man_2   <= b_man_1 << b_zeros_1;
            side_2    <= {
                side_1[E_W+2:E_W],
                side_1[E_W-1:0] + {{(E_W-LZ_W){1'b0}}, b_zeros_1} - {{(E_W-LZ_W){1'b0}}, a_zeros_1}
            };
        end

    // The first bit of the quotient is the one before the point.
    wire [N-1:0] q;
    wire [MAN:0] rest;
    wire [MAN:0] by;
    samhw_quotient #(.W(M), .N(N), .H(MAN)) u_quotient (
        .clk(clk), .en(en), .high({1'b0, a_man_2[MAN:1]}), .low({a_man_2[0], {(N-1){1'b0}}}), .b(b_man_2),
        .q(q), .rest(rest), .by(by)
    );

    always @(posedge clk)
        if (en)
            man_3 <= {q, rest != {M{1'b0}}};

    samhw_float_round #(.EXP(EXP), .MAN(MAN), .W(N+1), .E_W(E_W), .RIGHT(1)) u_round (
        .clk(clk), .en(en), .nan(side_3[E_W+2]), .inf(side_3[E_W+1]), .sign(side_3[E_W]),
        .exp(side_3[E_W-1:0]), .man(man_3), .y(y)
    );

    wire _unused_ok = &{1'b0, by, 1'b0};

endmodule

`default_nettype wire
