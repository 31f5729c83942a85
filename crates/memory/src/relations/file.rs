//! [`RelationFile`]: stores relations in one file, all or none.
//!
//! The file has JSON lines: a head with format, number of relations and hash of the other lines, then one
//! relation a line.

use std::path::{Path, PathBuf};

use base::{ContentHash, Ctx};
use serde::{Deserialize, Serialize};

use super::{OnPersist, Relation, RelationError, Relations, RelationsConfig};

/// Version of the format.
const FORMAT: u64 = 1;
/// Maximum length of a file.
const LIMIT: u64 = 512 << 20;

/// A file that stores relations. A write replaces it as a whole, durably: after a kill at any moment it
/// has the relations of before or of after. A damaged file is never used.
#[derive(Clone, Debug)]
pub struct RelationFile {
    path: PathBuf,
}

/// What a file contains.
#[derive(Debug, Default)]
pub struct StoredRelations {
    /// Relations, oldest first; none if the file is missing or damaged.
    pub relations: Vec<Relation>,
    /// Damage that was found.
    pub damage: Option<DamagedFile>,
}

/// A damaged file, which was moved aside.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DamagedFile {
    /// The file.
    pub path: PathBuf,
    /// The damage.
    pub reason: String,
    /// Where it was moved.
    pub moved_to: PathBuf,
}

impl std::fmt::Display for DamagedFile {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let (path, moved_to) = (self.path.display(), self.moved_to.display());
        write!(
            f,
            "`{path}` is damaged and not used ({}); it was moved to `{moved_to}`",
            self.reason
        )
    }
}

/// Why the content of a file is not used.
#[derive(Debug, thiserror::Error)]
enum RelationsDamage {
    #[error("its first line is no head: {0}")]
    NoHead(serde_json::Error),
    #[error("there is no format {0}")]
    Format(u64),
    #[error("its content does not match its hash")]
    Hash,
    #[error("it has not as many relations as its head")]
    Count,
    #[error("{0}")]
    Line(serde_json::Error),
}

#[derive(Serialize, Deserialize)]
struct Head {
    format: u64,
    #[serde(default)]
    count: usize,
    #[serde(default)]
    hash: String,
}

impl RelationFile {
    /// The file at `path`. Nothing is read or written yet.
    pub fn at(path: impl Into<PathBuf>) -> Self {
        Self { path: path.into() }
    }

    /// Opens the relations of the file; every change is stored in it if `auto_persist`, otherwise what
    /// [`Relations::persist`] stores.
    ///
    /// # Errors
    /// A file that cannot be accessed or is of a later version. Damage is no error: it is returned.
    pub fn open(
        &self,
        ctx: &Ctx,
        auto_persist: bool,
    ) -> Result<(Relations, Option<DamagedFile>), RelationError> {
        let mut stored = self.load()?;
        let config = |initial_nodes| RelationsConfig {
            on_persist: Some(self.on_persist(ctx)),
            initial_nodes,
            auto_persist,
        };
        match Relations::new(config(std::mem::take(&mut stored.relations))) {
            Ok(relations) => Ok((relations, stored.damage)),
            Err(err) => {
                let damage = self.move_aside(&err.to_string())?;
                Ok((Relations::new(config(Vec::new()))?, Some(damage)))
            }
        }
    }

    /// Reads the file; a missing one has no relations. A damaged one is moved aside.
    ///
    /// # Errors
    /// As [`RelationFile::open`].
    pub fn load(&self) -> Result<StoredRelations, RelationError> {
        let read = untrusted_fs::read_own(&self.path, LIMIT);
        let Some(bytes) = read.map_err(|err| RelationError::file(&self.path, err))? else {
            return Ok(StoredRelations::default());
        };
        match self.parse(&bytes)? {
            Ok(relations) => Ok(StoredRelations { relations, damage: None }),
            Err(reason) => {
                let damage = Some(self.move_aside(&reason.to_string())?);
                Ok(StoredRelations { relations: Vec::new(), damage })
            }
        }
    }

    /// Replaces the file by these relations.
    ///
    /// # Errors
    /// Where it cannot be written; then it is as before.
    pub fn save(&self, ctx: &Ctx, relations: &[&Relation]) -> Result<(), RelationError> {
        let failed = |reason: String| RelationError::file(&self.path, reason);
        let mut lines = Vec::new();
        for relation in relations {
            serde_json::to_writer(&mut lines, relation).map_err(|err| failed(err.to_string()))?;
            lines.push(b'\n');
        }
        let hash = ContentHash::of(&lines).to_string();
        let head = Head { format: FORMAT, count: relations.len(), hash };
        let mut bytes = serde_json::to_vec(&head).map_err(|err| failed(err.to_string()))?;
        bytes.push(b'\n');
        bytes.append(&mut lines);
        if bytes.len() as u64 > LIMIT {
            return Err(failed(format!("it would be larger than {LIMIT} bytes")));
        }
        let folder = self.path.parent().unwrap_or(Path::new("."));
        untrusted_fs::make_own(folder)
            .map_err(std::io::Error::from)
            .and_then(|_| untrusted_fs::replace_own(&self.path, &bytes, &ctx.fresh_name()))
            .map_err(|err| failed(err.to_string()))
    }

    /// A function for [`RelationsConfig::on_persist`] that writes this file.
    pub(crate) fn on_persist(&self, ctx: &Ctx) -> OnPersist {
        let (file, ctx) = (self.clone(), ctx.clone());
        Box::new(move |relations| Ok(file.save(&ctx, relations)?))
    }

    /// The relations of a text, or its damage.
    fn parse(&self, bytes: &[u8]) -> Result<Result<Vec<Relation>, RelationsDamage>, RelationError> {
        let end = bytes.iter().position(|byte| *byte == b'\n').unwrap_or(bytes.len());
        let (head, rest) = bytes.split_at(end);
        let head: Head = match serde_json::from_slice(head) {
            Ok(head) => head,
            Err(err) => return Ok(Err(RelationsDamage::NoHead(err))),
        };
        if head.format > FORMAT {
            let path = self.path.clone();
            return Err(RelationError::Version { path, version: head.format });
        }
        if head.format != FORMAT {
            return Ok(Err(RelationsDamage::Format(head.format)));
        }
        let lines = rest.get(1..).unwrap_or_default();
        if head.hash != ContentHash::of(lines).to_string() {
            return Ok(Err(RelationsDamage::Hash));
        }
        let lines = lines.split(|byte| *byte == b'\n').filter(|line| !line.is_empty());
        let relations = lines.map(serde_json::from_slice).collect::<Result<Vec<Relation>, _>>();
        Ok(match relations {
            Ok(relations) if relations.len() == head.count => Ok(relations),
            Ok(_) => Err(RelationsDamage::Count),
            Err(err) => Err(RelationsDamage::Line(err)),
        })
    }

    fn move_aside(&self, reason: &str) -> Result<DamagedFile, RelationError> {
        let failed = |err: std::io::Error| RelationError::file(&self.path, err);
        let mut name = self.path.as_os_str().to_owned();
        let bytes = untrusted_fs::read_own(&self.path, LIMIT).ok().flatten().unwrap_or_default();
        name.push(format!(".damaged-{}", ContentHash::of(&bytes).short()));
        let moved_to = PathBuf::from(name);
        std::fs::rename(&self.path, &moved_to).map_err(failed)?;
        Ok(DamagedFile { path: self.path.clone(), reason: reason.to_owned(), moved_to })
    }
}
