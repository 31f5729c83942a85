//! Collects the diagnostics of one run: each once, within limits of number and size, so that a
//! build that prints without end cannot exhaust memory. Dropped messages are counted, never lost
//! silently.

use base::{Diagnostic, SortedMap, SortedSet};

use crate::report;

/// Maximum number of diagnostics kept per run, for errors and for all others. A build may print any
/// number.
const MAX_DIAGNOSTICS: usize = 10_000;
/// Maximum number of packages whose flags are kept.
const MAX_SCRIPTS: usize = 1_000;
/// Maximum size of the messages of errors, and of all others.
const MAX_BYTES: usize = 128 << 20;

/// What may still be kept of one severity.
#[derive(Debug)]
struct Allowance {
    count: usize,
    bytes: usize,
}

impl Default for Allowance {
    fn default() -> Self {
        Self { count: MAX_DIAGNOSTICS, bytes: MAX_BYTES }
    }
}

impl Allowance {
    fn take(&mut self, bytes: usize) -> bool {
        match (self.count.checked_sub(1), self.bytes.checked_sub(bytes)) {
            (Some(count), Some(bytes)) => {
                *self = Self { count, bytes };
                true
            }
            _ => false,
        }
    }
}

/// The diagnostics of one run, each once and up to a limit. Warnings do not count against the limit
/// of errors.
#[derive(Debug, Default)]
pub(crate) struct Collected {
    kept: Vec<Diagnostic>,
    seen: SortedSet<String>,
    errors: Allowance,
    others: Allowance,
    dropped: usize,
    /// By package, the flags of all runs of its build script so far.
    script_cfgs: SortedMap<String, SortedSet<String>>,
}

impl Collected {
    /// Adds a diagnostic whose message had `bytes` bytes; returns whether it is new and kept.
    pub(crate) fn push(&mut self, diagnostic: &Diagnostic, bytes: usize) -> bool {
        let identity = report::identity(diagnostic);
        if self.seen.contains(&identity) {
            return false;
        }
        let left = if diagnostic.is_error() { &mut self.errors } else { &mut self.others };
        if !left.take(bytes) {
            self.dropped += 1;
            return false;
        }
        self.seen.insert(identity);
        self.kept.push(diagnostic.clone());
        true
    }

    /// Adds the flags of one run of a package's build script.
    pub(crate) fn push_script(&mut self, package: String, cfgs: Vec<String>) {
        let cfgs: SortedSet<String> = cfgs.into_iter().collect();
        let has_space = self.script_cfgs.len() < MAX_SCRIPTS;
        match self.script_cfgs.get_mut(&package) {
            Some(known) => known.retain(|it| cfgs.contains(it)),
            None if has_space => drop(self.script_cfgs.insert(package, cfgs)),
            None => {}
        }
    }

    /// The flags that every run of a package's build script passed, by package.
    pub(crate) fn script_cfgs(&self) -> SortedMap<String, SortedSet<String>> {
        self.script_cfgs.clone()
    }

    /// The diagnostics, and the number of dropped messages.
    pub(crate) fn finish(self) -> (Vec<Diagnostic>, usize) {
        (self.kept, self.dropped)
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;
    use crate::{CargoMessage, read_message};

    fn diagnostic(message: &str, level: &str) -> Diagnostic {
        let line = format!("{{\"message\":{message:?},\"level\":{level:?}}}");
        let read = read_message(Path::new("/p"), line.as_bytes());
        let Some(CargoMessage::Diagnostic(diagnostic)) = read else { panic!("{read:?}") };
        *diagnostic
    }

    #[test]
    fn a_flood_of_warnings_is_truncated_and_counted_and_drops_no_errors() {
        let mut collected = Collected::default();
        for number in 0..MAX_DIAGNOSTICS + 7 {
            collected.push(&diagnostic(&number.to_string(), "warning"), 50);
        }
        assert!(collected.push(&diagnostic("last", "error"), 50));
        let (kept, dropped) = collected.finish();
        assert_eq!((kept.len(), dropped), (MAX_DIAGNOSTICS + 1, 7));
        assert!(kept.last().unwrap().is_error());
    }

    #[test]
    fn the_same_message_again_costs_nothing() {
        let mut collected = Collected::default();
        let kept: Vec<bool> = (0..MAX_DIAGNOSTICS + 7)
            .map(|_| collected.push(&diagnostic("same", "warning"), MAX_BYTES))
            .collect();
        assert_eq!(kept.iter().filter(|kept| **kept).count(), 1);
        assert_eq!(collected.finish().1, 0);
    }

    #[test]
    fn messages_without_end_are_cut_by_their_bytes() {
        let mut collected = Collected::default();
        let kept = |collected: &mut Collected, text: &str| {
            collected.push(&diagnostic(text, "warning"), MAX_BYTES / 2)
        };
        assert!(kept(&mut collected, "a") && kept(&mut collected, "b"));
        assert!(!kept(&mut collected, "c"));
        assert_eq!(collected.finish().1, 1);
    }
}
