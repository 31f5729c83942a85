// Declarations of the standard library, as far as resolving calls needs them: signatures in our own
// order and wording, without bodies. Read like any crate, never compiled; one crate for `core`,
// `alloc` and `std`.

#[macro_export]
macro_rules! thread_local {
    () => {};
    ($(#[$of:meta])* $see:vis static $name:ident: $ty:ty = const $value:block $(; $($more:tt)*)?) => {
        $(#[$of])* $see static $name: $ty = const $value;
        $crate::thread_local! { $($($more)*)? }
    };
    ($(#[$of:meta])* $see:vis static $name:ident: $ty:ty = $value:expr $(; $($more:tt)*)?) => {
        $(#[$of])* $see static $name: $ty = $value;
        $crate::thread_local! { $($($more)*)? }
    };
}

pub mod alloc;
pub mod any;
pub mod array;
pub mod ascii;
pub mod borrow;
pub mod boxed;
pub mod cell;
pub mod char;
pub mod clone;
pub mod cmp;
pub mod collections;
pub mod convert;
pub mod default;
pub mod env;
pub mod error;
pub mod ffi;
pub mod fmt;
pub mod fs;
pub mod future;
pub mod hash;
pub mod hint;
pub mod io;
pub mod iter;
pub mod marker;
pub mod mem;
pub mod net;
pub mod num;
pub mod ops;
pub mod option;
pub mod os;
pub mod panic;
pub mod path;
pub mod pin;
pub mod prelude;
pub mod process;
pub mod ptr;
pub mod rc;
pub mod result;
pub mod slice;
pub mod str;
pub mod string;
pub mod sync;
pub mod task;
pub mod thread;
pub mod time;
pub mod vec;
