//! Names that a change gives another meaning: of macros and attributes that tests use, and of methods
//! that they call. What the tests say stays, and they test something else.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use crate::compare::{Comparison, is_assertion_name};
use crate::outline::{Element, ElementKind, Outline, TokenKind};
use crate::{Rule, Violation};

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
/// Values and types of the prelude, which an item of the same name in scope replaces.
const PRELUDE_ITEMS: &[&str] = &["Box", "Err", "None", "Ok", "Option", "Some", "String", "Vec"];
/// Words before the name of an item.
const BEFORE_ITEM: &[&str] = &["const", "enum", "fn", "static", "struct", "trait", "type", "union"];
/// Methods of the standard library that tests assert with, wherever they are.
const ASSERTED: &[&str] = &[
    "all",
    "any",
    "clone",
    "cmp",
    "contains",
    "contains_key",
    "count",
    "ends_with",
    "eq",
    "first",
    "get",
    "into_iter",
    "is_empty",
    "is_err",
    "is_none",
    "is_ok",
    "is_some",
    "iter",
    "last",
    "len",
    "max",
    "min",
    "ne",
    "next",
    "nth",
    "position",
    "starts_with",
    "sum",
    "to_owned",
    "to_string",
    "to_vec",
    "unwrap",
];
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

/// Whether attributes of that crate or tool are believed by its name.
fn is_believed(name: &str) -> bool {
    TEST_CRATES.iter().any(|it| it.0 == name) || TOOLS.contains(&name) || STD.contains(&name)
}

impl Comparison<'_> {
    /// New macros, items, imports, crates and modules with a name that tests mean otherwise.
    pub(crate) fn redefined(&self, found: &mut Vec<Violation>) {
        let (before, after) = (Redefined::of(&self.old), Redefined::of(&self.new));
        for (name, places) in &after.names {
            let count = before.names.get(name).map_or(0, Vec::len);
            if let Some(at) = places.get(count) {
                let detail = format!("`{name}` is redefined");
                found.push(self.violation_in_new(Rule::TestWeakened, *at, detail));
            }
        }
    }

    /// New methods of traits that are called in place of those that tests call.
    pub(crate) fn replaced_methods(comparisons: &[Self], found: &mut Vec<Violation>) {
        let (old, new) = (
            comparisons.iter().map(|it| Traits::of(&it.old)).collect::<Vec<_>>(),
            comparisons.iter().map(|it| Traits::of(&it.new)).collect::<Vec<_>>(),
        );
        let known: BTreeSet<(&str, &str)> =
            old.iter().flat_map(|it| &it.methods).map(|it| (it.0, it.1)).collect();
        // Impls of a trait that was there may be in any file.
        let is_open = |of_trait: &str, name: &str| {
            known.iter().any(|it| it.0 == of_trait) && !known.contains(&(of_trait, name))
        };
        let shadowing = |all: &[Traits<'_>]| {
            let foreign: BTreeSet<&String> = all.iter().flat_map(|it| &it.implemented).collect();
            let mut names: BTreeMap<String, (usize, usize)> = BTreeMap::new();
            for (nth, of) in all.iter().enumerate() {
                for (of_trait, name, by_value, at) in &of.methods {
                    if of_trait.is_empty()
                        || foreign.contains(&(*of_trait).to_owned())
                        || *by_value && is_open(of_trait, name)
                    {
                        names.entry((*name).to_owned()).or_insert((nth, *at));
                    }
                }
            }
            names
        };
        let (before, after) = (shadowing(&old), shadowing(&new));
        for (name, (nth, at)) in after.into_iter().filter(|it| !before.contains_key(&it.0)) {
            let is_asserted = ASSERTED.contains(&name.as_str());
            if is_asserted || comparisons.iter().any(|it| it.is_called_by_tests(&name)) {
                let detail = format!("a test may call another method `{name}`");
                found.push(comparisons[nth].violation_in_new(Rule::TestWeakened, at, detail));
            }
        }
    }

    /// Whether a test has a call of a method of that name, before the change.
    fn is_called_by_tests(&self, name: &str) -> bool {
        self.old.tokens.iter().enumerate().any(|(at, token)| {
            token.is(name)
                && self.old.before(at, 1) == "."
                && matches!(self.old.text(at + 1), "(" | "::")
                && self.old_layout.in_tests(at)
        })
    }
}

/// The places of a text where a name of the prelude, or of a crate that is believed, is defined.
#[derive(Default)]
struct Redefined<'a> {
    names: BTreeMap<&'a str, Vec<usize>>,
}

impl<'a> Redefined<'a> {
    fn of(outline: &Outline<'a>) -> Self {
        let mut own = Self::default();
        let is_prelude = |name: &str| PRELUDE.contains(&name) || is_assertion_name(name);
        for (at, token) in outline.tokens.iter().enumerate() {
            let (one, two) = (outline.before(at, 1), outline.before(at, 2));
            let name = token.text.trim_start_matches("r#");
            let is_macro = one == "!" && two == "macro_rules" || one == "macro";
            let is_crate = one == "mod" || one == "as" || one == "crate" && two == "extern";
            let is_item = BEFORE_ITEM.contains(&one) && PRELUDE_ITEMS.contains(&name);
            if is_item
                || is_macro && is_prelude(name)
                || is_crate && is_believed(name) && !is_std(outline, at)
            {
                own.names.entry(token.text).or_default().push(at);
            }
        }
        for attribute in &outline.attributes {
            own.procedural(outline, outline.text(attribute.name), attribute.end, &is_prelude);
        }
        for element in outline.elements.iter().filter(|it| it.kind == ElementKind::Import) {
            own.imported(outline, element.head..element.end, &is_prelude);
        }
        own.names.values_mut().for_each(|it| it.sort_unstable());
        own
    }

    /// A procedural macro below its attribute, and `#[macro_use]` of a crate, whose names are unknown.
    fn procedural(
        &mut self,
        outline: &Outline<'a>,
        attribute: &str,
        end: usize,
        is_prelude: &dyn Fn(&str) -> bool,
    ) {
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
        range: std::ops::Range<usize>,
        is_prelude: &dyn Fn(&str) -> bool,
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
            let is_item = PRELUDE_ITEMS.contains(&name) && !is_local;
            let is_crate = is_believed(name) && !is_whole && outline.before(at, 1) != "as";
            if is_last && (is_macro || is_item || is_crate) {
                self.names.entry(name).or_default().push(at);
            }
        }
    }
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

/// The methods of a text that may be taken before those of a type itself.
struct Traits<'a> {
    /// Trait, name, whether it takes `self` as a value, and place. Those in an impl of a trait for a type that
    /// this text does not define have no trait.
    methods: Vec<(&'a str, &'a str, bool, usize)>,
    /// The traits with such an impl.
    implemented: BTreeSet<String>,
}

impl<'a> Traits<'a> {
    fn of(outline: &Outline<'a>) -> Self {
        let items = || outline.elements.iter().filter(|it| it.kind == ElementKind::Item);
        let head = |it: &Element, words: &[&str]| {
            (it.head..it.head + 3).any(|at| words.contains(&outline.text(at)))
        };
        let types = items().filter(|it| head(it, &["struct", "enum", "union", "type"]));
        let defined: BTreeSet<&str> = types.map(|it| outline.text(outline.item_name(it))).collect();
        let mut found = Self { methods: Vec::new(), implemented: BTreeSet::new() };
        for it in items().filter(|it| head(it, &["trait"])) {
            found.add(outline, outline.text(outline.item_name(it)), it.head..it.end);
        }
        for it in items().filter(|it| head(it, &["impl"])) {
            let Some((of_trait, ty)) = implemented(outline, it) else { continue };
            // Those of the standard library add no method that a test does not know.
            if !defined.contains(ty) && !STD_TRAITS.contains(&of_trait) {
                found.implemented.insert(of_trait.to_owned());
                found.add(outline, "", it.head..it.end);
            }
        }
        found
    }

    fn add(&mut self, outline: &Outline<'a>, of_trait: &'a str, range: Range<usize>) {
        for at in range.clone().filter(|at| outline.before(*at, 1) == "fn") {
            let open = (at..range.end.min(at + 60)).find(|it| outline.text(*it) == "(");
            let Some(open) = open else { continue };
            let first = |ahead: usize| outline.text(open + ahead);
            let at_self =
                (1..6).find(|it| first(*it) == "self").filter(|it| first(1) != ")" || *it == 1);
            let Some(at_self) = at_self else { continue };
            let is_reference = (1..at_self).any(|it| first(it) == "&")
                || first(at_self + 1) == ":" && first(at_self + 2) == "&";
            let Some(token) = outline.tokens.get(at) else { continue };
            self.methods.push((of_trait, token.text, !is_reference, at));
        }
    }
}

/// Traits of the standard library, which types of others may implement for each other.
const STD_TRAITS: &[&str] = &[
    "Add",
    "AddAssign",
    "AsMut",
    "AsRef",
    "Borrow",
    "Debug",
    "Deref",
    "Display",
    "Error",
    "Extend",
    "From",
    "FromIterator",
    "FromStr",
    "Hash",
    "Index",
    "Into",
    "Mul",
    "PartialEq",
    "PartialOrd",
    "Read",
    "Sub",
    "Sum",
    "TryFrom",
    "Write",
];

/// The last names of the trait and of the type of an impl.
fn implemented<'a>(outline: &Outline<'a>, of: &Element) -> Option<(&'a str, &'a str)> {
    // The body ends with the item; braces in the head are constants.
    let body = (of.head..of.end).find(|at| outline.close.get(*at) == Some(&(of.end - 1)))?;
    let with =
        (of.head..body).rfind(|at| outline.text(*at) == "for" && outline.text(at + 1) != "<")?;
    let last = |range: Range<usize>| {
        let mut depth = 0_i32;
        let mut name = "";
        for at in range {
            match outline.text(at) {
                "<" | "(" | "[" | "{" => depth += 1,
                ">" | ")" | "]" | "}" => depth -= 1,
                "where" if depth == 0 => break,
                text if depth == 0 && outline.tokens[at].kind == TokenKind::Word => name = text,
                _ => {}
            }
        }
        name
    };
    Some((last(of.head + 1..with), last(with + 1..body)))
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
            "pub trait Long { fn len(self) -> usize; }\nimpl Long for String { fn len(self) -> usize { 1 } }\n",
            "pub trait Text { fn to_string(mut self) -> String; }\nimpl<T> Text for T { fn to_string(mut self) -> String { f() } }\n",
            "pub trait Text { fn to_string(self: Self) -> String; }\nimpl Text for u8 { fn to_string(self: Self) -> String { f() } }\n",
            "trait L<const N: usize> { fn len(&self) -> usize; }\nimpl L<{ 0 + 1 }> for String { fn len(&self) -> usize { 1 } }\n",
            "impl Known for Vec<u8> { fn len(&self) -> usize { 1 } }\n",
            "pub struct Some(pub u32);\n",
            "#[allow(non_snake_case)]\nfn Ok(a: u8) -> u8 { a }\n",
            "use mac::None;\n",
            "trait Text { fn len(&self) -> usize; }\nimpl Text for String { fn len(&self) -> usize { 1 } }\n",
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
            "trait Text { fn len(&self) -> usize; }\nimpl Text for Own { fn len(&self) -> usize { 1 } }\n",
            "trait Other { fn width(self) -> usize; }\n",
            "trait Long { fn len(self) -> usize; }\nimpl Long for Own { fn len(self) -> usize { 1 } }\n",
            "fn as_test(test: u8) -> u8 { test as u8 }\n",
            "impl std::fmt::Display for Own { fn fmt(&self) {} }\nimpl From<Own> for String { fn from(of: Own) -> Self { of.0 } }\n",
            "pub type Result<T> = std::result::Result<T, Own>;\nenum Kind { None, Some(u8) }\n",
            "impl Known for Own { fn len(&self) -> usize { 1 } }\n",
            "impl Own { fn len(&self) -> usize { 1 } }\n",
        ] {
            assert!(!refused(added), "{added}: {}", found(TESTS, &format!("{added}{TESTS}")));
        }
    }

    #[test]
    fn an_impl_of_a_trait_that_was_there_gives_a_method_another_meaning() {
        let before = format!("trait Long {{ fn len(self) -> usize; }}\n{TESTS}");
        let with = |added: &str| found(&before, &format!("{added}{before}"));
        let foreign = "impl Long for String { fn len(self) -> usize { 1 } }\n";
        assert!(with(foreign).contains("test-weakened"), "{}", with(foreign));
        let own = "impl Long for Own { fn len(self) -> usize { 1 } }\n";
        assert_eq!(with(own), "");
        let more = before.replacen("fn len", "fn to_string(self) -> String { f() }\n fn len", 1);
        assert!(found(&before, &more).contains("test-weakened"));
        let equal = "impl PartialEq<Own> for String { fn eq(&self, of: &Own) -> bool { f(of) } }\n";
        assert_eq!(with(equal), "");
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
