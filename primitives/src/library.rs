//! Every Verilog module samhw ships, by name, with the modules it instantiates.

/// A module's text.
#[derive(Debug, Clone, Copy)]
pub struct Source {
    /// Module name; the file is `NAME.v`.
    pub name: &'static str,
    /// Verilog.
    pub text: &'static str,
    /// Modules it instantiates.
    pub uses: &'static [&'static str],
}

/// All of them.
pub const MODULES: &[Source] = &[
    Source {
        name: "samhw_alu",
        text: include_str!("alu/samhw_alu.v"),
        uses: &["samhw_alu_back", "samhw_alu_front", "samhw_word_op"],
    },
    Source { name: "samhw_alu_back", text: include_str!("alu/samhw_alu_back.v"), uses: &[] },
    Source {
        name: "samhw_alu_float",
        text: include_str!("float/samhw_alu_float.v"),
        uses: &["samhw_alu_back", "samhw_alu_front", "samhw_float_op"],
    },
    Source { name: "samhw_alu_front", text: include_str!("alu/samhw_alu_front.v"), uses: &["samhw_skid"] },
    Source {
        name: "samhw_alu_program",
        text: include_str!("alu/samhw_alu_program.v"),
        uses: &["samhw_alu_back", "samhw_alu_front", "samhw_program"],
    },
    Source {
        name: "samhw_alu_real",
        text: include_str!("real/samhw_alu_real.v"),
        uses: &["samhw_alu_back", "samhw_alu_front", "samhw_float_real"],
    },
    Source { name: "samhw_append", text: include_str!("value_writer/samhw_append.v"), uses: &[] },
    Source { name: "samhw_array", text: include_str!("array/samhw_array.v"), uses: &["samhw_queue", "samhw_skid"] },
    Source { name: "samhw_axi_lite", text: include_str!("axi/samhw_axi_lite.v"), uses: &[] },
    Source { name: "samhw_axi_lane", text: include_str!("axi/samhw_axi_lane.v"), uses: &[] },
    Source { name: "samhw_axi_loader", text: include_str!("axi/samhw_axi_loader.v"), uses: &["samhw_axi_reader"] },
    Source { name: "samhw_axi_order", text: include_str!("axi/samhw_axi_order.v"), uses: &["samhw_queue"] },
    Source {
        name: "samhw_axi_read_mux",
        text: include_str!("axi/samhw_axi_read_mux.v"),
        uses: &["samhw_axi_turn", "samhw_skid"],
    },
    Source {
        name: "samhw_axi_reader",
        text: include_str!("axi/samhw_axi_reader.v"),
        uses: &["samhw_axi_lane", "samhw_axi_words"],
    },
    Source {
        name: "samhw_axi_regs",
        text: include_str!("axi/samhw_axi_regs.v"),
        uses: &["samhw_axi_counters", "samhw_axi_lite", "samhw_axi_run"],
    },
    Source { name: "samhw_axi_run", text: include_str!("axi/samhw_axi_run.v"), uses: &[] },
    Source {
        name: "samhw_axi_tiles",
        text: include_str!("axi/samhw_axi_tiles.v"),
        uses: &["samhw_axi_lane", "samhw_axi_words", "samhw_queue"],
    },
    Source { name: "samhw_axi_counters", text: include_str!("axi/samhw_axi_counters.v"), uses: &[] },
    Source { name: "samhw_axi_turn", text: include_str!("axi/samhw_axi_turn.v"), uses: &[] },
    Source {
        name: "samhw_axi_whole",
        text: include_str!("axi/samhw_axi_whole.v"),
        uses: &["samhw_axi_lane", "samhw_axi_words"],
    },
    Source { name: "samhw_axi_words", text: include_str!("axi/samhw_axi_words.v"), uses: &["samhw_skid"] },
    Source {
        name: "samhw_axi_write_mux",
        text: include_str!("axi/samhw_axi_write_mux.v"),
        uses: &["samhw_axi_turn", "samhw_skid"],
    },
    Source {
        name: "samhw_axi_writer",
        text: include_str!("axi/samhw_axi_writer.v"),
        uses: &["samhw_queue", "samhw_skid"],
    },
    Source { name: "samhw_barrier", text: include_str!("barrier/samhw_barrier.v"), uses: &[] },
    Source {
        name: "samhw_bits_pack",
        text: include_str!("bits_writer/samhw_bits_pack.v"),
        uses: &["samhw_append", "samhw_placer", "samhw_run_skid"],
    },
    Source {
        name: "samhw_bits_unpack",
        text: include_str!("bits_unpack/samhw_bits_unpack.v"),
        uses: &["samhw_hold_back", "samhw_skid"],
    },
    Source {
        name: "samhw_bits_writer",
        text: include_str!("bits_writer/samhw_bits_writer.v"),
        uses: &["samhw_bits_pack"],
    },
    Source {
        name: "samhw_bits_writer_at",
        text: include_str!("bits_writer/samhw_bits_writer_at.v"),
        uses: &["samhw_bits_pack", "samhw_skid"],
    },
    Source {
        name: "samhw_collapse",
        text: include_str!("collapse/samhw_collapse.v"),
        uses: &["samhw_skid", "samhw_collapse_core"],
    },
    Source {
        name: "samhw_collapse_core",
        text: include_str!("collapse/samhw_collapse_core.v"),
        uses: &["samhw_hold_back"],
    },
    Source {
        name: "samhw_convert",
        text: include_str!("convert/samhw_convert.v"),
        uses: &["samhw_alu_back", "samhw_alu_front", "samhw_convert_op"],
    },
    Source {
        name: "samhw_convert_op",
        text: include_str!("convert/samhw_convert_op.v"),
        uses: &["samhw_fit", "samhw_float_parts", "samhw_float_round", "samhw_shift_jam"],
    },
    Source { name: "samhw_coordinate", text: include_str!("coordinate/samhw_coordinate.v"), uses: &["samhw_skid"] },
    Source {
        name: "samhw_crd_writer",
        text: include_str!("level_writer/samhw_crd_writer.v"),
        uses: &["samhw_value_writer"],
    },
    Source { name: "samhw_delay", text: include_str!("real/samhw_delay.v"), uses: &[] },
    Source {
        name: "samhw_divide",
        text: include_str!("divide/samhw_divide.v"),
        uses: &["samhw_skid", "samhw_divide_core"],
    },
    Source { name: "samhw_divide_core", text: include_str!("divide/samhw_divide_core.v"), uses: &[] },
    Source {
        name: "samhw_dropper_leaf",
        text: include_str!("dropper/samhw_dropper_leaf.v"),
        uses: &["samhw_hold_back", "samhw_skid"],
    },
    Source {
        name: "samhw_dropper_list",
        text: include_str!("dropper/samhw_dropper_list.v"),
        uses: &["samhw_hold_back", "samhw_skid"],
    },
    Source { name: "samhw_early_exit", text: include_str!("early_exit/samhw_early_exit.v"), uses: &["samhw_skid"] },
    Source {
        name: "samhw_fiber_reader",
        text: include_str!("scanner_compressed/samhw_fiber_reader.v"),
        uses: &["samhw_queue", "samhw_run_group", "samhw_skid"],
    },
    Source { name: "samhw_fifo", text: include_str!("fifo/samhw_fifo.v"), uses: &[] },
    Source { name: "samhw_fit", text: include_str!("convert/samhw_fit.v"), uses: &[] },
    Source {
        name: "samhw_fixed_mul",
        text: include_str!("alu/samhw_fixed_mul.v"),
        uses: &["samhw_fit", "samhw_mul_full"],
    },
    Source {
        name: "samhw_float_add",
        text: include_str!("float/samhw_float_add.v"),
        uses: &["samhw_float_parts", "samhw_float_round", "samhw_shift_jam"],
    },
    Source {
        name: "samhw_float_div",
        text: include_str!("float/samhw_float_div.v"),
        uses: &["samhw_delay", "samhw_float_parts", "samhw_float_round", "samhw_leading_zeros"],
    },
    Source {
        name: "samhw_float_exp",
        text: include_str!("real/samhw_float_exp.v"),
        uses: &["samhw_delay", "samhw_float_parts", "samhw_float_round", "samhw_mul_full", "samhw_poly"],
    },
    Source {
        name: "samhw_float_fma",
        text: include_str!("float/samhw_float_fma.v"),
        uses: &["samhw_float_parts", "samhw_float_round", "samhw_mul_full", "samhw_shift_jam"],
    },
    Source { name: "samhw_float_integral", text: include_str!("float/samhw_float_integral.v"), uses: &[] },
    Source {
        name: "samhw_float_log",
        text: include_str!("real/samhw_float_log.v"),
        uses: &[
            "samhw_delay",
            "samhw_float_parts",
            "samhw_float_round",
            "samhw_leading_zeros",
            "samhw_mul_full",
            "samhw_poly",
            "samhw_rom",
        ],
    },
    Source {
        name: "samhw_float_mul",
        text: include_str!("float/samhw_float_mul.v"),
        uses: &["samhw_float_parts", "samhw_float_round", "samhw_mul_full"],
    },
    Source {
        name: "samhw_float_op",
        text: include_str!("float/samhw_float_op.v"),
        uses: &[
            "samhw_float_add",
            "samhw_float_div",
            "samhw_float_fma",
            "samhw_float_integral",
            "samhw_float_mul",
            "samhw_float_order",
            "samhw_float_sqrt",
        ],
    },
    Source { name: "samhw_float_order", text: include_str!("float/samhw_float_order.v"), uses: &[] },
    Source { name: "samhw_float_parts", text: include_str!("float/samhw_float_parts.v"), uses: &[] },
    Source {
        name: "samhw_float_real",
        text: include_str!("real/samhw_float_real.v"),
        uses: &["samhw_float_exp", "samhw_float_log", "samhw_float_sine", "samhw_float_tanh"],
    },
    Source {
        name: "samhw_float_round",
        text: include_str!("float/samhw_float_round.v"),
        uses: &["samhw_leading_zeros", "samhw_shift_jam"],
    },
    Source {
        name: "samhw_float_sine",
        text: include_str!("real/samhw_float_sine.v"),
        uses: &[
            "samhw_delay",
            "samhw_float_parts",
            "samhw_float_round",
            "samhw_leading_zeros",
            "samhw_mul_full",
            "samhw_mul_low",
            "samhw_poly",
            "samhw_rom",
        ],
    },
    Source {
        name: "samhw_float_sqrt",
        text: include_str!("float/samhw_float_sqrt.v"),
        uses: &["samhw_delay", "samhw_float_parts", "samhw_float_round", "samhw_leading_zeros"],
    },
    Source {
        name: "samhw_float_tanh",
        text: include_str!("real/samhw_float_tanh.v"),
        uses: &["samhw_delay", "samhw_float_parts", "samhw_float_round", "samhw_poly"],
    },
    Source { name: "samhw_fold", text: include_str!("blocks/samhw_fold.v"), uses: &["samhw_float_order"] },
    Source {
        name: "samhw_fold_in_place",
        text: include_str!("blocks/samhw_fold_in_place.v"),
        uses: &["samhw_fold", "samhw_pipelined_op", "samhw_program"],
    },
    Source { name: "samhw_fork", text: include_str!("fork/samhw_fork.v"), uses: &[] },
    Source { name: "samhw_hold", text: include_str!("blocks/samhw_hold.v"), uses: &[] },
    Source { name: "samhw_hold_back", text: include_str!("blocks/samhw_hold_back.v"), uses: &["samhw_hold"] },
    Source { name: "samhw_joiner", text: include_str!("joiner/samhw_joiner.v"), uses: &["samhw_joiner_skip"] },
    Source {
        name: "samhw_joiner_bits",
        text: include_str!("joiner_bits/samhw_joiner_bits.v"),
        uses: &["samhw_hold_back", "samhw_skid"],
    },
    Source {
        name: "samhw_joiner_wide",
        text: include_str!("joiner_wide/samhw_joiner_wide.v"),
        uses: &["samhw_hold", "samhw_skid"],
    },
    Source {
        name: "samhw_joiner_skip",
        text: include_str!("joiner/samhw_joiner_skip.v"),
        uses: &["samhw_hold", "samhw_skid", "samhw_skid_ahead"],
    },
    Source { name: "samhw_leading_zeros", text: include_str!("float/samhw_leading_zeros.v"), uses: &[] },
    Source {
        name: "samhw_level_writer",
        text: include_str!("level_writer/samhw_level_writer.v"),
        uses: &["samhw_append", "samhw_run_skid"],
    },
    Source {
        name: "samhw_level_writer_at",
        text: include_str!("level_writer/samhw_level_writer_at.v"),
        uses: &["samhw_append", "samhw_placer", "samhw_run_skid", "samhw_skid"],
    },
    Source {
        name: "samhw_locator_bits",
        text: include_str!("locator/samhw_locator_bits.v"),
        uses: &["samhw_queue", "samhw_skid"],
    },
    Source {
        name: "samhw_locator_compressed",
        text: include_str!("locator/samhw_locator_compressed.v"),
        uses: &["samhw_skid"],
    },
    Source {
        name: "samhw_locator_dense",
        text: include_str!("locator/samhw_locator_dense.v"),
        uses: &["samhw_mul", "samhw_skid"],
    },
    Source { name: "samhw_bits_set", text: include_str!("reducer_vector/samhw_bits_set.v"), uses: &[] },
    Source { name: "samhw_lowest_bit", text: include_str!("reducer_vector/samhw_lowest_bit.v"), uses: &[] },
    Source {
        name: "samhw_mem_burst",
        text: include_str!("memory/samhw_mem_burst.v"),
        uses: &["samhw_ram_parts", "samhw_skid"],
    },
    Source {
        name: "samhw_mem_burst_rw",
        text: include_str!("memory/samhw_mem_burst_rw.v"),
        uses: &["samhw_mem_burst"],
    },
    Source {
        name: "samhw_mem_fold",
        text: include_str!("memory_fold/samhw_mem_fold.v"),
        uses: &["samhw_fold_in_place", "samhw_workspace_ram"],
    },
    Source {
        name: "samhw_mem_pair",
        text: include_str!("memory/samhw_mem_pair.v"),
        uses: &["samhw_ram", "samhw_skid"],
    },
    Source { name: "samhw_mem_pair_rw", text: include_str!("memory/samhw_mem_pair_rw.v"), uses: &["samhw_mem_pair"] },
    Source {
        name: "samhw_mem_single",
        text: include_str!("memory/samhw_mem_single.v"),
        uses: &["samhw_ram_parts", "samhw_skid"],
    },
    Source {
        name: "samhw_mem_single_rw",
        text: include_str!("memory/samhw_mem_single_rw.v"),
        uses: &["samhw_mem_single"],
    },
    Source {
        name: "samhw_mem_wide",
        text: include_str!("memory_wide/samhw_mem_wide.v"),
        uses: &["samhw_ram", "samhw_skid"],
    },
    Source { name: "samhw_mem_write", text: include_str!("memory/samhw_mem_write.v"), uses: &["samhw_ram"] },
    Source { name: "samhw_mul", text: include_str!("alu/samhw_mul.v"), uses: &[] },
    Source { name: "samhw_mul_full", text: include_str!("float/samhw_mul_full.v"), uses: &[] },
    Source { name: "samhw_mul_low", text: include_str!("real/samhw_mul_low.v"), uses: &[] },
    Source { name: "samhw_pair", text: include_str!("reducer_vector/samhw_pair.v"), uses: &["samhw_skid"] },
    Source {
        name: "samhw_pairing",
        text: include_str!("reducer_pipelined/samhw_pairing.v"),
        uses: &["samhw_pipelined_op"],
    },
    Source {
        name: "samhw_parallelizer",
        text: include_str!("parallelizer/samhw_parallelizer.v"),
        uses: &["samhw_skid"],
    },
    Source {
        name: "samhw_pipelined_op",
        text: include_str!("reducer_pipelined/samhw_pipelined_op.v"),
        uses: &["samhw_float_op", "samhw_word_op"],
    },
    Source { name: "samhw_placer", text: include_str!("value_writer/samhw_placer.v"), uses: &[] },
    Source {
        name: "samhw_poly",
        text: include_str!("real/samhw_poly.v"),
        uses: &["samhw_delay", "samhw_mul_full", "samhw_rom"],
    },
    Source {
        name: "samhw_program",
        text: include_str!("alu/samhw_program.v"),
        uses: &["samhw_float_fma", "samhw_float_round", "samhw_leading_zeros", "samhw_mul"],
    },
    Source { name: "samhw_queue", text: include_str!("blocks/samhw_queue.v"), uses: &[] },
    Source { name: "samhw_ram", text: include_str!("memory/samhw_ram.v"), uses: &[] },
    Source { name: "samhw_ram_parts", text: include_str!("memory/samhw_ram_parts.v"), uses: &["samhw_ram"] },
    Source {
        name: "samhw_reducer_iterative",
        text: include_str!("reducer_iterative/samhw_reducer_iterative.v"),
        uses: &["samhw_program", "samhw_skid"],
    },
    Source {
        name: "samhw_reducer_matrix",
        text: include_str!("reducer_matrix/samhw_reducer_matrix.v"),
        uses: &["samhw_skid", "samhw_pair", "samhw_collapse_core", "samhw_workspace", "samhw_divide_core"],
    },
    Source {
        name: "samhw_reducer_pipelined",
        text: include_str!("reducer_pipelined/samhw_reducer_pipelined.v"),
        uses: &["samhw_pairing", "samhw_pipelined_op", "samhw_skid"],
    },
    Source {
        name: "samhw_reducer_scalar",
        text: include_str!("reducer_scalar/samhw_reducer_scalar.v"),
        uses: &["samhw_fold", "samhw_skid"],
    },
    Source {
        name: "samhw_reducer_vector",
        text: include_str!("reducer_vector/samhw_reducer_vector.v"),
        uses: &["samhw_pair", "samhw_workspace"],
    },
    Source { name: "samhw_ref_skid", text: include_str!("scanner_compressed/samhw_ref_skid.v"), uses: &["samhw_skid"] },
    Source { name: "samhw_repeater", text: include_str!("repeater/samhw_repeater.v"), uses: &["samhw_skid"] },
    Source { name: "samhw_rom", text: include_str!("real/samhw_rom.v"), uses: &[] },
    Source { name: "samhw_root", text: include_str!("root/samhw_root.v"), uses: &[] },
    Source { name: "samhw_run_group", text: include_str!("scanner_compressed/samhw_run_group.v"), uses: &[] },
    Source { name: "samhw_run_skid", text: include_str!("value_writer/samhw_run_skid.v"), uses: &["samhw_skid"] },
    Source {
        name: "samhw_scanner_bits",
        text: include_str!("scanner_bits/samhw_scanner_bits.v"),
        uses: &["samhw_queue", "samhw_skid"],
    },
    Source {
        name: "samhw_scanner_compressed",
        text: include_str!("scanner_compressed/samhw_scanner_compressed.v"),
        uses: &["samhw_fiber_reader", "samhw_segment_fetch"],
    },
    Source {
        name: "samhw_scanner_dense",
        text: include_str!("scanner_dense/samhw_scanner_dense.v"),
        uses: &["samhw_skid"],
    },
    Source {
        name: "samhw_scanner_part",
        text: include_str!("scanner_part/samhw_scanner_part.v"),
        uses: &["samhw_skid"],
    },
    Source {
        name: "samhw_scanner_range",
        text: include_str!("scanner_range/samhw_scanner_range.v"),
        uses: &["samhw_fiber_reader", "samhw_ref_skid"],
    },
    Source {
        name: "samhw_scanner_seek",
        text: include_str!("scanner_seek/samhw_scanner_seek.v"),
        uses: &["samhw_seek_reader", "samhw_segment_fetch"],
    },
    Source {
        name: "samhw_scanner_skip",
        text: include_str!("scanner_skip/samhw_scanner_skip.v"),
        uses: &["samhw_queue", "samhw_segment_fetch"],
    },
    Source {
        name: "samhw_scanner_wide",
        text: include_str!("scanner_wide/samhw_scanner_wide.v"),
        uses: &["samhw_segment_fetch", "samhw_window_reader"],
    },
    Source {
        name: "samhw_seek_reader",
        text: include_str!("scanner_seek/samhw_seek_reader.v"),
        uses: &["samhw_queue", "samhw_skid"],
    },
    Source {
        name: "samhw_segment_fetch",
        text: include_str!("scanner_compressed/samhw_segment_fetch.v"),
        uses: &["samhw_queue", "samhw_ref_skid", "samhw_skid"],
    },
    Source { name: "samhw_scatter", text: include_str!("scatter/samhw_scatter.v"), uses: &["samhw_skid"] },
    Source { name: "samhw_serializer", text: include_str!("serializer/samhw_serializer.v"), uses: &["samhw_skid"] },
    Source { name: "samhw_shift_jam", text: include_str!("float/samhw_shift_jam.v"), uses: &[] },
    Source { name: "samhw_skid", text: include_str!("blocks/samhw_skid.v"), uses: &["samhw_skid_ahead"] },
    Source { name: "samhw_skid_ahead", text: include_str!("blocks/samhw_skid_ahead.v"), uses: &[] },
    Source { name: "samhw_slice", text: include_str!("slice/samhw_slice.v"), uses: &["samhw_hold_back", "samhw_skid"] },
    Source { name: "samhw_stitch", text: include_str!("stitch/samhw_stitch.v"), uses: &["samhw_fold", "samhw_skid"] },
    Source {
        name: "samhw_value_writer",
        text: include_str!("value_writer/samhw_value_writer.v"),
        uses: &["samhw_append", "samhw_run_skid"],
    },
    Source {
        name: "samhw_window_reader",
        text: include_str!("scanner_wide/samhw_window_reader.v"),
        uses: &["samhw_queue", "samhw_skid"],
    },
    Source {
        name: "samhw_value_writer_at",
        text: include_str!("value_writer/samhw_value_writer_at.v"),
        uses: &["samhw_append", "samhw_placer", "samhw_run_skid", "samhw_skid"],
    },
    Source {
        name: "samhw_word_op",
        text: include_str!("alu/samhw_word_op.v"),
        uses: &["samhw_fixed_mul", "samhw_mul"],
    },
    Source {
        name: "samhw_workspace",
        text: include_str!("reducer_vector/samhw_workspace.v"),
        uses: &["samhw_workspace_top", "samhw_workspace_level", "samhw_workspace_values"],
    },
    Source {
        name: "samhw_workspace_level",
        text: include_str!("reducer_vector/samhw_workspace_level.v"),
        uses: &["samhw_skid", "samhw_lowest_bit", "samhw_bits_set", "samhw_workspace_ram"],
    },
    Source { name: "samhw_workspace_ram", text: include_str!("reducer_vector/samhw_workspace_ram.v"), uses: &[] },
    Source {
        name: "samhw_workspace_top",
        text: include_str!("reducer_vector/samhw_workspace_top.v"),
        uses: &["samhw_lowest_bit", "samhw_bits_set"],
    },
    Source {
        name: "samhw_workspace_values",
        text: include_str!("reducer_vector/samhw_workspace_values.v"),
        uses: &["samhw_fold_in_place", "samhw_workspace_ram"],
    },
    Source { name: "samhw_zip", text: include_str!("zip/samhw_zip.v"), uses: &["samhw_skid"] },
];

/// The modules `names` need, themselves included, sorted by name; unknown names are left out.
pub fn closure<'a>(names: impl IntoIterator<Item = &'a str>) -> Vec<&'static Source> {
    let mut todo: Vec<&str> = names.into_iter().collect();
    let mut found: Vec<&'static Source> = Vec::new();
    while let Some(name) = todo.pop() {
        if found.iter().any(|s| s.name == name) {
            continue;
        }
        if let Some(s) = MODULES.iter().find(|s| s.name == name) {
            found.push(s);
            todo.extend(s.uses);
        }
    }
    found.sort_by_key(|s| s.name);
    found
}
