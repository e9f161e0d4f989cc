// SPDX-License-Identifier: Apache-2.0
//
// Scatters values over a dense result: what it writes a memory folds into what is there (samhw_mem_fold).
//
//   Consumes    val and pos, aligned leaf by leaf; pos: the position in the result, in any order, any number of times.
//               settled: the memory has all of a run.
//   Produces    write {data, mark, addr}: first in a run {fill, 1, 0}, then every value that is there with
//               its position, last {0, 1, 1}. finished: one token per run, after its DONE and when all of it
//               is in memory.
//   Status      count: chunk, the words of the result; overflow: these are more than capacity, and values
//               beyond it are not written. Both hold until the next run's first beat arrives.
//   Throughput  one leaf per cycle.
//   Latency     2 cycles; a run's first beat comes a cycle later.
//   Parameters  VAL_W payload bits, ADDR_W bits of positions and addresses (capacity and chunk < 2**ADDR_W), STOP_W.
//   Reset       valid bits and state. Config ports must be stable during a run.
//   Source      "The Sparse Abstract Machine", section 4.2 (locating, with scatter).
`default_nettype none

module samhw_scatter #(
    parameter VAL_W  = 16,
    parameter ADDR_W = 16,
    parameter STOP_W = 3
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

    output reg                        write_valid,
    input  wire                       write_ready,
    output reg  [VAL_W+ADDR_W:0]      write_beat,

    input  wire                       settled_valid,
    output wire                       settled_ready,
    input  wire                       settled_beat,

    output reg                        finished_valid,
    input  wire                       finished_ready,
    output wire                       finished_beat,

    output reg  [ADDR_W-1:0]          count,
    output reg                        overflow
);
    generate
        if (VAL_W < 1 || ADDR_W < 1 || STOP_W < 1 || STOP_W > VAL_W || STOP_W > ADDR_W) begin : g_parameters
            samhw_parameter_out_of_range refused ();
        end
    endgenerate

    `include "samhw_kinds.vh"

    wire              v_valid;
    wire [1:0]        v_kind;
    wire [STOP_W-1:0] v_stop;
    wire [VAL_W-1:0]  v_val;
    wire              p_valid;
    wire [1:0]        p_kind;
    wire [STOP_W-1:0] p_stop;
    wire [ADDR_W-1:0] p_pos;
    wire              pop;
    samhw_skid #(.W(2+STOP_W+VAL_W)) u_val (
        .clk(clk), .rst(rst),
        .in_valid(val_valid), .in_ready(val_ready), .in_beat(val_beat),
        .out_valid(v_valid), .out_ready(pop), .out_beat({v_kind, v_stop, v_val})
    );
    samhw_skid #(.W(2+STOP_W+ADDR_W)) u_pos (
        .clk(clk), .rst(rst),
        .in_valid(pos_valid), .in_ready(pos_ready), .in_beat(pos_beat),
        .out_valid(p_valid), .out_ready(pop), .out_beat({p_kind, p_stop, p_pos})
    );

    reg  running;
    wire go     = v_valid && p_valid && (!write_valid || write_ready);
    wire starts = go && !running;
    wire done   = v_kind == DONE;
    wire word   = v_kind == DATA && p_pos < capacity;
    assign pop  = go && running;

    assign settled_ready = !finished_valid;
    assign finished_beat = 1'b1;

    always @(posedge clk) begin
        if (go)
            write_beat <= !running ? {fill, 1'b1, {ADDR_W{1'b0}}}
                        : done     ? {{VAL_W{1'b0}}, 1'b1, {(ADDR_W-1){1'b0}}, 1'b1}
                        :            {v_val, 1'b0, p_pos};
        if (rst) begin
            running        <= 1'b0;
            write_valid    <= 1'b0;
            finished_valid <= 1'b0;
            count          <= {ADDR_W{1'b0}};
            overflow       <= 1'b0;
        end else begin
            if (starts) begin
                count    <= chunk;
                overflow <= chunk > capacity;
            end
            running <= starts || (running && !(pop && done));
            if (!write_valid || write_ready)
                write_valid <= starts || (pop && (done || word));
            finished_valid <= finished_valid ? !finished_ready : settled_valid;
        end
    end

`ifdef SAMHW_ASSERT
    always @(posedge clk)
        if (!rst && pop && (v_kind[1] != p_kind[1] || v_stop != p_stop
                            || (v_kind[1] && (v_kind != p_kind || v_val[STOP_W-1:0] != p_pos[STOP_W-1:0])))) begin
            $display("samhw_scatter: val and pos are not aligned");
            $stop;
        end else if (!rst && pop && v_kind == DATA && (p_kind != DATA || p_pos >= chunk)) begin
            $display("samhw_scatter: a value without a position in the result");
            $stop;
        end
`endif

    wire _unused_ok = &{1'b0, v_stop, p_stop, p_kind, settled_beat, 1'b0};

endmodule

`default_nettype wire
