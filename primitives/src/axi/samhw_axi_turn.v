// SPDX-License-Identifier: Apache-2.0
//
// Chooses among ports that want something, one after the other.
//
//   Consumes    wants: a bit per port; beats: what each wants, stable while it does.
//   Produces    granted: at most one bit, in the cycle after; beat {port, what it wants}, for granted.
//   Parameters  N ports, W bits of what one wants, ID_W bits of a port's number.
//   Reset       granted, and whose turn it is.
`default_nettype none

module samhw_axi_turn #(
    parameter N    = 2,
    parameter W    = 8,
    parameter ID_W = 1
) (
    input  wire              clk,
    input  wire              rst,

    input  wire [N-1:0]      wants,
    input  wire [N*W-1:0]    beats,
    output reg  [N-1:0]      granted,
    output reg  [ID_W+W-1:0] beat
);
    generate
        if (N < 1 || W < 1 || ID_W < 1) begin : g_parameters
            samhw_parameter_out_of_range refused ();
        end
    endgenerate

    wire [N-1:0] pick;
    samhw_pick #(.N(N)) u_pick (.clk(clk), .rst(rst), .wants(wants), .pick(pick));

    integer k;
    always @* begin
        beat = {(ID_W+W){1'b0}};
        for (k = 0; k < N; k = k + 1)
            if (granted[k])
                beat = {k[ID_W-1:0], beats[k*W +: W]};
    end

    always @(posedge clk)
        granted <= rst ? {N{1'b0}} : pick;

    wire _unused_ok = &{1'b0, k, 1'b0};

endmodule

`default_nettype wire
