// SPDX-License-Identifier: Apache-2.0
//
// samhw_scanner_bits whose fibers an early exit ends: of one that is decided the next word is the last.
//
//   Consumes    ref: stream of depth d; bits_rsp {word} and rank_rsp {rank}: what bits_req and rank_req asked for.
//               skip: hints {crd, over, fiber}, taken in every cycle; fibers are counted modulo 2**TAG_W, one for
//               each beat of ref. One that says over of the fiber at hand ends it. No other hint has an effect.
//   Produces    bits_req, rank_req {len, addr}: parts of a fiber; out {word, rank}: depth d+1, dim / WIDTH words
//               (rounded up) per leaf: bit b of word w is coordinate w*WIDTH + b, its position rank plus the
//               number of ones below. An EMPTY leaf gives an empty list.
//   Throughput  one word per cycle while the memories answer within 2**QUEUE_LOG2 - 2 cycles.
//   Latency     5 cycles with on-chip memories (samhw_mem_burst); with DEPTH one more and DEPTH.
//   Config      dim, stable while a run goes on.
//   Parameters  REF_IN_W, REF_W, CRD_W, STOP_W (at most REF_IN_W and WIDTH); ADDR_W of both memories; WIDTH bits of
//               a word, 2**WIDTH_LOG2; QUEUE_LOG2; DEPTH of samhw_mul for ADDR_W bits, 0 where 18 bits hold a
//               reference and the number of words; PART_LOG2, TAG_W as in samhw_exit_parts.
//   Reset       valid bits, queue pointers, counters, state.
`default_nettype none

module samhw_scanner_bits_exit #(
    parameter REF_IN_W   = 16,
    parameter ADDR_W     = 16,
    parameter REF_W      = 16,
    parameter CRD_W      = 16,
    parameter STOP_W     = 3,
    parameter WIDTH      = 64,
    parameter WIDTH_LOG2 = 6,
    parameter QUEUE_LOG2 = 3,
    parameter DEPTH      = 0,
    parameter PART_LOG2  = 0,
    parameter TAG_W      = 12
) (
    input  wire                            clk,
    input  wire                            rst,

    input  wire [CRD_W:0]                  dim,

    input  wire                            ref_valid,
    output wire                            ref_ready,
    input  wire [2+STOP_W+REF_IN_W-1:0]    ref_beat,

    output reg                             bits_req_valid,
    input  wire                            bits_req_ready,
    output wire [2*ADDR_W-1:0]             bits_req_beat,

    input  wire                            bits_rsp_valid,
    output wire                            bits_rsp_ready,
    input  wire [WIDTH-1:0]                bits_rsp_beat,

    output reg                             rank_req_valid,
    input  wire                            rank_req_ready,
    output wire [2*ADDR_W-1:0]             rank_req_beat,

    input  wire                            rank_rsp_valid,
    output wire                            rank_rsp_ready,
    input  wire [REF_W-1:0]                rank_rsp_beat,

    input  wire                            skip_valid,
    output wire                            skip_ready,
    input  wire [CRD_W+TAG_W:0]            skip_beat,

    output wire                            out_valid,
    input  wire                            out_ready,
    output wire [2+STOP_W+REF_W+WIDTH-1:0] out_beat
);
    generate
        if (REF_IN_W < 1 || ADDR_W < 1 || REF_W < 1 || CRD_W < 1 || STOP_W < 1 || QUEUE_LOG2 < 1
            || WIDTH_LOG2 < 1 || WIDTH != 1 << WIDTH_LOG2
            || STOP_W > REF_IN_W || STOP_W > WIDTH
            || (DEPTH != 0 && DEPTH != 2 && DEPTH != 3)
            || PART_LOG2 < 0 || PART_LOG2 >= ADDR_W || TAG_W < 1) begin : g_parameters
            samhw_parameter_out_of_range refused ();
        end
    endgenerate

    `include "samhw_kinds.vh"
    localparam [STOP_W-1:0] NO_STOP = 0;
    localparam [STOP_W-1:0] ONE_UP  = 1;
    localparam WIDE = CRD_W + 1 > WIDTH_LOG2 ? CRD_W + 2 : WIDTH_LOG2 + 2;
    localparam [WIDE-1:0]   UP      = WIDTH - 1;

    // Words of a fiber. dim is stable when a beat is taken, so this is right one cycle later.
    wire [WIDE-1:0]        size  = {{(WIDE-CRD_W-1){1'b0}}, dim} + UP;
    wire [ADDR_W+WIDE-1:0] words = {{ADDR_W{1'b0}}, size >> WIDTH_LOG2};
    reg  [ADDR_W-1:0]      count;
    reg                    some;
    always @(posedge clk) begin
        count <= words[ADDR_W-1:0];
        some  <= words[ADDR_W-1:0] != {ADDR_W{1'b0}};
    end

    wire                r_valid;
    wire                r_pop;
    wire [1:0]          r_kind;
    wire [STOP_W-1:0]   r_stop;
    wire [STOP_W-1:0]   r_own;
    wire [ADDR_W-1:0]   r_addr;
    samhw_scale #(
        .REF_IN_W(REF_IN_W), .REF_W(ADDR_W), .DIM_W(ADDR_W), .STOP_W(STOP_W), .SCALE(1), .PASS(DEPTH == 0),
        .DEPTH(DEPTH)
    ) u_ref (
        .clk(clk), .rst(rst), .dim(count),
        .ref_valid(ref_valid), .ref_ready(ref_ready), .ref_beat(ref_beat),
        .out_valid(r_valid), .out_ready(r_pop), .kind(r_kind), .stop(r_stop), .hole(r_own), .base(r_addr)
    );
    wire [STOP_W-1:0] r_hole = r_kind == NIL ? r_own : NO_STOP;

    // Both memories are asked for the same words.
    wire                b_free = !bits_req_valid || bits_req_ready;
    wire                k_free = !rank_req_valid || rank_req_ready;
    wire                ask;
    wire [2*ADDR_W-1:0] asked;
    reg  [2*ADDR_W-1:0] request;
    assign bits_req_beat = request;
    assign rank_req_beat = request;
    always @(posedge clk) begin
        if (ask)
            request <= asked;
        if (rst) begin
            bits_req_valid <= 1'b0;
            rank_req_valid <= 1'b0;
        end else begin
            bits_req_valid <= ask || (bits_req_valid && !bits_req_ready);
            rank_req_valid <= ask || (rank_req_valid && !rank_req_ready);
        end
    end

    wire             b_valid;
    wire             k_valid;
    wire             pop;
    wire [WIDTH-1:0] b_word;
    wire [REF_W-1:0] k_rank;
    samhw_skid #(.W(WIDTH), .PASS(1)) u_bits (
        .clk(clk), .rst(rst),
        .in_valid(bits_rsp_valid), .in_ready(bits_rsp_ready), .in_beat(bits_rsp_beat),
        .out_valid(b_valid), .out_ready(pop), .out_beat(b_word)
    );
    samhw_skid #(.W(REF_W), .PASS(1)) u_rank (
        .clk(clk), .rst(rst),
        .in_valid(rank_rsp_valid), .in_ready(rank_rsp_ready), .in_beat(rank_rsp_beat),
        .out_valid(k_valid), .out_ready(pop), .out_beat(k_rank)
    );

    wire [STOP_W-1:0] hole = r_kind == DONE ? NO_STOP : r_hole + ONE_UP;
    wire [ADDR_W-1:0] place;
    wire [1:0]        kind;
    wire [STOP_W-1:0] stop;
    wire [WIDTH-1:0]  word;
    wire [REF_W-1:0]  rank;
    assign skip_ready = 1'b1;
    samhw_exit_parts #(
        .REF_W(ADDR_W), .WORD_W(REF_W+WIDTH), .STOP_W(STOP_W), .QUEUE_LOG2(QUEUE_LOG2), .PART_LOG2(PART_LOG2),
        .TAG_W(TAG_W), .HINT_W(CRD_W)
    ) u_parts (
        .clk(clk), .rst(rst),
        .in_valid(r_valid), .in_ready(r_pop),
        .in_list(r_kind == DATA && some), .in_stop(r_kind == DONE ? NO_STOP : r_stop + ONE_UP), .in_hole(hole),
        .in_begin(r_addr), .in_len(count),
        .free(b_free && k_free), .ask(ask), .asked(asked),
        .word_valid(b_valid && k_valid), .word_ready(pop), .word({k_rank, b_word}),
        .skip_valid(skip_valid), .skip_beat(skip_beat),
        .out_valid(out_valid), .out_ready(out_ready), .out_beat({kind, stop, place, rank, word})
    );
    assign out_beat = {kind, stop, rank, word};

`ifdef SAMHW_ASSERT
    always @(posedge clk)
        if (!rst && r_valid && r_pop && r_kind != DONE && r_stop == {STOP_W{1'b1}}) begin
            $display("samhw_scanner_bits_exit: the stop does not fit");
            $stop;
        end
`endif

    wire _unused_ok = &{1'b0, words, place, 1'b0};

endmodule

`default_nettype wire
