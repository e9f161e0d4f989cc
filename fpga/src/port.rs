//! Serial ports of this machine.

use crate::host::Line;
use samhw_compiler::diag::{Diagnostic, Place};
use std::io;
use std::path::Path;
use std::time::Duration;

#[cfg(unix)]
mod system {
    use rustix::event::{PollFd, PollFlags, Timespec, poll};
    use rustix::fs::{FlockOperation, Mode, OFlags, flock, open};
    use rustix::io::{Errno, read, write};
    use rustix::termios::{ControlModes, OptionalActions, QueueSelector};
    use rustix::termios::{ioctl_tiocexcl, tcflush, tcgetattr, tcsetattr};
    use std::io;
    use std::os::fd::OwnedFd;
    use std::path::Path;
    use std::time::Duration;

    /// An open port.
    pub struct Port(OwnedFd);

    /// Opens `path` exclusively for this process.
    pub fn acquire(path: &Path, baud: u32) -> io::Result<Port> {
        let fd = open(path, OFlags::RDWR | OFlags::NOCTTY | OFlags::NONBLOCK | OFlags::CLOEXEC, Mode::empty())?;
        // Exclusive mode does not stop root; the lock does.
        flock(&fd, FlockOperation::NonBlockingLockExclusive)?;
        let mut t = tcgetattr(&fd)?;
        t.make_raw();
        t.control_modes |= ControlModes::CLOCAL | ControlModes::CREAD;
        t.control_modes -= ControlModes::CSTOPB | ControlModes::CRTSCTS;
        t.set_speed(baud)?;
        tcsetattr(&fd, OptionalActions::Now, &t)?;
        ioctl_tiocexcl(&fd)?;
        tcflush(&fd, QueueSelector::IOFlush)?;
        Ok(Port(fd))
    }

    impl Port {
        fn ready(&self, flags: PollFlags, wait: Duration) -> io::Result<bool> {
            let wait = Timespec { tv_sec: wait.as_secs() as i64, tv_nsec: wait.subsec_nanos().into() };
            match poll(&mut [PollFd::new(&self.0, flags)], Some(&wait)) {
                Ok(n) => Ok(n > 0),
                Err(Errno::INTR) => Ok(false),
                Err(e) => Err(e.into()),
            }
        }

        pub fn send(&self, mut bytes: &[u8], wait: Duration) -> io::Result<()> {
            while !bytes.is_empty() {
                match write(&self.0, bytes) {
                    Ok(n) => bytes = &bytes[n..],
                    Err(Errno::AGAIN) => {
                        if !self.ready(PollFlags::OUT, wait)? {
                            return Err(io::ErrorKind::TimedOut.into());
                        }
                    }
                    Err(Errno::INTR) => {}
                    Err(e) => return Err(e.into()),
                }
            }
            Ok(())
        }

        pub fn receive(&self, into: &mut [u8], wait: Duration) -> io::Result<usize> {
            if !self.ready(PollFlags::IN, wait)? {
                return Ok(0);
            }
            match read(&self.0, into) {
                // The other end is gone: a plug was pulled.
                Ok(0) => Err(io::ErrorKind::UnexpectedEof.into()),
                Ok(n) => Ok(n),
                Err(Errno::AGAIN | Errno::INTR) => Ok(0),
                Err(e) => Err(e.into()),
            }
        }
    }
}

#[cfg(not(unix))]
mod system {
    use std::io;
    use std::path::Path;
    use std::time::Duration;

    /// A placeholder on systems where serial ports are not supported.
    pub struct Port(std::convert::Infallible);

    pub fn acquire(_: &Path, _: u32) -> io::Result<Port> {
        Err(io::Error::new(io::ErrorKind::Unsupported, "serial ports are supported on Unix systems only"))
    }

    impl Port {
        pub fn send(&self, _: &[u8], _: Duration) -> io::Result<()> {
            match self.0 {}
        }
        pub fn receive(&self, _: &mut [u8], _: Duration) -> io::Result<usize> {
            match self.0 {}
        }
    }
}

/// How long a line may refuse to take bytes.
const STUCK: Duration = Duration::from_secs(5);

/// An open serial port, which no other process of samhw uses.
pub struct Port {
    system: system::Port,
    baud: u32,
}

impl Port {
    /// Opens a serial port.
    pub fn open(path: &Path, baud: u32) -> Result<Self, Diagnostic> {
        let system = system::acquire(path, baud).map_err(|e| explain(path, &e))?;
        Ok(Self { system, baud })
    }
}

/// Why a port cannot be used.
fn explain(path: &Path, e: &io::Error) -> Diagnostic {
    let place = Place::Option(format!("--port {}", path.display()));
    match e.kind() {
        io::ErrorKind::NotFound => Diagnostic::new("F010", "there is no such port")
            .at(place)
            .help("is the board plugged in? on Linux its port is like /dev/ttyUSB0 or /dev/ttyACM0"),
        io::ErrorKind::WouldBlock | io::ErrorKind::ResourceBusy => {
            Diagnostic::new("F011", "another process uses the port")
                .at(place)
                .help("wait for it, or end it: a terminal program may have the port open")
        }
        io::ErrorKind::PermissionDenied => Diagnostic::new("F010", "you may not use the port")
            .at(place)
            .help("on Linux: join the group that owns it, usually dialout, and log in again"),
        _ => Diagnostic::new("F010", format!("the port cannot be used: {e}")).at(place).help("is it a serial port?"),
    }
}

impl Line for Port {
    fn send(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.system.send(bytes, STUCK)
    }
    fn receive(&mut self, into: &mut [u8], wait: Duration) -> io::Result<usize> {
        self.system.receive(into, wait)
    }
    fn baud(&self) -> u32 {
        self.baud
    }
}
