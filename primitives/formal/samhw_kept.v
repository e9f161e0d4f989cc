// SPDX-License-Identifier: Apache-2.0
//
// What an output offers, in proofs: a beat stays until it is taken. Where the beats are known, samhw_owed says more.
`default_nettype none

module samhw_kept #(
    parameter W = 8
) (
    input wire         clk,
    input wire         started,
    input wire         valid,
    input wire         ready,
    input wire [W-1:0] beat
);

    reg         stays = 1'b0;
    reg [W-1:0] was;
    always @(posedge clk) begin
        stays <= started && valid && !ready;
        was   <= beat;
    end

    always @*
        assert (!stays || (valid && beat == was));

endmodule

`default_nettype wire
