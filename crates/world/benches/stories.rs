//! Times of stories: start of the browser, one story, several at once. The first argument is the number of rounds.

use std::sync::Arc;
use std::time::Instant;

use graftage_world::{
    Browser, BrowserProgram, PageFiles, SharedBrowser, StoryFile, WorldReport, WorldSettings,
    play_file,
};

struct Files;

impl PageFiles for Files {
    fn read(&self, path: &str, _: u64) -> Option<Vec<u8>> {
        std::fs::read(testkit::workspace_root().join("fixtures/pages/todo").join(path)).ok()
    }
}

fn median(mut numbers: Vec<u128>) -> u128 {
    numbers.sort_unstable();
    numbers[numbers.len() / 2]
}

#[allow(clippy::print_stdout, clippy::unwrap_used, reason = "a bench prints its figures")]
fn main() {
    let rounds = std::env::args().find_map(|it| it.parse::<usize>().ok()).unwrap_or(5);
    let program = match BrowserProgram::find(&std::env::var_os("PATH").unwrap_or_default()) {
        Ok(program) => program,
        Err(error) => return println!("skipped: {error}"),
    };
    let (ctx, sandbox, require) =
        (testkit::ctx(), testkit::inner::sandbox(), testkit::inner::level());
    let starts = (0..rounds).map(|_| {
        let started = Instant::now();
        let browser = Browser::start(&ctx, &sandbox, require, &program, None).unwrap();
        let ms = started.elapsed().as_millis();
        drop(browser);
        ms
    });
    println!("start of the browser: p50 {} ms", median(starts.collect()));
    let text =
        std::fs::read_to_string(testkit::workspace_root().join("fixtures/pages/todo/todo.toml"));
    let file = StoryFile::parse("todo.toml", &text.unwrap()).unwrap();
    let files: Arc<dyn PageFiles> = Arc::new(Files);
    let mut shared = SharedBrowser::default();
    for at_once in [1, 1, 2, 4, 8] {
        let settings = WorldSettings {
            sandbox: &sandbox,
            require,
            program: &program,
            at_once,
            inspects: false,
            updates: false,
            filter: None,
        };
        let (mut stories, mut walls) = (Vec::new(), Vec::new());
        for _ in 0..rounds {
            let mut report = WorldReport::default();
            let started = Instant::now();
            play_file(&ctx, &settings, &mut shared, &file, (&files, None), &mut report).unwrap();
            walls.push(started.elapsed().as_millis());
            assert_eq!(report.failed, 0, "{report:#?}");
            stories.extend(report.stories.iter().map(|it| u128::from(it.ms)));
        }
        let (count, wall) = (file.stories.len(), median(walls));
        println!("{at_once} at once: {count} stories in {wall} ms, one p50 {} ms", median(stories));
    }
    let load = std::fs::read_to_string("/proc/loadavg").unwrap_or_default();
    println!("load: {}", load.trim());
}
