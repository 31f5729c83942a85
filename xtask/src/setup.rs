use std::path::Path;
use std::process::Command;

use crate::Failure;
use crate::run::{cargo, first_line, step, target_dir, works};

/// What the set-up found: what the tests may count on.
#[derive(Debug, Default)]
pub(crate) struct Ready {
    /// Words that `testkit::skip` may not give as its need any more.
    pub(crate) provided: Vec<&'static str>,
    /// Whether `cargo nextest` is there.
    pub(crate) nextest: bool,
}

/// Looks for what the tests need, fetches the dependencies and rust-analyzer, and says what is
/// missing, what that costs and what would bring it. Nothing is installed; nothing needs root.
pub(crate) fn setup(root: &Path) -> Result<Ready, Failure> {
    let mut ready = Ready::default();
    println!("What the tests find here:");

    let git = first_line(Command::new("git").arg("--version"));
    let Some(git) = git else {
        return Err(Failure::Missing("git is missing; most tests make repositories".to_owned()));
    };
    found(&mut ready, "git", &git);

    let tools: [(&str, &[&str], &str); 2] = [
        ("rustfmt", &["fmt", "--version"], "tests of formatting; `rustup component add rustfmt`"),
        ("clippy", &["clippy", "--version"], "tests of linting; `rustup component add clippy`"),
    ];
    for (name, args, loses) in tools {
        match first_line(&mut cargo(root, args)) {
            Some(version) => found(&mut ready, name, &version),
            None => println!("  missing  {name}: without it are skipped {loses}"),
        }
    }
    match first_line(&mut cargo(root, &["nextest", "--version"])) {
        Some(version) => {
            ready.nextest = true;
            found(&mut ready, "nextest", &version);
        }
        None => println!("  missing  nextest: `cargo test` runs the tests instead"),
    }

    // Probed by use, because a kernel may offer them and a container forbid them.
    if works(Command::new("unshare").args(["--user", "--map-root-user", "--mount", "true"])) {
        found(&mut ready, "user namespaces", "unshare works");
        if overlay_mounts_work(root) {
            found(&mut ready, "overlay mounts", "mounted one in a user namespace");
        } else {
            println!("  missing  overlay mounts: views are copies, tests of mounts are skipped");
        }
    } else {
        println!("  missing  user namespaces: their tests are skipped, the copy paths are tested");
    }

    let data = root.parent().map(|parent| parent.join("shared").join("eval"));
    if data.is_some_and(|data| data.is_dir()) {
        found(&mut ready, "evaluation data", "beside the repository");
    } else {
        println!("  missing  evaluation data: the smoke sets are skipped");
    }
    match crate::analyzer::provide(root) {
        Ok(what) => found(&mut ready, "rust-analyzer", &what),
        Err(why) => println!(
            "  missing  rust-analyzer: its tests are skipped; `rustup component add rust-analyzer \
             rust-src` ({why})"
        ),
    }

    // One registry round; from here on everything runs offline.
    step(&mut cargo(root, &["fetch", "--locked"]))?;
    Ok(ready)
}

fn found(ready: &mut Ready, name: &'static str, what: &str) {
    println!("  found    {name}: {what}");
    ready.provided.push(name);
}

/// Mounts an overlay over empty folders in a mount namespace of its own, which takes it away.
fn overlay_mounts_work(root: &Path) -> bool {
    let place = target_dir(root).join("xtask").join("overlay-probe");
    let made = ["lower", "upper", "work", "merged"]
        .iter()
        .all(|name| std::fs::create_dir_all(place.join(name)).is_ok());
    let script = "mount -t overlay overlay -o userxattr,lowerdir=lower,upperdir=upper,workdir=work \
                  merged && echo x > merged/x && test -f upper/x";
    let worked = made
        && works(
            Command::new("unshare")
                .args(["--user", "--map-root-user", "--mount", "sh", "-c", script])
                .current_dir(&place),
        );
    // The kernel leaves a folder without permissions in `work`; a probe must not fail over it.
    _ = std::fs::remove_dir_all(&place);
    worked
}
