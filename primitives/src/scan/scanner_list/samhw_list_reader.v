// SPDX-License-Identifier: Apache-2.0
//
// Last stages of a scanner of linked lists: ends of lists become their coordinates with their places.
//
//   Consumes    in: lists from place begin to before end (none if they are equal), and what is not a list (see
//               samhw_ref_skid); next_rsp {place}, crd_rsp {crd}: words that next_req and crd_req asked for.
//   Produces    crd_req {addr}: the places of each list in its order; next_req {addr}: the same but for its
//               last place; out {crd, ref}: each coordinate with its place.
//   Throughput  one entry per cycle of lists of one; of others one in a cycle more than next_req takes to its
//               answer, 3 with an on-chip memory; what is empty or no list takes one cycle.
//   Latency     from in_ready to out, 2 cycles without a list; with one, 2 more than crd_req takes to its answer.
//   Boundary    requests and out are registers; in_ready is combinational in the requests' ready.
//   Parameters  REF_W bits of places, CRD_W of coordinates, STOP_W, QUEUE_LOG2 (coordinates in flight).
//   Reset       valid bits, queue pointers, whether a list is under way; payloads are not reset.
`default_nettype none

module samhw_list_reader #(
    parameter REF_W      = 16,
    parameter CRD_W      = 16,
    parameter STOP_W     = 3,
    parameter QUEUE_LOG2 = 3
) (
    input  wire                            clk,
    input  wire                            rst,

    input  wire                            in_valid,
    output wire                            in_ready,
    input  wire                            in_list,
    input  wire [STOP_W-1:0]               in_stop,
    input  wire [STOP_W-1:0]               in_hole,
    input  wire [REF_W-1:0]                in_begin,
    input  wire [REF_W-1:0]                in_end,

    output reg                             next_req_valid,
    input  wire                            next_req_ready,
    output reg  [REF_W-1:0]                next_req_beat,

    input  wire                            next_rsp_valid,
    output wire                            next_rsp_ready,
    input  wire [REF_W-1:0]                next_rsp_beat,

    output reg                             crd_req_valid,
    input  wire                            crd_req_ready,
    output reg  [REF_W-1:0]                crd_req_beat,

    input  wire                            crd_rsp_valid,
    output wire                            crd_rsp_ready,
    input  wire [CRD_W-1:0]                crd_rsp_beat,

    output reg                             out_valid,
    input  wire                            out_ready,
    output reg  [2+STOP_W+REF_W+CRD_W-1:0] out_beat
);
    generate
        if (REF_W < 1 || CRD_W < 1 || STOP_W < 1 || QUEUE_LOG2 < 1 || STOP_W > CRD_W) begin : g_parameters
            samhw_parameter_out_of_range refused ();
        end
    endgenerate

    localparam [STOP_W-1:0] NO_STOP = 0;
    localparam [REF_W-1:0]  ONE     = 1;

    // The place at hand: the first of its list, or the one that follows.
    reg              walks;
    wire             n_valid;
    wire [REF_W-1:0] n_place;
    wire             room;
    wire             next_free = !next_req_valid || next_req_ready;
    wire             crd_free  = !crd_req_valid || crd_req_ready;
    wire             fill  = in_list && in_begin != in_end;
    wire [REF_W-1:0] place = walks ? n_place : in_begin;
    wire [REF_W-1:0] end_  = in_end - ONE;  // the last place
    wire             last  = !fill || place == end_;
    wire             go    = in_valid && room && next_free && crd_free && (!walks || n_valid);
    assign in_ready = go && last;
    samhw_skid #(.W(REF_W)) u_next (
        .clk(clk), .rst(rst),
        .in_valid(next_rsp_valid), .in_ready(next_rsp_ready), .in_beat(next_rsp_beat),
        .out_valid(n_valid), .out_ready(go && walks), .out_beat(n_place)
    );

    always @(posedge clk) begin
        if (go) begin
            next_req_beat <= place;
            crd_req_beat  <= place;
        end
        if (rst) begin
            walks          <= 1'b0;
            next_req_valid <= 1'b0;
            crd_req_valid  <= 1'b0;
        end else begin
            if (go)
                walks <= !last;
            if (next_free)
                next_req_valid <= go && !last;
            if (crd_free)
                crd_req_valid <= go && fill;
        end
    end

    wire              b_valid;
    wire              b_entry;
    wire [STOP_W-1:0] b_stop;
    wire [STOP_W-1:0] b_hole;
    wire [REF_W-1:0]  b_place;
    wire              c_valid;
    wire [CRD_W-1:0]  c_crd;
    wire              take = b_valid && (c_valid || !b_entry) && (!out_valid || out_ready);
    samhw_queue #(.W(1+2*STOP_W+REF_W), .LOG2(QUEUE_LOG2)) u_entries (
        .clk(clk), .rst(rst),
        .in_valid(go), .in_ready(room), .in_data({fill, last ? in_stop : NO_STOP, in_hole, place}),
        .out_valid(b_valid), .out_ready(take), .out_data({b_entry, b_stop, b_hole, b_place})
    );
    samhw_skid #(.W(CRD_W)) u_crd (
        .clk(clk), .rst(rst),
        .in_valid(crd_rsp_valid), .in_ready(crd_rsp_ready), .in_beat(crd_rsp_beat),
        .out_valid(c_valid), .out_ready(take && b_entry), .out_beat(c_crd)
    );

    always @(posedge clk) begin
        if (take)
            out_beat <= {!b_entry, !b_entry && b_stop == NO_STOP, b_stop,
                         b_place & {REF_W{b_entry}}, b_entry ? c_crd : {{(CRD_W-STOP_W){1'b0}}, b_hole}};
        if (rst)
            out_valid <= 1'b0;
        else if (take || out_ready)
            out_valid <= take;
    end

`ifdef SAMHW_ASSERT
    always @(posedge clk)
        if (!rst && go && in_list && (in_end < in_begin || (walks && place >= in_end))) begin
            $display("samhw_list_reader: a list leads beyond its end");
            $stop;
        end
`endif

endmodule

`default_nettype wire
