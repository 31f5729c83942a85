//! The statements of a text that reach outside of the program, the functions that they are in, and what they
//! are given: the constants, variables and assignments that they name, and what those name in turn. A
//! change of any of them changes what is reached.
//!
//! Fields, parameters and what other functions return are not followed. Constants that other files may name
//! are a matter of [`Text::shared_constants`].

use std::ops::Range;

use base::{ByteSpan, SortedMap, SortedSet};
use preserve::outline::{Token, TokenKind};

use super::given::{closing, functions, given};

/// How often the tokens of a text are read at most.
const MAX_READINGS: usize = 64;

/// The tokens of a text, each with the outermost function around it.
pub(super) struct Text<'t> {
    list: &'t [Token<'t>],
    /// For each token the index of the `fn` of its function.
    functions: Vec<Option<usize>>,
    /// For each opening bracket the index of the one that closes it.
    closing: Vec<Option<usize>>,
    /// For each closing bracket the index of the one that opens it.
    opening: SortedMap<usize, usize>,
}

/// A statement that gives names a value.
struct Binding {
    names: SortedSet<String>,
    part: Range<usize>,
    /// The function in which the names mean it; a constant has none.
    function: Option<usize>,
}

impl<'t> Text<'t> {
    pub(super) fn new(list: &'t [Token<'t>]) -> Self {
        let closing = closing(list);
        let pairs = closing.iter().enumerate().filter_map(|(open, it)| Some(((*it)?, open)));
        let opening = pairs.collect();
        Self { list, functions: functions(list), closing, opening }
    }

    /// The statements with a token that reaches outside, and those that give them their values, each
    /// once, as ranges of tokens. The whole text, where its statements lie in each other so often that
    /// following them would take too long.
    pub(super) fn reaching(&self, reaches: impl Fn(usize) -> bool + Copy) -> Vec<Range<usize>> {
        let mut queue: Vec<Range<usize>> = Vec::new();
        for at in (0..self.list.len()).filter(|at| reaches(*at)) {
            if queue.last().is_none_or(|it| !it.contains(&at)) {
                queue.push(self.statement(at));
            }
        }
        queue.retain(|it| !self.tokens(it).iter().any(|it| it.is("use")));
        if queue.is_empty() {
            return queue;
        }
        let bindings = self.bindings();
        let handles = self.handles(&bindings, reaches);
        for (at, token) in self.list.iter().enumerate() {
            let function = self.functions.get(at).copied().flatten();
            let is_handle = || handles.contains(&(token.text, function));
            if token.kind == TokenKind::Word && function.is_some() && is_handle() {
                queue.push(self.statement(at));
            }
        }
        let mut by_name: SortedMap<&str, Vec<&Binding>> = SortedMap::new();
        for it in &bindings {
            it.names.iter().for_each(|name| by_name.entry(name).or_default().push(it));
        }
        // What a function does around such a statement decides whether it is reached, and with what.
        let functions: SortedSet<usize> =
            queue.iter().filter_map(|it| self.functions.get(it.start).copied().flatten()).collect();
        let whole: Vec<Range<usize>> = functions.into_iter().map(|it| self.function(it)).collect();
        for name in whole.iter().flat_map(|it| given(self.tokens(it))) {
            let of = by_name.get(name.as_str()).map(Vec::as_slice).unwrap_or_default();
            queue.extend(of.iter().filter(|it| it.function.is_none()).map(|it| it.part.clone()));
        }
        let mut left = self.list.len() * MAX_READINGS;
        let (mut found, mut followed) = (SortedSet::new(), SortedSet::new());
        while let Some(part) = queue.pop() {
            if !found.insert((part.start, part.end)) {
                continue;
            }
            let Some(rest) = left.checked_sub(part.len()) else {
                let whole = 0..self.list.len();
                return Vec::from([whole]);
            };
            left = rest;
            let function = self.functions.get(part.start).copied().flatten();
            for name in given(self.tokens(&part)) {
                let of = by_name.get(name.as_str()).map(Vec::as_slice).unwrap_or_default();
                if followed.insert((name, function)) {
                    let gives = |it: &&&Binding| it.function.is_none() || it.function == function;
                    queue.extend(of.iter().filter(gives).map(|it| it.part.clone()));
                }
            }
        }
        found.extend(whole.iter().map(|it| (it.start, it.end)));
        found.into_iter().map(|(start, end)| start..end).collect()
    }

    /// The outermost functions around places of the text, by their names.
    pub(super) fn functions_at(&self, places: impl Iterator<Item = ByteSpan>) -> SortedSet<String> {
        let name = |it: ByteSpan| {
            let at = self.list.iter().position(|token| token.span.end > it.start)?;
            let function = self.functions.get(at).copied().flatten()?;
            Some(self.list.get(function + 1)?.text.to_owned())
        };
        places.filter_map(name).collect()
    }

    /// The tokens of the function that begins at a `fn`.
    fn function(&self, start: usize) -> Range<usize> {
        let of = self.functions.get(start..).unwrap_or_default();
        start..start + of.iter().take_while(|it| **it == Some(start)).count()
    }

    /// The variables by which a function reaches outside later: what is being built for it, such as a
    /// `Command`, and closures that reach outside; each with its function.
    fn handles<'b>(
        &self,
        bindings: &'b [Binding],
        reaches: impl Fn(usize) -> bool,
    ) -> SortedSet<(&'b str, Option<usize>)> {
        const BUILT: [&str; 3] = ["Command", "DirBuilder", "OpenOptions"];
        let is_let = |it: &&Binding| self.list.get(it.part.start).is_some_and(|it| it.is("let"));
        let text = |at: usize| self.list.get(at).map_or("", |it| it.text);
        let builds = self.counts(|at| BUILT.contains(&text(at)) && text(at + 1) == "::");
        let closures = self.counts(|at| matches!(text(at), "|" | "||"));
        let reached = self.counts(reaches);
        let is_handle = |it: &&Binding| {
            let has = |counts: &[usize]| counts.get(it.part.end) > counts.get(it.part.start);
            has(&builds) || has(&closures) && has(&reached)
        };
        let found = bindings.iter().filter(is_let).filter(is_handle);
        found.flat_map(|it| it.names.iter().map(|name| (name.as_str(), it.function))).collect()
    }

    /// How many tokens before each this is true of.
    fn counts(&self, is_it: impl Fn(usize) -> bool) -> Vec<usize> {
        let mut counts = Vec::with_capacity(self.list.len() + 1);
        let mut count = 0;
        counts.push(0);
        for at in 0..self.list.len() {
            count += usize::from(is_it(at));
            counts.push(count);
        }
        counts
    }

    /// The constants with a text that other files may name, by name: `pub`, or of a file with modules.
    pub(super) fn shared_constants(&self) -> Vec<(&'t str, Range<usize>)> {
        let at = |idx: usize| self.list.get(idx);
        let has_modules = (0..self.list.len()).any(|it| {
            at(it).is_some_and(|it| it.is("mod")) && at(it + 2).is_some_and(|it| it.is(";"))
        });
        let is_shared = |start: usize| {
            let before = start.checked_sub(1).and_then(at);
            has_modules || before.is_some_and(|it| it.is("pub") || it.is(")"))
        };
        let constants = (0..self.list.len()).filter_map(|start| {
            let name = self.constant(start)?;
            let part = start..self.end(start, false);
            let is_text = |it: &Token<'_>| it.kind == TokenKind::Literal && it.text.contains('"');
            (is_shared(start) && self.tokens(&part).iter().any(is_text)).then_some((name, part))
        });
        constants.collect()
    }

    /// The tokens of a part, joined by blanks.
    pub(super) fn words(&self, part: &Range<usize>) -> String {
        self.tokens(part).iter().map(|it| it.text).collect::<Vec<_>>().join(" ")
    }

    fn tokens(&self, part: &Range<usize>) -> &'t [Token<'t>] {
        self.list.get(part.clone()).unwrap_or_default()
    }

    /// The statement around a token: from the last `;` or brace, to the next that is not between its
    /// parentheses. The body of a closure is none of it.
    fn statement(&self, at: usize) -> Range<usize> {
        let is_edge = |it: &Token<'_>| matches!(it.text, ";" | "{" | "}");
        let begin = |at: usize| {
            let before = self.list.get(..at).unwrap_or_default();
            before.iter().rposition(is_edge).map_or(0, |it| it + 1)
        };
        let mut start = begin(at);
        // `match a { … }.method()` begins before its braces.
        while self.list.get(start).is_some_and(|it| it.is("."))
            && let Some(open) = start.checked_sub(1).and_then(|it| self.opening.get(&it).copied())
        {
            start = begin(open);
        }
        start..self.end(start, true).max(at + 1)
    }

    /// Where the statement that begins at a token ends: `in_parts` before a block that is not between its
    /// parentheses, or that is the body of a closure.
    fn end(&self, start: usize, in_parts: bool) -> usize {
        let mut at = start;
        let mut depth = 0usize;
        while let Some(token) = self.list.get(at) {
            let before =
                at.checked_sub(1).and_then(|it| self.list.get(it)).map_or("", |it| it.text);
            let is_body = || depth == 0 || matches!(before, "|" | "||" | "move" | "async");
            match token.text {
                ";" if depth == 0 => return at,
                "{" if in_parts && is_body() => return at,
                "(" | "[" | "{" if !in_parts && let Some(closing) = self.closing(at) => {
                    at = closing
                }
                "(" | "[" | "{" if token.kind == TokenKind::Punctuation => depth += 1,
                ")" | "]" | "}" if token.kind == TokenKind::Punctuation => {
                    let Some(less) = depth.checked_sub(1) else { return at };
                    depth = less;
                }
                _ => {}
            }
            at += 1;
        }
        self.list.len()
    }

    fn closing(&self, at: usize) -> Option<usize> {
        self.closing.get(at).copied().flatten()
    }

    /// The name of the constant or static variable that a token declares.
    fn constant(&self, at: usize) -> Option<&'t str> {
        let is_keyword = |it: &&Token<'_>| it.is("const") || it.is("static");
        self.list.get(at).filter(is_keyword)?;
        let mut next = self.list.get(at + 1..)?.iter().filter(|it| !it.is("mut"));
        let name =
            next.next().filter(|it| it.kind == TokenKind::Word && !is_keyword_of_items(it.text))?;
        next.next().filter(|it| it.is(":"))?;
        Some(name.text)
    }

    fn bindings(&self) -> Vec<Binding> {
        let mut found = Vec::new();
        for at in 0..self.list.len() {
            if let Some((names, end)) = self.bound(at) {
                let is_constant = self.constant(at).is_some();
                let function = self.functions.get(at).copied().flatten().filter(|_| !is_constant);
                // A variable is that of a function; one without is part of a macro's body.
                found.push(Binding { names, part: at..end, function });
            }
        }
        found
    }

    /// The names that get a value at a token, and where its statement ends.
    fn bound(&self, at: usize) -> Option<(SortedSet<String>, usize)> {
        let token = self.list.get(at)?;
        let before = at.checked_sub(1).and_then(|it| self.list.get(it)).map_or("", |it| it.text);
        let one = |name: &str| SortedSet::from([name.trim_start_matches("r#").to_owned()]);
        if let Some(name) = self.constant(at) {
            return Some((one(name), self.end(at, false)));
        }
        let is_head = matches!(before, "if" | "while" | "&&");
        match token.text {
            "let" => Some((self.pattern(at + 1, "="), self.end(at, is_head))),
            "for" => {
                let names = self.pattern(at + 1, "in");
                let is_loop = !names.is_empty();
                is_loop.then(|| (names, self.end(at, true)))
            }
            _ if matches!(before, ";" | "{" | "}" | "") || before == "*" => {
                const ASSIGNS: &[&str] =
                    &["=", "+=", "-=", "*=", "/=", "%=", "|=", "&=", "^=", ".", "["];
                let next = self.list.get(at + 1).map_or("", |it| it.text);
                let is_name = token.kind == TokenKind::Word && token.text != "self";
                let is_bound = is_name && ASSIGNS.contains(&next);
                is_bound.then(|| (one(token.text), self.end(at, true)))
            }
            _ => None,
        }
    }

    /// The names of a pattern up to this token; empty where a block or a statement ends before.
    fn pattern(&self, from: usize, until: &str) -> SortedSet<String> {
        let mut names = SortedSet::new();
        let mut in_type = false;
        for token in self.list.get(from..).unwrap_or_default() {
            match token.text {
                it if it == until => return names,
                ";" => break,
                "{" if until == "in" => break,
                ":" => in_type = true,
                "," | ")" | "}" => in_type = false,
                it if token.kind == TokenKind::Word && !in_type => {
                    names.insert(it.trim_start_matches("r#").to_owned());
                }
                _ => {}
            }
        }
        match until {
            // `let name;`, which is assigned later.
            "=" => names,
            _ => SortedSet::new(),
        }
    }
}

fn is_keyword_of_items(word: &str) -> bool {
    matches!(word, "fn" | "unsafe" | "extern" | "async")
}

#[cfg(test)]
mod tests {
    use preserve::outline::tokens;

    use super::*;

    /// The statements that reach outside by `reach` in a text, without blanks.
    fn found(text: &str) -> Vec<String> {
        let list = tokens(text);
        let text = Text::new(&list);
        let parts = text.reaching(|at| list[at].is("reach"));
        let statements = parts.iter().filter(|it| !list[it.start].is("fn"));
        statements.map(|it| text.words(it).replace(' ', "")).collect()
    }

    #[test]
    fn what_a_statement_names_is_followed_to_its_values() {
        let text = "const TOOL: &str = \"git\";\nconst OTHER: &str = \"x\";\nfn f(a: &str) {\n    let \
                    dir = format!(\"{TOOL}/{a}\");\n    let unused = 1;\n    let mut args = vec![dir];\n    \
                    args.push(\"v\");\n    reach(&args);\n    unused.show();\n}\nfn g() { let args = 1; }\n";
        assert_eq!(
            found(text),
            [
                "constTOOL:&str=\"git\"",
                "letdir=format!(\"{TOOL}/{a}\")",
                "letmutargs=vec![dir]",
                "args.push(\"v\")",
                "reach(&args)"
            ]
        );
    }

    #[test]
    fn branches_between_parentheses_are_part_of_a_statement_and_the_body_of_a_closure_is_not() {
        let text = "fn f() { reach(match x { A => \"a\", B => \"b\" }, 1); reach(|| { far() }) }";
        assert_eq!(found(text), ["reach(matchx{A=>\"a\",B=>\"b\"},1)", "reach(||"]);
        let text = "fn f() { let t = if x { \"a\" } else { \"b\" }; for i in all { reach(t, i) } }";
        assert_eq!(found(text), ["lett=ifx{\"a\"}else{\"b\"}", "foriinall", "reach(t,i)"]);
    }

    #[test]
    fn an_import_is_no_statement_and_a_variable_that_takes_the_result_is_not_given() {
        assert_eq!(found("use reach;\nfn f() { let a = reach(); a.push(1); }"), ["leta=reach()"]);
        assert_eq!(found("fn f() { let a; a = 1; reach(a) }"), ["leta", "a=1", "reach(a)"]);
    }

    #[test]
    fn a_function_is_named_by_what_is_in_it_and_counts_with_the_constants_of_its_code() {
        let text =
            "static ARGS: [u8; 1] = [1];\nfn f() { if a { reach(b); } go(ARGS); }\nfn g() { 1 }\n";
        let list = tokens(text);
        let text = Text::new(&list);
        let parts = text.reaching(|at| list[at].is("reach"));
        let words: Vec<String> = parts.iter().map(|it| text.words(it).replace(' ', "")).collect();
        assert_eq!(
            words,
            ["staticARGS:[u8;1]=[1]", "fnf(){if a{reach(b);}go(ARGS);}", "reach(b)"]
                .map(|it| it.replace(' ', ""))
        );
        let at = |word: &str| list.iter().find(|it| it.is(word)).unwrap().span;
        assert_eq!(
            text.functions_at([at("b"), at("ARGS")].into_iter()),
            SortedSet::from(["f".to_owned()])
        );
    }

    #[test]
    fn what_is_built_to_reach_outside_and_closures_that_do_are_followed() {
        let text = "fn f() { let mut c = Command::new(reach); for a in ARGS { c.arg(a); } let n = 1; c.go(); }";
        let seen = ["letmutc=Command::new(reach)", "c.arg(a)", "forainARGS", "c.go()"];
        let found = |text: &str| found(text).into_iter().collect::<SortedSet<_>>();
        assert_eq!(found(text), seen.map(str::to_owned).into());
        let text = "fn f() { let run = |tool: &str| reach(tool); let n = 1; run(\"git\"); }";
        assert_eq!(found(text).len(), 2);
        assert!(found(text).contains("run(\"git\")"));
        let text =
            "fn f() { match x { A => [\"a\"], B => [\"b\"] }.iter().for_each(|it| reach(it)); }";
        assert!(
            found(text).iter().any(|it| it.starts_with("matchx{A=>[\"a\"]")),
            "{:?}",
            found(text)
        );
    }

    #[test]
    fn statements_that_lie_in_each_other_by_the_thousand_are_the_whole_text() {
        let nested = format!("use b;\nfn f() {{ {} reach(a) }}", "let a = { a; ".repeat(20_000));
        assert_eq!(found(&nested).len(), 1);
        let flat = format!("fn f() {{ {} reach(a) }}", "let a = a; ".repeat(20_000));
        assert_eq!(found(&flat).len(), 20_001);
    }

    #[test]
    fn constants_that_other_files_may_name_are_those_with_a_text() {
        let shared = |text: &str| {
            let list = tokens(text);
            let text = Text::new(&list);
            text.shared_constants().iter().map(|it| it.0.to_owned()).collect::<Vec<_>>()
        };
        let text = "pub const A: &str = \"a\";\npub(crate) static B: [&str; 1] = [\"b\"];\nconst C: &str = \
                    \"c\";\npub const D: u8 = 1;\npub const fn e() -> &'static str { \"e\" }\n";
        assert_eq!(shared(text), ["A", "B"]);
        assert_eq!(shared("mod run;\nconst C: &str = \"c\";\n"), ["C"]);
    }
}
