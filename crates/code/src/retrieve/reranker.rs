//! Opens the reranker that the settings choose.

use model::{HttpOptions, HttpRerank, ModelFolder};
use project::RerankerChoice;
use project::Workspace;
use search::Rerank;

use crate::CodeError;

/// A reranker, and the reason if a configured one is not used.
type OpenedReranker = (Option<Box<dyn Rerank>>, Option<String>);

/// Opens the reranker of the settings.
pub(super) fn open_reranker(workspace: &Workspace) -> Result<OpenedReranker, CodeError> {
    let settings = &workspace.settings().search;
    match &settings.reranker {
        RerankerChoice::None => Ok((None, None)),
        RerankerChoice::Server(url) => {
            let options = HttpOptions {
                url: url.clone(),
                model: settings.reranker_model.clone(),
                key: workspace.reranker_key().map(str::to_owned),
                shape: settings.reranker_shape,
                timeout: settings.reranker_patience,
            };
            if workspace.settings().cargo_offline && !options.is_local() {
                let why = "reranker skipped: offline".to_owned();
                return Ok((None, Some(why)));
            }
            Ok((Some(Box::new(HttpRerank::new(options)?)), None))
        }
        RerankerChoice::Model(name) => {
            let files = ModelFolder::new(workspace.models_dir()).open(name)?;
            Ok((Some(open_model(&files)?), None))
        }
    }
}

/// Maximum number of tokens of query and text together. Cost grows with the number.
#[cfg(feature = "candle")]
const MAX_TOKENS: usize = 256;

#[cfg(feature = "candle")]
fn open_model(files: &model::ModelFiles) -> Result<Box<dyn Rerank>, CodeError> {
    Ok(Box::new(model::Bert::open(files, MAX_TOKENS)?))
}

#[cfg(not(feature = "candle"))]
fn open_model(_files: &model::ModelFiles) -> Result<Box<dyn Rerank>, CodeError> {
    Err(model::ModelError::NotBuilt { feature: "candle" }.into())
}
