// SPDX-License-Identifier: Apache-2.0
//
// Part of samhw_scanner_skip: which pair of groups of coordinates is asked for.
//
//   Contract    Of each list with coordinates, one list after the other: the first pair; its last PAIR
//               coordinates, if it has more than two pairs; then the pairs behind the first, in order, each
//               PAIR coordinates further, up to its end. All but the last coordinates are stored. `leap` goes
//               on from leap_to; a list that is dropped while `current` is not asked for any more. Between
//               them probes, where `probe` says that one was taken.
//   Notes       A cycle after a request, before any memory answers: whether it is stored; whether it is the fiber's
//               last coordinates (tail); whether it tells the last coordinate if it ends the fiber (tells);
//               its place; how many coordinates of the fiber are behind its first one (rest); the fiber's
//               number. Those of a probe say neither stored nor tail nor tells.
//   Throughput  a request per cycle, also from list to list; a list without coordinates takes one cycle.
//   Boundary    req and notes are registers. A pair is asked for if `credit` says that there is room for it and `hold`
//               does not say that it waits; a list is begun with credit.
//   Fibers      current: of the items begun all but one have left, and of that one pairs are still to be asked for.
//   Parameters  REF_W bits of positions, TAG_W of a fiber's number; up to 2**OPEN_LOG2 requests are under
//               way; a pair has 2 * 2**WIDE_LOG2 coordinates.
//   Reset       valid bits, counters, `more`.
`default_nettype none

module samhw_skip_ask #(
    parameter REF_W     = 16,
    parameter TAG_W     = 6,
    parameter OPEN_LOG2 = 4,
    parameter WIDE_LOG2 = 0
) (
    input  wire             clk,
    input  wire             rst,

    // What is scanned: a list from begin to end, or what is none.
    input  wire             in_valid,
    output wire             in_ready,
    input  wire             in_list,
    input  wire [REF_W-1:0] in_begin,
    input  wire [REF_W-1:0] in_end,
    output wire             in_some,     // it is a list with coordinates

    output reg              req_valid,
    input  wire             req_ready,
    output reg  [REF_W-1:0] req_addr,
    input  wire             came,        // an answer comes

    input  wire             credit,
    output wire             reserve,     // what is asked for is stored

    output reg              note_valid,
    output reg              note_store,
    output reg              note_tail,
    output reg              note_tells,
    output reg  [TAG_W-1:0] note_tag,
    output reg  [REF_W-1:0] note_place,
    output reg  [REF_W-1:0] note_left,

    // The fiber at hand leaves; it is a list.
    input  wire             leave,
    input  wire             drop,
    output wire             current,

    output wire             begins,      // a list with coordinates
    output wire             onward,      // `next` moves a pair further
    output reg  [REF_W-1:0] next,
    output reg  [REF_W-1:0] stop_at,
    input  wire             hold,
    input  wire             probe_wanted,
    input  wire [REF_W-1:0] probe_addr,
    output wire             probe,
    input  wire             leap,
    input  wire [REF_W-1:0] leap_to
);
    generate
        if (REF_W < 1 || TAG_W < 1 || OPEN_LOG2 < 1 || WIDE_LOG2 < 0) begin : g_parameters
            samhw_parameter_out_of_range refused ();
        end
    endgenerate

    localparam [REF_W-1:0]   ONE    = 1;
    localparam [REF_W-1:0]   PAIR   = ONE << (WIDE_LOG2 + 1);
    localparam [TAG_W-1:0]   NEXT   = 1;
    localparam [OPEN_LOG2:0] REQUEST = 1;

    reg               more;    // the newest fiber has pairs that nobody asked for
    reg               tail;    // its last coordinates come next
    reg               short;   // its last pair is no other than the second
    reg  [TAG_W-1:0]  newest;  // items that were begun
    reg  [TAG_W-1:0]  lead;    // those that have not left
    reg               latest;  // that is one
    reg  [OPEN_LOG2:0] open;   // requests without an answer

    wire              free    = (!req_valid || req_ready) && !open[OPEN_LOG2];
    assign in_ready = !more && free && credit;
    wire              some;
    assign in_some  = in_list && some;
    wire              start   = in_valid && in_ready;
    assign begins   = start && in_some;
    assign probe    = more && free && !tail && probe_wanted;
    wire              ask     = more && free && !probe && (tail || (credit && !hold));
    assign onward   = ask && !tail;
    assign reserve  = begins || onward;
    wire              request = begins || ask || probe;
    assign current  = more && latest;

    // Coordinates of a fiber, from its first and from its next pair on: whether they are more than a pair,
    // more than two.
    wire [REF_W-1:0]  len     = in_end - in_begin;
    wire [REF_W-1:0]  left    = stop_at - next;
    wire [1:0]        more_of_it;
    wire              further;
    wire              further_still;
    wire              left_some;
    samhw_skip_span #(.W(REF_W), .LOG2(WIDE_LOG2+1)) u_all (
        .from(in_begin), .to(in_end), .some(some), .more(more_of_it)
    );
    samhw_skip_span #(.W(REF_W), .LOG2(WIDE_LOG2+1)) u_rest (
        .from(next), .to(stop_at), .some(left_some), .more({further_still, further})
    );
    wire              several = in_some && more_of_it[0];
    wire              many    = more_of_it[1];
    wire              _unused_ok = &{1'b0, further_still, left_some, 1'b0};
    wire [REF_W-1:0]  addr    = !more ? in_begin : tail ? stop_at - PAIR : next;
    always @(posedge clk) begin
        // Whether it has coordinates decides late, and not here.
        if (start || ask || probe)
            req_addr <= probe ? probe_addr : addr;
        if (start) begin
            next    <= in_begin + PAIR;
            stop_at <= in_end;
            short   <= !many;
        end else if (leap)
            next <= leap_to;
        else if (onward)
            next <= next + PAIR;
        if (start)
            tail <= many;
        else if (ask)
            tail <= 1'b0;
        // Nothing begins while the fiber at hand is being asked for.
        if (rst || (drop && current))
            more <= 1'b0;
        else if (start)
            more <= several;
        else if (onward && !leap)
            more <= further;
        if (rst) begin
            req_valid <= 1'b0;
            newest    <= {TAG_W{1'b0}};
            lead      <= {TAG_W{1'b0}};
            latest    <= 1'b0;
            open      <= {(OPEN_LOG2+1){1'b0}};
        end else begin
            if (request)
                req_valid <= 1'b1;
            else if (req_ready)
                req_valid <= 1'b0;
            if (start)
                newest <= newest + NEXT;
            if (start != leave)
                {lead, latest} <= start ? {lead + NEXT, lead == 0} : {lead - NEXT, lead == NEXT + NEXT};
            if (request != came)
                open <= came ? open - REQUEST : open + REQUEST;
        end
    end

    always @(posedge clk) begin
        note_store <= reserve;
        note_tail  <= ask && tail;
        note_tells <= !more || (ask && short);
        note_tag   <= more ? newest - NEXT : newest;
        note_place <= addr;
        note_left  <= more ? left : len;
        note_valid <= !rst && request;
    end

`ifdef SAMHW_ASSERT
    always @(posedge clk)
        if (!rst && start && in_list && in_end < in_begin) begin
            $display("samhw_skip_ask: a fiber ends before it begins");
            $stop;
        end
`endif

endmodule

`default_nettype wire
