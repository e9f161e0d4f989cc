// SPDX-License-Identifier: Apache-2.0
//
// Proof: of those that want something one is picked, in the same cycle; none else ever. One that goes on
// wanting is picked before any other is picked twice. With ANEW the first of those that want something is
// picked in the cycle after one in which none did.
// by: reachability
// case on: ANEW=0
// case anew: ANEW=1
// mutant samhw_pick: wire [N-1:0] high = wants & behind; => wire [N-1:0] high = {N{1'b0}};
// mutant samhw_pick: behind <= ~(pick | (pick - ONE)); => behind <= ~(pick - ONE);
// mutant samhw_pick: wire [N-1:0] from = high != {N{1'b0}} ? high : wants; => wire [N-1:0] from = high;
// mutant of anew samhw_pick: else if (ANEW != 0 || pick => else if (pick
`default_nettype none

module formal_pick #(
    parameter ANEW = 0
) (
    input wire       clk,
    input wire [1:0] any,
    input wire [2:0] wants
);

    reg started = 1'b0;
    always @(posedge clk)
        started <= 1'b1;
    wire rst = !started;

    // One is watched.
    reg [1:0] who;
    always @(posedge clk)
        if (!started)
            who <= any == 2'd3 ? 2'd0 : any;

    wire [2:0] pick;
    samhw_pick #(.N(3), .ANEW(ANEW)) dut (.clk(clk), .rst(rst), .wants(wants), .pick(pick));

    // Those that were picked since it has been wanting, and whether none wanted anything.
    reg  [2:0] others = 3'd0;
    reg        calm   = 1'b1;
    wire       mine   = pick[who];
    always @(posedge clk) begin
        others <= started && wants[who] && !mine ? others | pick : 3'd0;
        calm   <= !started || wants == 3'd0;
    end

    always @*
        if (started) begin
            assert ((pick == 3'd0) == (wants == 3'd0));
            assert ((pick & ~wants) == 3'd0);
            assert (pick == 3'd0 || pick == 3'd1 || pick == 3'd2 || pick == 3'd4);
            assert (!wants[who] || (pick & others) == 3'd0);
            assert (!calm || ANEW == 0 || !wants[0] || pick == 3'd1);
        end

endmodule

`default_nettype wire
