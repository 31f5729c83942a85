//! The apps that serve the pages of stories: built from the tree, started by `world`.

use std::time::Duration;

use build::{CargoWorkspace, Command, Packages, Verb};
use world::{AppBuild, AppCommand, ServedApp, StoryPage};

use crate::ladder_run::LadderRun;
use crate::place::Place;
use crate::prover::Prover;
use crate::text::counted;
use crate::{CheckError, Ladder, Scope, StoriesFound};

/// An app, or why there is none.
pub(crate) type BuiltApp = Result<Result<AppCommand, NoApp>, CheckError>;

/// Why there is no app to start.
#[derive(Debug, thiserror::Error)]
pub(crate) enum NoApp {
    #[error("the app does not build: {errors}")]
    NotBuilt { errors: String },
    #[error("cargo cannot read the workspace")]
    Workspace,
    #[error("the workspace has no package `{0}`")]
    Package(String),
    #[error("`cargo run` without `-p`: the workspace has several packages")]
    Packages,
    #[error("the package `{0}` has no program `{1}`")]
    Bin(String, String),
    #[error("the package `{0}` has {1} programs: name one by `--bin`")]
    Bins(String, usize),
}

impl Prover {
    /// The configurations whose packages are needed: those of a ladder, and those of the apps of stories.
    pub(crate) fn with_story_apps(&self, ladder: &Ladder, found: &StoriesFound) -> Vec<Scope> {
        let mut scopes = ladder.more.clone();
        for file in found.files.iter().filter(|_| ladder.stories) {
            if let StoryPage::Served(served) = &file.page {
                let AppBuild { features, all_features, .. } = &served.build;
                let (features, all_features) = (features.clone(), *all_features);
                scopes.push(Scope { features, all_features, ..Scope::default() });
            }
        }
        scopes
    }
}

impl LadderRun<'_> {
    /// Builds the apps of all stories, for a warm target.
    pub(crate) fn build_apps(
        &mut self,
        workspace: Option<&CargoWorkspace>,
        found: &StoriesFound,
        timeout: Duration,
    ) -> Result<(), CheckError> {
        for file in &found.files {
            if let StoryPage::Served(served) = &file.page {
                // One that does not build is a finding of the run that needs it.
                let _ = self.app(workspace, served, timeout)?;
            }
        }
        Ok(())
    }

    /// The app of stories, built from what the view shows; or why there is none.
    pub(crate) fn app(
        &mut self,
        workspace: Option<&CargoWorkspace>,
        served: &ServedApp,
        timeout: Duration,
    ) -> BuiltApp {
        let (package, bin) = match program(workspace, served) {
            Ok(names) => names,
            Err(reason) => return Ok(Err(reason)),
        };
        let mut command = Command::new(Verb::Build, timeout);
        command.packages = Packages::Named(vec![package]);
        let AppBuild { features, all_features, no_default_features, release } = &served.build;
        command.features.clone_from(features);
        command.all_features = *all_features;
        command.no_default_features = *no_default_features;
        command.release = *release;
        let report = self.ask(&command)?;
        self.keep(&report);
        if !report.built {
            return Ok(Err(NoApp::NotBuilt { errors: counted(report.errors(), "error") }));
        }
        Ok(Ok(command_of(&self.place, served, &bin)))
    }
}

fn command_of(place: &Place<'_>, served: &ServedApp, bin: &str) -> AppCommand {
    let target = place.target;
    let mut view = place.shown.view.clone();
    view.mounts.extend(target.mounts.iter().cloned());
    let profile = if served.build.release { "release" } else { "debug" };
    let env = [
        ("PATH", "/usr/bin:/bin".into()),
        ("LANG", "C.UTF-8".into()),
        ("HOST", "127.0.0.1".into()),
        ("PORT", served.port.to_string().into()),
        ("HOME", target.home.clone().into_os_string()),
        ("TMPDIR", target.tmp.clone().into_os_string()),
    ];
    AppCommand {
        program: target.inside.join(profile).join(bin),
        args: served.args.iter().map(Into::into).collect(),
        cwd: place.shown.root.clone(),
        env: env.into_iter().map(|(name, value)| (name.into(), value)).collect(),
        view,
    }
}

/// Package and name of the program that serves an app.
fn program(
    workspace: Option<&CargoWorkspace>,
    served: &ServedApp,
) -> Result<(String, String), NoApp> {
    let manifests = &workspace.ok_or(NoApp::Workspace)?.manifests;
    let manifest = match (&served.package, manifests.as_slice()) {
        (Some(name), all) => all.iter().find(|it| it.name == *name),
        (None, [only]) => Some(only),
        (None, _) => return Err(NoApp::Packages),
    };
    let missing = || NoApp::Package(served.package.clone().unwrap_or_default());
    let manifest = manifest.ok_or_else(missing)?;
    let bins = manifest.targets.iter().filter(|it| it.kind == "bin").map(|it| it.name.as_str());
    let bins: Vec<&str> = bins.collect();
    let package = manifest.name.clone();
    match (&served.bin, bins.as_slice()) {
        (Some(bin), bins) if bins.contains(&bin.as_str()) => Ok((package, bin.clone())),
        (Some(bin), _) => Err(NoApp::Bin(package, bin.clone())),
        (None, [only]) => Ok((package, (*only).to_owned())),
        (None, bins) => Err(NoApp::Bins(package, bins.len())),
    }
}
