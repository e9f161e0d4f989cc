// SPDX-License-Identifier: Apache-2.0
//
// Parallelizer: deals the items of aligned streams to copies of a graph.
//
//   Consumes    in[k]: STREAMS streams of one shape; lists of items of height HEIGHT (0: leaves).
//   Produces    out[c*STREAMS+k]: stream k as copy c gets it: every list that holds items, with
//               the items dealt to c. SPLIT: each item in a list of its own, those in a list for
//               the one they were in (the stream is one deeper). turn: which copy got each item.
//   Dealing     DEAL 0: in turn, each list from copy 0 on; 1: to the first copy with room after
//               the last one, as it was a cycle before; 2: to the copy that the low bits of in[0] say, of
//               another number than a power of 2 two more bits modulo COPIES; 3: in turn, in a list from
//               where the one before ended.
//   Throughput  one beat of each stream per cycle.
//   Latency     3 cycles; without SPLIT an item waits until its copy gets another, or the list ends.
//   Parameters  COPIES, at least 2; W widest payload, STOP_W stop bits, TURN_W >= STOP_W bits of a copy's number;
//               TURN 0: turn is not used.
//   Reset       valid bits and the turn; payloads are not reset.
//   Source      "The Sparse Abstract Machine", section 4.4.
`default_nettype none

module samhw_parallelizer #(
    parameter STREAMS = 2,
    parameter COPIES  = 4,
    parameter W       = 16,
    parameter TURN_W  = 3,
    parameter STOP_W  = 3,
    parameter HEIGHT  = 0,
    parameter DEAL    = 0,
    parameter SPLIT   = 0,
    parameter TURN    = 0
) (
    input  wire                                   clk,
    input  wire                                   rst,

    input  wire [STREAMS-1:0]                     in_valid,
    output wire [STREAMS-1:0]                     in_ready,
    input  wire [STREAMS*(2+STOP_W+W)-1:0]        in_beat,

    output reg  [COPIES*STREAMS-1:0]              out_valid,
    input  wire [COPIES*STREAMS-1:0]              out_ready,
    output wire [COPIES*STREAMS*(2+STOP_W+W)-1:0] out_beat,

    output reg                                    turn_valid,
    input  wire                                   turn_ready,
    output reg  [2+STOP_W+TURN_W-1:0]             turn_beat
);
    generate
        if (STREAMS < 1 || W < 1 || STOP_W < 1
            || COPIES < 2 || TURN_W < $clog2(COPIES)
            || STOP_W > W || STOP_W > TURN_W
            || HEIGHT < 0 || HEIGHT >= 1 << STOP_W
            || DEAL < 0 || DEAL > 3
            || SPLIT < 0 || SPLIT > 1 || TURN < 0 || TURN > 1) begin : g_parameters
            samhw_parameter_out_of_range refused ();
        end
    endgenerate

    localparam B  = 2 + STOP_W + W;
    localparam CW = $clog2(COPIES);
    `include "samhw_kinds.vh"
    localparam [STOP_W-1:0] H    = HEIGHT[STOP_W-1:0];
    localparam [STOP_W-1:0] ONE  = {{(STOP_W-1){1'b0}}, 1'b1};
    localparam [STOP_W-1:0] MORE = (SPLIT != 0) ? ONE : {STOP_W{1'b0}};
    localparam [CW-1:0]     LAST = COPIES[CW-1:0] - {{(CW-1){1'b0}}, 1'b1};

    // Inputs.
    wire [STREAMS-1:0]   h_valid;
    wire [STREAMS*B-1:0] h_beat;
    wire                 go;
    genvar s;
    genvar c;
    generate
        for (s = 0; s < STREAMS; s = s + 1) begin : g_in
            samhw_skid #(.W(B)) u_in (
                .clk(clk), .rst(rst),
                .in_valid(in_valid[s]), .in_ready(in_ready[s]), .in_beat(in_beat[s*B +: B]),
                .out_valid(h_valid[s]), .out_ready(go), .out_beat(h_beat[s*B +: B])
            );
        end
    endgenerate

    // Stream 0 tells the structure of all.
    wire [1:0]        kind = h_beat[W+STOP_W +: 2];
    wire [STOP_W-1:0] stop = h_beat[W +: STOP_W];
    wire [STOP_W-1:0] hole = h_beat[STOP_W-1:0];
    wire everyone  = kind == DONE || (kind == NIL && hole > H);
    wire ends_list = everyone || stop > H;
    wire ends_item = ends_list || stop == H;
    wire [STOP_W-1:0] list_stop = (kind == DONE) ? {STOP_W{1'b0}} : stop + MORE;

    // Copies.
    reg  [COPIES-1:0] held;
    reg  [COPIES-1:0] settled;
    wire [COPIES-1:0] waiting = held & ~settled;
    wire [COPIES-1:0] free;
    wire [COPIES-1:0] room = ~held | free;

    // Whose turn it is.
    wire [COPIES-1:0] need;
    reg  [CW-1:0]     at;
    reg               in_item;
    wire [CW-1:0]     own;
    wire [CW-1:0]     sel = (DEAL == 2 && !in_item) ? own : at;
    genvar            n;
    generate
        if (DEAL == 2 && (COPIES & (COPIES - 1)) != 0) begin : g_rest
            localparam LOW = (CW + 2 < W) ? CW + 2 : W;
            wire [(CW<<LOW)-1:0] rest;
            for (n = 0; n < 1 << LOW; n = n + 1) begin : g_of
                localparam integer OWN = n % COPIES;
                assign rest[n*CW +: CW] = OWN[CW-1:0];
            end
            assign own = rest[h_beat[LOW-1:0]*CW +: CW];
        end else begin : g_low
            assign own = h_beat[CW-1:0];
        end
    endgenerate

    wire turn_free = !turn_valid || turn_ready;
    assign go = (&h_valid) && (&(~need | room)) && (TURN == 0 || !ends_item || turn_free);

    // What goes to the copy whose turn it is.
    wire [STOP_W-1:0] item_stop = (SPLIT != 0 && ends_item) ? (ends_list ? list_stop : H + ONE) : stop;
    wire item_settled = (SPLIT != 0) || ends_list || !ends_item;

    generate
        for (c = 0; c < COPIES; c = c + 1) begin : g_copy
            wire mine  = everyone || sel == c[CW-1:0];
            assign need[c] = mine || (ends_list && !waiting[c]);
            wire plain = mine && !(everyone && kind == NIL);
            wire push  = go && need[c];
            wire close = go && !need[c] && ends_list;
            assign free[c] = &(~out_valid[c*STREAMS +: STREAMS] | out_ready[c*STREAMS +: STREAMS]);
            // Only what is settled leaves by itself; what waits, with the next item.
            wire leave = held[c] && (settled[c] ? free[c] : go && mine);

            // Kind and payload go on as soon as the output register is free, and are loaded without
            // waiting for go; the stop, which may still change, follows when the item leaves.
            reg                       gone;
            reg [STOP_W-1:0]          h_stop;
            reg [STOP_W-1:0]          o_stop;
            for (s = 0; s < STREAMS; s = s + 1) begin : g_stream
                wire [1:0]   in_kind = h_beat[s*B+W+STOP_W +: 2];
                wire [W-1:0] in_pay  = h_beat[s*B +: W];
                reg  [1:0]   h_kind;
                reg  [W-1:0] h_pay;
                reg  [1:0]   o_kind;
                reg  [W-1:0] o_pay;
                always @(posedge clk) begin
                    if (room[c]) begin
                        h_kind <= mine ? in_kind : NIL;
                        h_pay  <= plain ? in_pay : {{(W-STOP_W){1'b0}}, mine ? hole + MORE : H + ONE};
                    end
                    if (free[c] && !gone) begin
                        o_kind <= h_kind;
                        o_pay  <= h_pay;
                    end
                end
                assign out_beat[(c*STREAMS+s)*B +: B] = {o_kind, o_stop, o_pay};
            end
            always @(posedge clk) begin
                if (push)
                    h_stop <= mine && !everyone ? item_stop : list_stop;
                else if (close)
                    h_stop <= list_stop;
                if (leave)
                    o_stop <= h_stop;
                if (push)
                    settled[c] <= !mine || everyone || item_settled;
                else if (close)
                    settled[c] <= 1'b1;
                if (rst) begin
                    gone    <= 1'b0;
                    held[c] <= 1'b0;
                    out_valid[c*STREAMS +: STREAMS] <= {STREAMS{1'b0}};
                end else begin
                    gone    <= held[c] && free[c] && !leave;
                    held[c] <= push || (held[c] && !(settled[c] && free[c]));
                    out_valid[c*STREAMS +: STREAMS] <= leave ? {STREAMS{1'b1}}
                        : out_valid[c*STREAMS +: STREAMS] & ~out_ready[c*STREAMS +: STREAMS];
                end
            end
        end
    endgenerate

    // Who gets the next item.
    wire [CW-1:0] after = (sel == LAST) ? {CW{1'b0}} : sel + {{(CW-1){1'b0}}, 1'b1};
    generate
        if (DEAL == 1) begin : g_free
            // The first behind `at` that has room, and will still have it where a beat goes to it now; if
            // there is none, the next one. A copy keeps the room that it has until a beat goes to it, so
            // another is chosen only for one that had none, and not before something waits: every run begins
            // with copy 0.
            wire              stuck = !room[at];
            wire [COPIES-1:0] can   = stuck ? room : (room & ~need) | (~held & free);
            reg  [CW-1:0]     first;
            reg  [CW-1:0]     behind;
            reg               some_behind;
            integer           k;
            always @* begin
                first       = stuck ? at : after;
                behind      = first;
                some_behind = 1'b0;
                for (k = COPIES - 1; k >= 0; k = k - 1)
                    if (can[k]) begin
                        first = k[CW-1:0];
                        if (k[CW-1:0] > at) begin
                            behind      = k[CW-1:0];
                            some_behind = 1'b1;
                        end
                    end
            end
            always @(posedge clk)
                if (rst || (go && kind == DONE))
                    at <= {CW{1'b0}};
                else if (go ? ends_item && !everyone : stuck && (&h_valid) && !in_item)
                    at <= some_behind ? behind : first;
        end else begin : g_fixed
            always @(posedge clk)
                if (rst)
                    at <= {CW{1'b0}};
                else if (go)
                    at <= !ends_item || (everyone && kind != DONE && DEAL == 3) ? sel
                        : kind == DONE || (ends_list && DEAL != 3) ? {CW{1'b0}} : after;
        end
    endgenerate

    wire tell = (TURN != 0) && go && ends_item;
    always @(posedge clk) begin
        if (tell)
            turn_beat <= (kind == DONE) ? {DONE, {(STOP_W+TURN_W){1'b0}}}
                         : everyone ? {NIL, stop - H, {(TURN_W-STOP_W){1'b0}}, hole - H}
                         : {DATA, stop - H, {(TURN_W-CW){1'b0}}, sel};
        if (rst) begin
            turn_valid <= 1'b0;
            in_item    <= 1'b0;
        end else begin
            turn_valid <= tell || (turn_valid && !turn_ready);
            if (go)
                in_item <= !ends_item;
        end
    end

    wire _unused_ok = &{1'b0, h_beat, at, in_item, 1'b0};

`ifdef SAMHW_ASSERT
    generate
        for (s = 1; s < STREAMS; s = s + 1) begin : g_aligned
            wire [1:0] other = h_beat[s*B+W+STOP_W +: 2];
            always @(posedge clk)
                if (!rst && (&h_valid) && (h_beat[s*B+W +: STOP_W] != stop || other[1] != kind[1]
                                           || (kind[1] && other != kind))) begin
                    $display("samhw_parallelizer: streams are not aligned");
                    $stop;
                end
        end
    endgenerate
`endif

endmodule

`default_nettype wire
