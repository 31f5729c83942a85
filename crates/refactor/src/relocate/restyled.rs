//! Imports that a change adds on lines of their own, in the style of their module: in the group of their
//! path, in their block and in its order.

use std::sync::Arc;

use base::{ProjectPath, SortedMap};
use edit::{Splice, TextEdit};

use super::modules::{CrateRoot, ModulePath};
use super::placing::placed;
use super::scope::Scopes;
use super::supply::NewImport;

/// The text after an edit with the imports that it adds in the style of their modules; `None` if it adds
/// none, or they are written so already. A file without imports keeps them where the edit has them.
pub fn with_styled_imports(path: &ProjectPath, before: &str, edit: &TextEdit) -> Option<String> {
    let is_added = |it: &&Splice| added(before, it).is_some();
    if !edit.splices.iter().any(|it| is_added(&it)) {
        return None;
    }
    let after = edit.apply(before)?;
    let present = scopes(path, before);
    let has_style = |it: &&Splice| {
        let module = present.tree.modules_at(0, it.span.start).into_iter().next();
        module.is_some_and(|it| !it.names.is_empty() || !present.uses_of(&it).is_empty())
    };
    let (moved, rest): (Vec<&Splice>, Vec<&Splice>) =
        edit.splices.iter().partition(|it| is_added(it) && has_style(it));
    if moved.is_empty() {
        return None;
    }
    let rest: Vec<Splice> = rest.into_iter().cloned().collect();
    let without = TextEdit::new(before, &rest).ok()?.apply(before)?;
    let scopes = scopes(path, &without);
    let mut imports: SortedMap<ModulePath, Vec<(String, NewImport)>> = SortedMap::new();
    for splice in moved {
        let earlier = rest.iter().filter(|it| it.span.end <= splice.span.start);
        let (come, gone) =
            earlier.fold((0, 0), |(come, gone), it| (come + it.insert.len(), gone + it.span.len()));
        let at = splice.span.start + come - gone;
        let module = scopes.tree.modules_at(0, at).into_iter().next()?;
        let trees = added(before, splice)?.into_iter();
        let new = trees.map(|it| (String::new(), NewImport::of(it.to_owned())));
        imports.entry(module).or_default().extend(new);
    }
    let placed = imports.iter().flat_map(|(module, all)| placed(&scopes, module, all, module));
    let mut splices: Vec<Splice> = placed.collect();
    splices.sort_by_key(|it| it.span);
    let styled = TextEdit::new(&without, &splices).ok()?.apply(&without)?;
    (styled != after).then_some(styled)
}

fn scopes(path: &ProjectPath, text: &str) -> Scopes {
    let root = CrateRoot { name: "own".to_owned(), is_library: false, root: path.clone() };
    Scopes::of(&[(path.clone(), Arc::<str>::from(text))], &[root])
}

/// The paths of the plain imports of one name that a splice inserts, if it inserts nothing else.
fn added<'s>(before: &str, splice: &'s Splice) -> Option<Vec<&'s str>> {
    if !splice.span.slice(before)?.trim().is_empty() {
        return None;
    }
    let one = |line: &'s str| {
        let tree = line.trim().strip_prefix("use ")?.strip_suffix(';')?.trim();
        let is_plain = !tree.contains(['{', '*', '/', ';']);
        is_plain.then_some(tree)
    };
    let lines = splice.insert.lines().filter(|it| !it.trim().is_empty());
    lines.map(one).collect::<Option<Vec<_>>>().filter(|it| !it.is_empty())
}

#[cfg(test)]
mod tests {
    use base::ByteSpan;

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

    #[test]
    fn each_import_goes_to_its_own_module_and_keeps_its_indent() {
        let text = "use std::fmt;\n\npub mod a {\n    use std::rc::Rc;\n\n    fn f() {}\n}\n\n\
                    pub mod b {\n    pub fn f() {}\n}\n";
        let at = |place: &str, insert: &str| {
            let at = text.find(place).unwrap();
            Splice { span: ByteSpan::new(at, at), insert: insert.to_owned() }
        };
        let splices = [
            at("use std::fmt", "use std::borrow::Cow;\n"),
            at("use std::rc", "use std::sync::Arc;\nuse std::cell::Cell;\n"),
            at("pub fn f", "use std::time::Duration;\n\nuse std::sync::Arc;\n\n"),
        ];
        let edit = TextEdit::new(text, &splices).unwrap();
        let path = ProjectPath::new("src/a.rs").unwrap();
        assert_eq!(
            with_styled_imports(&path, text, &edit).unwrap(),
            "use std::borrow::Cow;\nuse std::fmt;\n\npub mod a {\n    use std::cell::Cell;\n    \
             use std::rc::Rc;\n    use std::sync::Arc;\n\n    fn f() {}\n}\n\npub mod b {\n    \
             use std::sync::Arc;\n    use std::time::Duration;\n\n    pub fn f() {}\n}\n"
        );
    }
}
