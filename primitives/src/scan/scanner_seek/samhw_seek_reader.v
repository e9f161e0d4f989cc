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
    generate
        if (REF_W < 1 || CRD_W < 1 || STOP_W < 1 || QUEUE_LOG2 < 1
            || STOP_W > CRD_W
            || NEAR == 0 || NEAR > LONG) begin : g_parameters
            samhw_parameter_out_of_range refused ();
        end
    endgenerate

    localparam [STOP_W-1:0] NO_STOP = 0;
    localparam [REF_W-1:0]  NEXT    = 1;
    localparam [REF_W+1:0]  ONE     = 1;

    // A sum of three has but one carry chain.
    function [REF_W+1:0] sum(input [REF_W+1:0] a, input [REF_W+1:0] b, input [REF_W+1:0] c);
        sum = (a ^ b ^ c) + (((a & b) | (a & c) | (b & c)) << 1);
    endfunction

    // A long list is taken and kept here: LO is looked for in it, then HI, then what is between is handed on.
    // All others pass.
    localparam [1:0] PASS  = 2'd0;
    localparam [1:0] BELOW = 2'd1;
    localparam [1:0] ABOVE = 2'd2;
    localparam [1:0] GO    = 2'd3;
    reg [1:0]        state;
    reg              asked;                          // a probe is on its way
    reg [STOP_W-1:0] stop;
    reg [STOP_W-1:0] hole;
    reg [REF_W-1:0]  from;
    reg [REF_W-1:0]  low;
    reg [REF_W-1:0]  high;
    reg [REF_W-1:0]  end_of;

    wire             room;
    wire             b_valid;
    wire             crd_req_free = !crd_req_valid || crd_req_ready;
    wire             passes  = state == PASS;
    wire [REF_W+1:0] spare   = sum({2'b00, in_begin}, {2'b11, ~in_end}, {1'b0, LONG} + ONE);
    wire             long    = in_list && spare[REF_W+1];
    wire [REF_W-1:0] begins  = passes ? in_begin : from;
    wire [REF_W-1:0] ends    = passes ? in_end : high;
    wire [REF_W-1:0] in_len  = ends - begins;
    wire             fill    = (in_list || !passes) && begins != ends;
    wire             may     = room && crd_req_free;
    assign in_ready = passes && may;
    wire             takes   = in_valid && in_ready;
    wire             bound   = (takes && !long) || (state == GO && may);

    wire             c_valid;
    wire             c_pop;
    wire [CRD_W-1:0] c_crd;
    wire [REF_W+1:0] spread  = sum({2'b00, low}, {2'b11, ~high}, {1'b0, NEAR} + ONE);
    wire [REF_W:0]   both    = {1'b0, low} + {1'b0, high};
    wire [REF_W+1:0] higher  = sum({2'b00, low}, {2'b00, high}, ONE << 1);
    wire [REF_W-1:0] middle  = both[REF_W:1];
    // Nothing is below 0 or beyond the largest coordinate.
    wire             needless = state == BELOW ? LO == {(CRD_W+1){1'b0}} : HI[CRD_W];
    wire             found   = needless || !spread[REF_W+1];
    wire             looking = state == BELOW || state == ABOVE;
    // What was handed on before is out, so what is read next is the probe's answer.
    wire             turn    = looking && !asked && !b_valid;
    wire             probe   = turn && !found && crd_req_free;
    wire             answer  = looking && asked && c_valid;
    wire             less    = {1'b0, c_crd} < (state == BELOW ? LO : HI);

    always @(posedge clk) begin
        // What is not valid may be anything.
        if (crd_req_free)
            crd_req_beat <= looking ? {NEXT, middle} : {in_len, begins};
        if (state == BELOW)
            from <= low;
        if (passes) begin
            {stop, hole} <= {in_stop, in_hole};
            {low, high, end_of} <= {in_begin, in_end, in_end};
        end else if (state == BELOW && turn && found)
            high <= end_of;
        else if (answer && less)
            low <= higher[REF_W:1];
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
                PASS:    if (takes && long) state <= BELOW;
                BELOW:   if (turn && found) state <= ABOVE;
                ABOVE:   if (turn && found) state <= GO;
                default: if (may) state <= PASS;
            endcase
        end
    end

    wire              b_pop;
    wire              b_list;
    wire [STOP_W-1:0] b_stop;
    wire [STOP_W-1:0] b_hole;
    wire [REF_W-1:0]  b_len;
    wire [REF_W-1:0]  b_begin;
    samhw_queue #(.W(1+2*STOP_W+2*REF_W), .LOG2(QUEUE_LOG2), .SHOWN(1+REF_W)) u_bound (
        .clk(clk), .rst(rst),
        .in_valid(bound), .in_ready(room),
        .in_data({fill, in_len, passes ? in_stop : stop, passes ? in_hole : hole, begins}),
        .out_valid(b_valid), .out_ready(b_pop), .out_data({b_list, b_len, b_stop, b_hole, b_begin})
    );
    samhw_skid #(.W(CRD_W)) u_crd (
        .clk(clk), .rst(rst),
        .in_valid(crd_rsp_valid), .in_ready(crd_rsp_ready), .in_beat(crd_rsp_beat),
        .out_valid(c_valid), .out_ready(c_pop), .out_beat(c_crd)
    );

    // One item for each coordinate, or for what is not a list.
    reg  [REF_W-1:0]  place;  // coordinates of the fiber at hand that are through already
    reg  [REF_W-1:0]  count;  // and with the next one
    wire              last  = !b_list || count == b_len;
    wire              take  = b_valid && (c_valid || !b_list) && (!out_valid || out_ready);
    assign b_pop = take && last;
    assign c_pop = (take && b_list) || answer;

    always @(posedge clk) begin
        if (take)
            out_beat <= {!b_list, !b_list && b_stop == NO_STOP, last ? b_stop : NO_STOP,
                         b_list ? b_begin + place : {REF_W{1'b0}},
                         b_list ? c_crd : {{(CRD_W-STOP_W){1'b0}}, b_hole}};
        if (rst)
            out_valid <= 1'b0;
        else if (take || out_ready)
            out_valid <= take;
        if (rst || b_pop) begin
            place <= {REF_W{1'b0}};
            count <= NEXT;
        end else if (take) begin
            place <= count;
            count <= count + NEXT;
        end
    end

    wire _unused_ok = &{1'b0, spare, spread, both, higher, 1'b0};

`ifdef SAMHW_ASSERT
    always @(posedge clk)
        if (!rst && in_valid && in_list && in_end < in_begin) begin
            $display("samhw_seek_reader: a fiber ends before it begins");
            $stop;
        end
`endif

endmodule

`default_nettype wire
