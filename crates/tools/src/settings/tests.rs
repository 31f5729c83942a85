use base::Hint;

use super::*;

fn load(user: &str, project: &str, variables: &[(&str, &str)]) -> Result<Settings, String> {
    let dir = tempfile::tempdir().unwrap();
    let user_file = dir.path().join("user.toml");
    std::fs::write(&user_file, user).unwrap();
    std::fs::write(dir.path().join("graftage.toml"), project).unwrap();
    let variables = variables.iter().map(|(k, v)| ((*k).to_owned(), (*v).to_owned())).collect();
    Settings::load(&user_file, Some(dir.path()), &variables).map_err(|error| {
        let text = format!("{error}\n  hint: {}", error.hint().unwrap_or_default());
        text.replace(&dir.path().display().to_string(), "DIR")
    })
}

#[test]
fn later_origins_win_and_are_named() {
    let settings = load(
        "[fix]\nattempts = 5\n[gate]\nmax_files = 9\n",
        "gate.max_files = 3\n",
        &[("GRAFTAGE_FIX_ATTEMPTS", "7"), ("GRAFTAGE_OTHER", "x")],
    )
    .unwrap();
    assert_eq!((settings.fix_attempts, settings.gate.max_files), (7, 3));
    let shown = settings.shown();
    let origin = |key: &str| &shown.iter().find(|s| s.key == key).unwrap().origin;
    assert_eq!(origin("fix.attempts"), &Origin::Environment("GRAFTAGE_FIX_ATTEMPTS".into()));
    assert!(matches!(origin("gate.max_files"), Origin::Project(_)));
    assert_eq!(origin("check.clippy"), &Origin::Default);
}

#[test]
fn a_file_that_is_no_toml_is_shown_with_the_line() {
    assert_eq!(
        load("", "[gate]\nmax_files = [\n", &[]).unwrap_err(),
        "`DIR/graftage.toml` is not valid TOML: TOML parse error at line 2, column 14\n  |\n2 | \
         max_files = [\n  |              ^\nunclosed array, expected `]`\n  hint: mend the line \
         named above"
    );
}

#[test]
fn a_project_cannot_loosen_the_sandbox() {
    let error = load("", "[sandbox]\nrequire = \"best_effort\"\n", &[]).unwrap_err();
    assert_eq!(
        error,
        "the project's file may only tighten `sandbox.require`: it has `best_effort`, the \
         user's is `standard`\n  hint: set `sandbox.require` in your own configuration file \
         or on the command line"
    );
    assert!(load("", "[sandbox]\nrequire = \"strong\"\n", &[]).is_ok());
}

#[test]
fn unknown_keys_and_values_name_the_mend() {
    assert_eq!(
        load("[gate]\nmax_file = 3\n", "", &[]).unwrap_err(),
        "unknown setting `gate.max_file` (user file DIR/user.toml)\n  hint: did you mean \
         `gate.max_files`?"
    );
    assert_eq!(
        load("check.tests = \"some\"\n", "", &[]).unwrap_err(),
        "setting `check.tests` does not take `some` (user file DIR/user.toml)\n  hint: it \
         takes none, affected or all"
    );
    assert!(load("a = [", "", &[]).unwrap_err().contains("is not valid TOML"));
}

#[test]
fn every_key_reads_back_what_it_shows() {
    let settings = Settings::default();
    for shown in settings.shown() {
        let mut copy = settings.clone();
        copy.put(shown.key, &shown.value, Origin::Flag).unwrap();
        assert_eq!(copy.shown().iter().find(|s| s.key == shown.key).unwrap().value, shown.value);
    }
}

#[test]
fn a_project_cannot_trust_folders_in_the_users_place() {
    let user = "[trust]\npaths = [\"/a\", \"/b\"]\n";
    let error = load(user, "trust.paths = [\"/a\", \"/c\"]\n", &[]).unwrap_err();
    assert_eq!(
        error,
        "the project's file may only tighten `trust.paths`: it has `/a,/c`, the user's is \
         `/a,/b`\n  hint: set `trust.paths` in your own configuration file or on the command line"
    );
    let fewer = load(user, "trust.paths = [\"/b\"]\n", &[]).unwrap();
    assert_eq!(fewer.trust_paths, [PathBuf::from("/b")]);
    assert!(load("trust.paths = [\"lib\"]\n", "", &[]).is_err(), "a relative path names no folder");
}
