//! Converts a text to the tokens that the parser takes: rust-analyzer's kinds, operators split into
//! their characters.

use base::ByteSpan;
use ra_ap_parser::{Edition, Input, LexedStr};

/// The kind of a token or node.
pub(crate) use ra_ap_parser::SyntaxKind as Kind;

/// The edition by which texts are read: what later editions add (`gen` blocks, strings with a
/// guard) is unstable or rare, and an identifier that only they reserve is no error here.
pub(crate) const EDITION: Edition = Edition::Edition2021;

/// One token that is neither white space nor a comment.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Token {
    /// First byte.
    pub(crate) start: u32,
    /// Past the last byte.
    pub(crate) end: u32,
    /// Kind; operators are split into their characters.
    pub(crate) kind: Kind,
    /// Keyword that the identifier is in some contexts, else [`Kind::IDENT`].
    contextual: Kind,
    /// Whether the next token follows without white space and the two may be one operator.
    pub(crate) is_joint: bool,
    /// Whether the lexer reported an error: an open string, a character that is never Rust.
    pub(crate) is_broken: bool,
}

impl Token {
    /// A token that is not in the text, for what is parsed around a part of it.
    pub(crate) fn made(kind: Kind, at: u32) -> Self {
        let contextual = Kind::IDENT;
        Self { start: at, end: at, kind, contextual, is_joint: false, is_broken: false }
    }

    /// A token that is never Rust, in the place of others.
    pub(crate) fn broken(start: u32, end: u32) -> Self {
        Self { end, is_broken: true, ..Self::made(Kind::ERROR, start) }
    }

    /// `=>`, which is not in the text.
    pub(crate) fn arrow(at: u32) -> [Self; 2] {
        let equal = Self { is_joint: true, ..Self::made(Kind::EQ, at) };
        [equal, Self::made(Kind::R_ANGLE, at)]
    }

    /// `&&`, which is not in the text.
    pub(crate) fn and(at: u32) -> [Self; 2] {
        let first = Self { is_joint: true, ..Self::made(Kind::AMP, at) };
        [first, Self::made(Kind::AMP, at)]
    }

    /// The same place with another kind: a bracket taken for another.
    pub(crate) fn with_kind(self, kind: Kind) -> Self {
        Self { kind, is_joint: false, ..self }
    }
}

/// The tokens of a text.
#[derive(Default)]
pub(crate) struct Tokens {
    /// All of them, by increasing start.
    pub(crate) list: Vec<Token>,
    /// Outer doc comments, without the newlines after them.
    pub(crate) docs: Vec<ByteSpan>,
    /// Comments that are not closed.
    pub(crate) open_comments: Vec<ByteSpan>,
}

impl Tokens {
    /// Reads a text of less than 4 GiB; offsets are those of the text plus `base`.
    pub(crate) fn of(text: &str, base: u32) -> Self {
        let lexed = LexedStr::new(EDITION, text);
        let mut tokens = Self { list: Vec::with_capacity(lexed.len() / 2), ..Self::default() };
        let mut errors = lexed.errors().map(|(token, _)| token).peekable();
        for idx in 0..lexed.len() {
            let is_broken = errors.next_if_eq(&idx).is_some();
            while errors.next_if_eq(&idx).is_some() {}
            let (range, kind) = (lexed.text_range(idx), lexed.kind(idx));
            let (start, end) = (base + range.start as u32, base + range.end as u32);
            match kind {
                Kind::WHITESPACE => tokens.part(),
                Kind::COMMENT => {
                    tokens.part();
                    let comment = lexed.text(idx);
                    let span = ByteSpan::new(start as usize, end as usize);
                    if is_broken {
                        tokens.open_comments.push(span);
                    } else if is_outer_doc(comment) {
                        let len = comment.trim_end_matches('\r').len();
                        tokens.docs.push(ByteSpan::new(span.start, span.start + len));
                    }
                }
                // `$crate` of an expanded macro is one name.
                Kind::CRATE_KW if tokens.ends_with_dollar(start) => {
                    if let Some(dollar) = tokens.list.last_mut() {
                        (dollar.end, dollar.kind, dollar.is_joint) = (end, kind, false);
                    }
                }
                _ => {
                    let contextual = match kind {
                        Kind::IDENT => Kind::from_contextual_keyword(lexed.text(idx), EDITION),
                        _ => None,
                    };
                    // A prefix that no literal has is a name to a macro.
                    let is_name = matches!(kind, Kind::IDENT | Kind::LIFETIME_IDENT);
                    tokens.list.push(Token {
                        start,
                        end,
                        kind,
                        contextual: contextual.unwrap_or(Kind::IDENT),
                        is_joint: is_joint(kind, lexed.text(idx)),
                        is_broken: is_broken && !is_name || kind == Kind::ERROR,
                    });
                }
            }
        }
        tokens
    }

    /// Whether the last token is `$`, directly before `at`.
    fn ends_with_dollar(&self, at: u32) -> bool {
        self.list.last().is_some_and(|it| it.kind == Kind::DOLLAR && it.end == at)
    }

    /// White space follows the last token.
    fn part(&mut self) {
        if let Some(last) = self.list.last_mut().filter(|it| it.kind != Kind::FLOAT_NUMBER) {
            last.is_joint = false;
        }
    }
}

/// Whether a token may be one operator with the next. Of a number the parser asks in this way
/// whether digits follow its point.
fn is_joint(kind: Kind, text: &str) -> bool {
    match kind {
        Kind::FLOAT_NUMBER => !text.ends_with('.'),
        _ => kind.is_punct(),
    }
}

/// The tokens as the parser's input.
pub(crate) fn input(tokens: &[Token]) -> Input {
    let mut input = Input::with_capacity(tokens.len());
    for token in tokens {
        match token.kind {
            Kind::IDENT => input.push_ident(token.contextual, EDITION),
            kind => input.push(kind, EDITION),
        }
        if token.is_joint {
            input.was_joint();
        }
    }
    input
}

fn is_outer_doc(comment: &str) -> bool {
    (comment.starts_with("///") && !comment.starts_with("////"))
        || (comment.starts_with("/**") && !comment.starts_with("/***") && comment != "/**/")
}
