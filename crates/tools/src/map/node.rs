//! One item with all that relations and streams say of it.

use base::{ContentHash, ItemId};
use graph::{ItemKind, ItemView};
use serde::Serialize;

use super::Fresh;
use super::cards::confidence;

/// One node, under the names of the relation `isg_nodes`.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct NodeCard {
    /// Its lasting id.
    pub id: ItemId,
    /// The readable key.
    pub key: String,
    /// The canonical path.
    pub canon: String,
    /// What it is.
    pub kind: ItemKind,
    /// Its name; of an impl its header.
    pub name: String,
    /// `package/target`; empty: none.
    #[serde(rename = "crate")]
    pub krate: String,
    /// The path of its module within the crate.
    pub module_path: String,
    /// Its file; empty: none.
    pub file_path: String,
    /// First byte, doc comments and attributes included.
    pub span_start: u32,
    /// Behind its last byte.
    pub span_end: u32,
    /// First line behind doc comments and attributes, from 1; 0: no file.
    pub start_line: u32,
    /// Last line.
    pub end_line: u32,
    /// `pub`, `pub(crate)` …; empty: private.
    pub vis: String,
    /// The signature as written, in one line.
    pub signature_ts: String,
    /// The canonical signature, where it parses.
    pub signature_syn: Option<String>,
    /// Its generic parameters as written; empty: none.
    pub generics: String,
    /// 1: item of a module; 2: member.
    pub isgl_level: u8,
    /// Syntax errors in it.
    pub parse_error_count: u32,
    /// It crosses a syntax error.
    pub recovered: bool,
    /// 0 to 1.
    pub confidence: f64,
    /// Of its tokens.
    pub hash: ContentHash,
    /// `test`, `test_helper`, `production`.
    pub tdd_classification: &'static str,
    /// The cfg it stands behind, its own only; empty: none.
    pub cfg: String,
    /// That cfg, or one around it, is off on this host.
    pub is_inactive: bool,
}

impl Fresh<'_> {
    pub(crate) fn node(&self, item: &ItemView<'_>) -> NodeCard {
        let canon = item.canon();
        let signature = self.signature(item);
        let has_file = item.path().is_some();
        NodeCard {
            id: item.id(),
            key: item.key(),
            module_path: self.module_path(item),
            canon,
            kind: item.kind,
            name: item.name().into_owned(),
            krate: item.crate_name().unwrap_or_default().to_owned(),
            file_path: item.path().unwrap_or_default().to_owned(),
            span_start: item.span.0,
            span_end: item.span.1,
            start_line: if has_file { item.line } else { 0 },
            end_line: if has_file { item.end_line } else { 0 },
            vis: item.visibility().to_owned(),
            generics: generics(&signature.written, &item.name()),
            isgl_level: if self.is_member(item) { 2 } else { 1 },
            parse_error_count: item.parse_errors,
            recovered: item.flags.is_recovered || item.parse_errors > 0,
            confidence: confidence(item, &signature),
            hash: item.token_hash(),
            tdd_classification: self.classify(item),
            signature_ts: signature.written,
            signature_syn: signature.exact,
            cfg: item.cfg().to_owned(),
            is_inactive: item.flags.is_inactive,
        }
    }

    fn is_member(&self, item: &ItemView<'_>) -> bool {
        let parent = item.parent.and_then(|number| self.map().item(number));
        parent.is_some_and(|parent| {
            matches!(
                parent.kind,
                ItemKind::Impl
                    | ItemKind::Trait
                    | ItemKind::Enum
                    | ItemKind::Function
                    | ItemKind::Method
            )
        })
    }

    /// The path of the module that an item stands in; of a module, its own parent's.
    fn module_path(&self, item: &ItemView<'_>) -> String {
        let mut at = item.parent;
        for _ in 0..64 {
            let Some(holder) = at.and_then(|number| self.map().item(number)) else { break };
            if holder.kind == ItemKind::Module {
                let canon = holder.canon();
                return canon.split_once("::").map(|(_, path)| path.to_owned()).unwrap_or_default();
            }
            at = holder.parent;
        }
        String::new()
    }
}

/// `<T: Clone, const N: usize>` of `fn f<T: Clone, const N: usize>(…)`.
fn generics(signature: &str, name: &str) -> String {
    // Behind the word `impl`, or behind the name.
    let is_word = |at: usize, word: &str| {
        let before = signature[..at].chars().next_back();
        !before.is_some_and(|ch| ch.is_alphanumeric() || ch == '_')
            && signature[at + word.len()..].starts_with('<')
    };
    let find = |word: &str| {
        let mut places = signature.match_indices(word).map(|(at, _)| at);
        places.find(|at| is_word(*at, word)).map(|at| at + word.len())
    };
    let at = find("impl").or_else(|| if name.is_empty() { None } else { find(name) });
    let behind = at.map_or("", |at| &signature[at..]);
    if !behind.starts_with('<') {
        return String::new();
    }
    let mut depth = 0usize;
    let mut before = ' ';
    for (at, ch) in behind.char_indices() {
        match ch {
            '<' => depth += 1,
            '>' if before != '-' && before != '=' => depth = depth.saturating_sub(1),
            _ => {}
        }
        if depth == 0 {
            return behind[..=at].to_owned();
        }
        before = ch;
    }
    String::new()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn generics_end_with_their_own_bracket() {
        let check = |signature: &str, name: &str, want: &str| {
            assert_eq!(generics(signature, name), want, "{signature}");
        };
        check(
            "pub fn f<T: Into<Vec<u8>>, F: Fn() -> T>(f: F)",
            "f",
            "<T: Into<Vec<u8>>, F: Fn() -> T>",
        );
        check("impl<T> Tr for S<T>", "Tr for S<T>", "<T>");
        check("struct S", "S", "");
        check("fn f(a: Vec<u8>)", "f", "");
    }
}
