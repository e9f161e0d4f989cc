// SPDX-License-Identifier: Apache-2.0
//
// Shares an AXI4 read channel among samhw_axi_readers; each has an ID of its own.
//
//   Consumes    fetch {lines-1, byte address} per reader; the answers, in order per ID, in any order between IDs.
//   Produces    data: a line for the reader that data_valid names. It always takes it.
//   stop        no further burst is asked for. idle: none is on its way.
//   Errors      of a response of SLVERR or DECERR: error, then error_decode (1: DECERR) and error_port, of the
//               first one, until reset.
//   Throughput  a burst every 2 cycles, a line per cycle; readers take turns.
//   Parameters  N readers; BUS_LOG2 of the bytes of a line, AXI_W bits of an address, ID_W: N <= 2**ID_W.
//   Reset       valid bits and state; only while idle.
`default_nettype none

module samhw_axi_read_mux #(
    parameter N        = 2,
    parameter BUS_LOG2 = 3,
    parameter AXI_W    = 32,
    parameter ID_W     = 4
) (
    input  wire                     clk,
    input  wire                     rst,

    input  wire                     stop,
    output wire                     idle,
    output reg                      error,
    output reg                      error_decode,
    output reg  [ID_W-1:0]          error_port,

    input  wire [N-1:0]             fetch_valid,
    output wire [N-1:0]             fetch_ready,
    input  wire [N*(8+AXI_W)-1:0]   fetch_beat,

    output reg  [N-1:0]             data_valid,
    output reg  [(8<<BUS_LOG2)-1:0] data_beat,

    output wire                     m_axi_arvalid,
    input  wire                     m_axi_arready,
    output wire [ID_W-1:0]          m_axi_arid,
    output wire [AXI_W-1:0]         m_axi_araddr,
    output wire [7:0]               m_axi_arlen,

    input  wire                     m_axi_rvalid,
    output wire                     m_axi_rready,
    input  wire [ID_W-1:0]          m_axi_rid,
    input  wire [(8<<BUS_LOG2)-1:0] m_axi_rdata,
    input  wire [1:0]               m_axi_rresp,
    input  wire                     m_axi_rlast
);
    generate
        if (N < 1 || AXI_W < 1 || ID_W < 1
            || BUS_LOG2 < 0 || BUS_LOG2 > 7
            || N > 1 << ID_W) begin : g_parameters
            samhw_parameter_out_of_range refused ();
        end
    endgenerate

    wire [N-1:0]            grant;
    wire                    room;
    wire [ID_W+8+AXI_W-1:0] asked;
    assign fetch_ready = grant;

    samhw_axi_turn #(.N(N), .W(8+AXI_W), .ID_W(ID_W)) u_turn (
        .clk(clk), .rst(rst),
        .wants(fetch_valid & {N{grant == {N{1'b0}} && room && !stop}}),
        .beats(fetch_beat), .granted(grant), .beat(asked)
    );

    // Its second entry is free whenever nothing was granted in the cycle before.
    samhw_skid #(.W(ID_W+8+AXI_W)) u_ar (
        .clk(clk), .rst(rst),
        .in_valid(grant != {N{1'b0}}), .in_ready(room), .in_beat(asked),
        .out_valid(m_axi_arvalid), .out_ready(m_axi_arready),
        .out_beat({m_axi_arid, m_axi_arlen, m_axi_araddr})
    );

    localparam [15:0] NONE = 0;
    reg  [15:0] open;                        // bursts on their way
    wire        more = grant != {N{1'b0}};
    wire        less = m_axi_rvalid && m_axi_rlast;
    assign idle         = open == NONE && !more && data_valid == {N{1'b0}};
    assign m_axi_rready = 1'b1;

    integer k;
    always @(posedge clk) begin
        data_beat <= m_axi_rdata;
        for (k = 0; k < N; k = k + 1)
            data_valid[k] <= !rst && m_axi_rvalid && m_axi_rid == k[ID_W-1:0];
        if (m_axi_rvalid && m_axi_rresp[1] && !error) begin
            error_decode <= m_axi_rresp[0];
            error_port   <= m_axi_rid;
        end
        if (rst) begin
            open  <= NONE;
            error <= 1'b0;
        end else begin
            open  <= open + {15'd0, more} - {15'd0, less};
            error <= error || (m_axi_rvalid && m_axi_rresp[1]);
        end
    end

endmodule

`default_nettype wire
