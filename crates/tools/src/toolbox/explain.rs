//! `explain_error`: what an error code means, from the toolchain of the project.

use base::Ctx;
use project::Workspace;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{Effect, Tool, ToolCard, ToolError};
use crate::Error;

/// Explains an error code.
pub(crate) struct ExplainErrorTool;

/// Input of `ExplainErrorTool`.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ExplainErrorInput {
    /// Code: `E0308`.
    code: String,
}

/// Output of `ExplainErrorTool`.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct ExplainErrorOutput {
    /// The compiler's explanation, with an example that fails and one that passes.
    text: String,
}

impl Tool for ExplainErrorTool {
    type Input = ExplainErrorInput;
    type Output = ExplainErrorOutput;
    const CARD: ToolCard = ToolCard {
        name: "explain_error",
        title: "Explain an error code",
        description: "What a compiler error code means, with examples, in the version of the project.",
        effect: Effect::Reads,
    };

    fn call(
        &self,
        ctx: &Ctx,
        workspace: &Workspace,
        input: ExplainErrorInput,
    ) -> Result<ExplainErrorOutput, ToolError> {
        let env = workspace.prover(ctx)?.env();
        let (sandbox, require) = (workspace.sandbox(), env.require);
        let text = build::explanation(ctx, sandbox, &env.toolchain, &input.code, require);
        let text = text.map_err(Error::from)?.ok_or_else(|| {
            let fix = "pass the code of a diagnostic, such as E0308; lints have none";
            ToolError::field("code", "the compiler has no explanation of it", fix)
        })?;
        Ok(ExplainErrorOutput { text })
    }
}
