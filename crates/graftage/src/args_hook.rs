//! Arguments of `hook`.

use clap::Args;

/// Arguments of `hook`.
#[derive(Debug, Args)]
pub(crate) struct Hook {
    /// Refuse direct edits of Rust files and name the tool to use (setting `hook.strict`)
    #[arg(long)]
    pub(crate) strict: bool,
    /// Most seconds until the answer; a check that takes longer is stopped, and the answer reports it
    #[arg(long, value_name = "SECONDS", default_value_t = 2.0)]
    pub(crate) limit: f64,
}
