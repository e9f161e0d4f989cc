// SPDX-License-Identifier: Apache-2.0
//
// Joiner with skipping: merges the fibers of N operands by coordinate; truth tables over the set P of
// operands present at a coordinate say whether it is emitted and which refs go with it.
//
//   Consumes    in[k]: pairs (crd, ref) of depth d, aligned above the height-1 lists,
//               coordinates strictly increasing; EMPTY: the ref is absent, crd is valid.
//   Produces    crd: the coordinates with EMIT[P]; ref[k]: the ref of operand k where P has
//               it, KEEP[k][P] is set and it is not absent, EMPTY elsewhere. All of depth d.
//   Throughput  every head with the smallest coordinate is consumed in each cycle, so a fiber
//               costs as many cycles as its union has coordinates, at least one; a stop costs
//               nothing. Of an intersection of two a coordinate that the other operand lacks goes together with
//               one of the other's, if the next one is in sight and beyond that. When no set of the operands
//               still alive can emit (ALIVE), all their heads are consumed at once.
//   Latency     3 cycles (2 of two operands that are not intersected) for the last beat of a fiber; others
//               leave with the next one. With skipping a fiber also ends at once when all that is left of it
//               are last leaves that cannot be emitted.
//   Hints       skip[k] {crd, over, fiber}: of fiber number `fiber` operand k needs to give nothing
//               below crd (over: nothing) more. Advice that may be lost: a hint that finds the
//               register full is dropped; nothing ever waits for it.
//   Parameters  N operands; CRD_W, REF_W payload bits; STOP_W stop bits; EMIT, KEEP (table k
//               at bit k << N) and ALIVE truth tables, indexed by sets of operands;
//               USED: bit 0 crd, bit k+1 ref[k]; ready of an output not used is ignored;
//               TAG_W bits of a fiber's number; SKIPS: bit k, operand k gets hints (0: no skipping
//               at all); REQUIRED, row k at bit k*N: operands without which k does not matter;
//               LEADING likewise: those whose largest coordinate is the hint for k.
//   Reset       valid and state bits; payloads are not reset.
//   Source      "The Sparse Abstract Machine", section 3.2; iteration lattices of "Compilation
//               of Sparse Array Programming Models", section 5.
`default_nettype none

module samhw_joiner_skip #(
    parameter N      = 2,
    parameter CRD_W  = 16,
    parameter REF_W  = 16,
    parameter STOP_W = 3,
    parameter [(1<<N)-1:0]     EMIT  = {1'b1, {((1<<N)-1){1'b0}}},
    parameter [(N<<N)-1:0]     KEEP  = {(N<<N){1'b1}},
    parameter [(1<<N)-1:0]     ALIVE = {1'b1, {((1<<N)-2){1'b0}}, 1'b1},
    parameter [N:0]            USED  = {(N+1){1'b1}},
    parameter TAG_W  = 6,
    parameter [N-1:0]          SKIPS = {N{1'b1}},
    parameter [N*N-1:0]        REQUIRED = 4'b0110,
    parameter [N*N-1:0]        LEADING  = 4'b0110
) (
    input  wire                              clk,
    input  wire                              rst,

    input  wire [N-1:0]                      in_valid,
    output wire [N-1:0]                      in_ready,
    input  wire [N*(2+STOP_W+REF_W+CRD_W)-1:0] in_beat,

    output wire                              crd_valid,
    input  wire                              crd_ready,
    output wire [2+STOP_W+CRD_W-1:0]         crd_beat,

    output wire [N-1:0]                      ref_valid,
    input  wire [N-1:0]                      ref_ready,
    output wire [N*(2+STOP_W+REF_W)-1:0]     ref_beat,

    output wire [N-1:0]                      skip_valid,
    input  wire [N-1:0]                      skip_ready,
    output wire [N*(CRD_W+1+TAG_W)-1:0]      skip_beat
);
    generate
        if (N < 1 || CRD_W < 1 || REF_W < 1 || STOP_W < 1 || TAG_W < 1
            || STOP_W > CRD_W || STOP_W > REF_W) begin : g_parameters
            samhw_parameter_out_of_range refused ();
        end
    endgenerate

    // Whether both operands are needed wherever something is emitted.
    localparam PAIRS  = N == 2 && EMIT[3:1] == 3'b100;
    localparam IN_W   = 2 + STOP_W + REF_W + CRD_W;
    localparam OUT_W  = 2 + STOP_W + REF_W;
    // A beat held back: no leaf, above the fibers, crd; then per operand: absent, ref. One that leaves: no leaf,
    // DONE, crd; then per operand: second kind bit, ref.
    localparam HOLD_W = 2 + CRD_W + N*(1+REF_W);
    localparam [STOP_W-1:0] ONE = {{(STOP_W-1){1'b0}}, 1'b1};

    // Heads. A head that closes its list stays until the fiber ends; `taken` marks that it
    // was consumed.
    wire [N*IN_W-1:0]   head;
    wire [N-1:0]        h_valid;
    wire [N-1:0]        h_pop;
    wire [N-1:0]        h_none;
    wire [N-1:0]        h_low;
    wire [N*STOP_W-1:0] h_stop;
    wire [N*CRD_W-1:0]  h_crd;
    wire [N*REF_W-1:0]  h_ref;
    reg  [N-1:0]        taken;

    // Row k of `not_above`: the coordinate of k is at most that of operand j.
    wire [N*N-1:0]      not_above;
    wire [N-1:0]        smallest;
    wire [N-1:0]        closes;

    wire [N-1:0] leaf     = ~taken & ~h_none;
    wire [N-1:0] least    = leaf & (smallest | {N{!ALIVE[leaf]}});
    wire         emit     = EMIT[least];
    wire [N-1:0] take;
    // What is consumed and closes its operand's fiber, if the fiber goes on.
    wire [N-1:0] shut;
    // What goes on in this fiber after this step; if nothing can come of it, what closes is done.
    wire [N-1:0] rest     = leaf & ~shut;
    wire         ends;

    wire room;
    wire waiting;
    wire go    = (&h_valid) && room;
    wire push;
    wire close;

    always @(posedge clk)
        if (rst)
            taken <= {N{1'b0}};
        else if (go)
            taken <= ends ? {N{1'b0}} : (taken | shut);

    // NIL above the fibers and DONE stand on all operands; any other end without a leaf is
    // an empty fiber.
    wire above = h_none[0] && (h_low[0] || h_crd[STOP_W-1:0] != ONE);

    // The coordinates of two that are needed together are equal where it matters which one it is.
    reg  [CRD_W-1:0] crd;
    integer i;
    always @* begin
        crd = h_crd[CRD_W-1:0];
        for (i = 1; i < N; i = i + 1)
            if (least[i] && !PAIRS)
                crd = h_crd[i*CRD_W +: CRD_W];
    end

    // What is no leaf gets its hole after it was held back, where there is time: DONE is above with hole 0.
    wire [HOLD_W-1:0] beat;
    wire [HOLD_W-1:0] held;
    wire [HOLD_W-1:0] leaving;
    wire              held_none = held[HOLD_W-1];
    wire [CRD_W-1:0]  held_crd  = held[HOLD_W-3 -: CRD_W];
    wire [STOP_W-1:0] held_hole = held[HOLD_W-2] ? held_crd[STOP_W-1:0] : ONE;
    wire              held_done = held_none && held_hole == {STOP_W{1'b0}};
    assign beat[HOLD_W-1 -: 2+CRD_W] = {!emit, above, crd};
    assign leaving[HOLD_W-1 -: 2+CRD_W] =
        {held_none, held_done, held_none ? {{(CRD_W-STOP_W){1'b0}}, held_hole} : held_crd};

    wire [STOP_W-1:0] out_stop;
    wire [HOLD_W-1:0] out_data;
    samhw_hold #(.W(HOLD_W), .OUT_W(HOLD_W), .STOP_W(STOP_W), .BRANCHES(N+1), .USED(USED)) u_hold (
        .clk(clk), .rst(rst),
        .room(room), .waiting(waiting), .push(push), .close(close), .last(ends),
        .in_stop(ends ? h_stop[STOP_W-1:0] : {STOP_W{1'b0}}), .in_data(beat),
        .held_data(held), .out_next(leaving),
        .out_valid({ref_valid, crd_valid}), .out_ready({ref_ready, crd_ready}),
        .out_stop(out_stop), .out_data(out_data)
    );
    wire out_none = out_data[HOLD_W-1];
    assign crd_beat = USED[0] ? {out_none, out_data[HOLD_W-2], out_stop, out_data[HOLD_W-3 -: CRD_W]}
                              : {(2+STOP_W+CRD_W){1'b0}};

    localparam HINT_W = CRD_W + 1 + TAG_W;
    localparam [TAG_W-1:0] NEXT = 1;
    reg [TAG_W-1:0] fiber;
    always @(posedge clk)
        if (rst)
            fiber <= {TAG_W{1'b0}};
        else if (go && ends)
            fiber <= fiber + NEXT;

    genvar k;
    genvar j;
    generate
        if (PAIRS) begin : g_lone
            // The greater of two leaves is consumed too if the other's next one is beyond it: that is the buffer's
            // second entry or arrives; after a last one there is none. So two last leaves go together, and whether
            // the fiber ends needs no comparison.
            for (k = 0; k < 2; k = k + 1) begin : g_ahead
                localparam LOOK_W = IN_W - REF_W;
                wire [IN_W-1:0]   beat_in = in_beat[k*IN_W +: IN_W];
                wire [IN_W-1:0]   first;
                wire              next_valid;
                wire [LOOK_W-1:0] next_beat;
                assign head[k*IN_W +: IN_W] = {first[IN_W-1 -: 2+STOP_W], first[REF_W-1:0], first[REF_W +: CRD_W]};
                samhw_skid_ahead #(.W(IN_W), .SHOWN(LOOK_W)) u_in (
                    .clk(clk), .rst(rst),
                    .in_valid(in_valid[k]), .in_ready(in_ready[k]),
                    .in_beat({beat_in[IN_W-1 -: 2+STOP_W], beat_in[CRD_W-1:0], beat_in[CRD_W +: REF_W]}),
                    .out_valid(h_valid[k]), .out_ready(h_pop[k]), .out_beat(first),
                    .next_valid(next_valid), .next_beat(next_beat)
                );
                wire [CRD_W-1:0] other  = h_crd[(1-k)*CRD_W +: CRD_W];
                wire [CRD_W-1:0] next   = next_valid ? next_beat[CRD_W-1:0] : in_beat[k*IN_W +: CRD_W];
                wire             shown  = next_valid || in_valid[k];
                wire             beyond;
                wire             lower;
                if (SKIPS == {N{1'b0}}) begin : g_plain
                    assign beyond = next > other;
                    assign lower  = not_above[(1-k)*N + k];
                end else begin : g_apart
                    // What hints make of them would come before what is popped.
                    (* keep *) wire past;
                    (* keep *) wire low;
                    assign past   = next > other;
                    assign low    = not_above[(1-k)*N + k];
                    assign beyond = past;
                    assign lower  = low;
                end
                (* keep *) wire passed;
                assign passed = lower || (shown && beyond);
                assign take[1-k] = leaf[1-k] && (!leaf[k] || closes[k] || passed);
                assign shut[1-k] = leaf[1-k] && closes[1-k] && passed;
                // Popped whatever the comparisons say, if it is the lower, and if what is shown is beyond it.
                (* keep *) wire surely;
                assign surely = go && (ends || (leaf[1-k] && !closes[1-k] && (!leaf[k] || closes[k])));
                (* keep *) wire if_low;
                assign if_low = go && leaf[1-k] && !closes[1-k];
                (* keep *) wire if_past;
                assign if_past = if_low && shown;
                assign h_pop[1-k] = surely || (if_low && lower) || (if_past && beyond);
                wire _unused_ok = &{1'b0, next_beat[LOOK_W-1:CRD_W], 1'b0};
            end
            assign ends = &(~leaf | closes);
            // Comparisons are late, and what they are put together with is early: it stays a wire of its own
            // (`keep`), here and above.
            (* keep *) wire equal;
            assign equal = &not_above;
            (* keep *) wire meets;
            assign meets = go && (&leaf);
            (* keep *) wire bare;
            assign bare = go && ends && !waiting;
            assign push  = bare || (meets && equal);
            // Nothing is held or settled by a step that goes on, so that a step is enough.
            assign close = go;
            wire _unused_emit = &{1'b0, emit, 1'b0};
        end else begin : g_each
            wire dead = SKIPS != {N{1'b0}} && !ALIVE[rest];
            assign push  = go && (emit || (ends && !waiting));
            assign close = go && ends && !emit && waiting;
            assign take = least;
            assign shut = take & closes;
            assign h_pop = {N{go}} & ({N{ends}} | (take & ~closes));
            assign ends = &(~leaf | ((take | {N{dead}}) & closes));
            for (k = 0; k < N; k = k + 1) begin : g_head
                samhw_skid #(.W(IN_W), .PASS(N == 2)) u_in (
                    .clk(clk), .rst(rst),
                    .in_valid(in_valid[k]), .in_ready(in_ready[k]), .in_beat(in_beat[k*IN_W +: IN_W]),
                    .out_valid(h_valid[k]), .out_ready(h_pop[k]), .out_beat(head[k*IN_W +: IN_W])
                );
            end
        end

        for (k = 0; k < N; k = k + 1) begin : g_operand
            localparam [(1<<N)-1:0] KEEP_K = KEEP[k<<N +: 1<<N];
            assign {h_none[k], h_low[k], h_stop[k*STOP_W +: STOP_W],
                    h_ref[k*REF_W +: REF_W], h_crd[k*CRD_W +: CRD_W]} = head[k*IN_W +: IN_W];
            assign closes[k] = h_stop[k*STOP_W +: STOP_W] != {STOP_W{1'b0}};

            assign not_above[k*N + k] = 1'b1;
            for (j = k + 1; j < N; j = j + 1) begin : g_order
                wire [CRD_W-1:0] one   = h_crd[k*CRD_W +: CRD_W];
                wire [CRD_W-1:0] other = h_crd[j*CRD_W +: CRD_W];
                // With a bit below: two carry chains, which are faster than one and a comparison for equality.
                assign not_above[k*N + j] = {one, 1'b0} < {other, 1'b1};
                assign not_above[j*N + k] = {other, 1'b0} < {one, 1'b1};
            end
            assign smallest[k] = &(not_above[k*N +: N] | ~leaf);

            wire             present  = least[k] && KEEP_K[least] && !h_low[k];
            wire             held_low = held[k*(1+REF_W) + REF_W];
            wire [REF_W-1:0] held_ref = held[k*(1+REF_W) +: REF_W];
            assign beat[k*(1+REF_W) +: 1+REF_W] = {!present, h_ref[k*REF_W +: REF_W]};
            assign leaving[k*(1+REF_W) +: 1+REF_W] =
                held_none ? {held_done, {(REF_W-STOP_W){1'b0}}, held_hole}
                          : {held_low, held_low ? {REF_W{1'b0}} : held_ref};
            assign ref_beat[k*OUT_W +: OUT_W] =
                USED[k+1] ? {out_none, out_data[k*(1+REF_W) + REF_W], out_stop, out_data[k*(1+REF_W) +: REF_W]}
                          : {OUT_W{1'b0}};

            if (SKIPS[k]) begin : g_skip
                localparam [N-1:0] REQUIRED_K = REQUIRED[k*N +: N];
                localparam [N-1:0] LEADING_K  = LEADING[k*N +: N];
                wire over = (REQUIRED_K & ~rest) != {N{1'b0}};
                wire lags = least[k] && (REQUIRED_K & ~least) != {N{1'b0}};
                wire send = go && !ends && rest[k] && (over || lags);

                // Equal coordinates may lead together.
                wire [N-1:0]     leads;
                reg  [CRD_W-1:0] lead;
                for (j = 0; j < N; j = j + 1) begin : g_lead
                    wire [N-1:0] below;
                    genvar       m;
                    for (m = 0; m < N; m = m + 1) begin : g_below
                        assign below[m] = not_above[m*N + j] || !LEADING_K[m];
                    end
                    assign leads[j] = LEADING_K[j] && (&below);
                end
                integer a;
                always @* begin
                    lead = {CRD_W{1'b0}};
                    for (a = 0; a < N; a = a + 1)
                        if (leads[a])
                            lead = lead | h_crd[a*CRD_W +: CRD_W];
                end

                samhw_hint #(.CRD_W(CRD_W), .TAG_W(TAG_W)) u_hint (
                    .clk(clk), .rst(rst),
                    .send(send), .over(over), .fiber(fiber), .crd(lead),
                    .valid(skip_valid[k]), .ready(skip_ready[k]), .beat(skip_beat[k*HINT_W +: HINT_W])
                );
            end else begin : g_no_skip
                assign skip_valid[k] = 1'b0;
                assign skip_beat[k*HINT_W +: HINT_W] = {HINT_W{1'b0}};
            end
        end
    endgenerate

    wire _unused_ok = &{1'b0, skip_ready, take, rest, fiber, REQUIRED, LEADING, 1'b0};

`ifdef SAMHW_ASSERT
    reg [N-1:0]       open;
    reg [N*CRD_W-1:0] previous;
    integer           a;
    always @(posedge clk) begin
        for (a = 0; a < N; a = a + 1) begin
            if (h_pop[a] || (go && take[a]))
                previous[a*CRD_W +: CRD_W] <= h_crd[a*CRD_W +: CRD_W];
            if (!rst && go && leaf[a] && open[a]
                    && h_crd[a*CRD_W +: CRD_W] <= previous[a*CRD_W +: CRD_W]) begin
                $display("samhw_joiner_skip: coordinates of operand %0d do not increase", a);
                $stop;
            end
            if (!rst && go && !taken[a] && h_none[a] && open[a]) begin
                $display("samhw_joiner_skip: operand %0d: no leaf inside a fiber", a);
                $stop;
            end
            if (!rst && go && ends && h_stop[a*STOP_W +: STOP_W] != h_stop[STOP_W-1:0]) begin
                $display("samhw_joiner_skip: operands 0 and %0d close different lists", a);
                $stop;
            end
            if (!rst && go && (h_none[a] && (h_low[a] || h_crd[a*CRD_W +: STOP_W] != ONE)) != above) begin
                $display("samhw_joiner_skip: operands 0 and %0d are not aligned", a);
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
