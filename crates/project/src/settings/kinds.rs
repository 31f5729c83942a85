//! The kinds of values that settings have: how each is read from text and written back.

use std::path::PathBuf;
use std::time::Duration;

use check::{Scope, Tests};
use sandbox::Level;
use search::Stages;

use super::model::{dollars, micro_dollars, provider};
use super::search::{RankerChoice, SHAPES, parse_stages, stages_text};
use super::{AnswerForm, EncoderChoice, FixAnalyzer, FixRules, RerankerChoice, SkillStore};
use super::{ModelSettings, WriteConsent};

/// Longest time of a setting: a year.
const MAX_SECONDS: u64 = 366 * 24 * 3_600;
/// Most configurations of one setting: each is a check of its own.
const MAX_CONFIGURATIONS: usize = 64;

/// A kind of value.
pub(super) trait Kind {
    /// The type in [`super::Settings`].
    type Value;
    /// Accepted texts, for help and errors.
    const TAKES: &'static str;
    /// The value of a text, if it is one.
    fn read(text: &str) -> Option<Self::Value>;
    /// The text of a value.
    fn write(value: &Self::Value) -> String;
}

/// Declares a kind that is read by an expression over `text` and written by one over `value`.
macro_rules! kind {
    ($(#[$doc:meta])* $name:ident: $type:ty, $takes:expr, |$text:ident| $read:expr, |$value:ident| $write:expr) => {
        $(#[$doc])*
        pub(super) struct $name;

        impl Kind for $name {
            type Value = $type;
            const TAKES: &'static str = $takes;
            fn read($text: &str) -> Option<$type> {
                $read
            }
            fn write($value: &$type) -> String {
                $write
            }
        }
    };
}

/// Declares a kind of which each value has a name.
macro_rules! choice {
    ($(#[$doc:meta])* $name:ident: $type:ty, $takes:literal, $names:expr) => {
        kind! {
            $(#[$doc])* $name: $type, $takes,
            |text| $names.into_iter().find(|(_, name)| *name == text).map(|(value, _)| value),
            |value| {
                let name = $names.into_iter().find(|(it, _)| it == value);
                name.map_or_else(String::new, |(_, name)| name.to_owned())
            }
        }
    };
}

kind! {
    /// A flag.
    Flag: bool, "true or false", |text| text.parse().ok(), |value| value.to_string()
}
kind! {
    /// A text.
    Text: String, "a text", |text| Some(text.to_owned()), |value| value.clone()
}
kind! {
    /// A number of things.
    Count: usize, "a whole number", |text| text.parse().ok(), |value| value.to_string()
}
kind! {
    /// A number of tokens.
    Tokens: u64, "a whole number", |text| text.parse().ok(), |value| value.to_string()
}
kind! {
    /// A number of jobs; 0: none is given.
    Jobs: Option<u32>, "a whole number",
    |text| text.parse().ok().map(|n: u32| (n > 0).then_some(n)),
    |value| value.unwrap_or(0).to_string()
}
kind! {
    /// An amount of memory; 0: none is given.
    Mebibytes: Option<u64>, "a whole number of MiB",
    |text| text.parse().ok().map(|n: u64| (n > 0).then_some(n)),
    |value| value.unwrap_or(0).to_string()
}
kind! {
    /// A time.
    Seconds: Duration, "a whole number of seconds, at most a year",
    |text| text.parse().ok().filter(|it| *it <= MAX_SECONDS).map(Duration::from_secs),
    |value| value.as_secs().to_string()
}
kind! {
    /// A time; 0: none is given.
    SecondsOrNone: Option<Duration>, Seconds::TAKES,
    |text| Seconds::read(text).map(|time| (!time.is_zero()).then_some(time)),
    |value| value.map_or(0, |time| time.as_secs()).to_string()
}
kind! {
    /// A short time.
    Milliseconds: Duration, "a whole number of milliseconds, at least 1",
    |text| text.parse().ok().filter(|ms| *ms > 0).map(Duration::from_millis),
    |value| value.as_millis().to_string()
}
kind! {
    /// The path of a program.
    ProgramPath: Option<PathBuf>, "the path of a program, or nothing",
    |text| Some((!text.is_empty()).then(|| text.into())),
    |value| value.as_ref().map_or_else(String::new, |it| it.display().to_string())
}
kind! {
    /// A directory.
    Directory: Option<PathBuf>, "a directory, or nothing",
    |text| ProgramPath::read(text), |value| ProgramPath::write(value)
}
kind! {
    /// Directories; one with a comma in its name cannot be given.
    Directories: Vec<PathBuf>, "absolute paths, comma-separated",
    |text| parts(text).map(PathBuf::from).map(|it| it.is_absolute().then_some(it)).collect(),
    |value| value.iter().map(|it| it.display().to_string()).collect::<Vec<_>>().join(",")
}
kind! {
    /// Addresses of package sources.
    Addresses: Vec<String>, "addresses, comma-separated",
    |text| parts(text).map(|it| crate::trust::is_address(it).then(|| it.to_owned())).collect(),
    |value| value.join(",")
}
kind! {
    /// Globs.
    Globs: Vec<String>, "globs, comma-separated",
    |text| Some(parts(text).map(str::to_owned).collect()), |value| value.join(",")
}
kind! {
    /// The scope of checks.
    CheckScope: Scope,
    "--workspace, -p NAME, --lib, --features A,B, --all-features, --no-default-features, \
     --all-targets, --target TRIPLE",
    |text| Scope::parse(text).ok(), |value| value.to_string()
}
kind! {
    /// Several scopes.
    Configurations: Vec<Scope>,
    "a list such as \"--all-features\", \"-p NAME --no-default-features\"",
    |text| configurations(text),
    |value| value.iter().map(ToString::to_string).collect::<Vec<_>>().join(",")
}
kind! {
    /// The encoder of vectors.
    Encoder: EncoderChoice,
    "embedded, none, the path of a word table, or `model:NAME` for a model in the models directory",
    |text| EncoderChoice::parse(text), |value| value.text()
}
kind! {
    /// The reranker.
    Reranker: RerankerChoice,
    "none, the URL of a server, or the name of a model in the models directory",
    |text| RerankerChoice::parse(text), |value| value.text()
}
kind! {
    /// The stages of a search.
    SearchStages: Stages,
    "any of expansion, files, graph, reciprocal, rerank, rules, comma-separated",
    |text| parse_stages(text), |value| stages_text(value)
}
kind! {
    /// The name of a model at a reranker server.
    Name: String, "a name, or nothing", |text| Some(text.to_owned()), |value| value.clone()
}
kind! {
    /// The name of a language model.
    ModelName: String, "a name as the provider has it",
    |text| Some(text.to_owned()), |value| value.clone()
}
kind! {
    /// An address of a provider.
    Url: Option<String>, "a URL such as http://127.0.0.1:8080, or nothing",
    |text| Some((!text.is_empty()).then(|| text.to_owned())),
    |value| value.clone().unwrap_or_default()
}
kind! {
    /// A provider of language models.
    Provider: Option<String>, ModelSettings::PROVIDERS,
    |text| provider(text), |value| value.clone().unwrap_or_else(|| "none".to_owned())
}
kind! {
    /// A cost; 0: no limit.
    Dollars: Option<u64>, "a number such as 0.50",
    |text| micro_dollars(text), |value| value.map_or_else(|| "0".to_owned(), dollars)
}
choice! {
    /// The tests of a check.
    WhichTests: Tests, "none, affected or all",
    [(Tests::None, "none"), (Tests::Affected, "affected"), (Tests::All, "all")]
}
choice! {
    /// A level of the sandbox.
    SandboxLevel: Level, "best_effort, standard or strong",
    [(Level::BestEffort, "best_effort"), (Level::Standard, "standard"), (Level::Strong, "strong")]
}
choice! {
    /// The use of quick fixes of rust-analyzer.
    QuickFixes: FixAnalyzer, "first, last or never",
    [(FixAnalyzer::First, "first"), (FixAnalyzer::Last, "last"), (FixAnalyzer::Never, "never")]
}
choice! {
    /// The rules of `fix`.
    RepairRules: FixRules, "all, compiler or none",
    [(FixRules::All, "all"), (FixRules::Compiler, "compiler"), (FixRules::None, "none")]
}
choice! {
    /// A place for learned edits.
    Store: SkillStore, "off, project or user",
    [(SkillStore::Off, "off"), (SkillStore::Project, "project"), (SkillStore::User, "user")]
}
choice! {
    /// The weights of the scorer.
    Ranker: RankerChoice, "learned or rules",
    [(RankerChoice::Learned, "learned"), (RankerChoice::Rules, "rules")]
}
choice! {
    /// A request format of rerankers.
    Shape: model::RequestFormat, "documents or texts", SHAPES
}
choice! {
    /// The content of answers.
    Answers: AnswerForm, "both or text", [(AnswerForm::Both, "both"), (AnswerForm::Text, "text")]
}
choice! {
    /// The one who is asked before a write.
    Consent: WriteConsent, "policy, ask or require",
    [
        (WriteConsent::Policy, "policy"),
        (WriteConsent::Ask, "ask"),
        (WriteConsent::Require, "require"),
    ]
}

/// The parts of a list, without empty ones.
fn parts(text: &str) -> impl Iterator<Item = &str> {
    text.split(',').map(str::trim).filter(|part| !part.is_empty())
}

/// Parses configurations, separated by commas. Feature names are separated by commas too, but do not
/// start with a dash.
fn configurations(text: &str) -> Option<Vec<Scope>> {
    let mut texts: Vec<String> = Vec::new();
    for part in text.split(',') {
        let starts = part.trim_start().starts_with('-');
        match texts.last_mut().filter(|_| !starts) {
            Some(last) => {
                last.push(',');
                last.push_str(part);
            }
            None => texts.push(part.to_owned()),
        }
    }
    texts.retain(|text| !text.trim().is_empty());
    if texts.len() > MAX_CONFIGURATIONS {
        return None;
    }
    texts.iter().map(|text| Scope::parse(text).ok()).collect()
}
