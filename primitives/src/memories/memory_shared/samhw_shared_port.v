// SPDX-License-Identifier: Apache-2.0
//
// A reader's port at a memory that it shares: cuts requests into words, and asks for a word only when there
// is room for its answer. So an answer is taken whenever it comes.
//
//   Consumes    req {addr}, with BURST {len, addr}, len >= 1; answer_valid and answer, an answer for each word that was
//               taken, in order.
//   Produces    word_valid and word_addr: a word that is asked for, until taken; word_late: its address in
//               the cycle after that. rsp {data}: the answers, in order.
//   Throughput  one word per cycle, if answers come 3 cycles after taken.
//   Room        a word leaves only if with it no more than 2**QUEUE_LOG2 are under way: asked for and not yet
//               taken at rsp.
//   Parameters  ADDR_W, W bits of an answer, BURST, QUEUE_LOG2.
//   Reset       valid bits and state.
`default_nettype none

module samhw_shared_port #(
    parameter ADDR_W     = 8,
    parameter W          = 16,
    parameter BURST      = 0,
    parameter QUEUE_LOG2 = 3
) (
    input  wire                              clk,
    input  wire                              rst,

    input  wire                              req_valid,
    output wire                              req_ready,
    input  wire [(BURST+1)*ADDR_W-1:0]       req_beat,

    output wire                              word_valid,
    output wire [ADDR_W-1:0]                 word_addr,
    output reg  [ADDR_W-1:0]                 word_late,
    input  wire                              taken,

    input  wire                              answer_valid,
    input  wire [W-1:0]                      answer,

    output wire                              rsp_valid,
    input  wire                              rsp_ready,
    output wire [W-1:0]                      rsp_beat
);
    generate
        if (ADDR_W < 1 || W < 1 || QUEUE_LOG2 < 1 || BURST < 0 || BURST > 1) begin : g_parameters
            samhw_parameter_out_of_range refused ();
        end
    endgenerate

    localparam                ROOM = 1 << QUEUE_LOG2;
    localparam [QUEUE_LOG2:0] ALL  = ROOM;
    localparam [QUEUE_LOG2:0] ONE  = 1;

    // The word that the requests ask for next.
    wire                 next_valid;
    wire [ADDR_W-1:0]    next_addr;

    // Answers for which there is room.
    reg  [QUEUE_LOG2:0]         room;
    reg                         any_room;

    wire word_ready;
    wire free = word_ready && any_room;
    wire load = next_valid && free;
    wire give = rsp_valid && rsp_ready;

    samhw_words #(.ADDR_W(ADDR_W), .BURST(BURST)) u_words (
        .clk(clk), .rst(rst),
        .req_valid(req_valid), .req_ready(req_ready), .req_beat(req_beat),
        .word_valid(next_valid), .word_addr(next_addr), .word_taken(free)
    );

    // Whose turn it is reaches no further than these registers.
    samhw_skid #(.W(ADDR_W)) u_word (
        .clk(clk), .rst(rst),
        .in_valid(next_valid && any_room), .in_ready(word_ready), .in_beat(next_addr),
        .out_valid(word_valid), .out_ready(taken), .out_beat(word_addr)
    );

    wire queue_ready;
    samhw_queue #(.W(W), .LOG2(QUEUE_LOG2)) u_queue (
        .clk(clk), .rst(rst),
        .in_valid(answer_valid), .in_ready(queue_ready), .in_data(answer),
        .out_valid(rsp_valid), .out_ready(rsp_ready), .out_data(rsp_beat)
    );
    wire _unused_ok = &{1'b0, queue_ready, 1'b0};

    always @(posedge clk) begin
        word_late <= word_addr;
        if (rst) begin
            room     <= ALL;
            any_room <= 1'b1;
        end else if (load != give) begin
            room     <= load ? room - ONE : room + ONE;
            any_room <= give || room != ONE;
        end
    end

endmodule

`default_nettype wire
