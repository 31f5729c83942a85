//! Verdicts and rewards of stories. Values only, without times: the same pages give the same bytes.

use serde::{Deserialize, Serialize};

use crate::browser::{Incident, IncidentKind};
use crate::moments::Moment;
use crate::story::{Action, StaticVerdict, Story, StoryFile};

/// The result of one play.
#[derive(Clone, Debug)]
pub(crate) struct StoryVerdict {
    pub(crate) score: StoryScore,
    pub(crate) failure: Option<StepFailure>,
    pub(crate) incidents: Vec<Incident>,
    pub(crate) picture: Option<Vec<u8>>,
    pub(crate) difference: Option<Vec<u8>>,
    pub(crate) snapshots: Vec<SnapshotFile>,
    pub(crate) moments: Vec<Moment>,
}

/// A snapshot that an update writes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SnapshotFile {
    /// Name in the folder of the story's file.
    pub name: String,
    /// Content.
    pub bytes: Vec<u8>,
}

/// The step at which a story failed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct StepFailure {
    /// Line in the file of stories.
    pub line: usize,
    /// The step, with its element.
    pub step: String,
    /// The difference from what it expects.
    pub reason: String,
    /// Elements that were there instead, nearest first.
    pub there: Vec<String>,
    /// Roles and names of the page at that moment.
    pub page: Vec<String>,
}

/// The parts of a reward.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct StoryScore {
    /// Whether the whole story passed.
    pub story: bool,
    /// Expectations that held.
    pub assertions_passed: usize,
    /// Expectations of the story.
    pub assertions: usize,
    /// Whether the expectations on accessibility held; `None` where it has none.
    pub accessibility: Option<bool>,
    /// Whether the constraints of the file held; `None` where it has none.
    pub constraints: Option<bool>,
    /// Whether the page stayed in its origin and broke nothing: no request outside, no exception, no flood, no broken
    /// constraint.
    pub gates: bool,
    /// Steps that were played.
    pub steps: usize,
}

impl StoryScore {
    pub(crate) fn of(story: &Story) -> Self {
        let checks = story.play.iter().filter(|it| is_assertion(&it.action)).count();
        let has_accessibility = story.play.iter().any(|it| is_accessibility(&it.action));
        Self {
            story: false,
            assertions_passed: 0,
            assertions: checks,
            accessibility: has_accessibility.then_some(true),
            constraints: None,
            gates: true,
            steps: 0,
        }
    }

    pub(crate) fn passed(&mut self, action: &Action) {
        self.steps += 1;
        self.assertions_passed += usize::from(is_assertion(action));
        if is_accessibility(action) {
            self.accessibility = Some(true);
        }
    }

    pub(crate) fn end(mut self, has_passed: bool, incidents: &[Incident]) -> Self {
        self.story = has_passed;
        let is_hard = |kind| {
            matches!(kind, IncidentKind::Outside | IncidentKind::Exception | IncidentKind::Flood)
        };
        self.gates =
            !incidents.iter().any(|it| is_hard(it.kind)) && self.constraints != Some(false);
        if !has_passed && self.accessibility.is_some() && self.assertions_passed < self.assertions {
            self.accessibility = Some(false);
        }
        self
    }

    /// The reward in thousandths: 500 for the story, 300 for accessibility, 200 for the share of expectations
    /// that held; 0 where a gate is closed. A story without expectations on accessibility has that part of the
    /// story.
    pub(crate) fn reward(&self) -> u32 {
        if !self.gates {
            return 0;
        }
        let part = |holds: bool, weight: u32| if holds { weight } else { 0 };
        let share = match self.assertions {
            0 => part(self.story, 200),
            all => (200 * self.assertions_passed / all) as u32,
        };
        part(self.story, 500) + part(self.accessibility.unwrap_or(self.story), 300) + share
    }
}

fn is_assertion(action: &Action) -> bool {
    match action {
        Action::Expect { .. } | Action::ExpectPage(_) | Action::WaitFor { .. } => true,
        Action::Eval { equals, .. } => equals.is_some(),
        _ => false,
    }
}

fn is_accessibility(action: &Action) -> bool {
    matches!(action, Action::ExpectPage(expected) if !expected.accessibility.is_empty())
}

/// The result of a story in a report.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct StoryResult {
    /// File of the story.
    pub file: String,
    /// Its name.
    pub name: String,
    /// Whether it passed.
    pub passed: bool,
    /// The step at which it failed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub failure: Option<StepFailure>,
    /// Incidents that it does not allow.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub incidents: Vec<Incident>,
    /// The parts of the reward.
    pub score: StoryScore,
    /// The reward in thousandths.
    pub reward: u32,
    /// The picture of the page at the failure, as PNG.
    #[serde(skip)]
    pub picture: Option<Vec<u8>>,
    /// The pixels that differ from a screenshot, as PNG.
    #[serde(skip)]
    pub difference: Option<Vec<u8>>,
    /// New or changed snapshots, of a run that updates them.
    #[serde(skip)]
    pub snapshots: Vec<SnapshotFile>,
    /// The page after each step, for an inspector.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub moments: Vec<Moment>,
    /// How long the play took, in milliseconds: in no report unless it is asked for.
    #[serde(skip)]
    pub ms: u64,
}

/// The results of a run.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct WorldReport {
    /// Stories that passed.
    pub passed: usize,
    /// Stories that failed.
    pub failed: usize,
    /// Stories that the filter left out.
    pub left_out: usize,
    /// The mean reward in thousandths; 0 without stories.
    pub reward: u32,
    /// The browser.
    pub browser: String,
    /// Notes on how it ran.
    pub notes: Vec<String>,
    /// The verdicts of each tier on each file, in the order in which they were given.
    pub tiers: Vec<TierVerdict>,
    /// The stories, in order of files and lines.
    pub stories: Vec<StoryResult>,
}

base::named_enum! {
    /// A tier of the proof that stories hold; a later one runs only after the earlier ones passed.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
    #[serde(rename_all = "snake_case")]
    pub enum WorldTier {
        /// The file alone: its format, and its constraints, whose states are explored.
        Static = "static",
        /// A review of the change, by option, which can only refuse.
        Review = "review",
        /// A browser.
        Browser = "browser",
    }
}

/// The verdict of a tier on a file of stories.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct TierVerdict {
    /// The file.
    pub file: String,
    /// The tier.
    pub tier: WorldTier,
    /// Whether the next tier may run.
    pub passed: bool,
    /// The reason, or what was verified.
    pub detail: String,
}

impl WorldReport {
    /// Adds the verdict of the static tier on a file that can be played.
    pub(crate) fn verified(&mut self, file: &StoryFile) {
        let StaticVerdict { constraints, possible, states } = file.verdict;
        let detail = format!(
            "{}; {} verified in {}",
            base::counted(constraints, "constraint"),
            base::counted(possible, "sequence"),
            base::counted(states, "state"),
        );
        let (file, tier) = (file.path.clone(), WorldTier::Static);
        self.tiers.push(TierVerdict { file, tier, passed: true, detail });
    }

    /// Adds the verdict of the browser on the last stories, which are of one file.
    pub(crate) fn played(&mut self, file: &str, stories: usize) {
        let last = self.stories.iter().rev().take(stories);
        let failed = last.filter(|it| !it.passed).count();
        let detail = match failed {
            0 if stories == 1 => "1 story passed".to_owned(),
            0 => format!("{stories} stories passed"),
            failed => format!("{failed} of {stories} failed"),
        };
        let (file, tier) = (file.to_owned(), WorldTier::Browser);
        self.tiers.push(TierVerdict { file, tier, passed: failed == 0, detail });
    }

    /// The report as JUnit's XML, which CI systems show.
    pub fn junit(&self) -> String {
        let mut xml = String::from("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
        let all = self.stories.len();
        xml.push_str(&format!("<testsuites tests=\"{all}\" failures=\"{}\">\n", self.failed));
        let mut file = "";
        for story in &self.stories {
            if file != story.file {
                if !file.is_empty() {
                    xml.push_str("  </testsuite>\n");
                }
                file = &story.file;
                let own = self.stories.iter().filter(|it| it.file == file);
                let failures = own.clone().filter(|it| !it.passed).count();
                let head = format!(
                    "  <testsuite name=\"{}\" tests=\"{}\" failures=\"{failures}\">\n",
                    escaped(file),
                    own.count()
                );
                xml.push_str(&head);
            }
            let name = escaped(&story.name);
            xml.push_str(&format!("    <testcase classname=\"{}\" name=\"{name}\"", escaped(file)));
            match &story.failure {
                None => xml.push_str("/>\n"),
                Some(failure) => {
                    let message =
                        format!("line {}: {}: {}", failure.line, failure.step, failure.reason);
                    let there = escaped(&failure.there.join("\n"));
                    let message = escaped(&message);
                    xml.push_str(&format!(
                        ">\n      <failure message=\"{message}\">{there}</failure>\n    </testcase>\n"
                    ));
                }
            }
        }
        if !file.is_empty() {
            xml.push_str("  </testsuite>\n");
        }
        xml.push_str("</testsuites>\n");
        xml
    }
}

/// A text in XML or HTML.
pub(crate) fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\n' => out.push_str("&#10;"),
            c if c.is_control() => {}
            c => out.push(c),
        }
    }
    out
}
