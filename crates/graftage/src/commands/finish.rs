//! `finish`: `fix` with the user's in-progress change as its only source of candidates.

use agent::{FixOptions, ReasonerChoice};

use crate::args;
use crate::commands::{fix, questions};
use crate::exit::{Failure, Status};
use crate::session::Session;

pub(crate) fn run(session: &Session, args: &args::Finish) -> Result<Status, Failure> {
    let scope = args.repair.scope.setting();
    let mut flags = vec![("fix.analyzer", "never")];
    flags.extend(scope.as_ref().map(|(key, value)| (*key, value.as_str())));
    let agent = session.agent(&flags, &args.repair.allow)?;
    let options = FixOptions {
        tests: args.repair.tests.map(Into::into),
        max_seconds: args.max_seconds,
        base: Some(args.base.clone()),
        reasoners: ReasonerChoice::Intents,
        ..FixOptions::default()
    };
    let options = questions::answering(session, &agent, &args.answering, ("finish", options))?;
    fix::search(session, &agent, options, (&args.repair, &args.answering))
}
