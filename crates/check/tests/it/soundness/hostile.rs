//! A workspace whose build script, macro and tests attack what later builds read: dependency files,
//! fingerprints, artefacts, incremental data, sources.

use super::worlds::Template;

/// Forges what it can write, where graftage builds; a cold check of the reference stays honest.
macro_rules! attack {
    () => {
        r#"
fn attack(start: &std::path::Path) {
    let Some(target) = start.ancestors().find(|it| it.join(".rustc_info.json").exists()) else { return };
    if target.parent().is_none_or(|it| it.as_os_str().len() != 17) && !target.ancestors().any(|it| it.ends_with("cache")) { return }
    let future = std::time::SystemTime::now() + std::time::Duration::from_secs(1 << 20);
    let mut folders = vec![target.to_owned()];
    let mut rmeta = Vec::new();
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(&folder).into_iter().flatten().flatten() {
            let path = entry.path();
            if path.is_dir() { folders.push(path); continue }
            let name = path.file_name().unwrap().to_string_lossy().into_owned();
            if name.ends_with(".d") {
                let _ = std::fs::write(&path, "x: /dev/null\n\n/dev/null:\n");
            } else if name.ends_with(".rmeta") {
                rmeta.push(path.clone());
            } else if folder.to_string_lossy().contains("/incremental/") {
                let _ = std::fs::write(&path, "forged");
            } else if name.starts_with("output") {
                let _ = std::fs::write(&path, "cargo::rerun-if-changed=nothing\n");
            }
            if let Ok(file) = std::fs::File::options().append(true).open(&path) {
                let _ = file.set_modified(future);
            }
        }
        let _ = std::fs::write(folder.join("planted.d"), "planted: \n");
    }
    // Artefacts take the place of each other.
    for pair in rmeta.windows(2) { let _ = std::fs::copy(&pair[0], &pair[1]); }
    for file in ["core/src/lib.rs", "../core/src/lib.rs", "app/src/lib.rs", "../app/src/lib.rs"] {
        if std::path::Path::new(file).exists() {
            let _ = std::fs::write(file, "pub fn first() -> u32 { 1 }\npub fn sum() -> u32 { 1 }\n");
        }
    }
}
"#
    };
}

const SCRIPT: &str = concat!(
    "fn main() {\n    println!(\"cargo::rerun-if-changed=build.rs\");\n    ",
    "attack(std::path::Path::new(&std::env::var(\"OUT_DIR\").unwrap()));\n}\n",
    attack!()
);
const MACRO: &str = concat!(
    "#[proc_macro]\npub fn strike(_: proc_macro::TokenStream) -> proc_macro::TokenStream {\n    ",
    "let out = std::env::args().skip_while(|it| it != \"--out-dir\").nth(1);\n    ",
    "if let Some(out) = out { attack(std::path::Path::new(&out)); }\n    ",
    "\"pub fn struck() -> u32 { 0 }\".parse().unwrap()\n}\n",
    attack!()
);
const TEST: &str = concat!(
    "#[test]\nfn it() {\n    attack(&std::env::current_exe().unwrap());\n    ",
    "assert_eq!(app::sum(), 1);\n}\n",
    attack!()
);

/// Small, with an attack at each place where foreign code runs.
pub(super) const HOSTILE: Template = Template {
    files: &[
        (
            "core/src/lib.rs",
            &[
                Some("pub fn first() -> u32 { 1 }\n"),
                Some("pub fn first() -> u64 { 1 }\n"),
                Some("pub fn fyrst() -> u32 { 1 }\n"),
                Some("pub fn first() -> u32 { i }\n"),
            ],
        ),
        (
            "user/src/lib.rs",
            &[
                Some("mac::strike!();\npub fn use_it() -> u32 { struck() }\n"),
                Some("mac::strike!();\npub fn use_it() -> u32 { stuck() }\n"),
                Some("pub fn use_it() -> u32 { struck() }\n"),
                Some("pub fn struck() -> u32 { 0 }\npub fn use_it() -> u32 { struck() }\n"),
            ],
        ),
        (
            "app/src/lib.rs",
            &[
                Some("pub fn sum() -> u32 { core_part::first() + user::use_it() }\n"),
                Some("pub fn sum() -> u32 { core_part::fyrst() + user::use_it() }\n"),
                Some("pub fn sum() -> u64 { core_part::first() + user::use_it() }\n"),
            ],
        ),
        ("app/tests/it.rs", &[Some(TEST), Some("#[test]\nfn it() { app::mus() }\n"), None]),
        ("evil/src/lib.rs", &[Some("pub fn evil() {}\n"), Some("pub fn evil() { x }\n")]),
    ],
    fixed: &[
        (
            "Cargo.toml",
            "[workspace]\nmembers = [\"app\", \"core\", \"evil\", \"mac\", \"user\"]\nresolver = \"3\"\n",
        ),
        (
            "core/Cargo.toml",
            "[package]\nname = \"core-part\"\nversion = \"0.1.0\"\nedition = \"2024\"\n[lib]\ntest = false\n",
        ),
        (
            "evil/Cargo.toml",
            "[package]\nname = \"evil\"\nversion = \"0.1.0\"\nedition = \"2024\"\n[lib]\ntest = false\n",
        ),
        ("evil/build.rs", SCRIPT),
        (
            "mac/Cargo.toml",
            "[package]\nname = \"mac\"\nversion = \"0.1.0\"\nedition = \"2024\"\n[lib]\nproc-macro = true\ntest = false\n",
        ),
        ("mac/src/lib.rs", MACRO),
        (
            "user/Cargo.toml",
            "[package]\nname = \"user\"\nversion = \"0.1.0\"\nedition = \"2024\"\n[dependencies]\nmac = { path = \"../mac\" }\n[lib]\ntest = false\n",
        ),
        (
            "app/Cargo.toml",
            "[package]\nname = \"app\"\nversion = \"0.1.0\"\nedition = \"2024\"\n[dependencies]\ncore-part = { path = \"../core\" }\nuser = { path = \"../user\" }\nevil = { path = \"../evil\" }\n[lib]\ntest = false\n",
        ),
        (".gitignore", "target\n"),
        (
            "Cargo.lock",
            "version = 4\n\n[[package]]\nname = \"app\"\nversion = \"0.1.0\"\ndependencies = [\n \"core-part\",\n \"evil\",\n \"user\",\n]\n\n[[package]]\nname = \"core-part\"\nversion = \"0.1.0\"\n\n[[package]]\nname = \"evil\"\nversion = \"0.1.0\"\n\n[[package]]\nname = \"mac\"\nversion = \"0.1.0\"\n\n[[package]]\nname = \"user\"\nversion = \"0.1.0\"\ndependencies = [\n \"mac\",\n]\n",
        ),
    ],
    outside: &[],
    has_hostile_tests: true,
};
