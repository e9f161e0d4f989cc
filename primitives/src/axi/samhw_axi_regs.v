// SPDX-License-Identifier: Apache-2.0
//
// AXI4-Lite registers of a kernel, and what leads it through its runs (samhw_axi_run).
//
//   Registers   at byte addresses, 32 bits each:
//               00 ID 53414d48  04 VERSION 1  08 HASH_LO  0c HASH_HI       read only
//               10 CONTROL      write 1: start, 2: reset, 4: clear done, error, refused and the interrupt
//               14 STATUS       1 busy, 2 done, 4 error, 8 refused (a start while busy)
//               18 IRQ_ENABLE   1: interrupt when a run ends   1c IRQ_PENDING  write 1 clears
//               20 ERROR        code (8 bits), port (8 bits) of the last run
//               24 WAITING      ports (by bit) with a beat that was not taken when the watchdog ended a run
//               28 CYCLES_LO  2c CYCLES_HI      of the last run
//               30 WATCHDOG     cycles without a transfer after which a run ends; 0: never
//               100 on          CONFIG words that are written and read, then STATUS words that are read; then, where
//                               STREAMS or NODES are not 0, streams (by bit) with a beat that was not taken when the
//                               watchdog ended a run, and three counters per node (samhw_axi_counters).
//               Elsewhere there is none: SLVERR. Writing what is read only changes nothing and is OKAY.
//   Errors      1 SLVERR, 2 DECERR of a read; 3, 4 of a write; 5 beyond an array; 6 a result without room;
//               7 watchdog; 8 a size too large; 9 a base that is not aligned; 10 coordinates that are too
//               large or do not rise. Ports: readers, then writers.
//   Boundary    as samhw_axi_lite; CONFIG words are registers.
//   Parameters  ADDR_W bits of a byte address, enough for all; CONFIG and STATUS words; READERS and WRITERS, ID_W
//               of their numbers;
//               NODES that are counted, BEATS_W of the beats one takes in a cycle, STREAMS that are watched: 0, none;
//               HASH of the kernel.
//   Reset       all state; config words are 0.
`default_nettype none

module samhw_axi_regs #(
    parameter ADDR_W  = 12,
    parameter CONFIG  = 4,
    parameter STATUS  = 2,
    parameter READERS = 2,
    parameter WRITERS = 1,
    parameter ID_W    = 2,
    parameter NODES   = 0,
    parameter BEATS_W = 1,
    parameter STREAMS = 0,
    parameter [63:0] HASH = 64'd0
) (
    input  wire                       clk,
    input  wire                       rst,

    input  wire                       s_axi_awvalid,
    output wire                       s_axi_awready,
    input  wire [ADDR_W-1:0]          s_axi_awaddr,
    input  wire                       s_axi_wvalid,
    output wire                       s_axi_wready,
    input  wire [31:0]                s_axi_wdata,
    input  wire [3:0]                 s_axi_wstrb,
    output wire                       s_axi_bvalid,
    input  wire                       s_axi_bready,
    output wire [1:0]                 s_axi_bresp,

    input  wire                       s_axi_arvalid,
    output wire                       s_axi_arready,
    input  wire [ADDR_W-1:0]          s_axi_araddr,
    output wire                       s_axi_rvalid,
    input  wire                       s_axi_rready,
    output wire [31:0]                s_axi_rdata,
    output wire [1:0]                 s_axi_rresp,

    output wire                       irq,

    output reg  [32*CONFIG-1:0]       config_words,
    input  wire [32*STATUS-1:0]       status_words,

    input  wire                       oversized,
    input  wire [READERS+WRITERS-1:0] misaligned,
    input  wire [READERS+WRITERS-1:0] disordered,
    input  wire [READERS+WRITERS-1:0] beyond,
    input  wire [READERS+WRITERS-1:0] full,
    input  wire [READERS+WRITERS-1:0] moves,
    input  wire [READERS+WRITERS-1:0] waits,

    input  wire [(NODES > 0 ? NODES*BEATS_W : BEATS_W)-1:0] node_beats,
    input  wire [(NODES > 0 ? NODES : 1)-1:0]               node_moves,
    input  wire [(NODES > 0 ? NODES : 1)-1:0]               node_waits,
    input  wire [(STREAMS > 0 ? STREAMS : 1)-1:0]           stream_waits,

    input  wire                       read_error,
    input  wire                       read_decode,
    input  wire [ID_W-1:0]            read_port,
    input  wire                       write_error,
    input  wire                       write_decode,
    input  wire [ID_W-1:0]            write_port,

    output wire                       load,
    output wire                       start_valid,
    input  wire                       start_ready,
    input  wire                       done_valid,
    output wire                       done_ready,
    output wire                       flush,
    output wire                       stop_reads,
    output wire                       stop_writes,
    input  wire                       reads_idle,
    input  wire                       writes_idle,
    input  wire                       writers_idle,
    output wire                       core_rst,
    output wire                       port_rst
);

    localparam PORTS = READERS + WRITERS;
    localparam WORD  = ADDR_W - 2;
    localparam [31:0] FIRST_WRITER = READERS;
    // Number of registers that every kernel has, of the first one of its own.
    localparam [31:0] COMMON = 13;
    localparam [31:0] OWN    = 64;
    // Streams that were stuck, in whole words; counters after them, to the end.
    localparam WIDE  = STREAMS > 0 ? STREAMS : 1;
    localparam STUCK = STREAMS + NODES > 0 ? (WIDE + 31) / 32 : 0;
    localparam [31:0] COUNTS = OWN + CONFIG + STATUS + STUCK;
    localparam [31:0] LAST   = COUNTS + 3 * NODES;

    generate
        if (ADDR_W < 3 || LAST > 1 << (ADDR_W - 2)
            || CONFIG < 1 || STATUS < 1 || BEATS_W < 1 || ID_W < 1
            || READERS < 0 || WRITERS < 0 || NODES < 0 || STREAMS < 0
            || READERS + WRITERS < 1
            || READERS > 1 << ID_W || WRITERS > 1 << ID_W) begin : g_parameters
            samhw_parameter_out_of_range refused ();
        end
    endgenerate

    // There is a register of this number.
    function known(input [31:0] number);
        known = number < COMMON || (number >= OWN && number < LAST);
    endfunction

    // The lowest port that is set, as the upper half of an error.
    function [7:0] port_of(input [PORTS-1:0] set);
        integer k;
        begin
            port_of = 8'd0;
            for (k = PORTS - 1; k >= 0; k = k - 1)
                if (set[k])
                    port_of = k[7:0];
        end
    endfunction

    wire            write;
    wire [WORD-1:0] write_addr;
    wire [31:0]     write_data;
    wire [3:0]      write_strb;
    wire [WORD-1:0] read_addr;
    reg  [31:0]     read_data;
    wire [31:0]     write_number = {{(32-WORD){1'b0}}, write_addr};
    wire [31:0]     read_number  = {{(32-WORD){1'b0}}, read_addr};
    samhw_axi_lite #(.ADDR_W(ADDR_W)) u_lite (
        .clk(clk), .rst(rst),
        .s_axi_awvalid(s_axi_awvalid), .s_axi_awready(s_axi_awready), .s_axi_awaddr(s_axi_awaddr),
        .s_axi_wvalid(s_axi_wvalid), .s_axi_wready(s_axi_wready), .s_axi_wdata(s_axi_wdata), .s_axi_wstrb(s_axi_wstrb),
        .s_axi_bvalid(s_axi_bvalid), .s_axi_bready(s_axi_bready), .s_axi_bresp(s_axi_bresp),
        .s_axi_arvalid(s_axi_arvalid), .s_axi_arready(s_axi_arready), .s_axi_araddr(s_axi_araddr),
        .s_axi_rvalid(s_axi_rvalid), .s_axi_rready(s_axi_rready), .s_axi_rdata(s_axi_rdata), .s_axi_rresp(s_axi_rresp),
        .write(write), .write_addr(write_addr), .write_data(write_data), .write_strb(write_strb),
        .write_known(known(write_number)),
        .read_addr(read_addr), .read_data(read_data), .read_known(known(read_number))
    );

    // Of more than 256 ports the lower bits of the number.
    wire [ID_W+7:0] wide_port = {8'd0, read_error ? read_port : write_port};
    wire [7:0]  bus_port = wide_port[7:0] + (read_error ? 8'd0 : FIRST_WRITER[7:0]);
    wire        expired;
    wire        any_wrong  = disordered != {PORTS{1'b0}};
    wire        any_beyond = beyond != {PORTS{1'b0}};
    wire        fault      = read_error || write_error || any_wrong || any_beyond || expired;
    wire [15:0] fault_code = read_error  ? {bus_port, 7'd0, read_decode}  + 16'd1
                           : write_error ? {bus_port, 7'd0, write_decode} + 16'd3
                           : any_wrong   ? {port_of(disordered), 8'd10}
                           : any_beyond  ? {port_of(beyond), 8'd5} : {port_of(waits), 8'd7};
    wire        bad        = oversized || misaligned != {PORTS{1'b0}};
    wire [15:0] bad_code   = oversized ? 16'd8 : {port_of(misaligned), 8'd9};

    wire        control = write && write_number == 32'd4 && write_strb[0];
    wire        go      = control && write_data[0] && !write_data[1];
    wire        quit    = control && write_data[1];
    wire        clear   = control && write_data[2];
    wire        busy;
    wire        ended;
    wire [15:0] error;
    wire [63:0] cycles;
    reg  [31:0] limit;
    samhw_axi_run u_run (
        .clk(clk), .rst(rst),
        .go(go), .quit(quit), .bad(bad), .bad_code(bad_code),
        .fault(fault), .fault_code(fault_code),
        .full(full != {PORTS{1'b0}}), .full_code({port_of(full), 8'd6}),
        .moved(moves != {PORTS{1'b0}}), .limit(limit), .expired(expired),
        .busy(busy), .ended(ended), .error(error), .cycles(cycles),
        .load(load),
        .start_valid(start_valid), .start_ready(start_ready), .done_valid(done_valid), .done_ready(done_ready),
        .flush(flush), .stop_reads(stop_reads), .stop_writes(stop_writes),
        .reads_idle(reads_idle), .writes_idle(writes_idle), .writers_idle(writers_idle),
        .core_rst(core_rst), .port_rst(port_rst)
    );

    reg  [WIDE+31:0] stuck;
    wire [31:0]      from_first = read_number - COUNTS;
    wire [31:0]      counted;
    wire             counter = read_number >= COUNTS && read_number < LAST;
    generate
        if (NODES > 0) begin : counters
            localparam NUMBER_W = $clog2(3 * NODES);
            samhw_axi_counters #(.NODES(NODES), .BEATS_W(BEATS_W), .NUMBER_W(NUMBER_W)) u_counters (
                .clk(clk), .rst(rst),
                .clear(load), .counts(done_ready && !done_valid),
                .beats(node_beats), .moves(node_moves), .waits(node_waits),
                .read_number(from_first[NUMBER_W-1:0]), .read_data(counted)
            );
        end else begin : counters
            assign counted = 32'd0;
        end
    endgenerate

    reg         done;
    reg         refused;
    reg         enabled;
    reg         pending;
    reg  [31:0] waiting;
    wire [32+PORTS-1:0] all_waits = {32'd0, waits};
    assign irq = enabled && pending;

    integer k;
    integer b;
    always @(posedge clk) begin
        for (k = 0; k < CONFIG; k = k + 1)
            for (b = 0; b < 4; b = b + 1)
                if (rst)
                    config_words[32*k + 8*b +: 8] <= 8'd0;
                else if (write && !busy && write_strb[b] && write_number == OWN + k)
                    config_words[32*k + 8*b +: 8] <= write_data[8*b +: 8];
        for (b = 0; b < 4; b = b + 1)
            if (!rst && write && write_strb[b] && write_number == 32'd12)
                limit[8*b +: 8] <= write_data[8*b +: 8];
        if (expired) begin
            waiting <= all_waits[31:0];
            stuck   <= {32'd0, stream_waits};
        end
        if (rst) begin
            done    <= 1'b0;
            refused <= 1'b0;
            enabled <= 1'b0;
            pending <= 1'b0;
            waiting <= 32'd0;
            stuck   <= {(WIDE+32){1'b0}};
            limit   <= 32'h0010_0000;
        end else begin
            done    <= ended || (done && !clear && !quit && !(go && !busy));
            refused <= (go && busy) || (refused && !clear && !quit && !(go && !busy));
            pending <= ended || (pending && !clear && !quit
                                 && !(write && write_number == 32'd7 && write_strb[0] && write_data[0]));
            if (write && write_number == 32'd6 && write_strb[0])
                enabled <= write_data[0];
        end
    end

    integer r;
    always @* begin
        read_data = 32'd0;
        r = 0;
        case (read_number)
            32'd0:   read_data = 32'h53414d48;
            32'd1:   read_data = 32'd1;
            32'd2:   read_data = HASH[31:0];
            32'd3:   read_data = HASH[63:32];
            32'd5:   read_data = {28'd0, refused, done && error != 16'd0, done, busy};
            32'd6:   read_data = {31'd0, enabled};
            32'd7:   read_data = {31'd0, pending};
            32'd8:   read_data = {16'd0, error & {16{done}}};
            32'd9:   read_data = waiting;
            32'd10:  read_data = cycles[31:0];
            32'd11:  read_data = cycles[63:32];
            32'd12:  read_data = limit;
            default: begin
                for (r = 0; r < CONFIG; r = r + 1)
                    if (read_number == OWN + r)
                        read_data = config_words[32*r +: 32];
                for (r = 0; r < STATUS; r = r + 1)
                    if (read_number == OWN + CONFIG + r)
                        read_data = status_words[32*r +: 32];
                for (r = 0; r < STUCK; r = r + 1)
                    if (read_number == OWN + CONFIG + STATUS + r)
                        read_data = stuck[32*r +: 32];
                if (NODES > 0 && counter)
                    read_data = counted;
            end
        endcase
    end

    wire _unused_ok = &{1'b0, k, b, r, all_waits, FIRST_WRITER, wide_port, stuck, from_first, node_beats, node_moves,
                        node_waits, 1'b0};

endmodule

`default_nettype wire
