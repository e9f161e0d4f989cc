// SPDX-License-Identifier: Apache-2.0
//
// Topmost level of the workspace's occupancy bitmap: one register of bits per bank.
//
//   Consumes    acc: arrivals; each sets the bit of its address' top bits.
//   Produces    acc_fresh, with the arrival: the bit was not set before. item: one for every
//               bit set once the list has arrived, lowest first; a `none` item if there is none.
//   Throughput  one arrival and one item per cycle.
//   Latency     arrival: none; item: 2 cycles after the list's last arrival.
//   Boundary    the item is a register.
//   Parameters  TOP_W: log2 of the bits; BANK_W: log2 of the banks.
//   Reset       all state.
`default_nettype none

module samhw_workspace_top #(
    parameter TOP_W  = 5,
    parameter BANK_W = 1
) (
    input  wire              clk,
    input  wire              rst,

    input  wire              acc_valid,
    output wire              acc_ready,
    input  wire [TOP_W-1:0]  acc_bit,
    input  wire              acc_update,
    input  wire              acc_last,
    output reg  [BANK_W-1:0] acc_bank,
    output wire              acc_fresh,

    output reg               item_valid,
    input  wire              item_ready,
    output reg  [BANK_W-1:0] item_bank,
    output reg  [TOP_W-1:0]  item_word,
    output reg               item_none,
    output reg               item_last
);

    localparam BANKS = 2**BANK_W;
    localparam N     = 2**TOP_W;

    reg  [BANK_W-1:0]  walk_bank;
    wire [BANKS-1:0]   full;
    wire [BANKS*N-1:0] bank_bits;

    assign acc_ready = !full[acc_bank];
    wire acc_go = acc_valid && acc_ready;
    wire [N-1:0] acc_bits = bank_bits[acc_bank*N +: N];
    assign acc_fresh = !acc_bits[acc_bit];

    wire [N-1:0]     walk_bits = bank_bits[walk_bank*N +: N];
    wire [N-1:0]     walk_rest;
    wire [TOP_W-1:0] walk_index;
    samhw_lowest_bit #(.IDX_W(TOP_W)) u_lowest (.bits(walk_bits), .index(walk_index), .rest(walk_rest));
    wire             walk_more;
    wire             _unused_three;
    samhw_bits_set #(.IDX_W(TOP_W)) u_set (.bits(walk_bits), .two(walk_more), .three(_unused_three));

    wire walk_go   = full[walk_bank] && (!item_valid || item_ready);
    wire walk_last = !walk_more;

    always @(posedge clk) begin
        if (walk_go) begin
            item_bank <= walk_bank;
            item_word <= walk_index;
            item_none <= walk_bits == {N{1'b0}};
            item_last <= walk_last;
        end
        if (rst) begin
            item_valid <= 1'b0;
            acc_bank   <= {BANK_W{1'b0}};
            walk_bank  <= {BANK_W{1'b0}};
        end else begin
            item_valid <= walk_go || (item_valid && !item_ready);
            acc_bank   <= acc_bank + {{(BANK_W-1){1'b0}}, acc_go && acc_last};
            walk_bank  <= walk_bank + {{(BANK_W-1){1'b0}}, walk_go && walk_last};
        end
    end

    genvar k;
    generate
        for (k = 0; k < BANKS; k = k + 1) begin : g_bank
            localparam [BANK_W-1:0] K = k;
            reg         arrived;
            reg [N-1:0] bits;
            assign full[k] = arrived;
            assign bank_bits[k*N +: N] = bits;
            always @(posedge clk)
                if (rst) begin
                    arrived <= 1'b0;
                    bits    <= {N{1'b0}};
                end else if (walk_go && walk_bank == K) begin
                    arrived <= !walk_last;
                    bits    <= walk_rest;
                end else if (acc_go && acc_bank == K) begin
                    arrived <= acc_last;
                    if (acc_update)
                        bits <= bits | ({{(N-1){1'b0}}, 1'b1} << acc_bit);
                end
        end
    endgenerate

endmodule

`default_nettype wire
