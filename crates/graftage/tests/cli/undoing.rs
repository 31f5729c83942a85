//! `undo` of a change whose file has another text since: what is in the way, and what to do.

use super::support::graftage;

/// Fixes the broken function and returns the id of the change.
fn fixed(project: &testkit::TempProject) -> String {
    let result = graftage(project, &["fix", "--apply", "--tests", "none"]);
    let id = result.stdout.split_once("applied as ").and_then(|it| it.1.split(';').next());
    id.unwrap_or_else(|| panic!("{result:#?}")).to_owned()
}

#[test]
fn undo_names_the_newer_change_that_is_in_the_way() {
    let project = testkit::crate_project("pub fn f(x: &str) -> String {\n    x.to_strin()\n}\n");
    let first = fixed(&project);
    project.write("src/lib.rs", project.read("src/lib.rs").replace("x.", "(x)."));
    let manual = graftage(&project, &["undo", &first]);
    assert_eq!(manual.status, 1);
    assert_eq!(
        manual.stderr,
        format!(
            "error: `src/lib.rs` has changed since: undo of {first} would overwrite that\n  hint: an edit \
             outside of graftage is in the way: take it out and keep a copy, `graftage undo {first}`, \
             then make it again\n"
        )
    );
    project.write("src/lib.rs", project.read("src/lib.rs").replace("to_string", "to_sting"));
    let second = fixed(&project);
    let newer = graftage(&project, &["undo", &first]);
    assert_eq!(newer.status, 1);
    assert_eq!(
        newer.stderr,
        format!(
            "error: `src/lib.rs` has changed since: undo of {first} would overwrite that\n  hint: change \
             {second} is in the way: `graftage undo {second}` first\n"
        )
    );
    assert!(project.read("src/lib.rs").contains("(x).to_string()"));
}
