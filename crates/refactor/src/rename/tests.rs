//! Renames planned without a map: text in, text out.

use std::sync::Arc;

use base::{Diagnostic, DiagnosticSpan, ProjectPath, Severity, SortedSet, Timestamp};
use edit::{FileState, Files, Overlay, Unreadable};

use super::*;

/// The plan for the definition at the first `name` after `kind`'s keyword, without a map.
pub(super) fn plan(
    kind: RenameKind,
    owner: &str,
    definition: &str,
    files: &[(&str, &str)],
) -> Renaming {
    let path = |it: &str| ProjectPath::new(it).unwrap();
    let at = files.iter().find_map(|(file, text)| {
        Some((path(file), text.find(definition)? + definition.find("old").unwrap()))
    });
    let target = RenameTarget {
        kind,
        from: "old".to_owned(),
        to: "new".to_owned(),
        owners: SortedSet::from([owner.to_owned()]),
        definitions: at.into_iter().collect(),
        within: None,
    };
    let files: Vec<(ProjectPath, Arc<str>)> =
        files.iter().map(|(file, text)| (path(file), Arc::from(*text))).collect();
    Renaming::new(target, &KnownSites::default(), &files)
}

/// The overlay of a plan for one file.
fn overlay(plan: &Renaming, text: &str) -> Overlay {
    Overlay::from_splices("", Timestamp(0), &OneFile(text), &plan.splices()).unwrap()
}

/// `src/lib.rs` with this text.
struct OneFile<'a>(&'a str);

impl Files for OneFile<'_> {
    fn read(&self, _: &ProjectPath) -> Result<Option<FileState>, Unreadable> {
        Ok(Some(FileState::from_text(self.0)))
    }
}

pub(super) fn renamed(kind: RenameKind, owner: &str, definition: &str, text: &str) -> String {
    let plan = plan(kind, owner, definition, &[("src/lib.rs", text)]);
    overlay(&plan, text).changes().next().map_or("", |(_, it)| it.after_text()).to_owned()
}

#[test]
fn a_field_is_renamed_in_literals_patterns_and_accesses() {
    let text = "struct S { old: u8 } fn f(old: u8, s: S) { let t = S { old }; let S { ref old } = s; \
                S { old: 1 }; s.old; s.old(); }";
    assert_eq!(
        renamed(RenameKind::Field, "S", "old: u8 }", text),
        "struct S { new: u8 } fn f(old: u8, s: S) { let t = S { new: old }; let S { new: ref old } = s; \
         S { new: 1 }; s.new; s.old(); }"
    );
}

#[test]
fn the_field_of_an_offset_follows_where_other_things_have_its_name() {
    let text = "struct A { old: u8 }\nconst X: usize = offset_of!(A, old);\n\
        const Y: usize = std::mem::offset_of!(b::A, old);\nconst Z: usize = offset_of!(B, old);\n\
        fn f(a: A, v: V) -> usize { offset_of!(A, old) + v.old() }\nstruct B { old: u8 }\n";
    assert_eq!(
        renamed(RenameKind::Field, "A", "old", text),
        "struct A { new: u8 }\nconst X: usize = offset_of!(A, new);\n\
        const Y: usize = std::mem::offset_of!(b::A, new);\nconst Z: usize = offset_of!(B, old);\n\
        fn f(a: A, v: V) -> usize { offset_of!(A, new) + v.old() }\nstruct B { old: u8 }\n"
    );
}

#[test]
fn a_value_that_has_the_new_name_becomes_a_shorthand() {
    let text = "struct S { old: u8 } fn f(new: u8) -> S { S { old: new } }";
    assert_eq!(
        renamed(RenameKind::Field, "S", "old: u8", text),
        "struct S { new: u8 } fn f(new: u8) -> S { S { new } }"
    );
}

#[test]
fn only_the_fields_of_the_owner_are_assumed_where_others_have_the_name() {
    let text = "struct S { old: u8 } struct T { old: u8 }\n\
                impl S { fn f(&self, t: T) { self.old; t.old; T { old: 1 }; Self { old: 1 }; } }";
    assert_eq!(
        renamed(RenameKind::Field, "S", "old: u8 } struct", text),
        "struct S { new: u8 } struct T { old: u8 }\n\
         impl S { fn f(&self, t: T) { self.new; t.old; T { old: 1 }; Self { new: 1 }; } }"
    );
}

#[test]
fn a_type_is_renamed_in_casts_and_links_but_not_after_as_in_an_import() {
    let text = "/// See [`old`] and [`old::f`], not old.\nuse x::y as old_y;\nenum old { A }\n\
                fn f() { g as old; }\nmacro_rules! m { ($old:ty) => { $old; $crate::old; } }";
    assert_eq!(
        renamed(RenameKind::Type, "", "enum old", text),
        "/// See [`new`] and [`new::f`], not old.\nuse x::y as old_y;\nenum new { A }\n\
         fn f() { g as new; }\nmacro_rules! m { ($old:ty) => { $old; $crate::new; } }"
    );
}

#[test]
fn examples_are_code_and_other_blocks_are_not() {
    let text = "/// ```\n/// # use k::old;\n/// old::f(\"old\");\n/// ```\n/// ```text\n/// old\n/// ```\n\
                mod old {}";
    assert_eq!(
        renamed(RenameKind::Module, "k", "mod old", text),
        "/// ```\n/// # use k::new;\n/// new::f(\"old\");\n/// ```\n/// ```text\n/// old\n/// ```\n\
         mod new {}"
    );
}

#[test]
fn an_item_that_an_example_defines_is_its_own() {
    let text = "/// ```\n/// struct old(u8);\n/// impl k::T for old {}\n/// let a: old = old(1); k::old(1);\n/// ```\n\
                struct old(u8);\n/// ```\n/// use k::old;\n/// old(1);\n/// ```\nfn f() {}";
    let expected = text
        .replace("k::old", "k::new")
        .replace("/// old(1)", "/// new(1)")
        .replace("\nstruct old", "\nstruct new");
    assert_eq!(renamed(RenameKind::Type, "k", "\nstruct old(u8);", text), expected);
}

#[test]
fn examples_of_a_page_are_code_and_its_words_are_not() {
    let page = "# old\n\n`old` [`old`](old)\n\n```rust\nuse k::old;\n# old(1);\n```\n```text\nold()\n```\n\
                ```\nlet old = k::old(2);\n```\n";
    let path = |it: &str| ProjectPath::new(it).unwrap();
    let code = "#![doc = include_str!(\"../README.md\")]\npub fn old(a: u8) {}\n";
    let target = RenameTarget {
        kind: RenameKind::Function,
        from: "old".to_owned(),
        to: "new".to_owned(),
        owners: SortedSet::from(["k".to_owned()]),
        definitions: SortedSet::from([(path("src/lib.rs"), code.find("old").unwrap())]),
        within: None,
    };
    let by = (path("src/lib.rs"), 1);
    let pages = vec![DocPage { path: path("README.md"), text: Arc::from(page), by }];
    let files = [(path("src/lib.rs"), Arc::from(code))];
    let mut plan = Renaming::with_pages(target, &KnownSites::default(), &files, pages);
    let after = |plan: &Renaming| {
        let mut splices = plan.splices();
        splices.retain(|it| it.0 == path("README.md"));
        let overlay = Overlay::from_splices("", Timestamp(0), &OneFile(page), &splices).unwrap();
        overlay.changes().next().map_or("", |(_, it)| it.after_text()).to_owned()
    };
    assert!(plan.has_examples());
    let renamed = page.replace("k::old", "k::new").replace("# old(1)", "# new(1)");
    assert_eq!(after(&plan), renamed);
    let texts = [(path("README.md"), Arc::from(page))];
    let left = plan.in_texts(&texts).into_iter().map(|it| it.line).collect::<Vec<_>>();
    assert_eq!(left, [3, 10]);
    // Rustdoc counts from the line that includes the page.
    let failed = FailedExample { path: path("src/lib.rs"), line: 12, output: String::new() };
    assert_eq!(plan.learn_examples(&[failed]), 1);
    assert_eq!(after(&plan), renamed.replace("k::new(2)", "k::old(2)"));
}

#[test]
fn attributes_may_be_a_part_of_an_example() {
    let text = "macro_rules! m { () => {\n/// ```\n/// use k::{\n#[doc = concat!(\"  \", $ty, [\",\"])]\n#[inline]\n\
                /// };\n/// k::old();\n/// ```\nfn a() {}\n/// old\nfn b() {}\n} }\npub fn old() {}";
    let expected = text.replace("k::old", "k::new").replace("pub fn old", "pub fn new");
    assert_eq!(renamed(RenameKind::Function, "k", "pub fn old", text), expected);
    let apart = "/// ```\nfn a() {}\n/// k::old()\npub fn old() {}";
    let expected = apart.replace("pub fn old", "pub fn new");
    assert_eq!(renamed(RenameKind::Function, "k", "pub fn old", apart), expected);
}

#[test]
fn an_example_ends_where_its_own_fence_or_the_documentation_ends() {
    let text = "/// ````\n/// # fn a() {}\n/// ```\n/// k::old();\n/// ````\n/// old\n/// ~~~\n/// k::old();\n\
                pub fn old() {}\n/// ```text\n/// k::old();\nfn other() {}\n/// old\nmod m {}";
    assert_eq!(
        renamed(RenameKind::Function, "k", "pub fn old", text),
        text.replace("k::old();\n/// `", "k::new();\n/// `")
            .replace("/// k::old();\npub fn old", "/// k::new();\npub fn new")
    );
}

#[test]
fn a_failed_example_is_found_by_a_line_inside_of_it() {
    let text = "/// ```\n/// a.old();\n/// c.old();\n/// ```\n///\n/// ```\n/// # fn f() {}\n/// b.old();\n/// ```\n\
                struct S; impl S { fn old(&self) {} }\nimpl T { fn old(&self) {} }";
    let learned = |line: u32, output: &str| {
        let mut plan = plan(RenameKind::Method, "S", "fn old(&self) {}", &[("src/lib.rs", text)]);
        let path = ProjectPath::new("src/lib.rs").unwrap();
        let output = output.to_owned();
        let count = plan.learn_examples(&[FailedExample { path, line, output }]);
        (count, overlay(&plan, text).changes().next().unwrap().1.after_text().to_owned())
    };
    // The fence, and a line that only the example covers.
    assert!(learned(1, "").1.contains("a.new();\n/// c.new()"));
    assert!(learned(1, "").1.contains("b.old()"));
    assert!(learned(8, "").1.contains("b.new()"));
    assert_eq!((learned(5, "").0, learned(10, "").0), (0, 0));
    // The errors of the compiler name the line.
    let output = "error[E0599]: no method named `old` found for struct `S`\n --> src/lib.rs:3:3\n";
    assert!(learned(1, output).1.contains("a.old();\n/// c.new()"));
    // Some versions of rustdoc count one line more.
    let shifted = output.to_owned() + "  |\n3 | a.old();\n";
    assert!(learned(1, &shifted).1.contains("a.new();\n/// c.old()"));
}

#[test]
fn an_import_in_an_example_names_no_method() {
    let text = "/// ```\n/// use k::old::T;\n/// a.old();\n/// ```\nstruct S; impl S { fn old(&self) {} }\n\
                impl T { fn old(&self) {} }";
    let mut plan = plan(RenameKind::Method, "S", "fn old(&self) {}", &[("src/lib.rs", text)]);
    let path = ProjectPath::new("src/lib.rs").unwrap();
    plan.learn_examples(&[FailedExample { path, line: 1, output: String::new() }]);
    let after = overlay(&plan, text).changes().next().unwrap().1.after_text().to_owned();
    assert_eq!(after, text.replace("a.old", "a.new").replacen("fn old", "fn new", 1));
}

#[test]
fn a_name_in_the_tokens_of_a_macro_definition_is_a_member_too() {
    let text =
        "trait Tr { fn old(); }\nmacro_rules! m { ($t:ty) => { impl Tr for $t { fn old() {} } } }";
    let text_after =
        "trait Tr { fn new(); }\nmacro_rules! m { ($t:ty) => { impl Tr for $t { fn new() {} } } }";
    assert_eq!(renamed(RenameKind::Method, "Tr", "fn old();", text), text_after);
}

#[test]
fn errors_correct_the_plan_in_both_directions() {
    let text =
        "struct S { old: u8 } struct T { old: u8 } fn f() { let (s, t) = g(); s.old; t.old; }";
    let mut plan = plan(RenameKind::Field, "S", "old: u8 } struct", &[("src/lib.rs", text)]);
    let first = overlay(&plan, text);
    let path = ProjectPath::new("src/lib.rs").unwrap();
    let now = first.get(&path).unwrap().after_text().to_owned();
    assert!(now.contains("s.old; t.old"));
    let at = now.find("s.old").unwrap() + 2;
    let mut error = Diagnostic::new(Severity::Error, "no field `old` on type `S`");
    error.spans = vec![DiagnosticSpan::primary(&path, &now, base::ByteSpan::new(at, at + 3))];
    assert_eq!(plan.learn(&[error], &first), 1);
    assert_eq!(
        overlay(&plan, text).get(&path).unwrap().after_text(),
        now.replace("s.old", "s.new")
    );
}

#[test]
fn a_name_is_an_identifier_and_no_keyword() {
    assert_eq!(check_name("fine_1"), Ok(()));
    assert_eq!(check_name("r#match"), Ok(()));
    assert_eq!(check_name("match"), Err(BadName::Keyword { raw: "r#match".to_owned() }));
    assert_eq!(check_name("Self"), Err(BadName::Reserved));
    assert_eq!(check_name("1a"), Err(BadName::NoIdentifier));
    assert_eq!(check_name("a-b"), Err(BadName::NoIdentifier));
    assert_eq!(check_name(""), Err(BadName::NoIdentifier));
}

#[test]
fn comments_that_keep_the_old_name_are_listed() {
    let text = "/// See [`old`], `old` and older.\nfn old() { \"old\"; }\n// old\n";
    let plan = plan(RenameKind::Function, "crate", "fn old", &[("src/lib.rs", text)]);
    let lines: Vec<u32> = plan.mentions().into_iter().map(|(_, line)| line).collect();
    assert_eq!(lines, [1, 3]);
}

#[test]
fn a_member_of_a_path_that_is_no_type_leaves() {
    let text =
        "trait Tr { fn old(&self); }\nimpl Tr for u8 { fn old(&self) { other::Tr::old(self) } }";
    let mut plan = plan(RenameKind::Method, "Tr", "fn old(&self);", &[("src/lib.rs", text)]);
    let first = overlay(&plan, text);
    let path = ProjectPath::new("src/lib.rs").unwrap();
    let now = first.get(&path).unwrap().after_text().to_owned();
    let at = now.find("other::Tr::new").unwrap();
    let mut error = Diagnostic::new(Severity::Error, "expected a type, found a trait");
    error.spans = vec![DiagnosticSpan::primary(&path, &now, base::ByteSpan::new(at, at + 9))];
    assert_eq!(plan.learn(&[error], &first), 1);
    assert!(overlay(&plan, text).get(&path).unwrap().after_text().contains("other::Tr::old"));
}

#[test]
fn a_macro_that_is_not_exported_is_in_no_example() {
    let text = "/// ```\n/// old!();\n/// ```\nfn f() { macro_rules! old { () => {} } old!() }";
    let after = "/// ```\n/// old!();\n/// ```\nfn f() { macro_rules! new { () => {} } new!() }";
    assert_eq!(renamed(RenameKind::Macro, "", "macro_rules! old", text), after);
    let after = "/// ```\n/// new!();\n/// ```\n#[macro_export] macro_rules! new { () => {} }";
    let text = "/// ```\n/// old!();\n/// ```\n#[macro_export] macro_rules! old { () => {} }";
    assert_eq!(renamed(RenameKind::Macro, "", "macro_rules! old", text), after);
}

#[test]
fn the_compiler_marks_a_field_with_its_value() {
    let text = "struct S { old: u8 } struct T { old: u8 } fn f(t: T) -> S { S { old: t.old } }";
    let plan = plan(RenameKind::Field, "S", "old: u8 }", &[("src/lib.rs", text)]);
    let path = ProjectPath::new("src/lib.rs").unwrap();
    let unchanged = Overlay::from_splices("", Timestamp(0), &OneFile(text), &[]).unwrap();
    let at = text.find("old: t.old").unwrap();
    let span = base::ByteSpan::new(at, at + "old: t.old".len());
    let message = format!("use of deprecated field `S::old`: {}", edits::MARK);
    let warning = Diagnostic {
        code: Some("deprecated".to_owned()),
        spans: vec![DiagnosticSpan::primary(&path, text, span)],
        ..Diagnostic::new(Severity::Warning, &message)
    };
    let listed = plan.listed(&[warning], &unchanged, "old");
    assert_eq!(listed.sites, SortedSet::from([(path, at)]));
}

#[test]
fn a_generic_parameter_of_an_inner_item_is_another_one() {
    let text = "impl<old> S<old> { fn f(x: old) { fn g<old>(x: old) {} } } fn h(x: old) {}";
    let path = ProjectPath::new("src/lib.rs").unwrap();
    let within = ByteSpan::new(0, text.find(" fn h").unwrap());
    let target = RenameTarget {
        kind: RenameKind::Generic,
        from: "old".to_owned(),
        to: "new".to_owned(),
        owners: SortedSet::new(),
        definitions: SortedSet::from([(path.clone(), 5)]),
        within: Some((path.clone(), within)),
    };
    let plan = Renaming::new(target, &KnownSites::default(), &[(path.clone(), Arc::from(text))]);
    assert_eq!(
        overlay(&plan, text).get(&path).unwrap().after_text(),
        "impl<new> S<new> { fn f(x: new) { fn g<old>(x: old) {} } } fn h(x: old) {}"
    );
}

#[test]
fn a_constant_parameter_and_one_with_a_default_are_renamed_where_they_are_declared() {
    let after = |text: &str| {
        let path = ProjectPath::new("src/lib.rs").unwrap();
        let target = RenameTarget {
            kind: RenameKind::Generic,
            from: "Old".to_owned(),
            to: "New".to_owned(),
            owners: SortedSet::new(),
            definitions: SortedSet::from([(path.clone(), text.find("Old").unwrap())]),
            within: Some((path.clone(), ByteSpan::new(0, text.len()))),
        };
        let files = [(path, Arc::from(text))];
        let plan = Renaming::new(target, &KnownSites::default(), &files);
        assert!(plan.renames_item());
        overlay(&plan, text).changes().next().unwrap().1.after_text().to_owned()
    };
    assert_eq!(
        after("struct S<const A: u8, const Old: usize> { a: [u8; Old] }"),
        "struct S<const A: u8, const New: usize> { a: [u8; New] }"
    );
    assert_eq!(
        after("struct S<T, Old = ()> where T: Iterator<Old = u8> { a: T, b: Old }"),
        "struct S<T, New = ()> where T: Iterator<Old = u8> { a: T, b: New }"
    );
}

#[test]
fn a_macro_call_is_no_use_of_a_method_of_its_name() {
    let text = "trait Tr { fn old(&self); }\nmacro_rules! old { ($t:ty $u:path) => { impl $u for $t { \
                fn old(&self) {} } } }\nold!(u8 Tr);";
    let path = ProjectPath::new("src/lib.rs").unwrap();
    let at = text.find("old(&self);").unwrap();
    let target = RenameTarget {
        kind: RenameKind::Method,
        from: "old".to_owned(),
        to: "new".to_owned(),
        owners: SortedSet::from(["Tr".to_owned()]),
        definitions: SortedSet::from([(path.clone(), at)]),
        within: None,
    };
    let item = SortedSet::from([(path.clone(), text.find("old!(u8 Tr)").unwrap())]);
    let known = KnownSites { item, ..KnownSites::default() };
    let mut plan = Renaming::new(target, &known, &[(path.clone(), Arc::from(text))]);
    let first = overlay(&plan, text);
    let now = first.get(&path).unwrap().after_text().to_owned();
    assert_eq!(now, text.replacen("old", "new", 1));
    let at = now.find("fn old").unwrap();
    let mut error = Diagnostic::new(Severity::Error, "method `old` is not a member of trait `Tr`");
    error.spans = vec![DiagnosticSpan::primary(&path, &now, ByteSpan::new(at, at + 15))];
    assert_eq!(plan.learn(&[error], &first), 1);
    let now = overlay(&plan, text).get(&path).unwrap().after_text().to_owned();
    assert_eq!(now, text.replacen("old", "new", 1).replace("fn old", "fn new"));
}

#[test]
fn the_compiler_contradicts_the_map_where_nothing_else_explains_the_error() {
    let text = "fn old() {}\nfn f() { g::old(); }";
    let path = ProjectPath::new("src/lib.rs").unwrap();
    let target = RenameTarget {
        kind: RenameKind::Function,
        from: "old".to_owned(),
        to: "new".to_owned(),
        owners: SortedSet::new(),
        definitions: SortedSet::from([(path.clone(), 3)]),
        within: None,
    };
    let at = text.find("g::old").unwrap() + 3;
    let item = SortedSet::from([(path.clone(), at)]);
    let known = KnownSites { item, ..KnownSites::default() };
    let mut plan = Renaming::new(target, &known, &[(path.clone(), Arc::from(text))]);
    let first = overlay(&plan, text);
    let now = first.get(&path).unwrap().after_text().to_owned();
    let mut error = Diagnostic::new(Severity::Error, "cannot find function `new` in module `g`");
    error.spans = vec![DiagnosticSpan::primary(&path, &now, ByteSpan::new(at, at + 3))];
    assert_eq!(plan.learn(&[error], &first), 1);
    assert_eq!(
        overlay(&plan, text).get(&path).unwrap().after_text(),
        "fn new() {}\nfn f() { g::old(); }"
    );
}

#[test]
fn a_method_that_a_macro_generates_from_a_field_follows_it() {
    let after = |derives: &str| {
        let text = format!("{derives} struct S {{ old: u8 }} fn f() {{ S::builder().old(1); }}");
        let mut plan = plan(RenameKind::Field, "S", "old: u8", &[("src/lib.rs", &text)]);
        let first = overlay(&plan, &text);
        let path = ProjectPath::new("src/lib.rs").unwrap();
        let now = first.get(&path).unwrap().after_text().to_owned();
        assert!(now.contains("builder().old(1)"));
        let at = now.find("old(1)").unwrap();
        let mut error = Diagnostic::new(Severity::Error, "no method named `old` found");
        error.spans = vec![DiagnosticSpan::primary(&path, &now, ByteSpan::new(at, at + 3))];
        plan.learn(&[error], &first);
        overlay(&plan, &text).get(&path).unwrap().after_text().to_owned()
    };
    assert!(after("#[derive(Clone, x::Builder)]").contains("builder().new(1)"));
    assert!(after("#[builder(a = \"b\")]").contains("builder().new(1)"));
    assert!(after("#[derive(Clone, std::fmt::Debug)] #[repr(C)]").contains("builder().old(1)"));
}

#[test]
fn a_member_that_a_macro_writes_stays_where_the_compiler_lists_only_uses() {
    let text = "trait A { const old: u8; }\ntrait B { const old: u8; }\n\
                fn f() { quote! { impl #p::A for #t { const old: u8 = 1; } }; A::old; }";
    let mut plan = plan(RenameKind::Member, "A", "old: u8; }\ntrait B", &[("src/lib.rs", text)]);
    plan.confirm(&ListedUses::default());
    let after = overlay(&plan, text).changes().next().unwrap().1.after_text().to_owned();
    assert!(after.contains("const new: u8 = 1; } }; A::old;"), "{after}");
}

#[test]
fn a_member_that_a_macro_writes_belongs_to_the_trait_of_its_impl() {
    let text = "trait A { const old: u8; }\ntrait B { const old: u8; }\n\
                fn f() { quote! { impl #g #p::A for #t { const old: u8 = 1; } }; }\n\
                fn g() { quote! { impl #p::B for #t { const old: u8 = <#t as #p::A>::old; } }; }";
    assert_eq!(
        renamed(RenameKind::Member, "A", "old: u8; }\ntrait B", text),
        "trait A { const new: u8; }\ntrait B { const old: u8; }\n\
         fn f() { quote! { impl #g #p::A for #t { const new: u8 = 1; } }; }\n\
         fn g() { quote! { impl #p::B for #t { const old: u8 = <#t as #p::A>::new; } }; }"
    );
}

#[test]
fn a_field_in_the_arguments_of_a_macro_is_renamed() {
    let text = "struct S { old: Option<u8> } struct T { old: u8 }\n\
                fn f(s: S, old: u8) { m!(s, S { old: Some(old), .. } => old); m!(S { old }, T { old }); }";
    assert_eq!(
        renamed(RenameKind::Field, "S", "old: Option", text),
        "struct S { new: Option<u8> } struct T { old: u8 }\n\
         fn f(s: S, old: u8) { m!(s, S { new: Some(old), .. } => old); m!(S { new: old }, T { old }); }"
    );
}

#[test]
fn a_name_of_the_prelude_is_not_assumed_to_be_the_item() {
    let text = "//! ```ignore\n//! f(None);\n//! ```\nmod m { pub const None: u8 = 1; }\nfn f(x: Option<u8>) -> u8 { \
                if let None = x { m::None } else { 0 } }";
    let path = ProjectPath::new("src/lib.rs").unwrap();
    let target = RenameTarget {
        kind: RenameKind::Value,
        from: "None".to_owned(),
        to: "New".to_owned(),
        owners: SortedSet::from(["m".to_owned()]),
        definitions: SortedSet::from([(path.clone(), text.find("None:").unwrap())]),
        within: None,
    };
    let plan = Renaming::new(target, &KnownSites::default(), &[(path.clone(), Arc::from(text))]);
    assert!(plan.is_open());
    assert_eq!(
        overlay(&plan, text).get(&path).unwrap().after_text(),
        "//! ```ignore\n//! f(None);\n//! ```\nmod m { pub const New: u8 = 1; }\nfn f(x: Option<u8>) -> u8 { \
         if let None = x { m::New } else { 0 } }"
    );
}

#[test]
fn a_variable_with_the_name_of_an_imported_function_stays() {
    let lib = "pub mod m;\n/// As [`core::cmp::old`] and [`m::old`].\npub mod n;\n";
    let m = "pub fn old(a: u8) -> u8 { a }\n";
    let n = "use crate::m::old;\nfn f(of: Option<u8>) -> Option<u8> {\n    let b = of.map(|old| old + 1);\n    if let Some(old) = b {\n        g(old);\n    }\n    b\n}\nfn h() -> u8 { [1].map(old)[0] + old(2) }\n";
    let path = |it: &str| ProjectPath::new(it).unwrap();
    let files: Vec<(ProjectPath, Arc<str>)> =
        [("src/lib.rs", lib), ("src/m.rs", m), ("src/n.rs", n)]
            .map(|(name, text)| (path(name), Arc::from(text)))
            .into();
    let target = RenameTarget {
        kind: RenameKind::Function,
        from: "old".to_owned(),
        to: "new".to_owned(),
        owners: SortedSet::from(["m".to_owned()]),
        definitions: SortedSet::from([(path("src/m.rs"), 7)]),
        within: None,
    };
    let item = SortedSet::from([(path("src/n.rs"), n.find("old;").unwrap())]);
    let known = KnownSites { item, ..KnownSites::default() };
    let plan = Renaming::new(target, &known, &files);
    let chosen = |name: &str, text: &str| -> String {
        let mut now = text.to_owned();
        let sites = plan.sites_of(&path(name));
        let own = |it: &&RenameSite| matches!(it.verdict, SiteVerdict::Item | SiteVerdict::Likely);
        let mut spans: Vec<ByteSpan> = sites.iter().filter(own).map(|it| it.span).collect();
        spans.sort();
        for span in spans.iter().rev() {
            now.replace_range(span.start..span.end, "new");
        }
        now
    };
    let wanted = "use crate::m::new;\nfn f(of: Option<u8>) -> Option<u8> {\n    let b = of.map(|old| old + 1);\n    if let Some(old) = b {\n        g(old);\n    }\n    b\n}\nfn h() -> u8 { [1].map(new)[0] + new(2) }\n";
    assert_eq!(chosen("src/n.rs", n), wanted);
    assert_eq!(chosen("src/lib.rs", lib), lib.replace("`m::old`", "`m::new`"));
}

#[test]
fn a_link_to_a_field_that_has_the_name_of_a_method_leads_to_the_method() {
    let text = "/// See [`S::old`].\nstruct S { old: u8 }\n";
    let method = "impl S { fn old(&self) -> u8 { self.old } }\n";
    assert_eq!(renamed(RenameKind::Field, "S", "old: u8", text), text.replace("old", "new"));
    assert_eq!(
        renamed(RenameKind::Field, "S", "old: u8", &format!("{text}{method}")),
        format!("{text}{method}").replace("old: u8", "new: u8").replace("self.old", "self.new")
    );
}

#[test]
fn links_by_self_lead_to_the_documented_type() {
    let text = "/// By [`Self::old`] and [`T::old`].\npub struct S;\nimpl S {\n    /// As [`Self::old`].\n    \
                fn a(&self) {}\n    fn old(&self) {}\n}\n/// By [`Self::old`].\nstruct T;\n\
                impl T {\n    /// [`Self::old`]\n    fn old() {}\n}\n";
    let (own, other) = text.split_once("/// By [`Self::old`].\nstruct T").unwrap();
    let own = own.replace("Self::old", "Self::new").replace("fn old", "fn new");
    assert_eq!(
        renamed(RenameKind::Method, "S", "old(&self)", text),
        format!("{own}/// By [`Self::old`].\nstruct T{other}")
    );
}

#[test]
fn the_written_type_of_a_parameter_decides_whose_member_it_is() {
    let text = "struct S { old: u8 }\nstruct W(S);\n#[cfg(x)]\nimpl From<k::R<f32>> for S {\n    fn from(item: k::R<f32>) -> Self {\n        \
                S { old: item.old }\n    }\n}\n#[cfg(x)]\nfn f(a: &'static mut S, b: Box<S>, c: W, d: &k::R) {\n    let d = a;\n    \
                (a.old, b.old, c.old, d.old);\n}\n";
    let after = renamed(RenameKind::Field, "S", "old: u8", text);
    assert!(after.contains("S { new: item.old }"), "{after}");
    assert!(after.contains("(a.new, b.new, c.new, d.new)"), "{after}");
    let rival = "struct S; struct T;\nimpl S { fn old(&self) {} }\nimpl T { fn old(&self) {} }\n\
                 fn f(a: &S, b: &T, c: X) { a.old(); b.old(); c.old(); }\n";
    let after = renamed(RenameKind::Method, "S", "old(&self)", rival);
    assert!(after.contains("a.new(); b.old(); c.old();"), "{after}");
}
