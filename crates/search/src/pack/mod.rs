//! Packing: selects how much of each hit to show within a token budget, and renders the text.
//!
//! Each hit has several levels of detail. Which of them to show is a knapsack problem (`choose`)
//! over the worth of an item by its score and the share of its information in a level. Each part
//! has one comment with its line and the reason why it is there (`reason`). The text (`render`) has
//! what the task asks about first, then what that calls and uses, what calls it, and tests; each
//! grouped by file. The whole text is counted at the end and the last steps are undone until it
//! fits, so the budget holds for any counter.

mod choose;
mod count;
mod level;
mod marks;
mod reason;
mod render;

use std::borrow::Cow;

pub use count::{CountTokens, UpperBound, count_tokens_in_code};

use crate::answer::Hit;

/// Access to the texts of files, by their number in the map.
pub trait Texts: Send + Sync {
    /// The text that the map was built from; `None` where it is missing or has changed since.
    fn text(&self, file: u32) -> Option<Cow<'_, str>>;
}

/// The parameters of [`pack`].
pub struct PackRequest<'a> {
    /// Text that the hits were found for.
    pub task: &'a str,
    /// Map of the hits.
    pub map: &'a graph::Map,
    /// Hits, best first.
    pub hits: &'a [Hit],
    /// Texts of files.
    pub texts: &'a dyn Texts,
    /// Token counter.
    pub counter: &'a dyn CountTokens,
    /// Maximum number of tokens, reserve included.
    pub budget: usize,
    /// Number of tokens to leave free for the rest of the prompt.
    pub reserve: usize,
}

/// The result of packing.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Packed {
    /// Text for a model.
    pub text: String,
    /// Number of tokens of `text`.
    pub tokens: usize,
    /// Parts, in the order of the text.
    pub snippets: Vec<Snippet>,
}

/// One item in a packed text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Snippet {
    /// Index among the request's hits.
    pub hit: usize,
    /// Role; the text is ordered by it.
    pub role: SnippetRole,
    /// Reason why it is in the text, as a short phrase.
    pub reason: String,
    /// Level of detail.
    pub detail: Detail,
    /// File number in the map.
    pub file: u32,
    /// First line shown, from 1.
    pub start_line: u32,
    /// Last line shown, from 1.
    pub end_line: u32,
    /// Number of tokens of its part alone; 0 where it is inside the part of another item.
    pub tokens: usize,
}

base::named_enum! {
    /// The level of detail of an item in a packed text.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
    pub enum Detail {
        /// One comment: line, kind, name and reason.
        Name = "name",
        /// Its signature.
        Signature = "signature",
        /// Doc comment and signature.
        SignatureAndDoc = "signature_and_doc",
        /// For an impl, trait or module: its header and the signatures of its members.
        Skeleton = "skeleton",
        /// The whole item without its doc comment.
        Code = "code",
        /// The whole item.
        Body = "body",
        /// The whole item, and the signatures of its callees.
        BodyAndCallees = "body_and_callees",
    }
}

base::named_enum! {
    /// The role of an item in a packed text.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
    pub enum SnippetRole {
        /// The task asks about it.
        Asked = "asked",
        /// What is asked about calls or uses it.
        Used = "used",
        /// It calls or uses what is asked about.
        Caller = "caller",
        /// It is a test.
        Test = "test",
    }
}

/// Selects and renders hits within the budget.
pub fn pack(request: &PackRequest<'_>) -> Packed {
    let available = request.budget.saturating_sub(request.reserve);
    let candidates = level::candidates(request);
    let mut steps = choose::steps(&candidates, request.counter, available);
    loop {
        let chosen = choose::after(&steps);
        let (text, snippets) = render::render(request, &candidates, &chosen);
        let tokens = request.counter.count(&text);
        if tokens <= available {
            return Packed { text, tokens, snippets };
        }
        if steps.pop().is_none() {
            return Packed::default();
        }
    }
}
