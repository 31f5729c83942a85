//! [`Review`]: a change that a person reads, edits and takes a part of. A value without input or output.
//!
//! Invariants: a proof counts only for exactly the part that is chosen now; [`Review::acceptance`] is
//! the only way to what may be accepted. Edits are never dropped: they are part of the change, and it is
//! not stored until [`Review::stored`] names the proposal that has exactly this content.

use base::{ContentHash, ProjectPath, SortedSet};
use edit::{HunkPlace, Overlay, OverlayHunks};
use policy::{Evidence, RungName};
use tools::ReportedDiagnostic;

use super::job::OfferedChange;

/// Most proofs of one change that are remembered.
const MOST_PROOFS: usize = 8;

/// Number of a change that was verified and can be written ([`super::JobRunner`]).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct OfferId(pub u64);

/// The result of a proof, for a reader.
#[derive(Clone, Debug)]
pub struct ProofCard {
    /// The verified change, which can be written while the gate is open.
    pub offer: OfferId,
    /// Hash of the change: [`Overlay::patch_set`].
    pub patch_set: ContentHash,
    /// The evidence.
    pub evidence: Box<Evidence>,
    /// Reasons of the gate, with the permission that each needs; empty if it opens.
    pub refusals: Vec<String>,
    /// Diagnostics of the changed tree, errors first.
    pub diagnostics: Vec<ReportedDiagnostic>,
    /// Parts that the proof did not look at, one line.
    pub not_checked: Option<String>,
}

impl ProofCard {
    /// Whether the gate opens for the change.
    pub fn opens(&self) -> bool {
        self.refusals.is_empty()
    }

    /// Whether tests were run.
    pub fn ran_tests(&self) -> bool {
        self.evidence.tests.is_some()
    }

    /// Whether tests were run, and all of them pass.
    pub fn passes_tests(&self) -> bool {
        let tests = self.evidence.tests.as_ref();
        tests.is_some_and(|it| it.passed > 0 && it.failed.is_empty() && it.lost.is_empty())
    }

    /// The proof in few words: `7 tests passed, 0 failed`, or `builds, tests not run`.
    pub fn short(&self) -> String {
        let tests = tools::tests_summary(&self.evidence);
        let formatted = self.evidence.rung(RungName::Format).is_none_or(|it| it.passed);
        let format = if formatted { "" } else { ", not formatted" };
        match self.evidence.tests.as_ref().is_some_and(|it| it.passed + it.failed.len() > 0) {
            true => format!("{tests}{format}"),
            false => format!("builds, {tests}{format}"),
        }
    }

    /// The proof in one line.
    pub fn summary(&self) -> String {
        tools::proof_summary(&self.evidence)
    }
}

/// A change under review.
#[derive(Clone, Debug)]
pub struct Review {
    /// Description, one line.
    pub title: String,
    /// Description of its parts, one line each.
    pub rationale: Vec<String>,
    /// The places that it leaves, one line each.
    pub left: Vec<String>,
    whole: Overlay,
    /// All parts, in order.
    places: Vec<HunkPlace>,
    hunks: OverlayHunks,
    left_out: SortedSet<HunkPlace>,
    part: Overlay,
    /// Hashes of the whole and of the part.
    hashes: (ContentHash, ContentHash),
    /// The last proofs, newest last: a part that was proven before is proven again once it is chosen.
    proofs: Vec<ProofCard>,
    /// The proposal that keeps it, and the content that it keeps.
    kept: Option<(String, ContentHash)>,
    /// Grows with each change of content or choice.
    revision: u64,
    is_edited: bool,
}

/// Reason why nothing may be accepted yet.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NotAcceptable {
    /// No part is chosen.
    #[error("nothing is chosen")]
    Nothing,
    /// The chosen part was not proven as it is now.
    #[error("exactly this part is not proven yet")]
    NotProven,
    /// The gate refused it.
    #[error("the gate refuses it")]
    Refused,
}

/// The change that may be accepted now.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Acceptance {
    /// The verified change.
    pub offer: OfferId,
    /// Hash of the change that is accepted.
    pub patch_set: ContentHash,
}

impl Review {
    /// A review of a change; its proof counts if it is of exactly this change.
    pub fn new(offered: OfferedChange) -> Self {
        let OfferedChange { title, rationale, change, left, proof } = offered;
        let left_out = SortedSet::new();
        let hunks = change.hunks();
        let hashes = (change.patch_set(), change.patch_set());
        let mut review = Self {
            title,
            rationale,
            left,
            part: change.clone(),
            places: change.hunk_places(&hunks),
            hunks,
            whole: change,
            left_out,
            hashes,
            proofs: Vec::new(),
            kept: None,
            revision: 0,
            is_edited: false,
        };
        if let Some(proof) = proof {
            review.prove(proof);
        }
        review
    }

    /// All parts, in order.
    pub fn places(&self) -> &[HunkPlace] {
        &self.places
    }

    /// The hunks of each file.
    pub fn hunks(&self) -> &OverlayHunks {
        &self.hunks
    }

    /// Hash of the whole change.
    pub fn content(&self) -> ContentHash {
        self.hashes.0
    }

    /// The whole change, edits included.
    pub fn whole(&self) -> &Overlay {
        &self.whole
    }

    /// The chosen part.
    pub fn part(&self) -> &Overlay {
        &self.part
    }

    /// The part that stays a proposal once the chosen part is written.
    pub fn rest(&self) -> Overlay {
        self.whole.after_part(&self.part)
    }

    /// Whether a person has edited it: reasons are of the change as it was found.
    pub fn is_edited(&self) -> bool {
        self.is_edited
    }

    /// Number that grows with each change of content or choice.
    pub fn revision(&self) -> u64 {
        self.revision
    }

    /// Whether a part is chosen.
    pub fn is_chosen(&self, place: &HunkPlace) -> bool {
        !self.left_out.contains(place)
    }

    /// Number of chosen parts, and of all.
    pub fn chosen(&self) -> (usize, usize) {
        let all = self.places.len();
        (all - self.left_out.len(), all)
    }

    /// Chooses a part, or leaves it out.
    pub fn toggle(&mut self, place: &HunkPlace) {
        let is_in = self.is_chosen(place);
        self.choose(&|it| it == place, !is_in);
    }

    /// Chooses the parts that `which` selects, or leaves them out.
    pub fn choose(&mut self, which: &dyn Fn(&HunkPlace) -> bool, chosen: bool) {
        for place in self.places.iter().filter(|it| which(it)) {
            match chosen {
                true => self.left_out.remove(place),
                false => self.left_out.insert(place.clone()),
            };
        }
        self.changed();
    }

    /// Replaces the new text of a file; all of its parts are chosen then. Returns whether the change has
    /// such a text.
    pub fn edit(&mut self, path: &ProjectPath, text: &str) -> bool {
        let Some(edited) = self.whole.with_text(path, text) else { return false };
        if edited.patch_set() == self.hashes.0 {
            return true;
        }
        self.whole = edited;
        self.is_edited = true;
        self.hunks = self.whole.hunks();
        self.places = self.whole.hunk_places(&self.hunks);
        self.left_out.retain(|(at, _)| at != path);
        self.changed();
        true
    }

    fn changed(&mut self) {
        self.part = self.whole.without(&self.hunks, &self.left_out);
        self.hashes = (self.whole.patch_set(), self.part.patch_set());
        self.revision += 1;
    }

    /// Adds a proof; one of other content is dropped.
    pub fn prove(&mut self, proof: ProofCard) {
        if proof.patch_set == self.hashes.1 {
            self.proofs.retain(|it| it.patch_set != proof.patch_set);
            if self.proofs.len() == MOST_PROOFS {
                self.proofs.remove(0);
            }
            self.proofs.push(proof);
            self.revision += 1;
        }
    }

    /// Drops all proofs: the tree is another one by now.
    pub fn forget_proofs(&mut self) {
        self.proofs.clear();
        self.revision += 1;
    }

    /// The proof of exactly the chosen part; `None`: it is not proven.
    pub fn proof(&self) -> Option<&ProofCard> {
        self.proofs.iter().find(|it| it.patch_set == self.hashes.1)
    }

    /// The proof of the chosen part, else the last one, with whether it is of exactly the chosen part.
    pub fn last_proof(&self) -> Option<(&ProofCard, bool)> {
        let other = || self.proofs.last().map(|it| (it, false));
        self.proof().map(|it| (it, true)).or_else(other)
    }

    /// The diagnostics of the proof of the chosen part, with their lines in the whole change: parts that are
    /// left out move the lines behind them. One in a line that the whole change does not have has no line.
    pub fn diagnostics(&self) -> Vec<ReportedDiagnostic> {
        let found = self.proof().map_or(&[][..], |it| &it.diagnostics);
        found.iter().map(|it| self.placed(it)).collect()
    }

    fn placed(&self, it: &ReportedDiagnostic) -> ReportedDiagnostic {
        let path = it.file.as_ref().and_then(|file| ProjectPath::new(file).ok());
        let (Some(path), Some(line)) = (path, it.changed_line) else { return it.clone() };
        let at = line as usize - 1;
        let own = self.part.file_hunks(&path);
        let whole = self.whole.file_hunks(&path).into_iter().enumerate();
        let is_in = |number: usize| self.is_chosen(&(path.clone(), number));
        let chosen: Vec<_> = whole.filter(|(number, _)| is_in(*number)).map(|it| it.1).collect();
        let hunk = own.iter().position(|(_, after)| after.contains(&at));
        let moved = match hunk {
            Some(hunk) if own.len() == chosen.len() => {
                let (from, to) = (&own[hunk].1, &chosen[hunk].1);
                u32::try_from(at - from.start + to.start + 1).ok()
            }
            _ if self.left_out.is_empty() => Some(line),
            _ => None,
        };
        ReportedDiagnostic { changed_line: moved, ..it.clone() }
    }

    /// The change that may be accepted.
    ///
    /// # Errors
    /// [`NotAcceptable`]: why nothing may be accepted yet.
    pub fn acceptance(&self) -> Result<Acceptance, NotAcceptable> {
        if self.part.is_empty() {
            return Err(NotAcceptable::Nothing);
        }
        let proof = self.proof().ok_or(NotAcceptable::NotProven)?;
        match proof.opens() {
            true => Ok(Acceptance { offer: proof.offer, patch_set: proof.patch_set }),
            false => Err(NotAcceptable::Refused),
        }
    }

    /// Notes that a proposal keeps content with this hash.
    pub fn keep(&mut self, id: String, content: ContentHash) {
        self.kept = Some((id, content));
    }

    /// The proposal that keeps it, perhaps as it was before the last edit.
    pub fn proposal(&self) -> Option<&str> {
        self.kept.as_ref().map(|it| it.0.as_str())
    }

    /// The proposal that keeps exactly the present content.
    pub fn stored(&self) -> Option<&str> {
        let (id, content) = self.kept.as_ref()?;
        (*content == self.hashes.0).then_some(id)
    }
}
