// SPDX-License-Identifier: Apache-2.0
//
// Proof: a queue of four words. What it offers is the oldest word it took and has not given; it takes one
// unless it holds four, and offers one unless it holds none: none is lost, repeated or overtaken. So with a
// register for the oldest one's upper bit.
// case plain: SHOWN=0
// case shown: SHOWN=1
// probe head = dut.head
// probe tail = dut.tail
// probe inside = dut.count
// probe word_0 = dut.words[0]
// probe word_1 = dut.words[1]
// probe word_2 = dut.words[2]
// probe word_3 = dut.words[3]
// mutant samhw_queue: if (push)\n            words[tail] <= in_data;
//     => if (push && !pop)\n            words[tail] <= in_data;
// mutant samhw_queue: count  <= push ? count + ONE : count - ONE => count  <= push ? count + ONE : count
// mutant samhw_queue: filled <= push || count != ONE; => filled <= push || pop;
// mutant samhw_queue: tail <= tail + STEP; => tail <= tail + STEP + STEP;
// mutant of shown samhw_queue: if (pop || !filled) => if (pop)
// mutant of shown samhw_queue: wire [LOG2-1:0]  second = head + STEP; => wire [LOG2-1:0]  second = head;
`default_nettype none

module formal_queue #(
    parameter SHOWN = 0
) (
    input wire       clk,
    input wire       in_valid,
    input wire [1:0] in_data,
    input wire       out_ready,
    input wire [1:0] head,
    input wire [1:0] tail,
    input wire [2:0] inside,
    input wire [1:0] word_0,
    input wire [1:0] word_1,
    input wire [1:0] word_2,
    input wire [1:0] word_3
);

    reg started = 1'b0;
    always @(posedge clk)
        started <= 1'b1;
    wire rst = !started;

    wire       in_ready;
    wire       out_valid;
    wire [1:0] out_data;
    samhw_queue #(.W(2), .LOG2(2), .SHOWN(SHOWN)) dut (
        .clk(clk), .rst(rst),
        .in_valid(in_valid), .in_ready(in_ready), .in_data(in_data),
        .out_valid(out_valid), .out_ready(out_ready), .out_data(out_data)
    );
    wire push = started && in_valid && in_ready;
    wire pop  = started && out_valid && out_ready;

    // The words held, the oldest lowest.
    reg  [2:0] count = 3'd0;
    reg  [7:0] words = 8'd0;
    wire [7:0] left  = pop ? {2'd0, words[7:2]} : words;
    wire [2:0] rest  = count - {2'd0, pop};
    always @(posedge clk)
        if (started) begin
            count <= rest + {2'd0, push};
            words <= push ? left | ({6'd0, in_data} << {rest[1:0], 1'b0}) : left;
        end

    wire [7:0] inside_0 = {word_3, word_2, word_1, word_0};
    wire [7:0] in_order = (inside_0 >> {head, 1'b0}) | (inside_0 << (4'd8 - {1'b0, head, 1'b0}));
    wire [7:0] mask     = count[2] ? 8'hff : (8'd1 << {count[1:0], 1'b0}) - 8'd1;

    always @*
        if (started) begin
            assert (count <= 3'd4);
            assert (inside == count);
            assert (tail == head + count[1:0]);
            assert (in_ready == !count[2]);
            assert (out_valid == (count != 3'd0));
            assert (!out_valid || out_data == words[1:0]);
            assert (words == (words & mask));
            assert ((in_order & mask) == words);
        end

endmodule

`default_nettype wire
