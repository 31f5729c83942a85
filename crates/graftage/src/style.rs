//! The colours and weights of terminal output: one constant for each role.

use anstyle::{AnsiColor, Style};

pub(crate) const BOLD: Style = Style::new().bold();
pub(crate) const DIM: Style = Style::new().dimmed();
pub(crate) const GOOD: Style = AnsiColor::Green.on_default().bold();
pub(crate) const BAD: Style = AnsiColor::Red.on_default().bold();
pub(crate) const WARN: Style = AnsiColor::Yellow.on_default().bold();
pub(crate) const HUNK: Style = AnsiColor::Cyan.on_default();
pub(crate) const ADDED: Style = AnsiColor::Green.on_default();
pub(crate) const REMOVED: Style = AnsiColor::Red.on_default();
/// All styles in use; [`crate::shown::sealed`] escapes other codes.
pub(crate) const STYLES: &[Style] = &[BOLD, DIM, GOOD, BAD, WARN, HUNK, ADDED, REMOVED];

/// `text` in `style`; the stream drops the codes if colours are disabled.
pub(crate) fn paint(style: Style, text: &str) -> String {
    format!("{style}{text}{style:#}")
}
