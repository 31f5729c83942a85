//! A copy of the definition map, made in the background for the next patch.

use std::sync::{Arc, Mutex, Weak};

use resolve::DefMap;

/// A copy of the last definition map, for the next patch to change. It is made after the result of
/// a save was returned, so that the next save does not wait for it.
#[derive(Debug, Default)]
pub(crate) struct PreclonedMap(Arc<Mutex<Option<Clone>>>);

/// The original, and the copy.
type Clone = (Weak<DefMap>, DefMap);

impl PreclonedMap {
    /// A copy of this map: the prepared one if there is one.
    pub(crate) fn take(&self, map: &Arc<DefMap>) -> DefMap {
        let found = base::lock(&self.0).take();
        let found = found.filter(|(of, _)| Weak::ptr_eq(of, &Arc::downgrade(map)));
        found.map_or_else(|| map.clone_for_patch(), |(_, copy)| copy)
    }

    /// Starts to copy `map` in the background, and drops the memory of the previous map.
    pub(crate) fn prepare(&self, before: Arc<DefMap>, map: &Arc<DefMap>) {
        let (shared, map) = (Arc::downgrade(&self.0), Arc::downgrade(map));
        let work = move || {
            crate::yield_to_others();
            drop(before);
            // The owner may be dropped, or have a newer map, already.
            let Some(shared) = shared.upgrade() else { return };
            let Some(copy) = map.upgrade().map(|map| map.clone_for_patch()) else { return };
            *base::lock(&shared) = Some((map, copy));
        };
        // Without a thread the next patch copies the map itself.
        let _ = std::thread::Builder::new().name("preclone".to_owned()).spawn(work);
    }
}

#[cfg(test)]
mod tests {
    use resolve::WorkspaceInput;

    use super::*;

    #[test]
    fn a_copy_of_another_map_is_never_returned() {
        let maps = [1, 2].map(|_| Arc::new(DefMap::build(&WorkspaceInput::default())));
        let precloned = PreclonedMap::default();
        let copy = (Arc::downgrade(&maps[0]), maps[0].clone_for_patch());
        *precloned.0.lock().unwrap() = Some(copy);
        precloned.take(&maps[1]);
        assert!(precloned.0.lock().unwrap().is_none(), "a stale copy is dropped");
    }
}
