// SPDX-License-Identifier: Apache-2.0
//
// Greatest common divisor of the whole parts of two floats, as integers.
//
//   Consumes    start, with arguments that stay until `done`.
//   Produces    done, with the result y, until `take`.
//   Throughput  one value per run. A run takes 8 cycles and the steps of samhw_gcd: two to whole parts,
//               four from them.
//   Parameters  EXP, MAN: bits of a float's exponent and fraction; PART_W of a whole part, which saturates.
//   Reset       state.
`default_nettype none

module samhw_gcd_parts #(
    parameter EXP    = 8,
    parameter MAN    = 23,
    parameter PART_W = 64
) (
    input  wire             clk,
    input  wire             rst,
    input  wire             start,
    input  wire [EXP+MAN:0] a,
    input  wire [EXP+MAN:0] b,
    output wire             done,
    input  wire             take,
    output wire [EXP+MAN:0] y
);
    generate
        if (EXP < 3 || MAN < 1 || PART_W < 2) begin : g_parameters
            samhw_parameter_out_of_range refused ();
        end
    endgenerate

    localparam W = 1 + EXP + MAN;

    // Cycles for which the arguments, and the divisor, have been there.
    reg  [1:0]        ahead;
    reg  [2:0]        behind;
    wire              found;
    wire              taken = done && take;
    wire [PART_W-1:0] a_part;
    wire [PART_W-1:0] b_part;
    wire [PART_W-1:0] divisor;
    assign done = found && behind == 3'd4;

    samhw_convert_op #(
        .FROM_W(W), .FROM_EXP(EXP), .FROM_MAN(MAN), .TO_W(PART_W), .TO_EXP(0), .TO_MAN(0), .HOW(2), .DEPTH(2)
    ) u_a (
        .clk(clk), .en(1'b1), .x(a), .y(a_part)
    );
    samhw_convert_op #(
        .FROM_W(W), .FROM_EXP(EXP), .FROM_MAN(MAN), .TO_W(PART_W), .TO_EXP(0), .TO_MAN(0), .HOW(2), .DEPTH(2)
    ) u_b (
        .clk(clk), .en(1'b1), .x(b), .y(b_part)
    );
    samhw_gcd #(.W(PART_W), .SIGNED(1)) u_gcd (
        .clk(clk), .rst(rst), .start(start && ahead == 2'd2), .a(a_part), .b(b_part), .done(found), .take(taken),
        .y(divisor)
    );
    samhw_convert_op #(.FROM_W(PART_W), .TO_W(W), .TO_EXP(EXP), .TO_MAN(MAN), .HOW(0), .DEPTH(4)) u_y (
        .clk(clk), .en(1'b1), .x(divisor), .y(y)
    );

    always @(posedge clk)
        if (rst || taken) begin
            ahead  <= 2'd0;
            behind <= 3'd0;
        end else begin
            if (start && ahead != 2'd2)
                ahead <= ahead + 2'd1;
            if (found && behind != 3'd4)
                behind <= behind + 3'd1;
        end

endmodule

`default_nettype wire
