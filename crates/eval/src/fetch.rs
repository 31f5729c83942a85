//! Downloads the crates that a suite needs and their dependencies, before a run. Builds nothing.
//! Start at [`fetch`].

use std::time::Duration;

use base::{Ctx, SortedMap};
use sandbox::{Mount, View};
use serde::Serialize;

use crate::bench::GradingToolchain;
use crate::layout::{Package, published, registry_folder};
use crate::{EvalError, RunEnvironment, Suite};

/// The result of [`fetch`].
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct FetchedSources {
    /// `name-version` of the sources that are in the registry now.
    pub present: Vec<String>,
    /// Those that could not be downloaded, with cargo's message.
    pub failed: Vec<String>,
}

/// Time limit of one `cargo fetch`.
const TIMEOUT: Duration = Duration::from_secs(300);

/// Downloads what a suite needs into cargo's registry folder (the sources of its crates and of
/// their locked dependencies) with `cargo fetch` in temporary packages. Builds nothing.
pub fn fetch(
    ctx: &Ctx,
    machine: &RunEnvironment,
    suite: &Suite,
) -> Result<FetchedSources, EvalError> {
    let mut fetched = FetchedSources::default();
    let wanted = wanted(suite);
    if wanted.is_empty() {
        return Ok(fetched);
    }
    let scratch = tempfile::tempdir()
        .map_err(|error| EvalError::io(std::path::Path::new("temp folder"), &error))?;
    let root = scratch
        .path()
        .canonicalize()
        .map_err(|error| EvalError::io(scratch.path(), &error))?
        .join("fetch");
    let bench = GradingToolchain::new(
        ctx,
        scratch.path(),
        &machine.settings,
        &machine.surroundings,
        &machine.sandbox,
    )?;
    let home = &machine.surroundings.cargo_home;
    let bring = |package: &Package| -> Result<Option<String>, EvalError> {
        package.write(&root)?;
        let view =
            View { mounts: vec![Mount::Writable { host: root.clone(), inside: root.clone() }] };
        let files = build::ProjectFiles::of_tree(&root);
        let fresh = build::FreshView::new(&view, &root, &files);
        Ok(match build::fetch(ctx, bench.env(), fresh, TIMEOUT)? {
            build::Fetched::Complete { .. } => None,
            build::Fetched::Failed { reason } => Some(reason),
        })
    };
    for (name, (krate, version)) in wanted {
        ctx.progress("fetching", &name);
        let mut problem = None;
        if registry_folder(home, &name).is_none() {
            problem = bring(&asking(krate, version))?;
        }
        match (registry_folder(home, &name), suite) {
            (Some(sources), Suite::BreakFix { cases, folder }) => {
                let case = cases.iter().map(|case| &case.data).find(|it| it.package() == name);
                if let Some(case) = case {
                    problem = bring(&published(&sources, case, &folder.join("locks"))?)?;
                }
            }
            (Some(_), _) => problem = None,
            (None, _) => problem = problem.or(Some("its sources did not come".to_owned())),
        }
        match problem {
            None => fetched.present.push(name),
            Some(problem) => fetched.failed.push(format!("{name}: {problem}")),
        }
    }
    Ok(fetched)
}

/// The crates and versions of a suite, by `name-version`.
fn wanted(suite: &Suite) -> SortedMap<String, (&str, &str)> {
    match suite {
        Suite::BreakFix { cases, .. } => cases
            .iter()
            .map(|case| (case.data.package(), (&*case.data.krate, &*case.data.version)))
            .collect(),
        Suite::Localise(cases) => cases
            .iter()
            .map(|case| (case.data.package(), (&*case.data.krate, &*case.data.version)))
            .collect(),
        Suite::Doc2Item(suite) => suite
            .cases
            .iter()
            .map(|case| (case.data.package(), (&*case.data.krate, &*case.data.version)))
            .collect(),
        Suite::FileQuestions(cases) => cases
            .iter()
            .map(|case| (case.data.package(), (&*case.data.krate, &*case.data.version)))
            .collect(),
        Suite::RustFix(_) | Suite::ErrorIndex(_) | Suite::Receivers(_) => SortedMap::new(),
    }
}

/// An empty package that depends on exactly this version, so that cargo downloads its sources.
fn asking(name: &str, version: &str) -> Package {
    let manifest = format!(
        "[package]\nname = \"asking\"\nversion = \"0.0.0\"\nedition = \"2021\"\n\n[dependencies]\n\
         {name} = {{ version = \"={version}\", default-features = false }}\n\n[workspace]\n"
    );
    let texts = [("Cargo.toml".to_owned(), manifest), ("src/lib.rs".to_owned(), String::new())];
    Package { texts: texts.into(), ..Package::default() }
}
