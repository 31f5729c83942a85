//! What `pin_project` and `pin_project_lite` make of a struct: `project()` gives its fields, the
//! pinned ones as `Pin<&mut Field>`, the others as `&mut Field`.

use std::rc::Rc;

use syntax::facts::Shape;

use super::Infer;
use super::ty::{Args, Kind, Ty};
use crate::{DefId, DefKind, Namespace, Resolution, Symbol};

const NAME: &str = "pin_project";

impl Infer<'_> {
    /// What `receiver.name()` gives where `name` is a method that the macro makes.
    pub(super) fn projected(&mut self, receiver: Ty, name: Symbol) -> Option<Ty> {
        if !matches!(self.map.name_of(name), "project" | "project_ref") {
            return None;
        }
        for step in self.deref_steps(receiver) {
            let Kind::Adt(def, args) = self.types.kind(step).clone() else { continue };
            if Some(def) == self.lang.pin {
                continue;
            }
            let is_it = self.map.def(def).kind == DefKind::Struct && self.is_projected(def);
            return is_it.then(|| self.types.make(Kind::Projected(def, args)));
        }
        None
    }

    /// A field of what `project()` gives.
    pub(super) fn projected_field(&mut self, def: DefId, args: &Args, name: Symbol) -> Option<Ty> {
        let fields = self.fields(def);
        let (_, ty) = *fields.iter().find(|(of, _)| *of == Some(name))?;
        let ty = self.instance(ty, &[(def, args.clone())]);
        let to = self.types.reference(ty);
        let (_, item, _) = self.map.facts(def)?;
        let text = &self.map.source(self.map.def(def).file).text;
        let text = text.get(item.code_span.start..item.code_span.end)?;
        if !is_pinned(text, self.map.name_of(name)) {
            return Some(to);
        }
        let pin = self.lang.pin?;
        Some(self.types.make(Kind::Adt(pin, Rc::from([to]))))
    }

    /// The struct stands in the tokens of the macro, or has its attribute. A macro of the
    /// workspace that is called so is another.
    fn is_projected(&mut self, def: DefId) -> bool {
        self.map.signature(&mut self.deps, def);
        let Some((facts, item, _)) = self.map.facts(def) else { return false };
        let cx = self.cx_of(def);
        let is_attribute = |text: &String| {
            let inner = text.trim_start_matches(['#', '[']).trim_start();
            let path = inner.split(['(', ']', ' ']).next().unwrap_or(inner);
            path.rsplit("::").next() == Some(NAME)
        };
        if item.attributes.iter().any(is_attribute) {
            let name = self.map.symbol(NAME);
            let found = name.map(|name| {
                self.map.resolve(&mut self.deps, &cx.scope, &[name], false, Namespace::Macro)
            });
            return !matches!(found, Some(Resolution::Def(_) | Resolution::Ambiguous(_)));
        }
        let call = item.parent.and_then(|call| facts.decls.get(call));
        let Some(Shape::MacroCall(path)) = call.map(|decl| &decl.shape) else { return false };
        let last = facts.paths.get(path.idx()).and_then(|path| path.segments.last());
        let is_named = last
            .and_then(|last| facts.names.get(last.name.idx()))
            .is_some_and(|name| &**name == NAME);
        is_named
            && matches!(
                self.resolve_path(&cx, *path, Namespace::Macro),
                Resolution::External(_) | Resolution::None
            )
    }
}

/// Whether `#[pin]` stands before a field.
fn is_pinned(text: &str, field: &str) -> bool {
    text.match_indices("#[pin]").any(|(at, attribute)| {
        let mut rest = text.get(at + attribute.len()..).unwrap_or("").trim_start();
        loop {
            let skipped = match rest {
                _ if rest.starts_with("//") => rest.split_once('\n').map(|(_, rest)| rest),
                _ if rest.starts_with("#[") => rest.split_once(']').map(|(_, rest)| rest),
                _ if rest.starts_with("pub(") => rest.split_once(')').map(|(_, rest)| rest),
                _ => rest.strip_prefix("pub "),
            };
            match skipped {
                Some(skipped) => rest = skipped.trim_start(),
                None => break,
            }
        }
        let behind = rest.strip_prefix(field);
        behind.is_some_and(|behind| behind.trim_start().starts_with(':'))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pinned_field_is_known_by_its_attribute() {
        let text =
            "struct A<T> { #[pin] // why\n #[cfg(x)] pub(crate) a: T, b: u8, #[pin]\n aa: T }";
        assert!(is_pinned(text, "a"));
        assert!(is_pinned(text, "aa"));
        assert!(!is_pinned(text, "b"));
    }
}
