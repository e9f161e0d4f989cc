// SPDX-License-Identifier: Apache-2.0
//
// Proof: of each run leaf k is written to address k of crd; to seg 0 at address 0, then for each list (with
// SKIP, each that has a leaf) the number of leaves so far, in order and each once, below the capacities. The
// token follows DONE when all writes have left. What is offered stays until it is taken; with memories and a
// host that take, beats are taken.
// with: samhw_skid
// with: samhw_skid_ahead
// by: reachability
// case all: SKIP=0
// case some: SKIP=1
// probe head = dut.u_crd.out_beat
// probe head_valid = dut.c_valid
// probe head_pop = dut.c_pop
// probe begins = dut.start
// mutant samhw_level_writer: wire [REF_W-1:0] leaves = leaf ? crd_next : count; => wire [REF_W-1:0] leaves = count;
// mutant of some samhw_level_writer: some <= !ends && (some || leaf); => some <= some || leaf;
// mutant of all samhw_level_writer: && (leaf || (!done && !high)); => && leaf;
// mutant samhw_level_writer: (!done || (seg_free && crd_free && fin_free)); => (!done || (crd_free && fin_free));
// mutant samhw_run_skid: between <= rst || ends || (between && !start); => between <= rst || (between && !start);
`default_nettype none

module formal_level_writer #(
    parameter SKIP = 0
) (
    input wire       clk,
    input wire [3:0] room,
    input wire       crd_valid,
    input wire [5:0] crd_beat,
    input wire       seg_ready,
    input wire       crd_write_ready,
    input wire       finished_ready,
    input wire [5:0] head,
    input wire       head_valid,
    input wire       head_pop,
    input wire       begins
);

    reg started = 1'b0;
    always @(posedge clk)
        started <= 1'b1;
    wire rst = !started;

    reg [3:0] capacities;
    always @(posedge clk)
        if (!started)
            capacities <= room;

    wire       crd_ready;
    wire       seg_valid;
    wire [3:0] seg_beat;
    wire       crd_write_valid;
    wire [3:0] crd_write_beat;
    wire       finished_valid;
    wire       finished_beat;
    wire [1:0] count;
    wire       overflow;
    samhw_level_writer #(.CRD_W(2), .REF_IN_W(2), .REF_W(2), .STOP_W(2), .SEG_HEIGHT(1), .SKIP(SKIP)) dut (
        .clk(clk), .rst(rst), .seg_capacity(capacities[3:2]), .crd_capacity(capacities[1:0]),
        .crd_valid(crd_valid), .crd_ready(crd_ready), .crd_beat(crd_beat),
        .seg_write_valid(seg_valid), .seg_write_ready(seg_ready), .seg_write_beat(seg_beat),
        .crd_write_valid(crd_write_valid), .crd_write_ready(crd_write_ready), .crd_write_beat(crd_write_beat),
        .finished_valid(finished_valid), .finished_ready(finished_ready), .finished_beat(finished_beat),
        .count(count), .overflow(overflow)
    );
    wire take = started && crd_valid && crd_ready;
    wire go   = started && head_valid && head_pop;
    wire leaf = !head[5];
    wire done = head[5:4] == 2'd3;
    wire legal;
    samhw_rules #(.DEPTH(2), .STOP_W(2), .W(2)) rules (
        .clk(clk), .rst(rst), .take(take), .beat(crd_beat), .legal(legal), .state(), .after());
    always @*
        assume (!crd_valid || (legal && crd_beat[5:4] != 2'd1));

    // The beats come out of the buffer as they went in; each run begins once, before its first beat.
    wire [2:0] inside;
    samhw_owed #(.W(6), .DEPTH(2)) heads (
        .clk(clk), .started(started), .put(take), .beat(crd_beat),
        .valid(head_valid), .ready(head_pop), .given(head), .count(inside));
    reg begun = 1'b0;
    always @(posedge clk)
        if (started)
            begun <= begins || (begun && !(go && done));

    // Leaves and lists of this run, and whether one was dropped.
    reg  [1:0] leaves  = 2'd0;
    reg  [1:0] lists   = 2'd0;
    reg  [1:0] dropped = 2'd0;
    reg        some    = 1'b0;
    wire [1:0] more    = leaves == 2'd3 ? 2'd3 : leaves + 2'd1;
    wire       ends    = head[3:2] != 2'd0 && (leaf || (!done && head[1:0] == 2'd1));
    wire       list    = go && ends && (SKIP == 0 || leaf || some);
    wire       fits    = leaves < capacities[1:0] && !dropped[0];
    wire       s_fits  = begins ? capacities[3:2] != 2'd0 : lists < capacities[3:2] && !dropped[1];
    always @(posedge clk)
        if (started) begin
            leaves  <= begins ? 2'd0 : go && leaf ? more : leaves;
            lists   <= begins ? 2'd1 : list && lists != 2'd3 ? lists + 2'd1 : lists;
            dropped <= begins ? {!s_fits, 1'b0} : dropped | {list && !s_fits, go && leaf && !fits};
            if (go)
                some <= !ends && (some || leaf);
        end

    wire [2:0] crds;
    wire [2:0] segs;
    wire [2:0] owed_tokens;
    samhw_owed #(.W(4), .DEPTH(1)) crd_writes (
        .clk(clk), .started(started), .put(go && leaf && fits), .beat({head[1:0], leaves}),
        .valid(crd_write_valid), .ready(crd_write_ready), .given(crd_write_beat), .count(crds));
    samhw_owed #(.W(4), .DEPTH(1)) seg_writes (
        .clk(clk), .started(started), .put((list || (started && begins)) && s_fits),
        .beat(begins ? 4'd0 : {leaf ? more : leaves, lists}),
        .valid(seg_valid), .ready(seg_ready), .given(seg_beat), .count(segs));
    samhw_owed #(.W(1), .DEPTH(1)) tokens (
        .clk(clk), .started(started), .put(go && done), .beat(1'b1),
        .valid(finished_valid), .ready(finished_ready), .given(finished_beat), .count(owed_tokens));
    samhw_soon #(.MOST(2)) moved (
        .clk(clk), .started(started), .waits(inside != 3'd0 && !go && seg_ready && crd_write_ready && finished_ready));

    always @*
        if (started) begin
            assert (!go || begun);
            assert (!begins || !begun || (go && done));
            assert (crd_write_valid == (crds != 3'd0) && seg_valid == (segs != 3'd0)
                    && finished_valid == (owed_tokens != 3'd0));
            assert (!(go && done) || ((!crd_write_valid || crd_write_ready) && (!seg_valid || seg_ready)));
            assert (count == leaves && overflow == (dropped != 2'd0));
        end

endmodule

`default_nettype wire
