// SPDX-License-Identifier: Apache-2.0
//
// Proof, with memories that answer when they like (every word and every rank is at some address): each leaf
// becomes its word's rank and the number of ones below its bit, or nothing where coordinate or parent is
// absent or the bit is not set, in order, with the coordinates' structure. One request to each memory for a
// leaf with both, at the parent's first word and the coordinate's word of it. Of aligned canonical streams it
// makes a canonical one; what is offered, requests too, stays until it is taken; with memories that answer
// and a consumer that takes, a beat leaves in time.
// by: reachability
// mutant samhw_locator_bits: below = b_word & ~({WIDTH{1'b1}} << q_bit); => below = b_word;
// mutant samhw_locator_bits: crd_wide[WIDTH_LOG2+ADDR_W-1:0]}; => {crd_wide[ADDR_W-1:0], crd_wide[WIDTH_LOG2-1:0]}};
// mutant samhw_locator_bits: assign pop   = emit && asked; => assign pop   = emit;
// mutant samhw_locator_bits: s_kind <= asked && !hit ? EMPTY : q_kind; => s_kind <= asked && !hit ? DATA : q_kind;
// mutant samhw_locator_bits: && (!s_valid || free); => ;
// mutant samhw_locator_bits: assign step = !f_valid || (room && req_free); => assign step = !f_valid || room;
// mutant samhw_locator_bits: rank_req_valid <= (fetch && load) || => rank_req_valid <= fetch ||
`default_nettype none

module formal_locator_bits (
    input wire        clk,
    input wire [1:0]  config_words,
    input wire        crd_valid,
    input wire [5:0]  crd_beat,
    input wire        parent_valid,
    input wire [5:0]  parent_beat,
    input wire [1:0]  may,
    input wire [1:0]  go,
    input wire        found_ready
);

    reg started = 1'b0;
    always @(posedge clk)
        started <= 1'b1;
    wire rst = !started;

    reg [1:0] words;
    always @(posedge clk)
        if (!started)
            words <= config_words;

    wire       crd_ready;
    wire       parent_ready;
    wire       found_valid;
    wire [5:0] found_beat;
    wire       bits_req_valid;
    wire [1:0] bits_req;
    wire       bits_rsp_valid;
    wire       bits_rsp_ready;
    wire [1:0] bits_at;
    wire       rank_req_valid;
    wire [1:0] rank_req;
    wire       rank_rsp_valid;
    wire       rank_rsp_ready;
    wire [1:0] rank_at;
    wire [1:0] room;

    samhw_locator_bits #(
        .WIDTH(2), .WIDTH_LOG2(1), .CRD_W(2), .REF_IN_W(2), .ADDR_W(2), .REF_W(2), .STOP_W(2), .QUEUE_LOG2(1)
    ) dut (
        .clk(clk), .rst(rst), .words(words),
        .crd_valid(crd_valid), .crd_ready(crd_ready), .crd_beat(crd_beat),
        .parent_valid(parent_valid), .parent_ready(parent_ready), .parent_beat(parent_beat),
        .bits_req_valid(bits_req_valid), .bits_req_ready(may[0] && room[0]), .bits_req_beat(bits_req),
        .bits_rsp_valid(bits_rsp_valid), .bits_rsp_ready(bits_rsp_ready), .bits_rsp_beat(bits_at),
        .rank_req_valid(rank_req_valid), .rank_req_ready(may[1] && room[1]), .rank_req_beat(rank_req),
        .rank_rsp_valid(rank_rsp_valid), .rank_rsp_ready(rank_rsp_ready), .rank_rsp_beat({rank_at[0], !rank_at[1]}),
        .found_valid(found_valid), .found_ready(found_ready), .found_beat(found_beat)
    );
    samhw_answers #(.ADDR_W(2), .LEN_W(1)) bits_memory (
        .clk(clk), .started(started), .req_valid(bits_req_valid), .req_ready(may[0] && room[0]), .addr(bits_req),
        .len(1'b1), .room(room[0]), .go(go[0]), .rsp_valid(bits_rsp_valid), .rsp_ready(bits_rsp_ready), .at(bits_at));
    samhw_answers #(.ADDR_W(2), .LEN_W(1)) rank_memory (
        .clk(clk), .started(started), .req_valid(rank_req_valid), .req_ready(may[1] && room[1]), .addr(rank_req),
        .len(1'b1), .room(room[1]), .go(go[1]), .rsp_valid(rank_rsp_valid), .rsp_ready(rank_rsp_ready), .at(rank_at));
    wire take   = started && crd_valid && crd_ready;
    wire take_p = started && parent_valid && parent_ready;
    wire give   = started && found_valid && found_ready;

    wire [1:0] kind = crd_beat[5:4];
    wire [1:0] crd  = crd_beat[1:0];
    wire       leaf = !kind[1];
    wire       legal;
    wire       p_legal;
    wire       f_legal;
    samhw_rules #(.DEPTH(2), .STOP_W(2), .W(2)) rules (
        .clk(clk), .rst(rst), .take(take), .beat(crd_beat), .legal(legal), .state(), .after());
    samhw_rules #(.DEPTH(2), .STOP_W(2), .W(2)) p_rules (
        .clk(clk), .rst(rst), .take(take_p), .beat(parent_beat), .legal(p_legal), .state(), .after());
    samhw_rules #(.DEPTH(2), .STOP_W(2), .W(2)) f_rules (
        .clk(clk), .rst(rst), .take(give), .beat(found_beat), .legal(f_legal), .state(), .after());
    samhw_steady #(.W(6)) steady (.clk(clk), .started(started), .valid(crd_valid), .ready(crd_ready), .beat(crd_beat));
    samhw_steady #(.W(6)) p_steady (
        .clk(clk), .started(started), .valid(parent_valid), .ready(parent_ready), .beat(parent_beat));
    always @* begin
        assume (!crd_valid || legal);
        assume (!parent_valid || p_legal);
        assume (!crd_valid || !parent_valid || (kind[1] == parent_beat[5] && crd_beat[3:2] == parent_beat[3:2]
            && (leaf || crd_beat == parent_beat)));
    end

    // What memory has at the leaf's word: the address itself as bits, and another word for each as rank.
    wire       search = leaf && !kind[0] && !parent_beat[4];
    wire [1:0] addr   = parent_beat[1:0] * words + {1'b0, crd[1]};
    wire       hit    = search && (crd[0] ? addr[1] : addr[0]);
    wire [1:0] where  = {addr[0], !addr[1]} + {1'b0, crd[0] && addr[0]};
    wire [2:0] count;
    wire [2:0] bits_asks;
    wire [2:0] rank_asks;
    samhw_owed #(.W(6), .DEPTH(5)) owed (
        .clk(clk), .started(started), .put(take), .valid(found_valid), .ready(found_ready), .given(found_beat),
        .count(count),
        .beat({leaf ? {1'b0, !hit} : kind, crd_beat[3:2], leaf ? where & {2{hit}} : crd}));
    samhw_owed #(.W(2), .DEPTH(2)) bits_owed (
        .clk(clk), .started(started), .put(take && search), .valid(bits_req_valid), .ready(may[0] && room[0]),
        .given(bits_req), .beat(addr), .count(bits_asks));
    samhw_owed #(.W(2), .DEPTH(2)) rank_owed (
        .clk(clk), .started(started), .put(take && search), .valid(rank_req_valid), .ready(may[1] && room[1]),
        .given(rank_req), .beat(addr), .count(rank_asks));
    wire all = may == 2'b11 && go == 2'b11;
    samhw_soon #(.MOST(5)) given (.clk(clk), .started(started), .waits(count != 3'd0 && !found_valid && all));
    samhw_soon #(.MOST(5)) taken (
        .clk(clk), .started(started), .waits(crd_valid && parent_valid && !take && found_ready && all));

    always @*
        if (started) begin
            assert (take == take_p);
            assert (!found_valid || f_legal);
        end

endmodule

`default_nettype wire
