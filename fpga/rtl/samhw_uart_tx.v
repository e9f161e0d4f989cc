// SPDX-License-Identifier: Apache-2.0
//
// Serial line out: 8 data bits, no parity, one stop bit.
//
//   Consumes    a byte when byte_valid and byte_ready.
//   Produces    tx; idle is 1.
//   Throughput  a byte per 10 * DIVISOR cycles.
//   Parameters  DIVISOR: clock cycles per bit, at least 4.
//   Reset       the line goes idle, a byte on its way is lost.
`default_nettype none

module samhw_uart_tx #(
    parameter DIVISOR = 25
) (
    input  wire       clk,
    input  wire       rst,

    input  wire       byte_valid,
    output wire       byte_ready,
    input  wire [7:0] byte_data,

    output wire       tx
);
    generate
        if (DIVISOR < 4) begin : g_parameters
            samhw_parameter_out_of_range refused ();
        end
    endgenerate

    localparam COUNT_W = $clog2(DIVISOR);
    localparam integer FULL = DIVISOR - 1;

    reg               busy;
    reg [COUNT_W-1:0] count;
    reg [3:0]         left;
    // Lowest bit is on the line.
    reg [8:0]         shift;

    assign byte_ready = !busy;
    assign tx         = shift[0];

    wire step = count == {COUNT_W{1'b0}};

    always @(posedge clk) begin
        if (!busy) begin
            busy <= byte_valid;
            count <= FULL[COUNT_W-1:0];
            left <= 4'd9;
            if (byte_valid)
                shift <= {byte_data, 1'b0};
        end else begin
            count <= step ? FULL[COUNT_W-1:0] : count - 1'b1;
            if (step) begin
                shift <= {1'b1, shift[8:1]};
                left <= left - 4'd1;
                busy <= left != 4'd0;
            end
        end
        if (rst) begin
            busy <= 1'b0;
            shift <= {9{1'b1}};
        end
    end

endmodule

`default_nettype wire
