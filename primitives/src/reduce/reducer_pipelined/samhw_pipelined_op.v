// SPDX-License-Identifier: Apache-2.0
//
// A function of two words or floats with registers inside: samhw_float_op if MAN > 0, else samhw_word_op.
//
//   Throughput  one value per cycle with en = 1; with en = 0 nothing moves.
//   Latency     DEPTH cycles; the last step is combinational, for the user's register.
//   Parameters  OP and DEPTH of the unit; W bits of a value, SIGNED, SATURATE, FRAC of words; EXP, MAN, MUL of floats.
//   Reset       none.
`default_nettype none

module samhw_pipelined_op #(
    parameter OP       = 0,
    parameter DEPTH    = 7,
    parameter W        = 32,
    parameter SIGNED   = 1,
    parameter SATURATE = 0,
    parameter FRAC     = 0,
    parameter EXP      = 8,
    parameter MAN      = 23,
    parameter MUL      = 2
) (
    input  wire         clk,
    input  wire         en,
    input  wire [W-1:0] a,
    input  wire [W-1:0] b,
    output wire [W-1:0] y
);
    generate
        if (OP < 0 || OP > 46
            || DEPTH < 0
            || W < 1
            || SIGNED < 0 || SIGNED > 1 || SATURATE < 0 || SATURATE > 1
            || FRAC < 0 || FRAC > W
            || EXP < 0 || MAN < 0
            || (MAN != 0 && W != 1 + EXP + MAN)
            || MUL < 0 || MUL > 7) begin : g_parameters
            samhw_parameter_out_of_range refused ();
        end
    endgenerate

    generate
        if (MAN > 0) begin : g_float
            samhw_float_op #(.OP(OP), .EXP(EXP), .MAN(MAN), .MUL(MUL), .DEPTH(DEPTH)) u_op (
                .clk(clk), .en(en), .a(a), .b(b), .c(a), .y(y)
            );
        end else begin : g_word
            samhw_word_op #(.OP(OP), .W(W), .SIGNED(SIGNED), .SATURATE(SATURATE), .FRAC(FRAC), .DEPTH(DEPTH)) u_op (
                .clk(clk), .en(en), .a(a), .b(b), .c(a), .y(y)
            );
        end
    endgenerate

    // Modules that are not there take these.
    wire _unused_ok = &{1'b0, SIGNED == 0, SATURATE == 0, FRAC == 0, EXP == 0, MUL == 0, 1'b0};

endmodule

`default_nettype wire
