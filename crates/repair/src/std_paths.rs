//! Reasoner: in a crate without `std`, a path into it becomes the same in `core` or `alloc`.

use base::{ByteSpan, Diagnostic};
use edit::{Files, Splice};
use preserve::outline::{Token, tokens};

use crate::fix::{Proposal, guesses, text_of};
use crate::no_std::WithoutStd;
use crate::{Fix, Reasoner};

/// For a path into `std` in a crate that has become one without it: the same in `core` or `alloc`.
pub(crate) struct StdPaths;

impl Reasoner for StdPaths {
    fn name(&self) -> &'static str {
        "std-paths"
    }

    fn propose(&self, diagnostics: &[Diagnostic], files: &dyn Files) -> Vec<Fix> {
        guesses(self, diagnostics, |it| proposal(it, files))
    }
}

fn proposal(diagnostic: &Diagnostic, files: &dyn Files) -> Option<Vec<Proposal>> {
    let is_path = matches!(diagnostic.code.as_deref(), Some("E0432" | "E0433"));
    if !is_path || !diagnostic.message.contains("`std`") {
        return None;
    }
    let span = diagnostic.primary()?;
    let path = span.place.project()?;
    let text = text_of(files, path)?;
    let crate_without = WithoutStd::of(path, files)?;
    let rest = text.get(span.bytes.start..)?;
    let list = tokens(rest.get(..rest.find(';').unwrap_or(rest.len()))?);
    let at = list.iter().position(|it| it.is("std"))?;
    let token = list.get(at).filter(|it| it.span.start <= span.bytes.len())?;
    let home = home(crate_without, list.get(at + 1..)?)?;
    let start = span.bytes.start + token.span.start;
    let splice =
        Splice { span: ByteSpan::new(start, start + token.span.len()), insert: home.to_owned() };
    let rationale = format!("the crate has no `std`: the same in `{home}`");
    Some(vec![Proposal::new(path, splice, rationale)])
}

/// The crate with what the tokens after `std` name: `::fmt::Debug`, `::{fmt, mem}`.
fn home(of: WithoutStd, rest: &[Token<'_>]) -> Option<&'static str> {
    if !rest.get(1)?.is("{") {
        let parts = rest.chunks(2).map_while(|it| match it {
            [colons, name] if colons.is("::") && name.is_solid() => Some(name.text),
            _ => None,
        });
        return of.home(&parts.take(3).collect::<Vec<_>>());
    }
    let (mut depth, mut starts, mut homes) = (0_usize, false, Vec::new());
    for (at, token) in rest.iter().enumerate().skip(1) {
        match token.text {
            "{" => depth += 1,
            "}" => depth -= 1,
            _ if starts => {
                let next = rest.get(at + 2).filter(|_| rest[at + 1].is("::")).map(|it| it.text);
                let parts: Vec<&str> = std::iter::once(token.text).chain(next).collect();
                homes.push(of.home(&parts)?);
            }
            _ => {}
        }
        if depth == 0 {
            break;
        }
        starts = depth == 1 && (token.is("{") || token.is(","));
    }
    homes.dedup();
    match homes.as_slice() {
        [one] => Some(one),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fake::{FakeError, check};

    fn of(import: &str, mark: &str, expected: &[&str]) {
        let root = |it: &str| format!("#![no_std]\nextern crate alloc;\n{it}");
        let error = FakeError::new("E0433", "cannot find module or crate `std` in this scope");
        let expected: Vec<String> = expected.iter().map(|it| root(it)).collect();
        let expected: Vec<&str> = expected.iter().map(String::as_str).collect();
        check(&StdPaths, &root(import), &[error.at(mark)], &expected);
    }

    #[test]
    fn a_path_into_std_becomes_one_into_the_crate_that_defines_it() {
        of("use std::fmt::Debug;", "use «std»::fmt", &["use core::fmt::Debug;"]);
        of("impl std::ops::Not for A {}", "impl «std»::", &["impl core::ops::Not for A {}"]);
        of("use std::rc::Rc;", "use «std»::rc", &["use alloc::rc::Rc;"]);
        of(
            "use std::{fmt, mem::{self, swap}};",
            "use «std»::{",
            &["use core::{fmt, mem::{self, swap}};"],
        );
        of("use std::{fmt, rc::Rc};", "use «std»::{", &[]);
        of("use std::io;", "use «std»::io", &[]);
    }

    #[test]
    fn a_crate_with_std_has_another_fault() {
        let error = FakeError::new("E0433", "cannot find module or crate `std` in this scope");
        check(&StdPaths, "use std::fmt;", &[error.at("use «std»::")], &[]);
    }
}
