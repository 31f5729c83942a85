//! The levels of detail of an item.

use std::borrow::Cow;

use base::{EdgeKind, ItemKind, SortedMap, SortedSet, Tier};
use graph::{ItemView, Map};

use super::reason::{Reason, reasons};
use super::{Detail, PackRequest};

/// A hit that may be packed.
pub(super) struct PackItem<'a> {
    /// Index among the request's hits.
    pub(super) hit: usize,
    pub(super) view: ItemView<'a>,
    /// Worth, from 0 to 1.
    pub(super) worth: f32,
    /// Why it is in the text.
    pub(super) reason: Reason,
    /// Levels with increasing detail; never empty.
    pub(super) levels: Vec<Level>,
}

/// One level of detail of an item.
pub(super) struct Level {
    pub(super) detail: Detail,
    /// Text with the comment before it, ending in a newline.
    pub(super) text: String,
    /// First and last line, from 1.
    pub(super) lines: (u32, u32),
    /// Share of the item's information, from 0 to 1.
    pub(super) share: f32,
}

/// Rate at which worth falls with the score: half the score is worth little.
const FALL: f32 = 0.15;
/// Number of best hits whose callees may be listed.
const MOST_WITH_CALLEES: usize = 10;
/// Maximum number of callees that are listed.
const MOST_CALLEES: usize = 6;
/// Maximum number of members of a block that are listed.
const MOST_MEMBERS: usize = 60;
/// A text with more bytes for each token of the budget does not fit.
const MOST_BYTES_PER_TOKEN: usize = 16;
/// Marks code that is left out.
const LEFT_OUT: &str = " { .. }\n";

/// The texts of the files of candidates and their callees.
pub(super) type FileTexts<'a> = SortedMap<u32, Option<Cow<'a, str>>>;

pub(super) fn candidates<'a>(request: &PackRequest<'a>) -> Vec<PackItem<'a>> {
    let max = request.hits.iter().fold(f32::MIN_POSITIVE, |max, hit| max.max(hit.score));
    let mut texts = FileTexts::new();
    let mut seen = SortedSet::new();
    let mut items = Vec::new();
    for (hit, found) in request.hits.iter().enumerate() {
        let Some(view) = request.map.item(found.item) else { continue };
        if !seen.insert(found.item) {
            continue;
        }
        texts.entry(view.file).or_insert_with(|| request.texts.text(view.file));
        let callees =
            if hit < MOST_WITH_CALLEES { callees(request.map, &view) } else { Vec::new() };
        for callee in callees {
            texts.entry(callee.file).or_insert_with(|| request.texts.text(callee.file));
        }
        items.push((hit, view));
    }
    let most = request.budget.saturating_mul(MOST_BYTES_PER_TOKEN);
    let reasons = reasons(request, &items, &texts);
    let candidate = |((hit, view), reason): ((usize, ItemView<'a>), Reason)| {
        let near = (request.hits[hit].score.max(0.0) / max - 1.0) / FALL;
        // The rank counts besides the scores, which may be close together.
        let worth = near.exp() / (1.0 + hit as f32).sqrt();
        let mut levels = vec![name_level(request.map, &view, &reason.text)];
        let source = SourceText::of(request.map, &view, &texts, &reason.text);
        let others = (hit < MOST_WITH_CALLEES).then_some(&seen);
        levels.extend(source.map(|source| source.levels(others)).unwrap_or_default());
        levels.retain(|level| level.text.len() <= most || level.detail == Detail::Name);
        PackItem { hit, view, worth, reason, levels }
    };
    items.into_iter().zip(reasons).map(candidate).collect()
}

/// Kind, name and line in the comment itself.
fn name_level(map: &Map, view: &ItemView<'_>, reason: &str) -> Level {
    let kind = match view.kind {
        ItemKind::Function | ItemKind::Method => "fn",
        ItemKind::Module => "mod",
        ItemKind::TypeAlias => "type",
        kind => kind.as_str(),
    };
    Level {
        detail: Detail::Name,
        text: format!("// {} {kind} {}: {reason}\n", view.line, short_name(map, view)),
        lines: (view.line, view.end_line),
        share: 0.3,
    }
}

/// The name of an item, with that of the impl, trait or enum that it is a member of.
pub(super) fn short_name(map: &Map, view: &ItemView<'_>) -> String {
    match holder(map, view) {
        Some(holder) => format!("{}::{}", holder.name(), view.name()),
        None => view.name().into_owned(),
    }
}

/// The impl, trait or enum that an item is a member of.
fn holder<'a>(map: &'a Map, view: &ItemView<'_>) -> Option<ItemView<'a>> {
    let holder = view.parent.and_then(|number| map.item(number));
    holder.filter(|it| matches!(it.kind, ItemKind::Impl | ItemKind::Trait | ItemKind::Enum))
}

/// An item with the text of its file, which has all of its ranges.
struct SourceText<'a> {
    map: &'a Map,
    view: &'a ItemView<'a>,
    texts: &'a FileTexts<'a>,
    /// Text of the file.
    text: &'a str,
    /// End of the comment before each part, after the line number.
    comment: String,
}

impl<'a> SourceText<'a> {
    fn of(
        map: &'a Map,
        view: &'a ItemView<'a>,
        texts: &'a FileTexts<'a>,
        reason: &str,
    ) -> Option<Self> {
        let text = texts.get(&view.file).and_then(Option::as_deref)?;
        let (start, code, end) = (view.span.0, view.code_start, view.span.1);
        let head_end = view.signature_end.max(code);
        for (from, to) in [(start, code), (code, head_end), (head_end, end)] {
            text.get(from as usize..to as usize)?;
        }
        let comment = match holder(map, view) {
            Some(holder) => format!(" in {}: {reason}\n", holder.name()),
            None => format!(": {reason}\n"),
        };
        Some(Self { map, view, texts, text, comment })
    }

    fn part(&self, from: u32, to: u32) -> &'a str {
        &self.text[from as usize..to as usize]
    }

    fn level(&self, detail: Detail, lines: (u32, u32), share: f32, text: &str) -> Level {
        let text = format!("// {}{}{text}", lines.0, self.comment);
        Level { detail, text, lines, share }
    }

    /// The levels above the name; with callees, unless those are among `hits`.
    fn levels(&self, hits: Option<&SortedSet<u32>>) -> Vec<Level> {
        let view = self.view;
        let head = self.part(view.code_start, view.signature_end.max(view.code_start)).trim_end();
        let docs = self.part(view.span.0, view.code_start);
        let doc_lines = docs.matches('\n').count() as u32;
        let first_line = view.line.saturating_sub(doc_lines).max(1);
        let head_end = view.line + head.matches('\n').count() as u32;
        let (code_at, start) = (view.code_start as usize, view.span.0 as usize);
        let mut levels = Vec::new();
        if view.signature_end < view.span.1 {
            let text = format!("{}{head}{LEFT_OUT}", indent(self.text, code_at));
            levels.push(self.level(Detail::Signature, (view.line, head_end), 0.55, &text));
            if view.flags.has_docs {
                let text = format!("{}{docs}{head}{LEFT_OUT}", indent(self.text, start));
                let lines = (first_line, head_end);
                levels.push(self.level(Detail::SignatureAndDoc, lines, 0.6, &text));
            }
            if matches!(view.kind, ItemKind::Impl | ItemKind::Trait | ItemKind::Module) {
                levels.extend(self.skeleton(head));
            }
        }
        let code = self.part(view.code_start, view.span.1);
        if let Some((skipped, kept)) = without_docs(docs) {
            let indent = if skipped == 0 { indent(self.text, start) } else { "" };
            let text = format!("{indent}{kept}{code}\n");
            let lines = (first_line + skipped, view.end_line);
            levels.push(self.level(Detail::Code, lines, 1.0, &text));
        }
        let body = format!("{}{docs}{code}\n", indent(self.text, start));
        let lines = (first_line, view.end_line);
        levels.push(self.level(Detail::Body, lines, 1.02, &body));
        let called = hits.map(|hits| self.called(hits)).unwrap_or_default();
        if !called.is_empty() {
            let text = format!("{body}{called}");
            levels.push(self.level(Detail::BodyAndCallees, lines, 1.06, &text));
        }
        levels
    }

    /// The header of a block and the signatures of its members.
    fn skeleton(&self, head: &str) -> Option<Level> {
        let (map, view, text) = (self.map, self.view, self.text);
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
            let at = member.code_start as usize;
            let head = text.get(at..member.signature_end as usize)?.trim_end();
            out.push_str(indent(text, at));
            out.push_str(head);
            out.push_str(if member.signature_end < member.span.1 { LEFT_OUT } else { "\n" });
            members += 1;
        }
        out.push_str("}\n");
        let lines = (view.line, view.end_line);
        (members > 0).then(|| self.level(Detail::Skeleton, lines, 0.7, &out))
    }

    /// The signatures of the callees that are no hits, one comment line each.
    fn called(&self, hits: &SortedSet<u32>) -> String {
        let mut callees = callees(self.map, self.view);
        callees.retain(|callee| !hits.contains(&callee.number));
        let line = |callee: &ItemView<'_>| {
            let text = self.texts.get(&callee.file)?.as_deref()?;
            let head = text.get(callee.code_start as usize..callee.signature_end as usize)?;
            let one_line: Vec<&str> = head.split_whitespace().collect();
            Some(format!("// calls {}\n", one_line.join(" ")))
        };
        callees.iter().filter_map(line).collect()
    }
}

/// What precedes an item without the lines of its doc comment, and the number of lines before the
/// first that is left; `None` if it has no such lines.
fn without_docs(before: &str) -> Option<(u32, String)> {
    if !before.contains("///") || before.contains("/**") {
        return None;
    }
    let is_kept = |line: &&str| !line.trim_start().starts_with("///");
    let skipped = before.split_inclusive('\n').take_while(|line| !is_kept(line)).count();
    let kept: String = before.split_inclusive('\n').filter(is_kept).collect();
    Some((skipped as u32, kept))
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

/// The blanks before `at`, if nothing else precedes it in its line.
fn indent(text: &str, at: usize) -> &str {
    let before = text.get(..at).unwrap_or_default();
    let line = before.rsplit('\n').next().unwrap_or_default();
    if line.chars().all(|c| c == ' ' || c == '\t') { line } else { "" }
}
