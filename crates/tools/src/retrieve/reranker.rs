use model::{HttpOptions, HttpRerank, ModelFolder};
use search::Rerank;

use crate::settings::RerankerChoice;
use crate::{Error, Workspace};

/// A reranker, and why a chosen one is left out.
type Opened = (Option<Box<dyn Rerank>>, Option<String>);

/// Opens the reranker that the settings choose.
pub(super) fn open_reranker(workspace: &Workspace) -> Result<Opened, Error> {
    let settings = &workspace.settings().search;
    match &settings.reranker {
        RerankerChoice::None => Ok((None, None)),
        RerankerChoice::Server(url) => {
            let options = HttpOptions {
                url: url.clone(),
                model: settings.reranker_model.clone(),
                key: workspace.reranker_key().map(str::to_owned),
                shape: settings.reranker_shape,
                patience: settings.reranker_patience,
            };
            if workspace.settings().cargo_offline && !options.is_local() {
                let why = "the reranker is not asked: the network is off".to_owned();
                return Ok((None, Some(why)));
            }
            Ok((Some(Box::new(HttpRerank::new(options)?)), None))
        }
        RerankerChoice::Model(name) => {
            let files = ModelFolder::new(workspace.models_dir()).open(name)?;
            Ok((Some(of_files(&files)?), None))
        }
    }
}

/// Of query and text together so many tokens are read: the cost grows with them.
#[cfg(feature = "candle")]
const MOST_TOKENS: usize = 256;

#[cfg(feature = "candle")]
fn of_files(files: &model::ModelFiles) -> Result<Box<dyn Rerank>, Error> {
    Ok(Box::new(model::Bert::open(files, MOST_TOKENS)?))
}

#[cfg(not(feature = "candle"))]
fn of_files(_files: &model::ModelFiles) -> Result<Box<dyn Rerank>, Error> {
    Err(model::ModelError::NotBuilt { feature: "candle" }.into())
}
