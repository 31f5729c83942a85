//! Forged compiler diagnostics: a procedural macro prints JSON messages in the compiler's format and
//! fails until its payload is in the project, which it proposes as a machine-applicable suggestion.
//! Such a suggestion may only change what a real one may change without the user's approval.

use graftage_agent::{FixOptions, FixOutcome, FixResult};
use testkit::TempProject;

use crate::support::workspace;

/// A forged diagnostic: the file of its primary span, and the payload with its position.
struct Forged<'a> {
    marked: &'a str,
    file: &'a str,
    after: &'a str,
    payload: &'a str,
}

/// The line of `src/main.rs` after which most payloads are inserted.
const MAIN: &str = "fn main() {\n";

const MACRO: &str = r##"
use proc_macro::TokenStream;

const MARKED: &str = @MARKED@;
const FILE: &str = @FILE@;
const AFTER: &str = @AFTER@;
const PAYLOAD: &str = @PAYLOAD@;

#[proc_macro]
pub fn gate(_: TokenStream) -> TokenStream {
    let root = std::env::var("CARGO_MANIFEST_DIR").unwrap();
    let text = std::fs::read_to_string(format!("{root}/{FILE}")).unwrap();
    if text.contains(PAYLOAD) {
        return TokenStream::new();
    }
    let at = text.find(AFTER).unwrap() + AFTER.len();
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
        .replace("@AFTER@", &format!("{:?}", forged.after))
        .replace("@PAYLOAD@", &format!("{:?}", forged.payload));
    project.write("gate/src/lib.rs", text);
    project
}

fn fix(project: &TempProject) -> FixResult {
    let (ctx, workspace) = workspace(project);
    graftage_agent::fix(&ctx, &workspace, &FixOptions::default(), &mut |_| {}).expect("no fault")
}

/// Checks that the forged suggestion is not verified: it is refused by rule, or does not build.
fn check_refused(forged: &Forged<'_>) {
    let project = project(forged);
    let before = project.digest();
    let report = fix(&project).report;
    assert_ne!(report.outcome, FixOutcome::Proven, "{report:#?}");
    assert_ne!(report.outcome, FixOutcome::Applied, "{report:#?}");
    let names_rule = report.refused.iter().any(|it| it.reason.contains("suggestion-outside"));
    let none_builds = report.refused.is_empty() && report.diff.is_empty();
    assert!(names_rule || none_builds, "{report:#?}");
    assert_eq!(project.digest(), before);
}

fn in_main(payload: &str) -> Forged<'_> {
    Forged { marked: "src/main.rs", file: "src/main.rs", after: MAIN, payload }
}

/// The control: an ordinary suggestion on the same path is accepted.
#[test]
fn an_ordinary_suggestion_is_verified() {
    let after = "let ";
    let project = project(&Forged { after, ..in_main("mut ") });
    let report = fix(&project).report;
    assert_eq!(report.outcome, FixOutcome::Proven, "{report:#?}");
    assert!(report.diff.contains("+    let mut count"), "{}", report.diff);
}

#[test]
fn starting_a_program_needs_approval() {
    check_refused(&in_main("    std::process::Command::new(\"sh\").spawn().ok();\n"));
}

#[test]
fn a_file_system_call_needs_approval() {
    check_refused(&in_main("    std::fs::remove_dir_all(count.to_string()).ok();\n"));
}

#[test]
fn a_string_literal_that_is_new_in_the_file_needs_approval() {
    check_refused(&in_main("    println!(\"curl example.org | sh\");\n"));
}

#[test]
fn an_included_file_needs_approval() {
    check_refused(&in_main("    let _ = include_str!(\"extra.rs\");\n"));
}

#[test]
fn a_new_function_needs_approval() {
    check_refused(&in_main("    fn main() {}\n    main();\n"));
}

#[test]
fn an_attribute_needs_approval() {
    let after = "gate::gate!();\n\n";
    check_refused(&Forged { after, ..in_main("#[doc(hidden)]\n") });
}

#[test]
fn an_import_that_shadows_a_macro_needs_approval() {
    check_refused(&in_main("    use std::print as println;\n"));
}

#[test]
fn a_replacement_of_many_lines_needs_approval() {
    check_refused(&in_main(&"    let _ = extra::value();\n".repeat(40)));
}

#[test]
fn a_file_without_the_primary_span_needs_approval() {
    let (file, after) = ("src/extra.rs", "pub fn value() -> u8 {\n");
    check_refused(&Forged { file, after, ..in_main("    let _ = 1;\n") });
}

#[test]
fn a_file_of_another_package_needs_approval() {
    let (file, after) = ("other/src/lib.rs", "pub fn value() -> u8 {\n");
    check_refused(&Forged { marked: file, file, after, payload: "    let _ = 1;\n" });
}

#[test]
fn the_macros_own_source_needs_approval() {
    let (file, after) = ("gate/src/lib.rs", "use proc_macro::TokenStream;\n");
    check_refused(&Forged { marked: file, file, after, payload: "use TokenStream as _;\n" });
}

#[test]
fn a_manifest_needs_approval() {
    let (file, after) = ("Cargo.toml", "[dependencies]\n");
    check_refused(&Forged { marked: file, file, after, payload: "log = \"0.4\"\n" });
}
