//! The local packages whose build scripts or procedural macros run when a package is built: one that a change of a
//! manifest adds to them is code of the repository that becomes code of the build.

use std::path::Path;

use base::{ProjectPath, SortedSet};
use edit::Files;
use preserve::{ManifestPackage, TomlText};

use super::build_needs::{self, PackageFolder, in_folder};
use super::links::with_folders;

/// The packages with such code, in one state of a tree, that are built with the package of a manifest: those of the
/// manifests in its folder and above it, their members, and what all these depend on.
pub(super) fn with_own_code(
    files: &dyn Files,
    names: &SortedSet<&ProjectPath>,
    manifest: &ProjectPath,
) -> SortedSet<PackageFolder> {
    let mut seen = SortedSet::new();
    let mut found = SortedSet::new();
    let above = with_folders(manifest).skip(1).map(Some);
    let mut queue: Vec<PackageFolder> = above.chain([None]).collect();
    while let Some(folder) = queue.pop() {
        let Some(manifest) = in_folder(&folder, "Cargo.toml") else { continue };
        let Some(state) = files.read(&manifest).ok().flatten() else { continue };
        if !seen.insert(folder.clone()) {
            continue;
        }
        let package = ManifestPackage::of_manifest(&state.text, folder.clone()).ok();
        let has_code = package.is_some_and(|it| {
            let is_there = |it: &ProjectPath| matches!(files.read(it), Ok(Some(_)) | Err(_));
            it.is_proc_macro || it.build_scripts.iter().any(is_there)
        });
        queue.extend(members(names, &folder, &state.text));
        let tables = build_needs::OF_TESTS;
        queue.extend(build_needs::needed(files, names, (&manifest, &state.text), tables));
        found.extend(has_code.then_some(folder));
    }
    found
}

/// The folders of the packages that the workspace of a manifest lists.
fn members(
    names: &SortedSet<&ProjectPath>,
    folder: &PackageFolder,
    text: &str,
) -> Vec<PackageFolder> {
    let keys = TomlText::of_broken(text);
    let listed = keys.texts(&["workspace", "members"]);
    let excluded = keys.texts(&["workspace", "exclude"]);
    if listed.is_empty() {
        return Vec::new();
    }
    let is_listed = |it: &ProjectPath| {
        let path = Path::new(it.as_str());
        let inner = folder.as_ref().map_or(Ok(path), |own| path.strip_prefix(own.as_str()));
        inner.is_ok_and(|it| build::lists_member(&listed, &excluded, it))
    };
    let folders = build_needs::manifests(names).filter_map(ProjectPath::parent);
    folders.filter(is_listed).map(Some).collect()
}
