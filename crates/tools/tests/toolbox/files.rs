//! The file tools on ordinary files.

use expect_test::expect;
use serde_json::json;

use crate::Bench;

#[test]
fn lines_are_read_with_their_numbers() {
    let bench = Bench::new();
    expect![[r#"
        {
          "next_start": 4,
          "text": "2\tpub fn double(n: u8) -> u8 {\n3\t    n * 2\n",
          "total": 16
        }"#]]
    .assert_eq(&bench.call("read", json!({ "file": "src/lib.rs", "start": 2, "lines": 2 })));
    let absolute = bench.project.path("src/lib.rs");
    assert!(bench.call("read", json!({ "file": absolute, "lines": 1 })).contains("Twice"));
    expect![[r#"
        Input start: the file has 16 lines
          pass 1 to 16"#]]
    .assert_eq(&bench.call("read", json!({ "file": "src/lib.rs", "start": 99 })));
    expect![[r#"
        Input file: there is no file `lib.rs`
          similar paths: src/lib.rs"#]]
    .assert_eq(&bench.call("read", json!({ "file": "lib.rs" })));
    bench.project.write("empty.txt", "");
    expect![[r#"
        {
          "text": "",
          "total": 0
        }"#]]
    .assert_eq(&bench.call("read", json!({ "file": "empty.txt" })));
    bench.project.write("crlf.txt", "a\r\nb\r\n");
    expect![[r#"
        {
          "line_endings": "crlf",
          "text": "1\ta\r\n2\tb\r\n",
          "total": 2
        }"#]]
    .assert_eq(&bench.call("read", json!({ "file": "crlf.txt" })));
}

#[test]
fn long_files_are_read_in_parts() {
    let bench = Bench::new();
    let line = format!("{}\n", "é".repeat(5_000));
    bench.project.write("long.txt", line.repeat(500));
    let (mut start, mut parts) = (1, 0);
    while let Some(next) = {
        let part =
            bench.answer("read", json!({ "file": "long.txt", "start": start, "lines": 500 }));
        assert!(part.to_string().len() < 64 << 10);
        part["next_start"].as_u64()
    } {
        assert!(next > start);
        (start, parts) = (next, parts + 1);
    }
    assert!(parts > 10, "{parts}");
}

#[test]
fn files_are_listed_by_pattern() {
    let bench = Bench::new();
    bench.project.write(".gitignore", "/ignored\n");
    bench.project.write("ignored/a.rs", "");
    bench.project.write(".hidden/a.rs", "");
    bench.project.write("b/c.rs", "");
    expect![[r#"
        {
          "files": [
            "b/c.rs",
            "src/lib.rs"
          ],
          "total": 2
        }"#]]
    .assert_eq(&bench.call("glob", json!({ "pattern": "**/*.rs" })));
    expect![[r#"
        {
          "files": [
            "Cargo.toml",
            "b/c.rs"
          ],
          "next_offset": 3,
          "total": 4
        }"#]]
    .assert_eq(&bench.call("glob", json!({ "pattern": "**", "limit": 2, "offset": 1 })));
    // Neither hidden nor ignored files, whatever the pattern names.
    for pattern in [".*", ".hidden/*", "./.hidden/*", "[.]*/*", "{.hidden,ignored}/**", "ignored/*"]
    {
        let listed = bench.answer("glob", json!({ "pattern": pattern }));
        assert_eq!(listed["total"], 0, "{pattern}: {listed}");
    }
    expect![[r#"
        Input pattern: unclosed character class; missing ']'
          pass a pattern such as `src/**/*.rs`"#]]
    .assert_eq(&bench.call("glob", json!({ "pattern": "a[" })));
    expect![[r#"
        Input pattern: it leads out of the project
          pass a pattern relative to the project, such as `src/**/*.rs`"#]]
    .assert_eq(&bench.call("glob", json!({ "pattern": "../*" })));
}

#[test]
fn lines_are_found_by_expression() {
    let bench = Bench::new();
    bench.project.write("bin.rs", b"double\0double");
    bench.project.write("latin.txt", b"double \xe9\n");
    expect![[r#"
        {
          "files": [
            {
              "file": "src/lib.rs",
              "lines": [
                "2:pub fn double(n: u8) -> u8 {",
                "7:    double(double(n))",
                "14:        assert_eq!(super::double(2), 4);"
              ]
            }
          ]
        }"#]]
    .assert_eq(&bench.call("grep", json!({ "pattern": "double\\(" })));
    expect![[r#"
        {
          "files": [
            {
              "file": "latin.txt",
              "lines": [
                "1:double �"
              ]
            }
          ]
        }"#]]
    .assert_eq(
        &bench.call("grep", json!({ "pattern": "DOUBLE", "ignore_case": true, "files": "*.txt" })),
    );
    let page =
        json!({ "pattern": "double", "limit": 1, "offset": 2, "context": 1, "files": "**/*.rs" });
    expect![[r#"
        {
          "files": [
            {
              "file": "src/lib.rs",
              "lines": [
                "12-    #[test]",
                "13:    fn doubles() {"
              ]
            }
          ],
          "next_offset": 3
        }"#]]
    .assert_eq(&bench.call("grep", page));
    expect![[r#"
        Input pattern: regex parse error:
            (?:double()
            ^
        error: unclosed group
          correct the expression, or pass `literal`: true to search the text as it is"#]]
    .assert_eq(&bench.call("grep", json!({ "pattern": "double(", "files": "src/*" })));
    let literal = json!({ "pattern": "double(", "literal": true, "files": "src/*", "limit": 1 });
    expect![[r#"
        {
          "files": [
            {
              "file": "src/lib.rs",
              "lines": [
                "2:pub fn double(n: u8) -> u8 {"
              ]
            }
          ],
          "next_offset": 1
        }"#]]
    .assert_eq(&bench.call("grep", literal));
    assert_eq!(bench.answer("grep", json!({ "pattern": "no such text" })), json!({ "files": [] }));
}

#[test]
fn an_edit_is_exact_or_refused_with_the_nearest_text() {
    let bench = Bench::new();
    let edit = |find: &str, replace: &str| json!({ "file": "src/lib.rs", "edits": [{ "find": find, "replace": replace }] });
    expect![[r#"
        Input edits[0].find: it does not occur in the file
          `read` the file, or `grep` for a part of the text"#]]
    .assert_eq(&bench.call("edit", edit("n * 3", "n")));
    expect![[r#"
        Input edits[0].find: it does not occur in the file
          line 2 of the file is near: `pub fn double(n: u8) -> u8 {`"#]]
    .assert_eq(&bench.call("edit", edit("pub fn duoble(n: u8) -> u8 {", "n")));
    expect![[r#"
        Input edits[0].find: it does not occur in the file
          its first line is line 2 of the file; the lines after it, or the white space, differ: `read` the file from there"#]]
        .assert_eq(&bench.call("edit", edit("pub fn double(n: u8) -> u8 {\n  n * 2", "n")));
    expect![[r#"
        Input edits[0].find: it occurs 5 times, at lines 2, 7, 7, 13, 14
          add the lines around the right one, or pass `count`: 5 to replace all"#]]
    .assert_eq(&bench.call("edit", edit("double", "twice")));
    expect![[r#"
        Input the request changes nothing
          the files have that text already; `proposals` shows what is proposed"#]]
    .assert_eq(&bench.call("edit", edit("n * 2", "n * 2")));
    let mut all = edit("double", "twice");
    all["edits"][0]["count"] = json!(5);
    let staged = bench.answer("edit", all);
    assert!(staged["files"][0].as_str().unwrap().starts_with("src/lib.rs: +4 -4 @@"), "{staged}");
    bench.project.write("src/crlf.rs", "fn a() {\r\n    1;\r\n}\r\n");
    let crlf = json!({
        "file": "src/crlf.rs",
        "edits": [{ "find": "{\n    1;", "replace": "{\n    2;\n    3;" }],
    });
    let staged = bench.answer("edit", crlf);
    let proposal = bench.answer("proposals", json!({ "id": staged["proposal_id"] }));
    let diff = proposal["proposals"][0]["diff"].as_str().unwrap();
    assert!(diff.contains("+    2;\r\n+    3;\r\n"), "{proposal}");
    let written = bench.answer("write", json!({ "file": "src/new.rs", "text": "fn f( {\n" }));
    assert!(written["files"][0].as_str().unwrap().starts_with("src/new.rs (new)"), "{written}");
    assert_eq!(written["problems"].as_array().unwrap().len(), 1, "{written}");
    assert!(!bench.project.exists("src/new.rs"));
}

#[test]
fn commands_run_on_a_copy_that_is_thrown_away() {
    let bench = Bench::new();
    let before = bench.project.digest();
    let run = |code: &str| bench.answer("execute", json!({ "lang": "sh", "code": code }));
    let out =
        run("pwd >&2; cat src/lib.rs | head -1; echo new > src/lib.rs; rm -rf Cargo.toml; ls");
    assert!(out["stdout"].as_str().unwrap().starts_with("/// Twice a number."), "{out}");
    assert!(!out["stdout"].as_str().unwrap().contains("Cargo.toml"), "{out}");
    assert_eq!(before.differences(&bench.project.digest()), "");
    assert_eq!(run("exit 7")["exit_code"], 7);
    let ls = json!({ "command": "ls", "args": ["-1"], "cwd": "src" });
    assert_eq!(bench.answer("exec", ls)["stdout"], "lib.rs\n");
    bench.project.write(".env", "TOKEN=secret\n");
    let out = run("cat .env; ls src");
    if out["protections"].as_str().unwrap().contains("mount namespace") {
        assert_eq!(out["stdout"], "lib.rs\n", "{out}");
    }
    bench.project.remove(".env");
    let long = run("yes | head -c 3000000");
    assert!(long["stdout"].as_str().unwrap().len() < 20_000, "{}", long["stdout"]);
    assert!(long["stdout"].as_str().unwrap().contains("bytes left out"));
    let slow = json!({ "command": "sleep", "args": ["60"], "timeout": 1 });
    assert_eq!(bench.answer("exec", slow)["timed_out"], true);
    let env = run("env | cut -d= -f1 | sort | tr '\\n' ' '");
    let names = env["stdout"].as_str().unwrap();
    assert!(
        names.split(' ').all(|name| {
            ["HOME", "LANG", "PATH", "PWD", "OLDPWD", "SHLVL", "TERM", "TMPDIR", "_", ""]
                .contains(&name)
        }),
        "{names}"
    );
    expect![[r#"
        Input command: `no-such-program` cannot be started: No such file or directory (os error 2)
          name a program in /usr/local/bin:/usr/bin:/bin"#]]
    .assert_eq(&bench.call("exec", json!({ "command": "no-such-program" })));
    expect![[r#"
        Input cwd: there is no folder `nowhere`
          pass a folder of the project"#]]
    .assert_eq(&bench.call("exec", json!({ "command": "ls", "cwd": "nowhere" })));
}
