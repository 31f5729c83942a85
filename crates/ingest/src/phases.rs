use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};

/// Where the time of a refresh goes, in microseconds on the clock of the wall.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Phases {
    /// Listing, reading and hashing files; asking what the crates are.
    pub read_us: u64,
    /// Parsing.
    pub parse_us: u64,
    /// Items of all files into crates, modules and scopes; imports, impls; what changed by that.
    pub define_us: u64,
    /// Bodies.
    pub resolve_us: u64,
    /// Rows and numbers: from definitions and links to the map.
    pub assemble_us: u64,
    /// Handing the map to its readers, on disk too where that is not left for later.
    pub publish_us: u64,
}

impl Phases {
    /// Each phase by its name, in their order.
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

/// Tells how long each phase took, one after the other.
#[derive(Debug)]
pub(crate) struct Stopwatch(Instant);

impl Stopwatch {
    pub(crate) fn start() -> Self {
        Self(Instant::now())
    }

    /// Adds what passed since the start or the last lap.
    pub(crate) fn lap(&mut self, phase: &mut u64) {
        let now = Instant::now();
        *phase += (now - self.0).as_micros() as u64;
        self.0 = now;
    }
}
