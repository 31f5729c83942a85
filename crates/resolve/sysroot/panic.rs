// `std::panic`.

pub trait UnwindSafe {}
pub trait RefUnwindSafe {}
pub struct AssertUnwindSafe<T>(pub T);
impl<T> crate::ops::Deref for AssertUnwindSafe<T> { type Target = T; fn deref(&self) -> &T; }
pub fn catch_unwind<F: FnOnce() -> R, R>(f: F) -> crate::thread::Result<R>;
pub fn resume_unwind(payload: crate::boxed::Box<dyn crate::any::Any + Send>) -> !;
pub fn panic_any<M>(msg: M) -> !;
pub fn take_hook() -> crate::boxed::Box<dyn Fn(&PanicHookInfo<'_>)>;
pub fn set_hook(hook: crate::boxed::Box<dyn Fn(&PanicHookInfo<'_>)>);
#[derive(Debug)]
pub struct PanicHookInfo<'a>;
impl PanicHookInfo<'_> { fn payload(&self) -> &(dyn crate::any::Any + Send); fn location(&self) -> Option<&Location<'_>>; }
pub type PanicInfo<'a> = PanicHookInfo<'a>;
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Location<'a>;
impl<'a> Location<'a> { fn caller() -> &'static Location<'static>; fn file(&self) -> &str; fn line(&self) -> u32; fn column(&self) -> u32; }
impl crate::fmt::Display for Location<'_> {}
