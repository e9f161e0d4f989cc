// SPDX-License-Identifier: Apache-2.0
//
// Square root of an IEEE float, rounded to nearest, ties to even; that of -0 is -0, of other negative numbers NaN, the
// quiet one without payload. A stage for each bit of the root.
//
//   Throughput  one per cycle with en = 1; with en = 0 nothing moves.
//   Latency     MAN + 8 cycles: count | normalise | MAN + 2 bits | rest | samhw_float_round, whose last step is
//               combinational, for the user's register.
//   Parameters  EXP, MAN: exponent and fraction bits, EXP at least 3.
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
    generate
        if (EXP < 3 || MAN < 1) begin : g_parameters
            samhw_parameter_out_of_range refused ();
        end
    endgenerate

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

    wire [N-1:0]    root;
    wire [N:0]      rest;
    samhw_root_bits #(.N(N)) u_root (.clk(clk), .en(en), .x(square_2), .root(root), .rest(rest));

    always @(posedge clk)
        if (en)
            man_3 <= {root, rest != {(N+1){1'b0}}};

    samhw_float_round #(.EXP(EXP), .MAN(MAN), .W(N+1), .E_W(E_W), .RIGHT(0)) u_round (
        .clk(clk), .en(en), .nan(side_3[E_W+2]), .inf(side_3[E_W+1]), .sign(side_3[E_W]),
        .exp(side_3[E_W-1:0]), .man(man_3), .y(y)
    );

endmodule

`default_nettype wire
