//! Multi-file fixtures in one text, with queries in them.

use std::fmt::Write as _;
use std::sync::Arc;

use base::ProjectPath;

use crate::workspace::FileInput;
use crate::{
    CfgSet, CrateIdx, CrateInput, DefId, DefMap, Dependency, Deps, Existence, FileIdx, NameScope,
    Namespace, Resolution, WorkspaceInput,
};

/// Reads `//- path [crate:package/target] [edition:2018] [deps:name=package/target,outside]
/// [cfg:unix,feature=net] [proc-macro]` headers, each followed by the text of a file.
pub(crate) fn workspace(fixture: &str) -> WorkspaceInput {
    let mut files: Vec<(String, String, String)> = Vec::new();
    for line in fixture.lines() {
        match line.trim_start().strip_prefix("//- ") {
            Some(header) => {
                let (path, rest) = header.split_once(' ').unwrap_or((header, ""));
                files.push((path.to_owned(), rest.to_owned(), String::new()));
            }
            None => {
                if let Some((_, _, text)) = files.last_mut() {
                    text.push_str(line);
                    text.push('\n');
                }
            }
        }
    }
    build(&files)
}

/// Builds a workspace from paths, headers and texts.
pub(crate) fn build(files: &[(String, String, String)]) -> WorkspaceInput {
    let mut workspace = WorkspaceInput::default();
    let mut crates: Vec<(CrateInput, String)> = Vec::new();
    for (at, (path, header, text)) in files.iter().enumerate() {
        workspace.files.push(FileInput {
            path: ProjectPath::new(path).unwrap(),
            facts: Arc::new(syntax::read(text)),
            text: Arc::from(text.as_str()),
        });
        let value = |key: &str| header.split_whitespace().find_map(|it| it.strip_prefix(key));
        let Some(name) = value("crate:") else { continue };
        let mut cfg = CfgSet::default();
        for it in value("cfg:").unwrap_or("").split(',').filter(|it| !it.is_empty()) {
            match it.split_once('=') {
                Some((key, value)) => {
                    cfg.values.entry(key.to_owned()).or_default().insert(value.to_owned());
                }
                None => {
                    cfg.flags.insert(it.to_owned());
                }
            }
        }
        let input = CrateInput {
            name: name.to_owned(),
            extern_name: name.rsplit('/').next().unwrap().replace('-', "_"),
            root: at as u32,
            edition: value("edition:").map_or(2021, |it| it.parse().unwrap()),
            cfg,
            dependencies: Vec::new(),
            is_proc_macro: header.contains("proc-macro"),
        };
        crates.push((input, value("deps:").unwrap_or("").to_owned()));
    }
    crates.sort_by(|a, b| a.0.name.cmp(&b.0.name));
    let names: Vec<String> = crates.iter().map(|it| it.0.name.clone()).collect();
    for (mut input, deps) in crates {
        for it in deps.split(',').filter(|it| !it.is_empty()) {
            let (name, to) = it.split_once('=').unwrap_or((it, ""));
            let to = names.iter().position(|it| it == to).map(|it| CrateIdx(it as u32));
            input.dependencies.push(Dependency { name: name.to_owned(), to });
        }
        input.dependencies.sort_by(|a, b| a.name.cmp(&b.name));
        workspace.crates.push(input);
    }
    workspace
}

/// The scope at an offset of a file, as far as items determine it.
pub(super) fn scope_at(map: &DefMap, file: FileIdx, offset: usize) -> NameScope {
    let facts = &map.source(file).facts;
    let item = syntax::item_at(&facts.file, base::ByteSpan::new(offset, offset));
    let Some(item) = item else {
        let root = map.module_of_file(file).unwrap();
        return NameScope { offset: offset as u32, ..map.scope_of(root) };
    };
    let def = map.def_of(file, item as u32);
    let mut scope = NameScope { offset: offset as u32, ..map.scope_of(def) };
    // The innermost block with items around the offset, approximated by its nearest items.
    for (number, body) in facts.bodies.iter().enumerate() {
        if body.item as usize != item {
            continue;
        }
        for (expr, _) in body.exprs.iter().enumerate().rev() {
            let expr = syntax::facts::ExprId(expr as u32);
            let Some(inner) = map.block_scope(scope, file, number as u32, expr) else { continue };
            if let syntax::facts::Expr::Block(_, stmts, _) = &body.exprs[expr.idx()]
                && stmts.iter().any(|it| match it {
                    syntax::facts::Stmt::Item(it) => {
                        let span = facts.file.items[*it as usize].span;
                        span.end <= offset && offset - span.end < 40
                    }
                    _ => false,
                })
            {
                scope = inner;
            }
        }
    }
    scope
}

pub(crate) fn show(map: &DefMap, of: DefId) -> String {
    let def = map.def(of);
    let mut text = map.canon(of);
    let disambiguator = map.disambiguator(of);
    if !disambiguator.is_empty() {
        write!(text, " [{disambiguator}]").unwrap();
    }
    if !def.is_active {
        text.push_str(" off");
    }
    match def.existence {
        Existence::Sure => {}
        Existence::Maybe => text.push_str(" maybe"),
        Existence::No => text.push_str(" not there"),
    }
    text
}

pub(super) fn show_resolution(map: &DefMap, resolution: &Resolution) -> Option<String> {
    Some(match resolution {
        Resolution::Def(def) => show(map, *def),
        Resolution::Ambiguous(all) => {
            let mut all: Vec<_> = all.iter().map(|it| show(map, *it)).collect();
            all.sort();
            format!("one of {}", all.join(" | "))
        }
        Resolution::Partial(def, used) => format!("{} after {used}", show(map, *def)),
        Resolution::SelfType(def) => format!("Self of {}", show(map, *def)),
        Resolution::Param(def, name) => {
            format!("parameter {} of {}", map.name_of(*name), show(map, *def))
        }
        Resolution::Prim(prim) => format!("primitive {}", prim.as_str()),
        Resolution::External(path) => format!("external {path}"),
        Resolution::None => return None,
    })
}

/// The results of a path in all three namespaces.
pub(super) fn resolve_path(map: &DefMap, deps: &mut Deps, scope: &NameScope, path: &str) -> String {
    let is_global = path.starts_with("::");
    let segments: Option<Vec<_>> =
        path.trim_start_matches("::").split("::").map(|it| map.symbol(it)).collect();
    let Some(segments) = segments else { return "nothing".to_owned() };
    let mut found = Vec::new();
    for (ns, name) in
        [(Namespace::Type, "type"), (Namespace::Value, "value"), (Namespace::Macro, "macro")]
    {
        let resolution = map.resolve(deps, scope, &segments, is_global, ns);
        if let Some(text) = show_resolution(map, &resolution) {
            found.push(format!("{name} {text}"));
        }
    }
    if found.is_empty() { "nothing".to_owned() } else { found.join(", ") }
}

/// The results of each `//? path` line of a fixture, resolved at that line.
pub(super) fn query_results(fixture: &str) -> String {
    let workspace = workspace(fixture);
    let map = DefMap::build(&workspace);
    let mut out = String::new();
    for (number, file) in workspace.files.iter().enumerate() {
        let mut offset = 0;
        for line in file.text.split_inclusive('\n') {
            let at = offset + (line.len() - line.trim_start().len());
            offset += line.len();
            let Some(path) = line.trim().strip_prefix("//? ") else { continue };
            let scope = scope_at(&map, FileIdx(number as u32), at);
            writeln!(out, "{path}: {}", resolve_path(&map, &mut Deps::new(), &scope, path))
                .unwrap();
        }
    }
    for problem in map.problems() {
        let path = &workspace.files[problem.file.0 as usize].path;
        writeln!(out, "problem {}: {}", path.as_str(), problem.kind).unwrap();
    }
    out
}
