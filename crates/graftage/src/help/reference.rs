//! The pages of `docs/reference`, written from the definitions of the arguments and settings. The test
//! compares them; `UPDATE_REFERENCE=1 cargo test -p graftage help` writes them.

use std::fmt::Write as _;

use clap::{Arg, Command};
use serde_json::Value;

const COMMANDS: &str = "docs/reference/commands.md";
const SETTINGS: &str = "docs/reference/settings.md";
const TOOLS: &str = "docs/reference/tools.md";

const WRITTEN: &str = "<!-- Written by `UPDATE_REFERENCE=1 cargo test -p graftage help`. -->\n";

#[test]
fn the_pages_are_those_of_the_program() {
    check(COMMANDS, &commands());
    check(SETTINGS, &settings());
    check(TOOLS, &tools());
}

#[allow(clippy::disallowed_methods, reason = "a test that compares files of this repository")]
fn check(path: &str, text: &str) {
    let file = testkit::workspace_root().join(path);
    if std::env::var_os("UPDATE_REFERENCE").is_some() {
        std::fs::create_dir_all(file.parent().unwrap()).unwrap();
        std::fs::write(&file, text).unwrap();
    }
    let written = std::fs::read_to_string(&file).unwrap_or_default();
    assert!(
        written == text,
        "`{path}` is not what the program has: run `UPDATE_REFERENCE=1 cargo test -p graftage help`"
    );
}

/// Each command with its arguments and options; those of all commands once, at the top.
fn commands() -> String {
    let command = super::command();
    let mut text = format!("{WRITTEN}# Commands\n\n## Options of all commands\n\n");
    for arg in command.get_arguments().filter(|it| !it.is_hide_set()) {
        argument(&mut text, arg);
    }
    for (heading, names) in super::GROUPS {
        let _ = write!(text, "\n## {heading}\n");
        for name in *names {
            if let Some(found) = command.find_subcommand(name) {
                one(&mut text, "graftage", found);
            }
        }
    }
    text
}

fn one(text: &mut String, before: &str, command: &Command) {
    let name = format!("{before} {}", command.get_name());
    let about = command.get_about().map(ToString::to_string).unwrap_or_default();
    let _ = write!(text, "\n### `{name}`\n\n{}.\n\n", about.trim_end_matches('.'));
    let own = |it: &&Arg| !it.is_global_set() && !it.is_hide_set();
    for arg in command.get_arguments().filter(own) {
        argument(text, arg);
    }
    for inner in command.get_subcommands().filter(|it| !it.is_hide_set()) {
        one(text, &name, inner);
    }
}

fn argument(text: &mut String, arg: &Arg) {
    let values: Vec<String> =
        arg.get_value_names().unwrap_or_default().iter().map(|it| format!("<{it}>")).collect();
    let takes = if arg.get_action().takes_values() { values.join(" ") } else { String::new() };
    let flags = match (arg.get_short(), arg.get_long()) {
        (Some(short), Some(long)) => format!("-{short}, --{long} {takes}"),
        (Some(short), None) => format!("-{short} {takes}"),
        (None, Some(long)) => format!("--{long} {takes}"),
        (None, None) => takes,
    };
    let help = arg.get_help().map(ToString::to_string).unwrap_or_default();
    let possible: Vec<String> = arg
        .get_possible_values()
        .iter()
        .filter(|it| !it.is_hide_set() && arg.get_action().takes_values())
        .map(|it| format!("`{}`", it.get_name()))
        .collect();
    let choice = match possible.is_empty() {
        true => String::new(),
        false => format!(" ({})", possible.join(", ")),
    };
    let _ = writeln!(text, "- `{}` – {help}{choice}", flags.trim());
}

/// Each setting with its values and default.
fn settings() -> String {
    let mut text = format!(
        "{WRITTEN}# Settings\n\nA setting is read from the file of the user, from `graftage.toml` of the \
         project, from a variable, and from `--config KEY=VALUE`; `graftage config show` prints where each \
         value is from. A project may only add protection.\n\n\
         | setting | values | default | purpose |\n|---|---|---|---|\n"
    );
    let cell = |it: &str| it.replace('|', "\\|");
    for row in project::Settings::default().rows() {
        let default = match row.value.is_empty() {
            true => "–".to_owned(),
            false => format!("`{}`", cell(&row.value)),
        };
        let (takes, help) = (cell(row.takes), cell(row.help));
        let _ = writeln!(text, "| `{}` | {takes} | {default} | {help} |", row.key);
    }
    text
}

/// Each tool with the fields of its input and output.
fn tools() -> String {
    let mut text = format!(
        "{WRITTEN}# Tools and their JSON\n\nThe tools of `graftage serve` and `graftage tools call`, with the \
         fields of their input and output.\n"
    );
    for listing in agent::toolbox().with_files().list() {
        let listing = serde_json::to_value(listing).unwrap();
        let of = |key: &str| listing[key].as_str().unwrap_or_default().to_owned();
        let _ = write!(text, "\n## `{}`\n\n{}\n", of("name"), of("description"));
        fields(&mut text, "Input", &listing["input_schema"]);
        fields(&mut text, "Output", &listing["output_schema"]);
    }
    text
}

/// The fields of a schema: name, type, description.
fn fields(text: &mut String, heading: &str, schema: &Value) {
    let Some(properties) = schema["properties"].as_object() else { return };
    if properties.is_empty() {
        return;
    }
    let _ = write!(text, "\n{heading}:\n\n");
    let required = schema["required"].as_array().cloned().unwrap_or_default();
    for (name, property) in properties {
        let is_required = required.iter().any(|it| it == name);
        let optional = if is_required || heading == "Output" { "" } else { ", optional" };
        let description = property["description"].as_str().unwrap_or_default().replace('\n', " ");
        let _ = writeln!(text, "- `{name}` ({}{optional}) – {description}", type_of(property));
    }
}

/// The type of a property as text: `string`, `list of Hit`, `one of "a", "b"`.
fn type_of(property: &Value) -> String {
    let named =
        |it: &Value| it["$ref"].as_str().and_then(|it| it.rsplit('/').next()).map(str::to_owned);
    if let Some(name) = named(property) {
        return name;
    }
    if let Some(values) = property["enum"].as_array() {
        let values: Vec<String> = values.iter().map(ToString::to_string).collect();
        return format!("one of {}", values.join(", "));
    }
    for key in ["anyOf", "oneOf"] {
        if let Some(choices) = property[key].as_array() {
            let choices = choices.iter().filter(|it| it["type"] != "null");
            return choices.map(type_of).collect::<Vec<_>>().join(" or ");
        }
    }
    let types = match &property["type"] {
        Value::Array(types) => types.iter().filter(|it| *it != "null").cloned().collect(),
        one => vec![one.clone()],
    };
    match types.first().and_then(Value::as_str) {
        Some("array") => format!("list of {}", type_of(&property["items"])),
        Some(one) => one.to_owned(),
        None => "any".to_owned(),
    }
}
