//! The record of what one unit read, beside its output in the target directory: lines of a letter, a blank and a
//! path, each with a NUL at its end. Foreign code cannot write there.

use std::ffi::OsString;
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::{Path, PathBuf};

use base::SortedSet;
use untrusted_fs::{Dir, Fault};

use super::reads::{Reads, Seen};
use crate::inner::variables::Variables;

/// Maximum size of a record, and of a compiler's report, in bytes.
const BYTES: u64 = 64 << 20;

const UNKNOWN: u8 = b'u';
const MORE: u8 = b'm';
const NAME: u8 = b'n';
const NAMES: u8 = b'd';
const CONTENT: u8 = b'f';
const BUILT: u8 = b't';

/// The entries of the project that one unit of a build learned of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnitRecord {
    /// Entries that it read or asked about, whether they were there or not; absolute, as the build saw them.
    pub entries: Vec<PathBuf>,
    /// Folders whose names it read.
    pub folders: Vec<PathBuf>,
    /// Files and folders of the target directory that it read, relative to that, without its own output.
    pub built: Vec<PathBuf>,
    /// Whether there is nothing else. Where the kernel cannot show what a unit reads, nothing is known.
    pub is_complete: bool,
}

impl UnitRecord {
    /// The folder of the records, relative to the target directory.
    pub const FOLDER: &str = ".reads";

    /// The name of the record of a build script's run, and of its private folder; `unit` is the folder above its
    /// `OUT_DIR`. A compiler's unit has its own name: the crate's with cargo's hash, as in `serde-0123456789abcdef`.
    pub fn of_run(unit: &str) -> String {
        format!("run-{unit}")
    }

    /// The record in this text.
    pub fn parse(text: &[u8]) -> Self {
        let mut record =
            Self { entries: Vec::new(), folders: Vec::new(), built: Vec::new(), is_complete: true };
        for line in text.split(|it| *it == 0).filter(|it| !it.is_empty()) {
            let path =
                || PathBuf::from(OsString::from_vec(line.get(2..).unwrap_or_default().to_vec()));
            match line[0] {
                NAME | CONTENT => record.entries.push(path()),
                NAMES => {
                    record.folders.push(path());
                    record.entries.push(path());
                }
                BUILT => record.built.push(path()),
                MORE => {}
                _ => record.is_complete = false,
            }
        }
        record
    }
}

/// The record of the unit that is being built.
pub(super) struct Record {
    folder: Dir,
    name: String,
    /// Whether the unit read more, when it was built last, than its compiler reported.
    pub(super) had_more: bool,
}

impl Record {
    /// Takes away the record of the build before.
    pub(super) fn begin(target: &Path, name: &str) -> Result<Self, Fault> {
        let folder = Dir::open(target)?.make_dirs(UnitRecord::FOLDER)?;
        // The one of a killed build may be damaged: then it had more.
        let before = folder.read(name, BYTES);
        let is_more =
            |it: &[u8]| it.split(|byte| *byte == 0).any(|line| line.first() == Some(&MORE));
        folder.remove_all(name)?;
        let had_more = match before {
            Ok(before) => before.is_some_and(|it| is_more(&it.bytes)),
            Err(_) => true,
        };
        if had_more {
            // If this build fails or is killed, incremental data of the one before may be left.
            folder.write_new(name, &[UNKNOWN, 0, MORE, 0])?;
        }
        Ok(Self { folder, name: name.to_owned(), had_more })
    }

    /// Writes the record. `reported` are the files that the compiler reports itself. There is none where nothing is
    /// known, and none of a unit outside the project that read nothing in it.
    pub(super) fn write(
        &self,
        reads: &Reads,
        reported: &SortedSet<PathBuf>,
        variables: &Variables,
    ) -> Result<(), Fault> {
        let package = variables.get("CARGO_MANIFEST_DIR").unwrap_or_default();
        let mut text = text(reads, reported);
        if text.len() as u64 > BYTES {
            text = vec![UNKNOWN, 0, MORE, 0];
        }
        match reads.is_unseen || (text.is_empty() && !reads.counts(Path::new(package))) {
            true => Ok(()),
            false => self.folder.write_new(&self.name, &text),
        }
    }
}

fn text(reads: &Reads, reported: &SortedSet<PathBuf>) -> Vec<u8> {
    let is_more = |(path, seen): &(PathBuf, Seen)| match seen {
        Seen::Name | Seen::Size => false,
        Seen::Names => true,
        Seen::Content => !reported.contains(path),
    };
    let mut text = Vec::new();
    if reads.is_unknown {
        text.extend([UNKNOWN, 0]);
    }
    if reads.is_unknown || reads.seen.iter().any(is_more) {
        text.extend([MORE, 0]);
    }
    let mut line = |letter, path: &Path| {
        text.extend([letter, b' ']);
        text.extend_from_slice(path.as_os_str().as_bytes());
        text.push(0);
    };
    for (path, seen) in &reads.seen {
        let letter = match seen {
            Seen::Name | Seen::Size => NAME,
            Seen::Names => NAMES,
            Seen::Content => CONTENT,
        };
        line(letter, path);
    }
    reads.built.iter().for_each(|path| line(BUILT, path));
    text
}

/// The files in a compiler's own report.
pub(super) fn reported(private: &Path, unit: &str) -> SortedSet<PathBuf> {
    let report = untrusted_fs::read_regular(&private.join(format!("{unit}.d")), BYTES);
    let report = report.ok().flatten().and_then(|it| String::from_utf8(it).ok());
    let here = std::env::current_dir().unwrap_or_default();
    let files = base::dep_info_files(report.as_deref().unwrap_or_default());
    files.map(|it| base::normal_path(&here.join(it))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::inner::unit::sight::Target;

    #[test]
    fn a_record_has_what_was_read_and_what_the_compiler_did_not_report() {
        let mut reads = Reads::new(
            &["/p".into()],
            Target::new("/t".as_ref(), &[], "/t/.units/x.lists".as_ref(), Default::default()),
        );
        reads.seen.insert(("/p/a.rs".into(), Seen::Content));
        reads.seen.insert(("/p/a/mod.rs".into(), Seen::Name));
        let reported = SortedSet::from([PathBuf::from("/p/a.rs")]);
        assert_eq!(text(&reads, &reported), b"n /p/a/mod.rs\0f /p/a.rs\0");
        reads.seen.insert(("/p/data".into(), Seen::Names));
        let written = text(&reads, &reported);
        assert!(written.starts_with(b"m\0"));
        let record = UnitRecord::parse(&written);
        assert!(record.is_complete);
        assert_eq!(record.entries, ["/p/a/mod.rs", "/p/a.rs", "/p/data"].map(PathBuf::from));
        assert_eq!(record.folders, [PathBuf::from("/p/data")]);
        reads.lose();
        assert!(!UnitRecord::parse(&text(&reads, &reported)).is_complete);
        assert!(!UnitRecord::parse(b"x y\0").is_complete);
    }
}
