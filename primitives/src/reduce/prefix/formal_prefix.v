// SPDX-License-Identifier: Apache-2.0
//
// Proof: one beat out for each beat in, in order, with its structure; a leaf is what the operator, a
// sum, makes of exactly the values of its list up to there, and IDENTITY where there is none; with
// BEGUN that is the first of them. Of a canonical stream it makes a canonical one; what is offered
// stays until it is taken; a beat is taken in the cycle in which the consumer allows it, with a
// program, which takes as long as it likes (formal/samhw_routine_stand_in.v), when that has ended.
// by: reachability
// case plain: OP=0
// case begun: BEGUN=1
// case program: OP=5
// probe of program ran_inside = dut.u_fold.done
// mutant of plain samhw_prefix: acc  <= inner ? here : IDENTITY; => acc  <= here;
// mutant of plain samhw_prefix: some <= FIRST || (inner && (some || data)); => some <= FIRST || some || data;
// mutant of begun samhw_prefix: some <= FIRST || (inner && (some || data)); => some <= inner && (some || data);
// mutant of plain samhw_prefix: data ? v_val : acc; => v_val;
// mutant of plain,begun samhw_prefix: wire free  = !out_valid || out_ready; => wire free  = out_ready;
// mutant of plain,program samhw_prefix: {leaf ? DATA : v_kind, => {v_kind,
// mutant of program samhw_prefix: assign v_pop = free && (!folds || done); => assign v_pop = free;
`default_nettype none

module formal_prefix #(
    parameter OP    = 0,
    parameter BEGUN = 0
) (
    input wire       clk,
    input wire       val_valid,
    input wire [6:0] val_beat,
    input wire       out_ready,
    input wire       ran_inside
);

    localparam [2:0]   IDENTITY = OP == 5 ? 3'd0 : 3'd5;
    localparam [7:0]   FOLDS    = OP;
    // With OP 5 a program of two lines and a constant.
    localparam [319:0] FOLD     = {64'd0, 64'h17000000_00000000, 64'h0001_0002_00_000000, 64'd7, 56'd0, FOLDS};

    reg started = 1'b0;
    always @(posedge clk)
        started <= 1'b1;
    wire rst = !started;

    wire       val_ready;
    wire       out_valid;
    wire [6:0] out_beat;
    samhw_prefix #(
        .VAL_W(3), .STOP_W(2), .IDENTITY(IDENTITY), .BEGUN(BEGUN), .FOLD_W(320), .FOLD(FOLD)
    ) dut (
        .clk(clk), .rst(rst),
        .val_valid(val_valid), .val_ready(val_ready), .val_beat(val_beat),
        .out_valid(out_valid), .out_ready(out_ready), .out_beat(out_beat)
    );
    wire take = started && val_valid && val_ready;
    wire give = started && out_valid && out_ready;

    wire [1:0] kind = val_beat[6:5];
    wire [1:0] stop = val_beat[4:3];
    wire [2:0] val  = val_beat[2:0];
    wire       leaf = !kind[1];

    // The values of the list so far.
    reg        seen = 1'b0;
    reg  [2:0] sum  = 3'd0;
    wire       some = seen || kind == 2'd0;
    wire [2:0] all  = sum + val;
    always @(posedge clk)
        if (take && leaf) begin
            seen <= stop == 2'd0 && some;
            sum  <= stop == 2'd0 ? all : 3'd0;
        end
    wire [2:0] here = BEGUN != 0 ? IDENTITY + all : some ? all : IDENTITY;

    wire v_legal;
    wire o_legal;
    samhw_rules #(.DEPTH(2), .STOP_W(2), .W(3)) v_rules (
        .clk(clk), .rst(rst), .take(take), .beat(val_beat), .legal(v_legal), .state(), .after());
    samhw_rules #(.DEPTH(2), .STOP_W(2), .W(3)) o_rules (
        .clk(clk), .rst(rst), .take(give), .beat(out_beat), .legal(o_legal), .state(), .after());
    samhw_steady #(.W(7)) steady (
        .clk(clk), .started(started && OP == 5), .valid(val_valid), .ready(val_ready), .beat(val_beat));
    always @*
        assume (!val_valid || (v_legal && (kind != 2'd1 || val == 3'd0)));

    wire [2:0] owed;
    samhw_owed #(.W(7), .DEPTH(1)) beats (
        .clk(clk), .started(started), .put(take), .beat(leaf ? {2'd0, stop, here} : val_beat),
        .valid(out_valid), .ready(out_ready), .given(out_beat), .count(owed));

    wire folds = OP == 5 && seen && kind == 2'd0;
    always @*
        if (started) begin
            assert (out_valid == (owed != 3'd0));
            assert (!out_valid || o_legal);
            assert (!val_valid || val_ready == ((owed == 3'd0 || out_ready) && (!folds || ran_inside)));
        end

endmodule

`default_nettype wire
