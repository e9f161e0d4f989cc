// SPDX-License-Identifier: Apache-2.0
//
// First stage of a scanner of segments: each reference becomes the bounds of its fiber.
//
//   Consumes    ref: stream of depth d; seg_rsp {end, begin}: seg[ref+1] and seg[ref], answers
//               to seg_req.
//   Produces    seg_req {addr}: one per DATA leaf; then what samhw_ref_skid makes of the beat,
//               a list with its bounds.
//   Throughput  one beat per cycle, while the memory answers within 2**QUEUE_LOG2 - 3 cycles.
//   Latency     2 cycles without a list; with one, 3 more than the answer takes.
//   Boundary    out_valid and all that is out depend on registers alone.
//   Parameters  REF_IN_W bits of references, REF_W of the words of seg, STOP_W, QUEUE_LOG2.
//   Reset       valid bits, queue pointers.
`default_nettype none

module samhw_segment_fetch #(
    parameter REF_IN_W   = 16,
    parameter REF_W      = 16,
    parameter STOP_W     = 3,
    parameter QUEUE_LOG2 = 3
) (
    input  wire                         clk,
    input  wire                         rst,

    input  wire                         ref_valid,
    output wire                         ref_ready,
    input  wire [2+STOP_W+REF_IN_W-1:0] ref_beat,

    output reg                          seg_req_valid,
    input  wire                         seg_req_ready,
    output reg  [REF_IN_W-1:0]          seg_req_beat,

    input  wire                         seg_rsp_valid,
    output wire                         seg_rsp_ready,
    input  wire [2*REF_W-1:0]           seg_rsp_beat,

    output wire                         out_valid,
    input  wire                         out_ready,
    output wire                         out_list,
    output wire [STOP_W-1:0]            out_stop,
    output wire [STOP_W-1:0]            out_hole,
    output wire [REF_W-1:0]             out_begin,
    output wire [REF_W-1:0]             out_end
);
    generate
        if (REF_IN_W < 1 || REF_W < 1 || STOP_W < 1 || QUEUE_LOG2 < 1
            || STOP_W > REF_IN_W) begin : g_parameters
            samhw_parameter_out_of_range refused ();
        end
    endgenerate

    wire                r_valid;
    wire                r_list;
    wire [STOP_W-1:0]   r_stop;
    wire [STOP_W-1:0]   r_hole;
    wire [REF_IN_W-1:0] r_ref;
    wire                room;
    wire                seg_req_free = !seg_req_valid || seg_req_ready;
    wire                r_pop = room && seg_req_free;
    wire                fetch = r_valid && r_pop;
    samhw_ref_skid #(.REF_W(REF_IN_W), .STOP_W(STOP_W)) u_ref (
        .clk(clk), .rst(rst),
        .ref_valid(ref_valid), .ref_ready(ref_ready), .ref_beat(ref_beat),
        .out_valid(r_valid), .out_ready(r_pop),
        .out_list(r_list), .out_stop(r_stop), .out_hole(r_hole), .out_ref(r_ref)
    );

    always @(posedge clk) begin
        if (fetch)
            seg_req_beat <= r_ref;
        if (rst)
            seg_req_valid <= 1'b0;
        else if (seg_req_free)
            seg_req_valid <= fetch && r_list;
    end

    wire a_valid;
    wire s_valid;
    wire pop = out_valid && out_ready;
    samhw_queue #(.W(1+2*STOP_W), .LOG2(QUEUE_LOG2)) u_fetched (
        .clk(clk), .rst(rst),
        .in_valid(fetch), .in_ready(room), .in_data({r_list, r_stop, r_hole}),
        .out_valid(a_valid), .out_ready(pop), .out_data({out_list, out_stop, out_hole})
    );
    samhw_skid #(.W(2*REF_W)) u_seg (
        .clk(clk), .rst(rst),
        .in_valid(seg_rsp_valid), .in_ready(seg_rsp_ready), .in_beat(seg_rsp_beat),
        .out_valid(s_valid), .out_ready(pop && out_list), .out_beat({out_end, out_begin})
    );
    assign out_valid = a_valid && (s_valid || !out_list);

endmodule

`default_nettype wire
