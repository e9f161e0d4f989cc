// SPDX-License-Identifier: Apache-2.0
//
// Proof: a write has its effect once, when address and data are there and no response waits, and none but
// what the head's table says: configuration changes by the bytes written, never while a run goes on; a start
// while one does is refused; done, refused and the interrupt are as the ends of runs and the host's writes
// make them, and the interrupt is seen only where it is enabled. Reads answer as the table says, once and in
// order, and change nothing. Responses are SLVERR where the table has no register. What ends a run, and why,
// goes to samhw_axi_run with the port that it is of, the lowest if several; so do the host's commands. When
// the watchdog ends a run, who waits is kept. That a run goes as it should says formal_axi_run.v.
// by: reachability
// case plain: NODES=0
// long case counted: NODES=1
// probe busy = dut.busy
// probe ended = dut.ended
// probe error = dut.error
// probe cycles = dut.cycles
// probe expired = dut.expired
// probe run_go = dut.u_run.go
// probe run_quit = dut.u_run.quit
// probe run_bad = dut.u_run.bad
// probe run_bad_code = dut.u_run.bad_code
// probe run_fault = dut.u_run.fault
// probe run_fault_code = dut.u_run.fault_code
// probe run_full = dut.u_run.full
// probe run_full_code = dut.u_run.full_code
// probe run_moved = dut.u_run.moved
// probe run_limit = dut.u_run.limit
// probe kept_waiting = dut.waiting
// probe kept_stuck = dut.stuck
// probe counted = dut.counted
// probe of counted number = dut.counters.u_counters.read_number
// probe of counted clears = dut.counters.u_counters.clear
// probe of counted counts = dut.counters.u_counters.counts
// mutant samhw_axi_regs: else if (write && !busy && write_strb[b] && => else if (write && write_strb[b] &&
// mutant samhw_axi_regs: else if (write && !busy && write_strb[b] && => else if (write && !busy &&
// mutant samhw_axi_regs: assign irq = enabled && pending; => assign irq = pending;
// mutant samhw_axi_regs: wire        go      = control && write_data[0] && !write_data[1];
//     => wire        go      = control && write_data[0];
// mutant samhw_axi_regs: refused <= (go && busy) || => refused <= go ||
// mutant samhw_axi_regs: for (k = PORTS - 1; k >= 0; k = k - 1) => for (k = 0; k < PORTS; k = k + 1)
// mutant samhw_axi_regs: wide_port[7:0] + (read_error ? 8'd0 : FIRST_WRITER[7:0]); => wide_port[7:0];
// mutant samhw_axi_regs: {16'd0, error & {16{done}}} => {16'd0, error}
// mutant samhw_axi_regs: pending <= ended || (pending && !clear && !quit
//     => pending <= (ended || pending) && (!clear && !quit
// mutant samhw_axi_regs: if (read_number == OWN + CONFIG + r) => if (read_number == OWN + r)
// mutant samhw_axi_regs: if (expired) begin => if (fault) begin
// mutant samhw_axi_regs: if (!rst && write && write_strb[b] && => if (!rst && write &&
// mutant samhw_axi_regs: known = number < COMMON || => known = number <= COMMON ||
// mutant samhw_axi_regs: && number < LAST); => && number <= LAST);
// mutant of counted samhw_axi_regs: wire [31:0]      from_first = read_number - COUNTS;
//     => wire [31:0]      from_first = read_number - LAST;
// mutant of counted samhw_axi_regs: .clear(load), => .clear(flush),
`default_nettype none

module formal_axi_regs #(
    parameter NODES = 0
) (
    input wire        clk,
    input wire        awvalid,
    input wire [8:0]  awaddr,
    input wire        wvalid,
    input wire [31:0] wdata,
    input wire [3:0]  wstrb,
    input wire        bready,
    input wire        arvalid,
    input wire [8:0]  araddr,
    input wire        rready,
    input wire [31:0] status,
    input wire        oversized,
    input wire [2:0]  misaligned,
    input wire [2:0]  disordered,
    input wire [2:0]  beyond,
    input wire [2:0]  full,
    input wire [2:0]  moves,
    input wire [2:0]  waits,
    input wire        node_beats,
    input wire        node_moves,
    input wire        node_waits,
    input wire [1:0]  stream_waits,
    input wire        read_error,
    input wire        read_decode,
    input wire [1:0]  read_port,
    input wire        write_error,
    input wire        write_decode,
    input wire [1:0]  write_port,
    input wire        start_ready,
    input wire        done_valid,
    input wire        reads_idle,
    input wire        writes_idle,
    input wire        writers_idle,
    input wire        busy,
    input wire        ended,
    input wire [15:0] error,
    input wire [63:0] cycles,
    input wire        expired,
    input wire        run_go,
    input wire        run_quit,
    input wire        run_bad,
    input wire [15:0] run_bad_code,
    input wire        run_fault,
    input wire [15:0] run_fault_code,
    input wire        run_full,
    input wire [15:0] run_full_code,
    input wire        run_moved,
    input wire [31:0] run_limit,
    input wire [31:0] kept_waiting,
    input wire [33:0] kept_stuck,
    input wire [31:0] counted,
    input wire [1:0]  number,
    input wire        clears,
    input wire        counts
);

    reg started = 1'b0;
    always @(posedge clk)
        started <= 1'b1;
    wire rst = !started;

    wire        awready, wready, bvalid, arready, rvalid, irq, load, start_valid, done_ready, flush, stop_reads,
                stop_writes, core_rst, port_rst;
    wire [1:0]  bresp, rresp;
    wire [31:0] rdata;
    wire [63:0] config_words;
    samhw_axi_regs #(
        .ADDR_W(9), .CONFIG(2), .STATUS(1), .READERS(2), .WRITERS(1), .ID_W(2), .NODES(NODES), .STREAMS(2),
        .HASH(64'h0123_4567_89ab_cdef)
    ) dut (
        .clk(clk), .rst(rst),
        .s_axi_awvalid(awvalid), .s_axi_awready(awready), .s_axi_awaddr(awaddr),
        .s_axi_wvalid(wvalid), .s_axi_wready(wready), .s_axi_wdata(wdata), .s_axi_wstrb(wstrb),
        .s_axi_bvalid(bvalid), .s_axi_bready(bready), .s_axi_bresp(bresp),
        .s_axi_arvalid(arvalid), .s_axi_arready(arready), .s_axi_araddr(araddr),
        .s_axi_rvalid(rvalid), .s_axi_rready(rready), .s_axi_rdata(rdata), .s_axi_rresp(rresp),
        .irq(irq), .config_words(config_words), .status_words(status),
        .oversized(oversized), .misaligned(misaligned), .disordered(disordered), .beyond(beyond), .full(full),
        .moves(moves), .waits(waits),
        .node_beats(node_beats), .node_moves(node_moves), .node_waits(node_waits), .stream_waits(stream_waits),
        .read_error(read_error), .read_decode(read_decode), .read_port(read_port),
        .write_error(write_error), .write_decode(write_decode), .write_port(write_port),
        .load(load), .start_valid(start_valid), .start_ready(start_ready),
        .done_valid(done_valid), .done_ready(done_ready),
        .flush(flush), .stop_reads(stop_reads), .stop_writes(stop_writes), .reads_idle(reads_idle),
        .writes_idle(writes_idle),
        .writers_idle(writers_idle), .core_rst(core_rst), .port_rst(port_rst)
    );

    // A write whose address and data are there.
    reg         has_addr = 1'b0;
    reg         has_data = 1'b0;
    reg         answers  = 1'b0;
    reg  [8:0]  where_;
    reg  [31:0] data;
    reg  [3:0]  strb;
    wire        write   = started && has_addr && has_data && !answers;
    wire [8:0]  at      = {where_[8:2], 2'd0};
    wire        control = write && at == 9'h010 && strb[0];
    wire        quits   = control && data[1];
    wire        begins  = control && data[0] && !data[1];
    wire        forgets = quits || (control && data[2]) || (begins && !busy);
    wire        silent  = write && at == 9'h01c && strb[0] && data[0];

    // There is a register.
    function known(input [8:0] address);
        known = address < 9'h034 || (address >= 9'h100 && address < (NODES != 0 ? 9'h11c : 9'h110));
    endfunction

    // What the host has written, and what it is told.
    reg         nowhere  = 1'b0;
    reg  [63:0] config_  = 64'd0;
    reg         enabled  = 1'b0;
    reg  [31:0] limit    = 32'h0010_0000;
    reg         done     = 1'b0;
    reg         refused  = 1'b0;
    reg         pending  = 1'b0;
    reg  [31:0] waiting  = 32'd0;
    reg  [33:0] stuck    = 34'd0;
    integer     b;
    always @(posedge clk)
        if (started) begin
            has_addr <= (has_addr || awvalid) && !write;
            has_data <= (has_data || wvalid) && !write;
            answers  <= write || (answers && !bready);
            if (write)
                nowhere <= !known(at);
            if (awvalid && awready)
                where_ <= awaddr;
            if (wvalid && wready)
                {data, strb} <= {wdata, wstrb};
            for (b = 0; b < 8; b = b + 1)
                if (write && !busy && at == (b < 4 ? 9'h100 : 9'h104) && strb[b % 4])
                    config_[8*b +: 8] <= data[8*(b%4) +: 8];
            if (write && at == 9'h018 && strb[0])
                enabled <= data[0];
            for (b = 0; b < 4; b = b + 1)
                if (write && at == 9'h030 && strb[b])
                    limit[8*b +: 8] <= data[8*b +: 8];
            if (ended)
                done <= 1'b1;
            else if (forgets)
                done <= 1'b0;
            if (begins && busy)
                refused <= 1'b1;
            else if (forgets)
                refused <= 1'b0;
            if (ended)
                pending <= 1'b1;
            else if (quits || silent || (control && data[2]))
                pending <= 1'b0;
            if (expired)
                {waiting, stuck} <= {29'd0, waits, 32'd0, stream_waits};
        end

    // A read is answered with what stands there in the cycle after it was taken.
    reg         asked = 1'b0;
    reg  [8:0]  from;
    wire        ask   = started && arvalid && arready;
    always @(posedge clk) begin
        asked <= ask;
        if (ask)
            from <= {araddr[8:2], 2'd0};
    end
    wire        is_counter = NODES != 0 && from >= 9'h110 && from < 9'h11c;
    reg  [31:0] due;
    always @*
        case (from)
            9'h000:  due = 32'h53414d48;
            9'h004:  due = 32'd1;
            9'h008:  due = 32'h89abcdef;
            9'h00c:  due = 32'h01234567;
            9'h014:  due = {28'd0, refused, done && error != 16'd0, done, busy};
            9'h018:  due = {31'd0, enabled};
            9'h01c:  due = {31'd0, pending};
            9'h020:  due = done ? {16'd0, error} : 32'd0;
            9'h024:  due = waiting;
            9'h028:  due = cycles[31:0];
            9'h02c:  due = cycles[63:32];
            9'h030:  due = limit;
            9'h100:  due = config_[31:0];
            9'h104:  due = config_[63:32];
            9'h108:  due = status;
            9'h10c:  due = stuck[31:0];
            default: due = is_counter ? counted : 32'd0;
        endcase
    wire [2:0] reads;
    samhw_owed #(.W(34), .DEPTH(1)) told (
        .clk(clk), .started(started), .put(asked), .beat({due, !known(from), 1'b0}),
        .valid(rvalid), .ready(rready), .given({rdata, rresp}), .count(reads));
    samhw_soon #(.MOST(3)) stored (.clk(clk), .started(started), .waits(awvalid && wvalid && bready && !write));
    samhw_soon #(.MOST(3)) taken (.clk(clk), .started(started), .waits(arvalid && rready && !arready));

    // Why a run must end: the first of these, of the lowest port.
    function [7:0] lowest(input [2:0] ports);
        lowest = ports[0] ? 8'd0 : ports[1] ? 8'd1 : ports[2] ? 8'd2 : 8'd0;
    endfunction
    wire        faulty = read_error || write_error || disordered != 3'd0 || beyond != 3'd0 || expired;
    wire [15:0] fault  = read_error ? {6'd0, read_port, read_decode ? 8'd2 : 8'd1}
                       : write_error ? {8'd2 + {6'd0, write_port}, write_decode ? 8'd4 : 8'd3}
                       : disordered != 3'd0 ? {lowest(disordered), 8'd10}
                       : beyond != 3'd0 ? {lowest(beyond), 8'd5} : {lowest(waits), 8'd7};

    always @*
        if (started) begin
            assert (awready == !has_addr && wready == !has_data && bvalid == answers);
            assert (!answers || bresp == {nowhere, 1'b0});
            assert (rvalid == (reads != 3'd0));
            assert (config_words == config_);
            assert (irq == (enabled && pending));
            assert (run_limit == limit && kept_waiting == waiting && kept_stuck == stuck);
            assert (run_go == begins && run_quit == quits);
            assert (run_bad == (oversized || misaligned != 3'd0));
            assert (!run_bad || run_bad_code == (oversized ? 16'd8 : {lowest(misaligned), 8'd9}));
            assert (run_fault == faulty && (!faulty || run_fault_code == fault));
            assert (run_full == (full != 3'd0) && run_full_code == {lowest(full), 8'd6});
            assert (run_moved == (moves != 3'd0));
            assert (NODES == 0 || !asked || !is_counter || {5'd0, number, 2'd0} == from - 9'h110);
            assert (NODES == 0 || (clears == load && counts == (done_ready && !done_valid)));
        end

    wire _unused_ok = &{1'b0, start_valid, flush, stop_reads, stop_writes, core_rst, port_rst, 1'b0};

endmodule

`default_nettype wire
