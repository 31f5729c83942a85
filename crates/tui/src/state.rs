//! [`State`]: all that the interface shows and remembers. It changes in [`crate::update()`] alone.

use agent::front::{Acceptance, JobId, OfferId, OfferedChange, RestoreRequest, Review};
use base::{ContentHash, Progress, ProjectPath};
use code::SearchAnswer;
use tools::ProposalCard;

use crate::diff_view::{DiffLayout, DiffView};
use crate::keys::Keymap;
use crate::message::{Millis, Ticket, TuiEffect};
use crate::pages::PagesPane;
use crate::text_area::TextArea;
use crate::theme::Theme;
use crate::writing::Writing;

/// Most entries of the conversation; of more, the oldest are forgotten.
const MOST_ENTRIES: usize = 5_000;

/// Columns from which old and new are beside each other.
pub(crate) const SPLIT_FROM: u16 = 140;

/// Milliseconds without a key after which an edit is kept.
pub(crate) const PAUSE: Millis = 500;

/// Milliseconds that a request has the focus before it can be answered.
pub(crate) const FOCUSED_FOR: Millis = 100;

/// Milliseconds that a request is on the screen before it can be answered.
pub(crate) const ARMED_AFTER: Millis = 250;

/// A screen.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Screen {
    /// The conversation.
    Talk,
    /// The change under review.
    Overlay,
    /// Search.
    Search,
    /// Proposals.
    Proposals,
    /// Written changes.
    History,
    /// Plans, policy and other answers.
    Pages,
    /// Jobs, tokens and cost.
    Meter,
}

impl Screen {
    /// All screens, in the order of their numbers.
    pub(crate) const ALL: [Self; 7] = [
        Self::Talk,
        Self::Overlay,
        Self::Search,
        Self::Proposals,
        Self::History,
        Self::Pages,
        Self::Meter,
    ];

    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Talk => "Talk",
            Self::Overlay => "Overlay",
            Self::Search => "Search",
            Self::Proposals => "Proposals",
            Self::History => "History",
            Self::Pages => "Pages",
            Self::Meter => "Meter",
        }
    }
}

/// The part that keys go to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum TuiFocus {
    /// The prompt; in the search screen the query.
    Prompt,
    /// The content of the screen.
    Content,
    /// The request that waits.
    Request,
}

/// How an entry of the conversation is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Tone {
    User,
    Plain,
    Dim,
    Good,
    Bad,
    Warn,
}

/// An entry of the conversation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Entry {
    pub(crate) tone: Tone,
    pub(crate) text: String,
}

/// The conversation.
#[derive(Clone, Debug, Default)]
pub(crate) struct Talk {
    pub(crate) entries: Vec<Entry>,
    /// The text that a model writes now; it becomes an entry once it is written.
    pub(crate) writing: Writing,
    /// Rows between the end and the last shown row.
    pub(crate) back: usize,
}

/// A list with a selected row.
#[derive(Clone, Debug)]
pub(crate) struct ListPane<T> {
    pub(crate) rows: Vec<T>,
    pub(crate) at: usize,
    /// Whether an answer has come.
    pub(crate) is_loaded: bool,
}

impl<T> Default for ListPane<T> {
    fn default() -> Self {
        Self { rows: Vec::new(), at: 0, is_loaded: false }
    }
}

impl<T> ListPane<T> {
    pub(crate) fn fill(&mut self, rows: Vec<T>) {
        self.at = self.at.min(rows.len().saturating_sub(1));
        (self.rows, self.is_loaded) = (rows, true);
    }

    pub(crate) fn selected(&self) -> Option<&T> {
        self.rows.get(self.at)
    }
}

/// The search.
#[derive(Clone, Debug, Default)]
pub(crate) struct SearchPane {
    pub(crate) query: TextArea,
    pub(crate) answer: SearchAnswer,
    /// The query that was answered.
    pub(crate) answered: String,
    pub(crate) at: usize,
    /// When the query is asked, unless it changes before.
    pub(crate) due: Option<Millis>,
    /// The item that a path begins at.
    pub(crate) path_from: Option<String>,
    /// The search that is under way.
    pub(crate) running: Option<Ticket>,
}

/// An edit in place.
#[derive(Clone, Debug)]
pub(crate) struct EditPane {
    pub(crate) path: ProjectPath,
    pub(crate) area: TextArea,
    /// When the edit is kept, unless a key comes before.
    pub(crate) due: Option<Millis>,
    /// The texts before its last steps.
    pub(crate) undo: Vec<TextArea>,
    /// The content before it, if what is written is proven as soon as the edit ends.
    pub(crate) proves_from: Option<ContentHash>,
}

/// A proof that is under way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct RunningProof {
    pub(crate) ticket: Ticket,
    /// Hash of the change that is proven.
    pub(crate) content: ContentHash,
    /// Number of errors so far.
    pub(crate) errors: usize,
}

/// The change under review.
#[derive(Clone, Debug)]
pub(crate) struct OverlayPane {
    pub(crate) review: Review,
    pub(crate) view: DiffView,
    /// Content, layout and proof that the rows were made of.
    made_of: Option<(ContentHash, DiffLayout, Option<OfferId>)>,
    pub(crate) layout: DiffLayout,
    /// Row of the cursor.
    pub(crate) at: usize,
    /// First shown row.
    pub(crate) top: usize,
    /// First shown cell.
    pub(crate) left: usize,
    pub(crate) edit: Option<EditPane>,
    /// The proof that is under way.
    pub(crate) proving: Option<RunningProof>,
    /// The job that keeps the change.
    pub(crate) keeping: Option<Ticket>,
    /// Rows of the content, as it was drawn last.
    pub(crate) height: usize,
}

impl OverlayPane {
    pub(crate) fn new(review: Review, layout: DiffLayout) -> Self {
        let mut pane = Self {
            view: DiffView::default(),
            made_of: None,
            review,
            layout,
            at: 0,
            top: 0,
            left: 0,
            edit: None,
            proving: None,
            keeping: None,
            height: 10,
        };
        pane.refresh();
        pane.at = pane.view.part_rows.first().copied().unwrap_or_default();
        pane
    }

    /// Makes the rows again.
    pub(crate) fn refresh(&mut self) {
        let proof = self.review.proof().map(|it| it.offer);
        let made_of = Some((self.review.content(), self.layout, proof));
        if std::mem::replace(&mut self.made_of, made_of) == made_of {
            return self.scroll();
        }
        let diagnostics = self.review.diagnostics();
        self.view = DiffView::new(
            (self.review.whole(), self.review.places(), self.review.hunks()),
            self.layout,
            &diagnostics,
            (&self.review.rationale, &self.review.left),
        );
        self.at = self.at.min(self.view.rows.len().saturating_sub(1));
        self.scroll();
    }

    /// Scrolls so that the cursor is visible.
    pub(crate) fn scroll(&mut self) {
        let height = self.height.max(1);
        self.top = self.top.min(self.at).max((self.at + 1).saturating_sub(height));
    }
}

/// Subject of a request.
#[derive(Clone, Debug)]
pub(crate) enum Subject {
    /// The write of a change.
    Write(Acceptance),
    /// An undo or redo.
    Restore(RestoreRequest),
}

/// A request that waits for the person.
#[derive(Clone, Debug)]
pub(crate) struct WaitingRequest {
    pub(crate) subject: Subject,
    pub(crate) nonce: String,
    pub(crate) lines: Vec<String>,
    /// First shown row.
    pub(crate) top: usize,
    /// When it was drawn first.
    pub(crate) drawn_at: Option<Millis>,
    /// Since when it has the focus.
    pub(crate) focused_at: Option<Millis>,
}

impl WaitingRequest {
    /// Whether it can be answered: keys that come in one burst with what gave it the focus, as from a paste
    /// that a terminal does not mark, are no answer.
    pub(crate) fn is_armed(&self, now: Millis) -> bool {
        let since = |at: Option<Millis>| at.map_or(0, |at| now.saturating_sub(at));
        since(self.drawn_at) >= ARMED_AFTER && since(self.focused_at) >= FOCUSED_FOR
    }
}

/// Why a job was started.
#[derive(Clone, Debug)]
pub(crate) enum Purpose {
    Change,
    Open,
    Prove,
    Keep,
    Reject,
    Ask(Acceptance),
    Write,
    AskRestore(RestoreRequest),
    Restore,
    Search,
    /// A list or text for this screen.
    Show(Screen),
}

/// A job that was started.
#[derive(Clone, Debug)]
pub(crate) struct JobRow {
    pub(crate) ticket: Ticket,
    /// `None`: the runner has not taken it yet.
    pub(crate) id: Option<JobId>,
    pub(crate) purpose: Purpose,
    pub(crate) title: String,
    pub(crate) progress: Option<Progress>,
    pub(crate) began: Millis,
}

impl JobRow {
    /// Whether a person waits for it, and not the interface itself.
    pub(crate) fn is_shown(&self) -> bool {
        !matches!(self.purpose, Purpose::Search | Purpose::Keep | Purpose::Show(_))
    }
}

/// Totals of the session.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Totals {
    pub(crate) tokens: u64,
    pub(crate) cost: f64,
    pub(crate) runs: usize,
    pub(crate) applied: usize,
    pub(crate) memory: u64,
}

/// Facts about the project that the interface shows.
#[derive(Clone, Debug, Default)]
pub struct ProjectInfo {
    /// Name of its directory.
    pub name: String,
    /// Name of the language model; `None`: none is configured.
    pub model: Option<String>,
    /// Limit of the cost of a run in dollars.
    pub max_cost: Option<f64>,
}

/// All that the interface shows and remembers.
#[derive(Debug)]
pub(crate) struct State {
    pub(crate) size: (u16, u16),
    pub(crate) now: Millis,
    pub(crate) screen: Screen,
    pub(crate) focus: TuiFocus,
    pub(crate) prompt: TextArea,
    pub(crate) past: Vec<String>,
    pub(crate) past_at: Option<usize>,
    pub(crate) talk: Talk,
    pub(crate) overlay: Option<OverlayPane>,
    /// Changes that the last search found, and which of them is under review.
    pub(crate) found: (Vec<OfferedChange>, usize),
    pub(crate) search: SearchPane,
    pub(crate) proposals: ListPane<ProposalCard>,
    pub(crate) all_proposals: bool,
    pub(crate) history: ListPane<(String, bool, String)>,
    pub(crate) pages: PagesPane,
    pub(crate) jobs: Vec<JobRow>,
    pub(crate) request: Option<WaitingRequest>,
    pub(crate) help: Option<usize>,
    pub(crate) notice: Option<(Tone, String)>,
    pub(crate) has_mouse: bool,
    /// Whether the next press only gives the focus.
    pub(crate) swallows_press: bool,
    /// Whether the next press of the key rejects.
    pub(crate) may_reject: bool,
    /// Whether the next Ctrl-C ends.
    pub(crate) may_quit: bool,
    pub(crate) has_ended: bool,
    /// Reason why the terminal could not be read any more.
    pub(crate) lost: Option<String>,
    pub(crate) keys: Keymap,
    pub(crate) theme: Theme,
    pub(crate) totals: Totals,
    pub(crate) info: ProjectInfo,
    next_ticket: u64,
}

impl State {
    /// The state at the start, for a terminal of this many columns and rows.
    pub(crate) fn new(size: (u16, u16), theme: Theme, keys: Keymap, info: ProjectInfo) -> Self {
        Self {
            size,
            now: 0,
            screen: Screen::Talk,
            focus: TuiFocus::Prompt,
            prompt: TextArea::default(),
            past: Vec::new(),
            past_at: None,
            talk: Talk::default(),
            overlay: None,
            found: (Vec::new(), 0),
            search: SearchPane::default(),
            proposals: ListPane::default(),
            all_proposals: false,
            history: ListPane::default(),
            pages: PagesPane::default(),
            jobs: Vec::new(),
            request: None,
            help: None,
            notice: None,
            has_mouse: true,
            swallows_press: false,
            may_reject: false,
            may_quit: false,
            has_ended: false,
            lost: None,
            keys,
            theme,
            totals: Totals::default(),
            info,
            next_ticket: 1,
        }
    }

    /// Whether the interface has ended.
    pub(crate) fn has_ended(&self) -> bool {
        self.has_ended
    }

    /// The moment at which [`crate::TuiMessage::Due`] is wanted; `None`: nothing moves.
    pub(crate) fn due(&self) -> Option<Millis> {
        let edit = self.overlay.as_ref().and_then(|it| it.edit.as_ref()).and_then(|it| it.due);
        [self.search.due, edit].into_iter().flatten().min()
    }

    /// The moment at which the shown time of a running job changes; `None`: none is shown.
    pub(crate) fn clock(&self) -> Option<Millis> {
        let row = self.jobs.iter().rev().find(|it| it.is_shown())?;
        let shown = self.now.saturating_sub(row.began) / 1_000;
        Some(row.began + (shown + 1) * 1_000)
    }

    /// Whether the person types something.
    pub(crate) fn is_typing(&self) -> bool {
        self.focus == TuiFocus::Prompt && !self.prompt.is_empty()
    }

    /// Whether a request is on the screen that was not drawn before.
    pub(crate) fn has_new_request(&self) -> bool {
        self.request.as_ref().is_some_and(|it| it.drawn_at.is_none())
    }

    /// Lines for the shell once the interface has ended.
    pub(crate) fn summary(&self) -> Vec<String> {
        let lost = self.lost.iter().map(|it| format!("the terminal cannot be read: {it}"));
        let mut lines: Vec<String> = lost.collect();
        if self.totals.applied > 0 {
            let count = base::counted(self.totals.applied, "change");
            lines.push(format!("{count} applied; `graftage undo` reverts the newest"));
        }
        let open = self.overlay.as_ref().and_then(|it| it.review.proposal());
        if let Some(id) = open {
            lines.push(format!("the change under review is proposal {id} (`graftage edit list`)"));
        }
        lines
    }

    pub(crate) fn note(&mut self, tone: Tone, text: impl Into<String>) {
        self.notice = Some((tone, text.into()));
    }

    /// Adds an entry to the conversation.
    pub(crate) fn log(&mut self, tone: Tone, text: impl Into<String>) {
        self.talk.entries.push(Entry { tone, text: text.into() });
        if self.talk.entries.len() > MOST_ENTRIES {
            self.talk.entries.drain(..MOST_ENTRIES / 10);
        }
    }

    /// Starts a job.
    pub(crate) fn submit(
        &mut self,
        purpose: Purpose,
        job: agent::front::JobRequest,
    ) -> (Ticket, TuiEffect) {
        let ticket = Ticket(self.next_ticket);
        self.next_ticket += 1;
        let row = JobRow {
            ticket,
            id: None,
            purpose,
            title: job.title(),
            progress: None,
            began: self.now,
        };
        self.jobs.push(row);
        (ticket, TuiEffect::Submit(ticket, Box::new(job)))
    }

    /// The layout in which a change is shown first.
    pub(crate) fn diff_layout(&self) -> DiffLayout {
        if self.size.0 >= SPLIT_FROM { DiffLayout::Split } else { DiffLayout::Unified }
    }
}
