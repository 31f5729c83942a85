//! The table of third-party macros that rules refer to (`third_party.txt`), part of the program.

const TABLE: &str = include_str!("third_party.txt");

/// The kinds of rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ThirdParty {
    /// A macro whose tokens are a struct that gets `project()`.
    PinProjectItem,
    /// An attribute macro of such a struct.
    PinProjectAttribute,
}

impl ThirdParty {
    /// Whether the table has the path with this kind.
    pub(crate) fn contains(self, path: &str) -> bool {
        rows().any(|(kind, of, _)| kind == self.name() && of == path)
    }

    fn name(self) -> &'static str {
        match self {
            Self::PinProjectItem => "pin_project_item",
            Self::PinProjectAttribute => "pin_project_attribute",
        }
    }
}

/// Kind, path and source of each row.
fn rows() -> impl Iterator<Item = (&'static str, &'static str, &'static str)> {
    TABLE.lines().filter(|line| !line.starts_with('#')).filter_map(|line| {
        let mut columns = line.split_ascii_whitespace();
        Some((columns.next()?, columns.next()?, columns.next()?))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_row_has_a_known_kind_and_a_source() {
        let kinds = [ThirdParty::PinProjectItem, ThirdParty::PinProjectAttribute];
        let lines = TABLE.lines().filter(|line| !line.starts_with('#')).count();
        assert_eq!(rows().count(), lines);
        for (kind, path, source) in rows() {
            assert!(kinds.iter().any(|it| it.name() == kind), "{kind}");
            assert!(path.contains("::") && source.starts_with("https://"), "{path}");
        }
        for kind in kinds {
            assert!(rows().any(|(name, ..)| name == kind.name()));
        }
    }
}
