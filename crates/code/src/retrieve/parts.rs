//! What all searches in one map share. Start at [`PartsMaker`].

use std::sync::Arc;

use base::Ctx;
use graph::Map;
use ingest::{Index, SearchUpdater};
use project::Workspace;
use search::{AnswerCache, Encoder, HistoryIndex, Intent, Rerank, SearchIndex, Stages, Weights};

use super::past::Past;
use crate::CodeError;

/// What all searches in one map share.
pub(crate) struct FinderParts {
    pub(super) index: SearchIndex,
    pub(super) rankers: Arc<Rankers>,
    pub(super) past: Option<Arc<HistoryIndex>>,
    /// Reason why a configured ranking stage is missing.
    pub(super) skipped: Option<String>,
    pub(super) answers: AnswerCache,
}

/// What the settings choose for all maps of a workspace.
pub(super) struct Rankers {
    pub(super) encoder: Option<Arc<dyn Encoder>>,
    pub(super) weights: [(Option<Intent>, Option<Weights>); 3],
    pub(super) stages: Stages,
    pub(super) reranker: Option<Box<dyn Rerank>>,
    without_reranker: Option<String>,
}

impl Rankers {
    fn open(workspace: &Workspace) -> Result<Self, CodeError> {
        let settings = &workspace.settings().search;
        let weights = [None, Some(Intent::Find), Some(Intent::Locate)]
            .map(|intent| settings.custom_weights(intent).map(|weights| (intent, weights)));
        let [mixed, find, locate] = weights;
        let (reranker, without_reranker) = super::reranker::open_reranker(workspace)?;
        Ok(Self {
            encoder: super::encoder::open_encoder(workspace)?,
            weights: [mixed?, find?, locate?],
            stages: settings.stages,
            reranker,
            without_reranker,
        })
    }
}

/// Makes the parts of one map after another; what does not depend on the map is opened once.
pub(crate) struct PartsMaker {
    updater: SearchUpdater,
    rankers: Option<Arc<Rankers>>,
    past: Past,
}

impl PartsMaker {
    /// For the maps of an index.
    pub(crate) fn new(index: &Index) -> Self {
        Self { updater: SearchUpdater::new(index), rankers: None, past: Past::default() }
    }

    /// The parts of a map; texts that `known` has in memory are not read again.
    pub(crate) fn parts(
        &mut self,
        ctx: &Ctx,
        workspace: &Workspace,
        map: &Map,
        known: Option<&Index>,
    ) -> Result<FinderParts, CodeError> {
        let rankers = match &self.rankers {
            Some(rankers) => Arc::clone(rankers),
            None => Arc::clone(self.rankers.insert(Arc::new(Rankers::open(workspace)?))),
        };
        let index = self.updater.update(ctx, map, rankers.encoder.as_deref(), known)?.index;
        let (past, without_past) = self.past.of_map(ctx, workspace, map)?;
        Ok(FinderParts {
            index,
            past,
            skipped: rankers.without_reranker.clone().or(without_past),
            rankers,
            answers: AnswerCache::default(),
        })
    }

    /// Writes the last search index, for other processes and the next one.
    pub(crate) fn write(&mut self, ctx: &Ctx) -> Result<(), CodeError> {
        Ok(self.updater.write(ctx)?)
    }
}
