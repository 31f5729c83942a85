//! Settings from several origins as text: which one applies, and which a project must not loosen.

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
fn later_origins_override_earlier_ones() {
    let settings = load(
        "[fix]\nattempts = 5\n[gate]\nmax_files = 9\n",
        "gate.max_files = 3\n",
        &[("GRAFTAGE_FIX_ATTEMPTS", "7"), ("GRAFTAGE_OTHER", "x")],
    )
    .unwrap();
    assert_eq!((settings.fix_attempts, settings.gate.max_files), (7, 3));
    let rows = settings.rows();
    let origin = |key: &str| &rows.iter().find(|s| s.key == key).unwrap().origin;
    assert_eq!(origin("fix.attempts"), &SettingOrigin::Environment("GRAFTAGE_FIX_ATTEMPTS".into()));
    assert!(matches!(origin("gate.max_files"), SettingOrigin::Project(_)));
    assert_eq!(origin("check.clippy"), &SettingOrigin::Default);
}

#[test]
fn a_syntax_error_is_reported_with_its_line() {
    assert_eq!(
        load("", "[gate]\nmax_files = [\n", &[]).unwrap_err(),
        "`DIR/graftage.toml` is not valid TOML: TOML parse error at line 2, column 14\n  |\n2 | \
         max_files = [\n  |              ^\nunclosed array, expected `]`\n  hint: fix the syntax \
         at that line"
    );
}

#[test]
fn a_project_cannot_loosen_the_sandbox() {
    let error = load("", "[sandbox]\nrequire = \"best_effort\"\n", &[]).unwrap_err();
    assert_eq!(
        error,
        "the project's `graftage.toml` may not loosen `sandbox.require`: it sets `best_effort`, \
         you have `standard`\n  hint: set `sandbox.require` in your own configuration file \
         or on the command line"
    );
    assert!(load("", "[sandbox]\nrequire = \"strong\"\n", &[]).is_ok());
}

#[test]
fn a_project_may_require_a_question_before_a_write_and_not_drop_it() {
    let consent = |project: &str| load("", project, &[]).map(|it| it.serve.apply);
    assert_eq!(consent(""), Ok(WriteConsent::Ask));
    assert_eq!(consent("serve.apply = \"require\"\n"), Ok(WriteConsent::Require));
    assert!(consent("serve.apply = \"policy\"\n").unwrap_err().contains("may not loosen"));
    let settings = load("serve.apply = \"policy\"\nserve.answers = \"text\"\n", "", &[]).unwrap();
    assert_eq!(settings.serve.apply, WriteConsent::Policy);
    assert_eq!(settings.serve.answers, AnswerForm::Text);
}

#[test]
fn unknown_keys_and_bad_values_come_with_a_hint() {
    assert_eq!(
        load("[gate]\nmax_file = 3\n", "", &[]).unwrap_err(),
        "unknown setting `gate.max_file` (user file DIR/user.toml)\n  hint: did you mean \
         `gate.max_files`?"
    );
    assert_eq!(
        load("check.tests = \"some\"\n", "", &[]).unwrap_err(),
        "`some` is not a valid value of `check.tests` (user file DIR/user.toml)\n  hint: use \
         none, affected or all"
    );
    assert!(load("a = [", "", &[]).unwrap_err().contains("is not valid TOML"));
}

#[test]
fn every_setting_parses_its_own_output() {
    let settings = Settings::default();
    for row in settings.rows() {
        let mut copy = settings.clone();
        copy.put(row.key, &row.value, SettingOrigin::Flag).unwrap();
        assert_eq!(copy.rows().iter().find(|s| s.key == row.key).unwrap().value, row.value);
    }
}

#[test]
fn a_project_cannot_extend_the_users_trusted_paths() {
    let user = "[trust]\npaths = [\"/a\", \"/b\"]\n";
    let error = load(user, "trust.paths = [\"/a\", \"/c\"]\n", &[]).unwrap_err();
    assert_eq!(
        error,
        "the project's `graftage.toml` may not loosen `trust.paths`: it sets `/a,/c`, you have \
         `/a,/b`\n  hint: set `trust.paths` in your own configuration file or on the command line"
    );
    let fewer = load(user, "trust.paths = [\"/b\"]\n", &[]).unwrap();
    assert_eq!(fewer.trust_paths, [PathBuf::from("/b")]);
    assert!(load("trust.paths = [\"lib\"]\n", "", &[]).is_err(), "relative paths are refused");
}

#[test]
fn a_project_cannot_trust_its_own_registry() {
    let project = "trust.registries = [\"sparse+https://evil.example/\"]\n";
    let error = load("", project, &[]).unwrap_err();
    assert!(error.contains("may not loosen `trust.registries`"), "{error}");
    let settings = load(project, "", &[]).unwrap();
    assert!(settings.trust().allows("https://evil.example"));
}

#[test]
fn a_project_only_tightens_the_use_of_a_model() {
    let user = "[model]\nprovider = \"anthropic\"\nname = \"m\"\nurl = \"http://127.0.0.1:1\"\n\
                max_cost = 0.5\nmax_tokens = 1000\n";
    for loosens in [
        "provider = \"openai\"",
        "provider = \"scripted:x.json\"",
        "name = \"other\"",
        "url = \"http://evil.example\"",
        "url = \"\"",
        "max_cost = 0",
        "max_cost = 0.51",
        "max_tokens = 1001",
        "rounds = 4",
        "context_tokens = 12001",
    ] {
        let error = load(user, &format!("[model]\n{loosens}\n"), &[]).unwrap_err();
        assert!(error.contains("may not loosen `model."), "{error}");
    }
    let review = "[model]\nreview = true\n";
    assert!(load(review, "[model]\nreview = false\n", &[]).is_err());
    let tighter = "[model]\nprovider = \"none\"\nmax_cost = 0.1\nrounds = 1\nreview = true\n";
    let settings = load(user, tighter, &[]).unwrap();
    assert_eq!((settings.model.max_cost, settings.model.provider), (Some(100_000), None));
    // A model is never the project's choice.
    assert!(load("", "[model]\nprovider = \"openai\"\n", &[]).is_err());
}

#[test]
fn a_project_gives_itself_no_limits_without_end() {
    for loosens in [
        "check.timeout_seconds = 31000000",
        "fix.timeout_seconds = 3601",
        "analyzer.timeout_seconds = 86400",
        "fix.attempts = 100000",
        "cargo.jobs = 1000",
    ] {
        let error = load("", &format!("{loosens}\n"), &[]).unwrap_err();
        assert!(error.contains("may not loosen `"), "{loosens}: {error}");
        let key = loosens.split(' ').next().unwrap();
        assert!(load(&format!("{loosens}\n"), &format!("{loosens}\n"), &[]).is_ok(), "{key}");
    }
    assert!(load("", "check.timeout_seconds = 3600\nfix.timeout_seconds = 60\n", &[]).is_ok());
}
