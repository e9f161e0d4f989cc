// SPDX-License-Identifier: Apache-2.0
//
// Walks over the bits of words: those that a table of N words side by side emits, from the lowest on, each
// with the ones below it.
//
//   Consumes    in[k]: pairs (word, rank) of depth d, aligned leaf by leaf; bit b of the w-th word of a fiber
//               is coordinate w*WIDTH + b.
//   Produces    a step at a time: a bit (found), with its coordinate, who has it, and for each operand its
//               word's rank and the number of its ones below; or that a word has none, or the end of lists
//               (none; low and hole as in the beat). more: others of the word follow; ends: the fiber ends
//               with this step, with stop. Where cut is 1 nothing more of the fiber at hand is needed: of
//               each of its words one bit more is stepped at most, of the one at hand two.
//   Throughput  one step per cycle; a word takes as many as it has bits to emit, and at least one.
//   Latency     2 cycles from a word's arrival to its first step.
//   How         two steps, each with little to decide: a word's groups of 2**GROUP_LOG2 bits that have any; a
//               group's bits.
//   Boundary    what is produced comes from registers, a few lookup tables deep; it moves on with out_ready.
//   Parameters  N; WIDTH bits of a word, 2**WIDTH_LOG2, at least STOP_W and 2**GROUP_LOG2; CRD_W; REF_W;
//               STOP_W; EMIT bit P: a coordinate that the operands in P have is emitted. UNEVEN 1: fibers that
//               are over may have fewer words in some operands than in others; these are dropped.
//   Reset       valid bits, the word's number.
`default_nettype none

module samhw_bit_walk #(
    parameter N          = 1,
    parameter WIDTH      = 64,
    parameter WIDTH_LOG2 = 6,
    parameter GROUP_LOG2 = 3,
    parameter CRD_W      = 16,
    parameter REF_W      = 16,
    parameter STOP_W     = 3,
    parameter [(1<<N)-1:0] EMIT = {1'b1, {((1<<N)-1){1'b0}}},
    parameter UNEVEN     = 0
) (
    input  wire                                clk,
    input  wire                                rst,

    input  wire [N-1:0]                        in_valid,
    output wire [N-1:0]                        in_ready,
    input  wire [N*(2+STOP_W+REF_W+WIDTH)-1:0] in_beat,

    output reg                                 out_valid,
    input  wire                                out_ready,
    input  wire                                cut,
    output wire                                found,
    output reg                                 none,
    output reg                                 low,
    output reg  [STOP_W-1:0]                   hole,
    output wire                                more,
    output wire                                ends,
    output reg  [STOP_W-1:0]                   stop,
    output wire [CRD_W-1:0]                    crd,
    output wire [N-1:0]                        take,
    output reg  [N*REF_W-1:0]                  rank,
    output wire [N*WIDTH_LOG2-1:0]             below
);
    generate
        if (N < 1 || CRD_W < 1 || REF_W < 1 || STOP_W < 1
            || WIDTH_LOG2 < 1 || WIDTH != 1 << WIDTH_LOG2
            || GROUP_LOG2 < 0 || GROUP_LOG2 > WIDTH_LOG2
            || STOP_W > WIDTH
            || UNEVEN < 0 || UNEVEN > 1) begin : g_parameters
            samhw_parameter_out_of_range refused ();
        end
    endgenerate

    localparam IN_W   = 2 + STOP_W + REF_W + WIDTH;
    localparam GROUP  = 1 << GROUP_LOG2;
    localparam GROUPS = WIDTH / GROUP;
    localparam ONES_W = GROUP_LOG2 + 1;
    localparam [STOP_W-1:0] NO_STOP = 0;
    localparam [STOP_W-1:0] ONE     = 1;
    localparam [CRD_W-1:0]  NEXT    = 1;

    wire [N-1:0]        h_valid;
    wire [N-1:0]        h_none;
    wire [N-1:0]        h_low;
    wire [N*STOP_W-1:0] h_stop;
    wire [N*REF_W-1:0]  h_rank;
    wire [N*WIDTH-1:0]  h_word;
    wire [WIDTH-1:0]    h_emit;
    reg  [GROUPS-1:0]   h_any;   // groups with bits to emit
    reg  [GROUPS-1:0]   h_many;  // more than one

    // A word at a time, with the groups that are left of it.
    reg                 a_valid;
    reg                 a_none;
    reg                 a_low;
    reg  [STOP_W-1:0]   a_stop;
    reg  [STOP_W-1:0]   a_hole;
    reg  [N*REF_W-1:0]  a_rank;
    reg  [N*WIDTH-1:0]  a_word;
    reg  [GROUPS-1:0]   a_any;
    reg  [GROUPS-1:0]   a_many;
    wire [WIDTH-1:0]    a_emit;
    reg  [GROUPS-1:0]   a_rest;   // without the lowest
    reg  [GROUPS-1:0]   a_first;
    reg  [GROUPS-1:0]   a_under;

    // A group at a time, with the bits that are left of it.
    reg  [GROUP-1:0]        b_bits;
    reg  [GROUP-1:0]        b_rest;
    reg  [GROUP-1:0]        b_first;
    reg  [GROUP-1:0]        b_under;
    reg  [WIDTH_LOG2-1:0]   b_at;
    reg                     b_last;  // of the word
    reg                     b_ends;
    reg                     b_over;  // no other is left, known a cycle before

    // Behind the last group of a fiber stands the next fiber, of which cut says nothing.
    wire a_over = a_rest == {GROUPS{1'b0}} || (cut && !(out_valid && b_ends));
    wire b_done = b_over || cut;
    wire b_load = !out_valid || (out_ready && b_done);
    wire a_load = !a_valid || (b_load && a_over);
    // The words at hand stand side by side: all are their fiber's last, or none.
    wire [N-1:0] h_ends;
    wire [N-1:0] h_last = h_valid & h_ends;
    wire         h_even = (&h_valid) && (UNEVEN == 0 || (&h_ends) || h_ends == {N{1'b0}});
    wire         h_pop  = a_load && h_even;

    wire              above = h_none[0] && (h_low[0] || h_word[STOP_W-1:0] != ONE);
    always @(posedge clk) begin
        if (a_load) begin
            a_none <= h_none[0];
            a_low  <= h_low[0];
            a_stop <= h_stop[STOP_W-1:0];
            // NIL above the fibers and DONE stand on all operands; any other end without a leaf is an empty fiber.
            a_hole <= above ? h_word[STOP_W-1:0] : ONE;
            a_rank <= h_rank;
            a_word <= h_word;
            a_many <= h_many;
        end
        if (a_load)
            a_any <= h_any & {GROUPS{!h_none[0]}};
        else if (b_load)
            a_any <= a_rest;
        if (rst)
            a_valid <= 1'b0;
        else if (a_load)
            a_valid <= h_even;
    end

    integer y;
    integer z;
    always @* begin
        h_any  = {GROUPS{1'b0}};
        h_many = {GROUPS{1'b0}};
        for (y = 0; y < GROUPS; y = y + 1)
            for (z = 0; z < GROUP; z = z + 1) begin
                h_many[y] = h_many[y] || (h_any[y] && h_emit[y*GROUP + z]);
                h_any[y]  = h_any[y] || h_emit[y*GROUP + z];
            end
    end

    integer g;
    reg     a_seen;
    always @* begin
        a_seen = 1'b0;
        for (g = 0; g < GROUPS; g = g + 1) begin
            a_rest[g]  = a_any[g] && a_seen;
            a_first[g] = a_any[g] && !a_seen;
            a_seen     = a_any[g] || a_seen;
            a_under[g] = !a_seen;
        end
    end

    // The first group that is left: its bits, where it begins, and the ones of those below.
    integer                i;
    integer                j;
    reg  [GROUP-1:0]       n_bits;
    reg  [WIDTH_LOG2-1:0]  n_at;
    always @* begin
        n_bits = {GROUP{1'b0}};
        n_at   = {WIDTH_LOG2{1'b0}};
        for (i = 0; i < GROUPS; i = i + 1) begin
            n_bits = n_bits | (a_emit[i*GROUP +: GROUP] & {GROUP{a_first[i]}});
            for (j = GROUP_LOG2; j < WIDTH_LOG2; j = j + 1)
                n_at[j] = n_at[j] || (a_first[i] && i[j-GROUP_LOG2]);
        end
    end

    integer               b;
    reg                   b_seen;
    reg                   b_second;
    reg                   b_third;
    reg  [WIDTH_LOG2-1:0] bit_of;

    always @(posedge clk) begin
        if (b_load) begin
            none   <= a_none;
            low    <= a_low;
            stop   <= a_stop;
            hole   <= a_hole;
            rank   <= a_rank;
            b_at   <= n_at;
            b_last <= a_over;
            b_ends <= a_over && (a_none || a_stop != NO_STOP);
        end
        if (b_load) begin
            b_bits <= n_bits;
            b_over <= (a_first & a_many) == {GROUPS{1'b0}};
        end else if (out_ready) begin
            b_bits <= b_rest;
            b_over <= !b_third;
        end
        if (rst)
            out_valid <= 1'b0;
        else if (b_load)
            out_valid <= a_valid;
    end

    always @* begin
        b_seen   = 1'b0;
        b_second = 1'b0;
        b_third  = 1'b0;
        bit_of = b_at;
        for (b = 0; b < GROUP; b = b + 1) begin
            b_rest[b]  = b_bits[b] && b_seen;
            b_first[b] = b_bits[b] && !b_seen;
            b_third    = b_third || (b_bits[b] && b_second);
            b_second   = b_second || (b_bits[b] && b_seen);
            b_seen     = b_bits[b] || b_seen;
            b_under[b] = !b_seen;
            bit_of     = bit_of | (b[WIDTH_LOG2-1:0] & {WIDTH_LOG2{b_first[b]}});
        end
    end
    assign found = b_seen;
    assign more  = !(b_done && b_last);
    assign ends  = b_done && b_ends;

    reg  [CRD_W-1:0] index;  // words of the fiber that are through
    always @(posedge clk)
        if (rst)
            index <= {CRD_W{1'b0}};
        else if (out_valid && out_ready) begin
            if (ends)
                index <= {CRD_W{1'b0}};
            else if (!more)
                index <= index + NEXT;
        end
    wire [CRD_W+WIDTH_LOG2-1:0] wide_crd = {index, bit_of};
    assign crd = wide_crd[CRD_W-1:0];

    genvar v;
    genvar k;
    generate
        for (v = 0; v < WIDTH; v = v + 1) begin : g_bit
            wire [N-1:0] has;
            wire [N-1:0] had;
            for (k = 0; k < N; k = k + 1) begin : g_has
                assign has[k] = h_word[k*WIDTH + v];
                assign had[k] = a_word[k*WIDTH + v];
            end
            assign h_emit[v] = EMIT[has];
            assign a_emit[v] = EMIT[had];
        end

        for (k = 0; k < N; k = k + 1) begin : g_operand
            // Whether a word is its fiber's last is known before it is chosen.
            wire [STOP_W+1:0] closing = in_beat[k*IN_W + IN_W - 1 -: STOP_W+2];
            wire              last_in = closing[STOP_W+1] || closing[STOP_W-1:0] != NO_STOP;
            samhw_skid #(.W(1+IN_W), .PASS(1)) u_in (
                .clk(clk), .rst(rst),
                .in_valid(in_valid[k]), .in_ready(in_ready[k]), .in_beat({last_in, in_beat[k*IN_W +: IN_W]}),
                .out_valid(h_valid[k]),
                .out_ready(h_pop || (UNEVEN != 0 && h_valid[k] && !h_ends[k] && h_last != {N{1'b0}})),
                .out_beat({h_ends[k], h_none[k], h_low[k], h_stop[k*STOP_W +: STOP_W],
                           h_rank[k*REF_W +: REF_W], h_word[k*WIDTH +: WIDTH]})
            );

            // Ones of each group, counted while the word arrives.
            reg [GROUPS*ONES_W-1:0] counted;
            reg [GROUPS*ONES_W-1:0] ones;
            reg [ONES_W-1:0]        count;
            integer                 c;
            integer                 d;
            always @* begin
                count   = {ONES_W{1'b0}};
                counted = {(GROUPS*ONES_W){1'b0}};
                for (c = 0; c < GROUPS; c = c + 1) begin
                    count = {ONES_W{1'b0}};
                    for (d = 0; d < GROUP; d = d + 1)
                        count = count + {{GROUP_LOG2{1'b0}}, h_word[k*WIDTH + c*GROUP + d]};
                    counted[c*ONES_W +: ONES_W] = count;
                end
            end
            always @(posedge clk)
                if (a_load)
                    ones <= counted;

            // Those of the groups below the first, and that group's own.
            reg  [WIDTH_LOG2:0]  sum;
            reg  [GROUP-1:0]     n_own;
            reg  [WIDTH_LOG2:0]  before_group;
            reg  [GROUP-1:0]     own;
            integer              e;
            always @* begin
                sum   = {(WIDTH_LOG2+1){1'b0}};
                n_own = {GROUP{1'b0}};
                for (e = 0; e < GROUPS; e = e + 1) begin
                    sum   = sum + ({{(WIDTH_LOG2-GROUP_LOG2){1'b0}}, ones[e*ONES_W +: ONES_W]}
                                   & {(WIDTH_LOG2+1){a_under[e]}});
                    n_own = n_own | (a_word[k*WIDTH + e*GROUP +: GROUP] & {GROUP{a_first[e]}});
                end
            end
            always @(posedge clk)
                if (b_load) begin
                    before_group <= sum;
                    own          <= n_own;
                end

            reg  [WIDTH_LOG2:0] all;
            integer             f;
            always @* begin
                all = before_group;
                for (f = 0; f < GROUP; f = f + 1)
                    all = all + {{WIDTH_LOG2{1'b0}}, own[f] && b_under[f]};
            end
            assign below[k*WIDTH_LOG2 +: WIDTH_LOG2] = all[WIDTH_LOG2-1:0];
            assign take[k] = (own & b_first) != {GROUP{1'b0}};
            wire _unused_ok = &{1'b0, closing, all, c, d, e, f, 1'b0};
        end
    endgenerate

`ifdef SAMHW_ASSERT
    integer x;
    always @(posedge clk)
        for (x = 1; x < N; x = x + 1)
            if (!rst && h_pop && (h_none[x] != h_none[0] || h_stop[x*STOP_W +: STOP_W] != h_stop[STOP_W-1:0])) begin
                $display("samhw_bit_walk: operands 0 and %0d are not aligned", x);
                $stop;
            end
`endif

    wire _unused_ok = &{1'b0, wide_crd, h_low, h_stop, h_none, h_last, a_under, g, i, y, z, j, b, 1'b0};

endmodule

`default_nettype wire
