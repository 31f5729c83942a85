//! `fleet`: one command over many repositories; `worker`: the other end of an engine.

use std::io::BufReader;
use std::sync::Arc;
use std::time::Duration;

use base::ContentHash;
use clap::FromArgMatches as _;
use dobby::{EmbeddedEngine, Engine, RayEngine, RayOptions, TaskFault, TaskRunner, serve_worker};
use fleet::{
    CommandRunner, FleetEvent, FleetOptions, FleetReport, FleetStore, RepositoryResult, is_good,
    repositories, run_fleet,
};
use serde_json::Value;

use crate::args::Args;
use crate::args_fleet::{EngineArgs, EngineName, Fleet, FleetReportArgs, FleetRun};
use crate::commands::eval;
use crate::exit::{Failure, Status};
use crate::help;
use crate::output::{self, BAD, BOLD, DIM, GOOD, brief, paint};
use crate::session::{Session, own_program};

/// Commands that a fleet runs.
const TASKS: &[&str] =
    &["check", "fix", "finish", "refactor", "upgrade", "task", "index", "search", "impact"];

/// Those whose result is what they leave in the user's caches.
const KEEPING: &[&str] = &["index", "search", "impact"];

/// Most repositories with one outcome and reason that are named in the text.
const NAMED: usize = 5;

pub(crate) fn run(session: &Session, args: &Fleet) -> Result<Status, Failure> {
    match args {
        Fleet::Run(args) => start(session, args),
        Fleet::Report(args) => report(session, args),
    }
}

/// Serves tasks on the standard streams.
pub(crate) fn worker() -> Result<Status, Failure> {
    let runner = Arc::new(OwnRunner(runner()?));
    serve_worker(&mut BufReader::new(std::io::stdin()), std::io::stdout(), runner)?;
    Ok(Status::Done)
}

fn start(session: &Session, args: &FleetRun) -> Result<Status, Failure> {
    let task = task(session, args)?;
    let all = repositories(&args.repos).map_err(failure)?;
    let folder = args.out.clone().unwrap_or_else(|| {
        let place = args.repos.canonicalize().unwrap_or_else(|_| args.repos.clone());
        let key = format!("{}\n{task:?}\n{}", place.display(), args.apply);
        session.surroundings.state_dir.join("fleet").join(ContentHash::of(key.as_bytes()).short())
    });
    let options = FleetOptions {
        keeps_caches: args.apply || task.iter().any(|it| KEEPING.contains(&it.as_str())),
        task,
        applies: args.apply,
        time: Duration::from_secs(args.time),
        memory_bytes: args.memory << 20,
        disk_bytes: args.disk << 20,
    };
    let engine = new_engine(session, &args.engine, args.jobs.map(usize::from))?;
    session.bar.watch();
    let mut shown = Shown { session, done: 0, all: all.len() };
    let end = run_fleet(&session.ctx, &*engine, (&all, &folder), &options, &mut |event| {
        shown.event(event);
    });
    session.bar.clear();
    let (store, report) = end.map_err(failure)?;
    print(session, &store, &report)?;
    let enough = report.good_share() * 100.0 >= f64::from(args.at_least);
    Ok(if enough { Status::Done } else { Status::No })
}

/// The words of the task, which are arguments of this program.
fn task(session: &Session, args: &FleetRun) -> Result<Vec<String>, Failure> {
    let mut task: Vec<String> = match args.task.as_slice() {
        [one] => one.split_whitespace().map(str::to_owned).collect(),
        all => all.to_vec(),
    };
    validated(&task)?;
    let global = &session.global;
    task.extend(global.offline.then(|| "--offline".to_owned()));
    task.extend(global.allow_unsandboxed.then(|| "--allow-unsandboxed".to_owned()));
    task.extend(global.config.iter().map(|it| format!("--config={it}")));
    Ok(task)
}

/// Whether these words are a command that a fleet runs, and that writes nothing by itself.
fn validated(words: &[String]) -> Result<(), Failure> {
    let name = words.first().map_or("", String::as_str);
    if !TASKS.contains(&name) {
        let hint = format!("one of {}", TASKS.join(", "));
        return Err(Failure::input(format!("`{name}` is no task of a fleet"), hint));
    }
    let arguments = std::iter::once("graftage").chain(words.iter().map(String::as_str));
    let parsed = help::command()
        .try_get_matches_from(arguments)
        .and_then(|matches| Args::from_arg_matches(&matches))
        .map_err(|error| {
            let text = error.render().to_string();
            let text = text.trim_start_matches("error: ").trim();
            Failure::input(format!("the task `{}`: {text}", words.join(" ")), "correct the task")
        })?;
    let own = ["--apply", "--commit", "--overlay", "--watch"];
    let refused = own.iter().find(|it| words.iter().any(|word| word == *it));
    let refused = refused.copied().or(parsed.global.json.then_some("--json"));
    if let Some(option) = refused.or(parsed.global.dir.is_some().then_some("-C")) {
        let hint = "`fleet run` has its own `--apply`; leave the others out";
        return Err(Failure::input(format!("`{option}` is no option of a task"), hint));
    }
    Ok(())
}

/// The runner of tasks in this program. What an engine passes on is validated here, too.
pub(crate) fn runner() -> Result<CommandRunner, Failure> {
    let accepts =
        |words: &[String]| validated(words).map_err(|failure| TaskFault::Failed(failure.message));
    Ok(CommandRunner { program: own_program()?, accepts })
}

/// The work of all tasks: those of fleets, and parts of suites.
struct OwnRunner(CommandRunner);

impl TaskRunner for OwnRunner {
    fn run(
        &self,
        payload: &Value,
        report: &mut dyn FnMut(Value),
        has_stopped: &dyn Fn() -> bool,
    ) -> Result<Value, TaskFault> {
        match eval::parts::part(&self.0, payload, has_stopped) {
            Some(end) => end,
            None => self.0.run(payload, report, has_stopped),
        }
    }
}

/// An engine with so many seats.
pub(crate) fn new_engine(
    session: &Session,
    args: &EngineArgs,
    seats: Option<usize>,
) -> Result<Box<dyn Engine>, Failure> {
    match args.engine {
        EngineName::Embedded => {
            let processors = || std::thread::available_parallelism().ok().map(usize::from);
            let seats = seats.or_else(processors).unwrap_or(1);
            Ok(Box::new(EmbeddedEngine::new(OwnRunner(runner()?), seats)))
        }
        EngineName::Ray => {
            session.ctx.progress("starting Ray", args.ray_address.clone().unwrap_or_default());
            let (python, address) = (args.python.clone(), args.ray_address.clone());
            let options = RayOptions { python, program: own_program()?, address, seats };
            let started = RayEngine::start(&session.ctx, options);
            Ok(Box::new(started.map_err(|error| Failure {
                status: Status::Environment,
                hint: base::Hint::hint(&error),
                message: error.to_string(),
            })?))
        }
    }
}

/// Display of a running fleet.
struct Shown<'a> {
    session: &'a Session,
    done: u64,
    all: usize,
}

impl Shown<'_> {
    fn event(&mut self, event: FleetEvent<'_>) {
        let global = &self.session.global;
        let is_quiet = global.quiet || global.json;
        match event {
            FleetEvent::Began(name) => {
                self.session.ctx.count("fleet", brief(name), self.done, self.all as u64);
            }
            FleetEvent::Lost(name, why) if !is_quiet => {
                self.session.bar.clear();
                let (name, why) = (output::safe(name), brief(why));
                output::note(&paint(DIM, &format!("  {name}: again, its worker was lost: {why}")));
            }
            FleetEvent::Ended(result) => {
                self.done += 1;
                if !is_quiet {
                    self.session.bar.clear();
                    output::note(&line(result));
                }
                self.session.ctx.count("fleet", String::new(), self.done, self.all as u64);
            }
            FleetEvent::Lost(..) => {}
        }
    }
}

/// A result on one line.
fn line(result: &RepositoryResult) -> String {
    let colour = if is_good(&result.outcome) { GOOD } else { BAD };
    let outcome = paint(colour, &format!("{:<8}", output::safe(&result.outcome)));
    let reason = result.reason.as_deref().filter(|_| !is_good(&result.outcome));
    let reason = reason.map(|it| format!("  {}", paint(DIM, &brief(it)))).unwrap_or_default();
    format!("  {outcome} {}{reason}", output::safe(&result.name))
}

/// Prints a report.
fn print(session: &Session, store: &FleetStore, report: &FleetReport) -> Result<(), Failure> {
    if session.global.json {
        return output::json(report);
    }
    let number = report.repositories.len() + report.missing;
    let mut text = format!(
        "{} in {}\n",
        paint(BOLD, &output::safe(&report.task.join(" "))),
        if number == 1 { "1 repository".to_owned() } else { format!("{number} repositories") },
    );
    for (outcome, number) in &report.counts {
        let colour = if is_good(outcome) { GOOD } else { BAD };
        let outcome_text = paint(colour, &format!("{:<8}", output::safe(outcome)));
        text.push_str(&format!("  {outcome_text} {number:>5}  {}\n", named(report, outcome)));
    }
    if report.missing > 0 {
        text.push_str(&format!("  without a result: {}\n", report.missing));
    }
    if let Some(with) = report.repositories.iter().find(|it| it.patch.is_some()) {
        let folder = store.patch_path(&with.name);
        let folder = folder.parent().unwrap_or(&folder).display().to_string();
        text.push_str(&format!("patches: {}\n", output::safe(&folder)));
    }
    text.push_str(&format!("page: {}\n", output::safe(&store.page_path().display().to_string())));
    output::say(&text)
}

/// Names of the repositories with an outcome, the first ones.
fn named(report: &FleetReport, outcome: &str) -> String {
    let all: Vec<String> = report
        .repositories
        .iter()
        .filter(|it| it.outcome == outcome)
        .map(|it| output::safe(&it.name))
        .collect();
    let more = all.len().saturating_sub(NAMED);
    let more = if more > 0 { format!(", and {more} more") } else { String::new() };
    format!("{}{more}", all[..all.len().min(NAMED)].join(", "))
}

fn report(session: &Session, args: &FleetReportArgs) -> Result<Status, Failure> {
    let store = FleetStore::open(&args.folder).map_err(failure)?;
    let report = store.report(None);
    print(session, &store, &report)?;
    Ok(Status::Done)
}

fn failure(error: fleet::FleetError) -> Failure {
    let status = match &error {
        fleet::FleetError::Interrupted => Status::Interrupted,
        fleet::FleetError::Unwritable { .. } | fleet::FleetError::InUse(_) => Status::Environment,
        _ => Status::Input,
    };
    Failure { status, hint: base::Hint::hint(&error), message: error.to_string() }
}
