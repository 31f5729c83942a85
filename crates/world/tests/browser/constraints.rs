//! Structural annotations: constraints on the events of a page, in every story of its file.

use expect_test::expect;

use crate::{check, report};

/// A page that reports what it does, and its constraints.
const PAGE: &str = r##"
[page]
html = '''
<html lang=en><title>Rules</title><main><h1>Rules</h1>
<button onclick="say('add', { count: ++n })">Add</button>
<button onclick="say('save'); setTimeout(() => say('saved'), 120)">Save</button>
<button onclick="say('save')">Save and forget</button>
<button onclick="say('show', { what: 'all' })">All</button>
<button onclick="say('show', { what: 'done' })">Done</button>
<button onclick="say('make')">Make</button><button onclick="say('use')">Use</button>
<output role=status></output></main>
<script>let n = 0; const say = (name, fields) => { dispatchEvent(new CustomEvent('story', { detail: { name, fields } }));
  document.querySelector('output').textContent += name + ' ' }</script></html>
'''

[[lever]]
name = "three at most"
because = "the shelf has three places"
event = "add"
limit = { range = { field = "count", most = 3 } }

[[loop]]
name = "a save is answered"
action = "save"
response = "saved"

[[channel]]
name = "what is shown"
event = "show"
field = "what"
carries = { selection = ["all", "open"] }

[[object]]
name = "task"
made_by = ["make"]
used_by = ["use"]
"##;

#[test]
fn constraints_of_a_file_hold_in_each_of_its_stories() {
    let stories = r##"
[[story]]
name = "three are added"
play = [ { click = { role = "button", name = "Add" }, times = 3 }, { expect = { role = "status" }, contains = "add" } ]

[[story]]
name = "four are added"
play = [ { click = { role = "button", name = "Add" }, times = 4 }, { expect = { role = "status" }, contains = "add" } ]

[[story]]
name = "saved"
play = [ { click = { role = "button", name = "Save" } }, { expect = { role = "status" }, contains = "save" } ]

[[story]]
name = "forgotten"
timeout_ms = 300
play = [ { click = { role = "button", name = "Save and forget" } }, { expect = { role = "status" }, text = "save" } ]

[[story]]
name = "another value"
play = [ { click = { role = "button", name = "Done" } }, { expect = { role = "status" }, text = "show" } ]

[[story]]
name = "made and used"
play = [ { click = { role = "button", name = "Make" } }, { click = { role = "button", name = "Use" } }, { wait_for = { text = "Rules" } } ]

[[story]]
name = "used before it is made"
play = [ { click = { role = "button", name = "Use" } }, { expect = { role = "status" }, text = "use" } ]
"##;
    check(
        &format!("{PAGE}{stories}"),
        &expect![[r#"
            ok three are added
            no four are added: 42: the constraints of its pages: `add count = 4` happened: `three at most`: the shelf has three places (lever of stories/test.toml:16) [add count = 1 | add count = 2 | add count = 3 | add count = 4]
            ok saved
            no forgotten: 50: the constraints of its pages: a save is answered: `saved` did not happen: the loop of stories/test.toml:22 does not allow it [save]
            no another value: 55: the constraints of its pages: `show what = "done"` happened: `what is shown`: the channel of stories/test.toml:27 does not allow it [show what = "done"]
            ok made and used
            no used before it is made: 63: the constraints of its pages: `use` happened: `task`: the object of stories/test.toml:33 does not allow it [use]
        "#]],
    );
}

#[test]
fn a_broken_constraint_closes_the_gate_of_the_reward_and_each_tier_is_in_the_report() {
    let stories = r##"
[[story]]
name = "four are added"
play = [ { click = { role = "button", name = "Add" }, times = 4 }, { expect = { role = "status" }, contains = "add" } ]

[[story]]
name = "one is added"
play = [ { click = { role = "button", name = "Add" } }, { expect = { role = "status" }, text = "add" } ]
"##;
    let folder = std::env::temp_dir();
    let Some(report) = report(&folder, &format!("{PAGE}{stories}")) else { return };
    let score = |at: usize| (report.stories[at].score.constraints, report.stories[at].reward);
    assert_eq!((score(0), score(1)), ((Some(false), 0), (Some(true), 1_000)));
    let tiers: Vec<String> = report
        .tiers
        .iter()
        .map(|it| format!("{} {} {}: {}", it.file, it.tier.as_str(), it.passed, it.detail))
        .collect();
    expect![[r#"
        stories/test.toml static true: 4 constraints; 4 sequences verified in 15 states
        stories/test.toml browser false: 1 of 2 failed"#]]
    .assert_eq(&tiers.join("\n"));
}
