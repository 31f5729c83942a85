// `std::clone`: signatures in our own words and order; read, never compiled.

pub trait Clone: Sized {
    fn clone(&self) -> Self;
    fn clone_from(&mut self, source: &Self);
}
