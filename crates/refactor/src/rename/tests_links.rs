//! Links of the documentation, where other items have the name: text in, text out.

use super::tests::{plan, renamed};
use super::*;

/// A second item of the name, which leaves the name alone open.
const RIVAL: &str = "pub struct T;\nimpl T {\n    pub fn old(&self) {}\n}\n";

#[test]
fn a_link_without_a_path_leads_to_the_item_of_its_module() {
    for docs in ["//! By [`old`].\n", "//! By [`old`](self::old) and [`old()`].\n"] {
        let text = format!("{docs}\n/// As [`T::old`].\npub fn old() {{}}\n{RIVAL}");
        let wanted = format!(
            "{}\n/// As [`T::old`].\npub fn new() {{}}\n{RIVAL}",
            docs.replace("old", "new")
        );
        assert_eq!(renamed(RenameKind::Function, "m", "fn old() {}", &text), wanted);
    }
}

#[test]
fn a_link_in_an_inner_module_leads_to_the_item_there() {
    let text = "/// By [`old`].\npub fn old() {}\npub mod inner {\n    //! By [`old`].\n    pub fn old() {}\n}\n\
                pub mod other {\n    //! By [`old`].\n}\n";
    let (before, other) = text.split_once("pub mod inner").unwrap();
    let wanted = format!("{}pub mod inner{other}", before.replace("old", "new"));
    assert_eq!(renamed(RenameKind::Function, "m", "fn old() {}", text), wanted);
}

#[test]
fn a_link_to_an_imported_name_leads_where_the_import_does() {
    let lib = "pub mod a;\npub mod b;\npub mod c;\n";
    let a = format!("pub fn old() {{}}\n{RIVAL}");
    let files = [
        ("src/lib.rs", lib),
        ("src/a.rs", a.as_str()),
        ("src/b.rs", "//! By [`old`].\nuse crate::a::old;\nfn f() { old(); }\n"),
        ("src/c.rs", "//! By [`old`].\nuse other::old;\nfn f() { old(); }\n"),
    ];
    let plan = plan(RenameKind::Function, "a", "fn old() {}", &files);
    let links = plan.sites().iter().filter(|it| it.region == SiteRegion::Link);
    let chosen: Vec<&str> = links.filter(|it| it.is_in()).map(|it| it.path.as_str()).collect();
    assert_eq!(chosen, ["src/b.rs"]);
}

#[test]
fn a_link_to_something_else_is_not_listed_and_one_that_is_open_is() {
    let text = format!(
        "//! By [`old_name`], [`T::old_name`].\n/// ```\n/// t.old_name();\n/// ```\npub fn old_name() {{}}\n{}\
         pub mod b {{\n    //! By [`old_name`].\n    use super::*;\n}}\n",
        RIVAL.replace("old", "old_name")
    );
    let target = RenameTarget {
        kind: RenameKind::Function,
        from: "old_name".to_owned(),
        to: "new".to_owned(),
        owners: SortedSet::from(["m".to_owned()]),
        definitions: SortedSet::from([(
            ProjectPath::new("src/m.rs").unwrap(),
            text.find("old_name() {}").unwrap(),
        )]),
        within: None,
    };
    let files = [(ProjectPath::new("src/m.rs").unwrap(), Arc::from(text.as_str()))];
    let plan = Renaming::new(target, &KnownSites::default(), &files);
    let listed: Vec<u32> = plan.in_texts(&[]).iter().map(|it| it.line).collect();
    assert_eq!(listed, [11]);
}

#[test]
fn a_module_of_the_project_may_have_the_name_of_a_standard_crate() {
    let text = "//! By [`core::old`] and [`std::old`].\npub mod core {\n    pub fn old() {}\n}\n";
    let text = format!("{text}{RIVAL}");
    assert_eq!(
        renamed(RenameKind::Function, "core", "fn old() {}", &text),
        text.replace("core::old", "core::new").replace("fn old()", "fn new()")
    );
}
