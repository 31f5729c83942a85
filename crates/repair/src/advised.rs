use base::{Applicability, ByteSpan, Diagnostic, ProjectPath};
use edit::{Files, Overlay, Splice};

use crate::phase::errors;
use crate::{Fix, Overlaid, Reasoner};

/// At so many places advice is asked for at a time.
const PLACES: usize = 24;
/// So much of the advice for one place is taken.
const PER_PLACE: usize = 6;

/// Somebody outside who has advice for places in texts: a language server.
pub trait Advisor: Send + Sync {
    /// What could be done about the code at `places`, which are coordinates of `files`: for each
    /// place in the order asked, best first. Who has nothing to say, or cannot be reached, answers
    /// with less.
    fn advise(&self, places: &[(ProjectPath, ByteSpan)], files: &Overlaid<'_>) -> Vec<Vec<Advice>>;
}

/// One change that an advisor proposes.
#[derive(Clone, Debug, PartialEq)]
pub struct Advice {
    /// What it does, for people.
    pub title: String,
    /// What is replaced; per file in ascending order, without overlap.
    pub splices: Vec<(ProjectPath, Splice)>,
}

/// rust-analyzer's quick fixes and assists at the places of errors: imports, qualified paths,
/// missing arms, fields and members, wrapping in `Ok` and the like.
///
/// All of it counts as a guess: what the compiler vouches for comes first. What brings `todo!()`
/// is a draft by the rule of preservation, as whatever else does.
pub struct Advised {
    advisor: Box<dyn Advisor>,
}

impl Advised {
    /// Hands on what `advisor` proposes.
    pub fn new(advisor: Box<dyn Advisor>) -> Self {
        Self { advisor }
    }
}

impl Reasoner for Advised {
    fn name(&self) -> &'static str {
        "analyzer"
    }

    fn propose(&self, diagnostics: &[Diagnostic], files: &dyn Files) -> Vec<Fix> {
        self.propose_on(diagnostics, &Overlaid { base: files, overlay: &Overlay::empty() })
    }

    fn propose_on(&self, diagnostics: &[Diagnostic], files: &Overlaid<'_>) -> Vec<Fix> {
        let mut seeds = Vec::new();
        let mut places: Vec<(ProjectPath, ByteSpan)> = Vec::new();
        for (seed, error) in errors(diagnostics) {
            let Some(span) = error.user_span() else { continue };
            let Some(path) = span.place.project() else { continue };
            let place = (path.clone(), span.bytes);
            let at = match places.iter().position(|it| *it == place) {
                Some(at) => at,
                None if places.len() < PLACES => {
                    places.push(place);
                    places.len() - 1
                }
                None => continue,
            };
            seeds.push((seed, at));
        }
        if places.is_empty() {
            return Vec::new();
        }
        let advice = self.advisor.advise(&places, files);
        let mut fixes = Vec::new();
        for (seed, at) in seeds {
            let fitting = advice.get(at).into_iter().flatten().filter(|it| !it.splices.is_empty());
            fixes.extend(fitting.take(PER_PLACE).map(|advice| Fix {
                splices: advice.splices.clone(),
                rationale: format!("rust-analyzer: {}", advice.title),
                applicability: Applicability::Unspecified,
                reasoner: self.name(),
                seed,
            }));
        }
        fixes
    }
}
