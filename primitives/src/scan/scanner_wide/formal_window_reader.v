// SPDX-License-Identifier: Apache-2.0
//
// Proof: each fiber becomes groups of two coordinates, all full but its last, with the position of the first,
// in order, the coordinates being what the memory answers, whatever and whenever that is; the lane beyond the
// last coordinate repeats it; a fiber without any is an empty list. Of what a canonical stream of references
// gives it makes a canonical stream; what is offered stays until it is taken; requests are one for each
// group, of its place. With a memory that answers and a consumer that takes, a beat leaves in time.
// by: reachability
// mutant samhw_window_reader: more <= fill && behind != {GRP_W{1'b0}}; => more <= fill;
// mutant samhw_window_reader: more <= rest != STEP; => more <= 1'b0;
// mutant samhw_window_reader: wire beyond = last && b_lane < LANE; => wire beyond = b_lane < LANE;
// mutant samhw_window_reader: wire              fill  = in_list && in_begin != in_end;
//     => wire              fill  = in_list;
// mutant samhw_window_reader: wire take  = b_valid && (c_valid || !b_list) && ready; => wire take  = b_valid && ready;
// mutant samhw_window_reader: last ? b_stop : NO_STOP, => b_stop,
// mutant samhw_window_reader: assign in_ready = free && room && !more; => assign in_ready = free && !more;
`default_nettype none

module formal_window_reader (
    input wire       clk,
    input wire       ref_valid,
    input wire [5:0] ref_beat,
    input wire [2:0] from,
    input wire [2:0] to,
    input wire       crd_req_ready,
    input wire       crd_rsp_valid,
    input wire [3:0] crd_rsp_beat,
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

    wire        ref_ready;
    wire        crd_req_valid;
    wire [3:0]  crd_req_beat;
    wire        crd_rsp_ready;
    wire        out_valid;
    wire [11:0] out_beat;
    samhw_window_reader #(.REF_W(3), .CRD_W(2), .STOP_W(2), .QUEUE_LOG2(1), .WIDE_LOG2(1)) dut (
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

    // Answers that the memory still owes.
    reg  [2:0] open = 3'd0;
    always @(posedge clk)
        open <= open + {2'd0, ask} - {2'd0, answer};
    wire       legal;
    wire       o_legal;
    samhw_rules #(.DEPTH(1), .STOP_W(2), .W(2)) rules (
        .clk(clk), .rst(rst), .take(take), .beat(ref_beat), .legal(legal), .state(), .after());
    samhw_rules #(.DEPTH(2), .STOP_W(2), .W(2)) o_rules (
        .clk(clk), .rst(rst), .take(give), .beat({out_beat[11:8], out_beat[1:0]}), .legal(o_legal), .state(), .after());
    samhw_steady #(.W(4)) steady (
        .clk(clk), .started(started), .valid(crd_rsp_valid), .ready(crd_rsp_ready), .beat(crd_rsp_beat));
    always @* begin
        assume (!ref_valid || (legal && (!list || from <= to)));
        assume (!crd_rsp_valid || open != 3'd0);
        // A memory of three requests.
        assume (!crd_req_ready || open < 3'd3);
    end

    // Groups that are still to be asked for.
    wire       more;
    wire [2:0] where_;
    wire [2:0] lack;
    samhw_fibers #(.W(3), .STOP_W(2), .DEPTH(1)) asked (
        .clk(clk), .started(started), .put(take && fill), .list(1'b1), .stop(2'd0), .hole(2'd0), .first(from),
        .len(to - from),
        .step(ask), .many(lack > 3'd2 ? 3'd2 : lack),
        .any(more), .kind(), .stop_at(), .hole_at(), .place(where_), .left(lack));
    samhw_kept #(.W(4)) kept (
        .clk(clk), .started(started), .valid(crd_req_valid), .ready(crd_req_ready), .beat(crd_req_beat));
    samhw_kept #(.W(12)) out_kept (
        .clk(clk), .started(started), .valid(out_valid), .ready(out_ready), .beat(out_beat));

    // The fibers that are not through; what was answered last is in the beat on offer.
    wire       any;
    wire [1:0] kind;
    wire [1:0] stop_at;
    wire [1:0] hole_at;
    wire [2:0] place;
    wire [2:0] left;
    wire       two = left > 3'd1;
    samhw_fibers #(.W(3), .STOP_W(2), .DEPTH(3)) fibers (
        .clk(clk), .started(started), .put(take), .list(fill), .stop(stop), .hole(hole), .first(from), .len(to - from),
        .step(give), .many({1'b0, two, !two}),
        .any(any), .kind(kind), .stop_at(stop_at), .hole_at(hole_at), .place(place), .left(left));
    reg  [3:0] crd;
    always @(posedge clk)
        if (answer)
            crd <= crd_rsp_beat;
    wire       all = crd_req_ready && crd_rsp_valid == (open != 3'd0);
    samhw_soon #(.MOST(3)) given (.clk(clk), .started(started), .waits(any && !out_valid && all));
    samhw_soon #(.MOST(4)) taken (.clk(clk), .started(started), .waits(ref_valid && !ref_ready && !out_valid && all));

    always @*
        if (started) begin
            assert (!crd_req_valid || (more && crd_req_beat == {1'b0, where_}));
            assert (!out_valid || any);
            assert (!answer || !out_valid || out_ready);
            assert (!out_valid || out_beat == {kind, stop_at,
                kind[1] ? {6'd0, hole_at} : {place, two, two ? crd[3:2] : crd[1:0], crd[1:0]}});
            assert (!out_valid || o_legal);
        end

endmodule

`default_nettype wire
