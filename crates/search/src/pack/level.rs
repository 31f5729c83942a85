//! The levels of detail of an item.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::ops::Range;

use base::{EdgeKind, ItemKind, Tier};
use graph::{ItemView, Map};

use super::{Detail, PackRequest};

/// A hit that may be packed.
pub(super) struct PackItem<'a> {
    /// Index among the request's hits.
    pub(super) hit: usize,
    pub(super) view: ItemView<'a>,
    /// Worth, from 0 to 1.
    pub(super) worth: f32,
    /// Levels with increasing detail; never empty.
    pub(super) levels: Vec<Level>,
}

/// One level of detail of an item.
pub(super) struct Level {
    pub(super) detail: Detail,
    /// Text, ending in a newline.
    pub(super) text: String,
    /// Byte range of the text in the file; `None` for generated text.
    pub(super) slice: Option<Range<usize>>,
    /// First line, from 1.
    pub(super) lines: (u32, u32),
    /// Share of the item's information, from 0 to 1.
    pub(super) share: f32,
}

/// Rate at which worth falls with the score: half the score is worth little.
const FALL: f32 = 0.2;
/// Maximum number of callees that are listed.
const MOST_CALLEES: usize = 6;
/// Maximum number of members of a block that are listed.
const MOST_MEMBERS: usize = 60;

/// The texts of the files of candidates and their callees.
pub(super) type FileTexts<'a> = BTreeMap<u32, Option<Cow<'a, str>>>;

pub(super) fn candidates<'a>(request: &PackRequest<'a>) -> (Vec<PackItem<'a>>, FileTexts<'a>) {
    let max = request.hits.iter().fold(f32::MIN_POSITIVE, |max, hit| max.max(hit.score));
    let mut texts = FileTexts::new();
    let mut seen = std::collections::BTreeSet::new();
    let mut candidates = Vec::new();
    for (hit, found) in request.hits.iter().enumerate() {
        let Some(view) = request.map.item(found.item) else { continue };
        if !seen.insert(found.item) {
            continue;
        }
        texts.entry(view.file).or_insert_with(|| request.texts.text(view.file));
        for callee in callees(request.map, &view) {
            texts.entry(callee.file).or_insert_with(|| request.texts.text(callee.file));
        }
        let near = (found.score.max(0.0) / max - 1.0) / FALL;
        // The rank counts besides the scores, which may be close together.
        let worth = near.exp() / (1.0 + hit as f32).sqrt();
        let levels = levels(request.map, &view, &texts);
        candidates.push(PackItem { hit, view, worth, levels });
    }
    (candidates, texts)
}

fn levels(map: &Map, view: &ItemView<'_>, texts: &FileTexts<'_>) -> Vec<Level> {
    let mut levels = vec![name_level(view)];
    let Some(text) = texts.get(&view.file).and_then(Option::as_deref) else { return levels };
    let (start, end) = (view.span.0 as usize, view.span.1 as usize);
    let (code, head_end) = (view.code_start as usize, view.signature_end as usize);
    let has_body = head_end < end;
    let (Some(docs), Some(_)) = (text.get(start..code), text.get(code..head_end.max(code))) else {
        return levels;
    };
    let Some(_) = text.get(start..end) else { return levels };
    let doc_lines = docs.matches('\n').count() as u32;
    let first_line = view.line.saturating_sub(doc_lines).max(1);
    let head = text[code..head_end].trim_end();
    let head_lines = (view.line, view.line + head.matches('\n').count() as u32);
    let end_mark = if has_body { " { … }\n" } else { "\n" };
    if has_body {
        let signature = format!("{}{head}{end_mark}", indent(text, code));
        levels.push(Level {
            detail: Detail::Signature,
            text: signature,
            slice: None,
            lines: head_lines,
            share: 0.55,
        });
        if view.flags.has_docs {
            let slice = text[start..head_end].trim_end();
            levels.push(Level {
                detail: Detail::SignatureAndDoc,
                text: format!("{}{slice}{end_mark}", indent(text, start)),
                slice: None,
                lines: (first_line, head_lines.1),
                share: 0.65,
            });
        }
        if matches!(view.kind, ItemKind::Impl | ItemKind::Trait | ItemKind::Module) {
            levels.extend(skeleton(map, view, text, head_lines.0));
        }
    }
    let from = line_start(text, start);
    let body = format!("{}\n", &text[from..end]);
    let lines = (first_line, view.end_line);
    levels.push(Level {
        detail: Detail::Body,
        text: body.clone(),
        slice: Some(from..end),
        lines,
        share: 1.0,
    });
    let called: String = callees(map, view)
        .iter()
        .filter_map(|callee| {
            let text = texts.get(&callee.file)?.as_deref()?;
            let head = text.get(callee.code_start as usize..callee.signature_end as usize)?;
            let one_line: Vec<&str> = head.split_whitespace().collect();
            Some(format!("// calls {}\n", one_line.join(" ")))
        })
        .collect();
    if !called.is_empty() {
        levels.push(Level {
            detail: Detail::BodyAndCallees,
            text: format!("{body}{called}"),
            slice: None,
            lines,
            share: 1.06,
        });
    }
    levels
}

fn name_level(view: &ItemView<'_>) -> Level {
    let canon = view.canon();
    let inner = canon.split_once("::").map_or(canon.as_str(), |(_, inner)| inner);
    Level {
        detail: Detail::Name,
        text: format!("{} {inner}\n", view.kind.as_str()),
        slice: None,
        lines: (view.line, view.end_line),
        share: 0.3,
    }
}

/// The header of a block and the signatures of its members.
fn skeleton(map: &Map, view: &ItemView<'_>, text: &str, line: u32) -> Option<Level> {
    let head = text.get(view.code_start as usize..view.signature_end as usize)?.trim_end();
    let mut out = format!("{}{head} {{\n", indent(text, view.code_start as usize));
    let mut members = 0;
    for number in view.number + 1.. {
        let Some(member) = map.item(number) else { break };
        if member.file != view.file || member.span.0 >= view.span.1 || members >= MOST_MEMBERS {
            break;
        }
        if member.parent != Some(view.number) {
            continue;
        }
        let head = text.get(member.code_start as usize..member.signature_end as usize)?.trim_end();
        out.push_str(&indent(text, member.code_start as usize));
        out.push_str(head);
        out.push_str(if member.signature_end < member.span.1 { " { … }\n" } else { "\n" });
        members += 1;
    }
    out.push_str("}\n");
    (members > 0).then_some(Level {
        detail: Detail::Skeleton,
        text: out,
        slice: None,
        lines: (line, view.end_line),
        share: 0.8,
    })
}

/// The proven callees of an item, heaviest first.
fn callees<'a>(map: &'a Map, view: &ItemView<'_>) -> Vec<ItemView<'a>> {
    let mut edges: Vec<_> = map
        .edges_out(view.number)
        .filter(|edge| edge.kind == EdgeKind::Calls && edge.tier == Tier::Proven)
        .filter(|edge| edge.dst != view.number)
        .collect();
    edges.sort_by_key(|edge| (std::cmp::Reverse(edge.weight), edge.dst));
    let items = edges.iter().filter_map(|edge| map.item(edge.dst));
    items
        .filter(|item| matches!(item.kind, ItemKind::Function | ItemKind::Method))
        .filter(|item| map.file(item.file).is_some())
        .take(MOST_CALLEES)
        .collect()
}

/// The start of the line of `at`, if only blanks precede it; else `at`.
fn line_start(text: &str, at: usize) -> usize {
    at - indent(text, at).len()
}

/// The blanks before `at`, if nothing else precedes it in its line.
fn indent(text: &str, at: usize) -> String {
    let before = text.get(..at).unwrap_or_default();
    let line = before.rsplit('\n').next().unwrap_or_default();
    if line.chars().all(|c| c == ' ' || c == '\t') { line.to_owned() } else { String::new() }
}
