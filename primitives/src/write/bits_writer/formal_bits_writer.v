// SPDX-License-Identifier: Apache-2.0
//
// Proof: word k of a run and its rank are written to address k, in order and each once, as long as k is below
// the capacity. Bit b of word w of a fiber is set if the fiber has coordinate 2*w+b, the rank is the number
// of leaves before the word's first, 0 of a word without any; a fiber is at its chunk's first word, with
// positions (AT) so many words behind as its position says. Each chunk takes `chunk` words (with SKIP, each
// that has a leaf), and nothing else takes any. The token follows DONE when all writes have left; count and
// overflow tell of all words then. What is offered stays; with memories and a host that take, words are
// written and beats are taken.
//
// One address is watched, any. At these widths only fibers of one word have positions above 0.
// by: reachability
// case all: SKIP=0 AT=0 CHAIN=1
// case some: SKIP=1 AT=0 CHAIN=1
// long case at: SKIP=0 AT=1 CHAIN=1
// long case some_at: SKIP=1 AT=1 CHAIN=1
// case deep: SKIP=0 AT=1 CHAIN=2
// mutant samhw_bits_pack: word       <= same ? word | c_bit : c_bit; => word       <= c_bit;
// mutant samhw_bits_pack: if (!same)\n                rank => if (1'b1)\n                rank
// mutant samhw_bits_pack: wire same  = held && !final_word && c_leaf && place >= c_place;
//     => wire same  = held && c_leaf && place >= c_place;
// mutant samhw_bits_pack: if (out_free) begin => if (1'b1) begin
// mutant samhw_bits_pack: .item_valid(out_valid || rest) => .item_valid(1'b1)
// mutant samhw_bits_pack: wire free = free_b && free_r; => wire free = free_b;
// mutant samhw_bits_pack: .data(gap ? {REF_W{1'b0}} : out_rank) => .data(out_rank)
// mutant samhw_bits_pack: (c_valid && base_valid && c_done && !held) => (c_valid && base_valid && c_done)
// mutant samhw_bits_pack: wire leave = held && out_free && (final_word || (take && !same));
//     => wire leave = held && out_free && final_word;
// mutant of deep samhw_bits_writer_at: b_base <= wide_pos[ADDR_W-1:0] * words; => b_base <= words;
// mutant of deep samhw_bits_writer_at: wire                load = !b_valid || pop; => wire                load = 1'b1;
// mutant of deep samhw_bits_pack: assign base_pop = (take && c_ends) || finish; => assign base_pop = take || finish;
// mutant of deep samhw_bits_pack: .CHAIN(CHAIN+1) => .CHAIN(CHAIN+2)
`default_nettype none

module formal_bits_writer #(
    parameter SKIP  = 0,
    parameter AT    = 0,
    parameter CHAIN = 1
) (
    input wire       clk,
    input wire [1:0] room,
    input wire [1:0] size,
    input wire [1:0] width,
    input wire [1:0] any,
    input wire       crd_valid,
    input wire [5:0] crd_beat,
    input wire       pos_valid,
    input wire [5:0] pos_beat,
    input wire       bits_ready,
    input wire       rank_ready,
    input wire       finished_ready
);

    // Height of a chunk's list of crd.
    localparam [31:0] HEIGHT = AT != 0 ? CHAIN + 1 : 1;

    reg started = 1'b0;
    reg ready   = 1'b0;
    always @(posedge clk)
        {started, ready} <= {1'b1, started};
    wire rst = !ready;

    // From a cycle before the first beat on.
    reg [1:0] capacity;
    reg [1:0] chunk;
    reg [1:0] words;
    reg [1:0] here;
    always @(posedge clk)
        if (!started)
            {capacity, chunk, words, here} <= {room, size, width, any};

    wire       crd_ready;
    wire       pos_ready;
    wire       bits_valid;
    wire [3:0] bits_beat;
    wire       rank_valid;
    wire [3:0] rank_beat;
    wire       finished_valid;
    wire       finished_beat;
    wire [1:0] count;
    wire       overflow;
    generate
        if (AT != 0) begin : g_at
            samhw_bits_writer_at #(
                .WIDTH(2), .WIDTH_LOG2(1), .CRD_W(2), .REF_IN_W(2), .ADDR_W(2), .REF_W(2), .STOP_W(2), .CHAIN(CHAIN),
                .SKIP(SKIP)
            ) dut (
                .clk(clk), .rst(rst), .capacity(capacity), .chunk(chunk), .words(words),
                .crd_valid(crd_valid), .crd_ready(crd_ready), .crd_beat(crd_beat),
                .pos_valid(pos_valid), .pos_ready(pos_ready), .pos_beat(pos_beat),
                .bits_write_valid(bits_valid), .bits_write_ready(bits_ready), .bits_write_beat(bits_beat),
                .rank_write_valid(rank_valid), .rank_write_ready(rank_ready), .rank_write_beat(rank_beat),
                .finished_valid(finished_valid), .finished_ready(finished_ready), .finished_beat(finished_beat),
                .count(count), .overflow(overflow)
            );
        end else begin : g_plain
            samhw_bits_writer #(
                .WIDTH(2), .WIDTH_LOG2(1), .CRD_W(2), .ADDR_W(2), .REF_W(2), .STOP_W(2), .SKIP(SKIP)
            ) dut (
                .clk(clk), .rst(rst), .capacity(capacity), .chunk(chunk),
                .crd_valid(crd_valid), .crd_ready(crd_ready), .crd_beat(crd_beat),
                .bits_write_valid(bits_valid), .bits_write_ready(bits_ready), .bits_write_beat(bits_beat),
                .rank_write_valid(rank_valid), .rank_write_ready(rank_ready), .rank_write_beat(rank_beat),
                .finished_valid(finished_valid), .finished_ready(finished_ready), .finished_beat(finished_beat),
                .count(count), .overflow(overflow)
            );
            assign pos_ready = 1'b0;
        end
    endgenerate
    wire take   = ready && crd_valid && crd_ready;
    wire load   = ready && pos_valid && pos_ready && AT != 0;
    wire give   = ready && bits_valid && bits_ready;
    wire r_give = ready && rank_valid && rank_ready;

    wire [1:0] c_stop = crd_beat[3:2];
    wire [1:0] c_low  = crd_beat[1:0];
    wire       leaf   = !crd_beat[5];
    wire       done   = crd_beat[5:4] == 2'd3;
    wire       inner  = leaf && c_stop == 2'd0;
    wire       ends   = {30'd0, c_stop} >= HEIGHT && (leaf || (!done && {30'd0, c_low} <= HEIGHT));

    // The position that is at hand: it stays until its fiber is used up.
    reg        placed = AT == 0;
    reg  [5:0] where_ = 6'd0;
    wire [1:0] kind   = where_[5:4];
    wire [1:0] stop   = where_[3:2];
    wire [1:0] pos    = where_[1:0];
    wire       list   = !kind[1];
    wire [3:0] base   = AT != 0 ? {2'd0, pos} * {2'd0, words} : 4'd0;
    always @(posedge clk)
        if (ready && AT != 0) begin
            placed <= load || (placed && !(take && !inner));
            if (load)
                where_ <= pos_beat;
        end

    // Aligned canonical streams: coordinates increase in their fiber, positions in their chunk, and all have
    // their words.
    wire       c_legal;
    wire       legal;
    samhw_rules #(.DEPTH(AT != 0 ? 3 : 2), .STOP_W(2), .W(2)) c_rules (
        .clk(clk), .rst(rst), .take(take), .beat(crd_beat), .legal(c_legal), .state(), .after());
    samhw_rules #(.DEPTH(2), .STOP_W(2), .W(2)) rules (
        .clk(clk), .rst(rst), .take(load), .beat(pos_beat), .legal(legal), .state(), .after());
    samhw_steady #(.W(6)) c_steady (.clk(clk), .started(ready), .valid(crd_valid), .ready(crd_ready), .beat(crd_beat));
    samhw_steady #(.W(6)) p_steady (.clk(clk), .started(ready), .valid(pos_valid), .ready(pos_ready), .beat(pos_beat));
    reg  [2:0] least  = 3'd0;
    reg  [2:0] lowest = 3'd0;
    wire       p_leaf = !pos_beat[5];
    wire       p_ends = {30'd0, pos_beat[3:2]} + 1 >= HEIGHT
                        && (p_leaf || (pos_beat[5:4] == 2'd2 && {30'd0, pos_beat[1:0]} + 1 <= HEIGHT));
    always @(posedge clk) begin
        if (load && (p_leaf || p_ends))
            least <= p_ends ? 3'd0 : {1'b0, pos_beat[1:0]} + 3'd1;
        if (take)
            lowest <= inner ? {1'b0, c_low} + 3'd1 : 3'd0;
    end
    wire [3:0] room_of = AT != 0 ? {2'd0, words} : {2'd0, chunk};
    always @* begin
        assume (!crd_valid || (c_legal && crd_beat[5:4] != 2'd1));
        assume (!crd_valid || !leaf || ({1'b0, c_low} >= lowest && {3'd0, c_low[1]} < room_of));
        assume (!pos_valid || (legal && pos_beat[5:4] != 2'd1));
        assume (!pos_valid || !p_leaf || {1'b0, pos_beat[1:0]} >= least);
        assume (!pos_valid || !p_leaf || ({2'd0, pos_beat[1:0]} + 4'd1) * {2'd0, words} <= {2'd0, chunk});
        assume (AT == 0 || !(crd_valid && placed) || (inner ? list
            : done ? kind == 2'd3
            : kind != 2'd3 && stop == c_stop - 2'd1 && (leaf || c_low == 2'd1 ? list : !list && pos == c_low - 2'd1)));
    end

    // Leaves of the run; words before this chunk, 4 or more as 4; what is known of the word that is watched.
    reg  [1:0] leaves = 2'd0;
    reg  [2:0] first  = 3'd0;
    reg        some   = 1'b0;
    reg  [1:0] bits   = 2'd0;
    reg  [1:0] rank   = 2'd0;
    reg  [2:0] given  = 3'd0;
    reg  [2:0] ranked = 3'd0;
    wire [3:0] at     = {1'b0, first} + base + {3'd0, c_low[1]};
    wire       it     = leaf && at == {2'd0, here};
    wire       full   = ends && (SKIP == 0 || some || leaf);
    wire [3:0] sum    = {1'b0, first} + {2'd0, chunk};
    wire [2:0] now    = given + {2'd0, give};
    wire [2:0] r_now  = ranked + {2'd0, r_give};
    wire [2:0] room3  = {1'b0, capacity};
    always @(posedge clk)
        if (ready) begin
            given  <= take && done ? 3'd0 : now;
            ranked <= take && done ? 3'd0 : r_now;
            if (take) begin
                leaves <= done ? 2'd0 : leaf ? leaves + 2'd1 : leaves;
                first  <= done ? 3'd0 : !full ? first : sum > 4'd3 ? 3'd4 : sum[2:0];
                some   <= !ends && (some || leaf);
                bits   <= done ? 2'd0 : it ? bits | {c_low[0], !c_low[0]} : bits;
                if (done || (it && bits == 2'd0))
                    rank <= done ? 2'd0 : leaves;
            end
        end

    wire [2:0] owed;
    samhw_kept #(.W(4)) b_kept (.clk(clk), .started(ready), .valid(bits_valid), .ready(bits_ready), .beat(bits_beat));
    samhw_kept #(.W(4)) r_kept (.clk(clk), .started(ready), .valid(rank_valid), .ready(rank_ready), .beat(rank_beat));
    samhw_owed #(.W(1), .DEPTH(1)) tokens (
        .clk(clk), .started(ready), .put(take && done), .beat(1'b1),
        .valid(finished_valid), .ready(finished_ready), .given(finished_beat), .count(owed));
    // Between runs the last one's status stands.
    reg        between = 1'b1;
    reg  [2:0] last    = 3'd0;
    always @(posedge clk)
        if (ready) begin
            between <= take ? done : between && !crd_valid;
            if (take)
                last <= first;
        end

    wire all = bits_ready && rank_ready && finished_ready;
    samhw_soon #(.MOST(4)) filled (
        .clk(clk), .started(ready), .waits((given < first && given < room3 && !bits_valid) && all));
    samhw_soon #(.MOST(10)) moved (.clk(clk), .started(ready), .waits(crd_valid && placed && !take && all));
    samhw_soon #(.MOST(2)) fetched (.clk(clk), .started(ready), .waits(AT != 0 && pos_valid && !placed && !load));

    always @*
        if (ready) begin
            assert (!take || placed);
            assert (!load || !placed || (take && !inner));
            assert (!bits_valid || (bits_beat[1:0] == given[1:0] && given < room3));
            assert (!rank_valid || (rank_beat[1:0] == ranked[1:0] && ranked < room3));
            assert (!bits_valid || bits_beat[1:0] != here || bits_beat[3:2] == bits);
            assert (!rank_valid || rank_beat[1:0] != here || rank_beat[3:2] == rank);
            // No coordinate is late.
            assert (!(take && it) || (given <= {1'b0, here} && ranked <= {1'b0, here}));
            assert (!(take && it)
                    || ((!bits_valid || bits_beat[1:0] != here) && (!rank_valid || rank_beat[1:0] != here)));
            // No word before it is known that there is one.
            assert (!bits_valid || given < first || ({1'b0, given} < sum && some));
            assert (!rank_valid || ranked < first || ({1'b0, ranked} < sum && some));
            assert (!(take && done) || (now == (first > room3 ? room3 : first) && r_now == now));
            assert (finished_valid == (owed != 3'd0));
            assert (!between || crd_valid || (count == (last[2] ? 2'd3 : last[1:0]) && overflow == (last > room3)));
        end

endmodule

`default_nettype wire
