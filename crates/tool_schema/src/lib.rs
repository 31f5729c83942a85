//! Tools as models see them.
//!
//! - [`InputSchema`]: a Rust type as the schema of a tool, and its validated input.
//! - [`ToolSchema`]: tools in the forms of models.
//! - [`ToolIndex`]: tools found by intent.
//!
//! Invariants: it opens no file and calls no tool; input that is not valid is refused with its field and a
//! fix; the same content gives the same answer. Start at [`InputSchema`].

mod format;
mod tool_index;
mod typed;

pub use format::{FormatError, ToolSchema};
pub use tool_index::{ToolChanges, ToolHit, ToolIndex};
pub use typed::{InputError, InputSchema, check_value, nearest_names, output_schema_of, schema_of};
