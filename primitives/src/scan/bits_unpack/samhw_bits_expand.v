// SPDX-License-Identifier: Apache-2.0
//
// Expands the words of a bitvector level: each set bit becomes a coordinate and its position.
//
//   Consumes    in: pairs (word, rank) of depth d; bit b of the w-th word of a fiber is coordinate
//               w*WIDTH + b, rank the position of the word's lowest one.
//   Produces    out: pairs (coordinate, position) of depth d. Where cut is 1 each word of the fiber at hand
//               gives one coordinate more at most, the current one two. leaves: the last step of a fiber is
//               made.
//   Throughput  one coordinate per cycle; a word without any takes one cycle.
//   Latency     4 cycles for the last beat of a fiber; others leave with the next one.
//   Parameters  WIDTH bits of a word, 2**WIDTH_LOG2, taken in groups of 2**GROUP_LOG2; CRD_W, REF_W; STOP_W
//               (at most WIDTH).
//   Reset       valid and state bits; payloads are not reset.
//   Source      "The Sparse Abstract Machine", section 4.3.
`default_nettype none

module samhw_bits_expand #(
    parameter WIDTH      = 64,
    parameter WIDTH_LOG2 = 6,
    parameter GROUP_LOG2 = 3,
    parameter CRD_W      = 16,
    parameter REF_W      = 16,
    parameter STOP_W     = 3
) (
    input  wire                            clk,
    input  wire                            rst,

    input  wire                            in_valid,
    output wire                            in_ready,
    input  wire [2+STOP_W+REF_W+WIDTH-1:0] in_beat,

    output wire                            out_valid,
    input  wire                            out_ready,
    output wire [2+STOP_W+REF_W+CRD_W-1:0] out_beat,

    input  wire                            cut,
    output wire                            leaves
);
    generate
        if (CRD_W < 1 || REF_W < 1 || STOP_W < 1
            || WIDTH_LOG2 < 1 || WIDTH != 1 << WIDTH_LOG2
            || GROUP_LOG2 < 0 || GROUP_LOG2 > WIDTH_LOG2
            || STOP_W > WIDTH) begin : g_parameters
            samhw_parameter_out_of_range refused ();
        end
    endgenerate

    localparam HOLD_W = 2 + REF_W + WIDTH_LOG2 + CRD_W;
    localparam [STOP_W-1:0] NO_STOP = 0;

    wire                  go;
    wire                  valid;
    wire                  found;
    wire                  none;
    wire                  low;
    wire [STOP_W-1:0]     hole;
    wire                  more;
    wire                  ends;
    wire [STOP_W-1:0]     stop;
    wire [CRD_W-1:0]      crd;
    wire                  take;
    wire [REF_W-1:0]      rank;
    wire [WIDTH_LOG2-1:0] below;
    wire                  room;
    samhw_bit_walk #(
        .N(1), .WIDTH(WIDTH), .WIDTH_LOG2(WIDTH_LOG2), .GROUP_LOG2(GROUP_LOG2), .CRD_W(CRD_W), .REF_W(REF_W),
        .STOP_W(STOP_W)
    ) u_walk (
        .clk(clk), .rst(rst),
        .in_valid(in_valid), .in_ready(in_ready), .in_beat(in_beat),
        .out_valid(valid), .out_ready(room), .cut(cut), .found(found), .none(none), .low(low), .hole(hole),
        .more(more), .ends(ends), .stop(stop), .crd(crd), .take(take), .rank(rank), .below(below)
    );
    assign go     = valid && room;
    assign leaves = go && ends;

    wire                        waiting;
    wire                        push  = go && (found || (ends && !waiting));
    wire                        close = go && ends && !found && waiting;
    wire [HOLD_W-1:0]           held;
    wire [REF_W+WIDTH_LOG2-1:0] wide_below = {{REF_W{1'b0}}, held[CRD_W +: WIDTH_LOG2]};
    wire                        out_none;
    wire                        out_low;
    wire [STOP_W-1:0]           out_stop;
    wire [CRD_W-1:0]            out_crd;
    wire [REF_W-1:0]            out_ref;
    // A bit that more of its word follow need not wait for what comes after the word.
    samhw_hold #(.W(HOLD_W), .OUT_W(2+REF_W+CRD_W), .STOP_W(STOP_W)) u_hold (
        .clk(clk), .rst(rst),
        .room(room), .waiting(waiting), .push(push), .close(close), .last(ends || more),
        .in_stop(ends ? stop : NO_STOP),
        .in_data({!found, none && low, found ? rank : {REF_W{1'b0}}, found ? below : {WIDTH_LOG2{1'b0}},
                  found ? crd : {{(CRD_W-STOP_W){1'b0}}, hole}}),
        .held_data(held),
        .out_next({held[HOLD_W-1 -: 2], held[CRD_W+WIDTH_LOG2 +: REF_W] + wide_below[REF_W-1:0], held[CRD_W-1:0]}),
        .out_valid(out_valid), .out_ready(out_ready),
        .out_stop(out_stop), .out_data({out_none, out_low, out_ref, out_crd})
    );
    assign out_beat = {out_none, out_low, out_stop, out_ref, out_crd};

    wire _unused_ok = &{1'b0, take, wide_below, 1'b0};

endmodule

`default_nettype wire
