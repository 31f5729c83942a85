use std::collections::BTreeMap;

use base::{ContentHash, ItemId, ProjectPath};
use serde::{Deserialize, Serialize};

use super::MacroInterface;

/// What rust-analyzer calls the items of each file: their signatures with what macros made of them,
/// on one line or several.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Signatures {
    files: BTreeMap<ProjectPath, OfFile>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct OfFile {
    /// Of the bytes that it was said of.
    hash: ContentHash,
    /// Sorted by id.
    items: Vec<([u8; 16], Box<str>)>,
    /// What macro calls make besides items of the map, sorted by the call's id.
    made: Vec<([u8; 16], Vec<MacroInterface>)>,
}

/// What was said of the items of one file.
#[derive(Clone, Debug, Default)]
pub(crate) struct Named {
    /// Signatures of items.
    pub(crate) signatures: Vec<(ItemId, String)>,
    /// What macro calls make besides items.
    pub(crate) made: Vec<(ItemId, Vec<MacroInterface>)>,
}

impl Signatures {
    /// That of an item in a file with these bytes.
    pub fn of(&self, path: &str, hash: ContentHash, item: ItemId) -> Option<&str> {
        let file = self.file(path, hash)?;
        let at = file.items.binary_search_by_key(&item.to_bytes(), |(id, _)| *id).ok()?;
        file.items.get(at).map(|(_, text)| &**text)
    }

    /// What a macro call makes besides items of the map.
    pub fn made_by(&self, path: &str, hash: ContentHash, call: ItemId) -> &[MacroInterface] {
        let made = self.file(path, hash).and_then(|file| {
            let at = file.made.binary_search_by_key(&call.to_bytes(), |(id, _)| *id).ok()?;
            file.made.get(at)
        });
        made.map_or(&[], |(_, made)| made)
    }

    /// Whether anything was said of a file with these bytes.
    pub fn speaks_of(&self, path: &str, hash: ContentHash) -> bool {
        self.file(path, hash).is_some()
    }

    /// What was said of a file with these bytes.
    fn file(&self, path: &str, hash: ContentHash) -> Option<&OfFile> {
        let path = ProjectPath::new(path).ok()?;
        self.files.get(&path).filter(|file| file.hash == hash)
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.files.values().map(|file| file.items.len()).sum()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.files.values().all(|file| file.items.is_empty())
    }

    /// Takes what was said of a file in the place of what was said of it before.
    pub(super) fn put(&mut self, path: &ProjectPath, hash: ContentHash, said: Named) {
        let signatures = said.signatures.into_iter();
        let mut items: Vec<([u8; 16], Box<str>)> =
            signatures.map(|(id, text)| (id.to_bytes(), text.into())).collect();
        items.sort_unstable();
        // Two things with one id are told apart by nothing.
        items.dedup_by(|one, other| one.0 == other.0);
        let mut made: Vec<([u8; 16], Vec<MacroInterface>)> =
            said.made.into_iter().map(|(id, made)| (id.to_bytes(), made)).collect();
        made.sort_unstable();
        made.dedup_by(|one, other| one.0 == other.0);
        self.files.insert(path.clone(), OfFile { hash, items, made });
    }

    /// Leaves out files for which `is_there` does not hold.
    pub(super) fn retain(&mut self, is_there: impl Fn(&ProjectPath, ContentHash) -> bool) {
        self.files.retain(|path, file| is_there(path, file.hash));
    }

    /// As it is kept.
    pub(super) fn packed(&self) -> Option<Vec<u8>> {
        Some(lz4_flex::block::compress_prepend_size(&postcard::to_stdvec(self).ok()?))
    }

    /// `None`: it makes no sense.
    pub(crate) fn unpacked(bytes: &[u8]) -> Option<Self> {
        let body = lz4_flex::block::decompress_size_prepended(bytes).ok()?;
        postcard::from_bytes(&body).ok()
    }
}

/// The signature in what an editor shows at a name: the last block of code before the
/// documentation, without what is said of its size.
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
    fn a_signature_is_that_of_the_very_bytes() {
        let path = ProjectPath::new("src/lib.rs").unwrap();
        let (one, two) = (ItemId::of("a", "function", ""), ItemId::of("b", "function", ""));
        let mut signatures = Signatures::default();
        let made = MacroInterface::defined("a::made", "fn made()").unwrap();
        let said = Named {
            signatures: vec![(two, "fn b()".to_owned()), (one, "fn a()".to_owned())],
            made: vec![(two, vec![made.clone()])],
        };
        signatures.put(&path, ContentHash::of(b"text"), said);
        let read = Signatures::unpacked(&signatures.packed().unwrap()).unwrap();
        assert_eq!(read, signatures);
        let of = |hash: &[u8], id| read.of("src/lib.rs", ContentHash::of(hash), id);
        assert_eq!(of(b"text", one), Some("fn a()"));
        assert_eq!(of(b"text", two), Some("fn b()"));
        assert_eq!(of(b"other", one), None);
        assert_eq!(read.made_by("src/lib.rs", ContentHash::of(b"text"), two), [made]);
        assert!(read.made_by("src/lib.rs", ContentHash::of(b"text"), one).is_empty());
        assert_eq!(read.of("src/other.rs", ContentHash::of(b"text"), one), None);
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
