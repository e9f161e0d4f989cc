// SPDX-License-Identifier: Apache-2.0
//
// Part of samhw_scanner_skip: how far what is not needed reaches. The newest pair that came is compared with
// the smallest coordinate needed: where it is below, so is all before it, and probes look how far to leap.
//
//   Contract    `sweep` only if the newest pair stored is one of the fiber at hand, which is being asked for,
//               and its largest coordinate is below what is needed. A probe is wanted LEAP coordinates behind
//               `next`, and further ones LEAP behind the last, only where LEAP more, or up to two pairs less,
//               are behind it; `leap` only if the oldest probe under way was answered by coordinates below
//               what is needed, to the place behind them; requests `hold` at the place of that probe.
//   Boundary    all that is out depends on registers, and on current and some.
//   Parameters  CRD_W bits of a coordinate, REF_W of a position; up to 2**OPEN_LOG2 - 1 probes are under way;
//               from one to the next lie 2**LEAP_LOG2 groups (at least 8: with 4 a leap may lead to the
//               fiber's end, where nothing is) of 2**WIDE_LOG2 coordinates.
//   Reset       states and counters; payloads are not reset.
`default_nettype none

module samhw_skip_look #(
    parameter CRD_W     = 16,
    parameter REF_W     = 16,
    parameter OPEN_LOG2 = 4,
    parameter LEAP_LOG2 = 4,
    parameter WIDE_LOG2 = 0
) (
    input  wire             clk,
    input  wire             rst,

    input  wire             store,      // a pair comes and is stored
    input  wire             answer,     // ... is a probe's
    input  wire [CRD_W-1:0] crd,        // its largest coordinate
    input  wire [CRD_W-1:0] lowest,
    input  wire             leave,
    input  wire             current,    // the fiber at hand is being asked for
    input  wire             some,       // there is something to sweep
    output wire             sweep,

    input  wire             begins,     // a fiber is begun
    input  wire             onward,     // next moves a pair further
    input  wire [REF_W-1:0] next,
    input  wire [REF_W-1:0] stop_at,
    output wire             hold,
    output wire             wanted,
    output wire [REF_W-1:0] addr,
    input  wire             probe,      // it is taken
    output wire             leap,
    output wire [REF_W-1:0] leap_to
);
    generate
        if (CRD_W < 1 || REF_W < 1 || OPEN_LOG2 < 1 || LEAP_LOG2 < 3 || WIDE_LOG2 < 0) begin : g_parameters
            samhw_parameter_out_of_range refused ();
        end
    endgenerate

    localparam FAR_LOG2 = LEAP_LOG2 + WIDE_LOG2;
    // Where a fiber can be so long.
    localparam LEAPS = REF_W > FAR_LOG2 + 1;
    localparam [REF_W-1:0]   ONE  = 1;
    localparam [REF_W-1:0]   PAIR = ONE << (WIDE_LOG2 + 1);
    localparam [REF_W-1:0]   LEAP = LEAPS ? ONE << FAR_LOG2 : {REF_W{1'b0}};
    localparam [OPEN_LOG2:0] PROBE = 1;
    // Pairs from one probe to the next.
    localparam [LEAP_LOG2-1:0] APART = 1 << (LEAP_LOG2 - 1);
    localparam [LEAP_LOG2-1:0] STEP  = 1;

    reg               look;       // the newest pair that came is stored
    reg               look_probe; // it is a probe's
    reg  [CRD_W-1:0]  look_crd;
    reg               useless;    // nothing up to it is needed
    reg               probing;
    reg               turn;
    reg               failed;     // the last probe went too far, and what it passed has not come yet
    reg  [OPEN_LOG2:0] pending;   // probes under way
    reg               idle;       // there is none
    reg  [REF_W-1:0]  far;        // the last of them
    reg  [REF_W-1:0]  base;       // the first of them
    reg  [LEAP_LOG2-1:0] toward;  // pairs from next to there
    reg               reached;    // there are none
    reg               fits;
    reg               wish;
    wire              distant  = look && useless && current;
    wire              miss     = look_probe && probing && !useless;
    wire [REF_W-1:0]  from     = probing ? far : next;
    // So many coordinates are ahead that a probe fits.
    wire              far_off;
    wire              further_off;
    wire              some_off;
    samhw_skip_span #(.W(REF_W), .LOG2(FAR_LOG2+1)) u_ahead (
        .from(from), .to(stop_at), .some(some_off), .more({further_off, far_off})
    );
    wire              _unused_ok = &{1'b0, further_off, some_off, 1'b0};
    assign sweep   = distant && some;
    assign leap    = look_probe && probing && useless && current;
    assign leap_to = base + PAIR;
    assign addr    = from + LEAP;
    // A cycle old: by then the place to leap from is at most a pair further.
    assign wanted  = fits && (probing ? turn : wish && idle);
    assign hold    = probing && !idle && reached;
    always @(posedge clk) begin
        if (store || answer)
            look_crd <= crd;
        if (leave)
            useless <= 1'b0;
        else
            useless <= store || answer ? crd < lowest : look_crd < lowest;
        if (probe)
            far <= addr;
        if (leap)
            base <= base + LEAP;
        else if (probe && !probing)
            base <= addr;
        if (leap || (probe && !probing)) begin
            toward  <= leap ? APART - STEP : APART;
            reached <= 1'b0;
        end else if (onward) begin
            toward  <= toward - STEP;
            reached <= toward == STEP;
        end
        turn <= !probe;
        wish <= distant && !failed;
        fits <= LEAPS && !begins && far_off;
        if (rst) begin
            look       <= 1'b0;
            look_probe <= 1'b0;
            probing    <= 1'b0;
            failed     <= 1'b0;
            pending    <= {(OPEN_LOG2+1){1'b0}};
            idle       <= 1'b1;
        end else begin
            look       <= store || (look && !answer && !leave);
            look_probe <= answer;
            probing    <= (probe || (probing && !idle)) && !leave && !miss;
            failed     <= !leave && (miss || (failed && !(look && !useless)));
            if (probe != look_probe) begin
                pending <= probe ? pending + PROBE : pending - PROBE;
                idle    <= !probe && pending == PROBE;
            end
        end
    end

endmodule

`default_nettype wire
