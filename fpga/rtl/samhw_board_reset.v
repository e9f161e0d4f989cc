// SPDX-License-Identifier: Apache-2.0
//
// Reset of a board design: after configuration, and while a button is pressed.
//
//   Consumes    button, asynchronous, 1 when pressed; bounces only prolong the reset.
//   Produces    rst, synchronous, for 15 cycles after configuration and after the button.
//   Reset       the counter begins at 0 by configuration.
`default_nettype none

module samhw_board_reset (
    input  wire clk,
    input  wire button,
    output wire rst
);

    reg [1:0] sync;
    reg [3:0] count;
    reg       done;

    initial begin
        sync = 2'b00;
        count = 4'd0;
        done = 1'b0;
    end

    assign rst = !done;

    always @(posedge clk) begin
        sync <= {sync[0], button};
        if (sync[1]) begin
            count <= 4'd0;
            done <= 1'b0;
        end else begin
            count <= done ? count : count + 4'd1;
            done <= done || count == 4'd14;
        end
    end

endmodule

`default_nettype wire
