// SPDX-License-Identifier: Apache-2.0
//
// ALU of functions that take many cycles: a program runs for each leaf that has a value.
//
//   Consumes    in[k]: STREAMS streams of one shape, any depth.
//   Produces    val: their shape; leaves are the program's results. Where an argument's leaf is EMPTY its fill
//               stands for it; EMIT says where the result is EMPTY: there, and for all else, no program runs.
//   Throughput  a leaf per run of the program and 1 cycle; other beats one per cycle.
//   Latency     2 cycles and the run.
//   Parameters  STREAMS, ARGS, FROM, FIXED, VALUES, EMIT as in samhw_alu_front; LINES, PROG, WORDS, CONSTS,
//               EXP, MAN, HAS as in samhw_program; W bits of a value; VAL_W bits of a payload, at least W and STOP_W;
//               STOP_W.
//   Reset       valid bits and state.
//   Source      "The Sparse Abstract Machine", section 3.5.
`default_nettype none

module samhw_alu_program #(
    parameter                    LINES   = 2,
    parameter [32*LINES-1:0]     PROG    = {32'h17000000, 32'h00000000},
    parameter                    WORDS   = 1,
    parameter [64*WORDS-1:0]     CONSTS  = {(64*WORDS){1'b0}},
    parameter                    EXP     = 8,
    parameter                    MAN     = 23,
    parameter [23:0]             HAS     = 24'h000000,
    parameter                    W       = 16,
    parameter                    VAL_W   = 16,
    parameter                    STOP_W  = 3,
    parameter                    STREAMS = 1,
    parameter                    ARGS    = 1,
    parameter [2*ARGS-1:0]       FROM    = {(2*ARGS){1'b0}},
    parameter [ARGS-1:0]         FIXED   = {ARGS{1'b0}},
    parameter [ARGS*VAL_W-1:0]   VALUES  = {(ARGS*VAL_W){1'b0}},
    parameter [(1<<STREAMS)-1:0] EMIT    = {{((1<<STREAMS)-1){1'b1}}, 1'b0}
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

    wire                  valid;
    wire                  free;
    wire [1:0]            kind;
    wire [STOP_W-1:0]     stop;
    wire [STOP_W-1:0]     hole;
    wire [ARGS*VAL_W-1:0] args;
    wire                  done;
    wire                  data = kind == 2'd0;
    wire                  go   = free && (!data || done);
    samhw_alu_front #(
        .STREAMS(STREAMS), .ARGS(ARGS), .IN_W(VAL_W), .STOP_W(STOP_W),
        .FROM(FROM), .FIXED(FIXED), .VALUES(VALUES), .EMIT(EMIT)
    ) u_front (
        .clk(clk), .rst(rst),
        .in_valid(in_valid), .in_ready(in_ready), .in_beat(in_beat),
        .valid(valid), .step(go), .kind(kind), .stop(stop), .hole(hole), .args(args)
    );

    wire [63:0] y;
    samhw_routine #(
        .LINES(LINES), .PROG(PROG), .WORDS(WORDS), .CONSTS(CONSTS), .ARGS(ARGS), .ARG_W(VAL_W),
        .EXP(EXP), .MAN(MAN), .HAS(HAS)
    ) u_program (
        .clk(clk), .rst(rst), .start(valid && data), .args(args), .done(done), .take(free), .y(y)
    );

    wire [VAL_W:0] widened = {{(VAL_W-W+1){1'b0}}, y[W-1:0]};
    samhw_alu_back #(.VAL_W(VAL_W), .STOP_W(STOP_W), .STAGES(1)) u_back (
        .clk(clk), .rst(rst),
        .valid(valid && (!data || done)), .step(free), .kind(kind), .stop(stop), .hole(hole), .y(widened[VAL_W-1:0]),
        .out_valid(val_valid), .out_ready(val_ready), .out_beat(val_beat)
    );

    wire _unused_ok = &{1'b0, y, widened[VAL_W], 1'b0};

endmodule

`default_nettype wire
