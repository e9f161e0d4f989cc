// SPDX-License-Identifier: Apache-2.0
//
// Locator of a compressed level: binary search for a coordinate in the parent's fiber.
//
//   Consumes    crd, parent: aligned leaf by leaf; seg_rsp {seg[r+1], seg[r]}; crd_rsp: a word.
//   Produces    found: their shape; leaves are positions, EMPTY where parent or crd is EMPTY or
//               the fiber does not have the coordinate; seg_req: r; crd_req {length 1, address}.
//   Throughput  a leaf at a time: with a memory round trip of R cycles from request register to
//               response skid a search with k probes takes R + 2 + k * (R + 2) cycles, and one
//               more if it misses; k <= 1 + log2(fiber length). Other beats take one cycle.
//   Latency     one cycle more than that.
//   Parameters  CRD_W; REF_IN_W bits of parent; REF_W bits of positions; STOP_W.
//   Reset       valid bits and state.
//   Source      "The Sparse Abstract Machine", section 4.2.
`default_nettype none

module samhw_locator_compressed #(
    parameter CRD_W    = 16,
    parameter REF_IN_W = 16,
    parameter REF_W    = 16,
    parameter STOP_W   = 3
) (
    input  wire                         clk,
    input  wire                         rst,

    input  wire                         crd_valid,
    output wire                         crd_ready,
    input  wire [2+STOP_W+CRD_W-1:0]    crd_beat,

    input  wire                         parent_valid,
    output wire                         parent_ready,
    input  wire [2+STOP_W+REF_IN_W-1:0] parent_beat,

    output reg                          seg_req_valid,
    input  wire                         seg_req_ready,
    output reg  [REF_IN_W-1:0]          seg_req_beat,

    input  wire                         seg_rsp_valid,
    output wire                         seg_rsp_ready,
    input  wire [2*REF_W-1:0]           seg_rsp_beat,

    output reg                          crd_req_valid,
    input  wire                         crd_req_ready,
    output wire [2*REF_W-1:0]           crd_req_beat,

    input  wire                         crd_rsp_valid,
    output wire                         crd_rsp_ready,
    input  wire [CRD_W-1:0]             crd_rsp_beat,

    output reg                          found_valid,
    input  wire                         found_ready,
    output reg  [2+STOP_W+REF_W-1:0]    found_beat
);
    generate
        if (CRD_W < 1 || REF_IN_W < 1 || REF_W < 1 || STOP_W < 1
            || STOP_W > CRD_W || STOP_W > REF_IN_W || STOP_W > REF_W) begin : g_parameters
            samhw_parameter_out_of_range refused ();
        end
    endgenerate

    `include "samhw_kinds.vh"
    localparam [REF_W-1:0] ONE   = 1;

    localparam [1:0] HEAD    = 2'd0;  // look at the head beats
    localparam [1:0] SEGMENT = 2'd1;  // wait for the fiber's bounds
    localparam [1:0] PROBE   = 2'd2;  // ask for the middle
    localparam [1:0] COMPARE = 2'd3;  // wait for it

    wire                c_valid;
    wire                pop;
    wire [1:0]          c_kind;
    wire [STOP_W-1:0]   c_stop;
    wire [CRD_W-1:0]    c_crd;
    samhw_skid #(.W(2+STOP_W+CRD_W)) u_crd (
        .clk(clk), .rst(rst),
        .in_valid(crd_valid), .in_ready(crd_ready), .in_beat(crd_beat),
        .out_valid(c_valid), .out_ready(pop), .out_beat({c_kind, c_stop, c_crd})
    );

    // The shape is that of crd.
    wire                p_valid;
    wire [1:0]          p_kind;
    wire [REF_IN_W-1:0] p_ref;
    samhw_skid #(.W(2+REF_IN_W)) u_parent (
        .clk(clk), .rst(rst),
        .in_valid(parent_valid), .in_ready(parent_ready),
        .in_beat({parent_beat[REF_IN_W+STOP_W +: 2], parent_beat[REF_IN_W-1:0]}),
        .out_valid(p_valid), .out_ready(pop), .out_beat({p_kind, p_ref})
    );

    wire             s_valid;
    wire             s_pop;
    wire [REF_W-1:0] s_begin;
    wire [REF_W-1:0] s_end;
    samhw_skid #(.W(2*REF_W)) u_seg_rsp (
        .clk(clk), .rst(rst),
        .in_valid(seg_rsp_valid), .in_ready(seg_rsp_ready), .in_beat(seg_rsp_beat),
        .out_valid(s_valid), .out_ready(s_pop), .out_beat({s_end, s_begin})
    );

    wire             x_valid;
    wire             x_pop;
    wire [CRD_W-1:0] x_crd;
    samhw_skid #(.W(CRD_W)) u_crd_rsp (
        .clk(clk), .rst(rst),
        .in_valid(crd_rsp_valid), .in_ready(crd_rsp_ready), .in_beat(crd_rsp_beat),
        .out_valid(x_valid), .out_ready(x_pop), .out_beat(x_crd)
    );

    reg  [1:0]       state;
    reg  [REF_W-1:0] low;     // the coordinate, if there, is in low .. high-1
    reg  [REF_W-1:0] high;
    reg  [REF_W-1:0] middle;
    wire [REF_W:0]   sum  = {1'b0, low} + {1'b0, high};

    wire both   = c_valid && p_valid;
    wire leaf   = !c_kind[1];
    wire search = leaf && !c_kind[0] && !p_kind[0];
    wire none   = low >= high;
    wire equal  = x_crd == c_crd;
    wire free   = !found_valid || found_ready;

    // A result: a head beat without search, a miss, or a hit.
    wire pass = state == HEAD && both && !search;
    wire miss = state == PROBE && none;
    wire hit  = state == COMPARE && x_valid && equal;
    wire put  = free && (pass || miss || hit);

    // At most one request is out, so its register is empty when the next one comes.
    wire ask_seg = state == HEAD && both && search;
    wire ask_crd = state == PROBE && !none;

    assign pop          = put;
    assign s_pop        = state == SEGMENT;
    assign x_pop        = state == COMPARE && (!equal || free);
    assign crd_req_beat = {ONE, middle};

    wire [STOP_W-1:0] hole = c_crd[STOP_W-1:0] & {STOP_W{c_kind == NIL}};

    always @(posedge clk) begin
        if (ask_seg)
            seg_req_beat <= p_ref;
        if (ask_crd)
            middle <= sum[REF_W:1];
        if (put)
            found_beat <= {leaf ? (hit ? DATA : EMPTY) : c_kind, c_stop,
                           hit ? middle : {{(REF_W-STOP_W){1'b0}}, hole}};
        if (state == SEGMENT) begin
            low  <= s_begin;
            high <= s_end;
        end else if (state == COMPARE && x_valid) begin
            if (x_crd < c_crd)
                low <= middle + ONE;
            else
                high <= middle;
        end
        if (rst) begin
            state         <= HEAD;
            seg_req_valid <= 1'b0;
            crd_req_valid <= 1'b0;
            found_valid   <= 1'b0;
        end else begin
            seg_req_valid <= ask_seg || (seg_req_valid && !seg_req_ready);
            crd_req_valid <= ask_crd || (crd_req_valid && !crd_req_ready);
            if (free)
                found_valid <= put;
            case (state)
                HEAD:    if (ask_seg) state <= SEGMENT;
                SEGMENT: if (s_valid) state <= PROBE;
                PROBE:   if (ask_crd) state <= COMPARE; else if (free) state <= HEAD;
                default: if (x_valid && x_pop) state <= equal ? HEAD : PROBE;
            endcase
        end
    end

`ifdef SAMHW_ASSERT
    always @(posedge clk)
        if (!rst && both && (c_kind[1] != p_kind[1]
                             || (c_kind[1] && (c_kind != p_kind || c_crd[STOP_W-1:0] != p_ref[STOP_W-1:0])))) begin
            $display("samhw_locator_compressed: crd and parent are not aligned");
            $stop;
        end
`endif

    wire _unused_ok = &{1'b0, parent_beat[REF_IN_W +: STOP_W], p_kind[1], sum[0], 1'b0};

endmodule

`default_nettype wire
