//! Hints for invalid scripts: the engine reports the error, but not the relations and columns that
//! exist.

use super::schema::{RELATIONS, Relation};

/// The hint for an error message, if it concerns our relations.
pub(super) fn advice(script: &str, reason: &str) -> Option<String> {
    if reason.contains("does not have field") {
        let relation = RELATIONS.iter().find(|it| reason.contains(&format!("'{}'", it.name)))?;
        return Some(format!("its columns are: {}", relation.headers().join(", ")));
    }
    if reason.contains("find requested stored relation") {
        let names: Vec<&str> = RELATIONS.iter().map(|it| it.name).collect();
        return Some(format!("the relations are: {}", names.join(", ")));
    }
    if reason.contains("ndex near not found") {
        return Some(
            "`graftage index --hnsw` makes it; a change of the map drops it. Without it: \
             `*embeddings{id, vec}, d = cos_dist(vec, v)`"
                .to_owned(),
        );
    }
    let is_bare = |it: &&Relation| {
        let mut matches = script.match_indices(it.name);
        matches.any(|(at, name)| {
            let before = script[..at].chars().next_back().unwrap_or(' ');
            before.is_whitespace() && script[at + name.len()..].trim_start().starts_with(['{', '['])
        })
    };
    let bare = RELATIONS.iter().find(is_bare).filter(|_| reason.contains("parser"))?;
    Some(format!("relations are read with a star: `*{}{{…}}`", bare.name))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn advice_lists_existing_relations_and_columns() {
        let check = |script: &str, reason: &str| advice(script, reason).unwrap_or_default();
        let columns = check("", "stored relation 'isg_edges' does not have field 'from'");
        assert!(columns.starts_with("its columns are: src_id, dst_id, kind, weight"), "{columns}");
        let names = check("", "Cannot find requested stored relation 'nodes'");
        assert!(names.starts_with("the relations are: isg_nodes, isg_edges"), "{names}");
        let near = check("", "Index near not found on relation embeddings");
        assert!(near.starts_with("`graftage index --hnsw` makes it"), "{near}");
        let parser = "The query parser has encountered unexpected input / end of input at 20..20";
        let star = check("?[name] := isg_nodes{name}", parser);
        assert_eq!(star, "relations are read with a star: `*isg_nodes{…}`");
        assert_eq!(check("?[name := *isg_nodes{name}", parser), "");
    }
}
