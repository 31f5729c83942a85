//! What a model may change in one task, and the check of an edit before anything is proven.

use base::{ByteSpan, Diagnostic, DiagnosticSpan, Hint as _, ProjectPath, SortedSet};
use edit::{FileChange, Files, Overlay, TextEdit};
use policy::Approval;
use preserve::outline::{TokenKind, tokens};
use preserve::{Rule, Violation};
use syntax::{Item, NodeKind, SourceFile};

use super::additions::forbidden;
use super::inputs::Text;
use super::paths::{build_time_fault, is_of_tests, path_fault};

/// Maximum number of files of one edit.
const MAX_FILES: usize = 8;
/// Maximum number of lines that one edit adds and removes.
const MAX_LINES: usize = 400;
/// Maximum length of a line, unless the file has a longer one.
const MAX_LINE: usize = 1_000;
/// Maximum size of the texts that one edit leaves, in bytes.
const MAX_TEXT: usize = 1 << 20;

/// Why an edit of a model is no change that may be proven.
#[derive(Debug, thiserror::Error)]
pub(crate) enum EditFault {
    /// It cannot be read or does not fit the files.
    #[error("{0}{hint}", hint = .0.hint().map_or_else(String::new, |it| format!("\n{it}")))]
    Unusable(#[from] edit::EditError),
    /// It names a file that it may not change.
    #[error("{reason}: `{path}`")]
    Closed {
        /// Why it may not.
        reason: String,
        /// The path, as the model wrote it.
        path: String,
    },
    /// It breaks a preservation rule, which a person may permit by its name.
    #[error("it breaks preservation rule `{}`: {} ({}:{})", .0.rule, .0.detail, .0.path, .0.line)]
    Breaks(Violation),
    /// It exceeds another limit, as text for the model.
    #[error("{0}")]
    Limit(String),
}

/// The files and items that a model may change.
#[derive(Clone, Debug, Default)]
pub(crate) struct Scope {
    /// Files with an item that may change.
    files: SortedSet<ProjectPath>,
    /// Places of errors and of callers.
    marks: Vec<(ProjectPath, ByteSpan)>,
    /// Places of errors alone: what the task is about.
    errors: Vec<(ProjectPath, ByteSpan)>,
    /// Names of items that may change in these files.
    names: SortedSet<String>,
    /// Words of the task.
    words: SortedSet<String>,
    /// Whether every item of the files may change but tests, and files may be new.
    is_open: bool,
}

impl Scope {
    /// What these errors name.
    pub(crate) fn of_errors(errors: &[Diagnostic]) -> Self {
        let mut scope = Self::default();
        for error in errors.iter().filter(|it| it.is_error()) {
            let parts = error.children.iter().map(|it| (&it.message, &it.spans));
            for (idx, (message, spans)) in
                std::iter::once((&error.message, &error.spans)).chain(parts).enumerate()
            {
                scope.add_names(message);
                for span in spans {
                    scope.add_span(span, idx == 0);
                }
            }
        }
        scope
    }

    /// What a task in a person's words is about: `text`, and these files.
    pub(crate) fn of_task(text: &str, files: impl IntoIterator<Item = ProjectPath>) -> Self {
        let words = tokens(text).into_iter().filter(|it| it.kind == TokenKind::Word);
        let words = words.map(|it| it.text.to_owned()).collect();
        Self { files: files.into_iter().collect(), words, is_open: true, ..Self::default() }
    }

    /// Adds an item that may change too, such as a caller.
    pub(crate) fn add_item(&mut self, path: ProjectPath, span: ByteSpan) {
        self.files.insert(path.clone());
        self.marks.push((path, span));
    }

    /// The files of the scope.
    pub(crate) fn files(&self) -> impl Iterator<Item = &ProjectPath> {
        self.files.iter()
    }

    /// The places of errors and of callers in a file.
    pub(crate) fn marks_in<'a>(
        &'a self,
        path: &'a ProjectPath,
    ) -> impl Iterator<Item = ByteSpan> + 'a {
        self.marks.iter().filter(move |(it, _)| it == path).map(|(_, span)| *span)
    }

    fn add_span(&mut self, span: &DiagnosticSpan, is_own: bool) {
        if let Some(label) = &span.label {
            self.add_names(label);
        }
        let Some(path) = span.place.project() else { return };
        self.files.insert(path.clone());
        self.marks.push((path.clone(), span.bytes));
        if is_own && span.primary {
            self.errors.push((path.clone(), span.bytes));
        }
    }

    /// The names in a message: the words in back quotes.
    fn add_names(&mut self, message: &str) {
        for quoted in message.split('`').skip(1).step_by(2) {
            let words = tokens(quoted).into_iter().filter(|it| it.kind == TokenKind::Word);
            let words: Vec<String> = words.map(|it| it.text.to_owned()).collect();
            self.words.extend(words.iter().cloned());
            self.names.extend(words);
        }
    }

    /// Why a model may not make this change; `None` if it may. `errors` are those of the tree before
    /// it.
    pub(crate) fn fault(
        &self,
        files: &dyn Files,
        overlay: &Overlay,
        errors: &[Diagnostic],
        approval: &Approval,
    ) -> Option<EditFault> {
        if let Some(reason) = self.limit(files, overlay) {
            return Some(EditFault::Limit(reason));
        }
        let violations = preserve::violations(overlay, errors);
        let is_allowed = |it: &Violation| {
            approval.allow.iter().any(|rule| rule == it.rule.as_str()) || self.is_asked_test(it)
        };
        violations.into_iter().find(|it| !is_allowed(it)).map(EditFault::Breaks)
    }

    /// The limit that a change exceeds, preservation rules aside; `None` if it keeps to all.
    fn limit(&self, files: &dyn Files, overlay: &Overlay) -> Option<String> {
        if overlay.is_empty() {
            return Some("the edit changes nothing".to_owned());
        }
        let stat = overlay.stat();
        if stat.files > MAX_FILES {
            return Some(format!("it changes {} files, {MAX_FILES} are allowed", stat.files));
        }
        for (path, change) in overlay.changes() {
            if let Some(reason) = self.file_fault(files, path, change) {
                return Some(format!("{reason}: `{path}`"));
            }
        }
        let lines = stat.added + stat.removed;
        if lines > MAX_LINES {
            return Some(format!("it changes {lines} lines, {MAX_LINES} are allowed"));
        }
        forbidden(files, overlay, &self.named_in(overlay))
    }

    /// The words of the task, and the functions of the changed texts that its errors and callers are in.
    fn named_in(&self, overlay: &Overlay) -> SortedSet<String> {
        let mut words = self.words.clone();
        for (path, change) in overlay.changes() {
            let list = tokens(change.before_text());
            words.extend(Text::new(&list).functions_at(self.marks_in(path)));
        }
        words
    }

    /// Why a model may not change, or read by a failed edit, the file of this path; `None` if it may.
    pub(crate) fn closed(&self, files: &dyn Files, path: &ProjectPath) -> Option<String> {
        let may_not = |reason| Some(format!("a model may not change it: {reason}"));
        if let Some(reason) = path_fault(path) {
            return may_not(reason);
        }
        if is_of_tests(path) && !self.errors.iter().any(|(it, _)| it == path) {
            return may_not("it is a file of tests");
        }
        if let Some(reason) = build_time_fault(files, path) {
            return may_not(reason);
        }
        let is_new = matches!(files.read(path), Ok(None));
        match is_new {
            false if !self.files.contains(path) => {
                Some("neither the task nor a caller of its items is in this file".to_owned())
            }
            true if !self.creates(path) => Some("a model may not create it here".to_owned()),
            _ => None,
        }
    }

    /// Whether this is a new test module in a task that asks for tests.
    fn is_asked_test(&self, violation: &Violation) -> bool {
        let asks = self.is_open && ["test", "tests"].iter().any(|it| self.words.contains(*it));
        asks && violation.rule == Rule::HiddenCodeAdded && violation.is_cfg_test
    }

    /// The rule that the task permits by asking for tests, if this change needs it.
    pub(crate) fn asked_rule(&self, overlay: &Overlay) -> Option<Rule> {
        let violations = preserve::violations(overlay, &[]);
        violations.iter().any(|it| self.is_asked_test(it)).then_some(Rule::HiddenCodeAdded)
    }

    fn file_fault(
        &self,
        files: &dyn Files,
        path: &ProjectPath,
        change: &FileChange,
    ) -> Option<String> {
        if let Some(reason) = self.closed(files, path) {
            return Some(reason);
        }
        let Some(after) = &change.after else {
            return Some("a model may not remove or rename files".to_owned());
        };
        let longest = |text: &str| text.lines().map(str::len).max().unwrap_or(0);
        if longest(&after.text) > MAX_LINE.max(longest(change.before_text())) {
            return Some(format!("a line would have more than {MAX_LINE} bytes"));
        }
        if after.text.len() > MAX_TEXT {
            return Some(format!("it would have more than {MAX_TEXT} bytes"));
        }
        match &change.before {
            None => None,
            Some(before) if before.executable != after.executable => {
                Some("a model may not change its mode".to_owned())
            }
            Some(before) => self.item_fault(path, &before.text, &after.text),
        }
    }

    /// Whether a file may be new: beside a file of an open scope, or in the directory of its module.
    fn creates(&self, path: &ProjectPath) -> bool {
        let parent = path.parent();
        let is_beside = |it: &ProjectPath| {
            it.parent() == parent
                || it.as_str().strip_suffix(".rs") == parent.as_ref().map(ProjectPath::as_str)
        };
        self.is_open && self.files.iter().any(is_beside)
    }

    /// Why the items that differ may not; `None` if they may.
    fn item_fault(&self, path: &ProjectPath, before: &str, after: &str) -> Option<String> {
        let file = syntax::parse(before);
        for splice in TextEdit::diff(before, after).splices {
            for idx in touched(&file, splice.span) {
                let item = &file.items[idx];
                // New items in a module change none of those that are there.
                let is_frame = splice.span.is_empty() && item.kind == NodeKind::Module;
                if !is_frame && !self.permits(path, &file, idx) {
                    let kind = if item.is_test { "a test" } else { "an item" };
                    return Some(format!(
                        "`{}` is {kind} that the task does not name, nor a caller of one",
                        item.canon
                    ));
                }
            }
        }
        None
    }

    fn permits(&self, path: &ProjectPath, file: &SourceFile, idx: usize) -> bool {
        let item = &file.items[idx];
        let is_marked = |marks: &[(ProjectPath, ByteSpan)], item: &Item| {
            marks.iter().any(|(it, span)| it == path && meets(item.span, *span))
        };
        if item.is_test {
            return is_marked(&self.errors, item);
        }
        if self.is_open || item.kind == NodeKind::Import {
            return true;
        }
        let mut at = Some(idx);
        while let Some(item) = at.and_then(|it| file.items.get(it)) {
            // A module is marked by what is in it.
            let is_frame = item.kind == NodeKind::Module && at != Some(idx);
            if !is_frame && (is_marked(&self.marks, item) || self.names_item(item)) {
                return true;
            }
            at = item.parent;
        }
        false
    }

    /// Whether an error names the item, or the type that an impl is of.
    fn names_item(&self, item: &Item) -> bool {
        match item.kind {
            NodeKind::Impl => {
                let of = item.name.rsplit(" for ").next().unwrap_or(&item.name);
                let mut words = tokens(of).into_iter().filter(|it| it.kind == TokenKind::Word);
                words.next().is_some_and(|it| self.names.contains(it.text))
            }
            _ => self.names.contains(&item.name),
        }
    }
}

/// Whether two spans have a byte or an end in common.
fn meets(a: ByteSpan, b: ByteSpan) -> bool {
    a.start <= b.end && b.start <= a.end
}

/// The innermost items of which the span has a part; an empty span is part of those around it.
fn touched(file: &SourceFile, span: ByteSpan) -> Vec<usize> {
    let has_part = |item: &Item| match span.is_empty() {
        true => item.span.start < span.start && span.start < item.span.end,
        false => item.span.overlaps(span),
    };
    let found: Vec<usize> =
        (0..file.items.len()).filter(|idx| has_part(&file.items[*idx])).collect();
    // Of an item only that part counts that none of its members has whole.
    let is_inner = |idx: &usize| {
        let inside = |other: &usize| {
            file.items[*other].parent == Some(*idx) && file.items[*other].span.contains(span)
        };
        !found.iter().any(inside)
    };
    found.iter().copied().filter(is_inner).collect()
}
