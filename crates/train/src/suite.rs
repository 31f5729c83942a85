//! Questions for the ranker: sentences of doc comments and the items below them, out of crates that
//! the table never learns from, in the format of set B – so that `graftage eval fit` reads them and
//! the product's own features are what the ranker learns from.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use graph::ItemKind;
use search::Document;
use serde_json::{Value, json};

use crate::extract::{kind_of, rust_files};
use crate::sentence::first_sentence;
use crate::{Pin, TrainError};

/// One crate in so many is kept from the table, to teach the ranker.
const SHARE: u64 = 12;
/// How many sentences of one crate are asked: of functions, and of other items.
const FUNCTIONS: usize = 30;
const OTHERS: usize = 10;
/// Crates that say less teach little for the work of reading them.
const LEAST: usize = 20;
/// How many crates are asked at most.
const MOST_CRATES: usize = 90;
/// What a sentence has of words, as in set B.
const WORDS: std::ops::RangeInclusive<usize> = 6..=60;
/// Without the names, so many words are left at least.
const LEAST_MASKED: usize = 5;
/// Larger crates take long to read and say no more.
const LARGEST: u64 = 3_000_000;

/// Whether a crate teaches the ranker and not the table: by its name, so that it is the same for
/// every version and every list.
pub fn is_for_ranking(name: &str) -> bool {
    let mut hash = 0xcbf2_9ce4_8422_2325u64;
    for byte in name.bytes() {
        hash = (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
    }
    (hash ^ (hash >> 32)).is_multiple_of(SHARE)
}

/// Questions of one crate, as lines of set B: queries and items.
pub struct CrateQuestions {
    /// `name-version`.
    pub package: String,
    /// One JSON object a line.
    pub queries: String,
    /// One JSON object a line.
    pub items: String,
}

/// The questions of the crates that are for ranking, in order of their names.
pub fn questions(pins: &[Pin], folders: &[PathBuf]) -> Result<Vec<CrateQuestions>, TrainError> {
    let mut all = Vec::new();
    for (pin, folder) in pins.iter().zip(folders).filter(|(pin, _)| is_for_ranking(&pin.name)) {
        if all.len() >= MOST_CRATES {
            break;
        }
        all.extend(of_crate(pin, folder)?);
    }
    Ok(all)
}

fn of_crate(pin: &Pin, folder: &Path) -> Result<Option<CrateQuestions>, TrainError> {
    let mut files = Vec::new();
    let source = folder.join("src");
    if source.is_dir() {
        rust_files(&source, &mut files)?;
    }
    let mut texts: Vec<(String, String)> = Vec::new();
    let mut size = 0;
    for file in files {
        let bytes = std::fs::read(&file).map_err(|error| TrainError::file(&file, error))?;
        size += bytes.len() as u64;
        if size > LARGEST {
            return Ok(None);
        }
        let path = file.strip_prefix(folder).unwrap_or(&file).to_string_lossy().into_owned();
        if let Ok(text) = String::from_utf8(bytes) {
            texts.push((path, text));
        }
    }
    let mut items = Vec::new();
    let mut asked: Vec<Asked> = Vec::new();
    for (path, text) in &texts {
        of_file(pin, path, text, &mut items, &mut asked);
    }
    let mut counts: BTreeMap<String, usize> = BTreeMap::new();
    for it in &asked {
        *counts.entry(it.raw.clone()).or_default() += 1;
    }
    asked.retain(|it| counts.get(&it.raw) == Some(&1));
    let (functions, others): (Vec<Asked>, Vec<Asked>) =
        asked.into_iter().partition(|it| it.kind == "fn");
    let queries =
        [(functions, FUNCTIONS), (others, OTHERS)].map(|(asked, most)| evenly(asked, most));
    let queries: Vec<Asked> = queries.into_iter().flatten().collect();
    if queries.len() < LEAST {
        return Ok(None);
    }
    let lines = |values: &mut dyn Iterator<Item = Value>| {
        values.map(|value| format!("{value}\n")).collect::<String>()
    };
    let mut numbered = queries.iter().enumerate().map(|(at, it)| {
        json!({
            "id": format!("T-{}-{at:03}", pin.name),
            "crate": pin.name,
            "version": pin.version,
            "raw": it.raw,
            "masked": it.masked,
            "kind": it.kind,
            "gold": [it.gold],
        })
    });
    Ok(Some(CrateQuestions {
        package: format!("{}-{}", pin.name, pin.version),
        queries: lines(&mut numbered),
        items: lines(&mut items.into_iter()),
    }))
}

/// A sentence and its item.
struct Asked {
    raw: String,
    masked: Option<String>,
    kind: &'static str,
    gold: String,
}

/// At most `most`, from all places alike.
fn evenly(asked: Vec<Asked>, most: usize) -> Vec<Asked> {
    let count = asked.len();
    let is_taken = |at: usize| at * most / count.max(1) != (at + 1) * most / count.max(1);
    let all = count <= most;
    asked.into_iter().enumerate().filter(|(at, _)| all || is_taken(*at)).map(|(_, it)| it).collect()
}

fn of_file(pin: &Pin, path: &str, text: &str, items: &mut Vec<Value>, asked: &mut Vec<Asked>) {
    let file = syntax::parse(text);
    let starts: Vec<usize> =
        std::iter::once(0).chain(text.match_indices('\n').map(|(at, _)| at + 1)).collect();
    let line = |at: usize| starts.partition_point(|start| *start <= at);
    for item in &file.items {
        let Some(kind) = kind_of(item.kind).filter(|kind| Document::is_worth(*kind)) else {
            continue;
        };
        let kind = match kind {
            ItemKind::Function | ItemKind::Method => "fn",
            ItemKind::Struct => "struct",
            ItemKind::Enum => "enum",
            ItemKind::Union => "union",
            ItemKind::Trait => "trait",
            ItemKind::Impl => "impl",
            ItemKind::Const => "const",
            ItemKind::Static => "static",
            ItemKind::TypeAlias => "type",
            ItemKind::Macro => "macro",
            _ => continue,
        };
        if item.is_test || item.is_local || item.name.is_empty() || item.parse_errors > 0 {
            continue;
        }
        let (first, last) = (line(item.code_span.start), line(item.span.end.saturating_sub(1)));
        let id = format!("{}-{}/{path}#{}@{first}", pin.name, pin.version, item.canon);
        items.push(json!({
            "id": id,
            "crate": pin.name,
            "version": pin.version,
            "file": path,
            "kind": kind,
            "name": item.name,
            "path": item.canon,
            "l0": first,
            "l1": last,
            "start": item.code_span.start,
            "end": item.span.end,
            "strip": [],
        }));
        let is_long_enough = kind != "fn" || last >= first + 2;
        if kind == "impl" || !is_long_enough {
            continue;
        }
        let docs: String = item
            .docs
            .iter()
            .map(|span| format!("{}\n", text.get(span.start..span.end).unwrap_or_default()))
            .collect();
        let raw = first_sentence(&docs);
        let Some(raw) = raw.filter(|raw| WORDS.contains(&raw.split_whitespace().count())) else {
            continue;
        };
        asked.push(Asked { masked: masked(&raw, &item.canon), raw, kind, gold: id });
    }
}

/// A sentence without the names on its item's path.
fn masked(raw: &str, canon: &str) -> Option<String> {
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    let names: BTreeSet<String> = canon
        .split(|c: char| !is_word(c))
        .filter(|name| !name.is_empty())
        .map(str::to_ascii_lowercase)
        .collect();
    let mut out = String::with_capacity(raw.len());
    let mut rest = raw;
    while let Some(c) = rest.chars().next() {
        let end = match is_word(c) {
            true => rest.find(|c: char| !is_word(c)).unwrap_or(rest.len()),
            false => c.len_utf8(),
        };
        let (piece, behind) = rest.split_at(end);
        if !(is_word(c) && names.contains(&piece.to_ascii_lowercase())) {
            out.push_str(piece);
        }
        rest = behind;
    }
    let words = out.split_whitespace().filter(|word| word.contains(char::is_alphanumeric)).count();
    (words >= LEAST_MASKED).then(|| out.split_whitespace().collect::<Vec<_>>().join(" "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_the_path_go_from_a_masked_sentence() {
        let raw = "Opens the `Reader` of a large log file.";
        assert_eq!(
            masked(raw, "io::Reader::open").as_deref(),
            Some("Opens the `` of a large log file.")
        );
        assert_eq!(masked("Opens one Reader for all.", "Reader::open"), None);
    }

    #[test]
    fn a_crate_gives_questions_about_its_documented_items() {
        let dir = tempfile::tempdir().unwrap();
        std::fs::create_dir(dir.path().join("src")).unwrap();
        let text: String = (0..24)
            .map(|n| {
                format!("/// Opens the log file number {n} for writing.\npub fn open_{n}() {{\n    f();\n}}\n")
            })
            .collect();
        std::fs::write(dir.path().join("src/lib.rs"), text).unwrap();
        let pin = Pin {
            name: "logs".to_owned(),
            version: "1.0.0".to_owned(),
            checksum: String::new(),
            licence: "MIT".to_owned(),
        };
        let found = of_crate(&pin, dir.path()).unwrap().unwrap();
        assert_eq!(found.package, "logs-1.0.0");
        assert_eq!(found.queries.lines().count(), 24);
        let second: Value = serde_json::from_str(found.items.lines().nth(1).unwrap()).unwrap();
        assert_eq!((&second["l0"], &second["l1"]), (&json!(6), &json!(8)));
        let query: Value = serde_json::from_str(found.queries.lines().nth(1).unwrap()).unwrap();
        assert_eq!(query["gold"][0], second["id"]);
    }

    #[test]
    fn most_crates_teach_the_table() {
        let names: Vec<String> = (0..1200).map(|n| format!("crate-{n}")).collect();
        let count = names.iter().filter(|name| is_for_ranking(name)).count();
        assert!((60..140).contains(&count), "{count}");
    }
}
