//! `dobby`: the models of this machine, and the daemon that keeps one loaded.

mod daemon;

use std::path::Path;

use ::dobby::ModelRegistry;
use project::SettingOrigin;
use serde_json::json;

use crate::args_fleet::{Dobby, EnsureModel, VerifyModel};
use crate::exit::{Failure, Status};
use crate::output::{self, BOLD, DIM, paint};
use crate::session::Session;

pub(crate) fn run(session: &Session, args: &Dobby) -> Result<Status, Failure> {
    let folder = session.surroundings.models_dir();
    let registry = ModelRegistry::new(folder.clone());
    match args {
        Dobby::Serve(args) => daemon::serve(session, args),
        Dobby::Status => daemon::status(session),
        Dobby::Unload => daemon::unload(session),
        Dobby::Logs(args) => daemon::logs(session, args),
        Dobby::Shutdown(args) => daemon::shutdown(session, args),
        Dobby::Models => models(session, &registry, &folder),
        Dobby::Verify(args) => verify(session, args),
        Dobby::EnsureModel(args) => ensure(session, &registry, args),
    }
}

fn models(session: &Session, registry: &ModelRegistry, folder: &Path) -> Result<Status, Failure> {
    let all = registry.models()?;
    if session.global.json {
        output::json(&json!({ "models": all }))?;
        return Ok(Status::Done);
    }
    let mut text = String::new();
    for model in &all {
        let there = model.files.iter().filter(|it| it.bytes.is_some()).count();
        let bytes: u64 = model.files.iter().filter_map(|it| it.bytes).sum();
        let state = match there == model.files.len() {
            true => format!("{} MiB", bytes.div_ceil(1 << 20)),
            false => format!("{there} of {} files", model.files.len()),
        };
        let licence = match model.licence.is_empty() {
            true => "licence not stated".to_owned(),
            false => output::safe(&model.licence),
        };
        let name = paint(BOLD, &output::safe(&model.name));
        text.push_str(&format!("{name}  {state}  {}\n", paint(DIM, &licence)));
    }
    if all.is_empty() {
        let path = output::safe(&folder.join("models.toml").display().to_string());
        text = format!("no models in {path}\n");
    }
    output::say(&text)?;
    Ok(Status::Done)
}

fn verify(session: &Session, args: &VerifyModel) -> Result<Status, Failure> {
    let mut settings = session.settings(None)?;
    for (key, value) in [("model.provider", "local"), ("model.name", &args.name)] {
        settings.put(key, value, SettingOrigin::Flag).map_err(tools::Error::from)?;
    }
    let verified =
        project::verify_model(&session.ctx, &settings, &session.surroundings, args.lines)?;
    session.bar.clear();
    if session.global.json {
        output::json(&verified)?;
    } else {
        let mut text: String =
            verified.lines.iter().map(|it| format!("{}\n", output::safe(it))).collect();
        let result = match verified.is_equal {
            true => "two runs are equal",
            false => "two runs differ",
        };
        text.push_str(&format!("{}: {result}\n", output::safe(&args.name)));
        output::say(&text)?;
    }
    Ok(if verified.is_equal { Status::Done } else { Status::No })
}

fn ensure(
    session: &Session,
    registry: &ModelRegistry,
    args: &EnsureModel,
) -> Result<Status, Failure> {
    let ctx = &session.ctx;
    let mut seen = |file: &str, bytes: u64, all: Option<u64>| {
        let file = format!("{} {file}", args.name);
        ctx.count("downloading (MiB)", file, bytes >> 20, all.unwrap_or(0) >> 20);
        !ctx.is_cancelled()
    };
    let ensured = match (&args.source, &args.sha256) {
        (Some(source), Some(sha256)) => registry.add(&args.name, (source, sha256), &mut seen)?,
        _ => registry.ensure(&args.name, &mut seen)?,
    };
    session.bar.clear();
    if session.global.json {
        output::json(&ensured)?;
    } else {
        let name = output::safe(&args.name);
        output::say(&format!(
            "{name}: {}, {} bytes, as its hash\n",
            ensured.status, ensured.bytes
        ))?;
    }
    Ok(Status::Done)
}

impl From<::dobby::ModelError> for Failure {
    fn from(error: ::dobby::ModelError) -> Self {
        project::ProjectError::from(error).into()
    }
}
