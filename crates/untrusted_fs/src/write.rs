//! [`replace_own`]: replaces one file of the program's own, durably and as a whole.

use std::fs::{File, OpenOptions};
use std::io::{self, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::path::Path;

/// Replaces the file `path`, which belongs to the program, by `bytes`, readable by this user only. The
/// bytes are written and synced under the name `path` + `.` + `unique`, which is then renamed: after a
/// kill at any moment, `path` has the old content or the new.
///
/// # Errors
/// Where the file cannot be written or renamed; `path` is as before.
pub fn replace_own(path: &Path, bytes: &[u8], unique: &str) -> io::Result<()> {
    let mut name = path.as_os_str().to_owned();
    name.push(".");
    name.push(unique);
    let temporary = Path::new(&name);
    let written = write_new(temporary, bytes).and_then(|()| std::fs::rename(temporary, path));
    if let Err(err) = written {
        let _ = std::fs::remove_file(temporary);
        return Err(err);
    }
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    File::open(folder.unwrap_or(Path::new(".")))?.sync_all()
}

fn write_new(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let mut file = OpenOptions::new().create_new(true).write(true).mode(0o600).open(path)?;
    file.write_all(bytes)?;
    file.sync_all()
}
