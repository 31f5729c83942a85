//! The variables of a unit, as the launcher passes them on (`launcher.rs` beside `src`).

use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::OsStringExt;

/// The bit of a name's first byte that the launcher inverts.
const BIT: u8 = 0x80;

/// The variables that cargo chose for a unit.
pub(super) struct Variables(Vec<(OsString, OsString)>);

impl Variables {
    /// Those of this process, which the launcher started.
    pub(super) fn of_process() -> Self {
        let own = std::env::vars_os().map(|(name, value)| {
            let mut name = name.into_vec();
            if let Some(first) = name.first_mut() {
                *first ^= BIT;
            }
            (OsString::from_vec(name), value)
        });
        Self(own.collect())
    }

    pub(super) fn get(&self, name: &str) -> Option<&OsStr> {
        self.0.iter().find(|it| it.0 == name).map(|it| it.1.as_os_str())
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = &(OsString, OsString)> {
        self.0.iter()
    }
}
