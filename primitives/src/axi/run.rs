//! Model of `samhw_axi_run`.

/// What it is at.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum State {
    /// Between runs.
    Idle,
    /// Core and adapters are reset before a run.
    Clear,
    /// Loaders copy.
    Load,
    /// The core works.
    Run,
    /// Writers write what they hold.
    Flush,
    /// Nothing new goes on the bus.
    Drain,
    /// Core and adapters are reset after a run that was ended.
    Reset,
}

/// What it sees in a cycle; `code` are numbers of a port (upper eight bits) and an error.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct RunInputs {
    /// Begin a run.
    pub go: bool,
    /// End a run, or reset.
    pub quit: bool,
    /// Why the run must not begin.
    pub bad: Option<u16>,
    /// The run must end.
    pub fault: bool,
    /// Why.
    pub fault_code: u16,
    /// A result did not fit.
    pub full: Option<u16>,
    /// Something moved between core and memory.
    pub moved: bool,
    /// Cycles of the watchdog.
    pub limit: u32,
    /// All loaders are done.
    pub loaded: bool,
    /// The core takes the start token.
    pub start_ready: bool,
    /// The core offers the done token.
    pub done_valid: bool,
    /// No burst is on its way.
    pub reads_idle: bool,
    /// No burst is on its way.
    pub writes_idle: bool,
    /// Writers hold nothing.
    pub writers_idle: bool,
}

/// What it drives.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Leads {
    /// Loaders begin.
    pub load: bool,
    /// The start token.
    pub start_valid: bool,
    /// The done token is taken.
    pub done_ready: bool,
    /// Writers write what they hold.
    pub flush: bool,
    /// No further burst.
    pub stop_reads: bool,
    /// No further burst.
    pub stop_writes: bool,
}

/// Leads through a run.
#[derive(Debug, Clone)]
pub struct Run {
    state: State,
    count: u8,
    told: bool,
    entered: bool,
    quiet: u32,
    expired: bool,
    busy: bool,
    ended: bool,
    error: u16,
    cycles: u64,
    resets: bool,
}

impl Default for Run {
    fn default() -> Self {
        Self {
            state: State::Reset,
            count: 0,
            told: true,
            entered: false,
            quiet: 0,
            expired: false,
            busy: true,
            ended: false,
            error: 0,
            cycles: 0,
            resets: true,
        }
    }
}

impl Run {
    /// Between runs.
    pub fn ready() -> Self {
        Self { state: State::Idle, busy: false, resets: false, ..Self::default() }
    }
    /// What it is at.
    pub fn state(&self) -> State {
        self.state
    }
    /// What it drives.
    pub fn leads(&self) -> Leads {
        let at = |s| self.state == s;
        Leads {
            load: at(State::Load) && !self.entered,
            start_valid: at(State::Run) && !self.entered,
            done_ready: at(State::Run),
            flush: at(State::Flush),
            stop_reads: !at(State::Load) && !at(State::Run),
            stop_writes: at(State::Drain) || at(State::Reset),
        }
    }
    /// The watchdog's time is over.
    pub fn expired(&self) -> bool {
        self.expired
    }
    /// A run goes on.
    pub fn busy(&self) -> bool {
        self.busy
    }
    /// A run ended at the edge before.
    pub fn ended(&self) -> bool {
        self.ended
    }
    /// Port and code of the last run's error.
    pub fn error(&self) -> u16 {
        self.error
    }
    /// Cycles of the last run.
    pub fn cycles(&self) -> u64 {
        self.cycles
    }
    /// Core and adapters are held in reset.
    pub fn resets(&self) -> bool {
        self.resets
    }

    /// The edge.
    pub fn clock(&mut self, on: &RunInputs) {
        let resetting = matches!(self.state, State::Reset | State::Clear);
        let (count, works) = (self.count, matches!(self.state, State::Load | State::Run | State::Flush));
        self.resets = resetting && count < 4;
        self.count = if resetting { (count + 1) & 7 } else { 0 };
        self.ended = false;
        self.expired = works && on.limit != 0 && self.quiet == on.limit;
        self.quiet = if works && !on.moved { self.quiet.wrapping_add(1) } else { 0 };
        self.cycles += u64::from(works);
        match self.state {
            State::Idle if on.quit => (self.state, self.busy, self.told, self.error) = (State::Reset, true, true, 0),
            State::Idle if on.go => {
                (self.cycles, self.error, self.told) = (0, on.bad.unwrap_or(0), false);
                (self.ended, self.busy) = (on.bad.is_some(), on.bad.is_none());
                if on.bad.is_none() {
                    self.state = State::Clear;
                }
            }
            State::Idle => {}
            State::Clear => {
                self.entered = false;
                self.told |= on.quit;
                if count == 7 {
                    self.state = if self.told { State::Drain } else { State::Load };
                }
            }
            State::Drain => {
                self.told |= on.quit;
                if on.reads_idle && on.writes_idle {
                    self.state = State::Reset;
                }
            }
            State::Reset => {
                self.told |= on.quit;
                if count == 7 {
                    (self.state, self.busy, self.ended) = (State::Idle, false, !self.told);
                    if self.told {
                        self.error = 0;
                    }
                }
            }
            _ if on.quit || on.fault => (self.told, self.error, self.state) = (on.quit, on.fault_code, State::Drain),
            _ => self.work(on),
        }
    }

    /// A cycle of a run in which nothing is wrong.
    fn work(&mut self, on: &RunInputs) {
        let entered = self.entered;
        self.entered = self.state != State::Run || entered || on.start_ready;
        match self.state {
            State::Load if entered && on.loaded => (self.state, self.entered) = (State::Run, false),
            State::Run if on.done_valid => self.state = State::Flush,
            State::Flush if on.reads_idle && on.writers_idle && on.writes_idle => {
                (self.state, self.busy, self.ended) = (State::Idle, false, true);
                self.error = on.full.unwrap_or(0);
            }
            _ => {}
        }
    }
}
