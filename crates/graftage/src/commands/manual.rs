//! `man`: manual pages, generated from the definitions of the arguments.

use std::io::Write as _;

use clap::Command;
use clap_mangen::Man;
use clap_mangen::roff::{Roff, bold, roman};

use crate::args;
use crate::exit::{Failure, Status};
use crate::help;
use crate::out_folder::OutFolder;
use crate::version;

/// Prints a page, or writes all of them.
pub(crate) fn run(args: &args::Man) -> Result<Status, Failure> {
    let whole = Page::of(help::command().before_help(""), &[]);
    match &args.out {
        Some(folder) => {
            let dir = OutFolder::make(folder)?;
            for page in whole.with_inner() {
                dir.write(&format!("{}.1", page.name()), page.text()?.as_bytes())?;
            }
        }
        None => {
            let page = args.command.iter().try_fold(whole, |page, name| page.inner(name))?;
            std::io::stdout().lock().write_all(page.text()?.as_bytes())?;
        }
    }
    Ok(Status::Done)
}

/// The manual page of one command.
struct Page {
    /// Its definition, without the options of all commands.
    command: Command,
    /// Names of the program, the commands above and this one.
    names: Vec<String>,
}

impl Page {
    fn of(command: Command, above: &[String]) -> Self {
        let names = [above, &[command.get_name().to_owned()]].concat();
        let mut command = command
            .disable_help_subcommand(true)
            .bin_name(names.join(" "))
            .display_name(names.join("-"));
        command.build();
        if !above.is_empty() {
            command = command.mut_args(|it| {
                let is_global = it.is_global_set();
                if is_global { it.hide(true) } else { it }
            });
        }
        Self { command, names }
    }

    fn name(&self) -> String {
        self.names.join("-")
    }

    /// The pages of the commands below, but for hidden ones.
    fn below(&self) -> impl Iterator<Item = Self> + '_ {
        let shown = self.command.get_subcommands().filter(|it| !it.is_hide_set());
        shown.map(|it| Self::of(it.clone(), &self.names))
    }

    fn inner(self, name: &str) -> Result<Self, Failure> {
        let found = self.below().find(|it| it.command.get_name() == name);
        found.ok_or_else(|| {
            let known: Vec<_> = self.below().map(|it| it.command.get_name().to_owned()).collect();
            let hint = match known.as_slice() {
                [] => format!("`{}` has no commands", self.names.join(" ")),
                _ => format!("`{}` has: {}", self.names.join(" "), known.join(", ")),
            };
            Failure::input(format!("there is no command `{name}`"), hint)
        })
    }

    /// This page and those below.
    fn with_inner(self) -> Vec<Self> {
        let below: Vec<_> = self.below().flat_map(Self::with_inner).collect();
        std::iter::once(self).chain(below).collect()
    }

    fn text(&self) -> std::io::Result<String> {
        let mut text = Vec::new();
        let name = self.name();
        let source = format!("graftage {}", env!("CARGO_PKG_VERSION"));
        let head = format!(".TH {name} 1 \"{}\" \"{source}\" \"graftage Manual\"\n", version::DATE);
        text.extend_from_slice(head.as_bytes());
        let page = Man::new(self.command.clone().version(None::<&str>));
        let about = first_sentence(&self.about());
        Man::new(self.command.clone().about(about)).render_name_section(&mut text)?;
        self.synopsis().to_writer(&mut text)?;
        page.render_description_section(&mut text)?;
        if self.command.get_arguments().any(|it| !it.is_hide_set()) {
            page.render_options_section(&mut text)?;
        }
        let rest = self.rest();
        rest.to_writer(&mut text)?;
        Ok(plain_breaks(&String::from_utf8_lossy(&text)))
    }

    fn about(&self) -> String {
        self.command.get_about().map(ToString::to_string).unwrap_or_default()
    }

    fn synopsis(&self) -> Roff {
        let usage = self.command.clone().render_usage().to_string();
        let usage = usage.trim_start_matches("Usage: ").trim();
        let rest = usage.strip_prefix(&self.names.join(" ")).unwrap_or(usage);
        let mut section = Roff::new();
        section.control("SH", ["SYNOPSIS"]);
        section.text([bold(self.names.join(" ")), roman(rest.to_owned())]);
        section
    }

    /// Commands below, exit statuses, and the pages around.
    fn rest(&self) -> Roff {
        let mut section = Roff::new();
        let below: Vec<Self> = self.below().collect();
        if !below.is_empty() {
            section.control("SH", ["COMMANDS"]);
        }
        for page in &below {
            let about = page.about();
            section.control("TP", []).text([bold(page.names.join(" "))]).text([roman(about)]);
        }
        section.control("SH", ["EXIT STATUS"]).text([roman(help::EXIT_STATUS)]);
        section.control("SH", ["SEE ALSO"]);
        if self.names.len() > 1 {
            let above = self.names[..self.names.len() - 1].join("-");
            section.text([bold(above), roman("(1)")]);
            let note = "Options of all commands, such as --json, -C and --offline, are in ";
            section.control("PP", []).text([roman(note), bold("graftage"), roman("(1).")]);
        } else {
            section
                .text([roman("graftage help COMMAND; graftage config show lists all settings.")]);
        }
        section
    }
}

/// Writes an empty line between breaks, which the library has before possible values, as vertical space.
fn plain_breaks(text: &str) -> String {
    text.replace(".br\n\n.br\n", ".sp\n")
}

/// The first sentence of a text, for lists of pages.
fn first_sentence(text: &str) -> String {
    text.split_once(". ").map_or(text, |it| it.0).to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_names_its_command_options_and_neighbours() {
        let page = Page::of(help::command(), &[]).inner("refactor").unwrap();
        let rename = page.inner("rename").unwrap();
        let text = rename.text().unwrap();
        for part in ["graftage\\-refactor\\-rename", "\\-\\-apply", "EXIT STATUS", "SEE ALSO"] {
            assert!(text.contains(part), "{part}: {text}");
        }
        assert!(!text.contains("trust\\-registry"), "an option of all commands: {text}");
    }

    #[test]
    fn every_command_has_a_page_of_its_own_name() {
        let mut names: Vec<String> =
            Page::of(help::command(), &[]).with_inner().iter().map(Page::name).collect();
        let all = names.len();
        names.sort();
        names.dedup();
        assert_eq!(names.len(), all);
        for name in ["graftage", "graftage-fix", "graftage-refactor-rename"] {
            assert!(names.iter().any(|it| it == name), "{name}");
        }
    }

    #[test]
    fn an_unknown_command_is_named_with_those_there_are() {
        let inner = |name: &str| Page::of(help::command(), &[]).inner(name);
        let failure = inner("refactr").map(|_| ()).unwrap_err();
        assert!(failure.hint.unwrap().contains("refactor"));
        let failure = inner("fix").unwrap().inner("x").map(|_| ()).unwrap_err();
        assert_eq!(failure.hint.unwrap(), "`graftage fix` has no commands");
    }

    #[test]
    fn lists_have_the_first_sentence_and_breaks_are_plain() {
        assert_eq!(plain_breaks("a\n.br\n\n.br\nb\n.br\nc\n"), "a\n.sp\nb\n.br\nc\n");
        assert_eq!(first_sentence("Plays `a.toml`. Ends"), "Plays `a.toml`");
    }
}
