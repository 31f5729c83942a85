//! Rendering: files in the order of their best hits, items in the order of the file.
//!
//! ```text
//! === src/net/tcp.rs
//! @ 12-19 in impl TcpStream
//!     pub fn connect(…) -> io::Result<Self> {
//!     …
//! ```

use std::collections::BTreeMap;
use std::ops::Range;

use base::ItemKind;

use super::choose::{Chosen, is_inside};
use super::level::{FileTexts, Level, PackItem};
use super::{Detail, PackRequest, Snippet};

/// A contiguous part of the text: one item, or several adjacent ones.
struct Stretch<'a> {
    items: Vec<usize>,
    slice: Option<Range<usize>>,
    text: std::borrow::Cow<'a, str>,
    lines: (u32, u32),
}

pub(super) fn render(
    request: &PackRequest<'_>,
    items: &[PackItem<'_>],
    chosen: &Chosen,
    texts: &FileTexts<'_>,
) -> (String, Vec<Snippet>) {
    let mut files: BTreeMap<u32, (usize, Vec<usize>)> = BTreeMap::new();
    for item in chosen.keys() {
        let (best, own) = files.entry(items[*item].view.file).or_insert((*item, Vec::new()));
        *best = (*best).min(*item);
        own.push(*item);
    }
    let mut order: Vec<(usize, u32, Vec<usize>)> =
        files.into_iter().map(|(file, (best, own))| (best, file, own)).collect();
    order.sort_unstable();
    let mut out = String::new();
    let mut snippets = Vec::new();
    for (_, file, own) in order {
        let path = request.map.file(file).map_or("", |file| file.path);
        if !out.is_empty() {
            out.push('\n');
        }
        out.push_str("=== ");
        out.push_str(path);
        out.push('\n');
        let text = texts.get(&file).and_then(Option::as_deref);
        for stretch in stretches(items, chosen, own, text) {
            mark(request, items, &stretch, &mut out);
            out.push_str(&stretch.text);
            for item in &stretch.items {
                snippets.extend(snippets_of(request, items, chosen, *item));
            }
        }
    }
    (out, snippets)
}

/// The parts of a file, in order; adjacent items are merged.
fn stretches<'a>(
    items: &'a [PackItem<'_>],
    chosen: &Chosen,
    mut own: Vec<usize>,
    text: Option<&str>,
) -> Vec<Stretch<'a>> {
    own.retain(|item| !is_inside(items, chosen, *item));
    own.sort_by_key(|item| (items[*item].view.span, *item));
    let mut stretches: Vec<Stretch<'a>> = Vec::new();
    for item in own {
        let level = &items[item].levels[chosen[&item]];
        if let Some((last, joined)) = stretches.last_mut().and_then(|last| {
            let joined = join(last, level, text?)?;
            Some((last, joined))
        }) {
            last.text = format!("{}\n", &text.unwrap_or_default()[joined.clone()]).into();
            last.slice = Some(joined);
            last.lines.1 = level.lines.1;
            last.items.push(item);
            continue;
        }
        stretches.push(Stretch {
            items: vec![item],
            slice: level.slice.clone(),
            text: level.text.as_str().into(),
            lines: level.lines,
        });
    }
    stretches
}

/// The joined range, where only blanks are between them.
fn join(last: &Stretch<'_>, level: &Level, text: &str) -> Option<Range<usize>> {
    let (before, behind) = (last.slice.as_ref()?, level.slice.as_ref()?);
    let between = text.get(before.end..behind.start)?;
    between.trim().is_empty().then_some(before.start..behind.end)
}

/// The line before a part: its line numbers, and the item around it.
fn mark(
    request: &PackRequest<'_>,
    items: &[PackItem<'_>],
    stretch: &Stretch<'_>,
    out: &mut String,
) {
    use std::fmt::Write;
    let (first, last) = stretch.lines;
    let written = match first == last {
        true => write!(out, "@ {first}"),
        false => write!(out, "@ {first}-{last}"),
    };
    // Writing to a string does not fail.
    debug_assert!(written.is_ok());
    let holder = stretch.items.first().and_then(|item| items[*item].view.parent);
    if let Some(holder) = holder.and_then(|number| request.map.item(number))
        && matches!(holder.kind, ItemKind::Impl | ItemKind::Trait)
    {
        out.push_str(if holder.kind == ItemKind::Trait { " in trait " } else { " in " });
        out.push_str(&holder.name());
    }
    out.push('\n');
}

/// The snippets of an item and of the items inside it.
fn snippets_of(
    request: &PackRequest<'_>,
    items: &[PackItem<'_>],
    chosen: &Chosen,
    item: usize,
) -> Vec<Snippet> {
    let level = &items[item].levels[chosen[&item]];
    let snippet = |item: usize, detail: Detail, lines: (u32, u32), tokens: usize| Snippet {
        hit: items[item].hit,
        detail,
        file: items[item].view.file,
        start_line: lines.0,
        end_line: lines.1,
        tokens,
    };
    let tokens = request.counter.count(&level.text);
    let mut all = vec![snippet(item, level.detail, level.lines, tokens)];
    if level.detail >= Detail::Body {
        let only = Chosen::from([(item, chosen[&item])]);
        let inner = (0..items.len()).filter(|inner| *inner != item);
        for inner in inner.filter(|inner| is_inside(items, &only, *inner)) {
            let view = &items[inner].view;
            all.push(snippet(inner, Detail::Body, (view.line, view.end_line), 0));
        }
    }
    all
}
