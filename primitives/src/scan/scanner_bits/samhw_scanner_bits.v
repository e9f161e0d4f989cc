// SPDX-License-Identifier: Apache-2.0
//
// Level scanner of a bitvector level: each reference becomes the words of its fiber.
//
//   Consumes    ref: stream of depth d; bits_rsp {word} and rank_rsp {rank}: what bits_req and
//               rank_req asked for.
//   Produces    bits_req, rank_req {len, addr}: the words of a fiber; out {word, rank}: depth d+1, dim / WIDTH
//               words (rounded up) per leaf: bit b of word w is coordinate w*WIDTH + b, its position
//               rank plus the number of ones below. An EMPTY leaf has words of zeros.
//   Throughput  one word per cycle while the memories answer within 2**QUEUE_LOG2 - 2 cycles.
//   Latency     4 cycles with on-chip memories (samhw_mem_burst); with DEPTH one more and DEPTH.
//   Config      dim, stable while a run goes on.
//   Parameters  REF_IN_W, REF_W, CRD_W, STOP_W (at most REF_IN_W and WIDTH); ADDR_W of both memories;
//               WIDTH bits of a word, 2**WIDTH_LOG2; QUEUE_LOG2; DEPTH of samhw_mul for ADDR_W bits, 0 where
//               18 bits hold a reference and the number of words.
//   Reset       valid bits, queue pointers, place in the fiber.
`default_nettype none

module samhw_scanner_bits #(
    parameter REF_IN_W   = 16,
    parameter ADDR_W     = 16,
    parameter REF_W      = 16,
    parameter CRD_W      = 16,
    parameter STOP_W     = 3,
    parameter WIDTH      = 64,
    parameter WIDTH_LOG2 = 6,
    parameter QUEUE_LOG2 = 3,
    parameter DEPTH      = 0
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

    output reg                             out_valid,
    input  wire                            out_ready,
    output reg  [2+STOP_W+REF_W+WIDTH-1:0] out_beat
);
    generate
        if (REF_IN_W < 1 || ADDR_W < 1 || REF_W < 1 || CRD_W < 1 || STOP_W < 1 || QUEUE_LOG2 < 1
            || WIDTH_LOG2 < 1 || WIDTH != 1 << WIDTH_LOG2
            || STOP_W > REF_IN_W || STOP_W > WIDTH
            || (DEPTH != 0 && DEPTH != 2 && DEPTH != 3)) begin : g_parameters
            samhw_parameter_out_of_range refused ();
        end
    endgenerate

    `include "samhw_kinds.vh"
    localparam [STOP_W-1:0] NO_STOP = 0;
    localparam [STOP_W-1:0] ONE_UP  = 1;
    localparam [ADDR_W-1:0] NEXT    = 1;
    localparam WIDE = CRD_W + 1 > WIDTH_LOG2 ? CRD_W + 2 : WIDTH_LOG2 + 2;
    localparam [WIDE-1:0]   UP      = WIDTH - 1;

    // Words of a fiber. dim is stable when a beat is taken, so this is right one cycle later.
    wire [WIDE-1:0]        size  = {{(WIDE-CRD_W-1){1'b0}}, dim} + UP;
    wire [ADDR_W+WIDE-1:0] words = {{ADDR_W{1'b0}}, size >> WIDTH_LOG2};
    reg  [ADDR_W-1:0]      count;
    reg  [ADDR_W-1:0]      final_place;
    reg                    some;
    always @(posedge clk) begin
        count       <= words[ADDR_W-1:0];
        final_place <= words[ADDR_W-1:0] - NEXT;
        some        <= words[ADDR_W-1:0] != {ADDR_W{1'b0}};
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

    wire              room;
    wire              r_list = (r_kind == DATA || r_kind == EMPTY) && some;
    wire              r_data = r_kind == DATA && some;
    wire [STOP_W-1:0] r_hole = r_kind == NIL ? r_own : NO_STOP;
    wire [STOP_W-1:0] n_stop = r_kind == DONE ? NO_STOP : r_stop + ONE_UP;
    wire [STOP_W-1:0] n_hole = r_kind == DONE ? NO_STOP : r_hole + ONE_UP;
    wire              b_free = !bits_req_valid || bits_req_ready;
    wire              k_free = !rank_req_valid || rank_req_ready;
    assign r_pop = room && b_free && k_free;
    wire              fetch  = r_valid && r_pop;

    reg  [ADDR_W-1:0] addr;
    assign bits_req_beat = {count, addr};
    assign rank_req_beat = {count, addr};
    always @(posedge clk) begin
        if (fetch)
            addr <= r_data ? r_addr : addr;
        if (rst) begin
            bits_req_valid <= 1'b0;
            rank_req_valid <= 1'b0;
        end else begin
            bits_req_valid <= (fetch && r_data) || (bits_req_valid && !bits_req_ready);
            rank_req_valid <= (fetch && r_data) || (rank_req_valid && !rank_req_ready);
        end
    end

    wire              q_valid;
    wire              q_pop;
    wire              q_list;
    wire              q_data;
    wire [STOP_W-1:0] q_stop;
    wire [STOP_W-1:0] q_hole;
    samhw_queue #(.W(2+2*STOP_W), .LOG2(QUEUE_LOG2)) u_fibers (
        .clk(clk), .rst(rst),
        .in_valid(fetch), .in_ready(room), .in_data({r_list, r_data, n_stop, n_hole}),
        .out_valid(q_valid), .out_ready(q_pop), .out_data({q_list, q_data, q_stop, q_hole})
    );

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

    reg  [ADDR_W-1:0] place;
    wire              last = !q_list || place == final_place;
    wire              emit = q_valid && (!q_data || (b_valid && k_valid)) && (!out_valid || out_ready);
    assign pop   = emit && q_data;
    assign q_pop = emit && last;

    always @(posedge clk) begin
        if (emit)
            out_beat <= {!q_list, !q_list && q_stop == NO_STOP, last ? q_stop : NO_STOP,
                         q_data ? k_rank : {REF_W{1'b0}},
                         q_list ? (q_data ? b_word : {WIDTH{1'b0}}) : {{(WIDTH-STOP_W){1'b0}}, q_hole}};
        if (rst) begin
            out_valid <= 1'b0;
            place     <= {ADDR_W{1'b0}};
        end else begin
            if (emit || out_ready)
                out_valid <= emit;
            if (emit)
                place <= last ? {ADDR_W{1'b0}} : place + NEXT;
        end
    end

`ifdef SAMHW_ASSERT
    always @(posedge clk)
        if (!rst && fetch && r_kind != DONE && r_stop == {STOP_W{1'b1}}) begin
            $display("samhw_scanner_bits: the stop does not fit");
            $stop;
        end
`endif

    wire _unused_ok = &{1'b0, words, 1'b0};

endmodule

`default_nettype wire
