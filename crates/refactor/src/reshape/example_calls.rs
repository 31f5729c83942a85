//! The calls in examples of the documentation that have the arguments before a change of their function: which
//! ones, and the edit that follows. Tests of the documentation prove the edits, not this module.

use base::{ByteSpan, ProjectPath};
use edit::Splice;
use preserve::outline::{TokenKind, tokens};
use syntax::places::{Use, UseKind};

use super::purity::is_pure;
use super::view::{Examples, View};
use crate::list::ElementList;
use crate::{Renaming, SiteRegion};

/// A change of the arguments of every call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ArgumentChange {
    /// Number of parameters before, without `self`.
    pub count: usize,
    /// Indices of the removed ones, ascending.
    pub gone: Vec<usize>,
    /// The new ones by their index in the new list, ascending, each with its argument; `None` if each call
    /// needs its own.
    pub come: Vec<(usize, Option<String>)>,
    /// Index of the only one that is passed by reference now, where no other changes.
    pub borrowed: Option<usize>,
    /// Whether the value may be a failure now, and nothing else changes: examples take the success.
    pub unwrapped: bool,
}

/// A call in an example with the arguments before the change.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ExampleCall {
    /// Its file.
    pub path: ProjectPath,
    /// Start of the function's name.
    pub at: usize,
    /// Whether a test compiles the example.
    pub is_compiled: bool,
    /// The edit; `None` if the call needs an argument of its own, or one that goes may have an effect.
    pub splice: Option<Splice>,
}

/// The calls of the function of `uses` in examples with as many arguments as it had before `change`.
pub fn example_calls(uses: &Renaming, change: &ArgumentChange) -> Vec<ExampleCall> {
    let mut found = Vec::new();
    for source in uses.sources() {
        let sites = uses
            .sites()
            .iter()
            .filter(|it| it.path == source.path && it.region == SiteRegion::Example && it.is_in());
        let mut sites = sites.peekable();
        if sites.peek().is_none() {
            continue;
        }
        let examples = Examples::of(source);
        for site in sites {
            let at = site.span.start;
            let view = examples.views().find_map(|view| Some((view.use_at(at)?, view)));
            let Some((call, view)) = view else { continue };
            let Some(offset) = change.offset(call) else { continue };
            found.push(ExampleCall {
                path: site.path.clone(),
                at,
                is_compiled: view.is_compiled(),
                splice: change.splice(&view, call, offset),
            });
        }
    }
    found
}

impl ArgumentChange {
    /// The number of arguments before those of the parameters; `None` for what is no call with the arguments
    /// before the change.
    fn offset(&self, call: &Use) -> Option<usize> {
        let offset = call.args.len().checked_sub(self.count)?;
        let is_call = match call.kind {
            // `Type::method(&value, …)`.
            UseKind::Call => offset == 0 || offset == 1 && !call.qualifier.is_empty(),
            UseKind::MethodCall => offset == 0,
            _ => false,
        };
        is_call.then_some(offset)
    }

    fn splice(&self, view: &View<'_>, call: &Use, offset: usize) -> Option<Splice> {
        if let Some(at) = self.borrowed {
            let argument = call.args.get(at + offset)?.span;
            is_borrowed_alone(view.slice(argument)).then_some(())?;
            let start = ByteSpan::new(argument.start, argument.start);
            return view.in_file(vec![Splice { span: start, insert: "&".to_owned() }])?.pop();
        }
        if self.unwrapped {
            return view.in_file(vec![unwrapped(view.text, call)?])?.pop();
        }
        let list = ElementList::of(view.text, call);
        let gone: Vec<usize> = self.gone.iter().map(|it| it + offset).collect();
        let argument = |at: &usize| call.args.get(*at).map_or("", |it| view.slice(it.span));
        if !gone.iter().map(argument).all(is_pure) {
            return None;
        }
        let come = self.come.iter().map(|(at, value)| Some((at + offset, value.as_deref()?)));
        let come: Vec<(usize, &str)> = come.collect::<Option<_>>()?;
        let splice = match (gone.as_slice(), come.as_slice()) {
            ([at], []) => list.remove(*at)?,
            ([], [(at, value)]) => list.insert(*at, value),
            _ => list.changed(&gone, &come)?.0,
        };
        view.in_file(vec![splice])?.pop()
    }
}

/// The edit that takes the success of a call; `None` where what follows takes a failure already.
fn unwrapped(text: &str, call: &Use) -> Option<Splice> {
    const TAKES: [&str; 9] =
        ["?", ".unwrap", ".expect", ".ok", ".err", ".is_ok", ".is_err", ".is_some", ".is_none"];
    let awaited = if text.get(call.span.end..)?.starts_with(".await") { ".await".len() } else { 0 };
    let end = call.span.end + awaited;
    let after = text.get(end..)?.trim_start();
    let is_taken = TAKES.iter().any(|it| after.starts_with(it));
    (!is_taken).then(|| Splice { span: ByteSpan::new(end, end), insert: ".unwrap()".to_owned() })
}

/// Whether `&` before an expression borrows all of it: a path, a literal, a call, a chain of methods.
fn is_borrowed_alone(text: &str) -> bool {
    const BLOCKS: [&str; 8] = ["as", "async", "for", "if", "loop", "match", "move", "while"];
    let list = tokens(text);
    let mut closers: Vec<&str> = Vec::new();
    let open = |closers: &mut Vec<&str>, closer| {
        closers.push(closer);
        true
    };
    let mut before = "";
    for it in &list {
        let is_outer = closers.is_empty();
        let is_part = match it.text {
            "(" => open(&mut closers, ")"),
            "[" => open(&mut closers, "]"),
            "{" => open(&mut closers, "}"),
            "<" if before == "::" => open(&mut closers, ">"),
            text if closers.last() == Some(&text) => closers.pop().is_some(),
            "." | "::" | "?" => true,
            text => it.kind != TokenKind::Punctuation && !BLOCKS.contains(&text),
        };
        if is_outer && !is_part {
            return false;
        }
        before = it.text;
    }
    !list.is_empty() && closers.is_empty()
}

#[cfg(test)]
mod tests {
    use syntax::places::places;

    use super::*;

    #[test]
    fn the_success_of_a_call_is_taken_unless_what_follows_takes_the_failure() {
        let check = |before: &str, wanted: &str| {
            let text = format!("fn main() {{ {before} }}");
            let all = places(&text).uses;
            let call = all.iter().find(|it| it.name == "f").unwrap();
            let mut after = text.clone();
            for it in unwrapped(&text, call).iter() {
                after.replace_range(it.span.start..it.span.end, &it.insert);
            }
            assert_eq!(after, format!("fn main() {{ {wanted} }}"));
        };
        check("let a = k::f(1).len();", "let a = k::f(1).unwrap().len();");
        check("assert_eq!(s.f(), 1);", "assert_eq!(s.f().unwrap(), 1);");
        check("s.f().await;", "s.f().await.unwrap();");
        for same in ["k::f(1)?;", "s.f().unwrap();", "s.f()\n.expect(\"a\");", "k::f().is_ok();"] {
            check(same, same);
        }
    }

    #[test]
    fn a_chain_is_borrowed_as_a_whole_and_an_operation_is_not() {
        for text in
            ["a", "1", "S::new(a + b)", "\"x\".parse::<u8>().unwrap()", "[1, 2]", "f(|x| x < 1)?"]
        {
            assert!(is_borrowed_alone(text), "{text}");
        }
        for text in ["", "a + b", "-1", "&a", "a as u8", "|x| x", "if a { b } else { c }", "a < b"]
        {
            assert!(!is_borrowed_alone(text), "{text}");
        }
    }
}
