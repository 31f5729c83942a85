//! Reads the manifests directly when cargo cannot be run or rejects them. Targets are found by
//! cargo's rules; what only cargo knows (inheritance from a parent workspace outside the tree, the
//! resolver's features) is left out.

use std::path::Path;

use base::{ProjectPath, SortedMap};
use build::{DependencyKind, Manifest, ManifestDependency, Manifests, Target};
use toml::{Table, Value};

use crate::discover::Tree;

/// Reads the manifests of a tree as far as possible.
pub(crate) fn guess(root: &Path, tree: &Tree) -> Manifests {
    let read = |path: &ProjectPath| -> Option<Table> {
        String::from_utf8(untrusted_fs::read_source(root, path.as_str())?).ok()?.parse().ok()
    };
    let tables: SortedMap<&ProjectPath, Table> =
        tree.manifests.iter().filter_map(|path| Some((path, read(path)?))).collect();
    let workspace = tables
        .iter()
        .find(|(path, _)| path.parent().is_none())
        .and_then(|(_, table)| table.get("workspace")?.as_table())
        .cloned()
        .unwrap_or_default();
    let mut packages: Vec<Manifest> = tables
        .iter()
        .filter_map(|(path, table)| package(root, tree, &workspace, path, table))
        .collect();
    if packages.is_empty() {
        packages.extend(bare(root, tree));
    }
    packages.sort_by(|a, b| (&a.name, &a.dir).cmp(&(&b.name, &b.dir)));
    Manifests { packages }
}

fn package(
    root: &Path,
    tree: &Tree,
    workspace: &Table,
    path: &ProjectPath,
    table: &Table,
) -> Option<Manifest> {
    let package = table.get("package").or_else(|| table.get("project"))?.as_table()?;
    let folder = path.parent();
    let inherited = workspace.get("package").and_then(Value::as_table);
    let text = |key: &str| {
        let own = package.get(key)?;
        let from = inherited.and_then(|it| it.get(key));
        own.as_str().or_else(|| from?.as_str()).map(str::to_owned)
    };
    let name = text("name").unwrap_or_else(|| folder_name(root, folder.as_ref()));
    let edition = text("edition").unwrap_or_else(|| "2015".to_owned());
    let mut dependencies = Vec::new();
    collect_dependencies(table, workspace, root, folder.as_ref(), &mut dependencies);
    let mut features = SortedMap::new();
    for (feature, on) in table.get("features").and_then(Value::as_table).into_iter().flatten() {
        features.insert(feature.clone(), strings(on));
    }
    for dependency in dependencies.iter().filter(|it: &&ManifestDependency| it.optional) {
        let name = dependency.rename.as_ref().unwrap_or(&dependency.package);
        features.entry(name.clone()).or_insert_with(|| vec![format!("dep:{name}")]);
    }
    let dir = folder.as_ref().map_or_else(|| root.to_owned(), |folder| folder.join_to(root));
    let targets = Finder { root, tree, folder: folder.as_ref(), table, name: &name, edition };
    Some(Manifest {
        targets: targets.all(),
        version: text("version").unwrap_or_else(|| "0.0.0".to_owned()),
        dir,
        features,
        dependencies,
        rust_version: text("rust-version"),
        name,
    })
}

/// Without any manifest the tree is one crate; its root is the most likely file.
fn bare(root: &Path, tree: &Tree) -> Option<Manifest> {
    let usual = ["src/lib.rs", "lib.rs", "src/main.rs", "main.rs", "src/mod.rs", "mod.rs"];
    let has = |name: &&&str| tree.rust.iter().any(|path| path.as_str() == **name);
    let crate_root = match usual.iter().find(has) {
        Some(name) => ProjectPath::new(name).ok()?,
        // The file nearest to the top.
        None => {
            tree.rust.iter().min_by_key(|path| (path.as_str().matches('/').count(), *path))?.clone()
        }
    };
    let name = folder_name(root, None);
    let kind = if crate_root.file_name() == "main.rs" { "bin" } else { "lib" };
    Some(Manifest {
        version: "0.0.0".to_owned(),
        dir: root.to_owned(),
        targets: vec![Target {
            name: name.clone(),
            kind: kind.to_owned(),
            root: crate_root.join_to(root),
            edition: "2024".to_owned(),
            required_features: Vec::new(),
        }],
        name,
        ..Manifest::default()
    })
}

fn folder_name(root: &Path, folder: Option<&ProjectPath>) -> String {
    let name = match folder {
        Some(folder) => folder.file_name().to_owned(),
        None => root.file_name().unwrap_or_default().to_string_lossy().into_owned(),
    };
    let name: String =
        name.chars().map(|c| if c.is_alphanumeric() || c == '-' { c } else { '_' }).collect();
    if name.is_empty() { "project".to_owned() } else { name }
}

/// Finds the targets of one package.
struct Finder<'a> {
    root: &'a Path,
    tree: &'a Tree,
    folder: Option<&'a ProjectPath>,
    table: &'a Table,
    name: &'a str,
    edition: String,
}

impl Finder<'_> {
    fn all(&self) -> Vec<Target> {
        let mut targets = Vec::new();
        self.library(&mut targets);
        self.several("bin", "src/bin", &mut targets);
        self.several("example", "examples", &mut targets);
        self.several("test", "tests", &mut targets);
        self.several("bench", "benches", &mut targets);
        let package = self.table.get("package").and_then(Value::as_table);
        let build = package.and_then(|it| it.get("build"));
        let script = build.and_then(Value::as_str).unwrap_or("build.rs");
        if build != Some(&Value::Boolean(false)) && self.has(script) {
            targets.push(self.target("build-script-build", "build", script));
        }
        targets
    }

    fn library(&self, targets: &mut Vec<Target>) {
        let lib = self.table.get("lib").and_then(Value::as_table);
        let text = |key: &str| lib.and_then(|it| it.get(key)?.as_str());
        let path = text("path").unwrap_or("src/lib.rs");
        if !self.has(path) {
            return;
        }
        let is_macro = ["proc-macro", "proc_macro"]
            .iter()
            .any(|key| lib.and_then(|it| it.get(*key)?.as_bool()) == Some(true));
        let name = text("name").map_or_else(|| self.name.replace('-', "_"), str::to_owned);
        targets.push(self.target(&name, if is_macro { "proc-macro" } else { "lib" }, path));
    }

    /// The listed targets, then those in cargo's default directories.
    fn several(&self, kind: &str, default_dir: &str, targets: &mut Vec<Target>) {
        let listed = self.table.get(kind).and_then(Value::as_array).into_iter().flatten();
        for table in listed.filter_map(Value::as_table) {
            let Some(name) = table.get("name").and_then(Value::as_str) else { continue };
            let usual = [
                format!("{default_dir}/{name}.rs"),
                format!("{default_dir}/{name}/main.rs"),
                "src/main.rs".to_owned(),
            ];
            let path = match table.get("path").and_then(Value::as_str) {
                Some(path) => Some(path.to_owned()),
                None => usual.into_iter().find(|path| self.has(path)),
            };
            let Some(path) = path.filter(|path| self.has(path)) else { continue };
            let mut target = self.target(name, kind, &path);
            target.required_features =
                table.get("required-features").map(strings).unwrap_or_default();
            targets.push(target);
        }
        let mut found = Vec::new();
        if kind == "bin" && self.has("src/main.rs") {
            found.push((self.name.to_owned(), "src/main.rs".to_owned()));
        }
        let prefix = format!("{default_dir}/");
        for path in &self.tree.rust {
            let Some(path) = self.below(path) else { continue };
            let Some(rest) = path.strip_prefix(&prefix) else { continue };
            let stem = rest.strip_suffix("/main.rs").or_else(|| rest.strip_suffix(".rs"));
            if let Some(stem) = stem.filter(|stem| !stem.contains('/')) {
                found.push((stem.to_owned(), path.to_owned()));
            }
        }
        for (name, path) in found {
            let target = self.target(&name, kind, &path);
            let is_listed =
                |it: &Target| it.kind == kind && (it.root == target.root || it.name == name);
            if !targets.iter().any(is_listed) {
                targets.push(target);
            }
        }
    }

    fn target(&self, name: &str, kind: &str, path: &str) -> Target {
        let dir = self.folder.map_or_else(|| self.root.to_owned(), |it| it.join_to(self.root));
        Target {
            name: name.to_owned(),
            kind: kind.to_owned(),
            root: dir.join(path),
            edition: self.edition.clone(),
            required_features: Vec::new(),
        }
    }

    /// The path below the package's directory.
    fn below<'p>(&self, path: &'p ProjectPath) -> Option<&'p str> {
        match self.folder {
            None => Some(path.as_str()),
            Some(folder) => path.as_str().strip_prefix(folder.as_str())?.strip_prefix('/'),
        }
    }

    fn has(&self, path: &str) -> bool {
        let inside = match self.folder {
            None => ProjectPath::new(path),
            Some(folder) => ProjectPath::new(&format!("{folder}/{path}")),
        };
        inside.is_ok_and(|inside| self.tree.rust.binary_search(&self.tree.real(&inside)).is_ok())
    }
}

fn collect_dependencies(
    table: &Table,
    workspace: &Table,
    root: &Path,
    folder: Option<&ProjectPath>,
    found: &mut Vec<ManifestDependency>,
) {
    let dir = folder.map_or_else(|| root.to_owned(), |it| it.join_to(root));
    for (section, kind) in [
        ("dependencies", DependencyKind::Normal),
        ("dev-dependencies", DependencyKind::Dev),
        ("dev_dependencies", DependencyKind::Dev),
        ("build-dependencies", DependencyKind::Build),
        ("build_dependencies", DependencyKind::Build),
    ] {
        for (name, value) in table.get(section).and_then(Value::as_table).into_iter().flatten() {
            let own = value.as_table();
            let is_inherited = own.and_then(|it| it.get("workspace")?.as_bool()) == Some(true);
            let shared = workspace.get("dependencies").and_then(|it| it.get(name)?.as_table());
            let shared = shared.filter(|_| is_inherited);
            let get = |key: &str| own.and_then(|it| it.get(key)).or_else(|| shared?.get(key));
            let package = get("package").and_then(Value::as_str);
            let mut features = shared.and_then(|it| it.get("features")).map(strings);
            features
                .get_or_insert_default()
                .extend(own.and_then(|it| it.get("features")).map(strings).unwrap_or_default());
            let base = match own.is_some_and(|it| it.contains_key("path")) {
                true => dir.as_path(),
                false => root,
            };
            let path = get("path").and_then(Value::as_str).and_then(|path| {
                let inside = base.join(path);
                inside.canonicalize().ok()
            });
            found.push(ManifestDependency {
                package: package.unwrap_or(name).to_owned(),
                rename: package.map(|_| name.clone()),
                kind,
                optional: get("optional").and_then(Value::as_bool).unwrap_or(false),
                features: features.unwrap_or_default(),
                default_features: get("default-features").and_then(Value::as_bool).unwrap_or(true),
                path,
                target: None,
            });
        }
    }
    for target in table.get("target").and_then(Value::as_table).into_iter().flatten() {
        if let Some(inner) = target.1.as_table() {
            let before = found.len();
            collect_dependencies(inner, workspace, root, folder, found);
            for own in found.iter_mut().skip(before) {
                own.target = Some(target.0.clone());
            }
        }
    }
}

fn strings(value: &Value) -> Vec<String> {
    let all = value.as_array().into_iter().flatten();
    all.filter_map(Value::as_str).map(str::to_owned).collect()
}
