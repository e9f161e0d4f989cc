// SPDX-License-Identifier: Apache-2.0
//
// Proof: whatever hints come whenever, each fiber becomes its words with their positions, in order from its
// first one on, all of them unless a hint said over of this fiber while it was at hand, and at least one; then
// it ends with the first word that leaves after the hint. Its last word carries its stop; one without any is
// an empty list. Requests lie in the fiber's bounds, a part long at most. With a memory that answers and a
// consumer that takes, a beat leaves in time.
// by: reachability
// case words: PART_LOG2=0
// case parts: PART_LOG2=1
// probe emits = dut.u_parts.emit
// probe asks = dut.ask
// mutant samhw_exit_parts: enough = alone && (over || dropping) => enough = over || dropping
// mutant samhw_exit_parts: last  = whole || over; => last  = whole;
// mutant samhw_exit_parts: dropping <= !whole && (dropping || over); => dropping <= !whole && over;
// mutant samhw_exit_parts: assign word_ready = (emit || drop) && b_list; => assign word_ready = emit && b_list;
// mutant samhw_exit_parts: assign in_ready = !f_valid || (put && final_); => assign in_ready = !f_valid || put;
// mutant samhw_exit_parts: f_all  <= rest <= PART; => f_all  <= f_left <= PART;
// mutant samhw_exit_parts: alone <= ended && ends == MORE; => alone <= ended;
// mutant samhw_exit_parts: here  = b_valid && (word_valid || !b_list); => here  = b_valid;
// mutant of parts samhw_exit_parts: enough ? ONE : f_all ? f_left : PART => enough ? ONE : PART
// mutant of parts samhw_exit_parts: assign part_ends = after == b_len; => assign part_ends = place == b_len;
// mutant samhw_exit_reader: req_valid <= ask; => req_valid <= 1'b1;
`default_nettype none

module formal_exit_reader #(
    parameter PART_LOG2 = 0
) (
    input wire       clk,
    input wire       ref_valid,
    input wire [5:0] ref_beat,
    input wire [1:0] from,
    input wire [1:0] to,
    input wire       req_ready,
    input wire       rsp_valid,
    input wire       skip_valid,
    input wire [3:0] skip_beat,
    input wire       out_ready,
    input wire       emits,
    input wire       asks
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
    wire       req_valid;
    wire [3:0] req_beat;
    wire       rsp_ready;
    wire [1:0] rsp_beat;
    wire       out_valid;
    wire [7:0] out_beat;
    samhw_exit_reader #(
        .REF_W(2), .WORD_W(2), .STOP_W(2), .QUEUE_LOG2(1), .PART_LOG2(PART_LOG2), .TAG_W(2), .HINT_W(1)
    ) dut (
        .clk(clk), .rst(rst),
        .in_valid(ref_valid), .in_ready(ref_ready), .in_list(list), .in_stop(stop), .in_hole(hole), .in_begin(from),
        .in_end(to),
        .req_valid(req_valid), .req_ready(req_ready), .req_beat(req_beat),
        .rsp_valid(rsp_valid), .rsp_ready(rsp_ready), .rsp_beat(rsp_beat),
        .skip_valid(skip_valid), .skip_beat(skip_beat),
        .out_valid(out_valid), .out_ready(out_ready), .out_beat(out_beat)
    );
    wire       take   = started && ref_valid && ref_ready;
    wire       give   = started && out_valid && out_ready;
    wire       load   = started && emits;
    wire       ask    = started && req_valid && req_ready;
    wire       answer = started && rsp_valid && rsp_ready;
    wire       fill   = list && from != to;

    // A memory whose words are the complements of their addresses, one request after the other.
    reg  [1:0] left = 2'd0;
    reg  [1:0] at;
    wire       ends = left == 2'd0 || (left == 2'd1 && answer);
    assign rsp_beat = ~at;
    always @(posedge clk) begin
        if (ask) begin
            left <= req_beat[3:2];
            at   <= req_beat[1:0];
        end else if (answer) begin
            left <= left - 2'd1;
            at   <= at + 2'd1;
        end
    end
    wire       legal;
    wire       o_legal;
    samhw_rules #(.DEPTH(1), .STOP_W(2), .W(2)) rules (
        .clk(clk), .rst(rst), .take(take), .beat(ref_beat), .legal(legal), .state(), .after());
    samhw_rules #(.DEPTH(2), .STOP_W(2), .W(2)) o_rules (
        .clk(clk), .rst(rst), .take(give), .beat({out_beat[7:4], out_beat[1:0]}), .legal(o_legal), .state(), .after());
    samhw_steady #(.W(10)) ref_steady (
        .clk(clk), .started(started), .valid(ref_valid), .ready(ref_ready), .beat({ref_beat, from, to}));
    samhw_steady #(.W(1)) steady (
        .clk(clk), .started(started), .valid(rsp_valid), .ready(rsp_ready), .beat(1'b0));
    always @* begin
        assume (!ref_valid || (legal && (!list || from <= to)));
        assume (!req_ready || ends);
        assume (!rsp_valid || left != 2'd0);
    end

    // The fibers that are not through, and what hints said of the one at hand before this cycle.
    reg  [1:0] number = 2'd0;
    reg        over   = 1'b0;
    wire       any;
    wire [1:0] kind;
    wire [1:0] stop_at;
    wire [1:0] hole_at;
    wire [1:0] place;
    wire [1:0] rest;
    wire [1:0] many = over ? rest : 2'd1;
    wire       gone = load && (kind[1] || rest == many);
    samhw_fibers #(.W(2), .STOP_W(2), .DEPTH(4)) fibers (
        .clk(clk), .started(started), .put(take), .list(fill), .stop(stop), .hole(hole), .first(from), .len(to - from),
        .step(load), .many(many),
        .any(any), .kind(kind), .stop_at(stop_at), .hole_at(hole_at), .place(place), .left(rest));
    reg        offers = 1'b0;
    reg  [7:0] offered;
    always @(posedge clk)
        if (started) begin
            number <= number + {1'b0, gone};
            over   <= !gone && (over || (skip_valid && skip_beat[2:0] == {1'b1, number}));
            offers <= load || (offers && !out_ready);
            if (load)
                offered <= {kind, stop_at, kind[1] ? {2'd0, hole_at} : {place, ~place}};
        end

    // The fiber that was taken last is the one that is asked for.
    reg  [1:0] first;
    reg  [1:0] end_;
    reg  [1:0] r_first;
    reg  [1:0] r_end;
    always @(posedge clk) begin
        if (take && fill) begin
            first <= from;
            end_  <= to;
        end
        if (asks) begin
            r_first <= first;
            r_end   <= end_;
        end
    end

    wire       all = req_ready == ends && rsp_valid == (left != 2'd0) && out_ready;
    samhw_soon #(.MOST(11)) given (.clk(clk), .started(started), .waits(any && !out_valid && all));
    samhw_soon #(.MOST(11)) taken (.clk(clk), .started(started), .waits(ref_valid && !ref_ready && !out_valid && all));

    always @*
        if (started) begin
            assert (!load || any);
            assert (out_valid == offers);
            assert (!offers || out_beat == offered);
            assert (!out_valid || o_legal);
            assert (!req_valid || req_beat[3:2] != 2'd0);
            assert (!req_valid || {1'b0, req_beat[3:2]} <= 3'd1 << PART_LOG2);
            assert (!req_valid || req_beat[1:0] >= r_first);
            assert (!req_valid || {1'b0, req_beat[3:2]} + {1'b0, req_beat[1:0]} <= {1'b0, r_end});
        end

endmodule

`default_nettype wire
