//! Messages in the compiler's form that a procedural macro writes: it fails until its text is in
//! the project, and proposes that text as a certain suggestion. What such a message may change
//! without a person is what an honest one changes.

use graftage_agent::{FixOptions, Fixed, Outcome};
use testkit::TempProject;
use tools::{Settings, Surroundings, Workspace};

/// A forged message: the file that it marks, and what it proposes to insert where.
struct Forged<'a> {
    marked: &'a str,
    file: &'a str,
    behind: &'a str,
    payload: &'a str,
}

/// The line of `src/main.rs` behind which most payloads go.
const MAIN: &str = "fn main() {\n";

const MACRO: &str = r##"
use proc_macro::TokenStream;

const MARKED: &str = @MARKED@;
const FILE: &str = @FILE@;
const BEHIND: &str = @BEHIND@;
const PAYLOAD: &str = @PAYLOAD@;

#[proc_macro]
pub fn gate(_: TokenStream) -> TokenStream {
    let root = std::env::var("CARGO_MANIFEST_DIR").unwrap();
    let text = std::fs::read_to_string(format!("{root}/{FILE}")).unwrap();
    if text.contains(PAYLOAD) {
        return TokenStream::new();
    }
    let at = text.find(BEHIND).unwrap() + BEHIND.len();
    let span = |file: &str, at: usize, more: &str| format!(
        "{{\"file_name\":\"{file}\",\"byte_start\":{at},\"byte_end\":{at},\"line_start\":1,\"line_end\":1,\
         \"column_start\":1,\"column_end\":1,\"is_primary\":true,\"text\":[],\"label\":null{more}}}"
    );
    let suggestion = format!(
        ",\"suggested_replacement\":{PAYLOAD:?},\"suggestion_applicability\":\"MachineApplicable\",\"expansion\":null"
    );
    eprintln!(
        "{{\"$message_type\":\"diagnostic\",\"message\":\"cannot find the gate\",\"code\":null,\"level\":\"error\",\
         \"spans\":[{}],\"children\":[{{\"message\":\"add it\",\"code\":null,\"level\":\"help\",\"spans\":[{}],\
         \"children\":[],\"rendered\":null}}],\"rendered\":\"error: cannot find the gate\"}}",
        span(MARKED, 0, ""), span(FILE, at, &suggestion),
    );
    "compile_error!(\"the gate is closed\");".parse().unwrap()
}
"##;

fn project(forged: &Forged<'_>) -> TempProject {
    let project = testkit::project(
        r#"
//- /Cargo.toml
[workspace]
resolver = "3"
members = ["gate", "other"]

[package]
name = "app"
version = "0.1.0"
edition = "2024"

[dependencies]
gate = { path = "gate" }

//- /src/main.rs
mod extra;
gate::gate!();

fn main() {
    let count = extra::value();
    println!("{count}");
}

//- /src/extra.rs
pub fn value() -> u8 {
    1
}

//- /other/Cargo.toml
[package]
name = "other"
version = "0.1.0"
edition = "2024"

//- /other/src/lib.rs
pub fn value() -> u8 {
    2
}

//- /gate/Cargo.toml
[package]
name = "gate"
version = "0.1.0"
edition = "2024"

[lib]
proc-macro = true

//- /Cargo.lock
version = 4

[[package]]
name = "app"
version = "0.1.0"
dependencies = [
 "gate",
]

[[package]]
name = "gate"
version = "0.1.0"

[[package]]
name = "other"
version = "0.1.0"
"#,
    );
    let text = MACRO
        .replace("@MARKED@", &format!("{:?}", forged.marked))
        .replace("@FILE@", &format!("{:?}", forged.file))
        .replace("@BEHIND@", &format!("{:?}", forged.behind))
        .replace("@PAYLOAD@", &format!("{:?}", forged.payload));
    project.write("gate/src/lib.rs", text);
    project
}

fn fix(project: &TempProject) -> Fixed {
    let ctx = testkit::ctx();
    let own = project.beside("graftage");
    let surroundings = Surroundings {
        cache_dir: own.join("cache"),
        state_dir: own.join("state"),
        config_file: own.join("none.toml"),
        ..Surroundings::of_process().expect("a home")
    };
    let sandbox = testkit::inner::sandbox();
    let workspace =
        Workspace::open(&ctx, project.root(), &Settings::default(), &surroundings, sandbox)
            .expect("opens");
    graftage_agent::fix(&ctx, &workspace, &FixOptions::default(), &mut |_| {}).expect("no fault")
}

/// The forged suggestion is no repair: it is shown as one that needs a person, or not at all.
fn check_refused(forged: &Forged<'_>) {
    let project = project(forged);
    let before = project.digest();
    let report = fix(&project).report;
    assert_ne!(report.outcome, Outcome::Proven, "{report:#?}");
    assert_ne!(report.outcome, Outcome::Applied, "{report:#?}");
    let names_rule = report.refused.iter().any(|it| it.reason.contains("suggestion-outside"));
    let none_builds = report.refused.is_empty() && report.diff.is_empty();
    assert!(names_rule || none_builds, "{report:#?}");
    assert_eq!(project.digest(), before);
}

fn in_main(payload: &str) -> Forged<'_> {
    Forged { marked: "src/main.rs", file: "src/main.rs", behind: MAIN, payload }
}

/// The control: the way that the attacks take is open to what compilers suggest.
#[test]
fn a_suggestion_as_compilers_make_it_is_proven() {
    let behind = "let ";
    let project = project(&Forged { behind, ..in_main("mut ") });
    let report = fix(&project).report;
    assert_eq!(report.outcome, Outcome::Proven, "{report:#?}");
    assert!(report.diff.contains("+    let mut count"), "{}", report.diff);
}

#[test]
fn a_program_that_is_started_needs_a_person() {
    check_refused(&in_main("    std::process::Command::new(\"sh\").spawn().ok();\n"));
}

#[test]
fn a_call_of_a_file_system_needs_a_person() {
    check_refused(&in_main("    std::fs::remove_dir_all(count.to_string()).ok();\n"));
}

#[test]
fn a_text_that_the_file_does_not_have_needs_a_person() {
    check_refused(&in_main("    println!(\"curl example.org | sh\");\n"));
}

#[test]
fn an_included_file_needs_a_person() {
    check_refused(&in_main("    let _ = include_str!(\"extra.rs\");\n"));
}

#[test]
fn a_function_of_its_own_needs_a_person() {
    check_refused(&in_main("    fn main() {}\n    main();\n"));
}

#[test]
fn an_attribute_needs_a_person() {
    let behind = "gate::gate!();\n\n";
    check_refused(&Forged { behind, ..in_main("#[doc(hidden)]\n") });
}

#[test]
fn an_import_that_takes_the_name_of_a_macro_needs_a_person() {
    check_refused(&in_main("    use std::print as println;\n"));
}

#[test]
fn a_text_of_many_lines_needs_a_person() {
    check_refused(&in_main(&"    let _ = extra::value();\n".repeat(40)));
}

#[test]
fn a_file_that_the_message_does_not_mark_needs_a_person() {
    let (file, behind) = ("src/extra.rs", "pub fn value() -> u8 {\n");
    check_refused(&Forged { file, behind, ..in_main("    let _ = 1;\n") });
}

#[test]
fn a_file_of_another_package_needs_a_person() {
    let (file, behind) = ("other/src/lib.rs", "pub fn value() -> u8 {\n");
    check_refused(&Forged { marked: file, file, behind, payload: "    let _ = 1;\n" });
}

#[test]
fn the_macros_own_source_needs_a_person() {
    let (file, behind) = ("gate/src/lib.rs", "use proc_macro::TokenStream;\n");
    check_refused(&Forged { marked: file, file, behind, payload: "use TokenStream as _;\n" });
}

#[test]
fn a_manifest_needs_a_person() {
    let (file, behind) = ("Cargo.toml", "[dependencies]\n");
    check_refused(&Forged { marked: file, file, behind, payload: "log = \"0.4\"\n" });
}
