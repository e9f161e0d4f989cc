// SPDX-License-Identifier: Apache-2.0
//
// Joiner of intervals: overlays the fibers of N operands whose leaves stand for coordinates that
// follow each other; truth tables over the set P of operands present say which pieces are emitted
// and which refs go with them.
//
//   Consumes    in[k]: pairs (interval {last, first}, ref) of depth d, or (crd, ref) where
//               POINTS[k]; aligned above the height-1 lists, each interval behind the one before;
//               EMPTY: the ref is absent, the interval is valid.
//   Produces    interval: {last, first} of the pieces with EMIT[P]: between two of them some
//               operand begins or ends. ref[k]: the ref of operand k where P has it, KEEP[k][P] is
//               set and it is not absent, EMPTY elsewhere. All of depth d.
//   Throughput  a cycle for each piece in which some operand is present, of operands that some set
//               REQUIRED for any that is emitted has; and for those that end before all of these
//               begin. Where nothing can be emitted any more all heads are consumed at once. A
//               fiber costs at least one cycle, a stop nothing.
//   Latency     3 cycles for the last beat of a fiber; others leave with the next one.
//   Parameters  N operands; CRD_W, REF_W payload bits; STOP_W stop bits; EMIT, KEEP (table k at bit
//               k << N) and ALIVE truth tables, indexed by sets of operands; USED: bit 0 interval,
//               bit k+1 ref[k]; ready of an output not used is ignored; POINTS; REQUIRED: operands
//               that every set with EMIT has; NARROW: one of those is in POINTS, so that all pieces
//               are single coordinates, and interval is {first}.
//   Reset       valid and state bits; payloads are not reset.
//   Source      "Looplets" (Ahrens et al., CGO'23); iteration lattices of "Compilation of Sparse
//               Array Programming Models", section 5.
`default_nettype none

module samhw_joiner_intervals #(
    parameter N      = 2,
    parameter CRD_W  = 16,
    parameter REF_W  = 16,
    parameter STOP_W = 3,
    parameter [(1<<N)-1:0]     EMIT  = {1'b1, {((1<<N)-1){1'b0}}},
    parameter [(N<<N)-1:0]     KEEP  = {(N<<N){1'b1}},
    parameter [(1<<N)-1:0]     ALIVE = {1'b1, {((1<<N)-2){1'b0}}, 1'b1},
    parameter [N:0]            USED  = {(N+1){1'b1}},
    parameter [N-1:0]          POINTS   = {N{1'b0}},
    parameter [N-1:0]          REQUIRED = {N{1'b1}},
    parameter NARROW = 0
) (
    input  wire                              clk,
    input  wire                              rst,

    input  wire [N-1:0]                      in_valid,
    output wire [N-1:0]                      in_ready,
    input  wire [N*(2+STOP_W+REF_W+2*CRD_W)-1:0] in_beat,

    output wire                              interval_valid,
    input  wire                              interval_ready,
    output wire [2+STOP_W+(NARROW != 0 ? 1 : 2)*CRD_W-1:0] interval_beat,

    output wire [N-1:0]                      ref_valid,
    input  wire [N-1:0]                      ref_ready,
    output wire [N*(2+STOP_W+REF_W)-1:0]     ref_beat
);
    generate
        if (N < 1 || CRD_W < 1 || REF_W < 1 || STOP_W < 1
            || STOP_W > CRD_W || STOP_W > REF_W
            || NARROW < 0 || NARROW > 1) begin : g_parameters
            samhw_parameter_out_of_range refused ();
        end
    endgenerate

    localparam IN_W   = 2 + STOP_W + REF_W + 2*CRD_W;
    localparam OUT_W  = 2 + STOP_W + REF_W;
    // A beat held back: no leaf, above the fibers, the coordinate behind the piece, its first; then
    // per operand: absent, ref. One that leaves: no leaf, DONE, interval; then per operand: second
    // kind bit, ref.
    localparam HOLD_W = 2 + 2*CRD_W + N*(1+REF_W);
    localparam [STOP_W-1:0] ONE  = {{(STOP_W-1){1'b0}}, 1'b1};
    localparam [CRD_W-1:0]  NEXT = {{(CRD_W-1){1'b0}}, 1'b1};

    // Heads. A head that closes its list stays until the fiber ends; `taken` marks that it was
    // consumed.
    wire [N*IN_W-1:0]   head;
    wire [N-1:0]        h_valid;
    wire [N-1:0]        h_pop;
    wire [N-1:0]        h_none;
    wire [N-1:0]        h_low;
    wire [N*STOP_W-1:0] h_stop;
    wire [N*CRD_W-1:0]  h_first;
    wire [N*CRD_W-1:0]  h_last;
    wire [N*REF_W-1:0]  h_ref;
    wire [N-1:0]        closes;
    reg  [N-1:0]        taken;

    // The first coordinate of the fiber that is left, as far as that matters.
    reg  [CRD_W-1:0]    at;

    // Row k: the first of k is at most that of operand j; the last of k at most that of j; the last
    // of k before the first of j.
    wire [N*N-1:0] begins;
    wire [N*N-1:0] ends_by;
    wire [N*N-1:0] precedes;
    // The first of k is at most `at`.
    wire [N-1:0]   begun;

    wire [N-1:0] leaf   = ~taken & ~h_none;
    wire [N-1:0] late;
    wire [N-1:0] has;
    wire [N-1:0] ended;
    wire         dead   = !ALIVE[leaf];
    wire         skips  = |late;
    wire         emit   = !dead && !skips && EMIT[has];
    wire [N-1:0] take   = dead ? leaf : skips ? late : ended;
    wire [N-1:0] shut   = take & closes;
    wire         ends   = &(~leaf | shut);

    wire room;
    wire waiting;
    wire go    = (&h_valid) && room;
    wire push  = go && (emit || (ends && !waiting));
    wire close = go && ends && !emit && waiting;
    assign h_pop = {N{go}} & ({N{ends}} | (take & ~closes));

    // NIL above the fibers and DONE stand on all operands; any other end without a leaf is an empty
    // fiber.
    wire above = h_none[0] && (h_low[0] || h_first[STOP_W-1:0] != ONE);

    // The piece begins where the fiber was left, or with those that begin as the last of the
    // required ones; without required ones and with none begun as the first of all.
    wire [N-1:0]     leads;
    reg  [CRD_W-1:0] start;
    // Behind it is what follows the end of those that end, or the first that begins.
    wire [N-1:0]     follows;
    reg  [CRD_W-1:0] behind;
    integer          i;
    always @* begin
        start = at;
        for (i = 0; i < N; i = i + 1)
            if (leads[i])
                start = h_first[i*CRD_W +: CRD_W];
        behind = h_first[CRD_W-1:0];
        for (i = 0; i < N; i = i + 1)
            if (follows[i])
                behind = h_first[i*CRD_W +: CRD_W];
        for (i = 0; i < N; i = i + 1)
            if (ended[i])
                behind = h_last[i*CRD_W +: CRD_W] + NEXT;
    end

    always @(posedge clk) begin
        if (rst)
            taken <= {N{1'b0}};
        else if (go)
            taken <= ends ? {N{1'b0}} : (taken | shut);
        if (rst || (go && ends))
            at <= {CRD_W{1'b0}};
        else if (go)
            at <= behind;
    end

    // What is no leaf gets its hole after it was held back, where there is time: DONE is above with
    // hole 0.
    wire [HOLD_W-1:0] beat;
    wire [HOLD_W-1:0] held;
    wire [HOLD_W-1:0] leaving;
    wire              held_none   = held[HOLD_W-1];
    wire [CRD_W-1:0]  held_behind = held[HOLD_W-3 -: CRD_W];
    wire [CRD_W-1:0]  held_first  = held[HOLD_W-3-CRD_W -: CRD_W];
    wire [STOP_W-1:0] held_hole   = held[HOLD_W-2] ? held_first[STOP_W-1:0] : ONE;
    wire              held_done   = held_none && held_hole == {STOP_W{1'b0}};
    assign beat[HOLD_W-1 -: 2+2*CRD_W] = {!emit, above, behind, above ? h_first[CRD_W-1:0] : start};
    assign leaving[HOLD_W-1 -: 2+2*CRD_W] =
        {held_none, held_done, held_none ? {{(2*CRD_W-STOP_W){1'b0}}, held_hole} : {held_behind - NEXT, held_first}};

    wire [STOP_W-1:0] out_stop;
    wire [HOLD_W-1:0] out_data;
    samhw_hold #(.W(HOLD_W), .OUT_W(HOLD_W), .STOP_W(STOP_W), .BRANCHES(N+1), .USED(USED)) u_hold (
        .clk(clk), .rst(rst),
        .room(room), .waiting(waiting), .push(push), .close(close), .last(ends),
        .in_stop(ends ? h_stop[STOP_W-1:0] : {STOP_W{1'b0}}), .in_data(beat),
        .held_data(held), .out_next(leaving),
        .out_valid({ref_valid, interval_valid}), .out_ready({ref_ready, interval_ready}),
        .out_stop(out_stop), .out_data(out_data)
    );
    wire out_none = out_data[HOLD_W-1];
    localparam GIVEN_W = (NARROW != 0 ? 1 : 2) * CRD_W;
    assign interval_beat = USED[0] ? {out_none, out_data[HOLD_W-2], out_stop, out_data[N*(1+REF_W) +: GIVEN_W]}
                                   : {(2+STOP_W+GIVEN_W){1'b0}};

    genvar k;
    genvar j;
    generate
        for (k = 0; k < N; k = k + 1) begin : g_operand
            localparam [(1<<N)-1:0] KEEP_K = KEEP[k<<N +: 1<<N];
            wire [IN_W-1:0]  own = head[k*IN_W +: IN_W];
            wire [CRD_W-1:0] first = own[CRD_W-1:0];
            wire [CRD_W-1:0] last;
            samhw_skid #(.W(IN_W)) u_in (
                .clk(clk), .rst(rst),
                .in_valid(in_valid[k]), .in_ready(in_ready[k]), .in_beat(in_beat[k*IN_W +: IN_W]),
                .out_valid(h_valid[k]), .out_ready(h_pop[k]), .out_beat(head[k*IN_W +: IN_W])
            );
            assign {h_none[k], h_low[k], h_stop[k*STOP_W +: STOP_W]} = own[IN_W-1 -: 2+STOP_W];
            assign h_first[k*CRD_W +: CRD_W] = first;
            assign h_last[k*CRD_W +: CRD_W]  = last;
            assign closes[k] = h_stop[k*STOP_W +: STOP_W] != {STOP_W{1'b0}};
            if (POINTS[k]) begin : g_point
                assign last = first;
                assign h_ref[k*REF_W +: REF_W] = own[CRD_W +: REF_W];
                wire _unused_ok = &{1'b0, own[CRD_W+REF_W +: CRD_W], 1'b0};
            end else begin : g_interval
                assign last = own[CRD_W +: CRD_W];
                assign h_ref[k*REF_W +: REF_W] = own[2*CRD_W +: REF_W];
            end

            // With a bit below: two carry chains, which are faster than one and a comparison for
            // equality.
            wire [N-1:0] stays;
            for (j = 0; j < N; j = j + 1) begin : g_order
                if (j == k) begin : g_self
                    assign begins[k*N + j]  = 1'b1;
                    assign ends_by[k*N + j] = 1'b1;
                    assign precedes[k*N + j]  = 1'b0;
                end else begin : g_other
                    wire [CRD_W-1:0] other = h_first[j*CRD_W +: CRD_W];
                    assign begins[k*N + j]  = {first, 1'b0} < {other, 1'b1};
                    assign ends_by[k*N + j] = {last, 1'b0} < {h_last[j*CRD_W +: CRD_W], 1'b1};
                    assign precedes[k*N + j]  = last < other;
                end
                assign stays[j] = !leaf[j] || (has[j] ? ends_by[k*N + j] : precedes[k*N + j]);
            end
            assign begun[k] = {first, 1'b0} < {at, 1'b1};
            assign late[k]  = leaf[k] && (precedes[k*N +: N] & REQUIRED) != {N{1'b0}};
            assign ended[k] = leaf[k] && has[k] && (&stays);
            assign follows[k] = leaf[k] && !has[k] && (&(begins[k*N +: N] | ~leaf | has));
            if (REQUIRED != {N{1'b0}}) begin : g_required
                // Of the required ones the last to begin, all of which are there.
                wire [N-1:0] reached;
                for (j = 0; j < N; j = j + 1) begin : g_reached
                    assign reached[j] = !REQUIRED[j] || begins[j*N + k];
                end
                assign has[k] = leaf[k] && (begun[k] || (begins[k*N +: N] & REQUIRED) != {N{1'b0}});
                assign leads[k]  = REQUIRED[k] && !begun[k] && (&reached);
            end else begin : g_free
                wire first_of_all = (leaf & begun) == {N{1'b0}} && (&(begins[k*N +: N] | ~leaf));
                assign has[k] = leaf[k] && (begun[k] || first_of_all);
                assign leads[k]  = leaf[k] && first_of_all;
            end

            wire             present  = has[k] && KEEP_K[has] && !h_low[k];
            wire             held_low = held[k*(1+REF_W) + REF_W];
            wire [REF_W-1:0] held_ref = held[k*(1+REF_W) +: REF_W];
            assign beat[k*(1+REF_W) +: 1+REF_W] = {!present, h_ref[k*REF_W +: REF_W]};
            assign leaving[k*(1+REF_W) +: 1+REF_W] =
                held_none ? {held_done, {(REF_W-STOP_W){1'b0}}, held_hole}
                          : {held_low, held_low ? {REF_W{1'b0}} : held_ref};
            assign ref_beat[k*OUT_W +: OUT_W] =
                USED[k+1] ? {out_none, out_data[k*(1+REF_W) + REF_W], out_stop, out_data[k*(1+REF_W) +: REF_W]}
                          : {OUT_W{1'b0}};
        end
    endgenerate

`ifdef SAMHW_ASSERT
    reg [N-1:0]       open;
    reg [N*CRD_W-1:0] previous;
    integer           a;
    always @(posedge clk) begin
        for (a = 0; a < N; a = a + 1) begin
            if (go && take[a])
                previous[a*CRD_W +: CRD_W] <= h_last[a*CRD_W +: CRD_W];
            if (!rst && go && leaf[a] && h_last[a*CRD_W +: CRD_W] < h_first[a*CRD_W +: CRD_W]) begin
                $display("samhw_joiner_intervals: an interval of operand %0d ends precedes it begins", a);
                $stop;
            end
            if (!rst && go && leaf[a] && open[a]
                    && h_first[a*CRD_W +: CRD_W] <= previous[a*CRD_W +: CRD_W]) begin
                $display("samhw_joiner_intervals: intervals of operand %0d overlap or do not rise", a);
                $stop;
            end
            if (!rst && go && !taken[a] && h_none[a] && open[a]) begin
                $display("samhw_joiner_intervals: operand %0d: no leaf has a fiber", a);
                $stop;
            end
            if (!rst && go && ends && h_stop[a*STOP_W +: STOP_W] != h_stop[STOP_W-1:0]) begin
                $display("samhw_joiner_intervals: operands 0 and %0d close different lists", a);
                $stop;
            end
            if (!rst && go && (h_none[a] && (h_low[a] || h_first[a*CRD_W +: STOP_W] != ONE)) != above) begin
                $display("samhw_joiner_intervals: operands 0 and %0d are not aligned", a);
                $stop;
            end
        end
        if (rst)
            open <= {N{1'b0}};
        else if (go)
            open <= ends ? {N{1'b0}} : (open | take);
    end
`endif

endmodule

`default_nettype wire
