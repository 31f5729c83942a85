//! `world`: stories of the project in a browser.

use std::ffi::OsString;
use std::fmt::Write as _;
use std::path::Path;
use std::time::Duration;

use serve::{AccessToken, HttpLimits, HttpServerOptions};
use tools::{
    StoryProblemRow, StoryRow, WorldRequest, WorldResponse, world_explore, world_list, world_test,
};
use world::{ExploreSettings, StoryFilter};

use crate::args_world::{World, WorldTest};
use crate::exit::{Failure, Status};
use crate::out_folder::write_file;
use crate::output::{self, BAD, BOLD, DIM, GOOD, WARN, paint};
use crate::session::Session;

/// Most lines of the page that are shown for a failure.
const PAGE_LINES: usize = 20;

pub(crate) fn run(session: &Session, command: &World) -> Result<Status, Failure> {
    match command {
        World::Test(args) => test(session, args),
        World::List { filter } => list(session, contains(filter.as_deref())),
        World::Inspect { story, html } => inspect(session, story, html.as_deref()),
        World::Serve { port } => serve(session, *port),
        World::Rewards(args) => super::world_rewards::run(session, args),
        World::Explore { file, seed, walks, actions } => {
            let settings = ExploreSettings { seed: *seed, walks: *walks, actions: *actions };
            explore(session, file, settings)
        }
        World::WasmTest { module, args } => wasm_test(session, module, args),
        World::Schema => {
            output::json(&world::story_schema())?;
            Ok(Status::Done)
        }
    }
}

fn contains(filter: Option<&str>) -> Option<StoryFilter> {
    filter.map(|it| StoryFilter::Contains(it.to_owned()))
}

fn list(session: &Session, filter: Option<StoryFilter>) -> Result<Status, Failure> {
    let workspace = session.workspace()?;
    let answer = world_list(&session.ctx, &workspace, filter.as_ref())?;
    session.bar.clear();
    if session.global.json {
        output::json(&answer)?;
    } else {
        let mut text = problems(&answer.problems);
        for story in &answer.stories {
            let place = format!("{}:{}", output::safe(&story.file), story.line);
            let _ = writeln!(text, "{}  {}", paint(DIM, &place), output::safe(&story.name));
        }
        output::say(&text)?;
    }
    Ok(if answer.problems.is_empty() { Status::Done } else { Status::No })
}

fn test(session: &Session, args: &WorldTest) -> Result<Status, Failure> {
    let workspace = session.workspace()?;
    let request = WorldRequest {
        filter: contains(args.filter.as_deref()),
        at_once: args.at_once,
        updates: args.update,
        inspects: args.trajectory.is_some(),
    };
    let answer = world_test(&session.ctx, &workspace, &request)?;
    session.bar.clear();
    if let Some(file) = &args.trajectory {
        let results: Vec<&world::StoryResult> =
            answer.stories.iter().map(|it| &it.result).collect();
        let text = world::trajectory(&results).map_err(std::io::Error::from)?;
        write_file(file, text.as_bytes())?;
    }
    if session.global.json {
        output::json(&answer)?;
    } else if args.junit {
        output::say(&answer.junit)?;
    } else {
        output::say(&described(&answer, args.times, session.global.quiet))?;
    }
    Ok(if answer.has_passed() { Status::Done } else { Status::No })
}

fn inspect(session: &Session, name: &str, html: Option<&Path>) -> Result<Status, Failure> {
    let workspace = session.workspace()?;
    let filter = StoryFilter::Contains(name.to_owned());
    let mut stories = world_list(&session.ctx, &workspace, Some(&filter))?.stories;
    if stories.iter().any(|it| it.name == name) {
        stories.retain(|it| it.name == name);
    }
    let [only] = stories.as_slice() else {
        let listed: Vec<String> =
            stories.iter().map(|it| format!("{} ({})", it.name, it.file)).collect();
        let hint = match listed.is_empty() {
            true => "`graftage world list` lists them".to_owned(),
            false => format!("one of: {}", listed.join(", ")),
        };
        return Err(Failure::input(format!("{} stories are named `{name}`", listed.len()), hint));
    };
    let request = WorldRequest::of_story(&only.file, &only.name);
    let answer = world_test(&session.ctx, &workspace, &request)?;
    session.bar.clear();
    let row = answer.stories.first();
    if let (Some(file), Some(row)) = (html, row) {
        write_file(file, world::timeline(&row.result).as_bytes())?;
    }
    if session.global.json {
        output::json(&answer)?;
    } else {
        let mut text = row.map(|it| moments(&it.result)).unwrap_or_default();
        text.push_str(&described(&answer, false, session.global.quiet));
        output::say(&text)?;
    }
    Ok(if answer.has_passed() { Status::Done } else { Status::No })
}

/// Serves the workshop until the user ends it. The address has the token, so it is for the user alone.
fn serve(session: &Session, port: u16) -> Result<Status, Failure> {
    let workspace = session.workspace()?;
    let token = AccessToken::random(&session.ctx);
    let secret = token.secret().to_owned();
    let address = std::net::SocketAddr::from(([127, 0, 0, 1], port));
    let http = HttpServerOptions { address, token: Some(token), limits: HttpLimits::default() };
    serve::serve_workshop(&session.ctx, workspace, http, |url| {
        output::note(&format!("stories: {url}/#{secret}"));
        output::note("the address is for you alone; Ctrl-C ends it");
    })?;
    Ok(Status::Done)
}

fn explore(session: &Session, file: &str, settings: ExploreSettings) -> Result<Status, Failure> {
    let workspace = session.workspace()?;
    let explored = world_explore(&session.ctx, &workspace, file, settings)?;
    session.bar.clear();
    if session.global.json {
        output::json(&explored)?;
    } else {
        let mut text = String::new();
        for it in &explored {
            let actions = base::counted(it.exploration.actions as usize, "action");
            let _ = write!(text, "{}: {actions}, ", output::safe(&it.file));
            match &it.exploration.finding {
                None => text.push_str("nothing found\n"),
                Some(finding) => {
                    let _ = writeln!(text, "{}", paint(BAD, &output::safe(&finding.reason)));
                    let _ = writeln!(text, "\n{}", base::visible(&finding.story));
                }
            }
        }
        output::say(&text)?;
    }
    let is_clean = explored.iter().all(|it| it.exploration.finding.is_none());
    Ok(if is_clean { Status::Done } else { Status::No })
}

/// Longest time of the tests of one module.
const WASM_LIMIT: Duration = Duration::from_secs(10 * 60);

fn wasm_test(session: &Session, module: &Path, args: &[OsString]) -> Result<Status, Failure> {
    let path = &session.surroundings.path;
    let Some(runner) = sandbox::programs(path, world::WASM_RUNNER).next() else {
        return Err(Failure {
            status: Status::Environment,
            message: format!("`{}` is not in the path", world::WASM_RUNNER),
            hint: Some("install the `wasm-bindgen-cli` of the project's version".to_owned()),
        });
    };
    let module = module.canonicalize().map_err(|error| {
        Failure::input(format!("cannot read `{}`: {error}", module.display()), "name a module")
    })?;
    let require = session.settings(None)?.sandbox_require;
    let tests = world::WasmTests { module: &module, runner: &runner, args, limit: WASM_LIMIT };
    let program = world::BrowserProgram::find(path).map_err(of_world)?;
    let results = world::wasm_test(&session.ctx, &session.sandbox, require, &program, &tests)
        .map_err(of_world)?;
    session.bar.clear();
    let mut text = base::visible(&results.text);
    for it in results.incidents.iter().filter(|_| !results.passed) {
        let _ = write!(text, "\n{}: {}", it.kind.as_str(), output::safe(&it.text));
    }
    text.push('\n');
    output::say(&text)?;
    Ok(if results.passed { Status::Done } else { Status::No })
}

fn of_world(error: world::WorldError) -> Failure {
    project::ProjectError::from(check::CheckError::from(error)).into()
}

/// The page after each step, as lines.
fn moments(result: &world::StoryResult) -> String {
    let mut text = String::new();
    for moment in &result.moments {
        let style = if moment.failure.is_some() { BAD } else { GOOD };
        let _ = writeln!(
            text,
            "{} {}",
            paint(style, &format!("line {}:", moment.line)),
            output::safe(&moment.step)
        );
        let incidents =
            moment.incidents.iter().map(|it| format!("{}: {}", it.kind.as_str(), it.text));
        for (heading, lines) in [
            ("failed", moment.failure.iter().cloned().collect::<Vec<_>>()),
            ("console", moment.console.clone()),
            ("incident", incidents.collect()),
            ("event", moment.events.clone()),
            ("thread", moment.threads.clone()),
            ("page", moment.page.clone()),
        ] {
            for line in lines {
                let _ = writeln!(
                    text,
                    "  {} {}",
                    paint(DIM, &format!("{heading:<8}")),
                    output::safe(&line)
                );
            }
        }
    }
    text
}

/// The results as libtest prints those of tests.
fn described(answer: &WorldResponse, times: bool, quiet: bool) -> String {
    let mut text = problems(&answer.problems);
    for reason in &answer.not_built {
        let _ = writeln!(text, "{}: {}", paint(BAD, "not built"), output::safe(reason));
    }
    for StoryRow { result, .. } in &answer.stories {
        let verdict = if result.passed { paint(GOOD, "ok") } else { paint(BAD, "FAILED") };
        let time = if times { format!(" ({} ms)", result.ms) } else { String::new() };
        let (file, name) = (output::safe(&result.file), output::safe(&result.name));
        let _ = writeln!(text, "story {file}: {name} ... {verdict}{time}");
    }
    for file in &answer.updated {
        let _ = writeln!(text, "{} {}", paint(GOOD, "written"), output::safe(file));
    }
    for row in answer.stories.iter().filter(|it| !it.result.passed) {
        text.push_str(&failure(row));
    }
    if answer.stories.is_empty() && answer.problems.is_empty() && answer.not_built.is_empty() {
        text.push_str("no story was played; files of stories are `stories/*.toml`\n");
    }
    let verdict = if answer.has_passed() { paint(GOOD, "ok") } else { paint(BAD, "FAILED") };
    let (passed, failed, left_out) = (answer.passed, answer.failed, answer.left_out);
    let _ = writeln!(
        text,
        "\nstory result: {verdict}. {passed} passed; {failed} failed; {left_out} filtered out; reward \
         {}.{:03}",
        answer.reward / 1_000,
        answer.reward % 1_000
    );
    if !quiet && !answer.browser.is_empty() {
        let notes: Vec<String> = answer.notes.iter().map(|it| output::safe(it)).collect();
        let line = format!("{}; {}", output::safe(&answer.browser), notes.join("; "));
        let _ = writeln!(text, "{}", paint(DIM, &line));
    }
    text
}

/// Step, difference and what was there instead.
fn failure(row: &StoryRow) -> String {
    let mut text = String::new();
    let result = &row.result;
    let Some(failure) = &result.failure else { return text };
    let place = format!("{}:{}", output::safe(&result.file), failure.line);
    let _ = writeln!(text, "\n---- {} ----", paint(BOLD, &output::safe(&result.name)));
    let _ = writeln!(text, "{place}: {}", output::safe(&failure.step));
    let _ = writeln!(text, "  {}", paint(BAD, &output::safe(&failure.reason)));
    for there in &failure.there {
        let _ = writeln!(text, "  there is: {}", output::safe(there));
    }
    let more = result.incidents.iter().map(|it| format!("{}: {}", it.kind.as_str(), it.text));
    for incident in more.filter(|it| *it != failure.reason) {
        let _ = writeln!(text, "  {}: {}", paint(WARN, "also"), output::safe(&incident));
    }
    if !failure.page.is_empty() {
        let _ = writeln!(text, "  {}", paint(DIM, "the page:"));
        for line in failure.page.iter().take(PAGE_LINES) {
            let _ = writeln!(text, "    {}", paint(DIM, &output::safe(line)));
        }
    }
    for (name, file) in [("picture", &row.picture_file), ("difference", &row.difference_file)] {
        if let Some(file) = file {
            let _ = writeln!(text, "  {name}: {}", output::safe(file));
        }
    }
    text
}

fn problems(rows: &[StoryProblemRow]) -> String {
    let mut text = String::new();
    for row in rows {
        let _ = writeln!(text, "{}: {}", paint(BAD, "error"), output::safe(&row.message));
        if let Some(hint) = &row.hint {
            let _ = writeln!(text, "  {}: {}", paint(DIM, "hint"), output::safe(hint));
        }
    }
    text
}
