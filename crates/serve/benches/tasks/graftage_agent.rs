//! The agent with graftage. Its fixed policy is the skill's table (`plugin/skills/graftage/SKILL.md`):
//!
//! - `where`: `search` with the question, five hits at a time; `show` for one after the other, at most ten.
//! - `show`: `show`. `callers`, `implements`, `tests`: `graph` with `callers`, `implementors`, `impact`. Where
//!   the question has a function without a type, and its file, the module of the file comes before the name.
//! - `param`, `rename`: `refactor` with the words of the question, `apply`.
//! - `error`: `fix`, `apply`. `halfdone`: `finish`, `apply`. `body`: `show`, `propose_edit`, `apply`.
//! - Where these have no proven change: read where the errors are (with the client's `read`, 60
//!   lines), `propose_edit`, `preflight`, until it is ready; then `apply`.
//!
//! It stops as soon as what it has read answers the question.

use std::path::Path;

use serde_json::{Value, json};

use crate::answers::{self, Progress};
use crate::log::Log;
use crate::mcp::Server;
use crate::shell;
use crate::task::{Ask, Edit, Task};
use crate::tree::Tree;
use crate::words;

/// The most items that are shown for a description.
const LOOKS: usize = 10;
/// Hits of a search.
const HITS: usize = 5;
/// The most rounds of proposals.
const ROUNDS: usize = 12;

/// Works on the task until it is answered or the policy ends.
pub(crate) fn run(task: &Task, tree: &Tree, server: &mut Server, log: &mut Log) {
    match task.kind {
        Ask::Where => find_place(task, tree, server, log),
        Ask::Show => show_asked(task, server, log),
        Ask::Callers => graph(task, server, log, json!({"kind": "callers"})),
        Ask::Implements => graph(task, server, log, json!({"kind": "implementors"})),
        Ask::Tests => graph(task, server, log, json!({"kind": "impact", "limit": 1})),
        Ask::Param | Ask::Rename => refactor(task, tree, server, log),
        Ask::Error => complete(task, tree, server, log, "fix"),
        Ask::Halfdone => complete(task, tree, server, log, "finish"),
        Ask::Body => {
            show_asked(task, server, log);
            propose(task, tree, server, log);
        }
    }
}

fn find_place(task: &Task, tree: &Tree, server: &mut Server, log: &mut Log) {
    let question = words::question(&task.text);
    for offset in (0..LOOKS).step_by(HITS) {
        let mut input = json!({"query": question, "limit": HITS});
        if offset > 0 {
            input["offset"] = offset.into();
        }
        let answer = server.call(log, "search", &input);
        for hit in answer["hits"].as_array().into_iter().flatten() {
            show(server, log, hit["item"].as_str().unwrap_or_default());
            if answers::done(task, tree, log) {
                return;
            }
        }
    }
}

/// Shows an item, and notes its code as read; the answer.
fn show(server: &mut Server, log: &mut Log, item: &str) -> Value {
    let answer = server.call(log, "show", &json!({"item": item}));
    log.saw(answer["docs"].as_str().unwrap_or_default());
    log.saw(answer["code"].as_str().unwrap_or_default());
    answer
}

/// Shows the item of the question.
fn show_asked(task: &Task, server: &mut Server, log: &mut Log) {
    let answer = show(server, log, &asked(task));
    if let Some(item) = another_name(task, &answer) {
        show(server, log, &item);
    }
}

/// The item as the question leads to it: with its type, or else with the module of its file.
fn asked(task: &Task) -> String {
    let file = Path::new(&task.file).file_stem().unwrap_or_default().to_string_lossy();
    let is_module =
        task.text.contains(&task.file) && !["lib", "main", "mod"].contains(&file.as_ref());
    match task.item.contains("::") || !is_module {
        true => task.item.clone(),
        false => format!("{file}::{}", task.item),
    }
}

/// A question about the edges of the item.
fn graph(task: &Task, server: &mut Server, log: &mut Log, mut input: Value) {
    input["item"] = asked(task).into();
    let answer = server.call(log, "graph", &input);
    if let Some(item) = another_name(task, &answer) {
        input["item"] = item.into();
        server.call(log, "graph", &input);
    }
}

/// After an error, another name of the item: of the items that the answer lists because the path is ambiguous,
/// the place of the one in the file of the question, or else of the first; where no item has the path, the path
/// as it was asked.
fn another_name(task: &Task, answer: &Value) -> Option<String> {
    let fix = answer["error"]["fix"].as_str()?;
    let lines: Vec<&str> =
        fix.lines().filter(|it| it.contains(" (") && it.contains(".rs:")).collect();
    let in_file = |it: &&&str| task.text.contains(&task.file) && it.contains(&task.file);
    match lines.iter().find(in_file).or(lines.first()) {
        Some(line) => {
            let place = line.split_once(" (").and_then(|(_, rest)| rest.split_once(')'));
            place.map(|(place, _)| place.to_owned())
        }
        None => Some(task.item.clone()),
    }
}

/// The change that the question describes, or else the edit of the definition and what follows from it.
fn refactor(task: &Task, tree: &Tree, server: &mut Server, log: &mut Log) {
    // "Rename `item` in FILE to `name`."; "Add a last parameter `name: Type` to `item` in FILE; all calls pass 0."
    let quoted: Vec<&str> = task.text.split('`').skip(1).step_by(2).collect();
    let mut input = match (task.kind, quoted.as_slice()) {
        (Ask::Rename, [_, name]) => json!({"kind": "rename", "to": name}),
        (_, [parameter, _]) => {
            let value = task.text.split_whitespace().last().unwrap_or_default();
            let value = value.trim_end_matches('.');
            json!({"kind": "add_parameter", "to": parameter, "value": value})
        }
        _ => unreachable!("the question of {}", task.id),
    };
    input["item"] = asked(task).into();
    let mut answer = server.call(log, "refactor", &input);
    if let Some(item) = another_name(task, &answer) {
        input["item"] = item.into();
        answer = server.call(log, "refactor", &input);
    }
    if apply_proposed(&answer, server, log) {
        return;
    }
    for edit in &task.decided {
        read_around(tree, log, edit, line_of(tree, edit));
        shell::edit(tree, log, edit);
    }
    complete(task, tree, server, log, "finish");
}

/// Applies the proposal of an answer; whether it was written.
fn apply_proposed(answer: &Value, server: &mut Server, log: &mut Log) -> bool {
    let Some(id) = answer["proposal_id"].as_str() else { return false };
    server.call(log, "apply", &json!({"ids": [id]}))["applied"] == true
}

/// The proven change of `fix` or `finish`, or else step by step.
fn complete(task: &Task, tree: &Tree, server: &mut Server, log: &mut Log, tool: &str) {
    let mut answer = server.call(log, tool, &json!({}));
    let choices = answer["choices"].as_array().cloned().unwrap_or_default();
    if !choices.is_empty() {
        let right =
            choices.iter().position(|it| is_recorded(task, it.as_str().unwrap_or_default()));
        answer = server.call(log, tool, &json!({"choose": right.unwrap_or(0) + 1}));
    }
    if !apply_proposed(&answer, server, log) {
        step_by_step(task, tree, server, log);
    }
}

/// Whether all lines that a diff adds are lines of the recorded edits.
fn is_recorded(task: &Task, diff: &str) -> bool {
    let lines: Vec<&str> = task.rest.iter().flat_map(|it| it.new.lines()).map(str::trim).collect();
    let added = |it: &&str| it.starts_with('+') && !it.starts_with("+++");
    diff.lines().filter(added).all(|it| lines.contains(&it[1..].trim()))
}

/// Follows the errors of the last answer with proposals, until they pass.
fn step_by_step(task: &Task, tree: &Tree, server: &mut Server, log: &mut Log) {
    let mut progress = Progress::new(task);
    let mut ids: Vec<Value> = Vec::new();
    let mut errors = log.calls.last().map(|it| it.output.clone()).unwrap_or_default();
    shell::saw_snippets(log, &unescaped(&errors));
    for _ in 0..ROUNDS {
        let next = progress.next(tree, &errors);
        if next.is_empty() {
            break;
        }
        for one in &next {
            read_around(tree, log, &one.edit, one.near);
        }
        let edits: Vec<&Edit> = next.iter().map(|it| &it.edit).collect();
        let proposed = server.call(log, "propose_edit", &json!({"text": blocks(&edits)}));
        ids.push(proposed["proposal_id"].clone());
        let verified = server.call(log, "preflight", &json!({"ids": ids}));
        if verified["ready"] == true {
            break;
        }
        errors = log.calls.last().map(|it| it.output.clone()).unwrap_or_default();
        shell::saw_snippets(log, &unescaped(&errors));
    }
    if !ids.is_empty() {
        server.call(log, "apply", &json!({"ids": ids}));
    }
}

/// Proposes the edits of a body that was shown, and applies them.
fn propose(task: &Task, tree: &Tree, server: &mut Server, log: &mut Log) {
    for edit in &task.rest {
        read_around(tree, log, edit, line_of(tree, edit));
    }
    let edits: Vec<&Edit> = task.rest.iter().collect();
    let proposed = server.call(log, "propose_edit", &json!({"text": blocks(&edits)}));
    server.call(log, "apply", &json!({"ids": [proposed["proposal_id"]]}));
}

/// The line where an edit begins.
fn line_of(tree: &Tree, edit: &Edit) -> usize {
    let text = tree.text(&edit.file);
    text.find(&edit.old).map_or(1, |at| text[..at].matches('\n').count() + 1)
}

/// Reads the text of an edit, if it has not been read: at the error, then at the place.
fn read_around(tree: &Tree, log: &mut Log, edit: &Edit, near: usize) {
    let text = tree.text(&edit.file);
    if !log.has_seen(&edit.old) {
        let first = near.saturating_sub(10);
        shell::read(tree, log, &edit.file, first, first + 20);
    }
    if !log.has_seen(&edit.old) && text.contains(&edit.old) {
        let line = line_of(tree, edit);
        shell::read(tree, log, &edit.file, line, line + edit.old.lines().count());
    }
}

/// Edits as SEARCH/REPLACE blocks, by file.
fn blocks(edits: &[&Edit]) -> String {
    let mut text = String::new();
    let mut file = "";
    for edit in edits {
        if edit.file != file {
            file = &edit.file;
            text.push_str(&format!("{file}\n"));
        }
        let (old, new) = (&edit.old, &edit.new);
        text.push_str(&format!("<<<<<<< SEARCH\n{old}=======\n{new}>>>>>>> REPLACE\n"));
    }
    text
}

/// A text inside JSON as lines.
fn unescaped(text: &str) -> String {
    text.replace("\\n", "\n").replace("\\\"", "\"")
}
