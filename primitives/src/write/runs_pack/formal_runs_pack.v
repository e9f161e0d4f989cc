// SPDX-License-Identifier: Apache-2.0
//
// Proof: neighbours of a list that follow each other, with shared values those of one value, leave as one
// word with the stop of the last and, without, the number of coordinates before; all else as it is, in order.
// Of canonical streams it makes canonical ones; what is offered stays until it is taken; with a consumer that
// takes, input is taken and what no other coordinate can join leaves.
// by: reachability
// case blocks: SHARED=0
// case runs: SHARED=1
// mutant samhw_runs_pack: wire joins = held && !settled && c_crd == h_next && v_same;
//     => wire joins = held && c_crd == h_next && v_same;
// mutant samhw_runs_pack: settled <= c_kind[1] || c_stop != NO_STOP; => settled <= 1'b0;
// mutant samhw_runs_pack: (settled || (valid && !joins)); => settled;
// mutant samhw_runs_pack: h_last  <= c_kind[1] ? {CRD_W{1'b0}} : c_last; => h_last  <= c_last;
// mutant samhw_runs_pack: wire room  = joins || !held || free; => wire room  = 1'b1;
// mutant of runs samhw_runs_pack: assign v_same    = b_val == h_val; => assign v_same    = 1'b1;
// mutant of runs samhw_runs_pack: assign o_free    = !full || out_ready; => assign o_free    = 1'b1;
// mutant of blocks samhw_runs_pack: if (rst || (take && c_kind == DONE)) => if (rst)
// mutant of blocks samhw_runs_pack: if (take && !joins)\n                    h_base
//     => if (take)\n                    h_base
`default_nettype none

module formal_runs_pack #(
    parameter SHARED = 0
) (
    input wire       clk,
    input wire       in_valid,
    input wire [5:0] crd_beat,
    input wire [1:0] in_val,
    input wire       run_ready,
    input wire       out_ready
);

    reg started = 1'b0;
    always @(posedge clk)
        started <= 1'b1;
    wire rst = !started;

    wire        crd_ready;
    wire        run_valid;
    wire [9:0]  run_beat;
    wire        out_valid;
    wire [5:0]  out_beat;
    generate
        if (SHARED != 0) begin : g_shared
            wire       val_ready;
            wire [7:0] word;
            samhw_runs_pack #(.CRD_W(2), .VAL_W(2), .REF_W(2), .SHARED(1), .STOP_W(2)) dut (
                .clk(clk), .rst(rst),
                .crd_valid(in_valid), .crd_ready(crd_ready), .crd_beat(crd_beat),
                .val_valid(in_valid), .val_ready(val_ready), .val_beat({crd_beat[5:2], in_val}),
                .run_valid(run_valid), .run_ready(run_ready), .run_beat(word),
                .out_valid(out_valid), .out_ready(out_ready), .out_beat(out_beat));
            assign run_beat = {word[7:4], 2'd0, word[3:0]};
            always @*
                assert (val_ready == crd_ready);
        end else begin : g_own
            samhw_blocks_pack #(.CRD_W(2), .REF_W(2), .STOP_W(2)) dut (
                .clk(clk), .rst(rst),
                .crd_valid(in_valid), .crd_ready(crd_ready), .crd_beat(crd_beat),
                .run_valid(run_valid), .run_ready(run_ready), .run_beat(run_beat));
            assign out_valid = 1'b0;
            assign out_beat  = 6'd0;
        end
    endgenerate
    wire take = started && in_valid && crd_ready;
    wire [1:0] kind = crd_beat[5:4];
    wire [1:0] stop = crd_beat[3:2];
    wire [1:0] crd  = crd_beat[1:0];
    wire       data = kind == 2'd0;

    // The run that may grow: {kind, stop, base, last, first} and its value.
    reg        held    = 1'b0;
    reg        settled = 1'b0;
    reg  [9:0] run;
    reg  [1:0] value;
    reg  [1:0] count   = 2'd0;
    wire       grows = held && !settled;
    wire       joins = grows && {1'b0, crd} == {1'b0, run[3:2]} + 3'd1 && (SHARED == 0 || in_val == value);
    wire       put   = held && (settled || (take && !joins));

    wire       legal;
    samhw_steady #(.W(8)) steady (
        .clk(clk), .started(started), .valid(in_valid), .ready(crd_ready), .beat({crd_beat, in_val}));
    samhw_rules #(.DEPTH(2), .STOP_W(2), .W(2)) rules (
        .clk(clk), .rst(rst), .take(take), .beat(crd_beat), .legal(legal), .state(), .after());
    always @* begin
        assume (!in_valid || (legal && kind != 2'd1));
        assume (!in_valid || !grows || crd > run[3:2]);
        assume (!in_valid || data || in_val == crd);
    end
    always @(posedge clk)
        if (started) begin
            held <= take || (held && !put);
            if (take) begin
                settled <= !data || stop != 2'd0;
                value   <= in_val;
                run     <= joins ? {run[9:8], stop, run[5:4], crd, run[1:0]}
                                 : {kind, stop, data && SHARED == 0 ? count : 2'd0, data ? crd : 2'd0, crd};
                count   <= kind == 2'd3 ? 2'd0 : count + {1'b0, data};
            end
        end

    wire [2:0] words;
    samhw_owed #(.W(10), .DEPTH(2)) owed (
        .clk(clk), .started(started), .put(started && put), .beat(run), .valid(run_valid), .ready(run_ready),
        .given(run_beat),
        .count(words));
    wire [2:0] values;
    samhw_owed #(.W(6), .DEPTH(2)) owed_values (
        .clk(clk), .started(started), .put(started && put && SHARED != 0), .beat({run[9:6], value}),
        .valid(out_valid), .ready(out_ready), .given(out_beat), .count(values));

    wire r_legal;
    samhw_rules #(.DEPTH(2), .STOP_W(2), .W(2)) r_rules (
        .clk(clk), .rst(rst), .take(started && run_valid && run_ready), .beat({run_beat[9:6], run_beat[1:0]}),
        .legal(r_legal), .state(), .after());
    wire ready = run_ready && out_ready;
    samhw_soon #(.MOST(1)) taken (.clk(clk), .started(started), .waits(in_valid && !crd_ready && ready));
    samhw_soon #(.MOST(2)) given (
        .clk(clk), .started(started), .waits((words != 3'd0 || (held && settled)) && !run_valid && ready));

    always @*
        if (started) begin
            assert (!run_valid || (words != 3'd0 && r_legal));
            assert (!out_valid || values != 3'd0);
        end

endmodule

`default_nettype wire
