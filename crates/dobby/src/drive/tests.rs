//! Runs of tasks that are lost, fail, panic and wait.

use std::sync::atomic::AtomicU32;

use super::*;
use crate::{EmbeddedEngine, TaskRunner};

/// Answers the payload; a payload `lost N` is lost N times before, `fail` fails, `panic` panics.
#[derive(Default)]
struct Echo {
    lost: AtomicU32,
}

impl TaskRunner for Echo {
    fn run(
        &self,
        payload: &Value,
        report: &mut dyn FnMut(Value),
        has_stopped: &dyn Fn() -> bool,
    ) -> Result<Value, TaskFault> {
        report(Value::Bool(true));
        match payload.as_str().unwrap_or_default() {
            "fail" => return Err(TaskFault::Failed("no".to_owned())),
            "panic" => panic!("a bug"),
            "wait" => {
                while !has_stopped() {
                    thread::sleep(LOOK);
                }
                return Err(TaskFault::Stopped);
            }
            text => {
                let times: u32 = text.strip_prefix("lost ").map_or(0, |it| it.parse().unwrap_or(0));
                if self.lost.fetch_add(1, Ordering::SeqCst) < times {
                    return Err(TaskFault::Lost("gone".to_owned()));
                }
            }
        }
        Ok(payload.clone())
    }
}

fn tasks(payloads: &[&str]) -> Vec<EngineTask> {
    let task = |(number, payload): (usize, &&str)| EngineTask {
        id: number.to_string(),
        payload: Value::from(*payload),
    };
    payloads.iter().enumerate().map(task).collect()
}

/// The end of a task, by its id.
type End = (String, Result<Value, TaskFault>);

/// The ends of tasks, by id, and the number of losses.
fn ends(seats: usize, payloads: &[&str]) -> (Vec<End>, usize) {
    let engine = EmbeddedEngine::new(Echo::default(), seats);
    let (mut ends, mut lost) = (Vec::new(), 0);
    let options = DriveOptions { attempts: 3 };
    drive(&testkit::ctx(), &engine, tasks(payloads), options, &mut |event| match event {
        DriveEvent::Ended { id, end } => ends.push((id, end)),
        DriveEvent::Lost { .. } => lost += 1,
        _ => {}
    })
    .expect("no stop");
    ends.sort_by_key(|(id, _)| id.clone());
    (ends, lost)
}

#[test]
fn each_task_ends_once_whatever_the_others_do() {
    for seats in [1, 4] {
        let (ends, lost) = ends(seats, &["a", "fail", "panic", "b"]);
        let bug = TaskFault::Failed("the task ended by a bug".to_owned());
        let expected = [
            ("0".to_owned(), Ok("a".into())),
            ("1".to_owned(), Err(TaskFault::Failed("no".to_owned()))),
            ("2".to_owned(), Err(bug)),
            ("3".to_owned(), Ok("b".into())),
        ];
        assert_eq!((ends.as_slice(), lost), (expected.as_slice(), 0));
    }
}

#[test]
fn a_lost_task_is_run_again_and_not_for_ever() {
    let (kept, lost) = ends(1, &["lost 2"]);
    assert_eq!((kept[0].1.clone(), lost), (Ok("lost 2".into()), 2));
    let (given_up, lost) = ends(1, &["lost 9"]);
    assert_eq!((given_up[0].1.clone(), lost), (Err(TaskFault::Lost("gone".to_owned())), 2));
}

#[test]
fn a_run_without_tasks_ends() {
    assert_eq!(ends(4, &[]), (Vec::new(), 0));
}

#[test]
fn a_stopped_run_ends_all_tasks() {
    let host = testkit::TestHost::new();
    let ctx = host.ctx();
    let engine = EmbeddedEngine::new(Echo::default(), 2);
    let mut ended = 0;
    let options = DriveOptions { attempts: 3 };
    let end =
        drive(&ctx, &engine, tasks(&["wait", "wait", "wait"]), options, &mut |event| match event {
            DriveEvent::Reported { .. } => host.cancel(),
            DriveEvent::Ended { .. } => ended += 1,
            _ => {}
        });
    assert_eq!((end, ended), (Err(Cancelled), 0));
}
