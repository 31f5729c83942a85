//! Arguments of `rules`, `skills`, `plan` and `policy`; the doc comments are the help texts.

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
    /// Run a script of a skill in the sandbox, without network, on a copy of the project that is thrown
    /// away. Ends with status 1 if the script fails
    Run {
        /// Name of the skill
        name: String,
        /// The script: `scripts/FILE`, or only `FILE`
        script: String,
        /// Time limit in seconds
        #[arg(long, value_name = "SECONDS", default_value_t = 30)]
        timeout: u64,
        /// Arguments of the script
        #[arg(last = true)]
        args: Vec<String>,
    },
    /// Trust the skills of the project: they are text and programs of its authors
    Trust,
}

/// `plan`.
#[derive(Debug, Subcommand)]
pub(crate) enum Plan {
    /// Print all plans, or one node with its steps, each with its status
    Show {
        /// Id of a plan or step; the beginning of the plan's is enough
        id: Option<String>,
    },
    /// Add a plan, or a step of one; `graftage task --resume ID` executes what rules or a model can do
    Add {
        /// What is to be done
        text: String,
        /// Add it as a step of this node
        #[arg(long, value_name = "ID")]
        under: Option<String>,
        /// Add it as a step of the plan with this name, which is added where there is none
        #[arg(long, value_name = "NAME", conflicts_with = "under")]
        plan: Option<String>,
    },
    /// Mark a node and its steps as done
    Done(PlanNode),
    /// Mark a node as in progress
    Start(PlanNode),
    /// Mark a node as failed
    Fail(PlanNode),
    /// Mark a node as pending
    Reopen(PlanNode),
    /// Remove a node with its steps
    Remove {
        /// Id
        id: String,
    },
}

#[derive(Debug, ClapArgs)]
pub(crate) struct PlanNode {
    /// Id
    pub(crate) id: String,
    /// Note of the node, such as the reason
    #[arg(long, value_name = "TEXT")]
    pub(crate) note: Option<String>,
}

/// `policy`.
#[derive(Debug, Subcommand)]
pub(crate) enum Policy {
    /// Prints the threads of the gate, shipped and added, the files that only a person may change, and
    /// the events of a change
    ///
    /// No edit of a model, an agent or a program changes a protected file or key. A person allows one
    /// file of one change with `--allow protected-file:PATH`, which the permit records. `policy verify`
    /// proves that no change is applied before it was compared with the table.
    Show,
    /// Prints why a proposal cannot be applied now, and how to change that. Without a proposal: the
    /// conditions of each gate. Ends with status 1 if a proposal is blocked.
    Explain {
        /// Id of the proposal [default: the newest open one]
        id: Option<String>,
    },
    /// Explores everything that can happen at the gate: no rule can be passed by, and some change can
    /// be applied. Ends with status 1 if not.
    Verify {
        /// A file with threads to verify beside those in use.
        file: Option<std::path::PathBuf>,
    },
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use clap::Parser as _;

    use crate::args::Args;

    /// The words of a command line as a shell splits them, up to a comment, a pipe or the end.
    fn words(line: &str) -> Vec<String> {
        let (mut words, mut word, mut quote, mut started) =
            (Vec::new(), String::new(), None, false);
        for c in line.chars() {
            match (quote, c) {
                (Some(open), c) if c == open => quote = None,
                (Some(_), c) => word.push(c),
                (None, '"' | '\'') => (quote, started) = (Some(c), true),
                (None, '#' | '|' | '\\') if !started => break,
                (None, c) if c.is_whitespace() => {
                    words.extend(started.then(|| std::mem::take(&mut word)));
                    started = false;
                }
                (None, c) => {
                    word.push(c);
                    started = true;
                }
            }
        }
        words.extend(started.then_some(word));
        words
    }

    /// The commands of a Markdown text: lines in blocks of `sh`; in a skill the spans too, which elsewhere may
    /// be names of commands.
    fn commands(text: &str, has_spans: bool) -> Vec<String> {
        let mut found = Vec::new();
        let mut is_shell = false;
        for line in text.lines() {
            if let Some(language) = line.trim_start().strip_prefix("```") {
                is_shell = language == "sh";
            } else if is_shell {
                let at = line.find("graftage ").map(|at| line[at..].to_owned());
                found.extend(
                    at.filter(|_| line.starts_with("graftage ") || line.contains("| graftage ")),
                );
            } else if has_spans {
                let spans = line.split('`').skip(1).step_by(2);
                let spans =
                    spans.filter(|span| span.starts_with("graftage ") && !span.contains('['));
                found.extend(spans.map(str::to_owned));
            }
        }
        found
    }

    #[test]
    fn every_command_of_the_shipped_skills_the_readme_and_the_guides_is_one() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
        let mut files = vec![root.join("README.md")];
        let guides = std::fs::read_dir(root.join("docs")).expect("guides").flatten();
        files.extend(guides.map(|it| it.path()).filter(|it| it.extension() == Some("md".as_ref())));
        for skill in std::fs::read_dir(root.join("skills")).expect("skills").flatten() {
            for folder in [skill.path(), skill.path().join("references")] {
                let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
                files.extend(entries.map(|it| it.path()).filter(|it| it.is_file()));
            }
        }
        let (mut count, mut wrong) = (0, Vec::new());
        for file in files {
            let text = std::fs::read_to_string(&file).expect("a text");
            for command in commands(&text, file.starts_with(root.join("skills"))) {
                count += 1;
                if let Err(error) = Args::try_parse_from(words(&command)) {
                    wrong.push(format!("{}: {command}: {error}", file.display()));
                }
            }
        }
        assert!(wrong.is_empty(), "{wrong:#?}");
        assert!(count > 100, "{count}");
    }
}
