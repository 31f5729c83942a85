//! Questions of a run: from the command line, on a terminal, and as text.

use std::fmt::Write as _;
use std::path::Path;

use agent::{Agent, Answers, FixOptions, FixReport, GivenAnswers, Question, QuestionKind};

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
    add_answers(&args.given, &mut options.answers)?;
    Ok(options)
}

/// Adds the answers of the command line: those of the file, and above them the others.
pub(crate) fn add_answers(
    args: &args::GivenAnswers,
    given: &mut GivenAnswers,
) -> Result<(), Failure> {
    let mut answers = match &args.answer_file {
        Some(file) => of_file(file)?,
        None => Answers::default(),
    };
    answers.0.extend(args.answers.iter().cloned());
    for (id, answer) in answers.0 {
        given.add_own(id, answer);
    }
    Ok(())
}

fn of_file(file: &Path) -> Result<Answers, Failure> {
    let text = read_request(file)?;
    serde_json::from_str(&text).map_err(|error| {
        let message = format!("`{}` has no answers: {error}", file.display());
        Failure::input(message, "use a JSON object: {\"q1a2b3\": \"1\"}")
    })
}

/// Asks on the terminal where there is one that may be asked, and adds what is answered; `false` if nothing is.
pub(crate) fn ask(
    session: &Session,
    args: &args::GivenAnswers,
    questions: &[Question],
    given: &mut GivenAnswers,
) -> Result<bool, Failure> {
    if args.no_questions || !session.can_ask() {
        return Ok(false);
    }
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
            given.add_own(question.id.clone(), line.to_owned());
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
    // Other runs than those of `fix` and `finish` are not continued.
    let run = report.run.as_ref().filter(|_| report.is_resumable && !report.questions.is_empty());
    if let Some(run) = run {
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
