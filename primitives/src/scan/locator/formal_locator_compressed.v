// SPDX-License-Identifier: Apache-2.0
//
// Proof, with memories of any contents that answer when they like: each leaf becomes the position at which
// its parent's fiber has its coordinate, or nothing where one of them is absent or the fiber has it not, in
// order, with the coordinates' structure. Of aligned canonical streams it makes a canonical one; what is
// offered, requests too, stays until it is taken; with memories that answer and a consumer that takes, every
// beat leaves within the cycles of its search.
// by: reachability
// mutant samhw_locator_compressed: low <= middle + ONE; => low <= middle;
// mutant samhw_locator_compressed: high <= middle; => high <= middle - ONE;
// mutant samhw_locator_compressed: wire search = leaf && !c_kind[0] && !p_kind[0]; => wire search = leaf && !c_kind[0];
// mutant samhw_locator_compressed: wire none   = low >= high; => wire none   = low > high;
// mutant samhw_locator_compressed: wire hit  = state == COMPARE && x_valid && equal;
//     => wire hit  = state == COMPARE && x_valid;
`default_nettype none

module formal_locator_compressed (
    input wire        clk,
    input wire [7:0]  bounds,
    input wire [8:0]  contents,
    input wire        crd_valid,
    input wire [6:0]  crd_beat,
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

    // Two fibers within three entries; within a fiber the coordinates rise.
    reg [7:0]  seg;
    reg [8:0] crds;
    always @(posedge clk)
        if (!started)
            {seg, crds} <= {bounds, contents};
    always @*
        assume (!started || (seg[3:2] >= seg[1:0] && seg[7:6] >= seg[5:4]));

    wire       crd_ready;
    wire       parent_ready;
    wire       found_valid;
    wire [5:0] found_beat;
    wire       seg_req_valid;
    wire [1:0] seg_req;
    wire       seg_rsp_valid;
    wire       seg_rsp_ready;
    wire [1:0] seg_at;
    wire       crd_req_valid;
    wire [3:0] crd_req;
    wire       crd_rsp_valid;
    wire       crd_rsp_ready;
    wire [1:0] crd_at;
    wire [1:0] room;
    wire [2:0] c0 = crds[2:0];
    wire [2:0] c1 = crds[5:3];
    wire [2:0] c2 = crds[8:6];

    samhw_locator_compressed #(.CRD_W(3), .REF_IN_W(2), .REF_W(2), .STOP_W(2)) dut (
        .clk(clk), .rst(rst),
        .crd_valid(crd_valid), .crd_ready(crd_ready), .crd_beat(crd_beat),
        .parent_valid(parent_valid), .parent_ready(parent_ready), .parent_beat(parent_beat),
        .seg_req_valid(seg_req_valid), .seg_req_ready(may[0] && room[0]), .seg_req_beat(seg_req),
        .seg_rsp_valid(seg_rsp_valid), .seg_rsp_ready(seg_rsp_ready), .seg_rsp_beat(seg_at[0] ? seg[7:4] : seg[3:0]),
        .crd_req_valid(crd_req_valid), .crd_req_ready(may[1] && room[1]), .crd_req_beat(crd_req),
        .crd_rsp_valid(crd_rsp_valid), .crd_rsp_ready(crd_rsp_ready),
        .crd_rsp_beat(crd_at[1] ? c2 : (crd_at[0] ? c1 : c0)),
        .found_valid(found_valid), .found_ready(found_ready), .found_beat(found_beat)
    );
    samhw_answers #(.ADDR_W(2), .LEN_W(1)) seg_memory (
        .clk(clk), .started(started), .req_valid(seg_req_valid), .req_ready(may[0] && room[0]), .addr(seg_req),
        .len(1'b1),
        .room(room[0]), .go(go[0]), .rsp_valid(seg_rsp_valid), .rsp_ready(seg_rsp_ready), .at(seg_at));
    samhw_answers #(.ADDR_W(2), .LEN_W(2)) crd_memory (
        .clk(clk), .started(started), .req_valid(crd_req_valid), .req_ready(may[1] && room[1]), .addr(crd_req[1:0]),
        .len(crd_req[3:2]), .room(room[1]), .go(go[1]), .rsp_valid(crd_rsp_valid), .rsp_ready(crd_rsp_ready),
        .at(crd_at));
    samhw_kept #(.W(2)) seg_kept (
        .clk(clk), .started(started), .valid(seg_req_valid), .ready(may[0] && room[0]), .beat(seg_req));
    samhw_kept #(.W(4)) crd_kept (
        .clk(clk), .started(started), .valid(crd_req_valid), .ready(may[1] && room[1]), .beat(crd_req));
    wire take   = started && crd_valid && crd_ready;
    wire take_p = started && parent_valid && parent_ready;
    wire give   = started && found_valid && found_ready;

    wire [1:0] kind = crd_beat[6:5];
    wire [2:0] crd  = crd_beat[2:0];
    wire       leaf = !kind[1];
    wire       legal;
    wire       p_legal;
    wire       f_legal;
    samhw_rules #(.DEPTH(2), .STOP_W(2), .W(3)) rules (
        .clk(clk), .rst(rst), .take(take), .beat(crd_beat), .legal(legal), .state(), .after());
    samhw_rules #(.DEPTH(2), .STOP_W(2), .W(2)) p_rules (
        .clk(clk), .rst(rst), .take(take_p), .beat(parent_beat), .legal(p_legal), .state(), .after());
    samhw_rules #(.DEPTH(2), .STOP_W(2), .W(2)) f_rules (
        .clk(clk), .rst(rst), .take(give), .beat(found_beat), .legal(f_legal), .state(), .after());
    samhw_steady #(.W(7)) steady (.clk(clk), .started(started), .valid(crd_valid), .ready(crd_ready), .beat(crd_beat));
    samhw_steady #(.W(6)) p_steady (
        .clk(clk), .started(started), .valid(parent_valid), .ready(parent_ready), .beat(parent_beat));
    wire [3:0] fiber = parent_beat[0] ? seg[7:4] : seg[3:0];
    wire [2:0] inside = {fiber[3:2] > 2'd2 && fiber[1:0] <= 2'd2,
                         fiber[3:2] > 2'd1 && fiber[1:0] <= 2'd1, fiber[3:2] > 2'd0 && fiber[1:0] == 2'd0};
    always @* begin
        assume (!crd_valid || legal);
        assume (!parent_valid || (p_legal && (parent_beat[5:4] != 2'd0 || !parent_beat[1])));
        assume (!crd_valid || !parent_valid || (kind[1] == parent_beat[5] && crd_beat[4:3] == parent_beat[3:2]
            && (leaf || (kind == parent_beat[5:4] && crd == {1'b0, parent_beat[1:0]}))));
        assume (!parent_valid || ((!(inside[0] && inside[1]) || c0 < c1) && (!(inside[1] && inside[2]) || c1 < c2)));
    end

    wire [2:0] is   = inside & {c2 == crd, c1 == crd, c0 == crd};
    wire       miss = kind[0] || parent_beat[4] || is == 3'd0;
    wire [2:0] count;
    samhw_owed #(.W(6), .DEPTH(1)) owed (
        .clk(clk), .started(started), .put(take), .valid(found_valid), .ready(found_ready), .given(found_beat),
        .count(count),
        .beat({leaf ? {1'b0, miss} : kind, crd_beat[4:3],
               !leaf ? crd[1:0] : miss ? 2'd0 : is[2] ? 2'd2 : {1'b0, is[1]}}));
    // Three probes of what is asked, answered and compared, and what is around them.
    samhw_soon #(.MOST(15)) taken (
        .clk(clk), .started(started),
        .waits(crd_valid && parent_valid && !take && (found_ready || !found_valid) && may == 2'b11 && go == 2'b11));

    always @*
        if (started) begin
            assert (take == take_p);
            assert (found_valid == (count != 3'd0));
            assert (!found_valid || f_legal);
        end

endmodule

`default_nettype wire
