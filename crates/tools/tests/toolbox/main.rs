//! The toolbox: its list, its answers and attacks on its file tools, as text in and text out.

#![allow(clippy::unwrap_used, reason = "a failed setup ends the test")]

mod attacks;
mod calls;
mod closed;
mod files;
mod list;

use std::fmt::Write as _;
use std::path::Path;

use base::Ctx;
use graftage_tools::Toolbox;
use project::{Settings, Surroundings, Workspace};
use serde_json::Value;
use testkit::TempProject;

const LIB: &str = "/// Twice a number.
pub fn double(n: u8) -> u8 {
    n * 2
}

pub fn quadruple(n: u8) -> u8 {
    double(double(n))
}

#[cfg(test)]
mod tests {
    #[test]
    fn doubles() {
        assert_eq!(super::double(2), 4);
    }
}
";

/// A project with the tools.
struct Bench {
    project: TempProject,
    ctx: Ctx,
    workspace: Workspace,
    toolbox: Toolbox,
}

impl Bench {
    fn new() -> Self {
        limit_memory();
        let project = testkit::crate_project("\n//- /src/lib.rs\n");
        project.write("src/lib.rs", LIB);
        let ctx = testkit::TestHost::new().ctx();
        let workspace = open(&ctx, project.root());
        Self { project, ctx, workspace, toolbox: Toolbox::standard().with_files() }
    }

    /// Calls a tool; the answer, or the error with its fix, as text.
    fn call(&self, name: &str, input: Value) -> String {
        match self.toolbox.call(&self.ctx, &self.workspace, name, &input) {
            Ok(answer) => serde_json::to_string_pretty(&answer).unwrap(),
            Err(error) => format!("{:?} {error}\n  {}", error.kind, error.fix),
        }
    }

    /// The answer of a call.
    fn answer(&self, name: &str, input: Value) -> Value {
        let answer = self.toolbox.call(&self.ctx, &self.workspace, name, &input);
        let answer = answer.unwrap_or_else(|error| panic!("{name} {input}: {error}"));
        let tools = self.toolbox.list();
        let tool = tools.iter().find(|it| it.card.name == name).unwrap();
        if let Err(error) = tool_schema::check_value(&tool.output_schema, &answer) {
            panic!("{name} {answer}: not of its schema: {error}");
        }
        answer
    }

    /// One line for each call: the input and the error.
    fn errors(&self, name: &str, inputs: &[Value]) -> String {
        let mut lines = String::new();
        for input in inputs {
            let error = self.toolbox.call(&self.ctx, &self.workspace, name, input);
            let error = error.map_or_else(|it| it.to_string(), |it| format!("ANSWERED {it}"));
            let _ = writeln!(lines, "{input}\n  {error}");
        }
        lines
    }
}

fn open(ctx: &Ctx, root: &Path) -> Workspace {
    open_for_person(ctx, root).for_agents()
}

fn open_for_person(ctx: &Ctx, root: &Path) -> Workspace {
    let dirs = root.with_file_name("graftage");
    let surroundings = Surroundings {
        cache_dir: dirs.join("cache"),
        state_dir: dirs.join("state"),
        config_file: dirs.join("none.toml"),
        ..Surroundings::of_process().unwrap()
    };
    let mut settings = Settings::default();
    settings.sandbox_require = testkit::inner::level();
    Workspace::open(ctx, root, &settings, &surroundings, testkit::inner::sandbox()).unwrap()
}

/// An attack that works would read on: it is to end, and not to take the machine's memory.
fn limit_memory() {
    use rustix::process::{Resource, Rlimit, setrlimit};
    let limit = Some(12 << 30);
    setrlimit(Resource::As, Rlimit { current: limit, maximum: limit }).unwrap();
}

#[test]
fn an_ordinary_user_is_protected_as_well() {
    testkit::as_ordinary_user(&["closed::", "attacks::"], &[]);
}
