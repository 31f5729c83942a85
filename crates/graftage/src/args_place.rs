//! Arguments of `rules`, `skills` and `plan`; the doc comments are the help texts.

use clap::{Args as ClapArgs, Subcommand};

/// `rules`.
#[derive(Debug, Subcommand)]
pub(crate) enum Rules {
    /// Print the rules for a path, from the root to the nearest, which has precedence
    Show(RulesShow),
    /// List the root's rules, the files that they link to, and links that are broken
    List,
}

#[derive(Debug, ClapArgs)]
pub(crate) struct RulesShow {
    /// File or folder, which need not exist
    #[arg(default_value = ".")]
    pub(crate) path: String,
    /// What is to be done there: linked files that fit it are printed, too
    #[arg(long, value_name = "TEXT")]
    pub(crate) intent: Option<String>,
    /// Maximum number of tokens
    #[arg(long, value_name = "TOKENS", default_value_t = 8000)]
    pub(crate) budget: usize,
    /// Maximum number of linked files
    #[arg(long, value_name = "N", default_value_t = 3)]
    pub(crate) references: usize,
}

/// `skills`.
#[derive(Debug, Subcommand)]
pub(crate) enum Skills {
    /// List all skills with their origin, and what was skipped
    List,
    /// Print the instructions of a skill, or one of its references
    Show {
        /// Name of the skill
        name: String,
        /// A reference, by its path in the skill: `references/FILE.md`
        reference: Option<String>,
    },
    /// Find the skills that fit an intent
    Search {
        /// What is to be done
        text: String,
        /// Maximum number of skills
        #[arg(short, value_name = "N", default_value_t = 5)]
        k: usize,
    },
    /// Validate skills as strictly as the reference validator of AgentSkills. Ends with status 1 if one is
    /// not valid
    Validate {
        /// Folders of skills, or their SKILL.md
        #[arg(required = true)]
        paths: Vec<std::path::PathBuf>,
    },
    /// Trust the skills of the project: they are text and programs of its authors
    Trust,
}
