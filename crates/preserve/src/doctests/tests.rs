//! Documentation examples, text in and rule out: each weakened form with its permitted counterpart.

use base::ProjectPath;

use crate::tests::overlay;
use crate::{Allowed, Rule, TestFiles, may_have_examples, preservation_with};

const CODE: &str = "let x = demo::add(1, 2);\nassert_eq!(x, 3);\n";

/// A library with an example of this code.
fn library(code: &str) -> String {
    format!("{}pub fn add(a: i32, b: i32) -> i32 {{\n    a + b\n}}\n", example("", code))
}

fn example(info: &str, code: &str) -> String {
    let lines: String = code.lines().map(|it| format!("/// {it}\n")).collect();
    format!("/// ```{info}\n{lines}/// ```\n")
}

/// The lines at which a change of a file weakens examples, with the reasons.
fn weakened_in(path: &str, before: &str, after: &str, tests: &TestFiles) -> Vec<(u32, String)> {
    let change = overlay(&[(path, Some(before), Some(after))]);
    let found = preservation_with(&change, &[], &Allowed::default(), tests).violations;
    let found = found.into_iter().filter(|it| it.rule == Rule::DoctestWeakened);
    found.map(|it| (it.line, it.detail)).collect()
}

fn is_weakened(before: &str, after: &str) -> bool {
    !weakened_in("src/lib.rs", before, after, &TestFiles::default()).is_empty()
}

/// Whether a change of the code of an example weakens it.
fn weakens(old: &str, new: &str) -> bool {
    is_weakened(&library(old), &library(new))
}

/// Whether the same change of a test in `tests/` is refused.
fn weakens_test(old: &str, new: &str) -> bool {
    let test = |code: &str| format!("#[test]\nfn test() {{\n{code}}}\n");
    let lib = library("");
    let change = overlay(&[
        ("src/lib.rs", Some(&lib), Some(&format!("{lib}\n"))),
        ("tests/it.rs", Some(&test(old)), Some(&test(new))),
    ]);
    let found = preservation_with(&change, &[], &Allowed::default(), &TestFiles::default());
    found.violations.iter().any(|it| it.rule.protects_tests())
}

#[test]
fn an_example_and_a_test_are_compared_alike() {
    for (from, to) in [
        ("(1, 2)", "(2, 1)"),
        ("(1, 2)", "(1, 2, 3)"),
        ("(1, 2)", "(1)"),
        ("(1, 2)", "(1, 2).clone()"),
        ("(1, 2)", "(1, 2).abs()"),
        ("x, 3", "x, 3, \"sum\""),
        ("x, 3", "3, x"),
        ("x, 3", "3, 3"),
        ("x, 3", "x, 3 + 0"),
        ("let x", "let z = 1;\nlet x"),
        ("let x", "let mut x"),
        ("let x", "print(1);\nlet x"),
        ("let x", "#[allow(unused)]\nlet x"),
        ("demo::add", "demo::sum"),
        ("demo::add", "add"),
        ("demo", "crate"),
        ("assert_eq", "debug_assert_eq"),
        ("assert_eq", "assert_ne"),
        ("x, 3);\n", "x, 3);\nf();\n"),
        ("let x", "use demo::old as demo;\nlet x"),
        ("let x", "mod demo {}\nlet x"),
        ("let x", "#![cfg(any())]\nlet x"),
        ("let x", "use fake::assert_eq;\nlet x"),
        ("let x", "const x: i32 = 3;\nlet x"),
        ("assert_eq!(x, 3);", "for y in [x] {\nassert_eq!(y, 3);\n}"),
        ("assert_eq!(x, 3);", "unsafe {\nassert_eq!(x, 3);\n}"),
    ] {
        let new = CODE.replacen(from, to, 1);
        assert_eq!(weakens(CODE, &new), weakens_test(CODE, &new), "{new}");
    }
}

#[test]
fn code_that_no_test_may_get_no_example_may_get() {
    for new in [
        "let x = demo::add(1, 2);\nif false {\nassert_eq!(x, 3);\n}\n",
        "let x = demo::add(1, 2);\nlet x = 3;\nassert_eq!(x, 3);\n",
        "#[cfg(any())] {\nlet x = demo::add(1, 2);\nassert_eq!(x, 3);\n}\n",
        "let x = demo::add(1, 2);\n",
        "let x = demo::add(1, 2);\nassert_eq!(x, 4);\n",
        "let x = demo::add(1, 2);\nassert!(x == 3 || x != 3);\n",
        "return;\nlet x = demo::add(1, 2);\nassert_eq!(x, 3);\n",
        "std::process::exit(0);\nlet x = demo::add(1, 2);\nassert_eq!(x, 3);\n",
        "let x = demo::add(1, 2);\nmacro_rules! assert_eq { ($($t:tt)*) => {} }\nassert_eq!(x, 3);\n",
        "}\nfn other() {\nlet x = demo::add(1, 2);\nassert_eq!(x, 3);\n",
        "fn main() {}\nfn other() {\nlet x = demo::add(1, 2);\nassert_eq!(x, 3);\n}\n",
        "let f = || {\nlet x = demo::add(1, 2);\nassert_eq!(x, 3);\n};\n",
        "// let x = demo::add(1, 2);\n// assert_eq!(x, 3);\n",
    ] {
        assert!(weakens(CODE, new), "{new}");
    }
}

#[test]
fn an_example_may_be_extended_and_adapted() {
    for new in [
        "let x = demo::add(1, 2);\nassert_eq!(x, 3);\nassert_eq!(demo::add(2, 2), 4);\n",
        "use demo::add;\n\nlet x = demo::add(1, 2);\nassert_eq!(x, 3);\n",
        "// Adds.\nlet x = demo::add(1, 2);\nassert_eq!(x, 3);\n",
        "let x = demo::add(1, 2, 0);\nassert_eq!(x, 3);\n",
        "let x = demo::add(1, 2).unwrap();\nassert_eq!(x, 3);\n",
        "let x = demo::add(1, 2)?;\nassert_eq!(x, 3);\n# Ok::<(), demo::E>(())\n",
        "# fn main() {\nlet x = demo::add(1, 2);\nassert_eq!(x, 3);\n# }\n",
        "let y = demo::add(1, 2);\nassert_eq!(y, 3);\n",
        "let x: i32 = demo::add(1, 2);\nassert_eq!(x, 3,);\n",
    ] {
        let (old, new) = (library(CODE), library(new));
        let found = weakened_in("src/lib.rs", &old, &new, &TestFiles::default());
        assert_eq!(found, [], "{new}");
    }
    // More examples, before and after, on the same item and on another one.
    let more = example("", "assert_eq!(demo::add(0, 0), 0);\n");
    let lib = library(CODE);
    for after in [format!("{more}///\n{lib}"), format!("{lib}\n{more}pub fn other() {{}}\n")] {
        assert!(!is_weakened(&lib, &after), "{after}");
    }
}

#[test]
fn an_example_follows_a_rename_as_a_test_does() {
    let before = library(CODE);
    let after = before.replace("add", "sum");
    assert!(!is_weakened(&before, &after));
    // The function keeps its name, and the example calls another one.
    let after = before.replace("demo::add", "demo::fake");
    assert!(is_weakened(&before, &after));
}

#[test]
fn an_import_of_new_code_under_an_old_name_weakens_an_example() {
    let evil = "pub mod evil {\npub fn add(a: i32, b: i32) -> i32 {\n    a + b\n}\n}\n";
    let import = |line: &str| format!("{}{evil}", library(&format!("{line}\n{CODE}")));
    assert!(is_weakened(&library(CODE), &import("# use demo::evil as demo;")));
    assert!(is_weakened(&library(CODE), &import("use demo::evil as demo;")));
    assert!(!is_weakened(&library(CODE), &import("# use std::fmt;")));
}

#[test]
fn markdown_decides_which_examples_there_are() {
    let before = library(CODE);
    let other = example("", "let _ = 1;\n");
    let hidden = before.replacen("/// ```", "/// <!--\n/// ```", 1);
    let hidden = hidden.replacen("/// ```\npub", &format!("/// ```\n/// -->\n///\n{other}pub"), 1);
    assert!(is_weakened(&before, &hidden));
    for prefix in ["> ", "  ", "- "] {
        // A quote, a margin and a list have the example still.
        let indent = if prefix == "- " { "  " } else { prefix };
        let inner = before.replace("/// ", &format!("/// {indent}"));
        let after = inner.replacen(&format!("/// {indent}"), &format!("/// {prefix}"), 1);
        assert!(!is_weakened(&before, &after), "{after}");
        let less = after.replacen("assert_eq!(x, 3);", "", 1);
        assert!(is_weakened(&after, &less), "{less}");
    }
    // An indented block is an example, too.
    let indented = "/// Adds.\n///\n///     assert_eq!(demo::add(1, 2), 3);\npub fn add() {}\n";
    assert!(is_weakened(indented, &indented.replace("3)", "4)")));
    assert!(!is_weakened(indented, &indented.replace("Adds.", "Sums.")));
    // A longer or another fence.
    assert!(!is_weakened(&before, &before.replace("```", "~~~~")));
    assert!(is_weakened(&before, &before.replacen("```", "```text", 1)));
    assert!(is_weakened(&before, &before.replacen("```", "```should_panic", 1)));
    assert!(!is_weakened(&before, &before.replacen("```", "```rust", 1)));
    let ignored = before.replacen("```", "```ignore", 1);
    assert!(!is_weakened(&ignored, &before));
}

#[test]
fn documentation_has_many_forms() {
    let item = "pub fn add() {}\n";
    for text in [
        format!("#[doc = \"```\\nassert_eq!(demo::add(1, 2), 3);\\n```\"]\n{item}"),
        format!("#[doc = r#\"```\nassert_eq!(demo::add(1, 2), 3);\n```\"#]\n{item}"),
        format!("/// ```\n#[doc = \" assert_eq!(demo::add(1, 2), 3);\"]\n/// ```\n{item}"),
        format!("/**\n * ```\n * assert_eq!(demo::add(1, 2), 3);\n * ```\n */\n{item}"),
        format!("/** ```\nassert_eq!(demo::add(1, 2), 3);\n``` */\n{item}"),
        format!("//! ```\n//! assert_eq!(demo::add(1, 2), 3);\n//! ```\n{item}"),
        format!("#![doc = \"```\"]\n//! assert_eq!(demo::add(1, 2), 3);\n//! ```\n{item}"),
        format!(
            "mod m {{\n    /*! ```\n    assert_eq!(demo::add(1, 2), 3);\n    ``` */\n}}\n{item}"
        ),
            "struct A {\n    /// ```\n    /// assert_eq!(demo::add(1, 2), 3);\n    /// ```\n    a: u8,\n}".to_owned(),
    ] {
        for less in ["let _ = demo::add(1, 2);", "assert_eq!(demo::add(1, 2), 2);", ""] {
            let after = text.replace("assert_eq!(demo::add(1, 2), 3);", less);
            assert!(is_weakened(&text, &after), "{after}");
        }
        let more = text.replace("2), 3);", "2, 0), 3);");
        assert!(!is_weakened(&text, &more), "{more}");
        assert!(!is_weakened(&text, &format!("{text}\n/// Other.\nfn other() {{}}\n")), "{text}");
    }
    // The same example as a comment and as an attribute.
    let comment = format!("/// ```\n/// f();\n/// ```\n{item}");
    assert!(!is_weakened(&comment, &format!("#[doc = \"```\\nf();\\n```\"]\n{item}")));
}

#[test]
fn an_example_stays_where_rustdoc_finds_it() {
    let before = library(CODE);
    let doc = example("", CODE);
    for after in [
        format!("fn f() {{\n{doc}    let y = 1;\n}}\n"),
        format!("m! {{\n{before}}}\n"),
        format!("#[cfg(test)]\nmod t {{\n{before}}}\n"),
        format!("#[doc = include_str!(\"open.txt\")]\n{before}"),
        format!("#[cfg_attr(all(), doc = \"<!--\")]\n{before}"),
        format!("#![doc(test(attr(cfg(any()))))]\n{before}"),
    ] {
        assert!(is_weakened(&before, &after), "{after}");
    }
    for after in [
        format!("mod t {{\n{before}}}\n"),
        format!("{before}#[doc = include_str!(\"open.txt\")]\nfn other() {{}}\n"),
        format!("#![doc(html_root_url = \"x\")]\n{before}"),
        format!("#[doc(hidden)]\n{before}"),
    ] {
        assert!(!is_weakened(&before, &after), "{after}");
    }
}

#[test]
fn the_code_around_an_item_does_not_decide() {
    let tests = "#[cfg(test)]\nmod t {\n    fn f() {}\n}\n";
    let inner = format!("//! ```\n//! assert_eq!(demo::add(1, 2), 3);\n//! ```\n{tests}");
    for before in
        [format!("{tests}{}", library(CODE)), inner.clone(), format!("mod m {{\n{inner}}}\n")]
    {
        assert!(is_weakened(&before, &before.replace("3)", "4)")), "{before}");
    }
    let in_tests = format!("#[cfg(test)]\nmod m {{\n{}}}\n", library(CODE));
    assert!(!is_weakened(&in_tests, &in_tests.replace("3)", "4)")));
}

#[test]
fn documentation_of_a_module_hides_none_of_its_own() {
    let inner = "mod m {\n//! ```\n//! f();\n//! ```\n}\n";
    for before in [inner, "mod m;\n", "/// A text.\nmod m;\n"] {
        let with = |line: &str| before.replace("mod m", &format!("/// {line}\nmod m"));
        for line in ["<!--", "```", "~~~text", "<div>", "<pre>", "Text <!-- more\n///\n/// <!--"] {
            assert!(is_weakened(before, &with(line)), "{line}");
        }
        for line in ["Text.", "<!-- -->", "# Head", "- item", "`code`", "> quote"] {
            assert!(!is_weakened(before, &with(line)), "{line}");
        }
    }
}

#[test]
fn a_page_stays_included() {
    let before = format!("#![doc = include_str!(\"../doc.txt\")]\n{}", library(CODE));
    for after in [library(CODE), before.replace("../doc", "../other")] {
        assert!(is_weakened(&before, &after), "{after}");
    }
    assert!(!is_weakened(&before, &format!("{before}fn other() {{}}\n")));
    let data = "const A: &str = include_str!(\"a.txt\");\n/// A doc.\nfn f() {}\n";
    assert!(!is_weakened(data, &data.replace("a.txt", "b.txt")));
}

#[test]
fn an_example_that_must_not_compile_gets_no_other_code() {
    let lib = |code: &str| {
        library(CODE).replace("/// ```\n/// let", &format!("/// ```compile_fail\n{code}/// let"))
    };
    assert!(is_weakened(&lib(""), &lib("/// let y: u8 = \"\";\n")));
    assert!(!is_weakened(&lib(""), &lib("").replace("add", "sum")));
}

#[test]
fn hidden_lines_that_decide_what_runs_weaken_an_example() {
    let with = |line: &str| format!("{line}\n{CODE}");
    for line in ["# fn unused() {", "# if false {", "# skip!();", "# fn main() {}", "# return;"] {
        assert!(weakens(CODE, &with(line)), "{line}");
    }
    for line in ["# fn main() -> Result<(), E> {", "# use a::b;", "let z = 1;", "# Ok::<(), E>(())"]
    {
        assert!(!weakens(CODE, &with(line)), "{line}");
    }
}

#[test]
fn examples_of_an_included_page_stay_and_those_of_another_may_go() {
    let page = "Text.\n\n```\nassert_eq!(demo::add(1, 2), 3);\n```\n\nMore.\n";
    for name in ["doc.txt", "README.md"] {
        let path = ProjectPath::new(name).unwrap();
        let included = TestFiles { code: [path].into(), ..TestFiles::default() };
        let broken =
            |after: &str, tests: &TestFiles| !weakened_in(name, page, after, tests).is_empty();
        for (from, to) in [
            ("assert_eq!(demo::add(1, 2), 3);", "let _ = demo::add(1, 2);"),
            ("2), 3)", "2), 4)"),
            ("```\n\nMore.", "```\n<!--\n"),
            ("```\nassert", "```text\nassert"),
        ] {
            assert!(broken(&page.replace(from, to), &included), "{name} {to}");
        }
        let weaker = page.replace("assert_eq!(demo::add(1, 2), 3);", "");
        assert!(!broken(&weaker, &TestFiles::default()));
        assert!(!broken(&page.replace("Text", "Words"), &included));
        assert!(!broken(&page.replace("3);", "3);\nassert!(demo::ok());"), &included));
        assert!(broken("", &included));
    }
}

#[test]
fn only_pages_with_edited_examples_are_open() {
    let page = "```\nassert!(f());\n```\n";
    let (less, more) = (page.replace("assert", "let_"), format!("{page}\n```\ng();\n```\n"));
    let change = overlay(&[
        ("a.md", Some(page), Some(&less)),
        ("b.txt", Some(page), Some(&less)),
        ("c.txt", Some(page), Some(&more)),
        ("d.md", Some("a\n"), Some("b\n")),
        ("e.md", None, Some(page)),
    ]);
    let open = TestFiles::undecided(&change).code;
    assert_eq!(open.iter().map(ProjectPath::as_str).collect::<Vec<_>>(), ["a.md", "b.txt"]);
}

#[test]
fn names_of_included_pages_are_read() {
    for (text, expected) in [
        ("#![doc = include_str!(\"../doc.txt\")]", "../doc.txt"),
        ("#[cfg_attr(doc, doc = include_str!(r\"a.md\"))] fn f() {}", "a.md"),
        ("#[doc = include_str!(concat!(\"a/\", \"b.md\"))] fn f() {}", "a/ b.md"),
        ("doc_comment::doctest!(\"../README.md\");", "../README.md"),
        ("doc_comment! { include_str!(\"../README.md\") }", "../README.md"),
        ("#[doc = \"README.md\"] const A: &str = include_str!(\"b.txt\");", ""),
    ] {
        let found = TestFiles::included_pages(text).into_iter().map(|it| it.1);
        assert_eq!(found.collect::<Vec<_>>().join(" "), expected, "{text}");
    }
}

/// A library of many items, each with an example.
fn many(count: usize, value: usize) -> String {
    let item = |it: usize| {
        format!("/// ```\n/// assert_eq!({it}, {value});\n/// ```\npub fn f{it}() {{}}\n")
    };
    (0..count).map(item).collect()
}

#[test]
fn changed_examples_are_compared_up_to_a_limit() {
    let all = weakened_in("src/lib.rs", &many(200, 1), &many(200, 2), &TestFiles::default());
    assert_eq!(all.len(), 200);
    let old = many(4_010, 1).replace("assert_eq!", "f");
    let all = weakened_in("src/lib.rs", &old, &old.replace("f(", "f(0, "), &TestFiles::default());
    assert_eq!(all.len(), 1);
    let deep = format!("{}1{}", "(".repeat(20_000), ")".repeat(20_000));
    assert!(weakens(&deep, &deep.replace('1', "1, 1")));
    assert!(all[0].1.contains("too many"), "{all:?}");
}

#[test]
fn examples_that_no_reader_finds_may_be_there() {
    for text in [
        "m! {\n    /// Text.\n    ///\n    ///     assert!(f());\n    fn f() {}\n}",
        "#[doc = text!()]\nfn f() {}",
        "#![doc = concat!(\"a\")]",
        "#[doc = \"\\u{60}\\u{60}\\u{60}\"]\nfn f() {}",
        "#[doc=\"    f();\"]\nfn f() {}",
        "/** Text.\n\n        f();\n*/\nfn f() {}",
        "/// ```\n/// f();\n/// ```\nfn f() {}",
    ] {
        assert!(may_have_examples(text), "{text}");
    }
    for text in
        ["/// Text.\nfn f() {}", "#[doc = \"Text.\"]\n#[doc(hidden)]\nfn doc() {}", "// ```"]
    {
        assert!(!may_have_examples(text), "{text}");
    }
}
