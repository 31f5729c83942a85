//! The newest version of a package: of those that the registry lists, not of those that the lock file
//! makes cargo prefer.

use std::cmp::Ordering;

use build::{ListedRelease, Resolved, ResolvedPackage};
use check::Prover;
use edit::Overlay;

use super::unbuilt::Entry;
use super::{Begin, direct, short};
use crate::Error;

/// Longest reason of cargo in a note, in characters.
const REASON: usize = 200;

/// The Rust that a release may need, and why not a newer one.
pub(super) struct SupportedRust {
    version: Option<String>,
    pub(super) reason: String,
}

/// The Rust that builds the project, or the oldest one that a package with the dependency declares to
/// support.
pub(super) fn supported_rust(prover: &Prover, entries: &[Entry<'_>]) -> SupportedRust {
    let own = prover.rust_version();
    let declared = entries.iter().filter_map(|it| Some((it.manifest.rust_version.clone()?, it)));
    let oldest = declared.min_by(|(a, _), (b, _)| compared(a, b));
    match (own, oldest) {
        (Some(own), Some((version, entry))) if compared(&version, &own) == Ordering::Less => {
            let reason = format!("`{}` declares `rust-version = {version}`", entry.manifest.name);
            SupportedRust { version: Some(version), reason }
        }
        (own, _) => {
            let reason = format!("the toolchain is {}", own.as_deref().unwrap_or("unknown"));
            SupportedRust { version: own, reason }
        }
    }
}

impl Begin<'_> {
    /// The manifests with this requirement, and what cargo chooses.
    pub(super) fn with(&mut self, requirement: &str) -> Result<(Overlay, Resolved), Error> {
        self.wanted.insert(self.package.to_owned(), requirement.to_owned());
        self.resolve()
    }

    /// The same with the newest version that this Rust can build.
    pub(super) fn newest(
        &mut self,
        old: &Resolved,
        rust: &SupportedRust,
    ) -> Result<(Overlay, Resolved), Error> {
        let package = self.package.to_owned();
        let locked = old.packages.iter().filter(|it| it.name == package && it.is_registry);
        let locked = locked.map(|it| it.version.as_str()).max_by(|a, b| compared(a, b));
        let locked = locked.unwrap_or_default();
        // Newer than all that is locked: cargo prefers what is locked, and downloads no newer list.
        let found = match self.with(&format!(">{locked}")) {
            Err(Error::Upgrade { reason, .. }) if is_none_newer(&reason) => self.with(locked)?,
            found => found?,
        };
        let Some(chosen) = direct(&found.1, &package) else { return Ok(found) };
        let chosen_version = chosen.version.clone();
        let releases = match self.workspace.prover(self.ctx)?.releases(chosen) {
            Ok(releases) => releases,
            Err(reason) => {
                self.notes.push(format!("{chosen_version} is the choice of cargo; the list of versions is unknown: {reason}"));
                return Ok(found);
            }
        };
        let (newest, newer) = build::newest_release(&releases, rust.version.as_deref());
        self.note_newer(newer, rust);
        let Some(newest) = newest.filter(|it| it.version != chosen_version) else {
            return Ok(found);
        };
        let before = self.wanted.clone();
        // Exactly this one: of what the requirement allows, cargo would take a newer one again.
        match self.with(&format!("={}", newest.version)) {
            Ok(found) => Ok(found),
            Err(Error::Upgrade { reason, .. }) => {
                let reason: String =
                    reason.lines().next().unwrap_or("").chars().take(REASON).collect();
                self.notes.push(format!(
                    "{} is the newest, and cargo cannot choose it: {reason}",
                    newest.version
                ));
                self.wanted = before;
                Ok(found)
            }
            Err(error) => Err(error),
        }
    }

    /// Why nothing is upgraded, if the newest version is in use.
    pub(super) fn present(&self, version: &str) -> String {
        let notes = self.notes.iter().map(|it| format!("; {it}")).collect::<String>();
        short(&format!("{version} is in use, and no newer version can be chosen{notes}"))
    }

    /// The Rust that a version of a package needs, where it is newer than this one.
    pub(super) fn needs_newer(
        &self,
        (package, version): (&ResolvedPackage, &str),
        rust: &SupportedRust,
    ) -> Option<String> {
        let own = rust.version.as_deref()?;
        let releases = self.workspace.prover(self.ctx).ok()?.releases(package).ok()?;
        let needs = releases.into_iter().find(|it| it.version == version)?.rust_version?;
        (compared(&needs, own) == Ordering::Greater).then_some(needs)
    }

    fn note_newer(&mut self, newer: Option<&ListedRelease>, rust: &SupportedRust) {
        let Some(newer) = newer else { return };
        let needs = newer.rust_version.as_deref().unwrap_or("another version");
        self.notes
            .push(format!("{} is newer, but needs Rust {needs}: {}", newer.version, rust.reason));
    }
}

/// Whether cargo found no version that is newer.
fn is_none_newer(reason: &str) -> bool {
    reason.contains("failed to select a version for the requirement")
        || reason.contains("no matching package")
}

/// The order of two versions, by their numbers.
fn compared(a: &str, b: &str) -> Ordering {
    let parts = |it: &str| -> Vec<u64> {
        let it = it.split(['-', '+']).next().unwrap_or(it);
        it.split('.').map_while(|it| it.parse().ok()).collect()
    };
    let is_release = |it: &str| !it.contains('-');
    let key = |it: &str| (parts(it), is_release(it));
    key(a).cmp(&key(b))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_are_ordered_by_their_numbers() {
        for (less, more) in [("0.9.9", "0.10.0"), ("1.0.0-rc.1", "1.0.0"), ("1.70", "1.70.1")] {
            assert_eq!(compared(less, more), Ordering::Less, "{less} {more}");
        }
        assert_eq!(compared("1.2.3+a", "1.2.3+b"), Ordering::Equal);
    }
}
