//! Reasoner: changes a declaration that does not fit its calls: drops a parameter that no call
//! passes, or swaps two.

use base::{ByteSpan, Diagnostic, DiagnosticSpan, ProjectPath, SortedMap, SortedSet};
use edit::{Files, Splice};

use crate::fix::{Proposal, text_of};
use crate::phase::errors;
use crate::signature::{Parameter, Signature};
use crate::{Fix, Reasoner};
use preserve::outline::Outline;

/// For a function whose declaration does not fit its calls: changes the declaration. Drops a
/// parameter that no call passes and the body does not mention; swaps two that the calls pass in
/// the other order.
///
/// One change fixes all calls; the compiler decides whether it fits each of them.
pub(crate) struct Parameters;

/// Maximum number of swaps tried per function.
const MAX_SWAPS: usize = 6;

/// Errors of the calls of one function.
#[derive(Default)]
struct CallErrors {
    /// Calls with too few arguments.
    too_short: Vec<ShortCall>,
    /// Indices of the errors of calls with wrong arguments.
    mismatched: Vec<usize>,
    /// Parameters that these errors mark.
    marked: SortedSet<ByteSpan>,
    /// Whether one of these errors marks no parameter.
    is_unmarked: bool,
}

/// A call with too few arguments.
struct ShortCall {
    /// Index of its error.
    seed: usize,
    /// Spans of the parameters that it omits.
    omitted: SortedSet<ByteSpan>,
}

impl Reasoner for Parameters {
    fn name(&self) -> &'static str {
        "parameters"
    }

    fn propose(&self, diagnostics: &[Diagnostic], files: &dyn Files) -> Vec<Fix> {
        let mut fixes = Vec::new();
        for ((path, name), calls) in calls_by_function(diagnostics) {
            let Some(text) = text_of(files, path) else { continue };
            let outline = Outline::of(&text);
            let Some(signature) = Signature::at(&outline, name) else { continue };
            if calls.mismatched.is_empty()
                && let Some(proposal) = drop_omitted(path, &outline, &signature, &calls.too_short)
            {
                let seeds = calls.too_short.iter().map(|it| it.seed);
                fixes.extend(seeds.map(|seed| proposal.clone().into_fix(self, seed)));
            }
            let name = outline.text(signature.name);
            for (a, b) in swaps(&text, &signature, &calls) {
                let proposal = swap(path, &text, name, a, b);
                let seeds = calls.mismatched.iter();
                fixes.extend(seeds.map(|seed| proposal.clone().into_fix(self, *seed)));
            }
        }
        fixes
    }
}

/// The errors of calls, by file and first byte of the function's name.
fn calls_by_function(diagnostics: &[Diagnostic]) -> SortedMap<(&ProjectPath, usize), CallErrors> {
    let mut functions: SortedMap<(&ProjectPath, usize), CallErrors> = SortedMap::new();
    for (seed, diagnostic) in errors(diagnostics) {
        let Some((path, name, marked)) = declaration(diagnostic) else { continue };
        let calls = functions.entry((path, name)).or_default();
        match diagnostic.code.as_deref() {
            Some("E0061") if passes_too_little(&diagnostic.message) => {
                calls.too_short.push(ShortCall { seed, omitted: marked });
            }
            Some("E0277") => calls.mismatched.push(seed),
            Some("E0308" | "E0631") => {
                calls.is_unmarked |= marked.is_empty();
                calls.marked.extend(marked);
                calls.mismatched.push(seed);
            }
            _ => {}
        }
    }
    functions
}

fn swap(path: &ProjectPath, text: &str, name: &str, a: &Parameter, b: &Parameter) -> Proposal {
    let replaced = |it: &Parameter, by: &Parameter| Splice {
        span: it.span,
        insert: by.span.slice(text).unwrap_or("").to_owned(),
    };
    let rationale =
        format!("swap `{}` and `{}` of `{name}`, as its callers pass them", a.name, b.name);
    let splices = vec![replaced(a, b), replaced(b, a)];
    // The callers may be wrong, and not the function.
    let whole = base::ByteSpan::new(0, splices[0].insert.len());
    Proposal { path: path.clone(), splices, rationale, guesses: Vec::new() }.guessing([whole])
}

/// The function that the diagnostic points at, by the first byte of its name, and its marked
/// parameters.
fn declaration(diagnostic: &Diagnostic) -> Option<(&ProjectPath, usize, SortedSet<ByteSpan>)> {
    let own = |span: &&DiagnosticSpan| span.expansion.is_none() && span.place.project().is_some();
    for child in &diagnostic.children {
        let is_function = ["function defined here", "method defined here"]
            .iter()
            .any(|it| child.message.ends_with(it));
        let named = child.spans.iter().find(|it| it.primary).filter(|_| is_function);
        if let Some(named) = named.filter(own) {
            let marked = child.spans.iter().filter(|it| !it.primary && it.place == named.place);
            let marked = marked.map(|it| it.bytes).collect();
            return Some((named.place.project()?, named.bytes.start, marked));
        }
        let bound = child
            .spans
            .iter()
            .filter(own)
            .find(|it| it.label.as_deref() == Some("required by a bound in this function"));
        if let Some(bound) = bound.filter(|_| diagnostic.code.as_deref() == Some("E0277")) {
            return Some((bound.place.project()?, bound.bytes.start, SortedSet::new()));
        }
    }
    let head = diagnostic
        .spans
        .iter()
        .filter(own)
        .find(|it| it.label.as_deref() == Some("found signature defined here"))?;
    Some((head.place.project()?, head.bytes.start, SortedSet::new()))
}

/// `this function takes 3 arguments but 2 arguments were supplied`.
fn passes_too_little(message: &str) -> bool {
    let numbers: Vec<usize> = message.split(' ').filter_map(|word| word.parse().ok()).collect();
    matches!(numbers.as_slice(), [takes, passed] if passed < takes)
}

/// Removes the parameters that all calls omit, if the body does not need them.
fn drop_omitted(
    path: &ProjectPath,
    outline: &Outline<'_>,
    signature: &Signature,
    calls: &[ShortCall],
) -> Option<Proposal> {
    let omitted = &calls.first()?.omitted;
    if omitted.is_empty() || calls.iter().any(|it| it.omitted != *omitted) {
        return None;
    }
    let all = &signature.parameters;
    let indices: Vec<usize> =
        (0..all.len()).filter(|idx| omitted.contains(&all[*idx].span)).collect();
    let (from, to) = (*indices.first()?, *indices.last()?);
    let are_adjacent = indices.len() == omitted.len() && to + 1 - from == indices.len();
    let is_used = |parameter: &Parameter| {
        parameter.name.is_empty() || signature.mentions(outline, &parameter.name)
    };
    if !are_adjacent || all[from..=to].iter().any(is_used) {
        return None;
    }
    let span = if let Some(next) = all.get(to + 1) {
        ByteSpan::new(all[from].span.start, next.span.start)
    } else if from > 0 {
        ByteSpan::new(all[from - 1].span.end, all[to].span.end)
    } else {
        ByteSpan::new(all[from].span.start, all[to].span.end)
    };
    let names: Vec<String> = all[from..=to].iter().map(|it| format!("`{}`", it.name)).collect();
    let noun = if names.len() == 1 { "parameter" } else { "parameters" };
    let rationale = format!(
        "drop the {noun} {} of `{}`, which its body never uses and no call passes",
        names.join(", "),
        outline.text(signature.name)
    );
    Some(Proposal::new(path, Splice { span, insert: String::new() }, rationale))
}

/// Pairs of parameters of different types that may be swapped.
fn swaps<'s>(
    text: &str,
    signature: &'s Signature,
    calls: &CallErrors,
) -> Vec<(&'s Parameter, &'s Parameter)> {
    let is_marked = |it: &Parameter| calls.is_unmarked || calls.marked.contains(&it.span);
    let typed: Vec<&Parameter> =
        signature.parameters.iter().filter(|it| !it.name.is_empty()).collect();
    let mut pairs = Vec::new();
    for (idx, a) in typed.iter().enumerate() {
        for b in &typed[idx + 1..] {
            let types_differ = a.ty.slice(text) != b.ty.slice(text);
            if types_differ && (is_marked(a) || is_marked(b)) {
                pairs.push((*a, *b));
            }
        }
    }
    pairs.truncate(MAX_SWAPS);
    pairs
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fake::{FakeError, check};

    #[test]
    fn a_parameter_that_is_never_passed_or_used_is_dropped() {
        let note =
            FakeError::new("E0061", "this function takes 2 arguments but 1 argument was supplied")
                .at("«f(1)»")
                .note("function defined here", &[("«f»(a", true), ("«_b: u8»", false)]);
        let text = "fn f(a: u8, _b: u8) -> u8 { a }\nfn g() { f(1) }";
        check(&Parameters, text, &[note], &["fn f(a: u8) -> u8 { a }\nfn g() { f(1) }"]);
    }

    #[test]
    fn the_first_of_several_goes_with_its_comma() {
        let note =
            FakeError::new("E0061", "this method takes 2 arguments but 1 argument was supplied")
                .at("«s.f(1)»")
                .note("method defined here", &[("«f»(&self", true), ("«_b: u8»", false)]);
        let text = "impl S { fn f(&self, _b: u8, a: u8) -> u8 { a } }\nfn g() { s.f(1) }";
        let fixed = "impl S { fn f(&self, a: u8) -> u8 { a } }\nfn g() { s.f(1) }";
        check(&Parameters, text, &[note], &[fixed]);
    }

    #[test]
    fn a_parameter_that_the_body_uses_stays() {
        for body in ["a + b", "println!(\"{b}\")"] {
            let message = "this function takes 2 arguments but 1 argument was supplied";
            let note = FakeError::new("E0061", message)
                .at("«f(1)»")
                .note("function defined here", &[("«f»(a", true), ("«b: u8»", false)]);
            check(&Parameters, &format!("fn f(a: u8, b: u8) {{ {body} }} f(1)"), &[note], &[]);
        }
    }

    #[test]
    fn an_argument_too_many_drops_nothing() {
        let message = "this function takes 1 argument but 2 arguments were supplied";
        let note = FakeError::new("E0061", message)
            .at("«f(1, 2)»")
            .note("function defined here", &[("«f»(a", true)]);
        check(&Parameters, "fn f(a: u8) {} f(1, 2)", &[note], &[]);
    }

    #[test]
    fn parameters_are_swapped_where_the_types_do_not_fit() {
        let note = FakeError::new("E0308", "arguments to this function are incorrect")
            .at("«f»(1, x)")
            .note("function defined here", &[("«f»(a", true)]);
        check(
            &Parameters,
            "fn f(a: &str, n: Map<u8, (u8, u8)>, m: &str) {} f(1, x)",
            &[note],
            &[
                "fn f(n: Map<u8, (u8, u8)>, a: &str, m: &str) {} f(1, x)",
                "fn f(a: &str, m: &str, n: Map<u8, (u8, u8)>) {} f(1, x)",
            ],
        );
    }

    #[test]
    fn a_marked_parameter_is_part_of_each_swap() {
        let note = FakeError::new("E0308", "mismatched types")
            .at("«x», 2)")
            .note("function defined here", &[("«f»(a", true), ("«c: u32»", false)]);
        check(
            &Parameters,
            "fn f(a: u8, b: u16, c: u32) {} f(1, x, 2)",
            &[note],
            &[
                "fn f(c: u32, b: u16, a: u8) {} f(1, x, 2)",
                "fn f(a: u8, c: u32, b: u16) {} f(1, x, 2)",
            ],
        );
    }
}
