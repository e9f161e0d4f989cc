// SPDX-License-Identifier: Apache-2.0
//
// Proof: references leave in order, each times the size, with their kinds, stops and holes, however the user
// waits; one that waits lets those behind it come as close as there is room; a beat leaves, and one is taken,
// within two cycles of the user's. With two limbs' registers in the product.
// by: reachability
// mutant samhw_scale: assign r_pop              = out_ready || !valids[DEPTH-1]; => assign r_pop              = 1'b1;
// mutant samhw_scale: assign r_pop              = out_ready || !valids[DEPTH-1];
//     => assign r_pop              = out_ready;
// mutant samhw_scale: if (r_pop)\n                        metas <= => if (out_ready)\n                        metas <=
// mutant samhw_scale: .en(r_pop) => .en(out_ready)
`default_nettype none

module formal_scale (
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

    wire        ref_ready;
    wire        out_valid;
    wire [1:0]  kind;
    wire [1:0]  stop;
    wire [1:0]  hole;
    wire [18:0] base;
    samhw_scale #(.REF_IN_W(2), .REF_W(19), .DIM_W(3), .STOP_W(2), .DEPTH(2)) dut (
        .clk(clk), .rst(rst), .dim(dim),
        .ref_valid(ref_valid), .ref_ready(ref_ready), .ref_beat(ref_beat),
        .out_valid(out_valid), .out_ready(out_ready), .kind(kind), .stop(stop), .hole(hole), .base(base)
    );
    wire take = started && ref_valid && ref_ready;
    wire give = started && out_valid && out_ready;

    // What is owed, the oldest first.
    reg [1:0] many = 2'd0;
    reg [5:0] now;
    reg [5:0] next;
    always @(posedge clk)
        if (started) begin
            many <= many + {1'b0, take} - {1'b0, give};
            if (give || many == 2'd0)
                now <= many == 2'd2 ? next : ref_beat;
            if (take)
                next <= ref_beat;
        end
    samhw_soon #(.MOST(2)) given (.clk(clk), .started(started), .waits(many != 2'd0 && !out_valid));

    wire [4:0] product = {3'd0, now[1:0]} * {2'd0, dim};
    always @*
        if (started) begin
            assert (many != 2'd3);
            assert (!out_valid || many != 2'd0);
            assert (!out_valid || {kind, stop, hole} == now);
            assert (!out_valid || base == {14'd0, product});
            assert (!ref_valid || ref_ready || (out_valid && !out_ready));
        end

endmodule

`default_nettype wire
