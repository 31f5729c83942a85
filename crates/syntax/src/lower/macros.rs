//! Lowers macro calls in expressions: their arguments, and the names in format strings.

use super::Lower;
use crate::facts::{BlockKind, Expr, ExprId, Name, Path, Segment};
use crate::macro_args::ParsedAs;
use crate::tokens::Token;
use crate::tree::Kind;
use base::is_word;

impl Lower<'_> {
    pub(super) fn macro_call(&mut self, node: u32) -> Expr {
        let tree = self.tree;
        let (Some(name), Some(tokens)) =
            (tree.child(node, Kind::PATH), tree.child(node, Kind::TOKEN_TREE))
        else {
            return Expr::Other(Vec::new());
        };
        let path = self.path(name);
        let at = tree.node(tokens);
        let (args, is_complete) = match self.args.get(&node).copied() {
            Some(args) => {
                let values = match args.parsed_as {
                    ParsedAs::Arguments => {
                        let word = self.slice(name);
                        let word = word.rsplit("::").next().unwrap_or(word).trim();
                        self.macro_values(args.node, format_position(word))
                    }
                    ParsedAs::Items | ParsedAs::Block => {
                        let block = self.block(args.node, BlockKind::Plain);
                        vec![self.push_expr(block)]
                    }
                    ParsedAs::Match => vec![self.expr(args.node)],
                };
                (values, true)
            }
            None => {
                self.intern_tokens(tokens);
                (Vec::new(), !names_something(tree.tokens_of(tokens)))
            }
        };
        Expr::Macro { path, args, is_complete, tokens: (at.start, at.end) }
    }

    /// Interns the identifiers of a macro's definition, or of a call whose tokens are not lowered: its
    /// expansion consists of them.
    pub(super) fn intern_tokens(&mut self, node: u32) {
        let tree = self.tree;
        for token in tree.tokens_of(node) {
            if token.kind == Kind::IDENT {
                let word = self.text.get(token.start as usize..token.end as usize);
                self.intern(word.unwrap_or(""));
            }
        }
    }

    /// The arguments of a macro call; of one that formats, those in its string too.
    fn macro_values(&mut self, node: u32, format: Option<usize>) -> Vec<ExprId> {
        let tree = self.tree;
        let Some(position) = format else { return self.values(node) };
        let mut args = Vec::new();
        let mut named: Vec<Name> = Vec::new();
        let mut string = None;
        for (idx, part) in tree.exprs(node).enumerate() {
            if string.is_none() && idx >= position && self.is_string(part) {
                string = Some(part);
            }
            match self.named_argument(part) {
                // `name = value` gives the value a name inside the string.
                Some((name, value)) => {
                    named.push(self.intern(name));
                    args.push(self.expr(value));
                }
                None => args.push(self.expr(part)),
            }
        }
        if let Some(string) = string {
            self.inline_args(string, &named, &mut args);
        }
        args
    }

    /// `{name}`, `{self.x}` and `{:width$}` of a format string.
    fn inline_args(&mut self, string: u32, named: &[Name], args: &mut Vec<ExprId>) {
        let start = self.tree.node(string).start;
        let text = self.slice(string);
        let is_raw = text.starts_with('r');
        for (at, word) in inline_names(text, is_raw) {
            let mut parts = word.split('.');
            let first = parts.next().unwrap_or(word);
            let name = self.intern(first);
            if named.contains(&name) {
                continue;
            }
            let mut offset = start + at as u32;
            let segment = Segment { name, offset, args: Vec::new(), bindings: Vec::new() };
            let path = self.push_path(Path { segments: vec![segment], ..Path::default() });
            let mut expr = self.push_expr(Expr::Path(path));
            offset += first.len() as u32 + 1;
            for part in parts {
                let name = self.intern(part);
                expr = self.push_expr(Expr::Field(expr, name, offset));
                offset += part.len() as u32 + 1;
            }
            args.push(expr);
        }
    }
}

impl<'a> Lower<'a> {
    /// The name and the value of `name = value`.
    fn named_argument(&self, node: u32) -> Option<(&'a str, u32)> {
        let tree = self.tree;
        let mut sides = tree.exprs(node);
        let (name, value) = (sides.next()?, sides.next()?);
        let is_assignment = tree.kind(node) == Kind::BIN_EXPR && tree.has(node, Kind::EQ);
        let is_path = tree.kind(name) == Kind::PATH_EXPR;
        let word = self.slice(name);
        let is_name = word.chars().all(is_word);
        (is_assignment && is_path && is_name).then_some((word, value))
    }
}

/// Whether there is more between the delimiters of a call than keywords and punctuation.
fn names_something(tokens: &[Token]) -> bool {
    let between = tokens.get(1..tokens.len().saturating_sub(1)).unwrap_or_default();
    between.iter().any(|it| {
        it.kind.is_literal()
            || matches!(it.kind, Kind::IDENT | Kind::SELF_KW | Kind::CRATE_KW | Kind::SUPER_KW)
            || matches!(it.kind, Kind::L_PAREN | Kind::L_BRACK | Kind::L_CURLY)
    })
}

/// Which argument of a macro that formats is its string.
fn format_position(name: &str) -> Option<usize> {
    match name {
        "format" | "print" | "println" | "eprint" | "eprintln" | "panic" | "todo"
        | "unimplemented" | "unreachable" | "format_args" | "trace" | "debug" | "info" | "warn"
        | "error" | "bail" | "anyhow" => Some(0),
        "write" | "writeln" | "assert" | "debug_assert" | "ensure" => Some(1),
        "assert_eq" | "assert_ne" | "debug_assert_eq" | "debug_assert_ne" => Some(2),
        _ => None,
    }
}

/// The names in the braces of a format string as written, and where they stand in it.
fn inline_names(text: &str, is_raw: bool) -> Vec<(usize, &str)> {
    let bytes = text.as_bytes();
    let mut names = Vec::new();
    let mut at = 0;
    while let Some(&byte) = bytes.get(at) {
        match byte {
            // `\u{41}` and `\"`.
            b'\\' if !is_raw => {
                let is_code = bytes.get(at + 1..at + 3) == Some(b"u{");
                at += if is_code { 3 } else { 2 };
            }
            b'{' if bytes.get(at + 1) == Some(&b'{') => at += 2,
            b'{' => {
                let from = at + 1;
                let rest = text.get(from..).unwrap_or("");
                let len = rest.find(['}', '{', '"']).unwrap_or(rest.len());
                let inner = rest.get(..len).unwrap_or("");
                let word = inner.split(':').next().unwrap_or("").trim_end();
                let mut chars = word.chars();
                let begins = chars.next().is_some_and(|ch| ch.is_alphabetic() || ch == '_');
                if begins && chars.all(|ch| is_word(ch) || ch == '.') && !word.ends_with('.') {
                    names.push((from, word));
                }
                // `width$`, `.prec$`.
                for (dollar, _) in inner.match_indices('$') {
                    let before = inner.get(..dollar).unwrap_or("");
                    let begin = before.rfind(|ch| !is_word(ch)).map_or(0, |it| it + 1);
                    let word = before.get(begin..).unwrap_or("");
                    let word = word.trim_start_matches(|ch: char| ch.is_ascii_digit());
                    if !word.is_empty() {
                        names.push((from + dollar - word.len(), word));
                    }
                }
                at = from + len;
            }
            _ => at += 1,
        }
    }
    names
}
