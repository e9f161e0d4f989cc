// SPDX-License-Identifier: Apache-2.0
//
// A kernel with on-chip memories behind a serial line: loads, starts, polls and reads it at the
// request of a host. The protocol is described in docs/fpga.md.
//
//   Line        rx, tx: DIVISOR clock cycles per bit, 8N1.
//   Kernel      NAME_ram's start, done and host ports; `kernel_rst` is its reset. Run-time inputs
//               are words of `config_words`, status outputs words of `status_words`, the first
//               lowest, each in WORD bits.
//   Parameters  WORD bits of a word on the line (32 or 64), at least as many as any port of the
//               kernel has; ADDR_W, at most 32, and DATA_W of the host port; CONFIGS and STATUSES (at least
//               1): numbers of words; ID of the design.
//   Reset       everything but the kernel's memories and run-time inputs; the host sees that it
//               happened because `session` is 0 again.
`default_nettype none

module samhw_device #(
    parameter DIVISOR  = 25,
    parameter WORD     = 32,
    parameter ADDR_W   = 8,
    parameter DATA_W   = 32,
    parameter CONFIGS  = 1,
    parameter STATUSES = 1,
    parameter [31:0] ID = 32'd0
) (
    input  wire                     clk,
    input  wire                     rst,

    input  wire                     rx,
    output wire                     tx,
    output wire                     running,

    output wire                     kernel_rst,
    output wire                     start_valid,
    input  wire                     start_ready,
    input  wire                     done_valid,
    output wire                     done_ready,
    output wire                     host_write,
    output wire                     host_read,
    output wire [ADDR_W-1:0]        host_addr,
    output wire [DATA_W-1:0]        host_wdata,
    input  wire [DATA_W-1:0]        host_rdata,
    output wire [CONFIGS*WORD-1:0]  config_words,
    input  wire [STATUSES*WORD-1:0] status_words
);
    generate
        if (DIVISOR < 4
            || (WORD != 32 && WORD != 64)
            || ADDR_W < 1 || ADDR_W > 32
            || DATA_W < 1 || DATA_W > WORD
            || CONFIGS < 1 || STATUSES < 1) begin : g_parameters
            samhw_parameter_out_of_range refused ();
        end
    endgenerate

    localparam WORD_LOG = WORD == 64 ? 3 : 2;
    localparam integer LAST_BYTE = WORD / 8 - 1;

    // ------------------------------------------------------------
    // Line

    wire       in_valid;
    wire [7:0] in_byte;
    wire       in_error;
    samhw_uart_rx #(.DIVISOR(DIVISOR)) u_rx (
        .clk(clk), .rst(rst), .rx(rx),
        .byte_valid(in_valid), .byte_data(in_byte), .framing_error(in_error)
    );

    wire       out_valid;
    wire       out_ready;
    wire [7:0] out_byte;
    samhw_uart_tx #(.DIVISOR(DIVISOR)) u_tx (
        .clk(clk), .rst(rst),
        .byte_valid(out_valid), .byte_ready(out_ready), .byte_data(out_byte), .tx(tx)
    );

    // ------------------------------------------------------------
    // Frames; one checksum serves both directions, which take turns

    wire        hold;
    wire        request;
    wire        rejected;
    wire [55:0] header;
    reg  [8:0]  read_index;
    wire [7:0]  read_byte;
    wire        rx_clear;
    wire        rx_feed;
    wire [7:0]  rx_data;
    wire [31:0] crc;
    samhw_link_rx #(.WORD_LOG(WORD_LOG)) u_link_rx (
        .clk(clk), .rst(rst),
        .in_valid(in_valid), .in_byte(in_byte), .in_error(in_error),
        .hold(hold), .request(request), .rejected(rejected), .header(header),
        .read_index(read_index), .read_byte(read_byte),
        .crc_clear(rx_clear), .crc_feed(rx_feed), .crc_data(rx_data), .crc(crc)
    );

    wire       send_valid;
    wire       send_ready;
    reg  [7:0] send_byte;
    wire       send_end;
    wire       send_sum;
    wire       tx_feed;
    wire [7:0] tx_data;
    wire       crc_idle;
    samhw_link_tx u_link_tx (
        .clk(clk), .rst(rst),
        .send_valid(send_valid), .send_ready(send_ready), .send_byte(send_byte),
        .send_end(send_end), .send_sum(send_sum),
        .out_valid(out_valid), .out_ready(out_ready), .out_byte(out_byte),
        .crc_feed(tx_feed), .crc_data(tx_data), .crc_idle(crc_idle)
    );

    wire crc_clear;
    samhw_crc32 u_crc (
        .clk(clk), .rst(rst), .clear(crc_clear),
        .feed(hold ? tx_feed : rx_feed), .data(hold ? tx_data : rx_data),
        .idle(crc_idle), .crc(crc)
    );

    wire [7:0] number    = header[7:0];
    wire       writes    = header[8];
    wire       registers = header[9];
    wire       known     = header[15:10] == 6'd0;

    // ------------------------------------------------------------
    // Requests, one after the other

    localparam [2:0] IDLE  = 3'd0;  // waits for a request
    localparam [2:0] FETCH = 3'd1;  // gathers a word of the payload
    localparam [2:0] STORE = 3'd2;  // writes it
    localparam [2:0] HEAD  = 3'd3;  // sends end, number, operation, session, flags
    localparam [2:0] READ  = 3'd4;  // asks for a word
    localparam [2:0] WAIT  = 3'd5;  // takes it
    localparam [2:0] DATA  = 3'd6;  // sends it
    localparam [2:0] SUM   = 3'd7;  // sends the checksum, and the end

    reg [2:0]      state;
    reg [2:0]      step;
    // A step's second cycle: what was asked for in the first is there.
    reg            second;
    reg            refused;
    reg [7:0]      left;
    reg [31:0]     addr;
    reg [WORD-1:0] word;

    reg [7:0]  session;
    reg [7:0]  run;
    reg        going;
    reg        start;
    reg        restart;
    reg [47:0] cycles;
    reg [15:0] faults;

    wire [7:0] index = addr[7:0];
    wire last_byte = step == LAST_BYTE[2:0];
    wire last_word = left == 8'd1;
    wire store_register = state == STORE && registers;
    wire [WORD-1:0] register;

    assign hold       = state != IDLE;
    assign send_valid = state == HEAD || state == DATA || state == SUM;
    assign send_end   = (state == HEAD && step == 3'd0) || (state == SUM && step == 3'd4);
    assign send_sum   = state == SUM;
    assign crc_clear  = rx_clear || (state == HEAD && step == 3'd0) || (state == SUM && step == 3'd4);
    wire sent = send_valid && send_ready;

    always @*
        case (state)
            HEAD: case (step)
                3'd1: send_byte = number;
                3'd2: send_byte = {1'b1, header[14:8]};
                3'd3: send_byte = session;
                default: send_byte = {6'd0, refused, going};
            endcase
            SUM: case (step)
                3'd0: send_byte = ~crc[7:0];
                3'd1: send_byte = ~crc[15:8];
                3'd2: send_byte = ~crc[23:16];
                default: send_byte = ~crc[31:24];
            endcase
            default: send_byte = word[7:0];
        endcase

    always @(posedge clk) begin
        second <= (state == FETCH || state == WAIT) && !second;
        case (state)
            IDLE: if (request) begin
                // Memories belong to the kernel while it runs.
                refused <= !known || (going && !registers);
                left <= header[23:16];
                addr <= header[55:24];
                read_index <= 9'd0;
                step <= 3'd0;
                state <= known && writes && !(going && !registers) && header[23:16] != 8'd0 ? FETCH : HEAD;
            end
            FETCH: if (second) begin
                word <= {read_byte, word[WORD-1:8]};
                read_index <= read_index + 9'd1;
                step <= last_byte ? 3'd0 : step + 3'd1;
                if (last_byte)
                    state <= STORE;
            end
            STORE: begin
                addr <= addr + 32'd1;
                left <= left - 8'd1;
                state <= last_word ? HEAD : FETCH;
            end
            HEAD: if (sent) begin
                step <= step == 3'd4 ? 3'd0 : step + 3'd1;
                if (step == 3'd4)
                    state <= refused || writes || left == 8'd0 ? SUM : READ;
            end
            READ: state <= WAIT;
            WAIT: if (second) begin
                word <= registers ? register : {{(WORD-DATA_W){1'b0}}, host_rdata};
                state <= DATA;
            end
            DATA: if (sent) begin
                word <= {8'd0, word[WORD-1:8]};
                step <= last_byte ? 3'd0 : step + 3'd1;
                if (last_byte) begin
                    addr <= addr + 32'd1;
                    left <= left - 8'd1;
                    state <= last_word ? SUM : READ;
                end
            end
            default: if (sent) begin
                step <= step + 3'd1;
                if (step == 3'd4)
                    state <= IDLE;
            end
        endcase
        if (rst) begin
            state <= IDLE;
            second <= 1'b0;
        end
    end

    // ------------------------------------------------------------
    // Memories

    assign host_write = state == STORE && !registers;
    assign host_read  = state == READ && !registers;
    assign host_wdata = word[DATA_W-1:0];
    assign host_addr  = addr[ADDR_W-1:0];

    // ------------------------------------------------------------
    // Registers: 0 session, 1 run, 2 restart; from 16 run-time inputs and status outputs

    assign kernel_rst  = rst || restart;
    assign start_valid = start;
    assign done_ready  = 1'b1;
    assign running     = going;

    always @(posedge clk) begin
        restart <= store_register && index == 8'd2;
        if (store_register && index == 8'd0)
            session <= word[7:0];
        // A run has a number, so that a request that comes twice starts it once.
        if (store_register && index == 8'd1 && !going && word[7:0] != run) begin
            run <= word[7:0];
            start <= 1'b1;
            going <= 1'b1;
            cycles <= 48'd0;
        end else if (going) begin
            if (start_ready)
                start <= 1'b0;
            if (done_valid)
                going <= 1'b0;
            else
                cycles <= cycles + 48'd1;
        end
        if (rejected && !(&faults))
            faults <= faults + 16'd1;
        if (rst || restart) begin
            run <= 8'd0;
            start <= 1'b0;
            going <= 1'b0;
        end
        if (rst) begin
            session <= 8'd0;
            restart <= 1'b0;
            faults <= 16'd0;
        end
    end

    genvar n;
    generate
        for (n = 0; n < CONFIGS; n = n + 1) begin : g_config
            localparam integer INDEX = 16 + n;
            reg [WORD-1:0] value;
            assign config_words[n*WORD +: WORD] = value;
            always @(posedge clk)
                if (store_register && index == INDEX[7:0])
                    value <= word;
        end
    endgenerate

    wire [7:0] status_index = index - 8'd16;
    reg [WORD-1:0] status;
    integer k;
    always @* begin
        status = {WORD{1'b0}};
        for (k = 0; k < STATUSES; k = k + 1)
            if (status_index == k[7:0])
                status = status_words[k*WORD +: WORD];
    end

    reg [31:0] own;
    always @*
        case (index[2:0])
            3'd0: own = 32'h314d4853; // "SHM1", lowest byte first
            3'd1: own = ID;
            3'd2: own = {24'd0, run};
            3'd3: own = cycles[31:0];
            3'd4: own = {16'd0, cycles[47:32]};
            default: own = {16'd0, faults};
        endcase
    assign register = index[7:4] == 4'd0 ? {{(WORD-32){1'b0}}, own} : status;

    wire _unused_ok = &{1'b0, addr, 1'b0};

endmodule

`default_nettype wire
