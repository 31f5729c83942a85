//! What is said of an item, wherever something is said of it: in the database, in streams, on the
//! terminal. It follows from the item's row, its file's text, and what rust-analyzer said of it.

use base::{Provenance, Timestamp};
use graph::{EdgeView, ItemKind, ItemView, Map};
use syntax::{NodeKind, Signature, TddClass};

use crate::{About, MacroInterface, Signatures};

/// Longer chains of holders are no code that anybody wrote.
const DEPTH: usize = 256;

/// One item, described.
#[derive(Clone, Copy, Debug)]
pub struct Description<'a> {
    map: &'a Map,
    item: ItemView<'a>,
    text: &'a str,
    /// `None`: rust-analyzer does not know its file.
    said: Option<About<'a>>,
}

impl<'a> Description<'a> {
    /// Of an item of `map`. `text` is that of its file as it was when the map was made; without it
    /// there is less to say.
    pub fn of(map: &'a Map, item: ItemView<'a>, text: Option<&'a str>) -> Self {
        Self { map, item, text: text.unwrap_or_default(), said: None }
    }

    /// With the signature that rust-analyzer gives the item.
    pub fn with_ra(self, signatures: &'a Signatures) -> Self {
        if signatures.is_empty() {
            return self;
        }
        let Some(file) = self.map.file(self.item.file) else { return self };
        Self { said: signatures.about(file.path, file.hash, self.item.id()), ..self }
    }

    /// When rust-analyzer last spoke of its file.
    pub fn said_at(&self) -> Option<Timestamp> {
        self.said.map(|said| said.at)
    }

    /// The signature that rust-analyzer gives it, as an editor shows it.
    pub fn ra_signature(&self) -> Option<&'a str> {
        self.said?.signature
    }

    /// What is described.
    pub fn item(&self) -> ItemView<'a> {
        self.item
    }

    /// The items of the workspace that its declaration names as types, by canonical path, as
    /// rust-analyzer resolves them: in the head of what has a body of statements, in all of the
    /// others. `None` where it was not asked about the file.
    pub fn resolved_types(&self) -> Option<Vec<String>> {
        use ItemKind::{Enum, Function, Impl, Macro, MacroCall, Method, Module, Trait};
        use ItemKind::{Struct, TypeAlias, Union};
        let item = &self.item;
        if self.said.is_none() || matches!(item.kind, Macro | MacroCall) {
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

    /// What the macro call makes besides items of the map, as rust-analyzer has it.
    pub fn made(&self) -> &'a [MacroInterface] {
        self.said.map_or(&[], |said| said.made)
    }

    /// A part of its file; empty where that is no text.
    pub fn slice(&self, from: u32, to: u32) -> &'a str {
        self.text.get(from as usize..to as usize).unwrap_or_default()
    }

    /// Its exact text, doc comments and attributes included. Files and crates have none: their
    /// items have it. What a macro made has none either: what stands there is the call, which may
    /// be long, is an item itself, and makes many.
    pub fn code(&self) -> &'a str {
        match self.item.kind {
            ItemKind::File | ItemKind::Crate | ItemKind::Feature | ItemKind::External => "",
            _ if self.call_before_it().is_some() => "",
            _ => self.slice(self.item.span.0, self.item.span.1),
        }
    }

    /// The path of the macro call that made the item, where that call stands in its place; what a
    /// macro handed on as it was stands there itself.
    fn call_before_it(&self) -> Option<&'a str> {
        let item = &self.item;
        let is_made = item.flags.from_macro
            && item.signature_end == item.span.1
            && !matches!(item.kind, ItemKind::MacroCall | ItemKind::Macro | ItemKind::Variant);
        if !is_made {
            return None;
        }
        let text = behind_attributes(self.slice(item.code_start, item.span.1));
        let is_path = |ch: char| ch.is_alphanumeric() || matches!(ch, '_' | ':' | '$');
        let (path, rest) = text.split_at(text.find(|ch| !is_path(ch))?);
        (!path.is_empty() && rest.trim_start().starts_with('!')).then_some(path)
    }

    /// Its doc comments and attributes.
    pub fn before(&self) -> &'a str {
        self.slice(self.item.span.0, self.item.code_start)
    }

    /// Its slice crosses a syntax error.
    pub fn is_recovered(&self) -> bool {
        self.item.flags.is_recovered || self.item.parse_errors > 0
    }

    /// Its signature in one line, as far as its file shows it; exactly only where its slice parses.
    pub fn signature(&self) -> Signature {
        let item = &self.item;
        let head = self.slice(item.code_start, item.signature_end);
        let Some(kind) = node_kind(item.kind) else {
            return Signature { written: plain(item.kind, head), exact: None };
        };
        let body = self.slice(item.signature_end, item.span.1);
        if let Some(path) = self.call_before_it() {
            return Signature { written: format!("{path}!"), exact: None };
        }
        let signature = syntax::signature_of_head(kind, head, body);
        let exact = signature.exact.filter(|_| !self.is_recovered());
        Signature { exact, ..signature }
    }

    /// The one to show where one is shown: the exact one; of what has none – a macro made it, it
    /// does not parse – that of rust-analyzer, in one line; else what is written.
    pub fn best_signature(&self) -> String {
        self.best_of(self.signature())
    }

    /// The same of its signature that is at hand.
    pub fn best_of(&self, signature: Signature) -> String {
        let of_analyzer =
            || self.ra_signature().map(|it| it.split_whitespace().collect::<Vec<_>>().join(" "));
        signature.exact.or_else(of_analyzer).unwrap_or(signature.written)
    }

    /// `<T: Clone, const N: usize>` of `fn f<T: Clone, const N: usize>(…)`; empty: none.
    pub fn generics(&self, signature: &Signature) -> String {
        let text = &signature.written;
        let at = match self.item.kind {
            ItemKind::Impl => word_end(text, "impl"),
            _ => word_end(text, &self.item.name()),
        };
        at.map(|at| in_brackets(&text[at..]).to_owned()).unwrap_or_default()
    }

    /// G6: what speaks against it, between 0 and 1.
    pub fn confidence(&self, signature: &Signature) -> f64 {
        let mut tenths = 10;
        // It gives no signature to what is no definition.
        use ItemKind::{Impl, Import, MacroCall, Module};
        let is_unsigned = matches!(self.item.kind, Impl | Import | MacroCall | Module);
        let is_seen = is_unsigned && self.said.is_some() && !self.item.flags.is_inactive;
        if self.ra_signature().is_none() && !is_seen {
            tenths -= 2;
        }
        if self.item.parse_errors > 0 {
            tenths -= 4;
        }
        if node_kind(self.item.kind).is_some() && signature.exact.is_none() {
            tenths -= 2;
        }
        f64::from(tenths) / 10.0
    }

    /// What it is for.
    pub fn class(&self) -> TddClass {
        let is_function = matches!(self.item.kind, ItemKind::Function | ItemKind::Method);
        if is_function && self.item.flags.is_test && syntax::is_test_head(self.before()) {
            return TddClass::Test;
        }
        if self.is_for_tests() { TddClass::TestHelper } else { TddClass::Production }
    }

    /// Only tests compile it, or it stands with tests: by its own cfg or that of what holds it, by
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

    /// The path of the module that it stands in, without the crate's name; of a module, its own
    /// parent's.
    pub fn module_path(&self) -> String {
        let module = self.holders().find(|holder| holder.kind == ItemKind::Module);
        let canon = module.map(|module| module.canon()).unwrap_or_default();
        canon.split_once("::").map(|(_, path)| path.to_owned()).unwrap_or_default()
    }

    /// What holds it, from the inside out.
    fn holders(&self) -> impl Iterator<Item = ItemView<'a>> {
        let map = self.map;
        let holder = move |item: &ItemView<'_>| item.parent.and_then(|it| map.item(it));
        std::iter::successors(holder(&self.item), holder).take(DEPTH)
    }
}

/// What of the kinds is declared by a head of its own.
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

/// A text without the doc comments and attributes that it begins with.
fn behind_attributes(text: &str) -> &str {
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

/// What has no head of its own is shown as it stands there, if it stands anywhere.
fn plain(kind: ItemKind, head: &str) -> String {
    match kind {
        ItemKind::Variant | ItemKind::MacroCall => {
            // The fields of a variant have comments of their own.
            let code = syntax::split_docs(head).code;
            let lines = code.lines().filter(|line| !line.trim_start().starts_with("//"));
            let words: Vec<&str> = lines.flat_map(str::split_whitespace).collect();
            words.join(" ").trim_end_matches(['{', '=', ';', ',', ' ']).to_owned()
        }
        _ => String::new(),
    }
}

/// Where a word ends that stands by itself: not a part of another, and not inside brackets.
fn word_end(text: &str, word: &str) -> Option<usize> {
    let is_part = |ch: char| ch.is_alphanumeric() || ch == '_';
    text.match_indices(word).find_map(|(at, _)| {
        let end = at + word.len();
        let is_apart = text[..at].chars().next_back().is_none_or(char::is_whitespace)
            && !text[end..].starts_with(is_part);
        (is_apart && !word.is_empty()).then_some(end)
    })
}

/// `<…>` at the beginning of a text; empty where there is none, or no end to it.
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
    use crate::batch::lone_file;

    /// Each item of a file with what is said of it.
    fn said(path: &str, text: &str) -> Vec<String> {
        let path = ProjectPath::new(path).unwrap();
        let data = lone_file(&testkit::ctx(), &path, text).unwrap();
        let map = Map::open(Arc::new(data.to_bytes())).unwrap();
        let inside = map.items().filter(|item| item.path().is_some());
        let inside = inside.filter(|item| !matches!(item.kind, ItemKind::File | ItemKind::Crate));
        inside
            .map(|item| {
                let it = Description::of(&map, item, Some(text));
                let signature = it.signature();
                let exact = match &signature.exact {
                    Some(exact) if *exact == signature.written => "",
                    Some(_) => " (other)",
                    None => " ?",
                };
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
        assert_eq!(said("a.rs", text), want);
    }

    #[test]
    fn what_did_not_parse_has_no_exact_signature_and_less_confidence() {
        let said =
            said("a.rs", "fn f() { let x = ; }\nfn g() {}\nimpl S { fn h( ) { } fn i(x y) {} }\n");
        assert_eq!(said[0], "fn f() ? | 0.2 production 1 [] []");
        assert_eq!(said[1], "fn g() | 0.8 production 1 [] []");
        assert!(said[2].starts_with("impl S ? | 0.2"), "{said:?}");
        assert!(said[3].starts_with("fn h() | 0.8"), "{said:?}");
    }

    #[test]
    fn tests_are_told_by_attributes_and_helpers_by_what_holds_them() {
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
            said(path, text).iter().map(words).collect::<Vec<_>>().join(" ")
        };
        let inside = "test_helper test_helper test test_helper test test_helper";
        assert_eq!(class("src/a.rs"), format!("{inside} production production"));
        assert_eq!(class("benches/a.rs"), format!("{inside} test_helper test_helper"));
        assert_eq!(class("src/a/tests.rs"), format!("{inside} test_helper test_helper"));
    }
}
