//! `world`: plays the stories of the project in a browser.

use std::path::Path;

use base::{Ctx, ProjectPath, SortedMap};
use check::{StoriesFound, StoriesPlayed, StoriesTree, StoryChoice};
use project::{ProjectError, Workspace};
use serde::Serialize;
use world::{
    Exploration, ExploreSettings, StoryFilter, StoryResult, TierVerdict, WorldReport, WorldTier,
};

use crate::Error;

/// Input of [`world_test`].
#[derive(Clone, Debug, Default)]
pub struct WorldRequest {
    /// Only some stories.
    pub filter: Option<StoryFilter>,
    /// How many are played at once.
    pub at_once: Option<usize>,
    /// Whether the page is kept after each step, for an inspector.
    pub inspects: bool,
    /// Whether snapshots that differ are written anew.
    pub updates: bool,
}

impl WorldRequest {
    /// One story, with the page after each of its steps.
    pub fn of_story(file: &str, name: &str) -> Self {
        let (file, name) = (file.to_owned(), name.to_owned());
        let filter = Some(StoryFilter::Exactly { file, name });
        Self { filter, at_once: Some(1), inspects: true, updates: false }
    }
}

/// Result of [`world_test`], as `--json` prints it.
#[derive(Clone, Debug, Serialize)]
pub struct WorldResponse {
    /// Stories that passed.
    pub passed: usize,
    /// Stories that failed.
    pub failed: usize,
    /// Stories that the filter left out.
    pub left_out: usize,
    /// The mean reward in thousandths.
    pub reward: u32,
    /// The browser.
    pub browser: String,
    /// Notes on how it ran.
    pub notes: Vec<String>,
    /// Files of stories that cannot be read, each with line, fault and hint.
    pub problems: Vec<StoryProblemRow>,
    /// Files whose app cannot be built, with the reason.
    pub not_built: Vec<String>,
    /// The verdicts of each tier on each file of stories: the file alone, then the browser.
    pub tiers: Vec<TierVerdict>,
    /// Snapshots that were written.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub updated: Vec<String>,
    /// The stories.
    pub stories: Vec<StoryRow>,
    /// The report as JUnit's XML.
    #[serde(skip)]
    pub junit: String,
}

impl WorldResponse {
    /// Whether all stories passed, and there was one.
    pub fn has_passed(&self) -> bool {
        self.failed == 0 && self.passed > 0 && self.problems.is_empty() && self.not_built.is_empty()
    }
}

/// A fault in a file of stories.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct StoryProblemRow {
    /// Place and fault.
    pub message: String,
    /// The fix.
    pub hint: Option<String>,
}

/// A story with its verdict.
#[derive(Clone, Debug, Serialize)]
pub struct StoryRow {
    /// The verdict.
    #[serde(flatten)]
    pub result: StoryResult,
    /// File with the picture of the page at the failure.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub picture_file: Option<String>,
    /// File with the pixels that differ from a screenshot.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub difference_file: Option<String>,
}

/// Result of [`world_list`], as `--json` prints it.
#[derive(Clone, Debug, Serialize)]
pub struct WorldList {
    /// The stories, in order of files and lines.
    pub stories: Vec<ListedStory>,
    /// Files of stories that cannot be read.
    pub problems: Vec<StoryProblemRow>,
}

/// A story of the project.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ListedStory {
    /// File of the story.
    pub file: String,
    /// Line of the story, from 1.
    pub line: usize,
    /// Its name.
    pub name: String,
}

/// The stories of the project; plays none.
///
/// # Errors
/// A tree that cannot be read.
pub fn world_list(
    ctx: &Ctx,
    workspace: &Workspace,
    filter: Option<&StoryFilter>,
) -> Result<WorldList, Error> {
    let prover = workspace.prover(ctx)?;
    let found = prover.stories(ctx).map_err(ProjectError::from)?;
    Ok(listed(&found, filter))
}

fn listed(found: &StoriesFound, filter: Option<&StoryFilter>) -> WorldList {
    let mut stories = Vec::new();
    for file in &found.files {
        for story in &file.stories {
            if filter.is_none_or(|it| it.takes(&file.path, &story.name)) {
                let (file, name) = (file.path.clone(), story.name.clone());
                stories.push(ListedStory { file, line: story.line, name });
            }
        }
    }
    WorldList { stories, problems: problems(&found.problems) }
}

/// The stories of the project at one moment, for a reader who follows its changes.
#[derive(Debug)]
pub struct WorldSeen {
    /// The stories.
    pub list: WorldList,
    tree: StoriesTree,
}

/// The stories of the project, with the tree that has them; plays none.
///
/// # Errors
/// A tree that cannot be read.
pub fn world_seen(ctx: &Ctx, workspace: &Workspace) -> Result<WorldSeen, Error> {
    let seen = workspace.prover(ctx)?.stories_and_tree(ctx);
    let (found, tree) = seen.map_err(ProjectError::from)?;
    Ok(WorldSeen { list: listed(&found, None), tree })
}

/// Whether stories or sources have changed since.
///
/// # Errors
/// As [`world_seen`].
pub fn world_moved(ctx: &Ctx, workspace: &Workspace, seen: &WorldSeen) -> Result<bool, Error> {
    let moved = workspace.prover(ctx)?.has_moved(ctx, &seen.tree);
    Ok(moved.map_err(ProjectError::from)?)
}

/// Plays the stories of the tree as it is. Pictures of failures are in the project's cache folder; the project is
/// written only where `updates` asks for it: snapshots of stories that pass.
///
/// # Errors
/// If there is no verdict: no browser, a tree that cannot be read. A story that fails is a verdict. A snapshot that
/// cannot be written.
pub fn world_test(
    ctx: &Ctx,
    workspace: &Workspace,
    request: &WorldRequest,
) -> Result<WorldResponse, Error> {
    let prover = workspace.prover(ctx)?;
    let found = prover.stories(ctx).map_err(ProjectError::from)?;
    let WorldRequest { filter, at_once, inspects, updates } = request.clone();
    let choice = StoryChoice { filter, at_once, inspects, updates, explore: None };
    let played = prover.play_stories(ctx, &found, &choice).map_err(ProjectError::from)?;
    let StoriesPlayed { report, not_built, .. } = played;
    let junit = report.junit();
    let WorldReport { passed, failed, left_out, reward, browser, notes, tiers, stories } = report;
    let updated = write_snapshots(workspace.project().root(), &stories)?;
    let folder = workspace.project().cache_dir().join("world");
    let keep = |name: String, picture: Option<&[u8]>| {
        let file = folder.join(name);
        let made = untrusted_fs::make_own(&folder).is_ok()
            && untrusted_fs::replace_own(&file, picture?, &ctx.fresh_name()).is_ok();
        made.then(|| file.display().to_string())
    };
    let row = |(idx, result): (usize, StoryResult)| StoryRow {
        picture_file: keep(format!("story-{}.png", idx + 1), result.picture.as_deref()),
        difference_file: keep(
            format!("story-{}-difference.png", idx + 1),
            result.difference.as_deref(),
        ),
        result,
    };
    Ok(WorldResponse {
        passed,
        failed,
        left_out,
        reward,
        browser,
        notes,
        problems: problems(&found.problems),
        not_built,
        tiers: found.problems.iter().map(refused).chain(tiers).collect(),
        updated,
        stories: stories.into_iter().enumerate().map(row).collect(),
        junit,
    })
}

/// The verdict of the static tier on a file that cannot be played.
fn refused(error: &world::StoryError) -> TierVerdict {
    let (file, detail) = (error.file.clone(), error.to_string());
    TierVerdict { file, tier: WorldTier::Static, passed: false, detail }
}

/// Writes the new snapshots of stories beside their files, each by one rename and through no link.
fn write_snapshots(root: &Path, stories: &[StoryResult]) -> Result<Vec<String>, Error> {
    let mut files: SortedMap<ProjectPath, &[u8]> = SortedMap::new();
    for story in stories {
        for snapshot in &story.snapshots {
            let folder = ProjectPath::new(&story.file)?.parent();
            let path = match folder {
                Some(folder) => ProjectPath::new(&format!("{folder}/{}", snapshot.name))?,
                None => ProjectPath::new(&snapshot.name)?,
            };
            if let Some(row) = policy::protected(&path) {
                let reason = format!("a snapshot cannot be `{path}`: {}", row.reason);
                return Err(Error::BadText { reason });
            }
            let before = files.insert(path.clone(), &snapshot.bytes);
            if before.is_some_and(|it| it != snapshot.bytes) {
                let reason = format!("two stories have different snapshots for `{path}`");
                return Err(Error::BadText { reason });
            }
        }
    }
    let mut written = Vec::new();
    for (path, bytes) in files {
        let put = || {
            let dir = untrusted_fs::Dir::open(root)?;
            if let Some(folder) = path.parent() {
                dir.make_dirs(folder.as_str())?;
            }
            dir.replace(path.as_str(), &[bytes], 0o666)
        };
        put().map_err(|fault: untrusted_fs::Fault| ProjectError::Unwritable {
            path: path.to_string(),
            reason: fault.to_string(),
        })?;
        written.push(path.to_string());
    }
    Ok(written)
}

/// Findings on the pages of one file of stories.
#[derive(Clone, Debug, Serialize)]
pub struct ExploredFile {
    /// The file.
    pub file: String,
    /// The actions, and what they led to.
    #[serde(flatten)]
    pub exploration: Exploration,
}

/// Explores the pages of the files of stories whose path contains `filter`, by random actions.
///
/// # Errors
/// As [`world_test`], and where no file is meant or one cannot be built.
pub fn world_explore(
    ctx: &Ctx,
    workspace: &Workspace,
    filter: &str,
    explore: ExploreSettings,
) -> Result<Vec<ExploredFile>, Error> {
    let prover = workspace.prover(ctx)?;
    let mut found = prover.stories(ctx).map_err(ProjectError::from)?;
    found.files.retain(|it| it.path.contains(filter));
    let choice = StoryChoice { explore: Some(explore), ..StoryChoice::default() };
    let played = prover.play_stories(ctx, &found, &choice).map_err(ProjectError::from)?;
    if let Some(reason) = played.not_built.first() {
        return Err(Error::BadText { reason: reason.clone() });
    }
    if played.explored.is_empty() {
        return Err(Error::BadText { reason: format!("no file of stories is named `{filter}`") });
    }
    let file = |(file, exploration)| ExploredFile { file, exploration };
    Ok(played.explored.into_iter().map(file).collect())
}

fn problems(errors: &[world::StoryError]) -> Vec<StoryProblemRow> {
    let row = |error: &world::StoryError| StoryProblemRow {
        message: error.to_string(),
        hint: base::Hint::hint(error),
    };
    errors.iter().map(row).collect()
}
