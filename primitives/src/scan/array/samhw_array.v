// SPDX-License-Identifier: Apache-2.0
//
// Array: each reference becomes the value stored there.
//
//   Consumes    ref: stream of any depth; rsp {data}: answers to req, in order.
//   Produces    req {addr}: one per DATA leaf of ref; val: the shape of ref, DATA leaves loaded,
//               EMPTY, NIL and DONE as they came.
//   Throughput  one beat per cycle while the memory answers within 2**QUEUE_LOG2 - 2 cycles.
//   Latency     3 cycles with an on-chip memory (samhw_mem_single), 2 more than its answer takes.
//   In flight   up to 2**QUEUE_LOG2 beats between req and val.
//   Parameters  REF_W bits of a reference and of an address, VAL_W bits of a value, STOP_W stop
//               bits (at most REF_W and VAL_W), QUEUE_LOG2.
//   Reset       valid bits; payloads are not reset.
//   Source      "The Sparse Abstract Machine", section 3.5.
`default_nettype none

module samhw_array #(
    parameter REF_W      = 16,
    parameter VAL_W      = 16,
    parameter STOP_W     = 3,
    parameter QUEUE_LOG2 = 3
) (
    input  wire                      clk,
    input  wire                      rst,

    input  wire                      ref_valid,
    output wire                      ref_ready,
    input  wire [2+STOP_W+REF_W-1:0] ref_beat,

    output reg                       req_valid,
    input  wire                      req_ready,
    output reg  [REF_W-1:0]          req_beat,

    input  wire                      rsp_valid,
    output wire                      rsp_ready,
    input  wire [VAL_W-1:0]          rsp_beat,

    output reg                       val_valid,
    input  wire                      val_ready,
    output reg  [2+STOP_W+VAL_W-1:0] val_beat
);
    generate
        if (REF_W < 1 || VAL_W < 1 || STOP_W < 1 || QUEUE_LOG2 < 1
            || STOP_W > REF_W || STOP_W > VAL_W) begin : g_parameters
            samhw_parameter_out_of_range refused ();
        end
    endgenerate

    `include "samhw_kinds.vh"

    // Fetch: a request for each DATA leaf; the rest of every beat waits in the queue.
    wire              r_valid;
    wire [1:0]        r_kind;
    wire [STOP_W-1:0] r_stop;
    wire [REF_W-1:0]  r_ref;
    wire              q_room;
    wire              req_free = !req_valid || req_ready;
    wire              r_pop    = q_room && req_free;
    wire              fetch    = r_valid && r_pop;
    samhw_skid #(.W(2+STOP_W+REF_W), .PASS(1)) u_ref (
        .clk(clk), .rst(rst),
        .in_valid(ref_valid), .in_ready(ref_ready), .in_beat(ref_beat),
        .out_valid(r_valid), .out_ready(r_pop), .out_beat({r_kind, r_stop, r_ref})
    );

    always @(posedge clk) begin
        if (fetch)
            req_beat <= r_ref;
        if (rst)
            req_valid <= 1'b0;
        else if (req_free)
            req_valid <= fetch && r_kind == DATA;
    end

    // Emit: the hole (0 but for NIL) is the payload where there is no load, and 0 where there is: then it
    // need not be chosen.
    wire              q_valid;
    wire              q_pop;
    wire [1:0]        q_kind;
    wire [STOP_W-1:0] q_stop;
    wire [STOP_W-1:0] q_hole;
    samhw_queue #(.W(2+2*STOP_W), .LOG2(QUEUE_LOG2)) u_queue (
        .clk(clk), .rst(rst),
        .in_valid(fetch), .in_ready(q_room), .in_data({r_kind, r_stop, r_ref[STOP_W-1:0] & {STOP_W{r_kind != DATA}}}),
        .out_valid(q_valid), .out_ready(q_pop), .out_data({q_kind, q_stop, q_hole})
    );

    wire              d_valid;
    wire              d_pop;
    wire [VAL_W-1:0]  d_data;
    samhw_skid_late #(.W(VAL_W)) u_rsp (
        .clk(clk), .rst(rst),
        .in_valid(rsp_valid), .in_ready(rsp_ready), .in_beat(rsp_beat),
        .out_valid(d_valid), .out_ready(d_pop), .out_beat(d_data)
    );

    wire load = q_kind == DATA;
    wire emit = q_valid && (d_valid || !load) && (!val_valid || val_ready);
    assign q_pop = emit;
    assign d_pop = emit && load;

    // A memory answers late in its cycle: what is no load clears the bits above the hole at their registers,
    // without a table on the way.
    generate
        if (VAL_W > STOP_W) begin : g_above
            wire clear = emit && !load;
            always @(posedge clk)
                if (clear)
                    val_beat[VAL_W-1:STOP_W] <= {(VAL_W-STOP_W){1'b0}};
                else if (emit)
                    val_beat[VAL_W-1:STOP_W] <= d_data[VAL_W-1:STOP_W];
        end
    endgenerate
    always @(posedge clk) begin
        if (emit) begin
            val_beat[VAL_W +: 2+STOP_W] <= {q_kind, q_stop};
            val_beat[STOP_W-1:0]        <= (d_data[STOP_W-1:0] & {STOP_W{load}}) | q_hole;
        end
        if (rst)
            val_valid <= 1'b0;
        else if (emit || val_ready)
            val_valid <= emit;
    end

endmodule

`default_nettype wire
