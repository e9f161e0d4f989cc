// SPDX-License-Identifier: Apache-2.0
//
// Serial line in: 8 data bits, no parity, one stop bit.
//
//   Consumes    rx, asynchronous; idle is 1.
//   Produces    byte_valid for one cycle with byte_data, in the middle of the stop bit. A byte
//               whose stop bit is 0 is dropped: framing_error for one cycle instead.
//   Parameters  DIVISOR: clock cycles per bit, at least 4.
//   Reset       the state of the receiver; the line is then taken to be idle.
`default_nettype none

module samhw_uart_rx #(
    parameter DIVISOR = 25
) (
    input  wire       clk,
    input  wire       rst,

    input  wire       rx,

    output reg        byte_valid,
    output wire [7:0] byte_data,
    output reg        framing_error
);
    generate
        if (DIVISOR < 4) begin : g_parameters
            samhw_parameter_out_of_range refused ();
        end
    endgenerate

    localparam COUNT_W = $clog2(DIVISOR);
    // As integers, so that they take part in widths of their own; both fit COUNT_W bits.
    localparam integer FULL = DIVISOR - 1;
    localparam integer HALF = DIVISOR / 2 - 1;

    // Two stages against metastability, a third to see the falling edge.
    reg [2:0]         line;
    reg               busy;
    reg [COUNT_W-1:0] count;
    reg [3:0]         left;
    reg [7:0]         shift;

    assign byte_data = shift;

    wire sample = busy && count == {COUNT_W{1'b0}};

    always @(posedge clk) begin
        line <= {line[1:0], rx};
        byte_valid <= 1'b0;
        framing_error <= 1'b0;
        if (!busy)
            count <= HALF[COUNT_W-1:0];
        else
            count <= sample ? FULL[COUNT_W-1:0] : count - 1'b1;
        if (!busy) begin
            busy <= line[2] && !line[1];
            // The start bit in its middle, eight data bits, the stop bit.
            left <= 4'd9;
        end else if (sample) begin
            left <= left - 4'd1;
            if (left != 4'd0)
                shift <= {line[1], shift[7:1]};
            if (left == 4'd9) begin
                // A spike is no start bit.
                busy <= !line[1];
            end else if (left == 4'd0) begin
                busy <= 1'b0;
                byte_valid <= line[1];
                framing_error <= !line[1];
            end
        end
        if (rst) begin
            line <= 3'b111;
            busy <= 1'b0;
            byte_valid <= 1'b0;
            framing_error <= 1'b0;
        end
    end

endmodule

`default_nettype wire
