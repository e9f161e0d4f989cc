// SPDX-License-Identifier: Apache-2.0
//
// Replies out: bytes of a frame to bytes of a serial line.
//
//   Consumes    a byte when send_valid and send_ready. With `send_end` it is the end of a frame,
//               whatever send_byte is; send_sum keeps it out of the checksum.
//   Produces    out_*: the byte, or two where it would be taken for an end or an escape.
//   Checksum    by a samhw_crc32 outside: `crc_feed` with `crc_data`, not before `crc_idle`.
//   Reset       an escape half sent is dropped.
`default_nettype none

module samhw_link_tx (
    input  wire       clk,
    input  wire       rst,

    input  wire       send_valid,
    output wire       send_ready,
    input  wire [7:0] send_byte,
    input  wire       send_end,
    input  wire       send_sum,

    output wire       out_valid,
    input  wire       out_ready,
    output wire [7:0] out_byte,

    output wire       crc_feed,
    output wire [7:0] crc_data,
    input  wire       crc_idle
);

    // The second of two bytes is next.
    reg second;

    wire is_end  = send_byte == 8'hc0;
    wire special = !send_end && (is_end || send_byte == 8'hdb);

    assign out_valid  = send_valid && crc_idle;
    assign out_byte   = send_end ? 8'hc0
                      : second ? (is_end ? 8'hdc : 8'hdd)
                      : special ? 8'hdb : send_byte;
    assign send_ready = out_ready && crc_idle && (second || !special);
    assign crc_feed   = send_valid && send_ready && !send_end && !send_sum;
    assign crc_data   = send_byte;

    always @(posedge clk)
        if (rst)
            second <= 1'b0;
        else if (out_valid && out_ready)
            second <= special && !second;

endmodule

`default_nettype wire
