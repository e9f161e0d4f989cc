// Memory at an AXI4 bus, for benches in four states: bursts are answered in order, at random times, with
// random gaps. Bytes that nobody has written are X. After reset, a handshake that is X, or an address or
// strobe that is X while it is valid, is counted in `wrong`.
`default_nettype none

module memory #(
    parameter DATA_W = 64,
    parameter ADDR_W = 32,
    parameter ID_W   = 4,
    parameter BYTES  = 65536,
    parameter BASE   = 65536,
    parameter SEED   = 1
) (
    input  wire              clk,
    input  wire              rst,

    input  wire              arvalid,
    output reg               arready,
    input  wire [ID_W-1:0]   arid,
    input  wire [ADDR_W-1:0] araddr,
    input  wire [7:0]        arlen,
    output reg               rvalid,
    input  wire              rready,
    output reg  [ID_W-1:0]   rid,
    output reg  [DATA_W-1:0] rdata,
    output wire [1:0]        rresp,
    output reg               rlast,

    input  wire              awvalid,
    output reg               awready,
    input  wire [ID_W-1:0]   awid,
    input  wire [ADDR_W-1:0] awaddr,
    input  wire [7:0]        awlen,
    input  wire              wvalid,
    output reg               wready,
    input  wire [DATA_W-1:0] wdata,
    input  wire [DATA_W/8-1:0] wstrb,
    input  wire              wlast,
    output reg               bvalid,
    input  wire              bready,
    output reg  [ID_W-1:0]   bid,
    output wire [1:0]        bresp
);

    localparam LINE  = DATA_W / 8;
    localparam DEPTH = 256;

    integer wrong;
    integer seed;
    initial begin
        wrong = 0;
        seed  = SEED;
    end

    assign rresp = 2'd0;
    assign bresp = 2'd0;

    // Bursts that were asked for and not answered, from the oldest one on.
    reg [ID_W+8+ADDR_W-1:0] reads  [0:DEPTH-1];
    reg [ID_W+8+ADDR_W-1:0] writes [0:DEPTH-1];
    reg [ID_W-1:0]          acks   [0:DEPTH-1];
    integer read_in, read_out, read_line, write_in, write_out, write_line, ack_in, ack_out;

    reg [ID_W-1:0]   r_id, w_id;
    reg [7:0]        r_len, w_len;
    reg [ADDR_W-1:0] r_addr, w_addr;
    integer          k;

    function chance(input integer unused);
        chance = $random(seed) & 3 ? 1'b1 : 1'b0;
    endfunction

    task complain(input [8*32-1:0] what);
        begin
            wrong = wrong + 1;
            if (wrong < 10)
                $display("%0t %m: %0s", $time, what);
        end
    endtask

    always @(posedge clk)
        if (rst !== 1'b0) begin
            {arready, rvalid, awready, wready, bvalid} <= 5'd0;
            {read_in, read_out, read_line, write_in, write_out, write_line, ack_in, ack_out} = {(8*32){1'b0}};
        end else begin
            if (^{arvalid, rready, awvalid, wvalid, bready} === 1'bx)
                complain("a handshake is X");
            if (arvalid === 1'b1 && ^{arid, araddr, arlen} === 1'bx)
                complain("a read's address is X");
            if (awvalid === 1'b1 && ^{awid, awaddr, awlen} === 1'bx)
                complain("a write's address is X");
            if (wvalid === 1'b1 && ^{wstrb, wlast} === 1'bx)
                complain("a strobe is X");

            if (arvalid && arready) begin
                reads[read_in % DEPTH] = {arid, arlen, araddr};
                read_in = read_in + 1;
            end
            if (awvalid && awready) begin
                writes[write_in % DEPTH] = {awid, awlen, awaddr};
                write_in = write_in + 1;
            end
            arready <= chance(0) && read_in - read_out < DEPTH - 1;
            awready <= chance(0) && write_in - write_out < DEPTH - 1;

            if (!rvalid || rready) begin
                rvalid <= 1'b0;
                if (read_in != read_out && chance(0)) begin
                    {r_id, r_len, r_addr} = reads[read_out % DEPTH];
                    for (k = 0; k < LINE; k = k + 1)
                        rdata[8*k +: 8] <= bench.bytes[r_addr + read_line * LINE + k - BASE];
                    rid    <= r_id;
                    rlast  <= read_line == r_len;
                    rvalid <= 1'b1;
                    read_out  = read_line == r_len ? read_out + 1 : read_out;
                    read_line = read_line == r_len ? 0 : read_line + 1;
                end
            end

            // Data are taken once their address is known.
            if (wvalid && wready) begin
                {w_id, w_len, w_addr} = writes[write_out % DEPTH];
                for (k = 0; k < LINE; k = k + 1)
                    if (wstrb[k]) begin
                        bench.bytes[w_addr + write_line * LINE + k - BASE] = wdata[8*k +: 8];
                        if (w_addr + write_line * LINE + k - BASE >= BYTES)
                            complain("a write outside of memory");
                    end
                if (wlast !== (write_line == w_len))
                    complain("wlast is wrong");
                if (wlast) begin
                    acks[ack_in % DEPTH] = w_id;
                    ack_in    = ack_in + 1;
                    write_out = write_out + 1;
                end
                write_line = wlast ? 0 : write_line + 1;
            end
            wready <= write_in != write_out && chance(0);
            if (!bvalid || bready) begin
                bvalid <= 1'b0;
                if (ack_in != ack_out && chance(0)) begin
                    bid     <= acks[ack_out % DEPTH];
                    bvalid  <= 1'b1;
                    ack_out = ack_out + 1;
                end
            end
        end

endmodule

`default_nettype wire
