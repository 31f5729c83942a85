//! Items that only macro expansion reveals, as rust-analyzer reports them.

use serde::{Deserialize, Serialize};
use syntax::NodeKind;

/// An item that a macro call generates and that only rust-analyzer, which expands the macro, can
/// see.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct MacroInterface {
    /// Its path: within the crate, or within the expansion.
    pub path: Box<str>,
    /// The kind: `function`, `struct` …
    pub kind: Box<str>,
    /// The signature in one line.
    pub signature: Box<str>,
}

impl MacroInterface {
    /// Parses a definition from its signature as an editor shows it; `None` if it is not an item,
    /// for example a field.
    pub(super) fn defined(path: &str, signature: &str) -> Option<Self> {
        let signature = signature.split_whitespace().collect::<Vec<_>>().join(" ");
        let words = signature.split(|ch: char| !ch.is_alphanumeric() && ch != '_');
        let kind = words.take(8).find_map(|word| {
            Some(match word {
                "fn" => NodeKind::Function,
                "struct" => NodeKind::Struct,
                "enum" => NodeKind::Enum,
                "union" => NodeKind::Union,
                "trait" => NodeKind::Trait,
                "type" => NodeKind::TypeAlias,
                "static" => NodeKind::Static,
                "macro_rules" => NodeKind::Macro,
                _ => return None,
            })
        });
        // `const fn` is a function.
        let is_const = || signature.split(' ').take(2).any(|word| word == "const");
        let kind = kind.or_else(|| is_const().then_some(NodeKind::Const))?;
        let (path, kind) = (path.into(), kind.as_str().into());
        Some(Self { path, kind, signature: signature.into() })
    }
}

/// The items of an expansion in order; impls and imports have no names.
pub(super) fn of_expansion(text: &str) -> Vec<MacroInterface> {
    let file = syntax::parse(text);
    let named = file.items.iter();
    named
        .filter(|item| !matches!(item.kind, NodeKind::Impl | NodeKind::Import))
        .map(|item| MacroInterface {
            path: item.canon.as_str().into(),
            kind: item.kind.as_str().into(),
            signature: syntax::signature_of(text, item)
                .unwrap_or_else(|| syntax::tree_signature(text, item))
                .into(),
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_expansion_contains_its_items() {
        let text = "pub struct Flags(u32);\nimpl Flags { pub const A: u32 = 1; pub fn bits(&self) -> u32 { self.0 } }\nfn helper() {}";
        let made: Vec<String> = of_expansion(text)
            .into_iter()
            .map(|it| format!("{} {}: {}", it.kind, it.path, it.signature))
            .collect();
        let want = [
            "struct Flags: pub struct Flags(u32)",
            "const Flags::A: pub const A: u32",
            "method Flags::bits: pub fn bits(&self) -> u32",
            "function helper: fn helper()",
        ];
        assert_eq!(made, want);
    }

    #[test]
    fn the_kind_of_a_definition_is_parsed_from_its_signature() {
        let kind = |signature: &str| MacroInterface::defined("a::b", signature).map(|it| it.kind);
        assert_eq!(kind("pub(crate) const fn f()").as_deref(), Some("function"));
        assert_eq!(kind("pub const A: u32 = 1").as_deref(), Some("const"));
        assert_eq!(kind("pub struct S<T>\nwhere\n    T: Copy").as_deref(), Some("struct"));
        assert_eq!(kind("field: *const u8"), None);
        assert_eq!(kind("x: u8"), None);
    }
}
