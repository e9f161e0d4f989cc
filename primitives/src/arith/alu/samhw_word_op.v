// SPDX-License-Identifier: Apache-2.0
//
// A function of whole numbers (and fixed point), with the registers inside that its clock needs.
//
//   Throughput  one value per cycle with en = 1; with en = 0 nothing moves.
//   Latency     DEPTH cycles; the last step is combinational, for the user's register.
//   Parameters  OP: 0 a+b, 1 a-b, 2 a*b, 3 -a, 4 min, 5 max, 6 a, 7 |a|, 8 sign, 9 a==b, 10 a!=b,
//               11 a<b, 12 a<=b; logical 13 and, 14 or, 15 xor, 16 not, 17 a!=0; bitwise 18 and, 19 or,
//               20 xor, 21 not; 22 a<<b, 23 a>>b, 24 a ? b : c, 25 min(max(a,b),c), 26 step at 0
//               with b there, 27 a*2^b towards 0, 28 a^EXPONENT, 29 TABLE[{c,b,a}] of bits,
//               30 a*b rounded and saturated, 31 1/a of whole numbers, towards 0; fixed point to whole numbers
//               32 down, 33 up, 34 toward zero, 35 to nearest, ties to even, saturated; 38 a/b, 39 square root,
//               40 a/b down to a whole number, what a/b leaves 41 towards 0, 42 down, 43 1/b of fixed point;
//               44 |a| with the sign of b, 45 how many bits of a are 1.
//               W bits of a number, SIGNED if two's complement; SATURATE instead of wrapping;
//               FRAC bits after the point (of shift amounts); ONE what true is; EXPONENT, UNIT, and MUL, as in
//               samhw_word_pow; DEPTH: for OP 2 and 30 as in samhw_word_mul, for OP 28 the latency of
//               samhw_word_pow, for OP 38 and 40 to 43 of samhw_word_div, for OP 39 of samhw_word_root;
//               1 for OP 22, 23, 25, 27, 32 to 35, 45 and where SATURATE matters, 2 for OP 27 there;
//               1 for OP 4, 5 of W > 32; else 0.
//   Reset       none.
`default_nettype none

module samhw_word_op #(
    parameter         OP       = 0,
    parameter         W        = 16,
    parameter         SIGNED   = 1,
    parameter         SATURATE = 0,
    parameter         FRAC     = 0,
    parameter [W-1:0] ONE      = {{(W-1){1'b0}}, 1'b1},
    parameter [7:0]   TABLE    = 8'd0,
    parameter         EXPONENT = 3,
    parameter         UNIT     = 1,
    parameter         MUL      = 1,
    parameter         DEPTH    = 0
) (
    input  wire         clk,
    input  wire         en,
    input  wire [W-1:0] a,
    input  wire [W-1:0] b,
    input  wire [W-1:0] c,
    output wire [W-1:0] y
);
    generate
        if (OP < 0 || OP > 45
            || OP == 36 || OP == 37
            || W < 1
            || SIGNED < 0 || SIGNED > 1 || SATURATE < 0 || SATURATE > 1
            || FRAC < 0 || FRAC > W
            || EXPONENT < 1 || EXPONENT > 65535
            || UNIT < 0 || UNIT > 1
            || MUL < 0 || MUL > 7
            || DEPTH < 0) begin : g_parameters
            samhw_parameter_out_of_range refused ();
        end
    endgenerate

    localparam [W-1:0] ZERO  = {W{1'b0}};
    localparam [W-1:0] LEAST = SIGNED != 0 ? {1'b1, {(W-1){1'b0}}} : ZERO;
    localparam [W-1:0] MOST  = {SIGNED == 0, {(W-1){1'b1}}};

    generate
        if (OP <= 1 || OP == 3 || OP == 7 || OP == 44) begin : g_sum
            wire         flip  = OP != 0 && (OP != 7 || a[W-1]) && (OP != 44 || a[W-1] != b[W-1]);
            wire [W-1:0] first = OP <= 1 ? a : ZERO;
            wire [W-1:0] other = OP <= 1 ? b : a;
            wire         first_sign = SIGNED != 0 && first[W-1];
            wire         other_sign = SIGNED != 0 && other[W-1];
            wire [W:0]   sum = {first_sign, first} + ({other_sign, other} ^ {(W+1){flip}}) + {{W{1'b0}}, flip};
            if (SATURATE == 0) begin : g_wrap
                assign y = (OP == 7 || OP == 44) && SIGNED == 0 ? a : sum[W-1:0];
                wire _unused_ok = &{1'b0, sum[W], 1'b0};
            end else begin : g_saturate
                reg [W:0] sum_1;
                always @(posedge clk)
                    if (en)
                        sum_1 <= (OP == 7 || OP == 44) && SIGNED == 0 ? {1'b0, a} : sum;
                wire over  = SIGNED != 0 ? !sum_1[W] && sum_1[W-1] : OP == 0 && sum_1[W];
                wire under = SIGNED != 0 ? sum_1[W] && !sum_1[W-1] : OP != 0 && sum_1[W];
                assign y = over ? MOST : under ? LEAST : sum_1[W-1:0];
            end
        end else if (OP == 2 || OP == 30) begin : g_product
            samhw_word_mul #(.W(W), .SIGNED(SIGNED), .SATURATE(OP == 30), .FRAC(FRAC), .DEPTH(DEPTH)) u_mul (
                .clk(clk), .en(en), .a(a), .b(b), .y(y)
            );
        end else if (OP == 28) begin : g_power
            samhw_word_pow #(
                .EXPONENT(EXPONENT), .W(W), .SIGNED(SIGNED), .SATURATE(SATURATE), .FRAC(FRAC), .UNIT(UNIT), .ONE(ONE),
                .MUL(MUL)
            ) u_pow (
                .clk(clk), .en(en), .a(a), .y(y)
            );
        end else if (OP == 31) begin : g_inverse
            wire unit = a == {{(W-1){1'b0}}, 1'b1} || (SIGNED != 0 && a == {W{1'b1}});
            assign y = unit ? a : ZERO;
        end else if (OP == 38 || (OP >= 40 && OP <= 43)) begin : g_quotient
            samhw_word_div #(
                .OP(OP == 38 ? 0 : OP - 39), .W(W), .SIGNED(SIGNED), .SATURATE(SATURATE), .FRAC(FRAC)
            ) u_div (
                .clk(clk), .en(en), .a(a), .b(b), .y(y)
            );
        end else if (OP == 39) begin : g_root
            samhw_word_root #(.W(W), .SIGNED(SIGNED), .FRAC(FRAC)) u_root (.clk(clk), .en(en), .a(a), .y(y));
        end else if (OP == 4 || OP == 5 || OP == 11 || OP == 12 || OP == 25) begin : g_order
            // Moved by half their range, numbers with a sign compare as those without do.
            wire [W-1:0] half = {SIGNED != 0, {(W-1){1'b0}}};
            wire below = (a ^ half) < (b ^ half);
            wire above = (a ^ half) > (b ^ half);
            wire _unused_ok = &{1'b0, below, above, 1'b0};
            if (OP == 11) begin : g_less
                assign y = below ? ONE : ZERO;
            end else if (OP == 12) begin : g_not_more
                assign y = above ? ZERO : ONE;
            end else if (OP == 25) begin : g_clip
                reg         under;
                reg         under_c;
                reg         b_over;
                reg [W-1:0] a_1;
                reg [W-1:0] b_1;
                reg [W-1:0] c_1;
                always @(posedge clk)
                    if (en) begin
                        under   <= below;
                        under_c <= (a ^ half) < (c ^ half);
                        b_over  <= (b ^ half) > (c ^ half);
                        a_1     <= a;
                        b_1     <= b;
                        c_1     <= c;
                    end
                assign y = b_over ? c_1 : under ? b_1 : under_c ? a_1 : c_1;
            end else if (DEPTH == 0) begin : g_now
                assign y = below == (OP == 4) ? a : b;
            end else begin : g_later
                reg         first;
                reg [W-1:0] a_1;
                reg [W-1:0] b_1;
                always @(posedge clk)
                    if (en) begin
                        first <= below == (OP == 4);
                        a_1   <= a;
                        b_1   <= b;
                    end
                assign y = first ? a_1 : b_1;
            end
        end else if (OP >= 32 && OP <= 35) begin : g_integral
            // Down to whole units, then one up where that is wanted, with room for what is out of range.
            localparam [W+1:0] STEP = {{(W+1){1'b0}}, 1'b1} << FRAC;
            localparam [W+1:0] REST = STEP - {{(W+1){1'b0}}, 1'b1};
            localparam [W+1:0] HALF = STEP >> 1;
            wire         negative = SIGNED != 0 && a[W-1];
            wire [W+1:0] wide     = {{2{negative}}, a};
            wire [W+1:0] rest     = wide & REST;
            wire         some     = rest != {(W+2){1'b0}};
            wire         near     = rest > HALF || (rest == HALF && |(wide & STEP));
            reg  [W+1:0] down_1;
            reg          up_1;
            always @(posedge clk)
                if (en) begin
                    down_1 <= wide & ~REST;
                    up_1   <= OP == 32 ? 1'b0 : OP == 33 ? some : OP == 34 ? some && negative : near;
                end
            wire [W+1:0] whole = down_1 + (up_1 ? STEP : {(W+2){1'b0}});
            wire         over  = !whole[W+1] && (whole[W] || (SIGNED != 0 && whole[W-1]));
            wire         under = whole[W+1] && !(whole[W] && whole[W-1]);
            assign y = over ? MOST : under ? LEAST : whole[W-1:0];
            wire _unused_ok = &{1'b0, some, near, negative, 1'b0};
        end else if (OP == 6) begin : g_same
            assign y = a;
        end else if (OP == 8 || OP == 26) begin : g_step
            wire negative = SIGNED != 0 && a[W-1];
            assign y = a == ZERO ? (OP == 8 ? ZERO : b) : negative ? (OP == 8 ? -ONE : ZERO) : ONE;
        end else if (OP == 9 || OP == 10) begin : g_equal
            assign y = (a == b) == (OP == 9) ? ONE : ZERO;
        end else if (OP >= 13 && OP <= 17) begin : g_logical
            wire p = a != ZERO;
            wire q = b != ZERO;
            wire t = OP == 13 ? p && q : OP == 14 ? p || q : OP == 15 ? p != q : OP == 16 ? !p : p;
            assign y = t ? ONE : ZERO;
        end else if (OP == 18) begin : g_and
            assign y = a & b;
        end else if (OP == 19) begin : g_or
            assign y = a | b;
        end else if (OP == 20) begin : g_xor
            assign y = a ^ b;
        end else if (OP == 21) begin : g_not
            assign y = ~a;
        end else if (OP == 22 || OP == 23 || OP == 27) begin : g_shift
            // The amount in whole steps, with room for W. Of OP 27 it may be negative: then down.
            localparam           S_W = W + 9 - FRAC;
            localparam           N_W = $clog2(W+1);
            localparam [31:0]    ALL = W;
            wire              minus = SIGNED != 0 && b[W-1];
            wire [W+8:0]      b_x   = {{9{minus}}, b};
            wire [S_W-1:0]    whole = b_x[W+8:FRAC];
            wire [S_W-1:0]    size  = OP == 27 && minus ? -whole : whole;
            wire              far   = size >= {{(S_W-8){1'b0}}, ALL[7:0]} || (OP != 27 && minus);
            wire              flip  = OP == 27 && SIGNED != 0 && a[W-1];
            reg               far_1;
            reg               down;
            reg               flip_1;
            reg               fill;
            reg [N_W-1:0]     by;
            reg [W-1:0]       a_1;
            always @(posedge clk)
                if (en) begin
                    far_1  <= far;
                    down   <= OP == 23 || (OP == 27 && minus);
                    flip_1 <= flip;
                    fill   <= OP == 23 && SIGNED != 0 && a[W-1];
                    by     <= size[N_W-1:0];
                    a_1    <= (a ^ {W{flip}}) + {{(W-1){1'b0}}, flip};
                end
            if (OP == 22) begin : g_up
                assign y = far_1 ? ZERO : a_1 << by;
                wire _unused_ok = &{1'b0, b_x, down, flip_1, fill, 1'b0};
            end else if (OP == 23) begin : g_down
                wire [2*W-1:0] wide = {{W{fill}}, a_1} >> by;
                assign y = far_1 ? {W{fill}} : wide[W-1:0];
                wire _unused_ok = &{1'b0, b_x, down, flip_1, wide, 1'b0};
            end else if (SATURATE == 0) begin : g_either
                wire [W-1:0] moved = far_1 ? ZERO : down ? a_1 >> by : a_1 << by;
                assign y = (moved ^ {W{flip_1}}) + {{(W-1){1'b0}}, flip_1};
                wire _unused_ok = &{1'b0, b_x, fill, 1'b0};
            end else begin : g_saturated
                wire [2*W-1:0] raised = {{W{1'b0}}, a_1} << by;
                reg  [W-1:0]   moved;
                reg            over;
                reg            flip_2;
                always @(posedge clk)
                    if (en) begin
                        moved  <= down ? (far_1 ? ZERO : a_1 >> by) : raised[W-1:0];
                        over   <= !down && (far_1 ? a_1 != ZERO : raised[2*W-1:W] != ZERO);
                        flip_2 <= flip_1;
                    end
                samhw_fit #(.M_W(W), .W(W), .SIGNED(SIGNED), .NEAREST(0), .WRAP(0)) u_fit (
                    .sign(flip_2), .over(over), .units({moved, 2'b00}), .y(y)
                );
                wire _unused_ok = &{1'b0, b_x, fill, 1'b0};
            end
        end else if (OP == 45) begin : g_count
            // Of groups of 8 bits, then of all.
            localparam             GROUPS = (W + 7) / 8;
            localparam             N_W    = W + FRAC + 8;
            localparam [N_W-1:0]   LARGEST = {{(FRAC+8){1'b0}}, MOST};
            wire [W+7:0]           bits = {8'd0, a};
            reg  [4*GROUPS-1:0]    counts;
            reg  [6:0]             total;
            integer                g;
            integer                k;
            always @(posedge clk)
                if (en)
                    for (g = 0; g < GROUPS; g = g + 1)
                        counts[4*g +: 4] <= {3'd0, bits[8*g]} + {3'd0, bits[8*g+1]}
                                          + {3'd0, bits[8*g+2]} + {3'd0, bits[8*g+3]}
                                          + {3'd0, bits[8*g+4]} + {3'd0, bits[8*g+5]}
                                          + {3'd0, bits[8*g+6]} + {3'd0, bits[8*g+7]};
            always @* begin
                total = 7'd0;
                for (k = 0; k < GROUPS; k = k + 1)
                    total = total + {3'd0, counts[4*k +: 4]};
            end
            wire [N_W-1:0] units = {{(N_W-7){1'b0}}, total} << FRAC;
            assign y = SATURATE != 0 && units > LARGEST ? MOST : units[W-1:0];
            wire _unused_ok = &{1'b0, bits, units, 1'b0};
        end else if (OP == 24) begin : g_where
            assign y = a != ZERO ? b : c;
        end else begin : g_table
            wire [7:0] rows = TABLE;
            assign y = {{(W-1){1'b0}}, rows[{c[0], b[0], a[0]}]};
        end
    endgenerate

    wire _unused_ok = &{1'b0, clk, en, a, b, c, LEAST, MOST, 1'b0};

    // Modules that are not there take these.
    wire _unused_parameters = &{1'b0, EXPONENT == 0, UNIT == 0, MUL == 0, 1'b0};

endmodule

`default_nettype wire
