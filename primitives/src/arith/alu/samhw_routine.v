// SPDX-License-Identifier: Apache-2.0
//
// A function that takes many cycles: a program, or a unit of its own that does what one would.
//
//   Consumes    start, with arguments that stay until `done`.
//   Produces    done, with the result y, until `take`.
//   Throughput  one value per run.
//   Parameters  as in samhw_program. Where PROG begins with op 25 to 27, all of it is that: 25 a common
//               divisor (samhw_gcd), 26 a power (samhw_power) of two arguments of as many bits as its
//               number n says, a of them after the point, with sign if bit 0 of its d is set, saturating if
//               bit 1 is; 27 a common divisor of the whole parts of floats (samhw_gcd_parts).
//   Reset       state.
`default_nettype none

module samhw_routine #(
    parameter                LINES  = 2,
    parameter [32*LINES-1:0] PROG   = {32'h17000000, 32'h00000000},
    parameter                WORDS  = 1,
    parameter [64*WORDS-1:0] CONSTS = {(64*WORDS){1'b0}},
    parameter                ARGS   = 1,
    parameter                ARG_W  = 16,
    parameter                EXP    = 8,
    parameter                MAN    = 23,
    parameter [23:0]         HAS    = 24'h000000
) (
    input  wire                  clk,
    input  wire                  rst,
    input  wire                  start,
    input  wire [ARGS*ARG_W-1:0] args,
    output wire                  done,
    input  wire                  take,
    output wire [63:0]           y
);
    generate
        if (LINES < 1 || LINES > 4096
            || WORDS < 1 || WORDS > 4096
            || ARGS < 1 || ARGS > 4
            || ARG_W < 1 || ARG_W > 64
            || EXP < 3 || MAN < 1) begin : g_parameters
            samhw_parameter_out_of_range refused ();
        end
    endgenerate

    localparam [5:0] OP = PROG[29:24];

    generate
        if (OP == 6'd25 || OP == 6'd26) begin : g_unit
            localparam [31:0] W        = {20'd0, PROG[11:0]};
            localparam [31:0] SIGNED   = {31'd0, PROG[18]};
            localparam [31:0] SATURATE = {31'd0, PROG[19]};
            localparam [31:0] FRAC     = {26'd0, PROG[17:12]};
            wire [W-1:0]  value;
            wire [64:0]   wide = {{(65-W){1'b0}}, value};
            if (OP == 6'd25) begin : g_gcd
                samhw_gcd #(.W(W), .SIGNED(SIGNED)) u_gcd (
                    .clk(clk), .rst(rst), .start(start), .a(args[W-1:0]), .b(args[ARG_W +: W]),
                    .done(done), .take(take), .y(value)
                );
            end else begin : g_power
                samhw_power #(.W(W), .SIGNED(SIGNED), .SATURATE(SATURATE), .FRAC(FRAC)) u_power (
                    .clk(clk), .rst(rst), .start(start), .a(args[W-1:0]), .b(args[ARG_W +: W]),
                    .done(done), .take(take), .y(value)
                );
            end
            assign y = wide[63:0];
            wire _unused_ok = &{
                1'b0, args, wide[64], SATURATE == 0, FRAC == 0, LINES == 0, WORDS == 0, CONSTS[0], ARGS == 0,
                ARG_W == 0, EXP == 0,
                MAN == 0, HAS[0], 1'b0
            };
        end else if (OP == 6'd27) begin : g_parts
            localparam FLOAT_W = 1 + EXP + MAN;
            wire [FLOAT_W-1:0] value;
            wire [64:0]        wide = {{(65-FLOAT_W){1'b0}}, value};
            samhw_gcd_parts #(.EXP(EXP), .MAN(MAN)) u_parts (
                .clk(clk), .rst(rst), .start(start), .a(args[FLOAT_W-1:0]), .b(args[ARG_W +: FLOAT_W]),
                .done(done), .take(take), .y(value)
            );
            assign y = wide[63:0];
            wire _unused_ok = &{
                1'b0, args, wide[64], LINES == 0, WORDS == 0, CONSTS[0], ARGS == 0, ARG_W == 0, HAS[0], 1'b0
            };
        end else begin : g_program
            samhw_program #(
                .LINES(LINES), .PROG(PROG), .WORDS(WORDS), .CONSTS(CONSTS), .ARGS(ARGS), .ARG_W(ARG_W),
                .EXP(EXP), .MAN(MAN), .HAS(HAS)
            ) u_program (
                .clk(clk), .rst(rst), .start(start), .args(args), .done(done), .take(take), .y(y)
            );
        end
    endgenerate

endmodule

`default_nettype wire
