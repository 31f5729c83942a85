//! The right side of an arm, written out.

use proc_macro2::{Delimiter, TokenStream, TokenTree};

use super::definition::{Arm, is_ident, is_punct, repetition};
use super::matching::Binding;
use super::{Expansion, Origin, Source};

/// Longer expansions are given up.
const LONGEST: usize = 1 << 20;

pub(super) fn transcribe(
    arm: &Arm,
    bindings: &[Binding],
    definition: &str,
    call: &str,
) -> Option<Expansion> {
    let vars = arm.matcher.vars.iter().map(|(name, _)| name.as_str());
    let scope: Vec<(&str, &Binding)> = vars.zip(bindings).collect();
    let mut writer = Writer {
        definition,
        call,
        text: String::new(),
        origins: Vec::new(),
        end: 0,
        definitions: 0,
        doc: None,
    };
    writer.tokens(arm.body.stream(), &scope)?;
    Some(Expansion { text: writer.text, origins: writer.origins })
}

struct Writer<'a> {
    definition: &'a str,
    call: &'a str,
    text: String,
    origins: Vec<Origin>,
    /// Where the last token of the definition ended there.
    end: usize,
    /// How many definitions of macros around are being written.
    definitions: usize,
    /// Where the doc comment begins in the call that was copied last.
    doc: Option<usize>,
}

impl<'a> Writer<'a> {
    fn tokens(&mut self, tokens: TokenStream, scope: &[(&str, &Binding)]) -> Option<()> {
        let tokens: Vec<TokenTree> = tokens.into_iter().collect();
        let mut at = 0;
        while let Some(token) = tokens.get(at) {
            at += 1;
            match token {
                token if is_punct(token, '$') => at = self.dollar(&tokens, at, scope)?,
                token if is_punct(token, '#') && token.span().byte_range().len() > 1 => {
                    // A doc comment, which tokens show as an attribute.
                    let range = token.span().byte_range();
                    self.own(range.start, range.end)?;
                    self.text.push('\n');
                    at += 1 + usize::from(tokens.get(at).is_some_and(|it| is_punct(it, '!')));
                }
                TokenTree::Group(group) => {
                    let range = group.span_open().byte_range();
                    if group.delimiter() == Delimiter::None {
                        return None;
                    }
                    self.own(range.start, range.end)?;
                    let is_definition = is_definition(tokens.get(..at - 1)?);
                    self.definitions += usize::from(is_definition);
                    self.tokens(group.stream(), scope)?;
                    self.definitions -= usize::from(is_definition);
                    let range = group.span_close().byte_range();
                    self.own(range.start, range.end)?;
                }
                token => {
                    let range = token.span().byte_range();
                    self.own(range.start, range.end)?;
                }
            }
        }
        Some(())
    }

    /// What stands behind a `$` at `at`; gives the place behind it.
    fn dollar(
        &mut self,
        tokens: &[TokenTree],
        at: usize,
        scope: &[(&str, &Binding)],
    ) -> Option<usize> {
        let token = tokens.get(at)?;
        match token {
            token if is_ident(token, "crate") => {
                self.gap();
                self.text.push('$');
                let range = token.span().byte_range();
                self.end = range.start;
                self.own(range.start, range.end)?;
                Some(at + 1)
            }
            TokenTree::Ident(name) => {
                let name = name.to_string();
                match scope.iter().find(|it| it.0 == name).map(|it| it.1) {
                    Some(&Binding::One { start, end, is_loose }) => {
                        self.fragment(start, end, is_loose)?
                    }
                    Some(Binding::Many(_)) => return None,
                    // A variable of a macro that the expansion defines: it stays as it stands.
                    None if self.definitions == 0 => return None,
                    None => {
                        for token in tokens.get(at - 1..=at)? {
                            let range = token.span().byte_range();
                            self.own(range.start, range.end)?;
                        }
                    }
                }
                Some(at + 1)
            }
            TokenTree::Group(group) if group.delimiter() == Delimiter::Parenthesis => {
                let rest = tokens.get(at + 1..)?;
                let (separator, op, len) = repetition(rest)?;
                let mut used = Vec::new();
                names(group.stream(), &mut used);
                let mut rounds: Option<usize> = None;
                for (name, binding) in scope {
                    if let Binding::Many(list) = binding
                        && used.iter().any(|it| it == name)
                    {
                        if rounds.is_some_and(|it| it != list.len()) {
                            return None;
                        }
                        rounds = Some(list.len());
                    }
                }
                let rounds = rounds?;
                if rounds > 1 && op == '?' {
                    return None;
                }
                for round in 0..rounds {
                    if round > 0 && separator.is_some() {
                        for token in rest.get(..len.saturating_sub(1))? {
                            let range = token.span().byte_range();
                            self.own(range.start, range.end)?;
                        }
                    }
                    let inner: Vec<(&str, &Binding)> = scope
                        .iter()
                        .map(|&(name, binding)| match binding {
                            Binding::Many(list) if used.iter().any(|it| it == name) => {
                                (name, list.get(round).unwrap_or(binding))
                            }
                            _ => (name, binding),
                        })
                        .collect();
                    self.tokens(group.stream(), &inner)?;
                }
                Some(at + 1 + len)
            }
            _ => None,
        }
    }

    /// A token of the definition. Tokens that touch there touch here.
    fn own(&mut self, start: usize, end: usize) -> Option<()> {
        if start == end || start != self.end {
            self.gap();
        }
        let token = self.definition.get(start..end)?;
        self.end = end;
        self.copy(token, Source::Definition, start)
    }

    /// What a variable stands for.
    fn fragment(&mut self, start: usize, end: usize, is_loose: bool) -> Option<()> {
        self.end = usize::MAX;
        if start == end {
            return Some(());
        }
        self.gap();
        let code = self.call.get(start..end)?;
        if is_doc_comment(code) {
            // Each token of the attribute that a doc comment stands for has the place of all of it.
            if self.text.trim_end().ends_with('[') {
                self.text.push_str("doc = \"\"");
            } else if self.doc != Some(start) {
                self.doc = Some(start);
                self.copy(code, Source::Call, start)?;
                self.text.push('\n');
            }
            return Some(());
        }
        self.doc = None;
        if is_loose {
            self.text.push('(');
        }
        self.copy(code, Source::Call, start)?;
        if is_loose {
            self.text.push(')');
        }
        Some(())
    }

    fn copy(&mut self, token: &str, source: Source, offset: usize) -> Option<()> {
        let start = self.text.len();
        if start + token.len() > LONGEST {
            return None;
        }
        self.text.push_str(token);
        let (start, len, offset) = (start as u32, token.len() as u32, offset as u32);
        match self.origins.last_mut() {
            Some(last)
                if last.source == source
                    && last.start + last.len == start
                    && last.offset + last.len == offset =>
            {
                last.len += len;
            }
            _ => self.origins.push(Origin { start, len, source, offset }),
        }
        Some(())
    }

    fn gap(&mut self) {
        if !self.text.is_empty() && !self.text.ends_with([' ', '\n']) {
            self.text.push(' ');
        }
    }
}

/// Whether tokens end as what stands before the arms of a macro: `macro_rules! name`, and the name
/// may be a variable.
fn is_definition(before: &[TokenTree]) -> bool {
    let Some((TokenTree::Ident(_), before)) = before.split_last() else { return false };
    let before = match before.split_last() {
        Some((dollar, before)) if is_punct(dollar, '$') => before,
        _ => before,
    };
    matches!(before, [.., word, bang] if is_ident(word, "macro_rules") && is_punct(bang, '!'))
}

/// Whether all of it is one doc comment.
fn is_doc_comment(code: &str) -> bool {
    if code.starts_with("//") {
        return !code.contains('\n');
    }
    code.starts_with("/*") && code.find("*/").is_some_and(|it| it + 2 == code.len())
}

/// The variables that tokens name.
fn names(tokens: TokenStream, out: &mut Vec<String>) {
    let mut is_behind_dollar = false;
    for token in tokens {
        match token {
            TokenTree::Ident(ref name) if is_behind_dollar => out.push(name.to_string()),
            TokenTree::Group(ref group) => names(group.stream(), out),
            _ => {}
        }
        is_behind_dollar = is_punct(&token, '$');
    }
}
