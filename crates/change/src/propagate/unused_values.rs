//! Calls of a function that has become fallible whose value nothing uses: they compile as they are, and
//! lose the failure. Start at [`unused_calls`].
//!
//! For a statement of a `Result` the compiler's warning proves that the call is one of the function. All
//! others have no warning: they count where the text shows that they are its calls.

use std::sync::Arc;

use base::{ByteSpan, Diagnostic, DiagnosticSpan, ProjectPath};
use edit::Splice;
use preserve::outline::{Outline, Token, tokens};
use refactor::PlacedText;
use syntax::places::{Definition, DefinitionKind, Use, UseKind, places};

use super::called::end_of;
use super::fallible::calls;
use super::fallible_callers::Turned;
use super::receivers::Callee;
use super::unused_in_macros::is_in_macro;
use super::wrapper::{returned, wrapper_of};
use crate::project::Project;
use crate::{Intent, What};

/// A call whose value nothing uses.
pub(crate) struct UnusedCall {
    /// File.
    pub(crate) path: ProjectPath,
    /// The call.
    pub(crate) span: ByteSpan,
    /// Result for it.
    pub(crate) fate: UnusedFate,
}

/// Result for a call whose value nothing uses.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum UnusedFate {
    /// It passes the failure on by this edit.
    Passed(Splice),
    /// It cannot, for this reason.
    Refused(String),
    /// It may, and no check builds it, or it is in a macro.
    Unproven(String),
    /// `let _ = call` or `_ = call`, as written: meant.
    Ignored(&'static str),
}

/// Statement that does not use the value of a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Unused {
    /// `call;`.
    Statement,
    /// `let _a = call;`, where nothing has the name again.
    Named,
    /// `let _ = call;` or `_ = call;`, as written.
    Ignored(&'static str),
}

/// The calls that do not use the value of the function that an intent has made fallible, in all files that
/// name it; `warnings` are those of the compiler for these files.
pub(crate) fn unused_calls(
    project: &Project<'_>,
    intent: &Intent,
    warnings: &[Diagnostic],
) -> Vec<UnusedCall> {
    let Some(turned) = Turned::by_failure(project, intent) else { return Vec::new() };
    turned.unused_calls(Proof::Warnings(warnings))
}

/// Whether an intent has made a function fallible.
pub(crate) fn has_become_fallible(intent: &Intent) -> bool {
    let What::Retyped { of, at: None, from, to } = &intent.what else { return false };
    let is_new = wrapper_of(to).is_some() && wrapper_of(from).is_none();
    is_new && of.kind == DefinitionKind::Function
}

/// Source of the certainty that a statement is a call of the function.
#[derive(Clone, Copy)]
enum Proof<'a> {
    /// The warnings of a tree that compiles.
    Warnings(&'a [Diagnostic]),
    /// None: the tree does not compile.
    Text,
}

impl Proof<'_> {
    /// Whether a warning is that nothing uses the value of this call.
    fn warns(self, text: &PlacedText, call: &Use) -> bool {
        let Self::Warnings(warnings) = self else { return false };
        let is_it = |it: &DiagnosticSpan| {
            it.primary
                && it.expansion.is_none()
                && it.place.project() == Some(&text.path)
                && it.bytes.start == call.span.start
                && (it.bytes.end == call.span.end || it.bytes.end == end_of(text, call).end)
        };
        let mut unused = warnings.iter().filter(|it| it.code.as_deref() == Some("unused_must_use"));
        unused.any(|it| it.spans.iter().any(is_it))
    }
}

/// A call of a function of the name, and its statement.
#[derive(Clone, Copy)]
struct UnusedStatement<'a> {
    text: &'a PlacedText,
    call: &'a Use,
    unused: Unused,
    /// Whether no other function of the project has the name.
    is_only: bool,
}

/// A function by its owner, and what it returns.
struct NamedFunction {
    owner: String,
    of_trait: Option<String>,
    wrapper: Option<&'static str>,
}

impl Turned<'_, '_> {
    /// The edits of the calls that do not use the value, in a tree that does not compile.
    pub(super) fn unused(&self) -> Vec<(ProjectPath, Splice)> {
        let calls = self.unused_calls(Proof::Text).into_iter();
        let edits = calls.filter_map(|it| match it.fate {
            UnusedFate::Passed(splice) => Some((it.path, splice)),
            _ => None,
        });
        edits.collect()
    }

    fn unused_calls(&self, proof: Proof<'_>) -> Vec<UnusedCall> {
        let is_only = self.functions().len() == 1;
        let mut found = Vec::new();
        for text in &self.project.with_word(&self.of.name) {
            let mut gates = None;
            for call in calls(text, &self.of.name).filter(|it| self.may_be_of(it)) {
                let Some(unused) = unused_in(text, call) else { continue };
                let gates = gates.get_or_insert_with(|| Gates::of(self.project, text));
                let statement = UnusedStatement { text, call, unused, is_only };
                let is_built = gates.is_built(text, call.span.start);
                if let Some(fate) = self.fate(&statement, is_built, proof) {
                    found.push(UnusedCall { path: text.path.clone(), span: call.span, fate });
                }
            }
            found.extend(self.in_macros(text, is_only));
        }
        found
    }

    /// `None` for a call that is none of the function, or may be none.
    fn fate(
        &self,
        statement: &UnusedStatement<'_>,
        is_built: bool,
        proof: Proof<'_>,
    ) -> Option<UnusedFate> {
        let UnusedStatement { text, call, unused, is_only } = *statement;
        let is_certain = self.is_certain(text, Callee::of(text, call), is_only);
        if let Unused::Ignored(by) = unused {
            return is_certain.then_some(UnusedFate::Ignored(by));
        }
        let is_warned = proof.warns(text, call);
        let has_warning = unused == Unused::Statement && self.wrapper == "Result";
        let is_it = match proof {
            Proof::Warnings(_) if has_warning && is_warned => is_certain || self.is_only_turned(),
            // Built code without a warning has another function of the name.
            Proof::Warnings(_) if has_warning => is_certain && !is_built,
            Proof::Text if has_warning => is_certain || is_only,
            _ => is_certain,
        };
        is_it.then(|| match self.passed_on(text, call) {
            _ if !is_built && !is_warned => {
                UnusedFate::Unproven(format!("a call of `{}` that loses its failure", self.of.name))
            }
            Ok(splice) => UnusedFate::Passed(splice),
            Err(fault) => UnusedFate::Refused(fault.to_string()),
        })
    }

    /// Whether a call has the form of one of the function: that of a method, or with a path.
    fn may_be_of(&self, call: &Use) -> bool {
        match call.kind {
            UseKind::MethodCall => !self.of.owner.is_empty(),
            _ => self.of.owner.is_empty() || !call.qualifier.is_empty(),
        }
    }

    /// Whether all functions of the name that return the wrapper have become fallible: no other one was
    /// ignored before.
    fn is_only_turned(&self) -> bool {
        let files = self.project.difference.files();
        let bases = files.filter_map(|(path, it)| Some((path, it.base.as_ref()?)));
        let bases = bases.filter(|it| it.1.contains(&self.of.name));
        let before: Vec<NamedFunction> = bases
            .flat_map(|(path, text)| {
                let (path, text) = (path.clone(), Arc::clone(text));
                let places = places(&text);
                self.functions_of(&PlacedText { path, text, places })
            })
            .collect();
        let was_infallible = |now: &NamedFunction| {
            let is_it =
                |it: &&NamedFunction| (&it.owner, &it.of_trait) == (&now.owner, &now.of_trait);
            before.iter().find(is_it).is_some_and(|it| it.wrapper.is_none())
        };
        self.functions().iter().all(|it| it.wrapper.is_none() || was_infallible(it))
    }

    /// The functions of the name in the project.
    fn functions(&self) -> Vec<NamedFunction> {
        let texts = self.project.with_word(&self.of.name);
        texts.iter().flat_map(|it| self.functions_of(it)).collect()
    }

    /// The functions of the name in a text.
    fn functions_of(&self, text: &PlacedText) -> Vec<NamedFunction> {
        let definitions = text.places.definitions.iter();
        let named =
            definitions.filter(|it| it.kind == DefinitionKind::Function && it.name == self.of.name);
        let read = |it: &Definition| NamedFunction {
            owner: it.owner.clone(),
            of_trait: it.of_trait.clone(),
            wrapper: wrapper_of(returned(text, it)),
        };
        named.map(read).collect()
    }
}

/// Conditions of the code of one text.
struct Gates<'t> {
    outline: Outline<'t>,
    /// Whether the declaration of its module has one.
    is_gated: bool,
}

impl<'t> Gates<'t> {
    fn of(project: &Project<'_>, text: &'t PlacedText) -> Self {
        let path = text.path.as_str().trim_end_matches(".rs");
        let mut names = path.split('/').filter(|it| !matches!(*it, "src" | "lib" | "main" | "mod"));
        let is_gated = names.any(|name| {
            let texts = project.with_word(&format!("mod {name};"));
            texts.iter().any(|it| it.path != text.path && declares_gated(it, name))
        });
        Self { outline: Outline::of(&text.text), is_gated }
    }

    /// Whether a position is certainly in code that a check builds: behind no `cfg` but that of tests, and
    /// in no call of a macro.
    fn is_built(&self, text: &PlacedText, at: usize) -> bool {
        !self.is_gated
            && !has_gate(&self.outline, &text.text, at)
            && !is_in_macro(&self.outline, at)
    }
}

/// Whether a position is behind a `cfg` other than that of tests.
fn has_gate(outline: &Outline<'_>, text: &str, at: usize) -> bool {
    outline.gates(text, at).iter().any(|it| it != "test")
}

/// Whether a text declares a module of that name behind a `cfg` other than that of tests.
fn declares_gated(text: &PlacedText, name: &str) -> bool {
    let outline = Outline::of(&text.text);
    let is_it = |it: &&Definition| it.kind == DefinitionKind::Module && it.name == name;
    let mut modules = text.places.definitions.iter().filter(is_it);
    modules.any(|it| has_gate(&outline, &text.text, it.name_span.start))
}

/// The statement around a call that does not use its value.
pub(super) fn unused_in(text: &PlacedText, call: &Use) -> Option<Unused> {
    let after = text.text.get(end_of(text, call).end..).unwrap_or("");
    if !after.trim_start().starts_with(';') {
        return None;
    }
    let caller = text.function_at(call.span.start)?;
    let body = caller.body.filter(|it| it.contains(call.span))?;
    let before = text.slice(ByteSpan::new(body.start, call.span.start));
    let before = tokens(before);
    let last = |back: usize| before.get(before.len().checked_sub(back)?).map(|it| it.text);
    match (last(3), last(2), last(1)?) {
        (_, _, ";" | "{" | "}") => Some(Unused::Statement),
        (_, _, "]") if is_attribute(&before) => Some(Unused::Statement),
        (Some("let"), Some("_"), "=") => Some(Unused::Ignored("let _ =")),
        (Some(";" | "{" | "}"), Some("_"), "=") => Some(Unused::Ignored("_ =")),
        (Some("let"), Some(name), "=") if name.starts_with('_') => {
            let all = tokens(text.slice(body));
            let is_once = all.iter().filter(|it| it.text == name).count() == 1;
            is_once.then_some(Unused::Named)
        }
        _ => None,
    }
}

/// Whether the last of these tokens closes an attribute.
fn is_attribute(list: &[Token<'_>]) -> bool {
    let mut depth = 0_usize;
    for (at, token) in list.iter().enumerate().rev() {
        match token.text {
            "]" => depth += 1,
            "[" if depth == 1 => return at > 0 && list[at - 1].is("#"),
            "[" => depth -= 1,
            _ => {}
        }
    }
    false
}
