//! Lang items: the definitions of the standard library that inference needs.

use base::ItemKind;
use syntax::facts::Arithmetic;

use crate::{DefId, DefMap, Namespace, Symbol};

macro_rules! lang {
    ($($field:ident: $kind:ident $module:literal $name:literal,)*) => {
        /// Definitions of the standard library that rules of the language refer to.
        #[derive(Clone, Debug, Default)]
        pub(crate) struct Lang {
            $(pub(super) $field: Option<DefId>,)*
            /// `Output`, `Item`, `Target`.
            pub(super) output: Option<Symbol>,
            pub(super) item: Option<Symbol>,
            pub(super) target: Option<Symbol>,
            /// `thread_local!`.
            pub(super) thread_local: Option<DefId>,
        }

        impl Lang {
            fn find(map: &DefMap) -> Self {
                let find = |path: &str, kind: ItemKind| {
                    let found = map.std_item(path, Namespace::Type);
                    found.filter(|def| map.def(*def).kind == kind)
                };
                Self {
                    $($field: find(concat!($module, "::", $name), ItemKind::$kind),)*
                    ..Self::default()
                }
            }
        }
    };
}

lang! {
    future: Trait "future" "Future",
    into_future: Trait "future" "IntoFuture",
    deref: Trait "ops" "Deref",
    index: Trait "ops" "Index",
    neg: Trait "ops" "Neg",
    not: Trait "ops" "Not",
    add: Trait "ops" "Add",
    sub: Trait "ops" "Sub",
    mul: Trait "ops" "Mul",
    div: Trait "ops" "Div",
    rem: Trait "ops" "Rem",
    bit_and: Trait "ops" "BitAnd",
    bit_or: Trait "ops" "BitOr",
    bit_xor: Trait "ops" "BitXor",
    shl: Trait "ops" "Shl",
    shr: Trait "ops" "Shr",
    add_assign: Trait "ops" "AddAssign",
    sub_assign: Trait "ops" "SubAssign",
    mul_assign: Trait "ops" "MulAssign",
    div_assign: Trait "ops" "DivAssign",
    rem_assign: Trait "ops" "RemAssign",
    bit_and_assign: Trait "ops" "BitAndAssign",
    bit_or_assign: Trait "ops" "BitOrAssign",
    bit_xor_assign: Trait "ops" "BitXorAssign",
    shl_assign: Trait "ops" "ShlAssign",
    shr_assign: Trait "ops" "ShrAssign",
    fn_once: Trait "ops" "FnOnce",
    fn_mut: Trait "ops" "FnMut",
    fn_ref: Trait "ops" "Fn",
    async_fn_once: Trait "ops" "AsyncFnOnce",
    async_fn_mut: Trait "ops" "AsyncFnMut",
    async_fn_ref: Trait "ops" "AsyncFn",
    range: Struct "ops" "Range",
    range_from: Struct "ops" "RangeFrom",
    range_to: Struct "ops" "RangeTo",
    range_full: Struct "ops" "RangeFull",
    control_flow: Enum "ops" "ControlFlow",
    partial_eq: Trait "cmp" "PartialEq",
    partial_ord: Trait "cmp" "PartialOrd",
    eq: Trait "cmp" "Eq",
    ord: Trait "cmp" "Ord",
    clone: Trait "clone" "Clone",
    copy: Trait "marker" "Copy",
    sized: Trait "marker" "Sized",
    send: Trait "marker" "Send",
    sync: Trait "marker" "Sync",
    unpin: Trait "marker" "Unpin",
    unwind_safe: Trait "panic" "UnwindSafe",
    ref_unwind_safe: Trait "panic" "RefUnwindSafe",
    debug: Trait "fmt" "Debug",
    default: Trait "default" "Default",
    hash: Trait "hash" "Hash",
    any: Trait "any" "Any",
    into_iterator: Trait "iter" "IntoIterator",
    option: Enum "option" "Option",
    result: Enum "result" "Result",
    poll: Enum "task" "Poll",
    vec: Struct "vec" "Vec",
    string: Struct "string" "String",
    pin: Struct "pin" "Pin",
    c_str: Struct "ffi" "CStr",
    local_key: Struct "thread" "LocalKey",
    arguments: Struct "fmt" "Arguments",
}

impl Lang {
    /// Looks the items up in the standard library's declarations.
    pub(crate) fn of(map: &DefMap) -> Self {
        let mut lang = Self::find(map);
        lang.output = map.symbol("Output");
        lang.item = map.symbol("Item");
        lang.target = map.symbol("Target");
        lang.thread_local = map.std_item("thread_local", Namespace::Macro);
        lang
    }

    /// Whether a trait's impls are not declared and are assumed to hold.
    pub(super) fn is_marker(&self, of: DefId) -> bool {
        let of = Some(of);
        [
            self.sized,
            self.send,
            self.sync,
            self.unpin,
            self.unwind_safe,
            self.ref_unwind_safe,
            self.any,
        ]
        .contains(&of)
    }

    pub(super) fn is_copy_or_clone(&self, of: DefId) -> bool {
        [self.copy, self.clone].contains(&Some(of))
    }

    /// Whether the compiler's own derive macro of this name implements the trait.
    pub(super) fn is_built_in_derive(&self, of: DefId) -> bool {
        self.is_derivable(of) || self.is_copy_or_clone(of)
    }

    /// Whether tuples and arrays implement the trait if their elements do.
    pub(super) fn is_derivable(&self, of: DefId) -> bool {
        [self.debug, self.default, self.hash, self.partial_eq, self.eq, self.partial_ord, self.ord]
            .contains(&Some(of))
    }

    pub(super) fn is_fn_trait(&self, of: DefId) -> bool {
        [self.fn_once, self.fn_mut, self.fn_ref].contains(&Some(of)) || self.is_async_fn_trait(of)
    }

    pub(super) fn is_async_fn_trait(&self, of: DefId) -> bool {
        [self.async_fn_once, self.async_fn_mut, self.async_fn_ref].contains(&Some(of))
    }

    /// The trait of an arithmetic operator.
    pub(super) fn arithmetic(&self, which: Arithmetic, assigns: bool) -> Option<DefId> {
        match (which, assigns) {
            (Arithmetic::Add, false) => self.add,
            (Arithmetic::Sub, false) => self.sub,
            (Arithmetic::Mul, false) => self.mul,
            (Arithmetic::Div, false) => self.div,
            (Arithmetic::Rem, false) => self.rem,
            (Arithmetic::BitAnd, false) => self.bit_and,
            (Arithmetic::BitOr, false) => self.bit_or,
            (Arithmetic::BitXor, false) => self.bit_xor,
            (Arithmetic::Shl, false) => self.shl,
            (Arithmetic::Shr, false) => self.shr,
            (Arithmetic::Add, true) => self.add_assign,
            (Arithmetic::Sub, true) => self.sub_assign,
            (Arithmetic::Mul, true) => self.mul_assign,
            (Arithmetic::Div, true) => self.div_assign,
            (Arithmetic::Rem, true) => self.rem_assign,
            (Arithmetic::BitAnd, true) => self.bit_and_assign,
            (Arithmetic::BitOr, true) => self.bit_or_assign,
            (Arithmetic::BitXor, true) => self.bit_xor_assign,
            (Arithmetic::Shl, true) => self.shl_assign,
            (Arithmetic::Shr, true) => self.shr_assign,
        }
    }
}
