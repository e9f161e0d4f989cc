//! A loaded compiled design, with the C interface of `shim/shim.cpp`.

use crate::design::{Design, Signal};
use crate::error::{Error, Result};
use crate::instance::Instance;
use std::ffi::{c_char, c_void};
use std::path::Path;
use std::sync::Arc;

type Handle = *mut c_void;

/// The functions of the shim.
pub(crate) struct Symbols {
    pub new: unsafe extern "C" fn(u64) -> Handle,
    pub free: unsafe extern "C" fn(Handle),
    pub poke: unsafe extern "C" fn(Handle, u32, *const u64),
    pub peek: unsafe extern "C" fn(Handle, u32, *mut u64),
    pub eval: unsafe extern "C" fn(Handle),
    pub message: unsafe extern "C" fn(Handle) -> *const c_char,
    pub cycle: unsafe extern "C" fn(Handle) -> u64,
    pub restart: unsafe extern "C" fn(Handle),
    pub reset: unsafe extern "C" fn(Handle),
    pub watch_channel: unsafe extern "C" fn(Handle, u32, u32, u32, u32),
    pub watch_node: unsafe extern "C" fn(Handle, *const u32, u32, *const u32, u32),
    pub run: unsafe extern "C" fn(Handle, u64, u32) -> u64,
    pub store: unsafe extern "C" fn(Handle, u32, u32, u32, u64, *const u64, u64) -> u64,
    pub fetch: unsafe extern "C" fn(Handle, u32, u32, u32, u64, *mut u64, u64) -> u64,
    pub channel: unsafe extern "C" fn(Handle, u32, *mut u64),
    pub trace: unsafe extern "C" fn(Handle, u32, *mut u64) -> *const u64,
    pub node: unsafe extern "C" fn(Handle, u32, *mut u64),
    pub wave: unsafe extern "C" fn(Handle, *const c_char) -> i32,
    pub wave_end: unsafe extern "C" fn(Handle) -> i32,
    // Keeps the functions mapped.
    _library: libloading::Library,
}

/// A compiled design; its instances are independent of each other.
#[derive(Clone)]
pub struct Library {
    symbols: Arc<Symbols>,
    signals: Arc<[Signal]>,
}

impl Library {
    pub(crate) fn open(path: &Path, design: &Design) -> Result<Self> {
        let bad = |e: libloading::Error| Error::Failed {
            tool: "c++ compiler",
            design: design.top.clone(),
            how: format!("what it made cannot be loaded from {}", path.display()),
            output: e.to_string(),
        };
        // SAFETY: the library was built by this crate from its own shim (the cache key holds the
        // shim's text), and is as it was written (its hash was compared); its initialisers are
        // those of the Verilator runtime.
        let library = unsafe { libloading::Library::new(path) }.map_err(bad)?;
        macro_rules! get {
            ($name:literal) => {
                // SAFETY: the types above are those of the functions in shim.cpp.
                *unsafe { library.get(concat!("samhw_", $name, "\0").as_bytes()) }.map_err(bad)?
            };
        }
        let symbols = Symbols {
            new: get!("new"),
            free: get!("free"),
            poke: get!("poke"),
            peek: get!("peek"),
            eval: get!("eval"),
            message: get!("message"),
            cycle: get!("cycle"),
            restart: get!("restart"),
            reset: get!("reset"),
            watch_channel: get!("watch_channel"),
            watch_node: get!("watch_node"),
            run: get!("run"),
            store: get!("store"),
            fetch: get!("fetch"),
            channel: get!("channel"),
            trace: get!("trace"),
            node: get!("node"),
            wave: get!("wave"),
            wave_end: get!("wave_end"),
            _library: library,
        };
        Ok(Self { symbols: Arc::new(symbols), signals: design.signals.clone().into() })
    }
    /// Creates an instance; `seed` determines the random initial bits of registers without reset.
    pub fn instance(&self, seed: u64) -> Instance {
        Instance::new(self.symbols.clone(), self.signals.clone(), seed)
    }
}
