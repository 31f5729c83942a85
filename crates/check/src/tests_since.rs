//! The tests of the last commit that do not run with a change: whether their author has removed or moved them since.
//! Only what is seen to be so counts; any other test is lost.

use std::cell::OnceCell;
use std::path::Path;

use base::{ProjectPath, SortedMap, is_word};
use build::CargoWorkspace;
use edit::Overlay;
use policy::Tree;

use crate::doc_test::DocTestName;

/// Words before the name of an item.
const ITEMS: [&str; 10] =
    ["const", "enum", "fn", "macro_rules!", "mod", "static", "struct", "trait", "type", "union"];

/// Fate of tests since the last commit.
pub(crate) struct TestsSince<'a> {
    pub(crate) root: &'a Path,
    pub(crate) tree: &'a Tree,
    pub(crate) workspace: Option<&'a CargoWorkspace>,
    /// The change that is checked.
    pub(crate) change: &'a Overlay,
    /// Makes the change from the tree back to the last commit.
    pub(crate) head: &'a dyn Fn() -> Option<Overlay>,
    pub(crate) texts: OnceCell<Sources>,
}

/// Texts of sources.
pub(crate) struct Sources {
    tree: SortedMap<ProjectPath, String>,
    head: SortedMap<ProjectPath, String>,
}

impl TestsSince<'_> {
    /// Whether a test counts as one that has to run, by this name or in another target: the tree still declares it –
    /// some source has a function of its name without `self`, in the modules of the name, or gives the name to a macro –
    /// or the last commit did not either.
    pub(crate) fn is_declared(&self, test: &str) -> bool {
        if let Some(example) = DocTestName::of(test) {
            return !self.is_removed_example(&example);
        }
        let (_, path) = test.split_once("::").unwrap_or(("", test));
        let Sources { tree, head } = self.texts.get_or_init(|| self.sources());
        let now = pairs(tree);
        let name = last_names(path).next().unwrap_or_default();
        is_declared(path, &now)
            || now.iter().any(|(_, text)| is_in_macro(text, name))
            || !is_declared(path, &pairs(head))
    }

    /// Whether a test is where it was: in its target and its modules. Its author has not moved it.
    pub(crate) fn stays(&self, test: &str) -> bool {
        let (binary, path) = test.split_once("::").unwrap_or(("", test));
        // The name of a binary that others have, too, has a package or a number.
        let binary = binary.split('#').next().unwrap_or(binary);
        let targets = self.workspace.map(|it| it.manifests.iter().flat_map(|it| &it.targets));
        let has_target =
            targets.is_none_or(|mut targets| targets.any(|it| it.name.replace('-', "_") == binary));
        has_target && is_declared(path, &pairs(&self.texts.get_or_init(|| self.sources()).tree))
    }

    /// Whether the change adds a function with the last name of a test: one that its author has moved is in the tree.
    pub(crate) fn is_added(&self, test: &str) -> bool {
        let name = last_names(test).next().unwrap_or(test);
        let count = |text: &str| after_declarations(text, "fn", name).count();
        // A function that was there may become a test by an attribute.
        let attributes = |text: &str| text.matches("#[").count();
        self.change.changes().any(|(_, it)| {
            let (before, after) = (it.before_text(), it.after_text());
            let of_name = count(after);
            of_name > count(before) || of_name > 0 && attributes(after) > attributes(before)
        })
    }

    /// Whether the last commit has more items of the name that an example documents, or more examples in its file.
    fn is_removed_example(&self, example: &DocTestName<'_>) -> bool {
        let Sources { tree, head } = self.texts.get_or_init(|| self.sources());
        let name = example.item.rsplit("::").next().unwrap_or_default();
        let items = |texts: &SortedMap<ProjectPath, String>| {
            let of_text = |text: &String| {
                ITEMS.iter().map(|it| after_declarations(text, it, name).count()).sum::<usize>()
            };
            texts.values().map(of_text).sum::<usize>()
        };
        let file = example.path();
        let is_file = |it: &ProjectPath| {
            file.as_ref().is_some_and(|file| it.as_str().ends_with(file.as_str()))
        };
        let fences = |texts: &SortedMap<ProjectPath, String>| {
            let own = texts.iter().filter(|(path, _)| is_file(path));
            own.map(|(_, text)| text.matches("```").count()).sum::<usize>()
        };
        !name.is_empty() && items(head) > items(tree) || fences(head) > fences(tree)
    }

    fn sources(&self) -> Sources {
        let read = |path: &ProjectPath| {
            let bytes = untrusted_fs::read_source(self.root, path.as_str())?;
            Some((path.clone(), String::from_utf8(bytes).ok()?))
        };
        // Pages have examples, too.
        let is_source = |path: &ProjectPath| matches!(path.extension(), Some("rs" | "md"));
        let paths = self.tree.files().keys().filter(|it| is_source(it));
        let tree: SortedMap<ProjectPath, String> = paths.filter_map(read).collect();
        let mut head = tree.clone();
        // Without the last commit nothing is seen to have been removed.
        let overlay = (self.head)();
        for (path, change) in overlay.iter().flat_map(Overlay::changes).filter(|it| is_source(it.0))
        {
            match &change.after {
                Some(state) => head.insert(path.clone(), state.text.to_string()),
                None => head.remove(path),
            };
        }
        Sources { tree, head }
    }
}

fn pairs(texts: &SortedMap<ProjectPath, String>) -> Vec<(&str, &str)> {
    let code = texts.iter().filter(|it| it.0.extension() == Some("rs"));
    code.map(|(path, text)| (path.as_str(), text.as_str())).collect()
}

/// The parts of a test's name from the last; parametrised tests are functions one step up: `adds::case_1`.
fn last_names(test: &str) -> impl Iterator<Item = &str> {
    test.rsplit("::").filter(|name| !name.starts_with("case_"))
}

/// Whether one of the texts, by path, has a function with the last name of a test, in the modules of
/// its other names. Where files may be modules of any name, only the innermost module counts.
fn is_declared(test: &str, texts: &[(&str, &str)]) -> bool {
    let mut names = last_names(test);
    let Some(name) = names.next() else { return true };
    let has_any_path =
        |text: &str| ["#[path", "include!", "mod $"].iter().any(|it| text.contains(it));
    let counted = match texts.iter().any(|(_, text)| has_any_path(text)) {
        true => 1,
        false => usize::MAX,
    };
    let modules: Vec<&str> = names.take(counted).collect();
    let has_path = |module: &str| {
        texts.iter().any(|(_, it)| it.contains("#[path") && declares(it, "mod", module))
    };
    let is_in = |path: &str, text: &str, module: &str| {
        let file = module.trim_start_matches("r#");
        let mut folders = path.trim_end_matches(".rs").split('/');
        folders.any(|it| it == file) || declares(text, "mod", module) || has_path(module)
    };
    texts.iter().any(|(path, text)| {
        declares_test(text, name) && modules.iter().all(|it| is_in(path, text, it))
    })
}

/// Whether a text gives a name to a macro: the innermost bracket around it that is open belongs to one.
fn is_in_macro(text: &str, name: &str) -> bool {
    base::word_places(text, name).any(|at| {
        let mut depth = 0_usize;
        let opens = text[..at].char_indices().rev().find(|(_, c)| match c {
            ')' | ']' | '}' => {
                depth += 1;
                false
            }
            '(' | '[' | '{' if depth > 0 => {
                depth -= 1;
                false
            }
            c => matches!(c, '(' | '[' | '{'),
        });
        opens.is_some_and(|(open, _)| text[..open].trim_end().ends_with('!'))
    })
}

/// Whether a text has the declaration as whole words.
fn declares(text: &str, keyword: &str, name: &str) -> bool {
    after_declarations(text, keyword, name).next().is_some()
}

/// Whether a text has a function of the name that may be a test: one without `self`.
fn declares_test(text: &str, name: &str) -> bool {
    after_declarations(text, "fn", name).any(|rest| {
        let first = rest.split_once('(').map_or("", |(_, it)| it.trim_start());
        let first = first.trim_start_matches('&').trim_start();
        let first = match first.strip_prefix('\'') {
            Some(lifetime) => lifetime.trim_start_matches(is_word).trim_start(),
            None => first,
        };
        let first = first.strip_prefix("mut ").unwrap_or(first).trim_start();
        first.strip_prefix("self").is_none_or(|it| it.starts_with(is_word))
    })
}

/// Text after each declaration.
fn after_declarations<'a>(
    text: &'a str,
    keyword: &str,
    name: &str,
) -> impl Iterator<Item = &'a str> {
    let declaration = format!("{keyword} {name}");
    let mut rest = text;
    std::iter::from_fn(move || {
        loop {
            let (_, after) = rest.split_once(&declaration)?;
            rest = after;
            if !after.starts_with(is_word) {
                return Some(after);
            }
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_test_is_declared_in_all_modules_of_its_name() {
        let texts = [
            ("src/lib.rs", "mod wide; mod kept; mod more;"),
            ("src/wide.rs", "mod tests { fn adds() {} }"),
            ("src/kept.rs", "mod tests { fn other() {} }"),
            ("src/more.rs", "mod r#ref { fn adds() {} }"),
        ];
        let declared = |test: &str| is_declared(test, &texts);
        assert!(declared("wide::tests::adds"));
        assert!(declared("wide::tests::adds::case_1"));
        assert!(declared("more::r#ref::adds"));
        assert!(!declared("narrow::tests::adds"));
        assert!(!declared("kept::tests::adds"));
        assert!(!declared("wide::tests::removed"));
    }

    #[test]
    fn a_method_of_the_name_is_no_test() {
        let declared = |text: &str| is_declared("m::tests::adds", &[("src/m.rs", text)]);
        let methods = [
            "fn adds(self)",
            "fn adds<T>(&mut self, a: T)",
            "fn adds(\n        &'a self)",
            "fn adds(mut self: Box<Self>)",
        ];
        for method in methods {
            assert!(!declared(&format!("impl S {{ {method} {{}} }} mod tests {{}}")), "{method}");
        }
        let method = "impl S { fn adds(&self) {} } mod tests { #[t] fn adds(selfish: u8) {} }";
        assert!(declared(method));
        assert!(!declared("mod tests { fn adds_more() {} }"));
        assert!(declared("mod tests { fn adds_more() {} fn adds() {} }"));
    }

    #[test]
    fn of_files_with_any_path_only_the_innermost_module_counts() {
        let texts = [
            ("src/lib.rs", "#[path = \"x.rs\"] mod narrow;"),
            ("src/x.rs", "mod tests { fn adds() {} }"),
        ];
        assert!(is_declared("narrow::tests::adds", &texts));
        assert!(!is_declared("narrow::more::adds", &texts));
    }

    /// Tests of a last commit with `head` as source, on a tree with `now`, with a change to `after`.
    fn since<R>(head: &str, now: &str, after: &str, look: impl FnOnce(&TestsSince<'_>) -> R) -> R {
        let dir = tempfile::tempdir().unwrap();
        std::fs::write(dir.path().join("lib.rs"), now).unwrap();
        let path = ProjectPath::new("lib.rs").unwrap();
        let files = SortedMap::from([(path.clone(), base::ContentHash::of(b""))]);
        let tree = Tree::new(files, SortedMap::new(), Default::default());
        let overlay = |before: &str, after: &str| {
            let state = |text: &str| Some(edit::FileState::from_text(text));
            Overlay::from_states(
                "t",
                base::Timestamp(0),
                vec![(path.clone(), state(before), state(after))],
            )
        };
        look(&TestsSince {
            root: dir.path(),
            tree: &tree,
            workspace: None,
            change: &overlay(now, after),
            head: &|| Some(overlay(now, head)),
            texts: OnceCell::new(),
        })
    }

    #[test]
    fn only_a_test_that_is_seen_to_be_removed_may_be_missing() {
        let (with, without) = ("fn t() {}\nm!(u);\n", "m!(u);\n");
        for (test, now, expected) in [
            ("k::t", with, true),
            ("k::t", without, false),
            // In binaries of a name that others have, too.
            ("k#a::t", with, true),
            ("k#2::t", with, true),
            ("k#2::t", without, false),
            // A macro makes it: whether its author removed it is not known.
            ("k::u", with, true),
            ("k::u", without, true),
            // Of a target that has another name since: the test has to be in that one.
            ("other::t", with, true),
            // A macro gets the name that a function had.
            ("k::t", "m!(a, t);\nm!(u);\n", true),
            // An example of an item that has another name since, and one that is there.
            ("k::doc::lib.rs - T::t", without, false),
            ("k::doc::lib.rs - T::t", with, true),
            ("k::doc::lib.rs -", with, true),
        ] {
            let found = since(with, now, now, |it| it.is_declared(test));
            assert_eq!(found, expected, "{test}: {now}");
        }
    }

    #[test]
    fn a_test_that_the_change_adds_is_none_that_its_author_moved() {
        let (tree, after) = ("fn t() {}\n", "fn t() {}\nmod z { fn t() {} }\n");
        assert!(since(tree, tree, after, |it| it.is_added("k::z::t")));
        assert!(!since(tree, after, after, |it| it.is_added("k::z::t")));
        let attribute = "#[test]\nfn t() {}\n";
        assert!(since(tree, tree, attribute, |it| it.is_added("k::t")));
        assert!(since(tree, tree, tree, |it| it.stays("k::t") && !it.stays("k::a::t")));
    }
}
