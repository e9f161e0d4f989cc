// SPDX-License-Identifier: Apache-2.0
//
// Stands for the walk over words in proofs of what has one: it holds no word but walks over the one it is
// offered. That the walk gives each word's bits, in order, is a proof of its own
// (reducer_vector/formal_word_walk.v). Demands that a word stays until it is taken, and comes with what is
// true of its groups.
`default_nettype none

module samhw_word_walk_stand_in #(
    parameter IDX_W = 5,
    parameter TAG_W = 1
) (
    input  wire                    clk,
    input  wire                    rst,

    input  wire                    in_valid,
    output wire                    in_ready,
    input  wire [(2**IDX_W)*3/2+3:0] in_word,
    input  wire [TAG_W-1:0]        in_tag,

    output wire                    out_valid,
    input  wire                    out_ready,
    output reg  [IDX_W-1:0]        out_index,
    output wire                    out_over,
    output wire [TAG_W-1:0]        out_tag
);

    localparam N      = 2**IDX_W;
    localparam GROUPS = N / 4;
    localparam [N-1:0] ONE = 1;

    // Of a word without any bit the index may be any, but stays.
    (* anyseq *) reg [IDX_W-1:0] next;
    reg [IDX_W-1:0] what;

    wire [N-1:0]      bits;
    wire [GROUPS-1:0] any;
    wire [GROUPS-1:0] many;
    wire [3:0]        halves;
    assign {halves, many, any, bits} = in_word;
    wire              none = any == {GROUPS{1'b0}};

    // The bits of the word that have left.
    reg  [N-1:0] past = {N{1'b0}};
    wire [N-1:0] left = bits & ~past;
    wire [N-1:0] rest = left & (left - ONE);
    assign out_valid = in_valid;
    assign out_over  = none || rest == {N{1'b0}};
    assign out_tag   = in_tag;
    assign in_ready  = out_ready && out_over;

    integer i;
    always @* begin
        out_index = what;
        for (i = N - 1; i >= 0; i = i - 1)
            if (!none && left[i])
                out_index = i[IDX_W-1:0];
    end

    reg                 waits = 1'b0;
    reg [N-1:0]         word;
    reg [TAG_W-1:0]     tag;
    reg                 blank;
    always @(posedge clk) begin
        if (!out_valid || out_ready)
            what <= next;
        past  <= rst || (out_valid && out_ready && out_over) ? {N{1'b0}}
                 : out_valid && out_ready ? past | (left & ~rest) : past;
        waits <= !rst && in_valid && !in_ready;
        word  <= bits;
        tag   <= in_tag;
        blank <= none;
    end

    reg  [7:0]        some;
    reg  [GROUPS-1:0] several;
    integer           g;
    always @* begin
        some = 8'd0;
        for (g = 0; g < GROUPS; g = g + 1) begin
            some[g]    = bits[4*g +: 4] != 4'd0;
            several[g] = (bits[4*g +: 4] & (bits[4*g +: 4] - 4'd1)) != 4'd0;
        end
    end
    always @*
        if (!rst && in_valid) begin
            assert (!waits || (none == blank && in_tag == tag && (none || bits == word)));
            assert (none || (any == some[GROUPS-1:0] && many == several));
            assert (none || halves == {(some[7:4] & (some[7:4] - 4'd1)) != 4'd0, some[7:4] != 4'd0,
                                       (some[3:0] & (some[3:0] - 4'd1)) != 4'd0, some[3:0] != 4'd0});
        end

endmodule

`default_nettype wire
