// SPDX-License-Identifier: Apache-2.0
//
// Storage of a memory of which neighbouring words are read together: a RAM per word of an answer.
//
//   Write       as samhw_ram, a word.
//   Read        `read_data` are the 2**WIDE_LOG2 words from `read_addr` on (`read_row`: one more than
//               read_addr >> WIDE_LOG2), the first one lowest, after an edge with `read`, with LATE for a
//               cycle from the next edge on; all of them must be in the memory (an assertion in simulation).
//   Parameters  ADDR_W (more than WIDE_LOG2), DATA_W, WORDS as in samhw_ram; WIDE_LOG2, at least 1; LATE: a
//               register between the RAMs and the turn of their words.
//   Reset       none.
`default_nettype none

module samhw_ram_wide #(
    parameter ADDR_W    = 8,
    parameter DATA_W    = 16,
    parameter WORDS     = 256,
    parameter WIDE_LOG2 = 2,
    parameter LATE      = 0
) (
    input  wire                           clk,

    input  wire                           write,
    input  wire [ADDR_W-1:0]              write_addr,
    input  wire [DATA_W-1:0]              write_data,

    input  wire                           read,
    input  wire [ADDR_W-1:0]              read_addr,
    input  wire [ADDR_W-1:0]              read_row,
    output wire [(DATA_W<<WIDE_LOG2)-1:0] read_data
);
    generate
        if (ADDR_W < 1 || DATA_W < 1 || WORDS < 1
            || (ADDR_W < 31 && WORDS > 1 << ADDR_W)
            || WIDE_LOG2 < 1 || ADDR_W <= WIDE_LOG2
            || LATE < 0 || LATE > 1) begin : g_parameters
            samhw_parameter_out_of_range refused ();
        end
    endgenerate

    localparam WIDE       = 1 << WIDE_LOG2;
    localparam BANK_WORDS = (WORDS + WIDE - 1) / WIDE;

    // Word a lies in bank a mod WIDE at a/WIDE; banks below the first word's give words of the next row.
    wire [ADDR_W-1:0]      row   = read_addr >> WIDE_LOG2;
    wire [WIDE_LOG2-1:0]   first = read_addr[WIDE_LOG2-1:0];
    wire [WIDE*DATA_W-1:0] stored;
    wire [WIDE*DATA_W-1:0] words;
    reg  [WIDE_LOG2-1:0]   turn_read;
    wire [WIDE_LOG2-1:0]   turn;
    wire [WIDE-1:0]        passed = ~({WIDE{1'b1}} << first);

    genvar b;
    generate
        for (b = 0; b < WIDE; b = b + 1) begin : g_bank
            localparam [WIDE_LOG2-1:0] BANK = b;
            samhw_ram #(.ADDR_W(ADDR_W), .DATA_W(DATA_W), .WORDS(BANK_WORDS)) u_bank (
                .clk(clk),
                .write(write && write_addr[WIDE_LOG2-1:0] == BANK), .write_addr(write_addr >> WIDE_LOG2),
                .write_data(write_data),
                .read(read), .read_addr(passed[b] ? read_row : row), .read_data(stored[b*DATA_W +: DATA_W])
            );
            // Lane b of the answer.
            reg [DATA_W-1:0] lane;
            integer          t;
            always @* begin
                lane = words[b*DATA_W +: DATA_W];
                for (t = 1; t < WIDE; t = t + 1)
                    if (turn == t[WIDE_LOG2-1:0])
                        lane = words[((t + b) % WIDE)*DATA_W +: DATA_W];
            end
            assign read_data[b*DATA_W +: DATA_W] = lane;
        end
    endgenerate

    always @(posedge clk)
        if (read)
            turn_read <= first;

    generate
        if (LATE != 0) begin : g_late
            reg [WIDE*DATA_W-1:0] words_late;
            reg [WIDE_LOG2-1:0]   turn_late;
            always @(posedge clk) begin
                words_late <= stored;
                turn_late  <= turn_read;
            end
            assign words = words_late;
            assign turn  = turn_late;
        end else begin : g_at_once
            assign words = stored;
            assign turn  = turn_read;
        end
    endgenerate

`ifdef SAMHW_ASSERT
    localparam [31:0] BOUND = WORDS;
    localparam [31:0] LAST  = WIDE - 1;
    wire [32+ADDR_W-1:0] last = {32'd0, read_addr} + {{ADDR_W{1'b0}}, LAST};
    always @(posedge clk)
        if (read && last >= {{ADDR_W{1'b0}}, BOUND}) begin
            $display("samhw_ram_wide: read beyond the memory");
            $stop;
        end
`endif

endmodule

`default_nettype wire
