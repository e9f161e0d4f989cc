// SPDX-License-Identifier: Apache-2.0
//
// CRC-32 (IEEE 802.3, reflected, 32'hedb88320), one bit per cycle.
//
//   Consumes    `clear` begins a frame; `feed` takes `data`, not before `idle`.
//   Produces    `crc`: the register. What is sent is its complement, lowest byte first; over a
//               frame with its checksum it ends at 32'hdebb20e3.
//   Throughput  a byte per 9 cycles.
//   Reset       as `clear`.
`default_nettype none

module samhw_crc32 (
    input  wire        clk,
    input  wire        rst,

    input  wire        clear,
    input  wire        feed,
    input  wire [7:0]  data,

    output wire        idle,
    output reg  [31:0] crc
);

    reg [3:0] left;

    assign idle = left == 4'd0;

    always @(posedge clk) begin
        if (feed) begin
            crc <= {crc[31:8], crc[7:0] ^ data};
            left <= 4'd8;
        end else if (!idle) begin
            crc <= {1'b0, crc[31:1]} ^ (crc[0] ? 32'hedb88320 : 32'h0);
            left <= left - 4'd1;
        end
        if (rst || clear) begin
            crc <= 32'hffffffff;
            left <= 4'd0;
        end
    end

endmodule

`default_nettype wire
