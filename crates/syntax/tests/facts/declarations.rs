use expect_test::expect;

use crate::check;

#[test]
fn declarations_say_their_types() {
    check(
        r#"#![no_std]
#![cfg(unix)]
pub struct Unit;
struct Tuple(u8, pub Vec<String>);
struct Named<'a, T: 'a + Clone + ?Sized, const N: usize = 3> where T: std::fmt::Debug, Vec<T>: Sized { a: &'a mut [T; N], b: [u8], c: *const T, d: (), e: (u8,), f: (u8), g: fn(u8, x: u16) -> !, h: Box<dyn Fn(u8) -> T + Send + 'a>, i: <T as Iterator>::Item, j: Option<_> }
union U { a: u8, b: i8 }
enum E<T = u8> { A, B(T, u8), C { x: T }, D = 4 }
trait Tr<A>: Sized + From<A> { const C: u8 = 1; type Out: Clone + Default; fn need(&self) -> Self::Out; fn have(self: Box<Self>, _: A) where Self: Send {} }
impl<T> Tr<T> for &mut Unit where for<'a> &'a T: Clone { type Out = T; async fn go(&mut self, a: impl Into<T> + Copy) -> T { a } fn by(mut self) {} }
unsafe impl !Send for Unit {}
type Alias<T> = Result<T, Error<{ 3 }, 'static>>;
const ONE: u8 = 1 + 2;
static mut TWO: Option<u8> = None;
#[path = "x/y.rs"] #[macro_use] mod decl;
mod inline { #![cfg(feature="a")] }
#[cfg(all(unix,not(windows)))] #[cfg(b)] #[macro_export] macro_rules! m { () => {} }
extern "C" { fn foreign(a: u8, ...); static ENV: u8; }
fn closure<F>(f: F) where F: for<'a> FnMut(&'a u8, u8) -> Option<u8> + Send {}
"#,
        expect![[r##"
            #![no_std]
            #![cfg(unix)]
            struct Unit `Unit`
            struct Tuple `Tuple`(u8, Vec<String>)
            struct Named `Named` <T: Clone + std::fmt::Debug, const N> where Vec<T>: Sized { a: &[T; _], b: [u8], c: *T, d: (), e: (u8), f: u8, g: fn(u8, u16) -> !, h: Box<dyn Fn<(u8), Output = T> + Send>, i: <T as Iterator>::Item, j: Option<?> }
            union U `U` { a: u8, b: i8 }
            enum E `E` <T = u8> | A@391 | B@394(T, u8) | C@404 { x: T } | D@416
            trait Tr `Tr` <A>: Sized + From<A>
            const Tr::C `C`: u8
              #Int
            type_alias Tr::Out `Out`: Clone + Default
            method Tr::need `need` (&self) -> Self::Out
            method Tr::have `have` where Self: Send (self: Box<Self>, A)
              |_| {  }
            impl <&mut Unit as Tr<T>> <T> where &T: Clone impl Tr<T> for &Unit
            type_alias <&mut Unit as Tr<T>>::Out `Out`:  = T
            method <&mut Unit as Tr<T>>::go `go` async (&mut self, impl Into<T> + Copy) -> T
              |a| { a }
            method <&mut Unit as Tr<T>>::by `by` (self)
              {  }
            impl <Unit as !Send> impl !Send for Unit
            type_alias Alias `Alias` <T>:  = Result<T, Error>
            const ONE `ONE`: u8
              (#Int Add@829 #Int)
            static TWO `TWO`: Option<u8>
              None
            module decl `decl` inline=false path=Some("x/y.rs") macro_use=true
            module inline `inline` cfg(feature = "a") inline=true path=None macro_use=false
            macro m! `m` cfg(all(all(unix, not(windows)), b)) exported=true
            function foreign `foreign` (u8)
            static ENV `ENV`: u8
            function closure `closure` <F: FnMut<(&u8, u8), Output = Option<u8>> + Send> (F)
              |f| {  }
        "##]],
    );
}

#[test]
fn imports_come_apart() {
    check(
        r#"
use std::fmt;
use ::std::{io::{self, Read as _, Write as W}, collections::*};
pub use self::a::b as c;
use {x, y::z, ::w};
use crate::{self as me};
use super::*;
use *;
extern crate alloc as al;
extern crate core;
use r#type::r#fn;
"#,
        expect![[r#"
            import use std::fmt
              use std::fmt as fmt @10
            import use ::std::{io::{self, Read as _, Write as W}, collections::*}
              use ::std::io as io @32
              use ::std::io::Read as _ @38
              use ::std::io::Write as W @49
              use ::std::collections::* @75
            import use self::a::b as c
              use self::a::b as c @96
            import use {x, y::z, ::w}
              use x as x @109
              use y::z as z @115
              use ::w as w @120
            import use crate::{self as me}
              use crate as me @136
            import use super::*
              use super::* @160
            import use *
              use ::* @167
            import extern crate alloc
              use alloc extern crate as al @183
            import extern crate core
              use core extern crate as core @209
            import use r#type::r#fn
              use type::fn as fn @227
        "#]],
    );
}

#[test]
fn an_import_whose_path_has_no_name_is_left_out() {
    check(
        "use ::if as T;\nuse a::b as U;\n",
        expect![[r#"
        import use ::if as T
        import use a::b as U
          use a::b as U @22
    "#]],
    );
}
