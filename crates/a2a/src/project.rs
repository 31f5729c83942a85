//! [`ProjectAgent`]: the agent that works on one project over [`agent::front::JobRunner`].

use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use agent::Answers;
use agent::front::{JobEnd, JobEvent, JobId, JobRequest, JobRunner, ProjectSource};
use base::{Ctx, SortedMap};
use serde_json::Value;

use crate::card::{A2aProfile, A2aSkill};
use crate::review::{Pending, Work};
use crate::server::A2aAgent;
use crate::task::TaskHandle;
use crate::wire::A2aMessage;

/// Time between two looks at whether a task was canceled.
const LOOK: Duration = Duration::from_millis(50);

/// Skills of the agent, each by the first word of a message.
const SKILLS: [A2aSkill; 7] = [
    A2aSkill {
        id: "check",
        description: "Checks the project as it is with cargo check, on request with all tests",
        examples: &["check", "check tests"],
    },
    A2aSkill {
        id: "fix",
        description: "Repairs the errors that cargo check finds, or failing tests; asks before it writes",
        examples: &["fix", "fix tests"],
    },
    A2aSkill {
        id: "finish",
        description: "Completes an in-progress change everywhere it is used; asks before it writes",
        examples: &["finish"],
    },
    A2aSkill {
        id: "refactor",
        description: "Renames, moves, inlines and reshapes items; asks before it writes",
        examples: &["rename Parser::next to advance", "refactor inline helper"],
    },
    A2aSkill {
        id: "upgrade",
        description: "Takes another version of a dependency, with the changes that it needs; asks before it writes",
        examples: &["upgrade serde", "upgrade clap@4"],
    },
    A2aSkill {
        id: "search",
        description: "Finds items and files",
        examples: &["search where is the token read", "callers Parser::next"],
    },
    A2aSkill {
        id: "explain",
        description: "Shows the code of a question, an item with its edges, or what a change affects",
        examples: &["explain how a request is parsed", "show Parser", "impact Parser::next"],
    },
];

/// The agent of a project.
pub struct ProjectAgent {
    pub(crate) jobs: Jobs,
    pub(crate) has_model: bool,
    /// The questions that wait for their clients, by task.
    pending: Mutex<SortedMap<String, Pending>>,
}

impl ProjectAgent {
    /// An agent for a project. `ctx` is the context of what outlives a job.
    ///
    /// # Errors
    /// Threads that cannot be started.
    pub fn start(ctx: &Ctx, source: ProjectSource) -> std::io::Result<Self> {
        let has_model = source.settings.model.provider.is_some();
        let jobs = Jobs::start(ctx, source)?;
        Ok(Self { jobs, has_model, pending: Mutex::default() })
    }

    /// Description of the agent for its card.
    pub fn profile(source: &ProjectSource, version: &str) -> A2aProfile {
        A2aProfile {
            name: "graftage".to_owned(),
            description: "Changes a Rust project: each change is verified by cargo and its tests before it is \
                          offered, and written only after the answer `yes` on its task."
                .to_owned(),
            version: version.to_owned(),
            skills: &SKILLS,
            details: format!("The project is {}.", source.root.display()),
        }
    }

    /// Keeps the question of a task until its client answers.
    pub(crate) fn put(&self, task: &str, pending: Pending) {
        base::lock(&self.pending).insert(task.to_owned(), pending);
    }

    fn take(&self, task: &str) -> Option<Pending> {
        base::lock(&self.pending).remove(task)
    }
}

impl A2aAgent for ProjectAgent {
    fn work(&self, task: &TaskHandle<'_>, message: &A2aMessage) {
        let work = Work::new(self, task);
        match self.take(task.id()) {
            Some(pending) => work.answered(pending, &Reply::of(message)),
            // After a restart no question waits any more: the change is searched again, and asked about again.
            None => work.begin(&task.request().text()),
        }
        if task.is_stopped() {
            self.forget(task.id());
        }
    }

    fn forget(&self, task: &str) {
        drop(self.take(task));
    }
}

/// A client's answer to a question.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Reply {
    /// `yes`
    Yes,
    /// `no`
    No,
    /// The number of a choice, from 1.
    Number(usize),
    /// Answers to questions: `ID=ANSWER` on each line.
    Answers(Answers),
    /// Nothing of that kind.
    Other,
}

impl Reply {
    /// Reads a message: exactly one part, which is a text or has the field `answer`.
    pub(crate) fn of(message: &A2aMessage) -> Self {
        let [part] = message.parts.as_slice() else { return Self::Other };
        let given = match (&part.text, &part.data) {
            (Some(text), None) => text.clone(),
            (None, Some(Value::Object(data))) => match data.get("answer") {
                Some(Value::String(text)) => text.clone(),
                Some(Value::Number(number)) => number.to_string(),
                _ => return Self::Other,
            },
            _ => return Self::Other,
        };
        match given.trim().to_ascii_lowercase().as_str() {
            "yes" => Self::Yes,
            "no" => Self::No,
            other => other.parse().map_or_else(|_| Self::answers(&given), Self::Number),
        }
    }

    fn answers(text: &str) -> Self {
        let lines = text.lines().filter(|it| !it.trim().is_empty());
        let pairs: Option<_> = lines.map(Answers::pair).collect();
        let pairs = pairs.map(Answers).filter(|it| !it.is_empty());
        pairs.map_or(Self::Other, Self::Answers)
    }
}

type Waiting = Arc<Mutex<SortedMap<JobId, Sender<JobEvent>>>>;

/// The jobs of all tasks, each with its own events.
pub(crate) struct Jobs {
    runner: JobRunner,
    waiting: Waiting,
}

impl Jobs {
    fn start(ctx: &Ctx, source: ProjectSource) -> std::io::Result<Self> {
        let runner = JobRunner::start(ctx, source)?;
        let waiting: Waiting = Arc::default();
        let receivers = Arc::clone(&waiting);
        runner.subscribe(move |event| {
            let of = event.job().and_then(|id| base::lock(&receivers).get(&id).cloned());
            if let Some(receiver) = of {
                // A receiver that is gone needs no event.
                let _ = receiver.send(event);
            }
        });
        Ok(Self { runner, waiting })
    }

    /// Runs a job to its end; cancels it once `is_stopped`.
    pub(crate) fn run(
        &self,
        job: JobRequest,
        is_stopped: &dyn Fn() -> bool,
        on: &mut dyn FnMut(&JobEvent),
    ) -> JobEnd {
        let (id, events) = self.submit(job);
        let end = self.follow(id, &events, is_stopped, on);
        base::lock(&self.waiting).remove(&id);
        end
    }

    fn submit(&self, job: JobRequest) -> (JobId, Receiver<JobEvent>) {
        let (sender, events) = channel();
        // Its first event waits for this lock, so none is missed.
        let mut waiting = base::lock(&self.waiting);
        let id = self.runner.submit(job);
        waiting.insert(id, sender);
        (id, events)
    }

    fn follow(
        &self,
        id: JobId,
        events: &Receiver<JobEvent>,
        is_stopped: &dyn Fn() -> bool,
        on: &mut dyn FnMut(&JobEvent),
    ) -> JobEnd {
        let mut asked = false;
        loop {
            match events.recv_timeout(LOOK) {
                Ok(JobEvent::Ended(_, end)) => return *end,
                Ok(event) => on(&event),
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => return JobEnd::Cancelled,
            }
            if !asked && is_stopped() {
                self.runner.cancel(id);
                asked = true;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::wire::A2aPart;

    #[test]
    fn only_one_clear_answer_counts() {
        let text = |it: &str| A2aPart::text(it, "text/plain");
        let reply = |parts: Vec<A2aPart>| Reply::of(&A2aMessage { parts, ..A2aMessage::default() });
        assert_eq!(reply(vec![text(" Yes\n")]), Reply::Yes);
        assert_eq!(reply(vec![A2aPart::data(json!({ "answer": "yes" }))]), Reply::Yes);
        assert_eq!(reply(vec![text("no")]), Reply::No);
        assert_eq!(reply(vec![text("2")]), Reply::Number(2));
        let two = [("q1", "2"), ("q2", "a == b")].map(|(id, it)| (id.to_owned(), it.to_owned()));
        let answers = Reply::Answers(Answers(two.into()));
        assert_eq!(reply(vec![text("q1=2\nq2 = a == b\n")]), answers);
        assert_eq!(reply(vec![A2aPart::data(json!({ "answer": 2 }))]), Reply::Number(2));
        for other in ["", "yes please", "y", "not yes", "yes\nno", "-1", "yes."] {
            assert_eq!(reply(vec![text(other)]), Reply::Other, "{other}");
        }
        for other in
            [json!("yes"), json!({ "answer": true }), json!({ "Answer": "yes" }), json!([])]
        {
            assert_eq!(reply(vec![A2aPart::data(other.clone())]), Reply::Other, "{other}");
        }
        assert_eq!(reply(vec![text("yes"), text("no")]), Reply::Other);
        assert_eq!(reply(vec![text("yes"), text("yes")]), Reply::Other);
        assert_eq!(reply(Vec::new()), Reply::Other);
    }
}
