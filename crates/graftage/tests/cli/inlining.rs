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
