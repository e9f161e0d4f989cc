// SPDX-License-Identifier: Apache-2.0
//
// Locator of a bitvector level: the position of a coordinate is its word's rank and the number of ones below it.
//
//   Consumes    crd, parent: streams of one shape; bits_rsp {word}, rank_rsp {rank}: answers, in order.
//   Produces    bits_req, rank_req {addr}: one each per leaf with both; found: the shape of crd, EMPTY
//               where one is absent or the coordinate's bit is not set.
//   Throughput  one beat per cycle while the memories answer within 2**QUEUE_LOG2 - 3 cycles.
//   Latency     7 cycles with on-chip memories (samhw_mem_single), and DEPTH.
//   Config      words: of a fiber; stable while a run goes on.
//   Parameters  WIDTH bits of a word, 2**WIDTH_LOG2; CRD_W; REF_IN_W bits of parent; ADDR_W of an address;
//               REF_W of a position; STOP_W (at most all of them); QUEUE_LOG2; DEPTH of samhw_mul for ADDR_W bits.
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
    parameter QUEUE_LOG2 = 3,
    parameter DEPTH      = 0
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
    generate
        if (CRD_W < 1 || REF_IN_W < 1 || ADDR_W < 1 || REF_W < 1 || STOP_W < 1 || QUEUE_LOG2 < 1
            || WIDTH_LOG2 < 1 || WIDTH != 1 << WIDTH_LOG2
            || STOP_W > CRD_W || STOP_W > REF_IN_W || STOP_W > REF_W
            || (DEPTH != 0 && DEPTH != 2 && DEPTH != 3)) begin : g_parameters
            samhw_parameter_out_of_range refused ();
        end
    endgenerate

    `include "samhw_kinds.vh"
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

    // First word of the parent's fiber, and the coordinate's word in it: a register, behind those of the product.
    localparam STAGES = DEPTH + 1;
    localparam META   = 2 + 2*STOP_W + ADDR_W + WIDTH_LOG2;
    reg  [STAGES-1:0]           valids;
    reg  [STAGES*META-1:0]      metas;
    reg  [ADDR_W-1:0]           f_base;
    wire [STAGES:0]             valids_in = {valids, c_valid && p_valid};
    wire [STAGES*META+META-1:0] metas_in;
    wire                        f_valid = valids[STAGES-1];
    wire [1:0]                  f_kind;
    wire [STOP_W-1:0]           f_stop;
    wire [STOP_W-1:0]           f_hole;
    wire [WIDTH_LOG2-1:0]       f_bit;
    wire [ADDR_W-1:0]           f_word;
    assign {f_kind, f_stop, f_hole, f_word, f_bit} = metas[STAGES*META-1 -: META];

    wire [ADDR_W+REF_IN_W-1:0]  parent_wide = {{ADDR_W{1'b0}}, p_ref};
    wire [WIDE-1:0]             crd_wide    = {{(ADDR_W+WIDTH_LOG2){1'b0}}, c_crd};
    wire                        leaf        = !c_kind[1];
    wire [ADDR_W-1:0]           product;
    wire                        room;
    wire                        req_free = (!bits_req_valid || bits_req_ready) && (!rank_req_valid || rank_req_ready);
    wire                        fetch    = f_valid && room && req_free;
    wire                        load     = f_valid && f_kind == DATA;
    assign step = !f_valid || (room && req_free);
    samhw_mul #(.W(ADDR_W), .DEPTH(DEPTH)) u_mul (
        .clk(clk), .en(step), .a(parent_wide[ADDR_W-1:0]), .b(words), .p(product)
    );
    assign metas_in = {metas, leaf ? (c_kind[0] || p_kind[0] ? EMPTY : DATA) : c_kind, c_stop,
                       leaf ? {STOP_W{1'b0}} : c_crd[STOP_W-1:0], crd_wide[WIDTH_LOG2+ADDR_W-1:0]};
    always @(posedge clk) begin
        if (step) begin
            f_base <= product;
            metas  <= metas_in[STAGES*META-1:0];
        end
        if (rst)
            valids <= {STAGES{1'b0}};
        else if (step)
            valids <= valids_in[STAGES-1:0];
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
    // Kind and bit decide: a register of the queue.
    samhw_queue #(.W(2+WIDTH_LOG2+2*STOP_W), .LOG2(QUEUE_LOG2), .SHOWN(2+WIDTH_LOG2)) u_queue (
        .clk(clk), .rst(rst),
        .in_valid(fetch), .in_ready(room), .in_data({f_kind, f_bit, f_stop, f_hole}),
        .out_valid(q_valid), .out_ready(q_pop), .out_data({q_kind, q_bit, q_stop, q_hole})
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

    // Ones below the bit, counted in parts; the sum is taken behind a register.
    localparam PART_LOG2 = WIDTH_LOG2 < 3 ? WIDTH_LOG2 : 3;
    localparam PART      = 1 << PART_LOG2;
    localparam PARTS     = WIDTH / PART;
    localparam ONES_W    = PART_LOG2 + 1;
    // A comparison of each place with the bit's would be made of carry chains.
    wire [WIDTH-1:0]        below = b_word & ~({WIDTH{1'b1}} << q_bit);
    reg  [PARTS*ONES_W-1:0] ones;
    reg  [ONES_W-1:0]       count;
    integer                 a;
    integer                 b;
    always @* begin
        ones  = {(PARTS*ONES_W){1'b0}};
        count = {ONES_W{1'b0}};
        for (a = 0; a < PARTS; a = a + 1) begin
            count = {ONES_W{1'b0}};
            for (b = 0; b < PART; b = b + 1)
                count = count + {{PART_LOG2{1'b0}}, below[a*PART + b]};
            ones[a*ONES_W +: ONES_W] = count;
        end
    end

    reg  s_valid;
    wire asked = q_kind == DATA;
    wire hit   = b_word[q_bit];
    wire free  = !found_valid || found_ready;
    wire emit  = q_valid && (!asked || (b_valid && k_valid)) && (!s_valid || free);
    assign q_pop = emit;
    assign pop   = emit && asked;

    reg  [1:0]              s_kind;
    reg  [STOP_W-1:0]       s_stop;
    reg  [REF_W-1:0]        s_rank;  // or the hole
    reg  [PARTS*ONES_W-1:0] s_ones;
    always @(posedge clk) begin
        if (emit) begin
            s_kind <= asked && !hit ? EMPTY : q_kind;
            s_stop <= q_stop;
            s_rank <= asked ? k_rank & {REF_W{hit}} : {{(REF_W-STOP_W){1'b0}}, q_hole};
            s_ones <= ones & {(PARTS*ONES_W){asked && hit}};
        end
        if (rst)
            s_valid <= 1'b0;
        else if (emit || free)
            s_valid <= emit;
    end

    reg  [WIDTH_LOG2:0]       sum;
    integer                   c;
    wire [REF_W+WIDTH_LOG2:0] wide_sum = {{REF_W{1'b0}}, sum};
    always @* begin
        sum = {(WIDTH_LOG2+1){1'b0}};
        for (c = 0; c < PARTS; c = c + 1)
            sum = sum + {{(WIDTH_LOG2-PART_LOG2){1'b0}}, s_ones[c*ONES_W +: ONES_W]};
    end
    always @(posedge clk) begin
        if (free)
            found_beat <= {s_kind, s_stop, s_rank + wide_sum[REF_W-1:0]};
        if (rst)
            found_valid <= 1'b0;
        else if (free)
            found_valid <= s_valid;
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

    wire _unused_ok = &{1'b0, parent_beat[REF_IN_W +: STOP_W], p_kind[1], parent_wide, crd_wide, wide_sum,
                        valids_in[STAGES], metas_in[STAGES*META +: META], a, b, c, 1'b0};

endmodule

`default_nettype wire
