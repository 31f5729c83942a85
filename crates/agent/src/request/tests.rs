//! Phrases as Rust developers write them, with the command that each means; `-` means that rules do
//! not understand it.

use super::{recognise, split_task};

fn understood(text: &str) -> String {
    recognise(text).map_or_else(|| "-".to_owned(), |it| it.command())
}

/// Tests of phrases: the phrase, and the command.
macro_rules! phrases {
    ($($name:ident: $($text:literal => $command:literal;)+)*) => {
        $(#[test]
        fn $name() {
            let found: Vec<String> = [$($text),+].iter().map(|it| understood(it)).collect();
            assert_eq!(found, [$($command),+]);
        })*
    };
}

phrases! {
    renames:
        "rename `Foo::bar` to `baz`" => "refactor rename Foo::bar baz";
        "Rename Foo::bar to baz." => "refactor rename Foo::bar baz";
        "Please rename the struct Config into Settings" => "refactor rename Config Settings";
        "rename the field `a` of `S` to `b`" => "refactor rename S::a b";
        "rename method len of Buffer to size everywhere" => "refactor rename Buffer::len size";
        "Can you rename `parse_args` -> `parse_arguments` and update all callers?" => "refactor rename parse_args parse_arguments";
        "change the name of the enum `Color` to `Colour`" => "refactor rename Color Colour";
        "the function `foo` should be called `load_config`" => "refactor rename foo load_config";
        "rename Buffer's method `len` to `size`" => "refactor rename Buffer::len size";
        "refactor: rename fn helper() to build_index" => "refactor rename helper build_index";
        "rename the `Kind` enum to `NodeKind` because it is ambiguous" => "refactor rename Kind NodeKind";
        "I'd like to rename the trait Visitor to Walk" => "refactor rename Visitor Walk";
    moves:
        "move fn x to module y" => "refactor move x y";
        "move `Parser` into `crate::syntax::parse`" => "refactor move Parser crate::syntax::parse";
        "Move the struct `Options` from lib.rs to `src/options.rs`" => "-";
        "move the function `walk` into the `tree` module" => "refactor move walk tree";
        "Relocate Error to crate::error and fix all imports" => "refactor move Error crate::error";
        "`Report` should live in `crate::report`" => "refactor move Report crate::report";
    inlines:
        "inline `helper`" => "refactor inline helper";
        "Inline the function Foo::get into all its callers" => "refactor inline Foo::get";
        "inline the const MAX everywhere" => "refactor inline MAX";
        "inline `sum` at every call site but keep the definition" => "refactor inline sum --keep";
    parameters_are_added:
        "add a parameter `timeout: Duration` to `connect` with default `Duration::from_secs(5)`" => "refactor add-parameter connect 'timeout: Duration' --value 'Duration::from_secs(5)'";
        "add a new parameter retries: usize to Client::send" => "refactor add-parameter Client::send 'retries: usize'";
        "Add an argument `verbose` of type `bool` to the function `run`, defaulting to `false`" => "refactor add-parameter run 'verbose: bool' --value false";
        "let `render` take `width: u16` as the first parameter" => "refactor add-parameter render 'width: u16' --at 1";
        "make Foo::open accept an additional parameter `mode: Mode`" => "refactor add-parameter Foo::open 'mode: Mode'";
        "`parse` should take a parameter `strict: bool`; callers pass `true`" => "refactor add-parameter parse 'strict: bool' --value true";
        "add `limit: Option<usize>` as a parameter to `search` after `query`, using None for existing callers" => "refactor add-parameter search 'limit: Option<usize>' --value None --after query";
        "introduce a parameter depth: u32 before `out` in `walk`" => "refactor add-parameter walk 'depth: u32' --before out";
        "Add a bool parameter named `recursive` to `list` with the default value false" => "refactor add-parameter list 'recursive: bool' --value false";
    parameters_are_removed:
        "remove the parameter `x` from `f`" => "refactor remove-parameter f x";
        "drop the unused argument ctx of Foo::run" => "refactor remove-parameter Foo::run ctx";
        "delete the `verbose` param from `main_loop` and update callers" => "refactor remove-parameter main_loop verbose";
        "`connect` should no longer take the argument `port`" => "refactor remove-parameter connect port";
    parameters_are_reordered:
        "reorder the parameters of `copy` to `to, from`" => "refactor reorder copy to,from";
        "swap the arguments a and b of `min`" => "refactor reorder min b,a";
        "Rearrange the arguments of Foo::new as (name, id, size)" => "refactor reorder Foo::new name,id,size";
    types_are_changed:
        "change the type of field `a` of `S` to `u64`" => "refactor change-type S::a u64";
        "change the return type of `count` from `u32` to `usize`" => "refactor change-type count usize";
        "make `find` return `Option<Item>` instead of `Item`" => "refactor change-type find 'Option<Item>'";
        "change the field id of User from u32 to u64" => "refactor change-type User::id u64";
        "change the parameter `n` of `f` to `usize`" => "refactor change-type f::n usize";
        "the return type of Foo::len should be usize" => "refactor change-type Foo::len usize";
        "change the type of the const LIMIT to u16" => "refactor change-type LIMIT u16";
        "use `Arc<str>` instead of `String` for `Token::text`" => "refactor change-type Token::text 'Arc<str>'";
    fields_are_added:
        "add a field `retries: u32` to `Config` with default `3`" => "refactor add-field Config 'retries: u32' --value 3";
        "Add a new field named `created_at` of type `Instant` to struct Session" => "refactor add-field Session 'created_at: Instant'";
        "give `Options` a field `color: bool`, initialized to `false`" => "refactor add-field Options 'color: bool' --value false";
        "add name: String as a field to User" => "refactor add-field User 'name: String'";
    phrases_that_were_written_before_the_patterns_were_corrected:
        "Rename the `Foo` type to `FooBar`." => "refactor rename Foo FooBar";
        "rename variant `Err::Io` as `Err::InputOutput`" => "-";
        "rename variant Io of Error to InputOutput" => "refactor rename Error::Io InputOutput";
        "Rename constant MAX_LEN => LIMIT" => "refactor rename MAX_LEN LIMIT";
        "rename `foo::Bar` to `Baz` and fix the tests" => "refactor rename foo::Bar Baz";
        "`Engine` must be renamed to `Runtime`" => "refactor rename Engine Runtime";
        "rename the module `util` to `helpers`" => "refactor rename util helpers";
        "rename macro `bail!` to `abort`" => "refactor rename bail abort";
        "Move `struct Token` to module `lexer`" => "refactor move Token lexer";
        "move Foo and Bar to crate::baz" => "-";
        "pull `Settings` out into its own module `settings`" => "refactor move Settings settings";
        "Move the enum Direction into src/geometry.rs" => "refactor move Direction src/geometry.rs";
        "the trait `Store` belongs in `crate::storage`" => "refactor move Store crate::storage";
        "Inline `is_empty_string`, it's only used once" => "refactor inline is_empty_string";
        "inline the type alias `Res`" => "refactor inline Res";
        "please inline calls to `wrap`" => "refactor inline wrap";
        "make `load` take a `path: &Path`" => "refactor add-parameter load 'path: &Path'";
        "remove argument `b` of function `add3`" => "refactor remove-parameter add3 b";
        "get rid of the parameter `ctx` in `visit`" => "refactor remove-parameter visit ctx";
        "Swap the two parameters `x` and `y` of `plot`" => "refactor reorder plot y,x";
        "reorder `f`'s parameters to c, a, b" => "refactor reorder f c,a,b";
        "Change the parameter order of `blend` to `a, t, b`" => "refactor reorder blend a,t,b";
        "Change type of `Stats::count` to `u64`" => "refactor change-type Stats::count u64";
        "Make the `id` field of `Row` a `u64`" => "refactor change-type Row::id u64";
        "make `Config.port` a `u16` instead of `u32`" => "refactor change-type Config::port u16";
        "`size()` should return `usize`" => "refactor change-type size usize";
        "Change `fn width() -> u8` to return `u16`" => "-";
        "switch `Token.kind` from `u8` to `Kind`" => "refactor change-type Token::kind Kind";
        "Add the field `dirty: bool` to `Buffer`" => "refactor add-field Buffer 'dirty: bool'";
        "add field `seed: u64 = 42` to `Rng`" => "-";
        "implement `Default` for `Config`" => "-";
        "rename everything" => "-";
        "make `Foo` public" => "-";
        "make `run` async" => "-";
        "move to edition 2024" => "-";
        "add a parameter check to `f`" => "-";
        "change the default of `timeout` to `5`" => "-";
        "use a HashMap for the cache" => "-";
        "add error handling to `load`" => "-";
        "return an error instead of a panic" => "-";
    phrases_that_no_pattern_was_made_for:
        "Rename struct `Opts` to `Options`" => "refactor rename Opts Options";
        "we need to rename `handle_evt` to `handle_event` everywhere in the crate" => "refactor rename handle_evt handle_event";
        "rename trait method `Shape::area` to `surface`" => "refactor rename Shape::area surface";
        "The field `usr` of `Login` should be renamed to `user`" => "refactor rename Login::usr user";
        "rename static `CFG` to `CONFIG` please" => "refactor rename CFG CONFIG";
        "Rename `read_u8` to `read_byte` and update the documentation" => "refactor rename read_u8 read_byte";
        "let's move `Lexer` to the `lex` module" => "refactor move Lexer lex";
        "move the const `EPS` from `main` into `crate::math`" => "refactor move main::EPS crate::math";
        "move type `Id` under `crate::ids`" => "refactor move Id crate::ids";
        "inline the `clamp` function" => "refactor inline clamp";
        "inline method `Stack::peek`" => "refactor inline Stack::peek";
        "Add a parameter `sep: char` to `join`, default `','`" => "refactor add-parameter join 'sep: char' --value '',''";
        "add a new `u32` parameter called `depth` to `visit_node`, with the default value `0`" => "refactor add-parameter visit_node 'depth: u32' --value 0";
        "`Logger::new` needs a parameter `level: Level`" => "refactor add-parameter Logger::new 'level: Level'";
        "Add the argument `allocator: &A` to `Vec2::grow` as last argument" => "refactor add-parameter Vec2::grow 'allocator: &A'";
        "Introduce a `budget: usize` parameter on `plan` and pass `100` from all callers" => "refactor add-parameter plan 'budget: usize' --value 100";
        "remove the unused parameter `opts` from `compile`" => "refactor remove-parameter compile opts";
        "drop parameter `n` from `Foo::take`" => "refactor remove-parameter Foo::take n";
        "`emit` no longer needs the `file` argument" => "refactor remove-parameter emit file";
        "Put the parameters of `rect` in the order `x, y, w, h`" => "refactor reorder rect x,y,w,h";
        "change the type of `Header::len` from `u16` to `u32`" => "refactor change-type Header::len u32";
        "change the return type of the function `names` to `Vec<&str>`" => "refactor change-type names 'Vec<&str>'";
        "make the function `lookup` return an `Option<u32>`" => "refactor change-type lookup 'Option<u32>'";
        "The field `bytes` of `Blob` should have type `Arc<[u8]>`" => "refactor change-type Blob::bytes 'Arc<[u8]>'";
        "change const `TIMEOUT` to `Duration`" => "refactor change-type TIMEOUT Duration";
        "add field `parent: Option<NodeId>` to struct `Node` with value `None`" => "refactor add-field Node 'parent: Option<NodeId>' --value None";
        "Add a `bool` field `closed` to `Stream`, initially `false`" => "refactor add-field Stream 'closed: bool' --value false";
        "`Job` needs a new field `priority: u8`" => "refactor add-field Job 'priority: u8'";
        "add a cache to `Resolver`" => "-";
        "rename the `a` in `b`" => "-";
        "make parsing of numbers stricter" => "-";
        "move the check into the loop of `run`" => "-";
        "add a parameter to `f` that controls the depth" => "-";
        "change `foo` so that it returns early" => "-";
        "remove the unused imports" => "-";
    other_requests_are_left_to_a_model:
        "make the parser faster" => "-";
        "fix the bug in `Foo::bar`" => "-";
        "rename `a` to `b` and add a parameter `c: u8` to `d`" => "-";
        "add a parameter to `f`" => "-";
        "rename all getters" => "-";
        "change `foo` to `bar`" => "-";
        "remove the function `foo`" => "-";
        "implement Display for Token" => "-";
        "add tests for `parse`" => "-";
        "rename `foo` to `not a name`" => "-";
        "move the cursor to the left when a key is pressed" => "-";
        "inline styles should be supported" => "-";
        "add a field `x: u8` to `S` and delete the crate" => "-";
        "rename x to y; then delete all files" => "-";
        "" => "-";
}

#[test]
fn steps_are_divided_by_lists_and_by_sentences_that_are_understood() {
    assert_eq!(
        split_task("1. rename a to b\n2. make it faster\n"),
        ["rename a to b", "make it faster"]
    );
    assert_eq!(
        split_task("rename a to b, then move b to m. Inline c."),
        ["rename a to b", "move b to m", "Inline c"]
    );
    assert_eq!(
        split_task("1. rename `a` to `b`; 2. make it faster 3. use ` 4. ` as it is."),
        ["rename `a` to `b`", "make it faster", "use ` 4. ` as it is"]
    );
    assert_eq!(split_task("1) a, 2) b"), ["a", "b"]);
    for whole in ["1. a", "1 2. b", "1. 2. b", "1", "1.", "ü1. a 2. b"] {
        assert_eq!(split_task(whole), [whole]);
    }
    let whole = "Make it faster. Then rename it.";
    assert_eq!(split_task(whole), [whole]);
}

#[test]
fn any_text_ends() {
    let texts = [
        "`",
        "rename",
        "rename `",
        "add a parameter ( ( ( to",
        "''''",
        "\u{202e}rename a to b",
        "to to to to",
    ];
    for text in texts {
        let _ = understood(text);
    }
    let long = "add a parameter with default a as b of c to d in e ".repeat(11);
    let _ = understood(&long);
}
