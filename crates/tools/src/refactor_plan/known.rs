//! The tokens of a name that the map has edges for, where a refactoring starts.

use base::{ProjectPath, SortedSet, Tier};
use refactor::{KnownSites, SiteKey};

use super::RefactorContext;

/// The sites of the edges to all items of the name; `own` are the numbers of those that the refactoring
/// is about, none for a name that no item has any more.
pub(super) fn known(context: &RefactorContext<'_>, own: &SortedSet<u32>, name: &str) -> KnownSites {
    let map = context.map.map();
    let mut known = KnownSites { is_common: repair::is_std_method(name), ..KnownSites::default() };
    let key = |file: u32, offset: u32| -> Option<SiteKey> {
        let path = ProjectPath::new(map.file(file)?.path).ok()?;
        Some((path, offset as usize))
    };
    for spelled in [name.to_owned(), format!("{name}!"), format!("r#{name}")] {
        for number in map.by_name(&spelled) {
            let is_own = own.contains(&number);
            for edge in map.edges_in(number) {
                let sites = map.sites(edge).filter_map(|it| key(it.file, it.offset));
                match (is_own, edge.tier) {
                    (true, Tier::Proven) => known.item.extend(sites),
                    (true, Tier::Candidate) => known.open.extend(sites),
                    (false, Tier::Proven) => known.other.extend(sites),
                    (false, Tier::Candidate) => {}
                }
            }
        }
    }
    for number in 0..map.unresolved_count() {
        let site = map.unresolved(number).filter(|it| it.name == name);
        known.open.extend(site.and_then(|it| key(it.file, it.offset)));
    }
    known
}
