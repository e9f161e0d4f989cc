// SPDX-License-Identifier: Apache-2.0
//
// Proof: a queue of three words and an output register. What it offers is the oldest beat it took and has not
// given; it takes one unless its memory is full, and offers the next one cycle after the memory has it: none
// is lost, repeated or overtaken.
// probe head = dut.head
// probe tail = dut.tail
// probe full = dut.full
// probe empty = dut.empty
// probe word_0 = dut.g_small.mem[0]
// probe word_1 = dut.g_small.mem[1]
// probe word_2 = dut.g_small.mem[2]
// mutant samhw_fifo: full  <= push && next_tail == head; => full  <= 1'b0;
// mutant samhw_fifo: empty <= pop && next_head == tail; => empty <= pop;
// mutant samhw_fifo: head == LAST ? {A{1'b0}} : head + ONE; => head + ONE;
// mutant samhw_fifo: wire         pop  = !empty && (!out_valid || out_ready); => wire         pop  = !empty;
`default_nettype none

module formal_fifo (
    input wire       clk,
    input wire       in_valid,
    input wire [1:0] in_beat,
    input wire       out_ready,
    input wire [1:0] head,
    input wire [1:0] tail,
    input wire       full,
    input wire       empty,
    input wire [1:0] word_0,
    input wire [1:0] word_1,
    input wire [1:0] word_2
);

    reg started = 1'b0;
    always @(posedge clk)
        started <= 1'b1;
    wire rst = !started;

    wire       in_ready;
    wire       out_valid;
    wire [1:0] out_beat;
    samhw_fifo #(.W(2), .DEPTH(3)) dut (
        .clk(clk), .rst(rst),
        .in_valid(in_valid), .in_ready(in_ready), .in_beat(in_beat),
        .out_valid(out_valid), .out_ready(out_ready), .out_beat(out_beat)
    );
    wire push = started && in_valid && in_ready;

    // The beats in memory, the oldest lowest, and the one offered.
    reg  [1:0] count  = 2'd0;
    reg  [5:0] beats  = 6'd0;
    reg        offers = 1'b0;
    reg  [1:0] offered;
    wire       load = count != 2'd0 && (!offers || out_ready);
    wire [5:0] left = load ? {2'd0, beats[5:2]} : beats;
    wire [1:0] rest = count - {1'b0, load};
    always @(posedge clk)
        if (started) begin
            count  <= rest + {1'b0, push};
            beats  <= push ? left | ({4'd0, in_beat} << {rest, 1'b0}) : left;
            offers <= load || (offers && !out_ready);
            if (load)
                offered <= beats[1:0];
        end

    wire [5:0] in_order = head == 2'd0 ? {word_2, word_1, word_0}
                        : head == 2'd1 ? {word_0, word_2, word_1} : {word_1, word_0, word_2};
    wire [2:0] place    = {1'b0, head} + {1'b0, count};

    always @*
        if (started) begin
            assert (full == (count == 2'd3) && empty == (count == 2'd0));
            assert (head != 2'd3 && {1'b0, tail} == (place >= 3'd3 ? place - 3'd3 : place));
            assert (in_ready == (count != 2'd3));
            assert (count == 2'd0 ? beats == 6'd0 : in_order[1:0] == beats[1:0]);
            assert (count < 2'd2 ? beats[3:2] == 2'd0 : in_order[3:2] == beats[3:2]);
            assert (count < 2'd3 ? beats[5:4] == 2'd0 : in_order[5:4] == beats[5:4]);
            assert (out_valid == offers);
            assert (!offers || out_beat == offered);
        end

endmodule

`default_nettype wire
