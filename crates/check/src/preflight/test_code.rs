//! Decides whether a position is in code that only `cfg(test)` compiles. rust-analyzer checks such
//! code, a plain `cargo check` does not, so its errors there do not count.

use std::sync::Arc;

use base::{ByteSpan, ProjectPath, SortedMap};
use edit::{Files, Overlay};
use syntax::{NodeKind, SourceFile};

/// The maximum depth of nested modules.
const DEEPEST: usize = 32;

/// Whether the path belongs to a target that a plain check does not build.
pub(super) fn is_test_target(path: &ProjectPath) -> bool {
    let mut folders = path.as_str().split('/').rev().skip(1);
    !path.as_str().contains("src/")
        && folders.any(|folder| matches!(folder, "tests" | "benches" | "examples"))
}

/// Identifies code compiled only for tests: rust-analyzer always checks it, a plain check does not.
pub(super) struct TestCode<'a> {
    files: &'a dyn Files,
    overlay: &'a Overlay,
    read: SortedMap<ProjectPath, Option<Arc<SourceFile>>>,
}

impl<'a> TestCode<'a> {
    pub(super) fn new(files: &'a dyn Files, overlay: &'a Overlay) -> Self {
        Self { files, overlay, read: SortedMap::new() }
    }

    /// Whether the position is in an item, or in the file of a module, that is test code.
    pub(super) fn holds(&mut self, path: &ProjectPath, text: &str, span: ByteSpan) -> bool {
        let source = syntax::parse(text);
        let mut at = syntax::item_at(&source, span);
        while let Some(item) = at.and_then(|idx| source.items.get(idx)) {
            if item.is_test {
                return true;
            }
            at = item.parent;
        }
        self.is_test_file(path)
    }

    /// Whether a module that contains the file is declared only for tests.
    fn is_test_file(&mut self, path: &ProjectPath) -> bool {
        let mut path = path.clone();
        for _ in 0..DEEPEST {
            let Some((name, parents)) = declared_in(&path) else { return false };
            let mut next = None;
            for parent in parents {
                let Some(source) = self.source(&parent) else { continue };
                let is_it = |item: &&syntax::Item| {
                    item.kind == NodeKind::Module && item.name == name && item.body.is_none()
                };
                if let Some(item) = source.items.iter().find(is_it) {
                    if item.is_test {
                        return true;
                    }
                    next = Some(parent);
                    break;
                }
            }
            match next {
                Some(parent) => path = parent,
                None => return false,
            }
        }
        false
    }

    fn source(&mut self, path: &ProjectPath) -> Option<Arc<SourceFile>> {
        let (files, overlay) = (self.files, self.overlay);
        let read = self.read.entry(path.clone()).or_insert_with(|| {
            let text = match overlay.get(path) {
                Some(change) => change.after.as_ref().map(|state| state.text.clone()),
                None => files.read(path).ok().flatten().map(|state| state.text),
            };
            text.map(|text| Arc::new(syntax::parse(&text)))
        });
        read.clone()
    }
}

/// The module's name and the files that may declare it; `None` for the root of a crate.
fn declared_in(path: &ProjectPath) -> Option<(String, Vec<ProjectPath>)> {
    let (folder, file) = path.as_str().rsplit_once('/')?;
    let stem = file.strip_suffix(".rs")?;
    let (name, folder) = match stem {
        "lib" | "main" => return None,
        "mod" => {
            let (above, name) = folder.rsplit_once('/')?;
            (name, above)
        }
        stem => (stem, folder),
    };
    let mut parents: Vec<String> =
        ["mod", "lib", "main"].iter().map(|it| format!("{folder}/{it}.rs")).collect();
    parents.push(format!("{folder}.rs"));
    let parents = parents.iter().filter_map(|it| ProjectPath::new(it).ok());
    Some((name.to_owned(), parents.filter(|it| it != path).collect()))
}

#[cfg(test)]
mod tests {
    use base::Timestamp;
    use edit::FileState;

    use super::*;

    struct None;

    impl Files for None {
        fn read(&self, _: &ProjectPath) -> Result<Option<FileState>, edit::Unreadable> {
            Ok(Option::None)
        }
    }

    #[test]
    fn the_file_of_a_test_module_is_test_code_however_deep_below_it() {
        let file = |path: &str, text: &str| {
            (ProjectPath::new(path).unwrap(), Option::None, Some(FileState::from_text(text)))
        };
        let overlay = Overlay::from_states(
            "test",
            Timestamp::default(),
            vec![
                file("src/lib.rs", "mod a;\n#[cfg(test)]\nmod kit;\n"),
                file("src/a.rs", "mod b;\nfn f() {}\n#[cfg(test)]\nmod t { fn g() {} }\n"),
                file("src/a/b.rs", ""),
                file("src/kit/mod.rs", "mod deep;\n"),
                file("src/kit/deep.rs", ""),
            ],
        );
        let mut code = TestCode::new(&None, &overlay);
        let mut holds = |path: &str, part: &str| {
            let path = ProjectPath::new(path).unwrap();
            let text = overlay.get(&path).unwrap().after_text().to_owned();
            let start = text.find(part).unwrap();
            code.holds(&path, &text, ByteSpan::new(start, start + part.len()))
        };
        assert!(holds("src/kit/deep.rs", "") && holds("src/kit/mod.rs", ""));
        assert!(holds("src/a.rs", "fn g"));
        assert!(!holds("src/a/b.rs", "") && !holds("src/a.rs", "fn f"));
        assert!(is_test_target(&ProjectPath::new("crates/x/tests/it/main.rs").unwrap()));
        assert!(!is_test_target(&ProjectPath::new("src/examples/x.rs").unwrap()));
    }
}
