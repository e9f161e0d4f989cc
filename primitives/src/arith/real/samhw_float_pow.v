// SPDX-License-Identifier: Apache-2.0
//
// a^b of IEEE floats: 2^(b log2 |a|). The logarithm of m 2^e is e and that of m: m - 1 times what a table
// knows, m from 3/4 to 3/2. Of the product the whole part is the exponent, and a table knows the power of the
// fraction.
//
//   Throughput  one per cycle with en = 1; with en = 0 nothing moves.
//   Latency     37 cycles: count | normalise | samhw_poly | product | sum | count | normalise | product |
//               fixed point | sign | samhw_poly | samhw_float_round, whose last step is combinational, for
//               the user's register.
//   Parameters  EXP, at least 3, MAN, at most 23: exponent and fraction bits. The tables (samhw_pow_tables) are the
//               same for all.
//   Reset       none.
//   Source      IEEE 754-2019, section 9.2.1, for zeros, infinities and NaN.
`default_nettype none

module samhw_float_pow #(
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
        if (EXP < 3 || MAN < 1 || MAN > 23) begin : g_parameters
            samhw_parameter_out_of_range refused ();
        end
    endgenerate

    localparam M    = 23;             // bits of the fraction that the table of logarithms takes
    localparam G_W  = 40;             // bits of what it gives
    localparam P_W  = M + G_W - 1;    // bits of a logarithm after the point
    localparam S_W  = P_W + EXP;
    localparam T_W  = 40;             // bits of a logarithm that are multiplied by b
    localparam Q_W  = T_W + MAN + 1;
    localparam F_W  = 31;             // bits of an exponent of 2 after the point
    localparam LZ_W = $clog2(MAN+1);
    localparam SZ_W = $clog2(S_W);
    localparam X_E  = EXP + 2;        // bits of a float's exponent with sign
    localparam K_E  = EXP + 5;        // bits of that of a product with b
    localparam N_W  = $clog2(MAN+2);
    localparam D_W  = $clog2(Q_W);
    localparam E_W  = EXP + 3;
    localparam [31:0]    MIDDLE = (1 << (EXP-1)) - 1;
    localparam [31:0]    HIGH   = EXP - 1;
    localparam [31:0]    RANGE  = EXP;
    localparam [31:0]    LEVEL  = T_W - 1 + MAN - F_W;
    localparam [31:0]    ALL    = Q_W;
    localparam [31:0]    ENDS   = MAN + 1;
    localparam [X_E-1:0] BIAS   = MIDDLE[X_E-1:0];

    wire           a_sign, a_nan, a_inf, a_zero;
    wire [EXP-1:0] a_exp;
    wire [MAN:0]   a_man;
    samhw_float_parts #(.EXP(EXP), .MAN(MAN)) u_a (
        .x(a), .sign(a_sign), .exp(a_exp), .man(a_man), .nan(a_nan), .inf(a_inf), .zero(a_zero)
    );
    wire           b_sign, b_nan, b_inf, b_zero;
    wire [EXP-1:0] b_exp;
    wire [MAN:0]   b_man;
    samhw_float_parts #(.EXP(EXP), .MAN(MAN)) u_b (
        .x(b), .sign(b_sign), .exp(b_exp), .man(b_man), .nan(b_nan), .inf(b_inf), .zero(b_zero)
    );

    // What is no power of usual numbers. A number is whole whose bits below the point are 0, and odd by the
    // one above it.
    reg  [4:0]       a_1;      // of size 1, nan, infinite, zero, sign
    reg  [3:0]       b_1;      // nan, infinite, zero, sign
    reg  [MAN:0]     b_man_1;
    reg  [X_E-1:0]   b_exp_1;
    reg  [4:0]       a_2;
    reg  [3:0]       b_2;
    reg              whole_2;
    reg              odd_2;
    reg  [6:0]       side_3;   // it is 1; nan; negative; infinite or 0; a is; a is 0; b is negative
    wire [N_W-1:0]   up_1     = b_exp_1 > ENDS[X_E-1:0] ? ENDS[N_W-1:0] : b_exp_1[N_W-1:0];
    wire [2*MAN+2:0] spread_1 = {{(MAN+2){1'b0}}, b_man_1} << up_1;
    wire             one_2    = b_2[1] || (a_2[4] && (!a_2[0] || b_2[2]));
    always @(posedge clk)
        if (en) begin
            a_1     <= {a[EXP+MAN-1:0] == {1'b0, {(EXP-1){1'b1}}, {MAN{1'b0}}}, a_nan, a_inf, a_zero, a_sign};
            b_1     <= {b_nan, b_inf, b_zero, b_sign};
            b_man_1 <= b_man;
            b_exp_1 <= {2'b00, b_exp} - BIAS;
            a_2     <= a_1;
            b_2     <= b_1;
            whole_2 <= b_1[1] || (!b_exp_1[X_E-1] && spread_1[MAN-1:0] == {MAN{1'b0}});
            odd_2   <= !b_exp_1[X_E-1] && spread_1[MAN];
            side_3  <= {
                one_2, a_2[3] || b_2[3] || (a_2[0] && !whole_2 && !a_2[2] && !a_2[1]), a_2[0] && whole_2 && odd_2,
                a_2[2] || a_2[1] || b_2[2], a_2[2] || a_2[1], a_2[1], b_2[0]
            };
        end

    // The logarithm of a's size.
    wire [LZ_W-1:0]  zeros;
    samhw_leading_zeros #(.W(MAN+1), .N_W(LZ_W)) u_zeros (.x(a_man), .n(zeros));
    reg  [LZ_W-1:0]  zeros_1;
    reg  [MAN:0]     man_1;
    reg  [EXP-1:0]   exp_1;
    reg  [MAN-1:0]   man_2;
    reg  [X_E-1:0]   exp_2;
    reg  [M-1:0]     x_3;
    reg  [X_E-1:0]   exp_3;
    reg              high_3;
    reg  [EXP-1:0]   size_4;
    reg  [2:0]       place_4;  // no whole part; a negative one; m below 1
    wire [MAN:0]     raised_1 = man_1 << zeros_1;
    wire [MAN+M-1:0] spread_2 = {man_2, {M{1'b0}}};
    wire [M-1:0]     part_2   = spread_2[MAN+M-1 -: M];
    wire             high_2   = man_2[MAN-1];
    wire [X_E-1:0]   minus_3  = -exp_3;
    wire [G_W-1:0]   g_10;
    wire [M-1:0]     x_10;
    wire [2*G_W-1:0] product_14;
    reg  [P_W-1:0]   product_15;
    wire [EXP-1:0]   size_15;
    wire [2:0]       place_15;
    wire [6:0]       side_15;
    reg  [S_W-1:0]   sum_16;
    reg  [4:0]       side_16;  // as side_3, but for a; its last bit says that the power of 2 is negative
    wire [S_W-1:0]   whole_15 = {size_15, {P_W{1'b0}}};
    wire [S_W-1:0]   step_15  = {{EXP{1'b0}}, product_15};
    wire             below_15 = side_15[2] ? side_15[1] : place_15[2] ? place_15[0] : place_15[1];
    samhw_pow_tables #(.LOG(1), .Y_W(G_W)) u_log (.clk(clk), .en(en), .x({8'd0, part_2}), .y(g_10));
    samhw_delay #(.W(M), .N(7)) u_x (.clk(clk), .en(en), .x(x_3), .y(x_10));
    samhw_mul_full #(.W(G_W), .DEPTH(4)) u_step (
        .clk(clk), .en(en), .a(g_10), .b({{(G_W-M){1'b0}}, x_10}), .p(product_14)
    );
    samhw_delay #(.W(EXP+3), .N(11)) u_place (.clk(clk), .en(en), .x({size_4, place_4}), .y({size_15, place_15}));
    samhw_delay #(.W(7), .N(12)) u_side (.clk(clk), .en(en), .x(side_3), .y(side_15));
    always @(posedge clk)
        if (en) begin
            zeros_1    <= zeros;
            man_1      <= a_man;
            exp_1      <= a_exp;
            man_2      <= raised_1[MAN-1:0];
            exp_2      <= {2'b00, exp_1} - BIAS - {{(X_E-LZ_W){1'b0}}, zeros_1};
            x_3        <= high_2 ? -part_2 : part_2 << 1;
            exp_3      <= exp_2 + {{(X_E-1){1'b0}}, high_2};
            high_3     <= high_2;
            size_4     <= exp_3[X_E-1] ? minus_3[EXP-1:0] : exp_3[EXP-1:0];
            place_4    <= {exp_3 == {X_E{1'b0}}, exp_3[X_E-1], high_3};
            product_15 <= product_14[P_W-1:0];
            sum_16     <= place_15[2] ? step_15 : place_15[1] == place_15[0] ? whole_15 + step_15 : whole_15 - step_15;
            side_16    <= {side_15[6:3], side_15[0] ^ below_15};
        end

    // Times b: its highest bits, and the place of the point.
    wire [SZ_W-1:0]  zeros_16;
    samhw_leading_zeros #(.W(S_W), .N_W(SZ_W)) u_sum (.x(sum_16), .n(zeros_16));
    reg  [SZ_W-1:0]  zeros_17;
    reg  [S_W-1:0]   sum_17;
    reg  [T_W-1:0]   log_18;
    reg  [K_E-1:0]   exp_18;
    reg  [K_E-1:0]   exp_19;
    reg              none_19;
    wire [S_W-1:0]   raised_17 = sum_17 << zeros_17;
    wire [MAN:0]     b_man_18;
    wire [X_E-1:0]   b_exp_18;
    wire [2*T_W-1:0] product_22;
    reg  [Q_W-1:0]   product_23;
    wire [K_E-1:0]   exp_22;
    wire             none_22;
    wire [K_E-1:0]   down_22 = LEVEL[K_E-1:0] - exp_22;
    reg  [K_E-1:0]   down_23;
    reg              over_23;
    reg  [F_W+EXP:0] t_24;
    reg              over_24;
    wire [Q_W-1:0]   lowered_23 = product_23 >> down_23[D_W-1:0];
    wire [4:0]       side_24;
    reg  [F_W+EXP+1:0] t_25;
    samhw_delay #(.W(MAN+1), .N(17)) u_b_man (.clk(clk), .en(en), .x(b_man_1), .y(b_man_18));
    samhw_delay #(.W(X_E), .N(17)) u_b_exp (.clk(clk), .en(en), .x(b_exp_1), .y(b_exp_18));
    samhw_mul_full #(.W(T_W), .DEPTH(4)) u_times (
        .clk(clk), .en(en), .a(log_18), .b({{(T_W-MAN-1){1'b0}}, b_man_18}), .p(product_22)
    );
    samhw_delay #(.W(K_E+1), .N(3)) u_exp (.clk(clk), .en(en), .x({exp_19, none_19}), .y({exp_22, none_22}));
    samhw_delay #(.W(5), .N(8)) u_side_late (.clk(clk), .en(en), .x(side_16), .y(side_24));
    always @(posedge clk)
        if (en) begin
            zeros_17   <= zeros_16;
            sum_17     <= sum_16;
            log_18     <= raised_17[S_W-1 -: T_W];
            exp_18     <= HIGH[K_E-1:0] - {{(K_E-SZ_W){1'b0}}, zeros_17};
            exp_19     <= exp_18 + {{(K_E-X_E){b_exp_18[X_E-1]}}, b_exp_18};
            none_19    <= !log_18[T_W-1];
            product_23 <= product_22[Q_W-1:0];
            down_23    <= down_22;
            over_23    <= !none_22 && !exp_22[K_E-1] && exp_22 >= RANGE[K_E-1:0];
            t_24       <= down_23 >= ALL[K_E-1:0] ? {(F_W+EXP+1){1'b0}} : lowered_23[F_W+EXP:0];
            over_24    <= over_23;
            t_25       <= side_24[0] ? -{1'b0, t_24} : {1'b0, t_24};
        end

    // A power of 2.
    wire [F_W+1:0]   man_33;
    wire [4:0]       side_33;
    wire [E_W-1:0]   whole_25 = {t_25[F_W+EXP+1], t_25[F_W+EXP+1:F_W]} + {1'b0, BIAS} + {{(E_W-1){1'b0}}, 1'b1};
    wire [E_W-1:0]   whole_33;
    samhw_pow_tables #(.LOG(0), .Y_W(F_W+2)) u_power (.clk(clk), .en(en), .x(t_25[F_W-1:0]), .y(man_33));
    samhw_delay #(.W(E_W), .N(8)) u_whole (.clk(clk), .en(en), .x(whole_25), .y(whole_33));
    samhw_delay #(.W(5), .N(9)) u_side_last (
        .clk(clk), .en(en), .x({side_24[4:2], side_24[1] || over_24, side_24[0]}), .y(side_33)
    );
    wire             far_33 = side_33[1] && !side_33[4];
    samhw_float_round #(.EXP(EXP), .MAN(MAN), .W(F_W+2), .E_W(E_W), .RIGHT(1)) u_round (
        .clk(clk), .en(en), .nan(side_33[3] && !side_33[4]), .inf(far_33 && !side_33[0]), .sign(side_33[2]),
        .exp(whole_33), .man(far_33 ? {(F_W+2){1'b0}} : man_33), .y(y)
    );

    wire _unused_ok = &{
        1'b0, raised_1[MAN], spread_1[2*MAN+2:MAN+1], spread_2[MAN-1:0], minus_3[X_E-1:EXP], product_14[2*G_W-1:P_W],
        raised_17[S_W-T_W-1:0], product_22[2*T_W-1:Q_W], lowered_23, MIDDLE, HIGH, RANGE, LEVEL, ALL, ENDS, 1'b0
    };

endmodule

`default_nettype wire
