// SPDX-License-Identifier: Apache-2.0
//
// Locator of a hash level: a coordinate is in one of two slots, which are read at the same time.
//
//   Consumes    crd, parent: streams of one shape; way0_rsp, way1_rsp {there, position, parent, crd}:
//               the slots, in order.
//   Produces    way0_req, way1_req {addr}: one each per leaf with both; found: the shape of crd, EMPTY
//               where one is absent or neither slot holds the coordinate below the parent.
//   Throughput  one beat per cycle while the memories answer within 2**QUEUE_LOG2 - 3 cycles.
//   Latency     6 cycles with on-chip memories (samhw_mem_single).
//   Config      multiplier: chooses the slots; last: number of the last slot of a way, a power of two
//               less one; both stable while a run goes on.
//   Parameters  CRD_W; REF_IN_W bits of parent; ADDR_W of a slot's number, at most 32; REF_W of a
//               position; STOP_W (at most all of them); QUEUE_LOG2. CRD_W + REF_IN_W is at most 64.
//   Reset       valid bits; payloads are not reset.
//   Source      R. Pagh, F. Rodler: "Cuckoo Hashing", 2004; H. Krawczyk: "LFSR-based Hashing and
//               Authentication", 1994, for the slots' numbers.
`default_nettype none

module samhw_locator_hash #(
    parameter CRD_W      = 16,
    parameter REF_IN_W   = 16,
    parameter ADDR_W     = 16,
    parameter REF_W      = 16,
    parameter STOP_W     = 3,
    parameter QUEUE_LOG2 = 3
) (
    input  wire                            clk,
    input  wire                            rst,

    input  wire [63:0]                     multiplier,
    input  wire [ADDR_W-1:0]               last,

    input  wire                            crd_valid,
    output wire                            crd_ready,
    input  wire [2+STOP_W+CRD_W-1:0]       crd_beat,

    input  wire                            parent_valid,
    output wire                            parent_ready,
    input  wire [2+STOP_W+REF_IN_W-1:0]    parent_beat,

    output reg                             way0_req_valid,
    input  wire                            way0_req_ready,
    output reg  [ADDR_W-1:0]               way0_req_beat,

    input  wire                            way0_rsp_valid,
    output wire                            way0_rsp_ready,
    input  wire [1+REF_W+REF_IN_W+CRD_W-1:0] way0_rsp_beat,

    output reg                             way1_req_valid,
    input  wire                            way1_req_ready,
    output reg  [ADDR_W-1:0]               way1_req_beat,

    input  wire                            way1_rsp_valid,
    output wire                            way1_rsp_ready,
    input  wire [1+REF_W+REF_IN_W+CRD_W-1:0] way1_rsp_beat,

    output reg                             found_valid,
    input  wire                            found_ready,
    output reg  [2+STOP_W+REF_W-1:0]       found_beat
);
    generate
        if (CRD_W < 1 || REF_IN_W < 1 || REF_W < 1 || STOP_W < 1 || QUEUE_LOG2 < 1
            || ADDR_W < 1 || ADDR_W > 32
            || STOP_W > CRD_W || STOP_W > REF_IN_W || STOP_W > REF_W
            || CRD_W + REF_IN_W > 64) begin : g_parameters
            samhw_parameter_out_of_range refused ();
        end
    endgenerate

    `include "samhw_kinds.vh"
    localparam KEY_W = REF_IN_W + CRD_W;
    localparam SLOT  = 1 + REF_W + KEY_W;

    wire                c_valid;
    wire [1:0]          c_kind;
    wire [STOP_W-1:0]   c_stop;
    wire [CRD_W-1:0]    c_crd;
    wire                p_valid;
    wire [1:0]          p_kind;
    wire [REF_IN_W-1:0] p_ref;
    wire                step;
    samhw_skid #(.W(2+STOP_W+CRD_W)) u_crd (
        .clk(clk), .rst(rst),
        .in_valid(crd_valid), .in_ready(crd_ready), .in_beat(crd_beat),
        .out_valid(c_valid), .out_ready(step && p_valid), .out_beat({c_kind, c_stop, c_crd})
    );
    // The shape is that of crd.
    samhw_skid #(.W(2+REF_IN_W)) u_parent (
        .clk(clk), .rst(rst),
        .in_valid(parent_valid), .in_ready(parent_ready),
        .in_beat({parent_beat[REF_IN_W+STOP_W +: 2], parent_beat[REF_IN_W-1:0]}),
        .out_valid(p_valid), .out_ready(step && c_valid), .out_beat({p_kind, p_ref})
    );

    // Each bit of a slot's number is the parity of the key's bits where the multiplier, moved on, has ones.
    wire [KEY_W-1:0]  key   = {p_ref, c_crd};
    wire [127:0]      twice = {multiplier, multiplier};
    wire [ADDR_W-1:0] slot0;
    wire [ADDR_W-1:0] slot1;
    genvar g;
    generate
        for (g = 0; g < ADDR_W; g = g + 1) begin : g_slot
            assign slot0[g] = ^(key & twice[g +: KEY_W]);
            assign slot1[g] = ^(key & twice[32+g +: KEY_W]);
        end
    endgenerate

    wire       leaf = !c_kind[1];
    wire [1:0] kind = leaf ? (c_kind[0] || p_kind[0] ? EMPTY : DATA) : c_kind;
    wire       room;
    wire       take = step && c_valid && p_valid;
    wire       load = take && kind == DATA;
    assign step = room && (!way0_req_valid || way0_req_ready) && (!way1_req_valid || way1_req_ready);
    always @(posedge clk) begin
        if (load) begin
            way0_req_beat <= slot0 & last;
            way1_req_beat <= slot1 & last;
        end
        if (rst) begin
            way0_req_valid <= 1'b0;
            way1_req_valid <= 1'b0;
        end else begin
            way0_req_valid <= load || (way0_req_valid && !way0_req_ready);
            way1_req_valid <= load || (way1_req_valid && !way1_req_ready);
        end
    end

    wire              q_valid;
    wire              q_pop;
    wire [1:0]        q_kind;
    wire [STOP_W-1:0] q_stop;
    wire [KEY_W-1:0]  q_key;   // or the hole, in the low bits
    samhw_queue #(.W(2+KEY_W+STOP_W), .LOG2(QUEUE_LOG2), .SHOWN(2+KEY_W)) u_queue (
        .clk(clk), .rst(rst),
        .in_valid(take), .in_ready(room), .in_data({kind, key, c_stop}),
        .out_valid(q_valid), .out_ready(q_pop), .out_data({q_kind, q_key, q_stop})
    );

    wire            a_valid;
    wire            b_valid;
    wire            pop;
    wire [SLOT-1:0] a_slot;
    wire [SLOT-1:0] b_slot;
    samhw_skid #(.W(SLOT)) u_way0 (
        .clk(clk), .rst(rst),
        .in_valid(way0_rsp_valid), .in_ready(way0_rsp_ready), .in_beat(way0_rsp_beat),
        .out_valid(a_valid), .out_ready(pop), .out_beat(a_slot)
    );
    samhw_skid #(.W(SLOT)) u_way1 (
        .clk(clk), .rst(rst),
        .in_valid(way1_rsp_valid), .in_ready(way1_rsp_ready), .in_beat(way1_rsp_beat),
        .out_valid(b_valid), .out_ready(pop), .out_beat(b_slot)
    );

    reg  s_valid;
    wire asked = q_kind == DATA;
    wire free  = !found_valid || found_ready;
    wire emit  = q_valid && (!asked || (a_valid && b_valid)) && (!s_valid || free);
    assign q_pop = emit;
    assign pop   = emit && asked;

    reg  [1:0]        s_kind;
    reg  [STOP_W-1:0] s_stop;
    reg               s_a;
    reg               s_b;
    reg  [REF_W-1:0]  s_a_ref;
    reg  [REF_W-1:0]  s_b_ref;
    reg  [STOP_W-1:0] s_hole;
    always @(posedge clk) begin
        if (emit) begin
            s_kind  <= q_kind;
            s_stop  <= q_stop;
            s_hole  <= q_key[STOP_W-1:0] & {STOP_W{q_kind[1]}};
            s_a     <= asked && a_slot[SLOT-1] && a_slot[KEY_W-1:0] == q_key;
            s_b     <= asked && b_slot[SLOT-1] && b_slot[KEY_W-1:0] == q_key;
            s_a_ref <= a_slot[KEY_W +: REF_W];
            s_b_ref <= b_slot[KEY_W +: REF_W];
        end
        if (rst)
            s_valid <= 1'b0;
        else if (emit || free)
            s_valid <= emit;
    end

    wire [REF_W-1:0] hole = {{(REF_W-STOP_W){1'b0}}, s_hole};
    always @(posedge clk) begin
        if (free)
            found_beat <= {s_kind == DATA && !s_a && !s_b ? EMPTY : s_kind, s_stop,
                           (s_a_ref & {REF_W{s_a}}) | (s_b_ref & {REF_W{s_b}}) | hole};
        if (rst)
            found_valid <= 1'b0;
        else if (free)
            found_valid <= s_valid;
    end

`ifdef SAMHW_ASSERT
    always @(posedge clk)
        if (!rst && take
            && (c_kind[1] != p_kind[1]
                || (c_kind[1] && (c_kind != p_kind || c_crd[STOP_W-1:0] != p_ref[STOP_W-1:0])))) begin
            $display("samhw_locator_hash: crd and parent are not aligned");
            $stop;
        end
`endif

    wire _unused_ok = &{1'b0, parent_beat[REF_IN_W +: STOP_W], p_kind[1], twice, 1'b0};

endmodule

`default_nettype wire
