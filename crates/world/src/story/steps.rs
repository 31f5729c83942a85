//! One step: which action, and which parameters belong to it.

use std::sync::Arc;

use policy::program::{Pattern, Program, Steps, Sync, Thread, ThreadBody};

use super::locator::{Locator, normal};
use super::parse::nearest;
use super::problem::StoryProblem;
use super::raw::{RawPageExpectation, RawStep, RawValue};
use super::{Action, Expected, ExpectedPage, PlainValue, RoleTree, Screenshot};
use crate::play::{Rule, is_key};

/// Most clicks of one step.
const MOST_CLICKS: u32 = 1_000;

/// Each parameter, whether it is given, and the actions that it is for.
fn parameters(raw: &RawStep) -> [(&'static str, bool, &'static [&'static str]); 18] {
    const EXPECT: &[&str] = &["expect"];
    [
        ("times", raw.times.is_some(), &["click"]),
        ("text", raw.text.is_some(), &["type", "expect"]),
        ("clear", raw.clear.is_some(), &["type"]),
        ("at", raw.at.is_some(), &["press"]),
        ("option", raw.option.is_some(), &["select"]),
        ("absent", raw.absent.is_some(), &["wait_for"]),
        ("equals", raw.equals.is_some(), &["eval"]),
        ("contains", raw.contains.is_some(), EXPECT),
        ("value", raw.value.is_some(), EXPECT),
        ("attribute", raw.attribute.is_some(), EXPECT),
        ("count", raw.count.is_some(), EXPECT),
        ("visible", raw.visible.is_some(), EXPECT),
        ("focused", raw.focused.is_some(), EXPECT),
        ("enabled", raw.enabled.is_some(), EXPECT),
        ("checked", raw.checked.is_some(), EXPECT),
        ("role_tree", raw.role_tree.is_some(), EXPECT),
        ("screenshot", raw.screenshot.is_some(), EXPECT),
        ("tolerance", raw.tolerance.is_some(), EXPECT),
    ]
}

/// The action of a step, with all of its parameters.
pub(super) fn action(raw: &RawStep) -> Result<Action, StoryProblem> {
    let names = [
        ("click", raw.click.is_some()),
        ("dblclick", raw.dblclick.is_some()),
        ("type", raw.type_into.is_some()),
        ("press", raw.press.is_some()),
        ("select", raw.select.is_some()),
        ("hover", raw.hover.is_some()),
        ("focus", raw.focus.is_some()),
        ("scroll", raw.scroll.is_some()),
        ("wait_for", raw.wait_for.is_some()),
        ("eval", raw.eval.is_some()),
        ("expect", raw.expect.is_some()),
        ("expect_page", raw.expect_page.is_some()),
    ];
    let mut given = names.iter().filter(|(_, is_given)| *is_given);
    let found = given.clone().count();
    let Some((name, _)) = given.next().filter(|_| found == 1) else {
        return Err(StoryProblem::Actions { found });
    };
    for (key, is_given, actions) in parameters(raw) {
        if is_given && !actions.contains(name) {
            return Err(StoryProblem::WrongParameter { key, action: name });
        }
    }
    let at = |raw: &Option<_>| {
        let missing = StoryProblem::Actions { found: 0 };
        raw.as_ref().ok_or(missing).and_then(Locator::new)
    };
    let missing = |key| StoryProblem::MissingParameter { key, action: name };
    Ok(match *name {
        "click" => Action::Click { at: at(&raw.click)?, times: times(raw.times)?, double: false },
        "dblclick" => Action::Click { at: at(&raw.dblclick)?, times: 1, double: true },
        "type" => Action::Type {
            at: at(&raw.type_into)?,
            text: raw.text.clone().ok_or_else(|| missing("text"))?,
            clear: raw.clear == Some(true),
        },
        "press" => Action::Press {
            key: key(raw.press.as_deref().unwrap_or_default())?,
            at: raw.at.as_ref().map(Locator::new).transpose()?,
        },
        "select" => Action::Select {
            at: at(&raw.select)?,
            option: normal(raw.option.as_deref().ok_or_else(|| missing("option"))?),
        },
        "hover" => Action::Hover(at(&raw.hover)?),
        "focus" => Action::Focus(at(&raw.focus)?),
        "scroll" => Action::Scroll(at(&raw.scroll)?),
        "wait_for" => Action::WaitFor { at: at(&raw.wait_for)?, absent: raw.absent == Some(true) },
        "eval" => Action::Eval {
            code: raw.eval.clone().unwrap_or_default(),
            equals: raw.equals.as_ref().map(plain),
        },
        "expect" => Action::Expect { at: at(&raw.expect)?, expected: expected(raw)? },
        _ => Action::ExpectPage(page(raw.expect_page.as_ref())?),
    })
}

/// Whether a step can fail by what the page shows.
pub(super) fn expects(action: &Action) -> bool {
    match action {
        Action::WaitFor { .. } | Action::Expect { .. } | Action::ExpectPage(_) => true,
        Action::Eval { equals, .. } => equals.is_some(),
        _ => false,
    }
}

fn times(times: Option<u32>) -> Result<u32, StoryProblem> {
    match times {
        None => Ok(1),
        Some(times) if (1..=MOST_CLICKS).contains(&times) => Ok(times),
        Some(times) => Err(StoryProblem::Number {
            key: "times",
            value: times.into(),
            least: 1,
            most: MOST_CLICKS.into(),
        }),
    }
}

fn key(key: &str) -> Result<String, StoryProblem> {
    match is_key(key) {
        Ok(()) => Ok(key.to_owned()),
        Err(names) => Err(StoryProblem::UnknownPress {
            key: base::visible_line(key),
            nearest: nearest(key, names).map(str::to_owned),
        }),
    }
}

fn plain(raw: &RawValue) -> PlainValue {
    match raw {
        RawValue::Flag(flag) => PlainValue::Flag(*flag),
        RawValue::Number(number) => PlainValue::Number(*number),
        RawValue::Text(text) => PlainValue::Text(text.clone()),
    }
}

fn expected(raw: &RawStep) -> Result<Expected, StoryProblem> {
    let attributes = raw.attribute.iter().flatten();
    let expected = Expected {
        text: raw.text.as_deref().map(normal),
        contains: raw.contains.as_deref().map(normal),
        value: raw.value.clone(),
        attributes: attributes.map(|(name, value)| (name.clone(), plain(value))).collect(),
        count: raw.count,
        visible: raw.visible,
        focused: raw.focused,
        enabled: raw.enabled,
        checked: raw.checked,
        role_tree: raw.role_tree.as_deref().map(RoleTree::parse).transpose()?,
        screenshot: screenshot(raw.screenshot.as_deref(), raw.tolerance)?,
    };
    if expected == Expected::default() {
        return Err(StoryProblem::ExpectsNothing { action: "expect" });
    }
    // Without an element nothing else can hold, and with several it is not known of which.
    let only_count = Expected { count: expected.count, ..Expected::default() };
    if expected.count.is_some_and(|it| it != 1) && expected != only_count {
        return Err(StoryProblem::Contradiction { key: "count" });
    }
    let only_hidden = Expected { visible: Some(false), ..Expected::default() };
    if expected.visible == Some(false) && expected != only_hidden {
        return Err(StoryProblem::Contradiction { key: "visible" });
    }
    if let (Some(text), Some(part)) = (&expected.text, &expected.contains)
        && !text.contains(part.as_str())
    {
        return Err(StoryProblem::Contradiction { key: "contains" });
    }
    Ok(expected)
}

fn page(raw: Option<&RawPageExpectation>) -> Result<ExpectedPage, StoryProblem> {
    let Some(raw) = raw else { return Err(StoryProblem::Actions { found: 0 }) };
    let expected = ExpectedPage {
        title: raw.title.as_deref().map(normal),
        path: raw.path.clone(),
        role_tree: raw.role_tree.as_deref().map(RoleTree::parse).transpose()?,
        role_tree_file: raw.role_tree_file.as_deref().map(|it| snapshot(it, "yml")).transpose()?,
        screenshot: screenshot(raw.screenshot.as_deref(), raw.tolerance)?,
        accessibility: rules(raw.accessibility.as_deref().unwrap_or_default())?,
        console: raw.console.clone().unwrap_or_default(),
        events: events(raw)?.map(Arc::new),
    };
    if expected == ExpectedPage::default() {
        return Err(StoryProblem::ExpectsNothing { action: "expect_page" });
    }
    Ok(expected)
}

fn screenshot(
    name: Option<&str>,
    tolerance: Option<f64>,
) -> Result<Option<Screenshot>, StoryProblem> {
    let Some(name) = name else {
        return match tolerance {
            None => Ok(None),
            Some(_) => {
                Err(StoryProblem::MissingParameter { key: "screenshot", action: "tolerance" })
            }
        };
    };
    let share = tolerance.unwrap_or(0.0);
    if !(0.0..=1.0).contains(&share) {
        return Err(StoryProblem::Tolerance);
    }
    let tolerance = (share * 1e6).round() as u32;
    Ok(Some(Screenshot { name: snapshot(name, "png")?, tolerance }))
}

/// The name of a file that a snapshot is kept in.
fn snapshot(name: &str, ending: &'static str) -> Result<String, StoryProblem> {
    let path = base::ProjectPath::new(name).ok();
    let path = path.filter(|it| it.extension() == Some(ending));
    match path {
        Some(path) => Ok(path.as_str().to_owned()),
        None => Err(StoryProblem::Snapshot { name: base::visible_line(name), ending }),
    }
}

fn rules(names: &[String]) -> Result<Vec<Rule>, StoryProblem> {
    let mut rules = Vec::new();
    for name in names {
        match Rule::ALL.into_iter().find(|it| it.as_str() == name) {
            Some(rule) => rules.push(rule),
            None if name == "all" => rules.extend(Rule::ALL),
            None => {
                let known: Vec<&str> = Rule::ALL.into_iter().map(Rule::as_str).collect();
                return Err(StoryProblem::UnknownRule {
                    rule: base::visible_line(name),
                    nearest: nearest(name, &known).map(str::to_owned),
                });
            }
        }
    }
    rules.sort_unstable();
    rules.dedup();
    Ok(rules)
}

/// The expectations on events as threads: one waits for the sequence, one blocks what must not happen, and
/// one for each pair waits for the second after the first. A step that must be left is hot.
fn events(raw: &RawPageExpectation) -> Result<Option<Program>, StoryProblem> {
    let pattern = |text: &String| {
        text.parse::<Pattern>().map_err(|err| StoryProblem::Pattern {
            pattern: base::visible_line(text),
            cause: err.to_string(),
        })
    };
    let hot = |pattern| Sync { wait: vec![pattern], hot: true, ..Sync::default() };
    let mut bodies = Vec::new();
    let sequence = raw.events.iter().flatten().map(|it| Ok(hot(pattern(it)?)));
    let sequence: Vec<Sync> = sequence.collect::<Result<_, _>>()?;
    if !sequence.is_empty() {
        bodies.push(("events".to_owned(), Steps { steps: sequence, ..Steps::default() }));
    }
    let never: Vec<Pattern> = raw.never.iter().flatten().map(pattern).collect::<Result<_, _>>()?;
    if !never.is_empty() {
        let block = Sync { block: never, ..Sync::default() };
        bodies.push(("never".to_owned(), Steps { steps: vec![block], ..Steps::default() }));
    }
    for (first, second) in raw.leads_to.iter().flatten() {
        let wait = Sync { wait: vec![pattern(first)?], ..Sync::default() };
        let steps =
            Steps { steps: vec![wait, hot(pattern(second)?)], repeat: true, ..Steps::default() };
        bodies.push((format!("`{first}` leads to `{second}`"), steps));
    }
    if bodies.is_empty() {
        return Ok(None);
    }
    let threads = bodies.into_iter().zip(1..).map(|((name, steps), priority)| Thread {
        name,
        priority,
        because: String::new(),
        body: ThreadBody::Steps(steps),
    });
    let program = Program::new(threads.collect());
    program.map(Some).map_err(|err| StoryProblem::Pattern {
        pattern: "leads_to".to_owned(),
        cause: err.to_string(),
    })
}
