//! The memory guard: a model that does not fit is refused before it starts.

use std::path::Path;

use crate::local::LocalModelError;

/// Memory of a server beside its model, in bytes.
const BESIDE: u64 = 256 << 20;

/// Memory for each token of the context, in bytes: keys and values of a model of some billion weights.
const PER_TOKEN: u64 = 64 << 10;

/// The memory that a server of this model may use, in bytes.
///
/// # Errors
/// [`LocalModelError::Memory`]: more than is available now.
pub(super) fn check(model: &Path, context: u32) -> Result<u64, LocalModelError> {
    let file = std::fs::metadata(model).map_or(0, |it| it.len());
    let needed = needed(file, context);
    match available() {
        Some(available) if available < needed => {
            Err(LocalModelError::Memory { needed: needed >> 20, available: available >> 20 })
        }
        // Part of what it maps is counted for it and shared.
        _ => Ok(needed * 2),
    }
}

fn needed(file: u64, context: u32) -> u64 {
    file.saturating_add(BESIDE).saturating_add(u64::from(context) * PER_TOKEN)
}

/// Memory that new processes can have, in bytes; `None` where the system does not state it.
pub(crate) fn available() -> Option<u64> {
    let text = std::fs::read_to_string("/proc/meminfo").ok()?;
    let line = text.lines().find_map(|it| it.strip_prefix("MemAvailable:"))?;
    Some(line.trim().strip_suffix(" kB")?.parse::<u64>().ok()? << 10)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_model_that_does_not_fit_is_refused() {
        assert_eq!(needed(100 << 20, 2_048) >> 20, 484);
        let project = testkit::project("//- /a\n");
        let path = project.root().join("large");
        let file = std::fs::File::create(&path).unwrap();
        // A hole: nothing is on the disk.
        file.set_len(1 << 42).unwrap();
        assert!(matches!(check(&path, 1), Err(LocalModelError::Memory { .. })));
        assert!(check(&project.root().join("a"), 1).is_ok());
    }
}
