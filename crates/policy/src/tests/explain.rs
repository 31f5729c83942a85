//! An explanation is the answer of the gate, also for findings that were stored.

use proptest::prelude::*;

use super::*;
use crate::{Policy, explain, explain_unverified};

fn any_findings() -> impl Strategy<Value = Findings> {
    let rungs = (any::<bool>(), any::<bool>(), proptest::option::of(any::<bool>()));
    let tests = proptest::option::of((0..3usize, any::<bool>(), any::<bool>()));
    (rungs, 0..3usize, tests, 0..4usize, proptest::option::of(any::<bool>()), 0..2usize).prop_map(
        |((parse, check, all), errors, tests, files, violation, public)| Findings {
            rungs: [
                (RungName::Parse, Some(parse)),
                (RungName::Check, Some(check)),
                (RungName::AllTests, all),
            ]
            .into_iter()
            .filter_map(|(name, passed)| Some(rung(name, passed?, "")))
            .collect(),
            errors_after: errors,
            tests: tests.map(|(failed, lost, complete)| TestOutcome {
                failed: (0..failed).map(|n| format!("t{n}")).collect(),
                lost: if lost { vec!["gone".to_owned()] } else { Vec::new() },
                complete,
                ..TestOutcome::default()
            }),
            files: (0..files).map(|n| file(&format!("src/f{n}.rs"), 3, n)).collect(),
            violations: violation
                .map(|protects_tests| ReportedViolation {
                    rule: "item-removed".to_owned(),
                    place: "src/lib.rs:1".to_owned(),
                    detail: "x".to_owned(),
                    protects_tests,
                })
                .into_iter()
                .collect(),
            public_changes: (0..public).map(|n| format!("f{n}")).collect(),
            ..sound()
        },
    )
}

fn any_rules() -> impl Strategy<Value = GateRules> {
    let small = "[[thread]]\nname = \"small\"\npriority = 99\nbecause = \"small changes only\"\n\
                 gate = { blocks = [\"apply lines > 8\"], opens = [\"tested failed = 0\"] }\n";
    (any::<bool>(), any::<bool>(), 1..4usize, any::<bool>(), any::<bool>()).prop_map(
        move |(tests, keep, max_files, allow_public_changes, added)| {
            let keep = if keep { Keep::Tests } else { Keep::Everything };
            let threads = if added { Policy::threads_of(small).unwrap() } else { Vec::new() };
            let rules = GateRules {
                keep,
                max_files,
                allow_public_changes,
                threads,
                ..GateRules::default()
            };
            if tests { rules.requiring(RungName::AllTests) } else { rules }
        },
    )
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, ..ProptestConfig::default() })]

    #[test]
    fn a_change_is_explained_by_nothing_exactly_if_the_gate_opens(
        findings in any_findings(), rules in any_rules(), allows in any::<bool>(),
    ) {
        let approval =
            if allows { allowing("item-removed") } else { Approval::default() };
        let json = serde_json::to_string(&findings).unwrap();
        let stored: Evidence = serde_json::from_str(&json).unwrap();
        let reasons = explain(&rules, &stored, &approval.allow);
        match decide(&rules, Evidence::of(findings), &approval) {
            Decision::Open(_) => prop_assert_eq!(reasons, []),
            Decision::Closed(refusals) => prop_assert_eq!(reasons, refusals),
            Decision::OnRecord => prop_assert!(false, "evidence of this process"),
        }
        let recorded = decide(&rules, stored, &approval);
        prop_assert!(!matches!(recorded, Decision::Open(_)), "what was stored gives no permit");
    }
}

#[test]
fn what_is_not_verified_yet_is_blocked_by_every_gate_with_what_it_waits_for() {
    let blocked = explain_unverified(&GateRules::default());
    let threads: Vec<&str> = blocked.iter().map(|it| it.rule.as_str()).collect();
    let gates = [
        "compile",
        "compiled",
        "tests",
        "preservation",
        "files",
        "protected-file",
        "size",
        "public-api",
    ];
    assert_eq!(threads, gates);
    assert_eq!(blocked[0].reason, "it was not verified to build");
    assert!(
        blocked[0]
            .hint
            .starts_with("blocks `apply` until `checked parse = true, check = true, errors = 0`")
    );
}
