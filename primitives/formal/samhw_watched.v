// SPDX-License-Identifier: Apache-2.0
//
// One list of those that pass, in proofs of what lists go through one after the other: drawn and any.
//
//   Consumes    in: a beat that is taken, and whether it ends its list; `pick`: the list that begins with it
//               is the one. out: a beat that is given, and whether it ends its list. Before `started` nothing
//               counts.
//   Produces    now: the beat that is taken is of the list; first: its first. lists: that have ended and not left;
//               leaves: what is given next is of the list.
//   Parameters  MOST lists at a time, up to 14.
`default_nettype none

module samhw_watched #(
    parameter MOST = 6
) (
    input  wire       clk,
    input  wire       started,
    input  wire       pick,
    input  wire       in,
    input  wire       in_ends,
    input  wire       out,
    input  wire       out_ends,
    output wire       now,
    output wire       first,
    output reg  [3:0] lists,
    output wire       leaves
);

    localparam [31:0] LIMIT = MOST;

    reg        begins  = 1'b1;
    reg        picked  = 1'b0;
    reg        arrives = 1'b0;
    reg        owed    = 1'b0;
    reg  [3:0] ahead   = 4'd0;
    wire       left    = out && out_ends;
    assign first  = in && begins && pick && !picked;
    assign now    = first || (in && arrives);
    assign leaves = owed && ahead == 4'd0;

    initial lists = 4'd0;
    always @(posedge clk)
        if (started) begin
            lists <= lists + {3'd0, in && in_ends} - {3'd0, left};
            if (in)
                begins <= in_ends;
            if (now) begin
                picked  <= 1'b1;
                arrives <= !in_ends;
            end
            owed  <= (now && in_ends) || (owed && !(left && leaves));
            if (first || ahead != 4'd0)
                ahead <= (first ? lists : ahead) - {3'd0, left};
        end

    always @*
        if (started)
            assert (lists <= LIMIT[3:0] && (!out || lists != 4'd0));

endmodule

`default_nettype wire
