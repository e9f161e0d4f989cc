// SPDX-License-Identifier: Apache-2.0
//
// Proof: `wrong` is told two cycles after the first pair of segments that goes back or leads beyond the
// array, and for no other.
// mutant samhw_axi_bounds: wide_end > wide_limit => wide_end >= wide_limit
// mutant samhw_axi_bounds: s_end < s_begin => s_end <= s_begin
// mutant samhw_axi_bounds: wrong   <= wrong || (s_valid => wrong   <= (s_valid
`default_nettype none

module formal_axi_bounds (
    input wire       clk,
    input wire [2:0] size,
    input wire       told,
    input wire [3:0] bounds
);

    reg started = 1'b0;
    always @(posedge clk)
        started <= 1'b1;
    wire rst = !started;

    reg [2:0] limit;
    always @(posedge clk)
        if (!started)
            limit <= size;

    wire wrong;
    samhw_axi_bounds #(.DATA_W(2), .LIMIT_W(3)) dut (
        .clk(clk), .rst(rst), .limit(limit), .told(told), .bounds(bounds), .wrong(wrong));

    reg bad  = 1'b0;
    reg late = 1'b0;
    always @(posedge clk) begin
        bad  <= bad || (started && told && (bounds[3:2] < bounds[1:0] || {1'b0, bounds[3:2]} > limit));
        late <= bad;
    end

    always @*
        if (started)
            assert (wrong == late);

endmodule

`default_nettype wire
