//! The reason why an item is in a packed text, as one short phrase, and its role, which orders the
//! text: what the task asks about, what that calls and uses, what calls it, tests.
//!
//! The best hits are the asked ones; other hits are described by their edge to one of these, where
//! there is one. Reasons are facts: a name or line in the task, an edge of the map, words in common.
//! Only the task's own words and names of items appear in them.

use base::{EdgeKind, SortedMap};
use graph::{ItemView, Map};

use super::level::FileTexts;
use super::{PackRequest, SnippetRole};
use crate::analyse::{Analysis, is_path_end};
use crate::tokenize::{parts, tokens};

/// Role and reason of an item.
#[derive(Clone, Debug)]
pub(super) struct Reason {
    pub(super) role: SnippetRole,
    pub(super) text: String,
}

/// Maximum number of hits that are asked about, and that others are described by.
const MOST_ASKED: usize = 5;
/// Maximum number of words in a reason.
const MOST_WORDS: usize = 2;
/// Maximum number of bytes of a body in which words are looked for.
const MOST_BYTES: usize = 1500;

/// The reasons of items, given by their index among the request's hits.
pub(super) fn reasons(
    request: &PackRequest<'_>,
    items: &[(usize, ItemView<'_>)],
    texts: &FileTexts<'_>,
) -> Vec<Reason> {
    let map = request.map;
    let task = Task::new(request.task);
    let (asked, links) = asked(map, &task, items);
    let reason = |(at, (hit, view)): (usize, &(usize, ItemView<'_>))| {
        let text = texts.get(&view.file).and_then(Option::as_deref).unwrap_or_default();
        let likeness = || task.likeness(map, view, text);
        let as_asked = |text: String| Reason { role: SnippetRole::Asked, text };
        let as_linked = |link: &Link| Reason { role: link.role(), text: link.text() };
        if let Some(text) = task.mention(view) {
            return as_asked(text.to_owned());
        }
        let link = links.get(&at);
        if is_test(map, view) {
            let tested = link.map(|link| format!("test of {}", link.other));
            let text = tested.unwrap_or_else(|| format!("test, {}", likeness()));
            return Reason { role: SnippetRole::Test, text };
        }
        if asked.contains(&at) {
            return as_asked(likeness());
        }
        let named = || task.name_words(view).map(as_asked);
        let near = || path_link(request, *hit).map(|link| as_linked(&link));
        let linked = link.map(as_linked).or_else(named).or_else(near);
        linked.unwrap_or_else(|| as_asked(likeness()))
    };
    items.iter().enumerate().map(reason).collect()
}

/// An edge between an item and one that is asked about.
#[derive(Clone, Debug)]
struct Link {
    kind: EdgeKind,
    /// Whether the edge starts at the described item.
    is_source: bool,
    /// Name of the other item.
    other: String,
}

impl Link {
    fn role(&self) -> SnippetRole {
        match self.is_source && self.kind != EdgeKind::Contains {
            true => SnippetRole::Caller,
            false => SnippetRole::Used,
        }
    }

    fn text(&self) -> String {
        let verb = match (self.kind, self.is_source) {
            (EdgeKind::Calls, true) => "calls",
            (EdgeKind::Calls, false) => "called by",
            (EdgeKind::Implements, true) => "implements",
            (EdgeKind::Implements, false) => "implemented by",
            (EdgeKind::Contains, true) => "contains",
            (EdgeKind::Contains, false) => "part of",
            (EdgeKind::Depends, true) => "depends on",
            (EdgeKind::Depends, false) => "dependency of",
            (EdgeKind::Uses | EdgeKind::FeatureGatedBy, true) => "uses",
            (EdgeKind::Uses | EdgeKind::FeatureGatedBy, false) => "used by",
        };
        format!("{verb} {}", self.other)
    }
}

/// The items that are asked about, and for each other item its edge to the best of these; all by
/// index. A hit that has nothing but an edge to a better one is not asked about.
fn asked(
    map: &Map,
    task: &Task,
    items: &[(usize, ItemView<'_>)],
) -> (Vec<usize>, SortedMap<usize, Link>) {
    let numbers: SortedMap<u32, usize> =
        items.iter().enumerate().map(|(at, (_, view))| (view.number, at)).collect();
    let is_wanted =
        |kind: EdgeKind| matches!(kind, EdgeKind::Calls | EdgeKind::Uses | EdgeKind::Implements);
    let mut links = SortedMap::new();
    let mut asked = Vec::new();
    for (center, (_, view)) in items.iter().enumerate() {
        let is_own = !links.contains_key(&center)
            || task.mention(view).is_some()
            || task.name_words(view).is_some();
        if asked.len() == MOST_ASKED || !is_own || is_test(map, view) {
            continue;
        }
        asked.push(center);
        let mut add = |(number, kind): (u32, EdgeKind), is_source: bool| {
            let Some(at) = numbers.get(&number).filter(|at| **at != center) else { return };
            let link = || Link { kind, is_source, other: view.name().into_owned() };
            links.entry(*at).or_insert_with(link);
        };
        let out = map.links_out(view.number).filter(|(_, kind)| is_wanted(*kind));
        out.for_each(|link| add(link, false));
        let into = map.links_in(view.number).filter(|(_, kind)| is_wanted(*kind));
        into.for_each(|link| add(link, true));
    }
    (asked, links)
}

/// The last edge of the path by which the search found a hit.
fn path_link(request: &PackRequest<'_>, hit: usize) -> Option<Link> {
    let hit = &request.hits[hit];
    let step = hit.path.last()?;
    let is_source = (step.from == hit.item) != step.is_backward;
    let other = if step.from == hit.item { step.to } else { step.from };
    // The comment has the holder already.
    if step.kind == EdgeKind::Contains && !is_source {
        return None;
    }
    let other = request.map.item(other)?.name().into_owned();
    Some(Link { kind: step.kind, is_source, other })
}

/// Whether an item is a test, or code that only tests compile.
fn is_test(map: &Map, view: &ItemView<'_>) -> bool {
    view.flags.is_test || map.krate(view.krate).is_some_and(|krate| krate.kind == "test")
}

/// The analysed task.
struct Task {
    analysis: Analysis,
    /// Words as a reader writes them, by term; and whether they are only parts of a name.
    words: SortedMap<String, (String, bool)>,
}

impl Task {
    fn new(text: &str) -> Self {
        let analysis = Analysis::of(text);
        let mut words: SortedMap<String, (String, bool)> = SortedMap::new();
        let mut add = |word: &str, is_part: bool| {
            let mut last = None;
            tokens(word, &mut |term| last = Some(term.to_owned()));
            if let Some(term) = last {
                words.entry(term).or_insert_with(|| (word.to_owned(), is_part)).1 &= is_part;
            }
        };
        for word in text.split(|c| !base::is_word(c)).filter(|word| !word.is_empty()) {
            let is_name = analysis.names.iter().any(|name| name.is_code && name.name == word);
            add(word, false);
            parts(word).filter(|part| *part != word).for_each(|part| add(part, is_name));
        }
        // The frame of a question is left out of its terms.
        let terms = &analysis.terms;
        words.retain(|term, _| terms.binary_search_by(|(it, _)| it.cmp(term)).is_ok());
        Self { analysis, words }
    }

    /// How the task mentions an item, if it does.
    fn mention(&self, view: &ItemView<'_>) -> Option<&'static str> {
        let path = view.path().unwrap_or_default();
        let is_at = |lines: (u32, u32)| view.line <= lines.1 && lines.0 <= view.end_line;
        let mut mentions = self.analysis.mentions.iter();
        if mentions.any(|it| {
            it.lines.is_some_and(is_at)
                && (is_path_end(path, &it.path) || is_path_end(&it.path, path))
        }) {
            return Some("at a line in the task");
        }
        let own = view.name();
        let is_type_name = own.starts_with(char::is_uppercase);
        let is_named = self.analysis.names.iter().any(|name| {
            let is_holder =
                |it: &String| view.canon().split(|c| !base::is_word(c)).any(|p| p == it);
            (name.is_code || is_type_name)
                && name.name == own
                && name.qualifier.as_ref().is_none_or(is_holder)
        });
        is_named.then_some("named in the task")
    }

    /// The words that an item shares with the task, from its name, else its signature, docs or body.
    fn likeness(&self, map: &Map, view: &ItemView<'_>, text: &str) -> String {
        let part = |from: u32, to: u32| text.get(from as usize..to as usize).unwrap_or_default();
        let name = super::level::short_name(map, view);
        let code = part(view.signature_end, view.span.1);
        let code = code.get(..code.floor_char_boundary(MOST_BYTES)).unwrap_or_default();
        let sources = [
            name.as_str(),
            part(view.code_start, view.signature_end),
            part(view.span.0, view.code_start),
            code,
        ];
        let shared = sources.iter().find_map(|source| self.shared(source, true));
        shared.unwrap_or_else(|| "similar to the task".to_owned())
    }

    /// The first words that a text shares with the task.
    fn shared(&self, text: &str, with_parts: bool) -> Option<String> {
        let mut shared: Vec<&str> = Vec::new();
        tokens(text, &mut |term| {
            let word = self.words.get(term).filter(|(_, is_part)| with_parts || !is_part);
            let word = word.map(|(word, _)| word.as_str());
            let word = word.filter(|it| shared.len() < MOST_WORDS && !shared.contains(it));
            shared.extend(word);
        });
        (!shared.is_empty()).then(|| format!("matches {}", shared.join(", ")))
    }

    /// The words of the task in the name of an item. Parts of another name are no reason against an
    /// edge.
    fn name_words(&self, view: &ItemView<'_>) -> Option<String> {
        self.shared(&view.name(), false)
    }
}
