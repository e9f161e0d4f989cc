// SPDX-License-Identifier: Apache-2.0
//
// Proof: word k of a run is written to address k, in order and each once, as long as k is below the capacity.
// An item is at its chunk's first word and its position behind it, an absent leaf is the fill, and so is
// every position of a chunk without an item; each chunk takes `chunk` words (with SKIP, each that has a
// leaf), and nothing else takes any. The token follows DONE when all writes have left; count and overflow
// tell of all words then. What is offered stays; with a memory and a host that take, words are written and
// beats are taken.
//
// One address is watched, any.
// by: reachability
// case all: SKIP=0 CHAIN=1
// case some: SKIP=1 CHAIN=1
// case deep: SKIP=0 CHAIN=2
// case deep_some: SKIP=1 CHAIN=2
// mutant samhw_value_writer_at: .data(gap || v_kind[0] ? fill : v_val) => .data(v_kind[0] ? fill : v_val)
// mutant samhw_value_writer_at: .item_valid(!done || rest) => .item_valid(!done || free)
// mutant samhw_value_writer_at: wire rest = free && => wire rest =
// mutant samhw_value_writer_at: wire both = v_valid && p_valid; => wire both = p_valid;
// mutant samhw_placer: closing <= !last && (closing || (pop && ends)); => closing <= !last && closing;
// mutant of deep samhw_placer: full <= !ends && (full || (push && last)); => full <= 1'b0;
// mutant of some samhw_placer: && !chunk_none && !idle; => && !chunk_none;
`default_nettype none

module formal_value_writer_at #(
    parameter SKIP  = 0,
    parameter CHAIN = 1
) (
    input wire       clk,
    input wire [1:0] room,
    input wire [1:0] size,
    input wire       absent,
    input wire [1:0] any,
    input wire       val_valid,
    input wire [5:0] val_beat,
    input wire       pos_valid,
    input wire [5:0] pos_beat,
    input wire       write_ready,
    input wire       finished_ready
);

    localparam [31:0] HEIGHT = CHAIN;

    reg started = 1'b0;
    reg ready   = 1'b0;
    always @(posedge clk)
        {started, ready} <= {1'b1, started};
    wire rst = !ready;

    // From a cycle before the first beat on.
    reg [1:0] capacity;
    reg [1:0] chunk;
    reg       fill;
    reg [1:0] here;
    always @(posedge clk)
        if (!started)
            {capacity, chunk, fill, here} <= {room, size, absent, any};

    wire       val_ready;
    wire       pos_ready;
    wire       write_valid;
    wire [3:0] write_beat;
    wire       finished_valid;
    wire       finished_beat;
    wire [1:0] count;
    wire       overflow;
    samhw_value_writer_at #(.VAL_W(2), .ADDR_W(2), .STOP_W(2), .CHAIN(CHAIN), .SKIP(SKIP)) dut (
        .clk(clk), .rst(rst), .capacity(capacity), .fill({1'b0, fill}), .chunk(chunk),
        .val_valid(val_valid), .val_ready(val_ready), .val_beat(val_beat),
        .pos_valid(pos_valid), .pos_ready(pos_ready), .pos_beat(pos_beat),
        .write_valid(write_valid), .write_ready(write_ready), .write_beat(write_beat),
        .finished_valid(finished_valid), .finished_ready(finished_ready), .finished_beat(finished_beat),
        .count(count), .overflow(overflow)
    );
    wire take = ready && pos_valid && pos_ready;
    wire give = ready && write_valid && write_ready;

    wire [1:0] kind = pos_beat[5:4];
    wire [1:0] stop = pos_beat[3:2];
    wire [1:0] pos  = pos_beat[1:0];
    wire       leaf = !kind[1];
    wire       done = kind == 2'd3;
    wire       ends = {30'd0, stop} >= HEIGHT && (leaf || (kind == 2'd2 && {30'd0, pos} <= HEIGHT));

    // Aligned canonical streams, with positions that increase in their chunk.
    wire       legal;
    samhw_rules #(.DEPTH(2), .STOP_W(2), .W(2)) rules (
        .clk(clk), .rst(rst), .take(take), .beat(pos_beat), .legal(legal), .state(), .after());
    samhw_steady #(.W(6)) v_steady (.clk(clk), .started(ready), .valid(val_valid), .ready(val_ready), .beat(val_beat));
    samhw_steady #(.W(6)) p_steady (.clk(clk), .started(ready), .valid(pos_valid), .ready(pos_ready), .beat(pos_beat));
    reg  [2:0] least = 3'd0;
    always @(posedge clk)
        if (take && (leaf || ends))
            least <= ends ? 3'd0 : {1'b0, pos} + 3'd1;
    always @* begin
        assume (!pos_valid || (legal && kind != 2'd1));
        assume (!pos_valid || !leaf || ({1'b0, pos} >= least && pos < chunk));
        assume (!(val_valid && pos_valid)
                || (leaf ? {val_beat[5], val_beat[3:2]} == {1'b0, stop} : val_beat == pos_beat));
    end

    // The words before this chunk, 4 or more as 4; what stands at the address that is watched, if an item is there.
    reg  [2:0] first = 3'd0;
    reg        some  = 1'b0;
    reg        item  = 1'b0;
    reg  [1:0] what;
    reg  [2:0] given = 3'd0;
    wire       it    = leaf && first + {1'b0, pos} == {1'b0, here};
    wire       full  = ends && (SKIP == 0 || some || leaf);
    wire [2:0] sum   = first + {1'b0, chunk};
    wire [2:0] after = full ? (sum[2] ? 3'd4 : sum) : first;
    wire [2:0] now   = given + {2'd0, give};
    wire [2:0] room3 = {1'b0, capacity};
    always @(posedge clk)
        if (ready) begin
            given <= take && done ? 3'd0 : now;
            if (take) begin
                first <= done ? 3'd0 : first[2] ? 3'd4 : after;
                some  <= !ends && (some || leaf);
                item  <= !done && (item || it);
                if (it)
                    what <= val_beat[4] ? {1'b0, fill} : val_beat[1:0];
            end
        end

    samhw_kept #(.W(4)) kept (.clk(clk), .started(ready), .valid(write_valid), .ready(write_ready), .beat(write_beat));
    samhw_owed #(.W(1), .DEPTH(1)) tokens (
        .clk(clk), .started(ready), .put(take && done), .beat(1'b1),
        .valid(finished_valid), .ready(finished_ready), .given(finished_beat), .count(owed));
    wire [2:0] owed;
    // Between runs the last one's status stands.
    reg        between = 1'b0;
    reg  [2:0] words;
    always @(posedge clk)
        if (ready) begin
            between <= take ? done : between && !val_valid;
            if (take)
                words <= first;
        end

    wire all = write_ready && finished_ready;
    samhw_soon #(.MOST(3)) taken (
        .clk(clk), .started(ready), .waits(val_valid && pos_valid && !take && !write_valid && !overflow && all));
    samhw_soon #(.MOST(2)) filled (
        .clk(clk), .started(ready), .waits(given < first && given < room3 && !write_valid && all));
    samhw_soon #(.MOST(9)) moved (
        .clk(clk), .started(ready), .waits(val_valid && pos_valid && !take && all));

    always @*
        if (ready) begin
            assert (!pos_ready || !pos_valid || (val_valid && val_ready));
            assert (!val_ready || !val_valid || (pos_valid && pos_ready));
            assert (!write_valid || write_beat[1:0] == given[1:0]);
            assert (!write_valid || given < room3);
            assert (!write_valid || write_beat[1:0] != here || write_beat[3:2] == (item ? what : {1'b0, fill}));
            // No item is late.
            assert (!(take && it) || given <= {1'b0, here});
            // No word before it is known that there is one.
            assert (!write_valid || given < first || (given < sum && (SKIP == 0 || some || (pos_valid && leaf))));
            assert (!(take && done) || now == (first > room3 ? room3 : first));
            assert (finished_valid == (owed != 3'd0));
            assert (!between || val_valid || (count == (words[2] ? 2'd3 : words[1:0]) && overflow == (words > room3)));
        end

endmodule

`default_nettype wire
