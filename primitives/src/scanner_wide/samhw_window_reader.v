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
//   Parameters  REF_W bits of positions, CRD_W of coordinates, STOP_W, QUEUE_LOG2 (groups in
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

    localparam WIDE = 1 << WIDE_LOG2;
    // Bits that hold a number of coordinates and WIDE.
    localparam LEN_W = (REF_W > WIDE_LOG2 ? REF_W : WIDE_LOG2) + 1;
    localparam [LEN_W-1:0]     GROUP   = WIDE;
    localparam [WIDE_LOG2-1:0] ONE     = 1;
    localparam [STOP_W-1:0]    NO_STOP = 0;

    // Ask for the groups of one fiber after the other. A group is full, or the last of its fiber.
    reg               more;   // the fiber has coordinates that nobody asked for
    reg  [REF_W-1:0]  next;   // from here on
    reg  [LEN_W-1:0]  left;   // so many
    reg  [STOP_W-1:0] stop_of;
    wire              room;
    wire              free = room && (!crd_req_valid || crd_req_ready);
    assign in_ready = free && !more;
    wire              start = in_valid && in_ready;
    wire              fill  = in_list && in_begin != in_end;
    wire              step  = start || (more && free);
    wire              list  = more || fill;
    wire [REF_W-1:0]  addr  = more ? next : in_begin;
    wire [LEN_W-1:0]  len   = more ? left : {{(LEN_W-REF_W){1'b0}}, in_end} - {{(LEN_W-REF_W){1'b0}}, in_begin};
    wire              goes_on = list && len > GROUP;
    // The number of coordinates of the group, less one.
    wire [WIDE_LOG2-1:0] count = goes_on ? {WIDE_LOG2{1'b1}} : len[WIDE_LOG2-1:0] - ONE;
    wire [LEN_W-1:0]     after = {{(LEN_W-REF_W){1'b0}}, addr} + GROUP;

    always @(posedge clk) begin
        if (step) begin
            crd_req_beat <= {1'b0, addr};
            next         <= after[REF_W-1:0];
            left         <= len - GROUP;
        end
        if (start)
            stop_of <= in_stop;
        if (rst) begin
            crd_req_valid <= 1'b0;
            more          <= 1'b0;
        end else begin
            if (step)
                more <= goes_on;
            if (step || crd_req_ready)
                crd_req_valid <= step && list;
        end
    end

    wire                 b_valid;
    wire                 b_pop;
    wire                 b_list;
    wire                 b_last;
    wire [STOP_W-1:0]    b_stop;
    wire [STOP_W-1:0]    b_hole;
    wire [WIDE_LOG2-1:0] b_count;
    wire [REF_W-1:0]     b_addr;
    samhw_queue #(.W(2+2*STOP_W+WIDE_LOG2+REF_W), .LOG2(QUEUE_LOG2)) u_asked (
        .clk(clk), .rst(rst),
        .in_valid(step), .in_ready(room),
        .in_data({list, !goes_on, more ? stop_of : in_stop, in_hole, count, addr}),
        .out_valid(b_valid), .out_ready(b_pop), .out_data({b_list, b_last, b_stop, b_hole, b_count, b_addr})
    );

    wire                  c_valid;
    wire                  c_pop;
    wire [WIDE*CRD_W-1:0] words;
    samhw_skid #(.W(WIDE*CRD_W)) u_crd (
        .clk(clk), .rst(rst),
        .in_valid(crd_rsp_valid), .in_ready(crd_rsp_ready), .in_beat(crd_rsp_beat),
        .out_valid(c_valid), .out_ready(c_pop), .out_beat(words)
    );

    // Lanes beyond the last coordinate repeat it.
    wire [WIDE*CRD_W-1:0] padded;
    genvar l;
    generate
        for (l = 0; l < WIDE; l = l + 1) begin : g_lane
            reg [CRD_W-1:0] lane;
            integer         c;
            always @* begin
                lane = words[l*CRD_W +: CRD_W];
                for (c = 0; c < l; c = c + 1)
                    if (b_count == c[WIDE_LOG2-1:0])
                        lane = words[c*CRD_W +: CRD_W];
            end
            assign padded[l*CRD_W +: CRD_W] = lane;
        end
    endgenerate

    reg  full;
    reg  [2+STOP_W+REF_W+WIDE_LOG2+WIDE*CRD_W-1:0] beat;
    wire ready = !full || out_ready;
    wire take  = b_valid && (c_valid || !b_list) && ready;
    assign b_pop     = take;
    assign c_pop     = take && b_list;
    assign out_valid = full;
    assign out_beat  = beat;
    wire [WIDE*CRD_W-1:0] hole = {{(WIDE*CRD_W-STOP_W){1'b0}}, b_hole};
    always @(posedge clk) begin
        if (take)
            beat <= {!b_list, !b_list && b_stop == NO_STOP, b_last ? b_stop : NO_STOP,
                     b_list ? {b_addr, b_count} : {(REF_W+WIDE_LOG2){1'b0}}, b_list ? padded : hole};
        if (rst)
            full <= 1'b0;
        else if (ready)
            full <= take;
    end

    wire _unused_ok = &{1'b0, after, 1'b0};

`ifdef SAMHW_ASSERT
    always @(posedge clk)
        if (!rst && start && in_list && in_end < in_begin) begin
            $display("samhw_window_reader: a fiber ends before it begins");
            $stop;
        end
`endif

endmodule

`default_nettype wire
