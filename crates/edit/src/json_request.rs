//! Parser of requests in JSON: a list of typed edits, or one edit.

use std::path::Path;

use base::ContentHash;
use syntax::NodeKind;

use crate::json::Json;
use crate::request::{Body, project_path};
use crate::{Edit, EditError, EditRequest, Format};

const REQUEST: &[&str] = &["edits", "confidence"];
const CANONICAL: &[&str] = &["mode", "file", "canon", "node_type", "code"];
const SPLICE: &[&str] = &[
    "mode",
    "file_path",
    "expected_file_hash",
    "start_byte",
    "end_byte",
    "replacement",
    "namespace",
];
const FILE: &[&str] = &["mode", "file_path", "text", "expected_file_hash"];

/// Parses `{"edits": […], "confidence": …}`, or one edit.
pub(crate) fn read(text: &str, root: &Path) -> Result<EditRequest, EditError> {
    let fields = match Json::parse(text)? {
        Json::Object(fields) => Fields { at: "request".into(), fields },
        other => {
            return Err(EditError::WrongType {
                at: "request".into(),
                expected: "an object",
                found: other.describe(),
            });
        }
    };
    let mut notes = Vec::new();
    let mut edits = Vec::new();
    let mut confidence = None;
    if fields.has("mode") || fields.has("start_byte") {
        edits.push((
            "edit".to_owned(),
            edit(Fields { at: "edit".into(), ..fields }, root, &mut notes)?,
        ));
    } else {
        fields.only(REQUEST)?;
        confidence = fields.confidence()?;
        let list = match fields.get("edits")? {
            Json::List(list) => list,
            other => return Err(fields.wrong("edits", "a list of edits", other)),
        };
        for (idx, value) in list.iter().enumerate() {
            let at = format!("edits[{idx}]");
            let Json::Object(fields) = value else {
                let found = value.describe();
                return Err(EditError::WrongType { at, expected: "an object", found });
            };
            let fields = Fields { at: at.clone(), fields: fields.clone() };
            edits.push((at, edit(fields, root, &mut notes)?));
        }
    }
    if edits.is_empty() {
        return Err(EditError::Empty);
    }
    Ok(EditRequest { format: Format::Json, confidence, notes, body: Body::Edits(edits) })
}

fn edit(fields: Fields, root: &Path, notes: &mut Vec<String>) -> Result<Edit, EditError> {
    let mode = match fields.find("mode") {
        Some(Json::Text(mode)) => mode.as_str(),
        Some(other) => return Err(fields.wrong("mode", "a string", other)),
        None if fields.has("start_byte") && fields.has("file_path") => {
            notes.push(format!(
                "{}: a splice without `mode` is deprecated; add `\"mode\": \"splice\"`",
                fields.at
            ));
            "splice"
        }
        None => return Err(EditError::MissingField { at: fields.at, field: "mode" }),
    };
    match mode {
        "canonical" => {
            fields.only(CANONICAL)?;
            Ok(Edit::Canonical {
                file: project_path(root, fields.text("file")?, &fields.place("file"))?,
                canon: fields.text("canon")?.to_owned(),
                node_type: fields.node_kind()?,
                code: fields.text("code")?.to_owned(),
            })
        }
        "splice" => {
            fields.only(SPLICE)?;
            Ok(Edit::Splice {
                file_path: project_path(
                    root,
                    fields.text("file_path")?,
                    &fields.place("file_path"),
                )?,
                expected_file_hash: fields.hash(fields.text("expected_file_hash")?)?,
                start_byte: fields.offset("start_byte")?,
                end_byte: fields.offset("end_byte")?,
                replacement: fields.text("replacement")?.to_owned(),
                namespace: fields.optional_text("namespace")?.map(str::to_owned),
            })
        }
        "file" => {
            fields.only(FILE)?;
            let hash = fields.optional_text("expected_file_hash")?;
            Ok(Edit::File {
                file_path: project_path(
                    root,
                    fields.text("file_path")?,
                    &fields.place("file_path"),
                )?,
                text: fields.text("text")?.to_owned(),
                expected_file_hash: hash.map(|hash| fields.hash(hash)).transpose()?,
            })
        }
        other => Err(EditError::UnknownValue {
            at: fields.place("mode"),
            value: other.to_owned(),
            known: vec!["canonical", "splice", "file"],
        }),
    }
}

/// One JSON object and its name in errors.
struct Fields {
    at: String,
    fields: Vec<(String, Json)>,
}

impl Fields {
    fn place(&self, field: &str) -> String {
        if self.at == "request" { field.to_owned() } else { format!("{}.{field}", self.at) }
    }

    fn find(&self, name: &str) -> Option<&Json> {
        self.fields.iter().find(|(field, _)| field == name).map(|(_, value)| value)
    }

    fn has(&self, name: &str) -> bool {
        self.find(name).is_some()
    }

    fn get(&self, name: &'static str) -> Result<&Json, EditError> {
        self.find(name).ok_or_else(|| EditError::MissingField { at: self.at.clone(), field: name })
    }

    fn only(&self, known: &'static [&'static str]) -> Result<(), EditError> {
        match self.fields.iter().find(|(field, _)| !known.contains(&field.as_str())) {
            Some((field, _)) => {
                Err(EditError::UnknownField { at: self.at.clone(), field: field.clone(), known })
            }
            None => Ok(()),
        }
    }

    fn wrong(&self, field: &str, expected: &'static str, found: &Json) -> EditError {
        EditError::WrongType { at: self.place(field), expected, found: found.describe() }
    }

    fn text(&self, name: &'static str) -> Result<&str, EditError> {
        match self.get(name)? {
            Json::Text(text) => Ok(text),
            other => Err(self.wrong(name, "a string", other)),
        }
    }

    fn optional_text(&self, name: &'static str) -> Result<Option<&str>, EditError> {
        match self.find(name) {
            None | Some(Json::Null) => Ok(None),
            Some(Json::Text(text)) => Ok(Some(text)),
            Some(other) => Err(self.wrong(name, "a string", other)),
        }
    }

    fn offset(&self, name: &'static str) -> Result<usize, EditError> {
        match self.get(name)? {
            Json::Count(count) => usize::try_from(*count)
                .map_err(|_| self.wrong(name, "a byte offset", &Json::Count(*count))),
            other => Err(self.wrong(name, "a byte offset (a whole number from 0)", other)),
        }
    }

    fn hash(&self, text: &str) -> Result<ContentHash, EditError> {
        ContentHash::parse(text).ok_or_else(|| EditError::BadHash {
            at: self.place("expected_file_hash"),
            value: text.chars().take(80).collect(),
        })
    }

    fn confidence(&self) -> Result<Option<f32>, EditError> {
        let value = match self.find("confidence") {
            None | Some(Json::Null) => return Ok(None),
            Some(Json::Count(count)) => *count as f64,
            Some(Json::Number(number)) => *number,
            Some(other) => return Err(self.wrong("confidence", "a number from 0 to 1", other)),
        };
        if !(0.0..=1.0).contains(&value) {
            return Err(EditError::WrongType {
                at: self.place("confidence"),
                expected: "a number from 0 to 1",
                found: value.to_string(),
            });
        }
        Ok(Some(value as f32))
    }

    fn node_kind(&self) -> Result<NodeKind, EditError> {
        let word = self.text("node_type")?;
        NodeKind::ALL.into_iter().find(|kind| kind.as_str() == word).ok_or_else(|| {
            EditError::UnknownValue {
                at: self.place("node_type"),
                value: word.to_owned(),
                known: NodeKind::ALL.iter().map(|kind| kind.as_str()).collect(),
            }
        })
    }
}
