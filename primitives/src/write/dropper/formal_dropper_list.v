// SPDX-License-Identifier: Apache-2.0
//
// Proof: of aligned coordinates and lists exactly the coordinates whose list has an item leave, and those
// lists, in order; the last of a list carries the list's stop, and a list of which nothing stays is empty. Of
// canonical streams it makes canonical ones; what an output offers stays until it is taken; with consumers
// that take, input is taken and what is settled leaves.
// by: reachability
// mutant samhw_dropper_list: wire o_push = (live && !open) || empty; => wire o_push = live || empty;
// mutant samhw_dropper_list: wire close  = !live && o_ends && o_waiting; => wire close  = 1'b0;
// mutant samhw_dropper_list: .last(!ends || o_ends), => .last(1'b1),
// mutant samhw_dropper_list: {{(PAY_W-2){1'b0}}, 2'd2} => {{(PAY_W-2){1'b0}}, 2'd1}
// mutant samhw_dropper_list: open <= live && !ends; => open <= live;
// mutant samhw_dropper_list: (!o_push || o_room) && => (o_push || o_room) &&
`default_nettype none

module formal_dropper_list (
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
    wire [5:0] list_beat;
    samhw_dropper_list #(.CRD_W(2), .PAY_W(2), .STOP_W(2)) dut (
        .clk(clk), .rst(rst),
        .outer_valid(outer_valid), .outer_ready(outer_ready), .outer_beat(outer_beat),
        .inner_valid(inner_valid), .inner_ready(inner_ready), .inner_beat(inner_beat),
        .outer_out_valid(valid[0]), .outer_out_ready(ready[0]), .outer_out_beat(crd_beat),
        .inner_out_valid(valid[1]), .inner_out_ready(ready[1]), .inner_out_beat(list_beat)
    );
    wire       take   = started && inner_valid && inner_ready;
    wire       take_o = started && outer_valid && outer_ready;
    wire [1:0] give   = {2{started}} & valid & ready;

    samhw_steady #(.W(6)) steady (
        .clk(clk), .started(started), .valid(outer_valid), .ready(outer_ready), .beat(outer_beat));
    // Coordinates of depth 1, lists of depth 2.
    wire o_legal;
    wire i_legal;
    wire crd_legal;
    wire list_legal;
    samhw_rules #(.DEPTH(1), .STOP_W(2), .W(2)) o_rules (
        .clk(clk), .rst(rst), .take(take_o), .beat(outer_beat), .legal(o_legal), .state(), .after());
    samhw_rules #(.DEPTH(2), .STOP_W(2), .W(2)) i_rules (
        .clk(clk), .rst(rst), .take(take), .beat(inner_beat), .legal(i_legal), .state(), .after());
    samhw_rules #(.DEPTH(1), .STOP_W(2), .W(2)) crd_rules (
        .clk(clk), .rst(rst), .take(give[0]), .beat(crd_beat), .legal(crd_legal), .state(), .after());
    samhw_rules #(.DEPTH(2), .STOP_W(2), .W(2)) list_rules (
        .clk(clk), .rst(rst), .take(give[1]), .beat(list_beat), .legal(list_legal), .state(), .after());

    // Aligned: one list for each coordinate, which closes as much as the coordinate and itself.
    wire [1:0] o_kind  = outer_beat[5:4];
    wire [1:0] o_stop  = outer_beat[3:2];
    wire [1:0] kind    = inner_beat[5:4];
    wire [1:0] stop    = inner_beat[3:2];
    wire       live    = !kind[1];
    wire       hollow  = kind == 2'd2 && inner_beat[1:0] == 2'd1;
    wire       done    = kind == 2'd3;
    wire       aligned = done            ? o_kind == 2'd3
                       : live || hollow  ? o_kind == 2'd0 && (stop == 2'd0 || stop == o_stop + 2'd1)
                       :                   o_kind == 2'd2 && stop == o_stop + 2'd1;
    always @* begin
        assume (!outer_valid || (o_legal && o_kind != 2'd1));
        assume (!inner_valid || (i_legal && kind != 2'd1));
        assume (!outer_valid || !inner_valid || aligned);
    end

    // A list with an item stays, and its coordinate with its first item.
    reg  begun = 1'b0;
    always @(posedge clk)
        if (take)
            begun <= live && stop == 2'd0;
    wire       o_ends = o_stop != 2'd0 || done;
    wire [1:0] waits;
    wire [1:0] owes;
    // A list's end without an item: the pair before has the stop, or the list of lists is empty.
    wire       last   = take && hollow && o_ends && waits[0];
    wire       none   = take && hollow && o_ends && !waits[0];
    wire       other  = take && !live && !hollow;
    samhw_filtered #(.W(4), .STOP_W(2), .DEPTH(2)) crds (
        .clk(clk), .started(started), .keep((take && live && !begun) || none || other), .close(last), .last(o_ends),
        .stop(o_stop), .data(hollow ? {2'd2, 2'd1} : {o_kind, outer_beat[1:0]}),
        .valid(valid[0]), .ready(ready[0]), .given({crd_beat[5:4], crd_beat[1:0], crd_beat[3:2]}),
        .waits(waits[0]), .owes(owes[0]));
    samhw_filtered #(.W(4), .STOP_W(2), .DEPTH(2)) lists (
        .clk(clk), .started(started), .keep((take && live) || none || other), .close(last),
        .last(stop == 2'd0 || o_ends),
        .stop(stop), .data(hollow ? {2'd2, 2'd2} : {kind, inner_beat[1:0]}),
        .valid(valid[1]), .ready(ready[1]), .given({list_beat[5:4], list_beat[1:0], list_beat[3:2]}),
        .waits(waits[1]), .owes(owes[1]));
    samhw_soon #(.MOST(1)) taken (
        .clk(clk), .started(started), .waits(outer_valid && inner_valid && !inner_ready && ready == 2'b11));
    samhw_soon #(.MOST(2)) crd_given (.clk(clk), .started(started), .waits(owes[0] && !valid[0] && ready == 2'b11));
    samhw_soon #(.MOST(2)) list_given (.clk(clk), .started(started), .waits(owes[1] && !valid[1] && ready == 2'b11));

    always @*
        if (started) begin
            assert (!valid[0] || crd_legal);
            assert (!valid[1] || list_legal);
            assert (take_o == (take && (stop != 2'd0 || done)));
        end

endmodule

`default_nettype wire
