//! `NAME_linux.c`: a program for Linux that maps registers and memory and runs the kernel on data from a file.

use super::bus::Axi;
use super::c_names::field;
use super::driver::computed;
use super::joined;
use super::ports::register_width;
use super::registers::{Holds, Register};
use crate::emit::Context;
use crate::emit::backend::{Artifact, Backend, Emitted};

/// The program `NAME_linux.c`.
pub(in crate::emit) struct LinuxProgram;

impl Backend for LinuxProgram {
    fn artifacts(&self, of: &Emitted) -> Vec<Artifact> {
        let Some((axi, names)) = of.axi else { return vec![] };
        vec![(format!("{}_linux.c", names.file), names.fill(&program(of.cx, axi)))]
    }
}

fn program(cx: &Context, axi: &Axi) -> String {
    let arrays: Vec<String> = axi.registers.iter().filter_map(|r| array(cx, axi, r)).collect();
    let settings: Vec<String> = axi.registers.iter().filter_map(|r| setting(cx, r)).collect();
    // Room for the longest word of the data: a name, or a number.
    let names_of_arrays = cx.net.arrays.iter().map(|a| a.name.len());
    let longest = axi.registers.iter().map(|r| r.name.len()).chain(names_of_arrays).max().unwrap_or(0).max(18);
    let longest = longest.max(joined::longest_name(cx, axi));
    let [printed, parted] = joined::printed(cx, axi);
    include_str!("templates/linux.c")
        .replace("@PRINTED\n", &printed)
        .replace("@PARTED", &parted)
        .replace("@REGISTER_BYTES", &(1u64 << register_width(axi)).to_string())
        .replace("@TOKEN", &format!("{}", longest + 2))
        .replace("@PAGE", &format!("{}_registers.md", cx.name))
        .replace("@ARRAYS", &arrays.join("\n"))
        .replace("@SETTINGS", &settings.join("\n"))
        .replace("@DATA", &format!("{}_data.txt", cx.name))
        .replace("@TOP", &format!("{}_axi", cx.name))
}

/// What the program knows of the array with this base: name, bytes and bits of a word, where its
/// place is told, whether it is a result.
fn array(cx: &Context, axi: &Axi, base: &Register) -> Option<String> {
    let Holds::Base(number) = base.holds else { return None };
    let words = axi.registers.iter().find(|r| r.holds == Holds::Words(number))?;
    let bytes = axi.ports.iter().find(|p| p.array == number).map(|p| 1 << p.size_log2)?;
    let array = &cx.net.arrays[number];
    Some(format!(
        "    {{\"{}\", {bytes}u, {}u, {}, &run.{}, &run.{}, 0, 0u}},",
        array.name,
        array.width,
        u8::from(array.host_reads) + u8::from(joined::in_part(cx, number)),
        field(base),
        field(words),
    ))
}

/// What it knows of a run-time value: the register's name, bits, where it is told. The driver computes some.
fn setting(cx: &Context, r: &Register) -> Option<String> {
    let Holds::Config(k) = r.holds else { return None };
    let at = |wanted: bool| if wanted { format!("&run.{}", field(r)) } else { "0".into() };
    let told = !computed(cx, r);
    let (narrow, wide) = (at(told && r.words == 1), at(told && r.words > 1));
    Some(format!("    {{\"{}\", {}u, {narrow}, {wide}, 0}},", r.name, cx.net.config[k].width))
}
