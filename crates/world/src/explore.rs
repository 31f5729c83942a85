//! [`explore`]: random actions on a page, chosen among the elements that a person perceives, until the page does what
//! it must not: an exception, an error, a failed request, another address, no answer. The shortest way there is a
//! story that can be committed.

use std::sync::Arc;
use std::time::Duration;

use base::Ctx;
use serde::Serialize;

use crate::browser::{AppCommand, Browser, Page, PageFiles, Source, Unanswered};
use crate::play::{self, PageElement};
use crate::run::{SharedBrowser, WorldSettings, source};
use crate::story::{Action, By, Locator, Story};
use crate::{StoryFile, StoryPage, WorldError};

/// How a page is explored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ExploreSettings {
    /// Beginning of the random numbers: the same one chooses the same actions.
    pub seed: u64,
    /// Number of walks, each on a new page.
    pub walks: u32,
    /// Most actions of a walk.
    pub actions: u32,
}

/// The result of exploring a page.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Exploration {
    /// Actions that were done.
    pub actions: u32,
    /// Doing of the page that is forbidden.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub finding: Option<ExploreFinding>,
}

/// Something that a page must not do, with the way there.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ExploreFinding {
    /// Event.
    pub reason: String,
    /// The actions, as few as are needed.
    pub steps: Vec<String>,
    /// A story with these actions, as a file of stories has it.
    pub story: String,
}

/// Texts that are typed into fields.
const TEXTS: &[&str] =
    &["Ada", "0", "-1", "<b>&amp;", " ", "Grüße 🦀", "a\nb", "99999999999999999999"];
/// How long an action waits for its element.
const PATIENCE: Duration = Duration::from_millis(300);
/// Most replays that look for a shorter way.
const MOST_REPLAYS: u32 = 200;

/// Explores the page of a file of stories.
///
/// # Errors
/// Where no browser can be started, or the app is not ready.
pub fn explore(
    ctx: &Ctx,
    settings: &WorldSettings<'_>,
    file: &StoryFile,
    (files, app): (&Arc<dyn PageFiles>, Option<&AppCommand>),
    explore: ExploreSettings,
) -> Result<Exploration, WorldError> {
    let mut browsers = Browsers { ctx, settings, file, app, shared: SharedBrowser::default() };
    let source = source(file, files);
    let mut chance = Chance(explore.seed);
    let mut result = Exploration::default();
    for walk in 0..explore.walks {
        ctx.progress("exploring", format!("{}: walk {}", file.path, walk + 1));
        let mut done: Vec<Action> = Vec::new();
        let browser = browsers.running()?;
        let mut page = browser.page(ctx, source.clone(), &probe())?;
        let mut reason = opened(&mut page);
        while reason.is_none() && (done.len() as u32) < explore.actions {
            let Some(action) = next(&mut page, &mut chance) else { break };
            result.actions += 1;
            match play::try_action(&mut page, &action, PATIENCE) {
                Ok(true) => done.push(action),
                // An element that cannot be used now is no fault of the page.
                Ok(false) => {}
                Err(error) => {
                    done.push(action);
                    reason = Some(error.to_string());
                    break;
                }
            }
            reason = incident(&mut page);
        }
        drop(page);
        if let Some(reason) = reason {
            let steps = shorter(&mut browsers, &source, done, &reason)?;
            result.finding = Some(finding(&reason, &steps));
            break;
        }
    }
    Ok(result)
}

/// The browser of a run, started again where a page ended it.
struct Browsers<'a> {
    ctx: &'a Ctx,
    settings: &'a WorldSettings<'a>,
    file: &'a StoryFile,
    app: Option<&'a AppCommand>,
    shared: SharedBrowser,
}

impl Browsers<'_> {
    fn running(&mut self) -> Result<Arc<Browser>, WorldError> {
        let served = match &self.file.page {
            StoryPage::Served(served) => self.app.map(|app| (served, app)),
            _ => None,
        };
        self.shared.running(self.ctx, self.settings, served)
    }
}

fn probe() -> Story {
    Story { timeout: PATIENCE, ..Story::probe() }
}

/// Opens the page; the reason if that fails.
fn opened(page: &mut Page) -> Option<String> {
    match page.open_path("/", Duration::from_secs(10)) {
        Ok(()) => incident(page),
        Err(error) => Some(error.to_string()),
    }
}

/// The first incident of the page, or why it does not answer.
fn incident(page: &mut Page) -> Option<String> {
    match play::settle(page) {
        // The page moved on.
        Ok(()) | Err(Unanswered::Refused { .. }) => {}
        Err(error) => return Some(error.to_string()),
    }
    let mut all: Vec<String> =
        page.log.incidents.iter().map(|it| format!("{}: {}", it.kind.as_str(), it.text)).collect();
    all.sort();
    all.into_iter().next()
}

/// A random action on an element that has its role and name for itself.
fn next(page: &mut Page, chance: &mut Chance) -> Option<Action> {
    let elements = play::elements(page).ok()?;
    let is_alone = |it: &&PageElement| {
        elements.iter().filter(|other| other.role == it.role && other.name == it.name).count() == 1
    };
    let usable: Vec<&PageElement> = elements.iter().filter(is_alone).collect();
    let element = usable.get(chance.below(usable.len())?)?;
    let by = By::Role { role: element.role.clone(), name: Some(element.name.clone()) };
    let at = Locator { by, nth: None, within: None };
    let is_field = matches!(element.role.as_str(), "textbox" | "searchbox" | "spinbutton");
    Some(match chance.below(4)? {
        0 if is_field => Action::Press { key: "Enter".to_owned(), at: Some(at) },
        _ if is_field => {
            let text = TEXTS[chance.below(TEXTS.len())?].to_owned();
            Action::Type { at, text, clear: chance.below(2)? == 0 }
        }
        _ => Action::Click { at, times: 1, double: false },
    })
}

/// The same way with fewer actions, as long as the same happens.
fn shorter(
    browsers: &mut Browsers<'_>,
    source: &Source,
    mut steps: Vec<Action>,
    reason: &str,
) -> Result<Vec<Action>, WorldError> {
    let mut replays = 0;
    let mut size = steps.len().div_ceil(2).max(1);
    loop {
        let (mut at, mut is_shorter) = (0, false);
        while at < steps.len() && replays < MOST_REPLAYS {
            let end = (at + size).min(steps.len());
            let fewer: Vec<Action> = [&steps[..at], &steps[end..]].concat();
            replays += 1;
            if replayed(browsers, source, &fewer)?.as_deref() == Some(reason) {
                steps = fewer;
                is_shorter = true;
            } else {
                at = end;
            }
        }
        if size == 1 && !is_shorter || replays >= MOST_REPLAYS {
            return Ok(steps);
        }
        size = (size / 2).max(1);
    }
}

/// Effect of these actions on a new page; `None` also where one cannot be done.
fn replayed(
    browsers: &mut Browsers<'_>,
    source: &Source,
    steps: &[Action],
) -> Result<Option<String>, WorldError> {
    let browser = browsers.running()?;
    let mut page = browser.page(browsers.ctx, source.clone(), &probe())?;
    let mut reason = opened(&mut page);
    for step in steps {
        if reason.is_some() {
            break;
        }
        reason = match play::try_action(&mut page, step, PATIENCE) {
            Ok(true) => incident(&mut page),
            Ok(false) => return Ok(None),
            Err(error) => Some(error.to_string()),
        };
    }
    Ok(reason)
}

fn finding(reason: &str, steps: &[Action]) -> ExploreFinding {
    // JSON has the same form of texts as TOML.
    let text = |text: &str| serde_json::to_string(text).unwrap_or_default();
    let locator = |at: &Locator| match &at.by {
        By::Role { role, name: Some(name) } => {
            format!("{{ role = {}, name = {} }}", text(role), text(name))
        }
        _ => "{}".to_owned(),
    };
    let mut story = format!("[[story]]\nname = {}\n", text(&format!("explored: {reason}")));
    for step in steps {
        story.push_str("\n[[story.play]]\n");
        story.push_str(&match step {
            Action::Type { at, text: typed, clear } => {
                let clear = if *clear { "clear = true\n" } else { "" };
                format!("type = {}\ntext = {}\n{clear}", locator(at), text(typed))
            }
            Action::Press { key, at: Some(at) } => {
                format!("press = {}\nat = {}\n", text(key), locator(at))
            }
            Action::Click { at, .. } => format!("click = {}\n", locator(at)),
            _ => String::new(),
        });
    }
    // The incident itself fails the story; an expectation is what its reader adds.
    story.push_str("\n[[story.play]]\nexpect = { css = \"body\" }\nvisible = true\n");
    let steps = steps.iter().map(Action::to_string).collect();
    ExploreFinding { reason: reason.to_owned(), steps, story }
}

/// Random numbers: the same beginning gives the same ones (SplitMix64).
struct Chance(u64);

impl Chance {
    /// A number below another one; `None` for 0.
    fn below(&mut self, most: usize) -> Option<usize> {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^= mixed >> 31;
        usize::try_from(mixed.checked_rem(most as u64)?).ok()
    }
}
