// SPDX-License-Identifier: Apache-2.0
//
// Level scanner of a compressed level that leaves out what a joiner says it does not need.
//
//   Consumes    ref: stream of depth d, leaves DATA or EMPTY; seg_rsp {end, begin}: seg[ref+1] and
//               seg[ref]; crd_rsp {crd[addr+1], crd[addr]}: answers to seg_req and crd_req;
//               skip {crd, over, fiber}: of this fiber nothing below crd (over: nothing) is needed
//               any more; bound {last, 0, fiber}: nothing above last is.
//   Produces    seg_req {addr}; crd_req {addr}; out {crd, ref}: depth d+1, of each fiber a part with
//               all that is needed: it may begin later and end earlier, and is empty only if the
//               fiber is; last {crd, 0, fiber}: the last coordinate of a fiber, when it is known.
//   Hints       skip and bound are advice: always taken, with effect from the second cycle after (over: the first),
//               without when they come late or too early. last is lost where its register is full.
//   Throughput  one beat of out per cycle; coordinates that are left out go two per cycle, those that are buffered
//               at once if all are left out, further on 2**LEAP_LOG2 every other cycle; at the end of a fiber all at once.
//   Latency     7 cycles with on-chip memories (samhw_mem_pair).
//   Parameters  REF_IN_W, REF_W, CRD_W, STOP_W, QUEUE_LOG2 as in samhw_scanner_compressed; TAG_W bits of
//               a fiber's number; BUFFER_LOG2: 2**BUFFER_LOG2 pairs of coordinates are held or asked for;
//               LEAP_LOG2: 2**LEAP_LOG2 coordinates lie between probes.
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
    parameter LEAP_LOG2   = 4
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

    output reg                             crd_req_valid,
    input  wire                            crd_req_ready,
    output reg  [REF_W-1:0]                crd_req_beat,

    input  wire                            crd_rsp_valid,
    output wire                            crd_rsp_ready,
    input  wire [2*CRD_W-1:0]              crd_rsp_beat,

    input  wire                            skip_valid,
    output wire                            skip_ready,
    input  wire [CRD_W+1+TAG_W-1:0]        skip_beat,

    input  wire                            bound_valid,
    output wire                            bound_ready,
    input  wire [CRD_W+1+TAG_W-1:0]        bound_beat,

    output reg                             last_valid,
    input  wire                            last_ready,
    output reg  [CRD_W+1+TAG_W-1:0]        last_beat,

    output reg                             out_valid,
    input  wire                            out_ready,
    output reg  [2+STOP_W+REF_W+CRD_W-1:0] out_beat
);

    localparam SLOTS = 1 << BUFFER_LOG2;
    // Pointers into the buffer may be a buffer apart in either direction.
    localparam PTR_W = BUFFER_LOG2 + 2;
    localparam [PTR_W-1:0]  STEP     = 1;
    localparam [PTR_W-1:0]  NEARLY   = SLOTS - 1;
    localparam [REF_W-1:0]  ONE      = 1;
    localparam [REF_W-1:0]  TWO      = 2;
    localparam [TAG_W-1:0]  NEXT     = 1;
    localparam [STOP_W-1:0] NO_STOP  = 0;
    // Bits of a number of coordinates of which a number of pairs is made.
    localparam LEFT_W = REF_W > PTR_W + 1 ? REF_W : PTR_W + 1;
    // Coordinates from one probe to the next, where a fiber can be so long.
    localparam LEAPS = REF_W > LEAP_LOG2 + 1;
    localparam [REF_W-1:0]  LEAP     = LEAPS ? ONE << LEAP_LOG2 : {REF_W{1'b0}};

    // Bounds of the next fiber.
    wire              f_valid;
    wire              f_list;
    wire [STOP_W-1:0] f_stop;
    wire [STOP_W-1:0] f_hole;
    wire [REF_W-1:0]  f_begin;
    wire [REF_W-1:0]  f_end;
    wire              start;
    samhw_segment_fetch #(
        .REF_IN_W(REF_IN_W), .REF_W(REF_W), .STOP_W(STOP_W), .QUEUE_LOG2(QUEUE_LOG2)
    ) u_fetch (
        .clk(clk), .rst(rst),
        .ref_valid(ref_valid), .ref_ready(ref_ready), .ref_beat(ref_beat),
        .seg_req_valid(seg_req_valid), .seg_req_ready(seg_req_ready), .seg_req_beat(seg_req_beat),
        .seg_rsp_valid(seg_rsp_valid), .seg_rsp_ready(seg_rsp_ready), .seg_rsp_beat(seg_rsp_beat),
        .out_valid(f_valid), .out_ready(start),
        .out_list(f_list), .out_stop(f_stop), .out_hole(f_hole), .out_begin(f_begin), .out_end(f_end)
    );

    // Ask for the pairs of one fiber after the other: the first; the last, if there are more than two; then the rest.
    reg               more;    // the newest fiber has pairs that nobody asked for
    reg               tail;    // its last pair comes next
    reg               short;   // its last pair is no other than the second
    reg  [REF_W-1:0]  next;
    reg  [REF_W-1:0]  stop_at;
    reg  [TAG_W-1:0]  newest;  // fibers that were started
    reg  [PTR_W-1:0]  asked;   // pairs asked for, last pairs and probes not counted
    reg  [PTR_W-1:0]  come;    // pairs that came
    reg  [PTR_W-1:0]  loaded;  // pairs that went to the front of the buffer, or were passed over
    wire              abort;
    wire              leap;
    reg  [REF_W-1:0]  base;    // the first probe under way
    wire              probe;
    wire              wait_probe;
    wire [REF_W-1:0]  remote;
    wire              room;
    reg  [BUFFER_LOG2:0] open;  // pairs and probes asked for that did not come
    localparam [BUFFER_LOG2:0] PROBE = 1;
    wire              fill    = f_list && f_begin != f_end;
    wire              free    = (!crd_req_valid || crd_req_ready) && !open[BUFFER_LOG2];
    wire [PTR_W-1:0]  held    = asked - loaded;
    reg               credit;  // there is room for one more, as of a cycle ago
    assign start = f_valid && !more && room && free && credit;
    wire              begins  = start && fill;
    wire              ask     = more && free && !probe && (tail || (credit && !wait_probe));
    wire              stored  = begins || (ask && !tail);
    wire [REF_W-1:0]  len     = f_end - f_begin;
    wire [LEFT_W-1:0] len_all;
    wire              several = len_all[LEFT_W-1:2] != 0 || len_all[1:0] == 2'd3;
    wire              many    = len_all[LEFT_W-1:3] != 0 || (len_all[2] && len_all[1:0] != 2'd0);
    wire [REF_W-1:0]  left    = stop_at - next;
    wire [REF_W-1:0]  addr    = !more ? f_begin : tail ? stop_at - TWO : next;
    always @(posedge clk) begin
        // Whether it has coordinates decides late, and not here.
        if (start || ask || probe)
            crd_req_beat <= probe ? remote : addr;
        if (start) begin
            next    <= f_begin + TWO;
            stop_at <= f_end;
            short   <= !many;
        end else if (leap)
            next <= base + TWO;
        else if (ask && !tail)
            next <= next + TWO;
        if (start)
            tail <= many;
        else if (ask)
            tail <= 1'b0;
        // Nothing begins while the fiber at hand is being asked for.
        if (rst || abort)
            more <= 1'b0;
        else if (start)
            more <= f_list && several;
        else if (ask && !tail && !leap)
            more <= left >> 2 != 0 || left[1:0] == 2'd3;
        if (rst) begin
            crd_req_valid <= 1'b0;
            newest        <= {TAG_W{1'b0}};
            asked         <= {PTR_W{1'b0}};
            credit        <= 1'b1;
        end else begin
            if (begins || ask || probe)
                crd_req_valid <= 1'b1;
            else if (crd_req_ready)
                crd_req_valid <= 1'b0;
            if (start)
                newest <= newest + NEXT;
            if (stored)
                asked <= asked + STEP;
            credit <= held < NEARLY;
        end
    end

    // What was asked for, a cycle later, before any memory answers: a pair to be stored, the last pair of its fiber, or a probe.
    reg               n_valid;
    reg               n_store;
    reg               n_tail;
    reg               n_tells;   // stored, and if it has the last coordinate of its fiber nothing else tells that
    reg  [TAG_W-1:0]  n_tag;
    reg  [PTR_W-1:0]  n_at;
    reg  [REF_W-1:0]  n_place;
    reg  [REF_W-1:0]  n_left;    // coordinates of its fiber from it on
    wire [LEFT_W-1:0] n_all;
    // The pair behind its fiber, if all of that is asked for.
    wire [PTR_W:0]    n_more   = n_all[PTR_W:0] + 1'b1;
    wire [PTR_W-1:0]  n_behind = n_at + n_more[PTR_W:1];
    generate
        if (LEFT_W > REF_W) begin : g_short
            assign n_all   = {{(LEFT_W-REF_W){1'b0}}, n_left};
            assign len_all = {{(LEFT_W-REF_W){1'b0}}, len};
        end else begin : g_long
            assign n_all   = n_left;
            assign len_all = len;
        end
    endgenerate
    wire              n_end0 = n_all == 1;
    wire              n_end1 = n_all == 2;
    always @(posedge clk) begin
        n_store <= stored;
        n_tail  <= ask && tail;
        n_tells <= !more || (ask && short);
        n_tag   <= more ? newest - NEXT : newest;
        n_at    <= asked;
        n_place <= addr;
        n_left  <= more ? left : len;
        if (rst) begin
            n_valid <= 1'b0;
            open    <= {(BUFFER_LOG2+1){1'b0}};
        end else begin
            n_valid <= begins || ask || probe;
            if ((begins || ask || probe) != crd_rsp_valid)
                open <= crd_rsp_valid ? open - PROBE : open + PROBE;
        end
    end

    wire             m_valid;
    wire             m_room;
    wire             m_store;
    wire             m_has;
    wire             m_high;
    wire [TAG_W-1:0] m_tag;
    samhw_queue #(.W(3+TAG_W), .LOG2(BUFFER_LOG2), .SHOWN(3)) u_asked (
        .clk(clk), .rst(rst),
        .in_valid(n_valid), .in_ready(m_room),
        .in_data({n_store, n_tail || (n_tells && (n_end0 || n_end1)), n_tail || n_end1, n_tag}),
        .out_valid(m_valid), .out_ready(crd_rsp_valid), .out_data({m_store, m_has, m_high, m_tag})
    );
    assign crd_rsp_ready = 1'b1;

    // The buffer, and what is known of a pair before it comes: its place, whether its first or second coordinate is the last of
    // its fiber, where the pair behind its fiber is.
    localparam ABOUT_W = REF_W + 2 + PTR_W;
    reg  [2*CRD_W-1:0]  pairs [0:SLOTS-1];
    reg  [ABOUT_W-1:0]  about [0:SLOTS-1];
    wire                store  = crd_rsp_valid && m_store;
    wire                answer = crd_rsp_valid && !m_store && !m_has;
    wire                tell   = crd_rsp_valid && m_has && (!last_valid || last_ready);
    always @(posedge clk)
        if (store)
            pairs[come[BUFFER_LOG2-1:0]] <= crd_rsp_beat;
    always @(posedge clk)
        if (n_valid && n_store)
            about[n_at[BUFFER_LOG2-1:0]] <= {n_place, n_end0, n_end1, n_behind};
    always @(posedge clk) begin
        if (tell)
            last_beat <= {m_high ? crd_rsp_beat[CRD_W +: CRD_W] : crd_rsp_beat[CRD_W-1:0], 1'b0, m_tag};
        if (rst) begin
            come       <= {PTR_W{1'b0}};
            last_valid <= 1'b0;
        end else begin
            if (store)
                come <= come + STEP;
            if (tell || last_ready)
                last_valid <= tell;
        end
    end

    // The fiber at hand.
    wire              b_valid;
    wire              b_list;
    wire [STOP_W-1:0] b_stop;
    wire [STOP_W-1:0] b_hole;
    wire              leave;
    samhw_queue #(.W(1+2*STOP_W), .LOG2(QUEUE_LOG2), .SHOWN(1)) u_fibers (
        .clk(clk), .rst(rst),
        .in_valid(start), .in_ready(room), .in_data({fill, f_stop, f_hole}),
        .out_valid(b_valid), .out_ready(leave), .out_data({b_list, b_stop, b_hole})
    );

    // What is needed of it.
    reg  [TAG_W-1:0] at;
    wire [CRD_W-1:0] s_crd;
    wire             s_over;
    wire [TAG_W-1:0] s_tag;
    wire [CRD_W-1:0] l_crd;
    wire             l_over;
    wire [TAG_W-1:0] l_tag;
    assign {s_crd, s_over, s_tag} = skip_beat;
    assign {l_crd, l_over, l_tag} = bound_beat;
    assign skip_ready  = 1'b1;
    assign bound_ready = 1'b1;

    reg  [CRD_W-1:0] lowest;   // the smallest coordinate needed
    reg              over;     // none is
    reg              capped;   // there is a largest one
    reg  [CRD_W-1:0] cap;
    reg  [SLOTS-1:0] bounded;  // ... of fibers that follow
    reg  [CRD_W-1:0] bounds [0:SLOTS-1];
    reg  [TAG_W-1:0] at_next;  // at + 1
    wire [TAG_W-1:0] ahead    = l_tag - at;
    wire             near     = bound_valid && ahead[TAG_W-1:BUFFER_LOG2] == {(TAG_W-BUFFER_LOG2){1'b0}};
    wire             for_it   = near && l_tag == at;
    wire             for_next = near && l_tag == at_next;
    wire             hint     = skip_valid && s_tag == at;
    always @(posedge clk)
        if (near)
            bounds[l_tag[BUFFER_LOG2-1:0]] <= l_crd;

    // The front of the buffer: the next pair, as it comes if none waits before it. What decides about it is compared a
    // cycle before and kept beside it: whether it is below what is needed, and whether nothing beyond it is.
    reg                here;
    reg                second;   // its first coordinate is through
    reg  [CRD_W-1:0]   crd0;
    reg  [CRD_W-1:0]   crd1;
    reg  [REF_W-1:0]   place;
    reg                end0;
    reg                end1;
    reg  [PTR_W-1:0]   next_fiber;  // the pair behind its fiber
    reg                low0;
    reg                low1;
    reg                high0;
    reg                high1;
    wire [PTR_W-1:0]   waits   = come - loaded;
    reg                none;     // come == loaded: the next pair to come is the next one
    wire [PTR_W-1:0]   then_come = store ? come + STEP : come;
    wire [PTR_W-1:0]   to_loaded = then_come ^ loaded;
    wire [PTR_W-1:0]   to_next   = then_come ^ (loaded + STEP);
    // ... and of the pair behind the fiber at hand.
    wire [PTR_W-1:0]   waits_next = come - next_fiber;
    wire [PTR_W-1:0]   apart_next = come ^ next_fiber;
    wire               none_next  = apart_next == 0;
    wire               has_next   = none_next ? store : !waits_next[PTR_W-1];
    wire [PTR_W-1:0]   to_fiber   = then_come ^ next_fiber;
    wire [PTR_W-1:0]   to_after   = then_come ^ (next_fiber + STEP);
    wire [PTR_W-1:0]   to_asked   = then_come ^ asked;
    wire               some  = !waits[PTR_W-1] && !none;
    wire               comes = store && none;

    wire             item  = b_valid && (here || !b_list);
    wire             out_free = !out_valid || out_ready;
    wire             ends  = over || (second ? end1 || high1 : end0 || high0);
    // Of two that are left out the second is given where there is room, and so is one alone: that takes no longer, and
    // other operands of the joiner may go on meanwhile.
    wire             left_out = second ? low1 : low0;
    wire             both  = !second && low0 && low1 && !end1 && !ends;
    wire             upper = second || both;
    wire             put   = item && out_free;
    wire             step  = item && b_list && (out_free || (left_out && !ends));
    assign leave = put && (ends || !b_list);
    // The newest fiber is over before all of it was asked for.
    reg  [TAG_W-1:0] lead;      // fibers that were started and have not left
    reg              latest;    // that is one
    wire             sweep;
    wire             at_edge = more && latest;
    wire             over_with = leave && b_list;
    assign abort = over_with && at_edge;
    wire             passes = ends ? out_free : second ? out_free || low1 : low0 && low1 && !end1;
    wire             load  = !here || (b_valid && b_list && passes);

    wire [ABOUT_W-1:0] known = about[loaded[BUFFER_LOG2-1:0]];
    wire [2*CRD_W-1:0] pair  = none ? crd_rsp_beat : pairs[loaded[BUFFER_LOG2-1:0]];
    wire [2*CRD_W-1:0] pair_next = none_next ? crd_rsp_beat : pairs[next_fiber[BUFFER_LOG2-1:0]];
    // What was asked for in the cycle in which all was passed over goes, too.
    reg              passed;
    always @(posedge clk) begin
        passed <= abort || leap;
        if (load)
            {crd1, crd0, place, end0, end1, next_fiber} <= over_with ? {pair_next, about[next_fiber[BUFFER_LOG2-1:0]]} : {pair, known};
        // The next fiber's are not known yet.
        if (rst || leave)
            {low0, low1, high0, high1} <= 4'd0;
        else begin
            low0  <= load ? pair[CRD_W-1:0] < lowest : crd0 < lowest;
            low1  <= load ? pair[CRD_W +: CRD_W] < lowest : crd1 < lowest;
            high0 <= load ? {1'b0, pair[CRD_W-1:0]} >= {!capped, cap} : {1'b0, crd0} >= {!capped, cap};
            high1 <= load ? {1'b0, pair[CRD_W +: CRD_W]} >= {!capped, cap} : {1'b0, crd1} >= {!capped, cap};
        end
        if (rst) begin
            here   <= 1'b0;
            loaded <= {PTR_W{1'b0}};
            none   <= 1'b1;
        end else if (abort || (leap && !over_with)) begin
            here   <= 1'b0;
            loaded <= asked;
            none   <= to_asked == 0;
        end else if (over_with) begin
            here   <= has_next;
            loaded <= has_next ? next_fiber + STEP : next_fiber;
            none   <= has_next ? to_after == 0 : to_fiber == 0;
        end else if (sweep) begin
            here   <= 1'b0;
            loaded <= come;
            none   <= !store;
        end else if ((passed && n_store) || (load && (some || comes))) begin
            here   <= load && !passed;
            loaded <= loaded + STEP;
            none   <= to_next == 0;
        end else begin
            if (load)
                here <= 1'b0;
            none <= to_loaded == 0;
        end
    end

    always @(posedge clk) begin
        if (put)
            out_beat <= {!b_list, !b_list && b_stop == NO_STOP, leave ? b_stop : NO_STOP,
                         b_list ? upper ? place + ONE : place : {REF_W{1'b0}},
                         b_list ? upper ? crd1 : crd0 : {{(CRD_W-STOP_W){1'b0}}, b_hole}};
        if (rst || leave)
            lowest <= {CRD_W{1'b0}};
        else if (hint)
            lowest <= s_crd & {CRD_W{!s_over}};
        if (leave)
            cap <= for_next ? l_crd : bounds[at_next[BUFFER_LOG2-1:0]];
        else if (for_it)
            cap <= l_crd;
        if (rst) begin
            out_valid <= 1'b0;
            at        <= {TAG_W{1'b0}};
            at_next   <= NEXT;
            lead      <= {TAG_W{1'b0}};
            latest    <= 1'b0;
            second    <= 1'b0;
            over      <= 1'b0;
            capped    <= 1'b0;
            bounded   <= {SLOTS{1'b0}};
        end else begin
            if (out_free)
                out_valid <= put;
            if (leave)
                {at, at_next} <= {at_next, at_next + NEXT};
            if (start != leave)
                {lead, latest} <= start ? {lead + NEXT, lead == 0} : {lead - NEXT, lead == NEXT + NEXT};
            if (leave || leap || sweep)
                second <= 1'b0;
            else if (step)
                second <= !second && !both;
            if (leave)
                over <= 1'b0;
            else if (hint)
                over <= s_over;
            if (leave)
                capped <= for_next || bounded[at_next[BUFFER_LOG2-1:0]];
            else if (for_it)
                capped <= 1'b1;
            if (near)
                bounded[l_tag[BUFFER_LOG2-1:0]] <= 1'b1;
            if (leave)
                bounded[at[BUFFER_LOG2-1:0]] <= 1'b0;
        end
    end

    // The newest pair that came, of the fiber at hand if that is the newest. Where it is not needed, nothing before it
    // is: all of that goes at once, and probes look how far to leap.
    reg               look;        // it is stored
    reg               look_probe;  // it is a probe
    reg  [CRD_W-1:0]  look_crd;
    wire [CRD_W-1:0]  newest_crd = crd_rsp_beat[CRD_W +: CRD_W];
    reg               probing;
    reg               turn;
    reg               failed;      // the last probe went too far, and what it passed has not come yet
    reg  [BUFFER_LOG2:0] pending;  // probes under way
    reg  [REF_W-1:0]  far;         // the last of them
    reg               useless;     // nothing up to it is needed
    wire              distant = look && useless && at_edge;
    assign sweep = distant && some;
    assign leap  = look_probe && probing && useless && at_edge;
    wire              miss  = look_probe && probing && !useless;
    reg               idle;        // there is none
    wire [REF_W-1:0]  from  = probing ? far : next;
    wire [REF_W-1:0]  ahead_of = stop_at - from;
    assign remote     = from + LEAP;
    // A cycle old: by then the place to leap from is at most a pair further.
    reg               fits;
    reg               wish;
    assign probe      = more && free && !tail && fits && (probing ? turn : wish && idle);
    assign wait_probe = probing && !idle && next == base;
    always @(posedge clk) begin
        if (store || answer)
            look_crd <= newest_crd;
        if (leave)
            useless <= 1'b0;
        else
            useless <= store || answer ? newest_crd < lowest : look_crd < lowest;
        if (probe)
            far <= remote;
        if (leap)
            base <= base + LEAP;
        else if (probe && !probing)
            base <= remote;
        turn <= !probe;
        wish <= distant && !failed;
        fits <= LEAPS && !begins && ahead_of >> (LEAP_LOG2 + 1) != 0;
        if (rst) begin
            look       <= 1'b0;
            look_probe <= 1'b0;
            probing    <= 1'b0;
            failed     <= 1'b0;
            pending    <= {(BUFFER_LOG2+1){1'b0}};
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

`ifdef SAMHW_ASSERT
    always @(posedge clk)
        if (!rst && start && f_list && f_end < f_begin) begin
            $display("samhw_scanner_skip: a fiber ends before it begins");
            $stop;
        end
`endif

    wire _unused_ok = &{1'b0, l_over, m_valid, m_room, ahead, n_all, n_more, 1'b0};

endmodule

`default_nettype wire
