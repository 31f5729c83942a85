use std::cell::RefCell;
use std::collections::BTreeMap;
use std::sync::Arc;

use base::{ContentHash, Ctx, ProjectPath};
use graph::{ItemKind, ItemView, Map};
use ingest::{Index, Options, Report};

use crate::{Error, Workspace};

/// The map, true to the files as they stand, with the texts that answers quote.
pub struct Fresh<'a> {
    workspace: &'a Workspace,
    index: Index,
    map: Arc<Map>,
    report: Report,
    texts: RefCell<BTreeMap<u32, Option<Arc<str>>>>,
}

impl<'a> Fresh<'a> {
    /// Brings the map up to date and opens it.
    pub fn open(ctx: &Ctx, workspace: &'a Workspace) -> Result<Self, Error> {
        Self::with_options(ctx, workspace, &Options::default())
    }

    /// As [`Fresh::open`], told how.
    pub fn with_options(
        ctx: &Ctx,
        workspace: &'a Workspace,
        options: &Options,
    ) -> Result<Self, Error> {
        let mut index = workspace.index(ctx)?;
        let report = index.refresh(ctx, options)?;
        let map = index.map();
        Ok(Self { workspace, index, map, report, texts: RefCell::default() })
    }

    /// The map.
    pub fn map(&self) -> &Map {
        &self.map
    }

    /// What bringing it up to date found and cost.
    pub fn report(&self) -> &Report {
        &self.report
    }

    /// Where the map lies and is kept.
    pub(crate) fn index(&self) -> &Index {
        &self.index
    }

    /// The project it is of.
    pub fn workspace(&self) -> &'a Workspace {
        self.workspace
    }

    /// The one item that `query` means.
    pub fn one(&self, query: &str) -> Result<ItemView<'_>, Error> {
        match self.map.find(query)[..] {
            [] => {
                Err(Error::NoItem { query: query.to_owned(), nearest: self.map.nearest(query, 5) })
            }
            [number] => self
                .map
                .item(number)
                .ok_or_else(|| Error::NoItem { query: query.to_owned(), nearest: Vec::new() }),
            ref several => {
                let items = several.iter().filter_map(|number| self.map.item(*number));
                Err(Error::Ambiguous {
                    query: query.to_owned(),
                    candidates: items.map(|item| describe(&item)).collect(),
                })
            }
        }
    }

    /// The text of a file, where it still is what was indexed.
    pub fn text(&self, file: u32) -> Option<Arc<str>> {
        if let Some(known) = self.texts.borrow().get(&file) {
            return known.clone();
        }
        let text = self.read(file);
        self.texts.borrow_mut().insert(file, text.clone());
        text
    }

    fn read(&self, file: u32) -> Option<Arc<str>> {
        let view = self.map.file(file)?;
        let path = ProjectPath::new(view.path).ok()?;
        let bytes = std::fs::read(path.join_to(self.workspace.project().root())).ok()?;
        if ContentHash::of(&bytes) != view.hash {
            return None;
        }
        String::from_utf8(bytes).ok().map(Arc::from)
    }

    /// The bytes of an item's file, from one place of it to another.
    pub(crate) fn slice(&self, item: &ItemView<'_>, from: u32, to: u32) -> Option<String> {
        let text = self.text(item.file)?;
        text.get(from as usize..to as usize).map(str::to_owned)
    }

    /// The exact text of an item, doc comments and attributes included.
    pub(crate) fn code(&self, item: &ItemView<'_>) -> Option<String> {
        self.slice(item, item.span.0, item.span.1)
    }

    /// The signature of an item in one line, as far as its file shows it.
    pub(crate) fn signature(&self, item: &ItemView<'_>) -> Signature {
        // These are declared by no text of their own.
        if matches!(
            item.kind,
            ItemKind::File | ItemKind::Crate | ItemKind::Feature | ItemKind::External
        ) {
            return Signature::default();
        }
        let head = self.slice(item, item.code_start, item.signature_end).unwrap_or_default();
        let head = head.trim_end();
        let plain = || one_line(head.trim_end_matches(['{', '=', ';', ',']).trim_end());
        if !has_signature(item.kind) {
            return Signature { written: plain(), exact: None };
        }
        // What a reader of heads needs to see that there is a body, and no more of it.
        let body = self.slice(item, item.signature_end, item.span.1).unwrap_or_default();
        let whole = match body.trim_start().bytes().next() {
            _ if head.ends_with('=') => format!("{head} ();"),
            Some(b'(') => format!("{head}{body}"),
            Some(b'{') => format!("{head} {{}}"),
            _ => head.to_owned(),
        };
        let file = syntax::parse(&whole);
        match file.items.first() {
            Some(first) => Signature {
                written: syntax::tree_signature(&whole, first),
                exact: syntax::signature_of(&whole, first).filter(|_| !item.flags.is_recovered),
            },
            None => Signature { written: plain(), exact: None },
        }
    }

    /// `test`, `test_helper` (code that only tests compile, or that stands with tests) or
    /// `production`.
    pub(crate) fn classify(&self, item: &ItemView<'_>) -> &'static str {
        let is_function = matches!(item.kind, ItemKind::Function | ItemKind::Method);
        if is_function && item.flags.is_test {
            let before = self.slice(item, item.span.0, item.code_start).unwrap_or_default();
            if has_test_attribute(&before) {
                return "test";
            }
        }
        let path = item.path().unwrap_or_default();
        let stands_with_tests = path.split('/').any(|part| matches!(part, "tests" | "benches"));
        if item.flags.is_test || stands_with_tests { "test_helper" } else { "production" }
    }
}

/// What is known of a signature.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Signature {
    /// As written, in one line.
    pub(crate) written: String,
    /// In its canonical spelling, where it parses.
    pub(crate) exact: Option<String>,
}

impl Signature {
    /// The best there is.
    pub(crate) fn best(self) -> String {
        self.exact.unwrap_or(self.written)
    }
}

/// Whether items of this kind are declared by a head of their own.
pub(crate) fn has_signature(kind: ItemKind) -> bool {
    !matches!(
        kind,
        ItemKind::Variant
            | ItemKind::MacroCall
            | ItemKind::Crate
            | ItemKind::File
            | ItemKind::Feature
            | ItemKind::External
    )
}

/// `#[test]`, `#[tokio::test(…)]`, `#[rstest]`, `#[test_case(…)]` …
fn has_test_attribute(before: &str) -> bool {
    before.split("#[").skip(1).any(|attribute| {
        let end = attribute.find(|ch: char| !(ch.is_alphanumeric() || ch == '_' || ch == ':'));
        let path = &attribute[..end.unwrap_or(attribute.len())];
        let name = path.rsplit(':').next().unwrap_or(path);
        matches!(name, "test" | "rstest" | "test_case" | "bench" | "quickcheck" | "proptest")
    })
}

/// Words of one line, one space between them.
pub(crate) fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// `method demo/demo::io::Reader::read (src/io.rs:7), key src-io.rs-Reader::read`.
fn describe(item: &ItemView<'_>) -> String {
    let place = item.path().map(|path| format!(" ({path}:{})", item.line)).unwrap_or_default();
    format!("{} {}{place}, key `{}`", item.kind.as_str(), item.canon(), item.key())
}

/// A rule of the resolver, in words; `None` for what follows from the structure.
pub(crate) fn rule(number: u8) -> Option<&'static str> {
    resolve::Rule::of_number(number).map(resolve::Rule::sentence)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn test_attributes_are_told_from_others() {
        for yes in ["#[test]", "/// Doc.\n#[tokio::test(flavor = \"x\")]", "#[ignore]\n#[rstest]"] {
            assert!(has_test_attribute(yes), "{yes}");
        }
        for no in ["", "#[cfg(test)]", "#[inline]", "/// test"] {
            assert!(!has_test_attribute(no), "{no}");
        }
    }
}
