// SPDX-License-Identifier: Apache-2.0
//
// Proof: answer k is what note k says: stored; a probe's if it is neither stored nor has the fiber's last
// coordinate. The last coordinate, which is in the lane where the fiber ends, is told with the fiber's
// number, once and in order, unless another one waits to be told; what is told stays until it is taken.
// by: reachability
// case one: WIDE=0
// case groups: WIDE=1
// mutant samhw_skip_answers: wire tell = rsp_valid && m_has && (!last_valid || last_ready);
//     => wire tell = rsp_valid && m_has;
// mutant samhw_skip_answers: assign probe = rsp_valid && !m_store && !m_has; => assign probe = rsp_valid && !m_store;
// mutant samhw_skip_answers: lane | {LANE_W{note_tail}} => lane
// mutant samhw_skip_answers: left[LANE_W-1:0] - ONE; => left[LANE_W-1:0];
// mutant samhw_skip_answers: !(left[LANE_W] && left[LANE_W-1:0] != 0); => !left[LANE_W];
`default_nettype none

module formal_skip_answers #(
    parameter WIDE = 0
) (
    input wire                clk,
    input wire                note_valid,
    input wire                store_it,
    input wire                tail,
    input wire                tells,
    input wire [1:0]          tag,
    input wire [3:0]          left,
    input wire                rsp_valid,
    input wire [(4<<WIDE)-1:0] rsp_beat,
    input wire                last_ready
);

    localparam [3:0] PAIR = 4'd2 << WIDE;

    reg started = 1'b0;
    always @(posedge clk)
        started <= 1'b1;
    wire rst = !started;

    wire       note = started && note_valid;
    wire       rsp  = started && rsp_valid;
    wire       store;
    wire       probe;
    wire       last_valid;
    wire [4:0] last_beat;
    samhw_skip_answers #(.CRD_W(2), .REF_W(4), .TAG_W(2), .OPEN_LOG2(1), .WIDE_LOG2(WIDE)) dut (
        .clk(clk), .rst(rst),
        .note_valid(note), .note_store(store_it), .note_tail(tail), .note_tells(tells), .note_tag(tag),
        .note_left(left),
        .rsp_valid(rsp), .rsp_beat(rsp_beat), .store(store), .probe(probe),
        .last_valid(last_valid), .last_ready(last_ready), .last_beat(last_beat)
    );

    // Notes whose answers are to come, the oldest lowest: whether it is stored, whether it has the last
    // coordinate, in which lane, the number.
    reg  [1:0]  count = 2'd0;
    reg  [11:0] notes;
    wire        has   = tail || (tells && left <= PAIR);
    wire [3:0]  at    = tail ? PAIR - 4'd1 : left - 4'd1;
    wire [5:0]  new_  = {store_it, has, at[1:0], tag};
    wire [1:0]  rest  = count - {1'b0, rsp};
    wire [11:0] kept  = rsp ? notes >> 6 : notes;
    always @(posedge clk)
        if (started) begin
            count <= rest + {1'b0, note};
            notes <= !note ? kept : rest == 2'd0 ? {6'd0, new_} : {new_, kept[5:0]};
        end
    always @* begin
        assume (!rsp || count != 2'd0);
        assume (!note || count != 2'd2);
        // A request has coordinates; the last coordinates are a pair.
        assume (!note || (left != 4'd0 && !(tail && (store_it || tells))));
    end

    wire [2:0] owed;
    wire       tell = rsp && notes[4] && (owed == 3'd0 || last_ready);
    samhw_owed #(.W(5), .DEPTH(1)) lasts (
        .clk(clk), .started(started), .put(tell), .beat({rsp_beat[notes[3:2]*2 +: 2], 1'b0, notes[1:0]}),
        .valid(last_valid), .ready(last_ready), .given(last_beat), .count(owed));

    always @*
        if (started) begin
            assert (last_valid == (owed != 3'd0));
            assert (store == (rsp && notes[5]));
            assert (probe == (rsp && !notes[5] && !notes[4]));
        end

endmodule

`default_nettype wire
