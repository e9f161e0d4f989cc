// SPDX-License-Identifier: Apache-2.0
//
// ALU of functions that take many cycles: a program runs for each leaf that has a value, or units do one after
// another. Its own value at the leaf before in the list can be among the arguments.
//
//   Consumes    in[k]: STREAMS streams of one shape, any depth.
//   Produces    val: their shape; leaves are the function's results. Where an argument's leaf is EMPTY its fill
//               stands for it; EMIT says where the result is EMPTY: there, and for all else, nothing runs.
//               An argument of LAST is what the function gave for the list's last leaf that has a value;
//               its field of VALUES where there is none yet.
//   Throughput  a leaf per run and 1 cycle; other beats one per cycle.
//   Latency     2 cycles and the run.
//   Parameters  STREAMS, ARGS, FROM, FIXED, VALUES, EMIT as in samhw_alu_front; LAST one bit each, of
//               arguments that are FIXED; if PROGRAM is not 0 LINES, PROG, WORDS, CONSTS, EXP, MAN,
//               HAS as in samhw_program, else STEPS to RUN as in samhw_steps; W bits of a value; VAL_W
//               bits of a payload, at least W and STOP_W; STOP_W.
//   Reset       valid bits and state.
//   Source      "The Sparse Abstract Machine", section 3.5.
`default_nettype none

module samhw_alu_program #(
    parameter                    PROGRAM  = 1,
    parameter                    LINES    = 2,
    parameter [32*LINES-1:0]     PROG     = {32'h17000000, 32'h00000000},
    parameter                    WORDS    = 1,
    parameter [64*WORDS-1:0]     CONSTS   = {(64*WORDS){1'b0}},
    parameter [23:0]             HAS      = 24'h000000,
    parameter                    EXP      = 8,
    parameter                    MAN      = 23,
    parameter                    W        = 16,
    parameter                    STEPS    = 1,
    parameter                    FLOAT    = 0,
    parameter                    SIGNED   = 1,
    parameter                    SATURATE = 0,
    parameter                    FRAC     = 0,
    parameter                    MUL      = 2,
    parameter [W-1:0]            ONE      = {{(W-1){1'b0}}, 1'b1},
    parameter                    NUMBERS  = 1,
    parameter [NUMBERS*W-1:0]    NUMBER   = {(NUMBERS*W){1'b0}},
    parameter [8*STEPS-1:0]      OPS      = {(8*STEPS){1'b0}},
    parameter [8*STEPS-1:0]      DEPTHS   = {(8*STEPS){1'b0}},
    parameter [8*STEPS-1:0]      TABLES   = {(8*STEPS){1'b0}},
    parameter [18*STEPS-1:0]     PICKS    = {(18*STEPS){1'b0}},
    parameter                    RUN      = 0,
    parameter                    VAL_W    = 16,
    parameter                    STOP_W   = 3,
    parameter                    STREAMS  = 1,
    parameter                    ARGS     = 1,
    parameter [2*ARGS-1:0]       FROM     = {(2*ARGS){1'b0}},
    parameter [ARGS-1:0]         FIXED    = {ARGS{1'b0}},
    parameter [ARGS-1:0]         LAST     = {ARGS{1'b0}},
    parameter [ARGS*VAL_W-1:0]   VALUES   = {(ARGS*VAL_W){1'b0}},
    parameter [(1<<STREAMS)-1:0] EMIT     = {{((1<<STREAMS)-1){1'b1}}, 1'b0}
) (
    input  wire                                clk,
    input  wire                                rst,

    input  wire [STREAMS-1:0]                  in_valid,
    output wire [STREAMS-1:0]                  in_ready,
    input  wire [STREAMS*(2+STOP_W+VAL_W)-1:0] in_beat,

    output wire                                val_valid,
    input  wire                                val_ready,
    output wire [2+STOP_W+VAL_W-1:0]           val_beat
);
    generate
        if (PROGRAM < 0 || PROGRAM > 1
            || LINES < 1 || LINES > 4096
            || WORDS < 1 || WORDS > 4096
            || EXP < 3 || MAN < 1
            || W < 1 || STEPS < 1 || NUMBERS < 1
            || (PROGRAM != 0 && W > 64)
            || FLOAT < 0 || FLOAT > 1
            || SIGNED < 0 || SIGNED > 1 || SATURATE < 0 || SATURATE > 1
            || FRAC < 0 || FRAC > W
            || MUL < 0 || MUL > 5
            || RUN < 0 || RUN > 255
            || STREAMS < 1 || STREAMS > 4
            || ARGS < 1 || ARGS > 4
            || VAL_W < W || VAL_W < STOP_W || STOP_W < 1) begin : g_parameters
            samhw_parameter_out_of_range refused ();
        end
    endgenerate

    `include "samhw_kinds.vh"

    wire                  valid;
    wire                  free;
    wire [1:0]            kind;
    wire [STOP_W-1:0]     stop;
    wire [STOP_W-1:0]     hole;
    wire [ARGS*VAL_W-1:0] front;
    wire [ARGS*VAL_W-1:0] args;
    wire                  done;
    wire                  data = kind == DATA;
    wire                  go   = free && (!data || done);
    samhw_alu_front #(
        .STREAMS(STREAMS), .ARGS(ARGS), .IN_W(VAL_W), .STOP_W(STOP_W),
        .FROM(FROM), .FIXED(FIXED), .VALUES(VALUES), .EMIT(EMIT)
    ) u_front (
        .clk(clk), .rst(rst),
        .in_valid(in_valid), .in_ready(in_ready), .in_beat(in_beat),
        .valid(valid), .step(go), .kind(kind), .stop(stop), .hole(hole), .args(front)
    );

    wire [W-1:0]     y;
    wire [VAL_W:0]   widened = {{(VAL_W-W+1){1'b0}}, y};
    reg              some;  // the list had a value
    reg  [VAL_W-1:0] last;
    genvar k;
    generate
        for (k = 0; k < ARGS; k = k + 1) begin : g_arg
            assign args[k*VAL_W +: VAL_W] = LAST[k] && some ? last : front[k*VAL_W +: VAL_W];
        end
    endgenerate
    always @(posedge clk) begin
        if (valid && go && data)
            last <= widened[VAL_W-1:0];
        if (rst)
            some <= 1'b0;
        else if (valid && go)
            some <= !kind[1] && stop == {STOP_W{1'b0}} && (some || data);
    end

    generate
        if (PROGRAM != 0) begin : g_program
            wire [63:0] word;
            samhw_routine #(
                .LINES(LINES), .PROG(PROG), .WORDS(WORDS), .CONSTS(CONSTS), .ARGS(ARGS), .ARG_W(VAL_W),
                .EXP(EXP), .MAN(MAN), .HAS(HAS)
            ) u_program (
                .clk(clk), .rst(rst), .start(valid && data), .args(args), .done(done), .take(free), .y(word)
            );
            assign y = word[W-1:0];
            wire _unused_ok = &{1'b0, word, 1'b0};
        end else begin : g_steps
            wire [ARGS*W-1:0] narrow;
            for (k = 0; k < ARGS; k = k + 1) begin : g_narrow
                assign narrow[k*W +: W] = args[k*VAL_W +: W];
            end
            samhw_steps #(
                .STEPS(STEPS), .FLOAT(FLOAT), .SIGNED(SIGNED), .SATURATE(SATURATE), .FRAC(FRAC), .EXP(EXP), .MAN(MAN),
                .MUL(MUL), .W(W), .ONE(ONE), .ARGS(ARGS), .NUMBERS(NUMBERS), .NUMBER(NUMBER), .OPS(OPS),
                .DEPTHS(DEPTHS), .TABLES(TABLES), .PICKS(PICKS), .RUN(RUN)
            ) u_steps (
                .clk(clk), .rst(rst), .start(valid && data), .args(narrow), .done(done), .take(free), .y(y)
            );
        end
    endgenerate

    samhw_alu_back #(.VAL_W(VAL_W), .STOP_W(STOP_W), .STAGES(1)) u_back (
        .clk(clk), .rst(rst),
        .valid(valid && (!data || done)), .step(free), .kind(kind), .stop(stop), .hole(hole), .y(widened[VAL_W-1:0]),
        .out_valid(val_valid), .out_ready(val_ready), .out_beat(val_beat)
    );

    wire _unused_ok = &{1'b0, args, widened[VAL_W], 1'b0};

    // Modules that are not there take these.
    wire _unused_parameters = &{
        1'b0, PROG[0], CONSTS[0], HAS[0], EXP == 0, MAN == 0, FLOAT == 0, SIGNED == 0, SATURATE == 0, FRAC
        == 0, MUL == 0, ONE[0], NUMBER[0], OPS[0], DEPTHS[0], TABLES[0], PICKS[0], RUN == 0, 1'b0
    };

endmodule

`default_nettype wire
