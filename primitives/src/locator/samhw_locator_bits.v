// SPDX-License-Identifier: Apache-2.0
//
// Locator of a bitvector level: the position of a coordinate is its word's rank and the number of ones below it.
//
//   Consumes    crd, parent: streams of one shape; bits_rsp {word}, rank_rsp {rank}: answers, in order.
//   Produces    bits_req, rank_req {addr}: one each per leaf with both; found: the shape of crd, EMPTY
//               where one is absent or the coordinate's bit is not set.
//   Throughput  one beat per cycle while the memories answer within 2**QUEUE_LOG2 - 3 cycles.
//   Latency     7 cycles with on-chip memories (samhw_mem_single).
//   Config      words: of a fiber; stable while a run goes on.
//   Parameters  WIDTH bits of a word, 2**WIDTH_LOG2; CRD_W; REF_IN_W bits of parent; ADDR_W of an address;
//               REF_W of a position; STOP_W (at most all of them); QUEUE_LOG2.
//   Reset       valid bits; payloads are not reset.
//   Source      "The Sparse Abstract Machine", section 4.2.
`default_nettype none

module samhw_locator_bits #(
    parameter WIDTH      = 64,
    parameter WIDTH_LOG2 = 6,
    parameter CRD_W      = 16,
    parameter REF_IN_W   = 16,
    parameter ADDR_W     = 16,
    parameter REF_W      = 16,
    parameter STOP_W     = 3,
    parameter QUEUE_LOG2 = 3
) (
    input  wire                         clk,
    input  wire                         rst,

    input  wire [ADDR_W-1:0]            words,

    input  wire                         crd_valid,
    output wire                         crd_ready,
    input  wire [2+STOP_W+CRD_W-1:0]    crd_beat,

    input  wire                         parent_valid,
    output wire                         parent_ready,
    input  wire [2+STOP_W+REF_IN_W-1:0] parent_beat,

    output reg                          bits_req_valid,
    input  wire                         bits_req_ready,
    output wire [ADDR_W-1:0]            bits_req_beat,

    input  wire                         bits_rsp_valid,
    output wire                         bits_rsp_ready,
    input  wire [WIDTH-1:0]             bits_rsp_beat,

    output reg                          rank_req_valid,
    input  wire                         rank_req_ready,
    output wire [ADDR_W-1:0]            rank_req_beat,

    input  wire                         rank_rsp_valid,
    output wire                         rank_rsp_ready,
    input  wire [REF_W-1:0]             rank_rsp_beat,

    output reg                          found_valid,
    input  wire                         found_ready,
    output reg  [2+STOP_W+REF_W-1:0]    found_beat
);

    localparam [1:0] DATA  = 2'd0;
    localparam [1:0] EMPTY = 2'd1;
    localparam [WIDTH-1:0] LOWEST = 1;
    localparam WIDE = ADDR_W + WIDTH_LOG2 + CRD_W;

    wire                c_valid;
    wire [1:0]          c_kind;
    wire [STOP_W-1:0]   c_stop;
    wire [CRD_W-1:0]    c_crd;
    wire                p_valid;
    wire [1:0]          p_kind;
    wire [REF_IN_W-1:0] p_ref;
    wire                step;
    samhw_skid #(.W(2+STOP_W+CRD_W)) u_crd (
        .clk(clk), .rst(rst),
        .in_valid(crd_valid), .in_ready(crd_ready), .in_beat(crd_beat),
        .out_valid(c_valid), .out_ready(step && p_valid), .out_beat({c_kind, c_stop, c_crd})
    );
    // The shape is that of crd.
    samhw_skid #(.W(2+REF_IN_W)) u_parent (
        .clk(clk), .rst(rst),
        .in_valid(parent_valid), .in_ready(parent_ready),
        .in_beat({parent_beat[REF_IN_W+STOP_W +: 2], parent_beat[REF_IN_W-1:0]}),
        .out_valid(p_valid), .out_ready(step && c_valid), .out_beat({p_kind, p_ref})
    );

    // First word of the parent's fiber, and the coordinate's word in it.
    reg                         f_valid;
    reg  [1:0]                  f_kind;
    reg  [STOP_W-1:0]           f_stop;
    reg  [STOP_W-1:0]           f_hole;
    reg  [WIDTH_LOG2-1:0]       f_bit;
    reg  [ADDR_W-1:0]           f_base;
    reg  [ADDR_W-1:0]           f_word;
    wire [ADDR_W+REF_IN_W-1:0]  parent_wide = {{ADDR_W{1'b0}}, p_ref};
    wire [WIDE-1:0]             crd_wide    = {{(ADDR_W+WIDTH_LOG2){1'b0}}, c_crd};
    wire                        leaf        = !c_kind[1];
    wire                        room;
    wire                        req_free = (!bits_req_valid || bits_req_ready) && (!rank_req_valid || rank_req_ready);
    wire                        fetch    = f_valid && room && req_free;
    wire                        load     = f_valid && f_kind == DATA;
    assign step = !f_valid || (room && req_free);
    always @(posedge clk) begin
        if (step) begin
            f_kind <= leaf ? (c_kind[0] || p_kind[0] ? EMPTY : DATA) : c_kind;
            f_stop <= c_stop;
            f_hole <= leaf ? {STOP_W{1'b0}} : c_crd[STOP_W-1:0];
            f_bit  <= crd_wide[WIDTH_LOG2-1:0];
            f_word <= crd_wide[WIDTH_LOG2 +: ADDR_W];
            f_base <= parent_wide[ADDR_W-1:0] * words;
        end
        if (rst)
            f_valid <= 1'b0;
        else if (step)
            f_valid <= c_valid && p_valid;
    end

    reg  [ADDR_W-1:0] addr;
    assign bits_req_beat = addr;
    assign rank_req_beat = addr;
    always @(posedge clk) begin
        if (fetch && load)
            addr <= f_base + f_word;
        if (rst) begin
            bits_req_valid <= 1'b0;
            rank_req_valid <= 1'b0;
        end else begin
            bits_req_valid <= (fetch && load) || (bits_req_valid && !bits_req_ready);
            rank_req_valid <= (fetch && load) || (rank_req_valid && !rank_req_ready);
        end
    end

    wire                  q_valid;
    wire                  q_pop;
    wire [1:0]            q_kind;
    wire [STOP_W-1:0]     q_stop;
    wire [STOP_W-1:0]     q_hole;
    wire [WIDTH_LOG2-1:0] q_bit;
    samhw_queue #(.W(2+2*STOP_W+WIDTH_LOG2), .LOG2(QUEUE_LOG2)) u_queue (
        .clk(clk), .rst(rst),
        .in_valid(fetch), .in_ready(room), .in_data({f_kind, f_stop, f_hole, f_bit}),
        .out_valid(q_valid), .out_ready(q_pop), .out_data({q_kind, q_stop, q_hole, q_bit})
    );

    wire             b_valid;
    wire             k_valid;
    wire             pop;
    wire [WIDTH-1:0] b_word;
    wire [REF_W-1:0] k_rank;
    samhw_skid #(.W(WIDTH)) u_bits (
        .clk(clk), .rst(rst),
        .in_valid(bits_rsp_valid), .in_ready(bits_rsp_ready), .in_beat(bits_rsp_beat),
        .out_valid(b_valid), .out_ready(pop), .out_beat(b_word)
    );
    samhw_skid #(.W(REF_W)) u_rank (
        .clk(clk), .rst(rst),
        .in_valid(rank_rsp_valid), .in_ready(rank_rsp_ready), .in_beat(rank_rsp_beat),
        .out_valid(k_valid), .out_ready(pop), .out_beat(k_rank)
    );

    wire [WIDTH-1:0] here  = LOWEST << q_bit;
    wire [WIDTH-1:0] below = b_word & (here - LOWEST);
    wire             hit   = (b_word & here) != {WIDTH{1'b0}};
    reg  [REF_W-1:0] pos;
    integer          a;
    always @* begin
        pos = k_rank;
        for (a = 0; a < WIDTH; a = a + 1)
            pos = pos + {{(REF_W-1){1'b0}}, below[a]};
    end

    wire asked = q_kind == DATA;
    wire emit  = q_valid && (!asked || (b_valid && k_valid)) && (!found_valid || found_ready);
    assign q_pop = emit;
    assign pop   = emit && asked;
    always @(posedge clk) begin
        if (emit)
            found_beat <= {asked && !hit ? EMPTY : q_kind, q_stop,
                           asked ? pos & {REF_W{hit}} : {{(REF_W-STOP_W){1'b0}}, q_hole}};
        if (rst)
            found_valid <= 1'b0;
        else if (emit || found_ready)
            found_valid <= emit;
    end

`ifdef SAMHW_ASSERT
    always @(posedge clk)
        if (!rst && step && c_valid && p_valid
            && (c_kind[1] != p_kind[1]
                || (c_kind[1] && (c_kind != p_kind || c_crd[STOP_W-1:0] != p_ref[STOP_W-1:0])))) begin
            $display("samhw_locator_bits: crd and parent are not aligned");
            $stop;
        end
`endif

    wire _unused_ok = &{1'b0, parent_beat[REF_IN_W +: STOP_W], p_kind[1], parent_wide, crd_wide, a, 1'b0};

endmodule

`default_nettype wire
