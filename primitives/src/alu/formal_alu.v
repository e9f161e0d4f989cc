// SPDX-License-Identifier: Apache-2.0
//
// Proof: one output beat for each pair of aligned beats, in order, with their structure: the function of the two values, an absent one
// read as its fill, itself absent where the table says so; the pipeline holds no more than its registers and moves whenever
// its end does. Of canonical streams it makes a canonical one; what is offered stays until it is taken.
// mutant samhw_alu_front: h_empty[SOURCE] ? VALUES[k*IN_W +: IN_W] : h_val => h_val
// mutant samhw_alu_front: .out_valid(h_valid[k]), .out_ready(step && valid), => .out_valid(h_valid[k]), .out_ready(step),
// mutant samhw_alu_front: !emit[~h_empty] => h_empty[0]
// mutant samhw_alu_back: assign step = !out_valid || out_ready; => assign step = out_ready;
// mutant samhw_alu_back: y & {VAL_W{y_kind == DATA}} => y
`default_nettype none

module formal_alu (
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
    samhw_alu #(
        .OP(0), .W(3), .SIGNED(0), .VAL_W(3), .STOP_W(2), .STAGES(1), .STREAMS(2), .ARGS(2), .FROM(4'b0100), .FIXED(2'b00),
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
    wire [2:0] x_state;
    wire [2:0] o_state;
    wire [2:0] o_after;
    samhw_rules #(.DEPTH(2), .STOP_W(2), .W(3)) x_rules (
        .clk(clk), .rst(rst), .take(take), .beat(val0_beat), .legal(x_legal), .state(x_state), .after());
    samhw_rules #(.DEPTH(2), .STOP_W(2), .W(3)) y_rules (
        .clk(clk), .rst(rst), .take(take), .beat(val1_beat), .legal(y_legal), .state(), .after());
    samhw_rules #(.DEPTH(2), .STOP_W(2), .W(3)) o_rules (
        .clk(clk), .rst(rst), .take(give), .beat(val_beat), .legal(o_legal), .state(o_state), .after(o_after));
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
    wire       full;
    wire [6:0] expected;
    samhw_due #(.W(7)) due (
        .clk(clk), .started(started), .put(take), .ready(val_ready), .full(full), .expected(expected),
        .beat(val0_beat[6] ? val0_beat : {1'b0, !there, val0_beat[4:3], there ? sum : 3'd0}));

    always @*
        if (started) begin
            assert (take == take_1);
            assert (val_valid == full);
            assert (!full || (val_beat == expected && o_legal));
            assert (x_state == (full ? o_after : o_state));
            assert (!(val0_valid && val1_valid && (!full || val_ready)) || take);
        end

endmodule

`default_nettype wire
