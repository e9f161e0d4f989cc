// SPDX-License-Identifier: Apache-2.0
//
// Square root of an IEEE float, rounded to nearest, ties to even; that of -0 is -0, of other negative numbers NaN, the
// quiet one without payload. A stage for each bit of the root.
//
//   Throughput  one per cycle with en = 1; with en = 0 nothing moves.
//   Latency     MAN + 8 cycles: count | normalise | MAN + 2 bits | rest | samhw_float_round, whose last step is
//               combinational, for the user's register.
//   Parameters  EXP, MAN: exponent and fraction bits.
//   Reset       none.
`default_nettype none

module samhw_float_sqrt #(
    parameter EXP = 8,
    parameter MAN = 23
) (
    input  wire             clk,
    input  wire             en,
    input  wire [EXP+MAN:0] a,
    output wire [EXP+MAN:0] y
);

    localparam M    = MAN + 1;
    localparam N    = MAN + 2;               // bits of the root, one before the point
    localparam LZ_W = $clog2(M);
    localparam E_W  = EXP + 2;
    localparam [E_W-1:0] BIAS = {3'b000, {(EXP-1){1'b1}}};

    wire           sign, nan, inf, zero;
    wire [EXP-1:0] exp;
    wire [MAN:0]   man;
    samhw_float_parts #(.EXP(EXP), .MAN(MAN)) u_a (
        .x(a), .sign(sign), .exp(exp), .man(man), .nan(nan), .inf(inf), .zero(zero)
    );
    wire [LZ_W-1:0] zeros;
    samhw_leading_zeros #(.W(M), .N_W(LZ_W)) u_zeros (.x(man), .n(zeros));

    // Beside it: nan, inf, sign, exponent.
    reg  [LZ_W-1:0] zeros_1;
    reg  [MAN:0]    man_1;
    reg  [EXP-1:0]  exp_1;
    reg  [2:0]      side_1;
    reg  [2*N-1:0]  square_2;                // two bits before the point
    reg  [E_W+2:0]  side_2;
    wire [E_W+2:0]  side_3;
    reg  [N:0]      man_3;
    samhw_delay #(.W(E_W+3), .N(N+1)) u_side (.clk(clk), .en(en), .x(side_2), .y(side_3));

    wire [E_W-1:0]  power  = {2'b00, exp_1} - {{(E_W-LZ_W){1'b0}}, zeros_1} - BIAS;
    wire [MAN:0]    raised = man_1 << zeros_1;

    always @(posedge clk)
        if (en) begin
            zeros_1  <= zeros;
            man_1    <= man;
            exp_1    <= exp;
            side_1   <= {nan || (sign && !zero), inf, sign};
            square_2 <= power[0] ? {raised, {(2*N-M){1'b0}}} : {1'b0, raised, {(2*N-M-1){1'b0}}};
            side_2   <= {side_1, {power[E_W-1], power[E_W-1:1]} + BIAS};
        end

    // Of a root r so far, what is left is at most 2 r.
    genvar k;
    generate
        for (k = 0; k < N; k = k + 1) begin : g_bit
            wire [k+2:0]     rest;           // with the next two bits
            wire [k+2:0]     by;             // what a further one takes
            wire [2*N-1:0]   more;
            if (k == 0) begin : g_first
                assign rest = {1'b0, square_2[2*N-1 -: 2]};
                assign by   = 3'd1;
                assign more = square_2;
            end else begin : g_next
                assign rest = {g_bit[k-1].left[k:0], g_bit[k-1].ahead[2*N-1 -: 2]};
                assign by   = {1'b0, g_bit[k-1].bits, 2'b01};
                assign more = g_bit[k-1].ahead;
            end
            wire [k+3:0]     less = {1'b0, rest} - {1'b0, by};
            reg  [k+1:0]     left;
            reg  [k:0]       bits;
            reg  [2*N-1:0]   ahead;
            always @(posedge clk)
                if (en) begin
                    left  <= less[k+3] ? rest[k+1:0] : less[k+1:0];
                    ahead <= {more[2*N-3:0], 2'b00};
                end
            if (k == 0) begin : g_top
                always @(posedge clk)
                    if (en)
                        bits <= !less[k+3];
            end else begin : g_more
                always @(posedge clk)
                    if (en)
                        bits <= {g_bit[k-1].bits, !less[k+3]};
            end
            wire _unused_ok = &{1'b0, less[k+2], more[2*N-1 -: 2], 1'b0};
        end
    endgenerate

    always @(posedge clk)
        if (en)
            man_3 <= {g_bit[N-1].bits, g_bit[N-1].left != {(N+1){1'b0}}};

    samhw_float_round #(.EXP(EXP), .MAN(MAN), .W(N+1), .E_W(E_W), .RIGHT(0)) u_round (
        .clk(clk), .en(en), .nan(side_3[E_W+2]), .inf(side_3[E_W+1]), .sign(side_3[E_W]),
        .exp(side_3[E_W-1:0]), .man(man_3), .y(y)
    );

    wire _unused_ok = &{1'b0, g_bit[N-1].ahead, 1'b0};

endmodule

`default_nettype wire
