// SPDX-License-Identifier: Apache-2.0
//
// Part of samhw_scanner_skip: the pairs of groups that were asked for, and the next one, the front.
//
//   Contract    Pairs are reserved in order; a cycle later a note says the place of each and how many coordinates of its fiber there are
//               from it on; in the same order they come, none before its note. The front is the oldest pair that was not passed over,
//               from the cycle after it came. It is passed over: by `through`; with all others of its fiber by `drop`
//               (if `current`, all that are reserved by the next cycle are of it); with all that came before this cycle by `sweep`; with all
//               that are reserved by the next cycle by `leap`.
//   Front       ends: the fiber ends in its lower, or in its upper group (bits WIDE_LOG2+1 and WIDE_LOG2), in the lane of its pair that the
//               bits from WIDE_LOG2 down say. low, high: of either group, as of a cycle ago, whether its highest lane was below `lowest`, and not below
//               `cap` while `capped`; neither in the first cycle after `leave`.
//   Boundary    what is out of the front, credit and some are registers.
//   Parameters  CRD_W bits of a coordinate, REF_W of a position, 2**SLOTS_LOG2 pairs of groups of 2**WIDE_LOG2 coordinates.
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
    output reg  [1:0]                       high,

    input  wire                             through,
    input  wire                             leave,
    input  wire                             drop,
    input  wire                             current,
    output wire                             some,     // behind the front there are pairs that came before this cycle
    input  wire                             sweep,
    input  wire                             leap
);

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
    reg  [PTR_W-1:0] loaded;   // that went to the front, or were passed over
    wire [PTR_W-1:0] held   = asked - loaded;

    // What is known of a pair before it comes, and where the pair behind its fiber is.
    localparam COUNT_W = REF_W + PTR_W + LANE_W;
    localparam ABOUT_W = REF_W + LANE_W + 1 + PTR_W;
    reg  [2*GROUP-1:0]            pairs [0:SLOTS-1];
    reg  [ABOUT_W-1:0]            about [0:SLOTS-1];
    reg  [PTR_W-1:0]              note_at;
    wire [COUNT_W-1:0]            left   = {{(COUNT_W-REF_W){1'b0}}, note_left};
    wire [PTR_W+LANE_W-1:0]       more   = left[PTR_W+LANE_W-1:0] + {{PTR_W{1'b0}}, {LANE_W{1'b1}}};
    wire [PTR_W-1:0]              behind = note_at + more[LANE_W +: PTR_W];
    wire                          ender  = left >> (LANE_W + 1) == 0 && !(left[LANE_W] && left[LANE_W-1:0] != 0);
    wire [LANE_W-1:0]             lane   = (left[LANE_W-1:0] - ONE) & {LANE_W{ender}};
    always @(posedge clk) begin
        note_at <= asked;
        if (store)
            pairs[come[SLOTS_LOG2-1:0]] <= store_pair;
    end
    always @(posedge clk)
        if (note)
            about[note_at[SLOTS_LOG2-1:0]] <= {note_place, ender && !lane[LANE_W-1], lane, behind};

    reg  [PTR_W-1:0] next_fiber;  // the pair behind the front's fiber
    reg              none;        // come == loaded: the next pair to come is the next one
    wire [PTR_W-1:0] waits      = come - loaded;
    wire [PTR_W-1:0] then_come  = store ? come + STEP : come;
    wire [PTR_W-1:0] to_loaded  = then_come ^ loaded;
    wire [PTR_W-1:0] to_next    = then_come ^ (loaded + STEP);
    // ... and of the pair behind the fiber at hand.
    wire [PTR_W-1:0] waits_next = come - next_fiber;
    wire [PTR_W-1:0] apart_next = come ^ next_fiber;
    wire             none_next  = apart_next == 0;
    wire             has_next   = none_next ? store : !waits_next[PTR_W-1];
    wire [PTR_W-1:0] to_fiber   = then_come ^ next_fiber;
    wire [PTR_W-1:0] to_after   = then_come ^ (next_fiber + STEP);
    wire [PTR_W-1:0] to_asked   = then_come ^ asked;
    wire             comes      = store && none;
    assign some = !waits[PTR_W-1] && !none;

    wire               load      = !here || through;
    wire [2*GROUP-1:0] then_pair = none ? store_pair : pairs[loaded[SLOTS_LOG2-1:0]];
    wire [2*GROUP-1:0] pair_next = none_next ? store_pair : pairs[next_fiber[SLOTS_LOG2-1:0]];
    wire               all       = drop && current;
    // What was asked for in the cycle in which all was passed over goes, too.
    reg                passed;
    always @(posedge clk) begin
        passed <= all || leap;
        if (load)
            {pair, place, ends, next_fiber} <= drop ? {pair_next, about[next_fiber[SLOTS_LOG2-1:0]]}
                                                    : {then_pair, about[loaded[SLOTS_LOG2-1:0]]};
        if (rst) begin
            here   <= 1'b0;
            loaded <= {PTR_W{1'b0}};
            none   <= 1'b1;
        end else if (all || (leap && !drop)) begin
            here   <= 1'b0;
            loaded <= asked;
            none   <= to_asked == 0;
        end else if (drop) begin
            here   <= has_next;
            loaded <= has_next ? next_fiber + STEP : next_fiber;
            none   <= has_next ? to_after == 0 : to_fiber == 0;
        end else if (sweep) begin
            here   <= 1'b0;
            loaded <= come;
            none   <= !store;
        end else if ((passed && note) || (load && (some || comes))) begin
            here   <= load && !passed;
            loaded <= loaded + STEP;
            none   <= to_next == 0;
        end else begin
            if (load)
                here <= 1'b0;
            none <= to_loaded == 0;
        end
        if (rst) begin
            asked  <= {PTR_W{1'b0}};
            come   <= {PTR_W{1'b0}};
            credit <= 1'b1;
        end else begin
            if (reserve)
                asked <= asked + STEP;
            if (store)
                come <= come + STEP;
            credit <= held < NEARLY;
        end
    end

    // Compared a cycle before it decides, of the pair that is loaded and of the one that waits. Of the next fiber nothing is known yet.
    genvar k;
    generate
        for (k = 0; k < 2; k = k + 1) begin : g_group
            wire [CRD_W-1:0] largest_then = then_pair[(k+1)*GROUP-1 -: CRD_W];
            wire [CRD_W-1:0] largest      = pair[(k+1)*GROUP-1 -: CRD_W];
            always @(posedge clk)
                if (rst || leave) begin
                    low[k]  <= 1'b0;
                    high[k] <= 1'b0;
                end else begin
                    low[k]  <= load ? largest_then < lowest : largest < lowest;
                    high[k] <= load ? {1'b0, largest_then} >= {!capped, cap} : {1'b0, largest} >= {!capped, cap};
                end
        end
    endgenerate

    wire _unused_ok = &{1'b0, more, 1'b0};

endmodule

`default_nettype wire
