//! Finds skills: folders with a `SKILL.md`, read leniently.

use std::path::{Path, PathBuf};

use base::{ContentHash, Ctx, ProjectPath, SortedMap};
use untrusted_fs::{Dir, EntryKind};

use super::contents::{SkillContents, changes, hash, skill_contents};
use super::fault::SkillFault;
use super::shipped::{shipped, shipped_file};
use super::validate::{SkillText, problems, split, trimmed};
use super::{Skill, SkillError, SkillFile, SkillScope, SkippedSkill, Yaml};

/// The folders with skills, below a project and below the user's home; the first has precedence.
pub(crate) const SKILL_FOLDERS: [&str; 2] = [".agents/skills", ".claude/skills"];

/// Names of the file with head and instructions; the first is preferred.
const NAMES: [&str; 2] = ["SKILL.md", "skill.md"];
/// Folders that are not searched.
const LEFT_OUT: [&str; 3] = [".git", "node_modules", "target"];
/// Maximum depth of the folder of a skill below [`SKILL_FOLDERS`].
const DEEPEST: usize = 4;
/// Maximum number of skills of a source.
const MOST_SKILLS: usize = 1000;
/// Maximum number of entries of a folder.
const MOST_ENTRIES: usize = 4096;
/// Maximum size of a file, in bytes.
const FILE_LIMIT: u64 = 1 << 20;

/// A folder that may have skills in `SKILL_FOLDERS`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SkillSource {
    /// Root of the project, or the user's home.
    pub root: PathBuf,
    /// Which of both it is.
    pub scope: SkillScope,
    /// Whether the user trusts its skills.
    pub is_trusted: bool,
    /// The contents of the skills that were trusted, by folder below the root; `None`: whatever they
    /// contain, as the user's own.
    pub contents: Option<SortedMap<String, SkillContents>>,
}

/// The skills of all sources, and what was skipped.
pub(super) fn discover(
    ctx: &Ctx,
    sources: &[SkillSource],
) -> Result<(Vec<Skill>, Vec<SkippedSkill>), SkillError> {
    let mut search = Search { skills: Vec::new(), skipped: Vec::new(), ctx };
    for source in sources {
        if source.scope == SkillScope::Shipped {
            for skill in shipped(source) {
                match skill {
                    Ok(skill) => search.add(source, skill),
                    Err((folder, fault)) => {
                        search.skip(source, Path::new(folder), fault.to_string());
                    }
                }
            }
            continue;
        }
        for folder in SKILL_FOLDERS {
            let path = Path::new(folder);
            match Dir::open(&source.root).and_then(|root| root.open_dir(folder)) {
                Ok(Some(dir)) => search.folder(source, &dir, path, 0)?,
                Ok(None) => {}
                Err(untrusted_fs::Fault::Io(err)) if err.kind() == std::io::ErrorKind::NotFound => {
                }
                Err(fault) => search.skip(source, path, fault.to_string()),
            }
        }
    }
    Ok((search.skills, search.skipped))
}

/// Reads a text file of a skill.
pub(super) fn read_file(skill: &Skill, path: &ProjectPath) -> Result<String, SkillFault> {
    if skill.scope == SkillScope::Shipped {
        return shipped_file(skill, path);
    }
    // From the root on, since folders may be links by now.
    let name = path.as_str();
    let path = Path::new(skill.folder.as_str()).join(name);
    let dir = Dir::open(&skill.root)?;
    let found = dir.read(path, FILE_LIMIT)?;
    let found = found.ok_or(SkillFault::Missing)?;
    let is_trusted = |it: &SkillContents| it.get(name) == Some(&hash(&found.bytes, found.mode));
    if !skill.contents.as_ref().is_none_or(is_trusted) {
        return Err(SkillFault::Changed);
    }
    let bytes = found.bytes;
    String::from_utf8(bytes).map_err(|_| SkillFault::NotUtf8)
}

struct Search<'a> {
    skills: Vec<Skill>,
    skipped: Vec<SkippedSkill>,
    ctx: &'a Ctx,
}

impl Search<'_> {
    fn skip(&mut self, source: &SkillSource, path: &Path, reason: String) {
        let path = source.root.join(path).display().to_string();
        self.skipped.push(SkippedSkill { path, reason });
    }

    /// Searches a folder, given relative to the root; the folder of a skill is not searched further.
    fn folder(
        &mut self,
        source: &SkillSource,
        dir: &Dir,
        path: &Path,
        depth: usize,
    ) -> Result<(), SkillError> {
        self.ctx.check_cancelled()?;
        if depth > 0 && self.skill(source, dir, path) {
            return Ok(());
        }
        if depth == DEEPEST || self.skills.len() >= MOST_SKILLS {
            return Ok(());
        }
        let entries = match dir.entries(MOST_ENTRIES) {
            Ok(entries) => entries,
            Err(fault) => {
                self.skip(source, path, fault.to_string());
                return Ok(());
            }
        };
        for entry in entries {
            if entry.kind == EntryKind::Link {
                self.skip(source, &path.join(&entry.name), "it is a symbolic link".to_owned());
            }
            if entry.kind != EntryKind::Folder {
                continue;
            }
            if LEFT_OUT.iter().any(|name| entry.name == *name) {
                continue;
            }
            if let Ok(Some(inner)) = dir.open_dir(&entry.name) {
                self.folder(source, &inner, &path.join(&entry.name), depth + 1)?;
            }
        }
        Ok(())
    }

    /// Whether the folder has a `SKILL.md`; it is added where it can be used.
    fn skill(&mut self, source: &SkillSource, dir: &Dir, path: &Path) -> bool {
        for name in NAMES {
            let file = path.join(name);
            let bytes = match dir.read(name, FILE_LIMIT) {
                Ok(None) => continue,
                Ok(Some(found)) => found.bytes,
                Err(fault) => {
                    self.skip(source, &file, fault.to_string());
                    return true;
                }
            };
            let folder = path.to_str().and_then(|path| ProjectPath::new(path).ok());
            let (Some(folder), Ok(name)) = (folder, ProjectPath::new(name)) else {
                self.skip(source, &file, "the name of its folder is not Unicode".to_owned());
                return true;
            };
            match lenient(&bytes, folder.file_name()) {
                Ok((text, warnings)) => {
                    let hash = ContentHash::of(&bytes);
                    let head = SkillHead { folder, file: name, hash, warnings };
                    let mut skill = skill(source, head, &text);
                    let markdown = |file: &SkillFile| file.path.extension() == Some("md");
                    skill.scripts = files(dir, "scripts");
                    skill.references =
                        files(dir, "references").into_iter().filter(markdown).collect();
                    skill.assets = files(dir, "assets");
                    bind(source, dir, &mut skill);
                    self.add(source, skill);
                }
                Err(fault) => self.skip(source, &file, fault.to_string()),
            }
            return true;
        }
        false
    }

    fn add(&mut self, source: &SkillSource, skill: Skill) {
        match self.skills.iter_mut().find(|it| it.name == skill.name) {
            // What is not trusted hides no other.
            Some(first) if !first.is_trusted && skill.is_trusted => {
                let hidden = std::mem::replace(first, skill);
                let path = hidden.location().display().to_string();
                let reason = format!("the skill `{}` of another place is used", hidden.name);
                self.skipped.push(SkippedSkill { path, reason });
            }
            Some(first) => {
                let first = first.location().display().to_string();
                let file = Path::new(skill.folder.as_str()).join(skill.file.as_str());
                self.skip(
                    source,
                    &file,
                    format!("the skill `{}` of `{first}` is used", skill.name),
                );
            }
            None => self.skills.push(skill),
        }
    }
}

/// Takes the trust from a skill whose contents are not those that were trusted.
fn bind(source: &SkillSource, dir: &Dir, skill: &mut Skill) {
    let Some(trusted) = source.contents.as_ref().filter(|_| source.is_trusted) else { return };
    let changed = match (skill_contents(dir), trusted.get(skill.folder.as_str())) {
        (Err(fault), _) => vec![fault.to_string()],
        (Ok(_), None) => vec!["it is new".to_owned()],
        (Ok(found), Some(trusted)) => {
            let changed = changes(trusted, &found);
            skill.contents = Some(found);
            changed
        }
    };
    skill.is_trusted = changed.is_empty();
    skill.changed = changed;
}

/// Reads a head as far as it can be used: with a name and a description.
pub(super) fn lenient(bytes: &[u8], folder: &str) -> Result<(SkillText, Vec<String>), SkillFault> {
    let text = std::str::from_utf8(bytes).map_err(|_| SkillFault::TextNotUtf8)?;
    let (head, body) = split(text.trim_start_matches('\u{feff}'))?;
    let (mut text, mut warnings) = match SkillText::of(&head, &body) {
        Ok(text) => (text, Vec::new()),
        Err(problem) => match SkillText::of(&quoted(&head), &body) {
            Ok(text) => (text, vec![problem.to_string()]),
            Err(_) => return Err(problem),
        },
    };
    warnings.extend(problems(&text, folder));
    let has = |text: &SkillText, field: &str| {
        text.field(field).and_then(Yaml::text).is_some_and(|it| !trimmed(it).is_empty())
    };
    if !has(&text, "description") {
        return Err(SkillFault::NoDescription);
    }
    if !has(&text, "name") {
        text.head.retain(|(key, _)| key != "name");
        text.head.push(("name".to_owned(), Yaml::Text(folder.to_owned())));
    }
    Ok((text, warnings))
}

/// The head with quotes around values that contain a colon, the most common mistake.
fn quoted(head: &str) -> String {
    let mut lines = Vec::new();
    for line in head.lines() {
        let quoted = line.split_once(": ").filter(|(key, value)| {
            let is_key =
                key.trim().chars().all(|c| c.is_ascii_alphanumeric() || c == '-' || c == '_');
            is_key && value.contains(':') && !value.trim().starts_with(['"', '\'', '|', '>'])
        });
        lines.push(match quoted {
            Some((key, value)) => format!("{key}: '{}'", value.trim().replace('\'', "''")),
            None => line.to_owned(),
        });
    }
    lines.join("\n")
}

/// What is known of a `SKILL.md` beside its text.
pub(super) struct SkillHead {
    /// Folder of the skill below the root of its source.
    pub(super) folder: ProjectPath,
    /// File in that folder.
    pub(super) file: ProjectPath,
    /// Hash of the file.
    pub(super) hash: ContentHash,
    /// What the strict validation reports, and what was repaired while reading.
    pub(super) warnings: Vec<String>,
}

/// A skill without its other files.
pub(super) fn skill(source: &SkillSource, head: SkillHead, text: &SkillText) -> Skill {
    let field = |name: &str| text.field(name).and_then(Yaml::text).map(|it| trimmed(it).to_owned());
    let metadata = match text.field("metadata") {
        Some(Yaml::Map(values)) => values
            .iter()
            .filter_map(|(key, it)| Some((key.clone(), it.text()?.to_owned())))
            .collect(),
        _ => SortedMap::new(),
    };
    let allowed = field("allowed-tools").unwrap_or_default();
    Skill {
        name: field("name").unwrap_or_default(),
        description: field("description").unwrap_or_default(),
        license: field("license"),
        compatibility: field("compatibility"),
        metadata,
        allowed_tools: allowed.split_whitespace().map(str::to_owned).collect(),
        root: source.root.clone(),
        folder: head.folder,
        file: head.file,
        hash: head.hash,
        scope: source.scope,
        is_trusted: source.is_trusted,
        contents: None,
        changed: Vec::new(),
        scripts: Vec::new(),
        references: Vec::new(),
        assets: Vec::new(),
        warnings: head.warnings,
    }
}

/// The regular files of a folder of a skill and of the folders in it, sorted; links are left out.
fn files(dir: &Dir, folder: &str) -> Vec<SkillFile> {
    let mut files = Vec::new();
    let mut open = vec![(folder.to_owned(), 0)];
    while let Some((folder, depth)) = open.pop() {
        let Ok(Some(inner)) = dir.open_dir(&folder) else { continue };
        for entry in inner.entries(MOST_ENTRIES).unwrap_or_default() {
            let Some(name) = entry.name.to_str() else { continue };
            let path = format!("{folder}/{name}");
            match entry.kind {
                EntryKind::Folder if depth < DEEPEST => open.push((path, depth + 1)),
                EntryKind::File if files.len() < MOST_ENTRIES => {
                    let Ok(path) = ProjectPath::new(&path) else { continue };
                    let is_executable = is_executable(&inner, name);
                    files.push(SkillFile { path, title: None, is_executable });
                }
                _ => {}
            }
        }
    }
    files.sort_by(|a, b| a.path.cmp(&b.path));
    files
}

fn is_executable(dir: &Dir, name: &str) -> bool {
    use std::os::unix::fs::PermissionsExt;
    let file = dir.open_file(name).ok().flatten();
    let metadata = file.and_then(|file| file.metadata().ok());
    metadata.is_some_and(|metadata| metadata.permissions().mode() & 0o100 != 0)
}
