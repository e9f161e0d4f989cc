// SPDX-License-Identifier: Apache-2.0
//
// Level writer below CHAIN dense levels: as samhw_level_writer, but the lists of height
// SEG_HEIGHT have positions, and seg has an entry for every position, with or without a list.
//
//   Consumes    crd: depth d; pos: depth d - SEG_HEIGHT, one leaf per list of that height of crd:
//               its position in the chunk, increasing. A chunk is one list of height CHAIN of
//               pos and takes `chunk` positions.
//   Produces    crd_write {data, addr}: the leaves in order; seg_write {data, addr}: seg[0] = 0,
//               then per position the number of leaves up to it, all chunks one after another
//               (SKIP 1: all that have a leaf of crd);
//               finished: one token per run, after its DONE and all its writes have left.
//   Status      as samhw_level_writer.
//   Throughput  one leaf and one position per cycle: entries of missing positions are written
//               while leaves of the list behind them are taken. A cycle of pause after DONE.
//   Latency     2 cycles.
//   Parameters  CRD_W payload bits; REF_IN_W bits of positions and of an address in seg, REF_W
//               of one in crd (capacities and chunk below 2**width); STOP_W; CHAIN >= 1; SEG_HEIGHT >= 1; SKIP.
//   Reset       valid bits and state. chunk must be stable from one cycle before the run.
//   Source      "The Sparse Abstract Machine", section 3.7.
`default_nettype none

module samhw_level_writer_at #(
    parameter CRD_W      = 16,
    parameter REF_IN_W   = 16,
    parameter REF_W      = 16,
    parameter STOP_W     = 3,
    parameter CHAIN      = 1,
    parameter SEG_HEIGHT = 1,
    parameter SKIP       = 0
) (
    input  wire                         clk,
    input  wire                         rst,

    input  wire [REF_IN_W-1:0]          seg_capacity,
    input  wire [REF_W-1:0]             crd_capacity,
    input  wire [REF_IN_W-1:0]          chunk,

    input  wire                         crd_valid,
    output wire                         crd_ready,
    input  wire [2+STOP_W+CRD_W-1:0]    crd_beat,

    input  wire                         pos_valid,
    output wire                         pos_ready,
    input  wire [2+STOP_W+REF_IN_W-1:0] pos_beat,

    output wire                         seg_write_valid,
    input  wire                         seg_write_ready,
    output wire [REF_W+REF_IN_W-1:0]    seg_write_beat,

    output wire                         crd_write_valid,
    input  wire                         crd_write_ready,
    output wire [CRD_W+REF_W-1:0]       crd_write_beat,

    output reg                          finished_valid,
    input  wire                         finished_ready,
    output wire                         finished_beat,

    output wire [REF_W-1:0]             count,
    output wire                         overflow
);
    generate
        if (CRD_W < 1 || REF_IN_W < 1 || REF_W < 1 || STOP_W < 1
            || STOP_W > CRD_W
            || SEG_HEIGHT < 1 || SEG_HEIGHT >= 1 << STOP_W
            || SKIP < 0 || SKIP > 1
            || CHAIN < 1 || CHAIN >= 1 << STOP_W) begin : g_parameters
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

    wire                p_valid;
    wire                p_pop;
    wire [1:0]          p_kind;
    wire [STOP_W-1:0]   p_stop;
    wire [REF_IN_W-1:0] p_pos;
    samhw_skid #(.W(2+STOP_W+REF_IN_W)) u_pos (
        .clk(clk), .rst(rst),
        .in_valid(pos_valid), .in_ready(pos_ready), .in_beat(pos_beat),
        .out_valid(p_valid), .out_ready(p_pop), .out_beat({p_kind, p_stop, p_pos})
    );

    wire leaf  = !c_kind[1];
    wire done  = c_kind == DONE;
    // What stands within its list needs no position yet.
    wire inner = !done && {{(32-STOP_W){1'b0}}, c_stop} < SEG_HEIGHT;
    reg  some;  // the list at hand has a leaf before this beat

    wire seg_free;
    wire crd_free;
    wire fin_free = !finished_valid || finished_ready;
    wire seg_push;
    wire gap;
    // While no beat of crd is there the run may not have begun.
    samhw_placer #(.POS_W(REF_IN_W), .STOP_W(STOP_W), .CHAIN(CHAIN), .SKIP(SKIP)) u_placer (
        .clk(clk), .rst(rst), .chunk(chunk),
        .pos_valid(p_valid && c_valid), .pos_kind(p_kind), .pos_stop(p_stop), .pos(p_pos),
        .item_valid(!inner && (!leaf || crd_free) && (!done || (seg_free && crd_free && fin_free))),
        .bare(!leaf && !some), .free(seg_free),
        .push(seg_push), .gap(gap), .pop(p_pop)
    );
    assign c_pop = inner ? !leaf || crd_free : p_pop;

    wire [REF_W-1:0] crd_next;
    // The head counted, if it is one, as next would; a head never stands beside start, which next waits for.
    wire [REF_W-1:0] leaves = (count + {{(REF_W-1){1'b0}}, leaf}) | {REF_W{&count}};
    wire             crd_overflow;
    samhw_append #(.ADDR_W(REF_W), .DATA_W(CRD_W), .LEAD(0)) u_crd_array (
        .clk(clk), .rst(rst), .capacity(crd_capacity),
        .start(start), .push(c_valid && c_pop && leaf), .data(c_crd), .free(crd_free),
        .next(crd_next), .count(count), .overflow(crd_overflow),
        .write_valid(crd_write_valid), .write_ready(crd_write_ready), .write_beat(crd_write_beat)
    );

    // Leaves up to the last list that ended: the entry of a missing position.
    reg  [REF_W-1:0]    closed;
    wire [REF_IN_W-1:0] lists;
    wire [REF_IN_W-1:0] seg_next;
    wire                seg_overflow;
    samhw_append #(.ADDR_W(REF_IN_W), .DATA_W(REF_W), .LEAD(1)) u_seg_array (
        .clk(clk), .rst(rst), .capacity(seg_capacity),
        .start(start), .push(seg_push), .data(gap ? closed : leaves), .free(seg_free),
        .next(seg_next), .count(lists), .overflow(seg_overflow),
        .write_valid(seg_write_valid), .write_ready(seg_write_ready), .write_beat(seg_write_beat)
    );

    wire finish = p_pop && done;
    assign overflow      = crd_overflow || seg_overflow;
    assign finished_beat = 1'b1;
    always @(posedge clk) begin
        if (start)
            closed <= {REF_W{1'b0}};
        else if (p_pop)
            closed <= leaves;
        if (rst || p_pop)
            some <= 1'b0;
        else if (c_valid && c_pop && leaf)
            some <= 1'b1;
        if (rst)
            finished_valid <= 1'b0;
        else if (finish || finished_ready)
            finished_valid <= finish;
    end

`ifdef SAMHW_ASSERT
    // Heights in integers, wide enough for their sums.
    wire [31:0] c_height = {{(32-STOP_W){1'b0}}, c_stop};
    wire [31:0] c_hole   = {{(32-STOP_W){1'b0}}, c_crd[STOP_W-1:0]};
    wire [31:0] p_height = {{(32-STOP_W){1'b0}}, p_stop};
    wire [31:0] p_hole   = {{(32-STOP_W){1'b0}}, p_pos[STOP_W-1:0]};
    wire aligned = p_kind == DONE ? done
                                  : !done && c_height == p_height + SEG_HEIGHT
                                    && (p_kind[1] ? !leaf && c_hole == p_hole + SEG_HEIGHT
                                        : leaf || c_hole <= SEG_HEIGHT);
    always @(posedge clk)
        if (!rst && p_pop && !aligned) begin
            $display("samhw_level_writer_at: crd and pos are not aligned");
            $stop;
        end
`endif

    wire _unused_ok = &{1'b0, lists, seg_next, crd_next, 1'b0};

endmodule

`default_nettype wire
