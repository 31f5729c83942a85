//! Questions of a run: from the command line, on a terminal, and as text.

use std::fmt::Write as _;
use std::path::Path;

use agent::{Agent, Answers, FixOptions, FixReport, Question, QuestionKind};

use crate::args;
use crate::exit::Failure;
use crate::output::{self, BOLD, DIM, WARN, paint};
use crate::session::{Session, answer_line, read_request};

/// Places that are shown of a question.
const SHOWN_PLACES: usize = 3;

/// The options of a command with the answers of the command line, or those of the run that it continues.
pub(crate) fn answering(
    session: &Session,
    agent: &Agent,
    args: &args::Answering,
    (command, options): (&str, FixOptions),
) -> Result<FixOptions, Failure> {
    let mut options = match &args.resume {
        Some(run) => {
            let stored = agent.resumed(&session.ctx, (run, command))?;
            FixOptions {
                tests: options.tests,
                max_seconds: options.max_seconds.or(stored.max_seconds),
                choose: options.choose.or(stored.choose),
                ..stored
            }
        }
        None => options,
    };
    options.partial = args.partial;
    for (id, answer) in answers(args)?.0 {
        options.answer(id, answer);
    }
    Ok(options)
}

/// The answers of the command line: those of the file, and above them the others.
fn answers(args: &args::Answering) -> Result<Answers, Failure> {
    let mut answers = match &args.answer_file {
        Some(file) => of_file(file)?,
        None => Answers::default(),
    };
    answers.0.extend(args.answers.iter().cloned());
    Ok(answers)
}

fn of_file(file: &Path) -> Result<Answers, Failure> {
    let text = read_request(file)?;
    serde_json::from_str(&text).map_err(|error| {
        let message = format!("`{}` has no answers: {error}", file.display());
        Failure::input(message, "use a JSON object: {\"q1a2b3\": \"1\"}")
    })
}

/// Asks on the terminal, and adds what is answered; `false` if nothing is.
pub(crate) fn ask(questions: &[Question], options: &mut FixOptions) -> Result<bool, Failure> {
    let mut is_answered = false;
    for (nth, question) in questions.iter().enumerate() {
        output::say(&format!("\n{}", asked(question, Some((nth + 1, questions.len())))))?;
        let prompt = match (question.options.len(), question.is_open) {
            (0, _) => "an expression, or Enter to leave it open: ".to_owned(),
            (1, true) => "1, an expression, or Enter to leave it open: ".to_owned(),
            (most, true) => format!("1-{most}, an expression, or Enter to leave it open: "),
            (most, false) => format!("1-{most}, or Enter to leave it open: "),
        };
        let Some(line) = answer_line(&prompt)? else { break };
        let line = line.trim();
        if !line.is_empty() {
            options.answer(question.id.clone(), line.to_owned());
            is_answered = true;
        }
    }
    Ok(is_answered)
}

/// The questions that are open, with the options that answer them, and how the run continues.
pub(crate) fn listed(report: &FixReport) -> String {
    let mut text = String::new();
    for question in &report.questions {
        text.push('\n');
        text.push_str(&asked(question, None));
        let value = if question.options.is_empty() { "EXPRESSION" } else { "1" };
        let answer = format!("--answer {}={value}", question.id);
        let _ = writeln!(text, "  {}", paint(DIM, &answer));
    }
    if let Some(run) = report.run.as_ref().filter(|_| !report.questions.is_empty()) {
        let line = format!("--resume {run} continues with the answers");
        let _ = writeln!(text, "\n  {}", paint(DIM, &line));
    }
    text
}

/// A question as it is shown: its places, its line and its options.
fn asked(question: &Question, nth: Option<(usize, usize)>) -> String {
    let of = nth.map_or_else(String::new, |(nth, all)| format!(" {nth} of {all}"));
    let title = paint(WARN, &format!("question{of}"));
    let mut text = format!("{title} {}?\n", output::safe(&question.text));
    let shown = question.places.iter().take(SHOWN_PLACES).cloned().collect::<Vec<_>>();
    if !shown.is_empty() {
        let more = question.places.len().saturating_sub(shown.len());
        let more = if more > 0 { format!(" and {more} more") } else { String::new() };
        let _ = writeln!(text, "  {}{more}", output::safe(&shown.join(", ")));
    }
    if !question.excerpt.is_empty() {
        let _ = writeln!(text, "    {}", output::safe(&question.excerpt));
    }
    for (nth, option) in question.options.iter().enumerate() {
        let number = paint(BOLD, &format!("{}.", nth + 1));
        let why = paint(DIM, &output::safe(&option.evidence));
        let _ = writeln!(text, "  {number} {}  {why}", output::safe(&option.text));
    }
    if question.kind != QuestionKind::Change {
        let _ = writeln!(text, "  {}", paint(DIM, &output::safe(&question.reason)));
    }
    text
}
