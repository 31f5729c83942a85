//! What to do about a script that does not hold: the engine says what is wrong, not what is there.

use super::database::Kind;
use super::schema::{self, Relation};

/// How the mistake that `reason` names is mended, where that follows from our relations.
pub(super) fn advice(script: &str, reason: &str) -> Option<String> {
    let all = || {
        let of_record = schema::relations(Kind::Record).iter();
        schema::relations(Kind::Map).iter().chain(of_record.filter(|it| it.name != "meta"))
    };
    if reason.contains("does not have field") {
        let relation = all().find(|it| reason.contains(&format!("'{}'", it.name)))?;
        return Some(format!("its columns are: {}", relation.headers().join(", ")));
    }
    if reason.contains("find requested stored relation") {
        let names: Vec<&str> = all().map(|it| it.name).collect();
        return Some(format!("the relations are: {}", names.join(", ")));
    }
    let is_bare = |it: &&Relation| {
        let mut places = script.match_indices(it.name);
        places.any(|(at, name)| {
            let before = script[..at].chars().next_back().unwrap_or(' ');
            before.is_whitespace() && script[at + name.len()..].trim_start().starts_with(['{', '['])
        })
    };
    let bare = all().find(is_bare).filter(|_| reason.contains("parser"))?;
    Some(format!("relations are read with a star: `*{}{{…}}`", bare.name))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn advice_names_what_is_there() {
        let check = |script: &str, reason: &str| advice(script, reason).unwrap_or_default();
        let columns = check("", "stored relation 'isg_edges' does not have field 'from'");
        assert!(columns.starts_with("its columns are: src_id, dst_id, kind, weight"), "{columns}");
        let names = check("", "Cannot find requested stored relation 'nodes'");
        assert!(names.starts_with("the relations are: isg_nodes, isg_edges"), "{names}");
        let parser = "The query parser has encountered unexpected input / end of input at 20..20";
        let star = check("?[name] := isg_nodes{name}", parser);
        assert_eq!(star, "relations are read with a star: `*isg_nodes{…}`");
        assert_eq!(check("?[name := *isg_nodes{name}", parser), "");
    }
}
