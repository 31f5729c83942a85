//! [`DiffView`]: a change as rows of a screen, made once for each content and layout. Drawing only looks at
//! the rows that are visible.

use std::ops::Range;
use std::sync::Arc;

use base::{ProjectPath, Severity, SortedMap};
use edit::{FileChange, HunkPlace, Overlay, OverlayHunks};
use syntax::TokenColour;
use tools::ReportedDiagnostic;

/// Unchanged lines around a part.
const CONTEXT: usize = 3;

/// Most lines of the rationale above a change.
const MOST_REASONS: usize = 8;

/// Texts of more bytes have no colours of tokens.
const MOST_COLOURED: usize = 512 << 10;

/// The layout of a change.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum DiffLayout {
    /// Removed and added lines below each other.
    #[default]
    Unified,
    /// Old and new lines beside each other.
    Split,
    /// The new text alone, with its changed lines marked.
    New,
}

/// One side of a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum LineKind {
    Context,
    Added,
    Removed,
}

/// A line of a file on the screen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct LineRow {
    pub(crate) kind: LineKind,
    /// Number of the file.
    pub(crate) file: usize,
    /// Line in the old text, from 0.
    pub(crate) old: Option<usize>,
    /// Line in the new text, from 0.
    pub(crate) new: Option<usize>,
    /// Number of its part.
    pub(crate) part: Option<usize>,
}

/// A row of the screen.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Row {
    /// Title of a file.
    File(usize),
    /// Unchanged lines that are not shown: their number.
    Gap(usize),
    /// A line.
    Line(LineRow),
    /// Old and new line beside each other.
    Pair(Option<LineRow>, Option<LineRow>),
    /// A diagnostic of the line above.
    Diagnostic(Severity, String),
    /// A heading.
    Heading(String),
    /// Why the change is as it is.
    Why(String),
}

/// A file of the change.
#[derive(Clone, Debug)]
pub(crate) struct FileView {
    pub(crate) path: ProjectPath,
    /// `changed`, `created`, `deleted`, `renamed from …`.
    pub(crate) act: String,
    pub(crate) added: usize,
    pub(crate) removed: usize,
    /// Number of its first part, and of its parts.
    pub(crate) parts: Range<usize>,
    old: SideText,
    new: SideText,
}

/// The text of one side with its lines and colours.
#[derive(Clone, Debug)]
struct SideText {
    text: Arc<str>,
    lines: Vec<Range<usize>>,
    /// Colours by line, with byte ranges in the line.
    colours: Vec<Vec<(Range<usize>, TokenColour)>>,
}

/// A change as rows.
#[derive(Clone, Debug, Default)]
pub(crate) struct DiffView {
    pub(crate) files: Vec<FileView>,
    pub(crate) parts: Vec<HunkPlace>,
    pub(crate) rows: Vec<Row>,
    /// First row of each part.
    pub(crate) part_rows: Vec<usize>,
    /// First row of each file.
    pub(crate) file_rows: Vec<usize>,
    pub(crate) layout: DiffLayout,
    /// Number of lines of the longest text.
    pub(crate) last_line: usize,
}

/// The rows above the files: reasons, then the places that the change leaves.
fn head(rationale: &[String], left: &[String]) -> Vec<Row> {
    let mut rows: Vec<Row> = Vec::new();
    for lines in [rationale, left] {
        rows.extend(lines.iter().take(MOST_REASONS).cloned().map(Row::Why));
        if lines.len() > MOST_REASONS {
            rows.push(Row::Why(format!("… and {} more", lines.len() - MOST_REASONS)));
        }
    }
    rows
}

impl DiffView {
    /// The rows of a change, with its diagnostics under the lines that they belong to.
    pub(crate) fn new(
        (change, places, hunks): (&Overlay, &[HunkPlace], &OverlayHunks),
        layout: DiffLayout,
        diagnostics: &[ReportedDiagnostic],
        (rationale, left): (&[String], &[String]),
    ) -> Self {
        let parts = places.to_vec();
        let mut view = Self {
            files: Vec::new(),
            part_rows: vec![0; parts.len()],
            parts,
            rows: head(rationale, left),
            file_rows: Vec::new(),
            layout,
            last_line: 0,
        };
        let mut notes = Notes::of(diagnostics);
        for (path, it) in change.changes() {
            // Parts are in the order of their paths.
            let first = view.parts.partition_point(|part| part.0 < *path);
            let end = view.parts.partition_point(|part| part.0 <= *path);
            // The old path of a rename is shown with the new one.
            if end > first {
                view.add_file((change, hunks), path, it, first..end, &mut notes);
            }
        }
        let rest = notes.rest();
        if !rest.is_empty() {
            view.rows.push(Row::Heading("elsewhere".to_owned()));
            view.rows.extend(rest);
        }
        view
    }

    fn add_file(
        &mut self,
        (change, all): (&Overlay, &OverlayHunks),
        path: &ProjectPath,
        it: &FileChange,
        parts: Range<usize>,
        notes: &mut Notes<'_>,
    ) {
        let hunks = all.get(path).map_or(&[][..], Vec::as_slice);
        let (removed, added) =
            hunks.iter().fold((0, 0), |sum, it| (sum.0 + it.0.len(), sum.1 + it.1.len()));
        let is_rust = path.as_str().ends_with(".rs");
        let (old, new) = (change.base_text(path), it.after_text());
        let file = self.files.len();
        self.files.push(FileView {
            path: path.clone(),
            act: act(it),
            added,
            removed,
            parts: parts.clone(),
            old: SideText::new(old, is_rust),
            new: SideText::new(new, is_rust),
        });
        let longest = |it: &FileView| it.old.lines.len().max(it.new.lines.len());
        self.last_line = self.last_line.max(self.files.last().map_or(0, longest));
        self.file_rows.push(self.rows.len());
        let is_only_file = parts.len() == 1 && hunks.is_empty();
        if is_only_file {
            self.part_rows[parts.start] = self.rows.len();
        }
        self.rows.push(Row::File(file));
        let is_whole = parts.len() != hunks.len();
        let old_lines = self.files[file].old.lines.len();
        let mut at = 0;
        let mut offset = 0_isize;
        for (number, (before, after)) in hunks.iter().enumerate() {
            let part = if is_whole { parts.start } else { parts.start + number };
            let lead = before.start.saturating_sub(self.context());
            self.gap(at, lead.max(at));
            self.context_lines(file, lead.max(at)..before.start, offset, notes);
            if number == 0 || !is_whole {
                self.part_rows[part] = self.rows.len();
            }
            self.changed_lines(file, part, before.clone(), after.clone(), notes);
            offset = after.end.cast_signed() - before.end.cast_signed();
            let next = hunks.get(number + 1).map_or(old_lines, |it| it.0.start);
            let end = (before.end + self.context()).min(next);
            self.context_lines(file, before.end..end, offset, notes);
            at = end;
        }
        if !hunks.is_empty() {
            self.gap(at, old_lines);
        }
    }

    /// Unchanged lines around a part in this layout.
    fn context(&self) -> usize {
        if self.layout == DiffLayout::New { usize::MAX >> 1 } else { CONTEXT }
    }

    fn gap(&mut self, from: usize, to: usize) {
        if to > from {
            self.rows.push(Row::Gap(to - from));
        }
    }

    fn context_lines(
        &mut self,
        file: usize,
        lines: Range<usize>,
        offset: isize,
        notes: &mut Notes<'_>,
    ) {
        for old in lines {
            let new = old.saturating_add_signed(offset);
            let row = LineRow {
                kind: LineKind::Context,
                file,
                old: Some(old),
                new: Some(new),
                part: None,
            };
            self.rows.push(match self.layout {
                DiffLayout::Split => Row::Pair(Some(row), Some(row)),
                _ => Row::Line(row),
            });
            self.notes_of(file, Some(old), Some(new), notes);
        }
    }

    fn changed_lines(
        &mut self,
        file: usize,
        part: usize,
        before: Range<usize>,
        after: Range<usize>,
        notes: &mut Notes<'_>,
    ) {
        let part = Some(part);
        let removed =
            |old| LineRow { kind: LineKind::Removed, file, old: Some(old), new: None, part };
        let added = |new| LineRow { kind: LineKind::Added, file, old: None, new: Some(new), part };
        match self.layout {
            DiffLayout::Unified => {
                for old in before {
                    self.rows.push(Row::Line(removed(old)));
                    self.notes_of(file, Some(old), None, notes);
                }
                for new in after {
                    self.rows.push(Row::Line(added(new)));
                    self.notes_of(file, None, Some(new), notes);
                }
            }
            DiffLayout::New if after.is_empty() => self.rows.push(Row::Gap(before.len())),
            DiffLayout::New => {
                for new in after {
                    self.rows.push(Row::Line(added(new)));
                    self.notes_of(file, None, Some(new), notes);
                }
            }
            DiffLayout::Split => {
                for idx in 0..before.len().max(after.len()) {
                    let old = before.clone().nth(idx);
                    let new = after.clone().nth(idx);
                    self.rows.push(Row::Pair(old.map(removed), new.map(added)));
                    self.notes_of(file, old, new, notes);
                }
            }
        }
    }

    fn notes_of(
        &mut self,
        file: usize,
        old: Option<usize>,
        new: Option<usize>,
        notes: &mut Notes<'_>,
    ) {
        if notes.waiting.is_empty() {
            return;
        }
        let path = self.files[file].path.as_str().to_owned();
        let found = notes.take(&path, old, new);
        self.rows.extend(found);
    }

    /// The text of a line and its colours.
    pub(crate) fn side(&self, row: LineRow) -> (&str, &[(Range<usize>, TokenColour)]) {
        let Some(file) = self.files.get(row.file) else { return ("", &[]) };
        let (side, line) = match (row.kind, row.old, row.new) {
            (LineKind::Removed, Some(old), _) => (&file.old, old),
            (_, _, Some(new)) => (&file.new, new),
            (_, Some(old), None) => (&file.old, old),
            _ => return ("", &[]),
        };
        let range = side.lines.get(line).cloned().unwrap_or_default();
        let colours = side.colours.get(line).map_or(&[][..], Vec::as_slice);
        (&side.text[range], colours)
    }

    /// The part that a row belongs to, or the nearest one before it in its file.
    pub(crate) fn part_at(&self, row: usize) -> Option<usize> {
        let at = self.part_rows.partition_point(|first| *first <= row);
        at.checked_sub(1).or(if self.parts.is_empty() { None } else { Some(0) })
    }

    /// The file that a row belongs to.
    pub(crate) fn file_at(&self, row: usize) -> Option<usize> {
        self.file_rows.partition_point(|first| *first <= row).checked_sub(1)
    }

    /// New text of a file, and the line in it of a row or the nearest before.
    pub(crate) fn new_line_at(&self, row: usize) -> usize {
        let rows = self.rows.get(..=row.min(self.rows.len().saturating_sub(1))).unwrap_or_default();
        rows.iter()
            .rev()
            .find_map(|row| match row {
                Row::Line(line) => Some(line.new.or(line.old).unwrap_or_default()),
                Row::Pair(old, new) => new.or(*old).and_then(|it| it.new.or(it.old)),
                Row::File(_) => Some(0),
                _ => None,
            })
            .unwrap_or_default()
    }
}

impl SideText {
    fn new(text: &str, is_rust: bool) -> Self {
        let mut lines = Vec::new();
        let mut start = 0;
        for line in text.split_inclusive('\n') {
            let shown = line.trim_end_matches('\n').trim_end_matches('\r');
            lines.push(start..start + shown.len());
            start += line.len();
        }
        let mut colours = vec![Vec::new(); lines.len()];
        if is_rust && text.len() <= MOST_COLOURED {
            for (span, colour) in syntax::colours(text) {
                let first = lines.partition_point(|line| line.end < span.start);
                for (line, range) in lines.iter().enumerate().skip(first) {
                    if range.start >= span.end {
                        break;
                    }
                    let from = span.start.max(range.start) - range.start;
                    let to = span.end.min(range.end).saturating_sub(range.start);
                    if from < to {
                        colours[line].push((from..to, colour));
                    }
                }
            }
        }
        Self { text: text.into(), lines, colours }
    }
}

fn act(it: &FileChange) -> String {
    match (&it.before, &it.after, &it.renamed_from) {
        (_, Some(_), Some(from)) => format!("renamed from {from}"),
        (None, ..) => "created".to_owned(),
        (_, None, _) => "deleted".to_owned(),
        _ => String::new(),
    }
}

/// Diagnostics that wait for their line.
struct Notes<'a> {
    waiting: SortedMap<(String, bool, usize), Vec<&'a ReportedDiagnostic>>,
    elsewhere: Vec<&'a ReportedDiagnostic>,
}

impl<'a> Notes<'a> {
    fn of(diagnostics: &'a [ReportedDiagnostic]) -> Self {
        let mut notes = Self { waiting: SortedMap::new(), elsewhere: Vec::new() };
        for it in diagnostics {
            let line =
                it.changed_line.map(|line| (true, line)).or(it.line.map(|line| (false, line)));
            match (&it.file, line) {
                (Some(file), Some((is_new, line))) => {
                    let key = (file.clone(), is_new, (line as usize).saturating_sub(1));
                    notes.waiting.entry(key).or_default().push(it);
                }
                _ => notes.elsewhere.push(it),
            }
        }
        notes
    }

    fn take(&mut self, path: &str, old: Option<usize>, new: Option<usize>) -> Vec<Row> {
        if self.waiting.is_empty() {
            return Vec::new();
        }
        let keys =
            [old.map(|it| (path.to_owned(), false, it)), new.map(|it| (path.to_owned(), true, it))];
        let found = keys.into_iter().flatten().filter_map(|key| self.waiting.remove(&key));
        found.flatten().map(|it| Row::Diagnostic(it.severity, one_line(it))).collect()
    }

    fn rest(self) -> Vec<Row> {
        let waiting: Vec<_> = self.waiting.values().flatten().copied().collect();
        let all = waiting.into_iter().chain(self.elsewhere);
        all.map(|it| {
            let at = match (&it.file, it.line.or(it.changed_line)) {
                (Some(file), Some(line)) => format!("{file}:{line}: "),
                (Some(file), None) => format!("{file}: "),
                _ => String::new(),
            };
            Row::Diagnostic(it.severity, format!("{at}{}", one_line(it)))
        })
        .collect()
    }
}

/// A diagnostic in one line: code, message, help.
fn one_line(it: &ReportedDiagnostic) -> String {
    let code = it.code.as_ref().map(|code| format!("[{code}] ")).unwrap_or_default();
    let help = it.hint.as_ref().map(|hint| format!(" – {hint}")).unwrap_or_default();
    base::visible_line(&format!("{code}{}{help}", it.message))
}

#[cfg(test)]
mod tests {
    use base::Timestamp;
    use edit::FileState;

    use super::*;

    fn change() -> Overlay {
        let old: String = (1..=20).map(|it| format!("line {it}\n")).collect();
        let new = old.replace("line 3\n", "line three\nmore\n").replace("line 15\n", "");
        let path = |it| ProjectPath::new(it).expect("a path");
        let state = |it: &str| Some(FileState::from_text(it));
        Overlay::from_states(
            "test",
            Timestamp(0),
            vec![
                (path("a.rs"), state(&old), state(&new)),
                (path("b.rs"), None, state("fn b() {}\n")),
            ],
        )
    }

    fn text(view: &DiffView) -> String {
        let line = |it: &LineRow| {
            let sign = match it.kind {
                LineKind::Context => ' ',
                LineKind::Added => '+',
                LineKind::Removed => '-',
            };
            let number = |it: Option<usize>| it.map_or("–".to_owned(), |it| (it + 1).to_string());
            format!("{sign}{} {} {}", number(it.old), number(it.new), view.side(*it).0)
        };
        let row = |row: &Row| match row {
            Row::File(file) => format!("== {} {}", view.files[*file].path, view.files[*file].act),
            Row::Gap(count) => format!("… {count}"),
            Row::Line(it) => line(it),
            Row::Pair(old, new) => format!(
                "{} | {}",
                old.as_ref().map(line).unwrap_or_default(),
                new.as_ref().map(line).unwrap_or_default()
            ),
            Row::Diagnostic(severity, text) => format!("^ {severity:?} {text}"),
            Row::Heading(text) | Row::Why(text) => format!("# {text}"),
        };
        view.rows.iter().map(|it| row(it).trim_end().to_owned() + "\n").collect()
    }

    fn diagnostic(file: &str, line: Option<u32>, changed: Option<u32>) -> ReportedDiagnostic {
        ReportedDiagnostic {
            file: Some(file.to_owned()),
            line,
            changed_line: changed,
            code: Some("E0308".to_owned()),
            severity: Severity::Error,
            message: "mismatched types".to_owned(),
            item: None,
            hint: None,
            macro_call: None,
            rendered: None,
        }
    }

    #[test]
    fn unified_rows_have_both_numbers_and_their_diagnostics() {
        let found = [diagnostic("a.rs", None, Some(4)), diagnostic("a.rs", Some(9), None)];
        let view = DiffView::new(
            (&change(), &change().hunk_places(&change().hunks()), &change().hunks()),
            DiffLayout::Unified,
            &found,
            (&[], &[]),
        );
        let expected = [
            "== a.rs",
            " 1 1 line 1",
            " 2 2 line 2",
            "-3 – line 3",
            "+– 3 line three",
            "+– 4 more",
            "^ Error [E0308] mismatched types",
            " 4 5 line 4",
            " 5 6 line 5",
            " 6 7 line 6",
            "… 5",
            " 12 13 line 12",
            " 13 14 line 13",
            " 14 15 line 14",
            "-15 – line 15",
            " 16 16 line 16",
            " 17 17 line 17",
            " 18 18 line 18",
            "… 2",
            "== b.rs created",
            "+– 1 fn b() {}",
            "# elsewhere",
            "^ Error a.rs:9: [E0308] mismatched types",
        ];
        assert_eq!(text(&view).lines().collect::<Vec<_>>(), expected);
        assert_eq!(view.parts.len(), 3);
        assert_eq!(view.part_at(0), Some(0));
        assert_eq!(view.part_at(view.part_rows[1]), Some(1));
        assert_eq!(view.file_at(view.rows.len() - 1), Some(1));
    }

    #[test]
    fn split_rows_pair_old_and_new() {
        let view = DiffView::new(
            (&change(), &change().hunk_places(&change().hunks()), &change().hunks()),
            DiffLayout::Split,
            &[],
            (&[], &[]),
        );
        let shown = text(&view);
        assert!(shown.contains("-3 – line 3 | +– 3 line three\n | +– 4 more\n"), "{shown}");
        assert!(shown.contains("-15 – line 15 |\n"), "{shown}");
    }

    #[test]
    fn the_new_text_is_whole() {
        let view = DiffView::new(
            (&change(), &change().hunk_places(&change().hunks()), &change().hunks()),
            DiffLayout::New,
            &[],
            (&[], &[]),
        );
        let shown = text(&view);
        assert!(shown.contains(" 20 20 line 20\n") && !shown.contains("line 3\n-"), "{shown}");
    }
}
