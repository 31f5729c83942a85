//! Names in string literals, and the places that no proof covers.

use base::{ProjectPath, SortedMap};

use super::tests::{plan, renamed};
use super::*;

#[test]
fn captures_name_constants_and_those_of_an_attribute_fields() {
    let text =
        "const old: u8 = 1;\nfn f() { println!(\"{old} {{old}} {:old$}\", 2); log(\"{old}\"); }";
    assert_eq!(
        renamed(RenameKind::Value, "", "const old", text),
        "const new: u8 = 1;\nfn f() { println!(\"{new} {{old}} {:new$}\", 2); log(\"{old}\"); }"
    );
    let text = "enum E { #[error(\"at {old}\")] A { old: u8 }, #[error(\"{old}\")] B { x: u8 } }";
    assert_eq!(
        renamed(RenameKind::Field, "A", "old: u8", text),
        "enum E { #[error(\"at {new}\")] A { new: u8 }, #[error(\"{old}\")] B { x: u8 } }"
    );
    let text = "struct S { old: u8 }\nfn f(old: u8) { println!(\"{old}\"); }";
    assert_eq!(
        renamed(RenameKind::Field, "S", "old: u8 }", text),
        "struct S { new: u8 }\nfn f(old: u8) { println!(\"{old}\"); }"
    );
}

#[test]
fn paths_in_attributes_follow_a_function_and_its_module_but_no_text_does() {
    let text = "#[serde(with = \"a::old\", default = \"old\", rename = \"old\")] struct S;\n\
                #[doc = \"old\"] fn old() {}";
    assert_eq!(
        renamed(RenameKind::Function, "a", "fn old", text),
        "#[serde(with = \"a::new\", default = \"new\", rename = \"old\")] struct S;\n\
         #[doc = \"old\"] fn new() {}"
    );
    let text = "#[serde(default = \"old::f\")] struct S;\nmod old {}";
    assert_eq!(
        renamed(RenameKind::Module, "", "mod old", text),
        "#[serde(default = \"new::f\")] struct S;\nmod new {}"
    );
    let text =
        "#[serde(with = \"old\")] struct S;\n#[serde(with = \"a::old\")] struct T;\nmod old {}";
    assert_eq!(renamed(RenameKind::Module, "", "mod old", text), text.replace("old", "new"));
}

#[test]
fn identifiers_of_arguments_follow_a_field_without_one_of_its_own() {
    let text = "#[derive(Parser)] struct S {\n#[arg(long)] old: u8,\n\
                #[arg(requires = \"old\", requires_if(\"old\", \"old\"), help = \"old\")] a: u8 }\n\
                struct T { #[arg(requires = \"old\")] a: u8 }";
    let after = renamed(RenameKind::Field, "S", "old: u8", text);
    let wanted = "#[arg(requires = \"new\", requires_if(\"old\", \"new\"), help = \"old\")] a: u8 }\n\
                  struct T { #[arg(requires = \"old\")] a: u8 }";
    assert!(after.ends_with(wanted), "{after}");
    let own = text.replace("#[arg(long)] old", "#[arg(id = \"b\")] old");
    let after = renamed(RenameKind::Field, "S", "old: u8", &own);
    assert!(after.contains("#[arg(requires = \"old\""), "{after}");
}

#[test]
fn equal_strings_in_attributes_of_the_type_of_a_field_are_listed() {
    let text = "struct S {\nold: u8,\n#[validate(must_match(other = \"old\"))]\na: u8,\n\
                #[arg(requires = \"old\")]\nb: u8,\n#[x(y = \"a::old\")]\nc: u8 }\n";
    let plan = plan(RenameKind::Field, "S", "old: u8", &[("src/lib.rs", text)]);
    let rows: Vec<_> = plan.unproven(false).iter().map(|it| (it.line, it.edited)).collect();
    assert_eq!(rows, [(3, false), (5, true)]);
}

/// The unproven places of a function `old`, with those at `unseen` not compiled.
fn unproven(text: &str, unseen: &[&str]) -> Vec<String> {
    let mut plan = plan(RenameKind::Function, "crate", "fn old", &[("src/lib.rs", text)]);
    let path = ProjectPath::new("src/lib.rs").unwrap();
    let reasons: SortedMap<SiteKey, String> = unseen
        .iter()
        .map(|it| ((path.clone(), text.find(it).unwrap() + it.find("old").unwrap()), "off".into()))
        .collect();
    plan.leave_unseen(reasons);
    let found = plan.unproven(false);
    let row = |it: UnprovenName| {
        format!("{} {} ({}){}", it.line, it.what, it.why, if it.edited { " edited" } else { "" })
    };
    found.into_iter().map(row).collect()
}

#[test]
fn what_the_compiler_does_not_see_is_listed_and_what_it_sees_is_not() {
    let text = "fn old() {}\nfn a() { crate::old(); }\n#[cfg(x)] fn b() { crate::old() }\n\
                fn c() { quote! { k::old() } }\n/// ```\n/// k::old();\n/// ```\nfn d(old: u8) { old; }";
    assert_eq!(
        unproven(text, &["crate::old() }"]),
        [
            "3 `old` (off) edited",
            "4 `old` (the input of `quote!` is code of another place)",
            "6 `old` in an example (its test did not run) edited",
        ]
    );
    assert_eq!(unproven("fn old() {} fn a() { crate::old(); }", &[]), Vec::<String>::new());
}

#[test]
fn texts_with_a_name_of_several_words_are_listed() {
    let text = "fn old_name() {}\n// old_name is slow\nfn f() { g(\"see old_name\"); }";
    let path = ProjectPath::new("src/lib.rs").unwrap();
    let target = RenameTarget {
        kind: RenameKind::Function,
        from: "old_name".into(),
        to: "new_name".into(),
        owners: Default::default(),
        definitions: [(path.clone(), 3)].into(),
        within: None,
    };
    let plan = Renaming::new(target, &KnownSites::default(), &[(path, text.into())]);
    let readme = (ProjectPath::new("README.md").unwrap(), "Call `old_name`.\n".into());
    let found = plan.in_texts(&[readme]);
    let rows: Vec<String> =
        found.iter().map(|it| format!("{}:{} {}", it.path, it.line, it.what)).collect();
    assert_eq!(
        rows,
        [
            "src/lib.rs:2 `old_name` in a comment",
            "src/lib.rs:3 `old_name` in a string",
            "README.md:1 `old_name` in the text",
        ]
    );
}

#[test]
fn tests_that_are_called_after_a_function_are_listed() {
    let text = "fn old_name() {}\n#[test]\nfn check_old_name() {}\n\
                #[tokio::test]\nasync fn old_name_works() {}\n\
                fn use_old_name() {}\n#[test]\nfn old_names() {}\n";
    let path = ProjectPath::new("src/lib.rs").unwrap();
    let target = |from: &str, kind| RenameTarget {
        kind,
        from: from.into(),
        to: "new_name".into(),
        owners: Default::default(),
        definitions: [(path.clone(), 3)].into(),
        within: None,
    };
    let rows = |from: &str, kind| -> Vec<String> {
        let files = [(path.clone(), text.into())];
        let plan = Renaming::new(target(from, kind), &KnownSites::default(), &files);
        let found = plan.tests_named_after();
        found.iter().map(|it| format!("{} {}", it.line, it.what)).collect()
    };
    let wanted = ["3 test `check_old_name`", "5 test `old_name_works`"];
    assert_eq!(rows("old_name", RenameKind::Function), wanted);
    assert_eq!(rows("old_name", RenameKind::Field), [""; 0]);
    assert_eq!(rows("name", RenameKind::Function), [""; 0]);
}

#[test]
fn a_common_word_is_listed_in_texts_after_its_owner() {
    let text = "/// # K::old\n/// An old thing.\nfn f() { g(\"K::old\", \"old\", \"T::old\"); }\nenum K { old }";
    let plan = plan(RenameKind::Variant, "K", "enum K { old", &[("src/lib.rs", text)]);
    let rows: Vec<String> =
        plan.in_texts(&[]).iter().map(|it| format!("{} {}", it.line, it.what)).collect();
    assert_eq!(rows, ["1 `old` in a comment", "3 `old` in a string"]);
}

#[test]
fn a_call_of_a_method_is_listed_on_a_page_that_names_its_owner() {
    let code = "pub trait Slice { fn old(&self); }";
    let plan = plan(RenameKind::Method, "Slice", "fn old", &[("src/lib.rs", code)]);
    let page = "An old thing, `a.old`.\n```rust\nuse k::Slice;\n```\n```rust\nt.old(..);\nlet old = 1;\n```\n";
    let lines = |page: &str| -> Vec<u32> {
        let readme = (ProjectPath::new("README.md").unwrap(), page.into());
        plan.in_texts(&[readme]).iter().map(|it| it.line).collect()
    };
    assert_eq!(lines(page), [1, 6]);
    assert_eq!(lines(&page.replace("k::Slice", "k::Other")), Vec::<u32>::new());
    let readme = (ProjectPath::new("README.md").unwrap(), page.into());
    assert_eq!(plan.calls_in_texts(&[readme]).len(), 1);
}

#[test]
fn a_name_in_the_code_of_a_text_is_listed_where_it_may_mean_the_item() {
    let code = "pub trait Visitor {\n    type old;\n}\n";
    let plan = plan(RenameKind::Member, "Visitor", "type old", &[("src/lib.rs", code)]);
    let readme = "\
Some old text.

```rust
impl Visitor for A {
    type old = u8;
    fn f(&self) -> Self::old { T::old }
}
```

```sh
run old
```
";
    let readme = (ProjectPath::new("README.md").unwrap(), readme.into());
    let lines: Vec<u32> = plan.in_texts(&[readme]).iter().map(|it| it.line).collect();
    assert_eq!(lines, [5, 6]);
}

#[test]
fn a_call_in_a_sentence_is_listed() {
    let code = "// Calls old() of an old S.\nstruct S;\nimpl S {\n    fn old(&self) {}\n}\n";
    let plan = plan(RenameKind::Method, "S", "fn old", &[("src/lib.rs", code)]);
    let readme = |text: &str| (ProjectPath::new("README.md").unwrap(), text.into());
    let lines = |texts: &[(ProjectPath, std::sync::Arc<str>)]| -> Vec<String> {
        plan.in_texts(texts).iter().map(|it| format!("{}:{}", it.path, it.line)).collect()
    };
    let page = readme("S is old.\nThen old() runs, not T::old().\nAn old (S) one.\n");
    assert_eq!(lines(&[page]), ["src/lib.rs:1", "README.md:2"]);
    assert_eq!(lines(&[readme("Then old() runs.\n")]), ["src/lib.rs:1"]);
}

#[test]
fn a_member_is_listed_where_code_in_a_text_has_its_syntax() {
    let code = "pub struct Args { old: String }\nenum Kind { old, }\nenum Other { old }\n";
    let lines = |kind: RenameKind, page: &str| -> Vec<u32> {
        let (owner, definition) = match kind {
            RenameKind::Field => ("Args", "old: String"),
            _ => ("Kind", "old,"),
        };
        let plan = plan(kind, owner, definition, &[("src/lib.rs", code)]);
        let readme = (ProjectPath::new("README.md").unwrap(), page.into());
        plan.in_texts(&[readme]).iter().map(|it| it.line).collect()
    };
    let page =
        "An old thing: old.\nWith `{ top: 1, old: \"A\" }` or `old: 1`.\n`m::old: 1`, old: 1\n";
    assert_eq!(lines(RenameKind::Field, page), [2]);
    assert_eq!(lines(RenameKind::Variant, page), [0; 0]);
    let page = "The `old` of an old `a.old`,\n`T::old()`, `run old`.\n";
    // Two variants have the name, and one field.
    assert_eq!(lines(RenameKind::Variant, page), [0; 0]);
    assert_eq!(lines(RenameKind::Field, page), [1]);
    assert_eq!(lines(RenameKind::Field, &format!("{page}Args")), [1]);
    assert_eq!(lines(RenameKind::Variant, &format!("{page}Kind")), [1]);
}

#[test]
fn a_member_in_what_another_tool_reads_is_listed_beside_its_owner() {
    let code = "pub struct Address {\n    old: String,\n}\n";
    let plan = plan(RenameKind::Field, "Address", "old: String", &[("src/lib.rs", code)]);
    let view = "<Type Name=\"url::Address\">\n  <DisplayString>{old}</DisplayString>\n</Type>\n";
    let text = |path: &str, text: &str| (ProjectPath::new(path).unwrap(), text.into());
    let lines = |path: &str, of: &str| -> Vec<u32> {
        plan.in_texts(&[text(path, of)]).iter().map(|it| it.line).collect()
    };
    assert_eq!(lines("debug/url.natvis", view), [2]);
    assert_eq!(lines("debug/url.natvis", &view.replace("Address", "Other")), [0; 0]);
    assert_eq!(lines("notes.md", view), [0; 0]);
}
