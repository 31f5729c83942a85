//! Features from files and lines mentioned in the query: stack traces, messages, diffs.

use base::SortedSet;

use super::{Candidate, Context, FeatureGroup, Unit};
use crate::analyse::{Analysis, Mention, is_path_end};
use crate::by_number::ByNumber;
use crate::index::SearchIndex;

/// Documents at mentioned lines, and mentioned files.
#[derive(Debug, Default)]
pub(crate) struct PlacedItems {
    lines: ByNumber<f32>,
    files: SortedSet<u32>,
}

impl PlacedItems {
    pub(crate) fn of(map: &::graph::Map, index: &SearchIndex, analysis: &Analysis) -> Self {
        let mut placed = Self::default();
        if let Some(pattern) = &analysis.path {
            placed.files.extend(matching(map, pattern));
        }
        for mention in &analysis.mentions {
            for file in files_of(map, mention) {
                placed.files.insert(file);
                if let Some(lines) = mention.lines {
                    placed.add_lines(map, index, file, lines);
                }
            }
        }
        placed
    }

    /// The innermost items at the lines score highest, the items around them less.
    fn add_lines(
        &mut self,
        map: &::graph::Map,
        index: &SearchIndex,
        file: u32,
        (first, last): (u32, u32),
    ) {
        let at = |item: &::graph::ItemView<'_>| item.line <= last && first <= item.end_line;
        let items = map.items_of_file(file).filter_map(|number| map.item(number)).filter(at);
        let mut around: Vec<(u32, u32)> = items
            .filter_map(|item| Some((item.end_line - item.line, index.document_of(item.number)?)))
            .collect();
        around.sort_unstable();
        for (depth, (_, document)) in around.into_iter().enumerate() {
            let slot = self.lines.entry(document, || 0.0);
            *slot = slot.max(1.0 / (1.0 + depth as f32));
        }
    }

    /// The files that the query mentions, by number in the map.
    pub(crate) fn files(&self) -> &SortedSet<u32> {
        &self.files
    }

    /// The documents that become candidates because of their location.
    pub(crate) fn strong(&self) -> impl Iterator<Item = (u32, f32)> {
        self.lines.iter().map(|(document, worth)| (document, *worth))
    }
}

/// Maximum number of files that a path or glob means.
const MOST_MATCHING: usize = 64;

/// The files whose path a glob matches, or whose path ends with a path; `.rs` and `/mod.rs` may be
/// omitted. Without such a file the pattern means a folder.
fn matching(map: &::graph::Map, pattern: &str) -> Vec<u32> {
    let pattern = pattern.trim_start_matches("./").trim_matches('/');
    let globs: &[&str] = match pattern.contains('*') {
        true => &["", ".rs", "/**/*.rs"],
        false => &["", ".rs", "/mod.rs", "/**/*.rs"],
    };
    let of = |end: &&str| {
        let glob = globset::GlobBuilder::new(&format!("{{**/,}}{pattern}{end}"))
            .literal_separator(true)
            .build();
        let Ok(glob) = glob.map(|glob| glob.compile_matcher()) else { return Vec::new() };
        let meant = map.files().filter(|file| glob.is_match(file.path));
        meant.map(|file| file.number).take(MOST_MATCHING).collect::<Vec<u32>>()
    };
    globs.iter().map(of).find(|found| !found.is_empty()).unwrap_or_default()
}

/// The files that a mention may refer to: with this path, else with this path as suffix or prefix.
fn files_of(map: &::graph::Map, mention: &Mention) -> Vec<u32> {
    if let Some(file) = map.file_by_path(&mention.path) {
        return vec![file];
    }
    let longest = map
        .files()
        .filter(|file| is_path_end(&mention.path, file.path))
        .max_by_key(|file| (file.path.len(), std::cmp::Reverse(file.number)));
    if let Some(file) = longest {
        return vec![file.number];
    }
    let meant = map.files().filter(|file| is_path_end(file.path, &mention.path));
    let meant: Vec<u32> = meant.map(|file| file.number).collect();
    // A bare `mod.rs` or `lib.rs` would match too many files.
    if meant.len() > 4 { Vec::new() } else { meant }
}

pub(super) struct Line;

impl Unit for Line {
    fn name(&self) -> &'static str {
        "place"
    }
    fn description(&self) -> &'static str {
        "the query mentions a line inside it"
    }
    fn part(&self) -> FeatureGroup {
        FeatureGroup::Rules
    }
    fn value(&self, context: &Context<'_>, candidate: &Candidate<'_>) -> f32 {
        context.placed.lines.get(candidate.document).copied().unwrap_or(0.0)
    }
}

pub(super) struct File;

impl Unit for File {
    fn name(&self) -> &'static str {
        "place_file"
    }
    fn description(&self) -> &'static str {
        "the query mentions its file"
    }
    fn part(&self) -> FeatureGroup {
        FeatureGroup::Rules
    }
    fn is_of_file(&self) -> bool {
        true
    }
    fn value(&self, context: &Context<'_>, candidate: &Candidate<'_>) -> f32 {
        f32::from(u8::from(context.placed.files.contains(&candidate.file_number)))
    }
}
