//! `doctor`: checks toolchain, sandbox and optional programs, and prints what each missing one
//! adds.

use std::fmt::Write as _;

use super::bundle;
use crate::args::Doctor;
use crate::exit::{Failure, Status};
use crate::output::{self, BAD, DIM, GOOD, WARN, paint};
use crate::session::Session;

pub(crate) fn run(session: &Session, args: &Doctor) -> Result<Status, Failure> {
    // Outside a project `doctor` checks the machine only.
    let root = session.root().ok();
    let settings = session.settings(root.as_deref())?;
    let doctor = project::doctor(
        &session.ctx,
        root.as_deref(),
        &settings,
        &session.surroundings,
        &session.sandbox,
    );
    session.bar.clear();
    if args.bundle {
        bundle::print(session, &settings, &doctor)?;
    } else if session.global.json {
        output::json(&doctor)?;
    } else {
        let mut text = String::new();
        for finding in &doctor.findings {
            let (style, word) = match (finding.present, finding.optional) {
                (true, _) => (GOOD, "ok"),
                (false, true) => (WARN, "absent"),
                (false, false) => (BAD, "MISSING"),
            };
            let _ = writeln!(
                text,
                "{}  {:<15} {}",
                paint(style, &format!("{word:>7}")),
                finding.part,
                output::safe(&finding.detail)
            );
            if let Some(adds) = &finding.adds {
                let _ =
                    writeln!(text, "{:>9}{:<15} {}", "", "", paint(DIM, &format!("adds: {adds}")));
            }
        }
        let file = session.surroundings.config_file.display().to_string();
        let _ = writeln!(text, "\nyour configuration file: {}", output::safe(&file));
        output::say(&text)?;
    }
    Ok(if doctor.ready { Status::Done } else { Status::Environment })
}
