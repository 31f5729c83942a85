//! The [`Tree`]: the content of everything that a proof depends on besides the change, so that a
//! permit is valid for exactly the state that was tested. Pure: callers read the files.
use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use base::{ContentHash, Hasher, ProjectPath, SortedMap, SortedSet};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// Everything that a proof depends on besides the change itself, by content: the project's files
/// (sources, manifests, configuration), and what cargo reads outside them (`Cargo.lock` where git
/// ignores it, configuration in parent directories, the toolchain's manifests, trusted path
/// dependencies). Two trees are equal when all of these are. Serialised as its hash.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tree {
    hash: ContentHash,
    files: Arc<SortedMap<ProjectPath, ContentHash>>,
    external: Arc<SortedMap<PathBuf, ContentHash>>,
    inputs: Arc<TreeInputs>,
    /// Sources of the project that git ignores.
    ignored: Arc<SortedMap<ProjectPath, ContentHash>>,
    /// Symbolic links of the project with where they lead to in it.
    links: Arc<SortedMap<ProjectPath, ProjectPath>>,
    outside: Arc<OutsideTexts>,
}

/// A text that is no file of the tree and may name some.
#[derive(Clone, PartialEq, Eq)]
pub struct OutsideText {
    /// Where it is, for messages: `.git`, `../AGENTS.md`.
    pub by: String,
    /// Its path in the folder that it is in, whose row of the table decides how it is read; `None`: what git runs.
    pub path: Option<ProjectPath>,
    /// `None`: it could not be read.
    pub text: Option<String>,
}

/// Texts that are no files of the tree and may name some: the hooks of git's folder, the values of git's
/// configuration, and files with protected names that git ignores or that are above the project. They may have
/// passwords, and no output has them.
#[derive(Clone, Default, PartialEq, Eq)]
pub struct OutsideTexts(Vec<OutsideText>);

impl OutsideTexts {
    /// These texts.
    pub fn new(texts: Vec<OutsideText>) -> Self {
        Self(texts)
    }

    /// The texts.
    pub fn texts(&self) -> &[OutsideText] {
        &self.0
    }
}

impl fmt::Debug for OutsideTexts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} texts", self.0.len())
    }
}

/// The locations outside the project that a proof depends on. A missing file or directory is
/// recorded as absent.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct TreeInputs {
    /// Single files, absolute.
    pub files: Vec<PathBuf>,
    /// Directories with their whole content, filtered like a project's own files; absolute.
    pub folders: Vec<PathBuf>,
}

impl Tree {
    /// The tree of these files. `external` has the hashes of what was found at `inputs`.
    pub fn new(
        files: SortedMap<ProjectPath, ContentHash>,
        external: SortedMap<PathBuf, ContentHash>,
        inputs: Arc<TreeInputs>,
    ) -> Self {
        let mut hasher = Hasher::new();
        hasher.field(hash_of_files(&files).as_bytes());
        for (path, hash) in &external {
            hasher.field(path.as_os_str().as_encoded_bytes()).field(hash.as_bytes());
        }
        Self {
            hash: hasher.finish(),
            files: Arc::new(files),
            external: Arc::new(external),
            inputs,
            ignored: Arc::default(),
            links: Arc::default(),
            outside: Arc::default(),
        }
    }

    /// Adds sources that git ignores, such as generated ones: no part of what is searched and counted, but a
    /// build reads them.
    #[must_use]
    pub fn with_ignored(mut self, ignored: SortedMap<ProjectPath, ContentHash>) -> Self {
        if !ignored.is_empty() {
            let of_ignored = hash_of_files(&ignored);
            let of_rest = self.hash;
            self.hash =
                Hasher::new().field(of_rest.as_bytes()).field(of_ignored.as_bytes()).finish();
        }
        self.ignored = Arc::new(ignored);
        self
    }

    /// Sources of the project that git ignores.
    pub fn ignored(&self) -> &SortedMap<ProjectPath, ContentHash> {
        &self.ignored
    }

    /// Adds the links of the tree that lead to something in it. Their texts are among the files already.
    #[must_use]
    pub fn with_links(mut self, links: SortedMap<ProjectPath, ProjectPath>) -> Self {
        self.links = Arc::new(links);
        self
    }

    /// The links that lead to something in the project, with the file or folder that each leads to.
    pub fn links(&self) -> &SortedMap<ProjectPath, ProjectPath> {
        &self.links
    }

    /// Adds the texts outside the tree.
    #[must_use]
    pub fn with_outside(mut self, texts: OutsideTexts) -> Self {
        self.outside = Arc::new(texts);
        self
    }

    /// The texts outside the tree.
    pub fn outside(&self) -> &OutsideTexts {
        &self.outside
    }

    /// The tree of recorded evidence, of which only the hash is known: it names no file, and no permit
    /// for it exists.
    pub(crate) fn from_record<'de, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<Option<Self>, D::Error> {
        let named =
            |hash| Self { hash, ..Self::new(SortedMap::new(), SortedMap::new(), Arc::default()) };
        Ok(Option::<ContentHash>::deserialize(deserializer)?.map(named))
    }

    /// The hash of everything.
    pub fn hash(&self) -> ContentHash {
        self.hash
    }

    /// The hash of the project's own files.
    pub fn files_hash(&self) -> ContentHash {
        hash_of_files(&self.files)
    }

    /// The project's own files.
    pub fn files(&self) -> &SortedMap<ProjectPath, ContentHash> {
        &self.files
    }

    /// The locations outside the project.
    pub fn inputs(&self) -> &Arc<TreeInputs> {
        &self.inputs
    }

    /// A file outside the project; `None` if it is no part of the tree.
    pub fn external(&self, path: &Path) -> Option<ContentHash> {
        self.external.get(path).copied()
    }

    /// The files outside the project.
    pub fn external_files(&self) -> impl Iterator<Item = (&Path, ContentHash)> {
        self.external.iter().map(|(path, hash)| (path.as_path(), *hash))
    }

    /// The same tree without some of the project's files.
    #[must_use]
    pub fn without(&self, paths: &SortedSet<ProjectPath>) -> Self {
        let kept = |files: &SortedMap<ProjectPath, ContentHash>| {
            let kept = files.iter().filter(|(path, _)| !paths.contains(*path));
            kept.map(|(path, hash)| (path.clone(), *hash)).collect()
        };
        let files = kept(&self.files);
        Self::new(files, (*self.external).clone(), Arc::clone(&self.inputs))
            .with_ignored(kept(&self.ignored))
    }

    /// The paths that differ from `former`, sorted: files of the project as project paths, others
    /// as absolute paths.
    pub fn changed_since(&self, former: &Tree) -> Vec<String> {
        let mut changed: SortedSet<String> =
            differing(&self.files, &former.files).map(|path| path.to_string()).collect();
        changed.extend(differing(&self.ignored, &former.ignored).map(|path| path.to_string()));
        changed.extend(
            differing(&self.external, &former.external).map(|path| path.display().to_string()),
        );
        changed.into_iter().collect()
    }
}

impl Serialize for Tree {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.hash.serialize(serializer)
    }
}

/// One hash over paths and contents.
pub fn hash_of_files(files: &SortedMap<ProjectPath, ContentHash>) -> ContentHash {
    let mut hasher = Hasher::new();
    for (path, hash) in files {
        hasher.field(path.as_str().as_bytes()).field(hash.as_bytes());
    }
    hasher.finish()
}

fn differing<'a, K: Ord>(
    now: &'a SortedMap<K, ContentHash>,
    former: &'a SortedMap<K, ContentHash>,
) -> impl Iterator<Item = &'a K> {
    let changed = now.iter().filter(|(key, hash)| former.get(key) != Some(hash));
    let removed = former.keys().filter(|key| !now.contains_key(key));
    changed.map(|(key, _)| key).chain(removed)
}
