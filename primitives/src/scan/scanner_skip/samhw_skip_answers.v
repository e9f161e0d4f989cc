// SPDX-License-Identifier: Apache-2.0
//
// Part of samhw_scanner_skip: what an answer of the memory is.
//
//   Contract    Answers come in the order of notes, and none before its note. One whose note says `store` is
//               stored; one that is neither stored nor has a fiber's last coordinate is a probe's. Where it
//               has the last coordinate, and nothing else tells that, `last` tells it with the fiber's
//               number; it is lost if `last` holds another one.
//   Boundary    last is a register; store and probe are combinational in rsp_valid.
//   Parameters  CRD_W bits of a coordinate, REF_W of a number of them, TAG_W of a fiber's number; up to
//               2**OPEN_LOG2 answers are under way; 2 * 2**WIDE_LOG2 coordinates come at a time.
//   Reset       valid bits, queue pointers.
`default_nettype none

module samhw_skip_answers #(
    parameter CRD_W     = 16,
    parameter REF_W     = 16,
    parameter TAG_W     = 6,
    parameter OPEN_LOG2 = 4,
    parameter WIDE_LOG2 = 0
) (
    input  wire                             clk,
    input  wire                             rst,

    input  wire                             note_valid,
    input  wire                             note_store,
    input  wire                             note_tail,
    input  wire                             note_tells,
    input  wire [TAG_W-1:0]                 note_tag,
    input  wire [REF_W-1:0]                 note_left,

    input  wire                             rsp_valid,
    input  wire [(CRD_W<<WIDE_LOG2)*2-1:0]  rsp_beat,
    output wire                             store,
    output wire                             probe,

    output reg                              last_valid,
    input  wire                             last_ready,
    output reg  [CRD_W+1+TAG_W-1:0]         last_beat
);
    generate
        if (CRD_W < 1 || REF_W < 1 || TAG_W < 1 || OPEN_LOG2 < 1 || WIDE_LOG2 < 0) begin : g_parameters
            samhw_parameter_out_of_range refused ();
        end
    endgenerate

    localparam LANE_W = WIDE_LOG2 + 1;
    localparam [LANE_W-1:0] ONE = 1;

    // In which lane its fiber ends, if it does.
    localparam COUNT_W = REF_W + LANE_W + 1;
    wire [COUNT_W-1:0] left = {{(COUNT_W-REF_W){1'b0}}, note_left};
    wire [LANE_W-1:0]  lane = left[LANE_W-1:0] - ONE;
    wire               ends = left >> (LANE_W + 1) == 0 && !(left[LANE_W] && left[LANE_W-1:0] != 0);

    wire              m_valid;
    wire              m_room;
    wire              m_store;
    wire              m_has;
    wire [LANE_W-1:0] m_lane;
    wire [TAG_W-1:0]  m_tag;
    samhw_queue #(.W(2+LANE_W+TAG_W), .LOG2(OPEN_LOG2), .SHOWN(2+LANE_W)) u_asked (
        .clk(clk), .rst(rst),
        .in_valid(note_valid), .in_ready(m_room),
        .in_data({note_store, note_tail || (note_tells && ends), lane | {LANE_W{note_tail}}, note_tag}),
        .out_valid(m_valid), .out_ready(rsp_valid), .out_data({m_store, m_has, m_lane, m_tag})
    );

    wire tell = rsp_valid && m_has && (!last_valid || last_ready);
    assign store = rsp_valid && m_store;
    assign probe = rsp_valid && !m_store && !m_has;
    always @(posedge clk) begin
        if (tell)
            last_beat <= {rsp_beat[m_lane*CRD_W +: CRD_W], 1'b0, m_tag};
        if (rst)
            last_valid <= 1'b0;
        else if (tell || last_ready)
            last_valid <= tell;
    end

    wire _unused_ok = &{1'b0, m_valid, m_room, 1'b0};

endmodule

`default_nettype wire
