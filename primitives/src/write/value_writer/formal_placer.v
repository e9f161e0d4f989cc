// SPDX-License-Identifier: Apache-2.0
//
// Proof: of every chunk each position becomes one word, in order: of its item where one has the position, a
// gap else; a chunk of no items is all gaps, or nothing with SKIP. Nothing of the next chunk is used up
// before. A word is there whenever it can be taken and all it needs is there; beats are used up with their
// words.
// by: reachability
// case all: SKIP=0
// case some: SKIP=1
// mutant samhw_placer: near <= rel == chunk_near; => near <= rel == chunk_near + ONE;
// mutant samhw_placer: wire last = first ? chunk_one : near; => wire last = near && !first;
// mutant samhw_placer: closing <= !last && (closing || (pop && ends)); => closing <= !last && closing;
// mutant samhw_placer: assign gap  = closing || !leaf || !here; => assign gap  = !leaf || !here;
// mutant of all samhw_placer: !fill || (last && free)); => !fill || free);
// mutant of some samhw_placer: && !chunk_none && !idle; => && !chunk_none;
`default_nettype none

module formal_placer #(
    parameter SKIP = 0
) (
    input wire       clk,
    input wire [1:0] size,
    input wire       pos_valid,
    input wire [5:0] pos_beat,
    input wire       item_valid,
    input wire       free,
    input wire       bare
);

    reg started = 1'b0;
    reg ready   = 1'b0;
    always @(posedge clk)
        {started, ready} <= {1'b1, started};
    wire rst = !ready;

    // From a cycle before the first beat on.
    reg [1:0] chunk;
    always @(posedge clk)
        if (!started)
            chunk <= size;

    wire       push;
    wire       gap;
    wire       pop;
    wire [1:0] kind = pos_beat[5:4];
    wire [1:0] stop = pos_beat[3:2];
    wire [1:0] pos  = pos_beat[1:0];
    wire       none = SKIP != 0 && bare;
    samhw_placer #(.POS_W(2), .STOP_W(2), .CHAIN(1), .SKIP(SKIP)) dut (
        .clk(clk), .rst(rst), .chunk(chunk),
        .pos_valid(pos_valid), .pos_kind(kind), .pos_stop(stop), .pos(pos),
        .item_valid(item_valid), .bare(none), .free(free), .push(push), .gap(gap), .pop(pop)
    );
    wire word = ready && push;
    wire take = ready && pop;
    wire leaf = !kind[1];

    // Words of this chunk; the least position that the next item may have; whether the chunk's beats are all used up.
    reg  [1:0] words = 2'd0;
    reg  [1:0] least = 2'd0;
    reg        over  = 1'b0;
    wire [1:0] next  = words + 2'd1 == chunk ? 2'd0 : words + 2'd1;
    wire       legal;
    samhw_rules #(.DEPTH(2), .STOP_W(2), .W(2)) rules (
        .clk(clk), .rst(rst), .take(take), .beat(pos_beat), .legal(legal), .state(), .after());
    samhw_steady #(.W(7)) steady (
        .clk(clk), .started(ready), .valid(pos_valid), .ready(take), .beat({none, pos_beat}));
    always @* begin
        assume (!pos_valid || (legal && kind != 2'd1));
        assume (!pos_valid || !leaf || (pos >= least && pos < chunk));
    end
    wire ends = kind != 2'd3 && stop != 2'd0;
    always @(posedge clk)
        if (ready) begin
            if (word)
                words <= next;
            if (take)
                least <= leaf && !ends ? pos + 2'd1 : 2'd0;
            over <= take ? leaf && ends && (word ? next != 2'd0 : words != 2'd0) : over && !(word && next == 2'd0);
        end
    // Every item's last position is the chunk's or below: none can follow the last one.
    always @*
        assume (!pos_valid || !leaf || stop != 2'd0 || pos + 2'd1 < chunk || (pos == 2'd0 && chunk == 2'd0));

    // Whether the beat at hand has a word: a leaf that is not bare before the chunk's first word, a chunk of no item.
    wire quiet  = SKIP != 0 && words == 2'd0;
    wire skip   = leaf && none && quiet;
    wire empty  = kind == 2'd2 && pos == 2'd1 && ends && chunk != 2'd0 && !quiet;
    wire hollow = kind == 2'd2 && pos == 2'd1 && ends && chunk != 2'd0 && SKIP == 0;
    always @*
        if (ready) begin
            assert (!push || free);
            // After its beats a chunk is filled up, and nothing else happens.
            assert (!over || (push == free && !pop && (!push || gap)));
            // An item where its position is next, a gap where not.
            assert (over || !push || (pos_valid && (leaf ? gap == (pos != words) && !skip : gap && hollow)));
            assert (!(push && !gap) || pop);
            assert (!pop || (pos_valid && item_valid));
            assert (!pop || !leaf || skip || (push && !gap));
            // A chunk without items is full before its beat is used up.
            assert (!pop || leaf || (push && hollow ? next == 2'd0 : words == 2'd0));
            assert (!pop || !hollow || push);
            // A word as soon as it can be.
            assert (over || !free || !pos_valid || !item_valid || push || skip || (!leaf && !hollow));
            assert (over || !pos_valid || !item_valid || pop || push || !free);
        end

endmodule

`default_nettype wire
