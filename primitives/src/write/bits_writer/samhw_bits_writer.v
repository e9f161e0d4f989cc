// SPDX-License-Identifier: Apache-2.0
//
// Writer of a bitvector level: packs the coordinates of each fiber into words and stores those, with the
// number of leaves before each word that has any (its rank).
//
//   Consumes    crd: depth d.
//   Produces    bits_write {data, addr}: `chunk` words per fiber, bit b of word w is coordinate w*WIDTH + b,
//               zeros where there is no coordinate (SKIP 1: none for a fiber without leaves);
//               rank_write {data, addr}: of each word, 0 for zeros.
//               finished: one token per run, after its DONE and all its writes have left.
//   Status      count: words, also beyond capacity (then overflow = 1 and they are not
//               written). Both hold until the next run's first beat arrives.
//   Throughput  a coordinate and a word per cycle; words of zeros are written while coordinates of
//               the next word are taken.
//   Latency     4 cycles.
//   Parameters  WIDTH bits of a word, 2**WIDTH_LOG2; CRD_W; ADDR_W bits of an address of a word (capacity
//               and chunk below 2**ADDR_W); REF_W bits of a rank; STOP_W (at most ADDR_W); SKIP.
//   Reset       valid bits and state. chunk must be stable from one cycle before the run.
//   Source      "The Sparse Abstract Machine", sections 3.7 and 4.3.
`default_nettype none

module samhw_bits_writer #(
    parameter WIDTH      = 64,
    parameter WIDTH_LOG2 = 6,
    parameter CRD_W      = 16,
    parameter ADDR_W     = 16,
    parameter REF_W      = 16,
    parameter STOP_W     = 3,
    parameter SKIP       = 0
) (
    input  wire                         clk,
    input  wire                         rst,

    input  wire [ADDR_W-1:0]            capacity,
    input  wire [ADDR_W-1:0]            chunk,

    input  wire                         crd_valid,
    output wire                         crd_ready,
    input  wire [2+STOP_W+CRD_W-1:0]    crd_beat,

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
            || SKIP < 0 || SKIP > 1) begin : g_parameters
            samhw_parameter_out_of_range refused ();
        end
    endgenerate

    wire              pop;
    wire              fiber;
    wire              done;
    wire [STOP_W-1:0] stop;
    samhw_bits_pack #(
        .WIDTH(WIDTH), .WIDTH_LOG2(WIDTH_LOG2), .CRD_W(CRD_W), .ADDR_W(ADDR_W), .REF_W(REF_W), .STOP_W(STOP_W),
        .CHAIN(0), .SKIP(SKIP)
    ) u_pack (
        .clk(clk), .rst(rst), .capacity(capacity), .chunk(chunk),
        .crd_valid(crd_valid), .crd_ready(crd_ready), .crd_beat(crd_beat),
        .base_valid(1'b1), .base_pop(pop), .base({ADDR_W{1'b0}}),
        .fiber(fiber), .done(done), .stop(stop),
        .bits_write_valid(bits_write_valid), .bits_write_ready(bits_write_ready), .bits_write_beat(bits_write_beat),
        .rank_write_valid(rank_write_valid), .rank_write_ready(rank_write_ready), .rank_write_beat(rank_write_beat),
        .finished_valid(finished_valid), .finished_ready(finished_ready), .finished_beat(finished_beat),
        .count(count), .overflow(overflow)
    );

    wire _unused_ok = &{1'b0, pop, fiber, done, stop, 1'b0};

endmodule

`default_nettype wire
