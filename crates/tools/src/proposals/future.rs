//! The code graph by item: what an item is now, and what it shall become. A future becomes an edit
//! request and a proposal; the other steps are those of all proposals.

use base::{ContentHash, Ctx, ItemKind, ProjectPath};
use edit::Files as _;
use graph::ItemView;
use record::{CurrentCode, Entry, FutureAction};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::error::ProposalError;
use super::propose::{ProposeRequest, propose};
use crate::map::CurrentMap;
use crate::open_files::FileAccess;
use crate::{ApplyCodeEditResponse, Error, Workspace};

/// Input of [`upsert_current`].
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct UpsertCurrent {
    /// The item: UUID, key or canonical path.
    pub id: String,
    /// Its text, with doc comments and attributes; it must be the text in the tree.
    pub current_code: String,
    /// `test`, `test_helper` or `production`.
    pub tdd_classification: String,
    /// 1: the item exists.
    #[serde(default = "one")]
    pub current_id: u8,
}

fn one() -> u8 {
    1
}

/// Result of [`upsert_current`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Recorded {
    /// Always true; a request that is not recorded is an error.
    pub ok: bool,
}

/// Records the current code of an item. The tree is the current state, so the code must be what the
/// tree has.
///
/// # Errors
/// An item that is unknown or ambiguous; a field with another value than the tree.
pub fn upsert_current(
    ctx: &Ctx,
    workspace: &Workspace,
    request: &UpsertCurrent,
) -> Result<Recorded, Error> {
    if request.current_id != 1 {
        let reason = format!("it is {}", request.current_id);
        return Err(field("current_id", reason, "pass 1, or leave it out: the item exists"));
    }
    const CLASSES: [&str; 3] = ["test", "test_helper", "production"];
    if !CLASSES.contains(&request.tdd_classification.as_str()) {
        let reason = format!("`{}` is no class of code", request.tdd_classification);
        return Err(field("tdd_classification", reason, "use test, test_helper or production"));
    }
    let current = CurrentMap::open(ctx, workspace)?;
    let item = current.one(&request.id)?;
    let file = item.path().unwrap_or_default().to_owned();
    if current.code(&item).trim() != request.current_code.trim() {
        let reason = format!("it is not the text of the item in `{file}`");
        let fix = "pass the text as `graftage show` prints it; a new text is for propose_future";
        return Err(field("current_code", reason, fix));
    }
    let record = workspace.record();
    let entry = Entry::Current(CurrentCode {
        id: item.id().to_string(),
        key: item.key(),
        file,
        code: record.texts().put(ctx, request.current_code.as_bytes())?,
        tdd_classification: request.tdd_classification.clone(),
        at: ctx.now(),
    });
    record.write(ctx, |_| Ok::<_, Error>((vec![entry], ())))?;
    Ok(Recorded { ok: true })
}

/// Input of [`propose_future`].
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ProposeFuture {
    /// The item to edit or delete: UUID, key or canonical path. To create one: the module, impl or
    /// trait that it goes into, or the path of a file.
    pub id: String,
    /// The whole new item; empty to delete one.
    #[serde(default)]
    pub future_code: String,
    /// `create`, `edit` or `delete`.
    pub future_action: FutureAction,
    /// Task that it belongs to.
    #[serde(default)]
    pub task: String,
}

/// Proposes a future of an item. An edit without doc comments or attributes keeps those that the
/// item has; a new item is put at the end of the item or file that it goes into.
///
/// # Errors
/// As [`propose`]; an item that is unknown, ambiguous, or made by a macro.
pub fn propose_future(
    ctx: &Ctx,
    workspace: &Workspace,
    request: &ProposeFuture,
) -> Result<ApplyCodeEditResponse, Error> {
    let is_delete = request.future_action == FutureAction::Delete;
    if is_delete != request.future_code.trim().is_empty() {
        let (reason, fix) = match is_delete {
            true => ("a deleted item has no code", "leave it out"),
            false => ("it is empty", "pass the whole item; the action `delete` removes it"),
        };
        return Err(field("future_code", reason.to_owned(), fix));
    }
    let current = CurrentMap::open(ctx, workspace)?;
    let edit = match request.future_action {
        FutureAction::Create => create(workspace, &current, request)?,
        FutureAction::Edit => edit(&current, request)?,
        FutureAction::Delete => delete(&current, request)?,
    };
    let text = json!({ "edits": [edit] }).to_string();
    let (task, author) = (request.task.clone(), String::new());
    let request = ProposeRequest { text, task, author, access: FileAccess::Agent };
    let proposed = propose(ctx, workspace, &request)?;
    Ok(proposed.into())
}

/// The item, if its text is in the file.
fn written<'a>(
    current: &'a CurrentMap<'_>,
    request: &ProposeFuture,
) -> Result<(ItemView<'a>, String), Error> {
    let item = current.one(&request.id)?;
    let is_whole = !matches!(item.kind, ItemKind::Variant | ItemKind::File | ItemKind::Crate);
    match item.path() {
        Some(path) if is_whole && !item.flags.from_macro => Ok((item, path.to_owned())),
        _ => {
            let reason =
                format!("`{}` ({}) has no text of its own", request.id, item.kind.as_str());
            Err(field("id", reason, "edit the item, macro call or file around it"))
        }
    }
}

fn edit(current: &CurrentMap<'_>, request: &ProposeFuture) -> Result<Value, Error> {
    let (item, path) = written(current, request)?;
    let text = text_of(current, &item, &path)?;
    let same = |it: &&syntax::Item| it.span.start == item.span.0 as usize;
    let parsed = syntax::parse(&text);
    let found = parsed.items.iter().find(same).ok_or_else(|| moved(&path))?;
    Ok(json!({
        "mode": "canonical", "file": path, "canon": found.canon,
        "node_type": found.kind.as_str(), "code": request.future_code,
    }))
}

/// Removes an item with its line break, and the blank line after it.
fn delete(current: &CurrentMap<'_>, request: &ProposeFuture) -> Result<Value, Error> {
    let (item, path) = written(current, request)?;
    let text = text_of(current, &item, &path)?;
    let (mut start, mut end) = (item.span.0 as usize, item.span.1 as usize);
    let line_start = text.get(..start).and_then(|head| head.rfind('\n')).map_or(0, |at| at + 1);
    if text.get(line_start..start).is_some_and(|indent| indent.trim().is_empty()) {
        start = line_start;
        for _ in 0..2 {
            let rest = text.get(end..).unwrap_or_default();
            let line = rest.find('\n').map_or(rest.len(), |at| at + 1);
            let is_blank = rest.get(..line).is_some_and(|line| line.trim().is_empty());
            end += if is_blank { line } else { 0 };
        }
    }
    Ok(splice(&path, &text, start, end, ""))
}

/// Inserts an item at the end of a file, or before the last bracket of a module, impl or trait.
fn create(
    workspace: &Workspace,
    current: &CurrentMap<'_>,
    request: &ProposeFuture,
) -> Result<Value, Error> {
    let code = request.future_code.trim_end();
    if request.id.ends_with(".rs")
        && let Ok(path) = ProjectPath::within(workspace.project().root(), request.id.as_ref())
    {
        let state = workspace.project().read(&path);
        let state = state.map_err(|why| field("id", why.to_string(), "name another file"))?;
        let Some(state) = state else {
            return Ok(json!({
                "mode": "file", "file_path": path.as_str(), "text": format!("{code}\n"),
            }));
        };
        let end = state.text.len();
        let gap = if end == 0 || state.text.ends_with("\n\n") { "" } else { "\n" };
        return Ok(splice(path.as_str(), &state.text, end, end, &format!("{gap}{code}\n")));
    }
    let (item, path) = written(current, request)?;
    let text = text_of(current, &item, &path)?;
    let parsed = syntax::parse(&text);
    let around = parsed.items.iter().find(|it| it.span.start == item.span.0 as usize);
    let holds = |kind| matches!(kind, ItemKind::Module | ItemKind::Impl | ItemKind::Trait);
    let body = around.filter(|_| holds(item.kind)).and_then(|it| it.body);
    let Some(body) = body.filter(|body| text.get(..body.end).is_some_and(|it| it.ends_with('}')))
    else {
        let reason = format!("no item can be put into `{}`", request.id);
        return Err(field("id", reason, "name a file, or a module, impl or trait with a body"));
    };
    let close = body.end - 1;
    let head = text.get(..close).unwrap_or_default();
    let at = head.trim_end_matches([' ', '\t']).len();
    let line = if head.ends_with('{') || !head.get(..at).is_some_and(|it| it.ends_with('\n')) {
        "\n"
    } else {
        ""
    };
    Ok(splice(&path, &text, at, at, &format!("{line}{code}\n")))
}

fn splice(path: &str, text: &str, start: usize, end: usize, replacement: &str) -> Value {
    json!({
        "mode": "splice", "file_path": path,
        "expected_file_hash": ContentHash::of(text.as_bytes()),
        "start_byte": start, "end_byte": end, "replacement": replacement,
    })
}

fn text_of(
    current: &CurrentMap<'_>,
    item: &ItemView<'_>,
    path: &str,
) -> Result<std::sync::Arc<str>, Error> {
    current.text(item.file).ok_or_else(|| moved(path))
}

fn moved(path: &str) -> Error {
    field("id", format!("`{path}` changed at the same moment"), "send the request again")
}

fn field(field: &'static str, reason: String, fix: &str) -> Error {
    ProposalError::Field { field, reason, fix: fix.to_owned() }.into()
}
