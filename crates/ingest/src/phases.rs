//! Statistics of an update, and the wall-clock times of its phases.

use std::time::{Duration, Instant};

use base::{LogEntry, WorkLog};
use serde::{Deserialize, Serialize};

/// The time spent in each phase of a refresh, in microseconds of wall-clock time.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Phases {
    /// Listing, reading and hashing files; determining the crates.
    pub read_us: u64,
    /// Parsing.
    pub parse_us: u64,
    /// Building the definition map: modules, imports, impls; finding what changed.
    pub define_us: u64,
    /// Resolving bodies.
    pub resolve_us: u64,
    /// Assembling the map from definitions and links.
    pub assemble_us: u64,
    /// Publishing the map, and writing it unless that is deferred.
    pub publish_us: u64,
}

impl Phases {
    /// The phases with their names, in order.
    pub fn each(&self) -> [(&'static str, Duration); 6] {
        let us = Duration::from_micros;
        [
            ("read", us(self.read_us)),
            ("parse", us(self.parse_us)),
            ("define", us(self.define_us)),
            ("resolve", us(self.resolve_us)),
            ("assemble", us(self.assemble_us)),
            ("publish", us(self.publish_us)),
        ]
    }
}

/// Statistics of an update.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Work {
    pub(crate) parsed: u64,
    pub(crate) resolved: u64,
    pub(crate) changed: u64,
    /// All definitions were rebuilt.
    pub(crate) is_whole: bool,
    pub(crate) phases: Phases,
}

impl Work {
    /// An entry for each phase that took time.
    pub(crate) fn log(&self, log: &dyn WorkLog) {
        let numbers =
            [("parsed", self.parsed), ("resolved", self.resolved), ("changed", self.changed)];
        for (phase, took) in self.phases.each() {
            let micros = took.as_micros() as u64;
            if micros > 0 {
                log.finished(&LogEntry { name: "index", detail: phase, micros, numbers: &numbers });
            }
        }
    }
}

/// Measures phases one after the other.
#[derive(Debug)]
pub(crate) struct Stopwatch(Instant);

impl Stopwatch {
    pub(crate) fn start() -> Self {
        Self(Instant::now())
    }

    /// Adds the time since the start or the last lap.
    pub(crate) fn lap(&mut self, phase: &mut u64) {
        let now = Instant::now();
        *phase += (now - self.0).as_micros() as u64;
        self.0 = now;
    }
}
