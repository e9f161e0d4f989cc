// SPDX-License-Identifier: Apache-2.0
//
// Proof: of aligned coordinates and values exactly the pairs with a value leave, in order, on both outputs;
// the last of a list carries the list's stop, a list that keeps none is empty. Of canonical streams it makes
// canonical ones; each output offers a beat until it is taken, at its own pace; a pair is taken unless its
// predecessor cannot leave.
// mutant samhw_dropper_leaf: wire ends  = i_stop != {STOP_W{1'b0}} || i_kind == DONE;
//     => wire ends  = i_stop != {STOP_W{1'b0}};
// mutant samhw_dropper_leaf: wire push  = go && (live || (ends && !waiting)); => wire push  = go && (live || ends);
// mutant samhw_dropper_leaf: wire close = go && !live && ends && waiting; => wire close = 1'b0;
// mutant samhw_dropper_leaf: {hollow ? NIL : i_kind, => {i_kind,
// mutant samhw_hold: wire leave    = held && out_free && (settled || push); => wire leave    = held && out_free;
// mutant samhw_hold: assign room    = !held || out_free; => assign room    = 1'b1;
// mutant samhw_hold: out_valid <= leave ? USED : (out_valid & ~out_ready);
//     => out_valid <= leave ? USED : out_valid & ~{BRANCHES{out_ready[0]}};
`default_nettype none

module formal_dropper_leaf (
    input wire       clk,
    input wire       outer_valid,
    input wire [5:0] outer_beat,
    input wire       inner_valid,
    input wire [5:0] inner_beat,
    input wire [1:0] ready
);

    reg started = 1'b0;
    always @(posedge clk)
        started <= 1'b1;
    wire rst = !started;

    wire       outer_ready;
    wire       inner_ready;
    wire [1:0] valid;
    wire [5:0] crd_beat;
    wire [5:0] val_beat;
    samhw_dropper_leaf #(.CRD_W(2), .VAL_W(2), .STOP_W(2)) dut (
        .clk(clk), .rst(rst),
        .outer_valid(outer_valid), .outer_ready(outer_ready), .outer_beat(outer_beat),
        .inner_valid(inner_valid), .inner_ready(inner_ready), .inner_beat(inner_beat),
        .outer_out_valid(valid[0]), .outer_out_ready(ready[0]), .outer_out_beat(crd_beat),
        .inner_out_valid(valid[1]), .inner_out_ready(ready[1]), .inner_out_beat(val_beat)
    );
    wire take   = started && outer_valid && outer_ready;
    wire take_i = started && inner_valid && inner_ready;

    wire [1:0] kind = inner_beat[5:4];
    wire [1:0] stop = inner_beat[3:2];
    wire       live = kind == 2'd0;
    wire       end_ = stop != 2'd0 || kind == 2'd3;

    wire       i_legal;
    wire [2:0] i_state;
    samhw_rules #(.DEPTH(2), .STOP_W(2), .W(2)) i_rules (
        .clk(clk), .rst(rst), .take(take), .beat(inner_beat), .legal(i_legal), .state(i_state), .after());
    always @* begin
        assume (!inner_valid || i_legal);
        assume (!outer_valid || !inner_valid || (outer_beat[5:4] == (kind[1] ? kind : 2'd0) && outer_beat[3:2] == stop
            && (!kind[1] || outer_beat == inner_beat)));
    end

    // The last pair kept, {kind, stop, value, coordinate}, until what follows settles its stop; then the one offered.
    reg        held    = 1'b0;
    reg        settled = 1'b0;
    reg  [7:0] pair;
    reg  [7:0] offered;
    reg  [1:0] lacks   = 2'd0;
    wire       waits = held && !settled;
    wire       free  = (lacks & ~ready) == 2'd0;
    // A list's end without a value: the pair before has the stop, or the list is empty.
    wire       keep  = take && (live || kind[1] || (end_ && !waits));
    wire [7:0] kept  = live || kind[1] ? {kind, stop, inner_beat[1:0], outer_beat[1:0]} : {2'd2, stop, 2'd1, 2'd1};
    wire       leave = held && free && (settled || keep);
    always @(posedge clk)
        if (started) begin
            held  <= keep || (held && !leave);
            lacks <= leave ? 2'b11 : lacks & ~ready;
            if (keep)
                pair <= kept;
            else if (take && end_)
                pair[5:4] <= stop;
            if (keep || (take && end_))
                settled <= end_;
            if (leave)
                offered <= pair;
        end

    // Both outputs are legal where their pair leaves for the output register.
    wire       o_legal;
    wire [2:0] o_state;
    wire [2:0] o_after;
    samhw_rules #(.DEPTH(2), .STOP_W(2), .W(2)) o_rules (
        .clk(clk), .rst(rst), .take(leave), .beat({pair[7:4], pair[1:0]}), .legal(o_legal), .state(o_state),
        .after(o_after));
    wire       none_held = held && settled;
    wire [2:0] place     = none_held ? o_after : o_state;

    always @*
        if (started) begin
            assert (take == take_i);
            assert (!(outer_valid && inner_valid) || take == (!held || free));
            assert (valid == lacks);
            assert (lacks == 2'd0 || {crd_beat, val_beat} == {offered[7:4], offered[1:0], offered[7:4], offered[3:2]});
            assert (!held || !settled || o_legal);
            assert (!leave || o_legal);
            // What has left and what is settled are as far as the input, but for the list at hand.
            assert (!waits || (pair[7:4] == 4'd0 && i_state == 3'd0 && !o_state[2]));
            assert (waits || i_state[1:0] == 2'd0 || place == i_state);
            assert (waits || i_state[1:0] != 2'd0 || (place[1:0] != 2'd0 && !place[2]));
        end

endmodule

`default_nettype wire
