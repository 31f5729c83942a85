//! The compiler phase in which a build stopped. The search compares attempts by it first, then by
//! their number of errors: once an early phase passes, the compiler reports the errors of the next.

use base::{Diagnostic, Severity};

/// The compiler phase in which a build stopped. A later phase is better whatever the number of
/// errors: once an early phase is right, the compiler reports the errors of the next.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Phase {
    /// Syntax errors.
    Parse,
    /// Unresolved names, imports and macros.
    Resolve,
    /// Errors in types, traits, patterns and visibility.
    Types,
    /// Errors in ownership, borrows and constants, and denied lints.
    Borrows,
    /// No errors.
    Built,
}

/// Result of checking an attempt; spans refer to the attempt's own text.
#[derive(Clone, Debug)]
pub struct AttemptOutcome {
    /// All diagnostics of the compiler.
    pub diagnostics: Vec<Diagnostic>,
    /// Whether it builds.
    pub built: bool,
    /// Whether all requested checks passed: the build, and the tests if requested.
    pub passed: bool,
}

/// The earliest phase of these errors; [`Phase::Built`] if there is no error.
pub fn phase_of(diagnostics: &[Diagnostic]) -> Phase {
    errors(diagnostics).map(|(_, it)| phase(it)).min().unwrap_or(Phase::Built)
}

/// The errors about code, with their index; leaves out `aborting due to 2 previous errors`.
pub(crate) fn errors(diagnostics: &[Diagnostic]) -> impl Iterator<Item = (usize, &Diagnostic)> {
    diagnostics.iter().enumerate().filter(|(_, it)| {
        it.severity == Severity::Error
            && !(it.spans.is_empty()
                && (it.message.starts_with("aborting due to")
                    || it.message.starts_with("could not compile")))
    })
}

fn phase(error: &Diagnostic) -> Phase {
    match error.code.as_deref() {
        Some(code) => match code.strip_prefix('E').and_then(|digits| digits.parse::<u32>().ok()) {
            Some(number) => phase_of_code(number),
            // A denied lint: these run last.
            None => Phase::Borrows,
        },
        None => phase_of_message(&error.message),
    }
}

fn phase_of_code(number: u32) -> Phase {
    match number {
        // Lexer and parser, which reads the files of modules.
        178 | 583..=586 | 704 | 743 | 748 | 753 | 758 | 762..=766 | 768 => Phase::Parse,
        // Names: types, values, modules, imports, labels, lifetimes, duplicates, macros.
        128
        | 130
        | 252
        | 254..=264
        | 364
        | 365
        | 401
        | 403..=405
        | 407
        | 408
        | 411
        | 412
        | 415
        | 416
        | 422..=426
        | 428..=438
        | 463
        | 466
        | 468
        | 469
        | 530..=532
        | 573
        | 574
        | 576..=578
        | 659
        | 703
        | 735
        | 767 => Phase::Resolve,
        // Borrows, moves, regions and constant evaluation.
        80
        | 373
        | 381..=384
        | 499
        | 501..=510
        | 515
        | 516
        | 521
        | 594
        | 596..=598
        | 621
        | 626
        | 712
        | 713
        | 716
        | 133
        | 4
        | 5 => Phase::Borrows,
        _ => Phase::Types,
    }
}

fn phase_of_message(message: &str) -> Phase {
    const PARSE: &[&str] = &[
        "expected",
        "unexpected",
        "unknown start of token",
        "unterminated",
        "unclosed delimiter",
        "mismatched closing delimiter",
        "this file contains an unclosed delimiter",
        "missing",
        "invalid",
        "incorrect",
        "found",
        "unmatched",
        "prefix",
        "character literal",
        "comparison operators cannot be chained",
        "leading",
        "struct literals are not allowed here",
        "syntax error",
        "keyword",
        "this file contains",
        "`let` chains",
        "Rust has no",
        "cannot declare",
        "non-item in item list",
        "default values on",
        "labeled expression",
        "block label",
        "no rules expected",
        "macro expansion",
    ];
    const RESOLVE: &[&str] = &["cannot find", "unresolved", "cannot determine resolution"];
    const BORROWS: &[&str] = &["lifetime may not live long enough", "captured variable cannot"];
    let starts = |words: &[&str]| words.iter().any(|word| message.starts_with(word));
    if starts(RESOLVE) {
        Phase::Resolve
    } else if starts(BORROWS) {
        Phase::Borrows
    } else if starts(PARSE) || message.contains("expected one of") {
        Phase::Parse
    } else {
        Phase::Types
    }
}

/// How far a text is from building; greater is better.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct BuildProgress {
    /// How often the build came to crates that were not compiled before: their errors are new to the
    /// count, whatever their phase.
    pub(crate) further: u32,
    pub(crate) phase: Phase,
    pub(crate) errors: std::cmp::Reverse<usize>,
}

impl BuildProgress {
    pub(crate) fn of(diagnostics: &[Diagnostic]) -> Self {
        Self {
            further: 0,
            phase: phase_of(diagnostics),
            errors: std::cmp::Reverse(errors(diagnostics).count()),
        }
    }

    /// The same, where the build came to crates `further` times.
    pub(crate) fn reached(self, further: u32) -> Self {
        Self { further, ..self }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn error(code: Option<&str>, message: &str) -> Diagnostic {
        Diagnostic { code: code.map(str::to_owned), ..Diagnostic::new(Severity::Error, message) }
    }

    #[test]
    fn the_earliest_error_names_the_phase() {
        let all =
            [error(Some("E0382"), "borrow of moved value"), error(Some("E0425"), "cannot find")];
        assert_eq!(phase_of(&all), Phase::Resolve);
        assert_eq!(phase_of(&all[..1]), Phase::Borrows);
        assert_eq!(phase_of(&[]), Phase::Built);
    }

    #[test]
    fn errors_without_a_code_are_classified_by_message() {
        let phase = |message| phase_of(&[error(None, message)]);
        assert_eq!(phase("expected `;`, found `}`"), Phase::Parse);
        assert_eq!(phase("cannot find macro `foo` in this scope"), Phase::Resolve);
        assert_eq!(phase("lifetime may not live long enough"), Phase::Borrows);
        assert_eq!(phase("format argument must be a string literal"), Phase::Types);
    }

    #[test]
    fn the_last_line_of_a_failed_build_is_no_error() {
        let all = [error(None, "aborting due to 1 previous error")];
        assert_eq!(BuildProgress::of(&all).errors.0, 0);
    }

    #[test]
    fn more_errors_in_a_later_phase_rank_higher() {
        let early = BuildProgress::of(&[error(Some("E0425"), "x")]);
        let late = BuildProgress::of(&[error(Some("E0308"), "x"), error(Some("E0308"), "y")]);
        assert!(late > early);
        assert!(early.reached(1) > late);
    }
}
