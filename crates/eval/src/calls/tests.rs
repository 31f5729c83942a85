//! The comparison, on written-down facts and calls.

use analyzer::scip::{Facts, Pos, Reference, ScipDefinition, ScipRange, ScipSymbol, SymbolKind};
use base::{LineIndex, ProjectPath, SortedMap, Tier};

use super::map_calls::{Calls, Function, Site};
use super::oracle::{OracleReport, compare};
use super::oracle_page::page;

const TEXT: &str = "impl A { fn f(&self) {} }\nimpl B { fn f(&self) {} }\n\
    fn main() { a.f(); b.f(); make(); far(); }\nfn make() {}\n";
const FILE: &str = "src/main.rs";

/// The offset of the `nth` occurrence of `text`, from 0.
fn at(text: &str, nth: usize) -> u32 {
    TEXT.match_indices(text).nth(nth).unwrap().0 as u32
}

fn range(offset: u32, len: u32) -> ScipRange {
    let lines = LineIndex::new(TEXT);
    let pos = |offset: u32| {
        let line = lines.line_of(offset as usize);
        let start = lines.line_span(line).unwrap().start as u32;
        Pos { line, col: offset - start }
    };
    ScipRange { start: pos(offset), end: pos(offset + len) }
}

fn facts() -> Facts {
    let symbol = |path: &str, package: &str| ScipSymbol {
        text: path.into(),
        package: package.into(),
        path: path.into(),
        kind: SymbolKind::Function,
        signature: Box::default(),
    };
    let paths = ["A::f", "B::f", "main", "make"];
    let mut symbols: Vec<ScipSymbol> = paths.iter().map(|path| symbol(path, "p")).collect();
    symbols.push(symbol("far", "other"));
    let definition = |symbol: u32, offset: u32, reach: Option<ScipRange>| ScipDefinition {
        symbol,
        file: 0,
        range: range(offset, 1),
        enclosing: reach,
    };
    let main = at("main", 0);
    let reach = range(main - 3, at("fn make", 0) - main);
    let reference =
        |symbol: u32, offset: u32| Reference { symbol, file: 0, range: range(offset, 1) };
    Facts {
        tool: "oracle".to_owned(),
        files: vec![ProjectPath::new(FILE).unwrap()],
        symbols,
        definitions: vec![
            definition(0, at("f(&", 0), None),
            definition(1, at("f(&", 1), None),
            definition(2, main, Some(reach)),
            definition(3, at("make() {", 0), None),
        ],
        references: vec![
            reference(0, at("f();", 0)),
            reference(1, at("f();", 1)),
            reference(3, at("make();", 0)),
            reference(4, at("far", 0)),
        ],
        ..Facts::default()
    }
}

fn function(path: &str, name: u32) -> Function {
    Function {
        path: path.to_owned(),
        file: FILE.to_owned(),
        name: (name, name + 1),
        span: (name, name + 1),
        line: 1,
        of_trait: None,
        from_macro: false,
    }
}

fn compared(sites: &[(u32, u32, Tier)]) -> OracleReport {
    let sites: Vec<_> = sites.iter().map(|(at, callee, tier)| (*at, *callee, *tier, 3)).collect();
    compared_by(&sites)
}

/// The same with the number of a rule for each site.
fn compared_by(sites: &[(u32, u32, Tier, u8)]) -> OracleReport {
    let mut map_calls = Calls::default();
    let starts = [at("f(&", 0), at("f(&", 1), at("main", 0), at("make() {", 0)];
    for (number, (path, start)) in ["A::f", "B::f", "main", "make"].iter().zip(starts).enumerate() {
        map_calls.functions.insert(number as u32, function(path, start));
    }
    for (offset, callee, tier, rule) in sites {
        let site = Site { caller: 2, callee: *callee, tier: *tier, rule: *rule, line: 3 };
        map_calls.sites.entry((FILE.to_owned(), *offset)).or_default().push(site);
    }
    let texts = SortedMap::from([(FILE, TEXT)]);
    compare(&facts(), &map_calls, &mut |path| texts.get(path.as_str()).map(|it| (*it).to_owned()))
}

#[test]
fn right_wrong_and_missed_calls_are_distinguished() {
    let report = compared(&[
        (at("f();", 0), 0, Tier::Proven),
        (at("f();", 1), 0, Tier::Proven),
        (at("make();", 0), 3, Tier::Candidate),
        (at("make();", 0), 0, Tier::Candidate),
    ]);
    let shares = |tally: super::Tally| {
        [tally.precision, tally.recall, tally.recall_candidate].map(|it| (it.right, it.all))
    };
    assert_eq!(report.calls, 3);
    assert_eq!(shares(report.sites), [(1, 2), (1, 3), (2, 3)]);
    // The only claimed edge has a site that is wrong.
    assert_eq!(shares(report.edges), [(0, 1), (1, 3), (2, 3)]);
    assert_eq!(report.wrong.len(), 1);
    assert_eq!(report.wrong[0].oracle, "p B::f (src/main.rs:2)");
    assert_eq!(report.rules["inherent_method"].value(), 0.5);
    let missed: Vec<_> = report.missed.iter().map(|it| (it.why.as_str(), &*it.oracle)).collect();
    assert_eq!(missed, [("candidate", "p make"), ("another target", "p B::f")]);
    let page = page(std::path::Path::new("/some/where"), &report);
    for line in [
        "# where against oracle",
        "| sites | 50.00 % (1 of 2) | 0 | 50.00 % (1 of 2) | 33.33 % (1 of 3) | 66.67 % (2 of 3) |",
        "| inherent_method | 50.00 % (1 of 2) |",
        "### another target; variable: 1",
    ] {
        assert!(page.contains(line), "{line} is not in:\n{page}");
    }
}

#[test]
fn calls_that_depend_on_an_assumption_are_counted_apart() {
    let assumed = resolve::Rule::AssumedResult.number();
    let report = compared_by(&[
        (at("f();", 0), 0, Tier::Proven, 3),
        (at("f();", 1), 0, Tier::Candidate, assumed),
        (at("make();", 0), 3, Tier::Candidate, 32),
    ]);
    let share = |it: super::Share| (it.right, it.all);
    assert_eq!(share(report.sites.precision), (1, 1));
    assert_eq!(share(report.sites.precision_assumed), (1, 2));
    assert_eq!(share(report.edges.precision_assumed), (1, 1));
    assert_eq!(report.rules["assumed_result"].value(), 0.0);
}

#[test]
fn a_claim_about_a_foreign_function_is_wrong_and_one_where_the_oracle_is_silent_is_neither() {
    let report = compared(&[(at("far", 0), 3, Tier::Proven), (at("impl", 0), 3, Tier::Proven)]);
    assert_eq!(report.wrong.len(), 1);
    assert_eq!(report.wrong[0].oracle, "other far");
    assert_eq!((report.silent, report.sites.precision.all), (1, 1));
}

#[test]
fn an_impl_s_function_is_met_by_its_declaration_and_not_by_another_trait_s() {
    let mut facts = facts();
    facts.symbols[0].path = "<A as Run>::f".into();
    let verdict = |of_trait: &str, path: &str| {
        let texts = SortedMap::from([(0, TEXT.to_owned())]);
        let reference = super::reference::Reference::new(&facts, texts);
        let declared = Function { of_trait: Some(of_trait.to_owned()), ..function(path, 1) };
        reference.verdict(FILE, at("f();", 0), &declared)
    };
    assert_eq!(verdict("Run", "m::Run::f"), super::reference::Verdict::Declaration);
    assert!(matches!(verdict("Go", "m::Go::f"), super::reference::Verdict::Wrong(_)));
}
