// SPDX-License-Identifier: Apache-2.0
//
// Proof: neighbours of a fiber with equal coordinates leave as one beat with the range of their positions and
// the stop of the last, all else as it is, in order; what is offered stays until it is taken; with a consumer
// that takes, input is taken and what no other entry can join leaves.
// by: reachability
// mutant samhw_run_group: wire join_held = held && !settled && crd == h_crd; => wire join_held = held && crd == h_crd;
// mutant samhw_run_group: settled <= in_last; => settled <= 1'b0;
// mutant samhw_run_group: h_end   <= in_list ? first + NEXT : {REF_W{1'b0}}; => h_end   <= first + NEXT;
// mutant samhw_run_group: (settled || (in_valid && !join_held)); => settled;
// mutant samhw_run_group: assign in_ready = join_held || !held || out_free; => assign in_ready = 1'b1;
`default_nettype none

module formal_run_group (
    input wire       clk,
    input wire       in_valid,
    input wire       in_list,
    input wire       in_last,
    input wire [7:0] in_beat,
    input wire       out_ready
);

    reg started = 1'b0;
    always @(posedge clk)
        started <= 1'b1;
    wire rst = !started;

    wire       in_ready;
    wire       out_valid;
    wire [9:0] out_beat;
    samhw_run_group #(.REF_W(2), .CRD_W(2), .STOP_W(2)) dut (
        .clk(clk), .rst(rst),
        .in_valid(in_valid), .in_ready(in_ready), .in_list(in_list), .in_last(in_last), .in_beat(in_beat),
        .out_valid(out_valid), .out_ready(out_ready), .out_beat(out_beat)
    );
    wire take = started && in_valid && in_ready;

    wire [3:0] head  = in_beat[7:4];
    wire [1:0] first = in_beat[3:2];
    wire [1:0] crd   = in_beat[1:0];
    wire [1:0] after = first + 2'd1;

    // The group that may grow, {kind, stop, end, begin, coordinate}, while `held` and not `settled`.
    reg        held    = 1'b0;
    reg        settled = 1'b0;
    reg  [9:0] group;
    wire       grows = held && !settled;
    wire       joins = grows && crd == group[1:0];
    wire       put   = held && (settled || (take && !joins));
    samhw_steady #(.W(10)) steady (
        .clk(clk), .started(started), .valid(in_valid), .ready(in_ready), .beat({in_list, in_last, in_beat}));
    // Within a fiber there are entries only, at positions that follow each other.
    always @* begin
        assume (!in_valid || in_list || (in_last && first == 2'd0));
        assume (!in_valid || !grows || (in_list && first == group[5:4]));
    end
    always @(posedge clk)
        if (started) begin
            held <= take || (held && !put);
            if (take) begin
                settled <= in_last;
                group   <= joins ? {group[9:8], in_beat[5:4], after, group[3:0]}
                           : {head, in_list ? after : 2'd0, first, crd};
            end
        end

    wire [2:0] count;
    samhw_owed #(.W(10), .DEPTH(2)) owed (
        .clk(clk), .started(started), .put(started && put), .beat(group), .valid(out_valid), .ready(out_ready),
        .given(out_beat),
        .count(count));
    samhw_soon #(.MOST(1)) taken (.clk(clk), .started(started), .waits(in_valid && !in_ready && out_ready));
    samhw_soon #(.MOST(2)) given (
        .clk(clk), .started(started), .waits((count != 3'd0 || (held && settled)) && !out_valid && out_ready));

    always @*
        if (started)
            assert (!out_valid || count != 3'd0);

endmodule

`default_nettype wire
