//! The structural vocabulary: constraints as text, verdicts as text.

use std::fmt::Write as _;

use expect_test::{Expect, expect};
use graftage_policy::program::{Event, ExplorationLimits, Value};
use graftage_policy::structure::Structure;
use graftage_policy::{GateRules, Policy, PolicyError};

/// `apply lines = 3, by = ada`: an event with its fields.
fn offered(text: &str) -> Event {
    let (name, fields) = text.split_once(' ').unwrap_or((text, ""));
    let fields = fields.split(',').filter(|it| !it.trim().is_empty());
    fields.fold(Event::new(name), |event, field| {
        let (field, value) = field.split_once('=').unwrap();
        let value = match value.trim() {
            "true" => Value::Flag(true),
            "false" => Value::Flag(false),
            text => match text.parse() {
                Ok(number) => Value::Number(number),
                Err(_) => Value::Text(text.to_owned()),
            },
        };
        event.with(field.trim(), value)
    })
}

/// The verdict on constraints in an environment that offers these events.
fn check(toml: &str, offers: &[&str], expected: Expect) {
    let structure: Structure = toml::from_str(toml).unwrap();
    let round: Structure = toml::from_str(&toml::to_string(&structure).unwrap()).unwrap();
    assert_eq!(round, structure);
    let offers: Vec<Event> = offers.iter().map(|text| offered(text)).collect();
    let found = structure.verify(&offers, ExplorationLimits::default()).unwrap();
    let mut text = String::new();
    for misfit in &found.misfits {
        writeln!(text, "misfit: {misfit}").unwrap();
    }
    for it in &found.violations {
        let trace: Vec<String> = it.trace.iter().map(ToString::to_string).collect();
        let (name, at) = (&it.constraint, &it.at);
        writeln!(text, "violated: `{name}` of {at}: {}: [{}]", it.property, trace.join("; "))
            .unwrap();
    }
    writeln!(text, "verified: {}, {} states", found.is_verified(), found.report.states).unwrap();
    expected.assert_eq(&text);
}

#[test]
fn an_object_is_used_only_while_it_exists() {
    let object = "
[[object]]
name = 'proposal'
at = 'tool edit'
priority = 1
made_by = ['propose']
used_by = ['preflight', 'approve']
removed_by = ['reject']
";
    check(
        object,
        &["propose", "preflight", "approve", "reject"],
        expect![[r#"
        verified: true, 2 states
    "#]],
    );
    // A thread that uses it without making it can never go on.
    let user = format!(
        "{object}
[[thread]]
name = 'hasty'
priority = 2
steps = {{ steps = [{{ request = [{{ name = 'approve', fields = {{}} }}] }}] }}
"
    );
    check(
        &user,
        &["preflight"],
        expect![[r#"
            violated: `proposal` of tool edit: no run ends with a blocked request: []
            verified: false, 1 states
        "#]],
    );
    let nested = "
[[object]]
name = 'file'
at = 'a'
priority = 1
made_by = ['x']
used_by = []
within = 'folder'
[[object]]
name = 'folder'
at = 'b'
priority = 2
made_by = ['y']
used_by = []
within = 'file'
[[object]]
name = 'lost'
at = 'c'
priority = 3
made_by = ['z']
used_by = []
within = 'nothing'
";
    check(
        nested,
        &[],
        expect![[r#"
        misfit: `file` of a: `folder` contains itself
        misfit: `folder` of b: `file` contains itself
        misfit: `lost` of c: there is no object `nothing`
        verified: false, 1 states
    "#]],
    );
}

#[test]
fn a_channel_sends_the_declared_payload_from_the_declared_senders() {
    let channels = "
[[channel]]
name = 'kind'
at = 'tool search'
priority = 1
event = 'search'
field = 'by'
carries = { selection = ['item', 'file'] }
[[channel]]
name = 'limit'
at = 'tool search'
priority = 2
event = 'search'
field = 'k'
carries = { number = { least = 1, most = 100 } }
[[channel]]
name = 'flag'
at = 'tool check'
priority = 3
event = 'checked'
field = 'kept'
carries = 'flag'
from = []
[[thread]]
name = 'forger'
priority = 4
steps = { steps = [{ request = [{ name = 'checked', fields = { kept = true } }] }] }
";
    let offers = ["search by = item, k = 0", "search by = crate, k = 3", "search by = file, k = 3"];
    check(
        channels,
        &offers,
        expect![[r#"
        misfit: `flag` of tool check: thread `forger` may not send `checked kept = true`
        verified: false, 2 states
    "#]],
    );
}

#[test]
fn a_lever_has_a_range_conditions_and_a_number_of_times() {
    let levers = "
[[lever]]
name = 'size'
at = 'gate'
priority = 1
event = 'apply'
limit = { range = { field = 'lines', most = 100 } }
[[lever]]
name = 'checked'
at = 'gate'
priority = 2
event = 'apply'
limit = { after = { opens = ['checked errors = 0'], closes = ['checked', 'applied'] } }
[[lever]]
name = 'twice'
at = 'plan 7a5eb3c2'
priority = 3
event = 'retry'
limit = { times = { most = 2, resets = ['applied'] } }
";
    let offers = [
        "apply lines = 100",
        "apply lines = 101",
        "checked errors = 0",
        "checked errors = 1",
        "applied",
        "retry",
    ];
    check(
        levers,
        &offers,
        expect![[r#"
        verified: true, 12 states
    "#]],
    );
    // A lever that nothing releases can never be moved.
    check(
        levers,
        &["apply lines = 1", "retry"],
        expect![[r#"
        violated: `size` of gate: `apply` can happen: []
        violated: `checked` of gate: `apply` can happen: []
        verified: false, 3 states
    "#]],
    );
}

#[test]
fn a_loop_has_its_response() {
    let edit = "
[[loop]]
name = 'edit and check'
at = 'plan step 2'
priority = 1
action = 'edit'
response = 'check'
exclusive = true
[[thread]]
name = 'checker'
priority = 2
steps = { repeat = true, steps = [{ wait = ['edit'] }, { request = [{ name = 'check', fields = {} }] }] }
";
    check(
        edit,
        &["edit", "look"],
        expect![[r#"
        verified: true, 3 states
    "#]],
    );
    let lazy = edit.split("[[thread]]").next().unwrap();
    check(
        lazy,
        &["edit", "look"],
        expect![[r#"
        violated: `edit and check` of plan step 2: after `edit` follows `check`: [edit; look]
        verified: false, 2 states
    "#]],
    );
}

#[test]
fn a_block_keeps_its_order_and_its_threads_to_what_it_declares() {
    let block = "
[[block]]
name = 'release'
at = 'plan release'
priority = 1
threads = ['tagger', 'absent']
requests = ['tag']
blocks = ['publish']
order = ['tag', 'publish']
[[thread]]
name = 'tagger'
priority = 2
steps = { steps = [{ request = [{ name = 'tag', fields = {} }], block = ['publish'] }, { request = [{ name = 'push', fields = {} }], block = ['edit'] }] }
";
    check(
        block,
        &["publish", "edit"],
        expect![[r#"
        misfit: `release` of plan release: thread `tagger` may not request `push`
        misfit: `release` of plan release: thread `tagger` may not block `edit`
        misfit: `release` of plan release: there is no thread `absent`
        verified: false, 4 states
    "#]],
    );
    // Two blocks that contradict each other: neither event can happen.
    let two = "
[[block]]
name = 'a'
at = 'x'
priority = 1
threads = []
order = ['one', 'two']
[[block]]
name = 'b'
at = 'y'
priority = 2
threads = []
order = ['two', 'one']
";
    check(
        two,
        &["one", "two"],
        expect![[r#"
        violated: `a` of x: `two` can happen: []
        violated: `b` of y: `one` can happen: []
        verified: false, 1 states
    "#]],
    );
}

fn tightened(text: &str) -> Result<Policy, PolicyError> {
    Policy::of(&GateRules { threads: Policy::threads_of(text)?, ..GateRules::default() })
}

#[test]
fn constraints_tighten_the_gate_and_are_verified_with_it() {
    let text = "
[[lever]]
name = 'review size'
at = 'this project'
priority = 100
because = 'a reviewer reads 300 lines'
event = 'apply'
limit = { range = { field = 'lines', most = 300 } }
[[object]]
name = 'test run'
at = 'this project'
priority = 101
made_by = ['tested passed > 0']
used_by = ['apply']
removed_by = ['proposed']
";
    let policy = tightened(text).unwrap();
    let report = policy.verify();
    assert!(report.is_verified(), "{report:#?}");
    let thread = policy.threads().iter().find(|it| it.name == "review size").unwrap();
    assert_eq!(thread.because, "a reviewer reads 300 lines (lever of this project)");
    let shut = text.replace("tested passed > 0", "tested passed < 0");
    let report = tightened(&shut).unwrap().verify();
    assert_eq!(report.violations[0].property, "`apply` can happen");
    // What could loosen the gate is refused as it is of a thread.
    let loose = text.replace("used_by = ['apply']", "used_by = ['checked']");
    let error = tightened(&loose).unwrap_err();
    assert!(error.to_string().contains("thread `test run` blocks `checked`"), "{error}");
    let wrong = text.replace("most = 300", "least = 5, most = 3");
    let error = Policy::threads_of(&wrong).unwrap_err();
    assert_eq!(error.to_string(), "`review size` of this project: no number is from 5 to 3");
}
