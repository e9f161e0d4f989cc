// SPDX-License-Identifier: Apache-2.0
//
// Storage of a memory of which two neighbouring words are read together: even and odd words lie in two RAMs.
//
//   Write       as samhw_ram.
//   Read        of each port {word at read_addr+1, word at read_addr} after an edge with `read`, if `read_both`;
//               only the low one is defined else. Both must be in the memory (an assertion in simulation).
//   Parameters  ADDR_W, DATA_W, WORDS, PORTS as in samhw_ram.
//   Reset       none.
`default_nettype none

module samhw_ram_pairs #(
    parameter ADDR_W = 8,
    parameter DATA_W = 16,
    parameter WORDS  = 256,
    parameter PORTS  = 1
) (
    input  wire                      clk,

    input  wire                      write,
    input  wire [ADDR_W-1:0]         write_addr,
    input  wire [DATA_W-1:0]         write_data,

    input  wire [PORTS-1:0]          read,
    input  wire [PORTS-1:0]          read_both,
    input  wire [PORTS*ADDR_W-1:0]   read_addr,
    output wire [2*PORTS*DATA_W-1:0] read_data
);
    generate
        if (ADDR_W < 1 || DATA_W < 1 || WORDS < 1
            || (ADDR_W < 31 && WORDS > 1 << ADDR_W)
            || PORTS < 1 || PORTS > 2) begin : g_parameters
            samhw_parameter_out_of_range refused ();
        end
    endgenerate

    localparam BANK_WORDS = (WORDS + 1) / 2;

    // Word a lies in bank a mod 2 at a/2; of an odd pair the even word is the second one.
    wire [PORTS*ADDR_W-1:0] even_rows;
    wire [PORTS*ADDR_W-1:0] odd_rows;
    wire [PORTS*DATA_W-1:0] even;
    wire [PORTS*DATA_W-1:0] odd;

    samhw_ram #(.ADDR_W(ADDR_W), .DATA_W(DATA_W), .WORDS(BANK_WORDS), .PORTS(PORTS)) u_even (
        .clk(clk),
        .write(write && !write_addr[0]), .write_addr(write_addr >> 1), .write_data(write_data),
        .read(read), .read_addr(even_rows), .read_data(even)
    );
    samhw_ram #(.ADDR_W(ADDR_W), .DATA_W(DATA_W), .WORDS(BANK_WORDS), .PORTS(PORTS)) u_odd (
        .clk(clk),
        .write(write && write_addr[0]), .write_addr(write_addr >> 1), .write_data(write_data),
        .read(read), .read_addr(odd_rows), .read_data(odd)
    );

    genvar p;
    generate
        for (p = 0; p < PORTS; p = p + 1) begin : g_port
            localparam [ADDR_W-1:0] ONE = 1;
            wire [ADDR_W-1:0] addr = read_addr[p*ADDR_W +: ADDR_W];
            reg               swapped;
            assign odd_rows[p*ADDR_W +: ADDR_W]  = addr >> 1;
            assign even_rows[p*ADDR_W +: ADDR_W] = (addr >> 1) + (read_both[p] ? addr & ONE : {ADDR_W{1'b0}});
            assign read_data[2*p*DATA_W +: 2*DATA_W] = swapped
                ? {even[p*DATA_W +: DATA_W], odd[p*DATA_W +: DATA_W]}
                : {odd[p*DATA_W +: DATA_W], even[p*DATA_W +: DATA_W]};
            always @(posedge clk)
                if (read[p])
                    swapped <= addr[0];

`ifdef SAMHW_ASSERT
            localparam [31:0] BOUND = WORDS;
            wire [32+ADDR_W-1:0] last = {32'd0, addr} + {{(31+ADDR_W){1'b0}}, read_both[p]};
            always @(posedge clk)
                if (read[p] && last >= {{ADDR_W{1'b0}}, BOUND}) begin
                    $display("samhw_ram_pairs: read beyond the memory");
                    $stop;
                end
`endif
        end
    endgenerate

endmodule

`default_nettype wire
