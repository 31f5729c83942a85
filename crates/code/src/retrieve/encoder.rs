//! Opens the encoder that the settings choose.

use std::path::Path;
use std::sync::Arc;

use model::{ModelError, ModelFolder};
use project::Workspace;
use project::{EncoderChoice, ProjectError};
use search::{Encoder, StaticTable, query_bag};

use crate::CodeError;

/// Opens the encoder of the settings; `None`: encoders are disabled.
pub(super) fn open_encoder(workspace: &Workspace) -> Result<Option<Arc<dyn Encoder>>, CodeError> {
    let table = match &workspace.settings().search.encoder {
        EncoderChoice::None => return Ok(None),
        EncoderChoice::Embedded => StaticTable::embedded(),
        EncoderChoice::Table(path) => open_table(path)?,
        EncoderChoice::Model(name) => {
            return open_model(&ModelFolder::new(workspace.models_dir()).open(name)?).map(Some);
        }
    };
    Ok(Some(Arc::new(table)))
}

/// Size limit of a word table in bytes.
const TABLE_BYTES: u64 = 2 << 30;

fn open_table(path: &Path) -> Result<StaticTable, ProjectError> {
    let unreadable =
        |reason: String| ProjectError::Unreadable { path: path.display().to_string(), reason };
    let bytes = untrusted_fs::read_own(path, TABLE_BYTES)
        .map_err(|fault| unreadable(fault.to_string()))?
        .ok_or_else(|| unreadable("no such file".to_owned()))?;
    StaticTable::open(Arc::new(bytes)).map_err(|error| unreadable(error.to_string()))
}

/// Maximum number of tokens per text. Cost grows with the number, and the start of an item is most
/// relevant.
#[cfg(feature = "candle")]
const MAX_TOKENS: usize = 256;

#[cfg(feature = "candle")]
fn open_model(files: &model::ModelFiles) -> Result<Arc<dyn Encoder>, CodeError> {
    let reader = Arc::new(model::Bert::open_encoder(files, MAX_TOKENS)?);
    Ok(Arc::new(search::ModelEncoder::new(reader, StaticTable::embedded())))
}

#[cfg(not(feature = "candle"))]
fn open_model(_files: &model::ModelFiles) -> Result<Arc<dyn Encoder>, CodeError> {
    Err(model::ModelError::NotBuilt { feature: "candle" }.into())
}

/// The vectors of texts by an encoder: `embedded`, or one of the folder of models by its name.
///
/// # Errors
/// There is no such encoder, or it fails.
pub fn text_vectors(
    models: &Path,
    encoder: &str,
    texts: &[String],
) -> Result<Vec<Vec<f32>>, CodeError> {
    let encoder: Arc<dyn Encoder> = match encoder {
        "embedded" => Arc::new(StaticTable::embedded()),
        name => open_model(&ModelFolder::new(models).open(name)?)?,
    };
    if let Some(reader) = encoder.reader() {
        let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
        return reader.read(&texts).map_err(|error| {
            let reason = error.to_string();
            ModelError::Unusable { name: reader.name().to_owned(), reason }.into()
        });
    }
    let vector = |text: &String| {
        let bag = query_bag(text);
        let bag: Vec<(&str, f32)> = bag.iter().map(|(term, it)| (term.as_str(), *it)).collect();
        let mut vector = vec![0.0; encoder.dims()];
        encoder.encode(&bag, &mut vector);
        vector
    };
    Ok(texts.iter().map(vector).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_missing_or_damaged_word_table_is_an_error() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("table.bin");
        assert!(matches!(open_table(&path), Err(ProjectError::Unreadable { .. })));
        std::fs::write(&path, b"no table").unwrap();
        assert!(matches!(open_table(&path), Err(ProjectError::Unreadable { .. })));
    }
}
