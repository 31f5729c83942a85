//! The test targets that manifests give a file of their own.

use base::{ProjectPath, SortedSet};
use preserve::{TomlText, normal};

use super::texts::{Side, Texts};

/// The files of `[[test]]` and `[[bench]]` targets on one side.
pub(super) fn of_tests(texts: &mut Texts<'_>, side: Side) -> SortedSet<ProjectPath> {
    let mut found = SortedSet::new();
    for path in texts.manifests() {
        let Some(text) = texts.text(path, side) else { continue };
        let folder = path.parent().map_or_else(String::new, |it| format!("{it}/"));
        for (key, value) in TomlText::of_broken(&text).iter() {
            let is_file = match key.parts() {
                [table, last] => {
                    (table.starts_with("test[") || table.starts_with("bench[")) && last == "path"
                }
                _ => false,
            };
            let file = value.data.as_text().filter(|_| is_file);
            found.extend(file.and_then(|it| normal(&format!("{folder}{it}"))));
        }
    }
    found
}
