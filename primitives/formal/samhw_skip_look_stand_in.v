// SPDX-License-Identifier: Apache-2.0
//
// Stands for the look ahead in the proof of samhw_scanner_skip: what scanner_skip/formal_skip_look.v asserts
// of it, and no more. It sweeps, leaps, holds and wants probes when it likes, where that proof allows it;
// probes may be closer to each other than LEAP_LOG2 says. It demands what that proof assumes: where the fiber
// at hand is being asked for, answers to the probes under way.
`default_nettype none

module samhw_skip_look_stand_in #(
    parameter CRD_W     = 16,
    parameter REF_W     = 16,
    parameter OPEN_LOG2 = 4,
    parameter LEAP_LOG2 = 4,
    parameter WIDE_LOG2 = 0
) (
    input  wire             clk,
    input  wire             rst,

    input  wire             store,
    input  wire             answer,
    input  wire [CRD_W-1:0] crd,
    input  wire [CRD_W-1:0] lowest,
    input  wire             leave,
    input  wire             current,
    input  wire             some,
    output wire             sweep,

    input  wire             begins,
    input  wire             onward,
    input  wire [REF_W-1:0] next,
    input  wire [REF_W-1:0] stop_at,
    output wire             hold,
    output wire             wanted,
    output wire [REF_W-1:0] addr,
    input  wire             probe,
    output wire             leap,
    output wire [REF_W-1:0] leap_to
);

    localparam MOST = 1 << OPEN_LOG2;
    localparam P    = REF_W + 1;
    localparam C    = OPEN_LOG2 + 1;
    localparam [REF_W:0] PAIR = 2 << WIDE_LOG2;
    localparam [C-1:0]   ONE  = 1;
    localparam [C-1:0]   FULL = ONE << OPEN_LOG2;

    // Anything, in every cycle.
    (* anyseq *) reg             any_sweep;
    (* anyseq *) reg             any_leap;
    (* anyseq *) reg             any_hold;
    (* anyseq *) reg             any_wanted;
    (* anyseq *) reg [REF_W-1:0] any_addr;

    // Probes without an answer, the oldest lowest: whether nothing left since, and the place; the one that
    // was answered in the cycle before.
    reg  [C-1:0]      count = {C{1'b0}};
    reg  [MOST*P-1:0] probes;
    reg               told  = 1'b0;
    reg               t_mine;
    reg  [REF_W-1:0]  t_addr;
    reg  [CRD_W-1:0]  t_crd, s_crd, low;
    reg               stored = 1'b0;
    reg               fresh  = 1'b1;
    wire [C-1:0]      rest  = count - {{(C-1){1'b0}}, answer};
    wire [MOST*P-1:0] waits = answer ? probes >> P : probes;
    integer           i;
    always @(posedge clk)
        if (rst) begin
            count  <= {C{1'b0}};
            {told, stored, fresh} <= 3'd1;
        end else begin
            count  <= rest + {{(C-1){1'b0}}, probe};
            told   <= answer;
            t_mine <= probes[REF_W] && !leave;
            t_addr <= probes[REF_W-1:0];
            t_crd  <= crd;
            low    <= lowest;
            fresh  <= leave;
            if (store)
                {stored, s_crd} <= {1'b1, crd};
            for (i = 0; i < MOST; i = i + 1)
                probes[i*P +: P] <= {!leave, {REF_W{1'b1}}}
                                    & (probe && rest == i[C-1:0] ? {1'b1, addr} : waits[i*P +: P]);
        end

    // The last probe since a pair was stored or an item left.
    reg             probed = 1'b0;
    reg [REF_W-1:0] p_addr;
    always @(posedge clk) begin
        probed <= !rst && !leave && (probe || (probed && !store));
        if (probe)
            p_addr <= addr;
    end

    wire [REF_W:0] from   = {1'b0, next};
    wire [REF_W:0] to     = {1'b0, stop_at};
    wire [REF_W:0] behind = {1'b0, t_addr} + PAIR;
    assign sweep   = any_sweep && some && current && stored && s_crd < low && !fresh;
    assign leap    = any_leap && current && told && t_mine && t_crd < low && !fresh && behind >= from + PAIR
                     && behind < to;
    assign leap_to = behind[REF_W-1:0];
    assign hold    = any_hold && (count != {C{1'b0}} || told);
    assign addr    = any_addr;
    assign wanted  = any_wanted && {1'b0, addr} >= from + PAIR && {1'b0, addr} + PAIR <= to
                     && (!probed || addr > p_addr);

    // The fiber that is being asked for.
    reg            more = 1'b0;
    reg            began, moved, jumped, was_at, left;
    reg  [REF_W:0] was_next, was_stop, was_to;
    reg            old  = 1'b0;
    wire [REF_W:0] due  = jumped ? was_to : moved ? was_next + PAIR : was_next;
    wire           goes = began ? from >= PAIR && from < to : more && due < was_stop;
    always @(posedge clk) begin
        old  <= !rst;
        more <= !rst && goes && !(leave && current);
        {began, moved, jumped, was_at, left} <= {begins, onward, leap, current, leave} & {5{!rst}};
        {was_next, was_stop, was_to}         <= {from, to, behind};
    end
    always @*
        if (!rst && old) begin
            assert (!(store && answer));
            assert (!some || stored);
            assert (!answer || count != {C{1'b0}});
            assert (!probe || (wanted && goes && count != FULL));
            assert (!began || from < PAIR || from < to + PAIR);
            assert (began || !goes || (from == due && to == was_stop));
            assert (!current || goes);
            assert (!goes || began || left || current == was_at);
            assert (!onward || (goes && !hold && !probe && !begins));
            assert (!begins || !goes);
            assert (!fresh || lowest == {CRD_W{1'b0}});
        end

    wire _unused_ok = &{1'b0, LEAP_LOG2 != 0, 1'b0};

endmodule

`default_nettype wire
