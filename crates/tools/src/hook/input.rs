//! The JSON that a client passes to a hook.

use std::path::{Path, PathBuf};

use base::{ProjectPath, normal_path};
use serde::Deserialize;

/// Size limit of a text that an edit makes, in bytes: no such source file is written by a person, and
/// reading it takes many times its size.
pub(super) const LARGEST_TEXT: usize = 1 << 20;

/// Tools of the client that edit files.
const EDITORS: [&str; 3] = ["Edit", "Write", "MultiEdit"];

/// The file after an edit.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Edited {
    /// The text.
    Text(String),
    /// The edit does not apply.
    Misfit,
    /// The text, or one between two replacements, is larger than [`LARGEST_TEXT`]; it was not made.
    TooLarge,
}

/// The fields of a hook's input that are used; others are ignored, and a field of another type counts
/// as missing, so that a newer client works.
#[derive(Clone, Debug, Default, Deserialize)]
pub struct HookInput {
    #[serde(default, deserialize_with = "lenient")]
    hook_event_name: String,
    #[serde(default, deserialize_with = "lenient")]
    session_id: String,
    #[serde(default, deserialize_with = "lenient")]
    cwd: PathBuf,
    #[serde(default, deserialize_with = "lenient")]
    tool_name: String,
    #[serde(default, deserialize_with = "lenient")]
    tool_input: EditInput,
    #[serde(default, deserialize_with = "lenient")]
    stop_hook_active: bool,
}

/// The arguments of a tool that edits files.
#[derive(Clone, Debug, Default, Deserialize)]
struct EditInput {
    #[serde(default, deserialize_with = "lenient")]
    file_path: PathBuf,
    #[serde(default, deserialize_with = "lenient")]
    content: Option<String>,
    #[serde(flatten)]
    edit: Option<Replacement>,
    #[serde(default, deserialize_with = "lenient")]
    edits: Vec<Replacement>,
}

#[derive(Clone, Debug, Deserialize)]
struct Replacement {
    old_string: String,
    new_string: String,
    #[serde(default)]
    replace_all: bool,
}

fn lenient<'de, D: serde::Deserializer<'de>, T: Default + serde::de::DeserializeOwned>(
    from: D,
) -> Result<T, D::Error> {
    let value = serde_json::Value::deserialize(from)?;
    Ok(serde_json::from_value(value).unwrap_or_default())
}

impl HookInput {
    /// Reads the input of a hook.
    ///
    /// # Errors
    /// A text that is no JSON object.
    pub fn parse(text: &str) -> Result<Self, serde_json::Error> {
        use serde::de::Error as _;
        // A list would be taken for the fields in their order.
        match serde_json::from_str(text)? {
            fields @ serde_json::Value::Object(_) => serde_json::from_value(fields),
            _ => Err(serde_json::Error::custom("it is no JSON object")),
        }
    }

    /// Name of the event, such as `PreToolUse`.
    pub fn event(&self) -> &str {
        &self.hook_event_name
    }

    /// The directory of the client; empty where it names none.
    pub fn directory(&self) -> &Path {
        &self.cwd
    }

    /// Whether the client continues because a hook asked for it: it must not be asked again.
    pub(super) fn is_asked_already(&self) -> bool {
        self.stop_hook_active
    }

    pub(super) fn session(&self) -> &str {
        &self.session_id
    }

    /// The Rust file of the project that the tool edits.
    pub(super) fn file(&self, root: &Path) -> Option<ProjectPath> {
        if !EDITORS.contains(&self.tool_name.as_str()) {
            return None;
        }
        let path = normal_path(&self.whole_path());
        let within = ProjectPath::within(root, &path).ok().or_else(|| {
            // The client may name the project through a link.
            let folder = path.parent()?.canonicalize().ok()?;
            ProjectPath::within(root, &folder.join(path.file_name()?)).ok()
        });
        let is_rust = |path: &ProjectPath| path.as_str().trim_end().to_lowercase().ends_with(".rs");
        within.filter(is_rust).or_else(|| {
            // A link to a Rust file: the client writes what it leads to.
            let real = untrusted_fs::leads_to(&path)?;
            ProjectPath::within(root, &real).ok().filter(is_rust)
        })
    }

    /// Whether the tool edits a file that is Rust by its name or by what a link of the name leads to,
    /// wherever it is; also one of no name that can be read.
    pub fn edits_rust(&self) -> bool {
        if self.event() != "PreToolUse" || !EDITORS.contains(&self.tool_name.as_str()) {
            return false;
        }
        let is_rust = |path: &Path| {
            let path = path.to_string_lossy().trim_end().to_lowercase();
            path.ends_with(".rs")
        };
        let path = &self.tool_input.file_path;
        let whole = self.whole_path();
        let leads = |path: &Path| untrusted_fs::leads_to(path).is_some_and(|real| is_rust(&real));
        // A client may resolve `..` by its letters, the system by what is there.
        path.as_os_str().is_empty() || is_rust(path) || leads(&whole) || leads(&normal_path(&whole))
    }

    /// The folder of the file that the tool edits, links followed; `None` for another event.
    pub fn edited_folder(&self) -> Option<PathBuf> {
        if !EDITORS.contains(&self.tool_name.as_str()) {
            return None;
        }
        let whole = normal_path(&self.whole_path());
        whole.canonicalize().ok().as_deref().unwrap_or(&whole).parent().map(Path::to_owned)
    }

    /// The path that the tool names, from the root.
    fn whole_path(&self) -> PathBuf {
        let path = &self.tool_input.file_path;
        if path.is_absolute() { path.clone() } else { self.cwd.join(path) }
    }

    /// The file after the edit of `before`.
    pub(super) fn edited(&self, before: &str) -> Edited {
        let input = &self.tool_input;
        if self.tool_name == "Write" {
            return match &input.content {
                Some(text) if text.len() > LARGEST_TEXT => Edited::TooLarge,
                Some(text) => Edited::Text(text.clone()),
                None => Edited::Misfit,
            };
        }
        if before.len() > LARGEST_TEXT {
            return Edited::TooLarge;
        }
        let edits =
            if input.edits.is_empty() { input.edit.as_slice() } else { input.edits.as_slice() };
        let mut text = before.to_owned();
        for edit in edits {
            text = match edit.applied(&text) {
                Edited::Text(text) => text,
                other => return other,
            };
        }
        if edits.is_empty() { Edited::Misfit } else { Edited::Text(text) }
    }
}

impl Replacement {
    /// The text with the replacement. Its size is computed before it is made.
    fn applied(&self, text: &str) -> Edited {
        let (old, new) = (self.old_string.as_str(), self.new_string.as_str());
        let most = if self.replace_all { usize::MAX } else { 1 };
        let count = if old.is_empty() { 0 } else { text.matches(old).take(most).count() };
        if count == 0 {
            return Edited::Misfit;
        }
        // Matches do not overlap, so the text has at least what they take from it.
        let size = (text.len() - count * old.len()).saturating_add(count.saturating_mul(new.len()));
        if size > LARGEST_TEXT {
            return Edited::TooLarge;
        }
        Edited::Text(text.replacen(old, new, count))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn input(tool: &str, fields: &str) -> HookInput {
        let text = format!(
            r#"{{"session_id":"s","transcript_path":"/t","cwd":"/p","permission_mode":"default",
            "hook_event_name":"PreToolUse","tool_name":"{tool}","tool_input":{{{fields}}}}}"#
        );
        HookInput::parse(&text).unwrap()
    }

    fn text(text: &str) -> Edited {
        Edited::Text(text.to_owned())
    }

    #[test]
    fn the_text_after_each_kind_of_edit() {
        let write = input("Write", r#""file_path":"/p/a.rs","content":"x""#);
        assert_eq!(write.edited("old"), text("x"));
        let edit = r#""file_path":"/p/a.rs","old_string":"a","new_string":"b""#;
        assert_eq!(input("Edit", edit).edited("a a"), text("b a"));
        let all = format!(r#"{edit},"replace_all":true"#);
        assert_eq!(input("Edit", &all).edited("a a"), text("b b"));
        assert_eq!(input("Edit", edit).edited("none"), Edited::Misfit);
        let many = r#""file_path":"/p/a.rs","edits":[{"old_string":"a","new_string":"b"},
            {"old_string":"b","new_string":"c"}]"#;
        assert_eq!(input("MultiEdit", many).edited("a"), text("c"));
    }

    #[test]
    fn replacements_that_multiply_a_text_are_not_made() {
        let multi = |growth: usize, edits: usize| {
            let new = "a".repeat(growth);
            let edit = format!(r#"{{"old_string":"a","new_string":"{new}","replace_all":true}}"#);
            let edits = vec![edit; edits].join(",");
            input("MultiEdit", &format!(r#""file_path":"/p/a.rs","edits":[{edits}]"#)).edited("a")
        };
        // 200 kB for each character of 200 kB; a hundred doublings, whose size has no number.
        assert_eq!(multi(200_000, 4), Edited::TooLarge);
        assert_eq!(multi(2, 100), Edited::TooLarge);
        // Control: the same edits below the limit.
        assert_eq!(multi(200_000, 1), text(&"a".repeat(200_000)));
        assert_eq!(multi(2, 10), text(&"a".repeat(1024)));
        let huge = "a".repeat(LARGEST_TEXT + 1);
        let write = input("Write", &format!(r#""file_path":"/p/a.rs","content":"{huge}""#));
        assert_eq!(write.edited(""), Edited::TooLarge);
        let edit = r#""file_path":"/p/a.rs","old_string":"a","new_string":"b""#;
        assert_eq!(input("Edit", edit).edited(&huge), Edited::TooLarge);
    }

    #[test]
    fn only_rust_files_of_the_project_count() {
        let file = |path: &str| {
            let fields = format!(r#""file_path":"{path}","content":"""#);
            input("Write", &fields).file(Path::new("/p")).map(|it| it.to_string())
        };
        assert_eq!(file("/p/src/a.rs").as_deref(), Some("src/a.rs"));
        assert_eq!(file("src/a.rs").as_deref(), Some("src/a.rs"));
        assert_eq!(file("/p/README.md"), None);
        assert_eq!(file("/p/../q/a.rs"), None);
        assert_eq!(file("/q/a.rs"), None);
    }

    #[test]
    fn fields_of_other_types_count_as_missing() {
        let odd = HookInput::parse(
            r#"{"hook_event_name":7,"cwd":[],"tool_input":"x","stop_hook_active":"yes"}"#,
        );
        let odd = odd.unwrap();
        assert_eq!((odd.event(), odd.is_asked_already()), ("", false));
        assert!(HookInput::parse("[]").is_err() && HookInput::parse("{").is_err());
    }
}
