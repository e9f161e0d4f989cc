//! Synthesised designs: the netlist of a family's cells, as Verilog with yosys' models of the cells.

use crate::cache::{Key, entry};
use crate::design::Design;
use crate::error::{Error, Result};
use crate::yosys::{execute, nothing};
use std::path::Path;

/// What is written.
const MAPPED: &str = "mapped.v";

/// A family of devices, by yosys' names.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Family {
    /// Lattice ECP5.
    Ecp5,
    /// Lattice iCE40.
    Ice40,
    /// Gowin.
    Gowin,
}

impl Family {
    /// All families.
    pub const ALL: [Self; 3] = [Self::Ecp5, Self::Ice40, Self::Gowin];

    /// Returns the name used in yosys' commands.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Ecp5 => "ecp5",
            Self::Ice40 => "ice40",
            Self::Gowin => "gowin",
        }
    }

    /// What keeps synthesis to cells that yosys has models of: no multipliers, and block RAMs on iCE40 only.
    const fn options(self) -> &'static str {
        match self {
            Self::Ecp5 => "-nobram -nodsp",
            Self::Ice40 => "",
            Self::Gowin => "-nobram -nodsp -noiopads",
        }
    }
}

/// Returns `design` after synthesis for `family`: flat, without parameters, made of the models of the family's cells.
/// The top's ports stay; nets inside do not. It is kept in cache `dir`.
pub fn mapped(design: &Design, family: Family, dir: &Path) -> Result<Design> {
    let (top, cells) = (&design.top, family.name());
    // Memories that ask for a style may take what there is. Models of cells that are not used are not looked at: that of
    // iCE40's large RAM takes half a minute.
    let steps = format!(
        "hierarchy -check -top {top}\nproc\nsetattr -unset ram_style m:*\n\
         synth_{cells} -top {top} {}\nselect {top}\nwrite_verilog -noattr -selected netlist.v\ndesign -reset\n\
         read_verilog netlist.v\nread_verilog -nooverwrite -defer +/{cells}/cells_sim.v\nhierarchy -check -top {top}\nproc\nflatten\n\
         opt\nopt_clean\nwrite_verilog -noattr {MAPPED}\n",
        family.options()
    );
    let mut key = Key::default().with(&steps);
    for (name, text) in design.files.iter().chain(&design.params) {
        key = key.with(name).with(text);
    }
    let name = format!("{}-{cells}", key.name());
    let folder = entry(dir, &name, &format!("{top} in cells of {cells}"), |_, made| {
        let plain = Design { defines: Vec::new(), ..design.clone() };
        let (scratch, text) = execute(&plain, dir, "read_verilog", &steps, &["-q"])?;
        let moved = std::fs::rename(scratch.path().join(MAPPED), made.join(MAPPED));
        moved.map_err(|e| nothing(design, format!("{text}{e}")))
    })?;
    let place = folder.join(MAPPED);
    let text = std::fs::read_to_string(&place).map_err(|e| Error::io(place.display().to_string(), e))?;
    let files = vec![(format!("{top}_mapped.v"), text)];
    Ok(Design { files, params: Vec::new(), defines: Vec::new(), ..design.clone() })
}
