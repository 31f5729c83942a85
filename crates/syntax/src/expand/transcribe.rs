//! Writes the right side of an arm for one call, and records where each token comes from.

use std::ops::Range;

use super::body::Step;
use super::definition::Arm;
use super::matching::Binding;
use super::{MacroExpansion, Origin, TokenSource};

/// Longer expansions are given up.
const LONGEST: usize = 1 << 20;

pub(super) fn transcribe(
    arm: &Arm,
    bindings: &[Binding],
    definition: &str,
    call: &str,
) -> Option<MacroExpansion> {
    let scope: Vec<&Binding> = bindings.iter().collect();
    let mut writer = Writer {
        definition,
        call,
        text: String::new(),
        origins: Vec::new(),
        end: 0,
        definitions: 0,
        doc: None,
    };
    writer.steps(arm.steps(), &scope)?;
    Some(MacroExpansion { text: writer.text, origins: writer.origins })
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
    /// `scope`: the values of the variables here.
    fn steps(&mut self, steps: &[Step], scope: &[&Binding]) -> Option<()> {
        for step in steps {
            match step {
                Step::Own(place) => self.own(place.start, place.end)?,
                Step::Doc(place) => {
                    self.own(place.start, place.end)?;
                    self.text.push('\n');
                }
                Step::Crate(name) => {
                    self.gap();
                    self.text.push('$');
                    self.end = name.start;
                    self.own(name.start, name.end)?;
                }
                Step::Var(var, tokens) => self.var(*var, tokens, scope)?,
                Step::Repeat { steps, used, separator, op } => {
                    self.repeat(steps, used, separator, *op, scope)?;
                }
                Step::Group { open, steps, close, is_definition } => {
                    self.own(open.start, open.end)?;
                    self.definitions += usize::from(*is_definition);
                    self.steps(steps, scope)?;
                    self.definitions -= usize::from(*is_definition);
                    self.own(close.start, close.end)?;
                }
                Step::Unknown => return None,
            }
        }
        Some(())
    }

    /// `$name`.
    fn var(
        &mut self,
        var: Option<usize>,
        tokens: &[Range<usize>],
        scope: &[&Binding],
    ) -> Option<()> {
        match var.and_then(|var| scope.get(var)) {
            Some(&&Binding::One { start, end, is_loose }) => self.fragment(start, end, is_loose)?,
            Some(Binding::Many(_)) => return None,
            // A variable of a macro that the expansion defines: it stays as written.
            None if self.definitions == 0 => return None,
            None => {
                for token in tokens {
                    self.own(token.start, token.end)?;
                }
            }
        }
        Some(())
    }

    /// `$(…)`.
    fn repeat(
        &mut self,
        steps: &[Step],
        used: &[usize],
        separator: &[Range<usize>],
        op: char,
        scope: &[&Binding],
    ) -> Option<()> {
        let mut rounds: Option<usize> = None;
        for var in used {
            if let Some(Binding::Many(list)) = scope.get(*var) {
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
        let mut inner = scope.to_vec();
        for round in 0..rounds {
            if round > 0 {
                for token in separator {
                    self.own(token.start, token.end)?;
                }
            }
            for var in used {
                if let (Some(place), Some(&Binding::Many(list))) =
                    (inner.get_mut(*var), scope.get(*var))
                    && let Some(one) = list.get(round)
                {
                    *place = one;
                }
            }
            self.steps(steps, &inner)?;
        }
        Some(())
    }

    /// A token of the definition. Tokens that touch there touch here.
    fn own(&mut self, start: usize, end: usize) -> Option<()> {
        if start == end || start != self.end {
            self.gap();
        }
        let token = self.definition.get(start..end)?;
        self.end = end;
        self.copy(token, TokenSource::Definition, start)
    }

    /// The value of a variable.
    fn fragment(&mut self, start: usize, end: usize, is_loose: bool) -> Option<()> {
        self.end = usize::MAX;
        if start == end {
            return Some(());
        }
        self.gap();
        let code = self.call.get(start..end)?;
        if is_doc_comment(code) {
            // Each token of the attribute that a doc comment becomes has the place of the whole comment.
            if self.text.trim_end().ends_with('[') {
                self.text.push_str("doc = \"\"");
            } else if self.doc != Some(start) {
                self.doc = Some(start);
                self.copy(code, TokenSource::Call, start)?;
                self.text.push('\n');
            }
            return Some(());
        }
        self.doc = None;
        if is_loose {
            self.text.push('(');
        }
        self.copy(code, TokenSource::Call, start)?;
        if is_loose {
            self.text.push(')');
        }
        Some(())
    }

    fn copy(&mut self, token: &str, source: TokenSource, offset: usize) -> Option<()> {
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

/// Whether all of it is one doc comment.
fn is_doc_comment(code: &str) -> bool {
    if code.starts_with("//") {
        return !code.contains('\n');
    }
    code.starts_with("/*") && code.find("*/").is_some_and(|it| it + 2 == code.len())
}
