//! Set D: files before and after one pass of suggestions.

use std::path::Path;
use std::time::Duration;

use base::{Ctx, Diagnostic};
use serde_json::Value;

use crate::bench::{self, GradingToolchain};
use crate::cases::RustFix;
use crate::one_pass::{apply_every_suggestion, apply_machine_applicable};
use crate::result::yes;
use crate::{CaseResult, EvalError};

/// Takes the diagnostics of one pair, applies them in one pass and compares bytes. Pairs with
/// recorded diagnostics are those of the compiler's own suite, which applies every suggestion; for
/// the others the linter is run and machine-applicable suggestions are applied.
pub(crate) fn run(
    ctx: &Ctx,
    bench: &GradingToolchain,
    case: &RustFix,
) -> Result<CaseResult, EvalError> {
    let mut cpu = Duration::ZERO;
    let output = match &case.diagnostics_json {
        Some(json) => {
            let diagnostics = match recorded(json, &case.input) {
                Some(diagnostics) => diagnostics,
                None => {
                    let compiled = bench.rustc(ctx, &case.input, &case.edition)?;
                    cpu += compiled.cpu;
                    compiled.diagnostics
                }
            };
            apply_every_suggestion(&case.input, &diagnostics)
        }
        None => {
            let linted = bench.clippy(ctx, &case.input, &case.edition)?;
            cpu += linted.cpu;
            apply_machine_applicable(&case.input, &linted.diagnostics)
        }
    };
    Ok(graded(case, &output, cpu))
}

fn graded(case: &RustFix, output: &str, cpu: Duration) -> CaseResult {
    let source = case.id.split('/').next().unwrap_or_default().to_owned();
    let mut result =
        CaseResult { id: case.id.clone(), groups: vec![source], ..CaseResult::default() };
    let equal = output == case.expected;
    result.outcome = if equal { "equal" } else { "different" }.to_owned();
    result.reason = (!equal).then(|| first_difference(output, &case.expected));
    result.metric(if case.graded { "graded" } else { "ungraded" }, yes(equal));
    result.grading_cpu_ms = u64::try_from(cpu.as_millis()).unwrap_or(u64::MAX);
    result
}

/// Recorded diagnostics, JSON values over any number of lines; `None` if they quote other lines
/// than those of `text`, because they belong to another version of the file: then the compiler is
/// run.
fn recorded(json: &str, text: &str) -> Option<Vec<Diagnostic>> {
    let values: Vec<Value> = serde_json::Deserializer::from_str(json)
        .into_iter::<Value>()
        .map_while(Result::ok)
        .collect();
    let lines: Vec<&str> = text.lines().collect();
    if !values.iter().all(|value| quotes(value, &lines)) {
        return None;
    }
    let json: Vec<String> = values.iter().map(Value::to_string).collect();
    Some(bench::diagnostics(Path::new("/"), json.join("\n").as_bytes()))
}

/// Whether all lines that a diagnostic quotes are at their line numbers.
fn quotes(diagnostic: &Value, lines: &[&str]) -> bool {
    let list = |value: &Value, name: &str| -> Vec<Value> {
        value.get(name).and_then(Value::as_array).cloned().unwrap_or_default()
    };
    let quoted = |span: &Value| {
        let first = span.get("line_start").and_then(Value::as_u64).unwrap_or(1).max(1) as usize;
        list(span, "text").iter().enumerate().all(|(idx, quote)| {
            quote.get("text").and_then(Value::as_str) == lines.get(first - 1 + idx).copied()
        })
    };
    list(diagnostic, "spans").iter().all(quoted)
        && list(diagnostic, "children").iter().all(|child| quotes(child, lines))
}

fn first_difference(output: &str, expected: &str) -> String {
    let mut pairs = output.lines().zip(expected.lines()).enumerate();
    match pairs.find(|(_, (is, should))| is != should) {
        Some((idx, (is, should))) => {
            format!("line {} is `{}`, not `{}`", idx + 1, is.trim(), should.trim())
        }
        None => format!(
            "{} lines where {} are expected",
            output.lines().count(),
            expected.lines().count()
        ),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn case(graded: bool) -> RustFix {
        RustFix {
            id: "set/one".to_owned(),
            graded,
            edition: "2024".to_owned(),
            input: String::new(),
            expected: "a\nb\n".to_owned(),
            diagnostics_json: None,
        }
    }

    #[test]
    fn graded_and_ungraded_pairs_are_counted_apart() {
        let result = graded(&case(true), "a\nb\n", Duration::ZERO);
        assert_eq!(result.metrics.get("graded"), Some(&1.0));
        let result = graded(&case(false), "a\nc\n", Duration::ZERO);
        assert_eq!(result.metrics.get("ungraded"), Some(&0.0));
        assert_eq!(result.reason.as_deref(), Some("line 2 is `c`, not `b`"));
    }

    #[test]
    fn recorded_diagnostics_may_stand_on_many_lines() {
        let one = r#"{"message":"m","code":null,"level":"error",
            "spans":[],"children":[]}"#;
        assert_eq!(recorded(&format!("\n{one}\n{one}\n"), "").unwrap().len(), 2);
    }

    #[test]
    fn diagnostics_of_another_version_of_the_file_are_not_used() {
        let one = r#"{"message":"m","level":"error","children":[],
            "spans":[{"line_start":2,"text":[{"text":"b"}]}]}"#;
        assert!(quotes(&serde_json::from_str(one).unwrap(), &["a", "b"]));
        assert!(!quotes(&serde_json::from_str(one).unwrap(), &["a", "c"]));
        assert_eq!(recorded(one, "b\n"), None);
    }
}
