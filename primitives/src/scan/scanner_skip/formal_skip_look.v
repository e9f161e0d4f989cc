// SPDX-License-Identifier: Apache-2.0
//
// Proof: `sweep` only if the newest pair stored is one of the fiber at hand, that is being asked for, and its
// largest coordinate was below what is needed a cycle ago. Probes are wanted within the fiber, behind what is
// next, a leap behind it or behind the last probe (a pair or two less); one that is not behind the last one
// only when pairs were stored since. `leap` only if the oldest probe under way, of the fiber at hand, was
// answered by coordinates below what is needed, to the place behind them, which lies behind all that was
// asked for, within the fiber. Requests are held only while probes are under way. Nothing here depends on
// when answers come, nor on what hints say.
// with: samhw_skip_look
// by: reachability
// case one: WIDE=0
// case groups: WIDE=1
// mutant samhw_skip_look: assign hold    = probing && !idle && reached; => assign hold    = 1'b0;
// mutant samhw_skip_look: assign leap    = look_probe && probing && useless && current;
//     => assign leap    = look_probe && probing && current;
// mutant samhw_skip_look: assign leap    = look_probe && probing && useless && current;
//     => assign leap    = look_probe && useless && current;
// mutant samhw_skip_look: wish && idle => wish
// mutant samhw_skip_look: assign wanted  = fits && ( => assign wanted  = (
// mutant samhw_skip_look: wish <= distant && !failed; => wish <= !failed;
// mutant samhw_skip_look: toward  <= leap ? APART - STEP : APART; => toward  <= APART;
// mutant samhw_skip_look: if (leave)\n            useless <= 1'b0; => if (1'b0)\n            useless <= 1'b0;
`default_nettype none

module formal_skip_look #(
    parameter WIDE = 0
) (
    input wire       clk,
    input wire       store,
    input wire       answer,
    input wire [1:0] crd,
    input wire [1:0] lowest,
    input wire       of_hand,
    input wire       leave,
    input wire       some,
    input wire       other,
    input wire       begins,
    input wire [W-1:0] from,
    input wire [W-1:0] to,
    input wire       onward,
    input wire       takes
);

    localparam W = 5 + WIDE;
    localparam [W:0] PAIR = 2 << WIDE;
    localparam [W:0] LEAP = 8 << WIDE;

    reg started = 1'b0;
    always @(posedge clk)
        started <= 1'b1;
    wire rst = !started;

    // As samhw_skip_ask asks: the newest fiber while it has pairs to ask for, its next pair and its end;
    // items that have not left.
    reg          more  = 1'b0;
    reg  [W:0]   next  = 0;
    reg  [W:0]   stop  = 0;
    reg  [1:0]   items = 2'd0;
    wire         current = more && items == 2'd1;
    wire         sweep, hold, wanted, leap;
    wire [W-1:0] addr, leap_to;
    wire         probe = more && wanted && takes;
    samhw_skip_look #(.CRD_W(2), .REF_W(W), .OPEN_LOG2(2), .LEAP_LOG2(3), .WIDE_LOG2(WIDE)) dut (
        .clk(clk), .rst(rst),
        .store(store), .answer(answer), .crd(crd), .lowest(lowest), .leave(leave), .current(current), .some(some),
        .sweep(sweep),
        .begins(begins), .onward(onward), .next(next[W-1:0]), .stop_at(stop[W-1:0]), .hold(hold),
        .wanted(wanted), .addr(addr), .probe(probe), .leap(leap), .leap_to(leap_to)
    );

    // Probes without an answer, the oldest lowest: whether nothing left since, and the place; the one that
    // was answered in the last cycle.
    reg  [2:0]         count = 3'd0;
    reg  [4*(W+1)-1:0] probes;
    reg                told  = 1'b0;
    reg                t_mine;
    reg  [W-1:0]       t_addr;
    reg  [1:0]         t_crd;
    wire [2:0]         rest  = count - {2'd0, answer};
    wire [4*(W+1)-1:0] kept  = answer ? probes >> (W+1) : probes;
    wire [4*(W+1)-1:0] new_  = {{(3*(W+1)){1'b0}}, 1'b1, addr} << (rest * (W+1));
    wire [4*(W+1)-1:0] gone  = leave ? {4{1'b0, {W{1'b1}}}} : {(4*(W+1)){1'b1}};
    wire [4*(W+1)-1:0] clear = {{(3*(W+1)){1'b0}}, {(W+1){1'b1}}} << (rest * (W+1));
    // The newest pair that was stored; what was needed a cycle ago.
    reg                stored = 1'b0;
    reg  [1:0]         s_crd;
    reg  [1:0]         low    = 2'd0;
    reg                left   = 1'b1;
    // The last probe since a pair was stored or an item left.
    reg                probed = 1'b0;
    reg  [W-1:0]       p_addr;
    always @(posedge clk)
        if (started) begin
            probed <= !leave && (probe || (probed && !store));
            if (probe)
                p_addr <= addr;
            count  <= rest + {2'd0, probe};
            probes <= (probe ? (kept & ~clear) | new_ : kept) & gone;
            told   <= answer;
            t_mine <= probes[W] && !leave;
            t_addr <= probes[W-1:0];
            t_crd  <= crd;
            low    <= lowest;
            left   <= leave;
            if (store)
                {stored, s_crd} <= {1'b1, crd};
            if (begins)
                {next, stop} <= {{1'b0, from} + PAIR, {1'b0, to}};
            else if (leap)
                next <= {1'b0, leap_to};
            else if (onward)
                next <= next + PAIR;
            if (leave && current)
                more <= 1'b0;
            else if (begins)
                more <= {1'b0, from} + PAIR < {1'b0, to};
            else if (onward && !leap)
                more <= next + PAIR < stop;
            items <= items + {1'b0, begins || other} - {1'b0, leave};
        end
    always @* begin
        assume (!(store && answer));
        assume (!answer || count != 3'd0);
        assume (!probe || count != 3'd4);
        assume (!leave || items != 2'd0);
        assume (!(begins || other) || (!more && items != 2'd3 && !(begins && other)));
        assume (!begins || from < to);
        assume (!onward || (more && !hold && !probe && !begins));
        // Pairs come in order: if there is one behind the front, the newest one is not of a fiber before the
        // one at hand.
        assume (!some || (stored && of_hand));
        // Nothing is below 0, which is what is needed after a fiber has left.
        assume (!left || lowest == 2'd0);
    end

    always @*
        if (started) begin
            assert (!sweep || (some && stored && of_hand && current && s_crd < low && !left));
            assert (!leap || (told && t_mine && current && t_crd < low && !left));
            assert (!leap
                    || (leap_to == t_addr + PAIR[W-1:0] && {1'b0, leap_to} >= next + PAIR && {1'b0, leap_to} < stop));
            assert (!probe || ({1'b0, addr} >= next + LEAP - PAIR && {1'b0, addr} + LEAP <= stop + PAIR + PAIR
                               && {1'b0, addr} + PAIR <= stop));
            assert (!probe || !probed || addr > p_addr);
            assert (!hold || (count != 3'd0 || told));
        end

endmodule

`default_nettype wire
