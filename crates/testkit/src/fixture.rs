//! The text format of fixtures: a whole project in one string, with `$0` marks for offsets.
//! Start at [`Fixture::parse`]; [`crate::project`] writes one to a temporary folder.

use std::collections::BTreeMap;
use std::path::Path;

/// A project as text: headings of the form `//- /path [attributes]`, each followed by the file.
///
/// Attributes: `executable`; `crlf` (line endings are converted); `bom` (a byte order mark is
/// added); `no-final-newline`; `symlink` (the text is the link's target). Text without any
/// heading is the single file `src/lib.rs`. `$0` in a text marks an offset and is removed. A
/// newline right after the opening quote is ignored.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Fixture {
    /// The files by relative path.
    pub files: BTreeMap<String, FixtureFile>,
    /// The `$0` marks in text order.
    pub marks: Vec<Mark>,
}

/// One file of a fixture.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FixtureFile {
    /// Its content without marks; the target of a link.
    pub text: String,
    /// Whether the executable bits are set.
    pub executable: bool,
    /// Whether it is a symbolic link.
    pub symlink: bool,
}

/// An offset that was marked with `$0`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mark {
    /// The relative path of the file.
    pub path: String,
    /// The byte offset in the text without marks.
    pub offset: usize,
}

const HEADING: &str = "//- /";

impl Fixture {
    /// Parses the text.
    ///
    /// # Panics
    /// On an unknown attribute, or a path that leaves the project: an error in the test.
    pub fn parse(text: &str) -> Self {
        let text = text.strip_prefix('\n').unwrap_or(text);
        let mut sections: Vec<(&str, String)> = Vec::new();
        if !text.lines().any(|line| line.starts_with(HEADING)) {
            sections.push(("src/lib.rs", text.to_owned()));
        } else {
            for line in text.split_inclusive('\n') {
                if let Some(heading) = line.strip_prefix(HEADING) {
                    sections.push((heading.trim(), String::new()));
                } else if let Some((_, body)) = sections.last_mut() {
                    body.push_str(line);
                } else {
                    assert!(line.trim().is_empty(), "text before the first heading: {line:?}");
                }
            }
        }
        let mut fixture = Self::default();
        for (heading, body) in sections {
            fixture.add(heading, &body);
        }
        fixture
    }

    fn add(&mut self, heading: &str, body: &str) {
        let mut attributes = heading.split_whitespace();
        let path = attributes.next().unwrap_or_default().to_owned();
        assert!(
            !path.is_empty() && !path.split('/').any(|part| part == ".."),
            "fixture path `{path}` leaves the project"
        );
        let mut file = FixtureFile::default();
        let mut body = body.to_owned();
        let mut bom = false;
        for attribute in attributes {
            match attribute {
                "executable" => file.executable = true,
                "crlf" => body = body.replace('\n', "\r\n"),
                "bom" => bom = true,
                "no-final-newline" => {
                    body.truncate(body.trim_end_matches(['\r', '\n']).len());
                }
                "symlink" => {
                    file.symlink = true;
                    body = body.trim().to_owned();
                }
                other => panic!("unknown attribute `{other}` after fixture path `{path}`"),
            }
        }
        if bom {
            body.insert(0, '\u{feff}');
        }
        let (text, offsets) = extract_offsets(&body);
        file.text = text;
        self.marks.extend(offsets.into_iter().map(|offset| Mark { path: path.clone(), offset }));
        assert!(self.files.insert(path.clone(), file).is_none(), "fixture names `{path}` twice");
    }

    /// Writes the files below `root`.
    ///
    /// # Panics
    /// If a file cannot be written.
    pub fn write_to(&self, root: &Path) {
        for (path, file) in &self.files {
            let target = root.join(path);
            if let Some(folder) = target.parent() {
                std::fs::create_dir_all(folder).expect("fixture folder");
            }
            if file.symlink {
                std::os::unix::fs::symlink(&file.text, &target).expect("fixture link");
            } else {
                std::fs::write(&target, &file.text).expect("fixture file");
                let mode = if file.executable { 0o755 } else { 0o644 };
                let mode = std::os::unix::fs::PermissionsExt::from_mode(mode);
                std::fs::set_permissions(&target, mode).expect("fixture mode");
            }
        }
    }
}

/// Removes the `$0` marks from `text` and returns their byte offsets in the rest.
pub fn extract_offsets(text: &str) -> (String, Vec<usize>) {
    let mut parts = text.split("$0");
    let mut rest = parts.next().unwrap_or_default().to_owned();
    let mut offsets = Vec::new();
    for part in parts {
        offsets.push(rest.len());
        rest.push_str(part);
    }
    (rest, offsets)
}

/// The text without its two `$0` marks, and the byte range between them.
///
/// # Panics
/// Unless there are exactly two.
pub fn extract_range(text: &str) -> (String, std::ops::Range<usize>) {
    let (rest, offsets) = extract_offsets(text);
    let [start, end] = offsets[..] else { panic!("a range has two marks, not {}", offsets.len()) };
    (rest, start..end)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn headings_split_files_and_marks_are_taken_out() {
        let fixture = Fixture::parse("\n//- /src/lib.rs\nfn a$0() {}\n//- /b.sh executable\n#!x\n");
        assert_eq!(fixture.files["src/lib.rs"].text, "fn a() {}\n");
        assert!(fixture.files["b.sh"].executable);
        assert_eq!(fixture.marks, [Mark { path: "src/lib.rs".into(), offset: 4 }]);
    }

    #[test]
    fn text_without_headings_is_the_library() {
        assert_eq!(Fixture::parse("fn a() {}\n").files["src/lib.rs"].text, "fn a() {}\n");
    }

    #[test]
    fn words_shape_the_bytes() {
        let fixture =
            Fixture::parse("//- /a crlf bom no-final-newline\nx\ny\n//- /l symlink\n../a\n");
        assert_eq!(fixture.files["a"].text, "\u{feff}x\r\ny");
        assert!(fixture.files["l"].symlink);
        assert_eq!(fixture.files["l"].text, "../a");
    }

    #[test]
    fn a_range_is_between_two_marks() {
        assert_eq!(extract_range("a$0bc$0d"), ("abcd".to_owned(), 1..3));
    }
}
