//! What a model may look up: items of the project's map. Nothing else is read for it.

use base::Ctx;
use tools::{ItemCard, SearchRequest, Workspace};

/// Number of search results.
const RESULTS: usize = 8;

/// Read-only access to the project for a model.
pub(crate) trait Lookup {
    /// Items for a description; an error as text.
    fn search(&self, query: &str) -> Result<String, String>;

    /// One item; an error as text.
    fn show(&self, item: &str) -> Result<String, String>;
}

/// The map of a project.
pub(crate) struct MapLookup<'a> {
    pub(crate) ctx: &'a Ctx,
    pub(crate) workspace: &'a Workspace,
}

impl Lookup for MapLookup<'_> {
    fn search(&self, query: &str) -> Result<String, String> {
        let request = SearchRequest { preview: true, ..SearchRequest::new(query, RESULTS) };
        let found =
            tools::search(self.ctx, self.workspace, &request).map_err(|it| it.to_string())?;
        let lines = found.hits.iter().map(|hit| {
            let at = match (&hit.file, hit.start_line) {
                (Some(file), Some(line)) => format!(" ({file}:{line})"),
                _ => String::new(),
            };
            format!("{}{at}\n    {}", hit.canon, hit.signature)
        });
        Ok(lines.collect::<Vec<_>>().join("\n"))
    }

    fn show(&self, item: &str) -> Result<String, String> {
        let found =
            tools::show(self.ctx, self.workspace, item).map_err(|error| match base::Hint::hint(
                &error,
            ) {
                Some(hint) => format!("{error}\n{hint}"),
                None => error.to_string(),
            })?;
        let of = found.items.first().map(place).unwrap_or_default();
        let callers = found.edges.iter().filter(|it| it.kind == base::EdgeKind::Calls);
        let callers: Vec<String> =
            callers.map(|it| format!("{} calls {}", it.src_canon, it.dst_canon)).collect();
        Ok(format!("{of}\n{}\n{}\n{}", found.docs, found.code, callers.join("\n")))
    }
}

/// An item with its place, in one line.
pub(crate) fn place(item: &ItemCard) -> String {
    match (&item.file, item.start_line) {
        (Some(file), Some(line)) => format!("{} ({file}:{line}): {}", item.canon, item.signature),
        _ => format!("{}: {}", item.canon, item.signature),
    }
}
