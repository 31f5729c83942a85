//! The hint to each error; those of the crates below are passed through.

use base::Hint;

use super::Error;

/// Maximum number of candidates in a hint.
const LISTED: usize = 20;

impl Hint for Error {
    fn hint(&self) -> Option<String> {
        match self {
            Self::Project(error) => error.hint(),
            Self::Consent(error) => error.hint(),
            Self::Proposal(error) => error.hint(),
            Self::Rules(error) => error.hint(),
            Self::Skill(error) => error.hint(),
            Self::Relation(error) => error.hint(),
            Self::Store(error) => error.hint(),
            Self::NoItem { nearest, .. } if !nearest.is_empty() => {
                Some(format!("similar names: {}", nearest.join(", ")))
            }
            Self::Ambiguous { candidates, .. } => Some(choices(candidates)),
            Self::NoDependency { known, .. } if known.is_empty() => None,
            Self::NoDependency { known, .. } => Some(format!("its dependencies: {known}")),
            Self::Recorded { hint, .. } => hint.clone(),
            other => other.about_items().or_else(|| other.about_the_rest()).map(str::to_owned),
        }
    }
}

fn choices(candidates: &[String]) -> String {
    let mut text = "use a longer path, or the key or place of one of these:".to_owned();
    for candidate in candidates.iter().take(LISTED) {
        text.push_str("\n    ");
        text.push_str(candidate);
    }
    if candidates.len() > LISTED {
        text.push_str(&format!("\n    and {} more", candidates.len() - LISTED));
    }
    text
}

impl Error {
    /// The hint to a request about an item.
    fn about_items(&self) -> Option<&'static str> {
        Some(match self {
            Self::NoItem { .. } => {
                "use the canonical path of an item, the end of that path (`Type::method`), its key \
                 or its id; local variables and lifetimes are no items"
            }
            Self::InMacroCall { .. } => {
                "change it in the call, then run `graftage finish`, which adapts or lists the uses"
            }
            Self::NotMapped { .. } => {
                "an item of such a file is read and changed in the project that contains the link's \
                 target: pass its directory with `-C DIR`"
            }
            Self::OutsideItem { .. } => {
                "run it in the folder of that package (`-C DIR`), or, where one repository has both, in \
                 its root without a manifest; a dependency of a registry has no map"
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
            Self::NoCommit => "pass an item or a diff, or make a commit first",
            Self::NoRevision { .. } => "`--base` takes what git takes: a commit, a branch, a tag",
            Self::Upgrade { .. } => {
                "pass a version that the registry has (`cargo search`, `cargo info`); without the \
                 network only versions that were downloaded before can be chosen"
            }
            Self::NoEncoder { .. } => {
                "this version has no encoders for `--ann-model`: omit the flag, or pass `none`"
            }
            Self::InTheWay { .. } => "move the file away, or choose another directory with `--out`",
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
