// SPDX-License-Identifier: Apache-2.0
//
// Value writer with positions: a dense result, CHAIN dense levels deep; positions without a
// value get `fill`.
//
//   Consumes    val and pos, aligned leaf by leaf; pos: the position in the chunk, increasing.
//               A chunk is one list of height CHAIN and takes `chunk` words.
//   Produces    write {data, addr}: every word of every chunk once, addresses increasing (SKIP 1:
//               of every chunk that has a leaf; the others take no words);
//               finished: one token per run, after its DONE and all its writes have left.
//   Status      count: words, also beyond capacity (then overflow = 1 and they are not
//               written). Both hold until the next run's first beat arrives.
//   Throughput  one word per cycle; a beat that causes no word takes a cycle; a cycle of pause after DONE.
//   Latency     2 cycles.
//   Parameters  VAL_W payload bits, ADDR_W bits of positions and addresses (capacity and chunk
//               < 2**ADDR_W), STOP_W, CHAIN >= 1, SKIP.
//   Reset       valid bits and state. chunk must be stable from one cycle before the run.
//   Source      "The Sparse Abstract Machine", section 3.7.
`default_nettype none

module samhw_value_writer_at #(
    parameter VAL_W  = 16,
    parameter ADDR_W = 16,
    parameter STOP_W = 3,
    parameter CHAIN  = 1,
    parameter SKIP   = 0
) (
    input  wire                       clk,
    input  wire                       rst,

    input  wire [ADDR_W-1:0]          capacity,
    input  wire [VAL_W-1:0]           fill,
    input  wire [ADDR_W-1:0]          chunk,

    input  wire                       val_valid,
    output wire                       val_ready,
    input  wire [2+STOP_W+VAL_W-1:0]  val_beat,

    input  wire                       pos_valid,
    output wire                       pos_ready,
    input  wire [2+STOP_W+ADDR_W-1:0] pos_beat,

    output wire                       write_valid,
    input  wire                       write_ready,
    output wire [VAL_W+ADDR_W-1:0]    write_beat,

    output reg                        finished_valid,
    input  wire                       finished_ready,
    output wire                       finished_beat,

    output wire [ADDR_W-1:0]          count,
    output wire                       overflow
);
    generate
        if (VAL_W < 1 || ADDR_W < 1 || STOP_W < 1
            || STOP_W > VAL_W || STOP_W > ADDR_W
            || CHAIN < 1 || CHAIN >= 1 << STOP_W
            || SKIP < 0 || SKIP > 1) begin : g_parameters
            samhw_parameter_out_of_range refused ();
        end
    endgenerate

    `include "samhw_kinds.vh"

    wire              v_valid;
    wire [1:0]        v_kind;
    wire [VAL_W-1:0]  v_val;
    wire              pop;
    wire              start;
    samhw_run_skid #(.W(2+VAL_W)) u_val (
        .clk(clk), .rst(rst),
        .in_valid(val_valid), .in_ready(val_ready),
        .in_beat({val_beat[VAL_W+STOP_W +: 2], val_beat[VAL_W-1:0]}),
        .out_valid(v_valid), .out_ready(pop), .out_beat({v_kind, v_val}), .start(start)
    );

    wire              p_valid;
    wire [1:0]        p_kind;
    wire [STOP_W-1:0] p_stop;
    wire [ADDR_W-1:0] p_pos;
    samhw_skid #(.W(2+STOP_W+ADDR_W)) u_pos (
        .clk(clk), .rst(rst),
        .in_valid(pos_valid), .in_ready(pos_ready), .in_beat(pos_beat),
        .out_valid(p_valid), .out_ready(pop), .out_beat({p_kind, p_stop, p_pos})
    );

    wire both = v_valid && p_valid;
    wire done = p_kind == DONE;
    wire free;
    wire push;
    wire gap;
    wire rest = free && (!finished_valid || finished_ready);
    samhw_placer #(.POS_W(ADDR_W), .STOP_W(STOP_W), .CHAIN(CHAIN), .SKIP(SKIP)) u_placer (
        .clk(clk), .rst(rst), .chunk(chunk),
        .pos_valid(both), .pos_kind(p_kind), .pos_stop(p_stop), .pos(p_pos),
        .item_valid(!done || rest), .bare(1'b0), .free(free),
        .push(push), .gap(gap), .pop(pop)
    );

    wire [ADDR_W-1:0] next;
    samhw_append #(.ADDR_W(ADDR_W), .DATA_W(VAL_W), .LEAD(0)) u_array (
        .clk(clk), .rst(rst), .capacity(capacity),
        .start(start), .push(push), .data(gap || v_kind[0] ? fill : v_val), .free(free),
        .next(next), .count(count), .overflow(overflow),
        .write_valid(write_valid), .write_ready(write_ready), .write_beat(write_beat)
    );

    wire finish = pop && done;
    assign finished_beat = 1'b1;
    always @(posedge clk)
        if (rst)
            finished_valid <= 1'b0;
        else if (finish || finished_ready)
            finished_valid <= finish;

`ifdef SAMHW_ASSERT
    always @(posedge clk)
        if (!rst && pop && (v_kind[1] != p_kind[1]
                            || (v_kind[1] && (v_kind != p_kind || v_val[STOP_W-1:0] != p_pos[STOP_W-1:0])))) begin
            $display("samhw_value_writer_at: val and pos are not aligned");
            $stop;
        end
`endif

    wire _unused_ok = &{1'b0, val_beat[VAL_W +: STOP_W], v_kind[1], next, 1'b0};

endmodule

`default_nettype wire
