// `std::hash`: signatures in our own words and order; read, never compiled.

pub trait Hash {
    fn hash<H: Hasher>(&self, state: &mut H);
    fn hash_slice<H: Hasher>(data: &[Self], state: &mut H);
}
pub trait Hasher {
    fn finish(&self) -> u64;
    fn write(&mut self, bytes: &[u8]);
    fn write_u8(&mut self, i: u8);
    fn write_u16(&mut self, i: u16);
    fn write_u32(&mut self, i: u32);
    fn write_u64(&mut self, i: u64);
    fn write_usize(&mut self, i: usize);
    fn write_i32(&mut self, i: i32);
    fn write_i64(&mut self, i: i64);
}
pub trait BuildHasher {
    type Hasher: Hasher;
    fn build_hasher(&self) -> Self::Hasher;
    fn hash_one<T: Hash>(&self, x: T) -> u64;
}
#[derive(Clone, Default, Debug)]
pub struct BuildHasherDefault<H>;
impl<H: Default + Hasher> BuildHasher for BuildHasherDefault<H> { type Hasher = H; fn build_hasher(&self) -> H; }
impl<H: Hasher> Hasher for &mut H {}
impl<T: Hash> Hash for &T {}
impl<T: Hash> Hash for [T] {}
impl Hash for str {}
impl Hash for bool {} impl Hash for char {}
impl Hash for u8 {} impl Hash for u16 {} impl Hash for u32 {} impl Hash for u64 {} impl Hash for u128 {}
impl Hash for usize {} impl Hash for i8 {} impl Hash for i16 {} impl Hash for i32 {}
impl Hash for i64 {} impl Hash for i128 {} impl Hash for isize {}
