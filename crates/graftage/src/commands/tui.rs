//! `tui`: the terminal interface, or the same in lines.

use std::io::IsTerminal as _;
use std::sync::Arc;

use base::Ctx;
use project::SystemHost;
use tui::{Background, Keymap, ProjectInfo, TuiOptions};

use crate::args_tui as args;
use crate::exit::{Failure, Status};
use crate::output;
use crate::session::Session;

/// Micro-dollars of a dollar.
const MICRO: f64 = 1_000_000.0;

pub(crate) fn run(session: &Session, args: &args::Tui) -> Result<Status, Failure> {
    let root = session.root();
    let settings = session.settings(root.as_deref().ok())?;
    let keys = Keymap::with(&settings.tui_keys)
        .map_err(|error| Failure::input(error.to_string(), "correct the setting `tui.keys`"))?;
    if args.keys {
        return list_keys(&keys);
    }
    let source = session.source()?;
    let root = &source.root;
    let folder = session.workspace_at(root)?.project().state_dir().join("tui");
    let of = &settings.model;
    let model = of.provider.as_ref().map(|_| of.name.clone());
    let info = ProjectInfo {
        name: root.file_name().map(|it| it.to_string_lossy().into_owned()).unwrap_or_default(),
        model,
        max_cost: of.max_cost.map(|it| it as f64 / MICRO),
    };
    // Nothing else may write to the terminal.
    let ctx = Ctx::new(Arc::new(SystemHost::new(Arc::default(), |_| {})));
    let has = |name: &str| std::env::var_os(name).is_some_and(|it| !it.is_empty());
    let is_simple = std::env::var("TERM").is_ok_and(|it| it == "dumb");
    let has_terminal = std::io::stdin().is_terminal() && std::io::stdout().is_terminal();
    let colour = std::env::var("COLORTERM").unwrap_or_default();
    let options = TuiOptions {
        first: args.task.clone(),
        keys,
        background: match args.theme {
            args::TuiTheme::Auto => None,
            args::TuiTheme::Dark => Some(Background::Dark),
            args::TuiTheme::Light => Some(Background::Light),
            args::TuiTheme::None => Some(Background::Unknown),
        },
        has_colours: args.theme != args::TuiTheme::None && !has("NO_COLOR"),
        has_all_colours: matches!(colour.as_str(), "truecolor" | "24bit") && !has("NO_COLOR"),
        has_mouse: !args.no_mouse,
        editor: editor(),
        folder,
        info,
    };
    if args.plain || is_simple || !has_terminal {
        tui::run_plain(&ctx, source, options).map_err(failure)?;
        return Ok(Status::Done);
    }
    let summary = tui::run(&ctx, source, options).map_err(failure)?;
    for line in summary {
        output::say(&format!("{}\n", output::safe(&line)))?;
    }
    Ok(Status::Done)
}

fn failure(error: tui::TuiError) -> Failure {
    Failure {
        status: Status::Environment,
        message: error.to_string(),
        hint: Some("`--plain` needs no terminal".to_owned()),
    }
}

/// The words of the editor's command.
fn editor() -> Vec<String> {
    let named = ["VISUAL", "EDITOR"].iter().find_map(|it| std::env::var(it).ok());
    let words = named.unwrap_or_else(|| "vi".to_owned());
    words.split_whitespace().map(str::to_owned).collect()
}

fn list_keys(keys: &Keymap) -> Result<Status, Failure> {
    let mut text = String::new();
    let mut context = None;
    for (of, keys, name, help) in keys.table() {
        if context != Some(of) {
            context = Some(of);
            text.push_str(&format!("{}\n", of.heading()));
        }
        text.push_str(&format!("  {keys:<14} {name:<16} {help}\n"));
    }
    output::say(&text)?;
    Ok(Status::Done)
}
