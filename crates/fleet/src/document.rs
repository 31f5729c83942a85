//! The JSON document of a command as a [`RepositoryResult`].

use serde_json::Value;

use crate::{RepositoryResult, is_good};

/// Fields of a document that differ from run to run.
const VOLATILE: &[&str] = &[
    "ms",
    "at_ms",
    "took_us",
    "cpu_ms",
    "wall_ms",
    "peak_rss_bytes",
    "bytes_on_disk",
    "trace",
    "run",
    "steps",
    "id",
];

/// Most rows of a list in the evidence.
const MOST_ROWS: usize = 50;

/// Longest text in the evidence, in bytes.
const LONGEST_TEXT: usize = 2_000;

/// Longest evidence that is kept, in bytes.
const LONGEST_DOCUMENT: usize = 256 << 10;

/// Longest patch that is kept, in bytes.
const LONGEST_PATCH: usize = 4 << 20;

/// Most characters of a reason.
const REASON: usize = 400;

/// Reads the document that a command printed with `--json`, with its exit status.
pub(crate) fn read(text: &str, status: i32, errors: &str) -> RepositoryResult {
    let Ok(mut document) = serde_json::from_str::<Value>(text) else {
        let last = errors
            .lines()
            .rev()
            .find(|it| !it.trim().is_empty())
            .unwrap_or("it printed no document");
        let reason = line(&format!("exit status {status}: {last}"));
        return RepositoryResult::without_document("unable", reason);
    };
    let patch = document.as_object_mut().and_then(|it| it.remove("diff"));
    let patch = patch.and_then(|it| it.as_str().filter(|it| !it.is_empty()).map(str::to_owned));
    let (outcome, reason) = outcome(&document, status);
    let reason = reason.filter(|_| !is_good(&outcome));
    if patch.as_ref().is_some_and(|it| it.len() > LONGEST_PATCH) {
        let reason =
            format!("its patch has more than {} MiB: run the command alone", LONGEST_PATCH >> 20);
        return RepositoryResult::without_document("unable", reason);
    }
    settle(&mut document);
    let bytes = document.to_string().len();
    if bytes > LONGEST_DOCUMENT {
        document = serde_json::json!({ "left_out_bytes": bytes });
    }
    RepositoryResult {
        name: String::new(),
        outcome,
        reason: reason.map(|it| line(&it)),
        patch,
        evidence: document,
    }
}

/// Outcome and reason.
fn outcome(document: &Value, status: i32) -> (String, Option<String>) {
    let text = |value: &Value| value.as_str().map(str::to_owned);
    if let Some(error) = document.get("error").filter(|it| it.is_object()) {
        let outcome = if matches!(status, 1 | 2) { "refused" } else { "unable" };
        return (outcome.to_owned(), text(&error["message"]));
    }
    if let Some(outcome) = document["outcome"].as_str() {
        let refused =
            || text(&document["refused"][0]).or_else(|| text(&document["refused"][0]["reason"]));
        return (
            outcome.to_owned(),
            text(&document["reason"]).or_else(refused).or_else(|| first_error(document)),
        );
    }
    match (document["passed"].as_bool(), status) {
        (Some(true), 0) => ("passed".to_owned(), None),
        (Some(_), _) => ("failed".to_owned(), failure(document)),
        (None, 0) => ("done".to_owned(), None),
        (None, _) => ("none".to_owned(), None),
    }
}

/// Why a check failed.
fn failure(document: &Value) -> Option<String> {
    let failed = document["tests"]["failed"].as_array().filter(|it| !it.is_empty());
    let tests = failed.map(|all| {
        let first = all[0].as_str().or_else(|| all[0]["name"].as_str()).unwrap_or("a test");
        let more =
            if all.len() > 1 { format!(" and {} more", all.len() - 1) } else { String::new() };
        format!("test `{first}`{more} fails")
    });
    let rung = || {
        let failed = document["rungs"].as_array()?.iter().find(|it| it["passed"] == false)?;
        let (name, detail) = (failed["name"].as_str()?, failed["detail"].as_str()?);
        Some(format!("{name}: {detail}"))
    };
    first_error(document)
        .or(tests)
        .or_else(|| document["failure"].as_str().map(str::to_owned))
        .or_else(rung)
}

/// The first error of the code, and the number of others.
fn first_error(document: &Value) -> Option<String> {
    let rows = document["diagnostics"].as_array().or_else(|| document["errors"].as_array())?;
    let errors: Vec<&Value> = rows.iter().filter(|it| it["severity"] == "error").collect();
    let first = errors.first()?;
    let code = first["code"].as_str().map(|it| format!("{it} ")).unwrap_or_default();
    let place = match (first["file"].as_str(), first["line"].as_u64()) {
        (Some(file), Some(line)) => format!(" ({file}:{line})"),
        _ => String::new(),
    };
    let more =
        if errors.len() > 1 { format!(" and {} more", errors.len() - 1) } else { String::new() };
    Some(format!("{code}{}{place}{more}", first["message"].as_str().unwrap_or_default()))
}

/// Removes what differs from run to run, and what is too much: a repository adds little to the report of all.
fn settle(value: &mut Value) {
    match value {
        Value::Object(fields) => {
            fields.retain(|name, _| !VOLATILE.contains(&name.as_str()));
            let long = |it: &Value| it.as_array().map(Vec::len).filter(|it| *it > MOST_ROWS);
            let counts: Vec<(String, usize)> =
                fields.iter().filter_map(|(name, it)| Some((name.clone(), long(it)?))).collect();
            for (name, rows) in counts {
                fields.insert(format!("{name}_left_out"), Value::from(rows - MOST_ROWS));
            }
            fields.values_mut().for_each(settle);
        }
        Value::Array(rows) => {
            rows.truncate(MOST_ROWS);
            rows.iter_mut().for_each(settle);
        }
        Value::String(text) if text.len() > LONGEST_TEXT => {
            let end = text.floor_char_boundary(LONGEST_TEXT);
            let left_out = text.len() - end;
            text.truncate(end);
            text.push_str(&format!("… ({left_out} more bytes)"));
        }
        _ => {}
    }
}

/// One line of a foreign text.
fn line(text: &str) -> String {
    base::visible_line(text.lines().next().unwrap_or_default()).chars().take(REASON).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(text: &str, status: i32) -> String {
        let it = read(text, status, "warning\nerror: no disk\n\n");
        format!(
            "{} | {} | {:?} | {}",
            it.outcome,
            it.reason.unwrap_or_default(),
            it.patch,
            it.evidence
        )
    }

    #[test]
    fn documents_of_commands_are_read() {
        let cases = [
            (
                r#"{"outcome":"proven","diff":"d","evidence":{"rungs":[{"name":"check","ms":3}]},"run":"1"}"#,
                0,
                r#"proven |  | Some("d") | {"evidence":{"rungs":[{"name":"check"}]},"outcome":"proven"}"#,
            ),
            (
                r#"{"outcome":"none","diff":"","reason":"no rule"}"#,
                1,
                r#"none | no rule | None | {"outcome":"none","reason":"no rule"}"#,
            ),
            (r#"{"passed":true}"#, 0, r#"passed |  | None | {"passed":true}"#),
            (r#"{"passed":true}"#, 1, r#"failed |  | None | {"passed":true}"#),
            (
                r#"{"error":{"message":"no\nmanifest","status":2}}"#,
                2,
                r#"refused | no | None | {"error":{"message":"no\nmanifest","status":2}}"#,
            ),
            ("", 101, "unable | exit status 101: error: no disk | None | null"),
            (r#"{"hits":[]}"#, 0, r#"done |  | None | {"hits":[]}"#),
        ];
        for (text, status, expected) in cases {
            assert_eq!(shown(text, status), expected);
        }
    }

    #[test]
    fn what_a_repository_adds_to_a_report_is_bounded() {
        let rows = vec![serde_json::json!({ "message": "x".repeat(5_000) }); 70];
        let text = serde_json::json!({ "passed": true, "diagnostics": rows }).to_string();
        let evidence = read(&text, 0, "").evidence;
        assert_eq!(evidence["diagnostics_left_out"], 20);
        let message = evidence["diagnostics"][49]["message"].as_str().unwrap();
        assert!(message.len() < 2_100 && message.ends_with("(3000 more bytes)"), "{message}");
        let wide = vec![serde_json::json!({ "a": vec!["x".repeat(2_000); 50] }); 50];
        let text = serde_json::json!({ "passed": true, "rows": wide }).to_string();
        assert!(read(&text, 0, "").evidence.to_string().len() < 100);
        let text = serde_json::json!({ "outcome": "proven", "diff": "+".repeat(5 << 20) });
        assert_eq!(read(&text.to_string(), 0, "").outcome, "unable");
    }

    #[test]
    fn a_failed_check_has_its_first_error() {
        let text = r#"{"passed":false,"diagnostics":[{"severity":"warning","message":"w"},
            {"severity":"error","code":"E0433","message":"no `X`","file":"src/lib.rs","line":4},
            {"severity":"error","code":null,"message":"b"}]}"#;
        assert!(shown(text, 1).starts_with("failed | E0433 no `X` (src/lib.rs:4) and 1 more |"));
        let text = r#"{"passed":false,"diagnostics":[],"tests":{"failed":["a::b","c"]}}"#;
        assert!(shown(text, 1).starts_with("failed | test `a::b` and 1 more fails |"));
    }
}
