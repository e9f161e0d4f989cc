// SPDX-License-Identifier: Apache-2.0
//
// Proof: one beat out for each beat in, in order: a coordinate becomes the end of a list, an absent one and a
// NIL are lists that are not there, one level higher. Of a canonical stream it makes a canonical one, one
// level deeper; what is offered stays until it is taken; a beat leaves in the next cycle that the consumer
// allows.
// mutant samhw_single: s_kind[1] || s_kind[0], done, => s_kind[1], done,
// mutant samhw_single: s_kind[1] || s_kind[0], done, => s_kind[1] || s_kind[0], s_kind[0],
// mutant samhw_single: s_stop + up => s_stop + ONE_UP
// mutant samhw_single: done || data ? NO_STOP => data ? NO_STOP
// mutant samhw_single: done || data ? NO_STOP => done ? NO_STOP
// mutant samhw_single: !list_valid || list_ready; => list_ready;
// mutant samhw_single: list_valid <= s_valid; => list_valid <= s_valid && !done;
`default_nettype none

module formal_single (
    input wire       clk,
    input wire       crd_valid,
    input wire [6:0] crd_beat,
    input wire       list_ready
);

    reg started = 1'b0;
    always @(posedge clk)
        started <= 1'b1;
    wire rst = !started;

    wire       crd_ready;
    wire       list_valid;
    wire [6:0] list_beat;
    samhw_single #(.CRD_W(3), .STOP_W(2)) dut (
        .clk(clk), .rst(rst),
        .crd_valid(crd_valid), .crd_ready(crd_ready), .crd_beat(crd_beat),
        .list_valid(list_valid), .list_ready(list_ready), .list_beat(list_beat)
    );
    wire take = started && crd_valid && crd_ready;

    wire       i_legal;
    wire       o_legal;
    wire [2:0] i_state;
    wire [2:0] o_state;
    wire [2:0] o_after;
    samhw_rules #(.DEPTH(2), .STOP_W(2), .W(3)) i_rules (
        .clk(clk), .rst(rst), .take(take), .beat(crd_beat), .legal(i_legal), .state(i_state), .after());
    samhw_rules #(.DEPTH(3), .STOP_W(2), .W(3)) o_rules (
        .clk(clk), .rst(rst), .take(started && list_valid && list_ready), .beat(list_beat), .legal(o_legal),
        .state(o_state), .after(o_after));
    always @*
        assume (!crd_valid || i_legal);

    wire [1:0] kind = crd_beat[6:5];
    wire [1:0] stop = crd_beat[4:3] + 2'd1;
    wire [2:0] hole = crd_beat[2:0] + 3'd1;

    wire       full;
    wire [6:0] expected;
    samhw_due #(.W(7)) due (
        .clk(clk), .started(started), .put(take), .ready(list_ready), .full(full), .expected(expected),
        .beat(kind == 2'd0 ? {2'd0, stop, crd_beat[2:0]} : kind == 2'd3 ? {2'd3, 5'd0} : {2'd2, stop, hole}));

    always @*
        if (started) begin
            assert (list_valid == full);
            assert (!full || (list_beat == expected && o_legal));
            assert (i_state[1:0] != 2'd3);
            assert ((full ? o_after : o_state) == {i_state[2], i_state[1:0] + 2'd1});
            assert (!crd_valid || take == (!full || list_ready));
        end

endmodule

`default_nettype wire
