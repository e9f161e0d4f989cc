    // The host's side of the registers, one transfer at a time; then a run.
    task tick;
        begin
            #5 clk = 1'b1;
            #5 clk = 1'b0;
            cycles = cycles + 1;
        end
    endtask

    task write(input [31:0] offset, input [31:0] word);
        begin
            s_axi_awaddr = offset;
            s_axi_wdata  = word;
            {s_axi_awvalid, s_axi_wvalid, s_axi_bready, s_axi_wstrb} = 7'h7f;
            while (s_axi_awvalid || s_axi_wvalid || s_axi_bready) begin
                #4 k = {s_axi_awready, s_axi_wready, s_axi_bvalid} & {s_axi_awvalid, s_axi_wvalid, s_axi_bready};
                tick;
                {s_axi_awvalid, s_axi_wvalid, s_axi_bready} = {s_axi_awvalid, s_axi_wvalid, s_axi_bready} & ~k;
                if (cycles > LIMIT) {s_axi_awvalid, s_axi_wvalid, s_axi_bready} = 3'd0;
            end
        end
    endtask

    task read(input [31:0] offset);
        begin
            s_axi_araddr = offset;
            {s_axi_arvalid, s_axi_rready} = 2'd3;
            while (s_axi_arvalid || s_axi_rready) begin
                #4 k = {s_axi_arready, s_axi_rvalid} & {s_axi_arvalid, s_axi_rready};
                if (s_axi_rvalid) value = s_axi_rdata;
                tick;
                {s_axi_arvalid, s_axi_rready} = {s_axi_arvalid, s_axi_rready} & ~k;
                if (cycles > LIMIT) {s_axi_arvalid, s_axi_rready} = 2'd0;
            end
        end
    endtask

    integer n;
    initial begin
        $readmemb("registers.txt", registers);
        $readmemb("stores.txt", stores);
        $readmemb("results.txt", results);
        for (n = 0; n < STORES; n = n + 1) begin
            {at, want} = stores[n];
            bytes[at] = want;
        end
        cycles = 0;
        wrong  = 0;
        clk    = 1'b0;
        rst    = 1'b1;
        {s_axi_awvalid, s_axi_wvalid, s_axi_bready, s_axi_arvalid, s_axi_rready} = 5'd0;
        tick;
        rst   = 1'b0;
        value = 32'd1;
        while (value[0] !== 1'b0 && cycles < LIMIT)
            read(STATUS);
        for (n = 0; n < REGISTERS; n = n + 1) begin
            {at[11:0], value} = registers[n];
            write({20'd0, at[11:0]}, value);
        end
        write(CONTROL, 32'd1);
        while (irq !== 1'b1 && cycles < LIMIT) begin
            tick;
            if (irq === 1'bx && wrong == 0) begin
                $display("the interrupt is X");
                wrong = 1;
            end
        end
        read(ERROR);
        if (value !== 32'd0) begin
            $display("error %h after %0d cycles", value, cycles);
            wrong = wrong + 1;
        end
        for (n = 0; n < RESULTS; n = n + 1) begin
            {at, want} = results[n];
            if (bytes[at] !== want) begin
                if (wrong < 10) $display("byte %h is %h, not %h", at, bytes[at], want);
                wrong = wrong + 1;
            end
        end
