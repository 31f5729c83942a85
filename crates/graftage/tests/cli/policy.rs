use super::support::graftage;

/// A policy that allows changes of one line only.
const SMALL: &str = "[[thread]]\nname = \"small\"\npriority = 100\n\
    because = \"we write small changes\"\n\
    gate = { blocks = [\"apply lines > 1\"], opens = [] }\n";

#[test]
fn the_policy_is_shown_and_verified() {
    let project = testkit::copy_crate("clean");
    let result = graftage(&project, &["policy", "verify"]);
    assert_eq!((result.status, result.stderr.as_str()), (0, ""));
    assert!(result.stdout.contains("holds  `apply` happens only after `compile kept = true`"));
    assert!(result.stdout.ends_with("all 256 states, 4866 transitions\n"), "{}", result.stdout);
    project.write("graftage-policy.toml", SMALL);
    let shown = graftage(&project, &["policy", "show", "--json"]).json();
    let threads = shown["threads"].as_array().unwrap();
    let last = threads.last().unwrap();
    assert_eq!(
        (threads.len(), &last["name"], &last["is_shipped"]),
        (8, &"small".into(), &false.into())
    );
    assert_eq!(last["does"], "blocks `apply lines > 1`");
}

#[test]
fn a_policy_closes_the_gate_with_its_reason() {
    let project = testkit::copy_crate("clean");
    project.write("graftage-policy.toml", SMALL);
    let before = project.digest();
    let file = project.beside("requests").join("edit");
    std::fs::write(&file, "src/other.rs\n```rust\npub fn two() -> u8 {\n    2\n}\n```\n").unwrap();
    let edit = ["edit", "apply", &file.display().to_string(), "--json", "--tests", "none"];
    let result = graftage(&project, &edit);
    assert_eq!(result.status, 1, "{result:#?}");
    let refusal = &result.json()["refusals"][0];
    assert_eq!(
        (&refusal["rule"], &refusal["reason"]),
        (&"small".into(), &"we write small changes".into())
    );
    assert_eq!(project.digest(), before);
}

#[test]
fn a_policy_that_loosens_is_refused() {
    let project = testkit::copy_crate("clean");
    let forged = "[[thread]]\nname = \"x\"\npriority = 9\n\
        steps = { steps = [{ request = [{ name = \"compile\", fields = { kept = true } }] }] }\n";
    project.write("graftage-policy.toml", forged);
    let result = graftage(&project, &["check"]);
    assert_ne!(result.status, 0);
    assert!(result.stderr.contains("requests `compile kept = true`"), "{}", result.stderr);
    let closed = SMALL.replace("apply lines > 1", "apply");
    project.write("graftage-policy.toml", &closed);
    let result = graftage(&project, &["policy", "verify"]);
    assert_eq!(result.status, 1);
    assert!(result.stdout.contains("violated  `apply` can happen"), "{}", result.stdout);
}
