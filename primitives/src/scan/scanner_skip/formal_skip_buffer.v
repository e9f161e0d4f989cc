// SPDX-License-Identifier: Apache-2.0
//
// Proof: the front is the oldest pair that was not passed over, once it has come: its place, its coordinates,
// and where its fiber ends, are those of its reservation, its note and its answer; no pair is passed over but
// by `through`, `drop`, `sweep` or `leap`, and those pass over what the head of the module says. low and
// closes compare its coordinates with what was needed a cycle ago, but not in the cycle after an item left.
// What has come stands in the front soon; where there is nothing in the buffer there is credit.
//
// One pair is watched, any.
// with: samhw_skip_buffer
// by: reachability
// case one: WIDE=0
// long case groups: WIDE=1
// mutant samhw_skip_buffer: credit <= held < NEARLY; => credit <= held <= NEARLY;
// mutant samhw_skip_buffer: passed <= all || leap; => passed <= all;
// mutant samhw_skip_buffer: wire [2*GROUP-1:0] pair_behind = none_behind ? store_pair :
//     => wire [2*GROUP-1:0] pair_behind =
// mutant samhw_skip_buffer: wire             then_next   = store ? none :
//     => wire             then_next   = store ? 1'b0 :
// mutant samhw_skip_buffer: loaded_next = has_behind ? behind_it + STEP : behind_it; => loaded_next = behind_it + STEP;
// mutant samhw_skip_buffer: if (rst || !here || drop) => if (rst || !here)
// mutant samhw_skip_buffer: low[k]    <= !leave && (!load => low[k]    <= (!load
// mutant samhw_skip_buffer: none ? arrives < lowest : => none ? stored < lowest :
// mutant samhw_skip_buffer: none ? arrives >= cap : => none ? stored >= cap :
// mutant samhw_skip_buffer: (!load ? waits < lowest : => (
// mutant samhw_skip_buffer: loaded_next = come; => loaded_next = come_next;
// mutant samhw_skip_buffer: mirrored <= ~loaded_next => mirrored <= ~loaded
// mutant samhw_skip_buffer: {none, owing} <= {!store, 1'b0}; => {none, owing} <= 2'd0;
`default_nettype none

module formal_skip_buffer #(
    parameter WIDE = 0
) (
    input wire       clk,
    input wire [2:0] any,
    input wire       reserves,
    input wire [2+WIDE:0] place_of,
    input wire [2+WIDE:0] left_of,
    input wire       store,
    input wire [(2<<WIDE)-1:0] came,
    input wire       lowest,
    input wire       capped,
    input wire       cap,
    input wire       passes,
    input wire       leave,
    input wire       drops,
    input wire       at_hand,
    input wire       sweeps,
    input wire       leap
);

    localparam [2+WIDE:0] PAIR = 2 << WIDE;
    localparam G = 1 << WIDE;

    reg started = 1'b0;
    always @(posedge clk)
        started <= 1'b1;
    wire rst = !started;

    // The pair that is watched, modulo 8.
    reg [2:0] who;
    always @(posedge clk)
        if (!started)
            who <= any;

    wire       credit, here, some;
    wire [2*G-1:0]  pair;
    wire [WIDE+1:0] ends;
    wire [1:0] low, closes;
    wire [2+WIDE:0] place;
    wire       reserve = started && reserves && credit;
    wire       drop    = leave && drops && here;
    // As samhw_skip_give: what leaves is through, too.
    wire       through = drop || passes;
    wire       current;
    wire       sweep   = sweeps && some && current;
    reg        note = 1'b0;
    reg  [2+WIDE:0] note_place, note_left;
    samhw_skip_buffer #(.CRD_W(1), .REF_W(3+WIDE), .SLOTS_LOG2(1), .WIDE_LOG2(WIDE)) dut (
        .clk(clk), .rst(rst),
        .credit(credit), .reserve(reserve), .note(note), .note_place(note_place), .note_left(note_left),
        .store(store), .store_pair(came), .lowest(lowest), .capped(capped), .cap(cap),
        .here(here), .pair(pair), .place(place), .ends(ends), .low(low), .closes(closes),
        .through(through), .leave(leave), .drop(drop), .current(current), .some(some), .sweep(sweep), .leap(leap)
    );

    // Pairs that were reserved, that came, that were passed over, modulo 8; whether a pair is its fiber's last.
    reg  [2:0] asked = 3'd0;
    reg  [2:0] come  = 3'd0;
    reg  [2:0] gone  = 3'd0;
    reg  [7:0] last  = 8'd0;
    wire [2:0] held  = asked - gone;
    wire [2:0] owed  = asked - come;
    wire [2:0] ahead = come - gone;
    wire       there = ahead != 3'd0 && !(ahead[2] && ahead[1:0] != 2'd0);
    wire [2:0] g1 = gone + 3'd1;
    wire [2:0] g2 = gone + 3'd2;
    wire [2:0] g3 = gone + 3'd3;
    wire [3:0] ends_at = {last[g3] && held > 3'd3, last[g2] && held > 3'd2, last[g1] && held > 3'd1,
                          last[gone] && held > 3'd0};

    // The newest fiber while it is being asked for: how many coordinates it has from its next pair on.
    reg        more = 1'b0;
    reg  [2+WIDE:0] rest;
    assign current = more && ends_at == 4'd0 && at_hand;
    wire [2+WIDE:0] left = more ? rest : left_of;
    always @* begin
        assume (started || !store);
        assume (!reserve || left != {(3+WIDE){1'b0}});
        // Two requests under way; an answer comes after its note.
        assume (!reserve || owed < 3'd2);
        assume (!store || owed > {2'd0, note});
        // While a list is at hand whose pairs are asked for, that is told.
        assume (!drop || current == (more && ends_at == 4'd0));
        assume (!leap || (current && left_of != {(3+WIDE){1'b0}} && left_of <= rest));
        // The last pair of a fiber goes with the fiber.
        assume (!through || drop || !here || !last[gone]);
    end

    wire all = (drop && current) || leap;
    wire [2:0] behind = ends_at[0] ? g1 : ends_at[1] ? g2 : ends_at[2] ? g3 : gone + 3'd4;
    // What is known of the one that is watched.
    reg  [2+WIDE:0] w_place, w_left;
    reg  [2*G-1:0] w_pair;
    reg        was_low, was_capped, was_cap;
    reg        left_now = 1'b1;
    always @(posedge clk) begin
        was_low    <= lowest;
        was_capped <= capped;
        was_cap    <= cap;
        left_now   <= !started || leave;
        note       <= reserve;
        note_place <= place_of;
        note_left  <= left;
        if (started) begin
            if (reserve) begin
                last[asked] <= left <= PAIR;
                if (asked == who)
                    {w_place, w_left} <= {place_of, left};
            end
            if (store && come == who)
                w_pair <= came;
            asked <= asked + {2'd0, reserve};
            come  <= come + {2'd0, store};
            gone  <= all ? asked + {2'd0, reserve} : drop ? behind : sweep ? come : through && here ? g1 : gone;
            if (drop && current)
                more <= 1'b0;
            else if (leap)
                rest <= left_of;
            else if (reserve) begin
                more <= left > PAIR;
                rest <= left - PAIR;
            end
        end
    end

    // In which lane its fiber ends, if it does; the largest coordinates of both groups are compared.
    wire       mine  = here && gone == who;
    wire [2+WIDE:0] lane = w_left - {{(2+WIDE){1'b0}}, 1'b1};
    wire       over  = w_left <= PAIR;
    wire       over0 = over && !lane[WIDE];
    wire       over1 = over && lane[WIDE];
    wire       top0  = w_pair[G-1];
    wire       top1  = w_pair[2*G-1];
    samhw_kept #(.W(5+2*G+2*WIDE)) front (
        .clk(clk), .started(started), .valid(here), .ready(through || sweep || leap), .beat({pair, place, ends}));
    samhw_soon #(.MOST(3)) shown (.clk(clk), .started(started), .waits(there && !here && !leap));
    samhw_soon #(.MOST(4)) room (.clk(clk), .started(started), .waits(held == 3'd0 && owed == 3'd0 && !credit));

    always @*
        if (started) begin
            assert (!here || there);
            assert (!mine || (place == w_place && pair == w_pair && ends == {over0, lane[WIDE:0] & {(WIDE+1){over}}}));
            assert (!mine || left_now || (low[0] == (top0 < was_low) && low[1] == (top1 < was_low)));
            assert (!mine || closes[0] == (over0 || (!left_now && was_capped && top0 >= was_cap)));
            assert (!mine || closes[1] == (over1 || (!left_now && was_capped && top1 >= was_cap)));
            assert (!left_now || !here || low == 2'd0);
            assert (!some || (there && (!here || ahead != 3'd1)));
            assert (held <= 3'd4 && !(credit && held == 3'd4));
        end

endmodule

`default_nettype wire
