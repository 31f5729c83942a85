//! Imports that a change adds on lines of their own, in the style of their module: in the group of their
//! path, in their block and in its order.

use std::sync::Arc;

use base::{ByteSpan, ProjectPath, SortedMap};
use edit::{Splice, TextEdit};
use preserve::outline::Outline;

use super::modules::{CrateRoot, ModulePath};
use super::placing::placed;
use super::scope::Scopes;
use super::supply::NewImport;
use crate::text::whole_lines;
use crate::use_item::{UseItem, use_items};

/// The text after an edit with the imports that it adds in the style of their modules; `None` if it adds
/// none, or they are written so already.
pub fn with_styled_imports(path: &ProjectPath, before: &str, edit: &TextEdit) -> Option<String> {
    if !edit.splices.iter().any(|it| it.insert.contains("use ")) {
        return None;
    }
    let after = edit.apply(before)?;
    let added = added(before, edit, &after)?;
    let removed = |(span, _): &(ByteSpan, String)| Splice { span: *span, insert: String::new() };
    let removed: Vec<Splice> = added.iter().map(removed).collect();
    let without = TextEdit::new(&after, &removed).ok()?.apply(&after)?;
    let root = CrateRoot { name: "own".to_owned(), is_library: false, root: path.clone() };
    let files = [(path.clone(), Arc::<str>::from(without.as_str()))];
    let scopes = Scopes::of(&files, &[root]);
    let mut imports: SortedMap<ModulePath, Vec<(String, NewImport)>> = SortedMap::new();
    let mut gone = 0;
    for (span, tree) in added {
        let module = scopes.tree.modules_at(0, span.start - gone).into_iter().next()?;
        gone += span.len();
        if scopes.uses_of(&module).is_empty() {
            return None;
        }
        imports.entry(module).or_default().push((String::new(), NewImport::of(tree)));
    }
    let placed = imports.iter().flat_map(|(module, all)| placed(&scopes, module, all, module));
    let mut splices: Vec<Splice> = placed.collect();
    splices.sort_by_key(|it| it.span);
    let styled = TextEdit::new(&without, &splices).ok()?.apply(&without)?;
    (styled != after).then_some(styled)
}

/// The plain imports of one name that an edit inserts, each with its lines and its path; `None` without
/// any, and if one has another form: then they are written in a style already.
fn added(before: &str, edit: &TextEdit, after: &str) -> Option<Vec<(ByteSpan, String)>> {
    let back = edit.invert(before)?;
    // What replaces nothing but space.
    let inserted = |own: ByteSpan| {
        back.splices.iter().any(|it| it.span.contains(own) && it.insert.trim().is_empty())
    };
    let imports = use_items(after, &Outline::of(after));
    let one = |item: &UseItem<'_>| {
        let tree = item.text().strip_prefix("use ")?.strip_suffix(';')?.trim();
        let is_plain = !tree.contains(['{', '*', '/']);
        let span = whole_lines(after, item.span());
        let is_alone = span.slice(after)?.trim() == item.text();
        (is_plain && is_alone).then(|| (span, tree.to_owned()))
    };
    let new = imports.iter().filter(|it| inserted(it.span()));
    new.map(one).collect::<Option<Vec<_>>>().filter(|it| !it.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn styled(before: &str, line: &str) -> String {
        let at = before.find("use ").unwrap_or(0);
        let splice = Splice { span: ByteSpan::new(at, at), insert: format!("{line}\n") };
        let edit = TextEdit::new(before, &[splice]).unwrap();
        let path = ProjectPath::new("src/a.rs").unwrap();
        with_styled_imports(&path, before, &edit).unwrap_or_else(|| edit.apply(before).unwrap())
    }

    #[test]
    fn a_name_joins_the_group_of_its_path() {
        let text = "use std::io::{self, Read};\n\nfn f() {}\n";
        assert_eq!(
            styled(text, "use std::io::Write;"),
            "use std::io::{self, Read, Write};\n\nfn f() {}\n"
        );
        let text = "use crate::a::{B, D};\nuse std::fmt;\n";
        assert_eq!(styled(text, "use crate::a::C;"), "use crate::a::{B, C, D};\nuse std::fmt;\n");
    }

    #[test]
    fn an_import_goes_to_its_block_in_its_order() {
        let text = "use std::fmt;\n\nuse serde::Deserialize;\n\nuse crate::own::Own;\n";
        assert_eq!(
            styled(text, "use std::io::Write;"),
            "use std::fmt;\nuse std::io::Write;\n\nuse serde::Deserialize;\n\nuse crate::own::Own;\n"
        );
        // One declaration for each name is a style too.
        let text = "use std::io::Read;\nuse std::io::Seek;\nuse std::path::Path;\n";
        assert_eq!(
            styled(text, "use std::io::Write;"),
            "use std::io::Read;\nuse std::io::Seek;\nuse std::io::Write;\nuse std::path::Path;\n"
        );
    }

    #[test]
    fn imports_of_other_modules_and_forms_stay_as_they_are() {
        let text = "use std::io::{self, Read};\n";
        for line in ["pub use std::io::Write;", "use std::fs::*;", "#[cfg(a)]\nuse std::io::Write;"]
        {
            assert_eq!(styled(text, line), format!("{line}\n{text}"));
        }
        let text = "mod m {\n    use std::io::{self, Read};\n}\nfn f() {}\n";
        let splice =
            Splice { span: ByteSpan::new(0, 0), insert: "use std::io::Write;\n".to_owned() };
        let edit = TextEdit::new(text, &[splice]).unwrap();
        let path = ProjectPath::new("src/a.rs").unwrap();
        assert_eq!(with_styled_imports(&path, text, &edit), None);
    }
}
