// SPDX-License-Identifier: Apache-2.0
//
// Proof: each reference leaves once, in order, one level deeper, those of lists with the memory's answers to
// their requests in the order of the requests, whatever and whenever it answers; one request for each list,
// which stays until it is taken, as does what is offered. With a memory that answers and a consumer that
// takes, a beat leaves in time.
// with: samhw_segment_fetch
// by: reachability
// mutant samhw_segment_fetch: wire                r_pop = room && seg_req_free; => wire                r_pop = room;
// mutant samhw_segment_fetch: assign out_valid = a_valid && (s_valid || !out_list); => assign out_valid = a_valid;
// mutant samhw_segment_fetch: .out_valid(s_valid), .out_ready(pop && out_list),
//     => .out_valid(s_valid), .out_ready(pop),
// mutant samhw_segment_fetch: seg_req_valid <= fetch && r_list; => seg_req_valid <= fetch;
// mutant samhw_ref_skid: assign out_stop = kind == DONE ? NO_STOP : stop + ONE_UP; => assign out_stop = stop + ONE_UP;
// mutant samhw_ref_skid: wire [STOP_W-1:0] hole = kind == NIL ? out_ref[STOP_W-1:0] : NO_STOP;
//     => wire [STOP_W-1:0] hole = NO_STOP;
`default_nettype none

module formal_segment_fetch (
    input wire       clk,
    input wire       ref_valid,
    input wire [5:0] ref_beat,
    input wire       seg_req_ready,
    input wire       seg_rsp_valid,
    input wire [3:0] seg_rsp_beat,
    input wire       out_ready
);

    reg started = 1'b0;
    always @(posedge clk)
        started <= 1'b1;
    wire rst = !started;

    wire       ref_ready;
    wire       seg_req_valid;
    wire [1:0] seg_req_beat;
    wire       seg_rsp_ready;
    wire       out_valid;
    wire       list;
    wire [1:0] stop;
    wire [1:0] hole;
    wire [1:0] begin_;
    wire [1:0] end_;
    samhw_segment_fetch #(.REF_IN_W(2), .REF_W(2), .STOP_W(2), .QUEUE_LOG2(1)) dut (
        .clk(clk), .rst(rst),
        .ref_valid(ref_valid), .ref_ready(ref_ready), .ref_beat(ref_beat),
        .seg_req_valid(seg_req_valid), .seg_req_ready(seg_req_ready), .seg_req_beat(seg_req_beat),
        .seg_rsp_valid(seg_rsp_valid), .seg_rsp_ready(seg_rsp_ready), .seg_rsp_beat(seg_rsp_beat),
        .out_valid(out_valid), .out_ready(out_ready),
        .out_list(list), .out_stop(stop), .out_hole(hole), .out_begin(begin_), .out_end(end_)
    );
    wire take   = started && ref_valid && ref_ready;
    wire give   = started && out_valid && out_ready;
    wire ask    = started && seg_req_valid && seg_req_ready;
    wire answer = started && seg_rsp_valid && seg_rsp_ready;

    // Answers that the memory still owes.
    reg  [1:0] open = 2'd0;
    always @(posedge clk)
        open <= open + {1'b0, ask} - {1'b0, answer};
    wire [1:0] kind = ref_beat[5:4];
    wire       legal;
    samhw_rules #(.DEPTH(2), .STOP_W(2), .W(2)) rules (
        .clk(clk), .rst(rst), .take(take), .beat(ref_beat), .legal(legal), .state(), .after());
    samhw_steady #(.W(4)) steady (
        .clk(clk), .started(started), .valid(seg_rsp_valid), .ready(seg_rsp_ready), .beat(seg_rsp_beat));
    always @* begin
        assume (!ref_valid || legal);
        assume (!seg_rsp_valid || open != 2'd0);
    end

    wire [2:0] count;
    wire [2:0] asks;
    samhw_owed #(.W(5), .DEPTH(2)) owed (
        .clk(clk), .started(started), .put(take), .valid(out_valid), .ready(out_ready), .given({list, stop, hole}),
        .count(count),
        .beat({kind == 2'd0, kind == 2'd3 ? 4'd0 : {ref_beat[3:2] + 2'd1,
                                                    kind == 2'd2 ? ref_beat[1:0] + 2'd1 : 2'd1}}));
    samhw_owed #(.W(2), .DEPTH(1)) asked (
        .clk(clk), .started(started), .put(take && kind == 2'd0), .valid(seg_req_valid), .ready(seg_req_ready),
        .given(seg_req_beat), .beat(ref_beat[1:0]), .count(asks));
    samhw_soon #(.MOST(2)) given (
        .clk(clk), .started(started),
        .waits(count != 3'd0 && !out_valid && seg_req_ready && seg_rsp_valid == (open != 2'd0)));
    samhw_soon #(.MOST(2)) taken (
        .clk(clk), .started(started),
        .waits(ref_valid && !ref_ready && seg_req_ready && out_ready && seg_rsp_valid == (open != 2'd0)));

    always @*
        if (started) begin
            assert (seg_req_valid == (asks != 3'd0));
            assert (answer == (give && list));
            assert (!out_valid || !list || {end_, begin_} == seg_rsp_beat);
            assert (!out_valid || !list || seg_rsp_valid);
        end

endmodule

`default_nettype wire
