//! [`Map::to_data`]: the map back as rows.
use base::ProjectPath;

use crate::data::{
    CrateRow, EdgeRow, FileRow, ItemRow, MapData, ProblemRow, SiteRow, UnresolvedRow,
};
use crate::map::{Map, MapError};

impl Map {
    /// The rows of the map, which serialise to the same bytes; for callers that change the map.
    pub fn to_data(&self) -> Result<MapData, MapError> {
        Ok(MapData {
            epoch: self.epoch(),
            crates: whole(self.crate_count(), "crates", |number| {
                let view = self.krate(number)?;
                Some(CrateRow {
                    name: view.name.to_owned(),
                    version: view.version.to_owned(),
                    kind: view.kind.to_owned(),
                    root: view.root,
                })
            })?,
            files: whole(self.file_count(), "files", |number| {
                let view = self.file(number)?;
                Some(FileRow {
                    path: ProjectPath::new(view.path).ok()?,
                    hash: view.hash,
                    len: view.len,
                    lines: view.lines,
                    parse_errors: view.parse_errors,
                    flags: view.flags,
                })
            })?,
            items: self.item_rows()?,
            edges: self.edge_rows()?,
            sites: self.site_rows()?,
            unresolved: whole(self.unresolved_count(), "unresolved sites", |number| {
                let view = self.unresolved(number)?;
                Some(UnresolvedRow {
                    src: view.src,
                    file: view.file,
                    offset: view.offset,
                    line: view.line,
                    name: view.name.to_owned(),
                    reason: view.reason,
                })
            })?,
            problems: self.problem_rows()?,
        })
    }

    fn item_rows(&self) -> Result<Vec<ItemRow>, MapError> {
        let mut rows = Vec::with_capacity(self.item_count() as usize);
        for (item, canon) in self.items_with_canons() {
            rows.push(ItemRow {
                id: item.id(),
                key: item.key_with_canon(&canon),
                canon,
                disambiguator: item.disambiguator().to_owned(),
                kind: item.kind,
                name: item.name().into_owned(),
                krate: item.krate,
                file: item.file,
                parent: item.parent,
                span: item.span,
                code_start: item.code_start,
                signature_end: item.signature_end,
                name_span: item.name_span,
                line: item.line,
                end_line: item.end_line,
                visibility: item.visibility().to_owned(),
                token_hash: item.token_hash(),
                parse_errors: item.parse_errors,
                cfg: item.cfg().to_owned(),
                flags: item.flags,
            });
        }
        if rows.len() == self.item_count() as usize {
            Ok(rows)
        } else {
            Err(MapError::Content("items"))
        }
    }

    fn edge_rows(&self) -> Result<Vec<EdgeRow>, MapError> {
        let mut rows = Vec::with_capacity(self.edge_count() as usize);
        rows.extend(self.edges().map(|view| EdgeRow {
            src: view.src,
            kind: view.kind,
            dst: view.dst,
            tier: view.tier,
            provenance: view.provenance,
            rule: view.rule,
            weight: view.weight,
        }));
        if rows.len() == self.edge_count() as usize {
            Ok(rows)
        } else {
            Err(MapError::Content("edges"))
        }
    }

    fn site_rows(&self) -> Result<Vec<SiteRow>, MapError> {
        let mut rows = Vec::with_capacity(self.site_count() as usize);
        for edge in self.edges() {
            rows.extend(self.sites(edge).map(|site| SiteRow {
                edge: edge.number,
                file: site.file,
                offset: site.offset,
                line: site.line,
            }));
        }
        if rows.len() == self.site_count() as usize {
            Ok(rows)
        } else {
            Err(MapError::Content("sites"))
        }
    }

    fn problem_rows(&self) -> Result<Vec<ProblemRow>, MapError> {
        let rows: Vec<ProblemRow> = self
            .problems()
            .filter_map(|view| {
                Some(ProblemRow {
                    path: ProjectPath::new(view.path).ok()?,
                    line: view.line,
                    kind: view.kind.to_owned(),
                    message: view.message.to_owned(),
                })
            })
            .collect();
        if rows.len() == self.problem_count() as usize {
            Ok(rows)
        } else {
            Err(MapError::Content("problems"))
        }
    }
}

/// All rows, or an error when one of them is invalid.
fn whole<T>(
    count: u32,
    what: &'static str,
    row: impl Fn(u32) -> Option<T>,
) -> Result<Vec<T>, MapError> {
    (0..count).map(row).collect::<Option<Vec<T>>>().ok_or(MapError::Content(what))
}
