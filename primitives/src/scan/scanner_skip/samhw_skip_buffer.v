// SPDX-License-Identifier: Apache-2.0
//
// Part of samhw_scanner_skip: the pairs of groups that were asked for, and the next one, the front.
//
//   Contract    Pairs are reserved in order; a cycle later a note says the place of each and how many
//               coordinates of its fiber there are from it on; in the same order they come, none before its
//               note. The front is the oldest pair that was not passed over, from the cycle after it came. It
//               is passed over: by `through`; with all others of its fiber by `drop` (if `current`, all that
//               are reserved by the next cycle are of it); with all that came before this cycle by `sweep`;
//               with all that are reserved by the next cycle by `leap`.
//   Front       ends: the fiber ends in its lower, or in its upper group (bits WIDE_LOG2+1 and WIDE_LOG2), in
//               the lane of its pair that the bits from WIDE_LOG2 down say. Of either group, low: as of a
//               cycle ago its highest lane was below `lowest`; closes: the fiber ends in it, or its highest
//               lane was not below `cap` while `capped`; what is compared is false in the first cycle after
//               `leave`.
//   Boundary    what is out of the front, credit and some are registers.
//   Parameters  CRD_W bits of a coordinate, REF_W of a position, 2**SLOTS_LOG2 pairs of groups of
//               2**WIDE_LOG2 coordinates.
//   Reset       pointers and valid bits; payloads are not reset.
`default_nettype none

module samhw_skip_buffer #(
    parameter CRD_W      = 16,
    parameter REF_W      = 16,
    parameter SLOTS_LOG2 = 4,
    parameter WIDE_LOG2  = 0
) (
    input  wire                             clk,
    input  wire                             rst,

    output reg                              credit,   // another one can be reserved
    input  wire                             reserve,
    input  wire                             note,     // one was
    input  wire [REF_W-1:0]                 note_place,
    input  wire [REF_W-1:0]                 note_left,
    input  wire                             store,
    input  wire [(CRD_W<<WIDE_LOG2)*2-1:0]  store_pair,

    input  wire [CRD_W-1:0]                 lowest,
    input  wire                             capped,
    input  wire [CRD_W-1:0]                 cap,

    output reg                              here,
    output reg  [(CRD_W<<WIDE_LOG2)*2-1:0]  pair,
    output reg  [REF_W-1:0]                 place,
    output reg  [WIDE_LOG2+1:0]             ends,
    output reg  [1:0]                       low,
    output reg  [1:0]                       closes,

    input  wire                             through,
    input  wire                             leave,
    input  wire                             drop,
    input  wire                             current,
    output wire                             some,     // behind the front there are pairs that came before this cycle
    input  wire                             sweep,
    input  wire                             leap
);
    generate
        if (CRD_W < 1 || REF_W < 1 || SLOTS_LOG2 < 1 || WIDE_LOG2 < 0) begin : g_parameters
            samhw_parameter_out_of_range refused ();
        end
    endgenerate

    localparam SLOTS  = 1 << SLOTS_LOG2;
    localparam GROUP  = CRD_W << WIDE_LOG2;
    localparam LANE_W = WIDE_LOG2 + 1;
    // Pointers may be a buffer apart in either direction.
    localparam PTR_W  = SLOTS_LOG2 + 2;
    localparam [PTR_W-1:0] STEP   = 1;
    localparam [PTR_W-1:0] NEARLY = SLOTS - 1;
    localparam [LANE_W-1:0] ONE   = 1;

    reg  [PTR_W-1:0] asked;    // pairs that were reserved
    reg  [PTR_W-1:0] come;     // that came
    reg  [PTR_W-1:0] come_next;
    reg  [PTR_W-1:0] come_last;
    reg  [PTR_W-1:0] loaded;   // that went to the front, or were passed over
    reg  [PTR_W-1:0] loaded_next;
    reg  [SLOTS_LOG2-1:0] mirrored;   // the slot of `loaded`, inverted
    wire [PTR_W-1:0] held   = asked - loaded;

    // What is known of a pair before it comes, and where the pair behind its fiber is.
    localparam COUNT_W = REF_W + PTR_W + LANE_W;
    localparam ABOUT_W = REF_W + LANE_W + 1 + PTR_W;
    reg  [ABOUT_W-1:0]            about [0:SLOTS-1];
    reg  [PTR_W-1:0]              note_at;
    wire [COUNT_W-1:0]            left   = {{(COUNT_W-REF_W){1'b0}}, note_left};
    wire [PTR_W+LANE_W-1:0]       more   = left[PTR_W+LANE_W-1:0] + {{PTR_W{1'b0}}, {LANE_W{1'b1}}};
    wire [PTR_W-1:0]              behind = note_at + more[LANE_W +: PTR_W];
    wire                          ender  = left >> (LANE_W + 1) == 0 && !(left[LANE_W] && left[LANE_W-1:0] != 0);
    wire [LANE_W-1:0]             lane   = (left[LANE_W-1:0] - ONE) & {LANE_W{ender}};
    always @(posedge clk)
        note_at <= asked;
    always @(posedge clk)
        if (note)
            about[note_at[SLOTS_LOG2-1:0]] <= {note_place, ender && !lane[LANE_W-1], lane, behind};

    // What comes next, and what is known of it.
    reg              none;        // come == loaded: the next pair to come is the next one
    reg              owing;       // come < loaded: not all that was passed over has come
    // No sum stands before a comparison: of come, what was and what will be beside it.
    wire             then_loaded = store ? come_next == loaded : none;           // what comes then is at loaded
    wire             then_next   = store ? none : come_last == loaded;           // ... is the one behind
    wire             then_asked  = store ? come_next == asked : come == asked;   // all has come then
    assign some = !none && !owing;
    // ... where the front's fiber ends before its last pair: of the pair behind it, from the second cycle in
    // which there is a front of that fiber.
    reg  [PTR_W-1:0] behind_it;
    reg              none_behind;
    reg              some_behind;
    wire [PTR_W-1:0] since       = come - behind_it;
    wire             reached     = come == behind_it;
    wire             beyond      = reached ? store : !since[PTR_W-1];            // it has come then
    wire             then_behind = store ? come_next == behind_it : reached;
    wire             then_after  = store ? reached : come_last == behind_it;
    wire             early      = drop && !ends[WIDE_LOG2+1] && !ends[WIDE_LOG2];
    wire             has_behind = some_behind || (none_behind && store);

    wire               load        = !here || through;
    wire [2*GROUP-1:0] pair_stored;
    wire [2*GROUP-1:0] pair_past;
    wire [2*GROUP-1:0] pair_next   = none ? store_pair : pair_stored;
    wire [2*GROUP-1:0] pair_behind = none_behind ? store_pair : pair_past;
    // Both are read, and late `early` chooses: kept apart, here and of the pairs, or yosys reads once, at an
    // address that it chooses.
    (* keep *)
    wire [ABOUT_W-1:0] about_next;
    (* keep *)
    wire [ABOUT_W-1:0] about_behind;
    assign about_next   = about[loaded[SLOTS_LOG2-1:0]];
    assign about_behind = about[behind_it[SLOTS_LOG2-1:0]];
    wire [LANE_W:0]    ends_next    = early ? about_behind[PTR_W +: LANE_W+1] : about_next[PTR_W +: LANE_W+1];
    wire               all         = drop && current;
    // What was asked for in the cycle in which all was passed over goes, too.
    reg                passed;
    always @* begin
        loaded_next = loaded;
        if (rst)
            loaded_next = {PTR_W{1'b0}};
        else if (all || leap)
            loaded_next = asked;
        else if (early)
            loaded_next = has_behind ? behind_it + STEP : behind_it;
        else if (sweep)
            loaded_next = come;
        else if ((passed && note) || (load && (some || (store && none))))
            loaded_next = loaded + STEP;
    end
    always @(posedge clk) begin
        passed <= all || leap;
        if (load)
            {pair, place, ends, behind_it} <= early ? {pair_behind, about_behind} : {pair_next, about_next};
        if (rst || !here || drop)
            {none_behind, some_behind} <= 2'd0;
        else
            {none_behind, some_behind} <= {then_behind, beyond};
        if (rst) begin
            here          <= 1'b0;
            {none, owing} <= 2'd2;
        end else if (all || leap) begin
            here          <= 1'b0;
            {none, owing} <= {then_asked, !then_asked};
        end else if (early) begin
            here          <= has_behind;
            none          <= has_behind ? then_after : then_behind;
            owing         <= !has_behind && !then_behind && !beyond;
        end else if (sweep) begin
            here          <= 1'b0;
            {none, owing} <= {!store, 1'b0};
        end else if (passed && note) begin
            here          <= 1'b0;
            {none, owing} <= {then_next, !then_next};
        end else if (load && (some || (store && none))) begin
            here          <= 1'b1;
            {none, owing} <= {then_next, 1'b0};
        end else begin
            if (load)
                here <= 1'b0;
            none  <= then_loaded;
            owing <= owing && !then_loaded;
        end
        loaded   <= loaded_next;
        mirrored <= ~loaded_next[SLOTS_LOG2-1:0];
        if (rst) begin
            asked  <= {PTR_W{1'b0}};
            come   <= {PTR_W{1'b0}};
            come_next <= STEP;
            come_last <= {PTR_W{1'b1}};
            credit <= 1'b1;
        end else begin
            if (reserve)
                asked <= asked + STEP;
            if (store)
                {come_last, come, come_next} <= {come, come_next, come_next + STEP};
            credit <= held < NEARLY;
        end
    end

    // The pairs, lane by lane. The highest lanes of both groups, which are compared, lie in reverse order: so
    // the pointer to the next of them is a register of its own near them, and not the one that all lanes are
    // read with.
    genvar l;
    generate
        for (l = 1; l <= 2 << WIDE_LOG2; l = l + 1) begin : g_lane
            localparam [SLOTS_LOG2-1:0] REVERSE = {SLOTS_LOG2{(l & ((1 << WIDE_LOG2) - 1)) == 0}};
            reg  [CRD_W-1:0]      held_crd [0:SLOTS-1];
            wire [SLOTS_LOG2-1:0] next_at = REVERSE[0] ? mirrored : loaded[SLOTS_LOG2-1:0];
            always @(posedge clk)
                if (store)
                    held_crd[come[SLOTS_LOG2-1:0] ^ REVERSE] <= store_pair[l*CRD_W-1 -: CRD_W];
            (* keep *)
            wire [CRD_W-1:0] crd_next;
            (* keep *)
            wire [CRD_W-1:0] crd_past;
            assign crd_next = held_crd[next_at];
            assign crd_past = held_crd[behind_it[SLOTS_LOG2-1:0] ^ REVERSE];
            assign pair_stored[l*CRD_W-1 -: CRD_W] = crd_next;
            assign pair_past[l*CRD_W-1 -: CRD_W]   = crd_past;
        end
    endgenerate

    // Compared a cycle before it decides, of the pair that is loaded, wherever that comes from, and of the
    // one that waits: what is compared is chosen, and not what is chosen compared. Of the next fiber nothing
    // is known yet.
    genvar k;
    generate
        for (k = 0; k < 2; k = k + 1) begin : g_group
            wire [CRD_W-1:0] arrives = store_pair[(k+1)*GROUP-1 -: CRD_W];
            wire [CRD_W-1:0] stored  = pair_stored[(k+1)*GROUP-1 -: CRD_W];
            wire [CRD_W-1:0] waits   = pair[(k+1)*GROUP-1 -: CRD_W];
            wire             ends_in = load ? ends_next[LANE_W-k] : ends[LANE_W-k];
            always @(posedge clk) begin
                low[k]    <= !leave && (!load ? waits < lowest : none ? arrives < lowest : stored < lowest);
                closes[k] <= ends_in
                             || (!leave && capped && (!load ? waits >= cap : none ? arrives >= cap : stored >= cap));
            end
        end
    endgenerate

    wire _unused_ok = &{1'b0, more, 1'b0};

endmodule

`default_nettype wire
