// SPDX-License-Identifier: Apache-2.0
//
// Quotients and rests of whole numbers and fixed point; 0 where b is 0.
//
//   Throughput  one per cycle with en = 1; with en = 0 nothing moves.
//   Latency     sizes | samhw_quotient: W bits, of quotients to nearest the half too | TAIL; what follows is
//               combinational, for the user's register. TAIL is 2 for what is rounded and saturated, 1 for
//               what is rounded down, else 0.
//   Parameters  OP: 0 a/b, of whole numbers towards 0, of fixed point to nearest, ties to even; 1 a/b rounded
//               down to a whole number; what a/b leaves, rounded 2 towards 0, 3 down; 4 1/b of fixed point. W
//               bits, SIGNED or not, FRAC of them after the point; SATURATE, else wraps.
//   Reset       none.
`default_nettype none

module samhw_word_div #(
    parameter OP       = 0,
    parameter W        = 16,
    parameter SIGNED   = 1,
    parameter SATURATE = 0,
    parameter FRAC     = 0
) (
    input  wire         clk,
    input  wire         en,
    input  wire [W-1:0] a,
    input  wire [W-1:0] b,
    output wire [W-1:0] y
);
    generate
        if (OP < 0 || OP > 4
            || W < 1
            || SIGNED < 0 || SIGNED > 1 || SATURATE < 0 || SATURATE > 1
            || FRAC < 0 || FRAC > W) begin : g_parameters
            samhw_parameter_out_of_range refused ();
        end
    endgenerate

    localparam NEAREST = (OP == 0 && FRAC > 0) || OP == 4 ? 1 : 0;
    localparam N       = W + NEAREST;
    // What is divided is a * 2^FRAC, or 2^(2 FRAC): bits of it above the W lowest.
    localparam ONE_AT  = 2 * FRAC;
    localparam HIGHEST = OP == 4 && ONE_AT >= W && FRAC < W;
    localparam H       = OP == 0 ? FRAC : HIGHEST ? ONE_AT - W + 1 : 0;

    wire a_sign = SIGNED != 0 && OP != 4 && a[W-1];
    wire b_sign = SIGNED != 0 && b[W-1];

    reg  [W-1:0] a_1;
    reg  [W-1:0] b_1;
    reg  [2:0]   side_1;
    always @(posedge clk)
        if (en) begin
            a_1    <= a_sign ? -a : a;
            b_1    <= b_sign ? -b : b;
            side_1 <= {a_sign, b_sign, b == {W{1'b0}}};
        end

    wire [W-1:0] high;
    wire [N-1:0] low;
    generate
        if (OP == 4) begin : g_one
            wire [2*W:0] one = {{(2*W){1'b0}}, FRAC < W} << (FRAC < W ? ONE_AT : 0);
            assign high = one[2*W-1:W];
            assign low  = {one[W-1:0], 1'b0};
            wire _unused_ok = &{1'b0, a_1, one[2*W], 1'b0};
        end else begin : g_given
            wire [2*W-1:0] raised = {{W{1'b0}}, a_1} << (OP == 0 ? FRAC : 0);
            wire [W:0]     half   = {raised[W-1:0], 1'b0};
            assign high = raised[2*W-1:W];
            assign low  = half[W:W+1-N];
            wire _unused_ok = &{1'b0, half[0], 1'b0};
        end
    endgenerate
    // A quotient of more than W bits.
    wire         over = NEAREST != 0 && ((OP == 4 && FRAC == W) || high >= b_1);

    wire [N-1:0] q;
    wire [W-1:0] rest;
    wire [W-1:0] by;
    wire [3:0]   side;
    samhw_quotient #(.W(W), .N(N), .H(H)) u_quotient (
        .clk(clk), .en(en), .high(high), .low(low), .b(b_1), .q(q), .rest(rest), .by(by)
    );
    samhw_delay #(.W(4), .N(N)) u_side (.clk(clk), .en(en), .x({over, side_1}), .y(side));

    wire a_neg = side[2];
    wire b_neg = side[1];
    wire none  = side[0];
    wire apart = a_neg != b_neg;

    generate
        if (OP == 2) begin : g_rest
            assign y = none ? {W{1'b0}} : a_neg ? -rest : rest;
            wire _unused_ok = &{1'b0, q, by, side[3], apart, 1'b0};
        end else if (OP == 3) begin : g_rest_down
            // Where the signs differ, what is missing to the divisor.
            wire         other = apart && rest != {W{1'b0}};
            reg  [W-1:0] plus;
            reg  [W-1:0] minus;
            always @(posedge clk)
                if (en) begin
                    plus  <= none ? {W{1'b0}} : a_neg ? (other ? by : {W{1'b0}}) : rest;
                    minus <= none ? {W{1'b0}} : a_neg ? rest : (other ? by : {W{1'b0}});
                end
            assign y = plus - minus;
            wire _unused_ok = &{1'b0, q, side[3], 1'b0};
        end else if (OP == 1 && SATURATE == 0) begin : g_down
            reg  [W-1:0] q_1;
            reg          apart_1;
            reg          up_1;
            always @(posedge clk)
                if (en) begin
                    q_1     <= none ? {W{1'b0}} : q;
                    apart_1 <= apart && !none;
                    up_1    <= apart && !none && rest == {W{1'b0}};
                end
            assign y = (q_1 ^ {W{apart_1}}) + {{(W-1){1'b0}}, up_1};
            wire _unused_ok = &{1'b0, by, side[3], 1'b0};
        end else if (OP == 0 && FRAC == 0) begin : g_quotient
            samhw_fit #(.M_W(W), .W(W), .SIGNED(SIGNED), .NEAREST(0), .WRAP(SATURATE == 0)) u_fit (
                .sign(apart && !none), .over(1'b0), .units({none ? {W{1'b0}} : q, 2'b00}), .y(y)
            );
            wire _unused_ok = &{1'b0, rest, by, side[3], 1'b0};
        end else begin : g_rounded
            localparam B = OP == 1 ? FRAC : 0;
            reg  [N-1:0] q_1;
            reg          some_1;
            reg          sign_1;
            reg          over_1;
            reg          none_1;
            reg  [W:0]   size_2;
            reg          sign_2;
            reg          over_2;
            wire         up = OP == 1 ? some_1 && sign_1 : q_1[0] && (some_1 || q_1[N-W]);
            always @(posedge clk)
                if (en) begin
                    q_1    <= q;
                    some_1 <= rest != {W{1'b0}};
                    sign_1 <= apart;
                    over_1 <= side[3] && !none;
                    none_1 <= none;
                    size_2 <= none_1 ? {(W+1){1'b0}} : {1'b0, q_1[N-1:N-W]} + {{W{1'b0}}, up};
                    sign_2 <= sign_1 && !none_1;
                    over_2 <= over_1;
                end
            wire [W+B+3:0] units = {{(B+1){1'b0}}, size_2, 2'b00} << B;
            samhw_fit #(.M_W(W+1+B), .W(W), .SIGNED(SIGNED), .NEAREST(0), .WRAP(0)) u_fit (
                .sign(sign_2), .over(over_2), .units(units[W+B+2:0]), .y(y)
            );
            wire _unused_ok = &{1'b0, by, units[W+B+3], 1'b0};
        end
    endgenerate

endmodule

`default_nettype wire
