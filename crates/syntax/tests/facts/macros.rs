use expect_test::expect;

use crate::check;

#[test]
fn arguments_of_macro_calls_are_expressions() {
    check(
        r#"
fn f() {
    println!("plain {x} {} {y:?} {0} {{no}} {w:>width$.prec$} {self.z} {n}", a.b(), n = k());
    assert!(x.is_ok(), "because {why}");
    assert_eq!(a, b(), r"raw {r}");
    assert!(matches!(f(x), Some(y) | Other(y) if y > g()));
    vec![1, h()]; vec![x; n]; vec![];
    select! { a = b() => c, }
    custom!(a => b);
    deep!(er!(and!(m())));
    write!(f, "\u{41}{é}")?;
    block! { let x = 1; g(x); x }
    path::to::m!(S { a: 1 }, |x| x + 1)
}
"#,
        expect![[r#"
            function f `f` ()
              { println!(#Str, a.b@89(), call(k)(), x, y, w, width, prec, self.z); assert!(x.is_ok@118(), #Str, why); assert_eq!(a, call(b)(), #Str, r); assert!(matches!(match call(f)(x) { Some(y) | Other(y) if (y Ord@232 call(g)()) => () })); vec!(#Int, call(h)()); vec!(x, n); vec!(); select!(match  { a if call(b)() => c }); custom!( …); deep!(er!(and!(call(m)()))); write!(f, #Str, é)?; block!({ let x = #Int; call(g)(x); x }); path::to::m!(S { a: #Int }, |x| (x Add@456 #Int)) }
        "#]],
    );
}

#[test]
fn items_in_macro_calls_are_read_where_they_stand() {
    check(
        r#"
cfg_rt! {
    /// doc
    #[inline]
    pub fn spawn(a: u8) -> u8 { g!(a.b()) }
    mod m { fn in_m() {} cfg_deep! { use a::b; struct S; } }
    cfg_inner! { fn deep() {} }
}
cfg_not_rt! { pub fn spawn(a: u8) {} }
pub fn spawn() {}
impl S { cfg_io! { pub fn method(&self) { self.x() } } fn plain(&self) {} }
dsl! { fn without body }
thread_local! { static K: u8 = f(); }
args!(a, b);
parens!( fn g() {} );
#[cfg(test)] cfg_rt! { fn helper() {} }
fn body() { cfg_rt! { use x::y; fn local() {} } local() }
"#,
        expect![[r#"
            macro cfg_rt!() cfg_rt!
            function spawn-2 `spawn` in-macro (u8) -> u8
              |a| { g!(a.b@74()) }
            module m `m` in-macro inline=true path=None macro_use=false
            function m::in_m `in_m` in-macro ()
              {  }
            macro m::cfg_deep!() in-macro cfg_deep!
            import m::use a::b in-macro
              use a::b as b @125
            struct m::S `S` in-macro
            macro cfg_inner!() in-macro cfg_inner!
            function deep `deep` in-macro ()
              {  }
            macro cfg_not_rt!() cfg_not_rt!
            function spawn-3 `spawn` in-macro (u8)
              |a| {  }
            function spawn `spawn` ()
              {  }
            impl <S> impl S
            macro S::cfg_io!() cfg_io!
            method S::method `method` in-macro (&self)
              { self.x@280() }
            method S::plain `plain` (&self)
              {  }
            macro dsl!() dsl!
            macro thread_local!() thread_local!
            static K `K` in-macro: u8
              call(f)()
            macro args!() args!
            macro parens!() parens!
            function g `g` in-macro ()
              {  }
            macro cfg_rt!()-2 cfg(test) cfg_rt!
            function helper `helper` in-macro ()
              {  }
            function body `body` ()
              { item body::use x::y; item body::local; cfg_rt!({ item body::use x::y; item body::local; }); call(local)() }
            import body::use x::y in-macro
              use x::y as y @476
            function body::local `local` in-macro ()
              {  }
        "#]],
    );
}

#[test]
fn items_in_the_branches_of_cfg_if_have_the_condition_of_their_branch() {
    check(
        r#"
cfg_if! {
    if #[cfg(unix)] {
        /// Documented.
        #[inline]
        pub fn a() { b() }
        mod m { fn inner() {} }
    } else if #[cfg(feature = "f")] {
        #[cfg(test)]
        pub fn a() {}
    } else {
        pub fn a() {}
        cfg_if! { if #[cfg(miri)] { struct Deep; } }
    }
}
impl S { cfg_if::cfg_if! { if #[cfg(unix)] { fn m(&self) {} } else { fn m(&self) {} } } }
other! { if x { fn none() {} } }
"#,
        expect![[r#"
            macro cfg_if!() cfg_if!
            function a `a` in-macro cfg(unix) ()
              { call(b)() }
            module m `m` in-macro cfg(unix) inline=true path=None macro_use=false
            function m::inner `inner` in-macro ()
              {  }
            function a-2 `a` in-macro cfg(all(all(not(unix), feature = "f"), test)) ()
              {  }
            function a-3 `a` in-macro cfg(all(not(unix), not(feature = "f"))) ()
              {  }
            macro cfg_if!()-2 in-macro cfg(all(not(unix), not(feature = "f"))) cfg_if!
            struct Deep `Deep` in-macro cfg(miri)
            impl <S> impl S
            macro S::cfg_if::cfg_if!() cfg_if::cfg_if!
            method S::m `m` in-macro cfg(unix) (&self)
              {  }
            method S::m-2 `m` in-macro cfg(not(unix)) (&self)
              {  }
            macro other!() other!
        "#]],
    );
}
