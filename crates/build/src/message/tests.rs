//! Lines of `--message-format=json`, and the messages that are read from them.

use super::*;
use expect_test::{Expect, expect};

fn span(extra: &str) -> String {
    format!(
        r#"{{"file_name":"src/lib.rs","byte_start":10,"byte_end":13,"line_start":2,"line_end":2,"column_start":5,"column_end":8,"is_primary":true,"text":[],"label":"here"{extra}}}"#
    )
}

fn line(message: &str) -> String {
    format!(
        r#"{{"reason":"compiler-message","package_id":"path+file:///p/my-crate#0.1.0","manifest_path":"/p/Cargo.toml","target":{{"kind":["lib"],"crate_types":["lib"],"name":"my_crate","src_path":"/p/src/lib.rs"}},"message":{message}}}"#
    )
}

fn diagnostic(line: &str) -> Diagnostic {
    match read_message(Path::new("/p"), line.as_bytes()) {
        Some(CargoMessage::Diagnostic(diagnostic)) => *diagnostic,
        other => panic!("{other:?}"),
    }
}

fn check(message: &str, expect: Expect) {
    expect.assert_debug_eq(&diagnostic(&line(message)));
}

#[test]
fn an_error_keeps_code_spans_children_and_replacements() {
    let suggestion = r#","suggested_replacement":"u64","suggestion_applicability":"MaybeIncorrect","expansion":null"#;
    check(
        &format!(
            r#"{{"rendered":"error[E0308]","$message_type":"diagnostic","message":"mismatched types","code":{{"code":"E0308","explanation":null}},"level":"error","spans":[{}],"children":[{{"message":"change it","code":null,"level":"help","spans":[{}],"children":[],"rendered":null}}]}}"#,
            span(""),
            span(suggestion)
        ),
        expect![[r#"
            Diagnostic {
                severity: Error,
                code: Some(
                    "E0308",
                ),
                message: "mismatched types",
                spans: [
                    DiagnosticSpan {
                        place: Project(
                            ProjectPath(
                                "src/lib.rs",
                            ),
                        ),
                        bytes: ByteSpan {
                            start: 10,
                            end: 13,
                        },
                        start: LineCol {
                            line: 2,
                            col: 5,
                        },
                        end: LineCol {
                            line: 2,
                            col: 8,
                        },
                        primary: true,
                        label: Some(
                            "here",
                        ),
                        expansion: None,
                    },
                ],
                children: [
                    SubDiagnostic {
                        severity: Help,
                        message: "change it",
                        spans: [
                            DiagnosticSpan {
                                place: Project(
                                    ProjectPath(
                                        "src/lib.rs",
                                    ),
                                ),
                                bytes: ByteSpan {
                                    start: 10,
                                    end: 13,
                                },
                                start: LineCol {
                                    line: 2,
                                    col: 5,
                                },
                                end: LineCol {
                                    line: 2,
                                    col: 8,
                                },
                                primary: true,
                                label: Some(
                                    "here",
                                ),
                                expansion: None,
                            },
                        ],
                        replacements: [
                            Replacement {
                                place: Project(
                                    ProjectPath(
                                        "src/lib.rs",
                                    ),
                                ),
                                bytes: ByteSpan {
                                    start: 10,
                                    end: 13,
                                },
                                text: "u64",
                                applicability: MaybeIncorrect,
                                from_expansion: false,
                            },
                        ],
                    },
                ],
                rendered: Some(
                    "error[E0308]",
                ),
                package: Some(
                    "my-crate",
                ),
                target: Some(
                    "lib",
                ),
            }
        "#]],
    );
}

#[test]
fn a_macro_in_another_crate_leads_to_the_users_call() {
    let call = span(r#","expansion":null"#);
    let inner = format!(
        r#"{{"file_name":"/rustc/abc/library/core/src/macros/mod.rs","byte_start":1,"byte_end":2,"line_start":1,"line_end":1,"column_start":1,"column_end":2,"is_primary":true,"text":[],"label":null,"suggested_replacement":null,"suggestion_applicability":null,"expansion":{{"span":{call},"macro_decl_name":"assert!","def_site_span":{call}}}}}"#
    );
    let found = diagnostic(&line(&format!(
        r#"{{"message":"m","code":null,"level":"warning","spans":[{inner}],"children":[],"rendered":null}}"#
    )));
    assert!(matches!(found.spans[0].place, DiagnosticFile::Foreign(_)));
    assert_eq!(found.user_span().unwrap().place.as_str(), "src/lib.rs");
    assert_eq!(found.spans[0].expansion.as_ref().unwrap().macro_name, "assert!");
}

#[test]
fn an_error_whose_call_sites_nest_deeper_than_the_parser_goes_is_not_lost() {
    let mut nested = span(r#","expansion":null"#);
    for _ in 0..200 {
        nested = span(&format!(
            r#","expansion":{{"span":{nested},"macro_decl_name":"deep!","def_site_span":null}}"#
        ));
    }
    let found = diagnostic(&line(&format!(
        r#"{{"message":"too deep","code":{{"code":"E0425","explanation":null}},"level":"error","spans":[{nested}],"children":[],"rendered":"error[E0425]: too deep\n --> src/a.rs:3:7\n"}}"#
    )));
    assert_eq!(found.code.as_deref(), Some("E0425"));
    assert_eq!(found.primary().unwrap().place.as_str(), "src/a.rs");
    assert_eq!(found.primary().unwrap().start, LineCol { line: 3, col: 7 });
}

#[test]
fn closing_tallies_are_no_diagnostics() {
    for message in ["aborting due to 2 previous errors", "1 warning emitted"] {
        let line = line(&format!(
            r#"{{"message":"{message}","code":null,"level":"error","spans":[],"children":[],"rendered":null}}"#
        ));
        assert_eq!(read_message(Path::new("/p"), line.as_bytes()), Some(CargoMessage::Other));
    }
}

#[test]
fn bare_rustc_output_is_read_too() {
    let found = diagnostic(
        r#"{"$message_type":"diagnostic","message":"m","code":null,"level":"error","spans":[],"children":[],"rendered":"error: m"}"#,
    );
    assert_eq!((found.package, found.target), (None, None));
}

#[test]
fn units_and_the_end_of_a_build_are_reported() {
    let unit = r#"{"reason":"compiler-artifact","package_id":"registry+https://example.org/index#serde@1.0.1","target":{"kind":["bin"],"name":"tool"},"profile":{"test":true},"fresh":true}"#;
    assert_eq!(
        read_message(Path::new("/p"), unit.as_bytes()),
        Some(CargoMessage::Unit {
            package: "serde".into(),
            target: "bin tool test".into(),
            fresh: true
        })
    );
    let script = r#"{"reason":"build-script-executed","package_id":"path+file:///p#a@0.1.0","linked_libs":[],"cfgs":["fast","kind=\"b\""],"env":[],"out_dir":"/t"}"#;
    assert_eq!(
        read_message(Path::new("/p"), script.as_bytes()),
        Some(CargoMessage::BuildScript {
            package: "a".into(),
            cfgs: vec!["fast".into(), "kind=\"b\"".into()],
        })
    );
    assert_eq!(
        read_message(Path::new("/p"), br#"{"reason":"build-finished","success":false}"#),
        Some(CargoMessage::Finished { success: false })
    );
}

#[test]
fn what_a_build_script_prints_is_no_message() {
    for text in ["warning: hello", "", "{", "{\"reason\":5}", "[1]"] {
        assert_eq!(read_message(Path::new("/p"), text.as_bytes()), None, "{text}");
    }
}

#[test]
fn a_package_that_is_not_local_proposes_nothing() {
    let suggestion = r#","suggested_replacement":"u64","suggestion_applicability":"MachineApplicable","expansion":null"#;
    let message = format!(
        r#"{{"message":"m","level":"error","spans":[{}],"children":[{{"message":"h","level":"help","spans":[{}]}}]}}"#,
        span(""),
        span(suggestion)
    );
    let of = |id: &str| {
        let text = line(&message).replace("path+file:///p/my-crate#0.1.0", id);
        diagnostic(&text).children[0].replacements.len()
    };
    assert_eq!(of("path+file:///p/my-crate#0.1.0"), 1);
    assert_eq!(of("my-crate 0.1.0 (path+file:///p/my-crate)"), 1);
    assert_eq!(of("registry+https://example.org/index#my-crate@0.1.0"), 0);
    assert_eq!(of("git+https://example.org/my-crate#0.1.0"), 0);
    assert_eq!(of("my-crate 0.1.0 (registry+https://example.org/index)"), 0);
}

#[test]
fn a_message_of_any_size_is_read_within_limits() {
    let child = format!(r#"{{"message":"h","level":"help","spans":[{}]}}"#, span(""));
    let long = "x".repeat(1 << 20);
    let message = format!(
        r#"{{"message":"{long}","rendered":"{long}","level":"error","spans":[{}],"children":[{}]}}"#,
        vec![span(""); 1_000].join(","),
        vec![child; 1_000].join(",")
    );
    let found = diagnostic(&line(&message));
    assert!(found.message.len() <= MAX_TEXT_BYTES + '…'.len_utf8());
    assert!(found.rendered.is_some_and(|it| it.len() <= MAX_RENDERED_BYTES + '…'.len_utf8()));
    assert_eq!((found.spans.len(), found.children.len()), (MAX_SPANS, MAX_CHILDREN));
}

#[test]
fn a_replacement_that_is_too_long_is_dropped_and_not_cut() {
    let long = "x".repeat(MAX_REPLACEMENT_BYTES + 1);
    let suggestion = format!(
        r#","suggested_replacement":"{long}","suggestion_applicability":"MachineApplicable","expansion":null"#
    );
    let message = format!(
        r#"{{"message":"m","level":"error","spans":[],"children":[{{"message":"h","level":"help","spans":[{}]}}]}}"#,
        span(&suggestion)
    );
    assert_eq!(diagnostic(&line(&message)).children[0].replacements, []);
}
