//! Answers that earlier processes found by trying: which layers work here, whether an overlay over a project can be
//! mounted, the version of a compiler. Each costs the start of a process. They hold for one machine since its start,
//! one user and one program; a run that cannot be set up after all forgets them.

use std::path::{Path, PathBuf};
use std::sync::Mutex;

use base::{Hasher, SortedMap};
use serde::{Deserialize, Serialize};

/// Maximum size of the file, and number of answers in it.
const BYTES: u64 = 1 << 20;
const ANSWERS: usize = 1_000;

/// Files of the system that decide whether a layer works.
const SYSTEM: &[&str] = &[
    "/proc/sys/kernel/osrelease",
    "/proc/sys/kernel/version",
    "/proc/sys/kernel/random/boot_id",
    "/proc/sys/kernel/unprivileged_userns_clone",
    "/proc/sys/kernel/apparmor_restrict_unprivileged_userns",
    "/proc/sys/user/max_user_namespaces",
    "/proc/sys/user/max_mnt_namespaces",
    "/proc/self/attr/current",
    "/proc/self/uid_map",
    "/sys/kernel/security/lsm",
];

/// The answers, and the file that has them.
#[derive(Debug)]
pub(crate) struct Known {
    file: PathBuf,
    all: Mutex<Answers>,
}

#[derive(Debug, Default, Serialize, Deserialize)]
struct Answers {
    /// Identity of the machine, the user and the program.
    of: String,
    answers: SortedMap<String, String>,
}

impl Known {
    /// The answers in `file`, which is the program's own, as far as they are of this machine.
    pub(crate) fn open(file: PathBuf, inner: &Path) -> Self {
        let of = machine(inner);
        let found = untrusted_fs::read_own(&file, BYTES).ok().flatten();
        let found = found.and_then(|bytes| serde_json::from_slice::<Answers>(&bytes).ok());
        let all = found.filter(|it| it.of == of);
        Self { file, all: Mutex::new(all.unwrap_or_else(|| Answers { of, ..Answers::default() })) }
    }

    pub(crate) fn answer(&self, question: &str) -> Option<String> {
        base::lock(&self.all).answers.get(question).cloned()
    }

    pub(crate) fn learn(&self, question: &str, answer: &str) {
        let mut all = base::lock(&self.all);
        if all.answers.len() >= ANSWERS {
            all.answers.clear();
        }
        all.answers.insert(question.to_owned(), answer.to_owned());
        let unique = format!("{}.new", std::process::id());
        if let (Some(folder), Ok(bytes)) = (self.file.parent(), serde_json::to_vec(&*all)) {
            // Best effort: without the file the next process tries again.
            let _ = untrusted_fs::make_private(folder)
                .and_then(|()| untrusted_fs::replace_own(&self.file, &bytes, &unique));
        }
    }

    pub(crate) fn forget(&self) {
        base::lock(&self.all).answers.clear();
        let _ = std::fs::remove_file(&self.file);
    }
}

fn machine(inner: &Path) -> String {
    let mut hasher = Hasher::new();
    for file in SYSTEM {
        // What is missing or cannot be read decides, too.
        hasher.field(&std::fs::read(file).unwrap_or_default());
    }
    hasher.field(&rustix::process::geteuid().as_raw().to_le_bytes());
    hasher.field(inner.as_os_str().as_encoded_bytes());
    hasher.field(identity(inner).as_bytes());
    hasher.finish().to_string()
}

/// The identity of a file, which changes with its content.
pub(crate) fn identity(file: &Path) -> String {
    rustix::fs::stat(file).map_or_else(
        |_| "missing".to_owned(),
        |it| {
            let (ino, size) = (it.st_ino, it.st_size);
            format!("{}.{ino}.{size}.{}.{}", it.st_dev, it.st_ctime, it.st_ctime_nsec)
        },
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answers_hold_for_one_program_and_until_a_run_fails() {
        let dir = tempfile::tempdir().unwrap();
        let (file, inner) = (dir.path().join("own/machine.json"), dir.path().join("inner"));
        std::fs::write(&inner, "one").unwrap();
        let open = || Known::open(file.clone(), &inner);
        assert_eq!(open().answer("a"), None);
        open().learn("a", "1");
        open().learn("b", "2");
        assert_eq!((open().answer("a"), open().answer("b")), (Some("1".into()), Some("2".into())));
        std::fs::write(&inner, "another").unwrap();
        assert_eq!(open().answer("a"), None, "another program");
        open().learn("a", "1");
        open().forget();
        assert_eq!(open().answer("a"), None);
        std::fs::write(&file, "{").unwrap();
        assert_eq!(open().answer("a"), None, "damaged");
    }
}
