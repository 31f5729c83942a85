//! 200 stories over ten pages: those whose name begins with `no:` must fail, all others pass.

use std::time::Instant;

use crate::{Pages, World};

pub(crate) fn run(world: &mut World) {
    let pages = Pages::of("widgets");
    let names: Vec<&String> = pages.0.keys().filter(|it| it.ends_with(".toml")).collect();
    let (mut all, mut wrong, mut differing, mut times) = (0, 0, 0, Vec::new());
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
            let bytes = [story, again].map(|it| serde_json::to_string(it).unwrap());
            if bytes[0] != bytes[1] {
                differing += 1;
                println!("twice different: {name}: {}\n  {}\n  {}", story.name, bytes[0], bytes[1]);
            }
        }
        println!("{name}: {} ms for both plays", started.elapsed().as_millis());
    }
    times.sort_unstable();
    println!("{all} stories, {wrong} wrong verdicts, {differing} twice different");
    println!("one story: p50 {} ms, p90 {} ms", times[all / 2], times[all * 9 / 10]);
}
