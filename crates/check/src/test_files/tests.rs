//! Helpers and data of tests, found in trees in memory.

use std::cell::RefCell;

use base::{ContentHash, ProjectPath, SortedMap, Timestamp};
use edit::{FileState, Unreadable};

use super::*;
use crate::draft::Draft;

/// A tree, with the paths that were read.
struct Texts {
    files: SortedMap<ProjectPath, String>,
    read: RefCell<Vec<String>>,
}

impl Files for Texts {
    fn read(&self, path: &ProjectPath) -> Result<Option<FileState>, Unreadable> {
        self.read.borrow_mut().push(path.to_string());
        Ok(self.files.get(path).map(|it| FileState::from_text(it.as_str())))
    }
}

fn path(text: &str) -> ProjectPath {
    ProjectPath::new(text).unwrap()
}

fn texts(files: &[(&str, &str)]) -> Texts {
    let files = files.iter().map(|(name, text)| (path(name), (*text).to_owned())).collect();
    Texts { files, read: RefCell::default() }
}

fn tree(files: &Texts) -> Tree {
    let hashes =
        files.files.iter().map(|(path, it)| (path.clone(), ContentHash::of(it.as_bytes())));
    Tree::new(hashes.collect(), SortedMap::new(), std::sync::Arc::default())
}

fn change(files: &Texts, after: &[(&str, &str)]) -> Overlay {
    let states = after.iter().map(|(name, text)| {
        let before = files.files.get(&path(name)).map(|it| FileState::from_text(it.as_str()));
        (path(name), before, Some(FileState::from_text(*text)))
    });
    Overlay::from_states("t", Timestamp(0), states.collect())
}

/// The files that only tests use, of a change of these files.
fn found(files: &[(&str, &str)], after: &[(&str, &str)]) -> String {
    let files = texts(files);
    let TestFiles { code, data, .. } = of(&files, &tree(&files), &change(&files, after));
    code.iter().chain(&data).map(ProjectPath::as_str).collect::<Vec<_>>().join(" ")
}

/// Whether only tests use a file with an edit of it.
fn is_found(files: &[(&str, &str)], edited: &str) -> bool {
    found(files, &[(edited, "edited")]) == edited
}

#[test]
fn the_file_of_a_module_under_cfg_test_is_for_tests() {
    for (declarer, declaration, file) in [
        ("src/lib.rs", "#[cfg(test)]\nmod kit;", "src/kit.rs"),
        ("src/lib.rs", "#[cfg(test)]\npub(crate) mod kit;", "src/kit/mod.rs"),
        ("src/main.rs", "#[cfg(all(test, unix))] mod kit;", "src/kit.rs"),
        ("src/lib.rs", "#[cfg(any(test, feature = \"test-util\"))] pub mod kit;", "src/kit.rs"),
        ("src/lib.rs", "#[cfg(test)] mod r#kit;", "src/kit.rs"),
        ("src/a.rs", "#[cfg(test)] mod kit;", "src/a/kit.rs"),
        ("src/a/mod.rs", "#[cfg(test)] mod kit;", "src/a/kit.rs"),
        ("src/a/mod.rs", "#![cfg(test)]\nmod kit;", "src/a/kit.rs"),
        ("src/lib.rs", "#[cfg(test)] mod a { pub mod kit; }", "src/a/kit.rs"),
        ("src/lib.rs", "mod a { #[cfg(test)] mod kit; }", "src/a/kit.rs"),
        ("src/lib.rs", "#[cfg(test)]\n#[path = \"b/kit.rs\"]\nmod x;", "src/b/kit.rs"),
        ("src/lib.rs", "#[cfg(test)]\n#[path = \"b\\x2fkit.rs\"]\nmod x;", "src/b/kit.rs"),
        ("src/a.rs", "#[path = \"../b/kit.rs\"] #[cfg(test)] mod x;", "b/kit.rs"),
        ("src/a.rs", "#[cfg(test)]\n#[path = \"b/mod.rs\"]\npub mod x;", "src/b/mod.rs"),
        ("src/a.rs", "mod i { #[path = \"k.rs\"] #[cfg(test)] mod x; }", "src/a/i/k.rs"),
        ("src/a.rs", "#[cfg_attr(test, path = \"b/k.rs\")] mod x;", "src/b/k.rs"),
        ("src/a.rs", "#[cfg(test)] mod t { include!(\"kit.rs\"); }", "src/kit.rs"),
        ("core/root.rs", "#[cfg(test)] mod kit;", "core/kit.rs"),
        ("tests/it.rs", "#[path = \"../support/kit.rs\"] mod kit;", "support/kit.rs"),
        ("tests/it.rs", "include!(\"../support/kit.rs\");", "support/kit.rs"),
    ] {
        let files = [(declarer, declaration), (file, "")];
        assert!(is_found(&files, file), "{declaration}");
        // The same for all code.
        let plain = declaration.replace("test, ", "").replace("test", "unix");
        let declarer = declarer.replace("tests/", "src/");
        let files = [(declarer.as_str(), plain.as_str()), (file, "")];
        assert!(!is_found(&files, file), "{plain}");
    }
}

#[test]
fn a_module_below_one_of_tests_is_for_tests() {
    let root = "mod a;\n#[cfg(test)]\nmod kit;\n";
    let files = [
        ("src/lib.rs", root),
        ("src/a.rs", "mod deep;"),
        ("src/a/deep.rs", ""),
        ("src/kit.rs", "mod deep;\nmod other;"),
        ("src/kit/deep.rs", ""),
        ("src/kit/other/mod.rs", "mod last;"),
        ("src/kit/other/last.rs", ""),
    ];
    for file in ["src/kit.rs", "src/kit/deep.rs", "src/kit/other/mod.rs", "src/kit/other/last.rs"] {
        assert!(is_found(&files, file), "{file}");
    }
    for file in ["src/lib.rs", "src/a.rs", "src/a/deep.rs"] {
        assert!(!is_found(&files, file), "{file}");
    }
}

#[test]
fn a_module_that_other_code_declares_too_is_not_for_tests() {
    let test = ("src/lib.rs", "#[cfg(test)] mod kit;");
    assert!(is_found(&[test, ("src/kit.rs", "")], "src/kit.rs"));
    assert!(!is_found(&[test, ("src/main.rs", "mod kit;"), ("src/kit.rs", "")], "src/kit.rs"));
    // A module of the same name in another folder is another one.
    let other = ("src/a.rs", "mod kit;");
    let files = [test, other, ("src/kit.rs", ""), ("src/a/kit.rs", "")];
    assert!(is_found(&files, "src/kit.rs") && !is_found(&files, "src/a/kit.rs"));
    // The path of an alternative for builds without tests.
    let choice = "#[cfg_attr(test, path = \"fake.rs\")] mod real;";
    let files = [("src/lib.rs", choice), ("src/real.rs", ""), ("src/fake.rs", "")];
    assert!(is_found(&files, "src/fake.rs") && !is_found(&files, "src/real.rs"));
}

#[test]
fn a_change_of_the_declaration_takes_no_status_away() {
    let (test, plain) = ("#[cfg(test)] mod kit;", "mod kit;");
    for (before, after) in [(test, plain), (plain, test), (test, "")] {
        let files = [("src/lib.rs", before), ("src/kit.rs", "")];
        let all = found(&files, &[("src/lib.rs", after), ("src/kit.rs", "edited")]);
        assert_eq!(all, "src/kit.rs", "{before} → {after}");
    }
    let data = [("src/a.rs", "#[test] fn t() { f(\"../w.txt\") }"), ("w.txt", "")];
    let named = "const W: &str = \"w.txt\";\n#[test] fn t() { f(\"../w.txt\") }";
    assert_eq!(found(&data, &[("src/a.rs", named), ("w.txt", "edited")]), "w.txt");
}

#[test]
fn data_that_only_test_code_names_is_found() {
    let in_test = |literal: &str| {
        format!("fn f() {{}}\n#[cfg(test)]\nmod t {{ #[test] fn t() {{ g({literal}) }} }}\n")
    };
    for (source, code, file) in [
        ("src/lib.rs", in_test("include_str!(\"../specs/want.txt\")"), "specs/want.txt"),
        ("src/lib.rs", in_test("read(\"specs/want.txt\")"), "specs/want.txt"),
        ("src/lib.rs", in_test("read(r\"specs\\want.txt\")"), "specs/want.txt"),
        ("src/lib.rs", in_test("read(b\"./specs/want.txt\")"), "specs/want.txt"),
        ("src/lib.rs", in_test("format!(\"{dir}/specs/want.txt\")"), "specs/want.txt"),
        ("src/lib.rs", in_test("p.join(\"specs\").join(\"want.txt\")"), "specs/want.txt"),
        ("src/lib.rs", in_test("concat!(env!(\"D\"), \"/specs/want.txt\")"), "a/specs/want.txt"),
        ("src/lib.rs", in_test("include_str!(\"want.txt\")"), "src/want.txt"),
        ("src/lib.rs", in_test("include_str!(\"../want.txt\")"), "want.txt"),
        ("tests/it.rs", "fn f() { g(\"../specs/want.txt\") }".to_owned(), "specs/want.txt"),
        ("src/lib.rs", in_test("read(\"want\")"), "want"),
    ] {
        assert!(is_found(&[(source, &code), (file, "")], file), "{code}");
        let plain = code.replace("#[cfg(test)]\n", "").replace("#[test]", "");
        let plain_path = source.replace("tests/", "src/");
        assert!(!is_found(&[(&plain_path, &plain), (file, "")], file), "{plain}");
        let both = [(source, code.as_str()), ("src/b.rs", &plain), (file, "")];
        assert!(!is_found(&both, file), "{code}");
    }
}

#[test]
fn data_in_helpers_of_tests_and_in_a_package_is_found() {
    let files = [
        ("Cargo.toml", ""),
        ("a/Cargo.toml", ""),
        (
            "a/src/lib.rs",
            "#[cfg(test)]\nmod kit;\n#[cfg(test)] mod t { fn t() { kit(\"b.txt\") } }",
        ),
        ("a/src/kit.rs", "const DIR: &str = \"specs\"; const A: &str = \"want.txt\";"),
        ("a/want.txt", ""),
        ("a/specs/b.txt", ""),
        ("a/other/b.txt", ""),
        ("a/other/want.txt", ""),
    ];
    for (file, expected) in [
        ("a/want.txt", true),
        ("a/specs/b.txt", true),
        // A name alone, that no test has with this folder.
        ("a/other/b.txt", false),
        ("a/other/want.txt", false),
    ] {
        assert_eq!(is_found(&files, file), expected, "{file}");
    }
}

#[test]
fn other_data_is_not_found() {
    let test = |literal: &str| format!("#[test] fn t() {{ g({literal}) }}");
    for (literal, file) in [
        ("\"specs/other.txt\"", "specs/want.txt"),
        ("\"other/want.txt\"", "specs/want.txt"),
        ("\"want.txt.bak\"", "specs/want.txt"),
        ("\"no specs/want.txt\"", "b/specs/want.txt"),
        ("\"specs\"", "specs/want.txt"),
        ("\"\"", "specs/want.txt"),
        ("\"README.md\"", "README.md"),
        ("\"Cargo.lock\"", "Cargo.lock"),
        ("\".env\"", ".env"),
    ] {
        assert!(!is_found(&[("src/lib.rs", &test(literal)), (file, "")], file), "{literal}");
    }
    let comment = "// \"want.txt\"\n/// \"want.txt\"\n#[test] fn t() {}";
    assert!(!is_found(&[("src/lib.rs", comment), ("want.txt", "")], "want.txt"));
}

#[test]
fn nothing_is_read_where_the_paths_decide() {
    let files = [
        ("src/lib.rs", "mod a; fn f() { g(\"a.txt\") }"),
        ("src/a.rs", "mod b;"),
        ("src/a/b.rs", ""),
        ("src/c.rs", ""),
        ("tests/it.rs", ""),
        ("tests/a.txt", ""),
        ("README.md", ""),
        ("a.txt", ""),
    ];
    let read = |after: &str| {
        let files = texts(&files);
        of(&files, &tree(&files), &change(&files, &[(after, "edited")]));
        let read = files.read.borrow();
        read.join(" ")
    };
    for (edited, expected) in [
        ("tests/it.rs", ""),
        ("tests/a.txt", ""),
        ("README.md", ""),
        ("src/new.rs", ""),
        // A module that is declared no more is looked for.
        ("src/lib.rs", "src/a.rs src/a/b.rs src/c.rs tests/it.rs"),
        ("src/a.rs", "src/lib.rs src/a/b.rs"),
        ("src/a/b.rs", "src/a.rs src/lib.rs"),
        // Each file once, though no module declares it.
        ("src/c.rs", "src/lib.rs src/a.rs src/a/b.rs tests/it.rs"),
        ("a.txt", "src/a.rs src/a/b.rs src/c.rs src/lib.rs tests/it.rs"),
    ] {
        assert_eq!(read(edited), expected, "{edited}");
    }
}

#[test]
fn modules_in_a_circle_and_broken_texts_end() {
    let circle = [
        ("a.rs", "#[path = \"b.rs\"] mod b;"),
        ("b.rs", "#[path = \"a.rs\"] mod a;"),
        ("c.rs", "#[cfg(test)] #[path = \"a.rs\"] mod a;"),
    ];
    assert!(!is_found(&circle[..2], "a.rs") && !is_found(&circle, "c.rs"));
    for text in [
        "#[cfg(test",
        "mod kit",
        "#[cfg(test)] mod kit",
        "#[path = ] mod kit;",
        "#[path = \"",
        "#[cfg_attr(test, path = \"../../../kit.rs\")] mod x;",
        "#[cfg_attr(] mod kit;",
        "include!(\"",
        "include! mod kit ; ; }",
        "mod kit { mod kit;",
        "\"kit.txt",
    ] {
        for file in ["src/kit.rs", "src/kit.txt"] {
            let _ = is_found(&[("src/lib.rs", text), ("src/z.rs", text), (file, text)], file);
        }
    }
}

/// The rules that protect tests and are broken by a change, as the evidence has them.
fn refusals(files: &[(&str, &str)], after: &[(&str, &str)]) -> String {
    let files = texts(files);
    let draft = Draft::new(&files, change(&files, after), tree(&files));
    let violations = draft.findings.violations.iter().filter(|it| it.protects_tests);
    violations.map(|it| format!("{} {}", it.rule, it.place)).collect::<Vec<_>>().join("\n")
}

#[test]
fn a_broken_function_passes_no_proof_by_a_weaker_helper_or_other_data() {
    let lib = "pub fn add(a: i32, b: i32) -> i32 {\n    a + b\n}\n#[cfg(test)]\nmod testutil;\n\
        #[cfg(test)]\nmod tests {\n    use super::*;\n    #[test]\n    fn adds() {\n        \
        testutil::check(add(1, 2), 3);\n        let want = include_str!(\"../specs/want.txt\");\n    \
        }\n}\n";
    let helper = "pub fn check(got: i32, want: i32) {\n    assert!(got == want);\n}\n";
    let files = [("src/lib.rs", lib), ("src/testutil.rs", helper), ("specs/want.txt", "3\n")];
    let broken = lib.replace("    a + b", "    a - b");
    let refused = |helper: &str, data: &str| {
        let all = [
            ("src/lib.rs", broken.as_str()),
            ("src/testutil.rs", helper),
            ("specs/want.txt", data),
        ];
        refusals(&files, &all)
    };
    let either = helper.replace("got == want", "got == want || got != want");
    assert_eq!(refused(&either, "3\n"), "test-weakened src/testutil.rs:2");
    let shadowed = helper.replace("i32) {", "i32) {\n    let want = got;");
    assert_eq!(refused(&shadowed, "3\n"), "test-weakened src/testutil.rs:2");
    assert_eq!(refused(helper, "-1\n"), "expected-output-edited specs/want.txt:1");
    // A new helper, and another name of a parameter.
    let more = format!("{helper}pub fn two() -> i32 {{\n    2\n}}\n");
    assert_eq!(refused(&more, "3\n"), "");
    assert_eq!(refused(&helper.replace("want", "wanted"), "3\n"), "");
    // The same edits of code and data that are not for tests alone.
    let plain = lib.replace("#[cfg(test)]\nmod testutil", "mod testutil");
    let plain = format!("{plain}const WANT: &str = include_str!(\"../specs/want.txt\");\n");
    let files = [("src/lib.rs", &*plain), ("src/testutil.rs", helper), ("specs/want.txt", "3\n")];
    let shadowed = [("src/testutil.rs", shadowed.as_str()), ("specs/want.txt", "-1\n")];
    assert_eq!(refusals(&files, &shadowed), "");
}

#[test]
fn a_page_that_documentation_includes_has_tests() {
    let page = "```\nassert_eq!(demo::add(1, 2), 3);\n```\n";
    let less = page.replace("assert_eq!(demo::add(1, 2), 3)", "let _ = demo::add(1, 2)");
    for (declarer, included, file) in [
        ("src/lib.rs", "#![doc = include_str!(\"../doc.txt\")]", "doc.txt"),
        ("src/a/b.rs", "#[doc = include_str!(\"c.md\")] fn f() {}", "src/a/c.md"),
        ("src/lib.rs", "#![cfg_attr(doc, doc = include_str!(\"../README.md\"))]", "README.md"),
        ("src/lib.rs", "#![doc = include_str!(concat!(env!(\"A\"), \"/b/x.md\"))]", "b/x.md"),
        ("src/lib.rs", "doc_comment::doctest!(\"../README.md\");", "README.md"),
    ] {
        let found =
            |lib: &str, after: &str| found(&[(declarer, lib), (file, page)], &[(file, after)]);
        assert_eq!(found(included, &less), file, "{included}");
        assert_eq!(found("fn f() {}", &less), "", "{file}");
        // No example changes.
        assert_eq!(found(included, &format!("Text.\n\n{page}")), "", "{included}");
    }
    // A page of the same name in another folder, where the path leads to one.
    let lib = ("src/lib.rs", "#![doc = include_str!(\"../README.md\")]");
    let files = [lib, ("README.md", ""), ("other/README.md", page)];
    assert_eq!(found(&files, &[("other/README.md", &less)]), "");
    // The change itself takes the inclusion away.
    let files = [lib, ("README.md", page)];
    assert_eq!(found(&files, &[("README.md", &less), ("src/lib.rs", "")]), "README.md");
}

#[test]
fn an_example_of_an_included_page_must_not_assert_less() {
    let lib = ("src/lib.rs", "#![doc = include_str!(\"../doc.txt\")]\npub fn add() {}\n");
    let page = "```\nassert_eq!(demo::add(1, 2), 3);\n```\n";
    let refused = |after: &str| refusals(&[lib, ("doc.txt", page)], &[("doc.txt", after)]);
    assert_eq!(refused(&page.replace("3);", "4);")), "doctest-weakened doc.txt:1");
    assert_eq!(refused(&format!("{page}\n```\nf();\n```\n")), "");
}

#[test]
fn a_file_is_what_the_names_of_links_to_it_say() {
    let files = texts(&[
        ("tests/it.rs", "include_str!(\"expect.txt\"); include_str!(\"../a/x.txt\");"),
        ("data/want.txt", "1"),
        ("b/x.txt", "1"),
        ("spec/it.rs", "fn f() {}"),
        ("other.rs", "fn f() {}"),
    ]);
    let links = [
        ("tests/expect.txt", "data/want.txt"),
        ("a", "b"),
        ("tests/more.rs", "spec/it.rs"),
        ("src/other.rs", "other.rs"),
    ];
    let links = links.iter().map(|it| (path(it.0), path(it.1))).collect();
    let tree = tree(&files).with_links(links);
    for (edited, is_for_tests) in
        [("data/want.txt", true), ("b/x.txt", true), ("spec/it.rs", true), ("other.rs", false)]
    {
        let found = of(&files, &tree, &change(&files, &[(edited, "edited")]));
        let all: Vec<&ProjectPath> = found.code.iter().chain(&found.data).collect();
        assert_eq!(all == [&path(edited)], is_for_tests, "{edited}: {all:?}");
    }
}

#[test]
fn what_tests_of_unchanged_files_use_keeps_its_meaning() {
    let lib = "pub fn sorted() {}\n#[cfg(test)]\nmod tests;\nmod util;\n";
    let tests =
        "use super::*;\n#[test]\nfn t() {\n    assert!(v().is_sorted());\n    rand_core::f();\n}\n";
    let util =
        "#[cfg(test)]\nmod tests {\n    #[test]\n    fn t() {\n        assert!(f());\n    }\n}\n";
    let manifest = "[package]\nname = \"a\"\n[dependencies]\nrand-core = \"1\"\n";
    let files = [
        ("Cargo.toml", manifest),
        ("src/lib.rs", lib),
        ("src/tests.rs", tests),
        ("src/util.rs", util),
    ];
    let with = |added: &str| refusals(&files, &[("src/lib.rs", &format!("{lib}{added}"))]);
    let order = "pub trait Order { fn is_sorted(self) -> bool; }\nimpl Order for Vec<u8> { fn is_sorted(self) -> bool { true } }\n";
    assert_eq!(with(order), "test-weakened src/lib.rs:5");
    assert_eq!(with(&order.replace("is_sorted", "is_ordered")), "");
    assert_eq!(with("mod rand_core { pub fn f() {} }\n"), "test-weakened src/lib.rs:5");
    assert_eq!(with("use crate::a::fake as rand_core;\n"), "test-weakened src/lib.rs:5");
    assert_eq!(with("mod rand_other { pub fn f() {} }\n"), "");
    // A dependency of the tests from elsewhere.
    let source = |path: &str| {
        let manifest = manifest.replace("\"1\"", &format!("{{ path = \"{path}\" }}"));
        refusals(&files, &[("Cargo.toml", &manifest)])
    };
    assert_eq!(source("x"), "manifest-weakened Cargo.toml:4");
    // A module with tests whose file stays.
    let other = ("src/inner.rs", util);
    let lost = [("src/lib.rs", &*lib.replace("mod util;", "mod inner;")), other];
    assert_eq!(refusals(&files, &lost), "test-removed src/lib.rs:4");
    let moved = [
        ("src/lib.rs", &*lib.replace("mod util;", "mod a;")),
        ("src/a.rs", "#[path = \"util.rs\"]\nmod util;\n"),
    ];
    assert_eq!(refusals(&files, &moved), "");
    let files = [("src/lib.rs", lib), ("src/util.rs", "pub fn f() {}\n")];
    assert_eq!(refusals(&files, &[("src/lib.rs", &lib.replace("mod util;", "mod inner;"))]), "");
}

#[test]
fn a_test_target_with_a_file_of_its_own_is_for_tests() {
    let manifest = "[package]\nname = \"a\"\n[[test]]\nname = \"it\"\npath = \"spec/it.rs\"\n";
    let files = |manifest| {
        [
            ("a/Cargo.toml", manifest),
            ("a/spec/it.rs", "mod kit;\n"),
            ("a/spec/kit.rs", "fn f() {}\n"),
        ]
    };
    let program = manifest.replace("test]", "bin]");
    for edited in ["a/spec/it.rs", "a/spec/kit.rs"] {
        assert!(is_found(&files(manifest), edited), "{edited}");
        assert!(!is_found(&files(&program), edited), "{edited}");
    }
}
