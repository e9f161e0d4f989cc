// SPDX-License-Identifier: Apache-2.0
//
// Makes a float of a sign, an exponent and a mantissa: normalises, rounds to nearest (ties to even),
// with subnormals and overflow to infinity.
//
//   Consumes    the value man * 2^(exp - bias - (W-1)), bit 0 of man also for what is below it;
//               nan, inf, which come before all else.
//   Throughput  one per cycle with en = 1; with en = 0 nothing moves.
//   Latency     3 cycles, 4 with RIGHT; the last step is combinational, for the user's register.
//   Parameters  EXP, at least 3, MAN of the result; W bits of man, at least MAN + 3; E_W bits of exp, two's
//               complement, above EXP; RIGHT: exp may be below 1.
//   Reset       none.
`default_nettype none

module samhw_float_round #(
    parameter EXP   = 8,
    parameter MAN   = 23,
    parameter W     = 27,
    parameter E_W   = 10,
    parameter RIGHT = 0
) (
    input  wire               clk,
    input  wire               en,
    input  wire               nan,
    input  wire               inf,
    input  wire               sign,
    input  wire [E_W-1:0]     exp,
    input  wire [W-1:0]       man,
    output wire [EXP+MAN:0]   y
);
    generate
        if (EXP < 3 || MAN < 1 || W < MAN + 3 || E_W <= EXP || RIGHT < 0 || RIGHT > 1) begin : g_parameters
            samhw_parameter_out_of_range refused ();
        end
    endgenerate

    localparam               LZ_W = $clog2(W);
    localparam               K_W  = MAN + 3;  // kept bits, the lowest of them sticky
    localparam               R_W  = $clog2(K_W+1);
    localparam [EXP-1:0]     ONES = {EXP{1'b1}};
    localparam [E_W-1:0]     ZERO = {E_W{1'b0}};
    localparam [E_W-1:0]     ONE  = {{(E_W-1){1'b0}}, 1'b1};

    // How far up: until the highest one is on top, but the exponent stays at least 1.
    wire [LZ_W-1:0] zeros;
    samhw_leading_zeros #(.W(W), .N_W(LZ_W)) u_zeros (.x(man), .n(zeros));
    reg             nan_1;
    reg             inf_1;
    reg             sign_1;
    reg             none_1;
    reg [LZ_W-1:0]  zeros_1;
    reg [E_W-1:0]   exp_1;
    reg [W-1:0]     man_1;

    wire [E_W-1:0]  normal = exp_1 - {{(E_W-LZ_W){1'b0}}, zeros_1};
    wire            below  = normal[E_W-1] || normal == ZERO || none_1;
    wire            under  = RIGHT != 0 && (exp_1[E_W-1] || exp_1 == ZERO);
    wire [E_W-1:0]  to_1   = exp_1 - ONE;
    wire [LZ_W-1:0] up     = !below ? zeros_1 : under ? {LZ_W{1'b0}} : to_1[LZ_W-1:0];
    reg             nan_2;
    reg             inf_2;
    reg             sign_2;
    reg [EXP-1:0]   exp_2;
    reg [LZ_W-1:0]  up_2;
    reg [W-1:0]     man_2;

    // What is lost is told beside the shift, not after it.
    wire [W-1:0]    raised = man_2 << up_2;
    wire [W-K_W:0]  lost   = man_2[W-K_W:0] & ({(W-K_W+1){1'b1}} >> up_2);
    reg             nan_3;
    reg             inf_3;
    reg             sign_3;
    reg [EXP-1:0]   exp_3;
    reg [K_W-1:0]   man_3;

    always @(posedge clk)
        if (en) begin
            nan_1   <= nan;
            inf_1   <= inf;
            sign_1  <= sign;
            none_1  <= man == {W{1'b0}};
            zeros_1 <= zeros;
            exp_1   <= exp;
            man_1   <= man;
            nan_2   <= nan_1;
            inf_2   <= inf_1 || (!below && normal >= {{(E_W-EXP){1'b0}}, ONES});
            sign_2  <= sign_1;
            exp_2   <= below ? {EXP{1'b0}} : normal[EXP-1:0];
            up_2    <= up;
            man_2   <= man_1;
            nan_3   <= nan_2;
            inf_3   <= inf_2;
            sign_3  <= sign_2;
            exp_3   <= exp_2;
            man_3   <= {raised[W-1 -: K_W-1], |lost};
        end

    wire             nan_4;
    wire             inf_4;
    wire             sign_4;
    wire [EXP-1:0]   exp_4;
    wire [K_W-1:0]   man_4;

    generate
        if (RIGHT == 0) begin : g_up
            assign {nan_4, inf_4, sign_4, exp_4, man_4} = {nan_3, inf_3, sign_3, exp_3, man_3};
        end else begin : g_down
            // Subnormal results of an exponent below 1 go down instead.
            localparam [31:0]    ALL = K_W;
            localparam [E_W-1:0] FAR = ALL[E_W-1:0];
            wire [E_W-1:0] lack = ONE - exp_1;
            reg  [R_W-1:0] down_2;
            reg  [R_W-1:0] down_3;
            reg            nan_r;
            reg            inf_r;
            reg            sign_r;
            reg  [EXP-1:0] exp_r;
            reg  [K_W-1:0] man_r;
            wire [K_W-1:0] lowered;
            samhw_shift_jam #(.W(K_W), .N_W(R_W)) u_down (.x(man_3), .n(down_3), .y(lowered));
            always @(posedge clk)
                if (en) begin
                    down_2 <= !under ? {R_W{1'b0}} : lack > FAR ? FAR[R_W-1:0] : lack[R_W-1:0];
                    down_3 <= down_2;
                    nan_r  <= nan_3;
                    inf_r  <= inf_3;
                    sign_r <= sign_3;
                    exp_r  <= exp_3;
                    man_r  <= lowered;
                end
            assign {nan_4, inf_4, sign_4, exp_4, man_4} = {nan_r, inf_r, sign_r, exp_r, man_r};
        end
    endgenerate

    // A carry out of the fraction is a step of the exponent, up to infinity.
    wire                 round   = man_4[1] && (man_4[0] || man_4[2]);
    wire [EXP+MAN-1:0]   rounded = {exp_4, man_4[MAN+1:2]} + {{(EXP+MAN-1){1'b0}}, round};
    assign y = nan_4 ? {1'b0, ONES, 1'b1, {(MAN-1){1'b0}}} : {sign_4, inf_4 ? {ONES, {MAN{1'b0}}} : rounded};

    wire _unused_ok = &{1'b0, man_4[K_W-1], to_1, normal, raised[W-K_W:0], 1'b0};

endmodule

`default_nettype wire
