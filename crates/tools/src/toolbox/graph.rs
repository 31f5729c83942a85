//! `graph`: callers, callees, implementors, impact and paths.

use base::{Ctx, EdgeKind, ItemKind, SortedMap, Tier};
use code::{
    CountsCard, EdgeCard, ImpactOf, ItemCard, PathRequest, SiteCard, WalkRequest, callees, callers,
    impact, path,
};
use project::Workspace;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::rows::{ItemLine, page};
use super::{Effect, Tool, ToolCard, ToolError};

/// The most sites of one item.
const SITES: usize = 5;

/// The most items of a traversal, of which pages are answered.
const TRAVERSED: usize = 5_000;

/// The edges from what depends on an item to it.
const USERS: [EdgeKind; 3] = [EdgeKind::Calls, EdgeKind::Uses, EdgeKind::Implements];

/// Answers questions on the graph of items.
pub(crate) struct GraphTool;

/// The question.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub(super) enum GraphQuestion {
    /// What calls or uses the item.
    Callers,
    /// What the item calls or uses.
    Callees,
    /// What implements the trait.
    Implementors,
    /// What a change affects, tests included.
    Impact,
    /// How one item reaches another.
    Path,
}

/// Input of [`GraphTool`].
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct GraphInput {
    /// `path`: how `item` reaches `to`.
    kind: GraphQuestion,
    /// Canonical path, or its end: `Type::method`. `impact` without it: the uncommitted changes.
    #[serde(default)]
    item: Option<String>,
    /// Target of `path`.
    #[serde(default)]
    to: Option<String>,
    /// Edges to follow.
    #[serde(default = "one")]
    #[schemars(range(min = 1, max = 20))]
    depth: u32,
    /// Most items.
    #[serde(default = "thirty")]
    #[schemars(range(min = 1, max = 200))]
    limit: usize,
    /// Items to skip.
    #[serde(default)]
    offset: usize,
}

fn one() -> u32 {
    1
}

fn thirty() -> usize {
    30
}

/// Output of [`GraphTool`].
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub(crate) struct GraphOutput {
    /// Found items, nearest first; on a path in its order.
    items: Vec<GraphLine>,
    /// Tests among the affected items.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    tests: Vec<String>,
    /// Number of proven edges.
    proven: usize,
    /// Number of candidate edges: possible targets.
    candidate: usize,
    /// Number of unresolved sites that may be further edges.
    unresolved: usize,
    /// Traits of other crates (`Display`, `Drop`) through which these items are called, too: search for
    /// such calls, and the tests that make them, in another way.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    outside_traits: Vec<String>,
    /// Places of these names in quoted code, which may use the items.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    quoted: Vec<String>,
    /// Offset of the next items.
    #[serde(skip_serializing_if = "Option::is_none")]
    next_offset: Option<usize>,
    /// Changed files without items.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    other_files: Vec<String>,
}

/// One found item.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub(super) struct GraphLine {
    #[serde(flatten)]
    line: ItemLine,
    /// Edges from the start item; absent: one.
    #[serde(skip_serializing_if = "Option::is_none")]
    depth: Option<u32>,
    /// Sites of the edges that lead here.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    sites: Vec<String>,
    /// Whether the edges that lead here are only candidates.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    is_candidate: bool,
}

impl Tool for GraphTool {
    type Input = GraphInput;
    type Output = GraphOutput;
    const CARD: ToolCard = ToolCard {
        name: "graph",
        title: "Query the code graph",
        description: "Callers and other users, callees, implementors of a trait, impact of a change, \
                      or the path between two items, with the lines of the calls. Complete where \
                      grep is not: follows traits, re-exports and macros.",
        effect: Effect::Reads,
    };

    fn call(
        &self,
        ctx: &Ctx,
        workspace: &Workspace,
        input: GraphInput,
    ) -> Result<GraphOutput, ToolError> {
        let item = |field: &str, value: &Option<String>| {
            value.clone().ok_or_else(|| {
                let fix = format!("pass `{field}`: a canonical path such as `Type::method`");
                ToolError::field(field, "it is missing", fix)
            })
        };
        let walk = |item: String| WalkRequest {
            item,
            depth: input.depth,
            kinds: Vec::new(),
            limit: TRAVERSED,
            only_proven: false,
        };
        match input.kind {
            GraphQuestion::Callers => {
                // A function that is passed on without a call depends on its signature, too.
                let request =
                    WalkRequest { kinds: USERS.to_vec(), ..walk(item("item", &input.item)?) };
                let it = callers(ctx, workspace, &request)?;
                let found = output(&input, &it.items, &it.edges, it.counts, Towards::Source);
                let quoted = places(&it.quoted);
                Ok(GraphOutput { outside_traits: it.outside_traits, quoted, ..found })
            }
            GraphQuestion::Implementors => {
                let kinds = vec![EdgeKind::Implements, EdgeKind::Uses];
                let request = WalkRequest { kinds, depth: 1, ..walk(item("item", &input.item)?) };
                let it = callers(ctx, workspace, &request)?;
                let edges = implementing(&it.items, &it.edges);
                let of = |card: &&ItemCard| edges.iter().any(|edge| edge.src == card.id);
                let items: Vec<ItemCard> = it.items.iter().filter(of).cloned().collect();
                let proven = edges.iter().filter(|edge| edge.tier != Tier::Candidate).count();
                let candidate = edges.len() - proven;
                let counts = CountsCard { proven, candidate, ..it.counts };
                Ok(output(&input, &items, &edges, counts, Towards::Source))
            }
            GraphQuestion::Callees => {
                let it = callees(ctx, workspace, &walk(item("item", &input.item)?))?;
                Ok(output(&input, &it.items, &it.edges, it.counts, Towards::Target))
            }
            GraphQuestion::Path => {
                let from = item("item", &input.item)?;
                let to = item("to", &input.to)?;
                let request = PathRequest { from, to, kinds: Vec::new(), only_proven: false };
                let it = path(ctx, workspace, &request)?;
                let items = if it.found { it.items } else { Vec::new() };
                Ok(output(&input, &items, &it.edges, it.counts, Towards::Target))
            }
            GraphQuestion::Impact => {
                let of = input.item.clone().map_or(ImpactOf::Uncommitted, ImpactOf::Item);
                let it = impact(ctx, workspace, &of, false)?;
                let tests = it.tests.iter().map(|card| card.canon.clone()).collect();
                let found = output(&input, &it.items, &it.edges, it.counts, Towards::Source);
                let (quoted, other_files) = (places(&it.quoted), it.other_files);
                let outside_traits = it.outside_traits;
                Ok(GraphOutput { tests, quoted, other_files, outside_traits, ..found })
            }
        }
    }
}

/// Of the edges to a trait those of its implementors: of types, and of the impls for types outside the
/// workspace, which only use the trait.
fn implementing(items: &[ItemCard], edges: &[EdgeCard]) -> Vec<EdgeCard> {
    let of_types: Vec<&EdgeCard> =
        edges.iter().filter(|edge| edge.kind == EdgeKind::Implements).collect();
    let is_impl = |edge: &&EdgeCard| {
        let name = edge.dst_canon.rsplit("::").next().unwrap_or_default();
        let header = format!(" as {name}");
        edge.kind == EdgeKind::Uses
            && items.iter().any(|it| it.id == edge.src && it.kind == ItemKind::Impl)
            && edge
                .src_canon
                .split_once(&header)
                .is_some_and(|(_, rest)| rest.starts_with(['<', '>']))
            && !of_types.iter().any(|it| it.sites.iter().any(|site| edge.sites.contains(site)))
    };
    let of_impls = edges.iter().filter(is_impl);
    of_types.iter().copied().chain(of_impls).cloned().collect()
}

fn place(site: &SiteCard) -> String {
    format!("{}:{}", site.file, site.line)
}

fn places(sites: &[SiteCard]) -> Vec<String> {
    sites.iter().map(place).collect()
}

/// The end of an edge that is the found item.
#[derive(Clone, Copy)]
enum Towards {
    Source,
    Target,
}

fn output(
    input: &GraphInput,
    items: &[ItemCard],
    edges: &[EdgeCard],
    counts: CountsCard,
    towards: Towards,
) -> GraphOutput {
    let mut leading: SortedMap<_, Vec<&EdgeCard>> = SortedMap::new();
    for edge in edges {
        let end = match towards {
            Towards::Source => edge.src,
            Towards::Target => edge.dst,
        };
        leading.entry(end).or_default().push(edge);
    }
    let line = |card: &ItemCard| {
        let edges = leading.get(&card.id).map(Vec::as_slice).unwrap_or_default();
        let sites = edges.iter().flat_map(|edge| &edge.sites);
        GraphLine {
            line: card.into(),
            depth: card.depth.filter(|depth| *depth > 1),
            sites: sites.take(SITES).map(place).collect(),
            is_candidate: !edges.is_empty() && edges.iter().all(|it| it.tier == Tier::Candidate),
        }
    };
    let (items, next_offset) = page(items.iter().collect(), input.offset, input.limit);
    GraphOutput {
        items: items.into_iter().map(line).collect(),
        tests: Vec::new(),
        proven: counts.proven,
        candidate: counts.candidate,
        unresolved: counts.unresolved,
        outside_traits: Vec::new(),
        quoted: Vec::new(),
        next_offset,
        other_files: Vec::new(),
    }
}
