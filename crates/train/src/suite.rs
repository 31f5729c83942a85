//! Training queries for the ranker: sentences of doc comments with the items they document, from
//! crates that the table is not trained on. The format is that of set B, so that `cargo xtask eval fit`
//! reads them and fits the ranker to the product's own features. Start at [`questions`].

use std::path::{Path, PathBuf};

use base::{ItemKind, SortedMap, SortedSet, is_word};
use search::Document;
use serde_json::{Value, json};

use crate::extract::{kind_of, rust_files};
use crate::sentence::first_sentence;
use crate::{Pin, TrainError};

/// One crate in this many is kept out of the table's training set and used for the ranker.
const RANKING_SHARE: u64 = 12;
/// Most queries per crate for functions.
const MAX_FUNCTIONS: usize = 30;
/// Most queries per crate for other items.
const MAX_OTHERS: usize = 10;
/// Crates with fewer queries are skipped: they are not worth the indexing time.
const MIN_QUERIES: usize = 20;
/// Most crates to take queries from.
const MAX_CRATES: usize = 90;
/// Fewest and most words of a query, as in set B.
const WORDS: std::ops::RangeInclusive<usize> = 6..=60;
/// Fewest words of a masked query.
const MIN_MASKED_WORDS: usize = 5;
/// Most bytes of source; larger crates take long to index and add nothing.
const MAX_SOURCE_BYTES: u64 = 3_000_000;

/// Whether a crate belongs to the ranker's training set instead of the table's. Depends on a hash of
/// its name only, so that it is the same for every version and every list of pins.
pub(crate) fn is_for_ranking(name: &str) -> bool {
    let mut hash = 0xcbf2_9ce4_8422_2325u64;
    for byte in name.bytes() {
        hash = (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
    }
    (hash ^ (hash >> 32)).is_multiple_of(RANKING_SHARE)
}

/// The queries and items of one crate, in the format of set B.
pub struct CrateQuestions {
    /// `name-version`.
    pub package: String,
    /// The queries, one JSON object per line.
    pub queries: String,
    /// The items, one JSON object per line.
    pub items: String,
}

/// The queries of the crates for which `is_for_ranking` holds, in the order of the pins.
pub fn questions(pins: &[Pin], folders: &[PathBuf]) -> Result<Vec<CrateQuestions>, TrainError> {
    let mut all = Vec::new();
    for (pin, folder) in pins.iter().zip(folders).filter(|(pin, _)| is_for_ranking(&pin.name)) {
        if all.len() >= MAX_CRATES {
            break;
        }
        all.extend(crate_questions(pin, folder)?);
    }
    Ok(all)
}

fn crate_questions(pin: &Pin, folder: &Path) -> Result<Option<CrateQuestions>, TrainError> {
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
        if size > MAX_SOURCE_BYTES {
            return Ok(None);
        }
        let path = file.strip_prefix(folder).unwrap_or(&file).to_string_lossy().into_owned();
        if let Ok(text) = String::from_utf8(bytes) {
            texts.push((path, text));
        }
    }
    let mut items = Vec::new();
    let mut found: Vec<RankerQuery> = Vec::new();
    for (path, text) in &texts {
        collect_file(pin, path, text, &mut items, &mut found);
    }
    let mut counts: SortedMap<String, usize> = SortedMap::new();
    for it in &found {
        *counts.entry(it.raw.clone()).or_default() += 1;
    }
    found.retain(|it| counts.get(&it.raw) == Some(&1));
    let (functions, others): (Vec<RankerQuery>, Vec<RankerQuery>) =
        found.into_iter().partition(|it| it.kind == "fn");
    let queries =
        [(functions, MAX_FUNCTIONS), (others, MAX_OTHERS)].map(|(found, most)| evenly(found, most));
    let queries: Vec<RankerQuery> = queries.into_iter().flatten().collect();
    if queries.len() < MIN_QUERIES {
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

/// A query, its masked form and its gold item.
struct RankerQuery {
    raw: String,
    masked: Option<String>,
    kind: &'static str,
    gold: String,
}

/// At most `most` queries, sampled evenly.
pub(crate) fn evenly<T>(found: Vec<T>, most: usize) -> Vec<T> {
    let count = found.len();
    let is_taken = |at: usize| at * most / count.max(1) != (at + 1) * most / count.max(1);
    let all = count <= most;
    found.into_iter().enumerate().filter(|(at, _)| all || is_taken(*at)).map(|(_, it)| it).collect()
}

fn collect_file(
    pin: &Pin,
    path: &str,
    text: &str,
    items: &mut Vec<Value>,
    found: &mut Vec<RankerQuery>,
) {
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
        found.push(RankerQuery { masked: masked(&raw, &item.canon), raw, kind, gold: id });
    }
}

/// The sentence without the names in its item's path; `None` if too few words are left.
fn masked(raw: &str, canon: &str) -> Option<String> {
    let names: SortedSet<String> = canon
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
        let (token, tail) = rest.split_at(end);
        if !(is_word(c) && names.contains(&token.to_ascii_lowercase())) {
            out.push_str(token);
        }
        rest = tail;
    }
    let words = out.split_whitespace().filter(|word| word.contains(char::is_alphanumeric)).count();
    (words >= MIN_MASKED_WORDS).then(|| out.split_whitespace().collect::<Vec<_>>().join(" "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_masked_sentence_lacks_the_names_of_the_path() {
        let raw = "Opens the `Reader` of a large log file.";
        assert_eq!(
            masked(raw, "io::Reader::open").as_deref(),
            Some("Opens the `` of a large log file.")
        );
        assert_eq!(masked("Opens one Reader for all.", "Reader::open"), None);
    }

    #[test]
    fn a_crate_yields_queries_for_its_documented_items() {
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
        let found = crate_questions(&pin, dir.path()).unwrap().unwrap();
        assert_eq!(found.package, "logs-1.0.0");
        assert_eq!(found.queries.lines().count(), 24);
        let second: Value = serde_json::from_str(found.items.lines().nth(1).unwrap()).unwrap();
        assert_eq!((&second["l0"], &second["l1"]), (&json!(6), &json!(8)));
        let query: Value = serde_json::from_str(found.queries.lines().nth(1).unwrap()).unwrap();
        assert_eq!(query["gold"][0], second["id"]);
    }

    #[test]
    fn most_crates_are_in_the_training_set_of_the_table() {
        let names: Vec<String> = (0..1200).map(|n| format!("crate-{n}")).collect();
        let count = names.iter().filter(|name| is_for_ranking(name)).count();
        assert!((60..140).contains(&count), "{count}");
    }
}
