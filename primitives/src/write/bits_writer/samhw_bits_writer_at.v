// SPDX-License-Identifier: Apache-2.0
//
// Writer of a bitvector level below CHAIN dense levels: as samhw_bits_writer, with words for every position
// of the parents, with or without a fiber.
//
//   Consumes    crd: depth d; pos: depth d-1, one leaf per fiber of crd: its parent's position in the chunk,
//               increasing. A chunk is one list of height CHAIN of pos.
//   Produces    bits_write, rank_write {data, addr}: `words` words per position, `chunk` words a chunk (SKIP 1:
//               of all that have a leaf); finished.
//   Status      as samhw_bits_writer.
//   Throughput  a coordinate and a word per cycle.
//   Latency     4 cycles.
//   Parameters  as samhw_bits_writer; REF_IN_W bits of pos; CHAIN >= 1.
//   Reset       valid bits and state. words and chunk must be stable from one cycle before the run.
//   Source      "The Sparse Abstract Machine", sections 3.7 and 4.3.
`default_nettype none

module samhw_bits_writer_at #(
    parameter WIDTH      = 64,
    parameter WIDTH_LOG2 = 6,
    parameter CRD_W      = 16,
    parameter REF_IN_W   = 16,
    parameter ADDR_W     = 16,
    parameter REF_W      = 16,
    parameter STOP_W     = 3,
    parameter CHAIN      = 1,
    parameter SKIP       = 0
) (
    input  wire                         clk,
    input  wire                         rst,

    input  wire [ADDR_W-1:0]            capacity,
    input  wire [ADDR_W-1:0]            chunk,
    input  wire [ADDR_W-1:0]            words,

    input  wire                         crd_valid,
    output wire                         crd_ready,
    input  wire [2+STOP_W+CRD_W-1:0]    crd_beat,

    input  wire                         pos_valid,
    output wire                         pos_ready,
    input  wire [2+STOP_W+REF_IN_W-1:0] pos_beat,

    output wire                         bits_write_valid,
    input  wire                         bits_write_ready,
    output wire [WIDTH+ADDR_W-1:0]      bits_write_beat,

    output wire                         rank_write_valid,
    input  wire                         rank_write_ready,
    output wire [REF_W+ADDR_W-1:0]      rank_write_beat,

    output wire                         finished_valid,
    input  wire                         finished_ready,
    output wire                         finished_beat,

    output wire [ADDR_W-1:0]            count,
    output wire                         overflow
);
    generate
        if (CRD_W < 1 || ADDR_W < 1 || REF_W < 1 || STOP_W < 1
            || WIDTH_LOG2 < 1 || WIDTH != 1 << WIDTH_LOG2
            || STOP_W > ADDR_W
            || REF_IN_W < 1
            || CHAIN < 1 || CHAIN >= 1 << STOP_W
            || SKIP < 0 || SKIP > 1) begin : g_parameters
            samhw_parameter_out_of_range refused ();
        end
    endgenerate

    localparam [STOP_W-1:0] ONE = 1;

    wire                p_valid;
    wire [1:0]          p_kind;
    wire [STOP_W-1:0]   p_stop;
    wire [REF_IN_W-1:0] p_pos;
    wire                pop;

    // First word of the fiber at hand.
    reg                 b_valid;
    reg  [ADDR_W-1:0]   b_base;
    reg                 b_none;
    reg  [STOP_W-1:0]   b_stop;
    wire                load = !b_valid || pop;
    samhw_skid #(.W(2+STOP_W+REF_IN_W)) u_pos (
        .clk(clk), .rst(rst),
        .in_valid(pos_valid), .in_ready(pos_ready), .in_beat(pos_beat),
        .out_valid(p_valid), .out_ready(load), .out_beat({p_kind, p_stop, p_pos})
    );
    wire [ADDR_W+REF_IN_W-1:0] wide_pos = {{ADDR_W{1'b0}}, p_pos};
    always @(posedge clk) begin
        if (load) begin
            b_base <= wide_pos[ADDR_W-1:0] * words;
            b_none <= p_kind[1];
            b_stop <= p_stop;
        end
        if (rst)
            b_valid <= 1'b0;
        else if (load)
            b_valid <= p_valid;
    end

    wire              fiber;
    wire              done;
    wire [STOP_W-1:0] stop;
    samhw_bits_pack #(
        .WIDTH(WIDTH), .WIDTH_LOG2(WIDTH_LOG2), .CRD_W(CRD_W), .ADDR_W(ADDR_W), .REF_W(REF_W), .STOP_W(STOP_W),
        .CHAIN(CHAIN), .SKIP(SKIP)
    ) u_pack (
        .clk(clk), .rst(rst), .capacity(capacity), .chunk(chunk),
        .crd_valid(crd_valid), .crd_ready(crd_ready), .crd_beat(crd_beat),
        .base_valid(b_valid), .base_pop(pop), .base(b_base),
        .fiber(fiber), .done(done), .stop(stop),
        .bits_write_valid(bits_write_valid), .bits_write_ready(bits_write_ready), .bits_write_beat(bits_write_beat),
        .rank_write_valid(rank_write_valid), .rank_write_ready(rank_write_ready), .rank_write_beat(rank_write_beat),
        .finished_valid(finished_valid), .finished_ready(finished_ready), .finished_beat(finished_beat),
        .count(count), .overflow(overflow)
    );

`ifdef SAMHW_ASSERT
    always @(posedge clk)
        if (!rst && pop && (b_none == fiber || (!done && b_stop + ONE != stop))) begin
            $display("samhw_bits_writer_at: crd and pos are not aligned");
            $stop;
        end
`endif

    wire _unused_ok = &{1'b0, wide_pos, p_kind[0], fiber, done, stop, b_none, b_stop, ONE, 1'b0};

endmodule

`default_nettype wire
