// SPDX-License-Identifier: Apache-2.0
//
// a * 2^n, n the whole part of the float b, toward zero; rounded once, to nearest, ties to even. NaN where a or b is.
//
//   Throughput  one per cycle with en = 1; with en = 0 nothing moves.
//   Latency     7 cycles: parts | n | exponent | count | amount | normalise | subnormal; rounding is
//               combinational, for the user's register.
//   Parameters  EXP, at least 3, MAN: exponent and fraction bits; 2**EXP + MAN + 3 is at most 2**(EXP+1).
//   Reset       none.
`default_nettype none

module samhw_float_scale #(
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
        if (EXP < 3 || MAN < 1 || MAN + 3 > 1 << EXP) begin : g_parameters
            samhw_parameter_out_of_range refused ();
        end
    endgenerate

    // n of N_W bits: from 2**N_W on, everything is infinite or 0.
    localparam N_W  = EXP + 1;
    localparam E_W  = EXP + 3;
    localparam BY_W = $clog2(N_W);
    localparam [31:0]    TOP  = (1 << (EXP-1)) - 1 + N_W - 1;
    localparam [EXP-1:0] BIAS = {1'b0, {(EXP-1){1'b1}}};
    localparam [EXP-1:0] MOST = TOP[EXP-1:0];  // exponent of 2**(N_W-1)

    wire           a_sign, b_sign, a_nan, b_nan, a_inf, b_inf, a_zero, b_zero;
    wire [EXP-1:0] a_exp, b_exp;
    wire [MAN:0]   a_man, b_man;
    samhw_float_parts #(.EXP(EXP), .MAN(MAN)) u_a (
        .x(a), .sign(a_sign), .exp(a_exp), .man(a_man), .nan(a_nan), .inf(a_inf), .zero(a_zero)
    );
    samhw_float_parts #(.EXP(EXP), .MAN(MAN)) u_b (
        .x(b), .sign(b_sign), .exp(b_exp), .man(b_man), .nan(b_nan), .inf(b_inf), .zero(b_zero)
    );
    wire [N_W+MAN:0] b_wide = {b_man, {N_W{1'b0}}};
    wire [EXP-1:0]   by     = MOST - b_exp;

    reg              nan_1, inf_1, sign_1;
    reg  [EXP-1:0]   exp_1;
    reg  [MAN:0]     man_1;
    reg              minus_1, small_1, large_1;
    reg  [BY_W-1:0]  by_1;
    reg  [N_W-1:0]   n_1;
    reg              nan_2, inf_2, sign_2;
    reg  [EXP-1:0]   exp_2;
    reg  [MAN:0]     man_2;
    reg              minus_2;
    reg  [N_W-1:0]   n_2;
    reg              nan_3, inf_3, sign_3;
    reg  [E_W-1:0]   exp_3;
    reg  [MAN:0]     man_3;

    wire [E_W-1:0] from = {{(E_W-EXP){1'b0}}, exp_2};
    wire [E_W-1:0] n    = {{(E_W-N_W){1'b0}}, n_2};
    always @(posedge clk)
        if (en) begin
            nan_1   <= a_nan || b_nan;
            inf_1   <= a_inf;
            sign_1  <= a_sign;
            exp_1   <= a_exp;
            man_1   <= a_man;
            minus_1 <= b_sign;
            small_1 <= b_exp < BIAS;
            large_1 <= b_exp > MOST;
            by_1    <= by[BY_W-1:0];
            n_1     <= b_wide[N_W+MAN -: N_W];

            nan_2   <= nan_1;
            inf_2   <= inf_1;
            sign_2  <= sign_1;
            exp_2   <= exp_1;
            man_2   <= man_1;
            minus_2 <= minus_1;
            n_2     <= large_1 ? {N_W{1'b1}} : small_1 ? {N_W{1'b0}} : n_1 >> by_1;

            nan_3   <= nan_2;
            inf_3   <= inf_2;
            sign_3  <= sign_2;
            man_3   <= man_2;
            exp_3   <= minus_2 ? from - n : from + n;
        end

    samhw_float_round #(.EXP(EXP), .MAN(MAN), .W(MAN+3), .E_W(E_W), .RIGHT(1)) u_round (
        .clk(clk), .en(en),
        .nan(nan_3), .inf(inf_3), .sign(sign_3), .exp(exp_3), .man({man_3, 2'b00}), .y(y)
    );

    wire _unused_ok = &{1'b0, a_zero, b_zero, b_inf, b_wide, by, 1'b0};

endmodule

`default_nettype wire
