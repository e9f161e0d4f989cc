// SPDX-License-Identifier: Apache-2.0
//
// FIFO with a registered output: DEPTH beats in its memory and one in the output register.
//
//   Consumes    in: any beats.
//   Produces    out: the same beats in the same order.
//   Throughput  one beat per cycle while the memory is not full.
//   Latency     2 cycles.
//   Boundary    in_ready, out_valid and out_beat are registers.
//   Parameters  W bits of a beat; DEPTH >= 2, any number. Up to 64 the memory is made of
//               lookup tables, above of block RAM whose output register is out_beat: both
//               move in the same cycles. Yosys chooses itself where SAMHW_LUT_RAM is not defined.
//   Reset       pointers and flags; the memory and the output are not reset.
`default_nettype none

module samhw_fifo #(
    parameter W     = 8,
    parameter DEPTH = 16
) (
    input  wire         clk,
    input  wire         rst,

    input  wire         in_valid,
    output wire         in_ready,
    input  wire [W-1:0] in_beat,

    output reg          out_valid,
    input  wire         out_ready,
    output wire [W-1:0] out_beat
);
    generate
        if (W < 1 || DEPTH < 2) begin : g_parameters
            samhw_parameter_out_of_range refused ();
        end
    endgenerate

    // Bits of an address: the smallest A with 2**A >= DEPTH.
    function integer address_bits(input integer depth);
        begin
            address_bits = 1;
            while ((1 << address_bits) < depth)
                address_bits = address_bits + 1;
        end
    endfunction

    localparam         A    = address_bits(DEPTH);
    localparam [A-1:0] ONE  = {{(A-1){1'b0}}, 1'b1};
    localparam [31:0]  TOP  = DEPTH - 1;
    localparam [A-1:0] LAST = TOP[A-1:0];

    reg [A-1:0] head;
    reg [A-1:0] tail;
    reg         full;
    reg         empty;

    assign in_ready = !full;

    wire         push = in_valid && !full;
    wire         pop  = !empty && (!out_valid || out_ready);
    wire [A-1:0] next_head = head == LAST ? {A{1'b0}} : head + ONE;
    wire [A-1:0] next_tail = tail == LAST ? {A{1'b0}} : tail + ONE;

    always @(posedge clk) begin
        if (rst) begin
            head      <= {A{1'b0}};
            tail      <= {A{1'b0}};
            full      <= 1'b0;
            empty     <= 1'b1;
            out_valid <= 1'b0;
        end else begin
            if (pop)
                head <= next_head;
            if (push)
                tail <= next_tail;
            if (push != pop) begin
                full  <= push && next_tail == head;
                empty <= pop && next_head == tail;
            end
            if (pop || out_ready)
                out_valid <= pop;
        end
    end

    // A beat is read one cycle after it was written or later, so what a read of an address
    // that is being written returns does not matter.
    generate
        if (DEPTH <= 64) begin : g_small
            // Yosys takes the attribute for an order, and fails on families without such RAM: it gets it from
            // those who know.
`ifdef YOSYS
`ifdef SAMHW_LUT_RAM
            (* ram_style = "distributed" *)
`endif
`else
            (* ram_style = "distributed" *)
`endif
            reg [W-1:0] mem [0:DEPTH-1];
            reg [W-1:0] beat;
            always @(posedge clk) begin
                if (push)
                    mem[tail] <= in_beat;
                if (pop)
                    beat <= mem[head];
            end
            assign out_beat = beat;
        end else begin : g_large
            (* ram_style = "block", no_rw_check *)
            reg [W-1:0] mem [0:DEPTH-1];
            reg [W-1:0] beat;
            always @(posedge clk) begin
                if (push)
                    mem[tail] <= in_beat;
                if (pop)
                    beat <= mem[head];
            end
            assign out_beat = beat;
        end
    endgenerate

endmodule

`default_nettype wire
