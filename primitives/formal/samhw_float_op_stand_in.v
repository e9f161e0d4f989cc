// SPDX-License-Identifier: Apache-2.0
//
// Stands for a function of floats in proofs of primitives that have one: a pipeline of DEPTH registers that
// moves with `en`, and gives the sum of its first two arguments, as words. What the function is, and that it
// takes DEPTH cycles, is compared with models.
`default_nettype none

module samhw_float_op_stand_in #(
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

    localparam W = 1 + EXP + MAN;

    generate
        if (DEPTH == 0) begin : g_none
            assign y = a + b;
        end else begin : g_some
            reg  [DEPTH*W-1:0] late;
            wire [W-1:0]       sum = a + b;
            always @(posedge clk)
                if (en)
                    late <= {late, sum};
            assign y = late[(DEPTH-1)*W +: W];
        end
    endgenerate

    wire _unused_ok = &{1'b0, c, OP != 0, MUL != 0, 1'b0};

endmodule

`default_nettype wire
