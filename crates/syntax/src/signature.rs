//! The signature of an item, and hashes of its tokens.

use crate::spelling::spelled;
use crate::tree::Tree;
use crate::{Item, NodeKind};

/// Longer signatures are not parsed.
const LONGEST: usize = 1 << 16;

/// The signature of an item.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Signature {
    /// As written, in one spelling.
    pub written: String,
    /// The head parses: what is written is canonical.
    pub is_exact: bool,
}

/// The signature as written, up to the body: white space and comments normalised, attributes left
/// out. Works on broken code.
pub fn tree_signature(text: &str, item: &Item) -> String {
    spelled(head(text, item))
}

/// The canonical signature of an item of `text`: its head, parsed exactly. The body is not looked
/// at. `None` where the head does not parse.
pub fn signature_of(text: &str, item: &Item) -> Option<String> {
    if item.is_recovered || item.name.is_empty() {
        return None;
    }
    let head = spelled(head(text, item));
    parses(item.kind, item.body.is_some(), &head).then_some(head)
}

/// The signature of an item that was read before: `head` is its text from its first word
/// (`Item::code_span`) to its body, `body` what follows.
pub fn signature_of_head(kind: NodeKind, head: &str, body: &str) -> Signature {
    // Fields by position are part of how a tuple struct is used.
    let written = match kind {
        NodeKind::Struct if body.starts_with('(') => spelled(bare(kind, &format!("{head}{body}"))),
        _ => spelled(bare(kind, head)),
    };
    let is_exact = parses(kind, !body.is_empty(), &written);
    Signature { written, is_exact }
}

impl Signature {
    /// The canonical signature; `None` if the head does not parse.
    pub fn exact(&self) -> Option<&str> {
        self.is_exact.then_some(&self.written)
    }
}

/// The text from the item's first word to its body.
fn head<'t>(text: &'t str, item: &Item) -> &'t str {
    let start = item.code_span.start;
    let end = match (item.kind, item.body) {
        (NodeKind::Struct, Some(body)) if text.as_bytes().get(body.start) == Some(&b'(') => {
            item.span.end
        }
        (_, Some(body)) => body.start,
        (_, None) => item.span.end,
    };
    bare(item.kind, text.get(start..end.max(start)).unwrap_or(""))
}

/// A head without what leads over to the body.
fn bare(kind: NodeKind, head: &str) -> &str {
    let head = head.trim_end();
    match kind {
        NodeKind::Const | NodeKind::Static => head.strip_suffix('=').unwrap_or(head),
        _ => head,
    }
    .trim_end_matches([';', ' ', '\t', '\n', '\r'])
}

/// Whether the head is one of an item of this kind.
fn parses(kind: NodeKind, has_body: bool, head: &str) -> bool {
    if head.len() > LONGEST {
        return false;
    }
    let full = match kind {
        NodeKind::Const | NodeKind::Static => format!("{head} = ();"),
        NodeKind::Enum | NodeKind::Trait | NodeKind::Impl => format!("{head} {{}}"),
        NodeKind::Struct | NodeKind::Union if has_body && !head.ends_with(')') => {
            format!("{head} {{ a: () }}")
        }
        NodeKind::Module if has_body => format!("{head} {{}}"),
        NodeKind::Macro => return true,
        _ => format!("{head};"),
    };
    let Some(tree) = Tree::of(&full) else { return false };
    let mut items = tree.children(0);
    !tree.node(0).has_error() && items.next().is_some() && items.next().is_none()
}

/// What the code of an item is for (`tdd_classification`).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum TddClass {
    /// A test.
    Test,
    /// Code that only tests use.
    TestHelper,
    /// All other code.
    Production,
}

impl TddClass {
    /// As relations spell it.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Test => "test",
            Self::TestHelper => "test_helper",
            Self::Production => "production",
        }
    }
}

/// Whether the doc comments and attributes before a function make it a test.
pub fn is_test_head(before: &str) -> bool {
    let file = crate::parse(&format!("{before}\nfn f() {{}}"));
    let attributes = file.items.first().map(|item| item.attributes.as_slice()).unwrap_or_default();
    attributes.iter().any(|it| crate::attribute::is_test_like(it))
}

/// Whether code of a file at this path, with `/` between folders, is there for tests alone.
pub fn is_test_path(path: &str) -> bool {
    let mut folders = path.split('/').rev().skip(1);
    let name = path.rsplit('/').next().unwrap_or(path);
    folders.any(|it| matches!(it, "tests" | "benches"))
        || matches!(name, "tests.rs" | "test.rs")
        || name.ends_with("_test.rs")
        || name.ends_with("_tests.rs")
}
