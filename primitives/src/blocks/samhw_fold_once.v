// SPDX-License-Identifier: Apache-2.0
//
// One fold of two values at a time, by any operator.
//
//   Consumes    start, a and b, which stay until the cycle with `done`.
//   Produces    done: y is the fold of a and b in this cycle. The next fold starts in the next
//               cycle.
//   Throughput  one fold in 1 cycle with OP 0 to 3, in DEPTH + 1 cycles with OP 4, in a run of the
//               program and a cycle with OP 5.
//   Parameters  W bits of a value; FOLD, of FOLD_W bits: what folds (samhw_fold.vh).
//   Reset       state.
`default_nettype none

module samhw_fold_once #(
    parameter              W      = 16,
    parameter              FOLD_W = 128,
    parameter [FOLD_W-1:0] FOLD   = 128'h0000_0000_0000_0000_0100_0000_0000_0000
) (
    input  wire         clk,
    input  wire         rst,
    input  wire         start,
    input  wire [W-1:0] a,
    input  wire [W-1:0] b,
    output wire         done,
    output wire [W-1:0] y
);
    generate
        if (W < 1 || FOLD_W < 128) begin : g_parameters
            samhw_parameter_out_of_range refused ();
        end
    endgenerate

    `include "samhw_fold.vh"

    generate
        if (OP == 5) begin : g_program
            `include "samhw_fold_program.vh"
            wire [63:0] word;
            samhw_routine #(
                .LINES(LINES), .PROG(PROG), .WORDS(WORDS), .CONSTS(CONSTS), .ARGS(2), .ARG_W(W),
                .EXP(EXP), .MAN(MAN), .HAS(HAS)
            ) u_program (
                .clk(clk), .rst(rst), .start(start), .args({b, a}), .done(done), .take(1'b1), .y(word)
            );
            assign y = word[W-1:0] & TRUE[W-1:0];
            wire _unused_word = &{1'b0, word, 1'b0};
        end else if (OP == 4) begin : g_pipelined
            // Bit n: the arguments have been there for more than n cycles.
            reg  [DEPTH-1:0] there;
            wire [DEPTH:0]   there_in = {there, start};
            assign done = there_in[DEPTH];
            always @(posedge clk)
                there <= there_in[DEPTH-1:0] & {DEPTH{!rst && !done}};
            samhw_pipelined_op #(
                .OP(UNIT), .DEPTH(DEPTH), .W(W), .SIGNED(SIGNED), .SATURATE(SATURATE), .FRAC(FRAC), .EXP(EXP),
                .MAN(MAN), .MUL(MUL)
            ) u_op (.clk(clk), .en(1'b1), .a(a), .b(b), .y(y));
        end else begin : g_now
            assign done = start;
            if (OP == 0) begin : g_sum
                assign y = a + b;
            end else if (OP <= 2) begin : g_select
                wire less;
                if (SIGNED != 0) begin : g_signed
                    assign less = $signed(b) < $signed(a);
                end else begin : g_unsigned
                    assign less = b < a;
                end
                assign y = less == (OP == 1) ? b : a;
            end else begin : g_unit
                samhw_fold #(.OP(UNIT), .W(W), .EXP(EXP), .MAN(MAN), .ONE(TRUE[W-1:0])) u_fold (.a(a), .b(b), .y(y));
            end
            wire _unused_clk = &{1'b0, clk, rst, 1'b0};
        end
    endgenerate

    // Modules that are not there take these.
    wire _unused_ok = &{
        1'b0, UNIT == 0, DEPTH == 0, EXP == 0, MAN == 0, MUL == 0, SATURATE == 0, FRAC == 0, SIGNED == 0, TRUE[0], 1'b0
    };

endmodule

`default_nettype wire
