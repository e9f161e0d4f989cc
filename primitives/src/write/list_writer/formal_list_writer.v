// SPDX-License-Identifier: Apache-2.0
//
// Proof: each run writes an empty list at every position below chunk, in order; then, for each leaf that
// fits, in order and each once: the leaf at the next place of crd; at its position the place of its list's
// first leaf and that behind it; and at the place of the leaf before it in its list, if there is one, its
// own. The token follows DONE when all writes have left; count and overflow tell of all leaves then. What is
// offered stays until it is taken; with memories and a host that take, beats are taken.
// by: reachability
// probe begins = dut.start
// mutant samhw_list_writer: h_known <= store && p_pos == w_pos; => h_known <= 1'b0;
// mutant samhw_list_writer: h_known <= store && p_pos == w_pos; => h_known <= store;
// mutant samhw_list_writer: w_known <= same || h_known; => w_known <= h_known;
// mutant samhw_list_writer: w_ends  <= same ? ends : h_ends; => w_ends  <= h_known ? h_ends : ends;
// mutant samhw_list_writer: wire             same  = store && w_pos == h_pos; => wire             same  = store;
// mutant samhw_list_writer: .we(store || clear), => .we(store),
// mutant samhw_list_writer: wire [REF_W-1:0] first = some ? from : count; => wire [REF_W-1:0] first = from;
// mutant samhw_list_writer: .raddr(read ? p_pos[ADDR_W-1:0] : h_pos[ADDR_W-1:0]) => .raddr(p_pos[ADDR_W-1:0])
// mutant samhw_list_writer: next_write_valid <= store && some; => next_write_valid <= store;
// mutant samhw_list_writer: (!h_valid && !w_valid && seg_free => (!h_valid && seg_free
// mutant samhw_list_writer: wire             store = w_go && !overflow && count != crd_capacity;
//     => wire             store = w_go;
`default_nettype none

module formal_list_writer (
    input wire       clk,
    input wire [1:0] room,
    input wire [1:0] size,
    input wire       crd_valid,
    input wire [5:0] crd_beat,
    input wire       pos_valid,
    input wire [5:0] pos_beat,
    input wire       seg_ready,
    input wire       crd_write_ready,
    input wire       next_ready,
    input wire       finished_ready,
    input wire       begins
);

    reg started = 1'b0;
    always @(posedge clk)
        started <= 1'b1;
    wire rst = !started;

    // Two lists at most.
    reg [1:0] capacity;
    reg [1:0] chunk;
    always @(posedge clk)
        if (!started)
            {capacity, chunk} <= {room, size > 2'd2 ? 2'd2 : size};

    wire       crd_ready;
    wire       pos_ready;
    wire       seg_valid;
    wire [5:0] seg_beat;
    wire       crd_write_valid;
    wire [3:0] crd_write_beat;
    wire       next_valid;
    wire [3:0] next_beat;
    wire       finished_valid;
    wire       finished_beat;
    wire [1:0] count;
    wire       overflow;
    samhw_list_writer #(.CRD_W(2), .REF_IN_W(2), .REF_W(2), .STOP_W(2), .WORDS(2)) dut (
        .clk(clk), .rst(rst), .crd_capacity(capacity), .chunk(chunk),
        .crd_valid(crd_valid), .crd_ready(crd_ready), .crd_beat(crd_beat),
        .pos_valid(pos_valid), .pos_ready(pos_ready), .pos_beat(pos_beat),
        .seg_write_valid(seg_valid), .seg_write_ready(seg_ready), .seg_write_beat(seg_beat),
        .crd_write_valid(crd_write_valid), .crd_write_ready(crd_write_ready), .crd_write_beat(crd_write_beat),
        .next_write_valid(next_valid), .next_write_ready(next_ready), .next_write_beat(next_beat),
        .finished_valid(finished_valid), .finished_ready(finished_ready), .finished_beat(finished_beat),
        .count(count), .overflow(overflow)
    );
    wire       take   = started && crd_valid && crd_ready;
    wire       both   = started && pos_valid && pos_ready;
    wire [1:0] crd    = crd_beat[1:0];
    wire [1:0] pos    = pos_beat[1:0];
    wire       leaf   = take && !crd_beat[5];
    wire       done   = take && crd_beat[5:4] == 2'd3;

    // Aligned canonical streams; each leaf has a position.
    wire legal;
    wire p_legal;
    samhw_rules #(.DEPTH(2), .STOP_W(2), .W(2)) rules (
        .clk(clk), .rst(rst), .take(take), .beat(crd_beat), .legal(legal), .state(), .after());
    samhw_rules #(.DEPTH(2), .STOP_W(2), .W(2)) p_rules (
        .clk(clk), .rst(rst), .take(both), .beat(pos_beat), .legal(p_legal), .state(), .after());
    samhw_steady #(.W(6)) steady (.clk(clk), .started(started), .valid(crd_valid), .ready(crd_ready), .beat(crd_beat));
    samhw_steady #(.W(6)) p_steady (
        .clk(clk), .started(started), .valid(pos_valid), .ready(pos_ready), .beat(pos_beat)
    );
    always @* begin
        assume (!crd_valid || (legal && crd_beat[5:4] != 2'd1));
        assume (!pos_valid || (p_legal && pos_beat[5:4] != 2'd1));
        assume (!crd_valid || !pos_valid
                || (crd_beat[5:2] == pos_beat[5:2] && (crd_beat[5] ? crd == pos : pos < chunk)));
    end

    // Lists that are to be cleared, from the first on; each run begins once, before its first beat.
    reg        begun   = 1'b0;
    reg        clears  = 1'b0;
    reg  [1:0] cleared = 2'd0;
    wire       clear   = started && clears && (!seg_valid || seg_ready);
    wire [1:0] after   = cleared + 2'd1;
    always @(posedge clk)
        if (started) begin
            begun   <= begins || (begun && !done);
            clears  <= begins ? chunk != 2'd0 : clears && !(clear && after == chunk);
            cleared <= begins ? 2'd0 : cleared + {1'b0, clear};
        end

    // The ends of both lists, {behind, first}.
    reg  [3:0] list0   = 4'd0;
    reg  [3:0] list1   = 4'd0;
    reg  [1:0] leaves  = 2'd0;
    reg        dropped = 1'b0;
    wire [1:0] more    = leaves + 2'd1;
    wire       fits    = leaves != capacity && !dropped;
    wire       put     = leaf && fits;
    wire [3:0] old     = pos[0] ? list1 : list0;
    wire       fresh   = old[3:2] == 2'd0;
    wire [3:0] new_    = {more, fresh ? leaves : old[1:0]};
    wire [1:0] last    = old[3:2] - 2'd1;
    always @(posedge clk)
        if (started) begin
            leaves  <= begins ? 2'd0 : leaf && leaves != 2'd3 ? more : leaves;
            dropped <= !begins && (dropped || (leaf && !fits));
            if (begins)
                {list1, list0} <= 8'd0;
            else if (put && pos[0])
                list1 <= new_;
            else if (put)
                list0 <= new_;
        end

    wire [2:0] segs;
    wire [2:0] crds;
    wire [2:0] nexts;
    wire [2:0] owed_tokens;
    samhw_owed #(.W(6), .DEPTH(3)) seg_writes (
        .clk(clk), .started(started), .put(clear || put), .beat(clear ? {4'd0, cleared} : {new_, pos}),
        .valid(seg_valid), .ready(seg_ready), .given(seg_beat), .count(segs));
    samhw_owed #(.W(4), .DEPTH(3)) crd_writes (
        .clk(clk), .started(started), .put(put), .beat({crd, leaves}),
        .valid(crd_write_valid), .ready(crd_write_ready), .given(crd_write_beat), .count(crds));
    samhw_owed #(.W(4), .DEPTH(3)) next_writes (
        .clk(clk), .started(started), .put(put && !fresh), .beat({leaves, last}),
        .valid(next_valid), .ready(next_ready), .given(next_beat), .count(nexts));
    samhw_owed #(.W(1), .DEPTH(1)) tokens (
        .clk(clk), .started(started), .put(done), .beat(1'b1),
        .valid(finished_valid), .ready(finished_ready), .given(finished_beat), .count(owed_tokens));
    wire all = seg_ready && crd_write_ready && next_ready && finished_ready;
    samhw_soon #(.MOST(7)) moved (
        .clk(clk), .started(started), .waits(crd_valid && pos_valid && !take && all));
    samhw_soon #(.MOST(4)) written (
        .clk(clk), .started(started), .waits(crds != 3'd0 && !crd_write_valid && all));

    always @*
        if (started) begin
            assert (take == both);
            assert (!take || (begun && !clears));
            assert (!begins || !begun || done);
            assert (!done || ((!seg_valid || seg_ready) && (!crd_write_valid || crd_write_ready)
                              && (!next_valid || next_ready)));
            assert (!done
                    || (segs == {2'd0, seg_valid} && crds == {2'd0, crd_write_valid} && nexts == {2'd0, next_valid}));
            assert (!done || (count == leaves && overflow == dropped));
        end

endmodule

`default_nettype wire
