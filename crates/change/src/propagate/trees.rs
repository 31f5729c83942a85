//! Texts as token trees: tokens, and groups in brackets.

use base::ByteSpan;
use preserve::outline::Token;

/// Deepest nesting of brackets that is read.
const DEEPEST: usize = 120;

/// A token, or a group in brackets.
#[derive(Clone, Debug)]
pub(super) enum Tree<'t> {
    Leaf(Token<'t>),
    Group(Group<'t>),
}

/// A group with its brackets.
#[derive(Clone, Debug)]
pub(super) struct Group<'t> {
    pub(super) open: Token<'t>,
    pub(super) close: Token<'t>,
    pub(super) inner: Vec<Tree<'t>>,
}

impl Tree<'_> {
    pub(super) fn span(&self) -> ByteSpan {
        match self {
            Self::Leaf(it) => it.span,
            Self::Group(it) => ByteSpan::new(it.open.span.start, it.close.span.end),
        }
    }

    /// Its tokens, one blank between two.
    pub(super) fn key(&self) -> String {
        match self {
            Self::Leaf(it) => it.text.to_owned(),
            Self::Group(it) => {
                let inner = key_of(&it.inner);
                format!("{} {inner} {}", it.open.text, it.close.text)
            }
        }
    }
}

/// The tokens of some trees, one blank between two.
pub(super) fn key_of(trees: &[Tree<'_>]) -> String {
    trees.iter().map(Tree::key).collect::<Vec<_>>().join(" ")
}

/// The trees of tokens; `None` if the brackets are not balanced, or nested too deeply.
pub(super) fn trees<'t>(tokens: &[Token<'t>]) -> Option<Vec<Tree<'t>>> {
    let mut open: Vec<(Token<'t>, Vec<Tree<'t>>)> = Vec::new();
    let mut list: Vec<Tree<'t>> = Vec::new();
    for token in tokens {
        if closing(token).is_some() {
            if open.len() >= DEEPEST {
                return None;
            }
            open.push((*token, std::mem::take(&mut list)));
        } else if opening(token).is_some() {
            let (opener, outer) = open.pop()?;
            if closing(&opener) != Some(token.text) {
                return None;
            }
            let inner = std::mem::replace(&mut list, outer);
            list.push(Tree::Group(Group { open: opener, close: *token, inner }));
        } else {
            list.push(Tree::Leaf(*token));
        }
    }
    open.is_empty().then_some(list)
}

/// The bracket that closes this one.
pub(super) fn closing(token: &Token<'_>) -> Option<&'static str> {
    match token.text {
        "(" => Some(")"),
        "[" => Some("]"),
        "{" => Some("}"),
        _ => None,
    }
}

/// The bracket that opens this one.
pub(super) fn opening(token: &Token<'_>) -> Option<&'static str> {
    match token.text {
        ")" => Some("("),
        "]" => Some("["),
        "}" => Some("{"),
        _ => None,
    }
}
