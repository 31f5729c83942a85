//! Plays one story. Start at [`play`].

mod act;
mod elements;
mod expect;
mod keys;
mod locate;
mod role_tree;
mod rules;
mod snapshot;
mod tree;

use std::sync::Arc;
use std::time::{Duration, Instant};

use base::Ctx;
use policy::program::Program;
use serde_json::json;

use crate::WorldError;
use crate::browser::{
    Browser, Incident, IncidentKind, PATIENCE, Page, PageFiles, Unanswered, shortened,
};
use crate::moments::Moment;
use crate::report::{StepFailure, StoryScore, StoryVerdict};
use crate::story::{Action, Allowed, PlainValue, Step, Story};
use locate::NotOne;
use snapshot::Snapshots;

pub(crate) use elements::{PageElement, elements};
pub(crate) use keys::is_key;
pub use rules::Rule;

/// The pause between two looks at the page.
const POLL: Duration = Duration::from_millis(15);
/// Most lines of the page in a failure.
const MOST_LINES: usize = 60;

/// A play of one story, on a page of its own.
pub(crate) struct Play<'a> {
    pub(crate) ctx: &'a Ctx,
    pub(crate) browser: &'a Browser,
    pub(crate) story: &'a Story,
    /// The constraints of its pages.
    pub(crate) constraints: Option<&'a Arc<Program>>,
    /// The files beside its file.
    pub(crate) files: &'a dyn PageFiles,
    pub(crate) inspects: bool,
    pub(crate) updates: bool,
}

impl Play<'_> {
    /// Plays the story on a page of the browser.
    ///
    /// # Errors
    /// Where the browser ended or the user stopped the run; what a page does is never an error.
    pub(crate) fn run(&self, mut page: Page) -> Result<StoryVerdict, WorldError> {
        let story = self.story;
        let mut score = StoryScore::of(story);
        let mut watch = Watch {
            inspects: self.inspects,
            constraints: self.constraints.cloned(),
            ..Watch::default()
        };
        let mut snapshots = Snapshots::new(self);
        let played = steps(&mut page, story, (&mut score, &mut watch, &mut snapshots));
        let mut failure = match played.and_then(|()| at_end(&mut page, story)) {
            Err(Stop::World(error)) => return Err(error),
            Err(Stop::Step(failure)) => Some(failure),
            Ok(()) => None,
        };
        // Also of a story that failed: a constraint that is broken is worse than a step.
        if let Some(constraints) = self.constraints {
            let held = held(&mut page, constraints, story.timeout);
            score.constraints = Some(held.is_ok());
            if let (Err(reason), None) = (held, &failure) {
                match failed(story.line, "the constraints of its pages".to_owned(), reason) {
                    Stop::World(error) => return Err(error),
                    Stop::Step(reason) => failure = Some(reason),
                }
            }
        }
        let incidents = not_allowed(&page.log.incidents, &story.allow);
        if failure.is_none()
            && let Some(first) = incidents.first()
        {
            failure = Some(StepFailure {
                line: story.line,
                step: "the whole story".to_owned(),
                reason: format!("{}: {}", first.kind.as_str(), first.text),
                there: Vec::new(),
                page: Vec::new(),
            });
        }
        let mut picture = None;
        if let Some(failure) = &mut failure {
            page.patience = Duration::from_secs(2);
            if let Ok(tree) = tree::PageTree::read(&mut page) {
                failure.page = role_tree::lines(&tree.perceived(0), MOST_LINES);
            }
            picture = page.picture();
        }
        let score = score.end(failure.is_none(), &incidents);
        let Snapshots { files: snapshots, difference, .. } = snapshots;
        let moments = watch.moments;
        Ok(StoryVerdict { score, failure, incidents, picture, difference, snapshots, moments })
    }
}

/// Whether the constraints of a page hold; what is to be answered has until the limit.
fn held(page: &mut Page, constraints: &Arc<Program>, limit: Duration) -> Result<(), NotOne> {
    let until = Instant::now() + limit;
    loop {
        match expect::events(constraints, &page.log.events) {
            Ok(()) => return Ok(()),
            Err(fault) if fault.is_final || Instant::now() >= until => return Err(fault.into()),
            Err(_) => page.wait(POLL)?,
        }
    }
}

/// Opens the page and plays the steps, up to the first one that fails.
fn steps(
    page: &mut Page,
    story: &Story,
    (score, watch, snapshots): (&mut StoryScore, &mut Watch, &mut Snapshots<'_>),
) -> Result<(), Stop> {
    let open = format!("open {}", story.open);
    page.open_path(&story.open, story.timeout.max(PATIENCE))
        .map_err(|it| failed(story.line, open.clone(), it.into()))?;
    watch.see(page, story, (story.line, open), None);
    for step in &story.play {
        let done = until_done(page, (story, step), snapshots);
        let reason = match &done {
            Err(Stop::Step(failure)) => Some(failure.reason.clone()),
            _ => None,
        };
        watch.see(page, story, (step.line, step.action.to_string()), reason);
        done?;
        score.passed(&step.action);
    }
    Ok(())
}

/// Keeps the page after each step, where an inspector asks for it.
#[derive(Default)]
struct Watch {
    inspects: bool,
    constraints: Option<Arc<Program>>,
    moments: Vec<Moment>,
    /// Numbers of messages, incidents and events that are in a moment already.
    seen: (usize, usize, usize),
}

impl Watch {
    fn see(
        &mut self,
        page: &mut Page,
        story: &Story,
        (line, step): (usize, String),
        failure: Option<String>,
    ) {
        if !self.inspects {
            return;
        }
        // A page that does not answer has a moment without content.
        let tree = tree::PageTree::read(page).ok();
        let picture = page.picture();
        let log = &page.log;
        let (console, incidents, events) = self.seen;
        self.seen = (log.console.len(), log.incidents.len(), log.events.len());
        let programs = story.play.iter().filter_map(|step| match &step.action {
            Action::ExpectPage(expected) => expected.events.as_ref(),
            _ => None,
        });
        let programs = programs.chain(&self.constraints);
        self.moments.push(Moment {
            line,
            step,
            failure,
            page: tree.map(|it| role_tree::lines(&it.perceived(0), MOST_LINES)).unwrap_or_default(),
            console: log.console[console..].to_vec(),
            incidents: log.incidents[incidents..].to_vec(),
            events: log.events[events..].iter().map(ToString::to_string).collect(),
            threads: programs.flat_map(|it| expect::threads(it, &log.events)).collect(),
            picture,
        });
    }
}

/// Why a play ends.
enum Stop {
    Step(StepFailure),
    World(WorldError),
}

fn failed(line: usize, step: String, reason: NotOne) -> Stop {
    let (reason, there) = match reason {
        NotOne::Elements { reason, there } => (reason, there),
        NotOne::Unanswered(Unanswered::Lost(
            error @ (WorldError::Cancelled(_) | WorldError::Ended { .. }),
        )) => {
            return Stop::World(error);
        }
        NotOne::Unanswered(error) => (error.to_string(), Vec::new()),
    };
    Stop::Step(StepFailure { line, step, reason, there, page: Vec::new() })
}

/// Tries a step until it is done or its time has passed. An action is done once; only what does not change the
/// page is repeated: the search of its element.
fn until_done(
    page: &mut Page,
    (story, step): (&Story, &Step),
    snapshots: &mut Snapshots<'_>,
) -> Result<(), Stop> {
    let until = Instant::now() + story.timeout;
    let times = match &step.action {
        Action::Click { times, .. } => *times,
        _ => 1,
    };
    for _ in 0..times {
        loop {
            let done = once(page, &step.action).and_then(|()| match &step.action {
                Action::ExpectPage(expected) => snapshots.compare(page, expected),
                Action::Expect { at, expected } => match &expected.screenshot {
                    Some(screenshot) => snapshots.element(page, at, screenshot),
                    None => Ok(()),
                },
                _ => Ok(()),
            });
            let reason = match done {
                Ok(()) => break,
                Err(reason) => reason,
            };
            let is_final = match &reason {
                NotOne::Elements { .. } => false,
                // The page moved on while it was looked at.
                NotOne::Unanswered(Unanswered::Refused { .. }) => false,
                NotOne::Unanswered(_) => true,
            };
            let is_final = is_final || matches!(step.action, Action::Eval { .. });
            if is_final || Instant::now() >= until {
                return Err(failed(step.line, step.action.to_string(), reason));
            }
            page.wait(POLL).map_err(|it| failed(step.line, step.action.to_string(), it.into()))?;
        }
    }
    Ok(())
}

fn once(page: &mut Page, action: &Action) -> Result<(), NotOne> {
    if action.expects_absence() && !page.is_loaded() {
        let reason = "the page is still loading".to_owned();
        return Err(NotOne::Elements { reason, there: Vec::new() });
    }
    match action {
        Action::Click { at, double, .. } => act::click(page, at, *double),
        Action::Type { at, text, clear } => act::type_text(page, at, text, *clear),
        Action::Press { key, at } => act::press(page, key, at.as_ref()),
        Action::Select { at, option } => act::select(page, at, option),
        Action::Hover(at) => act::hover(page, at),
        Action::Focus(at) => act::focus(page, at),
        Action::Scroll(at) => act::scroll(page, at),
        Action::WaitFor { at, absent: false } => expect::element(page, at, &visible(true)),
        Action::WaitFor { at, absent: true } => expect::element(page, at, &visible(false)),
        Action::Eval { code, equals } => eval(page, code, equals.as_ref()),
        Action::Expect { at, expected } => expect::element(page, at, expected),
        Action::ExpectPage(expected) => expect::page(page, expected),
    }
}

fn visible(is_visible: bool) -> crate::story::Expected {
    crate::story::Expected { visible: Some(is_visible), ..Default::default() }
}

fn eval(page: &mut Page, code: &str, equals: Option<&PlainValue>) -> Result<(), NotOne> {
    let call = json!({ "expression": code, "returnByValue": true, "awaitPromise": true, "userGesture": true });
    let answer = page.call("Runtime.evaluate", call)?;
    let fail = |reason: String| Err(NotOne::Elements { reason, there: Vec::new() });
    if let Some(error) = answer.get("exceptionDetails") {
        let text = error["exception"]["description"].as_str().or(error["text"].as_str());
        return fail(format!("it throws {}", shortened(text.unwrap_or("a value"))));
    }
    let Some(equals) = equals else { return Ok(()) };
    let expected = match equals {
        PlainValue::Flag(flag) => json!(flag),
        PlainValue::Number(number) => json!(number),
        PlainValue::Text(text) => json!(text),
    };
    let value = &answer["result"]["value"];
    match *value == expected {
        true => Ok(()),
        false => fail(format!("its value is {}, not {expected}", shortened(&value.to_string()))),
    }
}

/// Does an action if its element can be used within a time; otherwise `false`.
pub(crate) fn try_action(
    page: &mut Page,
    action: &Action,
    patience: Duration,
) -> Result<bool, Unanswered> {
    let until = Instant::now() + patience;
    loop {
        match once(page, action) {
            Ok(()) => return Ok(true),
            Err(NotOne::Elements { .. } | NotOne::Unanswered(Unanswered::Refused { .. })) => {}
            Err(NotOne::Unanswered(error)) => return Err(error),
        }
        if Instant::now() >= until {
            return Ok(false);
        }
        page.wait(POLL)?;
    }
}

/// Waits for two frames, so that errors of the last action are there.
pub(crate) fn settle(page: &mut Page) -> Result<(), Unanswered> {
    let wait = json!({ "awaitPromise": true, "expression":
        "new Promise(r => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(r))))" });
    page.call("Runtime.evaluate", wait).map(|_| ())
}

/// The last checks: what the page still has to say, and the events that must never happen.
fn at_end(page: &mut Page, story: &Story) -> Result<(), Stop> {
    // What it still loads can fail it.
    match page.loaded(story.timeout).and_then(|()| settle(page)) {
        // The page moved on.
        Ok(()) | Err(Unanswered::Refused { .. }) => {}
        Err(error) => {
            return Err(failed(story.line, "the end of the story".to_owned(), error.into()));
        }
    }
    for step in &story.play {
        let Action::ExpectPage(expected) = &step.action else { continue };
        let Some(program) = &expected.events else { continue };
        expect::events(program, &page.log.events)
            .map_err(|it| failed(step.line, step.action.to_string(), it.into()))?;
    }
    Ok(())
}

fn not_allowed(incidents: &[Incident], allow: &Allowed) -> Vec<Incident> {
    let is_allowed = |it: &&Incident| {
        let texts = match it.kind {
            IncidentKind::Console | IncidentKind::Exception => &allow.console,
            IncidentKind::Request => &allow.requests,
            _ => return false,
        };
        texts.iter().any(|text| !text.is_empty() && it.text.contains(text.as_str()))
    };
    // Requests of a page are at the same time: their order is that of the machine.
    let mut incidents: Vec<Incident> =
        incidents.iter().filter(|it| !is_allowed(it)).cloned().collect();
    incidents.sort_by(|a, b| (a.kind, &a.text).cmp(&(b.kind, &b.text)));
    incidents.dedup();
    incidents
}

impl std::fmt::Display for Action {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Click { at, times: 1, double: false } => write!(f, "click {at}"),
            Self::Click { at, double: true, .. } => write!(f, "dblclick {at}"),
            Self::Click { at, times, .. } => write!(f, "click {at} {times} times"),
            Self::Type { at, text, .. } => write!(f, "type {:?} into {at}", shortened(text)),
            Self::Press { key, at: None } => write!(f, "press {key}"),
            Self::Press { key, at: Some(at) } => write!(f, "press {key} on {at}"),
            Self::Select { at, option } => write!(f, "select {option:?} of {at}"),
            Self::Hover(at) => write!(f, "hover {at}"),
            Self::Focus(at) => write!(f, "focus {at}"),
            Self::Scroll(at) => write!(f, "scroll to {at}"),
            Self::WaitFor { at, absent: false } => write!(f, "wait for {at}"),
            Self::WaitFor { at, absent: true } => write!(f, "wait until there is no {at}"),
            Self::Eval { code, .. } => write!(f, "eval {}", shortened(code)),
            Self::Expect { at, .. } => write!(f, "expect {at}"),
            Self::ExpectPage(_) => write!(f, "expect the page"),
        }
    }
}
