//! Every command on an open project (`project::Workspace`) as one typed function, for the command line, a
//! model or a server: the request and response types of the command-line contract, and the toolbox. What
//! only asks about the code is in the crate `code`.
//!
//! Invariants: the crate prints nothing. It writes the user's tree only through
//! `repo::Project::apply` with a permit of the gate.
//!
//! Start at one command such as [`check_tree`] or [`propose`], or at [`Toolbox`].

mod accept;
mod advisor;
mod check_tree;
mod consent;
mod edit_apply;
mod error;
mod files;
mod guidance;
mod hook;
mod lesson;
mod lifecycle;
mod memory;
mod proof_text;
mod proposals;
mod query;
mod refactor_plan;
mod relations;
mod stats;
mod toolbox;
mod undo;
mod upgrade;
mod world;

pub use accept::{AcceptOutcome, AcceptedChange, accept, moved_note};
pub use advisor::advisor;
pub use check_tree::{
    CheckRequest, CheckResponse, ReportedDiagnostic, RungRow, TestRows, check_tree,
};
pub use consent::{
    Consent, ConsentAct, ConsentError, ConsentQuestion, Consents, PendingChange, ShownDiff,
};
pub use edit_apply::{EditApplyRequest, EditResponse, ProposalRow, edit_apply};
pub use error::Error;
pub use files::ExecOutput;
pub use guidance::{
    BrokenLink, PlanAnswer, PlanNode, Plans, ReferenceCard, ReferenceTitle, RefusedRule, RuleCard,
    RulesAnswer, RulesList, RulesRequest, ScoredSkill, SkillCard, SkillPlaces, SkillRun,
    SkillShown, SkillVerdict, SkillsFound, SkillsList, SkippedCard, StoredPlan, StoredStep,
    plan_id, rules, rules_list, skill_run, skill_show, skill_validate, skills_list, skills_search,
    trust_skills,
};
pub use hook::{HookAnswer, HookInput, HookMode, agent_hook, hook_not_finished, hook_refused};
pub use memory::{
    ForgetRequest, ForgetResponse, ForgottenRow, KeptChange, KeptError, KeptRun, MemoryAnswer,
    MemoryHit, MemoryKind, MemoryRequest, RememberedAnswer, changed_items, kept_run, kept_text,
    learned_edits, memory_forget, memory_search, remembered_answers,
};
pub use proof_text::{proof_summary, tests_summary};
pub(crate) use proposals::ApplyCodeEditRequest;
pub use proposals::{
    ApproveRequest, ApproveResponse, BlockedBy, CodeContextRequest, PolicyExplanation,
    PreflightRequest, PreflightResponse, ProposalCard, ProposalError, ProposalList, ProposeRequest,
    ProposeResponse, ProvenChange, RejectRequest, RejectResponse, ReviewedWrite, WrittenReview,
    approve, change_of_text, keep, list_proposals, not_checked, pending_approval, policy_explain,
    preflight_check, proposal, propose, propose_again, record_verified, reject,
    request_code_context, reviewed,
};
pub use query::{DatalogSession, QueryAnswer};
pub use refactor_plan::{
    CodePlaces, FormerItem, InlineDraft, RelocationDraft, RenamePlan, ReshapeDraft, former_names,
    inline_plan, present_names, relocation_plan, rename_plan, reshape_plan, sibling_names,
};
pub use stats::{Percentiles, RetrievalStats, RunStats, StatsReport, ToolStats, stats};
pub use toolbox::{
    DiagnosticLine, DiagnosticLines, Effect, ExplainErrorInput, ExplainErrorOutput,
    ProposeEditInput, StagedOutput, Tool, ToolCard, ToolError, ToolFormat, ToolListing, Toolbox,
    changed_files,
};
pub use undo::{RestoreSummary, pending_restore, redo, restore_consented, undo};
pub use upgrade::{Upgrade, changed_libraries, upgrade};
pub use world::{
    ExploredFile, ListedStory, StoryProblemRow, StoryRow, WorldList, WorldRequest, WorldResponse,
    WorldSeen, world_explore, world_list, world_moved, world_seen, world_test,
};
