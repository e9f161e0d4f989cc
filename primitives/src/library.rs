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
    Source { name: "samhw_skid", text: include_str!("blocks/samhw_skid.v"), uses: &[] },
    Source { name: "samhw_repeater", text: include_str!("repeater/samhw_repeater.v"), uses: &["samhw_skid"] },
    Source { name: "samhw_alu1", text: include_str!("alu/samhw_alu1.v"), uses: &["samhw_alu_pipe", "samhw_skid"] },
    Source { name: "samhw_alu2", text: include_str!("alu/samhw_alu2.v"), uses: &["samhw_alu_pipe", "samhw_skid"] },
    Source { name: "samhw_alu_pipe", text: include_str!("alu/samhw_alu_pipe.v"), uses: &["samhw_mul"] },
    Source { name: "samhw_mul", text: include_str!("alu/samhw_mul.v"), uses: &[] },
    Source {
        name: "samhw_reducer_scalar",
        text: include_str!("reducer_scalar/samhw_reducer_scalar.v"),
        uses: &["samhw_skid"],
    },
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
        name: "samhw_seg_writer",
        text: include_str!("level_writer/samhw_seg_writer.v"),
        uses: &["samhw_level_writer"],
    },
    Source {
        name: "samhw_seg_writer_at",
        text: include_str!("level_writer/samhw_seg_writer_at.v"),
        uses: &["samhw_level_writer_at"],
    },
    Source {
        name: "samhw_crd_writer",
        text: include_str!("level_writer/samhw_crd_writer.v"),
        uses: &["samhw_value_writer"],
    },
    Source { name: "samhw_append", text: include_str!("value_writer/samhw_append.v"), uses: &[] },
    Source { name: "samhw_placer", text: include_str!("value_writer/samhw_placer.v"), uses: &[] },
    Source { name: "samhw_run_skid", text: include_str!("value_writer/samhw_run_skid.v"), uses: &["samhw_skid"] },
    Source {
        name: "samhw_value_writer",
        text: include_str!("value_writer/samhw_value_writer.v"),
        uses: &["samhw_append", "samhw_run_skid"],
    },
    Source {
        name: "samhw_value_writer_at",
        text: include_str!("value_writer/samhw_value_writer_at.v"),
        uses: &["samhw_append", "samhw_placer", "samhw_run_skid", "samhw_skid"],
    },
    Source {
        name: "samhw_locator_dense",
        text: include_str!("locator/samhw_locator_dense.v"),
        uses: &["samhw_mul", "samhw_skid"],
    },
    Source {
        name: "samhw_locator_compressed",
        text: include_str!("locator/samhw_locator_compressed.v"),
        uses: &["samhw_skid"],
    },
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
