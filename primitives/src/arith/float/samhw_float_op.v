// SPDX-License-Identifier: Apache-2.0
//
// A function of IEEE floats, with the registers inside that its clock needs.
//
//   Throughput  one value per cycle with en = 1; with en = 0 nothing moves.
//   Latency     DEPTH cycles; the last step is combinational, for the user's register.
//   Parameters  OP: 0 a+b, 1 a-b, 2 a*b, 3 -a, 4 min, 5 max, 6 a, 7 |a|, 8 sign, 9 a==b, 10 a!=b,
//               11 a<b, 12 a<=b; logical 13 and, 14 or, 15 xor, 16 not, 17 a!=0; 24 a ? b : c,
//               25 min(max(a,b),c), 26 step at 0 with b there, 27 a*2^b, 28 a*a*a, 30 a*b+c; rounded
//               32 down, 33 up, 34 toward zero, 35 to nearest; 36 NaN, 37 infinite; 38 a/b, 39 square root;
//               44 |a| with the sign of b, 46 a < 0 or -0.
//               EXP, at least 3, MAN: exponent and fraction bits. MUL: DEPTH of samhw_mul_full for MAN + 1 bits.
//               DEPTH: 7 for OP 0, 1; MUL + 6 for OP 2; twice that and 1 for OP 28; 1 for OP 4, 5,
//               9 to 12 and 25; 7 for OP 27; MUL + 9 for OP 30; 2 for OP 32 to 35; MAN + 10 for OP 38, MAN +
//               8 for OP 39; else 0.
//   Reset       none.
`default_nettype none

module samhw_float_op #(
    parameter OP    = 0,
    parameter EXP   = 8,
    parameter MAN   = 23,
    parameter MUL   = 2,
    parameter DEPTH = 7
) (
    input  wire             clk,
    input  wire             en,
    input  wire [EXP+MAN:0] a,
    input  wire [EXP+MAN:0] b,
    input  wire [EXP+MAN:0] c,
    output wire [EXP+MAN:0] y
);
    generate
        if (EXP < 3 || MAN < 1 || OP < 0 || OP > 46 || MUL < 0 || MUL > 5 || DEPTH < 0) begin : g_parameters
            samhw_parameter_out_of_range refused ();
        end
    endgenerate

    localparam N = EXP + MAN;
    localparam [N:0]   ZERO = {(N+1){1'b0}};
    localparam [N-1:0] INF  = {{EXP{1'b1}}, {MAN{1'b0}}};
    localparam [N:0]   NAN  = {1'b0, {EXP{1'b1}}, 1'b1, {(MAN-1){1'b0}}};
    localparam [N:0]   ONE  = {2'b00, {(EXP-1){1'b1}}, {MAN{1'b0}}};

    wire a_nan = a[N-1:0] > INF;
    wire a_not = a[N-1:0] == {N{1'b0}};
    wire b_not = b[N-1:0] == {N{1'b0}};

    generate
        if (OP <= 1) begin : g_sum
            samhw_float_add #(.EXP(EXP), .MAN(MAN)) u_add (
                .clk(clk), .en(en), .a(a), .b({b[N] ^ (OP == 1), b[N-1:0]}), .y(y)
            );
        end else if (OP == 2 || OP == 28) begin : g_product
            wire [N:0] p;
            samhw_float_mul #(.EXP(EXP), .MAN(MAN), .DEPTH(MUL)) u_mul (
                .clk(clk), .en(en), .a(a), .b(OP == 2 ? b : a), .y(p)
            );
            if (OP == 2) begin : g_once
                assign y = p;
            end else begin : g_cube
                localparam L = MUL + 7;
                reg  [L*(N+1)-1:0]     late;
                wire [(L+1)*(N+1)-1:0] late_in = {late, a};
                reg  [N:0]             square;
                always @(posedge clk)
                    if (en) begin
                        late   <= late_in[L*(N+1)-1:0];
                        square <= p;
                    end
                samhw_float_mul #(.EXP(EXP), .MAN(MAN), .DEPTH(MUL)) u_again (
                    .clk(clk), .en(en), .a(square), .b(late_in[L*(N+1) +: N+1]), .y(y)
                );
            end
        end else if (OP == 30) begin : g_fma
            samhw_float_fma #(.EXP(EXP), .MAN(MAN), .DEPTH(MUL)) u_fma (
                .clk(clk), .en(en), .a(a), .b(b), .c(c), .y(y)
            );
        end else if (OP >= 32 && OP <= 35) begin : g_integral
            samhw_float_integral #(.EXP(EXP), .MAN(MAN), .HOW(OP-32)) u_integral (.clk(clk), .en(en), .a(a), .y(y));
        end else if (OP == 27) begin : g_scale
            samhw_float_scale #(.EXP(EXP), .MAN(MAN)) u_scale (.clk(clk), .en(en), .a(a), .b(b), .y(y));
        end else if (OP == 38) begin : g_div
            samhw_float_div #(.EXP(EXP), .MAN(MAN)) u_div (.clk(clk), .en(en), .a(a), .b(b), .y(y));
        end else if (OP == 39) begin : g_sqrt
            samhw_float_sqrt #(.EXP(EXP), .MAN(MAN)) u_sqrt (.clk(clk), .en(en), .a(a), .y(y));
        end else if (OP == 3) begin : g_neg
            assign y = a_nan ? NAN : {!a[N], a[N-1:0]};
        end else if (OP == 6) begin : g_same
            assign y = a;
        end else if (OP == 7) begin : g_abs
            assign y = a_nan ? NAN : {1'b0, a[N-1:0]};
        end else if (OP == 8) begin : g_sign
            assign y = a_nan ? NAN : a_not ? a : {a[N], ONE[N-1:0]};
        end else if (OP == 4 || OP == 5 || (OP >= 9 && OP <= 12)) begin : g_order
            wire less, equal, none;
            samhw_float_order #(.EXP(EXP), .MAN(MAN)) u_order (.a(a), .b(b), .less(less), .equal(equal), .none(none));
            reg         less_1, equal_1, none_1;
            reg [N:0]   a_1, b_1;
            always @(posedge clk)
                if (en) begin
                    less_1  <= less;
                    equal_1 <= equal;
                    none_1  <= none;
                    a_1     <= a;
                    b_1     <= b;
                end
            // Of equal ones just zeros differ: the smaller one has the sign.
            wire [N:0] same = OP == 4 ? a_1 | b_1 : a_1 & b_1;
            wire [N:0] least = equal_1 ? same : less_1 == (OP == 4) ? a_1 : b_1;
            wire truth = OP == 9 ? equal_1 : OP == 10 ? !equal_1 : OP == 11 ? less_1 : less_1 || equal_1;
            assign y = OP >= 9 ? (truth ? ONE : ZERO) : none_1 ? NAN : least;
            wire _unused_ok = &{1'b0, least, truth, none_1, 1'b0};
        end else if (OP == 25) begin : g_clip
            wire        ab_less, ab_equal, ab_none, ac_less, ac_equal, ac_none, bc_less, bc_equal, bc_none;
            samhw_float_order #(.EXP(EXP), .MAN(MAN)) u_ab (
                .a(a), .b(b), .less(ab_less), .equal(ab_equal), .none(ab_none)
            );
            samhw_float_order #(.EXP(EXP), .MAN(MAN)) u_ac (
                .a(a), .b(c), .less(ac_less), .equal(ac_equal), .none(ac_none)
            );
            samhw_float_order #(.EXP(EXP), .MAN(MAN)) u_bc (
                .a(b), .b(c), .less(bc_less), .equal(bc_equal), .none(bc_none)
            );
            reg         up, level, a_fits, b_fits, meets, none;
            reg [N:0]   a_1, b_1, c_1;
            always @(posedge clk)
                if (en) begin
                    up     <= ab_less;
                    level  <= ab_equal;
                    a_fits <= ac_less;
                    b_fits <= bc_less;
                    meets  <= ab_less ? bc_equal : ac_equal;
                    none   <= ab_none || ac_none || bc_none;
                    a_1    <= a;
                    b_1    <= b;
                    c_1    <= c;
                end
            // Of equal ones just zeros differ: the smaller one has the sign.
            wire [N:0] most = level ? a_1 & b_1 : up ? b_1 : a_1;
            assign y = none ? NAN : meets ? most | c_1 : (up ? b_fits : a_fits) ? most : c_1;
        end else if (OP == 24) begin : g_where
            assign y = a_not ? c : b;
        end else if (OP == 44) begin : g_sign_of
            assign y = a_nan ? NAN : {b[N] && b[N-1:0] <= INF, a[N-1:0]};
        end else if (OP == 26) begin : g_step
            assign y = a_nan ? NAN : a_not ? b : a[N] ? ZERO : ONE;
        end else begin : g_logical
            wire t = OP == 13 ? !a_not && !b_not : OP == 14 ? !a_not || !b_not : OP == 15 ? a_not != b_not
                   : OP == 16 ? a_not : OP == 17 ? !a_not : OP == 36 ? a_nan : OP == 46 ? a[N] && !a_nan
                   : a[N-1:0] == INF;
            assign y = t ? ONE : ZERO;
        end
    endgenerate

    wire _unused_ok = &{1'b0, clk, en, a, b, c, a_nan, a_not, b_not, DEPTH == 0, 1'b0};

endmodule

`default_nettype wire
