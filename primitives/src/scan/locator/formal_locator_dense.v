// SPDX-License-Identifier: Apache-2.0
//
// Proof: each leaf becomes its parent's place plus its coordinate, or nothing where one of them is absent or
// the coordinate lies outside, in order, with the coordinates' structure. Of aligned canonical streams it
// makes a canonical one; what is offered stays until it is taken; with a consumer that takes, beats are taken
// and leave in time.
// by: reachability
// mutant samhw_locator_dense: wire miss = c_kind[0] || p_kind[0] || {1'b0, c_crd} >= dim;
//     => wire miss = c_kind[0] || {1'b0, c_crd} >= dim;
// mutant samhw_locator_dense: {1'b0, c_crd} >= dim; => {1'b0, c_crd} > dim;
// mutant samhw_locator_dense: wire                step = !found_valid || found_ready;
//     => wire                step = found_ready;
// mutant samhw_locator_dense: place & {REF_W{y_kind == DATA}} => place
// mutant samhw_locator_dense: valids      <= valids_in[N-1:0]; => valids      <= {N{both}} | valids;
`default_nettype none

module formal_locator_dense (
    input wire       clk,
    input wire [2:0] size,
    input wire       crd_valid,
    input wire [5:0] crd_beat,
    input wire       parent_valid,
    input wire [5:0] parent_beat,
    input wire       found_ready
);

    reg started = 1'b0;
    always @(posedge clk)
        started <= 1'b1;
    wire rst = !started;

    reg [2:0] dim;
    always @(posedge clk)
        if (!started)
            dim <= size;

    wire       crd_ready;
    wire       parent_ready;
    wire       found_valid;
    wire [6:0] found_beat;
    samhw_locator_dense #(.CRD_W(2), .REF_IN_W(2), .REF_W(3), .STOP_W(2), .DEPTH(0)) dut (
        .clk(clk), .rst(rst), .dim(dim),
        .crd_valid(crd_valid), .crd_ready(crd_ready), .crd_beat(crd_beat),
        .parent_valid(parent_valid), .parent_ready(parent_ready), .parent_beat(parent_beat),
        .found_valid(found_valid), .found_ready(found_ready), .found_beat(found_beat)
    );
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
    samhw_rules #(.DEPTH(2), .STOP_W(2), .W(3)) f_rules (
        .clk(clk), .rst(rst), .take(give), .beat(found_beat), .legal(f_legal), .state(), .after());
    always @* begin
        assume (!crd_valid || legal);
        assume (!parent_valid || p_legal);
        assume (!crd_valid || !parent_valid || (kind[1] == parent_beat[5] && crd_beat[3:2] == parent_beat[3:2]
            && (leaf || crd_beat == parent_beat)));
    end

    wire       miss  = kind[0] || parent_beat[4] || {1'b0, crd} >= dim;
    wire [2:0] place = {1'b0, parent_beat[1:0]} * dim + {1'b0, crd};
    wire [2:0] count;
    samhw_owed #(.W(7), .DEPTH(2)) owed (
        .clk(clk), .started(started), .put(take), .valid(found_valid), .ready(found_ready), .given(found_beat),
        .count(count),
        .beat({leaf ? {1'b0, miss} : kind, crd_beat[3:2], !leaf ? {1'b0, kind[0] ? 2'd0 : crd} : miss ? 3'd0 : place}));
    samhw_soon #(.MOST(1)) taken (
        .clk(clk), .started(started), .waits(crd_valid && parent_valid && !take && (found_ready || !found_valid)));
    samhw_soon #(.MOST(2)) given (.clk(clk), .started(started), .waits(count != 3'd0 && !found_valid));

    always @*
        if (started) begin
            assert (take == take_p);
            assert (!found_valid || f_legal);
        end

endmodule

`default_nettype wire
