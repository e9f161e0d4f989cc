// SPDX-License-Identifier: Apache-2.0
//
// Storage of a memory: one write port, one registered read port. Becomes block RAM.
//
//   Write       `write_data` goes to `write_addr` at an edge with `write`. A write at or beyond
//               WORDS changes nothing.
//   Read        `read_data` is the word at `read_addr` after an edge with `read`, and holds until
//               the next one. A word written at the same edge is read at its old value in
//               simulation and is unspecified in hardware. A read at or beyond WORDS gives an
//               unspecified word (an assertion in simulation).
//   Parameters  ADDR_W address bits, DATA_W bits of a word, WORDS their number (at least 1, at
//               most 2**ADDR_W).
//   Reset       none.
`default_nettype none

module samhw_ram #(
    parameter ADDR_W = 8,
    parameter DATA_W = 16,
    parameter WORDS  = 256
) (
    input  wire              clk,

    input  wire              write,
    input  wire [ADDR_W-1:0] write_addr,
    input  wire [DATA_W-1:0] write_data,

    input  wire              read,
    input  wire [ADDR_W-1:0] read_addr,
    output reg  [DATA_W-1:0] read_data
);
    generate
        if (ADDR_W < 1 || DATA_W < 1 || WORDS < 1
            || (ADDR_W < 31 && WORDS > 1 << ADDR_W)) begin : g_parameters
            samhw_parameter_out_of_range refused ();
        end
    endgenerate

    localparam DEPTH   = WORDS > 2 ? WORDS : 2;
    localparam INDEX_W = $clog2(DEPTH);

    // Synthesis may return anything where a word is read at the edge that writes it.
    (* no_rw_check *)
    reg [DATA_W-1:0] words [0:DEPTH-1];

    // Address bits that no word needs must be 0.
    wire write_here;
    generate
        if (ADDR_W > INDEX_W) begin : g_high
            assign write_here = write_addr[ADDR_W-1:INDEX_W] == {(ADDR_W-INDEX_W){1'b0}};
            wire _unused_ok = &{1'b0, read_addr[ADDR_W-1:INDEX_W], 1'b0};
        end else begin : g_all
            assign write_here = 1'b1;
        end
    endgenerate

    always @(posedge clk) begin
        if (write && write_here)
            words[write_addr[INDEX_W-1:0]] <= write_data;
        if (read)
            read_data <= words[read_addr[INDEX_W-1:0]];
    end

`ifdef SAMHW_ASSERT
    localparam [31:0] BOUND = WORDS;
    wire [32+ADDR_W-1:0] wide_addr = {32'd0, read_addr};
    always @(posedge clk)
        if (read && wide_addr >= {{ADDR_W{1'b0}}, BOUND}) begin
            $display("samhw_ram: read beyond the memory");
            $stop;
        end
`endif

endmodule

`default_nettype wire
