// SPDX-License-Identifier: Apache-2.0
//
// Storage of a memory: one write port, one or two registered read ports. Becomes block RAM. Of two reads the first
// one shares a port of the RAM with the write: an address for both.
//
//   Write       `write_data` goes to `write_addr` at an edge with `write`. A write at or beyond
//               WORDS changes nothing.
//   Read        `read_data` is the word at `read_addr` after an edge with `read`, and holds until
//               the next one. A word written at the same edge is read at its old value in
//               simulation and is unspecified in hardware. A read at or beyond WORDS gives an
//               unspecified word (an assertion in simulation).
//               Of two the first one is lowest, and does not ask at an edge with `write`.
//   Parameters  ADDR_W address bits, DATA_W bits of a word, WORDS their number (at least 1, at
//               most 2**ADDR_W); PORTS to read, 1 or 2.
//   Reset       none.
`default_nettype none

module samhw_ram #(
    parameter ADDR_W = 8,
    parameter DATA_W = 16,
    parameter WORDS  = 256,
    parameter PORTS  = 1
) (
    input  wire                    clk,

    input  wire                    write,
    input  wire [ADDR_W-1:0]       write_addr,
    input  wire [DATA_W-1:0]       write_data,

    input  wire [PORTS-1:0]        read,
    input  wire [PORTS*ADDR_W-1:0] read_addr,
    output wire [PORTS*DATA_W-1:0] read_data
);
    generate
        if (ADDR_W < 1 || DATA_W < 1 || WORDS < 1
            || (ADDR_W < 31 && WORDS > 1 << ADDR_W)
            || PORTS < 1 || PORTS > 2) begin : g_parameters
            samhw_parameter_out_of_range refused ();
        end
    endgenerate

    localparam DEPTH   = WORDS > 2 ? WORDS : 2;
    localparam INDEX_W = $clog2(DEPTH);

    // Synthesis may return anything where a word is read at the edge that writes it.
    (* no_rw_check *)
    reg [DATA_W-1:0] words [0:DEPTH-1];

    wire [ADDR_W-1:0] first  = PORTS > 1 && write ? write_addr : read_addr[ADDR_W-1:0];
    wire [ADDR_W-1:0] stored = PORTS > 1 ? first : write_addr;

    // Address bits that no word needs must be 0.
    wire write_here;
    generate
        if (ADDR_W > INDEX_W) begin : g_high
            assign write_here = stored[ADDR_W-1:INDEX_W] == {(ADDR_W-INDEX_W){1'b0}};
            wire _unused_ok = &{1'b0, first[ADDR_W-1:INDEX_W], 1'b0};
        end else begin : g_all
            assign write_here = 1'b1;
        end
    endgenerate

    reg [DATA_W-1:0] word;
    assign read_data[DATA_W-1:0] = word;
    always @(posedge clk) begin
        if (write && write_here)
            words[stored[INDEX_W-1:0]] <= write_data;
        if (read[0])
            word <= words[first[INDEX_W-1:0]];
    end

    generate
        if (PORTS > 1) begin : g_second
            wire [ADDR_W-1:0] second = read_addr[(PORTS-1)*ADDR_W +: ADDR_W];
            reg  [DATA_W-1:0] late;
            assign read_data[(PORTS-1)*DATA_W +: DATA_W] = late;
            always @(posedge clk)
                if (read[PORTS-1])
                    late <= words[second[INDEX_W-1:0]];
            if (ADDR_W > INDEX_W) begin : g_high
                wire _unused_ok = &{1'b0, second[ADDR_W-1:INDEX_W], 1'b0};
            end
        end
    endgenerate

`ifdef SAMHW_ASSERT
    localparam [31:0] BOUND = WORDS;
    genvar p;
    generate
        for (p = 0; p < PORTS; p = p + 1) begin : g_bound
            wire [32+ADDR_W-1:0] wide_addr = {32'd0, read_addr[p*ADDR_W +: ADDR_W]};
            always @(posedge clk)
                if (read[p] && wide_addr >= {{ADDR_W{1'b0}}, BOUND}) begin
                    $display("samhw_ram: read beyond the memory");
                    $stop;
                end
        end
    endgenerate
`endif

endmodule

`default_nettype wire
