//! What every command opens first: the user's project with its settings, its environment and its shared
//! state ([`Workspace`]), the language model that is configured, the files that a caller may open, and what
//! the user trusts.
//!
//! Invariants: the crate prints nothing and writes nothing into the project. The environment is read in one
//! function, [`Surroundings::of_process`], and passed on as a value.
//!
//! Start at [`Workspace::open`] and [`Settings::load`].

mod clean;
mod doctor;
mod error;
mod host;
mod language;
mod lifecycle;
mod local_model;
mod open_files;
mod policy_view;
mod rust_analyzer;
mod settings;
mod stage;
mod story_review;
mod surroundings;
mod trust;
mod users;
mod verify_model;
mod workspace;

pub use clean::{CleanSummary, clean};
pub use doctor::{DoctorReport, DoctorRow, doctor};
pub use error::{ExitKind, ProjectError};
pub use host::SystemHost;
pub use ingest::peak_rss_bytes;
pub use language::{OpenedModel, language_model};
pub use lifecycle::{RetrievedHits, note_retrieval, recorded};
pub use local_model::LocalServers;
pub use open_files::{FileAccess, OpenFiles, closed_file, closed_to_agents};
pub use policy_view::{PolicyView, ThreadRow, policy_verified, policy_view};
pub use settings::{
    AnalyzerSettings, AnswerForm, EncoderChoice, FixAnalyzer, FixRules, ModelSettings, POLICY_FILE,
    RankerChoice, RerankerChoice, SETTINGS_FILE, SearchSettings, ServeSettings, SettingOrigin,
    SettingRow, Settings, SettingsError, SkillStore, WriteConsent,
};
pub use stage::stage;
pub use surroundings::{Environment, Surroundings};
pub use trust::{TrustFor, trust_folder, trust_registry};
pub use verify_model::verify_model;
pub use workspace::Workspace;
