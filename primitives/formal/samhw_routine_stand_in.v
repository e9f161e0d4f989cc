// SPDX-License-Identifier: Apache-2.0
//
// Stands for a program in proofs of primitives that have one: takes as many cycles as it likes, and gives the
// sum of its two arguments. Demands of whoever uses it that arguments stay while it runs; what y is when
// nothing is done is not said.
`default_nettype none

module samhw_routine_stand_in #(
    parameter                LINES  = 2,
    parameter [32*LINES-1:0] PROG   = {32'h17000000, 32'h00000000},
    parameter                WORDS  = 1,
    parameter [64*WORDS-1:0] CONSTS = {(64*WORDS){1'b0}},
    parameter                ARGS   = 2,
    parameter                ARG_W  = 3,
    parameter                EXP    = 8,
    parameter                MAN    = 23,
    parameter [23:0]         HAS    = 24'h000000
) (
    input  wire                  clk,
    input  wire                  rst,
    input  wire                  start,
    input  wire [ARGS*ARG_W-1:0] args,
    output reg                   done,
    input  wire                  take,
    output wire [63:0]           y
);

    // Any value, in every cycle.
    (* anyseq *) reg         last;
    (* anyseq *) reg  [63:0] what;
    reg                   runs;
    reg  [ARGS*ARG_W-1:0] given;

    wire [ARG_W-1:0] sum = given[ARG_W-1:0] + given[2*ARG_W-1:ARG_W];
    assign y = done ? {what[63:ARG_W], sum} : what;

    initial runs = 1'b0;
    initial done = 1'b0;
    always @(posedge clk)
        if (rst) begin
            runs <= 1'b0;
            done <= 1'b0;
        end else if (done) begin
            done <= !take;
        end else if (runs) begin
            runs <= !last;
            done <= last;
        end else if (start) begin
            runs  <= 1'b1;
            given <= args;
        end

    always @*
        if (!rst && (runs || done))
            assert (start && args == given);

    wire _unused_ok = &{1'b0, PROG, CONSTS, EXP != 0, MAN != 0, HAS, 1'b0};

endmodule

`default_nettype wire
