//! Code that a model may not add, whatever it compiles to: what reads files or the environment while
//! the project is built, what hides code from the build or the reader, and what reaches outside of the
//! program. The preservation rule has the rest (`todo!()`, silenced lints on existing code).
//!
//! It decides by what a name resolves to ([`Names`]), through imports, renamed imports, globs and the
//! re-exports of the project, and refuses what it cannot resolve: new macros, paths that a macro
//! composes, macros that the file does not use, crates that it does not use. Methods that reach outside
//! (`read_dir`, `exists`, `spawn`) are refused on any receiver.
//!
//! What it is worth: the sandbox protects the proof, whatever the code does; this filter protects the
//! user from a change whose effect after `apply` is not what the task is about. It sees the change and
//! not what the functions do that it calls: a function of the project that writes files may be called, and
//! what a function returns, a field or a parameter is given to it unseen.
//! After `apply` the code is the user's, as any other code that a person accepts.

use base::{ProjectPath, SortedSet};
use edit::{Files, Overlay};
use repair::Overlaid;

use super::forms::{Counts, Form, Found, count};
use super::names::{Meaning, Names};
use super::outside;

/// The first forbidden addition of a change; `named` are the words of the task.
pub(super) fn forbidden(
    files: &dyn Files,
    overlay: &Overlay,
    named: &SortedSet<String>,
) -> Option<String> {
    let (mut before, mut after) = (Counts::new(), Counts::new());
    for (path, change) in overlay.changes() {
        if let Some(c) = hidden_character(change.before_text(), change.after_text()) {
            return Some(format!("`{path}`: the character U+{:04X} is not visible", c as u32));
        }
        count(path, change.before_text(), &mut before);
        count(path, change.after_text(), &mut after);
    }
    let overlaid = Overlaid { base: files, overlay };
    let rule = AdditionRule { names: Names::new(&overlaid), before: &before, named };
    let is_more =
        |(form, found): &(&Form, &Found)| found.count > before.get(*form).map_or(0, |it| it.count);
    // What is refused by its letters first: its message is the clearer one.
    let mut more: Vec<(&Form, &Found)> = after.iter().filter(is_more).collect();
    more.sort_by_key(|(form, _)| form.order());
    more.into_iter().find_map(|(form, found)| rule.fault(form, &found.file))
}

/// The words of a statement, as tokens with a blank between, that name an item: in a path, of a call or of
/// a definition. Words of the language, and names that most types have, name none.
fn item_names(code: &str) -> Vec<&str> {
    const ANY: [&str; 4] = ["default", "from", "into", "new"];
    let list: Vec<&str> = code.split(' ').map(|it| it.trim_start_matches("r#")).collect();
    let text = |at: Option<usize>| at.and_then(|it| list.get(it)).copied().unwrap_or("");
    let is_item = |at: usize| {
        matches!(text(at.checked_sub(1)), "::" | "const" | "fn" | "static")
            || matches!(text(Some(at + 1)), "::" | "(" | "!")
    };
    let names = (0..list.len()).filter(|at| is_item(*at)).map(|at| list[at]);
    names.filter(|it| !preserve::outline::is_keyword(it) && !ANY.contains(it)).collect()
}

/// Decides whether a form may be new.
struct AdditionRule<'a> {
    names: Names<'a>,
    before: &'a Counts,
    named: &'a SortedSet<String>,
}

impl AdditionRule<'_> {
    fn fault(&self, form: &Form, file: &ProjectPath) -> Option<String> {
        let may_not = |name: &str| Some(format!("it adds `{name}`, which a model may not"));
        match form {
            Form::Name(name) => may_not(name),
            Form::Attribute(name) => {
                Some(format!("it adds the attribute `{name}`, which a model may not"))
            }
            Form::Macro => Some(
                "it adds or changes a macro, whose expansion cannot be checked before it is built"
                    .to_owned(),
            ),
            Form::Member(name) if outside::is_common(name) && self.is_used(form) => None,
            Form::Member(name) | Form::Argument(name) => self.outside(name, true),
            Form::Call(name) => {
                let is_known = outside::is_value_macro(name);
                (!is_known && !self.is_used(form)).then(|| {
                    format!("it calls the macro `{name}!`, which the file does not use, so that its expansion is not known")
                })
            }
            Form::Word(word) => {
                if self.names.may_be_of_glob(file, word, outside::is_module) && !self.is_used(form)
                {
                    return unresolved(word);
                }
                let found = self.names.imported(file, word);
                found
                    .iter()
                    .filter(|it| **it != Meaning::Unknown || !self.is_used(form))
                    .find_map(|it| self.meaning_fault(it, word))
            }
            Form::Path(path) => self.path_fault(path, file),
            Form::Reach(code) => self.reach_fault(code),
            Form::Constant(name, code) => {
                let is_same = |it: &Form| matches!(it, Form::Constant(of, _) if of == name);
                self.before.keys().any(is_same).then(|| self.reach_fault(code)).flatten()
            }
        }
    }

    /// A statement that reaches outside, or that gives one its values, and is new or changed: it may reach
    /// something else.
    fn reach_fault(&self, code: &str) -> Option<String> {
        let named = |it: &&str| {
            let it = *it;
            self.named.contains(it)
                || outside::module_of(it, true).is_some_and(|it| self.named.contains(it))
        };
        let line = code.chars().take(80).collect::<String>();
        (!item_names(code).iter().any(named)).then(|| {
            format!(
                "it changes `{line}`, which reaches outside of the program, reads while the project is built, \
                 or is given to what does, and is not in the task"
            )
        })
    }

    /// Whether a form is in the texts before the change.
    fn is_used(&self, form: &Form) -> bool {
        self.before.contains_key(form)
    }

    fn path_fault(&self, path: &[String], file: &ProjectPath) -> Option<String> {
        let meaning = self.names.meaning(file, path);
        let shown = path.join("::");
        if let Meaning::Std(found) = &meaning
            && found.len() == 1
        {
            return Some(format!("it imports or renames all of `{shown}`, which a model may not"));
        }
        if let Meaning::Extern(root) = &meaning {
            // A type without an import does not compile; a rule may add that of the standard library.
            if root.starts_with(char::is_uppercase) {
                return path.iter().find_map(|it| self.outside(it, true));
            }
            let known = self.before.keys().any(|form| match form {
                Form::Path(path) => path.first() == Some(root),
                _ => false,
            });
            return match known && !outside::is_crate(root) {
                true => None,
                false if self.named.contains(root) => None,
                false => unresolved(&shown),
            };
        }
        self.meaning_fault(&meaning, &shown)
    }

    fn meaning_fault(&self, meaning: &Meaning, shown: &str) -> Option<String> {
        match meaning {
            Meaning::Own | Meaning::Extern(_) => None,
            Meaning::Unknown => unresolved(shown),
            Meaning::Std(path) => path.iter().skip(1).find_map(|it| self.outside(it, true)),
        }
    }

    /// The reason where a word reaches outside and the task does not name it.
    fn outside(&self, word: &str, is_member: bool) -> Option<String> {
        let module = outside::module_of(word, is_member)?;
        if self.named.contains(word) || self.named.contains(module) {
            return None;
        }
        let by = if word == module { String::new() } else { format!("`{word}` of ") };
        Some(format!(
            "it adds {by}`std::{module}`, which reaches outside of the program and is not in the task"
        ))
    }
}

fn unresolved(shown: &str) -> Option<String> {
    Some(format!(
        "it adds `{shown}`, which cannot be resolved to an item of the project or of `std`"
    ))
}

/// A character in the new text, and more often than in the old one, that a reader does not see.
fn hidden_character(before: &str, after: &str) -> Option<char> {
    let is_hidden = |c: &char| *c != '\r' && base::is_hidden(*c);
    let count = |text: &str, of: char| text.chars().filter(|c| *c == of).count();
    let found: SortedSet<char> = after.chars().filter(is_hidden).collect();
    found.into_iter().find(|c| count(after, *c) > count(before, *c))
}
