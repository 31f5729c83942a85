//! `stream`: prints the map as JSON lines, or fills the database.

use std::io::{BufWriter, Write as _};

use code::{CodeError, StreamRecord, StreamRequest};

use crate::args_map;
use crate::exit::{Failure, Status};
use crate::session::Session;
use crate::shown::json_text;

pub(crate) fn run(session: &Session, args: &args_map::Stream) -> Result<Status, Failure> {
    let workspace = match &args.path {
        Some(path) => session.map_workspace_at(path)?,
        None => session.map_workspace()?,
    };
    let request = StreamRequest {
        ignore_files: args.ignore_file.clone(),
        parser_mode: args.parser_mode.into(),
        output: args.output.into(),
        fanout_cap: args.fanout_cap,
        ann_model: args.ann_model.clone(),
    };
    let mut out = BufWriter::with_capacity(1 << 16, std::io::stdout().lock());
    let mut line = |record: &StreamRecord| -> Result<(), CodeError> {
        let text = serde_json::to_string(record).map_err(std::io::Error::from);
        text.and_then(|text| writeln!(out, "{}", json_text(&text))).map_err(CodeError::Output)
    };
    let streamed = code::stream(&session.ctx, &workspace, &request, &mut line);
    session.bar.clear();
    match streamed {
        Err(CodeError::Output(error)) => return Err(error.into()),
        other => other?,
    }
    out.flush()?;
    Ok(Status::Done)
}
