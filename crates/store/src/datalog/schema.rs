//! The relations of the map.

use cozo::DataValue;

use super::engine::{Engine, Params};
use super::memory::{EPISODES, RULE_REFERENCES, RULES, SKILL_REFERENCES, SKILLS};
use crate::{Result, StoreError};

/// One relation: its columns as the engine declares them, keys first.
pub(super) struct Relation {
    pub(super) name: &'static str,
    pub(super) keys: &'static [(&'static str, &'static str)],
    pub(super) values: &'static [(&'static str, &'static str)],
}

impl Relation {
    /// The column names in order.
    pub(super) fn headers(&self) -> Vec<String> {
        self.keys.iter().chain(self.values).map(|(name, _)| (*name).to_owned()).collect()
    }

    /// The key names in order.
    pub(super) fn key_headers(&self) -> Vec<String> {
        self.keys.iter().map(|(name, _)| (*name).to_owned()).collect()
    }

    /// The script that creates it; vectors have `dim` numbers.
    fn declaration(&self, dim: usize) -> String {
        let columns = |columns: &[(&str, &str)]| {
            let one = |(name, kind): &(&str, &str)| format!("{name}: {kind}");
            columns.iter().map(one).collect::<Vec<_>>().join(", ")
        };
        let declared = format!(
            ":create {} {{ {} => {} }}",
            self.name,
            columns(self.keys),
            columns(self.values)
        );
        declared.replace("DIM", &dim.to_string())
    }
}

/// The length of vectors if none are stored.
pub(super) const DEFAULT_DIM: usize = 256;

pub(super) const NODES: Relation = Relation {
    name: "isg_nodes",
    keys: &[("id", "Uuid")],
    values: &[
        ("key", "String"),
        ("canon", "String"),
        ("file_path", "String"),
        ("crate", "String"),
        ("module_path", "String"),
        ("kind", "String"),
        ("name", "String"),
        ("signature_ts", "String"),
        ("signature_syn", "String?"),
        ("ra_signature", "String?"),
        ("generics", "String"),
        ("vis", "String"),
        ("isgl_level", "Int"),
        ("parse_error_count", "Int"),
        ("confidence", "Float"),
        ("span_start", "Int"),
        ("span_end", "Int"),
        ("line", "Int"),
        ("end_line", "Int"),
        ("hash", "String"),
        ("ra_hydrated_ts", "Int?"),
        ("resolved_types", "String?"),
        ("macro_expansion_notes", "String?"),
        ("diag_summary", "String?"),
    ],
};

pub(super) const EDGES: Relation = Relation {
    name: "isg_edges",
    keys: &[("src_id", "Uuid"), ("dst_id", "Uuid"), ("kind", "String")],
    values: &[("weight", "Float"), ("provenance", "String"), ("tier", "String"), ("sites", "Int")],
};

pub(super) const BLOBS: Relation = Relation {
    name: "code_blobs",
    keys: &[("id", "Uuid")],
    values: &[("code", "String"), ("tdd_classification", "String"), ("recovered", "Bool")],
};

pub(super) const EMBEDDINGS: Relation = Relation {
    name: "embeddings",
    keys: &[("id", "Uuid"), ("model", "String")],
    values: &[("dim", "Int"), ("vec", "<F32; DIM>")],
};

pub(super) const DIAGNOSTICS: Relation = Relation {
    name: "diagnostics",
    keys: &[("id", "Uuid"), ("ordinal", "Int")],
    values: &[
        ("severity", "String"),
        ("code", "String"),
        ("message", "String"),
        ("range", "[Int; 2]"),
        ("ts", "Int"),
    ],
};

pub(super) const DOC_META: Relation = Relation {
    name: "bm25_doc_meta",
    keys: &[("id", "Uuid")],
    values: &[("tracking_hash", "String"), ("tokenizer_version", "Int"), ("token_length", "Int")],
};

pub(super) const CODEGRAPH: Relation = Relation {
    name: "codegraph",
    keys: &[("id", "Uuid"), ("proposal", "String")],
    values: &[
        ("current_code", "String?"),
        ("future_code", "String?"),
        ("future_action", "String?"),
        ("tdd_classification", "String"),
        ("current_id", "Int"),
        ("future_id", "Int"),
        ("key", "String"),
        ("file_path", "String"),
        ("version", "Int"),
    ],
};

pub(super) const PROPOSALS: Relation = Relation {
    name: "edit_proposals",
    keys: &[("id", "String")],
    values: &[
        ("task", "String"),
        ("overlay", "String"),
        ("state", "String"),
        ("evidence", "String?"),
        ("confidence", "Float?"),
        ("approver", "String?"),
        ("reason", "String?"),
        ("created_at", "Int"),
        ("decided_at", "Int?"),
        ("author", "String"),
        ("files", "[String]"),
        ("change", "String?"),
        ("version", "Int?"),
    ],
};

pub(super) const TOOL_CALLS: Relation = Relation {
    name: "tool_calls",
    keys: &[("id", "String")],
    values: &[
        ("task", "String"),
        ("tool", "String"),
        ("args", "String"),
        ("state", "String"),
        ("result", "String?"),
        ("error", "String?"),
        ("requested_at", "Int"),
        ("done_at", "Int?"),
    ],
};

pub(super) const RETRIEVALS: Relation = Relation {
    name: "retrieval_events",
    keys: &[("id", "Int")],
    values: &[
        ("task", "String"),
        ("tool", "String"),
        ("query", "String"),
        ("focus", "String"),
        ("hits", "[String]"),
        ("cached", "Bool"),
        ("took_us", "Int"),
        ("at", "Int"),
    ],
};

/// The relations of the record. A database of an earlier version lacks them.
pub(super) const RECORD: &[Relation] = &[
    CODEGRAPH,
    PROPOSALS,
    TOOL_CALLS,
    RETRIEVALS,
    RULES,
    RULE_REFERENCES,
    SKILLS,
    SKILL_REFERENCES,
    EPISODES,
];

/// Metadata: `epoch` and `dim` of the map, `record`.
pub(super) const META: Relation =
    Relation { name: "meta", keys: &[("name", "String")], values: &[("value", "Int")] };

/// All relations of the map.
pub(super) const RELATIONS: &[Relation] =
    &[NODES, EDGES, BLOBS, EMBEDDINGS, DIAGNOSTICS, DOC_META, META];

/// Creates the relations of an empty database, in one transaction; vectors have `dim` numbers.
pub(super) fn create(engine: &Engine, dim: usize) -> Result<()> {
    let each = |relation: &Relation| format!("{{ {} }}", relation.declaration(dim));
    let script: Vec<_> = RELATIONS.iter().chain(RECORD).map(each).collect();
    engine.run("make relations", &script.join("\n"))
}

/// Creates the relations of the record that a database of an earlier version lacks.
pub(super) fn create_record(engine: &Engine) -> Result<()> {
    let rows = engine.read("::relations", Params::new())?;
    for relation in RECORD {
        if !has(&rows, relation.name) {
            engine.run("make relations", &relation.declaration(DEFAULT_DIM))?;
        }
    }
    Ok(())
}

fn has(relations: &[Vec<DataValue>], name: &str) -> bool {
    relations.iter().any(|row| row.first().and_then(DataValue::get_str) == Some(name))
}

/// Checks that all relations of the map exist.
pub(super) fn check(engine: &Engine) -> Result<()> {
    let rows = engine.read("::relations", Params::new())?;
    match RELATIONS.iter().find(|relation| !has(&rows, relation.name)) {
        None => Ok(()),
        Some(relation) => Err(StoreError::Engine {
            action: "find its relations",
            reason: format!("`{}` is missing", relation.name),
        }),
    }
}

/// A value of `meta`.
pub(super) fn meta(engine: &Engine, name: &str) -> Result<Option<i64>> {
    let params = Params::from([("name".to_owned(), DataValue::from(name))]);
    let rows = engine.read("?[value] := *meta{name: $name, value}", params)?;
    Ok(rows.first().and_then(|row| row.first()).and_then(DataValue::get_int))
}
