//! A suite in parts, which other processes run: [`open_parts`] are those without results, [`PartResults`] is the
//! result of one of them.

use std::path::Path;

use base::{Ctx, SortedMap};
use serde::{Deserialize, Serialize};

use crate::run::{DELETIONS, RESULTS, Run, make, toolchain};
use crate::store::{Line, Store};
use crate::{Case, CaseResult, Deleted, EvalError, RunEnvironment, RunOptions, Suite};

/// Most cases of a part, where they share nothing.
const CASES: usize = 20;

/// The results of one part.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PartResults {
    results: Vec<Line<CaseResult>>,
    deletions: Vec<Line<Deleted>>,
}

impl PartResults {
    /// The results in the output folder of a run that has ended.
    ///
    /// # Errors
    /// Where they cannot be read.
    pub fn read(out: &Path) -> Result<Self, EvalError> {
        Ok(Self {
            results: Store::open(&out.join(RESULTS))?.into_lines(),
            deletions: Store::open(&out.join(DELETIONS))?.into_lines(),
        })
    }

    /// Adds them to those in another folder.
    ///
    /// # Errors
    /// Where they cannot be written.
    pub fn add_to(&self, out: &Path) -> Result<(), EvalError> {
        let out = make(out)?;
        Store::open(&out.join(RESULTS))?.put_all(&self.results)?;
        Store::open(&out.join(DELETIONS))?.put_all(&self.deletions)
    }
}

/// The ids of the cases that have no result yet, in parts: all cases of one crate, which share what is built of its
/// dependencies, or a few others.
///
/// # Errors
/// [`EvalError::InOneProcess`] for a suite whose cases are answered from one index; and as [`crate::run`].
pub fn open_parts(
    ctx: &Ctx,
    machine: &RunEnvironment,
    options: &RunOptions,
) -> Result<Vec<Vec<String>>, EvalError> {
    let mut suite = Suite::load(&options.suite)?;
    suite.select(&options.cases, options.limit)?;
    let out = make(&options.out)?;
    let (_, bench) = toolchain(ctx, machine, &out)?;
    let run = Run::new(ctx, machine, options, (&suite, &out), &bench)?;
    Ok(match &suite {
        Suite::ErrorIndex(cases) => chunks(&open(&run, cases, |it| &it.id)),
        Suite::RustFix(cases) => chunks(&open(&run, cases, |it| &it.id)),
        Suite::BreakFix { cases, .. } => {
            let open = open(&run, cases, |it| &it.id);
            let mut packages: SortedMap<String, Vec<String>> = SortedMap::new();
            for case in cases.iter().filter(|it| open.contains(&it.data.id)) {
                packages.entry(case.data.package()).or_default().push(case.data.id.clone());
            }
            packages.into_values().collect()
        }
        other => return Err(EvalError::InOneProcess { suite: other.name() }),
    })
}

fn open<T>(run: &Run<'_>, cases: &[Case<T>], id: impl Fn(&T) -> &String) -> Vec<String> {
    let open = cases.iter().filter(|it| !run.is_done(id(&it.data), it));
    open.map(|it| id(&it.data).clone()).collect()
}

fn chunks(ids: &[String]) -> Vec<Vec<String>> {
    ids.chunks(CASES).map(<[String]>::to_vec).collect()
}
