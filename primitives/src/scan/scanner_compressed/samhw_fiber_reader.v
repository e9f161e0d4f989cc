// SPDX-License-Identifier: Apache-2.0
//
// Last stages of a scanner: bounds of fibers become their coordinates with their positions.
//
//   Consumes    in: lists with bounds begin..end, and what is not a list (see samhw_ref_skid);
//               crd_rsp {crd}: words that crd_req asked for.
//   Produces    crd_req {len, addr}: one per fiber that is not empty; out {crd, ref}: each
//               coordinate with its position. GROUP: neighbours of a fiber with equal
//               coordinates are one leaf, ref is the range of their positions {end, begin}.
//               BACK: the last coordinate first, each with a request of its own.
//   Throughput  one entry per cycle, also from fiber to fiber and from group to group; an empty
//               fiber or no list takes one cycle.
//   Latency     from in_ready to out, 2 cycles without a list; with one, 2 more than the answer
//               takes. With GROUP one more, and a leaf leaves when the next one begins.
//   Boundary    crd_req and out are registers; in_ready is combinational in crd_req_ready.
//   Parameters  REF_W bits of positions, CRD_W of coordinates, STOP_W, QUEUE_LOG2 (bursts in
//               flight), GROUP, BACK (without GROUP).
//   Reset       valid bits, queue pointers, place in the fiber; payloads are not reset.
`default_nettype none

module samhw_fiber_reader #(
    parameter REF_W      = 16,
    parameter CRD_W      = 16,
    parameter STOP_W     = 3,
    parameter QUEUE_LOG2 = 3,
    parameter GROUP      = 0,
    parameter BACK       = 0
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

    output wire                      out_valid,
    input  wire                      out_ready,
    output wire [2+STOP_W+(REF_W<<GROUP)+CRD_W-1:0] out_beat
);
    generate
        if (REF_W < 1 || CRD_W < 1 || STOP_W < 1 || QUEUE_LOG2 < 1
            || STOP_W > CRD_W
            || GROUP < 0 || GROUP > 1 || BACK < 0 || BACK > 1 || GROUP + BACK > 1) begin : g_parameters
            samhw_parameter_out_of_range refused ();
        end
    endgenerate

    localparam [STOP_W-1:0] NO_STOP = 0;
    localparam [REF_W-1:0]  NEXT    = 1;

    // Ask for the coordinates of each fiber that has some.
    wire             room;
    wire             crd_req_free = !crd_req_valid || crd_req_ready;
    wire [REF_W-1:0] in_len = in_end - in_begin;
    wire             fill   = in_list && in_begin != in_end;
    wire             asking;  // for the rest of a fiber, from its end
    assign in_ready = room && crd_req_free && !asking;
    wire             bound = in_valid && in_ready;

    wire               more = asking && crd_req_free;
    wire [2*REF_W-1:0] ask;
    generate
        if (BACK != 0) begin : g_back
            reg  [REF_W-1:0] left;  // requests of the fiber at hand that are still to come
            reg  [REF_W-1:0] past;  // one after the address of the next one
            wire [REF_W-1:0] at     = (asking ? past : in_end) - NEXT;
            assign           asking = left != {REF_W{1'b0}};
            assign           ask    = {NEXT, at};
            always @(posedge clk) begin
                if (bound || more)
                    past <= at;
                if (rst)
                    left <= {REF_W{1'b0}};
                else if (bound)
                    left <= fill ? in_len - NEXT : {REF_W{1'b0}};
                else if (more)
                    left <= left - NEXT;
            end
        end else begin : g_forth
            assign asking = 1'b0;
            assign ask    = {in_len, in_begin};
        end
    endgenerate

    always @(posedge clk) begin
        if (bound || more)
            crd_req_beat <= ask;
        if (rst)
            crd_req_valid <= 1'b0;
        else if (crd_req_free)
            crd_req_valid <= asking || (bound && fill);
    end

    wire              b_valid;
    wire              b_pop;
    wire              b_list;
    wire [STOP_W-1:0] b_stop;
    wire [STOP_W-1:0] b_hole;
    wire [REF_W-1:0]  b_len;
    wire [REF_W-1:0]  b_begin;
    samhw_queue #(.W(1+2*STOP_W+2*REF_W), .LOG2(QUEUE_LOG2), .SHOWN(1+REF_W)) u_bound (
        .clk(clk), .rst(rst),
        .in_valid(bound), .in_ready(room), .in_data({fill, in_len, in_stop, in_hole, in_begin}),
        .out_valid(b_valid), .out_ready(b_pop), .out_data({b_list, b_len, b_stop, b_hole, b_begin})
    );

    wire             c_valid;
    wire             c_pop;
    wire [CRD_W-1:0] c_crd;
    samhw_skid #(.W(CRD_W)) u_crd (
        .clk(clk), .rst(rst),
        .in_valid(crd_rsp_valid), .in_ready(crd_rsp_ready), .in_beat(crd_rsp_beat),
        .out_valid(c_valid), .out_ready(c_pop), .out_beat(c_crd)
    );

    // One item for each coordinate, or for what is not a list.
    reg  [REF_W-1:0]  place;  // coordinates of the fiber at hand that are through already
    reg  [REF_W-1:0]  count;  // and with the next one
    wire              last  = !b_list || count == b_len;
    wire              ready;
    wire              valid = b_valid && (c_valid || !b_list);
    wire              take  = valid && ready;
    wire [1:0]        kind  = {!b_list, !b_list && b_stop == NO_STOP};
    wire [STOP_W-1:0] stop  = last ? b_stop : NO_STOP;
    wire [REF_W-1:0]  step  = BACK != 0 ? b_len - count : place;
    wire [REF_W-1:0]  first = b_list ? b_begin + step : {REF_W{1'b0}};
    wire [CRD_W-1:0]  crd   = b_list ? c_crd : {{(CRD_W-STOP_W){1'b0}}, b_hole};
    assign b_pop = take && last;
    assign c_pop = take && b_list;

    always @(posedge clk)
        if (rst || b_pop) begin
            place <= {REF_W{1'b0}};
            count <= NEXT;
        end else if (take) begin
            place <= count;
            count <= count + NEXT;
        end

    generate
        if (GROUP != 0) begin : g_group
            samhw_run_group #(.REF_W(REF_W), .CRD_W(CRD_W), .STOP_W(STOP_W)) u_group (
                .clk(clk), .rst(rst),
                .in_valid(valid), .in_ready(ready), .in_list(b_list), .in_last(last),
                .in_beat({kind, stop, first, crd}),
                .out_valid(out_valid), .out_ready(out_ready), .out_beat(out_beat)
            );
        end else begin : g_entry
            reg                            full;
            reg [2+STOP_W+REF_W+CRD_W-1:0] beat;
            assign ready     = !full || out_ready;
            assign out_valid = full;
            assign out_beat  = beat;
            always @(posedge clk) begin
                if (take)
                    beat <= {kind, stop, first, crd};
                if (rst)
                    full <= 1'b0;
                else if (take || out_ready)
                    full <= take;
            end
        end
    endgenerate

`ifdef SAMHW_ASSERT
    always @(posedge clk)
        if (!rst && bound && in_list && in_end < in_begin) begin
            $display("samhw_fiber_reader: a fiber ends before it begins");
            $stop;
        end
`endif

endmodule

`default_nettype wire
