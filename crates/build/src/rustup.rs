//! The toolchain that rustup would choose, from its files. rustup itself is never run, so it cannot
//! install anything.

use std::fs;
use std::path::{Component, Path, PathBuf};

use serde::Deserialize;

use crate::outside::MANIFEST_BYTES;
use crate::{CargoError, HostEnv};

/// The toolchain that a file or a setting requests.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Choice {
    /// A name (`stable`, `1.70`, `my-own`) or a folder.
    pub(crate) toolchain: RequestedToolchain,
    /// Source of the request, for messages.
    pub(crate) chosen_by: String,
    /// Toolchain file that requests it, if any.
    pub(crate) file: Option<PathBuf>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum RequestedToolchain {
    Name(String),
    Folder(PathBuf),
}

#[derive(Debug, Default, Deserialize)]
struct Settings {
    default_toolchain: Option<String>,
    default_host_triple: Option<String>,
    #[serde(default)]
    overrides: toml::Table,
}

#[derive(Deserialize)]
struct ToolchainFile {
    toolchain: ToolchainSection,
}

#[derive(Deserialize)]
struct ToolchainSection {
    channel: Option<String>,
    path: Option<PathBuf>,
}

/// What is looked at for the choice, in this order; the nearest folder has priority.
pub(crate) const SOURCES: &str =
    "`RUSTUP_TOOLCHAIN`, directory overrides, toolchain files, rustup's default";

/// The toolchain choice for `root`, in rustup's order: `RUSTUP_TOOLCHAIN`, which `cargo +NAME` sets
/// too; the override or toolchain file in the nearest ancestor folder (the override first if a folder
/// has both); rustup's default. `None` if there is none.
pub(crate) fn choice(host: &HostEnv, root: &Path) -> Result<Option<Choice>, CargoError> {
    if let Some(choice) = variable(host) {
        return Ok(Some(choice));
    }
    let settings = settings(&host.rustup_home);
    for dir in root.ancestors() {
        let asked = dir.to_str().and_then(|dir| settings.overrides.get(dir)?.as_str());
        if let Some(name) = asked {
            return Ok(Some(Choice {
                toolchain: RequestedToolchain::Name(name.to_owned()),
                chosen_by: format!("the rustup override for `{}`", dir.display()),
                file: None,
            }));
        }
        if let Some(choice) = toolchain_file(dir)? {
            return Ok(Some(choice));
        }
    }
    Ok(default_choice(&host.rustup_home))
}

/// The choice of the user's environment: a name, or the absolute path of a toolchain.
pub(crate) fn variable(host: &HostEnv) -> Option<Choice> {
    let name = host.toolchain.as_deref().map(str::trim).filter(|name| !name.is_empty())?;
    let toolchain = match name.starts_with('/') {
        true => RequestedToolchain::Folder(PathBuf::from(name)),
        false => RequestedToolchain::Name(name.to_owned()),
    };
    Some(Choice { toolchain, chosen_by: "`RUSTUP_TOOLCHAIN`".to_owned(), file: None })
}

/// rustup's default toolchain.
pub(crate) fn default_choice(rustup_home: &Path) -> Option<Choice> {
    settings(rustup_home).default_toolchain.filter(|name| name != "none").map(|name| Choice {
        toolchain: RequestedToolchain::Name(name),
        chosen_by: "the active toolchain".to_owned(),
        file: None,
    })
}

/// The folder of an installed toolchain.
pub(crate) fn sysroot(rustup_home: &Path, choice: &Choice) -> Option<PathBuf> {
    match &choice.toolchain {
        RequestedToolchain::Folder(dir) => dir.join("bin/cargo").is_file().then(|| dir.clone()),
        RequestedToolchain::Name(name) => {
            let toolchains = rustup_home.join("toolchains");
            let settings = settings(rustup_home);
            let host = settings.default_host_triple.unwrap_or_else(host_triple);
            [name.clone(), format!("{name}-{host}")]
                .into_iter()
                // A single path component, so that it cannot lead outside of rustup's folder.
                .filter(|name| is_one_part(name))
                .map(|name| toolchains.join(name))
                .find(|dir| dir.join("bin/cargo").is_file())
                .and_then(|dir| dir.canonicalize().ok())
        }
    }
}

fn is_one_part(name: &str) -> bool {
    let mut parts = Path::new(name).components();
    matches!((parts.next(), parts.next()), (Some(Component::Normal(part)), None) if part == name)
}

/// rustup's settings are the user's own file, so a link is followed.
fn settings(rustup_home: &Path) -> Settings {
    fs::read_to_string(rustup_home.join("settings.toml"))
        .ok()
        .and_then(|text| toml::from_str(&text).ok())
        .unwrap_or_default()
}

fn host_triple() -> String {
    let arch = std::env::consts::ARCH;
    if cfg!(target_os = "macos") {
        format!("{arch}-apple-darwin")
    } else {
        format!("{arch}-unknown-linux-gnu")
    }
}

fn toolchain_file(dir: &Path) -> Result<Option<Choice>, CargoError> {
    for name in ["rust-toolchain", "rust-toolchain.toml"] {
        let file = dir.join(name);
        let refused = |reason: String| CargoError::ToolchainFile { file: file.clone(), reason };
        let found = untrusted_fs::read_regular(&file, MANIFEST_BYTES);
        let Some(bytes) = found.map_err(|fault| refused(fault.to_string()))? else { continue };
        let text = String::from_utf8(bytes).map_err(|_| refused("it is not UTF-8".to_owned()))?;
        let asked = parse_toolchain_file(dir, &text, name.ends_with(".toml"))
            .map_err(|error| refused(error.message().to_owned()))?;
        // A file that only lists components or targets does not choose a toolchain.
        return Ok(asked.map(|toolchain| Choice {
            toolchain,
            chosen_by: format!("`{name}`"),
            file: Some(file),
        }));
    }
    Ok(None)
}

/// The old form is one bare word; the other is TOML.
fn parse_toolchain_file(
    dir: &Path,
    text: &str,
    toml_only: bool,
) -> Result<Option<RequestedToolchain>, toml::de::Error> {
    let mut lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
    if !toml_only
        && let (Some(line), None) = (lines.next(), lines.next())
        && !line.contains(['=', '['])
    {
        return Ok(Some(RequestedToolchain::Name(line.to_owned())));
    }
    let file: ToolchainFile = toml::from_str(text)?;
    let ToolchainSection { channel, path } = file.toolchain;
    Ok(path
        .map(|path| RequestedToolchain::Folder(dir.join(path)))
        .or(channel.map(RequestedToolchain::Name)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(text: &str) -> Result<Option<RequestedToolchain>, toml::de::Error> {
        parse_toolchain_file(Path::new("/p"), text, false)
    }

    #[test]
    fn both_forms_of_a_toolchain_file_are_read() {
        assert_eq!(parse("1.70\n"), Ok(Some(RequestedToolchain::Name("1.70".into()))));
        let toml = "[toolchain]\nchannel = \"nightly-2026-01-01\"\ncomponents = [\"rustfmt\"]";
        assert_eq!(parse(toml), Ok(Some(RequestedToolchain::Name("nightly-2026-01-01".into()))));
        assert_eq!(
            parse("[toolchain]\npath = \"tc\""),
            Ok(Some(RequestedToolchain::Folder(PathBuf::from("/p/tc"))))
        );
        assert_eq!(parse("[toolchain]\ncomponents = []"), Ok(None));
    }

    #[test]
    fn an_invalid_toolchain_file_is_rejected() {
        assert!(parse("chanel = \"x\"").unwrap_err().message().contains("toolchain"));
        assert!(parse("").is_err());
    }

    #[test]
    fn a_name_leads_to_no_folder_but_rustups_own() {
        for name in ["stable", "nightly-2026-01-01-x86_64-unknown-linux-gnu"] {
            assert!(is_one_part(name), "{name}");
        }
        for name in ["", ".", "..", "/", "a/b", "../x", "/abs", "a/", "./a"] {
            assert!(!is_one_part(name), "{name}");
        }
    }

    fn host(rustup_home: &Path, toolchain: Option<&str>) -> HostEnv {
        HostEnv {
            path: std::ffi::OsString::new(),
            home: PathBuf::new(),
            cargo_home: PathBuf::new(),
            rustup_home: rustup_home.to_owned(),
            toolchain: toolchain.map(str::to_owned),
        }
    }

    #[test]
    fn a_toolchain_file_that_is_a_link_is_refused_and_not_followed() {
        let dir = tempfile::tempdir().unwrap();
        std::os::unix::fs::symlink("/dev/zero", dir.path().join("rust-toolchain.toml")).unwrap();
        let error = choice(&host(&dir.path().join("rustup"), None), dir.path()).unwrap_err();
        assert_eq!(
            error.to_string(),
            format!(
                "toolchain file `{}/rust-toolchain.toml` cannot be read: it is a symbolic link, or \
                 is reached through one",
                dir.path().display()
            )
        );
    }

    #[test]
    fn the_order_is_rustups_variable_then_nearest_override_or_file_then_default() {
        let dir = tempfile::tempdir().unwrap();
        let (home, project) = (dir.path().join("rustup"), dir.path().join("p/inner"));
        fs::create_dir_all(&project).unwrap();
        fs::create_dir_all(&home).unwrap();
        fs::write(dir.path().join("p/rust-toolchain"), "1.70").unwrap();
        let chosen = |variable: Option<&str>, root: &Path| {
            let choice = choice(&host(&home, variable), root).unwrap().unwrap();
            match choice.toolchain {
                RequestedToolchain::Name(name) => format!("{name} by {}", choice.chosen_by),
                RequestedToolchain::Folder(dir) => {
                    format!("{} by {}", dir.display(), choice.chosen_by)
                }
            }
        };
        fs::write(home.join("settings.toml"), "default_toolchain = \"stable\"").unwrap();
        assert_eq!(chosen(None, &project), "1.70 by `rust-toolchain`");
        assert_eq!(chosen(Some(" "), &project), "1.70 by `rust-toolchain`");
        assert_eq!(chosen(None, &home), "stable by the active toolchain");
        let overridden = dir.path().join("p").display().to_string();
        let overrides =
            format!("default_toolchain = \"stable\"\n[overrides]\n{overridden:?} = \"beta\"");
        fs::write(home.join("settings.toml"), overrides).unwrap();
        let by_override = format!("beta by the rustup override for `{overridden}`");
        assert_eq!(chosen(None, &project), by_override);
        // A file in a nearer folder has priority over the override above it.
        fs::write(project.join("rust-toolchain.toml"), "[toolchain]\nchannel = \"1.80\"").unwrap();
        assert_eq!(chosen(None, &project), "1.80 by `rust-toolchain.toml`");
        assert_eq!(chosen(Some("nightly"), &project), "nightly by `RUSTUP_TOOLCHAIN`");
        assert_eq!(chosen(Some("/opt/tc"), &project), "/opt/tc by `RUSTUP_TOOLCHAIN`");
    }
}
