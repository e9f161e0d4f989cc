// SPDX-License-Identifier: Apache-2.0
//
// Proof: each reference becomes the places of all words that were written, in order and each once, the coordinates
// being what the memory answers, whatever and whenever that is; no place is asked for before it is known whether
// another follows, and the last one has the list's stop; one without any is an empty list. Of a canonical stream of
// references it makes a canonical stream. What is offered stays until it is taken. With a memory that answers and a
// consumer that takes, a beat leaves in time, and a place that is known is asked for in time.
// by: reachability
// probe goes = dut.go
// mutant samhw_scanner_growing: wire             three   = (left >> 2) != NOTHING || &left[1:0];
//     => wire             three   = left[1];
// mutant samhw_scanner_growing: (two || (complete && some)) => (two || some)
// mutant samhw_scanner_growing: r_list && complete && !some => r_list && !some
// mutant samhw_scanner_growing: place <= last ? {REF_W{1'b0}} : => place <=
// mutant samhw_scanner_growing: else if (asks && last) begin => else if (1'b0) begin
// mutant samhw_scanner_growing: two  <= some; => two  <= 1'b1;
// mutant samhw_scanner_growing: asks && !written_valid => asks
// mutant samhw_scanner_growing: element && !last ? NONE : r_stop => r_stop
// mutant samhw_scanner_growing: (element ? last : none || !r_list) => (element || none || !r_list)
// mutant samhw_scanner_growing: crd_req_valid <= asks; => crd_req_valid <= go;
// mutant samhw_scanner_growing: assign d_pop = emit && load; => assign d_pop = emit;
// mutant samhw_scanner_growing: q_valid && (d_valid || !load) => q_valid
// mutant samhw_scanner_growing: else if (emit || out_ready) => else if (emit)
// mutant samhw_progress: if (begin_valid && begin_ready) => if (1'b0)
`default_nettype none

module formal_scanner_growing (
    input wire       clk,
    input wire       ref_valid,
    input wire [5:0] ref_beat,
    input wire       begin_valid,
    input wire       written_valid,
    input wire       finished_valid,
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

    // Words that are written, at most three, and whether all are.
    reg  [1:0] words    = 2'd0;
    reg        complete = 1'b0;

    wire       ref_ready, begin_ready, written_ready, finished_ready, crd_rsp_ready;
    wire       crd_req_valid, out_valid, begun_valid, begun_beat, opened_valid, opened_beat;
    wire [1:0] crd_req_beat;
    wire [7:0] out_beat;
    samhw_scanner_growing #(.REF_IN_W(2), .REF_W(2), .CRD_W(2), .STOP_W(2), .QUEUE_LOG2(1)) dut (
        .clk(clk), .rst(rst),
        .ref_valid(ref_valid), .ref_ready(ref_ready), .ref_beat(ref_beat),
        .begin_valid(begin_valid), .begin_ready(begin_ready), .begin_beat(1'b0),
        .written_valid(written_valid), .written_ready(written_ready), .written_beat({2'd0, words}),
        .finished_valid(finished_valid), .finished_ready(finished_ready), .finished_beat(1'b0),
        .crd_rsp_valid(crd_rsp_valid), .crd_rsp_ready(crd_rsp_ready), .crd_rsp_beat(crd_rsp_beat),
        .crd_req_valid(crd_req_valid), .crd_req_ready(crd_req_ready), .crd_req_beat(crd_req_beat),
        .out_valid(out_valid), .out_ready(out_ready), .out_beat(out_beat),
        .begun_valid(begun_valid), .begun_ready(1'b1), .begun_beat(begun_beat),
        .opened_valid(opened_valid), .opened_ready(1'b1), .opened_beat(opened_beat)
    );
    wire take   = started && ref_valid && ref_ready;
    wire give   = started && out_valid && out_ready;
    wire ask    = started && crd_req_valid && crd_req_ready;
    wire answer = started && crd_rsp_valid && crd_rsp_ready;
    wire begins = started && begin_valid && begin_ready;
    wire ends   = started && finished_valid && finished_ready;

    // As samhw_ref_skid gives the references of a stream of depth 1.
    wire [1:0] r_kind = ref_beat[5:4];
    wire       list   = r_kind == 2'd0;
    wire [1:0] stop   = r_kind == 2'd3 ? 2'd0 : ref_beat[3:2] + 2'd1;
    wire [1:0] hole   = r_kind == 2'd3 ? 2'd0 : r_kind == 2'd2 ? ref_beat[1:0] + 2'd1 : 2'd1;

    wire [2:0] beats;
    reg  [1:0] place = 2'd0;
    reg  [2:0] open  = 3'd0;  // answers that the memory still owes
    wire       legal;
    wire       o_legal;
    samhw_rules #(.DEPTH(1), .STOP_W(2), .W(2)) rules (
        .clk(clk), .rst(rst), .take(take), .beat(ref_beat), .legal(legal), .state(), .after());
    samhw_rules #(.DEPTH(2), .STOP_W(2), .W(2)) o_rules (
        .clk(clk), .rst(rst), .take(give), .beat({out_beat[7:4], out_beat[1:0]}), .legal(o_legal), .state(), .after());
    samhw_steady #(.W(6)) ref_steady (
        .clk(clk), .started(started), .valid(ref_valid), .ready(ref_ready), .beat(ref_beat));
    samhw_steady #(.W(2)) steady (
        .clk(clk), .started(started), .valid(crd_rsp_valid), .ready(crd_rsp_ready), .beat(crd_rsp_beat));
    always @* begin
        assume (!ref_valid || legal);
        assume (!crd_rsp_valid || open != 3'd0);
        // Who begins again has nothing under way; a writer that has finished writes nothing.
        assume (!begin_valid || (!ref_valid && beats == 3'd0 && !written_valid && !finished_valid));
        assume (!written_valid || (!complete && words != 2'd3));
        assume (!finished_valid || !complete);
    end

    wire [2:0] next    = {1'b0, place} + 3'd1;
    wire       further = next < {1'b0, words};
    wire       last    = complete && next == {1'b0, words};
    wire       none    = complete && words == 2'd0;
    wire       known   = !list || further || last || none;
    wire       entry   = list && words != 2'd0;
    wire       step    = started && goes;
    always @(posedge clk)
        if (started) begin
            words    <= begins ? 2'd0 : words + {1'b0, written_valid};
            complete <= !begins && (complete || ends);
            open     <= open + {2'd0, ask} - {2'd0, answer};
            if (step && entry)
                place <= further ? next[1:0] : 2'd0;
        end

    wire [2:0] asked;
    samhw_owed #(.W(2), .DEPTH(1)) crds (
        .clk(clk), .started(started), .put(step && entry), .beat(place), .valid(crd_req_valid), .ready(crd_req_ready),
        .given(crd_req_beat), .count(asked));
    // Of an entry its place, of what is none its hole; the word that was answered last is in the beat on offer.
    wire [1:0] stop_at = list && further ? 2'd0 : stop;
    samhw_owed #(.W(6), .DEPTH(3)) owed (
        .clk(clk), .started(started), .put(step),
        .beat({!entry, !entry && stop == 2'd0, stop_at, entry ? place : hole}),
        .valid(out_valid), .ready(out_ready), .given({out_beat[7:4], out_beat[7] ? out_beat[1:0] : out_beat[3:2]}),
        .count(beats));
    reg  [1:0] crd;
    always @(posedge clk)
        if (answer)
            crd <= crd_rsp_beat;
    wire       all = crd_req_ready && crd_rsp_valid == (open != 3'd0);
    samhw_soon #(.MOST(4)) given (.clk(clk), .started(started), .waits(beats != 3'd0 && !out_valid && all));
    samhw_soon #(.MOST(4)) moved (
        .clk(clk), .started(started), .waits(ref_valid && known && !step && all && out_ready));

    always @*
        if (started) begin
            assert (!step || (ref_valid && known));
            assert (take == (step && !(list && further)));
            assert (crd_req_valid == (asked != 3'd0));
            assert (!answer || !out_valid || out_ready);
            assert (!out_valid || (out_beat[7] ? out_beat[3:2] == 2'd0 : out_beat[1:0] == crd));
            assert (!out_valid || o_legal);
        end

    wire _unused_ok = &{1'b0, written_ready, begun_valid, begun_beat, opened_valid, opened_beat, 1'b0};

endmodule

`default_nettype wire
