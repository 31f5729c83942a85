//! Another version of a dependency as text, and what its users change as text.

use base::{SortedMap, SortedSet, Timestamp};
use edit::Overlay;

use crate::tests::{Tree, marked};
use crate::{CrateSource, Difference, Library, Release, propagate};

/// A version of the crate `dep` with these files; the feature `extra` exists and is not enabled.
fn release(version: &str, files: &[(&str, &str)], changelog: &str) -> Release {
    let files = files.iter().map(|(path, text)| ((*path).to_owned(), (*text).into())).collect();
    let source = CrateSource { root: "src/lib.rs".to_owned(), files };
    Release {
        version: version.to_owned(),
        name: "dep".to_owned(),
        crates: SortedMap::from([("dep".to_owned(), source)]),
        features: SortedMap::from([("extra".to_owned(), Vec::new())]),
        enabled: SortedSet::new(),
        changelog: changelog.to_owned(),
        uses: SortedMap::new(),
    }
}

const MANIFEST: &str = "[dependencies]\ndep = \"2\"\n";

/// The first proposal for a user of the dependency; `$0…$1` in `user` marks the errors.
fn adapted(library: Library, user: &str, code: &str, message: &str) -> String {
    let (plain, errors) = marked(user, code, message);
    let tree = Tree::of(&[("src/lib.rs", &plain), ("Cargo.toml", MANIFEST)]);
    let difference = Difference::default().with_libraries(vec![library]);
    let found = propagate(&difference, &[], &errors, &tree);
    let Some(first) = found.first() else { return "nothing".to_owned() };
    let overlay = Overlay::from_splices("t", Timestamp(0), &tree, &first.splices).unwrap();
    let texts = overlay.changes().map(|(_, it)| it.after_text().to_owned());
    texts.collect::<Vec<_>>().join("\n")
}

fn library(old: &[(&str, &str)], new: &[(&str, &str)], changelog: &str) -> Library {
    let (old, new) = (release("1.0.0", old, ""), release("2.0.0", new, changelog));
    Library::new("dep".to_owned(), "dep".to_owned(), old, new)
}

fn lib(old: &str, new: &str) -> Library {
    library(&[("src/lib.rs", old)], &[("src/lib.rs", new)], "")
}

#[test]
fn an_import_follows_what_went_to_another_module() {
    let old = "pub mod a { pub struct X; pub struct Y; pub fn z() {} }";
    let new = "mod hidden { pub struct X; pub struct Y; pub fn z() {} }\npub mod b { pub use crate::hidden::*; }";
    let message = "unresolved import `dep::a`";
    assert_eq!(
        adapted(lib(old, new), "use dep::$0a$1::X;\n", "E0432", message),
        "use dep::b::X;\n"
    );
    assert_eq!(
        adapted(lib(old, new), "use dep::{$0a$1::{X, Y}, k};\n", "E0432", message),
        "use dep::{b::{X, Y}, k};\n"
    );
    assert_eq!(
        adapted(lib(old, new), "fn f() { dep::$0a$1::z(); }\n", "E0433", message),
        "fn f() { dep::b::z(); }\n"
    );
}

#[test]
fn names_in_one_import_that_went_apart_become_imports_of_their_own() {
    let old = "pub struct X; pub struct Y;";
    let new = "pub mod x { pub struct X; }\npub mod y { pub struct Y; }";
    assert_eq!(
        adapted(
            lib(old, new),
            "#[cfg(unix)]\npub use dep::{$0X$1, Y};\n",
            "E0432",
            "unresolved import `dep::X`"
        ),
        "#[cfg(unix)]\npub use dep::x::X;\n#[cfg(unix)]\npub use dep::y::Y;\n"
    );
}

#[test]
fn a_deprecation_names_the_successor_and_its_uses_follow() {
    let old = "#[deprecated(note = \"use `Fresh` instead\")]\npub trait Stale {}\npub trait Fresh {}\npub trait Stage {}";
    let new = "pub trait Fresh {}\npub trait Stage {}";
    assert_eq!(
        adapted(
            lib(old, new),
            "use dep::$0Stale$1;\nfn f(it: &dyn Stale) {}\n",
            "E0432",
            "unresolved import `dep::Stale`"
        ),
        "use dep::Fresh;\nfn f(it: &dyn Fresh) {}\n"
    );
}

#[test]
fn a_change_log_names_the_successor_of_a_method() {
    let (old, new) = (
        "pub struct S;\nimpl S { pub fn fetch(&self) {} pub fn z(&self) {} }",
        "pub struct S;\nimpl S { pub fn load_all(&self, n: u8) -> u8 { n } pub fn z(&self) {} }",
    );
    let log = "## 2.0\n\n- `S::fetch` is now `S::load_all`.\n";
    let library = library(&[("src/lib.rs", old)], &[("src/lib.rs", new)], log);
    let message = "no method named `fetch` found for struct `S` in the current scope";
    assert_eq!(
        adapted(library, "fn f(s: dep::S) { s.$0fetch$1(); }\n", "E0599", message),
        "fn f(s: dep::S) { s.load_all(); }\n"
    );
}

#[test]
fn a_feature_that_gates_the_path_is_enabled() {
    let old = "pub mod m { pub fn f() {} }";
    let new = "#[cfg(feature = \"extra\")]\npub mod m;";
    let library =
        library(&[("src/lib.rs", old)], &[("src/lib.rs", new), ("src/m.rs", "pub fn f() {}")], "");
    assert_eq!(
        adapted(library, "use dep::$0m$1::f;\n", "E0432", "unresolved import `dep::m`"),
        "[dependencies]\ndep = { version = \"2\", features = [\"extra\"] }\n"
    );
}

#[test]
fn a_member_of_another_type_is_not_meant() {
    let old = "pub struct S;\nimpl S { pub fn get(&self) {} }";
    let new = "pub struct S;\nimpl S { pub fn get_it(&self) {} }";
    let message = "no method named `get` found for struct `Mine` in the current scope";
    assert_eq!(
        adapted(lib(old, new), "fn f(s: Mine) { s.$0get$1(); }\n", "E0599", message),
        "nothing"
    );
}

#[test]
fn names_follow_a_rename_that_is_systematic() {
    let old = "pub trait OneCase { fn one_case(&self); }\npub trait TwoCase {}\npub trait OldCase { fn old_case(&self); }";
    let new = "pub trait ToOneCase { fn one_case(&self); }\npub trait ToTwoCase {}\npub trait ToNewCase { fn new_case(&self); }";
    let log = "* Renamed `ToOldCase` to `ToNewCase`\n";
    let of = || library(&[("src/lib.rs", old)], &[("src/lib.rs", new)], log);
    assert_eq!(
        adapted(
            of(),
            "use dep::{$0OneCase$1, OldCase};\n",
            "E0432",
            "unresolved imports `dep::OneCase`, `dep::OldCase`"
        ),
        "use dep::{ToOneCase, ToNewCase};\n"
    );
    let message = "no method named `old_case` found for struct `String` in the current scope";
    assert_eq!(
        adapted(of(), "fn f(s: String) { s.$0old_case$1(); }\n", "E0599", message),
        "fn f(s: String) { s.new_case(); }\n"
    );
}

#[test]
fn a_denied_deprecation_is_followed() {
    let text = "#[deprecated(note = \"Renamed to `fresh`\")]\npub fn stale() {}\npub fn fresh() {}";
    let message = "use of deprecated function `dep::stale`: Renamed to `fresh`";
    assert_eq!(
        adapted(lib(text, text), "fn f() { $0dep::stale$1(); }\n", "deprecated", message),
        "fn f() { dep::fresh(); }\n"
    );
}

#[test]
fn a_result_that_was_a_function_is_called_by_the_method_of_its_trait() {
    let old = "pub fn tag(t: u8) -> impl Fn(u8) -> Out<u8> { move |it| Out(it) }";
    let new = "pub trait Parser<I> { fn run(&mut self, it: I) -> Out<I>; }\npub fn tag(t: u8) -> impl Parser<u8> { T(t) }";
    let message = "expected function, found `impl Parser<u8>`";
    assert_eq!(
        adapted(lib(old, new), "fn f() { $0dep::tag(1)$1(2); }\n", "E0618", message),
        "fn f() { dep::tag(1).run(2); }\n"
    );
}

#[test]
fn a_member_and_a_macro_that_a_feature_gates_are_there_with_it() {
    let old = "pub struct S;\nimpl S { pub fn get(&self) {} }\n#[macro_export]\nmacro_rules! m { () => {} }";
    let new = "pub struct S;\n#[cfg(feature = \"extra\")]\nmod more;\n#[cfg(feature = \"extra\")]\n#[macro_use]\nmod macros;";
    let more = "impl super::S { pub fn get(&self) {} }";
    let macros = "#[macro_export]\nmacro_rules! m { () => {} }";
    let of = || {
        let new = [("src/lib.rs", new), ("src/more.rs", more), ("src/macros.rs", macros)];
        library(&[("src/lib.rs", old)], &new, "")
    };
    let enabled = "[dependencies]\ndep = { version = \"2\", features = [\"extra\"] }\n";
    let message = "no method named `get` found for struct `S` in the current scope";
    assert_eq!(adapted(of(), "fn f(s: dep::S) { s.$0get$1(); }\n", "E0599", message), enabled);
    let message = "cannot find macro `m` in this scope";
    assert_eq!(adapted(of(), "fn f() { $0m$1!(); }\n", "", message), enabled);
}

#[test]
fn a_function_that_is_a_constant_now_is_not_called() {
    let old = "pub struct S;\nimpl S { pub fn zero() -> Self { S } pub fn one() -> Self { S } }";
    let new = "pub struct S;\nimpl S { pub const ZERO: Self = S; pub fn one() -> Self { S } }";
    let message = "no function or associated item named `zero` found for struct `S`";
    assert_eq!(
        adapted(lib(old, new), "fn f() -> dep::S { dep::S::$0zero$1() }\n", "E0599", message),
        "fn f() -> dep::S { dep::S::ZERO }\n"
    );
}

#[test]
fn calls_change_as_in_the_examples_of_the_dependency() {
    let documented = |code: &str| {
        format!(
            "/// ```\n{code}/// ```\npub struct S;\nimpl S {{ pub fn run(&self, it: &str) {{}} }}"
        )
    };
    let old =
        documented("/// s.run(\"a\", true);\n/// let t = T::of(1);\n/// s.run(\"b\", true);\n");
    let new = documented(
        "/// s.with(true).run(\"a\");\n/// let t = T::of(1);\n/// s.with(true).run(\"b\");\n",
    );
    let message = "this method takes 1 argument but 2 arguments were supplied";
    assert_eq!(
        adapted(lib(&old, &new), "fn f(s: dep::S) { s.$0run$1(name, true); }\n", "E0061", message),
        "fn f(s: dep::S) { s.with(true).run(name); }\n"
    );
}

#[test]
fn a_constant_and_a_function_that_went_to_a_type_are_named_through_it() {
    let old = "pub struct Size;\npub const MAX_SIZE: Size = Size;\npub fn parse_size(t: &str) -> Size { Size }";
    let new = "pub struct Size;\nimpl Size { pub const MAX: Size = Size; pub fn parse(t: &str) -> Size { Size } }";
    let message = "cannot find value `MAX_SIZE` in crate `dep`";
    assert_eq!(
        adapted(lib(old, new), "fn f() { dep::$0MAX_SIZE$1; }\n", "E0425", message),
        "fn f() { dep::Size::MAX; }\n"
    );
    let message = "cannot find function `parse_size` in crate `dep`";
    assert_eq!(
        adapted(lib(old, new), "fn f() { dep::$0parse_size$1(\"1\"); }\n", "E0425", message),
        "fn f() { dep::Size::parse(\"1\"); }\n"
    );
}

#[test]
fn a_trait_with_the_members_of_one_that_is_gone_takes_its_place() {
    let old = "pub trait BlockInput { type BlockSize; }\npub trait Other { fn x(); }";
    let new =
        "pub trait SizeUser { type BlockSize; fn block_size() {} }\npub trait More { fn y(); }";
    let text = "use dep::$0BlockInput$1;\nfn f<T: BlockInput>() {}\n";
    assert_eq!(
        adapted(lib(old, new), text, "E0432", "unresolved import `dep::BlockInput`"),
        "use dep::SizeUser;\nfn f<T: SizeUser>() {}\n"
    );
}

#[test]
fn a_literal_gets_the_field_that_came() {
    let (old, new) =
        ("pub struct S { pub a: u8 }", "pub struct S { pub a: u8, pub extra: Option<u8> }");
    assert_eq!(
        adapted(
            lib(old, new),
            "fn f() -> dep::S { $0dep::S$1 { a: 1 } }\n",
            "E0063",
            "missing field `extra` in initializer of `S`"
        ),
        "fn f() -> dep::S { dep::S { a: 1, extra: None } }\n"
    );
}

#[test]
fn a_version_that_stays_may_have_the_name_behind_a_feature() {
    let text = "pub struct Many;\nimpl Many {\n    #[cfg(feature = \"extra\")]\n    pub fn from_const() -> Many { Many }\n    pub fn new() -> Many { Many }\n}\n";
    let same = || {
        let it = release("1.0.0", &[("src/lib.rs", text)], "");
        Library::new("dep".to_owned(), "dep".to_owned(), it.clone(), it)
    };
    let user = "use dep::Many;\nfn f() { Many::$0from_const$1(); }\n";
    let message = |ty: &str| {
        format!(
            "no function or associated item named `from_const` found for struct `{ty}` in the current scope"
        )
    };
    assert_eq!(
        adapted(same(), user, "E0599", &message("Many<_>")),
        "[dependencies]\ndep = { version = \"2\", features = [\"extra\"] }\n"
    );
    // A type of the project.
    assert_eq!(adapted(same(), user, "E0599", &message("Other")), "nothing");
    let known = user.replace("from_const", "new");
    let message = message("Many").replace("from_const", "new");
    assert_eq!(adapted(same(), &known, "E0599", &message), "nothing");
}

#[test]
fn an_impl_that_a_crate_offers_has_the_feature_that_enables_it() {
    let mut it = release("1.0.0", &[("src/lib.rs", "pub struct Path;\n")], "");
    it.features = SortedMap::from([
        ("default".to_owned(), Vec::new()),
        ("serde1".to_owned(), vec!["dep:serde_core".to_owned()]),
    ]);
    let same = Library::new("dep".to_owned(), "dep".to_owned(), it.clone(), it);
    let (plain, mut errors) = marked(
        "#[derive($0Serialize$1)]\nstruct S { a: dep::Path }\n",
        "E0277",
        "the trait bound `dep::Path: serde::Serialize` is not satisfied",
    );
    errors[0].children.push(base::SubDiagnostic {
        severity: base::Severity::Note,
        message:
            "for types from other crates check whether the crate offers a `serde` feature flag"
                .to_owned(),
        spans: Vec::new(),
        replacements: Vec::new(),
    });
    let names: Vec<String> = crate::missed_names(&errors).into_iter().collect();
    assert_eq!(names, ["Path"]);
    let tree = Tree::of(&[("src/lib.rs", &plain), ("Cargo.toml", MANIFEST)]);
    let found = |library: Library| {
        let difference = Difference::default().with_libraries(vec![library]);
        propagate(&difference, &[], &errors, &tree)
    };
    let offered = found(same);
    let [one] = offered.as_slice() else { panic!("{offered:?}") };
    assert_eq!(one.reason, "`dep` 1.0.0 needs the feature `serde1`");
    // A type that the compiler shows in the project is none of a dependency that has one of its name.
    let mut own = errors.clone();
    let spans = own[0].spans.clone();
    own[0].children.push(base::SubDiagnostic {
        spans,
        ..base::SubDiagnostic::new(
            base::Severity::Help,
            "the trait `Serialize` is not implemented for `m::Path`",
        )
    });
    assert_eq!(crate::missed_names(&own).len(), 0);
    // An associated type of this name is none that could have an impl, and a crate offers no feature of
    // its own name.
    let member = "pub trait Access { type Path; }\n";
    for (name, text) in [("dep", member), ("serde", "pub struct Path;\n")] {
        let mut it = release("1.0.0", &[("src/lib.rs", text)], "");
        let source = it.crates["dep"].clone();
        (it.name, it.crates) = (name.to_owned(), SortedMap::from([(name.to_owned(), source)]));
        it.features = SortedMap::from([("rc".to_owned(), vec!["serde_core/rc".to_owned()])]);
        let library = Library::new(name.to_owned(), name.to_owned(), it.clone(), it);
        assert_eq!(found(library).len(), 0, "{name}");
    }
}

#[test]
fn a_macro_of_a_crate_that_the_dependency_re_exports_has_its_feature() {
    let text =
        "#[cfg(feature = \"extra\")]\n#[macro_export]\nmacro_rules! version { () => { 1 } }\n";
    let mut it = release("1.0.0", &[("src/lib.rs", "pub use dep_core::*;\n")], "");
    let core = release("1.0.0", &[("src/lib.rs", text)], "");
    it.crates.insert("dep_core".to_owned(), core.crates["dep"].clone());
    let library = || Library::new("dep".to_owned(), "dep".to_owned(), it.clone(), it.clone());
    let wanted = MANIFEST.replace("\"2\"", "{ version = \"2\", features = [\"extra\"] }");
    for (user, code, message) in [
        ("fn f() -> u8 { dep::$0version$1!() }\n", "E0433", "cannot find `version` in `dep`"),
        ("use dep::{$0version$1};\n", "E0432", "unresolved import `dep::version`"),
    ] {
        let (_, errors) = marked(user, code, message);
        let names: Vec<String> = crate::missed_names(&errors).into_iter().collect();
        assert_eq!(names, ["version"]);
        assert_eq!(adapted(library(), user, code, message), wanted, "{user}");
    }
}

#[test]
fn a_member_of_a_type_that_the_project_defines_is_missed_of_no_dependency() {
    let (plain, mut errors) =
        marked("struct S;\nfn f(s: S) { s.$0g$1() }\n", "E0599", "no method named `g` found");
    let names = |errors: &[base::Diagnostic]| crate::missed_names(errors).len();
    assert_eq!(names(&errors), 1);
    let path = base::ProjectPath::new("src/lib.rs").unwrap();
    let label = base::DiagnosticSpan::primary(&path, &plain, base::ByteSpan::new(0, 8));
    let label = base::DiagnosticSpan {
        primary: false,
        label: Some("method `g` not found for this struct".to_owned()),
        ..label
    };
    errors[0].spans.push(label);
    assert_eq!(names(&errors), 0);
}

#[test]
fn an_impl_of_a_type_of_a_dependency_has_the_feature_around_it() {
    let text = "pub struct Doc;\n#[cfg(feature = \"extra\")]\nimpl std::str::FromStr for Doc {\n    type Err = ();\n    \
                fn from_str(_: &str) -> Result<Self, ()> { Ok(Self) }\n}\n";
    let same = |text: &str| {
        let it = release("1.0.0", &[("src/lib.rs", text)], "");
        Library::new("dep".to_owned(), "dep".to_owned(), it.clone(), it)
    };
    let user = "fn f() { \"a\".$0parse$1::<dep::Doc>(); }\n";
    let message = "the trait bound `dep::Doc: FromStr` is not satisfied";
    assert_eq!(
        adapted(same(text), user, "E0277", message),
        "[dependencies]\ndep = { version = \"2\", features = [\"extra\"] }\n"
    );
    let open = text.replace("#[cfg(feature = \"extra\")]\n", "");
    assert_eq!(adapted(same(&open), user, "E0277", message), "nothing");
    let other = message.replace("FromStr", "Debug");
    assert_eq!(adapted(same(text), user, "E0277", &other), "nothing");
}
