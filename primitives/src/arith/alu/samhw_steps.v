// SPDX-License-Identifier: Apache-2.0
//
// A function as units one after another, of a value at a time.
//
//   Consumes    start, with arguments that stay until `done` and `take`.
//   Produces    done, with the result y, until `take`.
//   Throughput  one value in RUN + 1 cycles: units have no enable, and a register behind each but the
//               last; their values are those of the arguments once these have been there for RUN cycles.
//   Parameters  STEPS units of W bits, of samhw_float_op if FLOAT (EXP, MAN, MUL), else of samhw_word_op
//               (SIGNED, SATURATE, FRAC, ONE): OPS and DEPTHS, TABLES, 8 bits each. PICKS: where a, b and
//               c come from, 6 bits each: an argument, of ARGS, one of NUMBERS in NUMBER, or a unit
//               before, 64 of them at most. RUN: cycles on the longest way, a unit's DEPTH and 1 for each but the last.
//   Reset       state.
`default_nettype none

module samhw_steps #(
    parameter                  STEPS    = 1,
    parameter                  FLOAT    = 0,
    parameter                  SIGNED   = 1,
    parameter                  SATURATE = 0,
    parameter                  FRAC     = 0,
    parameter                  EXP      = 8,
    parameter                  MAN      = 23,
    parameter                  MUL      = 2,
    parameter                  W        = 16,
    parameter [W-1:0]          ONE      = {{(W-1){1'b0}}, 1'b1},
    parameter                  ARGS     = 2,
    parameter                  NUMBERS   = 1,
    parameter [NUMBERS*W-1:0]   NUMBER  = {(NUMBERS*W){1'b0}},
    parameter [8*STEPS-1:0]    OPS      = {(8*STEPS){1'b0}},
    parameter [8*STEPS-1:0]    DEPTHS   = {(8*STEPS){1'b0}},
    parameter [8*STEPS-1:0]    TABLES   = {(8*STEPS){1'b0}},
    parameter [18*STEPS-1:0]   PICKS    = {(18*STEPS){1'b0}},
    parameter                  RUN      = 0
) (
    input  wire              clk,
    input  wire              rst,
    input  wire              start,
    input  wire [ARGS*W-1:0] args,
    output wire              done,
    input  wire              take,
    output wire [W-1:0]      y
);
    generate
        if (STEPS < 1 || W < 1 || NUMBERS < 1
            || FLOAT < 0 || FLOAT > 1
            || SIGNED < 0 || SIGNED > 1 || SATURATE < 0 || SATURATE > 1
            || FRAC < 0 || FRAC > W
            || EXP < 3 || MAN < 1
            || MUL < 0 || MUL > 5
            || ARGS < 1 || ARGS > 4
            || ARGS + NUMBERS + STEPS > 64
            || (FLOAT != 0 && W != 1 + EXP + MAN)
            || RUN < 0 || RUN > 255) begin : g_parameters
            samhw_parameter_out_of_range refused ();
        end
    endgenerate

    wire [STEPS*W-1:0]               held;
    wire [(ARGS+NUMBERS+STEPS)*W-1:0] all = {held, NUMBER, args};

    genvar k;
    generate
        for (k = 0; k < STEPS; k = k + 1) begin : g_step
            localparam [31:0] OP    = {24'd0, OPS[8*k +: 8]};
            localparam [31:0] DEPTH = {24'd0, DEPTHS[8*k +: 8]};
            localparam [7:0]  TABLE = TABLES[8*k +: 8];
            localparam [31:0] A     = {26'd0, PICKS[18*k +: 6]};
            localparam [31:0] B     = {26'd0, PICKS[18*k+6 +: 6]};
            localparam [31:0] C     = {26'd0, PICKS[18*k+12 +: 6]};
            wire [W-1:0] value;
            if (FLOAT != 0) begin : g_float
                samhw_float_op #(.OP(OP), .EXP(EXP), .MAN(MAN), .MUL(MUL), .DEPTH(DEPTH)) u_op (
                    .clk(clk), .en(1'b1), .a(all[A*W +: W]), .b(all[B*W +: W]), .c(all[C*W +: W]), .y(value)
                );
            end else begin : g_word
                samhw_word_op #(
                    .OP(OP), .W(W), .SIGNED(SIGNED), .SATURATE(SATURATE), .FRAC(FRAC), .ONE(ONE), .TABLE(TABLE),
                    .DEPTH(DEPTH)
                ) u_op (
                    .clk(clk), .en(1'b1), .a(all[A*W +: W]), .b(all[B*W +: W]), .c(all[C*W +: W]), .y(value)
                );
            end
            if (k == STEPS - 1) begin : g_last
                assign y = value;
                assign held[k*W +: W] = {W{1'b0}};
            end else begin : g_held
                reg [W-1:0] kept;
                always @(posedge clk)
                    kept <= value;
                assign held[k*W +: W] = kept;
            end
        end
        if (RUN == 0) begin : g_now
            assign done = start;
            wire _unused_ok = &{1'b0, clk, rst, take, 1'b0};
        end else begin : g_run
            // Cycles that the arguments have been there.
            reg [7:0] count;
            assign done = start && count == RUN[7:0];
            always @(posedge clk)
                if (rst || !start || (done && take))
                    count <= 8'd0;
                else if (!done)
                    count <= count + 8'd1;
        end
    endgenerate

    wire _unused_sources = &{1'b0, all, 1'b0};

    // Modules that are not there take these.
    wire _unused_ok = &{1'b0, SIGNED == 0, SATURATE == 0, FRAC == 0, EXP == 0, MAN == 0, MUL == 0, ONE[0], 1'b0};

endmodule

`default_nettype wire
