// SPDX-License-Identifier: Apache-2.0
//
// A value as one of another type, with the registers inside that its clock needs.
//
//   Throughput  one value per cycle with en = 1; with en = 0 nothing moves.
//   Latency     DEPTH cycles; the last step is combinational, for the user's register.
//   Parameters  FROM_W, TO_W bits in all. A float has EXP and MAN bits of exponent and fraction; otherwise
//               EXP = MAN = 0, and it is a word, SIGNED or not, with FRAC bits after the point.
//               HOW: 0 to a float, to nearest, ties to even; 1 a word without fraction to one, wraps; 2 to a word,
//               toward zero, saturates; 3 to a word, to nearest, ties to even, saturates; 4 whether it is not 0.
//               NaN as a word is 0.
//               DEPTH: 4 for HOW 0, and 5 if a float's exponents reach lower than those of its target; 2 for
//               HOW 2 and 3; else 0.
//   Reset       none.
`default_nettype none

module samhw_convert_op #(
    parameter FROM_W      = 32,
    parameter FROM_EXP    = 0,
    parameter FROM_MAN    = 0,
    parameter FROM_SIGNED = 1,
    parameter FROM_FRAC   = 0,
    parameter TO_W        = 32,
    parameter TO_EXP      = 8,
    parameter TO_MAN      = 23,
    parameter TO_SIGNED   = 1,
    parameter TO_FRAC     = 0,
    parameter HOW         = 0,
    parameter DEPTH       = 4
) (
    input  wire              clk,
    input  wire              en,
    input  wire [FROM_W-1:0] x,
    output wire [TO_W-1:0]   y
);
    generate
        if (FROM_W < 1 || TO_W < 1
            || (FROM_EXP != 0 && (FROM_EXP < 3 || FROM_MAN < 1 || FROM_W != 1 + FROM_EXP + FROM_MAN))
            || (FROM_EXP == 0 && FROM_MAN != 0)
            || (TO_EXP != 0 && (TO_EXP < 3 || TO_MAN < 1 || TO_W != 1 + TO_EXP + TO_MAN))
            || (TO_EXP == 0 && TO_MAN != 0)
            || FROM_SIGNED < 0 || FROM_SIGNED > 1 || TO_SIGNED < 0 || TO_SIGNED > 1
            || FROM_FRAC < 0 || FROM_FRAC > FROM_W || TO_FRAC < 0 || TO_FRAC > TO_W
            || HOW < 0 || HOW > 4
            || (HOW == 0 && TO_EXP == 0)
            || (HOW == 0 ? DEPTH != 4 && DEPTH != 5 : DEPTH != (HOW == 2 || HOW == 3 ? 2 : 0))) begin : g_parameters
            samhw_parameter_out_of_range refused ();
        end
    endgenerate

    localparam FLOAT     = FROM_EXP != 0;
    localparam FROM_BIAS = FLOAT ? (1 << (FROM_EXP - 1)) - 1 : 0;
    localparam TO_BIAS   = TO_EXP != 0 ? (1 << (TO_EXP - 1)) - 1 : 0;
    // Bits of the size of a number: a float's fraction with the hidden bit, or all of a word.
    localparam S_W       = FLOAT ? FROM_MAN + 1 : FROM_W;
    localparam EXP_W     = (FROM_EXP > TO_EXP ? FROM_EXP : TO_EXP) > 8 ? 13 : 10;

    // Sign, size and biased exponent.
    wire             sign;
    wire [S_W-1:0]   size;
    wire [EXP_W-1:0] exp;
    wire             nan;
    wire             inf;

    generate
        if (FLOAT) begin : g_float
            wire [FROM_EXP-1:0] field;
            wire                zero;
            samhw_float_parts #(.EXP(FROM_EXP), .MAN(FROM_MAN)) u_parts (
                .x(x), .sign(sign), .exp(field), .man(size), .nan(nan), .inf(inf), .zero(zero)
            );
            assign exp = {{(EXP_W-FROM_EXP){1'b0}}, field};
            wire _unused_ok = &{1'b0, zero, 1'b0};
        end else begin : g_word
            assign sign = FROM_SIGNED != 0 && x[FROM_W-1];
            assign size = sign ? -x : x;
            assign exp  = {EXP_W{1'b0}};
            assign nan  = 1'b0;
            assign inf  = 1'b0;
        end

        if (HOW == 1) begin : g_resize
            wire [FROM_W+TO_W-1:0] all = {{TO_W{FROM_SIGNED != 0 && x[FROM_W-1]}}, x};
            assign y = all[TO_W-1:0];
            wire _unused_ok = &{1'b0, all, clk, en, 1'b0};
        end else if (HOW == 4) begin : g_bool
            assign y = size != {S_W{1'b0}} || nan || inf;
            wire _unused_ok = &{1'b0, clk, en, 1'b0};
        end else if (HOW == 0) begin : g_to_float
            localparam W = S_W > TO_MAN + 3 ? S_W : TO_MAN + 3;
            // The exponent of the highest bit, biased for the target.
            localparam [31:0] MOVE = FLOAT ? TO_BIAS - FROM_BIAS : TO_BIAS + FROM_W - 1 - FROM_FRAC;
            reg             sign_1;
            reg             nan_1;
            reg             inf_1;
            reg [S_W-1:0]   size_1;
            reg [EXP_W-1:0] exp_1;
            always @(posedge clk)
                if (en) begin
                    sign_1 <= sign;
                    nan_1  <= nan;
                    inf_1  <= inf;
                    size_1 <= size;
                    exp_1  <= exp + MOVE[EXP_W-1:0];
                end
            wire [W:0] man = {size_1, {(W-S_W+1){1'b0}}};
            samhw_float_round #(
                .EXP(TO_EXP), .MAN(TO_MAN), .W(W), .E_W(EXP_W), .RIGHT(FLOAT && FROM_BIAS > TO_BIAS ? 1 : 0)
            ) u_round (
                .clk(clk), .en(en), .nan(nan_1), .inf(inf_1), .sign(sign_1), .exp(exp_1), .man(man[W:1]), .y(y)
            );
            wire _unused_ok = &{1'b0, man[0], 1'b0};
        end else begin : g_to_word
            // Whole units of the target with two bits below: the half, and whether there is anything under it.
            localparam UP  = TO_FRAC > FROM_FRAC ? TO_FRAC - FROM_FRAC : 0;
            localparam M_W = FLOAT ? S_W + TO_W : S_W + UP > TO_W ? S_W + UP : TO_W;
            reg           sign_2;
            reg           nan_2;
            reg           over_2;
            reg [M_W+1:0] units_2;

            if (FLOAT) begin : g_shift
                // The size stands TO_W bits too high; a float from 2^TO_W units on is out of range anyway.
                localparam        N_W  = $clog2(M_W + 3);
                localparam [31:0] TOP  = FROM_BIAS + FROM_MAN + TO_W - TO_FRAC;
                localparam [31:0] MOST = M_W + 2;
                wire [EXP_W-1:0]  down = TOP[EXP_W-1:0] - exp;
                reg               sign_1;
                reg               nan_1;
                reg               over_1;
                reg [S_W-1:0]     size_1;
                reg [N_W-1:0]     down_1;
                wire [M_W+1:0]    lowered;
                samhw_shift_jam #(.W(M_W+2), .N_W(N_W)) u_down (
                    .x({size_1, {(TO_W+2){1'b0}}}), .n(down_1), .y(lowered)
                );
                always @(posedge clk)
                    if (en) begin
                        sign_1  <= sign;
                        nan_1   <= nan;
                        over_1  <= inf || down[EXP_W-1];
                        size_1  <= size;
                        down_1  <= down > MOST[EXP_W-1:0] ? MOST[N_W-1:0] : down[N_W-1:0];
                        sign_2  <= sign_1;
                        nan_2   <= nan_1;
                        over_2  <= over_1;
                        units_2 <= lowered;
                    end
            end else begin : g_fixed
                localparam DOWN = FROM_FRAC > TO_FRAC ? FROM_FRAC - TO_FRAC : 0;
                localparam L_W  = M_W + DOWN + 3;
                reg            sign_1;
                reg [S_W-1:0]  size_1;
                wire [L_W-1:0] raised = {{(L_W-S_W-UP-2){1'b0}}, size_1, {(UP+2){1'b0}}};
                always @(posedge clk)
                    if (en) begin
                        sign_1  <= sign;
                        size_1  <= size;
                        sign_2  <= sign_1;
                        nan_2   <= 1'b0;
                        over_2  <= 1'b0;
                        units_2 <= {raised[L_W-2:DOWN+1], |raised[DOWN:0]};
                    end
                wire _unused_ok = &{1'b0, raised[L_W-1], 1'b0};
            end

            wire [TO_W-1:0] word;
            samhw_fit #(.M_W(M_W), .W(TO_W), .SIGNED(TO_SIGNED), .NEAREST(HOW == 3 ? 1 : 0), .WRAP(0)) u_fit (
                .sign(sign_2), .over(over_2), .units(units_2), .y(word)
            );
            assign y = nan_2 ? {TO_W{1'b0}} : word;
        end
    endgenerate

    wire _unused_ok = &{1'b0, sign, size, exp, nan, inf, DEPTH == 0, 1'b0};

    // Modules that are not there take these.
    wire _unused_parameters = &{1'b0, TO_SIGNED == 0, 1'b0};

endmodule

`default_nettype wire
