//! The reduced configuration of a download, as text.

use expect_test::expect;

use super::*;

const TRUSTED: [&str; 2] = ["sparse+https://near.example/", "https://far.example/"];

fn host(cargo_home: &Path) -> HostEnv {
    HostEnv {
        path: std::ffi::OsString::new(),
        home: PathBuf::new(),
        cargo_home: cargo_home.to_owned(),
        rustup_home: PathBuf::new(),
        toolchain: None,
    }
}

/// The reduced configuration of a project in `up/p`, with the temporary folder as `~`.
fn reduced(project: &str, above: &str, user: &str) -> String {
    let dir = tempfile::tempdir().unwrap();
    let at = |name: &str| dir.path().join(name);
    for (file, text) in [
        ("up/p/.cargo/config.toml", project),
        ("up/.cargo/config", above),
        ("cargo/config.toml", user),
    ] {
        std::fs::create_dir_all(at(file).parent().unwrap()).unwrap();
        std::fs::write(at(file), text).unwrap();
    }
    let trust = Trust::default().with_registries(TRUSTED);
    let found = ReducedConfig::collect(&at("up/p"), &host(&at("cargo")), &trust);
    let text =
        found.text() + &found.refused.iter().map(|it| format!("# {it}\n")).collect::<String>();
    text.replace(&dir.path().display().to_string(), "~")
}

/// Each key names a program, a credential or a file that cargo would run or read.
const HOSTILE: &str = r#"
paths = ["/etc"]
include = ["../../evil.toml"]
[build]
rustc = "./evil"
rustc-wrapper = "./evil"
rustc-workspace-wrapper = "./evil"
rustflags = ["-Zcodegen-backend=./evil.so"]
target = "./evil.json"
[target.x86_64-unknown-linux-gnu]
linker = "./evil"
runner = "./evil"
rustflags = ["-Clinker=./evil"]
[alias]
fetch = "run --bin evil"
[env]
LD_PRELOAD = "./evil.so"
[credential-alias]
evil = ["./evil"]
[registry]
credential-provider = "./evil"
global-credential-providers = ["./evil"]
token = "t"
[registries.x]
credential-provider = ["./evil"]
token = "t"
[registries.crates-io]
credential-provider = "./evil"
[net]
git-fetch-with-cli = true
offline = false
ssh.known-hosts = ["evil"]
[http]
proxy = "http://evil"
cainfo = "evil.pem"
ssl-version = "tlsv1.0"
[unstable]
gitoxide = true
[cargo-new]
vcs = "git"
"#;

#[test]
fn nothing_of_a_project_names_a_program_a_credential_or_a_file() {
    expect![[""]].assert_eq(&reduced(HOSTILE, HOSTILE, ""));
}

#[test]
fn of_the_users_own_file_only_their_way_into_the_network_is_kept_besides() {
    expect![[r#"
            [http]
            cainfo = "~/evil.pem"
            proxy = "http://evil"
            ssl-version = "tlsv1.0"
        "#]]
    .assert_eq(&reduced("", "", HOSTILE));
}

#[test]
fn where_packages_come_from_is_kept_with_the_nearest_file_first() {
    let project = r#"
[registries.near]
index = "sparse+https://near.example/"
[source.crates-io]
replace-with = "vendored"
[source.vendored]
directory = "vendor"
[patch.crates-io.a]
path = "../a"
features = ["f"]
build = "./evil"
[net]
retry = 1000
"#;
    let above = r#"
[registries.near]
index = "https://other.example/"
[registries.far]
index = "https://far.example/"
[registry]
default = "far"
"#;
    expect![[r#"
            [net]
            retry = 10

            [patch.crates-io.a]
            features = ["f"]
            path = "~/up/a"

            [registries.far]
            index = "https://far.example/"

            [registries.near]
            index = "sparse+https://near.example/"

            [registry]
            default = "far"

            [source.crates-io]
            replace-with = "vendored"

            [source.vendored]
            directory = "~/up/p/vendor"
        "#]]
    .assert_eq(&reduced(project, above, ""));
}

#[test]
fn addresses_of_this_machine_and_folders_outside_are_refused_by_name() {
    let project = r#"
[registries.x]
index = "file:///srv/index"
[source.crates-io]
registry = "/srv/index"
[source.y]
git = "file:///srv/y"
[source.z]
directory = "../vendor"
[source.w]
local-registry = "/srv/registry"
"#;
    expect![[r##"
            # `registries.x.index` in `~/up/p/.cargo`: "file:///srv/index" is no address of the network
            # `source.crates-io.registry` in `~/up/p/.cargo`: "/srv/index" is no address of the network
            # `source.w.local-registry` in `~/up/p/.cargo`: `/srv/registry` is outside the project
            # `source.y.git` in `~/up/p/.cargo`: "file:///srv/y" is no address of the network
            # `source.z.directory` in `~/up/p/.cargo`: `~/up/vendor` is outside the project
        "##]]
    .assert_eq(&reduced(project, "", ""));
    let user = "[source.z]\nlocal-registry = \"/srv/registry\"\n";
    expect![[r#"
            [source.z]
            local-registry = "/srv/registry"
        "#]]
    .assert_eq(&reduced("", "", user));
}

#[test]
fn an_address_that_only_the_project_names_needs_trust_and_the_users_own_does_not() {
    let project = "[registries.x]\nindex = \"sparse+https://new.example/it's/\"\n";
    expect![[r##"
            # `registries.x.index` in `~/up/p/.cargo`: you have not allowed "sparse+https://new.example/it's/"; `--trust-registry 'sparse+https://new.example/it'\''s/'` allows it
        "##]]
    .assert_eq(&reduced(project, "", ""));
    let above = "[source.crates-io]\nreplace-with = \"m\"\n[source.m]\nregistry = \
                 \"https://mirror.example/\"\n";
    let refused = reduced("", above, "");
    assert!(refused.contains("you have not allowed \"https://mirror.example/\""), "{refused}");
    assert!(!refused.contains("registry = "), "{refused}");
    let user = "[registries.own]\nindex = \"sparse+https://new.example/it's\"\n";
    let allowed = reduced(project, "", user);
    assert!(!allowed.contains("not allowed"), "{allowed}");
    assert!(allowed.contains("[registries.x]"), "{allowed}");
}

#[test]
fn a_configuration_that_is_a_link_is_refused_and_not_followed() {
    let dir = tempfile::tempdir().unwrap();
    let project = dir.path().join("p");
    std::fs::create_dir(&project).unwrap();
    std::os::unix::fs::symlink("/proc/self", project.join(".cargo")).unwrap();
    let found =
        ReducedConfig::collect(&project, &host(&dir.path().join("cargo")), &Trust::default());
    assert_eq!(found.text(), "");
    assert_eq!(found.refused.len(), 1, "{:?}", found.refused);
}
