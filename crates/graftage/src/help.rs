//! The commands in groups: what `graftage --help` prints, and the pages of `docs/reference`.

#[cfg(test)]
mod reference;

use std::fmt::Write as _;
use std::io::IsTerminal as _;

use clap::{Command, CommandFactory as _};

use crate::args::Args;

/// Groups of commands in the order of `--help`. A test holds that each command is in one of them.
const GROUPS: &[(&str, &[&str])] = &[
    ("Try it", &["demo", "doctor"]),
    (
        "Change code",
        &["fix", "finish", "apply", "refactor", "upgrade", "task", "edit", "tui", "fleet"],
    ),
    ("Verify, undo", &["check", "world", "undo", "redo", "policy"]),
    (
        "Find and understand",
        &[
            "search", "context", "show", "callers", "callees", "impact", "path", "query", "docs",
            "index", "stream",
        ],
    ),
    (
        "Coding agents and models",
        &["serve", "hook", "tools", "rules", "skills", "plan", "memory", "dobby"],
    ),
    ("Settings and records", &["config", "stats", "clean", "eval", "completions", "man", "help"]),
];

/// The exit statuses of all commands.
pub(crate) const EXIT_STATUS: &str = "0 success; 1 negative result (not found, refused, no repair); \
                                      2 usage or input not valid; 3 missing program, permission or \
                                      resource; 4 bug in graftage; 130 interrupted.";
/// Width of a line of help in characters.
const WIDTH: usize = 100;
/// Column of the descriptions.
const COLUMN: usize = 15;

/// The definition of the arguments, with the commands in groups in its help. A person may leave out the
/// command; a script may not.
pub(crate) fn command() -> Command {
    let command = Args::command();
    let groups = groups(&command);
    let is_script = !std::io::stdout().is_terminal();
    let command = command.subcommand_required(is_script).arg_required_else_help(is_script);
    command.before_help(groups).help_template(
        "{about-with-newline}\n{usage-heading} {usage}\n\n{before-help}Options:\n{options}\n\n\
         {after-help}",
    )
}

/// The commands of each group, with what they do.
fn groups(command: &Command) -> String {
    let mut text = String::new();
    for (heading, names) in GROUPS {
        let _ = writeln!(text, "{heading}:");
        for name in *names {
            let _ = write!(text, "  {name:<width$}", width = COLUMN - 2);
            text.push_str(&wrapped(&about(command, name)));
        }
        text.push('\n');
    }
    text
}

/// Purpose of a command, in one sentence.
fn about(command: &Command, name: &str) -> String {
    match command.find_subcommand(name).and_then(Command::get_about) {
        Some(about) => about.to_string(),
        None => "Print this help, or the help of a command".to_owned(),
    }
}

/// A text in lines that begin at [`COLUMN`]; the first one is partly filled already.
fn wrapped(text: &str) -> String {
    let (mut lines, mut column) = (String::new(), COLUMN);
    for word in text.split(' ') {
        let length = word.chars().count();
        match column {
            COLUMN => {}
            _ if column + 1 + length > WIDTH => {
                lines.push('\n');
                lines.push_str(&" ".repeat(COLUMN));
                column = COLUMN;
            }
            _ => {
                lines.push(' ');
                column += 1;
            }
        }
        lines.push_str(word);
        column += length;
    }
    lines.push('\n');
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_command_is_in_one_group() {
        let command = Args::command();
        let mut grouped: Vec<&str> = GROUPS.iter().flat_map(|(_, names)| *names).copied().collect();
        grouped.sort_unstable();
        let visible = command.get_subcommands().filter(|it| !it.is_hide_set());
        let mut all: Vec<&str> = visible.map(Command::get_name).chain(["help"]).collect();
        all.sort_unstable();
        assert_eq!(grouped, all);
    }

    #[test]
    fn a_long_description_continues_below_itself() {
        let text = wrapped(&"word ".repeat(20));
        assert!(text.lines().all(|line| line.chars().count() <= WIDTH - COLUMN || {
            line.starts_with(&" ".repeat(COLUMN)) && line.chars().count() <= WIDTH
        }));
        assert_eq!(text.split_whitespace().count(), 20);
    }
}
