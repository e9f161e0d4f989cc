// SPDX-License-Identifier: Apache-2.0
//
// Scanner of a list that grows: the outermost level of a result, while its writer is at work.
//
//   Consumes    ref: stream of depth d, leaves DATA (the list) or EMPTY; begin, written {data, addr}, finished: how
//               far the writer of the coordinates is, as samhw_progress takes it, each write at the next address;
//               crd_rsp {data}: answers to crd_req, in order.
//   Produces    crd_req {addr}: the places of each list from 0 on, each as soon as it is known whether another
//               follows; out {crd, ref}: depth d+1, all coordinates that were written, with their places. An empty
//               list and an EMPTY leaf give an empty list; begun, opened: as of samhw_progress.
//   Throughput  one beat per cycle while words are there and the memory answers within 2**QUEUE_LOG2 - 2 cycles.
//   Latency     3 cycles with an on-chip memory, 2 more than its answer takes.
//   Parameters  REF_IN_W bits of the references in, REF_W of a place, CRD_W of a coordinate, STOP_W stop bits (at most
//               each of these), QUEUE_LOG2: coordinates in flight.
//   Reset       valid bits, the place, how far the writer is; payloads are not reset.
`default_nettype none

module samhw_scanner_growing #(
    parameter REF_IN_W   = 16,
    parameter REF_W      = 16,
    parameter CRD_W      = 16,
    parameter STOP_W     = 3,
    parameter QUEUE_LOG2 = 3
) (
    input  wire                            clk,
    input  wire                            rst,

    input  wire                            ref_valid,
    output wire                            ref_ready,
    input  wire [2+STOP_W+REF_IN_W-1:0]    ref_beat,

    input  wire                            begin_valid,
    output wire                            begin_ready,
    input  wire                            begin_beat,

    input  wire                            written_valid,
    output wire                            written_ready,
    input  wire [REF_W+CRD_W-1:0]          written_beat,

    input  wire                            finished_valid,
    output wire                            finished_ready,
    input  wire                            finished_beat,

    input  wire                            crd_rsp_valid,
    output wire                            crd_rsp_ready,
    input  wire [CRD_W-1:0]                crd_rsp_beat,

    output reg                             crd_req_valid,
    input  wire                            crd_req_ready,
    output reg  [REF_W-1:0]                crd_req_beat,

    output reg                             out_valid,
    input  wire                            out_ready,
    output reg  [2+STOP_W+REF_W+CRD_W-1:0] out_beat,

    output wire                            begun_valid,
    input  wire                            begun_ready,
    output wire                            begun_beat,

    output wire                            opened_valid,
    input  wire                            opened_ready,
    output wire                            opened_beat
);
    generate
        if (REF_IN_W < 1 || REF_W < 1 || CRD_W < 1 || STOP_W < 1 || QUEUE_LOG2 < 1
            || STOP_W > REF_IN_W || STOP_W > REF_W || STOP_W > CRD_W) begin : g_parameters
            samhw_parameter_out_of_range refused ();
        end
    endgenerate

    `include "samhw_kinds.vh"
    localparam [STOP_W-1:0] NONE = {STOP_W{1'b0}};
    localparam [STOP_W:0]   ONE  = 1;
    localparam [REF_W:0]    NOTHING = 0;

    wire [REF_W:0] progress;
    wire           complete;
    samhw_progress #(.ADDR_W(REF_W), .DATA_W(CRD_W)) u_progress (
        .clk(clk), .rst(rst),
        .begin_valid(begin_valid), .begin_ready(begin_ready), .begin_beat(begin_beat),
        .written_valid(written_valid), .written_ready(written_ready), .written_beat(written_beat),
        .finished_valid(finished_valid), .finished_ready(finished_ready), .finished_beat(finished_beat),
        .begun_valid(begun_valid), .begun_ready(begun_ready), .begun_beat(begun_beat),
        .opened_valid(opened_valid), .opened_ready(opened_ready), .opened_beat(opened_beat),
        .progress(progress), .complete(complete)
    );

    wire                r_valid;
    wire                r_pop;
    wire                r_list;
    wire [STOP_W-1:0]   r_stop;
    wire [STOP_W-1:0]   r_hole;
    wire [REF_IN_W-1:0] r_ref;
    samhw_ref_skid #(.REF_W(REF_IN_W), .STOP_W(STOP_W)) u_ref (
        .clk(clk), .rst(rst),
        .ref_valid(ref_valid), .ref_ready(ref_ready), .ref_beat(ref_beat),
        .out_valid(r_valid), .out_ready(r_pop),
        .out_list(r_list), .out_stop(r_stop), .out_hole(r_hole), .out_ref(r_ref)
    );

    // The next place, and the words from there on: whether there is one, or another behind it.
    reg  [REF_W-1:0] place;
    reg  [REF_W:0]   left;
    reg              some;
    reg              two;
    wire             three   = (left >> 2) != NOTHING || &left[1:0];
    wire             element = r_list && (two || (complete && some));
    wire             none    = r_list && complete && !some;
    wire             q_room;
    wire             req_free = !crd_req_valid || crd_req_ready;
    wire             go       = r_valid && q_room && req_free && (element || none || !r_list);
    wire             asks     = go && element;
    wire             last     = !two;
    assign r_pop = q_room && req_free && (element ? last : none || !r_list);

    always @(posedge clk) begin
        if (go)
            crd_req_beat <= place;
        if (rst) begin
            crd_req_valid <= 1'b0;
            place         <= {REF_W{1'b0}};
            left          <= NOTHING;
            some          <= 1'b0;
            two           <= 1'b0;
        end else begin
            if (req_free)
                crd_req_valid <= asks;
            if (asks)
                place <= last ? {REF_W{1'b0}} : place + {{(REF_W-1){1'b0}}, 1'b1};
            if (begin_valid && begin_ready) begin
                left <= NOTHING;
                some <= 1'b0;
                two  <= 1'b0;
            end else if (asks && last) begin
                // The next list is the same.
                left <= progress;
                two  <= progress[REF_W:1] != {REF_W{1'b0}};
            end else if (written_valid && !asks) begin
                left <= left + {{REF_W{1'b0}}, 1'b1};
                some <= 1'b1;
                two  <= some;
            end else if (asks && !written_valid) begin
                left <= left - {{REF_W{1'b0}}, 1'b1};
                two  <= three;
            end
        end
    end

    // What comes out, but for coordinates, which are on their way. A hole is the payload where there is none.
    wire [1:0]        p_kind = element ? DATA : r_stop == NONE ? DONE : NIL;
    wire [STOP_W-1:0] p_stop = element && !last ? NONE : r_stop;
    wire [STOP_W-1:0] hole   = r_list ? ONE[STOP_W-1:0] : r_hole;
    wire [REF_W-1:0]  p_at;
    generate
        if (REF_W > STOP_W) begin : g_wide
            assign p_at = element ? place : {{(REF_W-STOP_W){1'b0}}, hole};
        end else begin : g_narrow
            assign p_at = element ? place : hole;
        end
    endgenerate
    wire              q_valid;
    wire              q_pop;
    wire [1:0]        q_kind;
    wire [STOP_W-1:0] q_stop;
    wire [REF_W-1:0]  q_at;
    samhw_queue #(.W(2+STOP_W+REF_W), .LOG2(QUEUE_LOG2)) u_queue (
        .clk(clk), .rst(rst),
        .in_valid(go), .in_ready(q_room), .in_data({p_kind, p_stop, p_at}),
        .out_valid(q_valid), .out_ready(q_pop), .out_data({q_kind, q_stop, q_at})
    );

    wire             d_valid;
    wire             d_pop;
    wire [CRD_W-1:0] d_data;
    samhw_skid_late #(.W(CRD_W)) u_rsp (
        .clk(clk), .rst(rst),
        .in_valid(crd_rsp_valid), .in_ready(crd_rsp_ready), .in_beat(crd_rsp_beat),
        .out_valid(d_valid), .out_ready(d_pop), .out_beat(d_data)
    );

    wire load = q_kind == DATA;
    wire emit = q_valid && (d_valid || !load) && (!out_valid || out_ready);
    assign q_pop = emit;
    assign d_pop = emit && load;
    wire [CRD_W-1:0] crd;
    generate
        if (CRD_W > STOP_W) begin : g_above
            assign crd = load ? d_data : {{(CRD_W-STOP_W){1'b0}}, q_at[STOP_W-1:0]};
        end else begin : g_equal
            assign crd = load ? d_data : q_at[STOP_W-1:0];
        end
    endgenerate
    always @(posedge clk) begin
        if (emit)
            out_beat <= {q_kind, q_stop, load ? q_at : {REF_W{1'b0}}, crd};
        if (rst)
            out_valid <= 1'b0;
        else if (emit || out_ready)
            out_valid <= emit;
    end

    wire _unused_ok = &{1'b0, EMPTY, r_ref, 1'b0};

endmodule

`default_nettype wire
