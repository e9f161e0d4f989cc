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
//   Hints       skip and bound are advice: always taken, without effect when they come late or too
//               early. last is lost where its register is full.
//   Throughput  one beat of out per cycle; coordinates that are left out go two per cycle, at
//               the end of a fiber all at once.
//   Latency     7 cycles with on-chip memories (samhw_mem_pair).
//   Parameters  REF_IN_W, REF_W, CRD_W, STOP_W, QUEUE_LOG2 as in samhw_scanner_compressed; TAG_W bits of
//               a fiber's number; BUFFER_LOG2: 2**BUFFER_LOG2 pairs of coordinates are held or asked for.
//   Reset       valid bits, pointers and counters; payloads are not reset.
//   Source      "The Sparse Abstract Machine", sections 3.1 and 4.2.
`default_nettype none

module samhw_scanner_skip #(
    parameter REF_IN_W    = 16,
    parameter REF_W       = 16,
    parameter CRD_W       = 16,
    parameter STOP_W      = 3,
    parameter TAG_W       = 6,
    parameter QUEUE_LOG2  = 3,
    parameter BUFFER_LOG2 = 4
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
    localparam [PTR_W-1:0]  FULL     = SLOTS;
    localparam [REF_W-1:0]  ONE      = 1;
    localparam [REF_W-1:0]  TWO      = 2;
    localparam [TAG_W-1:0]  NEXT     = 1;
    localparam [STOP_W-1:0] NO_STOP  = 0;
    localparam MOST = REF_W > PTR_W + 1 ? REF_W : PTR_W + 1;

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
    reg  [PTR_W-1:0]  read;    // pairs that are through
    wire              abort;
    wire              room;
    wire              m_room;
    wire              fill    = f_list && f_begin != f_end;
    wire              free    = (!crd_req_valid || crd_req_ready) && m_room;
    wire [PTR_W-1:0]  held    = asked - read;
    wire              credit  = held != FULL;
    assign start = f_valid && !more && room && free && credit;
    wire              begins  = start && fill;
    wire              ask     = more && free && !abort && (tail || credit);
    wire              stored  = begins || (ask && !tail);
    wire [REF_W-1:0]  len     = f_end - f_begin;
    wire [REF_W-1:0]  rest    = len - TWO;
    wire              several = len > TWO;
    wire              many    = several && rest > TWO;
    wire [REF_W-1:0]  left    = stop_at - next;
    wire [REF_W-1:0]  addr    = begins ? f_begin : tail ? stop_at - TWO : next;
    // Whether the pair has the last coordinate of its fiber, and where.
    wire              has     = begins ? !several : tail || short;
    wire              high    = begins ? len == TWO : tail || left == TWO;

    always @(posedge clk) begin
        if (begins || ask)
            crd_req_beat <= addr;
        if (begins) begin
            next    <= f_begin + TWO;
            stop_at <= f_end;
            short   <= !many;
        end else if (ask && !tail)
            next <= next + TWO;
        if (begins)
            tail <= many;
        else if (ask)
            tail <= 1'b0;
        if (rst) begin
            crd_req_valid <= 1'b0;
            more          <= 1'b0;
            newest        <= {TAG_W{1'b0}};
            asked         <= {PTR_W{1'b0}};
        end else begin
            if (begins || ask)
                crd_req_valid <= 1'b1;
            else if (crd_req_ready)
                crd_req_valid <= 1'b0;
            if (begins)
                more <= several;
            else if (abort)
                more <= 1'b0;
            else if (ask && !tail)
                more <= left > TWO;
            if (start)
                newest <= newest + NEXT;
            if (stored)
                asked <= asked + STEP;
        end
    end

    // What every pair that was asked for is.
    wire             m_valid;
    wire             m_store;
    wire             m_has;
    wire             m_high;
    wire [TAG_W-1:0] m_tag;
    samhw_queue #(.W(3+TAG_W), .LOG2(BUFFER_LOG2)) u_asked (
        .clk(clk), .rst(rst),
        .in_valid(begins || ask), .in_ready(m_room),
        .in_data({stored, has, high, begins ? newest : newest - NEXT}),
        .out_valid(m_valid), .out_ready(crd_rsp_valid), .out_data({m_store, m_has, m_high, m_tag})
    );
    assign crd_rsp_ready = 1'b1;

    reg [2*CRD_W-1:0] pairs  [0:SLOTS-1];
    reg [REF_W-1:0]   places [0:SLOTS-1];
    wire              store = crd_rsp_valid && m_store;
    wire              tell  = crd_rsp_valid && m_has && (!last_valid || last_ready);
    always @(posedge clk)
        if (store)
            pairs[come[BUFFER_LOG2-1:0]] <= crd_rsp_beat;
    always @(posedge clk)
        if (stored)
            places[asked[BUFFER_LOG2-1:0]] <= addr;
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
    wire [REF_W-1:0]  b_end;
    wire              leave;
    samhw_queue #(.W(1+2*STOP_W+REF_W), .LOG2(QUEUE_LOG2)) u_fibers (
        .clk(clk), .rst(rst),
        .in_valid(start), .in_ready(room), .in_data({fill, f_stop, f_hole, f_end}),
        .out_valid(b_valid), .out_ready(leave), .out_data({b_list, b_stop, b_hole, b_end})
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

    reg              needs;    // there is a smallest coordinate needed
    reg              over;
    reg  [CRD_W-1:0] lowest;
    reg  [SLOTS-1:0] bounded;
    reg  [CRD_W-1:0] bounds [0:SLOTS-1];
    wire [TAG_W-1:0] ahead = l_tag - at;
    wire             near  = bound_valid && ahead[TAG_W-1:BUFFER_LOG2] == {(TAG_W-BUFFER_LOG2){1'b0}};
    always @(posedge clk)
        if (near)
            bounds[l_tag[BUFFER_LOG2-1:0]] <= l_crd;

    wire signed [PTR_W-1:0] ready_pairs = come - read;
    wire             here  = ready_pairs > 0;
    reg              second;   // the first of the pair is through
    wire [CRD_W-1:0] crd0;
    wire [CRD_W-1:0] crd1;
    assign {crd1, crd0} = pairs[read[BUFFER_LOG2-1:0]];
    wire [REF_W-1:0] place = places[read[BUFFER_LOG2-1:0]];
    wire [CRD_W-1:0] crd   = second ? crd1 : crd0;
    wire [REF_W-1:0] pos   = second ? place + ONE : place;
    wire [REF_W-1:0] behind = b_end - place;  // of the fiber from this pair on
    wire             end0  = behind == ONE;
    wire             end1  = behind == TWO;
    wire             ends  = (second ? end1 : end0) || over
                           || (bounded[at[BUFFER_LOG2-1:0]] && crd >= bounds[at[BUFFER_LOG2-1:0]]);
    // One alone is given out as well, where that takes no longer.
    wire             item  = b_valid && (here || !b_list);
    wire             out_free = !out_valid || out_ready;
    wire             below = b_list && needs && crd < lowest && !ends;
    wire             both  = below && !second && !end1 && crd1 < lowest;
    wire             drop  = below && (both || !out_free);

    wire             put   = item && out_free && !drop;
    wire             step  = put || (item && drop);
    assign leave = put && (ends || !b_list);
    // The newest fiber is over before all of it was asked for.
    wire             latest = at + NEXT == newest;
    assign abort = leave && b_list && more && latest;
    wire [MOST-1:0]  wide   = {{(MOST-REF_W){1'b0}}, behind} + {{(MOST-1){1'b0}}, 1'b1};
    wire [PTR_W-1:0] beyond = read + wide[PTR_W:1];

    always @(posedge clk) begin
        if (put)
            out_beat <= {!b_list, !b_list && b_stop == NO_STOP, leave ? b_stop : NO_STOP,
                         b_list ? pos : {REF_W{1'b0}},
                         b_list ? crd : {{(CRD_W-STOP_W){1'b0}}, b_hole}};
        if (skip_valid && s_tag == at)
            lowest <= s_crd;
        if (rst) begin
            out_valid <= 1'b0;
            at        <= {TAG_W{1'b0}};
            read      <= {PTR_W{1'b0}};
            second    <= 1'b0;
            needs     <= 1'b0;
            over      <= 1'b0;
            bounded   <= {SLOTS{1'b0}};
        end else begin
            if (out_free)
                out_valid <= put;
            if (leave)
                at <= at + NEXT;
            if (leave)
                second <= 1'b0;
            else if (step)
                second <= !second && !both;
            if (leave && b_list)
                read <= abort ? asked : beyond;
            else if (step && b_list && (second || both))
                read <= read + STEP;
            if (leave) begin
                needs <= 1'b0;
                over  <= 1'b0;
            end else if (skip_valid && s_tag == at) begin
                needs <= !s_over;
                over  <= s_over;
            end
            if (near)
                bounded[l_tag[BUFFER_LOG2-1:0]] <= 1'b1;
            if (leave)
                bounded[at[BUFFER_LOG2-1:0]] <= 1'b0;
        end
    end

`ifdef SAMHW_ASSERT
    always @(posedge clk)
        if (!rst && start && f_list && f_end < f_begin) begin
            $display("samhw_scanner_skip: a fiber ends before it begins");
            $stop;
        end
`endif

    wire _unused_ok = &{1'b0, l_over, m_valid, wide, ahead, 1'b0};

endmodule

`default_nettype wire
