//! [`DocTestName`]: the parts of the name of a documentation test, `k::doc::src/lib.rs - a::f (line 4)`.

use base::ProjectPath;

/// The name of a documentation test in parts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DocTestName<'t> {
    /// The crate.
    pub library: &'t str,
    /// The file as rustdoc names it; that of an included page goes through the folder of the file that includes
    /// it: `src/../README.md`.
    pub file: &'t str,
    /// Path of the documented item; empty for the crate.
    pub item: &'t str,
    /// Line of the example; `None` where the name is without it.
    pub line: Option<u32>,
}

impl<'t> DocTestName<'t> {
    /// The parts of a name; `None` for another test.
    pub fn of(name: &'t str) -> Option<Self> {
        let (library, rest) = name.split_once("::doc::")?;
        let numbered = rest
            .rsplit_once(" (line ")
            .and_then(|(head, line)| Some((head, Some(line.strip_suffix(')')?.parse().ok()?))));
        let (head, line) = numbered.unwrap_or((rest, None));
        let of_crate = head.strip_suffix(" -").map(|file| (file, ""));
        let (file, item) = of_crate.or_else(|| head.rsplit_once(" - "))?;
        Some(Self { library, file, item, line })
    }

    /// The file without `.` and `..`; `None` if that leads out of the project.
    pub fn path(&self) -> Option<ProjectPath> {
        preserve::normal(self.file)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_documentation_test_names_its_place() {
        let parts = |test: &str| {
            let it = DocTestName::of(test)?;
            let path = it.path().map(|it| it.to_string()).unwrap_or_default();
            Some(format!("{} {path} [{}] {:?}", it.library, it.item, it.line))
        };
        for (test, wanted) in [
            ("a::doc::src/b-c.rs - b::f (line 3)", "a src/b-c.rs [b::f] Some(3)"),
            ("a::doc::x/src/lib.rs - (line 18)", "a x/src/lib.rs [] Some(18)"),
            ("a::doc::src/lib.rs -", "a src/lib.rs [] None"),
            ("a::doc::src/../README.md - Pages (line 14)", "a README.md [Pages] Some(14)"),
            ("a::doc::m/src/./../../d.md - (line 1)", "a d.md [] Some(1)"),
            ("a::doc::src/../a - b/f.md - f (line 2)", "a a - b/f.md [f] Some(2)"),
            ("a::doc::../x/README.md - f (line 2)", "a  [f] Some(2)"),
        ] {
            assert_eq!(parts(test).as_deref(), Some(wanted), "{test}");
        }
        assert_eq!(parts("a::tests::works"), None);
    }
}
