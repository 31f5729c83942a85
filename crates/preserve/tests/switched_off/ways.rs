//! Ways to disable a test, or to make it assert less, without removing it.

use base::SortedMap;

use crate::shapes::Shape;

type Texts = SortedMap<String, Option<String>>;
type Edit = Box<dyn Fn(&Shape) -> Option<Texts>>;

/// A named way; returns `None` if it does not apply to a shape.
pub(crate) struct Way {
    pub(crate) name: &'static str,
    pub(crate) apply: Edit,
}

fn replace(shape: &Shape, path: &str, from: &str, to: &str) -> Option<Texts> {
    let text = shape.files.get(path)?;
    text.contains(from)
        .then(|| SortedMap::from([(path.to_owned(), Some(text.replacen(from, to, 1)))]))
}

fn in_test(shape: &Shape, from: &str, to: &str) -> Option<Texts> {
    replace(shape, shape.file, from, to)
}

/// The body of the test, between its braces.
fn body(shape: &Shape) -> Option<String> {
    let text = shape.files.get(shape.file)?;
    let start = text.find(shape.head)? + shape.head.len();
    let mut depth = 1usize;
    let end = text[start..].char_indices().find_map(|(at, c)| {
        match c {
            '{' => depth += 1,
            '}' => depth -= 1,
            _ => {}
        }
        (depth == 0).then_some(start + at)
    })?;
    Some(text[start..end].to_owned())
}

fn around_body(shape: &Shape, open: &str, close: &str) -> Option<Texts> {
    let body = body(shape)?;
    let ok = if shape.head.contains("Result") { "\nOk(())\n" } else { "" };
    in_test(shape, &body, &format!("{open}{body}{close}{ok}"))
}

/// The whole test, attributes included.
fn whole(shape: &Shape) -> Option<String> {
    let text = shape.files.get(shape.file)?;
    let start = text.find(shape.attribute)?;
    let body = body(shape)?;
    let end = text.find(&body)? + body.len() + 1;
    Some(text[start..end].to_owned())
}

fn around_test(shape: &Shape, open: &str, close: &str) -> Option<Texts> {
    let test = whole(shape)?;
    in_test(shape, &test, &format!("{open}{test}{close}"))
}

fn way(name: &'static str, apply: impl Fn(&Shape) -> Option<Texts> + 'static) -> Way {
    Way { name, apply: Box::new(apply) }
}

fn before_first(name: &'static str, added: &'static str) -> Way {
    way(name, move |it| in_test(it, it.first, &format!("{added} {}", it.first)))
}

fn before_assertion(name: &'static str, added: &'static str) -> Way {
    way(name, move |it| in_test(it, it.assertion, &format!("{added} {}", it.assertion)))
}

fn around_assertion(name: &'static str, open: &'static str, close: &'static str) -> Way {
    way(name, move |it| in_test(it, it.assertion, &format!("{open} {} {close}", it.assertion)))
}

fn around_all(name: &'static str, open: &'static str, close: &'static str) -> Way {
    way(name, move |it| around_body(it, open, close))
}

fn before_test(name: &'static str, added: &'static str) -> Way {
    way(name, move |it| in_test(it, it.attribute, &format!("{added} {}", it.attribute)))
}

fn instead_of_attribute(name: &'static str, with: &'static str) -> Way {
    way(name, move |it| in_test(it, it.attribute, with))
}

fn in_file(name: &'static str, path: &'static str, from: &'static str, to: &'static str) -> Way {
    way(name, move |it| replace(it, path, from, to))
}

fn new_file(name: &'static str, path: &'static str, text: &'static str) -> Way {
    way(name, move |_| Some(SortedMap::from([(path.to_owned(), Some(text.to_owned()))])))
}

/// Exits before the test asserts, and conditions around its assertion.
fn flow() -> Vec<Way> {
    vec![
        way("return first", |it| {
            let out = if it.head.contains("Result") { "return Ok(());" } else { "return;" };
            in_test(it, it.first, &format!("{out} {}", it.first))
        }),
        way("return before the assertion", |it| {
            let out = if it.head.contains("Result") { "return Ok(());" } else { "return;" };
            in_test(it, it.assertion, &format!("if true {{ {out} }} {}", it.assertion))
        }),
        before_first("exit first", "std::process::exit(0);"),
        before_assertion("exit before the assertion", "std::process::exit(0);"),
        before_first("abort hook", "std::panic::set_hook(Box::new(|_| std::process::exit(0)));"),
        around_assertion("if false", "if false {", "}"),
        around_assertion("if not", "if !true {", "}"),
        around_assertion("if an environment variable", "if std::env::var(\"CI\").is_err() {", "}"),
        around_assertion("loop that ends", "loop { break;", "}"),
        around_assertion("while false", "while false {", "}"),
        around_assertion("for nothing", "for _ in 0..0 {", "}"),
        around_assertion("match", "match 1 { 2 => {", "} _ => {} }"),
        around_assertion("if let", "if let Some(()) = None {", "}"),
        around_assertion("closure", "let _never = || {", "};"),
        around_assertion("move closure", "let _never = move || {", "};"),
        around_assertion("future", "let _never = async {", "};"),
        around_assertion("function", "fn never() {", "}"),
        around_assertion("catch", "let _ = std::panic::catch_unwind(|| {", "});"),
        around_assertion("thread", "std::thread::spawn(move || {", "});"),
        around_assertion("labelled block", "'out: { break 'out;", "}"),
        around_all("whole body in a closure", "let _never = || {", "};"),
        around_all("whole body under if false", "if false {", "}"),
        around_all("whole body caught", "let _ = std::panic::catch_unwind(move || {", "});"),
        way("let else", |it| {
            in_test(
                it,
                it.assertion,
                &format!("let Some(_) = None::<u8> else {{ return }}; {}", it.assertion),
            )
        }),
    ]
}

/// Code that becomes text, tokens or a comment.
fn text() -> Vec<Way> {
    vec![
        around_assertion("stringify", "let _ = stringify!(", ");"),
        around_assertion("macro_rules", "macro_rules! never { () => {", "} }"),
        around_assertion("block comment", "/*", "*/"),
        around_assertion("line comment", "//", "\n"),
        around_assertion("raw string", "let _ = r##\"", "\"##;"),
        around_assertion("constant text", "const _: &str = r##\"", "\"##;"),
        around_assertion("own macro", "ignore_all! {", "}"),
        way("test in macro_rules", |it| {
            around_test(it, "macro_rules! never { () => {\n", "\n} }\n")
        }),
        way("test in a string", |it| around_test(it, "const _: &str = r##\"", "\"##;\n")),
        way("test in a comment", |it| around_test(it, "/*\n", "\n*/\n")),
        way("test in a function", |it| around_test(it, "fn never() {\n", "\n}\n")),
        way("test in a constant", |it| around_test(it, "const _: fn() = || {\n", "\n};\n")),
        way("test in stringify", |it| around_test(it, "const _: &str = stringify! {\n", "\n};\n")),
    ]
}

/// Attributes and `cfg`.
fn attributes() -> Vec<Way> {
    vec![
        before_test("cfg any", "#[cfg(any())]"),
        before_test("cfg feature", "#[cfg(feature = \"never\")]"),
        before_test("cfg_attr ignore", "#[cfg_attr(all(), ignore)]"),
        before_test("ignore", "#[ignore]"),
        before_test("ignore with a reason", "#[ignore = \"slow\"]"),
        before_test("should_panic", "#[should_panic]"),
        before_test("unknown attribute", "#[disabled]"),
        instead_of_attribute("no attribute", ""),
        instead_of_attribute("ignore instead", "#[ignore]"),
        instead_of_attribute("allow instead", "#[allow(dead_code)]"),
        instead_of_attribute("comment instead", "// #[test]\n"),
        way("module under cfg any", |it| {
            in_test(it, "#[cfg(test)]", "#[cfg(any())]")
                .or_else(|| {
                    in_test(
                        it,
                        "#[cfg(all(test, feature = \"std\"))]",
                        "#[cfg(all(test, feature = \"x\"))]",
                    )
                })
                .or_else(|| replace(it, "src/lib.rs", "#[cfg(test)]", "#[cfg(any())]"))
                .or_else(|| in_test(it, "//! From outside.", "#![cfg(any())]\n//! From outside."))
        }),
        way("cfg at the head of the file", |it| {
            let text = it.files.get(it.file)?;
            Some(SortedMap::from([(
                it.file.to_owned(),
                Some(format!("#![cfg(not(test))]\n{text}")),
            )]))
        }),
        way("cfg_attr at the head of the file", |it| {
            let text = it.files.get(it.file)?;
            Some(SortedMap::from([(
                it.file.to_owned(),
                Some(format!("#![cfg_attr(test, allow(all))]\n{text}")),
            )]))
        }),
        way("case edited", |it| in_test(it, "#[case(1, 2, 3)]", "#[case(1, 2, 4)]")),
        way("case removed", |it| in_test(it, "#[case(20, 22, 42)]\n", "")),
        way("expected panic widened", |it| {
            in_test(it, "#[should_panic(expected = \"overflow\")]", "#[should_panic]")
        }),
        way("expected panic edited", |it| {
            in_test(it, "expected = \"overflow\"", "expected = \"\"")
        }),
        way("flavour of the runtime", |it| in_test(it, "\"current_thread\"", "\"multi_thread\"")),
    ]
}

/// The compared and the expected values.
fn values() -> Vec<Way> {
    vec![
        way("expectation edited", |it| {
            let other = it.expected.replace(['5', '4', '3', 'x'], "6");
            in_test(it, it.assertion, &it.assertion.replace(it.expected, &other))
                .filter(|_| it.assertion.contains(it.expected))
                .or_else(|| in_test(it, it.expected, &other))
        }),
        way("actual compared with itself", |it| {
            let twice = format!("assert_eq!({0}, {0});", it.actual);
            in_test(it, it.assertion, &twice)
        }),
        way("assertion negated twice", |it| {
            in_test(it, it.assertion, &format!("assert!(!({} != {}));", it.actual, it.expected))
        }),
        way("assertion or true", |it| {
            in_test(
                it,
                it.assertion,
                &format!("assert!(true || {} == {});", it.actual, it.expected),
            )
        }),
        way("assertion of nothing", |it| in_test(it, it.assertion, "assert!(true);")),
        way("debug assertion", |it| {
            in_test(it, it.assertion, &it.assertion.replace("assert", "debug_assert"))
        }),
        way("print instead", |it| {
            in_test(it, it.assertion, &format!("println!(\"{{:?}}\", {});", it.actual))
        }),
        way("input edited", |it| {
            let other = it.first.replace('2', "1").replace("(a, b)", "(0, want)");
            in_test(it, it.first, &other)
        }),
        way("shadowed value", |it| {
            let name = it.first.split_whitespace().nth(1)?;
            in_test(it, it.assertion, &format!("let {name} = Default::default(); {}", it.assertion))
        }),
        way("assigned value", |it| {
            let name = it.first.split_whitespace().nth(1)?;
            in_test(it, it.assertion, &format!("{name} = Default::default(); {}", it.assertion))
        }),
        way("assertion macro replaced", |it| {
            let name = it.assertion.split('!').next()?;
            let text = it.files.get(it.file)?;
            let more = format!("macro_rules! {name} {{ ($($t:tt)*) => {{}} }}\n{text}");
            Some(SortedMap::from([(it.file.to_owned(), Some(more))]))
        }),
        way("assertion macro imported", |it| {
            let name = it.assertion.split('!').next()?;
            let text = it.files.get(it.file)?;
            let more = text.replacen("use ", &format!("use nothing::always as {name};\nuse "), 1);
            (more != *text).then(|| SortedMap::from([(it.file.to_owned(), Some(more))]))
        }),
        way("function shadowed in the tests", |it| {
            let name = if it.first.contains("add(") || it.assertion.contains("add(") {
                "add"
            } else {
                "read"
            };
            in_test(
                it,
                it.attribute,
                &format!("fn {name}(_: u32, _: u32) -> u32 {{ 5 }}\n{}", it.attribute),
            )
        }),
        way("statement removed", |it| in_test(it, it.first, "")),
        way("loop over nothing", |it| in_test(it, "in cases {", "in cases.into_iter().take(0) {")),
        way("helper call unwrapped", |it| in_test(it, "check(want, 42);", "let _ = (want, 42);")),
        way("helper's comparison edited", |it| in_test(it, "found == want", "found >= want")),
        way("code that differs under test", |it| {
            replace(it, "src/lib.rs", "    a + b\n", "    if cfg!(test) { return 5; }\n    a + b\n")
        }),
    ]
}

/// Files other than the sources.
fn beside() -> Vec<Way> {
    vec![
        in_file("lib test = false", "Cargo.toml", "[lib]\n", "[lib]\ntest = false\n"),
        in_file("lib doctest = false", "Cargo.toml", "[lib]\n", "[lib]\ndoctest = false\n"),
        in_file("harness = false", "Cargo.toml", "[[test]]\n", "[[test]]\nharness = false\n"),
        in_file("test target off", "Cargo.toml", "[[test]]\n", "[[test]]\ntest = false\n"),
        in_file(
            "required features",
            "Cargo.toml",
            "[[test]]\n",
            "[[test]]\nrequired-features = [\"x\"]\n",
        ),
        in_file("another file", "Cargo.toml", "tests/slow.rs", "tests/fast.rs"),
        in_file(
            "autotests",
            "Cargo.toml",
            "version = \"0.1.0\"\n",
            "version = \"0.1.0\"\nautotests = false\n",
        ),
        in_file(
            "no target table",
            "Cargo.toml",
            "[[test]]\nname = \"slow\"\npath = \"tests/slow.rs\"\n",
            "",
        ),
        in_file("lints lowered", "Cargo.toml", "\"forbid\"", "\"allow\""),
        in_file("lints removed", "Cargo.toml", "[lints.clippy]\ntodo = \"deny\"\n", ""),
        in_file("default features cut", "Cargo.toml", "[\"std\", \"full\"]", "[\"std\"]"),
        in_file("dev-dependency removed", "Cargo.toml", "proptest = \"1\"\n", ""),
        in_file("member removed", "Cargo.toml", "\"crates/a\", ", ""),
        in_file(
            "member excluded",
            "Cargo.toml",
            "[workspace]\n",
            "[workspace]\nexclude = [\"crates/b\"]\n",
        ),
        in_file(
            "profile of tests",
            "Cargo.toml",
            "[lib]\n",
            "[profile.test]\ndebug-assertions = false\n\n[lib]\n",
        ),
        in_file(
            "overflow checks",
            "Cargo.toml",
            "[lib]\n",
            "[profile.dev]\noverflow-checks = false\n\n[lib]\n",
        ),
        in_file(
            "patched dependency",
            "Cargo.toml",
            "[lib]\n",
            "[patch.crates-io]\nproptest = { path = \"x\" }\n\n[lib]\n",
        ),
        in_file("clippy's configuration", "clippy.toml", "\"std::env::var\"", ""),
        in_file(
            "the runner's filter",
            ".config/nextest.toml",
            "retries = 0",
            "default-filter = \"none()\"",
        ),
        in_file("expected output", "tests/data/words.txt", "two", "three"),
        in_file("snapshot", "src/snapshots/shape.snap", "5", "6"),
        in_file(
            "doc test ignored",
            "src/lib.rs",
            "/// ```\n/// assert",
            "/// ```ignore\n/// assert",
        ),
        in_file("doc test as text", "src/lib.rs", "/// ```\n/// assert", "/// ```text\n/// assert"),
        in_file(
            "doc test not run",
            "src/lib.rs",
            "/// ```\n/// assert",
            "/// ```no_run\n/// assert",
        ),
        in_file("doc test edited", "src/lib.rs", "(1, 2), 3", "(1, 2), 4"),
        in_file("lint attribute removed", "src/lib.rs", "#![deny(missing_docs)]\n", ""),
        in_file("lint attribute lowered", "src/lib.rs", "deny(missing_docs)", "warn(missing_docs)"),
        new_file(
            "cargo's runner",
            ".cargo/config.toml",
            "[target.x86_64-unknown-linux-gnu]\nrunner = \"true\"\n",
        ),
        new_file(
            "cargo's flags",
            ".cargo/config.toml",
            "[build]\nrustflags = [\"--cap-lints=allow\"]\n",
        ),
        new_file("cargo's environment", ".cargo/config.toml", "[env]\nRUST_TEST_THREADS = \"0\"\n"),
        new_file("another toolchain", "rust-toolchain.toml", "[toolchain]\nchannel = \"1.60\"\n"),
        new_file(
            "a build script",
            "build.rs",
            "fn main() { println!(\"cargo:rustc-cfg=skip\"); }\n",
        ),
        way("test file moved where cargo finds none", |it| {
            let path = it.file.strip_prefix("tests/")?;
            let text = it.files.get(it.file)?.clone();
            Some(SortedMap::from([
                (it.file.to_owned(), None),
                (format!("tests/kept/{path}"), Some(text)),
            ]))
        }),
        way("module of tests not declared", |it| {
            (it.file == "src/tests.rs").then_some(())?;
            replace(it, "src/lib.rs", "#[cfg(test)]\nmod tests;\n", "")
        }),
        way("module of tests from another file", |it| {
            (it.file == "src/tests.rs").then_some(())?;
            replace(it, "src/lib.rs", "mod tests;", "#[path = \"empty.rs\"]\nmod tests;")
        }),
    ]
}

pub(crate) fn ways() -> Vec<Way> {
    [flow(), text(), attributes(), values(), beside()].into_iter().flatten().collect()
}
