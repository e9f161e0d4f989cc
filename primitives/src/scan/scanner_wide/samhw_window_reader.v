// SPDX-License-Identifier: Apache-2.0
//
// Last stages of a wide scanner: bounds of fibers become groups of coordinates with the position of the first.
//
//   Consumes    in: lists with bounds begin..end, and what is not a list (see samhw_ref_skid);
//               crd_rsp: 2**WIDE_LOG2 words from where crd_req asked.
//   Produces    crd_req {addr}: one per group; out {ref, count, crd}: see samhw_scanner_wide.
//   Throughput  one group per cycle, also from fiber to fiber; an empty fiber or no list takes one cycle.
//   Latency     from in_ready to out, 2 cycles without a list; with one, 2 more than the answer takes.
//   Boundary    crd_req and out are registers; in_ready is combinational in crd_req_ready.
//   Parameters  REF_W bits of positions, CRD_W of coordinates, STOP_W, QUEUE_LOG2 (fibers in
//               flight), WIDE_LOG2.
//   Reset       valid bits, queue pointers; payloads are not reset.
`default_nettype none

module samhw_window_reader #(
    parameter REF_W      = 16,
    parameter CRD_W      = 16,
    parameter STOP_W     = 3,
    parameter QUEUE_LOG2 = 3,
    parameter WIDE_LOG2  = 1
) (
    input  wire                           clk,
    input  wire                           rst,

    input  wire                           in_valid,
    output wire                           in_ready,
    input  wire                           in_list,
    input  wire [STOP_W-1:0]              in_stop,
    input  wire [STOP_W-1:0]              in_hole,
    input  wire [REF_W-1:0]               in_begin,
    input  wire [REF_W-1:0]               in_end,

    output reg                            crd_req_valid,
    input  wire                           crd_req_ready,
    output reg  [REF_W:0]                 crd_req_beat,

    input  wire                           crd_rsp_valid,
    output wire                           crd_rsp_ready,
    input  wire [(CRD_W<<WIDE_LOG2)-1:0]  crd_rsp_beat,

    output wire                           out_valid,
    input  wire                           out_ready,
    output wire [2+STOP_W+REF_W+WIDE_LOG2+(CRD_W<<WIDE_LOG2)-1:0] out_beat
);
    generate
        if (REF_W < 1 || CRD_W < 1 || STOP_W < 1 || QUEUE_LOG2 < 1 || WIDE_LOG2 < 1
            || STOP_W > CRD_W) begin : g_parameters
            samhw_parameter_out_of_range refused ();
        end
    endgenerate

    localparam WIDE  = 1 << WIDE_LOG2;
    // Bits that hold the number of a coordinate in its fiber, and that of a group.
    localparam NUM_W = REF_W > WIDE_LOG2 ? REF_W : WIDE_LOG2 + 1;
    localparam GRP_W = NUM_W - WIDE_LOG2;
    localparam [REF_W:0]    GROUP   = WIDE;
    localparam [GRP_W-1:0]  STEP    = 1;
    localparam [STOP_W-1:0] NO_STOP = 0;

    // Ask for the groups of one fiber after the other.
    reg               more;   // the fiber has groups that nobody asked for
    reg  [GRP_W-1:0]  rest;   // so many
    wire              room;
    wire              free  = !crd_req_valid || crd_req_ready;
    assign in_ready = free && room && !more;
    wire              start = in_valid && in_ready;
    wire              fill  = in_list && in_begin != in_end;
    wire              step  = (start && fill) || (more && free);
    wire [REF_W-1:0]  left  = in_end + ~in_begin;  // its last coordinate's number
    wire [NUM_W-1:0]  last_of;
    wire [GRP_W-1:0]  behind = last_of[NUM_W-1:WIDE_LOG2];
    wire [REF_W:0]    after  = crd_req_beat + GROUP;
    generate
        if (NUM_W > REF_W) begin : g_narrow
            assign last_of = {{(NUM_W-REF_W){1'b0}}, left};
        end else begin : g_even
            assign last_of = left;
        end
    endgenerate

    always @(posedge clk) begin
        if (start)
            crd_req_beat <= {1'b0, in_begin};
        else if (step)
            crd_req_beat <= {1'b0, after[REF_W-1:0]};
        if (start)
            rest <= behind;
        else if (step)
            rest <= rest - STEP;
        if (rst) begin
            crd_req_valid <= 1'b0;
            more          <= 1'b0;
        end else begin
            if (start)
                more <= fill && behind != {GRP_W{1'b0}};
            else if (step)
                more <= rest != STEP;
            if (free)
                crd_req_valid <= step;
        end
    end

    // The fibers whose groups come: number of the last group, and of the last coordinate in it.
    wire                 b_valid;
    wire                 b_pop;
    wire                 b_list;
    wire [GRP_W-1:0]     b_groups;
    wire [WIDE_LOG2-1:0] b_lane;
    wire [STOP_W-1:0]    b_stop;
    wire [STOP_W-1:0]    b_hole;
    wire [REF_W-1:0]     b_begin;
    samhw_queue #(.W(1+NUM_W+2*STOP_W+REF_W), .LOG2(QUEUE_LOG2), .SHOWN(1+GRP_W)) u_bound (
        .clk(clk), .rst(rst),
        .in_valid(start), .in_ready(room), .in_data({fill, last_of, in_stop, in_hole, in_begin}),
        .out_valid(b_valid), .out_ready(b_pop), .out_data({b_list, b_groups, b_lane, b_stop, b_hole, b_begin})
    );

    wire                  c_valid;
    wire                  c_pop;
    wire [WIDE*CRD_W-1:0] words;
    samhw_skid #(.W(WIDE*CRD_W)) u_crd (
        .clk(clk), .rst(rst),
        .in_valid(crd_rsp_valid), .in_ready(crd_rsp_ready), .in_beat(crd_rsp_beat),
        .out_valid(c_valid), .out_ready(c_pop), .out_beat(words)
    );

    // One item for each group, or for what is not a list.
    reg  [GRP_W-1:0]     place;  // groups of the fiber at hand that are through
    wire                 last  = !b_list || place == b_groups;
    wire [WIDE_LOG2-1:0] count = b_lane | {WIDE_LOG2{!last}};
    wire [NUM_W-1:0]     ahead = {place, {WIDE_LOG2{1'b0}}};
    wire [REF_W-1:0]     first = b_begin + ahead[REF_W-1:0];

    // Lanes beyond the last coordinate repeat it.
    wire [CRD_W-1:0]      largest = words[b_lane*CRD_W +: CRD_W];
    wire [WIDE*CRD_W-1:0] padded;
    assign padded[CRD_W-1:0] = words[CRD_W-1:0];
    genvar l;
    generate
        for (l = 1; l < WIDE; l = l + 1) begin : g_lane
            localparam [WIDE_LOG2-1:0] LANE = l;
            wire beyond = last && b_lane < LANE;
            assign padded[l*CRD_W +: CRD_W] = beyond ? largest : words[l*CRD_W +: CRD_W];
        end
    endgenerate

    reg  full;
    reg  [2+STOP_W+REF_W+WIDE_LOG2+WIDE*CRD_W-1:0] beat;
    wire ready = !full || out_ready;
    wire take  = b_valid && (c_valid || !b_list) && ready;
    assign b_pop     = take && last;
    assign c_pop     = take && b_list;
    assign out_valid = full;
    assign out_beat  = beat;
    wire [WIDE*CRD_W-1:0] hole = {{(WIDE*CRD_W-STOP_W){1'b0}}, b_hole};
    always @(posedge clk) begin
        if (take)
            beat <= {!b_list, !b_list && b_stop == NO_STOP, last ? b_stop : NO_STOP,
                     b_list ? {first, count} : {(REF_W+WIDE_LOG2){1'b0}}, b_list ? padded : hole};
        if (rst || b_pop)
            place <= {GRP_W{1'b0}};
        else if (take)
            place <= place + STEP;
        if (rst)
            full <= 1'b0;
        else if (ready)
            full <= take;
    end

    wire _unused_ok = &{1'b0, after, ahead, 1'b0};

`ifdef SAMHW_ASSERT
    always @(posedge clk)
        if (!rst && start && in_list && in_end < in_begin) begin
            $display("samhw_window_reader: a fiber ends before it begins");
            $stop;
        end
`endif

endmodule

`default_nettype wire
