//! The progress line on standard error, shown on terminals only.

use std::sync::Mutex;
use std::time::Duration;

use base::Progress;
use indicatif::{ProgressBar, ProgressStyle};

/// A progress line on standard error, on terminals only.
pub(crate) struct Bar {
    bar: Mutex<Option<ProgressBar>>,
    shown: bool,
}

impl Bar {
    pub(crate) fn new(shown: bool) -> Self {
        Self { bar: Mutex::new(None), shown }
    }

    pub(crate) fn show(&self, progress: &Progress) {
        if !self.shown {
            return;
        }
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
