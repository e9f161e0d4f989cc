// SPDX-License-Identifier: Apache-2.0
//
// Proof: each reference becomes as many words as a fiber has, what the memories answer with their ranks in
// order, whatever and whenever that is; an absent one as many words of zeros, and where there are no words an
// empty list; stops are one higher. One request to each memory for a reference that is there, of its fiber's
// words. Of a canonical stream it makes a canonical one; what is offered, requests too, stays until it is
// taken; with memories that answer and a consumer that takes, a beat leaves in time.
// by: reachability
// mutant samhw_scanner_bits: wire              last = !q_list || place == final_place;
//     => wire              last = !q_list || place == count;
// mutant samhw_scanner_bits: assign pop   = emit && q_data; => assign pop   = emit;
// mutant samhw_scanner_bits: assign q_pop = emit && last; => assign q_pop = emit;
// mutant samhw_scanner_bits: assign r_pop = room && b_free && k_free; => assign r_pop = room && b_free;
// mutant samhw_scanner_bits: q_data ? k_rank : {REF_W{1'b0}}, => k_rank,
// mutant samhw_scanner_bits: some        <= words[ADDR_W-1:0] != {ADDR_W{1'b0}}; => some        <= 1'b1;
`default_nettype none

module formal_scanner_bits (
    input wire       clk,
    input wire [2:0] config_dim,
    input wire       ref_valid,
    input wire [5:0] ref_beat,
    input wire [1:0] may,
    input wire [1:0] rsp_valid,
    input wire [1:0] bits_rsp_beat,
    input wire [1:0] rank_rsp_beat,
    input wire       out_ready
);

    reg started = 1'b0;
    always @(posedge clk)
        started <= 1'b1;
    wire rst = !started;

    // Up to four coordinates, two in a word, there before the run.
    reg  [2:0] dim;
    wire [2:0] size = started ? dim : config_dim;
    wire [1:0] many = size[2:1] + {1'b0, size[0]};
    always @(posedge clk)
        if (!started)
            dim <= config_dim;
    always @*
        assume (config_dim <= 3'd4);

    wire       ref_ready;
    wire       bits_req_valid;
    wire [3:0] bits_req;
    wire       rank_req_valid;
    wire [3:0] rank_req;
    wire [1:0] rsp_ready;
    wire       out_valid;
    wire [7:0] out_beat;
    samhw_scanner_bits #(
        .REF_IN_W(2), .ADDR_W(2), .REF_W(2), .CRD_W(2), .STOP_W(2), .WIDTH(2), .WIDTH_LOG2(1), .QUEUE_LOG2(1)
    ) dut (
        .clk(clk), .rst(rst), .dim(size),
        .ref_valid(ref_valid), .ref_ready(ref_ready), .ref_beat(ref_beat),
        .bits_req_valid(bits_req_valid), .bits_req_ready(may[0]), .bits_req_beat(bits_req),
        .bits_rsp_valid(rsp_valid[0]), .bits_rsp_ready(rsp_ready[0]), .bits_rsp_beat(bits_rsp_beat),
        .rank_req_valid(rank_req_valid), .rank_req_ready(may[1]), .rank_req_beat(rank_req),
        .rank_rsp_valid(rsp_valid[1]), .rank_rsp_ready(rsp_ready[1]), .rank_rsp_beat(rank_rsp_beat),
        .out_valid(out_valid), .out_ready(out_ready), .out_beat(out_beat)
    );
    wire       take = started && ref_valid && ref_ready;
    wire       give = started && out_valid && out_ready;
    wire [1:0] told = {2{started}} & rsp_valid & rsp_ready;

    wire [1:0] kind = ref_beat[5:4];
    wire       data = kind == 2'd0 && many != 2'd0;
    wire       list = !kind[1] && many != 2'd0;
    wire [1:0] stop = kind == 2'd3 ? 2'd0 : ref_beat[3:2] + 2'd1;
    wire [1:0] hole = kind == 2'd3 ? 2'd0 : kind == 2'd2 ? ref_beat[1:0] + 2'd1 : 2'd1;
    wire [1:0] addr = ref_beat[1:0] * many;

    // Words that each memory still owes.
    reg  [3:0] open_b = 4'd0;
    reg  [3:0] open_k = 4'd0;
    always @(posedge clk)
        if (started) begin
            open_b <= open_b + (bits_req_valid && may[0] ? {2'd0, many} : 4'd0) - {3'd0, told[0]};
            open_k <= open_k + (rank_req_valid && may[1] ? {2'd0, many} : 4'd0) - {3'd0, told[1]};
        end
    wire       legal;
    wire       o_legal;
    samhw_rules #(.DEPTH(1), .STOP_W(2), .W(2)) rules (
        .clk(clk), .rst(rst), .take(take), .beat(ref_beat), .legal(legal), .state(), .after());
    samhw_rules #(.DEPTH(2), .STOP_W(2), .W(2)) o_rules (
        .clk(clk), .rst(rst), .take(give), .beat({out_beat[7:4], out_beat[1:0]}), .legal(o_legal), .state(), .after());
    samhw_steady #(.W(2)) b_steady (
        .clk(clk), .started(started), .valid(rsp_valid[0]), .ready(rsp_ready[0]), .beat(bits_rsp_beat));
    samhw_steady #(.W(2)) k_steady (
        .clk(clk), .started(started), .valid(rsp_valid[1]), .ready(rsp_ready[1]), .beat(rank_rsp_beat));
    always @* begin
        assume (!ref_valid || legal);
        assume (!rsp_valid[0] || open_b != 4'd0);
        assume (!rsp_valid[1] || open_k != 4'd0);
    end

    wire [2:0] bits_asks;
    wire [2:0] rank_asks;
    samhw_owed #(.W(4), .DEPTH(1)) bits_owed (
        .clk(clk), .started(started), .put(take && data), .valid(bits_req_valid), .ready(may[0]),
        .given(bits_req), .beat({many, addr}), .count(bits_asks));
    samhw_owed #(.W(4), .DEPTH(1)) rank_owed (
        .clk(clk), .started(started), .put(take && data), .valid(rank_req_valid), .ready(may[1]),
        .given(rank_req), .beat({many, addr}), .count(rank_asks));

    // The fibers that are not through, those that are there noted in the hole, which lists have no use for;
    // what was answered last is in the beat on offer.
    wire       any;
    wire [1:0] kind_at;
    wire [1:0] stop_at;
    wire [1:0] hole_at;
    samhw_fibers #(.W(2), .STOP_W(2), .DEPTH(3)) fibers (
        .clk(clk), .started(started), .put(take), .list(list), .stop(stop), .hole(list ? {1'b0, data} : hole),
        .first(2'd0), .len(many), .step(give), .many(2'd1),
        .any(any), .kind(kind_at), .stop_at(stop_at), .hole_at(hole_at), .place(), .left());
    reg  [1:0] word;
    reg  [1:0] rank;
    always @(posedge clk)
        if (told[0])
            {word, rank} <= {bits_rsp_beat, rank_rsp_beat};
    wire there = !kind_at[1] && hole_at[0];
    wire all = may == 2'b11 && rsp_valid == {open_k != 4'd0, open_b != 4'd0};
    samhw_soon #(.MOST(4)) given (.clk(clk), .started(started), .waits(any && !out_valid && all));
    samhw_soon #(.MOST(4)) taken (.clk(clk), .started(started), .waits(ref_valid && !ref_ready && !out_valid && all));

    always @*
        if (started) begin
            assert (told == 2'b00 || told == 2'b11);
            assert (bits_req_valid == (bits_asks != 3'd0) && rank_req_valid == (rank_asks != 3'd0));
            assert (!out_valid || any);
            assert (!told[0] || !out_valid || out_ready);
            assert (!out_valid
                    || out_beat == {kind_at, stop_at, there ? {rank, word} : {2'd0, kind_at[1] ? hole_at : 2'd0}});
            assert (!out_valid || o_legal);
        end

endmodule

`default_nettype wire
