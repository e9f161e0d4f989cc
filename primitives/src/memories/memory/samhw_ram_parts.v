// SPDX-License-Identifier: Apache-2.0
//
// Storage of a memory whose words are read whole and written in parts: a RAM per part, side by side.
//
//   Write       `write_data` becomes part `write_addr` mod 2**PARTS_LOG2 of word `write_addr` div 2**PARTS_LOG2;
//               part 0 has the lowest bits.
//   Read        as samhw_ram, whole words.
//   Parameters  ADDR_W, DATA_W, WORDS, PORTS as in samhw_ram; 2**PARTS_LOG2 parts, which divide DATA_W.
//   Reset       none.
`default_nettype none

module samhw_ram_parts #(
    parameter ADDR_W     = 8,
    parameter DATA_W     = 128,
    parameter WORDS      = 256,
    parameter PARTS_LOG2 = 1,
    parameter PORTS      = 1
) (
    input  wire                             clk,

    input  wire                             write,
    input  wire [ADDR_W+PARTS_LOG2-1:0]     write_addr,
    input  wire [(DATA_W>>PARTS_LOG2)-1:0]  write_data,

    input  wire [PORTS-1:0]                 read,
    input  wire [PORTS*ADDR_W-1:0]          read_addr,
    output wire [PORTS*DATA_W-1:0]          read_data
);
    generate
        if (ADDR_W < 1 || DATA_W < 1 || WORDS < 1
            || (ADDR_W < 31 && WORDS > 1 << ADDR_W)
            || PARTS_LOG2 < 0 || DATA_W >> PARTS_LOG2 << PARTS_LOG2 != DATA_W
            || PORTS < 1 || PORTS > 2) begin : g_parameters
            samhw_parameter_out_of_range refused ();
        end
    endgenerate

    localparam PARTS = 1 << PARTS_LOG2;
    localparam W     = DATA_W >> PARTS_LOG2;
    localparam [ADDR_W+PARTS_LOG2-1:0] PART = PARTS - 1;

    wire [ADDR_W+PARTS_LOG2-1:0] word = write_addr >> PARTS_LOG2;

    genvar g, p;
    generate
        for (g = 0; g < PARTS; g = g + 1) begin : g_part
            localparam [ADDR_W+PARTS_LOG2-1:0] HERE = g;
            wire [PORTS*W-1:0] data;
            samhw_ram #(.ADDR_W(ADDR_W), .DATA_W(W), .WORDS(WORDS), .PORTS(PORTS)) u_ram (
                .clk(clk),
                .write(write && (write_addr & PART) == HERE), .write_addr(word[ADDR_W-1:0]), .write_data(write_data),
                .read(read), .read_addr(read_addr), .read_data(data)
            );
            for (p = 0; p < PORTS; p = p + 1) begin : g_port
                assign read_data[p*DATA_W+g*W +: W] = data[p*W +: W];
            end
        end
    endgenerate

    wire _unused_ok = &{1'b0, word, 1'b0};

endmodule

`default_nettype wire
