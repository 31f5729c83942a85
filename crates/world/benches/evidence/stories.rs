//! 200 stories over ten pages: those whose name begins with `no:` must fail, all others pass.

use std::time::Instant;

use graftage_world::StoryResult;

use crate::{Pages, World};

pub(crate) fn run(world: &mut World) {
    let pages = Pages::of("widgets");
    let names: Vec<&String> = pages.0.keys().filter(|it| it.ends_with(".toml")).collect();
    let (mut all, mut wrong, mut differing, mut other_bytes) = (0, 0, 0, 0);
    let mut times = Vec::new();
    for name in names {
        let started = Instant::now();
        let text = pages.text(name);
        let first = world.play(&pages, name, &text, false);
        let second = world.play(&pages, name, &text, false);
        for (story, again) in first.stories.iter().zip(&second.stories) {
            all += 1;
            times.push(story.ms);
            let expected = !story.name.starts_with("no: ");
            let reason = story.failure.as_ref().map_or("it passed", |it| it.reason.as_str());
            if story.passed != expected {
                wrong += 1;
                println!("wrong: {name}: {}: {reason}", story.name);
            }
            if verdict(story) != verdict(again) {
                differing += 1;
                println!("another verdict: {name}: {}", story.name);
            }
            // A page with timers may show another moment of itself at a failure.
            if serde_json::to_string(story).unwrap() != serde_json::to_string(again).unwrap() {
                other_bytes += 1;
                println!("other bytes: {name}: {}", story.name);
            }
        }
        println!("{name}: {} ms for both plays", started.elapsed().as_millis());
    }
    times.sort_unstable();
    println!(
        "{all} stories, {wrong} wrong verdicts; a second time {differing} other verdicts, {other_bytes} other bytes"
    );
    println!("one story: p50 {} ms, p90 {} ms", times[all / 2], times[all * 9 / 10]);
}

/// The parts of a report that a reader acts on.
fn verdict(story: &StoryResult) -> impl PartialEq {
    let failure = story.failure.as_ref().map(|it| (it.line, it.step.clone(), it.reason.clone()));
    (story.passed, story.reward, failure, story.incidents.clone(), story.score.clone())
}
