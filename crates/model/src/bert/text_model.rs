//! A BERT model as the encoder of a search index.

use search::{TextModel, TextModelError};

use super::Bert;
use crate::error::ModelError;
use crate::folder::{ModelFiles, ModelUse};

impl Bert {
    /// Loads a model that computes the vectors of an index; see [`Bert::open`].
    ///
    /// # Errors
    /// As [`Bert::open`], and where the manifest gives the model another use.
    pub fn open_encoder(files: &ModelFiles, max_tokens: usize) -> Result<Self, ModelError> {
        if files.r#use != ModelUse::Encoder {
            let reason = "the manifest does not have `use = \"encoder\"`".to_owned();
            return Err(ModelError::Unusable { name: files.name.clone(), reason });
        }
        Self::open(files, max_tokens)
    }
}

impl TextModel for Bert {
    fn name(&self) -> &str {
        &self.name
    }

    fn dims(&self) -> usize {
        self.dims
    }

    fn read(&self, texts: &[&str]) -> Result<Vec<Vec<f32>>, TextModelError> {
        // Texts of similar length share a batch, because a batch is padded to its longest text.
        let mut order: Vec<usize> = (0..texts.len()).collect();
        order.sort_by_key(|at| texts[*at].len());
        let sorted: Vec<&str> = order.iter().map(|at| texts[*at]).collect();
        let read = self.embed(&sorted).map_err(|error| TextModelError::Failed(error.into()))?;
        let mut vectors = vec![Vec::new(); texts.len()];
        for (at, vector) in order.into_iter().zip(read) {
            vectors[at] = vector;
        }
        Ok(vectors)
    }
}
