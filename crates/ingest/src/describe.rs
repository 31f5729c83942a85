//! The description of an item that the database, streams and the terminal share: computed from the
//! item's row, its file's text, and the rust-analyzer results for it.

use base::{ItemKind, Provenance, Timestamp, is_word};
use graph::{EdgeView, ItemView, Map};
use syntax::{NodeKind, Signature, TddClass};

use crate::{ItemFacts, MacroInterface, Signatures};

/// Longer parent chains do not occur in real code.
const DEPTH: usize = 256;

/// One item, described.
#[derive(Clone, Copy, Debug)]
pub struct Description<'a> {
    map: &'a Map,
    item: ItemView<'a>,
    text: &'a str,
    /// `None` if rust-analyzer did not analyze the file.
    facts: Option<ItemFacts<'a>>,
}

impl<'a> Description<'a> {
    /// Describes an item of `map`. `text` is the text of its file as it was when the map was built;
    /// without it the description is less complete.
    pub fn of(map: &'a Map, item: ItemView<'a>, text: Option<&'a str>) -> Self {
        Self { map, item, text: text.unwrap_or_default(), facts: None }
    }

    /// Adds the signature from rust-analyzer.
    pub fn with_ra(self, signatures: &'a Signatures) -> Self {
        if signatures.is_empty() {
            return self;
        }
        let Some(file) = self.map.file(self.item.file) else { return self };
        Self { facts: signatures.item_facts(file.path, file.hash, self.item.id()), ..self }
    }

    /// When rust-analyzer last analyzed its file.
    pub(crate) fn analyzed_at(&self) -> Option<Timestamp> {
        self.facts.map(|facts| facts.at)
    }

    /// The signature from rust-analyzer, as an editor shows it.
    pub fn ra_signature(&self) -> Option<&'a str> {
        self.facts?.signature
    }

    /// The item.
    pub(crate) fn item(&self) -> ItemView<'a> {
        self.item
    }

    /// The workspace items that its declaration names as types, by canonical path, resolved by
    /// rust-analyzer: in the head of items with a body of statements, otherwise in the whole item.
    /// `None` if the file was not analyzed.
    pub fn resolved_types(&self) -> Option<Vec<String>> {
        use ItemKind::{Enum, Function, Impl, Macro, MacroCall, Method, Module, Trait};
        use ItemKind::{Struct, TypeAlias, Union};
        let item = &self.item;
        if self.facts.is_none() || matches!(item.kind, Macro | MacroCall) {
            return None;
        }
        let end = match item.kind {
            Function | Method | Impl | Module | Trait => item.signature_end,
            _ => item.span.1,
        };
        let is_type = |kind| matches!(kind, Enum | Struct | Trait | TypeAlias | Union);
        let is_named = |edge: EdgeView| {
            let mut sites = self.map.sites(edge);
            sites.any(|it| it.file == item.file && (item.code_start..end).contains(&it.offset))
        };
        let mut types: Vec<String> = self
            .map
            .edges_out(item.number)
            .filter(|edge| edge.provenance == Provenance::Ra && is_named(*edge))
            .filter_map(|edge| self.map.item(edge.dst).filter(|to| is_type(to.kind)))
            .map(|to| to.canon())
            .collect();
        types.sort_unstable();
        types.dedup();
        Some(types)
    }

    /// The items that the macro call generates besides items of the map, according to
    /// rust-analyzer.
    pub fn generated_items(&self) -> &'a [MacroInterface] {
        self.facts.map_or(&[], |facts| facts.generated)
    }

    /// A part of its file; empty outside the text.
    pub fn slice(&self, from: u32, to: u32) -> &'a str {
        self.text.get(from as usize..to as usize).unwrap_or_default()
    }

    /// Its exact text, including doc comments and attributes. Empty for files and crates, whose
    /// items have the text, and for generated items: the text there is the macro call, which is an
    /// item itself and may generate many.
    pub fn code(&self) -> &'a str {
        match self.item.kind {
            ItemKind::File | ItemKind::Crate | ItemKind::Feature | ItemKind::External => "",
            _ if self.call_before_it().is_some() => "",
            _ => self.slice(self.item.span.0, self.item.span.1),
        }
    }

    /// The path of the macro call that generated the item, if the text at its span is the call;
    /// tokens that a macro passes on unchanged have their own span.
    fn call_before_it(&self) -> Option<&'a str> {
        let item = &self.item;
        let is_made = item.flags.from_macro
            && item.signature_end == item.span.1
            && !matches!(item.kind, ItemKind::MacroCall | ItemKind::Macro | ItemKind::Variant);
        if !is_made {
            return None;
        }
        let text = after_attributes(self.slice(item.code_start, item.span.1));
        let is_path = |ch: char| ch.is_alphanumeric() || matches!(ch, '_' | ':' | '$');
        let (path, rest) = text.split_at(text.find(|ch| !is_path(ch))?);
        (!path.is_empty() && rest.trim_start().starts_with('!')).then_some(path)
    }

    /// Its doc comments and attributes.
    pub fn before(&self) -> &'a str {
        self.slice(self.item.span.0, self.item.code_start)
    }

    /// Whether its text contains a syntax error.
    pub fn is_recovered(&self) -> bool {
        self.item.flags.is_recovered || self.item.parse_errors > 0
    }

    /// Its signature in one line, from its text; exact only if the text parses.
    pub fn signature(&self) -> Signature {
        let item = &self.item;
        let head = self.slice(item.code_start, item.signature_end);
        let Some(kind) = node_kind(item.kind) else {
            return Signature { written: one_line(item.kind, head), is_exact: false };
        };
        let body = self.slice(item.signature_end, item.span.1);
        if let Some(path) = self.call_before_it() {
            return Signature { written: format!("{path}!"), is_exact: false };
        }
        let signature = syntax::signature_of_head(kind, head, body);
        Signature { is_exact: signature.is_exact && !self.is_recovered(), ..signature }
    }

    /// The signature to show if only one is shown: the exact one, otherwise (generated items,
    /// syntax errors) that of rust-analyzer in one line, otherwise the text.
    pub fn best_signature(&self) -> String {
        self.best_of(self.signature())
    }

    /// The same for a signature that is already computed.
    pub fn best_of(&self, signature: Signature) -> String {
        match self.ra_signature() {
            Some(of_analyzer) if !signature.is_exact => {
                of_analyzer.split_whitespace().collect::<Vec<_>>().join(" ")
            }
            _ => signature.written,
        }
    }

    /// `<T: Clone, const N: usize>` of `fn f<T: Clone, const N: usize>(…)`; empty if there is none.
    pub fn generics(&self, signature: &Signature) -> String {
        let text = &signature.written;
        let at = match self.item.kind {
            ItemKind::Impl => word_end(text, "impl"),
            _ => word_end(text, &self.item.name()),
        };
        at.map(|at| in_brackets(&text[at..]).to_owned()).unwrap_or_default()
    }

    /// Confidence between 0 and 1: starts at 1 and is reduced for each doubt.
    pub fn confidence(&self, signature: &Signature) -> f64 {
        let mut tenths = 10;
        // rust-analyzer has no signatures for these kinds.
        use ItemKind::{Impl, Import, MacroCall, Module};
        let is_unsigned = matches!(self.item.kind, Impl | Import | MacroCall | Module);
        let is_analyzed = is_unsigned && self.facts.is_some() && !self.item.flags.is_inactive;
        if self.ra_signature().is_none() && !is_analyzed {
            tenths -= 2;
        }
        if self.item.parse_errors > 0 {
            tenths -= 4;
        }
        if node_kind(self.item.kind).is_some() && !signature.is_exact {
            tenths -= 2;
        }
        f64::from(tenths) / 10.0
    }

    /// Whether it is production code or test code.
    pub fn class(&self) -> TddClass {
        let is_function = matches!(self.item.kind, ItemKind::Function | ItemKind::Method);
        if is_function && self.item.flags.is_test && syntax::is_test_head(self.before()) {
            return TddClass::Test;
        }
        if self.is_for_tests() { TddClass::TestHelper } else { TddClass::Production }
    }

    /// Whether only tests compile it or it is test code: by its own cfg or that of a container, by
    /// its crate, by its path.
    pub fn is_for_tests(&self) -> bool {
        let krate = self.map.krate(self.item.krate);
        self.item.flags.is_test
            || krate.is_some_and(|krate| matches!(krate.kind, "test" | "bench"))
            || self.item.path().is_some_and(syntax::is_test_path)
            || self.holders().any(|holder| holder.flags.is_test)
    }

    /// 1: item of a module; 2: member, or item within a function.
    pub fn level(&self) -> u8 {
        let holder = self.holders().next();
        let is_member = holder.is_some_and(|holder| {
            matches!(
                holder.kind,
                ItemKind::Impl
                    | ItemKind::Trait
                    | ItemKind::Enum
                    | ItemKind::Function
                    | ItemKind::Method
            )
        });
        if is_member { 2 } else { 1 }
    }

    /// The path of the module that contains it, without the crate's name; for a module, its parent.
    pub fn module_path(&self) -> String {
        let module = self.holders().find(|holder| holder.kind == ItemKind::Module);
        let canon = module.map(|module| module.canon()).unwrap_or_default();
        canon.split_once("::").map(|(_, path)| path.to_owned()).unwrap_or_default()
    }

    /// Its containers, innermost first.
    fn holders(&self) -> impl Iterator<Item = ItemView<'a>> {
        let map = self.map;
        let holder = move |item: &ItemView<'_>| item.parent.and_then(|it| map.item(it));
        std::iter::successors(holder(&self.item), holder).take(DEPTH)
    }
}

/// The syntax kind of items that have a signature of their own.
fn node_kind(kind: ItemKind) -> Option<NodeKind> {
    Some(match kind {
        ItemKind::Function => NodeKind::Function,
        ItemKind::Method => NodeKind::Method,
        ItemKind::Struct => NodeKind::Struct,
        ItemKind::Enum => NodeKind::Enum,
        ItemKind::Union => NodeKind::Union,
        ItemKind::Trait => NodeKind::Trait,
        ItemKind::Impl => NodeKind::Impl,
        ItemKind::Module => NodeKind::Module,
        ItemKind::Const => NodeKind::Const,
        ItemKind::Static => NodeKind::Static,
        ItemKind::TypeAlias => NodeKind::TypeAlias,
        ItemKind::Macro => NodeKind::Macro,
        ItemKind::Import => NodeKind::Import,
        ItemKind::Variant
        | ItemKind::MacroCall
        | ItemKind::Crate
        | ItemKind::File
        | ItemKind::Feature
        | ItemKind::External => return None,
    })
}

/// The text without leading doc comments and attributes.
fn after_attributes(text: &str) -> &str {
    let mut rest = text.trim_start();
    loop {
        if rest.starts_with("//") {
            rest = rest.split_once('\n').map_or("", |(_, rest)| rest).trim_start();
        } else if rest.starts_with("#[") {
            let mut depth = 0_usize;
            let end = rest.char_indices().find(|(_, ch)| {
                depth += usize::from(*ch == '[');
                depth -= usize::from(*ch == ']' && depth > 0);
                *ch == ']' && depth == 0
            });
            rest = end.map_or("", |(at, _)| &rest[at + 1..]).trim_start();
        } else {
            return rest;
        }
    }
}

/// The text of an item without a signature, in one line.
fn one_line(kind: ItemKind, head: &str) -> String {
    match kind {
        ItemKind::Variant | ItemKind::MacroCall => {
            // The fields of a variant may have comments.
            let code = syntax::split_docs(head).code;
            let lines = code.lines().filter(|line| !line.trim_start().starts_with("//"));
            let words: Vec<&str> = lines.flat_map(str::split_whitespace).collect();
            words.join(" ").trim_end_matches(['{', '=', ';', ',', ' ']).to_owned()
        }
        _ => String::new(),
    }
}

/// The end of a word in the text, outside other words and brackets.
fn word_end(text: &str, word: &str) -> Option<usize> {
    text.match_indices(word).find_map(|(at, _)| {
        let end = at + word.len();
        let is_apart = text[..at].chars().next_back().is_none_or(char::is_whitespace)
            && !text[end..].starts_with(is_word);
        (is_apart && !word.is_empty()).then_some(end)
    })
}

/// The leading `<…>` of a text; empty if there is none, or if it is not closed.
fn in_brackets(text: &str) -> &str {
    if !text.starts_with('<') {
        return "";
    }
    let mut depth = 0_usize;
    let mut before = ' ';
    for (at, ch) in text.char_indices() {
        match ch {
            '<' => depth += 1,
            '>' if before != '-' && before != '=' => depth = depth.saturating_sub(1),
            _ => {}
        }
        if depth == 0 {
            return &text[..=at];
        }
        before = ch;
    }
    ""
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use base::ProjectPath;

    use super::*;
    use crate::in_memory::ingest_file;

    /// The description of each item of a file.
    fn described(path: &str, text: &str) -> Vec<String> {
        let path = ProjectPath::new(path).unwrap();
        let data = ingest_file(&testkit::ctx(), &path, text).unwrap();
        let map = Map::open(Arc::new(data.to_bytes())).unwrap();
        let inside = map.items().filter(|item| item.path().is_some());
        let inside = inside.filter(|item| !matches!(item.kind, ItemKind::File | ItemKind::Crate));
        inside
            .map(|item| {
                let it = Description::of(&map, item, Some(text));
                let signature = it.signature();
                let exact = if signature.is_exact { "" } else { " ?" };
                let (class, level) = (it.class().as_str(), it.level());
                let (generics, sure) = (it.generics(&signature), it.confidence(&signature));
                let module = it.module_path();
                format!(
                    "{}{exact} | {sure} {class} {level} [{generics}] [{module}]",
                    signature.written
                )
            })
            .collect()
    }

    #[test]
    fn an_item_is_described_by_its_row_and_its_text() {
        let text = "\
/// Doc.
pub fn f<T: Into<Vec<u8>>, F: Fn() -> T>(f: f<F>)
where T: Clone { body }
unsafe impl<'a, T> Send for S<'a, T> { fn m(&self) { fn inner() {} } const C: u8 = 1; }
struct S<'a, T>(&'a T);
enum E { A, B { /** No. */ x: u8 } }
mod m { pub static X: &str = \"a = b\"; mod n { type A<T> = Vec<T>; } }
macro_rules! mac { () => { struct Made; } }
mac!{}
";
        let want = [
            "pub fn f<T: Into<Vec<u8>>, F: Fn() -> T>(f: f<F>) where T: Clone | 0.8 production 1 [<T: Into<Vec<u8>>, F: Fn() -> T>] []",
            "unsafe impl<'a, T> Send for S<'a, T> | 0.8 production 1 [<'a, T>] []",
            "fn m(&self) | 0.8 production 2 [] []",
            "fn inner() | 0.8 production 2 [] []",
            "const C: u8 | 0.8 production 2 [] []",
            "struct S<'a, T>(&'a T) | 0.8 production 1 [<'a, T>] []",
            "enum E | 0.8 production 1 [] []",
            "A ? | 0.8 production 2 [] []",
            "B { x: u8 } ? | 0.8 production 2 [] []",
            "mod m | 0.8 production 1 [] []",
            "pub static X: &str | 0.8 production 1 [] [m]",
            "mod n | 0.8 production 1 [] [m]",
            "type A<T> = Vec<T> | 0.8 production 1 [<T>] [m::n]",
            "macro_rules! mac | 0.8 production 1 [] []",
            "mac! ? | 0.8 production 1 [] []",
            "mac! ? | 0.6 production 1 [] []",
        ];
        assert_eq!(described("a.rs", text), want);
    }

    #[test]
    fn an_item_with_syntax_errors_has_no_exact_signature_and_less_confidence() {
        let described = described(
            "a.rs",
            "fn f() { let x = ; }\nfn g() {}\nimpl S { fn h( ) { } fn i(x y) {} }\n",
        );
        assert_eq!(described[0], "fn f() ? | 0.2 production 1 [] []");
        assert_eq!(described[1], "fn g() | 0.8 production 1 [] []");
        assert!(described[2].starts_with("impl S ? | 0.2"), "{described:?}");
        assert!(described[3].starts_with("fn h() | 0.8"), "{described:?}");
    }

    #[test]
    fn tests_are_recognized_by_attributes_and_helpers_by_their_containers() {
        let text = "\
#[cfg(test)] mod t {
    /// #[test]
    fn helper() {}
    #[tokio::test(flavor = \"x\")] async fn t() {}
    impl S { #[test] fn method() {} }
    struct Fixture;
}
#[cfg(not(test))] fn p() {}
#[cfg_attr(test, derive(Debug))] struct P;
";
        let class = |path: &str| {
            let words = |line: &String| line.split(' ').rev().nth(3).unwrap().to_owned();
            described(path, text).iter().map(words).collect::<Vec<_>>().join(" ")
        };
        let inside = "test_helper test_helper test test_helper test test_helper";
        assert_eq!(class("src/a.rs"), format!("{inside} production production"));
        assert_eq!(class("benches/a.rs"), format!("{inside} test_helper test_helper"));
        assert_eq!(class("src/a/tests.rs"), format!("{inside} test_helper test_helper"));
    }
}
