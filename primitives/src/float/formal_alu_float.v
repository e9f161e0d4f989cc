// SPDX-License-Identifier: Apache-2.0
//
// Proof: one output beat for each pair of aligned beats, in order, with their structure, none lost or repeated however the consumer stops the
// pipeline: of a leaf what the function (a sum, formal/samhw_float_op.v) makes of just these two values, an absent one read as its fill,
// itself absent where the table says so. Of canonical streams it makes a canonical one; what is offered stays until it is taken; the pipeline
// takes a pair whenever its end moves, and holds no more than its registers.
// by: reachability
// case direct: STAGES=1
// case deep: STAGES=3
// mutant samhw_alu_float: .DEPTH(STAGES-1)) => .DEPTH(STAGES))
// mutant of deep samhw_alu_float: .clk(clk), .en(step), => .clk(clk), .en(1'b1),
// mutant samhw_alu_back: assign step = !out_valid || out_ready; => assign step = 1'b1;
// mutant of deep samhw_alu_back: else if (step)\n                    valids => else\n                    valids
// mutant of deep samhw_alu_back: if (step)\n                    metas => if (valid)\n                    metas
// mutant samhw_alu_back: y & {VAL_W{y_kind == DATA}} => y
// mutant samhw_alu_front: .out_valid(h_valid[k]), .out_ready(step && valid), => .out_valid(h_valid[k]), .out_ready(step),
`default_nettype none

module formal_alu_float #(
    parameter STAGES = 3
) (
    input wire       clk,
    input wire       val0_valid,
    input wire [6:0] val0_beat,
    input wire       val1_valid,
    input wire [6:0] val1_beat,
    input wire       val_ready
);

    reg started = 1'b0;
    always @(posedge clk)
        started <= 1'b1;
    wire rst = !started;

    wire       val0_ready;
    wire       val1_ready;
    wire       val_valid;
    wire [6:0] val_beat;
    samhw_alu_float #(
        .OP(0), .EXP(1), .MAN(1), .VAL_W(3), .STOP_W(2), .STAGES(STAGES), .STREAMS(2), .ARGS(2), .FROM(4'b0100), .FIXED(2'b00),
        .VALUES({3'd6, 3'd5}), .EMIT(4'b1110)
    ) dut (
        .clk(clk), .rst(rst),
        .in_valid({val1_valid, val0_valid}), .in_ready({val1_ready, val0_ready}), .in_beat({val1_beat, val0_beat}),
        .val_valid(val_valid), .val_ready(val_ready), .val_beat(val_beat)
    );
    wire take   = started && val0_valid && val0_ready;
    wire take_1 = started && val1_valid && val1_ready;
    wire give   = started && val_valid && val_ready;

    wire       x_legal;
    wire       y_legal;
    wire       o_legal;
    samhw_rules #(.DEPTH(2), .STOP_W(2), .W(3)) x_rules (
        .clk(clk), .rst(rst), .take(take), .beat(val0_beat), .legal(x_legal), .state(), .after());
    samhw_rules #(.DEPTH(2), .STOP_W(2), .W(3)) y_rules (
        .clk(clk), .rst(rst), .take(take), .beat(val1_beat), .legal(y_legal), .state(), .after());
    samhw_rules #(.DEPTH(2), .STOP_W(2), .W(3)) o_rules (
        .clk(clk), .rst(rst), .take(give), .beat(val_beat), .legal(o_legal), .state(), .after());
    always @* begin
        assume (!val0_valid || x_legal);
        assume (!val1_valid || y_legal);
        // Equal but for the leaves' values.
        assume (!val0_valid || !val1_valid || (val0_beat[6] == val1_beat[6] && val0_beat[4:3] == val1_beat[4:3]
            && (!val0_beat[6] || val0_beat == val1_beat)));
    end

    // EMIT 1110: there where one of them is.
    wire       there = val0_beat[6:5] == 2'd0 || val1_beat[6:5] == 2'd0;
    wire [2:0] sum   = (val0_beat[5] ? 3'd5 : val0_beat[2:0]) + (val1_beat[5] ? 3'd6 : val1_beat[2:0]);
    wire [2:0] owed;
    samhw_owed #(.W(7), .DEPTH(STAGES)) beats (
        .clk(clk), .started(started), .put(take), .valid(val_valid), .ready(val_ready), .given(val_beat), .count(owed),
        .beat(val0_beat[6] ? val0_beat : {1'b0, !there, val0_beat[4:3], there ? sum : 3'd0}));
    samhw_soon #(.MOST(STAGES)) moved (.clk(clk), .started(started), .waits(owed != 3'd0 && !val_valid));

    always @*
        if (started) begin
            assert (take == take_1);
            assert (!val_valid || o_legal);
            assert (!(val0_valid && val1_valid && (!val_valid || val_ready)) || take);
        end

endmodule

`default_nettype wire
