//! The files that other ones run or obey by name: names are followed from every file that the gate refuses, and
//! from what git runs, up to a fixed point. Start at [`Named::of`]; how a line uses a name is read by the module `words`.

use std::sync::Arc;

use base::{ProjectPath, SortedMap, SortedSet};
use edit::Files;
use policy::{OutsideText, OutsideTexts};
use preserve::{TomlData, TomlText};

use super::State;
use super::agents::AgentFolders;
use super::build_needs::is_manifest;
use super::configuration::{is_of_cargo, leads_to};
use super::inert;
use super::links::Links;
use super::words::{self, NameUse, NameWord, TextLink};

/// Most bytes of texts that are read.
const MAX_BYTES: usize = 64 << 20;
/// Reason of a file that is named by one without a row in the table.
const OTHER: &str = "a file that only a person may change, and that others run or obey";

/// Reason of a file that is named in git's folder.
const OF_GIT: &str = "hooks of git and its configuration";

/// How the names in a file count.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Reading {
    /// A program or configuration: each word.
    Program,
    /// A text for agents: imports, links, and data on lines that run it.
    Instructions,
    /// A manifest: the words of its metadata for other tools.
    Metadata,
}

/// The kind of a file that a name leads to, by how much of an everyday word it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Target {
    /// Sources in their folders, which every build runs; README, LICENSE and the like.
    Everyday,
    /// Other texts for people.
    Text,
    /// Any other file.
    Other,
}

/// These files of one state of a tree.
#[derive(Default)]
pub(super) struct Named {
    /// Each with the reason.
    reasons: SortedMap<ProjectPath, String>,
    /// The files whose names count.
    sources: SortedSet<(ProjectPath, Reading)>,
    /// Reason why any file may be named.
    open: Option<String>,
}

impl Named {
    /// Follows the names of one state of a tree.
    pub(super) fn of(
        state: &State<'_>,
        links: &Links<'_>,
        (names, outside): (&SortedSet<&ProjectPath>, &OutsideTexts),
    ) -> Self {
        let mut walk = Walk {
            state,
            targets: targets(links, names),
            named: Self::default(),
            queue: Vec::new(),
            unread: Vec::new(),
            left: MAX_BYTES,
        };
        let agents = AgentFolders::of(&state.0, names);
        outside.texts().iter().for_each(|it| walk.read_outside(it));
        let rest: Vec<&ProjectPath> =
            names.iter().copied().filter(|it| !walk.add_root(&agents, links, it)).collect();
        walk.follow(true);
        // The other files that the gate refuses: by their kind, or as programs.
        for path in rest {
            // Tests have data in the languages of many tools: programs among it are named, or begin with `#!`.
            let is_refused = inert::not_inert(names, path).is_some();
            let is_other = is_refused && !inert::is_test_data(path);
            let may_be_program = is_refused || !inert::is_in_sources(path);
            let is_source = path.extension() == Some("rs");
            if is_other || may_be_program && !is_source && is_program(&state.0, path) {
                let reading = if inert::is_instruction(names, path) {
                    Reading::Instructions
                } else {
                    Reading::Program
                };
                walk.queue.push((path.clone(), reading));
            }
        }
        walk.follow(false);
        // A script of other bytes than UTF-8; no data, which names nothing.
        let is_script = |it: &ProjectPath| inert::not_inert(names, it).is_some();
        let unread = std::mem::take(&mut walk.unread);
        let named = unread.iter().find(|it| walk.named.reasons.contains_key(*it) && is_script(it));
        if let Some(path) = named {
            walk.open(path.as_str(), "cannot be read");
        }
        walk.named
    }

    /// Reason why a file counts as named.
    pub(super) fn reason(&self, path: &ProjectPath) -> Option<String> {
        let own = self.reasons.get(path);
        own.or(self.open.as_ref().filter(|_| !inert::is_plain(path))).cloned()
    }

    /// Whether the names in a file count.
    pub(super) fn reads(&self, path: &ProjectPath) -> bool {
        [Reading::Program, Reading::Instructions, Reading::Metadata]
            .iter()
            .any(|it| self.sources.contains(&(path.clone(), *it)))
    }
}

/// The files of a tree by the last part of each of their names, which links add to.
type Targets = SortedMap<Arc<str>, Vec<(ProjectPath, ProjectPath)>>;

fn targets(links: &Links<'_>, names: &SortedSet<&ProjectPath>) -> Targets {
    let mut found = Targets::new();
    for path in names.iter().filter(|it| policy::protected(it).is_none()) {
        // The name of a link to a folder above is none of the file.
        let others = links.names_of(path).unwrap_or_default();
        let others = others.into_iter().filter(|it| links.real(it) == **path);
        for name in others.chain([(*path).clone()]) {
            let last = Arc::from(name.file_name());
            found.entry(last).or_default().push((name, (*path).clone()));
        }
    }
    found
}

/// A walk along the names.
struct Walk<'a, 's> {
    state: &'a State<'s>,
    targets: Targets,
    named: Named,
    queue: Vec<(ProjectPath, Reading)>,
    /// Files that are not surely obeyed and cannot be read.
    unread: Vec<ProjectPath>,
    /// Bytes that may still be read.
    left: usize,
}

impl Walk<'_, '_> {
    /// Adds a file that is refused for what it surely is: by its name or a link's, as a part of an agent's folder,
    /// or as what cargo runs.
    fn add_root(
        &mut self,
        agents: &AgentFolders<'_>,
        links: &Links<'_>,
        path: &ProjectPath,
    ) -> bool {
        let is_md = path.extension() == Some("md");
        let text = if is_md { Reading::Instructions } else { Reading::Program };
        let others = links.names_of(path).unwrap_or_default();
        let mut names = [path].into_iter().chain(&others);
        if names.clone().any(|it| policy::protected(it).is_some()) {
            self.queue.extend(names.find_map(by_table).map(|it| (path.clone(), it)));
            return true;
        }
        let cargo = &self.state.1;
        let is_of_cargo =
            || cargo.is_in_script(path) || cargo.is_included(path) || cargo.is_named(names.clone());
        let reading = if is_manifest(path) {
            Reading::Metadata
        } else if let Some(by) = agents.by(path) {
            let row = policy::protected(by).map_or(OTHER, |it| it.reason);
            self.named.reasons.insert(path.clone(), format!("named by `{by}`: {row}"));
            text
        } else if is_of_cargo() {
            Reading::Program
        } else {
            return false;
        };
        self.queue.push((path.clone(), reading));
        true
    }

    /// Reads what is in the queue, and what that names. What is there first, `is_sure` and cannot be read may name
    /// any file.
    fn follow(&mut self, is_sure: bool) {
        let roots = self.queue.len();
        let mut nth = 0;
        while let Some((path, reading)) = self.queue.get(nth).cloned() {
            nth += 1;
            if !self.named.sources.insert((path.clone(), reading)) {
                continue;
            }
            let row = policy::protected(&path).map_or(OTHER, |it| it.reason);
            match self.state.0.read(&path) {
                Ok(Some(state)) => self.read((path.as_str(), row), &state.text, reading),
                Ok(None) => {}
                Err(_) if is_media(&path) => {}
                Err(_) if !is_sure || nth > roots => self.unread.push(path),
                Err(_) => self.open(path.as_str(), "cannot be read"),
            }
        }
        self.queue.clear();
    }

    /// Reads a text outside the tree, as its name asks for.
    fn read_outside(&mut self, OutsideText { by, path, text }: &OutsideText) {
        let reading = path.as_ref().map_or(Some(Reading::Program), by_table);
        let row = path.as_ref().and_then(policy::protected).map_or(OF_GIT, |it| it.reason);
        match (reading, text) {
            (Some(reading), Some(text)) => self.read((by, row), text, reading),
            (Some(_), None) => self.open(by, "cannot be read"),
            (None, _) => {}
        }
        // Its links are those of a folder above, and a path there ends with one of the project.
        let above = path.as_ref().filter(|_| ProjectPath::new(by).is_err());
        if let (Some(Reading::Instructions), Some(text), Some(source)) = (reading, text, above) {
            self.link((by, row), memory::rule_links(source, text), &|name, link| {
                leads_to(link.as_str(), name.as_str())
            });
        }
    }

    /// Adds the files that links of a text for agents lead to.
    fn link(
        &mut self,
        (by, row): (&str, &str),
        links: impl IntoIterator<Item = ProjectPath>,
        is_it: &dyn Fn(&ProjectPath, &ProjectPath) -> bool,
    ) {
        for link in links {
            let found = self.targets.get(link.file_name()).into_iter().flatten();
            for (_, path) in found.filter(|(name, own)| is_it(name, &link) && own.as_str() != by) {
                let reason = || format!("named by `{by}`: {row}");
                self.named.reasons.entry(path.clone()).or_insert_with(reason);
            }
        }
    }

    fn open(&mut self, by: &str, why: &str) {
        self.named.open.get_or_insert_with(|| format!("may be named by `{by}`, which {why}"));
    }

    /// Adds what a text names.
    fn read(&mut self, (by, row): (&str, &str), text: &str, reading: Reading) {
        let Some(left) = self.left.checked_sub(text.len()) else {
            return self.open(by, "is more than is read");
        };
        self.left = left;
        let Self { targets, named, queue, .. } = self;
        let add = |word: NameWord<'_>| {
            let lasts = word.paths.iter().filter_map(|it| it.rsplit('/').next());
            let found = lasts.filter_map(|it| targets.get(it)).flatten();
            let is_it =
                |name: &ProjectPath| word.paths.iter().any(|it| leads_to(it, name.as_str()));
            for (_, path) in found.filter(|(name, own)| is_it(name) && own.as_str() != by) {
                let Some(next) = counts(reading, &word, path) else { continue };
                let reason = || format!("named by `{by}`: {row}");
                named.reasons.entry(path.clone()).or_insert_with(reason);
                queue.extend(next.map(|it| (path.clone(), it)));
            }
        };
        let is_name = |it: &str| targets.contains_key(it);
        match reading {
            Reading::Metadata => words::each(&metadata(text), is_name, add),
            _ => words::each(text, is_name, add),
        }
        let Ok(source) = ProjectPath::new(by) else { return };
        if reading == Reading::Instructions {
            // As `graftage rules` reads them, so that what it gives to agents is protected.
            self.link((by, row), memory::rule_links(&source, text), &|name, link| name == link);
        }
    }
}

/// How a file whose name is in the table, or a link's, is read.
fn by_table(path: &ProjectPath) -> Option<Reading> {
    let row = policy::protected(path)?;
    let name = path.file_name();
    let lists = ["CODEOWNERS", "Cargo.lock", ".gitattributes", ".gitmodules"];
    let is_list = lists.contains(&name) || name.ends_with("ignore");
    // Of cargo's configuration the words of values count.
    if is_list || is_of_cargo(path) {
        return None;
    }
    let is_text = is_prose(path) && !row.runs_commands() || is_rules(name);
    Some(if is_text { Reading::Instructions } else { Reading::Program })
}

/// Whether a file has rules for agents, by a name without the ending of a text.
fn is_rules(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    ["rules", "hints"].iter().any(|it| name.strip_suffix(it).is_some_and(|it| it.starts_with('.')))
}

/// Whether a word of a file counts as the name of another; with how that one is read then, if its names count.
fn counts(reading: Reading, word: &NameWord<'_>, path: &ProjectPath) -> Option<Option<Reading>> {
    let target = target(path)?;
    let usage = word.usage();
    let is_text = path.extension() == Some("md");
    if reading == Reading::Instructions {
        let program = (target == Target::Other).then_some(Reading::Program);
        return match word.link() {
            Some(TextLink::Import) if is_text => Some(Some(Reading::Instructions)),
            Some(_) => Some(program),
            // An agent reads a text by its path, in whatever form that is there.
            None if is_prose(path) && target != Target::Everyday => Some(None),
            None => (usage == NameUse::Run && program.is_some()).then_some(program),
        };
    }
    let is_named = match target {
        Target::Everyday => usage == NameUse::Run,
        Target::Text => usage != NameUse::Listed,
        Target::Other => true,
    };
    // A text that nothing runs is for people, and names others for them.
    let is_followed = target == Target::Other || usage == NameUse::Run;
    is_named.then_some(is_followed.then_some(Reading::Program))
}

/// Whether a file is a text for readers, by its ending.
fn is_prose(path: &ProjectPath) -> bool {
    const ENDINGS: [&str; 8] =
        [".adoc", ".markdown", ".md", ".mdc", ".mdx", ".org", ".rst", ".txt"];
    let name = path.file_name().to_ascii_lowercase();
    ENDINGS.iter().any(|it| name.ends_with(it))
}

/// The kind of a file; `None`: a manifest, whose keys are compared.
fn target(path: &ProjectPath) -> Option<Target> {
    let name = path.file_name().to_ascii_lowercase();
    let is_source = name.ends_with(".rs") && inert::is_in_sources(path);
    let is_text = || [".adoc", ".md", ".org", ".rst"].iter().any(|it| name.ends_with(it));
    match name.as_str() {
        "cargo.toml" => None,
        _ if is_source || inert::is_everyday(path) => Some(Target::Everyday),
        _ if is_text() => Some(Target::Text),
        _ => Some(Target::Other),
    }
}

/// The keys and values of a manifest's metadata, each on a line.
fn metadata(text: &str) -> String {
    let mut found = String::new();
    // An escape may hide the word.
    if !text.contains("metadata") && !text.contains('\\') {
        return found;
    }
    for (key, value) in TomlText::of_broken(text).iter() {
        if key.parts().get(1).is_some_and(|it| it == "metadata") {
            found.push_str(&key.parts()[2..].join(" "));
            found.push_str(" = ");
            add_texts(&value.data, &mut found);
            found.push('\n');
        }
    }
    found
}

fn add_texts(data: &TomlData, found: &mut String) {
    match data {
        TomlData::Text(text) => {
            found.push_str(text);
            found.push(' ');
        }
        TomlData::List(list) => list.iter().for_each(|it| add_texts(it, found)),
        TomlData::Table(text) | TomlData::Other(text) => {
            found.push_str(text);
            found.push(' ');
        }
        TomlData::Flag(_) => {}
    }
}

/// Whether a file is a program by its text.
fn is_program(files: &dyn Files, path: &ProjectPath) -> bool {
    files.read(path).ok().flatten().is_some_and(|it| inert::is_program(path, &it))
}

/// Whether a file has pictures, sounds, letters, compiled code or packed files, which name nothing.
fn is_media(path: &ProjectPath) -> bool {
    const MEDIA: [&str; 28] = [
        "avif", "bmp", "crate", "dll", "ds_store", "exe", "gif", "gz", "ico", "icns", "jar",
        "jpeg", "jpg", "mov", "mp3", "mp4", "otf", "pdf", "png", "so", "ttf", "wasm", "wav",
        "webm", "webp", "woff", "woff2", "zip",
    ];
    let name = path.file_name().to_ascii_lowercase();
    MEDIA.contains(&name.rsplit('.').next().unwrap_or_default())
}
