// SPDX-License-Identifier: Apache-2.0
//
// Iterative scalar reducer: folds each list of height 1 with an operator that a program computes.
//
//   Consumes    val: values, depth d >= 1.
//   Produces    out: depth d - 1, a leaf for each list of height 1; EMPTY where it has no value.
//   Throughput  a list's first value takes one cycle, each further one the cycles of a run of the program and one.
//               Absent leaves take one.
//   Latency     2 cycles, and the run, from the end of a list.
//   Parameters  LINES, PROG, WORDS, CONSTS, EXP, MAN, HAS as in samhw_program, whose arguments are what has been
//               folded so far and the next value; W bits of a value, VAL_W bits of a payload, at least W and STOP_W
//               (upper bits are 0); STOP_W.
//   Reset       valid bits and state.
//   Source      "The Sparse Abstract Machine", section 3.6; "Compilation of Sparse Array Programming Models",
//               section 3.
`default_nettype none

module samhw_reducer_iterative #(
    parameter                LINES  = 2,
    parameter [32*LINES-1:0] PROG   = {32'h17000000, 32'h00000000},
    parameter                WORDS  = 1,
    parameter [64*WORDS-1:0] CONSTS = {(64*WORDS){1'b0}},
    parameter                EXP    = 8,
    parameter                MAN    = 23,
    parameter [23:0]         HAS    = 24'h000000,
    parameter                W      = 16,
    parameter                VAL_W  = 16,
    parameter                STOP_W = 3
) (
    input  wire                      clk,
    input  wire                      rst,

    input  wire                      val_valid,
    output wire                      val_ready,
    input  wire [2+STOP_W+VAL_W-1:0] val_beat,

    output reg                       out_valid,
    input  wire                      out_ready,
    output reg  [2+STOP_W+VAL_W-1:0] out_beat
);
    generate
        if (LINES < 1 || LINES > 4096
            || WORDS < 1 || WORDS > 4096
            || EXP < 3 || MAN < 1
            || W < 1 || W > 64
            || VAL_W < W || VAL_W < STOP_W || STOP_W < 1) begin : g_parameters
            samhw_parameter_out_of_range refused ();
        end
    endgenerate

    `include "samhw_kinds.vh"
    localparam [STOP_W-1:0] ZERO  = 0;
    localparam [STOP_W-1:0] ONE   = 1;

    wire              v_valid;
    wire              v_pop;
    wire [1:0]        v_kind;
    wire [STOP_W-1:0] v_stop;
    wire [VAL_W-1:0]  v_val;
    samhw_skid #(.W(2+STOP_W+VAL_W)) u_val (
        .clk(clk), .rst(rst),
        .in_valid(val_valid), .in_ready(val_ready), .in_beat(val_beat),
        .out_valid(v_valid), .out_ready(v_pop), .out_beat({v_kind, v_stop, v_val})
    );

    reg             some;  // the list had a value
    reg [VAL_W-1:0] acc;

    wire leaf  = !v_kind[1];
    wire done  = v_kind == DONE;
    wire inner = leaf && v_stop == ZERO;
    wire folds = v_kind == DATA && some;
    // A leaf that does not end its list needs no room at the output.
    wire free  = inner || !out_valid || out_ready;
    wire ran;
    assign v_pop = free && (!folds || ran);
    wire go = v_valid && v_pop;

    wire [63:0] y;
    samhw_routine #(
        .LINES(LINES), .PROG(PROG), .WORDS(WORDS), .CONSTS(CONSTS), .ARGS(2), .ARG_W(VAL_W),
        .EXP(EXP), .MAN(MAN), .HAS(HAS)
    ) u_program (
        .clk(clk), .rst(rst), .start(v_valid && folds), .args({v_val, acc}), .done(ran), .take(free), .y(y)
    );

    wire [VAL_W:0]    both   = {{(VAL_W-W+1){1'b0}}, y[W-1:0]};
    wire [VAL_W-1:0]  folded = folds ? both[VAL_W-1:0] : v_kind[0] ? acc : v_val;
    wire              any    = some || !v_kind[0];
    wire [STOP_W-1:0] hole   = v_val[STOP_W-1:0];
    wire [STOP_W-1:0] less   = hole - {{(STOP_W-1){1'b0}}, !done};
    wire              item   = !done && hole == ONE;  // of a NIL: the list is a leaf now

    always @(posedge clk) begin
        // 0 where there is none yet.
        if (go && leaf)
            acc <= folded & {VAL_W{inner}};
        if (go && !inner) begin
            if (leaf)
                out_beat <= {any ? DATA : EMPTY, v_stop - ONE, folded};
            else
                out_beat <= {item ? EMPTY : v_kind, v_stop - {{(STOP_W-1){1'b0}}, !done},
                             {(VAL_W-STOP_W){1'b0}}, less};
        end
        if (rst) begin
            out_valid <= 1'b0;
            some      <= 1'b0;
            acc       <= {VAL_W{1'b0}};
        end else begin
            if (!out_valid || out_ready)
                out_valid <= go && !inner;
            if (go && leaf)
                some <= inner && any;
        end
    end

    wire _unused_ok = &{1'b0, y, both[VAL_W], 1'b0};

`ifdef SAMHW_ASSERT
    always @(posedge clk)
        if (!rst && v_valid
            && ((v_kind == EMPTY && v_val != {VAL_W{1'b0}}) || (!leaf && !done && v_stop == ZERO))) begin
            $display("samhw_reducer_iterative: val is not canonical");
            $stop;
        end
`endif

endmodule

`default_nettype wire
