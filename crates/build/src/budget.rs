//! The limit on what one run keeps of the output of tests. A run that exceeds it is not complete,
//! so it verifies nothing.

/// Maximum of all names and outputs kept in a run.
const ALL_BYTES: usize = 256 << 20;

/// Number of bytes that may still be kept of what tests print. If more is printed, the rest is lost
/// and the run does not count as complete.
#[derive(Debug)]
pub(crate) struct Budget {
    left: usize,
    pub(crate) is_spent: bool,
}

impl Default for Budget {
    fn default() -> Self {
        Self { left: ALL_BYTES, is_spent: false }
    }
}

impl Budget {
    /// Whether this many bytes may be kept. A name costs more than its bytes.
    pub(crate) fn take(&mut self, bytes: usize) -> bool {
        match self.left.checked_sub(bytes + 64) {
            Some(left) => self.left = left,
            None => self.is_spent = true,
        }
        !self.is_spent
    }
}
