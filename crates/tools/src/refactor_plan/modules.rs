//! The files of a module, which move when it is renamed.

use base::ProjectPath;
use syntax::places::{Definition, DefinitionKind};

use super::family::Family;
use super::fault::RefactorFault;
use super::{RefactorContext, SourceText};

/// The old and new paths of the module's files; nothing if it has none of its own.
pub(super) fn moves(
    context: &RefactorContext<'_>,
    family: &Family<'_>,
    to: &str,
) -> Result<Vec<(ProjectPath, ProjectPath)>, RefactorFault> {
    let to = to.trim_start_matches("r#");
    let mut found = Vec::new();
    for (source, module) in &family.members {
        let Some((base, files)) = files_of(context, source, module) else { continue };
        for (file, rest) in files {
            let target =
                ProjectPath::new(&format!("{base}{to}{rest}")).map_err(RefactorFault::FilePath)?;
            if context.files.contains(&target) {
                return Err(RefactorFault::FileExists(target));
            }
            found.push((file.clone(), target));
        }
    }
    found.sort();
    found.dedup();
    Ok(found)
}

/// Adds the declarations of the same files in other crates, such as a module that several test
/// targets share: they follow when the files move.
pub(super) fn add_sharing<'a>(context: &'a RefactorContext<'_>, family: &mut Family<'a>) {
    let own: Vec<&ProjectPath> = family
        .members
        .iter()
        .filter_map(|(source, module)| files_of(context, source, module))
        .flat_map(|(_, files)| files.into_iter().map(|(file, _)| file))
        .collect();
    let Some((_, first)) = family.members.first().filter(|_| !own.is_empty()) else { return };
    let name = first.name.clone();
    for source in context.sources.iter().filter(|it| it.text.contains(&name)) {
        for module in source.definitions().iter().filter(|it| it.name == name) {
            let files = files_of(context, source, module);
            let files = files.into_iter().flat_map(|(_, files)| files);
            if files.into_iter().any(|(file, _)| own.contains(&file)) {
                family.add(context, source, module);
            }
        }
    }
}

/// The files of a module that a declaration without a body names: the folder and the start of their
/// names, and each file with what follows the module's name.
fn files_of<'a>(
    context: &'a RefactorContext<'_>,
    source: &SourceText,
    module: &Definition,
) -> Option<(String, Vec<(&'a ProjectPath, &'a str)>)> {
    let head = source.text.get(module.span.start..module.name_span.start).unwrap_or("");
    if module.kind != DefinitionKind::Module || module.body.is_some() || head.contains("path") {
        return None;
    }
    let inline = inline_path(source, module);
    folders(&source.path).into_iter().find_map(|folder| {
        let base = format!("{folder}{inline}");
        let old = format!("{base}{}", module.name);
        let files = context.files.iter().filter_map(|file| {
            let rest = file.as_str().strip_prefix(&old)?;
            (rest == ".rs" || rest.starts_with('/')).then_some((file, rest))
        });
        let files: Vec<_> = files.collect();
        (!files.is_empty()).then_some((base, files))
    })
}

/// The folders in which the modules of a file can be: that of the file's own name, and its own for
/// the root of a crate and `mod.rs`.
fn folders(path: &ProjectPath) -> Vec<String> {
    let folder = path.parent().map_or_else(String::new, |it| format!("{it}/"));
    let stem = path.file_name().trim_end_matches(".rs");
    let own = format!("{folder}{stem}/");
    match stem {
        "mod" | "lib" | "main" => vec![folder],
        _ => vec![own, folder],
    }
}

/// The inline modules around a module, as folders.
fn inline_path(source: &SourceText, module: &Definition) -> String {
    let around = source.definitions().iter().filter(|it| {
        it.kind == DefinitionKind::Module && it.body.is_some_and(|it| it.contains(module.span))
    });
    around.map(|it| format!("{}/", it.name)).collect()
}
