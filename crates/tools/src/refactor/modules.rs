//! The files of a module, which move when it is renamed.

use base::ProjectPath;
use syntax::places::{Definition, DefinitionKind};

use super::family::Family;
use super::{Ground, SourceText};

/// The old and new paths of the module's files; nothing if it has none of its own.
pub(super) fn moves(
    ground: &Ground<'_>,
    family: &Family<'_>,
    to: &str,
) -> Result<Vec<(ProjectPath, ProjectPath)>, String> {
    let to = to.trim_start_matches("r#");
    let mut found = Vec::new();
    for (source, module) in &family.members {
        let head = source.text.get(module.span.start..module.name_span.start).unwrap_or("");
        if module.kind != DefinitionKind::Module || module.body.is_some() || head.contains("path") {
            continue;
        }
        let inline = inline_path(source, module);
        for folder in folders(&source.path) {
            let base = format!("{folder}{inline}");
            let (old, new) = (format!("{base}{}", module.name), format!("{base}{to}"));
            for file in &ground.files {
                let rest = file.as_str().strip_prefix(&old);
                let Some(rest) = rest.filter(|it| *it == ".rs" || it.starts_with('/')) else {
                    continue;
                };
                let target = ProjectPath::new(&format!("{new}{rest}"))
                    .map_err(|error| format!("the file of the module cannot move: {error}"))?;
                if ground.files.contains(&target) {
                    return Err(format!("its file would move to `{target}`, which exists"));
                }
                found.push((file.clone(), target));
            }
            if !found.is_empty() {
                break;
            }
        }
    }
    found.sort();
    found.dedup();
    Ok(found)
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
