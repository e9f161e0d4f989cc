// SPDX-License-Identifier: Apache-2.0
//
// Product of two IEEE floats, rounded to nearest, ties to even; NaN is the quiet NaN without payload.
//
//   Throughput  one per cycle with en = 1; with en = 0 nothing moves.
//   Latency     DEPTH + 6 cycles: operands | DEPTH of samhw_mul_full | product | count | amount |
//               normalise | subnormal; rounding is combinational, for the user's register.
//   Parameters  EXP, at least 3, MAN: exponent and fraction bits; DEPTH of samhw_mul_full for MAN + 1 bits.
//   Reset       none.
`default_nettype none

module samhw_float_mul #(
    parameter EXP   = 8,
    parameter MAN   = 23,
    parameter DEPTH = 2
) (
    input  wire             clk,
    input  wire             en,
    input  wire [EXP+MAN:0] a,
    input  wire [EXP+MAN:0] b,
    output wire [EXP+MAN:0] y
);
    generate
        if (EXP < 3 || MAN < 1 || (DEPTH != 0 && DEPTH != 2 && DEPTH != 4 && DEPTH != 5)) begin : g_parameters
            samhw_parameter_out_of_range refused ();
        end
    endgenerate

    localparam M = MAN + 1;
    localparam E_W = EXP + 2;
    localparam [E_W-1:0] BIAS = {3'b000, {(EXP-1){1'b1}}};

    wire           a_sign, b_sign, a_nan, b_nan, a_inf, b_inf, a_zero, b_zero;
    wire [EXP-1:0] a_exp, b_exp;
    wire [MAN:0]   a_man, b_man;
    samhw_float_parts #(.EXP(EXP), .MAN(MAN)) u_a (
        .x(a), .sign(a_sign), .exp(a_exp), .man(a_man), .nan(a_nan), .inf(a_inf), .zero(a_zero)
    );
    samhw_float_parts #(.EXP(EXP), .MAN(MAN)) u_b (
        .x(b), .sign(b_sign), .exp(b_exp), .man(b_man), .nan(b_nan), .inf(b_inf), .zero(b_zero)
    );

    // What goes beside the product: nan, inf, sign, exponent.
    localparam S_W = 3 + E_W;
    reg  [MAN:0]               a_1, b_1;
    reg  [(DEPTH+2)*S_W-1:0]   side;
    wire [(DEPTH+3)*S_W-1:0]   side_in = {
        side,
        a_nan || b_nan || (a_inf && b_zero) || (a_zero && b_inf), a_inf || b_inf, a_sign != b_sign,
        {2'b00, a_exp} + {2'b00, b_exp} - (BIAS - {{(E_W-1){1'b0}}, 1'b1})
    };
    wire [2*M-1:0]             p;
    reg  [2*M-1:0]             p_1;
    samhw_mul_full #(.W(M), .DEPTH(DEPTH)) u_mul (.clk(clk), .en(en), .a(a_1), .b(b_1), .p(p));
    always @(posedge clk)
        if (en) begin
            a_1  <= a_man;
            b_1  <= b_man;
            side <= side_in[(DEPTH+2)*S_W-1:0];
            p_1  <= p;
        end

    wire           nan, inf, sign;
    wire [E_W-1:0] exp;
    assign {nan, inf, sign, exp} = side[(DEPTH+1)*S_W +: S_W];
    samhw_float_round #(.EXP(EXP), .MAN(MAN), .W(2*M), .E_W(E_W), .RIGHT(1)) u_round (
        .clk(clk), .en(en),
        .nan(nan), .inf(inf), .sign(sign), .exp(exp), .man(p_1), .y(y)
    );

    wire _unused_ok = &{1'b0, side_in[(DEPTH+2)*S_W +: S_W], 1'b0};

endmodule

`default_nettype wire
