// `std::fmt`.

pub type Result = crate::result::Result<(), Error>;
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Error;
pub trait Write {
    fn write_str(&mut self, s: &str) -> Result;
    fn write_char(&mut self, c: char) -> Result;
    fn write_fmt(&mut self, args: Arguments<'_>) -> Result;
}
impl<W: Write> Write for &mut W {}
pub struct Formatter<'a>;
impl<'a> Formatter<'a> {
    fn pad_integral(&mut self, is_nonnegative: bool, prefix: &str, buf: &str) -> Result;
    fn pad(&mut self, s: &str) -> Result;
    fn write_str(&mut self, data: &str) -> Result;
    fn write_fmt(&mut self, fmt: Arguments<'_>) -> Result;
    fn fill(&self) -> char;
    fn width(&self) -> Option<usize>;
    fn precision(&self) -> Option<usize>;
    fn alternate(&self) -> bool;
    fn sign_plus(&self) -> bool;
    fn debug_struct(&mut self, name: &str) -> DebugStruct<'_>;
    fn debug_tuple(&mut self, name: &str) -> DebugTuple<'_>;
    fn debug_list(&mut self) -> DebugList<'_>;
    fn debug_set(&mut self) -> DebugList<'_>;
    fn debug_map(&mut self) -> DebugMap<'_>;
}
impl Write for Formatter<'_> {}
pub struct DebugStruct<'a>;
impl DebugStruct<'_> {
    fn field(&mut self, name: &str, value: &dyn Debug) -> &mut Self;
    fn finish_non_exhaustive(&mut self) -> Result;
    fn finish(&mut self) -> Result;
}
pub struct DebugTuple<'a>;
impl DebugTuple<'_> {
    fn field(&mut self, value: &dyn Debug) -> &mut Self;
    fn finish_non_exhaustive(&mut self) -> Result;
    fn finish(&mut self) -> Result;
}
pub struct DebugList<'a>;
impl DebugList<'_> {
    fn entry(&mut self, entry: &dyn Debug) -> &mut Self;
    fn entries<D: Debug, I: IntoIterator<Item = D>>(&mut self, entries: I) -> &mut Self;
    fn finish(&mut self) -> Result;
}
pub struct DebugMap<'a>;
impl DebugMap<'_> {
    fn entry(&mut self, key: &dyn Debug, value: &dyn Debug) -> &mut Self;
    fn entries<K: Debug, V: Debug, I: IntoIterator<Item = (K, V)>>(&mut self, entries: I) -> &mut Self;
    fn finish(&mut self) -> Result;
}
#[derive(Clone, Copy)]
pub struct Arguments<'a>;
impl Arguments<'_> { fn as_str(&self) -> Option<&'static str>; }
impl Display for Arguments<'_> {}
impl Debug for Arguments<'_> {}
pub trait Debug { fn fmt(&self, f: &mut Formatter<'_>) -> Result; }
pub trait Display { fn fmt(&self, f: &mut Formatter<'_>) -> Result; }
pub trait Octal { fn fmt(&self, f: &mut Formatter<'_>) -> Result; }
pub trait LowerHex { fn fmt(&self, f: &mut Formatter<'_>) -> Result; }
pub trait UpperHex { fn fmt(&self, f: &mut Formatter<'_>) -> Result; }
pub trait Binary { fn fmt(&self, f: &mut Formatter<'_>) -> Result; }
pub trait LowerExp { fn fmt(&self, f: &mut Formatter<'_>) -> Result; }
pub trait Pointer { fn fmt(&self, f: &mut Formatter<'_>) -> Result; }
pub fn format(args: Arguments<'_>) -> crate::string::String;
pub fn write(output: &mut dyn Write, args: Arguments<'_>) -> Result;
impl<T: Debug> Debug for &T {}
impl<T: Display> Display for &T {}
impl<T: Debug> Debug for [T] {}
impl Debug for str {} impl Display for str {}
impl Debug for bool {} impl Display for bool {}
impl Debug for char {} impl Display for char {}
impl Debug for u8 {} impl Display for u8 {} impl LowerHex for u8 {}
impl Debug for u16 {} impl Display for u16 {} impl LowerHex for u16 {}
impl Debug for u32 {} impl Display for u32 {} impl LowerHex for u32 {}
impl Debug for u64 {} impl Display for u64 {} impl LowerHex for u64 {}
impl Debug for u128 {} impl Display for u128 {} impl LowerHex for u128 {}
impl Debug for usize {} impl Display for usize {} impl LowerHex for usize {}
impl Debug for i8 {} impl Display for i8 {}
impl Debug for i16 {} impl Display for i16 {}
impl Debug for i32 {} impl Display for i32 {}
impl Debug for i64 {} impl Display for i64 {}
impl Debug for i128 {} impl Display for i128 {}
impl Debug for isize {} impl Display for isize {}
impl Debug for f32 {} impl Display for f32 {}
impl Debug for f64 {} impl Display for f64 {}
