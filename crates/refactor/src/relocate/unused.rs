//! Imports that a move leaves without a use.

use base::{ByteSpan, Diagnostic};
use preserve::outline::tokens;

use super::learn::{Lesson, is_lint};
use super::manual::left_imports;
use super::uses::use_items;

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
                let is_free = scope != state.from || !self.is_conditional(file, &leaf.name);
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
    fn is_conditional(&self, file: usize, name: &str) -> bool {
        let source = self.now.file(file);
        if name == "_" {
            let cfgs = super::request::cfgs(&source.text);
            return cfgs.iter().any(|it| it != "#[cfg(test)]");
        }
        let items = self.now.use_items(file);
        tokens(&source.text).iter().any(|it| {
            it.text.trim_start_matches("r#") == name
                && !items.iter().any(|item| item.span.contains(it.span))
        })
    }
}
