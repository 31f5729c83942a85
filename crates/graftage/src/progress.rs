//! Progress on standard error: one line that changes on a terminal, and a line of its own now and then
//! elsewhere, so that a long wait is explained.

use std::sync::Mutex;
use std::time::{Duration, Instant};

use base::Progress;
use indicatif::{ProgressBar, ProgressStyle};

/// Time between two lines of progress where there is no terminal.
const PAUSE: Duration = Duration::from_secs(15);

/// Where progress is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Shown {
    /// Nowhere.
    Never,
    /// In one line that changes, on a terminal.
    Changing,
    /// In a line of its own now and then, of a command that is watched ([`Bar::watch`]): the output of the
    /// others is read by programs.
    Lines,
}

/// Progress on standard error.
pub(crate) struct Bar {
    bar: Mutex<Option<ProgressBar>>,
    shown: Shown,
    /// When the program began.
    began: Instant,
    /// When a watched command last printed.
    printed: Mutex<Option<Instant>>,
}

impl Bar {
    pub(crate) fn new(shown: Shown) -> Self {
        let began = Instant::now();
        Self { bar: Mutex::new(None), shown, began, printed: Mutex::new(None) }
    }

    /// The command prints what happens.
    pub(crate) fn watch(&self) {
        *base::lock(&self.printed) = Some(Instant::now());
    }

    pub(crate) fn show(&self, progress: &Progress) {
        match self.shown {
            Shown::Never => {}
            Shown::Changing => self.change(progress),
            Shown::Lines => self.line(progress),
        }
    }

    /// Prints a line if nothing was printed for a while.
    fn line(&self, progress: &Progress) {
        let mut printed = base::lock(&self.printed);
        if printed.is_none_or(|it| it.elapsed() < PAUSE) {
            return;
        }
        *printed = Some(Instant::now());
        let count = match progress.total {
            0 => String::new(),
            total => format!(" {}/{total}", progress.done),
        };
        let stage = crate::output::brief(&progress.stage);
        let detail = crate::output::brief(&progress.detail);
        let seconds = self.began.elapsed().as_secs();
        let text = format!("  … {stage}{count} {detail} ({seconds} s)");
        crate::output::note(&crate::output::paint(crate::output::DIM, &text));
    }

    fn change(&self, progress: &Progress) {
        let mut slot = base::lock(&self.bar);
        let bar = slot.get_or_insert_with(|| {
            let bar = ProgressBar::new_spinner();
            bar.enable_steady_tick(Duration::from_millis(120));
            bar
        });
        if progress.total > 0 {
            bar.set_length(progress.total);
            bar.set_position(progress.done);
            set_style(bar, "{spinner} {prefix} [{bar:24}] {pos}/{len} {wide_msg}");
        } else {
            set_style(bar, "{spinner} {prefix} {wide_msg} {elapsed}");
        }
        bar.set_prefix(crate::output::brief(&progress.stage));
        bar.set_message(crate::output::brief(&progress.detail));
    }

    /// Removes the line before other output.
    pub(crate) fn clear(&self) {
        if let Some(printed) = base::lock(&self.printed).as_mut() {
            *printed = Instant::now();
        }
        let mut slot = base::lock(&self.bar);
        if let Some(bar) = slot.take() {
            bar.finish_and_clear();
        }
    }
}

fn set_style(bar: &ProgressBar, template: &str) {
    if let Ok(style) = ProgressStyle::with_template(template) {
        bar.set_style(style.progress_chars("=> "));
    }
}
