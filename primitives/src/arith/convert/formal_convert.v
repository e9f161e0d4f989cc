// SPDX-License-Identifier: Apache-2.0
//
// Proof: each leaf leaves as the other type's value, in order and in the stream's shape; an absent one as the
// fill's value, or absent, as EMIT says. Of a canonical stream it makes a canonical one; what is offered
// stays until it is taken, a beat is taken in every cycle in which the consumer takes one, and leaves as many
// cycles later as there are stages.
// by: reachability
// case direct: HOW=1
// case stages: HOW=2
// mutant samhw_alu_back: y & {VAL_W{y_kind == DATA}} => y
// mutant samhw_alu_back: assign step = !out_valid || out_ready; => assign step = 1'b1;
// mutant of stages samhw_alu_front: h_empty[SOURCE] ? VALUES[k*IN_W +: IN_W] : h_val[SOURCE*IN_W +: IN_W];
//     => h_val[SOURCE*IN_W +: IN_W];
// mutant of stages samhw_alu_front: assign kind = h_kind[1] ? h_kind[1:0] : {1'b0, !emit[~h_empty]};
//     => assign kind = h_kind[1:0];
// mutant of stages samhw_alu_back: valids <= valids_in[N-1:0]; => valids <= valids_in[N:1];
`default_nettype none

module formal_convert #(
    parameter HOW = 1
) (
    input wire       clk,
    input wire       in_valid,
    input wire [6:0] in_beat,
    input wire       val_ready
);

    reg started = 1'b0;
    always @(posedge clk)
        started <= 1'b1;
    wire rst = !started;

    // A signed word of 3 bits to its low two; a half integer to the whole below, where absent ones become 5/2.
    localparam STAGES = HOW == 1 ? 1 : 3;
    wire       in_ready;
    wire       val_valid;
    wire [5:0] val_beat;
    samhw_convert #(
        .FROM_W(3), .FROM_EXP(0), .FROM_MAN(0), .FROM_SIGNED(HOW == 1), .FROM_FRAC(HOW == 1 ? 0 : 1),
        .TO_W(2), .TO_EXP(0),
        .TO_MAN(0), .TO_SIGNED(HOW == 1), .TO_FRAC(0), .HOW(HOW), .IN_W(3), .VAL_W(2), .STOP_W(2), .STAGES(STAGES),
        .VALUES(3'd5), .EMIT(HOW == 1 ? 2'b10 : 2'b11)
    ) dut (
        .clk(clk), .rst(rst),
        .in_valid(in_valid), .in_ready(in_ready), .in_beat(in_beat),
        .val_valid(val_valid), .val_ready(val_ready), .val_beat(val_beat)
    );
    wire take = started && in_valid && in_ready;
    wire give = started && val_valid && val_ready;

    wire legal;
    wire o_legal;
    samhw_rules #(.DEPTH(2), .STOP_W(2), .W(3)) rules (
        .clk(clk), .rst(rst), .take(take), .beat(in_beat), .legal(legal), .state(), .after());
    samhw_rules #(.DEPTH(2), .STOP_W(2), .W(2)) o_rules (
        .clk(clk), .rst(rst), .take(give), .beat(val_beat), .legal(o_legal), .state(), .after());
    always @*
        assume (!in_valid || legal);

    wire [1:0] kind   = in_beat[6:5];
    wire       absent = kind == 2'd1;
    wire [2:0] x      = absent ? 3'd5 : in_beat[2:0];
    wire [1:0] y      = HOW == 1 ? x[1:0] : x[2:1];
    wire       none   = absent && HOW == 1;
    wire [2:0] count;
    samhw_owed #(.W(6), .DEPTH(STAGES)) owed (
        .clk(clk), .started(started), .put(take), .valid(val_valid), .ready(val_ready), .given(val_beat), .count(count),
        .beat({kind[1] ? kind : {1'b0, none}, in_beat[4:3], kind[1] ? in_beat[1:0] : none ? 2'd0 : y}));
    samhw_soon #(.MOST(STAGES)) given (.clk(clk), .started(started), .waits(count != 3'd0 && !val_valid));

    always @*
        if (started) begin
            assert (!val_valid || o_legal);
            assert (!in_valid || in_ready == (!val_valid || val_ready));
        end

endmodule

`default_nettype wire
