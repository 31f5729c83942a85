//! Types that have got generic parameters: the impls of traits that are only for their defaults still,
//! where a trait is missing for all of the type.

use base::ByteSpan;
use edit::Splice;
use preserve::outline::tokens;
use refactor::{ImplHead, heads};
use refactor::{PlacedText, quoted, spelled};

use super::{Confidence, Errors, Propagation, propagation};
use crate::project::{Project, has_word};

/// For each impl that an error misses for a type with more arguments: the head of the impl which has
/// them and in which the error is, or of the first one.
pub(super) fn impl_generics(project: &Project<'_>, errors: &Errors<'_>) -> Vec<Propagation> {
    let mut found = undeclared(project, errors);
    for marked in errors.marked() {
        if marked.error.code.as_deref() != Some("E0277") {
            continue;
        }
        let message = format!("{} {}", marked.error.message, notes(marked.error));
        for text in project.near() {
            let all = heads(&text.text);
            for old in all.iter().filter(|it| is_missed(it, &message, project, &text)) {
                let (name, count) = old.type_name();
                let is_wider = |it: &&ImplHead<'_>| {
                    let (other, more) = it.type_name();
                    other == name && more > count && has_names(it, old)
                };
                let here = |it: &&ImplHead<'_>| {
                    *marked.path == text.path && it.whole.contains(marked.span)
                };
                let wider: Vec<&ImplHead<'_>> = all.iter().filter(is_wider).collect();
                let model = wider.iter().find(|it| here(it)).or(wider.first());
                let Some(model) = model else { continue };
                let reason = format!("`{name}` has {} now", wanted(model));
                let splices = splices(old, model);
                let splices: Vec<_> =
                    splices.into_iter().map(|it| (text.path.clone(), it)).collect();
                match found.iter_mut().find(|it| it.splices == splices) {
                    Some(same) => same.seeds.push(marked.seed),
                    None => {
                        let seeds = vec![marked.seed];
                        let change = propagation(reason, Confidence::Likely);
                        found.push(Propagation { seeds, splices, ..change });
                    }
                }
            }
        }
    }
    found
}

/// For each parameter that an impl uses and does not declare: its list as in another impl of its type.
fn undeclared(project: &Project<'_>, errors: &Errors<'_>) -> Vec<Propagation> {
    let mut found: Vec<Propagation> = Vec::new();
    for marked in errors.marked() {
        let message = &marked.error.message;
        let name = quoted(message).next().filter(|_| message.starts_with("cannot find type "));
        let Some((name, text)) = name.zip(project.text(marked.path)) else { continue };
        let all = heads(&text.text);
        let Some(old) = all.iter().find(|it| it.whole.contains(marked.span)) else { continue };
        let (ty, count) = old.type_name();
        let is_model = |it: &&ImplHead<'_>| {
            let (other, more) = it.type_name();
            let declares = generics(it).iter().any(|it| declared(it) == name);
            other == ty && more > count && declares && has_names(it, old)
        };
        let Some(model) = all.iter().find(is_model) else { continue };
        let own = generics(old);
        let bound: Vec<String> =
            old.predicates().iter().map(|it| declared(it).to_owned()).collect();
        let list = generics(model).into_iter().map(|it| {
            let known = own.iter().find(|own| declared(own) == declared(&it)).cloned();
            let is_bound = bound.iter().any(|bound| bound == declared(&it));
            known.unwrap_or(if is_bound { declared(&it).to_owned() } else { it })
        });
        let list = format!("<{}> ", list.collect::<Vec<_>>().join(", "));
        let first = old.of_trait.unwrap_or(old.ty);
        let whole = model.ty.slice(model.text).unwrap_or("").to_owned();
        let splices = vec![
            Splice { span: ByteSpan::new(old.start, first.start), insert: list },
            Splice { span: old.ty, insert: whole },
        ];
        let splices: Vec<_> = splices.into_iter().map(|it| (text.path.clone(), it)).collect();
        match found.iter_mut().find(|it| it.splices == splices) {
            Some(same) => same.seeds.push(marked.seed),
            None => {
                let change = propagation(format!("`{ty}` has `{name}` now"), Confidence::Likely);
                found.push(Propagation { seeds: vec![marked.seed], splices, ..change });
            }
        }
    }
    found
}

fn wanted(model: &ImplHead<'_>) -> String {
    base::counted(model.type_name().1, "generic parameter")
}

fn notes(error: &base::Diagnostic) -> String {
    let labels = error.spans.iter().filter_map(|it| it.label.clone());
    let notes = error.children.iter().map(|it| it.message.clone());
    labels.chain(notes).collect::<Vec<_>>().join(" ")
}

/// Whether the message misses the trait of an impl for the impl's type, and the difference has given
/// generic parameters to that type.
fn is_missed(head: &ImplHead<'_>, message: &str, project: &Project<'_>, text: &PlacedText) -> bool {
    let Some(of_trait) = head.of_trait else { return false };
    let of_trait = head.spelled(of_trait);
    let of_trait = of_trait.split('<').next().unwrap_or("").rsplit("::").next().unwrap_or("");
    let (name, _) = head.type_name();
    let base = project.difference.get(&text.path).and_then(|it| it.base.as_deref());
    let was = base.is_some_and(|base| heads(base).iter().any(|it| it.key() == head.key()));
    let names = |it: &str| quoted(message).any(|quoted| has_word(quoted, it));
    was && names(of_trait) && names(&name)
}

/// The name that an element of a list of generics declares.
fn declared(element: &str) -> &str {
    let list = tokens(element);
    list.iter().find(|it| !it.is("const")).map_or("", |it| it.text)
}

fn generics(head: &ImplHead<'_>) -> Vec<String> {
    let list = head.generics.iter().filter_map(|it| it.slice(head.text));
    list.map(str::to_owned).collect()
}

/// Whether one head declares all that the other one does.
fn has_names(model: &ImplHead<'_>, old: &ImplHead<'_>) -> bool {
    let has = generics(model);
    generics(old).iter().all(|it| has.iter().any(|other| declared(other) == declared(it)))
}

/// The old head with the generics, the type and the bounds of the model besides its own.
fn splices(old: &ImplHead<'_>, model: &ImplHead<'_>) -> Vec<Splice> {
    let (own, predicates) = (generics(old), model.predicates());
    let is_known = |it: &str| predicates.iter().any(|other| spelled(other) == spelled(it));
    let list = generics(model).into_iter().map(|it| {
        let bound = own.iter().find(|own| declared(own) == declared(&it) && own.contains(':'));
        bound.filter(|own| !it.contains(':') && !is_known(own)).cloned().unwrap_or(it)
    });
    let list = format!("<{}>", list.collect::<Vec<_>>().join(", "));
    let first = old.of_trait.unwrap_or(old.ty);
    let put = |start: usize, end: usize, insert: String| Splice {
        span: ByteSpan::new(start, end),
        insert,
    };
    let ty = model.ty.slice(model.text).unwrap_or("").to_owned();
    let mut found =
        vec![put(old.start, first.start, format!("{list} ")), put(old.ty.start, old.ty.end, ty)];
    let kept = old.predicates().into_iter().filter(|it| !is_known(it));
    let rest: String = kept.map(|it| format!("\n    {it},")).collect();
    let bounds = model.bounds.and_then(|it| it.slice(model.text)).unwrap_or("");
    if let Some(own) = old.bounds.filter(|_| !bounds.is_empty()) {
        // On a line of its own.
        let line = refactor::line_start(old.text, own.start);
        let comma = if bounds.ends_with(',') { "" } else { "," };
        found.push(put(
            line.max(old.ty.end),
            own.end,
            match line > old.ty.end {
                true => format!("{bounds}{comma}{rest}"),
                false => format!(" {bounds}{comma}{rest}"),
            },
        ));
    } else if !bounds.is_empty() {
        let end = old.text.get(old.ty.end..).and_then(|it| it.find('{')).unwrap_or(0);
        found.push(put(old.ty.end, old.ty.end + end, format!("\n{bounds}\n")));
    }
    found
}
