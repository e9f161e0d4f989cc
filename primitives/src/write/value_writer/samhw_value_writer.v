// SPDX-License-Identifier: Apache-2.0
//
// Value writer: the leaves of a stream, in order, as an array.
//
//   Consumes    val: any depth; an EMPTY leaf is stored as `fill`, NIL writes nothing.
//   Produces    write {data, addr}: addr 0, 1, 2 .. of each run; finished: one token per run,
//               after its DONE and all its writes have left.
//   Status      count: leaves, also beyond capacity (then overflow = 1 and they are not
//               written). Both hold until the next run's first beat arrives.
//   Throughput  one beat per cycle.
//   Latency     1 cycle.
//   Parameters  VAL_W payload bits, ADDR_W address bits (capacity < 2**ADDR_W), STOP_W.
//   Reset       valid bits and state.
//   Source      "The Sparse Abstract Machine", section 3.7.
`default_nettype none

module samhw_value_writer #(
    parameter VAL_W  = 16,
    parameter ADDR_W = 16,
    parameter STOP_W = 3
) (
    input  wire                      clk,
    input  wire                      rst,

    input  wire [ADDR_W-1:0]         capacity,
    input  wire [VAL_W-1:0]          fill,

    input  wire                      val_valid,
    output wire                      val_ready,
    input  wire [2+STOP_W+VAL_W-1:0] val_beat,

    output wire                      write_valid,
    input  wire                      write_ready,
    output wire [VAL_W+ADDR_W-1:0]   write_beat,

    output reg                       finished_valid,
    input  wire                      finished_ready,
    output wire                      finished_beat,

    output wire [ADDR_W-1:0]         count,
    output wire                      overflow
);
    generate
        if (VAL_W < 1 || ADDR_W < 1 || STOP_W < 1 || STOP_W > VAL_W) begin : g_parameters
            samhw_parameter_out_of_range refused ();
        end
    endgenerate

    `include "samhw_kinds.vh"

    wire             v_valid;
    wire             v_pop;
    wire [1:0]       v_kind;
    wire [VAL_W-1:0] v_val;
    wire             start;
    samhw_run_skid #(.W(2+VAL_W), .PASS(1)) u_val (
        .clk(clk), .rst(rst),
        .in_valid(val_valid), .in_ready(val_ready),
        .in_beat({val_beat[VAL_W+STOP_W +: 2], val_beat[VAL_W-1:0]}),
        .out_valid(v_valid), .out_ready(v_pop), .out_beat({v_kind, v_val}), .start(start)
    );

    wire             leaf = !v_kind[1];
    wire             done = v_kind == DONE;
    wire             free;
    wire             finish = v_valid && done && free && (!finished_valid || finished_ready);
    wire             push   = v_valid && leaf && free;

    assign v_pop         = done ? finish : (!leaf || free);
    assign finished_beat = 1'b1;

    wire [ADDR_W-1:0] next;
    samhw_append #(.ADDR_W(ADDR_W), .DATA_W(VAL_W), .LEAD(0)) u_array (
        .clk(clk), .rst(rst), .capacity(capacity),
        .start(start), .push(push), .data(v_kind[0] ? fill : v_val), .free(free),
        .next(next), .count(count), .overflow(overflow),
        .write_valid(write_valid), .write_ready(write_ready), .write_beat(write_beat)
    );

    always @(posedge clk)
        if (rst)
            finished_valid <= 1'b0;
        else if (finish || finished_ready)
            finished_valid <= finish;

    wire _unused_ok = &{1'b0, val_beat[VAL_W +: STOP_W], next, 1'b0};

endmodule

`default_nettype wire
