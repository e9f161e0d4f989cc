//! Model of `samhw_axi_run`, which controls a run.

/// The state of the run control.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum State {
    /// No run is in progress.
    Idle,
    /// Core and adapters are reset before a run.
    Clear,
    /// Adapters begin to copy arrays to the chip.
    Load,
    /// The core runs.
    Run,
    /// Writers write their remaining words.
    Flush,
    /// Bursts in progress end, and no new one starts.
    Drain,
    /// Core and adapters are reset after an aborted run.
    Reset,
}

/// Inputs in a cycle; codes combine the number of a port (upper eight bits) and an error.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct RunInputs {
    /// Request to start a run.
    pub go: bool,
    /// Request to abort the run, or to reset.
    pub quit: bool,
    /// Error code that prevents the run from starting.
    pub bad: Option<u16>,
    /// Whether the run must be aborted.
    pub fault: bool,
    /// Error code of the abort.
    pub fault_code: u16,
    /// Error code of a result that did not fit.
    pub full: Option<u16>,
    /// Whether a transfer between core and memory occurred.
    pub moved: bool,
    /// Timeout of the watchdog in cycles.
    pub limit: u32,
    /// Whether the core accepts the start token.
    pub start_ready: bool,
    /// Whether the core offers the done token.
    pub done_valid: bool,
    /// Whether no read burst is in progress.
    pub reads_idle: bool,
    /// Whether no write burst is in progress.
    pub writes_idle: bool,
    /// Whether no writer holds words.
    pub writers_idle: bool,
}

/// Outputs of the run control.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Leads {
    /// Whether adapters begin to copy.
    pub load: bool,
    /// Whether the start token is offered.
    pub start_valid: bool,
    /// Whether the done token is accepted.
    pub done_ready: bool,
    /// Whether writers write their remaining words.
    pub flush: bool,
    /// Whether new read bursts are blocked.
    pub stop_reads: bool,
    /// Whether new write bursts are blocked.
    pub stop_writes: bool,
}

/// The run control.
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
    /// Creates the model in state idle.
    pub fn ready() -> Self {
        Self { state: State::Idle, busy: false, resets: false, ..Self::default() }
    }
    /// Returns the state.
    pub fn state(&self) -> State {
        self.state
    }
    /// Returns the outputs.
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
    /// Returns whether the watchdog has expired.
    pub fn expired(&self) -> bool {
        self.expired
    }
    /// Returns whether a run is in progress.
    pub fn busy(&self) -> bool {
        self.busy
    }
    /// Returns whether a run ended at the previous edge.
    pub fn ended(&self) -> bool {
        self.ended
    }
    /// Returns the port and the code of the last run's error.
    pub fn error(&self) -> u16 {
        self.error
    }
    /// Returns the cycles of the last run.
    pub fn cycles(&self) -> u64 {
        self.cycles
    }
    /// Returns whether core and adapters are held in reset.
    pub fn resets(&self) -> bool {
        self.resets
    }

    /// Simulates a clock edge.
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
            State::Load if entered => (self.state, self.entered) = (State::Run, false),
            State::Run if on.done_valid => self.state = State::Flush,
            State::Flush if on.reads_idle && on.writers_idle && on.writes_idle => {
                (self.state, self.busy, self.ended) = (State::Idle, false, true);
                self.error = on.full.unwrap_or(0);
            }
            _ => {}
        }
    }
}
