// SPDX-License-Identifier: Apache-2.0
//
// What the host reads of a memory: its address in words, and the part of a word that it asked for.
//
//   Consumes    host_read, host_addr; `whole`, the word at `word` after an edge with host_read.
//   Produces    `word`, in the same cycle; host_rdata, from the second edge after host_read on.
//   Parameters  ADDR_W, DATA_W as in samhw_ram; words have 2**PARTS_LOG2 parts, the lowest bits first.
//   Reset       none.
`default_nettype none

module samhw_host_read #(
    parameter ADDR_W     = 8,
    parameter DATA_W     = 16,
    parameter PARTS_LOG2 = 0
) (
    input  wire                            clk,

    input  wire                            host_read,
    input  wire [ADDR_W+PARTS_LOG2-1:0]    host_addr,
    output reg  [(DATA_W>>PARTS_LOG2)-1:0] host_rdata,

    output wire [ADDR_W-1:0]               word,
    input  wire [DATA_W-1:0]               whole
);
    generate
        if (ADDR_W < 1 || DATA_W < 1
            || PARTS_LOG2 < 0 || DATA_W >> PARTS_LOG2 << PARTS_LOG2 != DATA_W) begin : g_parameters
            samhw_parameter_out_of_range refused ();
        end
    endgenerate

    localparam W = DATA_W >> PARTS_LOG2;
    localparam [ADDR_W+PARTS_LOG2-1:0] PART = (1 << PARTS_LOG2) - 1;

    assign word = host_addr[PARTS_LOG2 +: ADDR_W];

    generate
        if (PARTS_LOG2 == 0) begin : g_whole
            always @(posedge clk)
                host_rdata <= whole;
            wire _unused_ok = &{1'b0, host_read, 1'b0};
        end else begin : g_part
            reg  [ADDR_W+PARTS_LOG2-1:0] part;
            wire [DATA_W-1:0]            from_part = whole >> (part * W);
            always @(posedge clk) begin
                if (host_read)
                    part <= host_addr & PART;
                host_rdata <= from_part[W-1:0];
            end
            wire _unused_ok = &{1'b0, from_part, 1'b0};
        end
    endgenerate

    wire _unused_ok = &{1'b0, PART, 1'b0};

endmodule

`default_nettype wire
