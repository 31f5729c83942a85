//! The signatures and macro-generated items that rust-analyzer reports, packed for storage.

use base::{ContentHash, ItemId, ProjectPath, SortedMap, Timestamp};
use serde::{Deserialize, Serialize};

use super::MacroInterface;

/// The signatures of the items of each file as rust-analyzer reports them, with macro-generated
/// code, on one line or several.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Signatures {
    files: SortedMap<ProjectPath, OfFile>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct OfFile {
    /// Hash of the text that was analyzed.
    hash: ContentHash,
    /// When it was analyzed.
    at: Timestamp,
    /// Sorted by id.
    items: Vec<([u8; 16], Box<str>)>,
    /// Items that macro calls generate besides items of the map, sorted by the call's id.
    generated: Vec<([u8; 16], Vec<MacroInterface>)>,
}

/// The rust-analyzer facts for one item.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ItemFacts<'a> {
    /// The signature.
    pub signature: Option<&'a str>,
    /// The items that a macro call generates besides items of the map.
    pub generated: &'a [MacroInterface],
    /// When the file was analyzed.
    pub at: Timestamp,
}

/// The rust-analyzer facts for the items of one file.
#[derive(Clone, Debug, Default)]
pub(crate) struct FileSignatures {
    /// Signatures of items.
    pub(crate) signatures: Vec<(ItemId, String)>,
    /// Items that macro calls generate besides items of the map.
    pub(crate) generated: Vec<(ItemId, Vec<MacroInterface>)>,
}

impl Signatures {
    /// The facts for an item in a file with this hash; `None` if there are none for the file.
    pub fn item_facts(&self, path: &str, hash: ContentHash, item: ItemId) -> Option<ItemFacts<'_>> {
        let file = self.file(path, hash)?;
        let id = item.to_bytes();
        let signature = file.items.binary_search_by_key(&id, |(id, _)| *id).ok();
        let generated = file.generated.binary_search_by_key(&id, |(id, _)| *id).ok();
        Some(ItemFacts {
            signature: signature.and_then(|at| file.items.get(at)).map(|(_, text)| &**text),
            generated: generated
                .and_then(|at| file.generated.get(at))
                .map_or(&[], |(_, generated)| generated),
            at: file.at,
        })
    }

    /// The facts for a file with this hash.
    fn file(&self, path: &str, hash: ContentHash) -> Option<&OfFile> {
        let path = ProjectPath::new(path).ok()?;
        self.files.get(&path).filter(|file| file.hash == hash)
    }

    /// Whether there are no signatures.
    pub(crate) fn is_empty(&self) -> bool {
        self.files.values().all(|file| file.items.is_empty())
    }

    /// Replaces the facts for a file.
    pub(super) fn put(
        &mut self,
        path: &ProjectPath,
        hash: ContentHash,
        named: FileSignatures,
        at: Timestamp,
    ) {
        let signatures = named.signatures.into_iter();
        let mut items: Vec<([u8; 16], Box<str>)> =
            signatures.map(|(id, text)| (id.to_bytes(), text.into())).collect();
        items.sort_unstable();
        // Two items with one id cannot be distinguished.
        items.dedup_by(|one, other| one.0 == other.0);
        let mut generated: Vec<([u8; 16], Vec<MacroInterface>)> =
            named.generated.into_iter().map(|(id, generated)| (id.to_bytes(), generated)).collect();
        generated.sort_unstable();
        generated.dedup_by(|one, other| one.0 == other.0);
        self.files.insert(path.clone(), OfFile { hash, at, items, generated });
    }

    /// Keeps the files for which `is_there` returns true.
    pub(super) fn retain(&mut self, is_there: impl Fn(&ProjectPath, ContentHash) -> bool) {
        self.files.retain(|path, file| is_there(path, file.hash));
    }

    /// The stored form.
    pub(super) fn packed(&self) -> Option<Vec<u8>> {
        Some(lz4_flex::block::compress_prepend_size(&postcard::to_stdvec(self).ok()?))
    }

    /// `None` if the bytes are invalid.
    pub(crate) fn unpacked(bytes: &[u8]) -> Option<Self> {
        let body = lz4_flex::block::decompress_size_prepended(bytes).ok()?;
        postcard::from_bytes(&body).ok()
    }
}

/// The signature in the hover text of a name: the last code block before the documentation, without
/// the comment on its size.
pub(super) fn of_hover(markdown: &str) -> Option<String> {
    let head = markdown.split("\n---\n").next().unwrap_or(markdown);
    let (_, block) = head.rsplit_once("```rust\n")?;
    let (code, _) = block.split_once("\n```").or_else(|| block.split_once("```"))?;
    let lines = code.lines().map(|line| match line.split_once("// size = ") {
        Some((before, _)) => before.trim_end(),
        None => line,
    });
    let text = lines.filter(|line| !line.is_empty()).collect::<Vec<_>>().join("\n");
    (!text.is_empty()).then_some(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_signature_is_valid_only_for_the_analyzed_text() {
        let path = ProjectPath::new("src/lib.rs").unwrap();
        let (one, two) = (ItemId::of("a", "function", ""), ItemId::of("b", "function", ""));
        let mut signatures = Signatures::default();
        let generated = MacroInterface::defined("a::made", "fn made()").unwrap();
        let named = FileSignatures {
            signatures: vec![(two, "fn b()".to_owned()), (one, "fn a()".to_owned())],
            generated: vec![(two, vec![generated.clone()])],
        };
        signatures.put(&path, ContentHash::of(b"text"), named, Timestamp(7));
        let read = Signatures::unpacked(&signatures.packed().unwrap()).unwrap();
        assert_eq!(read, signatures);
        let item_facts = |path, hash: &[u8], id| read.item_facts(path, ContentHash::of(hash), id);
        let first = item_facts("src/lib.rs", b"text", one).unwrap();
        assert_eq!(
            (first.signature, first.generated, first.at),
            (Some("fn a()"), &[][..], Timestamp(7))
        );
        let second = item_facts("src/lib.rs", b"text", two).unwrap();
        assert_eq!((second.signature, second.generated), (Some("fn b()"), &[generated][..]));
        assert_eq!(item_facts("src/lib.rs", b"other", one), None);
        assert_eq!(item_facts("src/other.rs", b"text", one), None);
        assert_eq!(Signatures::unpacked(b"\xff\xff\xff\xff junk"), None);
    }

    #[test]
    fn the_signature_is_the_last_code_before_the_documentation() {
        let shown = "\n```rust\nkrate::module\n```\n\n```rust\npub struct S // size = 8, align = 8\n```\n\n---\n\nDoc.\n\n```rust\nlet s = S;\n```\n";
        assert_eq!(of_hover(shown).as_deref(), Some("pub struct S"));
        let several =
            "```rust\nkrate\n```\n\n```rust\npub fn f<T>(x: T)\nwhere\n    T: Clone,\n```";
        assert_eq!(of_hover(several).as_deref(), Some("pub fn f<T>(x: T)\nwhere\n    T: Clone,"));
        assert_eq!(of_hover("nothing"), None);
    }
}
