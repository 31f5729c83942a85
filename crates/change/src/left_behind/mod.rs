//! Places that a finished change has left behind: they compile, and have the old state.
//!
//! An item that was renamed is still called by its old name in documentation; a `match` takes a new
//! variant as `_`; a hand-written `Debug` leaves out a new field. [`left_behind`] lists them. Most are
//! remarks, which change nothing; a link or a code span that can only mean a renamed item has an edit.
//! A list with noise is not read: a place is left out where it may be meant, or is about something
//! else, and so are lines that the person has written in this change.

mod counterparts;
mod example_calls;
mod features;
mod fields;
mod mentions;
mod parameters;
mod renamed_features;
mod shadowed;
mod thrown_away;
mod unused_values;
mod variants;
mod warnings;

use std::sync::Arc;

use base::{ByteSpan, Diagnostic, LineIndex, ProjectPath, SortedSet};
use edit::Splice;
use syntax::places::{DefinitionKind, places};

pub use counterparts::is_gated;
pub use example_calls::{is_example_call, is_example_to_run};
pub use mentions::{is_about_change, path_mentions};
pub use parameters::is_argument_order;
use refactor::{PlacedText, lines_around};
pub(crate) use renamed_features::features_with_other_names;
pub use renamed_features::renames_feature;
pub use unused_values::is_lost_failure;

use crate::{Difference, Intent, What};

/// One place that a change has left behind.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LeftBehind {
    /// File.
    pub path: ProjectPath,
    /// Line, from 1.
    pub line: u32,
    /// What is there, in one line.
    pub what: String,
    /// The change that it follows from, in one line.
    pub why: String,
    /// The edit that follows with certainty; `None` for a remark.
    pub splice: Option<Splice>,
    /// Why the place compiles although it may be wrong; `None` where it is right or text.
    pub unproven: Option<&'static str>,
}

impl LeftBehind {
    /// Whether it is a call that loses a failure.
    pub fn loses_failure(&self) -> bool {
        self.unproven.is_some_and(is_lost_failure)
    }

    /// Whether both are on one line.
    fn is_of_line(&self, other: &Self) -> bool {
        self.path == other.path && self.line == other.line
    }

    /// By file and line.
    pub(crate) fn cmp_place(&self, other: &Self) -> std::cmp::Ordering {
        let key = |it: &Self| {
            let at = it.splice.as_ref().map_or(usize::MAX, |it| it.span.start);
            (it.path.clone(), it.line, at, it.what.clone())
        };
        key(self).cmp(&key(other))
    }
}

/// Why a place that the compiler would refuse is left.
const UNBUILT: &str = "no check builds it";

/// Most places of one change.
const MAX_PLACES: usize = 100;

/// The places that `intents` (of `difference`) have left behind in `files`: all Rust and Markdown texts
/// and manifests of the present tree. `warnings` are those of the compiler for this tree. In the order of the
/// intents, then by path and line.
pub fn left_behind(
    difference: &Difference,
    intents: &[Intent],
    warnings: &[Diagnostic],
    files: &[(ProjectPath, Arc<str>)],
) -> Vec<LeftBehind> {
    let tree = Tree::of(difference, intents, files);
    let mut found: Vec<LeftBehind> = Vec::new();
    let mut seen: SortedSet<(ProjectPath, u32, String)> = SortedSet::new();
    for intent in intents {
        let mut list = Vec::new();
        mentions::mentions(&tree, intent, &mut list);
        variants::variants(&tree, intent, &mut list);
        variants::unbuilt(&tree, intent, &mut list);
        fields::fields(&tree, intent, &mut list);
        fields::unbuilt(&tree, intent, &mut list);
        parameters::parameters(&tree, intent, &mut list);
        parameters::moved(&tree, intent, &mut list);
        parameters::on_pages(&tree, intent, &mut list);
        shadowed::shadowed(&tree, intent, &mut list);
        counterparts::counterparts(&tree, intent, &mut list);
        list.sort_by(LeftBehind::cmp_place);
        list.retain(|it| seen.insert((it.path.clone(), it.line, it.what.clone())));
        list.truncate(MAX_PLACES);
        found.extend(list);
    }
    example_calls::in_examples(&tree, &mut found);
    found.extend(renamed_features::renamed_features(&tree));
    found.extend(features::features(&tree, warnings));
    let mut list = warned_in(&tree, intents, warnings);
    list.retain(|it| {
        it.splice.is_some() || seen.insert((it.path.clone(), it.line, it.what.clone()))
    });
    found.extend(list);
    found
}

/// The places of [`left_behind`] that are calls in examples of the documentation.
pub fn left_example_calls(
    difference: &Difference,
    intents: &[Intent],
    files: &[(ProjectPath, Arc<str>)],
) -> Vec<LeftBehind> {
    let mut found = Vec::new();
    example_calls::in_examples(&Tree::of(difference, intents, files), &mut found);
    found
}

/// The places of [`left_behind`] that these warnings of the compiler are about.
pub fn warned(
    difference: &Difference,
    intents: &[Intent],
    warnings: &[Diagnostic],
    files: &[(ProjectPath, Arc<str>)],
) -> Vec<LeftBehind> {
    warned_in(&Tree::of(difference, intents, files), intents, warnings)
}

/// The places that warnings are about, and those of values that nothing uses and that have none.
fn warned_in(tree: &Tree<'_>, intents: &[Intent], warnings: &[Diagnostic]) -> Vec<LeftBehind> {
    let mut found = unused_values::unused_values(tree, intents, warnings);
    let mut thrown = thrown_away::thrown_away(tree, intents);
    thrown.retain(|it| !found.iter().any(|known| known.is_of_line(it)));
    found.extend(thrown);
    let mut others = warnings::warnings(tree, intents, warnings);
    let is_known = |it: &LeftBehind| found.iter().any(|known| known.is_of_line(it));
    others.retain(|it| it.unproven.is_none() || !is_known(it));
    found.extend(others);
    found
}

/// The places of [`left_behind`] in code that no check builds: matches without an arm for a new variant, and
/// literals and patterns without a new field.
pub fn unbuilt(
    difference: &Difference,
    intents: &[Intent],
    files: &[(ProjectPath, Arc<str>)],
) -> Vec<LeftBehind> {
    let tree = Tree::of(difference, intents, files);
    let mut found: Vec<LeftBehind> = Vec::new();
    for intent in intents {
        variants::unbuilt(&tree, intent, &mut found);
        fields::unbuilt(&tree, intent, &mut found);
        counterparts::counterparts(&tree, intent, &mut found);
    }
    found.sort_by(LeftBehind::cmp_place);
    found.dedup();
    found.truncate(MAX_PLACES);
    found
}

/// Whether a text is neither Rust nor Markdown nor a manifest.
fn is_of_tools(file: &&(ProjectPath, Arc<str>)) -> bool {
    !matches!(file.0.extension(), Some("rs" | "md")) && file.0.file_name() != "Cargo.toml"
}

/// The present tree, and what of it is old.
struct Tree<'a> {
    difference: &'a Difference,
    intents: &'a [Intent],
    rust: Vec<PlacedText>,
    markdown: Vec<&'a (ProjectPath, Arc<str>)>,
    /// Texts that other tools read.
    of_tools: Vec<&'a (ProjectPath, Arc<str>)>,
    /// All Rust files.
    sources: Vec<(ProjectPath, Arc<str>)>,
    manifests: Vec<(ProjectPath, Arc<str>)>,
}

impl<'a> Tree<'a> {
    fn of(
        difference: &'a Difference,
        intents: &'a [Intent],
        files: &'a [(ProjectPath, Arc<str>)],
    ) -> Self {
        let of =
            |ext: &'static str| files.iter().filter(move |(path, _)| path.extension() == Some(ext));
        let read = |(path, text): &(ProjectPath, Arc<str>)| PlacedText {
            path: path.clone(),
            text: Arc::clone(text),
            places: places(text),
        };
        Self {
            difference,
            intents,
            rust: of("rs").map(read).collect(),
            markdown: of("md").collect(),
            of_tools: files.iter().filter(is_of_tools).collect(),
            sources: of("rs").cloned().collect(),
            manifests: of("toml").filter(|it| it.0.file_name() == "Cargo.toml").cloned().collect(),
        }
    }

    /// Whether the line at a position is older than the change.
    fn is_old(&self, path: &ProjectPath, text: &str, at: usize) -> bool {
        self.difference.is_old_line(path, line_at(text, at))
    }

    /// Whether the code of a span is older than the change.
    fn is_old_code(&self, text: &PlacedText, span: ByteSpan) -> bool {
        let Some(sides) = self.difference.get(&text.path) else { return true };
        let slice = text.slice(span);
        sides.base.as_deref().is_some_and(|base| base.contains(slice))
    }

    /// Whether a type is part of the change itself.
    fn is_new_type(&self, name: &str) -> bool {
        self.intents.iter().any(|it| match &it.what {
            What::Added { of, .. } => {
                matches!(of.kind, DefinitionKind::Enum | DefinitionKind::Struct) && of.name == name
            }
            _ => false,
        })
    }

    /// The names of the new members of this kind of a type.
    fn new_members(&self, kind: DefinitionKind, owner: &str) -> SortedSet<&'a str> {
        let new = self.intents.iter().filter_map(|it| match &it.what {
            What::Added { of, .. } if of.kind == kind && of.owner == owner => Some(&*of.name),
            _ => None,
        });
        new.collect()
    }

    /// The names of all members of this kind of the type that the intent is about.
    fn members(&self, intent: &Intent, kind: DefinitionKind) -> Vec<&str> {
        let owner = &intent.what.of().owner;
        let own = self.rust.iter().filter(|it| it.path == intent.path);
        own.flat_map(|it| &it.places.definitions)
            .filter(|it| it.kind == kind && it.owner == *owner)
            .map(|it| it.name.as_str())
            .collect()
    }

    fn remark(&self, path: &ProjectPath, text: &str, at: usize, intent: &Intent) -> LeftBehind {
        LeftBehind {
            path: path.clone(),
            line: LineIndex::new(text).line_of(at),
            what: String::new(),
            why: intent.to_string(),
            splice: None,
            unproven: None,
        }
    }
}

/// The line around a position.
pub fn line_at(text: &str, at: usize) -> &str {
    lines_around(text, ByteSpan::new(at, at)).slice(text).unwrap_or("").trim_end_matches('\r')
}
