// SPDX-License-Identifier: Apache-2.0
//
// Level scanner of a compressed level: each reference becomes its fiber of coordinates.
//
//   Consumes    ref: stream of depth d, leaves DATA or EMPTY; seg_rsp {end, begin}: seg[ref+1] and
//               seg[ref], answers to seg_req; crd_rsp {crd}: words that crd_req asked for.
//   Produces    seg_req {addr}: one per DATA leaf; crd_req {len, addr}: one per fiber that is not
//               empty; out {crd, ref}: depth d+1, the coordinates crd[begin..end] with their
//               positions. An empty fiber and an EMPTY leaf give an empty list.
//   Throughput  one beat of out per cycle: a fiber of n coordinates takes max(1, n) cycles, while
//               each memory answers within 2**QUEUE_LOG2 - 3 cycles.
//   Latency     10 cycles with on-chip memories (samhw_mem_pair, samhw_mem_burst), 6 more than
//               the two answers take together.
//   In flight   up to 2**QUEUE_LOG2 segment pairs and as many bursts.
//   Parameters  REF_IN_W bits of the references in, REF_W of positions and of the words of seg,
//               CRD_W of coordinates, STOP_W stop bits (at most REF_IN_W and CRD_W), QUEUE_LOG2.
//   Reset       valid bits, queue pointers, place in the fiber; payloads are not reset.
//   Source      "The Sparse Abstract Machine", section 3.1.
`default_nettype none

module samhw_scanner_compressed #(
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

    output reg                             seg_req_valid,
    input  wire                            seg_req_ready,
    output reg  [REF_IN_W-1:0]             seg_req_beat,

    input  wire                            seg_rsp_valid,
    output wire                            seg_rsp_ready,
    input  wire [2*REF_W-1:0]              seg_rsp_beat,

    output reg                             crd_req_valid,
    input  wire                            crd_req_ready,
    output reg  [2*REF_W-1:0]              crd_req_beat,

    input  wire                            crd_rsp_valid,
    output wire                            crd_rsp_ready,
    input  wire [CRD_W-1:0]                crd_rsp_beat,

    output reg                             out_valid,
    input  wire                            out_ready,
    output reg  [2+STOP_W+REF_W+CRD_W-1:0] out_beat
);

    localparam [1:0] DATA = 2'd0;
    localparam [1:0] NIL  = 2'd2;
    localparam [1:0] DONE = 2'd3;
    localparam [STOP_W-1:0] NO_STOP = 0;
    localparam [STOP_W-1:0] ONE_UP  = 1;
    localparam [REF_W-1:0]  NEXT    = 1;

    // Fetch: ask for the bounds of each DATA leaf. From here on a beat is a list (to be filled)
    // or not, with the stop and the hole that out will have; stop 0 without a list is DONE.
    wire                r_valid;
    wire [1:0]          r_kind;
    wire [STOP_W-1:0]   r_stop;
    wire [REF_IN_W-1:0] r_ref;
    wire                a_room;
    wire                seg_req_free = !seg_req_valid || seg_req_ready;
    wire                r_pop = a_room && seg_req_free;
    wire                fetch = r_valid && r_pop;
    samhw_skid #(.W(2+STOP_W+REF_IN_W)) u_ref (
        .clk(clk), .rst(rst),
        .in_valid(ref_valid), .in_ready(ref_ready), .in_beat(ref_beat),
        .out_valid(r_valid), .out_ready(r_pop), .out_beat({r_kind, r_stop, r_ref})
    );

    wire [STOP_W-1:0]   r_hole   = r_kind == NIL ? r_ref[STOP_W-1:0] : NO_STOP;
    wire [2*STOP_W-1:0] r_closes = r_kind == DONE ? {NO_STOP, NO_STOP}
                                                  : {r_stop + ONE_UP, r_hole + ONE_UP};

    always @(posedge clk) begin
        if (fetch)
            seg_req_beat <= r_ref;
        if (rst)
            seg_req_valid <= 1'b0;
        else if (seg_req_free)
            seg_req_valid <= fetch && r_kind == DATA;
    end

    // Bounds: ask for the coordinates of each fiber that has some.
    wire              a_valid;
    wire              a_list;
    wire [STOP_W-1:0] a_stop;
    wire [STOP_W-1:0] a_hole;
    wire              bound;
    samhw_queue #(.W(1+2*STOP_W), .LOG2(QUEUE_LOG2)) u_fetched (
        .clk(clk), .rst(rst),
        .in_valid(fetch), .in_ready(a_room), .in_data({r_kind == DATA, r_closes}),
        .out_valid(a_valid), .out_ready(bound), .out_data({a_list, a_stop, a_hole})
    );

    wire             s_valid;
    wire [REF_W-1:0] s_begin;
    wire [REF_W-1:0] s_end;
    samhw_skid #(.W(2*REF_W)) u_seg (
        .clk(clk), .rst(rst),
        .in_valid(seg_rsp_valid), .in_ready(seg_rsp_ready), .in_beat(seg_rsp_beat),
        .out_valid(s_valid), .out_ready(bound && a_list), .out_beat({s_end, s_begin})
    );

    wire             b_room;
    wire             crd_req_free = !crd_req_valid || crd_req_ready;
    wire [REF_W-1:0] s_len = s_end - s_begin;
    wire             fill  = a_list && s_begin != s_end;
    assign bound = a_valid && (s_valid || !a_list) && b_room && crd_req_free;

    always @(posedge clk) begin
        if (bound)
            crd_req_beat <= {s_len, s_begin};
        if (rst)
            crd_req_valid <= 1'b0;
        else if (crd_req_free)
            crd_req_valid <= bound && fill;
    end

    // Emit: one beat for each coordinate, or for what is not a list.
    wire              b_valid;
    wire              b_pop;
    wire              b_list;
    wire [STOP_W-1:0] b_stop;
    wire [STOP_W-1:0] b_hole;
    wire [REF_W-1:0]  b_len;
    wire [REF_W-1:0]  b_begin;
    samhw_queue #(.W(1+2*STOP_W+2*REF_W), .LOG2(QUEUE_LOG2)) u_bound (
        .clk(clk), .rst(rst),
        .in_valid(bound), .in_ready(b_room), .in_data({fill, a_stop, a_hole, s_len, s_begin}),
        .out_valid(b_valid), .out_ready(b_pop), .out_data({b_list, b_stop, b_hole, b_len, b_begin})
    );

    wire             c_valid;
    wire             c_pop;
    wire [CRD_W-1:0] c_crd;
    samhw_skid #(.W(CRD_W)) u_crd (
        .clk(clk), .rst(rst),
        .in_valid(crd_rsp_valid), .in_ready(crd_rsp_ready), .in_beat(crd_rsp_beat),
        .out_valid(c_valid), .out_ready(c_pop), .out_beat(c_crd)
    );

    // Coordinates of the fiber at hand that are out already.
    reg  [REF_W-1:0] place;
    wire [REF_W-1:0] next_place = place + NEXT;
    wire             last = !b_list || next_place == b_len;
    wire             emit = b_valid && (c_valid || !b_list) && (!out_valid || out_ready);
    assign b_pop = emit && last;
    assign c_pop = emit && b_list;

    always @(posedge clk) begin
        if (emit)
            out_beat <= {!b_list, !b_list && b_stop == NO_STOP, last ? b_stop : NO_STOP,
                         b_list ? b_begin + place : {REF_W{1'b0}},
                         b_list ? c_crd : {{(CRD_W-STOP_W){1'b0}}, b_hole}};
        if (rst) begin
            out_valid <= 1'b0;
            place     <= {REF_W{1'b0}};
        end else begin
            if (emit || out_ready)
                out_valid <= emit;
            if (emit)
                place <= last ? {REF_W{1'b0}} : next_place;
        end
    end

`ifdef SAMHW_ASSERT
    always @(posedge clk)
        if (!rst) begin
            if (fetch && r_kind != DONE && r_stop == {STOP_W{1'b1}}) begin
                $display("samhw_scanner_compressed: the stop does not fit");
                $stop;
            end
            if (bound && a_list && s_end < s_begin) begin
                $display("samhw_scanner_compressed: a fiber ends before it begins");
                $stop;
            end
        end
`endif

endmodule

`default_nettype wire
