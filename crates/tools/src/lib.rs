//! Every command as one typed function, for the command line, a model or a server: [`Workspace`]
//! (an open project and its shared state), the request and response types of the command-line
//! contract, and the settings with their origins.
//!
//! Invariants: the crate prints nothing. It writes the user's tree only through
//! `repo::Project::apply` with a permit of the gate; the exception is [`docs`], which writes a
//! directory of its own and replaces only files that it wrote. The environment is read in one
//! function, [`Surroundings::of_process`], and passed on as a value.
//!
//! Start at [`Workspace::open`], then at one command such as [`check_tree`] or [`search()`].

mod accept;
mod advisor;
mod check_tree;
mod consent;
mod doctor;
mod edit_apply;
mod error;
mod files;
mod guidance;
mod hook;
mod host;
mod language;
mod lesson;
mod lifecycle;
mod live;
mod map;
mod memory;
mod open_files;
mod policy_view;
mod proposals;
mod query;
mod refactor;
mod relations;
mod retrieve;
mod rust_analyzer;
mod settings;
mod stage;
mod stats;
mod surroundings;
mod toolbox;
mod trust;
mod undo;
mod upgrade;
mod users;
mod workspace;

pub use ::search::{Intent, Mode};
pub use accept::{AcceptOutcome, AcceptedChange, accept, moved_note};
pub use check_tree::{
    CheckRequest, CheckResponse, ReportedDiagnostic, RungRow, TestRows, check_tree,
};
pub use consent::{
    Consent, ConsentAct, ConsentError, ConsentQuestion, Consents, PendingChange, ShownDiff,
};
pub use doctor::{DoctorReport, DoctorRow, doctor};
pub use edit_apply::{EditApplyRequest, EditResponse, ProposalRow, edit_apply};
pub use error::{Error, ExitKind};
pub use files::ExecOutput;
pub use guidance::{
    BrokenLink, PlanAnswer, PlanNode, Plans, ReferenceCard, ReferenceTitle, RefusedRule, RuleCard,
    RulesAnswer, RulesList, RulesRequest, ScoredSkill, SkillCard, SkillPlaces, SkillRun,
    SkillShown, SkillVerdict, SkillsFound, SkillsList, SkippedCard, StoredPlan, StoredStep,
    plan_id, rules, rules_list, skill_run, skill_show, skill_validate, skills_list, skills_search,
    trust_skills,
};
pub use hook::{HookAnswer, HookInput, HookMode, agent_hook, hook_not_finished, hook_refused};
pub use host::SystemHost;
pub use ingest::peak_rss_bytes;
pub use language::{OpenedModel, language_model};
pub use lifecycle::recorded;
pub(crate) use lifecycle::{note_context, note_search};
pub use live::Follower;
pub use map::{
    CleanSummary, CountsCard, CurrentMap, DocsRequest, DocsSummary, EdgeCard, ImpactAnswer,
    ImpactOf, ItemCard, NodeCard, ParserMode, PathAnswer, PathRequest, ShowAnswer, SiteCard,
    StreamOutput, StreamRecord, StreamRequest, StreamSummary, UnresolvedCard, WalkAnswer,
    WalkRequest, callees, callers, clean, docs, impact, path, show, stream,
};
pub use memory::{
    ForgetRequest, ForgetResponse, ForgottenRow, MemoryAnswer, MemoryHit, MemoryKind,
    MemoryRequest, changed_items, learned_edits, memory_forget, memory_search,
};
pub use open_files::{FileAccess, closed_to_agents};
pub use policy_view::{PolicyView, ThreadRow, policy_verified, policy_view};
pub(crate) use proposals::{ApplyCodeEditRequest, approve_consented};
pub use proposals::{
    ApproveRequest, ApproveResponse, BlockedBy, CodeContextRequest, PolicyExplanation,
    PreflightRequest, PreflightResponse, ProposalCard, ProposalError, ProposalList, ProposeRequest,
    ProposeResponse, RejectRequest, RejectResponse, approve, list_proposals, pending_approval,
    policy_explain, preflight_check, proposal, propose, propose_again, reject,
    request_code_context,
};
pub use query::{DatalogSession, QueryAnswer};
pub use refactor::{
    CodePlaces, FormerItem, InlineDraft, RelocationDraft, RenamePlan, ReshapeDraft, former_names,
    inline_plan, relocation_plan, rename_plan, reshape_plan, sibling_names,
};
pub use retrieve::{
    ContextAnswer, ContextRequest, FeatureCard, Finder, HitCard, SearchAnswer, SearchReport,
    SearchRequest, SearchUnit, SnippetCard, StageCard, StepCard, context, index_for_search,
    index_vectors, retriever, search,
};
pub use settings::{
    AnalyzerSettings, AnswerForm, EncoderChoice, FixAnalyzer, FixRules, ModelSettings,
    RankerChoice, RerankerChoice, SearchSettings, ServeSettings, SettingOrigin, SettingRow,
    Settings, SettingsError, SkillStore, WriteConsent,
};
pub use stats::{Percentiles, RetrievalStats, RunStats, StatsReport, ToolStats, stats};
pub use surroundings::{Environment, Surroundings};
pub use toolbox::{
    DiagnosticLine, DiagnosticLines, Effect, ExplainErrorInput, ExplainErrorOutput,
    ProposeEditInput, StagedOutput, Tool, ToolCard, ToolError, ToolFormat, ToolListing, Toolbox,
    changed_files,
};
pub use trust::{TrustFor, trust_folder, trust_registry};
pub use undo::{RestoreSummary, pending_restore, redo, restore_consented, undo};
pub use upgrade::{Upgrade, changed_libraries, upgrade};
pub use workspace::Workspace;
