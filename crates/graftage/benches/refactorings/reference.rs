//! Judges of a refactored tree: cargo, and a search for the old name in all texts. [`Tree`] is the
//! entry.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

use crate::reader::{Span, SpanClass, is_word, position, spans};

/// Result of a program that ended or was ended.
#[derive(Debug)]
pub(crate) struct Finished {
    /// `None` if it ran out of time.
    pub(crate) status: Option<ExitStatus>,
    pub(crate) output: String,
    pub(crate) errors: String,
    pub(crate) seconds: f64,
    /// Processor time of the program and its children, where `/proc` has it.
    pub(crate) cpu_seconds: Option<f64>,
}

impl Finished {
    pub(crate) fn success(&self) -> bool {
        self.status.is_some_and(|it| it.success())
    }
}

/// Occurrence of a name as a whole word.
#[derive(Clone, Debug)]
pub(crate) struct Occurrence {
    pub(crate) file: String,
    pub(crate) line: usize,
    /// `code`, `string`, `documentation`, `comment`, or `text` of another file than Rust.
    pub(crate) context: &'static str,
    pub(crate) text: String,
}

/// Clone of a repository, and what references it.
#[derive(Debug)]
pub(crate) struct Tree {
    origin: PathBuf,
    pub(crate) dir: PathBuf,
    work: PathBuf,
    settings: Settings,
    steps: Vec<Vec<&'static str>>,
}

/// Limits of the references.
#[derive(Clone, Debug)]
pub(crate) struct Settings {
    /// Packages that are left out.
    pub(crate) without: Vec<String>,
    /// Features instead of all.
    pub(crate) features: Option<String>,
}

/// Judges, the fastest first. Those without `--all-features` are left out if they fail on the
/// unchanged tree.
const STEPS: [&[&str]; 5] = [
    &["check", "--workspace", "--all-targets", "--all-features"],
    &["check", "--workspace"],
    &["check", "--workspace", "--no-default-features"],
    &["test", "--workspace", "--all-targets", "--all-features"],
    &["test", "--workspace", "--doc", "--all-features"],
];

/// Longest time of one program.
const LIMIT: Duration = Duration::from_secs(600);

impl Tree {
    /// Clones `origin` into `work`.
    pub(crate) fn new(origin: &Path, work: &Path, settings: Settings) -> io::Result<Self> {
        let origin = origin.canonicalize()?;
        let dir = work.join(origin.file_name().unwrap_or_default());
        fs::create_dir_all(work)?;
        if dir.exists() {
            fs::remove_dir_all(&dir)?;
        }
        let mut clone = Command::new("git");
        clone.args(["clone", "-q", "--no-hardlinks"]).arg(&origin).arg(&dir);
        let mut tree = Self { origin, dir, work: work.to_owned(), settings, steps: Vec::new() };
        let cloned = tree.run(&mut clone)?;
        if !cloned.success() {
            return Err(io::Error::other(cloned.errors));
        }
        fs::write(tree.dir.join(".git/info/exclude"), "/Cargo.lock\n/target\n")?;
        tree.restore()?;
        for step in STEPS {
            let ran = tree.cargo(step)?;
            if ran.success() {
                tree.steps.push(step.to_vec());
            } else if step.contains(&"--all-features") {
                let text = format!("the unchanged tree fails `cargo {}`\n", step.join(" "));
                return Err(io::Error::other(text + &ran.output + &ran.errors));
            }
        }
        Ok(tree)
    }

    /// Resets the tree to its commit.
    pub(crate) fn restore(&self) -> io::Result<()> {
        self.git(&["reset", "-q", "--hard"])?;
        self.git(&["clean", "-fdxq", "-e", "/target"])?;
        let lock = self.origin.join("Cargo.lock");
        if lock.exists() && !self.dir.join("Cargo.lock").exists() {
            fs::copy(lock, self.dir.join("Cargo.lock"))?;
        }
        Ok(())
    }

    /// Output of git in the tree.
    pub(crate) fn git(&self, args: &[&str]) -> io::Result<String> {
        let ran = self.run(Command::new("git").args(args).current_dir(&self.dir))?;
        if ran.success() { Ok(ran.output) } else { Err(io::Error::other(ran.errors)) }
    }

    /// The first reference run that the tree fails, and its last lines.
    pub(crate) fn fault(&self) -> io::Result<Option<String>> {
        for step in &self.steps {
            let ran = self.cargo(step)?;
            if !ran.success() {
                let text = ran.errors + &ran.output;
                let notable = ["error", "panicked", "FAILED", "-->", "warning: unused"];
                let lines = text.lines().filter(|line| notable.iter().any(|it| line.contains(it)));
                let lines: Vec<&str> = lines.take(12).collect();
                return Ok(Some(format!("cargo {}: {}", step.join(" "), lines.join(" | "))));
            }
        }
        Ok(None)
    }

    fn cargo(&self, step: &[&str]) -> io::Result<Finished> {
        let mut cargo = Command::new("cargo");
        for argument in step {
            match &self.settings.features {
                Some(features) if *argument == "--all-features" => {
                    cargo.args(["--features", features]);
                }
                _ => {
                    cargo.arg(argument);
                }
            }
        }
        cargo.arg("--offline").current_dir(&self.dir);
        for package in &self.settings.without {
            cargo.args(["--exclude", package]);
        }
        cargo.env("CARGO_TARGET_DIR", self.work.join("target"));
        self.run(&mut cargo)
    }

    /// Runs `command` to its end or the limit, with its output in files.
    pub(crate) fn run(&self, command: &mut Command) -> io::Result<Finished> {
        let (output, errors) = (self.work.join("stdout"), self.work.join("stderr"));
        let (started, cpu_before) = (Instant::now(), children_cpu());
        command.stdin(Stdio::null()).stdout(File::create(&output)?).stderr(File::create(&errors)?);
        let mut child = command.spawn()?;
        let status = loop {
            if let Some(status) = child.try_wait()? {
                break Some(status);
            }
            if started.elapsed() > LIMIT {
                child.kill()?;
                child.wait()?;
                break None;
            }
            std::thread::sleep(Duration::from_millis(20));
        };
        let read = |path| fs::read(path).map(|it| String::from_utf8_lossy(&it).into_owned());
        let seconds = started.elapsed().as_secs_f64();
        let cpu_seconds = children_cpu().zip(cpu_before).map(|(after, before)| after - before);
        let (output, errors) = (read(output)?, read(errors)?);
        Ok(Finished { status, output, errors, seconds, cpu_seconds })
    }

    /// Texts of the repository, without what git ignores.
    pub(crate) fn texts(&self) -> io::Result<Vec<(String, String)>> {
        let files = self.git(&["ls-files", "-z", "--cached", "--others", "--exclude-standard"])?;
        let mut texts = Vec::new();
        for file in files.split('\0').filter(|it| !it.is_empty() && *it != "Cargo.lock") {
            if let Ok(text) = fs::read_to_string(self.dir.join(file)) {
                texts.push((file.to_owned(), text));
            }
        }
        Ok(texts)
    }
}

/// Processor seconds of all ended children, at 100 ticks a second.
fn children_cpu() -> Option<f64> {
    let stat = fs::read_to_string("/proc/self/stat").ok()?;
    let (_, fields) = stat.rsplit_once(')')?;
    let ticks = fields.split_whitespace().skip(13).take(2).map(|it| it.parse::<f64>().ok());
    Some(ticks.sum::<Option<f64>>()? / 100.0)
}

/// Occurrences of `name` in `texts` as a whole word.
pub(crate) fn occurrences(texts: &[(String, String)], name: &str) -> Vec<Occurrence> {
    let name = name.strip_prefix("r#").unwrap_or(name);
    let mut found = Vec::new();
    for (file, text) in texts {
        let mut parts: Option<Vec<Span<'_>>> = None;
        for (at, _) in text.match_indices(name) {
            let before = text[..at].chars().next_back();
            let after = text[at + name.len()..].chars().next();
            if before.is_some_and(is_word) || after.is_some_and(is_word) {
                continue;
            }
            let is_rust = file.ends_with(".rs");
            let context = if is_rust {
                context(parts.get_or_insert_with(|| spans(text)), at)
            } else {
                "text"
            };
            let (line, _) = position(text, at);
            let shown = text.lines().nth(line - 1).unwrap_or_default().trim().to_owned();
            found.push(Occurrence { file: file.clone(), line, context, text: shown });
        }
    }
    found
}

fn context(spans: &[Span<'_>], at: usize) -> &'static str {
    let next = spans.partition_point(|it| it.start <= at);
    match next.checked_sub(1).map(|it| spans[it].class) {
        Some(SpanClass::Literal) => "string",
        Some(SpanClass::Comment) => "comment",
        Some(SpanClass::Documentation) => "documentation",
        _ => "code",
    }
}

/// Number of words that differ between two states of a tree once `to` is read as `from`; files that
/// are in one state only are left out.
pub(crate) fn other_words(
    before: &[(String, String)],
    after: &[(String, String)],
    (from, to): (&str, &str),
) -> usize {
    let words = |text: &str| {
        let split = text.split(|letter| !is_word(letter)).filter(|it| !it.is_empty());
        let mut words: Vec<String> =
            split.map(|it| if it == to { from.to_owned() } else { it.to_owned() }).collect();
        words.sort();
        words
    };
    let mut count = 0;
    for (file, text) in after {
        let old = before.iter().find(|(path, _)| path == file);
        let Some((_, old)) = old.filter(|(_, old)| old != text) else { continue };
        let (old, new) = (words(old), words(text));
        count += old.len().abs_diff(new.len());
        count += old.iter().zip(&new).filter(|(a, b)| a != b).count();
    }
    count
}
