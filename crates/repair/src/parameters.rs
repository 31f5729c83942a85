use std::collections::{BTreeMap, BTreeSet};

use base::{Applicability, ByteSpan, Diagnostic, DiagnosticSpan, ProjectPath};
use edit::{Files, Splice};

use crate::phase::errors;
use crate::signature::{Parameter, Signature};
use crate::{Fix, Reasoner};
use preserve::outline::Outline;

/// For a function that its calls know otherwise: the declaration follows them. A parameter that no
/// call passes and the body never names is dropped; two that the calls pass in another order
/// change places.
///
/// One change answers all calls, and the compiler says whether each of them can live with it.
pub struct Parameters;

/// So many orders are worth a proof.
const MOST_SWAPS: usize = 6;

/// What the errors say of one function.
#[derive(Default)]
struct Called {
    /// Errors of calls that pass too little, and which parameters they leave out.
    short: Vec<(usize, BTreeSet<ByteSpan>)>,
    /// Errors of calls that pass something else.
    other: Vec<usize>,
    /// The parameters that these speak of; nothing: of several.
    marked: BTreeSet<ByteSpan>,
    unmarked: bool,
}

impl Reasoner for Parameters {
    fn name(&self) -> &'static str {
        "parameters"
    }

    fn propose(&self, diagnostics: &[Diagnostic], files: &dyn Files) -> Vec<Fix> {
        let mut functions: BTreeMap<(&ProjectPath, usize), Called> = BTreeMap::new();
        for (seed, diagnostic) in errors(diagnostics) {
            let Some((path, name, marked)) = declaration(diagnostic) else { continue };
            let called = functions.entry((path, name)).or_default();
            match diagnostic.code.as_deref() {
                Some("E0061") if passes_too_little(&diagnostic.message) => {
                    called.short.push((seed, marked));
                }
                Some("E0308" | "E0631" | "E0277") => {
                    if diagnostic.code.as_deref() != Some("E0277") {
                        called.unmarked |= marked.is_empty();
                        called.marked.extend(marked);
                    }
                    called.other.push(seed);
                }
                _ => {}
            }
        }
        let mut fixes = Vec::new();
        for ((path, name), called) in functions {
            let Some(state) = files.read(path).ok().flatten() else { continue };
            let outline = Outline::of(&state.text);
            let Some(signature) = Signature::at(&outline, name) else { continue };
            let mut propose = |seeds: &[usize], splices: Vec<Splice>, rationale: String| {
                fixes.extend(seeds.iter().map(|seed| Fix {
                    splices: splices.iter().map(|it| (path.clone(), it.clone())).collect(),
                    rationale: rationale.clone(),
                    applicability: Applicability::Unspecified,
                    reasoner: self.name(),
                    seed: *seed,
                }));
            };
            if called.other.is_empty()
                && let Some((splice, names)) = dropped(&outline, &signature, &called.short)
            {
                let seeds: Vec<usize> = called.short.iter().map(|(seed, _)| *seed).collect();
                let of = outline.text(signature.name);
                propose(
                    &seeds,
                    vec![splice],
                    format!(
                        "drop {names} of `{of}`, which its body never names and no call passes"
                    ),
                );
            }
            // Without a word of types that do not fit, nothing speaks of an order.
            if called.unmarked || !called.marked.is_empty() {
                for (a, b) in swaps(&state.text, &signature, &called) {
                    let text = |it: &Parameter| it.span.slice(&state.text).unwrap_or("").to_owned();
                    let splices = vec![
                        Splice { span: a.span, insert: text(b) },
                        Splice { span: b.span, insert: text(a) },
                    ];
                    let of = outline.text(signature.name);
                    let (a, b) = (&a.name, &b.name);
                    propose(
                        &called.other,
                        splices,
                        format!(
                            "let `{a}` and `{b}` of `{of}` change places, as its callers pass them"
                        ),
                    );
                }
            }
        }
        fixes
    }
}

/// The function that the diagnostic points at, by the first byte of its name, and the parameters
/// of it that are marked.
fn declaration(diagnostic: &Diagnostic) -> Option<(&ProjectPath, usize, BTreeSet<ByteSpan>)> {
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
            return Some((bound.place.project()?, bound.bytes.start, BTreeSet::new()));
        }
    }
    let head = diagnostic
        .spans
        .iter()
        .filter(own)
        .find(|it| it.label.as_deref() == Some("found signature defined here"))?;
    Some((head.place.project()?, head.bytes.start, BTreeSet::new()))
}

/// `this function takes 3 arguments but 2 arguments were supplied`.
fn passes_too_little(message: &str) -> bool {
    let numbers: Vec<usize> = message.split(' ').filter_map(|word| word.parse().ok()).collect();
    matches!(numbers.as_slice(), [takes, passed] if passed < takes)
}

/// The parameters that all calls leave out, taken away, where the body does without them.
fn dropped(
    outline: &Outline<'_>,
    signature: &Signature,
    short: &[(usize, BTreeSet<ByteSpan>)],
) -> Option<(Splice, String)> {
    let (_, first) = short.first()?;
    if first.is_empty() || short.iter().any(|(_, marked)| marked != first) {
        return None;
    }
    let all = &signature.parameters;
    let missing: Vec<usize> =
        (0..all.len()).filter(|idx| first.contains(&all[*idx].span)).collect();
    let (from, to) = (*missing.first()?, *missing.last()?);
    let is_run = missing.len() == first.len() && to + 1 - from == missing.len();
    let is_named = |parameter: &Parameter| {
        parameter.name.is_empty() || signature.mentions(outline, &parameter.name)
    };
    if !is_run || all[from..=to].iter().any(is_named) {
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
    let what = if names.len() == 1 { "the parameter" } else { "the parameters" };
    Some((Splice { span, insert: String::new() }, format!("{what} {}", names.join(", "))))
}

/// Pairs of parameters of unlike types that may be meant the other way round.
fn swaps<'s>(
    text: &str,
    signature: &'s Signature,
    called: &Called,
) -> Vec<(&'s Parameter, &'s Parameter)> {
    let is_marked = |it: &Parameter| called.unmarked || called.marked.contains(&it.span);
    let typed: Vec<&Parameter> =
        signature.parameters.iter().filter(|it| !it.name.is_empty()).collect();
    let mut pairs = Vec::new();
    for (idx, a) in typed.iter().enumerate() {
        for b in &typed[idx + 1..] {
            let unlike = a.of.slice(text) != b.of.slice(text);
            if unlike && (is_marked(a) || is_marked(b)) {
                pairs.push((*a, *b));
            }
        }
    }
    pairs.truncate(MOST_SWAPS);
    pairs
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::straw::{Straw, check};

    #[test]
    fn a_parameter_that_nobody_passes_or_names_is_dropped() {
        let note =
            Straw::new("E0061", "this function takes 2 arguments but 1 argument was supplied")
                .at("«f(1)»")
                .note("function defined here", &[("«f»(a", true), ("«_b: u8»", false)]);
        let text = "fn f(a: u8, _b: u8) -> u8 { a }\nfn g() { f(1) }";
        check(&Parameters, text, &[note], &["fn f(a: u8) -> u8 { a }\nfn g() { f(1) }"]);
    }

    #[test]
    fn the_first_of_several_goes_with_its_comma() {
        let note = Straw::new("E0061", "this method takes 2 arguments but 1 argument was supplied")
            .at("«s.f(1)»")
            .note("method defined here", &[("«f»(&self", true), ("«_b: u8»", false)]);
        let text = "impl S { fn f(&self, _b: u8, a: u8) -> u8 { a } }\nfn g() { s.f(1) }";
        let mended = "impl S { fn f(&self, a: u8) -> u8 { a } }\nfn g() { s.f(1) }";
        check(&Parameters, text, &[note], &[mended]);
    }

    #[test]
    fn a_parameter_that_the_body_names_stays() {
        for body in ["a + b", "println!(\"{b}\")"] {
            let message = "this function takes 2 arguments but 1 argument was supplied";
            let note = Straw::new("E0061", message)
                .at("«f(1)»")
                .note("function defined here", &[("«f»(a", true), ("«b: u8»", false)]);
            check(&Parameters, &format!("fn f(a: u8, b: u8) {{ {body} }} f(1)"), &[note], &[]);
        }
    }

    #[test]
    fn an_argument_too_many_drops_nothing() {
        let message = "this function takes 1 argument but 2 arguments were supplied";
        let note = Straw::new("E0061", message)
            .at("«f(1, 2)»")
            .note("function defined here", &[("«f»(a", true)]);
        check(&Parameters, "fn f(a: u8) {} f(1, 2)", &[note], &[]);
    }

    #[test]
    fn parameters_change_places_where_the_types_do_not_fit() {
        let note = Straw::new("E0308", "arguments to this function are incorrect")
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
    fn a_marked_parameter_is_one_of_the_two() {
        let note = Straw::new("E0308", "mismatched types")
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
