// SPDX-License-Identifier: Apache-2.0
//
// Shares an AXI4 write channel among samhw_axi_writers; each has an ID of its own.
//
//   Consumes    store {lines-1, byte address} and line {strobes, data} per writer, a burst's lines after its
//               store without waiting for anything else; the responses, in order per ID, in any order between IDs.
//   Produces    the bursts, one after the other; ack for the writer whose burst was written.
//   stop        no further burst begins. idle: none is on its way.
//   Errors      as samhw_axi_read_mux.
//   Throughput  a line per cycle, 3 cycles more per burst; writers take turns.
//   Parameters  N writers; BUS_LOG2 of the bytes of a line, AXI_W bits of an address, ID_W: N <= 2**ID_W.
//   Reset       valid bits and state; only while idle.
`default_nettype none

module samhw_axi_write_mux #(
    parameter N        = 2,
    parameter BUS_LOG2 = 3,
    parameter AXI_W    = 32,
    parameter ID_W     = 4
) (
    input  wire                       clk,
    input  wire                       rst,

    input  wire                       stop,
    output wire                       idle,
    output reg                        error,
    output reg                        error_decode,
    output reg  [ID_W-1:0]            error_port,

    input  wire [N-1:0]               store_valid,
    output wire [N-1:0]               store_ready,
    input  wire [N*(8+AXI_W)-1:0]     store_beat,

    input  wire [N-1:0]               line_valid,
    output wire [N-1:0]               line_ready,
    input  wire [N*(9<<BUS_LOG2)-1:0] line_beat,

    output reg  [N-1:0]               ack,

    output wire                       m_axi_awvalid,
    input  wire                       m_axi_awready,
    output wire [ID_W-1:0]            m_axi_awid,
    output wire [AXI_W-1:0]           m_axi_awaddr,
    output wire [7:0]                 m_axi_awlen,

    output wire                       m_axi_wvalid,
    input  wire                       m_axi_wready,
    output wire [(8<<BUS_LOG2)-1:0]   m_axi_wdata,
    output wire [(1<<BUS_LOG2)-1:0]   m_axi_wstrb,
    output wire                       m_axi_wlast,

    input  wire                       m_axi_bvalid,
    output wire                       m_axi_bready,
    input  wire [ID_W-1:0]            m_axi_bid,
    input  wire [1:0]                 m_axi_bresp
);
    generate
        if (N < 1 || AXI_W < 1 || ID_W < 1
            || BUS_LOG2 < 0 || BUS_LOG2 > 7
            || N > 1 << ID_W) begin : g_parameters
            samhw_parameter_out_of_range refused ();
        end
    endgenerate

    localparam LINE = 9 << BUS_LOG2;

    wire [N-1:0]            grant;
    wire                    room;
    wire [ID_W+8+AXI_W-1:0] asked;
    wire                    begins = grant != {N{1'b0}};
    reg  [N-1:0]            current;         // whose lines go by, if any
    reg  [7:0]              left;
    wire                    w_room;
    wire                    busy = current != {N{1'b0}};
    assign store_ready = grant;
    assign line_ready  = current & {N{w_room}};

    samhw_axi_turn #(.N(N), .W(8+AXI_W), .ID_W(ID_W)) u_turn (
        .clk(clk), .rst(rst),
        .wants(store_valid & {N{!begins && !busy && room && !stop}}),
        .beats(store_beat), .granted(grant), .beat(asked)
    );

    samhw_skid #(.W(ID_W+8+AXI_W)) u_aw (
        .clk(clk), .rst(rst),
        .in_valid(begins), .in_ready(room), .in_beat(asked),
        .out_valid(m_axi_awvalid), .out_ready(m_axi_awready),
        .out_beat({m_axi_awid, m_axi_awlen, m_axi_awaddr})
    );

    reg  [LINE-1:0] line;
    wire            here  = (line_valid & current) != {N{1'b0}};
    wire            last  = left == 8'd0;
    wire            moves = here && w_room;
    integer k;
    always @* begin
        line = {LINE{1'b0}};
        for (k = 0; k < N; k = k + 1)
            line = line | (line_beat[k*LINE +: LINE] & {LINE{current[k]}});
    end

    samhw_skid #(.W(LINE+1)) u_w (
        .clk(clk), .rst(rst),
        .in_valid(here), .in_ready(w_room), .in_beat({last, line}),
        .out_valid(m_axi_wvalid), .out_ready(m_axi_wready),
        .out_beat({m_axi_wlast, m_axi_wstrb, m_axi_wdata})
    );

    localparam [15:0] NONE = 0;
    reg  [15:0] open;                        // bursts on their way
    assign idle         = open == NONE && !begins && ack == {N{1'b0}};
    assign m_axi_bready = 1'b1;

    integer n;
    always @(posedge clk) begin
        for (n = 0; n < N; n = n + 1)
            ack[n] <= !rst && m_axi_bvalid && m_axi_bid == n[ID_W-1:0];
        if (begins)
            left <= asked[AXI_W +: 8];
        else if (moves)
            left <= left - 8'd1;
        if (m_axi_bvalid && m_axi_bresp[1] && !error) begin
            error_decode <= m_axi_bresp[0];
            error_port   <= m_axi_bid;
        end
        if (rst) begin
            current <= {N{1'b0}};
            open    <= NONE;
            error   <= 1'b0;
        end else begin
            if (begins)
                current <= grant;
            else if (moves && last)
                current <= {N{1'b0}};
            open  <= open + {15'd0, begins} - {15'd0, m_axi_bvalid};
            error <= error || (m_axi_bvalid && m_axi_bresp[1]);
        end
    end

    wire _unused_ok = &{1'b0, k, n, 1'b0};

endmodule

`default_nettype wire
