// SPDX-License-Identifier: Apache-2.0
//
// Proof: of the words of two operands each coordinate that the table emits leaves once, from the lowest on,
// with the positions of the operands that have it; the last of a fiber carries the stop, a fiber of none is
// empty. With hints (HINTS), whatever come whenever, a word of a fiber that one said over of ends with the
// first coordinate that leaves of the group at hand, and of the first group that is taken. Of aligned
// canonical streams it makes canonical ones; what an output offers stays until it is taken, each at its own
// pace; with consumers that take, words are used up and what is settled leaves.
// by: reachability
// case intersection: EMIT=8 GROUP_LOG2=0
// case union: EMIT=14 GROUP_LOG2=0
// case groups: EMIT=14 GROUP_LOG2=1
// case told_union: EMIT=14 GROUP_LOG2=0 HINTS=1
// case told_groups: EMIT=14 GROUP_LOG2=1 HINTS=1
// probe of intersection,union,groups go = g_plain.dut.u_join.go
// probe of intersection,union,groups load = g_plain.dut.u_join.u_walk.b_load
// probe of told_union,told_groups go = g_told.dut.u_join.go
// probe of told_union,told_groups load = g_told.dut.u_join.u_walk.b_load
// mutant samhw_bits_join: wire              close = go && ends && !found && waiting; => wire              close = 1'b0;
// mutant samhw_bits_join: .last(ends || more), => .last(1'b1),
// mutant of union samhw_bits_join: : {found || (none && low), => : {none && low,
// mutant of union samhw_bits_join: wire present = take[k] && KEEP_K[take]; => wire present = found && KEEP_K[take];
// mutant of union samhw_bit_walk: wire a_load = !a_valid || (b_load && a_over); => wire a_load = !a_valid || b_load;
// mutant of union samhw_bit_walk: a_any <= a_rest; => a_any <= a_any;
// mutant of union samhw_bit_walk: b_ends <= a_over && (a_none || a_stop != NO_STOP);
//     => b_ends <= a_none || a_stop != NO_STOP;
// mutant of groups samhw_bit_walk: b_over <= (a_first & a_many) == {GROUPS{1'b0}}; => b_over <= 1'b1;
// mutant of groups samhw_bit_walk: b_under[b] = !b_seen; => b_under[b] = 1'b1;
// mutant of told_union samhw_bit_walk: || (cut && !(out_valid && b_ends)); => || cut;
// mutant of told_groups samhw_joiner_bits_exit: .cut(over), => .cut(1'b0),
// mutant of told_groups samhw_bits_join: assign leaves = go && ends; => assign leaves = go;
`default_nettype none

module formal_joiner_bits #(
    parameter [3:0] EMIT = 4'd8,
    parameter GROUP_LOG2 = 0,
    parameter HINTS      = 0
) (
    input wire        clk,
    input wire [1:0]  in_valid,
    input wire [15:0] in_beat,
    input wire        skip_valid,
    input wire [4:0]  skip_beat,
    input wire [2:0]  ready,
    input wire        go,
    input wire        load
);

    reg started = 1'b0;
    always @(posedge clk)
        started <= 1'b1;
    wire rst = !started;

    wire [1:0]  in_ready;
    wire [2:0]  valid;
    wire [5:0]  crd_beat;
    wire [11:0] ref_beat;
    generate
        if (HINTS != 0) begin : g_told
            samhw_joiner_bits_exit #(
                .N(2), .WIDTH(2), .WIDTH_LOG2(1), .GROUP_LOG2(GROUP_LOG2), .CRD_W(2), .REF_W(2), .STOP_W(2),
                .EMIT(EMIT), .TAG_W(2)
            ) dut (
                .clk(clk), .rst(rst),
                .in_valid(in_valid), .in_ready(in_ready), .in_beat(in_beat),
                .skip_valid(skip_valid), .skip_ready(), .skip_beat(skip_beat),
                .crd_valid(valid[0]), .crd_ready(ready[0]), .crd_beat(crd_beat),
                .ref_valid(valid[2:1]), .ref_ready(ready[2:1]), .ref_beat(ref_beat)
            );
        end else begin : g_plain
            samhw_joiner_bits #(
                .N(2), .WIDTH(2), .WIDTH_LOG2(1), .GROUP_LOG2(GROUP_LOG2), .CRD_W(2), .REF_W(2), .STOP_W(2), .EMIT(EMIT)
            ) dut (
                .clk(clk), .rst(rst),
                .in_valid(in_valid), .in_ready(in_ready), .in_beat(in_beat),
                .crd_valid(valid[0]), .crd_ready(ready[0]), .crd_beat(crd_beat),
                .ref_valid(valid[2:1]), .ref_ready(ready[2:1]), .ref_beat(ref_beat)
            );
        end
    endgenerate
    wire [1:0] take = {2{started}} & in_valid & in_ready;
    wire       give = started && valid[0] && ready[0];

    // {kind, stop, rank, word} of each.
    wire [7:0] in_a = in_beat[7:0];
    wire [7:0] in_b = in_beat[15:8];
    wire [1:0] legal;
    wire       o_legal;
    samhw_steady #(.W(8)) a_steady (
        .clk(clk), .started(started), .valid(in_valid[0]), .ready(in_ready[0]), .beat(in_a)
    );
    samhw_steady #(.W(8)) b_steady (
        .clk(clk), .started(started), .valid(in_valid[1]), .ready(in_ready[1]), .beat(in_b)
    );
    samhw_rules #(.DEPTH(2), .STOP_W(2), .W(2)) a_rules (
        .clk(clk), .rst(rst), .take(take[0]), .beat({in_a[7:4], in_a[1:0]}), .legal(legal[0]), .state(), .after());
    samhw_rules #(.DEPTH(2), .STOP_W(2), .W(2)) b_rules (
        .clk(clk), .rst(rst), .take(take[1]), .beat({in_b[7:4], in_b[1:0]}), .legal(legal[1]), .state(), .after());
    samhw_rules #(.DEPTH(2), .STOP_W(2), .W(2)) o_rules (
        .clk(clk), .rst(rst), .take(give), .beat(crd_beat), .legal(o_legal), .state(), .after());
    always @* begin
        assume (!in_valid[0] || (legal[0] && in_a[7:6] != 2'd1 && (!in_a[7] || in_a[3:2] == 2'd0)));
        assume (!in_valid[1] || (legal[1] && in_b[7:6] != 2'd1 && (!in_b[7] || in_b[3:2] == 2'd0)));
        assume (in_valid != 2'b11 || (in_a[7:4] == in_b[7:4] && (!in_a[7] || in_a == in_b)));
    end

    // The words that were taken and are not through, the oldest first: one whose bits leave, and one behind it.
    reg  [15:0] oldest;
    reg  [15:0] newest;
    reg  [1:0]  words = 2'd0;
    wire        pass;
    wire [1:0]  stay  = words - {1'b0, pass};
    always @(posedge clk)
        if (started) begin
            words <= stay + {1'b0, take[0]};
            if (pass)
                oldest <= newest;
            if (take[0] && stay == 2'd0)
                oldest <= in_beat;
            if (take[0])
                newest <= in_beat;
        end
    wire [7:0] a    = oldest[7:0];
    wire [7:0] b    = oldest[15:8];
    wire       leaf = !a[7];
    wire [1:0] stop = a[5:4];

    // What hints say of the fiber at hand; whether its next group was taken when they had said it.
    reg  [1:0] fiber = 2'd0;
    reg        over  = 1'b0;
    reg        first = 1'b0;
    wire       left;
    always @(posedge clk)
        if (started) begin
            over <= !left && (over || (HINTS != 0 && skip_valid && skip_beat[2:0] == {1'b1, fiber}));
            if (left)
                fiber <= fiber + 2'd1;
            if (load)
                first <= over && !left;
        end

    // Bits to emit, and of those the one at hand.
    wire       low   = EMIT[{b[0], a[0]}];
    wire       high  = EMIT[{b[1], a[1]}];
    reg        second = 1'b0;
    reg  [1:0] index  = 2'd0;
    wire       both = leaf && low && high;
    wire       last = !both || second || (GROUP_LOG2 == 0 ? first : over);
    wire       one  = leaf && (low || high);
    wire       bit_ = both ? second : high;
    wire       ends = !leaf || (last && stop != 2'd0);
    wire       step = started && go;
    assign pass = step && last;
    assign left = step && ends;
    always @(posedge clk)
        if (step) begin
            second <= !last;
            index  <= ends ? 2'd0 : index + {1'b0, last};
        end
    wire       has_a = bit_ ? a[1] : a[0];
    wire       has_b = bit_ ? b[1] : b[0];
    wire [1:0] at_a  = a[3:2] + {1'b0, bit_ && a[0]};
    wire [1:0] at_b  = b[3:2] + {1'b0, bit_ && b[0]};
    wire [1:0] kind  = leaf ? 2'd2 : a[7:6];
    wire [1:0] hole  = leaf ? 2'd1 : a[1:0];

    // The three outputs owe the same beats, each in its own time.
    wire       waits;
    wire       keep  = step && (one || (ends && !waits));
    wire       close = step && leaf && !one && ends && waits;
    wire       set   = ends || !last;
    wire [1:0] stops = ends ? stop : 2'd0;
    wire [2:0] owes;
    samhw_filtered #(.W(4), .STOP_W(2), .DEPTH(2)) crds (
        .clk(clk), .started(started), .keep(keep), .close(close), .last(set), .stop(stops),
        .data(one ? {2'd0, index[0], bit_} : {kind, hole}),
        .valid(valid[0]), .ready(ready[0]), .given({crd_beat[5:4], crd_beat[1:0], crd_beat[3:2]}), .waits(waits),
        .owes(owes[0]));
    samhw_filtered #(.W(4), .STOP_W(2), .DEPTH(2)) refs_a (
        .clk(clk), .started(started), .keep(keep), .close(close), .last(set), .stop(stops),
        .data(one ? (has_a ? {2'd0, at_a} : {2'd1, 2'd0}) : {kind, hole}),
        .valid(valid[1]), .ready(ready[1]), .given({ref_beat[5:4], ref_beat[1:0], ref_beat[3:2]}), .waits(),
        .owes(owes[1]));
    samhw_filtered #(.W(4), .STOP_W(2), .DEPTH(2)) refs_b (
        .clk(clk), .started(started), .keep(keep), .close(close), .last(set), .stop(stops),
        .data(one ? (has_b ? {2'd0, at_b} : {2'd1, 2'd0}) : {kind, hole}),
        .valid(valid[2]), .ready(ready[2]), .given({ref_beat[11:10], ref_beat[7:6], ref_beat[9:8]}), .waits(),
        .owes(owes[2]));
    samhw_soon #(.MOST(2)) given (
        .clk(clk), .started(started), .waits(owes != 3'd0 && valid == 3'd0 && ready == 3'b111));

    samhw_soon #(.MOST(3)) taken (
        .clk(clk), .started(started), .waits(in_valid == 2'b11 && take == 2'd0 && ready == 3'b111));

    always @*
        if (started) begin
            assert (!valid[0] || o_legal);
            assert (take[0] == take[1]);
            assert (!step || words != 2'd0);
        end

endmodule

`default_nettype wire
