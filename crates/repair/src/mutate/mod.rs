//! Bounded mutations of functions, for tests that fail though the code builds: one text in, candidate
//! edits out, each with its operator. Test code is never mutated. Start at [`mutations`]; [`Schema`]
//! compiles many of them at once, [`rank`] orders them.
//!
//! Nothing here knows whether a mutation is right: a candidate that passes is plausible, and the tests
//! that execute it are its only evidence.

mod body;
mod conditions;
mod constants;
mod hints;
mod lists;
mod literals;
mod methods;
mod names;
mod operators;
mod rank;
mod schema;
mod statements;
#[cfg(test)]
mod tests;

use base::{ByteSpan, LineIndex, ProjectPath};
use edit::Splice;
use preserve::outline::tokens;
use syntax::{Item, NodeKind};

use body::Body;
pub use hints::{Expectation, expectations};
pub use rank::{Suspicion, rank};
pub use schema::{MutationArm, Schema};

/// Maximum number of mutations of one function.
const OF_FUNCTION: usize = 1_500;

base::named_enum! {
    /// What a mutation changes.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
    pub enum Operator {
        /// `+` to `-`.
        Arithmetic = "arithmetic",
        /// `<` to `<=`, `..` to `..=`.
        Boundary = "boundary",
        /// `<` to `>`, `==` to `!=`.
        Comparison = "comparison",
        /// `&&` to `||`.
        Boolean = "boolean",
        /// `&` to `|`, `<<` to `>>`.
        Bit = "bit",
        /// `+=` to `-=`.
        Assignment = "assignment",
        /// A number one larger or smaller, another number or text of the function, `true` to `false`.
        Literal = "literal",
        /// A value that the failing assertion shows.
        Expected = "expected",
        /// One added to a value or subtracted from it, or that taken away.
        OffByOne = "off_by_one",
        /// A negated condition.
        Negation = "negation",
        /// A part of a condition that is gone, or a condition that always or never holds.
        Condition = "condition",
        /// Two operands, arguments, elements or values of fields in the other order.
        Swap = "swap",
        /// Another variable of the function.
        Variable = "variable",
        /// Another field.
        Field = "field",
        /// Another variant, constant or function of the same path.
        Path = "path",
        /// Another method of the same family.
        Method = "method",
        /// A method call that is gone.
        Call = "call",
        /// The bodies of two arms in the other order.
        Arms = "arms",
        /// Two statements in the other order, `break` to `continue`.
        Statement = "statement",
        /// A statement of the function at one more place.
        Insertion = "insertion",
        /// The initial value of a constant.
        Constant = "constant",
    }
}

/// One candidate edit.
#[derive(Clone, Debug, PartialEq)]
pub struct Mutation {
    /// The file.
    pub path: ProjectPath,
    /// Replacements, ascending and without overlap.
    pub splices: Vec<Splice>,
    /// What it changes.
    pub operator: Operator,
    /// The change in one line.
    pub rationale: String,
    /// Line of the first replacement, from 1.
    pub line: u32,
    /// The body of its function, braces included; `None` outside of functions.
    pub body: Option<ByteSpan>,
    /// Whether it makes a decision the same for all inputs: a condition that always or never holds, or
    /// the only result `true` (or `false`) of a function turned into the other one, a value where the
    /// code panicked. Failing tests of one side of the decision cannot tell that from a repair.
    pub settles: bool,
}

/// What is known about the failure.
#[derive(Clone, Debug, Default)]
pub struct MutationHints {
    /// What failing assertions compare.
    pub expectations: Vec<Expectation>,
}

/// A change in a body, before it has a place in a file.
struct Change {
    operator: Operator,
    splices: Vec<Splice>,
    /// Old and new text, for the rationale.
    from: String,
    to: String,
    settles: bool,
}

impl Change {
    fn new(operator: Operator, span: ByteSpan, from: &str, to: impl Into<String>) -> Self {
        let to = to.into();
        let splices = vec![Splice { span, insert: to.clone() }];
        Self { operator, splices, from: from.to_owned(), to, settles: false }
    }

    /// The same change, which settles a decision if `settles`.
    fn settling(self, settles: bool) -> Self {
        Self { settles, ..self }
    }

    /// Whether it puts a value where the code panicked: no test that passes gets there.
    fn hides_failure(&self) -> bool {
        matches!(self.from.as_str(), "unwrap" | "expect")
            && matches!(self.to.as_str(), "unwrap_or" | "unwrap_or_default" | "unwrap_or_else")
    }

    fn rationale(&self) -> String {
        let short = |text: &str| {
            let one_line = text.split_whitespace().collect::<Vec<_>>().join(" ");
            match one_line.char_indices().nth(60) {
                Some((end, _)) => format!("{}…", &one_line[..end]),
                None => one_line,
            }
        };
        match (self.from.is_empty(), self.to.is_empty()) {
            (true, _) => format!("add `{}`", short(&self.to)),
            (false, true) => format!("remove `{}`", short(&self.from)),
            _ => format!("`{}` instead of `{}`", short(&self.to), short(&self.from)),
        }
    }
}

/// All mutations of the functions of a text whose lines are wanted, in the order of the text. Lines
/// count from 1.
pub fn mutations(
    path: &ProjectPath,
    text: &str,
    hints: &MutationHints,
    is_wanted: &dyn Fn(u32) -> bool,
) -> Vec<Mutation> {
    let file = syntax::parse(text);
    let lines = LineIndex::new(text);
    let all = tokens(text);
    let items = || {
        let usable = file.items.iter().filter(|it| !it.is_test && !it.is_recovered);
        usable.filter_map(|it| Some((it, it.body?)))
    };
    let is_function = |it: &Item| matches!(it.kind, NodeKind::Function | NodeKind::Method);
    let mut names = names::Names::default();
    for (_, span) in items().filter(|(it, _)| is_function(it)) {
        names.add(&Body::new(text, &all, span, &nested(&file.items, span)));
    }
    let mut found = Vec::new();
    for (item, span) in items() {
        let wanted = |at: usize| is_wanted(lines.line_of(at));
        let (body, changes) = match item.kind {
            _ if is_function(item) => {
                let body = Body::new(text, &all, span, &nested(&file.items, span));
                (Some(span), function(&body, hints, &names, &wanted))
            }
            NodeKind::Const | NodeKind::Static => {
                if !is_used(text, &lines, item, is_wanted) {
                    continue;
                }
                (None, constants::changes(&Body::new(text, &all, span, &[]), hints))
            }
            _ => continue,
        };
        let mutation = |change: Change| {
            let at = change.splices.first().map_or(span.start, |it| it.span.start);
            let rationale = change.rationale();
            let (line, path) = (lines.line_of(at), path.clone());
            let settles = change.settles || change.hides_failure();
            let Change { operator, splices, .. } = change;
            Mutation { path, splices, operator, rationale, line, body, settles }
        };
        found.extend(changes.into_iter().map(mutation));
    }
    found
}

/// The bodies of functions inside a body.
fn nested(items: &[Item], of: ByteSpan) -> Vec<ByteSpan> {
    let inside = |it: &&Item| of.contains(it.span) && it.span != of && it.span.start > of.start;
    items.iter().filter(inside).map(|it| it.span).collect()
}

/// Whether a constant's name is in a wanted line.
fn is_used(text: &str, lines: &LineIndex, item: &Item, is_wanted: &dyn Fn(u32) -> bool) -> bool {
    !item.name.is_empty()
        && base::word_places(text, &item.name).any(|at| is_wanted(lines.line_of(at)))
}

fn function(
    body: &Body<'_>,
    hints: &MutationHints,
    of_file: &names::Names<'_>,
    wanted: &dyn Fn(usize) -> bool,
) -> Vec<Change> {
    let mut changes = Vec::new();
    operators::changes(body, &mut changes);
    literals::changes(body, hints, &mut changes);
    conditions::changes(body, &mut changes);
    lists::changes(body, &mut changes);
    methods::changes(body, &mut changes);
    names::changes(body, of_file, &mut changes);
    statements::changes(body, &mut changes);
    changes.retain(|it| it.splices.iter().any(|it| wanted(it.span.start)));
    let mut seen = base::SortedSet::new();
    changes.retain(|it| {
        let key: Vec<(usize, usize, String)> =
            it.splices.iter().map(|it| (it.span.start, it.span.end, it.insert.clone())).collect();
        seen.insert(key)
    });
    changes.truncate(OF_FUNCTION);
    changes
}
