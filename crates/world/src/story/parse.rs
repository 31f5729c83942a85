//! Reads a file of stories; an error names file, line, key and the nearest right key.

use std::sync::{Arc, OnceLock};
use std::time::Duration;

use base::SortedSet;
use policy::program::Program;
use serde_json::Value;
use toml::Spanned;

use super::constraints::Constraints;
use super::problem::{StoryError, StoryProblem};
use super::raw::{RawDialog, RawFile, RawPage, RawStory};
use super::{Allowed, AppBuild, ServedApp, Story, StoryFile, StoryPage, steps, verify};

/// Most bytes of a file.
const MOST_BYTES: usize = 1 << 20;
/// Most stories of a file, and most steps of a story.
const MOST: usize = 1_000;
/// The wait of a step without a time of its own.
const TIMEOUT: Duration = Duration::from_secs(5);
/// The longest wait of a step.
const LONGEST: Duration = Duration::from_secs(60);
/// The time of an app until it is ready.
const READY: Duration = Duration::from_secs(20);
/// The port of an app that reads `$PORT`: it has a network of its own, in which each is free.
const PORT: u16 = 8_080;
/// The window of a story.
const WINDOW: (u32, u32) = (1_024, 768);

impl StoryFile {
    /// Reads a file of stories. `path` is its path in the project.
    ///
    /// # Errors
    /// The first fault, with its line.
    pub fn parse(path: &str, text: &str) -> Result<Self, StoryError> {
        let error = |at: usize, problem| StoryError {
            file: path.to_owned(),
            line: line_of(text, at),
            problem,
        };
        if text.len() > MOST_BYTES {
            return Err(error(0, StoryProblem::TooLarge { most: MOST_BYTES }));
        }
        let raw: RawFile = toml::from_str(text).map_err(|err| {
            let span = err.span().unwrap_or(0..0);
            error(span.start, toml_problem(&err, text.get(span.clone()).unwrap_or_default()))
        })?;
        let page = match &raw.page {
            Some(it) => page(it.get_ref()).map_err(|problem| error(it.span().start, problem))?,
            None => StoryPage::None,
        };
        if raw.story.is_empty() {
            return Err(error(text.len(), StoryProblem::NoStory));
        }
        if raw.story.len() > MOST {
            let problem = StoryProblem::TooMany { what: "stories", most: MOST };
            return Err(error(text.len(), problem));
        }
        let mut names = SortedSet::new();
        let mut stories = Vec::new();
        for it in &raw.story {
            let name = &it.get_ref().name;
            if !names.insert(name.get_ref().clone()) {
                let problem = StoryProblem::SameName { name: name.get_ref().clone() };
                return Err(error(name.span().start, problem));
            }
            let line = |at| line_of(text, at);
            let story = story(it, &page, &line).map_err(|(at, problem)| error(at, problem))?;
            stories.push(story);
        }
        let constraints = Constraints::new(&raw, path, &|at| line_of(text, at));
        let verdict = verify::verified(&constraints, &stories);
        let verdict = verdict.map_err(|(line, problem)| StoryError {
            file: path.to_owned(),
            line,
            problem,
        })?;
        let threads = constraints.structure.threads();
        // They are a program: it was explored.
        let program =
            Some(threads).filter(|it| !it.is_empty()).and_then(|it| Program::new(it).ok());
        let constraints = program.map(Arc::new);
        Ok(Self { path: path.to_owned(), page, stories, verdict, constraints })
    }
}

fn toml_problem(err: &toml::de::Error, at: &str) -> StoryProblem {
    let key = at.trim_matches('"');
    if err.message().starts_with("unknown field") {
        let nearest = nearest(key, &keys().iter().map(String::as_str).collect::<Vec<_>>());
        let nearest = nearest.map(str::to_owned);
        return StoryProblem::UnknownKey { key: key.to_owned(), nearest };
    }
    StoryProblem::Toml { message: base::visible_line(err.message()) }
}

/// All keys of the format.
fn keys() -> &'static [String] {
    static KEYS: OnceLock<Vec<String>> = OnceLock::new();
    KEYS.get_or_init(|| {
        let schema = super::story_schema();
        let definitions = schema["$defs"].as_object().into_iter().flatten().map(|(_, it)| it);
        let objects = definitions.chain([&schema]);
        let keys = objects.filter_map(|it| it["properties"].as_object());
        let mut keys: Vec<String> =
            keys.flat_map(|it: &serde_json::Map<String, Value>| it.keys().cloned()).collect();
        keys.sort();
        keys.dedup();
        keys
    })
}

/// The nearest of some names, if it is near.
pub(super) fn nearest<'n>(name: &str, names: &[&'n str]) -> Option<&'n str> {
    let near = names.iter().map(|it| (strsim::osa_distance(name, it), *it));
    near.filter(|(distance, it)| *distance <= 2.max(it.len() / 3)).min().map(|(_, it)| it)
}

fn page(raw: &RawPage) -> Result<StoryPage, StoryProblem> {
    let ways = [raw.html.is_some(), raw.file.is_some(), raw.serve.is_some()];
    let found = ways.iter().filter(|it| **it).count();
    if found != 1 {
        return Err(StoryProblem::PageWays { found });
    }
    if let Some(serve) = &raw.serve {
        return served(serve, raw).map(StoryPage::Served);
    }
    for (key, is_given) in [
        ("ready", raw.ready.is_some()),
        ("port", raw.port.is_some()),
        ("ready_ms", raw.ready_ms.is_some()),
    ] {
        if is_given {
            return Err(StoryProblem::OnlyServed { key });
        }
    }
    match (&raw.html, &raw.file) {
        (Some(html), _) => Ok(StoryPage::Html(html.clone())),
        (None, Some(file)) if base::ProjectPath::new(file).is_ok() => {
            Ok(StoryPage::File(file.clone()))
        }
        (None, file) => Err(StoryProblem::PagePath { path: file.clone().unwrap_or_default() }),
    }
}

/// The options of `serve`, for a message.
const OPTIONS: &str = "its options are `-p PACKAGE`, `--bin NAME`, `--features NAMES`, `--all-features`, \
                       `--no-default-features`, `--release` and, after `--`, those of the app";

fn served(serve: &str, raw: &RawPage) -> Result<ServedApp, StoryProblem> {
    let wrong = |reason| Err(StoryProblem::Command { reason });
    if serve.contains(['"', '\'', '|', '&', ';', '<', '>', '`', '\\', '(', ')', '*', '~', '$']) {
        return wrong("it has characters of a shell");
    }
    let mut words = serve.split_whitespace();
    if (words.next(), words.next()) != (Some("cargo"), Some("run")) {
        return wrong("it does not begin with `cargo run`");
    }
    let mut app = ServedApp {
        package: None,
        bin: None,
        build: AppBuild::default(),
        args: Vec::new(),
        ready: raw.ready.clone().unwrap_or_else(|| "/".to_owned()),
        port: raw.port.unwrap_or(PORT),
        limit: milliseconds("ready_ms", raw.ready_ms, READY)?,
    };
    while let Some(word) = words.next() {
        let (option, inline) = match word.split_once('=') {
            Some((option, value)) if option.starts_with("--") => (option, Some(value)),
            _ => (word, None),
        };
        let mut value = || {
            let value = inline.or_else(|| words.next());
            let value = value.filter(|it| !it.is_empty() && !it.starts_with('-'));
            value
                .map(str::to_owned)
                .ok_or(StoryProblem::Command { reason: "an option has no name" })
        };
        match option {
            "-p" | "--package" => app.package = Some(value()?),
            "--bin" => app.bin = Some(value()?),
            "-F" | "--features" => {
                let names = value()?;
                app.build.features.extend(names.split(',').map(str::to_owned));
            }
            _ if inline.is_some() => return wrong(OPTIONS),
            "--all-features" => app.build.all_features = true,
            "--no-default-features" => app.build.no_default_features = true,
            "-r" | "--release" => app.build.release = true,
            "--" => {
                app.args = words.map(str::to_owned).collect();
                break;
            }
            _ => return wrong(OPTIONS),
        }
    }
    app.build.features.retain(|it| !it.is_empty());
    open_path(&app.ready)?;
    Ok(app)
}

fn milliseconds(
    key: &'static str,
    value: Option<u64>,
    otherwise: Duration,
) -> Result<Duration, StoryProblem> {
    let most = LONGEST.as_secs() * 1_000;
    match value {
        None => Ok(otherwise),
        Some(value) if (1..=most).contains(&value) => Ok(Duration::from_millis(value)),
        Some(value) => Err(StoryProblem::Number { key, value, least: 1, most }),
    }
}

fn open_path(path: &str) -> Result<(), StoryProblem> {
    let is_path = path.starts_with('/')
        && !path.starts_with("//")
        && !path.contains(['\\', '\n', '\r', '\t', '\0']);
    if is_path { Ok(()) } else { Err(StoryProblem::OpenPath { path: base::visible_line(path) }) }
}

/// A fault with its offset.
type Misplaced = (usize, StoryProblem);

fn story(
    spanned: &Spanned<RawStory>,
    page: &StoryPage,
    line: &dyn Fn(usize) -> usize,
) -> Result<Story, Misplaced> {
    let (raw, start) = (spanned.get_ref(), spanned.span().start);
    let here = |problem| (start, problem);
    let name = raw.name.get_ref();
    if name.trim().is_empty() || name.contains(char::is_control) {
        return Err((raw.name.span().start, StoryProblem::Name));
    }
    if raw.html.is_none() && *page == StoryPage::None {
        return Err(here(StoryProblem::NoPage));
    }
    let open = raw.open.clone().unwrap_or_else(|| "/".to_owned());
    open_path(&open).map_err(here)?;
    let is_one_text = raw.html.is_some() || matches!(page, StoryPage::Html(_));
    if is_one_text && !matches!(open.split(['?', '#']).next(), Some("/")) {
        return Err(here(StoryProblem::NoSuchPath { path: base::visible_line(&open) }));
    }
    let side = |key, value: Option<u32>, otherwise| match value {
        None => Ok(otherwise),
        Some(value) if (100..=4_000).contains(&value) => Ok(value),
        Some(value) => {
            Err(here(StoryProblem::Number { key, value: value.into(), least: 100, most: 4_000 }))
        }
    };
    let window = (side("width", raw.width, WINDOW.0)?, side("height", raw.height, WINDOW.1)?);
    if raw.play.len() > MOST {
        return Err(here(StoryProblem::TooMany { what: "steps", most: MOST }));
    }
    let mut play = Vec::new();
    for step in &raw.play {
        let at = step.span().start;
        let action = steps::action(step.get_ref()).map_err(|problem| (at, problem))?;
        play.push(super::Step { line: line(at), action });
    }
    if !play.iter().any(|step| steps::expects(&step.action)) {
        return Err(here(StoryProblem::StoryExpectsNothing));
    }
    Ok(Story {
        name: name.clone(),
        line: line(start),
        open,
        html: raw.html.clone(),
        timeout: milliseconds("timeout_ms", raw.timeout_ms, TIMEOUT).map_err(here)?,
        window,
        allow: Allowed {
            console: raw.allow.console.clone(),
            requests: raw.allow.requests.clone(),
            dialogs: raw.allow.dialogs.map(|it| it == RawDialog::Accept),
        },
        play,
    })
}

fn line_of(text: &str, at: usize) -> usize {
    let end = at.min(text.len());
    1 + text.as_bytes()[..end].iter().filter(|byte| **byte == b'\n').count()
}
