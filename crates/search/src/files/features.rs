//! Features of files.
//!
//! To add one: a line in [`FILE_FEATURES`], and weights in `weights/files/*.txt`; without one its
//! weight is 0. Not worth a feature, measured by leaving out crates: the share of the query that path
//! or names say, similarity to the names in a file, its number of items, its centrality.

use base::ItemKind;

use super::intro;
use crate::features::Context;
use crate::index::Facts;

/// The weight of words in sequence.
pub(crate) const PHRASE: &str = "files.phrase";

/// One feature of a file.
pub(crate) struct FileFeature {
    /// Name in weights: `files.…`.
    pub(crate) weight: &'static str,
    /// Description, to follow "the file".
    pub(crate) meaning: &'static str,
    /// Whether answers without explanations contain it.
    pub(crate) is_always_shown: bool,
    /// The value for a file, 0 to 1.
    pub(crate) value: fn(&Field<'_, '_>, u32, &OfFile) -> f32,
}

impl FileFeature {
    /// Name in explanations.
    pub(crate) fn name(&self) -> &'static str {
        self.weight.strip_prefix("files.").unwrap_or(self.weight)
    }
}

const fn feature(
    weight: &'static str,
    meaning: &'static str,
    value: fn(&Field<'_, '_>, u32, &OfFile) -> f32,
) -> FileFeature {
    FileFeature { weight, meaning, is_always_shown: false, value }
}

const fn shown(feature: FileFeature) -> FileFeature {
    FileFeature { is_always_shown: true, ..feature }
}

pub(crate) static FILE_FEATURES: [FileFeature; 12] = [
    shown(feature("files.items", "its items, all together", |_, _, own| own.items)),
    shown(feature("files.bm25", "it contains words of the query", |field, file, _| {
        field.words(file)
    })),
    feature("files.best", "its best item", |_, _, own| own.best),
    feature(
        "files.item_words",
        "how much of the query one item of it contains, whatever other files contain",
        |_, _, own| own.holds,
    ),
    feature("files.path", "its path contains words of the query", |field, file, _| {
        field.context.words.path(file)
    }),
    feature(
        "files.defines",
        "it defines an item that the query names, as a share of the best; a rarer name counts more, a \
         member half",
        |_, _, own| own.defines,
    ),
    feature("files.placed", "the query is its path, or mentions it", |field, file, _| {
        field.is_placed(file)
    }),
    feature(
        "files.intro",
        "words of the query are in its doc comment or in the names that it defines and presents",
        |field, file, _| field.intro_words(file),
    ),
    feature(
        "files.intro_doc",
        "its doc comment is similar to the query, by the encoder",
        |field, file, _| field.intro_doc(file),
    ),
    feature(
        PHRASE,
        "its text contains words of the query in sequence, at least half of them (only of the best files, \
         and only where files are asked for)",
        |_, _, own| own.phrase,
    ),
    feature("files.test", "it is test code, a benchmark or an example", |field, file, _| {
        field.is_test(file)
    }),
    feature(
        "files.root",
        "it is a `lib.rs`, `main.rs` or `mod.rs` and defines nothing that the query names",
        |field, file, own| if own.defines > 0.0 { 0.0 } else { field.is_root(file) },
    ),
];

/// What the candidates of a file add up to.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct OfFile {
    pub(crate) items: f32,
    pub(crate) best: f32,
    holds: f32,
    pub(crate) defines: f32,
    pub(crate) phrase: f32,
}

impl OfFile {
    /// Adds one document of the file.
    pub(crate) fn add(&mut self, context: &Context<'_>, document: u32) {
        self.holds = self.holds.max(held(context, document));
        let named = context.named.worth(document);
        if named > 0.0 && !context.index.facts(document).has(Facts::TEST) {
            self.defines = self.defines.max(named * rank_of(context.index.kind(document)));
        }
    }
}

/// The lexical score of a document as a share of what the query's own terms can give, about.
fn held(context: &Context<'_>, document: u32) -> f32 {
    let all: f32 = context.own_idf.iter().sum();
    let score = context.words.scratch.items.get(document);
    if all > 0.0 { (score / all / MOST_HELD).min(1.0) } else { 0.0 }
}

/// Greatest factor of a term's rarity in a lexical score, about.
const MOST_HELD: f32 = 2.5;

/// How much of a definition an item of this kind is: an impl is none, a member half of one.
fn rank_of(kind: Option<ItemKind>) -> f32 {
    use ItemKind::{Enum, Function, Impl, Macro, Module, Struct, Trait, TypeAlias, Union};
    match kind {
        None | Some(Impl | Module) => 0.0,
        Some(Struct | Enum | Union | Trait | TypeAlias | Macro | Function) => 1.0,
        Some(_) => 0.5,
    }
}

/// What the features of all files are computed from.
pub(crate) struct Field<'r, 'a> {
    context: &'r Context<'a>,
    has_words: bool,
}

impl<'r, 'a> Field<'r, 'a> {
    pub(crate) fn new(context: &'r Context<'a>, has_words: bool) -> Self {
        Self { context, has_words }
    }

    fn words(&self, file: u32) -> f32 {
        if self.has_words { self.context.words.file(file) } else { 0.0 }
    }

    fn intro_words(&self, file: u32) -> f32 {
        intro(self.context.index, file).map_or(0.0, |intro| self.context.words.item(intro))
    }

    fn intro_doc(&self, file: u32) -> f32 {
        let (Some(dense), Some(intro)) = (&self.context.dense, intro(self.context.index, file))
        else {
            return 0.0;
        };
        (dense.doc.score(intro, &dense.query) / dense.max).max(0.0)
    }

    pub(crate) fn is_placed(&self, file: u32) -> f32 {
        let number = self.context.index.files().get(file as usize);
        let is_placed = number.is_some_and(|it| self.context.placed.files().contains(&it));
        f32::from(u8::from(is_placed))
    }

    fn is_test(&self, file: u32) -> f32 {
        let intro = intro(self.context.index, file);
        let is_test = intro.is_some_and(|it| self.context.index.facts(it).has(Facts::TEST));
        f32::from(u8::from(is_test))
    }

    fn is_root(&self, file: u32) -> f32 {
        let number = self.context.index.files().get(file as usize);
        let view = number.and_then(|number| self.context.map.file(number));
        let path = view.map_or("", |view| view.path);
        let name = path.rsplit('/').next().unwrap_or(path);
        f32::from(u8::from(matches!(name, "lib.rs" | "main.rs" | "mod.rs")))
    }
}
