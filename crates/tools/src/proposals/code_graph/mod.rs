//! The code graph of a change: each item that it touches, with its text now and after the change.
//!
//! The text of a file is divided among its items: each has its own text, with a place for each item
//! within it; the text outside all items belongs to the file. So the rows of a change
//! determine it exactly ([`CodeGraph::applied`] is the inverse of [`CodeGraph::of_change`]).

use base::SortedMap;

use edit::{FileState, Overlay};
use record::{CodeRow, FutureAction, Piece};
use syntax::{Item, NodeKind};

/// The name of a file's own text among the texts of its items.
const FILE: &str = "file";

/// The texts of one file, by item.
pub(super) struct CodeGraph {
    /// By local name, which is kind and path in the file: `method Reader::read`.
    nodes: SortedMap<String, CodeNode>,
    /// Local names by position; the file first.
    order: Vec<String>,
    executable: bool,
}

/// One item, or a file.
struct CodeNode {
    /// Its text.
    pieces: Vec<Piece>,
    /// The item; `None`: a file.
    item: Option<ItemHead>,
    class: &'static str,
}

/// What identifies an item in its file.
pub(super) struct ItemHead {
    pub(super) kind: NodeKind,
    pub(super) canon: String,
    /// The first byte.
    pub(super) start: usize,
}

/// Gives an item of a file its id and its key; the flag: as the file is now, not after the change.
pub(super) type Identify<'a> = &'a dyn Fn(&str, &ItemHead, bool) -> (String, String);

impl CodeGraph {
    /// Divides a file.
    pub(super) fn of_file(path: &str, state: Option<&FileState>) -> Self {
        let mut graph = Self { nodes: SortedMap::new(), order: Vec::new(), executable: false };
        let Some(state) = state else { return graph };
        graph.executable = state.executable;
        let is_rust = path.ends_with(".rs");
        let items = if is_rust { syntax::parse(&state.text).items } else { Vec::new() };
        let for_tests = syntax::is_test_path(path);
        let parts = divide(&state.text, &items);
        for (part, pieces) in parts.pieces(&state.text, &items).into_iter().enumerate() {
            let item = parts.items[part].and_then(|idx| items.get(idx));
            let node = CodeNode {
                pieces,
                item: item.map(|item| ItemHead {
                    kind: item.kind,
                    canon: item.canon.clone(),
                    start: item.span.start,
                }),
                class: class(item, for_tests),
            };
            let local = item.map_or_else(|| FILE.to_owned(), local_name);
            graph.order.push(local.clone());
            graph.nodes.insert(local, node);
        }
        graph
    }

    /// The rows of a change: each item whose own text differs, and each file whose text outside
    /// items does, in the order of the files.
    pub(super) fn of_change(overlay: &Overlay, identify: Identify<'_>) -> Vec<CodeRow> {
        let mut rows = Vec::new();
        for (path, change) in overlay.changes() {
            let path = path.as_str();
            let before = Self::of_file(path, change.before.as_ref());
            let after = Self::of_file(path, change.after.as_ref());
            let new = after.order.iter().filter(|local| !before.nodes.contains_key(*local));
            for local in before.order.iter().chain(new) {
                rows.extend(row(path, local, &before, &after, identify));
            }
        }
        rows
    }

    /// The file after the rows of a change; `None`: it does not exist then.
    pub(super) fn applied(mut self, rows: &[&CodeRow]) -> Option<FileState> {
        for row in rows {
            let node = |pieces: &Vec<Piece>| {
                let class = "production";
                CodeNode { pieces: pieces.clone(), item: None, class }
            };
            match &row.future {
                Some(pieces) => self.nodes.insert(row.local.clone(), node(pieces)),
                None => self.nodes.remove(&row.local),
            };
            if row.local == FILE {
                self.executable = row.executable;
            }
        }
        let executable = self.executable;
        Some(FileState { text: self.text()?.into(), executable })
    }

    /// The text of the whole file; `None` without a file. A place of an item that is not there is
    /// empty, and each item has one place.
    fn text(mut self) -> Option<String> {
        let mut text = String::new();
        let mut open = vec![self.nodes.remove(FILE)?.pieces.into_iter()];
        while let Some(pieces) = open.last_mut() {
            match pieces.next() {
                Some(Piece::Text(part)) => text.push_str(&part),
                Some(Piece::Item(local)) => {
                    open.extend(self.nodes.remove(&local).map(|node| node.pieces.into_iter()));
                }
                None => {
                    open.pop();
                }
            }
        }
        Some(text)
    }

    /// Whether rows determine a change: the present texts and the rows give the new texts.
    pub(super) fn determines(rows: &[CodeRow], overlay: &Overlay) -> bool {
        overlay.changes().all(|(path, change)| {
            let own: Vec<&CodeRow> = rows.iter().filter(|row| row.file == path.as_str()).collect();
            Self::of_file(path.as_str(), change.before.as_ref()).applied(&own) == change.after
        })
    }
}

fn row(
    path: &str,
    local: &str,
    before: &CodeGraph,
    after: &CodeGraph,
    identify: Identify<'_>,
) -> Option<CodeRow> {
    let (old, new) = (before.nodes.get(local), after.nodes.get(local));
    let pieces = |node: Option<&CodeNode>| node.map(|node| node.pieces.clone());
    let (current, future) = (pieces(old), pieces(new));
    let mode_differs = local == FILE && before.executable != after.executable;
    if current == future && !mode_differs {
        return None;
    }
    let action = match (&current, &future) {
        (None, _) => FutureAction::Create,
        (_, None) => FutureAction::Delete,
        _ => FutureAction::Edit,
    };
    let node = old.or(new)?;
    let (id, key) = match &node.item {
        Some(item) => identify(path, item, old.is_some()),
        None => (base::ItemId::of(path, "file", "").to_string(), path.to_owned()),
    };
    Some(CodeRow {
        id,
        key,
        local: local.to_owned(),
        file: path.to_owned(),
        node_kind: node.item.as_ref().map_or(FILE, |item| item.kind.as_str()).to_owned(),
        tdd_classification: new.or(old).map_or("production", |node| node.class).to_owned(),
        action,
        current,
        future,
        executable: after.executable,
    })
}

fn local_name(item: &Item) -> String {
    format!("{} {}", item.kind, item.canon)
}

fn class(item: Option<&Item>, for_tests: bool) -> &'static str {
    use syntax::TddClass;
    let is_function =
        |item: &Item| matches!(item.kind, NodeKind::Function | NodeKind::Method) && item.is_test;
    let is_test = |item: &&Item| {
        is_function(item) && item.attributes.iter().any(|text| syntax::is_test_head(text))
    };
    let class = match item {
        item if item.as_ref().is_some_and(is_test) => TddClass::Test,
        Some(item) if item.is_test || for_tests => TddClass::TestHelper,
        None if for_tests => TddClass::TestHelper,
        _ => TddClass::Production,
    };
    class.as_str()
}

/// How a text is divided: the file, then items by position.
struct Parts {
    /// The item of each part; `None`: the file.
    items: Vec<Option<usize>>,
    /// The span of each part.
    spans: Vec<(usize, usize)>,
    /// The part around each part.
    holders: Vec<usize>,
}

/// Chooses the items with a text of their own: not imports, and not items inside functions. Items
/// whose spans do not nest are left in the text around them.
fn divide(text: &str, items: &[Item]) -> Parts {
    let mut parts = Parts { items: vec![None], spans: vec![(0, text.len())], holders: vec![0] };
    // Of each part, the end of its last item.
    let mut filled = vec![0];
    // Of each item, the part that its text is in.
    let mut part_of = Vec::with_capacity(items.len());
    let mut names = base::SortedSet::new();
    for (idx, item) in items.iter().enumerate() {
        let holder = item.parent.and_then(|parent| part_of.get(parent).copied()).unwrap_or(0);
        let (start, end) = (item.span.start, item.span.end);
        let is_inside = start < end
            && filled[holder] <= start
            && end <= parts.spans[holder].1
            && text.get(start..end).is_some();
        let is_part = item.kind != NodeKind::Import && !item.is_local;
        if !is_part || !is_inside || !names.insert((item.kind, item.canon.as_str())) {
            part_of.push(holder);
            continue;
        }
        filled[holder] = end;
        part_of.push(parts.items.len());
        parts.items.push(Some(idx));
        parts.spans.push((start, end));
        parts.holders.push(holder);
        filled.push(start);
    }
    parts
}

impl Parts {
    fn pieces(&self, text: &str, items: &[Item]) -> Vec<Vec<Piece>> {
        let mut pieces: Vec<Vec<Piece>> = vec![Vec::new(); self.items.len()];
        let mut done: Vec<usize> = self.spans.iter().map(|span| span.0).collect();
        let own = |from: usize, to: usize| {
            let part = text.get(from..to).unwrap_or_default();
            (!part.is_empty()).then(|| Piece::Text(part.to_owned()))
        };
        for part in 1..self.items.len() {
            let (holder, (start, end)) = (self.holders[part], self.spans[part]);
            pieces[holder].extend(own(done[holder], start));
            let item = self.items[part].and_then(|idx| items.get(idx));
            pieces[holder].extend(item.map(|item| Piece::Item(local_name(item))));
            done[holder] = end;
        }
        for (part, span) in self.spans.iter().enumerate() {
            pieces[part].extend(own(done[part], span.1));
        }
        pieces
    }
}

#[cfg(test)]
mod tests;
