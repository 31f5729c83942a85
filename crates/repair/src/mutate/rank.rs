//! The order of mutations: how suspicious their lines are, by the tests that execute them, and how
//! often their operator is the right one.

use base::{ProjectPath, SortedMap};

use super::{Mutation, Operator};

/// What is known about the lines of a project.
#[derive(Clone, Debug, Default)]
pub struct Suspicion {
    /// By file and line, the numbers of failing and passing tests that execute it; empty without
    /// coverage.
    pub counts: SortedMap<ProjectPath, SortedMap<u32, (usize, usize)>>,
    /// Number of failing tests.
    pub failing: usize,
    /// Lines that differ from the last commit.
    pub changed: SortedMap<ProjectPath, Vec<u32>>,
    /// Lines that the failing tests print, such as that of a panic.
    pub printed: Vec<(ProjectPath, u32)>,
}

/// Weight of a line that differs from the last commit.
const CHANGED: f64 = 3.0;
/// Weight of a line that the failing test prints.
const PRINTED: f64 = 1.5;

impl Suspicion {
    /// Whether a line is worth a mutation.
    pub fn is_wanted(&self, path: &ProjectPath, line: u32) -> bool {
        match self.counts.is_empty() {
            true => true,
            false => self.counts.get(path).is_some_and(|it| it.contains_key(&line)),
        }
    }

    /// From 0: how suspicious a line is (Ochiai's coefficient, weighted).
    pub(crate) fn of(&self, path: &ProjectPath, line: u32) -> f64 {
        let count = self.counts.get(path).and_then(|it| it.get(&line));
        let by_tests = match count {
            Some((failing, passing)) => {
                let all = self.failing.max(1) * (failing + passing);
                *failing as f64 / (all as f64).sqrt()
            }
            None if self.counts.is_empty() => 0.5,
            None => 0.1,
        };
        let is_changed = self.changed.get(path).is_some_and(|it| it.binary_search(&line).is_ok());
        let is_printed = self.printed.iter().any(|(file, at)| file == path && *at == line);
        by_tests * if is_changed { CHANGED } else { 1.0 } * if is_printed { PRINTED } else { 1.0 }
    }
}

/// How often an operator makes the right change, relative to the others.
fn prior(operator: Operator) -> f64 {
    match operator {
        Operator::Expected => 1.5,
        Operator::Boundary | Operator::Comparison | Operator::Negation => 1.0,
        Operator::Arithmetic | Operator::Assignment | Operator::Boolean => 0.95,
        Operator::OffByOne | Operator::Method | Operator::Swap => 0.85,
        Operator::Literal | Operator::Bit => 0.8,
        Operator::Variable | Operator::Field | Operator::Path => 0.65,
        Operator::Condition | Operator::Arms | Operator::Constant => 0.6,
        Operator::Statement | Operator::Call => 0.45,
        Operator::Insertion => 0.35,
    }
}

/// The mutations, best first; equals stay in the order of the text.
pub fn rank(mut mutations: Vec<Mutation>, suspicion: &Suspicion) -> Vec<Mutation> {
    let score = |it: &Mutation| suspicion.of(&it.path, it.line) * prior(it.operator);
    mutations.sort_by(|a, b| score(b).total_cmp(&score(a)));
    mutations
}
