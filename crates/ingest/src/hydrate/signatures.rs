use std::collections::BTreeMap;

use base::{ContentHash, ItemId, ProjectPath, Timestamp};
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
    /// When it was said.
    at: Timestamp,
    /// Sorted by id.
    items: Vec<([u8; 16], Box<str>)>,
    /// What macro calls make besides items of the map, sorted by the call's id.
    made: Vec<([u8; 16], Vec<MacroInterface>)>,
}

/// What was said of one item.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct About<'a> {
    /// What it is called.
    pub signature: Option<&'a str>,
    /// What it makes besides items of the map, where it is a macro call.
    pub made: &'a [MacroInterface],
    /// When.
    pub at: Timestamp,
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
    /// What was said of an item in a file with these bytes; `None`: nothing of the file.
    pub fn about(&self, path: &str, hash: ContentHash, item: ItemId) -> Option<About<'_>> {
        let file = self.file(path, hash)?;
        let id = item.to_bytes();
        let signature = file.items.binary_search_by_key(&id, |(id, _)| *id).ok();
        let made = file.made.binary_search_by_key(&id, |(id, _)| *id).ok();
        Some(About {
            signature: signature.and_then(|at| file.items.get(at)).map(|(_, text)| &**text),
            made: made.and_then(|at| file.made.get(at)).map_or(&[], |(_, made)| made),
            at: file.at,
        })
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
    pub(super) fn put(
        &mut self,
        path: &ProjectPath,
        hash: ContentHash,
        said: Named,
        at: Timestamp,
    ) {
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
        self.files.insert(path.clone(), OfFile { hash, at, items, made });
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
        signatures.put(&path, ContentHash::of(b"text"), said, Timestamp(7));
        let read = Signatures::unpacked(&signatures.packed().unwrap()).unwrap();
        assert_eq!(read, signatures);
        let about = |path, hash: &[u8], id| read.about(path, ContentHash::of(hash), id);
        let first = about("src/lib.rs", b"text", one).unwrap();
        assert_eq!(
            (first.signature, first.made, first.at),
            (Some("fn a()"), &[][..], Timestamp(7))
        );
        let second = about("src/lib.rs", b"text", two).unwrap();
        assert_eq!((second.signature, second.made), (Some("fn b()"), &[made][..]));
        assert_eq!(about("src/lib.rs", b"other", one), None);
        assert_eq!(about("src/other.rs", b"text", one), None);
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
