//! Names that a change gives another meaning: of macros, attributes, values and types that tests use. What
//! the tests say stays, and they test something else.

use std::ops::Range;

use crate::compare::{Comparison, is_assertion_name};
use crate::outline::{ElementKind, Outline, TokenKind};
use crate::test_names::TestNames;
use crate::{Rule, Violation};
use base::SortedMap;

/// Macros and attributes of the prelude, which a macro of the same name in scope replaces.
const PRELUDE: &[&str] = &[
    "bench",
    "column",
    "compile_error",
    "concat",
    "dbg",
    "derive",
    "env",
    "eprint",
    "eprintln",
    "file",
    "format",
    "format_args",
    "include",
    "include_bytes",
    "include_str",
    "line",
    "matches",
    "module_path",
    "option_env",
    "panic",
    "print",
    "println",
    "should_panic",
    "stringify",
    "test",
    "thread_local",
    "todo",
    "try",
    "unimplemented",
    "unreachable",
    "vec",
    "write",
    "writeln",
];
/// Values and types of the prelude that an import of the same name replaces. An item in scope replaces
/// those of [`PRELUDE_DEFINED`] too, which imports often name themselves.
const PRELUDE_ITEMS: &[&str] = &[
    "Box",
    "Err",
    "None",
    "Ok",
    "Option",
    "Some",
    "String",
    "Vec",
    "align_of",
    "align_of_val",
    "bool",
    "char",
    "drop",
    "f32",
    "f64",
    "i128",
    "i16",
    "i32",
    "i64",
    "i8",
    "isize",
    "size_of",
    "size_of_val",
    "str",
    "u128",
    "u16",
    "u32",
    "u64",
    "u8",
    "usize",
];
/// Traits of the prelude, of all editions, and types that aliases often name.
const PRELUDE_DEFINED: &[&str] = &[
    "AsMut",
    "AsRef",
    "AsyncFn",
    "AsyncFnMut",
    "AsyncFnOnce",
    "Clone",
    "Copy",
    "Debug",
    "Default",
    "DoubleEndedIterator",
    "Drop",
    "Eq",
    "ExactSizeIterator",
    "Extend",
    "Fn",
    "FnMut",
    "FnOnce",
    "From",
    "FromIterator",
    "Future",
    "Hash",
    "Into",
    "IntoFuture",
    "IntoIterator",
    "Iterator",
    "Ord",
    "PartialEq",
    "PartialOrd",
    "Result",
    "Send",
    "Sized",
    "Sync",
    "ToOwned",
    "ToString",
    "TryFrom",
    "TryInto",
    "Unpin",
];
/// Words before the name of an item.
const BEFORE_ITEM: &[&str] =
    &["const", "enum", "fn", "mod", "static", "struct", "trait", "type", "union"];
/// Crates with these macros.
const STD: &[&str] = &["alloc", "core", "std"];
/// Tools whose attributes change nothing.
const TOOLS: &[&str] = &["clippy", "rustdoc", "rustfmt"];
/// Crates whose attributes make a function a test, or decide when it runs, and drop nothing of it, with
/// the attributes.
const TEST_CRATES: &[(&str, &[&str])] = &[
    ("actix_rt", &["test"]),
    ("async_std", &["test"]),
    ("futures_test", &["test"]),
    ("rstest", &["case", "fixture", "rstest", "timeout", "trace"]),
    ("serial_test", &["file_parallel", "file_serial", "parallel", "serial"]),
    ("smol_potat", &["test"]),
    ("sqlx", &["test"]),
    ("test_case", &["case", "test_case", "test_matrix"]),
    ("test_log", &["test"]),
    ("tokio", &["test"]),
    ("tracing_test", &["traced_test"]),
];

/// Whether an attribute of that name is one of a crate for tests that drops nothing.
pub(crate) fn is_test_crate(name: &str, attribute: &str) -> bool {
    TEST_CRATES.iter().any(|it| it.0 == name && (attribute == "*" || it.1.contains(&attribute)))
}

/// Whether it is the name of a tool.
pub(crate) fn is_tool(name: &str) -> bool {
    TOOLS.contains(&name)
}

/// Whether the prelude has a macro or attribute of that name, or tests assert with it.
fn is_prelude(name: &str) -> bool {
    PRELUDE.contains(&name) || is_assertion_name(name)
}

/// Whether attributes of that crate or tool are believed by its name.
fn is_believed(name: &str) -> bool {
    TEST_CRATES.iter().any(|it| it.0 == name) || TOOLS.contains(&name) || STD.contains(&name)
}

impl Comparison<'_> {
    /// New macros, items, imports, crates and modules with a name that tests mean otherwise.
    pub(crate) fn redefined(&self, names: &TestNames, found: &mut Vec<Violation>) {
        let (before, after) = (Redefined::of(&self.old, names), Redefined::of(&self.new, names));
        for (name, places) in &after.names {
            let count = before.names.get(name).map_or(0, Vec::len);
            if let Some(at) = places.get(count) {
                let detail = format!("`{name}` is redefined");
                found.push(self.violation_in_new(Rule::TestWeakened, *at, detail));
            }
        }
    }
}

/// The places of a text where a name of the prelude, or of a crate that is believed, is defined.
#[derive(Default)]
struct Redefined<'a> {
    names: SortedMap<&'a str, Vec<usize>>,
}

impl<'a> Redefined<'a> {
    fn of(outline: &Outline<'a>, names: &TestNames) -> Self {
        let mut own = Self::default();
        let is_believed = |name: &str| is_believed(name) || names.crates.contains(name);
        for (at, token) in outline.tokens.iter().enumerate() {
            let (one, two) = (outline.before(at, 1), outline.before(at, 2));
            let name = token.text.trim_start_matches("r#");
            let is_macro = one == "!" && two == "macro_rules" || one == "macro";
            let is_crate = one == "mod" || one == "as" || one == "crate" && two == "extern";
            let is_item = BEFORE_ITEM.contains(&one)
                && (PRELUDE_ITEMS.contains(&name)
                    || PRELUDE_DEFINED.contains(&name) && !(one == "type" && name == "Result"))
                && !is_member(outline, at);
            if is_item
                || is_macro && is_prelude(name)
                || is_crate && is_believed(name) && !is_std(outline, at)
            {
                own.names.entry(token.text).or_default().push(at);
            }
        }
        for attribute in &outline.attributes {
            own.procedural(outline, outline.text(attribute.name), attribute.end);
        }
        for element in outline.elements.iter().filter(|it| it.kind == ElementKind::Import) {
            own.imported(outline, element.head..element.end, &is_believed);
        }
        own.names.values_mut().for_each(|it| it.sort_unstable());
        own
    }

    /// A procedural macro below its attribute, and `#[macro_use]` of a crate, whose names are unknown.
    fn procedural(&mut self, outline: &Outline<'a>, attribute: &str, end: usize) {
        let next = |word: &str| (end..end + 12).find(|at| outline.text(*at) == word);
        match attribute {
            "proc_macro" | "proc_macro_attribute" => {
                let name = next("fn").map(|at| at + 1);
                if let Some(at) = name.filter(|at| is_prelude(outline.text(*at))) {
                    self.names.entry(outline.tokens[at].text).or_default().push(at);
                }
            }
            "macro_use" => {
                let of = next("extern").filter(|at| outline.text(at + 1) == "crate");
                if let Some(token) = of.and_then(|at| outline.tokens.get(at + 2))
                    && !STD.contains(&token.text)
                {
                    self.names.entry("#[macro_use]").or_default().push(end);
                }
            }
            _ => {}
        }
    }

    /// The names that an import adds.
    fn imported(
        &mut self,
        outline: &Outline<'a>,
        range: Range<usize>,
        is_believed: &dyn Fn(&str) -> bool,
    ) {
        let places = || range.clone().filter(|at| outline.tokens[*at].kind == TokenKind::Word);
        let root = places().find(|at| !matches!(outline.text(*at), "pub" | "use" | "in"));
        let root = root.map_or("", |it| outline.text(it));
        let is_local = matches!(root, "crate" | "self" | "super");
        // Of `std::env` the macro is what it was.
        if STD.contains(&root) {
            return;
        }
        for at in places() {
            let name = outline.tokens[at].text;
            let is_last = matches!(outline.text(at + 1), ";" | "," | "}");
            let is_whole =
                matches!(outline.before(at, 1), "use" | ",") && !is_in_group(outline, at);
            // A local module may have the name of a macro that nothing here calls.
            let is_called = || {
                outline.tokens.iter().enumerate().any(|(it, token)| {
                    token.is(name) && outline.text(it + 1) == "!" && !range.contains(&it)
                })
            };
            let is_macro = is_prelude(name)
                && (!is_local || is_assertion_name(name) || name == "test" || is_called());
            let is_renamed = outline.before(at, 1) == "as";
            let is_item = PRELUDE_ITEMS.contains(&name) && (!is_local || is_renamed);
            let is_crate = is_believed(name) && !is_whole && !is_renamed;
            if is_last && (is_macro || is_item || is_crate) {
                self.names.entry(name).or_default().push(at);
            }
        }
    }
}

/// Whether the name of an item is that of a member of an impl or a trait.
fn is_member(outline: &Outline<'_>, at: usize) -> bool {
    outline.elements.iter().any(|it| {
        it.kind == ElementKind::Item
            && it.head < at
            && at < it.end
            && (it.head..(it.head + 4).min(at))
                .any(|at| matches!(outline.text(at), "impl" | "trait"))
            && outline.item_name(it) != at
    })
}

/// Whether the name after `as` or `extern crate` is that of the crate itself, or in an expression.
fn is_std(outline: &Outline<'_>, at: usize) -> bool {
    let is_itself = outline.before(at, 1) == "crate" && matches!(outline.text(at + 1), ";");
    is_itself || outline.before(at, 2) == outline.text(at)
}

/// Whether the token is within braces of an import.
fn is_in_group(outline: &Outline<'_>, at: usize) -> bool {
    let mut back = at;
    while back > 0 && !matches!(outline.text(back), "use" | ";") {
        if outline.text(back) == "{" {
            return true;
        }
        back -= 1;
    }
    false
}

#[cfg(test)]
mod tests {
    use crate::tests::found;

    const TESTS: &str = "struct Own;\n#[cfg(test)]\nmod tests {\n    use super::*;\n    #[test]\n    fn t() {\n        assert_eq!(f(1).to_string().len(), 1);\n        assert!(matches!(f(1), 1));\n    }\n}\n";

    fn refused(added: &str) -> bool {
        let found = found(TESTS, &format!("{added}{TESTS}"));
        found.contains("test-weakened")
    }

    #[test]
    fn what_tests_mean_is_not_defined_anew() {
        for added in [
            "macro_rules! matches { ($($t:tt)*) => { true } }\n",
            "macro_rules! format { ($($t:tt)*) => { String::new() } }\n",
            "pub(crate) macro assert_eq($($t:tt)*) {}\n",
            "use mac::matches;\n",
            "use mac::{other, yes as matches};\n",
            "pub use mac::yes as assert_ne;\n",
            "#[macro_use]\nextern crate mac;\n",
            "extern crate mac as serial_test;\n",
            "extern crate mac as clippy;\n",
            "mod tokio { pub use mac::paused; }\n",
            "use mac::tokio;\n",
            "use mac::m as tokio;\n",
            "#[proc_macro_attribute]\npub fn test(a: T, b: T) -> T { T::new() }\n",
            "pub trait Text { fn to_string(mut self) -> String; }\nimpl<T> Text for T { fn to_string(mut self) -> String { f() } }\n",
            "pub struct Some(pub u32);\n",
            "#[allow(non_snake_case)]\nfn Ok(a: u8) -> u8 { a }\n",
            "use mac::None;\n",
            "pub mod f64 { pub const EPSILON: u8 = 1; }\n",
            "pub const fn size_of<T>() -> usize { 4 }\n",
            "pub trait Iterator { fn sum(self) -> u8; }\n",
            "pub struct Result<T>(T);\n",
            "use crate::own::F as f64;\n",
        ] {
            assert!(refused(added), "{added}");
        }
        for added in [
            "use std::env;\nuse std::{fmt::write, vec};\n",
            "macro_rules! own { () => {} }\n",
            "use tokio::sync::Mutex;\nuse serial_test::serial;\n",
            "extern crate tokio;\n",
            "#[macro_use]\nmod macros;\n",
            "use crate::file;\nuse log::{info, warn};\n",
            "fn as_test(test: u8) -> u8 { test as u8 }\n",
            "impl Drop for Own { fn drop(&mut self) {} }\n",
            "use futures::{Future, future::FromIterator};\n",
            "trait Own2 { type Iterator; fn drop(self); }\n",
            "pub type Result<T> = std::result::Result<T, Own>;\nenum Kind { None, Some(u8) }\n",
        ] {
            assert!(!refused(added), "{added}: {}", found(TESTS, &format!("{added}{TESTS}")));
        }
    }

    #[test]
    fn attributes_and_types_of_a_test_stay() {
        let text = |attribute: &str, body: &str| {
            format!(
                "#[cfg(test)]\nmod tests {{\n    #[test]\n    {attribute}\n    fn t() {{\n        {body}\n    }}\n}}\n"
            )
        };
        let body = "assert_eq!(size_of::<Small>(), 4); assert_eq!(add(1, 2) as i64, 3);";
        for (attribute, body) in [
            ("#[skip]", body),
            ("#[tokio::paused]", body),
            ("#[rstest::serial]", body),
            ("", "assert_eq!(size_of::<u32>(), 4); assert_eq!(add(1, 2) as i64, 3);"),
            ("", "assert_eq!(size_of::<Small>(), 4); assert_eq!(add(1, 2) as u8, 3);"),
            ("", "assert_eq!(size_of::<Small>(), 4); assert_eq!(add(1, 2) as u8 as i64, 3);"),
        ] {
            let before =
                text("", "assert_eq!(size_of::<Small>(), 4); assert_eq!(add(1, 2) as i64, 3);");
            let found = found(&before, &text(attribute, body));
            assert!(found.contains("test-weakened"), "{attribute} {body}: {found}");
        }
        let none = text("#[tokio::test]", body);
        assert_eq!(found(&text("", body), &none), "");
    }

    #[test]
    fn another_attribute_is_no_correction_of_one() {
        for (old, new, rule) in [
            ("#[track_caller]", "#[should_panic]", "test-weakened"),
            ("#[rustfmt::skip]", "#[should_panic]", "test-weakened"),
            ("#[cold]", "#[allow(warnings)]", "allow-added"),
        ] {
            let text = |it: &str| {
                format!(
                    "#[cfg(test)]\nmod tests {{\n    #[test]\n    {it}\n    fn t() {{ assert!(f()); }}\n}}\n"
                )
            };
            let found = found(&text(old), &text(new));
            assert!(found.contains(rule), "{new}: {found}");
        }
    }
}
