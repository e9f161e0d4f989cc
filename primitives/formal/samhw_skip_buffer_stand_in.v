// SPDX-License-Identifier: Apache-2.0
//
// Stands for the buffer of pairs in the proof of samhw_scanner_skip: what scanner_skip/formal_skip_buffer.v
// asserts of it, and no more. The front is the oldest pair that was not passed over, once it has come, when
// it likes, and stays; what is `low` or `closes` it may be anything but before the first cycle of a fiber is
// over. It demands what that proof assumes: answers and credit, the order of a fiber's pairs, that the last
// pair of a fiber goes with the fiber, and that what passes over is of the fiber that is being asked for.
`default_nettype none

module samhw_skip_buffer_stand_in #(
    parameter CRD_W      = 16,
    parameter REF_W      = 16,
    parameter SLOTS_LOG2 = 4,
    parameter WIDE_LOG2  = 0
) (
    input  wire                             clk,
    input  wire                             rst,

    output wire                             credit,
    input  wire                             reserve,
    input  wire                             note,
    input  wire [REF_W-1:0]                 note_place,
    input  wire [REF_W-1:0]                 note_left,
    input  wire                             store,
    input  wire [(CRD_W<<WIDE_LOG2)*2-1:0]  store_pair,

    input  wire [CRD_W-1:0]                 lowest,
    input  wire                             capped,
    input  wire [CRD_W-1:0]                 cap,

    output wire                             here,
    output wire [(CRD_W<<WIDE_LOG2)*2-1:0]  pair,
    output wire [REF_W-1:0]                 place,
    output wire [WIDE_LOG2+1:0]             ends,
    output wire [1:0]                       low,
    output wire [1:0]                       closes,

    input  wire                             through,
    input  wire                             leave,
    input  wire                             drop,
    input  wire                             current,
    output wire                             some,
    input  wire                             sweep,
    input  wire                             leap
);

    localparam GROUP = CRD_W << WIDE_LOG2;
    localparam MOST  = (1 << SLOTS_LOG2) + 2;        // reserved and not passed over
    localparam B     = 2 * GROUP + 2 * REF_W;
    localparam C     = SLOTS_LOG2 + 3;
    localparam [31:0]      LIMIT = MOST;
    localparam [C-1:0]     ONE   = 1;
    localparam [C-1:0]     SLOTS = ONE << SLOTS_LOG2;
    localparam [REF_W-1:0] BOTH  = 2 << WIDE_LOG2;   // coordinates of a pair
    localparam [REF_W-1:0] LAST  = 1;

    // Anything, in every cycle.
    (* anyseq *) reg any_credit;
    (* anyseq *) reg any_here;
    (* anyseq *) reg any_some;
    (* anyseq *) reg [2*GROUP+REF_W+WIDE_LOG2+5:0] any_front;

    // Pairs that were noted and not passed over, the oldest lowest; those that were noted and have not come,
    // passed over or not. One was reserved in the cycle before, and is not passed over.
    reg  [C-1:0]      held = {C{1'b0}};
    reg  [C-1:0]      owed = {C{1'b0}};
    reg               due  = 1'b0;
    reg               kept = 1'b0;
    reg  [MOST*B-1:0] pairs;
    wire [C-1:0]      count  = held + {{(C-1){1'b0}}, kept};
    wire              there  = held > owed;
    wire [C-1:0]      came   = there ? held - owed : {C{1'b0}};
    reg  [MOST*B-1:0] all;
    reg  [MOST-1:0]   last;
    reg  [C-1:0]      first_last;
    integer           i;
    always @* begin
        all        = pairs;
        first_last = {C{1'b0}};
        for (i = MOST - 1; i >= 0; i = i - 1) begin
            if (kept && held == i[C-1:0])
                all[i*B +: 2*REF_W] = {note_place, note_left};
            if (store && held == owed + i[C-1:0])
                all[i*B+2*REF_W +: 2*GROUP] = store_pair;
            last[i] = i[C-1:0] < count && all[i*B +: REF_W] <= BOTH;
            if (last[i])
                first_last = i[C-1:0];
        end
    end

    // What is passed over.
    wire         over = (drop && current) || leap;
    wire [C-1:0] gone = over ? count : drop ? first_last + ONE : sweep ? came : through && here ? ONE : {C{1'b0}};
    always @(posedge clk)
        if (rst) begin
            {held, owed} <= {(2*C){1'b0}};
            {due, kept}  <= 2'd0;
        end else begin
            held  <= count - gone;
            owed  <= owed + {{(C-1){1'b0}}, due} - {{(C-1){1'b0}}, store};
            due   <= reserve;
            kept  <= reserve && !over;
            pairs <= all >> (gone * B);
        end

    // The front.
    reg               stays = 1'b0;
    reg               fresh = 1'b1;
    reg               was_capped;
    reg  [CRD_W-1:0]  was_lowest, was_cap;
    wire [REF_W-1:0]  left = pairs[REF_W-1:0];
    wire [REF_W-1:0]  lane = left - LAST;
    wire              ender = left <= BOTH;
    assign credit = any_credit && {{(32-C){1'b0}}, count} < LIMIT;
    assign here   = there && (stays || any_here);
    assign some   = any_some && there && !(here && came == ONE);
    // Where there is none it says anything.
    wire [WIDE_LOG2+1:0] ends_at = {ender && !lane[WIDE_LOG2], lane[WIDE_LOG2:0] & {(WIDE_LOG2+1){ender}}};
    wire [1:0]           is_low, is_closed;
    assign {pair, place, ends, low, closes} =
        here ? {pairs[2*REF_W +: 2*GROUP], pairs[REF_W +: REF_W], ends_at, is_low, is_closed} : any_front;
    always @(posedge clk) begin
        stays <= !rst && here && !(through || sweep || leap);
        fresh <= rst || leave;
        {was_lowest, was_capped, was_cap} <= {lowest, capped, cap};
    end
    genvar k;
    generate
        for (k = 0; k < 2; k = k + 1) begin : g_group
            wire [CRD_W-1:0] crd = pairs[2*REF_W+(k+1)*GROUP-1 -: CRD_W];
            assign is_low[k]    = !fresh && crd < was_lowest;
            assign is_closed[k] = ends_at[WIDE_LOG2+1-k] || (!fresh && was_capped && crd >= was_cap);
        end
    endgenerate

    // The fiber that is being asked for: how many coordinates it has from its next pair on, or at most.
    reg              more = 1'b0;
    reg              leapt;
    reg  [REF_W-1:0] rest;
    wire             goes_on = kept ? note_left > BOTH : more;
    wire             latest  = goes_on && last == {MOST{1'b0}};
    always @(posedge clk) begin
        more <= !rst && goes_on && !(drop && current);
        if (leap)
            leapt <= 1'b1;
        else if (kept)
            leapt <= 1'b0;
        if (kept)
            rest <= note_left - BOTH;
    end
    always @*
        if (!rst) begin
            assert (note == due);
            assert (!reserve || (credit && owed + {{(C-1){1'b0}}, due} < SLOTS));
            assert (!store || owed != {C{1'b0}});
            assert (!note || note_left != {REF_W{1'b0}});
            assert (!kept || !more || (leapt ? note_left <= rest : note_left == rest));
            assert (!through || !here || drop || !last[0]);
            assert (!drop || (leave && here && through && current == latest));
            assert (!sweep || (some && current && latest));
            assert (!leap || (current && latest));
        end

endmodule

`default_nettype wire
