// SPDX-License-Identifier: Apache-2.0
//
// Of every list the coordinates between its bounds, which are told to the scanner that it comes from.
//
//   Consumes    bounds {hi, lo}: stream of depth d, leaves DATA or EMPTY, whole numbers; a bound that LO
//               or HI leaves out has no field. in {x, crd}: depth d+1, rising coordinates.
//   Produces    out {x, crd}: depth d+1, what lies between the bounds; of an EMPTY leaf nothing. A list
//               of which nothing stays is empty.
//               skip, bound: hints {crd, over, fiber}, over 0. Fibers are counted modulo 2**TAG_W, as the
//               scanner counts them: one for each beat of bounds. bound says the last coordinate needed,
//               as soon as the bounds are there; skip the first one, where one before it has come.
//   Throughput  one beat of in per cycle.
//   Latency     4 cycles for the last leaf of a list; others leave with the next one that stays.
//   Parameters  LO, HI: 0 none, 1 the bound itself stays, 2 it does not; at least one is not 0. BOUND_W bits
//               of a bound, two's complement if SIGNED; CRD_W of coordinates, X_W of what comes with
//               them; STOP_W stop bits (at most BOUND_W and CRD_W); up to 2**AHEAD_LOG2 bounds wait.
//   Reset       valid bits, numbers, pointers; payloads are not reset.
//   Notes       A hint that finds the last one still waiting is left out.
//   Source      masks as bounds of loops; not in the SAM paper.
`default_nettype none

module samhw_between #(
    parameter LO         = 1,
    parameter HI         = 2,
    parameter BOUND_W    = 16,
    parameter SIGNED     = 1,
    parameter CRD_W      = 16,
    parameter X_W        = 16,
    parameter STOP_W     = 3,
    parameter TAG_W      = 12,
    parameter AHEAD_LOG2 = 3
) (
    input  wire                                                    clk,
    input  wire                                                    rst,

    input  wire                                                    bounds_valid,
    output wire                                                    bounds_ready,
    input  wire [2+STOP_W+(BOUND_W<<(LO!=0 && HI!=0 ? 1 : 0))-1:0] bounds_beat,

    input  wire                                                    in_valid,
    output wire                                                    in_ready,
    input  wire [2+STOP_W+X_W+CRD_W-1:0]                           in_beat,

    output wire                                                    out_valid,
    input  wire                                                    out_ready,
    output wire [2+STOP_W+X_W+CRD_W-1:0]                           out_beat,

    output reg                                                     skip_valid,
    input  wire                                                    skip_ready,
    output reg  [CRD_W+1+TAG_W-1:0]                                skip_beat,

    output reg                                                     bound_valid,
    input  wire                                                    bound_ready,
    output reg  [CRD_W+1+TAG_W-1:0]                                bound_beat
);
    generate
        if (LO < 0 || LO > 2
            || HI < 0 || HI > 2
            || (LO == 0 && HI == 0)
            || SIGNED < 0 || SIGNED > 1
            || BOUND_W < 1 || CRD_W < 1 || X_W < 1 || STOP_W < 1 || TAG_W < 1 || AHEAD_LOG2 < 1
            || STOP_W > BOUND_W || STOP_W > CRD_W) begin : g_parameters
            samhw_parameter_out_of_range refused ();
        end
    endgenerate

    `include "samhw_kinds.vh"
    localparam IN_W = BOUND_W << (LO != 0 && HI != 0 ? 1 : 0);
    localparam W    = BOUND_W > CRD_W ? BOUND_W : CRD_W + 1;
    localparam [STOP_W-1:0] NO_STOP = 0;
    localparam [STOP_W-1:0] ONE     = 1;
    localparam [CRD_W-1:0]  ONE_ON  = 1;
    localparam [TAG_W-1:0]  NEXT    = 1;
    localparam [CRD_W-1:0]  LAST    = {CRD_W{1'b1}};

    // Bounds, cut to coordinates.
    wire              b_valid;
    wire              b_ready;
    wire [1:0]        b_kind;
    wire [STOP_W-1:0] b_stop;
    wire [IN_W-1:0]   b_bounds;
    samhw_skid #(.W(2+STOP_W+IN_W)) u_bounds (
        .clk(clk), .rst(rst),
        .in_valid(bounds_valid), .in_ready(bounds_ready), .in_beat(bounds_beat),
        .out_valid(b_valid), .out_ready(b_ready), .out_beat({b_kind, b_stop, b_bounds})
    );
    wire [BOUND_W-1:0] lo       = b_bounds[BOUND_W-1:0];
    wire [BOUND_W-1:0] hi       = b_bounds[IN_W-1 -: BOUND_W];
    wire [W-1:0]       wide_lo  = {{(W-BOUND_W){1'b0}}, lo};
    wire [W-1:0]       wide_hi  = {{(W-BOUND_W){1'b0}}, hi};
    wire               lo_below = LO == 0 || (SIGNED != 0 && lo[BOUND_W-1]);
    wire               hi_below = HI != 0 && ((SIGNED != 0 && hi[BOUND_W-1]) || (HI == 2 && hi == {BOUND_W{1'b0}}));
    wire               lo_above = wide_lo[W-1:CRD_W] != {(W-CRD_W){1'b0}} || (LO == 2 && wide_lo[CRD_W-1:0] == LAST);
    wire               hi_above = HI == 0 || wide_hi[W-1:CRD_W] != {(W-CRD_W){1'b0}};
    wire               none     = b_kind != DATA || (!lo_below && lo_above) || hi_below;
    wire [CRD_W-1:0]   from     = lo_below ? {CRD_W{1'b0}} : LO == 2 ? wide_lo[CRD_W-1:0] + ONE_ON : wide_lo[CRD_W-1:0];
    wire [CRD_W-1:0]   to       = hi_above ? LAST : HI == 2 ? wide_hi[CRD_W-1:0] - ONE_ON : wide_hi[CRD_W-1:0];

    wire             q_valid;
    wire             q_pop;
    wire             q_none;
    wire [CRD_W-1:0] q_from;
    wire [CRD_W-1:0] q_to;
    samhw_queue #(.W(2*CRD_W+1), .LOG2(AHEAD_LOG2)) u_ahead (
        .clk(clk), .rst(rst),
        .in_valid(b_valid), .in_ready(b_ready), .in_data({none, to, from}),
        .out_valid(q_valid), .out_ready(q_pop), .out_data({q_none, q_to, q_from})
    );

    reg  [TAG_W-1:0] b_fiber;
    wire             b_go  = b_valid && b_ready;
    wire             bound = b_go && (none || !hi_above);
    always @(posedge clk) begin
        if (bound && (!bound_valid || bound_ready))
            bound_beat <= {none ? {CRD_W{1'b0}} : to, 1'b0, b_fiber};
        if (rst) begin
            bound_valid <= 1'b0;
            b_fiber     <= {TAG_W{1'b0}};
        end else begin
            if (!bound_valid || bound_ready)
                bound_valid <= bound;
            if (b_go)
                b_fiber <= b_fiber + NEXT;
        end
    end

    // Pairs, which wait for their bounds.
    wire              s_valid;
    wire              s_pop;
    wire [1:0]        s_kind;
    wire [STOP_W-1:0] s_stop;
    wire [X_W-1:0]    s_x;
    wire [CRD_W-1:0]  s_crd;
    samhw_skid #(.W(2+STOP_W+X_W+CRD_W)) u_in (
        .clk(clk), .rst(rst),
        .in_valid(in_valid), .in_ready(in_ready), .in_beat(in_beat),
        .out_valid(s_valid), .out_ready(s_pop), .out_beat({s_kind, s_stop, s_x, s_crd})
    );

    reg              n_valid;
    reg [1:0]        n_kind;
    reg [STOP_W-1:0] n_stop;
    reg [X_W-1:0]    n_x;
    reg [CRD_W-1:0]  n_crd;
    reg              n_stays;

    wire room;
    wire waiting;
    wire shifts  = !n_valid || room;
    assign s_pop = shifts && q_valid;
    wire s_go    = s_valid && s_pop;
    wire s_leaf  = !s_kind[1];
    wire s_ends  = s_stop != NO_STOP || !s_leaf;
    wire early   = s_crd < q_from;
    wire kept    = !q_none && !early && s_crd <= q_to;
    assign q_pop = s_valid && shifts && s_ends;

    reg  [TAG_W-1:0] s_fiber;
    reg              told;
    wire             skip = s_go && s_leaf && !s_ends && !q_none && early && !told;
    wire             tell = skip && (!skip_valid || skip_ready);
    always @(posedge clk) begin
        if (tell)
            skip_beat <= {q_from, 1'b0, s_fiber};
        if (shifts) begin
            {n_kind, n_stop, n_x, n_crd} <= {s_kind, s_stop, s_x, s_crd};
            n_stays <= kept || !s_leaf;
        end
        if (rst) begin
            skip_valid <= 1'b0;
            s_fiber    <= {TAG_W{1'b0}};
            told       <= 1'b0;
            n_valid    <= 1'b0;
        end else begin
            if (!skip_valid || skip_ready)
                skip_valid <= skip;
            if (s_go) begin
                told <= !s_ends && (told || tell);
                if (s_ends)
                    s_fiber <= s_fiber + NEXT;
            end
            if (shifts)
                n_valid <= s_go;
        end
    end

    wire go    = n_valid && room;
    wire ends  = n_stop != NO_STOP || n_kind[1];
    wire push  = go && (n_stays || (ends && !waiting));
    wire close = go && !n_stays && ends && waiting;

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

    wire _unused_ok = &{1'b0, b_stop, lo, hi, wide_lo, wide_hi, 1'b0};

endmodule

`default_nettype wire
