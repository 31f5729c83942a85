//! [`Reviewed`]: a change that the editor is shown, the question about it, and its write.

use std::time::Duration;

use agent::front::{JobEnd, JobRequest, OfferId, OfferedChange, PlanCard, ProofCard, WriteRequest};
use base::ContentHash;
use edit::Overlay;
use serde_json::Value;

use crate::turn::{Turn, fenced, paths, safe};
use crate::wire::{
    self, AcpMode, FileDiff, PermissionChoice, ToolFields, ToolKind, ToolStatus, update,
};

/// Longest time that a question waits for the person.
const PATIENCE: Duration = Duration::from_secs(60 * 60);

/// Most places that a change leaves in the question about its write.
const LEFT: usize = 5;

/// A change and the call by which the editor shows it.
pub(crate) struct Reviewed<'t, 'a> {
    turn: &'t mut Turn<'a>,
    change: OfferedChange,
    proposal: Option<String>,
    call: String,
}

/// A change that was written.
pub(crate) struct WrittenChange {
    pub(crate) plan: Option<PlanCard>,
}

/// The person's answer to a question.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Reply {
    /// This option.
    Chosen(String),
    /// The prompt was cancelled, or the client has ended.
    Cancelled,
    /// None that can be read, or none in time: nothing is written.
    None(String),
}

impl<'a> Turn<'a> {
    /// The change to review. Of several that are not verified, the one that the person chooses.
    pub(crate) fn chosen(&self, changes: Vec<OfferedChange>) -> Option<OfferedChange> {
        let mut changes = changes;
        if changes.len() < 2 || changes.first().is_some_and(|it| it.proof.is_some()) {
            return (!changes.is_empty()).then(|| changes.remove(0));
        }
        let option = |(at, it): (usize, &OfferedChange)| PermissionChoice {
            id: format!("choice-{at}"),
            name: safe(&format!("{}. {}: {}", at + 1, it.title, it.rationale.join("; "))),
            kind: "allow_once",
        };
        let mut options: Vec<PermissionChoice> = changes.iter().enumerate().map(option).collect();
        for option in &options {
            self.say(&option.name);
        }
        let (id, name) = ("none".to_owned(), "None of them".to_owned());
        options.push(PermissionChoice { id, name, kind: "reject_once" });
        let call = self.session.next_call();
        let diffs = changes.iter().flat_map(|it| self.diffs(&it.change)).collect();
        let fields = ToolFields {
            title: Some("Which of these changes?".to_owned()),
            kind: Some(ToolKind::Edit),
            status: Some(ToolStatus::Pending),
            diffs,
            ..ToolFields::default()
        };
        match self.ask(&fields.to_value(&call), &options) {
            Reply::Chosen(id) => {
                let at: usize = id.strip_prefix("choice-")?.parse().ok()?;
                (at < changes.len()).then(|| changes.remove(at))
            }
            Reply::None(why) => {
                self.say(&why);
                None
            }
            Reply::Cancelled => None,
        }
    }

    /// Asks the person. The answer counts for this question alone.
    fn ask(&self, call: &Value, options: &[PermissionChoice]) -> Reply {
        let params = wire::permission(&self.session.id, call, options);
        let peer = &self.session.connection.peer;
        let answer =
            peer.request("session/request_permission", &params, PATIENCE, &|| self.is_stopped());
        let nothing = |why: String| Reply::None(format!("nothing was written: {why}"));
        match answer.map(|it| wire::chosen(&it)) {
            Ok(Ok(Some(id))) if options.iter().any(|it| it.id == id) => Reply::Chosen(id),
            Ok(Ok(Some(_))) => nothing("the editor answered with none of the options".to_owned()),
            Ok(Ok(None)) => Reply::Cancelled,
            Ok(Err(error)) => nothing(error.message),
            Err(rpc::RpcFault::Stopped | rpc::RpcFault::Closed) => Reply::Cancelled,
            Err(error) => nothing(format!("the question was not answered: {error}")),
        }
    }

    /// Asks about an undo or redo.
    pub(crate) fn agreed_to_restore(&self, verb: &str, question: &str) -> bool {
        let call = self.session.next_call();
        self.session.send(update::tool_call(&call, verb, ToolKind::Edit));
        let fields = ToolFields {
            title: Some(verb.to_owned()),
            kind: Some(ToolKind::Edit),
            status: Some(ToolStatus::Pending),
            text: Some(fenced(question)),
            ..ToolFields::default()
        };
        let options = [
            PermissionChoice { id: "yes".to_owned(), name: "Yes".to_owned(), kind: "allow_once" },
            PermissionChoice { id: "no".to_owned(), name: "No".to_owned(), kind: "reject_once" },
        ];
        let reply = self.ask(&fields.to_value(&call), &options);
        let agreed = reply == Reply::Chosen("yes".to_owned());
        if let Reply::None(why) = reply {
            self.say(&why);
        }
        let status = if agreed { ToolStatus::Completed } else { ToolStatus::Failed };
        self.session.send(update::tool_call_update(&call, &ToolFields::status(status)));
        agreed
    }

    /// The files of a change, as the editor shows them: against the text that it has.
    pub(crate) fn diffs(&self, change: &Overlay) -> Vec<FileDiff> {
        let unsaved = self.buffers.unsaved().unwrap_or_else(|_| Overlay::empty());
        let diff = |(path, it): (&base::ProjectPath, &edit::FileChange)| FileDiff {
            path: path.join_to(&self.session.root),
            old: match unsaved.get(path).and_then(|it| it.after.as_ref()) {
                Some(text) => Some(text.text.to_string()),
                None => it.before.as_ref().map(|it| it.text.to_string()),
            },
            new: it.after_text().to_owned(),
        };
        change.changes().map(diff).collect()
    }
}

impl<'t, 'a> Reviewed<'t, 'a> {
    pub(crate) fn new(turn: &'t mut Turn<'a>, change: OfferedChange) -> Self {
        let call = turn.session.next_call();
        Self { turn, change, proposal: None, call }
    }

    /// The proposal that keeps it.
    pub(crate) fn of_proposal(self, id: String) -> Self {
        Self { proposal: Some(id), ..self }
    }

    /// Shows the change, proves it where that is not done, and writes it if the person agrees.
    pub(crate) fn settle(mut self) -> Option<WrittenChange> {
        self.show();
        let proof = self.proof()?;
        if !proof.opens() {
            self.turn.say(&format!("the gate refuses it: {}", proof.refusals.join("; ")));
            self.end(ToolStatus::Failed);
            self.keep();
            return None;
        }
        if !self.may_write() {
            return None;
        }
        self.turn.plan(4);
        let touched = paths(&self.change.change);
        if self.is_changed_meanwhile(&touched) {
            return None;
        }
        let (offer, patch_set) = (proof.offer, proof.patch_set);
        let nonce = self.agreed(&proof)?;
        // The person may have typed, or chosen another mode, while the question waited.
        if self.is_changed_meanwhile(&touched) || !self.may_write() {
            return None;
        }
        self.write((offer, patch_set), nonce)
    }

    /// Whether the mode allows a write now; where not, the change is kept.
    fn may_write(&mut self) -> bool {
        let is_allowed = self.turn.session.mode() == AcpMode::Apply;
        if !is_allowed {
            self.keep();
            self.end(ToolStatus::Completed);
        }
        is_allowed
    }

    fn show(&self) {
        let session = self.turn.session;
        session.send(update::tool_call(&self.call, &safe(&self.change.title), ToolKind::Edit));
        session.send(update::tool_call_update(&self.call, &self.fields(None)));
    }

    fn fields(&self, text: Option<String>) -> ToolFields {
        let change = &self.change.change;
        let root = &self.turn.session.root;
        let location = |path: &base::ProjectPath| {
            let first = change.file_hunks(path).first().map_or(0, |it| it.1.start);
            (path.join_to(root), u32::try_from(first + 1).unwrap_or(1))
        };
        ToolFields {
            title: Some(safe(&self.change.title)),
            kind: Some(ToolKind::Edit),
            status: Some(ToolStatus::Pending),
            diffs: self.turn.diffs(change),
            text,
            locations: paths(change).iter().map(location).collect(),
        }
    }

    fn end(&self, status: ToolStatus) {
        let fields = ToolFields::status(status);
        self.turn.session.send(update::tool_call_update(&self.call, &fields));
    }

    /// The proof of the change; makes one where there is none.
    fn proof(&self) -> Option<ProofCard> {
        if let Some(proof) = &self.change.proof {
            return Some(proof.clone());
        }
        let change = Box::new(self.change.change.clone());
        let end = self.turn.run_job(JobRequest::Prove { change, tests: None }, ToolKind::Execute);
        match end {
            JobEnd::Proven(card) => {
                self.turn.say(&format!("proof {}", card.summary()));
                if let Some(not_checked) = &card.not_checked {
                    self.turn.say(not_checked);
                }
                Some(card)
            }
            JobEnd::Failed(error, hint) => {
                self.turn.failed(&self.change.title, &error, hint.as_deref());
                self.end(ToolStatus::Failed);
                None
            }
            _ => {
                self.end(ToolStatus::Failed);
                None
            }
        }
    }

    /// Keeps the change as a proposal.
    fn keep(&mut self) {
        if let Some(id) = &self.proposal {
            return self.turn.say(&format!("it stays proposal {id}"));
        }
        let change = Box::new(self.change.change.clone());
        let title = self.change.title.clone();
        match self.turn.run_quietly(JobRequest::Keep { change, instead: None, title }) {
            JobEnd::Kept(id, _) => {
                self.turn.say(&format!("kept as proposal {id}: `/open {id}` reviews it"));
                self.proposal = Some(id);
            }
            JobEnd::Failed(error, hint) => self.turn.failed("keep", &error, hint.as_deref()),
            _ => {}
        }
    }

    fn is_changed_meanwhile(&mut self, touched: &[base::ProjectPath]) -> bool {
        let Some(path) = self.turn.buffers.changed(touched) else { return false };
        self.turn.say(&format!(
            "nothing was written: {path} is another text in the editor than the one that was proven; send it again"
        ));
        self.end(ToolStatus::Failed);
        true
    }

    /// Asks for the write; the nonce of the question if the person agreed.
    fn agreed(&mut self, proof: &ProofCard) -> Option<String> {
        let left = self.change.left.iter().take(LEFT).cloned();
        let titles = std::iter::once(self.change.title.clone()).chain(left).collect();
        let job = JobRequest::Ask { offer: proof.offer, titles };
        let (nonce, question) = match self.turn.run_quietly(job) {
            JobEnd::Question(nonce, text) => (nonce, text),
            JobEnd::Refused(reasons) => {
                self.turn.say(&format!("the gate refuses it: {}", reasons.join("; ")));
                self.end(ToolStatus::Failed);
                return None;
            }
            JobEnd::Failed(error, hint) => {
                self.turn.failed(&self.change.title, &error, hint.as_deref());
                self.end(ToolStatus::Failed);
                return None;
            }
            _ => return None,
        };
        if self.turn.session.agrees_to_all() && proof.passes_tests() {
            return Some(nonce);
        }
        let call = self.fields(Some(fenced(&question))).to_value(&self.call);
        let reply = self.turn.ask(&call, &wire::write_choices());
        if let Reply::Chosen(id) = &reply {
            match id.as_str() {
                "allow_once" => return Some(nonce),
                "allow_always" => {
                    self.turn.session.agree_to_all();
                    return Some(nonce);
                }
                "reject_always" => {
                    self.turn.session.set_mode(AcpMode::Propose);
                    self.turn.session.send(update::mode(AcpMode::Propose));
                }
                _ => {}
            }
        }
        if let Reply::None(why) = &reply {
            self.turn.say(why);
        }
        self.end(ToolStatus::Failed);
        if reply != Reply::Cancelled {
            self.keep();
        }
        None
    }

    fn write(
        mut self,
        (offer, patch_set): (OfferId, ContentHash),
        nonce: String,
    ) -> Option<WrittenChange> {
        let unsaved = self.turn.buffers.unsaved().unwrap_or_else(|_| Overlay::empty());
        let request = WriteRequest {
            offer,
            patch_set,
            nonce,
            instead: self.proposal.take(),
            rest: Overlay::empty(),
        };
        let end = self.turn.run_quietly(JobRequest::Write(Box::new(request)));
        match end {
            JobEnd::Applied { change, commit, plan, .. } => {
                let left = self.turn.buffers.give(&self.change.change, &unsaved);
                self.end(ToolStatus::Completed);
                self.turn.plan(5);
                let commit = commit.map(|it| format!(", commit {it}")).unwrap_or_default();
                self.turn.say(&format!("applied as {change}{commit}; `/undo {change}` reverts it"));
                for file in left {
                    self.turn.say(&format!(
                        "{file}: the editor still has its unsaved text; it is on the disk with the change, so reload it"
                    ));
                }
                Some(WrittenChange { plan })
            }
            JobEnd::Refused(reasons) => {
                self.turn.say(&format!("refused, nothing was written: {}", reasons.join("; ")));
                self.end(ToolStatus::Failed);
                None
            }
            JobEnd::Failed(error, hint) => {
                self.turn.failed("nothing was written", &error, hint.as_deref());
                self.end(ToolStatus::Failed);
                None
            }
            _ => None,
        }
    }
}
