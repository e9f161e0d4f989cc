// SPDX-License-Identifier: Apache-2.0
//
// Proof: each list becomes the coordinates at its places, the first one, then those that the memory says
// follow, up to its end, in order and each once, the coordinates being what the memory answers, whatever and
// whenever that is; one without any an empty list. Of what a canonical stream of references gives it makes a
// canonical stream; requests are one for the coordinate of each place, and one for what follows each but a
// list's last. What is offered stays until it is taken. With memories that answer and a consumer that takes,
// a beat leaves in time.
// by: reachability
// probe goes = dut.go
// mutant samhw_list_reader: wire [REF_W-1:0] place = walks ? n_place : in_begin; => wire [REF_W-1:0] place = in_begin;
// mutant samhw_list_reader: wire             last  = !fill || place == end_;
//     => wire             last  = !fill || place == in_end;
// mutant samhw_list_reader: crd_free && (!walks || n_valid); => crd_free;
// mutant samhw_list_reader: next_req_valid <= go && !last; => next_req_valid <= go && fill;
// mutant samhw_list_reader: crd_req_valid <= go && fill; => crd_req_valid <= go;
// mutant samhw_list_reader: .in_data({fill, last ? in_stop : NO_STOP, in_hole, place}),
//     => .in_data({fill, in_stop, in_hole, place}),
// mutant samhw_list_reader: .out_ready(go && walks), => .out_ready(go),
// mutant samhw_list_reader: wire              take = b_valid && (c_valid || !b_entry)
//     => wire              take = b_valid
`default_nettype none

module formal_list_reader (
    input wire       clk,
    input wire       ref_valid,
    input wire [5:0] ref_beat,
    input wire [1:0] from,
    input wire [1:0] to,
    input wire       next_req_ready,
    input wire       next_rsp_valid,
    input wire [1:0] next_rsp_beat,
    input wire       crd_req_ready,
    input wire       crd_rsp_valid,
    input wire [1:0] crd_rsp_beat,
    input wire       out_ready,
    input wire       goes
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
    wire       next_req_valid;
    wire [1:0] next_req_beat;
    wire       next_rsp_ready;
    wire       crd_req_valid;
    wire [1:0] crd_req_beat;
    wire       crd_rsp_ready;
    wire       out_valid;
    wire [7:0] out_beat;
    samhw_list_reader #(.REF_W(2), .CRD_W(2), .STOP_W(2), .QUEUE_LOG2(1)) dut (
        .clk(clk), .rst(rst),
        .in_valid(ref_valid), .in_ready(ref_ready), .in_list(list), .in_stop(stop), .in_hole(hole), .in_begin(from),
        .in_end(to),
        .next_req_valid(next_req_valid), .next_req_ready(next_req_ready), .next_req_beat(next_req_beat),
        .next_rsp_valid(next_rsp_valid), .next_rsp_ready(next_rsp_ready), .next_rsp_beat(next_rsp_beat),
        .crd_req_valid(crd_req_valid), .crd_req_ready(crd_req_ready), .crd_req_beat(crd_req_beat),
        .crd_rsp_valid(crd_rsp_valid), .crd_rsp_ready(crd_rsp_ready), .crd_rsp_beat(crd_rsp_beat),
        .out_valid(out_valid), .out_ready(out_ready), .out_beat(out_beat)
    );
    wire take     = started && ref_valid && ref_ready;
    wire give     = started && out_valid && out_ready;
    wire fill     = list && from != to;
    wire asks     = started && next_req_valid && next_req_ready;
    wire follows  = started && next_rsp_valid && next_rsp_ready;
    wire ask      = started && crd_req_valid && crd_req_ready;
    wire answer   = started && crd_rsp_valid && crd_rsp_ready;

    // What follows a place lies behind it and before the list's end. Answers that the memories still owe.
    reg  [1:0] at    = 2'd0;
    reg  [1:0] nexts = 2'd0;
    reg  [2:0] open  = 3'd0;
    always @(posedge clk) begin
        if (started && asks)
            at <= next_req_beat;
        nexts <= nexts + {1'b0, asks} - {1'b0, follows};
        open  <= open + {2'd0, ask} - {2'd0, answer};
    end
    wire       legal;
    wire       o_legal;
    samhw_rules #(.DEPTH(1), .STOP_W(2), .W(2)) rules (
        .clk(clk), .rst(rst), .take(take), .beat(ref_beat), .legal(legal), .state(), .after());
    samhw_rules #(.DEPTH(2), .STOP_W(2), .W(2)) o_rules (
        .clk(clk), .rst(rst), .take(give), .beat({out_beat[7:4], out_beat[1:0]}), .legal(o_legal), .state(), .after());
    samhw_steady #(.W(10)) ref_steady (
        .clk(clk), .started(started), .valid(ref_valid), .ready(ref_ready), .beat({ref_beat, from, to}));
    samhw_steady #(.W(2)) next_steady (
        .clk(clk), .started(started), .valid(next_rsp_valid), .ready(next_rsp_ready), .beat(next_rsp_beat));
    samhw_steady #(.W(2)) steady (
        .clk(clk), .started(started), .valid(crd_rsp_valid), .ready(crd_rsp_ready), .beat(crd_rsp_beat));
    always @* begin
        assume (!ref_valid || (legal && (!list || from <= to)));
        assume (!next_rsp_valid || (nexts != 2'd0 && next_rsp_beat > at && next_rsp_beat < to));
        assume (!crd_rsp_valid || open != 3'd0);
    end

    // A step takes a place of the list at hand, the first or the one that follows, or what is no list.
    wire       step  = started && goes;
    reg        walks = 1'b0;
    wire [1:0] place = walks ? next_rsp_beat : from;
    wire [1:0] after = place + 2'd1;
    wire       last  = !fill || after == to;
    always @(posedge clk)
        if (step)
            walks <= !last;

    wire [2:0] asked;
    wire [2:0] nexts_asked;
    wire [2:0] beats;
    samhw_owed #(.W(2), .DEPTH(1)) crds (
        .clk(clk), .started(started), .put(step && fill), .beat(place), .valid(crd_req_valid), .ready(crd_req_ready),
        .given(crd_req_beat), .count(asked));
    samhw_owed #(.W(2), .DEPTH(1)) links (
        .clk(clk), .started(started), .put(step && !last), .beat(place), .valid(next_req_valid), .ready(next_req_ready),
        .given(next_req_beat), .count(nexts_asked));
    // Of an entry its place, of what is none its hole; the word that was answered last is in the beat on offer.
    wire [1:0] stop_at = last ? stop : 2'd0;
    samhw_owed #(.W(6), .DEPTH(3)) owed (
        .clk(clk), .started(started), .put(step), .beat({!fill, !fill && stop == 2'd0, stop_at, fill ? place : hole}),
        .valid(out_valid), .ready(out_ready), .given({out_beat[7:4], out_beat[7] ? out_beat[1:0] : out_beat[3:2]}),
        .count(beats));
    reg  [1:0] crd;
    always @(posedge clk)
        if (answer)
            crd <= crd_rsp_beat;
    wire       all = crd_req_ready && next_req_ready && crd_rsp_valid == (open != 3'd0)
                     && next_rsp_valid == (nexts != 2'd0);
    samhw_soon #(.MOST(4)) given (.clk(clk), .started(started), .waits(beats != 3'd0 && !out_valid && all));
    samhw_soon #(.MOST(4)) moved (.clk(clk), .started(started), .waits(ref_valid && !step && all && out_ready));

    always @*
        if (started) begin
            assert (!step || ref_valid);
            assert (take == (step && last));
            assert (follows == (step && walks));
            assert (crd_req_valid == (asked != 3'd0) && next_req_valid == (nexts_asked != 3'd0));
            assert (!answer || !out_valid || out_ready);
            assert (!out_valid || (out_beat[7] ? out_beat[3:2] == 2'd0 : out_beat[1:0] == crd));
            assert (!out_valid || o_legal);
        end

endmodule

`default_nettype wire
