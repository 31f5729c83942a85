use search::Reader;

use super::Bert;
use crate::error::ModelError;
use crate::folder::{ModelFiles, ModelUse};

impl Bert {
    /// Loads a model that gives vectors of texts, for an index of them; see [`Bert::open`].
    ///
    /// # Errors
    /// As [`Bert::open`], and where the manifest says that the model is for something else.
    pub fn open_encoder(files: &ModelFiles, most_tokens: usize) -> Result<Self, ModelError> {
        if files.r#use != ModelUse::Encoder {
            let reason = "the manifest does not say `use = \"encoder\"`".to_owned();
            return Err(ModelError::Unusable { name: files.name.clone(), reason });
        }
        Self::open(files, most_tokens)
    }
}

impl Reader for Bert {
    fn name(&self) -> &str {
        &self.name
    }

    fn dims(&self) -> usize {
        self.dims
    }

    fn read(&self, texts: &[&str]) -> Result<Vec<Vec<f32>>, String> {
        // Those of like length go through the network together: all are filled up to the longest.
        let mut order: Vec<usize> = (0..texts.len()).collect();
        order.sort_by_key(|at| texts[*at].len());
        let sorted: Vec<&str> = order.iter().map(|at| texts[*at]).collect();
        let read = self.embed(&sorted).map_err(|trouble| trouble.to_string())?;
        let mut vectors = vec![Vec::new(); texts.len()];
        for (at, vector) in order.into_iter().zip(read) {
            vectors[at] = vector;
        }
        Ok(vectors)
    }
}
