use expect_test::expect;

use crate::check;

#[test]
fn every_expression_is_read() {
    check(
        r#"
fn f(a: u8, (b, c): (u8, u8), _: u8) -> u8 {
    a::b::<T>(1, 2.0, 0xffu8, 1f32, "s", r"s", b"s", c"s", 'c', b'c', true, -1);
    x.method::<u8, Vec<_>>(a).field.0.await?[i + 1] as u8;
    (self.f)(&a, &mut b, &raw const c, *d, !e, -g);
    P { a, b: 1, 0: 2, ..Default::default() };
    let Some(x) = y else { return };
    let z: Vec<u8>;
    let mut w = [1, 2];
    let v = [0; 4];
    a = b;
    a += b << c;
    a && b || c == d;
    1..2; ..; a..; ..=b;
    if let Some(x) = y && z { 1 } else if k { 2 } else { 3 }
    match (a, b) { (1, _) | (2, 3) if g => x, Foo::Bar(ref a, ..) => {} S { a, b: ref mut c, .. } => (), [first, .., rest @ ..] => 1, &x @ 1..=2 => 2, "s" => 3, -1 => 4, K => 5, _ => return 6 }
    'l: loop { break 'l 1; continue }
    while let Some(x) = it.next() {}
    for (i, x) in v.iter().enumerate() { use_it(i) }
    let c = async move |a, &(b, c): &(u8, u8)| -> u8 { a };
    let b = async move { x.await };
    unsafe { danger() }
    const { 1 };
    <T as Tr>::call(<Vec<u8>>::new());
    ::a::b();
    |x| x + 1
}
const K: u8 = f(1);
"#,
        expect![[r#"
            function f `f` (u8, (u8, u8), u8) -> u8
              |a, (b, c), _| { call(a::b<T>)(#Int, #Float, #u8, #f32, #Str, #Str, #ByteStr, #CStr, #Char, #u8, #Bool, Neg@122 #Int); (x.method@133::<u8, Vec<?>>(a).field.0.await?[(i Add@174 #Int)] as u8); call(self.f)(&a, &b, &c, *d, Not@229 e, Neg@233 g); P { a: a, b: #Int, 0: #Int, ..call(Default::default)() }; let Some(x) = y else { return  }; let z: Vec<u8>; let w = [#Int, #Int]; let v = [#Int; #Int]; a = b; (a AddAssign@403 (b Shl@408 c)); ((a Lazy@420 b) Lazy@425 (c Eq@430 d)); (#Int..#Int); (..); (a..); (..b); if (let Some(x) = y Lazy@484 z) { #Int } else if k { #Int } else { #Int }; match (a, b) { (#Int, _) | (#Int, #Int) if g => x, Foo::Bar(ref a, ..) => {  }, S { a: a, b: ref c } => (), [first, .., rest @ ..] => #Int, &x @ #Int | #Int => #Int, #Str => #Int, #Int => #Int, K => #Int, _ => return #Int }; loop { break #Int; other() }; while let Some(x) = it.next@781() {  }; for (i, x) in v.iter@811().enumerate@818() { call(use_it)(i) }; let c = async |a, &(b, c): &(u8, u8)| -> u8 { a }; let b = async { x.await }; { call(danger)() }; { #Int }; call(<T as Tr>::call)(call(<Vec<u8>>::new)()); call(::a::b)(); |x| (x Add@1044 #Int) }
            const K `K`: u8
              call(f)(#Int)
        "#]],
    );
}

#[test]
fn items_in_bodies_have_their_own() {
    check(
        r#"
fn outer() {
    use a::b;
    fn inner(x: u8) -> u8 { g(x) }
    impl S { fn m(&self) { h() } }
    extern "C" { fn ext(); }
    inner(1);
    const K: u8 = { fn deep() {} 1 };
    K
}
"#,
        expect![[r#"
            function outer `outer` ()
              { item outer::use a::b; item outer::inner; item outer::<S>; item outer::ext; call(inner)(#Int); item outer::K; K }
            import outer::use a::b
              use a::b as b @25
            function outer::inner `inner` (u8) -> u8
              |x| { call(g)(x) }
            impl outer::<S> impl S
            method outer::S::m `m` (&self)
              { call(h)() }
            function outer::ext `ext` ()
            const outer::K `K`: u8
              { item outer::K::deep; #Int }
            function outer::K::deep `deep` ()
              {  }
        "#]],
    );
}

#[test]
fn the_value_of_a_block_is_what_nothing_follows() {
    check(
        r#"
fn a() { if x { 1 } else { 2 } }
fn b() { m!() }
fn c() { m!(); }
fn d() { m! {} }
fn e() { m! {} x }
fn f() { x; }
fn g() { match x {} }
fn h() { { 1 }; }
fn i() { loop {} /* end */ }
"#,
        expect![[r#"
            function a `a` ()
              { if x { #Int } else { #Int } }
            function b `b` ()
              { m!() }
            function c `c` ()
              { m!(); }
            function d `d` ()
              { m!({  }) }
            function e `e` ()
              { m!({  }); x }
            function f `f` ()
              { x; }
            function g `g` ()
              { match x {  } }
            function h `h` ()
              { { #Int }; }
            function i `i` ()
              { loop {  } }
        "#]],
    );
}

#[test]
fn broken_bodies_keep_what_can_be_read() {
    check(
        r#"
fn a() { let x = ; g(1); }
fn b() { foo(1, ; h() }
fn c() { x.; y() }
fn d( { k() }
struct S { a: u8, b: , c: u16 }
fn e() { x.y( }
"#,
        expect![[r#"
            function a `a` ()
              { let x; call(g)(#Int); }
            function b `b` ()
              { call(foo)(#Int); call(h)() }
            function c `c` ()
              { other(x); call(y)() }
            function d `d` ()
              { call(k)() }
            struct S `S` { a: u8, b: ?, c: u16 }
            function e `e` ()
              { x.y@128() }
        "#]],
    );
}
