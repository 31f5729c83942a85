//! The rung that plays stories: what a person would see of the change in a browser. Start at
//! [`Prover::play_stories`]; `world` plays them.

use std::sync::Arc;
use std::time::{Duration, Instant};

use base::{Ctx, ProjectPath, SortedSet};
use build::CargoWorkspace;
use edit::Overlay;
use policy::RungName;
use world::{
    BrowserProgram, Exploration, ExploreSettings, PageFiles, ReviewedChange, ServedApp,
    SharedBrowser, StoryFile, StoryFilter, StoryPage, StoryReviewer, WorldReport, WorldSettings,
    WorldTier, examine_file, play_file,
};

use crate::draft::Draft;
use crate::ladder_run::{LadderRun, Ran};
use crate::prover::{LONG, Prover};
use crate::story_apps::{BuiltApp, NoApp};
use crate::text::counted;
use crate::tree_state::{TreeState, with_overlay};
use crate::{CheckError, Ladder};

/// The folder of files of stories.
const FOLDER: &str = "stories";
/// Most bytes of a file of stories.
const MOST_BYTES: u64 = 1 << 20;
/// Most files of stories.
const MOST_FILES: usize = 1_000;
/// Stories that are played at once.
const AT_ONCE: usize = 4;

/// Which stories are played.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct StoryChoice {
    /// Only some of them.
    pub filter: Option<StoryFilter>,
    /// How many are played at once.
    pub at_once: Option<usize>,
    /// Whether the page is kept after each step, for an inspector.
    pub inspects: bool,
    /// Whether snapshots are taken anew where they differ; the caller writes them.
    pub updates: bool,
    /// Explores the pages instead of playing their stories.
    pub explore: Option<ExploreSettings>,
}

/// The files of stories of a tree, and those that are none.
#[derive(Debug, Default)]
pub struct StoriesFound {
    /// The files, in order of their paths.
    pub files: Vec<StoryFile>,
    /// Why a file is none, with its place.
    pub problems: Vec<world::StoryError>,
}

/// The tree of some stories at one moment, for a reader who follows its changes.
#[derive(Debug)]
pub struct StoriesTree(TreeState);

impl Prover {
    /// Lets a reviewer see a change and its stories before a browser plays them.
    #[must_use]
    pub fn with_reviewer(mut self, reviewer: Arc<dyn StoryReviewer>) -> Self {
        self.reviewer = Some(reviewer);
        self
    }

    /// The stories of the tree.
    ///
    /// # Errors
    /// A tree that cannot be read.
    pub fn stories(&self, ctx: &Ctx) -> Result<StoriesFound, CheckError> {
        self.stories_and_tree(ctx).map(|(found, _)| found)
    }

    /// The same, with the tree that has them.
    ///
    /// # Errors
    /// As [`Self::stories`].
    pub fn stories_and_tree(&self, ctx: &Ctx) -> Result<(StoriesFound, StoriesTree), CheckError> {
        let state = self.tree_state(ctx)?;
        Ok((self.stories_of(&state, &Overlay::empty()), StoriesTree(state)))
    }

    /// Whether a file of the tree, of a story or a source, has changed since: by its stamps.
    ///
    /// # Errors
    /// As [`Self::stories`].
    pub fn has_moved(&self, ctx: &Ctx, tree: &StoriesTree) -> Result<bool, CheckError> {
        Ok(!self.moved_since(ctx, &tree.0)?.is_empty())
    }

    /// Plays stories of the tree as it is; builds the apps that serve them.
    ///
    /// # Errors
    /// If there is no verdict: no browser, a tree that cannot be shown; a story that fails is a verdict.
    pub fn play_stories(
        &self,
        ctx: &Ctx,
        found: &StoriesFound,
        choice: &StoryChoice,
    ) -> Result<StoriesPlayed, CheckError> {
        let state = self.tree_state(ctx)?;
        let draft = &mut Draft::new(&self.project, Overlay::empty(), state.tree.clone());
        let needs_app = found.files.iter().any(|it| matches!(it.page, StoryPage::Served(_)));
        let played = if needs_app {
            let ladder = Ladder { stories: true, format: false, ..Ladder::default() };
            self.ready(ctx, &state, &ladder, None)?;
            self.on_candidate(ctx, draft, (&state, &ladder), (found, choice))?
        } else {
            self.play(ctx, (&state, &draft.overlay), (found, choice), &mut |_| {
                Ok(Err(NoApp::Workspace))
            })?
        };
        match self.moved_since(ctx, &state)?.first() {
            None => Ok(played),
            Some(moved) => Err(CheckError::TreeMoves { attempts: 1, example: moved.clone() }),
        }
    }

    /// Plays with apps that are built in a throw-away layer.
    fn on_candidate(
        &self,
        ctx: &Ctx,
        draft: &mut Draft,
        (state, ladder): (&TreeState, &Ladder),
        (found, choice): (&StoriesFound, &StoryChoice),
    ) -> Result<StoriesPlayed, CheckError> {
        let overlay = draft.overlay.clone();
        let workspace = self.workspace_of(ctx, state)?;
        let needed = self.with_story_apps(ladder, found);
        let view = self.show_prepared(ctx, &overlay, &needed, LONG)?;
        let warm = self.warm(ctx)?;
        let sources = self.sources(state, state.tree.files(), workspace.as_deref());
        let target = warm.candidate(ctx, sources, self.isolation(&view.0))?;
        let place = self.place(ctx, (&view, &state.tree, &[]), target.target(), None)?;
        let on = &mut |_: &crate::MappedDiagnostic| {};
        let mut run = LadderRun::new(place, draft, (&self.project, &overlay), on);
        let workspace = workspace.as_deref();
        self.play(ctx, (state, &overlay), (found, choice), &mut |app| run.app(workspace, app, LONG))
    }

    /// The stories that a ladder plays.
    pub(crate) fn asked_stories(
        &self,
        state: &TreeState,
        overlay: &Overlay,
        ladder: &Ladder,
    ) -> StoriesFound {
        match ladder.stories {
            true => self.stories_of(state, overlay),
            false => StoriesFound::default(),
        }
    }

    pub(crate) fn stories_of(&self, state: &TreeState, overlay: &Overlay) -> StoriesFound {
        let files = with_overlay(state.tree.files(), overlay);
        let mut found = StoriesFound::default();
        let is_stories = |path: &&ProjectPath| {
            let folder = path.parent();
            path.extension() == Some("toml") && folder.is_some_and(|it| it.file_name() == FOLDER)
        };
        for path in files.keys().filter(is_stories).take(MOST_FILES) {
            let texts = self.page_files(state, overlay, path);
            let name = path.file_name();
            let bytes = texts.read(name, MOST_BYTES).unwrap_or_default();
            let text = String::from_utf8_lossy(&bytes);
            match StoryFile::parse(path.as_str(), &text) {
                Ok(file) => found.files.push(file),
                Err(error) => found.problems.push(error),
            }
        }
        found
    }

    fn page_files(
        &self,
        state: &TreeState,
        overlay: &Overlay,
        of: &ProjectPath,
    ) -> Arc<dyn PageFiles> {
        Arc::new(TreeFiles {
            root: self.project.root().to_owned(),
            folder: of.parent(),
            overlay: overlay.clone(),
            files: with_overlay(state.tree.files(), overlay).keys().cloned().collect(),
            closed: state.closed.clone(),
        })
    }

    fn play(
        &self,
        ctx: &Ctx,
        (state, overlay): (&TreeState, &Overlay),
        (found, choice): (&StoriesFound, &StoryChoice),
        app: &mut dyn FnMut(&ServedApp) -> BuiltApp,
    ) -> Result<StoriesPlayed, CheckError> {
        let mut played = StoriesPlayed::default();
        if found.files.is_empty() {
            return Ok(played);
        }
        let program = BrowserProgram::find(&self.env.host.path)?;
        let settings = WorldSettings {
            sandbox: &self.env.sandbox,
            require: self.env.require,
            program: &program,
            at_once: choice.at_once.unwrap_or(AT_ONCE),
            inspects: choice.inspects,
            updates: choice.updates,
            filter: choice.filter.as_ref(),
        };
        let mut shared = SharedBrowser::default();
        // Only a change is reviewed: the tree as it is has been accepted before.
        let diff = overlay.unified_diff();
        let reviewer = self.reviewer.as_deref().filter(|_| !overlay.is_empty());
        let reviewed = reviewer.map(|reviewer| ReviewedChange { reviewer, diff: &diff });
        for file in &found.files {
            let Ok(path) = ProjectPath::new(&file.path) else { continue };
            let files = self.page_files(state, overlay, &path);
            if settings.plays(file) && choice.explore.is_none() {
                let bytes = files.read(path.file_name(), MOST_BYTES).unwrap_or_default();
                let text = String::from_utf8_lossy(&bytes);
                if !examine_file(ctx, file, &text, reviewed, &mut played.report)? {
                    continue;
                }
            }
            let command = match &file.page {
                StoryPage::Served(served) if settings.plays(file) => match app(served)? {
                    Ok(command) => Some(command),
                    Err(reason) => {
                        played.not_built.push(format!("{}: {reason}", file.path));
                        continue;
                    }
                },
                _ => None,
            };
            let with = (&files, command.as_ref());
            if let Some(explore) = choice.explore.filter(|_| settings.plays(file)) {
                let explored = world::explore(ctx, &settings, file, with, explore)?;
                played.explored.push((file.path.clone(), explored));
                continue;
            }
            play_file(ctx, &settings, &mut shared, file, with, &mut played.report)?;
        }
        Ok(played)
    }
}

/// The verdicts on stories.
#[derive(Debug, Default)]
pub struct StoriesPlayed {
    /// The stories that were played.
    pub report: WorldReport,
    /// Files whose app could not be built, with the reason: none of their stories passed.
    pub not_built: Vec<String>,
    /// Findings where pages were explored, by file.
    pub explored: Vec<(String, Exploration)>,
}

impl StoriesPlayed {
    /// The verdict in one line.
    pub fn detail(&self) -> String {
        if let Some(first) = self.not_built.first() {
            return first.clone();
        }
        let report = &self.report;
        let reviewed = report.tiers.iter().filter(|it| it.tier == WorldTier::Review);
        if let Some(refused) = reviewed.clone().find(|it| !it.passed) {
            return format!("the review refuses {}: {}", refused.file, refused.detail);
        }
        let Some(failed) = report.stories.iter().find(|it| !it.passed) else {
            let reviewed = match reviewed.count() {
                0 => "",
                _ => ", and the review has no objection",
            };
            return match report.passed {
                0 => "the project has no stories".to_owned(),
                1 => format!("1 story passed{reviewed}"),
                passed => format!("{passed} stories passed{reviewed}"),
            };
        };
        let why = failed.failure.as_ref().map_or_else(String::new, |it| {
            format!(": line {}: {}: {}", it.line, it.step, it.reason)
        });
        let count = format!("{} of {} failed", report.failed, report.stories.len());
        format!("{count}; {} `{}`{why}", failed.file, failed.name)
    }

    /// Whether all stories that were to be played passed.
    pub fn passed(&self) -> bool {
        let is_refused = self.report.tiers.iter().any(|it| !it.passed);
        self.report.failed == 0 && self.not_built.is_empty() && !is_refused
    }
}

impl LadderRun<'_> {
    /// Plays the stories that a change may affect, after all rungs that run cargo. One that cannot be read fails
    /// the rung before any is played.
    pub(crate) fn stories(
        &mut self,
        prover: &Prover,
        state: &TreeState,
        (workspace, unaffected): (Option<&CargoWorkspace>, &[String]),
        timeout: Duration,
    ) -> Result<Ran, CheckError> {
        let started = Instant::now();
        let overlay = self.draft.overlay.clone();
        let mut found = prover.stories_of(state, &overlay);
        let root = prover.project.root().to_owned();
        let all = found.files.len();
        found.files.retain(|file| !is_unaffected(file, workspace, (&root, &overlay), unaffected));
        let mut ran = Ran::start();
        let detail = if let Some(problem) = found.problems.first() {
            ran.passed = false;
            problem.to_string()
        } else {
            let ctx = self.place.ctx;
            let choice = StoryChoice::default();
            let mut app = |app: &ServedApp| self.app(workspace, app, timeout);
            let played = prover.play(ctx, (state, &overlay), (&found, &choice), &mut app)?;
            ran.passed = played.passed();
            if all > found.files.len() {
                let others = counted(all - found.files.len(), "file");
                self.draft.note(format!("stories of {others} do not depend on the change"));
            }
            played.detail()
        };
        ran.duration = started.elapsed();
        self.cargo_rung(RungName::Stories, ran, detail)
    }
}

/// Whether a change is known not to affect the stories of a file: neither its folder nor its package.
fn is_unaffected(
    file: &StoryFile,
    workspace: Option<&CargoWorkspace>,
    (root, overlay): (&std::path::Path, &Overlay),
    unaffected: &[String],
) -> bool {
    let (Ok(path), Some(workspace)) = (ProjectPath::new(&file.path), workspace) else {
        return false;
    };
    let folder = path.parent();
    let is_beside = |it: &ProjectPath| folder.as_ref().is_none_or(|folder| it.is_within(folder));
    if overlay.changes().any(|(path, _)| is_beside(path)) {
        return false;
    }
    let package = match &file.page {
        StoryPage::Served(ServedApp { package: Some(package), .. }) => Some(package.clone()),
        StoryPage::Served(_) => None,
        _ => workspace.owner(&path.join_to(root)).map(|it| it.name.clone()),
    };
    package.is_some_and(|it| unaffected.contains(&it))
}

/// The files of a tree below one folder, with an overlay on top.
struct TreeFiles {
    root: std::path::PathBuf,
    folder: Option<ProjectPath>,
    overlay: Overlay,
    files: SortedSet<ProjectPath>,
    closed: SortedSet<ProjectPath>,
}

impl PageFiles for TreeFiles {
    fn read(&self, path: &str, limit: u64) -> Option<Vec<u8>> {
        let path = match &self.folder {
            Some(folder) => ProjectPath::new(&format!("{folder}/{path}")).ok()?,
            None => ProjectPath::new(path).ok()?,
        };
        // What is no part of the tree, or closed to an agent, is in no page.
        if !self.files.contains(&path) || self.closed.contains(&path) {
            return None;
        }
        if let Some(change) = self.overlay.get(&path) {
            let text = change.after.as_ref().map(|it| it.text.as_bytes().to_vec());
            return text.filter(|it| it.len() as u64 <= limit);
        }
        let root = untrusted_fs::Dir::open(&self.root).ok()?;
        root.read(path.as_str(), limit).ok()?.map(|it| it.bytes)
    }
}
