// SPDX-License-Identifier: Apache-2.0
//
// Last stages of a scanner whose fibers an early exit ends: bounds of fibers become their words with their
// positions, and of a fiber that is decided the next word is the last.
//
//   Consumes    in: lists with bounds begin..end, and what is not a list (see samhw_ref_skid); rsp {word}:
//               words that req asked for. skip: hints {crd, over, fiber}, in any cycle with skip_valid; fibers are
//               counted modulo 2**TAG_W, one for each item of in.
//   Produces    req {len, addr}: a part of a fiber, of up to 2**PART_LOG2 words; out {word, ref}: each word with its
//               position. A fiber of which a hint said over while it was at hand ends with the next word that
//               leaves; one more word of it is asked for, or none, and what was asked for beyond is dropped as it
//               comes. No other hint has an effect.
//   Throughput  one word per cycle, also from fiber to fiber; an empty fiber or no list takes one cycle.
//   Latency     from in_ready to out, 3 cycles without a list; with one, 3 more than the answer takes.
//   Boundary    req and out are registers; in_ready is combinational in req_ready.
//   Parameters  REF_W bits of positions, WORD_W of words, STOP_W (at most WORD_W), QUEUE_LOG2 (parts in flight),
//               PART_LOG2 (below REF_W); TAG_W bits of a fiber's number, HINT_W of a coordinate in the hints.
//   Reset       valid bits, queue pointers, counters, state; payloads are not reset.
`default_nettype none

module samhw_exit_reader #(
    parameter REF_W      = 16,
    parameter WORD_W     = 16,
    parameter STOP_W     = 3,
    parameter QUEUE_LOG2 = 3,
    parameter PART_LOG2  = 0,
    parameter TAG_W      = 12,
    parameter HINT_W     = 16
) (
    input  wire                          clk,
    input  wire                          rst,

    input  wire                          in_valid,
    output wire                          in_ready,
    input  wire                          in_list,
    input  wire [STOP_W-1:0]             in_stop,
    input  wire [STOP_W-1:0]             in_hole,
    input  wire [REF_W-1:0]              in_begin,
    input  wire [REF_W-1:0]              in_end,

    output reg                           req_valid,
    input  wire                          req_ready,
    output reg  [2*REF_W-1:0]            req_beat,

    input  wire                          rsp_valid,
    output wire                          rsp_ready,
    input  wire [WORD_W-1:0]             rsp_beat,

    input  wire                          skip_valid,
    input  wire [HINT_W+TAG_W:0]         skip_beat,

    output wire                          out_valid,
    input  wire                          out_ready,
    output wire [2+STOP_W+REF_W+WORD_W-1:0] out_beat
);
    generate
        if (REF_W < 1 || WORD_W < 1 || STOP_W < 1 || QUEUE_LOG2 < 1 || TAG_W < 1 || HINT_W < 1
            || STOP_W > WORD_W
            || PART_LOG2 < 0 || PART_LOG2 >= REF_W) begin : g_parameters
            samhw_parameter_out_of_range refused ();
        end
    endgenerate

    wire                free = !req_valid || req_ready;
    wire                ask;
    wire [2*REF_W-1:0]  asked;
    always @(posedge clk) begin
        if (ask)
            req_beat <= asked;
        if (rst)
            req_valid <= 1'b0;
        else if (free)
            req_valid <= ask;
    end

    wire              word_valid;
    wire              word_ready;
    wire [WORD_W-1:0] word;
    samhw_skid #(.W(WORD_W)) u_word (
        .clk(clk), .rst(rst),
        .in_valid(rsp_valid), .in_ready(rsp_ready), .in_beat(rsp_beat),
        .out_valid(word_valid), .out_ready(word_ready), .out_beat(word)
    );

    samhw_exit_parts #(
        .REF_W(REF_W), .WORD_W(WORD_W), .STOP_W(STOP_W), .QUEUE_LOG2(QUEUE_LOG2), .PART_LOG2(PART_LOG2), .TAG_W(TAG_W),
        .HINT_W(HINT_W)
    ) u_parts (
        .clk(clk), .rst(rst),
        .in_valid(in_valid), .in_ready(in_ready),
        .in_list(in_list && in_begin != in_end), .in_stop(in_stop), .in_hole(in_hole), .in_begin(in_begin),
        .in_len(in_end - in_begin),
        .free(free), .ask(ask), .asked(asked),
        .word_valid(word_valid), .word_ready(word_ready), .word(word),
        .skip_valid(skip_valid), .skip_beat(skip_beat),
        .out_valid(out_valid), .out_ready(out_ready), .out_beat(out_beat)
    );

`ifdef SAMHW_ASSERT
    always @(posedge clk)
        if (!rst && in_valid && in_ready && in_list && in_end < in_begin) begin
            $display("samhw_exit_reader: a fiber ends before it begins");
            $stop;
        end
`endif

endmodule

`default_nettype wire
