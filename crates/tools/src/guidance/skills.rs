//! The skills of a project, of the user, and those that graftage ships.

use std::path::{Path, PathBuf};

use base::{Ctx, ProjectPath};
use memory::{Skill, SkillFile, SkillScope, SkillSource, Skills, skill_contents, validate_skill};
use project::{ProjectError, Settings, Surroundings, TrustFor, trust_folder};
use serde::Serialize;

use super::repository_root;
use super::trusted_skills::{self, TrustedSkills};
use crate::Error;

/// Largest `SKILL.md` that is validated, in bytes.
const LARGEST: u64 = 1 << 20;
/// Names of the file with head and instructions, as the reference validator has them.
const NAMES: [&str; 2] = ["SKILL.md", "skill.md"];

/// Where skills are searched.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SkillPlaces {
    /// Root of the project; `None` outside of one.
    pub project: Option<PathBuf>,
    /// The user's home.
    pub home: PathBuf,
    /// Projects whose skills the user trusts.
    pub trusted: Vec<PathBuf>,
    /// The file with the contents that were trusted.
    pub trusted_file: PathBuf,
}

impl SkillPlaces {
    /// The places of a user, and of a project if there is one.
    pub fn new(project: Option<&Path>, surroundings: &Surroundings, settings: &Settings) -> Self {
        Self {
            project: project.map(Path::to_path_buf),
            home: surroundings.home.clone(),
            trusted: settings.trust_skills.clone(),
            trusted_file: surroundings.state_dir.join(trusted_skills::FILE),
        }
    }

    /// The folder that `trust.skills` has to list for the skills of the project.
    pub fn repository(&self) -> Option<PathBuf> {
        self.project.as_deref().map(repository_root)
    }

    /// The folders with the skills of the project.
    fn roots(&self) -> Vec<PathBuf> {
        let repository = self.repository();
        let mut roots: Vec<PathBuf> = self.project.iter().chain(&repository).cloned().collect();
        roots.dedup();
        roots
    }

    /// The skills. Of two with one name that of the project is used, then that of the user; skills that
    /// are not trusted hide no other.
    ///
    /// # Errors
    /// Cancellation.
    pub fn discover(&self, ctx: &Ctx) -> Result<Skills, Error> {
        let repository = self.repository();
        let is_trusted = repository.as_ref().is_some_and(|it| self.trusted.contains(it));
        let roots = self.roots();
        let known = TrustedSkills::read(&self.trusted_file);
        let project = |root: PathBuf| {
            let contents = Some(known.of(&root));
            SkillSource { root, scope: SkillScope::Project, is_trusted, contents }
        };
        let project: Vec<SkillSource> = roots.into_iter().map(project).collect();
        let (root, scope) = (self.home.clone(), SkillScope::User);
        let user = SkillSource { root, scope, is_trusted: true, contents: None };
        let own = [user, SkillSource::shipped()];
        let sources = match is_trusted {
            true => project.into_iter().chain(own).collect(),
            false => own.into_iter().chain(project).collect(),
        };
        Ok(Skills::discover(ctx, sources)?)
    }
}

/// Trusts the skills of the project as they are now: their folder in `trust.skills` of the user's file,
/// and the hash of every file of them. Returns the folder, and the skills by name.
///
/// # Errors
/// [`ProjectError::Trust`] outside of a project, for a skill that has a link or cannot be read, or where the
/// files cannot be written.
pub fn trust_skills(
    ctx: &Ctx,
    places: &SkillPlaces,
    config_file: &Path,
) -> Result<(PathBuf, Vec<String>), Error> {
    let no_project = || ProjectError::Trust {
        folder: ".".to_owned(),
        reason: "there is no project here".to_owned(),
    };
    let repository = places.repository().ok_or_else(no_project)?;
    let mut known = TrustedSkills::read(&places.trusted_file);
    let roots = places.roots();
    roots.iter().for_each(|root| known.forget(root));
    let scope = SkillScope::Project;
    let source = |root| SkillSource { root, scope, is_trusted: false, contents: None };
    let found = Skills::discover(ctx, roots.into_iter().map(source).collect())?;
    let own = found.list();
    let refused =
        |reason: String| ProjectError::Trust { folder: repository.display().to_string(), reason };
    for skill in &own {
        let unusable = |reason: String| refused(format!("the skill `{}`: {reason}", skill.name));
        let dir =
            untrusted_fs::Dir::open(&skill.root).and_then(|it| it.open_dir(skill.folder.as_str()));
        let dir = dir.map_err(|fault| unusable(fault.to_string()))?;
        let dir = dir.ok_or_else(|| unusable("its folder is missing".to_owned()))?;
        let contents = skill_contents(&dir).map_err(|fault| unusable(fault.to_string()))?;
        known.trust(&skill.root, skill.folder.as_str(), contents);
    }
    known
        .write(&places.trusted_file, &ctx.fresh_name())
        .map_err(|error| refused(error.to_string()))?;
    let folder = trust_folder(config_file, TrustFor::Skills, &repository)?;
    Ok((folder, own.into_iter().map(|it| it.name.clone()).collect()))
}

/// A skill, as `--json` prints it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct SkillCard {
    /// Name.
    pub name: String,
    /// What it does and when to use it.
    pub description: String,
    /// `project`, `user` or `shipped`.
    pub origin: &'static str,
    /// Whether it may be read and run.
    pub trusted: bool,
    /// What changed since the user trusted it.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub changed: Vec<String>,
    /// Its `SKILL.md`.
    pub location: String,
    /// License.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub license: Option<String>,
    /// What it needs of its environment.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub compatibility: Option<String>,
    /// Tools that it asks for; it gets none by that.
    pub allowed_tools: Vec<String>,
    /// Scripts, by path in the skill's folder.
    pub scripts: Vec<ProjectPath>,
    /// References.
    pub references: Vec<ProjectPath>,
    /// Assets.
    pub assets: Vec<ProjectPath>,
    /// What the strict validation reports.
    pub warnings: Vec<String>,
}

/// Result of `skills list`, as `--json` prints it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct SkillsList {
    /// Skills, by origin and name.
    pub skills: Vec<SkillCard>,
    /// Folders without a usable skill, and skills that another one hides.
    pub skipped: Vec<SkippedCard>,
}

/// A folder without a usable skill.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct SkippedCard {
    /// Its `SKILL.md`, or the folder.
    pub path: String,
    /// Reason.
    pub reason: String,
}

/// Result of `skills show`, as `--json` prints it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct SkillShown {
    /// The skill.
    #[serde(flatten)]
    pub skill: SkillCard,
    /// The file that is shown: `SKILL.md` or a reference.
    pub file: ProjectPath,
    /// Its text, for `SKILL.md` without the head.
    pub text: String,
    /// References with the texts of the links to them.
    pub reference_titles: Vec<ReferenceTitle>,
}

/// A reference of a skill.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ReferenceTitle {
    /// File.
    pub file: ProjectPath,
    /// Text of a link to it.
    pub title: Option<String>,
}

/// Result of `skills search`, as `--json` prints it.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct SkillsFound {
    /// Skills that fit, best first.
    pub hits: Vec<ScoredSkill>,
    /// Number of skills that were not searched because they are not trusted.
    pub untrusted: usize,
}

/// A skill that fits an intent.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ScoredSkill {
    /// The skill.
    #[serde(flatten)]
    pub skill: SkillCard,
    /// Combined score; only its order has a meaning.
    pub score: f32,
}

/// The verdict on one `SKILL.md`, as `skills validate --json` prints it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct SkillVerdict {
    /// The path as given.
    pub path: String,
    /// Whether it is valid.
    pub valid: bool,
    /// Problems, in the words of the reference validator of AgentSkills.
    pub problems: Vec<String>,
}

/// All skills.
///
/// # Errors
/// Cancellation.
pub fn skills_list(ctx: &Ctx, places: &SkillPlaces) -> Result<SkillsList, Error> {
    let skills = places.discover(ctx)?;
    let skipped = skills
        .skipped()
        .iter()
        .map(|it| SkippedCard { path: it.path.clone(), reason: it.reason.clone() });
    Ok(SkillsList {
        skills: skills.list().into_iter().map(card).collect(),
        skipped: skipped.collect(),
    })
}

/// The instructions of a skill, or one of its references.
///
/// # Errors
/// No skill of the name, one that is not trusted, a path that is no reference of it.
pub fn skill_show(
    ctx: &Ctx,
    places: &SkillPlaces,
    name: &str,
    reference: Option<&str>,
) -> Result<SkillShown, Error> {
    let skills = places.discover(ctx)?;
    let text = match reference {
        None => skills.body(name)?,
        Some(path) => skills.reference_content(name, &ProjectPath::new(path)?)?,
    };
    let references = skills.references(name)?;
    let no_skill = || memory::SkillError::NoSkill { name: name.to_owned() };
    let skill = skills.get(name).ok_or_else(no_skill)?;
    let file = match reference {
        None => skill.file.clone(),
        Some(path) => ProjectPath::new(path)?,
    };
    let title = |it: SkillFile| ReferenceTitle { file: it.path, title: it.title };
    Ok(SkillShown {
        skill: card(skill),
        file,
        text,
        reference_titles: references.into_iter().map(title).collect(),
    })
}

/// The trusted skills that fit an intent.
///
/// # Errors
/// Cancellation.
pub fn skills_search(
    ctx: &Ctx,
    places: &SkillPlaces,
    intent: &str,
    limit: usize,
) -> Result<SkillsFound, Error> {
    let skills = places.discover(ctx)?;
    let hits = skills.search(intent, limit).into_iter().filter_map(|hit| {
        Some(ScoredSkill { skill: card(skills.get(&hit.name)?), score: hit.score.score })
    });
    let untrusted = skills.list().into_iter().filter(|it| !it.is_trusted).count();
    Ok(SkillsFound { hits: hits.collect(), untrusted })
}

/// Validates the folder of a skill, or its `SKILL.md`, as strictly as the reference validator.
pub fn skill_validate(path: &Path) -> SkillVerdict {
    let problems = problems(path);
    SkillVerdict { path: path.display().to_string(), valid: problems.is_empty(), problems }
}

fn problems(path: &Path) -> Vec<String> {
    let is_file =
        path.is_file() && path.file_name().is_some_and(|name| NAMES.iter().any(|it| name == *it));
    let folder = match (is_file, path.parent()) {
        (true, Some(parent)) if parent.as_os_str().is_empty() => Path::new("."),
        (true, Some(parent)) => parent,
        _ => path,
    };
    let shown = folder.display();
    let Ok(real) = folder.canonicalize() else {
        return vec![format!("Path does not exist: {shown}")];
    };
    if !real.is_dir() {
        return vec![format!("Not a directory: {shown}")];
    }
    for name in NAMES {
        match untrusted_fs::read_regular(&real.join(name), LARGEST) {
            Ok(None) => {}
            Ok(Some(bytes)) => {
                let folder = real.file_name().unwrap_or_default().to_string_lossy();
                return validate_skill(&bytes, &folder);
            }
            Err(fault) => return vec![format!("{name} cannot be read: {fault}")],
        }
    }
    vec!["Missing required file: SKILL.md".to_owned()]
}

fn card(skill: &Skill) -> SkillCard {
    let paths = |files: &[SkillFile]| files.iter().map(|it| it.path.clone()).collect();
    SkillCard {
        name: skill.name.clone(),
        description: skill.description.clone(),
        origin: match skill.scope {
            SkillScope::Project => "project",
            SkillScope::User => "user",
            SkillScope::Shipped => "shipped",
        },
        trusted: skill.is_trusted,
        changed: skill.changed.clone(),
        location: skill.location().display().to_string(),
        license: skill.license.clone(),
        compatibility: skill.compatibility.clone(),
        allowed_tools: skill.allowed_tools.clone(),
        scripts: paths(&skill.scripts),
        references: paths(&skill.references),
        assets: paths(&skill.assets),
        warnings: skill.warnings.clone(),
    }
}
