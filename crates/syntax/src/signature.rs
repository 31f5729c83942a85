//! The signature of an item, and hashes of its tokens.

use std::str::FromStr;

use proc_macro2::{TokenStream, TokenTree};

use crate::shallow::is_shallow;
use crate::spelling::spelled;
use crate::{Item, NodeKind, SourceFile};

/// Longer signatures are not parsed.
const LONGEST: usize = 1 << 16;

/// The signature as written, up to the body: white space and comments normalised, attributes left
/// out. Works on broken code.
pub fn tree_signature(text: &str, item: &Item) -> String {
    spelled(head(text, item))
}

/// The canonical signature of the item at the beginning of `item_text`, or `None` where it does
/// not parse.
pub fn signature(item_text: &str) -> Option<String> {
    let file = crate::parse(item_text);
    signature_of(item_text, file.items.first()?)
}

/// The canonical signature of an item of `text`: its head, parsed exactly. The body is not looked
/// at. `None` where the head does not parse.
pub fn signature_of(text: &str, item: &Item) -> Option<String> {
    if item.is_recovered || item.name.is_empty() {
        return None;
    }
    let head = spelled(head(text, item));
    if head.len() > LONGEST || !is_shallow(&head) || !parses(item, &head) {
        return None;
    }
    Some(head)
}

/// The text from the item's first word to its body.
fn head<'t>(text: &'t str, item: &Item) -> &'t str {
    let start = item.code_span.start;
    let end = match (item.kind, item.body) {
        // Fields by position are part of how a tuple struct is used.
        (NodeKind::Struct, Some(body)) if text.as_bytes().get(body.start) == Some(&b'(') => {
            item.span.end
        }
        (_, Some(body)) => body.start,
        (_, None) => item.span.end,
    };
    let head = text.get(start..end.max(start)).unwrap_or("").trim_end();
    match item.kind {
        NodeKind::Const | NodeKind::Static => head.strip_suffix('=').unwrap_or(head),
        _ => head,
    }
    .trim_end_matches([';', ' ', '\t', '\n', '\r'])
}

/// Whether the head is one of an item of this kind.
fn parses(item: &Item, head: &str) -> bool {
    let full = match item.kind {
        NodeKind::Function | NodeKind::Method => return is_function(head),
        NodeKind::Const | NodeKind::Static => format!("{head} = ();"),
        NodeKind::Enum | NodeKind::Trait | NodeKind::Impl => format!("{head} {{}}"),
        NodeKind::Struct | NodeKind::Union if item.body.is_some() && !head.ends_with(')') => {
            format!("{head} {{ a: () }}")
        }
        NodeKind::Module if item.body.is_some() => format!("{head} {{}}"),
        NodeKind::Macro => return true,
        NodeKind::TypeAlias => {
            let with = format!("{head};");
            return syn::parse_str::<syn::TraitItemType>(&with).is_ok()
                || syn::parse_str::<syn::ImplItemType>(&with).is_ok()
                || syn::parse_str::<syn::ItemType>(&with).is_ok();
        }
        _ => format!("{head};"),
    };
    let Ok(tokens) = TokenStream::from_str(&full) else { return false };
    let is_item = syn::parse2::<syn::Item>(tokens).is_ok_and(|it| !is_verbatim(&it));
    proc_macro2::extra::invalidate_current_thread_spans();
    is_item
}

fn is_function(head: &str) -> bool {
    let full = format!("{head};");
    let parsed = TokenStream::from_str(&full).is_ok_and(|tokens| {
        // A visibility stands before the signature of members of impls and extern blocks.
        let is_signature = |input: syn::parse::ParseStream<'_>| -> syn::Result<()> {
            input.parse::<syn::Visibility>()?;
            // `default fn`, and `safe fn` of extern blocks.
            for word in ["default", "safe"] {
                let fork = input.fork();
                if fork.parse::<syn::Ident>().is_ok_and(|it| it == word) {
                    input.parse::<syn::Ident>()?;
                }
            }
            input.parse::<syn::Signature>()?;
            input.parse::<syn::Token![;]>()?;
            Ok(())
        };
        syn::parse::Parser::parse2(is_signature, tokens).is_ok()
    });
    proc_macro2::extra::invalidate_current_thread_spans();
    parsed
}

/// Tokens that syn keeps without looking at them.
fn is_verbatim(item: &syn::Item) -> bool {
    match item {
        syn::Item::Verbatim(tokens) => {
            !tokens.clone().into_iter().any(|it| matches!(it, TokenTree::Ident(_)))
        }
        _ => false,
    }
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

/// Classifies an item by its attributes and those around it, and by the path of its file with `/`
/// between folders (`tests/` and `benches/` hold test code).
pub fn tdd_class(file: &SourceFile, item: usize, path: &str) -> TddClass {
    let Some(it) = file.items.get(item) else { return TddClass::Production };
    let is_fn = matches!(it.kind, NodeKind::Function | NodeKind::Method);
    if is_fn && it.attributes.iter().any(|it| crate::attribute::is_test_like(it)) {
        return TddClass::Test;
    }
    let mut folders = path.split('/').rev().skip(1);
    let name = path.rsplit('/').next().unwrap_or(path);
    let is_test_path = folders.any(|it| matches!(it, "tests" | "benches" | "test"))
        || matches!(name, "tests.rs" | "test.rs")
        || name.ends_with("_test.rs")
        || name.ends_with("_tests.rs");
    if it.is_test || is_test_path { TddClass::TestHelper } else { TddClass::Production }
}
