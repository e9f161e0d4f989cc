// SPDX-License-Identifier: Apache-2.0
//
// Proof, with memories that answer when they like (slots of a few contents): each leaf becomes
// the position of the slot that holds its coordinate and its parent, or nothing where one of them is absent
// or neither slot does, in order, with the coordinates' structure. One request to each way for a leaf with
// both, at the slot that the multiplier gives. Of aligned canonical streams it makes a canonical one; what is
// offered, requests too, stays until it is taken; with memories that answer and a consumer that takes, a beat
// leaves in time.
// by: reachability
// mutant samhw_locator_hash: assign slot1[g] = ^(key & twice[32+g +: KEY_W]);
//     => assign slot1[g] = ^(key & twice[g +: KEY_W]);
// mutant samhw_locator_hash: way0_req_beat <= slot0 & last; => way0_req_beat <= slot0;
// mutant samhw_locator_hash: s_b     <= asked && b_slot[SLOT-1] && => s_b     <= asked &&
// mutant samhw_locator_hash: s_kind == DATA && !s_a && !s_b ? EMPTY => s_kind == DATA && !s_a ? EMPTY
// mutant samhw_locator_hash: assign pop   = emit && asked; => assign pop   = emit;
// mutant samhw_locator_hash: && (!s_valid || free); => ;
// mutant samhw_locator_hash: assign step = room && (!way0_req_valid || way0_req_ready) && => assign step = room &&
`default_nettype none

module formal_locator_hash (
    input wire        clk,
    input wire        config_last,
    input wire [1:0]  config_slot,
    input wire        crd_valid,
    input wire [3:0]  crd_beat,
    input wire        parent_valid,
    input wire [3:0]  parent_beat,
    input wire [1:0]  may,
    input wire [1:0]  go,
    input wire        found_ready
);

    reg started = 1'b0;
    always @(posedge clk)
        started <= 1'b1;
    wire rst = !started;

    // What the multiplier has for the key's two bits in either way, and what slot 0 of either way has.
    wire [1:0] way0 = 2'b11;
    wire [1:0] way1 = 2'b10;
    reg        last;
    reg  [1:0] drawn;
    wire [2:0] slot0 = {drawn[1], 1'b0, drawn[0]};
    wire [2:0] slot1 = {1'b1, 1'b1, !drawn[0]};
    always @(posedge clk)
        if (!started)
            {last, drawn} <= {config_last, config_slot};

    wire       crd_ready;
    wire       parent_ready;
    wire       found_valid;
    wire [4:0] found_beat;
    wire       way0_req_valid;
    wire       way0_req;
    wire       way0_rsp_valid;
    wire       way0_rsp_ready;
    wire       way0_at;
    wire       way1_req_valid;
    wire       way1_req;
    wire       way1_rsp_valid;
    wire       way1_rsp_ready;
    wire       way1_at;
    wire [1:0] room;
    // Slot 1 holds another key; positions are the way and the slot.
    wire [4:0] way0_word = {slot0[2] || way0_at, 1'b0, way0_at, slot0[1:0] ^ {2{way0_at}}};
    wire [4:0] way1_word = {slot1[2] || way1_at, 1'b1, way1_at, slot1[1:0] ^ {2{way1_at}}};

    samhw_locator_hash #(
        .CRD_W(1), .REF_IN_W(1), .ADDR_W(1), .REF_W(2), .STOP_W(1), .QUEUE_LOG2(1)
    ) dut (
        .clk(clk), .rst(rst), .multiplier({30'd0, way1, 30'd0, way0}), .last(last),
        .crd_valid(crd_valid), .crd_ready(crd_ready), .crd_beat(crd_beat),
        .parent_valid(parent_valid), .parent_ready(parent_ready), .parent_beat(parent_beat),
        .way0_req_valid(way0_req_valid), .way0_req_ready(may[0] && room[0]), .way0_req_beat(way0_req),
        .way0_rsp_valid(way0_rsp_valid), .way0_rsp_ready(way0_rsp_ready), .way0_rsp_beat(way0_word),
        .way1_req_valid(way1_req_valid), .way1_req_ready(may[1] && room[1]), .way1_req_beat(way1_req),
        .way1_rsp_valid(way1_rsp_valid), .way1_rsp_ready(way1_rsp_ready), .way1_rsp_beat(way1_word),
        .found_valid(found_valid), .found_ready(found_ready), .found_beat(found_beat)
    );
    samhw_answers #(.ADDR_W(1), .LEN_W(1)) way0_memory (
        .clk(clk), .started(started), .req_valid(way0_req_valid), .req_ready(may[0] && room[0]), .addr(way0_req),
        .len(1'b1), .room(room[0]), .go(go[0]), .rsp_valid(way0_rsp_valid), .rsp_ready(way0_rsp_ready), .at(way0_at));
    samhw_answers #(.ADDR_W(1), .LEN_W(1)) way1_memory (
        .clk(clk), .started(started), .req_valid(way1_req_valid), .req_ready(may[1] && room[1]), .addr(way1_req),
        .len(1'b1), .room(room[1]), .go(go[1]), .rsp_valid(way1_rsp_valid), .rsp_ready(way1_rsp_ready), .at(way1_at));
    wire take   = started && crd_valid && crd_ready;
    wire take_p = started && parent_valid && parent_ready;
    wire give   = started && found_valid && found_ready;

    wire [1:0] kind = crd_beat[3:2];
    wire       crd  = crd_beat[0];
    wire       leaf = !kind[1];
    wire       legal;
    wire       p_legal;
    wire       f_legal;
    samhw_rules #(.DEPTH(1), .STOP_W(1), .W(1)) rules (
        .clk(clk), .rst(rst), .take(take), .beat(crd_beat), .legal(legal), .state(), .after());
    samhw_rules #(.DEPTH(1), .STOP_W(1), .W(1)) p_rules (
        .clk(clk), .rst(rst), .take(take_p), .beat(parent_beat), .legal(p_legal), .state(), .after());
    samhw_rules #(.DEPTH(1), .STOP_W(1), .W(2)) f_rules (
        .clk(clk), .rst(rst), .take(give), .beat(found_beat), .legal(f_legal), .state(), .after());
    samhw_steady #(.W(4)) steady (.clk(clk), .started(started), .valid(crd_valid), .ready(crd_ready), .beat(crd_beat));
    samhw_steady #(.W(4)) p_steady (
        .clk(clk), .started(started), .valid(parent_valid), .ready(parent_ready), .beat(parent_beat));
    always @* begin
        assume (!crd_valid || legal);
        assume (!parent_valid || p_legal);
        assume (!crd_valid || !parent_valid || (kind[1] == parent_beat[3] && crd_beat[1] == parent_beat[1]
            && (leaf || crd_beat == parent_beat)));
    end

    // The slots of the leaf's key and what they hold; a key is in one of them at most.
    wire       search = leaf && !kind[0] && !parent_beat[2];
    wire [1:0] key    = {parent_beat[0], crd};
    wire       at0    = ^(key & way0) && last;
    wire       at1    = ^(key & way1) && last;
    wire       hit0   = search && (slot0[2] || at0) && key == (slot0[1:0] ^ {2{at0}});
    wire       hit1   = search && (slot1[2] || at1) && key == (slot1[1:0] ^ {2{at1}});
    wire       hit    = hit0 || hit1;
    wire [1:0] where  = hit0 ? {1'b0, at0} : {1'b1, at1};
    always @*
        assume (!crd_valid || !parent_valid || !hit0 || !hit1);
    wire [2:0] count;
    wire [2:0] way0_asks;
    wire [2:0] way1_asks;
    samhw_owed #(.W(5), .DEPTH(5)) owed (
        .clk(clk), .started(started), .put(take), .valid(found_valid), .ready(found_ready), .given(found_beat),
        .count(count),
        .beat({leaf ? {1'b0, !hit} : kind, crd_beat[1], leaf ? where & {2{hit}} : {1'b0, crd}}));
    samhw_owed #(.W(1), .DEPTH(2)) way0_owed (
        .clk(clk), .started(started), .put(take && search), .valid(way0_req_valid), .ready(may[0] && room[0]),
        .given(way0_req), .beat(at0), .count(way0_asks));
    samhw_owed #(.W(1), .DEPTH(2)) way1_owed (
        .clk(clk), .started(started), .put(take && search), .valid(way1_req_valid), .ready(may[1] && room[1]),
        .given(way1_req), .beat(at1), .count(way1_asks));
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
