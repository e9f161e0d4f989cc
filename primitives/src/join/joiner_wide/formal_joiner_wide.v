// SPDX-License-Identifier: Apache-2.0
//
// Proof, groups of two coordinates of two operands: when a fiber ends, what was emitted of it are the
// coordinates that both operands have, each once and in increasing order, with the positions that both have
// them at; the last carries the fiber's stop, a fiber of none is empty. A step lets go of the group whose
// largest coordinate is the smaller, of both where they are equal or one is its operand's last. Of aligned
// canonical streams it makes canonical ones; what an output offers stays until it is taken, each at its own
// pace; with consumers that take, groups are used up and what is settled leaves. Hints, however long nobody
// takes them, are of the fiber at hand, and nothing that they leave out of what comes behind the group at
// hand meets anything.
// by: reachability
// case hints: HINTS=1
// case plain: HINTS=0
// probe of hints go = g_hints.dut.go
// probe of hints room = g_hints.dut.room
// probe of plain go = g_plain.dut.u_join.go
// probe of plain room = g_plain.dut.u_join.room
// mutant samhw_joiner_wide_skip: assign lesser[k] = {own, 1'b0} < {other, 1'b1};
//     => assign lesser[k] = {own, 1'b0} < {other, 1'b0};
// mutant samhw_joiner_wide_skip: if (row[0])\n            mate_of = {WIDE_LOG2{1'b0}};
//     => if (1'b0)\n            mate_of = {WIDE_LOG2{1'b0}};
// mutant samhw_joiner_wide_skip: {WIDE{leaf == 2'b11}} & ~ => ~
// mutant samhw_joiner_wide_skip: if (go ? !there[m] : => if (go ? 1'b0 :
// mutant samhw_joiner_wide_skip: .in_stop(more ? NO_STOP : stop), => .in_stop(stop),
// mutant samhw_joiner_wide_skip: room && !later[m]) => room)
// mutant samhw_joiner_wide_skip: wire            close = full && room && last && !some && waiting;
//     => wire            close = 1'b0;
// mutant samhw_joiner_wide_skip: wire                   ends = &(~leaf | closes);
//     => wire                   ends = |(~leaf | closes);
// mutant of hints samhw_joiner_wide_skip: .over(!leaf[1-k]) => .over(!leaf[1-k] || closes[1-k])
// mutant of hints samhw_joiner_wide_skip: fiber <= fiber + NEXT; => fiber <= fiber;
// mutant of hints samhw_group_hint: lane  = fresh ? {WIDE_LOG2{1'b0}} : at; => lane  = at;
// mutant of hints samhw_group_hint: known = told && !fresh; => known = told;
// mutant of hints samhw_group_hint: own_here && at != LAST && own >= last; => own_here && at != LAST;
// mutant of hints samhw_group_hint: (known || (here && free)) => (known || here)
// mutant of plain samhw_joiner_wide: .USED(USED) => .USED(3'b011)
`default_nettype none

module formal_joiner_wide #(
    parameter HINTS = 1
) (
    input wire        clk,
    input wire [1:0]  in_valid,
    input wire [21:0] in_beat,
    input wire [2:0]  ready,
    input wire [1:0]  skip_ready,
    input wire        go,
    input wire        room
);

    reg started = 1'b0;
    always @(posedge clk)
        started <= 1'b1;
    wire rst = !started;

    wire [1:0]  in_ready;
    wire [2:0]  valid;
    wire [5:0]  crd_beat;
    wire [11:0] ref_beat;
    wire [1:0]  skip_valid;
    wire [7:0]  skip_beat;
    generate
        if (HINTS != 0) begin : g_hints
            samhw_joiner_wide_skip #(
                .CRD_W(2), .REF_W(2), .STOP_W(2), .WIDE_LOG2(1), .USED(3'b111), .TAG_W(1), .SKIPS(2'b11)
            ) dut (
                .clk(clk), .rst(rst),
                .in_valid(in_valid), .in_ready(in_ready), .in_beat(in_beat),
                .crd_valid(valid[0]), .crd_ready(ready[0]), .crd_beat(crd_beat),
                .ref_valid(valid[2:1]), .ref_ready(ready[2:1]), .ref_beat(ref_beat),
                .skip_valid(skip_valid), .skip_ready(skip_ready), .skip_beat(skip_beat)
            );
        end else begin : g_plain
            samhw_joiner_wide #(.CRD_W(2), .REF_W(2), .STOP_W(2), .WIDE_LOG2(1), .USED(3'b111)) dut (
                .clk(clk), .rst(rst),
                .in_valid(in_valid), .in_ready(in_ready), .in_beat(in_beat),
                .crd_valid(valid[0]), .crd_ready(ready[0]), .crd_beat(crd_beat),
                .ref_valid(valid[2:1]), .ref_ready(ready[2:1]), .ref_beat(ref_beat)
            );
            assign skip_valid = 2'b00;
            assign skip_beat  = 8'd0;
        end
    endgenerate
    wire [1:0] take = {2{started}} & in_valid & in_ready;
    wire       give = started && valid[0] && ready[0];

    // {kind, stop, ref, count, crd1, crd0} of each.
    wire [10:0] x = in_beat[10:0];
    wire [10:0] y = in_beat[21:11];
    wire [1:0]  legal;
    wire        o_legal;
    samhw_steady #(.W(11)) x_steady (.clk(clk), .started(started), .valid(in_valid[0]), .ready(in_ready[0]), .beat(x));
    samhw_steady #(.W(11)) y_steady (.clk(clk), .started(started), .valid(in_valid[1]), .ready(in_ready[1]), .beat(y));
    samhw_rules #(.DEPTH(2), .STOP_W(2), .W(2)) x_rules (
        .clk(clk), .rst(rst), .take(take[0]), .beat({x[10:7], x[1:0]}), .legal(legal[0]), .state(), .after());
    samhw_rules #(.DEPTH(2), .STOP_W(2), .W(2)) y_rules (
        .clk(clk), .rst(rst), .take(take[1]), .beat({y[10:7], y[1:0]}), .legal(legal[1]), .state(), .after());
    samhw_rules #(.DEPTH(2), .STOP_W(2), .W(2)) o_rules (
        .clk(clk), .rst(rst), .take(give), .beat(crd_beat), .legal(o_legal), .state(), .after());

    // The coordinates of the groups at hand, a bit each; those of the fiber before them, and of it emitted.
    wire       x_leaf = !x[10];
    wire       y_leaf = !y[10];
    wire       x_ends = x[8:7] != 2'd0;
    wire       y_ends = y[8:7] != 2'd0;
    wire       x_up   = !x_leaf && (x[9] || x[1:0] != 2'd1);
    wire       y_up   = !y_leaf && (y[9] || y[1:0] != 2'd1);
    wire [3:0] x_has  = (4'd1 << x[1:0]) | (4'd1 << x[3:2]);
    wire [3:0] y_has  = (4'd1 << y[1:0]) | (4'd1 << y[3:2]);
    reg  [1:0] taken  = 2'd0;
    reg  [3:0] x_had  = 4'd0;
    reg  [3:0] y_had  = 4'd0;
    reg  [3:0] met    = 4'd0;
    always @* begin
        assume (!in_valid[0] || (legal[0] && x[10:9] != 2'd1 && (x_leaf || x[6:2] == 5'd0)));
        assume (!in_valid[1] || (legal[1] && y[10:9] != 2'd1 && (y_leaf || y[6:2] == 5'd0)));
        // All groups of a fiber but its last are full; coordinates increase, and lanes without one repeat the last.
        assume (!in_valid[0] || !x_leaf || (x[4] ? x[3:2] > x[1:0] : x[3:2] == x[1:0] && x_ends));
        assume (!in_valid[1] || !y_leaf || (y[4] ? y[3:2] > y[1:0] : y[3:2] == y[1:0] && y_ends));
        assume (!in_valid[0] || !x_leaf || taken[0] || (4'd1 << x[1:0]) > x_had);
        assume (!in_valid[1] || !y_leaf || taken[1] || (4'd1 << y[1:0]) > y_had);
        // Lists are aligned.
        assume (in_valid != 2'b11 || !((x_ends || !x_leaf) && (y_ends || !y_leaf)) || x[8:7] == y[8:7]);
        assume (in_valid != 2'b11 || x_up == y_up);
        assume (in_valid != 2'b11 || !x_up || {x[10:7], x[1:0]} == {y[10:7], y[1:0]});
    end

    // A step.
    wire       x_here = x_leaf && !taken[0];
    wire       y_here = y_leaf && !taken[1];
    wire       x_use  = x_here && (!y_here || y_ends || x[3:2] <= y[3:2]);
    wire       y_use  = y_here && (!x_here || x_ends || y[3:2] <= x[3:2]);
    wire       over   = (!x_here || x_ends) && (!y_here || y_ends);
    wire       step   = started && go;
    wire [3:0] both   = x_here && y_here ? x_has & y_has : 4'd0;
    wire [3:0] x_all  = x_had | (x_here ? x_has : 4'd0);
    wire [3:0] y_all  = y_had | (y_here ? y_has : 4'd0);

    // What it emits leaves one after the other.
    reg        full = 1'b0;
    reg  [3:0] left;
    reg        last;
    reg  [1:0] stop;
    reg  [3:0] none;   // kind and hole, if it emits nothing
    reg  [3:0] x_at;   // position and lowest coordinate
    reg  [3:0] y_at;
    wire [3:0] rest = left & (left - 4'd1);
    wire       some = left != 4'd0;
    wire       more = rest != 4'd0;
    wire [1:0] crd  = left[0] ? 2'd0 : left[1] ? 2'd1 : left[2] ? 2'd2 : 2'd3;
    wire       move = started && full && room;
    always @(posedge clk)
        if (started) begin
            if (step) begin
                taken <= over ? 2'd0 : taken | {y_use && y_ends, x_use && x_ends};
                x_had <= over ? 4'd0 : x_use ? x_all : x_had;
                y_had <= over ? 4'd0 : y_use ? y_all : y_had;
                met   <= over ? 4'd0 : met | both;
                left  <= both;
                last  <= over;
                stop  <= over ? x[8:7] : 2'd0;
                none  <= x_up ? {x[10:9], x[1:0]} : {2'd2, 2'd1};
                x_at  <= {x[6:5], x[1:0]};
                y_at  <= {y[6:5], y[1:0]};
            end else if (move)
                left <= rest;
            full <= step || (full && !(move && !more));
        end

    wire       waits;
    wire       keep  = move && (some || (last && !waits));
    wire       close = move && last && !some && waits;
    wire [1:0] stops = more ? 2'd0 : stop;
    wire [2:0] owes;
    samhw_filtered #(.W(4), .STOP_W(2), .DEPTH(2)) crds (
        .clk(clk), .started(started), .keep(keep), .close(close), .last(last || more), .stop(stops),
        .data(some ? {2'd0, crd} : none),
        .valid(valid[0]), .ready(ready[0]), .given({crd_beat[5:4], crd_beat[1:0], crd_beat[3:2]}), .waits(waits),
        .owes(owes[0]));
    samhw_filtered #(.W(4), .STOP_W(2), .DEPTH(2)) refs_x (
        .clk(clk), .started(started), .keep(keep), .close(close), .last(last || more), .stop(stops),
        .data(some ? {2'd0, x_at[3:2] + {1'b0, crd != x_at[1:0]}} : none),
        .valid(valid[1]), .ready(ready[1]), .given({ref_beat[5:4], ref_beat[1:0], ref_beat[3:2]}), .waits(),
        .owes(owes[1]));
    samhw_filtered #(.W(4), .STOP_W(2), .DEPTH(2)) refs_y (
        .clk(clk), .started(started), .keep(keep), .close(close), .last(last || more), .stop(stops),
        .data(some ? {2'd0, y_at[3:2] + {1'b0, crd != y_at[1:0]}} : none),
        .valid(valid[2]), .ready(ready[2]), .given({ref_beat[11:10], ref_beat[7:6], ref_beat[9:8]}), .waits(),
        .owes(owes[2]));
    samhw_soon #(.MOST(2)) given (
        .clk(clk), .started(started), .waits(owes != 3'd0 && valid == 3'd0 && ready == 3'b111));
    samhw_soon #(.MOST(3)) used (
        .clk(clk), .started(started), .waits(in_valid == 2'b11 && !go && ready == 3'b111));

    // Hints, each in the cycle after it was sent: what they leave out of the fiber, and of the group at hand.
    reg        odd  = 1'b0;
    reg        sent_odd;
    reg        over_before = 1'b1;
    reg  [1:0] popped = 2'd0;
    reg  [1:0] old    = 2'd0;
    wire [1:0] told   = skip_valid & ~old;
    reg  [7:0] useless = 8'd0;
    reg  [7:0] barred  = 8'd0;
    wire [7:0] useless_now;
    wire [7:0] barred_now;
    genvar     g;
    generate
        for (g = 0; g < 2; g = g + 1) begin : g_hint
            wire [3:0] below = skip_beat[4*g + 1] ? 4'd15 : (4'd1 << skip_beat[4*g + 2 +: 2]) - 4'd1;
            assign useless_now[4*g +: 4] = useless[4*g +: 4] | (told[g] && !over_before ? below : 4'd0);
            assign barred_now[4*g +: 4]  = popped[g] ? useless_now[4*g +: 4] : barred[4*g +: 4];
            always @* assert (!started || !told[g] || skip_beat[4*g] == sent_odd);
        end
    endgenerate
    always @(posedge clk)
        if (started) begin
            odd         <= odd ^ (step && over);
            sent_odd    <= odd;
            over_before <= step && over;
            popped      <= take;
            old         <= skip_valid & ~skip_ready;
            useless     <= step && over ? 8'd0 : useless_now;
            barred      <= step && over ? 8'd0 : barred_now;
        end

    always @*
        if (started) begin
            assert (!step || ((barred_now[3:0] | barred_now[7:4]) & both) == 4'd0);
            assert (!step || !full || (move && !more));
            assert (!step || in_valid == 2'b11);
            assert (take == {step && (over || (y_use && !y_ends)), step && (over || (x_use && !x_ends))});
            // What meets has not met before, and lies behind what has; at the end it is all that both have.
            assert (!step || both == 4'd0 || (both & (~both + 4'd1)) > met);
            assert (!step || !over || (met | both) == (x_all & y_all));
            assert (!valid[0] || o_legal);
        end

endmodule

`default_nettype wire
