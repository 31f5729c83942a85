//! [`parse_command`]: a line of a front end as a job, in the words of the command line.

use code::SearchRequest;
use refactor::{NewPart, PartPlace, Reshape};

use super::job::{ChangeRequest, Inquiry, JobRequest, RestoreRequest};
use crate::{Answers, RefactorRequest, recognise, split_task};

/// Most hits of a search.
const HITS: usize = 40;

/// The option that answers a question.
const ANSWER: &str = "--answer ";

/// Budget of `context` in tokens, where none is given.
const BUDGET: usize = 4_000;

/// Reason why a line is no command.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CommandError {
    /// The line is empty.
    #[error("nothing is typed")]
    Empty,
    /// A quote is not closed.
    #[error("a quote is not closed")]
    Quote,
    /// There is no such command.
    #[error("there is no command `{0}`; `?` lists the keys, whose names are commands")]
    Unknown(String),
    /// The words do not fit the command.
    #[error("usage: {0}")]
    Usage(&'static str),
}

/// Reads a line: a command, else a change in phrases that rules understand, else a search. With `has_model`,
/// what is no command and no question is a task for the model.
///
/// # Errors
/// A command with words that do not fit it.
pub fn parse_command(line: &str, has_model: bool) -> Result<JobRequest, CommandError> {
    let is_command = line.trim_start().starts_with([':', '/']);
    let line = line.trim().trim_start_matches([':', '/']).trim();
    if line.is_empty() {
        return Err(CommandError::Empty);
    }
    let words = words(line).ok_or(CommandError::Quote);
    let first = line.split_whitespace().next().unwrap_or_default();
    let rest = line[first.len()..].trim();
    match of_command(first, rest, words)? {
        Some(job) => Ok(job),
        None if is_command && recognise(line).is_none() => {
            Err(CommandError::Unknown(first.to_owned()))
        }
        None => Ok(of_text(line, has_model)),
    }
}

/// The job of a command; `None`: the first word is none.
fn of_command(
    first: &str,
    rest: &str,
    words: Result<Vec<String>, CommandError>,
) -> Result<Option<JobRequest>, CommandError> {
    let change = |request| Ok(Some(JobRequest::Change(request)));
    let view = |view| Ok(Some(JobRequest::Inquire(view)));
    let restore = |redoes| {
        let id = (!rest.is_empty()).then(|| rest.to_owned());
        Ok(Some(JobRequest::AskRestore(RestoreRequest { redoes, id })))
    };
    match (first, rest) {
        ("fix", "") => change(ChangeRequest::Fix(Answers::default())),
        ("fix", rest) if rest.starts_with(ANSWER) => change(ChangeRequest::Fix(answers(&words?)?)),
        ("fix", "tests" | "--failing-tests") => change(ChangeRequest::FixTests),
        ("finish", "") => change(ChangeRequest::Finish(Answers::default())),
        ("finish", rest) if rest.starts_with(ANSWER) => {
            change(ChangeRequest::Finish(answers(&words?)?))
        }
        ("undo", id) if !id.contains(' ') && !id.starts_with('-') => restore(false),
        ("redo", id) if !id.contains(' ') && !id.starts_with('-') => restore(true),
        ("proposals", "") => view(Inquiry::Proposals(false)),
        ("proposals", "--all" | "all") => view(Inquiry::Proposals(true)),
        ("history", "") => view(Inquiry::History),
        ("history", id) if !id.contains(' ') && !id.starts_with('-') => {
            view(Inquiry::Written(id.to_owned()))
        }
        ("plans", "") => view(Inquiry::Plans),
        ("policy", "") => view(Inquiry::Policy),
        ("policy", rest) if rest.starts_with("explain ") => {
            view(Inquiry::Blocked(rest["explain ".len()..].trim().to_owned()))
        }
        ("stats", "") => view(Inquiry::Stats),
        ("index", "") | ("bm25", "rebuild") => view(Inquiry::Rebuild),
        ("open", id) if !id.is_empty() && !id.contains(' ') => {
            Ok(Some(JobRequest::Open(id.to_owned())))
        }
        ("restage", id) if !id.is_empty() && !id.contains(' ') => {
            Ok(Some(JobRequest::Restage(id.to_owned())))
        }
        ("task", rest) if rest.starts_with("--resume ") => {
            change(ChangeRequest::Resume(rest["--resume ".len()..].trim().to_owned()))
        }
        ("task", "" | "--resume") => Err(CommandError::Usage("task TEXT, or task --resume PLAN")),
        ("task", text) => change(ChangeRequest::Task(text.to_owned())),
        ("search" | "hybrid" | "bm25", _) => search(first, rest).map(Some),
        ("context", "") => Err(CommandError::Usage("context TASK")),
        ("context", task) => context(task).map(Some),
        ("upgrade", _) => upgrade(&words?).map(Some),
        ("refactor", _) => {
            Ok(Some(JobRequest::Change(ChangeRequest::Refactor(refactor(&words?)?))))
        }
        ("show" | "callers" | "callees" | "impact" | "path", _) => of_item(first, &words?),
        ("fix" | "finish" | "undo" | "redo" | "proposals" | "history" | "plans", rest)
            if rest.starts_with('-') =>
        {
            Err(CommandError::Usage(
                "fix [--failing-tests | --answer ID=ANSWER], finish [--answer ID=ANSWER], undo [ID], redo [ID], proposals [--all]; other options are \
                 of the command line",
            ))
        }
        _ => Ok(None),
    }
}

/// `COMMAND --answer ID=ANSWER …`.
fn answers(line: &[String]) -> Result<Answers, CommandError> {
    let usage = || CommandError::Usage("fix --answer ID=ANSWER, or finish --answer ID=ANSWER");
    let mut answers = Answers::default();
    for pair in line[1..].chunks(2) {
        match pair {
            [option, answer] if option == ANSWER.trim_end() => {
                answers.0.extend([Answers::pair(answer).ok_or_else(usage)?]);
            }
            _ => return Err(usage()),
        }
    }
    Ok(answers)
}

/// `TASK [--budget TOKENS]`.
fn context(rest: &str) -> Result<JobRequest, CommandError> {
    let usage = CommandError::Usage("context TASK [--budget TOKENS]");
    let (task, budget) = match rest.split_once("--budget") {
        None => (rest, BUDGET),
        Some((task, budget)) => {
            let budget = budget.trim_start_matches('=').trim().parse();
            (task, budget.map_err(|_| usage.clone())?)
        }
    };
    match task.trim() {
        "" => Err(usage),
        task => Ok(JobRequest::Inquire(Inquiry::Context(task.to_owned(), budget))),
    }
}

fn search(first: &str, rest: &str) -> Result<JobRequest, CommandError> {
    let (mode, query) = match (first, rest.strip_prefix("search ")) {
        ("bm25", Some(query)) => (code::Mode::Bm25, query),
        ("bm25", None) => return Err(CommandError::Usage("bm25 search QUERY, or bm25 rebuild")),
        _ => (code::Mode::Hybrid, rest),
    };
    if query.trim().is_empty() {
        return Err(CommandError::Usage("search QUERY"));
    }
    Ok(search_job(query.trim(), mode))
}

fn search_job(query: &str, mode: code::Mode) -> JobRequest {
    let request =
        SearchRequest { mode, explain: true, preview: true, ..SearchRequest::new(query, HITS) };
    JobRequest::Inquire(Inquiry::Search(request))
}

/// A question about items; `None`: the words are no such question, as in `show me how it parses`.
fn of_item(first: &str, words: &[String]) -> Result<Option<JobRequest>, CommandError> {
    let view = match (first, &words[1..]) {
        ("show", [item]) => Inquiry::Show(item.clone()),
        ("callers", [item]) => Inquiry::Callers(item.clone()),
        ("callees", [item]) => Inquiry::Callees(item.clone()),
        ("impact", [item]) => Inquiry::Impact(item.clone()),
        ("path", [from, to]) => Inquiry::Path(from.clone(), to.clone()),
        ("path", [] | [_]) => return Err(CommandError::Usage("path FROM TO")),
        (_, []) => return Err(CommandError::Usage("show, callers, callees or impact ITEM")),
        _ => return Ok(None),
    };
    Ok(Some(JobRequest::Inquire(view)))
}

fn upgrade(words: &[String]) -> Result<JobRequest, CommandError> {
    let request = match &words[1..] {
        [flag, edition] if flag == "--edition" => ChangeRequest::Edition(edition.clone()),
        [package] if !package.starts_with('-') => match package.split_once('@') {
            Some((package, version)) => ChangeRequest::Upgrade {
                package: package.to_owned(),
                version: Some(version.to_owned()),
            },
            None => ChangeRequest::Upgrade { package: package.clone(), version: None },
        },
        _ => {
            return Err(CommandError::Usage(
                "upgrade PACKAGE[@VERSION], or upgrade --edition YEAR",
            ));
        }
    };
    Ok(JobRequest::Change(request))
}

/// A refactoring in the words of the command line, as [`Request::command`] prints them.
fn refactor(words: &[String]) -> Result<RefactorRequest, CommandError> {
    let text = |it: &&str| (*it).to_owned();
    let words: Vec<&str> = words[1..].iter().map(String::as_str).collect();
    let request = match words.as_slice() {
        ["rename", item, to] => RefactorRequest::Rename { item: text(item), to: text(to) },
        ["move", item, to] => RefactorRequest::Move { item: text(item), to: text(to) },
        ["inline", item] => RefactorRequest::Inline { item: text(item), keep: false },
        ["inline", item, "--keep"] => RefactorRequest::Inline { item: text(item), keep: true },
        ["remove-parameter", item, name] => {
            let change = Reshape::RemoveParameter { name: text(name) };
            RefactorRequest::Reshape { item: text(item), change }
        }
        ["reorder", item, names] => {
            let names = names.split(',').map(|it| it.trim().to_owned()).collect();
            RefactorRequest::Reshape { item: text(item), change: Reshape::Reorder { names } }
        }
        ["change-type", item, ty] => {
            let change = Reshape::ChangeType { part: None, ty: text(ty) };
            RefactorRequest::Reshape { item: text(item), change }
        }
        ["add-field", item, declaration, flags @ ..] => {
            let (value, None) = new_part(flags)? else { return Err(usage()) };
            let new = NewPart { declaration: text(declaration), value };
            RefactorRequest::Reshape { item: text(item), change: Reshape::AddField { new } }
        }
        ["add-parameter", item, declaration, flags @ ..] => {
            let (value, place) = new_part(flags)?;
            let new = NewPart { declaration: text(declaration), value };
            RefactorRequest::Reshape {
                item: text(item),
                change: Reshape::AddParameter { new, place },
            }
        }
        _ => return Err(usage()),
    };
    Ok(request)
}

fn usage() -> CommandError {
    CommandError::Usage(
        "refactor rename|move|inline|add-parameter|remove-parameter|reorder|change-type|add-field ITEM …",
    )
}

fn new_part(flags: &[&str]) -> Result<(Option<String>, Option<PartPlace>), CommandError> {
    let (mut value, mut place) = (None, None);
    for pair in flags.chunks(2) {
        let [flag, argument] = pair else { return Err(usage()) };
        let argument = (*argument).to_owned();
        match *flag {
            "--value" => value = Some(argument),
            "--at" => place = Some(PartPlace::At(argument.parse().map_err(|_| usage())?)),
            "--before" => place = Some(PartPlace::Before(argument)),
            "--after" => place = Some(PartPlace::After(argument)),
            _ => return Err(usage()),
        }
    }
    Ok((value, place))
}

/// The job of a line that is no command.
fn of_text(line: &str, has_model: bool) -> JobRequest {
    if let Some(request) = recognise(line) {
        return JobRequest::Change(ChangeRequest::Refactor(request));
    }
    let steps = split_task(line);
    if steps.len() > 1 && (has_model || steps.iter().all(|it| recognise(it).is_some())) {
        return JobRequest::Change(ChangeRequest::Task(line.to_owned()));
    }
    let asks = line.ends_with('?') || !line.contains(' ');
    match has_model && !asks {
        true => JobRequest::Change(ChangeRequest::Task(line.to_owned())),
        false => search_job(line, code::Mode::Hybrid),
    }
}

/// The words of a line; quotes hold words together. `None`: a quote is not closed.
fn words(line: &str) -> Option<Vec<String>> {
    let mut words: Vec<String> = Vec::new();
    let (mut word, mut quote, mut is_word) = (String::new(), None, false);
    for c in line.chars() {
        match (quote, c) {
            (Some(open), c) if c == open => quote = None,
            (None, '\'' | '"') => (quote, is_word) = (Some(c), true),
            (None, c) if c.is_whitespace() => {
                if std::mem::take(&mut is_word) {
                    words.push(std::mem::take(&mut word));
                }
            }
            (_, c) => {
                word.push(c);
                is_word = true;
            }
        }
    }
    if is_word {
        words.push(word);
    }
    quote.is_none().then_some(words)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(line: &str) -> String {
        parse_command(line, false).map_or_else(|error| error.to_string(), |job| job.title())
    }

    #[test]
    fn lines_are_commands_changes_or_searches() {
        let rows = [
            ("fix", "fix"),
            (":finish", "finish"),
            ("finish --answer q1=2 --answer 'q2=a + b'", "finish --answer q1=2 --answer q2=a + b"),
            ("fix --answer q1", "usage: fix --answer ID=ANSWER, or finish --answer ID=ANSWER"),
            ("/fix tests", "fix --failing-tests"),
            ("fix the parser", "search fix the parser"),
            ("upgrade rand@0.9", "upgrade rand@0.9"),
            ("upgrade --edition 2024", "upgrade --edition 2024"),
            ("refactor rename Foo::bar baz", "refactor rename Foo::bar baz"),
            ("rename `Foo::bar` to `baz`", "refactor rename Foo::bar baz"),
            (
                "refactor add-parameter f 'x: u8' --value 0 --at 1",
                "refactor add-parameter f 'x: u8' --value 0 --at 1",
            ),
            ("refactor inline f --keep", "refactor inline f --keep"),
            ("callers f", "callers f"),
            ("callers of f in the parser", "search callers of f in the parser"),
            ("bm25 search spawn", "search spawn"),
            ("bm25 rebuild", "index"),
            ("task do it", "task do it"),
            ("undo", "ask"),
            ("policy explain ab12", "policy explain ab12"),
            ("where are locks taken?", "search where are locks taken?"),
            (
                ":nonsense",
                "there is no command `nonsense`; `?` lists the keys, whose names are commands",
            ),
            ("context locks --budget 1500", "context locks (1500 tokens)"),
            ("context --budget x", "usage: context TASK [--budget TOKENS]"),
            ("restage ab12", "restage ab12"),
            ("task --resume p1", "task --resume p1"),
            ("1. rename a to b; 2. inline c", "task 1. rename a to b; 2. inline c"),
            ("", "nothing is typed"),
            ("refactor rename 'x", "a quote is not closed"),
            ("path a", "usage: path FROM TO"),
        ];
        for (line, expected) in rows {
            assert_eq!(read(line), expected, "{line}");
        }
    }

    #[test]
    fn options_of_the_command_line_are_not_read_as_text() {
        for line in ["fix --bogus", "finish --apply", "undo --dry-run", "history --json"] {
            assert!(read(line).starts_with("usage: "), "{line}: {}", read(line));
        }
    }

    #[test]
    fn with_a_model_a_sentence_is_a_task_and_a_question_a_search() {
        let title = |line| parse_command(line, true).expect("a job").title();
        assert_eq!(title("make the parser faster"), "task make the parser faster");
        assert_eq!(title("where is the parser?"), "search where is the parser?");
        assert_eq!(title("spawn_blocking"), "search spawn_blocking");
    }
}
