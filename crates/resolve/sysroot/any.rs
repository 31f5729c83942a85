// `std::any`: signatures in our own words and order; read, never compiled.

pub trait Any {
    fn type_id(&self) -> TypeId;
}
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TypeId;
impl TypeId { fn of<T>() -> TypeId; }
impl dyn Any {
    fn is<T>(&self) -> bool;
    fn downcast_ref<T>(&self) -> Option<&T>;
    fn downcast_mut<T>(&mut self) -> Option<&mut T>;
}
pub fn type_name<T>() -> &'static str;
pub fn type_name_of_val<T>(val: &T) -> &'static str;
