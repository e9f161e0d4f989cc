// SPDX-License-Identifier: Apache-2.0
//
// Proof: of each fiber groups are given in order, none twice, as they stand in the front, with their position
// and, where the fiber ends in them, how many they have. A group of the front that is not given was low, or
// its pair was passed over, or the fiber has ended. The last group of a fiber is always given, with the
// fiber's stop; a group before it has that only if it was high or nothing else was needed, no group has it
// otherwise, and behind it nothing is given. What is no list is given as it is. What is offered stays until
// it is taken; with a consumer that takes, the front moves in every cycle.
// by: reachability
// case one: WIDE=0
// case groups: WIDE=1
// mutant samhw_skip_give: wire             both     = !second && low == 2'd3 && !end1 && !last;
//     => wire             both     = !second && low != 2'd0 && !end1 && !last;
// mutant samhw_skip_give: wire             last     = over || (second ? closes[1] : closes[0]);
//     => wire             last     = over || closes[1];
// mutant samhw_skip_give: wire             last     = over || (second ? closes[1] : closes[0]);
//     => wire             last     = second ? closes[1] : closes[0];
// mutant samhw_skip_give: second ? free || low[1] : low == 2'd3 && !end1; => second ? 1'b1 : low == 2'd3 && !end1;
// mutant samhw_skip_give: (free || (left_out && !last)) => 1'b1
// mutant samhw_skip_give: second <= !second && !both; => second <= !second;
// mutant samhw_skip_give: leave ? item_stop : NO_STOP => item_stop
// mutant samhw_skip_give: if (leave || passed) => if (leave)
`default_nettype none

module formal_skip_give #(
    parameter WIDE = 0
) (
    input wire                 clk,
    input wire                 item_valid,
    input wire                 item_list,
    input wire [1:0]           item_stop,
    input wire [1:0]           item_hole,
    input wire                 over,
    input wire                 here,
    input wire [(4<<WIDE)-1:0] pair,
    input wire [2:0]           place,
    input wire [WIDE+1:0]      ends,
    input wire [1:0]           low,
    input wire [1:0]           high,
    input wire                 passed,
    input wire                 out_ready
);

    localparam G   = 2 << WIDE;
    localparam W   = 4 + 3 + WIDE + G;

    reg started = 1'b0;
    always @(posedge clk)
        started <= 1'b1;
    wire rst = !started;

    wire         end0 = ends[WIDE+1];
    wire         end1 = ends[WIDE];
    wire         through;
    wire         leave;
    wire         drop;
    wire         out_valid;
    wire [W-1:0] out_beat;
    samhw_skip_give #(.CRD_W(2), .REF_W(3), .STOP_W(2), .WIDE_LOG2(WIDE)) dut (
        .clk(clk), .rst(rst),
        .item_valid(item_valid && started), .item_list(item_list), .item_stop(item_stop), .item_hole(item_hole),
        .over(over),
        .here(here), .pair(pair), .place(place), .ends(ends), .low(low), .closes(high | {end1, end0}), .passed(passed),
        .through(through), .leave(leave), .drop(drop),
        .out_valid(out_valid), .out_ready(out_ready), .out_beat(out_beat)
    );
    samhw_kept #(.W(W)) kept (.clk(clk), .started(started), .valid(out_valid), .ready(out_ready), .beat(out_beat));

    // The item stays until it leaves, the front until it is through or passed over; a fiber ends in one of
    // its groups, and groups behind it are not there.
    samhw_steady #(.W(5)) item (
        .clk(clk), .started(started), .valid(item_valid), .ready(leave), .beat({item_list, item_stop, item_hole}));
    samhw_steady #(.W(3 + (4 << WIDE) + WIDE + 2)) front (
        .clk(clk), .started(started), .valid(here), .ready(through || passed || drop), .beat({pair, place, ends}));
    always @* begin
        assume (!(end0 && end1));
        // A stop tells the list's end; DONE has none.
        assume (!item_list || item_stop != 2'd0);
    end

    // A cycle later the beat that was made is in the register.
    reg                 old = 1'b0;
    reg                 was_free, was_list, was_over, was_through, was_leave, was_drop, was_passed, was_item, was_end0,
                        was_end1;
    reg [1:0]           was_stop, was_hole, was_low, was_high;
    reg [(4<<WIDE)-1:0] was_pair;
    reg [2:0]           was_place;
    reg [WIDE:0]        was_lane;
    always @(posedge clk) begin
        old         <= started;
        was_free    <= !out_valid || out_ready;
        was_item    <= item_valid && (here || !item_list);
        was_list    <= item_list;
        was_over    <= over;
        was_through <= through && here;
        was_leave   <= leave;
        was_drop    <= drop;
        was_passed  <= passed;
        was_stop    <= item_stop;
        was_hole    <= item_hole;
        was_low     <= low;
        was_high    <= high;
        was_pair    <= pair;
        was_place   <= place;
        was_end0    <= end0;
        was_end1    <= end1;
        was_lane    <= {1'b0, ends} & {(WIDE+1){1'b1}};
    end
    wire         made  = old && was_free && out_valid;
    wire         list  = made && was_list;
    wire [1:0]   stop  = out_beat[W-3 -: 2];
    wire [2:0]   first = out_beat[G+WIDE +: 3];
    wire [G-1:0] group = out_beat[G-1:0];
    wire [2:0]   upper = was_place + (3'd1 << WIDE);
    wire         is0   = list && first == was_place;
    wire         is1   = list && first == upper && !is0;
    wire         is_end = is0 ? was_end0 : was_end1;

    // What was done with either group of the front before, and whether it was low.
    reg  [1:0]   done   = 2'd0;
    reg  [1:0]   lows   = 2'd0;
    wire [1:0]   given  = done | {is1, is0 || is1};
    wire [1:0]   unused = lows | was_low;
    always @(posedge clk)
        if (old) begin
            done <= was_through || was_passed || was_drop ? 2'd0 : given;
            lows <= was_through || was_passed || was_drop || !was_item || !was_list ? 2'd0 : unused;
        end

    // Lanes of the group that is given: beyond the fiber's last coordinate that is repeated.
    wire [G-1:0] raw  = is0 ? was_pair[G-1:0] : was_pair[2*G-1:G];
    wire [G-1:0] want = WIDE == 0 || !is_end || was_lane[0] ? raw : {raw[1:0], raw[1:0]};

    samhw_soon #(.MOST(2)) moved (
        .clk(clk), .started(started),
        .waits(item_valid && (here || !item_list) && !through && !leave && !passed && out_ready));

    always @*
        if (old) begin
            assert (!made || was_item);
            assert (!(made && !list) || (was_leave && out_beat == {1'b1, was_stop == 2'd0, was_stop, {(3+WIDE){1'b0}},
                {(G-2){1'b0}}, was_hole}));
            assert (!list || out_beat[W-1 -: 2] == 2'd0);
            assert (!list || is0 || is1);
            assert (!list || group == want);
            assert (!list || WIDE == 0 || out_beat[G +: (WIDE == 0 ? 1 : WIDE)] == (is_end ? was_lane[0] : 1'b1));
            // In order, and none twice; the upper one only if there is one.
            assert (!is0 || done == 2'd0);
            assert (!is1 || (!done[1] && !was_end0 && (done[0] || unused[0])));
            // The front goes when both groups are given or were low; the last one is given.
            assert (!was_through || was_leave
                    || ((given[0] || unused[0]) && (given[1] || unused[1]) && !was_end0 && !was_end1));
            // The end.
            assert (!was_leave || made);
            assert (!list || stop == (was_leave ? was_stop : 2'd0));
            assert (!(list && was_leave) || is_end || was_over || (is0 ? was_high[0] : was_high[1]));
            assert (!list || was_leave || (!is_end && !was_over && (is0 ? !was_high[0] : !was_high[1] || was_low[1])));
        end

    always @*
        if (started)
            assert (drop == (leave && item_list));

endmodule

`default_nettype wire
