//! Arguments of `tools`; the doc comments are the help texts.

use clap::{Args as ClapArgs, Subcommand, ValueEnum};

#[derive(Debug, Subcommand)]
pub(crate) enum Tools {
    /// List the tools that models and servers call
    List(ToolsList),
    /// Find the tools that fit an intent, of graftage or of other servers
    Search(ToolsSearch),
    /// Call a tool
    Call(ToolsCall),
}

#[derive(Debug, ClapArgs)]
pub(crate) struct ToolsSearch {
    /// What you want to do, in your words
    pub(crate) intent: String,
    /// Number of tools
    #[arg(short, value_name = "N", default_value_t = 5)]
    pub(crate) k: usize,
    /// Search the tools in this file instead of those of graftage: a JSON array, or an object with `tools`,
    /// of `name`, `description` and `inputSchema` (MCP), `input_schema` or `parameters`; `-` for standard
    /// input
    #[arg(long, value_name = "FILE")]
    pub(crate) schemas: Option<std::path::PathBuf>,
}

#[derive(Debug, ClapArgs)]
pub(crate) struct ToolsList {
    /// Print the list in the form that this kind of model takes
    #[arg(long, value_name = "FORM")]
    pub(crate) format: Option<ToolForm>,
}

/// Form of a list of tools.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum ToolForm {
    /// `tools` of Anthropic's Messages API
    Anthropic,
    /// `tools` of OpenAI's chat completions API
    Openai,
    /// Declarations of FunctionGemma
    Gemma,
}

#[derive(Debug, ClapArgs)]
pub(crate) struct ToolsCall {
    /// Name of the tool
    pub(crate) name: String,
    /// Input: a JSON object, `@FILE`, or `-` for standard input
    #[arg(value_name = "JSON", default_value = "{}")]
    pub(crate) input: String,
}
