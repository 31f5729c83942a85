//! Calls that can end the process, and report success. A test process that ends early has run what it
//! printed and no more, and code under test can print anything, so a change that adds such a call is
//! for a person to allow. Start at [`Comparison::process_ends`].

use base::{SortedMap, SortedSet};

use crate::align::Fate;
use crate::compare::Comparison;
use crate::layout::Layout;
use crate::outline::{ElementKind, Outline, TokenKind};
use crate::{Rule, Violation};

/// Functions that end the process, or put another program in its place.
const ENDS: &[&str] = &[
    "_Exit",
    "_exit",
    "execl",
    "execle",
    "execlp",
    "execv",
    "execve",
    "execvp",
    "execvpe",
    "exit",
    "exit_group",
    "fexecve",
    "quick_exit",
];
/// Names of `std::process` that do not end it, or not with success.
const HARMLESS: &[&str] = &[
    "Child",
    "ChildStderr",
    "ChildStdin",
    "ChildStdout",
    "Command",
    "CommandArgs",
    "CommandEnvs",
    "ExitCode",
    "ExitStatus",
    "ExitStatusError",
    "Output",
    "Stdio",
    "Termination",
    "abort",
    "exit",
    "id",
    "self",
    "{",
];

/// Macros of the standard library whose input is values that run where they are.
pub const VALUE_MACROS: &[&str] = &[
    "assert",
    "assert_eq",
    "assert_ne",
    "dbg",
    "debug_assert",
    "debug_assert_eq",
    "debug_assert_ne",
    "eprint",
    "eprintln",
    "format",
    "format_args",
    "matches",
    "panic",
    "print",
    "println",
    "todo",
    "unimplemented",
    "unreachable",
    "vec",
    "write",
    "writeln",
];

impl Comparison<'_> {
    /// Calls that can end the process with success, more than the function of that name had.
    pub(crate) fn process_ends(comparisons: &[Self], found: &mut Vec<Violation>) {
        let calls_main = comparisons.iter().any(|it| calls_main(&it.new));
        let ends = |outline: &Outline<'_>, layout: &Layout, it: &Self| {
            let is_exempt = |at: usize| !calls_main && in_main(it, outline, layout, at);
            let own = own_functions(outline);
            let ends = |at: &usize| ends(outline, layout, &own, *at) && !is_exempt(*at);
            (0..outline.tokens.len()).filter(ends).collect::<Vec<usize>>()
        };
        let function = |outline: &Outline<'_>, layout: &Layout, at: usize| {
            layout.function(at).map_or("", |it| outline.text(it.name)).to_owned()
        };
        let mut before: SortedMap<String, usize> = SortedMap::new();
        for it in comparisons {
            for at in ends(&it.old, &it.old_layout, it) {
                *before.entry(function(&it.old, &it.old_layout, at)).or_default() += 1;
            }
        }
        let mut after: SortedMap<String, Vec<(&Self, usize)>> = SortedMap::new();
        for it in comparisons {
            for at in ends(&it.new, &it.new_layout, it) {
                after.entry(function(&it.new, &it.new_layout, at)).or_default().push((it, at));
            }
        }
        // Of a process end with another status only the status is new.
        let kept = |it: &Self, at: usize| {
            let old = it.alignment.origins.get(at).copied().flatten();
            old.is_some_and(|old| matches!(it.fate(old), Fate::Kept(_)))
        };
        let is_new = |(it, at): &(&Self, usize)| !(*at..at + 3).all(|at| kept(it, at));
        for (name, ends) in after {
            if ends.len() <= before.get(&name).copied().unwrap_or(0) {
                continue;
            }
            for (it, at) in ends.into_iter().filter(is_new) {
                let detail =
                    format!("`{}` can end the process of a test with success", it.new.text(at));
                found.push(it.violation_in_new(Rule::ExitAdded, at, detail));
            }
        }
    }
}

/// Whether code of a text may call a function `main`: a path to it, or its name beside the definition.
fn calls_main(outline: &Outline<'_>) -> bool {
    (0..outline.tokens.len()).any(|at| {
        outline.text(at).trim_start_matches("r#") == "main"
            && outline.tokens[at].kind == TokenKind::Word
            && !matches!(outline.before(at, 1), "fn" | ".")
            && outline.before(at, 1) != "["
    })
}

/// Whether the token names what can end the process with success.
fn ends(outline: &Outline<'_>, layout: &Layout, own: &SortedSet<&str>, at: usize) -> bool {
    if outline.tokens[at].kind != TokenKind::Word {
        return false;
    }
    let word = outline.text(at).trim_start_matches("r#");
    let (before, after) = (outline.before(at, 1), outline.text(at + 1));
    let is_import = layout.owner(outline, at).is_some_and(|it| it.kind == ElementKind::Import);
    match word {
        // `process::*`, `process as p`, `process::$name`.
        "process" if after == "as" => is_import,
        "process" if after == "::" => !HARMLESS.contains(&outline.text(at + 2)),
        // `std::$module::$function(0)`.
        "process" => is_argument(outline, layout, at),
        // `Command::new("x").exec()`.
        "CommandExt" => is_import || after == "::",
        "prelude" | "unix" => is_import && imports_exec(outline, at),
        // `unix::{self as u}`.
        "self" => is_import && after == "as" && imports_from(outline, at, &["process", "unix"]),
        "exec" => {
            let is_call = before == "." && takes_nothing(outline, at + 1);
            // A function of the file is called by its name, or by a path of modules; a method of a type by
            // the same name may be the trait's.
            let is_module = matches!(outline.before(at, 2), "crate" | "self" | "super");
            let is_own = is_module && own.contains(word);
            is_call || (before == "::" && !is_own) || is_argument(outline, layout, at)
        }
        _ if !ENDS.contains(&word) || matches!(before, "." | "fn") => false,
        _ => {
            let is_call = after == "(" && !fails(outline, at) && !own.contains(word);
            let is_named = (before == "::" && !fails(outline, at)) || is_import;
            is_named || is_call || (is_argument(outline, layout, at) && !fails(outline, at))
        }
    }
}

/// Whether an import of `std::os::unix` has `CommandExt`: its prelude, all of it, or under another name.
fn imports_exec(outline: &Outline<'_>, at: usize) -> bool {
    let after = outline.text(at + 1);
    if outline.text(at) == "unix" {
        return after == "as" || (after == "::" && outline.text(at + 2) == "*");
    }
    imports_from(outline, at, &["unix"])
}

/// Whether the import around a token has one of the names before it.
fn imports_from(outline: &Outline<'_>, at: usize, names: &[&str]) -> bool {
    let path = (1..=at).map(|back| outline.before(at, back)).take_while(|it| *it != ";");
    path.take_while(|it| *it != "use").any(|it| names.contains(&it.trim_start_matches("r#")))
}

/// Whether a call follows that has no arguments, or something that is no plain call.
fn takes_nothing(outline: &Outline<'_>, at: usize) -> bool {
    match outline.text(at) {
        "(" => outline.text(at + 1) == ")",
        // Generic arguments, which the method of the standard library takes too.
        "::" => true,
        _ => false,
    }
}

/// Whether a name is in the input of a macro that is not the standard library's: it can make a path or a
/// call of it.
fn is_argument(outline: &Outline<'_>, layout: &Layout, at: usize) -> bool {
    layout.around(at).any(|open| {
        let name = outline.before(open, 2).trim_start_matches("r#");
        outline.before(open, 1) == "!" && !VALUE_MACROS.contains(&name)
    })
}

/// Whether the call has a status that no test harness takes for success.
fn fails(outline: &Outline<'_>, at: usize) -> bool {
    let status = outline.text(at + 2);
    outline.text(at + 1) == "("
        && outline.text(at + 3) == ")"
        && status.parse::<u8>().is_ok_and(|status| status != 0)
}

/// The names of the functions of a file.
fn own_functions<'a>(outline: &Outline<'a>) -> SortedSet<&'a str> {
    let pairs = outline.tokens.windows(2).filter(|it| it[0].is("fn"));
    pairs.map(|it| it[1].text).collect()
}

/// Whether the token is in the `main` of a program, which no test calls.
fn in_main(it: &Comparison<'_>, outline: &Outline<'_>, layout: &Layout, at: usize) -> bool {
    let mut folders = it.path.as_str().rsplit('/').skip(1);
    let (folder, above) = (folders.next().unwrap_or_default(), folders.next().unwrap_or_default());
    let is_program = matches!((folder, it.path.file_name()), ("src", "main.rs"))
        || (folder == "bin" && above == "src")
        || (folder == "examples" && above != "src");
    // What is public, a module can call.
    let is_main = layout.function(at).is_some_and(|function| {
        outline.text(function.name) == "main"
            && layout.parents[function.start].is_none()
            && !(function.start..function.name).any(|at| outline.text(at) == "pub")
    });
    is_program && is_main
}

#[cfg(test)]
mod tests {
    use base::{ProjectPath, Timestamp};
    use edit::{FileState, Overlay};

    use crate::{Rule, violations};

    /// Whether a change of the files to these texts adds an end of the process.
    fn adds(files: &[(&str, &str, &str)]) -> bool {
        let states = files.iter().map(|(path, before, after)| {
            let state = |text: &str| (!text.is_empty()).then(|| FileState::from_text(text));
            (ProjectPath::new(path).unwrap(), state(before), state(after))
        });
        let overlay = Overlay::from_states("t", Timestamp(0), states.collect::<Vec<_>>());
        violations(&overlay, &[]).iter().any(|it| it.rule == Rule::ExitAdded)
    }

    #[test]
    fn a_way_to_end_the_process_with_success_is_for_a_person_to_allow() {
        let before = "pub fn f(n: i32) -> i32 {\n    n\n}\n";
        let body = |code: &str| format!("pub fn f(n: i32) -> i32 {{\n    {code}\n    n\n}}\n");
        for code in [
            "std::process::exit(0);",
            "std::process::exit(n);",
            "use std::process::exit as e; e(0);",
            "use std::process::{self, exit}; exit(0);",
            "use std::process as p; p::exit(0);",
            "use std::process::*; exit(0);",
            "std::process::r#exit(0);",
            "Some(0).map(std::process::exit);",
            "call!(std::process::$f);",
            "unsafe { libc::_exit(0) };",
            "use std::os::unix::process::CommandExt; std::process::Command::new(\"x\").exec();",
            "exit(0x0);",
            "use std::os::unix::prelude::*; std::process::Command::new(\"x\").exec();",
            "use std::process::{id, exit}; exit(0); mod m { fn exit() {} }",
            "go!(process exit);",
            "go!(exit);",
            "use std::os::unix::prelude::*; Command::exec(&mut Command::new(\"true\"));",
            "use std::process::{self as p}; go!(p, exit);",
            "go!(exec);",
            "go!({ a(p, [exit]) });",
            "fn exec() {} exec(); let _ = std::process::Command::exec(&mut c);",
            "fn exec() {} c.exec();",
            "fn exec() {} Some(c).map(Command::exec);",
            "use std::os::unix::prelude::*;",
            "use std::os::unix::{ffi::OsStrExt, prelude::*};",
            "use std::os::unix as u;",
            "use std::os::unix::*;",
            "use std::os::unix::{self as u}; use u::prelude::*; c.exec::<>();",
            "use std::os::unix::{process::{self as p}}; use p::*;",
            "c.exec::<>();",
        ] {
            assert!(adds(&[("src/lib.rs", before, &body(code))]), "{code}");
        }
        for code in [
            "std::process::exit(1);",
            "std::process::abort();",
            "app.exit();",
            "select! { _ = stop => std::process::exit(1) }",
            "let exit = n;",
            "pool.exec(\"select 1\");",
            "println!(\"{}\", exit);",
            "use std::process::{Command, Stdio};",
            "fn exec() {} exec(); self::exec(); crate::exec();",
            "use std::io::{self as io, prelude::*};",
            "use std::os::unix::fs::PermissionsExt; use std::io::prelude::*;",
            "let unix = 1; let prelude = unix;",
            "let status = std::process::ExitCode::SUCCESS;",
        ] {
            assert!(!adds(&[("src/lib.rs", before, &body(code))]), "{code}");
        }
    }

    #[test]
    fn an_end_that_was_there_may_move_and_main_may_end() {
        let ends = "pub fn f(n: i32) {\n    std::process::exit(n)\n}\n";
        assert!(!adds(&[("src/lib.rs", ends, "mod m;\n"), ("src/m.rs", "", ends)]));
        assert!(!adds(&[("src/lib.rs", ends, &ends.replace("n: i32", "n: i32, _m: u8"))]));
        let main = "fn main() {\n    run();\n}\n";
        let exits = main.replace("run()", "std::process::exit(run())");
        assert!(!adds(&[("src/main.rs", main, &exits)]));
        assert!(adds(&[("src/lib.rs", main, &exits)]));
        assert!(adds(&[("src/examples/mod.rs", main, &exits)]));
        assert!(!adds(&[("examples/a.rs", main, &exits)]));
        assert!(adds(&[("src/main.rs", main, &format!("pub {exits}"))]));
        assert!(adds(&[("src/main.rs", main, &format!("{exits}#[test]\nfn t() {{ main() }}\n"))]));
        assert!(adds(&[
            ("src/main.rs", main, &exits),
            ("src/m.rs", "", "fn t() { crate::main() }\n")
        ]));
        // From a function that no test reaches into one.
        let two = format!("{ends}pub fn g() {{}}\n");
        let moved = two.replace("    std::process::exit(n)\n", "");
        let moved = moved.replace("g() {}", "g() { std::process::exit(0) }");
        assert!(adds(&[("src/lib.rs", &two, &moved)]));
        // Another status.
        let one = ends.replace("exit(n)", "exit(1)");
        assert!(adds(&[("src/lib.rs", &one, ends)]));
    }
}
