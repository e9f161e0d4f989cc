// SPDX-License-Identifier: Apache-2.0
//
// Proof: one beat out for each beat in, in order, with its structure; of a leaf what the function makes of
// the value that it gave for the list's last leaf with one, 5 if there is none, and of the leaf, an absent
// one read as its fill; itself absent, and without effect on what follows, where the table says so. The
// function is a sum, by a unit within the cycle, by two units (and 3 more), or by a program that takes as
// long as it likes (formal/samhw_routine_stand_in.v). What is offered stays until it is taken; a beat is
// taken when its function is done and the consumer allows it.
// by: reachability
// case now: PROGRAM=0
// case steps: PROGRAM=0 STEPS=2
// case sparse: PROGRAM=0 EMIT=2
// case program: PROGRAM=1
// probe ran_inside = dut.done
// mutant of now samhw_alu_program: some <= !kind[1] && stop == {STOP_W{1'b0}} && (some || data);
//     => some <= !kind[1] && (some || data);
// mutant of now samhw_alu_program: some <= !kind[1] && stop == {STOP_W{1'b0}} && (some || data);
//     => some <= some || data;
// mutant of sparse samhw_alu_program: && (some || data); => && data;
// mutant of sparse samhw_alu_program: if (valid && go && data)\n            last => if (valid && go)\n            last
// mutant of now samhw_alu_program: if (valid && go && data)\n            last => if (valid && data)\n            last
// mutant of now,steps,program samhw_alu_program: LAST[k] && some ? last => LAST[k] ? last
// mutant of steps samhw_steps: assign done = start && count == RUN[7:0]; => assign done = start;
// mutant of steps samhw_steps: if (rst || !start || (done && take)) => if (rst || !start)
// mutant of steps samhw_steps: else if (!done) => else
// mutant of program samhw_alu_program: wire                  go   = free && (!data || done);
//     => wire                  go   = free;
// mutant of now,program samhw_alu_program: .step(free), .kind(kind) => .step(val_ready), .kind(kind)
`default_nettype none

module formal_alu_recurrence #(
    parameter PROGRAM = 0,
    parameter STEPS   = 1,
    parameter EMIT    = 3
) (
    input wire       clk,
    input wire       in_valid,
    input wire [6:0] in_beat,
    input wire       val_ready,
    input wire       ran_inside
);

    localparam [31:0] TABLE = EMIT;
    // Arguments 0 and 1, a number, the first unit: {c, b, a} of each.
    localparam [35:0] PICKS = {6'd0, 6'd2, 6'd3, 6'd0, 6'd1, 6'd0};

    reg started = 1'b0;
    always @(posedge clk)
        started <= 1'b1;
    wire rst = !started;

    wire       in_ready;
    wire       val_valid;
    wire [6:0] val_beat;
    samhw_alu_program #(
        .PROGRAM(PROGRAM), .STEPS(STEPS), .SIGNED(0), .W(3), .ONE(3'd1), .NUMBERS(1), .NUMBER(3'd3),
        .OPS({(8*STEPS){1'b0}}),
        .DEPTHS({(8*STEPS){1'b0}}), .TABLES({(8*STEPS){1'b0}}), .PICKS(PICKS[18*STEPS-1:0]), .RUN(STEPS-1),
        .VAL_W(3), .STOP_W(2), .STREAMS(1), .ARGS(2), .FROM(4'b0000), .FIXED(2'b01), .LAST(2'b01),
        .VALUES({3'd6, 3'd5}), .EMIT(TABLE[1:0])
    ) dut (
        .clk(clk), .rst(rst), .in_valid(in_valid), .in_ready(in_ready), .in_beat(in_beat),
        .val_valid(val_valid), .val_ready(val_ready), .val_beat(val_beat)
    );
    wire take = started && in_valid && in_ready;
    wire give = started && val_valid && val_ready;

    wire legal;
    wire o_legal;
    samhw_rules #(.DEPTH(2), .STOP_W(2), .W(3)) rules (
        .clk(clk), .rst(rst), .take(take), .beat(in_beat), .legal(legal), .state(), .after());
    samhw_rules #(.DEPTH(2), .STOP_W(2), .W(3)) o_rules (
        .clk(clk), .rst(rst), .take(give), .beat(val_beat), .legal(o_legal), .state(), .after());
    samhw_steady #(.W(7)) steady (
        .clk(clk), .started(started), .valid(in_valid), .ready(in_ready), .beat(in_beat));
    always @*
        assume (!in_valid || legal);

    wire       leaf  = !in_beat[6];
    wire       there = leaf && TABLE[{1'b0, !in_beat[5]}];
    wire       inner = leaf && in_beat[4:3] == 2'd0;
    reg        some  = 1'b0;
    reg  [2:0] last  = 3'd0;
    wire [2:0] value = (some ? last : 3'd5) + (in_beat[5] ? 3'd6 : in_beat[2:0]) + (STEPS == 2 ? 3'd3 : 3'd0);
    always @(posedge clk)
        if (take) begin
            some <= inner && (some || there);
            if (there)
                last <= value;
        end

    wire [2:0] owed;
    samhw_owed #(.W(7), .DEPTH(1)) beats (
        .clk(clk), .started(started), .put(take), .valid(val_valid), .ready(val_ready), .given(val_beat), .count(owed),
        .beat(leaf ? {1'b0, !there, in_beat[4:3], there ? value : 3'd0} : in_beat));
    samhw_soon #(.MOST(3)) moved (
        .clk(clk), .started(started), .waits(PROGRAM == 0 && in_valid && !in_ready && val_ready));

    always @*
        if (started) begin
            assert (val_valid == (owed != 3'd0));
            assert (!val_valid || o_legal);
            assert (!take || !there || ran_inside);
            assert (!(in_valid && (!val_valid || val_ready) && (!there || ran_inside)) || take);
        end

endmodule

`default_nettype wire
