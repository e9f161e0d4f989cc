// SPDX-License-Identifier: Apache-2.0
//
// Proof: each one of each word becomes its coordinate and position, from the lowest on; the last of a fiber
// carries the stop of its last word, a fiber without any is empty. With hints (HINTS), whatever come
// whenever, a word of a fiber that one said over of ends with the first one that leaves of the group at
// hand, and of the first group that is taken. Of canonical streams it makes canonical ones; what is offered
// stays until it is taken; with a consumer that takes, a word takes no more cycles than it has ones, and
// what is settled leaves.
// by: reachability
// case bits: GROUP_LOG2=0
// case groups: GROUP_LOG2=1
// case told_bits: GROUP_LOG2=0 HINTS=1
// case told_groups: GROUP_LOG2=1 HINTS=1
// probe of bits,groups go = g_plain.dut.u_expand.go
// probe of bits,groups load = g_plain.dut.u_expand.u_walk.b_load
// probe of told_bits,told_groups go = g_told.dut.u_expand.go
// probe of told_bits,told_groups load = g_told.dut.u_expand.u_walk.b_load
// mutant samhw_bits_expand: wire                        close = go && ends && !found && waiting;
//     => wire                        close = 1'b0;
// mutant samhw_bits_expand: found ? below : {WIDTH_LOG2{1'b0}}, => {WIDTH_LOG2{1'b0}},
// mutant samhw_bits_expand: .last(ends || more), => .last(1'b1),
// mutant of bits samhw_bit_walk: a_under[g] = !a_seen; => a_under[g] = 1'b1;
// mutant of bits samhw_bit_walk: assign more  = !(b_done && b_last); => assign more  = !b_done;
// mutant of groups samhw_bit_walk: b_over <= !b_third; => b_over <= b_third;
// mutant of groups samhw_bit_walk: if (ends)\n                index <= {CRD_W{1'b0}};
//     => if (none)\n                index <= {CRD_W{1'b0}};
// mutant of told_bits samhw_bit_walk: || (cut && !(out_valid && b_ends)); => ;
// mutant of told_bits samhw_bit_walk: || (cut && !(out_valid && b_ends)); => || cut;
// mutant of told_groups samhw_bit_walk: wire b_done = b_over || cut; => wire b_done = b_over;
// mutant of told_groups samhw_bit_walk: assign ends  = b_done && b_ends; => assign ends  = b_over && b_ends;
// mutant of told_groups samhw_bits_unpack_exit: .cut(over) => .cut(1'b0)
// mutant of told_groups samhw_bits_expand: assign leaves = go && ends; => assign leaves = go;
// mutant of told_bits samhw_fiber_over: over <= !leaves && (over || told); => over <= over || told;
// mutant of told_bits samhw_fiber_over: skip_beat[TAG_W-1:0] == fiber => skip_beat[TAG_W-1:0] != fiber
`default_nettype none

module formal_bits_unpack #(
    parameter GROUP_LOG2 = 0,
    parameter HINTS      = 0
) (
    input wire       clk,
    input wire       in_valid,
    input wire [7:0] in_beat,
    input wire       skip_valid,
    input wire [4:0] skip_beat,
    input wire       out_ready,
    input wire       go,
    input wire       load
);

    reg started = 1'b0;
    always @(posedge clk)
        started <= 1'b1;
    wire rst = !started;

    wire       in_ready;
    wire       out_valid;
    wire [7:0] out_beat;
    generate
        if (HINTS != 0) begin : g_told
            samhw_bits_unpack_exit #(
                .WIDTH(2), .WIDTH_LOG2(1), .GROUP_LOG2(GROUP_LOG2), .CRD_W(2), .REF_W(2), .STOP_W(2), .TAG_W(2)
            ) dut (
                .clk(clk), .rst(rst),
                .in_valid(in_valid), .in_ready(in_ready), .in_beat(in_beat),
                .skip_valid(skip_valid), .skip_ready(), .skip_beat(skip_beat),
                .out_valid(out_valid), .out_ready(out_ready), .out_beat(out_beat)
            );
        end else begin : g_plain
            samhw_bits_unpack #(
                .WIDTH(2), .WIDTH_LOG2(1), .GROUP_LOG2(GROUP_LOG2), .CRD_W(2), .REF_W(2), .STOP_W(2)
            ) dut (
                .clk(clk), .rst(rst),
                .in_valid(in_valid), .in_ready(in_ready), .in_beat(in_beat),
                .out_valid(out_valid), .out_ready(out_ready), .out_beat(out_beat)
            );
        end
    endgenerate
    wire take = started && in_valid && in_ready;
    wire give = started && out_valid && out_ready;

    wire       legal;
    wire       o_legal;
    samhw_steady #(.W(8)) steady (.clk(clk), .started(started), .valid(in_valid), .ready(in_ready), .beat(in_beat));
    samhw_rules #(.DEPTH(2), .STOP_W(2), .W(2)) rules (
        .clk(clk), .rst(rst), .take(take), .beat({in_beat[7:4], in_beat[1:0]}), .legal(legal), .state(), .after());
    samhw_rules #(.DEPTH(2), .STOP_W(2), .W(2)) o_rules (
        .clk(clk), .rst(rst), .take(give), .beat({out_beat[7:4], out_beat[1:0]}), .legal(o_legal), .state(), .after());
    always @*
        assume (!in_valid || (legal && in_beat[7:6] != 2'd1 && (!in_beat[7] || in_beat[3:2] == 2'd0)));

    // The words that were taken and are not through, the oldest first: one whose bits leave, and one behind it.
    reg  [7:0] oldest;
    reg  [7:0] newest;
    reg  [1:0] words = 2'd0;
    wire       pass;
    wire [1:0] stay  = words - {1'b0, pass};
    always @(posedge clk)
        if (started) begin
            words <= stay + {1'b0, take};
            if (pass)
                oldest <= newest;
            if (take && stay == 2'd0)
                oldest <= in_beat;
            if (take)
                newest <= in_beat;
        end
    wire [1:0] kind = oldest[7:6];
    wire [1:0] stop = oldest[5:4];
    wire [1:0] rank = oldest[3:2];
    wire [1:0] word = oldest[1:0];
    wire       leaf = !kind[1];

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

    // The word at hand: whether its lower one is through; the number of the word in the fiber.
    reg        second = 1'b0;
    reg  [1:0] index  = 2'd0;
    wire       both = leaf && word == 2'd3;
    wire       last = !both || second || (GROUP_LOG2 == 0 ? first : over);
    wire       one  = leaf && word != 2'd0;
    wire [1:0] crd  = {index[0], both ? second : word[1]};
    wire       ends = !leaf || (last && stop != 2'd0);
    wire       step = started && go;
    assign pass = step && last;
    assign left = step && ends;
    always @(posedge clk)
        if (step) begin
            second <= !last;
            index  <= ends ? 2'd0 : index + {1'b0, last};
        end

    wire waits;
    wire owes;
    samhw_filtered #(.W(6), .STOP_W(2), .DEPTH(2)) filtered (
        .clk(clk), .started(started), .keep(step && (one || (ends && !waits))),
        .close(step && leaf && !one && ends && waits),
        .last(ends || !last), .stop(ends ? stop : 2'd0),
        .data(one ? {kind, rank + {1'b0, second}, crd} : {leaf ? 2'd2 : kind, 2'd0, leaf ? 2'd1 : word}),
        .valid(out_valid), .ready(out_ready), .given({out_beat[7:6], out_beat[3:0], out_beat[5:4]}), .waits(waits),
        .owes(owes));
    samhw_soon #(.MOST(3)) taken (.clk(clk), .started(started), .waits(in_valid && !take && out_ready));
    samhw_soon #(.MOST(2)) given (.clk(clk), .started(started), .waits(owes && !out_valid && out_ready));

    always @*
        if (started) begin
            assert (!out_valid || o_legal);
            assert (!step || words != 2'd0);
        end

endmodule

`default_nettype wire
