//! `cargo xtask dist`: the packages of a release, offline. Two runs of one commit write the same bytes: times are
//! those of the commit, names are sorted, owners are root, and no path of the machine is in the program.

mod archive;
mod deb;
mod facts;
mod licences;
mod sbom;
mod templates;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::Failure;
use crate::run::{cargo, cargo_home, output, step, target_dir};
use facts::Facts;

/// Shells with completions: the word for `graftage completions`, and the file.
const SHELLS: &[(&str, &str)] = &[
    ("bash", "graftage.bash"),
    ("elvish", "graftage.elv"),
    ("fish", "graftage.fish"),
    ("nushell", "graftage.nu"),
    ("powershell", "_graftage.ps1"),
    ("zsh", "_graftage"),
];
/// Files of the repository that each package has.
const DOCUMENTS: &[&str] = &["README.md", "CHANGELOG.md", "LICENSE-APACHE", "LICENSE-MIT"];

/// Options of the command.
#[derive(Debug, Default, PartialEq, Eq)]
struct Options {
    profile: Option<String>,
    base_url: Option<String>,
    twice: bool,
}

/// Builds the packages; with `--twice` again from nothing, and compares them.
pub(crate) fn dist(root: &Path, args: &[String]) -> Result<(), Failure> {
    let options = Options::parse(args)?;
    let out = target_dir(root).join("dist-packages");
    let sums = packages(root, &options, &out, &target_dir(root))?;
    if options.twice {
        let again = target_dir(root).join("dist-again");
        remove(&again)?;
        let second = packages(root, &options, &again.join("packages"), &again)?;
        if second != sums {
            return Err(Failure::Check(format!(
                "two builds differ:\n{sums}\n{second}\ncompare {} with {}",
                out.display(),
                again.display()
            )));
        }
        println!("built twice: the same bytes");
    }
    print!("{sums}");
    println!("packages are in {}", out.display());
    Ok(())
}

impl Options {
    fn parse(args: &[String]) -> Result<Self, Failure> {
        let (mut options, mut args) = (Self::default(), args.iter());
        while let Some(arg) = args.next() {
            let mut value = || {
                args.next().cloned().ok_or_else(|| Failure::Usage(format!("`{arg}` needs a value")))
            };
            match arg.as_str() {
                "--profile" => options.profile = Some(value()?),
                "--base-url" => options.base_url = Some(value()?.trim_end_matches('/').to_owned()),
                "--twice" => options.twice = true,
                other => return Err(Failure::Usage(format!("`dist` takes no `{other}`"))),
            }
        }
        Ok(options)
    }
}

/// Builds all packages into `out`, with cargo's files in `target`; the sums of the packages.
fn packages(root: &Path, options: &Options, out: &Path, target: &Path) -> Result<String, Failure> {
    let facts = Facts::of(root)?;
    let program = build(root, &facts, options.profile.as_deref().unwrap_or("dist"), target)?;
    remove(out)?;
    let work = out.join("work");
    let tree = work.join(facts.package_name());
    fill(root, &facts, &program, &tree)?;
    let mut files = vec![archive::tar_gz(&tree, &facts, out)?];
    files.extend(deb::deb(&tree, &facts, &work, out)?);
    if let Some(url) = &options.base_url {
        templates::write_all(&facts, url, &files, out)?;
    }
    remove(&work)?;
    let sums = archive::sums(&files)?;
    write(&out.join("SHA256SUMS"), &sums)?;
    Ok(sums)
}

/// The program, without paths of this machine.
fn build(root: &Path, facts: &Facts, profile: &str, target: &Path) -> Result<PathBuf, Failure> {
    let args = ["build", "--locked", "--offline", "--package", "graftage", "--profile", profile];
    let mut command = cargo(root, &args);
    command.env("CARGO_TARGET_DIR", target);
    let maps =
        [(cargo_home(), "/cargo"), (root.to_owned(), "/graftage"), (target.to_owned(), "/target")];
    let flags =
        maps.iter().map(|(from, to)| format!("--remap-path-prefix={}={to}", from.display()));
    command.env("CARGO_ENCODED_RUSTFLAGS", flags.collect::<Vec<_>>().join("\u{1f}"));
    let flags = maps.iter().map(|(from, to)| format!("-ffile-prefix-map={}={to}", from.display()));
    command.env("CFLAGS", flags.collect::<Vec<_>>().join(" "));
    command.envs(facts.variables());
    step(&mut command)?;
    let folder = if profile == "dev" { "debug" } else { profile };
    Ok(target.join(folder).join("graftage"))
}

/// Fills the folder of the archive: program, documents, manual pages, completions, licences, SBOM.
fn fill(root: &Path, facts: &Facts, program: &Path, tree: &Path) -> Result<(), Failure> {
    for folder in ["man", "completions"] {
        made(&tree.join(folder))?;
    }
    copy(program, &tree.join("graftage"))?;
    for name in DOCUMENTS {
        copy(&root.join(name), &tree.join(name))?;
    }
    let own = tree.join("graftage");
    step(Command::new(&own).args(["man", "--out"]).arg(tree.join("man")))?;
    for (shell, file) in SHELLS {
        let script = output(Command::new(&own).args(["completions", shell]))?;
        write(&tree.join("completions").join(file), &script)?;
    }
    let packages = licences::packages(root, &facts.target)?;
    let lock = read(&root.join("Cargo.lock"))?;
    write(&tree.join("graftage.cdx.json"), &sbom::text(facts, &packages, &lock))?;
    write(&tree.join("LICENSES-OF-OTHERS.txt"), &licences::texts(&packages, &cargo_home())?)
}

fn failed(path: &Path) -> impl Fn(std::io::Error) -> Failure + '_ {
    move |err| Failure::Missing(format!("{}: {err}", path.display()))
}

fn made(folder: &Path) -> Result<(), Failure> {
    fs::create_dir_all(folder).map_err(failed(folder))
}

fn remove(folder: &Path) -> Result<(), Failure> {
    match fs::remove_dir_all(folder) {
        Err(err) if err.kind() != std::io::ErrorKind::NotFound => Err(failed(folder)(err)),
        _ => Ok(()),
    }
}

fn copy(from: &Path, to: &Path) -> Result<(), Failure> {
    fs::copy(from, to).map(drop).map_err(failed(from))
}

fn read(path: &Path) -> Result<String, Failure> {
    fs::read_to_string(path).map_err(failed(path))
}

fn write(path: &Path, text: &str) -> Result<(), Failure> {
    path.parent().map_or(Ok(()), made)?;
    fs::write(path, text).map_err(failed(path))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_are_read_and_others_refused() {
        let words = |text: &str| text.split(' ').map(str::to_owned).collect::<Vec<_>>();
        let expected = Options {
            profile: Some("release".to_owned()),
            base_url: Some("https://example.org/x".to_owned()),
            twice: true,
        };
        let args = words("--profile release --base-url https://example.org/x/ --twice");
        assert_eq!(Options::parse(&args), Ok(expected));
        for wrong in ["--profile", "--fast"] {
            assert!(matches!(Options::parse(&words(wrong)), Err(Failure::Usage(_))), "{wrong}");
        }
    }
}
