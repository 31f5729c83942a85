//! A simulation of a run on a large cluster, event by event: nodes with one seat, tasks of random lengths, nodes
//! that are lost, and one driver that works on an end before the seat gets its next task. No clock is read.
//!
//! `cargo bench -p graftage-dobby --bench cluster -- [--nodes N] [--tasks N] [--driver-ms MS]`
//!
//! Assumptions: a length is lognormal with the stated median and a standard deviation of .8 of its logarithm; a
//! node is lost after an exponential time with a mean of 100 hours, is missed for 30 s, comes back after 300 s, and
//! its task begins anew, after those that wait; the driver needs 6 ms an end (measured on Ray with 186
//! repositories, one machine). The network and the disk of the results are free.

#![allow(clippy::print_stdout, reason = "a bench prints its figures")]

use std::cmp::Reverse;
use std::collections::{BinaryHeap, VecDeque};

/// Microseconds.
type Time = u64;

const SECOND: f64 = 1e6;
const SPREAD: f64 = 0.8;
const HOURS_TO_LOSS: f64 = 100.0;
const MISSED: Time = 30_000_000;
const AWAY: Time = 300_000_000;

/// The cluster and its work.
#[derive(Clone, Copy)]
struct Setting {
    nodes: usize,
    tasks: usize,
    /// Median length of a task in seconds.
    median: f64,
    /// Time of the driver for one end.
    driver: Time,
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Event {
    /// A task of a node ended; the number of the node's life.
    Ended(usize, u32),
    /// The driver has worked on the end of a node's task.
    Noted(usize, u32),
    Lost(usize, u32),
    Missed,
    Back(usize),
}

#[derive(Default)]
struct Outcome {
    end: Time,
    driver_busy: Time,
    seats_busy: Time,
    lost: usize,
    longest_queue: usize,
}

struct Simulation {
    setting: Setting,
    events: BinaryHeap<Reverse<(Time, Event)>>,
    waiting: usize,
    /// The life of each node; an event of an earlier one is void.
    lives: Vec<u32>,
    running: Vec<Option<Time>>,
    idle: Vec<usize>,
    ends: VecDeque<(usize, u32)>,
    is_driver_busy: bool,
    open: usize,
    drawn: u64,
    outcome: Outcome,
}

impl Simulation {
    fn new(setting: Setting) -> Self {
        let mut simulation = Self {
            setting,
            events: BinaryHeap::new(),
            waiting: setting.tasks,
            lives: vec![0; setting.nodes],
            running: vec![None; setting.nodes],
            idle: Vec::new(),
            ends: VecDeque::new(),
            is_driver_busy: false,
            open: setting.tasks,
            drawn: 0,
            outcome: Outcome::default(),
        };
        for node in 0..setting.nodes {
            simulation.live(0, node);
        }
        simulation
    }

    /// A number between 0 and 1, never 0.
    fn random(&mut self) -> f64 {
        self.drawn += 1;
        let hash = base::ContentHash::of(&self.drawn.to_le_bytes());
        let bytes: [u8; 8] = hash.as_bytes()[..8].try_into().expect("8 bytes");
        ((u64::from_le_bytes(bytes) >> 11) as f64 + 0.5) / (1u64 << 53) as f64
    }

    fn at(&mut self, time: Time, event: Event) {
        self.events.push(Reverse((time, event)));
    }

    fn live(&mut self, now: Time, node: usize) {
        let hours = -HOURS_TO_LOSS * self.random().ln();
        let life = self.lives[node];
        self.at(now + (hours * 3_600.0 * SECOND) as Time, Event::Lost(node, life));
        self.begin(now, node);
    }

    fn begin(&mut self, now: Time, node: usize) {
        if self.waiting == 0 {
            return self.idle.push(node);
        }
        self.waiting -= 1;
        let (radius, angle) = (self.random(), self.random());
        let normal = (-2.0 * radius.ln()).sqrt() * (std::f64::consts::TAU * angle).cos();
        let length = self.setting.median * (SPREAD * normal).exp();
        self.running[node] = Some(now);
        let life = self.lives[node];
        self.at(now + (length * SECOND) as Time, Event::Ended(node, life));
    }

    fn serve(&mut self, now: Time) {
        if self.is_driver_busy {
            return;
        }
        if let Some((node, life)) = self.ends.pop_front() {
            self.is_driver_busy = true;
            self.outcome.driver_busy += self.setting.driver;
            self.at(now + self.setting.driver, Event::Noted(node, life));
        }
    }

    fn run(mut self) -> Outcome {
        while self.open > 0 {
            let Some(Reverse((now, event))) = self.events.pop() else { break };
            self.outcome.end = now;
            match event {
                Event::Ended(node, life) if life == self.lives[node] => {
                    let from = self.running[node].take().unwrap_or(now);
                    self.outcome.seats_busy += now - from;
                    self.ends.push_back((node, life));
                    self.outcome.longest_queue = self.outcome.longest_queue.max(self.ends.len());
                    self.serve(now);
                }
                Event::Noted(node, life) => {
                    self.open -= 1;
                    self.is_driver_busy = false;
                    if life == self.lives[node] {
                        self.begin(now, node);
                    }
                    self.serve(now);
                }
                Event::Lost(node, life) if life == self.lives[node] => {
                    self.lives[node] += 1;
                    self.idle.retain(|it| *it != node);
                    if self.running[node].take().is_some() {
                        self.outcome.lost += 1;
                        self.at(now + MISSED, Event::Missed);
                    }
                    self.at(now + AWAY, Event::Back(node));
                }
                Event::Missed => {
                    self.waiting += 1;
                    if let Some(node) = self.idle.pop() {
                        self.begin(now, node);
                    }
                }
                Event::Back(node) => self.live(now, node),
                Event::Ended(..) | Event::Lost(..) => {}
            }
        }
        self.outcome
    }
}

fn option(name: &str, default: usize) -> usize {
    let mut args = std::env::args().skip_while(|it| it != name);
    args.nth(1).and_then(|it| it.parse().ok()).unwrap_or(default)
}

fn main() {
    let (nodes, tasks) = (option("--nodes", 1_000), option("--tasks", 100_000));
    let driver = 1_000 * option("--driver-ms", 6) as Time;
    println!("{nodes} nodes, {tasks} tasks, {} ms of the driver for each", driver / 1_000);
    println!(
        "| median of a task | whole run | seats in use | driver in use | longest queue | repeated |"
    );
    println!("|---|---|---|---|---|---|");
    for median in [1.0, 3.0, 5.0, 6.0, 8.0, 10.0, 30.0, 120.0] {
        let outcome = Simulation::new(Setting { nodes, tasks, median, driver }).run();
        let share = |busy: Time, of: usize| busy as f64 * 100.0 / (outcome.end as f64 * of as f64);
        println!(
            "| {median} s | {:.1} min | {:.0} % | {:.0} % | {} | {} |",
            outcome.end as f64 / SECOND / 60.0,
            share(outcome.seats_busy, nodes),
            share(outcome.driver_busy, 1),
            outcome.longest_queue,
            outcome.lost
        );
    }
}
