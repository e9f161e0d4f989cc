// SPDX-License-Identifier: Apache-2.0
//
// Proof: of each run leaf k is written to address k of crd; to seg a 0 at address 0, then one word for each
// position of each chunk (with SKIP, of each chunk that has a leaf): the number of leaves up to the last list
// whose position that is or is before it. All in order and each once, below the capacities, nothing else. The
// token follows DONE when all writes have left; count and overflow tell of all words then. What is offered
// stays; with memories and a host that take, words are written and beats are taken, leaves within a list
// without its position, too.
//
// One address of seg is watched, any.
// by: reachability
// case all: SKIP=0 CHAIN=1 SEG=1
// case some: SKIP=1 CHAIN=1 SEG=1
// case deep: SKIP=0 CHAIN=2 SEG=1
// case high: SKIP=1 CHAIN=1 SEG=2
// mutant samhw_level_writer_at: .data(gap ? closed : leaves) => .data(leaves)
// mutant samhw_level_writer_at: (count + {{(REF_W-1){1'b0}}, leaf}) => count
// mutant samhw_level_writer_at: leaf}) | {REF_W{&count}}; => leaf});
// mutant samhw_level_writer_at: .item_valid(!inner && (!leaf || crd_free) => .item_valid(!inner
// mutant samhw_level_writer_at: (!done || (seg_free && crd_free && fin_free)) => (!done || (crd_free && fin_free))
// mutant samhw_level_writer_at: .pos_valid(p_valid && c_valid) => .pos_valid(p_valid)
// mutant of some samhw_level_writer_at: if (rst || p_pop) => if (rst)
// mutant of high samhw_level_writer_at: .bare(!leaf && !some) => .bare(!leaf)
// mutant of deep samhw_placer: full <= !ends && (full || (push && last)); => full <= 1'b0;
`default_nettype none

module formal_level_writer_at #(
    parameter SKIP  = 0,
    parameter CHAIN = 1,
    parameter SEG   = 1
) (
    input wire       clk,
    input wire [3:0] room,
    input wire [1:0] size,
    input wire [1:0] any,
    input wire       crd_valid,
    input wire [5:0] crd_beat,
    input wire       pos_valid,
    input wire [5:0] pos_beat,
    input wire       seg_ready,
    input wire       crd_write_ready,
    input wire       finished_ready
);

    localparam [31:0] HEIGHT = CHAIN;
    localparam [31:0] LIST   = SEG;

    reg started = 1'b0;
    reg ready   = 1'b0;
    always @(posedge clk)
        {started, ready} <= {1'b1, started};
    wire rst = !ready;

    // From a cycle before the first beat on.
    reg [1:0] seg_room;
    reg [1:0] crd_room;
    reg [1:0] chunk;
    reg [1:0] here;
    always @(posedge clk)
        if (!started)
            {seg_room, crd_room, chunk, here} <= {room, size, any};

    wire       crd_ready;
    wire       pos_ready;
    wire       seg_valid;
    wire [3:0] seg_beat;
    wire       crd_write_valid;
    wire [3:0] crd_write_beat;
    wire       finished_valid;
    wire       finished_beat;
    wire [1:0] count;
    wire       overflow;
    samhw_level_writer_at #(
        .CRD_W(2), .REF_IN_W(2), .REF_W(2), .STOP_W(2), .CHAIN(CHAIN), .SEG_HEIGHT(SEG), .SKIP(SKIP)
    ) dut (
        .clk(clk), .rst(rst), .seg_capacity(seg_room), .crd_capacity(crd_room), .chunk(chunk),
        .crd_valid(crd_valid), .crd_ready(crd_ready), .crd_beat(crd_beat),
        .pos_valid(pos_valid), .pos_ready(pos_ready), .pos_beat(pos_beat),
        .seg_write_valid(seg_valid), .seg_write_ready(seg_ready), .seg_write_beat(seg_beat),
        .crd_write_valid(crd_write_valid), .crd_write_ready(crd_write_ready), .crd_write_beat(crd_write_beat),
        .finished_valid(finished_valid), .finished_ready(finished_ready), .finished_beat(finished_beat),
        .count(count), .overflow(overflow)
    );
    wire take = ready && crd_valid && crd_ready;
    wire both = ready && pos_valid && pos_ready;
    wire give = ready && seg_valid && seg_ready;

    wire [1:0] c_stop = crd_beat[3:2];
    wire [1:0] c_hole = crd_beat[1:0];
    wire       leaf   = !crd_beat[5];
    wire       done   = crd_beat[5:4] == 2'd3;
    wire       inner  = !done && c_stop < LIST[1:0];
    wire [1:0] kind   = pos_beat[5:4];
    wire [1:0] stop   = pos_beat[3:2];
    wire [1:0] pos    = pos_beat[1:0];
    wire       list   = !kind[1];
    wire       ends   = {30'd0, stop} >= HEIGHT && (list || (kind == 2'd2 && {30'd0, pos} <= HEIGHT));

    // Aligned canonical streams: a leaf of pos for each list of crd, with positions that increase in their chunk.
    wire       c_legal;
    wire       legal;
    samhw_rules #(.DEPTH(3), .STOP_W(2), .W(2)) c_rules (
        .clk(clk), .rst(rst), .take(take), .beat(crd_beat), .legal(c_legal), .state(), .after());
    samhw_rules #(.DEPTH(3-SEG), .STOP_W(2), .W(2)) rules (
        .clk(clk), .rst(rst), .take(both), .beat(pos_beat), .legal(legal), .state(), .after());
    samhw_steady #(.W(6)) c_steady (.clk(clk), .started(ready), .valid(crd_valid), .ready(crd_ready), .beat(crd_beat));
    samhw_steady #(.W(6)) p_steady (.clk(clk), .started(ready), .valid(pos_valid), .ready(pos_ready), .beat(pos_beat));
    reg  [2:0] least = 3'd0;
    always @(posedge clk)
        if (both && (list || ends))
            least <= ends ? 3'd0 : {1'b0, pos} + 3'd1;
    always @* begin
        assume (!crd_valid || (c_legal && crd_beat[5:4] != 2'd1));
        assume (!pos_valid || (legal && kind != 2'd1));
        assume (!pos_valid || !list || ({1'b0, pos} >= least && pos < chunk));
        assume (!(crd_valid && pos_valid) || (inner ? list
            : done ? kind == 2'd3
            : kind != 2'd3 && stop == c_stop - LIST[1:0]
            && (leaf || c_hole <= LIST[1:0] ? list : !list && pos == c_hole - LIST[1:0])));
    end

    // Leaves, up to the largest number; words of seg before this chunk, 4 or more as 4; leaves up to the list
    // that ended last of those whose words are not behind the address that is watched.
    reg  [1:0] leaves  = 2'd0;
    reg        dropped = 1'b0;
    reg  [2:0] first   = 3'd1;
    reg        some    = 1'b0;
    reg  [1:0] what    = 2'd0;
    reg  [2:0] given   = 3'd0;
    wire [1:0] more    = leaf && leaves != 2'd3 ? leaves + 2'd1 : leaves;
    wire       fits    = leaves < crd_room && !dropped;
    wire       now_any = some || (take && leaf);
    wire       it      = list && {1'b0, first} + {2'd0, pos} <= {2'd0, here};
    wire       full    = ends && (SKIP == 0 || now_any);
    wire [3:0] sum     = {1'b0, first} + {2'd0, chunk};
    wire [2:0] now     = given + {2'd0, give};
    wire [2:0] room3   = {1'b0, seg_room};
    always @(posedge clk)
        if (ready) begin
            given <= take && done ? 3'd0 : now;
            if (take) begin
                leaves  <= done ? 2'd0 : more;
                dropped <= !done && (dropped || (leaf && !fits));
            end
            some <= !(both && ends) && now_any;
            if (both) begin
                first <= done ? 3'd1 : !full ? first : sum > 4'd3 ? 3'd4 : sum[2:0];
                what  <= done ? 2'd0 : it ? more : what;
            end
        end

    wire [2:0] crds;
    wire [2:0] owed;
    samhw_owed #(.W(4), .DEPTH(1)) crd_writes (
        .clk(clk), .started(ready), .put(take && leaf && fits), .beat({crd_beat[1:0], leaves}),
        .valid(crd_write_valid), .ready(crd_write_ready), .given(crd_write_beat), .count(crds));
    samhw_kept #(.W(4)) kept (.clk(clk), .started(ready), .valid(seg_valid), .ready(seg_ready), .beat(seg_beat));
    samhw_owed #(.W(1), .DEPTH(1)) tokens (
        .clk(clk), .started(ready), .put(take && done), .beat(1'b1),
        .valid(finished_valid), .ready(finished_ready), .given(finished_beat), .count(owed));
    // Between runs the last one's status stands.
    reg        between = 1'b1;
    reg  [1:0] last    = 2'd0;
    reg        lost    = 1'b0;
    always @(posedge clk)
        if (ready) begin
            between <= take ? done : between && !crd_valid;
            if (take)
                {last, lost} <= {leaves, dropped || first > room3};
        end

    wire all = seg_ready && crd_write_ready && finished_ready;
    samhw_soon #(.MOST(2)) alone (.clk(clk), .started(ready), .waits(crd_valid && inner && !take && crd_write_ready));
    samhw_soon #(.MOST(2)) filled (.clk(clk), .started(ready),
        .waits(given < first && given < room3 && !seg_valid && seg_ready
        && (given != 3'd0 || (!between && crd_valid))));
    samhw_soon #(.MOST(9)) moved (.clk(clk), .started(ready), .waits(crd_valid && pos_valid && !take && all));

    always @*
        if (ready) begin
            assert (!both || take);
            assert (!take || inner || both);
            assert (crd_write_valid == (crds != 3'd0));
            assert (!seg_valid || (seg_beat[1:0] == given[1:0] && given < room3));
            assert (!seg_valid || seg_beat[1:0] != here || seg_beat[3:2] == what);
            // No list is late.
            assert (!(both && list) || {1'b0, given} <= {1'b0, first} + {2'd0, pos} || first[2]);
            // No word before it is known that there is one.
            assert (!seg_valid || given < first || ({1'b0, given} < sum && (SKIP == 0 || some || (crd_valid && leaf))));
            assert (!(take && done)
                    || (now == (first > room3 ? room3 : first) && (!crd_write_valid || crd_write_ready)));
            assert (finished_valid == (owed != 3'd0));
            assert (!between || crd_valid || (count == last && overflow == lost));
        end

endmodule

`default_nettype wire
