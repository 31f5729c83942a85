//! Imports that a move leaves without a use.

use base::{ByteSpan, Diagnostic, SortedSet};
use preserve::outline::tokens;

use super::learn::{Lesson, is_lint};
use super::modules::ModulePath;
use super::scope::Scopes;
use super::uses::{UseItem, use_items};

/// The names that private imports of a file add and that only code which has left it used: all their uses
/// outside of imports are gone.
pub fn left_imports(base: &str, now: &str) -> SortedSet<String> {
    let items = use_items(now);
    let private = items.iter().filter(|it| it.visibility.is_empty());
    // A glob and `as _` add names that no token shows.
    let is_name = |it: &&str| !matches!(*it, "*" | "_");
    let leaves = private.flat_map(|it| &it.leaves).map(|it| it.name.as_str());
    let names: SortedSet<&str> = leaves.filter(is_name).collect();
    let used = |text: &str, items: &[UseItem]| -> SortedSet<String> {
        let list = tokens(text);
        let mut before = "";
        let mut found = SortedSet::new();
        for it in &list {
            // A method or field, and the name of a function, are no uses of an import.
            let is_member = matches!(before, "." | "fn");
            before = it.text;
            if !is_member && !items.iter().any(|use_| use_.span.contains(it.span)) {
                found.insert(it.text.trim_start_matches("r#").to_owned());
            }
        }
        found
    };
    let (before, after) = (used(base, &use_items(base)), used(now, &items));
    let is_left = |it: &&str| before.contains(*it) && !after.contains(*it);
    names.into_iter().filter(is_left).map(str::to_owned).collect()
}

/// The imported names of a text, by their last tokens, that only code used which `now` does not have.
pub(crate) fn left_import_spans(base: &str, now: &str) -> Vec<ByteSpan> {
    let left = left_imports(base, now);
    let items = use_items(base);
    let private = items.iter().filter(|it| it.visibility.is_empty());
    let leaves = private.flat_map(|it| &it.leaves);
    leaves.filter(|it| left.contains(&it.name)).map(|it| it.end).collect()
}

impl Lesson<'_> {
    /// An import that is no longer used, if the move made it so.
    pub(super) fn warning(&mut self, warning: &Diagnostic) {
        if !is_lint(warning) {
            return;
        }
        for span in warning.spans.iter().filter(|it| it.primary) {
            let Some((scope, file, bytes)) = self.place(Some(span)) else { continue };
            let state = &self.known.state;
            let items = self.now.use_items(file);
            let leaves =
                items.iter().filter(|it| it.visibility.is_empty()).flat_map(|it| &it.leaves);
            for leaf in leaves.filter(|it| bytes.start <= it.end.start && it.end.end <= bytes.end) {
                let is_named = state.copied.contains(&leaf.name)
                    && (scope == state.to || scope == state.from || leaf.name == state.name);
                let is_ours = match leaf.name.as_str() {
                    "_" if scope == state.from => {
                        let path = self.now.absolute(&scope, &leaf.names(), leaf.is_global);
                        state.copied_paths.contains(&format!("{path} as _"))
                    }
                    _ => is_named,
                };
                let is_free =
                    scope != state.from || !self.is_conditional((&scope, file), &leaf.name);
                if is_ours && is_free || self.has_lost_uses(file, &leaf.name) {
                    self.removed.entry(file).or_default().push(leaf.end);
                }
            }
        }
    }

    /// Whether the move has taken away all uses of a name that the file imports.
    fn has_lost_uses(&self, file: usize, name: &str) -> bool {
        let now = self.now.file(file);
        let before = &self.known.before;
        let base = before.tree.file(&now.path).map(|(at, _)| before.file(at));
        base.is_some_and(|it| left_imports(&it.text, &now.text).contains(name))
    }

    /// Whether code of a file that may not be built here may need an import of it: a use of its name, or
    /// any code under a condition for a trait without one.
    fn is_conditional(&self, (scope, file): (&ModulePath, usize), name: &str) -> bool {
        if name == "_" {
            let cfgs = super::request::cfgs(&self.now.file(file).text);
            return cfgs.iter().any(|it| it != "#[cfg(test)]");
        }
        is_used(self.now, scope, file, name)
    }
}

/// Whether code of a module, or of one inside of it in the same file, uses a name that the module imports. A
/// module that has the name from an import of its own does not, unless by `super::`.
fn is_used(scopes: &Scopes, scope: &ModulePath, file: usize, name: &str) -> bool {
    let items = scopes.use_items(file);
    let list = tokens(&scopes.file(file).text);
    let has_own = |at: usize| {
        let modules = scopes.tree.modules_at(file, at);
        let others = modules.iter().filter(|it| *it != scope && it.krate == scope.krate);
        others.into_iter().any(|it| scopes.leaves_of(it).any(|(_, leaf)| leaf.name == name))
    };
    (0..list.len()).any(|at| {
        let token = &list[at];
        let is_of_outer = at >= 2 && list[at - 1].is("::") && list[at - 2].is("super");
        token.text.trim_start_matches("r#") == name
            && !items.iter().any(|item| item.span.contains(token.span))
            && (is_of_outer || !has_own(token.span.start))
    })
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use base::ProjectPath;

    use super::*;
    use crate::relocate::CrateRoot;

    #[test]
    fn an_operator_or_a_pattern_is_no_use_of_a_glob() {
        let base =
            "use a::b;\nuse a::*;\nuse a::Tr as _;\nfn f() { b(1 * 2); let _ = 1; }\nfn g() {}\n";
        let now = "use a::b;\nuse a::*;\nuse a::Tr as _;\nfn g() {}\n";
        assert_eq!(left_imports(base, now).into_iter().collect::<Vec<_>>(), ["b"]);
    }

    fn uses_fmt(text: &str) -> bool {
        let path = ProjectPath::new("src/lib.rs").unwrap();
        let root = CrateRoot { name: "own".to_owned(), is_library: true, root: path.clone() };
        let scopes = Scopes::of(&[(path, Arc::from(text))], &[root]);
        let root = scopes.tree.modules_at(0, 0).remove(0);
        is_used(&scopes, &root, 0, "fmt")
    }

    #[test]
    fn a_name_is_used_where_it_means_the_import() {
        let import = "use std::fmt;\n";
        for code in [
            "fn f(_: fmt::Error) {}",
            "#[cfg(a)] mod m { use super::*; fn f(_: fmt::Error) {} }",
            "#[cfg(a)] mod m { use core::fmt; fn f(_: super::fmt::Error) {} }",
        ] {
            assert!(uses_fmt(&format!("{import}{code}")), "{code}");
        }
        for code in ["fn f() {}", "#[cfg(a)] mod m { use core::fmt; fn f(_: fmt::Error) {} }"] {
            assert!(!uses_fmt(&format!("{import}{code}")), "{code}");
        }
    }
}
