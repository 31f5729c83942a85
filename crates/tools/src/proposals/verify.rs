//! `edit preflight`: verifies proposals on the present tree, and records the result. Also what
//! `edit approve` shares with it: proposals as one change, and its proof.

use base::Ctx;
use check::{Checked, Ladder, MappedDiagnostic, SkipRule, Tests};
use edit::Overlay;
use policy::{Approval, Evidence, GateRules, Keep, Permit, Refusal, RungName};
use project::Workspace;
use project::recorded;
use record::{PreflightRecord, Proposal, Record, RecordEntry};
use repair::Overlaid;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::card::{self, ProposalCard};
use super::error::ProposalError;
use super::open::{OpenRecord, stale_file};
use crate::accept::AcceptedChange;
use crate::lifecycle::gate_result;
use crate::toolbox::tests_schema;
use crate::{Error, ReportedDiagnostic};

/// Input of [`preflight_check`].
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PreflightRequest {
    /// Ids, verified together, or items that one open proposal changes.
    #[schemars(inner(length(min = record::ID_LENGTH)))]
    pub ids: Vec<String>,
    /// Tests to run; the setting `check.tests` if absent.
    #[serde(default)]
    #[schemars(schema_with = "tests_schema")]
    pub tests: Option<Tests>,
}

/// Result of [`preflight_check`], as `--json` prints it.
#[derive(Debug, Serialize)]
pub struct PreflightResponse {
    /// The proposals.
    pub proposals: Vec<ProposalCard>,
    /// Whether the changed tree builds.
    pub compile_ok: bool,
    /// Whether the tests are as good as before; `None`: no tests ran.
    pub test_ok: Option<bool>,
    /// Reasons of the gate; empty if it would open.
    pub refusals: Vec<Refusal>,
    /// Diagnostics, errors first.
    pub diagnostics: Vec<ReportedDiagnostic>,
    /// Damage of the record, and what was not checked.
    pub notes: Vec<String>,
}

/// Most parts that were not checked in a note.
const SHOWN: usize = 6;

/// Verifies proposals on the present tree, together, and records the evidence to be shown. Nothing
/// is written. `on` receives the diagnostics while the check runs.
///
/// # Errors
/// An id that names no open proposal; a stale proposal; proposals that change the same lines; a
/// check that cannot run. A refusal of the gate is no error.
pub fn preflight_check(
    ctx: &Ctx,
    workspace: &Workspace,
    request: &PreflightRequest,
    on: &mut dyn FnMut(&ReportedDiagnostic),
) -> Result<PreflightResponse, Error> {
    let args = json!({ "ids": request.ids, "tests": request.tests });
    recorded(
        ctx,
        workspace,
        "edit preflight",
        args,
        || preflight_check_unrecorded(ctx, workspace, request, on),
        |it| gate_result(if it.refusals.is_empty() { "proven" } else { "refused" }, &it.refusals),
    )
}

fn preflight_check_unrecorded(
    ctx: &Ctx,
    workspace: &Workspace,
    request: &PreflightRequest,
    on: &mut dyn FnMut(&ReportedDiagnostic),
) -> Result<PreflightResponse, Error> {
    let open = OpenRecord::open(ctx, workspace)?;
    let change = OneChange::of(ctx, &open, &request.ids)?;
    let tests = request.tests.unwrap_or(workspace.settings().check_tests);
    let proof = Proof::of(ctx, workspace, change.overlay, tests, on)?;
    let refusals = proof.refusals(&Approval::default());
    proof.record(ctx, &open.record, &change.ids, refusals.is_empty())?;
    let evidence = &proof.checked.evidence;
    Ok(PreflightResponse {
        proposals: open.cards(&change.ids)?,
        compile_ok: builds(evidence),
        test_ok: tests_pass(evidence),
        refusals,
        diagnostics: proof.diagnostics(),
        notes: open.troubles.into_iter().chain(not_checked(evidence)).collect(),
    })
}

/// The parts that the proof did not look at, one line; `None` if there are none.
pub fn not_checked(evidence: &Evidence) -> Option<String> {
    let parts = &evidence.coverage.not_looked_at;
    let shown = parts.iter().take(SHOWN).map(|it| it.text.clone());
    let more = parts.len().saturating_sub(SHOWN);
    let more = (more > 0).then(|| format!("{more} more"));
    let all: Vec<String> = shown.chain(more).collect();
    (!all.is_empty()).then(|| format!("not checked: {}", all.join("; ")))
}

/// Whether the change was built, and without errors.
pub(super) fn builds(evidence: &Evidence) -> bool {
    evidence.errors_after == 0 && evidence.rung(RungName::Check).is_some_and(|rung| rung.passed)
}

/// Whether the tests ran to the end and none is worse than before; `None`: none ran.
pub(super) fn tests_pass(evidence: &Evidence) -> Option<bool> {
    let tests = evidence.tests.as_ref()?;
    Some(tests.complete && tests.newly_failing().is_empty() && tests.lost.is_empty())
}

/// Open proposals as one change of the present tree.
pub(super) struct OneChange {
    /// Their full ids, in the order given.
    pub(super) ids: Vec<String>,
    pub(super) proposals: Vec<Proposal>,
    pub(super) overlay: Overlay,
}

impl OneChange {
    /// Composes proposals. All must be open, and none stale.
    pub(super) fn of(ctx: &Ctx, open: &OpenRecord<'_>, ids: &[String]) -> Result<Self, Error> {
        if ids.is_empty() {
            let (reason, fix) = ("it is empty".to_owned(), "name a proposal".to_owned());
            return Err(ProposalError::Field { field: "ids", reason, fix }.into());
        }
        let proposals = open.find(ids)?;
        let mut overlay: Option<Overlay> = None;
        let mut before: Vec<String> = Vec::new();
        for proposal in &proposals {
            let id = proposal.new.id.clone();
            if !proposal.state.is_open() {
                let reason = format!("proposal {id} is {} already", proposal.state.as_str());
                return Err(record::RecordError::Illegal { reason }.into());
            }
            if let Some(file) = stale_file(open.workspace, &proposal.new) {
                let entry =
                    RecordEntry::Stale { id: id.clone(), file: file.clone(), at: ctx.now() };
                // Known already: noted once.
                if proposal.stale.as_ref() != Some(&file) {
                    open.record.write(ctx, |_| Ok::<_, Error>((vec![entry], ())))?;
                }
                return Err(ProposalError::Stale { id, file }.into());
            }
            let own = card::overlay(open.record.texts(), proposal)?;
            overlay = Some(match overlay {
                None => own,
                Some(first) => {
                    let next = after(open.workspace, &first, own);
                    let conflict = |reason: String| ProposalError::Conflict {
                        first: before.join(", "),
                        second: id.clone(),
                        reason,
                    };
                    let next = next.map_err(|error| conflict(error.to_string()))?;
                    first.compose(&next).map_err(|error| conflict(error.to_string()))?
                }
            });
            before.push(id);
        }
        let overlay = overlay.unwrap_or_else(Overlay::empty);
        Ok(Self { ids: before, proposals, overlay })
    }
}

/// A change as it is after another one: as it is if they have no file in common, else its diff staged
/// on the texts that the other one makes.
fn after(workspace: &Workspace, first: &Overlay, own: Overlay) -> Result<Overlay, edit::EditError> {
    if own.changes().all(|(path, _)| first.get(path).is_none()) {
        return Ok(own);
    }
    let project = workspace.project();
    let request = edit::parse_request(&own.unified_diff(), project.root())?;
    let files = Overlaid { base: project, overlay: first };
    Ok(edit::stage(&files, &request, &own.author, own.created_at)?.overlay)
}

/// A change that was verified on the present tree.
pub(crate) struct Proof {
    pub(crate) checked: Checked,
    pub(super) ladder: Ladder,
    pub(super) rules: GateRules,
    tests: Tests,
}

impl Proof {
    /// Verifies a change. `on` receives the diagnostics while the check runs.
    pub(crate) fn of(
        ctx: &Ctx,
        workspace: &Workspace,
        overlay: Overlay,
        tests: Tests,
        on: &mut dyn FnMut(&ReportedDiagnostic),
    ) -> Result<Self, Error> {
        let mut stream = |mapped: &MappedDiagnostic| on(&ReportedDiagnostic::from(mapped));
        let ladder = Ladder { skip: SkipRule::LastCommit, ..workspace.ladder(tests, None) };
        let checked = workspace.prover(ctx)?.prove(ctx, overlay, &ladder, &mut stream)?;
        Ok(Self { checked, ladder, rules: edit_rules(workspace, tests), tests })
    }

    /// Why the gate is closed; empty if it opens.
    pub(crate) fn refusals(&self, approval: &Approval) -> Vec<Refusal> {
        self.decide(approval).err().unwrap_or_default()
    }

    /// The permit, or why there is none.
    pub(super) fn decide(&self, approval: &Approval) -> Result<Permit, Vec<Refusal>> {
        policy::decide(&self.rules, self.checked.evidence.clone(), approval).permit()
    }

    pub(super) fn diagnostics(&self) -> Vec<ReportedDiagnostic> {
        self.checked.mapped.iter().map(ReportedDiagnostic::from).collect()
    }

    /// Records the verification of these proposals.
    pub(super) fn record(
        &self,
        ctx: &Ctx,
        record: &Record,
        ids: &[String],
        passed: bool,
    ) -> Result<(), Error> {
        let verified = (&self.checked.evidence, self.tests);
        record_verification(ctx, record, ids, verified, passed)
    }
}

fn record_verification(
    ctx: &Ctx,
    record: &Record,
    ids: &[String],
    (evidence, tests): (&Evidence, Tests),
    passed: bool,
) -> Result<(), Error> {
    let json = serde_json::to_vec(evidence)
        .map_err(|error| record::RecordError::Entry { reason: error.to_string() })?;
    let preflight = PreflightRecord {
        ids: ids.to_vec(),
        passed,
        evidence: record.texts().put(ctx, &json)?,
        tests: tests_name(tests).to_owned(),
        at: ctx.now(),
    };
    record.write(ctx, |_| Ok((vec![RecordEntry::Preflighted(preflight)], ())))
}

/// Records that the change of a proposal was verified as a part of the run that made it, so that it needs no
/// [`preflight_check`] before an approval, which verifies it again. A proposal of another change stays as it is.
///
/// # Errors
/// An id that names no proposal; a record that cannot be written.
pub fn record_verified(
    ctx: &Ctx,
    workspace: &Workspace,
    id: &str,
    change: &AcceptedChange,
) -> Result<(), Error> {
    let open = OpenRecord::open(ctx, workspace)?;
    let proposal = open.proposals.find(id)?;
    if proposal.new.patch_set != change.overlay.patch_set() || !proposal.state.is_open() {
        return Ok(());
    }
    let verified = (change.permit.evidence(), change.ladder.tests);
    record_verification(ctx, &open.record, std::slice::from_ref(&proposal.new.id), verified, true)
}

/// The gate's rules for edits: an edit may remove code, since its author asked for that, but not
/// tests.
pub(super) fn edit_rules(workspace: &Workspace, tests: Tests) -> GateRules {
    GateRules { keep: Keep::Tests, ..workspace.rules(tests) }
}

const TESTS: [(&str, Tests); 3] =
    [("none", Tests::None), ("affected", Tests::Affected), ("all", Tests::All)];

fn tests_name(tests: Tests) -> &'static str {
    TESTS.iter().find(|(_, it)| *it == tests).map_or("none", |(name, _)| name)
}

/// The tests of the last verification of a proposal.
pub(super) fn tests_of(proposal: &Proposal) -> Option<Tests> {
    let name = &proposal.preflight.as_ref()?.tests;
    TESTS.iter().find(|(it, _)| it == name).map(|(_, tests)| *tests)
}
