//! The projects that sequences run on: each file with the texts that it can have.

/// Files by path, each with the texts that it can have; `None`: absent. The first ones build.
/// Texts of equal length are so by intent.
pub(super) type Files = &'static [(&'static str, &'static [Option<&'static str>])];

/// One project.
#[derive(Debug)]
pub(super) struct Template {
    pub(super) files: Files,
    /// Never changed.
    pub(super) fixed: &'static [(&'static str, &'static str)],
    /// Beside the project; changed by the user alone.
    pub(super) outside: Files,
    /// Whether its tests attack what later proofs read.
    pub(super) has_hostile_tests: bool,
}

/// One package without dependencies: cheap, so most sequences run on it.
pub(super) const PLAIN: Template = Template {
    files: &[
        (
            "src/lib.rs",
            &[
                Some(
                    "mod util;\npub const WORD: &str = include_str!(\"word.txt\");\nconst _: () = assert!(WORD.len() == 6);\npub fn first() -> u32 { util::one() }\n",
                ),
                Some(
                    "mod util;\npub const WORD: &str = include_str!(\"word.txt\");\nconst _: () = assert!(WORD.len() == 6);\npub fn first() -> u64 { util::one() }\n",
                ),
                Some(
                    "mod util;\n#[cfg(crowded)]\ncompile_error!(\"crowded\");\npub fn first() -> u32 { let x = 1; util::one() }\n",
                ),
                Some("mod util;\npub fn first() -> u32 { util::one( }\n"),
            ],
        ),
        (
            "src/util.rs",
            &[
                Some("pub fn one() -> u32 { 1 }\n"),
                Some("pub fn one() -> u32 { i }\n"),
                Some("pub fn two() -> u32 { 1 }\n"),
                Some("pub fn one() -> u32 { 2 }\n"),
            ],
        ),
        // Beside `util.rs` it makes the module ambiguous.
        ("src/util/mod.rs", &[None, None, Some("pub fn one() -> u32 { 1 }\n")]),
        ("src/word.txt", &[Some("sheep\n"), Some("horse\n"), Some("ox\n")]),
        // A target that cargo finds by itself.
        ("src/bin/more.rs", &[None, None, Some("fn main() {}\n"), Some("fn mian() {}\n")]),
        (
            "tests/it.rs",
            &[
                Some("#[test]\nfn it() { assert_eq!(plain::first(), 1) }\n"),
                Some("#[test]\nfn it() { assert_eq!(plain::first(), \"\") }\n"),
                None,
            ],
        ),
        (
            "Cargo.toml",
            &[
                Some(
                    "[package]\nname = \"plain\"\nversion = \"0.1.0\"\nedition = \"2024\"\n[lib]\ntest = false\n[workspace]\n",
                ),
                Some(
                    "[package]\nname = \"plain\"\nversion = \"0.1.0\"\nedition = \"2021\"\n[lib]\ntest = false\n[workspace]\n",
                ),
                Some(
                    "[package]\nname = \"plain\"\nversion = \"0.1.0\"\nedition = \"2024\"\n[lib\n[workspace]\n",
                ),
            ],
        ),
        (
            ".cargo/config.toml",
            &[None, None, None, Some("[build]\nrustflags = [\"--cfg\", \"crowded\"]\n")],
        ),
    ],
    fixed: &[
        (".gitignore", "target\n"),
        ("Cargo.lock", "version = 4\n\n[[package]]\nname = \"plain\"\nversion = \"0.1.0\"\n"),
    ],
    outside: &[],
    has_hostile_tests: false,
};

/// Small and nasty: a build script that declares what it reads and one that does not,
/// `include_str!`, `env!`, a module that a new file can shadow, a path dependency outside, a
/// cargo configuration that comes and goes.
pub(super) const NASTY: Template = Template {
    files: &[
        (
            "core/src/lib.rs",
            &[
                Some(
                    "pub mod util;\npub const WORD: &str = include_str!(\"../data/word.txt\");\nconst _: () = assert!(WORD.len() == 6);\ninclude!(concat!(env!(\"OUT_DIR\"), \"/table.rs\"));\npub fn first() -> u32 { util::one() }\n",
                ),
                Some(
                    "pub mod util;\npub const WORD: &str = include_str!(\"../data/word.txt\");\nconst _: () = assert!(WORD.len() == 6);\ninclude!(concat!(env!(\"OUT_DIR\"), \"/table.rs\"));\npub fn first() -> u64 { util::one() }\n",
                ),
                Some(
                    "pub mod util;\npub fn first() -> u32 { util::one() }\npub static TABLE: u32 = 1;\n",
                ),
                Some("pub mod util;\npub fn first() -> u32 { util::one( }\n"),
            ],
        ),
        (
            "core/src/util.rs",
            &[
                Some("pub fn one() -> u32 { 1 }\n"),
                Some("pub fn one() -> u32 { i }\n"),
                Some("pub fn two() -> u32 { 1 }\n"),
                Some("pub fn one() -> u32 { let x = 1; 1 }\n"),
            ],
        ),
        // Beside `util.rs` it makes the module ambiguous.
        ("core/src/util/mod.rs", &[None, None, Some("pub fn one() -> u32 { 1 }\n")]),
        ("core/data/word.txt", &[Some("sheep\n"), Some("horse\n"), Some("ox\n")]),
        ("core/data/table.txt", &[Some("1"), Some("2"), Some("x")]),
        (
            "core/build.rs",
            &[
                Some(
                    "fn main() {\n    println!(\"cargo::rerun-if-changed=data/table.txt\");\n    println!(\"cargo::rustc-env=KIND=one\");\n    let table = std::fs::read_to_string(\"data/table.txt\").unwrap();\n    let out = std::env::var(\"OUT_DIR\").unwrap();\n    std::fs::write(out + \"/table.rs\", format!(\"pub static TABLE: u32 = {table};\")).unwrap();\n}\n",
                ),
                Some(
                    "fn main() {\n    println!(\"cargo::rerun-if-changed=data/table.txt\");\n    println!(\"cargo::rustc-env=KIND=two\");\n    let table = std::fs::read_to_string(\"data/table.txt\").unwrap();\n    let out = std::env::var(\"OUT_DIR\").unwrap();\n    std::fs::write(out + \"/table.rs\", format!(\"pub static TABEL: u32 = {table};\")).unwrap();\n}\n",
                ),
                Some("fn main() { panic!(\"no\") }\n"),
            ],
        ),
        (
            "core/Cargo.toml",
            &[
                Some(
                    "[package]\nname = \"core-part\"\nversion = \"0.1.0\"\nedition = \"2024\"\n[lib]\ntest = false\n[features]\nextra = []\n",
                ),
                Some(
                    "[package]\nname = \"core-part\"\nversion = \"0.1.0\"\nedition = \"2024\"\n[lib]\ntest = false\n[features]\nxtra2 = []\n",
                ),
                Some(
                    "[package]\nname = \"core-part\"\nversion = \"0.1.0\"\nedition = \"2024\"\n[lib]\ntest = false\n[features\n",
                ),
            ],
        ),
        (
            "lister/src/lib.rs",
            &[
                Some(
                    "#[cfg(crowded)]\ncompile_error!(\"crowded\");\npub fn kind() -> &'static str { env!(\"ASSETS\") }\n",
                ),
                Some("pub fn kind() -> &'static str { env!(\"ASSETS\") }\n"),
            ],
        ),
        // Declares no dependency on what it reads.
        (
            "lister/build.rs",
            &[Some(
                "fn main() {\n    println!(\"cargo::rustc-check-cfg=cfg(crowded)\");\n    let count = std::fs::read_dir(\"assets\").unwrap().count();\n    println!(\"cargo::rustc-env=ASSETS={count}\");\n    if count > 2 { println!(\"cargo::rustc-cfg=crowded\"); }\n}\n",
            )],
        ),
        ("lister/assets/a.txt", &[Some("a")]),
        ("lister/assets/b.txt", &[Some("b"), None, Some("c")]),
        ("lister/assets/c.txt", &[None, Some("c")]),
        (
            "app/src/lib.rs",
            &[
                Some(
                    "pub fn sum() -> u32 { core_part::first() + outside::two() }\npub const N: u32 = core_part::TABLE;\n",
                ),
                Some(
                    "pub fn sum() -> u32 { core_part::first() * outside::two() }\npub const N: u32 = core_part::TABLE;\n",
                ),
                Some(
                    "pub fn sum() -> u32 { core_part::fyrst() + outside::two() }\npub const N: u32 = core_part::TABLE;\n",
                ),
            ],
        ),
        (
            "app/src/main.rs",
            &[
                Some("fn main() { println!(\"{} {}\", app::sum(), lister::kind()) }\n"),
                Some("fn main() { println!(\"{} {}\", app::mus(), lister::kind()) }\n"),
            ],
        ),
        (
            "app/tests/it.rs",
            &[
                Some("#[test]\nfn it() { assert_eq!(app::sum(), 3) }\n"),
                Some("#[test]\nfn it() { assert_eq!(app::sum(), \"\") }\n"),
                None,
            ],
        ),
        // A target that cargo finds by itself.
        ("app/src/bin/more.rs", &[None, Some("fn main() {}\n"), Some("fn mian() {}\n")]),
        (
            ".cargo/config.toml",
            &[None, None, None, Some("[build]\nrustflags = [\"--cfg\", \"crowded\"]\n")],
        ),
    ],
    fixed: &[
        (
            "Cargo.toml",
            "[workspace]\nmembers = [\"core\", \"lister\", \"app\"]\nresolver = \"3\"\n",
        ),
        (
            "lister/Cargo.toml",
            "[package]\nname = \"lister\"\nversion = \"0.1.0\"\nedition = \"2024\"\n[lib]\ntest = false\n",
        ),
        (
            "app/Cargo.toml",
            "[package]\nname = \"app\"\nversion = \"0.1.0\"\nedition = \"2024\"\n[dependencies]\ncore-part = { path = \"../core\" }\nlister = { path = \"../lister\" }\noutside = { path = \"../../outside\" }\n[lib]\ntest = false\n[[bin]]\nname = \"app\"\ntest = false\n",
        ),
        (".gitignore", "target\n"),
        (
            "Cargo.lock",
            "version = 4\n\n[[package]]\nname = \"app\"\nversion = \"0.1.0\"\ndependencies = [\n \"core-part\",\n \"lister\",\n \"outside\",\n]\n\n[[package]]\nname = \"core-part\"\nversion = \"0.1.0\"\n\n[[package]]\nname = \"lister\"\nversion = \"0.1.0\"\n\n[[package]]\nname = \"outside\"\nversion = \"0.1.0\"\n",
        ),
    ],
    outside: &[
        (
            "Cargo.toml",
            &[Some("[package]\nname = \"outside\"\nversion = \"0.1.0\"\nedition = \"2024\"\n")],
        ),
        ("src/lib.rs", &[Some("pub fn two() -> u32 { 2 }\n"), Some("pub fn tow() -> u32 { 2 }\n")]),
    ],
    has_hostile_tests: false,
};
