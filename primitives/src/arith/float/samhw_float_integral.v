// SPDX-License-Identifier: Apache-2.0
//
// A float rounded to an integral value; a result of 0 keeps the sign. NaN becomes the quiet NaN.
//
//   Throughput  one per cycle with en = 1; with en = 0 nothing moves.
//   Latency     2 cycles; the last step is combinational, for the user's register.
//   Parameters  EXP, at least 3, MAN; HOW: 0 down, 1 up, 2 toward zero, 3 to nearest, ties to even.
//   Reset       none.
`default_nettype none

module samhw_float_integral #(
    parameter EXP = 8,
    parameter MAN = 23,
    parameter HOW = 0
) (
    input  wire             clk,
    input  wire             en,
    input  wire [EXP+MAN:0] a,
    output wire [EXP+MAN:0] y
);
    generate
        if (EXP < 3 || MAN < 1 || HOW < 0 || HOW > 3) begin : g_parameters
            samhw_parameter_out_of_range refused ();
        end
    endgenerate

    localparam N    = EXP + MAN;
    localparam BY_W = $clog2(MAN+2);
    localparam [31:0]    LAST  = (1 << (EXP-1)) - 1 + MAN;
    localparam [EXP-1:0] ONES  = {EXP{1'b1}};
    localparam [EXP-1:0] BIAS  = {1'b0, {(EXP-1){1'b1}}};
    localparam [EXP-1:0] HALF  = {1'b0, {(EXP-2){1'b1}}, 1'b0};  // the exponent of 0.5
    localparam [EXP-1:0] WHOLE = LAST[EXP-1:0];                   // from here on all bits are whole ones

    wire [EXP-1:0] exp   = a[N-1 -: EXP];
    wire [EXP-1:0] parts = WHOLE - exp;                     // bits of the fraction that are no whole ones

    reg            sign_1, nan_1, keep_1, low_1, half_1, some_1;
    reg [BY_W-1:0] by_1;
    reg [N-1:0]    a_1;
    reg            sign_2, nan_2, low_2, up_2;
    reg [N-1:0]    kept_2;
    reg [N-1:0]    step_2;

    // Below 1 there is nothing whole; of those from 0.5 on `half_1` is set.
    wire [N:0]   unit  = {{N{1'b0}}, 1'b1} << by_1;
    wire [N-1:0] below = unit[N-1:0] - {{(N-1){1'b0}}, 1'b1};
    wire [N-1:0] rest  = a_1 & below;
    wire         odd   = |(a_1 & unit[N-1:0]);
    wire         tie   = rest == unit[N:1];
    wire         more  = |(rest & unit[N:1]) && !tie;
    wire         any   = low_1 ? some_1 : rest != {N{1'b0}};
    // Just below 1 the implicit bit is the half, or less.
    wire         near  = low_1 ? half_1 && |a_1[MAN-1:0] : more || (tie && odd);
    wire         up    = HOW == 0 ? sign_1 && any : HOW == 1 ? !sign_1 && any : HOW == 2 ? 1'b0 : near;

    always @(posedge clk)
        if (en) begin
            sign_1 <= a[N];
            nan_1  <= exp == ONES && a[MAN-1:0] != {MAN{1'b0}};
            keep_1 <= exp >= WHOLE;
            low_1  <= exp < BIAS;
            half_1 <= exp == HALF;
            some_1 <= a[N-1:0] != {N{1'b0}};
            by_1   <= parts[BY_W-1:0];
            a_1    <= a[N-1:0];

            sign_2 <= sign_1;
            nan_2  <= nan_1;
            low_2  <= low_1;
            up_2   <= up && !keep_1;
            kept_2 <= keep_1 ? a_1 : a_1 & ~below;
            step_2 <= unit[N-1:0];
        end

    // A carry out of the fraction is a step of the exponent.
    wire [N-1:0] one    = {BIAS, {MAN{1'b0}}};
    wire [N-1:0] raised = kept_2 + (up_2 ? step_2 : {N{1'b0}});
    wire [N-1:0] whole  = low_2 ? (up_2 ? one : {N{1'b0}}) : raised;
    assign y = nan_2 ? {1'b0, ONES, 1'b1, {(MAN-1){1'b0}}} : {sign_2, whole};

    wire _unused_ok = &{1'b0, parts, unit, 1'b0};

endmodule

`default_nettype wire
