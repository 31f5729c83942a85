// `std::marker`: signatures in our own words and order; read, never compiled.

pub trait Sized {}
pub trait Send {}
pub trait Sync {}
pub trait Unpin {}
pub trait Copy: Clone {}
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PhantomData<T>;
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PhantomPinned;
impl<T> Copy for Option<T> {}
use crate::clone::Clone;
use crate::option::Option;
