// SPDX-License-Identifier: Apache-2.0
//
// Slice: of every list the coordinates FIRST, FIRST + STEP .. (COUNT of them) or those of a set
// stay; the k-th goes out as TO_FIRST + k * TO_STEP.
//
//   Consumes    in: pairs (crd, x), depth d >= 1.
//   Produces    out: pairs (crd, x) of the same depth; a list of which nothing stays is empty.
//   Throughput  one beat of in per cycle.
//   Latency     5 cycles for the last leaf of a list; others leave with the next one that stays.
//   Parameters  CRD_IN_W, CRD_W, X_W payload bits, STOP_W stop bits (at most either CRD width).
//               SHIFT, INVERSE: STEP is 2**SHIFT times an odd number whose inverse modulo
//               2**CRD_IN_W this is. LISTED: size of the set, 0 for steps; SET its coordinates,
//               the first lowest.
//   Reset       valid bits; payloads are not reset.
//   Source      shared design, "Streams and primitives", shape operators; division: Granlund and
//               Montgomery, "Division by invariant integers using multiplication", section 9.
`default_nettype none

module samhw_slice #(
    parameter CRD_IN_W = 16,
    parameter CRD_W    = 16,
    parameter X_W      = 16,
    parameter STOP_W   = 3,
    parameter [CRD_IN_W-1:0] FIRST = 0,
    parameter SHIFT    = 0,
    parameter [CRD_IN_W-1:0] INVERSE = 1,
    parameter [CRD_IN_W:0]   COUNT   = 1,
    parameter LISTED   = 0,
    parameter [(LISTED == 0 ? 1 : LISTED)*CRD_IN_W-1:0] SET = 0,
    parameter [CRD_W-1:0] TO_FIRST = 0,
    parameter [CRD_W-1:0] TO_STEP  = 1
) (
    input  wire                             clk,
    input  wire                             rst,

    input  wire                             in_valid,
    output wire                             in_ready,
    input  wire [2+STOP_W+X_W+CRD_IN_W-1:0] in_beat,

    output wire                             out_valid,
    input  wire                             out_ready,
    output wire [2+STOP_W+X_W+CRD_W-1:0]    out_beat
);
    generate
        if (CRD_IN_W < 1 || CRD_W < 1 || X_W < 1 || STOP_W < 1
            || STOP_W > CRD_IN_W || STOP_W > CRD_W
            || SHIFT < 0 || SHIFT > CRD_IN_W
            || LISTED < 0) begin : g_parameters
            samhw_parameter_out_of_range refused ();
        end
    endgenerate

    `include "samhw_kinds.vh"
    localparam [STOP_W-1:0] NO_STOP = 0;
    localparam [STOP_W-1:0] ONE     = 1;

    wire                s_valid;
    wire [1:0]          s_kind;
    wire [STOP_W-1:0]   s_stop;
    wire [X_W-1:0]      s_x;
    wire [CRD_IN_W-1:0] s_crd;
    wire                shifts;
    samhw_skid #(.W(2+STOP_W+X_W+CRD_IN_W)) u_in (
        .clk(clk), .rst(rst),
        .in_valid(in_valid), .in_ready(in_ready), .in_beat(in_beat),
        .out_valid(s_valid), .out_ready(shifts), .out_beat({s_kind, s_stop, s_x, s_crd})
    );

    // First stage: how far from the first coordinate. What is no leaf keeps its hole.
    reg                f_valid;
    reg [1:0]          f_kind;
    reg [STOP_W-1:0]   f_stop;
    reg [X_W-1:0]      f_x;
    reg [CRD_IN_W-1:0] f_far;

    // Second stage: which of those selected, if any.
    wire                stays;
    wire [CRD_IN_W-1:0] place;
    generate
        if (LISTED != 0) begin : g_set
            localparam PLACE_W = LISTED > 1 ? $clog2(LISTED) : 1;
            reg               hit;
            reg [PLACE_W-1:0] which;
            integer k;
            always @* begin
                hit   = 1'b0;
                which = {PLACE_W{1'b0}};
                for (k = 0; k < LISTED; k = k + 1)
                    if (f_far == SET[k*CRD_IN_W +: CRD_IN_W]) begin
                        hit   = 1'b1;
                        which = which | k[PLACE_W-1:0];
                    end
            end
            wire [CRD_IN_W+PLACE_W-1:0] wide = {{CRD_IN_W{1'b0}}, which};
            assign stays = hit;
            assign place = wide[CRD_IN_W-1:0];
            wire _unused_set = &{1'b0, wide, 1'b0};
        end else if (COUNT == {(CRD_IN_W+1){1'b0}}) begin : g_none
            assign place = f_far;
            assign stays = 1'b0;
        end else begin : g_steps
            localparam [CRD_IN_W:0] LOW = (({{CRD_IN_W{1'b0}}, 1'b1}) << SHIFT) - 1;
            assign place = (f_far >> SHIFT) * INVERSE;
            assign stays = (f_far & LOW[CRD_IN_W-1:0]) == {CRD_IN_W{1'b0}} && {1'b0, place} < COUNT;
            wire _unused_low = &{1'b0, LOW, 1'b0};
        end
    endgenerate
    wire                      f_leaf     = !f_kind[1];
    wire [CRD_IN_W+CRD_W-1:0] place_wide = {{CRD_W{1'b0}}, place};
    wire [CRD_IN_W+CRD_W-1:0] far_wide   = {{CRD_W{1'b0}}, f_far};
    wire [CRD_W-1:0]          moved      = place_wide[CRD_W-1:0] * TO_STEP + TO_FIRST;

    reg              n_valid;
    reg [1:0]        n_kind;
    reg [STOP_W-1:0] n_stop;
    reg [X_W-1:0]    n_x;
    reg [CRD_W-1:0]  n_crd;
    reg              n_stays;

    wire room;
    wire waiting;
    assign shifts = !n_valid || room;

    always @(posedge clk) begin
        if (shifts) begin
            {f_kind, f_stop, f_x} <= {s_kind, s_stop, s_x};
            f_far <= s_kind[1] ? s_crd : s_crd - FIRST;
            {n_kind, n_stop, n_x} <= {f_kind, f_stop, f_x};
            n_crd   <= f_leaf ? moved : far_wide[CRD_W-1:0];
            n_stays <= stays || !f_leaf;
        end
        if (rst) begin
            f_valid <= 1'b0;
            n_valid <= 1'b0;
        end else if (shifts) begin
            f_valid <= s_valid;
            n_valid <= f_valid;
        end
    end

    wire go     = n_valid && room;
    wire ends   = n_stop != NO_STOP || n_kind[1];
    wire push   = go && (n_stays || (ends && !waiting));
    wire close  = go && !n_stays && ends && waiting;

    wire [1:0]        o_kind;
    wire [STOP_W-1:0] o_stop;
    wire [X_W-1:0]    o_x;
    wire [CRD_W-1:0]  o_crd;
    samhw_hold_back #(.W(2+X_W+CRD_W), .STOP_W(STOP_W)) u_hold (
        .clk(clk), .rst(rst),
        .room(room), .waiting(waiting), .push(push), .close(close), .last(ends), .in_stop(n_stop),
        .in_data(n_stays ? {n_kind, n_x, n_crd} : {NIL, {X_W{1'b0}}, {{(CRD_W-STOP_W){1'b0}}, ONE}}),
        .out_valid(out_valid), .out_ready(out_ready), .out_stop(o_stop), .out_data({o_kind, o_x, o_crd})
    );
    assign out_beat = {o_kind, o_stop, o_x, o_crd};

    wire _unused_ok = &{1'b0, place_wide, far_wide, 1'b0};

endmodule

`default_nettype wire
