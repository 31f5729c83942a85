use std::borrow::Cow;

use crate::answer::Hit;

/// Counts tokens as a model's tokenizer does, or never fewer.
pub trait CountTokens: Send + Sync {
    /// How many tokens a text has, at most.
    fn count(&self, text: &str) -> usize;
}

/// [`count_tokens_in_code`] as a counter: for when no tokenizer file is at hand.
#[derive(Clone, Copy, Debug, Default)]
pub struct UpperBound;

impl CountTokens for UpperBound {
    fn count(&self, text: &str) -> usize {
        count_tokens_in_code(text)
    }
}

/// How many tokens a byte-pair tokenizer makes of a text, at most.
pub fn count_tokens_in_code(text: &str) -> usize {
    text.len()
}

/// The texts of files, by their number in the map.
pub trait Texts: Send + Sync {
    /// The text that the map was made from; `None` where it is gone or has changed since.
    fn text(&self, file: u32) -> Option<Cow<'_, str>>;
}

/// What to pack.
pub struct PackRequest<'a> {
    /// The map that the hits are of.
    pub map: &'a graph::Map,
    /// Best first.
    pub hits: &'a [Hit],
    /// Where the code is.
    pub texts: &'a dyn Texts,
    /// How tokens are counted.
    pub counter: &'a dyn CountTokens,
    /// So many tokens at most, reserve included.
    pub budget: usize,
    /// Left free for what else the prompt holds.
    pub reserve: usize,
}

/// What was packed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Packed {
    /// To hand to a model.
    pub text: String,
    /// What `text` counts.
    pub tokens: usize,
    /// What it is made of, in the order of the text.
    pub snippets: Vec<Snippet>,
}

/// One item in a packed text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Snippet {
    /// Index among the request's hits.
    pub hit: usize,
    /// How much of it stands there.
    pub detail: Detail,
    /// Number of its file in the map.
    pub file: u32,
    /// First line of what stands there, from 1.
    pub start_line: u32,
    /// Last line of what stands there, from 1.
    pub end_line: u32,
    /// What its piece counts by itself.
    pub tokens: usize,
}

/// How much of an item stands in a packed text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Detail {
    /// One line: kind and name, and where it is.
    Name,
    /// Its signature.
    Signature,
    /// Doc comment and signature.
    SignatureAndDoc,
    /// All of it.
    Body,
    /// All of it, and the signatures of what it calls.
    BodyAndCallees,
}

impl Detail {
    /// The name that answers use.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Name => "name",
            Self::Signature => "signature",
            Self::SignatureAndDoc => "signature_and_doc",
            Self::Body => "body",
            Self::BodyAndCallees => "body_and_callees",
        }
    }
}

/// Fits hits into a budget.
pub fn pack(_request: &PackRequest<'_>) -> Packed {
    Packed::default()
}
