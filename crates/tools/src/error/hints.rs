//! The hint to each error; those of the crates below are passed through.

use base::Hint;

use super::Error;

impl Hint for Error {
    fn hint(&self) -> Option<String> {
        match self {
            Self::Project(error) => error.hint(),
            Self::Code(error) => error.hint(),
            Self::Kept(error) => error.hint(),
            Self::Consent(error) => error.hint(),
            Self::Proposal(error) => error.hint(),
            Self::Rules(error) => error.hint(),
            Self::Skill(error) => error.hint(),
            Self::Relation(error) => error.hint(),
            Self::NoDependency { known, .. } if known.is_empty() => None,
            Self::NoDependency { known, .. } => Some(format!("its dependencies: {known}")),
            Self::Recorded { hint, .. } => hint.clone(),
            other => other.about_items().or_else(|| other.about_the_rest()).map(str::to_owned),
        }
    }
}

impl Error {
    /// The hint to a request about an item.
    fn about_items(&self) -> Option<&'static str> {
        Some(match self {
            Self::InMacroCall { .. } => {
                "change it in the call, then run `graftage finish`, which adapts or lists the uses"
            }
            Self::BadName { .. } => {
                "use letters, digits and `_`, no digit first; a keyword as `r#keyword`"
            }
            Self::NotRenamed { .. } => {
                "choose another name or item; `graftage show ITEM` lists where it is used"
            }
            Self::NotMoved { .. } => {
                "a free item moves to an existing module of its crate: `crate::a::b` or its file"
            }
            Self::NotInlined { .. } | Self::NotReshaped { .. } => {
                "`graftage show ITEM` shows the definition and where it is used"
            }
            Self::BadText { .. } => {
                "a parameter or field is `NAME: TYPE`, a value one expression, a type one type"
            }
            _ => return None,
        })
    }

    /// The hint to any other error.
    fn about_the_rest(&self) -> Option<&'static str> {
        Some(match self {
            Self::BadPlan { .. } => "describe what is to be done in a sentence",
            Self::Path(_) => "pass a path inside the project",
            Self::NoPlan { .. } => "`graftage plan show` lists the plans with their ids",
            Self::NoModel => {
                "set `model.provider` (anthropic, openai) and `model.name` in your configuration file, and \
                 the key in ANTHROPIC_KEY or OPENAI_API_KEY; a server on this machine needs only \
                 `model.provider = \"openai\"` and `model.url`"
            }
            Self::NoRevision { .. } => "`--base` takes what git takes: a commit, a branch, a tag",
            Self::Upgrade { .. } => {
                "pass a version that the registry has (`cargo search`, `cargo info`); without the \
                 network only versions that were downloaded before can be chosen"
            }
            Self::Trace { .. } => {
                "pass a file that `graftage fix` wrote, or a folder with such files"
            }
            Self::NoAnswer { .. } => {
                "replay it with the version of graftage that wrote it (its first line has it)"
            }
            _ => return None,
        })
    }
}
