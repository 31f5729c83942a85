//! Every capability as one typed function, for a person, a model or a server alike: [`Workspace`]
//! (what is open and shared), the request and response types of the command-line contract, and
//! the settings with their origins.
//!
//! Invariants: nothing here prints, and nothing here writes the user's tree but through
//! `repo::Project::apply` with a permit of the gate ([`docs`] fills the folder that it is told to,
//! and replaces there only what it made). The environment is read in one place,
//! [`Surroundings::of_process`], and handed on as a value.

mod accept;
mod advisor;
mod check_tree;
mod doctor;
mod edit_apply;
mod error;
mod host;
mod live;
mod map;
mod retrieve;
mod settings;
mod surroundings;
mod trust;
mod undo;
mod users;
mod workspace;

pub use ::search::{Intent, Mode};
pub use accept::{Acceptance, Accepted, accept};
pub use check_tree::{CheckRequest, CheckResponse, DiagnosticRow, RungRow, TestRows, check_tree};
pub use doctor::{Doctor, Finding, doctor};
pub use edit_apply::{EditApplied, EditApply, ProposalRow, edit_apply, moved_note};
pub use error::{Error, ExitKind};
pub use host::SystemHost;
pub use map::{
    Cleaned, CountsCard, Docs, DocsRequest, EdgeCard, Fresh, ImpactAnswer, ImpactOf, ItemCard,
    NodeCard, ParserMode, PathAnswer, PathRequest, QueryAnswer, Questions, Record, ShowAnswer,
    SiteCard, StreamOutput, StreamRequest, StreamSummary, UnresolvedCard, WalkAnswer, WalkRequest,
    callees, callers, clean, docs, impact, path, query, show, stream,
};
pub use retrieve::{
    By, ContextAnswer, ContextRequest, FeatureCard, Finder, HitCard, SearchAnswer, SearchReport,
    SearchRequest, SnippetCard, StageCard, StepCard, context, index_for_search, index_vectors,
    retriever, search,
};
pub use settings::{
    EncoderChoice, FixAnalyzer, FixRules, Key, Origin, RankerChoice, RerankerChoice,
    SearchSettings, Settings, SettingsError, Shown, keys,
};
pub use surroundings::Surroundings;
pub use trust::trust_folder;
pub use undo::{Restored, redo, undo};
pub use workspace::{Workspace, find_root, find_sources};
