// SPDX-License-Identifier: Apache-2.0
//
// Proof: each fiber becomes its coordinates with their positions, in order, the coordinates being what the
// memory answers, whatever and whenever that is; one without any an empty list. Of what a canonical stream of
// references gives it makes a canonical stream; what is offered stays until it is taken, requests are one for
// each fiber that is not empty, of its bounds. With a memory that answers and a consumer that takes, a beat
// leaves in time. Backwards the last coordinate comes first, and each has a request of its own.
// by: reachability
// case forth: BACK=0
// case back: BACK=1
// mutant samhw_fiber_reader: wire             fill   = in_list && in_begin != in_end;
//     => wire             fill   = in_list;
// mutant samhw_fiber_reader: assign b_pop = take && last; => assign b_pop = take;
// mutant samhw_fiber_reader: crd_req_valid <= asking || (bound && fill);
//     => crd_req_valid <= asking || (bound && in_list);
// mutant of back samhw_fiber_reader: left <= fill ? in_len - NEXT : {REF_W{1'b0}};
//     => left <= fill ? in_len : {REF_W{1'b0}};
// mutant of back samhw_fiber_reader: (asking ? past : in_end) - NEXT => in_end - NEXT
// mutant of back samhw_fiber_reader: assign in_ready = room && crd_req_free && !asking;
//     => assign in_ready = room && crd_req_free;
// mutant of back samhw_fiber_reader: BACK != 0 ? b_len - count : place => BACK != 0 ? b_len - place : place
// mutant samhw_fiber_reader: wire              valid = b_valid && (c_valid || !b_list);
//     => wire              valid = b_valid;
// mutant samhw_fiber_reader: wire [STOP_W-1:0] stop  = last ? b_stop : NO_STOP;
//     => wire [STOP_W-1:0] stop  = b_stop;
`default_nettype none

module formal_fiber_reader #(
    parameter BACK = 0
) (
    input wire       clk,
    input wire       ref_valid,
    input wire [5:0] ref_beat,
    input wire [1:0] from,
    input wire [1:0] to,
    input wire       crd_req_ready,
    input wire       crd_rsp_valid,
    input wire [1:0] crd_rsp_beat,
    input wire       out_ready
);

    reg started = 1'b0;
    always @(posedge clk)
        started <= 1'b1;
    wire rst = !started;

    // As samhw_ref_skid gives the references of lists of depth 1.
    wire [1:0] r_kind = ref_beat[5:4];
    wire       list   = r_kind == 2'd0;
    wire [1:0] stop   = r_kind == 2'd3 ? 2'd0 : ref_beat[3:2] + 2'd1;
    wire [1:0] hole   = r_kind == 2'd3 ? 2'd0 : r_kind == 2'd2 ? ref_beat[1:0] + 2'd1 : 2'd1;

    wire       ref_ready;
    wire       crd_req_valid;
    wire [3:0] crd_req_beat;
    wire       crd_rsp_ready;
    wire       out_valid;
    wire [7:0] out_beat;
    samhw_fiber_reader #(.REF_W(2), .CRD_W(2), .STOP_W(2), .QUEUE_LOG2(1), .BACK(BACK)) dut (
        .clk(clk), .rst(rst),
        .in_valid(ref_valid), .in_ready(ref_ready), .in_list(list), .in_stop(stop), .in_hole(hole), .in_begin(from),
        .in_end(to),
        .crd_req_valid(crd_req_valid), .crd_req_ready(crd_req_ready), .crd_req_beat(crd_req_beat),
        .crd_rsp_valid(crd_rsp_valid), .crd_rsp_ready(crd_rsp_ready), .crd_rsp_beat(crd_rsp_beat),
        .out_valid(out_valid), .out_ready(out_ready), .out_beat(out_beat)
    );
    wire       take   = started && ref_valid && ref_ready;
    wire       give   = started && out_valid && out_ready;
    wire       ask    = started && crd_req_valid && crd_req_ready;
    wire       answer = started && crd_rsp_valid && crd_rsp_ready;
    wire       fill   = list && from != to;

    // Words that the memory still owes.
    reg  [3:0] open = 4'd0;
    always @(posedge clk)
        open <= open + (ask ? {2'd0, crd_req_beat[3:2]} : 4'd0) - {3'd0, answer};
    wire       legal;
    wire       o_legal;
    samhw_rules #(.DEPTH(1), .STOP_W(2), .W(2)) rules (
        .clk(clk), .rst(rst), .take(take), .beat(ref_beat), .legal(legal), .state(), .after());
    samhw_rules #(.DEPTH(2), .STOP_W(2), .W(2)) o_rules (
        .clk(clk), .rst(rst), .take(give), .beat({out_beat[7:4], out_beat[1:0]}), .legal(o_legal), .state(), .after());
    samhw_steady #(.W(2)) steady (
        .clk(clk), .started(started), .valid(crd_rsp_valid), .ready(crd_rsp_ready), .beat(crd_rsp_beat));
    always @* begin
        assume (!ref_valid || (legal && (!list || from <= to)));
        assume (!crd_rsp_valid || open != 4'd0);
    end

    // Positions that fall are complements of positions that rise.
    wire [1:0] first = BACK != 0 ? 2'd0 - to : from;
    generate
        if (BACK != 0) begin : g_back
            wire       more;
            wire [1:0] next;
            samhw_fibers #(.W(2), .STOP_W(2), .DEPTH(1)) asked (
                .clk(clk), .started(started), .put(take && fill), .list(1'b1), .stop(2'd0), .hole(2'd0),
                .first(first), .len(to - from), .step(ask), .many(2'd1),
                .any(more), .kind(), .stop_at(), .hole_at(), .place(next), .left());
            always @*
                if (started) begin
                    assert (crd_req_valid == more);
                    assert (!more || crd_req_beat == {2'd1, ~next});
                end
        end else begin : g_forth
            wire [2:0] asks;
            samhw_owed #(.W(4), .DEPTH(1)) asked (
                .clk(clk), .started(started), .put(take && fill), .valid(crd_req_valid), .ready(crd_req_ready),
                .given(crd_req_beat), .beat({to - from, from}), .count(asks));
            always @*
                if (started)
                    assert (crd_req_valid == (asks != 3'd0));
        end
    endgenerate

    // The fibers that are not through; the word that was answered last is in the beat on offer.
    wire       any;
    wire [1:0] kind;
    wire [1:0] stop_at;
    wire [1:0] hole_at;
    wire [1:0] place;
    wire [1:0] left;
    samhw_fibers #(.W(2), .STOP_W(2), .DEPTH(3)) fibers (
        .clk(clk), .started(started), .put(take), .list(fill), .stop(stop), .hole(hole), .first(first), .len(to - from),
        .step(give), .many(2'd1),
        .any(any), .kind(kind), .stop_at(stop_at), .hole_at(hole_at), .place(place), .left(left));
    reg  [1:0] crd;
    always @(posedge clk)
        if (answer)
            crd <= crd_rsp_beat;
    wire       all = crd_req_ready && crd_rsp_valid == (open != 4'd0);
    samhw_soon #(.MOST(3)) given (.clk(clk), .started(started), .waits(any && !out_valid && all));
    samhw_soon #(.MOST(3)) taken (.clk(clk), .started(started), .waits(ref_valid && !ref_ready && !out_valid && all));

    always @*
        if (started) begin
            assert (!out_valid || any);
            assert (!answer || !out_valid || out_ready);
            assert (!out_valid
                || out_beat == {kind, stop_at, kind[1] ? {2'd0, hole_at} : {BACK != 0 ? ~place : place, crd}});
            assert (!out_valid || o_legal);
        end

endmodule

`default_nettype wire
