// SPDX-License-Identifier: Apache-2.0
//
// Proof: one output beat for each pair of aligned beats, in order, with the structure both have; an absent
// second payload is 0. Of canonical streams it makes a canonical one; what is offered stays until it is
// taken; a pair leaves in the next cycle that the consumer allows.
// mutant samhw_zip: b_kind == DATA ? b_data : => 1'b1 ? b_data :
// mutant samhw_zip: wire go = a_valid && b_valid && => wire go = a_valid &&
// mutant samhw_zip: {b_kind, a_stop, => {a_kind, a_stop,
// mutant samhw_zip: else if (go || out_ready) => else if (go)
`default_nettype none

module formal_zip (
    input wire       clk,
    input wire       first_valid,
    input wire [5:0] first_beat,
    input wire       second_valid,
    input wire [6:0] second_beat,
    input wire       out_ready
);

    reg started = 1'b0;
    always @(posedge clk)
        started <= 1'b1;
    wire rst = !started;

    wire       first_ready;
    wire       second_ready;
    wire       out_valid;
    wire [8:0] out_beat;
    samhw_zip #(.FIRST_W(2), .SECOND_W(3), .STOP_W(2)) dut (
        .clk(clk), .rst(rst),
        .first_valid(first_valid), .first_ready(first_ready), .first_beat(first_beat),
        .second_valid(second_valid), .second_ready(second_ready), .second_beat(second_beat),
        .out_valid(out_valid), .out_ready(out_ready), .out_beat(out_beat)
    );
    wire f_take = started && first_valid && first_ready;
    wire s_take = started && second_valid && second_ready;
    wire o_take = started && out_valid && out_ready;

    // Lists of depth 2; the pair's structure is seen without its second payload.
    wire       f_legal;
    wire       s_legal;
    wire       o_legal;
    wire [2:0] f_state;
    wire [2:0] f_after;
    wire [2:0] o_state;
    wire [2:0] o_after;
    wire       o_leaf = !out_beat[8];
    wire [5:0] shape  = {o_leaf ? 2'd0 : out_beat[8:7], out_beat[6:5], out_beat[1:0]};
    samhw_rules #(.DEPTH(2), .STOP_W(2), .W(2)) f_rules (
        .clk(clk), .rst(rst), .take(f_take), .beat(first_beat), .legal(f_legal), .state(f_state), .after(f_after));
    samhw_rules #(.DEPTH(2), .STOP_W(2), .W(3)) s_rules (
        .clk(clk), .rst(rst), .take(s_take), .beat(second_beat), .legal(s_legal), .state(), .after());
    samhw_rules #(.DEPTH(2), .STOP_W(2), .W(2)) o_rules (
        .clk(clk), .rst(rst), .take(o_take), .beat(shape), .legal(o_legal), .state(o_state), .after(o_after));

    always @* begin
        assume (!first_valid || (f_legal && first_beat[5:4] != 2'd1));
        assume (!second_valid || s_legal);
        assume (!first_valid || !second_valid || (first_beat[5] == second_beat[6] && first_beat[3:2] == second_beat[4:3]
            && (!first_beat[5] || (first_beat[4] == second_beat[5] && first_beat[1:0] == second_beat[1:0]))));
    end

    wire       full;
    wire [8:0] expected;
    samhw_due #(.W(9)) due (
        .clk(clk), .started(started), .put(f_take), .ready(out_ready), .full(full), .expected(expected),
        .beat({second_beat[6:3], second_beat[6] ? 3'd0 : second_beat[2:0], first_beat[1:0]}));

    always @*
        if (started) begin
            assert (out_valid == full);
            assert (!full || out_beat == expected);
            assert (!full || (o_legal && (out_beat[8:7] == 2'd0 || out_beat[4:2] == 3'd0)));
            assert (f_state == (full ? o_after : o_state));
            assert (f_take == s_take);
            assert (first_ready == (first_valid && second_valid && (!full || out_ready)) || !first_valid);
            assert (second_ready == (first_valid && second_valid && (!full || out_ready)) || !second_valid);
        end

endmodule

`default_nettype wire
