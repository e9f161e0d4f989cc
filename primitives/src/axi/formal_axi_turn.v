// SPDX-License-Identifier: Apache-2.0
//
// Proof: whenever ports want something one of them is granted in the cycle after, with its number and what it
// wants; none else ever. One that goes on wanting is granted before any other is granted twice.
// by: reachability
// mutant samhw_pick: wire [N-1:0] high = wants & behind; => wire [N-1:0] high = {N{1'b0}};
// mutant samhw_pick: behind <= ~(pick | (pick - ONE)); => behind <= ~(pick - ONE);
// mutant samhw_pick: wire [N-1:0] from = high != {N{1'b0}} ? high : wants; => wire [N-1:0] from = high;
// mutant samhw_axi_turn: beat = {k[ID_W-1:0], beats[k*W +: W]}; => beat = {k[ID_W-1:0], beats[W-1:0]};
`default_nettype none

module formal_axi_turn (
    input wire       clk,
    input wire [1:0] any,
    input wire [2:0] wants,
    input wire [2:0] beats
);

    reg started = 1'b0;
    always @(posedge clk)
        started <= 1'b1;
    wire rst = !started;

    // One port is watched.
    reg [1:0] who;
    always @(posedge clk)
        if (!started)
            who <= any == 2'd3 ? 2'd0 : any;

    wire [2:0] granted;
    wire [2:0] beat;
    samhw_axi_turn #(.N(3), .W(1), .ID_W(2)) dut (
        .clk(clk), .rst(rst), .wants(wants), .beats(beats), .granted(granted), .beat(beat));

    // What it wants is stable, also in the cycle in which it is granted.
    reg  [2:0] wanted = 3'd0;
    reg  [2:0] was;
    always @(posedge clk) begin
        wanted <= started ? wants : 3'd0;
        was    <= beats;
    end
    always @* begin
        assume (!wanted[0] || beats[0] == was[0]);
        assume (!wanted[1] || beats[1] == was[1]);
        assume (!wanted[2] || beats[2] == was[2]);
    end

    // Ports that were granted something since it has been wanting.
    reg  [2:0] others = 3'd0;
    wire       mine   = granted[who];
    always @(posedge clk)
        others <= started && wanted[who] && !mine ? others | granted : 3'd0;

    always @*
        if (started) begin
            assert ((granted == 3'd0) == (wanted == 3'd0));
            assert ((granted & ~wanted) == 3'd0);
            assert (granted == 3'd0 || granted == 3'd1 || granted == 3'd2 || granted == 3'd4);
            assert (!granted[0] || beat == {2'd0, was[0]});
            assert (!granted[1] || beat == {2'd1, was[1]});
            assert (!granted[2] || beat == {2'd2, was[2]});
            assert (!wanted[who] || (granted & others) == 3'd0);
        end

endmodule

`default_nettype wire
