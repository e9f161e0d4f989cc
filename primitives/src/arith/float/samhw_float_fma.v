// SPDX-License-Identifier: Apache-2.0
//
// a * b + c of IEEE floats, rounded once, to nearest, ties to even; NaN is the quiet NaN without payload.
//
//   Throughput  one per cycle with en = 1; with en = 0 nothing moves.
//   Latency     DEPTH + 9 cycles: operands | DEPTH of samhw_mul_full | product, distance | aligned
//               addend | sum | sign | count | amount | normalise | subnormal; rounding is
//               combinational, for the user's register.
//   Parameters  EXP, at least 3, MAN: exponent and fraction bits; DEPTH of samhw_mul_full for MAN + 1 bits.
//   Reset       none.
`default_nettype none

module samhw_float_fma #(
    parameter EXP   = 8,
    parameter MAN   = 23,
    parameter DEPTH = 2
) (
    input  wire             clk,
    input  wire             en,
    input  wire [EXP+MAN:0] a,
    input  wire [EXP+MAN:0] b,
    input  wire [EXP+MAN:0] c,
    output wire [EXP+MAN:0] y
);
    generate
        if (EXP < 3 || MAN < 1 || (DEPTH != 0 && DEPTH != 2 && DEPTH != 4 && DEPTH != 5)) begin : g_parameters
            samhw_parameter_out_of_range refused ();
        end
    endgenerate

    localparam M   = MAN + 1;
    localparam E_W = EXP + 3;
    // The window: the addend at the top, three bits of room, the product, four bits below it.
    localparam W   = 3*M + 7;
    localparam D_W = $clog2(W+1);
    localparam [31:0]    WINDOW = W;
    localparam [31:0]    ROOM   = M + 3;
    localparam [E_W-1:0] FAR    = WINDOW[E_W-1:0];
    localparam [E_W-1:0] BIAS   = {4'b0000, {(EXP-1){1'b1}}};
    localparam [E_W-1:0] LEAD   = ROOM[E_W-1:0];
    localparam [E_W-1:0] ONE    = {{(E_W-1){1'b0}}, 1'b1};

    wire           a_sign, b_sign, c_sign, a_nan, b_nan, c_nan, a_inf, b_inf, c_inf, a_zero, b_zero, c_zero;
    wire [EXP-1:0] a_exp, b_exp, c_exp;
    wire [MAN:0]   a_man, b_man, c_man;
    samhw_float_parts #(.EXP(EXP), .MAN(MAN)) u_a (
        .x(a), .sign(a_sign), .exp(a_exp), .man(a_man), .nan(a_nan), .inf(a_inf), .zero(a_zero)
    );
    samhw_float_parts #(.EXP(EXP), .MAN(MAN)) u_b (
        .x(b), .sign(b_sign), .exp(b_exp), .man(b_man), .nan(b_nan), .inf(b_inf), .zero(b_zero)
    );
    samhw_float_parts #(.EXP(EXP), .MAN(MAN)) u_c (
        .x(c), .sign(c_sign), .exp(c_exp), .man(c_man), .nan(c_nan), .inf(c_inf), .zero(c_zero)
    );

    wire sign   = a_sign != b_sign;
    wire no_inf = (a_inf && b_zero) || (a_zero && b_inf);
    wire big    = a_inf || b_inf;

    // Beside the product: nan, inf, its sign (of an infinite result: the result's), whether the addend
    // has the other sign, whether the product is 0; the exponent of the product's highest bit; the addend.
    localparam S_W = 5 + E_W + EXP + M;
    reg  [MAN:0]             a_1, b_1;
    reg  [(DEPTH+1)*S_W-1:0] side;
    wire [(DEPTH+2)*S_W-1:0] side_in = {
        side,
        a_nan || b_nan || c_nan || no_inf || (big && c_inf && sign != c_sign), big || c_inf,
        c_inf ? c_sign : sign, sign != c_sign, a_zero || b_zero,
        {3'b000, a_exp} + {3'b000, b_exp} - BIAS + ONE,
        c_exp, c_man
    };
    wire [2*M-1:0]           p;
    samhw_mul_full #(.W(M), .DEPTH(DEPTH)) u_mul (.clk(clk), .en(en), .a(a_1), .b(b_1), .p(p));

    wire           nan_1, inf_1, sign_1, minus_1, none_1;
    wire [E_W-1:0] exp_1;
    wire [EXP-1:0] c_exp_1;
    wire [MAN:0]   c_man_1;
    assign {nan_1, inf_1, sign_1, minus_1, none_1, exp_1, c_exp_1, c_man_1} = side[DEPTH*S_W +: S_W];

    // How far the addend lies below the top of the window. Above it, it is itself the result, but
    // for what the product then adds below.
    wire [E_W-1:0] top     = exp_1 + LEAD;
    wire [E_W-1:0] down    = top - {3'b000, c_exp_1};
    wire           over    = down[E_W-1] || none_1;
    wire [D_W-1:0] by      = over ? {D_W{1'b0}} : down > FAR ? FAR[D_W-1:0] : down[D_W-1:0];

    reg            nan_2, inf_2, sign_2, minus_2, over_2;
    reg [E_W-1:0]  exp_2;
    reg [D_W-1:0]  by_2;
    reg [2*M-1:0]  p_2;
    reg [MAN:0]    c_man_2;
    reg            nan_3, inf_3, sign_3, minus_3;
    reg [E_W-1:0]  exp_3;
    reg [W-1:0]    p_3, c_3;
    reg            nan_4, inf_4, sign_4, minus_4;
    reg [E_W-1:0]  exp_4;
    reg [W:0]      sum_4;
    reg            nan_5, inf_5, sign_5;
    reg [E_W-1:0]  exp_5;
    reg [W-1:0]    man_5;

    wire [W-1:0]   aligned;
    samhw_shift_jam #(.W(W), .N_W(D_W)) u_align (.x({c_man_2, {(W-M){1'b0}}}), .n(by_2), .y(aligned));

    wire           negative = minus_4 && sum_4[W];
    wire           cancels  = sum_4[W-1:0] == {W{1'b0}};

    always @(posedge clk)
        if (en) begin
            a_1     <= a_man;
            b_1     <= b_man;
            side    <= side_in[(DEPTH+1)*S_W-1:0];

            nan_2   <= nan_1;
            inf_2   <= inf_1;
            sign_2  <= sign_1;
            minus_2 <= minus_1;
            over_2  <= over;
            exp_2   <= over ? {3'b000, c_exp_1} : top;
            by_2    <= by;
            p_2     <= p;
            c_man_2 <= c_man_1;

            nan_3   <= nan_2;
            inf_3   <= inf_2;
            sign_3  <= sign_2;
            minus_3 <= minus_2;
            exp_3   <= exp_2;
            p_3     <= over_2 ? {{(W-1){1'b0}}, p_2 != {(2*M){1'b0}}} : {{(M+3){1'b0}}, p_2, 4'b0000};
            c_3     <= aligned;

            nan_4   <= nan_3;
            inf_4   <= inf_3;
            sign_4  <= sign_3;
            minus_4 <= minus_3;
            exp_4   <= exp_3;
            sum_4   <= {1'b0, p_3} + ({1'b0, c_3} ^ {(W+1){minus_3}}) + {{W{1'b0}}, minus_3};

            // What cancels is +0.
            nan_5   <= nan_4;
            inf_5   <= inf_4;
            sign_5  <= inf_4 ? sign_4 : (sign_4 != negative) && !(minus_4 && cancels);
            exp_5   <= exp_4;
            man_5   <= (sum_4[W-1:0] ^ {W{negative}}) + {{(W-1){1'b0}}, negative};
        end

    samhw_float_round #(.EXP(EXP), .MAN(MAN), .W(W), .E_W(E_W), .RIGHT(1)) u_round (
        .clk(clk), .en(en),
        .nan(nan_5), .inf(inf_5), .sign(sign_5), .exp(exp_5), .man(man_5), .y(y)
    );

    wire _unused_ok = &{1'b0, side_in[(DEPTH+1)*S_W +: S_W], top, c_zero, 1'b0};

endmodule

`default_nettype wire
