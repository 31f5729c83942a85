//! Compares an element or a page with what is expected of it.

use std::sync::Arc;

use policy::program::{Event, Offered, Program, Run, Thread, ThreadBody, ThreadPosition};
use serde_json::{Value, json};

use super::locate::{self, Matches, NotOne};
use super::tree::PageTree;
use super::{act, role_tree, rules};
use crate::browser::{Page, shortened};
use crate::story::{Expected, ExpectedPage, Locator, PlainValue, RoleTree};

/// A difference from what is expected.
fn differs(reason: String, there: Vec<String>) -> Result<(), NotOne> {
    Err(NotOne::Elements { reason, there })
}

/// Compares elements.
pub(super) fn element(page: &mut Page, at: &Locator, expected: &Expected) -> Result<(), NotOne> {
    if let Some(count) = expected.count.filter(|it| *it != 1) {
        let Matches { elements, .. } = locate::all(page, at)?;
        return match elements.len() == count as usize {
            true => Ok(()),
            false => {
                differs(format!("{} elements are {at}, not {count}", elements.len()), Vec::new())
            }
        };
    }
    if expected.visible == Some(false) {
        return hidden(page, at);
    }
    let (found, tree) = locate::one_and_tree(page, at)?;
    let state = act::state(page, found)?;
    if let Some(text) = expected.text.as_ref().filter(|it| **it != state.text) {
        return differs(
            format!("the text of {at} is {:?}, not {text:?}", shortened(&state.text)),
            vec![],
        );
    }
    if let Some(part) = expected.contains.as_ref().filter(|it| !state.text.contains(*it)) {
        let text = shortened(&state.text);
        return differs(format!("the text of {at} is {text:?}, without {part:?}"), Vec::new());
    }
    if let Some(value) = &expected.value
        && state.value.as_ref() != Some(value)
    {
        let there = match &state.value {
            Some(there) => format!("the value of {at} is {:?}, not {value:?}", shortened(there)),
            None => format!("{at} has no value"),
        };
        return differs(there, Vec::new());
    }
    for (what, expected, is) in [
        ("visible", expected.visible, Some(state.is_visible)),
        ("focused", expected.focused, Some(state.is_focused)),
        ("enabled", expected.enabled, Some(state.is_enabled)),
        ("checked", expected.checked, state.checked),
    ] {
        match (expected, is) {
            (Some(_), None) => return differs(format!("{at} cannot be {what}"), Vec::new()),
            (Some(expected), Some(is)) if expected != is => {
                let not = if is { "" } else { "not " };
                return differs(format!("{at} is {not}{what}"), Vec::new());
            }
            _ => {}
        }
    }
    attributes(page, at, found, &expected.attributes)?;
    match &expected.role_tree {
        Some(expected) => {
            let is_own =
                |it: &super::tree::PageNode| it.element == found.number && it.frame == found.frame;
            let top = tree.nodes.iter().position(is_own);
            let perceived = top.map(|it| tree.perceived(it)).unwrap_or_default();
            compare(expected, &perceived)
        }
        None => Ok(()),
    }
}

/// Whether no element that matches is visible.
fn hidden(page: &mut Page, at: &Locator) -> Result<(), NotOne> {
    let Matches { elements, .. } = locate::all(page, at)?;
    for element in elements {
        if act::state(page, element)?.is_visible {
            return differs(format!("{at} is visible"), Vec::new());
        }
    }
    Ok(())
}

fn attributes(
    page: &mut Page,
    at: &Locator,
    element: locate::Element,
    expected: &[(String, PlainValue)],
) -> Result<(), NotOne> {
    const GET: &str = "function (name) { return this.getAttribute(name) }";
    for (name, value) in expected {
        let there = locate::on(page, element, GET, json!([{ "value": name }]))?;
        let is_equal = match (value, &there) {
            (PlainValue::Flag(expected), there) => *expected != there.is_null(),
            (PlainValue::Number(number), Value::String(there)) => number.to_string() == *there,
            (PlainValue::Text(text), Value::String(there)) => text == there,
            _ => false,
        };
        if !is_equal {
            let there = match there.as_str() {
                Some(there) => format!("is {:?}", shortened(there)),
                None => "is missing".to_owned(),
            };
            return differs(format!("the attribute `{name}` of {at} {there}"), Vec::new());
        }
    }
    Ok(())
}

fn compare(expected: &RoleTree, there: &RoleTree) -> Result<(), NotOne> {
    match role_tree::missing(expected, there) {
        None => Ok(()),
        Some(line) => {
            differs(format!("the role tree has no `{line}`"), role_tree::lines(there, 60))
        }
    }
}

/// Compares the page.
pub(super) fn page(page: &mut Page, expected: &ExpectedPage) -> Result<(), NotOne> {
    let place = json!({ "expression": "[document.title, location.pathname + location.search]",
        "returnByValue": true });
    // Its answer follows all that the page has reported so far.
    let there = page.call("Runtime.evaluate", place)?;
    let there = &there["result"]["value"];
    if expected.title.is_some() || expected.path.is_some() {
        let title = crate::story::normal(there[0].as_str().unwrap_or_default());
        let path = there[1].as_str().unwrap_or_default();
        if let Some(expected) = expected.title.as_ref().filter(|it| **it != title) {
            return differs(
                format!("the title is {:?}, not {expected:?}", shortened(&title)),
                vec![],
            );
        }
        if let Some(expected) = expected.path.as_ref().filter(|it| *it != path) {
            return differs(
                format!("the path is {:?}, not {expected:?}", shortened(path)),
                Vec::new(),
            );
        }
    }
    if let Some(expected) = &expected.role_tree {
        let tree = PageTree::read(page)?;
        compare(expected, &tree.perceived(0))?;
    }
    if !expected.accessibility.is_empty() {
        let violations = rules::violations(page, &expected.accessibility)?;
        if let Some(first) = violations.first() {
            let more = violations.len() - 1;
            let and = if more > 0 { format!(", and {more} more") } else { String::new() };
            return differs(format!("{first}{and}"), violations);
        }
    }
    let mut console = page.log.console.iter();
    for expected in &expected.console {
        if !console.any(|it| it.contains(expected.as_str())) {
            let there = page.log.console.iter().rev().take(10).rev().cloned().collect();
            return differs(format!("the console does not have {expected:?}"), there);
        }
    }
    match &expected.events {
        Some(program) => Ok(events(program, &page.log.events)?),
        None => Ok(()),
    }
}

/// The threads of expected events after what happened: what each waits for, blocks, or refused.
pub(super) fn threads(program: &Arc<Program>, happened: &[Event]) -> Vec<String> {
    let mut run = Run::new(Arc::clone(program));
    let mut lines = Vec::new();
    for event in happened {
        if let Ok(Offered::Blocked(by)) = run.offer(event.clone(), 1_000, &mut |_| {}) {
            lines.extend(by.iter().map(|it| format!("{}: blocks `{event}`", it.thread)));
        }
    }
    let positions = run.snapshot().positions;
    for (thread, position) in program.threads().iter().zip(positions) {
        let (ThreadBody::Steps(steps), ThreadPosition::Step(at)) = (&thread.body, position) else {
            lines.push(format!("{}: {}", thread.name, at_rest(thread, position)));
            continue;
        };
        let Some(step) = steps.steps.get(at as usize) else { continue };
        for (verb, patterns) in [("waits for", &step.wait), ("blocks", &step.block)] {
            lines.extend(patterns.iter().map(|it| format!("{}: {verb} `{it}`", thread.name)));
        }
    }
    lines
}

/// Why the events of a page are not those that are expected.
pub(super) struct EventFault {
    /// Whether no later event changes that.
    pub(super) is_final: bool,
    reason: String,
    there: Vec<String>,
}

impl From<EventFault> for NotOne {
    fn from(fault: EventFault) -> Self {
        Self::Elements { reason: fault.reason, there: fault.there }
    }
}

/// The position of a thread that has no steps, or none left.
fn at_rest(thread: &Thread, position: ThreadPosition) -> String {
    match (&thread.body, position) {
        (ThreadBody::Gate(gate), ThreadPosition::Closed) => {
            let blocks: Vec<String> = gate.blocks.iter().map(|it| format!("`{it}`")).collect();
            format!("blocks {}", blocks.join(", "))
        }
        (ThreadBody::Limit(limit), ThreadPosition::Sum(sum)) => {
            format!("{sum} of {} `{}`", limit.most, limit.counts)
        }
        (ThreadBody::Gate(_), _) => "blocks nothing".to_owned(),
        _ => "done".to_owned(),
    }
}

/// Runs the expectations on events over what happened.
///
/// # Errors
/// [`EventFault`]; a later event can only fix one that is not final.
pub(super) fn events(program: &Arc<Program>, happened: &[Event]) -> Result<(), EventFault> {
    let fault = |is_final: bool, reason: String| {
        let there = happened.iter().rev().take(10).rev().map(Event::to_string).collect();
        Err(EventFault { is_final, reason, there })
    };
    let mut run = Run::new(Arc::clone(program));
    for event in happened {
        match run.offer(event.clone(), 1_000, &mut |_| {}) {
            Ok(Offered::Selected) => {}
            Ok(Offered::Blocked(by)) => {
                let reasons = by.iter().filter(|it| !it.because.is_empty());
                let reasons = reasons.map(|it| format!(": `{}`: {}", it.thread, it.because));
                let reasons: String = reasons.collect();
                return fault(true, format!("`{event}` happened{reasons}"));
            }
            Err(error) => return fault(true, error.to_string()),
        }
    }
    let positions = run.snapshot().positions;
    for (thread, position) in program.threads().iter().zip(positions) {
        let (ThreadBody::Steps(steps), ThreadPosition::Step(at)) = (&thread.body, position) else {
            continue;
        };
        let Some(step) = steps.steps.get(at as usize).filter(|it| it.hot) else { continue };
        let waits: Vec<String> = step.wait.iter().map(ToString::to_string).collect();
        let waits = waits.join(" or ");
        let because = match thread.because.as_str() {
            "" => String::new(),
            because => format!(": {because}"),
        };
        let reason = format!("{}: `{waits}` did not happen{because}", thread.name);
        return fault(false, reason);
    }
    Ok(())
}
