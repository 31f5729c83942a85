//! The file tools: `read`, `glob`, `grep`, `edit`, `write`, `exec` and `execute`.
//!
//! Invariants: no path leads out of the project, into its git folder or into graftage's own files, and
//! no symbolic link is followed; special files are refused and never block. Nothing here writes the
//! tree: `edit` and `write` stage proposals, and `exec` and `execute` run in the sandbox on a view that
//! is removed afterwards. Answers are bounded. Start at [`tool_path`].

mod edit;
mod glob;
mod grep;
mod paths;
mod read;
mod run;

pub(crate) use edit::{EditTool, WriteTool};
pub(crate) use glob::GlobTool;
pub(crate) use grep::GrepTool;
pub(crate) use read::ReadTool;
pub use run::ExecOutput;
pub(crate) use run::{Confined, SkillFolder, passable};
pub(crate) use run::{ExecTool, ExecuteTool};

use paths::{tool_folder, tool_path};
