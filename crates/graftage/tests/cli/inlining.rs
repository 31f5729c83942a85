use super::support::graftage;

fn project() -> testkit::TempProject {
    testkit::crate_project(
        "
//- /src/lib.rs
#![deny(warnings)]
mod size;

const LIMIT: usize = 8;

pub struct Buffer {
    bytes: Vec<u8>,
}

impl Buffer {
    pub fn new() -> Self {
        Self { bytes: Vec::with_capacity(LIMIT) }
    }

    /// The bytes that still fit.
    fn free(&self) -> usize {
        LIMIT - self.bytes.len()
    }

    /// Adds what fits.
    pub fn push(&mut self, bytes: &[u8]) -> usize {
        let count = size::least(bytes.len(), self.free());
        self.bytes.extend_from_slice(&bytes[..count]);
        count
    }
}

impl Default for Buffer {
    fn default() -> Self {
        Self::new()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_more_than_the_limit_fits() {
        let mut buffer = Buffer::new();
        assert_eq!(buffer.push(&[0; 5]), 5);
        assert_eq!(buffer.push(&[0; 5]), 3);
    }
}
//- /src/size.rs
pub(crate) fn least(a: usize, b: usize) -> usize {
    if a < b {
        return a;
    }
    b
}
",
    )
}

#[test]
fn a_method_goes_into_its_calls_and_undo_reverts_it() {
    let project = project();
    let before = project.read("src/lib.rs");
    let dry = graftage(&project, &["refactor", "inline", "Buffer::free"]);
    assert_eq!(project.read("src/lib.rs"), before, "{dry:?}");
    let applied = graftage(&project, &["refactor", "inline", "Buffer::free", "--apply"]);
    assert_eq!(applied.status, 0, "{applied:#?}");
    let after = project.read("src/lib.rs");
    assert!(!after.contains("fn free"), "{after}");
    assert!(applied.stdout.contains("the documentation of `free` goes with it"), "{applied:#?}");
    assert!(after.contains("size::least(bytes.len(), LIMIT - self.bytes.len())"), "{after}");
    assert_eq!(graftage(&project, &["undo"]).status, 0);
    assert_eq!(project.read("src/lib.rs"), before);
}

#[test]
fn a_function_of_another_module_leaves_its_block_where_it_returned() {
    let project = project();
    let applied = graftage(&project, &["refactor", "inline", "least", "--apply"]);
    assert_eq!(applied.status, 0, "{applied:#?}");
    let after = project.read("src/lib.rs");
    assert!(after.contains("break 'inlined a;"), "{after}");
    assert!(!project.read("src/size.rs").contains("least"));
}

#[test]
fn what_cannot_go_is_refused_with_the_reason() {
    let project = project();
    let public = graftage(&project, &["refactor", "inline", "Buffer::push"]);
    assert_eq!(public.status, 1, "{public:#?}");
    assert!(public.stderr.contains("it is public"), "{public:#?}");
    let constant = graftage(&project, &["refactor", "inline", "LIMIT", "--json"]);
    assert_eq!(constant.status, 0, "{constant:#?}");
    assert_eq!(constant.json()["intents"][0]["what"], "inlined");
    let diff = constant.json()["diff"].as_str().unwrap_or_default().to_owned();
    assert!(diff.contains("8usize - self.bytes.len()"), "{diff}");
}

#[test]
fn the_compiler_names_the_types_that_make_a_variable_unnecessary() {
    let project = testkit::crate_project(
        r#"
//- /src/lib.rs
#![deny(warnings)]
use std::fmt;

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Angle<T> {
    pub radians: T,
}

impl<T> Angle<T> {
    pub const fn radians(radians: T) -> Self {
        Self { radians }
    }
}

pub struct Editor {
    name: String,
    lines: Vec<String>,
}

fn name_of(fallback: &str) -> String {
    if let Some(name) = std::env::var_os("NO_SUCH_EDITOR") {
        return name.to_string_lossy().into_owned();
    }
    fallback.into()
}

impl Editor {
    pub fn new() -> Self {
        Self { name: name_of("vi"), lines: Vec::new() }
    }

    fn rename(&mut self, name: String) {
        self.name = name;
    }

    fn last(&self) -> Option<&String> {
        self.lines.last()
    }
}

impl Default for Editor {
    fn default() -> Self {
        Self::new()
    }
}

impl fmt::Display for Editor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {:?}", self.name, self.lines)
    }
}

pub fn edit(editor: &mut Editor, names: &[&str]) -> usize {
    editor.rename(names.join("-"));
    let own = Editor::new();
    editor.last().map_or(own.last().map_or(0, |it| it.len()), |it| it.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rad(v: f32) -> Angle<f32> {
        Angle::radians(v)
    }

    fn parsed(text: &str) -> Option<u8> {
        text.parse().ok()
    }

    #[test]
    fn angles_are_made() {
        let half = std::f32::consts::PI / 2.0;
        assert_eq!(rad(half), rad(std::f32::consts::PI * 0.5));
        assert!(parsed("7") > parsed("6"));
    }
}
"#,
    );
    let inline = |item: &str| {
        let applied = graftage(&project, &["refactor", "inline", item, "--apply"]);
        assert_eq!(applied.status, 0, "{applied:#?}");
        project.read("src/lib.rs")
    };
    let after = inline("rad");
    assert!(
        after.contains(
            "assert_eq!(Angle::radians(half), Angle::radians(std::f32::consts::PI * 0.5));"
        ),
        "{after}"
    );
    // The place expects the type of the block.
    let after = inline("name_of");
    assert!(after.contains("name: 'inlined: {"), "{after}");
    assert!(!after.contains("let result"), "{after}");
    let after = inline("Editor::rename");
    assert!(after.contains("    editor.name = names.join(\"-\");\n"), "{after}");
    let after = inline("Editor::last");
    assert!(after.contains("editor.lines.last().map_or(own.lines.last().map_or(0,"), "{after}");
    // Nothing but the declared type makes a number of the text.
    let after = inline("parsed");
    assert!(after.contains("let result: Option<u8> = \"7\".parse().ok();"), "{after}");
}
