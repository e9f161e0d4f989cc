//! `NAME_linux.c`: a program for Linux that maps registers and memory and runs the kernel on data from a file.

use super::plan::Axi;
use super::ports::register_width;
use super::registers::Holds;
use crate::emit::Context;
use crate::netlist::Meaning;

/// The program.
pub(super) fn file(cx: &Context, axi: &Axi) -> (String, String) {
    let name = cx.name.to_lowercase();
    let mut arrays = Vec::new();
    let mut settings = Vec::new();
    for r in &axi.registers {
        let field = r.name.to_lowercase();
        match r.holds {
            Holds::Base(array) => {
                let word = axi.ports.iter().find(|p| p.array == array).map_or(1, |p| 1 << p.size_log2);
                let words = axi.registers.iter().find(|r| r.holds == Holds::Words(array));
                let words = words.map(|r| r.name.to_lowercase()).unwrap_or_default();
                let array = &cx.net.arrays[array].name;
                arrays.push(format!("    {{\"{array}\", {word}, &run.{field}, &run.{words}, 0, 0}},"));
            }
            Holds::Config(k) => {
                let value = match (super::driver::computed(cx, k), r.words) {
                    (true, _) => "return 1; /* the driver computes it */".to_string(),
                    (false, 1) if !matches!(cx.net.config[k].meaning, Meaning::Chunk(_)) => {
                        format!("return run.{field} = (uint32_t)value, 1;")
                    }
                    _ => format!("return run.{field} = value, 1;"),
                };
                settings.push(format!("    if (strcmp(name, \"{}\") == 0)\n        {value}", r.name));
            }
            _ => {}
        }
    }
    let text = include_str!("templates/linux.c")
        .replace("@REGISTER_BYTES", &(1u64 << register_width(axi)).to_string())
        .replace("@ARRAYS", &arrays.join("\n"))
        .replace("@SETTINGS", &settings.join("\n"))
        .replace("@FILE", cx.name)
        .replace("@name", &name);
    (format!("{}_linux.c", cx.name), text)
}
