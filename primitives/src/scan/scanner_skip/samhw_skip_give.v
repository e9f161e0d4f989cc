// SPDX-License-Identifier: Apache-2.0
//
// Part of samhw_scanner_skip: what is given of the front, and what is left out.
//
//   Contract    Of each fiber's groups, which come in order, pairs at a time: given is every one that is not
//               `low`, and the one with which the fiber ends; the fiber ends with the first one given that
//               `closes` it, as its last one does, or comes when it is `over`. Nothing is given behind that.
//               A beat of an item that is no list is given as it is.
//   Left out    Of two groups that are low the second is given where there is room, and so is one alone: that
//               takes no longer, and other operands of the joiner may go on meanwhile.
//   Boundary    out is a register; what is out else is combinational in it, the front, and the item.
//   Parameters  CRD_W bits of a coordinate, REF_W of a position, STOP_W; groups have 2**WIDE_LOG2 coordinates.
//   Reset       the valid bit, and which group of the pair is next.
`default_nettype none

module samhw_skip_give #(
    parameter CRD_W     = 16,
    parameter REF_W     = 16,
    parameter STOP_W    = 3,
    parameter WIDE_LOG2 = 0
) (
    input  wire                             clk,
    input  wire                             rst,

    // The item at hand: a list, or what is none.
    input  wire                             item_valid,
    input  wire                             item_list,
    input  wire [STOP_W-1:0]                item_stop,
    input  wire [STOP_W-1:0]                item_hole,
    input  wire                             over,

    // The front: see samhw_skip_buffer.
    input  wire                             here,
    input  wire [(CRD_W<<WIDE_LOG2)*2-1:0]  pair,
    input  wire [REF_W-1:0]                 place,
    input  wire [WIDE_LOG2+1:0]             ends,
    input  wire [1:0]                       low,
    input  wire [1:0]                       closes,
    input  wire                             passed,   // it is passed over, whatever is decided here

    output wire                             through,  // the pair is done with
    output wire                             leave,    // the item is
    output wire                             drop,     // ... and it is a list

    output reg                              out_valid,
    input  wire                             out_ready,
    output reg  [2+STOP_W+REF_W+WIDE_LOG2+(CRD_W<<WIDE_LOG2)-1:0] out_beat
);
    generate
        if (CRD_W < 1 || REF_W < 1 || STOP_W < 1 || WIDE_LOG2 < 0) begin : g_parameters
            samhw_parameter_out_of_range refused ();
        end
    endgenerate

    localparam WIDE  = 1 << WIDE_LOG2;
    localparam GROUP = CRD_W << WIDE_LOG2;
    localparam [REF_W-1:0]  STEP    = WIDE;
    localparam [STOP_W-1:0] NO_STOP = 0;

    reg              second;   // the lower group is through
    wire             end1     = ends[WIDE_LOG2];
    wire             item     = item_valid && (here || !item_list);
    wire             free     = !out_valid || out_ready;
    wire             last     = over || (second ? closes[1] : closes[0]);
    wire             left_out = second ? low[1] : low[0];
    wire             both     = !second && low == 2'd3 && !end1 && !last;
    wire             upper    = second || both;
    wire             put      = item && free;
    wire             step     = item && item_list && (free || (left_out && !last));
    wire             passes   = last ? free : second ? free || low[1] : low == 2'd3 && !end1;
    assign through = item_valid && item_list && passes;
    assign leave   = put && (last || !item_list);
    assign drop    = leave && item_list;

    // The group that is given; position of its first coordinate, number of its coordinates less one.
    wire [GROUP-1:0]           group;
    wire [REF_W-1:0]           first = upper ? place + STEP : place;
    wire [REF_W+WIDE_LOG2-1:0] first_count;
    generate
        if (WIDE_LOG2 == 0) begin : g_one
            assign group       = upper ? pair[GROUP +: GROUP] : pair[GROUP-1:0];
            assign first_count = first;
        end else begin : g_wide
            // Lanes beyond the fiber's last coordinate repeat it.
            wire                 partly  = upper ? end1 : ends[WIDE_LOG2+1];
            wire [WIDE_LOG2-1:0] lane    = ends[WIDE_LOG2-1:0];
            wire [CRD_W-1:0]     largest = pair[ends[WIDE_LOG2:0]*CRD_W +: CRD_W];
            assign first_count = {first, lane | {WIDE_LOG2{!partly}}};
            assign group[CRD_W-1:0] = upper ? pair[GROUP +: CRD_W] : pair[CRD_W-1:0];
            genvar l;
            for (l = 1; l < WIDE; l = l + 1) begin : g_lane
                localparam [WIDE_LOG2-1:0] LANE = l;
                wire beyond = LANE > lane;
                assign group[l*CRD_W +: CRD_W] = partly && beyond ? largest
                                               : upper ? pair[GROUP+l*CRD_W +: CRD_W] : pair[l*CRD_W +: CRD_W];
            end
        end
    endgenerate

    always @(posedge clk) begin
        if (put)
            out_beat <= {!item_list, !item_list && item_stop == NO_STOP, leave ? item_stop : NO_STOP,
                         item_list ? first_count : {(REF_W+WIDE_LOG2){1'b0}},
                         item_list ? group : {{(GROUP-STOP_W){1'b0}}, item_hole}};
        if (rst) begin
            out_valid <= 1'b0;
            second    <= 1'b0;
        end else begin
            if (free)
                out_valid <= put;
            if (leave || passed)
                second <= 1'b0;
            else if (step)
                second <= !second && !both;
        end
    end

endmodule

`default_nettype wire
