//! Finished changes as text, and the places that they have left behind.

use std::sync::Arc;

use base::ProjectPath;
use edit::Overlay;

use crate::tests::{Tree, since};
use crate::{LeftBehind, intents, left_behind, unbuilt};

const LIB: &str = "src/lib.rs";

/// The places, as `line: what`, and the library with the edits.
fn left(base: &str, now: &str, others: &[(&str, &str)]) -> (Vec<String>, String) {
    let tree = |text| Tree::of(&[(LIB, text)]);
    let difference = since(&tree(base), &tree(now));
    let mut files: Vec<(ProjectPath, Arc<str>)> =
        vec![(ProjectPath::new(LIB).unwrap(), now.into())];
    files.extend(
        others.iter().map(|(path, text)| (ProjectPath::new(path).unwrap(), (*text).into())),
    );
    let found = left_behind(&difference, &intents(&difference), &[], &files);
    let shown = |it: &LeftBehind| {
        let edit = if it.splice.is_some() { " (edit)" } else { "" };
        let path = if it.path.as_str() == LIB { String::new() } else { format!("{}:", it.path) };
        format!("{path}{}: {}{edit}", it.line, it.what)
    };
    let splices: Vec<_> =
        found.iter().filter_map(|it| Some((it.path.clone(), it.splice.clone()?))).collect();
    let now_tree = tree(now);
    let overlay = Overlay::from_splices("t", base::Timestamp(0), &now_tree, &splices).unwrap();
    let text = overlay.changes().next().map_or(now.to_owned(), |it| it.1.after_text().to_owned());
    (found.iter().map(shown).collect(), text)
}

#[test]
fn the_old_name_in_documentation_is_replaced_where_it_is_code() {
    let text = |name: &str| {
        format!(
            "/// Reads, as [`read_all`] does.\n/// See `read_all()`, and how read_all works.\n\
             pub fn {name}(a: u8) -> u8 {{ let b = a; b + 1 }}\n\
             #[test]\nfn test_read_all() {{\n    {name}(1);\n    panic!(\"read_all fails\")\n}}\n"
        )
    };
    let (found, fixed) = left(
        &text("read_all"),
        &text("read_rest"),
        &[("README.md", "Call `read_all`.\n"), ("CHANGELOG.md", "Added `read_all`.\n")],
    );
    assert_eq!(
        found,
        [
            "README.md:1: `read_all` in the text",
            "1: link to `read_all` in the documentation (edit)",
            "2: `read_all` in a comment (edit)",
            "5: test `test_read_all`",
            "7: `read_all` in a string",
        ]
    );
    assert!(fixed.contains("as [`read_rest`] does"), "{fixed}");
    assert!(fixed.contains("See `read_rest()`, and how read_all works"), "{fixed}");
}

#[test]
fn a_name_that_means_something_else_or_is_about_the_change_is_no_place() {
    let text = |name: &str, more: &str| {
        format!("{more}pub fn {name}(a: u8) -> u8 {{ let b = a; b + 1 }}\n")
    };
    let check = |more: &str| {
        let (found, _) = left(&text("read_all", more), &text("read_rest", more), &[]);
        assert_eq!(found, [""; 0], "{more}");
    };
    check("/// [`read_all`]\nmod m { pub fn read_all() {} }\n");
    check("/// `read_all` was renamed.\n");
    check("/// `read_all` is `read_rest`.\n");
    // Everyday words are about no change.
    for line in
        ["/// Used like `read_all`.\n", "/// Reads before `read_all`, since it was first.\n"]
    {
        let (found, _) = left(&text("read_all", line), &text("read_rest", line), &[]);
        assert_eq!(found, ["1: `read_all` in a comment (edit)"], "{line}");
    }
    // The person has written it.
    let (found, _) =
        left(&text("read_all", ""), &text("read_rest", "// `read_all` is shorter.\n"), &[]);
    assert_eq!(found, [""; 0]);
    // A word.
    let text = |name: &str| format!("// The size of a list.\npub fn {name}(a: u8) -> u8 {{ a }}\n");
    assert_eq!(left(&text("size"), &text("len"), &[]).0, [""; 0]);
}

#[test]
fn a_match_that_takes_a_new_variant_as_the_rest_is_a_place() {
    let text = |new: &str| {
        format!(
            "enum E {{ A, B, C{new} }}\n\
             fn f(e: E) -> u8 {{ match e {{\n    E::A => 1,\n    E::B => match 1 {{ _ => 2 }},\n    _ => 0,\n}} }}\n\
             fn g(e: E) -> bool {{ match e {{ E::A => true, _ => false }} }}\n\
             fn h(s: &str) -> E {{ match s {{ \"a\" => E::A, \"b\" => E::B, \"c\" => E::C, _ => panic!() }} }}\n\
             const ALL: [E; 3] = [E::A, E::B, E::C];\nconst TWO: [E; 2] = [E::A, E::B];\n\
             fn i(e: &E) -> bool {{ matches!(e, E::A | E::C) }}\nfn j(e: &E) -> bool {{ matches!(e, E::A) }}\n\
             fn k(e: &E) -> u8 {{ if *e == E::A {{ 1 }} else if e.is(&[E::B]) {{ 2 }}\nelse {{ 3 }} }}\n\
             fn l(e: &E) -> u8 {{ if *e == E::A {{ return 1 }} if 1 == 2 {{ 2 }} else {{ 3 }} }}\n"
        )
    };
    assert_eq!(
        left(&text(""), &text(", D"), &[]).0,
        [
            "5: `E::D` is the rest of this `match` on `E`",
            "8: no arm gives `E::D`, and all other variants have one",
            "9: list of all variants of `E` but `D`",
            "11: this `matches!` takes `E::D` as no match",
            "14: this `else` takes `E::D`",
        ]
    );
}

#[test]
fn impls_and_literals_that_name_all_fields_but_the_new_one_are_places() {
    let text = |new: &str| {
        format!(
            "struct S {{ a: u8, b: u8{new} }}\n\
             impl PartialEq for S {{\n    fn eq(&self, o: &S) -> bool {{ self.a == o.a && self.b == o.b }}\n}}\n\
             impl Hash for S {{\n    fn hash(&self) {{ self.a.hash() }}\n}}\n\
             fn f() -> S {{ S {{ a: 1, b: 2, ..S::default() }} }}\n"
        )
    };
    assert_eq!(
        left(&text(""), &text(", c: u8"), &[]).0,
        [
            "3: `impl PartialEq for S` names all fields but `c`",
            "8: literal of `S` names all fields but `c`",
        ]
    );
}

#[test]
fn a_removed_parameter_that_is_still_described_is_a_place() {
    let text = |new: &str, body: &str| {
        format!(
            "/// Opens.\n///\n/// * `door` – which one\n/// * `key` – with what\n\
             #[inline]\npub fn open(door: u8{new}) -> u8 {{ door{body} }}\n"
        )
    };
    let found = left(&text(", key: u8", " + key"), &text("", ""), &[]).0;
    assert_eq!(found, ["4: the documentation of `open` describes `key`"]);
    // A variable has the name.
    let found = left(&text(", key: u8", " + key"), &text("", "; let key = 1"), &[]).0;
    assert_eq!(found, [""; 0]);
}

#[test]
fn a_workflow_that_names_a_former_feature_is_listed() {
    let manifest = |name: &str| format!("[package]\nname = \"a\"\n[features]\n{name} = []\n");
    let tree = |text: &str| Tree::of(&[("Cargo.toml", text)]);
    let difference = since(&tree(&manifest("in-line")), &tree(&manifest("on-line")));
    let now = manifest("on-line");
    let workflow = "steps:\n  - run: cargo test --features in-line\n  - name: in-line\n";
    let files = [("Cargo.toml", now.as_str()), (".github/workflows/ci.yml", workflow)]
        .map(|(path, text)| (ProjectPath::new(path).unwrap(), Arc::from(text)));
    let found = left_behind(&difference, &[], &[], &files);
    let shown: Vec<String> =
        found.iter().map(|it| format!("{}:{} {}", it.path, it.line, it.what)).collect();
    assert_eq!(shown, [".github/workflows/ci.yml:2 feature `in-line` in the text"]);
}

#[test]
fn a_call_on_a_page_of_a_function_with_another_parameter_is_a_place() {
    let text =
        |more: &str| format!("pub struct Door;\nimpl Door {{ pub fn new(a: u8{more}) {{}} }}\n");
    let page = "Call `Door::new`.\n```rust\nlet d = Door::new(1);\nlet e = Other::new(1);\n```\n";
    let (base, now) = (text(""), text(", b: u8"));
    let tree = |code: &str| Tree::of(&[("src/lib.rs", code), ("README.md", page)]);
    let difference = since(&tree(&base), &tree(&now));
    let files = [("src/lib.rs", now.as_str()), ("README.md", page)]
        .map(|(path, text)| (ProjectPath::new(path).unwrap(), Arc::from(text)));
    let found = left_behind(&difference, &crate::intents(&difference), &[], &files);
    let shown: Vec<String> =
        found.iter().map(|it| format!("{}:{} {}", it.path, it.line, it.what)).collect();
    assert_eq!(shown, ["README.md:3 a call of `new` in the text"]);
}

#[test]
fn a_match_in_code_that_no_check_builds_is_listed() {
    let base = "enum E { A, B }\n";
    let now = "enum E { A, B, C }\n";
    let others = [
        (
            "src/a.rs",
            "fn f(e: &E) -> u8 {\n    match e {\n        E::A => 1,\n        E::B => 2,\n    }\n}\n",
        ),
        ("src/b.rs", "fn f(e: &E) -> u8 { match e { E::A => 1, E::B => 2, E::C => 3 } }\n"),
        ("src/c.rs", "fn f(e: &E) -> u8 { match e { E::A => 1, E::B => 2, _ => 3 } }\n"),
        ("src/d.rs", "use crate::E::{A, B};\nfn f(e: &E) -> u8 { match e { A => 1, B => 2 } }\n"),
        (
            "src/g.rs",
            "use crate::E::*;\nfn f(e: &E) -> u8 { match e { A => 1, B => 2, C => todo!() } }\n",
        ),
        (
            "src/h.rs",
            "fn f(e: &E, n: u8) -> u8 { match (e, n) { (E::A, _) => 1, (E::B, _) => 2, (_, 3) => 3, (_, _) => 4 } }\n",
        ),
        ("src/e.rs", "enum F { A, B }\nfn f(e: F, _: E) -> u8 { match e { A => 1, B => 2 } }\n"),
    ];
    let tree = |text| Tree::of(&[(LIB, text)]);
    let difference = since(&tree(base), &tree(now));
    let path = |it: &str| ProjectPath::new(it).unwrap();
    let mut files: Vec<(ProjectPath, Arc<str>)> = vec![(path(LIB), now.into())];
    files.extend(others.iter().map(|(file, text)| (path(file), (*text).into())));
    let found = unbuilt(&difference, &intents(&difference), &files);
    let found: Vec<_> = found.iter().map(|it| (it.path.as_str(), it.line, &*it.what)).collect();
    let what = "`match` on `E` without an arm for `C`";
    assert_eq!(found, [("src/a.rs", 3, what), ("src/d.rs", 2, what)]);
}

#[test]
fn a_literal_without_a_new_field_is_in_code_that_no_check_builds() {
    let other = "fn f(s: S) -> S {\n    let S { a, b } = s;\n    let S { a, .. } = s;\n    S { a: 1, b, ..s };\n    S { a: 1, b: 2 }\n}\n\
                 fn g() -> u8 { m::S { x: 1 }; S { a: 1, b: 2, c: 3 } }\n";
    let text = |new: &str| format!("struct S {{ a: u8, b: u8{new} }}\n");
    let (base, now) = (Tree::of(&[(LIB, &text(""))]), Tree::of(&[(LIB, &text(", c: u8"))]));
    let difference = since(&base, &now);
    let path = |it: &str| ProjectPath::new(it).unwrap();
    let files = vec![(path(LIB), text(", c: u8").into()), (path("src/a.rs"), other.into())];
    let found = unbuilt(&difference, &intents(&difference), &files);
    let found: Vec<_> = found.iter().map(|it| (it.line, &*it.what)).collect();
    assert_eq!(found, [(2, "pattern of `S` without `c`"), (5, "literal of `S` without `c`")]);
}

#[test]
fn what_a_removed_feature_built_is_listed() {
    let base = "[package]\nname = \"a\"\n[features]\nyaml = [\"dep:serde_yaml\"]\nall = [\"yaml\"]\n\
        [dependencies]\nserde_yaml = { version = \"1\", optional = true }\n";
    let more = "[[example]]\nname = \"yaml\"\nrequired-features = [\n    \"yaml\",\n]\n\
        [package.metadata.docs.rs]\nfeatures = [\"yaml\"] # yaml\n[dev-dependencies]\n\
        other = { version = \"1\", features = [\"yaml\"] }\n";
    let base = &format!("{base}{more}");
    let now =
        base.replace("yaml = [\"dep:serde_yaml\"]\n", "").replace("all = [\"yaml\"", "all = [");
    let source = "#[cfg(feature = \"yaml\")]\npub mod yaml;\nfn f() { g(\"feature = yaml\") }\n\
        // Needs the `yaml` feature.\n\n// Reads `yaml`.\n";
    let tree = |text: &str| Tree::of(&[("Cargo.toml", text)]);
    let difference = since(&tree(base), &tree(&now));
    let path = |it: &str| ProjectPath::new(it).unwrap();
    let files: Vec<(ProjectPath, Arc<str>)> = vec![
        (path(LIB), source.into()),
        (
            path("README.md"),
            "Build with `--features yaml`.\nReads yaml.\n## Features\n- `yaml`: reads it\n\
             ## Other\n- `yaml`\n"
                .into(),
        ),
    ];
    let found = crate::left_behind(&difference, &[], &[], &files);
    let found: Vec<_> = found
        .iter()
        .map(|it| format!("{}:{}: {}; {}", it.path, it.line, it.what, it.why))
        .collect();
    let why = "feature `yaml` is removed from `Cargo.toml`";
    assert_eq!(
        found,
        [
            format!("Cargo.toml:10: `required-features` names the feature `yaml`; {why}"),
            format!("Cargo.toml:13: `features` names the feature `yaml`; {why}"),
            format!("README.md:1: feature `yaml` in the text; {why}"),
            format!("README.md:4: feature `yaml` in the text; {why}"),
            format!("src/lib.rs:1: `feature = \"yaml\"`: nothing builds what it is for; {why}"),
            format!("src/lib.rs:4: feature `yaml` in a comment; {why}"),
        ]
    );
}

#[test]
fn a_call_that_means_the_method_of_a_trait_now_is_listed() {
    let rest = "trait Show { fn show(&self); }\nimpl Show for P { fn show(&self) {} }\n\
        fn f(p: P, q: Q) {\n    p.show();\n    P::show(&p);\n    Q::show(&q);\n}\n";
    let base = format!("struct P;\nimpl P {{ fn show(&self) {{ work(1); work(2) }} }}\n{rest}");
    let now = base.replacen("fn show(&self) { work", "fn render(&self) { work", 1);
    let (found, _) = left(&base, &now, &[]);
    assert_eq!(
        found,
        [
            "6: a call of `show`, which `Show` has for `P` too",
            "7: a call of `show`, which `Show` has for `P` too",
        ]
    );
    // Without such an impl another method is meant.
    let without = |text: &str| text.replace("impl Show for P { fn show(&self) {} }\n", "");
    assert_eq!(left(&without(&base), &without(&now), &[]).0, [""; 0]);
}

#[test]
fn a_feature_with_another_name_is_enabled_by_it_everywhere() {
    let core = |name: &str| {
        format!(
            "[package]\nname = \"core-x\"\n[features]\n{name} = [\"dep:a\"]\nall = [\"debug\"]\n\
             [[bin]]\nname = \"debug\"\nrequired-features = [\"debug\"]\n\
             [package.metadata.docs.rs]\nfeatures = [\"debug\"]\n"
        )
    };
    let user = "[package]\nname = \"user\"\n[features]\ndebug = []\nboth = [\"debug\", \"cx/debug\", \
                \"cx?/debug\", \"other/debug\"]\n[dependencies]\ncx = { package = \"core-x\", path = \"../core\", \
                features = [\"debug\"] }\nother = { version = \"1\", features = [\"debug\"] }\n\
                [target.'cfg(unix)'.dev-dependencies]\ncore-x = { path = \"../core\", features = [\"debug\"] }\n";
    let code = "#[cfg(feature = \"debug\")]\nfn f() {}\n";
    let tree = |name: &str| Tree::of(&[("core/Cargo.toml", core(name).as_str())]);
    let difference = since(&tree("debug"), &tree("trace"));
    let now = core("trace");
    let files = [
        ("core/Cargo.toml", now.as_str()),
        ("core/src/lib.rs", code),
        ("user/Cargo.toml", user),
        ("user/src/lib.rs", code),
    ];
    let files: Vec<(ProjectPath, Arc<str>)> = files
        .iter()
        .map(|(path, text)| (ProjectPath::new(path).unwrap(), (*text).into()))
        .collect();
    let found = left_behind(&difference, &[], &[], &files);
    let splices: Vec<_> =
        found.iter().filter_map(|it| Some((it.path.clone(), it.splice.clone()?))).collect();
    assert_eq!(splices.len(), found.len(), "{found:#?}");
    let present = Tree::of(&files.iter().map(|it| (it.0.as_str(), &*it.1)).collect::<Vec<_>>());
    let overlay = Overlay::from_splices("t", base::Timestamp(0), &present, &splices).unwrap();
    let after = |path: &str| {
        let path = ProjectPath::new(path).unwrap();
        overlay.get(&path).map(|it| it.after_text().to_owned()).unwrap_or_default()
    };
    let named = |text: &str| text.replace("= [\"debug\"]", "= [\"trace\"]");
    assert_eq!(after("core/Cargo.toml"), named(&now));
    assert_eq!(after("core/src/lib.rs"), code.replace("debug", "trace"));
    assert_eq!(after("user/src/lib.rs"), "");
    let wanted = user
        .replace("cx/debug", "cx/trace")
        .replace("cx?/debug", "cx?/trace")
        .replace("../core\", features = [\"debug\"]", "../core\", features = [\"trace\"]");
    assert_eq!(after("user/Cargo.toml"), wanted);
}

#[test]
fn a_function_for_other_builds_with_the_old_head_is_listed() {
    let counterpart = "#[cfg(windows)]\nfn open(a: u8) { win(a) }\n";
    let base = format!("#[cfg(unix)]\nfn open(a: u8) {{ unix(a) }}\n{counterpart}");
    let now = format!("#[cfg(unix)]\nfn open(a: u8, b: u8) {{ unix(a) }}\n{counterpart}");
    assert_eq!(left(&base, &now, &[]).0, ["4: `open` for other builds is as before"]);
    let both = now.replace("fn open(a: u8) {", "fn open(a: u8, b: u8) {");
    assert_eq!(left(&base, &both, &[]).0, [""; 0]);
}

#[test]
fn of_two_functions_of_a_name_the_one_that_is_as_it_was_is_itself() {
    let counterpart = "#[cfg(windows)]\nfn open(a: u8) { win(a); other() }\n";
    let base = format!("#[cfg(unix)]\nfn open(a: u8) {{ unix(a); more() }}\n{counterpart}");
    let now = base.replacen("fn open", "fn start", 1);
    let tree = |text: &str| Tree::of(&[(LIB, text)]);
    let found = intents(&since(&tree(&base), &tree(&now)));
    let found: Vec<String> = found.iter().map(ToString::to_string).collect();
    assert_eq!(found[0], "function `start` was `open`");
    assert!(!found.iter().any(|it| it.contains("removed")), "{found:?}");
}

/// An old and a new library: a function, a caller and two examples.
fn with_examples(head: &str, call: &str, example: &str) -> String {
    format!(
        "/// ```\n/// let a = k::size(\n///     1,\n///     2,\n/// );\n/// ```\n/// ```ignore\n/// k::size({example});\n/// ```\n\
         pub fn size({head}) -> u8 {{ 1 }}\npub fn f(w: u8) -> u8 {{ size({call}) }}\n"
    )
}

#[test]
fn a_call_in_an_example_follows_where_all_calls_pass_one_value() {
    let base = with_examples("a: u8, b: u8", "1, 2", "1, 2");
    let now = with_examples("a: u8, b: u8, deep: bool", "1, 2, false", "1, 2");
    let (found, fixed) = left(&base, &now, &[]);
    let what = "a call of `size` in an example with the arguments before (edit)";
    assert_eq!(found, [format!("2: {what}"), format!("8: {what}")]);
    assert!(fixed.contains("///     2,\n///     false,\n/// );"), "{fixed}");
    assert!(fixed.contains("/// k::size(1, 2, false);"), "{fixed}");
    // Written by the person, or changed already.
    let done = with_examples("a: u8, b: u8, deep: bool", "1, 2, false", "1, 2, true");
    assert_eq!(left(&base, &done, &[]).0.len(), 1);
}

#[test]
fn a_call_in_an_example_that_is_run_borrows_what_is_a_reference_now() {
    let base = with_examples("a: u8, b: u8", "1, 2", "1, 2");
    let now = with_examples("a: &u8, b: u8", "&1, 2", "1, 2");
    let (found, fixed) = left(&base, &now, &[]);
    let what = "a call of `size` in an example with the arguments before (edit)";
    assert_eq!(found, [format!("2: {what}")]);
    assert!(fixed.contains("///     &1,\n///     2,\n"), "{fixed}");
    let now = with_examples("a: &mut u8, b: u8", "&mut 1, 2", "1, 2");
    assert_eq!(left(&base, &now, &[]).0, [""; 0]);
}

#[test]
fn a_call_in_an_example_without_an_argument_that_is_known_is_listed() {
    let base = with_examples("a: u8, b: u8", "1, 2", "1, 2");
    let what = "a call of `size` in an example with the arguments before";
    for value in ["1, 2, w", "1, 2, LIMIT"] {
        let now = with_examples("a: u8, b: u8, c: u8", value, "1, 2");
        let (found, fixed) = left(&base, &now, &[]);
        assert_eq!(found, [format!("2: {what}"), format!("8: {what}")], "{value}");
        assert_eq!(fixed, now);
    }
    let rival = "pub mod m { pub fn size(a: u8, b: u8) {} }\n";
    let now = with_examples("a: u8, b: u8, c: u8", "1, 2, 3", "1, 2");
    let (found, _) = left(&format!("{base}{rival}"), &format!("{now}{rival}"), &[]);
    assert_eq!(found, [format!("2: {what}"), format!("8: {what}")]);
}

#[test]
fn the_argument_of_a_parameter_that_is_gone_goes_from_examples() {
    let base = with_examples("a: u8, b: u8", "1, 2", "1, next()");
    let now = with_examples("a: u8", "1", "1, next()");
    let (found, fixed) = left(&base, &now, &[]);
    let what = "a call of `size` in an example with the arguments before";
    assert_eq!(found, [format!("2: {what} (edit)"), format!("8: {what}")]);
    assert!(fixed.contains("/// let a = k::size(\n///     1,\n/// );"), "{fixed}");
}
