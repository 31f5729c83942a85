//! The callers of methods of traits and of their impls.

use expect_test::expect;

use super::support::graftage;

#[test]
fn each_edge_to_a_method_of_a_trait_is_in_the_answer_also_of_its_impls() {
    let project = testkit::crate_project(
        r"
//- /src/lib.rs
mod net {
    pub trait Connect {
        fn connect(&self) -> u32;
        fn twice(&self) -> u32 {
            self.connect() + Plain.connect()
        }
    }
    pub struct Plain;
    impl Connect for Plain {
        fn connect(&self) -> u32 {
            1
        }
    }
}
pub struct Outer {
    inner: net::Plain,
}
impl net::Connect for Outer {
    fn connect(&self) -> u32 {
        self.inner.connect()
    }
}
pub struct Guess;
impl net::Connect for Guess {
    fn connect(&self) -> u32 {
        unknown::get().connect()
    }
}
pub struct Shared(Box<dyn net::Connect>);
impl net::Connect for Shared {
    fn connect(&self) -> u32 {
        self.0.connect()
    }
}
pub fn through<T: net::Connect>(it: &T) -> u32 {
    net::Connect::connect(it)
}
",
    );
    let of = |item: &str| {
        let text = graftage(&project, &["callers", item, "--explain"]).stdout;
        text.lines().skip(2).map(|it| format!("{it}\n")).collect::<String>()
    };
    expect![[r#"

        callers: 5 proven, 5 candidates
            fixture::net::Connect::twice                src/lib.rs:5
              proven by syntax: the type is a parameter, and a bound on it names this trait
            fixture::net::Connect::twice                src/lib.rs:5  calls fixture::net::<Plain as Connect>::connect
              proven by syntax: the type is known, and this is its impl of the trait's function
            fixture::<Outer as net::Connect>::connect   src/lib.rs:20  calls fixture::net::<Plain as Connect>::connect
              proven by syntax: the type is known, and this is its impl of the trait's function
          ? fixture::<Guess as net::Connect>::connect   src/lib.rs:26
              candidate by syntax: the receiver's type is unknown, and this method has that name
          ? fixture::<Guess as net::Connect>::connect   src/lib.rs:26  calls fixture::net::<Plain as Connect>::connect
              candidate by syntax: the receiver's type is unknown, and this method has that name
          ? fixture::<Guess as net::Connect>::connect   src/lib.rs:26  calls fixture::<Outer as net::Connect>::connect
              candidate by syntax: the receiver's type is unknown, and this method has that name
          ? fixture::<Guess as net::Connect>::connect   src/lib.rs:26  calls fixture::<Guess as net::Connect>::connect
              candidate by syntax: the receiver's type is unknown, and this method has that name
          ? fixture::<Guess as net::Connect>::connect   src/lib.rs:26  calls fixture::<Shared as net::Connect>::connect
              candidate by syntax: the receiver's type is unknown, and this method has that name
            fixture::<Shared as net::Connect>::connect  src/lib.rs:32
              proven by syntax: the value is a trait object of this trait
            fixture::through                            src/lib.rs:36
              proven by syntax: the type is a parameter, and a bound on it names this trait
    "#]]
    .assert_eq(&of("net::Connect::connect"));
    expect![[r#"

        callers: 2 proven, 5 candidates
          ? fixture::net::Connect::twice                src/lib.rs:5  calls fixture::net::Connect::connect
              candidate by syntax: the call is through the trait, whose method this one implements; the type is known at run time or by the caller
            fixture::net::Connect::twice                src/lib.rs:5
              proven by syntax: the type is known, and this is its impl of the trait's function
            fixture::<Outer as net::Connect>::connect   src/lib.rs:20
              proven by syntax: the type is known, and this is its impl of the trait's function
          ? fixture::<Guess as net::Connect>::connect   src/lib.rs:26  calls fixture::net::Connect::connect
              candidate by syntax: the receiver's type is unknown, and the trait's method, which this one implements, has that name
          ? fixture::<Guess as net::Connect>::connect   src/lib.rs:26
              candidate by syntax: the receiver's type is unknown, and this method has that name
          ? fixture::<Shared as net::Connect>::connect  src/lib.rs:32  calls fixture::net::Connect::connect
              candidate by syntax: the call is through the trait, whose method this one implements; the type is known at run time or by the caller
          ? fixture::through                            src/lib.rs:36  calls fixture::net::Connect::connect
              candidate by syntax: the call is through the trait, whose method this one implements; the type is known at run time or by the caller
    "#]]
    .assert_eq(&of("<Plain as Connect>::connect"));
    expect![[r#"

        callers: 0 proven, 5 candidates
          ? fixture::net::Connect::twice                src/lib.rs:5  calls fixture::net::Connect::connect
              candidate by syntax: the call is through the trait, whose method this one implements; the type is known at run time or by the caller
          ? fixture::<Guess as net::Connect>::connect   src/lib.rs:26  calls fixture::net::Connect::connect
              candidate by syntax: the receiver's type is unknown, and the trait's method, which this one implements, has that name
          ? fixture::<Guess as net::Connect>::connect   src/lib.rs:26
              candidate by syntax: the receiver's type is unknown, and this method has that name
          ? fixture::<Shared as net::Connect>::connect  src/lib.rs:32  calls fixture::net::Connect::connect
              candidate by syntax: the call is through the trait, whose method this one implements; the type is known at run time or by the caller
          ? fixture::through                            src/lib.rs:36  calls fixture::net::Connect::connect
              candidate by syntax: the call is through the trait, whose method this one implements; the type is known at run time or by the caller
    "#]]
    .assert_eq(&of("<Shared as net::Connect>::connect"));
}
