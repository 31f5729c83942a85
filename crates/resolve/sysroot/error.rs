// `std::error`.

pub trait Error: crate::fmt::Debug + crate::fmt::Display {
    fn source(&self) -> Option<&(dyn Error + 'static)>;
    fn description(&self) -> &str;
    fn cause(&self) -> Option<&dyn Error>;
}
impl dyn Error {
    fn is<T>(&self) -> bool;
    fn downcast_ref<T>(&self) -> Option<&T>;
    fn downcast_mut<T>(&mut self) -> Option<&mut T>;
}
impl Error for crate::fmt::Error {}
impl Error for crate::str::Utf8Error {}
impl Error for crate::num::ParseIntError {}
impl<T: Error> Error for &T {}
