// SPDX-License-Identifier: Apache-2.0
//
// Sum of two IEEE floats, rounded to nearest, ties to even; NaN is the quiet NaN without payload.
//
//   Throughput  one per cycle with en = 1; with en = 0 nothing moves.
//   Latency     7 cycles: order | swap | align | sum | count | amount | normalise; rounding is
//               combinational, for the user's register.
//   Parameters  EXP, MAN: exponent and fraction bits, EXP at least 3.
//   Reset       none.
`default_nettype none

module samhw_float_add #(
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

    localparam M   = MAN + 1;
    localparam N   = EXP + MAN;   // bits without the sign
    localparam A_W = M + 3;       // guard, round and sticky bit
    localparam D_W = $clog2(A_W+1);
    localparam [31:0]    ALL = A_W;
    localparam [EXP-1:0] FAR = ALL[EXP-1:0];

    // Which is larger, and by how many places, both ways.
    wire           a_sign, b_sign, a_nan, b_nan, a_inf, b_inf, a_zero, b_zero;
    wire [EXP-1:0] a_exp, b_exp;
    wire [MAN:0]   a_man, b_man;
    samhw_float_parts #(.EXP(EXP), .MAN(MAN)) u_a (
        .x(a), .sign(a_sign), .exp(a_exp), .man(a_man), .nan(a_nan), .inf(a_inf), .zero(a_zero)
    );
    samhw_float_parts #(.EXP(EXP), .MAN(MAN)) u_b (
        .x(b), .sign(b_sign), .exp(b_exp), .man(b_man), .nan(b_nan), .inf(b_inf), .zero(b_zero)
    );

    reg            less_1;
    reg [EXP-1:0]  a_over;
    reg [EXP-1:0]  b_over;
    reg            a_sign_1, b_sign_1, nan_1, inf_1;
    reg [EXP-1:0]  a_exp_1, b_exp_1;
    reg [MAN:0]    a_man_1, b_man_1;

    reg            sign_2, minus_2, nan_2, inf_2;
    reg [EXP-1:0]  exp_2;
    reg [MAN:0]    big_2, small_2;
    reg [D_W-1:0]  by_2;

    reg            sign_3, minus_3, nan_3, inf_3;
    reg [EXP-1:0]  exp_3;
    reg [MAN:0]    big_3;
    reg [A_W-1:0]  small_3;

    reg            sign_4, nan_4, inf_4;
    reg [EXP-1:0]  exp_4;
    reg [A_W:0]    sum_4;

    wire [EXP-1:0] by = less_1 ? b_over : a_over;
    wire [A_W-1:0] aligned;
    samhw_shift_jam #(.W(A_W), .N_W(D_W)) u_align (.x({small_2, 3'b000}), .n(by_2), .y(aligned));
    wire [A_W:0]   sum = {1'b0, big_3, 3'b000} + ({1'b0, small_3} ^ {(A_W+1){minus_3}}) + {{A_W{1'b0}}, minus_3};

    always @(posedge clk)
        if (en) begin
            less_1   <= a[N-1:0] < b[N-1:0];
            a_over   <= a_exp - b_exp;
            b_over   <= b_exp - a_exp;
            a_sign_1 <= a_sign;
            b_sign_1 <= b_sign;
            a_exp_1  <= a_exp;
            b_exp_1  <= b_exp;
            a_man_1  <= a_man;
            b_man_1  <= b_man;
            nan_1    <= a_nan || b_nan || (a_inf && b_inf && a_sign != b_sign);
            inf_1    <= a_inf || b_inf;

            sign_2   <= less_1 ? b_sign_1 : a_sign_1;
            minus_2  <= a_sign_1 != b_sign_1;
            exp_2    <= less_1 ? b_exp_1 : a_exp_1;
            big_2    <= less_1 ? b_man_1 : a_man_1;
            small_2  <= less_1 ? a_man_1 : b_man_1;
            by_2     <= by > FAR ? FAR[D_W-1:0] : by[D_W-1:0];
            nan_2    <= nan_1;
            inf_2    <= inf_1;

            sign_3   <= sign_2;
            minus_3  <= minus_2;
            exp_3    <= exp_2;
            big_3    <= big_2;
            small_3  <= aligned;
            nan_3    <= nan_2;
            inf_3    <= inf_2;

            // What cancels is +0.
            sign_4   <= sign_3 && !(minus_3 && sum == {(A_W+1){1'b0}});
            exp_4    <= exp_3;
            sum_4    <= sum;
            nan_4    <= nan_3;
            inf_4    <= inf_3;
        end

    samhw_float_round #(.EXP(EXP), .MAN(MAN), .W(A_W+1), .E_W(EXP+2), .RIGHT(0)) u_round (
        .clk(clk), .en(en),
        .nan(nan_4), .inf(inf_4), .sign(sign_4),
        .exp({2'b00, exp_4} + {{(EXP+1){1'b0}}, 1'b1}), .man(sum_4), .y(y)
    );

    wire _unused_ok = &{1'b0, a_zero, b_zero, by, 1'b0};

endmodule

`default_nettype wire
