// SPDX-License-Identifier: Apache-2.0
//
// Level writer: a crd stream as the two arrays, seg and crd, of a compressed level.
//
//   Consumes    crd: depth d >= 1.
//   Produces    crd_write {data, addr}: the leaves in order; seg_write {data, addr}: seg[0] = 0,
//               then for each list of height SEG_HEIGHT the number of leaves so
//               far (SKIP 1: for each that has a leaf); finished: one token
//               per run, after its DONE and all its writes have left.
//   Status      count: leaves, also beyond crd_capacity; overflow: a word was beyond a capacity
//               and not written. Both hold until the next run's first beat arrives.
//   Throughput  one beat per cycle, and a cycle of pause after DONE; seg[0] leaves while the first beat is in
//               the skid buffer.
//   Latency     2 cycles.
//   Parameters  CRD_W payload bits; REF_IN_W bits of an address in seg, REF_W of one in crd
//               (capacities < 2**REF_IN_W and < 2**REF_W); STOP_W; SEG_HEIGHT >= 1;
//               SKIP.
//   Reset       valid bits and state.
//   Source      "The Sparse Abstract Machine", section 3.7.
`default_nettype none

module samhw_level_writer #(
    parameter CRD_W      = 16,
    parameter REF_IN_W   = 16,
    parameter REF_W      = 16,
    parameter STOP_W     = 3,
    parameter SEG_HEIGHT = 1,
    parameter SKIP       = 0
) (
    input  wire                      clk,
    input  wire                      rst,

    input  wire [REF_IN_W-1:0]       seg_capacity,
    input  wire [REF_W-1:0]          crd_capacity,

    input  wire                      crd_valid,
    output wire                      crd_ready,
    input  wire [2+STOP_W+CRD_W-1:0] crd_beat,

    output wire                      seg_write_valid,
    input  wire                      seg_write_ready,
    output wire [REF_W+REF_IN_W-1:0] seg_write_beat,

    output wire                      crd_write_valid,
    input  wire                      crd_write_ready,
    output wire [CRD_W+REF_W-1:0]    crd_write_beat,

    output reg                       finished_valid,
    input  wire                      finished_ready,
    output wire                      finished_beat,

    output wire [REF_W-1:0]          count,
    output wire                      overflow
);
    generate
        if (CRD_W < 1 || REF_IN_W < 1 || REF_W < 1 || STOP_W < 1
            || STOP_W > CRD_W
            || SEG_HEIGHT < 1 || SEG_HEIGHT >= 1 << STOP_W
            || SKIP < 0 || SKIP > 1) begin : g_parameters
            samhw_parameter_out_of_range refused ();
        end
    endgenerate

    `include "samhw_kinds.vh"

    wire              c_valid;
    wire              c_pop;
    wire [1:0]        c_kind;
    wire [STOP_W-1:0] c_stop;
    wire [CRD_W-1:0]  c_crd;
    wire              start;
    samhw_run_skid #(.W(2+STOP_W+CRD_W)) u_crd (
        .clk(clk), .rst(rst),
        .in_valid(crd_valid), .in_ready(crd_ready), .in_beat(crd_beat),
        .out_valid(c_valid), .out_ready(c_pop), .out_beat({c_kind, c_stop, c_crd}), .start(start)
    );

    wire leaf = !c_kind[1];
    wire done = c_kind == DONE;
    // A list ends; it has an entry.
    reg  some;  // it has a leaf before this beat
    wire high = {{(32-STOP_W){1'b0}}, c_crd[STOP_W-1:0]} > SEG_HEIGHT;  // of a NIL: it has no list
    wire ends = {{(32-STOP_W){1'b0}}, c_stop} >= SEG_HEIGHT && (leaf || (!done && !high));
    wire list = ends && (SKIP == 0 || leaf || some);

    wire seg_free;
    wire crd_free;
    wire fin_free = !finished_valid || finished_ready;
    assign c_pop = (!leaf || crd_free) && (!list || seg_free) && (!done || (seg_free && crd_free && fin_free));
    wire go = c_valid && c_pop;

    wire [REF_W-1:0] crd_next;
    wire [REF_W-1:0] leaves = leaf ? crd_next : count;  // the head counted
    wire             crd_overflow;
    samhw_append #(.ADDR_W(REF_W), .DATA_W(CRD_W), .LEAD(0)) u_crd_array (
        .clk(clk), .rst(rst), .capacity(crd_capacity),
        .start(start), .push(go && leaf), .data(c_crd), .free(crd_free),
        .next(crd_next), .count(count), .overflow(crd_overflow),
        .write_valid(crd_write_valid), .write_ready(crd_write_ready), .write_beat(crd_write_beat)
    );

    wire [REF_IN_W-1:0] lists;
    wire [REF_IN_W-1:0] seg_next;
    wire                seg_overflow;
    samhw_append #(.ADDR_W(REF_IN_W), .DATA_W(REF_W), .LEAD(1)) u_seg_array (
        .clk(clk), .rst(rst), .capacity(seg_capacity),
        .start(start), .push(go && list), .data(leaves), .free(seg_free),
        .next(seg_next), .count(lists), .overflow(seg_overflow),
        .write_valid(seg_write_valid), .write_ready(seg_write_ready), .write_beat(seg_write_beat)
    );

    assign overflow      = crd_overflow || seg_overflow;
    assign finished_beat = 1'b1;
    always @(posedge clk) begin
        if (rst)
            finished_valid <= 1'b0;
        else if ((go && done) || finished_ready)
            finished_valid <= go && done;
        if (rst)
            some <= 1'b0;
        else if (go)
            some <= !ends && (some || leaf);
    end

    wire _unused_ok = &{1'b0, lists, seg_next, 1'b0};

endmodule

`default_nettype wire
