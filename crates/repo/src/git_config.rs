//! Configuration files of git: their entries as git reads them, from all levels and with what they
//! include. It does not start git. Start at [`entries`]; [`Levels`] are the files.
//!
//! Where git would refuse a file or decide a condition, it reads more entries than git, never fewer.

use std::ffi::{OsStr, OsString};
use std::iter::Peekable;
use std::path::{Path, PathBuf};
use std::str::Chars;

use base::SortedMap;

/// Largest configuration file that is read, in bytes.
const LARGEST: u64 = 4 << 20;
/// Most files that are read with what they include.
const MAX_FILES: usize = 100;

/// One entry: `[section "subsection"] key = value`. Section and key are in lower case.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct GitSetting {
    pub(crate) section: String,
    pub(crate) subsection: Option<String>,
    pub(crate) key: String,
    /// `None`: no value, which is true.
    pub(crate) value: Option<String>,
}

impl GitSetting {
    /// Whether it is this one, which has no subsection.
    pub(crate) fn is(&self, section: &str, key: &str) -> bool {
        self.section == section && self.key == key && self.subsection.is_none()
    }
}

/// The entries of a text.
pub(crate) fn entries(text: &str) -> Vec<GitSetting> {
    let text = text.trim_start_matches('\u{feff}').replace("\r\n", "\n");
    let mut chars = text.chars().peekable();
    let mut found = Vec::new();
    let (mut section, mut subsection) = (String::new(), None);
    while let Some(next) = chars.next() {
        match next {
            '#' | ';' => skip_line(&mut chars),
            '[' => (section, subsection) = header(&mut chars),
            it if it.is_ascii_alphanumeric() => {
                let mut key = it.to_string();
                while let Some(it) = chars.next_if(|it| it.is_ascii_alphanumeric() || *it == '-') {
                    key.push(it);
                }
                let value = value(&mut chars);
                let (section, subsection) = (section.clone(), subsection.clone());
                let key = key.to_ascii_lowercase();
                found.push(GitSetting { section, subsection, key, value });
            }
            _ => {}
        }
    }
    found
}

fn skip_line(chars: &mut Peekable<Chars<'_>>) {
    while chars.next_if(|it| *it != '\n').is_some() {}
}

/// The rest of `[section "subsection"]`; the older `[section.subsection]` means the same.
fn header(chars: &mut Peekable<Chars<'_>>) -> (String, Option<String>) {
    let (mut name, mut quoted) = (String::new(), None);
    while let Some(next) = chars.next_if(|it| *it != '\n') {
        match next {
            ']' => break,
            '"' => {
                let mut text = String::new();
                while let Some(it) = chars.next_if(|it| *it != '\n') {
                    match it {
                        '"' => break,
                        '\\' => text.extend(chars.next()),
                        it => text.push(it),
                    }
                }
                quoted = Some(text);
            }
            it if it.is_whitespace() => {}
            it => name.push(it),
        }
    }
    let name = name.to_ascii_lowercase();
    match (quoted, name.split_once('.')) {
        (None, Some((section, below))) => (section.to_owned(), Some(below.to_owned())),
        (quoted, _) => (name, quoted),
    }
}

/// The value after a key, up to the end of its line.
fn value(chars: &mut Peekable<Chars<'_>>) -> Option<String> {
    while chars.next_if(|it| *it != '\n' && it.is_whitespace()).is_some() {}
    chars.next_if_eq(&'=')?;
    let (mut text, mut kept, mut is_quoted) = (String::new(), 0, false);
    while let Some(next) = chars.next() {
        match next {
            '\n' => break,
            '"' => is_quoted = !is_quoted,
            '#' | ';' if !is_quoted => {
                skip_line(chars);
                continue;
            }
            '\\' => match chars.next() {
                Some('\n') | None => continue,
                Some('t') => text.push('\t'),
                Some('n') => text.push('\n'),
                Some('b') => text.push('\u{8}'),
                Some(it) => text.push(it),
            },
            it if it.is_whitespace() && !is_quoted && text.is_empty() => {}
            it => text.push(it),
        }
        // White space at the end counts only inside quotes.
        if is_quoted || !next.is_whitespace() {
            kept = text.len();
        }
    }
    text.truncate(kept);
    Some(text)
}

/// Sections of the user's configuration that a commit, a filter or a signature needs. Not among them:
/// `credential`, `http`, `url`, `remote`, `sendemail`, `alias`, `include`, and what other tools keep there.
const SHOWN: [&str; 19] = [
    "advice",
    "apply",
    "author",
    "color",
    "commit",
    "committer",
    "core",
    "extensions",
    "feature",
    "filter",
    "gpg",
    "i18n",
    "index",
    "init",
    "pack",
    "safe",
    "tag",
    "trailer",
    "user",
];
/// Keys of `core` and of `trailer` that name programs of no use for a commit.
const PROGRAMS: [&str; 9] = [
    "alternaterefscommand",
    "askpass",
    "cmd",
    "command",
    "editor",
    "fsmonitor",
    "gitproxy",
    "pager",
    "sshcommand",
];
/// Keys of `user`.
const IDENTITY: [&str; 4] = ["email", "name", "signingkey", "useconfigonly"];

/// Whether what runs in a session of git may read an entry of the user's configuration.
pub(crate) fn is_shown(it: &GitSetting) -> bool {
    let key = it.key.as_str();
    let is_useful = match it.section.as_str() {
        "user" => IDENTITY.contains(&key),
        "core" | "trailer" => !PROGRAMS.contains(&key),
        section => SHOWN.contains(&section),
    };
    let texts = it.value.iter().chain(&it.subsection);
    // An address with a name or a password in it.
    is_useful && !texts.into_iter().any(|it| it.contains("://") && it.contains('@'))
}

/// A file of the user's configuration as a session of git sees it; `None` if there is no such file.
pub(crate) fn shown_text(path: &Path) -> Option<String> {
    let bytes = untrusted_fs::read_own(path, LARGEST).ok()??;
    let found = entries(&String::from_utf8_lossy(&bytes));
    Some(written(found.iter().filter(|it| is_shown(it))))
}

/// The entries as a text that git reads as the same.
fn written<'s>(settings: impl Iterator<Item = &'s GitSetting>) -> String {
    let mut text = String::new();
    for GitSetting { section, subsection, key, value } in settings {
        let below = subsection.as_ref().map_or_else(String::new, |it| {
            format!(" \"{}\"", it.replace('\\', "\\\\").replace('"', "\\\""))
        });
        let value = value.as_ref().map_or_else(String::new, |it| {
            let escapes =
                [("\\", "\\\\"), ("\"", "\\\""), ("\n", "\\n"), ("\t", "\\t"), ("\u{8}", "\\b")];
            let escaped =
                escapes.iter().fold(it.clone(), |text, (from, to)| text.replace(from, to));
            format!(" = \"{escaped}\"")
        });
        text.push_str(&format!("[{section}{below}]\n\t{key}{value}\n"));
    }
    text
}

/// The folder of the user and the files that its and the repository's configuration begins with.
pub(crate) struct Levels {
    home: Option<PathBuf>,
    files: Vec<PathBuf>,
}

impl Levels {
    /// The files of the system and the user, as variables name them, of the repository and of its worktree.
    pub(crate) fn of(
        env: &SortedMap<OsString, OsString>,
        (common_dir, git_dir): (&Path, &Path),
    ) -> Self {
        let home = env.get(OsStr::new("HOME")).map(PathBuf::from);
        let mut files = user_files(env, home.as_deref());
        files.push(common_dir.join("config"));
        files.push(git_dir.join("config.worktree"));
        Self { home, files }
    }

    /// All files with all that they include, whatever the conditions and there or not, and their entries.
    pub(crate) fn read(&self) -> (Vec<PathBuf>, Vec<GitSetting>) {
        let mut queue = self.files.clone();
        let (mut at, mut found) = (0, Vec::new());
        while let Some(path) = queue.get(at).cloned() {
            at += 1;
            let Ok(Some(bytes)) = untrusted_fs::read_own(&path, LARGEST) else { continue };
            let read = entries(&String::from_utf8_lossy(&bytes));
            let includes =
                |it: &&GitSetting| matches!(it.section.as_str(), "include" | "includeif");
            for included in read.iter().filter(includes).filter(|it| it.key == "path") {
                let named = included.value.as_deref().unwrap_or_default();
                let next = self.path(named, path.parent().unwrap_or(Path::new("/")));
                if queue.len() < MAX_FILES && !queue.contains(&next) {
                    queue.push(next);
                }
            }
            found.extend(read);
        }
        (queue, found)
    }

    /// A path in a value; `base` is the folder of relative ones.
    pub(crate) fn path(&self, named: &str, base: &Path) -> PathBuf {
        let named = named.strip_prefix(":(optional)").unwrap_or(named);
        match (named.strip_prefix("~/"), &self.home) {
            (Some(below), Some(home)) => home.join(below),
            _ => base.join(named),
        }
    }
}

/// The files of the system's and the user's configuration, in git's order.
pub(crate) fn user_files(env: &SortedMap<OsString, OsString>, home: Option<&Path>) -> Vec<PathBuf> {
    let variable = |name: &str| env.get(OsStr::new(name)).map(PathBuf::from);
    let folder = variable("XDG_CONFIG_HOME").or_else(|| Some(home?.join(".config")));
    let files = [
        Some(PathBuf::from("/etc/gitconfig")),
        variable("GIT_CONFIG_SYSTEM"),
        folder.map(|it| it.join("git/config")),
        home.map(|home| home.join(".gitconfig")),
        variable("GIT_CONFIG_GLOBAL"),
    ];
    files.into_iter().flatten().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn value(text: &str, section: &str, key: &str) -> Option<String> {
        let found = entries(text).into_iter().rev().find(|it| it.is(section, key))?;
        Some(found.value.unwrap_or_else(|| "true".to_owned()))
    }

    #[test]
    fn entries_are_read_as_git_reads_them() {
        for text in [
            "[core]\n\thooksPath = a/b c\n",
            "[CORE]hooksPath=\"a/b c\"\n",
            "[core] ; x\n\thooksPath = a/b c # x\n",
            "[core]\r\n\thookspath = \"a\"/b\\\n c ; x\r\n",
            "\u{feff}[core \"x\"]\n\thooksPath = y\n[core]\nbare\nHOOKSPATH   =  a\"/b \"c",
            "[core]\n# [other]\n\thooksPath = a/\\\nb c  \n[other]\n\thooksPath = y\n",
        ] {
            assert_eq!(value(text, "core", "hookspath").as_deref(), Some("a/b c"), "{text}");
        }
        let text = "[core]\n\tbare = false\n\tworktree = ../../x\n[Extensions] worktreeConfig\n\
                    [core \"sub\"]\n\tworktree = y\n[core.Sub]\n\tworktree = z\n";
        assert_eq!(value(text, "core", "worktree").as_deref(), Some("../../x"));
        assert_eq!(value(text, "extensions", "worktreeconfig").as_deref(), Some("true"));
        assert_eq!(value(text, "core", "hookspath"), None);
    }

    #[test]
    fn of_the_users_configuration_a_session_sees_what_a_commit_needs() {
        let text = "[user]\n\tname = a\n\temail = a@b\n\tsigningKey = k\n\tpassword = s\n[core]\n\thooksPath = h\n\
                    \tsshCommand = s\n[commit]\n\tgpgSign\n[gpg \"ssh\"]\n\tprogram = p\n[filter \"lfs\"]\n\tclean = \
                    c\n[http \"https://x\"]\n\textraHeader = s\n[credential]\n\thelper = s\n[url \
                    \"https://a:s@x\"]\n\tinsteadOf = x\n[safe]\n\tdirectory = https://a:s@x\n[github]\n\ttoken = s\n\
                    [alias]\n\tx = s\n[include]\n\tpath = s\n[remote \"o\"]\n\turl = s\n";
        let shown = entries(text);
        let shown: Vec<String> = shown
            .iter()
            .filter(|it| is_shown(it))
            .map(|it| format!("{}.{}", it.section, it.key))
            .collect();
        let expected = [
            "user.name",
            "user.email",
            "user.signingkey",
            "core.hookspath",
            "commit.gpgsign",
            "gpg.program",
            "filter.clean",
        ];
        assert_eq!(shown, expected);
    }

    #[test]
    fn what_is_written_is_read_as_the_same() {
        let text = "[a \"b \\\"c\\\\\"]\n\tk = \" x\\ty\\\\ \\\"z;\\\" \"\n[a]\nflag\n";
        let read = entries(text);
        assert_eq!(read.len(), 2);
        assert_eq!(read[0].subsection.as_deref(), Some("b \"c\\"));
        assert_eq!(read[0].value.as_deref(), Some(" x\ty\\ \"z;\" "));
        assert_eq!(entries(&written(read.iter())), read);
    }
}
