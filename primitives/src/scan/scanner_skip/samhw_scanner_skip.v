// SPDX-License-Identifier: Apache-2.0
//
// Level scanner of a compressed level that leaves out what a joiner says it does not need. It works on groups
// of 2**WIDE_LOG2 neighbouring coordinates, and asks for pairs of groups.
//
//   Consumes    ref: stream of depth d, leaves DATA or EMPTY; seg_rsp {end, begin}: seg[ref+1] and
//               seg[ref]; crd_rsp {.., crd[addr+1], crd[addr]}, two groups: answers to seg_req and crd_req;
//               skip {crd, over, fiber}: of this fiber nothing below crd (over: nothing) is needed
//               any more; bound {last, 0, fiber}: nothing above last is.
//   Produces    seg_req {addr}; crd_req {addr}; out {ref, crd}, for WIDE_LOG2 > 0 groups as of
//               samhw_scanner_wide: depth d+1, of each fiber a part of its groups with all that is needed: it
//               may begin later and end earlier, and is empty only if the fiber is; last {crd, 0, fiber}: the
//               last coordinate of a fiber, when it is known.
//   Hints       skip and bound are advice: always taken, with effect from the second cycle after (over: the first),
//               without when they come late or too early. last is lost where its register is full.
//   Throughput  one group per cycle; groups that are left out go two per cycle, those that are buffered at once
//               if all are left out, further on 2**LEAP_LOG2 every other cycle; at the end of a fiber all at once.
//   Latency     7 cycles with on-chip memories (samhw_mem_pair, samhw_mem_wide).
//   Parts       samhw_segment_fetch gives fibers. samhw_skip_ask asks for their pairs, samhw_skip_answers
//               says what comes, samhw_skip_buffer holds it, samhw_skip_give gives it. samhw_skip_need has
//               the hints; samhw_skip_look finds how far what is not needed reaches; samhw_skip_span judges
//               lengths for two of them. Here are wires, and the queue of items that were begun.
//   Parameters  REF_IN_W, REF_W, CRD_W, STOP_W, QUEUE_LOG2 as in samhw_scanner_compressed, but a group's
//               coordinates together have at least STOP_W bits; TAG_W bits of a fiber's number; BUFFER_LOG2:
//               2**BUFFER_LOG2 pairs of groups are held or asked for; LEAP_LOG2: 2**LEAP_LOG2 groups lie
//               between probes, at least 8; WIDE_LOG2.
//   Reset       valid bits, pointers, counters, and what is needed; payloads are not reset.
//   Source      "The Sparse Abstract Machine", sections 3.1 and 4.2.
`default_nettype none

module samhw_scanner_skip #(
    parameter REF_IN_W    = 16,
    parameter REF_W       = 16,
    parameter CRD_W       = 16,
    parameter STOP_W      = 3,
    parameter TAG_W       = 6,
    parameter QUEUE_LOG2  = 3,
    parameter BUFFER_LOG2 = 4,
    parameter LEAP_LOG2   = 4,
    parameter WIDE_LOG2   = 0
) (
    input  wire                            clk,
    input  wire                            rst,

    input  wire                            ref_valid,
    output wire                            ref_ready,
    input  wire [2+STOP_W+REF_IN_W-1:0]    ref_beat,

    output wire                            seg_req_valid,
    input  wire                            seg_req_ready,
    output wire [REF_IN_W-1:0]             seg_req_beat,

    input  wire                            seg_rsp_valid,
    output wire                            seg_rsp_ready,
    input  wire [2*REF_W-1:0]              seg_rsp_beat,

    output wire                            crd_req_valid,
    input  wire                            crd_req_ready,
    output wire [REF_W+WIDE_LOG2-1:0]             crd_req_beat,

    input  wire                            crd_rsp_valid,
    output wire                            crd_rsp_ready,
    input  wire [(CRD_W<<WIDE_LOG2)*2-1:0] crd_rsp_beat,

    input  wire                            skip_valid,
    output wire                            skip_ready,
    input  wire [CRD_W+1+TAG_W-1:0]        skip_beat,

    input  wire                            bound_valid,
    output wire                            bound_ready,
    input  wire [CRD_W+1+TAG_W-1:0]        bound_beat,

    output wire                            last_valid,
    input  wire                            last_ready,
    output wire [CRD_W+1+TAG_W-1:0]        last_beat,

    output wire                            out_valid,
    input  wire                            out_ready,
    output wire [2+STOP_W+REF_W+WIDE_LOG2+(CRD_W<<WIDE_LOG2)-1:0] out_beat
);
    generate
        if (REF_IN_W < 1 || REF_W < 1 || CRD_W < 1 || STOP_W < 1 || TAG_W < 1 || QUEUE_LOG2 < 1 || BUFFER_LOG2 < 1
            || LEAP_LOG2 < 3 || WIDE_LOG2 < 0
            || STOP_W > REF_IN_W || STOP_W > CRD_W << WIDE_LOG2) begin : g_parameters
            samhw_parameter_out_of_range refused ();
        end
    endgenerate

    localparam GROUP = CRD_W << WIDE_LOG2;

    // What is scanned.
    wire              f_valid;
    wire              f_list;
    wire [STOP_W-1:0] f_stop;
    wire [STOP_W-1:0] f_hole;
    wire [REF_W-1:0]  f_begin;
    wire [REF_W-1:0]  f_end;
    wire              f_some;
    wire              ready;
    wire              room;
    samhw_segment_fetch #(
        .REF_IN_W(REF_IN_W), .REF_W(REF_W), .STOP_W(STOP_W), .QUEUE_LOG2(QUEUE_LOG2)
    ) u_fetch (
        .clk(clk), .rst(rst),
        .ref_valid(ref_valid), .ref_ready(ref_ready), .ref_beat(ref_beat),
        .seg_req_valid(seg_req_valid), .seg_req_ready(seg_req_ready), .seg_req_beat(seg_req_beat),
        .seg_rsp_valid(seg_rsp_valid), .seg_rsp_ready(seg_rsp_ready), .seg_rsp_beat(seg_rsp_beat),
        .out_valid(f_valid), .out_ready(ready && room),
        .out_list(f_list), .out_stop(f_stop), .out_hole(f_hole), .out_begin(f_begin), .out_end(f_end)
    );

    // The item at hand: what was begun and has not left.
    wire              i_valid;
    wire              i_list;
    wire [STOP_W-1:0] i_stop;
    wire [STOP_W-1:0] i_hole;
    wire              leave;
    wire              drop;
    wire              current;
    samhw_queue #(.W(1+2*STOP_W), .LOG2(QUEUE_LOG2), .SHOWN(1)) u_items (
        .clk(clk), .rst(rst),
        .in_valid(f_valid && ready), .in_ready(room), .in_data({f_some, f_stop, f_hole}),
        .out_valid(i_valid), .out_ready(leave), .out_data({i_list, i_stop, i_hole})
    );

    wire [CRD_W-1:0] lowest;
    wire             over;
    wire             capped;
    wire [CRD_W-1:0] cap;
    assign skip_ready  = 1'b1;
    assign bound_ready = 1'b1;
    samhw_skip_need #(.CRD_W(CRD_W), .TAG_W(TAG_W), .AHEAD_LOG2(BUFFER_LOG2)) u_need (
        .clk(clk), .rst(rst),
        .skip_valid(skip_valid), .skip_beat(skip_beat), .bound_valid(bound_valid), .bound_beat(bound_beat),
        .leave(leave), .lowest(lowest), .over(over), .capped(capped), .cap(cap)
    );

    wire [REF_W-1:0] addr;
    generate
        if (WIDE_LOG2 == 0) begin : g_one
            assign crd_req_beat = addr;
        end else begin : g_wide
            assign crd_req_beat = {{WIDE_LOG2{1'b0}}, addr};
        end
    endgenerate
    wire             credit;
    wire             reserve;
    wire             note_valid;
    wire             note_store;
    wire             note_tail;
    wire             note_tells;
    wire [TAG_W-1:0] note_tag;
    wire [REF_W-1:0] note_place;
    wire [REF_W-1:0] note_left;
    wire             begins;
    wire             onward;
    wire [REF_W-1:0] next;
    wire [REF_W-1:0] stop_at;
    wire             hold;
    wire             probe_wanted;
    wire [REF_W-1:0] probe_addr;
    wire             probe;
    wire             leap;
    wire [REF_W-1:0] leap_to;
    samhw_skip_ask #(.REF_W(REF_W), .TAG_W(TAG_W), .OPEN_LOG2(BUFFER_LOG2), .WIDE_LOG2(WIDE_LOG2)) u_ask (
        .clk(clk), .rst(rst),
        .in_valid(f_valid && room), .in_ready(ready), .in_list(f_list), .in_begin(f_begin), .in_end(f_end),
        .in_some(f_some),
        .req_valid(crd_req_valid), .req_ready(crd_req_ready), .req_addr(addr), .came(crd_rsp_valid),
        .credit(credit), .reserve(reserve),
        .note_valid(note_valid), .note_store(note_store), .note_tail(note_tail), .note_tells(note_tells),
        .note_tag(note_tag), .note_place(note_place), .note_left(note_left),
        .leave(leave), .drop(drop), .current(current),
        .begins(begins), .onward(onward), .next(next), .stop_at(stop_at), .hold(hold),
        .probe_wanted(probe_wanted), .probe_addr(probe_addr), .probe(probe), .leap(leap), .leap_to(leap_to)
    );

    wire store;
    wire answer;
    assign crd_rsp_ready = 1'b1;
    samhw_skip_answers #(
        .CRD_W(CRD_W), .REF_W(REF_W), .TAG_W(TAG_W), .OPEN_LOG2(BUFFER_LOG2), .WIDE_LOG2(WIDE_LOG2)
    ) u_answers (
        .clk(clk), .rst(rst),
        .note_valid(note_valid), .note_store(note_store), .note_tail(note_tail), .note_tells(note_tells),
        .note_tag(note_tag), .note_left(note_left),
        .rsp_valid(crd_rsp_valid), .rsp_beat(crd_rsp_beat), .store(store), .probe(answer),
        .last_valid(last_valid), .last_ready(last_ready), .last_beat(last_beat)
    );

    wire                   here;
    wire [2*GROUP-1:0]     pair;
    wire [REF_W-1:0]       place;
    wire [WIDE_LOG2+1:0]   ends;
    wire [1:0]             low;
    wire [1:0]             closes;
    wire                   through;
    wire                   some;
    wire                   sweep;
    samhw_skip_buffer #(.CRD_W(CRD_W), .REF_W(REF_W), .SLOTS_LOG2(BUFFER_LOG2), .WIDE_LOG2(WIDE_LOG2)) u_buffer (
        .clk(clk), .rst(rst),
        .credit(credit), .reserve(reserve), .note(note_valid && note_store), .note_place(note_place),
        .note_left(note_left),
        .store(store), .store_pair(crd_rsp_beat),
        .lowest(lowest), .capped(capped), .cap(cap),
        .here(here), .pair(pair), .place(place), .ends(ends), .low(low), .closes(closes),
        .through(through), .leave(leave), .drop(drop), .current(current), .some(some), .sweep(sweep), .leap(leap)
    );

    samhw_skip_give #(.CRD_W(CRD_W), .REF_W(REF_W), .STOP_W(STOP_W), .WIDE_LOG2(WIDE_LOG2)) u_give (
        .clk(clk), .rst(rst),
        .item_valid(i_valid), .item_list(i_list), .item_stop(i_stop), .item_hole(i_hole), .over(over),
        .here(here), .pair(pair), .place(place), .ends(ends), .low(low), .closes(closes), .passed(leap || sweep),
        .through(through), .leave(leave), .drop(drop),
        .out_valid(out_valid), .out_ready(out_ready), .out_beat(out_beat)
    );

    samhw_skip_look #(
        .CRD_W(CRD_W), .REF_W(REF_W), .OPEN_LOG2(BUFFER_LOG2), .LEAP_LOG2(LEAP_LOG2), .WIDE_LOG2(WIDE_LOG2)
    ) u_look (
        .clk(clk), .rst(rst),
        .store(store), .answer(answer), .crd(crd_rsp_beat[2*GROUP-1 -: CRD_W]), .lowest(lowest), .leave(leave),
        .current(current),
        .some(some), .sweep(sweep),
        .begins(begins), .onward(onward), .next(next), .stop_at(stop_at), .hold(hold),
        .wanted(probe_wanted), .addr(probe_addr), .probe(probe), .leap(leap), .leap_to(leap_to)
    );

endmodule

`default_nettype wire
