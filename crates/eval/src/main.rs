//! `graftage-eval`: the evaluation commands for development, started by `cargo xtask eval`.
//!
//! Invariant: no suite is run here. `graftage eval run` does that, so that the measured program is the
//! shipped one.
#![allow(clippy::print_stdout, clippy::print_stderr, reason = "a command line talks to people")]

use std::fmt::Write as _;
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use base::{Ctx, Hint, SortedMap};
use graftage_eval::{
    EvalError, Features, FitOptions, Fitted, OracleOptions, OracleReport, RunEnvironment, Share,
    Suite, fetch, fit_weights, oracle,
};
use project::{SettingOrigin, Settings, Surroundings, SystemHost};
use sandbox::Sandbox;

const HELP: &str = "\
graftage-eval COMMAND [--offline] [--config KEY=VALUE]…

  fetch SUITE         download the crates of a suite into cargo's registry
  fit SUITE… --out DIR [--jobs N]
                      fit the weights of the search scorer: set A for `locate`, set B for `find`
  oracle WORKSPACE --out DIR [--index FILE] [--features LIST] [--hydrated]
                      compare the calls of the map with those of rust-analyzer; `--index` takes an
                      index from `rust-analyzer scip`, `--features all` turns all features on,
                      `--hydrated` adds its results to the map first: what is then missing was
                      lost on import
";

fn main() -> ExitCode {
    // The sandbox starts this binary as its inner stage, which must not parse arguments.
    sandbox::inner_main_if_asked();
    let args: Vec<String> = std::env::args().skip(1).collect();
    let Some(args) = Args::parse(&args) else {
        eprint!("{HELP}");
        return ExitCode::from(2);
    };
    match run(&args) {
        Ok(text) => {
            print!("{text}");
            ExitCode::SUCCESS
        }
        Err(error) => {
            eprintln!("graftage-eval: {error}");
            if let Some(hint) = error.hint() {
                eprintln!("hint: {hint}");
            }
            ExitCode::FAILURE
        }
    }
}

/// The arguments of a command.
struct Args {
    command: String,
    /// Arguments that are not options.
    files: Vec<PathBuf>,
    /// Options by name; flags have an empty value.
    options: SortedMap<String, String>,
    /// Settings for this run.
    settings: Vec<(String, String)>,
}

impl Args {
    /// `None` for an invalid command line.
    fn parse(args: &[String]) -> Option<Self> {
        let (command, rest) = args.split_first()?;
        let options: &[&str] = match command.as_str() {
            "fetch" => &[],
            "fit" => &["--out", "--jobs"],
            "oracle" => &["--out", "--index", "--features", "--hydrated"],
            _ => return None,
        };
        let mut parsed = Self {
            command: command.clone(),
            files: Vec::new(),
            options: SortedMap::new(),
            settings: Vec::new(),
        };
        let mut rest = rest.iter();
        while let Some(arg) = rest.next() {
            match arg.as_str() {
                "--offline" => parsed.settings.push(("cargo.offline".into(), "true".into())),
                "--config" => {
                    let (key, value) = rest.next()?.split_once('=')?;
                    parsed.settings.push((key.to_owned(), value.to_owned()));
                }
                "--hydrated" if options.contains(&"--hydrated") => {
                    parsed.options.insert(arg.clone(), String::new());
                }
                name if options.contains(&name) => {
                    parsed.options.insert(arg.clone(), rest.next()?.clone());
                }
                name if name.starts_with('-') => return None,
                file => parsed.files.push(file.into()),
            }
        }
        let is_complete = !parsed.files.is_empty()
            && (command == "fit" || parsed.files.len() == 1)
            && (command == "fetch" || parsed.options.contains_key("--out"))
            && parsed.options.get("--jobs").is_none_or(|jobs| jobs.parse::<usize>().is_ok());
        is_complete.then_some(parsed)
    }

    fn path(&self, name: &str) -> Option<PathBuf> {
        self.options.get(name).map(PathBuf::from)
    }

    /// The directory for results; empty only for commands without one.
    fn out(&self) -> PathBuf {
        self.path("--out").unwrap_or_default()
    }
}

/// Runs the command; returns its report.
fn run(args: &Args) -> Result<String, EvalError> {
    let host = SystemHost::new(Arc::new(AtomicBool::new(false)), |_| {});
    let ctx = Ctx::new(Arc::new(host));
    let machine = machine(args)?;
    match args.command.as_str() {
        "fetch" => {
            let fetched = fetch(&ctx, &machine, &Suite::load(&args.files[0])?)?;
            let mut text = format!("{} crates are in cargo's registry\n", fetched.present.len());
            for failed in &fetched.failed {
                let _ = writeln!(text, "missing: {failed}");
            }
            Ok(text)
        }
        "fit" => {
            let cores = std::thread::available_parallelism().map_or(1, usize::from);
            let jobs = args.options.get("--jobs").and_then(|jobs| jobs.parse().ok());
            let options = FitOptions {
                suites: args.files.clone(),
                out: args.out(),
                jobs: jobs.unwrap_or(cores).max(1),
            };
            Ok(fitted(&fit_weights(&ctx, &machine, &options)?))
        }
        _ => {
            let features = match args.options.get("--features").map(String::as_str) {
                None => Features::Default,
                Some("all") => Features::All,
                Some(list) => Features::Named(list.split(',').map(str::to_owned).collect()),
            };
            let options = OracleOptions {
                workspace: args.files[0].clone(),
                out: args.out(),
                index: args.path("--index"),
                features,
                hydrated: args.options.contains_key("--hydrated"),
            };
            Ok(compared(&oracle(&ctx, &machine, &options)?, &options))
        }
    }
}

/// Settings, directories and sandbox of the run; settings of a project do not apply.
fn machine(args: &Args) -> Result<RunEnvironment, EvalError> {
    let missing = |path: &str, reason: String| EvalError::Io { path: path.into(), reason };
    let surroundings = Surroundings::of_process()
        .ok_or_else(|| missing("HOME", "no home directory".to_owned()))?;
    let mut settings = Settings::load(&surroundings.config_file, None, &surroundings.variables)
        .map_err(tools::Error::from)?;
    for (key, value) in &args.settings {
        settings.put(key, value, SettingOrigin::Flag).map_err(tools::Error::from)?;
    }
    let own = std::env::current_exe().map_err(|err| missing("graftage-eval", err.to_string()))?;
    Ok(RunEnvironment { settings, surroundings, sandbox: Sandbox::new(own) })
}

fn fitted(fitted: &Fitted) -> String {
    let mut text = String::new();
    for (name, weights) in &fitted.weights {
        let _ = writeln!(text, "{name} {} queries", weights.queries);
        let _ = writeln!(
            text,
            "  {:<22} {:>8} {:>9} {:>9}  {:<28} against BM25 alone",
            "metric", "before", "left out", "tuned on", "against manual weights"
        );
        for (metric, before) in &weights.before {
            let of = |it: &SortedMap<String, f64>| {
                it.get(metric).map_or("-".to_owned(), |value| format!("{value:.3}"))
            };
            let against = |other: &str| {
                let it = weights.compared.get(other).and_then(|it| it.get(metric));
                it.map_or("-".to_owned(), |it| {
                    format!("{:+.3} ({:+.3} to {:+.3})", it.mean, it.low, it.high)
                })
            };
            let (left_out, after) = (of(&weights.left_out), of(&weights.after));
            let [manual, plain] = ["manual weights", "BM25 alone"].map(against);
            let _ = writeln!(
                text,
                "  {metric:<22} {before:>8.3} {left_out:>9} {after:>9}  {manual:<28} {plain}"
            );
        }
        for (recipe, groups) in &weights.recipes {
            let _ = writeln!(text, "  {recipe} for {groups} groups");
        }
    }
    let _ = writeln!(text, "weights: {}", fitted.folder.display());
    text
}

fn compared(report: &OracleReport, options: &OracleOptions) -> String {
    let share = |it: Share| format!("{:.2} % ({}/{})", it.value() * 100.0, it.right, it.all);
    let mut text = String::new();
    let _ = writeln!(text, "{} {} call sites", report.oracle, report.calls);
    for (name, it) in [("edges", report.edges), ("sites", report.sites)] {
        let _ = writeln!(text, "  {name}");
        let _ =
            writeln!(text, "    precision        {}, {} lenient", share(it.precision), it.lenient);
        let _ = writeln!(text, "    with assumed     {}", share(it.precision_assumed));
        let _ = writeln!(text, "    recall           {}", share(it.recall));
        let _ = writeln!(text, "    with candidates  {}", share(it.recall_candidate));
    }
    let _ = writeln!(text, "  report: {}", options.out.join("oracle.md").display());
    text
}
