// SPDX-License-Identifier: Apache-2.0
//
// Proof: each reference becomes a list of the selected coordinates with the references below, in order; an
// absent one, or a selection of none, an empty list. Of a canonical stream it makes a canonical one; what is
// offered stays until it is taken; a beat leaves in every cycle in which the consumer takes one.
// by: reachability
// case steps: COUNT=2
// case set: COUNT=2 LISTED=2
// case root: COUNT=2 ROOT=1
// case same: COUNT=1 BROADCAST=1
// case none: COUNT=0
// mutant samhw_scanner_part: hole <= r_kind == DONE ? NO_STOP : r_hole + ONE_UP; => hole <= r_hole + ONE_UP;
// mutant of steps samhw_scanner_part: assign r_pop = !full || f_pop; => assign r_pop = !full || emit;
// mutant of none samhw_scanner_part: r_kind == DATA && COUNT != {(CRD_W+1){1'b0}}; => r_kind == DATA;
// mutant of steps samhw_scanner_part: counted <= last ? FIRST : counted + STEP; => counted <= counted + STEP;
// mutant of set samhw_scanner_part: SET[place*REF_W +: REF_W]; => SET[0 +: REF_W];
// mutant of root samhw_scanner_part: crd   <= last ? TO_FIRST : crd + TO_STEP; => crd   <= crd + TO_STEP;
// mutant of same samhw_scanner_part: base <= ROOT != 0 ? {REF_W{1'b0}} : r_base; => base <= {REF_W{1'b0}};
`default_nettype none

module formal_scanner_part #(
    parameter COUNT     = 2,
    parameter LISTED    = 0,
    parameter ROOT      = 0,
    parameter BROADCAST = 0
) (
    input wire       clk,
    input wire [2:0] size,
    input wire       ref_valid,
    input wire [5:0] ref_beat,
    input wire       out_ready
);

    reg started = 1'b0;
    always @(posedge clk)
        started <= 1'b1;
    wire rst = !started;

    reg [2:0] dim;
    always @(posedge clk)
        if (!started)
            dim <= size;

    // Offsets 1 and 3, or 2 and 0; coordinates 1 and 0.
    wire       ref_ready;
    wire       out_valid;
    wire [7:0] out_beat;
    samhw_scanner_part #(
        .REF_IN_W(2), .REF_W(2), .DIM_W(3), .CRD_W(2), .STOP_W(2), .ROOT(ROOT), .BROADCAST(BROADCAST), .COUNT(COUNT),
        .FIRST(2'd1), .STEP(2'd2), .LISTED(LISTED), .SET(LISTED == 0 ? 4'd0 : 4'b0010), .TO_FIRST(2'd1), .TO_STEP(2'd3)
    ) dut (
        .clk(clk), .rst(rst), .dim(dim),
        .ref_valid(ref_valid), .ref_ready(ref_ready), .ref_beat(ref_beat),
        .out_valid(out_valid), .out_ready(out_ready), .out_beat(out_beat)
    );
    wire take = started && ref_valid && ref_ready;
    wire give = started && out_valid && out_ready;

    wire [1:0] kind = ref_beat[5:4];
    wire       legal;
    wire       o_legal;
    samhw_rules #(.DEPTH(1), .STOP_W(2), .W(2)) rules (
        .clk(clk), .rst(rst), .take(take), .beat(ref_beat), .legal(legal), .state(), .after());
    samhw_rules #(.DEPTH(2), .STOP_W(2), .W(2)) o_rules (
        .clk(clk), .rst(rst), .take(give), .beat({out_beat[7:4], out_beat[1:0]}), .legal(o_legal), .state(), .after());
    always @*
        assume (!ref_valid || (legal && (ROOT == 0 || kind != 2'd0 || ref_beat[1:0] == 2'd0)));

    wire       any;
    wire [1:0] o_kind;
    wire [1:0] stop;
    wire [1:0] hole;
    wire [1:0] at;
    wire [1:0] left;
    // How many are left stands for the place: none, one or two.
    samhw_fibers #(.W(2), .STOP_W(2), .DEPTH(2)) fibers (
        .clk(clk), .started(started), .put(take), .list(kind == 2'd0 && COUNT != 0), .len(COUNT[1:0]), .first(2'd0),
        .stop(kind == 2'd3 ? 2'd0 : ref_beat[3:2] + 2'd1),
        .hole(kind == 2'd3 ? 2'd0 : kind == 2'd2 ? ref_beat[1:0] + 2'd1 : 2'd1), .step(give), .many(2'd1),
        .any(any), .kind(o_kind), .stop_at(stop), .hole_at(hole), .place(at), .left(left));

    // The references of the fibers owed, in a queue of their own.
    wire       over = give && (o_kind[1] || left == 2'd1);
    reg  [1:0] now;
    reg  [1:0] next;
    reg        two = 1'b0;
    always @(posedge clk)
        if (started) begin
            two <= take ? any && (two || !over) : two && !over;
            if (over || !any)
                now <= two ? next : ref_beat[1:0];
            if (take)
                next <= ref_beat[1:0];
        end
    samhw_soon #(.MOST(2)) given (.clk(clk), .started(started), .waits(any && !out_valid));
    samhw_soon #(.MOST(2)) taken (
        .clk(clk), .started(started), .waits(ref_valid && !ref_ready && out_ready && !out_valid)
    );

    wire [1:0] offset = BROADCAST != 0 ? 2'd0 : LISTED == 0 ? {at[0], 1'b1} : {!at[0], 1'b0};
    wire [1:0] base   = ROOT != 0 ? 2'd0 : BROADCAST != 0 ? now : now * dim[1:0];
    wire [1:0] child  = base + offset;
    wire [1:0] crd    = {1'b0, !at[0]};
    always @*
        if (started) begin
            assert (!out_valid || any);
            assert (!out_valid || out_beat == {o_kind, stop, o_kind[1] ? 2'd0 : child, o_kind[1] ? hole : crd});
            assert (!out_valid || o_legal);
        end

endmodule

`default_nettype wire
