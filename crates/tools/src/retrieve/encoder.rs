use std::path::Path;
use std::sync::Arc;

use model::ModelFolder;
use search::{Encoder, StaticTable};

use crate::settings::EncoderChoice;
use crate::{Error, Workspace};

/// Opens the encoder that the settings choose.
pub(super) fn open_encoder(workspace: &Workspace) -> Result<Option<Arc<dyn Encoder>>, Error> {
    let table = match &workspace.settings().search.encoder {
        EncoderChoice::None => return Ok(None),
        EncoderChoice::Embedded => StaticTable::embedded(),
        EncoderChoice::Table(path) => open_table(path)?,
        EncoderChoice::Model(name) => {
            return of_files(&ModelFolder::new(workspace.models_dir()).open(name)?).map(Some);
        }
    };
    Ok(Some(Arc::new(table)))
}

/// Bytes of a table.
const LARGEST: u64 = 2 << 30;

fn open_table(path: &Path) -> Result<StaticTable, Error> {
    let unreadable =
        |reason: String| Error::Unreadable { path: path.display().to_string(), reason };
    let bytes = beneath::read_own(path, LARGEST)
        .map_err(|fault| unreadable(fault.to_string()))?
        .ok_or_else(|| unreadable("there is no such file".to_owned()))?;
    StaticTable::open(Arc::new(bytes)).map_err(|error| unreadable(error.to_string()))
}

/// Of a text so many tokens are read: the cost grows with them, and what an item is stands first.
#[cfg(feature = "candle")]
const MOST_TOKENS: usize = 256;

#[cfg(feature = "candle")]
fn of_files(files: &model::ModelFiles) -> Result<Arc<dyn Encoder>, Error> {
    let reader = Arc::new(model::Bert::open_encoder(files, MOST_TOKENS)?);
    Ok(Arc::new(search::ReadingEncoder::new(reader, StaticTable::embedded())))
}

#[cfg(not(feature = "candle"))]
fn of_files(_files: &model::ModelFiles) -> Result<Arc<dyn Encoder>, Error> {
    Err(model::ModelError::NotBuilt { feature: "candle" }.into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_encoder_may_be_a_file_that_has_to_be_one() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("table.bin");
        assert!(matches!(open_table(&path), Err(Error::Unreadable { .. })));
        std::fs::write(&path, b"no table").unwrap();
        assert!(matches!(open_table(&path), Err(Error::Unreadable { .. })));
    }
}
