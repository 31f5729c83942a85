//! Arguments of `tools`; the doc comments are the help texts.

use clap::{Args as ClapArgs, Subcommand, ValueEnum};

#[derive(Debug, Subcommand)]
pub(crate) enum Tools {
    /// List the tools that models and servers call
    List(ToolsList),
    /// Call a tool
    Call(ToolsCall),
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
