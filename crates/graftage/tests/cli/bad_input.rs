//! What bad input gets (SPEC 11): a clear error, the mend, a status that is not 0, and an
//! untouched tree.

use super::support::graftage;

#[test]
fn a_folder_without_a_project_is_refused() {
    let project = testkit::TempProject::empty();
    let said = graftage(&project, &["check"]);
    assert_eq!(said.status, 2, "{said:#?}");
    assert_eq!(said.stdout, "");
    assert_eq!(
        said.stderr,
        "error: no `Cargo.toml` in `DIR` or above it\n  hint: name the project's folder with `-C \
         DIR`, or run inside it\n"
    );
}

#[test]
fn bad_usage_has_status_two() {
    let project = testkit::copy_crate("clean");
    assert_eq!(graftage(&project, &["fix", "--commit"]).status, 2);
    assert_eq!(graftage(&project, &["no-such-command"]).status, 2);
    let said = graftage(&project, &["check", "--config", "gate.max_file=1"]);
    assert_eq!(
        (said.status, said.stderr.as_str()),
        (
            2,
            "error: unknown setting `gate.max_file` (command line)\n  hint: did you mean `gate.max_files`?\n"
        )
    );
}
