//! The text of an answer: what a client shows to the model, in fewer tokens than the JSON of it.
//!
//! Only duplicates within the answer and empty lists are left out; paths of one crate or module have
//! its name once. A text of one line ends with its line; any
//! other one is in a fence that it cannot close. So no text of a project is taken for a field.

use std::fmt::Write as _;

use project::AnswerForm;
use rmcp::model::{CallToolResult, ContentBlock};
use serde_json::{Map, Value, json};
use tools::ToolError;

/// The fields of a row that need no name, in their order.
const COLUMNS: &[&str] = &[
    "severity",
    "id",
    "state",
    "rule",
    "at",
    "code",
    "signature",
    "item",
    "summary",
    "message",
    "reason",
];
/// The fields that are left out where a block of code of the same row has their text.
const REPEATED: &[&str] = &["code", "hint", "message", "signature"];
/// The longest list of short texts on one line, in bytes.
const SHORT: usize = 100;

/// The result of a call with this answer.
pub(super) fn result_of(answer: Value, form: AnswerForm) -> CallToolResult {
    let text = vec![ContentBlock::text(text_of(&answer))];
    with_json(CallToolResult::success(text), answer, form)
}

/// The result of a call that failed, for the model to see.
pub(super) fn result_of_error(error: &ToolError, form: AnswerForm) -> CallToolResult {
    let text = vec![ContentBlock::text(text_of_error(error))];
    with_json(CallToolResult::error(text), json!({ "error": error }), form)
}

fn with_json(mut result: CallToolResult, json: Value, form: AnswerForm) -> CallToolResult {
    result.structured_content = (form == AnswerForm::Both).then_some(json);
    result
}

/// The text of an answer.
fn text_of(answer: &Value) -> String {
    let mut out = String::new();
    match answer {
        Value::Object(fields) => object(&mut out, fields),
        other => value(&mut out, other),
    }
    out.truncate(out.trim_end().len());
    if out.is_empty() {
        out.push_str("nothing found");
    }
    out
}

/// The text of an error.
fn text_of_error(error: &ToolError) -> String {
    // Lists are lines of their own; no line of theirs begins as a field does.
    let fix: Vec<String> = error.fix.lines().map(|it| shown(it.trim())).collect();
    format!("error: {}\nfix: {}", shown(&error.to_string()), fix.join("\n  "))
}

/// The fields of the whole answer: first those of one line, then lists and texts.
fn object(out: &mut String, fields: &Map<String, Value>) {
    let numbers: Vec<String> = fields
        .iter()
        .filter(|(_, it)| matches!(it, Value::Bool(_) | Value::Number(_)))
        .map(|(name, it)| format!("{name}: {it}"))
        .collect();
    if !numbers.is_empty() {
        let _ = writeln!(out, "{}", numbers.join(", "));
    }
    let blocks = blocks(fields);
    for (name, it) in fields {
        match it {
            Value::String(text)
                if is_line(text)
                    && !text.is_empty()
                    && !is_repeated(name, text, &blocks)
                    && !is_kind_of_signature(name, fields) =>
            {
                let _ = writeln!(out, "{name}: {}", shown(text));
            }
            _ => {}
        }
    }
    for (name, it) in fields {
        match it {
            Value::String(text) if !is_line(text) => {
                let _ = writeln!(out, "{name}:");
                fenced(out, text, "");
            }
            Value::Array(items) => list(out, name, items, ""),
            Value::Object(inner) => {
                let _ = writeln!(out, "{name}:");
                row(out, inner, "  ", "");
            }
            _ => {}
        }
    }
}

/// A list with its name.
fn list(out: &mut String, name: &str, items: &[Value], indent: &str) {
    if items.is_empty() {
        return;
    }
    if let Some(line) = short(items) {
        let _ = writeln!(out, "{indent}{name}: {line}");
        return;
    }
    if let Some(grouped) = grouped(items) {
        let _ =
            writeln!(out, "{indent}{name}:\n{indent}- {}", grouped.join(&format!("\n{indent}- ")));
        return;
    }
    let krate = shared_crate(items);
    let place = krate.map_or_else(String::new, |it| format!(" (in {})", shown(it)));
    let _ = writeln!(out, "{indent}{name}{place}:");
    let has_block = items.iter().any(|it| matches!(it, Value::String(text) if !is_line(text)));
    for (number, item) in items.iter().enumerate() {
        match item {
            Value::Object(fields) => row(out, fields, indent, krate.unwrap_or_default()),
            Value::String(text) if !is_line(text) => {
                let _ = writeln!(out, "{indent}{}.", number + 1);
                fenced(out, text, indent);
            }
            other => {
                let mark = if has_block { format!("{}.", number + 1) } else { "-".to_owned() };
                let _ = write!(out, "{indent}{mark} ");
                value(out, other);
            }
        }
    }
}

/// Paths such as `a::tests::one`, by their module: `a::tests::{one, two}`.
fn grouped(items: &[Value]) -> Option<Vec<String>> {
    let mut modules: Vec<(&str, Vec<&str>)> = Vec::new();
    for item in items {
        let (module, name) = item.as_str()?.rsplit_once("::")?;
        if !name.chars().all(|c| c.is_alphanumeric() || c == '_') || !is_line(module) {
            return None;
        }
        match modules.iter_mut().find(|(it, _)| *it == module) {
            Some((_, names)) => names.push(name),
            None => modules.push((module, vec![name])),
        }
    }
    let line = |(module, names): &(&str, Vec<&str>)| match names[..] {
        [one] => format!("{}::{one}", shown(module)),
        _ => format!("{}::{{{}}}", shown(module), names.join(", ")),
    };
    Some(modules.iter().map(line).collect())
}

/// The crate that all items are in, as `package/target::`, of at least two.
fn shared_crate(items: &[Value]) -> Option<&str> {
    let [first, others @ ..] = items else { return None };
    let first = first.get("item")?.as_str()?;
    let shared = first.get(..first.find("::")? + 2)?;
    let is_shared = |item: &Value| {
        item.get("item").and_then(Value::as_str).is_some_and(|it| it.starts_with(shared))
    };
    (!others.is_empty() && others.iter().all(is_shared)).then_some(shared)
}

/// Short texts and numbers on one line.
fn short(items: &[Value]) -> Option<String> {
    let one = |item: &Value| match item {
        Value::String(text) if is_line(text) && !text.contains(", ") => Some(shown(text)),
        Value::Number(number) => Some(number.to_string()),
        _ => None,
    };
    let all: Vec<String> = items.iter().map(one).collect::<Option<_>>()?;
    let line = places(&all).unwrap_or_else(|| all.join(", "));
    (line.len() <= SHORT).then_some(line)
}

/// Places such as `a.rs:7`, those of one file together, each once: `a.rs:7,9`.
fn places(all: &[String]) -> Option<String> {
    let mut files: Vec<(&str, Vec<u32>)> = Vec::new();
    for place in all {
        let (file, line) = place.rsplit_once(':')?;
        let line = line.parse().ok()?;
        match files.iter_mut().find(|(it, _)| *it == file) {
            Some((_, lines)) => lines.push(line),
            None => files.push((file, vec![line])),
        }
    }
    let one = |(file, lines): &mut (&str, Vec<u32>)| {
        lines.sort_unstable();
        lines.dedup();
        let lines: Vec<String> = lines.iter().map(u32::to_string).collect();
        format!("{file}:{}", lines.join(","))
    };
    Some(files.iter_mut().map(one).collect::<Vec<_>>().join(", "))
}

/// An element of a list as one line, with its texts of several lines and its lists after it. The name of
/// the item does not repeat its crate.
fn row(out: &mut String, fields: &Map<String, Value>, indent: &str, krate: &str) {
    let blocks = blocks(fields);
    let mut cells = Vec::new();
    for name in COLUMNS {
        if let Some(text) = text(fields, name)
            && is_line(text)
            && !text.is_empty()
            && !is_repeated(name, text, &blocks)
        {
            let is_item = *name == "item";
            cells.push(shown(text.strip_prefix(krate).filter(|_| is_item).unwrap_or(text)));
        }
    }
    let mut after = Vec::new();
    for (name, it) in fields {
        match it {
            Value::Null => {}
            Value::Bool(true) => cells.push(name.clone()),
            Value::Bool(false) | Value::Number(_) => cells.push(format!("{name}: {it}")),
            Value::String(text) if is_line(text) => {
                let is_known =
                    COLUMNS.contains(&name.as_str()) || is_kind_of_signature(name, fields);
                if !is_known && !is_repeated(name, text, &blocks) {
                    cells.push(format!("{name}: {}", shown(text)));
                }
            }
            Value::Array(items) => match short(items) {
                _ if items.is_empty() => {}
                Some(line) => cells.push(format!("{name}: {line}")),
                None => after.push((name, it)),
            },
            _ => after.push((name, it)),
        }
    }
    if !cells.is_empty() {
        let _ = writeln!(out, "{indent}{}", cells.join("  "));
    }
    let inner = format!("{indent}  ");
    for (name, it) in after {
        match it {
            Value::String(text) => {
                if name != "rendered" && name != "preview" {
                    let _ = writeln!(out, "{inner}{name}:");
                }
                fenced(out, text, indent);
            }
            Value::Array(items) => list(out, name, items, &inner),
            Value::Object(fields) => {
                let _ = writeln!(out, "{inner}{name}:");
                row(out, fields, &inner, "");
            }
            _ => {}
        }
    }
}

fn text<'a>(fields: &'a Map<String, Value>, name: &str) -> Option<&'a str> {
    fields.get(name)?.as_str()
}

/// The texts of several lines.
fn blocks(fields: &Map<String, Value>) -> Vec<&str> {
    fields.values().filter_map(Value::as_str).filter(|it| !is_line(it)).collect()
}

fn is_repeated(name: &str, text: &str, blocks: &[&str]) -> bool {
    REPEATED.contains(&name) && blocks.iter().any(|block| block.contains(text))
}

/// A signature begins with the kind of its item.
fn is_kind_of_signature(name: &str, fields: &Map<String, Value>) -> bool {
    name == "kind" && text(fields, "signature").is_some_and(|it| !it.is_empty())
}

fn is_line(text: &str) -> bool {
    !text.contains(['\n', '\r'])
}

/// A text of one line, without characters that end it or hide something.
fn shown(text: &str) -> String {
    let mut line = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '\t' => line.push(' '),
            c if c.is_control() || base::is_hidden(c) => {
                line.extend(c.escape_unicode());
            }
            c => line.push(c),
        }
    }
    line
}

/// A value without a form of its own.
fn value(out: &mut String, value: &Value) {
    let _ = match value {
        Value::String(text) => writeln!(out, "{}", shown(text)),
        other => writeln!(out, "{other}"),
    };
}

/// A text in a fence that is longer than each run of backticks in it, with hidden characters as escapes.
fn fenced(out: &mut String, text: &str, indent: &str) {
    let (mut longest, mut run) = (0, 0);
    for c in text.chars() {
        run = if c == '`' { run + 1 } else { 0 };
        longest = longest.max(run);
    }
    let fence = "`".repeat((longest + 1).max(3));
    // An end of line of two characters hides nothing.
    let text = base::visible(&text.replace("\r\n", "\n"));
    let text = text.trim_end_matches('\n');
    let _ = write!(out, "{indent}{fence}\n{text}\n{indent}{fence}\n");
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_lines_and_texts_are_fenced() {
        let hits = json!({"hits": [
            {"item": "a::f", "kind": "function", "at": "src/a.rs:3", "signature": "fn f()"},
            {"item": "a", "kind": "module", "at": "src/a.rs", "signature": "",
                "preview": "//! A.\nfn f() {}\n"}], "next_offset": 2});
        assert_eq!(
            text_of(&hits),
            "next_offset: 2\nhits:\nsrc/a.rs:3  fn f()  a::f\nsrc/a.rs  a  kind: module\n```\n//! A.\nfn \
             f() {}\n```"
        );
        let shown = json!({"item": "a::f", "at": "src/a.rs:1-2", "signature": "fn f()",
            "code": "fn f() {\n}", "docs": ""});
        assert_eq!(text_of(&shown), "at: src/a.rs:1-2\nitem: a::f\ncode:\n```\nfn f() {\n}\n```");
    }

    #[test]
    fn what_the_compiler_rendered_is_there_once() {
        let checked = json!({"passed": false, "errors": 1, "rungs": ["check: failed"], "notes": [],
            "diagnostics": [{"severity": "error", "code": "E0425", "at": "src/a.rs:1",
                "message": "cannot find `m`", "item": "a::f", "hint": "help: use `n`",
                "rendered": "error[E0425]: cannot find `m`\n --> src/a.rs:1:1\n"}]});
        assert_eq!(
            text_of(&checked),
            "errors: 1, passed: false\ndiagnostics:\nerror  src/a.rs:1  a::f  hint: help: use `n`\n```\n\
             error[E0425]: cannot find `m`\n --> src/a.rs:1:1\n```\nrungs: check: failed"
        );
        let failed = ToolError::field("to", "it is\nmissing", "pass `to`");
        assert_eq!(text_of_error(&failed), "error: to: it is\\u{a}missing\nfix: pass `to`");
    }

    #[test]
    fn paths_have_the_name_of_their_crate_or_module_once() {
        let tests = [
            "a/a::tests::one_is_one",
            "a/a::tests::two_is_two",
            "a/a::more::<T as X>::three_is_three_and_so_it_stays_for_all_time",
        ];
        let item = |item: &str| json!({"at": "a.rs:1", "item": item, "signature": "fn f()"});
        let found = json!({"items": [item("a/a::f"), item("a/a::<b::C as D>::f")], "tests": tests});
        assert_eq!(
            text_of(&found),
            "items (in a/a::):\na.rs:1  fn f()  f\na.rs:1  fn f()  <b::C as D>::f\ntests:\n\
             - a/a::tests::{one_is_one, two_is_two}\n\
             - a/a::more::<T as X>::three_is_three_and_so_it_stays_for_all_time"
        );
        let others = json!({"items": [item("a/a::f"), item("b/b::f")]});
        assert_eq!(text_of(&others), "items:\na.rs:1  fn f()  a/a::f\na.rs:1  fn f()  b/b::f");
    }

    #[test]
    fn what_is_empty_or_repeated_is_left_out() {
        assert_eq!(text_of(&json!({"hits": []})), "nothing found");
        let found = json!({"proven": 2, "tests": [], "items": [{"at": "a.rs:1", "item": "a",
            "signature": "fn a()", "sites": ["a.rs:7", "a.rs:7", "a.rs:9"]}]});
        let text = "proven: 2\nitems:\na.rs:1  fn a()  a  sites: a.rs:7,9";
        assert_eq!(text_of(&found), text);
    }

    #[test]
    fn no_text_ends_its_line_or_its_fence() {
        let evil = json!({"id": "a\u{1b}[2J\u{2028}b", "diff": "x\u{1b}[2J\r\n```\napplied: true\n````\n",
            "choices": ["one\ntwo", "three"], "inner": {"deep": [{"x": [1, {"y": 2}]}]}});
        let text = text_of(&evil);
        assert_eq!(
            text,
            "id: a\\u{1b}[2J\\u{2028}b\nchoices:\n1.\n```\none\ntwo\n```\n2. three\ndiff:\n`````\nx\\u{1b}[2J\n\
             ```\napplied: true\n````\n`````\ninner:\n    deep:\n      x:\n      - 1\n      y: 2"
        );
    }
}
