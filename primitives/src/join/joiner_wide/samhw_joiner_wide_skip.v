// SPDX-License-Identifier: Apache-2.0
//
// Intersection of two operands that come in groups of coordinates, with hints for their scanners
// (samhw_scanner_skip): compares all of one group with all of another.
//
//   Consumes    in[k]: groups {ref, count, crd} of depth d, aligned above the height-1 lists; all but the
//               last of a fiber have 2**WIDE_LOG2 coordinates, lanes beyond the last repeat it. Coordinates
//               strictly increasing.
//   Produces    crd: the coordinates that both have; ref[k]: the position that operand k has it at. All of depth d.
//   Throughput  each cycle the group whose largest coordinate is the smaller one is consumed, or both; a step with
//               several matches takes a cycle for each. Where one operand has ended a group of the other goes
//               each cycle.
//   Latency     3 cycles for the last beat of a fiber; others leave with the next one, or at once if the
//               group has more.
//   Hints       skip[k] {crd, over, fiber}: of fiber number `fiber` operand k needs to give nothing below crd
//               (over: nothing) more than what is there of it. See samhw_group_hint; nothing ever waits for
//               them.
//   Parameters  CRD_W, REF_W payload bits (REF_W of a position), STOP_W stop bits (at most CRD_W and REF_W), WIDE_LOG2;
//               USED: bit 0 crd, bit k+1 ref[k]; ready of an output not used is ignored; TAG_W bits of a
//               fiber's number; SKIPS: bit k, operand k gets hints.
//   Reset       valid and state bits; payloads are not reset.
//   Source      "The Sparse Abstract Machine", section 3.2.
`default_nettype none

module samhw_joiner_wide_skip #(
    parameter CRD_W     = 16,
    parameter REF_W     = 16,
    parameter STOP_W    = 3,
    parameter WIDE_LOG2 = 1,
    parameter [2:0] USED = 3'b111,
    parameter TAG_W = 6,
    parameter [1:0] SKIPS = 2'b11
) (
    input  wire                          clk,
    input  wire                          rst,

    input  wire [1:0]                    in_valid,
    output wire [1:0]                    in_ready,
    input  wire [2*(2+STOP_W+REF_W+WIDE_LOG2+(CRD_W<<WIDE_LOG2))-1:0] in_beat,

    output wire                          crd_valid,
    input  wire                          crd_ready,
    output wire [2+STOP_W+CRD_W-1:0]     crd_beat,

    output wire [1:0]                    ref_valid,
    input  wire [1:0]                    ref_ready,
    output wire [2*(2+STOP_W+REF_W)-1:0] ref_beat,

    output wire [1:0]                    skip_valid,
    input  wire [1:0]                    skip_ready,
    output wire [2*(CRD_W+1+TAG_W)-1:0]  skip_beat
);
    generate
        if (CRD_W < 1 || REF_W < 1 || STOP_W < 1 || WIDE_LOG2 < 1 || TAG_W < 1
            || STOP_W > CRD_W || STOP_W > REF_W) begin : g_parameters
            samhw_parameter_out_of_range refused ();
        end
    endgenerate

    localparam WIDE  = 1 << WIDE_LOG2;
    localparam ALL_W = WIDE * CRD_W;
    localparam IN_W  = 2 + STOP_W + REF_W + WIDE_LOG2 + ALL_W;
    localparam OUT_W = 2 + STOP_W + REF_W;
    // A beat held back: no leaf, above the fibers, crd; then per operand: lane, position of the group.
    localparam PLACE_W = WIDE_LOG2 + REF_W;
    localparam HOLD_W  = 2 + CRD_W + 2 * PLACE_W;
    localparam LEFT_W  = 2 + CRD_W + 2 * REF_W;
    localparam [STOP_W-1:0] ONE     = {{(STOP_W-1){1'b0}}, 1'b1};
    localparam [STOP_W-1:0] NO_STOP = {STOP_W{1'b0}};

    // Heads. A head that closes its list stays until the fiber ends; `taken` marks that it was consumed.
    wire [2*IN_W-1:0]      head;
    wire [1:0]             h_valid;
    wire [1:0]             h_pop;
    wire [1:0]             h_none;
    wire [2*STOP_W-1:0]    h_stop;
    wire [2*REF_W-1:0]     h_ref;
    wire [2*WIDE_LOG2-1:0] h_count;
    wire [2*ALL_W-1:0]     h_crd;
    wire [1:0]             closes;
    reg  [1:0]             taken;
    wire [1:0]             leaf = ~taken & ~h_none;
    wire [1:0]             take;
    // Bit k: the largest of group k is at most that of the other; with a bit below it is one carry chain each.
    wire [1:0]             lesser;
    wire                   ends = &(~leaf | closes);
    wire                   go;

    genvar k;
    generate
        for (k = 0; k < 2; k = k + 1) begin : g_operand
            wire unused_low;
            samhw_skid #(.W(IN_W), .PASS(1)) u_in (
                .clk(clk), .rst(rst),
                .in_valid(in_valid[k]), .in_ready(in_ready[k]), .in_beat(in_beat[k*IN_W +: IN_W]),
                .out_valid(h_valid[k]), .out_ready(h_pop[k]), .out_beat(head[k*IN_W +: IN_W])
            );
            assign {h_none[k], unused_low, h_stop[k*STOP_W +: STOP_W], h_ref[k*REF_W +: REF_W],
                    h_count[k*WIDE_LOG2 +: WIDE_LOG2], h_crd[k*ALL_W +: ALL_W]} = head[k*IN_W +: IN_W];
            assign closes[k] = h_stop[k*STOP_W +: STOP_W] != NO_STOP;
            wire [CRD_W-1:0] own   = h_crd[k*ALL_W + ALL_W - CRD_W +: CRD_W];
            wire [CRD_W-1:0] other = h_crd[(1-k)*ALL_W + ALL_W - CRD_W +: CRD_W];
            assign lesser[k] = {own, 1'b0} < {other, 1'b1};
            // After the other's last group nothing is needed any more.
            assign take[k]  = leaf[k] && (!leaf[1-k] || closes[1-k] || lesser[k]);
            assign h_pop[k] = go && (ends || (take[k] && !closes[k]));
            wire _unused_ok = &{1'b0, unused_low, h_count[k*WIDE_LOG2 +: WIDE_LOG2], 1'b0};
        end
    endgenerate

    always @(posedge clk)
        if (rst)
            taken <= 2'b00;
        else if (go)
            taken <= ends ? 2'b00 : taken | (take & closes);

    localparam HINT_W = CRD_W + 1 + TAG_W;
    localparam [TAG_W-1:0] NEXT = 1;
    reg [TAG_W-1:0] fiber;
    always @(posedge clk)
        if (rst)
            fiber <= {TAG_W{1'b0}};
        else if (go && ends)
            fiber <= fiber + NEXT;

    generate
        for (k = 0; k < 2; k = k + 1) begin : g_skip
            if (SKIPS[k]) begin : g_told
                samhw_group_hint #(.CRD_W(CRD_W), .TAG_W(TAG_W), .WIDE_LOG2(WIDE_LOG2)) u_hint (
                    .clk(clk), .rst(rst),
                    .here(h_valid[1-k]), .over(!leaf[1-k]), .leaves(go && (ends || take[1-k])),
                    .lanes(h_crd[(1-k)*ALL_W +: ALL_W]),
                    .own_here(h_valid[k]), .own(h_crd[k*ALL_W + ALL_W - CRD_W +: CRD_W]), .fiber(fiber),
                    .skip_valid(skip_valid[k]), .skip_ready(skip_ready[k]), .skip_beat(skip_beat[k*HINT_W +: HINT_W])
                );
            end else begin : g_untold
                assign skip_valid[k] = 1'b0;
                assign skip_beat[k*HINT_W +: HINT_W] = {HINT_W{1'b0}};
                wire _unused_ok = &{1'b0, skip_ready[k], fiber, 1'b0};
            end
        end
    endgenerate

    // What the two groups have together: bit i of `both`, lane i of the first operand is in the second one's
    // lanes `equal`, of which the lowest counts (lanes beyond the last coordinate repeat it); it counts if
    // bit i of `there` is set.
    wire [WIDE-1:0]      there = {WIDE{leaf == 2'b11}} & ~(({WIDE{1'b1}} << 1) << h_count[WIDE_LOG2-1:0]);
    wire [WIDE-1:0]      both;
    wire [WIDE*WIDE-1:0] equal;
    genvar i;
    genvar j;
    generate
        for (i = 0; i < WIDE; i = i + 1) begin : g_first
            for (j = 0; j < WIDE; j = j + 1) begin : g_second
                assign equal[i*WIDE + j] = h_crd[i*CRD_W +: CRD_W] == h_crd[ALL_W + j*CRD_W +: CRD_W];
            end
            assign both[i] = equal[i*WIDE +: WIDE] != {WIDE{1'b0}};
        end
    endgenerate

    // A step: its matches leave one a cycle, the lowest first.
    reg                      full;
    reg [WIDE-1:0]           meets;
    reg [WIDE*WIDE-1:0]      mates;
    reg [ALL_W-1:0]          crds;
    reg [2*REF_W-1:0]        places;
    reg                      last;   // the fiber ends with it
    reg                      above;  // it is NIL above the fibers, or DONE
    reg [STOP_W-1:0]         stop;

    wire            room;
    wire            waiting;
    wire [WIDE-1:0] later = meets & (meets - {{(WIDE-1){1'b0}}, 1'b1});
    wire            some  = meets != {WIDE{1'b0}};
    wire            more  = later != {WIDE{1'b0}};
    assign go = (&h_valid) && (!full || (room && !more));
    wire            push  = full && room && (some || (last && !waiting));
    wire            close = full && room && last && !some && waiting;
    integer         m;

    always @(posedge clk) begin
        // What does not count, and what has left, is cleared, rather than being one more condition of what it is.
        for (m = 0; m < WIDE; m = m + 1)
            if (go ? !there[m] : room && !later[m])
                meets[m] <= 1'b0;
            else if (go)
                meets[m] <= both[m];
        if (go) begin
            mates   <= equal;
            crds    <= h_crd[ALL_W-1:0];
            places  <= h_ref;
            last    <= ends;
            above   <= h_none[0] && h_crd[STOP_W-1:0] != ONE;
            stop    <= ends ? h_stop[STOP_W-1:0] : NO_STOP;
        end
        if (rst)
            full <= 1'b0;
        else
            full <= go || (full && !(room && !more));
    end

    // Of a NIL and DONE the first lane is the hole.
    reg [CRD_W-1:0]     crd;
    reg [WIDE_LOG2-1:0] lane;
    reg [WIDE-1:0]      row;
    reg [WIDE_LOG2-1:0] mate_of;
    integer             n;
    always @* begin
        crd  = crds[CRD_W-1:0];
        lane = {WIDE_LOG2{1'b0}};
        row  = mates[WIDE-1:0];
        for (n = WIDE - 1; n > 0; n = n - 1)
            if (meets[n]) begin
                crd  = crds[n*CRD_W +: CRD_W];
                lane = n[WIDE_LOG2-1:0];
                row  = mates[n*WIDE +: WIDE];
            end
        if (meets[0]) begin
            crd  = crds[CRD_W-1:0];
            lane = {WIDE_LOG2{1'b0}};
            row  = mates[WIDE-1:0];
        end
        mate_of = {WIDE_LOG2{1'b0}};
        for (n = WIDE - 1; n > 0; n = n - 1)
            if (row[n])
                mate_of = n[WIDE_LOG2-1:0];
        if (row[0])
            mate_of = {WIDE_LOG2{1'b0}};
    end

    wire [HOLD_W-1:0]  held;
    wire [LEFT_W-1:0]  leaving;
    wire               held_none = held[HOLD_W-1];
    wire [CRD_W-1:0]   held_crd  = held[HOLD_W-3 -: CRD_W];
    wire [STOP_W-1:0]  held_hole = held[HOLD_W-2] ? held_crd[STOP_W-1:0] : ONE;
    wire               held_done = held_none && held_hole == NO_STOP;
    assign leaving[LEFT_W-1 -: 2+CRD_W] =
        {held_none, held_done, held_none ? {{(CRD_W-STOP_W){1'b0}}, held_hole} : held_crd};

    wire [STOP_W-1:0] out_stop;
    wire [LEFT_W-1:0] out_data;
    samhw_hold #(.W(HOLD_W), .OUT_W(LEFT_W), .STOP_W(STOP_W), .BRANCHES(3), .USED(USED)) u_hold (
        .clk(clk), .rst(rst),
        .room(room), .waiting(waiting), .push(push), .close(close), .last(last || more),
        .in_stop(more ? NO_STOP : stop),
        .in_data({!some, above, crd, mate_of, places[REF_W +: REF_W], lane, places[REF_W-1:0]}),
        .held_data(held), .out_next(leaving),
        .out_valid({ref_valid, crd_valid}), .out_ready({ref_ready, crd_ready}),
        .out_stop(out_stop), .out_data(out_data)
    );
    wire out_none = out_data[LEFT_W-1];
    wire out_done = out_data[LEFT_W-2];
    assign crd_beat = USED[0] ? {out_none, out_done, out_stop, out_data[LEFT_W-3 -: CRD_W]} : {(2+STOP_W+CRD_W){1'b0}};

    generate
        for (k = 0; k < 2; k = k + 1) begin : g_ref
            wire [REF_W-1:0]     group = held[k*PLACE_W +: REF_W];
            wire [WIDE_LOG2-1:0] at    = held[k*PLACE_W + REF_W +: WIDE_LOG2];
            localparam PAD = REF_W > WIDE_LOG2 ? REF_W : WIDE_LOG2;
            wire [PAD:0] place = {{(PAD+1-REF_W){1'b0}}, group} + {{(PAD+1-WIDE_LOG2){1'b0}}, at};
            assign leaving[k*REF_W +: REF_W] = held_none ? {{(REF_W-STOP_W){1'b0}}, held_hole} : place[REF_W-1:0];
            assign ref_beat[k*OUT_W +: OUT_W] =
                USED[k+1] ? {out_none, out_done, out_stop, out_data[k*REF_W +: REF_W]} : {OUT_W{1'b0}};
            wire _unused_ok = &{1'b0, place, 1'b0};
        end
    endgenerate

`ifdef SAMHW_ASSERT
    reg [1:0]         open;
    reg [2*CRD_W-1:0] previous;
    integer           a;
    integer           b;
    always @(posedge clk) begin
        for (a = 0; a < 2; a = a + 1) begin
            if (go && take[a])
                previous[a*CRD_W +: CRD_W] <= h_crd[a*ALL_W + ALL_W - CRD_W +: CRD_W];
            if (!rst && go && take[a] && open[a] && h_crd[a*ALL_W +: CRD_W] <= previous[a*CRD_W +: CRD_W]) begin
                $display("samhw_joiner_wide_skip: coordinates of operand %0d do not increase", a);
                $stop;
            end
            for (b = 1; b < WIDE; b = b + 1)
                if (!rst && go && leaf[a] && h_count[a*WIDE_LOG2 +: WIDE_LOG2] >= b[WIDE_LOG2-1:0]
                        && h_crd[a*ALL_W + b*CRD_W +: CRD_W] <= h_crd[a*ALL_W + (b-1)*CRD_W +: CRD_W]) begin
                    $display("samhw_joiner_wide_skip: coordinates of operand %0d do not increase in a group", a);
                    $stop;
                end
            if (!rst && go && !taken[a] && h_none[a] && open[a]) begin
                $display("samhw_joiner_wide_skip: operand %0d: no leaf inside a fiber", a);
                $stop;
            end
            if (!rst && go && ends && h_stop[a*STOP_W +: STOP_W] != h_stop[STOP_W-1:0]) begin
                $display("samhw_joiner_wide_skip: operands 0 and %0d close different lists", a);
                $stop;
            end
            if (!rst && go && (h_none[a] && h_crd[a*ALL_W +: STOP_W] != ONE)
                    != (h_none[0] && h_crd[STOP_W-1:0] != ONE)) begin
                $display("samhw_joiner_wide_skip: operands 0 and %0d are not aligned", a);
                $stop;
            end
        end
        if (rst)
            open <= 2'b00;
        else if (go)
            open <= ends ? 2'b00 : open | take;
    end
`endif

endmodule

`default_nettype wire
