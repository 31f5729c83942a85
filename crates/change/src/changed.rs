//! The changed files as tokens of both sides, with the runs in which they differ.

use base::ProjectPath;
use edit::diff_sequences;
use preserve::outline::{Token, tokens};

use crate::Difference;

/// Indices of tokens that were replaced: before, and now.
pub(crate) type Run = (std::ops::Range<usize>, std::ops::Range<usize>);

/// One changed file as tokens.
pub(crate) struct Changed<'a> {
    pub(crate) now: &'a str,
    /// Tokens of the base; empty for a new file.
    pub(crate) before: Vec<Token<'a>>,
    /// Tokens of the present text.
    pub(crate) after: Vec<Token<'a>>,
    /// Where the two differ, ascending.
    pub(crate) runs: Vec<Run>,
}

impl<'a> Changed<'a> {
    /// The files of a difference that still exist, by path.
    pub(crate) fn of(difference: &'a Difference) -> Vec<Self> {
        let read = |(_, sides): (&ProjectPath, &'a crate::Sides)| {
            let now = sides.now.as_deref()?;
            Some(Self::between(sides.base.as_deref().unwrap_or_default(), now))
        };
        difference.files().filter_map(read).collect()
    }

    /// One text in two versions.
    pub(crate) fn between(before: &'a str, now: &'a str) -> Self {
        let (before, after) = (tokens(before), tokens(now));
        let runs = diff_sequences(&texts(&before), &texts(&after));
        Self { now, before, after, runs }
    }

    /// The index now of a token of the base that was not replaced.
    pub(crate) fn now_at(&self, before: usize) -> Option<usize> {
        let mut at = before;
        for (gone, come) in self.runs.iter().take_while(|it| it.0.start <= before) {
            if gone.contains(&before) {
                return None;
            }
            at = before - gone.end + come.end;
        }
        Some(at)
    }
}

/// The texts of tokens.
pub(crate) fn texts<'t>(tokens: &[Token<'t>]) -> Vec<&'t str> {
    tokens.iter().map(|it| it.text).collect()
}
