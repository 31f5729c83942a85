//! Documentation examples: none may be compiled, run or asserted less than before. An unchanged example
//! is compared by how rustdoc tests it, a changed one as code of a test. Start at [`compare`], and at
//! [`ChangedExamples`] for changed ones, which need the names of the whole change.

mod body;
mod documentation;
mod examples;
mod language;
mod matched;
mod pairs;
#[cfg(test)]
mod tests;

use base::ProjectPath;

use crate::{Rule, Violation};
use examples::{Example, hides_more, of_code, of_page, page_hides_more};
use matched::Matches;
pub(crate) use pairs::ChangedExamples;

/// Detail of a violation.
const HIDES_MORE: &str = "the end of documentation hides the examples that follow it";

/// The examples of a text before and after a change.
struct BothSides {
    old: Vec<Example>,
    new: Vec<Example>,
}

impl BothSides {
    /// The examples of a Rust text.
    fn of_code(before: &str, after: &str) -> Self {
        if before == after || !documentation::may_have_any(before) {
            return Self { old: Vec::new(), new: Vec::new() };
        }
        Self { old: of_code(before), new: of_code(after) }
    }

    /// The examples of a page.
    fn of_page(before: &str, after: &str) -> Self {
        if before == after {
            return Self { old: Vec::new(), new: Vec::new() };
        }
        Self { old: of_page(before), new: of_page(after) }
    }
}

/// Whether documentation of a Rust text has an example that is tested, or includes a page.
pub(crate) fn has_examples(text: &str) -> bool {
    let may_have = text.contains("```") || text.contains("~~~") || text.contains("include_str");
    may_have
        && (of_code(text).iter().any(Example::is_tested)
            || !documentation::inclusions(text).is_empty())
}

/// Whether a text may have examples, also such as no reader of texts can find: in documentation that a macro
/// makes or gets, as a block that only its indentation shows, or with fences spelled by escapes.
pub fn may_have_examples(text: &str) -> bool {
    let is_indented = |line: &str| {
        let line = line.trim_start();
        let rest = line.strip_prefix("///").or_else(|| line.strip_prefix("//!"));
        rest.is_some_and(|it| it.starts_with("     ") || it.starts_with('\t'))
    };
    let is_made = || {
        base::word_places(text, "doc").any(|at| {
            let value = text[at + "doc".len()..].trim_start().strip_prefix('=');
            value.is_some_and(|it| {
                let value = it.trim_start();
                !value.starts_with('"') || value.starts_with("\"    ") || value.starts_with("\"\\")
            })
        })
    };
    has_examples(text)
        || text.contains("/**")
        || text.contains("/*!")
        || text.lines().any(is_indented)
        || is_made()
}

/// Documentation examples of a Rust file that are tested less, or are missing.
pub(crate) fn compare(
    path: &ProjectPath,
    before: &str,
    after: Option<&str>,
    found: &mut Vec<Violation>,
) {
    let Some(after) = after else { return };
    report_missing(path, &BothSides::of_code(before, after), found);
    if before != after {
        settings(path, before, after, found);
        inclusions(path, before, after, found);
        open_modules(path, before, after, found);
    }
}

/// The same for a page that documentation includes.
fn compare_included(path: &ProjectPath, before: &str, after: &str, found: &mut Vec<Violation>) {
    report_missing(path, &BothSides::of_page(before, after), found);
    if page_hides_more(after) && !page_hides_more(before) {
        found.push(violation(path, 1, HIDES_MORE));
    }
}

/// Documentation of modules that hides what follows it: a module has more inside.
fn open_modules(path: &ProjectPath, before: &str, after: &str, found: &mut Vec<Violation>) {
    let open = |text: &str| -> Vec<(u32, String)> {
        if !text.contains("mod") || !documentation::may_have_any(text) {
            return Vec::new();
        }
        let all = documentation::documentation(text).into_iter();
        let open = all.filter(|it| it.is_module && hides_more(it));
        open.map(|it| (it.lines.first().map_or(1, |it| it.0), it.name)).collect()
    };
    let after = open(after);
    if after.is_empty() {
        return;
    }
    let known = open(before);
    for (line, name) in after {
        if !known.iter().any(|it| it.1 == name) {
            found.push(violation(path, line, HIDES_MORE));
        }
    }
}

/// The same for a Markdown page, which may be documentation of a crate: unchanged examples must not
/// be tested less.
pub(crate) fn compare_page(
    path: &ProjectPath,
    before: &str,
    after: &str,
    found: &mut Vec<Violation>,
) {
    let (old, new) = (of_page(before), of_page(after));
    let matches = Matches::of(&old, &new);
    report_weaker(path, matches.same, found);
}

/// Whether a change of a page edits, removes or weakens an example.
pub(crate) fn edits_examples(before: &str, after: &str) -> bool {
    let sides = BothSides::of_page(before, after);
    let matches = Matches::of(&sides.old, &sides.new);
    let is_weaker = |(old, new): &(&Example, &Example)| !new.is_tested_as(old);
    let hides_more = || page_hides_more(after) && !page_hides_more(before);
    !matches.removed.is_empty()
        || !matches.changed.is_empty()
        || matches.same.iter().any(is_weaker)
        || hides_more()
}

fn report_missing(path: &ProjectPath, sides: &BothSides, found: &mut Vec<Violation>) {
    let matches = Matches::of(&sides.old, &sides.new);
    report_weaker(path, matches.same.into_iter().chain(matches.changed), found);
    for example in matches.removed {
        found.push(violation(path, example.line, "an example is removed or no longer tested"));
    }
}

fn report_weaker<'e>(
    path: &ProjectPath,
    pairs: impl IntoIterator<Item = (&'e Example, &'e Example)>,
    found: &mut Vec<Violation>,
) {
    for (_, new) in pairs.into_iter().filter(|(old, new)| !new.is_tested_as(old)) {
        found.push(violation(path, new.line, "an example is no longer compiled or run as before"));
    }
}

/// Documentation that no longer includes a page: its examples are tested no more.
fn inclusions(path: &ProjectPath, before: &str, after: &str, found: &mut Vec<Violation>) {
    let mut left: Vec<String> =
        documentation::inclusions(after).into_iter().map(|it| it.1).collect();
    for (line, inclusion) in documentation::inclusions(before) {
        match left.iter().position(|it| *it == inclusion) {
            Some(at) => drop(left.swap_remove(at)),
            None => found.push(violation(path, line, "documentation no longer includes a page")),
        }
    }
}

/// New settings of rustdoc for all examples, as `doc(test(attr(…)))`: they may switch examples off.
fn settings(path: &ProjectPath, before: &str, after: &str, found: &mut Vec<Violation>) {
    let mut known = documentation::settings(before);
    for (line, setting) in documentation::settings(after) {
        match known.iter().position(|it| it.1 == setting) {
            Some(at) => drop(known.swap_remove(at)),
            None => found.push(violation(path, line, "a setting changes how examples are tested")),
        }
    }
}

fn violation(path: &ProjectPath, line: u32, detail: &str) -> Violation {
    Violation {
        rule: Rule::DoctestWeakened,
        path: path.clone(),
        line,
        detail: detail.to_owned(),
        is_cfg_test: false,
    }
}
