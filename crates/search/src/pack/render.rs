//! Rendering: what the task asks about, what that calls and uses, what calls it, tests; in each
//! files in the order of their best hits, items in the order of the file. The best hit is first.
//!
//! ```text
//! === src/net/tcp.rs
//! // 12 in TcpStream: named in the task
//!     pub fn connect(…) -> io::Result<Self> {
//!     …
//! // 40 fn TcpStream::close: matches stream
//! ```

use base::SortedMap;

use super::choose::{Chosen, is_inside};
use super::level::PackItem;
use super::{Detail, PackRequest, Snippet, SnippetRole};

pub(super) fn render(
    request: &PackRequest<'_>,
    items: &[PackItem<'_>],
    chosen: &Chosen,
) -> (String, Vec<Snippet>) {
    let mut files: SortedMap<(SnippetRole, u32), Vec<usize>> = SortedMap::new();
    for item in chosen.keys().filter(|item| !is_inside(items, chosen, **item)) {
        let key = (items[*item].reason.role, items[*item].view.file);
        files.entry(key).or_default().push(*item);
    }
    let mut order: Vec<((SnippetRole, u32), Vec<usize>)> = files.into_iter().collect();
    // The first of a file's items is its best hit.
    order.sort_by_key(|((role, _), own)| (*role, own.first().copied()));
    let mut out = String::new();
    let mut snippets = Vec::new();
    let mut last = None;
    for ((_, file), mut own) in order {
        if last != Some(file) {
            head(request, file, &mut out);
        }
        last = Some(file);
        own.sort_by_key(|item| (*item != 0, items[*item].view.span, *item));
        for item in own {
            out.push_str(&items[item].levels[chosen[&item]].text);
            snippets.extend(snippets_of(request, items, chosen, item));
        }
    }
    (out, snippets)
}

/// The line before the parts of a file.
fn head(request: &PackRequest<'_>, file: u32, out: &mut String) {
    if !out.is_empty() {
        out.push('\n');
    }
    out.push_str("=== ");
    out.push_str(request.map.file(file).map_or("", |file| file.path));
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
    // What is inside has the role of the part.
    let role = items[item].reason.role;
    let snippet = |item: usize, detail: Detail, lines: (u32, u32), tokens: usize| Snippet {
        hit: items[item].hit,
        role,
        reason: items[item].reason.text.clone(),
        detail,
        file: items[item].view.file,
        start_line: lines.0,
        end_line: lines.1,
        tokens,
    };
    let tokens = request.counter.count(&level.text);
    let mut all = vec![snippet(item, level.detail, level.lines, tokens)];
    if level.detail >= Detail::Code {
        let only = Chosen::from([(item, chosen[&item])]);
        let inner = (0..items.len()).filter(|inner| *inner != item);
        for inner in inner.filter(|inner| is_inside(items, &only, *inner)) {
            let view = &items[inner].view;
            all.push(snippet(inner, Detail::Body, (view.line, view.end_line), 0));
        }
    }
    all
}
