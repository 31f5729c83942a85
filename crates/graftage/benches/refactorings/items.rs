//! Definitions of a source text. Macro calls and the bodies of macros are left out; nothing is resolved.
//! [`definitions`] is the entry.

use crate::reader::{Span, SpanClass, position, spans};

/// Keyword or role by which an item is picked.
pub(crate) type ItemKind = &'static str;

/// Definition of a named item.
#[derive(Clone, Debug)]
pub(crate) struct Definition {
    pub(crate) kind: ItemKind,
    pub(crate) name: String,
    /// Path of the file in the repository.
    pub(crate) file: String,
    pub(crate) line: usize,
    pub(crate) column: usize,
    /// True if `pub` precedes the item, without a restriction.
    pub(crate) public: bool,
    /// True if the item is in a module, not in an impl, a trait or a body.
    pub(crate) free: bool,
    /// Names of the parameters of a function, without `self`; empty if one of them is a pattern.
    pub(crate) parameters: Vec<String>,
    /// True for a struct with named fields.
    pub(crate) has_fields: bool,
    /// True for a function with an attribute `test`, which can have no parameters and no callers.
    pub(crate) is_test: bool,
}

/// Context of the items between two braces.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Scope {
    Module,
    Impl,
    TraitImpl,
    Trait,
    Body,
}

/// Definitions of `text`, the content of `file`.
pub(crate) fn definitions(file: &str, text: &str) -> Vec<Definition> {
    let tokens: Vec<Span<'_>> = spans(text)
        .into_iter()
        .filter(|it| !matches!(it.class, SpanClass::Comment | SpanClass::Documentation))
        .collect();
    let (scopes, found) = (Vec::new(), Vec::new());
    let mut parser = Parser { file, text, tokens, at: 0, scopes, after_test: false, found };
    parser.run();
    parser.found
}

struct Parser<'a> {
    file: &'a str,
    text: &'a str,
    tokens: Vec<Span<'a>>,
    at: usize,
    scopes: Vec<Scope>,
    /// True after an attribute `test`, until the next item.
    after_test: bool,
    found: Vec<Definition>,
}

impl<'a> Parser<'a> {
    fn token(&self, at: usize) -> &'a str {
        self.tokens.get(at).map_or("", |it| it.text)
    }

    fn scope(&self) -> Scope {
        self.scopes.last().copied().unwrap_or(Scope::Module)
    }

    fn run(&mut self) {
        while self.at < self.tokens.len() {
            match self.token(self.at) {
                "{" => self.open(Scope::Body),
                "}" => {
                    self.scopes.pop();
                    self.at += 1;
                }
                "#" => {
                    self.at += if self.token(self.at + 1) == "!" { 2 } else { 1 };
                    let start = self.at;
                    self.skip_group();
                    self.after_test |= self.is_test(start);
                }
                "!" if self.is_macro_call() => {
                    self.at += 1;
                    self.skip_group();
                }
                keyword => self.item(keyword),
            }
        }
    }

    /// True if the attribute whose brackets begin at `at` is `test` or a path that ends with it.
    fn is_test(&self, at: usize) -> bool {
        let mut words = (at + 1..self.at).map(|at| self.token(at)).take_while(|it| *it != "(");
        words.clone().all(|it| !matches!(it, "=" | "cfg")) && words.any(|it| it == "test")
    }

    /// Enters the braces at the current token.
    fn open(&mut self, scope: Scope) {
        self.scopes.push(scope);
        self.at += 1;
    }

    fn is_macro_call(&self) -> bool {
        let before = self.at.checked_sub(1).map_or("", |at| self.token(at));
        let names = before.starts_with(|letter: char| letter.is_alphabetic() || letter == '_')
            && !matches!(before, "if" | "while" | "match" | "return" | "in" | "else" | "break");
        names && matches!(self.token(self.at + 1), "(" | "[" | "{")
    }

    fn item(&mut self, keyword: &'a str) {
        let name_at = self.at + 1;
        let before = self.at.checked_sub(1).map_or("", |at| self.token(at));
        let named = self.tokens.get(name_at).is_some_and(|it| it.class == SpanClass::Word);
        match keyword {
            "macro_rules" if self.token(name_at) == "!" => {
                self.record("macro", name_at + 1);
                self.at += 3;
                self.skip_group();
            }
            "fn" if named => self.function(name_at),
            "struct" | "union" if named && before != "." => self.structure(name_at),
            "enum" if named => self.enumeration(name_at),
            "trait" if named => {
                self.record("trait", name_at);
                self.block(Scope::Trait);
            }
            "impl" if !matches!(before, "(" | "," | ":" | ">" | "<" | "&" | "=" | "+") => {
                self.implementation();
            }
            "mod" if named => {
                self.record("module", name_at);
                self.block(Scope::Module);
            }
            "const" | "static" if named && before != "*" => self.constant(keyword, name_at),
            "type" if named => {
                match self.scope() {
                    Scope::Module | Scope::Body => self.record("type alias", name_at),
                    Scope::Trait => self.record("associated type", name_at),
                    Scope::Impl | Scope::TraitImpl => {}
                }
                self.at += 2;
            }
            _ => self.at += 1,
        }
    }

    fn constant(&mut self, keyword: &str, name_at: usize) {
        let mutable = usize::from(self.token(name_at) == "mut");
        let name_at = name_at + mutable;
        if self.token(name_at + 1) == ":" && self.token(name_at) != "_" {
            match self.scope() {
                Scope::Module | Scope::Body if keyword == "static" => {
                    self.record("static", name_at)
                }
                Scope::Module | Scope::Body => self.record("constant", name_at),
                Scope::Impl | Scope::Trait => self.record("associated constant", name_at),
                Scope::TraitImpl => {}
            }
        }
        self.at += 1;
    }

    fn function(&mut self, name_at: usize) {
        let kind = match self.scope() {
            Scope::Module | Scope::Body => "function",
            Scope::Impl => "method",
            Scope::Trait => "trait method",
            Scope::TraitImpl => "method of a trait impl",
        };
        self.record(kind, name_at);
        self.at = name_at + 1;
        self.skip_generics();
        let start = self.at;
        self.skip_group();
        let parameters = self.parameters(start, self.at);
        if let Some(last) = self.found.last_mut() {
            last.parameters = parameters;
        }
        self.block(Scope::Body);
    }

    /// Names of the parameters between the parentheses at `start` and before `end`.
    fn parameters(&self, start: usize, end: usize) -> Vec<String> {
        let mut names = Vec::new();
        for part in self.parts(start + 1, end.saturating_sub(1)) {
            let colon = part.iter().position(|at| self.token(*at) == ":");
            let pattern: Vec<&str> =
                part[..colon.unwrap_or(part.len())].iter().map(|at| self.token(*at)).collect();
            match (pattern.as_slice(), colon) {
                ([.., "self"], _) => {}
                ([name] | ["mut", name], Some(_)) => names.push((*name).to_owned()),
                _ => return Vec::new(),
            }
        }
        names
    }

    /// Token indexes of the parts between commas, without attributes.
    fn parts(&self, start: usize, end: usize) -> Vec<Vec<usize>> {
        let (mut parts, mut part, mut depth, mut at) = (Vec::new(), Vec::new(), 0_i32, start);
        while at < end {
            let text = self.token(at);
            if depth == 0 && text == "#" && self.token(at + 1) == "[" {
                at = self.group_end(at + 1);
                continue;
            }
            match text {
                "(" | "[" | "{" | "<" => depth += 1,
                ")" | "]" | "}" => depth -= 1,
                ">" if self.token(at - 1) != "-" && self.token(at - 1) != "=" => depth -= 1,
                _ => {}
            }
            if depth == 0 && text == "," {
                parts.push(std::mem::take(&mut part));
            } else {
                part.push(at);
            }
            at += 1;
        }
        parts.push(part);
        parts.retain(|it| !it.is_empty());
        parts
    }

    fn structure(&mut self, name_at: usize) {
        self.record("struct", name_at);
        let index = self.found.len() - 1;
        self.seek(&["{", "(", ";"]);
        if self.token(self.at) == "{" {
            self.found[index].has_fields = self.fields();
        } else if self.token(self.at) == "(" {
            self.skip_group();
        }
    }

    /// Records the named fields between the braces at the current token.
    fn fields(&mut self) -> bool {
        let start = self.at;
        self.skip_group();
        let mut any = false;
        for part in self.parts(start + 1, self.at - 1) {
            let colon = part.iter().position(|at| self.token(*at) == ":");
            if let Some(name) = colon.and_then(|colon| colon.checked_sub(1)) {
                self.record("field", part[name]);
                any = true;
            }
        }
        any
    }

    fn enumeration(&mut self, name_at: usize) {
        self.record("enum", name_at);
        self.seek(&["{", ";"]);
        let start = self.at;
        self.skip_group();
        let end = self.at;
        for part in self.parts(start + 1, end.saturating_sub(1)) {
            self.record("variant", part[0]);
            if part.get(1).is_some_and(|at| self.token(*at) == "{") {
                self.at = part[1];
                self.fields();
            }
        }
        self.at = end;
    }

    fn implementation(&mut self) {
        self.at += 1;
        self.skip_generics();
        let start = self.at;
        self.seek(&["{", ";"]);
        let of_trait =
            (start..self.at).any(|at| self.token(at) == "for" && self.token(at + 1) != "<");
        if self.token(self.at) == "{" {
            self.open(if of_trait { Scope::TraitImpl } else { Scope::Impl });
        }
    }

    /// Enters the next braces before a semicolon, with `scope` as their context.
    fn block(&mut self, scope: Scope) {
        self.seek(&["{", ";"]);
        if self.token(self.at) == "{" {
            self.open(scope);
        }
    }

    /// Skips to one of `ends` outside parentheses and brackets.
    fn seek(&mut self, ends: &[&str]) {
        while self.at < self.tokens.len() && !ends.contains(&self.token(self.at)) {
            if matches!(self.token(self.at), "(" | "[") {
                self.skip_group();
            } else {
                self.at += 1;
            }
        }
    }

    fn skip_generics(&mut self) {
        if self.token(self.at) != "<" {
            return;
        }
        let mut depth = 0;
        while self.at < self.tokens.len() {
            match self.token(self.at) {
                "<" => depth += 1,
                ">" if self.token(self.at - 1) != "-" => depth -= 1,
                _ => {}
            }
            self.at += 1;
            if depth == 0 {
                return;
            }
        }
    }

    fn skip_group(&mut self) {
        self.at = self.group_end(self.at);
    }

    /// Index after the group that begins at `at`.
    fn group_end(&self, mut at: usize) -> usize {
        let mut depth = 0;
        while at < self.tokens.len() {
            match self.token(at) {
                "(" | "[" | "{" => depth += 1,
                ")" | "]" | "}" => depth -= 1,
                _ => {}
            }
            at += 1;
            if depth <= 0 {
                break;
            }
        }
        at
    }

    fn record(&mut self, kind: ItemKind, name_at: usize) {
        let Some(token) = self.tokens.get(name_at) else { return };
        let (line, column) = position(self.text, token.start);
        let head = name_at.saturating_sub(6)..name_at;
        let head: Vec<&str> = head.map(|at| self.token(at)).collect();
        let from =
            head.iter().rposition(|it| matches!(*it, ";" | "{" | "}" | ",")).map_or(0, |it| it + 1);
        let public = head[from..].iter().rposition(|it| *it == "pub");
        let public = public.is_some_and(|at| head[from..].get(at + 1) != Some(&"("));
        self.found.push(Definition {
            kind,
            name: token.text.to_owned(),
            file: self.file.to_owned(),
            line,
            column,
            public,
            free: self.scope() == Scope::Module && !matches!(kind, "field" | "variant"),
            parameters: Vec::new(),
            has_fields: false,
            is_test: std::mem::take(&mut self.after_test),
        });
    }
}
