use std::collections::BTreeSet;

use base::Diagnostic;

use crate::report;

/// Diagnostics of one kind that are kept of a run: errors, and all others. More than any person
/// reads; a build prints as many as it likes.
const MOST: usize = 10_000;
/// Bytes of messages of one kind, as they came.
const MOST_BYTES: usize = 128 << 20;

/// What one kind may still take.
#[derive(Debug)]
struct Left {
    count: usize,
    bytes: usize,
}

impl Default for Left {
    fn default() -> Self {
        Self { count: MOST, bytes: MOST_BYTES }
    }
}

impl Left {
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

/// The diagnostics of one run: each once, and not without end. Warnings take no room from errors.
#[derive(Debug, Default)]
pub(crate) struct Collected {
    kept: Vec<Diagnostic>,
    seen: BTreeSet<String>,
    errors: Left,
    others: Left,
    dropped: usize,
}

impl Collected {
    /// Takes a diagnostic whose message had so many bytes; whether it is new and kept.
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

    /// What is kept, and how many messages were dropped.
    pub(crate) fn finish(self) -> (Vec<Diagnostic>, usize) {
        (self.kept, self.dropped)
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;
    use crate::{Message, read_message};

    fn diagnostic(message: &str, level: &str) -> Diagnostic {
        let line = format!("{{\"message\":{message:?},\"level\":{level:?}}}");
        let read = read_message(Path::new("/p"), line.as_bytes());
        let Some(Message::Diagnostic(diagnostic)) = read else { panic!("{read:?}") };
        *diagnostic
    }

    #[test]
    fn a_flood_of_warnings_is_cut_and_counted_and_takes_no_room_from_errors() {
        let mut collected = Collected::default();
        for number in 0..MOST + 7 {
            collected.push(&diagnostic(&number.to_string(), "warning"), 50);
        }
        assert!(collected.push(&diagnostic("last", "error"), 50));
        let (kept, dropped) = collected.finish();
        assert_eq!((kept.len(), dropped), (MOST + 1, 7));
        assert!(kept.last().unwrap().is_error());
    }

    #[test]
    fn the_same_message_again_costs_nothing() {
        let mut collected = Collected::default();
        let kept: Vec<bool> = (0..MOST + 7)
            .map(|_| collected.push(&diagnostic("same", "warning"), MOST_BYTES))
            .collect();
        assert_eq!(kept.iter().filter(|kept| **kept).count(), 1);
        assert_eq!(collected.finish().1, 0);
    }

    #[test]
    fn messages_without_end_are_cut_by_their_bytes() {
        let mut collected = Collected::default();
        let kept = |collected: &mut Collected, text: &str| {
            collected.push(&diagnostic(text, "warning"), MOST_BYTES / 2)
        };
        assert!(kept(&mut collected, "a") && kept(&mut collected, "b"));
        assert!(!kept(&mut collected, "c"));
        assert_eq!(collected.finish().1, 1);
    }
}
