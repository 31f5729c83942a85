//! [`ManifestPackage`]: the package that a file is in, by the nearest manifest above it, as cargo reads it. Used
//! for what a model may edit, what a suggestion may change and what the gate protects.

use base::ProjectPath;
use edit::Files;

use crate::toml_text::{TomlData, TomlFault, TomlText};

/// A package, as its manifest describes it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ManifestPackage {
    /// Folder of the manifest; `None`: the root of the project.
    pub folder: Option<ProjectPath>,
    /// `package.name`; `None` for a virtual workspace.
    pub name: Option<String>,
    /// Paths of the build scripts: `package.build`, else `build.rs`, whether or not it exists.
    pub build_scripts: Vec<ProjectPath>,
    /// Whether the library is a procedural macro.
    pub is_proc_macro: bool,
}

impl ManifestPackage {
    /// The package of the manifest `text` in `folder`.
    ///
    /// # Errors
    /// A manifest that does not parse.
    pub fn of_manifest(text: &str, folder: Option<ProjectPath>) -> Result<Self, TomlFault> {
        let keys = TomlText::parse(text)?;
        let scripts: Vec<&str> = match keys.value(&["package", "build"]).map(|it| &it.data) {
            Some(TomlData::Flag(false)) => Vec::new(),
            None | Some(TomlData::Flag(true)) => vec!["build.rs"],
            Some(data) => data.members().iter().filter_map(TomlData::as_text).collect(),
        };
        let in_folder = |path: &&str| match &folder {
            Some(folder) => normal(&format!("{folder}/{path}")),
            None => normal(path),
        };
        let is_macro = |text: &TomlData| text.as_text() == Some("proc-macro");
        let types = keys.value(&["lib", "crate-type"]);
        Ok(Self {
            build_scripts: scripts.iter().filter_map(in_folder).collect(),
            name: keys.text(&["package", "name"]).map(str::to_owned),
            is_proc_macro: keys.is_true(&["lib", "proc-macro"])
                || types.is_some_and(|it| it.data.members().iter().any(is_macro)),
            folder,
        })
    }

    /// The package of a file: that of the nearest manifest above it that names one.
    ///
    /// # Errors
    /// A manifest that does not parse.
    pub fn of_file(files: &dyn Files, path: &ProjectPath) -> Result<Option<Self>, TomlFault> {
        let mut folder = path.parent();
        loop {
            let manifest = match &folder {
                Some(folder) => ProjectPath::new(&format!("{folder}/Cargo.toml")),
                None => ProjectPath::new("Cargo.toml"),
            };
            if let Some(state) = manifest.ok().and_then(|it| files.read(&it).ok().flatten()) {
                let package = Self::of_manifest(&state.text, folder.clone())?;
                if package.name.is_some() {
                    return Ok(Some(package));
                }
            }
            let Some(inner) = folder else { return Ok(None) };
            folder = inner.parent();
        }
    }

    /// Whether the file is part of a build script: it is one, or is beside one as its modules are.
    pub fn is_build_script(&self, path: &ProjectPath) -> bool {
        let sources = match &self.folder {
            Some(folder) => format!("{folder}/src"),
            None => "src".to_owned(),
        };
        let is_part = |script: &ProjectPath| {
            let parent = script.parent();
            if script == path {
                return true;
            }
            match &parent {
                _ if parent == self.folder => {
                    path.parent() == parent && path.as_str().ends_with(".rs")
                }
                Some(folder) => folder.as_str() != sources && path.is_within(folder),
                None => false,
            }
        };
        self.build_scripts.iter().any(is_part)
    }
}

/// A path without `.` and `..`, as a manifest or a `#[path]` may have it; `None` if it leads out of the project.
pub fn normal(path: &str) -> Option<ProjectPath> {
    let mut parts: Vec<&str> = Vec::new();
    for part in path.split('/') {
        match part {
            "." | "" => {}
            ".." => {
                parts.pop()?;
            }
            part => parts.push(part),
        }
    }
    ProjectPath::new(&parts.join("/")).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn package(manifest: &str) -> ManifestPackage {
        ManifestPackage::of_manifest(manifest, ProjectPath::new("m").ok()).unwrap()
    }

    #[test]
    fn a_package_has_the_build_scripts_that_its_manifest_names() {
        for (manifest, file, is_script) in [
            ("package.build = 'gen/main.rs'", "m/gen/main.rs", true),
            ("package.build = 'gen/main.rs'", "m/gen/tables.rs", true),
            ("package.build = 'gen/main.rs'", "m/src/main.rs", false),
            ("package = { \"b\\u0075ild\" = \"src/../x.rs\" }", "m/x.rs", true),
            ("[package]\nbuild = [\"a.rs\", \"src/b.rs\"]\n", "m/src/b.rs", true),
            ("[package]\nbuild = \"src/b.rs\"\n", "m/src/lib.rs", false),
            ("[package]\nname = \"m\"\n", "m/build.rs", true),
            ("[package]\nbuild = false\n", "m/build.rs", false),
            ("[package]\nname = \"m\"\n", "m/src/build.rs", false),
        ] {
            let path = ProjectPath::new(file).unwrap();
            assert_eq!(package(manifest).is_build_script(&path), is_script, "{manifest}: {file}");
        }
    }

    #[test]
    fn each_spelling_of_a_procedural_macro_is_one() {
        for manifest in [
            "[lib]\nproc-macro = true",
            "[lib]\nproc_macro = true",
            "lib = { proc-macro = true }",
            "lib.proc-macro = true",
            "\"l\\u0069b\".\"proc\\u002dmacro\" = true",
            "[lib]\ncrate-type = [\"proc-macro\"]",
        ] {
            assert!(package(manifest).is_proc_macro, "{manifest}");
        }
        assert!(!package("[lib]\nproc-macro = false\n").is_proc_macro);
        assert_eq!(package("package.name = \"a\"").name.as_deref(), Some("a"));
        assert!(ManifestPackage::of_manifest("[package\n", None).is_err());
    }
}
