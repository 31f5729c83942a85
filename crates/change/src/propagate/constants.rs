//! Functions without arguments that became constants, and constants that became functions: the members
//! of the impls, and the uses.

use base::ByteSpan;
use edit::Splice;
use preserve::outline::tokens;
use refactor::{InlineFunction, is_one_expression};
use refactor::{PlacedText, quoted};
use syntax::places::{Definition, DefinitionKind, UseKind};

use super::{Confidence, Errors, Marked, Propagation, propagation};
use crate::project::{Project, has_word};
use crate::{DefinitionName, Intent, What};

/// Attributes of functions that a constant cannot have.
const OF_FUNCTIONS: &[&str] =
    &["#[inline]", "#[inline(always)]", "#[inline(never)]", "#[must_use]", "#[cold]"];

/// A member that is another kind of definition now.
struct Turned<'a> {
    old: &'a DefinitionName,
    new: &'a DefinitionName,
    /// Type of the new constant.
    ty: &'a str,
    /// Of a constant that became a function, its head: from its name to its return type.
    head: String,
}

pub(super) fn constants(
    project: &Project<'_>,
    intent: &Intent,
    all: &[Intent],
    errors: &Errors<'_>,
    found: &mut Vec<Propagation>,
) {
    let Some(turned) = Turned::of(project, intent, all) else { return };
    let kinds = match turned.new.kind {
        DefinitionKind::Const => ("function", "constant"),
        _ => ("constant", "function"),
    };
    let reason = format!(
        "the {} `{}` is the {} `{}` now",
        kinds.0, turned.old.name, kinds.1, turned.new.name
    );
    let mut change = propagation(reason, Confidence::Certain);
    for marked in errors.marked() {
        let Some(text) = project.text(marked.path) else { continue };
        if turned.is_missing_in(&marked) {
            change.seeds.push(marked.seed);
        }
        let splice = match marked.error.code.as_deref() {
            Some("E0407" | "E0438") => turned.member(&text, &marked),
            Some("E0599" | "E0425" | "E0576") => turned.used(project, &text, &marked),
            _ => None,
        };
        if let Some(splice) = splice {
            change.seeds.push(marked.seed);
            change.splices.push((text.path.clone(), splice));
        }
    }
    found.push(change);
}

/// Whether what is gone is another kind of definition now.
pub(super) fn has_turned(all: &[Intent], gone: &Intent) -> bool {
    successor(all, gone).is_some()
}

/// A function of the difference that is a constant now: the names of both.
pub(crate) fn became_constant<'a>(
    all: &'a [Intent],
    gone: &'a Intent,
) -> Option<(&'a str, &'a str)> {
    let (_, new, _) = successor(all, gone)?;
    (new.kind == DefinitionKind::Const).then(|| (gone.what.of().name.as_str(), new.name.as_str()))
}

/// The only new definition with the name of one that is gone, in the spelling of the other kind.
fn successor<'a>(
    all: &'a [Intent],
    gone: &Intent,
) -> Option<(&'a Intent, &'a DefinitionName, &'a str)> {
    use DefinitionKind as K;
    let What::Removed(old) = &gone.what else { return None };
    let name = old.name.strip_prefix("get_").unwrap_or(&old.name).to_lowercase();
    let mut same = all.iter().filter_map(|it| {
        let What::Added { of: new, ty } = &it.what else { return None };
        let is_other =
            matches!((old.kind, new.kind), (K::Function, K::Const) | (K::Const, K::Function));
        let is_it = is_other
            && new.owner == old.owner
            && new.of_trait == old.of_trait
            && new.name.strip_prefix("get_").unwrap_or(&new.name).to_lowercase() == name;
        is_it.then_some((it, new, ty.as_str()))
    });
    same.next().filter(|_| same.next().is_none())
}

impl<'a> Turned<'a> {
    fn of(project: &Project<'_>, gone: &'a Intent, all: &'a [Intent]) -> Option<Self> {
        let (intent, new, ty) = successor(all, gone)?;
        let text = project.text(&intent.path)?;
        let head = match new.kind {
            DefinitionKind::Function => {
                let is_it = |it: &&Definition| DefinitionName::of(it) == *new;
                let function = text.places.definitions.iter().find(is_it)?;
                text.slice(function.head).trim().to_owned()
            }
            _ => String::new(),
        };
        Some(Self { old: gone.what.of(), new, ty, head })
    }

    /// Whether an error misses the new member in an impl.
    fn is_missing_in(&self, marked: &Marked<'_>) -> bool {
        marked.error.code.as_deref() == Some("E0046")
            && quoted(&marked.error.message).any(|it| it == self.new.name)
    }

    /// The old member of an impl as the new one.
    fn member(&self, text: &PlacedText, marked: &Marked<'_>) -> Option<Splice> {
        let of_trait = self.old.of_trait.as_ref().unwrap_or(&self.old.owner);
        let message = &marked.error.message;
        let is_it = |name: &str| quoted(message).any(|it| has_word(it, name));
        let member = text.places.definitions.iter().find(|it| {
            it.kind == self.old.kind
                && it.name == self.old.name
                && it.of_trait.as_ref() == Some(of_trait)
                && (it.span.contains(marked.span) || marked.span.contains(it.span))
        });
        let member = member.filter(|_| is_it(&self.old.name) && is_it(of_trait))?;
        let whole = text.slice(member.span);
        let keyword = match self.old.kind {
            DefinitionKind::Function => "fn",
            _ => "const",
        };
        let list = tokens(whole);
        let start = list.iter().position(|it| it.is(keyword))?;
        let start = match start.checked_sub(1).map(|it| &list[it]) {
            Some(it) if it.is("const") => it.span.start,
            _ => list[start].span.start,
        };
        let mut before = whole.get(..start)?.to_owned();
        let item = match self.new.kind {
            DefinitionKind::Const => {
                for attribute in OF_FUNCTIONS {
                    before = without(&before, attribute);
                }
                let body = InlineFunction::read(whole)?;
                if body.receiver.is_some() && has_word(&body.body, "self") {
                    return None;
                }
                let value = match is_one_expression(body.body.trim()) {
                    true => body.body.trim().to_owned(),
                    false => text.slice(member.body?).to_owned(),
                };
                format!("const {}: {} = {value};", self.new.name, self.ty)
            }
            _ => {
                let value = whole.split_once('=')?.1.trim().strip_suffix(';')?.trim();
                format!("fn {} {{\n        {value}\n    }}", self.head)
            }
        };
        Some(Splice { span: member.span, insert: format!("{before}{item}") })
    }

    /// A use of the old name.
    fn used(
        &self,
        project: &Project<'_>,
        text: &PlacedText,
        marked: &Marked<'_>,
    ) -> Option<Splice> {
        let message = &marked.error.message;
        let is_missed = quoted(message).any(|it| it == self.old.name)
            && text.slice(marked.span) == self.old.name;
        if !is_missed || !self.is_of_owner(project, marked) {
            return None;
        }
        let name = marked.span;
        if self.new.kind == DefinitionKind::Function {
            let has_receiver = self.head.contains("self");
            let insert = format!("{}()", self.new.name);
            return (!has_receiver).then_some(Splice { span: name, insert });
        }
        let around = text.uses_around(name);
        let call = around.iter().find(|it| {
            it.name_span == name && matches!(it.kind, UseKind::Call | UseKind::MethodCall)
        })?;
        let mut start = name.start;
        let mut path = "";
        if call.kind == UseKind::MethodCall {
            let receiver = text.text.get(call.span.start..name.start)?.trim_end();
            if receiver.strip_suffix('.')?.trim_end() != "self" {
                return None;
            }
            (start, path) = (call.span.start, "Self::");
        }
        let span = ByteSpan::new(start, call.span.end);
        let insert = format!("{path}{}", self.new.name);
        call.args.is_empty().then_some(Splice { span, insert })
    }

    /// Whether the error is about a member of the owner, or of a type that may implement it.
    fn is_of_owner(&self, project: &Project<'_>, marked: &Marked<'_>) -> bool {
        let owner = &self.old.owner;
        match marked.error.code.as_deref() {
            Some("E0425") => owner.is_empty(),
            _ if owner.is_empty() => false,
            _ => {
                let message = marked.error.message.split_once(" found for ");
                let of = message.map_or("", |it| it.1);
                quoted(of).any(|it| has_word(it, owner)) || project.is_trait(owner)
            }
        }
    }
}

/// A text without an attribute and the blanks after it.
fn without(text: &str, attribute: &str) -> String {
    match text.split_once(attribute) {
        Some((before, after)) => format!("{before}{}", after.trim_start()),
        None => text.to_owned(),
    }
}
