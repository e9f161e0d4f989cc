// SPDX-License-Identifier: Apache-2.0
//
// Requests in: takes frames out of the bytes of a serial line and keeps those that are whole.
//
//   Consumes    bytes; 8'hc0 ends a frame, 8'hdb 8'hdc and 8'hdb 8'hdd stand for 8'hc0 and 8'hdb
//               in it. What comes while `hold` is 1 is lost with the frame it belongs to.
//   Produces    `request` for one cycle after the end of a good frame; then `header` and the
//               payload stay until `hold` has been 1 and is 0 again. `rejected` for one cycle after a
//               frame with a fault: its length, a byte, or its checksum.
//   Frame       7 bytes of header (lowest first: number, operation, words, address of 4), the
//               words if it writes (operation's lowest bit), 4 bytes of checksum.
//   Payload     byte `read_index` of it is on `read_byte` one cycle later.
//   Checksum    by a samhw_crc32 outside: `crc_clear`, `crc_feed` with `crc_data`, `crc`.
//   Parameters  WORD_LOG: log2 of the bytes in a word, 2 or 3.
//   Reset       what has come of a frame is dropped.
`default_nettype none

module samhw_link_rx #(
    parameter WORD_LOG = 2
) (
    input  wire        clk,
    input  wire        rst,

    input  wire        in_valid,
    input  wire [7:0]  in_byte,
    input  wire        in_error,

    input  wire        hold,
    output reg         request,
    output reg         rejected,
    output reg  [55:0] header,
    input  wire [8:0]  read_index,
    output reg  [7:0]  read_byte,

    output wire        crc_clear,
    output wire        crc_feed,
    output wire [7:0]  crc_data,
    input  wire [31:0] crc
);
    generate
        if (WORD_LOG < 2 || WORD_LOG > 3) begin : g_parameters
            samhw_parameter_out_of_range refused ();
        end
    endgenerate

    localparam [31:0] RESIDUE = 32'hdebb20e3;

    // Bytes of the frame, header and checksum included; 512 or more is too many.
    reg [9:0] length;
    reg       escaped;
    reg       fault;

    (* no_rw_check *)
    reg [7:0] payload [0:511];

    wire is_end = in_byte == 8'hc0;
    wire is_esc = in_byte == 8'hdb;
    wire [7:0] plain = escaped ? (in_byte == 8'hdc ? 8'hc0 : 8'hdb) : in_byte;
    wire wrong_escape = escaped && in_byte != 8'hdc && in_byte != 8'hdd;
    wire take = in_valid && !hold && !is_end && !is_esc;

    // The header's first three bytes, when all of it has come.
    wire        writes = header[8];
    wire [11:0] words  = {4'd0, header[23:16]};
    wire [11:0] expected = 12'd11 + (writes ? words << WORD_LOG : 12'd0);
    wire good = !fault && !escaped && {2'd0, length} == expected && crc == RESIDUE;

    assign crc_clear = in_valid && is_end && !hold;
    assign crc_feed  = take;
    assign crc_data  = plain;

    wire [8:0] place = length[8:0] - 9'd7;
    always @(posedge clk) begin
        if (take)
            payload[place] <= plain;
        read_byte <= payload[read_index];
    end

    always @(posedge clk) begin
        request <= 1'b0;
        rejected <= 1'b0;
        if (take && length < 10'd7)
            header <= {plain, header[55:8]};
        if (in_valid && is_end) begin
            // An end after an end is no frame.
            request <= !hold && good;
            rejected <= !hold && !good && (length != 10'd0 || fault || escaped);
            length <= 10'd0;
            escaped <= 1'b0;
            fault <= 1'b0;
        end else if (in_valid || in_error) begin
            escaped <= in_valid && is_esc;
            if (take)
                length <= length + 10'd1;
            if (hold || in_error || (escaped && (is_esc || wrong_escape)) || length[9])
                fault <= 1'b1;
        end
        if (rst) begin
            request <= 1'b0;
            rejected <= 1'b0;
            length <= 10'd0;
            escaped <= 1'b0;
            fault <= 1'b0;
        end
    end

endmodule

`default_nettype wire
