//! Plays the stories of files, several at once. Start at [`play_file`].

use std::sync::Arc;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Instant;

use base::Ctx;
use sandbox::{Level, Sandbox};

use crate::browser::{AppCommand, Browser, BrowserProgram, PageFiles, Source};
use crate::report::{StepFailure, StoryResult, StoryScore, StoryVerdict, WorldReport};
use crate::{ServedApp, Story, StoryFile, StoryPage, WorldError, play};

/// Most stories that are played at once in one browser.
const MOST_AT_ONCE: usize = 16;

/// How stories are played.
pub struct WorldSettings<'a> {
    /// The sandbox of browser and app.
    pub sandbox: &'a Sandbox,
    /// The level that it must have.
    pub require: Level,
    /// The browser.
    pub program: &'a BrowserProgram,
    /// How many stories are played at once.
    pub at_once: usize,
    /// Whether the page is kept after each step, for an inspector.
    pub inspects: bool,
    /// Whether snapshots are taken anew where they differ.
    pub updates: bool,
    /// Only some stories.
    pub filter: Option<&'a StoryFilter>,
}

/// Some stories of several files.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum StoryFilter {
    /// Those whose file or name contains a text.
    Contains(String),
    /// One of them.
    Exactly {
        /// Its file.
        file: String,
        /// Its name.
        name: String,
    },
}

impl StoryFilter {
    /// Whether a story is one of them.
    pub fn takes(&self, file: &str, name: &str) -> bool {
        match self {
            Self::Contains(text) => name.contains(text.as_str()) || file.contains(text.as_str()),
            Self::Exactly { file: its_file, name: its_name } => {
                its_file == file && its_name == name
            }
        }
    }
}

impl WorldSettings<'_> {
    /// Whether any story of a file is played.
    pub fn plays(&self, file: &StoryFile) -> bool {
        file.stories.iter().any(|story| self.is_meant(file, story))
    }

    fn is_meant(&self, file: &StoryFile, story: &Story) -> bool {
        self.filter.is_none_or(|it| it.takes(&file.path, &story.name))
    }
}

/// A browser that is kept for the next file: pages without an app share it.
#[derive(Default)]
pub struct SharedBrowser(Option<Arc<Browser>>);

impl SharedBrowser {
    /// The running browser, started with its app if there is none.
    pub(crate) fn running(
        &mut self,
        ctx: &Ctx,
        settings: &WorldSettings<'_>,
        served: Option<(&ServedApp, &AppCommand)>,
    ) -> Result<Arc<Browser>, WorldError> {
        if let Some(browser) = self.0.as_ref().filter(|it| !it.has_ended()) {
            return Ok(Arc::clone(browser));
        }
        let WorldSettings { sandbox, require, program, .. } = *settings;
        let app = served.map(|(_, app)| app);
        let browser = Arc::new(Browser::start(ctx, sandbox, require, program, app)?);
        if let Some((served, _)) = served {
            browser.wait_ready(ctx, served)?;
        }
        self.0 = Some(Arc::clone(&browser));
        Ok(browser)
    }
}

/// Plays the stories of a file, which is the last tier ([`crate::examine_file`] has those before it). `files` are those beside it, `app` is the built app of one that is served.
/// The results are added to `report` in the order of the file.
///
/// # Errors
/// Where no browser can be started; a story that fails, and an app that does not start, are results.
pub fn play_file(
    ctx: &Ctx,
    settings: &WorldSettings<'_>,
    shared: &mut SharedBrowser,
    file: &StoryFile,
    (files, app): (&Arc<dyn PageFiles>, Option<&AppCommand>),
    report: &mut WorldReport,
) -> Result<(), WorldError> {
    let stories: Vec<&Story> =
        file.stories.iter().filter(|story| settings.is_meant(file, story)).collect();
    report.left_out += file.stories.len() - stories.len();
    if stories.is_empty() {
        return Ok(());
    }
    let served = match &file.page {
        StoryPage::Served(served) => app.map(|app| (served, app)),
        _ => None,
    };
    let kept = if served.is_some() { SharedBrowser(None) } else { std::mem::take(shared) };
    let run = FileRun {
        ctx,
        settings,
        file,
        stories: &stories,
        next: AtomicUsize::new(0),
        served,
        files,
        source: source(file, files),
        kept: Mutex::new(kept),
        no_app: Mutex::new(None),
        fault: Mutex::new(None),
    };
    let results: Mutex<Vec<Option<StoryResult>>> = Mutex::new(vec![None; stories.len()]);
    let work = || {
        while let Some((idx, story)) = {
            let idx = run.next.fetch_add(1, Ordering::Relaxed);
            stories.get(idx).map(|story| (idx, story))
        } {
            let Some(result) = run.story(story) else { return };
            base::lock(&results)[idx] = Some(result);
        }
    };
    std::thread::scope(|scope| {
        for _ in 1..run.workers() {
            scope.spawn(work);
        }
        work();
    });
    if let Some(error) = base::lock(&run.fault).take() {
        return Err(error);
    }
    if let Some(browser) = base::lock(&run.kept).0.take() {
        browser.close_ahead();
        report.browser.clone_from(&browser.version);
        report.notes.clone_from(&browser.notes);
        shared.0 = Some(browser).filter(|_| run.served.is_none());
    }
    report.stories.extend(base::lock(&results).drain(..).flatten());
    report.played(&file.path, stories.len());
    report.count();
    Ok(())
}

/// A run of the stories of one file.
struct FileRun<'a> {
    ctx: &'a Ctx,
    settings: &'a WorldSettings<'a>,
    file: &'a StoryFile,
    stories: &'a [&'a Story],
    /// The first story that no worker has taken, by index.
    next: AtomicUsize,
    served: Option<(&'a ServedApp, &'a AppCommand)>,
    files: &'a Arc<dyn PageFiles>,
    source: Source,
    /// The running browser.
    kept: Mutex<SharedBrowser>,
    /// Why the app does not start: no story of it passes, and none waits for it again.
    no_app: Mutex<Option<String>>,
    /// Why the run ends without results.
    fault: Mutex<Option<WorldError>>,
}

impl FileRun<'_> {
    fn workers(&self) -> usize {
        self.settings.at_once.clamp(1, MOST_AT_ONCE).min(self.stories.len())
    }

    /// Begins to make the page of the next story: at most one for each worker and for each story that is left, and no
    /// more than processors are free, for those of stories that play come first.
    fn make_ahead(&self, browser: &Browser) {
        let left = self.stories.get(self.next.load(Ordering::Relaxed)..).unwrap_or_default();
        let Some(story) = left.first() else { return };
        let processors = std::thread::available_parallelism().map_or(1, usize::from);
        let free = processors.saturating_sub(self.workers());
        browser.make_ahead(self.ctx, story.window, free.min(self.workers()).min(left.len()));
    }

    /// Plays a story; `None` where the run has ended.
    fn story(&self, story: &Story) -> Option<StoryResult> {
        if base::lock(&self.fault).is_some() {
            return None;
        }
        let started = Instant::now();
        let no_app = base::lock(&self.no_app).clone();
        let verdict = match no_app {
            Some(reason) => Ok(ended(story, &reason)),
            None => {
                let running = base::lock(&self.kept).running(self.ctx, self.settings, self.served);
                running.and_then(|browser| self.play(&browser, story))
            }
        };
        let verdict = match verdict {
            Ok(verdict) => verdict,
            Err(error @ (WorldError::NotReady { .. } | WorldError::Ended { .. }))
                if self.served.is_some() =>
            {
                let reason = error.to_string();
                base::lock(&self.no_app).get_or_insert(reason.clone());
                ended(story, &reason)
            }
            Err(error) => {
                base::lock(&self.fault).get_or_insert(error);
                return None;
            }
        };
        self.ctx.progress("playing", format!("{}: {}", self.file.path, story.name));
        let ms = u64::try_from(started.elapsed().as_millis()).unwrap_or(u64::MAX);
        Some(result_of(self.file, story, verdict, ms))
    }

    /// Plays a story. One whose page ended the browser has failed; the next one gets a new browser.
    fn play(&self, browser: &Arc<Browser>, story: &Story) -> Result<StoryVerdict, WorldError> {
        let source = match &story.html {
            Some(html) => Source::Html(html.as_str().into()),
            None => self.source.clone(),
        };
        let play = play::Play {
            ctx: self.ctx,
            browser,
            story,
            constraints: self.file.constraints.as_ref(),
            files: &**self.files,
            inspects: self.settings.inspects,
            updates: self.settings.updates,
        };
        let played = browser.page(self.ctx, source, story).and_then(|page| {
            self.make_ahead(browser);
            play.run(page)
        });
        match played {
            Err(WorldError::Cancelled(error)) => Err(error.into()),
            Err(error) => {
                let kept = &mut base::lock(&self.kept).0;
                if kept.as_ref().is_some_and(|it| Arc::ptr_eq(it, browser)) {
                    *kept = None;
                }
                Ok(ended(story, &error.to_string()))
            }
            verdict => verdict,
        }
    }
}

fn result_of(file: &StoryFile, story: &Story, verdict: StoryVerdict, ms: u64) -> StoryResult {
    let StoryVerdict { score, failure, incidents, picture, difference, mut snapshots, moments } =
        verdict;
    // What a story that failed shows is no example.
    snapshots.retain(|_| failure.is_none());
    StoryResult {
        file: file.path.clone(),
        name: story.name.clone(),
        passed: failure.is_none(),
        reward: score.reward(),
        failure,
        incidents,
        score,
        picture,
        difference,
        snapshots,
        moments,
        ms,
    }
}

fn ended(story: &Story, reason: &str) -> StoryVerdict {
    StoryVerdict {
        score: StoryScore { gates: false, ..StoryScore::of(story) },
        failure: Some(StepFailure {
            line: story.line,
            step: "the whole story".to_owned(),
            reason: reason.to_owned(),
            there: Vec::new(),
            page: Vec::new(),
        }),
        incidents: Vec::new(),
        picture: None,
        difference: None,
        snapshots: Vec::new(),
        moments: Vec::new(),
    }
}

/// The origin of a file's pages.
pub(crate) fn source(file: &StoryFile, files: &Arc<dyn PageFiles>) -> Source {
    match &file.page {
        StoryPage::Html(html) => Source::Html(html.as_str().into()),
        StoryPage::None => Source::Html("".into()),
        StoryPage::Served(app) => Source::App { port: app.port },
        StoryPage::File(page) => Source::Files { files: Arc::clone(files), page: page.clone() },
    }
}

impl WorldReport {
    fn count(&mut self) {
        self.passed = self.stories.iter().filter(|it| it.passed).count();
        self.failed = self.stories.len() - self.passed;
        let sum: u64 = self.stories.iter().map(|it| u64::from(it.reward)).sum();
        self.reward = (sum / (self.stories.len() as u64).max(1)) as u32;
    }
}
