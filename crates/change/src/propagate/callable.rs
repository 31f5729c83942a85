//! Functions that returned a function and return a value with a method for the same: `f(a)(b)`
//! becomes `f(a).method(b)`.

use base::ByteSpan;
use edit::Splice;

use super::{Confidence, Errors, Propagation, propagation};
use crate::project::{Project, has_word};
use crate::{Intent, Library, What};

pub(super) fn callable(
    project: &Project<'_>,
    intent: &Intent,
    errors: &Errors<'_>,
    found: &mut Vec<Propagation>,
) {
    let What::Retyped { of, at: None, from, to } = &intent.what else { return };
    if !Library::is_path(&intent.path) || !is_callable(from) || is_callable(to) {
        return;
    }
    // `impl Fn(I) -> Out<O>`: what a call of it returns.
    let Some(output) = from.rsplit("->").next().map(head) else { return };
    let bound = to.split("impl ").nth(1).unwrap_or(to);
    let of_trait = head(bound);
    let libraries = project.difference.libraries().iter();
    let Some(method) = libraries.flat_map(|it| it.called(&of_trait, &output)).next() else {
        return;
    };
    let mut change = propagation(
        format!("{of} returned `{from}`: its result is called by `{method}` now"),
        Confidence::Likely,
    );
    for marked in errors.marked().filter(|it| it.error.code.as_deref() == Some("E0618")) {
        let Some(text) = project.text(marked.path) else { continue };
        let is_called = text.text.get(marked.span.end..).is_some_and(|it| it.starts_with('('));
        let slice = text.slice(marked.span);
        let is_it = has_word(slice, &of.name) || has_word(&marked.error.message, &of_trait);
        if is_called && is_it {
            let span = ByteSpan::new(marked.span.end, marked.span.end);
            let insert = format!(".{method}");
            change.seeds.push(marked.seed);
            change.splices.push((text.path.clone(), Splice { span, insert }));
        }
    }
    found.push(change);
}

fn is_callable(ty: &str) -> bool {
    ["Fn(", "FnMut(", "FnOnce(", "fn("].iter().any(|it| ty.contains(it))
}

/// The last name of the path that a type begins with.
fn head(ty: &str) -> String {
    let ty = ty.trim();
    let end = ty.find(|it: char| !(it.is_alphanumeric() || it == '_' || it == ':'));
    let path = &ty[..end.unwrap_or(ty.len())];
    path.rsplit("::").next().unwrap_or(path).to_owned()
}
