//! The parts of a change that only a person may allow and that its paths do not show: keys of manifests
//! that decide how code is built, and build scripts that a manifest names. Computed from the overlay
//! itself when a proof begins, so that no caller can leave it out.

use base::ProjectPath;
use edit::{FileState, Files, Overlay, Unreadable};
use policy::{Exception, ProtectedChange};
use preserve::Package;

/// What of the overlay is protected, ordered by file and key.
pub(crate) fn changes(files: &dyn Files, overlay: &Overlay) -> Vec<ProtectedChange> {
    let mut found = Vec::new();
    for (path, change) in overlay.changes() {
        if path.file_name().eq_ignore_ascii_case("Cargo.toml") {
            let from = change.renamed_from.as_ref().and_then(|it| overlay.get(it));
            let before = from.unwrap_or(change).before_text();
            manifest(path, before, change.after_text(), &mut found);
        }
        if path.as_str().to_ascii_lowercase().ends_with(".rs") && policy::protected(path).is_none()
        {
            found.extend(build_script(files, overlay, path));
        }
    }
    found.sort();
    found.dedup();
    found
}

fn manifest(path: &ProjectPath, before: &str, after: &str, found: &mut Vec<ProtectedChange>) {
    match preserve::changed_keys(before, after) {
        Ok(keys) => found.extend(keys.iter().filter_map(|it| {
            let row = policy::protected_key(&it.key, it.value.as_deref())?;
            Some(ProtectedChange {
                path: path.clone(),
                key: Some(it.key.join(".")),
                reason: row.reason.to_owned(),
                by_rules: row.except == Exception::OwnRules,
            })
        })),
        Err(fault) => found.push(ProtectedChange {
            path: path.clone(),
            key: None,
            reason: format!("a manifest that does not parse ({fault})"),
            by_rules: false,
        }),
    }
}

/// The file as a build script of its package, before the change or after it.
fn build_script(
    files: &dyn Files,
    overlay: &Overlay,
    path: &ProjectPath,
) -> Option<ProtectedChange> {
    let after = Changed { files, overlay };
    let states: [&dyn Files; 2] = [files, &after];
    let is_part = states.iter().any(|files| match Package::of_file(*files, path) {
        Ok(package) => package.is_some_and(|it| it.is_build_script(path)),
        // A manifest that does not parse is reported for itself, and builds nothing.
        Err(_) => false,
    });
    is_part.then(|| ProtectedChange {
        path: path.clone(),
        key: None,
        reason: "part of a build script, which cargo runs during the build".to_owned(),
        by_rules: true,
    })
}

/// The files with the overlay on top.
struct Changed<'a> {
    files: &'a dyn Files,
    overlay: &'a Overlay,
}

impl Files for Changed<'_> {
    fn read(&self, path: &ProjectPath) -> Result<Option<FileState>, Unreadable> {
        match self.overlay.get(path) {
            Some(change) => Ok(change.after.clone()),
            None => self.files.read(path),
        }
    }
}
