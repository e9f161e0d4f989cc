// SPDX-License-Identifier: Apache-2.0
//
// Joins the fibers of N bitvector levels word by word, and unpacks the result.
//
//   Consumes    in[k]: pairs (word, rank) of depth d, aligned leaf by leaf; bit b of the w-th word of a
//               fiber is coordinate w*WIDTH + b, rank its operand's position of the lowest one.
//   Produces    as samhw_joiner: crd: the coordinates with EMIT[P]; ref[k]: the position of operand k where
//               P has it and KEEP[k][P] is set, EMPTY elsewhere. All of depth d. Where cut is 1 each word
//               of the fiber at hand gives one coordinate more at most, the current one two. leaves: the
//               last step of a fiber is made.
//   Throughput  one coordinate per cycle; a word without any takes one cycle.
//   Latency     4 cycles for the last beat of a fiber; others leave with the next one.
//   Parameters  N operands; WIDTH bits of a word, 2**WIDTH_LOG2, taken in groups of 2**GROUP_LOG2; CRD_W,
//               REF_W; STOP_W (at most WIDTH); EMIT, KEEP, USED as in samhw_joiner; UNEVEN as in
//               samhw_bit_walk.
//   Reset       valid and state bits; payloads are not reset.
//   Source      "The Sparse Abstract Machine", section 4.3.
`default_nettype none

module samhw_bits_join #(
    parameter N          = 2,
    parameter WIDTH      = 64,
    parameter WIDTH_LOG2 = 6,
    parameter GROUP_LOG2 = 3,
    parameter CRD_W      = 16,
    parameter REF_W      = 16,
    parameter STOP_W     = 3,
    parameter [(1<<N)-1:0] EMIT = {1'b1, {((1<<N)-1){1'b0}}},
    parameter [(N<<N)-1:0] KEEP = {(N<<N){1'b1}},
    parameter [N:0]        USED = {(N+1){1'b1}},
    parameter UNEVEN     = 0
) (
    input  wire                                clk,
    input  wire                                rst,

    input  wire [N-1:0]                        in_valid,
    output wire [N-1:0]                        in_ready,
    input  wire [N*(2+STOP_W+REF_W+WIDTH)-1:0] in_beat,

    output wire                                crd_valid,
    input  wire                                crd_ready,
    output wire [2+STOP_W+CRD_W-1:0]           crd_beat,

    output wire [N-1:0]                        ref_valid,
    input  wire [N-1:0]                        ref_ready,
    output wire [N*(2+STOP_W+REF_W)-1:0]       ref_beat,

    input  wire                                cut,
    output wire                                leaves
);
    generate
        if (N < 1 || CRD_W < 1 || REF_W < 1 || STOP_W < 1
            || WIDTH_LOG2 < 1 || WIDTH != 1 << WIDTH_LOG2
            || GROUP_LOG2 < 0 || GROUP_LOG2 > WIDTH_LOG2
            || STOP_W > WIDTH
            || UNEVEN < 0 || UNEVEN > 1) begin : g_parameters
            samhw_parameter_out_of_range refused ();
        end
    endgenerate

    localparam OUT_W  = 2 + STOP_W + REF_W;
    localparam HELD_W = 1 + REF_W + WIDTH_LOG2;
    localparam HOLD_W = 2 + CRD_W + N*HELD_W;
    localparam LEFT_W = 2 + CRD_W + N*(1+REF_W);
    localparam [STOP_W-1:0] NO_STOP = 0;

    wire                    go;
    wire                    valid;
    wire                    found;
    wire                    none;
    wire                    low;
    wire [STOP_W-1:0]       hole;
    wire                    more;
    wire                    ends;
    wire [STOP_W-1:0]       stop;
    wire [CRD_W-1:0]        crd;
    wire [N-1:0]            take;
    wire [N*REF_W-1:0]      rank;
    wire [N*WIDTH_LOG2-1:0] below;
    wire                    room;
    samhw_bit_walk #(
        .N(N), .WIDTH(WIDTH), .WIDTH_LOG2(WIDTH_LOG2), .GROUP_LOG2(GROUP_LOG2), .CRD_W(CRD_W), .REF_W(REF_W),
        .STOP_W(STOP_W), .EMIT(EMIT), .UNEVEN(UNEVEN)
    ) u_walk (
        .clk(clk), .rst(rst),
        .in_valid(in_valid), .in_ready(in_ready), .in_beat(in_beat),
        .out_valid(valid), .out_ready(room), .cut(cut), .found(found), .none(none), .low(low), .hole(hole),
        .more(more), .ends(ends), .stop(stop), .crd(crd), .take(take), .rank(rank), .below(below)
    );
    assign go     = valid && room;
    assign leaves = go && ends;

    wire              waiting;
    wire              push  = go && (found || (ends && !waiting));
    wire              close = go && ends && !found && waiting;
    wire [HOLD_W-1:0] beat;
    wire [HOLD_W-1:0] held;
    wire [LEFT_W-1:0] left;
    wire [STOP_W-1:0] out_stop;
    wire [LEFT_W-1:0] out_data;
    assign beat[HOLD_W-1 -: 2+CRD_W] = {!found, none && low, found ? crd : {{(CRD_W-STOP_W){1'b0}}, hole}};
    assign left[LEFT_W-1 -: 2+CRD_W] = held[HOLD_W-1 -: 2+CRD_W];
    // A bit that more of its word follow need not wait for what comes after the word.
    samhw_hold #(.W(HOLD_W), .OUT_W(LEFT_W), .STOP_W(STOP_W), .BRANCHES(N+1), .USED(USED)) u_hold (
        .clk(clk), .rst(rst),
        .room(room), .waiting(waiting), .push(push), .close(close), .last(ends || more),
        .in_stop(ends ? stop : NO_STOP), .in_data(beat), .held_data(held), .out_next(left),
        .out_valid({ref_valid, crd_valid}), .out_ready({ref_ready, crd_ready}),
        .out_stop(out_stop), .out_data(out_data)
    );
    wire out_none = out_data[LEFT_W-1];
    assign crd_beat = USED[0] ? {out_none, out_data[LEFT_W-2], out_stop, out_data[LEFT_W-3 -: CRD_W]}
                              : {(2+STOP_W+CRD_W){1'b0}};

    genvar k;
    generate
        for (k = 0; k < N; k = k + 1) begin : g_operand
            localparam [(1<<N)-1:0] KEEP_K = KEEP[k<<N +: 1<<N];
            wire present = take[k] && KEEP_K[take];
            assign beat[k*HELD_W +: HELD_W] =
                present ? {1'b0, rank[k*REF_W +: REF_W], below[k*WIDTH_LOG2 +: WIDTH_LOG2]}
                        : {found || (none && low), {(REF_W-STOP_W){1'b0}}, found ? NO_STOP : hole, {WIDTH_LOG2{1'b0}}};
            // The sum behind the register: nothing depends on it.
            wire [REF_W+WIDTH_LOG2-1:0] wide_below = {{REF_W{1'b0}}, held[k*HELD_W +: WIDTH_LOG2]};
            assign left[k*(1+REF_W) +: 1+REF_W] = {held[k*HELD_W + HELD_W-1],
                                                   held[k*HELD_W+WIDTH_LOG2 +: REF_W] + wide_below[REF_W-1:0]};
            assign ref_beat[k*OUT_W +: OUT_W] =
                USED[k+1] ? {out_none, out_data[k*(1+REF_W) + REF_W], out_stop, out_data[k*(1+REF_W) +: REF_W]}
                          : {OUT_W{1'b0}};
            wire _unused_ok = &{1'b0, wide_below, 1'b0};
        end
    endgenerate

endmodule

`default_nettype wire
