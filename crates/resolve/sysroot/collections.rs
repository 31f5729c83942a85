// `std::collections`.

pub mod btree_map;
pub mod btree_set;
pub mod hash_map;
pub mod hash_set;
pub mod linked_list;
pub mod vec_deque;
pub mod binary_heap;

pub use self::binary_heap::BinaryHeap;
pub use self::btree_map::BTreeMap;
pub use self::btree_set::BTreeSet;
pub use self::hash_map::HashMap;
pub use self::hash_set::HashSet;
pub use self::linked_list::LinkedList;
pub use self::vec_deque::VecDeque;
pub use crate::ops::Bound;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TryReserveError;
