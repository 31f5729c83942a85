//! [`OwnFiles`]: a folder of the program's own with a JSON file for each id.

use std::io;
use std::path::PathBuf;

use crate::{make_own, open_own, read_own, replace_own};

/// A folder of the program's own with a file for each id. An id comes from a client: one that is not of letters and
/// digits, up to 64, names no file.
#[derive(Clone, Debug)]
pub struct OwnFiles {
    folder: PathBuf,
    most_bytes: u64,
}

impl OwnFiles {
    /// The files in a folder, which is made with the first of them; one of more than `most_bytes` is not read.
    pub fn new(folder: PathBuf, most_bytes: u64) -> Self {
        Self { folder, most_bytes }
    }

    /// Replaces the file of an id as a whole. `unique` names it meanwhile.
    ///
    /// # Errors
    /// A folder or a file that cannot be written; an id that names no file.
    pub fn put(&self, id: &str, bytes: &[u8], unique: &str) -> io::Result<()> {
        let name = file_name(id).ok_or_else(|| io::Error::other("the id names no file"))?;
        make_own(&self.folder).map_err(io::Error::other)?;
        replace_own(&self.folder.join(name), bytes, unique)
    }

    /// The content of the file of an id; `None`: there is none that can be read.
    pub fn get(&self, id: &str) -> Option<Vec<u8>> {
        read_own(&self.folder.join(file_name(id)?), self.most_bytes).ok()?
    }

    /// Removes the file of an id; returns whether there was one.
    pub fn remove(&self, id: &str) -> bool {
        let Some(name) = file_name(id) else { return false };
        let Ok(Some(folder)) = open_own(&self.folder) else { return false };
        matches!(folder.kind(&name), Ok(Some(_))) && folder.remove_file(&name).is_ok()
    }

    /// The ids of all files; none where there are more than `most`.
    pub fn ids(&self, most: usize) -> Vec<String> {
        let Ok(Some(folder)) = open_own(&self.folder) else { return Vec::new() };
        let entries = folder.entries(most).unwrap_or_default();
        let ids = entries.iter().filter_map(|it| it.name.to_str()?.strip_suffix(".json"));
        ids.filter(|it| file_name(it).is_some()).map(str::to_owned).collect()
    }
}

/// The name of the file of an id; `None`: it names none.
fn file_name(id: &str) -> Option<String> {
    let is_id = (1..=64).contains(&id.len()) && id.bytes().all(|it| it.is_ascii_alphanumeric());
    is_id.then(|| format!("{id}.json"))
}
