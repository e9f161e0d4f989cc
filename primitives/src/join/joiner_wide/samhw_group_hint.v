// SPDX-License-Identifier: Apache-2.0
//
// What an operand of samhw_joiner_wide_skip need not give: nothing below the least coordinate of the other
// operand's group at hand that its own group there does not reach.
//
//   Consumes    here: the other operand has a head; over: of this fiber it has nothing more; leaves: that
//               head leaves, or the fiber is over; lanes: its coordinates, the lowest first. own_here: of
//               this operand, too; own: the largest coordinate there. fiber: number of the fiber.
//   Produces    {crd, over, fiber}: of what comes behind the group at hand nothing below crd (over: nothing)
//               is needed. Once for each head of the other operand and for each of its coordinates that is
//               reached.
//   Latency     1 cycle; every other one a coordinate more is found to be reached.
//   Parameters  CRD_W bits of a coordinate; TAG_W bits of a fiber's number; WIDE_LOG2: 2**WIDE_LOG2 lanes.
//   Reset       state bits.
`default_nettype none

module samhw_group_hint #(
    parameter CRD_W     = 16,
    parameter TAG_W     = 6,
    parameter WIDE_LOG2 = 1
) (
    input  wire                          clk,
    input  wire                          rst,

    input  wire                          here,
    input  wire                          over,
    input  wire                          leaves,
    input  wire [(CRD_W<<WIDE_LOG2)-1:0] lanes,
    input  wire                          own_here,
    input  wire [CRD_W-1:0]              own,
    input  wire [TAG_W-1:0]              fiber,

    output wire                          skip_valid,
    input  wire                          skip_ready,
    output wire [CRD_W+TAG_W:0]          skip_beat
);
    generate
        if (CRD_W < 1 || TAG_W < 1 || WIDE_LOG2 < 1) begin : g_parameters
            samhw_parameter_out_of_range refused ();
        end
    endgenerate

    localparam [WIDE_LOG2-1:0] ONE  = 1;
    localparam [WIDE_LOG2-1:0] LAST = {WIDE_LOG2{1'b1}};

    // Lane `at` is the least that is not known to be reached, unless the head is a new one.
    reg                  fresh;
    reg  [WIDE_LOG2-1:0] at;
    reg                  told;
    wire [WIDE_LOG2-1:0] lane  = fresh ? {WIDE_LOG2{1'b0}} : at;
    wire                 known = told && !fresh;
    wire [CRD_W-1:0]     least = lanes[lane*CRD_W +: CRD_W];

    // What was told last is compared, which is a register: if it is of this head, it is lane `at`.
    wire [CRD_W-1:0] last    = skip_beat[TAG_W+1 +: CRD_W];
    wire             free    = !skip_valid || skip_ready;
    wire             reached = known && own_here && at != LAST && own >= last;
    always @(posedge clk) begin
        fresh <= leaves;
        if (rst || fresh)
            at <= {WIDE_LOG2{1'b0}};
        else if (reached)
            at <= at + ONE;
        told <= !rst && !reached && (known || (here && free));
    end

    samhw_hint #(.CRD_W(CRD_W), .TAG_W(TAG_W)) u_hint (
        .clk(clk), .rst(rst),
        .send(here && !known), .over(over), .fiber(fiber), .crd(least),
        .valid(skip_valid), .ready(skip_ready), .beat(skip_beat)
    );

endmodule

`default_nettype wire
