//! Fitting hits into a token budget: what to show of each, and how it stands in the text.
//!
//! Each hit has several levels of detail; which of them are worth their tokens is a knapsack
//! (`choose`), over what an item is worth by its score and how much of it a level tells. The text
//! (`render`) goes file by file, each item whole, what adjoins in one piece. The whole text is
//! counted at the end and the last steps are taken back until it fits: the budget holds whatever
//! the counter is.

mod choose;
mod count;
mod level;
mod marks;
mod render;

use std::borrow::Cow;

pub use count::{CountTokens, UpperBound, count_tokens_in_code};

use crate::answer::Hit;

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
    /// What its piece counts by itself; 0 where it stands in the piece of another.
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
    /// Of an impl, trait or module: its header and the signatures of its members.
    Skeleton,
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
            Self::Skeleton => "skeleton",
            Self::Body => "body",
            Self::BodyAndCallees => "body_and_callees",
        }
    }
}

/// Fits hits into a budget.
pub fn pack(request: &PackRequest<'_>) -> Packed {
    let room = request.budget.saturating_sub(request.reserve);
    let (candidates, texts) = level::candidates(request);
    let mut steps = choose::steps(&candidates, request.counter, room);
    loop {
        let chosen = choose::after(&steps);
        let (text, snippets) = render::render(request, &candidates, &chosen, &texts);
        let tokens = request.counter.count(&text);
        if tokens <= room {
            return Packed { text, tokens, snippets };
        }
        if steps.pop().is_none() {
            return Packed::default();
        }
    }
}
