// SPDX-License-Identifier: Apache-2.0
//
// Decides, word by word, how items with positions become an array without gaps: CHAIN dense
// levels make a chunk of `chunk` positions; each list of height CHAIN of `pos` fills one.
//
//   Consumes    pos: leaves are positions in their chunk, increasing; NIL CHAIN or lower in a
//               chunk is a chunk, or a part of one, without items; higher: no chunk.
//   bare        what goes with the leaf of pos has no leaf, as far as seen (only with SKIP).
//   item_valid  what goes with the beat of pos is there and can be taken.
//   free        a word can be taken from the placer.
//   push, gap   one word: of the item (gap 0), or of a position without item (gap 1).
//   pop         the beat of pos, and its item, are used up. DONE only after all gaps.
//   SKIP 1      of a chunk without a leaf nothing is written: its gaps wait for the first one.
//   Throughput  one word per cycle.
//   Latency     combinational in its inputs: it stands between skids and an output register.
//   Parameters  POS_W, STOP_W, CHAIN >= 1, SKIP.
//   Reset       state. chunk must be stable from one cycle before the first beat.
`default_nettype none

module samhw_placer #(
    parameter POS_W  = 16,
    parameter STOP_W = 3,
    parameter CHAIN  = 1,
    parameter SKIP   = 0
) (
    input  wire              clk,
    input  wire              rst,

    input  wire [POS_W-1:0]  chunk,

    input  wire              pos_valid,
    input  wire [1:0]        pos_kind,
    input  wire [STOP_W-1:0] pos_stop,
    input  wire [POS_W-1:0]  pos,
    input  wire              item_valid,
    input  wire              bare,
    input  wire              free,

    output wire              push,
    output wire              gap,
    output wire              pop
);
    generate
        if (POS_W < 1 || STOP_W < 1
            || STOP_W > POS_W
            || CHAIN < 1
            || SKIP < 0 || SKIP > 1) begin : g_parameters
            samhw_parameter_out_of_range refused ();
        end
    endgenerate

    `include "samhw_kinds.vh"
    localparam [POS_W-1:0] ZERO = 0;
    localparam [POS_W-1:0] ONE  = 1;

    reg  [POS_W-1:0] rel;         // next position of the chunk
    reg              full;        // the chunk is, but its lists are still open
    reg              closing;     // items are over, the rest of the chunk is missing
    // Whether rel is the chunk's last is compared a position ahead; chunk may still change while rel is 0.
    reg  [POS_W-1:0] chunk_near;  // chunk - 2
    reg              chunk_one;
    reg              chunk_none;
    reg              first;       // rel is 0
    reg              near;        // rel is chunk - 1, unless it is 0

    wire leaf = !pos_kind[1];
    wire done = pos_kind == DONE;
    wire ends = {{(32-STOP_W){1'b0}}, pos_stop} >= CHAIN;
    wire none = {{(32-STOP_W){1'b0}}, pos[STOP_W-1:0]} > CHAIN;  // of a NIL: it has no chunk
    wire last = first ? chunk_one : near;
    // Positions increase, so rel is at pos where it is not below. A difference takes a carry chain, where
    // equality takes tables.
    wire [POS_W:0] ahead = {1'b0, rel} - {1'b0, pos};
    wire here = !ahead[POS_W];
    // Nothing of the chunk is written yet, and it may have no leaf.
    wire idle = (SKIP != 0) && first && !full;
    wire skip = leaf && bare && idle;
    // A NIL that ends a chunk stays until the chunk is full.
    wire fill = !leaf && !done && ends && !none && !full && !chunk_none && !idle;

    wire item = pos_valid && item_valid && !closing;
    wire word = leaf ? ((pos_valid && !here) || item) && !skip : item && fill;

    assign gap  = closing || !leaf || !here;
    assign push = free && (closing || word);
    assign pop  = item && (leaf ? (here && free) || skip : !fill || (last && free));

    always @(posedge clk) begin
        chunk_near <= chunk + ~ONE;
        chunk_one  <= chunk == ONE;
        if (push)
            near <= rel == chunk_near;
        chunk_none <= chunk == ZERO;
        if (rst) begin
            rel     <= ZERO;
            first   <= 1'b1;
            full    <= 1'b0;
            closing <= 1'b0;
        end else begin
            if (push) begin
                first   <= last;
                rel     <= last ? ZERO : rel + ONE;
                closing <= !last && (closing || (pop && ends));
            end
            if (pop)
                full <= !ends && (full || (push && last));
        end
    end

    wire _unused_ok = &{1'b0, ahead, 1'b0};

`ifdef SAMHW_ASSERT
    always @(posedge clk)
        if (!rst && !closing && pos_valid
            && leaf && (pos_kind[0] || full || pos < rel || pos >= chunk)) begin
            $display("samhw_placer: positions must increase and lie in their chunk");
            $stop;
        end
`endif

endmodule

`default_nettype wire
