//! Arguments of `tui`.

use clap::{Args, ValueEnum};

/// Arguments of `tui`.
#[derive(Debug, Args)]
pub(crate) struct Tui {
    /// A command, a task or a question to begin with: `finish`, `rename Foo::bar to baz`
    pub(crate) task: Option<String>,
    /// Colours for this background
    #[arg(long, value_enum, default_value_t = TuiTheme::Auto)]
    pub(crate) theme: TuiTheme,
    /// Lines and numbered choices instead of a screen: for screen readers, pipes and simple terminals
    #[arg(long)]
    pub(crate) plain: bool,
    /// Leave the mouse to the terminal, which then selects text
    #[arg(long)]
    pub(crate) no_mouse: bool,
    /// List the actions and their keys (setting `tui.keys`)
    #[arg(long)]
    pub(crate) keys: bool,
}

/// Colours of `tui`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum TuiTheme {
    /// As the terminal answers; without colours if NO_COLOR is set
    Auto,
    /// For a dark background
    Dark,
    /// For a light background
    Light,
    /// No colours
    None,
}
