//! The package for Debian and what derives from it.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::process::Command;

use super::archive::gzip;
use super::facts::Facts;
use super::{copy, failed, made, read, write};
use crate::Failure;
use crate::run::{output, step, works};

/// An address that receives nothing; publishers set theirs here.
const ADDRESS: &str = "graftage@example.org";
/// Findings of lintian that hold for uploads to Debian only.
const OVERRIDES: &str = "graftage: initial-upload-closes-no-bugs *\n";
/// Completions with their places.
const COMPLETIONS: &[(&str, &str)] = &[
    ("graftage.bash", "usr/share/bash-completion/completions/graftage"),
    ("graftage.fish", "usr/share/fish/vendor_completions.d/graftage.fish"),
    ("_graftage", "usr/share/zsh/vendor-completions/_graftage"),
];

/// Packs `tree` as a `.deb` in `out`; `None`, with a line that it is left out, where a tool of Debian's is missing.
pub(super) fn deb(
    tree: &Path,
    facts: &Facts,
    work: &Path,
    out: &Path,
) -> Result<Option<PathBuf>, Failure> {
    for tool in ["dpkg-deb", "dpkg-shlibdeps"] {
        if !works(Command::new(tool).arg("--version")) {
            eprintln!("xtask: no .deb: `{tool}` is missing (`apt-get install dpkg-dev`)");
            return Ok(None);
        }
    }
    let package = work.join("deb");
    fill(tree, facts, &package)?;
    let needed = needed_packages(&package, work)?;
    let size = size(&package)?.div_ceil(1024);
    let architecture = output(Command::new("dpkg").arg("--print-architecture"))?;
    let architecture = architecture.trim();
    write(&package.join("DEBIAN/control"), &control(facts, architecture, &needed, size))?;
    write(&package.join("DEBIAN/md5sums"), &md5sums(&package)?)?;
    settle(&package)?;
    let file = out.join(format!("graftage_{}-1_{architecture}.deb", facts.version));
    let mut command = Command::new("dpkg-deb");
    command.env("SOURCE_DATE_EPOCH", facts.seconds.to_string());
    command.args(["--root-owner-group", "-Zxz", "--build"]).arg(&package).arg(&file);
    step(&mut command)?;
    Ok(Some(file))
}

/// Copies the files to where they are installed.
fn fill(tree: &Path, facts: &Facts, package: &Path) -> Result<(), Failure> {
    let at = |place: &str| -> Result<PathBuf, Failure> {
        let path = package.join(place);
        path.parent().map_or(Ok(()), made)?;
        Ok(path)
    };
    copy(&tree.join("graftage"), &at("usr/bin/graftage")?)?;
    for (from, to) in COMPLETIONS {
        copy(&tree.join("completions").join(from), &at(to)?)?;
    }
    let (man, mut zipped) = (tree.join("man"), Vec::new());
    for entry in fs::read_dir(&man).map_err(failed(&man))? {
        let name = entry.map_err(failed(&man))?.file_name();
        let page = at("usr/share/man/man1/x")?.with_file_name(&name);
        copy(&man.join(&name), &page)?;
        zipped.push(page);
    }
    let documents = "usr/share/doc/graftage/";
    for (from, to) in [("README.md", "README.md"), ("CHANGELOG.md", "changelog")] {
        copy(&tree.join(from), &at(&format!("{documents}{to}"))?)?;
    }
    copy(&tree.join("graftage.cdx.json"), &at(&format!("{documents}graftage.cdx.json"))?)?;
    let copyright = copyright(facts, &read(&tree.join("LICENSE-MIT"))?);
    write(&at(&format!("{documents}copyright"))?, &copyright)?;
    let others = at(&format!("{documents}LICENSES-OF-OTHERS.txt"))?;
    copy(&tree.join("LICENSES-OF-OTHERS.txt"), &others)?;
    let changes = at(&format!("{documents}changelog.Debian"))?;
    write(&changes, &debian_changes(facts)?)?;
    write(&at("usr/share/lintian/overrides/graftage")?, OVERRIDES)?;
    zipped.extend([others, changes, package.join(documents).join("changelog")]);
    gzip(&zipped)
}

/// The packages with the shared libraries of the program.
fn needed_packages(package: &Path, work: &Path) -> Result<String, Failure> {
    write(
        &work.join("debian/control"),
        "Source: graftage\n\nPackage: graftage\nArchitecture: any\n",
    )?;
    let program = package.join("usr/bin/graftage");
    let text =
        output(Command::new("dpkg-shlibdeps").current_dir(work).args(["-O", "-e"]).arg(program))?;
    Ok(text.trim().trim_start_matches("shlibs:Depends=").to_owned())
}

fn control(facts: &Facts, architecture: &str, needed: &str, size: u64) -> String {
    format!(
        "Package: graftage\nVersion: {}-1\nArchitecture: {architecture}\nMaintainer: {} <{ADDRESS}>\n\
         Installed-Size: {size}\nDepends: {needed}\nRecommends: git, cargo | rustup\n\
         Suggests: chromium-headless-shell, rust-analyzer\nSection: devel\nPriority: optional\n\
         Description: changes Rust code, checking every edit in an overlay\n \
         graftage maps a workspace of Rust code, finds what a change touches,\n \
         proposes the smallest edit and proves it in an overlay, confined, before\n \
         anything reaches the tree. It is used from a terminal, and by editors and\n \
         coding agents over the Model Context Protocol, ACP and A2A.\n",
        facts.version, facts.authors
    )
}

fn copyright(facts: &Facts, mit: &str) -> String {
    let body: Vec<&str> = mit.lines().skip_while(|it| !it.starts_with("Permission")).collect();
    let body = body.iter().map(|it| if it.is_empty() { " .".to_owned() } else { format!(" {it}") });
    let year = facts.date.split('-').next().unwrap_or_default();
    format!(
        "Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/\nUpstream-Name: graftage\n\
         Comment: LICENSES-OF-OTHERS.txt.gz has the licences of the packages inside the program.\n\n\
         Files: *\nCopyright: {year} {}\nLicense: Apache-2.0 or Expat\n\n\
         License: Apache-2.0\n See /usr/share/common-licenses/Apache-2.0.\n\nLicense: Expat\n{}\n",
        facts.authors,
        body.collect::<Vec<_>>().join("\n")
    )
}

fn debian_changes(facts: &Facts) -> Result<String, Failure> {
    let date = output(
        Command::new("date")
            .env("LC_ALL", "C")
            .args(["-u", "-R", "-d"])
            .arg(format!("@{}", facts.seconds)),
    )?;
    Ok(format!(
        "graftage ({}-1) unstable; urgency=medium\n\n  * Built from commit {}.\n\n -- {} <{ADDRESS}>  {}\n",
        facts.version,
        facts.commit,
        facts.authors,
        date.trim()
    ))
}

/// All files below a folder but those of `DEBIAN`, relative to it, sorted.
fn files(package: &Path) -> Result<Vec<PathBuf>, Failure> {
    let (mut found, mut queue) = (Vec::new(), vec![PathBuf::new()]);
    while let Some(below) = queue.pop() {
        let folder = package.join(&below);
        for entry in fs::read_dir(&folder).map_err(failed(&folder))? {
            let entry = entry.map_err(failed(&folder))?;
            let path = below.join(entry.file_name());
            if entry.path().is_dir() {
                queue.extend((path != Path::new("DEBIAN")).then_some(path));
            } else {
                found.push(path);
            }
        }
    }
    found.sort();
    Ok(found)
}

fn size(package: &Path) -> Result<u64, Failure> {
    let sizes = files(package)?.into_iter().map(|file| {
        let file = package.join(file);
        fs::metadata(&file).map(|it| it.len()).map_err(failed(&file))
    });
    sizes.sum()
}

fn md5sums(package: &Path) -> Result<String, Failure> {
    output(Command::new("md5sum").current_dir(package).args(files(package)?))
}

/// Gives each file and folder the permissions of an installed one, whatever the umask of the machine.
fn settle(package: &Path) -> Result<(), Failure> {
    let set = |path: &Path, mode: u32| {
        fs::set_permissions(path, fs::Permissions::from_mode(mode)).map_err(failed(path))
    };
    let mut queue = vec![package.to_owned()];
    while let Some(folder) = queue.pop() {
        set(&folder, 0o755)?;
        for entry in fs::read_dir(&folder).map_err(failed(&folder))? {
            let path = entry.map_err(failed(&folder))?.path();
            match path.is_dir() {
                true => queue.push(path),
                false if path.ends_with("usr/bin/graftage") => set(&path, 0o755)?,
                false => set(&path, 0o644)?,
            }
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dist::facts;

    #[test]
    fn control_and_copyright_have_the_form_of_the_policy() {
        let facts = facts::example();
        let control = control(&facts, "amd64", "libc6 (>= 2.36)", 70);
        assert!(control.contains("Version: 0.1.0-1\nArchitecture: amd64\n"), "{control}");
        for line in control.lines().skip_while(|it| !it.starts_with("Description")).skip(1) {
            assert!(line.starts_with(' ') && line.len() < 80, "{line}");
        }
        let text = copyright(&facts, "MIT\n\nCopyright\n\nPermission is\n\nTHE END\n");
        assert!(text.ends_with("License: Expat\n Permission is\n .\n THE END\n"), "{text}");
    }
}
