// SPDX-License-Identifier: Apache-2.0
//
// Slice of intervals: of every list what lies in FIRST .. FIRST + COUNT - 1 stays, and goes out with
// TO_FIRST in place of FIRST. Intervals across an end are cut there.
//
//   Consumes    in: pairs ({last, first}, x), first <= last, depth d >= 1.
//   Produces    out: pairs of the same depth; a list of which nothing stays is empty.
//   Throughput  one beat of in per cycle.
//   Latency     5 cycles for the last leaf of a list; others leave with the next one that stays.
//   Parameters  CRD_IN_W, CRD_W, X_W payload bits, STOP_W stop bits (at most either CRD width); COUNT is at
//               least 1, and TO_FIRST + COUNT at most 2**CRD_W.
//   Reset       valid bits; payloads are not reset.
//   Source      "Looplets" (Ahrens et al., CGO'23), truncated and shifted looplets; not in the SAM paper.
`default_nettype none

module samhw_interval_slice #(
    parameter CRD_IN_W = 16,
    parameter CRD_W    = 16,
    parameter X_W      = 16,
    parameter STOP_W   = 3,
    parameter [CRD_IN_W-1:0] FIRST = 0,
    parameter [CRD_IN_W:0]   COUNT = 1,
    parameter [CRD_W-1:0]    TO_FIRST = 0
) (
    input  wire                               clk,
    input  wire                               rst,

    input  wire                               in_valid,
    output wire                               in_ready,
    input  wire [2+STOP_W+X_W+2*CRD_IN_W-1:0] in_beat,

    output wire                               out_valid,
    input  wire                               out_ready,
    output wire [2+STOP_W+X_W+2*CRD_W-1:0]    out_beat
);
    generate
        if (CRD_IN_W < 1 || CRD_W < 1 || X_W < 1 || STOP_W < 1
            || STOP_W > CRD_IN_W || STOP_W > CRD_W
            || COUNT == 0) begin : g_parameters
            samhw_parameter_out_of_range refused ();
        end
    endgenerate

    `include "samhw_kinds.vh"
    localparam [STOP_W-1:0]   NO_STOP = 0;
    localparam [STOP_W-1:0]   ONE     = 1;
    localparam [CRD_IN_W:0]   SIZE_1  = COUNT - 1;
    localparam [CRD_IN_W-1:0] FURTHEST = SIZE_1[CRD_IN_W-1:0];

    wire                s_valid;
    wire [1:0]          s_kind;
    wire [STOP_W-1:0]   s_stop;
    wire [X_W-1:0]      s_x;
    wire [CRD_IN_W-1:0] s_first;
    wire [CRD_IN_W-1:0] s_last;
    wire                shifts;
    samhw_skid #(.W(2+STOP_W+X_W+2*CRD_IN_W)) u_in (
        .clk(clk), .rst(rst),
        .in_valid(in_valid), .in_ready(in_ready), .in_beat(in_beat),
        .out_valid(s_valid), .out_ready(shifts), .out_beat({s_kind, s_stop, s_x, s_last, s_first})
    );

    // First stage: how far both ends are from FIRST, below 0 with the uppermost bit. What is no leaf keeps its hole.
    wire [CRD_IN_W:0]  s_from = {1'b0, s_first} - {1'b0, FIRST};
    wire [CRD_IN_W:0]  s_till = {1'b0, s_last} - {1'b0, FIRST};
    reg                f_valid;
    reg [1:0]          f_kind;
    reg [STOP_W-1:0]   f_stop;
    reg [X_W-1:0]      f_x;
    reg [CRD_IN_W-1:0] f_from;
    reg [CRD_IN_W-1:0] f_till;
    reg                f_early;
    reg                f_before;

    // Second stage: what of it lies within.
    wire                      f_leaf    = !f_kind[1];
    wire [CRD_IN_W-1:0]       from      = f_early ? {CRD_IN_W{1'b0}} : f_from;
    wire [CRD_IN_W:0]         to_till   = {1'b0, FURTHEST} - {1'b0, f_till};
    wire [CRD_IN_W:0]         to_from   = {1'b0, FURTHEST} - {1'b0, from};
    wire [CRD_IN_W-1:0]       till      = to_till[CRD_IN_W] ? FURTHEST : f_till;
    wire                      meets     = !f_before && !to_from[CRD_IN_W];
    wire [CRD_IN_W+CRD_W-1:0] from_wide = {{CRD_W{1'b0}}, from};
    wire [CRD_IN_W+CRD_W-1:0] till_wide = {{CRD_W{1'b0}}, till};
    wire [CRD_IN_W+CRD_W-1:0] hole_wide = {{CRD_W{1'b0}}, f_from};

    reg              n_valid;
    reg [1:0]        n_kind;
    reg [STOP_W-1:0] n_stop;
    reg [X_W-1:0]    n_x;
    reg [CRD_W-1:0]  n_first;
    reg [CRD_W-1:0]  n_last;
    reg              n_stays;

    wire room;
    wire waiting;
    assign shifts = !n_valid || room;

    always @(posedge clk) begin
        if (shifts) begin
            {f_kind, f_stop, f_x} <= {s_kind, s_stop, s_x};
            f_from   <= s_kind[1] ? s_first : s_from[CRD_IN_W-1:0];
            f_early  <= s_from[CRD_IN_W];
            {f_before, f_till} <= s_till;
            {n_kind, n_stop, n_x} <= {f_kind, f_stop, f_x};
            n_first  <= f_leaf ? from_wide[CRD_W-1:0] + TO_FIRST : hole_wide[CRD_W-1:0];
            n_last   <= f_leaf ? till_wide[CRD_W-1:0] + TO_FIRST : {CRD_W{1'b0}};
            n_stays  <= meets || !f_leaf;
        end
        if (rst) begin
            f_valid <= 1'b0;
            n_valid <= 1'b0;
        end else if (shifts) begin
            f_valid <= s_valid;
            n_valid <= f_valid;
        end
    end

    wire go    = n_valid && room;
    wire ends  = n_stop != NO_STOP || n_kind[1];
    wire push  = go && (n_stays || (ends && !waiting));
    wire close = go && !n_stays && ends && waiting;

    wire [1:0]         o_kind;
    wire [STOP_W-1:0]  o_stop;
    wire [X_W-1:0]     o_x;
    wire [2*CRD_W-1:0] o_interval;
    samhw_hold_back #(.W(2+X_W+2*CRD_W), .STOP_W(STOP_W)) u_hold (
        .clk(clk), .rst(rst),
        .room(room), .waiting(waiting), .push(push), .close(close), .last(ends), .in_stop(n_stop),
        .in_data(n_stays ? {n_kind, n_x, n_last, n_first} : {NIL, {X_W{1'b0}}, {{(2*CRD_W-STOP_W){1'b0}}, ONE}}),
        .out_valid(out_valid), .out_ready(out_ready), .out_stop(o_stop), .out_data({o_kind, o_x, o_interval})
    );
    assign out_beat = {o_kind, o_stop, o_x, o_interval};

    wire _unused_ok = &{1'b0, SIZE_1, to_till, to_from, from_wide, till_wide, hole_wide, 1'b0};

endmodule

`default_nettype wire
