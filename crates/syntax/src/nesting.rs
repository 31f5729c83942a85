//! A bound before the parser, which recurses: tokens that nest too deep are left out of its input.

use std::ops::Range;

use crate::tokens::{Kind, Token};

/// How deep brackets, prefix operators and the like may nest on the way to one token. The parser
/// overflows a stack of 2 MB between 1,500 and 3,000.
const DEEPEST: u32 = 500;

/// The runs of tokens that nest deeper than the parser can follow; their brackets pair.
pub(crate) fn too_deep(tokens: &[Token]) -> Vec<Range<usize>> {
    let mut depth = Depth::default();
    let mut runs = Vec::new();
    let mut at = 0;
    while let Some(token) = tokens.get(at) {
        let before = at.checked_sub(1).and_then(|it| tokens.get(it));
        if depth.enters(token, before, tokens.get(at + 1)) {
            at += 1;
            continue;
        }
        let end = match is_open(token.kind) {
            true => group_end(tokens, at),
            false => segment_end(tokens, at),
        };
        runs.push(at..end);
        at = end;
    }
    runs
}

/// The nesting around a token: an upper bound of the parser's recursion.
#[derive(Default)]
struct Depth {
    /// For each open bracket the nesting inside its segment, and whether it begins the body of a
    /// match arm.
    open: Vec<(u32, bool)>,
    /// The sum over the open brackets, themselves included.
    around: u32,
    /// What may nest since the segment began: after a comma, a semicolon, a block.
    own: u32,
    /// Whether the last token was an operator after an operand.
    is_infix: bool,
    /// Whether the last tokens were `=>`.
    is_arrow: bool,
}

impl Depth {
    /// Takes one token; false where it would nest too deep.
    fn enters(&mut self, token: &Token, before: Option<&Token>, after: Option<&Token>) -> bool {
        let kind = token.kind;
        let is_after_equal = before.is_some_and(|it| it.is_joint && it.kind == Kind::EQ);
        let is_arrow = kind == Kind::R_ANGLE && is_after_equal;
        let was_arrow = std::mem::replace(&mut self.is_arrow, is_arrow);
        if is_open(kind) {
            if self.around + self.own >= DEEPEST {
                return false;
            }
            self.open.push((self.own, was_arrow));
            self.around += self.own + 1;
            self.own = 0;
        } else if is_close(kind) {
            let (own, is_arm) = self.open.pop().unwrap_or_default();
            self.own = own;
            self.around = self.around.saturating_sub(own + 1);
            // A block ends its arm or statement, unless an operator or `else` continues it.
            let is_continued = !is_arm && after.is_some_and(|it| continues(it.kind));
            if kind == Kind::R_CURLY && !is_continued {
                self.own = 0;
            }
        } else if matches!(kind, Kind::COMMA | Kind::SEMICOLON) {
            self.own = 0;
        } else if self.nests(token, before, after) {
            if self.around + self.own >= DEEPEST {
                return false;
            }
            self.own += 1;
        }
        true
    }

    /// Whether a token may contain what follows it: keywords, operators before an operand,
    /// assignments, `<`, `@`, arrows.
    fn nests(&mut self, token: &Token, before: Option<&Token>, after: Option<&Token>) -> bool {
        let joined = before.filter(|it| it.is_joint).map(|it| it.kind);
        let is_continued = self.is_infix && joined.is_some();
        let is_infix = is_continued || before.is_some_and(|it| is_operand(it.kind));
        self.is_infix = token.kind.is_punct() && is_infix;
        match token.kind {
            Kind::L_ANGLE | Kind::AT => true,
            // Not `==`, `!=`, `<=`.
            Kind::EQ => {
                let is_comparison = matches!(joined, Some(Kind::EQ | Kind::BANG | Kind::L_ANGLE))
                    || token.is_joint && after.is_some_and(|it| it.kind == Kind::EQ);
                !is_comparison
            }
            Kind::R_ANGLE => matches!(joined, Some(Kind::MINUS | Kind::EQ)),
            Kind::IDENT | Kind::LIFETIME_IDENT | Kind::COLON => false,
            kind if kind.is_punct() => !is_infix,
            kind => !kind.is_literal(),
        }
    }
}

/// Whether an operator after a token is between two operands.
fn is_operand(kind: Kind) -> bool {
    is_close(kind)
        || kind.is_literal()
        || matches!(kind, Kind::IDENT | Kind::LIFETIME_IDENT | Kind::QUESTION)
}

fn is_open(kind: Kind) -> bool {
    matches!(kind, Kind::L_PAREN | Kind::L_BRACK | Kind::L_CURLY)
}

fn is_close(kind: Kind) -> bool {
    matches!(kind, Kind::R_PAREN | Kind::R_BRACK | Kind::R_CURLY)
}

/// Whether a token after a block belongs to the expression that the block is part of.
fn continues(kind: Kind) -> bool {
    let is_operator = kind.is_punct() && !is_open(kind) && !is_close(kind);
    is_operator && !matches!(kind, Kind::POUND | Kind::COLON | Kind::DOLLAR)
        || matches!(kind, Kind::AS_KW | Kind::ELSE_KW)
}

/// Past the bracket that closes the one at `at`.
fn group_end(tokens: &[Token], at: usize) -> usize {
    let mut depth = 0_usize;
    for (idx, token) in tokens.iter().enumerate().skip(at) {
        depth += usize::from(is_open(token.kind));
        if is_close(token.kind) {
            depth = depth.saturating_sub(1);
            if depth == 0 {
                return idx + 1;
            }
        }
    }
    tokens.len()
}

/// Where the segment ends in which `at` is: before a comma, a semicolon or a closing bracket.
fn segment_end(tokens: &[Token], at: usize) -> usize {
    let mut end = at;
    while let Some(token) = tokens.get(end) {
        match token.kind {
            kind if is_open(kind) => end = group_end(tokens, end),
            kind if is_close(kind) => break,
            Kind::COMMA | Kind::SEMICOLON => break,
            _ => end += 1,
        }
    }
    end.max(at + 1)
}

#[cfg(test)]
mod tests {
    /// What repeats before the innermost token, in the body of a function.
    const OPENINGS: &[&str] = &[
        "a = b > {} + ",
        "a = ",
        "a += ",
        "|x| ",
        "|x| y > ",
        "|| ",
        "return ",
        "break ",
        "!",
        "-",
        "*",
        "&",
        "&mut ",
        "&raw const ",
        "..",
        "a..",
        "x as &",
        "if ",
        "while ",
        "match ",
        "match x { _ => ",
        "a = {} + ",
        "let x: A<",
        "let x: fn() -> ",
        "let x: &'a ",
        "let x: *const ",
        "let a @ ",
        "let &",
        "let (",
        "let x: impl A<dyn B<",
        "'a: loop {",
        "unsafe {",
        "async move {",
        "do yeet ",
        "if a {} else if ",
        "S { a: ",
        "x.f::<A<",
    ];

    #[test]
    fn no_nesting_exhausts_the_stack_of_a_thread() {
        for opening in OPENINGS {
            let text = format!("fn f() {{ {}1 }}\nfn g() {{}}\n", opening.repeat(5_000));
            let file = crate::parse(&text);
            assert!(!file.items.is_empty(), "{opening}");
            crate::read_made(&text);
        }
    }

    #[test]
    fn long_code_is_not_deep() {
        let arm = "            A::B { c, .. } if &c > &d && !e => { f(&g, |h| -h)?; }\n";
        let item = "#[a(b)]\npub(crate) unsafe fn f<T: A<U>>(x: &mut T) -> &'static T { &*x }\n";
        let call = ".map(|x| &x + 1).collect::<Vec<_>>()?";
        let test = " || a == b && c < d && !e";
        let text = format!(
            "impl A {{ fn a() {{ match b {{\n{}}} }} }}\n{}fn f() {{ a{} }}\nfn g() {{ a{} }}\n",
            arm.repeat(2_000),
            item.repeat(2_000),
            call.repeat(100),
            test.repeat(100),
        );
        assert_eq!(crate::parse(&text).parse_errors, []);
    }
}
