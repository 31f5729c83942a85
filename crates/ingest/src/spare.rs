use std::sync::{Arc, Mutex, PoisonError, Weak};

use resolve::DefMap;

/// A copy of the last definition map, for the next patch to change. It is made behind the answer to
/// a save, so that the next one does not wait for it.
#[derive(Debug, Default)]
pub(crate) struct Spare(Arc<Mutex<Option<Made>>>);

/// What it is a copy of, and the copy.
type Made = (Weak<DefMap>, DefMap);

impl Spare {
    /// A copy of this map: the one that was made ahead, where it is there.
    pub(crate) fn take(&self, map: &Arc<DefMap>) -> DefMap {
        let made = self.0.lock().unwrap_or_else(PoisonError::into_inner).take();
        let made = made.filter(|(of, _)| Weak::ptr_eq(of, &Arc::downgrade(map)));
        made.map_or_else(|| map.clone_for_patch(), |(_, copy)| copy)
    }

    /// Goes on to `map` by itself; gives back what the map before alone had.
    pub(crate) fn follow(&self, before: Arc<DefMap>, map: &Arc<DefMap>) {
        let (place, map) = (Arc::downgrade(&self.0), Arc::downgrade(map));
        rayon::spawn(move || {
            drop(before);
            // Who wanted it may be gone, or further, already.
            let Some(place) = place.upgrade() else { return };
            let Some(copy) = map.upgrade().map(|map| map.clone_for_patch()) else { return };
            *place.lock().unwrap_or_else(PoisonError::into_inner) = Some((map, copy));
        });
    }
}

#[cfg(test)]
mod tests {
    use resolve::Workspace;

    use super::*;

    #[test]
    fn a_copy_of_another_map_is_never_given() {
        let maps = [1, 2].map(|_| Arc::new(DefMap::build(&Workspace::default())));
        let spare = Spare::default();
        let copy = (Arc::downgrade(&maps[0]), maps[0].clone_for_patch());
        *spare.0.lock().unwrap() = Some(copy);
        spare.take(&maps[1]);
        assert!(spare.0.lock().unwrap().is_none(), "what is of no use is given back");
    }
}
