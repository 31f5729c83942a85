//! Configuration that is shown: links, secrets, limits.

use std::os::unix::fs::symlink;

use super::*;

fn host(folder: &Path) -> HostEnv {
    HostEnv {
        path: "/usr/bin".into(),
        home: folder.join("home"),
        cargo_home: folder.join("home/.cargo"),
        rustup_home: folder.join("home/.rustup"),
        toolchain: None,
    }
}

fn write(path: &Path, text: &str) {
    std::fs::create_dir_all(path.parent().unwrap()).unwrap();
    std::fs::write(path, text).unwrap();
}

/// The shown files with their texts, then the notes, with `~` for the folder.
fn shown(folder: &Path, root: &str) -> String {
    let shown = ShownConfiguration::collect(&host(folder), &folder.join(root));
    let files = shown
        .files
        .iter()
        .map(|file| format!("{}: {}\n", file.path.display(), String::from_utf8_lossy(&file.bytes)));
    let notes = shown.notes.iter().map(|note| format!("{note}\n"));
    let text: String = files.chain(notes).collect();
    text.replace(&folder.display().to_string(), "~")
}

#[test]
fn configuration_of_the_folders_above_is_shown_and_credentials_beside_it_are_not() {
    let dir = tempfile::tempdir().unwrap();
    let at = |name: &str| dir.path().join(name);
    for name in ["credentials.toml", "credentials"] {
        write(&at("home/.cargo").join(name), "[registry]\ntoken = \"t\"");
    }
    write(&at("home/.cargo/config.toml"), "a = 1");
    write(&at("up/.cargo/config"), "b = 2");
    write(&at("up/clippy.toml"), "c");
    write(&at("up/p/.cargo/config.toml"), "own = 1");
    assert_eq!(
        shown(dir.path(), "up/p"),
        "~/up/.cargo/config: b = 2\n~/up/clippy.toml: c\n~/home/.cargo/config.toml: a = 1\n"
    );
}

#[test]
fn a_link_above_the_project_is_not_followed_whatever_part_of_the_path_it_is() {
    let link = "it is a symbolic link, or is reached through one";
    for (from, to, name) in [
        ("up/clippy.toml", "home/.ssh/id", "up/clippy.toml"),
        ("up/.rustfmt.toml", "home/.ssh/id", "up/.rustfmt.toml"),
        ("up/.cargo", "home/.kube", "up/.cargo/config"),
        ("up/rustfmt.toml", "home/gone", "up/rustfmt.toml"),
    ] {
        let dir = tempfile::tempdir().unwrap();
        let at = |name: &str| dir.path().join(name);
        write(&at("home/.ssh/id"), "secret");
        write(&at("home/.kube/config"), "secret = 1");
        std::fs::create_dir_all(at("up/p")).unwrap();
        symlink(at(to), at(from)).unwrap();
        // Control: by its path the file is there.
        assert_eq!(at(name).is_file(), to != "home/gone");
        let text = shown(dir.path(), "up/p");
        assert!(text.contains(&format!("`~/{name}` is not shown to builds: {link}")), "{text}");
        assert!(!text.contains("secret"), "{text}");
    }
}

#[test]
fn a_link_of_the_user_in_the_home_is_followed() {
    let dir = tempfile::tempdir().unwrap();
    let at = |name: &str| dir.path().join(name);
    write(&at("dotfiles/rustfmt.toml"), "max_width = 90");
    std::fs::create_dir_all(at("home/p")).unwrap();
    symlink(at("dotfiles/rustfmt.toml"), at("home/rustfmt.toml")).unwrap();
    assert_eq!(shown(dir.path(), "home/p"), "~/home/rustfmt.toml: max_width = 90\n");
}

#[test]
fn a_pipe_a_folder_and_a_file_without_end_are_not_read() {
    use rustix::fs::{CWD, FileType, Mode, mknodat};
    let dir = tempfile::tempdir().unwrap();
    let at = |name: &str| dir.path().join(name);
    std::fs::create_dir_all(at("up/p")).unwrap();
    mknodat(CWD, at("up/clippy.toml"), FileType::Fifo, Mode::from(0o600), 0).unwrap();
    std::fs::create_dir_all(at("up/rustfmt.toml")).unwrap();
    let endless = std::fs::File::create(at("up/.clippy.toml")).unwrap();
    endless.set_len(1 << 40).unwrap();
    let text = shown(dir.path(), "up/p");
    assert_eq!(text.matches("it is not a regular file").count(), 2, "{text}");
    assert_eq!(text.matches("it is larger than 1048576 bytes").count(), 1, "{text}");
}

#[test]
fn secrets_are_removed_however_they_are_written_and_the_rest_stays() {
    let removed = |text: &str| {
        secrets::without_secrets(text.as_bytes())
            .map(|it| it.map(|bytes| String::from_utf8(bytes).unwrap()))
    };
    let hidden = [
        "registry.token = \"hunter2\"",
        "registry = { token = \"hunter2\" }",
        "[registry]\n\"tok\\u0065n\" = \"hunter2\"",
        "[registries.own]\ntoken = \"hunter2\"\nindex = \"sparse+https://own.example/\"",
        "registries.own.secret-key = \"hunter2\"",
        "[registries]\nown = { credential-provider = [\"cargo:token-from-stdout\", \"hunter2\"] }",
        "[registry]\nglobal-credential-providers = [\"hunter2\"]",
        "[credential-alias]\nown = [\"hunter2\"]",
        "[http]\nproxy = \"http://me:hunter2@proxy.example:8080\"",
        "[http]\nproxy = \"me:hunter2@proxy.example:8080\"",
        "[http]\nproxy = \"socks5h://me:hunter2@proxy.example\"",
        "[source.own]\ngit = \"https://hunter2@git.example/index\"",
        "[patch.crates-io]\na = { git = \"https://hunter2:x-oauth-basic@git.example/a\" }",
    ];
    for text in hidden {
        let kept = removed(text).unwrap().unwrap();
        assert!(!kept.contains("hunter2"), "{text}: {kept}");
    }
    let kept = removed(hidden[3]).unwrap().unwrap();
    assert!(kept.contains("sparse+https://own.example/"), "{kept}");
    for text in [
        "[env]\nTOKEN = \"x\"\n[profile.dev.package.token]\nopt-level = 1",
        "[patch.crates-io]\ntoken = { git = \"ssh://git@git.example/token\" }",
        "[build]\nrustflags = [\"-C\", \"link-arg=@file\"]",
    ] {
        assert_eq!(removed(text), Ok(None), "{text}");
    }
    assert!(
        removed("[registry\ntoken = \"hunter2\"")
            .unwrap_err()
            .to_string()
            .contains("not valid TOML")
    );
}

#[test]
fn a_configuration_of_cargo_that_does_not_parse_is_not_shown() {
    let dir = tempfile::tempdir().unwrap();
    write(&dir.path().join("home/.cargo/config.toml"), "[registry\ntoken = \"hunter2\"");
    let text = shown(dir.path(), "p");
    assert!(text.contains("`~/home/.cargo/config.toml` is not shown to builds"), "{text}");
    assert!(!text.contains("hunter2"), "{text}");
}

#[test]
fn included_configurations_are_named_in_every_form() {
    for (text, expected) in [
        ("include = \"a.toml\"", "a.toml"),
        ("include = [\"a.toml\", { path = \"../b.toml\", optional = true }]", "a.toml ../b.toml"),
        ("include = { path = \"c\" }", "c"),
        ("[build]\ninclude = \"a\"", ""),
        ("include = ", ""),
    ] {
        assert_eq!(included_by(text).join(" "), expected, "{text}");
    }
    let path = Path::new("/p/.cargo/../b/./c.toml");
    assert_eq!(base::normal_path(path), Path::new("/p/b/c.toml"));
}
