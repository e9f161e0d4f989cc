// SPDX-License-Identifier: Apache-2.0
//
// Proof: an intersection and a union of two operands. In each step the smallest coordinate at the heads is
// used up on every operand that has it, once (of an intersection the other's with it, if it is its operand's
// last); it leaves with the references of those, absent ones absent, where the table says so; the last of a
// list that leaves carries the list's stop, a list of which none leaves is empty. Of aligned canonical
// streams with increasing coordinates it makes a canonical one with increasing coordinates; a step is made
// whenever both heads are there and the beat before can leave; each output offers a beat until it is taken.
// case intersection: UNION=0
// case union: UNION=1
// probe taken_inside = dut.u_join.taken
// probe held_inside = dut.u_join.u_hold.held
// probe settled_inside = dut.u_join.u_hold.settled
// probe stop_inside = dut.u_join.u_hold.stop
// probe data_inside = dut.u_join.u_hold.data
// mutant samhw_joiner_skip: taken <= ends ? {N{1'b0}} : (taken | shut); => taken <= {N{1'b0}};
// mutant of union samhw_joiner_skip: assign h_pop = {N{go}} & ({N{ends}} | (take & ~closes));
//     => assign h_pop = {N{go}} & ({N{ends}} | take);
// mutant of intersection samhw_joiner_skip: assign if_low = go && leaf[1-k] && !closes[1-k];
//     => assign if_low = go && leaf[1-k];
// mutant of intersection samhw_joiner_skip: assign shut[1-k] = leaf[1-k] && closes[1-k] && passed;
//     => assign shut[1-k] = leaf[1-k] && closes[1-k];
// mutant of intersection samhw_joiner_skip: assign bare = go && ends && !waiting; => assign bare = 1'b0;
// mutant of union samhw_joiner_skip: go && (emit || (ends && !waiting)); => go && emit;
// mutant samhw_joiner_skip: {other, 1'b0} < {one, 1'b1} => {other, 1'b0} < {one, 1'b0}
// mutant samhw_joiner_skip: held_crd[STOP_W-1:0] : ONE; => ONE : ONE;
// mutant of intersection samhw_joiner_skip: assign close = go; => assign close = push;
// mutant of intersection samhw_joiner_skip: !closes[1-k] && (!leaf[k] || closes[k]))); => !closes[1-k] && !leaf[k]));
// mutant of intersection samhw_joiner_skip: assign ends = &(~leaf | closes); => assign ends = |(~leaf | closes);
// mutant of union samhw_joiner_skip: least[k] && KEEP_K[least] && !h_low[k]; => KEEP_K[least] && !h_low[k];
// mutant samhw_hold: assign room    = !held || out_free; => assign room    = 1'b1;
// mutant samhw_joiner_skip: .in_stop(ends ? h_stop[STOP_W-1:0] : {STOP_W{1'b0}}) => .in_stop(h_stop[STOP_W-1:0])
`default_nettype none

module formal_joiner #(
    parameter UNION = 0
) (
    input wire        clk,
    input wire [1:0]  in_valid,
    input wire [15:0] in_beat,
    input wire [2:0]  ready,
    input wire [1:0]  taken_inside,
    input wire        held_inside,
    input wire        settled_inside,
    input wire [1:0]  stop_inside,
    input wire [9:0]  data_inside
);

    reg started = 1'b0;
    always @(posedge clk)
        started <= 1'b1;
    wire rst = !started;

    wire [1:0]  in_ready;
    wire [2:0]  valid;
    wire [5:0]  crd_beat;
    wire [11:0] ref_beat;
    samhw_joiner #(.N(2), .CRD_W(2), .REF_W(2), .STOP_W(2), .EMIT(UNION != 0 ? 4'b1110 : 4'b1000), .KEEP(8'b11111111),
        .ALIVE(UNION != 0 ? 4'b1111 : 4'b1001),
                   .USED(3'b111)) dut (
        .clk(clk), .rst(rst),
        .in_valid(in_valid), .in_ready(in_ready), .in_beat(in_beat),
        .crd_valid(valid[0]), .crd_ready(ready[0]), .crd_beat(crd_beat),
        .ref_valid(valid[2:1]), .ref_ready(ready[2:1]), .ref_beat(ref_beat)
    );

    // Heads: kind, stop, ref, crd.
    wire [7:0] x = in_beat[7:0];
    wire [7:0] y = in_beat[15:8];
    wire [1:0] pop = {2{started}} & in_valid & in_ready;

    wire       x_legal;
    wire       y_legal;
    wire [2:0] x_state;
    wire [2:0] y_state;
    samhw_rules #(.DEPTH(2), .STOP_W(2), .W(2)) x_rules (.clk(clk), .rst(rst), .take(pop[0]),
        .beat({x[7] ? x[7:6] : 2'd0, x[5:4], x[1:0]}), .legal(x_legal), .state(x_state), .after());
    samhw_rules #(.DEPTH(2), .STOP_W(2), .W(2)) y_rules (.clk(clk), .rst(rst), .take(pop[1]),
        .beat({y[7] ? y[7:6] : 2'd0, y[5:4], y[1:0]}), .legal(y_legal), .state(y_state), .after());

    // Leaves used up whose list is not over, and the place before the list.
    reg  [1:0] taken = 2'd0;
    reg        begun = 1'b0;
    reg  [2:0] start;
    wire       x_leaf = !x[7];
    wire       y_leaf = !y[7];
    wire       x_ends = x[7] || x[5:4] != 2'd0;
    wire       y_ends = y[7] || y[5:4] != 2'd0;
    wire       x_up   = x[7] && (x[6] || x[1:0] != 2'd1);
    wire       y_up   = y[7] && (y[6] || y[1:0] != 2'd1);
    always @* begin
        assume (!in_valid[0] || x_legal);
        assume (!in_valid[1] || y_legal);
        // Coordinates increase, a head that is used up stays, and lists are aligned.
        assume (!(in_valid[0] && x_leaf && begun && !taken[0]) || x[1:0] > x_last || !x_begun);
        assume (!(in_valid[1] && y_leaf && begun && !taken[1]) || y[1:0] > y_last || !y_begun);
        assume (in_valid != 2'b11 || !(x_ends && y_ends) || x[5:4] == y[5:4]);
        assume (in_valid != 2'b11 || x_up == y_up);
        assume (in_valid != 2'b11 || !x_up || {x[7:4], x[1:0]} == {y[7:4], y[1:0]});
    end
    // What an operand gave last in this list; a used up head stays as it was.
    reg        x_begun = 1'b0;
    reg        y_begun = 1'b0;
    reg  [1:0] x_last;
    reg  [1:0] y_last;
    reg  [1:0] was_valid = 2'd0;
    reg [15:0] was;
    always @(posedge clk) begin
        was_valid <= {2{started}} & in_valid & ~in_ready;
        was       <= in_beat;
    end
    always @* begin
        assume (!was_valid[0] || (in_valid[0] && x == was[7:0]));
        assume (!was_valid[1] || (in_valid[1] && y == was[15:8]));
    end

    // One step of the merge.
    wire       x_here = x_leaf && !taken[0];
    wire       y_here = y_leaf && !taken[1];
    wire       both   = x_here && y_here && x[1:0] == y[1:0];
    wire       x_low  = x_here && (!y_here || x[1:0] <= y[1:0]);
    wire       y_low  = y_here && (!x_here || y[1:0] <= x[1:0]);
    // After the last coordinate of one the other's can meet nothing in an intersection.
    wire       x_use  = x_low || (UNION == 0 && x_here && y_ends);
    wire       y_use  = y_low || (UNION == 0 && y_here && x_ends);
    wire       over   = (x_use ? x_ends : !x_here) && (y_use ? y_ends : !y_here);
    wire       emit   = UNION != 0 ? x_use || y_use : both;
    wire [1:0] crd    = x_use ? x[1:0] : y[1:0];

    reg        held    = 1'b0;
    reg        settled = 1'b0;
    reg  [9:0] item;  // kind of crd, stop, crd, ref1, ref0 with their presence apart
    reg  [1:0] there;
    reg  [9:0] offered;
    reg  [1:0] offered_there;
    reg  [2:0] lacks   = 3'd0;
    wire       waits = held && !settled;
    wire       free  = (lacks & ~ready) == 3'd0;
    wire       step  = started && in_valid == 2'b11 && (!held || free);
    wire       keep  = step && (emit || (over && !waits));
    wire       leave = held && free && (settled || keep);
    wire [1:0] hole  = x_up ? x[1:0] : 2'd1;
    wire       done  = x_up && x[6];
    always @(posedge clk)
        if (started) begin
            held  <= keep || (held && !leave);
            lacks <= leave ? 3'b111 : lacks & ~ready;
            if (step) begin
                taken   <= over ? 2'b00 : taken | {y_use && y_ends, x_use && x_ends};
                begun   <= !over;
                x_begun <= !over && (x_begun || x_use);
                y_begun <= !over && (y_begun || y_use);
                if (x_use)
                    x_last <= x[1:0];
                if (y_use)
                    y_last <= y[1:0];
                if (!begun)
                    start <= x_state;
            end
            if (keep) begin
                item  <= emit ? {2'd0, over ? x[5:4] : 2'd0, crd, y_use && !y[6] ? y[3:2] : 2'd0,
                                 x_use && !x[6] ? x[3:2] : 2'd0}
                              : {1'b1, done, x[5:4], hole, hole, hole};
                there <= {y_use && !y[6], x_use && !x[6]};
            end else if (step && over)
                item[7:6] <= x[5:4];
            if (keep || (step && over))
                settled <= over;
            if (leave) begin
                offered       <= item;
                offered_there <= there;
            end
        end

    // The coordinates that leave are legal.
    wire       o_legal;
    wire [2:0] o_state;
    wire [2:0] o_after;
    samhw_rules #(.DEPTH(2), .STOP_W(2), .W(2)) o_rules (
        .clk(clk), .rst(rst), .take(leave), .beat(item[9:4]), .legal(o_legal), .state(o_state), .after(o_after));
    wire [2:0] place = held && settled ? o_after : o_state;

    always @*
        if (started) begin
            assert (taken_inside == taken && held_inside == held);
            assert (!held || (settled_inside == settled && stop_inside == item[7:6]));
            // What is held back is raw: the hole of what is no leaf, and the refs that are absent, are made
            // on the way out.
            assert (!held || data_inside[9] == item[9]);
            assert (!held || item[9] || (data_inside[7:6] == item[5:4] && {data_inside[5], data_inside[2]} == ~there));
            assert (!held || item[9] || (there[1] ? data_inside[4:3] : 2'd0) == item[3:2]);
            assert (!held || item[9] || (there[0] ? data_inside[1:0] : 2'd0) == item[1:0]);
            assert (!held || !item[9] || {3{data_inside[8] ? data_inside[7:6] : 2'd1}} == item[5:0]);
            assert (!held || item[8] == (item[9] && item[5:4] == 2'd0));
            assert (in_valid != 2'b11 || in_ready == ({2{step}} & ({2{over}} | {y_use && !y_ends, x_use && !x_ends})));
            assert (in_valid == 2'b11 || pop == 2'b00);
            assert (valid == lacks);
            assert (lacks == 3'd0 || crd_beat == offered[9:4]);
            assert (lacks == 3'd0
                    || ref_beat[5:0] == {offered[9] ? offered[9:8] : {1'b0, !offered_there[0]},
                                         offered[7:6], offered[1:0]});
            assert (lacks == 3'd0
                    || ref_beat[11:6] == {offered[9] ? offered[9:8] : {1'b0, !offered_there[1]},
                                          offered[7:6], offered[3:2]});
            assert (!held || !settled || o_legal);
            assert (!leave || o_legal);
            // Both inputs are in the same list; what has left and is settled is as far, but for the list at hand.
            assert (begun || (x_state == y_state && x_state[1:0] != 2'd0 && x_state[1:0] != 2'd3 && !x_begun && !y_begun
                              && taken == 2'd0));
            assert (!begun || (start[1:0] != 2'd0 && !start[2] && (x_begun || y_begun)));
            assert (!begun || x_state == start || (x_begun && x_state == 3'd0));
            assert (!begun || y_state == start || (y_begun && y_state == 3'd0));
            assert (!begun || x_begun == (x_state == 3'd0) || taken[0]);
            assert (!begun || y_begun == (y_state == 3'd0) || taken[1]);
            assert (!taken[0] || (x_begun && was_valid[0] && !was[7] && was[5:4] != 2'd0));
            assert (!taken[1] || (y_begun && was_valid[1] && !was[15] && was[13:12] != 2'd0));
            assert (taken != 2'b11);
            assert (!waits || (item[9:6] == 4'd0 && begun && !o_state[2]));
            assert (!held || !item[9] || settled);
            assert (waits || begun || place == x_state);
            assert (waits || !begun || place == start);
        end

endmodule

`default_nettype wire
