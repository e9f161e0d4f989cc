// SPDX-License-Identifier: Apache-2.0
//
// Last stages of a scanner of a part: as samhw_fiber_reader, but of a long fiber the coordinates
// below LO and from HI on are not read.
//
//   Consumes    in: lists with bounds begin..end, and what is not a list (see samhw_ref_skid);
//               crd_rsp {crd}: words that crd_req asked for, rising within a fiber.
//   Produces    crd_req {len, addr}; out {crd, ref}: coordinates with their positions. Of a fiber
//               of more than LONG entries at most NEAR below LO and NEAR from HI on come out.
//   Throughput  one entry per cycle, also from fiber to fiber. A fiber of more than LONG entries
//               waits until the one before it is out; two binary searches find what to read.
//   Latency     from in_ready to out, 2 cycles without a list; with one, 2 more than the answer
//               takes, and per step of a search 3 more than the answer takes.
//   Boundary    crd_req and out are registers; in_ready is combinational in crd_req_ready.
//   Parameters  REF_W bits of positions, CRD_W of coordinates, STOP_W, QUEUE_LOG2 (bursts in
//               flight); LO, HI of CRD_W + 1 bits; LONG, NEAR (at least 1, at most LONG) of
//               REF_W + 1 bits.
//   Reset       valid bits, queue pointers, place in the fiber, state; payloads are not reset.
`default_nettype none

module samhw_seek_reader #(
    parameter REF_W      = 16,
    parameter CRD_W      = 16,
    parameter STOP_W     = 3,
    parameter QUEUE_LOG2 = 3,
    parameter [CRD_W:0] LO = 0,
    parameter [CRD_W:0] HI = 1,
    parameter [REF_W:0] LONG = 1,
    parameter [REF_W:0] NEAR = 1
) (
    input  wire                      clk,
    input  wire                      rst,

    input  wire                      in_valid,
    output wire                      in_ready,
    input  wire                      in_list,
    input  wire [STOP_W-1:0]         in_stop,
    input  wire [STOP_W-1:0]         in_hole,
    input  wire [REF_W-1:0]          in_begin,
    input  wire [REF_W-1:0]          in_end,

    output reg                       crd_req_valid,
    input  wire                      crd_req_ready,
    output reg  [2*REF_W-1:0]        crd_req_beat,

    input  wire                      crd_rsp_valid,
    output wire                      crd_rsp_ready,
    input  wire [CRD_W-1:0]          crd_rsp_beat,

    output reg                             out_valid,
    input  wire                            out_ready,
    output reg  [2+STOP_W+REF_W+CRD_W-1:0] out_beat
);

    localparam [STOP_W-1:0] NO_STOP = 0;
    localparam [REF_W-1:0]  NEXT    = 1;

    // What to do with the list on offer: hand it on, look for LO, then for HI, then hand on what
    // is between.
    localparam [1:0] PASS  = 2'd0;
    localparam [1:0] BELOW = 2'd1;
    localparam [1:0] ABOVE = 2'd2;
    localparam [1:0] GO    = 2'd3;
    reg [1:0]       state;
    reg             asked;                          // a probe is on its way
    reg [REF_W-1:0] from;
    reg [REF_W-1:0] low;
    reg [REF_W-1:0] high;

    wire             room;
    wire             b_valid;
    wire             crd_req_free = !crd_req_valid || crd_req_ready;
    wire [REF_W-1:0] whole   = in_end - in_begin;
    wire             long    = in_list && {1'b0, whole} > LONG;
    wire [REF_W-1:0] begins  = state == GO ? from : in_begin;
    wire [REF_W-1:0] ends    = state == GO ? high : in_end;
    wire [REF_W-1:0] in_len  = ends - begins;
    wire             fill    = in_list && begins != ends;
    wire             may     = state == GO || (state == PASS && !long);
    assign in_ready = may && room && crd_req_free;
    wire             bound   = in_valid && in_ready;

    wire             c_valid;
    wire             c_pop;
    wire [CRD_W-1:0] c_crd;
    wire [REF_W-1:0] width   = high - low;
    wire [REF_W-1:0] middle  = low + (width >> 1);
    // Nothing is below 0 or beyond the largest coordinate.
    wire             needless = state == BELOW ? LO == {(CRD_W+1){1'b0}} : HI[CRD_W];
    wire             found   = needless || {1'b0, width} <= NEAR;
    wire             looking = state == BELOW || state == ABOVE;
    wire             probe   = looking && !asked && !found && crd_req_free;
    wire             answer  = looking && asked && c_valid;
    wire             less    = {1'b0, c_crd} < (state == BELOW ? LO : HI);

    always @(posedge clk) begin
        if (bound || probe)
            crd_req_beat <= probe ? {NEXT, middle} : {in_len, begins};
        if (state == PASS)
            from <= in_begin;
        else if (state == BELOW && !asked && found)
            from <= low;
        if (state == PASS)
            {low, high} <= {in_begin, in_end};
        else if (state == BELOW && !asked && found)
            high <= in_end;
        else if (answer && less)
            low <= middle + NEXT;
        else if (answer)
            high <= middle;
        if (rst) begin
            crd_req_valid <= 1'b0;
            state         <= PASS;
            asked         <= 1'b0;
        end else begin
            if (crd_req_free)
                crd_req_valid <= probe || (bound && fill);
            if (probe || answer)
                asked <= probe;
            case (state)
                PASS:    if (in_valid && long && !b_valid) state <= BELOW;
                BELOW:   if (!asked && found) state <= ABOVE;
                ABOVE:   if (!asked && found) state <= GO;
                default: if (bound) state <= PASS;
            endcase
        end
    end

    wire              b_pop;
    wire              b_list;
    wire [STOP_W-1:0] b_stop;
    wire [STOP_W-1:0] b_hole;
    wire [REF_W-1:0]  b_len;
    wire [REF_W-1:0]  b_begin;
    samhw_queue #(.W(1+2*STOP_W+2*REF_W), .LOG2(QUEUE_LOG2)) u_bound (
        .clk(clk), .rst(rst),
        .in_valid(bound), .in_ready(room), .in_data({fill, in_stop, in_hole, in_len, begins}),
        .out_valid(b_valid), .out_ready(b_pop), .out_data({b_list, b_stop, b_hole, b_len, b_begin})
    );
    samhw_skid #(.W(CRD_W)) u_crd (
        .clk(clk), .rst(rst),
        .in_valid(crd_rsp_valid), .in_ready(crd_rsp_ready), .in_beat(crd_rsp_beat),
        .out_valid(c_valid), .out_ready(c_pop), .out_beat(c_crd)
    );

    // One item for each coordinate, or for what is not a list.
    reg  [REF_W-1:0]  place;  // coordinates of the fiber at hand that are through already
    wire [REF_W-1:0]  next_place = place + NEXT;
    wire              last  = !b_list || next_place == b_len;
    wire              take  = b_valid && (c_valid || !b_list) && (!out_valid || out_ready);
    assign b_pop = take && last;
    assign c_pop = (take && b_list) || answer;

    always @(posedge clk) begin
        if (take)
            out_beat <= {!b_list, !b_list && b_stop == NO_STOP, last ? b_stop : NO_STOP,
                         b_list ? b_begin + place : {REF_W{1'b0}},
                         b_list ? c_crd : {{(CRD_W-STOP_W){1'b0}}, b_hole}};
        if (rst) begin
            out_valid <= 1'b0;
            place     <= {REF_W{1'b0}};
        end else begin
            if (take || out_ready)
                out_valid <= take;
            if (take)
                place <= last ? {REF_W{1'b0}} : next_place;
        end
    end

`ifdef SAMHW_ASSERT
    always @(posedge clk)
        if (!rst && in_valid && in_list && in_end < in_begin) begin
            $display("samhw_seek_reader: a fiber ends before it begins");
            $stop;
        end
`endif

endmodule

`default_nettype wire
