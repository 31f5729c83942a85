//! [`Facts`]: what a package names of its origin.

use std::path::Path;
use std::process::Command;

use crate::Failure;
use crate::run::output;
use crate::tidy::Manifest;

/// Version, commit and compiler of a package.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Facts {
    pub(super) version: String,
    pub(super) licence: String,
    pub(super) authors: String,
    pub(super) description: String,
    /// Hash of the commit; with `-changed` where the tree differs from it.
    pub(super) commit: String,
    /// Date of the commit, as `2026-11-30`.
    pub(super) date: String,
    /// Seconds of the commit since 1970.
    pub(super) seconds: u64,
    pub(super) compiler: String,
    /// Target triple.
    pub(super) target: String,
}

impl Facts {
    pub(super) fn of(root: &Path) -> Result<Self, Failure> {
        let workspace = Manifest::read(&root.join("Cargo.toml")).map_err(Failure::Check)?;
        let package = Manifest::read(&root.join("crates/graftage/Cargo.toml"));
        let package = package.map_err(Failure::Check)?;
        let of_workspace = |key: &str| workspace.get("workspace.package", key).unwrap_or_default();
        let git = |args: &[&str]| {
            let text = output(Command::new("git").current_dir(root).args(args))?;
            Ok::<String, Failure>(text.trim().to_owned())
        };
        let mut commit = git(&["rev-parse", "HEAD"])?;
        if !git(&["status", "--porcelain"])?.is_empty() {
            commit.push_str("-changed");
        }
        let seconds = git(&["log", "-1", "--format=%ct"])?;
        let compiler = output(Command::new("rustc").current_dir(root).arg("-vV"))?;
        let host = compiler.lines().find_map(|it| it.strip_prefix("host: "));
        Ok(Self {
            version: of_workspace("version"),
            licence: of_workspace("license"),
            authors: of_workspace("authors").trim_matches(['[', ']', '"']).to_owned(),
            description: package.get("package", "description").unwrap_or_default(),
            commit,
            date: git(&["log", "-1", "--format=%cs"])?,
            seconds: seconds
                .parse()
                .map_err(|_| Failure::Check(format!("no time of a commit: `{seconds}`")))?,
            compiler: compiler.lines().next().unwrap_or_default().to_owned(),
            target: host.unwrap_or_default().to_owned(),
        })
    }

    /// `graftage-0.1.0-x86_64-unknown-linux-gnu`.
    pub(super) fn package_name(&self) -> String {
        format!("graftage-{}-{}", self.version, self.target)
    }

    /// Variables by which the program knows its origin.
    pub(super) fn variables(&self) -> [(&str, String); 4] {
        [
            ("GRAFTAGE_BUILD_COMMIT", self.commit.clone()),
            ("GRAFTAGE_BUILD_COMPILER", self.compiler.clone()),
            ("GRAFTAGE_BUILD_DATE", self.date.clone()),
            ("SOURCE_DATE_EPOCH", self.seconds.to_string()),
        ]
    }
}

#[cfg(test)]
pub(super) fn example() -> Facts {
    Facts {
        version: "0.1.0".to_owned(),
        licence: "MIT OR Apache-2.0".to_owned(),
        authors: "The graftage contributors".to_owned(),
        description: "Changes Rust code".to_owned(),
        commit: "c0ffee".to_owned(),
        date: "2026-11-30".to_owned(),
        seconds: 1_796_000_000,
        compiler: "rustc 1.95.0".to_owned(),
        target: "x86_64-unknown-linux-gnu".to_owned(),
    }
}
