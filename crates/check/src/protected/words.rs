//! The words of a text that may be names of files, each with how its line uses it.

use std::borrow::Cow;

use super::configuration::plain;

/// How a line uses a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum NameUse {
    /// In a comment, as an address, or as an entry of a list of pages, or of files that start a run.
    Listed,
    /// In any other way.
    Named,
    /// With what runs it: a shell, an interpreter, a word or option that includes it.
    Run,
}

/// How a text for agents leads to a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum TextLink {
    /// `@docs/rules.md`: a part of the text.
    Import,
    /// A link of Markdown or HTML.
    Link,
}

/// One word.
pub(super) struct NameWord<'t> {
    /// Paths that it may stand for, without `.` and `..`; one that leads out of its folder begins with `/`.
    pub(super) paths: Vec<String>,
    lines: &'t [&'t str],
    line: usize,
    at: usize,
}

/// Programs that run a text, by their names without a version. No list has all, so that it decides only for
/// files that harmless lines name every day.
const RUNNERS: [&str; 38] = [
    "ash",
    "bash",
    "bun",
    "busybox",
    "byexample",
    "clitest",
    "cram",
    "csh",
    "dash",
    "deno",
    "elvish",
    "eval",
    "fish",
    "ksh",
    "lua",
    "luajit",
    "mdsh",
    "mksh",
    "node",
    "nodejs",
    "nu",
    "osascript",
    "perl",
    "php",
    "powershell",
    "psql",
    "pwsh",
    "pypy",
    "python",
    "ruby",
    "runme",
    "rust-script",
    "sh",
    "tclsh",
    "tcsh",
    "tsx",
    "xonsh",
    "zsh",
];
/// Words that include or run a file directly after them, or all files of a statement that begins with them.
const INCLUDES: [&str; 5] = [".", "exec", "include", "sinclude", "source"];
/// Options before a file with commands.
const FILE_OPTIONS: [&str; 8] = [
    "-f",
    "--file",
    "--init-file",
    "--justfile",
    "--makefile",
    "--maskfile",
    "--rcfile",
    "--taskfile",
];
/// Keys of lists of pages, or of files that start a run.
const LISTS: [&str; 3] = ["nav", "paths", "paths-ignore"];
/// Keys around those of files that start a run.
const FILTERS: [&str; 8] =
    ["artifacts", "cache", "changes", "except", "on", "only", "rules", "workflow"];
/// Most lines above an entry in which the keys of its list are looked for.
const MAX_ABOVE: usize = 2_000;

/// Passes each word whose last part `is_name` accepts.
pub(super) fn each(
    text: &str,
    is_name: impl Fn(&str) -> bool,
    mut found: impl FnMut(NameWord<'_>),
) {
    let text = joined(text);
    let lines: Vec<&str> = text.lines().collect();
    for (line, text) in lines.iter().enumerate() {
        let mut at = 0;
        // Separators are ASCII, so that each part is a text.
        for written in text.as_bytes().split(|it| SEPARATES[usize::from(*it)]) {
            let start = at;
            at += written.len() + 1;
            let Some(written) = text.get(start..start + written.len()) else { continue };
            let word = written.trim_end_matches('.');
            let last = word.rsplit('/').next().unwrap_or(word);
            let is_one = |it: &str| !it.is_empty() && is_name(it);
            if is_one(last) || option_value(last).is_some_and(is_one) {
                let paths = paths(&text[..start], word);
                found(NameWord { paths, lines: &lines, line, at: start });
            }
        }
    }
}

impl NameWord<'_> {
    /// How its line uses it.
    pub(super) fn usage(&self) -> NameUse {
        let line = self.lines[self.line];
        if is_comment(line) {
            return NameUse::Listed;
        }
        let ends = ["&&", "||", ";"];
        let start = ends.iter().filter_map(|it| Some(line[..self.at].rfind(it)? + it.len())).max();
        let end = ends.iter().filter_map(|it| line[self.at..].find(it)).min();
        let start = start.unwrap_or(0);
        let statement = &line[start..end.map_or(line.len(), |it| self.at + it)];
        // `https://example.org/docs/x.md` is read in a browser.
        let is_address = line[..self.at].ends_with(':') && line[self.at..].starts_with("//");
        match is_run(statement, &line[start..self.at]) {
            true => NameUse::Run,
            false if is_address || is_listed(self.lines, self.line) => NameUse::Listed,
            false => NameUse::Named,
        }
    }

    /// The link of Markdown that it is the target of, or the import.
    pub(super) fn link(&self) -> Option<TextLink> {
        let before = &self.lines[self.line][..self.at];
        let trimmed = before.trim_end_matches([' ', '\t']);
        let links = ["](", "<", "]:", "[["];
        match before {
            it if it.ends_with('@') => Some(TextLink::Import),
            _ if links.iter().any(|link| trimmed.ends_with(link)) => Some(TextLink::Link),
            it if is_attribute(it) => Some(TextLink::Link),
            _ => None,
        }
    }
}

/// Whether a text ends where the address of an HTML link begins: `HREF = '`.
fn is_attribute(before: &str) -> bool {
    let before = before.strip_suffix(['"', '\'']).unwrap_or(before).trim_end();
    let name = before.strip_suffix('=').map(|it| it.trim_end().to_ascii_lowercase());
    name.is_some_and(|it| ["href", "src", "srcset", "data"].iter().any(|end| it.ends_with(end)))
}

/// Whether a byte is between words.
const SEPARATES: [bool; 256] = {
    let mut table = [false; 256];
    let all = b" \t\r\n\x0b\x0c\"'`,:;=()[]{}<>|&!$@*?%#~\\";
    let mut at = 0;
    while at < all.len() {
        table[all[at] as usize] = true;
        at += 1;
    }
    table
};

/// A text whose lines that continue behind a `\` are one. A comment ends with its line.
fn joined(text: &str) -> Cow<'_, str> {
    if !text.contains("\\\n") && !text.contains("\\\r\n") {
        return Cow::Borrowed(text);
    }
    let mut whole = String::with_capacity(text.len());
    let mut is_start = true;
    for line in text.split_inclusive('\n') {
        let bare = line.trim_end_matches(['\n', '\r']);
        let continues = bare.ends_with('\\') && !(is_start && is_comment(bare));
        whole.push_str(if continues { &bare[..bare.len() - 1] } else { line });
        whole.extend(continues.then_some(' '));
        is_start = !continues;
    }
    Cow::Owned(whole)
}

fn is_comment(line: &str) -> bool {
    ["# ", "// ", "/// ", "//! "].iter().any(|it| line.trim_start().starts_with(it))
}

/// The value that a short option has without a blank: `-fdocs/x.mk`.
fn option_value(word: &str) -> Option<&str> {
    let mut rest = word.strip_prefix('-')?.chars();
    rest.next().is_some_and(|it| it.is_ascii_alphabetic()).then_some(rest.as_str())
}

/// The paths that a word after this text may stand for.
fn paths(before: &str, word: &str) -> Vec<String> {
    // The folder of a variable may be any: `$DIR/a.txt`.
    let below = word.find('/').filter(|_| before.ends_with('$')).map(|at| &word[at..]);
    let words = [Some(below.unwrap_or(word)), option_value(word)];
    words.into_iter().flatten().filter_map(plain).collect()
}

/// Whether a statement runs or includes the file after `before`, which the statement begins with.
fn is_run(statement: &str, before: &str) -> bool {
    let parts = |text: &str| -> Vec<String> {
        let ends = |c: char| c.is_whitespace() || "\"'`()[]{},;|<>=".contains(c);
        text.split(ends).map(bare).filter(|it| !it.is_empty()).collect()
    };
    let all = parts(statement);
    if all.iter().any(|it| RUNNERS.contains(&it.as_str())) {
        return true;
    }
    let includes = |it: Option<&str>| it.is_some_and(|it| INCLUDES.contains(&bare(it).as_str()));
    let last = |ends: &[char]| {
        let text = before.trim_end_matches(ends);
        text.rsplit(|it: char| it.is_whitespace() || "\"'([{".contains(it)).next()
    };
    let option = last(&['"', '\'', ' ', '=']).unwrap_or_default();
    // `source = "…"` is a setting.
    let mut words = statement.split_whitespace();
    let is_first = includes(words.next()) && !words.next().is_some_and(|it| it.starts_with('='));
    is_first
        || includes(last(&['"', '\'', ' ', '\t']))
        || FILE_OPTIONS.contains(&option)
        || before.ends_with("-f")
}

/// The name of a program without its folder, its version and what a shell or makefile has before it.
fn bare(part: &str) -> String {
    let part = part.trim_start_matches(['@', '-', '$', '&', '!', '+']);
    if part == "." {
        return part.to_owned();
    }
    let name = part.rsplit(['/', '\\']).next().unwrap_or(part).to_ascii_lowercase();
    let name = name.strip_suffix(".exe").unwrap_or(&name);
    name.trim_end_matches(|c: char| c.is_ascii_digit() || c == '.').to_owned()
}

/// Whether a line is an entry of a list with one of the [`LISTS`] keys.
fn is_listed(lines: &[&str], line: usize) -> bool {
    let indent = |it: &str| it.len() - it.trim_start().len();
    let is_entry = |it: &str| it.trim_start().starts_with("- ");
    let key = |it: &str| {
        let text = it.trim_start().trim_start_matches("- ");
        text.split_once(':').map_or("", |it| it.0).trim_matches(['"', '\'']).to_owned()
    };
    let mut at = lines[line];
    let is_filter = |it: &str| FILTERS.contains(&it);
    let (mut is_list, mut is_filtered) = (LISTS.contains(&&*key(at)), is_filter(&key(at)));
    let mut is_nav = key(at) == "nav";
    for above in lines[..line].iter().rev().take(MAX_ABOVE) {
        let (own, outer) = (indent(at), indent(above));
        let is_above = outer < own || outer == own && is_entry(at) && !is_entry(above);
        if above.trim().is_empty() || is_comment(above) || !is_above {
            continue;
        }
        let key = key(above);
        is_list |= LISTS.contains(&&*key);
        is_filtered |= is_filter(&key);
        is_nav |= key == "nav";
        at = above;
        if own == 0 || outer == 0 && !is_entry(at) {
            break;
        }
    }
    is_nav || is_list && is_filtered
}
